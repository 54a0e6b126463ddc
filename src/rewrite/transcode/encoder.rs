//! Writes the text of a document in a charset.

use crate::charset::{Charset, DeclarationSyntax, EXTENDED_HEAD, declarations, sniff};
use crate::error::{Error, ErrorKind};
use crate::format::Format;
use crate::link::{Info, Settings};
use crate::markup::{ReferencePlaces, Window};
use std::io::{self, Write};

/// How much text is waited for before more of it is encoded.
const CHUNK: usize = 64 << 10;

/// Encodes a document that is written as UTF-8: its declarations change, and what the charset lacks becomes a character
/// reference where these are read.
pub(super) struct Encoder<'w> {
    writer: &'w mut dyn Write,
    charset: Charset,
    syntax: DeclarationSyntax,
    /// `None`: the format has no character references.
    places: Option<ReferencePlaces>,
    /// References to U+0080 to U+009F mean other characters in HTML (13.2.5.80).
    is_html: bool,
    /// Text that is not encoded yet.
    text: Vec<u8>,
    /// Whether the declarations were written.
    is_declared: bool,
    /// Whether a declaration changed.
    is_changed: bool,
    /// How long the text must be for the next try.
    wanted: usize,
    /// The begin of what was written.
    head: Vec<u8>,
    /// The line of the text.
    line: u64,
}

impl<'w> Encoder<'w> {
    /// For a document that had another charset.
    pub fn new(writer: &'w mut dyn Write, info: &Info, charset: Charset) -> Self {
        Encoder {
            writer,
            charset,
            syntax: info.format.declaration(),
            places: match info.format {
                Format::Html => Some(ReferencePlaces::of_html()),
                Format::Xml => Some(ReferencePlaces::of_xml(info.is_hypertext)),
                _ => None,
            }
            .filter(|_| !charset.is_unicode()),
            is_html: info.format == Format::Html || info.is_hypertext,
            text: Vec::new(),
            is_declared: false,
            is_changed: false,
            wanted: Info::HEAD,
            head: Vec::new(),
            line: 1,
        }
    }

    /// Writes what is left. Answers whether a declaration changed.
    ///
    /// # Errors
    ///
    /// Those of the writer; a character that cannot be written; a document that would be read in another charset.
    pub fn finish(mut self, settings: &Settings) -> Result<bool, Error> {
        self.encode(true)?;
        self.writer.flush()?;
        self.check(settings)?;
        Ok(self.is_changed)
    }

    /// Changes the declarations in the text at hand, which is the begin of the document or all of it.
    fn declare(&mut self, is_whole: bool) -> io::Result<()> {
        self.is_declared = true;
        if self.charset.has_mark() {
            let mark = encoded("\u{FEFF}".as_bytes(), self.charset);
            self.put(&mark)?;
        }
        let is_ascii = is_whole && self.text.is_ascii();
        let head = text_of(&self.text[..whole_chars(&self.text)])?;
        let edits = declarations(head, is_ascii, self.syntax, self.charset);
        for (range, new) in edits.into_iter().rev() {
            self.is_changed |= self.text[range.clone()] != *new.as_bytes();
            self.text.splice(range, new.into_bytes());
        }
        Ok(())
    }

    /// Encodes the text at hand, as far as it is decided where references are read, or all of it.
    fn encode(&mut self, last: bool) -> io::Result<()> {
        if !self.is_declared {
            self.declare(last)?;
        }
        let mut text = std::mem::take(&mut self.text);
        let end = whole_chars(&text);
        let mut places = Vec::new();
        let cursor = match &mut self.places {
            Some(reader) => {
                let window = Window {
                    bytes: &text[..end],
                    last,
                    charset: Charset::UTF_8,
                };
                let mut cursor = 0;
                reader.read(window, &mut cursor, &mut places);
                cursor
            }
            None if last => end,
            // Charsets with shift states begin each line anew.
            None => memchr::memrchr(b'\n', &text[..end]).map_or(end, |at| at + 1),
        };
        let mut at = 0;
        for place in places {
            self.put_text(text_of(&text[at..place.start])?, false)?;
            self.put_text(text_of(&text[place.clone()])?, true)?;
            at = place.end;
        }
        self.put_text(text_of(&text[at..cursor])?, false)?;
        text.drain(..cursor);
        // What is not decided is read again: it shall be twice as long then.
        self.wanted = 2 * text.len() + CHUNK;
        self.text = text;
        Ok(())
    }

    /// Writes text; with references for what the charset lacks, where they are read.
    fn put_text(&mut self, mut text: &str, has_references: bool) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(text.len());
        while let Err(at) = self.charset.encode(text, &mut bytes) {
            let (before, rest) = text.split_at(at);
            let lacking = rest.chars().next().unwrap_or_default();
            self.line += memchr::memchr_iter(b'\n', before.as_bytes()).count() as u64;
            if !has_references || self.is_html && lacking.is_control() {
                return Err(self.lacks(lacking).into());
            }
            bytes.extend(encoded(before.as_bytes(), self.charset));
            let reference = format!("&#x{:X};", u32::from(lacking));
            bytes.extend(encoded(reference.as_bytes(), self.charset));
            text = &rest[lacking.len_utf8()..];
        }
        self.line += memchr::memchr_iter(b'\n', text.as_bytes()).count() as u64;
        self.put(&bytes)
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        // One byte more tells that the document goes on.
        let room = EXTENDED_HEAD + 1 - self.head.len();
        self.head.extend_from_slice(&bytes[..bytes.len().min(room)]);
        self.writer.write_all(bytes)
    }

    fn lacks(&self, ch: char) -> Error {
        let (line, name, code) = (self.line, self.charset.name(), u32::from(ch));
        let shown = if ch.is_control() { ' ' } else { ch };
        let why = match self.places {
            Some(_) => "where no character reference is read",
            None => "and the format has no character references",
        };
        let message = format!("line {line}: {name} lacks U+{code:04X} `{shown}`, {why}");
        Error::new(ErrorKind::Transcoding, message)
    }

    /// Refuses a document that would be read in another charset.
    fn check(&self, settings: &Settings) -> Result<(), Error> {
        let is_whole = self.head.len() <= EXTENDED_HEAD;
        let default = settings.default_charset;
        let found = sniff(&self.head, is_whole, self.syntax, None, default);
        // Several charsets may have the same text for these bytes.
        let is_same = || found.charset.decode(&self.head) == self.charset.decode(&self.head);
        if found.charset == self.charset || is_whole && is_same() {
            return Ok(());
        }
        let (name, other) = (self.charset.name(), found.charset.name());
        let message = format!(
            "in {name} it would be read as {other}, because it declares no charset; UTF-8 is told without"
        );
        Err(Error::new(ErrorKind::Transcoding, message))
    }
}

impl Write for Encoder<'_> {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.text.extend_from_slice(text);
        if self.text.len() >= self.wanted {
            self.encode(false)?;
        }
        Ok(text.len())
    }

    /// The rest is written by [`Encoder::finish`].
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Text in a charset, without the characters that it lacks.
pub(super) fn encoded(text: &[u8], charset: Charset) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut text = std::str::from_utf8(text).unwrap_or_default();
    while let Err(at) = charset.encode(text, &mut bytes) {
        let _ = charset.encode(&text[..at], &mut bytes);
        let lacking = text[at..].chars().next().map_or(0, char::len_utf8);
        text = &text[at + lacking..];
    }
    bytes
}

/// How many bytes are whole characters.
fn whole_chars(text: &[u8]) -> usize {
    match std::str::from_utf8(text) {
        Ok(_) => text.len(),
        Err(error) => error.valid_up_to(),
    }
}

fn text_of(bytes: &[u8]) -> io::Result<&str> {
    std::str::from_utf8(bytes).map_err(|_| io::ErrorKind::InvalidData.into())
}
