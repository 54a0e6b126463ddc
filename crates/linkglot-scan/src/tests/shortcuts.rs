//! The shortcuts (filters, block search, tables) against the finder alone.

use super::super::lists;
use super::super::native_domains::NativeDomains;
use super::*;
use std::collections::BTreeMap;

/// A linear congruential generator: the same texts in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as usize % most
    }

    /// Up to `most` words, concatenated.
    fn text(&mut self, words: &[&str], most: usize) -> String {
        let count = 1 + self.below(most);
        (0..count).map(|_| words[self.below(words.len())]).collect()
    }
}

/// The ranges of the links in bytes, in windows that grow by `step`.
fn links_of(
    scanner: &Scanner,
    bytes: &[u8],
    decode: &dyn Decode,
    step: usize,
) -> Vec<(usize, usize)> {
    let (mut state, mut from, mut to) = (State::default(), 0, 0);
    let mut found = Vec::new();
    while to < bytes.len() {
        to = (to + step).min(bytes.len());
        let (window, last) = (&bytes[from..to], to == bytes.len());
        let mut hits = Vec::new();
        let keep = scanner.scan(window, last, decode, &mut state, &mut hits);
        found.extend(
            hits.iter()
                .map(|hit| (from + hit.range.start, from + hit.range.end)),
        );
        from += keep;
    }
    found
}

/// Compares the links of a text with those of the finder alone. Returns their number.
fn compare(scanner: &Scanner, text: &str) -> usize {
    let hits = scanner.links(text);
    let found: Vec<_> = hits.map(|hit| (hit.span.start, hit.span.end)).collect();
    assert_eq!(found, unfiltered(scanner, text), "{text:?}");
    found.len()
}

/// The source ranges of the links that the finder alone finds in a text.
fn expected_ranges(scanner: &Scanner, text: &MappedText<'_>) -> Vec<(usize, usize)> {
    let found = unfiltered(scanner, text.text()).into_iter();
    found
        .map(|(start, end)| text.source(TextSpan::new(start, end)))
        .map(|range| (range.start, range.end))
        .collect()
}

/// No `。` that separates labels is dismissed: with words of all kinds around it, and with native top-level domains
/// behind it, whole or cut.
#[test]
fn no_full_stop_of_a_domain_is_dismissed() {
    let natives: Vec<&str> = lists::tlds()
        .names()
        .filter(|name| !name.is_ascii())
        .collect();
    let words = [
        "。", "。", "。", "例え", "日本", "a", "com", "www.", "@", ".", "み", "んな", "中", "国",
        " ", "「", "、", "た", "ア", "http://", "/", "1",
    ];
    let mut random = Random(58);
    let scanners = [Profile::Extended, Profile::Uts58].map(Scanner::new);
    let mut count = 0;
    for round in 0..6000 {
        let native = natives[round % natives.len()];
        let cut = native
            .char_indices()
            .nth(1 + random.below(3))
            .map_or(native.len(), |(at, _)| at);
        let tld = if round % 3 == 0 {
            native
        } else {
            &native[..cut]
        };
        let mut text = random.text(&words, 8);
        text += "。";
        text += tld;
        text += &random.text(&words, 4);
        for scanner in &scanners {
            count += compare(scanner, &text);
        }
    }
    assert!(count > 1000, "{count}");
}

/// No `。` is dismissed with top-level domains of the caller either.
#[test]
fn no_full_stop_is_dismissed_with_own_domains() {
    let words = [
        "。",
        "。",
        "社内",
        "社",
        "社外",
        "ΩΜΕΓΑ",
        "ωμέγα",
        "\u{212A}orp",
        "korp",
        "テスト",
        "テ",
        "中国",
        "com",
        ".",
        " ",
        " ",
        " ",
        "た",
        "a",
        "例え",
    ];
    let mut random = Random(3490);
    let own = [
        &["社内", "korp", "テスト", "x"][..],
        &["ωμέγα", "社内"],
        &["test"],
    ];
    let mut count = 0;
    for names in own {
        let scanner = Scanner::default().top_level_domains(names.iter().copied());
        for _ in 0..3000 {
            let text = random.text(&words, 9);
            count += compare(&scanner, &text);
        }
    }
    assert!(count > 50, "{count}");
}

/// No `。` is dismissed in any charset that has it.
#[test]
fn no_full_stop_is_dismissed_in_any_charset() {
    let words = [
        "。",
        "。",
        "みんな",
        "中国",
        "公司",
        "例え",
        "한국",
        "新加坡",
        "コム",
        "a",
        "com",
        ".",
        " ",
        " ",
        " ",
        "、",
        "た",
        "日",
        "表",
        "ソ",
        "能",
    ];
    let mut random = Random(46);
    let mut count = 0;
    for label in ["shift_jis", "euc-jp", "gb18030", "gbk", "big5", "euc-kr"] {
        let charset = Charset::for_label(label).unwrap();
        assert!(NativeDomains::of(charset).has_full_stop());
        let decode = Plain {
            charset,
            references: false,
        };
        for _ in 0..2000 {
            let text = random.text(&words, 9);
            let mut bytes = Vec::new();
            if charset.encode(&text, &mut bytes).is_err() {
                continue;
            }
            let expected = expected_ranges(&Scanner::default(), &charset.decode_mapped(&bytes));
            for step in [1, 7, bytes.len()] {
                let found = links_of(&Scanner::default(), &bytes, &decode, step);
                assert_eq!(found, expected, "{label} {text}");
            }
            count += expected.len();
        }
    }
    assert!(count > 150, "{count}");
}

/// All sequences of up to three bytes that decode to one character beyond ASCII, by character.
fn byte_sequences(charset: Charset) -> BTreeMap<char, Vec<Vec<u8>>> {
    let mut all = BTreeMap::<char, Vec<Vec<u8>>>::new();
    let trails = || 0x40..=0xFF_u8;
    let two = (0x80..=0xFF_u8).flat_map(|lead| trails().map(move |trail| vec![lead, trail]));
    let leads = [0x8E, 0x8F];
    let three = leads.iter().flat_map(|&lead| {
        let pairs = trails().flat_map(|a| trails().map(move |b| (a, b)));
        pairs.map(move |(a, b)| vec![lead, a, b])
    });
    for bytes in (0x80..=0xFF_u8)
        .map(|byte| vec![byte])
        .chain(two)
        .chain(three)
    {
        let text = charset.decode(&bytes);
        let mut chars = text.chars();
        if let (Some(ch), None) = (chars.next(), chars.next())
            && !ch.is_ascii()
            && ch != char::REPLACEMENT_CHARACTER
        {
            all.entry(ch).or_default().push(bytes);
        }
    }
    all
}

/// Decoders accept more than encoders write: characters that a charset only reads (Hong Kong's in Big5, JIS X 0212 in
/// EUC-JP), and several byte sequences for one character.
#[test]
fn every_spelling_of_a_top_level_domain_is_known() {
    let mut unwritten = 0;
    for label in [
        "shift_jis",
        "euc-jp",
        "gbk",
        "big5",
        "euc-kr",
        "windows-1251",
    ] {
        let charset = Charset::for_label(label).unwrap();
        let (known, decode) = (
            byte_sequences(charset),
            Plain {
                charset,
                references: false,
            },
        );
        for name in lists::tlds().names().filter(|name| !name.is_ascii()) {
            let ways: Option<Vec<_>> = name.chars().map(|ch| known.get(&ch)).collect();
            let Some(ways) = ways else { continue };
            for round in 0..ways.iter().map(|ways| ways.len()).max().unwrap_or(0) {
                let name: Vec<u8> = ways
                    .iter()
                    .flat_map(|w| w[round % w.len()].clone())
                    .collect();
                let bytes = [b"see a.".as_slice(), &name, b"/x"].concat();
                let found = links_of(&Scanner::default(), &bytes, &decode, bytes.len());
                assert_eq!(
                    found,
                    [(4, bytes.len())],
                    "{label} {:?}",
                    charset.decode(&bytes)
                );
            }
            unwritten += usize::from(!name.chars().all(|ch| charset.can_encode(ch)));
        }
    }
    assert!(unwritten > 5, "{unwritten}");
}

/// GBK reads the sequences of four bytes of GB 18030 but does not write them.
#[test]
fn top_level_domains_of_four_bytes_are_known() {
    let gb18030 = Charset::for_label("gb18030").unwrap();
    for charset in [gb18030, Charset::for_label("gbk").unwrap()] {
        let decode = Plain {
            charset,
            references: false,
        };
        for text in ["see a.مصر/x", "see www.a。ไทย/x"] {
            let mut bytes = Vec::new();
            gb18030.encode(text, &mut bytes).unwrap();
            for step in [1, bytes.len()] {
                let found = links_of(&Scanner::default(), &bytes, &decode, step);
                assert_eq!(found, [(4, bytes.len())], "{charset:?} {text}");
            }
        }
    }
}

/// Words for links with letters of many scripts, and for their surroundings.
const WORDS: &[&str] = &[
    "-\n",
    "\u{2010}\n  ",
    "\u{AD}\r\n> ",
    "https://\n",
    "http://",
    "https://",
    "HTTP://",
    "http://",
    "x",
    "www.",
    "example",
    ".com",
    ".jp",
    ".",
    "-",
    "記録",
    "例え",
    ".みんな",
    "資料",
    "文件",
    "архив",
    "страница",
    "é",
    "ü",
    "ß",
    "한국",
    "에서",
    "는",
    "を",
    "に",
    "です",
    "ア",
    "ー",
    "/",
    "/",
    "/",
    "?",
    "#",
    "=",
    "&",
    "&amp;",
    ";",
    ",",
    "1",
    "42",
    " ",
    " ",
    "\n",
    "　",
    "、",
    "。",
    "，",
    "：",
    "！",
    "）",
    "（",
    "「",
    "」",
    "”",
    "“",
    "’",
    "»",
    "«",
    "…",
    "—",
    "·",
    "→",
    "｜",
    ":",
    "!",
    "%20",
    "%",
    "@",
    "_",
    "*",
    "~",
    "+",
    "(",
    ")",
    "[",
    "]",
    "'",
    "\"",
    "<",
    ">",
    "|",
    "\\",
    "<URL:",
    "`",
    "\u{200B}",
    "\u{FE0F}",
    "😀",
    "ก",
    "ไทย",
    "。com",
    "在",
    "珠",
    "轉",
    "العربية",
    "؟",
    "،",
    "עברית",
    "हिन्दी",
    "।",
    "表",
    "ソ",
    "能",
    "\t",
    "＜",
    "＞",
    "★",
    "≪",
    "≫",
    "＂",
    "🚀",
    "{",
    "}",
    "\u{9B}",
    "\u{9B}1;",
    "\u{1B}[0",
    "(",
];

/// Links with letters of many scripts.
const LINKS: &[&str] = &[
    "http://example.org/資料",
    "https://記録.example.org/1",
    "http://www.example.jp/資料/1.html",
    "http://example.ru/документы/",
    "https://архив.example.org/?ü=é#ß",
    "http://例え.みんな/",
    "http://한국.example.kr/자료/에서",
    "http://example.org/a.b/。",
    "http://ไทย.example.com/ก",
];

/// Every answer of the tables equals that of the finder.
#[test]
fn fast_links_are_those_of_the_finder() {
    let mut random = Random(3987);
    let scanners = [Profile::Extended, Profile::Scheme].map(Scanner::new);
    let (mut known, mut all) = (0, 0);
    for round in 0..10_000 {
        let mut text = random.text(WORDS, 6);
        text += ["", " ", "は", "("][round % 4];
        text += LINKS[random.below(LINKS.len())];
        text += &random.text(WORDS, 8);
        for scanner in &scanners {
            compare(scanner, &text);
            let expected = unfiltered(scanner, &text);
            let web = scanner.links(&text).web.expect("plain settings");
            known += expected
                .iter()
                .filter_map(|&(start, _)| Some(start + text[start..].find("://")?))
                .filter(|&colon| web.link(colon, 0).is_some())
                .count();
            all += expected.len();
        }
    }
    assert!(known > all / 5, "{known} of {all}");
}

/// Links in bytes equal the links of the text, in any charset and with windows of any size.
#[test]
fn links_in_bytes_are_those_of_the_text() {
    let mut random = Random(646);
    let scanner = Scanner::default();
    let mut count = 0;
    for label in [
        "utf-8",
        "shift_jis",
        "euc-jp",
        "gb18030",
        "gbk",
        "big5",
        "euc-kr",
        "windows-1251",
        "koi8-r",
        "windows-1252",
        "windows-874",
        "windows-1256",
        "windows-1258",
        "iso-8859-5",
    ] {
        let charset = Charset::for_label(label).unwrap();
        let is_held = |word: &&&str| charset.encode(word, &mut Vec::new()).is_ok();
        let words: Vec<&str> = WORDS.iter().filter(is_held).copied().collect();
        let links: Vec<&str> = LINKS.iter().filter(is_held).copied().collect();
        let decode = Plain {
            charset,
            references: false,
        };
        for round in 0..500 {
            let mut text = random.text(&words, 6);
            if !links.is_empty() && round % 3 > 0 {
                text += ["", " "][round % 2];
                text += links[random.below(links.len())];
            }
            text += &random.text(&words, 8);
            let mut bytes = Vec::new();
            charset.encode(&text, &mut bytes).unwrap();
            let expected = expected_ranges(&scanner, &charset.decode_mapped(&bytes));
            for step in [1, 5, 40, bytes.len()] {
                let found = links_of(&scanner, &bytes, &decode, step);
                assert_eq!(found, expected, "{label} {text:?}");
            }
            count += expected.len();
        }
    }
    assert!(count > 2000, "{count}");
}

/// In any bytes at all, links depend neither on cuts nor on the way of judging.
#[test]
fn links_in_invalid_bytes_do_not_depend_on_cuts() {
    let mut random = Random(1);
    let pieces: &[&[u8]] = &[
        b"http://",
        b"https://",
        b"example",
        b".com",
        b"/",
        b"\xE8\xB3\x87",
        b"\xE3\x80",
        b"\x82\xCD",
        b"\x81",
        b"\x83e",
        b"\x95\\",
        b" ",
        b"\xFF",
        b"1",
        b"\xC3\xA9",
        b"\xED\xA0\x80",
        b"\xF0\x9F\x98\x80",
        b"\xB0\xA1",
        b"\x80",
        b"\xE0\x80\x80",
        b"\xE3\x80\x81",
        b".",
        b"\x81\x30\x81\x30",
        b"\x8F\xA2\xAF",
        b"\x9B",
        b"\xC2\x9B",
        b"\x81\x30\x83\x37",
        b"1;",
    ];
    let scanner = Scanner::default();
    for label in [
        "utf-8",
        "shift_jis",
        "euc-jp",
        "gb18030",
        "big5",
        "euc-kr",
        "windows-1253",
    ] {
        let charset = Charset::for_label(label).unwrap();
        for references in [false, true] {
            let decode = Plain {
                charset,
                references,
            };
            for _ in 0..1500 {
                let count = 1 + random.below(12);
                let bytes: Vec<u8> = (0..count)
                    .flat_map(|_| pieces[random.below(pieces.len())])
                    .copied()
                    .collect();
                let expected = expected_ranges(&scanner, &charset.decode_mapped(&bytes));
                for step in [1, 9, bytes.len()] {
                    assert_eq!(
                        links_of(&scanner, &bytes, &decode, step),
                        expected,
                        "{label} {bytes:x?}"
                    );
                }
            }
        }
    }
}
