//! Queries in the document's charset (the draft of 2011, 6.1).

use super::{MapError, MapErrorKind, Piece, Unencodable, Writer, plain_run};
use crate::iri::percent;
use crate::report::Note;
use std::ops::Range;

impl Writer<'_> {
    /// A query in the document's charset, from the characters as the document has them.
    pub(super) fn query(&mut self, query: Piece) -> Result<(), MapError> {
        let bytes = query.text.as_bytes();
        let mut at = 0;
        loop {
            let run = plain_run(bytes, at, &mut self.kinds);
            self.out.extend_from_slice(&bytes[at..run]);
            at = run;
            match bytes.get(at) {
                None => return Ok(()),
                Some(&byte) if byte < 0x80 => {
                    self.disallowed(byte)
                        .map_err(|kind| query.error(at, kind))?;
                    at += 1;
                }
                Some(_) => {
                    let end = self
                        .wide_run(query.text, at)
                        .map_err(|(at, kind)| query.error(at, kind))?;
                    self.document_run(query, at..end)?;
                    at = end;
                }
            }
        }
    }

    /// A run of characters beyond ASCII, in the document's charset. Whole runs, because a charset
    /// may have states (ISO-2022-JP).
    fn document_run(&mut self, query: Piece, run: Range<usize>) -> Result<(), MapError> {
        self.notes.insert(Note::QueryCharset);
        let mut octets = Vec::new();
        let mut at = run.start;
        while at < run.end {
            let rest = &query.text[at..run.end];
            at += self.document_octets(rest, &mut octets);
            let Some(ch) = query.text[at..run.end].chars().next() else {
                break;
            };
            self.unencodable(ch).map_err(|kind| query.error(at, kind))?;
            at += ch.len_utf8();
        }
        Ok(())
    }

    /// Writes what the document's charset has of a text, up to the first character that it lacks;
    /// returns that character's position.
    fn document_octets(&mut self, text: &str, octets: &mut Vec<u8>) -> usize {
        let charset = self.settings.charset;
        octets.clear();
        let mut end = text.len();
        if let Err(lacking) = charset.encode(text, octets) {
            octets.clear();
            end = lacking;
            let is_encoded = text
                .get(..end)
                .is_some_and(|known| charset.encode(known, octets).is_ok());
            if !is_encoded {
                return 0;
            }
        }
        percent::push_octets(&mut self.out, octets);
        end
    }

    fn unencodable(&mut self, ch: char) -> Result<(), MapErrorKind> {
        match self.settings.unencodable {
            Unencodable::Fail => return Err(MapErrorKind::Unencodable),
            Unencodable::Utf8 => {
                let mut buffer = [0; 4];
                let octets = ch.encode_utf8(&mut buffer).as_bytes();
                percent::push_octets(&mut self.out, octets);
            }
            Unencodable::Reference => {
                let reference = format!("%26%23{}%3B", ch as u32);
                self.out.extend_from_slice(reference.as_bytes());
            }
        }
        Ok(())
    }
}
