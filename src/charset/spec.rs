//! What a charset is made of. A charset is added by a file with a [`Spec`] and a line in [`all`].

use super::MappedText;
use super::units::Units;
use super::writings::Writings;
use super::{iso2022jp, multi, replacement, single_list, utf8, utf16, utf32};
use std::borrow::Cow;

/// A charset: its names and its two directions.
pub(super) struct Spec {
    /// The canonical name.
    pub name: &'static str,
    /// Every label, lower case.
    pub labels: &'static [&'static str],
    /// Whether it is an encoding form of Unicode.
    pub unicode: bool,
    /// How bytes become text and text bytes.
    pub codec: &'static dyn Codec,
}

/// Both directions of a charset. The methods' contracts are those of [`super::Charset`].
pub(super) trait Codec: Sync {
    /// The decoder, if bytes of the class [`crate::ascii::is_safe`] do not mean themselves
    /// everywhere.
    fn units(&self) -> Option<&dyn Units> {
        None
    }
    fn decode<'b>(&self, bytes: &'b [u8]) -> Cow<'b, str>;
    fn decode_mapped<'b>(&self, bytes: &'b [u8]) -> MappedText<'b>;
    fn can_encode(&self, ch: char) -> bool;
    fn encode(&self, text: &str, out: &mut Vec<u8>) -> Result<(), usize>;
    /// See [`super::Charset::writings`].
    fn add_writings(&self, writings: &mut Writings) {
        writings.add_encoded(|text, out| self.encode(text, out));
    }
    /// The length of the first sequence of non-empty bytes, well-formed or not, where ASCII bytes
    /// may be trails.
    fn sequence(&self, _: &[u8]) -> Option<usize> {
        None
    }
    /// See [`super::Charset::pair`].
    fn pair(&self, _: [u8; 2]) -> Option<char> {
        None
    }
    /// See [`super::Charset::letter`].
    fn letter(&self, _: &[u8]) -> Option<(char, usize)> {
        None
    }
    fn is_char_at(&self, window: &[u8], at: usize) -> bool;
    fn resync(&self, window: &[u8], at: usize) -> usize;
}

/// Every charset.
pub(super) fn all() -> impl Iterator<Item = &'static Spec> {
    [&utf8::UTF_8, &utf16::UTF_16LE, &utf16::UTF_16BE]
        .into_iter()
        .chain([&utf32::UTF_32LE, &utf32::UTF_32BE])
        .chain([&iso2022jp::ISO_2022_JP, &replacement::REPLACEMENT])
        .chain(single_list::ALL)
        .chain(multi::ALL)
}
