//! CPU time of finding links in running text in legacy charsets, against decoding all of it with encoding_rs and
//! finding them with linkify, in the same run: as bytes in windows, as a document, and as a document with the texts of
//! its links. `cargo bench -p linkglot-rivals --bench charsets`; the text after `--` picks rows by their titles. The
//! profiles are those of `text.rs`, the same on both sides.

#[path = "prose/mod.rs"]
mod prose;
mod support;

use encoding_rs::Encoding;
use linkglot::document::{Document, Settings};
use linkglot::format::Format;
use linkglot_charset::{Charset, MappedText};
use linkglot_scan::{Decode, Profile, Scanner, State};
use linkify::{LinkFinder, LinkKind};
use prose::Prose;
use support::{contender, row};

struct Plain(Charset);

impl Decode for Plain {
    fn charset(&self) -> Charset {
        self.0
    }
    fn has_references(&self) -> bool {
        false
    }
    fn decode<'b>(&self, bytes: &'b [u8]) -> MappedText<'b> {
        self.0.decode_mapped(bytes)
    }
}

/// Number of bytes of a window, about as in reading a document.
const WINDOW: usize = 256 << 10;

/// The amount of text of each kind, in bytes of UTF-8.
const SIZE: usize = 52_000_000;

fn in_windows(scanner: &Scanner, bytes: &[u8], charset: Charset) -> usize {
    let (mut count, mut from, mut to) = (0, 0, 0);
    let mut state = State::default();
    let mut hits = Vec::new();
    while to < bytes.len() {
        to = (to + WINDOW).min(bytes.len());
        let (window, last) = (&bytes[from..to], to == bytes.len());
        from += scanner.scan(window, last, &Plain(charset), &mut state, &mut hits);
        count += hits.len();
        hits.clear();
    }
    count
}

fn settings(charset: Charset, profile: Profile) -> Settings {
    let mut settings = Settings::default();
    settings.format = Some(Format::Text);
    settings.charset = Some(charset);
    settings.detect = profile;
    settings
}

fn as_document(bytes: &[u8], charset: Charset, profile: Profile) -> usize {
    let document = Document::new(bytes, &settings(charset, profile));
    document.links().count()
}

fn with_texts(bytes: &[u8], charset: Charset, profile: Profile) -> usize {
    let document = Document::new(bytes, &settings(charset, profile));
    let texts = document.links().filter(|link| !link.text().is_empty());
    texts.count()
}

fn compare(prose: &Prose, label: &str, profile: Profile) {
    let title = match profile {
        Profile::Scheme => format!("{}, {label}, scheme", prose.name),
        _ => format!("{}, {label}, extended", prose.name),
    };
    if !support::is_wanted(&title) {
        return;
    }
    let encoding = Encoding::for_label(label.as_bytes()).expect("a label of the standard");
    let charset = Charset::for_label(label).expect("a known label");
    let text = prose.text(SIZE);
    let (bytes, _, lossy) = encoding.encode(&text);
    assert!(!lossy, "{label} holds its text");
    let scanner = Scanner::new(profile);
    let mut finder = LinkFinder::new();
    if profile == Profile::Scheme {
        finder.kinds(&[LinkKind::Url]);
    } else {
        finder.url_must_have_scheme(false);
    }
    row(
        &title,
        bytes.len(),
        &mut [
            contender("bytes", || in_windows(&scanner, &bytes, charset)),
            contender("document", || as_document(&bytes, charset, profile)),
            contender("texts", || with_texts(&bytes, charset, profile)),
            contender("decode, linkify", || {
                let (text, _) = encoding.decode_without_bom_handling(&bytes);
                finder.links(&text).count()
            }),
        ],
    );
}

fn main() {
    use prose::{
        CHINESE, CHINESE_IRIS, JAPANESE, JAPANESE_IRIS, KOREAN, RUSSIAN, RUSSIAN_IRIS, TAIWANESE,
    };
    let ascii = [JAPANESE, CHINESE, TAIWANESE, RUSSIAN, KOREAN];
    let iris = [JAPANESE_IRIS, CHINESE_IRIS, RUSSIAN_IRIS];
    for prose in ascii.iter().chain(&iris) {
        for label in prose.charsets {
            compare(prose, label, Profile::Extended);
            compare(prose, label, Profile::Scheme);
        }
    }
}
