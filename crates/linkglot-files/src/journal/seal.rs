//! Seals of journals: they identify lines that runs of this user on this machine wrote.
//!
//! A seal is the keyed BLAKE3 digest of a line and of the seal of the line before. So a line cannot be changed, moved,
//! repeated, cut out or brought from another journal. Lines may be missing at the end: an interrupted run can end
//! anywhere.

use super::key::Key;
use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD as BASE64;
use std::borrow::Cow;

/// The bytes of a seal: 128 bits, as for digests.
pub(super) type Seal = [u8; 16];

/// The seal that the first line follows.
pub(super) const FIRST: Seal = *b"linkglot journal";

/// The last member of a sealed object, up to the end of its line.
const OPENING: &[u8] = b",\"seal\":\"";
const CLOSING: &[u8] = b"\"}\n";
const DIGITS: usize = 22;

/// The length of the member.
pub(super) const SEAL_LENGTH: usize = OPENING.len() + DIGITS + CLOSING.len();

/// Seals lines one after the other, or checks their seals.
#[derive(Clone, Debug)]
pub(super) struct Sealer {
    key: Key,
    /// The seal of the line before.
    last: Seal,
}

impl Sealer {
    /// Continues after a line with the seal `last`.
    pub fn new(key: Key, last: Seal) -> Self {
        Sealer { key, last }
    }

    /// Adds the seal to a line, which must be an object.
    pub fn seal(&mut self, line: &mut Vec<u8>) {
        line.truncate(line.len().saturating_sub(b"}\n".len()));
        self.last = seal_of(&self.key, &self.last, line);
        line.extend_from_slice(OPENING);
        line.extend_from_slice(BASE64.encode(self.last).as_bytes());
        line.extend_from_slice(CLOSING);
    }

    /// True if the line has its seal. The next line must follow this one.
    pub fn accepts(&mut self, line: &[u8]) -> bool {
        let Some((body, seal)) = split(line) else {
            return false;
        };
        let is_own = is_equal(&seal_of(&self.key, &self.last, body), &seal);
        if is_own {
            self.last = seal;
        }
        is_own
    }

    /// The seal of the last sealed or accepted line.
    pub fn last(&self) -> Seal {
        self.last
    }
}

fn seal_of(key: &Key, last: &Seal, body: &[u8]) -> Seal {
    let digest = key.digest(&[last, body]);
    std::array::from_fn(|at| digest.as_bytes()[at])
}

/// Compares two seals in constant time, so that the time does not tell where they differ.
fn is_equal(a: &Seal, b: &Seal) -> bool {
    let differing = a.iter().zip(b).fold(0, |bits, (a, b)| bits | (a ^ b));
    differing == 0
}

/// The object of a line without its closing brace, and its seal.
fn split(line: &[u8]) -> Option<(&[u8], Seal)> {
    let (body, seal) = line.split_at_checked(line.len().checked_sub(SEAL_LENGTH)?)?;
    Some((body, read(seal)?))
}

/// The seal at the end of a line.
pub(super) fn read(member: &[u8]) -> Option<Seal> {
    let digits = member.strip_prefix(OPENING)?.strip_suffix(CLOSING)?;
    BASE64.decode(digits).ok()?.try_into().ok()
}

/// The seal of a line, if it has one.
pub(super) fn of(line: &[u8]) -> Option<Seal> {
    split(line).map(|(_, seal)| seal)
}

/// The object of a line without its seal.
pub(super) fn unsealed(line: &[u8]) -> Cow<'_, [u8]> {
    match split(line) {
        Some((body, _)) => Cow::Owned([body, b"}\n"].concat()),
        None => Cow::Borrowed(line),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sealed(key: u8, lines: &[&str]) -> Vec<Vec<u8>> {
        let mut sealer = Sealer::new(Key::of([key; 32]), FIRST);
        let lines = lines.iter().map(|line| {
            let mut line = format!("{line}\n").into_bytes();
            sealer.seal(&mut line);
            line
        });
        lines.collect()
    }

    fn are_accepted(lines: &[&[u8]]) -> bool {
        let mut sealer = Sealer::new(Key::of([1; 32]), FIRST);
        lines.iter().all(|line| sealer.accepts(line))
    }

    #[test]
    fn seals_hold_lines_in_their_order() {
        let lines = sealed(1, &["{\"a\":1}", "{\"b\":2}", "{\"c\":3}"]);
        let [a, b, c] = [0, 1, 2].map(|at| &lines[at][..]);
        assert!(are_accepted(&[a, b, c]) && are_accepted(&[a, b]));
        assert_eq!(&*unsealed(b), b"{\"b\":2}\n");
        assert_eq!(&*unsealed(b"{\"b\":2}\n"), b"{\"b\":2}\n");
        for wrong in [&[a, c][..], &[b], &[a, a], &[a, b, b], &[b, a]] {
            assert!(!are_accepted(wrong));
        }
        let other = sealed(2, &["{\"a\":1}", "{\"b\":2}"]);
        assert!(!are_accepted(&[&other[0]]) && !are_accepted(&[a, &other[1]]));
        // Every byte counts, including the bytes of the seal.
        for at in 0..b.len() {
            let mut changed = b.to_vec();
            changed[at] ^= 1;
            assert!(!are_accepted(&[a, &changed]), "{at}");
        }
    }
}
