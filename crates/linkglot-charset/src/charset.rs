//! The handle of a charset, through which everything else is reached.

use crate::byte_sequences::ByteSequences;
use crate::codec::{Seam, Spec, TranscodedCodec};
use crate::decoded::Shift;
use crate::label::{self, UnknownLabel};
use crate::mapped::MappedText;
use crate::{registry, replacement, single_list, utf8, utf16, utf32, whatwg};
use std::borrow::Cow;
use std::fmt;
use std::hash::{Hash, Hasher};

/// A charset: one of the WHATWG Encoding Standard, or another that old documents are in. Cheap to copy and compare.
///
/// ```
/// use linkglot_charset::Charset;
///
/// let charset = Charset::for_label(" Shift-JIS ")?;
/// assert_eq!(charset.name(), "Shift_JIS");
/// assert_eq!(charset.decode(b"\x83\x8A"), "リ");
/// assert!(charset.can_encode('リ') && !charset.can_encode('é'));
/// # Ok::<(), linkglot_charset::UnknownLabel>(())
/// ```
#[derive(Clone, Copy)]
pub struct Charset(&'static Spec);

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
    pub(crate) const REPLACEMENT: Charset = Charset(&replacement::REPLACEMENT);
    #[cfg(feature = "detect")]
    pub(crate) const ISO_2022_JP: Charset = Charset(&crate::iso2022jp::ISO_2022_JP);
    #[cfg(feature = "detect")]
    pub(crate) const ISO_2022_KR: Charset = Charset(&crate::iso2022kr::ISO_2022_KR);
    #[cfg(feature = "detect")]
    pub(crate) const ISO_2022_CN: Charset = Charset(&crate::iso2022cn::ISO_2022_CN);

    /// The charset for EBCDIC of an unknown kind: IBM037.
    #[cfg(feature = "detect")]
    pub(crate) fn ebcdic() -> Charset {
        Charset::named("IBM037").unwrap_or(Charset::REPLACEMENT)
    }

    /// The charset with exactly this name.
    #[cfg(feature = "detect")]
    pub(crate) fn named(name: &str) -> Option<Charset> {
        Charset::all().find(|charset| charset.name() == name)
    }

    /// Every charset.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    ///
    /// assert!(Charset::all().count() > 200);
    /// ```
    pub fn all() -> impl Iterator<Item = Charset> {
        registry::all().map(Charset)
    }

    /// The charset that a label names. White space around the label does not matter.
    ///
    /// A label of the Encoding Standard must match exactly, but in any case. Other labels are compared loosely (UTS 22,
    /// 1.4) with these labels and with the names of `iconv`, of Windows' code pages and of Python.
    ///
    /// # Errors
    ///
    /// [`UnknownLabel`] when no charset has the label.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    ///
    /// assert_eq!(Charset::for_label("Latin1")?, Charset::WINDOWS_1252);
    /// assert_eq!(Charset::for_label("cp_65001")?, Charset::UTF_8);
    /// assert!(Charset::for_label("klingon").is_err());
    /// # Ok::<(), linkglot_charset::UnknownLabel>(())
    /// ```
    pub fn for_label(label: &str) -> Result<Charset, UnknownLabel> {
        label::find(label).map(Charset)
    }

    /// True if two labels, of whatever charset, differ in spelling only: in case, punctuation or leading zeros of a
    /// number (UTS 22, 1.4).
    ///
    /// ```
    /// use linkglot_charset::Charset;
    ///
    /// assert!(Charset::is_same_label("x-Foo-01", "X_FOO_1"));
    /// assert!(!Charset::is_same_label("x-foo-1", "x-foo-10"));
    /// ```
    pub fn is_same_label(a: &str, b: &str) -> bool {
        label::is_same(a, b)
    }

    /// As [`for_label`](Self::for_label), without the cost of an error message.
    #[cfg(feature = "detect")]
    pub(crate) fn lookup(label: &str) -> Option<Charset> {
        label::lookup(label).map(Charset)
    }

    /// The step decoder of a charset that is not ASCII-compatible.
    pub(crate) fn transcoded(self) -> Option<&'static dyn TranscodedCodec> {
        self.0.codec.transcoded()
    }

    /// The canonical name.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    ///
    /// assert_eq!(Charset::WINDOWS_1252.name(), "windows-1252");
    /// ```
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// The labels: those of the Encoding Standard first, and then other names, without labels that differ from these in
    /// spelling only.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    ///
    /// let labels: Vec<_> = Charset::for_label("shift_jis")?.labels().collect();
    /// assert!(labels.contains(&"sjis") && labels.contains(&"cp932"));
    /// # Ok::<(), linkglot_charset::UnknownLabel>(())
    /// ```
    pub fn labels(self) -> impl Iterator<Item = &'static str> {
        label::names(self.0)
    }

    /// True for the WHATWG's "replacement" (Encoding 14.1), which stands for charsets that browsers refuse to decode. A
    /// document in it is one malformed sequence.
    ///
    /// Browsers take HZ, ISO-2022-KR and ISO-2022-CN for "replacement"; here these are charsets of their own.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    ///
    /// let nothing = Charset::for_label("replacement")?;
    /// assert!(nothing.is_replacement());
    /// assert_eq!(nothing.decode(b"abc"), "\u{FFFD}");
    /// # Ok::<(), linkglot_charset::UnknownLabel>(())
    /// ```
    pub fn is_replacement(self) -> bool {
        self == Charset::REPLACEMENT
    }

    /// True for an encoding form of Unicode (UTF-8, UTF-16, UTF-32, UTF-7, CESU-8; not GB18030), whose text is not
    /// NFC-normalized (RFC 3987 3.1 step 1c).
    ///
    /// ```
    /// use linkglot_charset::Charset;
    ///
    /// assert!(Charset::UTF_16LE.is_unicode() && !Charset::WINDOWS_1252.is_unicode());
    /// ```
    pub fn is_unicode(self) -> bool {
        self.0.is_unicode
    }

    /// True if documents can be scanned without a decoder (see [`crate::ascii::is_safe`]). Documents in other charsets
    /// pass through a [`Transcoder`](crate::Transcoder) and are scanned as UTF-8.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    ///
    /// assert!(Charset::WINDOWS_1252.is_ascii_compatible());
    /// assert!(!Charset::UTF_16LE.is_ascii_compatible());
    /// ```
    pub fn is_ascii_compatible(self) -> bool {
        self.transcoded().is_none()
    }

    /// The charset of the octets of queries in documents (Encoding 4.3, "get an output encoding"): this one, or UTF-8
    /// for Unicode's charsets, for "replacement", and for charsets beyond the standard that are no supersets of ASCII:
    /// no browser ever sent a query in EBCDIC.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    ///
    /// assert_eq!(Charset::WINDOWS_1252.of_queries(), Charset::WINDOWS_1252);
    /// assert_eq!(Charset::for_label("ibm037")?.of_queries(), Charset::UTF_8);
    /// # Ok::<(), linkglot_charset::UnknownLabel>(())
    /// ```
    pub fn of_queries(self) -> Charset {
        let has_octets =
            self.is_ascii_compatible() || self == Charset(&crate::iso2022jp::ISO_2022_JP);
        if has_octets && !self.is_unicode() {
            self
        } else {
            Charset::UTF_8
        }
    }

    /// True if documents in the charset should begin with a byte order mark (UTF-16 and UTF-32), since nothing else
    /// tells the order of their bytes.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    ///
    /// assert!(Charset::UTF_16LE.has_mark() && !Charset::UTF_8.has_mark());
    /// ```
    pub fn has_mark(self) -> bool {
        [
            Charset::UTF_16LE,
            Charset::UTF_16BE,
            Charset::UTF_32LE,
            Charset::UTF_32BE,
        ]
        .contains(&self)
    }

    /// True if the meaning of bytes depends on shift sequences before them (ISO-2022-JP, HZ,
    /// UTF-7 and their like).
    ///
    /// ```
    /// use linkglot_charset::Charset;
    ///
    /// assert!(Charset::for_label("iso-2022-jp")?.is_stateful() && !Charset::UTF_8.is_stateful());
    /// # Ok::<(), linkglot_charset::UnknownLabel>(())
    /// ```
    pub fn is_stateful(self) -> bool {
        self.transcoded().is_some_and(TranscodedCodec::is_stateful)
    }

    /// True if some codes of the charset stand for several characters (TSCII, JIS X 0213), so that not every
    /// character of a view has bytes of its own.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    ///
    /// assert!(Charset::for_label("euc-jisx0213")?.shares_codes());
    /// assert!(!Charset::UTF_16LE.shares_codes());
    /// # Ok::<(), linkglot_charset::UnknownLabel>(())
    /// ```
    pub fn shares_codes(self) -> bool {
        self.transcoded().is_some_and(TranscodedCodec::shares_codes)
    }

    /// The charset of the bytes that are scanned: this one, or UTF-8 when documents must be transcoded.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    ///
    /// assert_eq!(Charset::WINDOWS_1252.view(), Charset::WINDOWS_1252);
    /// assert_eq!(Charset::UTF_16LE.view(), Charset::UTF_8);
    /// ```
    pub fn view(self) -> Charset {
        if self.is_ascii_compatible() {
            self
        } else {
            Charset::UTF_8
        }
    }

    /// Decodes whole characters; malformed sequences become U+FFFD. Borrows when the bytes are
    /// UTF-8 already. A BOM is an ordinary character here.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    ///
    /// assert_eq!(Charset::WINDOWS_1252.decode(b"caf\xE9"), "café");
    /// assert_eq!(Charset::UTF_8.decode(b"caf\xE9"), "caf\u{FFFD}");
    /// ```
    pub fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        self.0.codec.decode(bytes)
    }

    /// Decodes whole characters into text that knows their positions.
    ///
    /// ```
    /// use linkglot_charset::{Charset, span::TextSpan};
    ///
    /// let text = Charset::WINDOWS_1252.decode_mapped(b"\xE9\xE8");
    /// assert_eq!(text.text(), "éè");
    /// assert_eq!(text.source(TextSpan::new(2, 4)), 1..2);
    /// ```
    pub fn decode_mapped<'b>(self, bytes: &'b [u8]) -> MappedText<'b> {
        self.0.codec.decode_mapped(bytes)
    }

    /// The bytes as text, if they are UTF-8. Fast enough for whole documents.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    ///
    /// assert_eq!(Charset::as_text("é".as_bytes()), Some("é"));
    /// assert_eq!(Charset::as_text(b"\xE9"), None);
    /// ```
    pub fn as_text(bytes: &[u8]) -> Option<&str> {
        whatwg::utf8(bytes)
    }

    /// The character that two bytes encode wherever a decoder starts fresh before them: one look-up. `None` when the
    /// bytes are not one character, and for charsets that are not multi-byte.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    ///
    /// let charset = Charset::for_label("shift_jis")?;
    /// assert_eq!(charset.pair([0x83, 0x8A]), Some('リ'));
    /// assert_eq!(charset.pair([b'a', b'b']), None);
    /// # Ok::<(), linkglot_charset::UnknownLabel>(())
    /// ```
    pub fn pair(self, bytes: [u8; 2]) -> Option<char> {
        self.0.codec.pair(bytes)
    }

    /// The character beyond ASCII that `bytes` begin with wherever a decoder starts fresh before
    /// them, and its length in them: one look-up. `None` for a character that is not in a table of
    /// one or two bytes.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    ///
    /// assert_eq!(Charset::WINDOWS_1252.letter(b"\xE9t"), Some(('é', 1)));
    /// assert_eq!(Charset::WINDOWS_1252.letter(b"et"), None);
    /// ```
    pub fn letter(self, bytes: &[u8]) -> Option<(char, usize)> {
        self.0.codec.letter(bytes)
    }

    /// True if [`encode`](Self::encode) can write the character.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    ///
    /// assert!(Charset::WINDOWS_1252.can_encode('é') && !Charset::WINDOWS_1252.can_encode('я'));
    /// ```
    pub fn can_encode(self, ch: char) -> bool {
        self.0.codec.can_encode(ch)
    }

    /// True if [`encode`](Self::encode) writes the character as several, which compose to it:
    /// letters with tone marks in windows-1258.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    ///
    /// let charset = Charset::for_label("windows-1258")?;
    /// assert!(charset.decomposes('\u{1EC7}') && !charset.decomposes('\u{EA}'));
    /// # Ok::<(), linkglot_charset::UnknownLabel>(())
    /// ```
    pub fn decomposes(self, ch: char) -> bool {
        self.0.codec.decomposes(ch)
    }

    /// Appends the text in this charset.
    ///
    /// Exact: [`decode`](Self::decode) gives the text back. So a character whose bytes in the
    /// WHATWG's encoder decode to another one (a Yen sign in Shift_JIS) cannot be encoded. Only
    /// windows-1258 may take a letter and its tone mark apart, which is the same text in NFC. Text
    /// in ISO-2022-JP begins and ends in the ASCII state; [`splice`](Self::splice) writes into a
    /// document.
    ///
    /// # Errors
    ///
    /// The position in `text`, in bytes, of the first character that cannot be encoded. `out` is unchanged then.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    ///
    /// let mut bytes = Vec::new();
    /// assert_eq!(Charset::WINDOWS_1252.encode("é", &mut bytes), Ok(()));
    /// assert_eq!(Charset::WINDOWS_1252.encode("éя", &mut bytes), Err(2));
    /// assert_eq!(bytes, b"\xE9");
    /// ```
    pub fn encode(self, text: &str, out: &mut Vec<u8>) -> Result<(), usize> {
        self.0.codec.encode(text, out)
    }

    /// Every byte sequence of each of these characters, wherever a decoder starts fresh before it: the sequence that
    /// [`encode`](Self::encode) writes, and all others that [`decode`](Self::decode) reads as the character (Big5 with
    /// Hong Kong's characters, EUC-JP with JIS X 0212, GBK with the four bytes of GB 18030). A sequence of four bytes
    /// is listed only where the encoder writes no shorter one.
    ///
    /// Cost: an encoder for each character, and some tenths of a millisecond for the tables.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    ///
    /// let sequences = Charset::for_label("gb18030")?.byte_sequences(['€']);
    /// assert_eq!(sequences.of('€'), [b"\xA2\xE3".to_vec(), b"\x80".to_vec()]);
    /// # Ok::<(), linkglot_charset::UnknownLabel>(())
    /// ```
    pub fn byte_sequences(self, chars: impl IntoIterator<Item = char>) -> ByteSequences {
        let mut sequences = ByteSequences::new(chars);
        self.0.codec.add_byte_sequences(&mut sequences);
        sequences
    }

    /// The bytes that replace a range of a document so that `text` stands between the unchanged text before and after
    /// it. Both the range and `text` have at least one character.
    ///
    /// `before` and `after` are the shift states at the ends of the range ([`ViewMap::shift`](crate::ViewMap::shift);
    /// [`Shift::default`] where there is no view). `following` are the source bytes after the range: all of them, or at
    /// least [`Charset::LOOKAHEAD`]. `None` when the charset lacks a character, or the shift sequences would garble the
    /// text around. A charset without shift states writes the same bytes as [`encode`](Self::encode).
    ///
    /// ```
    /// use linkglot_charset::{Charset, Shift};
    ///
    /// let jp = Charset::for_label("iso-2022-jp")?;
    /// let bytes = jp.splice("あ", Shift::default(), Shift::default(), b"!");
    /// assert_eq!(bytes.as_deref(), Some(&b"\x1B$B$\"\x1B(B"[..]));
    /// # Ok::<(), linkglot_charset::UnknownLabel>(())
    /// ```
    pub fn splice(
        self,
        text: &str,
        before: Shift,
        after: Shift,
        following: &[u8],
    ) -> Option<Vec<u8>> {
        let Some(codec) = self.transcoded() else {
            let mut bytes = Vec::new();
            self.encode(text, &mut bytes).ok()?;
            return Some(bytes);
        };
        let following = &following[..following.len().min(Charset::LOOKAHEAD)];
        let seam = Seam {
            before,
            after,
            following,
        };
        codec.splice(text, seam)
    }

    /// Number of bytes after a range that [`splice`](Self::splice) reads.
    pub const LOOKAHEAD: usize = 32;

    /// True if the ASCII byte at `at` is a character of its own and not the trail of another.
    /// `window[..at]` must hold the last safe byte before it, or begin at a character. O(distance
    /// to that byte).
    ///
    /// ```
    /// use linkglot_charset::Charset;
    ///
    /// // The first @ is the second byte of an ideographic space.
    /// let charset = Charset::for_label("shift_jis")?;
    /// assert!(!charset.is_char_at(b"\x81@@", 1) && charset.is_char_at(b"\x81@@", 2));
    /// # Ok::<(), linkglot_charset::UnknownLabel>(())
    /// ```
    pub fn is_char_at(self, window: &[u8], at: usize) -> bool {
        self.0.codec.is_char_at(window, at)
    }

    /// The nearest position at or before `at` where a decoder can start fresh.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    ///
    /// assert_eq!(Charset::UTF_8.resync("aé".as_bytes(), 2), 1);
    /// ```
    pub fn resync(self, window: &[u8], at: usize) -> usize {
        self.0.codec.resync(window, at)
    }
}

impl fmt::Debug for Charset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
