//! Goes through a container.

use super::budget::{Budget, Limits};
use super::input::{Held, Input, Recipe, decoded, peek};
use super::names::Spot;
use super::stretch::Stretch;
use crate::attachments::Attachments;
use crate::binary::{Overrides, is_binary};
use crate::container_kind::{check_records, damaged_kind, kind_of_named};
use crate::container_name::has_container_name;
use crate::new_entry::NewEntry;
use crate::remedy::Remedy;
use crate::source::{Content, Source};
use crate::walk::{EntryFilter, SkipReason};
use linkglot::error::Error;
use linkglot::link::UnreadReason;
use linkglot::stream::{Attachment, NewBody, read_attachments, rewrite_attachments};
use linkglot::{Document, Settings};
use linkglot_archive::{Codec, Encoder, HEAD, Kind, Output, Parameters, warc};
use std::io::{self, BufRead, Read, Write};
use std::ops::ControlFlow;
use std::path::Path;

/// Receives the documents of a container, in their order.
pub trait Visitor {
    /// Takes a document. `new` is there if the run writes, and `attachments` if archives attached to it are read.
    fn document(
        &mut self,
        place: &Spot,
        content: Content<'_>,
        new: Option<&mut NewEntry>,
        attachments: Option<&Attachments>,
    );

    /// Hears of a record of an archive of the web, in front of its documents, if it has any. Only for runs that find.
    fn record(&mut self, record: &warc::Record);

    /// Hears of an entry that is passed over.
    fn skipped(&mut self, path: &Path, reason: SkipReason);

    /// Hears of an entry that is not read, although it may have links.
    fn unread(&mut self, path: &Path, reason: UnreadReason);

    /// Hears of an entry that cannot be read.
    fn failed(&mut self, path: &Path, error: Error);

    /// Hears of a step of writing a container in a container.
    fn writing(&mut self, step: Writing);

    /// True if nothing more is wanted.
    fn is_stopped(&self) -> bool;
}

/// The outcome for a container or a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing changes. Nothing counts that was written.
    Unchanged,
    /// The new bytes were written.
    Changed,
    /// An entry is damaged, which was told. Nothing counts that was written.
    Damaged,
}

/// A step of writing a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writing {
    /// The documents of the container follow.
    Begun,
    /// The container is as its documents say: in its place, or a part of the container around it.
    Done,
    /// The container stays as it was, whatever its documents say.
    Failed,
}

impl Writing {
    /// The end of a container, by the outcome of its visit; `is_placed` is false if it could not be put in its place.
    pub(crate) fn of(visited: &io::Result<Outcome>, is_placed: bool) -> Self {
        match visited {
            Ok(Outcome::Changed | Outcome::Unchanged) if is_placed => Writing::Done,
            _ => Writing::Failed,
        }
    }
}

/// A visit of a container.
pub struct Visit<'v> {
    pub visitor: &'v mut dyn Visitor,
    pub filter: &'v EntryFilter,
    pub overrides: Overrides,
    pub limits: Limits,
    /// True for a run that rewrites, whether or not it writes.
    pub rewrites: bool,
    /// True if requests in archives of the web are documents.
    pub reads_requests: bool,
    /// True if the file itself is replaced.
    pub in_place: bool,
    /// The path of the file.
    pub file: &'v Path,
    /// True if the caller named the file.
    pub is_named: bool,
}

/// A file of records, an archive of the web, readable again, and the writer of the new one.
pub(super) struct NewFile<'n> {
    pub codec: Option<Codec>,
    pub old: &'n Recipe<'n>,
    pub out: &'n mut dyn Output,
}

/// The output of a visit that writes.
pub(super) type Out<'o> = Option<&'o mut dyn Output>;

impl Visit<'_> {
    /// Visits a file. If there is an output, it gets the new container, if anything in it changes.
    ///
    /// # Errors
    ///
    /// When the file is damaged, or cannot be read or written. Entries in front of the damage were visited.
    pub fn file(&mut self, source: &Source, kind: Kind, out: Out<'_>) -> io::Result<Outcome> {
        let mut place = Spot::file(source.path());
        if kind != Kind::Zip {
            place.budget = Some(Budget::of(source.metadata().len(), self.limits));
        }
        let recipe = Recipe::File(source.file());
        self.container(&place, (kind, Input::Again(&recipe)), out)
    }

    /// Visits an entry, or the content of a compressed file.
    pub(super) fn item(
        &mut self,
        place: &Spot,
        input: Input<'_>,
        out: Out<'_>,
    ) -> io::Result<Outcome> {
        let (head, mut reader, again) = match input {
            Input::Once(reader) => {
                let (head, reader) = peek(reader)?;
                (head, reader, None)
            }
            Input::Again(recipe) => {
                let (head, reader) = peek(recipe.open(place.budget.as_ref())?)?;
                (head, reader, Some(recipe))
            }
        };
        // The URI of a record is no name of a file.
        let is_file = place.archived.is_none();
        let damaged = || damaged_kind(&head, &place.name).filter(|_| is_file);
        let Some(kind) = kind_of_named(&head, &place.name).or_else(damaged) else {
            return self.document(place, &head, (reader, again), out);
        };
        if let Some(recipe) = again {
            drop(reader);
            return self.inner_container(place, (kind, recipe), out);
        }
        if out.is_none() {
            return self.container(place, (kind, Input::Once(reader)), None);
        }
        let held = Held::read(&mut reader)?;
        self.inner_container(place, (kind, &held.recipe()), out)
    }

    /// Visits a container in a container, and tells whether it is written, if the run writes.
    fn inner_container(
        &mut self,
        place: &Spot,
        (kind, recipe): (Kind, &Recipe<'_>),
        out: Out<'_>,
    ) -> io::Result<Outcome> {
        let input = (kind, Input::Again(recipe));
        if out.is_none() {
            return self.container(place, input, None);
        }
        self.visitor.writing(Writing::Begun);
        let visited = self.container(place, input, out);
        self.visitor.writing(Writing::of(&visited, true));
        visited
    }

    pub(super) fn container(
        &mut self,
        place: &Spot,
        (kind, input): (Kind, Input<'_>),
        out: Out<'_>,
    ) -> io::Result<Outcome> {
        self.check_depth(place)?;
        match kind {
            Kind::Compressed(codec) => self.compressed(place, (codec, input), out),
            Kind::Tar => self.tar(place, input, out),
            Kind::Warc => self.warc(place, input, out),
            Kind::Safari => self.safari(place, input),
            Kind::Zip => match input {
                Input::Again(recipe) if recipe.seekable().is_some() => self.zip(place, recipe, out),
                Input::Again(recipe) => {
                    let held = Held::read(&mut recipe.open(place.budget.as_ref())?)?;
                    self.zip(place, &held.recipe(), out)
                }
                Input::Once(mut reader) => {
                    let held = Held::read(&mut reader)?;
                    self.zip(place, &held.recipe(), out)
                }
            },
        }
    }

    pub(super) fn check_depth(&self, place: &Spot) -> io::Result<()> {
        if place.depth < self.limits.depth {
            return Ok(());
        }
        let message = format!(
            "expected at most {} containers in each other, found more",
            self.limits.depth
        );
        Err(io::Error::other(Remedy::MaxDepth.for_error(message)))
    }

    fn document(
        &mut self,
        place: &Spot,
        head: &[u8],
        (reader, again): (Box<dyn BufRead + '_>, Option<&Recipe<'_>>),
        out: Out<'_>,
    ) -> io::Result<Outcome> {
        // Other entries were asked for before they were read.
        if has_container_name(&place.path) && !self.wants(place, false) {
            return Ok(Outcome::Unchanged);
        }
        // The URI of a record is no name of a file.
        let name = Some(&*place.name).filter(|_| place.archived.is_none());
        check_records(head, name)?;
        if is_binary(head, &place.name, self.overrides) {
            if self.is_named && place.below.is_none() {
                let message = "expected a document, found a binary file";
                return Err(io::Error::new(io::ErrorKind::InvalidData, message));
            }
            self.visitor.skipped(&place.path, SkipReason::Binary);
            return Ok(Outcome::Unchanged);
        }
        // A damaged document is found in as far as it is sound, and not rewritten.
        let is_refused = || self.rewrites || place.is_spent();
        let content = Content::of(Box::new(reader), is_refused).map_err(io::Error::other)?;
        let Some(out) = out else {
            self.found(place, head, (content, again))?;
            return Ok(Outcome::Unchanged);
        };
        self.written(place, content, out)
    }

    /// Visits a message that is a file. If there is an output, it gets the new message, if the message or an archive
    /// attached to it changes.
    ///
    /// # Errors
    ///
    /// When the message cannot be read or written.
    pub fn message(
        &mut self,
        source: &Source,
        content: Content<'_>,
        out: Out<'_>,
    ) -> io::Result<Outcome> {
        let place = Spot::file(source.path());
        match out {
            Some(out) => self.written(&place, content, out),
            None => {
                self.found(&place, &[], (content, None))?;
                Ok(Outcome::Unchanged)
            }
        }
    }

    /// Hands over a document of a run that writes, and visits the archives attached to it.
    fn written(
        &mut self,
        place: &Spot,
        content: Content<'_>,
        out: &mut dyn Output,
    ) -> io::Result<Outcome> {
        let mut content = content.rereadable().map_err(io::Error::other)?;
        let mut new = NewEntry::new();
        let attachments = Attachments::default();
        let first = content.again().ok_or(io::ErrorKind::Unsupported)?;
        let leaves = Some(&attachments);
        self.visitor.document(place, first, Some(&mut new), leaves);
        if let Some(settings) = attachments.take() {
            if new.is_changed {
                let message = new.content.content()?.0;
                self.write_attached(place, (message, &settings), &mut Anew(out))?;
                return Ok(self.changed_message());
            }
            let mut message = content.reader()?;
            if self.write_attached(place, (&mut message, &settings), out)? {
                return Ok(self.changed_message());
            }
        }
        if !new.is_changed {
            return Ok(Outcome::Unchanged);
        }
        io::copy(new.content.content()?.0, out)?;
        Ok(Outcome::Changed)
    }

    /// The outcome for a message that changed, unless the visit was stopped within it.
    fn changed_message(&self) -> Outcome {
        if self.visitor.is_stopped() {
            Outcome::Damaged
        } else {
            Outcome::Changed
        }
    }

    /// Hands over a document of a run that writes nothing, and visits the archives attached to it.
    fn found(
        &mut self,
        place: &Spot,
        head: &[u8],
        (content, again): (Content<'_>, Option<&Recipe<'_>>),
    ) -> io::Result<()> {
        let content = match content {
            Content::Stream(reader) if again.is_none() && self.is_mail(place, head) => {
                Content::kept(reader)?
            }
            content => content,
        };
        let attachments = Attachments::default();
        let Some(first) = content.again() else {
            let leaves = again.map(|_| &attachments);
            self.visitor.document(place, content, None, leaves);
            if let (Some(settings), Some(recipe)) = (attachments.take(), again) {
                // What the message expands to was counted the first time.
                let message = Content::Stream(Box::new(recipe.open(None)?));
                self.attached(place, &settings, message)?;
            }
            return Ok(());
        };
        let leaves = Some(&attachments);
        self.visitor.document(place, first, None, leaves);
        match attachments.take() {
            Some(settings) => self.attached(place, &settings, content),
            None => Ok(()),
        }
    }

    /// True if a document is a message or mailbox, by its name and first bytes.
    fn is_mail(&self, place: &Spot, head: &[u8]) -> bool {
        let mut settings = Settings::default();
        settings.format = self.overrides.format;
        settings.name = Some(place.name.to_string_lossy().into_owned());
        Document::new(head, &settings).info().format.is_mail()
    }

    /// Visits the archives that are attached to a message, which was read with these settings.
    pub fn attached(
        &mut self,
        place: &Spot,
        settings: &Settings,
        mut message: Content<'_>,
    ) -> io::Result<()> {
        let mut each = |attachment: &Attachment<'_>| {
            self.attachment(place, attachment, None);
            if place.is_spent() || self.visitor.is_stopped() {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        };
        let read = read_attachments(&mut message.reader()?, settings, &mut each);
        read.map_err(io::Error::other)
    }

    /// Writes a message with the archives attached to it, and tells if any of them changed.
    fn write_attached(
        &mut self,
        place: &Spot,
        (message, settings): (&mut dyn Read, &Settings),
        out: &mut dyn Output,
    ) -> io::Result<bool> {
        let mut is_changed = false;
        let mut each = |attachment: &Attachment<'_>| {
            if place.is_spent() || self.visitor.is_stopped() {
                return None;
            }
            let new = self.new_attachment(place, attachment);
            is_changed |= new.is_some();
            new
        };
        let mut write = |at: Option<u64>, bytes: &[u8]| match at {
            Some(at) => out.keep(at, bytes),
            None => out.write_all(bytes),
        };
        let written = rewrite_attachments(message, settings, &mut each, &mut write);
        written.map_err(io::Error::other)?;
        Ok(is_changed)
    }

    /// Visits an attachment, and returns its new body, if it changes.
    fn new_attachment(&mut self, place: &Spot, attachment: &Attachment<'_>) -> Option<NewBody> {
        let mut new = Vec::new();
        self.visitor.writing(Writing::Begun);
        let outcome = self.attachment(place, attachment, Some(&mut new));
        let body = (outcome == Outcome::Changed).then(|| attachment.with_content(&new));
        let body = body.transpose().unwrap_or_else(|error| {
            self.visitor
                .failed(&attached(place, attachment).path, error);
            None
        });
        let is_written = body.is_some() == (outcome == Outcome::Changed);
        self.visitor.writing(Writing::of(&Ok(outcome), is_written));
        body
    }

    fn attachment(&mut self, place: &Spot, attachment: &Attachment<'_>, out: Out<'_>) -> Outcome {
        let mut inside = attached(place, attachment);
        let content = attachment.content();
        let (content, error) = match &content {
            Ok(content) => (*content, None),
            Err(error) => (&[][..], Some(error)),
        };
        let kind = kind_of_named(&content[..content.len().min(HEAD)], &inside.name);
        let is_archive = !matches!(kind, None | Some(Kind::Compressed(_)));
        if !self.wants(&inside, is_archive || has_container_name(&inside.path)) {
            return Outcome::Unchanged;
        }
        if let Some(error) = error {
            self.visitor.unread(&inside.path, UnreadReason::Limit);
            self.visitor.failed(&inside.path, error.clone());
            return Outcome::Damaged;
        }
        if self.rewrites {
            inside.is_signed |= attachment.is_signed;
            inside.left = inside.left.or_else(|| attachment.left());
        }
        let budget = || Budget::of(content.len() as u64, self.limits);
        inside.budget.get_or_insert_with(budget);
        let recipe = Recipe::Bytes(content);
        let out = out.filter(|_| inside.left.is_none());
        match self.item(&inside, Input::Again(&recipe), out) {
            Ok(outcome) => outcome,
            Err(error) => {
                self.visitor.failed(&inside.path, error.into());
                Outcome::Damaged
            }
        }
    }

    fn compressed(
        &mut self,
        place: &Spot,
        (codec, input): (Codec, Input<'_>),
        out: Out<'_>,
    ) -> io::Result<Outcome> {
        let inside = place.decompressed();
        match (input, out) {
            (Input::Once(reader), _) => {
                let reader = decoded(codec, reader, place.budget.as_ref())?;
                self.item(&inside, Input::Once(reader), None)
            }
            (Input::Again(old), None) => {
                let recipe = Recipe::Decoded(codec, old);
                self.item(&inside, Input::Again(&recipe), None)
            }
            (Input::Again(old), Some(out)) => {
                let recipe = Recipe::Decoded(codec, old);
                if has_records(codec) {
                    let (head, reader) = peek(recipe.open(place.budget.as_ref())?)?;
                    if warc::is_begin(&head) {
                        let codec = Some(codec);
                        let new = NewFile { codec, old, out };
                        drop(reader);
                        let input = Input::Again(&recipe);
                        return self.rewrite_records(&inside, input, Some(new));
                    }
                }
                let mut new = Late::NotBegun(codec, old, out);
                let outcome = self.item(&inside, Input::Again(&recipe), Some(&mut new))?;
                if outcome == Outcome::Changed {
                    new.finish()?;
                }
                Ok(outcome)
            }
        }
    }

    fn warc(&mut self, place: &Spot, input: Input<'_>, out: Out<'_>) -> io::Result<Outcome> {
        match (input, out) {
            (Input::Again(old), Some(out)) => {
                let codec = None;
                let new = NewFile { codec, old, out };
                self.rewrite_records(place, Input::Again(old), Some(new))
            }
            (input, _) if self.rewrites => self.rewrite_records(place, input, None),
            (Input::Again(recipe), _) => match recipe.members() {
                Some((codec, file)) => {
                    self.read_stretch(place, file, &Stretch::whole(codec))?;
                    Ok(Outcome::Unchanged)
                }
                None => {
                    let reader = recipe.open(place.budget.as_ref())?;
                    self.read_records(place, reader)
                }
            },
            (Input::Once(reader), _) => self.read_records(place, reader),
        }
    }

    /// True if an entry is chosen. If not, this is told.
    pub(super) fn wants(&mut self, inside: &Spot, is_entered: bool) -> bool {
        let names = [&*inside.path, &*inside.name];
        let reason = self
            .filter
            .reason(self.file, inside.below.as_deref(), names, is_entered);
        if let Some(reason) = reason {
            self.visitor.skipped(&inside.path, reason);
        }
        reason.is_none()
    }
}

/// The place of an attachment of a message.
fn attached(message: &Spot, Attachment { part, name, .. }: &Attachment<'_>) -> Spot {
    let name = match name.as_str() {
        "" => part.clone(),
        name => format!("{part}/{name}"),
    };
    message.entry(name.as_ref())
}

/// True if records of archives of the web are compressed one by one.
fn has_records(codec: Codec) -> bool {
    matches!(codec, Codec::Gzip | Codec::Zstandard)
}

/// An output in which all bytes are new: positions are those of another source.
struct Anew<'a>(&'a mut dyn Output);

impl Write for Anew<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Output for Anew<'_> {}

/// A compressed file that is begun when something is written: a file that does not change costs no compression.
enum Late<'l> {
    NotBegun(Codec, &'l Recipe<'l>, &'l mut dyn Output),
    Begun(Box<Encoder<&'l mut dyn Output>>),
    Failed,
}

impl<'l> Late<'l> {
    fn begin(&mut self) -> io::Result<&mut Encoder<&'l mut dyn Output>> {
        if let Late::NotBegun(..) = self
            && let Late::NotBegun(codec, old, out) = std::mem::replace(self, Late::Failed)
        {
            let parameters = Parameters::of(codec, &mut old.open(None)?)?;
            *self = Late::Begun(Box::new(Encoder::new(&parameters, out)?));
        }
        match self {
            Late::Begun(encoder) => Ok(encoder),
            _ => Err(io::Error::other("the compressed file could not be begun")),
        }
    }

    fn finish(mut self) -> io::Result<()> {
        self.begin()?;
        match self {
            Late::Begun(encoder) => encoder.finish().map(drop),
            _ => Ok(()),
        }
    }
}

impl Write for Late<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.begin()?.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Output for Late<'_> {}
