//! Decompression of files.

use super::Codec;
use super::brotli::BrotliReader;
use super::gzip::GzipReader;
use bzip2::bufread::MultiBzDecoder;
use lzma_rust2::XzReader;
use std::io::{self, BufRead, Read};

/// The greatest window of Zstandard, as a power of two: 128 MiB, as in its own program.
const ZSTANDARD_WINDOW: u32 = 27;

/// Memory for the dictionary of xz in KiB: enough for each of its presets (64 MiB).
const XZ_MEMORY: u32 = 100 << 10;

/// Decompresses a file to its end, with all of its members, frames or streams, and checks its sums; Brotli has none.
/// Bounded memory: at most 128 MiB for a file with a window of this length, mostly much less.
///
/// An error of reading means that the file is damaged or cut off. Zeros behind the last member of gzip are padding;
/// anything else there is an error.
///
/// ```
/// use linkglot_archive::{Codec, Decoder};
/// use std::io::Read;
///
/// let empty = b"BZh9\x17rE8P\x90\0\0\0\0";
/// let mut text = Vec::new();
/// Decoder::new(Codec::Bzip2, &empty[..])?.read_to_end(&mut text)?;
/// assert!(text.is_empty());
/// assert!(Decoder::new(Codec::Bzip2, &empty[..9])?.read_to_end(&mut text).is_err());
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Decoder<R: BufRead>(Inner<R>);

enum Inner<R: BufRead> {
    Gzip(Box<GzipReader<R>>),
    Zstandard(Box<zstd::stream::read::Decoder<'static, R>>),
    Bzip2(Box<MultiBzDecoder<R>>),
    Xz(Box<XzReader<R>>),
    Brotli(BrotliReader<R>),
}

impl<R: BufRead> Decoder<R> {
    /// Prepares decompression. Reads nothing yet.
    ///
    /// # Errors
    ///
    /// When there is not enough memory.
    pub fn new(codec: Codec, reader: R) -> io::Result<Self> {
        Ok(Decoder(match codec {
            Codec::Gzip => Inner::Gzip(Box::new(GzipReader::new(reader))),
            Codec::Zstandard => {
                let mut decoder = zstd::stream::read::Decoder::with_buffer(reader)?;
                decoder.window_log_max(ZSTANDARD_WINDOW)?;
                Inner::Zstandard(Box::new(decoder))
            }
            Codec::Bzip2 => Inner::Bzip2(Box::new(MultiBzDecoder::new(reader))),
            Codec::Xz => Inner::Xz(Box::new(XzReader::new_mem_limit(reader, true, XZ_MEMORY))),
            Codec::Brotli => Inner::Brotli(BrotliReader::new(reader)),
        }))
    }
}

impl<R: BufRead> Read for Decoder<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let (read, name) = match &mut self.0 {
            Inner::Gzip(decoder) => return decoder.read(room),
            Inner::Brotli(decoder) => return decoder.read(room),
            Inner::Zstandard(decoder) => (decoder.read(room), "Zstandard"),
            Inner::Bzip2(decoder) => (decoder.read(room), "bzip2"),
            Inner::Xz(decoder) => (decoder.read(room), "xz"),
        };
        read.map_err(|error| match error.kind() {
            kind @ io::ErrorKind::UnexpectedEof => {
                io::Error::new(kind, format!("the {name} data is cut off"))
            }
            _ => error,
        })
    }
}
