//! Names of files in messages. A name may contain line ends, and control characters that a terminal would obey.

use std::borrow::Cow;
use std::path::Path;

/// Appends a path on one line and in one column: tabs, line ends, control characters and those that
/// reorder text (bidi controls) are escaped. So are backslashes where they do not separate directories, so that no two
/// names look the same. Linear.
///
/// ```
/// let mut line = Vec::new();
/// linkglot::driver::push_path(&mut line, "a\nb".as_ref());
/// assert_eq!(line, br"a\nb");
/// ```
pub fn push_path(out: &mut Vec<u8>, path: &Path) {
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        for ch in chunk.valid().chars() {
            push_name_char(out, ch);
        }
        out.extend_from_slice(chunk.invalid());
    }
}

fn push_name_char(out: &mut Vec<u8>, ch: char) {
    match ch {
        '\t' => out.extend_from_slice(b"\\t"),
        '\n' => out.extend_from_slice(b"\\n"),
        '\r' => out.extend_from_slice(b"\\r"),
        '\\' if !std::path::is_separator('\\') => out.extend_from_slice(b"\\\\"),
        _ if is_deceptive(ch) => out.extend_from_slice(ch.escape_unicode().to_string().as_bytes()),
        _ => out.extend_from_slice(ch.encode_utf8(&mut [0; 4]).as_bytes()),
    }
}

/// Whether a character changes how the text around it is displayed: control characters, line and paragraph separators,
/// and the controls of the bidirectional algorithm (UAX #9, 2).
pub fn is_deceptive(ch: char) -> bool {
    ch.is_control()
        || matches!(ch, '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{200E}' | '\u{200F}' | '\u{61C}')
}

/// A path in the text of a message. Bytes that are not Unicode become U+FFFD.
pub(super) fn display(path: impl AsRef<Path>) -> String {
    let mut line = Vec::new();
    push_path(&mut line, path.as_ref());
    String::from_utf8_lossy(&line).into_owned()
}

/// Escapes control characters as `\u{1b}`, except tabs and line ends. Bytes that are not UTF-8 stay. Linear.
///
/// ```
/// assert_eq!(*linkglot::driver::escape_controls(b"a\x1B[1m"), *b"a\\u{1b}[1m");
/// ```
pub fn escape_controls(text: &[u8]) -> Cow<'_, [u8]> {
    let mut out = Vec::new();
    let mut kept = 0;
    for (at, &byte) in text.iter().enumerate() {
        let (control, length) = match (byte, text.get(at + 1)) {
            (b'\n' | b'\r' | b'\t', _) => continue,
            (0..=0x1F | 0x7F, _) => (byte, 1),
            // Terminals obey U+0080 to U+009F too.
            (0xC2, Some(&second @ 0x80..=0x9F)) => (second, 2),
            _ => continue,
        };
        out.extend_from_slice(&text[kept..at]);
        out.extend_from_slice(format!("\\u{{{control:x}}}").as_bytes());
        kept = at + length;
    }
    if kept == 0 {
        return Cow::Borrowed(text);
    }
    out.extend_from_slice(&text[kept..]);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_in_their_row() {
        for (name, shown) in [
            ("a\nb\tc\r", r"a\nb\tc\r"),
            ("é\u{85}\u{9B}1m", r"é\u{85}\u{9b}1m"),
            ("\u{202E}gnp.exe", r"\u{202e}gnp.exe"),
            (
                "a\u{2067}\u{200F}\u{61C}\u{2028}b",
                r"a\u{2067}\u{200f}\u{61c}\u{2028}b",
            ),
            ("אב", "אב"),
        ] {
            assert_eq!(display(name), shown);
        }
    }
}
