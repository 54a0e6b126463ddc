//! The files that git ignores (gitignore(5)).
//!
//! The index is not read: a tracked file that a pattern matches counts as ignored, although git does not ignore it.

use ignore::gitignore::{Gitignore, GitignoreBuilder, gitconfig_excludes_path};
use std::collections::HashMap;
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
    outside: Option<Gitignore>,
    directories: HashMap<PathBuf, Arc<Rules>>,
}

/// The rules of a directory.
struct Rules {
    own: Gitignore,
    /// The rules of the whole work tree if the directory is its top: the lists that weigh less than any `.gitignore`,
    /// the weightiest first.
    whole: Option<[Gitignore; 2]>,
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
        let mut decided = None;
        for directory in path.ancestors().skip(1) {
            let rules = self.rules(directory);
            decided = decided.or_else(|| decision(&rules.own, &path, is_dir));
            if let Some(whole) = &rules.whole {
                let of_whole = || whole.iter().find_map(|list| decision(list, &path, is_dir));
                return decided.or_else(of_whole).unwrap_or_default();
            }
        }
        let covers = |list| decided.or_else(|| decision(list, &path, is_dir));
        self.outside.as_ref().and_then(covers).unwrap_or_default()
    }

    fn rules(&mut self, directory: &Path) -> Arc<Rules> {
        if let Some(rules) = self.directories.get(directory) {
            return Arc::clone(rules);
        }
        let whole = git_directory(directory).map(|git| {
            let exclude = list(directory, &git.join("info/exclude"));
            [exclude, excludes_file(directory, &git)]
        });
        let rules = Arc::new(Rules {
            own: list(directory, &directory.join(".gitignore")),
            whole,
        });
        self.directories
            .insert(directory.to_owned(), Arc::clone(&rules));
        rules
    }
}

/// The decision of some rules about a path, if there is one.
fn decision(rules: &Gitignore, path: &Path, is_dir: bool) -> Option<bool> {
    let matched = rules.matched(path, is_dir);
    (!matched.is_none()).then(|| matched.is_ignore())
}

/// The rules of a file, for paths below a directory; none if the file cannot be read.
fn list(directory: &Path, file: &Path) -> Gitignore {
    let mut builder = GitignoreBuilder::new(directory);
    if file.is_file() {
        builder.add(file);
    }
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}

/// The user's own list, for paths below a directory.
fn global(directory: &Path) -> Gitignore {
    let file = gitconfig_excludes_path();
    file.map_or_else(Gitignore::empty, |file| list(directory, &file))
}

/// The list that `core.excludesFile` of a repository names, or the user's own.
fn excludes_file(top: &Path, git: &Path) -> Gitignore {
    let config = fs::read_to_string(git.join("config")).unwrap_or_default();
    match excludes_path(&config) {
        Some(file) => list(top, &top.join(file)),
        None => global(top),
    }
}

/// The value of `core.excludesFile` in a configuration file of git. Includes are not followed.
fn excludes_path(config: &str) -> Option<PathBuf> {
    let mut is_core = false;
    let mut path = None;
    for line in config.lines().map(str::trim) {
        if line.starts_with('[') {
            is_core = line.eq_ignore_ascii_case("[core]");
        }
        if let (true, Some((key, value))) = (is_core, line.split_once('='))
            && key.trim().eq_ignore_ascii_case("excludesfile")
        {
            path = Some(value.trim().trim_matches('"'));
        }
    }
    let path = path?;
    match path.strip_prefix("~/") {
        Some(below) => std::env::home_dir().map(|home| home.join(below)),
        None => Some(path.into()),
    }
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
    fn the_excludes_file_of_a_repository() {
        let config = "[user]\nexcludesFile = a\n[core]\n\tbare = false\n\texcludesfile = \"/b\"\n";
        assert_eq!(excludes_path(config), Some("/b".into()));
        assert_eq!(excludes_path("[other]\nexcludesFile = a\n"), None);
    }
}
