//! Digests as dumps write them.

use sha1::{Digest, Sha1};

/// SHA-1 in base 36 with 31 digits, as MediaWiki writes it. O(length).
pub(super) fn sha1_base_36(text: &str) -> String {
    const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";
    let mut number: [u8; 20] = Sha1::digest(text).into();
    let mut digits = [b'0'; 31];
    for digit in digits.iter_mut().rev() {
        let mut rest = 0;
        for octet in &mut number {
            let value = rest << 8 | usize::from(*octet);
            *octet = (value / 36) as u8;
            rest = value % 36;
        }
        *digit = DIGITS[rest];
    }
    digits.iter().map(|&digit| char::from(digit)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first is the digest of empty pages in dumps; the others are those of Python's `hashlib`.
    #[test]
    fn digests() {
        for (text, expected) in [
            ("", "phoiac9h4m842xq45sp7s6u21eteeq1"),
            ("hello", "jywkymwk5kel4plcu17bdqhwzuuz3nx"),
            ("351", "00mmwx4pzph8ahzp90ksgtu43zcpkik"),
        ] {
            assert_eq!(sha1_base_36(text), expected);
        }
    }
}
