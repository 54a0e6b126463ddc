//! The links of running text in front of the next one, as they are written now: they decide how it is read.

use super::check::{BEFORE, Patched};
use super::edit::{self, Patch};
use super::mapping::Decision;
use super::plan::Fate;
use crate::charset::Charset;
use crate::link::Found;
use crate::span::SourceSpan;
use std::collections::VecDeque;

/// How many bytes behind another link than the last one it is looked at, too: its judgement looks at up to 64 characters there.
const CLOSE: usize = 128;
/// Links that begin further away are not looked at, however long they are.
const SHOWN: u64 = 2048;
/// Links are remembered while this many bytes or links at most can stand in [`BEFORE`] bytes.
const MOST: usize = BEFORE;

/// Those that were decided, in order.
#[derive(Default)]
pub(super) struct Neighbours {
    links: VecDeque<Written>,
    /// Links that begin in front of this byte of the view stay as they are: one in front of them was left because of how it
    /// reads beside them.
    frozen: u64,
}

/// A link of running text and what was written for it, where windows do not matter.
struct Written {
    span: SourceSpan,
    patches: Vec<(SourceSpan, String)>,
    text: String,
    /// How many bytes it has now.
    length: usize,
}

/// What stands in front of a link in a window.
pub(super) struct Near {
    /// The links that are looked at together with it.
    pub links: Vec<Patched>,
    /// Nothing in front of this is looked at.
    pub floor: usize,
}

impl Neighbours {
    /// Remembers a link that is decided. `view` is the charset of the window.
    pub fn push(&mut self, origin: u64, found: &Found<'_>, fate: &Fate, view: Charset) {
        if self.links.len() == MOST {
            self.links.pop_front();
        }
        self.links
            .push_back(Written::new(origin, found, fate, view));
    }

    /// Those so close in front of the byte `start` of a window that they are looked at together with a link there. Nothing in front
    /// of `floor` matters. `origin` is the view's byte that the window begins with.
    pub fn near(&self, (origin, window): (u64, &[u8]), start: usize, floor: usize) -> Near {
        let mut near = Near {
            links: Vec::new(),
            floor,
        };
        let (mut begin, mut distance) = (start, 0);
        for written in self.links.iter().rev() {
            let end = written.span.end.saturating_sub(origin) as usize;
            if end <= floor {
                break;
            }
            distance += begin.saturating_sub(end);
            let between = window.get(end..begin).unwrap_or(&[]);
            let white = between.iter().position(u8::is_ascii_whitespace);
            let most = if near.links.is_empty() { BEFORE } else { CLOSE };
            // Wherever the window begins: it shows at least so much.
            let is_shown = (origin + start as u64).saturating_sub(written.span.start) <= SHOWN;
            match written.at(origin, floor) {
                Some(link) if distance <= most && is_shown => {
                    begin = link.range.start;
                    distance += written.length;
                    near.links.push(link);
                }
                _ => {
                    // What is glued to a link is read with it.
                    near.floor = end + white.unwrap_or(0);
                    break;
                }
            }
        }
        near.links.reverse();
        near
    }

    /// Leaves all links that begin in front of this byte of the view as they are.
    pub fn freeze(&mut self, until: u64) {
        self.frozen = self.frozen.max(until);
    }

    /// Whether a link that begins there stays as it is.
    pub fn is_frozen(&self, start: u64) -> bool {
        start < self.frozen
    }
}

impl Written {
    fn new(origin: u64, found: &Found<'_>, fate: &Fate, view: Charset) -> Self {
        let text = match &fate.decision {
            Decision::Change(new, _) => new.clone(),
            _ => found.text.text().to_owned(),
        };
        let grown = fate
            .patches
            .iter()
            .map(|patch| edit::encoded_len(patch, view))
            .sum::<usize>();
        let shrunk = fate
            .patches
            .iter()
            .map(|patch| patch.range.len())
            .sum::<usize>();
        let patches = fate.patches.iter();
        Written {
            span: SourceSpan::of_window(origin, &found.range),
            patches: patches
                .map(|patch| {
                    (
                        SourceSpan::of_window(origin, &patch.range),
                        patch.text.clone(),
                    )
                })
                .collect(),
            text,
            length: found.range.len() + grown - shrunk,
        }
    }

    /// The link in a window that begins at the view's byte `origin`; `None` when it is not in it,
    /// or stands before the window's byte `floor`.
    fn at(&self, origin: u64, floor: usize) -> Option<Patched> {
        let range = |span: SourceSpan| {
            let start = usize::try_from(span.start.checked_sub(origin)?).ok()?;
            Some(start..start + span.len() as usize)
        };
        let place = range(self.span).filter(|place| place.start >= floor)?;
        let patches = self.patches.iter().map(|(span, text)| {
            Some(Patch {
                range: range(*span)?,
                text: text.clone(),
            })
        });
        Some(Patched {
            range: place,
            patches: patches.collect::<Option<_>>()?,
            text: self.text.clone(),
        })
    }
}
