//! The ASCII-compatible multi-byte charsets of the WHATWG Encoding Standard but UTF-8 (chapters 10
//! to 13).
//!
//! A decoder of theirs keeps nothing from one sequence to the next. So the lengths of the
//! sequences say where every character stood, and the text comes from `encoding_rs`.

mod paired;
mod pairs;

use super::MappedText;
use super::mapped::{Marks, Places};
use super::spec::{Codec, Spec};
use super::whatwg;
use super::writings::Writings;
use crate::ascii;
use encoding_rs::Encoding;
use pairs::{PairTable, Row};
use std::borrow::Cow;
use std::ops::RangeInclusive;

pub(super) static SHIFT_JIS: Spec = Spec {
    name: "Shift_JIS",
    labels: &[
        "csshiftjis",
        "ms932",
        "ms_kanji",
        "shift-jis",
        "shift_jis",
        "sjis",
        "windows-31j",
        "x-sjis",
    ],
    unicode: false,
    codec: &Multi {
        encoding: encoding_rs::SHIFT_JIS,
        sequence: pair::<ShiftJis>,
        is_fresh: |byte| !ShiftJis::is_lead(byte),
        trails_ascii: true,
        is_paired: false,
        lossy: JAPANESE_LOSSY,
        writer: encoding_rs::SHIFT_JIS,
        unwritten: &[(&[], 0x87..=0x87), (&[], 0xED..=0xEE), (&[], 0xF0..=0xFA)],
        pairs: &PAIRS[0],
    },
};

pub(super) static EUC_JP: Spec = Spec {
    name: "EUC-JP",
    labels: &["cseucpkdfmtjapanese", "euc-jp", "x-euc-jp"],
    unicode: false,
    codec: &Multi {
        encoding: encoding_rs::EUC_JP,
        sequence: euc_jp,
        is_fresh: |byte| matches!(byte, 0x00..=0x8D | 0x90..=0xA0 | 0xFF),
        trails_ascii: false,
        is_paired: true,
        lossy: JAPANESE_LOSSY,
        writer: encoding_rs::EUC_JP,
        unwritten: &[
            (&[0x8F], 0xA1..=0xFE),
            (&[], 0xAD..=0xAD),
            (&[], 0xFC..=0xFC),
        ],
        pairs: &PAIRS[1],
    },
};

pub(super) static BIG5: Spec = Spec {
    name: "Big5",
    labels: &["big5", "big5-hkscs", "cn-big5", "csbig5", "x-x-big5"],
    unicode: false,
    codec: &Multi {
        encoding: encoding_rs::BIG5,
        sequence: pair::<Big5>,
        is_fresh: |byte| !Big5::is_lead(byte),
        trails_ascii: true,
        is_paired: true,
        lossy: &[],
        writer: encoding_rs::BIG5,
        unwritten: &[(&[], 0x87..=0xA2), (&[], 0xC6..=0xC9), (&[], 0xF9..=0xFE)],
        pairs: &PAIRS[2],
    },
};

pub(super) static EUC_KR: Spec = Spec {
    name: "EUC-KR",
    labels: &[
        "cseuckr",
        "csksc56011987",
        "euc-kr",
        "iso-ir-149",
        "korean",
        "ks_c_5601-1987",
        "ks_c_5601-1989",
        "ksc5601",
        "ksc_5601",
        "windows-949",
    ],
    unicode: false,
    codec: &Multi {
        encoding: encoding_rs::EUC_KR,
        sequence: pair::<EucKr>,
        is_fresh: |byte| !EucKr::is_lead(byte),
        trails_ascii: true,
        is_paired: true,
        lossy: &[],
        writer: encoding_rs::EUC_KR,
        unwritten: &[],
        pairs: &PAIRS[3],
    },
};

pub(super) static GBK: Spec = Spec {
    name: "GBK",
    labels: &[
        "chinese",
        "csgb2312",
        "csiso58gb231280",
        "gb2312",
        "gb_2312",
        "gb_2312-80",
        "gbk",
        "iso-ir-58",
        "x-gbk",
    ],
    unicode: false,
    codec: &Multi {
        encoding: encoding_rs::GBK,
        sequence: gb18030,
        is_fresh: gb_is_fresh,
        trails_ascii: true,
        is_paired: true,
        lossy: GB_LOSSY,
        writer: encoding_rs::GB18030,
        unwritten: GB_UNWRITTEN,
        pairs: &PAIRS[4],
    },
};

pub(super) static GB18030: Spec = Spec {
    name: "gb18030",
    labels: &["gb18030"],
    unicode: false,
    codec: &Multi {
        encoding: encoding_rs::GB18030,
        sequence: gb18030,
        is_fresh: gb_is_fresh,
        trails_ascii: true,
        is_paired: true,
        lossy: GB_LOSSY,
        writer: encoding_rs::GB18030,
        unwritten: GB_UNWRITTEN,
        pairs: &PAIRS[5],
    },
};

/// The characters of two bytes of each.
static PAIRS: [PairTable; 6] = [const { PairTable::new() }; 6];

/// All of them.
pub(super) static ALL: [&Spec; 6] = [&SHIFT_JIS, &EUC_JP, &BIG5, &EUC_KR, &GBK, &GB18030];

/// Bytes, and the leads behind these, of sequences that an encoder does not write and the decoder reads.
type Unwritten = &'static [(&'static [u8], RangeInclusive<u8>)];

/// Yen sign, overline and minus sign go to backslash, tilde and full-width hyphen.
const JAPANESE_LOSSY: whatwg::Lossy = &[
    '\u{A5}'..='\u{A5}',
    '\u{203E}'..='\u{203E}',
    '\u{2212}'..='\u{2212}',
];

/// Private characters that GB 18030-2022 gave a place in Unicode: their bytes decode to that now
/// (WHATWG 11.2.2, encoder's side table).
const GB_LOSSY: whatwg::Lossy = &[
    '\u{E78D}'..='\u{E796}',
    '\u{E81E}'..='\u{E81E}',
    '\u{E826}'..='\u{E826}',
    '\u{E82B}'..='\u{E82C}',
    '\u{E832}'..='\u{E832}',
    '\u{E843}'..='\u{E843}',
    '\u{E854}'..='\u{E854}',
    '\u{E864}'..='\u{E864}',
];

/// A second ideographic space (index gb18030, pointer 6555).
const GB_UNWRITTEN: Unwritten = &[(&[], 0xA3..=0xA3)];

/// The longest sequence, in bytes.
const LONGEST: usize = 4;

/// The most bytes whose characters are looked up one by one.
const SHORT: usize = 512;

fn is_even(count: usize) -> bool {
    count.is_multiple_of(2)
}

/// Says which sequences are characters.
#[derive(Clone, Copy)]
struct Judge {
    encoding: &'static Encoding,
    /// All of them are.
    is_well_formed: bool,
}

impl Judge {
    fn strict(encoding: &'static Encoding) -> Self {
        Judge {
            encoding,
            is_well_formed: false,
        }
    }

    fn is_mapped(self, sequence: &[u8]) -> bool {
        self.is_well_formed || whatwg::is_mapped(self.encoding, sequence)
    }
}

/// A multi-byte charset.
struct Multi {
    encoding: &'static Encoding,
    /// The length of the first sequence of non-empty bytes, well-formed or not.
    sequence: fn(Judge, &[u8]) -> usize,
    /// Whether a byte always ends a sequence: only leads (and digits, in sequences of four) may
    /// stand in front of another byte of theirs.
    is_fresh: fn(u8) -> bool,
    /// Whether an ASCII byte may be the trail of a sequence.
    trails_ascii: bool,
    /// Whether two bytes of [`PAIRED`](paired::PAIRED) are always one sequence.
    is_paired: bool,
    /// What the encoder would write as another character.
    lossy: whatwg::Lossy,
    /// The one with the same decoder whose encoder writes most.
    writer: &'static Encoding,
    /// What that one does not write, beside single bytes.
    unwritten: Unwritten,
    /// The characters of two bytes.
    pairs: &'static PairTable,
}

impl Multi {
    /// The first end of a sequence at or behind `at`, `from` being one.
    fn boundary(&self, window: &[u8], from: usize, at: usize) -> usize {
        let judge = Judge::strict(self.encoding);
        let mut end = from;
        while end < at && end < window.len() {
            end += (self.sequence)(judge, &window[end..]).max(1);
        }
        end
    }
}

impl Multi {
    /// The end of the last pair at or before `at`, if nothing but pairs stand between it and a byte
    /// behind which a decoder starts fresh.
    fn pairs_before(&self, window: &[u8], at: usize) -> Option<usize> {
        let before = window.get(..at).filter(|_| self.is_paired)?;
        let paired = paired::ending(before);
        let outer = (at - paired)
            .checked_sub(1)
            .and_then(|outer| before.get(outer));
        let is_fresh = outer.is_none_or(|&outer| (self.is_fresh)(outer));
        is_fresh.then_some(at - paired % 2)
    }

    /// The text of a few bytes, if they are ASCII and characters of two bytes: without a decoder,
    /// which takes longer to start.
    fn short(&self, bytes: &[u8], places: &mut impl Places) -> Option<String> {
        if bytes.len() > SHORT {
            return None;
        }
        let (mut text, mut rest) = (String::with_capacity(bytes.len() * 2), bytes);
        while !rest.is_empty() {
            let ascii = rest.iter().take_while(|byte| byte.is_ascii()).count();
            let (ascii, wide) = rest.split_at(ascii);
            text.push_str(std::str::from_utf8(ascii).ok()?);
            places.chars(ascii.len(), 1, 1);
            rest = self.push_pairs(wide, &mut text, places)?;
        }
        Some(text)
    }

    /// Appends the characters of two bytes that bytes begin with; what is behind them comes back.
    /// `None`: there is another one.
    fn push_pairs<'b>(
        &self,
        mut bytes: &'b [u8],
        text: &mut String,
        places: &mut impl Places,
    ) -> Option<&'b [u8]> {
        let (mut count, mut width) = (0, 0);
        while let Some(ch) = self.first_pair(bytes)? {
            if ch.len_utf8() != width && count > 0 {
                places.chars(std::mem::take(&mut count), width, 2);
            }
            (count, width) = (count + 1, ch.len_utf8());
            text.push(ch);
            bytes = &bytes[2..];
        }
        if count > 0 {
            places.chars(count, width, 2);
        }
        Some(bytes)
    }

    /// The character of two bytes at the begin of bytes, if they do not begin with ASCII. `None`:
    /// there is another one.
    #[inline]
    fn first_pair(&self, bytes: &[u8]) -> Option<Option<char>> {
        match bytes {
            [] => Some(None),
            [first, ..] if first.is_ascii() => Some(None),
            _ => self.pair(*bytes.first_chunk()?).map(Some),
        }
    }

    /// How many bytes that may be leads stand in front of `at`, behind a byte that ends a sequence:
    /// two and two are sequences. `None`: digits are among them.
    fn leads_before(&self, window: &[u8], at: usize) -> Option<usize> {
        let before = window.get(..at)?;
        let paired = if self.is_paired {
            paired::ending(before)
        } else {
            0
        };
        let rest = before.get(..at - paired)?;
        let is_end = |byte: u8| byte.is_ascii() || (self.is_fresh)(byte);
        match rest.iter().rposition(|&byte| is_end(byte)) {
            Some(end) if !(self.is_fresh)(rest[end]) => None,
            Some(end) => Some(at - end - 1),
            None => Some(at),
        }
    }

    /// Whether the sequence that begins with the lead in front of `at` is that byte alone.
    fn is_lone_lead(&self, window: &[u8], at: usize) -> bool {
        let Some(bytes) = at.checked_sub(1).and_then(|lead| window.get(lead..)) else {
            return false;
        };
        let pair = bytes.first_chunk().copied();
        pair.and_then(|pair| self.pair(pair)).is_none()
            && (self.sequence)(Judge::strict(self.encoding), bytes) == 1
    }

    /// How many characters of three bytes of text from pairs begin both.
    fn pairs_at(&self, bytes: &[u8], text: &str) -> usize {
        if !self.is_paired {
            return 0;
        }
        let pairs = bytes.chunks_exact(2).zip(text.chars());
        let is_pair = |bytes: &[u8], ch: char| {
            bytes.iter().all(|byte| paired::PAIRED.contains(byte)) && ch.len_utf8() == 3
        };
        pairs.take_while(|&(bytes, ch)| is_pair(bytes, ch)).count()
    }
}

impl Codec for Multi {
    fn decode<'b>(&self, bytes: &'b [u8]) -> Cow<'b, str> {
        if let Some(text) = ascii::text(bytes) {
            return Cow::Borrowed(text);
        }
        match self.short(bytes, &mut ()) {
            Some(text) => Cow::Owned(text),
            None => self.encoding.decode_without_bom_handling(bytes).0,
        }
    }

    fn decode_mapped<'b>(&self, bytes: &'b [u8]) -> MappedText<'b> {
        if let Some(text) = ascii::text(bytes) {
            return MappedText::identity(text);
        }
        let mut marks = Marks::default();
        if let Some(text) = self.short(bytes, &mut marks) {
            return MappedText::from_parts(Cow::Owned(text), marks);
        }
        let text = match self.encoding.decode_without_bom_handling(bytes).0 {
            Cow::Borrowed(text) => return MappedText::identity(text),
            Cow::Owned(text) => text,
        };
        let judge = Judge {
            encoding: self.encoding,
            is_well_formed: !text.contains(char::REPLACEMENT_CHARACTER),
        };
        let mut marks = Marks::default();
        let (mut rest, mut end) = (text.as_str(), 0);
        while let Some(bytes) = bytes.get(end..).filter(|_| !rest.is_empty()) {
            let ascii = common_ascii(bytes, rest);
            if ascii > 0 {
                marks.run(ascii, 1, end);
                (rest, end) = (&rest[ascii..], end + ascii);
                continue;
            }
            let pairs = self.pairs_at(bytes, rest);
            if pairs > 0 {
                marks.chars(pairs, 3, 2);
                (rest, end) = (&rest[3 * pairs..], end + 2 * pairs);
                continue;
            }
            let Some(ch) = rest.chars().next().filter(|_| !bytes.is_empty()) else {
                break;
            };
            let mut len = ch.len_utf8();
            if is_double(self.encoding, bytes) {
                len += rest[len..].chars().next().map_or(0, char::len_utf8);
            }
            end += (self.sequence)(judge, bytes).max(1);
            marks.char(len, end);
            rest = &rest[len..];
        }
        MappedText::from_parts(Cow::Owned(text), marks)
    }

    fn can_encode(&self, ch: char) -> bool {
        !whatwg::is_lossy(self.lossy, ch) && whatwg::can_encode(self.encoding, ch)
    }

    fn encode(&self, text: &str, out: &mut Vec<u8>) -> Result<(), usize> {
        whatwg::encode_exact(self.encoding, self.lossy, text, out)
    }

    fn add_writings(&self, writings: &mut Writings) {
        writings.add_encoded(|text, out| whatwg::encode_exact(self.writer, self.lossy, text, out));
        let leads = self
            .unwritten
            .iter()
            .flat_map(|(front, leads)| leads.clone().map(|lead| [*front, &[lead]].concat()));
        for lead in leads.chain([Vec::new()]) {
            writings.add_read(&lead, Row::new(self.encoding, &lead).chars());
        }
    }

    fn sequence(&self, bytes: &[u8]) -> Option<usize> {
        let judge = Judge::strict(self.encoding);
        self.trails_ascii.then(|| (self.sequence)(judge, bytes))
    }

    fn pair(&self, bytes: [u8; 2]) -> Option<char> {
        self.pairs.char(self.encoding, bytes)
    }

    fn letter(&self, bytes: &[u8]) -> Option<(char, usize)> {
        let ch = self.pair(*bytes.first_chunk()?)?;
        Some((ch, 2))
    }

    fn is_char_at(&self, window: &[u8], at: usize) -> bool {
        match window.get(at) {
            Some(byte) if !byte.is_ascii() => false,
            Some(_) if !self.trails_ascii => true,
            Some(&byte) if crate::ascii::is_safe(byte) => true,
            Some(_) => match self.leads_before(window, at) {
                Some(leads) => is_even(leads) || self.is_lone_lead(window, at),
                None => {
                    let from = self.resync(window, at);
                    self.boundary(window, from, at) == at
                }
            },
            None => false,
        }
    }

    /// Leads in front of `at` are walked over: their number says which of them are trails.
    fn resync(&self, window: &[u8], at: usize) -> usize {
        let at = at.min(window.len());
        let judge = Judge::strict(self.encoding);
        let mut end = self.pairs_before(window, at).unwrap_or_else(|| {
            let before = window[..at].iter().rposition(|&byte| (self.is_fresh)(byte));
            before.map_or(0, |before| before + 1)
        });
        // The window's end may cut the last sequence.
        while end < at && end + LONGEST <= window.len() {
            let next = end + (self.sequence)(judge, &window[end..]).max(1);
            if next > at {
                break;
            }
            end = next;
        }
        end
    }
}

/// How many bytes of ASCII begin both.
fn common_ascii(bytes: &[u8], text: &str) -> usize {
    if !bytes.first().is_some_and(u8::is_ascii) {
        return 0;
    }
    let ascii = Encoding::ascii_valid_up_to(bytes);
    match text.as_bytes().get(..ascii) {
        Some(same) if same.is_ascii() => ascii,
        _ => ascii.min(Encoding::ascii_valid_up_to(text.as_bytes())),
    }
}

/// Big5 has four sequences that are two characters (WHATWG 12.1.1).
fn is_double(encoding: &'static Encoding, bytes: &[u8]) -> bool {
    encoding == encoding_rs::BIG5 && matches!(bytes, [0x88, 0x62 | 0x64 | 0xA3 | 0xA5, ..])
}

/// The bytes of a charset with sequences of one and two bytes.
trait Pairs {
    fn is_lead(byte: u8) -> bool;
    fn is_trail(byte: u8) -> bool;
}

struct ShiftJis;
struct Big5;
struct EucKr;

impl Pairs for ShiftJis {
    fn is_lead(byte: u8) -> bool {
        matches!(byte, 0x81..=0x9F | 0xE0..=0xFC)
    }
    fn is_trail(byte: u8) -> bool {
        matches!(byte, 0x40..=0x7E)
    }
}

impl Pairs for Big5 {
    fn is_lead(byte: u8) -> bool {
        matches!(byte, 0x81..=0xFE)
    }
    fn is_trail(byte: u8) -> bool {
        matches!(byte, 0x40..=0x7E)
    }
}

impl Pairs for EucKr {
    fn is_lead(byte: u8) -> bool {
        matches!(byte, 0x81..=0xFE)
    }
    fn is_trail(byte: u8) -> bool {
        matches!(byte, 0x41..=0x5A | 0x61..=0x7A)
    }
}

/// A lead takes any non-ASCII byte with it, an ASCII byte only when they are a character.
fn pair<P: Pairs>(judge: Judge, bytes: &[u8]) -> usize {
    let is_pair = match *bytes {
        [lead, trail, ..] if P::is_lead(lead) => {
            !trail.is_ascii() || P::is_trail(trail) && judge.is_mapped(&bytes[..2])
        }
        _ => false,
    };
    1 + usize::from(is_pair)
}

/// WHATWG 13.1.1.
fn euc_jp(_: Judge, bytes: &[u8]) -> usize {
    match *bytes {
        [0x8F, 0xA1..=0xFE, third, ..] if !third.is_ascii() => 3,
        [0x8F, 0xA1..=0xFE, ..] => 2,
        [0x8E | 0x8F | 0xA1..=0xFE, second, ..] if !second.is_ascii() => 2,
        _ => 1,
    }
}

fn gb_is_fresh(byte: u8) -> bool {
    !matches!(byte, b'0'..=b'9' | 0x81..=0xFE)
}

/// WHATWG 11.2.1. A sequence of four that is no character is one error, and so is one that the end
/// cuts.
fn gb18030(judge: Judge, bytes: &[u8]) -> usize {
    match *bytes {
        [0x81..=0xFE, b'0'..=b'9'] => 2,
        [0x81..=0xFE, b'0'..=b'9', 0x81..=0xFE] => 3,
        [0x81..=0xFE, b'0'..=b'9', 0x81..=0xFE, b'0'..=b'9', ..] => 4,
        [0x81..=0xFE, 0x80..=0xFF, ..] => 2,
        [0x81..=0xFE, 0x40..=0x7E, ..] if judge.is_mapped(&bytes[..2]) => 2,
        _ => 1,
    }
}
