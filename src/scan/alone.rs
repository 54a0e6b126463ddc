//! Links that stand alone. What is found in a text is found again when nothing is around it, or nothing but what encloses it
//! exactly: so a link may be copied or formatted, and stays one. Judgements look at what stands around a link;
//! where that would make it longer or another one than it is alone, it is what it is alone.

use super::enclosed::{self, Markup};
use super::find::{Finder, Found, Link};
use super::stop::Stop;
use super::text::Text;
use super::triggers::{Ground, Triggers};
use super::{Kind, Profile};

/// The most bytes of a link that is looked at alone, so that all looks together are linear: longer ones are what they seem to be.
const MAX_ALONE: usize = 2048;

/// How often a link is cut at most before it is none.
const MAX_CUTS: usize = 4;

impl Finder<'_, '_> {
    /// The link as it is alone, or in nothing but what encloses it exactly; `None`: it is none. O(1).
    pub(super) fn alone(&self, link: Link) -> Option<Link> {
        if link.spaced || link.end - link.start > MAX_ALONE || !self.is_doubtful(link) {
            return Some(link);
        }
        let mut link = link;
        for _ in 0..MAX_CUTS {
            let (open, close) = self.enclosure(link);
            let raw = self.text.slice(link.start, link.end);
            let found = match (open, close) {
                ("", _) => self.first_alone(raw, 0)?,
                _ => self.first_alone(&[open, raw, close].concat(), open.len())?,
            };
            if found.kind != link.kind || found.start < open.len() {
                return None;
            }
            let at = |place: usize| link.start + place - open.len();
            let (start, end) = (at(found.start), at(found.end));
            if (start, end) == (link.start, link.end) {
                return Some(link);
            }
            link = Link {
                start,
                end,
                floor: end,
                ..link
            };
        }
        None
    }

    /// Whether what stands around a link may have a part in its judgement. In UTS 58 it has in what is in front of an address.
    fn is_doubtful(&self, link: Link) -> bool {
        self.scanner.profile != Profile::Uts58 || link.kind == Kind::Email
    }

    /// What opens in front of a link and encloses it exactly, and what closes it; empty: nothing does.
    fn enclosure(&self, link: Link) -> (&str, &str) {
        let text = self.text;
        let outer = match link.start > self.floor {
            true => text.before(link.start),
            false => None,
        };
        let Some(outer) = outer else {
            return ("", "");
        };
        let markup = Markup::of(text, link.start, outer);
        if let Some(markup) = markup.filter(|markup| markup.closes(text, link.end)) {
            return markup.enclosure();
        }
        match outer {
            '<' => ("<", ">"),
            _ if !enclosed::is_enclosed(text, Some(link.start), outer, link.end) => ("", ""),
            '=' => ("x=", ""),
            _ => {
                let next = text.char(link.end).len_utf8();
                let open = text.slice(link.start - outer.len_utf8(), link.start);
                (open, text.slice(link.end, link.end + next))
            }
        }
    }

    /// The first link of a text that begins at `from` or behind it.
    fn first_alone(&self, text: &str, from: usize) -> Option<Link> {
        let inner = Text::new(text, self.text.classes());
        let mut finder = Finder {
            text: &inner,
            scanner: self.scanner,
            floor: 0,
        };
        let ground = Ground::new(text.as_bytes(), self.scanner, Stop::utf8(), false);
        let (mut triggers, mut next, mut found) = (Triggers::new(ground), from, None);
        while let Some(at) = triggers.next(next).filter(|_| found.is_none()) {
            next = at + 1;
            match finder.judged(at) {
                Found::Nothing => {}
                Found::Skip(floor) => finder.floor = floor,
                Found::Link(link) => found = Some(link),
            }
        }
        self.text.add_steps(&inner);
        found
    }
}
