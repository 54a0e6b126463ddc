//! The ASCII-compatible multi-byte charsets of the WHATWG Encoding Standard but UTF-8 (chapters 10
//! to 13).
//!
//! Their decoders keep no state from one sequence to the next. So the text comes from `encoding_rs`, and the lengths of
//! the sequences give the place of every character.

mod high_bytes;
mod list;
mod sequence;
mod two_byte;

pub(crate) use list::ALL;

use crate::ascii;
use crate::byte_sequences::ByteSequences;
use crate::codec::Codec;
use crate::mapped::{CharWidths, MappedText, Marks};
use crate::whatwg::{self, Lossy};
use encoding_rs::Encoding;
use sequence::SequenceCheck;
use std::borrow::Cow;
use std::ops::RangeInclusive;
use two_byte::{TrailRow, TwoByteTable};

/// The longest sequence, in bytes.
const LONGEST_SEQUENCE: usize = 4;

/// Up to this many bytes are looked up one by one: a decoder of `encoding_rs` costs more to start.
const SHORT: usize = 512;

/// Sequences that the decoder reads and no encoder writes: their first bytes, and the range of the
/// byte after these. One byte more completes the sequence.
type DecodeOnly = &'static [(&'static [u8], RangeInclusive<u8>)];

/// A multi-byte charset.
struct MultiByte {
    encoding: &'static Encoding,
    /// The length of the first sequence of non-empty bytes, well-formed or not.
    sequence_len: fn(SequenceCheck, &[u8]) -> usize,
    /// True for a byte that always ends a sequence. Only leads (and digits, in sequences of four bytes) do not.
    ends_sequence: fn(u8) -> bool,
    /// True if an ASCII byte may be the trail of a sequence.
    has_ascii_trails: bool,
    /// True if any two bytes of [`high_bytes::RANGE`] are one sequence.
    pairs_high_bytes: bool,
    /// Characters that `encoding` would encode as another one.
    lossy: Lossy,
    /// The encoding with the same decoder whose encoder has the most characters.
    widest_encoder: &'static Encoding,
    /// Sequences that `widest_encoder` does not write, besides single bytes.
    decode_only: DecodeOnly,
    two_byte: &'static TwoByteTable,
}

impl MultiByte {
    fn sequence_len(&self, bytes: &[u8]) -> usize {
        let check = SequenceCheck::new(self.encoding, false);
        (self.sequence_len)(check, bytes).max(1)
    }

    /// The end of the first sequence that ends at or after `at`; `from` is the start of a sequence.
    fn sequence_end(&self, window: &[u8], from: usize, at: usize) -> usize {
        let mut end = from;
        while end < at && end < window.len() {
            end += self.sequence_len(&window[end..]);
        }
        end
    }

    /// The end of the last pair of high bytes at or before `at`, if nothing but such pairs stands
    /// between it and a byte that ends a sequence.
    fn high_pairs_end(&self, window: &[u8], at: usize) -> Option<usize> {
        let before = window.get(..at).filter(|_| self.pairs_high_bytes)?;
        let high = high_bytes::trailing_run(before);
        let outer = (at - high).checked_sub(1).and_then(|at| before.get(at));
        let is_begin = outer.is_none_or(|&byte| (self.ends_sequence)(byte));
        is_begin.then_some(at - high % 2)
    }

    /// The bytes and a line feed, if they end within a sequence of four bytes. In the midst of a document a decoder
    /// reads its digit as a character (WHATWG 10.2.1); at the end it would drop the digit.
    fn closed(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        if (self.ends_sequence)(b'0') {
            return None;
        }
        match *bytes {
            [.., 0x81..=0xFE, b'0'..=b'9'] | [.., 0x81..=0xFE, b'0'..=b'9', 0x81..=0xFE] => {
                Some([bytes, b"\n"].concat())
            }
            _ => None,
        }
    }

    /// The text of bytes that `closed` closed.
    fn decode_closed(&self, closed: &[u8]) -> String {
        let mut text = self
            .encoding
            .decode_without_bom_handling(closed)
            .0
            .into_owned();
        text.pop();
        text
    }

    /// The text of a few bytes, if they are ASCII and characters of two bytes.
    fn decode_short(&self, bytes: &[u8], widths: &mut impl CharWidths) -> Option<String> {
        if bytes.len() > SHORT {
            return None;
        }
        let (mut text, mut rest) = (String::with_capacity(bytes.len() * 2), bytes);
        while !rest.is_empty() {
            let ascii = rest.iter().take_while(|byte| byte.is_ascii()).count();
            let (ascii, high) = rest.split_at(ascii);
            text.push_str(std::str::from_utf8(ascii).ok()?);
            widths.chars(ascii.len(), 1, 1);
            rest = self.push_two_byte(high, &mut text, widths)?;
        }
        Some(text)
    }

    /// Appends the characters of two bytes that `bytes` begin with; returns the rest, which begins
    /// with ASCII. `None`: another sequence comes first.
    fn push_two_byte<'b>(
        &self,
        mut bytes: &'b [u8],
        text: &mut String,
        widths: &mut impl CharWidths,
    ) -> Option<&'b [u8]> {
        let (mut count, mut width) = (0, 0);
        while bytes.first().is_some_and(|first| !first.is_ascii()) {
            let ch = self.pair(*bytes.first_chunk()?)?;
            if ch.len_utf8() != width && count > 0 {
                widths.chars(std::mem::take(&mut count), width, 2);
            }
            (count, width) = (count + 1, ch.len_utf8());
            text.push(ch);
            bytes = &bytes[2..];
        }
        if count > 0 {
            widths.chars(count, width, 2);
        }
        Some(bytes)
    }

    /// The number of bytes that may be leads between `at` and the last byte that ends a sequence: each two of them are
    /// a sequence. `None`: digits of a four-byte sequence are among them.
    fn leads_before(&self, window: &[u8], at: usize) -> Option<usize> {
        let before = window.get(..at)?;
        let high = if self.pairs_high_bytes {
            high_bytes::trailing_run(before)
        } else {
            0
        };
        let rest = before.get(..at - high)?;
        let is_end = |byte: u8| byte.is_ascii() || (self.ends_sequence)(byte);
        match rest.iter().rposition(|&byte| is_end(byte)) {
            Some(end) if !(self.ends_sequence)(rest[end]) => None,
            Some(end) => Some(at - end - 1),
            None => Some(at),
        }
    }

    /// True if the lead in front of `at` is a sequence without the byte at `at`.
    fn is_lone_lead(&self, window: &[u8], at: usize) -> bool {
        let Some(bytes) = at.checked_sub(1).and_then(|lead| window.get(lead..)) else {
            return false;
        };
        let pair = bytes.first_chunk().copied();
        pair.and_then(|pair| self.pair(pair)).is_none() && self.sequence_len(bytes) == 1
    }

    /// The number of characters at the start of `text` that have three bytes there and a pair of
    /// high bytes in `bytes`.
    fn leading_high_pairs(&self, bytes: &[u8], text: &str) -> usize {
        if !self.pairs_high_bytes {
            return 0;
        }
        let is_pair = |&(pair, ch): &(&[u8], char)| {
            pair.iter().all(|byte| high_bytes::RANGE.contains(byte)) && ch.len_utf8() == 3
        };
        let pairs = bytes.chunks_exact(2).zip(text.chars());
        pairs.take_while(is_pair).count()
    }

    /// Ends in `bytes` of the characters of `text`, which `bytes` decode to.
    fn marks(&self, bytes: &[u8], text: &str) -> Marks {
        let is_well_formed = !text.contains(char::REPLACEMENT_CHARACTER);
        let check = SequenceCheck::new(self.encoding, is_well_formed);
        let mut marks = Marks::default();
        let (mut text, mut end) = (text, 0);
        while let Some(bytes) = bytes.get(end..).filter(|_| !text.is_empty()) {
            let ascii = common_ascii_prefix(bytes, text);
            if ascii > 0 {
                marks.run(ascii, 1, end);
                (text, end) = (&text[ascii..], end + ascii);
                continue;
            }
            let pairs = self.leading_high_pairs(bytes, text);
            if pairs > 0 {
                marks.chars(pairs, 3, 2);
                (text, end) = (&text[3 * pairs..], end + 2 * pairs);
                continue;
            }
            let Some(ch) = text.chars().next().filter(|_| !bytes.is_empty()) else {
                break;
            };
            let mut len = ch.len_utf8();
            end += (self.sequence_len)(check, bytes).max(1);
            if is_two_chars(self.encoding, bytes) {
                len += text[len..].chars().next().map_or(0, char::len_utf8);
                marks.unit(len, end);
            } else {
                marks.char(len, end);
            }
            text = &text[len..];
        }
        marks
    }
}

impl Codec for MultiByte {
    fn decode<'b>(&self, bytes: &'b [u8]) -> Cow<'b, str> {
        if let Some(text) = ascii::text(bytes) {
            return Cow::Borrowed(text);
        }
        if let Some(closed) = self.closed(bytes) {
            return Cow::Owned(self.decode_closed(&closed));
        }
        match self.decode_short(bytes, &mut ()) {
            Some(text) => Cow::Owned(text),
            None => self.encoding.decode_without_bom_handling(bytes).0,
        }
    }

    fn decode_mapped<'b>(&self, bytes: &'b [u8]) -> MappedText<'b> {
        if let Some(text) = ascii::text(bytes) {
            return MappedText::identity(text);
        }
        if let Some(closed) = self.closed(bytes) {
            let text = self.decode_closed(&closed);
            let marks = self.marks(bytes, &text);
            return MappedText::from_parts(Cow::Owned(text), marks);
        }
        let mut marks = Marks::default();
        if let Some(text) = self.decode_short(bytes, &mut marks) {
            return MappedText::from_parts(Cow::Owned(text), marks);
        }
        match self.encoding.decode_without_bom_handling(bytes).0 {
            Cow::Borrowed(text) => MappedText::identity(text),
            Cow::Owned(text) => {
                let marks = self.marks(bytes, &text);
                MappedText::from_parts(Cow::Owned(text), marks)
            }
        }
    }

    fn can_encode(&self, ch: char) -> bool {
        !whatwg::is_lossy(self.lossy, ch) && whatwg::can_encode(self.encoding, ch)
    }

    fn encode(&self, text: &str, out: &mut Vec<u8>) -> Result<(), usize> {
        whatwg::encode_exact(self.encoding, self.lossy, text, out)
    }

    fn add_byte_sequences(&self, sequences: &mut ByteSequences) {
        sequences.add_encoded(|text, out| {
            whatwg::encode_exact(self.widest_encoder, self.lossy, text, out)
        });
        let leads = self
            .decode_only
            .iter()
            .flat_map(|(front, leads)| leads.clone().map(|lead| [*front, &[lead]].concat()));
        for lead in leads.chain([Vec::new()]) {
            sequences.add_decoded(&lead, TrailRow::new(self.encoding, &lead).chars());
        }
    }

    fn pair(&self, bytes: [u8; 2]) -> Option<char> {
        self.two_byte.char(self.encoding, bytes)
    }

    fn letter(&self, bytes: &[u8]) -> Option<(char, usize)> {
        let ch = self.pair(*bytes.first_chunk()?)?;
        Some((ch, 2))
    }

    fn is_char_at(&self, window: &[u8], at: usize) -> bool {
        match window.get(at) {
            Some(byte) if !byte.is_ascii() => false,
            Some(_) if !self.has_ascii_trails => true,
            Some(&byte) if ascii::is_safe(byte) => true,
            Some(_) => match self.leads_before(window, at) {
                Some(leads) => leads.is_multiple_of(2) || self.is_lone_lead(window, at),
                None => self.sequence_end(window, self.resync(window, at), at) == at,
            },
            None => false,
        }
    }

    /// Walks over the leads in front of `at`: their number says which of them are trails.
    fn resync(&self, window: &[u8], at: usize) -> usize {
        let at = at.min(window.len());
        let mut end = self.high_pairs_end(window, at).unwrap_or_else(|| {
            let before = window[..at].iter();
            let end = before.rev().position(|&byte| (self.ends_sequence)(byte));
            end.map_or(0, |distance| at - distance)
        });
        // The window's end may cut the last sequence.
        while end < at && end + LONGEST_SEQUENCE <= window.len() {
            let next = end + self.sequence_len(&window[end..]);
            if next > at {
                break;
            }
            end = next;
        }
        end
    }
}

/// The number of ASCII bytes that begin both.
fn common_ascii_prefix(bytes: &[u8], text: &str) -> usize {
    if !bytes.first().is_some_and(u8::is_ascii) {
        return 0;
    }
    let ascii = Encoding::ascii_valid_up_to(bytes);
    match text.as_bytes().get(..ascii) {
        Some(same) if same.is_ascii() => ascii,
        _ => ascii.min(Encoding::ascii_valid_up_to(text.as_bytes())),
    }
}

/// Big5 has four sequences of two characters each (WHATWG 12.1.1).
fn is_two_chars(encoding: &'static Encoding, bytes: &[u8]) -> bool {
    encoding == encoding_rs::BIG5 && matches!(bytes, [0x88, 0x62 | 0x64 | 0xA3 | 0xA5, ..])
}
