//! gzip (RFC 1952): members, one behind another.

use super::bytes::number;
use super::invalid;
use flate2::{Crc, Decompress, FlushDecompress, Status};
use std::io::{self, BufRead, Read};

/// The longest header that is accepted.
const MOST_HEADER: usize = 1 << 17;

/// Bits of the flags (2.3.1).
const HEADER_CRC: u8 = 2;
const EXTRA: u8 = 4;
const NAME: u8 = 8;
const COMMENT: u8 = 16;

/// The state between and within members.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Begin,
    Body,
    /// Behind the compressed data of a member.
    Trailer,
    /// Behind a member.
    Between,
    /// Within damaged data, or behind data whose sum does not match.
    Damaged,
    End,
}

/// Decompresses all members.
pub(crate) struct GzipReader<R> {
    inner: R,
    state: State,
    inflate: Decompress,
    crc: Crc,
    /// The error of damaged data.
    damage: String,
}

impl<R: BufRead> GzipReader<R> {
    pub fn new(inner: R) -> Self {
        GzipReader {
            inner,
            state: State::Begin,
            inflate: Decompress::new(false),
            crc: Crc::new(),
            damage: String::new(),
        }
    }

    /// Reads the present member alone. Zero at its end, and between members.
    pub fn read_member(&mut self, room: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.state {
                State::Body => {
                    let len = self.inflate(room)?;
                    if len > 0 {
                        return Ok(len);
                    }
                }
                State::Trailer => self.end_member()?,
                State::Damaged => return Err(invalid(self.damage.clone())),
                State::Begin | State::Between | State::End => return Ok(0),
            }
        }
    }

    /// Goes to the next member, if the present one has ended. False at the end of the data.
    pub fn next_member(&mut self) -> io::Result<bool> {
        match self.state {
            State::Begin => self.begin_member()?,
            State::Between => self.between()?,
            State::Damaged => return Err(invalid(self.damage.clone())),
            State::Body | State::Trailer | State::End => {}
        }
        Ok(self.state != State::End)
    }

    fn begin_member(&mut self) -> io::Result<()> {
        read_header(&mut self.inner)?;
        self.inflate.reset(false);
        self.crc.reset();
        self.state = State::Body;
        Ok(())
    }

    /// Begins another member, or finds the end, in front of which zeros may stand.
    fn between(&mut self) -> io::Result<()> {
        match self.inner.fill_buf()?.first() {
            None => self.state = State::End,
            Some(0x1F) => self.begin_member()?,
            Some(0) => {
                skip_zeros(&mut self.inner)?;
                self.state = State::End;
            }
            Some(_) => return Err(garbage()),
        }
        Ok(())
    }

    fn inflate(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let input = self.inner.fill_buf()?;
        if input.is_empty() {
            return Err(cut_off());
        }
        let (read, written) = (self.inflate.total_in(), self.inflate.total_out());
        let status = self.inflate.decompress(input, room, FlushDecompress::None);
        let read = (self.inflate.total_in() - read) as usize;
        let written = (self.inflate.total_out() - written) as usize;
        self.inner.consume(read);
        self.crc.update(&room[..written]);
        // The bytes in front of an error come first.
        match status {
            Ok(Status::StreamEnd) => self.state = State::Trailer,
            Ok(_) if read > 0 || written > 0 => {}
            Ok(_) => return Err(self.damaged("damaged gzip data".to_owned())),
            Err(error) => {
                let error = self.damaged(format!("damaged gzip data: {error}"));
                return if written > 0 { Ok(written) } else { Err(error) };
            }
        }
        Ok(written)
    }

    /// Ends reading with an error, now and from now on.
    fn damaged(&mut self, damage: String) -> io::Error {
        self.state = State::Damaged;
        self.damage.clone_from(&damage);
        invalid(damage)
    }

    fn end_member(&mut self) -> io::Result<()> {
        let mut trailer = [0; 8];
        self.inner.read_exact(&mut trailer).map_err(|_| cut_off())?;
        let length = number(&trailer, 4, 4);
        if number(&trailer, 0, 4) != u64::from(self.crc.sum())
            || length != self.inflate.total_out() & 0xFFFF_FFFF
        {
            return Err(self.damaged("the checksum of the gzip data does not match".to_owned()));
        }
        self.state = State::Between;
        Ok(())
    }
}

impl<R: BufRead> Read for GzipReader<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        if room.is_empty() {
            return Ok(0);
        }
        loop {
            match self.state {
                State::Begin => self.begin_member()?,
                State::Between => self.between()?,
                State::End => return Ok(0),
                State::Body | State::Trailer | State::Damaged => {
                    let len = self.read_member(room)?;
                    if len > 0 {
                        return Ok(len);
                    }
                }
            }
        }
    }
}

fn skip_zeros(reader: &mut impl BufRead) -> io::Result<()> {
    loop {
        let bytes = reader.fill_buf()?;
        if bytes.is_empty() {
            return Ok(());
        }
        if bytes.iter().any(|&byte| byte != 0) {
            return Err(garbage());
        }
        let len = bytes.len();
        reader.consume(len);
    }
}

fn garbage() -> io::Error {
    invalid("expected the end of the gzip data, found other bytes behind it")
}

fn cut_off() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "the gzip data is cut off")
}

/// Reads the header of a member, and returns its bytes.
///
/// # Errors
///
/// When there is no header of gzip, or the reader fails.
pub(crate) fn read_header(reader: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut header = Vec::new();
    push(reader, &mut header, 10)?;
    if header[..3] != [0x1F, 0x8B, 8] || header[3] & 0xE0 != 0 {
        return Err(invalid("expected the header of gzip data"));
    }
    let flags = header[3];
    if flags & EXTRA != 0 {
        push(reader, &mut header, 2)?;
        let len = number(&header, 10, 2);
        push(reader, &mut header, len)?;
    }
    for _ in 0..u32::from(flags & NAME != 0) + u32::from(flags & COMMENT != 0) {
        let begin = header.len();
        let most = (MOST_HEADER - begin.min(MOST_HEADER)) as u64;
        reader.take(most).read_until(0, &mut header)?;
        if header[begin..].last() != Some(&0) {
            return Err(invalid("expected the end of a name in the gzip header"));
        }
    }
    if flags & HEADER_CRC != 0 {
        let mut crc = Crc::new();
        crc.update(&header);
        push(reader, &mut header, 2)?;
        if number(&header, header.len() - 2, 2) != u64::from(crc.sum() & 0xFFFF) {
            return Err(invalid("the checksum of the gzip header does not match"));
        }
    }
    Ok(header)
}

/// True if an extra field of a header gives positions in the compressed data: dictzip, BGZF.
pub(crate) fn has_table(header: &[u8]) -> bool {
    if header[3] & EXTRA == 0 {
        return false;
    }
    let end = 12 + number(header, 10, 2) as usize;
    let mut fields = header.get(12..end).unwrap_or_default();
    while let [a, b, rest @ ..] = fields {
        if matches!([*a, *b], [b'R', b'A'] | [b'B', b'C']) {
            return true;
        }
        let len = 2 + number(rest, 0, 2) as usize;
        fields = rest.get(len..).unwrap_or_default();
    }
    false
}

/// The header of a member like one with this header, but without a name, a time and extra fields.
pub(crate) fn plain_header(header: &[u8]) -> Vec<u8> {
    [&[0x1F, 0x8B, 8, 0, 0, 0, 0, 0], &header[8..10]].concat()
}

/// The level of compression that a header tells (XFL).
pub(crate) fn level(header: &[u8]) -> u32 {
    match header[8] {
        2 => 9,
        4 => 1,
        _ => 6,
    }
}

fn push(reader: &mut impl BufRead, header: &mut Vec<u8>, len: u64) -> io::Result<()> {
    let got = reader.take(len).read_to_end(header)?;
    if got as u64 == len {
        Ok(())
    } else {
        Err(cut_off())
    }
}
