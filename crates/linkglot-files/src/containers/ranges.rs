//! Containers that are read from other places than the disk: a whole one, or ranges of records that are read
//! independently, on several machines.

use super::budget::{Budget, Limits};
use super::input::{Input, Recipe, SharedFile};
use super::names::Spot;
use super::stretch::Stretch;
use super::visit::{Visit, Visitor, Writing};
use super::web::is_of_member;
use crate::attachments::Attachments;
use crate::binary::Overrides;
use crate::container_kind::kind_of_named;
use crate::entry::FileEntry;
use crate::new_entry::NewEntry;
use crate::source::Content;
use crate::walk::{Selection, SkipReason, Walk};
use linkglot::error::{Error, ErrorKind};
use linkglot::link::UnreadReason;
use linkglot_archive::warc::{self, Proof, Record, next_member, next_record};
use linkglot_archive::{Codec, Decoder, HEAD, Kind, kind_of};
use std::cell::Cell;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::sync::Arc;

/// An event of reading a container.
pub enum EntryEvent<'e> {
    /// A document: its path leads to its entry or record. If it is a message, the archives that are attached to it
    /// follow, once it was read as [`Attachments`] say.
    Document(&'e FileEntry, Content<'e>, Option<&'e Attachments>),
    /// An entry that is not read, although it may have links.
    Unread(&'e Path, UnreadReason),
    /// An entry or record, or the file itself, that cannot be read.
    Failed(&'e Path, Error),
}

/// The format of a container, by its first bytes and, for Brotli, by its name; `None` for any other file.
///
/// # Errors
///
/// When the file cannot be read.
pub fn container_format(file: &dyn SharedFile, path: &Path) -> Result<Option<&'static str>, Error> {
    if codec_of(file)?.is_some() {
        return Ok(Some("warc"));
    }
    let kind = kind_of_named(&head_of(&mut file.reader())?, path);
    Ok(kind.map(|kind| match kind {
        Kind::Compressed(codec) => codec.name(),
        Kind::Tar => "tar",
        Kind::Zip => "zip",
        Kind::Warc => "warc",
        Kind::Safari => "webarchive",
    }))
}

/// Reads the documents of a container. They have paths below that of the file. Requests in archives of the web are not
/// read. Memory: as for one document; a container within another is held in memory up to 8 MiB, else in a temporary
/// file.
///
/// # Errors
///
/// When the file cannot be read. Damage is an event.
pub fn read_container(
    file: &dyn SharedFile,
    path: &Path,
    limits: Limits,
    each: &mut dyn FnMut(EntryEvent<'_>) -> ControlFlow<()>,
) -> Result<(), Error> {
    let kind = kind_of_named(&head_of(&mut file.reader())?, path).ok_or_else(|| {
        let message = "expected an archive or a compressed file, found another file";
        Error::new(ErrorKind::Container, message)
    })?;
    let length = file.reader().seek(SeekFrom::End(0))?;
    let has_passed = Cell::new(false);
    let mut documents = Documents::new(path, each, &has_passed);
    let mut place = Spot::file(path);
    if kind != Kind::Zip {
        place.budget = Some(Budget::of(length, limits));
    }
    let recipe = Recipe::Shared(file);
    let read = documents.visit(limits, |visit| {
        visit.container(&place, (kind, Input::Again(&recipe)), None)
    })?;
    match read {
        Err(error) if !is_of_member(&error) => return Err(error.into()),
        Err(error) => documents.hand(EntryEvent::Failed(path, error.into())),
        Ok(_) => {}
    }
    Ok(())
}

/// Reads the documents of the archives attached to a message, which was read as `attachments` say: none otherwise. They
/// have paths below that of the message. Memory: an attachment of up to 64 MiB, and its decoded bytes.
///
/// # Errors
///
/// When the message cannot be read. Damage of an archive is an event.
pub fn read_attached(
    message: &dyn SharedFile,
    (path, attachments): (&Path, &Attachments),
    limits: Limits,
    each: &mut dyn FnMut(EntryEvent<'_>) -> ControlFlow<()>,
) -> Result<(), Error> {
    let Some(settings) = attachments.take() else {
        return Ok(());
    };
    let has_passed = Cell::new(false);
    let mut documents = Documents::new(path, each, &has_passed);
    let content = Content::Stream(Box::new(message.reader()));
    let read = documents.visit(limits, |visit| {
        visit.attached(&Spot::file(path), &settings, content)
    })?;
    Ok(read?)
}

/// Borders of an archive of the web, WARC, plain or compressed with gzip: ranges of about this length that hold whole
/// records, and together the file. A single range, if it cannot be divided. `None` for any other file.
///
/// Compressed files are read at the borders only, plain ones from record to record.
///
/// # Errors
///
/// When the file cannot be read.
pub fn record_ranges(file: &dyn SharedFile, length: u64) -> Result<Option<Vec<Range<u64>>>, Error> {
    let Some(codec) = codec_of(file)? else {
        return Ok(None);
    };
    let mut reader = file.reader();
    let end = reader.seek(SeekFrom::End(0))?;
    let (mut start, mut ranges) = (0, Vec::new());
    while start < end {
        let from = start.saturating_add(length.max(1));
        let border = match codec {
            Some(_) => next_member(&mut reader, from..end, Proof::Chain)?,
            None => next_record(&mut reader, start, from)?,
        };
        let border = border.unwrap_or(end);
        ranges.push(start..border);
        start = border;
    }
    Ok(Some(ranges))
}

/// The codec of an archive of the web; `None` within for a plain one. `None` for any other file.
fn codec_of(file: &dyn SharedFile) -> io::Result<Option<Option<Codec>>> {
    let head = head_of(&mut file.reader())?;
    match kind_of(&head) {
        Some(Kind::Warc) => Ok(Some(None)),
        Some(Kind::Compressed(codec @ Codec::Gzip)) => {
            let mut decoder = Decoder::new(codec, BufReader::new(file.reader()))?;
            // Damage in the first member shows when the file is read.
            let head = head_of(&mut decoder).unwrap_or_default();
            Ok(warc::is_begin(&head).then_some(Some(codec)))
        }
        _ => Ok(None),
    }
}

fn head_of(reader: &mut dyn Read) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    reader.take(HEAD as u64).read_to_end(&mut head)?;
    Ok(head)
}

/// Reads the documents of the records in a range of an archive of the web, which [`record_ranges`] gave. Documents have
/// paths below that of the file. Requests are not read. Memory: as for one document.
///
/// # Errors
///
/// When the file cannot be read. Damage is an event.
pub fn read_records(
    file: &dyn SharedFile,
    (path, range): (&Path, Range<u64>),
    limits: Limits,
    each: &mut dyn FnMut(EntryEvent<'_>) -> ControlFlow<()>,
) -> Result<(), Error> {
    let expected = || {
        Error::new(
            ErrorKind::Container,
            "expected an archive of the web, found another file",
        )
    };
    let codec = codec_of(file)?.ok_or_else(expected)?;
    let end = file.reader().seek(SeekFrom::End(0))?;
    let has_passed = Cell::new(false);
    let mut documents = Documents::new(path, each, &has_passed);
    let place = Spot::file(path);
    let place = match codec {
        Some(_) => place.decompressed(),
        None => place,
    };
    let stretch = Stretch {
        codec,
        start: range.start,
        end: (range.end < end).then_some(range.end),
        in_front: Arc::new(move || range.start),
        passed: &|| has_passed.set(true),
    };
    let read = documents.visit(limits, |visit| {
        visit.read_stretch(&place, &Recipe::Shared(file), &stretch)
    })?;
    let damage = match read {
        Ok(_) if has_passed.get() => {
            let message = format!(
                "damaged WARC file: expected the end of a record at byte {}",
                range.end
            );
            Error::new(ErrorKind::Container, message)
        }
        Ok(_) => return Ok(()),
        Err(error) if is_of_member(&error) => error.into(),
        Err(error) => return Err(error.into()),
    };
    documents.hand(EntryEvent::Failed(path, damage));
    Ok(())
}

/// Hands documents on.
struct Documents<'d> {
    path: &'d Path,
    each: &'d mut dyn FnMut(EntryEvent<'_>) -> ControlFlow<()>,
    is_stopped: bool,
    has_passed: &'d Cell<bool>,
}

impl<'d> Documents<'d> {
    fn new(
        path: &'d Path,
        each: &'d mut dyn FnMut(EntryEvent<'_>) -> ControlFlow<()>,
        has_passed: &'d Cell<bool>,
    ) -> Self {
        Documents {
            path,
            each,
            is_stopped: false,
            has_passed,
        }
    }

    /// Reads with a visit that finds. An error of the outer result is one of the visit's own.
    fn visit<T>(
        &mut self,
        limits: Limits,
        read: impl FnOnce(&mut Visit<'_>) -> io::Result<T>,
    ) -> Result<io::Result<T>, Error> {
        let filter = Walk::new(Vec::new(), Selection::default())?.entry_filter();
        let file = self.path;
        let mut visit = Visit {
            visitor: self,
            filter: &filter,
            overrides: Overrides::default(),
            limits,
            rewrites: false,
            reads_requests: false,
            in_place: false,
            file,
            is_named: true,
        };
        Ok(read(&mut visit))
    }

    fn hand(&mut self, event: EntryEvent<'_>) {
        self.is_stopped |= (self.each)(event).is_break();
    }
}

impl Visitor for Documents<'_> {
    fn document(
        &mut self,
        place: &Spot,
        content: Content<'_>,
        _: Option<&mut NewEntry>,
        attachments: Option<&Attachments>,
    ) {
        let entry = place.in_file(&FileEntry::of_path(self.path.to_owned()));
        self.hand(EntryEvent::Document(&entry, content, attachments));
    }

    fn record(&mut self, _: &Record) {}

    fn skipped(&mut self, _: &Path, _: SkipReason) {}

    fn unread(&mut self, path: &Path, reason: UnreadReason) {
        self.hand(EntryEvent::Unread(path, reason));
    }

    fn failed(&mut self, path: &Path, error: Error) {
        self.hand(EntryEvent::Failed(path, error));
    }

    fn writing(&mut self, _: Writing) {}

    fn is_stopped(&self) -> bool {
        self.is_stopped || self.has_passed.get()
    }
}
