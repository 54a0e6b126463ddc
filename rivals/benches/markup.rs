//! XML against quick-xml, CSS, and HTML in legacy charsets against the same pages in UTF-8.
//!
//!     cargo bench -p linkglot-rivals --bench markup             all of it
//!     cargo bench -p linkglot-rivals --bench markup -- xml      only what is so named: xml, css, charsets

mod documents;
mod support;

use documents::documents;
use encoding_rs::Encoding;
use linkglot::format::Format;
use linkglot::rewrite::{Form, Rewriter};
use linkglot::{Charset, Document, Settings};
use quick_xml::events::Event;
use quick_xml::{NsReader, Reader};
use support::{contender, race};

fn main() {
    let named: Vec<String> = std::env::args()
        .skip(1)
        .filter(|arg| !arg.starts_with('-'))
        .collect();
    let parts: [(&str, fn()); 3] = [("xml", xml), ("css", css), ("charsets", charsets)];
    for (name, part) in parts {
        if named.is_empty() || named.iter().any(|named| named == name) {
            part();
        }
    }
}

fn settings(format: Format) -> Settings {
    let mut settings = Settings::default();
    settings.format = Some(format);
    settings
}

fn found(documents: &[Vec<u8>], settings: &Settings) -> usize {
    let links = documents
        .iter()
        .map(|document| Document::new(document, settings).links().count());
    links.sum()
}

fn rewritten(documents: &[Vec<u8>], settings: &Settings) -> usize {
    let to_uri = Rewriter::new().to(Form::Uri).settings(settings.clone());
    let links = documents
        .iter()
        .map(|document| to_uri.rewrite_slice(document).summary.tally.links);
    links.sum::<u64>() as usize
}

/// Only documents that quick-xml can read, so that both read everything.
fn xml() {
    for (title, extensions) in [
        ("XML: pages of help (Mallard)", &["page"][..]),
        ("XML: pictures (SVG)", &["svg"]),
        ("XML: XHTML", &["xhtml", "html"]),
    ] {
        let mut all = documents(extensions, 10_000_000, 40_000_000);
        all.retain(|document| {
            std::str::from_utf8(document).is_ok() && attributes(document).is_some()
        });
        if title.ends_with("XHTML") {
            all.retain(|page| {
                memchr::memmem::find(page, b"xmlns=\"http://www.w3.org/1999/xhtml\"").is_some()
            });
        }
        let bytes = all.iter().map(Vec::len).sum();
        let settings = settings(Format::Xml);
        let counts = race(
            title,
            bytes,
            &mut [
                contender("linkglot: find", || found(&all, &settings)),
                contender("linkglot: rewrite to URI", || rewritten(&all, &settings)),
                contender("quick-xml: all attributes", || {
                    all.iter().filter_map(|document| attributes(document)).sum()
                }),
                contender("quick-xml: all attributes, namespaces", || {
                    all.iter().filter_map(|document| resolved(document)).sum()
                }),
            ],
        );
        assert_eq!(
            counts[0], counts[1],
            "rewriting and finding see the same links"
        );
        assert_eq!(
            counts[2], counts[3],
            "both ways of the rival see the same attributes"
        );
        assert!(
            counts[0] > 0 && counts[2] > 0,
            "there are links and attributes"
        );
    }
}

/// The number of attributes of a document, after a look at each name and value; `None` if the document is not
/// well-formed.
fn attributes(document: &[u8]) -> Option<usize> {
    let mut reader = Reader::from_reader(document);
    let mut count = 0;
    loop {
        match reader.read_event().ok()? {
            Event::Start(tag) | Event::Empty(tag) => {
                for attribute in tag.attributes() {
                    let attribute = attribute.ok()?;
                    std::hint::black_box((attribute.key.as_ref(), &attribute.value));
                    count += 1;
                }
            }
            Event::Eof => return Some(count),
            _ => {}
        }
    }
}

/// The same with the namespace of each name.
fn resolved(document: &[u8]) -> Option<usize> {
    let mut reader = NsReader::from_reader(document);
    let mut count = 0;
    loop {
        match reader.read_resolved_event().ok()? {
            (namespace, Event::Start(tag) | Event::Empty(tag)) => {
                std::hint::black_box(namespace);
                for attribute in tag.attributes() {
                    let attribute = attribute.ok()?;
                    std::hint::black_box(reader.resolver().resolve_attribute(attribute.key));
                    std::hint::black_box(&attribute.value);
                    count += 1;
                }
            }
            (_, Event::Eof) => return Some(count),
            _ => {}
        }
    }
}

fn css() {
    let sheets = documents(&["css"], 20_000_000, 20_000_000);
    let bytes = sheets.iter().map(Vec::len).sum();
    let settings = settings(Format::Css);
    let counts = race(
        "CSS",
        bytes,
        &mut [
            contender("linkglot: find", || found(&sheets, &settings)),
            contender("linkglot: rewrite to URI", || rewritten(&sheets, &settings)),
            contender("memmem for `url(`", || {
                let found = sheets
                    .iter()
                    .map(|sheet| memchr::memmem::find_iter(sheet, b"url(").count());
                found.sum()
            }),
        ],
    );
    assert_eq!(
        counts[0], counts[1],
        "rewriting and finding see the same links"
    );
    assert!(counts[0] > 0, "there are links");
}

/// Only pages of the corpus count in which more than one byte in this number is not ASCII.
const LEAST_WIDE: usize = 10;

/// The charsets with a bound of 1.3, then those that must be transcoded.
const CHARSETS: &[&str] = &[
    "windows-1251",
    "koi8-r",
    "shift_jis",
    "euc-jp",
    "gb18030",
    "big5",
    "iso-2022-jp",
    "utf-16le",
];

fn charsets() {
    let mut pages = documents(&["html", "htm"], 20_000_000, 400_000_000);
    pages.retain(|page| {
        let wide = page.iter().filter(|byte| !byte.is_ascii()).count();
        wide * LEAST_WIDE > page.len() && std::str::from_utf8(page).is_ok() && page.len() < 1 << 20
    });
    for label in CHARSETS {
        let (mut utf_8, mut legacy, mut bytes) = (Vec::new(), Vec::new(), 0);
        for page in &pages {
            let Some(encoded) = in_charset(page, label).filter(|_| bytes < 8_000_000) else {
                continue;
            };
            bytes += page.len();
            utf_8.push(page.clone());
            legacy.push(encoded);
        }
        let mut in_utf_8 = settings(Format::Html);
        in_utf_8.charset = Some(Charset::UTF_8);
        let mut in_legacy = settings(Format::Html);
        in_legacy.charset = Some(Charset::for_label(label).expect("a known label"));
        let counts = race(
            &format!("HTML in {label}: times of UTF-8"),
            bytes,
            &mut [
                contender("UTF-8: find", || found(&utf_8, &in_utf_8)),
                contender(&format!("{label}: find"), || found(&legacy, &in_legacy)),
                contender("UTF-8: rewrite to URI", || rewritten(&utf_8, &in_utf_8)),
                contender(&format!("{label}: rewrite to URI"), || {
                    rewritten(&legacy, &in_legacy)
                }),
            ],
        );
        assert_eq!(counts[0], counts[1], "both find the links of {label}");
        assert_eq!(counts[2], counts[3], "both see the links of {label}");
    }
}

/// The page in a charset, if that can hold all of it.
fn in_charset(page: &[u8], label: &str) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(page).ok()?;
    if label == "utf-16le" {
        return Some(text.encode_utf16().flat_map(u16::to_le_bytes).collect());
    }
    let encoding = Encoding::for_label(label.as_bytes())?;
    let (bytes, _, lossy) = encoding.encode(text);
    (!lossy).then(|| bytes.into_owned())
}
