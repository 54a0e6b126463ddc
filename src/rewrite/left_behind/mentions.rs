//! The search for mentions of moved hosts in a document as written.

use super::cut::{self, Cut};
use super::region::{Region, ends_in_handler};
use super::written::{escaped, is_of_other_host, name_of, next_word};
use crate::charset::{Charset, Transcoder, ViewMap};
use crate::error::Error;
use crate::format::Format;
use crate::iri::scheme::is_http;
use crate::link::PartPlace;
use crate::link::{Info, Location, Locator};
use crate::notes::Note;
use crate::rewrite::Outcome;
use crate::rewrite::excerpt::{text_behind, text_in_front};
use crate::rewrite::mention::{LeftBehind, Mention, MentionPlace, Why};
use crate::rewrite::output::Output;
use crate::rewrite::rules::{Moved, MovedHosts, is_kept, named};
use crate::span::SourceSpan;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

/// The approximate length of the pieces in which text is searched. A piece ends with a line, unless lines are longer.
const PIECE: usize = 64 << 10;

/// The most bytes behind a host that are compared with the paths of rules.
const LONGEST_PATH: usize = 2048;

/// The most left links that are remembered until the text reaches them.
const MOST_LEFT: usize = 1024;

/// The most left links on either side of a mention that are compared with its text.
const NEAR: usize = 64;

/// The search for mentions of moved hosts in the output.
#[derive(Clone, Copy)]
pub(in crate::rewrite) struct Search<'s> {
    pub moved: &'s MovedHosts,
    /// The place of the document in the output.
    pub place: &'s PartPlace<'s>,
    /// The kind of field of a header that is searched, which is no document.
    pub field: Option<MentionPlace>,
}

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
    /// The end of the last host that is cut: its pieces are no hosts of their own.
    cuts_end: u64,
}

/// The left links with the reason, latest first.
#[derive(Debug, Default)]
pub(in crate::rewrite) struct LeftLinks(VecDeque<LeftLink>);

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
    pub fn add(&mut self, outcome: &Outcome<'_>) {
        let location = outcome.link.location();
        let note = outcome.notes.iter().find(|note| is_left(&Why::Left(*note)));
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

    /// The reason of the link around a mention: the nearest of the links on its line whose text stands there. Another
    /// link on the line is none.
    fn of_mention(&self, text: &[u8], host: Range<usize>, location: Location) -> Option<Why> {
        let place = (location.line, location.column);
        let behind = |link: &LeftLink| (link.location.line, link.location.column) > place;
        let at = self.0.partition_point(behind);
        let near = at.saturating_sub(NEAR)..self.0.len().min(at + NEAR);
        let near = self.0.range(near);
        let on_line = near.filter(|link| link.location.line == location.line);
        let same = on_line.filter_map(|link| {
            let before = link.stands_around(text, &host)?;
            let column = link.location.column + link.begin[..before].chars().count() as u64;
            Some((column.abs_diff(location.column), link.why))
        });
        let nearest = same.min_by_key(|(distance, _)| *distance);
        nearest.map(|(_, why)| why)
    }
}

/// True if a link was left for a reason of its own.
fn is_left(why: &Why) -> bool {
    matches!(why, Why::Left(note) if note.code().starts_with("left-"))
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
        // What follows plain characters may be escaped in the text.
        let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~:/".contains(byte);
        let plain = behind.iter().take_while(|byte| is_plain(byte)).count();
        let rest = text[host.start..].strip_prefix(&behind[..plain])?;
        let goes_on = rest
            .first()
            .is_some_and(|byte| !byte.is_ascii_whitespace() && !b"\"'<>".contains(byte));
        let is_here = text[..host.start].ends_with(front) && (goes_on || plain == behind.len());
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
            region: search
                .field
                .map_or_else(|| Region::new(format), Region::of_field),
            locator: search.place.locator(Charset::UTF_8, 0),
            left: LeftLinks::default(),
            found: LeftBehind::default(),
            cuts_end: 0,
        }
    }

    /// The search that knows links of the document that were left.
    pub fn with_left(self, left: LeftLinks) -> Self {
        Mentions { left, ..self }
    }

    /// Searches the document at the place of the search.
    pub fn of_document(mut self) -> LeftBehind {
        self.read(self.place.bytes());
        self.end()
    }

    /// Reads the next bytes of the document.
    pub fn read(&mut self, bytes: &[u8]) {
        self.push(bytes, false);
        if self.text.len() >= PIECE {
            // Half of the piece is searched at least: what is left would be looked through again with the next bytes.
            // What a host is cut by stays with its beginning, and with enough text to read the rest of the host.
            let half = self.text.len() / 2;
            let whole = self.text.len() - LONGEST_PATH;
            let line = memchr::memrchr(b'\n', &self.text[half..whole]);
            // In a longer line a host and the path behind it stay together.
            let ends = |byte: &u8| matches!(byte, b' ' | b'\t' | b'"' | b'\'' | b'<' | b'>');
            let word = || self.text[half..whole].iter().rposition(ends);
            self.search(line.or_else(word).map_or(whole, |at| half + at + 1));
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
        let hosts = self.hosts;
        let (cuts, cuts_end) = cut::cuts(&text, end, self.cuts_end.saturating_sub(self.origin));
        self.cuts_end = self.origin + cuts_end;
        let mut cuts = cuts
            .into_iter()
            .filter_map(|cut| Self::cut(hosts, &text, cut));
        let mut cut = cuts.next();
        // The word is looked for once: behind most cuts it may be far.
        let mut next = next_word(&text[..end], at, hosts);
        loop {
            if next.as_ref().is_some_and(|word| word.start < at) {
                next = next_word(&text[..end], at, hosts);
            }
            let word = next.clone();
            let is_first = |cut: &(Range<usize>, Arc<str>)| {
                word.as_ref().is_none_or(|word| cut.0.start <= word.start)
            };
            let (place, host, why) = match (cut.take_if(|cut| is_first(cut)), word) {
                (Some((place, host)), _) => {
                    cut = cuts.next();
                    at = at.max(place.end.min(end));
                    (place, host, Some(Why::Cut))
                }
                (None, Some(word)) => {
                    at = word.end;
                    let Some((begin, host, why)) = self.mention(&text, word) else {
                        continue;
                    };
                    (begin..at, host, why)
                }
                (None, None) => break,
            };
            self.region.advance(&text[passed..place.start]);
            passed = place.start;
            self.add(&text, place, (host, why));
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
            // `\n`, `\x2f` and `\057`, `\u002f`.
            Some(b'\\') => &[0, 1, 3, 5],
            _ => &[0],
        };
        let is_escape = |skipped: usize| {
            let escape = || escaped(&text[word.start..]);
            skipped < 3
                || before.last() == Some(&b'%')
                // A letter in front of the host makes it another host.
                || escape().is_some_and(|of| of.1 == skipped && !of.0.is_alphanumeric())
        };
        let mut escapes = escapes.iter().filter(|skipped| is_escape(**skipped));
        escapes.find_map(|skipped| {
            let begin = word.start + skipped;
            let as_written = text.get(begin..word.end)?;
            let name = name_of(as_written, self.hosts.has_idn)?;
            let has = |mark| as_written.contains(&mark);
            let (host, moved) = self.hosts.of(name.trim_matches('.'))?;
            let behind = &text[word.end..text.len().min(word.end + LONGEST_PATH)];
            let (port, rest) = port(behind, scheme_in_front(&text[..begin]));
            // An escaped slash is three bytes.
            let rest = &rest[..rest.len().min(3 * self.hosts.longest_path + 1)];
            // A rule for a part of a site does not concern the other parts.
            let named = named(moved, rest);
            let why = || match () {
                _ if has(b'\\') && is_code(as_written) => Some(Why::StringEscape),
                _ if has(b'\\') || has(b'[') => Some(Why::Pattern),
                _ if has(b'%') => Some(Why::Encoded),
                _ => why(&text[..begin], port, &named),
            };
            let is_other = || is_of_other_host(text, &(begin..word.end));
            let is_left = !named.is_empty() && !is_kept(&named, scheme_in_front(&text[..begin]));
            (is_left && !is_other()).then(|| (begin, Arc::clone(host), why()))
        })
    }

    /// The moved host that is cut, if rules name its part of the site.
    fn cut(hosts: &MovedHosts, text: &[u8], cut: Cut) -> Option<(Range<usize>, Arc<str>)> {
        (2..=cut.ends.len()).rev().find_map(|pieces| {
            let (length, end) = cut.ends[pieces - 1];
            let name = std::str::from_utf8(&cut.name[..length]).ok()?;
            let (host, moved) = hosts.of(name.trim_matches('.'))?;
            let (_, rest) = port(&text[end..text.len().min(end + LONGEST_PATH)], None);
            let rest = &rest[..rest.len().min(3 * hosts.longest_path + 1)];
            (!named(moved, rest).is_empty()).then(|| (cut.begin..end, Arc::clone(host)))
        })
    }

    fn add(&mut self, text: &[u8], at: Range<usize>, (host, why): (Arc<str>, Option<Why>)) {
        let location = self.location(text, self.origin + at.start as u64);
        let in_front = &text[..at.start];
        let is_listed = self.found.mentions.len() < LeftBehind::MOST;
        let (around, host_in_text) = if is_listed {
            around(text, &at)
        } else {
            Default::default()
        };
        let of_link = || is_listed.then(|| self.left.of_mention(text, at, location));
        let place = match self.region.place() {
            MentionPlace::Tag if is_listed && ends_in_handler(in_front) => MentionPlace::Script,
            place => place,
        };
        self.found.add(Mention {
            host,
            location,
            place,
            why: match why {
                None => of_link().flatten(),
                // A name that is a link has the reason of the link.
                Some(Why::NoScheme) => of_link().flatten().filter(is_left).or(why),
                _ => why,
            },
            needs: Vec::new(),
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
        self.mentions.found.has_long_value |= outcome.notes.contains(Note::TooLong);
        self.output.link(outcome, info)
    }

    fn seen(&mut self, links: u64) {
        self.output.seen(links);
    }
}

/// The text around a host on its line, and the host in that text.
fn around(text: &[u8], host: &Range<usize>) -> (String, Range<usize>) {
    let host_end = host.end;
    let mut around = text_in_front(&text[..host.start], Charset::UTF_8).into_owned();
    let begin = around.len();
    around += &String::from_utf8_lossy(&text[host.clone()]);
    let host = begin..around.len();
    around += &text_behind(&text[host_end..], Charset::UTF_8);
    (around, host)
}

/// True if an escape of a host has a number: it is one of strings, not of a regular expression.
fn is_code(host: &[u8]) -> bool {
    let mut escapes = memchr::memchr_iter(b'\\', host);
    escapes.any(|at| !matches!(host.get(at + 1), None | Some(b'.' | b'\\')))
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
    let has_port = moved.iter().any(|moved| moved.port.as_deref() == port);
    match () {
        _ if ends(b"@") && has_user_name(before) => Some(Why::UserName),
        _ if ends(b"@") => Some(Why::Address),
        _ if ends(br"\/") || ends(br"\u002f") => Some(Why::Escaped),
        _ if ends(b"%2f") || ends(b"%252f") => Some(Why::Encoded),
        // Code gives the beginning of the host.
        _ if ends(b".") => None,
        _ if !ends(b"//") && !has_port => Some(Why::OtherPort),
        _ if !ends(b"//") => Some(Why::NoScheme),
        _ if !moved.iter().any(|moved| has_scheme(moved)) => Some(Why::OtherScheme),
        _ if !has_port => Some(Why::OtherPort),
        _ => {
            let before = &before[..before.len() - scheme.map_or(2, |scheme| scheme.len() + 3)];
            is_in_link(before)
                .then_some(Why::InLink)
                .or_else(|| in_markup(before))
        }
    }
}

/// The most bytes of a link in front of a mention.
const LONGEST_LINK: usize = 512;

/// True if the word at the end of a text is the beginning of a link, up to a part of its query or path.
fn is_in_link(before: &[u8]) -> bool {
    let near = &before[before.len().saturating_sub(LONGEST_LINK)..];
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || b"\"'<>()[]{}".contains(byte);
    let word = near.rsplit(is_end).next().unwrap_or_default();
    word.contains(&b'?') || memchr::memmem::find(word, b"://").is_some()
}

/// The most bytes of a tag in front of a URL.
const LONGEST_TAG: usize = 256;

/// The reason that a URL in markup was not moved, from the tag in front of it: identifiers of XML (a namespace, an id
/// of Atom), the visible text of a link, and code are read on request.
fn in_markup(before: &[u8]) -> Option<Why> {
    let tag = &before[before.len().saturating_sub(LONGEST_TAG)..];
    let tag = &tag[memchr::memrchr(b'<', tag)? + 1..];
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b':';
    let name = &tag[..tag.iter().take_while(is_part).count()];
    if !tag.contains(&b'>') {
        let name = tag.strip_suffix(b"\"").or(tag.strip_suffix(b"'"));
        let name = name.and_then(|name| name.strip_suffix(b"="));
        let name = name.and_then(|name| name.rsplit(u8::is_ascii_whitespace).next())?;
        let is_namespace = name == b"xmlns" || name.starts_with(b"xmlns:");
        return is_namespace.then_some(Why::Identifier);
    }
    match &*name.to_ascii_lowercase() {
        b"id" => Some(Why::Identifier),
        // Of RSS: nothing changes one that is no link.
        b"guid" => memchr::memmem::find(tag, b"false")
            .is_none()
            .then_some(Why::Identifier),
        name if name.ends_with(b":id") => Some(Why::Identifier),
        b"a" => Some(Why::LinkText),
        b"code" | b"kbd" | b"samp" | b"xmp" => Some(Why::Code),
        _ => None,
    }
}

/// The most bytes of a user name with its password.
const LONGEST_USER: usize = 256;

/// True if the `@` at the end of a text follows a user name in an authority (`//ann:secret@`), not that of an address.
fn has_user_name(before: &[u8]) -> bool {
    let name = &before[before.len().saturating_sub(LONGEST_USER)..];
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || b"/\"'<>".contains(byte);
    let end = name.iter().rposition(is_end);
    end.is_some_and(|end| name[..=end].ends_with(b"//"))
}

/// The scheme in front of `://`.
fn scheme_in_front(before: &[u8]) -> Option<&str> {
    let name = before.strip_suffix(b"://")?;
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    let len = name.iter().rev().take_while(is_part).count();
    std::str::from_utf8(&name[name.len() - len..]).ok()
}

/// The port behind a host, unless it is the default port of the scheme, and the rest of the text.
fn port<'t>(behind: &'t [u8], scheme: Option<&str>) -> (Option<&'t str>, &'t [u8]) {
    let Some(rest) = behind.strip_prefix(b":") else {
        return (None, behind);
    };
    let len = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let port = std::str::from_utf8(&rest[..len]).ok();
    let is_secure = scheme.is_some_and(|scheme| scheme.ends_with(['s', 'S']));
    let is_default = |port: &&str| match *port {
        "" => true,
        "80" => !is_secure,
        "443" => is_secure || scheme.is_none(),
        _ => false,
    };
    (port.filter(|port| !is_default(port)), &rest[len..])
}
