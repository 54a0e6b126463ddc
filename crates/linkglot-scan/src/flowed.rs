//! Links in lines of format=flowed (RFC 3676, DelSp=yes): a soft break is not there, wherever in a
//! link it stands, and so a trigger is judged in the words around it without the breaks.

use super::breaks::{self, Break, Breaks, Prefix};
use super::find::{Finder, Found, Link};
use super::joined::{Joined, MAX_JOINED, MAX_LINES, SIGNATURE, is_soft};
use super::text::Text;

/// The most bytes of text in front of a trigger that are looked at for soft breaks.
const MAX_LEFT: usize = 1 << 10;
/// The most white space and quote marks in front of a line's first word.
const MAX_PREFIX: usize = 64;
/// How many colons in front of a trigger may be the one of its link's scheme.
const MAX_COLONS: usize = 4;

/// A word that ends in front of a break or a trigger.
struct Word {
    start: usize,
    /// Where its line begins, if it is the first word there.
    line: Option<usize>,
}

impl Finder<'_, '_> {
    /// What a trigger is part of in the text without the soft breaks around it; `None`: there are
    /// none.
    pub(super) fn over_soft_breaks(&self, at: usize) -> Option<Found> {
        if !self.scanner.breaks().contains(Breaks::FLOWED) {
            return None;
        }
        let mut pieces = self.pieces_before(at);
        let broken_before = pieces.len() > 1;
        self.add_pieces_behind(at, &mut pieces);
        if pieces.len() < 2 {
            return None;
        }
        let mut joined = Joined::new(pieces.first().and_then(|&(start, _)| self.outer(start)));
        for &(start, end) in &pieces {
            joined.push(self.text.slice(start, end), start);
        }
        let at = joined.place(at)?;
        Some(self.found_in(&joined, at, broken_before))
    }

    /// The word of a trigger up to it, and those that soft breaks join to it, the first one first.
    fn pieces_before(&self, at: usize) -> Vec<(usize, usize)> {
        let mut pieces = Vec::new();
        let (mut end, limit) = (at, at.saturating_sub(MAX_LEFT).max(self.floor));
        while pieces.len() < MAX_LINES {
            let word = self.word_before(end, limit);
            pieces.push((word.start, end));
            let before = word.line.and_then(|line| self.soft_break(line, word.start));
            match before.filter(|&before| before > limit) {
                Some(before) => end = before,
                None => break,
            }
        }
        pieces.reverse();
        pieces
    }

    /// Lets the last piece reach its word's end, and adds those behind soft breaks.
    fn add_pieces_behind(&self, at: usize, pieces: &mut Vec<(usize, usize)>) {
        let Some(last) = pieces.last_mut() else {
            return;
        };
        last.1 = self.word_end(at, MAX_JOINED);
        let (mut end, mut depth) = (last.1, None);
        for _ in 0..MAX_LINES {
            let next = Break::at(self.text, end, usize::MAX).filter(is_soft);
            let Some(next) = next.filter(|next| !next.is_paragraph) else {
                return;
            };
            let depth = *depth.get_or_insert_with(|| breaks::depth(self.text, at));
            let word_end = self.word_end(next.next, MAX_JOINED);
            let word = self.text.slice(next.next, word_end);
            let is_signature = word == SIGNATURE && self.ends_line(word_end);
            if next.depth != depth || word.is_empty() || is_signature || word_end - at > MAX_JOINED
            {
                return;
            }
            pieces.push((next.next, word_end));
            end = word_end;
        }
    }

    fn ends_line(&self, at: usize) -> bool {
        self.text.byte(at) == 0 || Break::at(self.text, at, usize::MAX).is_some()
    }

    /// The word that ends at a position, as far as it does not begin in front of `limit`.
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

    /// The end of the word in front of the soft break before a line and its first word.
    fn soft_break(&self, line: usize, word: usize) -> Option<usize> {
        let text = self.text;
        line.checked_sub(1)?;
        let is_lf = text.before(line) == Some('\n');
        let end = line - 1 - usize::from(is_lf && text.before(line - 1) == Some('\r'));
        let end = end.checked_sub(1)?;
        let at = Break::at(text, end, usize::MAX).filter(is_soft)?;
        // A line with nothing in it but white space and quote marks is the end of a paragraph.
        let before = self.word_before(end, self.floor.max(end.saturating_sub(MAX_LEFT)));
        let is_word = before.start < end && !text.before(end)?.is_whitespace();
        let is_signature = before.line.is_some() && text.slice(before.start, end) == SIGNATURE;
        let joins = at.next == word && at.depth == breaks::depth(text, end);
        (joins && is_word && !is_signature).then_some(end)
    }

    /// What a trigger is part of in the joined pieces. One that a break kept from being a trigger,
    /// as the colon in `http \n://`, is judged here.
    fn found_in(&self, joined: &Joined, at: usize, broken_before: bool) -> Found {
        let inner = Text::new(&joined.text, self.text.classes());
        let finder = Finder {
            text: &inner,
            scanner: self.scanner,
            floor: joined.place(self.floor).unwrap_or(0),
        };
        let before = joined.text.get(finder.floor..at).unwrap_or("");
        let colons = before.rmatch_indices(':').take(MAX_COLONS);
        let colons = colons.filter(|_| broken_before);
        let covers = |found: &Found| matches!(found, Found::Link(link) if link.end > at);
        let by_scheme = colons
            .map(|(colon, _)| finder.in_line(finder.floor + colon))
            .filter(covers)
            .last();
        let found = by_scheme.unwrap_or_else(|| finder.in_line(at));
        self.text.add_steps(&inner);
        match found {
            Found::Link(link) => joined.source_link(link).map_or(Found::Nothing, Found::Link),
            Found::Skip(floor) => joined.source_end(floor).map_or(Found::Nothing, Found::Skip),
            Found::Nothing => Found::Nothing,
        }
    }
}

impl Joined {
    /// The place in `text` of a place of the scanned text.
    fn place(&self, source: usize) -> Option<usize> {
        let next = self.pieces.partition_point(|piece| piece.1 <= source);
        let (at, begin) = self.pieces.get(next.checked_sub(1)?)?;
        Some(at + (source - begin))
    }

    /// A link of `text` in the scanned text.
    fn source_link(&self, link: Link) -> Option<Link> {
        let next = self.pieces.partition_point(|piece| piece.0 <= link.start);
        let (at, begin) = self.pieces.get(next.checked_sub(1)?)?;
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
