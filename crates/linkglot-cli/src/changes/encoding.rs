//! Numbers and texts as bytes of records. The module must not know changes.

use std::io;

/// Appends a number.
pub fn push_number(out: &mut Vec<u8>, number: u64) {
    out.extend_from_slice(&number.to_le_bytes());
}

/// Appends a text behind its length.
pub fn push_text(out: &mut Vec<u8>, text: &str) {
    push_number(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

/// Appends the mark of a value that may be absent.
pub fn push_mark(out: &mut Vec<u8>, is_some: bool) {
    out.push(is_some.into());
}

/// A cursor over the bytes of a record.
pub struct Decoder<'b>(pub &'b [u8]);

impl<'b> Decoder<'b> {
    /// Takes a number.
    pub fn number(&mut self) -> io::Result<u64> {
        let (number, rest) = self.0.split_first_chunk().ok_or_else(cut)?;
        self.0 = rest;
        Ok(u64::from_le_bytes(*number))
    }

    /// Takes a number that was a size in memory.
    pub fn size(&mut self) -> io::Result<usize> {
        usize::try_from(self.number()?).map_err(|_| cut())
    }

    /// Takes a text.
    pub fn text(&mut self) -> io::Result<&'b str> {
        let length = self.size()?;
        let (text, rest) = self.0.split_at_checked(length).ok_or_else(cut)?;
        self.0 = rest;
        std::str::from_utf8(text).map_err(|_| cut())
    }

    /// Takes the mark of a value, true if the value follows.
    pub fn is_some(&mut self) -> io::Result<bool> {
        let (mark, rest) = self.0.split_first().ok_or_else(cut)?;
        self.0 = rest;
        Ok(*mark != 0)
    }
}

/// The error of a malformed record. Only a failing disk makes one: no other process can open the temporary files.
fn cut() -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        "expected a record in a temporary file, found other bytes",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back() {
        let mut bytes = Vec::new();
        push_number(&mut bytes, u64::MAX);
        push_text(&mut bytes, "é");
        push_mark(&mut bytes, true);
        let mut decoder = Decoder(&bytes);
        assert_eq!(decoder.number().ok(), Some(u64::MAX));
        assert_eq!(decoder.text().ok(), Some("é"));
        assert_eq!(decoder.is_some().ok(), Some(true));
        assert!(decoder.is_some().is_err());
    }

    #[test]
    fn a_record_that_is_cut_is_an_error() {
        let mut bytes = Vec::new();
        push_text(&mut bytes, "text");
        for end in 0..bytes.len() {
            assert!(Decoder(&bytes[..end]).text().is_err(), "{end}");
        }
    }
}
