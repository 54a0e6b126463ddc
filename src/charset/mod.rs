//! Charsets: which one a document is in, and how its bytes become text and text its bytes.
//!
//! It must not know what a link or a tag is.

mod cursor;
mod iso2022jp;
mod label;
mod mail;
mod mapped;
mod multi;
mod prescan;
mod replacement;
mod single;
mod single_list;
mod sniff;
mod spec;
mod units;
mod utf16;
mod utf32;
mod utf8;
mod view;
mod whatwg;
mod writings;

#[cfg(test)]
mod tests;

pub use cursor::CharCursor;
pub(crate) use mail::MailCharsets;
pub use mapped::MappedText;
pub(crate) use sniff::wants_more;
pub use sniff::{FAR, HEAD, Sniffed, sniff};
pub use view::{Transcoder, ViewMap};
pub(crate) use whatwg::QueryEncoder;
pub(crate) use writings::Writings;

use crate::error::Error;
use spec::Spec;
use std::borrow::Cow;
use std::hash::{Hash, Hasher};
use units::Seam;

/// A charset. Cheap to copy and compare.
///
/// All of the WHATWG Encoding Standard and UTF-32. A charset is data and functions: another one is
/// a file in this folder and a line in `spec::all`.
///
/// ```
/// use linkglot::charset::Charset;
///
/// let charset = Charset::for_label(" Shift-JIS ")?;
/// assert_eq!(charset.name(), "Shift_JIS");
/// assert_eq!(charset.decode(b"\x83\x8A"), "リ");
/// assert!(charset.can_encode('リ') && !charset.can_encode('é'));
/// # Ok::<(), linkglot::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Charset(&'static Spec);

/// The shift state of a charset that has such states (ISO-2022-JP) between two characters. The
/// default is that of a document's begin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Shift(units::State);

/// How the charset of a document became known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CharsetFrom {
    /// A byte order mark.
    Bom,
    /// The caller said so.
    Caller,
    /// The document declares it (meta, XML declaration, @charset).
    Declaration,
    /// Guessed from the bytes (also: valid UTF-8).
    Detection,
    /// Nothing else decided.
    Default,
}

impl Charset {
    /// UTF-8.
    pub const UTF_8: Charset = Charset(&utf8::UTF_8);
    /// UTF-16, the low byte first.
    pub const UTF_16LE: Charset = Charset(&utf16::UTF_16LE);
    /// UTF-16, the high byte first.
    pub const UTF_16BE: Charset = Charset(&utf16::UTF_16BE);
    /// UTF-32, the low byte first.
    pub const UTF_32LE: Charset = Charset(&utf32::UTF_32LE);
    /// UTF-32, the high byte first.
    pub const UTF_32BE: Charset = Charset(&utf32::UTF_32BE);
    /// windows-1252, which the Web calls Latin 1.
    pub const WINDOWS_1252: Charset = Charset(&single_list::WINDOWS_1252);

    /// Every charset that is known.
    pub fn all() -> impl Iterator<Item = Charset> {
        spec::all().map(Charset)
    }

    /// The charset that a label names, in any case, blanks around it ignored.
    ///
    /// # Errors
    ///
    /// [`UnknownCharset`](crate::ErrorKind::UnknownCharset) when nobody knows the label; the
    /// message names near ones.
    pub fn for_label(label: &str) -> Result<Charset, Error> {
        label::find(label).map(Charset)
    }

    /// The canonical name.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// Whether it is the WHATWG's "replacement" (Encoding standard 14.1): HZ, ISO-2022-KR and others that nobody may
    /// decode. A document in it is one malformed sequence, and has no links.
    pub fn is_replacement(self) -> bool {
        self == Charset(&replacement::REPLACEMENT)
    }

    /// Whether it is an encoding of Unicode (UTF-8, UTF-16, UTF-32; not GB18030): its text is not
    /// NFC-normalized (RFC 3987 3.1 step 1c).
    pub fn is_unicode(self) -> bool {
        self.0.unicode
    }

    /// Whether documents are scanned as the bytes that they are (see [`crate::ascii::is_safe`]).
    /// The others pass through a [`Transcoder`] and are scanned as UTF-8.
    pub fn is_ascii_compatible(self) -> bool {
        self.0.codec.units().is_none()
    }

    /// Whether shift sequences tell what the bytes behind them mean (ISO-2022-JP).
    pub(crate) fn is_stateful(self) -> bool {
        !self.is_ascii_compatible() && !self.is_unicode()
    }

    /// The charset of the view that tokenizers see: itself, or UTF-8 when it must be transcoded.
    pub fn view(self) -> Charset {
        if self.is_ascii_compatible() {
            self
        } else {
            Charset::UTF_8
        }
    }

    /// Decodes a run of whole characters; malformed sequences become U+FFFD. Borrows when the
    /// bytes are UTF-8 already. A BOM is an ordinary character here.
    pub fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        self.0.codec.decode(bytes)
    }

    /// Decodes a run of whole characters into text with positions (see [`MappedText`]).
    pub fn decode_mapped<'b>(self, bytes: &'b [u8]) -> MappedText<'b> {
        self.0.codec.decode_mapped(bytes)
    }

    /// The text of bytes that are UTF-8 already, whatever their charset: `None` where they are not.
    /// Fast enough for all of a document.
    pub(crate) fn as_text(bytes: &[u8]) -> Option<&str> {
        whatwg::utf8(bytes)
    }

    /// The character that two bytes are wherever a decoder starts fresh in front of them: quick.
    /// `None`: they are none, are two, or the charset has no such table.
    pub(crate) fn pair(self, bytes: [u8; 2]) -> Option<char> {
        self.0.codec.pair(bytes)
    }

    /// The character beyond ASCII that bytes begin with wherever a decoder starts fresh in front of
    /// them, and its length in them: quick. `None`: there is none, or none that is looked up.
    pub(crate) fn letter(self, bytes: &[u8]) -> Option<(char, usize)> {
        self.0.codec.letter(bytes)
    }

    /// Whether the charset has the character.
    pub fn can_encode(self, ch: char) -> bool {
        self.0.codec.can_encode(ch)
    }

    /// Appends the text in this charset's bytes. The first character that it lacks stops it:
    /// its byte position in `text` comes back and `out` is as it was.
    ///
    /// Exact: [`decode`](Self::decode) gives the text back. So a character whose bytes in the
    /// WHATWG's encoder decode to another one (a Yen sign in Shift_JIS) counts as lacking.
    /// windows-1258 alone may take a letter and its tone apart: there the NFC is the same. Of
    /// ISO-2022-JP, the text begins and ends in the ASCII state; [`splice`](Self::splice) writes
    /// into a document.
    ///
    /// # Errors
    ///
    /// The position of the first character that is lacking, in bytes of `text`.
    pub fn encode(self, text: &str, out: &mut Vec<u8>) -> Result<(), usize> {
        self.0.codec.encode(text, out)
    }

    /// Every way to write each of these characters, wherever a decoder starts fresh in front of it: what
    /// [`encode`](Self::encode) writes, and whatever else [`decode`](Self::decode) reads as it (WHATWG: Big5 with Hong Kong's
    /// characters, EUC-JP with JIS X 0212, GBK with the four bytes of GB 18030). A sequence of four bytes only where the
    /// encoder writes none that is shorter. Cost: that of an encoder for each character, and of what no encoder writes: some
    /// tenths of a millisecond.
    pub(crate) fn writings(self, chars: impl IntoIterator<Item = char>) -> Writings {
        let mut writings = Writings::new(chars);
        self.0.codec.add_writings(&mut writings);
        writings
    }

    /// The bytes that replace a range of a document such that its text is what stood before, then
    /// `text`, then what stood behind. The range has a character at least, and so has `text`.
    ///
    /// `before` and `after` are the shift states at the range's begin and end
    /// ([`ViewMap::shift`]; [`Shift::default`] where there is no view). `following` are the source
    /// bytes behind the range, all of them or at least [`Charset::LOOKAHEAD`].
    ///
    /// `None`: the charset lacks a character, or the shift sequences would garble the text around.
    /// Charsets without shift states write what [`encode`](Self::encode) does.
    pub fn splice(
        self,
        text: &str,
        before: Shift,
        after: Shift,
        following: &[u8],
    ) -> Option<Vec<u8>> {
        let following = &following[..following.len().min(Charset::LOOKAHEAD)];
        let seam = Seam {
            before: before.0,
            after: after.0,
            following,
        };
        match self.0.codec.units() {
            Some(units) => units.splice(text, seam),
            None => {
                let mut bytes = Vec::new();
                self.encode(text, &mut bytes).ok()?;
                Some(bytes)
            }
        }
    }

    /// How many bytes behind a range [`splice`](Self::splice) wants to see.
    pub const LOOKAHEAD: usize = 16;

    /// Whether the ASCII byte at `at` is a character of its own and not the trail of another.
    /// `window[..at]` must hold the last safe byte before it, or begin at a character. O(distance
    /// to that byte).
    pub fn is_char_at(self, window: &[u8], at: usize) -> bool {
        self.0.codec.is_char_at(window, at)
    }

    /// The nearest position at or before `at` where a decoder can start fresh.
    pub fn resync(self, window: &[u8], at: usize) -> usize {
        self.0.codec.resync(window, at)
    }
}

impl std::fmt::Debug for Charset {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl PartialEq for Charset {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Charset {}

impl Hash for Charset {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::hash(self.0, state);
    }
}
