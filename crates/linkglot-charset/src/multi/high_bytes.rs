//! Runs of the high bytes that the leads and trails of most two-byte characters are.

/// The high bytes, leads and trails.
pub(super) const RANGE: std::ops::RangeInclusive<u8> = 0xA1..=0xFE;

/// Bytes per step: by blocks where the run is long, by words at its start.
const BLOCK: usize = 32;
const WORD: usize = 8;

/// The length of the run of high bytes that `bytes` end with.
#[inline]
pub(super) fn trailing_run(bytes: &[u8]) -> usize {
    let blocks = bytes.rchunks_exact(BLOCK);
    let mut len = BLOCK * blocks.take_while(|block| are_high(block)).count();
    let rest = &bytes[..bytes.len() - len];
    let (first, words) = rest.as_rchunks::<WORD>();
    for word in words.iter().rev() {
        let others = others(u64::from_le_bytes(*word));
        if others != 0 {
            return len + others.leading_zeros() as usize / 8;
        }
        len += WORD;
    }
    let single = first.iter().rev().take_while(|byte| RANGE.contains(byte));
    len + single.count()
}

/// Folds over all bytes without a branch, so that the compiler makes vectors of them.
fn are_high(block: &[u8]) -> bool {
    block
        .iter()
        .fold(true, |all, byte| all & RANGE.contains(byte))
}

/// Sets the highest bit of each byte outside of the range.
fn others(word: u64) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let low = word & (0x7F * EACH);
    // For 21 to 7E, and no other value, the first sum carries into the highest bit and the second
    // does not.
    let high = word & (low + 0x5F * EACH) & !(low + EACH);
    !high & (0x80 * EACH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_inside_or_outside_of_the_range() {
        for byte in 0..=0xFF {
            for at in 0..WORD {
                let mut word = [0xA5; WORD];
                word[at] = byte;
                let is_other = u64::from(!RANGE.contains(&byte));
                assert_eq!(others(u64::from_le_bytes(word)), is_other << (8 * at + 7));
            }
        }
    }

    #[test]
    fn blocks_and_words_count_what_single_bytes_do() {
        for len in 0..150 {
            for other in [None, Some(b'a'), Some(0xA0), Some(0xFF)] {
                for at in 0..=len {
                    let mut bytes = vec![0xA1; len];
                    if let Some((byte, other)) = bytes.get_mut(at).zip(other) {
                        *byte = other;
                    }
                    let single = bytes.iter().rev().take_while(|byte| RANGE.contains(byte));
                    assert_eq!(trailing_run(&bytes), single.count(), "{bytes:x?}");
                }
            }
        }
    }
}
