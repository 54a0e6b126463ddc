//! Outcomes that wait for their excerpts.
//!
//! The text behind a link may not have been read yet. Then the outcome of the link waits for it, with those of the
//! links behind: excerpts do not depend on the windows in which a document is read.

use crate::error::Error;
use crate::link::Info;
use crate::markup::Window;
use crate::rewrite::Outcome;
use crate::rewrite::output::{Output, OwnedOutcome};
use std::collections::VecDeque;

/// Outcomes that wait for the text behind a link.
#[derive(Default)]
pub(super) struct Waiting(VecDeque<Held>);

/// An outcome that waits.
struct Held {
    outcome: OwnedOutcome,
    /// The text behind the link begins here in the view, if it is wanted.
    rest: Option<u64>,
}

impl Waiting {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds an outcome, with the place of the text behind it in the view if that belongs to its excerpt.
    pub fn push(&mut self, outcome: &Outcome<'_>, rest: Option<u64>) {
        self.0.push_back(Held {
            outcome: OwnedOutcome::of(outcome),
            rest,
        });
    }

    /// Hands on the outcomes whose excerpts are complete with a window, which begins at `origin` in the view.
    pub fn hand_on(
        &mut self,
        (window, origin): (Window<'_>, u64),
        info: &Info,
        output: &mut dyn Output,
    ) -> Result<(), Error> {
        while let Some(held) = self.0.front_mut() {
            if let (Some(at), Some(excerpt)) = (held.rest, &mut held.outcome.excerpt)
                && !excerpt.end(&window, (at - origin) as usize)
            {
                break;
            }
            let Some(held) = self.0.pop_front() else {
                break;
            };
            output.link(&held.outcome.borrowed(), info)?;
        }
        Ok(())
    }
}
