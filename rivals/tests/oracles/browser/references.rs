//! The charsets of the pages, words in them, and references made of both.

use std::collections::BTreeSet;

/// Labels of charsets, each with a word that the charset and a host can hold.
pub const CHARSETS: &[(&str, &str)] = &[
    ("utf-8", "r\u{e9}sum\u{e9}\u{4f8b}\u{43f}\u{440}"),
    ("utf-16le", "r\u{e9}sum\u{e9}\u{4f8b}\u{43f}\u{440}"),
    ("utf-16be", "r\u{e9}sum\u{e9}\u{4f8b}\u{43f}\u{440}"),
    ("windows-1250", "\u{17e}lu\u{165}ou\u{10d}k\u{fd}"),
    ("windows-1251", "\u{43f}\u{440}\u{438}\u{43c}\u{435}\u{440}"),
    ("windows-1252", "r\u{e9}sum\u{e9}"),
    (
        "windows-1253",
        "\u{3c0}\u{3b1}\u{3c1}\u{3ac}\u{3b4}\u{3b5}\u{3b9}",
    ),
    ("windows-1254", "\u{131}\u{11f}d\u{131}r"),
    ("windows-1255", "\u{5d3}\u{5d5}\u{5d2}\u{5de}\u{5d4}"),
    ("windows-1256", "\u{645}\u{62b}\u{627}\u{644}"),
    ("windows-1257", "\u{17e}\u{105}sis"),
    ("windows-1258", "\u{111}\u{103}ng"),
    ("windows-874", "\u{e01}\u{e32}\u{e23}"),
    ("koi8-r", "\u{43f}\u{440}\u{438}\u{43c}\u{435}\u{440}"),
    ("koi8-u", "\u{457}\u{436}\u{430}\u{43a}"),
    ("ibm866", "\u{43f}\u{440}\u{438}\u{43c}\u{435}\u{440}"),
    ("macintosh", "r\u{e9}sum\u{e9}"),
    (
        "x-mac-cyrillic",
        "\u{43f}\u{440}\u{438}\u{43c}\u{435}\u{440}",
    ),
    ("iso-8859-2", "\u{17e}lu\u{165}"),
    ("iso-8859-3", "e\u{125}o\u{15d}an\u{11d}o"),
    ("iso-8859-4", "\u{17e}\u{105}s\u{12b}"),
    ("iso-8859-5", "\u{43f}\u{440}\u{438}\u{43c}\u{435}\u{440}"),
    ("iso-8859-6", "\u{645}\u{62b}\u{627}\u{644}"),
    ("iso-8859-7", "\u{3c0}\u{3b1}\u{3c1}\u{3ac}"),
    ("iso-8859-8", "\u{5d3}\u{5d5}\u{5d2}\u{5de}\u{5d4}"),
    ("iso-8859-10", "\u{fe}\u{e6}\u{f0}"),
    ("iso-8859-13", "\u{17e}\u{105}sis"),
    ("iso-8859-14", "\u{1e81}\u{177}l"),
    ("iso-8859-15", "\u{153}uvre"),
    ("iso-8859-16", "\u{21b}ar\u{103}"),
    ("shift_jis", "\u{65e5}\u{672c}\u{8868}\u{30a2}"),
    ("euc-jp", "\u{65e5}\u{672c}\u{8868}\u{30a2}"),
    ("iso-2022-jp", "\u{65e5}\u{672c}\u{8868}\u{30a2}"),
    ("gbk", "\u{4f8b}\u{5b50}\u{4e02}"),
    ("gb18030", "\u{4f8b}\u{5b50}\u{4e02}\u{e9}"),
    ("big5", "\u{7bc4}\u{4f8b}\u{529f}"),
    ("euc-kr", "\u{c608}\u{c2dc}\u{ac02}"),
];

/// A charset that text can be written in.
#[derive(Clone, Copy)]
pub struct Writer {
    pub label: &'static str,
    encoding: &'static encoding_rs::Encoding,
}

impl Writer {
    pub fn new(label: &'static str) -> Self {
        let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).expect("a charset");
        Writer { label, encoding }
    }

    pub fn is_unicode(&self) -> bool {
        self.label.starts_with("utf")
    }

    pub fn can(&self, ch: char) -> bool {
        let mut buffer = [0; 4];
        self.is_unicode() || !self.encoding.encode(ch.encode_utf8(&mut buffer)).2
    }

    /// The bytes of a text that the charset can hold, with a BOM for UTF-16.
    pub fn bytes(&self, text: &str) -> Vec<u8> {
        let units = || "\u{feff}".encode_utf16().chain(text.encode_utf16());
        match self.label {
            "utf-16le" => units().flat_map(u16::to_le_bytes).collect(),
            "utf-16be" => units().flat_map(u16::to_be_bytes).collect(),
            _ => {
                let (bytes, _, lacks) = self.encoding.encode(text);
                assert!(!lacks, "{} cannot write {text}", self.label);
                bytes.into_owned()
            }
        }
    }

    /// Characters beyond ASCII: all of a single-byte charset, some hundreds of others; and special characters, which
    /// the charset may lack.
    pub fn sample(&self) -> Vec<char> {
        let mut sample: BTreeSet<char> = SPECIAL.chars().collect();
        if self.is_unicode() {
            sample.extend((0x80..=0x1_FFFF).step_by(263).filter_map(char::from_u32));
        } else if self.encoding.is_single_byte() {
            sample.extend((0x80..=0xFF).filter_map(|byte| self.decoded(&[byte])));
        } else {
            let trails = (0x40..=0xFE).step_by(37);
            let pairs =
                (0x81..=0xFE).flat_map(|lead| trails.clone().map(move |trail| [lead, trail]));
            sample.extend(pairs.filter_map(|pair| self.decoded(&pair)));
        }
        sample.into_iter().collect()
    }

    /// The character of a sequence beyond ASCII. ISO-2022-JP has the characters of EUC-JP.
    fn decoded(&self, bytes: &[u8]) -> Option<char> {
        let encoding = match self.label {
            "iso-2022-jp" => encoding_rs::EUC_JP,
            _ => self.encoding,
        };
        let text = encoding.decode_without_bom_handling_and_without_replacement(bytes)?;
        let mut chars = text.chars();
        chars
            .next()
            .filter(|ch| !ch.is_ascii() && chars.next().is_none())
    }
}

/// Characters with a special meaning in some program: spaces, joiners, marks, private use, noncharacters, dots,
/// slashes, compatibility forms, and rows of kana whose octets look like `%`, `&` and `+` in ISO-2022-JP.
const SPECIAL: &str = "\u{80}\u{85}\u{a0}\u{ad}\u{df}\u{130}\u{131}\u{300}\u{301}\u{34f}\u{61c}\u{2000}\u{200b}\u{200c}\
    \u{200d}\u{200e}\u{202a}\u{202e}\u{2028}\u{2029}\u{2044}\u{2060}\u{2066}\u{206f}\u{212b}\u{2126}\u{2215}\u{29f8}\u{3000}\
    \u{3002}\u{3099}\u{30a1}\u{30ab}\u{30b0}\u{30ba}\u{3042}\u{3130}\u{ac00}\u{e000}\u{f8ff}\u{f900}\u{fb01}\u{fdd0}\u{fe0f}\
    \u{feff}\u{ff05}\u{ff0e}\u{ff0f}\u{ff1f}\u{ff20}\u{ff21}\u{ff61}\u{ff71}\u{fffd}\u{ffff}\u{10000}\u{1d11e}\u{1f600}\
    \u{2f800}\u{391}\u{3a9}\u{416}\u{41}\u{a5}\u{203e}\u{ff5e}\u{301c}\u{2212}\u{ff0d}\u{2016}\u{2225}\u{ffe2}\u{ac}\u{20ac}\u{1ec7}\u{4e2d}\u{bd}";

/// References that browsers read differently from each other; `@` stands for a word of the page.
pub const ODD: &[&str] = &[
    "  /@  ",
    "\t/@\t",
    "/\t@\n/\r@",
    "htt\np://site.example/@",
    r"\@\x",
    r"/a\@?\@#\@",
    r"\\site.example\@",
    "http:@",
    "http:/@",
    "http:\\\\@.example\\@",
    "https:/@",
    "https:@",
    "http:///@.example/@",
    "http:////site.example//@",
    "//@.example/@",
    "//@.example",
    "///@",
    "////@/x",
    "./@",
    "../@",
    "../../../@/..",
    "@/%2e%2E/@",
    "@/./@/.",
    "%2e/@",
    "/@/.%2e",
    "?",
    "?@",
    "#@",
    "#",
    "@?",
    "@#",
    "@?#",
    "@?@?@#@#@",
    "@:x",
    "x:@",
    "./@:x",
    "http://@:@@site.example/@",
    "http://u@v@site.example/@",
    "http://u:@:w@site.example/",
    "http://@@site.example/",
    "http://site.example:80/@",
    "http://site.example:/@",
    "http://site.example:0080/@",
    "http://site.example:8080/@",
    "http://site.example:99999/@",
    "http://site.example:x/@",
    "http://0x7f.1/@",
    "http://127.1/@?@",
    "http://1.2.3/@",
    "http://256.256.256.256/@",
    "http://0300.168.0.1/@",
    "http://[::1]/@",
    "http://[::1%25eth0]/@",
    "http://[2001:DB8::0:1]:80/@",
    "http://[::ffff:1.2.3.4]/@",
    "http://[x]/@",
    "http://@.EXAMPLE/@",
    "http://WWW.@.example/@",
    "http://%72%C3%A9sum%C3%A9.example/@",
    "http://%e9.example/@",
    "http://a%2Fb.example/@",
    "http://a%00b.example/@",
    "http://a b.example/@",
    "http://a_b.@.example/@",
    "http://-@-.example/@",
    "http://xn--@.example/@",
    "http://xn--rsum-bpad.example/%C3%A9@?%C3%A9",
    "http://xn--a.example/@",
    "http://xn--80ak6aa92e.com/%D0%B0",
    "http://stra\u{df}e.example/@",
    "http://fa\u{df}.de/@",
    "http://a\u{200d}b.example/@",
    "http://\u{ff21}\u{ff22}\u{ff0e}example/@",
    "http://a\u{3002}b\u{ff61}example/@",
    "http://\u{ff11}\u{ff12}\u{ff17}.1/@",
    "http://a\u{ad}b.example/@",
    "http://\u{ad}/@",
    "http://\u{1f600}.example/@",
    "http://\u{627}a.example/@",
    "http://a.example./@",
    "http://a..example/@",
    "http://.example/@",
    "http:///",
    "http://",
    "http://?@",
    "HTTP://Site.EXAMPLE/@",
    "ftp://@.example/@?@;type=a",
    "ftp://u:p@site.example:21/@",
    "ws://@.example/@?@",
    "wss://@.example:443/@?@",
    "file:///@/@?@",
    "file://@.example/@",
    "file:@",
    "file:/C|/@",
    "file:c:\\@",
    "/C|/@",
    "mailto:@@site.example?subject=@&body=a b",
    "mailto:a@@.example",
    "tel:+@",
    "urn:x:@?@",
    "data:text/plain,@?@#@",
    "javascript:f('@?@')",
    "about:@",
    "blob:http://@/@",
    "view-source:http://@/@",
    "foo://@.example/@?@#@",
    "foo:///@",
    "foo:/@/../@",
    "foo:@ @",
    "foo://@ b/@",
    "foo://A%zz@/@",
    "git+ssh://g@site.example/@",
    "/a b@",
    "/\"<>`{}|^@",
    "/a'b(c)@!$&*+,;=:@",
    "/[x]@",
    "/a?\"<>`{}|^'[]\\@",
    "/a#\"<>`{}|^'[]\\@",
    "/%@%zz%4",
    "/%25@%2F%3F%23%5B",
    "/%c3%a9%C3%89%7e%41@",
    "/%E9@%FF%C3",
    "/?%c3%a9=@&%E9=%FF%7e%26",
    "/#%c3%a9%E9@",
    "/a%80%E2%82%AC@",
    "/%E2%80%AE@%E2%80%8B%EF%BB%BF",
    "/%E1%BB%87e\u{323}\u{302}@?e\u{323}\u{302}",
    "/A\u{30a}\u{212b}@",
    "/\u{feff}@",
    "\u{feff}/@",
    "\u{a0}/@\u{a0}",
    "\u{3000}@",
    "/\u{7f}@\u{85}\u{9f}",
    "/\u{1}@\u{1f}?\u{1}@#\u{1f}",
    "\u{1}/@\u{1f}",
    "/\u{e000}\u{fdd0}\u{ffff}@?\u{e000}\u{fdd0}\u{10fffe}",
    "/\u{e0001}\u{fe0f}@?\u{e0001}",
    "/\u{202e}@\u{2066}?\u{202e}",
    "/@\u{2215}\u{29f8}\u{ff0f}\u{2044}?\u{ff1f}\u{ff06}\u{ff1d}\u{ff05}",
    "/@;@=@,@?@=@;@&@=@",
    "//",
    "///",
    "//?@",
    "//@:81",
    "@//@///@",
    "/@%",
    "/@%2",
    "/@?%2",
    "x@/y:z@",
    "%00@",
    "/@?&#38;@",
    "/@?a=1&copy=2&@=3&amp=4",
];

/// Values in the spelling of the markup, for an attribute in double quotes.
pub const RAW: &[&str] = &[
    "/a&#x80;&#159;?&#x80;",
    "/a&#0;b?&#0;",
    "/a&#xD800;&#x110000;&#99999999999;",
    "/a&eacute;b&eacuteb&eacute=1?&eacute&eacute;",
    "/a?b=1&copy=2&reg&amp;x&ampy&amp",
    "/&notit;&notin;&not;&NotEqualTilde;&bne;",
    "/&nbsp;&Tab;x&NewLine;&sol;&quest;&num;&percnt;41",
    "/&#47;&#x2f;&bsol;&colon;&period;&period;&sol;x",
    "&#32;/x&#32;&#9;",
    "/a&#13;b&#10;c",
    "/&#xE9&#233?&#xE9&#233",
    "/&#x1F600;&#128512;?&#x1F600;#&#x1F600;",
    "/&amp;eacute;&amp;#233;?&amp;eacute;",
    "/&AMP;&LT;&GT;&QUOT;",
    "/&apos;&#39;&lbrace;&grave;&Hat;",
    "/&Eacute;&zwj;&zwnj;&rlm;&shy;?&shy;",
    "/&unknown;?&unknown;&x;&;&#;&#x;",
    "/&#xFEFF;&#xFFFE;&#xFDD0;",
];

/// Pieces of references.
const PIECES: &[&str] = &[
    "http://",
    "https:",
    "//",
    "/",
    "/",
    "?",
    "?",
    "#",
    ":",
    "@",
    "&",
    "=",
    ".",
    "..",
    "%",
    "%41",
    "%2F",
    "%e9",
    "%C3%A9",
    "%25",
    "%3F",
    "\\",
    " ",
    "\t",
    "[",
    "]",
    "|",
    "^",
    "'",
    "\"",
    "<",
    ">",
    "`",
    "{",
    "+",
    ",",
    ";",
    "a",
    "B",
    "0",
    "site.example",
    "xn--rsum-bpad",
    "~",
    "-",
    "_",
    "\u{df}",
    "\u{200d}",
    "\u{ad}",
    "\u{301}",
    "\u{3002}",
    "\u{ff0f}",
    "\u{1f600}",
    "\u{e000}",
    "\u{202e}",
];

/// Random numbers that are the same in each run.
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit.max(1)
    }

    /// A reference with parts of `sample` in it.
    pub fn reference(&mut self, sample: &[char]) -> String {
        let mut reference = String::new();
        for _ in 0..1 + self.below(9) {
            match self.below(3) {
                0 => reference
                    .extend((0..1 + self.below(3)).map(|_| sample[self.below(sample.len())])),
                _ => reference.push_str(PIECES[self.below(PIECES.len())]),
            }
        }
        reference
    }
}
