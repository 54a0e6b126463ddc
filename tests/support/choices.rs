//! The judgement vectors whose first answer is not ours, as docs/comparison.md lists them.

use std::collections::BTreeSet;

const PAGE: &str = include_str!("../../docs/comparison.md");

/// Judges answers to vectors: each must be the first one, unless the page lists the vector, and
/// what it lists must be otherwise.
#[derive(Default)]
pub struct Choices {
    first: BTreeSet<String>,
    other: BTreeSet<String>,
}

impl Choices {
    /// The complaint about an answer, if there is one, given whether it is the first one and whether it is one of the
    /// others that are accepted.
    pub fn complaint(
        &mut self,
        id: &str,
        is_first: bool,
        is_accepted: bool,
    ) -> Option<&'static str> {
        let answers = if is_first {
            &mut self.first
        } else {
            &mut self.other
        };
        answers.insert(id.to_owned());
        match is_first || is_listed(id) {
            true => None,
            false if is_accepted => Some("docs/comparison.md must list it as a choice"),
            false => Some("wrong"),
        }
    }

    /// The vectors that the page lists although the first answer is ours.
    pub fn stale(&self) -> Vec<&String> {
        let ours = self.first.difference(&self.other);
        ours.filter(|id| is_listed(id)).collect()
    }
}

/// Whether the page lists a vector among the choices.
fn is_listed(id: &str) -> bool {
    let section = PAGE
        .split("\n## Choices that RFC 3987 leaves open\n")
        .nth(1);
    let section = section.expect("a section of the page");
    let section = section.split("\n## ").next().unwrap_or_default();
    section.contains(&format!("`{id}`"))
}
