//! RTF (Rich Text Format 1.9.1): text, and the instructions of fields.
//!
//! A text ends at braces and control words, so a word may go on in the next text: such links are known as parts. Groups
//! that hold no text (fonts, pictures, data) are passed over. What follows the document is running text.
//!
//! The module must not know the meaning of running text.

mod control;
#[cfg(test)]
mod tests;

use crate::escape::{Escaping, RtfStyle};
use crate::slot::{
    Access, Place, PlaceKind, Run, SharedPlace, Slot, Step, Syntax, Tokenizer, Window,
};
use crate::text_stretch::{End as TextEnd, TextStretch};
use control::{Control, Word};
use linkglot_charset::Charset;
use std::collections::HashMap;
use std::ops::Range;

/// The beginning of a document.
const BEGIN: &[u8] = b"{\\rtf";

/// The most open groups: more are no document.
const MOST_GROUPS: usize = 1 << 14;

/// The most fonts that are known: their charsets decide the meaning of octets.
const MOST_FONTS: usize = 1 << 12;

/// The most bytes of groups and controls behind a text that are looked through for text that continues it.
const AHEAD: usize = 4096;

/// The tokenizer of RTF. Texts longer than `max_slot` are skipped.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_markup::{RtfTokenizer, Slots};
///
/// let text = br#"{\rtf1{\field{\*\fldinst HYPERLINK "http://a.example/"}{\fldrslt a}}}"#;
/// let raw: Vec<_> = Slots::new(RtfTokenizer::new(1 << 20), text, Charset::UTF_8)
///     .map(|slot| &text[slot.range])
///     .collect();
/// assert_eq!(raw, [&br#"HYPERLINK "http://a.example/""#[..], b"a"]);
/// ```
#[derive(Debug)]
pub struct RtfTokenizer {
    max_slot: usize,
    groups: Vec<Group>,
    fonts: HashMap<i32, Option<Charset>>,
    /// True behind a table of fonts.
    has_fonts: bool,
    /// The font that the table of fonts describes here.
    described: i32,
    default_font: i32,
    /// The charset of the document, which fonts may have by default; `None` if it is unknown.
    ansi: Option<Charset>,
    /// True if the document names its code page.
    has_page: bool,
    /// True if the document has its text a second time, as HTML that other readers show: its links stay.
    is_of_html: bool,
    /// True if the last text may go on.
    is_open: bool,
    /// True directly behind a control word, which a letter or digit would make longer.
    is_behind_word: bool,
    state: State,
}

/// An open group.
#[derive(Clone, Copy, Debug)]
struct Group {
    content: Content,
    substitutes: u8,
    font: Option<i32>,
    /// True behind `\dbch`: two octets are a character, in a font with another name.
    is_double: bool,
    /// True behind `\*`: an unknown word makes the group one without text.
    is_optional: bool,
}

/// The content of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    Text,
    /// The instruction of a field.
    Field,
    Fonts,
    /// Data, names and numbers.
    Nothing,
}

#[derive(Debug)]
enum State {
    /// Between texts.
    Marks,
    /// In a text that begins at the cursor, of which so many bytes have been read.
    Text(usize),
    /// In a text that is too long.
    Skipping,
    /// In binary data of so many bytes.
    Binary(usize),
    /// Behind the document.
    Behind(TextStretch),
}

/// True if bytes begin a document of RTF.
pub fn begins_rtf(bytes: &[u8]) -> bool {
    let begin = bytes.get(..BEGIN.len() + 1);
    begin.is_some_and(|begin| begin.starts_with(BEGIN) && begin[BEGIN.len()].is_ascii_digit())
}

impl Group {
    const FIRST: Group = Group {
        content: Content::Text,
        substitutes: 1,
        font: None,
        is_double: false,
        is_optional: false,
    };
}

static IN_FIELD: Place = Place::new(PlaceKind::Link, None, None);

impl RtfTokenizer {
    /// A tokenizer at the beginning of a document.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    /// use linkglot_markup::{RtfTokenizer, Slots};
    ///
    /// let slots = Slots::new(RtfTokenizer::new(64), br"{\rtf1{\fonttbl{\f0 Arial;}}a\par b}", Charset::UTF_8);
    /// assert_eq!(slots.count(), 2);
    /// ```
    pub fn new(max_slot: usize) -> Self {
        RtfTokenizer {
            max_slot,
            groups: Vec::new(),
            fonts: HashMap::new(),
            has_fonts: false,
            described: 0,
            default_font: 0,
            ansi: Charset::for_label("windows-1252").ok(),
            has_page: false,
            is_of_html: false,
            is_open: false,
            is_behind_word: false,
            state: State::Marks,
        }
    }

    fn group(&mut self) -> Option<&mut Group> {
        self.groups.last_mut()
    }

    fn content(&self) -> Content {
        self.groups
            .last()
            .map_or(Content::Nothing, |group| group.content)
    }

    /// Reads up to the next text.
    fn marks(&mut self, window: Window<'_>, cursor: &mut usize) -> Option<Step> {
        loop {
            let rest = &window.bytes[*cursor..];
            let Some(&byte) = rest.first() else {
                self.state = State::Marks;
                return Some(ended(window));
            };
            if byte != b'\\' {
                self.is_behind_word &= !matches!(byte, b'{' | b'}' | b'\r' | b'\n');
            }
            match byte {
                b'{' => {
                    let group = self.groups.last().copied().unwrap_or(Group::FIRST);
                    self.groups.push(Group {
                        is_optional: false,
                        ..group
                    });
                    if self.groups.len() > MOST_GROUPS {
                        return self.behind();
                    }
                    *cursor += 1;
                }
                b'}' => {
                    self.groups.pop();
                    *cursor += 1;
                    if self.groups.is_empty() {
                        return self.behind();
                    }
                }
                b'\\' => {
                    let Some((control, length)) = Control::at(rest, window.last) else {
                        self.state = State::Marks;
                        return Some(Step::NeedMore);
                    };
                    if control.is_text() {
                        if matches!(self.content(), Content::Text | Content::Field) {
                            self.state = State::Text(0);
                            return None;
                        }
                    } else if let Control::Word(Word::Binary, Some(count)) = control {
                        self.state = State::Binary(usize::try_from(count).unwrap_or(0));
                        *cursor += length;
                        return None;
                    }
                    self.obey(control);
                    *cursor += length;
                    self.is_behind_word =
                        matches!(control, Control::Word(..)) && rest[length - 1] != b' ';
                }
                b'\r' | b'\n' | 0 => *cursor += 1,
                _ if matches!(self.content(), Content::Text | Content::Field) => {
                    self.state = State::Text(0);
                    return None;
                }
                _ => {
                    let end = memchr::memchr3(b'\\', b'{', b'}', rest);
                    *cursor += end.unwrap_or(rest.len());
                }
            }
        }
    }

    /// Goes on with running text, behind the document.
    fn behind(&mut self) -> Option<Step> {
        self.state = State::Behind(TextStretch::new(TextEnd::Document));
        None
    }

    /// Follows a control between texts.
    fn obey(&mut self, control: Control) {
        let ansi = self.ansi;
        let (word, number) = match control {
            Control::Optional => {
                if let Some(group) = self.group() {
                    group.is_optional = true;
                }
                return;
            }
            Control::Break => {
                self.is_open = false;
                return;
            }
            Control::Word(word, number) => (word, number),
            Control::Character | Control::Symbol => return,
        };
        let is_optional = self
            .group()
            .is_some_and(|group| std::mem::take(&mut group.is_optional));
        match word {
            Word::Content(content) => {
                self.has_fonts |= content == Content::Fonts;
                // A bookmark in a word does not end it.
                self.is_open &= content == Content::Nothing;
                if let Some(group) = self.group() {
                    // Within data there is no text.
                    if group.content != Content::Nothing {
                        group.content = content;
                    }
                }
            }
            Word::Break => self.is_open = false,
            Word::Substitutes => {
                if let Some(group) = self.group() {
                    group.substitutes = number
                        .and_then(|number| u8::try_from(number).ok())
                        .unwrap_or(1);
                }
            }
            Word::Font if self.content() == Content::Fonts => {
                self.described = number.unwrap_or(0);
            }
            Word::Font => {
                if let Some(group) = self.group() {
                    group.font = number;
                }
            }
            Word::Plain => {
                if let Some(group) = self.group() {
                    (group.font, group.is_double) = (None, false);
                }
            }
            Word::Double(is_double) => {
                if let Some(group) = self.group() {
                    group.is_double = is_double;
                }
            }
            Word::DefaultFont => self.default_font = number.unwrap_or(0),
            Word::Ansi(charset) => {
                // `\ansi` only says that a code page of Windows is meant.
                self.has_page = charset != control::of_code_page(Some(1252));
                self.ansi = charset;
            }
            Word::OfHtml => self.is_of_html = true,
            Word::CodePage if self.content() == Content::Fonts => {
                self.describe(control::of_code_page(number));
            }
            Word::CodePage => {
                self.has_page = true;
                self.ansi = control::of_code_page(number);
            }
            Word::FontCharset => self.describe(control::of_font_charset(number, ansi)),
            Word::Other if is_optional => {
                if let Some(group) = self.group() {
                    group.content = Content::Nothing;
                }
            }
            Word::Binary | Word::Other => {}
        }
    }

    /// Notes the charset of the font that is described.
    fn describe(&mut self, charset: Option<Charset>) {
        let is_known = self.fonts.contains_key(&self.described);
        if is_known || self.fonts.len() < MOST_FONTS {
            self.fonts.insert(self.described, charset);
        } else {
            self.has_page = false;
        }
    }

    /// The charset of octets here; `None` if it is not sure.
    fn charset(&self) -> Option<Charset> {
        let group = self.groups.last()?;
        let font = group.font.unwrap_or(self.default_font);
        let of_font = || match self.fonts.get(&font) {
            Some(charset) => *charset,
            // Fonts of old documents tell their charset by name.
            None if self.has_page || !self.has_fonts => self.ansi,
            None => None,
        };
        if group.is_double { None } else { of_font() }
    }

    /// Reads the text that begins at the cursor.
    fn text(&mut self, read: usize, window: Window<'_>, cursor: &mut usize) -> Option<Step> {
        let start = *cursor;
        let (end, is_whole) = text_end(window, start, read);
        if end - start > self.max_slot {
            self.state = State::Skipping;
            return Some(Step::TooLong(start, Place::clone(&SharedPlace::TEXT)));
        }
        let may_go_on =
            self.content() != Content::Field && !window.bytes[start..end].ends_with(b" ");
        let goes_on_behind = match is_whole {
            true if may_go_on => goes_on(&window.bytes[end..], window.last),
            is_whole => is_whole.then_some(false),
        };
        let Some(goes_on_behind) = goes_on_behind else {
            self.state = State::Text(if is_whole { read } else { end - start });
            return Some(Step::NeedMore);
        };
        self.state = State::Marks;
        *cursor = end;
        let raw = &window.bytes[start..end];
        let style = RtfStyle {
            substitutes: self.groups.last().map_or(1, |group| group.substitutes),
            goes_on_before: self.is_open,
            goes_on_behind,
            is_behind_word: std::mem::take(&mut self.is_behind_word),
            ..RtfStyle::new(self.charset())
        };
        self.is_open = !raw.ends_with(b" ");
        Some(self.slot(start..end, style))
    }

    fn slot(&self, range: Range<usize>, style: RtfStyle) -> Step {
        let (syntax, place) = match self.content() {
            Content::Field => (Syntax::Field, SharedPlace::fixed(&IN_FIELD)),
            _ => (Syntax::EscapedText, SharedPlace::TEXT),
        };
        Step::Slot(Slot {
            range,
            escaping: Escaping::Rtf(style),
            syntax,
            place,
            access: if self.is_of_html {
                Access::List
            } else {
                Access::Rewrite
            },
            run: Run::WHOLE,
        })
    }

    /// Passes over a text that is too long.
    fn skip(&mut self, window: Window<'_>, cursor: &mut usize) -> Option<Step> {
        let (end, is_whole) = text_end(window, *cursor, 0);
        *cursor = end;
        if is_whole {
            self.state = State::Marks;
            self.is_open = true;
            return None;
        }
        self.state = State::Skipping;
        Some(Step::NeedMore)
    }
}

/// The end of a text that begins at `start`, of which `read` bytes have been read; or, if the window ends before it,
/// the position from which it is to be read on.
fn text_end(window: Window<'_>, start: usize, read: usize) -> (usize, bool) {
    let mut at = start + read;
    loop {
        let rest = &window.bytes[at..];
        let Some(found) = memchr::memchr3(b'\\', b'{', b'}', rest) else {
            return (window.bytes.len(), window.last);
        };
        at += found;
        if rest[found] != b'\\' {
            return (at, true);
        }
        match Control::at(&rest[found..], window.last) {
            None => return (at, false),
            Some((control, length)) if control.is_text() => at += length,
            Some(_) => return (at, true),
        }
    }
}

/// True if text behind groups and controls may continue a text; `None` if a longer window tells.
fn goes_on(rest: &[u8], last: bool) -> Option<bool> {
    let near = &rest[..rest.len().min(AHEAD)];
    let mut at = 0;
    loop {
        let Some(&byte) = near.get(at) else {
            let is_end = near.len() == rest.len() && last;
            return if is_end {
                Some(false)
            } else {
                (rest.len() >= AHEAD).then_some(true)
            };
        };
        at += match byte {
            b'{' | b'}' | b'\r' | b'\n' => 1,
            b'\\' => match Control::at(&near[at..], last || rest.len() > AHEAD) {
                None => return None,
                Some((Control::Break | Control::Word(Word::Break, _), _)) => return Some(false),
                Some((control, _)) if control.is_text() => return Some(true),
                Some((_, length)) => length,
            },
            byte => return Some(!byte.is_ascii_whitespace()),
        };
    }
}

/// The answer at the end of a window.
fn ended(window: Window<'_>) -> Step {
    if window.last {
        Step::End
    } else {
        Step::NeedMore
    }
}

impl Tokenizer for RtfTokenizer {
    fn step(&mut self, window: Window<'_>, cursor: &mut usize) -> Step {
        *cursor = (*cursor).min(window.bytes.len());
        loop {
            let step = match std::mem::replace(&mut self.state, State::Marks) {
                State::Marks => self.marks(window, cursor),
                State::Text(read) => self.text(read, window, cursor),
                State::Skipping => self.skip(window, cursor),
                State::Binary(count) => {
                    let here = count.min(window.bytes.len() - *cursor);
                    *cursor += here;
                    if here < count {
                        self.state = State::Binary(count - here);
                        Some(ended(window))
                    } else {
                        None
                    }
                }
                State::Behind(mut text) => {
                    let step = text.step(window, cursor);
                    self.state = State::Behind(text);
                    step
                }
            };
            if let Some(step) = step {
                return step;
            }
        }
    }
}
