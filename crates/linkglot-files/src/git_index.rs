//! The index of git (gitformat-index(5)): the paths of the files that it tracks. Git ignores none of these.

use std::fs;
use std::path::Path;

/// Length of the data of a file in front of its object name.
const STAT: usize = 40;

/// The bit of the flags that says that more flags follow.
const EXTENDED: u16 = 0x4000;

/// Most times that the names may be as long as the index: compressed ones could be of any length.
const MOST: usize = 16;

/// Tracked paths below the top of a work tree, in the order of their bytes.
#[derive(Debug, Default)]
pub(super) struct Tracked {
    names: Vec<u8>,
    /// The end of each name.
    ends: Vec<usize>,
}

/// The relation of a path to the tracked paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tracking {
    /// The path is tracked.
    Itself,
    /// A file below the path is tracked.
    Below,
    Nothing,
}

/// The layout of an index.
#[derive(Clone, Copy)]
struct Layout {
    version: u32,
    /// Length of the name of an object: 20 bytes of SHA-1, or 32 of SHA-256.
    object: usize,
}

impl Tracked {
    /// Reads an index with object names of `object` bytes. An index that is missing, damaged or split tracks nothing.
    /// Linear.
    pub fn read(index: &Path, object: usize) -> Self {
        let index = Some(index).filter(|index| index.is_file());
        let bytes = index.and_then(|index| fs::read(index).ok());
        let tracked = bytes.and_then(|bytes| Tracked::of(&bytes, object));
        tracked.unwrap_or_default()
    }

    fn of(bytes: &[u8], object: usize) -> Option<Self> {
        // The file ends with its checksum.
        let bytes = bytes.get(..bytes.len().checked_sub(object)?)?;
        let rest = bytes.strip_prefix(b"DIRC")?;
        let layout = Layout {
            version: number(rest)?,
            object,
        };
        let count = number(rest.get(4..)?)?;
        let mut rest = rest.get(8..)?;
        let mut tracked = Tracked::default();
        for _ in 0..count {
            rest = tracked.push_entry(rest, layout)?;
            if tracked.names.len() / MOST > bytes.len() {
                return None;
            }
        }
        (!is_split(rest)).then_some(tracked)
    }

    /// Adds the entry at the beginning of `bytes`. Returns the bytes behind it.
    fn push_entry<'b>(&mut self, bytes: &'b [u8], layout: Layout) -> Option<&'b [u8]> {
        let at = STAT + layout.object;
        let flags = u16::from_be_bytes(*bytes.get(at..)?.first_chunk()?);
        let at = at + if flags & EXTENDED == 0 { 2 } else { 4 };
        let rest = bytes.get(at..)?;
        match layout.version {
            2 | 3 => {
                let name = self.push_name(rest)?;
                // NUL bytes, at least one, pad an entry to a multiple of eight bytes.
                bytes.get((at + name + 8) / 8 * 8..)
            }
            // The name begins like the name in front, without some bytes of the end of that.
            4 => {
                let (dropped, rest) = variable_number(rest)?;
                let start = self.start(self.ends.len().saturating_sub(1));
                let end = self.names.len().checked_sub(dropped)?;
                if end > start {
                    self.names.extend_from_within(start..end);
                }
                let name = self.push_name(rest)?;
                rest.get(name + 1..)
            }
            _ => None,
        }
    }

    /// Appends the bytes up to a NUL to the last name, which they end. Returns their number.
    fn push_name(&mut self, bytes: &[u8]) -> Option<usize> {
        let length = bytes.iter().position(|&byte| byte == 0)?;
        self.names.extend_from_slice(&bytes[..length]);
        self.ends.push(self.names.len());
        Some(length)
    }

    /// The relation of a path, with slashes, to the tracked paths. Logarithmic.
    pub fn tracking(&self, path: &[u8]) -> Tracking {
        // In the order of bytes, other names (`a-b`) may stand between a name (`a`) and the names below it (`a/b`).
        let below = [path, b"/"].concat();
        if self.first_from(path) == Some(path) {
            Tracking::Itself
        } else if self
            .first_from(&below)
            .is_some_and(|name| name.starts_with(&below))
        {
            Tracking::Below
        } else {
            Tracking::Nothing
        }
    }

    /// The first name that is not less than `path`.
    fn first_from(&self, path: &[u8]) -> Option<&[u8]> {
        let (mut low, mut high) = (0, self.ends.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.name(middle) < path {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        (low < self.ends.len()).then(|| self.name(low))
    }

    fn name(&self, at: usize) -> &[u8] {
        &self.names[self.start(at)..self.ends[at]]
    }

    fn start(&self, at: usize) -> usize {
        at.checked_sub(1).map_or(0, |before| self.ends[before])
    }
}

/// True if an extension says that most entries are in another file.
fn is_split(mut extensions: &[u8]) -> bool {
    while let Some((name, rest)) = extensions.split_at_checked(4) {
        if name == b"link" {
            return true;
        }
        let length = number(rest).and_then(|length| usize::try_from(length).ok());
        let end = length.and_then(|length| length.checked_add(4));
        extensions = end.and_then(|end| rest.get(end..)).unwrap_or_default();
    }
    false
}

/// The number in the first four bytes.
fn number(bytes: &[u8]) -> Option<u32> {
    Some(u32::from_be_bytes(*bytes.first_chunk()?))
}

/// A number of variable length, as offsets in packs have it, and the bytes behind it.
fn variable_number(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let mut number = 0_usize;
    for (at, &byte) in bytes.iter().enumerate() {
        number = number
            .checked_mul(128)?
            .checked_add(usize::from(byte & 127))?;
        if byte < 128 {
            return Some((number, &bytes[at + 1..]));
        }
        number += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An index with these names.
    fn index(version: u32, names: &[&str], extension: &[u8]) -> Vec<u8> {
        let mut bytes = b"DIRC".to_vec();
        bytes.extend(version.to_be_bytes());
        bytes.extend(u32::try_from(names.len()).unwrap().to_be_bytes());
        let mut last = "";
        for name in names {
            let start = bytes.len();
            bytes.extend([7; STAT + 20]);
            match version {
                3 => bytes.extend([0x40, 0, 0, 0]),
                _ => bytes.extend([0, 0]),
            }
            if version == 4 {
                let same = last
                    .bytes()
                    .zip(name.bytes())
                    .take_while(|(a, b)| a == b)
                    .count();
                let dropped = last.len() - same;
                if dropped > 127 {
                    bytes.push(u8::try_from(dropped / 128 - 1).unwrap() | 128);
                }
                bytes.push(u8::try_from(dropped % 128).unwrap());
                bytes.extend(&name.as_bytes()[same..]);
                bytes.push(0);
            } else {
                bytes.extend(name.as_bytes());
                bytes.resize(start + (bytes.len() - start + 8) / 8 * 8, 0);
            }
            last = name;
        }
        bytes.extend(extension);
        bytes.extend([9; 20]);
        bytes
    }

    #[test]
    fn names_of_a_hostile_index_are_bounded() {
        let long = "x".repeat(10_000);
        let names = [&*long; 2_000];
        assert!(Tracked::of(&index(2, &names, b""), 20).is_some());
        assert!(Tracked::of(&index(4, &names, b""), 20).is_none());
    }

    #[test]
    fn tracked_paths() {
        let long = format!("d/{}", "x".repeat(300));
        let names = ["a", "b-c", "b/a.html", "b/c/d", &long, "e"];
        for version in 2..=4 {
            let bytes = index(version, &names, b"TREE\0\0\0\x02ab");
            let tracked = Tracked::of(&bytes, 20).unwrap();
            for name in names {
                assert_eq!(
                    tracked.tracking(name.as_bytes()),
                    Tracking::Itself,
                    "{name}"
                );
            }
            for name in ["b", "b/c", "d"] {
                assert_eq!(tracked.tracking(name.as_bytes()), Tracking::Below, "{name}");
            }
            for name in ["", "0", "b/a", "b/a.html/x", "c", "f", "b-"] {
                assert_eq!(
                    tracked.tracking(name.as_bytes()),
                    Tracking::Nothing,
                    "{name}"
                );
            }
            // No prefix makes it panic, and none that is cut within the entries is read.
            let entries = bytes.len() - 10;
            for end in 0..bytes.len() {
                assert!(Tracked::of(&bytes[..end], 20).is_none() || end >= entries);
            }
        }
        assert!(Tracked::of(&index(2, &names, b"link\0\0\0\0"), 20).is_none());
        assert!(Tracked::of(&index(5, &names, b""), 20).is_none());
    }
}
