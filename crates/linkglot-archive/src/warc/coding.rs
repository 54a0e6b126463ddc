//! Codings of the body of a message of HTTP: how it was transferred (RFC 9112 6 and 7) and how its content is
//! compressed (RFC 9110 8.4.1).

use super::header::Header;
use crate::bytes::fill;
use crate::{Codec, Decoder, Encoder, Parameters, invalid};
use flate2::bufread::ZlibDecoder;
use flate2::write::ZlibEncoder;
use std::io::{self, BufRead, BufReader, Read, Seek, Write};
use tempfile::SpooledTempFile;

/// The most codings of a body.
const MOST_CODINGS: usize = 4;

/// The most bytes of a line that gives the length of a chunk.
const MOST_LINE: u64 = 4096;

/// The most bytes that wait in memory; more wait in a temporary file without a name.
const IN_MEMORY: usize = 4 << 20;

const BUFFER: usize = 16 << 10;

/// A coding of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coding {
    /// Chunks with their lengths.
    Chunked,
    /// gzip.
    Gzip,
    /// zlib, which HTTP calls `deflate`.
    Deflate,
    /// Brotli (RFC 7932).
    Brotli,
    /// Zstandard.
    Zstandard,
}

impl Coding {
    /// True if the first bytes of a body can be those of the coding. Programs that decode bodies leave the fields as
    /// they are.
    fn may_begin(self, head: &[u8]) -> bool {
        match self {
            Coding::Chunked => is_chunk_line(head),
            Coding::Gzip => head.starts_with(b"\x1F\x8B\x08"),
            Coding::Deflate => {
                matches!(head, [first, second, ..] if first & 15 == 8
                    && (u16::from(*first) << 8 | u16::from(*second)) % 31 == 0)
            }
            Coding::Zstandard => head.starts_with(b"\x28\xB5\x2F\xFD"),
            Coding::Brotli => true,
        }
    }

    fn decode<'r>(self, reader: Box<dyn BufRead + 'r>) -> io::Result<Box<dyn BufRead + 'r>> {
        let codec = match self {
            Coding::Chunked => return Ok(buffered(Chunks::new(reader))),
            Coding::Deflate => return Ok(buffered(ZlibDecoder::new(reader))),
            Coding::Brotli => return Ok(buffered(brotli::Decompressor::new(reader, BUFFER))),
            Coding::Gzip => Codec::Gzip,
            Coding::Zstandard => Codec::Zstandard,
        };
        Ok(buffered(Decoder::new(codec, reader)?))
    }

    /// Encodes a content as an `old` body is encoded.
    fn encode(
        self,
        content: &mut dyn Read,
        old: &mut dyn BufRead,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let codec = match self {
            Coding::Chunked => return write_chunks(content, old, out),
            Coding::Deflate => {
                let mut encoder = ZlibEncoder::new(out, flate2::Compression::default());
                io::copy(content, &mut encoder)?;
                return encoder.finish().map(drop);
            }
            Coding::Brotli => {
                let parameters = brotli::enc::BrotliEncoderParams {
                    quality: 5,
                    ..Default::default()
                };
                let mut out = out;
                return brotli::BrotliCompress(&mut &mut *content, &mut out, &parameters).map(drop);
            }
            Coding::Gzip => Codec::Gzip,
            Coding::Zstandard => Codec::Zstandard,
        };
        let mut encoder = Encoder::new(&Parameters::of(codec, old)?, out)?;
        io::copy(content, &mut encoder)?;
        encoder.finish().map(drop)
    }
}

fn buffered<'r>(reader: impl Read + 'r) -> Box<dyn BufRead + 'r> {
    Box::new(BufReader::with_capacity(BUFFER, reader))
}

/// The codings that a header of HTTP names, outermost first. `None` if there is one that is not known, or too many.
pub(super) fn stated(http: &Header) -> Option<Vec<Coding>> {
    let mut codings = Vec::new();
    for name in ["Content-Encoding", "Transfer-Encoding"] {
        for value in http.values(name) {
            for label in value.split(|&byte| byte == b',') {
                codings.push(match &label.trim_ascii().to_ascii_lowercase()[..] {
                    b"" | b"identity" | b"none" => continue,
                    b"chunked" => Coding::Chunked,
                    b"gzip" | b"x-gzip" => Coding::Gzip,
                    b"deflate" => Coding::Deflate,
                    b"br" => Coding::Brotli,
                    b"zstd" => Coding::Zstandard,
                    _ => return None,
                });
            }
        }
    }
    codings.reverse();
    (codings.len() <= MOST_CODINGS).then_some(codings)
}

/// Decodes a body. Returns the codings that it really has: a coding whose mark is missing was decoded before. An empty
/// body has none.
pub(super) fn decoded<'r>(
    stated: &[Coding],
    mut reader: Box<dyn BufRead + 'r>,
) -> io::Result<(Vec<Coding>, Box<dyn BufRead + 'r>)> {
    let mut codings = Vec::new();
    for &coding in stated {
        let mut head = [0; 16];
        let len = fill(&mut reader, &mut head)?;
        let head = &head[..len];
        let is_coded = !head.is_empty() && coding.may_begin(head);
        reader = Box::new(io::Cursor::new(head.to_vec()).chain(reader));
        if is_coded {
            reader = coding.decode(reader)?;
            codings.push(coding);
        }
    }
    Ok((codings, reader))
}

/// Decodes codings that a body is known to have.
pub(super) fn undone<'r>(
    codings: &[Coding],
    mut reader: Box<dyn BufRead + 'r>,
) -> io::Result<Box<dyn BufRead + 'r>> {
    for coding in codings {
        reader = coding.decode(reader)?;
    }
    Ok(reader)
}

/// Encodes a content by the codings that an old body has.
pub(super) fn encoded<'o>(
    codings: &[Coding],
    content: &mut dyn Read,
    old: &dyn Fn() -> io::Result<Box<dyn BufRead + 'o>>,
) -> io::Result<SpooledTempFile> {
    let mut body = spool();
    match codings.split_last() {
        None => {
            io::copy(content, &mut body)?;
        }
        Some((innermost, outer)) => {
            innermost.encode(content, &mut undone(outer, old()?)?, &mut body)?;
            body.rewind()?;
            if !outer.is_empty() {
                return encoded(outer, &mut body, old);
            }
        }
    }
    body.rewind()?;
    Ok(body)
}

pub(super) fn spool() -> SpooledTempFile {
    SpooledTempFile::new(IN_MEMORY)
}

/// True if bytes begin with the line of a chunk: digits, an extension, and an end.
fn is_chunk_line(head: &[u8]) -> bool {
    let digits = head.iter().take_while(|byte| byte.is_ascii_hexdigit());
    let digits = digits.count();
    let behind = head[digits..]
        .iter()
        .find(|byte| !matches!(byte, b' ' | b'\t'));
    (1..=15).contains(&digits) && matches!(behind, Some(b';' | b'\r' | b'\n'))
}

/// Reads the content of chunks (RFC 9112 7.1), up to the last one.
struct Chunks<R> {
    inner: R,
    left: u64,
    is_first: bool,
    is_over: bool,
}

impl<R: BufRead> Chunks<R> {
    fn new(inner: R) -> Self {
        Chunks {
            inner,
            left: 0,
            is_first: true,
            is_over: false,
        }
    }

    fn line(&mut self) -> io::Result<Vec<u8>> {
        let mut line = Vec::new();
        (&mut self.inner)
            .take(MOST_LINE)
            .read_until(b'\n', &mut line)?;
        if line.last() != Some(&b'\n') {
            return Err(damaged());
        }
        Ok(line)
    }

    /// Begins the next chunk. The last one has no content.
    fn begin_chunk(&mut self) -> io::Result<()> {
        if !self.is_first && !self.line()?.trim_ascii().is_empty() {
            return Err(damaged());
        }
        self.is_first = false;
        let line = self.line()?;
        let digits = line.split(|byte| !byte.is_ascii_hexdigit()).next();
        let digits = std::str::from_utf8(digits.unwrap_or_default()).ok();
        let length = digits.and_then(|digits| u64::from_str_radix(digits, 16).ok());
        self.left = length.ok_or_else(damaged)?;
        self.is_over = self.left == 0;
        Ok(())
    }
}

impl<R: BufRead> Read for Chunks<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        if room.is_empty() || self.is_over {
            return Ok(0);
        }
        if self.left == 0 {
            self.begin_chunk()?;
            if self.is_over {
                return Ok(0);
            }
        }
        let most = usize::try_from(self.left).map_or(room.len(), |left| left.min(room.len()));
        let len = self.inner.read(&mut room[..most])?;
        if len == 0 {
            return Err(damaged());
        }
        self.left -= len as u64;
        Ok(len)
    }
}

fn damaged() -> io::Error {
    invalid("damaged body of HTTP: expected a chunk")
}

/// Writes a content in chunks. What follows the last of the old chunks stays: its trailer.
fn write_chunks(
    content: &mut dyn Read,
    old: &mut dyn BufRead,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut chunk = vec![0; 64 << 10];
    loop {
        let len = fill(content, &mut chunk)?;
        if len == 0 {
            break;
        }
        write!(out, "{len:x}\r\n")?;
        out.write_all(&chunk[..len])?;
        out.write_all(b"\r\n")?;
    }
    let mut old = Chunks::new(old);
    io::copy(&mut old, &mut io::sink())?;
    out.write_all(b"0\r\n")?;
    io::copy(&mut old.inner, out).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(fields: &str) -> Header {
        Header::of(format!("HTTP/1.1 200 OK\r\n{fields}\r\n").into_bytes())
    }

    fn read(codings: &[Coding], body: &[u8]) -> io::Result<(Vec<Coding>, Vec<u8>)> {
        let (codings, mut reader) = decoded(codings, Box::new(body))?;
        let mut content = Vec::new();
        reader.read_to_end(&mut content)?;
        Ok((codings, content))
    }

    #[test]
    fn stated_codings() {
        let cases: [(&str, Option<&[Coding]>); 6] = [
            ("", Some(&[])),
            (
                "Content-Encoding: br\r\ntransfer-encoding: Chunked\r\n",
                Some(&[Coding::Chunked, Coding::Brotli]),
            ),
            (
                "Content-Encoding: deflate, x-gzip\r\n",
                Some(&[Coding::Gzip, Coding::Deflate]),
            ),
            ("Content-Encoding: identity\r\n", Some(&[])),
            ("Content-Encoding: compress\r\n", None),
            ("Content-Encoding: br,br,br,br,br\r\n", None),
        ];
        for (fields, expected) in cases {
            assert_eq!(stated(&header(fields)).as_deref(), expected, "{fields}");
        }
    }

    #[test]
    fn chunks() {
        let body = b"3\r\nabc\r\n0A;x=y\r\n0123456789\r\n0\r\nDigest: x\r\n\r\n";
        let codings = [Coding::Chunked];
        assert_eq!(
            read(&codings, body).unwrap(),
            (codings.to_vec(), b"abc0123456789".to_vec())
        );
        let mut new = encoded(&codings, &mut &b"new"[..], &|| Ok(Box::new(&body[..]))).unwrap();
        let mut written = Vec::new();
        new.read_to_end(&mut written).unwrap();
        assert_eq!(written, b"3\r\nnew\r\n0\r\nDigest: x\r\n\r\n");
        for cut in [
            &body[..7],
            &body[..4],
            &body[..10],
            b"3\r\nabcd\r\n0\r\n\r\n",
        ] {
            assert!(read(&codings, cut).is_err(), "{}", cut.escape_ascii());
        }
    }

    /// A field that speaks of a coding that the body has no more.
    #[test]
    fn bodies_that_were_decoded() {
        let all = [
            Coding::Chunked,
            Coding::Gzip,
            Coding::Zstandard,
            Coding::Deflate,
        ];
        for body in [&b"<p>abc"[..], b"", b"added text\n", b"a", b"cafe au lait"] {
            assert_eq!(read(&all, body).unwrap(), (Vec::new(), body.to_vec()));
        }
    }

    #[test]
    fn contents_are_encoded_as_they_were() {
        let old_content = &b"<a href='http://a.example/'>".repeat(9)[..];
        let gzip = b"\x1F\x8B\x08\0\0\0\0\0\0\x03\x03\0\0\0\0\0\0\0\0\0";
        let mut zlib = ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
        zlib.write_all(old_content).unwrap();
        let mut brotli = Vec::new();
        Coding::Brotli
            .encode(&mut &*old_content, &mut &b""[..], &mut brotli)
            .unwrap();
        let bodies = [
            (Coding::Gzip, gzip.to_vec()),
            (Coding::Deflate, zlib.finish().unwrap()),
            (Coding::Brotli, brotli),
            (
                Coding::Zstandard,
                zstd::bulk::compress(old_content, 1).unwrap(),
            ),
        ];
        for (coding, old) in bodies {
            let mut chunked = format!("{:x}\r\n", old.len()).into_bytes();
            chunked.extend_from_slice(&old);
            chunked.extend_from_slice(b"\r\n0\r\n\r\n");
            let codings = [Coding::Chunked, coding];
            assert_eq!(read(&codings, &chunked).unwrap().0, codings);
            for content in [&b""[..], b"new", &b"new".repeat(50_000)] {
                let old = || Ok(Box::new(&chunked[..]) as Box<dyn BufRead>);
                let mut new = Vec::new();
                encoded(&codings, &mut &*content, &old)
                    .unwrap()
                    .read_to_end(&mut new)
                    .unwrap();
                assert_eq!(
                    read(&codings, &new).unwrap(),
                    (codings.to_vec(), content.to_vec())
                );
            }
        }
    }
}
