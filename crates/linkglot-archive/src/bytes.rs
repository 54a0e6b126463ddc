//! Numbers and blocks of bytes.

use std::io::{self, BufRead, Read};

/// The little-endian number in up to eight bytes at `at`; zero beyond the end.
pub(crate) fn number(bytes: &[u8], at: usize, len: usize) -> u64 {
    let digits = bytes.get(at..at + len).unwrap_or_default();
    digits
        .iter()
        .rev()
        .fold(0, |number, &digit| number << 8 | u64::from(digit))
}

/// Writes a little-endian number of `len` bytes at `at`.
pub(crate) fn set_number(bytes: &mut [u8], at: usize, len: usize, number: u64) {
    bytes[at..at + len].copy_from_slice(&number.to_le_bytes()[..len]);
}

/// Reads until the room is full or the reader ends. Returns the length.
pub(crate) fn fill(reader: &mut dyn Read, room: &mut [u8]) -> io::Result<usize> {
    let mut len = 0;
    while len < room.len() {
        match reader.read(&mut room[len..]) {
            Ok(0) => break,
            Ok(more) => len += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(len)
}

/// Copies buffered bytes into the room, and consumes them. Returns the length.
pub(crate) fn read_buffered(reader: &mut impl BufRead, room: &mut [u8]) -> io::Result<usize> {
    let bytes = reader.fill_buf()?;
    let len = bytes.len().min(room.len());
    room[..len].copy_from_slice(&bytes[..len]);
    reader.consume(len);
    Ok(len)
}

/// The buffered bytes of a block, of which `left` bytes are not consumed. `None` if the reader ends before the block.
pub(crate) fn fill_block(reader: &mut impl BufRead, left: u64) -> io::Result<Option<&[u8]>> {
    if left == 0 {
        return Ok(Some(&[]));
    }
    let bytes = reader.fill_buf()?;
    let most = usize::try_from(left).unwrap_or(usize::MAX);
    Ok((!bytes.is_empty()).then(|| &bytes[..bytes.len().min(most)]))
}
