//! Sparse files: the stored parts, and a map of their places. The map is in the header (GNU), in an extended header
//! (pax, GNU.sparse 0.0 and 0.1), or in front of the data (1.0).

use super::{BLOCK, MOST_HEADERS, cut_off, number};
use crate::invalid;
use std::io::{self, Read};

/// Length of an offset and of a length in a header of GNU.
const FIELD: usize = 12;

/// The places of the stored parts of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Map {
    /// The position and the length of each part, in their order.
    parts: Vec<(u64, u64)>,
    /// The length of the file with its holes.
    size: u64,
    /// True if the map stands in front of the data.
    pub is_in_content: bool,
    is_damaged: bool,
    /// A position whose length follows.
    position: Option<u64>,
}

impl Map {
    /// Adds the parts in a header of GNU. Unused ones are zero.
    pub fn add_block(&mut self, map: &[u8], size: &[u8]) {
        for part in map.chunks_exact(2 * FIELD) {
            let (position, len) = part.split_at(FIELD);
            match (number(position), number(len)) {
                (Some(0), Some(0)) => {}
                (Some(position), Some(len)) => self.parts.push((position, len)),
                _ => self.is_damaged = true,
            }
        }
        if !size.is_empty() {
            self.set_size(number(size));
        }
    }

    /// Adds a record of pax, by its key behind `GNU.sparse.`.
    pub fn add_record(&mut self, key: &[u8], value: &[u8]) {
        match key {
            b"size" | b"realsize" => self.set_size(decimal(value)),
            b"major" => self.is_in_content = value != b"0",
            b"offset" | b"numbytes" => self.add_number(decimal(value)),
            b"map" => {
                for value in value.split(|&byte| byte == b',') {
                    self.add_number(decimal(value));
                }
            }
            _ => {}
        }
    }

    fn set_size(&mut self, size: Option<u64>) {
        self.is_damaged |= size.is_none();
        self.size = size.unwrap_or(0);
    }

    /// Adds a position, or the length behind it.
    fn add_number(&mut self, number: Option<u64>) {
        match (number, self.position.take()) {
            (None, _) => self.is_damaged = true,
            (Some(position), None) => self.position = Some(position),
            (Some(len), Some(position)) => self.parts.push((position, len)),
        }
    }

    /// Reads the map in front of the data: lines with the number of parts, and the position and length of each, up to
    /// the end of a block.
    pub fn read(&mut self, reader: &mut impl Read) -> io::Result<()> {
        let (mut text, mut block) = (Vec::new(), [0; BLOCK]);
        let mut numbers = None;
        let mut found = 0;
        while numbers.is_none_or(|numbers| found < numbers) {
            if text.len() as u64 >= MOST_HEADERS {
                return Err(invalid("expected a shorter map of a sparse file in tar"));
            }
            reader.read_exact(&mut block)?;
            text.extend_from_slice(&block);
            found += block.iter().filter(|&&byte| byte == b'\n').count() as u64;
            if numbers.is_none() && found > 0 {
                let first = text.split(|&byte| byte == b'\n').next();
                let parts = first.and_then(decimal);
                numbers = parts.map(|parts| parts.saturating_mul(2).saturating_add(1));
                self.is_damaged |= numbers.is_none();
                numbers = numbers.or(Some(0));
            }
        }
        let lines = text.split(|&byte| byte == b'\n').skip(1);
        for line in lines.take(numbers.unwrap_or(1).saturating_sub(1) as usize) {
            self.add_number(decimal(line));
        }
        Ok(())
    }
}

fn decimal(digits: &[u8]) -> Option<u64> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// The content of a sparse file, with zeros for its holes.
#[derive(Debug)]
pub struct Sparse<R> {
    stored: R,
    map: Map,
    /// The next part that is not at its end.
    part: usize,
    /// The position in the file.
    at: u64,
}

impl<R: Read> Sparse<R> {
    /// `None` if the map does not fit the length of the stored data.
    pub(super) fn new(map: Map, len: u64, stored: R) -> Option<Self> {
        let mut end = 0_u64;
        let mut sum = 0_u64;
        for &(position, len) in &map.parts {
            if position < end {
                return None;
            }
            end = position.checked_add(len)?;
            sum = sum.checked_add(len)?;
        }
        let fits = !map.is_damaged && map.position.is_none() && end <= map.size && sum == len;
        fits.then_some(Sparse {
            stored,
            map,
            part: 0,
            at: 0,
        })
    }
}

impl<R: Read> Read for Sparse<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let parts = &self.map.parts;
        while let Some((position, len)) = parts.get(self.part)
            && position + len <= self.at
        {
            self.part += 1;
        }
        let part = parts.get(self.part);
        let is_stored = part.is_some_and(|(position, _)| *position <= self.at);
        let end = match part {
            Some((position, len)) if is_stored => position + len,
            Some((position, _)) => *position,
            None => self.map.size,
        };
        let most = usize::try_from(end - self.at).map_or(room.len(), |left| left.min(room.len()));
        let room = &mut room[..most];
        let len = if is_stored {
            match self.stored.read(room)? {
                0 if most > 0 => return Err(cut_off()),
                len => len,
            }
        } else {
            room.fill(0);
            most
        };
        self.at += len as u64;
        Ok(len)
    }
}
