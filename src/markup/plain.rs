//! Plain text: the whole document is one run of text.

use super::escape::Escaping;
use super::slot::{Access, Run, SharedPlace, Slot, Step, Syntax, Tokenizer, Window};

/// The tokenizer of plain text.
#[derive(Debug, Default)]
pub struct PlainTokenizer {
    begun: bool,
    ended: bool,
    /// The last answer was a piece of text: more of it is wanted before the next.
    offered: bool,
}

impl PlainTokenizer {
    /// A tokenizer at the begin of a document.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Tokenizer for PlainTokenizer {
    fn step(&mut self, window: Window<'_>, cursor: &mut usize) -> Step {
        let start = (*cursor).min(window.bytes.len());
        let end = match window.last {
            true => window.bytes.len(),
            false => piece_end(window, start),
        };
        if window.last && (self.ended || start == end && !self.begun) {
            *cursor = window.bytes.len();
            return Step::End;
        }
        if !window.last && (start >= end || std::mem::take(&mut self.offered)) {
            return Step::NeedMore;
        }
        let run = Run {
            begins: !std::mem::replace(&mut self.begun, true),
            ends: window.last,
        };
        self.ended = window.last;
        self.offered = true;
        *cursor = end;
        Step::Slot(Slot {
            range: start..end,
            escaping: Escaping::None,
            syntax: Syntax::Text,
            place: SharedPlace::TEXT,
            access: Access::Rewrite,
            run,
        })
    }
}

/// How much without a safe byte is waited for.
const LONGEST_WAIT: usize = 1 << 16;

/// The end of the last whole character of the window.
fn piece_end(window: Window<'_>, start: usize) -> usize {
    let text = window.bytes.get(start..).unwrap_or_default();
    match text.last() {
        Some(&byte) if !crate::ascii::is_safe(byte) => {
            match window.charset.resync(text, text.len().saturating_sub(1)) {
                0 if text.len() > LONGEST_WAIT => window.bytes.len(),
                cut => start + cut,
            }
        }
        _ => window.bytes.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charset::Charset;

    /// The pieces of a document that comes in chunks, and whether each begins and ends the run.
    fn pieces(chunks: &[&str]) -> Vec<(String, bool, bool)> {
        let mut tokenizer = PlainTokenizer::new();
        let mut pieces = Vec::new();
        let (mut bytes, mut cursor, mut next) = (Vec::new(), 0, 0);
        loop {
            let window = Window {
                bytes: &bytes,
                last: next == chunks.len(),
                charset: Charset::UTF_8,
            };
            match tokenizer.step(window, &mut cursor) {
                Step::Slot(slot) => {
                    let text = String::from_utf8(bytes[slot.range].to_vec()).unwrap();
                    pieces.push((text, slot.run.begins, slot.run.ends));
                }
                Step::NeedMore => {
                    bytes.extend_from_slice(chunks[next].as_bytes());
                    next += 1;
                }
                Step::End => return pieces,
                Step::TooLong(..) => panic!("text is never too long"),
            }
        }
    }

    #[test]
    fn one_run() {
        assert_eq!(pieces(&["a b"]), [("a b".to_owned(), true, true)]);
        let joined: String = pieces(&["a", "b c", "", "d"])
            .into_iter()
            .map(|p| p.0)
            .collect();
        assert_eq!(joined, "ab cd");
        assert_eq!(pieces(&[]), []);
    }

    #[test]
    fn a_last_window_is_one_piece() {
        let window = Window {
            bytes: b"a b",
            last: true,
            charset: Charset::UTF_8,
        };
        let (mut tokenizer, mut cursor) = (PlainTokenizer::new(), 0);
        let step = tokenizer.step(window, &mut cursor);
        assert!(matches!(
            step,
            Step::Slot(Slot {
                run: Run::WHOLE,
                ..
            })
        ));
        assert!(matches!(tokenizer.step(window, &mut cursor), Step::End));
    }
}
