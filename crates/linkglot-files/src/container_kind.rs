//! Telling containers, archives and compressed files, from other files.

use super::container_name::{ARCHIVES, has_extension, inner_name};
use super::positioned::Positioned;
use super::source::Source;
use linkglot_archive::zip::Archive;
use linkglot_archive::{HEAD, Kind, kind_of};
use std::io::{self, Read, Seek};
use std::path::Path;

/// First bytes of programs that may have a zip archive behind them.
const PROGRAMS: [&[u8]; 2] = [b"MZ", b"\x7FELF"];

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
        Kind::Tar | Kind::Zip | Kind::Warc => true,
        Kind::Compressed(_) => has_extension(&inner_name(path), ARCHIVES),
    };
    is_file && kind().is_some_and(is_several)
}
