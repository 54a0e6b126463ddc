//! Links that go on in the next line where [`Breaks`] allow it.
//!
//! The link that was found in front of a break is judged again with the word behind the break
//! glued to it. Whether a hard break may be inside a link depends on nothing but the link's piece
//! in front of it and the line behind it, so that a change to other links does not matter.

use super::breaks::{self, Break, Breaks};
use super::classes::{HARD, SOFT, TERM};
use super::find::{Finder, Found, Link};
use super::tail::pairs;
use super::text::Text;
use super::{Kind, classes};
use unicode_width::UnicodeWidthStr;

/// No link over breaks has more lines than this.
pub(super) const MAX_LINES: usize = 20;
/// The most bytes of text that a link over breaks may have.
pub(super) const MAX_JOINED: usize = 4 << 10;
/// The most characters of punctuation between a link and a break.
const MAX_SOFT: usize = 4;
/// Behind as many words that may close a delimiter nothing is looked for.
const MAX_CLOSERS: usize = 4;
/// A piece of a link with as many columns reached the margin of its line.
const LONG: usize = 40;
/// One with as many fills its line, wherever the margin is.
const FULL: usize = 60;
/// Lines that are cut in two hardly have more columns.
const MARGIN: usize = 80;
/// What the line in front of a signature has, with a blank behind it.
pub(super) const SIGNATURE: &str = "--";

/// The pieces of a link without the breaks between them.
pub(super) struct Joined {
    /// The character in front of the link, if there is one, and the pieces.
    pub(super) text: String,
    /// Where the link begins in `text`.
    start: usize,
    /// Where each piece begins, in `text` and in the scanned text.
    pub(super) pieces: Vec<(usize, usize)>,
    /// How many pieces stand behind a line end.
    lines: usize,
}

impl Joined {
    pub(super) fn new(outer: Option<char>) -> Joined {
        let text: String = outer.into_iter().collect();
        Joined {
            start: text.len(),
            text,
            pieces: Vec::new(),
            lines: 0,
        }
    }

    pub(super) fn push(&mut self, piece: &str, at: usize) {
        self.pieces.push((self.text.len(), at));
        self.text.push_str(piece);
    }

    /// Whether a word may follow in delimiters, behind a line break or blanks.
    fn may_take(&self, word: &str, is_broken: bool) -> bool {
        let Some(&(last, _)) = self.pieces.last() else {
            return true;
        };
        !word.is_empty()
            && (self.text.ends_with(separates)
                || word.starts_with(separates) && !is_number_sign(word)
                || is_broken && self.text.get(last..).unwrap_or("").width() >= LONG)
    }

    /// The pieces without what is in front of them.
    fn link(&self) -> &str {
        self.text.get(self.start..).unwrap_or("")
    }

    /// The place in the scanned text of the end of a link in `text`.
    pub(super) fn source_end(&self, end: usize) -> Option<usize> {
        let next = self.pieces.partition_point(|piece| piece.0 < end);
        let (at, source) = self.pieces.get(next.checked_sub(1)?)?;
        Some(source + (end - at))
    }

    /// Whether a link that ends here has more than its first piece.
    fn is_over(&self, end: usize) -> bool {
        self.pieces.get(1).is_some_and(|piece| piece.0 < end)
    }
}

impl Finder<'_, '_> {
    /// The link with what belongs to it behind the line break at its end.
    pub(super) fn over_breaks(&self, link: Link) -> Link {
        if self.scanner.breaks().is_empty() || link.kind == Kind::Email || link.spaced {
            return link;
        }
        let end = self.soft_end(link.end);
        let is_white = matches!(self.text.byte(end), b' ' | b'\t' | b'\n' | b'\r');
        if !is_white || end - link.start > MAX_JOINED {
            return link;
        }
        self.in_delimiters(link)
            .or_else(|| self.over_lines(link, end))
            .unwrap_or(link)
    }

    /// The end of the few marks of punctuation that stand behind a link.
    fn soft_end(&self, end: usize) -> usize {
        let mut i = end;
        for _ in 0..MAX_SOFT {
            let ch = self.text.char(i);
            if self.text.term(ch) != SOFT {
                break;
            }
            i += ch.len_utf8();
        }
        i
    }

    /// The link over soft breaks and hard wraps, one after the other.
    fn over_lines(&self, link: Link, end: usize) -> Option<Link> {
        Break::at(self.text, end, usize::MAX)?;
        let depth = breaks::depth(self.text, link.start);
        let mut joined = Joined::new(self.outer(link.start));
        joined.push(self.text.slice(link.start, end), link.start);
        let mut piece = Piece {
            start: link.start,
            taken: link.end,
            end,
        };
        while joined.pieces.len() < MAX_LINES {
            let Some(next) = self.next_piece(&piece, &joined, depth) else {
                break;
            };
            joined.push(self.text.slice(next.start, next.end), next.start);
            let before = joined.text.len() - (next.end - next.start);
            let Some(taken) = self
                .end_in(&joined, link.kind)
                .filter(|&end| end > before)
                .and_then(|end| joined.source_end(end))
            else {
                break;
            };
            piece = Piece { taken, ..next };
            if self.soft_end(taken) < next.end {
                break;
            }
        }
        let end = piece.taken;
        (end > link.end).then_some(Link {
            end,
            floor: end,
            spaced: true,
            ..link
        })
    }

    /// The word of the next line, if the break in front of it may be inside a link.
    fn next_piece(&self, piece: &Piece, joined: &Joined, depth: usize) -> Option<Piece> {
        let at = Break::at(self.text, piece.end, usize::MAX)?;
        let end = self.word_end(at.next, MAX_JOINED - joined.text.len().min(MAX_JOINED));
        if at.depth != depth || at.is_paragraph || end == at.next {
            return None;
        }
        let word = self.text.slice(at.next, end);
        let is_alone = self.text.byte(end) == 0 || Break::at(self.text, end, usize::MAX).is_some();
        // The line before a signature is neither soft nor cut in two (RFC 3676 4.3).
        if word == SIGNATURE && is_alone {
            return None;
        }
        let wrap = Wrap {
            piece: self.text.slice(piece.start, piece.taken),
            soft: self.text.slice(piece.taken, piece.end),
            has_path: has_path(joined.link()),
            word,
            indent: at.indent,
            is_alone,
        };
        let breaks = self.scanner.breaks();
        let flowed = breaks.contains(Breaks::FLOWED) && is_soft(&at);
        let wrapped = || {
            let may_join = || match self.own_link(word) {
                None => true,
                Some(Kind::Domain) => wrap.is_surely(),
                Some(_) => false,
            };
            at.blanks == 0 && wrap.is_likely() && may_join()
        };
        (flowed || breaks.contains(Breaks::WRAPPED) && wrapped()).then_some(Piece {
            start: at.next,
            taken: end,
            end,
        })
    }

    /// The link in quotes, brackets or tags that close behind a later line: RFC 3986 appendix C
    /// names them beside angle brackets. Each white space stands beside a separator of the link, or
    /// the piece in front of it reached the margin.
    fn in_delimiters(&self, link: Link) -> Option<Link> {
        let outer = self.outer(link.start).filter(|&outer| opens(outer))?;
        if !self.scanner.breaks().contains(Breaks::WRAPPED) {
            return None;
        }
        let joined = self.between_delimiters(link.start, outer);
        let end = self.end_in(&joined, link.kind)?;
        let behind = joined.text.get(end..).and_then(|rest| rest.chars().next());
        let is_closed = behind.is_some_and(|ch| closes(outer, ch));
        if !is_closed || joined.lines == 0 || !joined.is_over(end) {
            return None;
        }
        let end = joined.source_end(end)?;
        Some(Link {
            end,
            floor: end,
            spaced: true,
            ..link
        })
    }

    /// All that may be a link in delimiters, and more.
    fn between_delimiters(&self, start: usize, outer: char) -> Joined {
        let depth = breaks::depth(self.text, start);
        let mut joined = Joined::new(Some(outer));
        let (mut at, mut closers, mut lines) = (start, 0, 0);
        while joined.pieces.len() < 2 * MAX_LINES && closers < MAX_CLOSERS {
            let end = self.word_end(at, MAX_JOINED - joined.text.len().min(MAX_JOINED));
            let word = self.text.slice(at, end);
            let is_first = joined.pieces.is_empty();
            if !joined.may_take(word, joined.lines > lines) || !is_first && self.is_another(word) {
                break;
            }
            joined.push(word, at);
            lines = joined.lines;
            closers += usize::from(word.contains(|ch| closes(outer, ch)));
            at = match Break::at(self.text, end, usize::MAX) {
                Some(line) if line.depth == depth => {
                    joined.lines += 1;
                    line.next
                }
                Some(_) => break,
                None => self.blanks_end(end),
            };
            if at == end {
                break;
            }
        }
        joined
    }

    fn blanks_end(&self, at: usize) -> usize {
        let mut i = at;
        while i < at + MAX_LINES && matches!(self.text.byte(i), b' ' | b'\t') {
            i += 1;
        }
        i
    }

    /// The end of the word at a position, which white space or the like ends, or `most` bytes.
    pub(super) fn word_end(&self, at: usize, most: usize) -> usize {
        let mut i = at;
        while i < at + most {
            let ch = self.text.char(i);
            if ch.is_whitespace() || self.text.class(ch) & TERM == HARD {
                break;
            }
            i += ch.len_utf8();
        }
        i
    }

    /// The end of the link that the joined pieces are.
    fn end_in(&self, joined: &Joined, kind: Kind) -> Option<usize> {
        let link = self.first_link(&joined.text, joined.start)?;
        (link.start == joined.start && link.kind == kind).then_some(link.end)
    }

    /// Whether a word behind a link in the same delimiters is surely another link: a domain may be a part of a path.
    fn is_another(&self, word: &str) -> bool {
        let own = self.own_link(word);
        own.is_some_and(|kind| kind != Kind::Domain || begins_with(word, "www."))
    }

    /// What a word is when it is a link of its own.
    fn own_link(&self, word: &str) -> Option<Kind> {
        let link = self.first_link(word, 0)?;
        (link.start == 0).then_some(link.kind)
    }

    /// The first link of another text behind a position.
    pub(super) fn first_link(&self, text: &str, floor: usize) -> Option<Link> {
        let inner = Text::new(text, self.text.classes());
        let finder = Finder {
            text: &inner,
            scanner: self.scanner,
            floor,
        };
        let found = text
            .char_indices()
            .filter(|&(at, ch)| at >= floor && matches!(ch, ':' | '.' | '。'))
            .find_map(|(at, _)| match finder.at(at) {
                Found::Nothing => None,
                Found::Skip(_) => Some(None),
                Found::Link(link) => Some(Some(link)),
            });
        self.text.add_steps(&inner);
        found.flatten()
    }
}

/// A piece of a link in one line.
#[derive(Clone, Copy)]
struct Piece {
    start: usize,
    /// The end of what belongs to the link.
    taken: usize,
    /// The end of the punctuation behind that.
    end: usize,
}

/// A break between two pieces of what may be one link.
struct Wrap<'a> {
    /// The piece of the link in front of the break.
    piece: &'a str,
    /// The punctuation between the piece and the break.
    soft: &'a str,
    /// Whether the link has come behind its authority.
    has_path: bool,
    /// The first word behind the break.
    word: &'a str,
    /// How many blanks stand in front of it.
    indent: usize,
    /// Whether the word has a line of its own.
    is_alone: bool,
}

impl Wrap<'_> {
    /// Whether a reader would say that a line was cut in two here.
    fn is_likely(&self) -> bool {
        let word = self
            .word
            .trim_end_matches(|ch: char| ".,;:!?)>]}\"'".contains(ch));
        if !may_go_on(word) || self.word.ends_with(':') {
            return false;
        }
        if !self.has_path {
            return self.soft.is_empty() && word.len() > 1 && word.starts_with(['/', '?', '#']);
        }
        let length = self.columns();
        let at_margin = (FULL..=MARGIN).contains(&length);
        match (looks_like_path(word), self.joint()) {
            (true, Joint::Slash) => !is_root(self.piece) || length >= LONG,
            (true, Joint::Other) => true,
            (true, Joint::None) => {
                let is_path = |ch: char| "/?&=%#.".contains(ch) || ch.is_ascii_digit();
                // Marks of other scripts than ASCII end sentences; a dot may be of the link.
                let is_dot = matches!(self.soft.as_bytes(), [] | [_]);
                is_dot && length >= FULL && !is_complete(self.piece) && word.contains(is_path)
            }
            (false, Joint::Slash) => self.is_alone && at_margin,
            (false, Joint::Other) => self.is_alone || length >= LONG,
            (false, Joint::None) => {
                let is_cut = self.soft.is_empty() && at_margin && !is_complete(self.piece);
                self.is_alone && is_cut && !is_title(word)
            }
        }
    }

    /// The same where the word alone would be a domain: what ends with a slash may be whole, but hardly what ends with a
    /// hyphen or an equals sign.
    fn is_surely(&self) -> bool {
        self.joint() == Joint::Other && self.columns() >= LONG
    }

    /// How wide the piece is.
    fn columns(&self) -> usize {
        self.piece.width()
    }

    /// What joins the piece and the word.
    fn joint(&self) -> Joint {
        let begins = match self.word.as_bytes() {
            [b'/', ..] => self.indent == 0,
            [b'?' | b'&' | b'=' | b'#', ..] => true,
            _ => false,
        };
        match self.soft {
            "" if begins => Joint::Other,
            "" if self.piece.ends_with('/') => Joint::Slash,
            "" if self.piece.ends_with(|ch| "-_&=%+~#".contains(ch)) => Joint::Other,
            "?" if self.word.contains('=') => Joint::Other,
            _ => Joint::None,
        }
    }
}

/// What stands at a break and joins parts of a link.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Joint {
    None,
    /// A slash, which may end a link as well.
    Slash,
    /// What hardly ends a link, or begins a word.
    Other,
}

/// Whether a piece is a scheme, an authority and a slash: nothing need follow.
fn is_root(piece: &str) -> bool {
    let behind = piece.split_once("://").map_or(piece, |(_, rest)| rest);
    behind.find('/') == behind.len().checked_sub(1)
}

/// Whether a piece ends with the ending of a file's name.
fn is_complete(piece: &str) -> bool {
    let last = piece.rsplit('/').next().unwrap_or("");
    last.rsplit_once('.').is_some_and(|(name, ending)| {
        let letters = ending.bytes().all(|b| b.is_ascii_alphanumeric());
        !name.is_empty() && letters && (2..6).contains(&ending.len())
    })
}

/// Whether a word may be the rest of a link: it has letters or digits, opens no bracket, and is no
/// mark of a list nor the begin of another link.
fn may_go_on(word: &str) -> bool {
    let begins = begins_with(word, "www.") || begins_with(word, "mailto:");
    let opens = word.starts_with(|ch: char| "<([{\"'`*|".contains(ch) || classes::is_opening(ch));
    if is_number_sign(word) {
        return false;
    }
    let rule = word.starts_with("--") || word.starts_with("==");
    word.contains(char::is_alphanumeric) && !begins && !opens && !rule && !word.contains("://")
}

/// Whether a word begins so, in any case.
fn begins_with(word: &str, begin: &str) -> bool {
    word.get(..begin.len())
        .is_some_and(|head| head.eq_ignore_ascii_case(begin))
}

/// The number of an issue: `#12`.
fn is_number_sign(word: &str) -> bool {
    let number = word.strip_prefix('#').unwrap_or("");
    number.starts_with(|ch: char| ch.is_ascii_digit())
        && !number.contains(|ch: char| ch.is_ascii_alphabetic())
}

/// Whether a word has what paths and queries have, and words of a sentence have not.
fn looks_like_path(word: &str) -> bool {
    let count = |of: fn(char) -> bool| word.chars().filter(|&ch| of(ch)).count();
    let digits = count(|ch| ch.is_ascii_digit());
    let ordinal = ["st", "nd", "rd", "th"]
        .iter()
        .any(|end| word.ends_with(end));
    let ending = word.rsplit_once('.').is_some_and(|(name, ending)| {
        name.width() > 1
            && ending.width() > 1
            && !ending.starts_with(|ch: char| ch.is_ascii_digit())
    });
    word.contains(|ch| "/?&=%#_~+".contains(ch))
        || count(|ch| ch == '-') > 1
        || digits > 1 && digits < word.len() && !ordinal
        || ending
}

/// A capital and small letters behind it: a sentence begins.
fn is_title(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(char::is_uppercase) && chars.all(char::is_lowercase)
}

/// Whether the link has more than scheme and authority.
fn has_path(link: &str) -> bool {
    let behind = link.split_once("://").map_or(link, |(_, rest)| rest);
    let opaque = !link.contains("://") && link.contains(':') && !link.contains('.');
    opaque || behind.contains(['/', '?', '#'])
}

/// A soft break of format=flowed: one space in front of it, at most one that was stuffed behind it.
pub(super) fn is_soft(at: &Break) -> bool {
    at.blanks == 1 && at.indent <= 1
}

/// Whether a character in front of a link opens what another one behind it closes.
fn opens(ch: char) -> bool {
    "\"'([{>".contains(ch) || "“‘„‚«‹「『（".contains(ch)
}

fn closes(open: char, ch: char) -> bool {
    match open {
        '"' | '\'' => ch == open,
        '>' => ch == '<',
        _ => classes::opener(ch) == Some(open) || pairs(open, ch),
    }
}

/// Whether a character parts the components and fields of a link.
pub(super) fn separates(ch: char) -> bool {
    "/?#&=%-_+~".contains(ch)
}
