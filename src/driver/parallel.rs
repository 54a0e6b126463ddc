//! Parallel work whose results come in the order of the items, in bounded memory.

use crate::error::{Error, ErrorKind};
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Events of one item that may wait; its worker waits before it sends more.
const EVENTS_PER_ITEM: usize = 8;

/// Items per worker that may be begun before the item whose events are received is finished.
const ITEMS_AHEAD: usize = 8;

/// Sends the events of one item.
#[derive(Debug)]
pub struct EventSender<E> {
    events: SyncSender<E>,
}

/// The receiver of events has gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Disconnected;

impl<E> EventSender<E> {
    /// Sends an event. Waits while too many others wait to be received.
    ///
    /// # Errors
    ///
    /// When nobody receives events any more: the work may end.
    pub fn send(&self, event: E) -> Result<(), Disconnected> {
        self.events.send(event).map_err(|_| Disconnected)
    }
}

/// Items that remain, and the queue of receivers for those begun. One lock covers both, so that receivers are queued
/// in the order of the items.
struct Items<I, E> {
    remaining: I,
    /// `None` once no other item will be begun.
    receivers: Option<SyncSender<Receiver<E>>>,
}

impl<I: Iterator, E> Items<I, E> {
    fn next(&mut self) -> Option<(I::Item, EventSender<E>)> {
        // Put back only at the end: a panic or an early return in between closes the queue.
        let receivers = self.receivers.take()?;
        let item = self.remaining.next()?;
        let (events, receiver) = sync_channel(EVENTS_PER_ITEM);
        receivers.send(receiver).ok()?;
        self.receivers = Some(receivers);
        Some((item, EventSender { events }))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Closes the queue when its worker panics, so that nobody waits for receivers that never come.
struct CloseOnPanic<'i, I, E>(&'i Mutex<Items<I, E>>);

impl<I, E> Drop for CloseOnPanic<'_, I, E> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            lock(self.0).receivers = None;
        }
    }
}

/// Runs `work` on every item, on `threads` threads (0: one per core), and passes the events to `sink` on the calling
/// thread: first those of the first item, and so on, whatever the number of threads. When `sink` breaks, work under
/// way is finished and no other begun. At most `threads` × 16 items, with 8 events each, wait in memory.
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
    work: impl Fn(T, &EventSender<E>) + Sync,
    sink: impl FnMut(E) -> ControlFlow<()>,
) -> Result<(), Error> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|number| format!("linkglot-{number}"))
        .build()
        .map_err(|error| Error::new(ErrorKind::Io, format!("cannot start threads: {error}")))?;
    let workers = pool.current_num_threads();
    let (receivers, queue) = sync_channel::<Receiver<E>>(workers * ITEMS_AHEAD);
    let items = Mutex::new(Items {
        remaining: items,
        receivers: Some(receivers),
    });
    let (items, work) = (&items, &work);
    pool.in_place_scope(move |scope| {
        for _ in 0..workers {
            scope.spawn(move |_| {
                let _close = CloseOnPanic(items);
                loop {
                    // Not in the condition: the lock would be held while the item is worked on.
                    let next = lock(items).next();
                    let Some((item, sender)) = next else { break };
                    work(item, &sender);
                }
            });
        }
        // This consumes the queue: when it is gone, every worker ends.
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
        let work = |item: usize, sender: &EventSender<usize>| {
            if item.is_multiple_of(7) {
                std::thread::sleep(Duration::from_millis(3));
            }
            for part in 0..item % 30 {
                sender.send(item * 100 + part).unwrap();
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
        let work = |item: usize, sender: &EventSender<usize>| {
            begun.fetch_add(1, Ordering::Relaxed);
            while sender.send(item) == Ok(()) {}
        };
        in_order(3, 0.., work, |_| ControlFlow::Break(())).unwrap();
        assert!(begun.load(Ordering::Relaxed) <= 3 * (ITEMS_AHEAD + 1));
    }

    #[test]
    fn work_ahead_is_bounded() {
        let begun = AtomicUsize::new(0);
        let work = |item: usize, sender: &EventSender<usize>| {
            begun.fetch_add(1, Ordering::Relaxed);
            sender.send(item).unwrap();
        };
        let mut taken = 0;
        in_order(2, 0..500, work, |_| {
            taken += 1;
            assert!(begun.load(Ordering::Relaxed) <= taken + 2 * (ITEMS_AHEAD + 2));
            ControlFlow::Continue(())
        })
        .unwrap();
        assert_eq!(taken, 500);
    }

    #[test]
    fn a_panic_comes_through_and_nobody_waits() {
        let run = std::panic::catch_unwind(|| {
            let work = |item: usize, _: &EventSender<()>| assert!(item < 5, "on purpose");
            in_order(2, 0..100, work, |()| ControlFlow::Continue(()))
        });
        assert!(run.is_err());
    }
}
