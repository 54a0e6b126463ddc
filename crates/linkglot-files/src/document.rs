//! Files of a walk as documents: opened, checked and read, or passed over.

use super::binary::Overrides;
use super::entry::FileEntry;
use super::source::{Content, Source};
use super::walk::SkipReason;
use linkglot::error::{Error, ErrorKind};

/// A file of a walk.
#[derive(Debug)]
pub enum Opened {
    /// A document, and its content.
    Document(Box<Source>, Content),
    /// The file is passed over.
    Skipped(SkipReason),
}

/// Opens a file of a walk. `overrides` apply to named files; a walk meets other files too, whose format is not
/// prescribed.
///
/// # Errors
///
/// When the file cannot be read; when a named file is not a document.
pub fn open_document(
    file: &FileEntry,
    overrides: Overrides,
    accepts_pipes: bool,
) -> Result<Opened, Error> {
    let format = overrides.format.filter(|_| file.named);
    let mut source = Source::open_entry(file)?;
    let unexpected = |found: &str| Err(Error::new(ErrorKind::Io, format!("expected a {found}")));
    if !source.is_regular() && !accepts_pipes {
        return unexpected("file, found a pipe or a device");
    }
    if !source.is_regular() && !file.named {
        return Ok(Opened::Skipped(SkipReason::NotAFile));
    }
    source.check_readable()?;
    if source.is_binary(Overrides {
        format,
        ..overrides
    })? {
        return if file.named {
            unexpected("document, found a binary file")
        } else {
            Ok(Opened::Skipped(SkipReason::Binary))
        };
    }
    let content = source.read()?;
    Ok(Opened::Document(Box::new(source), content))
}
