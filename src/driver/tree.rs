//! A tree of files written below another directory.

use super::replace::{Replacement, Scratch};
use super::shown::shown;
use super::source::Source;
use super::walk::Root;
use crate::error::{Error, ErrorKind};
use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::io::{self, Read, Seek};
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Where the files of each root go below an output directory: those of a single directory right
/// below it; a root among several, or a file, by its own last name; a listed file by its whole
/// path.
#[derive(Debug)]
pub struct Tree {
    directory: PathBuf,
    /// For each root, its path and its place below the directory.
    places: Vec<(PathBuf, PathBuf)>,
    /// Whether the directory is the caller's, who chose its mode.
    existed: bool,
    /// The directories made so far, and the modes that they get at the end.
    modes: Mutex<Vec<(PathBuf, Permissions)>>,
}

impl Tree {
    /// The tree of these roots below `directory`, which need not exist.
    ///
    /// # Errors
    ///
    /// When it would lie inside a root or hold one, or when two roots would share a place.
    pub fn new(directory: &Path, roots: &[Root]) -> Result<Self, Error> {
        let mut tree = Tree {
            directory: directory.to_owned(),
            places: Vec::with_capacity(roots.len()),
            existed: directory.exists(),
            modes: Mutex::default(),
        };
        if tree.existed && !directory.is_dir() {
            return Err(error(format!(
                "expected an output directory, found a file: `{}`",
                shown(directory)
            )));
        }
        let output = resolved(directory);
        let mut taken = HashMap::new();
        for root in roots {
            let place = tree.add(root, roots.len() == 1, &output)?;
            let other = taken.insert(place.clone(), root.path());
            let other = other.filter(|&other| other != root.path() && place != Path::new(""));
            if let Some(other) = other {
                return Err(error(format!(
                    "`{}` and `{}` would both become `{}`",
                    shown(other),
                    shown(root.path()),
                    shown(directory.join(place))
                )));
            }
        }
        Ok(tree)
    }

    fn add(&mut self, root: &Root, only: bool, output: &Path) -> Result<PathBuf, Error> {
        let path = root.path();
        let input = resolved(path);
        let is_directory = input.is_dir();
        if is_directory {
            keep_apart(path, &input, &self.directory, output)?;
        }
        let place = match root {
            Root::Stdin => {
                return Err(error(
                    "standard input has no place below the output directory".to_owned(),
                ));
            }
            Root::Listed(listed) => below_any_root(listed)?,
            Root::Path(_) if only && is_directory => PathBuf::new(),
            _ => own_name(path, &input),
        };
        if !is_directory && resolved(&self.directory.join(&place)) == input {
            return Err(error(format!(
                "the output of `{}` would be the input itself; --in-place replaces it",
                shown(path)
            )));
        }
        self.places.push((path.to_owned(), place.clone()));
        Ok(place)
    }

    /// Where the file at `path`, found below the root of that number, goes.
    pub fn target(&self, root: usize, path: &Path) -> PathBuf {
        let Some((root, place)) = self.places.get(root) else {
            return self.directory.join(path.file_name().unwrap_or_default());
        };
        let below = path.strip_prefix(root).unwrap_or(Path::new(""));
        let target = self.directory.join(place).join(below);
        // `a/` with nothing behind is no name of a file.
        target.components().collect()
    }

    /// Makes the directory of the tree for the one at `path`, found below the root of that number.
    /// Until [`Tree::finish`], its owner may do everything in it, and nobody more than in that one.
    ///
    /// # Errors
    ///
    /// When it cannot be made.
    pub fn directory(&self, root: usize, path: &Path) -> Result<(), Error> {
        let target = self.target(root, path);
        self.keep_inside(&target)?;
        make(&target)?;
        if self.existed && target == self.target_of_all() {
            return Ok(());
        }
        let mode = fs::metadata(path)?.permissions();
        fs::set_permissions(&target, open_to_owner(&mode))?;
        let mut modes = self.modes.lock().unwrap_or_else(PoisonError::into_inner);
        modes.push((target, mode));
        Ok(())
    }

    /// [`target`](Self::target) of a file that will be written, if no symbolic link leads out of the output directory there.
    ///
    /// # Errors
    ///
    /// When one does.
    pub fn target_within(&self, root: usize, path: &Path) -> Result<PathBuf, Error> {
        let target = self.target(root, path);
        self.keep_inside(target.parent().unwrap_or(&target))?;
        Ok(target)
    }

    /// What an earlier run or somebody else has put there may be a link to anywhere.
    fn keep_inside(&self, target: &Path) -> Result<(), Error> {
        if resolved(target).starts_with(resolved(&self.directory)) {
            return Ok(());
        }
        let below = target.ancestors().take_while(|at| **at != self.directory);
        let is_link = |at: &&Path| fs::symlink_metadata(at).is_ok_and(|known| known.is_symlink());
        let link = below.filter(is_link).last().unwrap_or(target);
        Err(error(format!(
            "`{}` leads out of the output directory `{}`",
            shown(link),
            shown(&self.directory)
        )))
    }

    fn target_of_all(&self) -> PathBuf {
        self.directory.components().collect()
    }

    /// Gives the directories their modes, the deepest first: one that cannot be written to gets its
    /// own when all is in it.
    ///
    /// # Errors
    ///
    /// The first that fails; the others get theirs all the same.
    pub fn finish(&self) -> Result<(), Error> {
        let mut modes = self.modes.lock().unwrap_or_else(PoisonError::into_inner);
        let mut modes = std::mem::take(&mut *modes);
        modes.sort_by_key(|(target, _)| std::cmp::Reverse(target.components().count()));
        let mut done = Ok(());
        for (target, mode) in modes {
            done = done.and(fs::set_permissions(target, mode));
        }
        Ok(done?)
    }

    /// Makes the directory that a file stands in.
    ///
    /// # Errors
    ///
    /// When it cannot be made.
    pub fn prepare(target: &Path) -> Result<(), Error> {
        match target.parent() {
            Some(parent) => make(parent),
            None => Ok(()),
        }
    }
}

/// Makes a directory with those above it. The error names it: whoever tells of it knows the input alone.
fn make(directory: &Path) -> Result<(), Error> {
    fs::create_dir_all(directory).map_err(|cause| {
        let directory = shown(directory);
        error(format!(
            "cannot make the output directory `{directory}`: {cause}"
        ))
    })
}

#[cfg(unix)]
fn open_to_owner(mode: &Permissions) -> Permissions {
    use std::os::unix::fs::PermissionsExt;
    Permissions::from_mode(mode.mode() | 0o700)
}

#[cfg(not(unix))]
fn open_to_owner(mode: &Permissions) -> Permissions {
    mode.clone()
}

fn error(message: String) -> Error {
    Error::new(ErrorKind::Io, message)
}

/// Neither of input and output may lie in the other: files would be read that were just written.
fn keep_apart(path: &Path, input: &Path, directory: &Path, output: &Path) -> Result<(), Error> {
    let (path, directory) = (shown(path), shown(directory));
    if output == input {
        Err(error(format!(
            "the output directory `{directory}` is the input `{path}` itself; --in-place replaces files"
        )))
    } else if output.starts_with(input) {
        Err(error(format!(
            "the output directory `{directory}` lies inside the input `{path}`"
        )))
    } else if input.starts_with(output) {
        Err(error(format!(
            "the input `{path}` lies inside the output directory `{directory}`"
        )))
    } else {
        Ok(())
    }
}

/// The last name of a path as it was given: that of a link, and not of what it leads to. `.` and `..` have no name but
/// that of the directory they are.
fn own_name(path: &Path, resolved: &Path) -> PathBuf {
    let name = path.file_name().or_else(|| resolved.file_name());
    name.map(PathBuf::from).unwrap_or_default()
}

/// The path without links and dots, as far as it exists.
fn resolved(path: &Path) -> PathBuf {
    let mut rest: Vec<OsString> = Vec::new();
    let mut known = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    loop {
        if let Ok(real) = fs::canonicalize(&known) {
            return rest.iter().rev().fold(real, |path, name| path.join(name));
        }
        let Some(name) = known.file_name() else {
            return known;
        };
        rest.push(name.to_owned());
        known.pop();
    }
}

/// A listed path below the output directory: without its root, and without going up.
fn below_any_root(path: &Path) -> Result<PathBuf, Error> {
    let mut below = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => below.push(name),
            Component::ParentDir => {
                return Err(error(format!(
                    "`{}` has no place below the output directory: it goes up by `..`",
                    shown(path)
                )));
            }
            _ => {}
        }
    }
    Ok(below)
}

/// Copies a file as it is, with mode and times.
///
/// # Errors
///
/// When it cannot be read or written, or changed meanwhile.
pub fn copy_file(source: &Source, scratch: &Scratch, target: &Path) -> Result<(), Error> {
    let mut from = fs::File::open(source.path())?;
    from.rewind()?;
    Tree::prepare(target)?;
    let mut file = Replacement::begin(scratch, target)?;
    io::copy(&mut from.by_ref(), &mut file)?;
    file.commit(source.metadata(), &|| source.check_unchanged())
}

/// Makes a symbolic link at `target` that says what the one at `path` says.
///
/// # Errors
///
/// When it cannot be made.
#[cfg(unix)]
pub fn copy_symlink(path: &Path, target: &Path) -> Result<(), Error> {
    let names = fs::read_link(path)?;
    Tree::prepare(target)?;
    if fs::symlink_metadata(target).is_ok_and(|old| old.is_symlink()) {
        fs::remove_file(target)?;
    }
    Ok(std::os::unix::fs::symlink(names, target)?)
}

/// Makes a symbolic link at `target` that says what the one at `path` says.
///
/// # Errors
///
/// Always: links need rights here that few have.
#[cfg(not(unix))]
pub fn copy_symlink(path: &Path, _: &Path) -> Result<(), Error> {
    let path = shown(path);
    Err(error(format!("the symbolic link `{path}` is not copied")))
}
