//! Samples of links that were left unchanged, for a report.

use crate::inputs::shown;
use linkglot::notes::Note;
use linkglot::rewrite::{Excerpt, Outcome};
use std::collections::BTreeMap;
use std::path::Path;

/// Number of samples for each reason.
const MOST: usize = 40;

/// The first links that were left for each reason.
#[derive(Clone, Debug, Default)]
pub struct LeftLinks(BTreeMap<&'static str, Vec<LeftLink>>);

/// A link that was left, in its text.
#[derive(Clone, Debug)]
pub struct LeftLink {
    /// `PATH:LINE:COLUMN`.
    pub place: String,
    pub excerpt: Excerpt,
    pub note: Note,
}

/// The note that says why a link was left.
pub fn reason(outcome: &Outcome<'_>) -> Option<Note> {
    let notes = outcome.all_notes();
    let mut says_why = notes.iter().filter(|note| note.code().starts_with("left-"));
    says_why.next().or_else(|| notes.iter().next())
}

impl LeftLinks {
    /// Adds a link of a document.
    pub fn see(&mut self, path: &Path, outcome: &Outcome<'_>) {
        let Some(note) = reason(outcome).filter(|_| outcome.new.is_none()) else {
            return;
        };
        let samples = self.0.entry(note.code()).or_default();
        if let (true, Some(excerpt)) = (samples.len() < MOST, outcome.excerpt) {
            let at = outcome.link.location();
            let at = at.map_or(String::new(), |at| format!(":{}:{}", at.line, at.column));
            samples.push(LeftLink {
                place: shown(path) + &at,
                excerpt: excerpt.clone(),
                note,
            });
        }
    }

    /// Adds the links of a document.
    pub fn add(&mut self, document: LeftLinks) {
        for (code, links) in document.0 {
            let samples = self.0.entry(code).or_default();
            let free = MOST - samples.len();
            samples.extend(links.into_iter().take(free));
        }
    }

    /// The samples, by reason.
    pub fn samples(&self) -> impl Iterator<Item = &LeftLink> {
        self.0.values().flatten()
    }
}
