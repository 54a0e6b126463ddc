//! JSON (RFC 8259), JSON Lines, concatenated JSON and JSON text sequences (RFC 7464): the strings that are values.
//!
//! Nothing is kept but the open objects and arrays. A known vocabulary tells the content of a string by its keys; other
//! strings tell it themselves ([`Syntax::Data`](crate::Syntax::Data)). Comments, final commas and other additions of
//! JSON5 do no harm. The rest is running text from the first byte on that is no JSON.
//!
//! The module must not know the meaning of running text.

mod lexer;
mod signature;
mod sound;
mod table;
#[cfg(test)]
mod tests;
mod walk;

pub use signature::has_json_signature;
pub use sound::{begins_json, is_json};

use crate::escape::{Escaping, JsonStyle, string_end};
use crate::slot::{Place, PlaceKind, Run, ScopedBase, Slot, Step, Tokenizer, Window};
use crate::text_stretch::{End, TextStretch};
use lexer::{Lexed, Mark};
use linkglot_charset::Charset;
use walk::{Content, Unsound, Walk};

/// The number of documents in a text, and what separates them.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_markup::{JsonLayout, JsonTokenizer, Slots};
///
/// // The second line is no JSON, so its link is one of running text.
/// let text = b"[\"a.example\"]\n[http://b.example/\n[\"c.example\"]\n";
/// let slots = |layout| Slots::new(JsonTokenizer::new(layout, None, 1 << 20), text, Charset::UTF_8);
/// assert_eq!(slots(JsonLayout::Lines).count(), 3);
/// assert_eq!(slots(JsonLayout::Documents).count(), 2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonLayout {
    /// A document, or several one after the other.
    Documents,
    /// A document in each line. A line that is no JSON does no harm to the next one.
    Lines,
}

/// The tokenizer of JSON. Strings longer than `max_slot` are skipped.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_markup::{JsonLayout, JsonTokenizer, Slots, Syntax};
///
/// let feed = br#"{"version": "https://jsonfeed.org/version/1.1", "icon": "i.png", "x": ["a b.example"]}"#;
/// let tokenizer = JsonTokenizer::new(JsonLayout::Documents, None, 1 << 20);
/// let slots = Slots::new(tokenizer, feed, Charset::UTF_8);
/// let found: Vec<_> = slots.map(|slot| (slot.place.name.clone().unwrap(), slot.syntax)).collect();
/// assert_eq!(found[0], ("icon".into(), Syntax::Single));
/// assert_eq!(found[1], ("x".into(), Syntax::Data));
/// ```
#[derive(Debug)]
pub struct JsonTokenizer {
    layout: JsonLayout,
    max_slot: usize,
    walk: Walk,
    /// The style of the strings so far.
    style: JsonStyle,
    state: State,
}

#[derive(Debug)]
enum State {
    /// Between the strings.
    Marks,
    /// Within a string whose quote is at the cursor. No closing quote stands in the first bytes behind it.
    String(usize),
    /// Within a string that is too long.
    Skipping,
    /// Behind the bracket of a list of strings that may be one text. The first bytes behind it are whole strings.
    List(usize),
    Text(TextStretch),
}

impl JsonTokenizer {
    /// A tokenizer at the beginning of a document. The `file` name may tell the vocabulary.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    /// use linkglot_markup::{JsonLayout, JsonTokenizer, Slots};
    ///
    /// let count = |file| {
    ///     let tokenizer = JsonTokenizer::new(JsonLayout::Documents, file, 1 << 20);
    ///     Slots::new(tokenizer, br#"{"start_url": "/"}"#, Charset::UTF_8).count()
    /// };
    /// assert_eq!((count(Some("app.webmanifest")), count(None)), (1, 0));
    /// ```
    pub fn new(layout: JsonLayout, file: Option<&str>, max_slot: usize) -> Self {
        JsonTokenizer {
            layout,
            max_slot,
            walk: Walk::new(file),
            style: JsonStyle::default(),
            state: State::Marks,
        }
    }

    /// Reads marks up to the next string, comment or text.
    fn marks(&mut self, window: Window<'_>, cursor: &mut usize) -> Option<Step> {
        loop {
            let lexed = lexer::mark(window, *cursor);
            let (mark, end) = match lexed {
                Lexed::Mark(mark, end) => (mark, end),
                Lexed::More(end) => {
                    *cursor = end;
                    return Some(if window.last {
                        Step::End
                    } else {
                        Step::NeedMore
                    });
                }
            };
            let is_array = mark == Mark::Open(false);
            let walked = match mark {
                Mark::Space | Mark::Scalar => Ok(()),
                Mark::Open(is_object) => self.walk.open(is_object),
                Mark::Close(is_object) => self.walk.close(is_object),
                Mark::Comma => self.walk.comma(),
                Mark::Colon => self.walk.colon(),
                Mark::Word(word) => self.walk.word(&window.bytes[word], window.charset),
                Mark::Quote => {
                    self.state = State::String(0);
                    return None;
                }
                Mark::LineComment => {
                    self.state = State::Text(TextStretch::new(End::LineComment));
                    return None;
                }
                Mark::Block => {
                    *cursor = end;
                    self.state = State::Text(TextStretch::new(End::Block));
                    return None;
                }
                Mark::Other => Err(Unsound),
            };
            if walked.is_err() {
                self.rest();
                return None;
            }
            *cursor = end;
            if is_array && self.walk.is_in_text() {
                self.state = State::List(0);
                return None;
            }
        }
    }

    /// The rest is running text, as far as the layout allows no other JSON.
    fn rest(&mut self) {
        let end = match self.layout {
            JsonLayout::Documents => End::Document,
            JsonLayout::Lines => End::Line,
        };
        self.state = State::Text(TextStretch::malformed(end));
    }

    /// Reads the list of strings at the cursor as one text, unless it holds other values or is too long. The first
    /// `read` bytes of it are whole strings.
    fn list(&mut self, read: usize, window: Window<'_>, cursor: &mut usize) -> Option<Step> {
        let start = *cursor;
        if self.learn_cell(window, start, 1).is_err() {
            return Some(Step::NeedMore);
        }
        self.state = State::Marks;
        let content = self.walk.content_of_list()?;
        let mut at = start + read;
        let end = loop {
            at += blanks(&window.bytes[at..]);
            if at - start > self.max_slot {
                return None;
            }
            match self.string_of_list(window, at) {
                OfList::Item(behind) => at = behind,
                OfList::End(end) => break end,
                OfList::Other => return None,
                OfList::More if window.last => return None,
                OfList::More => {
                    self.state = State::List(at - start);
                    return Some(Step::NeedMore);
                }
            }
        };
        let first = start + blanks(&window.bytes[start..]) + 1;
        if end < first || end - first > self.max_slot {
            return None;
        }
        let style = self.style.read(&window.bytes[first..end]).of_list();
        // The quote in front of the bracket.
        *cursor = end + 1;
        self.slot(content, first..end, style)
    }

    /// Learns the type of the cell around a source that stands in front of its type. The source is followed by `from`,
    /// where `depth` brackets are open in the cell.
    fn learn_cell(&mut self, window: Window<'_>, from: usize, depth: usize) -> Result<(), Cut> {
        if self.walk.lacks_cell_type() {
            let cell_type = self.cell_type(window, from, depth)?;
            self.walk
                .learn_cell_type(cell_type.unwrap_or_default(), window.charset);
        }
        Ok(())
    }

    /// The type of a cell behind a position in it; `None` if it has none within the longest slot.
    fn cell_type<'w>(
        &self,
        window: Window<'w>,
        from: usize,
        mut depth: usize,
    ) -> Result<Option<&'w [u8]>, Cut> {
        let cut = if window.last { Ok(None) } else { Err(Cut) };
        let (bytes, mut at, mut is_type) = (window.bytes, from, false);
        loop {
            let Some(mark) = next_mark(bytes, at) else {
                return if bytes.len() - from > self.max_slot {
                    Ok(None)
                } else {
                    cut
                };
            };
            if mark - from > self.max_slot {
                return Ok(None);
            }
            at = mark + 1;
            match bytes[mark] {
                b'"' => {
                    let end = match self.string_end(window, at, 0) {
                        Found::Quote(end) => end,
                        Found::Open(end) if end - from <= self.max_slot => return cut,
                        _ => return Ok(None),
                    };
                    let string = &bytes[at..end];
                    if is_type {
                        return Ok(Some(string));
                    }
                    at = end + 1;
                    let behind = at + blanks(&bytes[at..]);
                    is_type =
                        depth == 0 && string == b"cell_type" && bytes.get(behind) == Some(&b':');
                    if behind == bytes.len() && !window.last {
                        return cut;
                    }
                }
                b'{' | b'[' => (depth, is_type) = (depth + 1, false),
                _ if depth == 0 => return Ok(None),
                _ => depth -= 1,
            }
        }
    }

    /// The string of a list at a position, with the comma behind it.
    fn string_of_list(&self, window: Window<'_>, at: usize) -> OfList {
        match window.bytes.get(at) {
            None => return OfList::More,
            Some(b'"') => {}
            Some(_) => return OfList::Other,
        }
        let end = match self.string_end(window, at + 1, 0) {
            Found::Quote(end) => end,
            // A text that is too long is read string by string.
            Found::Open(end) if end - at > self.max_slot => return OfList::Other,
            Found::Open(_) => return OfList::More,
            Found::Line(_) => return OfList::Other,
        };
        let behind = end + 1 + blanks(&window.bytes[end + 1..]);
        match window.bytes.get(behind) {
            None => OfList::More,
            Some(b',') => OfList::Item(behind + 1),
            Some(b']') => OfList::End(end),
            Some(_) => OfList::Other,
        }
    }

    /// Reads the string whose quote is at the cursor. The first `read` bytes of it have been searched.
    fn string(&mut self, read: usize, window: Window<'_>, cursor: &mut usize) -> Option<Step> {
        let start = *cursor + 1;
        let found = self.string_end(window, start, read);
        let length = found.at() - start;
        let is_value = self.walk.is_at_value();
        if length > self.max_slot {
            *cursor = start;
            self.state = State::Skipping;
            let place = || Place::clone(&self.walk.place(PlaceKind::Text));
            return is_value.then(|| Step::TooLong(start, place()));
        }
        let end = match found {
            Found::Open(_) if !window.last => {
                self.state = State::String(length);
                return Some(Step::NeedMore);
            }
            Found::Quote(end) if self.walk.string().is_ok() => end,
            _ => {
                *cursor = start;
                self.rest();
                return None;
            }
        };
        if is_value && self.learn_cell(window, end + 1, 0).is_err() {
            self.state = State::String(length);
            return Some(Step::NeedMore);
        }
        let raw = &window.bytes[start..end];
        let style = self.style.read(raw);
        *cursor = end + 1;
        self.state = State::Marks;
        if !is_value {
            self.walk.key(raw, window.charset);
            return None;
        }
        let content = self.walk.content(raw, window.charset)?;
        self.slot(content, start..end, style)
    }

    fn slot(
        &self,
        content: Content,
        range: std::ops::Range<usize>,
        style: JsonStyle,
    ) -> Option<Step> {
        Some(Step::Slot(Slot {
            range,
            escaping: Escaping::JsonString(style),
            syntax: content.syntax,
            place: self.walk.place(content.place),
            access: content.access,
            run: Run::WHOLE,
        }))
    }

    /// The end of a string whose inside begins at `start`; the first `read` bytes of it have been searched.
    fn string_end(&self, window: Window<'_>, start: usize, read: usize) -> Found {
        let rest = &window.bytes[start..];
        let line = match self.layout {
            JsonLayout::Documents => None,
            JsonLayout::Lines => memchr::memchr(b'\n', rest),
        };
        let inside = &rest[..line.unwrap_or(rest.len())];
        let quote = if window.charset == Charset::UTF_8 {
            string_end(inside, even(&inside[..read.min(inside.len())]))
        } else {
            quote_in(inside, window.charset)
        };
        match (quote, line) {
            (Some(at), _) => Found::Quote(start + at),
            (None, Some(at)) => Found::Line(start + at),
            (None, None) => Found::Open(window.bytes.len()),
        }
    }

    /// Skips a string that is too long.
    fn skip(&mut self, window: Window<'_>, cursor: &mut usize) -> Option<Step> {
        match self.string_end(window, *cursor, 0) {
            Found::Quote(end) => {
                // A key that is too long has no name.
                let walked = self.walk.string();
                *cursor = end + 1;
                self.state = State::Marks;
                if walked.is_err() {
                    self.rest();
                }
                None
            }
            Found::Line(end) => {
                *cursor = end;
                self.rest();
                None
            }
            Found::Open(end) if window.last => {
                *cursor = end;
                Some(Step::End)
            }
            Found::Open(end) => {
                *cursor += without_cut(window.charset, &window.bytes[*cursor..end]);
                Some(Step::NeedMore)
            }
        }
    }

    /// Reads running text up to its end.
    fn text(&mut self, window: Window<'_>, cursor: &mut usize) -> Option<Step> {
        let State::Text(text) = &mut self.state else {
            return None;
        };
        let step = text.step(window, cursor);
        if step.is_none() {
            if text.end() == End::Line {
                self.walk.begin();
            }
            self.state = State::Marks;
        }
        step
    }
}

/// The window is too short to tell.
struct Cut;

/// The next quotation mark or bracket.
fn next_mark(bytes: &[u8], from: usize) -> Option<usize> {
    let is_mark = |byte: &u8| matches!(byte, b'"' | b'{' | b'[' | b'}' | b']');
    let rest = bytes.get(from..)?;
    rest.iter().position(is_mark).map(|at| from + at)
}

/// The string of a list at a position.
enum OfList {
    /// A string and the comma behind it, which end here.
    Item(usize),
    /// The last string, whose closing quote is here.
    End(usize),
    /// Another value, a comment, a bracket.
    Other,
    /// A longer window tells.
    More,
}

/// The length of white space at the beginning of bytes.
fn blanks(bytes: &[u8]) -> usize {
    bytes.len() - bytes.trim_ascii_start().len()
}

/// The end of a string.
#[derive(Clone, Copy, Debug)]
enum Found {
    Quote(usize),
    /// The end of the line comes first.
    Line(usize),
    /// The string goes on behind the window, which ends here.
    Open(usize),
}

impl Found {
    fn at(self) -> usize {
        match self {
            Found::Quote(at) | Found::Line(at) | Found::Open(at) => at,
        }
    }
}

/// The most bytes that are kept because a character or escape may be cut.
const LONGEST_UNSAFE: usize = 1 << 16;

impl Tokenizer for JsonTokenizer {
    fn step(&mut self, window: Window<'_>, cursor: &mut usize) -> Step {
        *cursor = (*cursor).min(window.bytes.len());
        loop {
            let step = match self.state {
                State::Marks => self.marks(window, cursor),
                State::String(read) => self.string(read, window, cursor),
                State::Skipping => self.skip(window, cursor),
                State::List(read) => self.list(read, window, cursor),
                State::Text(_) => self.text(window, cursor),
            };
            if let Some(step) = step {
                return step;
            }
        }
    }

    fn bases(&self) -> &[ScopedBase] {
        self.walk.bases()
    }

    fn is_malformed(&self) -> bool {
        matches!(&self.state, State::Text(text) if text.is_malformed())
    }
}

/// The quote that closes a string, in a charset in which a backslash may be the end of another character.
fn quote_in(inside: &[u8], charset: Charset) -> Option<usize> {
    // Characters are told from the last one whose start is known, so that each byte is read twice at most.
    let (mut from, mut start) = (0, 0);
    loop {
        let at = from + memchr::memchr2(b'"', b'\\', inside.get(from..)?)?;
        if inside[at] == b'"' {
            return Some(at);
        }
        let is_escape = charset.is_char_at(&inside[start..], at - start);
        start = at + 1;
        from = if is_escape { at + 2 } else { at + 1 };
    }
}

/// The length of bytes, which begin outside of an escape, without a backslash at their end that begins an escape.
fn even(bytes: &[u8]) -> usize {
    let before = bytes.iter().rposition(|&byte| byte != b'\\');
    let backslashes = bytes.len() - before.map_or(0, |at| at + 1);
    bytes.len() - backslashes % 2
}

/// The length of a part of a string without what may be cut at its end.
pub(crate) fn without_cut(charset: Charset, part: &[u8]) -> usize {
    let before = part.iter().rposition(|&byte| byte != b'\\');
    let length = before.map_or(0, |at| at + 1);
    if part.len() - length > LONGEST_UNSAFE {
        return even(part);
    }
    match charset.resync(part, length) {
        0 if length > LONGEST_UNSAFE => length,
        whole => whole,
    }
}
