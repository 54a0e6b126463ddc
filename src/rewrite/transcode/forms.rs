//! Forms of a document that gets another charset: browsers shall still send them in the old charset.
//!
//! Browsers send a form in the charset of its document, unless `accept-charset` names a known charset (HTML standard
//! 4.10.21.5); Chromium skips unknown labels.

use super::encoder::{Encoder, whole_chars};
use crate::charset::{Charset, DeclarationSyntax, declarations, form_charset};
use crate::error::{Error, ErrorKind};
use crate::format::Format;
use crate::link::Info;
use crate::markup::{Form, FormPlaces, Window, declaration_place};
use std::io::{self, Write};

/// The number of bytes of text that are collected before the next part is read.
const CHUNK: usize = 64 << 10;

/// Passes on the text of a document, with the old charset in the tags of its forms.
pub(super) struct FormWriter {
    pub encoder: Encoder,
    /// The charset that forms name; `None` if forms need no change.
    old: Option<Charset>,
    to: Charset,
    syntax: DeclarationSyntax,
    places: Places,
    text: Vec<u8>,
    has_begun: bool,
    /// Length of the text for the next try.
    wanted: usize,
    /// The line ends that were passed on.
    lines: usize,
    is_changed: bool,
}

/// Finder of forms.
enum Places {
    Html(FormPlaces),
    /// In XHTML a form without `accept-charset` is an error.
    Xhtml,
}

impl FormWriter {
    /// Passes on a document that gets the charset `to`.
    pub fn new(info: &Info, to: Charset) -> Self {
        let is_page = info.format == Format::Html || info.is_hypertext;
        let old = form_charset(info.charset.name()).filter(|_| is_page);
        FormWriter {
            encoder: Encoder::new(info, to),
            old: old.filter(|old| form_charset(to.name()) != Some(*old)),
            to,
            syntax: info.format.declaration(),
            places: match info.format {
                Format::Html => Places::Html(FormPlaces::default()),
                _ => Places::Xhtml,
            },
            text: Vec::new(),
            has_begun: false,
            wanted: Info::HEAD,
            lines: 0,
            is_changed: false,
        }
    }

    /// Passes on the rest; returns whether a form changed.
    ///
    /// # Errors
    ///
    /// Errors for a form in which the old charset cannot be named.
    pub fn finish(&mut self) -> io::Result<bool> {
        self.pass(true)?;
        Ok(self.is_changed)
    }

    /// Passes on the text at hand, up to forms that are still open.
    fn pass(&mut self, last: bool) -> io::Result<()> {
        if !std::mem::replace(&mut self.has_begun, true) && last && self.stays_undeclared() {
            self.old = None;
        }
        let text = std::mem::take(&mut self.text);
        let whole = if last { text.len() } else { whole_chars(&text) };
        let window = Window {
            bytes: &text[..whole],
            last,
            charset: Charset::UTF_8,
        };
        let (mut cursor, mut forms) = (0, Vec::new());
        match (self.old, &mut self.places) {
            (None, _) => cursor = whole,
            (_, Places::Html(places)) => places.read(window, &mut cursor, &mut forms),
            (_, Places::Xhtml) => xhtml_forms(window, &mut cursor, &mut forms),
        }
        let end = if last { text.len() } else { cursor };
        self.put(&text[..end], forms)?;
        self.text = text[end..].to_owned();
        // The undecided text is read again when it is twice as long.
        self.wanted = 2 * self.text.len() + CHUNK;
        Ok(())
    }

    /// True if the document, all of which is at hand, declares no charset before or after: then its forms need no
    /// change.
    fn stays_undeclared(&self) -> bool {
        let head = std::str::from_utf8(&self.text).unwrap_or_default();
        let place = declaration_place(head.as_bytes());
        self.text.is_ascii()
            && !self.to.has_mark()
            && declarations(head, true, (self.syntax, place), self.to)
                .is_ok_and(|edits| edits.is_empty())
    }

    fn put(&mut self, text: &[u8], forms: Vec<Form>) -> io::Result<()> {
        let mut at = 0;
        for form in forms {
            let Some(old) = self.old.filter(|_| !names_charset(text, &form)) else {
                continue;
            };
            if !form.is_clear {
                let lines = memchr::memchr_iter(b'\n', &text[..form.name_end]).count();
                return Err(self.unclear(self.lines + lines, old).into());
            }
            let name = old.name();
            let (range, new) = match form.accept_charset {
                Some(value) if !value.is_empty() => (value, name.to_owned()),
                _ => (
                    form.name_end..form.name_end,
                    format!(" accept-charset=\"{name}\""),
                ),
            };
            self.encoder.write_all(&text[at..range.start])?;
            self.encoder.write_all(new.as_bytes())?;
            self.is_changed = true;
            at = range.end;
        }
        self.lines += memchr::memchr_iter(b'\n', text).count();
        self.encoder.write_all(&text[at..])
    }

    /// The error for a form in which the old charset cannot be named.
    fn unclear(&self, lines: usize, old: Charset) -> Error {
        let (line, old, new) = (lines + 1, old.name(), self.to.name());
        let why = match self.places {
            Places::Html(_) => "code of a template may give it an accept-charset",
            Places::Xhtml => "in XHTML no attribute is added",
        };
        let message = format!(
            "line {line}: a form would be sent in {new}, not in {old}: {why}; `accept-charset=\"{old}\"` in its tag settles it"
        );
        Error::new(ErrorKind::Transcoding, message)
    }
}

/// True if a form names a charset that browsers know, or may name one by code of a template.
fn names_charset(text: &[u8], form: &Form) -> bool {
    let value = form
        .accept_charset
        .clone()
        .and_then(|range| text.get(range));
    let Some(value) = value.and_then(|value| std::str::from_utf8(value).ok()) else {
        return false;
    };
    let mut labels = value.split([' ', ',', '\t', '\n', '\r', '\u{C}']);
    value.contains(['<', '{', '$']) || labels.any(|label| form_charset(label).is_some())
}

/// Finds the forms of XHTML; forms in comments and CDATA sections count, too. A form without `accept-charset` is
/// unclear.
fn xhtml_forms(window: Window<'_>, cursor: &mut usize, forms: &mut Vec<Form>) {
    /// The greatest length of a tag.
    const LONGEST: usize = 64 << 10;
    let bytes = window.bytes;
    while let Some(at) = memchr::memchr(b'<', &bytes[*cursor..]) {
        let start = *cursor + at;
        let end = memchr::memchr(b'>', &bytes[start..]).map(|length| start + length);
        if end.is_none() && !window.last && bytes.len() - start < LONGEST {
            *cursor = start;
            return;
        }
        let tag = &bytes[start..end.unwrap_or(bytes.len())];
        let name_end = tag
            .iter()
            .position(|byte| byte.is_ascii_whitespace() || *byte == b'/');
        let name = &tag[1..name_end.unwrap_or(tag.len()).max(1)];
        if name.rsplit(|byte| *byte == b':').next() == Some(b"form") {
            let has_attribute = memchr::memmem::find(tag, b"accept-charset").is_some();
            if !has_attribute {
                forms.push(Form {
                    name_end: start + 1 + name.len(),
                    accept_charset: None,
                    is_clear: false,
                });
            }
        }
        *cursor = start + 1;
    }
    *cursor = bytes.len();
}

impl Write for FormWriter {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.text.extend_from_slice(text);
        if self.text.len() >= self.wanted {
            self.pass(false)?;
        }
        Ok(text.len())
    }

    /// Does nothing: [`FormWriter::finish`] passes on the rest.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
