//! Goes through an archive of the web: WARC or ARC.

use super::budget::{Budget, Limited};
use super::input::{Held, Input, Recipe};
use super::names::Spot;
use super::stretch::Stretch;
use super::visit::{NewFile, Outcome, Visit};
use crate::archived::Archived;
use crate::new_entry::{NewEntry, Spool};
use crate::remedy::Remedy;
use crate::source::Content;
use crate::walk::SkipReason;
use linkglot::link::UnreadReason;
use linkglot_archive::Output;
use linkglot_archive::warc::{
    Block, Change, Editor, Fault, Header, NewRecord, Part, Payload, Proof, Reader, Record,
    RecordKind, Step, Writer, next_member,
};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::sync::Arc;

/// Fields of HTTP with a digest or a signature of the content (RFC 1864, RFC 9530, RFC 9421).
const DIGESTS: [&str; 6] = [
    "Content-MD5",
    "Digest",
    "Content-Digest",
    "Repr-Digest",
    "Signature",
    "Signature-Input",
];

/// Fields of HTTP with links.
const LINKS: [&str; 5] = ["Location", "Content-Location", "Link", "Refresh", "Referer"];

/// The most ways to refer to payloads that are kept for revisits.
const MOST_REFERENCES: usize = 200_000;

/// The name of the header of HTTP in a record.
const HEADER: &str = "header";

const BUFFER: usize = 16 << 10;

/// Length of the buffer for a file.
const FILE_BUFFER: usize = 64 << 10;

/// The new parts of a record.
#[derive(Default)]
struct NewParts {
    header: Option<NewEntry>,
    content: Option<(Spool, Outcome)>,
}

/// The fate of a payload.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Fate {
    Kept,
    New(Arc<Payload>),
    /// Several payloads that are referred to alike became different ones.
    Uncertain,
}

/// The fates of the payloads of a file, by each way in which a revisit refers to one: by the digest, and by the
/// identifier, the URI and the date, or the URI, if it names them.
#[derive(Default)]
struct Payloads(HashMap<[u8; 16], Fate>);

impl Payloads {
    /// Remembers what became of the payload of a record. A revisit has none of its own.
    fn remember(&mut self, old: &Record, new: Option<&NewRecord>) {
        let is_own = old.kind != RecordKind::Revisit;
        let Some(digest) = old.payload_digest().filter(|_| is_own) else {
            return;
        };
        let new = new.and_then(NewRecord::payload);
        let fate = match new.filter(|new| new.digest != digest) {
            Some(new) => Fate::New(Arc::new(new)),
            None => Fate::Kept,
        };
        let [id, target, date] = [old.id(), old.target(), old.date()];
        for reference in [
            [id, None, None],
            [None, target, date],
            [None, target, None],
            [None; 3],
        ] {
            let is_full = self.0.len() >= MOST_REFERENCES;
            match self.0.entry(key(digest, reference)) {
                Entry::Occupied(mut known) if *known.get() != fate => {
                    known.insert(Fate::Uncertain);
                }
                Entry::Vacant(free) if !is_full => {
                    free.insert(fate.clone());
                }
                _ => {}
            }
        }
    }

    /// The fate of the payload of a revisit. `None` if that is not known; a record without a digest refers to none.
    fn revisited(&self, record: &Record) -> Option<Fate> {
        let digest = record.payload_digest();
        let Some(digest) = digest.filter(|_| record.kind == RecordKind::Revisit) else {
            return Some(Fate::Kept);
        };
        let reference = match record.referred() {
            [Some(id), ..] => [Some(id), None, None],
            [None, Some(target), date] => [None, Some(target), date],
            [None, None, _] => [None; 3],
        };
        self.0.get(&key(digest, reference)).cloned()
    }
}

fn key(digest: &[u8], reference: [Option<&[u8]>; 3]) -> [u8; 16] {
    let mut hasher = blake3::Hasher::new();
    for part in [Some(digest)].into_iter().chain(reference) {
        let len = part.map_or(u64::MAX, |part| part.len() as u64);
        hasher.update(&len.to_le_bytes());
        hasher.update(part.unwrap_or_default());
    }
    let mut key = [0; 16];
    key.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    key
}

/// True for an error of one member of a compressed file: it is damaged, or expands too much.
pub(super) fn is_of_member(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidData, Other, UnexpectedEof};
    matches!(error.kind(), InvalidData | Other | UnexpectedEof)
}

/// True if fields of HTTP hold a digest or a signature of the content.
fn is_signed(http: &Header) -> bool {
    DIGESTS.iter().any(|name| http.get(name).is_some())
}

/// True if the content is a form: its escapes are no text, and where a link in a value ends is not known.
fn is_form(http: &Header) -> bool {
    http.values("Content-Type").any(|value| {
        let essence = value.split(|&byte| byte == b';').next().unwrap_or_default();
        essence
            .trim_ascii()
            .eq_ignore_ascii_case(b"application/x-www-form-urlencoded")
    })
}

fn reason(fault: Fault) -> UnreadReason {
    match fault {
        Fault::Arc => UnreadReason::Arc,
        Fault::Part => UnreadReason::RecordPart,
        Fault::Length => UnreadReason::RecordLength,
        Fault::Digest => UnreadReason::RecordDigest,
        Fault::Content => UnreadReason::RecordContent,
    }
}

impl Visit<'_> {
    /// Visits the records that a reader has. Records are read as they come.
    pub(super) fn read_records(
        &mut self,
        place: &Spot,
        reader: Box<dyn BufRead + '_>,
    ) -> io::Result<Outcome> {
        let mut reader = Reader::new(reader);
        let mut is_sound = true;
        while let Some(record) = self.next_record(place, &mut reader, &mut is_sound)? {
            self.visitor.record(&record);
            if let Some(spot) = self.chosen(place, &record, &|| 0) {
                let block = Box::new(&mut reader);
                let visited = self.record(&spot, &record, block, &mut None);
                self.told(&spot, visited)?;
            }
        }
        Ok(Outcome::Unchanged)
    }

    /// Visits the records of a stretch of a file. Behind a member of gzip that is damaged, or expands too much, reading
    /// goes on at the next one that begins with a record. Returns the length of the decompressed data.
    pub(super) fn read_stretch(
        &mut self,
        place: &Spot,
        recipe: &Recipe<'_>,
        stretch: &Stretch<'_>,
    ) -> io::Result<u64> {
        let (mut start, mut len) = (stretch.start, 0);
        loop {
            let mut file = recipe.seekable().ok_or(io::ErrorKind::Unsupported)?;
            file.seek(SeekFrom::Start(start))?;
            let origin = stretch.origin(len);
            let file = BufReader::with_capacity(FILE_BUFFER, file);
            let limits = self.limits;
            let mut part = Part::new(stretch.codec, file, (start.., stretch.end))?
                .beginning_at(origin.clone())
                .limited(move |compressed, len| limits.check(compressed, len));
            let read = self.read_part(place, &mut part, (stretch, &origin));
            len += part.position();
            let Err(failure) = read else {
                return Ok(len);
            };
            if stretch.codec.is_none() || !is_of_member(&failure) {
                return Err(failure);
            }
            let from = part.member() + 1;
            drop(part);
            let mut file = recipe.seekable().ok_or(io::ErrorKind::Unsupported)?;
            let Some(next) = next_member(&mut file, from..u64::MAX, Proof::Member)? else {
                return Err(failure);
            };
            self.visitor.failed(&place.path, failure.into());
            if stretch.end == Some(next) {
                return Ok(len);
            }
            if stretch.end.is_some_and(|end| next > end) {
                (stretch.passed)();
            }
            start = next;
        }
    }

    fn read_part<R: BufRead>(
        &mut self,
        place: &Spot,
        part: &mut Part<R>,
        (stretch, origin): (&Stretch<'_>, &dyn Fn() -> u64),
    ) -> io::Result<()> {
        while !self.visitor.is_stopped() {
            let step = part.step();
            if part.has_passed_end() {
                (stretch.passed)();
                if self.visitor.is_stopped() {
                    break;
                }
            }
            let record = match step? {
                Step::Record(record) => record,
                Step::End => break,
                Step::Damaged(error) => {
                    self.visitor.failed(&place.path, error.into());
                    continue;
                }
            };
            self.visitor.record(&record);
            let Some(spot) = self.chosen(place, &record, origin) else {
                continue;
            };
            // If the member is damaged, the next step fails, too.
            if let Err(error) = self.record(&spot, &record, Box::new(&mut *part), &mut None) {
                self.visitor.failed(&spot.path, error.into());
            }
        }
        Ok(())
    }

    /// Visits the records of an input, for a run that rewrites: those that cannot be written anew are passed over. The
    /// new file is written, if there is one, and if a record changes. A damaged file does not change, and is not
    /// visited if that is known at the begin.
    pub(super) fn rewrite_records(
        &mut self,
        place: &Spot,
        input: Input<'_>,
        mut new: Option<NewFile<'_>>,
    ) -> io::Result<Outcome> {
        if new.is_some() && self.in_place {
            let message = "expected a file that can be replaced, found a WARC or ARC file";
            return Err(io::Error::other(Remedy::OtherPlace.for_error(message)));
        }
        let reader = match input {
            Input::Once(reader) => reader,
            Input::Again(recipe) => {
                let budget = place.budget.as_ref().map(Budget::again);
                if !self.are_sound(place, recipe.open(budget.as_ref())?)? {
                    return Ok(Outcome::Damaged);
                }
                recipe.open(place.budget.as_ref())?
            }
        };
        let old = new.as_ref().map(|new| (new.codec, new.old));
        let open = || match old {
            Some((_, old)) => old.open(None),
            None => Err(io::ErrorKind::Unsupported.into()),
        };
        let mut reader = Reader::new(reader);
        let mut writer = None;
        let mut payloads = Payloads::default();
        let mut is_sound = true;
        while let Some(record) = self.next_record(place, &mut reader, &mut is_sound)? {
            let Some(spot) = self.chosen(place, &record, &|| 0) else {
                payloads.remember(&record, None);
                continue;
            };
            let held = Held::read(&mut reader)?;
            let known = new.is_some().then_some(&payloads);
            let changed = self.changed(&spot, &record, &held, known)?;
            payloads.remember(&record, changed.as_ref());
            if let (Some(mut changed), Some(new)) = (changed, &mut new) {
                if writer.is_none() {
                    writer = Some(Writer::new(new.codec, &open)?);
                }
                if let Some(writer) = &mut writer {
                    writer.replace(record.start, &mut changed, new.out)?;
                }
            }
        }
        match (writer, new) {
            _ if !is_sound => Ok(Outcome::Damaged),
            (Some(writer), Some(new)) => {
                writer.finish(new.out)?;
                Ok(Outcome::Changed)
            }
            _ => Ok(Outcome::Unchanged),
        }
    }

    /// True if all records of a reader are sound. The visitor hears of the others.
    fn are_sound(&mut self, place: &Spot, reader: Box<dyn BufRead + '_>) -> io::Result<bool> {
        let mut reader = Reader::new(reader);
        let mut is_sound = true;
        while self
            .next_record(place, &mut reader, &mut is_sound)?
            .is_some()
        {}
        Ok(is_sound)
    }

    /// Visits a record of a run that rewrites. Returns the new record, if it changes.
    fn changed(
        &mut self,
        spot: &Spot,
        record: &Record,
        held: &Held,
        payloads: Option<&Payloads>,
    ) -> io::Result<Option<NewRecord>> {
        let recipe = held.recipe();
        let open = || recipe.open(None);
        let editor = match Editor::new(record, &open, self.most(record))? {
            Ok(editor) => editor,
            Err(fault) => {
                self.visitor.unread(&spot.path, reason(fault));
                return Ok(None);
            }
        };
        let mut parts = payloads.is_some().then(NewParts::default);
        let visited = self.record(spot, record, open()?, &mut parts);
        if !self.told(spot, visited)? {
            return Ok(None);
        }
        let NewParts { header, content } = parts.unwrap_or_default();
        let mut change = Change::default();
        let mut header = header.filter(|header| header.is_changed);
        if let Some(header) = &mut header {
            let mut bytes = Vec::new();
            header.content.content()?.0.read_to_end(&mut bytes)?;
            change.http = Some(bytes);
        }
        let mut content = content.filter(|(_, outcome)| *outcome == Outcome::Changed);
        if let Some((content, _)) = &mut content {
            change.content = Some(content.content()?.0);
        }
        let Some(payloads) = payloads else {
            return Ok(None);
        };
        let is_unsigned = !editor.http().is_some_and(is_signed);
        let revisited = match payloads.revisited(record) {
            Some(Fate::Kept) => None,
            Some(Fate::New(new)) if is_unsigned && editor.can_revisit(&new) => Some(new),
            _ => {
                self.visitor.unread(&spot.path, UnreadReason::Revisit);
                None
            }
        };
        change.revisited = revisited.as_deref();
        if change.http.is_none() && change.content.is_none() && revisited.is_none() {
            return Ok(None);
        }
        editor.rewritten(change).map(Some)
    }

    /// The most bytes that the content of a record may expand to.
    fn most(&self, record: &Record) -> u64 {
        Budget::most(record.length, self.limits)
    }

    /// Tells of a record that could not be read, unless nothing more can. True if it was read.
    fn told(&mut self, spot: &Spot, visited: io::Result<()>) -> io::Result<bool> {
        match visited {
            Ok(()) => Ok(true),
            Err(error) if spot.is_spent() => Err(error),
            // If the file itself is damaged, the next record fails too.
            Err(error) => {
                self.visitor.failed(&spot.path, error.into());
                Ok(false)
            }
        }
    }

    /// Goes to the next record, past damaged ones, of which the visitor hears.
    fn next_record(
        &mut self,
        place: &Spot,
        reader: &mut Reader<Box<dyn BufRead + '_>>,
        is_sound: &mut bool,
    ) -> io::Result<Option<Record>> {
        loop {
            if self.visitor.is_stopped() {
                *is_sound = false;
                return Ok(None);
            }
            match reader.step()? {
                Step::Record(record) => return Ok(Some(record)),
                Step::End => return Ok(None),
                Step::Damaged(error) => {
                    *is_sound = false;
                    self.visitor.failed(&place.path, error.into());
                }
            }
        }
    }

    /// The place of a record, if it is chosen. Data about the file itself and names of hosts are not; requests may be.
    /// `origin` tells from where on positions of records count.
    fn chosen(&mut self, place: &Spot, record: &Record, origin: &dyn Fn() -> u64) -> Option<Spot> {
        let is_name = |target: &[u8]| target.starts_with(b"dns:") || target.starts_with(b"whois:");
        match record.kind {
            RecordKind::Other => return None,
            RecordKind::Request if !self.reads_requests => return None,
            _ if record.target().is_some_and(is_name) => return None,
            _ => {}
        }
        let archived = Archived::of(record);
        let id = archived.record.clone();
        let id = id.unwrap_or_else(|| (origin() + record.start).to_string());
        let mut spot = place.entry(id.as_ref());
        let names_content = record.kind != RecordKind::Request;
        if let Some(target) = archived.target.as_ref().filter(|_| names_content) {
            // The format is known by the name in the path of the URI.
            let end = target.find(['?', '#']).unwrap_or(target.len());
            spot.name = place.entry(target[..end].as_ref()).path;
        }
        spot.archived = Some(Arc::new(archived));
        if !self.wants(&spot, false) {
            return None;
        }
        if record.kind == RecordKind::Continuation {
            self.visitor.unread(&spot.path, UnreadReason::RecordPart);
            return None;
        }
        Some(spot)
    }

    /// Visits a record: its header of HTTP, and its content.
    fn record(
        &mut self,
        spot: &Spot,
        record: &Record,
        block: Box<dyn BufRead + '_>,
        parts: &mut Option<NewParts>,
    ) -> io::Result<()> {
        let Some(archived) = spot.archived.clone() else {
            return Ok(());
        };
        let Block { http, content, .. } = Block::open(record, block)?;
        let mut spot = spot.clone();
        if let Some(http) = &http {
            let has_links = LINKS.iter().any(|name| http.get(name).is_some());
            spot.is_signed |= is_signed(http);
            if has_links {
                let mut place = spot.entry(HEADER.as_ref());
                place.archived = Some(Arc::new(archived.header()));
                let new = parts
                    .as_mut()
                    .map(|parts| parts.header.insert(NewEntry::new()));
                let header = Content::Whole(http.bytes().into());
                self.visitor.document(&place, header, new, None);
            }
        }
        let Some(content) = content else {
            self.visitor.unread(&spot.path, UnreadReason::Encoding);
            return Ok(());
        };
        // One record must not use up what others may need.
        spot.budget = Some(Budget::of(record.length, self.limits));
        let content = Limited::new(content, spot.budget.as_ref());
        let mut content = BufReader::with_capacity(BUFFER, content);
        if content.fill_buf()?.is_empty() {
            return Ok(());
        }
        if http.as_ref().is_some_and(is_form) {
            self.visitor.unread(&spot.path, UnreadReason::Encoding);
            return Ok(());
        }
        let Some(said) = archived.content(record, http.as_ref()) else {
            self.visitor.skipped(&spot.path, SkipReason::Binary);
            return Ok(());
        };
        let overrides = self.overrides;
        self.overrides.format = overrides.format.or(said.format());
        spot.archived = Some(Arc::new(said));
        let mut new = parts.is_some().then(Spool::new);
        let out = new.as_mut().map(|new| new as &mut dyn Output);
        let visited = self.item(&spot, Input::Once(Box::new(content)), out);
        self.overrides = overrides;
        if let (Some(parts), Some(new)) = (parts, new) {
            parts.content = Some((new, visited?));
            return Ok(());
        }
        visited.map(drop)
    }
}
