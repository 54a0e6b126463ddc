//! Tags, comments and text of HTML as ranges (HTML standard 13.2.5).
//!
//! The lexer must not know a vocabulary. The caller sets the content that follows a tag, as the standard's tree builder
//! does.

use super::content::{
    Answer, ContentEnd, Haystack, begins, begins_php, cdata_end, comment_end, declaration_end,
    raw_end, script_end,
};
pub use super::content::{Content, Script};
use super::php::{PhpCode, php_end};
use super::tag::Scan;
pub use super::tag::{Attribute, Tag};
use crate::boundary::whole_characters;
use crate::slot::{Run, Window};
use linkglot_charset::ascii::is_space;
use memchr::memchr;
use std::ops::Range;

/// The beginning of a comment that holds the data of a block of WordPress, as JSON behind a name.
pub const BLOCK: &[u8] = b" wp:";

/// Treatment of content that is not markup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Take {
    /// The content is not answered.
    Skip,
    /// The content is answered piece by piece, as a run of text.
    Stream,
    /// The content is answered as a whole, if it is not too long.
    Whole,
}

/// A piece of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lexeme {
    /// Text. The cursor is at its end.
    Text(Range<usize>, Run),
    /// A whole tag: [`Lexer::tag`]. The cursor is still at its `<`; [`Lexer::leave_tag`] moves it.
    Tag,
    /// A tag that is longer than the limit, with the attributes known so far; the others follow one by one. Left with
    /// [`Lexer::leave_tag`].
    LongTag,
    /// Another attribute of a long tag: the only one of [`Lexer::tag`], or code of PHP alone. Left with
    /// [`Lexer::leave_tag`].
    Attribute,
    /// An attribute longer than the limit, whose value begins at its position relative to the cursor. Left with
    /// [`Lexer::leave_tag`].
    LongAttribute(Attribute),
    /// The end of a long tag.
    TagEnd,
    /// A comment, a bogus one or a document type declaration.
    Comment(CommentKind, Range<usize>),
    /// Content that is taken whole.
    Raw(Range<usize>),
    /// A comment, or content to be taken whole, that is too long begins here.
    TooLong(Option<CommentKind>, usize),
    /// The window ends before the next piece is decided.
    NeedMore,
    /// The end of the document.
    End,
}

/// The kinds of markup that begin with `<!`, `<?` or an invalid `</`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommentKind {
    /// `<!-- ... -->`
    Comment,
    /// A bogus comment.
    Bogus,
    /// `<!DOCTYPE ...>`
    Doctype,
    /// Code of PHP, with its tags: `<?php ... ?>`, `<?= ... ?>`. The end of the document ends it, too.
    Php,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Content,
    Tag,
    LongTag,
    Comment(CommentKind),
}

/// The meaning of a `<` in markup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Markup {
    Text,
    Unknown,
    Tag {
        closing: bool,
    },
    Comment(CommentKind, usize),
    Cdata,
    /// `</>`, which means nothing.
    Nothing,
}

/// The step machine.
#[derive(Debug)]
pub struct Lexer {
    /// The reading of the bytes behind the cursor. Set behind a tag.
    pub content: Content,
    /// Treatment of content that is not markup. Set behind a tag.
    pub take: Take,
    /// Treatment of comments.
    pub comments: Take,
    /// True if `<![CDATA[` begins a CDATA section here (in foreign content).
    pub cdata: bool,
    /// True if text is answered in one piece, unless it is too long.
    pub hold: bool,
    /// True if white space before text is left out.
    pub trim: bool,
    /// The lower-case name whose end tag ends the content.
    pub end_name: Vec<u8>,
    /// The tag that was answered.
    pub tag: Tag,
    limit: usize,
    state: State,
    /// The number of bytes behind the cursor that were searched.
    scanned: usize,
    run_open: bool,
    offered: bool,
    /// True if the present comment or content is too long: the rest is skipped.
    skipping: bool,
    /// True if the cursor is before the first character of a comment.
    fresh: bool,
    /// The place in code of PHP, as far as that was searched.
    php: PhpCode,
    /// True if the present content was searched up to a place in code of PHP.
    in_code: bool,
}

/// The smallest limit that can hold tags and attributes.
const LEAST_LIMIT: usize = 64;

impl Lexer {
    /// A lexer that holds about `limit` bytes at most.
    pub fn new(limit: usize) -> Self {
        Lexer {
            in_code: false,
            content: Content::Data,
            take: Take::Stream,
            comments: Take::Skip,
            cdata: false,
            hold: false,
            trim: true,
            end_name: Vec::new(),
            tag: Tag::default(),
            limit: limit.max(LEAST_LIMIT),
            state: State::Content,
            scanned: 0,
            run_open: false,
            offered: false,
            skipping: false,
            fresh: false,
            php: PhpCode::Code,
        }
    }

    /// The next piece.
    #[inline]
    pub fn next(&mut self, window: Window<'_>, cursor: &mut usize) -> Lexeme {
        loop {
            let lexeme = match self.state {
                State::Content if self.content == Content::Data => self.data(window, cursor),
                State::Content => self.raw(window, cursor),
                State::Tag => self.whole_tag(window, cursor),
                State::LongTag => self.long_tag(window, cursor),
                State::Comment(kind) => self.comment(kind, window, cursor),
            };
            if let Some(lexeme) = lexeme {
                self.offered &= !matches!(lexeme, Lexeme::NeedMore);
                return lexeme;
            }
        }
    }

    /// Moves the cursor behind the tag, or behind the answered attributes of a long tag. Since the lexeme was answered,
    /// the cursor has moved by `moved`.
    #[inline]
    pub fn leave_tag(&mut self, cursor: &mut usize, moved: usize) {
        let target = match self.state {
            State::LongTag => {
                let open = self.tag.open_from();
                self.tag.shift(open);
                self.tag.attributes.clear();
                open
            }
            _ => self.tag.at,
        };
        *cursor += target.saturating_sub(moved);
    }

    /// True if markup comes next, and no text is being read.
    #[inline]
    pub fn is_in_data(&self) -> bool {
        self.state == State::Content && self.content == Content::Data && !self.run_open
    }

    /// Goes on as if the lexer had answered the tag, which the caller read itself.
    #[inline]
    pub fn begin_skimmed(&mut self) {
        self.scanned = 0;
        self.skipping = false;
    }

    /// True if the last tag is long, and its other attributes follow.
    pub fn tag_is_open(&self) -> bool {
        self.state == State::LongTag
    }

    fn data(&mut self, window: Window<'_>, cursor: &mut usize) -> Option<Lexeme> {
        let bytes = window.bytes;
        let mut from = *cursor;
        loop {
            let rest = bytes.get(from..).unwrap_or_default();
            let Some(found) = memchr(b'<', rest) else {
                return Some(self.text(window, cursor, bytes.len()));
            };
            let at = from + found;
            match self.markup_at(window, at) {
                Markup::Text => from = at + 1,
                Markup::Unknown => return Some(self.text(window, cursor, at)),
                markup => {
                    let text = self.end_text(bytes, cursor, at);
                    if text.is_none() {
                        self.enter(markup, cursor);
                    }
                    return text;
                }
            }
        }
    }

    /// The meaning of the `<` at `at` (13.2.5.6, 13.2.5.7, 13.2.5.42).
    #[inline]
    fn markup_at(&self, window: Window<'_>, at: usize) -> Markup {
        let undecided = if window.last {
            Markup::Text
        } else {
            Markup::Unknown
        };
        match window.bytes.get(at + 1) {
            Some(byte) if byte.is_ascii_alphabetic() => Markup::Tag { closing: false },
            Some(b'/') => match window.bytes.get(at + 2) {
                Some(byte) if byte.is_ascii_alphabetic() => Markup::Tag { closing: true },
                Some(b'>') => Markup::Nothing,
                Some(_) => Markup::Comment(CommentKind::Bogus, 2),
                None => undecided,
            },
            Some(b'!') => self.declaration_at(window, at),
            Some(b'?') => match begins_php(&window.bytes[at..]) {
                Some(true) => Markup::Comment(CommentKind::Php, 0),
                None if !window.last => Markup::Unknown,
                _ => Markup::Comment(CommentKind::Bogus, 1),
            },
            Some(_) => Markup::Text,
            None => undecided,
        }
    }

    fn declaration_at(&self, window: Window<'_>, at: usize) -> Markup {
        let hay = Haystack {
            bytes: window.bytes,
            start: at,
            from: at,
            last: window.last,
            has_php: false,
        };
        let mut unknown = false;
        for (what, markup) in [
            (&b"--"[..], Markup::Comment(CommentKind::Comment, 4)),
            (b"doctype", Markup::Comment(CommentKind::Doctype, 9)),
            (b"[CDATA[", Markup::Cdata),
        ] {
            let allowed = markup != Markup::Cdata || self.cdata && self.is_cdata(window, at);
            match begins(hay, at + 2, what) {
                Answer::Yes if allowed => return markup,
                Answer::Unknown if allowed => unknown = true,
                _ => {}
            }
        }
        if unknown {
            Markup::Unknown
        } else {
            Markup::Comment(CommentKind::Bogus, 2)
        }
    }

    /// Only `[CDATA[` in capitals begins a section.
    fn is_cdata(&self, window: Window<'_>, at: usize) -> bool {
        let rest = window.bytes.get(at + 2..).unwrap_or_default();
        rest.iter().zip(b"[CDATA[").all(|(have, want)| have == want)
    }

    fn enter(&mut self, markup: Markup, cursor: &mut usize) {
        self.scanned = 0;
        self.skipping = false;
        match markup {
            Markup::Tag { closing } => {
                self.tag.begin(closing);
                self.state = State::Tag;
            }
            Markup::Comment(kind, skip) => {
                *cursor += skip;
                self.fresh = true;
                self.php = PhpCode::Code;
                self.state = State::Comment(kind);
            }
            Markup::Cdata => {
                *cursor += 9;
                self.content = Content::Cdata;
            }
            Markup::Nothing => *cursor += 3,
            Markup::Text | Markup::Unknown => {}
        }
    }

    /// Text up to `end`, where the window ends or the next bytes are undecided.
    fn text(&mut self, window: Window<'_>, cursor: &mut usize, end: usize) -> Lexeme {
        if window.last {
            return self
                .end_text(window.bytes, cursor, end)
                .unwrap_or(Lexeme::End);
        }
        let start = self.text_start(window.bytes, cursor, end);
        let end = whole_characters(window, start..end, self.limit);
        if start >= end || self.offered || self.hold && end - start <= self.limit {
            return Lexeme::NeedMore;
        }
        let begins = !self.run_open;
        self.run_open = true;
        self.offered = true;
        *cursor = end;
        Lexeme::Text(
            start..end,
            Run {
                begins,
                ends: false,
            },
        )
    }

    /// Text that ends at `end`; `None` if it is empty.
    #[inline]
    fn end_text(&mut self, bytes: &[u8], cursor: &mut usize, end: usize) -> Option<Lexeme> {
        let start = self.text_start(bytes, cursor, end);
        *cursor = end;
        if start >= end && !self.run_open {
            return None;
        }
        let run = Run {
            begins: !self.run_open,
            ends: true,
        };
        self.run_open = false;
        self.offered = false;
        self.scanned = 0;
        Some(Lexeme::Text(start.min(end)..end, run))
    }

    #[inline]
    fn text_start(&self, bytes: &[u8], cursor: &mut usize, end: usize) -> usize {
        if self.trim && !self.run_open {
            let text = bytes.get(*cursor..end).unwrap_or_default();
            let blank = text.iter().position(|&b| !is_space(b));
            *cursor += blank.unwrap_or(text.len());
        }
        *cursor
    }

    fn whole_tag(&mut self, window: Window<'_>, cursor: &mut usize) -> Option<Lexeme> {
        let rest = window.bytes.get(*cursor..).unwrap_or_default();
        let held = rest.get(..self.limit).unwrap_or(rest);
        Some(match self.tag.scan(held) {
            Scan::Done => {
                self.state = State::Content;
                Lexeme::Tag
            }
            Scan::Open if rest.len() >= self.limit => {
                self.state = State::LongTag;
                Lexeme::LongTag
            }
            // A tag cut off by the end of the document does not exist (13.2.5: eof-in-tag).
            Scan::Open if window.last => self.end(window, cursor),
            Scan::Open => Lexeme::NeedMore,
        })
    }

    fn long_tag(&mut self, window: Window<'_>, cursor: &mut usize) -> Option<Lexeme> {
        let rest = window.bytes.get(*cursor..).unwrap_or_default();
        let held = rest.get(..self.limit).unwrap_or(rest);
        if self.tag.scan_attribute(held) == Scan::Done {
            *cursor += self.tag.at;
            self.state = State::Content;
            return Some(Lexeme::TagEnd);
        }
        if self.tag.has_part() {
            return Some(Lexeme::Attribute);
        }
        let open = self.tag.open_from();
        if open > 0 {
            *cursor += open;
            self.tag.shift(open);
            return None;
        }
        match () {
            () if rest.len() >= self.limit => {
                self.tag.drop_current(held).map(Lexeme::LongAttribute)
            }
            () if window.last => Some(self.end(window, cursor)),
            () => Some(Lexeme::NeedMore),
        }
    }

    fn end(&mut self, window: Window<'_>, cursor: &mut usize) -> Lexeme {
        self.state = State::Content;
        self.content = Content::Data;
        *cursor = window.bytes.len();
        Lexeme::End
    }

    fn comment(
        &mut self,
        kind: CommentKind,
        window: Window<'_>,
        cursor: &mut usize,
    ) -> Option<Lexeme> {
        let start = *cursor;
        let hay = self.haystack(window, start);
        let bytes = &window.bytes[start..];
        let may_be_block = !self.skipping && bytes.len() < BLOCK.len() && BLOCK.starts_with(bytes);
        if !window.last && (self.fresh && bytes.len() < 2 || may_be_block) {
            return Some(Lexeme::NeedMore);
        }
        let take = match kind {
            CommentKind::Comment if !self.skipping && bytes.starts_with(BLOCK) => Take::Whole,
            CommentKind::Php => Take::Whole,
            _ => self.comments,
        };
        let found = match kind {
            CommentKind::Comment => comment_end(hay, self.fresh),
            CommentKind::Php => php_end(hay, &mut self.php),
            _ => declaration_end(hay),
        };
        match found {
            ContentEnd::At(end, next) => {
                self.state = State::Content;
                self.take_end(start..end, next, cursor, take)
                    .map(|range| self.whole(Some(kind), range))
            }
            ContentEnd::Open(_) if window.last => {
                self.state = State::Content;
                let end = comment_text_end(kind, window.bytes, start);
                self.take_end(start..end, window.bytes.len(), cursor, take)
                    .map(|range| self.whole(Some(kind), range))
            }
            ContentEnd::Open(end) | ContentEnd::Code(end) => {
                Some(self.wait(start, end, cursor, take))
            }
        }
    }

    fn haystack<'w>(&self, window: Window<'w>, start: usize) -> Haystack<'w> {
        Haystack {
            bytes: window.bytes,
            start,
            from: start + self.scanned,
            last: window.last,
            has_php: self.tag.has_php,
        }
    }

    /// Leaves content or a comment whose end was found. Returns its range, if the content is to be answered.
    fn take_end(
        &mut self,
        range: Range<usize>,
        next: usize,
        cursor: &mut usize,
        take: Take,
    ) -> Option<Range<usize>> {
        *cursor = next;
        self.scanned = 0;
        (take != Take::Skip && !self.skipping).then_some(range)
    }

    fn whole(&self, kind: Option<CommentKind>, range: Range<usize>) -> Lexeme {
        match kind {
            _ if range.len() > self.limit => Lexeme::TooLong(kind, range.start),
            Some(kind) => Lexeme::Comment(kind, range),
            None => Lexeme::Raw(range),
        }
    }

    /// Waits for the end of content that reaches `end` or further.
    fn wait(&mut self, start: usize, end: usize, cursor: &mut usize, take: Take) -> Lexeme {
        let kind = match self.state {
            State::Comment(kind) => Some(kind),
            _ => None,
        };
        let skip = take == Take::Skip || self.skipping;
        if !skip && end.saturating_sub(start) <= self.limit {
            self.scanned = end - start;
            return Lexeme::NeedMore;
        }
        self.skipping = true;
        self.fresh &= end == start;
        self.scanned = 0;
        *cursor = end;
        if skip {
            Lexeme::NeedMore
        } else {
            Lexeme::TooLong(kind, start)
        }
    }

    fn raw(&mut self, window: Window<'_>, cursor: &mut usize) -> Option<Lexeme> {
        let start = *cursor;
        let found = self.content_end(window, start);
        let (end, next) = match found {
            ContentEnd::At(end, next) => (end, next),
            ContentEnd::Code(at) => {
                let text = match self.take {
                    Take::Stream => self.end_text(window.bytes, cursor, at),
                    Take::Skip | Take::Whole => None,
                };
                if text.is_none() {
                    *cursor = at;
                    self.enter(Markup::Comment(CommentKind::Php, 0), cursor);
                }
                return text;
            }
            ContentEnd::Open(end) if window.last => (end, end),
            ContentEnd::Open(end) if self.take == Take::Stream => {
                return Some(self.text(window, cursor, end));
            }
            ContentEnd::Open(end) => return Some(self.wait(start, end, cursor, self.take)),
        };
        if self.take == Take::Stream {
            let text = self.end_text(window.bytes, cursor, end);
            if text.is_some() {
                return text;
            }
        }
        self.content = Content::Data;
        let skipped = self.take_end(start..end, next, cursor, self.take);
        self.skipping = false;
        match self.take {
            Take::Whole => skipped.map(|range| self.whole(None, range)),
            _ => None,
        }
    }

    /// The end of content. Content that is taken whole has code of PHP in it; other content ends in front of it.
    fn content_end(&mut self, window: Window<'_>, start: usize) -> ContentEnd {
        loop {
            let hay = self.haystack(window, start);
            if self.in_code {
                match php_end(hay, &mut self.php) {
                    ContentEnd::At(end, _) => {
                        self.in_code = false;
                        self.scanned = end - start;
                        continue;
                    }
                    end => return end,
                }
            }
            let found = match &mut self.content {
                Content::Rcdata | Content::Rawtext => raw_end(hay, &self.end_name),
                Content::Script(script) => script_end(hay, &self.end_name, script),
                Content::Cdata => cdata_end(hay, window.charset),
                Content::Data | Content::Plaintext => ContentEnd::Open(window.bytes.len()),
            };
            match found {
                ContentEnd::Code(at) if self.take == Take::Whole => {
                    self.in_code = true;
                    self.php = PhpCode::Code;
                    self.scanned = at - start;
                }
                found => return found,
            }
        }
    }

    /// The most bytes that the lexer holds.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// Sets the content behind a tag whose lower-case name is `name`.
    pub fn set_content(&mut self, content: Content, take: Take, name: &[u8]) {
        self.content = content;
        self.take = take;
        self.skipping = false;
        self.in_code = false;
        self.end_name.clear();
        self.end_name
            .extend(name.iter().map(|byte| byte.to_ascii_lowercase()));
    }
}

impl Content {
    /// The beginning of a script.
    pub const SCRIPT: Content = Content::Script(Script::Plain);
}

/// The end of a comment cut off by the end of the document: dashes of an unfinished `-->` are no part of its text.
fn comment_text_end(kind: CommentKind, bytes: &[u8], start: usize) -> usize {
    let text = bytes.get(start..).unwrap_or_default();
    let dashes: &[&[u8]] = match kind {
        CommentKind::Comment => &[b"--!", b"--", b"-"],
        _ => &[],
    };
    let cut = dashes.iter().find(|dashes| text.ends_with(dashes));
    bytes.len() - cut.map_or(0, |dashes| dashes.len())
}
