//! ASCII links between characters of two bytes, as they stand in text without spaces: nothing but
//! the characters beside the ASCII is decoded, and the link is a part of the window.

use super::super::breaks::Breaks;
use super::super::find::{Finder, Found, Link};
use super::super::text::{Closed, Text};
use super::{Left, PLAIN_RIGHT, Segment, Walk};
use crate::charset::{Charset, MappedText};
use memchr::memchr3;
use std::ops::Range;

/// How many characters behind the ASCII are decoded.
const BEHIND: usize = 4;

/// ASCII around a trigger, and the text that the judgement sees.
struct Frame<'w, 't> {
    /// The window bytes of the ASCII.
    bytes: Range<usize>,
    ascii: &'w str,
    /// The ASCII with the characters beside it.
    text: &'t str,
    /// How many bytes of the text stand in front of the ASCII.
    lead: usize,
}

impl<'w> Walk<'_, 'w> {
    /// What the colon of a scheme in ASCII is part of, in terms of a segment of that ASCII alone;
    /// `None`: it takes more to know it.
    pub(super) fn framed(&mut self, trigger: usize) -> Option<Found> {
        let is_colon = self.window.get(trigger) == Some(&b':');
        let is_flowed = self.scanner.breaks().contains(Breaks::FLOWED);
        if self.references || self.charset == Charset::UTF_8 || !is_colon || is_flowed {
            return None;
        }
        let left = self.near_colon(trigger)?;
        let mut memory = std::mem::take(&mut self.frame);
        let found = self.framed_in(left, trigger, &mut memory);
        self.frame = memory;
        let (bytes, ascii, found) = found?;
        self.segment = Some(Segment {
            left: Left {
                at: bytes.start,
                closed: false,
                is_last: false,
            },
            bytes,
            mapped: MappedText::identity(ascii),
            shown: ascii.len(),
        });
        Some(found)
    }

    fn framed_in(
        &mut self,
        left: Left,
        trigger: usize,
        memory: &mut String,
    ) -> Option<(Range<usize>, &'w str, Found)> {
        let frame = self.frame(left, trigger, memory)?;
        let closed = match left.closed {
            _ if self.origin == 0 && left.at == 0 => Closed::Begin,
            true => Closed::Yes,
            false => Closed::No,
        };
        let floor = match self.floor {
            floor if floor <= left.at => 0,
            floor if floor <= trigger => frame.lead + floor.saturating_sub(frame.bytes.start),
            _ => return None,
        };
        let text = Text::stretch(frame.text, self.classes, closed);
        let finder = Finder {
            text: &text,
            scanner: self.scanner,
            floor,
        };
        let found = finder.at(frame.lead + trigger - frame.bytes.start);
        #[cfg(test)]
        {
            self.steps += text.steps.get() + frame.text.len() as u64;
        }
        if text.is_left_touched() || text.take_touched() {
            return None;
        }
        let found = frame.within(found)?;
        Some((frame.bytes, frame.ascii, found))
    }

    /// The ASCII around a trigger until white space, or a few characters behind it.
    fn frame<'t>(&self, left: Left, trigger: usize, memory: &'t mut String) -> Option<Frame<'w, 't>>
    where
        'w: 't,
    {
        let mut start = left.at;
        let outer = match self.window.get(start..)? {
            [first, ..] if first.is_ascii() => None,
            [first, second, ..] => Some(self.charset.pair([*first, *second])?),
            _ => return None,
        };
        start += 2 * usize::from(outer.is_some());
        let limit = (trigger + PLAIN_RIGHT).min(self.window.len());
        let rest = self.window.get(trigger..limit)?;
        let space = memchr3(b' ', b'\n', b'\t', rest);
        let rest = rest.get(..space.unwrap_or(rest.len()))?;
        let last = trigger + rest.iter().position(|b| !b.is_ascii()).or(space)?;
        let is_spaced = self.window.get(last).is_some_and(u8::is_ascii);
        let bytes = start..last + usize::from(is_spaced);
        let ascii = self.window.get(bytes.clone()).filter(|b| b.is_ascii())?;
        let ascii = Charset::as_text(ascii)?;
        if is_spaced && outer.is_none() {
            return Some(Frame {
                bytes,
                ascii,
                text: ascii,
                lead: 0,
            });
        }
        memory.clear();
        memory.extend(outer);
        let lead = memory.len();
        memory.push_str(ascii);
        if !is_spaced {
            self.push_behind(bytes.end, memory)?;
        }
        Some(Frame {
            bytes,
            ascii,
            text: memory,
            lead,
        })
    }

    /// Appends a few characters from a position on, and at least one.
    fn push_behind(&self, mut at: usize, text: &mut String) -> Option<()> {
        let before = text.len();
        for _ in 0..BEHIND {
            let (ch, len) = match self.window.get(at..)? {
                [byte, ..] if byte.is_ascii() => (char::from(*byte), 1),
                [first, second, ..] => match self.charset.pair([*first, *second]) {
                    Some(ch) => (ch, 2),
                    None => break,
                },
                _ => break,
            };
            text.push(ch);
            at += len;
        }
        (text.len() > before).then_some(())
    }
}

impl Frame<'_, '_> {
    /// A find in terms of the ASCII, if it does not go beyond that.
    fn within(&self, found: Found) -> Option<Found> {
        let at = |at: usize| {
            let at = at.checked_sub(self.lead)?;
            (at <= self.ascii.len()).then_some(at)
        };
        Some(match found {
            Found::Nothing => Found::Nothing,
            Found::Skip(floor) => Found::Skip(at(floor)?),
            Found::Link(link) => Found::Link(Link {
                start: at(link.start)?,
                end: at(link.end)?,
                floor: at(link.floor)?,
                ..link
            }),
        })
    }
}
