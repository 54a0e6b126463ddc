//! Documents with a signature in them, found before anything is written, since most stand behind the covered text: XML
//! Signature, signatures in JSON, signed scripts of Windows, and texts that end in a signature.
//!
//! The extent of a signature is not followed: it counts for the whole document.

mod signed_plain;

use super::mapping::{Mapping, Transport};
use crate::charset::EXTENDED_HEAD;
use crate::error::Error;
use crate::format::{Format, file_names};
use crate::link::{Info, Settings};
use crate::markup::has_json_signature;
use crate::read::Opened;
use memchr::memmem;
use signed_plain::has_plain_signature;
use std::borrow::Cow;

/// The namespace of signatures in XML.
const NAMESPACE: &[u8] = b"http://www.w3.org/2000/09/xmldsig#";

/// The local name of an element that every signature in XML has, but not a key alone (4.1).
const VALUE: &[u8] = b"SignatureValue";

/// The line in front of the signature of a script, behind the marks of a comment.
const BLOCK: &[u8] = b" Begin signature block";
const MARKS: [&[u8]; 6] = [
    b"# SIG #",
    b"<!-- SIG #",
    b"/* SIG #",
    b"'' SIG ''",
    b"// SIG //",
    b"** SIG **",
];

/// The extent of a text that is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    Whole,
    /// More of the document may follow.
    Begin,
}

/// A search for signatures in a text.
type Search = fn(&[u8], Extent) -> bool;

/// True if the start of a document has a signature that the mapping must not break, or the mapping says that any
/// document is signed. Consumes nothing. Linear. Reads as many bytes as a declaration and the longest slot may take, of
/// text no more than its head.
///
/// # Errors
///
/// Errors of the reader.
pub(super) fn is_signed(document: &mut Opened<'_, '_>, mapping: &Mapping) -> Result<bool, Error> {
    let Opened { info, settings, .. } = *document;
    let keeps_signatures = mapping.transport != Transport::SignaturesBroken;
    let may_change = !mapping.is_idle() || mapping.to_charset.is_some();
    if !keeps_signatures || !may_change || mapping.is_signed {
        return Ok(keeps_signatures && may_change);
    }
    let Some((has_signature, limit)) = search(info.format, settings) else {
        return Ok(false);
    };
    let bytes = document.input.begin(limit)?;
    let extent = if bytes.len() < limit {
        Extent::Whole
    } else {
        Extent::Begin
    };
    let bytes = &bytes[..bytes.len().min(limit)];
    Ok(if info.charset.is_ascii_compatible() {
        has_signature(bytes, extent)
    } else {
        match info.charset.decode(bytes) {
            Cow::Borrowed(text) => has_signature(text.as_bytes(), extent),
            Cow::Owned(text) => has_signature(text.as_bytes(), extent),
        }
    })
}

/// True if the start of a page has a policy and a digest (`'sha256-...'`), which may be that of a script or a style in
/// it. Consumes nothing. Linear.
///
/// # Errors
///
/// Errors of the reader.
pub(super) fn has_hashes(document: &mut Opened<'_, '_>, mapping: &Mapping) -> Result<bool, Error> {
    const HASHES: [&[u8]; 3] = [b"256-", b"384-", b"512-"];
    let is_page = matches!(document.info.format, Format::Html | Format::Xml);
    if !is_page || mapping.is_idle() || mapping.transport == Transport::SignaturesBroken {
        return Ok(false);
    }
    let bytes = document.input.begin(EXTENDED_HEAD)?;
    let bytes = &bytes[..bytes.len().min(EXTENDED_HEAD)];
    let is_hash = |at: usize| HASHES.contains(&&bytes[at + 3..bytes.len().min(at + 7)]);
    let has = |name: &[u8]| memmem::find_iter(bytes, name).any(is_hash);
    // A policy in the page itself: `integrity` has such digests, too.
    let policy = |name: &[u8]| memmem::find(bytes, name).is_some();
    Ok((has(b"sha") || has(b"SHA") || has(b"Sha")) && (policy(b"olicy") || policy(b"OLICY")))
}

/// The search for signatures in a document, and the bytes that it needs; `None` if it may have none.
fn search(format: Format, settings: &Settings) -> Option<(Search, usize)> {
    let longest = (2 * EXTENDED_HEAD).saturating_add(settings.max_slot);
    let is_script = || {
        settings
            .name
            .as_deref()
            .is_some_and(file_names::is_windows_script)
    };
    let search: Search = match format {
        Format::Json | Format::JsonLines => |text, _| has_json_signature(text),
        Format::Xml => |text, _| has_xml_signature(text) || has_block(text),
        _ if is_script() => |text, _| has_block(text),
        // A stream of text goes on as it comes.
        Format::Text => return Some((has_plain_signature, Info::HEAD)),
        _ => return None,
    };
    Some((search, longest))
}

/// True if a line begins the signature of a script (Authenticode of PowerShell and of Windows Script Host).
fn has_block(text: &[u8]) -> bool {
    memmem::find_iter(text, BLOCK).any(|at| MARKS.iter().any(|mark| text[..at].ends_with(mark)))
}

fn has_xml_signature(text: &[u8]) -> bool {
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
    use super::{has_block, has_xml_signature};

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
            assert_eq!(has_xml_signature(text.as_bytes()), expected, "{name}");
            assert!(!has_xml_signature(name.as_bytes()), "{name}");
        }
    }

    #[test]
    fn signatures_of_scripts() {
        for (line, expected) in [
            ("# SIG # Begin signature block", true),
            ("<!-- SIG # Begin signature block -->", true),
            ("'' SIG '' Begin signature block", true),
            ("// SIG // Begin signature block", true),
            ("# Begin signature block", false),
            ("see SIG # Begin signature block", false),
        ] {
            assert_eq!(
                has_block(format!("a\r\n{line}\r\n").as_bytes()),
                expected,
                "{line}"
            );
        }
    }
}
