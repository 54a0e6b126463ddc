//! The lists that detection consults: top-level domains and schemes.

use super::case;
use super::packed::{Lines, packed_len};
use std::sync::OnceLock;

/// A set of short names. Lookups ignore case and allocate only for names beyond ASCII.
#[derive(Clone, Debug)]
pub(super) struct Names {
    slots: Vec<Option<Box<str>>>,
    /// The names of up to seven bytes as [`short_key`]s: most lookups are for short names. 0 marks an empty slot.
    short_keys: Vec<u64>,
    longest: usize,
}

impl Names {
    /// The set of these names in lower case.
    pub(super) fn new<'n>(names: impl Iterator<Item = &'n str>) -> Names {
        let names: Vec<Box<str>> = names.map(|n| case::lowercase(n).into()).collect();
        let size = (names.len() * 4).next_power_of_two().max(4);
        let mut set = Names {
            slots: vec![None; size],
            short_keys: vec![0; size / 2],
            longest: names.iter().map(|n| n.len()).max().unwrap_or(0),
        };
        for name in names {
            if let Some(key) = short_key(name.as_bytes()) {
                let at = probe(&set.short_keys, spread(key), |&slot| {
                    slot == 0 || slot == key
                });
                set.short_keys[at] = key;
            }
            let is_own = |slot: &Option<Box<str>>| slot.as_ref().is_none_or(|slot| *slot == name);
            let at = probe(&set.slots, hash(name.as_bytes()), is_own);
            set.slots[at] = Some(name);
        }
        set
    }

    /// True if the set has a name, in any case.
    pub(super) fn contains(&self, name: &str) -> bool {
        if name.is_ascii() {
            return self.contains_ascii(name.as_bytes());
        }
        name.len() <= 4 * self.longest && self.contains_ascii(case::lowercase(name).as_bytes())
    }

    /// As [`contains`](Self::contains), for bytes. Bytes beyond ASCII must be lower-case UTF-8.
    pub(super) fn contains_ascii(&self, name: &[u8]) -> bool {
        if let Some(key) = short_key(name) {
            let at = probe(&self.short_keys, spread(key), |&slot| {
                slot == 0 || slot == key
            });
            return self.short_keys.get(at) == Some(&key);
        }
        if name.len() > self.longest || name.is_empty() {
            return false;
        }
        let is = |known: &str| known.as_bytes().eq_ignore_ascii_case(name);
        let at = probe(&self.slots, hash(name), |slot| {
            slot.as_deref().is_none_or(is)
        });
        self.slots.get(at).is_some_and(Option::is_some)
    }
}

/// Linear probing from the hash's own slot to the first that is empty or holds the key. The number of slots is a power
/// of two and the table is never full, so probing ends.
#[inline]
fn probe<T>(slots: &[T], hash: u64, matches: impl Fn(&T) -> bool) -> usize {
    let mask = slots.len() - 1;
    let mut at = hash as usize & mask;
    while !slots.get(at).is_none_or(&matches) {
        at = (at + 1) & mask;
    }
    at
}

/// A name of one to seven bytes as a number, the same for both cases of ASCII letters.
#[inline]
fn short_key(name: &[u8]) -> Option<u64> {
    let len = name.len();
    // Two overlapping reads cover the name. In the overlap both have the same bits.
    let word = match len {
        4..=7 => {
            let (first, last) = (name.first_chunk()?, name.last_chunk()?);
            let last = u64::from(u32::from_le_bytes(*last)) << (8 * (len - 4));
            u64::from(u32::from_le_bytes(*first)) | last
        }
        2..=3 => {
            let (first, last) = (name.first_chunk()?, name.last_chunk()?);
            let last = u64::from(u16::from_le_bytes(*last)) << (8 * (len - 2));
            u64::from(u16::from_le_bytes(*first)) | last
        }
        1 => u64::from(*name.first()?),
        _ => return None,
    };
    Some(lower(word) | (len as u64) << 56)
}

/// Eight bytes with their ASCII capitals in lower case.
#[inline]
fn lower(word: u64) -> u64 {
    const fn repeat(byte: u8) -> u64 {
        u64::from_le_bytes([byte; 8])
    }
    let low = word & repeat(0x7F);
    // The high bit of each byte of these sums is set if the byte is at least `A`, or beyond `Z`.
    let (from_a, behind_z) = (low + repeat(0x80 - b'A'), low + repeat(0x7F - b'Z'));
    let capitals = from_a & !behind_z & !word & repeat(0x80);
    word | capitals >> 2
}

#[inline]
fn spread(key: u64) -> u64 {
    key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32
}

impl Names {
    /// The names in lower case, in no particular order.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> + '_ {
        self.slots.iter().flatten().map(|name| &**name)
    }
}

/// A hash for our own lists, not for hostile input; the same for both cases of ASCII letters. Most names have four to
/// eight bytes, which two overlapping reads cover.
#[inline]
fn hash(name: &[u8]) -> u64 {
    if let (4..=8, Some(first), Some(last)) = (name.len(), name.first_chunk(), name.last_chunk()) {
        let word =
            u64::from(u32::from_le_bytes(*first)) << 32 | u64::from(u32::from_le_bytes(*last));
        let hash = (word | 0x2020_2020_2020_2020).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        return hash ^ (hash >> 32);
    }
    let word = |bytes: &[u8]| {
        bytes
            .iter()
            .fold(0, |word, &b| word << 8 | u64::from(b | 0x20))
    };
    name.chunks(8).fold(name.len() as u64, |hash, bytes| {
        let hash = (hash ^ word(bytes)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        hash ^ (hash >> 32)
    })
}

/// IANA's top-level domains in ASCII and native form.
pub(super) fn tlds() -> &'static Names {
    const TEXT: &str = include_str!("tlds.txt");
    static LINES: Lines<{ packed_len(TEXT) }> = Lines::new(TEXT);
    static TLDS: OnceLock<Names> = OnceLock::new();
    TLDS.get_or_init(|| Names::new(LINES.lines().flat_map(|line| line.split(' '))))
}

/// True for the special-use top-level domains (RFC 6761 and its registry), which no registry gives out.
pub(super) fn is_special_use(tld: &str) -> bool {
    [
        "alt",
        "example",
        "internal",
        "invalid",
        "local",
        "localhost",
        "onion",
        "test",
    ]
    .iter()
    .any(|known| tld.eq_ignore_ascii_case(known))
}

/// The shape that the data of a scheme without `//` must have; `schemes.txt` describes each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Address,
    Phone,
    Number,
    Namespace,
    Query,
    Comma,
    Slash,
    Path,
    /// A path from the root (RFC 8089 2).
    Root,
    Pair,
    Host,
    Long,
    Name,
    Media,
    Digits,
    Word,
    /// Anything that begins with a letter or digit, for schemes that the caller added.
    Any,
}

impl Shape {
    fn named(name: &str) -> Option<Shape> {
        Some(match name {
            "address" => Shape::Address,
            "phone" => Shape::Phone,
            "number" => Shape::Number,
            "namespace" => Shape::Namespace,
            "query" => Shape::Query,
            "comma" => Shape::Comma,
            "slash" => Shape::Slash,
            "path" => Shape::Path,
            "root" => Shape::Root,
            "pair" => Shape::Pair,
            "host" => Shape::Host,
            "long" => Shape::Long,
            "name" => Shape::Name,
            "media" => Shape::Media,
            "digits" => Shape::Digits,
            "word" => Shape::Word,
            _ => return None,
        })
    }
}

/// The schemes that are used without `//`, sorted.
pub(super) fn opaque_schemes() -> &'static [(&'static str, Shape)] {
    const TEXT: &str = include_str!("schemes.txt");
    static LINES: Lines<{ packed_len(TEXT) }> = Lines::new(TEXT);
    static SCHEMES: OnceLock<Vec<(&'static str, Shape)>> = OnceLock::new();
    SCHEMES.get_or_init(|| {
        let entry = |line: &'static str| {
            let (name, shape) = line.split_once(' ')?;
            Some((name, Shape::named(shape)?))
        };
        let mut schemes: Vec<_> = LINES.lines().filter_map(entry).collect();
        schemes.sort_unstable_by_key(|s| s.0);
        schemes
    })
}

/// The most bytes of a scheme that is used without `//`.
const LONGEST_OPAQUE: usize = 40;

/// The shape of a scheme without `//`, in any case. `None` if the list lacks the scheme.
pub(super) fn opaque_scheme(name: &str) -> Option<Shape> {
    if name.len() > LONGEST_OPAQUE {
        return None;
    }
    let mut lower = [0_u8; LONGEST_OPAQUE];
    let lower = lower.get_mut(..name.len())?;
    lower.copy_from_slice(name.as_bytes());
    lower.make_ascii_lowercase();
    let schemes = opaque_schemes();
    let at = schemes
        .binary_search_by(|s| s.0.as_bytes().cmp(lower))
        .ok()?;
    Some(schemes[at].1)
}

/// True if bytes end with a scheme without `//`, in any case.
pub(super) fn ends_with_opaque_scheme(bytes: &[u8]) -> bool {
    type ByLast = [Vec<&'static str>; 128];
    static BY_LAST: OnceLock<Box<ByLast>> = OnceLock::new();
    let by_last = BY_LAST.get_or_init(|| {
        let mut by_last = Box::new([const { Vec::new() }; 128]);
        for &(name, _) in opaque_schemes() {
            let last = name.bytes().next_back().map_or(0, usize::from);
            by_last[last & 0x7F].push(name);
        }
        by_last
    });
    let last = bytes.last().map_or(0, |b| b.to_ascii_lowercase() & 0x7F);
    by_last[usize::from(last)].iter().any(|name| {
        let start = bytes.len().checked_sub(name.len());
        let end = start.and_then(|start| bytes.get(start..));
        end.is_some_and(|end| end.eq_ignore_ascii_case(name.as_bytes()))
    })
}

/// True for schemes so common that they count even behind a word and `.` or `-`: `see.http://`.
pub(super) fn is_common_scheme(name: &str) -> bool {
    [
        "http", "https", "ftp", "ftps", "sftp", "file", "irc", "ws", "wss", "mailto",
    ]
    .iter()
    .any(|known| name.eq_ignore_ascii_case(known))
}

/// True for registered schemes whose names end with `http` or `https`.
pub(super) fn is_like_http(name: &str) -> bool {
    ["dhttp", "shttp"]
        .iter()
        .any(|known| name.eq_ignore_ascii_case(known))
}

/// True for second-level labels under which registries give out domains: `gov.rs`, `co.rs`.
pub(super) fn is_registry_label(label: &str) -> bool {
    [
        "co", "com", "org", "net", "edu", "gov", "gob", "ac", "mil", "int", "or", "ne", "go",
    ]
    .iter()
    .any(|known| label.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(file: &'static str) -> impl Iterator<Item = &'static str> {
        file.lines().filter(|line| !line.starts_with('#'))
    }

    #[test]
    fn tlds_have_a_date_and_true_native_forms() {
        let file = include_str!("tlds.txt");
        assert!(file.lines().any(|l| l.starts_with("# Version 20")));
        for line in entries(file) {
            let Some((ascii, native)) = line.split_once(' ') else {
                assert!(!line.starts_with("xn--"), "{line} without its native form");
                continue;
            };
            assert_eq!(idna::domain_to_unicode(ascii).0, native);
            assert!(tlds().contains(ascii) && tlds().contains(native));
        }
    }

    #[test]
    fn names_in_any_case() {
        assert!(tlds().contains("COM") && tlds().contains("Vermögensberatung"));
        assert!(tlds().contains("VERMÖGENSBERATUNG"));
        assert!(!tlds().contains("comx") && !tlds().contains(""));
    }

    #[test]
    fn names_differ_in_each_byte_and_in_length() {
        let alphabet = [
            '@', 'A', 'Z', '[', '`', 'a', 'z', '{', '-', '0', '\r', '\u{80}', 'é', '国',
        ];
        let (mut seed, mut found) = (9_u64, 0);
        let mut random = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize % below
        };
        for _ in 0..20_000 {
            let length = random(10);
            let mut name: Vec<char> = (0..length).map(|_| alphabet[random(14)]).collect();
            let text: String = name.iter().collect();
            let names = Names::new([text.as_str()].into_iter());
            match random(3) {
                0 if length > 0 => name[random(length)] = alphabet[random(14)],
                1 => name.truncate(random(10)),
                _ => {}
            }
            let other: String = name.iter().collect();
            let is_same = !other.is_empty() && other.to_lowercase() == text.to_lowercase();
            assert_eq!(names.contains(&other), is_same, "{text} {other}");
            let in_bytes = text
                .to_lowercase()
                .as_bytes()
                .eq_ignore_ascii_case(other.as_bytes());
            let in_bytes = in_bytes && !other.is_empty();
            assert_eq!(
                names.contains_ascii(other.as_bytes()),
                in_bytes,
                "{text} {other}"
            );
            found += usize::from(is_same);
        }
        assert!(found > 5000, "{found}");
    }

    #[test]
    fn every_scheme_line_is_read() {
        let lines = entries(include_str!("schemes.txt")).count();
        assert_eq!(opaque_schemes().len(), lines);
        assert_eq!(opaque_scheme("MailTo"), Some(Shape::Address));
        assert_eq!(opaque_scheme("http"), None);
        let longest = opaque_schemes().iter().map(|s| s.0.len()).max();
        assert!(longest.is_some_and(|longest| longest <= LONGEST_OPAQUE));
    }

    /// Schemes that are linked without `//` are registered, apart from a few in common use.
    #[test]
    fn schemes_are_registered() {
        let file = include_str!("iana_schemes.txt");
        assert!(file.lines().any(|l| l.starts_with("# 20")));
        let registered: Vec<&str> = entries(file).collect();
        assert!(registered.len() > 350 && registered.is_sorted());
        let not: Vec<&str> = opaque_schemes()
            .iter()
            .map(|s| s.0)
            .filter(|name| !registered.contains(name))
            .collect();
        assert_eq!(not, UNREGISTERED);
        let web = |name: &&&str| name.ends_with("http") || name.ends_with("https");
        let like: Vec<_> = registered.iter().filter(web).collect();
        assert_eq!(like, [&"dhttp", &"http", &"https"]);
    }

    const UNREGISTERED: &[&str] = &[
        "hdl",
        "isbn",
        "lightning",
        "litecoin",
        "monero",
        "tg",
        "uuid",
    ];
}
