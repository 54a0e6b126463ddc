//! The base of each file: where it stands below the directory that was named.

use super::args::DocumentArgs;
use super::inputs::Inputs;
use linkglot::driver::FileEntry;
use std::path::{Component, Path, PathBuf};

/// What relative references of files resolve against, if their documents do not say it.
pub struct Bases {
    base: Option<String>,
    /// The directories and files that were named.
    roots: Vec<PathBuf>,
}

impl Bases {
    pub fn new(args: &DocumentArgs, inputs: &Inputs) -> Self {
        Bases {
            base: args.base.clone(),
            roots: inputs
                .roots
                .iter()
                .map(|root| root.path().to_owned())
                .collect(),
        }
    }

    /// The base of a file: one that ends with a slash is that of the directory in which it was come upon.
    pub fn of(&self, entry: &FileEntry) -> Option<String> {
        let base = self.base.as_ref()?;
        let is_directory = base.ends_with('/') && !base.contains(['?', '#']);
        let root = self
            .roots
            .get(entry.root)
            .filter(|_| is_directory && !entry.named);
        let below = root.and_then(|root| entry.path.strip_prefix(root).ok());
        Some(base.clone() + &below.map(reference).unwrap_or_default())
    }
}

/// A relative path as a reference (RFC 3986 3.3): all but what is unreserved is percent-encoded.
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
