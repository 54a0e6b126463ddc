//! Lines of a document, decoded or raw. Only LF ends a line, as for `patch` and git; a CR without LF is a character of
//! the line.

use linkglot_charset::{Charset, Transcoder, ViewMap};
use std::io::{self, Read};

/// Maximal length of a decoded line. The rest of a longer line becomes a digest.
const MAX_LINE: usize = 1 << 20;

const CHUNK: usize = 64 * 1024;

/// A line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Decoded text in UTF-8, or the raw bytes of the document.
    pub bytes: Vec<u8>,
    pub end: End,
    /// Number and digest of the bytes cut off.
    pub cut: (u64, u64),
}

/// The end of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Lf,
    /// CR LF, in decoded lines only.
    CrLf,
    /// The end of the document.
    None,
}

/// The lines of a document.
pub struct Lines<'r> {
    reader: &'r mut dyn Read,
    /// The charset to decode; `None` for raw lines.
    charset: Option<Charset>,
    transcoder: Option<(Transcoder, ViewMap)>,
    /// Bytes in the view charset; from `at` on, they are not yet split into lines.
    bytes: Vec<u8>,
    at: usize,
    ended: bool,
    /// True as long as a byte order mark may come and must be left out.
    skips_mark: bool,
}

impl<'r> Lines<'r> {
    /// Splits a document into decoded lines.
    pub fn new(reader: &'r mut dyn Read, charset: Charset) -> Self {
        let transcoder = (!charset.is_ascii_compatible())
            .then(|| (Transcoder::new(charset, 0), ViewMap::default()));
        Lines {
            charset: Some(charset.view()),
            transcoder,
            ..Lines::raw(reader)
        }
    }

    /// Splits a document into raw lines, each of them whole.
    pub fn raw(reader: &'r mut dyn Read) -> Self {
        Lines {
            reader,
            charset: None,
            transcoder: None,
            bytes: Vec::new(),
            at: 0,
            ended: false,
            skips_mark: false,
        }
    }

    /// Splits a document into decoded lines, without a byte order mark.
    pub fn without_mark(reader: &'r mut dyn Read, charset: Charset) -> Self {
        Lines {
            skips_mark: true,
            ..Lines::new(reader, charset)
        }
    }

    /// The next line.
    pub fn next(&mut self) -> io::Result<Option<Line>> {
        let mut line: Vec<u8> = Vec::new();
        let mut cut = (0, FNV);
        let longest = self.charset.map_or(usize::MAX, |_| MAX_LINE);
        loop {
            let rest = &self.bytes[self.at..];
            // In every view charset this byte always stands for LF.
            let found = memchr::memchr(b'\n', rest);
            let part = &rest[..found.unwrap_or(rest.len())];
            extend(&mut line, &mut cut, part, longest);
            self.at += found.unwrap_or(rest.len());
            match found {
                None if !self.ended => self.read()?,
                None => {
                    let is_empty = line.is_empty() && cut.0 == 0;
                    return Ok((!is_empty).then(|| self.line(line, End::None, cut)));
                }
                Some(_) => {
                    self.at += 1;
                    return Ok(Some(self.ended_line(line, cut)));
                }
            }
        }
    }

    /// The line before a LF.
    fn ended_line(&mut self, mut bytes: Vec<u8>, cut: (u64, u64)) -> Line {
        let end = match bytes.last() {
            Some(b'\r') if cut.0 == 0 && self.charset.is_some() => End::CrLf,
            _ => End::Lf,
        };
        if end == End::CrLf {
            bytes.pop();
        }
        self.line(bytes, end, cut)
    }

    fn line(&mut self, bytes: Vec<u8>, end: End, cut: (u64, u64)) -> Line {
        let Some(charset) = self.charset else {
            return Line { bytes, end, cut };
        };
        let mut text = charset.decode(&bytes).into_owned();
        if std::mem::take(&mut self.skips_mark) && text.starts_with('\u{FEFF}') {
            text.remove(0);
        }
        let bytes = text.into_bytes();
        Line { bytes, end, cut }
    }

    fn read(&mut self) -> io::Result<()> {
        self.bytes.drain(..self.at);
        self.at = 0;
        let mut chunk = vec![0; CHUNK];
        let got = loop {
            match self.reader.read(&mut chunk) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other?,
            }
        };
        chunk.truncate(got);
        self.ended = got == 0;
        match &mut self.transcoder {
            None => self.bytes.append(&mut chunk),
            Some((transcoder, map)) => {
                transcoder.push(&chunk, self.ended, &mut self.bytes, map);
                map.discard(u64::MAX);
            }
        }
        Ok(())
    }
}

const FNV: u64 = 0xCBF2_9CE4_8422_2325;

/// Appends bytes to a line, or to the digest of its rest if it is too long.
fn extend(line: &mut Vec<u8>, cut: &mut (u64, u64), bytes: &[u8], longest: usize) {
    let room = longest.saturating_sub(line.len()).min(bytes.len());
    line.extend_from_slice(&bytes[..room]);
    for &byte in &bytes[room..] {
        cut.0 += 1;
        cut.1 = (cut.1 ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads one byte at a time.
    struct OneByteReader<'b>(&'b [u8]);

    impl Read for OneByteReader<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.0.read(&mut buffer[..1])
        }
    }

    fn lines(bytes: &[u8], charset: Charset) -> Vec<(String, End)> {
        let read = |reader: &mut dyn Read| {
            let mut lines = Lines::new(reader, charset);
            let mut all = Vec::new();
            while let Some(line) = lines.next().unwrap() {
                all.push((String::from_utf8(line.bytes).unwrap(), line.end));
            }
            all
        };
        let whole = read(&mut &bytes[..]);
        assert_eq!(read(&mut OneByteReader(bytes)), whole);
        whole
    }

    #[test]
    fn line_ends() {
        let found = lines(b"a\nb\r\n\rc\rd\r\r\ne\r", Charset::UTF_8);
        let expected = [
            ("a", End::Lf),
            ("b", End::CrLf),
            ("\rc\rd\r", End::CrLf),
            ("e\r", End::None),
        ];
        let expected: Vec<_> = expected.map(|(text, end)| (text.to_owned(), end)).into();
        assert_eq!(found, expected);
        assert!(lines(b"", Charset::UTF_8).is_empty());
        assert_eq!(
            lines(b"a\r", Charset::UTF_8),
            [("a\r".to_owned(), End::None)]
        );
    }

    #[test]
    fn legacy_charsets() {
        let sjis = Charset::for_label("shift_jis").unwrap();
        let found = lines(b"\x83\x5C\n\x83\x41", sjis);
        assert_eq!(found[0].0, "\u{30BD}");
        assert_eq!(found[1].0, "\u{30A2}");
        let wide: Vec<u8> = "\u{E9}\n\u{10000}"
            .encode_utf16()
            .flat_map(u16::to_be_bytes)
            .collect();
        let found = lines(&wide, Charset::UTF_16BE);
        assert_eq!(found[0].0, "\u{E9}");
        assert_eq!(found[1].0, "\u{10000}");
    }

    #[test]
    fn long_lines_differ_by_the_digest() {
        let read = |last: u8| {
            let mut bytes = vec![b'x'; MAX_LINE + 10];
            bytes.push(last);
            Lines::new(&mut &bytes[..], Charset::UTF_8)
                .next()
                .unwrap()
                .unwrap()
        };
        assert_eq!(read(b'a').bytes.len(), MAX_LINE);
        assert_eq!(read(b'a').cut.0, 11);
        assert_ne!(read(b'a'), read(b'b'));
    }
    #[test]
    fn raw_lines_are_whole() {
        let mut bytes = b"\xFF\0\r\n\xEF\xBB\xBF".to_vec();
        bytes.extend_from_slice(&[b'x'; MAX_LINE + 10]);
        let mut reader = &bytes[..];
        let mut lines = Lines::raw(&mut reader);
        let mut next = || lines.next().unwrap().map(|line| (line.bytes, line.end));
        assert_eq!(next(), Some((b"\xFF\0\r".to_vec(), End::Lf)));
        assert_eq!(next(), Some((bytes[4..].to_vec(), End::None)));
        assert_eq!(next(), None);
    }
}
