//! Drives tokenizers in tests, and checks the contract of [`Tokenizer`] at every step.

use crate::slot::{Place, Slot, Step, Syntax, Tokenizer, Window};
use linkglot_charset::Charset;
use proptest::prelude::*;

/// A document for a tokenizer.
#[derive(Clone, Copy)]
pub struct Document<'d> {
    pub bytes: &'d [u8],
    pub charset: Charset,
}

impl<'d> Document<'d> {
    /// Hands each slot and each value that is too long to `each`, with the beginning of its window. Windows end at
    /// `cuts`, and bytes before the cursor are dropped.
    pub fn each_step(
        self,
        mut tokenizer: impl Tokenizer,
        cuts: &[usize],
        mut each: impl FnMut(usize, Step),
    ) {
        let (mut origin, mut cursor, mut behind) = (0, 0, 0);
        let mut ends = cuts.iter().copied().chain([self.bytes.len()]);
        let mut end = ends.next().unwrap_or(self.bytes.len());
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
                    assert!(slot.range.start >= before && slot.range.end <= window.bytes.len());
                    let at = origin + slot.range.start;
                    assert!(at >= behind, "slots are in order and disjoint");
                    behind = origin + slot.range.end;
                    each(origin, Step::Slot(slot));
                }
                Step::TooLong(..) => each(origin, step),
                Step::NeedMore => {
                    assert!(!window.last, "there is no more");
                    end = ends.next().unwrap_or(self.bytes.len());
                }
                Step::End => {
                    assert!(window.last && cursor == window.bytes.len());
                    return;
                }
            }
            origin += cursor;
            cursor = 0;
        }
    }

    /// The answers of a tokenizer, each with its position in the document, in windows that end at `cuts`.
    pub fn answers(self, tokenizer: impl Tokenizer, cuts: &[usize]) -> Vec<(usize, Answer)> {
        let mut answers = Vec::new();
        self.each_step(tokenizer, cuts, |origin, step| match step {
            Step::Slot(slot) => {
                let (start, end) = (origin + slot.range.start, origin + slot.range.end);
                let raw = self.charset.decode(&self.bytes[start..end]).into_owned();
                answers.push((start, Answer::Slot(slot, raw)));
            }
            Step::TooLong(at, place) => answers.push((origin + at, Answer::TooLong(place))),
            Step::NeedMore | Step::End => {}
        });
        joined(answers)
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

/// Charsets that differ in the bytes that belong to other characters.
pub fn charsets() -> impl Strategy<Value = Charset> {
    let labels = [
        "utf-8",
        "windows-1252",
        "shift_jis",
        "gb18030",
        "big5",
        "euc-kr",
        "euc-jp",
    ];
    let charset = |label| Charset::for_label(label).expect("a label");
    prop::sample::select(labels.map(charset).to_vec())
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
