//! Compression of files, like that of an old file.

use super::brotli::{self, BrotliWriter};
use super::zstandard::{self, SizedFrame};
use super::{Codec, Output, gzip, invalid, xz};
use bzip2::write::BzEncoder;
use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};
use lzma_rust2::XzWriter;
use std::io::{self, BufRead, Write};

/// The level of Zstandard, which its frames do not tell: the default of its program.
const ZSTANDARD_LEVEL: i32 = 3;

/// The parameters by which a file was compressed, as far as it tells them: the header of gzip with its level, the level
/// of bzip2, the check and the dictionary of xz (up to that of level 6), the checksum and the size of Zstandard, the
/// window of Brotli.
///
/// ```
/// use linkglot_archive::{Codec, Parameters};
///
/// assert!(Parameters::of(Codec::Bzip2, &mut &b"BZh5\x17rE8P\x90"[..]).is_ok());
/// assert!(Parameters::of(Codec::Bzip2, &mut &b"text"[..]).is_err());
/// ```
#[derive(Clone, Debug)]
pub struct Parameters(Of);

#[derive(Clone, Debug)]
enum Of {
    Gzip(Vec<u8>),
    Zstandard(zstandard::Flags),
    Bzip2(u32),
    Xz(u8, u32),
    Brotli(u8),
}

impl Parameters {
    /// Reads the parameters of the first member, frame or stream. Linear in the compressed data for Zstandard, else
    /// constant.
    ///
    /// # Errors
    ///
    /// When a change would break the file: positions in the compressed data are kept elsewhere (dictzip, BGZF, seekable
    /// Zstandard), or xz has filters other than LZMA2. When the file is damaged.
    pub fn of(codec: Codec, reader: &mut dyn BufRead) -> io::Result<Self> {
        Ok(Parameters(match codec {
            Codec::Gzip => {
                let header = gzip::read_header(&mut &mut *reader)?;
                if gzip::has_table(&header) {
                    return Err(invalid(
                        "expected plain gzip data, found a table of positions in it (dictzip or BGZF)",
                    ));
                }
                Of::Gzip(header)
            }
            Codec::Zstandard => Of::Zstandard(zstandard::read_flags(reader)?),
            Codec::Bzip2 => {
                let mut magic = [0; 4];
                reader.read_exact(&mut magic)?;
                match magic {
                    [b'B', b'Z', b'h', level @ b'1'..=b'9'] => Of::Bzip2(u32::from(level - b'0')),
                    _ => return Err(invalid("expected the header of bzip2 data")),
                }
            }
            Codec::Xz => {
                let (check, level) = xz::read_options(reader)?;
                Of::Xz(check, level)
            }
            Codec::Brotli => Of::Brotli(brotli::read_window(reader)?),
        }))
    }

    /// The parameters of new members beside others. What extra fields of gzip say of a member holds for no other.
    ///
    /// # Errors
    ///
    /// Errors as for a file.
    pub(crate) fn of_members(codec: Codec, reader: &mut dyn BufRead) -> io::Result<Self> {
        let Parameters(mut of) = Parameters::of(codec, reader)?;
        if let Of::Gzip(header) = &mut of {
            *header = gzip::plain_header(header);
        }
        Ok(Parameters(of))
    }
}

/// Compresses a file as an old one was.
///
/// ```
/// use linkglot_archive::{Codec, Decoder, Encoder, Parameters};
/// use std::io::{Read, Write};
///
/// let old = b"BZh9\x17rE8P\x90\0\0\0\0";
/// let mut encoder = Encoder::new(&Parameters::of(Codec::Bzip2, &mut &old[..])?, Vec::new())?;
/// encoder.write_all(b"new")?;
/// let new = encoder.finish()?;
/// let mut text = String::new();
/// Decoder::new(Codec::Bzip2, &new[..])?.read_to_string(&mut text)?;
/// assert_eq!(text, "new");
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Encoder<W: Write>(Inner<W>);

enum Inner<W: Write> {
    Gzip(Box<DeflateEncoder<W>>, Crc),
    Sized(Box<SizedFrame<W>>),
    Zstandard(Box<zstd::stream::write::Encoder<'static, W>>),
    Bzip2(Box<BzEncoder<W>>),
    Xz(Box<XzWriter<W>>),
    Brotli(Box<BrotliWriter<W>>),
}

impl<W: Write> Encoder<W> {
    /// Begins a file, and writes its header.
    ///
    /// # Errors
    ///
    /// Errors of the writer.
    pub fn new(parameters: &Parameters, mut out: W) -> io::Result<Self> {
        Ok(Encoder(match &parameters.0 {
            Of::Gzip(header) => {
                out.write_all(header)?;
                let level = Compression::new(gzip::level(header));
                Inner::Gzip(Box::new(DeflateEncoder::new(out, level)), Crc::new())
            }
            Of::Zstandard(flags) if flags.has_size => {
                let frame = SizedFrame::new(out, ZSTANDARD_LEVEL, flags.has_checksum)?;
                Inner::Sized(Box::new(frame))
            }
            Of::Zstandard(flags) => {
                let mut encoder = zstd::stream::write::Encoder::new(out, ZSTANDARD_LEVEL)?;
                encoder.include_checksum(flags.has_checksum)?;
                encoder.include_contentsize(false)?;
                Inner::Zstandard(Box::new(encoder))
            }
            Of::Bzip2(level) => {
                let level = bzip2::Compression::new(*level);
                Inner::Bzip2(Box::new(BzEncoder::new(out, level)))
            }
            Of::Xz(check, level) => {
                let writer = XzWriter::new(out, xz::options(*check, *level)?)?;
                Inner::Xz(Box::new(writer))
            }
            Of::Brotli(window) => Inner::Brotli(Box::new(BrotliWriter::new(out, *window))),
        }))
    }

    /// Writes the end of the file, and returns the writer.
    ///
    /// # Errors
    ///
    /// Errors of the writer.
    pub fn finish(self) -> io::Result<W> {
        match self.0 {
            Inner::Gzip(encoder, crc) => {
                let mut out = encoder.finish()?;
                out.write_all(&crc.sum().to_le_bytes())?;
                out.write_all(&crc.amount().to_le_bytes())?;
                Ok(out)
            }
            Inner::Sized(frame) => frame.finish(),
            Inner::Zstandard(encoder) => encoder.finish(),
            Inner::Bzip2(encoder) => encoder.finish(),
            Inner::Xz(writer) => writer.finish(),
            Inner::Brotli(writer) => writer.finish(),
        }
    }
}

impl<W: Write> Write for Encoder<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Inner::Gzip(encoder, crc) => {
                let len = encoder.write(bytes)?;
                crc.update(&bytes[..len]);
                Ok(len)
            }
            Inner::Sized(frame) => frame.write(bytes),
            Inner::Zstandard(encoder) => encoder.write(bytes),
            Inner::Bzip2(encoder) => encoder.write(bytes),
            Inner::Xz(writer) => writer.write(bytes),
            Inner::Brotli(writer) => writer.write(bytes),
        }
    }

    /// Does nothing: flushing would end blocks.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<W: Write> Output for Encoder<W> {}
