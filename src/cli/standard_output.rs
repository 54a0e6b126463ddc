//! Whether standard output was open when the program began.
//!
//! The standard library opens the null device in its place before `main`, so that nothing else gets its number; the
//! results would vanish there, and the run would seem a success. It is looked at before that.

use std::sync::atomic::{AtomicBool, Ordering};

static WAS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Whether there was no standard output.
pub fn was_closed() -> bool {
    WAS_CLOSED.load(Ordering::Relaxed)
}

// Only a system call and a static variable, both of which are there before `main`.
#[cfg(unix)]
#[ctor::ctor(unsafe)]
fn look() {
    let flags = rustix::io::fcntl_getfd(rustix::stdio::stdout());
    WAS_CLOSED.store(flags.is_err(), Ordering::Relaxed);
}
