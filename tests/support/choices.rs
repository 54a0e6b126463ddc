//! The judgement vectors with an answer other than the first, as listed by docs/comparison.md.

use std::collections::BTreeSet;

const PAGE: &str = include_str!("../../docs/comparison.md");

/// Judges answers to vectors: each must be the first choice, unless the page lists the vector, and a listed vector must
/// have another answer.
#[derive(Default)]
pub struct Choices {
    first: BTreeSet<String>,
    other: BTreeSet<String>,
}

impl Choices {
    /// The complaint about an answer, if any, given whether it is the first choice and whether it is another accepted
    /// choice.
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

    /// The vectors that the page lists although our answer is the first choice.
    pub fn stale(&self) -> Vec<&String> {
        let ours = self.first.difference(&self.other);
        ours.filter(|id| is_listed(id)).collect()
    }
}

/// True if the page lists a vector among the choices.
fn is_listed(id: &str) -> bool {
    let section = PAGE
        .split("\n## Choices that RFC 3987 leaves open\n")
        .nth(1);
    let section = section.expect("a section of the page");
    let section = section.split("\n## ").next().unwrap_or_default();
    section.contains(&format!("`{id}`"))
}
