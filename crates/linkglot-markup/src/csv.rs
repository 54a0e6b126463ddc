//! CSV and its like (RFC 4180): fields between commas, semicolons, bars or tabs, some of them in quotation marks.
//!
//! A row with malformed quotation marks is running text from there to the end of its line.
//!
//! The module must not know the meaning of running text.

mod head;
#[cfg(test)]
mod tests;

use crate::escape::{CsvStyle, Escaping};
use crate::json::without_cut;
use crate::signs::may_hold_link;
use crate::slot::{Access, Place, SharedPlace, Slot, Step, Syntax, Tokenizer, Window};
use crate::sql::{ended, slot};
use std::ops::Range;

/// The tokenizer of CSV. Fields longer than `max_slot` are skipped.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_markup::{CsvTokenizer, Slots, Syntax};
///
/// let table = b"name,link\n\"a \"\"b\"\"\",http://a.example/,c\n";
/// let slots: Vec<_> = Slots::new(CsvTokenizer::new(None, 1 << 20), table, Charset::UTF_8).collect();
/// assert_eq!((slots.len(), slots[0].syntax), (1, Syntax::Data));
/// assert_eq!(&table[slots[0].range.clone()], b"http://a.example/");
/// ```
#[derive(Debug)]
pub struct CsvTokenizer {
    max_slot: usize,
    /// Known behind the head.
    delimiter: Option<u8>,
    /// The rows of the head that are not read yet: they tell the delimiter, and must go on to do so. All rows are the
    /// head if the delimiter is not sure.
    head_rows: usize,
    begins_row: bool,
    /// True if the last slot is a row, or the rest of one, that is malformed.
    is_malformed: bool,
    state: State,
}

#[derive(Debug)]
enum State {
    /// At the beginning of a field.
    Field,
    /// Within a field in quotation marks that begins at the cursor, and whose first bytes have been searched.
    Quoted(usize),
    /// Within such a field that is too long.
    SkippingQuoted,
    /// Behind such a field.
    Behind,
    /// Within another field that is too long.
    Skipping,
    /// At a row, or the rest of one, whose quotation marks are malformed.
    Rest,
    /// Within such a row that is too long.
    SkippingRest,
}

/// The answer of the search for the end of a field in quotation marks, in positions of the window.
enum Found {
    End(usize),
    /// A quotation mark in front of other text.
    Malformed(usize),
    /// No end in the window; the search goes on at this position.
    Open(usize),
}

impl CsvTokenizer {
    /// A tokenizer at the beginning of a document. Without a delimiter the first rows tell it.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    /// use linkglot_markup::{CsvTokenizer, Slots};
    ///
    /// let slots = |delimiter| Slots::new(CsvTokenizer::new(delimiter, 64), b"a.example;b.example", Charset::UTF_8).count();
    /// assert_eq!((slots(None), slots(Some(b'\t'))), (2, 1));
    /// ```
    pub fn new(delimiter: Option<u8>, max_slot: usize) -> Self {
        CsvTokenizer {
            max_slot,
            delimiter,
            head_rows: if delimiter.is_none() { head::ROWS } else { 0 },
            begins_row: true,
            is_malformed: false,
            state: State::Field,
        }
    }

    fn style(&self, delimiter: u8, is_quoted: bool) -> CsvStyle {
        CsvStyle {
            delimiter,
            is_quoted,
            is_head: self.head_rows > 0,
        }
    }

    /// Reads fields, up to one that may hold a link.
    fn fields(&mut self, delimiter: u8, window: Window<'_>, cursor: &mut usize) -> Option<Step> {
        loop {
            let start = *cursor;
            let rest = &window.bytes[start..];
            match rest.first() {
                None => return Some(ended(window)),
                Some(b'"') => {
                    *cursor += 1;
                    self.state = State::Quoted(0);
                    return None;
                }
                Some(_) => {}
            }
            let found = memchr::memchr3(delimiter, b'\n', b'\r', rest);
            let length = found.unwrap_or(rest.len());
            if length > self.max_slot {
                self.state = State::Skipping;
                return Some(too_long(start));
            }
            if found.is_none() && !window.last {
                return Some(Step::NeedMore);
            }
            let style = self.style(delimiter, false);
            *cursor += length;
            self.go_on(delimiter, length > 0, window, cursor);
            if may_hold_link(&rest[..length], window.charset) {
                return Some(field(start..start + length, style));
            }
        }
    }

    /// Goes behind the mark that ends a field, at the cursor.
    fn go_on(&mut self, delimiter: u8, has_text: bool, window: Window<'_>, cursor: &mut usize) {
        let mark = window.bytes.get(*cursor);
        *cursor += usize::from(mark.is_some());
        if mark == Some(&delimiter) {
            self.begins_row = false;
            return;
        }
        // A line without fields is no row, such as the one between the bytes of CR LF.
        if has_text || !self.begins_row {
            self.head_rows = self.head_rows.saturating_sub(1);
        }
        self.begins_row = true;
    }

    /// Reads the field whose inside begins at the cursor; the first `read` bytes have been searched.
    fn quoted(
        &mut self,
        (delimiter, read): (u8, usize),
        window: Window<'_>,
        cursor: &mut usize,
    ) -> Option<Step> {
        let start = *cursor;
        let found = quoted_end(delimiter, window, start + read);
        let (Found::End(at) | Found::Malformed(at) | Found::Open(at)) = found;
        if at - start > self.max_slot {
            self.state = State::SkippingQuoted;
            return Some(too_long(start));
        }
        match found {
            Found::Open(_) if !window.last => {
                self.state = State::Quoted(at - start);
                Some(Step::NeedMore)
            }
            Found::Open(_) | Found::Malformed(_) => {
                self.state = State::Rest;
                None
            }
            Found::End(at) => {
                *cursor = at + 1;
                self.state = State::Behind;
                let style = self.style(delimiter, true);
                may_hold_link(&window.bytes[start..at], window.charset)
                    .then(|| field(start..at, style))
            }
        }
    }

    fn skip_quoted(
        &mut self,
        delimiter: u8,
        window: Window<'_>,
        cursor: &mut usize,
    ) -> Option<Step> {
        match quoted_end(delimiter, window, *cursor) {
            Found::End(at) => {
                *cursor = at + 1;
                self.state = State::Behind;
                None
            }
            Found::Malformed(at) => {
                *cursor = at;
                self.state = State::Rest;
                None
            }
            Found::Open(at) => {
                *cursor += without_cut(window.charset, &window.bytes[*cursor..at]);
                if window.last {
                    *cursor = window.bytes.len();
                }
                self.state = State::SkippingQuoted;
                Some(ended(window))
            }
        }
    }

    /// Skips a field, or a row up to the end of its line.
    fn skip(
        &mut self,
        (delimiter, skipping): (u8, State),
        window: Window<'_>,
        cursor: &mut usize,
    ) -> Option<Step> {
        let rest = &window.bytes[*cursor..];
        let found = match skipping {
            State::Skipping => memchr::memchr3(delimiter, b'\n', b'\r', rest),
            _ => memchr::memchr2(b'\n', b'\r', rest),
        };
        *cursor += found.unwrap_or(rest.len());
        if found.is_none() {
            self.state = skipping;
            return Some(ended(window));
        }
        self.go_on(delimiter, true, window, cursor);
        None
    }

    /// Reads a row with malformed quotation marks as running text.
    fn rest(&mut self, delimiter: u8, window: Window<'_>, cursor: &mut usize) -> Option<Step> {
        let start = *cursor;
        let rest = &window.bytes[start..];
        let found = memchr::memchr2(b'\n', b'\r', rest);
        let length = found.unwrap_or(rest.len());
        if length > self.max_slot {
            self.state = State::SkippingRest;
            return Some(too_long(start));
        }
        if found.is_none() && !window.last {
            self.state = State::Rest;
            return Some(Step::NeedMore);
        }
        let style = self.style(delimiter, false);
        *cursor += length;
        self.go_on(delimiter, true, window, cursor);
        if length == 0 {
            return None;
        }
        self.is_malformed = true;
        Some(match field(start..start + length, style) {
            Step::Slot(slot) => Step::Slot(Slot {
                syntax: Syntax::EscapedText,
                ..slot
            }),
            step => step,
        })
    }
}

/// The end of a field in quotation marks, searched from a position on.
fn quoted_end(delimiter: u8, window: Window<'_>, from: usize) -> Found {
    let mut at = from;
    while let Some(found) = memchr::memchr(b'"', &window.bytes[at..]) {
        at += found;
        match window.bytes.get(at + 1) {
            Some(b'"') => at += 2,
            Some(b'\n' | b'\r') => return Found::End(at),
            Some(byte) if *byte == delimiter => return Found::End(at),
            Some(_) => return Found::Malformed(at),
            None if window.last => return Found::End(at),
            None => return Found::Open(at),
        }
    }
    Found::Open(window.bytes.len())
}

fn too_long(at: usize) -> Step {
    Step::TooLong(at, Place::clone(&SharedPlace::TEXT))
}

fn field(range: Range<usize>, style: CsvStyle) -> Step {
    slot(range, Escaping::Csv(style), Access::Rewrite)
}

impl Tokenizer for CsvTokenizer {
    fn step(&mut self, window: Window<'_>, cursor: &mut usize) -> Step {
        *cursor = (*cursor).min(window.bytes.len());
        self.is_malformed = false;
        let delimiter = match self.delimiter {
            Some(delimiter) => delimiter,
            None => match head::delimiter(&window.bytes[*cursor..], window.last) {
                Some(shown) => {
                    if !shown.is_sure {
                        // All rows, then, may show another one to a reader.
                        self.head_rows = usize::MAX;
                    }
                    *self.delimiter.insert(shown.delimiter)
                }
                None => return Step::NeedMore,
            },
        };
        loop {
            let step = match std::mem::replace(&mut self.state, State::Field) {
                State::Field => self.fields(delimiter, window, cursor),
                State::Quoted(read) => self.quoted((delimiter, read), window, cursor),
                State::SkippingQuoted => self.skip_quoted(delimiter, window, cursor),
                State::Behind if *cursor == window.bytes.len() => {
                    self.state = State::Behind;
                    Some(ended(window))
                }
                State::Behind => {
                    self.go_on(delimiter, true, window, cursor);
                    None
                }
                skipping @ (State::Skipping | State::SkippingRest) => {
                    self.skip((delimiter, skipping), window, cursor)
                }
                State::Rest => self.rest(delimiter, window, cursor),
            };
            if let Some(step) = step {
                return step;
            }
        }
    }

    fn is_malformed(&self) -> bool {
        self.is_malformed
    }
}
