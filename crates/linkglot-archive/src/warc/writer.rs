//! Writes a new file: records that change are replaced, all others copied.

use super::editor::NewRecord;
use super::members::Members;
use super::reader::{Reader, Step};
use crate::bytes::fill;
use crate::{Codec, Encoder, Output, Parameters, invalid};
use std::io::{self, BufRead, Read, Write};

/// Opens a file, any number of times.
type OpenFile<'o> = dyn Fn() -> io::Result<Box<dyn BufRead + 'o>> + 'o;

/// Writes a new file from the old one, which is read again. Records that do not change keep their bytes, and their
/// compressed ones, if each record is a member or a frame of its own. Where several records share a member in which one
/// changes, each becomes a member of its own, so that an index can point at it.
///
/// ```
/// use linkglot_archive::warc::Writer;
/// use std::io::BufRead;
///
/// let old = b"WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 3\r\n\r\nabc\r\n\r\n";
/// let open = || Ok(Box::new(&old[..]) as Box<dyn BufRead>);
/// let mut new = Vec::new();
/// Writer::new(None, &open)?.finish(&mut new)?;
/// assert_eq!(new, old);
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Writer<'w> {
    open: &'w OpenFile<'w>,
    codec: Option<Codec>,
    parameters: Option<Parameters>,
    /// The records of the old file, in step with those that are replaced.
    records: Reader<Members<Box<dyn BufRead + 'w>>>,
    /// The compressed bytes of the old file.
    raw: Box<dyn BufRead + 'w>,
    /// The position in them.
    at: u64,
    /// The last record that begins a member: its positions in the compressed and in the decompressed file.
    group: (u64, u64),
    /// The decompressed file, from which records of a shared member are written.
    shared: Option<Shared<'w>>,
    /// True within a member whose records are written one by one.
    is_within: bool,
}

/// The decompressed file, read forward.
struct Shared<'s> {
    bytes: Members<Box<dyn BufRead + 's>>,
    /// The position in the bytes.
    at: u64,
    /// The records, which tell where each ends.
    bounds: Reader<Members<Box<dyn BufRead + 's>>>,
}

impl<'w> Writer<'w> {
    /// Begins with the first byte of an old file.
    ///
    /// # Errors
    ///
    /// When the file cannot be opened, or has a dictionary.
    pub fn new(codec: Option<Codec>, open: &'w OpenFile<'w>) -> io::Result<Self> {
        let parameters = codec.map(|codec| Parameters::of_members(codec, &mut open()?));
        Ok(Writer {
            open,
            codec,
            parameters: parameters.transpose()?,
            records: Reader::new(Members::new(codec, open()?)?),
            raw: open()?,
            at: 0,
            group: (0, 0),
            shared: None,
            is_within: false,
        })
    }

    /// Replaces the record that starts at a position of the decompressed file. Records are replaced in their order.
    ///
    /// # Errors
    ///
    /// When reading or writing fails; when there is no such record.
    pub fn replace(
        &mut self,
        start: u64,
        new: &mut NewRecord,
        out: &mut dyn Output,
    ) -> io::Result<()> {
        self.advance(start, out)?;
        if !self.is_within {
            let (raw, decompressed) = self.group;
            self.keep(raw, out)?;
            if decompressed < start {
                self.is_within = true;
                self.share(decompressed)?;
            }
        }
        if self.is_within {
            self.share_records(start, out)?;
        }
        let mut member = self.begin_member(out)?;
        new.write(&mut member)?;
        member.finish()?;
        self.records.end_record()?.map_err(|_| changed())?;
        let end = self.records.position();
        match self.records.inner.boundary()? {
            Some(raw) => {
                self.is_within = false;
                self.skip(raw)?;
            }
            None => {
                self.is_within = true;
                self.share(end)?;
            }
        }
        Ok(())
    }

    /// Goes to the record at a position, and remembers the members on the way.
    fn advance(&mut self, start: u64, out: &mut dyn Output) -> io::Result<()> {
        loop {
            self.records.end_record()?.map_err(|_| changed())?;
            let (at, boundary) = (self.records.position(), self.records.inner.boundary()?);
            if let Some(raw) = boundary {
                if std::mem::take(&mut self.is_within) {
                    self.share_records(at, out)?;
                    self.skip(raw)?;
                }
                self.group = (raw, at);
            }
            match self.records.step()? {
                Step::Record(record) if record.start == start => return Ok(()),
                Step::Record(record) if record.start < start => {}
                _ => return Err(changed()),
            }
        }
    }

    /// Copies the rest of the old file.
    ///
    /// # Errors
    ///
    /// When reading or writing fails.
    pub fn finish(mut self, out: &mut dyn Output) -> io::Result<()> {
        while self.is_within {
            self.records.end_record()?.map_err(|_| changed())?;
            let at = self.records.position();
            if let Some(raw) = self.records.inner.boundary()? {
                self.is_within = false;
                self.share_records(at, out)?;
                self.skip(raw)?;
                break;
            }
            if !matches!(self.records.step()?, Step::Record(_)) {
                return Err(changed());
            }
        }
        self.keep(u64::MAX, out)
    }

    /// Copies compressed bytes up to a position.
    fn keep(&mut self, end: u64, out: &mut dyn Output) -> io::Result<()> {
        let mut buffer = vec![0; 64 << 10];
        while self.at < end {
            let room = (end - self.at).min(buffer.len() as u64) as usize;
            let got = fill(&mut self.raw, &mut buffer[..room])?;
            if got == 0 {
                return if end == u64::MAX {
                    Ok(())
                } else {
                    Err(changed())
                };
            }
            out.keep(self.at, &buffer[..got])?;
            self.at += got as u64;
        }
        Ok(())
    }

    /// Passes over compressed bytes up to a position.
    fn skip(&mut self, end: u64) -> io::Result<()> {
        let len = end - self.at;
        if io::copy(&mut (&mut self.raw).take(len), &mut io::sink())? < len {
            return Err(changed());
        }
        self.at = end;
        Ok(())
    }

    /// Goes forward in the decompressed file, past a record that does not stay.
    fn share(&mut self, to: u64) -> io::Result<()> {
        if self.shared.is_none() {
            self.shared = Some(Shared {
                bytes: Members::new(self.codec, (self.open)()?)?,
                at: 0,
                bounds: Reader::new(Members::new(self.codec, (self.open)()?)?),
            });
        }
        match &mut self.shared {
            Some(shared) => shared.copy(to, &mut io::sink()),
            None => Ok(()),
        }
    }

    /// Writes the records of the decompressed file up to a position, each as a member of its own.
    fn share_records(&mut self, end: u64, out: &mut dyn Output) -> io::Result<()> {
        let Some(mut shared) = self.shared.take() else {
            return Ok(());
        };
        while shared.bounds.position() < end {
            let to = shared.next_end()?;
            if to > shared.at {
                let mut member = self.begin_member(out)?;
                shared.copy(to, &mut member)?;
                member.finish()?;
            }
        }
        self.shared = Some(shared);
        Ok(())
    }

    fn begin_member<'o>(&self, out: &'o mut dyn Output) -> io::Result<Member<'o>> {
        Ok(match &self.parameters {
            Some(parameters) => Member::Compressed(Box::new(Encoder::new(parameters, out)?)),
            None => Member::Plain(out),
        })
    }
}

impl Shared<'_> {
    /// Copies the bytes up to a position.
    fn copy(&mut self, to: u64, out: &mut dyn Write) -> io::Result<()> {
        let len = to - self.at;
        self.at = to;
        if io::copy(&mut (&mut self.bytes).take(len), out)? < len {
            return Err(changed());
        }
        Ok(())
    }

    /// The end of the next record.
    fn next_end(&mut self) -> io::Result<u64> {
        let Step::Record(_) = self.bounds.step()? else {
            return Err(changed());
        };
        self.bounds.end_record()?.map_err(|_| changed())?;
        Ok(self.bounds.position())
    }
}

/// A member that is written.
enum Member<'m> {
    Plain(&'m mut dyn Output),
    Compressed(Box<Encoder<&'m mut dyn Output>>),
}

impl Member<'_> {
    fn finish(self) -> io::Result<()> {
        match self {
            Member::Plain(_) => Ok(()),
            Member::Compressed(encoder) => encoder.finish().map(drop),
        }
    }
}

impl Write for Member<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Member::Plain(out) => out.write(bytes),
            Member::Compressed(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn changed() -> io::Error {
    invalid("expected the records of the WARC file as they were read before")
}
