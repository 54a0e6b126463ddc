//! The driver: whatever happens, a file is either unchanged or completely rewritten (promise P8).

use linkglot::rewrite::{Form, Rewriter};
use linkglot::{Error, Settings};
use linkglot_files::{
    Content, Destination, Likeness, Replacement, Source, TempFiles, rewrite_source,
};
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use tempfile::TempDir;

const PAGE: &str = "<a href='http://example.org/é'>x</a>\n";
const URIS: &str = "<a href='http://example.org/%C3%A9'>x</a>\n";

fn place() -> (TempDir, std::path::PathBuf) {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("a.html");
    fs::write(&path, PAGE).unwrap();
    (place, path)
}

fn settings() -> Settings {
    let mut settings = Settings::default();
    settings.name = Some("a.html".to_owned());
    settings
}

fn rewrite(source: &Source, content: Content, to: Destination<'_>) -> Result<u64, Error> {
    let rewriter = Rewriter::new().to(Form::Uri).settings(settings());
    let done = rewrite_source(source, content, &rewriter, to, &mut |_, _| {})?;
    Ok(done.summary.tally.changed)
}

fn names(directory: &Path) -> usize {
    fs::read_dir(directory).unwrap().count()
}

#[test]
fn a_file_that_changes_while_it_is_read_is_left() {
    let (place, path) = place();
    let temp_files = TempFiles::new();
    let mut source = Source::open(&path).unwrap();
    let content = source.read().unwrap();
    fs::write(&path, "somebody else was here").unwrap();
    let error = rewrite(&source, content, Destination::InPlace(&temp_files)).unwrap_err();
    assert!(
        error.to_string().contains("changed while it was read"),
        "{error}"
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), "somebody else was here");
    assert_eq!(names(place.path()), 1);
}

#[test]
fn so_is_one_that_was_replaced_by_another_of_the_same_size_and_time() {
    let (place, path) = place();
    let temp_files = TempFiles::new();
    let mut source = Source::open(&path).unwrap();
    let content = source.read().unwrap();
    let other = PAGE.replace("example.org", "example.net");
    let time = source.metadata().modified().unwrap();
    let new = place.path().join("new");
    fs::write(&new, &other).unwrap();
    fs::File::options()
        .write(true)
        .open(&new)
        .unwrap()
        .set_modified(time)
        .unwrap();
    fs::rename(&new, &path).unwrap();
    if !cfg!(unix) {
        return;
    }
    assert!(rewrite(&source, content, Destination::InPlace(&temp_files)).is_err());
    assert_eq!(fs::read_to_string(&path).unwrap(), other);
}

#[test]
fn a_file_that_vanishes_does_not_come_back() {
    let (place, path) = place();
    let temp_files = TempFiles::new();
    let mut source = Source::open(&path).unwrap();
    let content = source.read().unwrap();
    fs::remove_file(&path).unwrap();
    assert!(rewrite(&source, content, Destination::InPlace(&temp_files)).is_err());
    assert_eq!(names(place.path()), 0);
    let error = Source::open(&path).unwrap_err();
    assert!(error.to_string().contains("No such file"), "{error}");
}

#[test]
fn a_large_file_that_changes_is_left() {
    let (place, path) = place();
    let page = PAGE.repeat(9 << 20 >> 5);
    fs::write(&path, &page).unwrap();
    let temp_files = TempFiles::new();
    let mut source = Source::open(&path).unwrap();
    let content = source.read().unwrap();
    assert!(matches!(content, Content::Large(_)));
    fs::write(&path, PAGE).unwrap();
    assert!(rewrite(&source, content, Destination::InPlace(&temp_files)).is_err());
    assert_eq!(fs::read_to_string(&path).unwrap(), PAGE);
    assert_eq!(names(place.path()), 1);
}

#[test]
fn an_abandoned_run_leaves_no_trace() {
    let (place, path) = place();
    let temp_files = TempFiles::new();
    let mut begun = Replacement::begin(&temp_files, &path).unwrap();
    begun.write_all(b"half of it").unwrap();
    begun.flush().unwrap();
    assert_eq!(names(place.path()), 2);
    temp_files.abandon();
    assert_eq!(names(place.path()), 1);
    let like = fs::metadata(&path).unwrap();
    let like = Likeness {
        metadata: &like,
        file: None,
    };
    assert!(begun.commit(like, &|| Ok(())).is_err());
    assert!(Replacement::begin(&temp_files, &path).is_err());
    assert_eq!(fs::read_to_string(&path).unwrap(), PAGE);
}

#[test]
fn a_replacement_that_is_dropped_leaves_no_trace() {
    let (place, path) = place();
    let temp_files = TempFiles::new();
    let mut begun = Replacement::begin(&temp_files, &path).unwrap();
    begun.write_all(b"half of it").unwrap();
    drop(begun);
    assert_eq!(names(place.path()), 1);
}

/// A disk with room for some bytes.
struct Small(usize);

impl Write for Small {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = bytes.len().min(self.0);
        self.0 -= written;
        if written == 0 && !bytes.is_empty() {
            return Err(io::ErrorKind::StorageFull.into());
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn no_space_is_an_error() {
    let (_place, path) = place();
    for room in 0..URIS.len() {
        let mut source = Source::open(&path).unwrap();
        let content = source.read().unwrap();
        let to = Destination::Writer(&mut Small(room));
        assert!(rewrite(&source, content, to).is_err(), "{room}");
    }
    let mut source = Source::open(&path).unwrap();
    let content = source.read().unwrap();
    let to = Destination::Writer(&mut Small(URIS.len()));
    assert_eq!(rewrite(&source, content, to).unwrap(), 1);
}

#[test]
fn whole_and_large_give_the_same() {
    let (place, path) = place();
    let page: String = (0..5000)
        .map(|n| format!("{n} {PAGE} http://example.org/é{n} x\n"))
        .collect();
    fs::write(&path, &page).unwrap();
    let temp_files = TempFiles::new();
    let large = place.path().join("large");
    let whole = place.path().join("whole");
    let source = Source::open(&path).unwrap();
    let content = Content::Large(fs::File::open(&path).unwrap());
    rewrite(&source, content, Destination::File(&temp_files, &large)).unwrap();
    let content = Content::Whole(page.clone().into_bytes().into());
    rewrite(&source, content, Destination::File(&temp_files, &whole)).unwrap();
    assert!(fs::read(&large).unwrap() == fs::read(&whole).unwrap());
    let source = Source::open(&path).unwrap();
    let content = Content::Large(fs::File::open(&path).unwrap());
    let changed = rewrite(&source, content, Destination::InPlace(&temp_files)).unwrap();
    assert_eq!(changed, 10_000);
    assert!(fs::read(&path).unwrap() == fs::read(&whole).unwrap());
    assert_eq!(names(place.path()), 3);
}

#[test]
fn nothing_to_change_touches_nothing() {
    let (_place, path) = place();
    fs::write(&path, URIS).unwrap();
    let temp_files = TempFiles::new();
    let mut source = Source::open(&path).unwrap();
    let content = source.read().unwrap();
    assert_eq!(
        rewrite(&source, content, Destination::InPlace(&temp_files)).unwrap(),
        0
    );
    let content = Content::Large(fs::File::open(&path).unwrap());
    assert_eq!(
        rewrite(&source, content, Destination::InPlace(&temp_files)).unwrap(),
        0
    );
    // Length, times and inode equal those of the opened file.
    source.check_unchanged().unwrap();
}
