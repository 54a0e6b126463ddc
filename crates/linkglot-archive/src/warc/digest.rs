//! Digests in the fields of records (WARC 1.1, 5.8 and 5.9): an algorithm, a colon, and the digest in some notation.

use md5::Md5;
use sha1::Sha1;
use sha2::digest::DynDigest;
use sha2::{Sha256, Sha512};
use std::io::{self, BufRead};

const BASE_32: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const HEX: &[u8; 16] = b"0123456789abcdef";

/// An algorithm whose digests can be computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Algorithm {
    Md5,
    Sha1,
    Sha256,
    Sha512,
}

impl Algorithm {
    /// The algorithm with a label, in any case.
    fn of_label(label: &[u8]) -> Option<Self> {
        Some(match &label.to_ascii_lowercase()[..] {
            b"md5" => Algorithm::Md5,
            b"sha1" | b"sha-1" => Algorithm::Sha1,
            b"sha256" | b"sha-256" => Algorithm::Sha256,
            b"sha512" | b"sha-512" => Algorithm::Sha512,
            _ => return None,
        })
    }

    fn hasher(self) -> Box<dyn DynDigest> {
        match self {
            Algorithm::Md5 => Box::new(Md5::default()),
            Algorithm::Sha1 => Box::new(Sha1::default()),
            Algorithm::Sha256 => Box::new(Sha256::default()),
            Algorithm::Sha512 => Box::new(Sha512::default()),
        }
    }

    /// The digest of all that is left to read.
    fn digest(self, reader: &mut dyn BufRead) -> io::Result<Box<[u8]>> {
        let mut hasher = self.hasher();
        loop {
            let bytes = reader.fill_buf()?;
            if bytes.is_empty() {
                return Ok(hasher.finalize());
            }
            hasher.update(bytes);
            let len = bytes.len();
            reader.consume(len);
        }
    }
}

/// The SHA-1 of all that is left to read, as programs that write records label it: `sha1:` and base 32.
///
/// # Errors
///
/// When the reader fails.
///
/// ```
/// use linkglot_archive::warc::sha1_of;
///
/// assert_eq!(sha1_of(&mut &b"abc"[..])?, "sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn sha1_of(reader: &mut dyn BufRead) -> io::Result<String> {
    let stated = Digester::usual().state(reader)?;
    Ok(String::from_utf8_lossy(&stated).into_owned())
}

/// A notation of digests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Notation {
    Base32,
    /// Base 32 without padding.
    BareBase32,
    LowerHex,
    UpperHex,
}

const NOTATIONS: [Notation; 4] = [
    Notation::Base32,
    Notation::BareBase32,
    Notation::LowerHex,
    Notation::UpperHex,
];

impl Notation {
    fn write(self, digest: &[u8]) -> Vec<u8> {
        match self {
            Notation::Base32 => base_32(digest),
            Notation::BareBase32 => {
                let mut text = base_32(digest);
                text.retain(|&digit| digit != b'=');
                text
            }
            Notation::LowerHex => hex(digest),
            Notation::UpperHex => hex(digest).to_ascii_uppercase(),
        }
    }
}

fn hex(bytes: &[u8]) -> Vec<u8> {
    let digits = |byte: &u8| [HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]];
    bytes.iter().flat_map(digits).collect()
}

/// Base 32 with padding (RFC 4648 6), which SHA-1 does not need.
fn base_32(bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    for group in bytes.chunks(5) {
        let mut padded = [0; 8];
        padded[3..3 + group.len()].copy_from_slice(group);
        let bits = u64::from_be_bytes(padded);
        let digits = (group.len() * 8).div_ceil(5);
        for at in 0..8 {
            let digit = BASE_32[(bits >> (35 - 5 * at) & 31) as usize];
            text.push(if at < digits { digit } else { b'=' });
        }
    }
    text
}

/// A digest whose algorithm is known.
#[derive(Clone, Debug)]
pub(super) struct Stated<'s> {
    label: &'s [u8],
    algorithm: Algorithm,
    value: &'s [u8],
}

impl<'s> Stated<'s> {
    /// Reads the value of a field. `None` for an unknown algorithm.
    pub fn parse(field: &'s [u8]) -> Option<Self> {
        let colon = field.iter().position(|&byte| byte == b':')?;
        let (label, value) = (&field[..colon], &field[colon + 1..]);
        let algorithm = Algorithm::of_label(label)?;
        Some(Stated {
            label,
            algorithm,
            value,
        })
    }

    /// The way to state digests like this one, if it is that of the bytes.
    pub fn verified(&self, reader: &mut dyn BufRead) -> io::Result<Option<Digester>> {
        let digest = self.algorithm.digest(reader)?;
        let is_own = |notation: &Notation| notation.write(&digest) == self.value;
        let notation = NOTATIONS.into_iter().find(is_own);
        Ok(notation.map(|notation| Digester {
            label: self.label.to_vec(),
            algorithm: self.algorithm,
            notation,
        }))
    }
}

/// States digests: with a label, by an algorithm and in a notation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Digester {
    label: Vec<u8>,
    algorithm: Algorithm,
    notation: Notation,
}

impl Digester {
    /// SHA-1 in base 32, as most programs write it.
    pub fn usual() -> Self {
        Digester {
            label: b"sha1".to_vec(),
            algorithm: Algorithm::Sha1,
            notation: Notation::Base32,
        }
    }

    /// The value of a field for these bytes.
    pub fn state(&self, reader: &mut dyn BufRead) -> io::Result<Vec<u8>> {
        let digest = self.algorithm.digest(reader)?;
        Ok([&self.label[..], b":", &self.notation.write(&digest)].concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_of_nothing() {
        let usual = Digester::usual().state(&mut &b""[..]).unwrap();
        assert_eq!(usual, b"sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
        let values: [&[u8]; 6] = [
            b"sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
            b"SHA1:da39a3ee5e6b4b0d3255bfef95601890afd80709",
            b"md5:D41D8CD98F00B204E9800998ECF8427E",
            b"sha256:4OYMIQUY7QOBJGX36TEJS35ZEQT24QPEMSNZGTFESWMRW6CSXBKQ====",
            b"sha256:4OYMIQUY7QOBJGX36TEJS35ZEQT24QPEMSNZGTFESWMRW6CSXBKQ",
            b"sha-256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        ];
        for value in values {
            let stated = Stated::parse(value).unwrap();
            let digester = stated.verified(&mut &b""[..]).unwrap().unwrap();
            assert_eq!(digester.state(&mut &b""[..]).unwrap(), value);
            assert_eq!(stated.verified(&mut &b"a"[..]).unwrap(), None);
        }
        assert!(Stated::parse(b"crc32:00000000").is_none());
        assert!(Stated::parse(b"sha1").is_none());
    }

    #[test]
    fn base_32_of_all_lengths() {
        // RFC 4648 10.
        let texts = [
            "", "MY======", "MZXQ====", "MZXW6===", "MZXW6YQ=", "MZXW6YTB",
        ];
        for (len, text) in texts.iter().enumerate() {
            assert_eq!(base_32(&b"fooba"[..len]), text.as_bytes());
        }
    }
}
