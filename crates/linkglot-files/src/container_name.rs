//! Names of containers.

use std::path::{Path, PathBuf};

/// Extensions of compressed files, which are taken off a name to get that of the document.
const COMPRESSED: &[&str] = &["gz", "zst", "bz2", "xz", "br"];

/// Extension of files whose compression no mark tells.
pub(super) const BROTLI: &[&str] = &["br"];

/// Extensions of archives.
pub(super) const ARCHIVES: &[&str] = &[
    "tar",
    "tgz",
    "tbz2",
    "txz",
    "tzst",
    "zip",
    "epub",
    "docx",
    "docm",
    "dotx",
    "xlsx",
    "xlsm",
    "xltx",
    "pptx",
    "pptm",
    "potx",
    "odt",
    "ott",
    "ods",
    "ots",
    "odp",
    "otp",
    "odg",
    "jar",
    "war",
    "maff",
    "whl",
    "cbz",
    "kmz",
    "warc",
    "arc",
    "webarchive",
];

/// Extensions of archives of the web.
pub(super) const WARC: &[&str] = &["warc"];
pub(super) const ARC: &[&str] = &["arc"];

/// True if the extension of a name is one of these, in any case.
pub(super) fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    let own = path.extension().and_then(|own| own.to_str());
    own.is_some_and(|own| {
        extensions
            .iter()
            .any(|known| known.eq_ignore_ascii_case(own))
    })
}

/// True if the name is that of a container. The content decides whether it is one.
pub(super) fn has_container_name(path: &Path) -> bool {
    has_extension(path, COMPRESSED) || has_extension(path, ARCHIVES)
}

/// The name of the document in a compressed file.
pub(super) fn inner_name(path: &Path) -> PathBuf {
    if has_extension(path, COMPRESSED) {
        path.with_extension("")
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
        assert_eq!(name("a.tgz"), "a.tgz");
        assert!(has_container_name(Path::new("a/b.EPUB")));
        assert!(has_container_name(Path::new("mail.mbox.zst")));
        assert!(!has_container_name(Path::new("zip")));
    }
}
