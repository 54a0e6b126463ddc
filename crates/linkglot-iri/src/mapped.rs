//! The result of a mapping.

use crate::coded::coded;
use crate::notes::Notes;
use crate::parse::ParseError;
use std::borrow::Cow;
use std::fmt;

/// A mapped identifier.
///
/// ```
/// use linkglot_iri::ToUri;
/// use linkglot_iri::notes::Note;
///
/// let mapped = ToUri::default().map("/e\u{301}").unwrap();
/// assert_eq!(mapped.text, "/e%CC%81");
/// assert!(mapped.notes.contains(Note::NotNfc));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapped<'i> {
    /// The new form; borrowed when it equals the old one.
    pub text: Cow<'i, str>,
    /// Notes for the user.
    pub notes: Notes,
}

impl<'i> Mapped<'i> {
    /// The new form of `old`, borrowed if both are the same.
    pub(crate) fn new(old: &'i str, new: String, notes: Notes) -> Self {
        let text = if new == old {
            Cow::Borrowed(old)
        } else {
            Cow::Owned(new)
        };
        Mapped { text, notes }
    }

    pub(crate) fn unchanged(text: &'i str, notes: Notes) -> Self {
        Mapped {
            text: Cow::Borrowed(text),
            notes,
        }
    }
}

/// The error when an identifier cannot be mapped.
///
/// ```
/// use linkglot_iri::{MapErrorKind, ToUri};
///
/// let error = ToUri::default().map("/é|").unwrap_err();
/// assert_eq!((error.at, error.kind), (3, MapErrorKind::DisallowedAscii));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapError {
    /// Position in the identifier, in bytes.
    pub at: usize,
    /// The kind of error.
    pub kind: MapErrorKind,
}

coded! {
    /// The kinds of [`MapError`].
    ///
    /// ```
    /// use linkglot_iri::{MapErrorKind, ToUri};
    ///
    /// let kind = |iri: &str| ToUri::default().map(iri).unwrap_err().kind;
    /// assert_eq!(kind("http://é_.example/"), MapErrorKind::ToAscii);
    /// assert_eq!(kind("/\u{FDD0}").code(), "disallowed-char");
    /// ```
    pub enum MapErrorKind {
        /// An ASCII character that no IRI may have.
        DisallowedAscii = "disallowed-ascii", "expected a character of an IRI, found an ASCII character that no IRI may have";
        /// A character beyond ASCII that no IRI may have.
        DisallowedCharacter = "disallowed-char", "expected a character of an IRI, found a character beyond ASCII that no IRI may have";
        /// The host has no ASCII form.
        ToAscii = "toascii", "expected a domain name, found a host that has no ASCII form";
        /// The query's charset lacks the character.
        Unencodable = "unencodable", "expected a character of the document's charset, found another one in the query";
    }
}

impl fmt::Display for MapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, at byte {}", self.kind.words(), self.at)
    }
}

impl std::error::Error for MapError {}

/// The error of [`ToUri::map_valid`](crate::ToUri::map_valid).
///
/// ```
/// use linkglot_iri::{InvalidOrUnmappable, ToUri};
///
/// let error = ToUri::default().map_valid("http://é_.example/").unwrap_err();
/// assert!(matches!(error, InvalidOrUnmappable::Unmappable(_)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidOrUnmappable {
    /// The text is no IRI reference.
    Invalid(ParseError),
    /// The text is an IRI reference that has no URI.
    Unmappable(MapError),
}

impl From<ParseError> for InvalidOrUnmappable {
    fn from(error: ParseError) -> Self {
        InvalidOrUnmappable::Invalid(error)
    }
}

impl From<MapError> for InvalidOrUnmappable {
    fn from(error: MapError) -> Self {
        InvalidOrUnmappable::Unmappable(error)
    }
}

impl fmt::Display for InvalidOrUnmappable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InvalidOrUnmappable::Invalid(error) => error.fmt(f),
            InvalidOrUnmappable::Unmappable(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for InvalidOrUnmappable {}
