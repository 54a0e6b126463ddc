//! Eight or sixteen bytes at a time: the short stretches of tags, for which a loop over bytes would be mispredicted
//! more often than not.

use crate::vector::Vector;
use memchr::{memchr, memchr2};

const ONES: u64 = 0x0101_0101_0101_0101;
const TOPS: u64 = 0x8080_8080_8080_8080;

/// The eight bytes from a position on, the first one lowest; `None` near the end.
#[inline(always)]
pub fn word(bytes: &[u8], at: usize) -> Option<u64> {
    let chunk = bytes.get(at..)?.first_chunk::<8>()?;
    Some(u64::from_le_bytes(*chunk))
}

/// Marks the top bit of bytes that are `byte`: the lowest mark is exact.
#[inline(always)]
const fn equal(word: u64, byte: u8) -> u64 {
    zero(word ^ repeat(byte))
}

/// Marks bytes that are zero: the lowest mark is exact.
#[inline(always)]
const fn zero(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word & TOPS
}

/// A few bytes that are searched together.
#[derive(Clone, Copy, Debug)]
pub struct Needles([Vector; Needles::MOST]);

impl Needles {
    const MOST: usize = 5;

    /// These bytes; `None` when there are too many, or none.
    pub fn of(bytes: impl Iterator<Item = u8>) -> Option<Needles> {
        let bytes: Vec<u8> = bytes.collect();
        let any = *bytes.first()?;
        let byte = |at| Vector::splat(bytes.get(at).copied().unwrap_or(any));
        let known = bytes.len() <= Needles::MOST;
        known.then(|| Needles(std::array::from_fn(byte)))
    }

    /// A bit for each byte that is one of them.
    #[inline(always)]
    pub fn marks(&self, bytes: Vector) -> u32 {
        let [a, b, c, d, e] = self.0.map(|needle| bytes.equal(needle));
        (a | b | (c | d) | e).mask()
    }
}

/// Eight times the byte.
pub const fn repeat(byte: u8) -> u64 {
    ONES * byte as u64
}

/// Marks bytes that are no more than a space: the lowest mark is exact.
#[inline(always)]
const fn blank(word: u64) -> u64 {
    word.wrapping_sub(ONES * 0x21) & !word & TOPS
}

/// How many of eight bytes stand before one that is greater than a space.
#[inline(always)]
pub const fn blanks(word: u64) -> usize {
    // No byte carries into the next.
    let greater = ((word & !TOPS) + ONES * (0x7F - 0x20)) | word;
    lowest(greater & TOPS)
}

/// The index of the lowest mark.
#[inline(always)]
pub const fn lowest(marks: u64) -> usize {
    (marks.trailing_zeros() / 8) as usize
}

/// How many of eight bytes stand before one that may end a name (white space and all below, `/`, `>`, `=`): 8
/// when none does.
#[inline(always)]
pub const fn name_length(word: u64) -> usize {
    lowest(blank(word) | equal(word, b'/') | equal(word, b'>') | equal(word, b'='))
}

/// The bytes of a word before one that ends a name of XML, the others zero, and how many they are: of such names quotes
/// and `<` are no part either, and a few other characters that no name has stop it, too.
#[inline(always)]
pub const fn xml_name(word: u64) -> (u64, usize) {
    // All below `-`; `<`, `=`, `>` and `?`.
    let low = word.wrapping_sub(ONES * 0x2D) & !word & TOPS;
    let ends = low | equal(word, b'/') | equal(word | (ONES * 3), b'?');
    let below = ((ends & ends.wrapping_neg()) >> 7).wrapping_sub(1);
    (word & below, lowest(ends))
}

/// The first so many of the bytes of a word, the others zero.
#[inline(always)]
pub const fn head(word: u64, length: usize) -> u64 {
    match length {
        0..8 => word & !(u64::MAX << (8 * length)),
        _ => word,
    }
}

/// Whether all of a word's bytes are ASCII.
#[inline(always)]
pub const fn is_ascii(word: u64) -> bool {
    word & TOPS == 0
}

/// How many of a word's bytes stand before the first colon; 8 when there is none.
#[inline(always)]
pub const fn colon(word: u64) -> usize {
    lowest(equal(word, b':'))
}

/// As many vectors are looked through before a search that takes longer to begin.
const NEAR: usize = 3;

/// The position of the next `byte` or `other` from `at` on. Quick when it is near.
#[inline(always)]
pub fn find_either(bytes: &[u8], mut at: usize, byte: u8, other: u8) -> Option<usize> {
    let (one, two) = (Vector::splat(byte), Vector::splat(other));
    for _ in 0..NEAR {
        let Some(vector) = Vector::at(bytes, at) else {
            break;
        };
        let marks = (vector.equal(one) | vector.equal(two)).mask();
        if marks != 0 {
            return Some(at + marks.trailing_zeros() as usize);
        }
        at += Vector::LEN;
    }
    memchr2(byte, other, bytes.get(at..)?).map(|found| at + found)
}

/// The position of the next `byte` from `at` on. Quick when it is near.
#[inline(always)]
pub fn find(bytes: &[u8], mut at: usize, byte: u8) -> Option<usize> {
    let one = Vector::splat(byte);
    for _ in 0..NEAR {
        let Some(vector) = Vector::at(bytes, at) else {
            break;
        };
        let marks = vector.equal(one).mask();
        if marks != 0 {
            return Some(at + marks.trailing_zeros() as usize);
        }
        at += Vector::LEN;
    }
    memchr(byte, bytes.get(at..)?).map(|found| at + found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_end_where_they_should() {
        for end in 0..=255_u8 {
            let ends = end <= b' ' || b"/>=".contains(&end);
            for at in 0..8 {
                let mut bytes = *b"aZ\x80\xFF!-0_";
                bytes[at] = end;
                let expected = if ends { at } else { 8 };
                assert_eq!(
                    name_length(u64::from_le_bytes(bytes)),
                    expected,
                    "{end} {at}"
                );
            }
        }
    }

    #[test]
    fn names_of_xml_end_where_they_should() {
        for end in 0..=255_u8 {
            let ends = end < b'-' || b"/<=>?".contains(&end);
            for at in 0..8 {
                let mut bytes = *b"aZ\x80\xFF;-0_";
                bytes[at] = end;
                let word = u64::from_le_bytes(bytes);
                let expected = if ends { at } else { 8 };
                assert_eq!(
                    xml_name(word),
                    (head(word, expected), expected),
                    "{end} {at}"
                );
                assert!(!is_ascii(word) && is_ascii(head(word, at.min(2))));
                let expected = if end == b':' { at } else { 8 };
                assert_eq!(colon(word), expected, "{end} {at}");
                assert_eq!(head(word, at).to_le_bytes()[..at], bytes[..at]);
                assert_eq!(head(word, at) >> (8 * at), 0);
            }
        }
        assert_eq!(head(u64::MAX, 8), u64::MAX);
    }

    #[test]
    fn finds_any_of_a_few_bytes() {
        for known in [
            &b"<"[..],
            b"<:",
            b"<.:&",
            b"<.:&\xE3",
            &[0, 1, 2, 0xFE, 0xFF],
        ] {
            let needles = Needles::of(known.iter().copied()).expect("no more than there may be");
            for byte in 0..=255 {
                for at in 0..Vector::LEN {
                    let mut bytes = [b'x'; Vector::LEN];
                    bytes[at] = byte;
                    let expected = u32::from(known.contains(&byte)) << at;
                    assert_eq!(needles.marks(Vector::new(&bytes)), expected);
                }
            }
        }
        assert!(Needles::of(0..6).is_none());
        assert!(Needles::of([].into_iter()).is_none());
    }

    #[test]
    fn blanks_end_where_they_should() {
        for end in 0..=255_u8 {
            for at in 0..8 {
                let mut bytes = *b" \n\r\t\0\x0C  ";
                bytes[at] = end;
                let expected = if end > b' ' { at } else { 8 };
                assert_eq!(blanks(u64::from_le_bytes(bytes)), expected, "{end} {at}");
            }
        }
    }

    #[test]
    fn finds_near_and_far() {
        for at in 0..70 {
            let mut bytes = vec![b'x'; 70];
            bytes[at] = b'"';
            assert_eq!(find(&bytes, 0, b'"'), Some(at));
            assert_eq!(find(&bytes, at, b'"'), Some(at));
            assert_eq!(find(&bytes, at + 1, b'"'), None);
            for (one, other) in [(b'"', b'<'), (b'<', b'"')] {
                assert_eq!(find_either(&bytes, 0, one, other), Some(at));
                assert_eq!(find_either(&bytes, at, one, other), Some(at));
                assert_eq!(find_either(&bytes, at + 1, one, other), None);
            }
        }
    }
}
