//! Lists of lines in fewer bytes. Programs for browsers are downloaded, and these lists were a tenth of them.

use std::sync::OnceLock;

/// The most bytes that a line shares with the line in front of it. The lines have no bytes up to this one.
const MOST_SHARED: u8 = 0x1F;

/// A list of lines by front coding: each line is the number of bytes that it shares with the line in front of it, and
/// the other bytes. Packed by the compiler, and unpacked when first asked for.
pub(super) struct Lines<const N: usize> {
    packed: [u8; N],
    text: OnceLock<String>,
}

impl<const N: usize> Lines<N> {
    /// The lines of a text without empty ones and comments. `N` is their [`packed_len`].
    pub(super) const fn new(text: &str) -> Self {
        let mut packed = [0; N];
        pack(text.as_bytes(), &mut packed);
        Lines {
            packed,
            text: OnceLock::new(),
        }
    }

    /// The lines in order.
    pub(super) fn lines(&'static self) -> impl Iterator<Item = &'static str> {
        self.text.get_or_init(|| unpacked(&self.packed)).lines()
    }
}

/// The number of bytes of a packed text.
pub(super) const fn packed_len(text: &str) -> usize {
    pack(text.as_bytes(), &mut [])
}

/// Packs a text, as far as there is room, and returns how much room it takes.
const fn pack(text: &[u8], packed: &mut [u8]) -> usize {
    let (mut len, mut before, mut start) = (0, 0..0, 0);
    while start < text.len() {
        let mut end = start;
        while end < text.len() && text[end] != b'\n' {
            end += 1;
        }
        if end > start && text[start] != b'#' {
            let mut shared = 0;
            while shared < MOST_SHARED as usize
                && start + shared < end
                && before.start + shared < before.end
                && text[start + shared] == text[before.start + shared]
            {
                shared += 1;
            }
            put(packed, len, shared as u8);
            len += 1;
            let mut at = start + shared;
            while at < end {
                put(packed, len, text[at]);
                len += 1;
                at += 1;
            }
            before = start..end;
        }
        start = end + 1;
    }
    len
}

const fn put(packed: &mut [u8], at: usize, byte: u8) {
    if at < packed.len() {
        packed[at] = byte;
    }
}

fn unpacked(packed: &[u8]) -> String {
    let (mut text, mut before) = (Vec::new(), 0);
    for &byte in packed {
        if byte > MOST_SHARED {
            text.push(byte);
            continue;
        }
        text.push(b'\n');
        let start = text.len();
        text.extend_from_within(before..before + usize::from(byte));
        before = start;
    }
    let text = String::from_utf8(text).unwrap_or_default();
    text.trim_start().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# a comment\nab\nabc é\nabc è\n\nb\n#\n0123456789012345678901234567890123\n\
                        01234567890123456789012345678901234";

    #[test]
    fn lines_are_the_same_unpacked() {
        static LINES: Lines<{ packed_len(TEXT) }> = Lines::new(TEXT);
        let is_line = |line: &&str| !line.is_empty() && !line.starts_with('#');
        assert!(LINES.lines().eq(TEXT.lines().filter(is_line)));
        assert!(LINES.packed.len() < TEXT.len() * 2 / 3);
    }
}
