//! Writes the text of a document in a charset.

use crate::charset::{
    Charset, DeclarationSyntax, EXTENDED_HEAD, FalseDeclarations, KnownBytes, declarations, sniff,
};
use crate::error::{Error, ErrorKind};
use crate::format::Format;
use crate::link::{Info, Locator, Settings};
use crate::markup::{ReferencePlace, ReferencePlaces, Window, declaration_place};
use std::io::{self, Write};
use std::ops::Range;

/// The number of bytes of text that are collected before the next part is encoded.
const CHUNK: usize = 64 << 10;

/// Encodes a document from UTF-8: changes its declarations, and writes characters that the charset lacks as character
/// references where references are read.
pub(super) struct Encoder {
    /// The encoded bytes that were not taken yet.
    pub bytes: Vec<u8>,
    charset: Charset,
    syntax: DeclarationSyntax,
    /// The places of references; `None` if the format has no character references, or if none are needed.
    places: Option<ReferencePlaces>,
    /// The part for text between places of references, and for all text of a document without such places.
    between: TextKind,
    /// The bytes beyond ASCII that can be written.
    known: KnownBytes,
    /// True for HTML, where references to U+0080 to U+009F mean other characters (13.2.5.80).
    is_html: bool,
    /// Text that is not encoded yet.
    text: Vec<u8>,
    /// True if the declarations were written.
    is_declared: bool,
    /// True if the document declares the charset.
    has_label: bool,
    /// True if a declaration changed.
    is_changed: bool,
    /// Length of the text at the next try.
    wanted: usize,
    /// The start of the output.
    head: Vec<u8>,
    /// The start of `text` in the document.
    origin: u64,
    locator: Locator,
    /// The declarations for other readers; `None` for charsets that begin with a mark.
    others: Option<FalseDeclarations>,
}

impl Encoder {
    /// Encodes a document that had another charset.
    pub fn new(info: &Info, charset: Charset) -> Self {
        Encoder {
            bytes: Vec::new(),
            charset,
            syntax: info.declaration,
            places: match info.format {
                Format::Html => Some(ReferencePlaces::of_html()),
                Format::Xml => Some(ReferencePlaces::of_xml(info.is_hypertext)),
                _ => None,
            }
            .filter(|_| !charset.is_unicode()),
            between: match info.format {
                Format::Html | Format::Xml | Format::Css => TextKind::Markup,
                _ => TextKind::Plain,
            },
            known: info.known_in(charset),
            is_html: info.format == Format::Html || info.is_hypertext,
            text: Vec::new(),
            is_declared: false,
            has_label: false,
            is_changed: false,
            wanted: Info::HEAD,
            head: Vec::new(),
            origin: 0,
            locator: Locator::new(Charset::UTF_8, 0),
            others: (!charset.has_mark()).then(|| FalseDeclarations::new(charset)),
        }
    }

    /// Encodes the rest; returns whether a declaration changed.
    ///
    /// # Errors
    ///
    /// A character that cannot be written; a document that would be read in another charset.
    pub fn finish(&mut self, settings: &Settings) -> Result<bool, Error> {
        self.encode(true)?;
        if let Some((line, label)) = self.others.take().and_then(FalseDeclarations::end) {
            return Err(self.contradicted(line, &label));
        }
        self.check(settings)?;
        Ok(self.is_changed)
    }

    /// Changes the declarations in the text at hand, which is the start of the document or all of it.
    fn declare(&mut self, is_whole: bool) -> io::Result<()> {
        self.is_declared = true;
        if self.charset.has_mark() {
            let mark = encoded("\u{FEFF}".as_bytes(), self.charset);
            self.put(&mark)?;
        }
        let is_ascii = is_whole && self.text.is_ascii();
        let head = text_of(&self.text[..whole_chars(&self.text)])?;
        let place = match self.syntax {
            DeclarationSyntax::Html => declaration_place(head.as_bytes()),
            _ => None,
        };
        let edits = declarations(head, is_ascii, (self.syntax, place), self.charset);
        let edits = edits.map_err(|label| self.unnamed(&label))?;
        self.has_label = !edits.is_empty();
        for (range, new) in edits.into_iter().rev() {
            self.is_changed |= self.text[range.clone()] != *new.as_bytes();
            self.text.splice(range, new.into_bytes());
        }
        Ok(())
    }

    /// Encodes the text at hand, or the part in which the places of references are known.
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
            // In charsets with shift states each line starts in the initial state.
            None => memchr::memrchr(b'\n', &text[..end]).map_or(end, |at| at + 1),
        };
        let window = text_of(&text[..end])?;
        if let Some(others) = &mut self.others {
            others.read(&window[..cursor]);
        }
        let mut at = 0;
        for ReferencePlace { range, is_value } in places {
            self.put_text(window, at..range.start, self.between)?;
            let part = if is_value {
                TextKind::Value
            } else {
                TextKind::Text
            };
            at = range.end;
            self.put_text(window, range, part)?;
        }
        self.put_text(window, at..cursor, self.between)?;
        self.locator
            .advance(&text, self.origin, self.origin + cursor as u64);
        self.origin += cursor as u64;
        text.drain(..cursor);
        // The undecided text is read again when it is twice as long.
        self.wanted = 2 * text.len() + CHUNK;
        self.text = text;
        Ok(())
    }

    /// Writes a part of the window. Characters that the charset lacks become references where references are read.
    fn put_text(&mut self, window: &str, range: Range<usize>, part: TextKind) -> io::Result<()> {
        let text = &window[range.clone()];
        let mut bytes = Vec::with_capacity(text.len());
        let mut code = None;
        let mut at = 0;
        while let Some(lacking) = self.encode_to_lacking(&text[at..], part, &mut bytes) {
            let lacking = at + lacking;
            let ch = text[lacking..].chars().next().unwrap_or_default();
            // References to controls mean other characters in HTML.
            let has_reference = part.has_references() && !(self.is_html && ch.is_control());
            let code = code.get_or_insert_with(|| code_ranges(text));
            let is_code = holds(code, lacking);
            if !has_reference || is_code {
                let at = range.start + lacking;
                return Err(self.lacks(window, at, is_code).into());
            }
            let reference = format!("&#x{:X};", u32::from(ch));
            bytes.extend(encoded(reference.as_bytes(), self.charset));
            at = lacking + ch.len_utf8();
        }
        self.put(&bytes)
    }

    /// Appends text up to the first character that cannot be written unchanged in this part; returns its position.
    fn encode_to_lacking(&self, text: &str, part: TextKind, bytes: &mut Vec<u8>) -> Option<usize> {
        let taken_apart = match part {
            TextKind::Text | TextKind::Plain => None,
            TextKind::Value | TextKind::Markup => text.find(|ch| self.charset.decomposes(ch)),
        };
        let end = taken_apart.unwrap_or(text.len());
        let is_beyond = |ch| !self.known.can_write(self.charset, ch);
        let beyond = match self.known {
            KnownBytes::ALL => None,
            _ => text[..end].find(is_beyond),
        };
        let whole = &text[..beyond.unwrap_or(end)];
        match self.charset.encode(whole, bytes) {
            Ok(()) => beyond.or(taken_apart),
            Err(at) => {
                bytes.extend(encoded(&text.as_bytes()[..at], self.charset));
                Some(at)
            }
        }
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        // One byte more shows that the document goes on.
        let room = EXTENDED_HEAD + 1 - self.head.len();
        self.head.extend_from_slice(&bytes[..bytes.len().min(room)]);
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    fn lacks(&mut self, window: &str, at: usize, is_code: bool) -> Error {
        let ch = window[at..].chars().next().unwrap_or_default();
        let (name, code) = (self.charset.name(), u32::from(ch));
        self.locator
            .advance(window.as_bytes(), self.origin, self.origin + at as u64);
        // The column is the one behind a new declaration, which may stand in this line.
        let line = self.locator.location().line;
        let why = match self.places {
            _ if is_code => "in the code of a template",
            Some(_) => "where no character reference can stand for it",
            None => "and the format has no character references",
        };
        let excerpt = excerpt(window, at);
        let message = format!("line {line}: {name} lacks U+{code:04X}, {why}: `{excerpt}`");
        Error::new(ErrorKind::Transcoding, message)
    }

    /// The error for a declaration whose reader has no name for the charset.
    fn unnamed(&self, label: &str) -> Error {
        let name = self.charset.name();
        let message = format!(
            "in {name} the document would be read in another charset: the reader of the declaration `{label}` has no name for it"
        );
        Error::new(ErrorKind::Transcoding, message)
    }

    /// The error for a declaration that would stay, and be false.
    fn contradicted(&self, line: u64, label: &str) -> Error {
        let name = self.charset.name();
        let message = format!(
            "line {line}: in {name} the document would be read in another charset by programs for which it declares `{label}`"
        );
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
        let why = if self.has_label || self.charset.has_mark() {
            "documents of this format cannot be in it"
        } else {
            "nothing in the document declares it"
        };
        let message = format!("in {name} the document would be read as {other}: {why}");
        Err(Error::new(ErrorKind::Transcoding, message))
    }
}

/// A part of a document, by the text that can be written in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TextKind {
    /// Text with character references.
    Text,
    /// A value with character references; each of its characters counts.
    Value,
    /// Names, scripts, style sheets and comments, in which each character counts.
    Markup,
    /// Running text without character references.
    Plain,
}

impl TextKind {
    fn has_references(self) -> bool {
        matches!(self, TextKind::Text | TextKind::Value)
    }
}

/// The code of servers and templates in a text.
fn code_ranges(text: &str) -> Vec<Range<usize>> {
    const MARKS: [(&str, &str); 7] = [
        ("<%", "%>"),
        ("<?", "?>"),
        ("{{", "}}"),
        ("{%", "%}"),
        ("${", "}"),
        ("#{", "}"),
        ("[%", "%]"),
    ];
    let (mut ranges, mut at) = (Vec::new(), 0);
    while let Some(found) = text[at..].find(['<', '{', '$', '#', '[']) {
        at += found;
        let marks = MARKS
            .iter()
            .find(|(begin, _)| text[at..].starts_with(begin));
        let Some((_, end)) = marks else {
            at += 1;
            continue;
        };
        let end = text[at..].find(end).map_or(text.len(), |len| at + len);
        ranges.push(at..end);
        at = end;
    }
    ranges
}

/// True if one of the ranges, which are in order, holds a position.
fn holds(ranges: &[Range<usize>], at: usize) -> bool {
    let next = ranges.partition_point(|range| range.end <= at);
    ranges.get(next).is_some_and(|range| range.start <= at)
}

/// Some characters around a place, of the same line.
fn excerpt(text: &str, at: usize) -> String {
    const AROUND: usize = 16;
    let is_end = |ch: &char| matches!(ch, '\n' | '\r');
    let before = text[..at].chars().rev().take_while(|ch| !is_end(ch));
    let begin = at - before.take(AROUND).map(char::len_utf8).sum::<usize>();
    let shown = text[begin..].chars().take_while(|ch| !is_end(ch));
    let plain = shown.map(|ch| if ch.is_control() { ' ' } else { ch });
    plain.take(2 * AROUND).collect::<String>().trim().to_owned()
}

impl Write for Encoder {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.text.extend_from_slice(text);
        if self.text.len() >= self.wanted {
            self.encode(false)?;
        }
        Ok(text.len())
    }

    /// Does nothing: [`Encoder::finish`] writes the rest.
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

/// The number of bytes of whole characters.
pub(super) fn whole_chars(text: &[u8]) -> usize {
    match std::str::from_utf8(text) {
        Ok(_) => text.len(),
        Err(error) => error.valid_up_to(),
    }
}

fn text_of(bytes: &[u8]) -> io::Result<&str> {
    std::str::from_utf8(bytes).map_err(|_| io::ErrorKind::InvalidData.into())
}
