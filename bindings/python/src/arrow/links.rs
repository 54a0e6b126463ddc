//! The output columns of links and rewritten documents.

use super::columns::Input;
use super::{BINARY, unread};
use crate::data::Positions;
use crate::error::Failure;
use crate::link::{message_number, place};
use crate::options::Purpose;
use arrow_array::builder::{
    BinaryBuilder, BinaryViewBuilder, Int64Builder, LargeBinaryBuilder, LargeStringBuilder,
    ListBuilder, StringBuilder, StringViewBuilder,
};
use arrow_array::{Array, ArrayRef, ListArray, RecordBatch, StructArray};
use arrow_buffer::OffsetBuffer;
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema};
use linkglot::Link;
use linkglot::link::Info;
use linkglot::notes::Notes;
use linkglot::rewrite::{self, LinkForms, Summary};
use linkglot_files::Archived;
use std::sync::Arc;

/// Limit of the strings of a batch, and of its contents: offsets have 32 bits.
const MOST: usize = i32::MAX as usize;

/// Number of links, and of their bytes, that make a batch.
const BATCH_LINKS: usize = 1 << 14;
const BATCH_BYTES: usize = 1 << 25;

/// The outcome for a link: its forms, or the change that a rewrite made.
pub enum Outcome<'o> {
    Found(&'o LinkForms),
    Rewritten(&'o rewrite::Outcome<'o>),
}

/// An entry of an archive: its path, and its record in an archive of the web.
pub struct OpenEntry {
    pub path: String,
    pub archived: Archived,
}

/// A column of links.
#[derive(Default)]
pub struct Links {
    text: StringBuilder,
    raw: StringBuilder,
    start: Int64Builder,
    end: Int64Builder,
    line: Int64Builder,
    column: Int64Builder,
    scheme: StringBuilder,
    implied: StringBuilder,
    evidence: StringBuilder,
    kind: StringBuilder,
    element: StringBuilder,
    name: StringBuilder,
    format: StringBuilder,
    charset: StringBuilder,
    part: StringBuilder,
    message: Int64Builder,
    media_type: StringBuilder,
    label: StringBuilder,
    uri: StringBuilder,
    iri: StringBuilder,
    resolved: StringBuilder,
    new: StringBuilder,
    rule: Int64Builder,
    entry: StringBuilder,
    record: StringBuilder,
    target: StringBuilder,
    date: StringBuilder,
    notes: ListBuilder<StringBuilder>,
    /// The entry of an archive that the next links stand in.
    pub open_entry: Option<OpenEntry>,
    /// Number of links, and the number of links before each row.
    count: usize,
    ends: Vec<i32>,
    /// Total length of all strings.
    bytes: usize,
    /// True if links of the present row had no room.
    is_full: bool,
    /// The notes of the present row.
    row_notes: Notes,
}

impl OpenEntry {
    fn length(&self) -> usize {
        let Archived {
            record,
            target,
            date,
            ..
        } = &self.archived;
        let texts = [record.as_deref(), target.as_deref(), date.as_deref()];
        let texts: usize = texts.into_iter().flatten().map(str::len).sum();
        self.path.len() + texts
    }
}

impl Links {
    /// Appends a link to the row.
    pub fn push(
        &mut self,
        link: &Link<'_>,
        outcome: Outcome<'_>,
        info: &Info,
        positions: &mut Positions<'_>,
    ) {
        let (text, raw) = (link.text(), link.raw());
        let resolved = match outcome {
            Outcome::Found(_) => link.resolved(info),
            Outcome::Rewritten(_) => None,
        };
        // The new link is at most nine times as long.
        let more = resolved.as_deref().map_or(0, str::len);
        let more = more + link.label().map_or(0, str::len);
        let more = more + self.open_entry.as_ref().map_or(0, OpenEntry::length);
        let needed = 20 * (text.len() + raw.len()) + more + 200;
        self.is_full |= self.bytes.saturating_add(needed) > MOST || self.count >= MOST;
        if self.is_full {
            return;
        }
        self.bytes += needed;
        self.count += 1;
        let at = place(positions, link);
        let (stands, location) = (link.place(), link.location());
        let mut notes = link.notes();
        self.text.append_value(text);
        self.raw.append_value(raw);
        self.start.append_value(at.start as i64);
        self.end.append_value(at.end as i64);
        self.line.append_option(location.map(|at| at.line as i64));
        self.column
            .append_option(location.map(|at| at.column as i64));
        let scheme = link.scheme().map(|scheme| scheme.to_ascii_lowercase());
        self.scheme.append_option(scheme);
        self.implied.append_option(link.implied());
        self.evidence.append_value(link.evidence().name());
        self.kind.append_value(stands.kind.name());
        self.element.append_option(stands.element.as_deref());
        self.name.append_option(stands.name.as_deref());
        self.format.append_value(info.document_format().name());
        self.charset.append_value(info.charset.name());
        let part = link.part();
        self.part.append_option(part.map(|part| part.number()));
        let message = part.and_then(message_number);
        self.message
            .append_option(message.map(|number| number as i64));
        self.media_type
            .append_option(part.map(|part| part.media_type()));
        match outcome {
            Outcome::Found(forms) => {
                notes.extend(forms.notes);
                self.uri.append_option(forms.uri.as_deref());
                self.iri.append_option(forms.iri.as_deref());
                self.resolved.append_option(resolved);
                self.label.append_option(link.label());
                self.push_entry();
            }
            Outcome::Rewritten(outcome) => {
                notes.extend(outcome.all_notes());
                self.new.append_option(outcome.new);
                self.rule
                    .append_option(outcome.rule.map(|rule| rule as i64));
            }
        }
        for note in notes.iter() {
            self.notes.values().append_value(note.code());
        }
        self.notes.append(true);
        self.row_notes.extend(notes);
    }

    fn push_entry(&mut self) {
        let entry = self.open_entry.as_ref();
        let archived = entry.map(|entry| &entry.archived);
        let of_record = |field: fn(&Archived) -> Option<&str>| archived.and_then(field);
        self.entry.append_option(entry.map(|entry| &*entry.path));
        self.record
            .append_option(of_record(|it| it.record.as_deref()));
        self.target
            .append_option(of_record(|it| it.target.as_deref()));
        self.date.append_option(of_record(|it| it.date.as_deref()));
    }

    /// Number of links.
    pub fn len(&self) -> usize {
        self.count
    }

    /// True if there are enough links for a batch.
    pub fn is_ready(&self) -> bool {
        self.count >= BATCH_LINKS || self.bytes >= BATCH_BYTES
    }

    /// The links so far as a batch.
    pub fn take(&mut self, purpose: Purpose) -> Result<RecordBatch, ArrowError> {
        let open_entry = self.open_entry.take();
        let batch = batch(std::mem::take(self).columns(purpose == Purpose::Rewrite));
        self.open_entry = open_entry;
        batch
    }

    /// Ends the row, and returns the number of its links, its notes, and an error if some links had no room.
    fn end_row(&mut self) -> (i64, Notes, Option<String>) {
        let before = self.ends.last().copied().unwrap_or(0);
        self.ends.push(self.count as i32);
        let error = std::mem::take(&mut self.is_full).then(|| {
            "the links of the batch take more than 2 GiB, so some are missing; use smaller batches".to_owned()
        });
        let notes = std::mem::take(&mut self.row_notes);
        (self.count as i64 - i64::from(before), notes, error)
    }

    /// The links as separate columns.
    fn columns(&mut self, rewrites: bool) -> Vec<(&'static str, ArrayRef)> {
        let mut columns: Vec<(&'static str, ArrayRef)> = vec![
            ("text", Arc::new(self.text.finish())),
            ("raw", Arc::new(self.raw.finish())),
            ("start", Arc::new(self.start.finish())),
            ("end", Arc::new(self.end.finish())),
            ("line", Arc::new(self.line.finish())),
            ("column", Arc::new(self.column.finish())),
            ("scheme", Arc::new(self.scheme.finish())),
            ("implied", Arc::new(self.implied.finish())),
            ("evidence", Arc::new(self.evidence.finish())),
            ("kind", Arc::new(self.kind.finish())),
            ("element", Arc::new(self.element.finish())),
            ("name", Arc::new(self.name.finish())),
            ("format", Arc::new(self.format.finish())),
            ("charset", Arc::new(self.charset.finish())),
            ("part", Arc::new(self.part.finish())),
            ("message", Arc::new(self.message.finish())),
            ("media_type", Arc::new(self.media_type.finish())),
        ];
        if rewrites {
            columns.push(("new", Arc::new(self.new.finish())));
            columns.push(("rule", Arc::new(self.rule.finish())));
        } else {
            columns.push(("uri", Arc::new(self.uri.finish())));
            columns.push(("iri", Arc::new(self.iri.finish())));
            columns.push(("resolved", Arc::new(self.resolved.finish())));
            columns.push(("label", Arc::new(self.label.finish())));
            columns.push(("entry", Arc::new(self.entry.finish())));
            columns.push(("record", Arc::new(self.record.finish())));
            columns.push(("target", Arc::new(self.target.finish())));
            columns.push(("date", Arc::new(self.date.finish())));
        }
        columns.push(("notes", Arc::new(self.notes.finish())));
        columns
    }

    /// The links as lists, one per row.
    fn lists(mut self, rewrites: bool) -> Result<ListArray, ArrowError> {
        let columns = self.columns(rewrites);
        let fields = fields(&columns);
        let columns = columns.into_iter().map(|(_, column)| column).collect();
        let links = StructArray::try_new(fields, columns, None)?;
        let lengths = self
            .ends
            .windows(2)
            .map(|pair| (pair[1] - pair[0]) as usize);
        let first = self.ends.first().map(|&end| end as usize);
        let offsets = OffsetBuffer::from_lengths(first.into_iter().chain(lengths));
        let item = Field::new("item", links.data_type().clone(), true);
        ListArray::try_new(Arc::new(item), offsets, Arc::new(links), None)
    }
}

/// Links of documents that are read in windows, batch by batch.
pub struct LinkBatches {
    links: Links,
    purpose: Purpose,
}

impl LinkBatches {
    pub fn new(purpose: Purpose) -> Self {
        LinkBatches {
            links: Links::default(),
            purpose,
        }
    }

    /// Tells whether there are no links, and whether there are enough for a batch.
    pub fn is_empty(&self) -> bool {
        self.links.count == 0
    }

    pub fn is_ready(&self) -> bool {
        self.links.is_ready()
    }

    /// Appends a link, and returns its notes.
    pub fn push(
        &mut self,
        link: &Link<'_>,
        outcome: Outcome<'_>,
        info: &Info,
        positions: &mut Positions<'_>,
    ) -> Notes {
        self.links.push(link, outcome, info, positions);
        self.links.row_notes
    }

    /// The links so far.
    pub fn take(&mut self) -> Result<RecordBatch, ArrowError> {
        self.links.take(self.purpose)
    }
}

/// The common columns of both tables.
#[derive(Default)]
struct Rows {
    path: StringBuilder,
    format: StringBuilder,
    charset: StringBuilder,
    n_links: Int64Builder,
    notes: ListBuilder<StringBuilder>,
    error: StringBuilder,
}

/// The names of the format and the charset of a document.
type Names<'n> = (&'n str, Option<&'n str>);

fn names(info: &Info) -> Names<'static> {
    (info.format.name(), Some(info.charset.name()))
}

impl Rows {
    fn end(
        &mut self,
        path: Option<&str>,
        names: Option<Names<'_>>,
        (n_links, notes): (i64, &[&str]),
        error: Option<&str>,
    ) {
        self.path.append_option(path);
        self.format.append_option(names.map(|(format, _)| format));
        self.charset
            .append_option(names.and_then(|(_, charset)| charset));
        self.n_links.append_value(n_links);
        for note in notes {
            self.notes.values().append_value(note);
        }
        self.notes.append(true);
        self.error.append_option(error);
    }
}

fn codes(notes: Notes) -> Vec<&'static str> {
    notes.iter().map(|note| note.code()).collect()
}

fn joined(errors: [Option<String>; 2]) -> Option<String> {
    let errors: Vec<String> = errors.into_iter().flatten().collect();
    (!errors.is_empty()).then(|| errors.join("; "))
}

fn fields(columns: &[(&str, ArrayRef)]) -> Fields {
    let fields = columns
        .iter()
        .map(|(name, column)| Field::new(*name, column.data_type().clone(), true));
    fields.collect()
}

fn batch(columns: Vec<(&str, ArrayRef)>) -> Result<RecordBatch, ArrowError> {
    let schema = Schema::new(fields(&columns));
    let columns = columns.into_iter().map(|(_, column)| column).collect();
    RecordBatch::try_new(Arc::new(schema), columns)
}

/// The links found in each row.
#[derive(Default)]
pub struct FindTable {
    rows: Rows,
    pub links: Links,
}

impl FindTable {
    pub fn end(&mut self, path: Option<&str>, info: &Info, error: Option<String>) {
        self.end_as(path, Some(names(info)), error);
    }

    /// Ends the row of an archive.
    pub fn end_container(&mut self, path: Option<&str>, format: &str, error: Option<String>) {
        self.end_as(path, Some((format, None)), error);
    }

    pub fn binary(&mut self, path: Option<&str>) {
        self.links.end_row();
        self.rows.end(path, None, (0, &[BINARY]), None);
    }

    pub fn fail(&mut self, path: Option<&str>, error: String) {
        self.end_as(path, None, Some(error));
    }

    fn end_as(&mut self, path: Option<&str>, names: Option<Names<'_>>, error: Option<String>) {
        let (n_links, notes, full) = self.links.end_row();
        let error = joined([error, full]);
        let notes = codes(notes);
        self.rows
            .end(path, names, (n_links, &notes), error.as_deref());
    }

    pub fn finish(mut self) -> Result<RecordBatch, ArrowError> {
        let rows = &mut self.rows;
        batch(vec![
            ("path", Arc::new(rows.path.finish())),
            ("format", Arc::new(rows.format.finish())),
            ("charset", Arc::new(rows.charset.finish())),
            ("n_links", Arc::new(rows.n_links.finish())),
            ("links", Arc::new(self.links.lists(false)?)),
            ("notes", Arc::new(rows.notes.finish())),
            ("error", Arc::new(rows.error.finish())),
        ])
    }
}

/// New contents, in the type of the old contents.
enum Contents {
    Binary(BinaryBuilder),
    LargeBinary(LargeBinaryBuilder),
    String(StringBuilder),
    LargeString(LargeStringBuilder),
    BinaryView(BinaryViewBuilder),
    StringView(StringViewBuilder),
}

impl Contents {
    fn of(data_type: &DataType) -> Self {
        match data_type {
            DataType::LargeBinary => Contents::LargeBinary(LargeBinaryBuilder::new()),
            DataType::Utf8 => Contents::String(StringBuilder::new()),
            DataType::LargeUtf8 => Contents::LargeString(LargeStringBuilder::new()),
            DataType::BinaryView => Contents::BinaryView(BinaryViewBuilder::new()),
            DataType::Utf8View => Contents::StringView(StringViewBuilder::new()),
            _ => Contents::Binary(BinaryBuilder::new()),
        }
    }

    /// True if there is room for this number of bytes.
    fn has_room(&self, bytes: usize) -> bool {
        let taken = match self {
            Contents::Binary(contents) => contents.values_slice().len(),
            Contents::String(contents) => contents.values_slice().len(),
            // Views have lengths of 32 bits, and no offsets for all values together.
            Contents::BinaryView(_) | Contents::StringView(_) => return bytes <= MOST,
            Contents::LargeBinary(_) | Contents::LargeString(_) => return true,
        };
        taken.saturating_add(bytes) <= MOST
    }

    fn append(&mut self, content: Option<&[u8]>) {
        // Edits of UTF-8 texts are UTF-8.
        let text = || content.map(String::from_utf8_lossy);
        match self {
            Contents::Binary(contents) => contents.append_option(content),
            Contents::LargeBinary(contents) => contents.append_option(content),
            Contents::String(contents) => contents.append_option(text()),
            Contents::LargeString(contents) => contents.append_option(text()),
            Contents::BinaryView(contents) => contents.append_option(content),
            Contents::StringView(contents) => contents.append_option(text()),
        }
    }

    fn finish(self) -> ArrayRef {
        match self {
            Contents::Binary(mut contents) => Arc::new(contents.finish()),
            Contents::LargeBinary(mut contents) => Arc::new(contents.finish()),
            Contents::String(mut contents) => Arc::new(contents.finish()),
            Contents::LargeString(mut contents) => Arc::new(contents.finish()),
            Contents::BinaryView(mut contents) => Arc::new(contents.finish()),
            Contents::StringView(mut contents) => Arc::new(contents.finish()),
        }
    }
}

/// The rewritten document of each row, and its links.
pub struct RewriteTable {
    rows: Rows,
    content: Contents,
    n_changed: Int64Builder,
    n_left: Int64Builder,
    pub links: Links,
}

impl RewriteTable {
    pub fn new(input: &Input<'_>) -> Self {
        RewriteTable {
            rows: Rows::default(),
            content: Contents::of(input.content_type()),
            n_changed: Int64Builder::default(),
            n_left: Int64Builder::default(),
            links: Links::default(),
        }
    }

    pub fn end(
        &mut self,
        path: Option<&str>,
        content: Option<&[u8]>,
        (summary, is_too_long): (&Summary, bool),
    ) -> Result<(), Failure> {
        if !self.content.has_room(content.map_or(0, <[u8]>::len)) {
            let message = "the contents of the batch take more than 2 GiB; use smaller batches or large_binary";
            return Err(Failure::new("too-long", message));
        }
        let (_, notes, full) = self.links.end_row();
        let error = joined([unread(&summary.info.unread, is_too_long), full]);
        let (tally, notes) = (summary.tally, codes(notes));
        self.content.append(content);
        self.n_changed.append_value(tally.changed as i64);
        self.n_left.append_value(tally.left as i64);
        let links = (tally.links as i64, &*notes);
        let names = names(&summary.info);
        self.rows.end(path, Some(names), links, error.as_deref());
        Ok(())
    }

    pub fn binary(&mut self, path: Option<&str>) {
        self.untouched(path, &[BINARY], None);
    }

    pub fn fail(&mut self, path: Option<&str>, error: String) {
        self.untouched(path, &[], Some(&error));
    }

    fn untouched(&mut self, path: Option<&str>, notes: &[&str], error: Option<&str>) {
        self.links.end_row();
        self.content.append(None);
        self.n_changed.append_value(0);
        self.n_left.append_value(0);
        self.rows.end(path, None, (0, notes), error);
    }

    pub fn finish(mut self) -> Result<RecordBatch, ArrowError> {
        let rows = &mut self.rows;
        batch(vec![
            ("path", Arc::new(rows.path.finish())),
            ("content", self.content.finish()),
            ("format", Arc::new(rows.format.finish())),
            ("charset", Arc::new(rows.charset.finish())),
            ("n_links", Arc::new(rows.n_links.finish())),
            ("n_changed", Arc::new(self.n_changed.finish())),
            ("n_left", Arc::new(self.n_left.finish())),
            ("links", Arc::new(self.links.lists(true)?)),
            ("notes", Arc::new(rows.notes.finish())),
            ("error", Arc::new(rows.error.finish())),
        ])
    }
}

impl From<ArrowError> for Failure {
    fn from(error: ArrowError) -> Self {
        Failure::new("arrow", error.to_string())
    }
}
