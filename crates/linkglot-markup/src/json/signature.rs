//! Signatures within JSON that cover the document around them.
//!
//! A signature is an object with the members that a specification names. What it covers is not followed: most cover the
//! bytes or the values of the object around them.

use memchr::memmem;

/// A set of names of members, a bit for each of [`NAMES`].
type Names = u32;

/// The names of members that signatures have; `@type` of JSON-LD is `type`.
const NAMES: [&[u8]; 17] = [
    b"signatures",
    b"signed",
    b"payload",
    b"payloadType",
    b"sig",
    b"type",
    b"proof",
    b"proofValue",
    b"jws",
    b"signature",
    b"signatureValue",
    b"protected",
    b"algorithm",
    b"value",
    b"pubkey",
    b"id",
    ED25519,
];

/// The start of the names of signatures in Matrix: an algorithm and the number of a key.
const ED25519: &[u8] = b"ed25519:";

/// The members of an object that is a signature, and one of the members around it.
struct Shape(&'static [&'static [u8]], Option<&'static [u8]>);

/// Objects that are signatures.
const SHAPES: [Shape; 7] = [
    // JSON Web Signature (RFC 7515 7.2), also with a detached payload, and in manifests of containers.
    Shape(&[b"protected", b"signature"], None),
    // Verifiable Credential Data Integrity 2.1, and the proofs before it.
    Shape(&[b"type", b"proofValue"], Some(b"proof")),
    Shape(&[b"type", b"jws"], Some(b"proof")),
    // Linked Data Signatures, as in ActivityPub.
    Shape(&[b"type", b"signatureValue"], Some(b"signature")),
    // JSON Signature Format, as in CycloneDX.
    Shape(&[b"algorithm", b"value"], Some(b"signature")),
    // Events of Nostr (NIP-01).
    Shape(&[b"id", b"pubkey", b"sig"], None),
    // Events and keys of Matrix: `"signatures": {"a.example": {"ed25519:1": "..."}}`.
    Shape(&[ED25519], Some(b"signatures")),
];

/// Envelopes whose signatures are objects with `sig`: TUF and in-toto, DSSE.
const ENVELOPES: [Shape; 2] = [
    Shape(&[b"signed", b"signatures"], None),
    Shape(&[b"payload", b"payloadType", b"signatures"], None),
];
const OF_ENVELOPE: Shape = Shape(&[b"sig"], Some(b"signatures"));

/// The most open objects and arrays whose members are known.
const MOST_LEVELS: usize = 1 << 10;

/// True if a text of JSON, or the start of one, holds a signature over the JSON around it: TUF, in-toto, DSSE, proofs
/// of JSON-LD, JSON Web Signature, JSON Signature Format, Nostr, Matrix. Names with escapes are not known. Linear.
///
/// ```
/// use linkglot_markup::has_json_signature;
///
/// assert!(has_json_signature(br#"{"signed": {"a": 1}, "signatures": [{"keyid": "x", "sig": "00"}]}"#));
/// assert!(!has_json_signature(br#"{"dist": {"signatures": [{"keyid": "x", "sig": "00"}]}}"#));
/// ```
pub fn has_json_signature(text: &[u8]) -> bool {
    let signs: [&[u8]; 3] = [b"\"sig", b"\"proof\"", b"\"eyJ"];
    signs.iter().any(|sign| memmem::find(text, sign).is_some()) && Walk::default().finds(text)
}

/// An open object or array.
#[derive(Clone, Copy, Debug, Default)]
struct Level {
    /// The members so far.
    own: Names,
    /// The members around.
    around: Names,
    /// The last member, until its value is read.
    name: Names,
}

#[derive(Debug, Default)]
struct Walk {
    levels: Vec<Level>,
    /// The number of open levels beyond [`MOST_LEVELS`].
    deeper: usize,
    has_envelope: bool,
    has_signature: bool,
}

impl Walk {
    fn finds(&mut self, text: &[u8]) -> bool {
        let mut at = 0;
        while let Some(&byte) = text.get(at) {
            at += 1;
            match byte {
                b'{' | b'[' => self.open(),
                b'}' | b']' => self.close(),
                b'"' => {
                    let (end, is_string) = end_of_string(text, at);
                    if !is_string {
                        // No JSON, up to the next line.
                        at = end;
                        continue;
                    }
                    let rest = text[end + 1..].trim_ascii_start();
                    match rest.strip_prefix(b":") {
                        Some(value) => self.member(&text[at..end], value.trim_ascii_start()),
                        None if is_detached(&text[at..end]) => return true,
                        None => {}
                    }
                    at = end + 1;
                }
                _ => {}
            }
            if self.is_done() {
                return true;
            }
        }
        false
    }

    fn open(&mut self) {
        if self.levels.len() >= MOST_LEVELS {
            self.deeper += 1;
            return;
        }
        let last = self.levels.last().copied().unwrap_or_default();
        self.levels.push(Level {
            around: last.around | last.name,
            ..Level::default()
        });
    }

    fn close(&mut self) {
        match self.deeper.checked_sub(1) {
            Some(deeper) => self.deeper = deeper,
            None => {
                self.levels.pop();
            }
        }
    }

    /// Adds a member. A signature is text: a number or a literal is none (`"protected": true`).
    fn member(&mut self, name: &[u8], value: &[u8]) {
        let Some(level) = self.levels.last_mut().filter(|_| self.deeper == 0) else {
            return;
        };
        let is_known = matches!(value.first(), Some(b'"' | b'{' | b'['));
        level.name = if is_known { bit(name) } else { 0 };
        level.own |= level.name;
        if level.name != 0 {
            let level = *level;
            let is = |shape: &Shape| level.is(shape);
            self.has_envelope |= ENVELOPES.iter().any(is);
            self.has_signature |= is(&OF_ENVELOPE);
            if SHAPES.iter().any(is) {
                (self.has_envelope, self.has_signature) = (true, true);
            }
        }
    }

    fn is_done(&self) -> bool {
        self.has_envelope && self.has_signature
    }
}

impl Level {
    fn is(&self, Shape(own, around): &Shape) -> bool {
        own.iter().all(|name| self.own & bit(name) != 0)
            && around.is_none_or(|name| self.around & bit(name) != 0)
    }
}

/// The bit of a name; 0 if it is not known.
fn bit(name: &[u8]) -> Names {
    let name = match name {
        b"@type" => b"type",
        name if name.starts_with(ED25519) => ED25519,
        name => name,
    };
    let known = NAMES.iter().position(|known| *known == name);
    known.map_or(0, |number| 1 << number)
}

/// The end of a string whose inside begins at `from`, and true if its quote is there: a line may end first.
fn end_of_string(text: &[u8], mut from: usize) -> (usize, bool) {
    loop {
        let rest = text.get(from..).unwrap_or_default();
        match memchr::memchr3(b'"', b'\\', b'\n', rest).map(|at| from + at) {
            Some(at) if text[at] == b'\\' => from = at + 2,
            Some(at) => return (at, text[at] == b'"'),
            None => return (text.len(), false),
        }
    }
}

/// True for a compact signature without its payload (RFC 7515 appendix F): `eyJ...` of the header, `..`, the signature.
fn is_detached(text: &[u8]) -> bool {
    let is_base64 = |text: &[u8]| {
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        !text.is_empty() && text.iter().all(is_part)
    };
    let dots = text.starts_with(b"eyJ").then(|| memmem::find(text, b".."));
    dots.flatten()
        .is_some_and(|at| is_base64(&text[..at]) && is_base64(&text[at + 2..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures() {
        for text in [
            r#"{"signatures": [{"keyid": "a", "sig": "b"}], "signed": {"_type": "root"}}"#,
            r#"{"signed": {"a": ["}", "\"{"]}, "signatures": [{"sig": "b"}]}"#,
            r#"{"payload": "e30", "payloadType": "http://a.example/t", "signatures": [{"sig": "b"}]}"#,
            r#"{"proof": {"type": "DataIntegrityProof", "proofValue": "z5"}}"#,
            r#"{"proof": [{"a": {}}, {"@type": "Ed25519Signature2020", "proofValue": "z5"}]}"#,
            r#"{"proof": {"type": "JsonWebSignature2020", "jws": "a"}}"#,
            r#"{"signature": {"type": "RsaSignature2017", "signatureValue": "a=="}}"#,
            r#"{"signature": {"algorithm": "ES256", "publicKey": {"kty": "EC"}, "value": "a"}}"#,
            r#"{"signature": {"signers": [{"algorithm": "ES256", "value": "a"}]}}"#,
            r#"{"signatures": [{"protected": "eyJ", "header": {}, "signature": "a"}]}"#,
            r#"{"a": 1, "mine" : "eyJhbGciOiJFUzI1NiJ9..c2ln-_" }"#,
            r#"["EVENT", {"content": "x", "id": "0", "kind": 1, "pubkey": "0", "sig": "0"}]"#,
            r#"{"content": {"body": "x"}, "signatures": {"a.example": {"ed25519:a_1": "c2ln"}}}"#,
            "{\"a\": \"b\n{\"proof\": {\"type\": \"x\", \"proofValue\": \"z5\"}}",
        ] {
            assert!(has_json_signature(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn no_signatures() {
        for text in [
            // Over the name of a package and its digest, not over the document.
            r#"{"dist": {"tarball": "http://a.example/", "signatures": [{"keyid": "a", "sig": "b"}]}}"#,
            r#"{"verify_keys": {"ed25519:a_1": {"key": "a"}}, "signatures": {}}"#,
            r#"{"signed": true, "signatures": [{"sig": "b"}]}"#,
            r#"{"name": "f", "protected": true, "signature": "f()"}"#,
            r#"{"signature": "f()", "type": "x", "signatureValue": "a"}"#,
            r#"{"signature": "f()", "params": {"algorithm": "a", "value": "b"}}"#,
            r#"{"proof": {"type": "Spirit"}, "other": {"proofValue": "a", "type": "b"}}"#,
            r#"{"token": "eyJhbGciOiJFUzI1NiJ9.e30.c2ln", "b": "eyJ.. and so on"}"#,
            r#"{"proof": "of", "text": "{\"proof\": {\"type\": \"a\", \"proofValue\": \"b\"}}"}"#,
        ] {
            assert!(!has_json_signature(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn levels_that_are_too_many_are_closed_again() {
        let deep = "[".repeat(3 * MOST_LEVELS);
        let shallow = deep.replace('[', "]");
        let text = format!("{deep}{shallow}{{\"proof\": {{\"type\": \"a\", \"jws\": \"b\"}}}}");
        assert!(has_json_signature(text.as_bytes()));
    }
}
