//! P6 for lines and columns: a stream gives the same as the document in memory, wherever the stream is cut. The text
//! before a link is long, so that it comes in many windows, and has several bytes per character.

use crate::promises::Subject;
use crate::promises::chunks::{Pieces, same_links, same_output, sizes};
use linkglot::document::Settings;
use linkglot::format::Format;
use linkglot::{Charset, CommentSlots, TextSlots};
use proptest::prelude::*;

/// Holders of characters before a link: the format, the text before and after the characters, and the link.
const HOLDERS: &[(Format, &str, &str)] = &[
    (Format::Text, "", " http://a.example/\u{3042} b.example"),
    (
        Format::Text,
        "http://a.example/",
        " http://b.example/\u{3042}",
    ),
    (Format::Html, "", "<a href='\u{3042}'>http://b.example/</a>"),
    (Format::Html, "<script>", "</script><a href='\u{3042}'>"),
    (Format::Html, "<style>", "</style><a href='\u{3042}'>"),
    (Format::Html, "<title>", "</title><a href='\u{3042}'>"),
    (Format::Html, "<!--", "--><a href='\u{3042}'>"),
    (Format::Html, "<p title='", "'><a href='\u{3042}'>"),
    (Format::Html, "<plaintext>", " http://b.example/\u{3042}"),
    (
        Format::Xml,
        "<a><b>",
        "</b><link>http://b.example/\u{3042}</link></a>",
    ),
    (
        Format::Xml,
        "<a><!--",
        "--><link>http://b.example/\u{3042}</link></a>",
    ),
    (
        Format::Xml,
        "<a><![CDATA[",
        "]]><b href='http://b.example/\u{3042}'/></a>",
    ),
    (
        Format::Xml,
        "<a><?x ",
        "?><b href='http://b.example/\u{3042}'/></a>",
    ),
    (
        Format::Xml,
        "<a b='",
        "'><b href='http://b.example/\u{3042}'/></a>",
    ),
    (Format::Css, "a{b:", ";c:url(\u{3042})}"),
    (Format::Css, "/*", "*/a{c:url(\u{3042})}"),
    (Format::Css, "a{b:\"", "\";c:url(\u{3042})}"),
];

/// Characters of each length in the charsets.
const CHARACTERS: &[&str] = &[
    "\u{3042}",
    "\u{44f}",
    "\u{8868}",
    "a",
    "\n",
    "\u{ff76}",
    "\u{e9}",
    "\u{20000}",
];

const CHARSETS: &[&str] = &[
    "UTF-8",
    "Shift_JIS",
    "EUC-JP",
    "GBK",
    "gb18030",
    "Big5",
    "EUC-KR",
    "ISO-2022-JP",
    "UTF-16LE",
];

fn encode(text: &str, charset: Charset) -> Vec<u8> {
    let mut bytes = Vec::new();
    let kept: String = text.chars().filter(|&ch| charset.can_encode(ch)).collect();
    charset
        .encode(&kept, &mut bytes)
        .expect("characters that it has");
    bytes
}

fn subject(holder: (Format, &str, &str), within: &str, label: &str) -> Subject {
    let charset = Charset::for_label(label).expect("a charset");
    let mut settings = Settings::default();
    settings.format = Some(holder.0);
    settings.charset = Some(charset);
    settings.text = TextSlots::All;
    settings.comments = CommentSlots::All;
    settings.locate = true;
    Subject {
        name: format!("{holder:?} in {label}"),
        bytes: encode(&format!("{}{within}{}", holder.1, holder.2), charset),
        settings,
    }
}

/// As many cases as a debug build checks in some seconds; `--release` checks more.
const CASES: u32 = if cfg!(debug_assertions) { 24 } else { 2_000 };

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, ..ProptestConfig::default() })]

    #[test]
    fn streams_count_as_documents_do(
        holder in prop::sample::select(HOLDERS),
        label in prop::sample::select(CHARSETS),
        unit in prop::collection::vec(prop::sample::select(CHARACTERS), 1..6),
        shift in 0..4_usize,
        seed in any::<u64>(),
        crumbs in prop::sample::select(&[997, 20_011][..]),
    ) {
        let unit = unit.concat();
        let within = "a".repeat(shift) + &unit.repeat(100_000 / unit.len());
        let subject = subject(holder, &within, label);
        let mut links = Pieces::new(&subject.bytes, sizes(seed, crumbs));
        same_links(&subject, &mut links).map_err(|why| TestCaseError::fail(format!("{}: {why}", subject.name)))?;
        let mut output = Pieces::new(&subject.bytes, sizes(seed, crumbs));
        same_output(&subject, &mut output).map_err(|why| TestCaseError::fail(format!("{}: {why}", subject.name)))?;
    }
}

/// Each holder in each charset, read in pieces that are not multiples of a character's length.
#[test]
fn every_holder_in_every_charset() {
    let within = "\u{3042}".repeat(30_000);
    for &holder in HOLDERS {
        for label in CHARSETS {
            let subject = subject(holder, &within, label);
            let mut pieces = Pieces::new(&subject.bytes, |_| 7_001);
            assert_eq!(
                same_links(&subject, &mut pieces),
                Ok(()),
                "{}",
                subject.name
            );
        }
    }
}
