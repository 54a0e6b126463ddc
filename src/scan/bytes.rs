//! Links in bytes of a charset, in windows.
//!
//! Triggers are searched in the raw bytes; around each that its neighbours do not dismiss a short
//! segment is decoded and judged as text. A segment grows as long as the judgement looked past one
//! of its ends, so that the hits depend neither on its begin and end nor on how the run is cut.
//! What grows to the left only once ends at a multiple of a grain counted from the run's begin,
//! which is a function of the run's bytes alone.

mod frame;
mod left;

use super::breaks::{self, Breaks};
use super::classes::Classes;
use super::find::{Finder, Found, Link};
use super::lines::{Depths, Lines, Quoted};
use super::long::{self, Rest};
use super::stop::Stop;
use super::text::{Closed, Text};
use super::triggers::{Ground, Triggers};
use super::web::{Edge, Judged, References, Web};
use super::{ByteHit, Decode, HitText, Hits, Kind, Scanner, State};
use crate::ascii;
use crate::charset::{Charset, MappedText};
use crate::span::TextSpan;
use left::Left;
use memchr::{memchr, memchr3};
use std::ops::Range;

/// The first guess how far behind a trigger its link ends, in UTF-8.
const RIGHT: usize = 256;
/// The same where every byte must be decoded.
const RIGHT_LEGACY: usize = 64;
/// How far behind a trigger its link mostly ends, and how far in front of it it begins, where all
/// is ASCII.
const PLAIN_RIGHT: usize = 144;
const PLAIN_LEFT: usize = 48;
/// How much of UTF-8 is looked at for a trigger and those behind it.
const BLOCK: usize = 256;
/// How far behind the ASCII bytes of a trigger its link mostly ends, where not all is.
const RIGHT_DENSE: usize = 16;
/// How far behind a trigger bytes are looked at in any case.
const RIGHT_MAX: usize = long::MAX_BYTES;
/// No character of any charset, complete or not, has this many bytes.
const LONGEST_CHAR: usize = 8;
/// No name of a character reference is as long.
const LONGEST_NAME: usize = 64;

/// A stretch of the window, decoded.
struct Segment<'w> {
    bytes: Range<usize>,
    mapped: MappedText<'w>,
    /// How much of the text is certain: the last characters may be cut.
    shown: usize,
    left: Left,
}

/// How a segment is cut behind its trigger.
#[derive(Clone, Copy, PartialEq)]
enum Shape {
    /// As long as it may be.
    Whole,
    /// At white space, where there is some.
    UntilSpace,
    /// There, or else soon behind the ASCII bytes of the trigger.
    Short,
}

/// A judgement of a trigger in a segment.
struct Verdict {
    found: Found,
    /// Whether the judgement looked past the segment's begin, or past its end.
    left: bool,
    right: bool,
}

pub(super) struct Walk<'a, 'w> {
    scanner: &'a Scanner,
    classes: &'static Classes,
    window: &'w [u8],
    last: bool,
    decode: &'a dyn Decode,
    charset: Charset,
    exact: bool,
    references: bool,
    /// The window's first byte, counted from the run's begin.
    origin: u64,
    floor: usize,
    /// How many quote marks the line has in which the window begins, if the run does not.
    quotes: Option<usize>,
    lines: Lines,
    /// Judges most links at once.
    web: Option<Web<'w, 'a>>,
    /// The rest of a link that is too long is being passed over.
    rest: Option<Rest>,
    segment: Option<Segment<'w>>,
    /// The last begins of characters that were found near a trigger and far in front of one: no
    /// search for another goes back beyond them, so that all together are linear.
    known: [usize; 2],
    /// The text of the last frame; kept for its memory.
    frame: String,
    /// How many bytes were decoded and characters looked at: what the linearity tests measure.
    #[cfg(test)]
    steps: u64,
}

/// [`Scanner::scan_each`].
pub(super) fn scan<'w>(
    scanner: &Scanner,
    window: &'w [u8],
    last: bool,
    decode: &dyn Decode,
    state: &mut State,
    hits: &mut dyn Hits<'w>,
) -> usize {
    let charset = decode.charset();
    let stop = Stop::of(charset);
    let references = decode.has_references();
    let mut triggers = Triggers::new(Ground::new(window, scanner, stop, references));
    let mut walk = Walk {
        scanner,
        classes: scanner.classes(),
        window,
        last,
        decode,
        charset,
        exact: stop.exact,
        references,
        origin: state.origin,
        floor: state.floor,
        quotes: state.quotes,
        lines: Lines::default(),
        web: None,
        rest: state.rest,
        segment: None,
        known: [0; 2],
        frame: String::new(),
        #[cfg(test)]
        steps: window.len() as u64,
    };
    walk.web = walk.web();
    let at = walk.run(&mut triggers, state.at, hits);
    let keep = walk.keep_from(at);
    let quotes = match last || keep == 0 {
        true => state.quotes,
        false => Some(walk.quoted().depth(keep)),
    };
    *state = State {
        origin: state.origin + keep as u64,
        at: at - keep,
        floor: walk.floor.saturating_sub(keep),
        rest: walk.rest,
        quotes,
        #[cfg(test)]
        steps: state.steps
            + walk.steps
            + walk.lines.steps.get()
            + triggers.steps
            + walk.web.as_ref().map_or(0, |web| web.steps.get()),
    };
    keep
}

impl<'a, 'w> Walk<'a, 'w> {
    /// Judges the triggers from `at` on; what comes back is where the search has to go on.
    fn run(
        &mut self,
        triggers: &mut Triggers<'_>,
        mut at: usize,
        hits: &mut dyn Hits<'w>,
    ) -> usize {
        at = self.behind_rest(at);
        while let Some(trigger) = triggers.next(at) {
            if let Some(link) = self.web_link(trigger) {
                at = link.range.end;
                // Schemes that are refused are not known there.
                if self.scanner.wants(link.kind, "") {
                    self.hand_over(link, hits);
                }
                continue;
            }
            let Some(found) = self.judge(trigger) else {
                return trigger;
            };
            at = trigger + 1;
            if let Some((range, link)) = self.settle(found) {
                at = at.max(range.end);
                let is_too_long = long::is_too_long(link.end - link.start, range.len());
                if is_too_long {
                    self.rest = Some(self.rest_of(range.start));
                    at = self.behind_rest(at);
                }
                if self.scanner.wants(link.kind, self.written(link)) {
                    match is_too_long {
                        true => hits.hit(too_long(range.start, link.kind)),
                        false => hits.hit(self.hit(range, link)),
                    }
                }
            }
        }
        if self.last {
            return self.window.len();
        }
        at.max(self.window.len().saturating_sub(LONGEST_CHAR))
            .min(self.window.len())
    }

    /// The lines of the window.
    fn quoted(&self) -> Quoted<'_> {
        Quoted {
            bytes: self.window,
            references: self.references.then_some(self.decode),
            first: self.quotes,
            lines: &self.lines,
        }
    }

    fn web(&self) -> Option<Web<'w, 'a>> {
        let edge = |is_whole: bool| if is_whole { Edge::Whole } else { Edge::Cut };
        let edges = (edge(self.origin == 0), edge(self.last));
        let web = Web::new(self.window, edges, self.scanner, self.charset)?;
        let references = match self.references {
            true => References::Some,
            false => References::None,
        };
        Some(web.in_bytes(self.exact, references))
    }

    /// The link at a trigger, if it is one that needs no text.
    #[inline]
    fn web_link(&mut self, trigger: usize) -> Option<Judged> {
        let link = self.web.as_ref()?.link(trigger, self.floor)?;
        self.floor = link.range.end;
        Some(link)
    }

    /// A link that needed no text.
    #[inline]
    fn hand_over(&self, link: Judged, hits: &mut dyn Hits<'w>) {
        let bytes = self.window.get(link.range.clone()).unwrap_or(&[]);
        hits.plain(link.range.start, bytes, link.kind);
    }

    /// A link of the segment as it is written.
    fn written(&self, link: Link) -> &str {
        let text = self.segment.as_ref().map(|segment| segment.mapped.text());
        text.and_then(|text| text.get(link.start..link.end))
            .unwrap_or("")
    }

    /// What ends the rest of a link that is too long and begins at `start`.
    fn rest_of(&self, start: usize) -> Rest {
        let outer = start.checked_sub(1).and_then(|at| self.window.get(at));
        Rest::behind(outer.copied())
    }

    /// Where the search goes on: behind the rest of a link that is too long, if there is one here.
    fn behind_rest(&mut self, at: usize) -> usize {
        let Some(rest) = self.rest else {
            return at;
        };
        match rest.end(self.window, at) {
            Some(end) => {
                self.rest = None;
                self.floor = end;
                end
            }
            None => self.window.len(),
        }
    }

    /// What the trigger is part of, in terms of the segment; `None`: more bytes are needed.
    fn judge(&mut self, trigger: usize) -> Option<Found> {
        if let Some(verdict) = self.known_verdict(trigger) {
            return Some(verdict.found);
        }
        if let Some(verdict) = self.plain_verdict(trigger) {
            return Some(verdict.found);
        }
        if let Some(found) = self.framed(trigger) {
            return Some(found);
        }
        let mut left = self.near(trigger);
        let first = if self.charset == Charset::UTF_8 {
            RIGHT
        } else {
            RIGHT_LEGACY
        };
        let mut reach = first;
        loop {
            // Where no white space is near, neighbouring triggers share a longer segment.
            let ahead = if left.is_last {
                reach.max(trigger - left.at)
            } else {
                reach
            };
            self.decode_segment(left, trigger, ahead, reach == first);
            let verdict = self.verdict(trigger)?;
            let end = self.segment.as_ref()?.bytes.end;
            if verdict.left && !left.is_last {
                left = self.far(trigger);
                continue;
            }
            if !verdict.right || self.is_final(end, trigger, reach) {
                return Some(verdict.found);
            }
            if !self.last && trigger + reach >= self.window.len() {
                return None;
            }
            reach = reach.saturating_mul(4).min(RIGHT_MAX);
        }
    }

    /// The judgement of a trigger in the segment of the one before it, if that is good enough.
    fn known_verdict(&mut self, trigger: usize) -> Option<Verdict> {
        let segment = self.segment.as_mut()?;
        if !segment.bytes.contains(&trigger) {
            return None;
        }
        segment.left.closed = false;
        self.whole_verdict(trigger)
    }

    /// The judgement of a trigger among the bytes around it, if they are text as they stand and
    /// that is enough.
    fn plain_verdict(&mut self, trigger: usize) -> Option<Verdict> {
        let (bytes, text) = self.plain_text_around(trigger)?;
        self.segment = Some(Segment {
            left: Left {
                at: bytes.start,
                closed: false,
                is_last: false,
            },
            bytes,
            mapped: MappedText::identity(text),
            shown: text.len(),
        });
        self.whole_verdict(trigger)
    }

    fn plain_text_around(&mut self, trigger: usize) -> Option<(Range<usize>, &'w str)> {
        let bytes = if self.is_utf8() {
            self.block(trigger)
        } else {
            self.plain_stretch(trigger)?
        };
        #[cfg(test)]
        {
            self.steps += bytes.len() as u64;
        }
        let text = Charset::as_text(self.window.get(bytes.clone())?)?;
        Some((bytes, text))
    }

    /// Whether bytes that are well-formed are their own text.
    fn is_utf8(&self) -> bool {
        self.charset == Charset::UTF_8 && !self.references
    }

    /// The window's end without a character of UTF-8 behind `from` that it may cut.
    fn whole_end(&self, from: usize) -> usize {
        let end = self.window.len();
        // The longest character has a byte more than these.
        let tail = (from..end).rev().take(3);
        let byte = |at: usize| self.window.get(at).copied().unwrap_or(0);
        let last = tail
            .into_iter()
            .find(|&at| !matches!(byte(at), 0x80..=0xBF));
        last.filter(|&at| !self.last && byte(at) >= 0x80)
            .unwrap_or(end)
    }

    /// Characters around a trigger in UTF-8, if all of them are well-formed.
    fn block(&self, trigger: usize) -> Range<usize> {
        let is_cut = |at: &usize| matches!(self.window.get(*at), Some(0x80..=0xBF));
        let start = trigger.saturating_sub(PLAIN_LEFT);
        let start = (start..trigger).find(|at| !is_cut(at)).unwrap_or(trigger);
        let end = (trigger + BLOCK).min(self.window.len());
        if end == self.window.len() {
            return start..self.whole_end(trigger);
        }
        let whole = (trigger..=end).rev().find(|at| !is_cut(at));
        start..whole.unwrap_or(end)
    }

    /// ASCII bytes around a trigger that are characters of their own. Where ASCII bytes may be
    /// trails, they are not behind another ASCII byte.
    fn plain_stretch(&self, trigger: usize) -> Option<Range<usize>> {
        let mut start = trigger.saturating_sub(PLAIN_LEFT);
        let end = (trigger + PLAIN_RIGHT).min(self.window.len());
        let bytes = self.window.get(start..end)?;
        if !bytes.is_ascii() {
            return None;
        }
        if self.references {
            // A reference goes through no white space.
            let left = bytes.get(..trigger - start)?;
            let space = left.iter().rposition(|b| ascii::is_space(*b))?;
            let is_free = memchr(b'&', bytes.get(space..)?).is_none();
            return is_free.then_some(start + space..end);
        }
        start += usize::from(start > 0);
        Some(start..end)
    }

    /// A judgement in the segment at hand that needs no other.
    fn whole_verdict(&mut self, trigger: usize) -> Option<Verdict> {
        let verdict = self.verdict(trigger)?;
        (!verdict.left && !verdict.right).then_some(verdict)
    }

    fn verdict(&mut self, trigger: usize) -> Option<Verdict> {
        let segment = self.segment.as_ref()?;
        let shown = segment.mapped.text().get(..segment.shown).unwrap_or("");
        let start = segment.bytes.start;
        let closed = match segment.left.closed {
            _ if self.origin == 0 && start == 0 => Closed::Begin,
            // Behind a soft break a link may have begun in the line before.
            true if !self.scanner.breaks().contains(Breaks::FLOWED) => Closed::Yes,
            _ => Closed::No,
        };
        let lines = SegmentLines {
            quoted: self.quoted(),
            segment,
        };
        let text = Text::stretch(shown, self.classes, closed).behind(&lines);
        let finder = Finder {
            text: &text,
            scanner: self.scanner,
            floor: match self.floor.saturating_sub(start) {
                0 => 0,
                floor => segment.mapped.text_at(floor),
            },
        };
        let is_inside = trigger < segment.bytes.end;
        let at = if segment.mapped.is_identity() {
            trigger - start
        } else {
            segment.mapped.text_at(trigger - start)
        };
        let found = match text.char(at) {
            ':' | '.' | '。' if is_inside => finder.at(at),
            _ => Found::Nothing,
        };
        let verdict = Verdict {
            found,
            left: text.is_left_touched(),
            right: !is_inside
                || text.take_touched()
                || self.is_open_reference(trigger, segment.bytes.end),
        };
        #[cfg(test)]
        {
            let steps = text.steps.get();
            self.steps += steps;
        }
        Some(verdict)
    }

    /// Whether nothing behind the segment is looked at: the run ends, or the bound of any link.
    fn is_final(&self, end: usize, trigger: usize, reach: usize) -> bool {
        (self.last && end >= self.window.len())
            || (reach == RIGHT_MAX && trigger + reach <= self.window.len())
    }

    /// Translates a find into window bytes.
    fn settle(&mut self, found: Found) -> Option<(Range<usize>, Link)> {
        let segment = self.segment.as_ref()?;
        let source = |from, to| {
            if segment.mapped.is_identity() {
                return segment.bytes.start + from..segment.bytes.start + to;
            }
            let range = segment.mapped.source(TextSpan::new(from, to));
            segment.bytes.start + range.start..segment.bytes.start + range.end
        };
        match found {
            Found::Nothing => None,
            Found::Skip(floor) => {
                self.floor = source(0, floor).end;
                None
            }
            Found::Link(link) => {
                let range = source(link.start, link.end);
                self.floor = if link.floor == link.end {
                    range.end
                } else {
                    source(link.start, link.floor).end
                };
                Some((range, link))
            }
        }
    }

    /// Makes the segment that begins at `left` reach `ahead` bytes behind the trigger, or with
    /// `spaces` to white space in front of that.
    fn decode_segment(&mut self, left: Left, trigger: usize, ahead: usize, spaces: bool) {
        let limit = (trigger + ahead).min(self.window.len());
        let start = left.at;
        let shape = match (spaces, left.is_last) {
            (false, _) => Shape::Whole,
            (true, true) => Shape::UntilSpace,
            (true, false) => Shape::Short,
        };
        let (end, sharp) = self.segment_end(trigger, limit, shape);
        let mapped = self.decoded(start..end);
        #[cfg(test)]
        {
            self.steps += (end - start) as u64;
        }
        let (end, shown) = if sharp {
            (end, mapped.text().len())
        } else {
            let shown = mapped.text_at((end - start).saturating_sub(LONGEST_CHAR));
            let whole = mapped.source(TextSpan::new(0, shown)).end;
            (start + whole, shown)
        };
        self.segment = Some(Segment {
            bytes: start..end,
            mapped,
            shown,
            left,
        });
    }

    /// The text of whole characters. ASCII is itself in every charset.
    fn decoded(&self, range: Range<usize>) -> MappedText<'w> {
        let bytes = self.window.get(range).unwrap_or(&[]);
        let is_plain = !self.references || memchr(b'&', bytes).is_none();
        if is_plain
            && (self.charset == Charset::UTF_8 || bytes.is_ascii())
            && let Some(text) = Charset::as_text(bytes)
        {
            return MappedText::identity(text);
        }
        self.decode.decode(bytes)
    }

    /// The end of a segment, and whether a character certainly ends there.
    fn segment_end(&self, trigger: usize, mut limit: usize, shape: Shape) -> (usize, bool) {
        if shape != Shape::Whole {
            let rest = self.window.get(trigger..limit).unwrap_or(&[]);
            if let Some(space) = memchr3(b' ', b'\n', b'\t', rest) {
                return (trigger + space + 1, true);
            }
            if shape == Shape::Short {
                let ascii = rest.iter().take_while(|b| b.is_ascii()).count();
                limit = limit.min(trigger + ascii + RIGHT_DENSE);
            }
        }
        if limit == self.window.len() && self.last {
            return (limit, true);
        }
        if self.references {
            return (self.before_cut_reference(trigger, limit), false);
        }
        (limit, false)
    }

    /// Whether the trigger begins a reference that may go on behind the segment.
    fn is_open_reference(&self, trigger: usize, end: usize) -> bool {
        if !self.references {
            return false;
        }
        let bytes = self.window.get(trigger..end).unwrap_or(&[]);
        let is_name = |b: &u8| b.is_ascii_alphanumeric() || *b == b'#';
        bytes.first() == Some(&b'&') && bytes.iter().skip(1).all(is_name)
    }

    /// The end in front of a reference that may go on behind it.
    fn before_cut_reference(&self, trigger: usize, end: usize) -> usize {
        let bytes = self.window.get(trigger..end).unwrap_or(&[]);
        let name = bytes
            .iter()
            .rev()
            .take_while(|b| b.is_ascii_alphanumeric() || **b == b'#')
            .count();
        let at = bytes.len() - name;
        match at.checked_sub(1).and_then(|at| bytes.get(at)) {
            Some(b'&') if at > 1 && name < LONGEST_NAME => trigger + at - 1,
            _ => end,
        }
    }

    /// The position from which bytes are needed when the search goes on at `at`.
    fn keep_from(&mut self, at: usize) -> usize {
        if self.last {
            return self.window.len();
        }
        self.boundary(self.grain(at), 1).min(at)
    }

    /// A link of the segment.
    fn hit(&self, range: Range<usize>, link: Link) -> ByteHit<'w> {
        let span = TextSpan::new(link.start, link.end);
        let text = match self.segment.as_ref().map(|segment| &segment.mapped) {
            Some(mapped) => match mapped.as_borrowed() {
                Some(text) => MappedText::identity(span.of(text)),
                None => self
                    .plain_text(&range, span, mapped.text())
                    .unwrap_or_else(|| mapped.slice(span)),
            },
            None => MappedText::new(),
        };
        let text = if link.spaced {
            without_breaks(&text)
        } else {
            text
        };
        ByteHit {
            range,
            kind: link.kind,
            text: HitText::Decoded(text),
        }
    }

    /// The bytes of a range, if they are the text of a span.
    fn plain_text(
        &self,
        range: &Range<usize>,
        span: TextSpan,
        text: &str,
    ) -> Option<MappedText<'w>> {
        let bytes = self.window.get(range.clone())?;
        let is_same = bytes == span.of(text).as_bytes();
        let text = Charset::as_text(bytes).filter(|_| is_same)?;
        Some(MappedText::identity(text))
    }
}

/// The lines of a segment.
struct SegmentLines<'s, 'w> {
    quoted: Quoted<'s>,
    segment: &'s Segment<'w>,
}

impl Depths for SegmentLines<'_, '_> {
    fn depth(&self, at: usize) -> usize {
        let Segment { bytes, mapped, .. } = self.segment;
        let place = match mapped.is_identity() {
            true => at,
            false => mapped.source(TextSpan::new(0, at)).end,
        };
        self.quoted.depth(bytes.start + place)
    }
}

/// What is told of a link that is too long.
fn too_long<'w>(at: usize, kind: Kind) -> ByteHit<'w> {
    ByteHit {
        range: at..at,
        kind,
        text: HitText::Decoded(MappedText::new()),
    }
}

/// The text of a link without the breaks that it stands over, with the places of what is left.
fn without_breaks<'w>(text: &MappedText<'_>) -> MappedText<'w> {
    let mut out = MappedText::new();
    for (at, ch) in breaks::unbroken(text.text()) {
        let source = text.source(TextSpan::new(at, at + ch.len_utf8()));
        out.push(ch.encode_utf8(&mut [0; 4]), source);
    }
    out
}
