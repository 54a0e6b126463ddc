//! Links of a document of a format, as tests of light markup state them.

use linkglot::document::{Document, Settings};
use linkglot::format::Format;
use linkglot::rewrite::{Form, Rewriter, Rules};

/// Settings for documents of a format.
pub fn settings(format: Format) -> Settings {
    let mut settings = Settings::default();
    settings.format = Some(format);
    settings
}

/// The links of a document, each with its kind or name in front.
pub fn links(document: &str, settings: &Settings) -> Vec<String> {
    let document = Document::new(document.as_bytes(), settings);
    let links = document.links().map(|link| {
        let place = link.place();
        let name = place
            .name
            .as_ref()
            .map_or(place.kind.name(), |n| n.as_str());
        assert!(!link.span().is_empty(), "an empty link: {link:?}");
        format!("{name} {}", link.text())
    });
    links.collect()
}

/// Expects the links of a document.
#[track_caller]
pub fn has(document: &str, settings: &Settings, expected: &[&str]) {
    assert_eq!(links(document, settings), expected, "{document}");
}

/// A document after a rewrite.
pub fn rewritten(document: &str, settings: &Settings, rewriter: &Rewriter) -> String {
    let rewriter = rewriter.clone().settings(settings.clone());
    let rewritten = rewriter.rewrite_slice(document.as_bytes());
    String::from_utf8(rewritten.content.into_owned()).expect("UTF-8")
}

/// Expects a document after a rewrite by a rule, or else to URIs.
#[track_caller]
pub fn becomes(from: &str, settings: &Settings, rule: Option<&str>, to: &str) {
    let rewriter = match rule {
        None => Rewriter::new().to(Form::Uri),
        Some(rule) => {
            let mut rules = Rules::default();
            rules.add(rule).expect("a rule");
            Rewriter::new().rules(rules)
        }
    };
    assert_eq!(rewritten(from, settings, &rewriter), to);
}
