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

    /// The bytes beyond ASCII that the charset of a label has where a reader of XML takes the label as it stands.
    /// Browsers read `iso-8859-1` as windows-1252, which has 27 characters more.
    ///
    /// ```
    /// use linkglot_charset::{Charset, KnownBytes};
    ///
    /// let can_write = |label, ch| KnownBytes::of_label(label).can_write(Charset::WINDOWS_1252, ch);
    /// assert!(can_write("ISO-8859-1", '\u{e9}') && !can_write("ISO-8859-1", '\u{20ac}'));
    /// assert!(!can_write("us-ascii", '\u{e9}') && can_write("windows-1252", '\u{20ac}'));
    /// ```
    pub fn of_label(label: &str) -> Self {
        const CONTROLS: u128 = (1 << 0x20) - 1;
        let label = label.to_ascii_lowercase().replace('_', "-");
        match label.as_str() {
            "us-ascii" | "ascii" | "ansi-x3.4-1968" | "iso-646" => KnownBytes(0),
            "gb2312" | "gb-2312-80" | "euc-cn" | "iso-8859-1" | "latin1" | "l1" | "iso-8859-9"
            | "latin5" | "l5" | "iso-8859-11" | "tis-620" => KnownBytes(!CONTROLS),
            _ => KnownBytes::ALL,
        }
    }

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
