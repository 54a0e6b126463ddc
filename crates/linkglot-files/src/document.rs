//! Files of a walk as documents: opened, checked and read, or passed over.

use super::attachments::Attachments;
use super::binary::Overrides;
use super::container_kind::kind_of_file;
use super::entry::FileEntry;
use super::new_entry::NewEntry;
use super::source::{Content, Source};
use super::walk::SkipReason;
use linkglot::error::{Error, ErrorKind};
use linkglot::notes::Note;
use linkglot::rewrite::Package;
use linkglot_archive::Kind;
use std::collections::HashSet;
use std::sync::Arc;

/// A document that a [`Job`](crate::Job) processes: a file, or an entry of a container.
pub struct Document<'d> {
    /// The file, or the file of the container.
    pub source: &'d Source,
    /// The content of the document.
    pub content: Content<'d>,
    /// True if a signature covers the whole package that the document is in.
    pub is_signed: bool,
    /// The reason why what the document is in cannot get other bytes, if there is one.
    pub left: Option<Note>,
    /// The names of columns in the workbook that the document is in.
    pub columns: Arc<HashSet<String>>,
    /// The package that the document is a part of.
    pub package: Option<Package>,
    /// True for an entry of a container, and for a message with archives: the document is not replaced by itself.
    pub is_entry: bool,
    /// Takes the archives that are attached to the document, if it is a message.
    pub attachments: Option<&'d Attachments>,
    /// Takes the new content of an entry, if the run writes.
    pub(super) new: Option<&'d mut NewEntry>,
}

impl<'d> Document<'d> {
    /// A file as a document.
    pub fn file(source: &'d Source, content: Content<'d>) -> Self {
        Document {
            source,
            content,
            is_signed: false,
            left: None,
            columns: Arc::default(),
            package: None,
            is_entry: false,
            attachments: None,
            new: None,
        }
    }
}

/// A file of a walk.
pub enum Opened {
    /// A document, and its content.
    Document(Box<Source>, Content<'static>),
    /// An archive or a compressed file.
    Container(Box<Source>, Kind),
    /// The file is passed over.
    Skipped(SkipReason),
}

/// The ways to open the files of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Opening {
    /// Charset and format of named files; a walk meets other files too, whose format is not prescribed.
    pub overrides: Overrides,
    /// True if named pipes and devices are read.
    pub accepts_pipes: bool,
    /// True if containers are told from other files.
    pub enters: bool,
}

/// Opens a file of a walk.
///
/// # Errors
///
/// When the file cannot be read; when a named file is not a document.
pub fn open_document(file: &FileEntry, how: Opening) -> Result<Opened, Error> {
    let format = how.overrides.format.filter(|_| file.named);
    let mut source = Source::open_entry(file)?;
    let unexpected = |found: &str| Err(Error::new(ErrorKind::Io, format!("expected a {found}")));
    if !source.is_regular() && !how.accepts_pipes {
        return unexpected("file, found a pipe or a device");
    }
    if !source.is_regular() && !file.named {
        return Ok(Opened::Skipped(SkipReason::NotAFile));
    }
    source.check_readable()?;
    if source.is_regular()
        && let Some(kind) = kind_of_file(&source)?
        && how.enters
    {
        return Ok(Opened::Container(Box::new(source), kind));
    }
    if source.is_binary(Overrides {
        format,
        ..how.overrides
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
