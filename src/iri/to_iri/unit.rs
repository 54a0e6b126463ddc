//! One unit of display: a component of RFC 3987 4.2, or the part of one.

use super::Display;
use crate::iri::bidi::{Direction, broken, direction};
use crate::iri::class::{self, RESERVED, UNRESERVED};
use crate::iri::display::{self, ZWJ, ZWNJ};
use crate::iri::percent;
use crate::report::{Note, Notes};
use std::ops::Range;

/// Where a unit stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// In a query, where private use is allowed.
    Query,
    /// In any other component.
    Elsewhere,
}

/// A character of the unit, or an octet that is none.
#[derive(Clone, Copy, Debug)]
struct Item {
    /// U+FFFD for an octet.
    ch: char,
    /// Where it is written in the unit.
    start: usize,
    end: usize,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// It is not encoded.
    Raw,
    /// It is decoded.
    Shown,
    /// It stays as it is written.
    Stays,
    /// It is encoded again, in upper case.
    Again,
}

impl Item {
    fn is_visible(&self) -> bool {
        matches!(self.state, State::Raw | State::Shown)
    }

    /// A decoded character is encoded again. ASCII is always shown: only letters, digits and
    /// `-._~` get here.
    fn hide(&mut self) {
        if self.state == State::Shown && !self.ch.is_ascii() {
            self.state = State::Again;
        }
    }
}

/// Decodes units one after the other.
pub(super) struct Unit<'s> {
    display: Display,
    shown: &'s dyn Fn(char) -> bool,
    items: Vec<Item>,
    notes: Notes,
}

impl<'s> Unit<'s> {
    pub(super) fn new(display: Display, shown: &'s dyn Fn(char) -> bool) -> Unit<'s> {
        Unit {
            display,
            shown,
            items: Vec::new(),
            notes: Notes::NONE,
        }
    }

    /// What was remarkable so far.
    pub(super) fn notes(&self) -> Notes {
        self.notes
    }

    /// Whether the caller can show all of a text.
    pub(super) fn shows(&self, text: &str) -> bool {
        text.chars().all(|ch| ch.is_ascii() || (self.shown)(ch))
    }

    /// Writes the display form of a unit.
    pub(super) fn write(&mut self, text: &str, place: Place, out: &mut String) {
        if memchr::memchr(b'%', text.as_bytes()).is_none() {
            return out.push_str(text);
        }
        let begin = out.len();
        if self.write_simple(text, out) {
            return;
        }
        out.truncate(begin);
        self.read(text, place);
        if self.display == Display::Safe {
            self.hide_unnormalized();
            self.hide_out_of_context();
            self.hide_bidi();
        }
        for item in &self.items {
            match item.state {
                State::Raw | State::Stays => out.push_str(&text[item.start..item.end]),
                State::Shown if percent::would_complete(&out[begin..], item.ch) => {
                    out.push_str(&text[item.start..item.end]);
                }
                State::Shown => out.push(item.ch),
                State::Again => percent::push_char(out, item.ch),
            }
        }
    }

    /// Writes a unit of ASCII and simple characters in one go, or of simple letters from right to
    /// left alone. False when it has others; `out` is to be cut back then.
    fn write_simple(&self, text: &str, out: &mut String) -> bool {
        let bytes = text.as_bytes();
        let (mut rtl, mut others) = (false, false);
        let mut previous = '%';
        let mut at = 0;
        loop {
            if bytes.get(at) != Some(&b'%') {
                let Some(length) = memchr::memchr(b'%', &bytes[at..]) else {
                    break;
                };
                let literal = &text[at..at + length];
                if !is_simple(literal) {
                    return false;
                }
                others = true;
                previous = '%';
                out.push_str(literal);
                at += length;
            }
            at = match percent::octet_at(bytes, at) {
                // A bare percent sign: what follows it may be special.
                None => return false,
                Some(octet @ ..0x80) if class::is(octet, UNRESERVED) => {
                    others = true;
                    previous = '%';
                    out.push(char::from(octet));
                    at + 3
                }
                Some(octet) => match percent::wide_char_at(bytes, at, octet) {
                    Some(ch)
                        if (display::is_simple(ch) || display::is_simple_mark(previous, ch))
                            && (self.shown)(ch) =>
                    {
                        others = true;
                        previous = ch;
                        out.push(ch);
                        at + 3 * ch.len_utf8()
                    }
                    Some(ch) if display::is_simple_rtl(ch) && (self.shown)(ch) => {
                        rtl = true;
                        previous = ch;
                        out.push(ch);
                        at + 3 * ch.len_utf8()
                    }
                    Some(_) => return false,
                    None => {
                        others = true;
                        previous = '%';
                        out.push_str(&text[at..at + 3]);
                        at + 3
                    }
                },
            };
        }
        let literal = &text[at..];
        out.push_str(literal);
        others |= !literal.is_empty();
        !(rtl && others) && is_simple(literal)
    }

    /// Cuts the unit into items.
    fn read(&mut self, text: &str, place: Place) {
        self.items.clear();
        let bytes = text.as_bytes();
        let mut at = 0;
        while let Some(ch) = text[at..].chars().next() {
            let item = match percent::octet_at(bytes, at) {
                Some(octet) => self.escaped(bytes, at, octet, place),
                None => {
                    if ch == '%' {
                        self.notes.insert(Note::InvalidPercent);
                    }
                    Item {
                        ch,
                        start: at,
                        end: at + ch.len_utf8(),
                        state: State::Raw,
                    }
                }
            };
            at = item.end;
            self.items.push(item);
        }
    }

    /// What is percent-encoded at `start`: a character, or one octet.
    fn escaped(&mut self, bytes: &[u8], start: usize, octet: u8, place: Place) -> Item {
        let mut item = Item {
            ch: char::from(octet),
            start,
            end: start + 3,
            state: State::Stays,
        };
        if octet < 0x80 {
            if class::is(octet, UNRESERVED) {
                item.state = State::Shown;
            }
            return item;
        }
        item.ch = char::REPLACEMENT_CHARACTER;
        if let Some(ch) = percent::wide_char_at(bytes, start, octet) {
            item.ch = ch;
            item.end = start + 3 * ch.len_utf8();
            item.state = self.state(ch, place);
        }
        item
    }

    /// What becomes of a character beyond ASCII.
    fn state(&mut self, ch: char, place: Place) -> State {
        let is_private = class::is_iprivate(ch);
        if is_private {
            self.notes.insert(Note::PrivateUse);
        } else if class::is_bidi_control(ch) {
            self.notes.insert(Note::BidiControl);
        }
        let may_show = match self.display {
            Display::Safe => matches!(ch, ZWJ | ZWNJ) || display::is_displayable(ch),
            Display::Minimal | Display::All => {
                class::is_ucschar(ch) || is_private && place == Place::Query
            }
        };
        match may_show {
            false => State::Again,
            true if !(self.shown)(ch) => State::Stays,
            true => State::Shown,
        }
    }

    /// Segments of normalization that are not in NFC stay encoded: step 1 of 3.1 would map them to
    /// another URI.
    fn hide_unnormalized(&mut self) {
        let mut start = 0;
        while start < self.items.len() {
            let end = self.segment_end(start);
            let segment = &mut self.items[start..end];
            if segment[0].is_visible() && !display::are_nfc(segment.iter().map(|item| item.ch)) {
                segment.iter_mut().for_each(Item::hide);
            }
            start = end;
        }
    }

    /// The end of the run of items that NFC looks at together.
    fn segment_end(&self, start: usize) -> usize {
        let rest = &self.items[start + 1..];
        if !self.items[start].is_visible() {
            return start + 1;
        }
        let length = rest
            .iter()
            .position(|item| !item.is_visible() || display::begins_segment(item.ch));
        start + 1 + length.unwrap_or(rest.len())
    }

    /// Joiners without their context (RFC 5892) and marks that would combine with a delimiter or
    /// an escape stay encoded.
    fn hide_out_of_context(&mut self) {
        for at in 0..self.items.len() {
            let Item { ch, state, .. } = self.items[at];
            if state != State::Shown || ch.is_ascii() || display::is_simple(ch) {
                continue;
            }
            let is_shown = match ch {
                ZWJ | ZWNJ => display::is_joiner_in_context(ch, self.before(at), self.after(at)),
                _ => !display::is_mark(ch) || self.before(at).next().is_some_and(is_base),
            };
            if !is_shown {
                self.items[at].hide();
            }
        }
    }

    /// The characters before an item, backwards, up to one that is not shown.
    fn before(&self, at: usize) -> impl Iterator<Item = char> + Clone {
        let items = self.items[..at].iter().rev();
        items
            .take_while(|item| item.is_visible())
            .map(|item| item.ch)
    }

    fn after(&self, at: usize) -> impl Iterator<Item = char> {
        let items = self.items[at + 1..].iter();
        items
            .take_while(|item| item.is_visible())
            .map(|item| item.ch)
    }

    /// A unit that breaks the rules of 4.2 stays encoded as a whole. Escapes that stay within it
    /// count as neither direction; at its ends they are no right-to-left characters.
    fn hide_bidi(&mut self) {
        let directions = self.items.iter().map(|item| {
            if item.is_visible() {
                direction(item.ch)
            } else {
                Direction::Neutral
            }
        });
        if broken(directions).any() {
            self.notes.insert(Note::BidiComponent);
            self.items.iter_mut().for_each(Item::hide);
        }
    }
}

/// Whether a text has ASCII and simple characters alone.
fn is_simple(text: &str) -> bool {
    text.is_ascii()
        || text
            .chars()
            .all(|ch| ch.is_ascii() || display::is_simple(ch))
}

/// Where the dots are that part a text into units, also those that will be decoded.
pub(super) fn dots(text: &str) -> impl Iterator<Item = Range<usize>> {
    let bytes = text.as_bytes();
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let at = from
                + bytes[from..]
                    .iter()
                    .position(|byte| matches!(byte, b'.' | b'%'))?;
            from = at + 1;
            match bytes[at..] {
                [b'.', ..] => return Some(at..at + 1),
                [_, b'2', b'e' | b'E', ..] => return Some(at..at + 3),
                _ => {}
            }
        }
    })
}

/// Whether a mark may stand behind this character.
fn is_base(ch: char) -> bool {
    !u8::try_from(ch).is_ok_and(|byte| byte == b'.' || byte == b'%' || class::is(byte, RESERVED))
}
