//! Digests of contents, and texts that may be digests, as hashes that can be compared.

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use md5::Md5;
use sha1::Sha1;
use sha2::digest::DynDigest;
use sha2::{Sha256, Sha384, Sha512};
use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Read};

/// Numbers of characters of MD5, SHA-1, SHA-256, SHA-384 and SHA-512, in hexadecimal digits and in base64 without
/// padding.
const HEX: [usize; 5] = [32, 40, 64, 96, 128];
const BASE64: [usize; 5] = [22, 27, 43, 64, 86];

/// Names of algorithms in front of a digest (SRI 3.5).
const PREFIXES: [&[u8]; 5] = [b"md5-", b"sha1-", b"sha256-", b"sha384-", b"sha512-"];

const BUFFER: usize = 64 << 10;

/// Hashes of the digests of a content: in hexadecimal digits and in base64.
pub(super) fn digests(mut content: impl Read) -> io::Result<Vec<u64>> {
    let mut hashers: [Box<dyn DynDigest>; 5] = [
        Box::new(Md5::default()),
        Box::new(Sha1::default()),
        Box::new(Sha256::default()),
        Box::new(Sha384::default()),
        Box::new(Sha512::default()),
    ];
    let mut buffer = vec![0; BUFFER];
    loop {
        let len = match content.read(&mut buffer) {
            Ok(0) => break,
            Ok(len) => len,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        for hasher in &mut hashers {
            hasher.update(&buffer[..len]);
        }
    }
    let digests = hashers.into_iter().map(DynDigest::finalize);
    let forms = digests.flat_map(|digest| [hex(&digest), STANDARD_NO_PAD.encode(&digest)]);
    Ok(forms.map(|form| hash(form.bytes())).collect())
}

fn hex(digest: &[u8]) -> String {
    digest.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn hash(text: impl Iterator<Item = u8>) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.for_each(|byte| byte.hash(&mut hasher));
    hasher.finish()
}

/// Hashes of the texts that can be digests, by their lengths. Linear.
pub(super) fn texts(text: &[u8]) -> impl Iterator<Item = u64> {
    let is_between = |byte: &u8| !(byte.is_ascii_alphanumeric() || b"+/-_".contains(byte));
    text.split(is_between).filter_map(|text| {
        let starts = |prefix: &&&[u8]| {
            let begin = text.get(..prefix.len());
            begin.is_some_and(|begin| begin.eq_ignore_ascii_case(prefix))
        };
        let prefix = PREFIXES.iter().find(starts);
        let digest = &text[prefix.map_or(0, |prefix| prefix.len())..];
        if HEX.contains(&digest.len()) && digest.iter().all(u8::is_ascii_hexdigit) {
            return Some(hash(digest.to_ascii_lowercase().into_iter()));
        }
        // The alphabet for URLs differs in two characters (RFC 4648 section 5).
        let standard = |byte: &u8| match byte {
            b'-' => b'+',
            b'_' => b'/',
            byte => *byte,
        };
        let is_base64 = BASE64.contains(&digest.len());
        is_base64.then(|| hash(digest.iter().map(standard)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_in_texts_are_those_of_contents() {
        let own = digests(&b"abc"[..]).unwrap();
        for text in [
            "900150983cd24fb0d6963f7d28e17f72  a",
            "SHA1 (a) = A9993E364706816ABA3E25717850C26C9CD0D89D",
            "{\"a\":\"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\"}",
            "a,sha256=ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0,3",
            "integrity='sha384-ywB1P0WjXou1oD1pmsZQBycsMqsO3tFjGotgWkP/W+2AhgcroefMI1i67KE0yCWn'",
        ] {
            let found: Vec<_> = texts(text.as_bytes())
                .filter(|text| own.contains(text))
                .collect();
            assert_eq!(found.len(), 1, "{text}");
        }
        assert_eq!(texts(b"a b abc 900150983cd24fb0d6963f7d28e17f7").count(), 0);
    }
}
