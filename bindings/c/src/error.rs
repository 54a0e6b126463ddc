//! Errors as C sees them.

use linkglot::link::Info;
use linkglot::{Error, ErrorKind};
use std::ffi::{CStr, c_char};
use std::ptr;

/// An error. Its texts live as long as the object that was asked for it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lg_error {
    /// A stable code; NULL if there is no error. `argument`: a wrong argument or option; `unknown-charset`: the
    /// document declares a charset that nobody knows; `over-budget`: the links are many times as long as the document;
    /// `container`: an archive, compressed data, or another file that holds documents; `invalid-rule`, `transcoding`;
    /// `not-mappable`: the identifier has no such form; `internal`: a fault of linkglot, please report it.
    pub kind: *const c_char,
    /// The message, in UTF-8; NULL if there is no error.
    pub message: *const c_char,
    /// The length of the message in bytes.
    pub message_len: usize,
}

/// A failure, kept until C asks for it.
#[derive(Clone, Debug)]
pub struct Failure {
    kind: &'static CStr,
    /// With a NUL at the end.
    message: String,
}

impl Failure {
    pub fn new(kind: &'static CStr, message: impl Into<String>) -> Self {
        let message = message.into() + "\0";
        Failure { kind, message }
    }

    pub fn argument(message: impl Into<String>) -> Self {
        Failure::new(c"argument", message)
    }

    /// The failure of a document in a charset that nobody knows.
    pub fn of_charset(info: &Info) -> Option<Self> {
        let unknown = info.unknown_charset.as_ref()?;
        let message = format!("line {}: {}", unknown.line, unknown.error());
        Some(Failure::new(c"unknown-charset", message))
    }

    pub fn internal() -> Self {
        Failure::new(
            c"internal",
            "internal error: please report it with this input",
        )
    }

    fn view(&self) -> lg_error {
        lg_error {
            kind: self.kind.as_ptr(),
            message: self.message.as_ptr().cast(),
            message_len: self.message.len() - 1,
        }
    }
}

impl From<&Error> for Failure {
    fn from(error: &Error) -> Self {
        let kind = match error.kind() {
            ErrorKind::UnknownCharset => c"unknown-charset",
            ErrorKind::InvalidRule => c"invalid-rule",
            ErrorKind::Transcoding => c"transcoding",
            ErrorKind::Container => c"container",
            ErrorKind::OverBudget => c"over-budget",
            ErrorKind::Internal => c"internal",
            _ => c"other",
        };
        Failure::new(kind, error.to_string())
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::from(&error)
    }
}

/// The error of an object, or no error.
pub fn view(failure: Option<&Failure>) -> lg_error {
    let none = lg_error {
        kind: ptr::null(),
        message: ptr::null(),
        message_len: 0,
    };
    failure.map_or(none, Failure::view)
}
