//! The syntaxes of values, which tell the references in an unescaped value.

pub(crate) mod json;
mod policy;
mod quoted;
mod refresh;
mod srcset;

pub use crate::reference::Reference;

use crate::css;
use crate::slot::Syntax;
use linkglot_charset::ascii;
use linkglot_charset::span::TextSpan;
use std::ops::Range;

/// Hands every reference of `text`, an unescaped value, to `each`, in order. Linear. Empty references are left out.
///
/// Running text and whole documents ([`Syntax::Text`], [`Syntax::Html`], Markdown, reStructuredText) have none.
///
/// ```
/// use linkglot_markup::{Syntax, values};
///
/// let (text, mut found) = ("a,b.png 1x, c.png", Vec::new());
/// values::split(Syntax::Srcset, text, &mut |reference| found.push(reference.span.of(text)));
/// assert_eq!(found, ["a,b.png", "c.png"]);
/// ```
pub fn split(syntax: Syntax, text: &str, each: &mut dyn FnMut(Reference)) {
    match syntax {
        Syntax::Single | Syntax::Base | Syntax::Template => {
            let Range { start, end } = trim(text);
            offer(TextSpan::new(start, end), each);
        }
        Syntax::SpaceList => tokens(text).map(Reference::plain).for_each(each),
        Syntax::AbsoluteList => tokens(text)
            .filter(|span| is_absolute(span.of(text)))
            .map(Reference::plain)
            .for_each(each),
        Syntax::LocationPairs => tokens(text)
            .skip(1)
            .step_by(2)
            .map(Reference::plain)
            .for_each(each),
        Syntax::CommaList => items(text, ',', each),
        Syntax::SemicolonList => items(text, ';', each),
        Syntax::AbsoluteOnly => {
            let only = text.trim();
            if is_absolute(only) {
                offer(span_in(text, only), each);
            }
        }
        Syntax::Srcset => srcset::split(text, each),
        Syntax::Refresh => refresh::split(text, each),
        Syntax::Css | Syntax::CssDeclarations => css::references(text, each),
        Syntax::Json => json::split(text, json::Dialect::LinkedData, each),
        Syntax::ImportMap => json::split(text, json::Dialect::ImportMap, each),
        Syntax::SpeculationRules => json::split(text, json::Dialect::SpeculationRules, each),
        Syntax::Policy => policy::split(text, each),
        Syntax::QuotedList => quoted::list(text, each),
        Syntax::Field => quoted::field(text, each),
        _ => {}
    }
}

/// True if relative references in a value may resolve against a base that the value itself declares (JSON-LD). Linear.
#[doc(hidden)]
pub fn may_have_base(syntax: Syntax, text: &str) -> bool {
    syntax == Syntax::Json && json::may_have_base(text)
}

/// True if a reference can be written into a value of this syntax without being split or trimmed.
///
/// ```
/// use linkglot_markup::{Syntax, values};
///
/// assert!(values::fits(Syntax::Srcset, "a,b.png"));
/// assert!(!values::fits(Syntax::Srcset, "a.png,"));
/// ```
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
        Syntax::IriOrText => has_scheme(reference) && is_trimmed(reference),
        Syntax::CommaList => is_token() && !reference.contains(','),
        Syntax::SemicolonList => is_token() && !reference.contains(';'),
        Syntax::Srcset => is_token() && !reference.starts_with(',') && !reference.ends_with(','),
        Syntax::Refresh => {
            !reference.is_empty() && is_trimmed(reference) && !reference.starts_with(['"', '\''])
        }
        _ => true,
    }
}

/// The reference of a value of [`Syntax::Single`]: the value without the white space and controls around it. May be
/// empty.
#[doc(hidden)]
pub fn trim(text: &str) -> Range<usize> {
    let bytes = text.as_bytes();
    let is_text = |byte: &u8| *byte > b' ';
    let end = bytes.iter().rposition(is_text).map_or(0, |last| last + 1);
    let start = bytes.iter().position(is_text).unwrap_or(end);
    start..end
}

/// ASCII whitespace (HTML standard 2.3.3), which separates the tokens of lists.
fn is_space(ch: char) -> bool {
    u8::try_from(ch).is_ok_and(ascii::is_space)
}

/// C0 controls and the space, which the URL parser strips from both ends (URL standard 4.4).
fn is_c0_or_space(ch: char) -> bool {
    ch <= ' '
}

/// True if the URL parser would neither strip nor remove any character.
fn is_trimmed(reference: &str) -> bool {
    reference.trim_matches(is_c0_or_space) == reference && !reference.contains(['\t', '\n', '\r'])
}

/// Hands out a reference without an escaping of its own, unless it is empty.
fn offer(span: TextSpan, each: &mut dyn FnMut(Reference)) {
    if !span.is_empty() {
        each(Reference::plain(span));
    }
}

/// The tokens of a list that is separated by white space.
fn tokens(text: &str) -> impl Iterator<Item = TextSpan> + '_ {
    text.split(is_space)
        .filter(|token| !token.is_empty())
        .map(|token| span_in(text, token))
}

/// The items of a list with another separator.
fn items(text: &str, separator: char, each: &mut dyn FnMut(Reference)) {
    for item in text.split(separator) {
        offer(span_in(text, item.trim_matches(is_c0_or_space)), each);
    }
}

/// The span of `part`, a slice of `text`.
fn span_in(text: &str, part: &str) -> TextSpan {
    let start = (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    TextSpan::new(start, start + part.len())
}

/// Schemes whose IRIs have no authority and occur where vocabularies expect names of all kinds.
const OPAQUE: &[&str] = &[
    "cid", "doi", "geo", "info", "jabber", "magnet", "mailto", "mid", "news", "nntp", "oid", "sip",
    "sips", "skype", "sms", "tag", "tel", "urn", "xmpp",
];

/// True if a whole text is an absolute IRI: it has a scheme and an authority, or one of the well-known schemes without.
/// A prefixed name (`dc:title`) is not.
#[doc(hidden)]
pub fn is_absolute(text: &str) -> bool {
    let is_scheme = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    // Most values have no scheme, and are long.
    let length = text.bytes().take_while(is_scheme).count();
    let (scheme, rest) = text.split_at(length);
    let Some(rest) = rest.strip_prefix(':') else {
        return false;
    };
    let has_scheme = scheme.starts_with(|ch: char| ch.is_ascii_alphabetic());
    if !has_scheme || text.contains(char::is_whitespace) {
        return false;
    }
    let is_opaque = |known: &&str| scheme.eq_ignore_ascii_case(known);
    match rest.strip_prefix("//") {
        Some(rest) => !rest.is_empty(),
        None => !rest.is_empty() && OPAQUE.iter().any(is_opaque),
    }
}

/// Schemes of links where any value may stand. `true`: the scheme has an authority.
const OF_THE_WEB: &[(&str, bool)] = &[
    ("http", true),
    ("https", true),
    ("mailto", false),
    ("ftp", true),
    ("ftps", true),
    ("sftp", true),
    ("ws", true),
    ("wss", true),
    ("git", true),
    ("svn", true),
    ("ssh", true),
    ("rtmp", true),
    ("rtsp", true),
    ("irc", true),
    ("ircs", true),
    ("xmpp", false),
    ("sip", false),
    ("sips", false),
    ("tel", false),
    ("sms", false),
    ("magnet", false),
    ("gopher", true),
    ("gemini", true),
];

/// The length of the longest scheme of the Web.
pub(crate) const LONGEST_WEB_SCHEME: usize = 6;

/// True if a whole text, but for white space around it, is a link whose scheme names no mere identifiers, as `urn` and
/// `tag` do.
pub(crate) fn is_web_link(text: &str) -> bool {
    let text = text.trim_matches(is_space);
    let Some((scheme, rest)) = text.split_once(':') else {
        return false;
    };
    let known = OF_THE_WEB
        .iter()
        .find(|known| scheme.eq_ignore_ascii_case(known.0));
    let rest = match known {
        Some((_, true)) => rest.strip_prefix("//"),
        Some(_) => Some(rest),
        None => None,
    };
    rest.is_some_and(|rest| !rest.is_empty() && !rest.contains(char::is_whitespace))
}

/// True if a string of data is one IRI with an authority, and no character in it could end a link.
#[doc(hidden)]
pub fn is_iri(text: &str) -> bool {
    let ends = |ch: char| matches!(ch, '<' | '>' | '"' | '\\' | '{' | '}') || ch.is_control();
    is_absolute(text) && text.contains("://") && !text.contains(ends)
}

/// True if a value begins with a scheme or a look-alike. A host with a port does not.
#[doc(hidden)]
pub fn has_scheme(text: &str) -> bool {
    let text = &text[trim(text)];
    let Some((scheme, rest)) = text.split_once(':') else {
        return false;
    };
    let is_scheme = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    let is_port = rest.starts_with(|ch: char| ch.is_ascii_digit());
    scheme.starts_with(|ch: char| ch.is_ascii_alphabetic())
        && scheme.bytes().all(is_scheme)
        && !rest.is_empty()
        && !(is_port && scheme.contains('.'))
}

#[cfg(test)]
mod tests;
