//! Links that are enclosed exactly: they end where what encloses them is closed.

use super::super::enclosed::{self, Markup};
use super::signs::is_punctuation;
use super::{Manner, Tail};

/// The most punctuation at the end of a link in markup that is of the link.
const MAX_MARKS: usize = 16;

impl Tail<'_, '_> {
    /// The markup that opened right in front of the link.
    pub(super) fn markup(&self) -> Option<Markup> {
        match self.manner {
            Manner::Extended {
                outer: Some(outer),
                start: Some(start),
            } => Markup::of(self.text, start, outer),
            _ => None,
        }
    }

    /// The end of the tail when markup that holds a link and nothing else is closed there. Another link in such markup may
    /// begin behind `[`, `{` and `\`: these and their escapes are in none, so that no character is read for more than one.
    pub(super) fn exact_end(&self, markup: Markup, at: usize) -> Option<usize> {
        if markup == Markup::Labelled {
            return None;
        }
        let mut exact = Tail {
            is_exact: true,
            ..self.again()
        };
        let end = exact.read(at);
        let end = self.marked_end(markup, end).unwrap_or(end);
        let closes = markup.closes(self.text, end) && !has_escaped_marks(self.text.slice(at, end));
        closes.then_some(end)
    }

    /// The end of a link with the punctuation behind it, when markup is closed behind that.
    pub(super) fn marked_end(&self, markup: Markup, end: usize) -> Option<usize> {
        let text = self.text;
        let mut i = end;
        for _ in 0..MAX_MARKS {
            let ch = text.char(i);
            if i >= self.limit || !markup.takes(ch) || !is_punctuation(ch, text.class(ch)) {
                break;
            }
            i += ch.len_utf8();
        }
        (i > end && markup.closes(text, i)).then_some(i)
    }

    /// Whether the link would be enclosed exactly if it ended at a position.
    pub(super) fn is_enclosed(&self, at: usize) -> bool {
        let Manner::Extended {
            outer: Some(outer),
            start,
        } = self.manner
        else {
            return false;
        };
        enclosed::is_enclosed(self.text, start, outer, at)
    }
}

/// Whether the escapes of marks are in a link that are in none which is read as what markup holds.
fn has_escaped_marks(link: &str) -> bool {
    let escapes = link
        .match_indices('%')
        .filter_map(|(at, _)| link.get(at + 1..at + 3));
    let mut marks = escapes.map(|digits| digits.to_ascii_uppercase());
    marks.any(|digits| matches!(digits.as_str(), "5B" | "7B" | "5C"))
}
