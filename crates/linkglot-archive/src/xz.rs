//! Headers of xz (The .xz File Format).

use super::invalid;
use lzma_rust2::{CheckType, XzOptions};
use std::io::{self, BufRead};

/// The greatest level: a greater one takes up to 700 MB.
const MOST_LEVEL: u32 = 6;

/// Dictionaries of the levels, in bytes.
const DICTIONARIES: [(u64, u32); 6] = [
    (64 << 20, 9),
    (32 << 20, 8),
    (16 << 20, 7),
    (8 << 20, 6),
    (4 << 20, 4),
    (2 << 20, 2),
];

/// The check and the level of a file, by the headers of its first stream and block. An empty file has no block, and
/// gets the default level.
///
/// # Errors
///
/// When there are filters other than LZMA2, or no header of xz.
pub(crate) fn read_options(reader: &mut dyn BufRead) -> io::Result<(u8, u32)> {
    let mut header = [0; 13];
    reader.read_exact(&mut header)?;
    if header[..6] != *b"\xFD7zXZ\0" || header[6] != 0 {
        return Err(invalid("expected the header of xz data"));
    }
    let check = header[7];
    check_type(check)?;
    if header[12] == 0 {
        return Ok((check, MOST_LEVEL));
    }
    let mut block = vec![0; usize::from(header[12]) * 4 + 3];
    reader.read_exact(&mut block)?;
    Ok((check, level(&block).ok_or_else(filtered)?))
}

fn filtered() -> io::Error {
    invalid("expected xz data with LZMA2 alone, found other filters")
}

/// The level whose dictionary a block has (3.1, 5.3.1).
fn level(block: &[u8]) -> Option<u32> {
    let (&flags, mut rest) = block.split_first()?;
    if flags & 0x3F != 0 {
        return None;
    }
    for flag in [0x40, 0x80] {
        if flags & flag != 0 {
            let end = rest.iter().position(|&byte| byte < 0x80)?;
            rest = &rest[end + 1..];
        }
    }
    let &[0x21, 1, bits, ..] = rest else {
        return None;
    };
    let dictionary = (2 | u64::from(bits & 1)) << (bits / 2 + 11).min(40);
    let known = DICTIONARIES.iter().find(|(least, _)| dictionary >= *least);
    Some(known.map_or(1, |(_, level)| *level).min(MOST_LEVEL))
}

fn check_type(check: u8) -> io::Result<CheckType> {
    Ok(match check {
        0 => CheckType::None,
        1 => CheckType::Crc32,
        4 => CheckType::Crc64,
        10 => CheckType::Sha256,
        _ => return Err(invalid("expected a known check of xz data")),
    })
}

/// The options for writing.
pub(crate) fn options(check: u8, level: u32) -> io::Result<XzOptions> {
    let mut options = XzOptions::with_preset(level);
    options.set_check_sum_type(check_type(check)?);
    Ok(options)
}
