//! An identifier given to `convert` or `explain`.

use super::args::IriArgs;
use super::mapper::ConversionError;
use super::output::push_one_line;
use linkglot::Charset;
use linkglot::notes::{Note, Notes};
use linkglot_iri::bidi::unwrapped;
use std::ffi::OsStr;

/// An identifier as given.
pub struct Input {
    /// Its text; malformed sequences are U+FFFD.
    pub text: String,
    /// The first byte that is malformed in the charset.
    pub malformed: Option<usize>,
    /// The line number from 1, if the identifier comes from standard input.
    pub line: Option<u64>,
    /// Notes of the preprocessing.
    pub notes: Notes,
}

impl Input {
    /// Reads an argument, which is in UTF-8 or else in `charset`.
    pub fn from_argument(argument: &OsStr, charset: Charset) -> Self {
        match argument.to_str() {
            Some(text) => Input {
                text: text.to_owned(),
                malformed: None,
                line: None,
                notes: Notes::NONE,
            },
            None => Input::decode(argument.as_encoded_bytes(), charset, None),
        }
    }

    pub fn decode(bytes: &[u8], charset: Charset, line: Option<u64>) -> Self {
        let text = charset.decode(bytes).into_owned();
        Input {
            malformed: malformed(bytes, &text, charset),
            text,
            line,
            notes: Notes::NONE,
        }
    }

    /// The identifier in the text, without the bidi formatting characters around it (RFC 3987 4.1), and its first byte.
    pub fn identifier(&self) -> (usize, &str, Notes) {
        let identifier = unwrapped(&self.text);
        let start = self.text.find(identifier).unwrap_or_default();
        let mut notes = self.notes;
        if identifier.len() < self.text.len() {
            notes.insert(Note::BidiControlsDropped);
        }
        (start, identifier, notes)
    }

    /// The name of the input in messages: its line, or the input itself.
    pub fn name(&self) -> String {
        match self.line {
            Some(line) => format!("-:{line}"),
            None => {
                let mut name = Vec::new();
                push_one_line(&mut name, self.text.as_bytes());
                String::from_utf8_lossy(&name).into_owned()
            }
        }
    }

    /// The error, if the input is malformed in its charset.
    pub fn decoding_error(&self, args: &IriArgs) -> Option<ConversionError> {
        Some(ConversionError::malformed(self.malformed?, charset(args)))
    }
}

/// The charset of the identifiers.
pub fn charset(args: &IriArgs) -> Charset {
    args.charset.unwrap_or(Charset::UTF_8)
}

/// The first byte that is malformed in the charset.
pub fn malformed(bytes: &[u8], text: &str, charset: Charset) -> Option<usize> {
    let at = text.find(char::REPLACEMENT_CHARACTER)?;
    // The input itself may contain U+FFFD.
    let mut again = Vec::new();
    if charset.encode(text, &mut again).is_ok() && again == bytes {
        return None;
    }
    let mut before = Vec::new();
    let _ = charset.encode(text.get(..at)?, &mut before);
    Some(before.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn malformed_bytes_are_located() {
        let malformed = |bytes: &[u8], charset| Input::decode(bytes, charset, None).malformed;
        assert_eq!(malformed(b"a\xC3\xA9", Charset::UTF_8), None);
        assert_eq!(malformed(b"a\xC3", Charset::UTF_8), Some(1));
        assert_eq!(malformed("a\u{FFFD}".as_bytes(), Charset::UTF_8), None);
        let sjis = Charset::for_label("shift_jis").unwrap();
        assert_eq!(malformed(b"\x83\x41\x83", sjis), Some(2));
    }
}
