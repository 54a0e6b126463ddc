//! The index (CDXJ) of the archives of the web that a run writes (`rewrite --cdxj FILE`): sorted, and written when the
//! run has ended.

use super::Failure;
use super::changes::Sorter;
use super::inputs::Inputs;
use super::run_file::{RunFile, RunFileKind};
use linkglot::Error;
use linkglot_files::{IndexLines, TempFiles};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

const KIND: RunFileKind = RunFileKind {
    option: "--cdxj",
    noun: "index",
    is_own: is_line,
};

/// The number of digits of a date.
const DIGITS: usize = 14;

/// An index that collects its lines.
pub struct WebIndex {
    file: RunFile,
    /// The lines, or the error after which they are incomplete.
    lines: Mutex<io::Result<Sorter>>,
}

impl WebIndex {
    /// Checks that an index can be written to `path`, and keeps the run from reading an existing one there.
    ///
    /// # Errors
    ///
    /// When `path` is something other than an index, is an input of the run, or its directory is missing or the output
    /// of the run.
    pub fn begin(
        path: &Path,
        inputs: &mut Inputs,
        output: Option<&Path>,
        temp_files: &TempFiles,
    ) -> Result<Self, Failure> {
        Ok(WebIndex {
            file: RunFile::begin(&KIND, path, (inputs, output), temp_files)?,
            lines: Mutex::new(Ok(Sorter::new())),
        })
    }

    /// Writes the index, and returns the number of its lines.
    ///
    /// # Errors
    ///
    /// When the index cannot be written, or is incomplete. An old one then remains.
    pub fn write(&self, temp_files: &TempFiles) -> Result<u64, Failure> {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let lines = std::mem::replace(&mut *lines, Ok(Sorter::new()));
        let mut count = 0;
        self.file.write(temp_files, |file| {
            let sorted = lines.and_then(Sorter::sorted).map_err(Error::from)?;
            sorted.each(&mut |line, _| {
                count += 1;
                file.write_all(line)
            })?;
            Ok(())
        })?;
        Ok(count)
    }
}

impl IndexLines for WebIndex {
    fn add(&self, line: &[u8]) -> io::Result<()> {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let Ok(sorter) = &mut *lines else {
            return Err(io::Error::other("the index is incomplete"));
        };
        let added = sorter.push(line, b"");
        if let Err(error) = &added {
            *lines = Err(io::Error::new(error.kind(), error.to_string()));
        }
        added
    }
}

/// True for a line with a key, a date and an object.
fn is_line(head: &[u8]) -> bool {
    let mut parts = head.splitn(3, |&byte| byte == b' ').skip(1);
    let is_date = |date: &[u8]| date.len() == DIGITS && date.iter().all(u8::is_ascii_digit);
    parts.next().is_some_and(is_date) && parts.next().is_some_and(|own| own.starts_with(b"{"))
}
