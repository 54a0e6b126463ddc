//! Drives tokenizers in tests, and checks the contract of [`Tokenizer`] at every step.

use crate::slot::{Place, Slot, Step, Syntax, Tokenizer, Window};
use linkglot_charset::Charset;

/// A document for a tokenizer.
#[derive(Clone, Copy)]
pub struct Document<'d> {
    pub bytes: &'d [u8],
    pub charset: Charset,
}

impl<'d> Document<'d> {
    /// The answers of a tokenizer, each with its position in the document, which comes in windows that end at `cuts`.
    /// Bytes before the cursor are dropped.
    pub fn answers(self, mut tokenizer: impl Tokenizer, cuts: &[usize]) -> Vec<(usize, Answer)> {
        let (mut answers, mut origin, mut cursor) = (Vec::new(), 0, 0);
        let mut ends = cuts.iter().copied().chain([self.bytes.len()]);
        let mut end = ends.next().unwrap_or(self.bytes.len());
        let mut behind = 0;
        loop {
            let window = Window {
                bytes: &self.bytes[origin..end],
                last: end == self.bytes.len(),
                charset: self.charset,
            };
            let before = cursor;
            let step = tokenizer.step(window, &mut cursor);
            assert!(cursor >= before && cursor <= window.bytes.len());
            match step {
                Step::Slot(slot) => {
                    assert!(slot.range.start >= before);
                    let at = origin + slot.range.start;
                    assert!(at >= behind, "slots are in order and disjoint");
                    behind = origin + slot.range.end;
                    let raw = &window.bytes[slot.range.clone()];
                    let raw = self.charset.decode(raw).into_owned();
                    answers.push((at, Answer::Slot(slot, raw)));
                }
                Step::TooLong(at, place) => answers.push((origin + at, Answer::TooLong(place))),
                Step::NeedMore => {
                    assert!(!window.last, "there is no more");
                    end = ends.next().unwrap_or(self.bytes.len());
                }
                Step::End => {
                    assert!(window.last && cursor == window.bytes.len());
                    return joined(answers);
                }
            }
            origin += cursor;
            cursor = 0;
        }
    }

    /// The answers to the document in one window, which must be the same for every single cut and byte by byte.
    pub fn answers_in_every_cut<T: Tokenizer>(
        self,
        tokenizer: impl Fn() -> T,
    ) -> Vec<(usize, Answer)> {
        let whole = self.answers(tokenizer(), &[]);
        let each: Vec<usize> = (0..self.bytes.len()).collect();
        let single = each.iter().map(|cut| vec![*cut]);
        for cuts in single.chain([each.clone()]) {
            assert_eq!(self.answers(tokenizer(), &cuts), whole, "cuts {cuts:?}");
        }
        whole
    }
}

/// Joins the parts of each run of text.
fn joined(answers: Vec<(usize, Answer)>) -> Vec<(usize, Answer)> {
    let mut whole: Vec<(usize, Answer)> = Vec::new();
    for (at, answer) in answers {
        match (whole.last_mut(), answer) {
            (Some((_, Answer::Slot(run, text))), Answer::Slot(slot, raw))
                if slot.syntax == Syntax::Text && !slot.run.begins =>
            {
                assert!(!run.run.ends);
                run.run.ends = slot.run.ends;
                text.push_str(&raw);
            }
            (_, answer) => whole.push((at, answer)),
        }
    }
    whole
}

/// An answer of a tokenizer, with the raw value of a slot as text.
#[derive(Debug)]
pub enum Answer {
    Slot(Slot, String),
    TooLong(Place),
}

impl Answer {
    pub fn place(&self) -> &Place {
        match self {
            Answer::Slot(slot, _) => &slot.place,
            Answer::TooLong(place) => place,
        }
    }
}

impl PartialEq for Answer {
    /// Compares everything except the ranges, which count from the windows.
    fn eq(&self, other: &Self) -> bool {
        let value = |answer: &Answer| match answer {
            Answer::Slot(slot, raw) => Some((
                slot.escaping,
                slot.syntax,
                slot.access,
                slot.run,
                raw.clone(),
            )),
            Answer::TooLong(_) => None,
        };
        self.place() == other.place() && value(self) == value(other)
    }
}
