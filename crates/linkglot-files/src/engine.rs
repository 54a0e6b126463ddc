//! The engine that runs a job over many files, for every front: entries of a walk, on several threads, with their
//! events in order. A bad file does not stop the run.

use super::binary::Overrides;
use super::document::{Opened, open_document};
use super::entry::FileEntry;
use super::hard_links::Unmet;
use super::parallel::{Disconnected, EventSender, Receive, Threads, in_order};
use super::source::{Content, Source};
use super::walk::{Entry, SkipReason, Walk};
use linkglot::error::{Error, ErrorKind};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

/// The work on the files of a run. Its methods are called from several threads.
pub trait Job: Sync {
    /// News of the work, passed to the thread that began the run.
    type News: Send;

    /// The number of working threads.
    fn threads(&self) -> Threads;

    /// The charset and format that the caller prescribes for each named document.
    fn overrides(&self) -> Overrides;

    /// Processes a document. Returns the reason, if the document is passed over after all.
    ///
    /// # Errors
    ///
    /// Errors of the file; each becomes an [`Event::Failed`].
    fn document(
        &self,
        entry: &FileEntry,
        opened: (Source, Content),
        news: EventSender<'_, Self::News>,
    ) -> Result<Option<SkipReason>, Error>;

    /// Processes standard input, which is an entry of walks that name it. Returns the reason, if it is passed over
    /// after all.
    ///
    /// # Errors
    ///
    /// Errors as for documents.
    fn standard_input(
        &self,
        news: EventSender<'_, Self::News>,
    ) -> Result<Option<SkipReason>, Error>;

    /// Enters a directory. Called before anything in it is processed.
    ///
    /// # Errors
    ///
    /// When the content of the directory must not be processed.
    fn directory(&self, _: &FileEntry) -> Result<(), Error> {
        Ok(())
    }

    /// Passes over a file or directory. May return a remark in words.
    ///
    /// # Errors
    ///
    /// Errors as for documents.
    fn skipped(&self, _: &FileEntry, _: SkipReason) -> Result<Option<String>, Error> {
        Ok(None)
    }

    /// Handles another name of a file that was already processed.
    ///
    /// # Errors
    ///
    /// Errors as for documents.
    fn other_name(&self, _: &FileEntry) -> Result<(), Error> {
        Ok(())
    }

    /// True if named pipes and devices are read.
    fn accepts_pipes(&self) -> bool {
        true
    }
}

/// An event of a run.
#[derive(Debug)]
pub enum Event<N> {
    /// News of the work on an entry.
    News(N),
    /// A file or directory was passed over, with a remark in words.
    Skipped(PathBuf, SkipReason, Option<String>),
    /// The work on an entry failed.
    Failed(PathBuf, Error),
    /// A file with names (hard links) that the run did not find: these names keep the old content. Sent at the end of a
    /// run.
    Unmet(Unmet),
}

/// Runs a job over the entries of a walk, and passes its events to `sink` on the calling thread, in the order of the
/// walk. When `sink` breaks, the files in work are finished and no others begun.
///
/// # Errors
///
/// When threads cannot be started. Errors of entries are events.
pub fn run<J: Job>(
    job: &J,
    walk: Walk,
    mut sink: impl FnMut(Event<J::News>) -> ControlFlow<()> + Send,
) -> Result<(), Error> {
    let hard_links = walk.hard_links();
    // Entering happens during the walk, because other threads begin with the content of a directory at once.
    let walk = walk.map(|entry| match entry {
        Entry::Directory(file) => match job.directory(&file) {
            Ok(()) => Entry::Directory(file),
            Err(error) => Entry::Failed(file.path, error),
        },
        other => other,
    });
    let work = |entry: Entry, events: &EventSender<'_, Event<J::News>>| {
        if let Some(event) = work_on(job, entry, *events) {
            // Errors mean that the receiver is gone.
            let _ = events.send(event);
        }
    };
    in_order(job.threads(), walk, work, &mut sink)?;
    for file in hard_links.iter().flat_map(|links| links.unmet()) {
        if sink(Event::Unmet(file)).is_break() {
            break;
        }
    }
    Ok(())
}

/// Passes the news of a job on as events.
struct AsEvents<'s, N>(EventSender<'s, Event<N>>);

impl<N: Send> Receive<N> for AsEvents<'_, N> {
    fn receive(&self, news: N) -> Result<(), Disconnected> {
        self.0.send(Event::News(news))
    }
}

/// Processes one entry, and returns the outcome unless the news report it. A panic becomes an error of the entry.
fn work_on<J: Job>(
    job: &J,
    entry: Entry,
    events: EventSender<'_, Event<J::News>>,
) -> Option<Event<J::News>> {
    let first = match &entry {
        Entry::File(file) if !file.is_other_name() => Some(file.clone()),
        _ => None,
    };
    let path = match &entry {
        Entry::File(file) | Entry::Directory(file) | Entry::Skipped(file, _) => file.path.clone(),
        Entry::Failed(path, _) => path.clone(),
        Entry::Stdin => PathBuf::from("-"),
    };
    let news = AsEvents(events);
    let news = EventSender::new(&news);
    let worked = catch_unwind(AssertUnwindSafe(|| process(job, entry, news)));
    if let Some(first) = first {
        first.release_other_names();
    }
    let worked = worked.unwrap_or_else(|_| {
        Err(Error::new(
            ErrorKind::Internal,
            "internal error: please report it with this file; the file was left alone",
        ))
    });
    match worked {
        Ok(None) => None,
        Ok(Some((reason, remark))) => Some(Event::Skipped(path, reason, remark)),
        Err(error) => Some(Event::Failed(path, error)),
    }
}

/// The reason why an entry was passed over, and a remark.
type Skipped = Option<(SkipReason, Option<String>)>;

fn process<J: Job>(
    job: &J,
    entry: Entry,
    news: EventSender<'_, J::News>,
) -> Result<Skipped, Error> {
    let skipped = |file: &FileEntry, reason| Ok(Some((reason, job.skipped(file, reason)?)));
    let passed = |reason: Option<SkipReason>| reason.map(|reason| (reason, None));
    match entry {
        Entry::Failed(_, error) => Err(error),
        Entry::Directory(_) => Ok(None),
        Entry::Skipped(file, reason) => skipped(&file, reason),
        Entry::File(file) if file.is_other_name() => {
            job.other_name(&file)?;
            Ok(passed(Some(SkipReason::Twice)))
        }
        Entry::File(file) => match open_document(&file, job.overrides(), job.accepts_pipes())? {
            Opened::Skipped(reason) => skipped(&file, reason),
            Opened::Document(source, content) => {
                Ok(passed(job.document(&file, (*source, content), news)?))
            }
        },
        Entry::Stdin => Ok(passed(job.standard_input(news)?)),
    }
}
