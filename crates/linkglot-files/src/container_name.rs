//! Names of containers.

use linkglot_archive::{Codec, Kind};
use std::path::{Path, PathBuf};

/// Extensions of compressed files, which are taken off a name to get that of the document.
const COMPRESSED: &[&str] = &["gz", "zst", "bz2", "xz", "br"];

/// Extensions of compressed files and of compressed archives in tar.
const CODECS: [(&[&str], Codec); 5] = [
    (&["gz", "tgz"], Codec::Gzip),
    (&["zst", "tzst"], Codec::Zstandard),
    (&["bz2", "tbz2"], Codec::Bzip2),
    (&["xz", "txz"], Codec::Xz),
    (BROTLI, Codec::Brotli),
];

/// Extension of files whose compression no mark tells.
pub(super) const BROTLI: &[&str] = &["br"];

/// Extensions of archives in zip.
const ZIP: &[&str] = &[
    "zip", "epub", "docx", "docm", "dotx", "xlsx", "xlsm", "xltx", "pptx", "pptm", "potx", "odt",
    "ott", "ods", "ots", "odp", "otp", "odg", "jar", "war", "maff", "whl", "cbz", "kmz",
];

/// Extensions of archives in tar: plain, or compressed.
const TAR: &[&str] = &["tar", "tgz", "tbz2", "txz", "tzst"];

/// Extensions of the other archives.
const OTHERS: &[&str] = &["warc", "arc", "webarchive"];

/// Extensions of archives of the web.
pub(super) const WARC: &[&str] = &["warc"];
pub(super) const ARC: &[&str] = &["arc"];

/// Extension of web archives of Safari.
const SAFARI: &[&str] = &["webarchive"];

/// The extension of a name; empty if there is none.
fn extension(path: &Path) -> &str {
    let own = path.extension().and_then(|own| own.to_str());
    own.unwrap_or_default()
}

/// True if an extension is one of these, in any case.
fn is_among(own: &str, extensions: &[&str]) -> bool {
    let mut extensions = extensions.iter();
    extensions.any(|known| known.eq_ignore_ascii_case(own))
}

/// True if the extension of a name is one of these, in any case.
pub(super) fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    is_among(extension(path), extensions)
}

/// True if the name is that of an archive.
pub(super) fn has_archive_name(path: &Path) -> bool {
    let own = extension(path);
    [ZIP, TAR, OTHERS].iter().any(|known| is_among(own, known))
}

/// True if the name is that of a container. The content decides whether it is one.
pub(super) fn has_container_name(path: &Path) -> bool {
    has_extension(path, COMPRESSED) || has_archive_name(path)
}

/// Begins of the names of files that office programs and macOS keep beside a file, with its name: locks and resource
/// forks.
const COMPANIONS: [&str; 2] = ["~$", "._"];

/// The kind of container that the name is usual for, but for archives of the web.
pub(super) fn usual_kind(path: &Path) -> Option<Kind> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if COMPANIONS.iter().any(|begin| name.starts_with(begin)) {
        return None;
    }
    let own = extension(path);
    let mut codecs = CODECS.iter();
    let codec = codecs.find(|(extensions, _)| is_among(own, extensions));
    match codec {
        Some((_, codec)) => Some(Kind::Compressed(*codec)),
        None if is_among(own, TAR) => Some(Kind::Tar),
        None if is_among(own, ZIP) => Some(Kind::Zip),
        None if is_among(own, SAFARI) => Some(Kind::Safari),
        None => None,
    }
}

/// The name of the document in a compressed file.
pub(super) fn inner_name(path: &Path) -> PathBuf {
    if has_extension(path, COMPRESSED) {
        path.with_extension("")
    } else if has_extension(path, TAR) {
        path.with_extension("tar")
    } else {
        path.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let name = |path: &str| inner_name(Path::new(path)).display().to_string();
        assert_eq!(name("a/page.html.GZ"), "a/page.html");
        assert_eq!(name("a.tgz"), "a.tar");
        assert!(has_container_name(Path::new("a/b.EPUB")));
        assert!(has_container_name(Path::new("mail.mbox.zst")));
        assert!(!has_container_name(Path::new("zip")));
        let kind = |path: &str| usual_kind(Path::new(path));
        assert_eq!(kind("a.html.gz"), Some(Kind::Compressed(Codec::Gzip)));
        assert_eq!(kind("a.TXZ"), Some(Kind::Compressed(Codec::Xz)));
        assert_eq!(kind("a.tar"), Some(Kind::Tar));
        for name in ["a.warc", "a.html", "d/~$a.docx", "__MACOSX/._a.zip"] {
            assert_eq!(kind(name), None, "{name}");
        }
    }
}
