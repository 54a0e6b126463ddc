//! Sorted records in temporary files, merged when they are read. Memory holds a record of each file.
//!
//! Eight files are merged to one, and eight of these again: a record is written once for each power of eight, and the
//! number of open files grows with the logarithm of their size.

use super::encoding::{Decoder, push_number};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};

/// Number of files that are merged into one.
const FAN_IN: usize = 8;

/// Size of the buffer of a file.
const BUFFER: usize = 64 * 1024;

/// Combines the older and the newer value of a key.
pub type Combine = fn(&[u8], &[u8]) -> io::Result<Vec<u8>>;

/// A receiver of keys and values.
pub type Each<'e> = dyn FnMut(&[u8], &[u8]) -> io::Result<()> + 'e;

/// Sorted records in files.
#[derive(Debug)]
pub struct Runs {
    /// Files by the number of merges of their records; in each level the oldest first.
    levels: Vec<Vec<File>>,
    combine: Combine,
}

impl Runs {
    pub fn new(combine: Combine) -> Self {
        let levels = Vec::new();
        Runs { levels, combine }
    }

    pub fn is_empty(&self) -> bool {
        self.levels.is_empty()
    }

    /// Writes records, which come in the order of their keys, each key once.
    pub fn push<'r>(
        &mut self,
        records: impl Iterator<Item = (&'r [u8], &'r [u8])>,
    ) -> io::Result<()> {
        let mut run = RunWriter::new()?;
        for (key, value) in records {
            run.write(key, value)?;
        }
        self.push_file(run.end()?, 0)
    }

    fn push_file(&mut self, file: File, level: usize) -> io::Result<()> {
        if self.levels.len() == level {
            self.levels.push(Vec::new());
        }
        self.levels[level].push(file);
        if self.levels[level].len() < FAN_IN {
            return Ok(());
        }
        let files = std::mem::take(&mut self.levels[level]);
        let mut run = RunWriter::new()?;
        merge(files.iter(), self.combine, &mut |key, value| {
            run.write(key, value)
        })?;
        drop(files);
        self.push_file(run.end()?, level + 1)
    }

    /// Reads all records in the order of their keys, each key once.
    pub fn each(&self, each: &mut Each<'_>) -> io::Result<()> {
        merge(self.levels.iter().rev().flatten(), self.combine, each)
    }
}

/// Reads the records of files, the oldest of which comes first.
fn merge<'f>(
    files: impl Iterator<Item = &'f File>,
    combine: Combine,
    each: &mut Each<'_>,
) -> io::Result<()> {
    let mut readers = Vec::new();
    let mut heads = BinaryHeap::new();
    for mut file in files {
        file.rewind()?;
        let mut reader = BufReader::with_capacity(BUFFER, file);
        heads.extend(next(&mut reader, readers.len())?);
        readers.push(reader);
    }
    let mut pending: Option<(Vec<u8>, Vec<u8>)> = None;
    while let Some(Reverse((key, run, value))) = heads.pop() {
        heads.extend(next(&mut readers[run], run)?);
        match &mut pending {
            Some((known, older)) if *known == key => *older = combine(older, &value)?,
            _ => {
                if let Some((key, value)) = pending.replace((key, value)) {
                    each(&key, &value)?;
                }
            }
        }
    }
    match pending {
        Some((key, value)) => each(&key, &value),
        None => Ok(()),
    }
}

/// The first record of a file that was not read yet: its key, the number of the file, and its value.
type Head = Reverse<(Vec<u8>, usize, Vec<u8>)>;

fn next(reader: &mut BufReader<&File>, run: usize) -> io::Result<Option<Head>> {
    let mut lengths = [0; 16];
    match reader.read_exact(&mut lengths) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    }
    let mut lengths = Decoder(&lengths);
    let mut key = vec![0; lengths.size()?];
    let mut value = vec![0; lengths.size()?];
    reader.read_exact(&mut key)?;
    reader.read_exact(&mut value)?;
    Ok(Some(Reverse((key, run, value))))
}

/// A file that is written.
struct RunWriter(BufWriter<File>);

impl RunWriter {
    fn new() -> io::Result<Self> {
        let file = tempfile::tempfile()?;
        Ok(RunWriter(BufWriter::with_capacity(BUFFER, file)))
    }

    fn write(&mut self, key: &[u8], value: &[u8]) -> io::Result<()> {
        let mut lengths = Vec::with_capacity(16);
        push_number(&mut lengths, key.len() as u64);
        push_number(&mut lengths, value.len() as u64);
        self.0.write_all(&lengths)?;
        self.0.write_all(key)?;
        self.0.write_all(value)
    }

    fn end(self) -> io::Result<File> {
        self.0.into_inner().map_err(io::IntoInnerError::into_error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(older: &[u8], newer: &[u8]) -> io::Result<Vec<u8>> {
        Ok([older, newer].concat())
    }

    fn read(runs: &Runs) -> Vec<(String, String)> {
        let mut read = Vec::new();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let done = runs.each(&mut |key, value| {
            read.push((text(key), text(value)));
            Ok(())
        });
        assert!(done.is_ok(), "{done:?}");
        read
    }

    #[test]
    fn values_of_a_key_are_combined_in_the_order_of_their_runs() {
        for number in [1_usize, 7, 8, 9, 63, 64, 65, 130] {
            let mut runs = Runs::new(joined);
            let values: Vec<String> = (0..number).map(|run| format!("{run} ")).collect();
            for (run, value) in values.iter().enumerate() {
                let own = format!("own {run:3}");
                let records = [("all".as_bytes(), value.as_bytes()), (own.as_bytes(), b"")];
                assert!(runs.push(records.into_iter()).is_ok());
            }
            let read = read(&runs);
            assert_eq!(read[0], ("all".to_owned(), values.concat()), "{number}");
            assert_eq!(read.len(), number + 1);
            assert!(read.is_sorted(), "{read:?}");
        }
    }

    #[test]
    fn files_are_few() {
        let mut runs = Runs::new(joined);
        for number in 0..520_u32 {
            let key = number.to_be_bytes();
            assert!(runs.push([(&key[..], &b""[..])].into_iter()).is_ok());
        }
        assert_eq!(runs.levels.iter().map(Vec::len).sum::<usize>(), 2);
    }

    #[test]
    fn records_are_read_again() {
        let mut runs = Runs::new(joined);
        assert!(runs.push([(&b"a"[..], &b"1"[..])].into_iter()).is_ok());
        assert_eq!(read(&runs), read(&runs));
    }
}
