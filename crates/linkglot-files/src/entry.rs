//! A file found by a walk, and the way to it from the directory where the walk began.

use super::archived::Archived;
use super::directory::{Directory, Links, Place, is_refused_link};
use super::fate::{Fate, Role};
use super::journal::Journal;
use super::remedy::Remedy;
use super::replace::TempFiles;
use super::stamp::Stamp;
use linkglot::error::Error;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file to read.
#[derive(Clone, Debug)]
pub struct FileEntry {
    /// The path, which begins with the path of the root.
    pub path: PathBuf,
    /// The number of the root.
    pub root: usize,
    /// True if the caller named the file itself, rather than a directory above it.
    pub named: bool,
    pub(super) start: Start,
    /// True if symbolic links are also followed when files are replaced.
    pub(super) follow: bool,
    /// The role of this name, if the file has several names.
    pub(super) role: Option<Role>,
    /// The place in a container, for an entry of one; `path` leads to it then.
    pub(super) inside: Option<Arc<Inside>>,
    /// The file, for an entry of a container.
    pub(super) container: Option<Arc<Path>>,
}

/// The place of an entry in a container.
#[derive(Debug)]
pub(super) struct Inside {
    /// The path without the extension of a compressed file.
    pub name: PathBuf,
    /// The path in the container; `None` for the document of a compressed file.
    pub below: Option<PathBuf>,
    /// The record of an archive of the web.
    pub archived: Option<Arc<Archived>>,
    /// The place that references resolve from, if that is not the document's own.
    pub resolves_from: Option<Arc<BasePlace>>,
}

/// The path of a file or an entry, and the path below the file.
#[derive(Debug)]
pub(super) struct BasePlace {
    pub path: PathBuf,
    pub below: Option<PathBuf>,
}

/// The place where a walk began.
#[derive(Clone, Debug, Default)]
pub(super) struct Start {
    pub(super) directory: Option<Arc<Directory>>,
    pub(super) path: PathBuf,
}

impl FileEntry {
    /// A file of no walk.
    pub(super) fn of_path(path: PathBuf) -> Self {
        FileEntry {
            path,
            root: 0,
            named: true,
            start: Start::default(),
            follow: false,
            role: None,
            inside: None,
            container: None,
        }
    }

    /// The entry of a document in this file, which is a container.
    pub(super) fn inside(&self, path: PathBuf, place: Inside) -> Self {
        FileEntry {
            path,
            start: Start::default(),
            role: None,
            inside: Some(Arc::new(place)),
            container: Some(
                self.container
                    .clone()
                    .unwrap_or_else(|| self.path.as_path().into()),
            ),
            ..self.clone()
        }
    }

    /// The path of the file: of the outermost container, for an entry of one.
    pub fn file(&self) -> &Path {
        self.container.as_deref().unwrap_or(&self.path)
    }

    /// The path by which the format is known: that of the document, without the extension of a compressed file.
    pub fn name(&self) -> &Path {
        self.inside
            .as_ref()
            .map_or(&self.path, |inside| &inside.name)
    }

    /// True for an entry of an archive, unlike the document of a compressed file.
    pub fn is_in_archive(&self) -> bool {
        self.below_container().is_some()
    }

    /// True for a document of a container: an archive, or a compressed file.
    pub fn is_in_container(&self) -> bool {
        self.inside.is_some()
    }

    /// The record of an archive of the web that the document comes from.
    pub fn archived(&self) -> Option<&Archived> {
        self.inside.as_ref()?.archived.as_deref()
    }

    /// The path that references resolve from, and the path in the container, for an entry of one.
    pub(super) fn resolves_from(&self) -> (&Path, Option<&Path>) {
        let inside = self.inside.as_deref();
        match inside.and_then(|inside| inside.resolves_from.as_deref()) {
            Some(BasePlace { path, below }) => (path, below.as_deref()),
            None => (&self.path, self.below_container()),
        }
    }

    /// The path in the container, for an entry of one.
    pub(super) fn below_container(&self) -> Option<&Path> {
        self.inside.as_ref()?.below.as_deref()
    }

    /// The open directory, and the path from there to the file.
    fn way(&self) -> Option<(&Arc<Directory>, &Path)> {
        let directory = self.start.directory.as_ref()?;
        // A bare name lies in `.`, although the path does not begin with `.`.
        let below = self.path.strip_prefix(&self.start.path);
        let below = below.unwrap_or(&self.path);
        let is_below = below.is_relative() && !below.as_os_str().is_empty();
        is_below.then_some((directory, below))
    }

    /// The symbolic links that are followed to read the file.
    fn links(&self) -> Links {
        if self.follow || self.named {
            Links::All
        } else {
            Links::None
        }
    }

    /// Opens the file. `None` if no directory above it is open.
    pub(super) fn open(&self) -> Option<Result<File, Error>> {
        let (directory, below) = self.way()?;
        let opened = directory.open_file(below, self.links());
        Some(opened.map_err(|error| match self.links() {
            Links::None | Links::Beneath => explain_links(error),
            Links::All => error.into(),
        }))
    }

    /// The present stamp of the file.
    pub(super) fn stamp(&self) -> Option<io::Result<Stamp>> {
        let (directory, below) = self.way()?;
        Some(directory.stamp(below, self.links()))
    }

    /// Refuses a file that cannot be replaced without following symbolic links.
    ///
    /// # Errors
    ///
    /// For a symbolic link, and when one is on the way to the file, or the way cannot be opened.
    pub(super) fn check_links(&self) -> Result<(), Error> {
        if self.follow {
            return Ok(());
        }
        refuse_link(&self.path)?;
        self.place().transpose().map(drop)
    }

    /// The place where the file is replaced, if no symbolic links are followed on the way.
    pub(super) fn place(&self) -> Option<Result<Place, Error>> {
        let (directory, below) = self.way().filter(|_| !self.follow)?;
        Some(place_below(directory, below))
    }

    /// The fate of the file, for which its other names wait.
    pub(super) fn fate(&self) -> Option<Arc<Fate>> {
        let role = self.role.as_ref().filter(|role| role.is_first)?;
        Some(Arc::clone(&role.fate))
    }

    /// True if the entry is another name (hard link) of a file that the walk met before.
    pub fn is_other_name(&self) -> bool {
        self.role.as_ref().is_some_and(|role| !role.is_first)
    }

    /// Waits until the file has been processed under its first name, and then links this name to the replacement, if
    /// there is one. The journal records the link first.
    ///
    /// # Errors
    ///
    /// When the file changed meanwhile, or the name cannot be linked. The name then keeps the old content.
    pub fn follow_first_name(
        &self,
        temp_files: &TempFiles,
        journal: Option<&Journal>,
    ) -> Result<(), Error> {
        let Some(role) = self.role.as_ref().filter(|role| !role.is_first) else {
            return Ok(());
        };
        let place = || match self.place() {
            Some(place) => place,
            None => Ok(Place::without_links(&std::fs::canonicalize(&self.path)?)?),
        };
        role.fate.follow(place, temp_files, journal)
    }

    /// Lets other names of the file continue, whatever the outcome. To be called when the work on a file has ended.
    pub fn release_other_names(&self) {
        if let Some(fate) = self.fate() {
            fate.left();
        }
    }
}

/// Refuses a symbolic link, even if it was named.
pub(super) fn refuse_link(path: &Path) -> Result<(), Error> {
    if std::fs::symlink_metadata(path)?.is_symlink() {
        return Err(Remedy::FollowLinks.for_error("expected a file, found a symbolic link"));
    }
    Ok(())
}

/// The place of a file below an open directory, without symbolic links on the way.
fn place_below(directory: &Arc<Directory>, below: &Path) -> Result<Place, Error> {
    let parent = below.parent().unwrap_or(Path::new(""));
    let name = below
        .file_name()
        .ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
    Ok(Place {
        directory: directory.below(parent).map_err(explain_links)?,
        name: name.to_owned(),
    })
}

/// Rephrases the error: the system reports "too many levels of symbolic links" even for a single link, where none is
/// followed.
fn explain_links(error: io::Error) -> Error {
    if is_refused_link(&error) {
        let message = "expected a file below its directory, found a symbolic link on the way";
        return Remedy::FollowLinks.for_error(message);
    }
    error.into()
}
