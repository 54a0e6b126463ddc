//! Names of files as people are shown them: a name may have line ends in it, and controls that a terminal would obey.

use std::borrow::Cow;
use std::path::Path;

/// Appends a path that stays on its line and in its column: tabs, line ends and controls are shown, and so are backslashes
/// where they part no directories, so that what is shown is of one name only. Linear.
///
/// ```
/// let mut line = Vec::new();
/// linkglot::driver::path_on_one_line(&mut line, "a\nb".as_ref());
/// assert_eq!(line, br"a\nb");
/// ```
pub fn path_on_one_line(out: &mut Vec<u8>, path: &Path) {
    let mut shown = Vec::new();
    for &byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'\t' => shown.extend_from_slice(b"\\t"),
            b'\n' => shown.extend_from_slice(b"\\n"),
            b'\r' => shown.extend_from_slice(b"\\r"),
            b'\\' if !std::path::is_separator('\\') => shown.extend_from_slice(b"\\\\"),
            _ => shown.push(byte),
        }
    }
    out.extend_from_slice(&escaped(&shown));
}

/// The same for the text of a message: what is no Unicode in it is U+FFFD.
pub(super) fn shown(path: impl AsRef<Path>) -> String {
    let mut line = Vec::new();
    path_on_one_line(&mut line, path.as_ref());
    String::from_utf8_lossy(&line).into_owned()
}

/// Text in which control characters stand as `\u{1b}`; tabs and line ends stay. Bytes that are no UTF-8 stay, too. Linear.
///
/// ```
/// assert_eq!(*linkglot::driver::escaped(b"a\x1B[1m"), *b"a\\u{1b}[1m");
/// ```
pub fn escaped(text: &[u8]) -> Cow<'_, [u8]> {
    let mut out = Vec::new();
    let mut kept = 0;
    for (at, &byte) in text.iter().enumerate() {
        let (control, length) = match (byte, text.get(at + 1)) {
            (b'\n' | b'\r' | b'\t', _) => continue,
            (0..=0x1F | 0x7F, _) => (byte, 1),
            // U+0080 to U+009F, which terminals obey, too.
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
