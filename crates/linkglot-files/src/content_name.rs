//! Names that say what a file holds: its digest in stores by content (blobs of OCI, objects of git, annexes), its
//! length in a Maildir. Such a file has another name once it changes.

use super::source::Content;
use linkglot::error::{Error, ErrorKind};
use linkglot::rewrite::Rewriter;
use md5::Md5;
use sha1::Sha1;
use sha2::digest::{Digest, DynDigest};
use sha2::{Sha256, Sha512};
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;

/// Algorithms by the number of their digits.
const ALGORITHMS: [(usize, &str); 4] = [
    (32, "MD5"),
    (40, "SHA-1"),
    (64, "SHA-256"),
    (128, "SHA-512"),
];

/// The most directories of two digits in front of a name: `ab/cd/ef...`.
const MOST_DIRECTORIES: usize = 2;

/// The part of a name that may depend on the content.
#[derive(Debug, PartialEq, Eq)]
enum Claim {
    /// A length in bytes (`,S=1234`).
    Length(u64),
    /// Digests in lower case, which may be those of the content.
    Digests(Vec<String>),
}

/// Refuses to change a document whose name would become wrong. Reads the content only if the name may depend on it, and
/// leaves it at its begin.
///
/// # Errors
///
/// If the document would change, and its name says what it holds; errors of the reader and the rewriter.
pub fn check_name(
    path: &Path,
    content: &mut Content<'_>,
    rewriter: &Rewriter,
) -> Result<(), Error> {
    let Some(claim) = Claim::of(path) else {
        return Ok(());
    };
    let what = match content {
        Content::Whole(bytes) => claim.held_by(bytes.len() as u64, &mut &bytes[..])?,
        Content::Large(file) => claim.held_by_file(file)?,
        Content::Stream(_) => None,
    };
    let Some(what) = what else {
        return Ok(());
    };
    let summary = match content {
        Content::Whole(bytes) => rewriter.rewrite_slice(bytes).summary,
        Content::Large(file) => {
            let summary = rewriter.rewrite(&mut *file, &mut io::sink());
            file.rewind()?;
            summary?
        }
        Content::Stream(_) => return Ok(()),
    };
    if summary.is_changed() {
        return Err(refused(what));
    }
    Ok(())
}

/// Refuses a container that changed, if its name says what the old one holds.
///
/// # Errors
///
/// For such a name; when the file cannot be read.
pub(super) fn check_container(path: &Path, file: &mut File) -> Result<(), Error> {
    let Some(claim) = Claim::of(path) else {
        return Ok(());
    };
    claim
        .held_by_file(file)?
        .map_or(Ok(()), |what| Err(refused(what)))
}

/// The error for a document whose name would be wrong.
fn refused(what: &str) -> Error {
    let message =
        format!("its name gives the {what} of its content, and would be wrong after a change");
    Error::new(ErrorKind::Container, message)
}

impl Claim {
    /// The claim of a path; `None` if its name surely says nothing. Names of entries stand behind `!/`.
    fn of(path: &Path) -> Option<Self> {
        let path = path.to_string_lossy();
        let mut parts = path.rsplit(['/', '\\']);
        let name = parts.next()?;
        if let Some(length) = length_in(name) {
            return Some(Claim::Length(length));
        }
        let is_hex = |part: &str| part.bytes().all(|byte| byte.is_ascii_hexdigit());
        let mut runs: Vec<String> = name
            .split(|ch: char| !ch.is_ascii_hexdigit())
            .map(str::to_ascii_lowercase)
            .collect();
        let mut begin = runs.first().cloned().unwrap_or_default();
        let directories = parts.take(MOST_DIRECTORIES);
        for directory in directories.take_while(|part| part.len() == 2 && is_hex(part)) {
            begin.insert_str(0, &directory.to_ascii_lowercase());
            runs.push(begin.clone());
        }
        runs.retain(|run| ALGORITHMS.iter().any(|(digits, _)| *digits == run.len()));
        (!runs.is_empty()).then_some(Claim::Digests(runs))
    }

    /// The name of the property that the claim gives rightly, of a file from its begin, where it stands afterwards.
    fn held_by_file(&self, file: &mut File) -> io::Result<Option<&'static str>> {
        file.rewind()?;
        let length = file.metadata()?.len();
        let what = self.held_by(length, file)?;
        file.rewind()?;
        Ok(what)
    }

    /// The name of the property that the claim gives rightly.
    fn held_by(&self, length: u64, reader: &mut dyn Read) -> io::Result<Option<&'static str>> {
        let digests = match self {
            Claim::Length(claimed) => return Ok((*claimed == length).then_some("length")),
            Claim::Digests(digests) => digests,
        };
        let is_claimed = |digits| digests.iter().any(|digest| digest.len() == digits);
        let claimed = ALGORITHMS.iter().filter(|(digits, _)| is_claimed(*digits));
        let mut hashers: Vec<_> = claimed
            .flat_map(|&(digits, name)| hashers(digits, length).map(move |hasher| (name, hasher)))
            .collect();
        let mut buffer = vec![0; 64 << 10];
        loop {
            let read = match reader.read(&mut buffer) {
                Ok(0) => break,
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            for (_, hasher) in &mut hashers {
                hasher.update(&buffer[..read]);
            }
        }
        let mut hashers = hashers.into_iter();
        Ok(hashers
            .find_map(|(name, hasher)| digests.contains(&hex(&hasher.finalize())).then_some(name)))
    }
}

/// The length in a name of a Maildir: `1700000000.M1P2.host,S=1234,W=1250:2,S`.
fn length_in(name: &str) -> Option<u64> {
    let (_, behind) = name.split_once(",S=")?;
    let end = behind.find(|ch: char| !ch.is_ascii_digit());
    behind[..end.unwrap_or(behind.len())].parse().ok()
}

/// Hashers for digests of so many digits. Git hashes a blob with its length in front.
fn hashers(digits: usize, length: u64) -> impl Iterator<Item = Box<dyn DynDigest>> {
    let blob = format!("blob {length}\0");
    let hashers: Vec<Box<dyn DynDigest>> = match digits {
        32 => vec![Box::new(Md5::new())],
        40 => vec![
            Box::new(Sha1::new()),
            Box::new(Sha1::new_with_prefix(&blob)),
        ],
        64 => vec![
            Box::new(Sha256::new()),
            Box::new(Sha256::new_with_prefix(&blob)),
        ],
        _ => vec![Box::new(Sha512::new())],
    };
    hashers.into_iter()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_say_what_a_file_holds() {
        // `git hash-object`, `md5sum` and the like of "hello\n".
        let content = b"hello\n";
        let md5 = "b1946ac92492d2347c6235b4d2611184";
        let sha1 = "f572d396fae9206628714fb2ce00f72e94f2258f";
        let sha256 = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03";
        let blob = "ce013625030ba8dba906f756967f9e9ca394464a";
        for (path, expected) in [
            (format!("a/{md5}"), Some("MD5")),
            (format!("a/app.{}.js", md5.to_uppercase()), Some("MD5")),
            (format!("SHA1-s6--{sha1}.txt"), Some("SHA-1")),
            (format!("a.tar!/blobs/sha256/{sha256}"), Some("SHA-256")),
            (
                format!("objects/{}/{}", &blob[..2], &blob[2..]),
                Some("SHA-1"),
            ),
            (
                format!("{}/{}/{}.txt", &md5[..2], &md5[2..4], &md5[4..]),
                Some("MD5"),
            ),
            (format!("{}/{md5}", &md5[..2]), Some("MD5")),
            ("cur/1.M2P3.a,S=6,W=7:2,S".to_owned(), Some("length")),
            ("cur/1.M2P3.a,S=7:2,S".to_owned(), None),
            (format!("a/{}", md5.replace('b', "c")), None),
            (format!("{md5}/a"), None),
            ("a.html".to_owned(), None),
        ] {
            let claim = Claim::of(Path::new(&path));
            let what = claim.map(|claim| claim.held_by(6, &mut &content[..]).unwrap());
            assert_eq!(what.flatten(), expected, "{path}");
        }
        assert_eq!(Claim::of(Path::new("ab/cd/a.html")), None);
    }
}
