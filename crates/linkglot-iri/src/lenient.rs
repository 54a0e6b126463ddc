//! The lenient parser for what documents really contain: it always finds components, and lists the oddities that it
//! tolerated.
//!
//! Text that matches the grammar is parsed by the grammar. Any other text is parsed as browsers do (URL Standard) where
//! browsers and the grammar disagree: slashes, the last `@`, the first colon outside of brackets.

use crate::class::{self, NAME, PATH, QUERY};
use crate::coded::coded;
use crate::parse::{Form, parse};
use crate::parts::{Ends, Parts};
use crate::scheme;
use linkglot_charset::ascii::percent_octet;
use std::borrow::Cow;
use std::ops::Range;

/// Something that no IRI may have, and its position.
///
/// ```
/// use linkglot_iri::{Lenient, Oddity};
///
/// let read = Lenient::read("\t/é%");
/// let found = read.tolerated().iter().map(|tolerated| (tolerated.at, tolerated.what));
/// assert!(found.eq([(0, Oddity::OuterSpace), (4, Oddity::BarePercent)]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tolerated {
    /// Position in the text as it was given, in bytes.
    pub at: usize,
    /// The oddity.
    pub what: Oddity,
}

coded! {
    /// Something that documents contain and no IRI may have.
    ///
    /// ```
    /// use linkglot_iri::{Lenient, Oddity};
    ///
    /// let what = |text: &str| Lenient::read(text).tolerated()[0].what;
    /// assert_eq!(what("http:///a b"), Oddity::ExtraSlash);
    /// assert_eq!(what("a#b#c"), Oddity::SecondHash);
    /// assert_eq!(what("1:2").code(), "colon-in-segment");
    /// assert_eq!(what("\\").words(), "a backslash");
    /// ```
    pub enum Oddity {
        /// A space or control character at the start or end, left out.
        OuterSpace = "outer-space", "a space or control character at the start or the end";
        /// A tab or line end, left out.
        LineEnd = "line-end", "a tab or line end";
        /// A space.
        Space = "space", "a space";
        /// A control character.
        Control = "control", "a control character";
        /// A backslash, which special schemes read as a slash before the query.
        Backslash = "backslash", "a backslash";
        /// A square bracket that encloses no address.
        Bracket = "bracket", "a square bracket that encloses no address";
        /// A percent sign without two hexadecimal digits.
        BarePercent = "bare-percent", "a percent sign without two hexadecimal digits";
        /// A `#` in the fragment.
        SecondHash = "second-hash", "a second number sign";
        /// An `@` before the last one of the authority.
        SecondAt = "second-at", "a second at sign before the host";
        /// More than two slashes before the host.
        ExtraSlash = "extra-slash", "more than two slashes before the host";
        /// A colon in the first segment of a relative path.
        ColonInSegment = "colon-in-segment", "a colon before the first slash, but no scheme";
        /// A port that is not a number.
        Port = "port", "a port that is not a number";
        /// Brackets without an IP address.
        Address = "address", "brackets without an IP address";
        /// Any of ``"<>^`{|}``.
        DisallowedAscii = "disallowed-ascii", "an ASCII character that no IRI may have";
        /// A private-use character outside of the query.
        PrivateUse = "private-use", "a private-use character outside of the query";
        /// A bidi formatting character.
        BidiControl = "bidi-control", "a bidi formatting character";
        /// Any other character that RFC 3987 does not allow.
        DisallowedCharacter = "disallowed-character", "a character that no IRI may have";
    }
}

/// A text, parsed leniently.
///
/// ```
/// let read = linkglot_iri::Lenient::read("http://é.example/[1]");
/// assert_eq!(read.parts().host(), Some("é.example"));
/// assert_eq!(read.tolerated().len(), 2);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lenient<'t> {
    text: Cow<'t, str>,
    ends: Ends,
    tolerated: Vec<Tolerated>,
    origins: Origins,
}

impl<'t> Lenient<'t> {
    /// Parses any text. Never fails; linear. Allocates only when there is something to tolerate.
    ///
    /// ```
    /// use linkglot_iri::{Lenient, Oddity};
    ///
    /// let read = Lenient::read(r"http:\\é\a b");
    /// assert_eq!(read.parts().host(), Some("é"));
    /// assert_eq!(read.parts().path(), r"\a b");
    /// let what: Vec<Oddity> = read.tolerated().iter().map(|tolerated| tolerated.what).collect();
    /// assert_eq!(what, [Oddity::Backslash, Oddity::Backslash, Oddity::Backslash, Oddity::Space]);
    /// ```
    pub fn read(text: &'t str) -> Lenient<'t> {
        if let Ok(parts) = parse(text, Form::Reference) {
            return Lenient {
                text: Cow::Borrowed(text),
                ends: parts.ends(),
                tolerated: Vec::new(),
                origins: Origins::default(),
            };
        }
        let mut tolerated = Vec::new();
        let (clean, origins) = cleaned(text, &mut tolerated);
        let ends = match parse(&clean, Form::Reference) {
            Ok(parts) => parts.ends(),
            Err(_) => {
                let mut parser = LenientParser::new(&clean);
                parser.parse();
                let found = parser.tolerated.into_iter();
                tolerated.extend(found.map(|Tolerated { at, what }| Tolerated {
                    at: origins.of(at),
                    what,
                }));
                parser.ends
            }
        };
        tolerated.sort_by_key(|tolerated| tolerated.at);
        Lenient {
            text: clean,
            ends,
            tolerated,
            origins,
        }
    }

    /// The range in the given text of a range in the components.
    pub(crate) fn origin(&self, range: Range<usize>) -> Range<usize> {
        let start = self.origins.of(range.start);
        match range.end.checked_sub(1) {
            Some(last) if !range.is_empty() => start..self.origins.of(last) + 1,
            _ => start..start,
        }
    }

    /// The components, as positions in the text without outer spaces, tabs and line ends.
    ///
    /// ```
    /// let read = linkglot_iri::Lenient::read(" /a\nb?c ");
    /// assert_eq!((read.parts().path(), read.parts().query()), ("/ab", Some("c")));
    /// ```
    pub fn parts(&self) -> Parts<'_> {
        Parts::new(&self.text, self.ends)
    }

    /// Oddities that were tolerated, in the order of the text; empty exactly for an IRI reference.
    ///
    /// ```
    /// use linkglot_iri::{Lenient, Oddity};
    ///
    /// let read = Lenient::read("/é b");
    /// assert_eq!(read.tolerated()[0].at, 3);
    /// assert_eq!(read.tolerated()[0].what, Oddity::Space);
    /// ```
    pub fn tolerated(&self) -> &[Tolerated] {
        &self.tolerated
    }
}

/// Maps positions in a cleaned text to positions in the given text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Origins {
    /// The number of bytes dropped at the start.
    start: usize,
    /// For each byte dropped inside, the position of the next byte in the cleaned text.
    dropped: Vec<usize>,
}

impl Origins {
    fn of(&self, at: usize) -> usize {
        self.start + at + self.dropped.partition_point(|&dropped| dropped <= at)
    }
}

/// The text without outer spaces and controls, and without tabs and line ends.
fn cleaned<'t>(text: &'t str, tolerated: &mut Vec<Tolerated>) -> (Cow<'t, str>, Origins) {
    let is_outer = |ch: char| ch <= ' ';
    let start = text.len() - text.trim_start_matches(is_outer).len();
    let end = start + text[start..].trim_end_matches(is_outer).len();
    let what = Oddity::OuterSpace;
    let outer = (0..start).chain(end..text.len());
    tolerated.extend(outer.map(|at| Tolerated { at, what }));
    let inner = &text[start..end];
    let mut dropped = Vec::new();
    for (at, _) in inner.match_indices(['\t', '\n', '\r']) {
        tolerated.push(Tolerated {
            at: start + at,
            what: Oddity::LineEnd,
        });
        dropped.push(at - dropped.len());
    }
    let clean = if dropped.is_empty() {
        Cow::Borrowed(inner)
    } else {
        Cow::Owned(inner.replace(['\t', '\n', '\r'], ""))
    };
    (clean, Origins { start, dropped })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Component {
    Authority,
    Path,
    Query,
    Fragment,
}

struct LenientParser<'c> {
    text: &'c str,
    bytes: &'c [u8],
    ends: Ends,
    tolerated: Vec<Tolerated>,
    /// True if slashes are read as in a special scheme. Relative references count as special.
    is_special: bool,
}

impl<'c> LenientParser<'c> {
    fn new(text: &'c str) -> Self {
        let scheme = scheme::end(text.as_bytes());
        LenientParser {
            text,
            bytes: text.as_bytes(),
            ends: Ends {
                scheme,
                ..Ends::default()
            },
            tolerated: Vec::new(),
            is_special: scheme == 0 || scheme::is_special(&text[..scheme]),
        }
    }

    fn parse(&mut self) {
        let start = match self.ends.scheme {
            0 => 0,
            colon => colon + 1,
        };
        let slashes = start..self.find(start, |parser, byte| !parser.is_slash(byte));
        self.ends.path = start;
        if slashes.len() >= 2 {
            let host = self.host_start(&slashes);
            self.backslashes(start..host);
            self.authority(host);
        } else if self.ends.scheme == 0 {
            self.first_segment();
        }
        self.tail();
    }

    fn is_slash(&self, byte: u8) -> bool {
        byte == b'/' || self.is_special && byte == b'\\'
    }

    /// The start of the authority: browsers skip any number of slashes before it.
    fn host_start(&mut self, slashes: &Range<usize>) -> usize {
        let two = slashes.start + 2;
        let scheme = &self.text[..self.ends.scheme];
        if !self.is_special || scheme.eq_ignore_ascii_case("file") {
            return two;
        }
        for at in two..slashes.end {
            self.note(at, Oddity::ExtraSlash);
        }
        slashes.end
    }

    fn authority(&mut self, start: usize) {
        let end = self.find(start, |parser, byte| {
            parser.is_slash(byte) || matches!(byte, b'?' | b'#')
        });
        let last_at = self.bytes[start..end]
            .iter()
            .rposition(|&byte| byte == b'@');
        let host = last_at.map_or(start, |at| start + at + 1);
        let host_end = self.host_end(host, end);
        self.ends = Ends {
            authority: start,
            host,
            host_end,
            path: end,
            ..self.ends
        };
        if host > start {
            self.characters(start..host - 1, NAME, Component::Authority);
        }
        self.host(host..host_end);
        let port = (host_end + 1).min(end)..end;
        if !self.bytes[port.clone()].iter().all(u8::is_ascii_digit) {
            self.note(port.start, Oddity::Port);
        }
    }

    /// The first colon outside of brackets, or the end.
    fn host_end(&self, host: usize, end: usize) -> usize {
        let mut inside = false;
        let colon = self.bytes[host..end].iter().position(|&byte| {
            match byte {
                b'[' => inside = true,
                b']' => inside = false,
                _ => {}
            }
            byte == b':' && !inside
        });
        colon.map_or(end, |at| host + at)
    }

    fn host(&mut self, range: Range<usize>) {
        let host = &self.text[range.clone()];
        if !host.starts_with('[') {
            return self.characters(range, NAME, Component::Authority);
        }
        if parse(&format!("//{host}"), Form::Relative).is_err() {
            self.note(range.start, Oddity::Address);
        }
    }

    /// Notes a colon in the first segment of a relative reference.
    fn first_segment(&mut self) {
        let end = self.find(0, |_, byte| matches!(byte, b'/' | b'?' | b'#'));
        if let Some(colon) = self.bytes[..end].iter().position(|&byte| byte == b':') {
            self.note(colon, Oddity::ColonInSegment);
        }
    }

    fn tail(&mut self) {
        let path_end = self.find(self.ends.path, |_, byte| matches!(byte, b'?' | b'#'));
        let query_end = self.find(path_end, |_, byte| byte == b'#');
        self.ends.path_end = path_end;
        self.ends.query_end = query_end;
        self.characters(self.ends.path..path_end, PATH, Component::Path);
        self.characters(path_end..query_end, QUERY, Component::Query);
        let fragment = (query_end + 1).min(self.bytes.len())..self.bytes.len();
        self.characters(fragment, QUERY, Component::Fragment);
    }

    fn backslashes(&mut self, range: Range<usize>) {
        for at in range {
            if self.bytes[at] == b'\\' {
                self.note(at, Oddity::Backslash);
            }
        }
    }

    /// Notes the characters of a range that the grammar does not allow there.
    fn characters(&mut self, range: Range<usize>, class: u16, component: Component) {
        let base = range.start;
        let text = &self.text[range];
        for (at, ch) in text.char_indices() {
            let odd = match ch {
                '%' => match percent_octet(&text.as_bytes()[at..]) {
                    Some(_) => None,
                    None => Some(Oddity::BarePercent),
                },
                '\0'..='\x7F' if class::is(ch as u8, class) => None,
                '\0'..='\x7F' => ascii_oddity(ch, component),
                _ => non_ascii_oddity(ch, component),
            };
            if let Some(odd) = odd {
                self.note(base + at, odd);
            }
        }
    }

    fn note(&mut self, at: usize, what: Oddity) {
        self.tolerated.push(Tolerated { at, what });
    }

    /// The first position from `start` on whose byte matches, or the end.
    fn find(&self, start: usize, matches: impl Fn(&Self, u8) -> bool) -> usize {
        let mut bytes = self.bytes[start..].iter();
        let found = bytes.position(|&byte| matches(self, byte));
        found.map_or(self.bytes.len(), |at| start + at)
    }
}

fn ascii_oddity(ch: char, component: Component) -> Option<Oddity> {
    Some(match ch {
        // Userinfo may have colons.
        ':' if component == Component::Authority => return None,
        '@' => Oddity::SecondAt,
        '#' => Oddity::SecondHash,
        ' ' => Oddity::Space,
        '\\' => Oddity::Backslash,
        '[' | ']' => Oddity::Bracket,
        _ if ch.is_ascii_control() => Oddity::Control,
        _ => Oddity::DisallowedAscii,
    })
}

fn non_ascii_oddity(ch: char, component: Component) -> Option<Oddity> {
    if class::is_ucschar(ch) {
        return None;
    }
    if class::is_iprivate(ch) {
        return (component != Component::Query).then_some(Oddity::PrivateUse);
    }
    Some(if class::is_bidi_control(ch) {
        Oddity::BidiControl
    } else {
        Oddity::DisallowedCharacter
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The components and the tolerated oddities.
    fn shown(text: &str) -> String {
        let read = Lenient::read(text);
        let tolerated = read.tolerated().iter();
        tolerated.fold(read.parts().joined(), |shown, Tolerated { at, what }| {
            format!("{shown} {at}:{what}")
        })
    }

    #[test]
    fn odd_texts_are_parsed_and_their_oddities_listed() {
        for (text, expected) in [
            ("x:é", "x|-|-|-|é|-|-"),
            (" /é\n", "-|-|-|-|/é|-|- 0:outer-space 4:outer-space"),
            (
                " /\ta ",
                "-|-|-|-|/a|-|- 0:outer-space 2:line-end 4:outer-space",
            ),
            ("/a b", "-|-|-|-|/a b|-|- 2:space"),
            (
                "ht\ntp://a/\t\r%",
                "http|-|a|-|/%|-|- 2:line-end 10:line-end 11:line-end 12:bare-percent",
            ),
            (
                "https:\\\\a\\b?\\",
                "https|-|a|-|\\b|\\|- 6:backslash 7:backslash 9:backslash 12:backslash",
            ),
            ("foo:\\\\a", "foo|-|-|-|\\\\a|-|- 4:backslash 5:backslash"),
            (
                "http:////a/[b]",
                "http|-|a|-|/[b]|-|- 7:extra-slash 8:extra-slash 11:bracket 13:bracket",
            ),
            ("file:////a b", "file|-||-|//a b|-|- 10:space"),
            ("//a@b@c:1", "-|a@b|c|1||-|- 3:second-at"),
            ("//a:b:c", "-|-|a|b:c||-|- 4:port"),
            ("//[::1]x:2", "-|-|[::1]x|2||-|- 2:address"),
            ("//[:", "-|-|[:|-||-|- 2:address"),
            ("1:2", "-|-|-|-|1:2|-|- 1:colon-in-segment"),
            ("a#b#c#", "-|-|-|-|a|-|b#c# 3:second-hash 5:second-hash"),
            (
                "\u{E000}?\u{E000}",
                "-|-|-|-|\u{E000}|\u{E000}|- 0:private-use",
            ),
            (
                "\u{200E}\u{85}<\u{7F}",
                "-|-|-|-|\u{200E}\u{85}<\u{7F}|-|- 0:bidi-control 3:disallowed-character 5:disallowed-ascii 6:control",
            ),
        ] {
            assert_eq!(shown(text), expected, "{text:?}");
        }
    }
}
