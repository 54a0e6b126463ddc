//! What nearly every link is: `http` or `https`, a host and a path in ASCII, between characters that
//! say at once that it begins and ends there. Such a link is judged by tables of the 256 bytes,
//! without a text and in whatever charset. Of everything else this says nothing, and
//! [`Finder`](super::find::Finder) judges it; where it says something, that is what `Finder` says.

mod bare;
#[cfg(test)]
mod tests;

use super::control;
use super::lists::Names;
use super::{Kind, Profile, Scanner};
use crate::ascii;
use crate::charset::Charset;
use std::ops::Range;

#[cfg(test)]
use std::cell::Cell;

/// No host that is judged here has as many bytes, and no link as many behind its host.
const MOST: usize = 512;
/// How many bytes behind a host are looked at in one step.
const BLOCK: usize = 8;
/// How much white space may stand between `<URL:` and a link.
const MOST_SPACE: usize = 8;

/// Whether there are bytes beyond an end of those that are seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edge {
    /// There are none.
    Whole,
    /// There may be.
    Cut,
}

/// The bytes of a text, or a window of them, whose links are looked for.
pub(super) struct Web<'h, 's> {
    hay: &'h [u8],
    front: Edge,
    back: Edge,
    charset: Charset,
    /// Whether each ASCII byte is a character of its own.
    exact: bool,
    /// Whether `&` may begin a reference.
    references: bool,
    /// The top-level domains, where domains without a scheme are links.
    tlds: Option<&'s Names>,
    /// How many bytes were looked at: what the linearity tests measure.
    #[cfg(test)]
    pub(super) steps: Cell<u64>,
}

/// What may stand in front of a link.
#[derive(Clone, Copy, PartialEq)]
enum Front {
    /// Nothing that changes its judgement.
    Free,
    /// White space, in front of which `<URL:` may stand.
    Space,
    /// No safe byte: free if it is a character of its own.
    Trail,
    /// Part of a character, or a character, beyond ASCII.
    Wide,
    /// It may end a reference, if there are any.
    Reference,
    /// More must be known.
    Unsure,
}

/// What a byte is behind a host. The first two need no look at anything else.
#[derive(Clone, Copy, PartialEq)]
#[repr(u8)]
enum Back {
    /// It belongs to the link.
    Take = 0,
    /// It does if one follows that does.
    Wait = 1,
    /// The same, unless another link begins behind it.
    Clause,
    /// The link ends in front of it.
    Stop,
    /// The quote that ends what it began.
    Quote,
    /// The quote that is an apostrophe too.
    Apostrophe,
    /// It begins a tag, perhaps.
    Tag,
    /// It belongs to the link or begins a reference.
    Reference,
    /// A character beyond ASCII.
    Wide,
    /// More must be known.
    Unsure,
}

/// What a byte is in a host.
#[derive(Clone, Copy, PartialEq)]
enum Inner {
    Letter,
    Hyphen,
    Dot,
    /// None of it.
    Outside,
}

static FRONT: [Front; 256] = fronts();
static INNER: [Inner; 256] = inners();
static BACK: [Back; 256] = backs();

const fn fronts() -> [Front; 256] {
    let mut table = [Front::Wide; 256];
    let mut byte = 0;
    while byte < 0x80 {
        let at = byte as u8;
        table[byte] = match at {
            b'\t' | b'\n' | 0x0C | b'\r' | b' ' => Front::Space,
            // Parts of the scheme, `<http:` and `<URL:http:`.
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'+' | b'-' | b'.' | b'<' | b':' => {
                Front::Unsure
            }
            // Marks of emphasis and bars, which end the link where they are found again.
            b'*' | b'_' | b'~' | b'=' | b'|' | b'\\' => Front::Unsure,
            b';' | b'&' | b'#' => Front::Reference,
            _ if control::introduces(at) => Front::Unsure,
            _ if ascii::is_safe(at) => Front::Free,
            _ => Front::Trail,
        };
        byte += 1;
    }
    table
}

const fn inners() -> [Inner; 256] {
    let mut table = [Inner::Outside; 256];
    let mut byte = 0;
    while byte < 0x80 {
        table[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => Inner::Letter,
            b'-' => Inner::Hyphen,
            b'.' => Inner::Dot,
            _ => Inner::Outside,
        };
        byte += 1;
    }
    table
}

const fn backs() -> [Back; 256] {
    let mut table = [Back::Wide; 256];
    let mut byte = 0;
    while byte < 0x80 {
        table[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'%' | b'/' => Back::Take,
            b'_' | b'~' | b'=' | b'+' | b'@' | b'$' | b'#' | b'^' => Back::Take,
            b'.' | b'?' | b'!' | b':' => Back::Wait,
            b',' | b';' => Back::Clause,
            // Nothing that opened in the link is left to be closed.
            0..=b' ' | 0x7F | b')' | b']' | b'}' | b'>' => Back::Stop,
            b'"' => Back::Quote,
            b'\'' => Back::Apostrophe,
            b'<' => Back::Tag,
            b'&' => Back::Reference,
            _ => Back::Unsure,
        };
        byte += 1;
    }
    table
}

/// A host with its port.
struct Host {
    end: usize,
    /// Whether a path, a query or a fragment follows.
    open: bool,
}

impl<'h, 's> Web<'h, 's> {
    /// `None`: the scanner's settings are none that this knows.
    pub(super) fn new(
        hay: &'h [u8],
        edges: (Edge, Edge),
        scanner: &'s Scanner,
        charset: Charset,
    ) -> Option<Self> {
        let (front, back) = edges;
        let known = scanner.profile != Profile::Uts58
            && scanner.breaks().is_empty()
            && !scanner.refuses_schemes();
        known.then_some(Web {
            hay,
            front,
            back,
            charset,
            exact: true,
            references: false,
            tlds: (scanner.profile == Profile::Extended).then(|| scanner.tlds()),
            #[cfg(test)]
            steps: Cell::new(0),
        })
    }

    /// The same where ASCII bytes may be trails, unless `exact`, and with `references`.
    pub(super) fn in_bytes(self, exact: bool, references: References) -> Self {
        Web {
            exact,
            references: references == References::Some,
            ..self
        }
    }

    /// The link that the trigger character at `at` is part of, if it is one that is known at once.
    /// No link may begin in front of `floor`.
    #[inline]
    pub(super) fn link(&self, at: usize, floor: usize) -> Option<(Range<usize>, Kind)> {
        match self.hay.get(at)? {
            b':' => Some((self.absolute(at, floor)?, Kind::Absolute)),
            b'.' => self.bare(at, floor),
            _ => None,
        }
    }

    /// The link whose scheme ends with the colon at `colon`.
    #[inline]
    fn absolute(&self, colon: usize, floor: usize) -> Option<Range<usize>> {
        let host = colon + 3;
        if self.hay.get(colon + 1..host)? != b"//" {
            return None;
        }
        let start = self.start(colon)?;
        let outer = self.outer(start, floor)?;
        let host = self.host(host)?;
        let end = match host.open {
            true => self.tail_end(host.end, outer)?,
            false => host.end,
        };
        Some(start..end)
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

    /// The byte in front of a link, if it and what is in front of it leave the link alone; 0: none.
    #[inline]
    fn outer(&self, start: usize, floor: usize) -> Option<u8> {
        let Some(before) = start.checked_sub(1) else {
            return (self.front == Edge::Whole && floor == 0).then_some(0);
        };
        let byte = *self.hay.get(before)?;
        let is_free = start > floor
            && match FRONT[usize::from(byte)] {
                Front::Free => true,
                Front::Space => self.is_outside_brackets(before),
                Front::Trail => self.exact || self.is_trail(before),
                Front::Wide => self.exact || self.charset.is_char_at(self.hay, start),
                Front::Reference => !self.references,
                Front::Unsure => !self.exact && self.is_trail(before),
            };
        let controlled =
            || control::may_stand_in(byte) && self.may_be_controlled(start) != Some(false);
        (is_free && !controlled()).then_some(byte)
    }

    /// Whether an ASCII byte is the last of a character.
    fn is_trail(&self, at: usize) -> bool {
        let may_be = self
            .hay
            .get(at)
            .is_some_and(|byte| matches!(byte, 0x40..=0x7E));
        may_be && !self.charset.is_char_at(self.hay, at)
    }

    /// Whether the white space that ends with `space` does not stand behind `<` or `<URL:`.
    #[inline]
    fn is_outside_brackets(&self, space: usize) -> bool {
        let mut at = space;
        for _ in 1..MOST_SPACE {
            match at.checked_sub(1).and_then(|at| self.hay.get(at)) {
                Some(&byte) if ascii::is_space(byte) => at -= 1,
                _ => break,
            }
        }
        match at.checked_sub(1).and_then(|at| self.hay.get(at)) {
            None => self.front == Edge::Whole,
            Some(b'<') => false,
            Some(b':') => {
                let last = at.checked_sub(2).and_then(|at| self.hay.get(at));
                !matches!(last, Some(b'l' | b'L' | b';') | None)
            }
            Some(b';') => !self.references,
            Some(_) => true,
        }
    }

    /// The host at a position.
    #[inline]
    fn host(&self, at: usize) -> Option<Host> {
        let rest = self.hay.get(at..)?;
        let rest = rest.get(..MOST).unwrap_or(rest);
        let (mut len, mut last) = (0, Inner::Dot);
        loop {
            let letters = run(rest, len);
            if letters > len {
                (len, last) = (letters, Inner::Letter);
            }
            let inner = rest.get(len).map(|byte| INNER[usize::from(*byte)]);
            last = match inner {
                Some(Inner::Hyphen) if last != Inner::Dot => Inner::Hyphen,
                Some(Inner::Dot) if last == Inner::Letter => Inner::Dot,
                Some(Inner::Hyphen | Inner::Dot) => return None,
                _ => break,
            };
            len += 1;
        }
        self.looked(len);
        let byte = rest.get(len).copied();
        match last {
            Inner::Letter if len < MOST => self.behind_host(at + len, byte),
            // The dot of a sentence.
            Inner::Dot if len > 0 && self.is_end(byte)? => Some(Host {
                end: at + len - 1,
                open: false,
            }),
            _ => None,
        }
    }

    /// The host that ends in front of a byte.
    #[inline]
    fn behind_host(&self, end: usize, byte: Option<u8>) -> Option<Host> {
        let open = match byte {
            Some(b'/' | b'?' | b'#') => true,
            Some(b'"' | b'>' | b')') => false,
            Some(b',') if self.is_end(self.hay.get(end + 1).copied())? => false,
            Some(b':') => return self.port(end),
            byte if self.is_end(byte)? => false,
            _ => return None,
        };
        Some(Host { end, open })
    }

    /// The host with the port at a position.
    fn port(&self, colon: usize) -> Option<Host> {
        let digits = self.hay.get(colon + 1..)?.iter().take(6);
        let mut end = colon + 1;
        let mut port = 0;
        for digit in digits.take_while(|byte| byte.is_ascii_digit()) {
            port = port * 10 + u32::from(digit - b'0');
            end += 1;
        }
        let is_port = end > colon + 1 && end < colon + 7 && port <= 65_535;
        if !is_port {
            return None;
        }
        let open = match self.hay.get(end) {
            Some(b'/' | b'?' | b'#') => true,
            Some(b'"' | b'>') => false,
            byte if self.is_end(byte.copied())? => false,
            _ => return None,
        };
        Some(Host { end, open })
    }

    /// Whether a byte, or the end of all, ends every link; `None`: it is not seen.
    #[inline]
    fn is_end(&self, byte: Option<u8>) -> Option<bool> {
        match byte {
            Some(byte) => Some(byte <= b' ' || byte == 0x7F),
            None => (self.back == Edge::Whole).then_some(true),
        }
    }

    /// The end of path, query and fragment that begin at a position, of a link with `outer` in
    /// front of it.
    #[inline]
    fn tail_end(&self, at: usize, outer: u8) -> Option<usize> {
        let rest = self.hay.get(at..)?;
        let rest = rest.get(..MOST).unwrap_or(rest);
        let (blocks, _) = rest.as_chunks::<BLOCK>();
        let is_plain = |block: &&[u8; BLOCK]| {
            let seen = block
                .iter()
                .fold(0, |seen, byte| seen | BACK[usize::from(*byte)] as u8);
            seen <= Back::Wait as u8
        };
        let plain = BLOCK * blocks.iter().take_while(is_plain).count();
        let (mut len, mut taken) = (plain, plain);
        while taken > 0 && BACK[usize::from(rest[taken - 1])] != Back::Take {
            taken -= 1;
        }
        let ended = loop {
            let Some(&byte) = rest.get(len) else {
                break self.back == Edge::Whole;
            };
            match BACK[usize::from(byte)] {
                Back::Take => taken = len + 1,
                Back::Reference if !self.references => taken = len + 1,
                Back::Wait => {}
                Back::Clause if !self.begins_link(at + len + 1) => {}
                Back::Stop => break true,
                other => break self.ends_at(at + len, other, outer),
            }
            len += 1;
        };
        self.looked(len);
        (ended && len < MOST).then_some(at + taken)
    }

    /// Whether another link may begin here, or more bytes are to come.
    #[inline]
    fn begins_link(&self, at: usize) -> bool {
        match self.hay.get(at) {
            Some(byte) => matches!(byte, b'h' | b'H'),
            None => self.back == Edge::Cut,
        }
    }

    /// Whether a link certainly ends in front of a byte that mostly ends links.
    fn ends_at(&self, at: usize, byte: Back, outer: u8) -> bool {
        let next = self.hay.get(at + 1);
        match byte {
            Back::Quote => outer == b'"',
            Back::Apostrophe => outer == b'\'' && next.is_some_and(|&b| ends_behind_quote(b)),
            Back::Tag => next.is_some_and(|b| b.is_ascii_alphabetic() || matches!(b, b'/' | b'!')),
            Back::Wide => self.wide(at).is_some_and(is_stop),
            _ => false,
        }
    }

    /// The character beyond ASCII at a position, if it is one of those that are looked up quickly.
    fn wide(&self, at: usize) -> Option<char> {
        let bytes = self.hay.get(at..)?;
        if self.charset != Charset::UTF_8 {
            return self.charset.pair(*bytes.first_chunk()?);
        }
        let len = match bytes.first()? {
            0xC2..=0xDF => 2,
            0xE0..=0xEF => 3,
            _ => return None,
        };
        Charset::as_text(bytes.get(..len)?)?.chars().next()
    }

    #[inline]
    fn looked(&self, _bytes: usize) {
        #[cfg(test)]
        self.steps.set(self.steps.get() + _bytes as u64);
    }
}

/// The end of the run of letters and digits at a position.
#[inline(always)]
fn run(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(&byte) = bytes.get(at)
        && INNER[usize::from(byte)] == Inner::Letter
    {
        at += 1;
    }
    at
}

/// Whether bytes may hold references.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum References {
    /// `&` is a character.
    None,
    /// `&` may begin one.
    Some,
}

/// Whether an ASCII byte behind a closing `'` is none that a word or a link goes on with.
fn ends_behind_quote(byte: u8) -> bool {
    byte.is_ascii()
        && !byte.is_ascii_alphanumeric()
        && !matches!(
            byte,
            b'/' | b'%'
                | b'-'
                | b'_'
                | b'='
                | b'&'
                | b'#'
                | b'~'
                | b'+'
                | b'@'
                | b'('
                | b'['
                | b'{'
        )
}

/// Whether a link whose last character is of ASCII ends in front of this one, whatever follows: marks
/// of sentences, closing brackets and quotes.
fn is_stop(ch: char) -> bool {
    matches!(
        ch,
        '、' | '。' | '，' | '．' | '！' | '？' | '；' | '：' | '\u{3000}' | '”' | '»' | '›'
    ) || matches!(
        ch,
        '）' | '］' | '｝' | '」' | '』' | '】' | '》' | '〉' | '〕'
    )
}
