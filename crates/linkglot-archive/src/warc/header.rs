//! Blocks of named fields, as records and messages of HTTP begin with.

use crate::invalid;
use std::io::{self, BufRead, Read};
use std::ops::Range;

/// The most bytes of a header.
const MOST_HEADER: usize = 1 << 20;

/// A first line and named fields, up to an empty line, kept byte by byte.
///
/// ```
/// use linkglot_archive::warc::Header;
///
/// let mut header = Header::read(&mut &b"HTTP/1.1 200 OK\r\nContent-length:  3\r\n\r\nabc"[..])?;
/// assert_eq!(header.first_line(), b"HTTP/1.1 200 OK");
/// assert_eq!(header.get("Content-Length"), Some(&b"3"[..]));
/// header.set("content-length", b"12");
/// assert_eq!(header.bytes(), b"HTTP/1.1 200 OK\r\nContent-length:  12\r\n\r\n");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    bytes: Vec<u8>,
    fields: Vec<Field>,
}

/// The places of a field. The value has no blanks around it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Field {
    name: Range<usize>,
    value: Range<usize>,
}

impl Header {
    /// Reads a header up to the empty line or the end of the reader. Linear, in memory of its length: at most 1 MiB.
    ///
    /// # Errors
    ///
    /// When the reader fails, or the header is too long.
    pub fn read(reader: &mut dyn BufRead) -> io::Result<Self> {
        Header::read_after(Vec::new(), reader)
    }

    /// Reads a header that begins with bytes that were read: a whole line, or nothing.
    pub(super) fn read_after(mut bytes: Vec<u8>, reader: &mut dyn BufRead) -> io::Result<Self> {
        let mut begin = 0;
        loop {
            let line = &bytes[begin..];
            if line == b"\n" || line == b"\r\n" {
                break;
            }
            begin = bytes.len();
            let most = MOST_HEADER.saturating_sub(begin) as u64;
            if (&mut *reader).take(most).read_until(b'\n', &mut bytes)? == 0 {
                break;
            }
        }
        if bytes.len() >= MOST_HEADER {
            return Err(invalid("expected a header of at most 1 MiB"));
        }
        Ok(Header::of(bytes))
    }

    /// The header of these bytes.
    #[must_use]
    pub fn of(bytes: Vec<u8>) -> Self {
        let fields = fields(&bytes);
        Header { bytes, fields }
    }

    /// All bytes, with the empty line.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The first line, without its end.
    #[must_use]
    pub fn first_line(&self) -> &[u8] {
        let line = self.bytes.split(|&byte| byte == b'\n').next();
        line.unwrap_or_default().trim_ascii_end()
    }

    /// True if an empty line ends the header.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.bytes.ends_with(b"\n\r\n") || self.bytes.ends_with(b"\n\n")
    }

    /// The value of the first field with a name, which may be in any case.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        let field = self
            .fields
            .iter()
            .find(|field| self.is_named(field, name))?;
        Some(&self.bytes[field.value.clone()])
    }

    /// The values of all fields with a name.
    pub fn values<'h>(&'h self, name: &'h str) -> impl Iterator<Item = &'h [u8]> {
        let named = self.fields.iter();
        let named = named.filter(move |field| self.is_named(field, name));
        named.map(|field| &self.bytes[field.value.clone()])
    }

    fn is_named(&self, field: &Field, name: &str) -> bool {
        self.bytes[field.name.clone()].eq_ignore_ascii_case(name.as_bytes())
    }

    /// True if there is exactly one field with a name.
    pub(super) fn has_one(&self, name: &str) -> bool {
        self.values(name).count() == 1
    }

    /// Sets the value of the first field with a name, if there is one.
    pub fn set(&mut self, name: &str, value: &[u8]) {
        let field = self.fields.iter().find(|field| self.is_named(field, name));
        if let Some(place) = field.map(|field| field.value.clone()) {
            self.bytes.splice(place, value.iter().copied());
            self.fields = fields(&self.bytes);
        }
    }

    /// The end of a line, as the empty line has it.
    pub(super) fn line_end(&self) -> &'static [u8] {
        if self.bytes.ends_with(b"\r\n") {
            b"\r\n"
        } else {
            b"\n"
        }
    }

    /// Adds a field behind the others.
    pub(super) fn add(&mut self, name: &str, value: &[u8]) {
        let end = self.line_end();
        let at = self.bytes.len() - end.len();
        let field = [name.as_bytes(), b": ", value, end].concat();
        self.bytes.splice(at..at, field);
        self.fields = fields(&self.bytes);
    }
}

/// The fields behind the first line. A line that begins with a blank goes on with the field in front of it; a line
/// without a colon is no field.
fn fields(bytes: &[u8]) -> Vec<Field> {
    let mut fields: Vec<Field> = Vec::new();
    let mut begin = 0;
    for (number, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
        let at = begin;
        begin += line.len();
        if line.trim_ascii().is_empty() {
            continue;
        }
        if matches!(line[0], b' ' | b'\t') {
            if let Some(last) = fields.last_mut() {
                last.value.end = at + line.trim_ascii_end().len();
            }
            continue;
        }
        let Some(colon) = memchr(b':', line).filter(|_| number > 0) else {
            continue;
        };
        let value = &line[colon + 1..];
        let start = at + line.len() - value.trim_ascii_start().len();
        let end = at + line.trim_ascii_end().len();
        fields.push(Field {
            name: at..at + line[..colon].trim_ascii_end().len(),
            value: start.min(end.max(at + colon + 1))..end.max(at + colon + 1),
        });
    }
    fields
}

fn memchr(byte: u8, bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|&other| other == byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_with_blanks_and_folds() {
        let mut header =
            Header::of(b"WARC/1.0\r\nA:\r\nb :  x y \r\n  z\r\nnone\r\nA: 2\n\r\n".to_vec());
        assert_eq!(header.get("a"), Some(&b""[..]));
        assert_eq!(header.get("B"), Some(&b"x y \r\n  z"[..]));
        assert_eq!(header.values("a").collect::<Vec<_>>(), [&b""[..], b"2"]);
        assert!(header.is_complete() && header.has_one("b") && !header.has_one("a"));
        header.set("a", b"1");
        header.add("C", b"3");
        assert_eq!(
            header.bytes(),
            b"WARC/1.0\r\nA:1\r\nb :  x y \r\n  z\r\nnone\r\nA: 2\nC: 3\r\n\r\n"
        );
    }

    #[test]
    fn headers_end() {
        let mut bytes = &b"HTTP/1.0 200\nA: b\n\nbody\n\n"[..];
        let header = Header::read(&mut bytes).unwrap();
        assert_eq!(
            (header.bytes(), bytes),
            (&b"HTTP/1.0 200\nA: b\n\n"[..], &b"body\n\n"[..])
        );
        let header = Header::read(&mut &b"HTTP/1.0 200\nA: b"[..]).unwrap();
        assert!(!header.is_complete());
        assert_eq!(header.get("a"), Some(&b"b"[..]));
        let long = vec![b'a'; MOST_HEADER + 5];
        assert!(Header::read(&mut &long[..]).is_err());
    }
}
