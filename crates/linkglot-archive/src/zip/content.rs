//! The content of an entry: decompressed and checked, and compressed anew.

use super::{Entry, Method};
use crate::decoder::Decoder;
use crate::{Codec, invalid};
use flate2::bufread::DeflateDecoder;
use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};
use lzma_rust2::{LzmaOptions, LzmaReader, LzmaWriter};
use std::io::{self, BufReader, Read, Take, Write};

/// The content of an entry. Reading it to its end checks its length and its sum.
pub struct Content<'a, R: Read> {
    inner: Inner<'a, R>,
    crc: Crc,
    /// Length of what was read.
    len: u64,
    expected: (u32, u64),
}

type Compressed<'a, R> = Take<&'a mut BufReader<R>>;

enum Inner<'a, R: Read> {
    Stored(Compressed<'a, R>),
    Deflate(Box<DeflateDecoder<Compressed<'a, R>>>),
    Lzma(Box<LzmaReader<Compressed<'a, R>>>),
    Other(Box<Decoder<Compressed<'a, R>>>),
}

impl<'a, R: Read> Content<'a, R> {
    pub(super) fn new(reader: &'a mut BufReader<R>, entry: &Entry) -> io::Result<Self> {
        if entry.is_encrypted {
            return Err(invalid("expected an entry that is not encrypted"));
        }
        let compressed = reader.take(entry.compressed);
        let decoder = |codec, compressed| {
            let decoder = Decoder::new(codec, compressed)?;
            Ok::<_, io::Error>(Inner::Other(Box::new(decoder)))
        };
        let inner = match entry.method {
            Method::Stored => Inner::Stored(compressed),
            Method::Deflate => Inner::Deflate(Box::new(DeflateDecoder::new(compressed))),
            Method::Bzip2 => decoder(Codec::Bzip2, compressed)?,
            Method::Lzma => Inner::Lzma(Box::new(lzma(compressed, entry.size)?)),
            Method::Zstandard => decoder(Codec::Zstandard, compressed)?,
            Method::Xz => decoder(Codec::Xz, compressed)?,
            Method::Unknown(method) => {
                let message = format!("expected a known method of compression, found {method}");
                return Err(invalid(message));
            }
        };
        Ok(Content {
            inner,
            crc: Crc::new(),
            len: 0,
            expected: (entry.crc, entry.size),
        })
    }

    /// Checks the whole content, once it was read. Bytes behind the compressed content would be lost by a change.
    fn check(&self) -> io::Result<()> {
        let rest = match &self.inner {
            Inner::Deflate(decoder) => decoder.get_ref().limit(),
            _ => 0,
        };
        if self.len != self.expected.1 || rest != 0 {
            return Err(invalid(
                "the length of the entry does not match its content",
            ));
        }
        if self.crc.sum() != self.expected.0 {
            return Err(invalid(
                "the checksum of the entry does not match its content",
            ));
        }
        Ok(())
    }
}

impl<R: Read> Read for Content<'_, R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        if room.is_empty() {
            return Ok(0);
        }
        let len = match &mut self.inner {
            Inner::Stored(reader) => reader.read(room),
            Inner::Deflate(decoder) => decoder.read(room),
            Inner::Lzma(decoder) => decoder.read(room),
            Inner::Other(decoder) => decoder.read(room),
        }?;
        self.crc.update(&room[..len]);
        self.len += len as u64;
        if len == 0 {
            self.check()?;
        }
        Ok(len)
    }
}

/// The greatest dictionary of LZMA: enough for each level of its programs.
const LZMA_DICTIONARY: u64 = 64 << 20;

const LZMA_LEVEL: u32 = 6;

/// The version of the program, and the length of the properties (5.8.8).
const LZMA_BEGIN: [u8; 4] = [9, 20, 5, 0];

/// Begins to decompress LZMA: properties stand in front of the data (5.8.8).
fn lzma<R: Read>(mut reader: R, size: u64) -> io::Result<LzmaReader<R>> {
    let mut header = [0; 9];
    reader.read_exact(&mut header)?;
    let [_, _, 5, 0, properties, dictionary @ ..] = header else {
        return Err(invalid("expected the five properties of LZMA"));
    };
    // A shorter content needs no more than its own length.
    let dictionary = u64::from(u32::from_le_bytes(dictionary)).min(size);
    if dictionary > LZMA_DICTIONARY {
        let message = format!("expected a dictionary of at most {LZMA_DICTIONARY} bytes");
        return Err(invalid(message));
    }
    LzmaReader::new_with_props(reader, size, properties, dictionary as u32, None)
}

fn lzma_header(options: &LzmaOptions) -> Vec<u8> {
    let properties = [options.get_props()];
    let dictionary = options.dict_size.to_le_bytes();
    [&LZMA_BEGIN[..], &properties, &dictionary].concat()
}

/// Numbers of a content that was compressed.
pub(super) struct Packed {
    pub crc: u32,
    pub size: u64,
    pub compressed: u64,
}

/// Compresses a content by the method of its entry.
pub(super) fn pack(
    entry: &Entry,
    content: &mut dyn Read,
    out: &mut dyn Write,
) -> io::Result<Packed> {
    let mut content = Summing {
        inner: content,
        crc: Crc::new(),
        len: 0,
    };
    let mut out = Counting { inner: out, len: 0 };
    match entry.method {
        Method::Stored => drop(io::copy(&mut content, &mut out)?),
        Method::Deflate => {
            let level = Compression::new(entry.level());
            let mut encoder = DeflateEncoder::new(&mut out, level);
            io::copy(&mut content, &mut encoder)?;
            encoder.finish()?;
        }
        Method::Bzip2 => {
            let mut encoder = bzip2::write::BzEncoder::new(&mut out, bzip2::Compression::best());
            io::copy(&mut content, &mut encoder)?;
            encoder.finish()?;
        }
        Method::Lzma => {
            let options = LzmaOptions::with_preset(LZMA_LEVEL);
            out.write_all(&lzma_header(&options))?;
            let mut encoder = LzmaWriter::new_no_header(&mut out, &options, entry.has_end_mark())?;
            io::copy(&mut content, &mut encoder)?;
            encoder.finish()?;
        }
        Method::Zstandard => {
            let mut encoder = zstd::stream::write::Encoder::new(&mut out, 0)?;
            io::copy(&mut content, &mut encoder)?;
            encoder.finish()?;
        }
        Method::Xz => {
            let mut writer = lzma_rust2::XzWriter::new(&mut out, crate::xz::options(4, 6)?)?;
            io::copy(&mut content, &mut writer)?;
            writer.finish()?;
        }
        Method::Unknown(method) => {
            let message = format!("expected a known method of compression, found {method}");
            return Err(invalid(message));
        }
    }
    Ok(Packed {
        crc: content.crc.sum(),
        size: content.len,
        compressed: out.len,
    })
}

struct Summing<'r> {
    inner: &'r mut dyn Read,
    crc: Crc,
    len: u64,
}

impl Read for Summing<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let len = self.inner.read(room)?;
        self.crc.update(&room[..len]);
        self.len += len as u64;
        Ok(len)
    }
}

struct Counting<'w> {
    inner: &'w mut dyn Write,
    len: u64,
}

impl Write for Counting<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let len = self.inner.write(bytes)?;
        self.len += len as u64;
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
