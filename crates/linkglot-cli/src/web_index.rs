//! The index (CDXJ) of the archives of the web that a run writes (`rewrite --cdxj FILE`): sorted, and written when the
//! run has ended.

use super::Failure;
use super::changes::Sorter;
use super::inputs::Inputs;
use super::output::number;
use super::run_file::{RunFile, RunFileKind};
use linkglot::Error;
use linkglot_files::{IndexLines, TempFiles};
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

const KIND: RunFileKind = RunFileKind {
    option: "--cdxj",
    noun: "index",
    head: HEAD,
    is_own: is_index,
};

/// Length of the beginning of a file that must have lines of an index alone.
const HEAD: usize = 64 << 10;

/// The number of digits of a date.
const DIGITS: usize = 14;

/// An index that collects its lines.
pub struct WebIndex {
    file: RunFile,
    /// The lines, or the error after which they are incomplete.
    lines: Mutex<io::Result<Sorter>>,
    /// The number of lines.
    count: AtomicU64,
    /// The number of records that have no line.
    without_line: AtomicU64,
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
            count: AtomicU64::new(0),
            without_line: AtomicU64::new(0),
        })
    }

    /// Writes the index if it has lines, and returns a message about it. Without lines, an old one remains.
    ///
    /// # Errors
    ///
    /// When the index cannot be written, or is incomplete. An old one then remains.
    pub fn write(&self, temp_files: &TempFiles) -> Result<String, Failure> {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let lines = std::mem::replace(&mut *lines, Ok(Sorter::new()));
        let count = self.count.load(Relaxed);
        let path = self.file.shown();
        let mut message = if count == 0 && lines.is_ok() {
            format!("`{path}` is not written: the run wrote no WARC or ARC file with lines for it")
        } else {
            self.file.write(temp_files, |file| {
                let sorted = lines.and_then(Sorter::sorted).map_err(Error::from)?;
                sorted.each(&mut |line, _| file.write_all(line))?;
                Ok(())
            })?;
            format!("{} in `{path}`", number(count, "line"))
        };
        let without = self.without_line.load(Relaxed);
        if without > 0 {
            let records = number(without, "record");
            message.push_str(&format!("; no line for {records} without a URI or a date"));
        }
        Ok(message)
    }
}

impl IndexLines for WebIndex {
    fn add(&self, line: &[u8]) -> io::Result<()> {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let Ok(sorter) = &mut *lines else {
            return Err(io::Error::other("the index is incomplete"));
        };
        let added = sorter.push(line, b"");
        match &added {
            Ok(()) => _ = self.count.fetch_add(1, Relaxed),
            Err(error) => *lines = Err(io::Error::new(error.kind(), error.to_string())),
        }
        added
    }

    fn without_line(&self, count: u64) {
        self.without_line.fetch_add(count, Relaxed);
    }
}

/// True for the beginning of an index: it has lines of an index alone. The last one may be cut off.
fn is_index(head: &[u8]) -> bool {
    let is_cut = head.len() == HEAD;
    let is_own = |line: &[u8]| {
        let is_whole = line.ends_with(b"\n") || !is_cut;
        !is_whole || begins_line(line) && line.trim_ascii_end().ends_with(b"}")
    };
    begins_line(head) && head.split_inclusive(|&byte| byte == b'\n').all(is_own)
}

/// True for what begins with a key, a date and the begin of an object.
fn begins_line(head: &[u8]) -> bool {
    let line = head.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let mut parts = line.splitn(3, |&byte| byte == b' ').skip(1);
    let is_date = |date: &[u8]| date.len() == DIGITS && date.iter().all(u8::is_ascii_digit);
    parts.next().is_some_and(is_date) && parts.next().is_some_and(|own| own.starts_with(b"{"))
}
