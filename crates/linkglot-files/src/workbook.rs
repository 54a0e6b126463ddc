//! Workbooks of Office Open XML: the files that name columns, in a package or unpacked.

use linkglot::rewrite::column_names;
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// The most bytes of all tables of a workbook.
const MOST_TABLES: u64 = 4 << 20;

/// The most bytes of the fields of a pivot table that are read. Values of cells make them long.
const MOST_FIELDS: u64 = 8 << 20;

/// A kind of files that name columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnsFile {
    /// A table.
    Table,
    /// The fields of a pivot table.
    Fields,
}

impl ColumnsFile {
    /// The kind of an entry, as all programs name it.
    pub fn of(name: &[u8]) -> Option<Self> {
        let small = name.to_ascii_lowercase();
        if small.starts_with(b"xl/tables/") {
            Some(ColumnsFile::Table)
        } else if small.starts_with(b"xl/pivotcache/pivotcachedefinition") {
            Some(ColumnsFile::Fields)
        } else {
            None
        }
    }
}

/// The names of columns, as far as they were read.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    pub names: HashSet<String>,
    /// Bytes of tables so far.
    read: u64,
}

impl Columns {
    /// Adds the names in a file.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or all tables are too long.
    pub fn read(&mut self, kind: ColumnsFile, file: &mut dyn Read) -> io::Result<()> {
        let mut bytes = Vec::new();
        match kind {
            ColumnsFile::Table => {
                file.take(MOST_TABLES - self.read + 1)
                    .read_to_end(&mut bytes)?;
                self.read += bytes.len() as u64;
                if self.read > MOST_TABLES {
                    let message = "expected at most 4 MiB of tables in a workbook, found more";
                    return Err(io::Error::new(io::ErrorKind::InvalidData, message));
                }
            }
            ColumnsFile::Fields => {
                file.take(MOST_FIELDS).read_to_end(&mut bytes)?;
            }
        }
        self.names.extend(column_names(&bytes));
        Ok(())
    }
}

/// The names of columns for a file with cells of a workbook that was unpacked: `xl/sharedStrings.xml`, or a sheet in
/// `xl/worksheets`. Any other file has none.
///
/// # Errors
///
/// When a table beside it cannot be read.
pub(crate) fn columns_beside(path: &Path) -> io::Result<HashSet<String>> {
    // The file may be named from within its directory.
    let path = std::path::absolute(path)?;
    let Some(root) = root_of(&path) else {
        return Ok(HashSet::new());
    };
    let mut columns = Columns::default();
    for folder in ["tables", "pivotCache"] {
        let entries = match fs::read_dir(root.join(folder)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            entries => entries?,
        };
        for entry in entries {
            let entry = entry?;
            let name = format!("xl/{folder}/{}", entry.file_name().to_string_lossy());
            // A pipe would have to be waited for.
            let is_file = entry.metadata()?.is_file();
            if let Some(kind) = ColumnsFile::of(name.as_bytes()).filter(|_| is_file) {
                columns.read(kind, &mut File::open(entry.path())?)?;
            }
        }
    }
    Ok(columns.names)
}

/// The directory `xl` around a file with cells.
fn root_of(path: &Path) -> Option<&Path> {
    let is = |path: &Path, name: &str| path.file_name().is_some_and(|own| own == name);
    let folder = path.parent()?;
    if is(path, "sharedStrings.xml") {
        return Some(folder).filter(|folder| is(folder, "xl"));
    }
    let is_sheet = path.extension().is_some_and(|own| own == "xml") && is(folder, "worksheets");
    folder.parent().filter(|root| is_sheet && is(root, "xl"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_with_cells() {
        for (path, root) in [
            ("a/xl/sharedStrings.xml", Some("a/xl")),
            ("xl/worksheets/sheet1.xml", Some("xl")),
            ("a/sharedStrings.xml", None),
            ("xl/styles.xml", None),
            ("xl/worksheets/a.bin", None),
            ("worksheets/sheet1.xml", None),
        ] {
            assert_eq!(root_of(Path::new(path)), root.map(Path::new), "{path}");
        }
    }
}
