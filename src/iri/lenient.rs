//! The reader for what documents really hold: it always gives components, and says what it
//! tolerated.
//!
//! What matches the grammar is read by the grammar. All else is read as browsers do (URL Standard)
//! where they and the grammar would cut differently: slashes, the last `@`, the first colon behind
//! brackets.

use super::class::{self, NAME, PATH, QUERY};
use super::parse::{Form, parse};
use super::parts::{Ends, Parts, scheme_end};
use super::target::is_special;
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

/// Something that no IRI has, and where it stands.
///
/// ```
/// use linkglot::iri::{Lenient, Oddity};
///
/// let read = Lenient::read("\t/é%");
/// let places = read.tolerated().iter().map(|tolerated| (tolerated.at, tolerated.what));
/// assert!(places.eq([(0, Oddity::OuterSpace), (4, Oddity::BarePercent)]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tolerated {
    /// Byte position in the text as it was given.
    pub at: usize,
    /// What stands there.
    pub what: Oddity,
}

/// What no IRI has, and documents have nevertheless.
///
/// ```
/// use linkglot::iri::{Lenient, Oddity};
///
/// let what = |text: &str| Lenient::read(text).tolerated()[0].what;
/// assert_eq!(what("http:///a b"), Oddity::ExtraSlash);
/// assert_eq!(what("a#b#c"), Oddity::SecondHash);
/// assert_eq!(what("1:2"), Oddity::ColonInSegment);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Oddity {
    /// A space or control character at the beginning or end, left out.
    OuterSpace,
    /// A tab or line end, left out.
    LineEnd,
    /// A space.
    Space,
    /// A control character.
    Control,
    /// A backslash; for schemes of the Web it is a slash before the query.
    Backslash,
    /// A square bracket that encloses no address.
    Bracket,
    /// A percent sign without two hexadecimal digits.
    BarePercent,
    /// A `#` in the fragment.
    SecondHash,
    /// An `@` before the last one of the authority.
    SecondAt,
    /// More than two slashes before the host.
    ExtraSlash,
    /// A colon in the first segment of a relative path.
    ColonInSegment,
    /// A port that is no number.
    Port,
    /// Something in brackets that is no IP address.
    Address,
    /// One of `"<>^{|}` or a backtick.
    DisallowedAscii,
    /// A private-use character outside the query.
    PrivateUse,
    /// A bidi formatting character.
    BidiControl,
    /// A character in no class of RFC 3987.
    DisallowedCharacter,
}

impl Oddity {
    /// The stable code.
    ///
    /// ```
    /// assert_eq!(linkglot::iri::Oddity::BarePercent.code(), "bare-percent");
    /// ```
    pub fn code(self) -> &'static str {
        match self {
            Oddity::OuterSpace => "outer-space",
            Oddity::LineEnd => "line-end",
            Oddity::Space => "space",
            Oddity::Control => "control",
            Oddity::Backslash => "backslash",
            Oddity::Bracket => "bracket",
            Oddity::BarePercent => "bare-percent",
            Oddity::SecondHash => "second-hash",
            Oddity::SecondAt => "second-at",
            Oddity::ExtraSlash => "extra-slash",
            Oddity::ColonInSegment => "colon-in-segment",
            Oddity::Port => "port",
            Oddity::Address => "address",
            Oddity::DisallowedAscii => "disallowed-ascii",
            Oddity::PrivateUse => "private-use",
            Oddity::BidiControl => "bidi-control",
            Oddity::DisallowedCharacter => "disallowed-character",
        }
    }

    /// In words, for a person.
    ///
    /// ```
    /// assert_eq!(linkglot::iri::Oddity::Backslash.words(), "a backslash");
    /// ```
    pub fn words(self) -> &'static str {
        match self {
            Oddity::OuterSpace => "a space or control character at the beginning or the end",
            Oddity::LineEnd => "a tab or line end",
            Oddity::Space => "a space",
            Oddity::Control => "a control character",
            Oddity::Backslash => "a backslash",
            Oddity::Bracket => "a square bracket that encloses no address",
            Oddity::BarePercent => "a percent sign without two hexadecimal digits",
            Oddity::SecondHash => "a second number sign",
            Oddity::SecondAt => "a second at sign before the host",
            Oddity::ExtraSlash => "more than two slashes before the host",
            Oddity::ColonInSegment => "a colon before the first slash, but no scheme",
            Oddity::Port => "a port that is no number",
            Oddity::Address => "brackets without an IP address",
            Oddity::DisallowedAscii => "an ASCII character that no IRI has",
            Oddity::PrivateUse => "a private-use character outside the query",
            Oddity::BidiControl => "a bidi formatting character",
            Oddity::DisallowedCharacter => "a character that no IRI has",
        }
    }
}

impl fmt::Display for Oddity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// A text that was read leniently.
///
/// ```
/// let read = linkglot::iri::Lenient::read("http://é.example/[1]");
/// assert_eq!(read.parts().host(), Some("é.example"));
/// assert_eq!(read.tolerated().len(), 2);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lenient<'t> {
    text: Cow<'t, str>,
    ends: Ends,
    tolerated: Vec<Tolerated>,
}

impl<'t> Lenient<'t> {
    /// Reads any text. Never fails; linear. It allocates only when there is something to tolerate.
    ///
    /// ```
    /// use linkglot::iri::{Lenient, Oddity};
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
            };
        }
        let mut tolerated = Vec::new();
        let (clean, origins) = cleaned(text, &mut tolerated);
        let ends = match parse(&clean, Form::Reference) {
            Ok(parts) => parts.ends(),
            Err(_) => {
                let mut reader = Reader::new(&clean);
                reader.read();
                let found = reader.tolerated.into_iter();
                tolerated.extend(found.map(|Tolerated { at, what }| Tolerated {
                    at: origins.of(at),
                    what,
                }));
                reader.ends
            }
        };
        tolerated.sort_by_key(|tolerated| tolerated.at);
        Lenient {
            text: clean,
            ends,
            tolerated,
        }
    }

    /// The components, as positions in the text without outer spaces, tabs and line ends.
    ///
    /// ```
    /// let read = linkglot::iri::Lenient::read(" /a\nb?c ");
    /// assert_eq!((read.parts().path(), read.parts().query()), ("/ab", Some("c")));
    /// ```
    pub fn parts(&self) -> Parts<'_> {
        Parts::new(&self.text, self.ends)
    }

    /// What was tolerated, in the order of the text; nothing exactly when it is an IRI reference.
    ///
    /// ```
    /// use linkglot::iri::{Lenient, Oddity};
    ///
    /// let read = Lenient::read("/é b");
    /// assert_eq!(read.tolerated()[0].at, 3);
    /// assert_eq!(read.tolerated()[0].what, Oddity::Space);
    /// ```
    pub fn tolerated(&self) -> &[Tolerated] {
        &self.tolerated
    }
}

/// Where the characters of a cleaned text came from.
struct Origins {
    /// How many bytes were dropped at the beginning.
    start: usize,
    /// Positions, in the text behind that beginning, of the bytes that were dropped inside.
    dropped: Vec<usize>,
}

impl Origins {
    fn of(&self, at: usize) -> usize {
        // The n-th dropped byte stood n bytes further on than its place in the cleaned text.
        let (mut low, mut high) = (0, self.dropped.len());
        while low < high {
            let middle = (low + high) / 2;
            if self.dropped[middle] - middle <= at {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        self.start + at + low
    }
}

/// The text without outer spaces and controls, and without tabs and line ends.
fn cleaned<'t>(text: &'t str, tolerated: &mut Vec<Tolerated>) -> (Cow<'t, str>, Origins) {
    let is_outer = |ch: char| ch <= ' ';
    let start = text.len() - text.trim_start_matches(is_outer).len();
    let end = start + text[start..].trim_end_matches(is_outer).len();
    for at in (0..start).chain(end..text.len()) {
        let what = Oddity::OuterSpace;
        tolerated.push(Tolerated { at, what });
    }
    let inner = &text[start..end];
    let is_dropped = |byte: u8| matches!(byte, b'\t' | b'\n' | b'\r');
    let places = inner.bytes().enumerate();
    let dropped: Vec<usize> = places
        .filter(|&(_, byte)| is_dropped(byte))
        .map(|(at, _)| at)
        .collect();
    tolerated.extend(dropped.iter().map(|at| Tolerated {
        at: start + at,
        what: Oddity::LineEnd,
    }));
    let clean = if dropped.is_empty() {
        Cow::Borrowed(inner)
    } else {
        Cow::Owned(inner.replace(['\t', '\n', '\r'], ""))
    };
    (clean, Origins { start, dropped })
}

/// What a range of the text is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Component {
    Authority,
    Path,
    Query,
    Fragment,
}

struct Reader<'c> {
    text: &'c str,
    bytes: &'c [u8],
    ends: Ends,
    tolerated: Vec<Tolerated>,
    /// Read as the schemes of the Web are; relative references too.
    is_web: bool,
}

impl<'c> Reader<'c> {
    fn new(text: &'c str) -> Reader<'c> {
        let scheme = scheme_end(text.as_bytes());
        Reader {
            text,
            bytes: text.as_bytes(),
            ends: Ends {
                scheme,
                ..Ends::default()
            },
            tolerated: Vec::new(),
            is_web: scheme == 0 || is_special(&text[..scheme]),
        }
    }

    fn read(&mut self) {
        let start = match self.ends.scheme {
            0 => 0,
            colon => colon + 1,
        };
        let slashes = start..self.find(start, |reader, byte| !reader.is_slash(byte));
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
        byte == b'/' || self.is_web && byte == b'\\'
    }

    /// Behind how many slashes the authority begins: browsers skip any number of them.
    fn host_start(&mut self, slashes: &Range<usize>) -> usize {
        let two = slashes.start + 2;
        let scheme = &self.text[..self.ends.scheme];
        if !self.is_web || scheme.eq_ignore_ascii_case("file") {
            return two;
        }
        for at in two..slashes.end {
            self.note(at, Oddity::ExtraSlash);
        }
        slashes.end
    }

    fn authority(&mut self, start: usize) {
        let end = self.find(start, |reader, byte| {
            reader.is_slash(byte) || matches!(byte, b'?' | b'#')
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
            self.userinfo(start..host - 1);
        }
        self.host(host..host_end);
        let port = (host_end + 1).min(end)..end;
        if !self.bytes[port.clone()].iter().all(u8::is_ascii_digit) {
            self.note(port.start, Oddity::Port);
        }
    }

    /// The first colon outside brackets.
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

    fn userinfo(&mut self, range: Range<usize>) {
        self.characters(range, NAME, Component::Authority);
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

    /// A relative reference may have no colon before its first slash.
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

    /// Notes every character of a range that the grammar does not allow there.
    fn characters(&mut self, range: Range<usize>, class: u16, component: Component) {
        let base = range.start;
        let text = &self.text[range];
        for (at, ch) in text.char_indices() {
            let odd = match ch {
                '%' => (!is_escape(&text.as_bytes()[at..])).then_some(Oddity::BarePercent),
                '\0'..='\x7F' if class::is(ch as u8, class) => None,
                '\0'..='\x7F' => ascii_oddity(ch, component),
                _ => wide_oddity(ch, component),
            };
            if let Some(odd) = odd {
                self.note(base + at, odd);
            }
        }
    }

    fn note(&mut self, at: usize, what: Oddity) {
        self.tolerated.push(Tolerated { at, what });
    }

    fn find(&self, start: usize, wanted: impl Fn(&Self, u8) -> bool) -> usize {
        let place = self.bytes[start..]
            .iter()
            .position(|&byte| wanted(self, byte));
        place.map_or(self.bytes.len(), |at| start + at)
    }
}

fn ascii_oddity(ch: char, component: Component) -> Option<Oddity> {
    Some(match ch {
        // The colons of userinfo are its own.
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

fn wide_oddity(ch: char, component: Component) -> Option<Oddity> {
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

fn is_escape(bytes: &[u8]) -> bool {
    matches!(bytes, [_, high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Components, then what was tolerated where.
    fn shown(text: &str) -> String {
        let read = Lenient::read(text);
        let parts = read.parts();
        let all = [
            parts.scheme(),
            parts.userinfo(),
            parts.host(),
            parts.port(),
            Some(parts.path()),
            parts.query(),
            parts.fragment(),
        ];
        let mut out = all.map(|part| part.unwrap_or("-")).join("|");
        for Tolerated { at, what } in read.tolerated() {
            out.push_str(&format!(" {at}:{what}"));
        }
        out
    }

    #[test]
    fn odd_texts_are_read_and_their_oddities_told() {
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
