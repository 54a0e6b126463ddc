//! The syntaxes of values: which parts of an unescaped value are references.

mod json;
mod policy;
mod quoted;
mod refresh;
mod srcset;

use super::escape::Escaping;
use super::slot::{PlaceKind, Syntax};
use crate::span::TextSpan;
use std::ops::Range;

/// One reference in a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Where it stands in the value's text.
    pub span: TextSpan,
    /// How it is escaped there, on top of the value's own escaping (CSS strings, JSON strings).
    pub escaping: Escaping,
    /// What kind of place it is, when the syntax says more than the slot (srcset, css, refresh).
    pub kind: Option<PlaceKind>,
}

impl Part {
    fn plain(span: TextSpan) -> Part {
        Part {
            span,
            escaping: Escaping::None,
            kind: None,
        }
    }
}

/// Hands every reference of `text` to `each`, in order. Linear. Not for [`Syntax::Text`] and documents, which
/// have none of their own. References that are empty are left out.
///
/// ```
/// use linkglot::markup::{Syntax, values};
///
/// let (text, mut found) = ("a,b.png 1x, c.png", Vec::new());
/// values::split(Syntax::Srcset, text, &mut |part| found.push(part.span.of(text)));
/// assert_eq!(found, ["a,b.png", "c.png"]);
/// ```
pub fn split(syntax: Syntax, text: &str, each: &mut dyn FnMut(Part)) {
    match syntax {
        Syntax::Single | Syntax::Base | Syntax::Template => trimmed(text, each),
        Syntax::SpaceList => tokens(text).map(Part::plain).for_each(each),
        Syntax::AbsoluteList => tokens(text)
            .filter(|span| is_absolute(span.of(text)))
            .map(Part::plain)
            .for_each(each),
        Syntax::LocationPairs => tokens(text)
            .skip(1)
            .step_by(2)
            .map(Part::plain)
            .for_each(each),
        Syntax::CommaList => parted(text, ',', each),
        Syntax::SemicolonList => parted(text, ';', each),
        Syntax::Srcset => srcset::split(text, each),
        Syntax::Refresh => refresh::split(text, each),
        Syntax::Css | Syntax::CssDeclarations => super::css::references(text, each),
        Syntax::Json => json::split(text, json::Dialect::LinkedData, each),
        Syntax::ImportMap => json::split(text, json::Dialect::ImportMap, each),
        Syntax::SpeculationRules => json::split(text, json::Dialect::SpeculationRules, each),
        Syntax::Policy => policy::split(text, each),
        Syntax::QuotedList => quoted::list(text, each),
        Syntax::Field => quoted::field(text, each),
        Syntax::AbsoluteOnly => {
            let span = span_in(text, text.trim());
            if is_absolute(span.of(text)) {
                each(Part::plain(span));
            }
        }
        _ => {}
    }
}

/// Whether relative references in a value of this syntax may resolve against a base that the value declares
/// (JSON-LD). Linear.
pub(crate) fn may_have_base(syntax: Syntax, text: &str) -> bool {
    syntax == Syntax::Json && json::may_have_base(text)
}

/// Whether a reference may stand as a part in a value of this syntax: no comma at an end in srcset,
/// no white space in lists, and so on.
pub fn fits(syntax: Syntax, reference: &str) -> bool {
    let is_token = || !reference.is_empty() && !reference.contains(is_space);
    match syntax {
        Syntax::Single | Syntax::Base | Syntax::Template => is_trimmed(reference),
        Syntax::Policy => is_token() && !reference.contains([',', ';']),
        Syntax::QuotedList | Syntax::Field => {
            !reference.is_empty() && !reference.contains(['"', '\\'])
        }
        Syntax::SpaceList | Syntax::LocationPairs => is_token(),
        Syntax::AbsoluteOnly | Syntax::AbsoluteList => is_absolute(reference),
        Syntax::CommaList => is_token() && !reference.contains(','),
        Syntax::SemicolonList => is_token() && !reference.contains(';'),
        Syntax::Srcset => is_token() && !reference.starts_with(',') && !reference.ends_with(','),
        Syntax::Refresh => {
            !reference.is_empty() && is_trimmed(reference) && !reference.starts_with(['"', '\''])
        }
        _ => true,
    }
}

/// White space that parts the tokens of lists (HTML standard: ASCII whitespace).
fn is_space(ch: char) -> bool {
    matches!(ch, '\t' | '\n' | '\x0C' | '\r' | ' ')
}

/// What the URL parser strips from both ends (URL standard 4.4): C0 controls and spaces.
fn is_c0_or_space(ch: char) -> bool {
    ch <= ' '
}

/// Whether the URL parser would neither strip nor remove anything.
fn is_trimmed(reference: &str) -> bool {
    reference.trim_matches(is_c0_or_space) == reference && !reference.contains(['\t', '\n', '\r'])
}

/// What is left of a value of [`Syntax::Single`] without what surrounds the reference; empty when there
/// is none.
pub(crate) fn trim(text: &str) -> Range<usize> {
    let bytes = text.as_bytes();
    let is_text = |byte: &u8| *byte > b' ';
    let end = bytes.iter().rposition(is_text).map_or(0, |last| last + 1);
    let start = bytes.iter().position(is_text).unwrap_or(end);
    start..end
}

fn trimmed(text: &str, each: &mut dyn FnMut(Part)) {
    let Range { start, end } = trim(text);
    if start < end {
        each(Part::plain(TextSpan::new(start, end)));
    }
}

/// The tokens of a list parted by white space.
fn tokens(text: &str) -> impl Iterator<Item = TextSpan> + '_ {
    text.split(is_space)
        .filter(|token| !token.is_empty())
        .map(|token| span_in(text, token))
}

fn parted(text: &str, separator: char, each: &mut dyn FnMut(Part)) {
    for piece in text.split(separator) {
        let piece = piece.trim_matches(is_c0_or_space);
        if !piece.is_empty() {
            each(Part::plain(span_in(text, piece)));
        }
    }
}

/// Where a piece of a text stands in it.
fn span_in(text: &str, piece: &str) -> TextSpan {
    let start = (piece.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    TextSpan::new(start, start + piece.len())
}

/// Schemes whose IRIs have no authority and are met outside of links.
const OPAQUE: &[&str] = &[
    "cid", "doi", "geo", "info", "jabber", "magnet", "mailto", "mid", "news", "nntp", "oid", "sip",
    "sips", "skype", "sms", "tag", "tel", "urn", "xmpp",
];

/// Whether all of a text is an absolute IRI: a scheme with an authority, or one of the well-known schemes
/// without (`dc:title` is none).
pub fn is_absolute(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else {
        return false;
    };
    let begins = scheme.starts_with(|ch: char| ch.is_ascii_alphabetic());
    let is_scheme = |ch: char| ch.is_ascii_alphanumeric() || matches!(ch, '+' | '-' | '.');
    if !begins || !scheme.chars().all(is_scheme) || text.contains(char::is_whitespace) {
        return false;
    }
    match rest.strip_prefix("//") {
        Some(rest) => !rest.is_empty(),
        None => {
            !rest.is_empty()
                && OPAQUE
                    .iter()
                    .any(|known| scheme.eq_ignore_ascii_case(known))
        }
    }
}

#[cfg(test)]
mod tests;
