//! Path, query and fragment of a link.

use super::super::classes::{CLOSE, HARD, INCLUDE, SOFT, TERM, ascii_class};
use super::super::context::{is_quote, may_open};
use super::super::tail::{continues_link, parts_words};
use super::super::vectors::{LANES, PathBits};
use super::wide_chars::{self, InPath};
use super::{Edge, FastFinder};

/// The most bytes of a tail; longer ones are left to the finder.
const MAX_PATH: usize = 2048;

/// The most bytes of a character reference that ends a link.
const MAX_REFERENCE: usize = 6;

/// Meaning of a byte behind a host.
#[derive(Clone, Copy, PartialEq)]
enum PathByte {
    /// Belongs to the link.
    Take,
    /// Belongs to the link if more of the link follows.
    Wait,
    /// As `Wait`, unless another link begins behind the comma.
    Comma,
    /// Ends the link.
    Stop,
    /// Ends the link if another one stands in front of the link.
    Quote,
    /// As `Quote`, unless the mark is an apostrophe.
    Apostrophe,
    /// May begin a tag, which ends the link.
    Tag,
    /// May begin a character reference.
    Reference,
    /// Part of a character beyond ASCII.
    Wide,
    /// The finder must decide.
    Unsure,
}

static PATH_BYTES: [PathByte; 256] = path_bytes();

const fn path_bytes() -> [PathByte; 256] {
    let mut table = [PathByte::Wide; 256];
    let mut byte = 0;
    while byte < 0x80 {
        table[byte] = match byte as u8 {
            b',' | b';' => PathByte::Comma,
            b'"' => PathByte::Quote,
            b'\'' => PathByte::Apostrophe,
            b'<' => PathByte::Tag,
            b'&' => PathByte::Reference,
            // Marks of emphasis, escapes and bars depend on the context.
            b'*' | b'`' | b'|' | b'\\' => PathByte::Unsure,
            byte => match ascii_class(byte) & TERM {
                INCLUDE => PathByte::Take,
                SOFT => PathByte::Wait,
                // The link has no open bracket.
                HARD | CLOSE => PathByte::Stop,
                _ => PathByte::Unsure,
            },
        };
        byte += 1;
    }
    table
}

/// A path as far as it has been read.
struct Progress {
    at: usize,
    /// The end of the bytes that belong to the link.
    end: usize,
    /// The end of the last character beyond ASCII; 0 if there is none.
    wide_end: usize,
}

impl FastFinder<'_, '_> {
    /// The end of the path, query and fragment that begin at `at`. `outer` is the byte in front of the link.
    #[inline(always)]
    pub(super) fn path(&self, at: usize, outer: u8) -> Option<usize> {
        let mut progress = Progress {
            at,
            end: at,
            wide_end: 0,
        };
        // Nearly all paths begin with `/`, and white space ends most of them.
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
                PathByte::Reference if !self.may_be_reference(progress.at) => progress.take(1),
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

    /// The end of the link. `None`: the finder must decide, because the context may close behind the next characters,
    /// or hyphens at the end may belong to `-->` or to the end of the line.
    #[inline]
    fn end_of(&self, progress: &Progress, from: usize, outer: u8) -> Option<usize> {
        self.count_steps(progress.at - from);
        let stop = self.bytes.get(progress.at).copied().unwrap_or_default();
        let may_close =
            may_open(outer) && (stop >= 0x80 || progress.at > progress.end && !is_quote(outer));
        let is_hyphen = matches!(stop, b'>' | b'\n' | b'\r')
            && self.bytes.get(progress.end.wrapping_sub(1)) == Some(&b'-');
        (!may_close && !is_hyphen).then_some(progress.end)
    }

    /// Takes the ASCII byte at hand and the bytes behind it that belong to the link.
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
            // The last taken byte that is no dot. `u64`, because `len` may be all bits of a `u32`.
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

    /// Takes the next character, which is beyond ASCII. `Some(false)`: the character ends the link. `None`: the finder
    /// must decide.
    #[inline]
    fn take_wide_char(&self, progress: &mut Progress, outer: u8) -> Option<bool> {
        let (ch, len) = self.wide_char(progress.at)?;
        let in_path = wide_chars::lookup(ch).in_path;
        if in_path == InPath::Stop {
            return Some(false);
        }
        let last = if progress.at == progress.wide_end {
            None
        } else {
            self.bytes.get(progress.at - 1)
        };
        let is_word = last.is_some_and(u8::is_ascii_alphanumeric);
        match in_path {
            InPath::Mark if last.is_some() => {
                let next = self.bytes.get(progress.at + len);
                let is_last = next.is_none() && self.end_edge == Edge::Whole;
                let is_behind = is_last || next.is_some_and(|&next| !parts_words(next));
                // The finder looks for the closer of the context.
                let ends = is_behind && !may_open(outer);
                return ends.then_some(false);
            }
            InPath::Take => {}
            InPath::Hiragana | InPath::Hangul if !is_word && last != Some(&b'/') => {}
            InPath::Han if !is_word => {}
            _ => return None,
        }
        progress.take(len);
        progress.wide_end = progress.at;
        Some(true)
    }

    /// True if `http` may begin at a position, or the window ends there.
    #[inline]
    fn may_begin_link(&self, at: usize) -> bool {
        match self.bytes.get(at) {
            Some(byte) => matches!(byte, b'h' | b'H'),
            None => self.end_edge == Edge::Cut,
        }
    }

    /// True if a character reference may begin at a position.
    #[inline]
    fn may_be_reference(&self, at: usize) -> bool {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let name = rest.get(..MAX_REFERENCE).unwrap_or(rest);
        let is_cut = name.len() < MAX_REFERENCE && self.end_edge == Edge::Cut;
        self.references || is_cut || name.contains(&b';')
    }

    /// True if a quote or tag certainly ends the link at `at`.
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
    /// Takes a character of `len` bytes.
    #[inline]
    fn take(&mut self, len: usize) {
        self.at += len;
        self.end = self.at;
    }
}

/// True if an ASCII byte behind a closing `'` ends the link there.
fn ends_behind_quote(byte: u8) -> bool {
    byte.is_ascii() && !continues_link(byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_take_what_the_table_takes() {
        for byte in 0..=0xFF_u8 {
            let bits = PathBits::of(&[byte; LANES]);
            let kind = PATH_BYTES[usize::from(byte)];
            assert!(bits.taken == 0 || kind == PathByte::Take, "{byte:x}");
            assert!(bits.dots == 0 || kind == PathByte::Wait, "{byte:x}");
        }
    }
}
