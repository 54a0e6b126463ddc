//! Searches in text with backslash escapes.

/// The position of the first unescaped byte from `from` on that is wanted (ASCII).
pub(super) fn find_unescaped(
    text: &str,
    from: usize,
    is_wanted: impl Fn(u8) -> bool,
) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = from;
    while let Some(&byte) = bytes.get(at) {
        if byte == b'\\' && bytes.get(at + 1).is_some_and(u8::is_ascii_punctuation) {
            at += 2;
        } else if is_wanted(byte) {
            return Some(at);
        } else {
            at += 1;
        }
    }
    None
}
