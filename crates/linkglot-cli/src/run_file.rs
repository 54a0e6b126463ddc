//! Files that a run writes when it has ended, beside its output: a report, an index. Each is written as a whole, and
//! replaces only a file of its kind.

use super::Failure;
use super::inputs::{Inputs, shown};
use linkglot::{Error, ErrorKind};
use linkglot_files::{Likeness, Replacement, TempFiles};
use std::fs::{self, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// A kind of files.
pub struct RunFileKind {
    /// The option that names the file.
    pub option: &'static str,
    /// The noun for such a file.
    pub noun: &'static str,
    /// Length of the beginning of a file by which its kind is known.
    pub head: usize,
    /// True for the beginning of such a file.
    pub is_own: fn(&[u8]) -> bool,
}

/// A file to be written.
pub struct RunFile {
    kind: &'static RunFileKind,
    path: PathBuf,
}

impl RunFile {
    /// Checks that a file can be written to `path`, and keeps the run from reading an existing one there.
    ///
    /// # Errors
    ///
    /// When `path` is something other than such a file, is an input of the run, or its directory is missing or the
    /// output of the run.
    pub fn begin(
        kind: &'static RunFileKind,
        path: &Path,
        (inputs, output): (&mut Inputs, Option<&Path>),
        temp_files: &TempFiles,
    ) -> Result<Self, Failure> {
        let file = RunFile {
            kind,
            path: path.to_owned(),
        };
        let real = file.check(inputs, output, temp_files);
        let real = real.map_err(|error| file.failed(&error))?;
        inputs.selection.own.push(real);
        Ok(file)
    }

    fn check(
        &self,
        inputs: &Inputs,
        output: Option<&Path>,
        temp_files: &TempFiles,
    ) -> Result<PathBuf, Error> {
        self.check_replaceable()?;
        // The run may create the output directory.
        if output.is_some_and(|output| resolved(&self.path).starts_with(resolved(output))) {
            return Err(expected(
                "a file outside of the output directory",
                "one in it",
            ));
        }
        let real = real_path(&self.path)?;
        let is_input = |root: &Path| fs::canonicalize(root).is_ok_and(|root| root == real);
        if real.exists() && inputs.roots.iter().any(|root| is_input(root.path())) {
            return Err(expected("a file that is not rewritten", "an input"));
        }
        // Fails now rather than after the run.
        drop(Replacement::begin(temp_files, &self.path)?);
        Ok(real)
    }

    /// Writes the file.
    ///
    /// # Errors
    ///
    /// When the file cannot be written. An old one then remains.
    pub fn write(
        &self,
        temp_files: &TempFiles,
        write: impl FnOnce(&mut Replacement<'_>) -> Result<(), Error>,
    ) -> Result<(), Failure> {
        let written = self.try_write(temp_files, write);
        written.map_err(|error| self.failed(&error))
    }

    fn try_write(
        &self,
        temp_files: &TempFiles,
        write: impl FnOnce(&mut Replacement<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let metadata = metadata_of_new_files()?;
        let mut file = Replacement::begin(temp_files, &self.path)?;
        write(&mut file)?;
        let like = Likeness {
            metadata: &metadata,
            file: None,
        };
        // The run may have written a file there.
        file.commit(like, &|| self.check_replaceable())?;
        Ok(())
    }

    /// Checks that the path is free, an earlier file of the kind, or an empty file.
    fn check_replaceable(&self) -> Result<(), Error> {
        let path = &self.path;
        let metadata = match fs::symlink_metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            metadata => metadata?,
        };
        let found = match metadata.file_type() {
            own if own.is_dir() => Some("a directory"),
            own if own.is_symlink() => Some("a symbolic link"),
            own if !own.is_file() => Some("a pipe or a device"),
            _ => None,
        };
        if let Some(found) = found {
            return Err(expected("a file or a new name", found));
        }
        let mut head = Vec::new();
        let begin = fs::File::open(path)?.take(self.kind.head as u64);
        { begin }.read_to_end(&mut head)?;
        if head.is_empty() || (self.kind.is_own)(&head) {
            return Ok(());
        }
        let wanted = format!("an earlier {} or a new name", self.kind.noun);
        Err(expected(&wanted, "another file there"))
    }

    /// The path for messages.
    pub fn shown(&self) -> String {
        shown(&self.path)
    }

    fn failed(&self, error: &Error) -> Failure {
        Failure::new(format!("{} {}: {error}", self.kind.option, self.shown()))
    }
}

fn expected(wanted: &str, found: &str) -> Error {
    Error::new(ErrorKind::Io, format!("expected {wanted}, found {found}"))
}

/// The path with the symbolic links in its directory resolved. The file itself need not exist.
fn real_path(path: &Path) -> Result<PathBuf, Error> {
    let name = path.file_name();
    let name = name.ok_or_else(|| expected("the name of a file", "a directory"))?;
    let directory = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    Ok(fs::canonicalize(directory.unwrap_or(Path::new(".")))?.join(name))
}

/// The absolute path with symbolic links resolved, as far as it exists.
fn resolved(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    match (fs::canonicalize(&path), path.parent(), path.file_name()) {
        (Ok(real), ..) => real,
        (_, Some(parent), Some(name)) => resolved(parent).join(name),
        _ => path,
    }
}

/// Owner, mode and times that the system gives to a new file: temporary files are readable by their owner alone.
fn metadata_of_new_files() -> io::Result<Metadata> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    let permissions = std::os::unix::fs::PermissionsExt::from_mode(0o666);
    #[cfg(unix)]
    builder.permissions(permissions);
    builder.tempfile()?.as_file().metadata()
}
