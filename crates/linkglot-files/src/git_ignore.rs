//! The files that git ignores (gitignore(5)): files that a pattern matches and that git does not track.

use super::git_index::{Tracked, Tracking};
use super::git_pattern::{LetterCase, Patterns};
use ignore::gitignore::gitconfig_excludes_path;
use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// The places where files that git ignores are left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GitIgnore {
    /// Nowhere.
    #[default]
    Never,
    /// In git work trees.
    InWorkTrees,
    /// Everywhere: a `.gitignore` outside of a work tree counts, too.
    Always,
}

/// The ignore rules of git for the files below a root. The rules of each directory are read once.
pub(super) struct Ignored {
    /// The root, and its real path: a work tree is found above that path.
    root: PathBuf,
    real: PathBuf,
    /// The user's own list, if files outside of work trees are ignored, too.
    outside: Option<List>,
    directories: HashMap<PathBuf, Arc<Rules>>,
    /// Ignored directories with tracked files below them: all other files there are ignored.
    entered: HashSet<PathBuf>,
}

/// The rules of a directory.
struct Rules {
    own: List,
    whole: Option<Whole>,
}

/// The rules of a whole work tree, at its top.
struct Whole {
    top: PathBuf,
    /// The lists that weigh less than any `.gitignore`, the weightiest first.
    lists: [List; 2],
    case: LetterCase,
    index: PathBuf,
    /// Length of the names of objects in the index.
    object: usize,
    /// The files in the index, which is read when a pattern matches.
    tracked: OnceLock<Tracked>,
}

/// The patterns of a file, for paths below a directory.
#[derive(Default)]
struct List {
    directory: PathBuf,
    patterns: Patterns,
}

impl Ignored {
    /// Prepares the rules for the files below a root; `None` if nothing is ignored.
    pub fn new(root: &Path, gitignore: GitIgnore) -> Option<Self> {
        if gitignore == GitIgnore::Never {
            return None;
        }
        let real = fs::canonicalize(root).ok()?;
        Some(Ignored {
            root: root.to_owned(),
            outside: (gitignore == GitIgnore::Always).then(|| global(&real)),
            real,
            directories: HashMap::new(),
            entered: HashSet::new(),
        })
    }

    /// True if git ignores the path: the nearest directory with a matching rule decides. A directory with tracked files
    /// is not ignored, but what else is in it.
    pub fn covers(&mut self, path: &Path, is_dir: bool) -> bool {
        let Ok(below) = path.strip_prefix(&self.root) else {
            return false;
        };
        let path = self.real.join(below);
        let mut directories = Vec::new();
        for directory in path.ancestors().skip(1) {
            let rules = self.rules(directory);
            let is_top = rules.whole.is_some();
            directories.push(rules);
            if is_top {
                break;
            }
        }
        let whole = directories.last().and_then(|rules| rules.whole.as_ref());
        let case = whole.map_or(LetterCase::Counts, |whole| whole.case);
        let own = directories.iter().map(|rules| &rules.own);
        let of_whole = whole.map_or(&[][..], |whole| &whole.lists);
        let outside = self.outside.as_ref().filter(|_| whole.is_none());
        if whole.is_none() && outside.is_none() {
            return false;
        }
        let mut lists = own.chain(of_whole).chain(outside);
        let decided = lists.find_map(|list| list.decision(&path, is_dir, case));
        let is_in_ignored = || {
            path.parent()
                .is_some_and(|above| self.entered.contains(above))
        };
        if !is_in_ignored() && !decided.unwrap_or_default() {
            return false;
        }
        match whole.map_or(Tracking::Nothing, |whole| whole.tracking(&path)) {
            Tracking::Itself => false,
            Tracking::Below => {
                self.entered.insert(path);
                false
            }
            Tracking::Nothing => true,
        }
    }

    fn rules(&mut self, directory: &Path) -> Arc<Rules> {
        if let Some(rules) = self.directories.get(directory) {
            return Arc::clone(rules);
        }
        let whole = GitDirectory::of(directory).map(|git| Whole::new(directory, &git));
        let file = directory.join(".gitignore");
        // Git does not follow it if it is a symbolic link.
        let is_file = file.symlink_metadata().is_ok_and(|file| file.is_file());
        let own = is_file.then(|| List::read(directory, &file));
        let rules = Arc::new(Rules {
            own: own.unwrap_or_default(),
            whole,
        });
        self.directories
            .insert(directory.to_owned(), Arc::clone(&rules));
        rules
    }
}

impl Whole {
    fn new(top: &Path, git: &GitDirectory) -> Self {
        let config = fs::read(git.common.join("config")).unwrap_or_default();
        let config = String::from_utf8_lossy(&config);
        let exclude = List::read(top, &git.common.join("info/exclude"));
        Whole {
            lists: [exclude, excludes_file(top, &config)],
            case: case_in(&config),
            index: git.own.join("index"),
            object: object_length(&config),
            tracked: OnceLock::new(),
            top: top.to_owned(),
        }
    }

    /// The relation of a path to the tracked ones.
    fn tracking(&self, path: &Path) -> Tracking {
        let read = || Tracked::read(&self.index, self.object);
        match path.strip_prefix(&self.top) {
            Ok(below) => self
                .tracked
                .get_or_init(read)
                .tracking(&with_slashes(below)),
            Err(_) => Tracking::Nothing,
        }
    }
}

impl List {
    /// The patterns of a file, for paths below a directory; none if the file cannot be read.
    fn read(directory: &Path, file: &Path) -> Self {
        let patterns = Some(file).filter(|file| file.is_file());
        let patterns = patterns.and_then(|file| fs::read(file).ok());
        List {
            directory: directory.to_owned(),
            patterns: Patterns::of(&patterns.unwrap_or_default()),
        }
    }

    /// The decision about a path, if there is one.
    fn decision(&self, path: &Path, is_dir: bool, case: LetterCase) -> Option<bool> {
        let below = path.strip_prefix(&self.directory).ok()?;
        self.patterns.decision(&with_slashes(below), is_dir, case)
    }
}

/// A relative path as git has it.
fn with_slashes(path: &Path) -> Vec<u8> {
    let names = path.iter().map(OsStr::as_encoded_bytes);
    names.collect::<Vec<_>>().join(&b'/')
}

/// The user's own list, for paths below a directory.
fn global(directory: &Path) -> List {
    let file = gitconfig_excludes_path();
    file.map_or_else(List::default, |file| List::read(directory, &file))
}

/// The list that `core.excludesFile` of a repository names, or the user's own.
fn excludes_file(top: &Path, config: &str) -> List {
    let Some(path) = value(config, "core", "excludesfile") else {
        return global(top);
    };
    let file = match path.strip_prefix("~/") {
        Some(below) => std::env::home_dir().map(|home| home.join(below)),
        None => Some(path.into()),
    };
    file.map_or_else(List::default, |file| List::read(top, &top.join(file)))
}

/// The value of `core.ignoreCase` of a repository.
fn case_in(config: &str) -> LetterCase {
    let value = value(config, "core", "ignorecase");
    let is_true = |value: &str| {
        let words = ["true", "yes", "on", "1"];
        words.iter().any(|word| word.eq_ignore_ascii_case(value))
    };
    if value.is_some_and(is_true) {
        LetterCase::Ignored
    } else {
        LetterCase::Counts
    }
}

/// Length of the names of objects in a repository.
fn object_length(config: &str) -> usize {
    match value(config, "extensions", "objectformat") {
        Some("sha256") => 32,
        _ => 20,
    }
}

/// The value of a key in a configuration file of git. A key alone is true. Includes are not followed.
fn value<'c>(config: &'c str, section: &str, name: &str) -> Option<&'c str> {
    let is_header_of = |line: &str| {
        let header = line
            .strip_prefix('[')
            .and_then(|line| line.strip_suffix(']'));
        header.is_some_and(|header| header.eq_ignore_ascii_case(section))
    };
    let mut is_in_section = false;
    let mut found = None;
    for line in config.lines().map(str::trim) {
        if line.starts_with('[') {
            is_in_section = is_header_of(line);
        }
        let (key, value) = line.split_once('=').unwrap_or((line, "true"));
        if is_in_section && key.trim().eq_ignore_ascii_case(name) {
            found = Some(value.trim().trim_matches('"'));
        }
    }
    found
}

/// The directories of git for a work tree.
struct GitDirectory {
    /// The directory of the work tree alone.
    own: PathBuf,
    /// The directory that several work trees share.
    common: PathBuf,
}

impl GitDirectory {
    /// The directories of git, if the directory is the top of a work tree. In a submodule, or in a work tree of
    /// several, `.git` is a file that names its own directory (gitrepository-layout(5)).
    fn of(directory: &Path) -> Option<Self> {
        let git = directory.join(".git");
        let named = git.is_file().then(|| named_path(&git, "gitdir:"));
        let own = named.flatten().map(|path| directory.join(path));
        let common = own.as_ref().and_then(|own| {
            let path = named_path(&own.join("commondir"), "");
            path.map(|path| own.join(path))
        });
        let own = own.or_else(|| git.exists().then_some(git))?;
        Some(GitDirectory {
            common: common.unwrap_or_else(|| own.clone()),
            own,
        })
    }
}

/// The path in a file of git, behind a prefix.
fn named_path(file: &Path, prefix: &str) -> Option<PathBuf> {
    let text = fs::read_to_string(file).ok()?;
    Some(text.strip_prefix(prefix)?.trim().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_a_repository() {
        let config = "[user]\nexcludesFile = a\n[core]\n\tbare = false\n\texcludesfile = \"/b\"\n";
        let excludes = |config| value(config, "core", "excludesfile");
        assert_eq!(excludes(config), Some("/b"));
        assert_eq!(excludes("[other]\nexcludesFile = a\n"), None);
        assert_eq!(case_in("[core]\nignoreCase = True\n"), LetterCase::Ignored);
        assert_eq!(case_in("[core]\n\tignorecase\n"), LetterCase::Ignored);
        assert_eq!(case_in("[core]\nignorecase = false\n"), LetterCase::Counts);
        assert_eq!(case_in(config), LetterCase::Counts);
    }
}
