//! Archives and compressed files: entries in, entries out.
//!
//! Compressed files ([`Decoder`]), [`tar`] and [`warc`] are read as streams in bounded memory, [`zip`] from a seekable
//! file. An archive is written back from the old one: what does not change keeps its bytes, and the rest is compressed
//! as it was ([`Encoder`], [`Parameters`]).
//!
//! The crate must know neither links nor files nor options: names are bytes, and nothing is unpacked to a disk.
//!
//! ```
//! use linkglot_archive::{Codec, Decoder, Encoder, Kind, Parameters, kind_of};
//! use std::io::{Read, Write};
//!
//! let old = b"\x1F\x8B\x08\0\0\0\0\0\0\x03\x4B\x04\0\x43\xBE\xB7\xE8\x01\0\0\0";
//! assert_eq!(kind_of(old), Some(Kind::Compressed(Codec::Gzip)));
//! let mut text = String::new();
//! Decoder::new(Codec::Gzip, &old[..])?.read_to_string(&mut text)?;
//! assert_eq!(text, "a");
//!
//! let mut encoder = Encoder::new(&Parameters::of(Codec::Gzip, &mut &old[..])?, Vec::new())?;
//! encoder.write_all(text.as_bytes())?;
//! assert_eq!(encoder.finish()?, old);
//! # Ok::<(), std::io::Error>(())
//! ```

mod brotli;
mod bytes;
mod decoder;
mod encoder;
mod gzip;
mod output;
pub mod safari;
pub mod tar;
pub mod warc;
mod xz;
pub mod zip;
mod zstandard;

pub use decoder::Decoder;
pub use encoder::{Encoder, Parameters};
pub use output::Output;

/// The most bytes of the begin of a file that [`kind_of`] looks at.
pub const HEAD: usize = 512;

/// A format of archives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A single document, compressed.
    Compressed(Codec),
    /// A tar archive: ustar, pax, GNU or V7.
    Tar,
    /// A zip archive, which may be a package of an office program or a book.
    Zip,
    /// An archive of the web: WARC or ARC.
    Warc,
    /// A web archive of Safari.
    Safari,
}

/// A format of compressed files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Codec {
    /// gzip (RFC 1952).
    Gzip,
    /// Zstandard (RFC 8878).
    Zstandard,
    /// bzip2.
    Bzip2,
    /// xz (LZMA2).
    Xz,
    /// Brotli (RFC 7932), which is known by names alone: see [`is_brotli`].
    Brotli,
}

impl Codec {
    /// The usual name of the format: `gzip`, `zstd`, `bzip2`, `xz` or `brotli`.
    ///
    /// ```
    /// assert_eq!(linkglot_archive::Codec::Zstandard.name(), "zstd");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Codec::Gzip => "gzip",
            Codec::Zstandard => "zstd",
            Codec::Bzip2 => "bzip2",
            Codec::Xz => "xz",
            Codec::Brotli => "brotli",
        }
    }
}

/// The kind of an archive, by its first bytes. A zip archive with a program in front of it, a self-extractor, is not
/// recognized.
///
/// ```
/// use linkglot_archive::{Kind, kind_of};
///
/// assert_eq!(kind_of(b"PK\x05\x06"), Some(Kind::Zip));
/// assert_eq!(kind_of(b"BZhang is a name"), None);
/// ```
pub fn kind_of(head: &[u8]) -> Option<Kind> {
    const MAGIC: [(&[u8], Kind); 5] = [
        (b"\x1F\x8B\x08", Kind::Compressed(Codec::Gzip)),
        (b"\x28\xB5\x2F\xFD", Kind::Compressed(Codec::Zstandard)),
        (b"\xFD7zXZ\0", Kind::Compressed(Codec::Xz)),
        (b"PK\x03\x04", Kind::Zip),
        (b"PK\x05\x06", Kind::Zip),
    ];
    let known = MAGIC.iter().find(|(magic, _)| head.starts_with(magic));
    match (known, head) {
        (Some((_, kind)), _) => Some(*kind),
        (None, [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..]) => Some(Kind::Compressed(Codec::Zstandard)),
        (None, [b'B', b'Z', b'h', b'1'..=b'9', magic @ ..])
            if magic.starts_with(b"1AY&SY") || magic.starts_with(b"\x17rE8P\x90") =>
        {
            Some(Kind::Compressed(Codec::Bzip2))
        }
        _ if warc::is_begin(head) => Some(Kind::Warc),
        _ if safari::is_begin(head) => Some(Kind::Safari),
        _ => tar::is_header(head).then_some(Kind::Tar),
    }
}

/// True if a file whose name says that it is compressed with Brotli can be that, by its first bytes.
///
/// ```
/// use linkglot_archive::is_brotli;
///
/// assert!(!is_brotli(b"a text in Breton"));
/// ```
pub fn is_brotli(head: &[u8]) -> bool {
    brotli::is_begin(head)
}

/// An error of damaged or unusual data.
fn invalid(message: impl Into<String>) -> std::io::Error {
    std::io::Error::new(std::io::ErrorKind::InvalidData, message.into())
}
