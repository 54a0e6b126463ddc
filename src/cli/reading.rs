//! Readers and writers around readers and writers.

use std::io::{self, Read};

/// A reader that counts the bytes.
pub struct Counted<'r> {
    reader: &'r mut dyn Read,
    count: u64,
}

impl<'r> Counted<'r> {
    pub fn new(reader: &'r mut dyn Read) -> Self {
        Counted { reader, count: 0 }
    }

    /// How many bytes were read.
    pub fn count(&self) -> u64 {
        self.count
    }
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let got = self.reader.read(buffer)?;
        self.count += got as u64;
        Ok(got)
    }
}
