//! Serialized strings: data of PHP's `serialize`, with a length in front of each string (`s:5:"hello";`).
//!
//! Serialized data stands in dumps of databases, in exports, in code: plain, or within string literals and attributes,
//! whose escapes the length does not count. Nothing is decoded here. A reader follows a text window by window and tells
//! the bytes that a length covers, so that they stay unchanged.

mod count;
mod opening;
#[cfg(test)]
mod tests;
mod values;

pub use values::{SerializedString, serialized_strings};
pub(crate) use values::{begins_serialized, is_serialized};

use count::{Counts, Unit};
use linkglot_charset::simd::pairs::next_pair;
use opening::{Kind, MayOpen, Opening, Parsed};
use std::collections::VecDeque;
use std::ops::Range;

/// Finds the bytes of a text that stand in serialized strings.
///
/// A string is covered from its opening quotation mark to the closing one at the given length, in any way of counting:
/// with or without the escapes of literals (`\"`, `\\\"`, `''`, `&quot;`), in octets or in characters, because a dump
/// may be in another charset than the data was. Without such an end the string reaches as far as the length allows.
///
/// O(length). Memory: the strings between [`SerializedStrings::forget`] and the end of the bytes read.
///
/// ```
/// use linkglot_markup::SerializedStrings;
///
/// let text = br#"{"data": "a:1:{i:0;s:17:\"http://a.example/\";}", "url": "http://b.example/"}"#;
/// let mut strings = SerializedStrings::new(true);
/// strings.read(text, 0);
/// let covers = |link: &str| {
///     let at = text.windows(link.len()).position(|part| part == link.as_bytes());
///     strings.covers(at.unwrap() as u64, (text, 0))
/// };
/// assert!(covers("http://a.example/") && !covers("http://b.example/"));
/// ```
#[derive(Clone, Debug)]
pub struct SerializedStrings {
    /// True if the text is in UTF-8.
    is_utf8: bool,
    /// Byte from which the next window is read. The end of the bytes read so far may cut a form that begins there.
    at: u64,
    state: State,
    /// The strings that have ended, in order.
    closed: VecDeque<Range<u64>>,
}

#[derive(Clone, Copy, Debug)]
enum State {
    Outside,
    /// In a string, the name of a class, or data that a class has serialized itself.
    Inside(Inside),
    /// At the end of the name of a class (`C:1:"A":9:{...}`).
    BehindClass(Opening),
}

#[derive(Clone, Copy, Debug)]
struct Inside {
    /// The start of the string in the text.
    start: u64,
    opening: Opening,
    counts: Counts,
    /// Bytes, by the shortest count, that may still belong to strings in front whose end was not seen.
    debt: u64,
}

/// A part of a text: everything up to the position asked for, or a window with more behind it.
#[derive(Clone, Copy)]
struct Part<'p> {
    bytes: &'p [u8],
    is_last: bool,
}

impl SerializedStrings {
    /// For a text in UTF-8, or in another superset of ASCII.
    ///
    /// ```
    /// assert!(!linkglot_markup::SerializedStrings::new(false).covers(0, (b"", 0)));
    /// ```
    pub fn new(is_utf8: bool) -> Self {
        SerializedStrings {
            is_utf8,
            at: 0,
            state: State::Outside,
            closed: VecDeque::new(),
        }
    }

    /// Reads up to the end of `window`, which begins at the text's byte `origin`. Bytes read before are skipped; the
    /// last 128 of them must be in the window, since a form may be cut. Strings that end in front of the window are
    /// forgotten.
    ///
    /// ```
    /// use linkglot_markup::SerializedStrings;
    ///
    /// let text = b"s:6:\"a.test\";";
    /// let mut strings = SerializedStrings::new(true);
    /// for end in 0..=text.len() {
    ///     strings.read(&text[..end], 0);
    /// }
    /// assert!(strings.covers(5, (text, 0)) && !strings.covers(12, (text, 0)));
    /// ```
    pub fn read(&mut self, window: &[u8], origin: u64) {
        self.forget(origin);
        let part = Part {
            bytes: window,
            is_last: false,
        };
        self.advance(part, origin);
    }

    /// Forgets the strings that end in front of a byte.
    ///
    /// ```
    /// use linkglot_markup::SerializedStrings;
    ///
    /// let text = b"s:6:\"a.test\"; ";
    /// let mut strings = SerializedStrings::new(true);
    /// strings.read(text, 0);
    /// strings.forget(13);
    /// assert!(!strings.covers(5, (text, 0)));
    /// ```
    pub fn forget(&mut self, before: u64) {
        while self
            .closed
            .front()
            .is_some_and(|string| string.end <= before)
        {
            self.closed.pop_front();
        }
    }

    /// True if a byte that was read stands in a serialized string. The window is the one of the last call of
    /// [`read`](Self::read), or a shorter one that reaches the byte.
    ///
    /// ```
    /// use linkglot_markup::SerializedStrings;
    ///
    /// let text = b"s:17:\"http://a.example/\";";
    /// let mut strings = SerializedStrings::new(true);
    /// strings.read(text, 0);
    /// assert!(strings.covers(6, (text, 0)));
    /// ```
    pub fn covers(&self, at: u64, (window, origin): (&[u8], u64)) -> bool {
        if at < self.at {
            let next = self.closed.partition_point(|string| string.end <= at);
            let in_closed = self.closed.get(next).is_some_and(|next| next.start <= at);
            return in_closed || self.is_inside(at);
        }
        let before = at.saturating_sub(origin) as usize;
        let mut ahead = SerializedStrings {
            closed: VecDeque::new(),
            ..*self
        };
        let part = Part {
            bytes: window.get(..before).unwrap_or(window),
            is_last: true,
        };
        ahead.advance(part, origin);
        ahead.is_inside(at)
    }

    /// True if a range of bytes meets a serialized string, as far as strings were read, which may end 128 bytes before
    /// the end of the last window.
    ///
    /// ```
    /// use linkglot_markup::SerializedStrings;
    ///
    /// let text = format!("s:6:\"a.test\";{}", " ".repeat(128));
    /// let mut strings = SerializedStrings::new(true);
    /// strings.read(text.as_bytes(), 0);
    /// assert!(strings.covers_some(0..8) && !strings.covers_some(12..20));
    /// ```
    pub fn covers_some(&self, range: Range<u64>) -> bool {
        let next = self
            .closed
            .partition_point(|string| string.end <= range.start);
        let next = self.closed.get(next);
        next.is_some_and(|next| next.start < range.end) || self.is_inside(range.end - 1)
    }

    /// True if a byte stands in the string that has not ended yet.
    fn is_inside(&self, at: u64) -> bool {
        matches!(self.state, State::Inside(inside) if inside.start <= at)
    }

    /// Reads a part as far as possible.
    fn advance(&mut self, part: Part<'_>, origin: u64) {
        let mut at = self.at.saturating_sub(origin) as usize;
        while at < part.bytes.len() {
            let next = match self.state {
                State::Outside => self.seek(part, at, origin),
                State::Inside(inside) => self.count(inside, part, at, origin),
                State::BehindClass(class) => self.body(class, part, at, origin),
            };
            match next {
                Some(next) => at = next,
                None => break,
            }
            self.at = origin + at as u64;
        }
    }

    /// Seeks the next opening from `at` on. Returns the position behind it, or the end; `None` if an opening is cut.
    fn seek(&mut self, part: Part<'_>, at: usize, origin: u64) -> Option<usize> {
        let end = self
            .closed
            .back()
            .and_then(|last| last.end.checked_sub(origin));
        let end = end.map(|end| end as usize);
        let mut from = at.saturating_sub(1);
        while let Some(first) = next_pair::<MayOpen>(part.bytes, from) {
            let mark = first + 1;
            from = mark;
            let found = if opening::may_begin(part.bytes, first) {
                opening::parse(&part.bytes[first..], part.is_last)
                    .then(|opening, length| Parsed::Yes(opening, first + length))
            } else if part.bytes[mark] == b':' {
                opening::row(part.bytes, mark, end, part.is_last)
            } else {
                Parsed::No
            };
            match found {
                Parsed::No => {}
                Parsed::Cut => {
                    self.at = origin + first as u64 + 1;
                    return None;
                }
                Parsed::Yes(opening, start) => {
                    self.begin(opening, origin + start as u64);
                    return Some(start);
                }
            }
        }
        Some(part.bytes.len())
    }

    fn begin(&mut self, opening: Opening, start: u64) {
        self.state = State::Inside(Inside::new(opening, start, 0));
    }

    /// Counts on from `at`. Returns the position behind the counted bytes; `None` if a form is cut.
    fn count(
        &mut self,
        mut inside: Inside,
        part: Part<'_>,
        mut at: usize,
        origin: u64,
    ) -> Option<usize> {
        let next = loop {
            if at == part.bytes.len() {
                break Some(at);
            }
            match inside.closing(part, at) {
                Parsed::Yes(is_doubled, end) => {
                    if inside.opening.form.may_be_doubled && !is_doubled {
                        // In CSV the string goes on.
                        inside.debt = inside.debt.max(inside.opening.length);
                    }
                    self.end(inside, origin + end as u64);
                    return Some(end);
                }
                Parsed::Cut => break None,
                Parsed::No => {}
            }
            if inside.room() == 0 {
                self.end(inside, origin + at as u64);
                return Some(at);
            }
            match inside.next_opening(part, at) {
                Parsed::Yes(opening, length) => {
                    at += length;
                    inside =
                        Inside::new(opening, inside.start, inside.debt_left().max(inside.room()));
                    continue;
                }
                Parsed::Cut => break None,
                Parsed::No => {}
            }
            let Some(unit) = inside.unit(part, at, self.is_utf8) else {
                break None;
            };
            inside.counts.add(&unit);
            at += unit.bytes;
        };
        self.state = State::Inside(inside);
        self.at = origin + at as u64;
        next
    }

    /// Ends a string, at its closing quotation mark or as far as it may reach.
    fn end(&mut self, inside: Inside, end: u64) {
        let debt = inside.debt_left();
        if debt > 0 {
            let rest = Opening {
                kind: Kind::Rest,
                length: debt,
                ..inside.opening
            };
            self.state = State::Inside(Inside::new(rest, inside.start, 0));
            return;
        }
        self.closed.push_back(inside.start..end);
        let is_closed = inside.room() > 0 || inside.counts.least() == inside.opening.length;
        self.state = match inside.opening.kind {
            Kind::Class if is_closed => State::BehindClass(inside.opening),
            _ => State::Outside,
        };
    }

    /// Reads the length behind the name of a class.
    fn body(&mut self, class: Opening, part: Part<'_>, at: usize, origin: u64) -> Option<usize> {
        self.state = State::Outside;
        match opening::body(&part.bytes[at..], class, part.is_last) {
            Parsed::Cut => {
                self.state = State::BehindClass(class);
                None
            }
            Parsed::No => Some(at),
            Parsed::Yes(body, length) => {
                self.begin(body, origin + (at + length) as u64);
                Some(at + length)
            }
        }
    }
}

impl Inside {
    fn new(opening: Opening, start: u64, debt: u64) -> Self {
        let counts = if opening.form.may_be_doubled && opening.kind.is_quoted() {
            Counts::behind_two()
        } else {
            Counts::default()
        };
        Inside {
            start,
            opening,
            counts,
            debt,
        }
    }

    /// Number of bytes that may still belong to the string, by the shortest count.
    fn room(&self) -> u64 {
        self.opening.length.saturating_sub(self.counts.least())
    }

    fn debt_left(&self) -> u64 {
        self.debt.saturating_sub(self.counts.least())
    }

    /// The opening of another string at `at`, if this one may have ended before. By the shortest count this string may
    /// go on for long.
    fn next_opening(&self, part: Part<'_>, at: usize) -> Parsed<Opening> {
        let may_have_ended =
            self.opening.kind == Kind::Rest || self.counts.most() > self.opening.length;
        let bytes = &part.bytes[at..];
        if !may_have_ended || !opening::may_begin(part.bytes, at) {
            return Parsed::No;
        }
        opening::parse(bytes, part.is_last)
    }

    /// The next piece of the string; `None` if it may be cut.
    fn unit(&self, part: Part<'_>, at: usize, is_utf8: bool) -> Option<Unit> {
        let Opening { kind, form, length } = self.opening;
        let bytes = &part.bytes[at..];
        if !count::is_plain(bytes[0]) {
            return count::unit(bytes, (form, kind), part.is_last);
        }
        // All bytes before the string may end, then byte by byte, since another string may begin.
        let certain = length.saturating_sub(self.counts.most());
        let most = match (certain, kind) {
            (1.., Kind::String | Kind::HexString | Kind::Class | Kind::Body) => {
                certain.min(self.room())
            }
            _ => 1,
        };
        Some(count::plain(bytes, most, is_utf8))
    }

    /// The closing quotation mark, or brace, at the given length; backslashes of the string may stand in front. The
    /// length of [`Parsed::Yes`] is the position of the mark; the value is true if the mark is doubled.
    fn closing(&self, part: Part<'_>, at: usize) -> Parsed<bool> {
        let Opening { kind, length, form } = self.opening;
        let bytes = &part.bytes[at..];
        match kind {
            Kind::Rest => return Parsed::No,
            Kind::Body => {
                let are = |is_doubled| self.counts.are(length, (form, is_doubled), (0, Some(0)));
                let is_end = bytes[0] == b'}' && (are(false) || are(true));
                return if is_end {
                    Parsed::Yes(false, at)
                } else {
                    Parsed::No
                };
            }
            _ => {}
        }
        let own = match form.backslashes_before(bytes, part.is_last) {
            Parsed::Yes(own, _) => own,
            Parsed::Cut => return Parsed::Cut,
            Parsed::No => return Parsed::No,
        };
        for is_doubled in [false, true] {
            let more = (own as u64, form.undone(own));
            if is_doubled && !form.may_be_doubled
                || !self.counts.are(length, (form, is_doubled), more)
            {
                continue;
            }
            match form.closes(&bytes[own..], (kind.terminator(), is_doubled), part.is_last) {
                Parsed::Yes((), _) => return Parsed::Yes(is_doubled, at + own),
                Parsed::Cut => return Parsed::Cut,
                Parsed::No => {}
            }
        }
        Parsed::No
    }
}
