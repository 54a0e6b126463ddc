//! A pipe between the thread that rewrites a document and the thread that shows the changes. The pipe holds little: the
//! faster thread waits for the other.

use linkglot::Error;
use std::io::{self, Read, Write};
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// Size of a chunk, and number of chunks that may wait for the reader.
const CHUNK: usize = 64 * 1024;
const CHUNKS: usize = 4;

/// Runs `produce` on a thread of its own, and `consume` on its output. Each ends soon after the other fails.
///
/// # Errors
///
/// The error of `consume`, unless it was caused by `produce`; then the error of `produce`.
///
/// # Panics
///
/// When `produce` or `consume` panics.
pub fn connect<T: Send>(
    produce: impl FnOnce(&mut PipeWriter) -> Result<T, Error> + Send,
    consume: impl FnOnce(&mut PipeReader) -> io::Result<()>,
) -> Result<T, Error> {
    let (sender, receiver) = sync_channel(CHUNKS);
    let write = move || {
        let mut writer = PipeWriter {
            sender,
            chunk: Vec::with_capacity(CHUNK),
        };
        let produced = produce(&mut writer)?;
        writer.end()?;
        Ok(produced)
    };
    thread::scope(|scope| {
        let thread = thread::Builder::new().spawn_scoped(scope, write)?;
        let mut reader = PipeReader {
            receiver,
            chunk: Vec::new(),
            at: 0,
            ended: false,
        };
        let consumed = consume(&mut reader);
        // The writer must not wait for a reader that has stopped.
        drop(reader);
        let produced = thread.join().unwrap_or_else(|panic| resume_unwind(panic));
        match consumed {
            Err(error) if error.kind() != io::ErrorKind::ConnectionAborted => Err(error.into()),
            _ => produced,
        }
    })
}

/// Writes into the pipe.
pub struct PipeWriter {
    sender: SyncSender<Vec<u8>>,
    chunk: Vec<u8>,
}

impl PipeWriter {
    fn send(&mut self, chunk: Vec<u8>) -> io::Result<()> {
        let sent = self.sender.send(chunk);
        sent.map_err(|_| io::ErrorKind::BrokenPipe.into())
    }

    fn send_chunk(&mut self) -> io::Result<()> {
        let chunk = std::mem::replace(&mut self.chunk, Vec::with_capacity(CHUNK));
        self.send(chunk)
    }

    /// Marks the output as complete. Without this mark the reader fails.
    fn end(mut self) -> io::Result<()> {
        if !self.chunk.is_empty() {
            self.send_chunk()?;
        }
        self.send(Vec::new())
    }
}

impl Write for PipeWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let part = &bytes[..bytes.len().min(CHUNK - self.chunk.len())];
        self.chunk.extend_from_slice(part);
        if self.chunk.len() == CHUNK {
            self.send_chunk()?;
        }
        Ok(part.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Reads from the pipe.
pub struct PipeReader {
    receiver: Receiver<Vec<u8>>,
    chunk: Vec<u8>,
    at: usize,
    ended: bool,
}

impl Read for PipeReader {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        if self.at == self.chunk.len() && !self.ended {
            let received = self.receiver.recv();
            self.chunk = received.map_err(|_| io::ErrorKind::ConnectionAborted)?;
            self.at = 0;
            self.ended = self.chunk.is_empty();
        }
        let got = (&self.chunk[self.at..]).read(room)?;
        self.at += got;
        Ok(got)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linkglot::ErrorKind;

    fn read_all(reader: &mut PipeReader) -> io::Result<()> {
        io::copy(reader, &mut io::sink()).map(drop)
    }

    #[test]
    fn bytes_arrive() {
        let bytes: Vec<u8> = (0..10 * CHUNK + 7).map(|at| (at % 251) as u8).collect();
        let mut read = Vec::new();
        let written = connect(
            |writer| Ok(writer.write_all(&bytes)?),
            |reader| reader.read_to_end(&mut read).map(drop),
        );
        assert!(written.is_ok() && read == bytes);
    }

    #[test]
    fn a_writer_that_fails() {
        let failed = connect::<()>(
            |writer| {
                writer.write_all(&[0; 2 * CHUNK])?;
                Err(Error::new(ErrorKind::Io, "on purpose"))
            },
            read_all,
        );
        assert_eq!(failed.unwrap_err().to_string(), "on purpose");
    }

    /// A writer that would never end stops when nobody reads.
    #[test]
    fn a_reader_that_fails() {
        let failed = connect::<()>(
            |writer| {
                loop {
                    writer.write_all(b"x")?;
                }
            },
            |_| Err(io::Error::other("on purpose")),
        );
        assert!(failed.unwrap_err().to_string().contains("on purpose"));
    }

    #[test]
    fn a_panic_comes_through() {
        let panicking = || connect::<()>(|_| panic!("on purpose"), read_all);
        assert!(std::panic::catch_unwind(panicking).is_err());
        let panicking = || connect(|_| Ok(()), |_| panic!("on purpose"));
        assert!(std::panic::catch_unwind(panicking).is_err());
    }
}
