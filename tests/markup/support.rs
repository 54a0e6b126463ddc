//! Links of a document of a format, as tests of light markup state them.

use linkglot::document::{Document, Settings};
use linkglot::format::Format;

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
