//! CPU time of finding links in running text, against linkify on the same text in the same run: UTF-8, as a `&str`, as
//! bytes in windows, and as a document. `cargo bench -p linkglot-rivals --bench text`; the text after `--` picks rows
//! by their titles.
//!
//! `scheme` is compared with linkify's links with a scheme, `extended` with linkify's links without a scheme (and its
//! e-mail addresses). linkify gets text that is known to be UTF-8.

#[path = "prose/mod.rs"]
mod prose;
mod support;

use linkglot::document::{Document, Settings};
use linkglot::format::Format;
use linkglot_charset::{Charset, MappedText};
use linkglot_scan::{Decode, Profile, Scanner, State};
use linkify::{LinkFinder, LinkKind};
use prose::Prose;
use support::{contender, row};

struct Utf8;

impl Decode for Utf8 {
    fn charset(&self) -> Charset {
        Charset::UTF_8
    }
    fn has_references(&self) -> bool {
        false
    }
    fn decode<'b>(&self, bytes: &'b [u8]) -> MappedText<'b> {
        Charset::UTF_8.decode_mapped(bytes)
    }
}

/// Number of bytes of a window, about as in reading a document.
const WINDOW: usize = 256 << 10;

/// The amount of text of each kind, in bytes.
const SIZE: usize = 52_000_000;

fn in_windows(scanner: &Scanner, bytes: &[u8]) -> usize {
    let (mut count, mut from, mut to) = (0, 0, 0);
    let mut state = State::default();
    let mut hits = Vec::new();
    while to < bytes.len() {
        to = (to + WINDOW).min(bytes.len());
        let (window, last) = (&bytes[from..to], to == bytes.len());
        from += scanner.scan(window, last, &Utf8, &mut state, &mut hits);
        count += hits.len();
        hits.clear();
    }
    count
}

fn as_document(bytes: &[u8], profile: Profile) -> usize {
    let mut settings = Settings::default();
    settings.format = Some(Format::Text);
    settings.charset = Some(Charset::UTF_8);
    settings.detect = profile;
    Document::new(bytes, &settings).links().count()
}

fn compare(prose: &Prose, profile: Profile) {
    let title = match profile {
        Profile::Scheme => format!("{}, scheme", prose.name),
        _ => format!("{}, extended", prose.name),
    };
    if !support::is_wanted(&title) {
        return;
    }
    let text = prose.text(SIZE);
    let scanner = Scanner::new(profile);
    let mut finder = LinkFinder::new();
    if profile == Profile::Scheme {
        finder.kinds(&[LinkKind::Url]);
    } else {
        finder.url_must_have_scheme(false);
    }
    row(
        &title,
        text.len(),
        &mut [
            contender("&str", || scanner.links(&text).count()),
            contender("bytes", || in_windows(&scanner, text.as_bytes())),
            contender("document", || as_document(text.as_bytes(), profile)),
            contender("linkify", || finder.links(&text).count()),
        ],
    );
}

fn main() {
    use prose::{
        CHINESE, CHINESE_IRIS, JAPANESE, JAPANESE_IRIS, KOREAN, MAIL, RUSSIAN, RUSSIAN_IRIS,
    };
    let all = [
        MAIL,
        JAPANESE,
        JAPANESE_IRIS,
        CHINESE,
        CHINESE_IRIS,
        RUSSIAN,
        RUSSIAN_IRIS,
        KOREAN,
    ];
    for prose in &all {
        compare(prose, Profile::Extended);
        compare(prose, Profile::Scheme);
    }
}
