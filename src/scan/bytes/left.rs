//! Where segments begin: no further in front of a trigger than what matters to it stands, and where a
//! character begins.

use super::super::control::{self, MAX_CONTROL};
use super::super::enclosed::{self, MAX_OPENER};
use super::super::verbatim::{self, MAX_COMMAND};
use super::Walk;
use crate::ascii;

/// Segments that grow to the left begin at multiples of this many bytes.
const GRAIN: u64 = 4096;
/// How far in front of a trigger a link may begin, in raw bytes: host, local part and `mailto:`
/// in any charset.
const LEFT: usize = 4 << 10;
/// The same where references may write one byte of text with ten.
const LEFT_REFERENCES: usize = 16 << 10;
/// How far in front of a dot white space is looked for at first.
const NEAR: usize = 128;
/// How much in front of a dot is decoded at first when there is none.
const NEAR_DENSE: usize = 64;
/// The longest scheme that is worth a look, and a little more.
const NEAR_SCHEME: usize = 40;

/// Where a segment begins.
#[derive(Clone, Copy)]
pub(super) struct Left {
    pub(super) at: usize,
    /// Whether nothing in front of it matters to the trigger for which it was chosen.
    pub(super) closed: bool,
    /// Whether it is as far as segments go.
    pub(super) is_last: bool,
}

impl Walk<'_, '_> {
    /// Where the segment of a trigger begins at first.
    pub(super) fn near(&mut self, trigger: usize) -> Left {
        let byte = self.window.get(trigger);
        if byte == Some(&b':')
            && let Some(left) = self.near_colon(trigger)
        {
            return left;
        }
        let from = trigger.saturating_sub(NEAR);
        let before = self.window.get(from..trigger).unwrap_or(&[]);
        match before.iter().rposition(|b| ascii::is_space(*b)) {
            // A dot is part of nothing that begins in front of white space.
            Some(space) if byte == Some(&b'.') => Left {
                at: from + space,
                closed: true,
                is_last: false,
            },
            Some(space) => self.behind_spaces(from + space),
            None if self.references => self.far(trigger),
            None => Left {
                at: self.boundary(trigger.saturating_sub(NEAR_DENSE), 0),
                closed: false,
                is_last: false,
            },
        }
    }

    /// In front of the scheme of a colon: the character before it, what may open markup, or all white space, is all that
    /// matters, unless `<URL:` may be there. `None`: it needs a closer look.
    pub(super) fn near_colon(&mut self, colon: usize) -> Option<Left> {
        let from = colon.saturating_sub(NEAR_SCHEME);
        let before = self.window.get(from..colon)?;
        let is_scheme = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.');
        let outer = from + before.iter().rposition(|b| !is_scheme(b))?;
        let byte = *self.window.get(outer)?;
        if ascii::is_space(byte) {
            return Some(self.behind_spaces(outer));
        }
        // What stands in front of marks of emphasis says whether they are some.
        if matches!(byte, b':' | b'\\' | b'_' | b'*' | b'~' | b'=')
            || (self.references && matches!(byte, b';' | b'&' | b'#'))
        {
            return None;
        }
        if self.may_be_verbatim(outer) || self.may_be_written(outer) {
            return None;
        }
        let is_open = enclosed::may_open(byte);
        if is_open && self.references {
            return None;
        }
        let begin = match is_open {
            true => outer.saturating_sub(MAX_OPENER),
            false => outer,
        };
        let begin = self
            .control_begin(outer)
            .map_or(begin, |control| control.min(begin));
        Some(Left {
            at: self.boundary(begin, 0),
            closed: true,
            is_last: false,
        })
    }

    /// Whether the mark at a position may open verbatim text.
    fn may_be_verbatim(&self, mark: usize) -> bool {
        match mark.checked_sub(MAX_COMMAND) {
            Some(from) => self.window.get(from..=mark).is_some_and(verbatim::opens),
            None => self.origin > 0 || self.window.get(..=mark).is_some_and(verbatim::opens),
        }
    }

    /// Whether a byte may be of a control sequence that is written with letters.
    fn may_be_written(&self, outer: usize) -> bool {
        let last = self.window.get(outer).copied();
        let from = (outer + 1).saturating_sub(MAX_CONTROL);
        let before = self.window.get(from..=outer);
        last.is_some_and(control::may_stand_in) && before.is_some_and(control::may_be_written)
    }

    /// Where a control sequence may begin that goes on behind a byte. No control is a trail.
    fn control_begin(&self, at: usize) -> Option<usize> {
        if !self
            .window
            .get(at)
            .copied()
            .is_some_and(control::may_stand_in)
        {
            return None;
        }
        let from = at.saturating_sub(MAX_CONTROL);
        let before = self.window.get(from..at)?;
        let begin = control::last_introducer(before, self.charset, self.exact)?;
        Some(from + begin)
    }

    /// At the begin of the white space that ends with `space`. What is in front of it matters only
    /// when it may be `<` or `<URL:`.
    fn behind_spaces(&self, space: usize) -> Left {
        let from = space.saturating_sub(NEAR_SCHEME);
        let before = self.window.get(from..space).unwrap_or(&[]);
        let spaces = before
            .iter()
            .rev()
            .take_while(|b| ascii::is_space(**b))
            .count();
        let at = space - spaces;
        let opens = match at.checked_sub(1).and_then(|at| self.window.get(at)) {
            None => self.origin + at as u64 > 0,
            Some(b'<') => true,
            Some(b':') => self.references || self.may_be_url_mark(at),
            Some(b';') => self.references,
            Some(_) => false,
        };
        Left {
            at,
            closed: !opens,
            is_last: false,
        }
    }

    /// Whether `<URL:` ends at a position, or may where the window does not hold it. Its letters
    /// stand behind a safe byte and each other, so that they are no trails.
    fn may_be_url_mark(&self, at: usize) -> bool {
        const MARK: &[u8] = b"<URL:";
        match at.checked_sub(MARK.len()) {
            Some(start) => {
                let before = self.window.get(start..at);
                before.is_some_and(|before| before.eq_ignore_ascii_case(MARK))
            }
            None => self.origin > 0,
        }
    }

    /// As far in front of a trigger as segments begin.
    pub(super) fn far(&mut self, trigger: usize) -> Left {
        Left {
            at: self.boundary(self.grain(trigger), 1),
            closed: false,
            is_last: true,
        }
    }

    /// The nearest multiple of the grain that is far enough in front of a position.
    pub(super) fn grain(&self, at: usize) -> usize {
        let left = if self.references {
            LEFT_REFERENCES
        } else {
            LEFT
        };
        let absolute = (self.origin + at as u64).saturating_sub(left as u64);
        (absolute / GRAIN * GRAIN).saturating_sub(self.origin) as usize
    }

    /// A position near `at`, not behind it, where a character begins. `known`: which of the known
    /// ones is near.
    pub(super) fn boundary(&mut self, at: usize, known: usize) -> usize {
        let before = at.checked_sub(1).and_then(|before| self.window.get(before));
        let is_fresh = before.is_none_or(|b| ascii::is_safe(*b))
            || self.exact && self.window.get(at).is_some_and(u8::is_ascii);
        let Some(known) = self.known.get_mut(known) else {
            return at;
        };
        let from = if *known <= at { *known } else { 0 };
        *known = if is_fresh {
            at
        } else {
            let rest = self.window.get(from..).unwrap_or(&[]);
            from + self.charset.resync(rest, at - from)
        };
        *known
    }
}
