//! The search for mentions of moved hosts in a document as written.

use super::hosts::{Moved, MovedHosts, named};
use super::region::Region;
use super::{LeftBehind, Mention, Why};
use crate::charset::{Charset, Transcoder, ViewMap};
use crate::error::Error;
use crate::format::Format;
use crate::iri::scheme::is_http;
use crate::link::PartPlace;
use crate::link::{Info, Location, Locator};
use crate::notes::Note;
use crate::rewrite::Outcome;
use crate::rewrite::output::Output;
use crate::rewrite::run::Search;
use crate::span::SourceSpan;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

/// The approximate length of the pieces in which text is searched. A piece ends with a line, unless lines are longer.
const PIECE: usize = 64 << 10;

/// The most bytes behind a host that are compared with the paths of rules.
const LONGEST_PATH: usize = 2048;

/// The most backslashes in front of a dot in a regular expression, which may be written in a string.
const MOST_ESCAPES: usize = 4;

/// The most bytes of a character reference: `&#0000046;` is longer than anyone writes it.
const LONGEST_REFERENCE: usize = 10;

/// The most bytes of text that are kept on each side of a host.
const AROUND: usize = 60;

/// The most left links that are remembered until the text reaches them.
const MOST_LEFT: usize = 1024;

/// Searches a document while it is written. Linear, in the memory of a line.
pub(in crate::rewrite) struct Mentions<'m> {
    hosts: &'m MovedHosts,
    /// The place of the document in the output.
    place: &'m PartPlace<'m>,
    /// The decoder; `None` if the document is UTF-8.
    decoder: Option<(Transcoder, ViewMap)>,
    /// Text that was not searched yet, and its first byte.
    text: Vec<u8>,
    origin: u64,
    region: Region,
    locator: Locator,
    left: LeftLinks,
    found: LeftBehind,
}

/// The left links with the reason, latest first.
#[derive(Debug, Default)]
struct LeftLinks(VecDeque<LeftLink>);

#[derive(Debug)]
struct LeftLink {
    /// The place in the source: in the output, new links before it on the line may have moved it.
    location: Location,
    /// The start of the link as written.
    begin: Box<str>,
    why: Why,
}

/// The most bytes of a link that are kept.
const LONGEST_BEGIN: usize = 128;

impl LeftLinks {
    /// Remembers a link that was left.
    fn add(&mut self, outcome: &Outcome<'_>) {
        let location = outcome.link.location();
        let says_why = |note: &Note| note.code().starts_with("left-");
        let note = outcome.notes.iter().find(says_why);
        let note = note.or_else(|| outcome.notes.iter().next());
        if let (Some(location), Some(note), None) = (location, note, outcome.new) {
            let raw = outcome.link.raw();
            self.0.truncate(MOST_LEFT - 1);
            self.0.push_front(LeftLink {
                location,
                begin: begin_of(&raw).into(),
                why: Why::Left(note),
            });
        }
    }

    /// The reason of the link around a mention: the nearest of the links on its line whose text stands there.
    fn of_mention(&self, text: &[u8], host: Range<usize>, location: Location) -> Option<Why> {
        let on_line = || {
            self.0
                .iter()
                .filter(|link| link.location.line == location.line)
        };
        let same = on_line().filter_map(|link| {
            let before = link.stands_around(text, &host)?;
            let column = link.location.column + link.begin[..before].chars().count() as u64;
            Some((column.abs_diff(location.column), link.why))
        });
        let nearest = same.min_by_key(|(distance, _)| *distance);
        let nearest = nearest.map(|(_, why)| why);
        nearest.or_else(|| on_line().next().map(|link| link.why))
    }
}

/// The first characters of a text, as many as are kept.
fn begin_of(text: &str) -> &str {
    let mut ends = (0..=LONGEST_BEGIN.min(text.len())).rev();
    &text[..ends.find(|end| text.is_char_boundary(*end)).unwrap_or(0)]
}

impl LeftLink {
    /// The number of bytes of the link in front of a host in a text, if the link may stand there.
    fn stands_around(&self, text: &[u8], host: &Range<usize>) -> Option<usize> {
        let name = std::str::from_utf8(&text[host.clone()]).ok()?;
        let before = self.begin.find(name)?;
        let (front, behind) = self.begin.as_bytes().split_at(before);
        let is_here = text[..host.start].ends_with(front) && text[host.start..].starts_with(behind);
        is_here.then_some(before)
    }
}

impl<'m> Mentions<'m> {
    /// The search of a document in a charset.
    pub fn new(search: Search<'m>, (format, charset): (Format, Charset)) -> Self {
        let is_utf_8 = charset == Charset::UTF_8;
        Mentions {
            hosts: search.moved,
            place: search.place,
            decoder: (!is_utf_8).then(|| (Transcoder::new(charset, 0), ViewMap::default())),
            text: Vec::new(),
            origin: 0,
            region: Region::new(format),
            locator: search.place.locator(Charset::UTF_8, 0),
            left: LeftLinks::default(),
            found: LeftBehind::default(),
        }
    }

    /// Reads the next bytes of the document.
    pub fn read(&mut self, bytes: &[u8]) {
        self.push(bytes, false);
        if self.text.len() >= PIECE {
            // Half of the piece is searched at least: what is left would be looked through again with the next bytes.
            let half = self.text.len() / 2;
            let line = memchr::memrchr(b'\n', &self.text[half..]).map(|at| half + at + 1);
            // In a longer line a host and the path behind it stay together.
            let ends = |byte: &u8| matches!(byte, b' ' | b'\t' | b'"' | b'\'' | b'<' | b'>');
            let whole = self.text.len() - LONGEST_PATH;
            let word = || self.text[half..whole].iter().rposition(ends);
            self.search(line.unwrap_or_else(|| word().map_or(whole, |at| half + at)));
        }
    }

    /// Searches the rest.
    pub fn end(mut self) -> LeftBehind {
        self.push(b"", true);
        self.search(self.text.len());
        self.found
    }

    fn push(&mut self, bytes: &[u8], last: bool) {
        match &mut self.decoder {
            None => self.text.extend_from_slice(bytes),
            Some((transcoder, map)) => {
                transcoder.push(bytes, last, &mut self.text, map);
            }
        }
    }

    /// Searches the text up to `end`, and drops it.
    fn search(&mut self, end: usize) {
        let text = std::mem::take(&mut self.text);
        if self.origin == 0 && text.starts_with("\u{FEFF}".as_bytes()) {
            // The BOM is no character of the first line.
            self.locator = self.place.locator(Charset::UTF_8, 3);
        }
        let mut passed = 0;
        let mut at = 0;
        while let Some(word) = next_word(&text[..end], at, self.hosts) {
            at = word.end;
            if let Some((begin, host, why)) = self.mention(&text, word) {
                self.region.advance(&text[passed..begin]);
                passed = begin;
                self.add(&text, begin..at, (host, why));
            }
        }
        self.region.advance(&text[passed..end]);
        let behind = self.origin + end as u64;
        if !self.place.is_encoded() {
            self.locator.advance(&text, self.origin, behind);
        }
        if let Some((_, map)) = &mut self.decoder {
            map.discard(behind);
        }
        self.origin = behind;
        self.text = text;
        self.text.drain(..end);
    }

    /// The moved host in a word: its first byte, and the reason that it was not moved.
    fn mention(&self, text: &[u8], word: Range<usize>) -> Option<(usize, Arc<str>, Option<Why>)> {
        let before = &text[..word.start];
        // Letters of an escape in front of the host belong to the word.
        let escapes: &[usize] = match before.last() {
            // `%2F`, `%252F`.
            Some(b'%') => &[2, 4],
            Some(b'\\') => &[0, 1, 5],
            _ => &[0],
        };
        escapes.iter().find_map(|skipped| {
            let begin = word.start + skipped;
            let as_written = text.get(begin..word.end)?;
            let name = name_of(as_written, self.hosts.has_idn)?;
            let has = |mark| as_written.contains(&mark);
            let (host, moved) = self.hosts.of(name.trim_matches('.'))?;
            let (port, rest) = port(&text[word.end..text.len().min(word.end + LONGEST_PATH)]);
            // An escaped slash is three bytes.
            let rest = &rest[..rest.len().min(3 * self.hosts.longest_path + 1)];
            // A rule for a part of a site does not concern the other parts.
            let named = named(moved, rest);
            let why = || match () {
                _ if has(b'\\') || has(b'[') => Some(Why::Pattern),
                _ if has(b'%') => Some(Why::Encoded),
                _ => why(&text[..begin], port, &named),
            };
            (!named.is_empty()).then(|| (begin, Arc::clone(host), why()))
        })
    }

    fn add(&mut self, text: &[u8], at: Range<usize>, (host, why): (Arc<str>, Option<Why>)) {
        let location = self.location(text, self.origin + at.start as u64);
        let is_listed = self.found.mentions.len() < LeftBehind::MOST;
        let (around, host_in_text) = if is_listed {
            around(text, &at)
        } else {
            Default::default()
        };
        let of_link = || is_listed.then(|| self.left.of_mention(text, at, location));
        self.found.add(Mention {
            host,
            location,
            place: self.region.place(),
            why: why.or_else(|| of_link()?),
            text: around.into(),
            host_in_text,
        });
    }
}

impl Mentions<'_> {
    /// The line and column of a byte of the text.
    fn location(&mut self, text: &[u8], at: u64) -> Location {
        if !self.place.is_encoded() {
            self.locator.advance(text, self.origin, at);
            return self.locator.location();
        }
        let source = |at| self.decoder.as_ref().map_or(at, |(_, map)| map.source(at));
        let span = SourceSpan {
            start: source(at),
            end: source(at + 1),
        };
        self.place.locate(&mut self.locator, span)
    }
}

/// A stage that searches the document and hands it on.
pub(in crate::rewrite) struct Searched<'m> {
    pub output: &'m mut dyn Output,
    pub mentions: Mentions<'m>,
}

impl Output for Searched<'_> {
    fn bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.output.bytes(bytes)?;
        self.mentions.read(bytes);
        Ok(())
    }

    fn link(&mut self, outcome: &Outcome<'_>, info: &Info) -> Result<(), Error> {
        self.mentions.left.add(outcome);
        self.output.link(outcome, info)
    }

    fn seen(&mut self, links: u64) {
        self.output.seen(links);
    }
}

/// The next possible host from `at` on: a word of letters, digits, hyphens and dots in any [form](written).
fn next_word(text: &[u8], mut at: usize, hosts: &MovedHosts) -> Option<Range<usize>> {
    let has_idn = hosts.has_idn;
    loop {
        let mut begin = if hosts.has_plain {
            (at..text.len()).find(|at| written(&text[*at..], has_idn).is_some())?
        } else {
            // A host has a dot.
            let is_dot = |at: &usize| matches!(written(&text[*at..], has_idn), Some((b'.', _)));
            let marks = memchr::memchr3_iter(b'.', b'%', b'&', &text[at..]);
            marks.map(|mark| at + mark).find(is_dot)?
        };
        while let Some(len) = written_in_front(&text[at..begin], &text[begin..], has_idn) {
            begin -= len;
        }
        let mut end = begin;
        while let Some((_, len)) = written(&text[end..], has_idn) {
            end += len;
        }
        at = end;
        let name = &text[begin..end];
        let is_mark = |byte: &&u8| matches!(byte, b'.' | b'\\');
        let dots = name.iter().rev().take_while(is_mark).count();
        let first = name.iter().take_while(is_mark).count();
        if first + dots < name.len() {
            return Some(begin + first..end - dots);
        }
    }
}

/// The byte of a host that a text begins with, and its length as written: plain, percent-encoded once or twice, as a
/// character reference, or a dot that a regular expression escapes.
fn written(text: &[u8], has_idn: bool) -> Option<(u8, usize)> {
    let (byte, len) = match *text.first()? {
        b'%' => {
            let code = text[1..].strip_prefix(b"25").unwrap_or(&text[1..]);
            (number(code.get(..2)?, 16)?, text.len() - code.len() + 2)
        }
        b'&' => {
            let end = memchr::memchr(b';', &text[..text.len().min(LONGEST_REFERENCE)])?;
            let byte = match &text[1..end] {
                b"period" => b'.',
                [b'#', b'x' | b'X', digits @ ..] => number(digits, 16)?,
                [b'#', digits @ ..] => number(digits, 10)?,
                _ => return None,
            };
            // References name characters, not bytes.
            (Some(byte).filter(u8::is_ascii)?, end + 1)
        }
        b'[' if text.starts_with(b"[.]") => (b'.', 3),
        b'\\' => {
            let mut behind = text.iter().take(1 + MOST_ESCAPES);
            let escapes = behind.position(|byte| *byte != b'\\')?;
            (
                Some(text[escapes]).filter(|byte| *byte == b'.')?,
                escapes + 1,
            )
        }
        byte => (byte, 1),
    };
    let is_part = byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.');
    (is_part || has_idn && byte >= 0x80).then_some((byte, len))
}

/// The number of bytes at the end of `front` that belong to the host that goes on behind them.
fn written_in_front(front: &[u8], behind: &[u8], has_idn: bool) -> Option<usize> {
    let len = match *front.last()? {
        b']' => 3,
        b';' => {
            1 + front
                .iter()
                .rev()
                .take(LONGEST_REFERENCE)
                .position(|byte| *byte == b'&')?
        }
        // The rest of an escape belongs to the host already.
        b'%' | b'\\' | b'[' => {
            let shown = behind.len().min(1 + MOST_ESCAPES);
            let mark = &front[front.len() - 1..];
            return written(&[mark, &behind[..shown]].concat(), has_idn).map(|_| 1);
        }
        _ => 1,
    };
    let last = &front[front.len().checked_sub(len)?..];
    written(last, has_idn).and_then(|(_, whole)| (whole == len).then_some(len))
}

/// A byte written with digits.
fn number(digits: &[u8], radix: u32) -> Option<u8> {
    let digits = std::str::from_utf8(digits).ok()?;
    let is_number = digits.chars().all(|digit| digit.is_digit(radix));
    u8::from_str_radix(digits, radix).ok().filter(|_| is_number)
}

/// The name of a host as written.
fn name_of(mut text: &[u8], has_idn: bool) -> Option<String> {
    let mut name = Vec::with_capacity(text.len());
    while !text.is_empty() {
        let (byte, len) = written(text, has_idn)?;
        name.push(byte);
        text = &text[len..];
    }
    String::from_utf8(name).ok()
}

/// The text around a host on its line, and the host in that text.
fn around(text: &[u8], host: &Range<usize>) -> (String, Range<usize>) {
    let is_inside = |byte: &u8| (*byte & 0xC0) == 0x80;
    let front = &text[host.start.saturating_sub(AROUND)..host.start];
    let front = match memchr::memrchr2(b'\n', b'\r', front) {
        Some(end) => &front[end + 1..],
        None => &front[front.iter().take_while(|byte| is_inside(byte)).count()..],
    };
    let mut end = (host.end + AROUND).min(text.len());
    while end < text.len() && is_inside(&text[end]) {
        end -= 1;
    }
    let behind = &text[host.end..end];
    let line = memchr::memchr2(b'\n', b'\r', behind).unwrap_or(behind.len());
    let mut around = String::from_utf8_lossy(front).into_owned();
    let begin = around.len();
    around += &String::from_utf8_lossy(&text[host.clone()]);
    let host = begin..around.len();
    around += &String::from_utf8_lossy(&behind[..line]);
    (around, host)
}

/// The reason that a host was not moved, from the text around the host. `moved`: the parts of the host that rules name.
fn why(before: &[u8], port: Option<&str>, moved: &[&Moved]) -> Option<Why> {
    let ends = |mark: &[u8]| {
        let at = before.len().checked_sub(mark.len());
        at.is_some_and(|at| before[at..].eq_ignore_ascii_case(mark))
    };
    let scheme = scheme_in_front(before);
    let has_scheme = |moved: &Moved| match (&moved.scheme, scheme) {
        (_, None) => true,
        (None, Some(scheme)) => is_http(scheme),
        (Some(own), Some(scheme)) => own.eq_ignore_ascii_case(scheme),
    };
    match () {
        _ if ends(b"@") => Some(Why::Address),
        _ if ends(br"\/") || ends(br"\u002f") => Some(Why::Escaped),
        _ if ends(b"%2f") || ends(b"%252f") => Some(Why::Encoded),
        _ if !ends(b"//") => Some(Why::NoScheme),
        _ if !moved.iter().any(|moved| has_scheme(moved)) => Some(Why::OtherScheme),
        _ if !moved.iter().any(|moved| moved.port.as_deref() == port) => Some(Why::OtherPort),
        _ => None,
    }
}

/// The scheme in front of `://`.
fn scheme_in_front(before: &[u8]) -> Option<&str> {
    let name = before.strip_suffix(b"://")?;
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    let len = name.iter().rev().take_while(is_part).count();
    std::str::from_utf8(&name[name.len() - len..]).ok()
}

/// The port behind a host, unless it is a default port of the Web, and the rest of the text.
fn port(behind: &[u8]) -> (Option<&str>, &[u8]) {
    let Some(rest) = behind.strip_prefix(b":") else {
        return (None, behind);
    };
    let len = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let port = std::str::from_utf8(&rest[..len]).ok();
    let is_default = |port: &&str| matches!(*port, "" | "80" | "443");
    (port.filter(|port| !is_default(port)), &rest[len..])
}
