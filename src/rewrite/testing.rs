//! Rules and readers that tests share.

use super::Rules;
use std::io::{self, Read};

/// Rules, one in each line.
pub(in crate::rewrite) fn rules(lines: &[&str]) -> Rules {
    let mut rules = Rules::default();
    for line in lines {
        rules.add(line).unwrap();
    }
    rules
}

/// A reader that gives a number of bytes at a time.
pub(in crate::rewrite) struct Chunks<'b>(pub &'b [u8], pub usize);

impl Read for Chunks<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.1.min(buffer.len());
        self.0.read(&mut buffer[..len])
    }
}
