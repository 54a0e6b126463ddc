//! Records in the order of their keys, each key once. Beyond a few megabytes they stand in temporary files.

use super::IN_MEMORY;
use super::runs::{Each, Runs};
use std::io;
use std::ops::Range;

/// Records to be sorted.
#[derive(Debug)]
pub struct Sorter {
    records: InMemory,
    runs: Runs,
}

/// Keys and values one behind the other.
#[derive(Debug, Default)]
struct InMemory {
    bytes: Vec<u8>,
    /// The key and the value of each record.
    ranges: Vec<(Range<usize>, Range<usize>)>,
}

impl InMemory {
    fn push(&mut self, key: &[u8], value: &[u8]) {
        let start = self.bytes.len();
        let middle = start + key.len();
        self.bytes.extend_from_slice(key);
        self.bytes.extend_from_slice(value);
        self.ranges.push((start..middle, middle..self.bytes.len()));
    }

    fn size(&self) -> usize {
        self.bytes.len() + size_of_val(&self.ranges[..])
    }

    fn sort(&mut self) {
        let bytes = &self.bytes;
        self.ranges
            .sort_unstable_by(|(one, _), (other, _)| bytes[one.clone()].cmp(&bytes[other.clone()]));
    }

    fn iter(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        let ranges = self.ranges.iter().cloned();
        ranges.map(|(key, value)| (&self.bytes[key], &self.bytes[value]))
    }

    fn clear(&mut self) {
        self.bytes.clear();
        self.ranges.clear();
    }
}

impl Sorter {
    pub fn new() -> Self {
        Sorter {
            records: InMemory::default(),
            // No key comes twice.
            runs: Runs::new(|_, newer| Ok(newer.to_vec())),
        }
    }

    pub fn push(&mut self, key: &[u8], value: &[u8]) -> io::Result<()> {
        self.records.push(key, value);
        if self.records.size() > IN_MEMORY {
            self.spill()?;
        }
        Ok(())
    }

    fn spill(&mut self) -> io::Result<()> {
        self.records.sort();
        self.runs.push(self.records.iter())?;
        self.records.clear();
        Ok(())
    }

    /// Sorts the records.
    pub fn sorted(mut self) -> io::Result<Sorted> {
        if self.runs.is_empty() {
            self.records.sort();
        } else {
            self.spill()?;
            self.records = InMemory::default();
        }
        Ok(Sorted(self))
    }
}

/// Records that are sorted: in memory, or all in files.
#[derive(Debug)]
pub struct Sorted(Sorter);

impl Sorted {
    /// Reads all records. Not to be called while it reads.
    pub fn each(&self, each: &mut Each<'_>) -> io::Result<()> {
        let Sorter { records, runs } = &self.0;
        if !runs.is_empty() {
            return runs.each(each);
        }
        records.iter().try_for_each(|(key, value)| each(key, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_sorted_in_memory_and_beyond() {
        for (number, in_files) in [(0_u32, false), (1000, false), (170_000, true)] {
            let mut sorter = Sorter::new();
            for at in 0..number {
                // An odd factor reaches each number once.
                let key = at.wrapping_mul(0x9E37_79B1).to_be_bytes();
                assert!(sorter.push(&key, &at.to_be_bytes()).is_ok());
            }
            assert_eq!(!sorter.runs.is_empty(), in_files);
            let sorted = sorter.sorted().expect("a temporary file");
            let mut keys = Vec::new();
            let done = sorted.each(&mut |key, _| {
                keys.push(key.to_vec());
                Ok(())
            });
            assert!(done.is_ok() && keys.is_sorted());
            assert_eq!(keys.len(), number as usize);
        }
    }
}
