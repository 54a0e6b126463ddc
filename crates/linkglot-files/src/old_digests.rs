//! The digests that a run makes out of date: a list of digests, or a page with subresource integrity, is wrong once a
//! file has another content.

use super::digest_lists::has_lists;
use super::digests::{digests, texts};
use super::parallel::lock;
use super::positioned::Positioned;
use super::source::Source;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The attribute of subresource integrity. A page with the word is searched for digests from begin to end.
const INTEGRITY: &[u8] = b"integrity";

/// Extensions of files that pages check: scripts and style sheets (SRI 3.4).
const CHECKED: [&str; 4] = ["js", "mjs", "cjs", "css"];

/// Finds the digests that a run makes out of date: those of files that change, and those that pages give.
///
/// ```
/// use linkglot_files::OldDigests;
///
/// let text = b"<script src=a.js integrity='sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='></script>";
/// assert_eq!(OldDigests::of_page(text).len(), 1);
/// assert!(OldDigests::of_page(b"integrity is a virtue").is_empty());
/// ```
#[derive(Debug, Default)]
pub struct OldDigests {
    /// The directories on the path of the last file, outermost first, and whether they have lists.
    directories: Mutex<Vec<(PathBuf, bool)>>,
}

impl OldDigests {
    /// Hashes of the digests of a file, if lists or pages may have these. The file is read as it was opened, also when
    /// another one is in its place. Cost: five digests are computed.
    pub fn of_file(&self, source: &Source) -> Vec<u64> {
        if !source.is_regular() || !self.may_be_listed(source.path()) {
            return Vec::new();
        }
        digests(Positioned::new(source.file())).unwrap_or_default()
    }

    fn may_be_listed(&self, file: &Path) -> bool {
        let extension = file.extension().unwrap_or_default();
        if CHECKED
            .iter()
            .any(|known| extension.eq_ignore_ascii_case(known))
        {
            return true;
        }
        let file = file.strip_prefix(".").unwrap_or(file);
        let directory = file.parent().unwrap_or(Path::new(""));
        let all: Vec<_> = directory.ancestors().collect();
        let mut directories = lock(&self.directories);
        directories.retain(|(known, _)| all.contains(&known.as_path()));
        for new in all.into_iter().rev().skip(directories.len()) {
            directories.push((new.to_owned(), has_lists(new)));
        }
        directories.iter().any(|(_, has_lists)| *has_lists)
    }

    /// Hashes of the digests in a page with subresource integrity. Linear.
    pub fn of_page(text: &[u8]) -> Vec<u64> {
        if memchr::memmem::find(text, INTEGRITY).is_none() {
            return Vec::new();
        }
        texts(text).collect()
    }
}
