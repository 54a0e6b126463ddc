//! A link and what becomes of it, and the bytes that stand for it: equal changes have equal bytes.

use super::encoding::{Decoder, push_mark, push_number, push_text};
use linkglot::notes::{Note, Notes};
use std::io;

/// A link, and what becomes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change<'t> {
    pub old: &'t str,
    /// `None`: it is left.
    pub new: Option<&'t str>,
    /// Empty where there is none.
    pub host: &'t str,
    pub scheme: &'t str,
    pub notes: Notes,
    /// The number of the rule that matched.
    pub rule: Option<usize>,
}

impl<'t> Change<'t> {
    pub fn write(&self, out: &mut Vec<u8>) {
        push_text(out, self.old);
        push_mark(out, self.new.is_some());
        self.new.iter().for_each(|new| push_text(out, new));
        push_text(out, self.host);
        push_text(out, self.scheme);
        push_number(out, numbers_of(self.notes).fold(0, |all, at| all | 1 << at));
        push_mark(out, self.rule.is_some());
        self.rule
            .iter()
            .for_each(|rule| push_number(out, *rule as u64));
    }

    pub fn read(from: &mut Decoder<'t>) -> io::Result<Self> {
        let old = from.text()?;
        let new = from.is_some()?.then(|| from.text()).transpose()?;
        let (host, scheme, notes) = (from.text()?, from.text()?, from.number()?);
        let all = Note::ALL.into_iter().enumerate();
        let is_set = |at: usize| notes >> at & 1 == 1;
        let notes = all.filter_map(|(at, note)| is_set(at).then_some(note));
        Ok(Change {
            old,
            new,
            host,
            scheme,
            notes: notes.collect(),
            rule: from.is_some()?.then(|| from.size()).transpose()?,
        })
    }
}

/// Numbers of notes are those of [`Note::ALL`].
pub fn numbers_of(notes: Notes) -> impl Iterator<Item = usize> {
    let all = Note::ALL.into_iter().enumerate();
    all.filter_map(move |(at, note)| notes.contains(note).then_some(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_come_back() {
        let notes: [Notes; 2] = [Notes::NONE, Note::ALL.into_iter().collect()];
        for new in [None, Some(""), Some("http://a/%C3%A9")] {
            for rule in [None, Some(0), Some(usize::MAX)] {
                for notes in notes {
                    let change = Change {
                        old: "http://a/é",
                        new,
                        host: "a",
                        scheme: "http",
                        notes,
                        rule,
                    };
                    let mut bytes = Vec::new();
                    change.write(&mut bytes);
                    let read = Change::read(&mut Decoder(&bytes));
                    assert_eq!(read.ok(), Some(change));
                }
            }
        }
    }
}
