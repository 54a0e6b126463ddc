//! Telling containers, archives and compressed files, from other files.

use super::positioned::Positioned;
use super::source::Source;
use linkglot_archive::zip::Archive;
use linkglot_archive::{HEAD, Kind, kind_of};
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};

/// Extensions of compressed files, which are taken off a name to get that of the document.
const COMPRESSED: &[&str] = &["gz", "zst", "bz2", "xz"];

/// Extensions of archives.
const ARCHIVES: &[&str] = &[
    "tar", "tgz", "tbz2", "txz", "tzst", "zip", "epub", "docx", "docm", "dotx", "xlsx", "xlsm",
    "xltx", "pptx", "pptm", "potx", "odt", "ott", "ods", "ots", "odp", "otp", "odg", "jar", "war",
    "maff", "whl", "cbz", "kmz",
];

/// First bytes of programs that may have a zip archive behind them.
const PROGRAMS: [&[u8]; 2] = [b"MZ", b"\x7FELF"];

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
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

/// The kind of container that a file is, by its first bytes. Behind a program, and in a file with the name of an
/// archive, a zip archive is known by its end.
pub(super) fn kind_of_file(source: &Source) -> io::Result<Option<Kind>> {
    let mut file = source.file();
    let mut head = Vec::with_capacity(HEAD);
    file.take(HEAD as u64).read_to_end(&mut head)?;
    file.rewind()?;
    let known = kind_of(&head);
    let is_program = PROGRAMS.iter().any(|program| head.starts_with(program));
    let may_be_zip = is_program || has_extension(source.path(), ARCHIVES);
    if known.is_none() && may_be_zip && Archive::open(Positioned::new(file)).is_ok() {
        return Ok(Some(Kind::Zip));
    }
    Ok(known)
}

/// True if the file at a path is an archive, which may hold several documents. False if it cannot be read.
pub fn is_archive(path: &Path) -> bool {
    let is_file = path.metadata().is_ok_and(|metadata| metadata.is_file());
    let kind = || kind_of_file(&Source::open(path).ok()?).ok()?;
    // A compressed file may hold an archive.
    let is_several = |kind| match kind {
        Kind::Tar | Kind::Zip => true,
        Kind::Compressed(_) => has_extension(&inner_name(path), ARCHIVES),
    };
    is_file && kind().is_some_and(is_several)
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
