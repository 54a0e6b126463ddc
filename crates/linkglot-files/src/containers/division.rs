//! Divides a long container into pieces that several threads read: entries of a zip archive, or records of an archive
//! of the web, plain or compressed record by record.
//!
//! The pieces give the same as the whole. Whether a piece ended at the border that was taken for its end is known when
//! it was read. If not, it goes on to the end of the file, and the pieces behind it are void.

use super::budget::Limits;
use super::input::Recipe;
use super::names::Spot;
use super::package::Package;
use super::stretch::Stretch;
use super::visit::Visit;
use crate::container_kind::kind_of_file;
use crate::container_name::{ARC, has_container_name, has_extension, inner_name};
use crate::entry::FileEntry;
use crate::parallel::{Turn, Turns, lock};
use crate::positioned::Positioned;
use crate::source::Source;
use linkglot_archive::warc::{self, Proof, next_member, next_record};
use linkglot_archive::zip::Archive;
use linkglot_archive::{Codec, Decoder, HEAD, Kind};
use std::io::{self, BufReader, Empty, Read};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// The length of a piece in the file. The output of a piece waits in memory.
const PIECE: u64 = 512 << 10;

/// The most entries of a piece.
const MOST_ENTRIES: usize = 64;

/// Shorter files are not divided: other files keep the threads busy.
const SHORTEST: u64 = 2 * PIECE;

/// The first border is searched no farther: a file that was compressed as a whole has none.
const FIRST: u64 = 16 * PIECE;

/// A file that is read in pieces.
pub struct Divided {
    pub entry: FileEntry,
    pub source: Source,
    content: Content,
    chain: Chain,
}

enum Content {
    Zip(Archive<Empty>, Package),
    /// Records, in gzip or plain.
    Records(Option<Codec>),
}

/// The state of the pieces of a file.
#[derive(Default)]
struct Chain {
    /// The number of the first void piece, less one; without one, the greatest number.
    last: Last,
    /// Lengths of the decompressed data of pieces, once they are known.
    lens: Mutex<Vec<Option<u64>>>,
    changed: Condvar,
}

struct Last(AtomicUsize);

impl Default for Last {
    fn default() -> Self {
        Last(AtomicUsize::new(usize::MAX))
    }
}

impl Chain {
    fn set_len(&self, number: usize, len: u64) {
        let mut lens = lock(&self.lens);
        if lens.len() <= number {
            lens.resize(number + 1, None);
        }
        lens[number].get_or_insert(len);
        self.changed.notify_all();
    }

    /// The length of all pieces in front of one: waits until these were read.
    fn in_front(&self, number: usize) -> u64 {
        let mut lens = lock(&self.lens);
        loop {
            let known = lens.iter().take(number).copied();
            let sum: Option<u64> = known.sum();
            match sum.filter(|_| lens.len() >= number) {
                Some(sum) => return sum,
                None => {
                    let waited = self.changed.wait(lens);
                    lens = waited.unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }
}

impl Divided {
    /// Makes all pieces behind one void.
    pub fn end_with(&self, number: usize) {
        self.chain.last.0.fetch_min(number, Ordering::Relaxed);
    }

    /// True if a piece is void: its events do not count. Certain once the pieces in front of it were read.
    pub fn is_void(&self, number: usize) -> bool {
        number > self.chain.last.0.load(Ordering::Relaxed)
    }
}

/// The pieces of a file, in their order.
pub struct Division {
    file: Arc<Divided>,
    /// The number and the begin of the next piece; `None` behind the last one.
    next: Option<(usize, u64)>,
    turns: Arc<Turns>,
}

/// A piece of a file.
pub struct Piece {
    pub file: Arc<Divided>,
    pub number: usize,
    /// Numbers of entries, or bytes of the file.
    extent: Range<u64>,
    is_last: bool,
    /// Returned when the last event of the piece was received.
    pub turn: Option<Turn>,
}

impl Division {
    /// Divides a file of a walk. `None` for a file that is read as a whole; why it cannot be read shows then.
    pub fn of(entry: &FileEntry, limits: Limits, turns: &Arc<Turns>) -> Option<Self> {
        if !has_container_name(&entry.path) || entry.is_other_name() {
            return None;
        }
        // A pipe is opened once, by its reader: its writer writes to the first that opens it.
        if !entry
            .path
            .metadata()
            .is_ok_and(|metadata| metadata.is_file())
        {
            return None;
        }
        let source = Source::open_entry(entry).ok()?;
        let len = source.metadata().len();
        if !source.is_regular() || len < SHORTEST {
            return None;
        }
        let content = content(&source, limits).ok()??;
        let file = Arc::new(Divided {
            entry: entry.clone(),
            source,
            content,
            chain: Chain::default(),
        });
        Some(Division {
            file,
            next: Some((0, 0)),
            turns: Arc::clone(turns),
        })
    }

    /// The begin of the piece behind one that begins at a place.
    fn border(&self, at: u64) -> Option<u64> {
        let file = self.file.source.file();
        match &self.file.content {
            Content::Zip(archive, _) => {
                let first = usize::try_from(at).ok()?;
                let most = archive.len().min(first + MOST_ENTRIES);
                let end = archive.position(first) + PIECE;
                let next = (first + 1..most).find(|&next| archive.position(next) >= end);
                let next = next.unwrap_or(most);
                (next < archive.len()).then_some(next as u64)
            }
            Content::Records(Some(_)) => {
                let mut file = Positioned::new(file);
                next_member(&mut file, at + PIECE..u64::MAX, Proof::Member).ok()?
            }
            Content::Records(None) => {
                next_record(&mut Positioned::new(file), at, at + PIECE).ok()?
            }
        }
    }
}

impl Iterator for Division {
    type Item = Piece;

    /// The next piece. Waits while too many pieces are in work, or their events wait to be received.
    fn next(&mut self) -> Option<Piece> {
        let (number, start) = self.next.take()?;
        if self.file.is_void(number) {
            return None;
        }
        let turn = self.turns.take();
        let end = self.border(start);
        self.next = end.map(|end| (number + 1, end));
        let last = match &self.file.content {
            Content::Zip(archive, _) => archive.len() as u64,
            Content::Records(_) => u64::MAX,
        };
        Some(Piece {
            file: Arc::clone(&self.file),
            number,
            extent: start..end.unwrap_or(last),
            is_last: end.is_none(),
            turn: Some(turn),
        })
    }
}

impl Piece {
    /// Visits the documents of the piece.
    ///
    /// # Errors
    ///
    /// When the file cannot be read on. The pieces behind are void then.
    pub fn visit(&self, visit: &mut Visit<'_>) -> io::Result<()> {
        let visited = match &self.file.content {
            Content::Zip(archive, package) => {
                let mut archive = archive.with(Positioned::new(self.file.source.file()));
                let numbers = self.extent.start as usize..self.extent.end as usize;
                let place = Spot::file(self.file.source.path());
                let archive = (&mut archive, package);
                visit.zip_entries(&place, archive, numbers, None).map(|_| 0)
            }
            Content::Records(codec) => self.visit_records(visit, *codec),
        };
        if visited.is_err() {
            self.file.end_with(self.number);
        }
        visited.map(|len| self.file.chain.set_len(self.number, len))
    }

    fn visit_records(&self, visit: &mut Visit<'_>, codec: Option<Codec>) -> io::Result<u64> {
        let mut place = Spot::file(self.file.source.path());
        if codec.is_some() {
            place = place.decompressed();
        }
        let (file, number) = (Arc::clone(&self.file), self.number);
        let stretch = Stretch {
            codec,
            start: self.extent.start,
            end: (!self.is_last).then_some(self.extent.end),
            in_front: Arc::new(move || file.chain.in_front(number)),
            passed: &|| self.file.end_with(number),
        };
        visit.read_stretch(&place, &Recipe::File(self.file.source.file()), &stretch)
    }
}

impl Drop for Piece {
    /// Nobody waits for the length of a piece, even after a panic.
    fn drop(&mut self) {
        self.file.chain.set_len(self.number, 0);
    }
}

/// The content of a file that can be divided.
fn content(source: &Source, limits: Limits) -> io::Result<Option<Content>> {
    let file = source.file();
    let kind = kind_of_file(source)?;
    let is_arc = has_extension(&inner_name(source.path()), ARC);
    match kind {
        Some(Kind::Zip) if limits.depth > 0 => {
            let mut archive = Archive::open(Positioned::new(file))?;
            let package = Package::read(&mut archive)?;
            let is_divided = archive.len() > 1;
            Ok(is_divided.then(|| Content::Zip(archive.with(io::empty()), package)))
        }
        Some(Kind::Warc) if limits.depth > 0 && !is_arc => Ok(Some(Content::Records(None))),
        Some(Kind::Compressed(codec @ Codec::Gzip)) if limits.depth > 1 && !is_arc => {
            let mut head = Vec::new();
            let reader = BufReader::new(Positioned::new(file));
            let decoder = Decoder::new(codec, reader)?;
            decoder.take(HEAD as u64).read_to_end(&mut head)?;
            if !warc::is_begin(&head) {
                return Ok(None);
            }
            let first = next_member(&mut Positioned::new(file), 1..FIRST, Proof::Member)?;
            Ok(first.map(|_| Content::Records(Some(codec))))
        }
        _ => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walk::{Entry, Root, Selection, Walk};
    use std::path::Path;

    fn division(path: &Path) -> Option<Division> {
        let mut walk = Walk::new(vec![Root::Path(path.to_owned())], Selection::default()).unwrap();
        let Some(Entry::File(file)) = walk.next() else {
            panic!("a file");
        };
        Division::of(&file, Limits::default(), &Turns::new(1))
    }

    #[test]
    fn pieces_begin_with_records() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("a.warc");
        let block = "x".repeat(40_000);
        let header = format!(
            "WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: {}\r\n\r\n",
            block.len()
        );
        let record = format!("{header}{block}\r\n\r\n");
        std::fs::write(&path, record.repeat(50)).unwrap();
        let mut end = 0;
        let mut count = 0;
        for piece in division(&path).unwrap() {
            assert_eq!((piece.number, piece.extent.start), (count, end));
            assert_eq!(end % record.len() as u64, 0);
            assert!(piece.is_last || piece.extent.end - end >= PIECE);
            end = piece.extent.end;
            count += 1;
        }
        assert_eq!((count, end), (4, u64::MAX));
        // A damaged record ends the division, and short files are not divided.
        std::fs::write(
            &path,
            [&record.repeat(20), "x", &record.repeat(30)].concat(),
        )
        .unwrap();
        assert_eq!(division(&path).unwrap().count(), 2);
        std::fs::write(&path, record.repeat(20)).unwrap();
        assert!(division(&path).is_none());
    }

    #[test]
    fn pieces_behind_a_wrong_end_are_void() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("a.warc");
        let record = format!(
            "WARC/1.0\r\nContent-Length: {}\r\n\r\n{}\r\n\r\n",
            1 << 20,
            "x".repeat(1 << 20)
        );
        std::fs::write(&path, record.repeat(4)).unwrap();
        let mut division = division(&path).unwrap();
        let first = division.next().unwrap();
        first.file.chain.set_len(0, 7);
        assert_eq!(first.file.chain.in_front(1), 7);
        first.file.end_with(1);
        assert!(!first.file.is_void(1) && first.file.is_void(2));
        drop(first);
        assert!(division.next().is_some());
        assert!(division.next().is_none());
    }
}
