//! The files that are read: named files, files below named directories, files from a list.
//!
//! An archive is read whole, including hidden and git-ignored files, unless a [`Selection`] says otherwise. Only
//! directories of version control are always left out.

use super::container_name::has_container_name;
use super::directory::{Directory, Links, directory_of};
use super::display::display;
use super::entry::{FileEntry, Start};
use super::git_ignore::{GitIgnore, Ignored};
use super::hard_links::HardLinks;
use super::parallel::lock;
use super::replace::{PREFIX, SUFFIX};
use ignore::overrides::{Override, OverrideBuilder};
use ignore::{DirEntry, WalkBuilder};
use linkglot::error::{Error, ErrorKind};
use linkglot::format::FileType;
use std::collections::{HashSet, VecDeque};
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

const VERSION_CONTROL: &[&str] = &[".git", ".hg", ".svn", ".bzr", "CVS"];

/// The choice of files in a directory.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Selection {
    /// Leave out names that begin with a dot.
    pub no_hidden: bool,
    /// Leave out files that git ignores: by `.gitignore` files (also in directories above), by `.git/info/exclude` and
    /// by the list of `core.excludesFile`.
    pub gitignore: GitIgnore,
    /// Follow symbolic links.
    pub follow: bool,
    /// Refuse a named file that symbolic links lead to, as runs that replace files do without `follow`, unless the walk
    /// meets the file itself, too.
    pub refuse_links: bool,
    /// Globs; a `!` in front leaves out the files that match. Later globs win, as in a `.gitignore`.
    pub globs: Vec<String>,
    /// Types of files; empty for all types.
    pub types: Vec<FileType>,
    /// Read a file once, even if several paths lead to it.
    pub once: bool,
    /// Read a file once, even if it has several names (hard links).
    pub once_per_inode: bool,
    /// With `once_per_inode`: the files with several names that are already known.
    pub hard_links: Option<Arc<HardLinks>>,
    /// Leave out names with this suffix: backups.
    pub backup_suffix: Option<OsString>,
    /// Containers are entered as directories are: globs and types choose among their entries.
    pub containers: bool,
    /// Leave out these files and directories, by their real paths: journals, reports and other files that runs write
    /// beside documents.
    pub own: Vec<PathBuf>,
    /// Leave out these files, by their real paths: rules and options, which a run that is repeated or resumed reads
    /// again.
    pub options: Vec<PathBuf>,
}

impl Selection {
    /// True if a file is of a chosen type.
    fn has_type(&self, path: &Path) -> bool {
        self.types.is_empty() || self.types.iter().any(|chosen| chosen.matches(path))
    }

    /// True if runs write this file or directory.
    fn is_own(&self, path: &Path) -> bool {
        self.is_among(&self.own, path)
    }

    /// True for one of these real paths. Real paths cost time: a path is resolved only if its name matches, or if links
    /// are followed.
    fn is_among(&self, files: &[PathBuf], path: &Path) -> bool {
        let has_name = |file: &PathBuf| self.follow || file.file_name() == path.file_name();
        let is_listed = |real: PathBuf| files.contains(&real);
        files.iter().any(has_name) && std::fs::canonicalize(path).is_ok_and(is_listed)
    }
}

/// The start of a walk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Root {
    /// A file, or a directory with everything below it.
    Path(PathBuf),
    /// A file named in a list.
    Listed(PathBuf),
    /// Standard input.
    Stdin,
}

impl Root {
    /// The path of the root; `-` for standard input.
    pub fn path(&self) -> &Path {
        match self {
            Root::Path(path) | Root::Listed(path) => path,
            Root::Stdin => Path::new("-"),
        }
    }
}

/// The reason why a file or directory was skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum SkipReason {
    /// A binary file.
    Binary,
    /// A directory of version control.
    VersionControl,
    /// A symbolic link.
    SymbolicLink,
    /// A device, a pipe, a socket.
    NotAFile,
    /// Hidden, and the selection leaves out hidden files.
    Hidden,
    /// Ignored by git, and the selection leaves out ignored files.
    Ignored,
    /// Left out by the globs.
    Glob,
    /// Not of a chosen type.
    Type,
    /// Already read under another path.
    Twice,
    /// A temporary file of another run.
    Temporary,
    /// The backup of another file.
    Backup,
    /// A journal or report.
    Own,
    /// A file that the run reads as rules or options.
    Options,
    /// Rewritten before the run was interrupted.
    Resumed,
    /// In a charset that cannot be decoded.
    Charset,
}

impl SkipReason {
    /// The stable code for scripts.
    pub fn code(self) -> &'static str {
        match self {
            SkipReason::Binary => "binary",
            SkipReason::VersionControl => "version-control",
            SkipReason::SymbolicLink => "symbolic-link",
            SkipReason::NotAFile => "not-a-file",
            SkipReason::Hidden => "hidden",
            SkipReason::Ignored => "ignored",
            SkipReason::Glob => "glob",
            SkipReason::Type => "type",
            SkipReason::Twice => "named-twice",
            SkipReason::Temporary => "temporary",
            SkipReason::Backup => "backup",
            SkipReason::Own => "own",
            SkipReason::Options => "options",
            SkipReason::Resumed => "resumed",
            SkipReason::Charset => "charset",
        }
    }
}

/// An item of a walk.
#[derive(Debug)]
pub enum Entry {
    /// A file to read.
    File(FileEntry),
    /// A directory; its content follows.
    Directory(FileEntry),
    /// A file or directory that is left out.
    Skipped(FileEntry, SkipReason),
    /// Standard input.
    Stdin,
    /// A file or directory that cannot be accessed.
    Failed(PathBuf, Error),
}

type Skips = Arc<Mutex<VecDeque<Entry>>>;

/// The files below some roots: root by root, the names in each directory in byte order.
pub struct Walk {
    selection: Arc<Selection>,
    globs: Arc<Override>,
    roots: std::iter::Enumerate<std::vec::IntoIter<Root>>,
    current: Option<(usize, ignore::Walk)>,
    /// The start of the current root, or of the directory of the last listed file.
    start: Start,
    /// Skipped entries that were not yet returned.
    skips: Skips,
    /// The real paths of the files so far, if a file could occur twice.
    seen: Option<HashSet<PathBuf>>,
    /// The files with several names, if each is read once.
    hard_links: Option<Arc<HardLinks>>,
    /// Named files that symbolic links lead to, with the reasons to refuse them. They come last: the files themselves
    /// may be named behind them.
    links: VecDeque<(FileEntry, Error)>,
}

impl Walk {
    /// Prepares a walk.
    ///
    /// # Errors
    ///
    /// When a glob is invalid.
    pub fn new(roots: Vec<Root>, selection: Selection) -> Result<Self, Error> {
        // Absolute paths are compared without the current directory.
        let mut globs = OverrideBuilder::new(std::env::current_dir().unwrap_or_default());
        for glob in &selection.globs {
            globs.add(glob).map_err(|error| invalid(&error))?;
        }
        let globs = globs.build().map_err(|error| invalid(&error))?;
        let several = roots.len() > 1 || selection.follow;
        let seen = (selection.once && several).then(HashSet::new);
        let known = selection.hard_links.clone().unwrap_or_default();
        let hard_links = selection.once_per_inode.then_some(known);
        Ok(Walk {
            selection: Arc::new(selection),
            globs: Arc::new(globs),
            roots: roots.into_iter().enumerate(),
            current: None,
            start: Start::default(),
            skips: Skips::default(),
            seen,
            hard_links,
            links: VecDeque::new(),
        })
    }

    /// True if the walk surely returns no more entries.
    pub(super) fn is_at_end(&self) -> bool {
        let skips = lock(&self.skips);
        let are_at_end = self.current.is_none() && self.roots.len() == 0;
        are_at_end && skips.is_empty() && self.links.is_empty()
    }

    /// The files with several names that the walk meets, if each is read once.
    pub fn hard_links(&self) -> Option<Arc<HardLinks>> {
        self.hard_links.clone()
    }

    /// The choice of entries in containers.
    pub(super) fn entry_filter(&self) -> EntryFilter {
        EntryFilter {
            globs: Arc::clone(&self.globs),
            types: self.selection.types.clone(),
            no_hidden: self.selection.no_hidden,
            enters: self.selection.containers,
        }
    }

    fn begin(&mut self, number: usize, root: Root) -> Option<Entry> {
        match root {
            Root::Stdin => Some(Entry::Stdin),
            Root::Path(path) => {
                let is_directory = path.is_dir();
                let start = if is_directory {
                    &path
                } else {
                    directory_of(&path)
                };
                if let Err(error) = self.start_at(start) {
                    return Some(Entry::Failed(path, error));
                }
                self.current = Some((number, self.walker(number, &path)));
                None
            }
            Root::Listed(path) => {
                // Below the working directory, a listed path cannot lead a writing run through symbolic links.
                let start = if path.is_absolute() {
                    directory_of(&path)
                } else {
                    Path::new("")
                };
                if let Err(error) = self.start_at(start) {
                    return Some(Entry::Failed(path, error));
                }
                let file = self.new_entry(number, path, true);
                self.file(file)
            }
        }
    }

    /// Opens the directory through which files are reached. Its own path may lead through symbolic links.
    ///
    /// A root whose directory cannot be opened fails, even if only for a temporary lack of handles. Reached by their
    /// paths, hard links would be read as separate files, without a message.
    fn start_at(&mut self, directory: &Path) -> Result<(), Error> {
        if self.start.directory.is_some() && self.start.path == directory {
            return Ok(());
        }
        let named = if directory.as_os_str().is_empty() {
            Path::new(".")
        } else {
            directory
        };
        self.start = Start {
            directory: Some(Arc::new(Directory::open(named, Links::All)?)),
            path: directory.to_owned(),
        };
        Ok(())
    }

    fn new_entry(&self, root: usize, path: PathBuf, named: bool) -> FileEntry {
        FileEntry {
            path,
            root,
            named,
            start: self.start.clone(),
            follow: self.selection.follow,
            role: None,
            inside: None,
            container: None,
        }
    }

    fn walker(&self, number: usize, root: &Path) -> ignore::Walk {
        let filter = Filter {
            root: number,
            start: self.start.clone(),
            selection: Arc::clone(&self.selection),
            globs: Arc::clone(&self.globs),
            ignored: Ignored::new(root, self.selection.gitignore).map(Mutex::new),
            skips: Arc::clone(&self.skips),
        };
        WalkBuilder::new(root)
            .standard_filters(false)
            .follow_links(self.selection.follow)
            // Files of one directory, whose paths differ in their names alone.
            .sort_by_file_path(|one, other| one.as_os_str().cmp(other.as_os_str()))
            .filter_entry(move |entry| filter.accepts(entry))
            .build()
    }

    /// The entry of a file, unless it occurred before, or is a backup. `None` for a file that comes last.
    fn file(&mut self, file: FileEntry) -> Option<Entry> {
        if file.named
            && let Some(reason) = self.refused_name(&file)
        {
            return Some(Entry::Skipped(file, reason));
        }
        if self.is_backup(&file) {
            return Some(Entry::Skipped(file, SkipReason::Backup));
        }
        if self.selection.is_own(&file.path) {
            return Some(Entry::Skipped(file, SkipReason::Own));
        }
        if self.selection.is_among(&self.selection.options, &file.path) {
            return Some(Entry::Skipped(file, SkipReason::Options));
        }
        if let Some(error) = self.refusal(&file) {
            self.links.push_back((file, error));
            return None;
        }
        if let Some(seen) = &mut self.seen
            && let Ok(real) = std::fs::canonicalize(&file.path)
            && !seen.insert(real)
        {
            return Some(Entry::Skipped(file, SkipReason::Twice));
        }
        let mut file = file;
        if let Some(hard_links) = &self.hard_links
            && let Some(Ok(stamp)) = file.stamp()
        {
            file.role = hard_links.meet(&file, &stamp);
        }
        Some(Entry::File(file))
    }

    /// The reason to refuse a named file that symbolic links lead to. A path that leads to no file
    /// fails later, with a reason of its own.
    fn refusal(&self, file: &FileEntry) -> Option<Error> {
        if !self.selection.refuse_links || !file.named {
            return None;
        }
        let refused = file.check_links().err()?;
        file.path.is_file().then_some(refused)
    }

    /// The next refused file. One that the walk met by its own path is not missing.
    fn link(&mut self) -> Option<Entry> {
        let (file, error) = self.links.pop_front()?;
        let is_met = self.seen.as_ref().is_some_and(|seen| {
            std::fs::canonicalize(&file.path).is_ok_and(|real| seen.contains(&real))
        });
        Some(if is_met {
            Entry::Skipped(file, SkipReason::Twice)
        } else {
            Entry::Failed(file.path, error)
        })
    }

    /// True if a name ends with the suffix of backups.
    fn is_backup(&self, file: &FileEntry) -> bool {
        let suffix = self.selection.backup_suffix.as_ref();
        suffix.is_some_and(|suffix| {
            let name = file.path.file_name().unwrap_or_default();
            let name = name.as_encoded_bytes();
            name.ends_with(suffix.as_encoded_bytes())
        })
    }

    /// The reason to leave out a file that the caller names: globs and types are the caller's words, too.
    fn refused_name(&self, file: &FileEntry) -> Option<SkipReason> {
        let is_entered = self.selection.containers && has_container_name(&file.path);
        if self.globs.matched(&file.path, is_entered).is_ignore() {
            return Some(SkipReason::Glob);
        }
        let is_chosen = is_entered || self.selection.has_type(&file.path);
        (!is_chosen).then_some(SkipReason::Type)
    }

    /// The entry of a name that the walk met. `None` for a file that comes last.
    fn entry(&mut self, root: usize, entry: Result<DirEntry, ignore::Error>) -> Option<Entry> {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => return Some(failed(&error)),
        };
        let named = entry.depth() == 0;
        let kind = entry.file_type();
        let file = self.new_entry(root, entry.into_path(), named);
        let entry = match kind {
            Some(kind) if kind.is_dir() => Some(Entry::Directory(file)),
            // The walk enters a directory whose symbolic link was named.
            Some(kind) if kind.is_symlink() && named && file.path.is_dir() => {
                Some(Entry::Directory(file))
            }
            Some(kind) if kind.is_file() || named => self.file(file),
            Some(kind) if kind.is_symlink() => Some(Entry::Skipped(file, SkipReason::SymbolicLink)),
            _ => Some(Entry::Skipped(file, SkipReason::NotAFile)),
        };
        if named && !matches!(entry, Some(Entry::Directory(_))) {
            // Nothing is below it.
            self.current = None;
        }
        entry
    }

    fn skipped(&self) -> Option<Entry> {
        let mut skips = lock(&self.skips);
        skips.pop_front()
    }
}

impl Iterator for Walk {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        loop {
            if let Some(skipped) = self.skipped() {
                return Some(skipped);
            }
            if let Some((root, walk)) = &mut self.current {
                let root = *root;
                let Some(entry) = walk.next() else {
                    self.current = None;
                    continue;
                };
                if let Some(entry) = self.entry(root, entry) {
                    return Some(entry);
                }
                continue;
            }
            let Some((number, root)) = self.roots.next() else {
                return self.link();
            };
            if let Some(entry) = self.begin(number, root) {
                return Some(entry);
            }
        }
    }
}

fn invalid(error: &ignore::Error) -> Error {
    Error::new(ErrorKind::InvalidRule, format!("invalid glob: {error}"))
}

/// An error without the path, since messages begin with the path.
fn failed(error: &ignore::Error) -> Entry {
    let (path, message) = split_error(error, Path::new(""));
    Entry::Failed(path, Error::new(ErrorKind::Io, message))
}

fn split_error(error: &ignore::Error, outer: &Path) -> (PathBuf, String) {
    match error {
        ignore::Error::WithPath { path, err } => split_error(err, path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
            split_error(err, outer)
        }
        ignore::Error::Loop { ancestor, child } => (
            child.clone(),
            format!(
                "the symbolic link leads back to the directory `{}` above it",
                display(ancestor)
            ),
        ),
        ignore::Error::Io(error) => (outer.to_owned(), io_message(error)),
        other => (outer.to_owned(), other.to_string()),
    }
}

/// The system's own message: messages of wrappers repeat the path.
fn io_message(error: &io::Error) -> String {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(inner) = cause {
        let code = inner
            .downcast_ref::<io::Error>()
            .and_then(io::Error::raw_os_error);
        if let Some(code) = code {
            return io::Error::from_raw_os_error(code).to_string();
        }
        cause = inner.source();
    }
    error.to_string()
}

/// Decides which entries below a root are read.
struct Filter {
    root: usize,
    start: Start,
    selection: Arc<Selection>,
    globs: Arc<Override>,
    ignored: Option<Mutex<Ignored>>,
    skips: Skips,
}

impl Filter {
    /// True if the entry is read. If not, it is queued as skipped.
    fn accepts(&self, entry: &DirEntry) -> bool {
        if entry.depth() == 0 {
            return true;
        }
        let Some(reason) = self.reason(entry) else {
            return true;
        };
        let file = FileEntry {
            path: entry.path().to_owned(),
            root: self.root,
            named: false,
            start: self.start.clone(),
            follow: self.selection.follow,
            role: None,
            inside: None,
            container: None,
        };
        let mut skips = lock(&self.skips);
        skips.push_back(Entry::Skipped(file, reason));
        false
    }

    fn reason(&self, entry: &DirEntry) -> Option<SkipReason> {
        let name = entry.file_name().to_string_lossy();
        let path = entry.path();
        let is_dir = entry.file_type().is_some_and(|kind| kind.is_dir());
        if is_dir && VERSION_CONTROL.contains(&&*name) {
            return Some(SkipReason::VersionControl);
        }
        if self.selection.no_hidden && name.starts_with('.') {
            return Some(SkipReason::Hidden);
        }
        if !is_dir && name.starts_with(PREFIX) && name.ends_with(SUFFIX) {
            return Some(SkipReason::Temporary);
        }
        if is_dir && self.selection.is_own(path) {
            return Some(SkipReason::Own);
        }
        let is_entered = is_dir || (self.selection.containers && has_container_name(path));
        if self.globs.matched(path, is_entered).is_ignore() {
            return Some(SkipReason::Glob);
        }
        if let Some(ignored) = &self.ignored {
            let mut ignored = lock(ignored);
            if ignored.covers(path, is_dir) {
                return Some(SkipReason::Ignored);
            }
        }
        let is_chosen = is_entered || self.selection.has_type(path);
        (!is_chosen).then_some(SkipReason::Type)
    }
}

/// Chooses among the entries of containers, and among files that are no containers although their names say so.
#[derive(Debug)]
pub(super) struct EntryFilter {
    globs: Arc<Override>,
    types: Vec<FileType>,
    no_hidden: bool,
    enters: bool,
}

impl EntryFilter {
    /// True if containers are read.
    pub fn enters(&self) -> bool {
        self.enters
    }

    /// The reason to leave out a document in a file, or the file itself: `below` is its path in the file. A document
    /// has two names, that in the container and that without the extension of a compressed file; one suffices. A glob
    /// that takes the file takes all that is in it. `is_entered`: the entry may be a container itself.
    pub fn reason(
        &self,
        file: &Path,
        below: Option<&Path>,
        names: [&Path; 2],
        is_entered: bool,
    ) -> Option<SkipReason> {
        let mut directories = below.and_then(Path::parent).into_iter().flatten();
        if directories.any(|name| VERSION_CONTROL.iter().any(|known| name == *known)) {
            return Some(SkipReason::VersionControl);
        }
        let is_hidden = |name: &OsStr| {
            let is_dots = name == "." || name == "..";
            name.as_encoded_bytes().starts_with(b".") && !is_dots
        };
        if self.no_hidden && below.into_iter().flatten().any(is_hidden) {
            return Some(SkipReason::Hidden);
        }
        let is_refused = |path: &&Path| self.globs.matched(path, true).is_ignore();
        let is_taken = |path: &&Path| !self.globs.matched(path, is_entered).is_ignore();
        let is_whole = self.globs.matched(file, false).is_whitelist();
        if names.iter().any(is_refused) || !(is_whole || names.iter().any(is_taken)) {
            return Some(SkipReason::Glob);
        }
        let is_of = |chosen: &FileType| names.iter().any(|path| chosen.matches(path));
        let is_chosen = is_entered || self.types.is_empty() || self.types.iter().any(is_of);
        (!is_chosen).then_some(SkipReason::Type)
    }
}
