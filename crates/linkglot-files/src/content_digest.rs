//! Digests by which the versions of a file are told apart.

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD as BASE64;
use std::io::{self, Read, Write};

/// A digest in the form of journals: 128 bits suffice to tell the versions of a file apart.
pub(crate) fn digest_text(digest: blake3::Hash) -> String {
    BASE64.encode(&digest.as_bytes()[..16])
}

/// The digest of everything that a reader yields.
pub(crate) fn digest_of(mut reader: impl Read) -> io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    io::copy(&mut reader, &mut hasher)?;
    Ok(digest_text(hasher.finalize()))
}

/// A reader or writer that computes the digest of the data.
pub(crate) struct Digesting<T> {
    inner: T,
    hasher: blake3::Hasher,
    /// Data in front of the next whole block: parts of blocks take several times as long.
    part: Vec<u8>,
}

/// The bytes that are digested together, a power of 2.
const BLOCK: usize = 64 << 10;

impl<T> Digesting<T> {
    pub fn new(inner: T) -> Self {
        Digesting {
            inner,
            hasher: blake3::Hasher::new(),
            part: Vec::new(),
        }
    }

    pub fn into_inner(self) -> T {
        self.inner
    }

    pub fn digest(&self) -> blake3::Hash {
        self.hasher.clone().update(&self.part).finalize()
    }

    fn update(&mut self, mut bytes: &[u8]) {
        if !self.part.is_empty() {
            let (begin, rest) = bytes.split_at(bytes.len().min(BLOCK - self.part.len()));
            self.part.extend_from_slice(begin);
            if self.part.len() < BLOCK {
                return;
            }
            self.hasher.update(&self.part);
            self.part.clear();
            bytes = rest;
        }
        let (whole, part) = bytes.split_at(bytes.len() / BLOCK * BLOCK);
        self.hasher.update(whole);
        self.part.extend_from_slice(part);
    }
}

impl<T: Read> Read for Digesting<T> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let len = self.inner.read(room)?;
        self.update(&room[..len]);
        Ok(len)
    }
}

impl<T: Write> Write for Digesting<T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let len = self.inner.write(bytes)?;
        self.update(&bytes[..len]);
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_does_not_depend_on_the_pieces() {
        let bytes: Vec<u8> = (0..3 * BLOCK + 7).map(|n| (n % 251) as u8).collect();
        for piece in [1, 1000, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK] {
            let mut digesting = Digesting::new(Vec::new());
            for piece in bytes.chunks(piece) {
                digesting.write_all(piece).expect("a vector");
            }
            assert_eq!(digesting.digest(), blake3::hash(&bytes), "{piece}");
            assert_eq!(digesting.into_inner(), bytes);
        }
    }
}
