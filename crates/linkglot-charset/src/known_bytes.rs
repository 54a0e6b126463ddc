//! The bytes beyond ASCII that a detected charset rests on.

use crate::charset::Charset;

/// The bytes beyond ASCII whose characters are known: all bytes if the charset is declared or given, those in the
/// document if the charset was detected. Charsets that read the bytes of the document alike may differ in others.
///
/// ```
/// use linkglot_charset::{DeclarationSyntax, sniff};
///
/// let text = b"\xCA\xED\xE8\xE3\xE8 \xE8 \xE6\xF3\xF0\xED\xE0\xEB\xFB: \xEE \xED\xE8\xF5 \xE2 \xE1\xE8\xE1\xEB\xE8\xEE\xF2\xE5\xEA\xE5";
/// let found = sniff(text, true, DeclarationSyntax::Nowhere, None, None);
/// assert_eq!(found.charset.name(), "windows-1251");
/// // Mac Cyrillic has the same small letters and other capitals.
/// assert!(found.known.can_write(found.charset, '\u{43d}'));
/// assert!(!found.known.can_write(found.charset, '\u{416}'));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownBytes(u128);

impl KnownBytes {
    /// All bytes.
    ///
    /// ```
    /// use linkglot_charset::{Charset, KnownBytes};
    ///
    /// assert!(KnownBytes::ALL.can_write(Charset::WINDOWS_1252, '\u{e9}'));
    /// ```
    pub const ALL: KnownBytes = KnownBytes(u128::MAX);

    /// The bytes that occur in a document.
    #[cfg(feature = "detect")]
    pub(crate) fn of(seen: &[u8]) -> Self {
        let bits = seen.iter().filter(|byte| !byte.is_ascii());
        KnownBytes(bits.fold(0, |bits, byte| bits | 1 << (byte & 0x7F)))
    }

    /// True if the bytes of a character in a charset are known. Cost: that of encoding the character, unless all bytes
    /// are known.
    ///
    /// ```
    /// use linkglot_charset::{Charset, KnownBytes};
    ///
    /// assert!(!KnownBytes::ALL.can_write(Charset::WINDOWS_1252, '\u{416}'));
    /// ```
    pub fn can_write(self, charset: Charset, ch: char) -> bool {
        if self == KnownBytes::ALL || ch.is_ascii() {
            return charset.can_encode(ch);
        }
        let mut bytes = Vec::new();
        let is_written = charset
            .encode(ch.encode_utf8(&mut [0; 4]), &mut bytes)
            .is_ok();
        is_written
            && bytes
                .iter()
                .all(|byte| byte.is_ascii() || self.0 >> (byte & 0x7F) & 1 == 1)
    }
}
