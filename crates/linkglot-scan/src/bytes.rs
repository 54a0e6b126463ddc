//! Links in bytes of a charset, in windows.
//!
//! Triggers are searched in the raw bytes. Most links are judged there by tables ([`FastFinder`]); for the others the
//! run of the trigger is decoded and judged as text, so that the hits do not depend on how the bytes are cut.

use super::classes::Classes;
use super::disguised;
use super::fast::{Edge, FastFinder, FastLink, References};
use super::find::{Finder, Found, Link};
use super::native_domains::NativeDomains;
use super::overlong::{self, OverlongRest};
use super::run::around::{self, Runs};
use super::text::Text;
use super::triggers::{Haystack, Triggers};
use super::{ByteHit, Decode, HitText, Hits, Scanner, State, breaks};
use linkglot_charset::span::TextSpan;
use linkglot_charset::{Charset, MappedText, ascii};
use memchr::{memchr, memchr2, memmem};
use std::ops::Range;

/// Number of bytes behind a trigger that are decoded at first.
const AHEAD: usize = 256;
/// As [`AHEAD`], where every byte must be decoded.
const AHEAD_LEGACY: usize = 64;
/// The most bytes that are decoded behind a trigger.
const AHEAD_MAX: usize = overlong::MAX_BYTES;
/// No character of any charset, complete or not, has this many bytes.
const LONGEST_CHAR: usize = 8;
/// The most bytes of the name of a character reference.
const LONGEST_REFERENCE: usize = 64;
/// Number of bytes in front of a run that may matter to the tables, or to the words that are tied to it.
const MARGIN: usize = 96;
const _: () = assert!(MARGIN > disguised::BEFORE);

/// A part of a run, decoded.
struct Segment<'w> {
    bytes: Range<usize>,
    mapped: MappedText<'w>,
    /// Start of the run; none if the run is the content of angle brackets.
    run: Option<usize>,
    /// Length of the text that is certain: the last characters may be cut.
    shown: usize,
}

pub(super) struct Walk<'a, 'w> {
    scanner: &'a Scanner,
    classes: &'static Classes,
    window: &'w [u8],
    last: bool,
    decode: &'a dyn Decode,
    charset: Charset,
    references: bool,
    floor: usize,
    /// Judges most links without decoding.
    web: Option<FastFinder<'w, 'a>>,
    /// The rest of a link that is too long, while it is skipped.
    rest: Option<OverlongRest>,
    runs: Runs,
    segment: Option<Segment<'w>>,
    /// A position where a character begins: the last one asked for.
    boundary: usize,
    /// Number of bytes decoded and characters looked at, as the linearity tests measure it.
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
    let natives = NativeDomains::of(charset);
    let references = decode.has_references();
    let mut triggers = Triggers::new(Haystack::new(window, scanner, natives, references));
    let edge = |is_whole: bool| if is_whole { Edge::Whole } else { Edge::Cut };
    let web = FastFinder::new(
        window,
        (edge(state.origin == 0), edge(last)),
        scanner,
        charset,
    );
    let in_bytes = if references {
        References::Some
    } else {
        References::None
    };
    let mut walk = Walk {
        scanner,
        classes: scanner.classes(),
        window,
        last,
        decode,
        charset,
        references,
        floor: state.floor,
        web: web.map(|web| web.in_bytes(natives.ascii_stands_alone, in_bytes)),
        rest: state.rest,
        runs: Runs::new(scanner, references),
        segment: None,
        boundary: 0,
        #[cfg(test)]
        steps: window.len() as u64,
    };
    let at = walk.run(&mut triggers, state.at, hits);
    let keep = walk.keep_from(at);
    *state = State {
        origin: state.origin + keep as u64,
        at: at - keep,
        floor: walk.floor.saturating_sub(keep),
        rest: walk.rest,
        #[cfg(test)]
        steps: state.steps
            + walk.steps
            + triggers.steps
            + walk.web.as_ref().map_or(0, |web| web.steps.get()),
    };
    keep
}

impl<'w> Walk<'_, 'w> {
    /// Judges the triggers from `at` on. Returns the position where the search goes on.
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
                // The tables know no refused schemes.
                if self.scanner.wants(link.kind, "") {
                    let bytes = self.window.get(link.range.clone()).unwrap_or(&[]);
                    hits.plain(link.range.start, bytes, link.kind, link.evidence);
                }
                continue;
            }
            let Some(found) = self.judge(trigger) else {
                return trigger;
            };
            at = trigger + 1;
            if let Some((range, link)) = self.settle(found) {
                at = at.max(range.end);
                self.hand_over(range, link, hits);
                at = self.behind_rest(at);
            }
        }
        if self.last {
            return self.window.len();
        }
        at.max(self.window.len().saturating_sub(LONGEST_CHAR))
            .min(self.window.len())
    }

    /// The link at a trigger, if the tables know it.
    #[inline]
    fn web_link(&mut self, trigger: usize) -> Option<FastLink> {
        let link = self.web.as_ref()?.link(trigger, self.floor)?;
        self.floor = link.range.end;
        Some(link)
    }

    fn hand_over(&mut self, range: Range<usize>, link: Link, hits: &mut dyn Hits<'w>) {
        let is_too_long = overlong::is_too_long(link.end - link.start, range.len());
        if is_too_long {
            let outer = range
                .start
                .checked_sub(1)
                .and_then(|at| self.window.get(at));
            self.rest = Some(OverlongRest::behind(outer.copied()));
        }
        let text = self.segment.as_ref().map(|segment| segment.mapped.text());
        let written = text.and_then(|text| text.get(link.start..link.end));
        if self.scanner.wants(link.kind, written.unwrap_or_default()) {
            if is_too_long {
                hits.hit(too_long(range.start, link))
            } else {
                hits.hit(self.hit(range, link))
            }
        }
    }

    /// Position where the search goes on: behind the rest of a link that is too long, if such a link goes on here.
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

    /// Judges a trigger, in positions of the segment; `None`: more bytes are needed.
    fn judge(&mut self, trigger: usize) -> Option<Found> {
        let run = self.runs.around(self.window, trigger);
        let found = self.judge_in(run.clone(), trigger)?;
        match found {
            Judgement::Of(found) => Some(found),
            Judgement::Bracket(found) => self.judge_bracket(run, trigger, found),
        }
    }

    fn judge_in(&mut self, run: Range<usize>, trigger: usize) -> Option<Judgement> {
        if let Some((judgement, false)) = self.judge_again(&run, trigger) {
            return Some(judgement);
        }
        let mut ahead = if self.charset == Charset::UTF_8 {
            AHEAD
        } else {
            AHEAD_LEGACY
        };
        let start = self.character_at(run.start);
        let is_closed = self.last || self.runs.is_closed(self.window, &run);
        loop {
            // In long runs neighbouring triggers share a segment.
            let end = run.end.min(trigger + ahead.max(trigger - start));
            // Nothing behind the run matters.
            let is_whole = is_closed && end == run.end;
            self.decode_segment(start..end, trigger, is_whole);
            let (judgement, is_cut) = self.verdict(trigger)?;
            if !is_cut || is_whole || end == trigger + AHEAD_MAX {
                return Some(judgement);
            }
            if end == self.window.len() {
                return None;
            }
            ahead = ahead.saturating_mul(4).min(AHEAD_MAX);
        }
    }

    /// The judgement in the segment of the trigger before, if that is in the same run.
    fn judge_again(&mut self, run: &Range<usize>, trigger: usize) -> Option<(Judgement, bool)> {
        let segment = self
            .segment
            .as_ref()
            .filter(|segment| segment.bytes.contains(&trigger))?;
        let is_same = segment.run.is_some_and(|start| {
            start == run.start || start < run.start && run.end >= segment.bytes.end
        });
        is_same.then(|| self.verdict(trigger))?
    }

    /// Judges a trigger behind `<` whose run ended before a `>`. Returns the link that the brackets hold over white
    /// space, or else `found`, the result in the run alone.
    fn judge_bracket(&mut self, run: Range<usize>, trigger: usize, found: Found) -> Option<Found> {
        let to = (trigger + around::BRACKETS).min(self.window.len());
        let rest = self.window.get(run.end..to).unwrap_or_default();
        let opener = memchr2(b'<', b'"', rest);
        let reference = || memmem::find(rest, b"&lt").filter(|_| self.references);
        let end = opener.or_else(reference);
        if end.is_none() && to == self.window.len() && !self.last {
            return None;
        }
        let plain = self.segment.take();
        let start = self.character_at(run.start);
        self.decode_segment(
            start..end.map_or(to, |end| run.end + end),
            trigger,
            end.is_some(),
        );
        match self.verdict(trigger) {
            Some((Judgement::Of(Found::Link(link)), _)) if link.spaced => {
                self.segment
                    .iter_mut()
                    .for_each(|segment| segment.run = None);
                Some(Found::Link(link))
            }
            _ => {
                self.segment = plain;
                Some(found)
            }
        }
    }

    /// The judgement of a trigger in the segment, and whether it looked past the segment's end.
    fn verdict(&mut self, trigger: usize) -> Option<(Judgement, bool)> {
        let segment = self.segment.as_ref()?;
        let shown = segment.mapped.text().get(..segment.shown).unwrap_or("");
        let start = segment.bytes.start;
        let text = Text::new(shown, self.classes);
        let place = |byte: usize| {
            if segment.mapped.is_identity() {
                byte
            } else {
                segment.mapped.text_at(byte)
            }
        };
        let finder = Finder {
            text: &text,
            scanner: self.scanner,
            floor: match self.floor.saturating_sub(start) {
                0 => 0,
                floor => place(floor),
            },
        };
        let is_inside = trigger < segment.bytes.end;
        let at = place(trigger - start);
        let found = match text.char(at) {
            ':' | '.' | '。' if is_inside => finder.at(at),
            _ => Found::Nothing,
        };
        let is_cut =
            !is_inside || text.take_touched() || self.is_open_reference(trigger, segment.bytes.end);
        let judgement = if text.is_bracket_open() {
            Judgement::Bracket(found)
        } else {
            Judgement::Of(found)
        };
        #[cfg(test)]
        {
            let steps = text.steps.get();
            self.steps += steps;
        }
        Some((judgement, is_cut))
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

    /// Decodes a range; a `whole` range ends at a character.
    fn decode_segment(&mut self, bytes: Range<usize>, trigger: usize, whole: bool) {
        let is_sharp = whole || bytes.end == self.window.len() && self.last;
        let end = if is_sharp || !self.references {
            bytes.end
        } else {
            self.before_cut_reference(trigger, bytes.end)
        };
        let mapped = self.decoded(bytes.start..end, is_sharp);
        #[cfg(test)]
        {
            self.steps += bytes.len() as u64;
        }
        let (end, shown) = if is_sharp {
            (end, mapped.text().len())
        } else {
            let length = end - bytes.start;
            let shown = mapped.text_at(length.saturating_sub(LONGEST_CHAR));
            let whole = mapped.source(TextSpan::new(0, shown)).end;
            (bytes.start + whole, shown)
        };
        self.segment = Some(Segment {
            bytes: bytes.start..end,
            mapped,
            run: Some(bytes.start),
            shown,
        });
    }

    /// The text of bytes; unless `is_sharp`, the last character may be cut. ASCII is itself in every charset.
    fn decoded(&self, range: Range<usize>, is_sharp: bool) -> MappedText<'w> {
        let bytes = self.window.get(range).unwrap_or(&[]);
        let is_plain = !self.references || memchr(b'&', bytes).is_none();
        if is_plain && (self.charset == Charset::UTF_8 || bytes.is_ascii()) {
            let whole = if is_sharp {
                bytes
            } else {
                without_cut_character(bytes)
            };
            if let Some(text) = Charset::as_text(whole) {
                return MappedText::identity(text);
            }
        }
        self.decode.decode(bytes)
    }

    /// True if the trigger begins a reference that may go on behind the segment.
    fn is_open_reference(&self, trigger: usize, end: usize) -> bool {
        if !self.references {
            return false;
        }
        let bytes = self.window.get(trigger..end).unwrap_or(&[]);
        let is_name = |b: &u8| b.is_ascii_alphanumeric() || *b == b'#';
        bytes.first() == Some(&b'&') && bytes.iter().skip(1).all(is_name)
    }

    /// The end of the bytes without a reference that may go on behind `end`.
    fn before_cut_reference(&self, trigger: usize, end: usize) -> usize {
        let bytes = self.window.get(trigger..end).unwrap_or(&[]);
        let is_name = |b: &&u8| b.is_ascii_alphanumeric() || **b == b'#';
        let name = bytes.iter().rev().take_while(is_name).count();
        let at = bytes.len() - name;
        match at.checked_sub(1).and_then(|at| bytes.get(at)) {
            Some(b'&') if at > 1 && name < LONGEST_REFERENCE => trigger + at - 1,
            _ => end,
        }
    }

    /// The position from which bytes are needed when the search goes on at `at`.
    fn keep_from(&mut self, at: usize) -> usize {
        if self.last {
            return self.window.len();
        }
        let run = match self.window.len() {
            0 => 0..0,
            len => Runs::new(self.scanner, self.references).around(self.window, at.min(len - 1)),
        };
        self.boundary = 0;
        self.character_at(run.start.saturating_sub(MARGIN)).min(at)
    }

    /// A position at or in front of `at` where a character begins.
    fn character_at(&mut self, at: usize) -> usize {
        let byte = |at: usize| self.window.get(at).copied();
        let before = at.checked_sub(1).and_then(byte);
        let is_fresh = before.is_none_or(ascii::is_safe) || byte(at).is_some_and(ascii::is_space);
        if is_fresh {
            return at;
        }
        let from = if self.boundary <= at {
            self.boundary
        } else {
            0
        };
        let rest = self.window.get(from..).unwrap_or(&[]);
        self.boundary = from + self.charset.resync(rest, at - from);
        self.boundary
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
            evidence: link.evidence,
            hyphenated: link.hyphenated,
            parted: link.parted,
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

/// Judgement of a trigger in its run.
enum Judgement {
    Of(Found),
    /// As [`Judgement::Of`], unless angle brackets hold a link over the white space behind the run.
    Bracket(Found),
}

/// Bytes of UTF-8 without the character at their end that may be cut.
fn without_cut_character(bytes: &[u8]) -> &[u8] {
    let lead = bytes
        .iter()
        .rev()
        .take(4)
        .position(|byte| byte & 0xC0 == 0xC0);
    lead.map_or(bytes, |lead| &bytes[..bytes.len() - lead - 1])
}

/// The hit that reports a link that is too long.
fn too_long<'w>(at: usize, link: Link) -> ByteHit<'w> {
    ByteHit {
        range: at..at,
        kind: link.kind,
        evidence: link.evidence,
        hyphenated: link.hyphenated,
        parted: link.parted,
        text: HitText::Decoded(MappedText::new()),
    }
}

/// The text of a link without its breaks, with the places of the remaining characters.
fn without_breaks<'w>(text: &MappedText<'_>) -> MappedText<'w> {
    let mut out = MappedText::new();
    for (at, ch) in breaks::unbroken(text.text()) {
        let source = text.source(TextSpan::new(at, at + ch.len_utf8()));
        out.push(ch.encode_utf8(&mut [0; 4]), source);
    }
    out
}
