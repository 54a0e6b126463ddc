//! The things that a part of a Markdown document needs to know of the rest.

use std::collections::HashSet;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::sync::Arc;
use unicase::UniCase;

/// The document around a part of it.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    pub(crate) definitions: Arc<Definitions>,
    /// The head of the table that goes on with the part, or nothing.
    pub(crate) head: Arc<str>,
}

/// The labels that are defined in a stretch of a document.
#[derive(Debug, Default)]
pub(crate) struct Definitions(HashSet<Label>);

/// The hash of a defined label, whose case is folded: labels of any length take a few bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Label(u64);

impl Label {
    pub fn link(label: &str) -> Self {
        Label::of(("", label))
    }

    pub fn footnote(label: &str) -> Self {
        Label::of(("^", label))
    }

    fn of((mark, label): (&str, &str)) -> Self {
        let hasher = BuildHasherDefault::<DefaultHasher>::default();
        Label(hasher.hash_one((mark, UniCase::new(label))))
    }
}

impl Definitions {
    /// Adds labels.
    pub fn extend(&mut self, labels: impl Iterator<Item = Label>) {
        self.0.extend(labels);
    }

    /// True if a link has the label.
    pub fn has_link(&self, label: &str) -> bool {
        self.0.contains(&Label::link(label))
    }

    /// True if a footnote has the label.
    pub fn has_footnote(&self, label: &str) -> bool {
        self.0.contains(&Label::footnote(label))
    }
}
