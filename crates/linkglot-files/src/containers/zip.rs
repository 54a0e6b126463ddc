//! Goes through a zip archive.

use super::budget::{Budget, Limited};
use super::input::{ENTRY_BUFFER, Input, Recipe};
use super::names::{Spot, of_zip};
use super::package::{Package, columns};
use super::visit::{Out, Outcome, Visit};
use crate::container_name::has_container_name;
use crate::new_entry::Spool;
use linkglot::link::UnreadReason;
use linkglot::rewrite;
use linkglot_archive::Output;
use linkglot_archive::zip::{self, Archive, Method};
use std::cell::Cell;
use std::io::{self, BufReader, Read, Seek};
use std::ops::Range;
use std::sync::Arc;

impl Visit<'_> {
    /// Visits the entries of a zip archive.
    pub(super) fn zip(
        &mut self,
        place: &Spot,
        recipe: &Recipe<'_>,
        out: Out<'_>,
    ) -> io::Result<Outcome> {
        let Some(file) = recipe.seekable() else {
            return Err(io::ErrorKind::Unsupported.into());
        };
        let (mut archive, damage) = match Archive::open(file) {
            Ok(archive) => (archive, None),
            // What is found is told. Nothing of a damaged archive is written.
            Err(damage) if damage.kind() == io::ErrorKind::InvalidData && !self.rewrites => {
                let file = recipe.seekable().ok_or(io::ErrorKind::Unsupported)?;
                (Archive::recover(file)?, Some(damage))
            }
            Err(error) => return Err(error),
        };
        let package = Package::read(&mut archive)?;
        let mut place = place.clone();
        place.columns = if self.rewrites {
            columns(&mut archive)?.into()
        } else {
            Arc::default()
        };
        let all = 0..archive.len();
        let outcome = self.zip_entries(&place, (&mut archive, &package), all, out)?;
        damage.map_or(Ok(outcome), Err)
    }

    /// Visits some entries of a zip archive, by their numbers.
    pub(super) fn zip_entries<R: Read + Seek>(
        &mut self,
        place: &Spot,
        (archive, package): (&mut Archive<R>, &Package),
        numbers: Range<usize>,
        mut out: Out<'_>,
    ) -> io::Result<Outcome> {
        let mut outcome = Outcome::Unchanged;
        let mut writer = zip::Writer::default();
        // Entries that are copied, if anything changes, and were not read to their ends.
        let mut unchecked = Vec::new();
        // A package in a package is stored in the outer one.
        let around = place.resolves_from.clone();
        let around = around.unwrap_or_else(|| Arc::new(place.as_base()));
        for number in numbers {
            if self.visitor.is_stopped() {
                return Ok(Outcome::Damaged);
            }
            let entry = archive.entry(number)?;
            if out.is_some() {
                unchecked.push(number);
            }
            let name = of_zip(&entry.name, entry.is_utf8);
            let mut inside = place.entry(&name);
            inside.is_signed |= package.is_signed;
            inside.package = package.rules(&name);
            let resolves_outside = inside.package == Some(rewrite::Package::OfRelationships);
            inside.resolves_from = resolves_outside.then(|| Arc::clone(&around));
            if package.is_media_type(&entry.name) {
                continue;
            }
            if entry.kind != zip::EntryKind::File
                || !self.wants(&inside, has_container_name(&inside.path))
            {
                continue;
            }
            if let Some(reason) = unread(&entry, package) {
                self.visitor.unread(&inside.path, reason);
                continue;
            }
            let budget = || Budget::of(entry.compressed, self.limits);
            inside.budget.get_or_insert_with(budget);
            let mut new = out.is_some().then(Spool::new);
            let spool = new.as_mut().map(|new| new as &mut dyn Output);
            let (visited, seen) = self.zip_entry(archive, (number, &entry), &inside, spool);
            match visited {
                Err(error) if place.is_spent() => return Err(error),
                Err(error) => self.visitor.failed(&inside.path, error.into()),
                Ok(Outcome::Changed) if outcome != Outcome::Damaged => {
                    if let (Some(out), Some(new)) = (&mut out, &mut new) {
                        let content = new.content()?.0;
                        writer.replace(archive, (number, &entry), content, *out)?;
                        outcome = Outcome::Changed;
                    }
                }
                Ok(_) => {}
            }
            match seen {
                Seen::Damaged => outcome = Outcome::Damaged,
                Seen::Whole => drop(unchecked.pop()),
                Seen::Begin => {}
            }
        }
        if outcome == Outcome::Changed && !self.are_sound_entries(place, archive, &unchecked)? {
            outcome = Outcome::Damaged;
        }
        if let (Some(out), Outcome::Changed) = (out, outcome) {
            writer.finish(archive, out)?;
        }
        Ok(outcome)
    }

    /// True if entries that are copied are sound. Damage is told. Only methods are checked that cost less than writing
    /// the archive anew.
    fn are_sound_entries<R: Read + Seek>(
        &mut self,
        place: &Spot,
        archive: &mut Archive<R>,
        numbers: &[usize],
    ) -> io::Result<bool> {
        let mut are_sound = true;
        for &number in numbers {
            let entry = archive.entry(number)?;
            let is_cheap = matches!(entry.method, Method::Stored | Method::Deflate);
            if entry.is_encrypted || !is_cheap {
                continue;
            }
            let read = archive
                .content(number, &entry)
                .and_then(|mut content| io::copy(&mut content, &mut io::sink()));
            if let Err(error) = read {
                let inside = place.entry(&of_zip(&entry.name, entry.is_utf8));
                self.visitor.failed(&inside.path, error.into());
                are_sound = false;
            }
        }
        Ok(are_sound)
    }

    /// Visits an entry of a zip archive, and tells how much of its own data was read.
    fn zip_entry<R: Read + Seek>(
        &mut self,
        archive: &mut Archive<R>,
        (number, entry): (usize, &zip::Entry),
        inside: &Spot,
        out: Out<'_>,
    ) -> (io::Result<Outcome>, Seen) {
        let content = match archive.content(number, entry) {
            Ok(content) => content,
            Err(error) => return (Err(error), Seen::Damaged),
        };
        let seen = Cell::new(Seen::Begin);
        let content = Watched {
            inner: Limited::new(content, inside.budget.as_ref()),
            seen: &seen,
        };
        let content = BufReader::with_capacity(ENTRY_BUFFER, content);
        let visited = self.item(inside, Input::Once(Box::new(content)), out);
        (visited, seen.get())
    }
}

/// The reason why an entry is not read, although it is sound.
fn unread(entry: &zip::Entry, package: &Package) -> Option<UnreadReason> {
    match entry.method {
        _ if entry.is_encrypted || package.is_encrypted(&entry.name) => {
            Some(UnreadReason::Encrypted)
        }
        Method::Unknown(_) => Some(UnreadReason::Encoding),
        _ => None,
    }
}

/// The data of an entry that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    /// The first bytes, or none.
    Begin,
    /// All, which is sound.
    Whole,
    /// The bytes in front of the damage.
    Damaged,
}

/// A reader that tells how far it was read.
struct Watched<'w, R> {
    inner: R,
    seen: &'w Cell<Seen>,
}

impl<R: Read> Read for Watched<'_, R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(room);
        match read {
            Ok(0) if !room.is_empty() && self.seen.get() == Seen::Begin => {
                self.seen.set(Seen::Whole);
            }
            Ok(_) => {}
            Err(_) => self.seen.set(Seen::Damaged),
        }
        read
    }
}
