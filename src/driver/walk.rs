//! Which files: paths that are named, directories below them, lists.
//!
//! An archive is taken whole: hidden and git-ignored files too, unless a [`Selection`] says
//! otherwise. Only the directories of version control are left out.

use super::kinds::FileKind;
use super::replace::{PREFIX, SUFFIX};
use super::shown::shown;
use crate::error::{Error, ErrorKind};
use ignore::gitignore::Gitignore;
use ignore::overrides::{Override, OverrideBuilder};
use ignore::{DirEntry, WalkBuilder};
use std::collections::{HashMap, HashSet, VecDeque};
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

const VERSION_CONTROL: &[&str] = &[".git", ".hg", ".svn", ".bzr", "CVS"];

/// Which files of a directory are read.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Selection {
    /// Leave out names that begin with a dot.
    pub no_hidden: bool,
    /// Leave out what `.gitignore` files (also above), `.git/info/exclude` and the user's global
    /// list say.
    pub gitignore: bool,
    /// Follow symbolic links.
    pub follow: bool,
    /// Globs; `!` before one leaves files out. Later ones win, as in a `.gitignore`.
    pub globs: Vec<String>,
    /// Kinds of files; none: all.
    pub kinds: Vec<FileKind>,
    /// Leave out a file that came before by another path.
    pub once: bool,
}

/// Where reading begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Root {
    /// A file, or a directory with all below.
    Path(PathBuf),
    /// A file named in a list.
    Listed(PathBuf),
    /// Standard input.
    Stdin,
}

impl Root {
    /// Its path; `-` for standard input.
    pub fn path(&self) -> &Path {
        match self {
            Root::Path(path) | Root::Listed(path) => path,
            Root::Stdin => Path::new("-"),
        }
    }
}

/// Why something was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum SkipReason {
    /// It is no text.
    Binary,
    /// A directory of version control.
    VersionControl,
    /// A symbolic link.
    SymbolicLink,
    /// A device, a pipe, a socket.
    NotAFile,
    /// Hidden, and these were not wanted.
    Hidden,
    /// Ignored by git, and these were not wanted.
    Ignored,
    /// Not chosen by the globs.
    Glob,
    /// Not of a chosen kind.
    Kind,
    /// Read already, by another path.
    Twice,
    /// A temporary file of another run.
    Temporary,
    /// Its charset is one that is not decoded.
    Charset,
}

impl SkipReason {
    /// Every reason.
    pub const ALL: &'static [SkipReason] = &[
        SkipReason::Binary,
        SkipReason::VersionControl,
        SkipReason::SymbolicLink,
        SkipReason::NotAFile,
        SkipReason::Hidden,
        SkipReason::Ignored,
        SkipReason::Glob,
        SkipReason::Kind,
        SkipReason::Twice,
        SkipReason::Temporary,
        SkipReason::Charset,
    ];

    /// The stable code, as scripts read it.
    pub fn code(self) -> &'static str {
        match self {
            SkipReason::Binary => "binary",
            SkipReason::VersionControl => "version-control",
            SkipReason::SymbolicLink => "symbolic-link",
            SkipReason::NotAFile => "not-a-file",
            SkipReason::Hidden => "hidden",
            SkipReason::Ignored => "ignored",
            SkipReason::Glob => "glob",
            SkipReason::Kind => "type",
            SkipReason::Twice => "named-twice",
            SkipReason::Temporary => "temporary",
            SkipReason::Charset => "charset",
        }
    }

    /// The reason in words.
    pub fn words(self) -> &'static str {
        match self {
            SkipReason::Binary => "binary file",
            SkipReason::VersionControl => "directory of version control",
            SkipReason::SymbolicLink => "symbolic link (-L follows)",
            SkipReason::NotAFile => "neither file nor directory",
            SkipReason::Hidden => "hidden (--no-hidden)",
            SkipReason::Ignored => "ignored by git (--gitignore)",
            SkipReason::Glob => "not chosen by --glob",
            SkipReason::Kind => "not of the chosen --type",
            SkipReason::Twice => "read already by another path",
            SkipReason::Temporary => "temporary file of an unfinished run",
            SkipReason::Charset => "in a charset that is not decoded (-E reads it in another)",
        }
    }
}

/// A file to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEntry {
    /// Its path: that of its root and what follows.
    pub path: PathBuf,
    /// The number of its root.
    pub root: usize,
    /// Whether the caller named it, rather than a directory above it.
    pub named: bool,
}

/// What a walk comes upon.
#[derive(Debug)]
pub enum Entry {
    /// A file to be read.
    File(FileEntry),
    /// A directory; what is in it follows.
    Directory(FileEntry),
    /// Something that is left out.
    Skipped(FileEntry, SkipReason),
    /// Standard input.
    Stdin,
    /// Something that cannot be looked at.
    Failed(PathBuf, Error),
}

type Skips = Arc<Mutex<VecDeque<Entry>>>;

/// The files of some roots: root by root, the names of each directory in byte order.
pub struct Walk {
    selection: Arc<Selection>,
    globs: Arc<Override>,
    roots: std::iter::Enumerate<std::vec::IntoIter<Root>>,
    current: Option<(usize, ignore::Walk)>,
    /// What the filter left out and nobody has been told yet.
    skips: Skips,
    /// The real paths of the files so far, where one could come twice.
    seen: Option<HashSet<PathBuf>>,
}

impl Walk {
    /// A walk.
    ///
    /// # Errors
    ///
    /// When a glob cannot be read.
    pub fn new(roots: Vec<Root>, selection: Selection) -> Result<Self, Error> {
        let mut globs = OverrideBuilder::new("");
        for glob in &selection.globs {
            globs.add(glob).map_err(|error| invalid(&error))?;
        }
        let globs = globs.build().map_err(|error| invalid(&error))?;
        let several = roots.len() > 1 || selection.follow;
        let seen = (selection.once && several).then(HashSet::new);
        Ok(Walk {
            selection: Arc::new(selection),
            globs: Arc::new(globs),
            roots: roots.into_iter().enumerate(),
            current: None,
            skips: Skips::default(),
            seen,
        })
    }

    fn begin(&mut self, number: usize, root: Root) -> Option<Entry> {
        match root {
            Root::Stdin => Some(Entry::Stdin),
            Root::Path(path) => {
                self.current = Some((number, self.walker(number, &path)));
                None
            }
            Root::Listed(path) => {
                let file = FileEntry {
                    path,
                    root: number,
                    named: true,
                };
                Some(self.file(file))
            }
        }
    }

    fn walker(&self, number: usize, root: &Path) -> ignore::Walk {
        let filter = Filter {
            root: number,
            selection: Arc::clone(&self.selection),
            globs: Arc::clone(&self.globs),
            ignored: self.selection.gitignore.then(|| Mutex::new(Ignored::new())),
            skips: Arc::clone(&self.skips),
        };
        WalkBuilder::new(root)
            .standard_filters(false)
            .follow_links(self.selection.follow)
            .sort_by_file_name(OsStr::cmp)
            .filter_entry(move |entry| filter.takes(entry))
            .build()
    }

    /// A file, unless it came before.
    fn file(&mut self, file: FileEntry) -> Entry {
        if let Some(seen) = &mut self.seen
            && let Ok(real) = std::fs::canonicalize(&file.path)
            && !seen.insert(real)
        {
            return Entry::Skipped(file, SkipReason::Twice);
        }
        Entry::File(file)
    }

    fn entry(&mut self, root: usize, entry: Result<DirEntry, ignore::Error>) -> Entry {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => return failed(&error),
        };
        let named = entry.depth() == 0;
        let kind = entry.file_type();
        let file = FileEntry {
            path: entry.into_path(),
            root,
            named,
        };
        match kind {
            Some(kind) if kind.is_dir() => Entry::Directory(file),
            // The walk goes through a link that was named.
            Some(kind) if kind.is_symlink() && named && file.path.is_dir() => {
                Entry::Directory(file)
            }
            Some(kind) if kind.is_file() || named => self.file(file),
            Some(kind) if kind.is_symlink() => Entry::Skipped(file, SkipReason::SymbolicLink),
            _ => Entry::Skipped(file, SkipReason::NotAFile),
        }
    }

    fn skipped(&self) -> Option<Entry> {
        let mut skips = self.skips.lock().unwrap_or_else(PoisonError::into_inner);
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
                match walk.next() {
                    Some(entry) => return Some(self.entry(root, entry)),
                    None => self.current = None,
                }
                continue;
            }
            let (number, root) = self.roots.next()?;
            if let Some(entry) = self.begin(number, root) {
                return Some(entry);
            }
        }
    }
}

fn invalid(error: &ignore::Error) -> Error {
    Error::new(ErrorKind::InvalidRule, format!("invalid glob: {error}"))
}

/// An error of the walk without the path, which the caller names.
fn failed(error: &ignore::Error) -> Entry {
    let (path, message) = parts(error, Path::new(""));
    Entry::Failed(path, Error::new(ErrorKind::Io, message))
}

fn parts(error: &ignore::Error, known: &Path) -> (PathBuf, String) {
    match error {
        ignore::Error::WithPath { path, err } => parts(err, path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
            parts(err, known)
        }
        ignore::Error::Loop { ancestor, child } => (
            child.clone(),
            format!(
                "the symbolic link leads back to `{}`, above it",
                shown(ancestor)
            ),
        ),
        ignore::Error::Io(error) => (known.to_owned(), io_message(error)),
        other => (known.to_owned(), other.to_string()),
    }
}

/// The system's own words: wrappers name the path again.
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

/// What decides whether an entry below a root is taken.
struct Filter {
    root: usize,
    selection: Arc<Selection>,
    globs: Arc<Override>,
    ignored: Option<Mutex<Ignored>>,
    skips: Skips,
}

impl Filter {
    /// Whether the entry is taken; if not, somebody will be told.
    fn takes(&self, entry: &DirEntry) -> bool {
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
        };
        let mut skips = self.skips.lock().unwrap_or_else(PoisonError::into_inner);
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
        if self.globs.matched(path, is_dir).is_ignore() {
            return Some(SkipReason::Glob);
        }
        if let Some(ignored) = &self.ignored {
            let mut ignored = ignored.lock().unwrap_or_else(PoisonError::into_inner);
            if ignored.covers(path, is_dir) {
                return Some(SkipReason::Ignored);
            }
        }
        let kinds = &self.selection.kinds;
        let chosen = is_dir || kinds.is_empty() || kinds.iter().any(|kind| kind.has(path));
        (!chosen).then_some(SkipReason::Kind)
    }
}

/// What git ignores: the `.gitignore` of each directory on the way, read once.
struct Ignored {
    global: Gitignore,
    directories: HashMap<PathBuf, Arc<Gitignore>>,
}

impl Ignored {
    fn new() -> Self {
        Ignored {
            global: Gitignore::global().0,
            directories: HashMap::new(),
        }
    }

    /// Whether git ignores the path: the nearest directory that has an opinion decides.
    fn covers(&mut self, path: &Path, is_dir: bool) -> bool {
        let Ok(path) = std::path::absolute(path) else {
            return false;
        };
        for directory in path.ancestors().skip(1) {
            let rules = self.rules(directory);
            let matched = rules.matched(&path, is_dir);
            if !matched.is_none() {
                return matched.is_ignore();
            }
            if directory.join(".git").exists() {
                break;
            }
        }
        self.global.matched(&path, is_dir).is_ignore()
    }

    fn rules(&mut self, directory: &Path) -> Arc<Gitignore> {
        if let Some(rules) = self.directories.get(directory) {
            return Arc::clone(rules);
        }
        let mut builder = ignore::gitignore::GitignoreBuilder::new(directory);
        for name in [".git/info/exclude", ".gitignore"] {
            let file = directory.join(name);
            if file.is_file() {
                builder.add(file);
            }
        }
        let rules = Arc::new(builder.build().unwrap_or_else(|_| Gitignore::empty()));
        self.directories
            .insert(directory.to_owned(), Arc::clone(&rules));
        rules
    }
}
