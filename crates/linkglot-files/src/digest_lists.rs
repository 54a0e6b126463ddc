//! Lists of digests beside files that a run changes: manifests of BagIt (RFC 8493), files of `sha256sum`, `RECORD` of
//! packages of Python and the like; pages with subresource integrity; and signatures beside such files.
//!
//! Nothing but the directories of changed files, and those above them as far as their paths go, is looked at.

use super::digests::texts;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// Words in the names of lists.
const WORDS: [&str; 13] = [
    "md5",
    "sha1",
    "sha2",
    "sha3",
    "sha5",
    "blake",
    "b2sum",
    "b3sum",
    "checksum",
    "sfv",
    "digest",
    "hashes",
    "integrity",
];

/// The directory of an installed package of Python, beside its files, and the list in it.
const DIST_INFO: &str = ".dist-info";
const RECORD: &str = "RECORD";

/// Extensions of signatures and time stamps of a file with the rest of their name: OpenPGP, signify, minisign, CMS, RFC
/// 3161, OpenTimestamps.
const SIGNATURES: [&str; 7] = ["asc", "sig", "sign", "minisig", "p7s", "tsr", "ots"];

/// The most lists that are read or named. Of others only digests of single files count.
const MOST_LISTS: usize = 1000;

/// The most bytes of a line that are read at once.
const LONGEST_LINE: u64 = 1 << 16;

/// The fewest digits of a digest: those of CRC-32.
const FEWEST_DIGITS: usize = 8;

/// The lists beside changed files. Takes files in any order; going directory by directory costs least. Memory: eight
/// bytes for each changed file in or below a directory with a list.
///
/// ```
/// use linkglot_files::DigestLists;
///
/// # let place = tempfile::tempdir()?;
/// let bag = place.path();
/// std::fs::create_dir(bag.join("data"))?;
/// std::fs::write(bag.join("manifest-md5.txt"), "d41d8cd98f00b204e9800998ecf8427e  data/a.html\n")?;
/// let mut lists = DigestLists::default();
/// lists.add_changed(&bag.join("data/a.html"));
/// let stale = lists.stale();
/// assert_eq!(stale.lists, [(bag.join("manifest-md5.txt"), 1)]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct DigestLists {
    /// The directories on the path of the last file, outermost first.
    directories: Vec<Directory>,
    lists: BTreeSet<PathBuf>,
    /// The hashes of the paths of changed files.
    changed: HashSet<u64>,
    /// The hashes of digests of their old contents, by which they are known where they are not named.
    digests: HashSet<u64>,
    /// Pages with subresource integrity, and the hashes of the digests in them.
    pages: Vec<(PathBuf, Vec<u64>)>,
    stale: StaleDigests,
}

/// Digests of files that a run changed.
#[derive(Clone, Debug, Default)]
pub struct StaleDigests {
    /// The number of digests, those within signatures included.
    pub digests: u64,
    /// The paths of the first lists and signatures with such digests, and how many each has.
    pub lists: Vec<(PathBuf, u64)>,
}

impl StaleDigests {
    /// True for the path of a signature of one file, by its extension.
    ///
    /// ```
    /// use linkglot_files::StaleDigests;
    ///
    /// assert!(StaleDigests::is_signature("a.html.asc".as_ref()));
    /// assert!(!StaleDigests::is_signature("a.html.sha256".as_ref()));
    /// ```
    pub fn is_signature(path: &Path) -> bool {
        let extension = path.extension().unwrap_or_default();
        let mut known = SIGNATURES.iter();
        known.any(|known| extension.eq_ignore_ascii_case(known))
    }
}

/// The lists in a directory.
#[derive(Debug, Default)]
struct Directory {
    path: PathBuf,
    /// The paths of lists of many files.
    lists: Vec<PathBuf>,
    /// The lists for single files in the directory (`a.html.sha256`, `a.html.asc`), by the names of these.
    single: HashMap<OsString, Vec<PathBuf>>,
}

impl DigestLists {
    /// Adds a file that changes. Lists the directories on its path that are not on that of the last file.
    pub fn add_changed(&mut self, file: &Path) {
        let file = file.strip_prefix(".").unwrap_or(file);
        let directory = file.parent().unwrap_or(Path::new(""));
        let all: Vec<_> = directory.ancestors().collect();
        self.directories
            .retain(|known| all.contains(&known.path.as_path()));
        let new = all.into_iter().rev().skip(self.directories.len());
        self.directories.extend(new.map(Directory::read));
        let single = self.directories.last().zip(file.file_name());
        for list in single
            .into_iter()
            .flat_map(|(own, name)| own.of_single(name))
        {
            self.stale.add(list, 1);
        }
        let lists = self.directories.iter().flat_map(|known| &known.lists);
        let mut lists = lists.peekable();
        if lists.peek().is_some() {
            let name = file.as_os_str().as_encoded_bytes();
            self.changed.insert(hash_of(&[name]));
        }
        for list in lists {
            if self.lists.len() < MOST_LISTS {
                self.lists.insert(list.clone());
            }
        }
    }

    /// Adds the digests of the old content of a file that changes: see [`OldDigests`](crate::OldDigests).
    pub fn add_digests(&mut self, digests: &[u64]) {
        self.digests.extend(digests);
    }

    /// Adds a page with digests of other files.
    pub fn add_page(&mut self, page: &Path, digests: Vec<u64>) {
        if !digests.is_empty() {
            self.pages.push((page.to_owned(), digests));
        }
    }

    /// Reads the lists. Lists that cannot be read name no file. Linear in their lengths.
    pub fn stale(mut self) -> StaleDigests {
        for (page, digests) in std::mem::take(&mut self.pages) {
            let is_stale = |digest: &&u64| self.digests.contains(digest);
            let count = digests.iter().filter(is_stale).count() as u64;
            if count > 0 {
                self.stale.add(&page, count);
            }
        }
        for list in &self.lists {
            let digests = self.count(list).unwrap_or_default();
            if digests > 0 {
                self.stale.add(list, digests);
            }
        }
        self.stale
    }

    /// The number of digests of changed files in a list.
    fn count(&self, list: &Path) -> io::Result<u64> {
        let mut directory = list.parent().unwrap_or(Path::new(""));
        if list.file_name() == Some(OsStr::new(RECORD)) {
            directory = directory.parent().unwrap_or(Path::new(""));
        }
        let prefix = directory.join("");
        let prefix = prefix.as_os_str().as_encoded_bytes();
        let mut reader = BufReader::new(File::open(list)?);
        let (mut line, mut count) = (Vec::new(), 0);
        // Bytes in front of the first digest: a file with many is no list.
        let mut before = Some(0);
        loop {
            line.clear();
            let mut rest = reader.by_ref().take(LONGEST_LINE);
            let read = rest.read_until(b'\n', &mut line)?;
            if read == 0 || before > Some(LONGEST_LINE) {
                return Ok(count);
            }
            let is_changed = |name: &[u8]| self.changed.contains(&hash_of(&[prefix, name]));
            let name = name_in(&line);
            let is_listed = name.is_some_and(|name| {
                is_changed(name) || name.contains(&b'%') && is_changed(&decoded(name))
            });
            let mut digests = texts(&line).peekable();
            before = match before {
                Some(before) if name.is_none() && digests.peek().is_none() => {
                    Some(before + read as u64)
                }
                _ => None,
            };
            count += if is_listed {
                1
            } else {
                digests
                    .filter(|digest| self.digests.contains(digest))
                    .count() as u64
            };
        }
    }
}

impl StaleDigests {
    /// Adds a list, unless it is known: a message with archives is announced twice.
    fn add(&mut self, list: &Path, digests: u64) {
        let mut known = self.lists.iter();
        if known.any(|(known, _)| known.as_os_str() == list.as_os_str()) {
            return;
        }
        self.digests += digests;
        if self.lists.len() < MOST_LISTS {
            self.lists.push((list.to_owned(), digests));
        }
    }
}

impl Directory {
    /// Lists a directory. One that cannot be read has no lists.
    fn read(path: &Path) -> Self {
        let here = if path.as_os_str().is_empty() {
            Path::new(".")
        } else {
            path
        };
        let mut directory = Directory {
            path: path.to_owned(),
            ..Directory::default()
        };
        for entry in fs::read_dir(here).into_iter().flatten().flatten() {
            let name = entry.file_name();
            if name.to_string_lossy().ends_with(DIST_INFO) {
                let record = path.join(&name).join(RECORD);
                directory.lists.extend(record.is_file().then_some(record));
                continue;
            }
            let is_file = || entry.file_type().is_ok_and(|kind| kind.is_file());
            let is_signature = StaleDigests::is_signature(Path::new(&name));
            let is_known = is_signature || is_list(&name.to_string_lossy());
            if !is_known || !is_file() {
                continue;
            }
            let list = path.join(&name);
            match list.with_extension("") {
                file if file != list && file.is_file() => {
                    let file = file.file_name().unwrap_or_default().to_owned();
                    directory.single.entry(file).or_default().push(list);
                }
                _ if is_signature => {}
                _ => directory.lists.push(list),
            }
        }
        directory
    }

    fn of_single(&self, file: &OsStr) -> &[PathBuf] {
        self.single.get(file).map_or(&[], Vec::as_slice)
    }
}

/// True if a directory has lists.
pub(super) fn has_lists(directory: &Path) -> bool {
    let Directory { lists, single, .. } = Directory::read(directory);
    !lists.is_empty() || !single.is_empty()
}

/// True for the name of a list: `SHA256SUMS`, `manifest-sha512.txt`, `a.html.md5`, `checksums.txt`.
fn is_list(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    WORDS.iter().any(|word| name.contains(word))
}

/// The name of the file in a line of a list, relative to the directory of the list: `HEX  NAME`, `HEX *NAME`,
/// `SHA256 (NAME) = HEX`, `NAME HEX`.
fn name_in(line: &[u8]) -> Option<&[u8]> {
    let line = line.trim_ascii();
    let is_digest =
        |text: &[u8]| text.len() >= FEWEST_DIGITS && text.iter().all(u8::is_ascii_hexdigit);
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let first = line.iter().position(is_blank)?;
    let last = line.iter().rposition(is_blank)?;
    let (head, tail) = (&line[..first], line[first..].trim_ascii());
    let name = if is_digest(head) {
        tail.strip_prefix(b"*").unwrap_or(tail)
    } else if is_digest(&line[last + 1..]) {
        let name = line[..last].trim_ascii();
        let tagged = || {
            tail.strip_prefix(b"(")?
                .rsplit(|byte| *byte == b'=')
                .nth(1)
                .map(|_| ())
        };
        match tagged() {
            Some(()) => {
                let end = tail.windows(3).rposition(|text| text == b") =")?;
                tail.get(1..end)?
            }
            None => name,
        }
    } else {
        return None;
    };
    Some(name.strip_prefix(b"./").unwrap_or(name))
}

/// A path of BagIt without its escapes: those of line ends and of `%` (RFC 8493 2.1.3).
fn decoded(name: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(name.len());
    let mut rest = name;
    while let Some((&first, behind)) = rest.split_first() {
        let escape = match rest.get(1..3) {
            Some(b"25") => Some(b'%'),
            Some(b"0A" | b"0a") => Some(b'\n'),
            Some(b"0D" | b"0d") => Some(b'\r'),
            _ => None,
        };
        match escape.filter(|_| first == b'%') {
            Some(byte) => {
                out.push(byte);
                rest = &rest[3..];
            }
            None => {
                out.push(first);
                rest = behind;
            }
        }
    }
    out
}

/// The hash of a path, whose separators are slashes.
fn hash_of(parts: &[&[u8]]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for &byte in parts.iter().copied().flatten() {
        let is_separator = cfg!(windows) && byte == b'\\';
        (if is_separator { b'/' } else { byte }).hash(&mut hasher);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_lines() {
        for (line, name) in [
            ("d41d8cd9  data/a b.html\r\n", Some("data/a b.html")),
            ("d41d8cd9 *./a.html", Some("a.html")),
            ("d41d8cd9\tdata/a.html", Some("data/a.html")),
            ("SHA256 (a (1).html) = d41d8cd9", Some("a (1).html")),
            ("a b.html D41D8CD9", Some("a b.html")),
            ("; a.html is new", None),
            ("d41d8cd9", None),
            ("", None),
        ] {
            assert_eq!(name_in(line.as_bytes()), name.map(str::as_bytes), "{line}");
        }
        assert_eq!(decoded(b"a%250A%0Ab%41"), b"a%0A\nb%41");
    }

    #[test]
    fn names_of_lists() {
        for name in [
            "SHA256SUMS",
            "manifest-sha512.txt",
            "MD5SUMS",
            "a.html.b2sum",
            "a.sfv",
        ] {
            assert!(is_list(name), "{name}");
        }
        assert!(!is_list("a.html") && !is_list("shadow.txt") && !is_list("manifest.txt"));
    }

    /// Lists above, beside, and for single files; each is counted once, whatever the order of the files.
    #[test]
    fn lists_on_the_path() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path();
        let write = |name: &str, text: &str| {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write(
            "SHA256SUMS",
            "d41d8cd9  d/a.html\nd41d8cd9  d/b.html\nd41d8cd9  d/e/a.html\n",
        );
        write("d/MD5SUMS", "d41d8cd9  a.html\n");
        write("d/a.html", "");
        write("d/a.html.md5", "d41d8cd9");
        write("d/a.html.asc", "-----BEGIN PGP SIGNATURE-----");
        write("d/b.html", "");
        write("d/b.asc", "d41d8cd9  a.html");
        write("f/MD5SUMS", "d41d8cd9  a.html\n");
        let mut lists = DigestLists::default();
        for file in ["d/a.html", "d/e/a.html", "f/b.html", "d/c.html"] {
            lists.add_changed(&root.join(file));
        }
        let StaleDigests { digests, mut lists } = lists.stale();
        lists.sort();
        let expected = [
            ("SHA256SUMS", 2),
            ("d/MD5SUMS", 1),
            ("d/a.html.asc", 1),
            ("d/a.html.md5", 1),
        ];
        assert_eq!(
            lists,
            expected.map(|(name, count)| (root.join(name), count))
        );
        assert_eq!(digests, 5);
    }
}
