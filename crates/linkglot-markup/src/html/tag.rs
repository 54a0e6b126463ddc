//! The inside of one tag, from its `<` to its `>`, as ranges (HTML standard 13.2.5.8 and 13.2.5.32 to 13.2.5.40). Only
//! bytes that are safe in every charset decide.

use super::content::{ContentEnd, Haystack, begins_php};
use super::php::{PhpCode, php_end};
use crate::byte_search::skip_spaces;
use crate::escape::Quote;
use linkglot_charset::ascii::is_space;
use memchr::memchr;
use std::ops::Range;

/// An attribute of a tag. Ranges are relative to the cursor (the `<` of a short tag).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// The name as written.
    pub name: Range<usize>,
    /// The value, without quotes. Empty if there is no value.
    pub value: Range<usize>,
    /// The value's quotes; `None` when the attribute has no value.
    pub quote: Option<Quote>,
}

impl Attribute {
    const EMPTY: Attribute = Attribute {
        name: 0..0,
        value: 0..0,
        quote: None,
    };

    fn shift(&mut self, by: usize) {
        for range in [&mut self.name, &mut self.value] {
            *range = range.start.saturating_sub(by)..range.end.saturating_sub(by);
        }
    }
}

/// The state of the standard in which the scan stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    TagName,
    BeforeName,
    Name,
    AfterName,
    BeforeValue,
    Value(Quote),
    AfterQuoted,
    Solidus,
}

/// The outcome of a scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scan {
    /// The tag is complete; its end is behind the `>`.
    Done,
    /// The bytes ended first.
    Open,
}

/// A tag, whole or as far as read.
#[derive(Clone, Debug)]
pub struct Tag {
    /// True for an end tag.
    pub closing: bool,
    /// True if the tag ends in `/>`.
    pub self_closing: bool,
    /// The name as written.
    pub name: Range<usize>,
    /// The attributes in order, duplicates included.
    pub attributes: Vec<Attribute>,
    /// The end of the bytes read so far; the end of a complete tag.
    pub at: usize,
    /// True if code of PHP is told from markup.
    pub has_php: bool,
    /// The code of PHP in the tag, in values, too.
    pub codes: Vec<Range<usize>>,
    /// The code that is being passed.
    code: Option<OpenCode>,
    state: State,
    current: Attribute,
    /// True if the current attribute is too long and will not be reported.
    dropped: bool,
}

/// Code of PHP that begins at the end of the bytes read so far.
#[derive(Clone, Debug)]
struct OpenCode {
    place: PhpCode,
    /// The number of its bytes that were searched for the end.
    searched: usize,
}

impl Default for Tag {
    fn default() -> Self {
        Tag {
            closing: false,
            self_closing: false,
            name: 0..0,
            attributes: Vec::new(),
            at: 0,
            has_php: false,
            codes: Vec::new(),
            code: None,
            state: State::TagName,
            current: Attribute::EMPTY,
            dropped: false,
        }
    }
}

impl Tag {
    /// Begins a tag at its `<`.
    pub fn begin(&mut self, closing: bool) {
        let name = 1 + usize::from(closing);
        self.closing = closing;
        self.self_closing = false;
        self.name = name..name;
        self.attributes.clear();
        self.at = name;
        self.codes.clear();
        self.code = None;
        self.state = State::TagName;
        self.current = Attribute::EMPTY;
        self.dropped = false;
    }

    /// Reads on from the end of the last call. `bytes[0]` is at the cursor. Linear.
    pub fn scan(&mut self, bytes: &[u8]) -> Scan {
        while self.at < bytes.len() {
            let Some(part) = self.part(bytes) else { break };
            if self.step(part) {
                return Scan::Done;
            }
        }
        Scan::Open
    }

    /// Like [`scan`](Self::scan), but stops behind each attribute, and behind code of PHP between attributes: for tags
    /// that are too long to be held.
    pub fn scan_attribute(&mut self, bytes: &[u8]) -> Scan {
        while self.at < bytes.len() && !self.has_part() {
            let part = self.part(bytes).filter(|_| !self.has_part());
            let Some(part) = part else { break };
            if self.step(part) {
                return Scan::Done;
            }
        }
        Scan::Open
    }

    /// True if an attribute was read, or code of PHP between attributes.
    pub fn has_part(&self) -> bool {
        let has_code = |code: &Range<usize>| code.end <= self.open_from();
        !self.attributes.is_empty() || self.codes.first().is_some_and(has_code)
    }

    /// The bytes up to the next `<`, which may begin code of PHP; `None` if they end within such code.
    #[inline]
    fn part<'b>(&mut self, bytes: &'b [u8]) -> Option<&'b [u8]> {
        if self.has_php {
            self.without_code(bytes)
        } else {
            Some(bytes)
        }
    }

    fn without_code<'b>(&mut self, bytes: &'b [u8]) -> Option<&'b [u8]> {
        while self.code.is_some() || bytes.get(self.at) == Some(&b'<') {
            let begins = self.code.is_some() || begins_php(&bytes[self.at..])?;
            if !begins {
                break;
            }
            self.pass_code(bytes)?;
        }
        let behind = bytes.get(self.at + 1..).unwrap_or_default();
        let length = memchr(b'<', behind).unwrap_or(behind.len());
        Some(&bytes[..bytes.len().min(self.at + 1 + length)])
    }

    /// Goes behind the code that begins at the end of the bytes read so far; `None` if it has no end yet.
    fn pass_code(&mut self, bytes: &[u8]) -> Option<()> {
        let code = self.code.get_or_insert(OpenCode {
            place: PhpCode::Code,
            searched: 0,
        });
        let hay = Haystack {
            bytes,
            start: self.at,
            from: self.at + code.searched,
            last: false,
            has_php: false,
        };
        let end = match php_end(hay, &mut code.place) {
            ContentEnd::At(end, _) => end,
            ContentEnd::Open(to) | ContentEnd::Code(to) => {
                code.searched = to - self.at;
                return None;
            }
        };
        self.code = None;
        self.codes.push(self.at..end);
        match self.state {
            State::BeforeValue => {
                self.state = State::Value(Quote::Unquoted);
                self.current.value = self.at..end;
                self.current.quote = Some(Quote::Unquoted);
            }
            State::Value(_) => self.current.value.end = end,
            State::Name => self.current.name.end = end,
            State::AfterQuoted | State::Solidus => self.state = State::BeforeName,
            State::TagName | State::BeforeName | State::AfterName => {}
        }
        self.at = end;
        (end < bytes.len()).then_some(())
    }

    #[inline]
    fn step(&mut self, bytes: &[u8]) -> bool {
        match self.state {
            State::TagName => return self.tag_name(bytes),
            State::BeforeName => return self.before_name(bytes),
            State::Name => self.attribute_name(bytes),
            State::AfterName => self.after_name(bytes),
            State::BeforeValue => self.before_value(bytes),
            State::Value(quote) => self.value(bytes, quote),
            State::AfterQuoted => self.after_quoted(bytes),
            State::Solidus => return self.solidus(bytes),
        }
        false
    }

    #[inline]
    fn tag_name(&mut self, bytes: &[u8]) -> bool {
        self.at = end_of_name(bytes, self.at, TAG_NAME_END);
        self.name.end = self.at;
        match bytes.get(self.at) {
            None => false,
            Some(b'>') => self.finish(),
            Some(_) => {
                self.state = State::BeforeName;
                self.before_name(bytes)
            }
        }
    }

    #[inline]
    fn before_name(&mut self, bytes: &[u8]) -> bool {
        self.at = skip_spaces(bytes, self.at);
        let Some(&byte) = bytes.get(self.at) else {
            return false;
        };
        match byte {
            b'>' => return self.finish(),
            b'/' => self.enter(State::Solidus, 1),
            // "unexpected equals sign before attribute name": it begins the name.
            b'=' => self.begin_attribute(bytes, 1),
            _ => self.begin_attribute(bytes, 0),
        }
        false
    }

    // For speed a state calls the state that usually follows, which also stops at the end of the bytes.
    #[inline]
    fn begin_attribute(&mut self, bytes: &[u8], skip: usize) {
        self.current = Attribute {
            name: self.at..self.at,
            value: self.at..self.at,
            quote: None,
        };
        self.enter(State::Name, skip);
        self.attribute_name(bytes);
    }

    #[inline]
    fn attribute_name(&mut self, bytes: &[u8]) {
        self.at = end_of_name(bytes, self.at, ATTRIBUTE_NAME_END);
        self.current.name.end = self.at;
        self.current.value = self.at..self.at;
        match bytes.get(self.at) {
            None => {}
            Some(b'=') => {
                self.enter(State::BeforeValue, 1);
                self.before_value(bytes);
            }
            Some(_) => self.enter(State::AfterName, 0),
        }
    }

    fn after_name(&mut self, bytes: &[u8]) {
        self.at = skip_spaces(bytes, self.at);
        match bytes.get(self.at) {
            None => {}
            Some(b'=') => self.enter(State::BeforeValue, 1),
            Some(b'>' | b'/') => self.end_without_value(),
            Some(_) => {
                self.end_without_value();
                self.begin_attribute(bytes, 0);
            }
        }
    }

    fn end_without_value(&mut self) {
        self.end_attribute();
        self.enter(State::BeforeName, 0);
    }

    #[inline]
    fn before_value(&mut self, bytes: &[u8]) {
        self.at = skip_spaces(bytes, self.at);
        match bytes.get(self.at) {
            None => {}
            Some(b'"') => self.begin_value(bytes, Quote::Double),
            Some(b'\'') => self.begin_value(bytes, Quote::Single),
            // "missing attribute value": the value is empty, and the tag ends.
            Some(b'>') => {
                self.current.value = self.at..self.at;
                self.end_attribute();
                self.enter(State::BeforeName, 0);
            }
            Some(_) => self.begin_value(bytes, Quote::Unquoted),
        }
    }

    #[inline]
    fn begin_value(&mut self, bytes: &[u8], quote: Quote) {
        let skip = usize::from(quote != Quote::Unquoted);
        self.enter(State::Value(quote), skip);
        self.current.value = self.at..self.at;
        self.current.quote = Some(quote);
        self.value(bytes, quote);
    }

    #[inline]
    fn value(&mut self, bytes: &[u8], quote: Quote) {
        let rest = bytes.get(self.at..).unwrap_or_default();
        let found = match quote {
            Quote::Double => memchr(b'"', rest),
            Quote::Single => memchr(b'\'', rest),
            Quote::Unquoted => rest.iter().position(|&b| is_space(b) || b == b'>'),
        };
        let Some(length) = found else {
            self.at = bytes.len();
            self.current.value.end = self.at;
            return;
        };
        self.current.value.end = self.at + length;
        self.at += length;
        self.end_attribute();
        match quote {
            Quote::Unquoted => self.enter(State::BeforeName, 0),
            _ if bytes.get(self.at + 1) == Some(&b' ') => self.enter(State::BeforeName, 2),
            _ => self.enter(State::AfterQuoted, 1),
        }
    }

    #[inline]
    fn after_quoted(&mut self, bytes: &[u8]) {
        match bytes.get(self.at) {
            Some(b'/') => self.enter(State::Solidus, 1),
            _ => self.enter(State::BeforeName, 0),
        }
    }

    fn solidus(&mut self, bytes: &[u8]) -> bool {
        if bytes.get(self.at) == Some(&b'>') {
            self.self_closing = true;
            return self.finish();
        }
        self.enter(State::BeforeName, 0);
        false
    }

    #[inline]
    fn enter(&mut self, state: State, skip: usize) {
        self.state = state;
        self.at += skip;
    }

    #[inline]
    fn end_attribute(&mut self) {
        if !self.dropped {
            self.attributes.push(self.current.clone());
        }
        self.dropped = false;
    }

    fn finish(&mut self) -> bool {
        self.at += 1;
        true
    }

    /// The beginning of the attribute that is being read, or else of the unread bytes.
    pub fn open_from(&self) -> usize {
        match self.state {
            State::Name | State::AfterName | State::BeforeValue | State::Value(_)
                if !self.dropped =>
            {
                self.current.name.start
            }
            _ => self.at,
        }
    }

    /// Gives up the attribute that is being read, because it is too long. Returns the attribute if its value has begun.
    /// Code of PHP that does not end in these bytes is given up with it.
    pub fn drop_current(&mut self, bytes: &[u8]) -> Option<Attribute> {
        self.dropped = true;
        if self.code.take().is_some() {
            self.at = bytes.len();
        }
        match self.state {
            State::Value(_) => Some(self.current.clone()),
            _ => None,
        }
    }

    /// Adjusts positions to a cursor that moved by `by`.
    pub fn shift(&mut self, by: usize) {
        self.at = self.at.saturating_sub(by);
        self.current.shift(by);
        self.codes.retain(|code| code.start >= by);
        for code in &mut self.codes {
            *code = code.start - by..code.end - by;
        }
    }
}

const TAG_NAME_END: u8 = 1;
const ATTRIBUTE_NAME_END: u8 = 2;

/// For each byte, the kinds of names that it ends.
const ENDS: [u8; 256] = {
    let mut table = [0; 256];
    let both = TAG_NAME_END | ATTRIBUTE_NAME_END;
    table[b'\t' as usize] = both;
    table[b'\n' as usize] = both;
    table[0x0C] = both;
    table[b'\r' as usize] = both;
    table[b' ' as usize] = both;
    table[b'/' as usize] = both;
    table[b'>' as usize] = both;
    table[b'=' as usize] = ATTRIBUTE_NAME_END;
    table
};

/// The end of a tag's name that begins at `from`.
pub(super) fn name_end(bytes: &[u8], from: usize) -> usize {
    end_of_name(bytes, from, TAG_NAME_END)
}

/// The end of an attribute's name that goes on at `from`.
pub(super) fn attribute_name_end(bytes: &[u8], from: usize) -> usize {
    end_of_name(bytes, from, ATTRIBUTE_NAME_END)
}

#[inline]
fn end_of_name(bytes: &[u8], from: usize, kind: u8) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    let length = rest.iter().position(|&b| ENDS[usize::from(b)] & kind != 0);
    from + length.unwrap_or(rest.len())
}
