//! Documents given by Python: bytes, with positions in bytes, or text, with positions in characters.

use crate::error::{Failure, wrong_type};
use crate::options::Options;
use crate::value::path_text;
use linkglot::Document;
use linkglot_charset::{Charset, CharsetFrom, MappedText};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use std::borrow::Cow;

/// Python's encoding for any text in UTF-8, including lone surrogates. Lone surrogates are malformed UTF-8 and stay as
/// they are.
const SURROGATES: (&str, &str) = ("utf-8", "surrogatepass");

/// Length below which a document is read before another thread of Python could begin.
const SHORT: usize = 4096;

/// A document.
pub struct Data<'py> {
    given: Bound<'py, PyAny>,
    bytes: Bytes<'py>,
    encoding: Encoding,
}

enum Bytes<'py> {
    Given(Bound<'py, PyBytes>),
    OfText(Bound<'py, PyString>),
    /// The encoding of a text with lone surrogates.
    OfHalves(Bound<'py, PyBytes>),
}

/// The relation between the given object and the bytes of the document.
pub enum Encoding {
    /// The bytes were given.
    None,
    /// A text, encoded in UTF-8.
    Utf8,
    /// A text, encoded in the charset that it declares: queries are sent as octets of that charset.
    Legacy(Vec<u8>, Charset),
}

impl Encoding {
    /// Converts offsets of bytes to positions in the given object.
    pub fn positions<'d>(&self, bytes: &'d [u8]) -> Positions<'d> {
        let text = match self {
            Encoding::None => Text::None,
            Encoding::Utf8 => Text::Utf8(bytes),
            Encoding::Legacy(_, charset) => Text::Mapped(charset.decode_mapped(bytes)),
        };
        Positions {
            text,
            at: 0,
            chars: 0,
        }
    }

    /// The bytes of a text converted to UTF-8; other bytes unchanged.
    pub fn decoded<'b>(&self, bytes: &'b [u8]) -> Cow<'b, [u8]> {
        match self {
            Encoding::None | Encoding::Utf8 => Cow::Borrowed(bytes),
            Encoding::Legacy(_, charset) => match charset.decode(bytes) {
                Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
                Cow::Owned(text) => Cow::Owned(text.into_bytes()),
            },
        }
    }
}

impl<'py> Data<'py> {
    /// As [`new`](Self::new), or the bytes of a file: its name tells the format.
    pub fn open(given: &Bound<'py, PyAny>, options: Options) -> PyResult<(Self, Options)> {
        if !given.hasattr("__fspath__")? {
            return Data::new(given, options);
        }
        let file = given
            .py()
            .import("io")?
            .call_method1("open", (given, "rb"))?;
        let bytes = file.call_method0("read");
        file.call_method0("close")?;
        let name = path_text("data", given)?;
        let options = match options.settings.name {
            Some(_) => options,
            None => options.with(|settings| settings.name = Some(name.clone())),
        };
        Data::new(&bytes?, options)
    }

    /// The document, and the options with the charset of its bytes.
    pub fn new(given: &Bound<'py, PyAny>, options: Options) -> PyResult<(Self, Options)> {
        let (bytes, encoding, options) = if let Ok(bytes) = given.cast::<PyBytes>() {
            (Bytes::Given(bytes.clone()), Encoding::None, options)
        } else if let Ok(text) = given.cast::<PyString>() {
            of_text(text, options)?
        } else {
            (Bytes::Given(copied(given)?), Encoding::None, options)
        };
        let given = given.clone();
        let data = Data {
            given,
            bytes,
            encoding,
        };
        Ok((data, options))
    }

    fn bytes(&self) -> PyResult<&[u8]> {
        if let Encoding::Legacy(bytes, _) = &self.encoding {
            return Ok(bytes);
        }
        match &self.bytes {
            Bytes::Given(bytes) | Bytes::OfHalves(bytes) => Ok(bytes.as_bytes()),
            Bytes::OfText(text) => Ok(text.to_str()?.as_bytes()),
        }
    }

    /// Runs `work` on the bytes, while other threads of Python keep running.
    pub fn detached<T: Send>(
        &self,
        py: Python<'py>,
        work: impl FnOnce(&[u8]) -> T + Send,
    ) -> PyResult<T> {
        let bytes = self.bytes()?;
        Ok(if bytes.len() < SHORT {
            work(bytes)
        } else {
            py.detach(|| work(bytes))
        })
    }

    /// Converts offsets of bytes to positions of the document.
    pub fn positions(&self) -> PyResult<Positions<'_>> {
        Ok(self.encoding.positions(self.bytes()?))
    }

    /// Converts new bytes of the document to the type of the given object.
    pub fn rebuilt(&self, bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
        let py = self.given.py();
        if !self.is_text() {
            return Ok(PyBytes::new(py, bytes).into_any());
        }
        let bytes = self.encoding.decoded(bytes);
        match std::str::from_utf8(&bytes) {
            Ok(text) => Ok(PyString::new(py, text).into_any()),
            Err(_) => PyBytes::new(py, &bytes).call_method1("decode", SURROGATES),
        }
    }

    /// The given object.
    pub fn given(&self) -> Bound<'py, PyAny> {
        self.given.clone()
    }

    pub fn is_text(&self) -> bool {
        !matches!(self.bytes, Bytes::Given(_))
    }
}

/// The bytes of a bytearray, a memoryview or an array.
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

fn of_text<'py>(
    text: &Bound<'py, PyString>,
    options: Options,
) -> PyResult<(Bytes<'py>, Encoding, Options)> {
    let Ok(utf8) = text.to_str() else {
        let bytes = text.call_method1("encode", SURROGATES)?;
        let bytes = Bytes::OfHalves(bytes.cast_into()?);
        return Ok((bytes, Encoding::Utf8, in_utf8(&options)));
    };
    let (encoding, options) = encoding_of(utf8, options)?;
    Ok((Bytes::OfText(text.clone()), encoding, options))
}

/// A text is read in the charset that it declares, if the charset has all its characters, and otherwise in UTF-8.
pub fn encoding_of(text: &str, options: Options) -> Result<(Encoding, Options), Failure> {
    let asked = options.settings.charset;
    if text.is_ascii() && asked.is_none_or(Charset::is_ascii_compatible) {
        return Ok((Encoding::Utf8, of_ascii(text, options)));
    }
    let document = Document::new(text.as_bytes(), &in_utf8_by_default(&options).settings);
    let info = document.info();
    if info.format.is_mail() {
        let message = "expected a message in bytes, found a str with characters beyond ASCII: parts of a message have their own charsets";
        return Err(Failure::new("mail-in-text", message));
    }
    if let (Some(failure), None) = (Failure::of_charset(info), asked) {
        return Err(failure);
    }
    let declared = (info.charset_from == CharsetFrom::Declaration).then_some(info.charset);
    let legacy = asked.or(declared).filter(|charset| !charset.is_unicode());
    let Some(charset) = legacy else {
        return Ok((Encoding::Utf8, in_utf8(&options)));
    };
    let mut bytes = Vec::with_capacity(text.len());
    let encoded = charset.encode(text, &mut bytes);
    if encoded.is_ok() && charset.decode(&bytes) == text {
        let options = options.with(|settings| settings.charset = Some(charset));
        return Ok((Encoding::Legacy(bytes, charset), options));
    }
    if asked.is_some() {
        let at = encoded.err().map(|at| text[..at].chars().count());
        let message = format!("the text has characters that are not in {}", charset.name());
        let failure = Failure::new("charset", message);
        return Err(Failure { at, ..failure });
    }
    Ok((Encoding::Utf8, in_utf8(&options)))
}

/// Makes UTF-8 certain for an ASCII text without a declaration: the text can take any new letter.
fn of_ascii(text: &str, options: Options) -> Options {
    if options.settings.charset.is_some() {
        return options;
    }
    let document = Document::new(text.as_bytes(), &in_utf8_by_default(&options).settings);
    let info = document.info();
    let is_declared = info.charset_from == CharsetFrom::Declaration;
    if is_declared || info.format.is_mail() || info.unknown_charset.is_some() {
        options
    } else {
        in_utf8(&options)
    }
}

fn in_utf8(options: &Options) -> Options {
    options.with(|settings| settings.charset = Some(Charset::UTF_8))
}

/// Sets UTF-8 as default charset: texts without a declaration are never in windows-1252.
fn in_utf8_by_default(options: &Options) -> Options {
    options.with(|settings| {
        settings.charset = None;
        settings.default_charset = Some(Charset::UTF_8);
    })
}

/// Converts offsets of bytes to positions of the document.
pub struct Positions<'d> {
    text: Text<'d>,
    /// The last byte asked for, and the number of characters before it.
    at: usize,
    chars: usize,
}

enum Text<'d> {
    /// Positions count bytes.
    None,
    Utf8(&'d [u8]),
    Mapped(MappedText<'d>),
}

impl Positions<'_> {
    /// The position of a byte. O(distance to the last one), or O(byte) if it lies before the last one.
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
