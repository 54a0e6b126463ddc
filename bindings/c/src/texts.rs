//! The texts of an object, one behind the other in a single piece of memory, each with a NUL at its end.

use std::ffi::c_char;
use std::ptr;

/// A text among [`Texts`].
#[derive(Clone, Copy, Debug)]
pub struct Text {
    at: usize,
    len: usize,
}

#[derive(Debug, Default)]
pub struct Texts {
    bytes: Vec<u8>,
    /// The names so far: most rows have the same few.
    names: Vec<(&'static str, Text)>,
}

impl Texts {
    pub const NONE: Texts = Texts {
        bytes: Vec::new(),
        names: Vec::new(),
    };

    pub fn add(&mut self, text: &str) -> Text {
        let at = self.bytes.len();
        self.bytes.reserve(text.len() + 1);
        self.bytes.extend_from_slice(text.as_bytes());
        self.bytes.push(0);
        Text {
            at,
            len: text.len(),
        }
    }

    /// A text in ASCII lower case.
    pub fn add_lowercase(&mut self, text: &str) -> Text {
        let text = self.add(text);
        self.bytes[text.at..][..text.len].make_ascii_lowercase();
        text
    }

    /// A name of the library, kept once.
    pub fn name(&mut self, name: &'static str) -> Text {
        let known = self.names.iter().find(|(known, _)| ptr::eq(*known, name));
        if let Some((_, text)) = known {
            return *text;
        }
        let text = self.add(name);
        self.names.push((name, text));
        text
    }

    pub fn pointer(&self, text: Option<Text>) -> *const c_char {
        text.map_or(ptr::null(), |text| self.bytes[text.at..].as_ptr().cast())
    }
}

/// The length of a text; 0 for none.
pub fn len(text: Option<Text>) -> usize {
    text.map_or(0, |text| text.len)
}
