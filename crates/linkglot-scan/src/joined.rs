//! Links over the line breaks that the caller joins ([`Breaks`]).
//!
//! A trigger is judged in its logical word: the words on both sides of each joined break, without the break. In lines
//! of format=flowed with DelSp=yes (RFC 3676) every soft break in a link is joined. A hard break is joined if the link
//! in front of it and the word behind it look like one line that was cut in two ([`wrapped`](super::wrapped)).

use super::Kind;
use super::breaks::{self, Break, Breaks, Prefix};
use super::classes::{HARD, SOFT, TERM};
use super::find::{Finder, Found, Link};
use super::line_ends;
use super::text::Text;
use super::wrapped::{self, Wrap};

/// The most lines of a logical word.
const MAX_LINES: usize = 20;
/// The most bytes of text in a logical word.
const MAX_JOINED: usize = 4 << 10;
/// The most bytes behind a trigger in its own line: lines of mail have at most 998 (RFC 5322 2.1.1). Each trigger of a
/// longer word would read the word again.
const MAX_PIECE: usize = 998;
/// The most bytes of text in front of a trigger that are searched for soft breaks.
const MAX_LEFT: usize = 1 << 10;
/// The most white space and quote marks before a line's first word.
const MAX_PREFIX: usize = 64;
/// The most colons in front of a trigger that are tried as the end of a scheme.
const MAX_COLONS: usize = 4;
/// The most characters of punctuation between a link and a break.
const MAX_SOFT: usize = 4;
/// The most words with a closing delimiter that are tried as the last of a link: each try reads the link again.
const MAX_CLOSERS: usize = 4;
/// The line in front of a signature, without the blank at its end (RFC 3676 4.3).
const SIGNATURE: &str = "--";

/// The words of several lines without the breaks between them.
struct Joined {
    /// The character in front of the first word, if any, and the words.
    text: String,
    /// Start of each word, in `text` and in the scanned text.
    words: Vec<(usize, usize)>,
    /// The place of the trigger in `text`.
    trigger: usize,
    /// True if soft breaks join words to the trigger's own from in front.
    has_words_before: bool,
}

impl Joined {
    fn push(&mut self, word: &str, at: usize) {
        self.words.push((self.text.len(), at));
        self.text.push_str(word);
    }

    /// The text without the hyphen that typography puts in front of a line end.
    fn without_hyphenation(&self, line: &Break) -> &str {
        let text = self.text.as_str();
        let hyphenated = text.strip_suffix(line_ends::is_typographic);
        hyphenated.filter(|_| line.blanks == 0).unwrap_or(text)
    }

    /// The last word.
    fn piece(&self) -> &str {
        let last = self.words.last().map_or(0, |word| word.0);
        self.text.get(last..).unwrap_or("")
    }

    /// The opening delimiter in front of a link.
    fn delimiter(&self, link: Link) -> Option<char> {
        let before = self.text.get(..link.start)?.chars().next_back();
        before.filter(|&ch| wrapped::opens(ch))
    }

    /// The place in `text` of a place of the scanned text.
    fn place(&self, source: usize) -> Option<usize> {
        let next = self.words.partition_point(|word| word.1 <= source);
        let (at, begin) = self.words.get(next.checked_sub(1)?)?;
        Some(at + (source - begin))
    }

    /// The place in the scanned text where a link of `text` ends.
    fn source_end(&self, end: usize) -> Option<usize> {
        let next = self.words.partition_point(|word| word.0 < end);
        let (at, begin) = self.words.get(next.checked_sub(1)?)?;
        Some(begin + (end - at))
    }

    /// A link of `text` in the scanned text.
    fn source_link(&self, link: Link) -> Option<Link> {
        let next = self.words.partition_point(|word| word.0 <= link.start);
        let (at, begin) = self.words.get(next.checked_sub(1)?)?;
        let (start, end) = (begin + (link.start - at), self.source_end(link.end)?);
        Some(Link {
            start,
            end,
            floor: self.source_end(link.floor)?,
            spaced: link.spaced || end - start > link.end - link.start,
            ..link
        })
    }
}

/// A word that ends in front of a break or a trigger.
struct Word {
    start: usize,
    /// Start of the word's line, if the word is the first there.
    line: Option<usize>,
}

impl Finder<'_, '_> {
    /// Judges a trigger in its logical word; `None`: no break is joined to the word of the trigger. `in_line`: the
    /// judgement in the trigger's own line. Hard breaks are joined only to a link that reaches the end of its word, so
    /// that most triggers are judged only in their line.
    pub(super) fn over_breaks(&self, at: usize, in_line: &Found) -> Option<Found> {
        let is_flowed = self.scanner.breaks().contains(Breaks::FLOWED);
        let may_go_on = || matches!(in_line, Found::Link(link) if self.reaches_word_end(link));
        if self.scanner.breaks().is_empty() || at < self.floor || !is_flowed && !may_go_on() {
            return None;
        }
        let end = self.word_end(at, MAX_PIECE);
        if end - at >= MAX_PIECE {
            return None;
        }
        let before = self.words_before(at);
        let first = before.first()?.0;
        let mut joined = Joined {
            text: self.outer(first).into_iter().collect(),
            words: Vec::new(),
            trigger: 0,
            has_words_before: before.len() > 1,
        };
        for &(start, end) in &before {
            joined.push(self.text.slice(start, end), start);
        }
        joined.text.push_str(self.text.slice(at, end));
        joined.trigger = joined.place(at)?;
        if !self.add_delimited_words(at, end, &mut joined) {
            self.add_words_behind(at, end, &mut joined);
        }
        if joined.words.len() < 2 {
            return None;
        }
        Some(match self.found_in(&joined, &joined.text) {
            Found::Link(link) => joined.source_link(link).map_or(Found::Nothing, Found::Link),
            Found::Skip(floor) => joined.source_end(floor).map_or(Found::Nothing, Found::Skip),
            Found::Nothing => Found::Nothing,
        })
    }

    /// True if nothing but some punctuation, or a hyphen of typography, stands between a link and white space.
    fn reaches_word_end(&self, link: &Link) -> bool {
        let mut end = link.end;
        for _ in 0..=MAX_SOFT {
            let ch = self.text.char(end);
            if ch.is_whitespace() || line_ends::is_hyphenation(self.text, end, ch) {
                return true;
            }
            if self.text.term(ch) != SOFT {
                return false;
            }
            end += ch.len_utf8();
        }
        false
    }

    /// The word of a trigger, up to the trigger, behind the words that soft breaks join to it.
    fn words_before(&self, at: usize) -> Vec<(usize, usize)> {
        let is_flowed = self.scanner.breaks().contains(Breaks::FLOWED);
        let mut words = Vec::new();
        let (mut end, limit) = (at, at.saturating_sub(MAX_LEFT).max(self.floor));
        while words.len() < MAX_LINES {
            let word = self.word_before(end, limit);
            words.push((word.start, end));
            let line = word.line.filter(|_| is_flowed);
            let before = line.and_then(|line| self.soft_break(line, word.start));
            match before.filter(|&before| before > limit) {
                Some(before) => end = before,
                None => break,
            }
        }
        words.reverse();
        words
    }

    /// Adds the words behind the trigger's own, which ends at `end`, as long as breaks are joined.
    fn add_words_behind(&self, at: usize, mut end: usize, joined: &mut Joined) {
        let mut depth = None;
        for _ in 0..MAX_LINES {
            let next = Break::at(self.text, end, usize::MAX).filter(|next| !next.is_paragraph);
            let Some(next) = next else { return };
            let depth = *depth.get_or_insert_with(|| breaks::depth(self.text, at));
            let word_end = self.word_end(next.next, MAX_JOINED.saturating_sub(joined.text.len()));
            let word = self.text.slice(next.next, word_end);
            // The line in front of a signature is never part of a paragraph (RFC 3676 4.3).
            let is_signature = word == SIGNATURE && self.ends_line(word_end);
            if next.depth != depth || word.is_empty() || is_signature {
                return;
            }
            if !self.is_joined(joined, &next, word, word_end) {
                return;
            }
            let whole = joined.without_hyphenation(&next).len();
            joined.text.truncate(whole);
            joined.push(word, next.next);
            end = word_end;
        }
    }

    /// True if the caller's breaks join a word to the words in front.
    fn is_joined(&self, joined: &Joined, line: &Break, word: &str, word_end: usize) -> bool {
        let breaks = self.scanner.breaks();
        breaks.contains(Breaks::FLOWED) && is_soft(line)
            || breaks.contains(Breaks::WRAPPED) && {
                let is_alone = self.ends_line(word_end);
                self.is_wrapped(joined, line, word, is_alone)
            }
    }

    /// True if a link was cut in two in front of a word.
    fn is_wrapped(&self, joined: &Joined, line: &Break, word: &str, is_alone: bool) -> bool {
        let text = joined.without_hyphenation(line);
        let Some(link) = self.link_at_end(joined, text) else {
            return false;
        };
        let last_line = joined.words.last().map_or(0, |word| word.0);
        let part = |from, to| text.get(from..to).unwrap_or("");
        let wrap = Wrap {
            link: part(link.start, link.end),
            piece: part(link.start.max(last_line), link.end),
            punctuation: part(link.end, text.len()),
            is_hyphenated: text.len() < joined.text.len(),
            word,
            own: self.own_link(word),
            is_indented: line.indent > 0,
            is_behind_blank: line.blanks > 0,
            is_alone,
        };
        wrap.is_likely()
    }

    /// Adds the words behind the trigger's own up to the delimiter that closes the one in front of the link: quotes,
    /// brackets and tags enclose links over line breaks and blanks (RFC 3986 appendix C). Without a closing delimiter
    /// nothing is added.
    fn add_delimited_words(&self, at: usize, mut end: usize, joined: &mut Joined) -> bool {
        let is_wrapped = self.scanner.breaks().contains(Breaks::WRAPPED);
        if !is_wrapped || !joined.text.contains(wrapped::opens) {
            return false;
        }
        let link = self.link_at_end(joined, &joined.text);
        let Some((link, delimiter)) = link.and_then(|link| Some((link, joined.delimiter(link)?)))
        else {
            return false;
        };
        let (words, length) = (joined.words.len(), joined.text.len());
        let mut depth = None;
        let (mut has_break, mut closers) = (false, 0);
        while joined.words.len() < words + 2 * MAX_LINES && closers < MAX_CLOSERS {
            let line = Break::at(self.text, end, usize::MAX);
            let next = match line {
                Some(line) => {
                    let depth = *depth.get_or_insert_with(|| breaks::depth(self.text, at));
                    if line.depth != depth {
                        break;
                    }
                    line.next
                }
                None => breaks::blanks_end(self.text, end),
            };
            let word_end = self.word_end(next, MAX_JOINED.saturating_sub(joined.text.len()));
            let word = self.text.slice(next, word_end);
            let is_broken = line.is_some();
            if next == end || !wrapped::may_follow(joined.piece(), word, is_broken) {
                break;
            }
            has_break |= is_broken;
            joined.push(word, next);
            end = word_end;
            if !word.contains(|ch| wrapped::closes(delimiter, ch)) {
                continue;
            }
            if has_break && self.is_closed(joined, link.start, length, delimiter) {
                if self.are_one_link(joined, words) {
                    return true;
                }
                break;
            }
            closers += 1;
        }
        joined.words.truncate(words);
        joined.text.truncate(length);
        false
    }

    /// True if the link that begins at a position of the joined words ends behind `length` bytes, in front of the
    /// character that closes a delimiter.
    fn is_closed(&self, joined: &Joined, start: usize, length: usize, delimiter: char) -> bool {
        let link = self.first_link(&joined.text, start);
        let link = link.filter(|link| link.start == start && link.end > length);
        let behind = link.and_then(|link| joined.text.get(link.end..)?.chars().next());
        behind.is_some_and(|behind| wrapped::closes(delimiter, behind))
    }

    /// True if none of the words from a number on is a link of its own. Reads each word, so that only words that a
    /// delimiter closes are worth it.
    fn are_one_link(&self, joined: &Joined, from: usize) -> bool {
        let words = joined.words.get(from..).unwrap_or_default();
        let starts = words.iter().map(|word| word.0);
        let ends = starts.clone().skip(1).chain([joined.text.len()]);
        let mut words = starts
            .zip(ends)
            .map(|(start, end)| joined.text.get(start..end).unwrap_or(""));
        !words.any(|word| wrapped::is_other_link(word, self.own_link(word)))
    }

    /// The kind of the link that a word begins with, read alone.
    fn own_link(&self, word: &str) -> Option<Kind> {
        let link = self.first_link(word, 0).filter(|link| link.start == 0);
        link.map(|link| link.kind)
    }

    /// The trigger's link in the beginning of the joined words, if it reaches the end of that text, apart from some
    /// punctuation.
    fn link_at_end(&self, joined: &Joined, text: &str) -> Option<Link> {
        let Found::Link(link) = self.found_in(joined, text) else {
            return None;
        };
        let mut marks = text.get(link.end..)?.chars();
        let is_near = marks
            .by_ref()
            .take(MAX_SOFT)
            .all(|ch| self.text.term(ch) == SOFT);
        (is_near && marks.next().is_none() && link.kind != Kind::Email).then_some(link)
    }

    fn ends_line(&self, at: usize) -> bool {
        self.text.byte(at) == 0 || Break::at(self.text, at, usize::MAX).is_some()
    }

    /// The end of the word at a position, at white space or the like, or after `most` bytes.
    fn word_end(&self, at: usize, most: usize) -> usize {
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

    /// The word that ends at a position, cut at `limit` if it begins in front.
    fn word_before(&self, end: usize, limit: usize) -> Word {
        let text = self.text;
        let mut start = end;
        while let Some(ch) = text.before(start)
            && start > limit
            && !ch.is_whitespace()
        {
            start -= ch.len_utf8();
        }
        let mut line = start;
        while line > limit
            && start - line < MAX_PREFIX
            && matches!(text.before(line), Some(' ' | '\t' | '>'))
        {
            line -= 1;
        }
        if !matches!(text.before(line), None | Some('\n' | '\r')) {
            return Word { start, line: None };
        }
        // Quote marks may be glued to the word.
        let prefix = Prefix::at(text, line, usize::MAX).end;
        Word {
            start: prefix.clamp(start, end),
            line: Some(line),
        }
    }

    /// The end of the word in front of a line, if a soft break separates the two.
    fn soft_break(&self, line: usize, word: usize) -> Option<usize> {
        let text = self.text;
        line.checked_sub(1)?;
        let is_lf = text.before(line) == Some('\n');
        let end = line - 1 - usize::from(is_lf && text.before(line - 1) == Some('\r'));
        let end = end.checked_sub(1)?;
        let at = Break::at(text, end, usize::MAX).filter(is_soft)?;
        // A line that holds only white space and quote marks ends a paragraph.
        let before = self.word_before(end, self.floor.max(end.saturating_sub(MAX_LEFT)));
        let is_word = before.start < end && !text.before(end)?.is_whitespace();
        let is_signature = before.line.is_some() && text.slice(before.start, end) == SIGNATURE;
        let joins = at.next == word && at.depth == breaks::depth(text, end);
        (joins && is_word && !is_signature).then_some(end)
    }

    /// Judges the trigger in the beginning of the joined words. In `http \n://` the break hides the colon from the
    /// search for triggers, so the colons in front of the trigger are judged, too.
    fn found_in(&self, joined: &Joined, text: &str) -> Found {
        let at = joined.trigger;
        let inner = Text::new(text, self.text.classes());
        let finder = Finder {
            text: &inner,
            scanner: self.scanner,
            floor: joined.place(self.floor).unwrap_or(0),
        };
        let before = text.get(finder.floor..at).unwrap_or("");
        let colons = before.rmatch_indices(':').take(MAX_COLONS);
        let colons = colons.filter(|_| joined.has_words_before);
        let covers = |found: &Found| matches!(found, Found::Link(link) if link.end > at);
        let by_scheme = colons
            .map(|(colon, _)| finder.in_line(finder.floor + colon))
            .filter(covers)
            .last();
        let found = by_scheme.unwrap_or_else(|| finder.in_line(at));
        self.text.add_steps(&inner);
        found
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
            .find_map(|(at, _)| match finder.in_line(at) {
                Found::Nothing => None,
                Found::Skip(_) => Some(None),
                Found::Link(link) => Some(Some(link)),
            });
        self.text.add_steps(&inner);
        found.flatten()
    }
}

/// True for a soft break of format=flowed: one space in front, at most one stuffed space behind.
fn is_soft(at: &Break) -> bool {
    at.blanks == 1 && at.indent <= 1
}
