//! Errors: a kind for programs, a message for people.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// An error of the library. The caller adds the path or the line.
///
/// ```
/// use linkglot::{Charset, Error, ErrorKind};
///
/// let error = Error::from(Charset::for_label("utff-8").unwrap_err());
/// assert_eq!(error.kind(), ErrorKind::UnknownCharset);
/// assert_eq!(error.to_string(), "unknown charset label `utff-8`; did you mean `utf-8`?");
/// ```
#[derive(Clone, Debug)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    source: Option<Arc<dyn std::error::Error + Send + Sync>>,
}

/// The kinds of [`Error`].
///
/// ```
/// use linkglot::ErrorKind;
/// use linkglot::rewrite::Rules;
///
/// let error = Rules::default().add("http://a.example/").unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::InvalidRule);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// An unknown charset label.
    UnknownCharset,
    /// A site-migration rule with a fault.
    InvalidRule,
    /// A vocabulary file with a fault.
    InvalidVocabulary,
    /// A document cannot be written in another charset.
    Transcoding,
    /// A container, such as a WARC file, has lengths or digests of its content, which a changed link would break.
    Container,
    /// The links of a document would be many times as long as the document itself: a long base, name or entity is
    /// repeated in each of them, or rules make them long.
    OverBudget,
    /// Reading or writing failed.
    Io,
    /// A fault of the program, shown by a panic. The document is unchanged.
    Internal,
}

impl Error {
    /// An error with a message: "expected ..., found ...", in lower case, without a full stop.
    ///
    /// ```
    /// use linkglot::{Error, ErrorKind};
    ///
    /// let error = Error::new(ErrorKind::Io, "expected a file, found a directory");
    /// assert_eq!(error.to_string(), "expected a file, found a directory");
    /// ```
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error {
            kind,
            message: message.into(),
            source: None,
        }
    }

    /// The same error with its cause.
    ///
    /// ```
    /// use linkglot::{Error, ErrorKind};
    /// use std::error::Error as _;
    ///
    /// let number = "x".parse::<u8>().unwrap_err();
    /// let error = Error::new(ErrorKind::Io, "expected a number, found `x`").with_source(number.clone());
    /// assert_eq!(error.source().unwrap().to_string(), number.to_string());
    /// ```
    #[must_use]
    pub fn with_source(self, source: impl std::error::Error + Send + Sync + 'static) -> Self {
        Error {
            source: Some(Arc::new(source)),
            ..self
        }
    }

    /// The kind of the error.
    ///
    /// ```
    /// use linkglot::{Error, ErrorKind};
    /// use std::io;
    ///
    /// assert_eq!(Error::from(io::Error::from(io::ErrorKind::NotFound)).kind(), ErrorKind::Io);
    /// ```
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}

/// Number of characters that messages quote of a rule or a value.
pub const QUOTED: usize = 200;

/// A text of at most `most` characters: the middle of a longer text is left out. Messages quote texts in this way,
/// since rules and values may have any length.
///
/// ```
/// use linkglot::error::shortened;
///
/// assert_eq!(shortened("http://a.example/", 20), "http://a.example/");
/// assert_eq!(shortened("http://a.example/b/c/d", 11), "http:…b/c/d");
/// ```
pub fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    // No text has more characters than bytes.
    if text.len() <= most || text.chars().nth(most).is_none() {
        return Cow::Borrowed(text);
    }
    let shown = most.saturating_sub(1);
    let (before, behind) = (shown / 2, shown - shown / 2);
    let begin = text.char_indices().nth(before);
    let end = text.char_indices().nth_back(behind.saturating_sub(1));
    let [begin, end] = [begin, end].map(|found| found.map_or(text.len(), |(at, _)| at));
    Cow::Owned([&text[..begin], "…", &text[end..]].concat())
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        // An own error, from an own reader or writer.
        if let Some(own) = error
            .get_ref()
            .and_then(|inner| inner.downcast_ref::<Error>())
        {
            return own.clone();
        }
        Error {
            kind: ErrorKind::Io,
            message: error.to_string(),
            source: Some(Arc::new(error)),
        }
    }
}

impl From<Error> for std::io::Error {
    fn from(error: Error) -> Self {
        std::io::Error::other(error)
    }
}

impl From<linkglot_charset::UnknownLabel> for Error {
    fn from(error: linkglot_charset::UnknownLabel) -> Self {
        Error::new(ErrorKind::UnknownCharset, error.to_string())
    }
}

impl From<linkglot_markup::InvalidVocabulary> for Error {
    fn from(error: linkglot_markup::InvalidVocabulary) -> Self {
        Error::new(ErrorKind::InvalidVocabulary, error.to_string())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_ref().map(|source| &**source as _)
    }
}
