//! Fields of headers and records, with the numbers of zip64.

use super::{Entry, EntryKind, LOCAL_LEN, Method, RECORD_LEN, UNICODE_PATH, ZIP64};
use crate::bytes::{number, set_number};
use crate::invalid;
use flate2::Crc;
use std::io;
use std::ops::Range;

/// The value of a field of four bytes whose number stands in the zip64 extra field.
pub(super) const WIDE: u64 = 0xFFFF_FFFF;

/// The version that reads zip64.
const ZIP64_VERSION: u64 = 45;

/// The places of the fields in a local header or a record, and of its extra fields.
#[derive(Clone, Copy)]
struct Form {
    crc: usize,
    /// Length of the compressed content, then of the content.
    sizes: usize,
    /// Length of the name, then of the extra fields.
    lengths: usize,
    offset: Option<usize>,
    fixed: usize,
    version: usize,
}

const IN_LOCAL: Form = Form {
    crc: 14,
    sizes: 18,
    lengths: 26,
    offset: None,
    fixed: LOCAL_LEN,
    version: 4,
};

const IN_RECORD: Form = Form {
    crc: 16,
    sizes: 20,
    lengths: 28,
    offset: Some(42),
    fixed: RECORD_LEN,
    version: 6,
};

/// The numbers of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    pub crc: u32,
    pub size: u64,
    pub compressed: u64,
    /// Relative to the begin of the archive; of no matter in a local header.
    pub offset: u64,
}

impl Form {
    fn extra(self, bytes: &[u8]) -> Range<usize> {
        let begin = self.fixed + number(bytes, self.lengths, 2) as usize;
        begin..begin + number(bytes, self.lengths + 2, 2) as usize
    }

    /// The content of an extra field.
    fn field(self, bytes: &[u8], wanted: u16) -> Option<Range<usize>> {
        let Range { start, end } = self.extra(bytes);
        let mut at = start;
        while at + 4 <= end {
            let content = at + 4..at + 4 + number(bytes, at + 2, 2) as usize;
            if content.end > end {
                return None;
            }
            if number(bytes, at, 2) == u64::from(wanted) {
                return Some(content);
            }
            at = content.end;
        }
        None
    }

    /// The places of the fields that may be wide, in their order in the extra field (4.5.3).
    fn wide(self) -> impl Iterator<Item = usize> {
        [self.sizes + 4, self.sizes].into_iter().chain(self.offset)
    }

    /// The numbers: in the fields, or in the extra field. `None` if that is too short.
    fn numbers(self, bytes: &[u8]) -> Option<Numbers> {
        let field = self.field(bytes, ZIP64);
        let mut at = field.as_ref().map_or(0, |field| field.start);
        let end = field.as_ref().map_or(0, |field| field.end);
        let mut numbers = [0; 3];
        for (place, own) in self.wide().zip(&mut numbers) {
            *own = number(bytes, place, 4);
            if *own == WIDE && field.is_some() {
                if at + 8 > end {
                    return None;
                }
                *own = number(bytes, at, 8);
                at += 8;
            }
        }
        let [size, compressed, offset] = numbers;
        Some(Numbers {
            crc: number(bytes, self.crc, 4) as u32,
            size,
            compressed,
            offset,
        })
    }

    /// The bytes with other numbers: wide ones stay wide, and others become wide where they must.
    fn set(self, bytes: &[u8], new: &Numbers) -> io::Result<Vec<u8>> {
        let mut bytes = bytes.to_vec();
        set_number(&mut bytes, self.crc, 4, new.crc.into());
        let field = self.field(&bytes, ZIP64);
        let values = [new.size, new.compressed, new.offset];
        let (mut wide, mut old_len) = (Vec::new(), 0);
        let mut is_fresh = false;
        for (place, value) in self.wide().zip(values) {
            let was_wide = field.is_some() && number(&bytes, place, 4) == WIDE;
            old_len += 8 * usize::from(was_wide);
            if was_wide || value >= WIDE {
                wide.extend_from_slice(&value.to_le_bytes());
                is_fresh |= !was_wide;
                set_number(&mut bytes, place, 4, WIDE);
            } else {
                set_number(&mut bytes, place, 4, value);
            }
        }
        if !is_fresh {
            if let Some(field) = field {
                bytes[field.start..field.start + wide.len()].copy_from_slice(&wide);
            }
            return Ok(bytes);
        }
        if self.offset.is_none() && wide.len() < 16 {
            // A local header has both or none (4.5.3).
            wide = [new.size.to_le_bytes(), new.compressed.to_le_bytes()].concat();
            set_number(&mut bytes, self.sizes, 4, WIDE);
            set_number(&mut bytes, self.sizes + 4, 4, WIDE);
        }
        let place = match field {
            Some(field) => {
                wide.extend_from_slice(&bytes[field.start + old_len..field.end]);
                field.start - 4..field.end
            }
            None => {
                let start = self.extra(&bytes).start;
                start..start
            }
        };
        let header = [ZIP64.to_le_bytes(), (wide.len() as u16).to_le_bytes()].concat();
        let extra = self.extra(&bytes).len() - place.len() + header.len() + wide.len();
        if extra > 0xFFFF {
            return Err(invalid("expected room for zip64 numbers in a zip archive"));
        }
        bytes.splice(place, [header, wide].concat());
        set_number(&mut bytes, self.lengths + 2, 2, extra as u64);
        let version = number(&bytes, self.version, 2);
        set_number(&mut bytes, self.version, 2, version.max(ZIP64_VERSION));
        Ok(bytes)
    }
}

/// The position of the local header, as a record gives it.
pub(super) fn local(record: &[u8]) -> Option<u64> {
    IN_RECORD.numbers(record).map(|numbers| numbers.offset)
}

/// A record with other numbers.
pub(super) fn set_record(record: &[u8], new: &Numbers) -> io::Result<Vec<u8>> {
    IN_RECORD.set(record, new)
}

/// The numbers of a record.
pub(super) fn record_numbers(record: &[u8]) -> io::Result<Numbers> {
    let numbers = IN_RECORD.numbers(record);
    numbers.ok_or_else(|| invalid("damaged zip archive: expected zip64 numbers of an entry"))
}

/// True if a local header has the sum and the lengths of a record.
pub(super) fn has_same_numbers(header: &[u8], record: &[u8]) -> bool {
    let of = |numbers: Numbers| (numbers.crc, numbers.size, numbers.compressed);
    let own = IN_LOCAL.numbers(header).map(of);
    own.is_some() && own == IN_RECORD.numbers(record).map(of)
}

/// A local header with other numbers. Fields that stand behind the content are zero, and stay so.
pub(super) fn set_local(header: &[u8], old: &Numbers, new: &Numbers) -> io::Result<Vec<u8>> {
    let own = IN_LOCAL.numbers(header);
    let own = own.ok_or_else(|| invalid("damaged zip archive: expected zip64 numbers"))?;
    let kept = |own: u64, old: u64, new: u64| if own == 0 && old != 0 { 0 } else { new };
    let new = Numbers {
        crc: kept(own.crc.into(), old.crc.into(), new.crc.into()) as u32,
        size: kept(own.size, old.size, new.size),
        compressed: kept(own.compressed, old.compressed, new.compressed),
        offset: 0,
    };
    IN_LOCAL.set(header, &new)
}

/// The entry of a record.
pub(super) fn entry(record: Vec<u8>, local: u64) -> io::Result<Entry> {
    let numbers = record_numbers(&record)?;
    let flags = number(&record, 8, 2) as u16;
    let (name, is_utf8) = name(&record, flags);
    // The mode of Unix (4.4.15).
    let mode = (number(&record, 5, 1) == 3).then(|| number(&record, 38, 4) >> 16 & 0o170_000);
    let kind = match mode {
        Some(0o120_000) => EntryKind::Link,
        _ if name.ends_with(b"/") => EntryKind::Directory,
        _ => EntryKind::File,
    };
    let method = number(&record, 10, 2) as u16;
    Ok(Entry {
        name,
        is_utf8,
        kind,
        method: match method {
            0 => Method::Stored,
            8 => Method::Deflate,
            12 => Method::Bzip2,
            14 => Method::Lzma,
            93 => Method::Zstandard,
            95 => Method::Xz,
            other => Method::Unknown(other),
        },
        is_encrypted: flags & 0x2041 != 0 || method == 99,
        size: numbers.size,
        compressed: numbers.compressed,
        flags,
        crc: numbers.crc,
        local,
        record,
    })
}

/// The name, and whether it is in UTF-8: a flag says so, or an extra field has that name (4.6.9).
fn name(record: &[u8], flags: u16) -> (Vec<u8>, bool) {
    let name = &record[RECORD_LEN..IN_RECORD.extra(record).start];
    let field = IN_RECORD.field(record, UNICODE_PATH);
    if let Some([1, content @ ..]) = field.map(|field| &record[field])
        && content.len() > 4
    {
        let mut crc = Crc::new();
        crc.update(name);
        if number(content, 0, 4) == u64::from(crc.sum()) {
            return (content[4..].to_vec(), true);
        }
    }
    (name.to_vec(), flags & 0x800 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(extra: &[u8]) -> Vec<u8> {
        let mut record = vec![0; RECORD_LEN];
        record[..4].copy_from_slice(super::super::RECORD);
        set_number(&mut record, 28, 2, 1);
        set_number(&mut record, 30, 2, extra.len() as u64);
        record.push(b'a');
        record.extend_from_slice(extra);
        record
    }

    const OTHER: &[u8] = b"\x99\x99\x02\0xy";

    fn numbers(size: u64, compressed: u64, offset: u64) -> Numbers {
        Numbers {
            crc: 7,
            size,
            compressed,
            offset,
        }
    }

    #[test]
    fn numbers_become_wide_where_they_must_and_stay_so() {
        let narrow = set_record(&record(OTHER), &numbers(1, 2, 3)).unwrap();
        assert_eq!(narrow.len(), record(OTHER).len());
        assert_eq!(record_numbers(&narrow).unwrap(), numbers(1, 2, 3));
        let wide = set_record(&narrow, &numbers(1, 2, 5 << 32)).unwrap();
        assert_eq!(wide.len(), narrow.len() + 12);
        assert_eq!(record_numbers(&wide).unwrap(), numbers(1, 2, 5 << 32));
        assert!(wide.ends_with(OTHER));
        let still = set_record(&wide, &numbers(4, 5, 6)).unwrap();
        assert_eq!(still.len(), wide.len());
        assert_eq!(record_numbers(&still).unwrap(), numbers(4, 5, 6));
        let wider = set_record(&wide, &numbers(9 << 32, 5, 6)).unwrap();
        assert_eq!(wider.len(), wide.len() + 8);
        assert_eq!(record_numbers(&wider).unwrap(), numbers(9 << 32, 5, 6));
    }
}
