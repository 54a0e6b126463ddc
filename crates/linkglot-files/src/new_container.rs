//! The new bytes of a container, on their way into its place.

use super::cdxj::{IndexLines, index};
use super::containers::Outcome;
use super::content_digest::Digesting;
use super::content_name::check_container;
use super::directory::{Links, Place};
use super::recorder::{Changed, Recorder};
use super::replace::{Replacement, TempFiles, not_kept};
use super::rewrite::{Keep, backup, replace};
use super::source::Source;
use super::tree::copy_file;
use super::walk::SkipReason;
use linkglot::SourceSpan;
use linkglot::error::{Error, ErrorKind};
use linkglot::rewrite::Edit;
use linkglot_archive::Output;
use std::io::{self, BufRead, BufReader, Read, Seek, Write};
use std::path::Path;

/// The most bytes of an edit of a container that the journal records.
const MOST_EDIT: usize = 4 << 20;

/// The work on a container.
pub enum ContainerWork<'w> {
    /// The container is only read.
    Read,
    /// A new container is written, if any of its documents changes.
    Write(Box<NewContainer<'w>>),
    /// The container is passed over.
    Skip(SkipReason),
}

/// A new container. Its file is created with the first byte: a container that does not change needs none.
pub struct NewContainer<'n> {
    temp_files: &'n TempFiles,
    place: Place,
    way: Way<'n>,
    file: Option<Digesting<Replacement<'n>>>,
    recorder: Recorder<'n>,
    /// The position behind the last byte that was kept.
    at: u64,
    /// Bytes written since then.
    pending: Vec<u8>,
    /// False after an edit that was too long.
    has_edits: bool,
    /// The name of the new file in an index, and what takes its lines.
    index: Option<(String, &'n dyn IndexLines)>,
}

/// The way of a container to its place.
enum Way<'n> {
    /// Replaces the old container.
    InPlace(Keep<'n>),
    /// Goes to another place, changed or not.
    Output,
}

impl<'n> NewContainer<'n> {
    /// Begins a container that replaces the file at a place.
    pub(super) fn in_place(place: Place, keep: Keep<'n>, temp_files: &'n TempFiles) -> Self {
        NewContainer::new(place, Way::InPlace(keep), keep, temp_files)
    }

    /// Begins a container at another place.
    pub(super) fn at(place: Place, temp_files: &'n TempFiles) -> Self {
        NewContainer::new(place, Way::Output, Keep::default(), temp_files)
    }

    fn new(place: Place, way: Way<'n>, keep: Keep<'n>, temp_files: &'n TempFiles) -> Self {
        NewContainer {
            temp_files,
            place,
            way,
            file: None,
            recorder: Recorder::new(keep.journal),
            at: 0,
            pending: Vec::new(),
            has_edits: keep.journal.is_some(),
            index: None,
        }
    }

    /// The container with an index of its records, if it is an archive of the web: `lines` takes them once the new file
    /// is in its place. `name` is the name of the file in the index.
    #[must_use]
    pub fn indexed(mut self, name: String, lines: &'n dyn IndexLines) -> Self {
        self.index = Some((name, lines));
        self
    }

    /// True if the new container replaces the old one.
    pub(super) fn is_in_place(&self) -> bool {
        matches!(self.way, Way::InPlace(_))
    }

    fn file(&mut self) -> io::Result<&mut Digesting<Replacement<'n>>> {
        if self.file.is_none() {
            let file = Replacement::begin_at(self.temp_files, self.place.clone());
            self.file = Some(Digesting::new(file.map_err(io::Error::other)?));
        }
        let file = self.file.as_mut();
        file.ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// Ends an edit: the bytes since the last kept one replace those up to `at`.
    fn end_edit(&mut self, at: u64) {
        if self.has_edits && (at != self.at || !self.pending.is_empty()) {
            let bytes = std::mem::take(&mut self.pending);
            // What is kept stands behind what was kept before.
            let span = SourceSpan {
                start: self.at,
                end: at.max(self.at),
            };
            self.recorder.add(&[Edit { span, bytes }]);
        }
    }

    /// Puts the container in its place, if it changed; in an output directory, a copy if it did not. A sound one is
    /// indexed. Returns remarks.
    pub(super) fn finish(
        mut self,
        source: &Source,
        visited: &io::Result<Outcome>,
    ) -> Result<Vec<String>, Error> {
        let is_changed = matches!(visited, Ok(Outcome::Changed));
        let indexed = self.index.take();
        let indexed = indexed.filter(|_| matches!(visited, Ok(own) if *own != Outcome::Damaged));
        let file = self.file.take().filter(|_| is_changed);
        if file.is_some() {
            let checked = check_container(source.path(), &mut source.file().try_clone()?);
            if let (Way::Output, Err(_)) = (&self.way, &checked) {
                copy_file(source, self.temp_files, &self.place)?;
            }
            checked?;
        }
        let lost = match (&self.way, file) {
            (Way::InPlace(_), None) => return Ok(Vec::new()),
            (Way::Output, None) => copy_file(source, self.temp_files, &self.place)?,
            (Way::Output, Some(file)) => {
                let file = file.into_inner();
                file.commit(source.likeness(), &|| source.check_unchanged())?
                    .lost
            }
            (&Way::InPlace(keep), Some(file)) => {
                self.end_edit(source.metadata().len());
                let new = file.digest();
                let mut old = blake3::Hasher::new();
                if keep.journal.is_some() {
                    let mut reader = source.file();
                    reader.rewind()?;
                    io::copy(&mut reader.take(u64::MAX), &mut old)?;
                }
                let place = &self.place;
                let changed = if self.has_edits {
                    Changed::ByEdits
                } else {
                    Changed::Whole
                };
                let backup = backup(self.temp_files, source, place, keep)?;
                let digests = || (old.finalize(), new);
                let versions =
                    self.recorder
                        .record((source, place), source.file(), digests, changed)?;
                replace(
                    (source, place),
                    file.into_inner(),
                    backup,
                    (keep.journal, versions),
                )?
            }
        };
        if let Some((name, lines)) = indexed {
            write_index(&self.place, &name, lines).map_err(|error| {
                let message = format!("the file is written, but is not in the index: {error}");
                Error::new(ErrorKind::Container, message)
            })?;
        }
        Ok(not_kept(&lost).into_iter().collect())
    }
}

impl Write for NewContainer<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let len = self.file()?.write(bytes)?;
        if self.has_edits {
            self.pending.extend_from_slice(&bytes[..len]);
            self.has_edits = self.pending.len() <= MOST_EDIT;
            if !self.has_edits {
                self.pending = Vec::new();
            }
        }
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Output for NewContainer<'_> {
    fn keep(&mut self, at: u64, bytes: &[u8]) -> io::Result<()> {
        self.end_edit(at);
        self.at = at + bytes.len() as u64;
        self.file()?.write_all(bytes)
    }
}

/// Hands on the lines of an index of the file at a place: none if it cannot be indexed.
fn write_index(place: &Place, name: &str, lines: &dyn IndexLines) -> io::Result<()> {
    let file = Path::new(&place.name);
    let file = place.directory.open_file(file, Links::None)?;
    let Some((mut own, without_line)) = index(&file, name)? else {
        return Ok(());
    };
    lines.without_line(without_line);
    let mut reader = BufReader::new(own.content()?.0);
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line)? > 0 {
        lines.add(&line)?;
        line.clear();
    }
    Ok(())
}
