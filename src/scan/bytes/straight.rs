//! Links with letters of their own script in a window, judged as the bytes that they are.

use super::super::native::{Edge, Native, Natives, Reading};
use super::super::{ByteHit, Kind};
use super::Walk;
use crate::charset::{Charset, MappedText};

impl<'a, 'w> Walk<'a, 'w> {
    /// `None`: the scanner's settings are none that it knows.
    pub(super) fn natives(&self) -> Option<Natives<'w, 'a>> {
        let edge = |is_whole: bool| if is_whole { Edge::Whole } else { Edge::Cut };
        let edges = (edge(self.origin == 0), edge(self.last));
        let reading = Reading {
            charset: self.charset,
            exact: self.exact,
            references: self.references,
        };
        Natives::new(self.window, edges, self.scanner, reading)
    }

    /// The link at a trigger, if it is known at once.
    #[inline]
    pub(super) fn native(&mut self, trigger: usize) -> Option<ByteHit<'w>> {
        let link = self.natives.as_ref()?.link(trigger, self.floor)?;
        let text = self.native_text(&link)?;
        self.floor = link.range.end;
        Some(ByteHit {
            range: link.range,
            text,
            kind: Kind::Absolute,
        })
    }

    /// The text of a link; none if what was looked at is no text.
    fn native_text(&self, link: &Native) -> Option<MappedText<'w>> {
        if self.charset != Charset::UTF_8 {
            let bytes = self.window.get(link.range.clone())?;
            return Some(self.decoded_link(bytes));
        }
        let seen = self.window.get(link.range.start..link.seen)?;
        let text = std::str::from_utf8(seen).ok()?.get(..link.range.len())?;
        Some(MappedText::identity(text))
    }

    fn decoded_link(&self, bytes: &'w [u8]) -> MappedText<'w> {
        match std::str::from_utf8(bytes)
            .ok()
            .filter(|text| text.is_ascii())
        {
            Some(text) => MappedText::identity(text),
            None => self.charset.decode_mapped(bytes),
        }
    }

    #[cfg(test)]
    pub(super) fn native_steps(&self) -> u64 {
        self.natives
            .as_ref()
            .map_or(0, |natives| natives.steps.get())
    }
}
