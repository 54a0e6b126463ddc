//! The structure of mail: messages of a mailbox, their headers, the tree of their parts (RFC 5322, RFC 2045, RFC 2046,
//! RFC 4155), as a step machine over windows of bytes.
//!
//! The module must know neither the content nor the encoding of bodies.

mod delimiters;
mod entity;
mod from_line;
mod header;
mod lines;
mod media_type;
mod recognize;
#[cfg(test)]
mod tests;

pub use entity::{BodyKind, Enclosing, Entity, FieldPlace, HeaderBase};
pub use media_type::MediaType;
pub use recognize::{mail_kind, may_become_mail};

use delimiters::{BoundaryLine, Delimiters, Found, Open, OpenKind, Position};
use entity::{move_by, part_number};
use from_line::{Before, begins_message};
use header::{HeaderEnd, HeaderScan};
use lines::{LineEnd, Verdict};
use linkglot_layer::TransferEncoding;
use memchr::memchr;
use std::mem;
use std::ops::Range;
use std::sync::Arc;

/// The most bytes of a body with a Content-Length that the reader waits for.
const LENGTH_LIMIT: usize = 1 << 20;

/// The most bytes that the reader waits for the first boundary of a multipart.
const PREAMBLE_LIMIT: usize = 64 << 10;

/// The most bytes of a base that is kept.
const BASE_LIMIT: usize = 16 << 10;

/// The kind of a document of mail.
///
/// ```
/// use linkglot_mail::structure::{MailKind, mail_kind};
///
/// assert_eq!(mail_kind(b"Received: from a\nSubject: b\n\nc"), Some(MailKind::Message));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MailKind {
    /// A single message: an `.eml` file, a file of a Maildir, MHTML.
    Message,
    /// Messages, each behind a From_ line.
    Mailbox,
}

/// The answer of a [`MailReader`]. Ranges are bytes of the window.
///
/// ```
/// use linkglot_mail::structure::{MailKind, MailReader, MailStep};
///
/// let (mut reader, mut cursor) = (MailReader::new(MailKind::Message), 0);
/// let mut step = |mail: &[u8], last| reader.step(mail, last, &mut cursor);
/// assert_eq!(step(b"a: b\n", false), MailStep::NeedMore);
/// assert!(matches!(step(b"a: b\n\nc", false), MailStep::Header(_)));
/// assert_eq!(step(b"a: b\n\nc", false), MailStep::Body(6..7));
/// assert_eq!(step(b"a: b\n\nc", true), MailStep::BodyEnd);
/// assert_eq!(step(b"a: b\n\nc", true), MailStep::End);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MailStep {
    /// The header of a message or part. The cursor is behind it.
    Header(Box<Entity>),
    /// The next bytes of the body of the last entity. The cursor is behind them.
    Body(Range<usize>),
    /// The end of the body.
    BodyEnd,
    /// The window must grow behind the cursor.
    NeedMore,
    /// The mail is read; the cursor is at the end of the window.
    End,
}

/// Reads the structure of mail, window by window. The reader does no I/O and cannot fail: any bytes have a reading.
///
/// `window[*cursor..]` is unread. A step moves the cursor forward, never back. Between two steps the caller may drop
/// bytes before the cursor and lower the cursor by as many. The cursor skips bytes that belong to no answer
/// (boundaries, the texts around them, From_ lines). The answers do not depend on the cuts between windows, except for
/// adjacent [`MailStep::Body`].
///
/// Linear. Bodies are searched for possible ends at the speed of a search for a few bytes. Memory: the open multiparts
/// and the bases in enclosing headers; a window of 2.1 MiB is enough for every step.
///
/// Malformed mail is read as in CPython's `email`, even where the crate mail-parser differs: a line without a colon, or
/// with a blank in front of the colon, ends the header and begins the body; a boundary is a whole line, also ends a
/// header, and ends the multiparts inside of its own. The reader differs from CPython in these points:
///
/// - A multipart whose boundary does not occur is a leaf, as in CPython, but with the type `text/plain`, and its text
///   goes on behind a closing boundary. If its first 64 KiB do not decide, the text up to the first boundary is
///   skipped.
/// - A closing boundary directly behind a boundary closes the multipart, without a part between them.
/// - A boundary that is empty or longer than 996 bytes does not count.
/// - Carriage returns alone end lines only in mail without line feeds (in its first 64 KiB).
/// - `>From ` lines in headers are skipped, and so is a byte order mark at the start of the mail.
/// - Of a header longer than 1 MiB the fields that end in its first MiB count; the header ends with an empty line or a
///   boundary.
/// - Multiparts and messages deeper than [`MailReader::MAX_DEPTH`] are leaves. Of `message/*` only rfc822, global and
///   news are messages, and an encoded message is answered undecoded.
///
/// In a mailbox a message begins with a From_ line of full form (sender, day of the week, date, time, year) behind an
/// empty line, or behind any line if a field follows. `>From ` lines are content (mboxo, mboxrd). A Content-Length of
/// at most 1 MiB counts if the mailbox ends behind that body, or a From_ line follows (mboxcl, mboxcl2).
///
/// ```
/// use linkglot_mail::structure::{MailKind, MailReader, MailStep};
///
/// let mail = b"Content-Type: multipart/mixed; boundary=b\n\n\
///     --b\n\nPlain.\n--b\nContent-Type: text/html\n\n<p>HTML.\n--b--\n";
/// let (mut reader, mut cursor) = (MailReader::new(MailKind::Message), 0);
/// let mut found = Vec::new();
/// loop {
///     match reader.step(mail, true, &mut cursor) {
///         MailStep::Header(entity) => found.push(entity.number),
///         MailStep::Body(range) => found.push(String::from_utf8_lossy(&mail[range]).into_owned()),
///         MailStep::BodyEnd => {}
///         MailStep::NeedMore | MailStep::End => break,
///     }
/// }
/// assert_eq!(found, ["", "1", "Plain.", "2", "<p>HTML."]);
/// ```
#[derive(Clone, Debug)]
pub struct MailReader {
    /// The raw value of the last Content-Type, and its media type.
    last_type: Option<(Box<[u8]>, Arc<MediaType>)>,
    kind: MailKind,
    /// The messages so far.
    message: u64,
    state: State,
    /// The position of the next byte, if it belongs to a header or body.
    position: Position,
    delimiters: Delimiters,
    /// The bytes up to the end of the message, if it has a Content-Length.
    left: Option<usize>,
    /// The number of bytes that the cursor passed, and of those in front of the last message.
    passed: u64,
    begin: u64,
    /// The place of the next message, if that message is inside of another.
    inside: Option<Box<HeaderPlace>>,
}

#[derive(Clone, Debug)]
enum State {
    Begin,
    /// In front of a message, or behind the last.
    Between,
    Header(HeaderScan, Box<HeaderPlace>),
    /// In a header that is too long. The state behind it is kept.
    HeaderRest(Box<State>),
    /// Behind a boundary.
    PartBegin,
    Leaf,
    /// In front of or behind the parts of a multipart.
    Passing,
    Done,
}

/// The facts about an entity that are known before its header is read.
#[derive(Clone, Debug, Default)]
struct HeaderPlace {
    number: String,
    depth: usize,
    is_message: bool,
    is_in_digest: bool,
    enclosing: Enclosing,
}

impl HeaderPlace {
    /// The place of a message in the body of an entity.
    fn of_body(entity: &Entity, window: &[u8]) -> Self {
        HeaderPlace {
            number: entity.body_number().into_owned(),
            depth: entity.depth + 1,
            is_message: true,
            is_in_digest: false,
            enclosing: enclosing(entity, window),
        }
    }
}

/// The number of bytes that a turn passes, and its answer, whose ranges count from the first of these bytes.
type Turn = (usize, Option<MailStep>);

const NEED_MORE: Turn = (0, Some(MailStep::NeedMore));

impl MailReader {
    /// The most multiparts and messages inside one another.
    pub const MAX_DEPTH: usize = 64;

    /// A reader at the start of a message or mailbox.
    ///
    /// ```
    /// use linkglot_mail::structure::{MailKind, MailReader, MailStep};
    ///
    /// assert_eq!(MailReader::new(MailKind::Mailbox).step(b"", true, &mut 0), MailStep::End);
    /// ```
    pub fn new(kind: MailKind) -> Self {
        MailReader {
            last_type: None,
            kind,
            message: 0,
            state: State::Begin,
            position: Position::LineBegin,
            delimiters: Delimiters::new(LineEnd(b'\n'), false),
            left: None,
            passed: 0,
            begin: 0,
            inside: None,
        }
    }

    /// A reader of the message in the decoded body of an entity ([`BodyKind::EncodedMessage`]). Its parts are numbered
    /// as in the mail around it. `window` is the window from which the header of the entity was read.
    ///
    /// ```
    /// use linkglot_mail::structure::{BodyKind, MailKind, MailReader, MailStep};
    ///
    /// let mail = b"Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\nYTogYgoKYw==";
    /// let mut reader = MailReader::new(MailKind::Message);
    /// let MailStep::Header(outer) = reader.step(mail, true, &mut 0) else { panic!("a header") };
    /// assert_eq!(outer.body, BodyKind::EncodedMessage);
    ///
    /// let mut reader = MailReader::of_body(&outer, mail);
    /// let MailStep::Header(inner) = reader.step(b"a: b\n\nc", true, &mut 0) else { panic!("a header") };
    /// assert_eq!((&*inner.body_number(), inner.depth), ("1.1", 1));
    /// ```
    pub fn of_body(entity: &Entity, window: &[u8]) -> Self {
        MailReader {
            message: entity.message.saturating_sub(1),
            inside: Some(Box::new(HeaderPlace::of_body(entity, window))),
            ..MailReader::new(MailKind::Message)
        }
    }

    /// The number of the last message, from 1, and the number of bytes of the mail in front of it. A reader that begins
    /// there reads the same messages, unless their first 64 KiB have other line ends.
    ///
    /// ```
    /// use linkglot_mail::structure::{MailKind, MailReader, MailStep};
    ///
    /// let (mut reader, mut cursor) = (MailReader::new(MailKind::Mailbox), 0);
    /// assert!(matches!(reader.step(b"\nTo: b\n\n", true, &mut cursor), MailStep::Header(_)));
    /// assert_eq!(reader.message(), (1, 1));
    /// ```
    pub fn message(&self) -> (u64, u64) {
        (self.message, self.begin)
    }

    /// Reads up to the next answer. `last`: the mail ends with the window.
    ///
    /// ```
    /// use linkglot_mail::structure::{MailKind, MailReader, MailStep};
    ///
    /// let (mut reader, mut cursor) = (MailReader::new(MailKind::Message), 0);
    /// assert!(matches!(reader.step(b"a: b\n\n", false, &mut cursor), MailStep::Header(_)));
    /// // The caller drops what was read.
    /// cursor -= 6;
    /// assert_eq!(reader.step(b"c", true, &mut cursor), MailStep::Body(0..1));
    /// ```
    pub fn step(&mut self, window: &[u8], last: bool, cursor: &mut usize) -> MailStep {
        loop {
            let rest = window.get(*cursor..).unwrap_or_default();
            let (text, last) = match self.left.and_then(|left| rest.get(..left)) {
                Some(message) => (message, true),
                None => (rest, last),
            };
            let (passed, answer) = self.turn(text, last);
            if let Some(left) = &mut self.left {
                *left = left.saturating_sub(passed);
            }
            let from = *cursor;
            *cursor += passed;
            self.passed += passed as u64;
            if let Some(step) = answer {
                return step.behind(from);
            }
        }
    }

    fn turn(&mut self, text: &[u8], last: bool) -> Turn {
        match mem::replace(&mut self.state, State::Done) {
            State::Begin => self.begin(text, last),
            State::Between => self.between(text, last),
            State::Header(scan, place) => self.header(scan, place, text, last),
            State::HeaderRest(then) => self.header_rest(then, text, last),
            State::PartBegin => self.part_begin(text, last),
            state @ (State::Leaf | State::Passing) => self.body(state, text, last),
            State::Done => (text.len(), Some(MailStep::End)),
        }
    }

    /// Stays in a state until more bytes come.
    fn wait(&mut self, state: State) -> Turn {
        self.state = state;
        NEED_MORE
    }

    fn begin(&mut self, text: &[u8], last: bool) -> Turn {
        let Some(end) = LineEnd::of(text, last) else {
            return self.wait(State::Begin);
        };
        self.delimiters = Delimiters::new(end, false);
        self.state = State::Between;
        let has_mark = text.starts_with("\u{FEFF}".as_bytes());
        (if has_mark { 3 } else { 0 }, None)
    }

    fn between(&mut self, text: &[u8], last: bool) -> Turn {
        let end = self.delimiters.end;
        let is_mailbox = self.kind == MailKind::Mailbox;
        match end.begins(text) {
            _ if text.is_empty() && last => return (0, None),
            _ if end.may_begin(text) && !last => return self.wait(State::Between),
            Some(length) if is_mailbox => {
                self.state = State::Between;
                return (length, None);
            }
            _ => {}
        }
        self.message += 1;
        self.begin = self.passed;
        self.delimiters.are_messages = is_mailbox;
        self.position = Position::LineBegin;
        let place = self.inside.take().map(|place| *place);
        self.begin_header(place.unwrap_or_else(|| HeaderPlace {
            is_message: true,
            ..HeaderPlace::default()
        }));
        (0, None)
    }

    fn begin_header(&mut self, place: HeaderPlace) {
        self.state = State::Header(HeaderScan::new(), Box::new(place));
    }

    fn header(
        &mut self,
        mut scan: HeaderScan,
        place: Box<HeaderPlace>,
        text: &[u8],
        last: bool,
    ) -> Turn {
        let end = scan.read(text, last, &self.delimiters, self.position);
        let (behind, position) = match end {
            HeaderEnd::NeedMore => return self.wait(State::Header(scan, place)),
            HeaderEnd::Whole { behind, position } => (behind, position),
            HeaderEnd::TooLong { behind } => {
                scan.fields.pop();
                (behind, Position::LineBegin)
            }
        };
        let is_whole = matches!(end, HeaderEnd::Whole { .. });
        let mut entity = self.entity(&place, &scan.fields, text);
        let body = text.get(behind..).unwrap_or_default();
        if entity.body == BodyKind::Multipart && is_whole {
            match self.has_boundary(&entity, body, last, position) {
                Verdict::Yes => {}
                Verdict::Maybe => return self.wait(State::Header(scan, place)),
                Verdict::No => {
                    entity.body = BodyKind::Leaf;
                    entity.media_type = Arc::default();
                }
            }
        }
        let length = self.said_length(&entity, (&scan.fields, text));
        match length.map(|length| (length, self.ends_message(body, length, last))) {
            _ if !is_whole => {}
            None | Some((_, Verdict::No)) => {}
            Some((_, Verdict::Maybe)) => return self.wait(State::Header(scan, place)),
            Some((length, Verdict::Yes)) => {
                entity.has_length = true;
                if length <= LENGTH_LIMIT {
                    self.left = Some(behind + length);
                    self.delimiters.are_messages = false;
                }
            }
        }
        entity.fields = scan.fields;
        self.position = position;
        self.enter(&entity, text);
        if !is_whole {
            self.state = State::HeaderRest(Box::new(mem::replace(&mut self.state, State::Done)));
        }
        (behind, Some(MailStep::Header(Box::new(entity))))
    }

    /// Parses the raw value of a Content-Type. The last result is kept, since many messages have the same type.
    fn media_type(&mut self, value: &[u8]) -> Arc<MediaType> {
        if let Some((last, media_type)) = &self.last_type
            && **last == *value
        {
            return Arc::clone(media_type);
        }
        let media_type = Arc::new(MediaType::parse(value));
        self.last_type = Some((value.into(), Arc::clone(&media_type)));
        media_type
    }

    /// The entity of a header; its fields are filled in later.
    fn entity(&mut self, place: &HeaderPlace, fields: &[FieldPlace], text: &[u8]) -> Entity {
        let encoding = field(fields, text, b"content-transfer-encoding");
        let mut media_type = match field(fields, text, b"content-type") {
            Some(value) => self.media_type(text.get(value).unwrap_or_default()),
            None if place.is_in_digest => Arc::new(MediaType::message()),
            None => Arc::default(),
        };
        let raw_encoding = encoding.clone().and_then(|value| text.get(value));
        let is_encoded = raw_encoding.is_some_and(|label| {
            TransferEncoding::of_label(label).layer().is_some()
                || TransferEncoding::is_of_files(label)
        });
        let body = match media_type.essence() {
            essence if essence.starts_with("multipart/") => match media_type.boundary() {
                Some(_) => BodyKind::Multipart,
                None => BodyKind::Leaf,
            },
            "message/rfc822" | "message/global" | "message/news" => {
                if is_encoded {
                    BodyKind::EncodedMessage
                } else {
                    BodyKind::Message
                }
            }
            _ => BodyKind::Leaf,
        };
        if body == BodyKind::Leaf && media_type.essence().starts_with("multipart/") {
            media_type = Arc::default();
        }
        Entity {
            message: self.message,
            number: place.number.clone(),
            is_message: place.is_message,
            fields: Vec::new(),
            media_type,
            encoding,
            body: match body {
                BodyKind::Leaf => BodyKind::Leaf,
                _ if place.depth >= Self::MAX_DEPTH => BodyKind::TooDeep,
                body => body,
            },
            enclosing: place.enclosing.clone(),
            has_length: false,
            depth: place.depth,
        }
    }

    /// Tells if a multipart has a part.
    fn has_boundary(
        &mut self,
        entity: &Entity,
        body: &[u8],
        last: bool,
        position: Position,
    ) -> Verdict {
        let head = body.get(..PREAMBLE_LIMIT);
        let level = self.delimiters.open.len();
        self.delimiters
            .open
            .push(open(entity, Enclosing::default()));
        let found = self
            .delimiters
            .find(head.unwrap_or(body), last && head.is_none(), position);
        self.delimiters.open.pop();
        match found {
            Found::Boundary { line, .. } if line.level == level && !line.closes => Verdict::Yes,
            Found::Nothing { .. } if head.is_some() => Verdict::Yes,
            Found::Nothing { .. } if !last => Verdict::Maybe,
            _ => Verdict::No,
        }
    }

    /// Enters the state behind the header of an entity.
    fn enter(&mut self, entity: &Entity, text: &[u8]) {
        match entity.body {
            BodyKind::Leaf | BodyKind::EncodedMessage | BodyKind::TooDeep => {
                self.state = State::Leaf;
            }
            BodyKind::Multipart => {
                let enclosing = enclosing(entity, text);
                self.delimiters.open.push(open(entity, enclosing));
                self.state = State::Passing;
            }
            BodyKind::Message => self.begin_header(HeaderPlace::of_body(entity, text)),
        }
    }

    /// The Content-Length in the header of a message of a mailbox.
    fn said_length(
        &self,
        entity: &Entity,
        (fields, text): (&[FieldPlace], &[u8]),
    ) -> Option<usize> {
        let is_outer = entity.is_message && entity.number.is_empty();
        let is_in_mailbox = is_outer && self.delimiters.are_messages;
        let value = field(fields, text, b"content-length").filter(|_| is_in_mailbox)?;
        let value = std::str::from_utf8(text.get(value)?).ok()?;
        value.trim().parse().ok()
    }

    /// Tells if the mailbox ends, or a From_ line stands, behind `length` bytes and perhaps an empty line. A longer
    /// body than [`LENGTH_LIMIT`] is not waited for: the header is believed.
    fn ends_message(&self, text: &[u8], length: usize, last: bool) -> Verdict {
        if length > LENGTH_LIMIT {
            return Verdict::Yes;
        }
        let end = self.delimiters.end;
        let Some((body, mut rest)) = text.split_at_checked(length) else {
            return if last { Verdict::No } else { Verdict::Maybe };
        };
        let mut is_line = body.is_empty() || end.ends(body);
        for _ in 0..2 {
            if end.may_begin(rest) && !last {
                return Verdict::Maybe;
            }
            let Some(length) = end.begins(rest) else {
                break;
            };
            rest = rest.get(length..).unwrap_or_default();
            is_line = true;
        }
        match is_line {
            _ if rest.is_empty() && last => Verdict::Yes,
            true => begins_message(rest, last, end, Before::EmptyLine),
            false => Verdict::No,
        }
    }

    fn header_rest(&mut self, then: Box<State>, text: &[u8], last: bool) -> Turn {
        let (passed, is_end) = self.pass_header(text, last);
        if is_end {
            self.state = *then;
            return (passed, None);
        }
        self.state = State::HeaderRest(then);
        (passed, Some(MailStep::NeedMore))
    }

    /// Skips the lines of a header. Returns the number of bytes skipped, and true if the header ends there.
    fn pass_header(&mut self, text: &[u8], last: bool) -> (usize, bool) {
        let mut at = 0;
        loop {
            let rest = text.get(at..).unwrap_or_default();
            if self.position == Position::LineBegin {
                match self.ends_header(rest, last) {
                    (Verdict::No, _) => {}
                    (Verdict::Maybe, _) => return (at, false),
                    (Verdict::Yes, length) => return (at + length, true),
                }
            }
            let Some(length) = memchr(self.delimiters.end.0, rest) else {
                self.position = Position::Inside;
                return (text.len(), last);
            };
            at += length + 1;
            self.position = Position::LineBegin;
        }
    }

    /// Tells if a header ends at this line, and the number of bytes of the line that belong to the header.
    fn ends_header(&mut self, text: &[u8], last: bool) -> (Verdict, usize) {
        match self.begins_delimiter(text, last) {
            Verdict::No => {}
            verdict => return (verdict, 0),
        }
        let end = self.delimiters.end;
        match end.begins(text) {
            Some(length) => {
                self.position = Position::BehindEmptyLine;
                (Verdict::Yes, length)
            }
            None if end.may_begin(text) && !last => (Verdict::Maybe, 0),
            None => (Verdict::No, 0),
        }
    }

    /// Tells if a line of a header is a boundary or begins a message.
    fn begins_delimiter(&self, text: &[u8], last: bool) -> Verdict {
        match self.delimiters.boundary(text, last) {
            (Verdict::No, _) if self.delimiters.are_messages => {
                begins_message(text, last, self.delimiters.end, Before::Line)
            }
            (verdict, _) => verdict,
        }
    }

    fn part_begin(&mut self, text: &[u8], last: bool) -> Turn {
        let (verdict, line) = self.delimiters.boundary(text, last);
        let own = self.delimiters.open.len().wrapping_sub(1);
        match line.filter(|line| line.level == own) {
            _ if verdict == Verdict::Maybe => return self.wait(State::PartBegin),
            Some(line) => {
                self.pass(line);
                return (line.behind, None);
            }
            None => {}
        }
        let Some(open) = self.delimiters.open.last_mut() else {
            self.state = State::Passing;
            return (0, None);
        };
        open.parts += 1;
        open.is_in_part = true;
        let mut enclosing = open.enclosing.clone();
        enclosing.is_signed |= open.kind == OpenKind::Signed && open.parts == 1;
        let place = HeaderPlace {
            number: part_number(&open.number, open.parts),
            depth: open.depth + 1,
            is_message: false,
            is_in_digest: open.kind == OpenKind::Digest,
            enclosing,
        };
        self.begin_header(place);
        (0, None)
    }

    /// Moves on behind a boundary line.
    fn pass(&mut self, line: BoundaryLine) {
        let open = &mut self.delimiters.open;
        open.truncate(line.level + 1);
        self.position = Position::LineBegin;
        if line.closes {
            open.pop();
            self.state = State::Passing;
            return;
        }
        if let Some(open) = open.last_mut() {
            open.is_in_part = false;
        }
        self.state = State::PartBegin;
    }

    /// Takes a turn in a leaf, or between parts.
    fn body(&mut self, state: State, text: &[u8], last: bool) -> Turn {
        let is_leaf = matches!(state, State::Leaf);
        let found = self.delimiters.find(text, last, self.position);
        let length = found.body_length();
        if length > 0 {
            let body = text.get(..length).unwrap_or_default();
            self.position = if self.delimiters.end.ends(body) {
                Position::LineBegin
            } else {
                Position::Inside
            };
            self.state = state;
            return (length, is_leaf.then_some(MailStep::Body(0..length)));
        }
        let passed = match found {
            Found::Nothing { .. } if !last => return self.wait(state),
            Found::Nothing { .. } => self.end_message(0),
            Found::Message { behind, .. } => self.end_message(behind),
            Found::Boundary { line, .. } => {
                self.pass(line);
                line.behind
            }
        };
        (passed, is_leaf.then_some(MailStep::BodyEnd))
    }

    fn end_message(&mut self, passed: usize) -> usize {
        self.delimiters.open.clear();
        self.left = None;
        self.state = State::Between;
        passed
    }
}

impl MailStep {
    /// The answer with ranges that count from a position `by` bytes earlier.
    fn behind(mut self, by: usize) -> Self {
        match &mut self {
            MailStep::Header(entity) => {
                if let Some(encoding) = &mut entity.encoding {
                    move_by(encoding, by);
                }
                for field in &mut entity.fields {
                    field.move_by(by);
                }
            }
            MailStep::Body(range) => move_by(range, by),
            MailStep::BodyEnd | MailStep::NeedMore | MailStep::End => {}
        }
        self
    }
}

/// The fields of a text that consists of fields: a message/delivery-status (RFC 3464 2.1), a text/rfc822-headers. Empty
/// lines between blocks of fields, and lines that are no fields, are skipped. Ranges are bytes of the text. Linear.
///
/// ```
/// use linkglot_mail::structure::field_places;
///
/// let report = b"Reporting-MTA: dns; a.example\n\nAction: failed\nDiagnostic-Code: smtp;\n 550 see b.example\n";
/// let values = field_places(report).into_iter().map(|field| &report[field.value]);
/// assert_eq!(values.last(), Some(&b" smtp;\n 550 see b.example"[..]));
/// ```
pub fn field_places(text: &[u8]) -> Vec<FieldPlace> {
    let end = LineEnd::of(text, true).unwrap_or(LineEnd(b'\n'));
    let delimiters = Delimiters::new(end, false);
    let (mut places, mut at) = (Vec::new(), 0);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let mut scan = HeaderScan::default();
        let passed = match scan.read(rest, true, &delimiters, Position::LineBegin) {
            HeaderEnd::Whole { behind: 0, .. } => {
                memchr(end.0, rest).map_or(rest.len(), |end| end + 1)
            }
            HeaderEnd::Whole { behind, .. } | HeaderEnd::TooLong { behind } => behind,
            HeaderEnd::NeedMore => break,
        };
        for mut place in scan.fields {
            place.move_by(at);
            places.push(place);
        }
        // A line longer than any header.
        if passed == 0 {
            break;
        }
        at += passed;
    }
    places
}

/// The value of the first field with the name `name`, which is in lower case.
fn field(fields: &[FieldPlace], text: &[u8], name: &[u8]) -> Option<Range<usize>> {
    let mut fields = fields.iter();
    let found = fields.find(|field| {
        let known = text.get(field.name.clone()).unwrap_or_default();
        known.eq_ignore_ascii_case(name)
    });
    found.map(|field| field.value.clone())
}

fn open(entity: &Entity, enclosing: Enclosing) -> Open {
    Open {
        boundary: entity.media_type.boundary().unwrap_or_default().into(),
        number: entity.number.clone(),
        parts: 0,
        is_in_part: false,
        kind: match entity.media_type.essence() {
            "multipart/digest" => OpenKind::Digest,
            "multipart/signed" => OpenKind::Signed,
            _ => OpenKind::Other,
        },
        depth: entity.depth,
        enclosing,
    }
}

/// The surroundings of the parts of an entity.
fn enclosing(entity: &Entity, text: &[u8]) -> Enclosing {
    let value = |name| {
        let raw = text.get(field(&entity.fields, text, name)?)?;
        (raw.len() <= BASE_LIMIT).then(|| raw.into())
    };
    let own = HeaderBase {
        content_base: value(b"content-base"),
        content_location: value(b"content-location"),
    };
    let mut enclosing = entity.enclosing.clone();
    enclosing.has_length |= entity.has_length;
    enclosing.is_encrypted |= entity.media_type.essence() == "multipart/encrypted";
    if own != HeaderBase::default() {
        let outer = enclosing.bases.iter().cloned();
        enclosing.bases = outer.chain([Arc::new(own)]).collect();
    }
    enclosing
}
