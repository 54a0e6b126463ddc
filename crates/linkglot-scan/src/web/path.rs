//! Path, query and fragment of a link.

use super::super::context::may_open;
use super::super::lanes::{LANES, Paths};
use super::super::tail::parts_words;
use super::steps::{self, Tail};
use super::{Edge, Web};

/// No link that is judged here has as many bytes behind its host.
const MOST: usize = 2048;

/// What a byte is behind a host.
#[derive(Clone, Copy, PartialEq)]
enum Back {
    /// It belongs to the link.
    Take,
    /// It does if one follows that does.
    Wait,
    /// The same, unless another link begins behind it.
    Comma,
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

static BACK: [Back; 256] = backs();

const fn backs() -> [Back; 256] {
    let mut table = [Back::Wide; 256];
    let mut byte = 0;
    while byte < 0x80 {
        table[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'%' | b'/' => Back::Take,
            b'_' | b'~' | b'=' | b'+' | b'@' | b'$' | b'#' | b'^' => Back::Take,
            b'.' | b'?' | b'!' | b':' => Back::Wait,
            b',' | b';' => Back::Comma,
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

/// A path as far as it is read.
struct Read {
    at: usize,
    /// The end of what belongs to the link.
    end: usize,
    /// The end of the last character beyond ASCII; 0: there is none.
    wide: usize,
}

impl Web<'_, '_> {
    /// The end of path, query and fragment that begin at a position, of a link with `outer` in front of it.
    #[inline(always)]
    pub(super) fn path(&self, at: usize, outer: u8) -> Option<usize> {
        let mut read = Read {
            at,
            end: at,
            wide: 0,
        };
        // Nearly all begin so, and white space ends most of them.
        if self.hay.get(at) == Some(&b'/') {
            self.take_run(&mut read);
        }
        while read.at - at < MOST {
            let Some(&byte) = self.hay.get(read.at) else {
                let ended = self.back == Edge::Whole;
                return ended.then(|| self.read(&read, at, outer))?;
            };
            if byte <= b' ' {
                return self.read(&read, at, outer);
            }
            match BACK[usize::from(byte)] {
                Back::Take => self.take_run(&mut read),
                Back::Wide => {
                    if !self.take_letter(&mut read, outer)? {
                        return self.read(&read, at, outer);
                    }
                }
                Back::Reference if !self.references => read.take(1),
                Back::Wait => read.at += 1,
                Back::Comma if !self.may_begin_link(read.at + 1) => read.at += 1,
                Back::Stop => return self.read(&read, at, outer),
                other => {
                    let ended = self.ends_at(read.at, other, outer);
                    return ended.then(|| self.read(&read, at, outer))?;
                }
            }
        }
        None
    }

    /// The end of what was read from a position on. `None`: the punctuation behind it belongs to it if its context is
    /// closed there.
    #[inline]
    fn read(&self, read: &Read, from: usize, outer: u8) -> Option<usize> {
        self.looked(read.at - from);
        if read.at > read.end && may_open(outer) {
            return None;
        }
        Some(read.end)
    }

    /// Takes an ASCII character that belongs to the link, and all that follow.
    #[inline(always)]
    fn take_run(&self, read: &mut Read) {
        read.take(1);
        let block = |at: usize| self.hay.get(at..)?.first_chunk().map(Paths::of);
        while let Some(first) = block(read.at) {
            let Paths { taken, dots } = match block(read.at + LANES) {
                Some(second) => first.with(second),
                None => first,
            };
            let len = (taken | dots).trailing_ones() as usize;
            // The last byte of them that is no dot; no shift is by as many bits as there are.
            let taken = taken & !((u64::MAX << len) as u32);
            if taken != 0 {
                read.end = read.at + (u32::BITS - taken.leading_zeros()) as usize;
            }
            read.at += len;
            if len < 2 * LANES {
                break;
            }
        }
    }

    /// Takes the character beyond ASCII that follows; whether the link goes on there. `None`: that
    /// is not known.
    #[inline]
    fn take_letter(&self, read: &mut Read, outer: u8) -> Option<bool> {
        let (ch, len) = self.letter(read.at)?;
        let tail = steps::of(ch).tail;
        if tail == Tail::Stop {
            return Some(false);
        }
        let last = match read.at == read.wide {
            true => None,
            false => self.hay.get(read.at - 1),
        };
        let is_word = last.is_some_and(u8::is_ascii_alphanumeric);
        match tail {
            Tail::Mark if last.is_some() => {
                let next = self.hay.get(read.at + len);
                let is_last = next.is_none() && self.back == Edge::Whole;
                let is_behind = is_last || next.is_some_and(|&next| !parts_words(next));
                let ends = is_behind && !may_open(outer);
                return ends.then_some(false);
            }
            Tail::Take => {}
            Tail::Kana if !is_word && last != Some(&b'/') => {}
            Tail::Hangul if !is_word => {}
            _ => return None,
        }
        read.take(len);
        read.wide = read.at;
        Some(true)
    }

    /// Whether `http` may begin here, or more bytes are to come.
    #[inline]
    fn may_begin_link(&self, at: usize) -> bool {
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
            _ => false,
        }
    }
}

impl Read {
    /// Takes the bytes of a character.
    #[inline]
    fn take(&mut self, len: usize) {
        self.at += len;
        self.end = self.at;
    }
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
