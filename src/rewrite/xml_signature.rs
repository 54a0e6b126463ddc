//! Signatures in XML (XML Signature Syntax and Processing), found before anything is written, since most stand behind
//! the covered text.
//!
//! The references and transforms of a signature, which say what it covers, are not followed: it counts for the whole
//! document.

use super::charset_guess::{is_idle, limit};
use super::mapping::{Mapping, Transport};
use crate::error::Error;
use crate::format::Format;
use crate::read::Opened;
use memchr::memmem;
use std::borrow::Cow;

/// The namespace of signatures.
const NAMESPACE: &[u8] = b"http://www.w3.org/2000/09/xmldsig#";

/// The local name of an element that every signature has, but not a key alone (4.1).
const VALUE: &[u8] = b"SignatureValue";

/// True if the start of an XML document has a signature that the mapping must not break, or the mapping says that any
/// document is signed. Consumes nothing.
/// Linear. Reads as many bytes as the trial for the charset may read.
///
/// # Errors
///
/// Errors of the reader.
pub(super) fn is_signed(document: &mut Opened<'_, '_>, mapping: &Mapping) -> Result<bool, Error> {
    let Opened { info, settings, .. } = *document;
    let keeps_signatures = mapping.transport != Transport::SignaturesBroken;
    let may_change = !is_idle(mapping) || mapping.to_charset.is_some();
    if !keeps_signatures || !may_change || !(mapping.is_signed || info.format == Format::Xml) {
        return Ok(false);
    }
    if mapping.is_signed {
        return Ok(true);
    }
    let limit = limit(info, settings);
    let bytes = document.input.begin(limit)?;
    let bytes = &bytes[..bytes.len().min(limit)];
    Ok(if info.charset.is_ascii_compatible() {
        has_signature(bytes)
    } else {
        match info.charset.decode(bytes) {
            Cow::Borrowed(text) => has_signature(text.as_bytes()),
            Cow::Owned(text) => has_signature(text.as_bytes()),
        }
    })
}

fn has_signature(text: &[u8]) -> bool {
    memmem::find(text, NAMESPACE).is_some()
        && memmem::find_iter(text, VALUE)
            .any(|at| ends_prefix(&text[..at]) && !begins_with_name(&text[at + VALUE.len()..]))
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.') || !byte.is_ascii()
}

/// True if a text starts with a character of a name.
fn begins_with_name(text: &[u8]) -> bool {
    text.first().is_some_and(|byte| is_of_name(*byte))
}

/// True if a text ends with the start of a tag: `<`, and perhaps a prefix.
fn ends_prefix(text: &[u8]) -> bool {
    let prefix = |text: &[u8]| {
        text.iter()
            .rev()
            .take_while(|byte| is_of_name(**byte))
            .count()
    };
    let before = match text.strip_suffix(b":") {
        Some(text) => &text[..text.len() - prefix(text)],
        None => text,
    };
    before.ends_with(b"<")
}

#[cfg(test)]
mod tests {
    use super::has_signature;

    #[test]
    fn signatures() {
        let namespace = "xmlns='http://www.w3.org/2000/09/xmldsig#'";
        for (name, expected) in [
            ("<SignatureValue>", true),
            ("<ds:SignatureValue Id='a'>", true),
            ("<подпись:SignatureValue>", true),
            ("&lt;ds:SignatureValue>", false),
            ("the ds:SignatureValue", false),
            ("</ds:SignatureValue>", false),
            ("<ds:SignatureValues>", false),
            ("<ds:X509Data>", false),
        ] {
            let text = format!("<a {namespace}>{name}");
            assert_eq!(has_signature(text.as_bytes()), expected, "{name}");
            assert!(!has_signature(name.as_bytes()), "{name}");
        }
    }
}
