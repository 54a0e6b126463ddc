//! Goes through a tar archive.

use super::budget::{Budget, Limited};
use super::input::{ENTRY_BUFFER, Input};
use super::names::{Spot, of_tar};
use super::visit::{Out, Outcome, Visit};
use crate::container_name::has_container_name;
use crate::new_entry::Spool;
use linkglot::link::UnreadReason;
use linkglot_archive::{Output, tar};
use std::io::{self, BufRead, BufReader};

impl Visit<'_> {
    /// Visits the entries of a tar archive.
    pub(super) fn tar(
        &mut self,
        place: &Spot,
        input: Input<'_>,
        mut out: Out<'_>,
    ) -> io::Result<Outcome> {
        let (reader, recipe) = match input {
            Input::Once(reader) => (reader, None),
            Input::Again(recipe) => (recipe.open(place.budget.as_ref())?, Some(recipe)),
        };
        let mut reader = tar::Reader::new(reader);
        let mut writer = None;
        while let Some(entry) = reader.next_entry()? {
            if self.visitor.is_stopped() {
                return Ok(Outcome::Damaged);
            }
            let mut inside = place.entry(&of_tar(&entry.name));
            match entry.kind {
                tar::EntryKind::Sparse if self.rewrites => {
                    self.visitor.unread(&inside.path, UnreadReason::Encoding);
                    continue;
                }
                tar::EntryKind::File | tar::EntryKind::Sparse
                    if self.wants(&inside, has_container_name(&inside.path)) => {}
                _ => continue,
            }
            if entry.kind == tar::EntryKind::Sparse && place.depth == 0 {
                // One file must not use up what others may need.
                inside.budget = Some(Budget::of(entry.size, self.limits));
            }
            let content = match tar_content(&mut reader, &entry, inside.budget.as_ref()) {
                Ok(content) => content,
                Err(error) => {
                    self.visitor.failed(&inside.path, error.into());
                    continue;
                }
            };
            let content = Input::Once(content);
            let mut new = out.is_some().then(Spool::new);
            let spool = new.as_mut().map(|new| new as &mut dyn Output);
            match self.item(&inside, content, spool) {
                Ok(Outcome::Changed) => {}
                Ok(_) => continue,
                Err(error) if place.is_spent() => return Err(error),
                // If the archive itself is damaged, the next entry fails too.
                Err(error) => {
                    self.visitor.failed(&inside.path, error.into());
                    continue;
                }
            }
            if let (Some(out), Some(new), Some(recipe)) = (&mut out, &mut new, recipe) {
                if writer.is_none() {
                    writer = Some(tar::Writer::new(recipe.open(None)?));
                }
                let (content, size) = new.content()?;
                if let Some(writer) = &mut writer {
                    writer.replace(&entry, (content, size), *out)?;
                }
            }
        }
        // Compressed data has its checksum at its end.
        reader.finish()?;
        match (writer, out) {
            (Some(writer), Some(out)) => {
                writer.finish(out)?;
                Ok(Outcome::Changed)
            }
            _ => Ok(Outcome::Unchanged),
        }
    }
}

/// The content of an entry of a tar archive.
fn tar_content<'r, R: BufRead>(
    reader: &'r mut tar::Reader<R>,
    entry: &tar::Entry,
    budget: Option<&Budget>,
) -> io::Result<Box<dyn BufRead + 'r>> {
    if entry.kind != tar::EntryKind::Sparse {
        return Ok(Box::new(reader));
    }
    // Holes cost nothing in the archive, as data that is compressed.
    let content = Limited::new(reader.sparse(entry)?, budget);
    Ok(Box::new(BufReader::with_capacity(ENTRY_BUFFER, content)))
}
