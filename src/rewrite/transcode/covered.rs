//! Text whose bytes a length or a signature covers, which another charset would break.

use crate::charset::Charset;
use crate::link::{Location, Locator, SignedText};
use crate::markup::SerializedStrings;
use std::ops::Range;

/// The bytes in front of a chunk that are kept, since a form or a line may be cut.
const BEFORE: usize = 128;

/// Follows a text chunk by chunk and refuses covered characters whose bytes would change. O(length).
pub(super) struct CoveredText {
    strings: SerializedStrings,
    /// `None` if signatures may be broken.
    signed: Option<SignedText>,
    /// True if ASCII also has other bytes in the new charset.
    changes_ascii: bool,
    /// The text from `origin` on: the part that is not judged yet, and some bytes in front of it.
    window: Vec<u8>,
    origin: u64,
    judged: u64,
    /// The locator, at `judged`.
    locator: Locator,
}

impl CoveredText {
    /// `signed` finds the signed text; without it, signatures may break.
    pub fn new(signed: Option<SignedText>, changes_ascii: bool) -> Self {
        CoveredText {
            strings: SerializedStrings::new(true),
            signed,
            changes_ascii,
            window: Vec::new(),
            origin: 0,
            judged: 0,
            locator: Locator::new(Charset::UTF_8, 0),
        }
    }

    /// Reads the next chunk of the text.
    ///
    /// # Errors
    ///
    /// The place of a byte that must not change, and the reason.
    pub fn read(&mut self, chunk: &[u8], ended: bool) -> Result<(), (Location, &'static str)> {
        let dropped = (self.judged - self.origin).saturating_sub(BEFORE as u64);
        self.window.drain(..dropped as usize);
        self.origin += dropped;
        self.window.extend_from_slice(chunk);
        if ended {
            // The end cuts nothing.
            self.window.resize(self.window.len() + BEFORE, b' ');
        }
        self.strings.read(&self.window, self.origin);
        if let Some(signed) = &mut self.signed {
            signed.read(&self.window, self.origin);
        }
        let known = (self.origin + self.window.len() as u64).saturating_sub(BEFORE as u64);
        let from = self.judged;
        self.judged = known.max(from);
        let refused = self.judge(from);
        let to = refused.map_or_else(|(at, _)| at, |()| self.judged);
        self.locator.follow(&self.window, self.origin, to);
        refused.map_err(|(_, why)| (self.locator.location(), why))
    }

    /// Judges the text from a byte on.
    fn judge(&self, from: u64) -> Result<(), (u64, &'static str)> {
        let part = |at: u64| (at - self.origin) as usize;
        let text = &self.window[part(from)..part(self.judged)];
        let mut at = from;
        for run in text.split_inclusive(|byte| self.ends_run(*byte)) {
            // Strings and signed text start with ASCII, so that a run of other bytes is covered as a whole.
            let kept = run.iter().position(|byte| self.changes(*byte));
            let start = at + kept.unwrap_or(run.len()) as u64;
            at += run.len() as u64;
            if start < at {
                self.refuse(start..at)?;
            }
        }
        Ok(())
    }

    fn changes(&self, byte: u8) -> bool {
        self.changes_ascii || !byte.is_ascii()
    }

    fn ends_run(&self, byte: u8) -> bool {
        byte == b'\n' || !self.changes(byte)
    }

    fn refuse(&self, run: Range<u64>) -> Result<(), (u64, &'static str)> {
        let signed = self.signed.as_ref();
        if signed.is_some_and(|signed| signed.covers(run.start)) {
            return Err((run.start, "a signature covers it"));
        }
        if self.strings.covers_some(run.clone()) {
            Err((run.start, "a length in front of it counts its bytes"))
        } else {
            Ok(())
        }
    }
}
