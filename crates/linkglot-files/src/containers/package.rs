//! Packages: zip archives with entries that speak of the others.

use crate::workbook::{Columns, ColumnsFile};
use linkglot::rewrite;
use linkglot_archive::zip::Archive;
use memchr::memmem;
use std::collections::HashSet;
use std::ffi::OsStr;
use std::io::{self, Read, Seek};

/// Names of entries with signatures or digests of others: NuGet, add-ons of browsers, packages of Windows, archives of
/// the web (WACZ), widgets (W3C XML Digital Signatures for Widgets 5), extensions of Chromium.
const SIGNATURES: [&[u8]; 8] = [
    b".signature.p7s",
    b"META-INF/mozilla.rsa",
    b"META-INF/cose.sig",
    b"AppxSignature.p7x",
    b"AppxBlockMap.xml",
    b"datapackage-digest.json",
    b"author-signature.xml",
    b"_metadata/verified_contents.json",
];

/// Ends of names of entries with signatures, in any folder: wheels of Python, programs of macOS and iOS.
const ENDS: [&[u8]; 2] = [b".dist-info/RECORD", b"_CodeSignature/CodeResources"];

/// Lists of encrypted entries: of EPUB, and of OpenDocument.
const ENCRYPTION: &[u8] = b"META-INF/encryption.xml";
const MANIFEST: &[u8] = b"META-INF/manifest.xml";

/// Lists of Office Open XML, XPS and VSIX that tell which part is the origin of the signatures, whatever its name
/// (ECMA-376 part 2, 12.2.4).
const RELATIONSHIPS: &[u8] = b"_rels/.rels";
const CONTENT_TYPES: &[u8] = b"[content_types].xml";

/// The entry that tells the type of books (EPUB), and of documents of OpenDocument, and the beginnings of these types.
const MEDIA_TYPE: &[u8] = b"mimetype";
const MEDIA_TYPES: [&[u8]; 2] = [
    b"application/epub+zip",
    b"application/vnd.oasis.opendocument.",
];

/// The most bytes of a list that are read.
const MOST_LIST: u64 = 4 << 20;

/// The statements of a package about its entries.
#[derive(Debug, Default)]
pub(super) struct Package {
    /// True if a signature, or a list of digests, covers the entries.
    pub is_signed: bool,
    encrypted: HashSet<Vec<u8>>,
    references: References,
}

/// The way from one entry of an archive to another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum References {
    /// The entries are files of their own.
    #[default]
    None,
    /// References, as between files of a directory.
    ToFiles,
    /// Relationships. References lead out of the package.
    Outside,
}

impl Package {
    /// Reads the central directory and the lists. Lists that cannot be read are empty.
    pub fn read<R: Read + Seek>(archive: &mut Archive<R>) -> io::Result<Self> {
        let mut package = Package {
            is_signed: archive.has_signing_block()?,
            ..Package::default()
        };
        for number in 0..archive.len() {
            let entry = archive.entry(number)?;
            package.is_signed |= is_signature(&entry.name);
            let Some(list) = List::of(&entry.name) else {
                continue;
            };
            let mut bytes = Vec::new();
            let content = archive.content(number, &entry);
            let read = content.and_then(|content| content.take(MOST_LIST).read_to_end(&mut bytes));
            if read.is_ok() {
                package.add(list, &bytes);
            }
        }
        Ok(package)
    }

    fn add(&mut self, list: List, bytes: &[u8]) {
        match list {
            List::Encrypted => {
                let names = listed(bytes, (b"CipherReference", b"URI="), false);
                self.encrypted.extend(names);
            }
            List::Manifest => {
                let names = listed(bytes, (b"file-entry", b"full-path="), true);
                self.encrypted.extend(names);
            }
            List::Parts => {
                self.is_signed |= has_origin(bytes);
                self.references = References::Outside;
            }
            List::MediaType => {
                let is_package = MEDIA_TYPES.iter().any(|known| bytes.starts_with(known));
                if is_package {
                    self.references = References::ToFiles;
                }
            }
        }
    }

    /// The rules for references in an entry, if the archive is a package.
    pub fn rules(&self, name: &OsStr) -> Option<rewrite::Package> {
        match self.references {
            References::None => None,
            References::ToFiles => Some(rewrite::Package::OfFiles {
                part: name.to_string_lossy().into(),
            }),
            References::Outside => Some(rewrite::Package::OfRelationships),
        }
    }

    /// True for the entry that tells the type: its bytes are fixed.
    pub fn is_media_type(&self, name: &[u8]) -> bool {
        self.references == References::ToFiles && name == MEDIA_TYPE
    }

    /// True if the package says that an entry is encrypted.
    pub fn is_encrypted(&self, name: &[u8]) -> bool {
        self.encrypted.contains(name)
    }
}

/// A list of a package.
#[derive(Clone, Copy)]
enum List {
    Encrypted,
    Manifest,
    /// The parts of Office Open XML, by type or by relationship.
    Parts,
    /// The type of a book, or of a document of OpenDocument.
    MediaType,
}

impl List {
    /// The list that an entry with this name is.
    fn of(name: &[u8]) -> Option<Self> {
        match name {
            ENCRYPTION => Some(List::Encrypted),
            MANIFEST => Some(List::Manifest),
            MEDIA_TYPE => Some(List::MediaType),
            _ => {
                // Names of parts are equal without regard to case, and a part may come in pieces (`/[0].piece`).
                let begins_with = |list: &[u8]| {
                    let start = name.get(..list.len());
                    let rest = name.get(list.len()..).unwrap_or_default();
                    start.is_some_and(|start| start.eq_ignore_ascii_case(list))
                        && matches!(rest, [] | [b'/', ..])
                };
                let is_parts = begins_with(RELATIONSHIPS) || begins_with(CONTENT_TYPES);
                is_parts.then_some(List::Parts)
            }
        }
    }
}

/// True if a list of parts names an origin of signatures. O(length).
fn has_origin(list: &[u8]) -> bool {
    const ORIGINS: [&[u8]; 2] = [b"digital-signature/origin", b"digital-signature-origin"];
    // UTF-16 puts zeros between the letters, and types of content have no case.
    let letters = list.iter().filter(|byte| **byte != 0);
    let letters: Vec<u8> = letters.map(u8::to_ascii_lowercase).collect();
    let has = |origin: &[u8]| memmem::find(&letters, origin).is_some();
    ORIGINS.into_iter().any(has)
}

/// The names of columns in the tables of a workbook, and of fields of its pivot tables.
///
/// # Errors
///
/// When a table cannot be read: then it is not known which texts are names.
pub(super) fn columns<R: Read + Seek>(archive: &mut Archive<R>) -> io::Result<HashSet<String>> {
    let mut columns = Columns::default();
    for number in 0..archive.len() {
        let entry = archive.entry(number)?;
        if let Some(kind) = ColumnsFile::of(&entry.name) {
            columns.read(kind, &mut archive.content(number, &entry)?)?;
        }
    }
    Ok(columns.names)
}

/// The values of an attribute of elements; in a manifest, of those with a description of their encryption.
fn listed<'l>(
    list: &'l [u8],
    (element, key): (&'l [u8], &'l [u8]),
    is_manifest: bool,
) -> impl Iterator<Item = Vec<u8>> + 'l {
    let starts = memmem::find_iter(list, element).map(move |at| &list[at + element.len()..]);
    starts.filter_map(move |rest| {
        let end = memmem::find(rest, element).unwrap_or(rest.len());
        let own = &rest[..end];
        let value = &own[memmem::find(own, key)? + key.len()..];
        let quote = *value.first()?;
        let value = &value[1..];
        let name = &value[..memchr::memchr(quote, value)?];
        let is_meant = !is_manifest || memmem::find(own, b"encryption-data").is_some();
        is_meant.then(|| name.to_vec())
    })
}

/// True for the name of an entry with a signature or digests: also of OpenDocument, EPUB, ASiC, Office Open XML, Java,
/// and wheels of Python.
fn is_signature(name: &[u8]) -> bool {
    // Java ignores the case.
    let small = name.to_ascii_lowercase();
    let in_meta = small.strip_prefix(b"meta-inf/");
    let is_in_meta = in_meta.is_some_and(|name| {
        let ends = |end: &&[u8]| name.ends_with(end);
        let has_word = || memmem::find(name, b"signature").is_some();
        let is_asic = has_word() && [&b".xml"[..], b".p7s"].iter().any(ends);
        !name.contains(&b'/') && ([&b".sf"[..], b".tst"].iter().any(ends) || is_asic)
    });
    SIGNATURES.contains(&name)
        || small.starts_with(b"_xmlsignatures/")
        || small.starts_with(b"package/services/digital-signature/")
        || is_in_meta
        || is_of_distributor(name)
        || ENDS.iter().any(|end| name.ends_with(end))
}

/// True for the signature of a widget by a distributor: `signature1.xml`.
fn is_of_distributor(name: &[u8]) -> bool {
    let number = name
        .strip_prefix(b"signature")
        .and_then(|name| name.strip_suffix(b".xml"));
    number.is_some_and(|number| !number.is_empty() && number.iter().all(u8::is_ascii_digit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encrypted_entries() {
        let epub = b"<enc:CipherReference URI=\"a/f.otf\"/><x/><enc:CipherReference URI='b.xhtml'></enc:CipherReference>";
        let names: Vec<_> = listed(epub, (b"CipherReference", b"URI="), false).collect();
        assert_eq!(names, [&b"a/f.otf"[..], b"b.xhtml"]);
        let manifest = b"<m:file-entry m:full-path=\"content.xml\"><m:encryption-data/></m:file-entry><m:file-entry m:full-path=\"meta.xml\"/>";
        let names: Vec<_> = listed(manifest, (b"file-entry", b"full-path="), true).collect();
        assert_eq!(names, [b"content.xml"]);
    }

    #[test]
    fn origins_of_signatures() {
        let relationship = "<Relationship Type=\"http://schemas.openxmlformats.org/package/2006/relationships/digital-signature/origin\"/>";
        let kind = "<Override ContentType=\"application/vnd.openxmlformats-Package.Digital-Signature-Origin\"/>";
        let wide: Vec<u8> = kind.bytes().flat_map(|byte| [byte, 0]).collect();
        for list in [relationship.as_bytes(), kind.as_bytes(), &wide] {
            assert!(has_origin(list));
        }
        let signature = "<Default ContentType=\"application/vnd.openxmlformats-package.digital-signature-xmlsignature+xml\"/>";
        assert!(!has_origin(signature.as_bytes()));
        for (name, expected) in [
            ("[Content_Types].xml", true),
            ("[content_types].xml/[0].piece", true),
            ("_rels/.rels", true),
            ("a/_rels/.rels", false),
            ("_rels/.relsx", false),
        ] {
            assert_eq!(List::of(name.as_bytes()).is_some(), expected, "{name}");
        }
    }

    #[test]
    fn names_of_signatures() {
        for name in [
            "META-INF/documentsignatures.xml",
            "_xmlsignatures/sig1.xml",
            "META-INF/CERT.SF",
            "a-1.dist-info/RECORD",
            "meta-inf/cert.sf",
            "META-INF/signatures.xml",
            "META-INF/signatures001.xml",
            "META-INF/signature001.p7s",
            "META-INF/timestamp.tst",
            "package/services/digital-signature/origin.psdor",
            "AppxBlockMap.xml",
            "signature1.xml",
            "author-signature.xml",
            "Payload/A.app/_CodeSignature/CodeResources",
            "_metadata/verified_contents.json",
        ] {
            assert!(is_signature(name.as_bytes()), "{name}");
        }
        for name in [
            "META-INF/manifest.xml",
            "META-INF/a/b.SF",
            "a.SF",
            "SF",
            "signature.xml",
            "a/signature1.xml",
        ] {
            assert!(!is_signature(name.as_bytes()), "{name}");
        }
    }
}
