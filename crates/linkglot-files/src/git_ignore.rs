//! The files that git ignores (gitignore(5)).
//!
//! The index is not read: a tracked file that a pattern matches counts as ignored, although git does not ignore it.

use super::git_pattern::Patterns;
use ignore::gitignore::gitconfig_excludes_path;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

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
}

/// The rules of a directory.
struct Rules {
    own: List,
    whole: Option<Whole>,
}

/// The rules of a whole work tree, at its top.
struct Whole {
    /// The lists that weigh less than any `.gitignore`, the weightiest first.
    lists: [List; 2],
    /// True if the case of letters does not count (`core.ignoreCase`).
    ignores_case: bool,
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
        })
    }

    /// True if git ignores the path: the nearest directory with a matching rule decides.
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
        let ignores_case = whole.is_some_and(|whole| whole.ignores_case);
        let own = directories.iter().map(|rules| &rules.own);
        let of_whole = whole.map_or(&[][..], |whole| &whole.lists);
        let outside = self.outside.as_ref().filter(|_| whole.is_none());
        if whole.is_none() && outside.is_none() {
            return false;
        }
        let mut lists = own.chain(of_whole).chain(outside);
        let decided = lists.find_map(|list| list.decision(&path, is_dir, ignores_case));
        decided.unwrap_or_default()
    }

    fn rules(&mut self, directory: &Path) -> Arc<Rules> {
        if let Some(rules) = self.directories.get(directory) {
            return Arc::clone(rules);
        }
        let whole = git_directory(directory).map(|git| {
            let config = fs::read(git.join("config")).unwrap_or_default();
            let config = String::from_utf8_lossy(&config);
            let exclude = List::read(directory, &git.join("info/exclude"));
            Whole {
                lists: [exclude, excludes_file(directory, &config)],
                ignores_case: ignores_case(&config),
            }
        });
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
    fn decision(&self, path: &Path, is_dir: bool, ignores_case: bool) -> Option<bool> {
        let below = path.strip_prefix(&self.directory).ok()?;
        let names = below.iter().map(OsStr::as_encoded_bytes);
        let path = names.collect::<Vec<_>>().join(&b'/');
        self.patterns.decision(&path, is_dir, ignores_case)
    }
}

/// The user's own list, for paths below a directory.
fn global(directory: &Path) -> List {
    let file = gitconfig_excludes_path();
    file.map_or_else(List::default, |file| List::read(directory, &file))
}

/// The list that `core.excludesFile` of a repository names, or the user's own.
fn excludes_file(top: &Path, config: &str) -> List {
    let Some(path) = core_value(config, "excludesfile") else {
        return global(top);
    };
    let file = match path.strip_prefix("~/") {
        Some(below) => std::env::home_dir().map(|home| home.join(below)),
        None => Some(path.into()),
    };
    file.map_or_else(List::default, |file| List::read(top, &top.join(file)))
}

/// True if `core.ignoreCase` of a repository is set.
fn ignores_case(config: &str) -> bool {
    let value = core_value(config, "ignorecase");
    let is_true = |value: &str| {
        let words = ["true", "yes", "on", "1"];
        words.iter().any(|word| word.eq_ignore_ascii_case(value))
    };
    value.is_some_and(is_true)
}

/// The value of a key of `core` in a configuration file of git. A key alone is true. Includes are not followed.
fn core_value<'c>(config: &'c str, name: &str) -> Option<&'c str> {
    let mut is_core = false;
    let mut found = None;
    for line in config.lines().map(str::trim) {
        if line.starts_with('[') {
            is_core = line.eq_ignore_ascii_case("[core]");
        }
        let (key, value) = line.split_once('=').unwrap_or((line, "true"));
        if is_core && key.trim().eq_ignore_ascii_case(name) {
            found = Some(value.trim().trim_matches('"'));
        }
    }
    found
}

/// The directory of git that work trees share, if the directory is the top of a work tree. In a submodule, or in a work
/// tree of several, `.git` is a file that names it (gitrepository-layout(5)).
fn git_directory(directory: &Path) -> Option<PathBuf> {
    let git = directory.join(".git");
    if !git.is_file() {
        return git.exists().then_some(git);
    }
    let Some(own) = named_path(&git, "gitdir:").map(|path| directory.join(path)) else {
        return Some(git);
    };
    let common = named_path(&own.join("commondir"), "").map(|path| own.join(path));
    Some(common.unwrap_or(own))
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
        let excludes = |config| core_value(config, "excludesfile");
        assert_eq!(excludes(config), Some("/b"));
        assert_eq!(excludes("[other]\nexcludesFile = a\n"), None);
        assert!(ignores_case("[core]\nignoreCase = True\n"));
        assert!(ignores_case("[core]\n\tignorecase\n"));
        assert!(!ignores_case("[core]\nignorecase = false\n"));
        assert!(!ignores_case(config));
    }
}
