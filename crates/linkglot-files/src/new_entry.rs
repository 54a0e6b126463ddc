//! The new content of an entry of a container, until the container is written.

use linkglot_archive::Output;
use std::io::{self, Seek, Write};
use tempfile::SpooledTempFile;

/// The most bytes that wait in memory; more wait in a temporary file without a name.
const IN_MEMORY: usize = 4 << 20;

/// New content, in memory or in a temporary file.
#[derive(Debug)]
pub(super) struct Spool {
    file: SpooledTempFile,
    len: u64,
}

impl Spool {
    pub fn new() -> Self {
        Spool {
            file: SpooledTempFile::new(IN_MEMORY),
            len: 0,
        }
    }

    /// The content from its begin, and its length.
    pub fn content(&mut self) -> io::Result<(&mut SpooledTempFile, u64)> {
        self.file.rewind()?;
        Ok((&mut self.file, self.len))
    }
}

impl Write for Spool {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let len = self.file.write(bytes)?;
        self.len += len as u64;
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Output for Spool {}

/// The new content of a document in a container, if it changes.
#[derive(Debug)]
pub struct NewEntry {
    pub(super) content: Spool,
    /// True if the document changed; otherwise the content is of no matter.
    pub(super) is_changed: bool,
}

impl NewEntry {
    pub(super) fn new() -> Self {
        NewEntry {
            content: Spool::new(),
            is_changed: false,
        }
    }
}
