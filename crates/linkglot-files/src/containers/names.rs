//! Names of entries, and places in containers.

use super::budget::Budget;
use crate::archived::Archived;
use crate::container_name::inner_name;
use crate::entry::{BasePlace, FileEntry, Inside};
use linkglot::notes::Note;
use linkglot::rewrite::Package;
use linkglot_charset::Charset;
use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

/// The charset of names in zip archives that name no other (APPNOTE D.1).
static CP437: LazyLock<Option<Charset>> = LazyLock::new(|| Charset::for_label("cp437").ok());

/// The mark between the name of an archive and that of an entry.
pub(super) const SEPARATOR: &str = "!/";

/// A place in a container.
#[derive(Clone, Debug)]
pub struct Spot {
    /// The path of the file, and the names of entries.
    pub path: PathBuf,
    /// The path by which the format is known: without the extension of a compressed file.
    pub name: PathBuf,
    /// The path below the file; `None` for the document of a compressed file.
    pub below: Option<PathBuf>,
    /// True if a signature covers the whole package.
    pub is_signed: bool,
    /// The reason why a container around it cannot get other bytes, if there is one.
    pub left: Option<Note>,
    /// The names of columns of the workbook around it.
    pub columns: Arc<HashSet<String>>,
    /// The package that it is a part of.
    pub package: Option<Package>,
    /// The place that references of the document resolve from, if that is not its own: the package around it.
    pub resolves_from: Option<Arc<BasePlace>>,
    /// The record of an archive of the web around it.
    pub archived: Option<Arc<Archived>>,
    /// Number of containers around it.
    pub(super) depth: u32,
    pub(super) budget: Option<Budget>,
}

impl Spot {
    /// The place of a file.
    pub fn file(path: &Path) -> Self {
        Spot {
            path: path.to_owned(),
            name: path.to_owned(),
            below: None,
            is_signed: false,
            left: None,
            columns: Arc::default(),
            package: None,
            resolves_from: None,
            archived: None,
            depth: 0,
            budget: None,
        }
    }

    /// True if nothing more may be decompressed here: one error, outside, suffices.
    pub(super) fn is_spent(&self) -> bool {
        self.budget.as_ref().is_some_and(Budget::is_spent)
    }

    /// The place as one that references resolve from.
    pub(super) fn as_base(&self) -> BasePlace {
        BasePlace {
            path: self.path.clone(),
            below: self.below.clone(),
        }
    }

    /// The entry of a walk for the document here, in a file.
    pub fn in_file(&self, file: &FileEntry) -> FileEntry {
        let place = Inside {
            name: self.name.clone(),
            below: self.below.clone(),
            archived: self.archived.clone(),
            resolves_from: self.resolves_from.clone(),
        };
        file.inside(self.path.clone(), place)
    }

    /// True for what is in a container, unlike the file itself.
    pub fn is_in_container(&self) -> bool {
        self.depth > 0
    }

    /// The place of the content of a compressed file.
    pub fn decompressed(&self) -> Self {
        Spot {
            name: inner_name(&self.name),
            archived: self.archived_around(),
            depth: self.depth + 1,
            ..self.clone()
        }
    }

    /// The record around an entry: its header says nothing of the entry.
    fn archived_around(&self) -> Option<Arc<Archived>> {
        let archived = self.archived.as_ref();
        archived.map(|archived| Arc::new(archived.outer()))
    }

    /// The place of an entry of an archive.
    pub fn entry(&self, name: &OsStr) -> Self {
        let path = appended(&self.path, name);
        let below = match &self.below {
            Some(below) => appended(below, name),
            None => PathBuf::from(name),
        };
        Spot {
            name: path.clone(),
            path,
            below: Some(below),
            package: None,
            resolves_from: None,
            archived: self.archived_around(),
            depth: self.depth + 1,
            ..self.clone()
        }
    }
}

fn appended(path: &Path, name: &OsStr) -> PathBuf {
    let mut whole = path.as_os_str().to_owned();
    whole.push(SEPARATOR);
    whole.push(name);
    whole.into()
}

/// The name of an entry of a tar archive, whose bytes stay as they are. Without the `./` in front.
pub(super) fn of_tar(name: &[u8]) -> OsString {
    let below = name.strip_prefix(b"./").filter(|below| !below.is_empty());
    os_string(below.unwrap_or(name))
}

/// The name of an entry of a zip archive. Names that are UTF-8 are read so, whether or not the archive says it.
pub(super) fn of_zip(name: &[u8], is_utf8: bool) -> OsString {
    match (std::str::from_utf8(name), *CP437) {
        (Ok(name), _) => name.into(),
        (Err(_), Some(charset)) if !is_utf8 => charset.decode(name).into_owned().into(),
        _ => os_string(name),
    }
}

#[cfg(unix)]
fn os_string(name: &[u8]) -> OsString {
    std::os::unix::ffi::OsStringExt::from_vec(name.to_vec())
}

#[cfg(not(unix))]
fn os_string(name: &[u8]) -> OsString {
    String::from_utf8_lossy(name).into_owned().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_entries() {
        assert_eq!(of_tar(b"./a/b"), "a/b");
        assert_eq!(of_tar(b"./"), "./");
        assert_eq!(of_zip("é".as_bytes(), false), "é");
        assert_eq!(of_zip(b"\x82.html", false), "é.html");
        let inside = Spot::file(Path::new("d/site.tar.gz")).decompressed();
        assert_eq!(inside.name, Path::new("d/site.tar"));
        let entry = inside.entry("a.zip".as_ref()).entry("b/c.html.gz".as_ref());
        assert_eq!(entry.path, Path::new("d/site.tar.gz!/a.zip!/b/c.html.gz"));
        assert_eq!(
            entry.below.as_deref(),
            Some(Path::new("a.zip!/b/c.html.gz"))
        );
        let entry = entry.decompressed();
        assert_eq!(entry.name, Path::new("d/site.tar.gz!/a.zip!/b/c.html"));
        assert_eq!(entry.depth, 4);
    }
}
