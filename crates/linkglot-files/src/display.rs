//! Names of files in messages, and text on terminals: control characters that a terminal would obey, and characters
//! that hide or reorder the text around them.

use std::borrow::Cow;
use std::path::Path;

/// Appends a path on one line and in one column: tabs, line ends, control characters and characters that reorder or
/// hide text ([`is_deceptive`]) are escaped. Backslashes that do not separate directories are escaped too, so that no
/// two names look the same. Linear.
///
/// ```
/// let mut line = Vec::new();
/// linkglot_files::push_path(&mut line, "a\nb".as_ref());
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

/// True if a character changes how the text around it is displayed, or is not displayed itself: control characters,
/// line and paragraph separators, annotation characters, and what Unicode calls Default_Ignorable_Code_Point (UAX
/// #44), such as the controls of the bidirectional algorithm, U+200B, U+FEFF, tags and most variation selectors,
/// which can spell text that nobody sees. Joiners (U+200C, U+200D) and the two selectors of emoji (U+FE0E, U+FE0F)
/// are parts of words and pictures.
///
/// ```
/// use linkglot_files::is_deceptive;
///
/// assert!("\u{1B}\u{202E}\u{200B}\u{FEFF}\u{E0100}".chars().all(is_deceptive));
/// assert!(!"é\u{200D}\u{FE0F}".contains(is_deceptive));
/// ```
pub fn is_deceptive(ch: char) -> bool {
    match ch {
        ' '..='~' => false,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' => {
            true
        }
        '\u{180B}'..='\u{180F}'
        | '\u{200B}'
        | '\u{200E}'
        | '\u{200F}'
        | '\u{2028}'..='\u{202E}' => true,
        '\u{2060}'..='\u{206F}'
        | '\u{3164}'
        | '\u{FE00}'..='\u{FE0D}'
        | '\u{FEFF}'
        | '\u{FFA0}' => true,
        '\u{FFF0}'..='\u{FFFB}' | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}' => true,
        '\u{E0000}'..='\u{E0FFF}' => true,
        _ => ch.is_control(),
    }
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
/// assert_eq!(*linkglot_files::escape_controls(b"a\x1B[1m"), *b"a\\u{1b}[1m");
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

/// Escapes characters that a terminal would obey, and characters that would reorder or hide text there
/// ([`is_deceptive`]), as `\u{202e}`, except tabs and line ends. Bytes that are not UTF-8 stay. Linear.
///
/// ```
/// let text = "a\u{202E}b\u{E0041}\u{1B}[1m\n";
/// let shown = linkglot_files::escape_deceptive(text.as_bytes());
/// assert_eq!(*shown, *b"a\\u{202e}b\\u{e0041}\\u{1b}[1m\n");
/// ```
pub fn escape_deceptive(text: &[u8]) -> Cow<'_, [u8]> {
    let is_escaped = |ch: &char| is_deceptive(*ch) && !matches!(ch, '\n' | '\r' | '\t');
    let mut chunks = text.utf8_chunks();
    if !chunks.any(|chunk| chunk.valid().chars().any(|ch| is_escaped(&ch))) {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len() + 16);
    for chunk in text.utf8_chunks() {
        for ch in chunk.valid().chars() {
            if is_escaped(&ch) {
                out.extend_from_slice(ch.escape_unicode().to_string().as_bytes())
            } else {
                out.extend_from_slice(ch.encode_utf8(&mut [0; 4]).as_bytes())
            }
        }
        out.extend_from_slice(chunk.invalid());
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_on_a_terminal() {
        for (text, shown) in [
            ("a\tb\r\n", "a\tb\r\n"),
            ("\u{1B}]0;x\u{7}\u{9B}1m", r"\u{1b}]0;x\u{7}\u{9b}1m"),
            ("if x { \u{202E}y\u{2066}", r"if x { \u{202e}y\u{2066}"),
            ("a\u{E0001}\u{E0061}b", r"a\u{e0001}\u{e0061}b"),
            (
                "\u{206A}\u{200E}\u{61C}\u{2028}",
                r"\u{206a}\u{200e}\u{61c}\u{2028}",
            ),
            // Joiners and selectors are part of words and pictures.
            (
                "\u{0646}\u{200C}\u{1F469}\u{200D}\u{1F467}\u{FE0F}",
                "\u{0646}\u{200C}\u{1F469}\u{200D}\u{1F467}\u{FE0F}",
            ),
            (
                "\u{FEFF}a\u{200B}b\u{AD}\u{3164}",
                r"\u{feff}a\u{200b}b\u{ad}\u{3164}",
            ),
            ("a\u{FE00}\u{E0100}", r"a\u{fe00}\u{e0100}"),
            ("שלום", "שלום"),
        ] {
            assert_eq!(
                *escape_deceptive(text.as_bytes()),
                *shown.as_bytes(),
                "{text:?}"
            );
        }
        assert_eq!(*escape_deceptive(b"\xE9\x1B\xE9"), *b"\xE9\\u{1b}\xE9");
    }

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
            ("a\u{E0041}", r"a\u{e0041}"),
            ("אב", "אב"),
        ] {
            assert_eq!(display(name), shown);
        }
    }
}
