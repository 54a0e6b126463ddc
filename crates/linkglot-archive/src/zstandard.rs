//! Frames of Zstandard (RFC 8878).

use super::bytes::{fill, number};
use super::invalid;
use std::io::{self, BufRead, Read, Seek, Write};
use tempfile::SpooledTempFile;

/// The most compressed bytes that wait in memory for the length of their content.
const IN_MEMORY: usize = 4 << 20;

/// Reads the headers of all frames, and returns the flags of the first.
///
/// # Errors
///
/// When there are frames that are skipped, which may hold positions in the others; when the data is damaged.
pub(crate) fn read_flags(reader: &mut dyn BufRead) -> io::Result<Flags> {
    let mut first = None;
    loop {
        let mut magic = [0; 4];
        match (fill(reader, &mut magic)?, magic) {
            (0, _) => break,
            (4, [0x28, 0xB5, 0x2F, 0xFD]) => {
                let flags = skip_frame(reader)?;
                first.get_or_insert(flags);
            }
            (4, [0x50..=0x5F, 0x2A, 0x4D, 0x18]) => {
                return Err(invalid(
                    "expected plain Zstandard frames, found one to skip, which may hold positions in the others",
                ));
            }
            _ => return Err(invalid("expected a Zstandard frame")),
        }
    }
    first.ok_or_else(|| invalid("expected a Zstandard frame"))
}

/// The flags of a frame that are kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flags {
    pub has_checksum: bool,
    pub has_size: bool,
}

/// Skips a frame behind its magic (3.1.1).
fn skip_frame(reader: &mut dyn BufRead) -> io::Result<Flags> {
    let mut descriptor = [0];
    reader.read_exact(&mut descriptor)?;
    let [descriptor] = descriptor;
    let is_single = descriptor & 0x20 != 0;
    let size = match descriptor >> 6 {
        0 => u64::from(is_single),
        flag => 1 << flag,
    };
    let dictionary = [0, 1, 2, 4][usize::from(descriptor & 3)];
    skip(reader, size + dictionary + u64::from(!is_single))?;
    loop {
        let mut header = [0; 3];
        reader.read_exact(&mut header)?;
        let header = number(&header, 0, 3);
        // A block of one byte repeated stands for its length.
        skip(reader, if header >> 1 & 3 == 1 { 1 } else { header >> 3 })?;
        if header & 1 != 0 {
            break;
        }
    }
    let has_checksum = descriptor & 4 != 0;
    skip(reader, if has_checksum { 4 } else { 0 })?;
    Ok(Flags {
        has_checksum,
        has_size: size > 0,
    })
}

fn skip(reader: &mut dyn BufRead, len: u64) -> io::Result<()> {
    if io::copy(&mut reader.take(len), &mut io::sink())? < len {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(())
}

/// Writes a frame with the length of its content, which is known at the end only: the compressed bytes wait.
pub(crate) struct SizedFrame<W> {
    encoder: zstd::stream::write::Encoder<'static, SpooledTempFile>,
    out: W,
    size: u64,
}

impl<W: Write> SizedFrame<W> {
    pub fn new(out: W, level: i32, has_checksum: bool) -> io::Result<Self> {
        let mut encoder =
            zstd::stream::write::Encoder::new(SpooledTempFile::new(IN_MEMORY), level)?;
        encoder.include_checksum(has_checksum)?;
        encoder.include_contentsize(false)?;
        Ok(SizedFrame {
            encoder,
            out,
            size: 0,
        })
    }

    /// Writes the frame: its header has a window and no size, which is inserted (3.1.1.1).
    pub fn finish(mut self) -> io::Result<W> {
        let mut frame = self.encoder.finish()?;
        frame.rewind()?;
        let mut header = [0; 6];
        frame.read_exact(&mut header)?;
        if header[4] & 0xE3 != 0 {
            return Err(io::Error::other(
                "expected a Zstandard frame without a size",
            ));
        }
        let (flag, len) = if self.size <= u64::from(u32::MAX) {
            (2, 4)
        } else {
            (3, 8)
        };
        header[4] |= flag << 6;
        self.out.write_all(&header)?;
        self.out.write_all(&self.size.to_le_bytes()[..len])?;
        io::copy(&mut frame, &mut self.out)?;
        Ok(self.out)
    }
}

impl<W: Write> Write for SizedFrame<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let len = self.encoder.write(bytes)?;
        self.size += len as u64;
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
