//! The native top-level domains, and the ideographic full stop `。` that may separate labels in front of them, in the
//! bytes of each charset.
//!
//! Most dots and full stops end sentences. The search dismisses these by the bytes behind them, before anything is
//! decoded.

use super::case;
use super::label_starts::LabelStarts;
use super::lists::{self, Names};
use linkglot_charset::{ByteSequences, Charset};
use memchr::memmem::Finder;
use std::sync::OnceLock;

/// The bytes of one charset that the search for domains must know.
pub(super) struct NativeDomains {
    pub(super) charset: Charset,
    /// Finds `。`; `None` if the charset lacks it.
    finder: Option<Finder<'static>>,
    /// Number of bytes of `。`.
    pub(super) full_stop_len: usize,
    /// True if no ASCII byte is ever the trail byte of another character.
    pub(super) ascii_stands_alone: bool,
    /// A bit for each pair of bytes that a native domain may begin with.
    first_pairs: Vec<u64>,
    /// The native domains, sorted by first character.
    names: Vec<NativeName>,
    /// Bytes that may stand behind a `。` that separates labels.
    label_starts: Option<LabelStarts>,
    /// A bit for the hash of each first character: most lookups end here.
    first_chars: Vec<u64>,
    /// Lengths in bytes that first characters have, as flags.
    first_lens: [bool; 5],
    /// The ASCII letters that some native domains begin with (`vermögensberater`).
    ascii_prefixes: Vec<Box<str>>,
}

/// A native top-level domain in the bytes of a charset, from one spelling of its first character on.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct NativeName {
    /// The bytes of the first character, padded with zeros.
    first: [u8; 4],
    /// The bytes behind the first character, as far as charset and case leave only one spelling.
    rest: Box<[u8]>,
    /// `first` without its padding, and `rest`.
    certain: Box<[u8]>,
}

impl NativeDomains {
    /// The domains in a charset, computed once.
    pub(super) fn of(charset: Charset) -> &'static NativeDomains {
        if charset == Charset::UTF_8 {
            return NativeDomains::utf8();
        }
        type Tables = Vec<(Charset, OnceLock<NativeDomains>)>;
        static TABLES: OnceLock<Tables> = OnceLock::new();
        let tables = TABLES.get_or_init(|| Charset::all().map(|c| (c, OnceLock::new())).collect());
        let table = tables.iter().find(|(known, _)| *known == charset);
        // `Charset::all` has every charset, so the default is never used.
        table.map_or_else(NativeDomains::utf8, |(_, table)| {
            table.get_or_init(|| NativeDomains::new(charset))
        })
    }

    /// The domains in UTF-8, without the search for a charset: every `&str` asks for them.
    pub(super) fn utf8() -> &'static NativeDomains {
        static UTF_8: OnceLock<NativeDomains> = OnceLock::new();
        UTF_8.get_or_init(|| NativeDomains::new(Charset::UTF_8))
    }

    fn new(charset: Charset) -> NativeDomains {
        let full_stop = encoded(charset, '。').unwrap_or_default();
        let sequences = byte_sequences(charset, lists::tlds().names());
        let mut names: Vec<NativeName> = lists::tlds()
            .names()
            .flat_map(|name| native_names(&sequences, name))
            .collect();
        names.sort_unstable();
        names.dedup();
        let mut first_lens = [false; 5];
        for name in &names {
            let len = name.first.iter().take_while(|&&b| b != 0).count();
            first_lens[len] = true;
        }
        let ascii_prefixes = lists::tlds().names().filter_map(|name| {
            let at = name.find(|ch: char| !ch.is_ascii()).filter(|&at| at > 0)?;
            Some(name.get(..at)?.into())
        });
        NativeDomains {
            charset,
            full_stop_len: full_stop.len(),
            finder: (!full_stop.is_empty()).then(|| Finder::new(&full_stop).into_owned()),
            ascii_stands_alone: (0x80..=0xFF)
                .all(|lead| charset.is_char_at(&[lead, b'A', b'A', b'A'], 1)),
            first_pairs: first_pairs(&names),
            first_chars: first_chars(&names),
            label_starts: Some(LabelStarts::new(names.iter().map(|name| &*name.certain))),
            names,
            first_lens,
            ascii_prefixes: ascii_prefixes.collect(),
        }
    }

    /// True if the charset has `。`.
    pub(super) fn has_full_stop(&self) -> bool {
        self.finder.is_some()
    }

    /// The bytes of `。`.
    pub(super) fn full_stop(&self) -> Option<&[u8]> {
        Some(self.finder.as_ref()?.needle())
    }

    /// Bytes that may stand behind a `。` that separates labels.
    pub(super) fn label_starts(&self) -> Option<&LabelStarts> {
        self.label_starts.as_ref()
    }

    /// The first position of the bytes of `。`; the bytes may straddle two characters.
    pub(super) fn find_full_stop(&self, bytes: &[u8]) -> Option<usize> {
        self.finder.as_ref()?.find(bytes)
    }

    /// True if a native domain may begin with the two bytes at a position, or the bytes end there.
    #[inline]
    pub(super) fn may_be_pair(&self, bytes: &[u8], at: usize) -> bool {
        let Some(&[first, second]) = bytes.get(at..at + 2) else {
            return true;
        };
        let pair = usize::from(first) << 8 | usize::from(second);
        let bits = self.first_pairs.get(pair >> 6).copied().unwrap_or(0);
        bits >> (pair & 63) & 1 != 0
    }

    /// True if a native domain may begin at a position, or the bytes end there. With `references`, character references
    /// may stand for its characters behind the first.
    pub(super) fn may_begin_domain(&self, bytes: &[u8], at: usize, references: bool) -> bool {
        if !self.may_be_pair(bytes, at) {
            return false;
        }
        (1..=4).filter(|&len| self.first_lens[len]).any(|len| {
            match bytes.get(at..at + len).map(padded) {
                None => true,
                Some(first) if !self.may_be_first(first) => false,
                Some(first) => {
                    let rest = bytes.get(at + len..).unwrap_or(&[]);
                    self.may_go_on(first, rest, references)
                }
            }
        })
    }

    fn may_go_on(&self, first: [u8; 4], rest: &[u8], references: bool) -> bool {
        let from = self.names.partition_point(|name| name.first < first);
        self.names
            .iter()
            .skip(from)
            .take_while(|name| name.first == first)
            .any(|name| {
                let is_cut = name.rest.get(..rest.len()) == Some(rest);
                references || rest.starts_with(&name.rest) || is_cut
            })
    }

    /// True if a native domain may begin with a character. Rarely true by mistake, since few hashes collide.
    fn may_be_first(&self, first: [u8; 4]) -> bool {
        let bit = bit_of(first);
        let bits = self.first_chars.get(bit >> 6).copied().unwrap_or(0);
        bits >> (bit & 63) & 1 != 0
    }

    /// True if a native domain begins with exactly these ASCII letters.
    pub(super) fn is_ascii_prefix(&self, label: &[u8]) -> bool {
        self.ascii_prefixes
            .iter()
            .any(|prefix| prefix.as_bytes().eq_ignore_ascii_case(label))
    }
}

/// Bytes that may stand behind a `。` if the top-level domains are `names`, in lower case. `None` (any bytes) if a
/// native name has letters of two cases.
pub(super) fn label_starts_of(charset: Charset, names: &Names) -> Option<LabelStarts> {
    // KELVIN SIGN, whose lower case is an ASCII `k`.
    const KELVIN: &str = "\u{212A}";
    let sequences = byte_sequences(charset, names.names().chain([KELVIN]));
    let mut natives = native_names(&sequences, KELVIN);
    for name in names
        .names()
        .filter(|name| !name.starts_with(|ch: char| ch.is_ascii()))
    {
        if case::has_small_letters(name) {
            return None;
        }
        natives.extend(native_names(&sequences, name));
    }
    Some(LabelStarts::new(
        natives.iter().map(|native| &*native.certain),
    ))
}

fn encoded(charset: Charset, ch: char) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    charset
        .encode(ch.encode_utf8(&mut [0; 4]), &mut bytes)
        .ok()?;
    Some(bytes)
}

/// All byte sequences that decode to a character of a native name, in either case: decoders accept more than encoders
/// write.
fn byte_sequences<'n>(charset: Charset, names: impl Iterator<Item = &'n str>) -> ByteSequences {
    let chars = names.filter(|name| !name.is_ascii()).flat_map(str::chars);
    charset.byte_sequences(chars.flat_map(|ch| case::uppercase(ch).chain([ch])))
}

/// The spellings of a name that does not begin with ASCII: one for each byte sequence of its first character, in
/// either case. Empty if the charset lacks one of the characters.
fn native_names(sequences: &ByteSequences, name: &str) -> Vec<NativeName> {
    let mut chars = name.chars();
    let Some(first) = chars.next().filter(|ch| !ch.is_ascii()) else {
        return Vec::new();
    };
    let others: Vec<_> = chars.map(|ch| sequences.of(ch)).collect();
    if others.iter().any(|spellings| spellings.is_empty()) {
        return Vec::new();
    }
    let has_case = case::has_small_letters(name);
    let certain = others.iter().map_while(|spellings| match spellings {
        [only] if !has_case => Some(only.as_slice()),
        _ => None,
    });
    let rest = certain.collect::<Vec<_>>().concat();
    let firsts = case::uppercase(first).chain([first]);
    firsts
        .flat_map(|ch| sequences.of(ch))
        .filter(|bytes| bytes.len() <= 4)
        .map(|bytes| NativeName {
            first: padded(bytes),
            rest: rest.as_slice().into(),
            certain: [bytes, rest.as_slice()].concat().into(),
        })
        .collect()
}

/// A bit for each pair of bytes that one of the names may begin with. Behind a character of one byte stands any other.
fn first_pairs(names: &[NativeName]) -> Vec<u64> {
    let mut bits = vec![0; 1 << 10];
    for name in names {
        let [first, second, ..] = name.first;
        let seconds = if second == 0 {
            0..=0xFF
        } else {
            second..=second
        };
        for second in seconds {
            let pair = usize::from(first) << 8 | usize::from(second);
            bits[pair >> 6] |= 1_u64 << (pair & 63);
        }
    }
    bits
}

/// A bit for the hash of the first character of each name.
fn first_chars(names: &[NativeName]) -> Vec<u64> {
    let mut bits = vec![0; 1 << (HASH_BITS - 6)];
    for name in names {
        let bit = bit_of(name.first);
        bits[bit >> 6] |= 1_u64 << (bit & 63);
    }
    bits
}

/// Length in bits of a first character's hash.
const HASH_BITS: u32 = 13;

fn bit_of(first: [u8; 4]) -> usize {
    (u32::from_le_bytes(first).wrapping_mul(0x9E37_79B1) >> (32 - HASH_BITS)) as usize
}

/// Up to four bytes, padded with zeros.
fn padded(bytes: &[u8]) -> [u8; 4] {
    let mut padded = [0; 4];
    for (to, from) in padded.iter_mut().zip(bytes) {
        *to = *from;
    }
    padded
}
