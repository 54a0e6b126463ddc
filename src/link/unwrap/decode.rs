//! The encodings in which services write the wrapped link.

use crate::iri::{Parts, percent_decoded};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;

/// The encoding in which a service writes the wrapped link.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Coding {
    /// Percent-encoded in a parameter.
    Query,
    /// As `Query`, for a link with the escapes of HTML.
    Html,
    /// As `Html`, with `-` for `%` and `_` for `/`.
    V2,
    /// Percent-encoded in the second of so many segments of the path.
    Segment(usize),
    /// Behind `__`, with asterisks for characters that follow in base64.
    V3,
    /// As it is, between `___` and `___.`.
    Underscores,
    /// In base64 in a parameter.
    Base64,
    /// As `Base64`, behind `a1`.
    A1,
}

impl Coding {
    pub fn named(name: &str) -> Option<Coding> {
        Some(match name {
            "query" => Coding::Query,
            "html" => Coding::Html,
            "v2" => Coding::V2,
            "segment2" => Coding::Segment(2),
            "segment5" => Coding::Segment(5),
            "v3" => Coding::V3,
            "underscores" => Coding::Underscores,
            "base64" => Coding::Base64,
            "a1" => Coding::A1,
            _ => return None,
        })
    }

    /// True if the link is in a parameter.
    pub fn is_of_query(self) -> bool {
        !matches!(self, Coding::Segment(_) | Coding::V3 | Coding::Underscores)
    }

    /// The link in the value of a parameter, or in the text behind the host. `None` if there is no link, or if it has
    /// two readings.
    pub fn decode(self, text: &str) -> Option<String> {
        let plain = |text: &str| percent_decoded(text).map(|text| text.into_owned());
        let from_html = |text: &str| Some(plain(text)?.replace("&amp;", "&"));
        match self {
            // A plus sign may be a space.
            Coding::Query if text.contains('+') => None,
            Coding::Query => plain(text),
            Coding::Html => from_html(text),
            Coding::V2 => from_html(&text.replace('-', "%").replace('_', "/")),
            Coding::Segment(count) => {
                let path = text.split(['?', '#']).next()?.strip_prefix('/')?;
                let has_count = path.split('/').count() == count;
                plain(path.split('/').nth(1).filter(|_| has_count)?)
            }
            Coding::V3 => v3(text),
            Coding::Underscores => between_underscores(text),
            Coding::Base64 => from_base64(text),
            Coding::A1 => from_base64(text.strip_prefix("a1")?),
        }
    }

    /// The fragment of the wrapper.
    pub fn fragment<'r>(self, parts: &Parts<'r>) -> Option<&'r str> {
        match self {
            Coding::V3 => {
                let (_, behind) = parts.text().rsplit_once("__;")?;
                behind.split_once('#').map(|(_, fragment)| fragment)
            }
            Coding::Underscores => {
                let (_, behind) = parts.text().rsplit_once("___.")?;
                behind.split_once('#').map(|(_, fragment)| fragment)
            }
            _ => parts.fragment(),
        }
    }
}

/// The link in `/v3/__LINK__;CHARACTERS!!...`. In LINK, `*` stands for one of CHARACTERS (base64), and `**X` for
/// several, with their number in X.
fn v3(text: &str) -> Option<String> {
    let (link, behind) = text.strip_prefix("/v3/__")?.split_once("__;")?;
    let (characters, rest) = behind.split_once('!')?;
    // A second `__;` leaves the end of the link open.
    if rest.contains("__;") {
        return None;
    }
    let link = percent_decoded(link)?;
    let hidden = BASE64_URL_SAFE_NO_PAD.decode(characters.trim_end_matches('='));
    let hidden = String::from_utf8(hidden.ok()?).ok()?;
    let decoded = filled(&link, &hidden)?;
    Some(with_two_slashes(decoded))
}

/// The link in `/v2/___LINK___.SIGNATURE` or `/v2/r01/___LINK___.SIGNATURE`. Asterisks stand for themselves or for
/// percent signs, and some regions shift the letters of the link.
fn between_underscores(text: &str) -> Option<String> {
    let (region, rest) = text.strip_prefix("/v2/")?.split_once("___")?;
    let digits = region
        .strip_prefix('r')
        .and_then(|region| region.strip_suffix('/'));
    let is_region = digits.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
    let (link, signature) = rest.split_once("___.")?;
    let is_certain =
        !signature.contains("___") && !link.contains(['*', '#']) && !link.contains("&amp;");
    let link = with_two_slashes(link.to_owned());
    Some(link).filter(|_| is_certain && (region.is_empty() || is_region))
}

/// The link in base64 of either alphabet. A plus sign may be a space.
fn from_base64(value: &str) -> Option<String> {
    let is_plain = !value.contains('+');
    let digits = percent_decoded(value).filter(|_| is_plain)?;
    let digits = digits.replace('+', "-").replace('/', "_");
    let link = BASE64_URL_SAFE_NO_PAD.decode(digits.trim_end_matches('='));
    String::from_utf8(link.ok()?).ok()
}

/// The text with its asterisks replaced. Decoders count characters or bytes; all of `hidden` must be used.
fn filled(text: &str, hidden: &str) -> Option<String> {
    let wanted = asterisks(text)
        .map(|(_, count)| count)
        .sum::<Option<usize>>()?;
    let in_chars = wanted == hidden.chars().count();
    if !in_chars && wanted != hidden.len() {
        return None;
    }
    let (mut new, mut hidden) = (String::new(), hidden);
    for (plain, count) in asterisks(text) {
        let end = if in_chars {
            hidden
                .char_indices()
                .nth(count?)
                .map_or(hidden.len(), |(at, _)| at)
        } else {
            count?
        };
        let (part, rest) = hidden.split_at_checked(end)?;
        new.push_str(plain);
        new.push_str(part);
        hidden = rest;
    }
    Some(new)
}

/// The parts of a text between asterisks, with the number of characters that follow each; `None` if the number is
/// unknown.
fn asterisks(text: &str) -> impl Iterator<Item = (&str, Option<usize>)> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest.take()?;
        let Some((plain, behind)) = text.split_once('*') else {
            return Some((text, Some(0)));
        };
        let (count, behind) = match behind.strip_prefix('*') {
            None => (Some(1), behind),
            Some(behind) => match behind.chars().next() {
                Some(letter) => (run_length(letter), &behind[letter.len_utf8()..]),
                // Two asterisks at the end.
                None => (Some(2), behind),
            },
        };
        rest = Some(behind);
        Some((plain, count))
    })
}

/// The number of characters for `**X`: two or more.
fn run_length(letter: char) -> Option<usize> {
    const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    LETTERS.find(letter).map(|at| at + 2)
}

/// The link with two slashes for `https:/a`, which some programs write in a path.
fn with_two_slashes(link: String) -> String {
    match link.split_once(":/") {
        Some((scheme, rest)) if !rest.starts_with('/') && !scheme.contains(['/', ':']) => {
            format!("{scheme}://{rest}")
        }
        _ => link,
    }
}
