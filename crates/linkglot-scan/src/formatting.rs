//! UTS 58 link formatting: writes a link for running text with as few escapes as detection needs to find exactly this
//! link.

use super::host;
use super::tail::{Manner, Part, Tail};
use super::text::Text;
use super::{Profile, Scanner};
use linkglot_charset::ascii;
use linkglot_charset::span::TextSpan;

/// Escaping a character may expose another one. Each pass is linear; after this many, everything is escaped.
const PASSES: usize = 8;

/// The unescaped values of a link's parts, for a program that builds a link.
///
/// ```
/// use linkglot_scan::{LinkParts, Profile, Scanner};
/// let parts = LinkParts {
///     origin: "https://example.com",
///     path: &["α", "β/γ."],
///     ..LinkParts::default()
/// };
/// assert_eq!(Scanner::new(Profile::Uts58).format_parts(&parts), "https://example.com/α/β%2Fγ%2E");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct LinkParts<'p> {
    /// Scheme and authority, copied as they are.
    pub origin: &'p str,
    /// The segments of the path.
    pub path: &'p [&'p str],
    /// The names and values of the query.
    pub query: &'p [(&'p str, Option<&'p str>)],
    /// The fragment, and behind it the directives of `:~:`.
    pub fragment: &'p [&'p str],
}

/// Text behind a formatted link.
///
/// ```
/// use linkglot_scan::{Following, Scanner};
///
/// let end = |following| Scanner::default().format_before("http://a.example/b!", following);
/// assert_eq!(end(Following::Nothing), "http://a.example/b%21");
/// assert_eq!(end(Following::Link), "http://a.example/b!");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Following {
    /// White space, or the end of the text.
    Nothing,
    /// More of the link, so that punctuation in front needs no escape.
    Link,
}

impl Scanner {
    /// Writes an IRI for running text: escapes as little of its path, query and fragment as is needed to find exactly
    /// this link in front of white space or the end of the text (UTS 58, link formatting). Escapes of `iri` are kept.
    /// Linear in the length of `iri`.
    ///
    /// Scheme and authority are not changed. The scanner does not find the result if it does not take them for the
    /// start of a link: an unknown scheme without `//`, a domain without a scheme in [`Profile::Scheme`], a blank in a
    /// host. A dot at the end of a host without a path is left out. Of the settings only the profile counts.
    ///
    /// ```
    /// use linkglot_scan::{Profile, Scanner};
    /// let scanner = Scanner::new(Profile::Uts58);
    /// assert_eq!(scanner.format("http://example.org/a(b))."), "http://example.org/a(b)%29%2E");
    /// ```
    pub fn format(&self, iri: &str) -> String {
        self.format_before(iri, Following::Nothing)
    }

    /// [`format`](Self::format) with `following` behind the link.
    ///
    /// ```
    /// use linkglot_scan::{Following, Scanner};
    /// let scanner = Scanner::default();
    /// assert_eq!(scanner.format_before("http://example.org/a.", Following::Nothing), "http://example.org/a%2E");
    /// assert_eq!(scanner.format_before("http://example.org/a.", Following::Link), "http://example.org/a.");
    /// ```
    pub fn format_before(&self, iri: &str, following: Following) -> String {
        // A letter belongs to the link in any part, and is never escaped.
        let more = match following {
            Following::Nothing => "",
            Following::Link => "x",
        };
        let mut out = self.settled([iri, more].concat());
        out.truncate(out.len() - more.len());
        out
    }

    /// Escapes until no character needs it any more.
    fn settled(&self, mut iri: String) -> String {
        for _ in 0..PASSES {
            let escapes = self.escapes(&iri);
            if escapes.is_empty() {
                return iri;
            }
            iri = escaped(&iri, &escapes);
        }
        let start = tail_start(&iri).map_or(iri.len(), |(at, _)| at);
        escape_all(&iri, start)
    }

    /// The characters of an IRI that must be escaped in running text in front of white space: in order, one character
    /// each, in bytes of `iri`. Escapes may expose other characters; [`format`](Self::format) handles that. Linear in
    /// the length.
    ///
    /// ```
    /// use linkglot_scan::Scanner;
    /// let iri = "http://example.org/a)b.";
    /// let escapes: Vec<_> = Scanner::default().escapes(iri).iter().map(|span| span.of(iri)).collect();
    /// assert_eq!(escapes, [")", "."]);
    /// ```
    pub fn escapes(&self, iri: &str) -> Vec<TextSpan> {
        let Some((at, part)) = tail_start(iri) else {
            return Vec::new();
        };
        let text = Text::new(iri, self.classes());
        let manner = match self.profile() {
            Profile::Uts58 => Manner::Plain,
            _ => Manner::Extended {
                outer: None,
                start: None,
            },
        };
        Tail::new(&text, manner, iri.len()).stops(part, at)
    }

    /// Builds a link for running text from unescaped parts; [`LinkParts`] has an example. Escapes separators and
    /// percent signs that are meant literally. Linear in the length.
    ///
    /// ```
    /// use linkglot_scan::{LinkParts, Scanner};
    ///
    /// let parts = LinkParts {
    ///     origin: "https://example.com",
    ///     query: &[("a&b", Some("c=d"))],
    ///     ..LinkParts::default()
    /// };
    /// let link = Scanner::default().format_parts(&parts);
    /// assert_eq!(link, "https://example.com?a%26b=c%3Dd");
    /// ```
    pub fn format_parts(&self, parts: &LinkParts<'_>) -> String {
        let mut iri = parts.origin.to_owned();
        for segment in parts.path {
            iri.push('/');
            push_value(&mut iri, segment, "/?#");
        }
        for (at, (name, value)) in parts.query.iter().enumerate() {
            iri.push(if at == 0 { '?' } else { '&' });
            push_value(&mut iri, name, "#&=");
            if let Some(value) = value {
                iri.push('=');
                push_value(&mut iri, value, "#&=");
            }
        }
        for (at, value) in parts.fragment.iter().enumerate() {
            iri.push_str(if at == 0 { "#" } else { ":~:" });
            push_value(&mut iri, &value.replace(":~:", "%3A~:"), "");
        }
        self.format(&iri)
    }
}

/// Appends a value and escapes its separators, and percent signs that look like an escape.
fn push_value(out: &mut String, value: &str, separators: &str) {
    for (at, ch) in value.char_indices() {
        let digit = |i: usize| {
            value
                .as_bytes()
                .get(at + i)
                .and_then(|&b| ascii::hex_value(b))
        };
        let escape = ch == '%' && digit(1).is_some() && digit(2).is_some();
        if escape || separators.contains(ch) {
            push_escaped(out, ch);
        } else {
            out.push(ch);
        }
    }
}

fn push_escaped(out: &mut String, ch: char) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    for &byte in ch.encode_utf8(&mut [0; 4]).as_bytes() {
        out.push('%');
        out.push(char::from(HEX[usize::from(byte >> 4)]));
        out.push(char::from(HEX[usize::from(byte & 15)]));
    }
}

fn escaped(iri: &str, spans: &[TextSpan]) -> String {
    let mut out = String::with_capacity(iri.len() + spans.len() * 8);
    let mut last = 0;
    for span in spans {
        out.push_str(iri.get(last..span.start).unwrap_or(""));
        for ch in iri.get(span.start..span.end).unwrap_or("").chars() {
            push_escaped(&mut out, ch);
        }
        last = span.end;
    }
    out.push_str(iri.get(last..).unwrap_or(""));
    out
}

/// The last resort: escapes everything but letters, digits and separators.
fn escape_all(iri: &str, start: usize) -> String {
    let (head, tail) = iri.split_at_checked(start).unwrap_or((iri, ""));
    let mut out = head.to_owned();
    for ch in tail.chars() {
        let plain = ch.is_ascii_alphanumeric() || "/?#&=%-_~".contains(ch);
        if plain {
            out.push(ch)
        } else {
            push_escaped(&mut out, ch)
        }
    }
    out
}

/// Start and kind of the first of path, query and fragment in an IRI. `None` if the IRI has none.
fn tail_start(iri: &str) -> Option<(usize, Part)> {
    let part = |at: usize| match iri.as_bytes().get(at) {
        Some(b'?') => Part::Query,
        Some(b'#') => Part::Fragment,
        _ => Part::Path,
    };
    let colon = iri
        .find([':', '/', '?', '#'])
        .filter(|&at| iri.as_bytes().get(at) == Some(&b':'));
    let find = |from: usize, set: &[char]| {
        let at = from + iri.get(from..)?.find(set)?;
        Some((at, part(at)))
    };
    match colon {
        Some(colon) if iri.get(colon..).is_some_and(|rest| rest.starts_with("://")) => {
            find(colon + 3, &['/', '?', '#'])
        }
        Some(colon)
            if iri
                .get(..colon)
                .is_some_and(|s| s.eq_ignore_ascii_case("mailto")) =>
        {
            find(colon, &['?'])
        }
        // A scheme without `//`. A domain with a port looks the same.
        Some(colon) if !is_port(iri, colon) => Some((colon + 1, Part::Path)),
        _ if iri.contains('@') && !iri.contains(['/', '?', '#']) => None,
        _ => find(0, &['/', '?', '#']),
    }
}

fn is_port(iri: &str, colon: usize) -> bool {
    let domain = iri
        .get(..colon)
        .is_some_and(|host| host.contains(host::is_dot));
    domain
        && iri
            .as_bytes()
            .get(colon + 1)
            .is_some_and(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An IRI; its tail if nothing follows; its tail if the link goes on.
    const CASES: &[(&str, &str, &str)] = &[
        ("http://example.org/é", "/é", "/é"),
        ("http://example.org/é.", "/é%2E", "/é."),
        ("http://example.org/a?!", "/a?%21", "/a?!"),
        ("http://example.org/a?", "/a%3F", "/a?"),
        ("http://example.org/a)", "/a%29", "/a%29"),
        ("http://example.org/a).", "/a%29%2E", "/a%29."),
        ("http://example.org/(a", "/(a", "/(a"),
        ("http://example.org/a b,", "/a%20b%2C", "/a%20b,"),
        ("http://example.org/娘。", "/娘%E3%80%82", "/娘%E3%80%82"),
        ("http://example.org", "", ""),
        ("http://example.org.", ".", "."),
    ];

    #[test]
    fn punctuation_at_the_end_is_escaped_unless_the_link_goes_on() {
        let scanner = Scanner::default();
        for (iri, nothing, link) in CASES {
            let with = |tail| format!("http://example.org{tail}");
            assert_eq!(
                scanner.format_before(iri, Following::Nothing),
                with(nothing)
            );
            assert_eq!(scanner.format_before(iri, Following::Link), with(link));
            assert_eq!(scanner.format(iri), with(nothing));
        }
    }

    #[test]
    fn a_link_that_goes_on_is_found_with_what_follows() {
        let scanner = Scanner::default();
        let words = [
            "a", "é", "娘", "。", "！", "「", "」", "(", ")", "[", "]", ".", ",", "!", "?", "'",
            "\"", "_", "*", "/", "#", "=", "%41", " ", "…", "“", "”",
        ];
        let (mut seed, mut kept) = (7_u64, 0);
        for _ in 0..4000 {
            let mut iri = "http://example.org/a".to_owned();
            for _ in 0..6 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                iri.push_str(words[(seed >> 33) as usize % words.len()]);
            }
            let formatted = scanner.format_before(&iri, Following::Link);
            let whole = format!("{formatted}x");
            let found: Vec<_> = scanner
                .links(&whole)
                .map(|hit| hit.span.of(&whole))
                .collect();
            assert_eq!(found, [whole.as_str()]);
            kept += usize::from(formatted.len() < scanner.format(&iri).len());
        }
        assert!(kept > 500, "{kept}");
    }
}
