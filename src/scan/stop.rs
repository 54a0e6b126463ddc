//! The ideographic full stop `。`, which may part the labels of a domain but mostly ends a
//! sentence, and the native top-level domains: both in the bytes of each charset.

use super::ahead::Ahead;
use super::lists::{self, Names};
use crate::charset::Charset;
use memchr::memmem::Finder;
use std::collections::BTreeSet;
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
        let writings = Writings::new(charset, lists::tlds());
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
    let writings = Writings::new(charset, names);
    // U+212A is a K.
    let kelvin = native(&writings, "\u{212A}");
    let mut natives = kelvin;
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

/// The bytes that characters of names are in a charset: what its encoder writes, and whatever else is read as them (WHATWG:
/// Big5 with Hong Kong's characters, EUC-JP with JIS X 0212).
struct Writings {
    charset: Charset,
    /// The characters in order.
    read: Vec<(char, Vec<Vec<u8>>)>,
}

impl Writings {
    fn new(charset: Charset, names: &Names) -> Self {
        let chars = names.names().flat_map(str::chars);
        let cases = chars.flat_map(|ch| ch.to_uppercase().chain([ch]));
        let wanted: BTreeSet<char> = cases.filter(|ch| !ch.is_ascii()).collect();
        let read = wanted.into_iter().map(|ch| (ch, Vec::new())).collect();
        let mut writings = Writings { charset, read };
        writings.read_pairs();
        writings
    }

    fn of(&self, ch: char) -> Vec<Vec<u8>> {
        let at = self.read.binary_search_by_key(&ch, |&(ch, _)| ch).ok();
        let read = at.and_then(|at| self.read.get(at));
        let read = read.into_iter().flat_map(|(_, read)| read);
        let mut all: Vec<_> = encoded(self.charset, ch).into_iter().collect();
        all.extend(read.cloned());
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Looks at all sequences of two bytes, and at those of three.
    fn read_pairs(&mut self) {
        /// The first of three bytes in EUC-JP; in the others it may be the first of two.
        const LEAD_OF_THREE: u8 = 0x8F;
        let charset = self.charset;
        let pairs = |lead: u8| {
            (0x40..=0xFF_u8).filter_map(move |trail| Some((charset.pair([lead, trail])?, trail)))
        };
        let mut has_pairs = false;
        for lead in 0x80..=0xFF {
            for (ch, trail) in pairs(lead) {
                has_pairs = true;
                self.add(ch, &[lead, trail]);
            }
        }
        if !has_pairs || pairs(LEAD_OF_THREE).next().is_some() {
            return;
        }
        for second in 0xA1..=0xFE {
            // All at once, apart: no sequence goes on over a line feed.
            let bytes: Vec<u8> = (0xA1..=0xFE)
                .flat_map(|third| [LEAD_OF_THREE, second, third, b'\n'])
                .collect();
            let text = charset.decode(&bytes);
            for (sequence, text) in bytes.chunks(4).zip(text.split('\n')) {
                let mut chars = text.chars();
                if let (Some(ch), None) = (chars.next(), chars.next()) {
                    self.add(ch, &sequence[..3]);
                }
            }
        }
    }

    fn add(&mut self, ch: char, bytes: &[u8]) {
        let at = self.read.binary_search_by_key(&ch, |&(ch, _)| ch).ok();
        if let Some((_, read)) = at.and_then(|at| self.read.get_mut(at)) {
            read.push(bytes.to_vec());
        }
    }
}

/// A name that does not begin with ASCII, in the bytes of a charset that has it, from either case
/// of its first character on.
fn native(writings: &Writings, name: &str) -> Vec<Native> {
    let mut chars = name.chars();
    let Some(first) = chars.next().filter(|ch| !ch.is_ascii()) else {
        return Vec::new();
    };
    let others: Vec<_> = chars.map(|ch| writings.of(ch)).collect();
    if others.iter().any(Vec::is_empty) {
        return Vec::new();
    }
    let has_case = name.to_uppercase() != name;
    // As far as there is one way to write it.
    let certain = others.iter().map_while(|ways| match ways.as_slice() {
        [way] if !has_case => Some(way.as_slice()),
        _ => None,
    });
    let rest = certain.collect::<Vec<_>>().concat();
    let firsts = first.to_uppercase().chain(std::iter::once(first));
    firsts
        .flat_map(|ch| writings.of(ch))
        .filter(|bytes| bytes.len() <= 4)
        .map(|bytes| Native {
            first: padded(&bytes),
            rest: rest.as_slice().into(),
            begin: [&bytes, rest.as_slice()].concat().into(),
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
