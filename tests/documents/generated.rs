//! The promises over generated documents: soups of tags, links, references and broken bytes in many charsets.

use crate::promises::transcode::transcoded;
use crate::promises::{PROMISES, Subject, chunks};
use linkglot::QueryCharset;
use linkglot::document::Settings;
use linkglot::format::Format;
use linkglot::link::Nfc;
use linkglot::rewrite::Form;
use proptest::prelude::*;

/// Pieces of HTML soups.
const HTML: &[&str] = &[
    "<a href=\"",
    "<a href='",
    "<a href=",
    "<img src=\"",
    "<img srcset=\"",
    "<p style=\"background:url(",
    "<meta http-equiv=refresh content=\"0;url=",
    "<base href=\"",
    "<style>",
    "</style>",
    "<script>",
    "</script>",
    "<textarea>",
    "</textarea>",
    "<!-- wp:a {\"b\":\"http:\\/\\/c.example\\/\\u00e9\",\"d\":\"s:18:\\\"http://\u{e9}.example\\\";\"} -->",
    "<!-- wp:a {\"b\":[\"",
    "\"]} -->",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "</a>",
    "<p>",
    "<svg>",
    "</svg>",
    "<code>",
    "</code>",
    "<iframe src=",
    "<td background=",
    "<form action=\"",
    "<iframe srcdoc=\"",
    "<svg xml:base=\"",
    "<q cite='",
    "<link rel=stylesheet href=",
    "<noscript>",
    "<template>",
    "</p",
    "<",
];

/// Pieces of XML soups.
const XML: &[&str] = &[
    "<rss version=\"2.0\"><channel>",
    "<link>",
    "</link>",
    "<enclosure url=\"",
    "<a xmlns=\"http://www.w3.org/1999/xhtml\" href=\"",
    "<x xmlns:l=\"http://www.w3.org/1999/xlink\" l:href='",
    "<feed xmlns=\"http://www.w3.org/2005/Atom\">",
    "<?xml-stylesheet href=\"",
    "?>",
    "<![CDATA[",
    "]]>",
    "<!--",
    "-->",
    "<!DOCTYPE x [",
    "]>",
    "</channel></rss>",
    "<outline url=\"",
    "<x xml:base=\"",
    "<x href=\"b\" xml:base='",
    "</x>",
    "<content type='html'>",
    "<description>",
    "&lt;base href=",
    "<loc>",
    "</loc>",
    "<loc>http://a.example/<!-- -->\u{e9}</loc>",
    "<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.1//EN' 'x'>",
    "<p xmlns=\"http://www.w3.org/1999/xhtml\">",
    "&eacute;",
    "&nbsp;",
    "&no;",
    "/>",
    "</a>",
];

/// Pieces of XML whose quotation marks do not match.
const TAGS: &[&str] = &[
    "<g e=",
    "<a href=",
    "<x xmlns='http://www.w3.org/2000/svg' href=",
    " href=",
    " style=\"b:url(",
    "<?xml-stylesheet href=",
    "<link>",
    "</link>",
    "<![CDATA[",
    "]]>",
    "?>",
    "<!--",
    "-->",
    "\"",
    "\"",
    "\"",
    "'",
    "'",
    "\u{e9}",
    "/\u{e9}",
    "\\\u{e9}",
    "http://\u{e9}/",
    "%C3%A9",
    "%E1%BB%87",
    "t",
    "/",
    "?",
    ">",
    "<",
    " ",
    "\n",
];

/// Pieces of style sheets.
const CSS: &[&str] = &[
    "@import \"",
    "@import url(",
    "a{background:url(",
    "a{background:url(\"",
    "url('",
    ")",
    "\");",
    "/*",
    "*/",
    "\\",
    "\\e9 ",
    "image-set(\"",
    "@charset \"utf-8\";",
    "}",
    "{",
    "\\\n",
];

/// Pieces of running text beside links.
const TEXT: &[&str] = &[
    "-\n",
    "\u{2010}\n",
    "https://\n",
    "<",
    "<URL:",
    "**",
    "[url=",
    "\u{300c}",
    "\u{201c}",
    "\u{ab}",
    "\u{ff08}",
    "See ",
    "-\n",
    "> ",
    "\u{3000}",
    "...",
    "~",
    "_",
    "@",
    "*",
    "'",
    "\u{1b}[4m",
    "\u{3}04",
    "http://i\u{2764}\u{fe0f}.ws/\u{e9}",
    "ex\u{ad}ample.com/\u{e9}",
    "\u{e0100}",
];

/// Pieces of Markdown soups.
#[cfg(feature = "markdown")]
const MARKDOWN: &[&str] = &[
    "[a](",
    "![b](",
    "[c](<",
    ">)",
    " \"d\")",
    "[e]",
    "[e]: ",
    "\n[f]: <",
    "\n\n",
    "\n> ",
    "\n- ",
    "\n1. ",
    "\n    ",
    "\r",
    "\r\r    ",
    "\n```\n",
    "`",
    "``",
    "**",
    "*",
    "_",
    "~~",
    "\\",
    "<http://",
    "<a href=\"",
    "<img src='",
    "</a>",
    "<div>\n",
    "</div>\n",
    "<code>",
    "<!--",
    "-->",
    "| a | b |\n|---|---|\n| ",
    " | ",
    "\n# ",
    "\n===\n",
    "\n---\n",
    "[^1]",
    "\n[^1]: ",
    "- [ ] ",
    "!",
    "&lt;",
    "  \n",
    "<script>",
    "</script>",
    "<b",
    "$",
];

/// Pieces of reStructuredText soups.
const RST: &[&str] = &[
    "`a <",
    ">`_",
    ">`__",
    "`",
    "``",
    "`_",
    "\n.. _b: ",
    "\n.. __: ",
    "\n__ ",
    "\n.. image:: ",
    "\n.. figure:: ",
    "\n   :target: ",
    "\n\n",
    "\n   ",
    "::\n\n  ",
    "\n- ",
    "\n1. ",
    "\n:c: ",
    "*",
    "**",
    "|",
    "\n.. |d| image:: ",
    "\n.. raw:: html\n\n   <a href=\"",
    "\n.. note:: ",
    "\n.. code::\n\n   ",
    "\n.. e\n   ",
    "\n====\n",
    "\n| ",
    "\n+---+-----+\n| ",
    " | ",
    " |\n+---+-----+\n",
    "\n===  ===\n",
    "\\",
    "\\ ",
    "_",
    "\n.. [1] ",
    "\n>>> ",
    ":ref:`",
    "\n  ",
    "<",
    ">",
];

/// Pieces between the others, in every format.
const ANY: &[&str] = &[
    "http://example.org/",
    "https://r\u{e9}sum\u{e9}.example/\u{e9}",
    "http://\u{4f8b}.example/\u{8868}?\u{80fd}=\u{30bd}",
    "http://\u{43f}\u{440}\u{438}\u{43c}\u{435}\u{440}.example/\u{43f}\u{443}\u{442}\u{44c}?\u{447}=\u{44f}#\u{44d}",
    "mailto:a@example.org",
    "b@example.com",
    "www.example.net/\u{fc}",
    "example.org/x",
    "../\u{e4}/b.html",
    "#\u{f6}",
    "?q=\u{20ac}&amp;r=%E9&s=%C3%A9",
    "//example.com/%7Ea%2Fb",
    "javascript:x()",
    "data:,\u{e9}",
    "/a\\b",
    "/a b",
    "%",
    "%zz",
    "%25",
    "&#233;",
    "&eacute;",
    "&copy=1",
    "&amp;",
    "&",
    "\"",
    "'",
    ">",
    " ",
    "\n",
    "\r\n",
    "\t",
    "(",
    ")",
    "[",
    "]",
    ",",
    ".",
    ";",
    ":",
    "=",
    "/",
    "\u{3002}",
    "\u{300d}",
    "\u{201d}",
    "\u{e9}",
    "\u{8868}",
    "\u{44f}",
    "\u{301}",
    "\u{202e}",
    "\u{200d}",
    "\u{0}",
    "1x",
    "2w,",
    "text ",
    "xn--e1afmkfd.example",
    "http://xn--e1afmkfd.example/%D0%BA",
    "HTTP://EXAMPLE.ORG:80/",
    "ftp://u:p@example.org/\u{e9}?\u{e9}",
    "http://[2001:db8::1]/",
    "urn:isbn:1",
    "{{x}}",
    "<?= x ?>",
    "/${y}/\u{e9}",
    // A single code of TSCII.
    "http://a.example/\u{b95}\u{bca}\u{b85}",
];

const CHARSETS: &[&str] = &[
    "UTF-8",
    "windows-1252",
    "Shift_JIS",
    "EUC-JP",
    "ISO-2022-JP",
    "windows-1251",
    "KOI8-R",
    "GBK",
    "gb18030",
    "Big5",
    "EUC-KR",
    "windows-1258",
    "UTF-16LE",
    "UTF-16BE",
];

/// Charsets beyond the Encoding Standard: supersets of ASCII, others, and some with states.
const OLD_CHARSETS: &[&str] = &[
    "IBM437",
    "x-mac-greek",
    "IBM864",
    "IBM037",
    "VISCII",
    "TCVN",
    "ARMSCII-8",
    "HZ-GB-2312",
    "ISO-2022-KR",
    "ISO-2022-CN",
    "JOHAB",
    "EUC-TW",
    "UTF-7",
    "CESU-8",
    "UTF-32BE",
    "EUC-JISX0213",
    "Shift_JISX0213",
    "ISO646-DE",
    "IBM273",
    "IBM939",
    "x-mac-arabic",
    "TSCII",
    "T.61-8bit",
    "ISO-2022-JP-2",
    "ISO-2022-JP-2004",
];

fn pieces(own: &'static [&'static str]) -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        2 => prop::sample::select(own),
        3 => prop::sample::select(ANY),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

fn soup() -> impl Strategy<Value = (Format, String)> {
    prop_oneof![
        pieces(TEXT).prop_map(|text| (Format::Text, text)),
        pieces(HTML).prop_map(|text| (Format::Html, text)),
        pieces(XML).prop_map(|text| (Format::Xml, text)),
        pieces(CSS).prop_map(|text| (Format::Css, text)),
        pieces(RST).prop_map(|text| (Format::Rst, text)),
        markdown(),
    ]
}

#[cfg(feature = "markdown")]
fn markdown() -> impl Strategy<Value = (Format, String)> {
    pieces(MARKDOWN).prop_map(|text| (Format::Markdown, text))
}

#[cfg(not(feature = "markdown"))]
fn markdown() -> impl Strategy<Value = (Format, String)> {
    pieces(TEXT).prop_map(|text| (Format::Text, text))
}

/// Every format.
const FORMATS: &[Format] = &[
    Format::Text,
    Format::Html,
    Format::Xml,
    Format::Css,
    Format::Rst,
    #[cfg(feature = "markdown")]
    Format::Markdown,
];

/// Encodes the text in a charset, leaving out characters that it lacks. UTF-16 has no encoder in encoding_rs.
fn encode(text: &str, label: &str) -> Vec<u8> {
    match label {
        "UTF-16LE" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        "UTF-16BE" => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        _ => encode_legacy(text, label),
    }
}

fn encode_legacy(text: &str, label: &str) -> Vec<u8> {
    let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).expect("a charset");
    let has = |c: &char| !encoding.encode(c.encode_utf8(&mut [0; 4])).2;
    let kept: String = text.chars().filter(has).collect();
    encoding.encode(&kept).0.into_owned()
}

/// Encodes with the crate's own encoder, for charsets that encoding_rs does not know.
fn encode_old(text: &str, label: &str) -> Vec<u8> {
    let charset = linkglot::Charset::for_label(label).expect("a charset");
    let kept: String = text.chars().filter(|&ch| charset.can_encode(ch)).collect();
    let mut bytes = Vec::new();
    charset.encode(&kept, &mut bytes).expect("text that it has");
    bytes
}

/// A document: a soup in a charset that the caller names, with some bytes overwritten.
fn subject(
    charsets: &'static [&'static str],
    encode: fn(&str, &str) -> Vec<u8>,
) -> impl Strategy<Value = Subject> {
    let damage = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..3);
    (soup(), prop::sample::select(charsets), damage).prop_map(
        move |((format, text), label, damage)| {
            let mut bytes = encode(&text, label);
            for (index, byte) in damage {
                if !bytes.is_empty() {
                    let at = index.index(bytes.len());
                    bytes[at] = byte;
                }
            }
            named(format, label, bytes)
        },
    )
}

/// A soup that declares its charset, or has a place for a declaration.
fn declared() -> impl Strategy<Value = Subject> {
    let document = (soup(), prop::sample::select(CHARSETS), any::<bool>());
    document.prop_map(|((format, text), label, is_declared)| {
        let declaration = match (format, is_declared) {
            (Format::Html, true) => format!("<meta charset={label}>"),
            (Format::Html, false) => "<head>".to_owned(),
            (Format::Xml, true) => format!("<?xml version='1.0' encoding='{label}'?>"),
            (Format::Css, true) => format!("@charset \"{label}\";"),
            (Format::Rst, true) => format!(".. coding: {label}\n"),
            _ => String::new(),
        };
        let bytes = encode(&(declaration + &text), label);
        named(format, label, bytes)
    })
}

/// Charsets with characters that NFC changes.
const COMBINING_CHARSETS: &[&str] = &["windows-1258", "EUC-KR", "GBK", "windows-1255"];

/// The text with letters and tone marks decomposed, and compatibility characters in place of other characters beyond
/// ASCII.
fn encode_combining(text: &str, label: &str) -> Vec<u8> {
    const INSTEAD: [&str; 5] = [
        "\u{ea}\u{323}",
        "\u{1ec7}",
        "\u{f900}",
        "\u{5d0}\u{5bc}\u{5b7}",
        "e\u{301}",
    ];
    let mut beyond = 0;
    let text: String = text
        .split_inclusive(|ch: char| !ch.is_ascii())
        .map(|part| match part.char_indices().next_back() {
            Some((at, last)) if !last.is_ascii() => {
                beyond += 1;
                part[..at].to_owned() + INSTEAD[beyond % INSTEAD.len()]
            }
            _ => part.to_owned(),
        })
        .collect();
    encode(&text, label)
}

fn named(format: Format, label: &str, bytes: Vec<u8>) -> Subject {
    let mut settings = Settings::default();
    settings.format = Some(format);
    settings.charset = Some(linkglot::Charset::for_label(label).expect("a charset"));
    Subject {
        name: format!("{} in {label}", format.name()),
        bytes,
        settings,
    }
}

/// As many cases as a debug build checks in some seconds; `--release` checks more.
const CASES: u32 = if cfg!(debug_assertions) { 96 } else { 20_000 };

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, ..ProptestConfig::default() })]

    #[test]
    fn promises_hold_over_soups(subject in subject(CHARSETS, encode)) {
        for (name, promise) in PROMISES {
            if let Err(why) = promise(&subject) {
                let text = subject.bytes.escape_ascii();
                prop_assert!(false, "{name} broken by {}: {why}\n{text}", subject.name);
            }
        }
    }

    /// Characters that NFC changes, with each setting for NFC.
    #[test]
    fn promises_hold_with_and_without_nfc(
        subject in subject(COMBINING_CHARSETS, encode_combining),
        nfc in prop::sample::select(vec![Nfc::Auto, Nfc::Always, Nfc::Never]),
    ) {
        let mut subject = subject;
        subject.settings.nfc = nfc;
        for (name, promise) in PROMISES {
            if let Err(why) = promise(&subject) {
                let text = subject.bytes.escape_ascii();
                prop_assert!(false, "{name} broken by {} {nfc:?}: {why}\n{text}", subject.name);
            }
        }
    }

    #[test]
    fn soups_get_other_charsets(
        subject in declared(),
        label in prop::sample::select(CHARSETS),
        form in prop::sample::select(vec![Form::Same, Form::Uri, Form::Iri]),
    ) {
        let to = linkglot::Charset::for_label(label).expect("a charset");
        if let Err(why) = transcoded(&subject, to, form) {
            let text = subject.bytes.escape_ascii();
            prop_assert!(false, "{} to {label}, {form:?}: {why}\n{text}", subject.name);
        }
    }

    #[test]
    fn links_between_quotation_marks_that_do_not_match(
        pieces in prop::collection::vec(prop::sample::select(TAGS), 2..16),
    ) {
        let subject = named(Format::Xml, "UTF-8", pieces.concat().into_bytes());
        for promise in [crate::promises::refound, crate::promises::idempotent, crate::promises::chunks::one_answer] {
            let text = subject.bytes.escape_ascii();
            prop_assert_eq!(promise(&subject), Ok(()), "{}", text);
        }
    }

    #[test]
    fn any_bytes_have_a_reading(
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        format in prop::sample::select(FORMATS),
        label in prop::sample::select(CHARSETS),
    ) {
        let subject = named(format, label, bytes);
        prop_assert_eq!(crate::promises::identity(&subject), Ok(()));
        prop_assert_eq!(crate::promises::refound(&subject), Ok(()));
    }
}

proptest! {
    // Such a document takes four times as long: it is decoded for each promise.
    #![proptest_config(ProptestConfig { cases: CASES / 4, ..ProptestConfig::default() })]

    /// Queries are in UTF-8: encoding_rs does not know these charsets.
    #[test]
    fn promises_hold_over_soups_in_old_charsets(subject in subject(OLD_CHARSETS, encode_old)) {
        let mut subject = subject;
        subject.settings.query_charset = Some(QueryCharset::Utf8);
        for (name, promise) in PROMISES {
            if let Err(why) = promise(&subject) {
                let text = subject.bytes.escape_ascii();
                prop_assert!(false, "{name} broken by {}: {why}\n{text}", subject.name);
            }
        }
    }
}

/// Every cut in two of documents with something at every place.
#[test]
fn every_split_of_small_documents_is_one_answer() {
    let documents = [
        (
            Format::Html,
            "<meta charset=x><a href=\"/\u{e9}?a&amp;b\">x</a> (http://example.org/\u{fc}). <img srcset='a 1x, b\u{e9} 2x'>\
            <style>a{b:url(\"c\u{e9}\")}</style><!-- x --><script>\"</b>\"</script><p style=\"d:url(e)\">f@example.org</p>\
            <&#233;www.example.net/\u{fc}",
        ),
        (
            Format::Xml,
            "<?xml-stylesheet href=\"a\u{e9}\"?><rss version=\"2.0\"><channel><link> http://example.org/\u{e9}?a&amp;b </link>\
            <link><![CDATA[http://example.org/\u{e9}]]></link><enclosure url='&#233;\u{e9}'/></channel></rss>",
        ),
        (
            Format::Css,
            "@import 'a\u{e9}';b{c:url( d\\e9 e );f:url(\"g\\\nh\")}/* url(i) */j{k:url(l\u{e9})}",
        ),
        (
            Format::Text,
            "see <http://example.org/\u{e9}_(\u{fc})>, www.example.com/a. or \u{201c}x.y@example.org\u{201d}; http://\u{e9}.example/\u{e9}",
        ),
        (Format::Rst, "`a\u{e9} </\u{e9}>`_\n\n.. _b: /\u{e9}"),
        #[cfg(feature = "markdown")]
        (Format::Markdown, "[a](/\u{e9}) <http://example.org/\u{e9}>"),
    ];
    let mut faults = Vec::new();
    for (format, text) in documents {
        // Documents that are read as a whole take long after a head, and do not depend on cuts.
        let whole = !matches!(
            format,
            Format::Text | Format::Html | Format::Xml | Format::Css
        );
        let labels = ["UTF-16LE", "windows-1252", "UTF-8", "gb18030"];
        for label in &labels[..if whole { 1 } else { 4 }] {
            let subject = named(format, label, encode(text, label));
            if let Err(why) = chunks::every_split(&subject) {
                faults.push(format!("{}: {why}", subject.name));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
