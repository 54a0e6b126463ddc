//! Telling containers, archives and compressed files, from other files.

use super::binary::{Overrides, has_signature, is_binary};
use super::container_name::{
    ARC, BROTLI, WARC, has_archive_name, has_extension, inner_name, usual_kind,
};
use super::positioned::Positioned;
use super::source::Source;
use linkglot::error::{Error, ErrorKind};
use linkglot_archive::zip::Archive;
use linkglot_archive::{Codec, HEAD, Kind, is_brotli, kind_of};
use std::io;
use std::path::Path;

/// First bytes of programs that may have a zip archive behind them, and of headers with a signature of one.
const PROGRAMS: [&[u8]; 3] = [b"MZ", b"\x7FELF", b"Cr24"];

/// The kind of container that a file is, by its first bytes. Behind a program, and in a file with the name of an
/// archive, a zip archive is known by its end; a damaged container by its name ([`damaged_kind`]).
///
/// # Errors
///
/// When the file cannot be read, or is no archive of the web although it should be: see [`check_records`].
pub(super) fn kind_of_file(source: &Source) -> io::Result<Option<Kind>> {
    let head = source.head()?;
    let begin = &head[..head.len().min(HEAD)];
    let known = kind_of_named(begin, source.path());
    let is_program = PROGRAMS.iter().any(|program| begin.starts_with(program));
    let may_be_zip = is_program || has_archive_name(source.path());
    if known.is_none() && may_be_zip && Archive::open(Positioned::new(source.file())).is_ok() {
        return Ok(Some(Kind::Zip));
    }
    let known = known.or_else(|| damaged_kind(head, source.path()));
    if known.is_none() {
        check_records(begin, Some(source.path()))?;
    }
    Ok(known)
}

/// The kind of container that a name is usual for, if the first bytes are neither text nor those of another format:
/// then it is damaged, or a tar archive without entries. A page may have such a name, but it is no script.
pub(super) fn damaged_kind(head: &[u8], name: &Path) -> Option<Kind> {
    let is_damaged = |kind: Kind| {
        let is_script = kind == Kind::Zip && head.starts_with(b"#!");
        let is_container = is_script || is_binary(head, name, Overrides::default());
        is_container && !has_signature(head)
    };
    usual_kind(name).filter(|kind| is_damaged(*kind))
}

/// The kind of container that a document is, by its first bytes, and by its name if that says Brotli and the bytes are
/// no text.
pub(super) fn kind_of_named(head: &[u8], name: &Path) -> Option<Kind> {
    let is_text = || match std::str::from_utf8(head) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none() && error.valid_up_to() > 0,
    };
    let may_be_brotli = || has_extension(name, BROTLI) && !is_text() && is_brotli(head);
    kind_of(head).or_else(|| may_be_brotli().then_some(Kind::Compressed(Codec::Brotli)))
}

/// Refuses content that begins with another version of WARC, and, if it has a name, content with the name of an archive
/// of the web: read as text, its links could be written, and its lengths and digests would break.
///
/// # Errors
///
/// For such content.
pub(super) fn check_records(head: &[u8], name: Option<&Path>) -> io::Result<()> {
    let line = first_line(head);
    let name = name.map(inner_name).unwrap_or_default();
    let may_be_arc = || has_extension(&name, ARC) && !is_binary(head, &name, Overrides::default());
    let is_named = has_extension(&name, WARC) || may_be_arc();
    if head.is_empty() || !is_named && !is_version(&line) {
        return Ok(());
    }
    let begin: String = line.chars().take(40).collect();
    let message = format!(
        "expected an archive of the web, which begins with `WARC/1.0`, `WARC/1.1` or `filedesc://`, found {begin:?}"
    );
    Err(io::Error::new(io::ErrorKind::InvalidData, message))
}

/// Refuses standard input, or another stream, that is no document, by its first KiB: a container, which is read from
/// files only, if such are told from other files; a binary file.
///
/// # Errors
///
/// For such a stream.
///
/// ```
/// use linkglot_files::{Overrides, check_stream};
///
/// assert!(check_stream(b"http://a.example/", true, Overrides::default()).is_ok());
/// assert!(check_stream(b"PK\x05\x06", true, Overrides::default()).is_err());
/// ```
pub fn check_stream(head: &[u8], enters: bool, overrides: Overrides) -> Result<(), Error> {
    let kind = kind_of(&head[..head.len().min(HEAD)]).filter(|_| enters);
    if let Some(kind) = kind {
        let found = match kind {
            Kind::Compressed(_) => "compressed data",
            Kind::Tar => "a tar archive",
            Kind::Zip => "a zip archive",
            Kind::Warc => "a WARC or ARC file",
            Kind::Safari => "a web archive of Safari",
        };
        let message = format!("expected a document, found {found}: archives are read from files");
        return Err(Error::new(ErrorKind::Container, message));
    }
    if is_binary(head, Path::new(""), overrides) {
        let message = "expected a document, found a binary file";
        return Err(Error::new(ErrorKind::Io, message));
    }
    Ok(())
}

/// The first line that is not empty.
fn first_line(head: &[u8]) -> String {
    let mut lines = head.split(|&byte| byte == b'\n');
    let line = lines.find(|line| !line.trim_ascii().is_empty());
    String::from_utf8_lossy(line.unwrap_or_default().trim_ascii()).into_owned()
}

/// True for the first line of a record, of any version and in any case, also behind a byte order mark.
fn is_version(line: &str) -> bool {
    let line = line.trim_start_matches('\u{FEFF}');
    let Some((name, version)) = line.split_at_checked(5) else {
        return false;
    };
    let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|own| own.is_ascii_digit());
    let numbers = version.split_once('.');
    name.eq_ignore_ascii_case("WARC/")
        && numbers.is_some_and(|(major, minor)| are_digits(major) && are_digits(minor))
}

/// True if the file at a path is an archive, which may hold several documents. False if it cannot be read.
pub fn is_archive(path: &Path) -> bool {
    // A compressed file may hold an archive.
    kind_at(path).is_some_and(|kind| match kind {
        Kind::Tar | Kind::Zip | Kind::Warc | Kind::Safari => true,
        Kind::Compressed(_) => has_archive_name(&inner_name(path)),
    })
}

/// True if the file at a path is an archive of the web, whose records name their own bases. False if it cannot be read.
pub fn is_web_archive(path: &Path) -> bool {
    let inner = inner_name(path);
    kind_at(path).is_some_and(|kind| match kind {
        Kind::Warc => true,
        Kind::Compressed(_) => has_extension(&inner, WARC) || has_extension(&inner, ARC),
        Kind::Tar | Kind::Zip | Kind::Safari => false,
    })
}

fn kind_at(path: &Path) -> Option<Kind> {
    // A pipe is opened once, by its reader: its writer writes to the first that opens it.
    let is_file = path.metadata().is_ok_and(|metadata| metadata.is_file());
    let source = is_file.then(|| Source::open(path).ok())??;
    kind_of_file(&source).ok()?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damaged_containers_are_known_by_their_names() {
        let kind = |head: &[u8], name: &str| damaged_kind(head, Path::new(name));
        let zeros = &[0; 512];
        assert_eq!(kind(zeros, "a.tar"), Some(Kind::Tar));
        assert_eq!(kind(b"a\0\0", "a.tar"), Some(Kind::Tar));
        assert_eq!(kind(b"#!/bin/sh\nPK", "a.jar"), Some(Kind::Zip));
        let gzip = Kind::Compressed(Codec::Gzip);
        assert_eq!(kind(b"\x1F\x8B\x09\0", "a.tgz"), Some(gzip));
        for (head, name) in [
            (&b""[..], "a.zip"),
            (b"<!DOCTYPE html>", "a.zip"),
            (b"#!/bin/sh\n", "a.tar"),
            (b"Rar!\x1A\x07\0\0", "a.cbz"),
            (b"\xD0\xCF\x11\xE0\0", "a.docx"),
            (zeros, "a.bin"),
        ] {
            assert_eq!(kind(head, name), None, "{name}");
        }
    }

    #[test]
    fn content_that_should_be_an_archive_of_the_web() {
        let is_refused =
            |head: &[u8], name: &str| check_records(head, Some(Path::new(name))).is_err();
        for (head, name) in [
            (&b"WARC/2.0\r\n"[..], "a"),
            (b"warc/1.0\n", "a.txt"),
            (b"\xEF\xBB\xBFWARC/1.0\r\n", "a"),
            (b"xx\nWARC/1.0\r\n", "a.warc"),
            (b"\0\0", "a.WARC.gz"),
            (b"http://a.example/ 1.2.3.4", "a.arc.gz"),
        ] {
            assert!(is_refused(head, name), "{name}");
        }
        for (head, name) in [
            (&b"WARC/2.0 is a format"[..], "a"),
            (b"xx\nWARC/2.0\r\n", "a"),
            (b"\0\0", "a.arc"),
            (b"", "a.warc"),
        ] {
            assert!(!is_refused(head, name), "{name}");
        }
        assert!(check_records(b"xx", None).is_ok());
    }
}
