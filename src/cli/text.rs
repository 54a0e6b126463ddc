//! Identifiers, one a line or one an argument.

use super::Failure;
use linkglot::charset::Charset;
use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, Read};

/// An identifier as it was given.
pub struct Input {
    /// Its text; malformed sequences are U+FFFD.
    pub text: String,
    /// The byte at which it is not in its charset.
    pub malformed: Option<usize>,
    /// Its number, from 1, when it is a line of standard input.
    pub line: Option<u64>,
}

impl Input {
    /// An argument: UTF-8 as a rule, else in `charset`.
    pub fn argument(argument: &OsStr, charset: Option<Charset>) -> Self {
        if let Some(text) = argument.to_str() {
            return Input {
                text: text.to_owned(),
                malformed: None,
                line: None,
            };
        }
        let charset = charset.unwrap_or(Charset::UTF_8);
        Input::decoded(argument.as_encoded_bytes(), charset, None)
    }

    fn decoded(bytes: &[u8], charset: Charset, line: Option<u64>) -> Self {
        let text = charset.decode(bytes).into_owned();
        Input {
            malformed: malformed(bytes, &text, charset),
            text,
            line,
        }
    }
}

/// Where the bytes are not in their charset, if anywhere.
fn malformed(bytes: &[u8], text: &str, charset: Charset) -> Option<usize> {
    let at = text.find(char::REPLACEMENT_CHARACTER)?;
    // The character itself may stand in a document.
    let mut again = Vec::new();
    if charset.encode(text, &mut again).is_ok() && again == bytes {
        return None;
    }
    let mut before = Vec::new();
    let _ = charset.encode(text.get(..at)?, &mut before);
    Some(before.len())
}

/// Hands every line of standard input to `each`, which says whether to go on. `idle` is called
/// whenever more input must be waited for, and says so, too.
pub fn lines(
    charset: Charset,
    idle: &mut dyn FnMut() -> bool,
    each: &mut dyn FnMut(Input) -> bool,
) -> Result<(), Failure> {
    let failed = |error: io::Error| Failure::new(format!("-: {error}"));
    let mut stdin = BufReader::new(io::stdin().lock());
    if !charset.is_ascii_compatible() {
        // Such a charset has no byte that ends lines: it is read whole.
        let mut bytes = Vec::new();
        stdin.read_to_end(&mut bytes).map_err(failed)?;
        whole(&bytes, charset, each);
        return Ok(());
    }
    let mut number = 0;
    loop {
        if !stdin.buffer().contains(&b'\n') && !idle() {
            return Ok(());
        }
        let mut line = Vec::new();
        if stdin.read_until(b'\n', &mut line).map_err(failed)? == 0 {
            return Ok(());
        }
        number += 1;
        let line = line.strip_suffix(b"\n").unwrap_or(&line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let bom: &[u8] = if number == 1 && charset == Charset::UTF_8 {
            b"\xEF\xBB\xBF"
        } else {
            b""
        };
        let line = line.strip_prefix(bom).unwrap_or(line);
        if !each(Input::decoded(line, charset, Some(number))) {
            return Ok(());
        }
    }
}

fn whole(bytes: &[u8], charset: Charset, each: &mut dyn FnMut(Input) -> bool) {
    let text = charset.decode(bytes);
    let broken = malformed(bytes, &text, charset).is_some();
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(&text);
    for (number, line) in text.lines().enumerate() {
        let malformed = line.find(char::REPLACEMENT_CHARACTER).filter(|_| broken);
        let input = Input {
            text: line.to_owned(),
            malformed,
            line: Some(number as u64 + 1),
        };
        if !each(input) {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn malformed_bytes_are_found() {
        let input = |bytes: &[u8], charset| Input::decoded(bytes, charset, None).malformed;
        assert_eq!(input(b"a\xC3\xA9", Charset::UTF_8), None);
        assert_eq!(input(b"a\xC3", Charset::UTF_8), Some(1));
        assert_eq!(input("a\u{FFFD}".as_bytes(), Charset::UTF_8), None);
        let sjis = Charset::for_label("shift_jis").unwrap();
        assert_eq!(input(b"\x83\x41\x83", sjis), Some(2));
    }
}
