//! Bytes within bytes: transfer encodings of mail, folded lines, and encoded words of header fields.
//!
//! A [`Layer`] decodes bytes and keeps their positions. A [`Reencoder`] replaces decoded bytes and answers with edits
//! of the encoded bytes, which leave all other bytes unchanged. Layers stack: the edits of an inner layer are the
//! replacements of an outer one.
//!
//! The crate must know neither the meaning of the decoded bytes nor the bounds of a body.

mod base64;
mod content_line;
mod folded;
mod label;
mod lines;
mod positions;
mod quoted;
mod reflow;
mod words;
mod wrap;

pub use content_line::{Parameter, PropertyHead};
pub use label::TransferEncoding;

use linkglot_charset::ranges::slice;
use positions::Positions;
use std::borrow::Cow;
use std::ops::Range;

/// An encoding of bytes.
///
/// ```
/// use linkglot_layer::Layer;
///
/// assert_eq!(Layer::QuotedPrintable.decode(b"a=3D=\r\nb").bytes(), b"a=b");
/// assert_eq!(Layer::Base64.decode(b"YT\r\n1i").bytes(), b"a=b");
/// assert_eq!(Layer::Folded.decode(b"URL:a\r\n b").bytes(), b"URL:ab");
/// assert_eq!(Layer::EncodedWords.decode(b"=?utf-8?q?caf=C3=A9?=").bytes(), "café".as_bytes());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layer {
    /// Quoted-printable (RFC 2045 6.7). A malformed `=` stands for itself, and so do bytes beyond ASCII; `=` and blanks
    /// at the end of a line or of the body are a soft line break; blanks without `=` there are deleted. Lines end with
    /// CRLF, LF or CR, which stay as they are.
    QuotedPrintable,
    /// Base64 (RFC 2045 6.8). Bytes outside of the alphabet are skipped. The first complete padding ends the text, as
    /// in CPython; without padding, bits that make no whole byte are dropped.
    Base64,
    /// Content lines of calendars and vCards (RFC 5545 3.1, RFC 6350 3.2): CRLF, LF or CR and then one blank or tab
    /// decode to nothing. So do `=` and a line break in a value in quoted-printable (vCard 2.1); other escapes of the
    /// value stay.
    Folded,
    /// The raw value of an unstructured header field, with encoded words (RFC 2047). The decoded bytes are UTF-8. Folds
    /// decode to the blank alone (RFC 5322 2.2.3), and white space between adjacent words vanishes. Adjacent words in
    /// one charset without shift states are decoded together, since some writers cut characters. A word in an unknown
    /// charset, and a malformed one, stands for itself. Bytes beyond ASCII outside of words are UTF-8, or else
    /// windows-1252.
    EncodedWords,
}

impl Layer {
    /// Decodes bytes, which cannot fail. Linear. Memory: the decoded bytes if they differ from the encoded ones, and 4
    /// to 8 bytes for each run of escapes, each soft break and each fold, which are more if they are far apart. Base64
    /// takes the decoded bytes alone.
    ///
    /// ```
    /// use linkglot_layer::Layer;
    ///
    /// let decoded = Layer::QuotedPrintable.decode(b"=zz=3d");
    /// assert_eq!(decoded.bytes(), b"=zz=");
    /// ```
    pub fn decode(self, encoded: &[u8]) -> Decoded<'_> {
        let content = match self {
            Layer::QuotedPrintable => Content::Quoted(quoted::decode(encoded)),
            Layer::Base64 => Content::Base64(base64::Base64::decode(encoded)),
            Layer::Folded => Content::Folded(folded::decode(encoded)),
            Layer::EncodedWords => Content::Words(words::Words::decode(encoded)),
        };
        Decoded {
            encoded: Cow::Borrowed(encoded),
            content,
        }
    }
}

/// The longest line of quoted-printable that is written again, in encoded bytes.
const LONGEST_LINE: usize = 64 << 10;

/// Decoded bytes that know their positions in the encoded bytes.
#[derive(Clone, Debug)]
pub struct Decoded<'e> {
    /// The bytes that were decoded, unless `content` keeps them.
    encoded: Cow<'e, [u8]>,
    content: Content<'e>,
}

#[derive(Clone, Debug)]
enum Content<'e> {
    Quoted(Placed<'e>),
    Base64(base64::Base64<'e>),
    Folded(Placed<'e>),
    Words(words::Words<'e>),
}

/// Bytes with their positions.
#[derive(Clone, Debug)]
struct Placed<'e> {
    bytes: Cow<'e, [u8]>,
    positions: Positions,
}

impl Placed<'_> {
    /// Moves the bytes to another copy of the encoded bytes. Borrowed bytes are its beginning, without any encoding.
    fn over<'n>(self, encoded: &Cow<'n, [u8]>) -> Placed<'n> {
        let bytes = match (self.bytes, encoded) {
            (Cow::Owned(bytes), _) => Cow::Owned(bytes),
            (Cow::Borrowed(bytes), Cow::Borrowed(encoded)) => {
                Cow::Borrowed(slice(encoded, 0..bytes.len()))
            }
            (Cow::Borrowed(bytes), Cow::Owned(_)) => Cow::Owned(bytes.to_vec()),
        };
        Placed {
            bytes,
            positions: self.positions,
        }
    }
}

impl Decoded<'static> {
    /// Joins the folded lines ([`Layer::Folded`]) in the output of another layer.
    ///
    /// ```
    /// use linkglot_layer::{Decoded, Layer};
    ///
    /// let outer = Layer::Base64.decode(b"YQ0KIGI=");
    /// assert_eq!(Decoded::unfold(outer.bytes().to_vec()).bytes(), b"ab");
    /// ```
    pub fn unfold(encoded: Vec<u8>) -> Self {
        let Placed { bytes, positions } = folded::decode(&encoded);
        let bytes = Cow::Owned(bytes.into_owned());
        Decoded {
            content: Content::Folded(Placed { bytes, positions }),
            encoded: Cow::Owned(encoded),
        }
    }
}

impl<'e> Decoded<'e> {
    /// Copies any borrowed bytes. Linear.
    ///
    /// ```
    /// use linkglot_layer::Layer;
    ///
    /// let decoded = {
    ///     let encoded = b"YQ==".to_vec();
    ///     Layer::Base64.decode(&encoded).into_owned()
    /// };
    /// assert_eq!(decoded.bytes(), b"a");
    /// ```
    pub fn into_owned(mut self) -> Decoded<'static> {
        let encoded = match &mut self.content {
            Content::Quoted(_) | Content::Folded(_) => &mut self.encoded,
            Content::Base64(base64) => base64.encoded_mut(),
            Content::Words(words) => words.encoded_mut(),
        };
        let encoded = std::mem::take(encoded).into_owned();
        self.over(Cow::Owned(encoded))
    }

    /// The bytes that were decoded.
    fn encoded(&self) -> &[u8] {
        match &self.content {
            Content::Quoted(_) | Content::Folded(_) => &self.encoded,
            Content::Base64(base64) => base64.encoded(),
            Content::Words(words) => words.encoded(),
        }
    }

    /// Moves to another copy of the encoded bytes, which may live longer. O(1); if the copy is owned and nothing
    /// was encoded, linear.
    ///
    /// ```
    /// use linkglot_layer::Layer;
    ///
    /// let message = b"YQ==".to_vec();
    /// let decoded = {
    ///     let copy = message.clone();
    ///     Layer::Base64.decode(&copy).over(message[..].into())
    /// };
    /// assert_eq!(decoded.bytes(), b"a");
    /// ```
    pub fn over<'n>(self, encoded: Cow<'n, [u8]>) -> Decoded<'n> {
        let none = Cow::Borrowed(&[][..]);
        let (encoded, content) = match self.content {
            Content::Quoted(placed) => {
                let placed = placed.over(&encoded);
                (encoded, Content::Quoted(placed))
            }
            Content::Folded(placed) => {
                let placed = placed.over(&encoded);
                (encoded, Content::Folded(placed))
            }
            // These keep the encoded bytes themselves.
            Content::Base64(base64) => (none, Content::Base64(base64.over(encoded))),
            Content::Words(words) => (none, Content::Words(words.over(encoded))),
        };
        Decoded { encoded, content }
    }

    /// The encoding of the bytes.
    ///
    /// ```
    /// use linkglot_layer::Layer;
    ///
    /// assert_eq!(Layer::Base64.decode(b"YQ==").layer(), Layer::Base64);
    /// ```
    pub fn layer(&self) -> Layer {
        match self.content {
            Content::Quoted(_) => Layer::QuotedPrintable,
            Content::Base64(_) => Layer::Base64,
            Content::Folded(_) => Layer::Folded,
            Content::Words(_) => Layer::EncodedWords,
        }
    }

    /// True if changes can be written. Base64 would lose junk inside, and text behind its padding. A line of
    /// quoted-printable of more than 64 KiB, where 76 characters are allowed, would stay in memory with all of its
    /// changes. Linear.
    ///
    /// ```
    /// use linkglot_layer::Layer;
    ///
    /// assert!(Layer::Base64.decode(b"YQ==\n").is_writable());
    /// assert!(!Layer::Base64.decode(b"YQ==\n-- \na footer").is_writable());
    /// assert!(!Layer::QuotedPrintable.decode(&[b'a'; 65537]).is_writable());
    /// ```
    pub fn is_writable(&self) -> bool {
        match self.layer() {
            Layer::Base64 => base64::is_clean(self.encoded()),
            Layer::QuotedPrintable => lines::longest(self.encoded()) <= LONGEST_LINE,
            _ => true,
        }
    }

    /// The decoded bytes.
    ///
    /// ```
    /// use linkglot_layer::Layer;
    ///
    /// assert_eq!(Layer::Base64.decode(b"YQ==").bytes(), b"a");
    /// ```
    pub fn bytes(&self) -> &[u8] {
        match &self.content {
            Content::Quoted(placed) | Content::Folded(placed) => &placed.bytes,
            Content::Base64(base64) => base64.bytes(),
            Content::Words(words) => words.bytes(),
        }
    }

    /// The encoded bytes that hold a range of decoded ones. An empty range gives the position where text would be
    /// inserted. Escapes and characters of encoded words stay whole; two ranges of base64 that meet may share a byte.
    /// O(log n); the first call is linear for base64 whose lines differ in length or hold junk.
    ///
    /// ```
    /// use linkglot_layer::Layer;
    ///
    /// let decoded = Layer::QuotedPrintable.decode(b"a=3D=\r\nb");
    /// assert_eq!(decoded.source(1..2), 1..4);
    /// assert_eq!(decoded.source(1..3), 1..8);
    /// ```
    pub fn source(&self, decoded: Range<usize>) -> Range<usize> {
        let len = self.bytes().len();
        match &self.content {
            Content::Quoted(placed) | Content::Folded(placed) => {
                placed.positions.source(decoded, len)
            }
            Content::Base64(base64) => base64.source(decoded),
            Content::Words(words) => words.positions().source(decoded, len),
        }
    }

    /// The first decoded byte that begins at or after an encoded position, or the number of decoded bytes. Costs as
    /// much as [`source`](Self::source).
    ///
    /// ```
    /// use linkglot_layer::Layer;
    ///
    /// let decoded = Layer::QuotedPrintable.decode(b"a=3D=\r\nb");
    /// assert_eq!([0, 1, 2, 4, 7].map(|at| decoded.decoded_at(at)), [0, 1, 2, 2, 2]);
    /// ```
    pub fn decoded_at(&self, encoded: usize) -> usize {
        let len = self.bytes().len();
        match &self.content {
            Content::Quoted(placed) | Content::Folded(placed) => {
                placed.positions.decoded_at(encoded, len)
            }
            Content::Base64(base64) => base64.decoded_at(encoded),
            Content::Words(words) => words.positions().decoded_at(encoded, len),
        }
    }

    /// A writer of replacements. Cost: up to the first line break and the first lower-case escape.
    ///
    /// ```
    /// use linkglot_layer::Layer;
    ///
    /// let decoded = Layer::QuotedPrintable.decode(b"http://a/?b=3Dc\n");
    /// let mut edits = Vec::new();
    /// let mut writer = decoded.edits();
    /// writer.replace(7..8, b"x=y", &mut edits)?;
    /// writer.finish(&mut edits);
    /// assert_eq!((edits[0].range.clone(), &edits[0].bytes[..]), (7..8, &b"x=3Dy"[..]));
    /// # Ok::<(), linkglot_layer::Unencodable>(())
    /// ```
    pub fn edits(&self) -> Reencoder<'_> {
        self.edits_in_line(b"\r\n", 0)
    }

    /// A writer of replacements whose line breaks are `line_break` (CRLF or LF), unless the encoded bytes have line
    /// breaks of their own. In front of the encoded bytes, their line has `column` bytes, such as the name of a field,
    /// which count where encoded words are held to the length of a line.
    ///
    /// ```
    /// use linkglot_layer::Layer;
    ///
    /// let decoded = Layer::Folded.decode(b"URL:http://a.example/");
    /// let mut edits = Vec::new();
    /// let mut writer = decoded.edits_in_line(b"\n", 0);
    /// writer.replace(20..21, &[b'b'; 60], &mut edits)?;
    /// writer.finish(&mut edits);
    /// assert!(edits[0].bytes.ends_with(b"b\n bbbbb"));
    /// # Ok::<(), linkglot_layer::Unencodable>(())
    /// ```
    pub fn edits_in_line(&self, line_break: &'static [u8], column: usize) -> Reencoder<'_> {
        let own = lines::line_break(self.encoded());
        let line_break = own.unwrap_or(line_break);
        let writer = match &self.content {
            Content::Quoted(placed) => {
                Writer::Quoted(quoted::Writer::new(&self.encoded, placed, line_break))
            }
            Content::Base64(base64) => Writer::Base64(base64::Writer::new(base64, line_break)),
            Content::Folded(placed) => {
                Writer::Folded(folded::Writer::new(&self.encoded, placed, line_break))
            }
            Content::Words(words) => Writer::Words(words::Writer::new(words, line_break, column)),
        };
        Reencoder {
            bytes: self.bytes(),
            writer,
            calls: 0,
            behind: 0,
        }
    }
}

/// The end of the last content line ([`Layer::Folded`]) that surely ends in the bytes: another line begins at the next
/// byte. Linear.
///
/// ```
/// use linkglot_layer::content_lines_end;
///
/// assert_eq!(content_lines_end(b"A:b\nC:d\n e"), Some(4));
/// // The next line may go on.
/// assert_eq!(content_lines_end(b"A:b\n"), None);
/// ```
pub fn content_lines_end(encoded: &[u8]) -> Option<usize> {
    folded::last_end(encoded)
}

/// A replacement of encoded bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The encoded bytes that are replaced.
    pub range: Range<usize>,
    /// The bytes that replace them.
    pub bytes: Vec<u8>,
    /// The number of the call of [`Reencoder::replace`] that made the edit, from 0. Calls that change the same encoded
    /// bytes (one group of base64, one encoded word) share the edit of the first one.
    pub number: usize,
}

/// The error for new text that cannot be written into an encoded word or beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unencodable;

impl std::fmt::Display for Unencodable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the new text has no encoding at this place")
    }
}

impl std::error::Error for Unencodable {}

/// Turns replacements of decoded bytes into edits of the encoded bytes. Made by [`Decoded::edits`].
#[derive(Debug)]
pub struct Reencoder<'d> {
    bytes: &'d [u8],
    writer: Writer<'d>,
    calls: usize,
    /// The end of the last range that was replaced.
    behind: usize,
}

#[derive(Debug)]
enum Writer<'d> {
    Quoted(quoted::Writer<'d>),
    Base64(base64::Writer<'d>),
    Folded(folded::Writer<'d>),
    Words(words::Writer<'d>),
}

/// A replacement of decoded bytes.
#[derive(Clone, Debug)]
struct Change<'n> {
    range: Range<usize>,
    new: &'n [u8],
    number: usize,
    /// True if the replaced range began earlier, with bytes that stay the same.
    is_behind: bool,
}

impl Reencoder<'_> {
    /// Replaces decoded bytes. Calls come in order and their ranges are disjoint; unchanged bytes at the ends of a
    /// range are not written. Appends the edits that no later call can change, in order and disjoint. An edit may be
    /// settled several calls later: at the next line of quoted-printable or of folded lines, and once the groups of
    /// base64 are in step again.
    ///
    /// All calls together read the encoded bytes a constant number of times.
    ///
    /// # Errors
    ///
    /// [`Unencodable`] when the text has no encoding at this place, which happens with [`Layer::EncodedWords`], and
    /// when ranges are out of order or bounds. The call then changes nothing.
    ///
    /// ```
    /// use linkglot_layer::{Layer, Unencodable};
    ///
    /// let decoded = Layer::EncodedWords.decode(b"=?iso-8859-1?q?caf=E9?=");
    /// let mut edits = Vec::new();
    /// let mut writer = decoded.edits();
    /// assert_eq!(writer.replace(0..1, "я".as_bytes(), &mut edits), Err(Unencodable));
    /// ```
    pub fn replace(
        &mut self,
        decoded: Range<usize>,
        new: &[u8],
        out: &mut Vec<Edit>,
    ) -> Result<(), Unencodable> {
        let number = self.calls;
        self.calls += 1;
        let in_order = self.behind <= decoded.start && decoded.start <= decoded.end;
        debug_assert!(in_order && decoded.end <= self.bytes.len());
        if !in_order || decoded.end > self.bytes.len() {
            return Err(Unencodable);
        }
        let change = changed(slice(self.bytes, decoded.clone()), decoded.start, new);
        if !change.range.is_empty() || !change.new.is_empty() {
            let change = Change { number, ..change };
            match &mut self.writer {
                Writer::Quoted(writer) => writer.replace(change, out),
                Writer::Base64(writer) => writer.replace(change, out),
                Writer::Folded(writer) => writer.replace(change, out),
                Writer::Words(writer) => writer.replace(change, out)?,
            }
        }
        self.behind = decoded.end;
        Ok(())
    }

    /// Appends the edits that were not settled yet.
    ///
    /// ```
    /// use linkglot_layer::Layer;
    ///
    /// let decoded = Layer::Base64.decode(b"YWJj");
    /// let mut edits = Vec::new();
    /// let mut writer = decoded.edits();
    /// writer.replace(1..2, b"", &mut edits)?;
    /// assert!(edits.is_empty());
    /// writer.finish(&mut edits);
    /// assert_eq!(edits[0].bytes, b"YWM=");
    /// # Ok::<(), linkglot_layer::Unencodable>(())
    /// ```
    pub fn finish(self, out: &mut Vec<Edit>) {
        match self.writer {
            Writer::Quoted(writer) => writer.finish(out),
            Writer::Base64(writer) => writer.finish(out),
            Writer::Folded(writer) => writer.finish(out),
            Writer::Words(mut writer) => writer.flush(out),
        }
    }
}

/// The change from `old`, which begins at `start`, to `new`, without the equal characters at either end.
fn changed<'n>(old: &[u8], start: usize, new: &'n [u8]) -> Change<'n> {
    let shared = old.len().min(new.len());
    let same = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let head = whole_chars(old, new, same);
    let pairs = old.iter().rev().zip(new.iter().rev());
    let mut foot = pairs
        .take(shared - head)
        .take_while(|(a, b)| a == b)
        .count();
    for _ in 0..3 {
        if foot > 0 && continues_char(old, old.len() - foot) {
            foot -= 1;
        }
    }
    Change {
        range: start + head..start + old.len() - foot,
        new: slice(new, head..new.len() - foot),
        number: 0,
        is_behind: head > 0,
    }
}

/// Shortens a common beginning that ends inside of a UTF-8 character. In other charsets this may cut up to three bytes
/// more, which does no harm.
fn whole_chars(old: &[u8], new: &[u8], mut same: usize) -> usize {
    for _ in 0..3 {
        if same > 0 && (continues_char(old, same) || continues_char(new, same)) {
            same -= 1;
        }
    }
    same
}

/// True if the byte at a position continues a UTF-8 character.
fn continues_char(bytes: &[u8], at: usize) -> bool {
    bytes.get(at).is_some_and(|byte| byte & 0xC0 == 0x80)
}

#[cfg(test)]
mod tests;
