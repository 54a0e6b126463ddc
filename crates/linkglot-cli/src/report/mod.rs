//! The report of a run as one HTML page (`rewrite --report FILE`). It is written when the run has ended, and needs no
//! network.

mod data;
mod page;

use super::Failure;
use super::inputs::{Inputs, shown};
use super::rules::SiteRules;
use super::totals::{Changes, Totals};
use data::Data;
use linkglot::{Error, ErrorKind};
use linkglot_files::{Likeness, Replacement, TempFiles};
use page::Page;
use std::fs::{self, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The mark of a report. A report replaces only files that have it.
const GENERATOR: &str = "<meta name=\"generator\" content=\"linkglot";

/// Length of the beginning of a report that contains the mark.
const HEAD: u64 = 1024;

/// A report to be written.
pub struct HtmlReport {
    path: PathBuf,
}

impl HtmlReport {
    /// Checks that a report can be written to `path`, and keeps the run from reading an existing report there.
    ///
    /// # Errors
    ///
    /// When `path` is something other than a report, is an input of the run, or its directory is missing or the output
    /// of the run.
    pub fn begin(
        path: &Path,
        inputs: &mut Inputs,
        output: Option<&Path>,
        temp_files: &TempFiles,
    ) -> Result<Self, Failure> {
        let failed = |error: &Error| Failure::new(format!("--report {}: {error}", shown(path)));
        check_replaceable(path).map_err(|error| failed(&error))?;
        let real = real_path(path).map_err(|error| failed(&error))?;
        let directory = output.and_then(|output| fs::canonicalize(output).ok());
        if directory.is_some_and(|directory| real.starts_with(directory)) {
            return Err(failed(&expected(
                "a file outside of the output directory",
                "one in it",
            )));
        }
        let is_input = |root: &Path| fs::canonicalize(root).is_ok_and(|root| root == real);
        if real.exists() && inputs.roots.iter().any(|root| is_input(root.path())) {
            return Err(failed(&expected(
                "a file that is not rewritten",
                "an input",
            )));
        }
        // Fails now rather than after the run.
        drop(Replacement::begin(temp_files, path).map_err(|error| failed(&error))?);
        inputs.selection.own.push(real);
        Ok(HtmlReport {
            path: path.to_owned(),
        })
    }

    /// Writes the report, which takes the changes out of the totals.
    ///
    /// # Errors
    ///
    /// When the report cannot be written. An old report then remains.
    pub fn write(
        &self,
        totals: &mut Totals,
        rules: &SiteRules,
        changes: Changes,
        temp_files: &TempFiles,
    ) -> Result<(), Failure> {
        let given = rules.rules.given();
        let found = std::mem::take(&mut totals.breakdown.changes);
        let data = found.listed().and_then(|listed| Data::new(listed, given));
        let written = data.map_err(Error::from).and_then(|data| {
            let page = Page::new(totals, data, changes);
            self.try_write(&page, temp_files)
        });
        written.map_err(|error| Failure::new(format!("--report {}: {error}", shown(&self.path))))
    }

    fn try_write(&self, page: &Page<'_>, temp_files: &TempFiles) -> Result<(), Error> {
        let metadata = metadata_of_new_files()?;
        let mut file = Replacement::begin(temp_files, &self.path)?;
        page.write(&mut file)?;
        let like = Likeness {
            metadata: &metadata,
            file: None,
        };
        // The run may have written a file there.
        file.commit(like, &|| check_replaceable(&self.path))?;
        Ok(())
    }
}

fn expected(wanted: &str, found: &str) -> Error {
    Error::new(ErrorKind::Io, format!("expected {wanted}, found {found}"))
}

/// Checks that `path` is free, an earlier report, or an empty file.
fn check_replaceable(path: &Path) -> Result<(), Error> {
    let metadata = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        metadata => metadata?,
    };
    if !metadata.is_file() {
        return Err(expected("a file or a new name", "something else there"));
    }
    let mut head = Vec::new();
    fs::File::open(path)?.take(HEAD).read_to_end(&mut head)?;
    let is_report = String::from_utf8_lossy(&head).contains(GENERATOR);
    if is_report || head.is_empty() {
        Ok(())
    } else {
        Err(expected(
            "an earlier report or a new name",
            "another file there",
        ))
    }
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

/// Owner, mode and times that the system gives to a new file: temporary files are readable by their owner alone.
fn metadata_of_new_files() -> io::Result<Metadata> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    let permissions = std::os::unix::fs::PermissionsExt::from_mode(0o666);
    #[cfg(unix)]
    builder.permissions(permissions);
    builder.tempfile()?.as_file().metadata()
}

/// Text with invisible characters and characters that reorder text escaped.
fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for ch in text.chars() {
        if linkglot_files::is_deceptive(ch) {
            out.extend(ch.escape_unicode())
        } else {
            out.push(ch)
        }
    }
    out
}
