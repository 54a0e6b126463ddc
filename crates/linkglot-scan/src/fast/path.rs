//! Path, query and fragment of a link.

use super::super::context::may_open;
use super::super::tail::parts_words;
use super::super::vectors::{LANES, PathBits};
use super::wide_chars::{self, InPath};
use super::{Edge, FastFinder};

/// No link that is judged here has as many bytes behind its host.
const MAX_PATH: usize = 2048;

/// What a byte is behind a host.
#[derive(Clone, Copy, PartialEq)]
enum PathByte {
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

static PATH_BYTES: [PathByte; 256] = path_bytes();

const fn path_bytes() -> [PathByte; 256] {
    let mut table = [PathByte::Wide; 256];
    let mut byte = 0;
    while byte < 0x80 {
        table[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'%' | b'/' => PathByte::Take,
            b'_' | b'~' | b'=' | b'+' | b'@' | b'$' | b'#' | b'^' => PathByte::Take,
            b'.' | b'?' | b'!' | b':' => PathByte::Wait,
            b',' | b';' => PathByte::Comma,
            // Nothing that opened in the link is left to be closed.
            0..=b' ' | 0x7F | b')' | b']' | b'}' | b'>' => PathByte::Stop,
            b'"' => PathByte::Quote,
            b'\'' => PathByte::Apostrophe,
            b'<' => PathByte::Tag,
            b'&' => PathByte::Reference,
            _ => PathByte::Unsure,
        };
        byte += 1;
    }
    table
}

/// A path as far as it is read.
struct Progress {
    at: usize,
    /// The end of what belongs to the link.
    end: usize,
    /// The end of the last character beyond ASCII; 0: there is none.
    wide: usize,
}

impl FastFinder<'_, '_> {
    /// The end of path, query and fragment that begin at a position, of a link with `outer` in front of it.
    #[inline(always)]
    pub(super) fn path(&self, at: usize, outer: u8) -> Option<usize> {
        let mut progress = Progress {
            at,
            end: at,
            wide: 0,
        };
        // Nearly all begin so, and white space ends most of them.
        if self.bytes.get(at) == Some(&b'/') {
            self.take_run(&mut progress);
        }
        while progress.at - at < MAX_PATH {
            let Some(&byte) = self.bytes.get(progress.at) else {
                let ended = self.end_edge == Edge::Whole;
                return ended.then(|| self.end_of(&progress, at, outer))?;
            };
            if byte <= b' ' {
                return self.end_of(&progress, at, outer);
            }
            match PATH_BYTES[usize::from(byte)] {
                PathByte::Take => self.take_run(&mut progress),
                PathByte::Wide => {
                    if !self.take_wide_char(&mut progress, outer)? {
                        return self.end_of(&progress, at, outer);
                    }
                }
                PathByte::Reference if !self.references => progress.take(1),
                PathByte::Wait => progress.at += 1,
                PathByte::Comma if !self.may_begin_link(progress.at + 1) => progress.at += 1,
                PathByte::Stop => return self.end_of(&progress, at, outer),
                other => {
                    let ended = self.ends_at(progress.at, other, outer);
                    return ended.then(|| self.end_of(&progress, at, outer))?;
                }
            }
        }
        None
    }

    /// The end of what was read from a position on. `None`: the punctuation behind it belongs to it if its context is
    /// closed there.
    #[inline]
    fn end_of(&self, progress: &Progress, from: usize, outer: u8) -> Option<usize> {
        self.count_steps(progress.at - from);
        if progress.at > progress.end && may_open(outer) {
            return None;
        }
        Some(progress.end)
    }

    /// Takes an ASCII character that belongs to the link, and all that follow.
    #[inline(always)]
    fn take_run(&self, progress: &mut Progress) {
        progress.take(1);
        let block = |at: usize| self.bytes.get(at..)?.first_chunk().map(PathBits::of);
        while let Some(first) = block(progress.at) {
            let PathBits { taken, dots } = match block(progress.at + LANES) {
                Some(second) => first.with(second),
                None => first,
            };
            let len = (taken | dots).trailing_ones() as usize;
            // The last byte of them that is no dot; no shift is by as many bits as there are.
            let taken = taken & !((u64::MAX << len) as u32);
            if taken != 0 {
                progress.end = progress.at + (u32::BITS - taken.leading_zeros()) as usize;
            }
            progress.at += len;
            if len < 2 * LANES {
                break;
            }
        }
    }

    /// Takes the character beyond ASCII that follows; whether the link goes on there. `None`: that
    /// is not known.
    #[inline]
    fn take_wide_char(&self, progress: &mut Progress, outer: u8) -> Option<bool> {
        let (ch, len) = self.wide_char(progress.at)?;
        let in_path = wide_chars::lookup(ch).in_path;
        if in_path == InPath::Stop {
            return Some(false);
        }
        let last = match progress.at == progress.wide {
            true => None,
            false => self.bytes.get(progress.at - 1),
        };
        let is_word = last.is_some_and(u8::is_ascii_alphanumeric);
        match in_path {
            InPath::Mark if last.is_some() => {
                let next = self.bytes.get(progress.at + len);
                let is_last = next.is_none() && self.end_edge == Edge::Whole;
                let is_behind = is_last || next.is_some_and(|&next| !parts_words(next));
                let ends = is_behind && !may_open(outer);
                return ends.then_some(false);
            }
            InPath::Take => {}
            InPath::Kana if !is_word && last != Some(&b'/') => {}
            InPath::Hangul if !is_word => {}
            _ => return None,
        }
        progress.take(len);
        progress.wide = progress.at;
        Some(true)
    }

    /// Whether `http` may begin here, or more bytes are to come.
    #[inline]
    fn may_begin_link(&self, at: usize) -> bool {
        match self.bytes.get(at) {
            Some(byte) => matches!(byte, b'h' | b'H'),
            None => self.end_edge == Edge::Cut,
        }
    }

    /// Whether a link certainly ends in front of a byte that mostly ends links.
    fn ends_at(&self, at: usize, byte: PathByte, outer: u8) -> bool {
        let next = self.bytes.get(at + 1);
        match byte {
            PathByte::Quote => outer == b'"',
            PathByte::Apostrophe => outer == b'\'' && next.is_some_and(|&b| ends_behind_quote(b)),
            PathByte::Tag => {
                next.is_some_and(|b| b.is_ascii_alphabetic() || matches!(b, b'/' | b'!'))
            }
            _ => false,
        }
    }
}

impl Progress {
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
