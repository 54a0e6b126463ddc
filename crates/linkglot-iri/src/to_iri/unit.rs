//! Decodes units of display: components of RFC 3987 4.2, or parts of them.

use super::settings::Display;
use crate::bidi::direction::{Direction, broken_rules, direction};
use crate::class::{self, RESERVED, UNRESERVED};
use crate::display::{self, ZWJ, ZWNJ};
use crate::notes::{Note, Notes};
use crate::percent;
use std::ops::Range;

/// The component of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Component {
    /// The query, which may have private-use characters.
    Query,
    Other,
}

/// A character of the unit, or an octet that is no character.
#[derive(Clone, Copy, Debug)]
struct Item {
    /// U+FFFD for an octet.
    ch: char,
    /// Range of the item in the unit.
    start: usize,
    end: usize,
    form: Form,
}

/// Form of an item in the URI, and its form in the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Not encoded, written unchanged.
    Raw,
    /// Encoded, written as the character.
    Decoded,
    /// Encoded, written unchanged.
    Encoded,
    /// Encoded, written as an escape in upper case.
    Reencoded,
}

impl Item {
    fn is_visible(&self) -> bool {
        matches!(self.form, Form::Raw | Form::Decoded)
    }

    /// Encodes a decoded character again. Decoded ASCII is always shown: it is unreserved.
    fn hide(&mut self) {
        if self.form == Form::Decoded && !self.ch.is_ascii() {
            self.form = Form::Reencoded;
        }
    }
}

/// Decodes units one after the other.
pub(super) struct UnitDecoder<'s> {
    display: Display,
    shown: &'s dyn Fn(char) -> bool,
    items: Vec<Item>,
    notes: Notes,
}

impl<'s> UnitDecoder<'s> {
    pub(super) fn new(display: Display, shown: &'s dyn Fn(char) -> bool) -> Self {
        UnitDecoder {
            display,
            shown,
            items: Vec::new(),
            notes: Notes::NONE,
        }
    }

    /// The notes on all units so far.
    pub(super) fn notes(&self) -> Notes {
        self.notes
    }

    /// True if the caller can show all of a text.
    pub(super) fn shows(&self, text: &str) -> bool {
        text.chars().all(|ch| ch.is_ascii() || (self.shown)(ch))
    }

    /// Writes the display form of a unit.
    pub(super) fn write(&mut self, text: &str, component: Component, out: &mut String) {
        if memchr::memchr(b'%', text.as_bytes()).is_none() {
            return out.push_str(text);
        }
        let begin = out.len();
        if self.write_simple(text, out) {
            return;
        }
        out.truncate(begin);
        self.read(text, component);
        if self.display == Display::Safe {
            self.hide_unnormalized();
            self.hide_out_of_context();
            self.hide_bidi();
        }
        for item in &self.items {
            let written = &text[item.start..item.end];
            match item.form {
                Form::Raw | Form::Encoded => out.push_str(written),
                Form::Decoded if percent::would_complete(&out[begin..], item.ch) => {
                    out.push_str(written);
                }
                Form::Decoded => out.push(item.ch),
                Form::Reencoded => percent::push_char(out, item.ch),
            }
        }
    }

    /// Writes a unit of ASCII and simple characters in one pass, or of simple right-to-left letters alone. False when
    /// the unit has other characters; the caller cuts `out` back then.
    fn write_simple(&self, text: &str, out: &mut String) -> bool {
        let bytes = text.as_bytes();
        let (mut has_rtl, mut has_others) = (false, false);
        // A mark may combine with the character before it.
        let mut previous = '%';
        let mut at = 0;
        while let Some(length) = memchr::memchr(b'%', &bytes[at..]) {
            let literal = &text[at..at + length];
            if !literal.is_empty() {
                if !is_simple(literal) {
                    return false;
                }
                has_others = true;
                previous = '%';
                out.push_str(literal);
                at += length;
            }
            let decoded = match percent::octet_at(bytes, at) {
                // After a bare percent sign, a decoded digit could complete an escape.
                None => return false,
                Some(octet @ ..0x80) => class::is(octet, UNRESERVED).then_some(char::from(octet)),
                Some(octet) => percent::char_at(bytes, at, octet),
            };
            let Some(ch) = decoded else {
                has_others = true;
                previous = '%';
                out.push_str(&text[at..at + 3]);
                at += 3;
                continue;
            };
            let is_rtl = display::is_simple_rtl(ch);
            let is_simple = ch.is_ascii()
                || is_rtl
                || display::is_simple(ch)
                || display::is_simple_mark(previous, ch);
            if !is_simple || !(ch.is_ascii() || (self.shown)(ch)) {
                return false;
            }
            has_rtl |= is_rtl;
            has_others |= !is_rtl;
            previous = ch;
            out.push(ch);
            at += 3 * ch.len_utf8();
        }
        let literal = &text[at..];
        out.push_str(literal);
        has_others |= !literal.is_empty();
        !(has_rtl && has_others) && is_simple(literal)
    }

    /// Splits the unit into items.
    fn read(&mut self, text: &str, component: Component) {
        self.items.clear();
        let bytes = text.as_bytes();
        let mut at = 0;
        while let Some(ch) = text[at..].chars().next() {
            let item = match percent::octet_at(bytes, at) {
                Some(octet) => self.escaped(bytes, at, octet, component),
                None => {
                    if ch == '%' {
                        self.notes.insert(Note::InvalidPercent);
                    }
                    Item {
                        ch,
                        start: at,
                        end: at + ch.len_utf8(),
                        form: Form::Raw,
                    }
                }
            };
            at = item.end;
            self.items.push(item);
        }
    }

    /// The character, or the single octet, that is percent-encoded at `start`.
    fn escaped(&mut self, bytes: &[u8], start: usize, octet: u8, component: Component) -> Item {
        let mut item = Item {
            ch: char::from(octet),
            start,
            end: start + 3,
            form: Form::Encoded,
        };
        if octet < 0x80 {
            if class::is(octet, UNRESERVED) {
                item.form = Form::Decoded;
            }
            return item;
        }
        item.ch = char::REPLACEMENT_CHARACTER;
        if let Some(ch) = percent::char_at(bytes, start, octet) {
            item.ch = ch;
            item.end = start + 3 * ch.len_utf8();
            item.form = self.form(ch, component);
        }
        item
    }

    /// The form of an encoded character beyond ASCII.
    fn form(&mut self, ch: char, component: Component) -> Form {
        let is_private = class::is_iprivate(ch);
        if is_private {
            self.notes.insert(Note::PrivateUse);
        } else if class::is_bidi_control(ch) {
            self.notes.insert(Note::BidiControl);
        }
        let may_show = match self.display {
            Display::Safe => matches!(ch, ZWJ | ZWNJ) || display::is_displayable(ch),
            Display::All => class::is_ucschar(ch) || is_private && component == Component::Query,
        };
        match may_show {
            false => Form::Reencoded,
            true if !(self.shown)(ch) => Form::Encoded,
            true => Form::Decoded,
        }
    }

    /// Hides segments of normalization that are not in NFC: step 1 of RFC 3987 3.1 would map them to
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

    /// The end of the segment of normalization that begins at `start`: NFC composes nothing across.
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

    /// Hides joiners without their context (RFC 5892), and marks that would combine with a delimiter
    /// or an escape.
    fn hide_out_of_context(&mut self) {
        for at in 0..self.items.len() {
            let Item { ch, form, .. } = self.items[at];
            if form != Form::Decoded || ch.is_ascii() || display::is_simple(ch) {
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

    /// The visible characters before an item, backwards.
    fn before(&self, at: usize) -> impl Iterator<Item = char> + Clone {
        let items = self.items[..at].iter().rev();
        items
            .take_while(|item| item.is_visible())
            .map(|item| item.ch)
    }

    /// The visible characters after an item.
    fn after(&self, at: usize) -> impl Iterator<Item = char> {
        let items = self.items[at + 1..].iter();
        items
            .take_while(|item| item.is_visible())
            .map(|item| item.ch)
    }

    /// Hides a whole unit that breaks the rules of RFC 3987 4.2. Escapes that stay count as neutral, so an escape at an
    /// end of the unit is no right-to-left character.
    fn hide_bidi(&mut self) {
        let directions = self.items.iter().map(|item| {
            if item.is_visible() {
                direction(item.ch)
            } else {
                Direction::Neutral
            }
        });
        if broken_rules(directions).any() {
            self.notes.insert(Note::BidiComponent);
            self.items.iter_mut().for_each(Item::hide);
        }
    }
}

/// True if a text has only ASCII and simple characters.
fn is_simple(text: &str) -> bool {
    text.is_ascii()
        || text
            .chars()
            .all(|ch| ch.is_ascii() || display::is_simple(ch))
}

/// The dots between the units of a text, percent-encoded ones included.
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

/// True if a mark may combine with this character: not for delimiters, dots and percent signs.
fn is_base(ch: char) -> bool {
    !u8::try_from(ch).is_ok_and(|byte| byte == b'.' || byte == b'%' || class::is(byte, RESERVED))
}
