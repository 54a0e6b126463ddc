//! The bytes of most characters, two and two: how many of them stand in front of a position.

/// The bytes, leads and trails.
pub(super) const PAIRED: std::ops::RangeInclusive<u8> = 0xA1..=0xFE;

/// How many bytes are looked at in one step where there are many, and where there are few.
const BLOCK: usize = 32;
const WORD: usize = 8;

/// How many such bytes end these.
#[inline]
pub(super) fn ending(bytes: &[u8]) -> usize {
    let blocks = bytes.rchunks_exact(BLOCK);
    let mut len = BLOCK * blocks.take_while(|block| are_paired(block)).count();
    let rest = bytes.get(..bytes.len() - len).unwrap_or(&[]);
    let (first, words) = rest.as_rchunks::<WORD>();
    for word in words.iter().rev() {
        let others = others(u64::from_le_bytes(*word));
        if others != 0 {
            return len + others.leading_zeros() as usize / 8;
        }
        len += WORD;
    }
    let single = first.iter().rev().take_while(|byte| PAIRED.contains(byte));
    len + single.count()
}

fn are_paired(block: &[u8]) -> bool {
    block
        .iter()
        .fold(true, |all, byte| all & PAIRED.contains(byte))
}

/// The highest bit of each byte that is none of them.
fn others(word: u64) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let low = word & (0x7F * EACH);
    // Of 21 to 7E and no other the one sum carries into the highest bit and the other does not.
    let paired = word & (low + 0x5F * EACH) & !(low + EACH);
    !paired & (0x80 * EACH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_is_among_them_or_not() {
        for byte in 0..=0xFF {
            for at in 0..WORD {
                let mut word = [0xA5; WORD];
                word[at] = byte;
                let is_other = u64::from(!PAIRED.contains(&byte));
                assert_eq!(others(u64::from_le_bytes(word)), is_other << (8 * at + 7));
            }
        }
    }

    #[test]
    fn as_many_as_one_by_one() {
        for len in 0..150 {
            for other in [None, Some(b'a'), Some(0xA0), Some(0xFF)] {
                for at in 0..=len {
                    let mut bytes = vec![0xA1; len];
                    let place = bytes.get_mut(at).zip(other);
                    if let Some((byte, other)) = place {
                        *byte = other;
                    }
                    let plain = bytes.iter().rev().take_while(|b| PAIRED.contains(b));
                    assert_eq!(ending(&bytes), plain.count(), "{bytes:x?}");
                }
            }
        }
    }
}
