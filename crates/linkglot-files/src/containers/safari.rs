//! Goes through a web archive of Safari.

use super::budget::Budget;
use super::input::Input;
use super::names::Spot;
use super::visit::{Outcome, Visit};
use crate::archived::Archived;
use crate::walk::SkipReason;
use linkglot::link::UnreadReason;
use linkglot_archive::safari::{MOST, Resource, read};
use std::io::{self, Cursor, Read};
use std::sync::Arc;

impl Visit<'_> {
    /// Visits the resources of a web archive. It is not written: addresses of pages and of what they use must agree.
    pub(super) fn safari(&mut self, place: &Spot, input: Input<'_>) -> io::Result<Outcome> {
        if self.rewrites {
            self.visitor.unread(&place.path, UnreadReason::Binary);
            return Ok(Outcome::Unchanged);
        }
        let reader = match input {
            Input::Once(reader) => reader,
            Input::Again(recipe) => recipe.open(place.budget.as_ref())?,
        };
        let mut archive = Vec::new();
        reader.take(MOST + 1).read_to_end(&mut archive)?;
        if archive.len() as u64 > MOST {
            self.visitor.unread(&place.path, UnreadReason::Limit);
            let message = format!("expected a web archive of at most {} MiB", MOST >> 20);
            return Err(io::Error::other(message));
        }
        let most = Budget::most(archive.len() as u64, self.limits);
        let mut number = 0_u64;
        read(&archive, most, &mut |resource| {
            number += 1;
            self.resource(place, resource, number)
        })?;
        Ok(Outcome::Unchanged)
    }

    fn resource(&mut self, place: &Spot, resource: Resource, number: u64) -> io::Result<()> {
        if self.visitor.is_stopped() || resource.data.is_empty() {
            return Ok(());
        }
        let url = resource.url.clone();
        let mut spot = place.entry(url.unwrap_or_else(|| number.to_string()).as_ref());
        if let Some(url) = &resource.url {
            // The format is known by the name in the path of the URL.
            let end = url.find(['?', '#']).unwrap_or(url.len());
            spot.name = place.entry(url[..end].as_ref()).path;
        }
        if !self.wants(&spot, false) {
            return Ok(());
        }
        let Some(said) = Archived::of_resource(&resource) else {
            self.visitor.skipped(&spot.path, SkipReason::Binary);
            return Ok(());
        };
        let overrides = self.overrides;
        self.overrides.format = overrides.format.or(said.format());
        spot.archived = Some(Arc::new(said));
        let content = Input::Once(Box::new(Cursor::new(resource.data)));
        let visited = self.item(&spot, content, None);
        self.overrides = overrides;
        if let Err(error) = visited {
            self.visitor.failed(&spot.path, error.into());
        }
        Ok(())
    }
}
