//! Errors as JavaScript sees them.

use linkglot::link::Info;
use linkglot::{Error, ErrorKind};
use serde_json::{Value, json};

/// A failure with its stable code.
pub(crate) struct Failure {
    kind: &'static str,
    message: String,
}

impl Failure {
    pub(crate) fn option(name: &str, message: impl std::fmt::Display) -> Self {
        Failure {
            kind: "option",
            message: format!("{name}: {message}"),
        }
    }

    /// The failure of an option of a wrong type, which is a `TypeError`.
    pub(crate) fn wrong_type(name: &str, message: impl std::fmt::Display) -> Self {
        Failure {
            kind: "type",
            ..Failure::option(name, message)
        }
    }

    /// The failure of a document that this module cannot read.
    pub(crate) fn document(path: &str, kind: &'static str, message: &str) -> Self {
        Failure {
            kind,
            message: format!("{path}: {message}"),
        }
    }

    /// The failure of a rewrite without any of these options.
    pub(crate) fn no_change(options: &[&str]) -> Self {
        Failure {
            kind: "option",
            message: format!("expected what to change: one of {}", options.join(", ")),
        }
    }

    /// The failure of a document in a charset that nobody knows.
    pub(crate) fn of_charset(info: &Info) -> Option<Self> {
        let unknown = info.unknown_charset.as_ref()?;
        Some(Failure {
            kind: "unknown-charset",
            message: format!("line {}: {}", unknown.line, unknown.error()),
        })
    }

    pub(crate) fn object(&self) -> Value {
        json!({ "error": self.message, "kind": self.kind })
    }
}

impl From<&Error> for Failure {
    fn from(error: &Error) -> Self {
        let kind = match error.kind() {
            ErrorKind::UnknownCharset => "unknown-charset",
            ErrorKind::InvalidRule => "invalid-rule",
            ErrorKind::InvalidVocabulary => "invalid-vocabulary",
            ErrorKind::Transcoding => "transcoding",
            ErrorKind::Container => "container",
            ErrorKind::OverBudget => "over-budget",
            ErrorKind::Internal => "internal",
            _ => "other",
        };
        Failure {
            kind,
            message: error.to_string(),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::from(&error)
    }
}
