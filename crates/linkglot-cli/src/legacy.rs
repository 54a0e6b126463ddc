//! Percent-encoded octets in charsets other than UTF-8, as software before RFC 3987 wrote them: guesses the charset
//! (7.7), for advice only.

use linkglot_charset::ascii::percent_octet;
use linkglot_charset::{Charset, DeclarationSyntax, sniff};
use serde::Serialize;
use std::ops::Range;

/// A piece of an identifier, read as text in a charset.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Reading {
    charset: &'static str,
    start: usize,
    end: usize,
    text: String,
    message: String,
}

impl Reading {
    /// The advice in words.
    pub fn message(&self) -> &str {
        &self.message
    }
}

/// Reads the pieces of an identifier whose octets are not UTF-8, in `charset` or in the detected charset. The
/// identifier begins at byte `start` of the input. Empty if the pieces are not text. Linear.
pub fn readings(identifier: &str, start: usize, charset: Option<Charset>) -> Vec<Reading> {
    let pieces: Vec<_> = pieces(identifier)
        .map(|range| (octets(&identifier[range.clone()]), range))
        .filter(|(octets, _)| Charset::as_text(octets).is_none() && !is_overlong(octets))
        .collect();
    if pieces.is_empty() {
        return Vec::new();
    }
    let all: Vec<_> = pieces.iter().map(|(octets, _)| octets.as_slice()).collect();
    let charset = charset.filter(|charset| !charset.is_unicode());
    let charset = charset.unwrap_or_else(|| detected(&all.join(&b' ')));
    let readings = pieces.into_iter().filter_map(|(octets, range)| {
        let text = text_in(&octets, charset)?;
        let raw = &identifier[range.clone()];
        let name = charset.name();
        Some(Reading {
            charset: name,
            start: start + range.start,
            end: start + range.end,
            message: format!("the escapes are not UTF-8; as {name}, {raw} reads {text}"),
            text,
        })
    });
    readings.collect()
}

/// The pieces between delimiters. In no charset a delimiter is the second byte of a character.
fn pieces(identifier: &str) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    identifier
        .split(['/', '?', '#', '&', '=', ';', '+', ','])
        .map(move |piece| {
            let range = start..start + piece.len();
            start = range.end + 1;
            range
        })
}

/// The octets of a text with its percent-encoding decoded.
fn octets(text: &str) -> Vec<u8> {
    let mut rest = text.as_bytes();
    let mut octets = Vec::with_capacity(rest.len());
    while let Some(&first) = rest.first() {
        let escaped = percent_octet(rest);
        octets.push(escaped.unwrap_or(first));
        rest = &rest[if escaped.is_some() { 3 } else { 1 }..];
    }
    octets
}

/// True if all octets beyond ASCII are overlong forms of ASCII in UTF-8 (`%C0%AF` for a slash): a trick (RFC 3987 8)
/// rather than another charset.
fn is_overlong(octets: &[u8]) -> bool {
    let mut rest = octets.iter().filter(|octet| !octet.is_ascii());
    std::iter::from_fn(|| Some((*rest.next()?, rest.next().copied())))
        .all(|pair| matches!(pair, (0xC0 | 0xC1, Some(0x80..=0xBF))))
}

fn detected(octets: &[u8]) -> Charset {
    sniff(octets, true, DeclarationSyntax::Nowhere, None, None).charset
}

/// The text of octets, if they look like text in the charset: no control characters, and more letters than other
/// characters beyond ASCII.
fn text_in(octets: &[u8], charset: Charset) -> Option<String> {
    let text = charset.decode(octets).into_owned();
    let beyond_ascii = || text.chars().filter(|ch| !ch.is_ascii());
    let letters = beyond_ascii().filter(|ch| ch.is_alphabetic()).count();
    let is_text = !text.contains(char::REPLACEMENT_CHARACTER)
        && !text.chars().any(char::is_control)
        && 2 * letters > beyond_ascii().count();
    is_text.then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn reads(identifier: &str, expected: &[(&str, &str)]) {
        let found = readings(identifier, 0, None);
        let found: Vec<_> = found
            .iter()
            .map(|found| (found.charset, &*found.text))
            .collect();
        assert_eq!(found, expected, "{identifier}");
    }

    #[test]
    fn usual_charsets() {
        reads("/%E9", &[("windows-1252", "é")]);
        reads(
            "/caf%E9?q=na%EFve",
            &[("windows-1252", "café"), ("windows-1252", "naïve")],
        );
        reads("/%EF%F0%E8%E2%E5%F2", &[("windows-1251", "привет")]);
        reads(
            "/%93%FA%96%7B%8C%EA%83%5C%83t%83@%83C%83%8B",
            &[("Shift_JIS", "日本語ソファイル")],
        );
        reads(
            "/%C6%FC%CB%DC%B8%EC%A4%CE%A5%D5%A5%A1%A5%A4%A5%EB",
            &[("EUC-JP", "日本語のファイル")],
        );
    }

    #[test]
    fn no_text_no_advice() {
        for identifier in [
            "/%C3%A9/é",
            "/a",
            "/%C0%AF..",
            "/%80%81%FF%00",
            "%",
            "/%FF%FE",
        ] {
            reads(identifier, &[]);
        }
    }

    #[test]
    fn pieces_in_utf_8_are_left_out() {
        reads("/%C3%A9/%E9/b", &[("windows-1252", "é")]);
        let found = readings("/%C3%A9/%E9/b", 3, None);
        assert_eq!((found[0].start, found[0].end), (11, 14));
    }

    #[test]
    fn a_charset_that_is_known() {
        let greek = Charset::for_label("iso-8859-7").ok();
        assert_eq!(readings("/%E9", 0, greek)[0].text, "ι");
        assert_eq!(readings("/%E9", 0, Some(Charset::UTF_8))[0].text, "é");
    }
}
