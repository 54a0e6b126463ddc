//! Ranges of a file of records that are read independently, on several machines.

use super::budget::Limits;
use super::input::{Recipe, SharedFile};
use super::names::Spot;
use super::stretch::Stretch;
use super::visit::{Visit, Visitor, Writing};
use super::web::is_of_member;
use crate::attachments::Attachments;
use crate::binary::Overrides;
use crate::entry::{FileEntry, Inside};
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

/// An event of reading records.
pub enum RecordEvent<'e> {
    /// A document: its path leads to its record.
    Document(&'e FileEntry, Content<'e>),
    /// A record, or the file itself, that cannot be read.
    Failed(&'e Path, Error),
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
    let head_of = |reader: &mut dyn Read| {
        let mut head = Vec::new();
        reader
            .take(HEAD as u64)
            .read_to_end(&mut head)
            .map(|_| head)
    };
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
    each: &mut dyn FnMut(RecordEvent<'_>) -> ControlFlow<()>,
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
    let mut documents = Documents {
        path,
        each,
        is_stopped: false,
        has_passed: &has_passed,
    };
    let filter = Walk::new(Vec::new(), Selection::default())?.entry_filter();
    let mut visit = Visit {
        visitor: &mut documents,
        filter: &filter,
        overrides: Overrides::default(),
        limits,
        rewrites: false,
        reads_requests: false,
        in_place: false,
        file: path,
        is_named: true,
    };
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
    let read = visit.read_stretch(&place, &Recipe::Shared(file), &stretch);
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
    documents.hand(RecordEvent::Failed(path, damage));
    Ok(())
}

/// Hands documents on.
struct Documents<'d> {
    path: &'d Path,
    each: &'d mut dyn FnMut(RecordEvent<'_>) -> ControlFlow<()>,
    is_stopped: bool,
    has_passed: &'d Cell<bool>,
}

impl Documents<'_> {
    fn hand(&mut self, event: RecordEvent<'_>) {
        self.is_stopped |= (self.each)(event).is_break();
    }
}

impl Visitor for Documents<'_> {
    fn document(
        &mut self,
        place: &Spot,
        content: Content<'_>,
        _: Option<&mut NewEntry>,
        _: Option<&Attachments>,
    ) {
        let inside = Inside {
            name: place.name.clone(),
            below: place.below.clone(),
            archived: place.archived.clone(),
        };
        let entry = FileEntry::of_path(self.path.to_owned()).inside(place.path.clone(), inside);
        self.hand(RecordEvent::Document(&entry, content));
    }

    fn record(&mut self, _: &Record) {}

    fn skipped(&mut self, _: &Path, _: SkipReason) {}

    fn unread(&mut self, _: &Path, _: UnreadReason) {}

    fn failed(&mut self, path: &Path, error: Error) {
        self.hand(RecordEvent::Failed(path, error));
    }

    fn writing(&mut self, _: Writing) {}

    fn is_stopped(&self) -> bool {
        self.is_stopped || self.has_passed.get()
    }
}
