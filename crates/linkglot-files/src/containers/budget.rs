//! Limits of decompression.

use crate::remedy::Remedy;
use linkglot::error::Error;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Length of decompressed data that is never too much.
const ALWAYS: u64 = 1 << 20;

/// Limits against archives made to fill memory and time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The greatest ratio of all decompressed data, at all depths together, to the length of the compressed file or
    /// of the entry of a zip archive. 1 MiB is always allowed.
    pub ratio: u64,
    /// The greatest depth of containers in containers.
    pub depth: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            ratio: 1000,
            depth: 8,
        }
    }
}

impl Limits {
    /// Checks the length of decompressed data.
    ///
    /// # Errors
    ///
    /// When it is too long for the compressed data.
    pub(super) fn check(self, compressed: u64, decompressed: u64) -> io::Result<()> {
        if decompressed <= Budget::most(compressed, self) {
            return Ok(());
        }
        Err(exceeded(self.ratio))
    }
}

fn exceeded(ratio: u64) -> io::Error {
    let message = format!("expected at most {ratio} times the compressed length, found more");
    io::Error::other(Remedy::MaxRatio.for_error(message))
}

/// The number of bytes that may still be decompressed.
#[derive(Clone, Debug)]
pub(super) struct Budget {
    left: Arc<AtomicU64>,
    ratio: u64,
}

impl Budget {
    /// A budget for everything decompressed from data of this length.
    pub fn of(compressed: u64, limits: Limits) -> Self {
        Budget {
            left: Arc::new(AtomicU64::new(Budget::most(compressed, limits))),
            ratio: limits.ratio,
        }
    }

    /// Another budget, for reading the same data once more.
    pub fn again(&self) -> Self {
        Budget {
            left: Arc::new(AtomicU64::new(self.left.load(Ordering::Relaxed))),
            ratio: self.ratio,
        }
    }

    /// The most bytes that data of this length may expand to.
    pub fn most(compressed: u64, limits: Limits) -> u64 {
        compressed.saturating_mul(limits.ratio).max(ALWAYS)
    }

    /// True if nothing more may be decompressed.
    pub fn is_spent(&self) -> bool {
        self.left.load(Ordering::Relaxed) == 0
    }

    fn spend(&self, len: usize) -> io::Result<()> {
        // Only the thread that visits the container spends.
        let left = self.left.load(Ordering::Relaxed);
        let rest = left.saturating_sub(len as u64);
        self.left.store(rest, Ordering::Relaxed);
        if left >= len as u64 {
            return Ok(());
        }
        Err(exceeded(self.ratio))
    }
}

/// A reader of decompressed data that spends a budget. Once reading failed, it fails forever.
pub(super) struct Limited<R> {
    inner: R,
    budget: Option<Budget>,
    failure: Option<(io::ErrorKind, Error)>,
}

impl<R: Read> Limited<R> {
    pub fn new(inner: R, budget: Option<&Budget>) -> Self {
        Limited {
            inner,
            budget: budget.cloned(),
            failure: None,
        }
    }
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        if let Some((kind, error)) = &self.failure {
            return Err(io::Error::new(*kind, error.clone()));
        }
        let read = self.inner.read(room).and_then(|len| {
            let budget = self.budget.as_ref();
            budget.map_or(Ok(()), |budget| budget.spend(len))?;
            Ok(len)
        });
        read.map_err(|error| {
            let kind = error.kind();
            if kind == io::ErrorKind::Interrupted {
                return error;
            }
            let error = Error::from(error);
            self.failure = Some((kind, error.clone()));
            io::Error::new(kind, error)
        })
    }
}
