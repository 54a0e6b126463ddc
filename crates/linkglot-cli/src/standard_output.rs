//! Checks whether standard output was open when the program began, and whether it has a reader.
//!
//! If it is closed, the standard library opens the null device in its place before `main`, so that no other file gets
//! its number; results would vanish, and the run would seem a success. So the check runs earlier.

use std::sync::atomic::{AtomicBool, Ordering};

static WAS_CLOSED: AtomicBool = AtomicBool::new(false);

/// True if standard output was closed when the program began.
pub fn was_closed() -> bool {
    WAS_CLOSED.load(Ordering::Relaxed)
}

/// True if standard output is a pipe without a reader.
#[cfg(unix)]
pub fn has_no_reader() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let stdout = std::io::stdout();
    let mut state = [PollFd::new(&stdout, PollFlags::empty())];
    let now = Timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    let gone = PollFlags::ERR | PollFlags::HUP;
    poll(&mut state, Some(&now)).is_ok() && state[0].revents().intersects(gone)
}

/// True if standard output is a pipe without a reader.
#[cfg(not(unix))]
pub fn has_no_reader() -> bool {
    false
}

// Uses only a system call and a static variable, which work before `main`.
#[cfg(unix)]
#[ctor::ctor(unsafe)]
fn look() {
    let flags = rustix::io::fcntl_getfd(rustix::stdio::stdout());
    WAS_CLOSED.store(flags.is_err(), Ordering::Relaxed);
}
