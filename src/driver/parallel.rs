//! Work on many items at once, results in the order of the items, in bounded memory.

use crate::error::{Error, ErrorKind};
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How many events of one item wait at most; then its worker does.
const EVENTS: usize = 8;

/// How many items a worker may be ahead of the one whose events are taken.
const AHEAD: usize = 8;

/// Where a worker puts the events of one item.
#[derive(Debug)]
pub struct Lane<E> {
    events: SyncSender<E>,
}

/// Nobody takes events any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

impl<E> Lane<E> {
    /// Hands on an event, and waits while too many wait already.
    ///
    /// # Errors
    ///
    /// When nobody takes them any more: the work may end.
    pub fn send(&self, event: E) -> Result<(), Stopped> {
        self.events.send(event).map_err(|_| Stopped)
    }
}

/// Items still to come, and where the lanes of those begun are queued. One lock for both, so that
/// lanes are queued in the order of the items.
struct Feed<I, E> {
    items: I,
    /// `None` when no other item will be begun.
    lanes: Option<SyncSender<Receiver<E>>>,
}

impl<I: Iterator, E> Feed<I, E> {
    fn next(&mut self) -> Option<(I::Item, Lane<E>)> {
        // Taken out meanwhile: whatever happens in between ends the queue.
        let lanes = self.lanes.take()?;
        let item = self.items.next()?;
        let (events, lane) = sync_channel(EVENTS);
        lanes.send(lane).ok()?;
        self.lanes = Some(lanes);
        Some((item, Lane { events }))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends the queue when its worker panics: nobody shall wait for lanes that never come.
struct EndOnPanic<'f, I, E>(&'f Mutex<Feed<I, E>>);

impl<I, E> Drop for EndOnPanic<'_, I, E> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            lock(self.0).lanes = None;
        }
    }
}

/// Runs `work` on every item, on `threads` threads (0: one for each core), and hands the events to
/// `sink` on the calling thread: those of the first item first, each item's in their order,
/// whatever the number of threads. When `sink` breaks, work under way is finished and no other
/// begun. At most `threads` × 16 items and 8 events for each of them wait in memory.
///
/// # Errors
///
/// When threads cannot be started.
///
/// # Panics
///
/// When `work` does.
pub fn in_order<T: Send, E: Send>(
    threads: usize,
    items: impl Iterator<Item = T> + Send,
    work: impl Fn(T, &Lane<E>) + Sync,
    sink: impl FnMut(E) -> ControlFlow<()>,
) -> Result<(), Error> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|number| format!("linkglot-{number}"))
        .build()
        .map_err(|error| Error::new(ErrorKind::Io, format!("cannot start threads: {error}")))?;
    let workers = pool.current_num_threads();
    let (lanes, queue) = sync_channel::<Receiver<E>>(workers * AHEAD);
    let lanes = Some(lanes);
    let feed = Mutex::new(Feed { items, lanes });
    let (feed, work) = (&feed, &work);
    pool.in_place_scope(move |scope| {
        for _ in 0..workers {
            scope.spawn(move |_| {
                let _end = EndOnPanic(feed);
                loop {
                    let next = lock(feed).next();
                    let Some((item, lane)) = next else { break };
                    work(item, &lane);
                }
            });
        }
        // The queue is dropped behind this: then every worker ends.
        let _ = queue.into_iter().flatten().try_for_each(sink);
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    fn run(threads: usize) -> Vec<usize> {
        let mut seen = Vec::new();
        let work = |item: usize, lane: &Lane<usize>| {
            if item.is_multiple_of(7) {
                std::thread::sleep(Duration::from_millis(3));
            }
            for part in 0..item % 30 {
                lane.send(item * 100 + part).unwrap();
            }
        };
        in_order(threads, 0..200, work, |event| {
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
        let work = |item: usize, lane: &Lane<usize>| {
            begun.fetch_add(1, Ordering::Relaxed);
            while lane.send(item) == Ok(()) {}
        };
        in_order(3, 0.., work, |_| ControlFlow::Break(())).unwrap();
        assert!(begun.load(Ordering::Relaxed) <= 3 * (AHEAD + 1));
    }

    #[test]
    fn work_ahead_is_bounded() {
        let begun = AtomicUsize::new(0);
        let work = |item: usize, lane: &Lane<usize>| {
            begun.fetch_add(1, Ordering::Relaxed);
            lane.send(item).unwrap();
        };
        let mut taken = 0;
        in_order(2, 0..500, work, |_| {
            taken += 1;
            assert!(begun.load(Ordering::Relaxed) <= taken + 2 * (AHEAD + 2));
            ControlFlow::Continue(())
        })
        .unwrap();
        assert_eq!(taken, 500);
    }

    #[test]
    fn a_panic_comes_through_and_nobody_waits() {
        let run = std::panic::catch_unwind(|| {
            let work = |item: usize, _: &Lane<()>| assert!(item < 5, "on purpose");
            in_order(2, 0..100, work, |()| ControlFlow::Continue(()))
        });
        assert!(run.is_err());
    }
}
