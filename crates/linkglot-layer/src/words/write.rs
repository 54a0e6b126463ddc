//! Writes text into encoded words, and between them.

use super::super::{Change, Edit, Unencodable};
use super::form::{Form, LINE_LIMIT, Unit};
use super::outside::{self, Outside};
use super::parse::{Encoding, Word};
use super::{Piece, Words};
use linkglot_charset::ranges::slice;
use std::ops::Range;

#[derive(Debug)]
pub(in super::super) struct Writer<'d> {
    words: &'d Words<'d>,
    line_break: &'d [u8],
    /// The piece of the last change.
    piece: usize,
    /// The changes of this piece, if it consists of words.
    waiting: Vec<Waiting>,
    /// The last change of this piece, if it is text outside of words.
    outside: Outside,
    line: Line,
}

/// The line at hand, behind the last edit.
#[derive(Clone, Copy, Debug)]
struct Line {
    /// The end of the last edit in the encoded bytes.
    at: usize,
    /// The bytes in the line in front of that.
    column: usize,
}

/// A change inside of words.
#[derive(Debug)]
struct Waiting {
    text: Range<usize>,
    new: String,
    number: usize,
    /// The words that the change affects.
    words: Range<usize>,
}

impl<'d> Writer<'d> {
    /// In front of the encoded bytes, their line has `column` bytes.
    pub(in super::super) fn new(words: &'d Words<'d>, line_break: &'d [u8], column: usize) -> Self {
        Writer {
            words,
            line_break: fold_break(line_break),
            piece: 0,
            waiting: Vec::new(),
            outside: Outside::default(),
            line: Line { at: 0, column },
        }
    }

    pub(in super::super) fn replace(
        &mut self,
        change: Change<'_>,
        out: &mut Vec<Edit>,
    ) -> Result<(), Unencodable> {
        let new = std::str::from_utf8(change.new).map_err(|_| Unencodable)?;
        let ends = [change.range.start, change.range.end];
        if !ends.iter().all(|&at| self.words.text.is_char_boundary(at)) {
            return Err(Unencodable);
        }
        let (at, piece) = self.piece_of(&change.range)?;
        if piece.words.is_empty() {
            let outside = if self.piece == at {
                self.outside
            } else {
                Outside::default()
            };
            let place = outside::Place::new(self.words, piece, at, outside);
            let (written, outside) = place.write(change.range, new)?;
            if self.piece != at {
                self.enter(at, out);
                self.outside = Outside::default();
            }
            self.outside = outside;
            let edit = Edit {
                range: written.range,
                bytes: written.text.encode(self.line_break),
                number: change.number,
            };
            self.end_edit(edit, out);
            return Ok(());
        }
        self.check(piece, new)?;
        self.enter(at, out);
        self.waiting.push(Waiting {
            new: new.to_owned(),
            number: change.number,
            words: self.touched(piece, &change.range),
            text: change.range,
        });
        Ok(())
    }

    /// The column of an encoded byte behind the last edit.
    fn column(&self, at: usize) -> usize {
        let Line { at: from, column } = self.line;
        let between = slice(&self.words.encoded, from..at.max(from));
        match memchr::memrchr(b'\n', between) {
            Some(last) => between.len() - last - 1,
            None => column + between.len(),
        }
    }

    fn end_edit(&mut self, edit: Edit, out: &mut Vec<Edit>) {
        let column = match memchr::memrchr(b'\n', &edit.bytes) {
            Some(last) => edit.bytes.len() - last - 1,
            None => self.column(edit.range.start) + edit.bytes.len(),
        };
        self.line = Line {
            at: edit.range.end,
            column,
        };
        out.push(edit);
    }

    fn enter(&mut self, piece: usize, out: &mut Vec<Edit>) {
        if self.piece != piece {
            self.flush(out);
            self.piece = piece;
        }
    }

    /// The piece that holds a range of the text. Text between two pieces goes into words, if one of the pieces has
    /// words.
    fn piece_of(&self, range: &Range<usize>) -> Result<(usize, &'d Piece), Unencodable> {
        let pieces = &self.words.pieces;
        let first = pieces.partition_point(|piece| piece.text.end < range.start);
        let candidates = pieces.iter().enumerate().skip(first.max(self.piece));
        let mut holding = candidates
            .take_while(|(_, piece)| piece.text.start <= range.start)
            .filter(|(_, piece)| range.end <= piece.text.end);
        let best = holding.next().ok_or(Unencodable)?;
        if !best.1.words.is_empty() {
            return Ok(best);
        }
        Ok(holding
            .find(|(_, piece)| !piece.words.is_empty())
            .unwrap_or(best))
    }

    /// Checks that new text fits into a piece of words, and that the old text of the piece can be written again.
    fn check(&self, piece: &Piece, new: &str) -> Result<(), Unencodable> {
        let charset = piece.words.first().ok_or(Unencodable)?.charset;
        let is_kept = |ch| {
            ch != char::REPLACEMENT_CHARACTER && charset.can_encode(ch) && !charset.decomposes(ch)
        };
        let old = self.words.text.get(piece.text.clone()).unwrap_or_default();
        let is_writable = piece.is_writable.get_or_init(|| old.chars().all(is_kept));
        let known = piece.known.get_or_init(|| {
            let mut known = Vec::new();
            for word in &piece.words {
                if !known.contains(&word.known) {
                    known.push(word.known);
                }
            }
            known
        });
        let is_known = |ch| known.iter().all(|known| known.can_write(charset, ch));
        if *is_writable && new.chars().all(|ch| is_kept(ch) && is_known(ch)) {
            Ok(())
        } else {
            Err(Unencodable)
        }
    }

    /// The words that hold a range of the text of a piece. If a character spans two words, both count.
    fn touched(&self, piece: &Piece, range: &Range<usize>) -> Range<usize> {
        let words = &piece.words;
        let len = self.words.text.len();
        let source = |range| self.words.positions.source(range, len);
        let word_at = |at: usize| {
            let before = words.partition_point(|word| word.range.end <= at);
            before.min(words.len().saturating_sub(1))
        };
        // An empty range goes into the word of the character before it, if that character is in the piece.
        let first = if range.is_empty() && range.start > piece.text.start {
            range.start - 1
        } else {
            range.start
        };
        let last = range.end.max(first + 1);
        let holding = source(first..last.min(piece.text.end).max(first));
        let mut touched = word_at(holding.start)..word_at(holding.end.max(1) - 1) + 1;
        // Widens the words until no character crosses their ends.
        while let Some(first) = words.get(touched.start)
            && let at = self.text_of(piece, touched.clone()).start
            && at > piece.text.start
            && source(at - 1..at).end > first.range.start
            && touched.start > 0
        {
            touched.start -= 1;
        }
        while let [.., last] = slice(words, touched.clone())
            && let at = self.text_of(piece, touched.clone()).end
            && at > piece.text.start
            && source(at - 1..at).end > last.range.end
            && touched.end < words.len()
        {
            touched.end += 1;
        }
        touched
    }

    /// The text that begins in words of a piece.
    fn text_of(&self, piece: &Piece, words: Range<usize>) -> Range<usize> {
        let ([first, ..], [.., last]) = (
            slice(&piece.words, words.clone()),
            slice(&piece.words, words),
        ) else {
            return piece.text.clone();
        };
        self.text_at(piece, first.range.start)..self.text_at(piece, last.range.end)
    }

    fn text_at(&self, piece: &Piece, encoded: usize) -> usize {
        let at = self
            .words
            .positions
            .decoded_at(encoded, self.words.text.len());
        at.clamp(piece.text.start, piece.text.end)
    }

    /// Settles the changes of the words.
    pub(in super::super) fn flush(&mut self, out: &mut Vec<Edit>) {
        let waiting = std::mem::take(&mut self.waiting);
        let Some(piece) = self.words.pieces.get(self.piece) else {
            return;
        };
        let mut rest = &waiting[..];
        while let Some(first) = rest.first() {
            // Changes that share words.
            let mut words = first.words.clone();
            let mut count = 0;
            while let Some(next) = rest.get(count).filter(|next| next.words.start < words.end) {
                words.end = words.end.max(next.words.end);
                count += 1;
            }
            let (changes, behind) = rest.split_at(count.max(1));
            if let Some(edit) = self.rewritten(piece, words, changes) {
                self.end_edit(edit, out);
            }
            rest = behind;
        }
    }

    fn rewritten(&self, piece: &Piece, words: Range<usize>, changes: &[Waiting]) -> Option<Edit> {
        let range = self.text_of(piece, words.clone());
        let words = slice(&piece.words, words);
        let (first, last) = (words.first()?, words.last()?);
        let mut units = Vec::new();
        let mut from = range.start;
        for change in changes {
            self.keep(piece, from..change.text.start, &mut units)?;
            units.extend(Unit::all(&change.new));
            from = change.text.end;
        }
        self.keep(piece, from..range.end, &mut units)?;
        let label = slice(&self.words.encoded, first.label.clone());
        let form = Form::of(first, label);
        // A line that was too long before may stay so.
        let room = LINE_LIMIT.saturating_sub(self.column(first.range.start));
        let room = room.max(first.range.len());
        Some(Edit {
            range: first.range.start..last.range.end,
            bytes: form.write(&units, self.line_break, room),
            number: changes.first()?.number,
        })
    }

    /// Adds characters of a piece that stay, in the form that they have.
    fn keep(&self, piece: &Piece, text: Range<usize>, units: &mut Vec<Unit<'d>>) -> Option<()> {
        let len = self.words.text.len();
        for (at, ch) in self.words.text.get(text.clone())?.char_indices() {
            let at = text.start + at;
            let source = self.words.positions.source(at..at + ch.len_utf8(), len);
            let before = piece
                .words
                .partition_point(|word| word.range.end <= source.start);
            let is_own = |word: &&Word| {
                word.encoding == Encoding::Quoted
                    && word.content.start <= source.start
                    && source.end <= word.content.end
            };
            let kept = piece.words.get(before).filter(is_own);
            let kept = kept.map(|_| slice(&self.words.encoded, source.clone()));
            units.push(Unit { ch, kept });
        }
        Some(())
    }
}

/// The line break for folds: a CR alone folds nothing.
fn fold_break(line_break: &[u8]) -> &[u8] {
    if line_break == b"\r" {
        b"\r\n"
    } else {
        line_break
    }
}
