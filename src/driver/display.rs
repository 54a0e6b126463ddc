//! Names of files in messages. A name may contain line ends, and control characters that a terminal would obey.

use std::borrow::Cow;
use std::path::Path;

/// Appends a path on one line and in one column: tabs, line ends and control characters are escaped. So are backslashes
/// where they do not separate directories, so that no two names look the same. Linear.
///
/// ```
/// let mut line = Vec::new();
/// linkglot::driver::push_path(&mut line, "a\nb".as_ref());
/// assert_eq!(line, br"a\nb");
/// ```
pub fn push_path(out: &mut Vec<u8>, path: &Path) {
    let mut name = Vec::new();
    for &byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'\t' => name.extend_from_slice(b"\\t"),
            b'\n' => name.extend_from_slice(b"\\n"),
            b'\r' => name.extend_from_slice(b"\\r"),
            b'\\' if !std::path::is_separator('\\') => name.extend_from_slice(b"\\\\"),
            _ => name.push(byte),
        }
    }
    out.extend_from_slice(&escape_controls(&name));
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
