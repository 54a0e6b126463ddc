//! The evidence of a link that the tables know.

use super::super::Kind;
use super::super::evidence::{Evidence, may_close};
use super::{Edge, FastFinder};
use linkglot_charset::{Charset, ascii};
use std::ops::Range;

/// The character in front of a link.
enum Outer {
    /// No character that could open anything.
    None,
    Ascii(char),
    /// A character beyond ASCII.
    Wide,
}

impl FastFinder<'_, '_> {
    /// The evidence of a link. `None`: the finder must decide.
    #[inline]
    pub(super) fn evidence(
        &self,
        range: &Range<usize>,
        kind: Kind,
        floor: usize,
    ) -> Option<Evidence> {
        let evidence = Evidence::of_link(kind, self.bytes.get(range.clone())?);
        let Some(&behind) = self.bytes.get(range.end) else {
            // Nothing closes at the end of the text.
            return (self.end_edge == Edge::Whole).then_some(evidence);
        };
        // The most frequent characters behind a link close nothing.
        let is_frequent = behind <= b' ' || behind == b'.' || behind == b',';
        if is_frequent || evidence == Evidence::Name {
            return Some(evidence);
        }
        if behind == b'&' && self.references {
            return None;
        }
        // No character beyond ASCII closes a delimiter in ASCII, or the other way round.
        match self.opener(range.start, floor)? {
            Outer::Ascii(before) if behind < 0x80 => {
                Some(evidence.between(before, char::from(behind)))
            }
            Outer::Wide if behind >= 0x80 => self.between_wide(evidence, range),
            _ => Some(evidence),
        }
    }

    fn opener(&self, start: usize, floor: usize) -> Option<Outer> {
        let Some(at) = start.checked_sub(1) else {
            return (self.start_edge == Edge::Whole).then_some(Outer::None);
        };
        if start <= floor {
            return Some(Outer::None);
        }
        let byte = *self.bytes.get(at)?;
        if byte == b':' {
            return self.opens_with_url(start, floor);
        }
        let is_ascii = byte < 0x80
            && (self.ascii_stands_alone
                || ascii::is_safe(byte)
                || self.charset.is_char_at(self.bytes, at));
        Some(if is_ascii {
            Outer::Ascii(char::from(byte))
        } else {
            Outer::Wide
        })
    }

    /// Opener in front of a colon: `<URL:` counts as `<`.
    fn opens_with_url(&self, start: usize, floor: usize) -> Option<Outer> {
        const OPENER: &[u8] = b"<URL:";
        let Some(from) = start.checked_sub(OPENER.len()) else {
            return (self.start_edge == Edge::Whole).then_some(Outer::None);
        };
        let found = self.bytes.get(from..start).filter(|_| from >= floor);
        Some(match found {
            Some(found) if found.eq_ignore_ascii_case(OPENER) => Outer::Ascii('<'),
            _ => Outer::None,
        })
    }

    /// The evidence between two characters beyond ASCII.
    fn between_wide(&self, evidence: Evidence, range: &Range<usize>) -> Option<Evidence> {
        let (behind, _) = self.wide_char(range.end)?;
        let behind = char::from_u32(behind)?;
        if !may_close(behind) {
            return Some(evidence);
        }
        if self.charset != Charset::UTF_8 {
            return None;
        }
        let from = range.start.saturating_sub(4);
        let before = self.bytes.get(from..range.start)?;
        let lead = before.iter().rposition(|byte| byte & 0xC0 == 0xC0)?;
        let before = Charset::as_text(before.get(lead..)?)?.chars().next()?;
        Some(evidence.between(before, behind))
    }
}
