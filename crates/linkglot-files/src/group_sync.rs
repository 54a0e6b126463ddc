//! Syncs for several threads at once. Syncing one file costs a commit of its file system; syncing the whole file system
//! costs hardly more, and serves all threads that wait for a file.

use super::parallel::lock;
use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Minimal number of files to sync together. Fewer files are synced one by one, because the file system may have much
/// else to write.
const MANY: usize = 3;

/// The data that a sync wrote to disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Synced {
    /// A single file.
    File,
    /// Everything that was written to a device before.
    FileSystem(u64),
}

/// The file systems of a run.
#[derive(Debug, Default)]
pub(super) struct GroupSync {
    devices: Mutex<HashMap<u64, Arc<Rounds<bool>>>>,
}

impl GroupSync {
    /// Syncs a file on a device, together with the files of other threads. `alone` syncs only this file: it is used if
    /// few threads wait, and if a sync of the file system fails, which does not tell the file.
    pub fn sync(
        &self,
        device: u64,
        file: &File,
        alone: impl FnOnce() -> io::Result<()>,
    ) -> io::Result<Synced> {
        let rounds = Arc::clone(lock(&self.devices).entry(device).or_default());
        let mut alone = Some(alone);
        let mut own = None;
        let is_synced = rounds.join(|waiting| {
            if waiting < MANY {
                // Inside the round, so that other threads gather for the next round.
                own = alone.take().map(|sync| sync());
                return false;
            }
            sync_file_system(file).is_ok()
        });
        match (own, alone) {
            (Some(own), _) => own.map(|()| Synced::File),
            (None, Some(alone)) if !is_synced => alone().map(|()| Synced::File),
            _ => Ok(Synced::FileSystem(device)),
        }
    }
}

#[cfg(target_os = "linux")]
fn sync_file_system(file: &File) -> io::Result<()> {
    Ok(rustix::fs::syncfs(file)?)
}

#[cfg(not(target_os = "linux"))]
fn sync_file_system(_: &File) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Work that one thread does for all threads that wait for it.
///
/// A thread that comes during a round waits for the next one, because it may have come too late for the round in
/// progress.
#[derive(Debug)]
pub(super) struct Rounds<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

#[derive(Debug)]
struct State<T> {
    /// The next round, and the number of threads that wait for it.
    next: u64,
    waiting: usize,
    is_running: bool,
    /// The results of rounds, with the number of threads that have not taken them.
    results: HashMap<u64, (T, usize)>,
}

impl<T> Default for Rounds<T> {
    fn default() -> Self {
        let state = State {
            next: 0,
            waiting: 0,
            is_running: false,
            results: HashMap::new(),
        };
        Rounds {
            state: Mutex::new(state),
            changed: Condvar::new(),
        }
    }
}

impl<T: Clone> Rounds<T> {
    /// Waits for a round that begins from now on, and returns its result. If no round is in progress, this thread does
    /// the work of the next one; `work` gets the number of waiting threads.
    pub fn join(&self, work: impl FnOnce(usize) -> T) -> T {
        let mut state = lock(&self.state);
        let round = state.next;
        state.waiting += 1;
        while state.is_running {
            state = self.wait(state);
            if let Some(result) = state.take(round) {
                return result;
            }
        }
        state.is_running = true;
        state.next += 1;
        let threads = std::mem::take(&mut state.waiting);
        drop(state);
        let end = EndOfRound(self);
        let result = work(threads);
        if threads > 1 {
            let others = (result.clone(), threads - 1);
            lock(&self.state).results.insert(round, others);
        }
        drop(end);
        result
    }

    fn wait<'s>(&self, state: MutexGuard<'s, State<T>>) -> MutexGuard<'s, State<T>> {
        let waited = self.changed.wait(state);
        waited.unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Clone> State<T> {
    /// The result of a round, if it has ended. The last thread that takes it removes it.
    fn take(&mut self, round: u64) -> Option<T> {
        let (result, unseen) = self.results.get_mut(&round)?;
        *unseen -= 1;
        let (result, is_last) = (result.clone(), *unseen == 0);
        if is_last {
            self.results.remove(&round);
        }
        Some(result)
    }
}

/// Ends a round, even after a panic: another thread then does the work for the waiting threads.
struct EndOfRound<'r, T>(&'r Rounds<T>);

impl<T> Drop for EndOfRound<'_, T> {
    fn drop(&mut self) {
        lock(&self.0.state).is_running = false;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// Every thread gets the result of work that began after it came, and each round serves all waiting threads.
    #[test]
    fn work_begins_after_those_who_wait_for_it() {
        let rounds = Rounds::default();
        let (written, works) = (AtomicU64::new(0), AtomicU64::new(0));
        std::thread::scope(|scope| {
            for _ in 0..16 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        let own = written.fetch_add(1, Ordering::SeqCst) + 1;
                        let synced = rounds.join(|_| {
                            works.fetch_add(1, Ordering::SeqCst);
                            let synced = written.load(Ordering::SeqCst);
                            std::thread::yield_now();
                            synced
                        });
                        assert!(synced >= own);
                    }
                });
            }
        });
        assert!(works.load(Ordering::SeqCst) <= 16 * 200);
        assert!(lock(&rounds.state).results.is_empty());
    }

    #[test]
    fn files_are_synced_by_many_threads() {
        let place = tempfile::tempdir().unwrap();
        let group = GroupSync::default();
        std::thread::scope(|scope| {
            for number in 0..8 {
                let (group, path) = (&group, place.path().join(number.to_string()));
                scope.spawn(move || {
                    let file = File::create(path).unwrap();
                    for _ in 0..20 {
                        group.sync(1, &file, || file.sync_all()).unwrap();
                    }
                });
            }
        });
    }

    #[test]
    fn what_fails_together_is_tried_alone() {
        let file = tempfile::tempfile().unwrap();
        let failed = GroupSync::default().sync(1, &file, || Err(io::ErrorKind::StorageFull.into()));
        assert_eq!(failed.unwrap_err().kind(), io::ErrorKind::StorageFull);
    }
}
