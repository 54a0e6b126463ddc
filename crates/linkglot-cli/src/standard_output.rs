//! Whether standard output was open when the program began, and whether somebody reads it.
//!
//! The standard library opens the null device in its place before `main`, so that nothing else gets its number; the
//! results would vanish there, and the run would seem a success. It is looked at before that.

use std::sync::atomic::{AtomicBool, Ordering};

static WAS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Whether there was no standard output.
pub fn was_closed() -> bool {
    WAS_CLOSED.load(Ordering::Relaxed)
}

/// Whether standard output is a pipe that nobody reads any more.
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

/// Whether standard output is a pipe that nobody reads any more.
#[cfg(not(unix))]
pub fn has_no_reader() -> bool {
    false
}

// Only a system call and a static variable, both of which are there before `main`.
#[cfg(unix)]
#[ctor::ctor(unsafe)]
fn look() {
    let flags = rustix::io::fcntl_getfd(rustix::stdio::stdout());
    WAS_CLOSED.store(flags.is_err(), Ordering::Relaxed);
}
