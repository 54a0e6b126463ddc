//! The new archive, told from the old one.

use std::io::{self, Write};

/// Receives a new archive. Whoever records changes overrides [`keep`](Output::keep): all other bytes are new.
pub trait Output: Write {
    /// Writes bytes that stand at `at` in the old archive.
    ///
    /// # Errors
    ///
    /// Errors of the writer.
    fn keep(&mut self, _at: u64, bytes: &[u8]) -> io::Result<()> {
        self.write_all(bytes)
    }
}

impl Output for Vec<u8> {}

impl<O: Output + ?Sized> Output for &mut O {
    fn keep(&mut self, at: u64, bytes: &[u8]) -> io::Result<()> {
        (**self).keep(at, bytes)
    }
}
