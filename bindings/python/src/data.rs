//! Documents as Python gives them: bytes, whose positions are those of bytes, or text, whose positions count characters.

use crate::error::{Failure, wrong_type};
use crate::options::Options;
use linkglot::Document;
use linkglot::charset::{Charset, CharsetFrom, MappedText};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// Python's way to write any text in UTF-8, halves of surrogate pairs too. They are malformed UTF-8 and stay as they are.
const SURROGATES: (&str, &str) = ("utf-8", "surrogatepass");

/// Shorter documents are read before another thread of Python could begin.
const SHORT: usize = 4096;

/// A document.
pub struct Data<'py> {
    given: Bound<'py, PyAny>,
    kind: Kind<'py>,
}

enum Kind<'py> {
    Bytes(Bound<'py, PyBytes>),
    /// In UTF-8.
    Text(Bound<'py, PyString>),
    /// A text in UTF-8 that has halves of surrogate pairs.
    Halves(Bound<'py, PyBytes>),
    /// A text in the charset that it declares, whose octets count in queries.
    Encoded(Vec<u8>, Charset),
}

impl<'py> Data<'py> {
    /// The document, and the options with the charset that it is read in.
    pub fn new(given: &Bound<'py, PyAny>, options: Options) -> PyResult<(Self, Options)> {
        let (kind, options) = match given.cast::<PyBytes>() {
            Ok(bytes) => (Kind::Bytes(bytes.clone()), options),
            Err(_) => match given.cast::<PyString>() {
                Ok(text) => of_text(text, options)?,
                Err(_) => (Kind::Bytes(copied(given)?), options),
            },
        };
        let given = given.clone();
        Ok((Data { given, kind }, options))
    }

    pub fn bytes(&self) -> PyResult<&[u8]> {
        match &self.kind {
            Kind::Bytes(bytes) | Kind::Halves(bytes) => Ok(bytes.as_bytes()),
            Kind::Encoded(bytes, _) => Ok(bytes),
            Kind::Text(text) => Ok(text.to_str()?.as_bytes()),
        }
    }

    /// Runs `work` on the bytes, while other threads of Python go on.
    pub fn detached<T: Send>(
        &self,
        py: Python<'py>,
        work: impl FnOnce(&[u8]) -> T + Send,
    ) -> PyResult<T> {
        let bytes = self.bytes()?;
        Ok(match bytes.len() < SHORT {
            true => work(bytes),
            false => py.detach(|| work(bytes)),
        })
    }

    /// From bytes to positions of the document.
    pub fn positions(&self) -> PyResult<Positions<'_>> {
        let positions = |text| Positions {
            text,
            at: 0,
            chars: 0,
        };
        Ok(positions(match &self.kind {
            Kind::Bytes(_) => Text::None,
            Kind::Text(_) | Kind::Halves(_) => Text::Utf8(self.bytes()?),
            Kind::Encoded(bytes, charset) => Text::Mapped(charset.decode_mapped(bytes)),
        }))
    }

    /// The document with other bytes: bytes, or a text.
    pub fn rebuilt(&self, bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
        let py = self.given.py();
        Ok(match &self.kind {
            Kind::Bytes(_) => PyBytes::new(py, bytes).into_any(),
            Kind::Encoded(_, charset) => PyString::new(py, &charset.decode(bytes)).into_any(),
            Kind::Text(_) | Kind::Halves(_) => match std::str::from_utf8(bytes) {
                Ok(text) => PyString::new(py, text).into_any(),
                Err(_) => PyBytes::new(py, bytes).call_method1("decode", SURROGATES)?,
            },
        })
    }

    /// What was given.
    pub fn given(&self) -> Bound<'py, PyAny> {
        self.given.clone()
    }

    pub fn is_text(&self) -> bool {
        !matches!(self.kind, Kind::Bytes(_))
    }
}

/// The bytes of a bytearray, a memoryview, an array.
fn copied<'py>(given: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    let py = given.py();
    let has_buffer = py
        .import("builtins")?
        .getattr("memoryview")?
        .call1((given,));
    match has_buffer {
        Ok(view) => Ok(view.call_method0("tobytes")?.cast_into::<PyBytes>()?),
        Err(_) => Err(wrong_type("data", "bytes or str", given)),
    }
}

/// A text is read in the charset that it declares, if all its characters are in that, and in UTF-8 otherwise.
fn of_text<'py>(text: &Bound<'py, PyString>, options: Options) -> PyResult<(Kind<'py>, Options)> {
    let Ok(utf8) = text.to_str() else {
        let bytes = text.call_method1("encode", SURROGATES)?;
        let bytes = bytes.cast_into::<PyBytes>()?;
        return Ok((Kind::Halves(bytes), in_utf8(&options)));
    };
    let asked = options.settings.charset;
    if utf8.is_ascii() && asked.is_none_or(Charset::is_ascii_compatible) {
        return Ok((Kind::Text(text.clone()), options));
    }
    let info = Document::new(utf8.as_bytes(), &in_utf8_by_default(&options).settings);
    let info = info.info();
    if info.format.is_mail() {
        let message = "expected a message in bytes, found a str with characters beyond ASCII: its parts have charsets of their own";
        return Err(Failure::new("mail-in-text", message).into());
    }
    if let (Some(failure), None) = (Failure::of_charset(info), asked) {
        return Err(failure.into());
    }
    let declared = (info.charset_from == CharsetFrom::Declaration).then_some(info.charset);
    let legacy = asked.or(declared).filter(|charset| !charset.is_unicode());
    let Some(charset) = legacy else {
        return Ok((Kind::Text(text.clone()), in_utf8(&options)));
    };
    let mut bytes = Vec::with_capacity(utf8.len());
    let encoded = charset.encode(utf8, &mut bytes);
    if encoded.is_ok() && charset.decode(&bytes) == utf8 {
        let options = options.with(|settings| settings.charset = Some(charset));
        return Ok((Kind::Encoded(bytes, charset), options));
    }
    if asked.is_some() {
        let at = encoded.err().map(|at| utf8[..at].chars().count());
        let message = format!("the text has characters that are not in {}", charset.name());
        let failure = Failure::new("charset", message);
        return Err(Failure { at, ..failure }.into());
    }
    Ok((Kind::Text(text.clone()), in_utf8(&options)))
}

fn in_utf8(options: &Options) -> Options {
    options.with(|settings| settings.charset = Some(Charset::UTF_8))
}

/// Texts that declare nothing are never in windows-1252.
fn in_utf8_by_default(options: &Options) -> Options {
    options.with(|settings| {
        settings.charset = None;
        settings.default_charset = Some(Charset::UTF_8);
    })
}

/// From bytes of a document to its positions.
pub struct Positions<'d> {
    text: Text<'d>,
    /// The last byte of the text that was asked for, and the characters before it.
    at: usize,
    chars: usize,
}

enum Text<'d> {
    /// Positions are bytes.
    None,
    Utf8(&'d [u8]),
    Mapped(MappedText<'d>),
}

impl Positions<'_> {
    /// The position of a byte. O(distance to the last one), or O(byte) if it stands before that.
    pub fn of(&mut self, byte: usize) -> usize {
        let (text, at) = match &self.text {
            Text::None => return byte,
            Text::Utf8(text) => (*text, byte.min(text.len())),
            Text::Mapped(mapped) => (mapped.text().as_bytes(), mapped.text_at(byte)),
        };
        if at < self.at {
            (self.at, self.chars) = (0, 0);
        }
        let between = &text[self.at..at];
        self.chars += between.iter().filter(|&&byte| byte & 0xC0 != 0x80).count();
        self.at = at;
        self.chars
    }
}
