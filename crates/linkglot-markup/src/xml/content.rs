//! Character data: values, nested documents, running text.

use super::entities::{Entities, is_entity};
use super::scope::Content;
use super::{Input, Mode, Terminator, Turn, XmlTokenizer, breaks, entities, is_blank, whole};
use crate::byte_search as swar;
use crate::escape::Escaping;
use crate::serialized::{begins_serialized, is_serialized};
use crate::settings::CommentSlots;
use crate::slot::{Access, Place, PlaceKind, Run, Slot, Syntax};
use crate::values;
use linkglot_charset::ascii::is_space;
use std::ops::Range;

/// The content of an element that may be one value.
enum Value {
    One(Range<usize>, Escaping),
    /// A value that CDATA sections, comments or instructions interrupt.
    Several(Vec<(Range<usize>, Escaping)>),
    /// No value.
    None,
    More,
}

/// The end of running text.
enum RunEnd {
    /// Markup, or the document's end.
    Markup(usize),
    /// A reference to an entity that is not predefined.
    Entity(usize),
    /// The window ends in a possible reference to such an entity.
    Cut(usize),
    Window,
}

impl XmlTokenizer {
    pub(super) fn content(&mut self, input: Input<'_>) -> Turn {
        let mut at = 0;
        loop {
            let passed = self.skim(input.from(at));
            self.stray_quotes.pass(passed);
            at += passed;
            let rest = input.from(at);
            let turn = match rest.byte(0) {
                None => Turn::More,
                Some(b'<') => self.markup(rest),
                Some(_) => self.text(rest),
            };
            match (turn, self.mode) {
                (Turn::Go(by), Mode::Content) if by > 0 => {
                    self.stray_quotes.pass(by);
                    at += by;
                }
                (turn, _) => {
                    self.stray_quotes.back(at);
                    return match turn {
                        Turn::More if at > 0 => Turn::Go(at),
                        turn => turn.behind(at),
                    };
                }
            }
        }
    }

    /// The content of the innermost open element.
    #[inline]
    pub(super) fn open_content(&self) -> Content {
        self.scope
            .top()
            .map_or(Content::Skip, |frame| frame.content)
    }

    /// The place of the content of the innermost open element.
    #[inline(never)]
    pub(super) fn in_content(&mut self, input: Input<'_>, kind: PlaceKind) -> Place {
        let mut place = Place::new(kind, None, None);
        if let Some(frame) = self.scope.top() {
            place.namespace = self.namespaces.name(&self.vocabulary, frame.namespace);
            let name = self.scope.top_name();
            place.element = super::named(self.spellings.name(name, input.charset));
        }
        place
    }

    pub(super) fn markup(&mut self, input: Input<'_>) -> Turn {
        self.has_entities = false;
        match input.byte(1) {
            None if input.last => Turn::Go(1),
            None => Turn::More,
            Some(b'/') => self.end_tag(input),
            Some(b'?') => self.instruction(input),
            Some(b'!') => self.declaration(input),
            Some(first) if entities::is_name_start(first) => self.start_tag(input),
            // Not well-formed: the `<` is text.
            Some(_) => Turn::Go(1),
        }
    }

    /// Reads the `<!` at the cursor.
    #[inline(never)]
    fn declaration(&mut self, input: Input<'_>) -> Turn {
        let begins = [&b"<!--"[..], b"<![CDATA[", b"<!DOCTYPE"];
        let begun = |begin: &&[u8]| begin.starts_with(input.bytes);
        if !input.last && begins.iter().any(begun) {
            return Turn::More;
        }
        match begins.map(|begin| input.bytes.starts_with(begin)) {
            [true, ..] => self.comment(input),
            [_, true, _] => self.cdata(input),
            [_, _, true] => self.doctype(input),
            _ => self.pass_over(Terminator::Greater, 2),
        }
    }

    /// Reads the `<!--` at the cursor.
    fn comment(&mut self, input: Input<'_>) -> Turn {
        const BEGIN: usize = 4;
        if self.comments != CommentSlots::All {
            return self.pass_over(Terminator::Comment, BEGIN);
        }
        let (limited, cut) = input.limited(self.limit.saturating_add(BEGIN));
        match Terminator::Comment.find(limited, BEGIN) {
            None if !cut && !input.last => Turn::More,
            None => {
                self.mode = Mode::Pass(Terminator::Comment);
                let place = Place::new(PlaceKind::Comment, None, None);
                Turn::TooLong(BEGIN, place, BEGIN)
            }
            Some(end) => {
                self.mode = Mode::Pass(Terminator::Comment);
                let place = Place::new(PlaceKind::Comment, None, None);
                let what = (Escaping::XmlComment, Syntax::Text);
                Turn::Slot(whole(BEGIN..end, what, place, Access::Rewrite), end)
            }
        }
    }

    pub(super) fn pass_over(&mut self, terminator: Terminator, by: usize) -> Turn {
        self.mode = Mode::Pass(terminator);
        Turn::Go(by)
    }

    /// Reads the `<![CDATA[` at the cursor.
    fn cdata(&mut self, input: Input<'_>) -> Turn {
        const BEGIN: usize = 9;
        let (syntax, access) = match self.open_content() {
            Content::Pieces(syntax, access) => (syntax, access),
            Content::Run => (Syntax::Text, Access::Rewrite),
            Content::Text(access) => (Syntax::Text, access),
            // The text may go on beside the section.
            Content::Runs(_, access) => (Syntax::Text, access.less()),
            _ => return self.pass_over(Terminator::Cdata, BEGIN),
        };
        let kind = match syntax {
            Syntax::Text => PlaceKind::Text,
            _ => PlaceKind::Element,
        };
        let (limited, cut) = input.limited(self.limit.saturating_add(BEGIN));
        let (end, behind) = match Terminator::Cdata.find(limited, BEGIN) {
            Some(end) => (end, end + 3),
            None if limited.last => (limited.bytes.len(), limited.bytes.len()),
            None if !cut => return Turn::More,
            None => {
                self.mode = Mode::Pass(Terminator::Cdata);
                return Turn::TooLong(BEGIN, self.in_content(input, kind), BEGIN);
            }
        };
        if is_blank(input.slice(BEGIN..end)) {
            return Turn::Go(behind);
        }
        let place = self.in_content(input, kind);
        let slot = whole(BEGIN..end, (Escaping::XmlCdata, syntax), place, access);
        Turn::Slot(slot, behind)
    }

    /// Reads the character data at the cursor.
    fn text(&mut self, input: Input<'_>) -> Turn {
        match self.open_content() {
            Content::Run | Content::Text(_) if self.has_entities => self.run(input, None),
            Content::Run | Content::Text(_) => match self.text_bytes.next(input.bytes, 0, 0) {
                // The run cannot hold a link.
                Some(end) if input.byte(end) == Some(b'<') => Turn::Go(end),
                _ => self.run(input, None),
            },
            Content::Pieces(syntax, access) => self.piece(input, syntax, access),
            Content::Runs(syntax, access) => self.runs(input, syntax, access),
            Content::Skip | Content::Cell(_) | Content::Whole(..) => {
                let end = swar::find(input.bytes, 0, b'<');
                Turn::Go(end.unwrap_or(input.bytes.len()))
            }
        }
    }

    #[inline(never)]
    fn piece(&mut self, input: Input<'_>, syntax: Syntax, access: Access) -> Turn {
        let (limited, cut) = input.limited(self.limit.saturating_add(1));
        let end = match memchr::memchr(b'<', limited.bytes) {
            Some(end) => end,
            None if limited.last => limited.bytes.len(),
            None if !cut => return Turn::More,
            None => {
                self.mode = Mode::PassText;
                return Turn::TooLong(0, self.in_content(input, PlaceKind::Element), 0);
            }
        };
        if is_blank(input.slice(0..end)) {
            return Turn::Go(end);
        }
        let access = self.access(input, 0..end, access);
        let place = self.in_content(input, PlaceKind::Element);
        Turn::Slot(
            whole(0..end, (self.entities.of_text(), syntax), place, access),
            end,
        )
    }

    /// The access of a value of character data, lowered if the value depends on entities.
    fn access(&mut self, input: Input<'_>, range: Range<usize>, access: Access) -> Access {
        if !self.depends(input.slice(range.clone())) {
            return access;
        }
        self.note_expansion(input, &range);
        access.less()
    }

    /// Reads on behind the start tag of an element whose content may be a value.
    #[inline(never)]
    pub(super) fn opened(&mut self, input: Input<'_>) -> Turn {
        let (syntax, access) = match self.open_content() {
            Content::Whole(syntax, access) => (syntax, access),
            Content::Text(access) => return self.opened_text(input, access),
            _ => {
                self.mode = Mode::Content;
                return Turn::Go(0);
            }
        };
        let (limited, cut) = input.limited(self.limit.saturating_add(1));
        let only_absolute = syntax == Syntax::AbsoluteOnly;
        let value = match only_absolute.then(|| may_be_absolute(limited)) {
            Some(Some(false)) => Value::None,
            Some(None) => Value::More,
            _ => value(limited),
        };
        match value {
            Value::More if !cut => return Turn::More,
            Value::More if !only_absolute => {
                self.mode = Mode::PassText;
                return Turn::TooLong(0, self.in_content(input, PlaceKind::Element), 0);
            }
            Value::One(range, escaping) => {
                self.mode = Mode::Content;
                let raw = input.slice(range.clone()).trim_ascii();
                if only_absolute && raw.iter().any(|&byte| is_space(byte)) {
                    return Turn::Go(0);
                }
                return self.value_slot(input, (range, escaping), (syntax, access));
            }
            Value::Several(pieces) => {
                self.mode = Mode::Content;
                if let Some(slot) = self.parted(input, &pieces, (syntax, access)) {
                    let end = slot.range.end;
                    return Turn::Slot(slot, end);
                }
            }
            Value::None | Value::More => self.mode = Mode::Content,
        }
        Turn::Go(0)
    }

    /// As [`opened`](Self::opened), for an element with running text, unless one absolute IRI or serialized data of PHP
    /// is all of its content.
    #[inline(never)]
    fn opened_text(&mut self, input: Input<'_>, access: Access) -> Turn {
        let (limited, cut) = input.limited(self.limit.saturating_add(1));
        let value = match may_be_absolute(limited) {
            Some(false) => Value::None,
            Some(true) => value(limited),
            None => Value::More,
        };
        let what = (Syntax::AbsoluteOnly, access);
        match value {
            Value::More if !cut => return Turn::More,
            Value::One(range, escaping) => {
                let raw = input.slice(range.clone());
                let text = || self.piece_text(input, &range, escaping);
                let is_one = !raw.trim_ascii().iter().any(|&byte| is_space(byte));
                let what = if begins_serialized(raw) && is_serialized(&text(), input.charset) {
                    Some((Syntax::Data, access))
                } else if is_one && is_absolute(&text()) {
                    Some(what)
                } else {
                    None
                };
                if let Some(what) = what {
                    let turn = self.value_slot(input, (range, escaping), what);
                    self.scope.skip_rest();
                    return turn;
                }
            }
            Value::Several(pieces) => {
                let slot = self.parted(input, &pieces, what);
                let is_one = self.expansion.as_deref().is_some_and(is_absolute);
                if let Some(slot) = slot.filter(|_| is_one) {
                    self.scope.skip_rest();
                    self.mode = Mode::Content;
                    let end = slot.range.end;
                    return Turn::Slot(slot, end);
                }
                self.expansion = None;
            }
            Value::None | Value::More => {}
        }
        self.mode = Mode::Content;
        Turn::Go(0)
    }

    /// The slot of a value in one piece.
    fn value_slot(
        &mut self,
        input: Input<'_>,
        (range, escaping): (Range<usize>, Escaping),
        (syntax, access): (Syntax, Access),
    ) -> Turn {
        self.mode = Mode::Content;
        let end = range.end;
        let range = self.trimmed(input, range);
        let (access, escaping) = match escaping {
            Escaping::XmlText => (
                self.access(input, range.clone(), access),
                self.entities.of_text(),
            ),
            _ => (access, escaping),
        };
        let place = self.in_content(input, PlaceKind::Element);
        Turn::Slot(whole(range, (escaping, syntax), place, access), end)
    }

    /// A value of several pieces. Their text is known, but they cannot be rewritten.
    fn parted(
        &mut self,
        input: Input<'_>,
        pieces: &[(Range<usize>, Escaping)],
        (syntax, access): (Syntax, Access),
    ) -> Option<Slot> {
        let text: String = pieces
            .iter()
            .map(|(range, escaping)| self.piece_text(input, range, *escaping))
            .collect();
        let is_one = !text
            .trim_ascii()
            .contains(|ch: char| ch.is_ascii_whitespace());
        if syntax == Syntax::AbsoluteOnly && !is_one {
            return None;
        }
        let range = pieces.first()?.0.start..pieces.last()?.0.end;
        self.expansion = Some(text);
        let place = self.in_content(input, PlaceKind::Element);
        let what = (self.entities.of_text(), syntax);
        Some(whole(range, what, place, access.less()))
    }

    /// The text of a piece. References to unknown entities stand for themselves.
    fn piece_text(&self, input: Input<'_>, range: &Range<usize>, escaping: Escaping) -> String {
        let raw = input.charset.decode(input.slice(range.clone()));
        let text = if self.breaks.are_none() {
            raw
        } else {
            breaks::normalized(&raw).into()
        };
        let known = match escaping {
            Escaping::XmlText => self.entities.expand(&text),
            _ => None,
        };
        let escaping = match escaping {
            Escaping::XmlText => self.entities.of_text(),
            other => other,
        };
        known.unwrap_or_else(|| escaping.unescape(&text).into_text().into_owned())
    }

    /// Running text. `seen` is the number of bytes in the window when the last part of the run was answered.
    #[inline(never)]
    pub(super) fn run(&mut self, input: Input<'_>, seen: Option<usize>) -> Turn {
        let len = input.bytes.len();
        let enough = seen.map_or(self.limit, |seen| seen.min(self.limit));
        match run_end(input, &self.entities) {
            RunEnd::Markup(end) => {
                self.has_entities = false;
                self.run_part(input, seen, end)
            }
            RunEnd::Entity(at) => self.before_entity(input, seen, at),
            RunEnd::Cut(_) | RunEnd::Window if len <= enough => Turn::More,
            RunEnd::Cut(at) if at > 0 => self.begin_of_run(input, seen, at),
            RunEnd::Cut(_) | RunEnd::Window => {
                let end = match input.boundary(len) {
                    0 => len,
                    end => end,
                };
                self.begin_of_run(input, seen, end)
            }
        }
    }

    /// The next part of a run that is longer than the window.
    fn begin_of_run(&mut self, input: Input<'_>, seen: Option<usize>, end: usize) -> Turn {
        self.mode = Mode::Run(input.bytes.len());
        let run = Run {
            begins: seen.is_none(),
            ends: false,
        };
        let access = self.text_access();
        Turn::Slot(self.text_slot(input, end, run, access), end)
    }

    /// The rest of a run.
    fn run_part(&mut self, input: Input<'_>, seen: Option<usize>, end: usize) -> Turn {
        self.mode = Mode::Content;
        if seen.is_none() && is_blank(input.slice(0..end)) {
            return Turn::Go(end);
        }
        let run = Run {
            begins: seen.is_none(),
            ends: true,
        };
        let access = self.text_access();
        Turn::Slot(self.text_slot(input, end, run, access), end)
    }

    /// Access to the links in the running text at the cursor.
    fn text_access(&self) -> Access {
        match self.open_content() {
            Content::Text(access) => access,
            _ => Access::Rewrite,
        }
    }

    /// Returns the running text before a word that depends on an entity, then that word. Rewriters do not know the
    /// entity, so the word is a run of its own, and only listed.
    fn before_entity(&mut self, input: Input<'_>, seen: Option<usize>, at: usize) -> Turn {
        let before = input.slice(0..at);
        let word = before.iter().rposition(|&byte| is_space(byte));
        if let Some(space) = word {
            self.has_entities = true;
            return self.run_part(input, seen, space + 1);
        }
        let behind = |&byte: &u8| is_space(byte) || byte == b'<';
        let (limited, cut) = input.limited(at.saturating_add(self.limit));
        let rest = limited.bytes.get(at..).unwrap_or_default();
        let end = match rest.iter().position(behind) {
            Some(end) => at + end,
            None if limited.last => limited.bytes.len(),
            None if !cut => return Turn::More,
            None => match input.boundary(limited.bytes.len()) {
                0 => limited.bytes.len(),
                end => end,
            },
        };
        self.mode = Mode::Content;
        self.has_entities = true;
        self.note_expansion(input, &(0..end));
        let access = self.text_access().less();
        let run = Run {
            begins: seen.is_none(),
            ends: true,
        };
        Turn::Slot(self.text_slot(input, end, run, access), end)
    }

    fn text_slot(&mut self, input: Input<'_>, end: usize, run: Run, access: Access) -> Slot {
        Slot {
            range: 0..end,
            // A text that depends on a declared entity is not read with the entities of HTML.
            escaping: match access {
                Access::List => Escaping::XmlText,
                _ => self.entities.of_text(),
            },
            syntax: Syntax::Text,
            place: self.in_content(input, PlaceKind::Text).into(),
            access,
            run,
        }
    }
}

/// The end of the text at the cursor.
fn run_end(input: Input<'_>, entities: &Entities) -> RunEnd {
    for at in memchr::memchr2_iter(b'<', b'&', input.bytes) {
        if input.byte(at) == Some(b'<') {
            return RunEnd::Markup(at);
        }
        match entities.is_entity(input.bytes.get(at + 1..).unwrap_or_default()) {
            Some(true) => return RunEnd::Entity(at),
            None if !input.last => return RunEnd::Cut(at),
            _ => {}
        }
    }
    if input.last {
        RunEnd::Markup(input.bytes.len())
    } else {
        RunEnd::Window
    }
}

/// The text and CDATA sections behind a start tag, without comments and instructions, if the element's end tag follows.
fn value(input: Input<'_>) -> Value {
    // Most values are text alone.
    if let Some(less) = memchr::memchr(b'<', input.bytes)
        && input.byte(less + 1) == Some(b'/')
    {
        return if is_blank(input.slice(0..less)) {
            Value::None
        } else {
            Value::One(0..less, Escaping::XmlText)
        };
    }
    let (mut at, mut pieces) = (0, Vec::new());
    loop {
        let Some(less) = memchr::memchr(b'<', input.bytes.get(at..).unwrap_or_default()) else {
            if !input.last {
                return Value::More;
            }
            pieces.push((at..input.bytes.len(), Escaping::XmlText));
            return ended(input, pieces);
        };
        let less = at + less;
        if less > at {
            pieces.push((at..less, Escaping::XmlText));
        }
        let (terminator, begin) = match markup_at(input, less) {
            MarkupStart::End => return ended(input, pieces),
            MarkupStart::Other => return Value::None,
            MarkupStart::Unclear => return Value::More,
            MarkupStart::Passed(terminator, len) => (terminator, less + len),
        };
        let end = match terminator.find(input, begin) {
            Some(end) => end,
            None if input.last => input.bytes.len(),
            None => return Value::More,
        };
        if terminator == Terminator::Cdata {
            pieces.push((begin..end, Escaping::XmlCdata));
        }
        at = (end + terminator.bytes().len()).min(input.bytes.len());
    }
}

/// The value of an element's pieces. White space around a value does not count.
fn ended(input: Input<'_>, mut pieces: Vec<(Range<usize>, Escaping)>) -> Value {
    let is_filled = |(range, _): &(Range<usize>, Escaping)| !is_blank(input.slice(range.clone()));
    let last = pieces.iter().rposition(is_filled);
    pieces.truncate(last.map_or(0, |last| last + 1));
    let first = pieces.iter().position(is_filled).unwrap_or(0);
    pieces.drain(..first);
    match pieces.pop() {
        None => Value::None,
        Some((range, escaping)) if pieces.is_empty() => Value::One(range, escaping),
        Some(last) => {
            pieces.push(last);
            Value::Several(pieces)
        }
    }
}

/// True if a whole text, but for white space around it, is one absolute IRI.
fn is_absolute(text: &str) -> bool {
    values::is_absolute(text.trim())
}

enum MarkupStart {
    End,
    Passed(Terminator, usize),
    Other,
    Unclear,
}

/// The markup at the `<` at `at`.
fn markup_at(input: Input<'_>, at: usize) -> MarkupStart {
    let rest = input.bytes.get(at..).unwrap_or_default();
    let begins = [
        (&b"<!--"[..], Terminator::Comment),
        (b"<![CDATA[", Terminator::Cdata),
        (b"<?", Terminator::Instruction),
    ];
    if rest.starts_with(b"</") {
        return MarkupStart::End;
    }
    for (begin, terminator) in begins {
        if rest.starts_with(begin) {
            return MarkupStart::Passed(terminator, begin.len());
        }
        if begin.starts_with(rest) && !input.last {
            return MarkupStart::Unclear;
        }
    }
    MarkupStart::Other
}

/// True if content may be an absolute IRI, by its first characters. `None` when more bytes are needed.
pub(super) fn may_be_absolute(input: Input<'_>) -> Option<bool> {
    let mut at = 0;
    while input.byte(at).is_some_and(is_space) {
        at += 1;
    }
    let unclear = |at: usize| match (input.byte(at), input.last) {
        (None, false) => None,
        (None, true) => Some(false),
        (Some(_), _) => Some(true),
    };
    // Comments and the like may stand in a value.
    let parted = |at: usize| match input.byte(at + 1) {
        Some(b'!' | b'?') => Some(true),
        Some(_) => Some(false),
        None => unclear(at + 1),
    };
    match input.byte(at) {
        Some(b'<') => parted(at),
        Some(b'&') => may_hide(input, at),
        Some(first) if first.is_ascii_alphabetic() => {
            let scheme = |&byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
            let rest = input.bytes.get(at..).unwrap_or_default();
            let end = at + rest.iter().take(64).take_while(|byte| scheme(byte)).count();
            match input.byte(end) {
                Some(b':') => Some(true),
                Some(b'&') => may_hide(input, end),
                Some(b'<') => parted(end),
                Some(_) => Some(false),
                None => unclear(end),
            }
        }
        Some(_) => Some(false),
        None => unclear(at),
    }
}

/// True if the `&` at `at` may hide the beginning of an IRI: in a character reference, or in an entity that is not
/// predefined.
fn may_hide(input: Input<'_>, at: usize) -> Option<bool> {
    let rest = input.bytes.get(at + 1..).unwrap_or_default();
    if rest.first() == Some(&b'#') {
        return Some(true);
    }
    is_entity(rest).or(input.last.then_some(false))
}
