//! Parallel work with results in the order of the items, in bounded memory.

use linkglot::error::{Error, ErrorKind};
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};

/// Number of events of one item that may wait; its worker blocks before it sends more.
const EVENTS_PER_ITEM: usize = 8;

/// Number of items per working thread that may be begun before the current item of the receiver is finished.
const ITEMS_AHEAD: usize = 32;

/// Number of threads per working thread, if work waits for disks: the other threads have [given way](give_way).
const WAITING: usize = 15;

/// Maximal number of threads. Each waiting thread has some files open, and a process may have about a thousand.
const MOST_THREADS: usize = 64;

/// Address space for each thread, if it is limited: the stack, the reserve of the allocator (glibc: 64 to 128 MiB), and
/// the documents being read. A thread with less may fail at any small request for memory, which ends the run.
const SPACE_OF_A_THREAD: u64 = 256 << 20;

/// The number of threads that work on items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    /// This number of working threads; 0: one per core. Fewer if the address space is too small for them.
    Working(usize),
    /// This number of working threads, and more that wait until their output is on disk: their files are synced
    /// together.
    WorkingAndWaiting(usize),
}

impl Threads {
    /// The number of threads that work at a time, and the number of all threads.
    pub(super) fn numbers(self) -> (usize, usize) {
        let (Threads::Working(working) | Threads::WorkingAndWaiting(working)) = self;
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let working = if working == 0 { cores() } else { working };
        match (self, space_limit()) {
            (_, Some(limit)) => {
                let working = working.min(threads_in(limit));
                (working, working)
            }
            (Threads::Working(_), None) => (working, working),
            (Threads::WorkingAndWaiting(_), None) => {
                let all = working * (1 + WAITING);
                (working, all.min(MOST_THREADS).max(working))
            }
        }
    }
}

/// The limit of the address space (`ulimit -v`) in bytes, if there is one.
#[cfg(unix)]
pub(super) fn space_limit() -> Option<u64> {
    static LIMIT: OnceLock<Option<u64>> = OnceLock::new();
    *LIMIT.get_or_init(|| rustix::process::getrlimit(rustix::process::Resource::As).current)
}

#[cfg(not(unix))]
pub(super) fn space_limit() -> Option<u64> {
    None
}

/// Number of threads that fit into an address space.
fn threads_in(limit: u64) -> usize {
    usize::try_from(limit / SPACE_OF_A_THREAD).map_or(usize::MAX, |threads| threads.max(1))
}

/// Turns to work. There are fewer turns than threads.
#[derive(Debug)]
pub(super) struct Turns {
    free: Mutex<usize>,
    changed: Condvar,
}

/// The right to work, returned on drop.
#[derive(Debug)]
pub(super) struct Turn(Arc<Turns>);

impl Turns {
    pub fn new(free: usize) -> Arc<Self> {
        Arc::new(Turns {
            free: Mutex::new(free),
            changed: Condvar::new(),
        })
    }

    /// Waits until a turn is free.
    pub fn take(self: &Arc<Self>) -> Turn {
        let mut free = lock(&self.free);
        while *free == 0 {
            free = self
                .changed
                .wait(free)
                .unwrap_or_else(PoisonError::into_inner);
        }
        *free -= 1;
        Turn(Arc::clone(self))
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        *lock(&self.0.free) += 1;
        self.0.changed.notify_one();
    }
}

thread_local! {
    /// The turn of a thread of [`in_order`], until it gives way.
    static TURN: RefCell<Option<Turn>> = const { RefCell::new(None) };
}

/// Lets another thread work while this thread waits to finish its item. From then on, the thread must hold little
/// memory.
pub(super) fn give_way() {
    TURN.with_borrow_mut(|turn| *turn = None);
}

/// Sends the events of one item.
pub struct EventSender<'s, E> {
    to: &'s (dyn Receive<E> + 's),
}

impl<E> Clone for EventSender<'_, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E> Copy for EventSender<'_, E> {}

/// The receiver of events is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Disconnected;

impl<'s, E> EventSender<'s, E> {
    pub(super) fn new(to: &'s (dyn Receive<E> + 's)) -> Self {
        EventSender { to }
    }

    /// Sends an event. Blocks while too many events wait to be received.
    ///
    /// # Errors
    ///
    /// When the receiver is gone: the work may end.
    pub fn send(&self, event: E) -> Result<(), Disconnected> {
        self.to.receive(event)
    }
}

/// Receives the events of one item, possibly from several threads.
pub(super) trait Receive<E>: Sync {
    fn receive(&self, event: E) -> Result<(), Disconnected>;
}

impl<E: Send> Receive<E> for SyncSender<E> {
    fn receive(&self, event: E) -> Result<(), Disconnected> {
        self.send(event).map_err(|_| Disconnected)
    }
}

/// Passes events to the sink as they come.
struct Direct<S>(Mutex<DirectSink<S>>);

struct DirectSink<S> {
    sink: S,
    has_broken: bool,
}

impl<S> Direct<S> {
    fn new(sink: S) -> Self {
        Direct(Mutex::new(DirectSink {
            sink,
            has_broken: false,
        }))
    }
}

impl<E, S: FnMut(E) -> ControlFlow<()> + Send> Receive<E> for Direct<S> {
    fn receive(&self, event: E) -> Result<(), Disconnected> {
        let mut direct = lock(&self.0);
        direct.has_broken = direct.has_broken || (direct.sink)(event).is_break();
        if direct.has_broken {
            Err(Disconnected)
        } else {
            Ok(())
        }
    }
}

/// The remaining items, and the queue of receivers for items in work. A single lock covers both, so that receivers are
/// queued in the order of the items.
struct Items<I, E> {
    remaining: I,
    /// `None` once no further item will be begun.
    receivers: Option<SyncSender<Receiver<E>>>,
}

impl<I: Iterator, E> Items<I, E> {
    fn next(&mut self) -> Option<(I::Item, SyncSender<E>)> {
        // The receivers are put back only at the end: a panic or an early return in between closes the queue.
        let receivers = self.receivers.take()?;
        let item = self.remaining.next()?;
        let (events, receiver) = sync_channel(EVENTS_PER_ITEM);
        receivers.send(receiver).ok()?;
        self.receivers = Some(receivers);
        Some((item, events))
    }
}

/// Locks a mutex, also behind a thread that panicked.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Closes the queue when a worker panics, so that nobody waits for receivers that never come.
struct CloseOnPanic<'i, I, E>(&'i Mutex<Items<I, E>>);

impl<I, E> Drop for CloseOnPanic<'_, I, E> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            lock(self.0).receivers = None;
        }
    }
}

/// Returns the turn of a thread when the thread ends, even after a panic.
struct GiveWayAtEnd;

impl Drop for GiveWayAtEnd {
    fn drop(&mut self) {
        give_way();
    }
}

/// Runs `work` on every item, on several threads, and passes the events to `sink` on the calling thread: first the
/// events of the first item, and so on, whatever the number of threads. When `sink` breaks, the items in work are
/// finished and no others begun. For each working thread at most 64 items, with 8 events each, wait in memory.
///
/// With a single thread, the calling thread works. No event waits then: `sink` gets each event from the thread that
/// sends it.
///
/// # Errors
///
/// When threads cannot be started.
///
/// # Panics
///
/// When `work` panics.
pub fn in_order<T: Send, E: Send>(
    threads: Threads,
    items: impl Iterator<Item = T> + Send,
    work: impl Fn(T, &EventSender<'_, E>) + Sync,
    sink: impl FnMut(E) -> ControlFlow<()> + Send,
) -> Result<(), Error> {
    let (working, all) = threads.numbers();
    if all == 1 {
        one_by_one(items, work, sink);
        return Ok(());
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(all)
        .thread_name(|number| format!("linkglot-{number}"))
        .build()
        .map_err(|error| Error::new(ErrorKind::Io, format!("cannot start threads: {error}")))?;
    let turns = &Turns::new(working);
    let (receivers, queue) = sync_channel::<Receiver<E>>(working * ITEMS_AHEAD);
    let items = Mutex::new(Items {
        remaining: items,
        receivers: Some(receivers),
    });
    let (items, work) = (&items, &work);
    pool.in_place_scope(move |scope| {
        for _ in 0..all {
            scope.spawn(move |_| {
                let _close = CloseOnPanic(items);
                let _end = GiveWayAtEnd;
                loop {
                    TURN.with_borrow_mut(|turn| {
                        turn.get_or_insert_with(|| turns.take());
                    });
                    // Taken outside of the loop condition, which would hold the lock during the work on the item.
                    let next = lock(items).next();
                    let Some((item, events)) = next else { break };
                    work(item, &EventSender { to: &events });
                }
            });
        }
        // Consumes the queue: once it is gone, every worker ends.
        let _ = queue.into_iter().flatten().try_for_each(sink);
    });
    Ok(())
}

/// Does the work on the calling thread: passing events between threads costs more than small files do.
fn one_by_one<T, E>(
    items: impl Iterator<Item = T>,
    work: impl Fn(T, &EventSender<'_, E>),
    sink: impl FnMut(E) -> ControlFlow<()> + Send,
) {
    let direct = Direct::new(sink);
    for item in items {
        work(item, &EventSender { to: &direct });
        if lock(&direct.0).has_broken {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    fn run(threads: usize) -> Vec<usize> {
        let mut seen = Vec::new();
        let work = |item: usize, sender: &EventSender<'_, usize>| {
            if item.is_multiple_of(7) {
                std::thread::sleep(Duration::from_millis(3));
            }
            for part in 0..item % 30 {
                sender.send(item * 100 + part).unwrap();
            }
        };
        in_order(Threads::Working(threads), 0..200, work, |event| {
            seen.push(event);
            ControlFlow::Continue(())
        })
        .unwrap();
        seen
    }

    #[test]
    fn events_come_in_order() {
        let one = run(1);
        assert!(one.is_sorted());
        assert_eq!(one.len(), (0..200).map(|item| item % 30).sum::<usize>());
        assert_eq!(run(8), one);
    }

    #[test]
    fn a_sink_that_breaks_ends_the_work() {
        let begun = AtomicUsize::new(0);
        let work = |item: usize, sender: &EventSender<'_, usize>| {
            begun.fetch_add(1, Ordering::Relaxed);
            while sender.send(item) == Ok(()) {}
        };
        in_order(Threads::Working(3), 0.., work, |_| ControlFlow::Break(())).unwrap();
        assert!(begun.swap(0, Ordering::Relaxed) <= 3 * (ITEMS_AHEAD + 1));
        in_order(Threads::Working(1), 0.., work, |_| ControlFlow::Break(())).unwrap();
        assert_eq!(begun.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn a_small_address_space_has_one_thread() {
        assert_eq!(threads_in(100 << 20), 1);
        assert_eq!(threads_in(SPACE_OF_A_THREAD * 8), 8);
        assert_eq!(threads_in(u64::MAX) as u64, u64::MAX / SPACE_OF_A_THREAD);
    }

    #[test]
    fn a_single_thread_is_the_calling_one() {
        let own = std::thread::current().id();
        let sent = AtomicUsize::new(0);
        let work = |item: usize, sender: &EventSender<'_, usize>| {
            assert_eq!(std::thread::current().id(), own);
            for _ in 0..2 * EVENTS_PER_ITEM {
                sent.fetch_add(1, Ordering::Relaxed);
                sender.send(item).unwrap();
            }
            // A helper thread may send events of the item, too.
            let helper = *sender;
            std::thread::scope(|scope| {
                scope.spawn(move || helper.send(item).unwrap());
            });
            sent.fetch_add(1, Ordering::Relaxed);
        };
        let mut seen = Vec::new();
        in_order(Threads::Working(1), 0..3, work, |event| {
            seen.push(event);
            // No event waits.
            assert!(seen.len() - sent.load(Ordering::Relaxed) <= 1);
            ControlFlow::Continue(())
        })
        .unwrap();
        assert!(seen.is_sorted() && seen.len() == 3 * (2 * EVENTS_PER_ITEM + 1));
    }

    #[test]
    fn work_ahead_is_bounded() {
        let begun = AtomicUsize::new(0);
        let work = |item: usize, sender: &EventSender<'_, usize>| {
            begun.fetch_add(1, Ordering::Relaxed);
            sender.send(item).unwrap();
        };
        let mut taken = 0;
        in_order(Threads::Working(2), 0..500, work, |_| {
            taken += 1;
            assert!(begun.load(Ordering::Relaxed) <= taken + 2 * (ITEMS_AHEAD + 2));
            ControlFlow::Continue(())
        })
        .unwrap();
        assert_eq!(taken, 500);
    }

    /// Threads that give way make room for others, and never more threads than allowed work at a time.
    #[test]
    fn threads_that_wait_give_way() {
        let (working, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let (waiting, together) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = |item: usize, sender: &EventSender<'_, usize>| {
            most.fetch_max(working.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            working.fetch_sub(1, Ordering::SeqCst);
            give_way();
            together.fetch_max(waiting.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            std::thread::sleep(Duration::from_millis(1));
            waiting.fetch_sub(1, Ordering::SeqCst);
            // More events than the limit of waiting events.
            for _ in 0..2 * EVENTS_PER_ITEM {
                sender.send(item).unwrap();
            }
        };
        let mut seen = Vec::new();
        in_order(Threads::WorkingAndWaiting(2), 0..300, work, |event| {
            seen.push(event);
            ControlFlow::Continue(())
        })
        .unwrap();
        assert!(seen.is_sorted() && seen.len() == 300 * 2 * EVENTS_PER_ITEM);
        assert!(most.load(Ordering::SeqCst) <= 2);
        assert!(together.load(Ordering::SeqCst) > 2);
    }

    #[test]
    fn a_panic_comes_through_and_nobody_waits() {
        let run = std::panic::catch_unwind(|| {
            let work = |item: usize, _: &EventSender<'_, ()>| assert!(item < 5, "on purpose");
            in_order(Threads::Working(2), 0..100, work, |()| {
                ControlFlow::Continue(())
            })
        });
        assert!(run.is_err());
    }
}
