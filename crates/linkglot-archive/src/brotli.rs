//! Brotli (RFC 7932). Its data has no mark at the begin, and no sum.

use super::invalid;
use brotli::enc::{BrotliEncoderParams, StandardAlloc};
use brotli::{BrotliDecompressStream, BrotliResult, BrotliState, CompressorWriter};
use std::io::{self, BufRead, Read, Write};

/// The level for writing, which the data does not tell: the greatest one that is not slow.
const LEVEL: i32 = 9;

/// The most bytes that are decompressed to know the data by its begin.
const ENOUGH: u64 = 64 << 10;

const BUFFER: usize = 16 << 10;

type State = BrotliState<StandardAlloc, StandardAlloc, StandardAlloc>;

/// True if the first bytes of a file can be those of Brotli data that compresses something: text begins none.
pub(crate) fn is_begin(head: &[u8]) -> bool {
    let mut content = Vec::new();
    let reader = BrotliReader::new(head);
    let read = reader.take(ENOUGH).read_to_end(&mut content);
    let is_whole_or_cut = match read {
        Ok(_) => true,
        Err(error) => error.kind() == io::ErrorKind::UnexpectedEof,
    };
    // A block that is not compressed holds the bytes of the file as they are.
    let first = &content[..content.len().min(32)];
    is_whole_or_cut && !first.is_empty() && memchr::memmem::find(head, first).is_none()
}

/// Decompresses a file to its end.
pub(crate) struct BrotliReader<R> {
    inner: R,
    state: Box<State>,
    progress: Progress,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    Begun,
    Ended,
    Damaged,
}

impl<R: BufRead> BrotliReader<R> {
    pub fn new(inner: R) -> Self {
        let [first, second, third] = [(); 3].map(|()| StandardAlloc::default());
        BrotliReader {
            inner,
            state: Box::new(BrotliState::new_strict(first, second, third)),
            progress: Progress::Begun,
        }
    }

    /// Decompresses some bytes. Zero if there are none yet, or no more.
    fn decompress(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let input = self.inner.fill_buf()?;
        let (mut left, mut read) = (input.len(), 0);
        let (mut free, mut written, mut total) = (room.len(), 0, 0);
        let result = BrotliDecompressStream(
            &mut left,
            &mut read,
            input,
            &mut free,
            &mut written,
            room,
            &mut total,
            &mut self.state,
        );
        let is_cut = input.is_empty();
        self.inner.consume(read);
        match result {
            BrotliResult::ResultSuccess => self.progress = Progress::Ended,
            BrotliResult::ResultFailure => self.progress = Progress::Damaged,
            BrotliResult::NeedsMoreInput if is_cut && written == 0 => {
                let message = "the Brotli data is cut off";
                return Err(io::Error::new(io::ErrorKind::UnexpectedEof, message));
            }
            BrotliResult::NeedsMoreInput | BrotliResult::NeedsMoreOutput => {}
        }
        Ok(written)
    }
}

impl<R: BufRead> Read for BrotliReader<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        if room.is_empty() {
            return Ok(0);
        }
        loop {
            match self.progress {
                Progress::Begun => {
                    let len = self.decompress(room)?;
                    if len > 0 {
                        return Ok(len);
                    }
                }
                Progress::Ended if self.inner.fill_buf()?.is_empty() => return Ok(0),
                Progress::Ended => return Err(invalid("expected the end of the Brotli data")),
                Progress::Damaged => return Err(invalid("damaged Brotli data")),
            }
        }
    }
}

/// The window of the data, as a power of two (9.1).
///
/// # Errors
///
/// When there is no data, or its window is not one of the standard.
pub(crate) fn read_window(reader: &mut dyn BufRead) -> io::Result<u8> {
    let mut first = [0];
    reader.read_exact(&mut first)?;
    let [first] = first;
    match (first & 1, first >> 1 & 7, first >> 4 & 7) {
        (0, ..) => Ok(16),
        (_, 0, 0) => Ok(17),
        (_, 0, 1) => Err(invalid("expected a window of Brotli up to 16 MiB")),
        (_, 0, more) => Ok(8 + more),
        (_, more, _) => Ok(17 + more),
    }
}

/// Compresses a file.
pub(crate) struct BrotliWriter<W: Write>(CompressorWriter<Latched<W>>);

impl<W: Write> BrotliWriter<W> {
    pub fn new(out: W, window: u8) -> Self {
        let parameters = BrotliEncoderParams {
            quality: LEVEL,
            lgwin: i32::from(window),
            ..Default::default()
        };
        let out = Latched { out, failure: None };
        BrotliWriter(CompressorWriter::with_params(out, BUFFER, &parameters))
    }

    pub fn finish(self) -> io::Result<W> {
        let Latched { out, failure } = self.0.into_inner();
        failure.map_or(Ok(out), Err)
    }
}

impl<W: Write> Write for BrotliWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A writer that keeps its error: the compressor tells none of those at the end.
struct Latched<W> {
    out: W,
    failure: Option<io::Error>,
}

impl<W: Write> Write for Latched<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.failure.is_some() {
            return Err(io::ErrorKind::Other.into());
        }
        self.out.write(bytes).map_err(|error| {
            let kind = error.kind();
            if kind != io::ErrorKind::Interrupted {
                self.failure = Some(error);
            }
            kind.into()
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(content: &[u8], window: u8) -> Vec<u8> {
        let mut writer = BrotliWriter::new(Vec::new(), window);
        writer.write_all(content).unwrap();
        writer.finish().unwrap()
    }

    #[test]
    fn windows_stay() {
        for window in 10..=24 {
            let data = packed(&b"some text, ".repeat(1000), window);
            assert_eq!(read_window(&mut &data[..]).unwrap(), window);
        }
    }

    #[test]
    fn begins() {
        let page = b"<a href='http://old.example/'>a link in a page</a>\n".repeat(400);
        let data = packed(&page, 22);
        for len in [40, 200, data.len()] {
            assert!(is_begin(&data[..len.min(data.len())]), "{len}");
        }
        for text in [
            &b"Ol\xE1, mundo! Uma p\xE1gina em portugu\xEAs, com acentos."[..],
            b"<!DOCTYPE html><a href='http://old.example/'>",
            b"\x0B\x02\x80abc\x03",
            b"",
        ] {
            assert!(!is_begin(text), "{}", text.escape_ascii());
        }
    }

    /// An error at the end is told.
    #[test]
    fn a_full_disk() {
        struct Full(usize);

        impl Write for Full {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                match self.0.min(bytes.len()) {
                    0 => Err(io::ErrorKind::StorageFull.into()),
                    len => {
                        self.0 -= len;
                        Ok(len)
                    }
                }
            }

            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }

        let mut writer = BrotliWriter::new(Full(9), 22);
        let written = writer.write_all(b"a text of some length");
        let error = written
            .and_then(|()| writer.finish().map(drop))
            .unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    }
}
