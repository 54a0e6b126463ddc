//! Source files: opened, checked, read whole or in pieces.

use super::binary::{Overrides, is_binary};
use super::content_digest::digest_of;
use super::directory::{Place, open_path};
use super::entry::FileEntry;
use super::fate::Fate;
use super::parallel::space_limit;
use super::positioned::{Positioned, read_at};
use super::replace::Likeness;
use super::special::check_readable;
use super::stamp::Stamp;
use linkglot::error::{Error, ErrorKind};
use linkglot_charset::memory;
use std::borrow::Cow;
use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// Maximal length of files that are read whole; longer files are read in pieces.
const MAX_WHOLE: u64 = 8 << 20;

/// The length of the beginning that is read first. It tells containers and binary files, and is all of a short file.
const HEAD: usize = 8 << 10;

/// The length of the beginning of a file that names no length, as in `/proc`.
const SHORTEST_HEAD: usize = 1024;

/// The limit in a limited address space (`ulimit -v`): in pieces a file takes less memory, and can fail without ending
/// the run.
const MAX_WHOLE_IF_LIMITED: u64 = 64 << 10;

/// Memory that a document of that length may take, whatever its content.
const MOST_FOR_SHORT: usize = 100 * MAX_WHOLE_IF_LIMITED as usize;

/// A file opened for reading.
#[derive(Debug)]
pub struct Source {
    path: PathBuf,
    file: File,
    metadata: Metadata,
    /// The first bytes, once they are read.
    head: OnceLock<Vec<u8>>,
    /// The entry of the walk; `None` for a file opened by its path.
    entry: Option<FileEntry>,
    /// The fate of the file, for which its other names wait.
    pub(super) fate: Option<Arc<Fate>>,
}

/// The content of a document.
pub enum Content<'c> {
    /// The whole content.
    Whole(Cow<'c, [u8]>),
    /// A long file, or a pipe, of which nothing has been read.
    Large(File),
    /// A long or damaged entry of a container, which can be read once. Runs that write get a [`Large`](Content::Large)
    /// one.
    Stream(Box<dyn Read + 'c>),
}

impl<'c> Content<'c> {
    /// The content of an entry: up to 8 MiB are read whole, in a limited address space up to 64 KiB. One that cannot be
    /// read to its end is a [`Stream`](Content::Stream), unless that `is_refused`.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or there is not enough memory.
    pub(super) fn of(
        mut reader: Box<dyn Read + 'c>,
        is_refused: impl Fn() -> bool,
    ) -> Result<Self, Error> {
        let most = most_whole()?;
        let mut bytes = Vec::new();
        match (&mut reader).take(most + 1).read_to_end(&mut bytes) {
            Ok(_) if bytes.len() as u64 <= most => return Ok(Content::Whole(bytes.into())),
            Err(error) if bytes.is_empty() || is_refused() => return Err(error.into()),
            // The reader fails again behind these bytes.
            _ => {}
        }
        Ok(Content::Stream(Box::new(
            io::Cursor::new(bytes).chain(reader),
        )))
    }

    /// Content that can be read again: in a temporary file, unless it could already.
    ///
    /// # Errors
    ///
    /// When it cannot be read or written.
    pub fn rereadable(self) -> Result<Content<'static>, Error> {
        Ok(match self {
            Content::Whole(bytes) => Content::Whole(Cow::Owned(bytes.into_owned())),
            Content::Large(file) => Content::Large(file),
            Content::Stream(mut reader) => {
                let mut file = tempfile::tempfile()?;
                io::copy(&mut reader, &mut file)?;
                file.rewind()?;
                Content::Large(file)
            }
        })
    }

    /// A stream in a temporary file. One that cannot be read to its end is a stream still.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub(super) fn kept(mut reader: Box<dyn Read + 'c>) -> io::Result<Self> {
        let mut file = tempfile::tempfile()?;
        let mut buffer = vec![0; 64 << 10];
        loop {
            match reader.read(&mut buffer) {
                Ok(0) => break,
                Ok(len) => file.write_all(&buffer[..len])?,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => {
                    // The reader fails again.
                    file.rewind()?;
                    return Ok(Content::Stream(Box::new(file.chain(reader))));
                }
            }
        }
        file.rewind()?;
        Ok(Content::Large(file))
    }

    /// The content once more. `None` if it can be read once only.
    pub(super) fn again(&self) -> Option<Content<'_>> {
        match self {
            Content::Whole(bytes) => Some(Content::Whole(Cow::Borrowed(bytes))),
            // Both share their position, which the first reader leaves at the end.
            Content::Large(file) => file.try_clone().ok().map(Content::Large),
            Content::Stream(_) => None,
        }
    }

    /// A reader of the content from its begin.
    ///
    /// # Errors
    ///
    /// When the file cannot be read.
    pub(super) fn reader(&mut self) -> io::Result<Box<dyn Read + '_>> {
        Ok(match self {
            Content::Whole(bytes) => Box::new(&bytes[..]),
            Content::Large(file) => {
                file.rewind()?;
                Box::new(file)
            }
            Content::Stream(reader) => Box::new(reader),
        })
    }

    /// The digest of the content.
    ///
    /// # Errors
    ///
    /// When the content cannot be read.
    pub(super) fn digest(&mut self) -> Result<String, Error> {
        match self {
            Content::Whole(bytes) => Ok(digest_of(&bytes[..])?),
            Content::Large(file) => {
                let digest = digest_of(&mut *file)?;
                file.rewind()?;
                Ok(digest)
            }
            Content::Stream(_) => Err(io::Error::from(io::ErrorKind::Unsupported).into()),
        }
    }
}

/// The greatest length of a document that is read whole. Checks that there is memory for one.
fn most_whole() -> Result<u64, Error> {
    if space_limit().is_none() {
        return Ok(MAX_WHOLE);
    }
    memory::ensure(MOST_FOR_SHORT)?;
    Ok(MAX_WHOLE_IF_LIMITED)
}

impl Source {
    /// The attributes that a new file gets.
    pub(super) fn likeness(&self) -> Likeness<'_> {
        Likeness {
            metadata: self.metadata(),
            file: Some(self.file()),
        }
    }

    /// Opens a file. Symbolic links are followed.
    ///
    /// # Errors
    ///
    /// When the file cannot be opened or is a directory.
    pub fn open(path: &Path) -> Result<Self, Error> {
        Source::new(path.to_owned(), open_path(path)?)
    }

    /// Opens a file of a walk, below the directory where the walk began. Symbolic links below it are not followed,
    /// unless the walk follows them, or a link was named.
    ///
    /// # Errors
    ///
    /// When the file cannot be opened or is a directory.
    pub fn open_entry(entry: &FileEntry) -> Result<Self, Error> {
        let Some(file) = entry.open() else {
            return Source::open(&entry.path);
        };
        let mut source = Source::new(entry.path.clone(), file?)?;
        source.fate = entry.fate();
        source.entry = Some(entry.clone());
        Ok(source)
    }

    /// Wraps an open file.
    ///
    /// # Errors
    ///
    /// When the file is a directory.
    pub(super) fn new(path: PathBuf, file: File) -> Result<Self, Error> {
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(Error::new(
                ErrorKind::Io,
                "expected a file, found a directory",
            ));
        }
        Ok(Source {
            path,
            file,
            metadata,
            head: OnceLock::new(),
            entry: None,
            fate: None,
        })
    }

    /// The place where the file can be replaced. For a symbolic link that was followed, this is the place of its
    /// target.
    ///
    /// # Errors
    ///
    /// When the directory of the file cannot be opened.
    pub(super) fn place(&self) -> Result<Place, Error> {
        match self.entry.as_ref().and_then(FileEntry::place) {
            Some(place) => place,
            // The stamp of the file at the place is compared later, to check that this is the file that was read.
            None => Ok(Place::without_links(&std::fs::canonicalize(&self.path)?)?),
        }
    }

    /// The metadata in a comparable form.
    pub(super) fn stamp(&self) -> Stamp {
        Stamp::new(&self.metadata)
    }

    /// The open file.
    pub(super) fn file(&self) -> &File {
        &self.file
    }

    /// The open file once more, at its begin. Both share their position.
    ///
    /// # Errors
    ///
    /// When there are too many open files.
    pub fn reopened(&self) -> Result<File, Error> {
        let mut file = self.file.try_clone()?;
        file.rewind()?;
        Ok(file)
    }

    /// The path by which the file was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The metadata at the time of opening.
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// True if the file can be read twice and replaced, unlike a pipe, a terminal or a device.
    pub fn is_regular(&self) -> bool {
        self.metadata.is_file()
    }

    /// The first 8 KiB of a file that is no pipe.
    ///
    /// # Errors
    ///
    /// When the file cannot be read.
    pub(super) fn head(&self) -> io::Result<&[u8]> {
        if let Some(head) = self.head.get() {
            return Ok(head);
        }
        let whole = usize::try_from(self.metadata.len()).unwrap_or(HEAD);
        let mut head = vec![0; whole.clamp(SHORTEST_HEAD, HEAD)];
        let mut length = 0;
        // A file of the length that it had when it was opened ends there.
        while length < head.len() && (length == 0 || length != whole) {
            match read_at(&self.file, &mut head[length..], length as u64) {
                Ok(0) => break,
                Ok(more) => length += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        head.truncate(length);
        if cfg!(windows) {
            (&self.file).rewind()?;
        }
        Ok(self.head.get_or_init(|| head))
    }

    /// True if the file is binary, judged by its first KiB. A pipe cannot be read twice and counts as text.
    ///
    /// # Errors
    ///
    /// When the file cannot be read.
    pub fn is_binary(&self, overrides: Overrides) -> Result<bool, Error> {
        if !self.is_regular() {
            return Ok(false);
        }
        Ok(is_binary(self.head()?, &self.path, overrides))
    }

    /// Reads a file of up to 8 MiB whole; for a longer file, reading is left to the caller. In a limited address space,
    /// the limit is 64 KiB.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or when there is not enough memory for a document.
    pub fn read(&mut self) -> Result<Content<'static>, Error> {
        let most = most_whole()?;
        if !self.is_regular() || self.metadata.len() > most {
            return Ok(Content::Large(self.file.try_clone()?));
        }
        let whole = self.metadata.len() as usize;
        let mut bytes = self.head.take().unwrap_or_default();
        if bytes.len() == whole && !bytes.is_empty() {
            return Ok(Content::Whole(bytes.into()));
        }
        let begin = bytes.len();
        memory::reserve(&mut bytes, whole.saturating_sub(begin) + 1)?;
        let rest = Positioned::at(&self.file, begin as u64);
        rest.take((most + 1).saturating_sub(begin as u64))
            .read_to_end(&mut bytes)?;
        if bytes.len() as u64 > most {
            self.file.rewind()?;
            return Ok(Content::Large(self.file.try_clone()?));
        }
        Ok(Content::Whole(bytes.into()))
    }

    /// Waits until a pipe has a writer, so that reading comes to an end.
    ///
    /// # Errors
    ///
    /// When the pipe has no writer, or the file is a device, since most devices never end.
    pub fn check_readable(&self) -> Result<(), Error> {
        if self.is_regular() {
            return Ok(());
        }
        check_readable(&self.file, &self.metadata)
    }

    /// Checks that the file at its path is still the one that was opened, and unchanged.
    ///
    /// # Errors
    ///
    /// When it changed, vanished, or has become inaccessible.
    pub fn check_unchanged(&self) -> Result<(), Error> {
        let now = self.entry.as_ref().and_then(FileEntry::stamp);
        let by_path = || std::fs::metadata(&self.path).map(|now| Stamp::new(&now));
        check_stamp(now.unwrap_or_else(by_path), &self.stamp())
    }

    /// Checks that the file at a place is the one that was opened, and unchanged.
    ///
    /// # Errors
    ///
    /// When the file at the place is another file, or changed.
    pub(super) fn check_place(&self, place: &Place) -> Result<(), Error> {
        check_stamp(place.stamp(), &self.stamp())
    }
}

/// Checks that a stamp is unchanged.
pub(super) fn check_stamp(now: io::Result<Stamp>, expected: &Stamp) -> Result<(), Error> {
    let message = match now {
        Ok(now) if now == *expected => return Ok(()),
        Ok(_) => "the file changed while it was read; it was left alone",
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            "the file was removed while it was read"
        }
        Err(error) => return Err(error.into()),
    };
    Err(Error::new(ErrorKind::Io, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The content is the file's, whether its beginning was read first or not.
    #[test]
    fn content_is_that_of_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        for length in [0, 1, SHORTEST_HEAD, HEAD - 1, HEAD, HEAD + 1, 5 * HEAD] {
            let bytes: Vec<u8> = (0..=250).cycle().take(length).collect();
            std::fs::write(&path, &bytes).unwrap();
            for reads_head in [false, true] {
                let mut source = Source::open(&path).unwrap();
                if reads_head {
                    assert_eq!(source.head().unwrap(), &bytes[..length.min(HEAD)]);
                }
                let Content::Whole(content) = source.read().unwrap() else {
                    panic!("a file of {length} bytes is read whole");
                };
                assert!(*content == *bytes, "{length} bytes");
            }
        }
    }
}
