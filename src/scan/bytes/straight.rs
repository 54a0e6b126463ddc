//! Links with letters of their own script in a window, judged as the bytes that they are.

use super::super::native::{Native, Natives, Reading};
use super::super::web::Edge;
use super::super::{ByteHit, Hits, Kind};
use super::Walk;
use crate::charset::Charset;

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

    /// Hands over the link at a trigger, if it is known at once; its end comes back.
    #[inline]
    pub(super) fn native(&mut self, trigger: usize, hits: &mut dyn Hits<'w>) -> Option<usize> {
        let link = self.natives.as_ref()?.link(trigger, self.floor)?;
        let bytes = self.window.get(link.range.clone())?;
        let text = match self.charset == Charset::UTF_8 {
            true => Some(self.seen_text(&link)?),
            false => Charset::as_text(bytes).filter(|text| text.is_ascii()),
        };
        self.floor = link.range.end;
        if !self.scanner.wants(Kind::Absolute) {
            return Some(self.floor);
        }
        match text {
            Some(text) => hits.plain(link.range.start, text, Kind::Absolute),
            None => hits.hit(ByteHit {
                range: link.range,
                text: self.charset.decode_mapped(bytes),
                kind: Kind::Absolute,
            }),
        }
        Some(self.floor)
    }

    /// The text of a link in UTF-8; none if what was looked at is no text.
    fn seen_text(&self, link: &Native) -> Option<&'w str> {
        let seen = self.window.get(link.range.start..link.seen)?;
        std::str::from_utf8(seen).ok()?.get(..link.range.len())
    }

    #[cfg(test)]
    pub(super) fn native_steps(&self) -> u64 {
        self.natives
            .as_ref()
            .map_or(0, |natives| natives.steps.get())
    }
}
