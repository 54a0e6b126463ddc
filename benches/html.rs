//! HTML: rewriting and finding, against lol_html.
//!
//! lol_html reads the same attributes of every element; what it would cost to splice new values
//! into the source is left out in its favour.

mod documents;
mod support;

use documents::documents;
use linkglot::rewrite::{Form, Mapping, rewrite_slice};
use linkglot::{Document, Settings};
use lol_html::{HtmlRewriter, Settings as LolSettings, element};
use support::{contender, race};

/// Attributes that hold references on some element.
const ATTRIBUTES: &[&str] = &[
    "href",
    "src",
    "srcset",
    "action",
    "cite",
    "data",
    "poster",
    "background",
    "longdesc",
    "usemap",
    "formaction",
    "ping",
    "style",
    "content",
    "codebase",
    "classid",
    "profile",
    "manifest",
    "icon",
    "archive",
    "imagesrcset",
];

fn main() {
    let pages = documents(&["html", "htm"], 20_000_000, 80_000_000);
    let bytes = pages.iter().map(Vec::len).sum();
    // As the command line reads files of this name: pages with an XML declaration are HTML to
    // browsers, and to lol_html.
    let mut settings = Settings::default();
    settings.name = Some("page.html".to_owned());
    let to_uri = Mapping::new(Form::Uri);
    let counts = race(
        "HTML",
        bytes,
        &mut [
            contender("linkglot: rewrite to URI, the full table", || {
                pages
                    .iter()
                    .map(|page| {
                        rewrite_slice(page, &settings, &to_uri, &mut |_, _| {})
                            .2
                            .links
                    })
                    .sum::<u64>() as usize
            }),
            contender("linkglot: find, the full table", || {
                pages
                    .iter()
                    .map(|page| Document::new(page, &settings).links().count())
                    .sum()
            }),
            contender("lol_html: the attributes of every element", || {
                pages.iter().map(|page| lol(page)).sum()
            }),
            contender("memchr for `<`", || {
                pages
                    .iter()
                    .map(|page| memchr::memchr_iter(b'<', page).count())
                    .sum()
            }),
        ],
    );
    assert_eq!(
        counts[0], counts[1],
        "rewriting and finding see the same links"
    );
    assert!(counts[2] > 0, "lol_html found links");
}

fn lol(page: &[u8]) -> usize {
    let mut links = 0;
    let mut written = 0;
    let handler = element!("*", |element| {
        for attribute in element.attributes() {
            if ATTRIBUTES.contains(&attribute.name().as_str()) {
                links += usize::from(!attribute.value().is_empty());
            }
        }
        Ok(())
    });
    let settings = LolSettings::new()
        .append_element_content_handler(handler)
        .with_strict(false);
    let mut rewriter = HtmlRewriter::new(settings, |chunk: &[u8]| written += chunk.len());
    // A page that it gives up on counts as far as it was read.
    let _ = rewriter.write(page).and_then(|()| rewriter.end());
    std::hint::black_box(written);
    links
}
