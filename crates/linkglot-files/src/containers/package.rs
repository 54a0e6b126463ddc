//! Packages: zip archives with entries that speak of the others.

use linkglot_archive::zip::Archive;
use std::io::{self, Read, Seek};

/// Names of entries with signatures or digests of others: OpenDocument, EPUB, NuGet, add-ons of browsers.
const SIGNATURES: [&[u8]; 5] = [
    b"META-INF/documentsignatures.xml",
    b"META-INF/signatures.xml",
    b".signature.p7s",
    b"META-INF/mozilla.rsa",
    b"META-INF/cose.sig",
];

/// True if a signature, or a list of digests, covers the entries of a package. Reads the central directory.
pub(super) fn is_signed<R: Read + Seek>(archive: &mut Archive<R>) -> io::Result<bool> {
    if archive.has_signing_block()? {
        return Ok(true);
    }
    for number in 0..archive.len() {
        if is_signature(&archive.entry(number)?.name) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// True for the name of an entry with a signature or digests: also of Office Open XML, Java, and wheels of Python.
fn is_signature(name: &[u8]) -> bool {
    let in_meta = name.strip_prefix(b"META-INF/");
    let is_of_java = in_meta.is_some_and(|name| {
        let end = name.len().saturating_sub(3);
        name[end..].eq_ignore_ascii_case(b".sf") && !name.contains(&b'/')
    });
    SIGNATURES.contains(&name)
        || name.starts_with(b"_xmlsignatures/")
        || is_of_java
        || name.ends_with(b".dist-info/RECORD")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_signatures() {
        for name in [
            "META-INF/documentsignatures.xml",
            "_xmlsignatures/sig1.xml",
            "META-INF/CERT.SF",
            "a-1.dist-info/RECORD",
        ] {
            assert!(is_signature(name.as_bytes()), "{name}");
        }
        for name in ["META-INF/manifest.xml", "META-INF/a/b.SF", "a.SF", "SF"] {
            assert!(!is_signature(name.as_bytes()), "{name}");
        }
    }
}
