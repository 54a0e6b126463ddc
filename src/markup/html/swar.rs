//! Eight bytes at a time: the short stretches of tags, for which a loop over bytes would be mispredicted
//! more often than not.

use memchr::memchr;

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

/// The position of the first `<`, or byte of which `needles` holds eight, in the whole words from `at` on; else
/// where the last of them ends.
#[inline(always)]
pub fn find_any(bytes: &[u8], mut at: usize, needles: &[u64; 4]) -> Result<usize, usize> {
    while let Some(word) = word(bytes, at) {
        let [a, b, c, d] = needles.map(|needle| zero(word ^ needle));
        let marks = equal(word, b'<') | a | b | c | d;
        if marks != 0 {
            return Ok(at + lowest(marks));
        }
        at += 8;
    }
    Err(at)
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

/// The index of the lowest mark.
#[inline(always)]
const fn lowest(marks: u64) -> usize {
    (marks.trailing_zeros() / 8) as usize
}

/// How many of eight bytes stand before one that may end a name (white space and all below, `/`, `>`, `=`): 8
/// when none does.
#[inline(always)]
pub const fn name_length(word: u64) -> usize {
    lowest(blank(word) | equal(word, b'/') | equal(word, b'>') | equal(word, b'='))
}

/// The position of the next `byte` from `at` on. Quick when it is near.
#[inline(always)]
pub fn find(bytes: &[u8], mut at: usize, byte: u8) -> Option<usize> {
    for _ in 0..4 {
        let Some(word) = word(bytes, at) else {
            break;
        };
        let marks = equal(word, byte);
        if marks != 0 {
            return Some(at + lowest(marks));
        }
        at += 8;
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
    fn finds_near_and_far() {
        for at in 0..70 {
            let mut bytes = vec![b'x'; 70];
            bytes[at] = b'"';
            assert_eq!(find(&bytes, 0, b'"'), Some(at));
            assert_eq!(find(&bytes, at, b'"'), Some(at));
            assert_eq!(find(&bytes, at + 1, b'"'), None);
        }
    }
}
