//! The base of each file, by its path below the named directory.

use super::entry::FileEntry;
use super::walk::Root;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// The bases of files whose documents name none.
#[derive(Clone, Debug)]
pub struct Bases {
    base: Option<Arc<str>>,
    /// The paths named by the user.
    roots: Vec<PathBuf>,
}

impl Bases {
    /// Prepares the bases of files below these roots.
    pub fn new(base: Option<Arc<str>>, roots: &[Root]) -> Self {
        Bases {
            base,
            roots: roots.iter().map(|root| root.path().to_owned()).collect(),
        }
    }

    /// The base of a file. A base that ends with a slash belongs to the named directory, and the file's path below that
    /// directory is added to it.
    pub fn for_file(&self, entry: &FileEntry) -> Option<Arc<str>> {
        let base = self.base.as_ref()?;
        let is_directory = base.ends_with('/') && !base.contains(['?', '#']);
        let (path, below) = entry.resolves_from();
        // A named archive is like a directory.
        if let Some(below) = below.filter(|_| is_directory && entry.named) {
            return Some([base, reference(below).as_str()].concat().into());
        }
        let root = self
            .roots
            .get(entry.root)
            .filter(|_| is_directory && !entry.named);
        let below = root.and_then(|root| path.strip_prefix(root).ok());
        Some(match below.map(reference) {
            Some(below) => [base, below.as_str()].concat().into(),
            None => Arc::clone(base),
        })
    }
}

/// Converts a relative path to a reference: all but unreserved characters are percent-encoded (RFC 3986 3.3).
fn reference(path: &Path) -> String {
    let names = path.components().filter_map(|part| match part {
        Component::Normal(name) => Some(name.as_encoded_bytes()),
        _ => None,
    });
    let encoded = names.map(|name| name.iter().map(|&byte| octet(byte)).collect::<String>());
    encoded.collect::<Vec<_>>().join("/")
}

fn octet(byte: u8) -> String {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
            char::from(byte).into()
        }
        _ => format!("%{byte:02X}"),
    }
}
