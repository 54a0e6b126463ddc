//! Reading of one file by several readers at once.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

/// Reads a file from a position of its own.
///
/// ```
/// use linkglot_files::Positioned;
/// use std::io::Read;
///
/// let place = tempfile::tempdir()?;
/// std::fs::write(place.path().join("a"), "text")?;
/// let file = std::fs::File::open(place.path().join("a"))?;
/// let (mut one, mut other, mut text) = (Positioned::new(&file), Positioned::new(&file), String::new());
/// one.read_exact(&mut [0; 2])?;
/// other.read_to_string(&mut text)?;
/// assert_eq!(text, "text");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Positioned<'f> {
    file: &'f File,
    at: u64,
}

impl<'f> Positioned<'f> {
    /// A reader at the begin of a file.
    pub fn new(file: &'f File) -> Self {
        Self::at(file, 0)
    }

    /// A reader at an offset in a file, counted in bytes.
    pub(super) fn at(file: &'f File, at: u64) -> Self {
        Positioned { file, at }
    }
}

impl Read for Positioned<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let len = read_at(self.file, room, self.at)?;
        self.at += len as u64;
        Ok(len)
    }
}

impl Seek for Positioned<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
            SeekFrom::End(by) => self.file.metadata()?.len().checked_add_signed(by),
        };
        self.at = at.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}

/// Reads bytes from a position; the position of the file itself may move only on Windows.
#[cfg(unix)]
pub(super) fn read_at(file: &File, room: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, room, at)
}

#[cfg(windows)]
pub(super) fn read_at(file: &File, room: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, room, at)
}
