//! gettext's files of messages between their strings.
//!
//! Strings in a row are one (`msgid "a" "b"`), and so are those of entries in comments (`#~`).

use super::literal::{End, Literal};
use super::{CodeTokenizer, LONGEST_WORD, Mark};
use crate::escape::Escapes;
use crate::slot::Window;
use crate::text_stretch::End as TextEnd;

/// The entry around the cursor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Entry {
    /// True behind the keyword of a string that programs look up.
    is_key: bool,
    flag: Flag,
    /// True behind a translation: a comment or another keyword begins the next entry.
    is_translated: bool,
}

/// The use of strings as formats of a function like `printf`, as flags say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Flag {
    #[default]
    Unknown,
    /// `no-c-format`
    Text,
    /// `c-format`
    Format,
}

/// The longest line of flags that is read.
const LONGEST_FLAGS: usize = 256;

impl CodeTokenizer {
    /// The mark at a position. With `keys` the strings that programs look up are read like translations.
    pub(super) fn gettext(&mut self, keys: bool, window: Window<'_>, at: usize) -> Mark {
        let rest = &window.bytes[at..];
        let is_cut = |longest: usize| rest.len() < longest && !window.last;
        match rest[0] {
            b' ' | b'\t' | b'\r' | b'\n' => Mark::Pass(at + 1),
            b'#' if is_cut(3) => Mark::More(at),
            b'#' if rest.starts_with(b"#~|") => Mark::Pass(at + 3),
            // An entry that is not used any more, and the string that was translated before.
            b'#' if matches!(rest.get(1), Some(b'~' | b'|')) => Mark::Pass(at + 2),
            b'#' => {
                let end = memchr::memchr(b'\n', &rest[..rest.len().min(LONGEST_FLAGS)]);
                if rest.get(1) == Some(&b',') {
                    if end.is_none() && is_cut(LONGEST_FLAGS) {
                        return Mark::More(at);
                    }
                    self.begin_entry();
                    let flag = flag(&rest[2..end.unwrap_or(2)]);
                    if self.entry.flag == Flag::Unknown || flag == Flag::Format {
                        self.entry.flag = flag;
                    }
                }
                Mark::Text(TextEnd::LineComment, at + 1)
            }
            b'"' => {
                let escapes = match self.entry.flag {
                    _ if self.entry.is_key && !keys => Escapes::GettextKey,
                    Flag::Format => Escapes::GettextFormat,
                    Flag::Text => Escapes::GettextText,
                    Flag::Unknown => Escapes::Gettext,
                };
                Mark::Literal(Literal::new(escapes, End::Joined(b'"')), at + 1)
            }
            b'm' | b'd' => {
                let length = rest.iter().position(|byte| !is_word(*byte));
                if length.is_none() && is_cut(LONGEST_WORD) {
                    return Mark::More(at);
                }
                let word = &rest[..length.unwrap_or(rest.len())];
                match word {
                    b"msgid" | b"msgctxt" | b"domain" => {
                        self.begin_entry();
                        self.entry.is_key = true;
                    }
                    b"msgid_plural" => self.entry.is_key = true,
                    _ if word.starts_with(b"msgstr") => {
                        (self.entry.is_key, self.entry.is_translated) = (false, true);
                    }
                    _ => return Mark::Malformed,
                }
                Mark::Pass(at + word.len())
            }
            _ => Mark::Malformed,
        }
    }

    fn begin_entry(&mut self) {
        if self.entry.is_translated {
            self.entry = Entry::default();
        }
    }
}

/// True for a byte of a keyword: also those of `msgstr[0]`.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'[' | b']')
}

/// The flag in a line of flags that tells most.
fn flag(flags: &[u8]) -> Flag {
    let flags = flags.split(|byte| *byte == b',').map(<[u8]>::trim_ascii);
    let formats = flags.filter(|flag| flag.ends_with(b"-format"));
    formats.fold(Flag::Unknown, |known, flag| match known {
        Flag::Unknown | Flag::Text if flag.starts_with(b"no-") => Flag::Text,
        _ => Flag::Format,
    })
}
