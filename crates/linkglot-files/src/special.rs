//! Pipes, terminals and devices: the check that reading them comes to an end.

use super::directory::open_path;
use linkglot::error::{Error, ErrorKind};
use std::fs::{File, Metadata};
use std::io::Read;
use std::path::Path;

/// The time to wait for a pipe without a writer.
const PATIENCE_SECONDS: u64 = 2;

/// Checks that reading an open file can come to an end: a regular file, a pipe that has or had a writer, a socket, a
/// terminal or the null device. Any other device is an error: most devices never end.
///
/// # Errors
///
/// When the file is another device, or a pipe without a writer.
#[cfg(unix)]
pub fn check_readable(file: &File, metadata: &Metadata) -> Result<(), Error> {
    use std::io::IsTerminal;
    use std::os::unix::fs::FileTypeExt;
    let kind = metadata.file_type();
    if kind.is_fifo() {
        return wait_for_writer(file);
    }
    let is_device = kind.is_block_device() || kind.is_char_device();
    if is_device && !file.is_terminal() && !is_null(metadata) {
        return Err(Error::new(ErrorKind::Io, "expected a file, found a device"));
    }
    set_blocking(file);
    Ok(())
}

/// True for the null device.
#[cfg(unix)]
fn is_null(metadata: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata("/dev/null").is_ok_and(|null| null.rdev() == metadata.rdev())
}

#[cfg(unix)]
fn wait_for_writer(file: &File) -> Result<(), Error> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let timeout = Timespec {
        tv_sec: PATIENCE_SECONDS as i64,
        tv_nsec: 0,
    };
    let mut polled = [PollFd::new(file, PollFlags::IN)];
    // Ready means that there is data, or that the last writer is gone.
    let ready = poll(&mut polled, Some(&timeout)).unwrap_or(1);
    let no_writer = || matches!((&*file).read(&mut []), Ok(0)) && reads_end(file);
    if ready == 0 && no_writer() {
        return Err(Error::new(
            ErrorKind::Io,
            format!(
                "expected a file, found a pipe that nobody has written to for {PATIENCE_SECONDS} s"
            ),
        ));
    }
    set_blocking(file);
    Ok(())
}

/// True if the pipe is at its end. Called when there is no data: with a writer, a read would block.
#[cfg(unix)]
fn reads_end(file: &File) -> bool {
    use rustix::fs::OFlags;
    let is_nonblocking =
        rustix::fs::fcntl_getfl(file).is_ok_and(|flags| flags.contains(OFlags::NONBLOCK));
    is_nonblocking && matches!((&*file).read(&mut [0]), Ok(0))
}

/// Makes reads block again: files are opened in a mode in which a pipe does not block.
#[cfg(unix)]
fn set_blocking(file: &File) {
    use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
    if let Ok(flags) = fcntl_getfl(file)
        && flags.contains(OFlags::NONBLOCK)
    {
        let _ = fcntl_setfl(file, flags - OFlags::NONBLOCK);
    }
}

/// Checks that reading an open file can come to an end.
///
/// # Errors
///
/// Never on this system.
#[cfg(not(unix))]
pub fn check_readable(_: &File, _: &Metadata) -> Result<(), Error> {
    Ok(())
}

/// Reads a file that an option names, up to `most` bytes.
///
/// # Errors
///
/// When the file cannot be read, is longer, or is a device that never ends.
pub fn read_file(path: &Path, most: u64) -> Result<Vec<u8>, Error> {
    let file = open_path(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        let message = "expected a file, found a directory";
        return Err(Error::new(ErrorKind::Io, message));
    }
    if !metadata.is_file() {
        check_readable(&file, &metadata)?;
    }
    let mut bytes = Vec::new();
    (&file).take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let message = format!("expected at most {most} bytes, found more");
        return Err(Error::new(ErrorKind::Io, message));
    }
    Ok(bytes)
}
