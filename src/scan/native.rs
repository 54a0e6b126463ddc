//! Links with letters of a script of their own: `http` or `https`, a host and a path of whatever
//! letters, in a straight loop over the bytes. A character is looked up in one table, which says
//! all of it that matters as long as nothing is opened, quoted or glued.
//!
//! Of everything else this says nothing, and [`Finder`](super::find::Finder) judges it; where it
//! says something, that is what `Finder` says.

mod steps;

use super::web::Edge;
use super::{Profile, Scanner};
use crate::ascii;
use crate::charset::Charset;
use std::ops::Range;
use steps::{ASCII, Host, LETTERS, Step, TAKEN, Tail};

#[cfg(test)]
use std::cell::Cell;

/// No link that is judged here has as many bytes, and no host.
const MOST: usize = 2048;
const MOST_HOST: usize = 256;
/// How much white space may stand between `<URL:` and a link.
const MOST_SPACE: usize = 8;

/// How the bytes are read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    pub(super) charset: Charset,
    /// Whether each ASCII byte is a character of its own.
    pub(super) exact: bool,
    /// Whether `&` may begin a reference.
    pub(super) references: bool,
}

/// The bytes of a text, or a window of them, whose links are looked for.
pub(super) struct Natives<'h, 's> {
    hay: &'h [u8],
    front: Edge,
    back: Edge,
    scanner: &'s Scanner,
    reading: Reading,
    /// How many bytes were looked at: what the linearity tests measure.
    #[cfg(test)]
    pub(super) steps: Cell<u64>,
}

/// A link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Native {
    pub(super) range: Range<usize>,
    /// The end of what was looked at: well-formed in UTF-8, or else nothing is said of a link.
    pub(super) seen: usize,
}

/// Characters beyond ASCII.
trait Letters: Copy {
    /// The first character of bytes, and its length in them.
    fn first(self, bytes: &[u8]) -> Option<(u32, usize)>;
}

/// Those of UTF-8, as far as they have two or three bytes. What is not well-formed is no matter.
#[derive(Clone, Copy)]
struct Utf8;

impl Letters for Utf8 {
    #[inline(always)]
    fn first(self, bytes: &[u8]) -> Option<(u32, usize)> {
        let bits = |byte: u8| u32::from(byte & 0x3F);
        match *bytes {
            [a @ 0xE0..=0xEF, b, c, ..] => {
                Some((u32::from(a & 0xF) << 12 | bits(b) << 6 | bits(c), 3))
            }
            [a @ 0xC2..=0xDF, b, ..] => Some((u32::from(a & 0x1F) << 6 | bits(b), 2)),
            _ => None,
        }
    }
}

impl Letters for Charset {
    #[inline(always)]
    fn first(self, bytes: &[u8]) -> Option<(u32, usize)> {
        let (ch, len) = self.letter(bytes)?;
        Some((u32::from(ch), len))
    }
}

/// A host, and how far was looked.
struct Authority {
    end: usize,
    seen: usize,
}

impl<'h, 's> Natives<'h, 's> {
    /// `None`: the scanner's settings are none that this knows.
    pub(super) fn new(
        hay: &'h [u8],
        (front, back): (Edge, Edge),
        scanner: &'s Scanner,
        reading: Reading,
    ) -> Option<Self> {
        let known = scanner.profile != Profile::Uts58
            && scanner.breaks().is_empty()
            && !scanner.refuses_schemes();
        known.then_some(Natives {
            hay,
            front,
            back,
            scanner,
            reading,
            #[cfg(test)]
            steps: Cell::new(0),
        })
    }

    /// The link whose scheme ends with a colon at `colon`, if it is one that is known at once. No
    /// link may begin in front of `floor`.
    #[inline]
    pub(super) fn link(&self, colon: usize, floor: usize) -> Option<Native> {
        let host = colon + 3;
        if self.hay.get(colon..host)? != b"://" {
            return None;
        }
        let start = self.start(colon)?;
        if !self.begins(start, floor) {
            return None;
        }
        match self.reading.charset == Charset::UTF_8 {
            true => self.link_in(Utf8, start, host),
            false => self.link_in(self.reading.charset, start, host),
        }
    }

    fn link_in(&self, letters: impl Letters, start: usize, at: usize) -> Option<Native> {
        let host = self.host(letters, at)?;
        let (end, seen) = match self.hay.get(host.end) {
            Some(b'/' | b'?' | b'#') => self.tail(letters, host.end)?,
            _ => (host.end, host.seen),
        };
        (seen - start < MOST).then_some(Native {
            range: start..end,
            seen,
        })
    }

    /// The begin of `http` or `https` in front of a colon.
    #[inline]
    fn start(&self, colon: usize) -> Option<usize> {
        let is_http = |end: usize| {
            let name = self.hay.get(end.checked_sub(4)?..end)?;
            name.eq_ignore_ascii_case(b"http").then(|| end - 4)
        };
        match self.hay.get(colon.checked_sub(1)?)? {
            b's' | b'S' => is_http(colon - 1),
            _ => is_http(colon),
        }
    }

    /// Whether the scheme begins at a position, and what is in front of it does not matter.
    #[inline]
    fn begins(&self, start: usize, floor: usize) -> bool {
        let Some(before) = start.checked_sub(1) else {
            return floor == 0 && self.front == Edge::Whole;
        };
        let byte = self.hay.get(before).copied().unwrap_or(0);
        start > floor
            && match byte {
                b' ' | b'\n' | b'\t' | b'\r' | 0x0C => self.is_outside_brackets(before),
                // Parts of the scheme, `<http:` and `<URL:http:`.
                b'+' | b'-' | b'.' | b'<' | b':' => false,
                // Marks of emphasis, which end the link where they are found again.
                b'*' | b'=' => false,
                b';' | b'&' | b'#' => !self.reading.references,
                0x80.. => self.is_char(start) && !self.is_behind_sign(start),
                _ if ascii::is_safe(byte) => true,
                // The last byte of another character, perhaps.
                _ if !self.is_char(before) => !self.is_behind_sign(start),
                _ => !byte.is_ascii_alphanumeric() && !matches!(byte, b'_' | b'~' | b'|' | b'\\'),
            }
    }

    /// Whether a sign may stand in front of a position, which would end the link where it, or what closes it, is found.
    fn is_behind_sign(&self, start: usize) -> bool {
        let before = self.hay.get(start.saturating_sub(4)..start).unwrap_or(&[]);
        if self.reading.charset == Charset::UTF_8 {
            // Symbols, full-width forms and what is beyond the first plane.
            return matches!(before, [.., 0xE2 | 0xEF, _, _] | [0xF0..=0xFF, _, _, _]);
        }
        let pair = before.last_chunk().copied();
        let sign = pair.and_then(|pair| self.reading.charset.pair(pair));
        sign.is_some_and(|sign| !sign.is_alphanumeric())
    }

    /// Whether the ASCII byte at a position is a character.
    #[inline]
    fn is_char(&self, at: usize) -> bool {
        self.reading.exact || self.reading.charset.is_char_at(self.hay, at)
    }

    /// Whether the white space that ends with `space` does not stand behind `<` or `<URL:`.
    #[inline]
    fn is_outside_brackets(&self, space: usize) -> bool {
        let first = space.saturating_sub(MOST_SPACE);
        let before = self.hay.get(first..space).unwrap_or(&[]);
        match before.iter().rfind(|byte| !ascii::is_space(**byte)) {
            Some(b'<') => false,
            Some(b':') => !self.may_be_mark(before),
            Some(b';') => !self.reading.references,
            Some(_) => true,
            None => first > 0 || self.front == Edge::Whole,
        }
    }

    /// Whether the last colon may end `<URL:`.
    fn may_be_mark(&self, before: &[u8]) -> bool {
        let colon = memchr::memrchr(b':', before);
        let last = colon.and_then(|colon| before.get(colon.checked_sub(1)?));
        matches!(last, None | Some(b'l' | b'L' | b';'))
    }

    /// The step of the character at a position, and its end. `None`: it is not known.
    #[inline(always)]
    fn step(&self, letters: impl Letters, at: usize, byte: u8) -> Option<(Step, usize)> {
        if let Some(&step) = ASCII.get(usize::from(byte)) {
            return Some((step, at + 1));
        }
        let (ch, len) = letters.first(self.hay.get(at..)?)?;
        Some((steps::of(ch), at + len))
    }

    /// The host at a position.
    #[inline(always)]
    fn host(&self, letters: impl Letters, at: usize) -> Option<Authority> {
        let (mut end, mut label, mut last) = (at, at, Host::Dot);
        let mut is_glued = false;
        let seen = loop {
            let Some(&byte) = self.hay.get(end) else {
                break (self.back == Edge::Whole).then_some(end)?;
            };
            if LETTERS[usize::from(byte)] {
                (end, last) = (self.run(end, &LETTERS), Host::Letter);
                continue;
            }
            let (step, next) = self.step(letters, end, byte)?;
            match step.host {
                Host::Letter => {}
                Host::Glue => is_glued = true,
                Host::Hyphen if last != Host::Dot => {}
                Host::Dot if !matches!(last, Host::Dot | Host::Hyphen) => label = next,
                Host::End => break next,
                _ => return None,
            }
            (end, last) = (next, step.host);
        };
        self.looked(seen - at);
        let is_host = !matches!(last, Host::Dot | Host::Hyphen) && end - at < MOST_HOST;
        let is_whole = is_host && (!is_glued || self.is_top_level(label..end));
        is_whole.then_some(Authority { end, seen })
    }

    /// Whether a label is a known top-level domain, so that no words are glued to the host.
    fn is_top_level(&self, label: Range<usize>) -> bool {
        let label = self.hay.get(label).unwrap_or(&[]);
        let tlds = self.scanner.tlds();
        if label.is_ascii() {
            return tlds.contains_ascii(label);
        }
        let name = std::str::from_utf8(label).ok();
        name.is_some_and(|name| self.reading.charset == Charset::UTF_8 && tlds.contains(name))
    }

    /// The end of path, query and fragment that begin at a position, and how far was looked.
    #[inline(always)]
    fn tail(&self, letters: impl Letters, at: usize) -> Option<(usize, usize)> {
        let (mut end, mut i, mut last) = (at, at, b'/');
        let seen = loop {
            let Some(&byte) = self.hay.get(i) else {
                break (self.back == Edge::Whole).then_some(i)?;
            };
            if TAKEN[usize::from(byte)] {
                i = self.run(i, &TAKEN);
                (end, last) = (i, self.hay.get(i - 1).copied()?);
                continue;
            }
            let (step, next) = self.step(letters, i, byte)?;
            if step.tail == Tail::Take {
                (i, end, last) = (next, next, byte);
                continue;
            }
            match step.tail {
                Tail::Wait => {}
                Tail::Stop => break next,
                Tail::Mark if last.is_ascii() => break next,
                Tail::Kana if !last.is_ascii_alphanumeric() && last != b'/' => end = next,
                Tail::Hangul if !last.is_ascii_alphanumeric() => end = next,
                Tail::Reference if !self.reading.references => end = next,
                Tail::Clause if !self.may_be_link(next) => {}
                _ => return None,
            }
            (i, last) = (next, byte);
        };
        self.looked(seen - at);
        Some((end, seen))
    }

    /// The end of the run of such bytes at a position.
    #[inline(always)]
    fn run(&self, at: usize, such: &[bool; 256]) -> usize {
        let rest = self.hay.get(at..).unwrap_or(&[]);
        let end = rest.iter().position(|&byte| !such[usize::from(byte)]);
        at + end.unwrap_or(rest.len())
    }

    /// Whether another link may begin here, or more bytes are to come.
    #[inline]
    fn may_be_link(&self, at: usize) -> bool {
        match self.hay.get(at) {
            Some(byte) => matches!(byte, b'h' | b'H'),
            None => self.back == Edge::Cut,
        }
    }

    #[inline]
    fn looked(&self, _bytes: usize) {
        #[cfg(test)]
        self.steps.set(self.steps.get() + _bytes as u64);
    }
}
