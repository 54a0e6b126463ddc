//! The error for vocabulary files.

use std::fmt;

/// The error for an invalid row of a vocabulary file. The message names the row, the expectation and the finding.
///
/// ```
/// use linkglot_markup::Vocabulary;
///
/// let error = Vocabulary::default().extended("a\thref\tdouble\trewrite").unwrap_err();
/// assert!(error.to_string().contains("double"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidVocabulary {
    message: String,
}

impl InvalidVocabulary {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        InvalidVocabulary {
            message: message.into(),
        }
    }
}

impl fmt::Display for InvalidVocabulary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for InvalidVocabulary {}
