//! Output trees: rewritten files below another directory.

use super::directory::Place;
use super::display::display;
use super::remedy::Remedy;
use super::replace::{Likeness, Replacement, TempFiles};
use super::source::Source;
use super::walk::Root;
use linkglot::error::{Error, ErrorKind};
use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::io::{self, Seek};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};

/// The tree in an output directory. The content of a single directory root goes directly into it; one of several roots,
/// or a file, keeps its last name; a listed file keeps its whole path.
#[derive(Debug)]
pub struct OutputTree {
    directory: PathBuf,
    /// For each root, its path and its path in the output directory.
    roots: Vec<(PathBuf, PathBuf)>,
    /// True if the directory existed: it keeps the mode that the user gave it.
    existed: bool,
    /// The directories created so far, with their final modes.
    modes: Mutex<Vec<(PathBuf, Permissions)>>,
    /// Number of places at which a file stood.
    taken: AtomicU64,
}

impl OutputTree {
    /// The tree of these roots in `directory`, which need not exist.
    ///
    /// # Errors
    ///
    /// When the directory would lie inside a root or contain one, or when two roots would go to the same place.
    pub fn new(directory: &Path, roots: &[Root]) -> Result<Self, Error> {
        let mut tree = OutputTree {
            directory: directory.to_owned(),
            roots: Vec::with_capacity(roots.len()),
            existed: directory.exists(),
            modes: Mutex::default(),
            taken: AtomicU64::new(0),
        };
        if tree.existed && !directory.is_dir() {
            return Err(error(format!(
                "expected an output directory, found a file: `{}`",
                display(directory)
            )));
        }
        let output = resolved(directory);
        let mut taken = HashMap::new();
        for root in roots {
            let below = tree.add(root, roots.len() == 1, &output)?;
            let other = taken.insert(below.clone(), root.path());
            let other = other.filter(|&other| other != root.path() && below != Path::new(""));
            if let Some(other) = other {
                return Err(error(format!(
                    "`{}` and `{}` would both become `{}`",
                    display(other),
                    display(root.path()),
                    display(directory.join(below))
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
        let below = match root {
            Root::Stdin => {
                return Err(error(
                    "standard input has no name below the output directory".to_owned(),
                ));
            }
            Root::Listed(listed) => relative_path(listed)?,
            Root::Path(_) if only && is_directory => PathBuf::new(),
            _ => own_name(path, &input),
        };
        if !is_directory && resolved(&self.directory.join(&below)) == input {
            let path = display(path);
            let message = format!("the output of `{path}` would be the input itself");
            return Err(Remedy::InPlace.for_error(message));
        }
        self.roots.push((path.to_owned(), below.clone()));
        Ok(below)
    }

    /// The output path for the file at `path`, found below the root with this number.
    pub fn target(&self, root: usize, path: &Path) -> PathBuf {
        let Some((root, below)) = self.roots.get(root) else {
            return self.directory.join(path.file_name().unwrap_or_default());
        };
        let rest = path.strip_prefix(root).unwrap_or(Path::new(""));
        let target = self.directory.join(below).join(rest);
        // Removes the final slash that joining an empty path leaves.
        target.components().collect()
    }

    /// The name of the output path below the output directory, with slashes between its parts.
    pub fn name_below(&self, root: usize, path: &Path) -> String {
        let target = self.target(root, path);
        let top = self.top();
        let below = target.strip_prefix(&top).unwrap_or(&target);
        let parts = below.iter().map(|part| part.to_string_lossy());
        parts.collect::<Vec<_>>().join("/")
    }

    /// Creates the output directory for the directory at `path`, found below the root with this number. It gets the
    /// same mode, but until [`OutputTree::finish`] its owner may write to it.
    ///
    /// # Errors
    ///
    /// When the directory cannot be created.
    pub fn create_directory(&self, root: usize, path: &Path) -> Result<(), Error> {
        let target = self.target(root, path);
        self.keep_inside(&target)?;
        create(&target)?;
        remove_stale(&target);
        if self.existed && target == self.top() {
            return Ok(());
        }
        let mode = fs::metadata(path)?.permissions();
        fs::set_permissions(&target, open_to_owner(&mode))?;
        let mut modes = self.modes.lock().unwrap_or_else(PoisonError::into_inner);
        modes.push((target, mode));
        Ok(())
    }

    /// The place of a file to be written. Its directory is created if necessary, and stays open.
    ///
    /// # Errors
    ///
    /// When a symbolic link on the way leads out of the output directory.
    pub fn place(&self, root: usize, path: &Path) -> Result<Place, Error> {
        let target = self.target(root, path);
        let parent = target.parent().unwrap_or(&target);
        self.keep_inside(parent)?;
        create(parent)?;
        let name = target
            .file_name()
            .ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        // Resolved again, because the directory may be new; from there on, no symbolic link is followed.
        let parent = resolved(parent);
        if !parent.starts_with(resolved(&self.directory)) {
            return Err(self.leads_out(&target));
        }
        let target = parent.join(name);
        self.taken
            .fetch_add(u64::from(target.symlink_metadata().is_ok()), Relaxed);
        Ok(Place::without_links(&target)?)
    }

    /// Checks that no symbolic link on the way leads out of the output directory: an earlier run, or somebody else, may
    /// have left one.
    fn keep_inside(&self, target: &Path) -> Result<(), Error> {
        if resolved(target).starts_with(resolved(&self.directory)) {
            return Ok(());
        }
        Err(self.leads_out(target))
    }

    fn leads_out(&self, target: &Path) -> Error {
        let below = target.ancestors().take_while(|at| **at != self.directory);
        let is_link = |at: &&Path| fs::symlink_metadata(at).is_ok_and(|known| known.is_symlink());
        let link = below.filter(is_link).last().unwrap_or(target);
        error(format!(
            "`{}` leads out of the output directory `{}`",
            display(link),
            display(&self.directory)
        ))
    }

    /// Number of files in the directory that were replaced so far.
    pub fn replaced(&self) -> u64 {
        self.taken.load(Relaxed)
    }

    fn top(&self) -> PathBuf {
        self.directory.components().collect()
    }

    /// Gives the directories their final modes, the deepest first: a read-only directory gets its mode once it is
    /// filled.
    ///
    /// # Errors
    ///
    /// The first error; the other directories still get their modes.
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
}

/// Removes the temporary files that a killed run left in a directory. Errors are ignored.
fn remove_stale(directory: &Path) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let _ = TempFiles::remove_stale(&entry.path());
    }
}

/// Creates a directory and its parents. The error names the directory, since messages begin with the path of the input.
fn create(directory: &Path) -> Result<(), Error> {
    fs::create_dir_all(directory).map_err(|cause| {
        let directory = display(directory);
        error(format!(
            "cannot create the output directory `{directory}`: {cause}"
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

/// Refuses an output directory that contains an input, or the reverse: files just written would be read.
fn keep_apart(path: &Path, input: &Path, directory: &Path, output: &Path) -> Result<(), Error> {
    let (path, directory) = (display(path), display(directory));
    if output == input {
        let message = format!("the output directory `{directory}` is the input `{path}` itself");
        Err(Remedy::InPlace.for_error(message))
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

/// The last name of a path as given: for a symbolic link, its own name instead of its target's. For `.` and `..`, the
/// name of the directory.
fn own_name(path: &Path, resolved: &Path) -> PathBuf {
    let name = path.file_name().or_else(|| resolved.file_name());
    name.map(PathBuf::from).unwrap_or_default()
}

/// The path with symbolic links and dots resolved, as far as it exists.
fn resolved(path: &Path) -> PathBuf {
    let mut rest: Vec<OsString> = Vec::new();
    let mut existing = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    loop {
        if let Ok(real) = fs::canonicalize(&existing) {
            return rest.iter().rev().fold(real, |path, name| path.join(name));
        }
        let Some(name) = existing.file_name() else {
            return existing;
        };
        rest.push(name.to_owned());
        existing.pop();
    }
}

/// Checks that a listed path can be used below the output directory: relative, and without `..`.
fn relative_path(path: &Path) -> Result<PathBuf, Error> {
    let mut below = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => below.push(name),
            Component::ParentDir => {
                return Err(error(format!(
                    "`{}` would leave the output directory: it contains `..`",
                    display(path)
                )));
            }
            _ => {}
        }
    }
    Ok(below)
}

/// Copies a file with its attributes, and returns the attributes that could not be kept.
///
/// # Errors
///
/// When the file cannot be read or written, or changes meanwhile.
pub fn copy_file(
    source: &Source,
    temp_files: &TempFiles,
    target: &Place,
) -> Result<Vec<String>, Error> {
    let mut from = source.file();
    from.rewind()?;
    let mut file = Replacement::begin_at(temp_files, target.clone())?;
    io::copy(&mut from, &mut file)?;
    let like = Likeness {
        metadata: source.metadata(),
        file: Some(source.file()),
    };
    Ok(file.commit(like, &|| source.check_unchanged())?.lost)
}

/// Copies the symbolic link at `path` to `target`, without resolving it.
///
/// # Errors
///
/// When the link cannot be created.
#[cfg(unix)]
pub fn copy_symlink(path: &Path, target: &Place) -> Result<(), Error> {
    let pointee = fs::read_link(path)?;
    if target.is_symlink() {
        target.directory.remove(&target.name)?;
    }
    Ok(target.directory.symlink(&pointee, &target.name)?)
}

/// Copies the symbolic link at `path` to `target`, without resolving it.
///
/// # Errors
///
/// Always: on this system, symbolic links need rights that few users have.
#[cfg(not(unix))]
pub fn copy_symlink(path: &Path, _: &Place) -> Result<(), Error> {
    let path = display(path);
    Err(error(format!(
        "symbolic links such as `{path}` cannot be copied here"
    )))
}
