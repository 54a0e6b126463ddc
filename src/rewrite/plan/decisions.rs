//! Decisions about the links of a large document, kept while the document is read again.
//!
//! To decide again would take as long as to decide, and a plan takes more than a hundred bytes. A decision is kept in a
//! few bytes instead: of a new text only the part that differs from the old text, which is found again.

use super::{Patches, Plan};
use crate::notes::Note;
use crate::rewrite::mapping::Decision;

/// Decisions of plans without patches, in order. For each: its kind, its notes, its rule, and of a new text the lengths
/// of the beginning and the end that it shares with the old one, and the bytes between.
pub(super) struct Decisions(Vec<u8>);

const KEEP: usize = 0;
const LEFT: usize = 1;
const CHANGE: usize = 2;

impl Decisions {
    /// No decisions yet, with room for those of a document. One large piece of memory goes back to the system whole;
    /// one that grows would lie behind the new texts and keep theirs.
    pub fn with_room(length: usize) -> Self {
        Decisions(Vec::with_capacity(length))
    }

    /// Appends the decision about a link with the text `old`.
    pub fn push(&mut self, plan: Plan, old: &str) {
        let (kind, notes, new) = match &plan.decision {
            Decision::Keep(notes) => (KEEP, *notes, None),
            Decision::Left(notes) => (LEFT, *notes, None),
            Decision::Change(new, notes) => (CHANGE, *notes, Some(new)),
        };
        self.number(kind);
        self.number(notes.iter().count());
        self.0.extend(notes.iter().map(|note| note as u8));
        self.number(plan.rule.map_or(0, |rule| rule + 1));
        if let Some(new) = new {
            self.text(old.as_bytes(), new.as_bytes());
        }
    }

    fn text(&mut self, old: &[u8], new: &[u8]) {
        let same = |(old, new): &(&u8, &u8)| old == new;
        let start = old.iter().zip(new).take_while(same).count();
        let rest = old[start..].iter().rev().zip(new[start..].iter().rev());
        let end = rest.take_while(same).count();
        let between = &new[start..new.len() - end];
        self.number(start);
        self.number(end);
        self.number(between.len());
        self.0.extend(between);
    }

    /// Gives back the room that is left.
    pub fn end(&mut self) {
        self.0.shrink_to_fit();
    }

    /// Appends a number, seven bits a byte, the lowest first.
    fn number(&mut self, mut number: usize) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    /// The plans of links with these texts, without patches.
    pub fn plans<'l>(&self, old: impl Iterator<Item = &'l str>) -> Vec<Plan> {
        let mut rows = Rows(&self.0);
        old.map(|old| rows.plan(old)).collect()
    }
}

/// The decisions that are not read yet.
struct Rows<'d>(&'d [u8]);

impl<'d> Rows<'d> {
    fn plan(&mut self, old: &str) -> Plan {
        let kind = self.number();
        let count = self.number();
        let notes = self.bytes(count).iter();
        let notes = notes.filter_map(|&note| Note::ALL.get(usize::from(note)).copied());
        let notes = notes.collect();
        let rule = self.number().checked_sub(1);
        let decision = match kind {
            CHANGE => Decision::Change(self.text(old), notes),
            LEFT => Decision::Left(notes),
            _ => Decision::Keep(notes),
        };
        Plan {
            decision,
            patches: Patches::Known(Vec::new()),
            rule,
        }
    }

    fn text(&mut self, old: &str) -> String {
        let (start, end, length) = (self.number(), self.number(), self.number());
        let between = self.bytes(length);
        let old = old.as_bytes();
        let text = [&old[..start], between, &old[old.len() - end..]].concat();
        // A character may begin with the same bytes as the old one: the parts are texts only together.
        String::from_utf8(text).unwrap_or_default()
    }

    fn number(&mut self) -> usize {
        let (mut number, mut shift) = (0, 0);
        while let Some((&byte, rest)) = self.0.split_first() {
            self.0 = rest;
            number |= usize::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                break;
            }
            shift += 7;
        }
        number
    }

    fn bytes(&mut self, length: usize) -> &'d [u8] {
        let (bytes, rest) = self.0.split_at(length);
        self.0 = rest;
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notes::Notes;

    #[test]
    fn decisions_come_back() {
        let all: Notes = Note::ALL.iter().copied().collect();
        let change = |new: &str| Decision::Change(new.to_owned(), Notes::NONE);
        let long = "b".repeat(40_000);
        let cases = [
            ("a", Decision::Keep(Notes::NONE), None),
            ("http://a/\u{e9}", change("http://a/%C3%A9"), Some(0)),
            ("http://a/\u{e9}/", change("http://a/\u{e8}/"), Some(300)),
            ("a", Decision::Left(all), Some(7)),
            ("aa", change("aaa"), None),
            ("aaa", change("aa"), None),
            ("a", change(""), None),
            ("", change(&long), None),
            (
                "b",
                Decision::Change("c".into(), Note::NfcChanged.into()),
                None,
            ),
        ];
        let mut decisions = Decisions::with_room(0);
        for (old, decision, rule) in cases.clone() {
            let patches = Patches::Known(Vec::new());
            decisions.push(
                Plan {
                    decision,
                    patches,
                    rule,
                },
                old,
            );
        }
        let plans = decisions.plans(cases.iter().map(|(old, ..)| *old));
        assert_eq!(plans.len(), cases.len());
        for (plan, (_, decision, rule)) in plans.iter().zip(&cases) {
            assert_eq!((&plan.decision, &plan.rule), (decision, rule));
        }
    }
}
