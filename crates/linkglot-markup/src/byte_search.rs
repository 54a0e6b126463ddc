//! Searches over the short stretches in tags, eight or sixteen bytes at a time. A loop over single bytes would be
//! mispredicted at the end of nearly every stretch.

use linkglot_charset::ascii::is_space;
use linkglot_charset::simd::Vector;
use memchr::{memchr, memchr2};

const ONES: u64 = 0x0101_0101_0101_0101;
const TOPS: u64 = 0x8080_8080_8080_8080;

/// The eight bytes from a position on, the first in the lowest byte. `None` near the end.
#[inline(always)]
pub fn word(bytes: &[u8], at: usize) -> Option<u64> {
    let chunk = bytes.get(at..)?.first_chunk::<8>()?;
    Some(u64::from_le_bytes(*chunk))
}

/// Marks the top bit of bytes that equal `byte`. The lowest mark is exact; higher ones may be false.
#[inline(always)]
const fn equal(word: u64, byte: u8) -> u64 {
    let other = word ^ (ONES * byte as u64);
    other.wrapping_sub(ONES) & !other & TOPS
}

/// Marks the top bit of bytes that are less than `bound`. The lowest mark is exact; higher ones may be false.
#[inline(always)]
const fn less(word: u64, bound: u8) -> u64 {
    word.wrapping_sub(ONES * bound as u64) & !word & TOPS
}

/// The index of the lowest marked byte, or 8.
#[inline(always)]
const fn lowest(marks: u64) -> usize {
    (marks.trailing_zeros() / 8) as usize
}

/// The number of bytes before the first that is greater than a space, at most 8.
#[inline(always)]
pub const fn blanks(word: u64) -> usize {
    // No byte carries into the next.
    let greater = ((word & !TOPS) + ONES * (0x7F - 0x20)) | word;
    lowest(greater & TOPS)
}

/// The number of bytes before the first that may end a name in HTML (up to a space, `/`, `>`, `=`), at most 8.
#[inline(always)]
pub const fn name_length(word: u64) -> usize {
    let ends = equal(word, b'/') | equal(word, b'>') | equal(word, b'=');
    lowest(less(word, b' ' + 1) | ends)
}

/// The bytes of a word before the first that ends a name in XML, with zeros behind them, and their number. Quotes and
/// `<` end a name too, as do a few other characters that no name contains.
#[inline(always)]
pub const fn xml_name(word: u64) -> (u64, usize) {
    // Setting the low two bits makes `<`, `=`, `>` and `?` equal.
    let ends = less(word, b'-') | equal(word, b'/') | equal(word | (ONES * 3), b'?');
    let below = ((ends & ends.wrapping_neg()) >> 7).wrapping_sub(1);
    (word & below, lowest(ends))
}

/// The first bytes of a word, with zeros behind them.
#[inline(always)]
pub const fn head(word: u64, length: usize) -> u64 {
    match length {
        0..8 => word & !(u64::MAX << (8 * length)),
        _ => word,
    }
}

/// The first eight bytes of a slice, with zeros behind a shorter slice.
#[inline]
pub fn start_word(bytes: &[u8]) -> u64 {
    if let Some(first) = bytes.first_chunk::<8>() {
        return u64::from_le_bytes(*first);
    }
    if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        let last = u64::from(u32::from_le_bytes(*last));
        return u64::from(u32::from_le_bytes(*first)) | last << (8 * (bytes.len() - 4));
    }
    let backwards = bytes.iter().rev();
    backwards.fold(0, |word, &byte| word << 8 | u64::from(byte))
}

/// A word in ASCII lower case.
#[inline]
pub const fn lower(word: u64) -> u64 {
    let low = word & !TOPS;
    let from_a = low + (0x80 - b'A' as u64) * ONES;
    let behind_z = low + (0x80 - b'Z' as u64 - 1) * ONES;
    let upper = from_a & !behind_z & !word & TOPS;
    word | upper >> 2
}

/// True if all bytes of a word are ASCII.
#[inline(always)]
pub const fn is_ascii(word: u64) -> bool {
    word & TOPS == 0
}

/// The number of bytes before the first colon, at most 8.
#[inline(always)]
pub const fn colon(word: u64) -> usize {
    lowest(equal(word, b':'))
}

/// The position of the first byte from `at` on that is not white space.
#[inline]
pub fn skip_spaces(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    let length = rest.iter().position(|&byte| !is_space(byte));
    at + length.unwrap_or(rest.len())
}

/// The position of the first `byte` from `at` on. Fast when the byte is near.
#[inline(always)]
pub fn find(bytes: &[u8], at: usize, byte: u8) -> Option<usize> {
    let needle = Vector::splat(byte);
    match find_near(bytes, at, |vector| vector.equal(needle)) {
        Ok(found) => Some(found),
        Err(at) => memchr(byte, bytes.get(at..)?).map(|found| at + found),
    }
}

/// The position of the first `byte` or `other` from `at` on. Fast when the byte is near.
#[inline(always)]
pub fn find_either(bytes: &[u8], at: usize, byte: u8, other: u8) -> Option<usize> {
    let (one, two) = (Vector::splat(byte), Vector::splat(other));
    match find_near(bytes, at, |vector| vector.equal(one) | vector.equal(two)) {
        Ok(found) => Some(found),
        Err(at) => memchr2(byte, other, bytes.get(at..)?).map(|found| at + found),
    }
}

/// The position of the first marked byte in the next few vectors, or else the position to search on from: there a
/// search with a slower start pays off.
#[inline(always)]
fn find_near(
    bytes: &[u8],
    mut at: usize,
    marked: impl Fn(Vector) -> Vector,
) -> Result<usize, usize> {
    const NEAR: usize = 3;
    for _ in 0..NEAR {
        let Some(vector) = Vector::at(bytes, at) else {
            break;
        };
        let marks = marked(vector).mask();
        if marks != 0 {
            return Ok(at + marks.trailing_zeros() as usize);
        }
        at += Vector::LEN;
    }
    Err(at)
}

/// A few bytes to search for together.
#[derive(Clone, Copy, Debug)]
pub struct Needles([Vector; Needles::MOST]);

impl Needles {
    const MOST: usize = 5;

    /// `None` when there are too many bytes, or none.
    pub fn of(bytes: impl Iterator<Item = u8>) -> Option<Needles> {
        let bytes: Vec<u8> = bytes.collect();
        let any = *bytes.first()?;
        let byte = |at| Vector::splat(bytes.get(at).copied().unwrap_or(any));
        (bytes.len() <= Needles::MOST).then(|| Needles(std::array::from_fn(byte)))
    }

    /// A bit for each byte of a vector that is among the needles.
    #[inline(always)]
    pub fn marks(&self, bytes: Vector) -> u32 {
        let [a, b, c, d, e] = self.0.map(|needle| bytes.equal(needle));
        (a | b | (c | d) | e).mask()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words with every byte at every position; `filling` gives the other bytes.
    fn words(filling: [u8; 8]) -> impl Iterator<Item = (u8, usize, [u8; 8])> {
        (0..=255).flat_map(move |byte| {
            (0..8).map(move |at| {
                let mut bytes = filling;
                bytes[at] = byte;
                (byte, at, bytes)
            })
        })
    }

    #[test]
    fn stretches_end_at_the_right_byte() {
        for (byte, at, bytes) in words(*b"aZ\x80\xFF!-0_") {
            let ends = byte <= b' ' || b"/>=".contains(&byte);
            let expected = if ends { at } else { 8 };
            let word = u64::from_le_bytes(bytes);
            assert_eq!(name_length(word), expected, "{byte} {at}");
        }
        for (byte, at, bytes) in words(*b"aZ\x80\xFF;-0_") {
            let word = u64::from_le_bytes(bytes);
            let ends = byte < b'-' || b"/<=>?".contains(&byte);
            let expected = if ends { at } else { 8 };
            assert_eq!(xml_name(word), (head(word, expected), expected), "{byte}");
            assert!(!is_ascii(word) && is_ascii(head(word, at.min(2))));
            let expected = if byte == b':' { at } else { 8 };
            assert_eq!(colon(word), expected, "{byte} {at}");
            assert_eq!(head(word, at).to_le_bytes()[..at], bytes[..at]);
            assert_eq!(head(word, at) >> (8 * at), 0);
        }
        for (byte, at, bytes) in words(*b" \n\r\t\0\x0C  ") {
            let expected = if byte > b' ' { at } else { 8 };
            assert_eq!(blanks(u64::from_le_bytes(bytes)), expected, "{byte} {at}");
        }
        assert_eq!(head(u64::MAX, 8), u64::MAX);
        for length in 0..12 {
            let name = &b"abcdefghijkl"[..length];
            let mut expected = [0; 8];
            expected[..length.min(8)].copy_from_slice(&name[..length.min(8)]);
            assert_eq!(start_word(name).to_le_bytes(), expected);
        }
        for byte in 0..=255_u8 {
            let expected = u64::from_le_bytes([byte.to_ascii_lowercase(); 8]);
            assert_eq!(lower(u64::from_le_bytes([byte; 8])), expected);
        }
    }

    #[test]
    fn needles_mark_their_bytes() {
        for needles in [
            &b"<"[..],
            b"<:",
            b"<.:&",
            b"<.:&\xE3",
            &[0, 1, 2, 0xFE, 0xFF],
        ] {
            let found = Needles::of(needles.iter().copied()).expect("at most five");
            for byte in 0..=255 {
                for at in 0..Vector::LEN {
                    let mut bytes = [b'x'; Vector::LEN];
                    bytes[at] = byte;
                    let expected = u32::from(needles.contains(&byte)) << at;
                    assert_eq!(found.marks(Vector::new(&bytes)), expected);
                }
            }
        }
        assert!(Needles::of(0..6).is_none());
        assert!(Needles::of([].into_iter()).is_none());
    }

    #[test]
    fn searches_find_near_and_far() {
        for at in 0..70 {
            let mut bytes = vec![b'x'; 70];
            bytes[at] = b'"';
            for (from, expected) in [(0, Some(at)), (at, Some(at)), (at + 1, None)] {
                assert_eq!(find(&bytes, from, b'"'), expected);
                assert_eq!(find_either(&bytes, from, b'"', b'<'), expected);
                assert_eq!(find_either(&bytes, from, b'<', b'"'), expected);
            }
        }
    }
}
