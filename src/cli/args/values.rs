//! How the values of options are read.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use linkglot::charset::Charset;
use linkglot::driver::FileKind;
use linkglot::iri::target::Reading;
use linkglot::iri::{Form, Parts, parse};
use linkglot::markup::PlaceKind;

/// The kinds of places, by the names that JSON uses.
const PLACES: &[PlaceKind] = &[
    PlaceKind::Text,
    PlaceKind::Attribute,
    PlaceKind::Css,
    PlaceKind::Refresh,
    PlaceKind::Srcset,
    PlaceKind::Element,
    PlaceKind::Instruction,
    PlaceKind::Doctype,
    PlaceKind::Comment,
    PlaceKind::Script,
    PlaceKind::Link,
];

/// What `--kind` names: the place where a link stands, or what the link itself is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Place(PlaceKind),
    Link(LinkKind),
}

/// What a link is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkKind {
    /// It has a scheme of its own.
    Iri,
    /// A domain in text, without a scheme.
    Domain,
    /// An e-mail address in text, without a scheme.
    Email,
}

const LINKS: &[(&str, LinkKind)] = &[
    ("iri", LinkKind::Iri),
    ("domain", LinkKind::Domain),
    ("email", LinkKind::Email),
];

pub fn charset(label: &str) -> Result<Charset, String> {
    Charset::for_label(label).map_err(|error| error.to_string())
}

/// A reference that others can be resolved against: it has a scheme.
pub fn base(text: &str) -> Result<String, String> {
    match Parts::split(text).scheme() {
        Some(_) => Ok(text.to_owned()),
        None => Err(format!(
            "expected an IRI with a scheme, found the relative reference `{text}`"
        )),
    }
}

/// A base of documents: one of which browsers make a URL, or else nothing would be resolved against it.
pub fn document_base(text: &str) -> Result<String, String> {
    let base = base(text)?;
    let reading = Reading {
        base: None,
        query: Charset::UTF_8,
    };
    if reading.resolve(&base).is_some() {
        return Ok(base);
    }
    let why = match parse(text, Form::Iri) {
        Err(error) => error.to_string(),
        Ok(_) => "browsers make no URL of it".to_owned(),
    };
    Err(format!(
        "expected an IRI that links can be resolved against, found `{text}`: {why}"
    ))
}

/// A number of bytes, `K`, `M` or `G` behind it for powers of 1024.
pub fn bytes(text: &str) -> Result<usize, String> {
    let wrong = || format!("expected a number of bytes such as 65536, 64K or 1M, found `{text}`");
    let digits = text.trim_end_matches(['k', 'K', 'm', 'M', 'g', 'G']);
    let shift = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "" => 0,
        "k" => 10,
        "m" => 20,
        "g" => 30,
        _ => return Err(wrong()),
    };
    let number: usize = digits.parse().map_err(|_| wrong())?;
    number.checked_mul(1 << shift).ok_or_else(wrong)
}

/// A scheme, without its colon, in lower case.
pub fn scheme(text: &str) -> Result<String, String> {
    let name = text.strip_suffix(':').unwrap_or(text);
    let starts = name.starts_with(|ch: char| ch.is_ascii_alphabetic());
    if starts
        && name
            .chars()
            .all(|ch| ch.is_ascii_alphanumeric() || "+-.".contains(ch))
    {
        Ok(name.to_ascii_lowercase())
    } else {
        Err(format!("expected a scheme such as `http`, found `{text}`"))
    }
}

pub fn place() -> impl TypedValueParser<Value = PlaceKind> {
    let names = PLACES.iter().map(|kind| kind.name());
    PossibleValuesParser::new(names).map(|name| {
        let found = PLACES.iter().find(|kind| kind.name() == name);
        found.copied().unwrap_or(PlaceKind::Text)
    })
}

pub fn kind() -> impl TypedValueParser<Value = Kind> {
    let places = PLACES.iter().map(|kind| kind.name());
    let names = places.chain(LINKS.iter().map(|(name, _)| *name));
    PossibleValuesParser::new(names).map(|name| {
        let link = LINKS.iter().find(|(known, _)| *known == name);
        let place = PLACES.iter().find(|kind| kind.name() == name);
        match (link, place) {
            (Some((_, kind)), _) => Kind::Link(*kind),
            (None, Some(place)) => Kind::Place(*place),
            (None, None) => Kind::Place(PlaceKind::Text),
        }
    })
}

pub fn file_kind() -> impl TypedValueParser<Value = FileKind> {
    let names = FileKind::all().iter().map(|kind| kind.name());
    PossibleValuesParser::new(names)
        .map(|name| FileKind::named(&name).unwrap_or(FileKind::all()[0]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(bytes("12"), Ok(12));
        assert_eq!(bytes("2k"), Ok(2048));
        assert_eq!(bytes("1M"), Ok(1 << 20));
        for wrong in ["", "K", "1KK", "-1", "1.5M", "99999999999999999999", "1é"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn schemes() {
        assert_eq!(scheme("HTTP:"), Ok("http".to_owned()));
        assert!(scheme("1a").is_err() && scheme("").is_err() && scheme("a b").is_err());
    }
}
