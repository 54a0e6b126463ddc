//! The engine that runs a job over many files, for every front: entries of a walk, on several threads, with their
//! events in order. A bad file does not stop the run.

use super::archived::Archived;
use super::attachments::Attachments;
use super::binary::Overrides;
use super::containers::{Divided, Division, Limits, Outcome, Piece, Spot, Visit, Visitor, Writing};
use super::document::{Document, Opened, Opening, open_document};
use super::entry::FileEntry;
use super::hard_links::Unmet;
use super::new_container::ContainerWork;
use super::new_entry::NewEntry;
use super::parallel::{Disconnected, EventSender, Receive, Threads, Turn, Turns, in_order, lock};
use super::source::{Content, Source};
use super::walk::{Entry, EntryFilter, SkipReason, Walk};
use super::workbook::columns_beside;
use linkglot::Settings;
use linkglot::error::{Error, ErrorKind};
use linkglot::link::UnreadReason;
use linkglot_archive::warc::Record;
use linkglot_archive::{Kind, Output};
use std::io;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

/// The work on the files of a run. Its methods are called from several threads.
pub trait Job: Sync {
    /// News of the work, passed to the thread that began the run.
    type News: Send;

    /// The number of working threads.
    fn threads(&self) -> Threads;

    /// The charset and format that the caller prescribes for each named document.
    fn overrides(&self) -> Overrides;

    /// Processes a document: a file, or an entry of a container. Returns the reason, if the document is passed over
    /// after all.
    ///
    /// # Errors
    ///
    /// Errors of the document; each becomes an [`Event::Failed`].
    fn document(
        &self,
        entry: &FileEntry,
        document: Document<'_>,
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

    /// Begins with a container, whose documents follow. Not asked if the job rewrites nothing and several threads read
    /// the container.
    ///
    /// # Errors
    ///
    /// When the container must not be processed.
    fn container(&self, _: &FileEntry, _: &Source) -> Result<ContainerWork<'_>, Error> {
        Ok(ContainerWork::Read)
    }

    /// The limits of containers.
    fn limits(&self) -> Limits {
        Limits::default()
    }

    /// True if documents are rewritten, even if only to compare them: records of WARC files that cannot be written anew
    /// are passed over.
    fn rewrites(&self) -> bool {
        false
    }

    /// True if [`Job::container`] writes containers. Then a message with archives is one.
    fn writes_files(&self) -> bool {
        false
    }

    /// True if requests in archives of the web are read. A run that rewrites leaves them.
    fn reads_requests(&self) -> bool {
        false
    }

    /// True if [`Job::record`] is called.
    fn hears_records(&self) -> bool {
        false
    }

    /// Hears of a record of an archive of the web, in front of its documents, if it has any: each record of the file,
    /// read or not. A run that rewrites hears of none.
    fn record(&self, _: Archived, _: EventSender<'_, Self::News>) {}

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
    /// An entry of a container was not read, although it may have links.
    Unread(PathBuf, UnreadReason),
    /// A remark on a file that was written, in words.
    Remark(PathBuf, String),
    /// The begin or the end of a container that is written, around the events of its documents. They nest.
    Container(Writing),
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
    let filter = walk.entry_filter();
    let (working, all) = job.threads().numbers();
    let mut items = Items {
        job,
        walk,
        // A piece more than there are threads: the events of one may wait to be received.
        turns: (all > 1 && filter.enters() && !job.rewrites()).then(|| Turns::new(working + 1)),
        division: None,
    };
    let first = items.next();
    // A single piece of work needs no other thread.
    let threads = if items.are_at_end() {
        Threads::Working(1)
    } else {
        job.threads()
    };
    let items = first.into_iter().chain(items);
    let work = |item: Item, events: &EventSender<'_, Message<J::News>>| match item {
        Item::Entry(entry) => {
            let single = Single(*events);
            if let Some(event) = work_on(job, entry, &filter, EventSender::new(&single)) {
                // Errors mean that the receiver is gone.
                let _ = single.receive(event);
            }
        }
        Item::Piece(piece) => work_on_piece(job, piece, &filter, *events),
    };
    in_order(threads, items, work, |message| message.pass_on(&mut sink))?;
    for file in hard_links.iter().flat_map(|links| links.unmet()) {
        if sink(Event::Unmet(file)).is_break() {
            break;
        }
    }
    Ok(())
}

/// A piece of work: an entry of the walk, or a piece of a container that several threads read.
enum Item {
    Entry(Entry),
    Piece(Piece),
}

/// The work of a run, in its order.
struct Items<'r, J> {
    job: &'r J,
    walk: Walk,
    /// The turns of pieces, if containers are divided.
    turns: Option<Arc<Turns>>,
    division: Option<Division>,
}

impl<J: Job> Items<'_, J> {
    /// True if no item is left, as far as is known without looking for one.
    fn are_at_end(&self) -> bool {
        self.division.is_none() && self.walk.is_at_end()
    }

    /// The next entry of the walk. Directories are entered during the walk, because other threads begin with the
    /// content of a directory at once.
    fn entry(&mut self) -> Option<Entry> {
        Some(match self.walk.next()? {
            Entry::Directory(file) => match self.job.directory(&file) {
                Ok(()) => Entry::Directory(file),
                Err(error) => Entry::Failed(file.path, error),
            },
            other => other,
        })
    }
}

impl<J: Job> Iterator for Items<'_, J> {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        loop {
            if let Some(piece) = self.division.as_mut().and_then(Iterator::next) {
                return Some(Item::Piece(piece));
            }
            let entry = self.entry()?;
            self.division = match (&entry, &self.turns) {
                (Entry::File(file), Some(turns)) => Division::of(file, self.job.limits(), turns),
                _ => None,
            };
            if self.division.is_none() {
                return Some(Item::Entry(entry));
            }
        }
    }
}

/// Events on their way to the thread that began the run.
enum Message<N> {
    Event(Event<N>),
    /// Events of a piece, by its number. The last message returns its turn.
    Piece(Arc<Divided>, usize, Vec<Event<N>>, Option<Turn>),
}

impl<N> Message<N> {
    fn pass_on(self, sink: &mut impl FnMut(Event<N>) -> ControlFlow<()>) -> ControlFlow<()> {
        match self {
            Message::Event(event) => sink(event),
            Message::Piece(file, number, events, turn) => {
                let passed = if file.is_void(number) {
                    ControlFlow::Continue(())
                } else {
                    events.into_iter().try_for_each(sink)
                };
                drop(turn);
                passed
            }
        }
    }
}

/// Sends events one by one.
struct Single<'s, N>(EventSender<'s, Message<N>>);

impl<N: Send> Receive<Event<N>> for Single<'_, N> {
    fn receive(&self, event: Event<N>) -> Result<(), Disconnected> {
        self.0.send(Message::Event(event))
    }
}

/// The most events of a piece that are sent together.
const TOGETHER: usize = 16;

/// Sends the events of a piece, many together: its thread need not wait until the pieces in front were read.
struct Gathered<'s, N> {
    to: EventSender<'s, Message<N>>,
    file: Arc<Divided>,
    number: usize,
    held: Mutex<Vec<Event<N>>>,
}

impl<N: Send> Gathered<'_, N> {
    fn send(&self, events: Vec<Event<N>>, turn: Option<Turn>) -> Result<(), Disconnected> {
        let file = Arc::clone(&self.file);
        self.to
            .send(Message::Piece(file, self.number, events, turn))
    }

    fn held(&self) -> MutexGuard<'_, Vec<Event<N>>> {
        lock(&self.held)
    }
}

impl<N: Send> Receive<Event<N>> for Gathered<'_, N> {
    fn receive(&self, event: Event<N>) -> Result<(), Disconnected> {
        let mut held = self.held();
        held.push(event);
        if held.len() < TOGETHER {
            return Ok(());
        }
        let events = std::mem::take(&mut *held);
        drop(held);
        self.send(events, None)
    }
}

/// Processes a piece of a container. A panic becomes an error of the container.
fn work_on_piece<J: Job>(
    job: &J,
    mut piece: Piece,
    filter: &EntryFilter,
    events: EventSender<'_, Message<J::News>>,
) {
    let gathered = Gathered {
        to: events,
        file: Arc::clone(&piece.file),
        number: piece.number,
        held: Mutex::default(),
    };
    let file = &*gathered.file;
    if !file.is_void(piece.number) {
        let events = AsEvents {
            events: EventSender::new(&gathered),
            is_stopped: AtomicBool::new(false),
        };
        let mut work = Container {
            job,
            file: &file.entry,
            source: &file.source,
            events: &events,
        };
        let worked = catch_unwind(AssertUnwindSafe(|| {
            let visited = piece.visit(&mut work.visit(filter, false));
            visited.map_err(Error::from)
        }));
        if let Err(error) = worked.unwrap_or_else(|_| Err(internal_error())) {
            file.end_with(piece.number);
            let _ = events.send(Event::Failed(file.entry.path.clone(), error));
        }
    }
    let turn = piece.turn.take();
    // The length is known before the last event is received.
    drop(piece);
    let last = std::mem::take(&mut *gathered.held());
    let _ = gathered.send(last, turn);
}

/// Passes the news of a job on as events.
struct AsEvents<'s, N> {
    events: EventSender<'s, Event<N>>,
    is_stopped: AtomicBool,
}

impl<N: Send> AsEvents<'_, N> {
    fn send(&self, event: Event<N>) -> Result<(), Disconnected> {
        let sent = self.events.send(event);
        if sent.is_err() {
            self.is_stopped.store(true, Ordering::Relaxed);
        }
        sent
    }
}

impl<N: Send> Receive<N> for AsEvents<'_, N> {
    fn receive(&self, news: N) -> Result<(), Disconnected> {
        self.send(Event::News(news))
    }
}

/// Processes one entry, and returns the outcome unless the news report it. A panic becomes an error of the entry.
fn work_on<J: Job>(
    job: &J,
    entry: Entry,
    filter: &EntryFilter,
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
    let events = AsEvents {
        events,
        is_stopped: AtomicBool::new(false),
    };
    let worked = catch_unwind(AssertUnwindSafe(|| process(job, entry, filter, &events)));
    if let Some(first) = first {
        first.release_other_names();
    }
    match worked.unwrap_or_else(|_| Err(internal_error())) {
        Ok(None) => None,
        Ok(Some((reason, remark))) => Some(Event::Skipped(path, reason, remark)),
        Err(error) => Some(Event::Failed(path, error)),
    }
}

fn internal_error() -> Error {
    Error::new(
        ErrorKind::Internal,
        "internal error: please report it with this file; the file was left alone",
    )
}

/// The reason why an entry was passed over, and a remark.
type Skipped = Option<(SkipReason, Option<String>)>;

fn process<J: Job>(
    job: &J,
    entry: Entry,
    filter: &EntryFilter,
    events: &AsEvents<'_, J::News>,
) -> Result<Skipped, Error> {
    let news = EventSender::new(events);
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
        Entry::File(file) => {
            let how = Opening {
                overrides: job.overrides(),
                accepts_pipes: job.accepts_pipes(),
                enters: filter.enters(),
            };
            match open_document(&file, how)? {
                Opened::Skipped(reason) => skipped(&file, reason),
                Opened::Container(source, kind) => {
                    let mut work = Container {
                        job,
                        file: &file,
                        source: &source,
                        events,
                    };
                    Ok(passed(work.process(kind, filter)?))
                }
                Opened::Document(source, mut content) => {
                    // The name alone was that of a container.
                    let names = [&*file.path, &*file.path];
                    let reason = filter.reason(&file.path, None, names, false);
                    if let Some(reason) = reason.filter(|_| !file.named) {
                        return skipped(&file, reason);
                    }
                    let mut work = Container {
                        job,
                        file: &file,
                        source: &source,
                        events,
                    };
                    let enters = filter.enters() && source.is_regular();
                    let format = how.overrides.format.filter(|_| file.named);
                    if enters
                        && job.writes_files()
                        && Attachments::are_in(&mut content, &file.path, format)?
                    {
                        return Ok(passed(work.write_message(content, filter)?));
                    }
                    let attachments = Attachments::default();
                    let mut document = Document::file(&source, content);
                    document.attachments = enters.then_some(&attachments);
                    if job.rewrites() {
                        document.columns = columns_beside(&file.path)?.into();
                    }
                    let reason = job.document(&file, document, news)?;
                    if let Some(settings) = attachments.take() {
                        work.attached(&settings, filter)?;
                    }
                    Ok(passed(reason))
                }
            }
        }
        Entry::Stdin => Ok(passed(job.standard_input(news)?)),
    }
}

/// The work on a container.
struct Container<'c, J: Job> {
    job: &'c J,
    file: &'c FileEntry,
    source: &'c Source,
    events: &'c AsEvents<'c, J::News>,
}

impl<J: Job> Container<'_, J> {
    /// Processes all documents, and puts the new container in its place.
    fn process(&mut self, kind: Kind, filter: &EntryFilter) -> Result<Option<SkipReason>, Error> {
        let source = self.source;
        self.write(filter, |visit, out| visit.file(source, kind, out))
    }

    /// Processes a message and the archives attached to it, and puts the new message in its place.
    fn write_message(
        &mut self,
        content: Content<'_>,
        filter: &EntryFilter,
    ) -> Result<Option<SkipReason>, Error> {
        let source = self.source;
        self.write(filter, |visit, out| visit.message(source, content, out))
    }

    /// Visits the container, and puts the new one in its place, if the job writes.
    fn write(
        &mut self,
        filter: &EntryFilter,
        visiting: impl FnOnce(&mut Visit<'_>, Option<&mut dyn Output>) -> io::Result<Outcome>,
    ) -> Result<Option<SkipReason>, Error> {
        let (job, file, source) = (self.job, self.file, self.source);
        let mut new = match job.container(file, source)? {
            ContainerWork::Skip(reason) => return Ok(Some(reason)),
            ContainerWork::Read => None,
            ContainerWork::Write(new) => Some(new),
        };
        let in_place = new.as_ref().is_some_and(|new| new.is_in_place());
        if new.is_some() {
            self.writing(Writing::Begun);
        }
        let mut visit = self.visit(filter, in_place);
        let out = new.as_mut().map(|new| &mut **new as &mut dyn Output);
        let visited = visiting(&mut visit, out);
        let Some(new) = new else {
            visited?;
            return Ok(None);
        };
        let done = new.finish(source, &visited);
        self.writing(Writing::of(&visited, done.is_ok()));
        visited?;
        for remark in done? {
            let _ = self.events.send(Event::Remark(file.path.clone(), remark));
        }
        Ok(None)
    }

    /// Processes the archives that are attached to the file, a message.
    fn attached(&mut self, settings: &Settings, filter: &EntryFilter) -> Result<(), Error> {
        let place = Spot::file(&self.file.path);
        let message = Content::Large(self.source.reopened()?);
        let mut visit = self.visit(filter, false);
        Ok(visit.attached(&place, settings, message)?)
    }

    /// A visit of the container.
    fn visit<'v>(&'v mut self, filter: &'v EntryFilter, in_place: bool) -> Visit<'v> {
        let (job, file) = (self.job, self.file);
        let overrides = job.overrides();
        Visit {
            visitor: self,
            filter,
            overrides: Overrides {
                format: overrides.format.filter(|_| file.named),
                ..overrides
            },
            limits: job.limits(),
            rewrites: job.rewrites(),
            reads_requests: job.reads_requests() && !job.rewrites(),
            in_place,
            file: &file.path,
            is_named: file.named,
        }
    }

    fn send(&self, event: Event<J::News>) {
        // That the receiver is gone ends the visit.
        let _ = self.events.send(event);
    }
}

impl<J: Job> Visitor for Container<'_, J> {
    fn document(
        &mut self,
        place: &Spot,
        content: Content<'_>,
        new: Option<&mut NewEntry>,
        attachments: Option<&Attachments>,
    ) {
        let entry = if place.is_in_container() {
            place.in_file(self.file)
        } else {
            // A message around its archives.
            self.file.clone()
        };
        let document = Document {
            source: self.source,
            content,
            is_signed: place.is_signed,
            left: place.left,
            columns: Arc::clone(&place.columns),
            package: place.package.clone(),
            is_entry: true,
            attachments,
            new,
        };
        let path = place.path.clone();
        match self
            .job
            .document(&entry, document, EventSender::new(self.events))
        {
            Ok(None) => {}
            Ok(Some(reason)) => self.send(Event::Skipped(path, reason, None)),
            Err(error) => self.send(Event::Failed(path, error)),
        }
    }

    fn record(&mut self, record: &Record) {
        if self.job.hears_records() {
            let news = EventSender::new(self.events);
            self.job.record(Archived::of(record), news);
        }
    }

    fn skipped(&mut self, path: &Path, reason: SkipReason) {
        self.send(Event::Skipped(path.to_owned(), reason, None));
    }

    fn unread(&mut self, path: &Path, reason: UnreadReason) {
        self.send(Event::Unread(path.to_owned(), reason));
    }

    fn failed(&mut self, path: &Path, error: Error) {
        self.send(Event::Failed(path.to_owned(), error));
    }

    fn writing(&mut self, step: Writing) {
        self.send(Event::Container(step));
    }

    fn is_stopped(&self) -> bool {
        self.events.is_stopped.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::super::walk::{Root, Selection};
    use super::*;
    use std::thread::{self, ThreadId};

    /// Remembers the threads that worked.
    #[derive(Default)]
    struct Workers(Mutex<Vec<ThreadId>>);

    impl Job for Workers {
        type News = ();

        fn threads(&self) -> Threads {
            Threads::Working(2)
        }

        fn overrides(&self) -> Overrides {
            Overrides::default()
        }

        fn document(
            &self,
            _: &FileEntry,
            _: Document<'_>,
            _: EventSender<'_, ()>,
        ) -> Result<Option<SkipReason>, Error> {
            let mut threads = lock(&self.0);
            threads.push(thread::current().id());
            Ok(None)
        }

        fn standard_input(&self, _: EventSender<'_, ()>) -> Result<Option<SkipReason>, Error> {
            Ok(None)
        }
    }

    #[test]
    fn a_single_file_needs_no_other_thread() {
        let threads = |roots: &[&str]| {
            let roots = roots.iter().map(|path| Root::Path(path.into())).collect();
            let walk = Walk::new(roots, Selection::default()).expect("no glob");
            let workers = Workers::default();
            run(&workers, walk, |_| ControlFlow::Continue(())).expect("threads can be started");
            std::mem::take(&mut *lock(&workers.0))
        };
        let here = thread::current().id();
        assert_eq!(threads(&["Cargo.toml"]), [here]);
        let others = threads(&["Cargo.toml", "src"]);
        assert!(others.len() > 1 && !others.contains(&here));
    }
}
