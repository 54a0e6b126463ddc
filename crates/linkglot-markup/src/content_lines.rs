//! Calendars (RFC 5545, vCalendar 1.0) and vCards (RFC 6350, RFC 2426, vCard 2.1): the values of content lines.
//!
//! A line is a property: its name and parameters tell the content and the escaping of its value. The tables are data.
//! Folded lines are joined before, as a layer; the module must not know how.

mod table;
#[cfg(test)]
mod tests;

use crate::escape::{Escaping, Quote, QuotedCharset};
use crate::name::Name;
use crate::slot::{Access, Place, PlaceKind, Run, Slot, Step, Syntax, Tokenizer, Window};
use linkglot_charset::Charset;
use linkglot_layer::{Parameter, PropertyHead};
use std::collections::VecDeque;
use std::ops::Range;
use table::Kind;

/// The object that content lines make up.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_markup::content_lines::Object;
/// use linkglot_markup::{ContentLineTokenizer, Slots};
///
/// // A pair of numbers in a calendar, an IRI in a vCard.
/// let count = |object| {
///     let tokenizer = ContentLineTokenizer::new(object, 1 << 20);
///     Slots::new(tokenizer, b"GEO:geo:48.1,11.5", Charset::UTF_8).count()
/// };
/// assert_eq!((count(Object::Calendar), count(Object::Card)), (0, 1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Object {
    /// A calendar.
    Calendar,
    /// A vCard.
    Card,
}

/// The tokenizer of content lines that are not folded. Values longer than `max_slot` are skipped.
///
/// Links of lines that are still folded are only listed: half of a link may be in the next line.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_markup::content_lines::Object;
/// use linkglot_markup::{ContentLineTokenizer, Escaping, Slots};
///
/// let lines = b"BEGIN:VEVENT\r\nLOCATION:a\\, b\r\nURL:http://a.example/\r\n";
/// let tokenizer = ContentLineTokenizer::new(Object::Calendar, 1 << 20);
/// let slots: Vec<_> = Slots::new(tokenizer, lines, Charset::UTF_8).collect();
/// assert_eq!(&lines[slots[0].range.clone()], b"a\\, b");
/// assert_eq!((slots[0].escaping, slots[1].escaping), (Escaping::ContentText, Escaping::ContentUri));
/// ```
#[derive(Debug)]
pub struct ContentLineTokenizer {
    object: Object,
    max_slot: usize,
    /// The slots of the line still to be answered, as ranges of the line.
    found: VecDeque<Found>,
    /// Bytes of the line read so far.
    read: usize,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// A line begins at the cursor.
    Begin,
    /// The slots of the line are answered; the rest of it has this length.
    Within(usize),
    /// Skipping the rest of the line.
    Passing,
}

/// A slot of a line.
#[derive(Debug)]
struct Found {
    range: Range<usize>,
    escaping: Escaping,
    syntax: Syntax,
    place: Place,
    access: Access,
    /// True if the line is longer than the part that was read.
    is_cut: bool,
}

impl ContentLineTokenizer {
    /// A tokenizer at the beginning of an object.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    /// use linkglot_markup::content_lines::Object;
    /// use linkglot_markup::{ContentLineTokenizer, Slots};
    ///
    /// let tokenizer = ContentLineTokenizer::new(Object::Card, 1 << 20);
    /// assert_eq!(Slots::new(tokenizer, b"URL:http://a.example/\n", Charset::UTF_8).count(), 1);
    /// ```
    pub fn new(object: Object, max_slot: usize) -> Self {
        ContentLineTokenizer {
            object,
            max_slot,
            found: VecDeque::new(),
            read: 0,
            state: State::Begin,
        }
    }

    /// Reads the line that begins at the cursor. `None`: its slots are known.
    fn line(&mut self, window: Window<'_>, cursor: &mut usize) -> Option<Step> {
        let rest = &window.bytes[*cursor..];
        if rest.is_empty() && window.last {
            return Some(Step::End);
        }
        let end = memchr::memchr2(b'\n', b'\r', rest);
        // The byte behind the line break tells whether the line goes on.
        let is_known = end.is_some_and(|end| rest.len() > behind_break(rest, end));
        let length = end.unwrap_or(rest.len());
        if !window.last && !is_known && length <= self.longest() {
            return Some(Step::NeedMore);
        }
        let is_cut = length > self.longest();
        let length = length.min(self.longest());
        let line = &rest[..length];
        let follows = end.and_then(|end| rest.get(behind_break(rest, end)));
        let is_folded = is_blank(follows) || is_blank(line.first());
        self.found = slots(self.object, line, (window.charset, is_folded)).into();
        if let Some(last) = self
            .found
            .back_mut()
            .filter(|last| is_cut && last.range.end == length)
        {
            last.is_cut = true;
        }
        self.state = State::Within(length);
        self.read = 0;
        None
    }

    /// The most bytes of a line that are read: the head has room beside the longest value.
    fn longest(&self) -> usize {
        self.max_slot.saturating_mul(2).saturating_add(4096)
    }

    /// Skips the rest of a line.
    fn pass(&mut self, window: Window<'_>, cursor: &mut usize) -> Option<Step> {
        let rest = &window.bytes[*cursor..];
        match memchr::memchr2(b'\n', b'\r', rest) {
            Some(end) if window.last || rest.len() > behind_break(rest, end) => {
                *cursor += behind_break(rest, end);
                self.state = State::Begin;
                None
            }
            Some(end) => {
                *cursor += end;
                Some(Step::NeedMore)
            }
            None => {
                *cursor = window.bytes.len();
                Some(if window.last {
                    Step::End
                } else {
                    Step::NeedMore
                })
            }
        }
    }

    /// The next slot of the line. `None`: the line is read.
    fn slot(&mut self, length: usize, cursor: &mut usize) -> Option<Step> {
        let Some(found) = self.found.pop_front() else {
            *cursor += length - self.read;
            self.state = State::Passing;
            return None;
        };
        // The start of the line may have been dropped.
        let at = |position: usize| *cursor + (position - self.read);
        let range = at(found.range.start)..at(found.range.end);
        if found.is_cut || range.len() > self.max_slot {
            return Some(Step::TooLong(range.start, found.place));
        }
        self.read = found.range.end;
        *cursor = range.end;
        Some(Step::Slot(Slot {
            range,
            escaping: found.escaping,
            syntax: found.syntax,
            place: found.place.into(),
            access: found.access,
            run: Run::WHOLE,
        }))
    }
}

impl Tokenizer for ContentLineTokenizer {
    fn step(&mut self, window: Window<'_>, cursor: &mut usize) -> Step {
        *cursor = (*cursor).min(window.bytes.len());
        loop {
            let step = match self.state {
                State::Begin => self.line(window, cursor),
                State::Within(length) => self.slot(length, cursor),
                State::Passing => self.pass(window, cursor),
            };
            if let Some(step) = step {
                return step;
            }
        }
    }
}

/// The position behind the line break at `at`.
fn behind_break(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at..at + 2) {
        Some(b"\r\n") => at + 2,
        _ => at + 1,
    }
}

fn is_blank(byte: Option<&u8>) -> bool {
    matches!(byte, Some(b' ' | b'\t'))
}

/// The slots of a line. A line that is no content line is running text.
fn slots(object: Object, line: &[u8], (charset, is_folded): (Charset, bool)) -> Vec<Found> {
    let Some(head) = PropertyHead::of(line) else {
        let found = Found {
            range: 0..line.len(),
            escaping: Escaping::ContentText,
            syntax: Syntax::EscapedText,
            place: Place::new(PlaceKind::Text, None, None),
            access: Access::List,
            is_cut: false,
        };
        return Vec::from_iter((!line.is_empty()).then_some(found));
    };
    let (name, kind) = table::property(object, &line[head.name.clone()]);
    let parameters = head.parameters.iter();
    let mut found: Vec<Found> = parameters
        .filter_map(|parameter| of_parameter(line, parameter, &name))
        .collect();
    found.extend(of_value(line, &head, (name, kind), charset));
    found.retain(|slot| !slot.range.is_empty());
    if is_folded {
        for slot in &mut found {
            slot.access = slot.access.less();
        }
    }
    found
}

fn of_parameter(line: &[u8], parameter: &Parameter, property: &Name) -> Option<Found> {
    let (name, kind) = table::parameter(&line[parameter.name.clone()]);
    let (syntax, access) = reading(kind)?;
    let quote = if parameter.is_quoted {
        Quote::Double
    } else {
        Quote::Unquoted
    };
    Some(Found {
        range: parameter.value.clone(),
        escaping: Escaping::ContentParameter(quote),
        syntax,
        place: Place::new(PlaceKind::Attribute, Some(property.clone()), Some(name)),
        access,
        is_cut: false,
    })
}

fn of_value(
    line: &[u8],
    head: &PropertyHead,
    (name, kind): (Name, Kind),
    charset: Charset,
) -> Option<Found> {
    if head.is_encoded(line, &["base64", "b"]) {
        return None;
    }
    let kind = match head.value_of(line, "value") {
        Some(value_type) => kind.with_type(value_type),
        None => kind,
    };
    let range = head.value..line.len();
    let (syntax, mut access) = reading(kind)?;
    let (escaping, is_read) = escaping(line, head, kind, charset);
    if !is_read {
        access = access.less();
    }
    let syntax = match head.value_of(line, "fmttype") {
        Some(media_type) if kind == Kind::Text => of_media_type(media_type),
        _ => syntax,
    };
    let place = match kind {
        Kind::Text | Kind::List => PlaceKind::Text,
        _ => PlaceKind::Property,
    };
    Some(Found {
        range,
        escaping,
        syntax,
        place: Place::new(place, None, Some(name)),
        access,
        is_cut: false,
    })
}

/// The syntax and the access of values.
fn reading(kind: Kind) -> Option<(Syntax, Access)> {
    match kind {
        Kind::Uri => Some((Syntax::IriOrText, Access::Rewrite)),
        Kind::Address => Some((Syntax::IriOrText, Access::Rules)),
        Kind::Text | Kind::List => Some((Syntax::EscapedText, Access::Rewrite)),
        Kind::Identifier => Some((Syntax::AbsoluteOnly, Access::Identifier)),
        Kind::Never => None,
    }
}

fn of_media_type(media_type: &[u8]) -> Syntax {
    let is = |known: &str| media_type.eq_ignore_ascii_case(known.as_bytes());
    match () {
        () if is("text/html") => Syntax::Html,
        () if is("application/ld+json") => Syntax::Json,
        () => Syntax::EscapedText,
    }
}

/// True if quoted-printable has octets beyond ASCII, and all of them are characters of the charset.
fn reads_beyond_ascii(value: &[u8], charset: QuotedCharset) -> bool {
    std::str::from_utf8(value).is_ok_and(|value| {
        let unescaped = Escaping::ContentQuoted(charset).unescape(value);
        let text = unescaped.text();
        !text.is_ascii() && !text.contains(char::REPLACEMENT_CHARACTER)
    })
}

/// The escaping of a value, and true if its charset can be read.
fn escaping(line: &[u8], head: &PropertyHead, kind: Kind, charset: Charset) -> (Escaping, bool) {
    let declared = head.value_of(line, "charset").map(declared);
    let value = &line[head.value..];
    if head.is_quoted_printable(line) {
        let utf_8 = QuotedCharset::of(Charset::UTF_8);
        // Octets that are UTF-8 say more about their charset than the other lines do.
        let is_utf_8 = || utf_8.is_some_and(|utf_8| reads_beyond_ascii(value, utf_8));
        let charset = match declared {
            None | Some(Declared::Ascii) if is_utf_8() => Some(Charset::UTF_8),
            None | Some(Declared::Ascii) => Some(charset),
            Some(Declared::Known(own)) => Some(own),
            Some(Declared::Unknown) => None,
        };
        let quoted = charset.and_then(QuotedCharset::of);
        let label = head.value_of(line, "charset").map(String::from_utf8_lossy);
        let label = label.filter(|_| matches!(declared, Some(Declared::Known(_))));
        let quoted = quoted.map(|quoted| label.map_or(quoted, |label| quoted.labelled(&label)));
        // vCard 2.1 has one escape, `\;`; a backslash may also belong to a path.
        let is_read = quoted.is_some()
            && !value.contains(&b'\\')
            && memchr::memmem::find(value, b"=5C").is_none();
        return match quoted.or(utf_8) {
            Some(quoted) => (Escaping::ContentQuoted(quoted), is_read),
            None => (Escaping::ContentText, false),
        };
    }
    let is_read = match declared {
        None | Some(Declared::Ascii) => true,
        Some(Declared::Known(own)) => {
            own == charset || value.is_ascii() && own.is_ascii_compatible()
        }
        Some(Declared::Unknown) => value.is_ascii(),
    };
    let escaping = match kind {
        Kind::Uri | Kind::Address | Kind::Identifier => Escaping::ContentUri,
        Kind::List => Escaping::ContentList,
        Kind::Text | Kind::Never => Escaping::ContentText,
    };
    (escaping, is_read)
}

/// The parameter CHARSET.
enum Declared {
    Known(Charset),
    /// US-ASCII: no more than the charset of the document.
    Ascii,
    Unknown,
}

fn declared(label: &[u8]) -> Declared {
    let label = String::from_utf8_lossy(label);
    if label.eq_ignore_ascii_case("us-ascii") || label.eq_ignore_ascii_case("ascii") {
        return Declared::Ascii;
    }
    match Charset::for_label(&label) {
        Ok(charset) if !charset.is_replacement() => Declared::Known(charset),
        _ => Declared::Unknown,
    }
}
