//! The ideographic full stop `。`, which may part the labels of a domain but mostly ends a
//! sentence, and the native top-level domains: both in the bytes of each charset.

use super::ahead::Ahead;
use super::lists::{self, Names};
use linkglot_charset::{ByteSequences as Writings, Charset};
use memchr::memmem::Finder;
use std::sync::OnceLock;

/// The bytes of a charset that the search for domains must know.
pub(super) struct Stop {
    pub(super) charset: Charset,
    /// Finds `。`; none when the charset does not have it.
    finder: Option<Finder<'static>>,
    /// How many bytes `。` has.
    pub(super) len: usize,
    /// Whether each ASCII byte is a character of its own: no trail byte is one.
    pub(super) exact: bool,
    /// Which pairs of bytes a native name may begin with, a bit for each; empty: none.
    pairs: Vec<u64>,
    natives: Vec<Native>,
    /// What may stand behind a `。` that parts labels.
    ahead: Option<Ahead>,
    /// Which first characters there are: a bit for the hash of each.
    firsts: Vec<u64>,
    /// Which lengths the first characters of native names have.
    lengths: [bool; 5],
    /// What stands in front of the first character beyond ASCII in native names that begin with
    /// ASCII.
    heads: Vec<Box<str>>,
}

/// A native top-level domain.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Native {
    /// The bytes of its first character, zeros behind them.
    first: [u8; 4],
    /// The bytes of the others as far as they can only be these; none when they may be in either case.
    rest: Box<[u8]>,
    /// All of these bytes.
    begin: Box<[u8]>,
}

impl Stop {
    /// The bytes of a charset, worked out once.
    pub(super) fn of(charset: Charset) -> &'static Stop {
        if charset == Charset::UTF_8 {
            return Stop::utf8();
        }
        static STOPS: OnceLock<Vec<(Charset, OnceLock<Stop>)>> = OnceLock::new();
        let stops = STOPS.get_or_init(|| Charset::all().map(|c| (c, OnceLock::new())).collect());
        let known = stops.iter().find(|(known, _)| *known == charset);
        // Every charset is among all of them.
        known.map_or_else(Stop::utf8, |(_, stop)| {
            stop.get_or_init(|| Stop::new(charset))
        })
    }

    /// Those of UTF-8, which every text without a charset asks for.
    pub(super) fn utf8() -> &'static Stop {
        static UTF_8: OnceLock<Stop> = OnceLock::new();
        UTF_8.get_or_init(|| Stop::new(Charset::UTF_8))
    }

    fn new(charset: Charset) -> Stop {
        let stop = encoded(charset, '。').unwrap_or_default();
        let writings = writings(charset, lists::tlds().names());
        let mut natives: Vec<Native> = lists::tlds()
            .names()
            .flat_map(|name| native(&writings, name))
            .collect();
        natives.sort_unstable();
        natives.dedup();
        let mut lengths = [false; 5];
        for native in &natives {
            let len = native.first.iter().take_while(|&&b| b != 0).count();
            lengths[len] = true;
        }
        let heads = lists::tlds().names().filter_map(|name| {
            let at = name.find(|ch: char| !ch.is_ascii()).filter(|&at| at > 0)?;
            Some(name.get(..at)?.into())
        });
        Stop {
            charset,
            len: stop.len(),
            finder: (!stop.is_empty()).then(|| Finder::new(&stop).into_owned()),
            exact: (0x80..=0xFF).all(|lead| charset.is_char_at(&[lead, b'A', b'A', b'A'], 1)),
            pairs: pairs(&natives),
            firsts: firsts(&natives),
            ahead: Some(Ahead::new(natives.iter().map(|native| &*native.begin))),
            natives,
            lengths,
            heads: heads.collect(),
        }
    }

    /// Whether the charset has `。`.
    pub(super) fn exists(&self) -> bool {
        self.finder.is_some()
    }

    /// The bytes of `。`.
    pub(super) fn bytes(&self) -> Option<&[u8]> {
        Some(self.finder.as_ref()?.needle())
    }

    /// What may stand behind a `。` that parts labels.
    pub(super) fn ahead(&self) -> Option<&Ahead> {
        self.ahead.as_ref()
    }

    /// The first place of the bytes of `。`.
    pub(super) fn find(&self, hay: &[u8]) -> Option<usize> {
        self.finder.as_ref()?.find(hay)
    }

    /// Whether a native top-level domain may begin with the two bytes at a position, or the bytes
    /// end there.
    #[inline]
    pub(super) fn may_be_pair(&self, hay: &[u8], at: usize) -> bool {
        let Some(&[first, second]) = hay.get(at..at + 2) else {
            return true;
        };
        let pair = usize::from(first) << 8 | usize::from(second);
        let bits = self.pairs.get(pair >> 6).copied().unwrap_or(0);
        bits >> (pair & 63) & 1 != 0
    }

    /// Whether a native top-level domain may begin at a position, or the bytes end there. With
    /// `references` its later characters may be written as such.
    pub(super) fn may_begin_domain(&self, hay: &[u8], at: usize, references: bool) -> bool {
        if !self.may_be_pair(hay, at) {
            return false;
        }
        (1..=4).filter(|&len| self.lengths[len]).any(|len| {
            match hay.get(at..at + len).map(padded) {
                None => true,
                Some(first) if !self.may_be_first(first) => false,
                Some(first) => {
                    let rest = hay.get(at + len..).unwrap_or(&[]);
                    self.may_go_on(first, rest, references)
                }
            }
        })
    }

    fn may_go_on(&self, first: [u8; 4], rest: &[u8], references: bool) -> bool {
        let from = self.natives.partition_point(|n| n.first < first);
        self.natives
            .iter()
            .skip(from)
            .take_while(|n| n.first == first)
            .any(|n| {
                references || rest.starts_with(&n.rest) || n.rest.get(..rest.len()) == Some(rest)
            })
    }

    /// Whether a native name may begin with a character; hardly ever true when none does.
    fn may_be_first(&self, first: [u8; 4]) -> bool {
        let bit = bit_of(first);
        let bits = self.firsts.get(bit >> 6).copied().unwrap_or(0);
        bits >> (bit & 63) & 1 != 0
    }

    /// Whether this is how a top-level domain begins in front of its first character beyond
    /// ASCII.
    pub(super) fn is_head(&self, label: &[u8]) -> bool {
        self.heads
            .iter()
            .any(|head| head.as_bytes().eq_ignore_ascii_case(label))
    }
}

/// What may stand behind a `。` where other names are the top-level domains, in lower case. `None`:
/// it is not known, because letters of one of them have cases.
pub(super) fn ahead_of(charset: Charset, names: &Names) -> Option<Ahead> {
    // U+212A is a K.
    const KELVIN: &str = "\u{212A}";
    let writings = writings(charset, names.names().chain([KELVIN]));
    let mut natives = native(&writings, KELVIN);
    for name in names
        .names()
        .filter(|name| !name.starts_with(|ch: char| ch.is_ascii()))
    {
        if name.to_uppercase() != name {
            return None;
        }
        natives.extend(native(&writings, name));
    }
    Some(Ahead::new(natives.iter().map(|native| &*native.begin)))
}

fn encoded(charset: Charset, ch: char) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    charset
        .encode(ch.encode_utf8(&mut [0; 4]), &mut bytes)
        .ok()?;
    Some(bytes)
}

/// Every way to write the characters of names beyond ASCII, in either case.
fn writings<'n>(charset: Charset, names: impl Iterator<Item = &'n str>) -> Writings {
    let chars = names.filter(|name| !name.is_ascii()).flat_map(str::chars);
    charset.byte_sequences(chars.flat_map(|ch| ch.to_uppercase().chain([ch])))
}

/// A name that does not begin with ASCII, in the bytes of a charset that has it, from either case
/// of its first character on.
fn native(writings: &Writings, name: &str) -> Vec<Native> {
    let mut chars = name.chars();
    let Some(first) = chars.next().filter(|ch| !ch.is_ascii()) else {
        return Vec::new();
    };
    let others: Vec<_> = chars.map(|ch| writings.of(ch)).collect();
    if others.iter().any(|ways| ways.is_empty()) {
        return Vec::new();
    }
    let has_case = name.to_uppercase() != name;
    // As far as there is one way to write it.
    let certain = others.iter().map_while(|ways| match ways {
        [way] if !has_case => Some(way.as_slice()),
        _ => None,
    });
    let rest = certain.collect::<Vec<_>>().concat();
    let firsts = first.to_uppercase().chain(std::iter::once(first));
    firsts
        .flat_map(|ch| writings.of(ch))
        .filter(|bytes| bytes.len() <= 4)
        .map(|bytes| Native {
            first: padded(bytes),
            rest: rest.as_slice().into(),
            begin: [bytes, rest.as_slice()].concat().into(),
        })
        .collect()
}

/// A bit for each pair of bytes with which one of the names may begin.
fn pairs(natives: &[Native]) -> Vec<u64> {
    let mut bits = vec![0; 1 << 10];
    for native in natives {
        let [first, second, ..] = native.first;
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

/// A bit for the first character of each name.
fn firsts(natives: &[Native]) -> Vec<u64> {
    let mut bits = vec![0; 1 << (HASH_BITS - 6)];
    for native in natives {
        let bit = bit_of(native.first);
        bits[bit >> 6] |= 1_u64 << (bit & 63);
    }
    bits
}

/// How many bits the hash of a character has.
const HASH_BITS: u32 = 13;

fn bit_of(first: [u8; 4]) -> usize {
    (u32::from_le_bytes(first).wrapping_mul(0x9E37_79B1) >> (32 - HASH_BITS)) as usize
}

/// Up to four bytes, with zeros behind them.
fn padded(bytes: &[u8]) -> [u8; 4] {
    let mut padded = [0; 4];
    for (to, from) in padded.iter_mut().zip(bytes) {
        *to = *from;
    }
    padded
}
