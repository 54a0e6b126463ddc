//! The map from a UTF-8 view back to the source bytes that it was transcoded from.

use crate::decoded::{DecodedChar, Shift};
use std::collections::VecDeque;

/// Maps absolute positions in a view to absolute positions in the source, exactly for every
/// character boundary that is still kept. A [`Transcoder`](crate::Transcoder) fills it.
///
/// Memory: six bytes for each run of characters of the same lengths that is kept, and a little.
///
/// ```
/// use linkglot_charset::{Charset, Transcoder, ViewMap};
///
/// let (mut view, mut map) = (Vec::new(), ViewMap::default());
/// Transcoder::new(Charset::UTF_16BE, 0).push(b"\0a\0\xE9\0b", true, &mut view, &mut map);
/// assert_eq!(view, "aéb".as_bytes());
/// assert_eq!([0, 1, 3, 4].map(|at| map.source(at)), [0, 2, 4, 6]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct ViewMap {
    blocks: VecDeque<Block>,
    /// The end of the last block; the start of the view before the first character.
    closed: Boundary,
    /// The run that the next character may continue.
    open: Run,
}

/// A boundary between two characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Boundary {
    view: u64,
    source: u64,
    state: Shift,
}

/// Up to [`BLOCK`] runs.
#[derive(Clone, Debug)]
struct Block {
    begin: Boundary,
    runs: Vec<Run>,
}

/// The runs in a block, which bound the walk of a lookup.
const BLOCK: usize = 32;

/// Characters of the same cell.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    cell: Cell,
    count: u16,
}

impl Run {
    /// The boundary after the first `count` characters of the run that begins at `begin`.
    fn after(self, begin: Boundary, count: u64) -> Boundary {
        if count == 0 {
            return begin;
        }
        Boundary {
            view: begin.view + count * self.cell.view(),
            source: begin.source + count * self.cell.source(),
            state: self.cell.state(),
        }
    }

    fn end(self, begin: Boundary) -> Boundary {
        self.after(begin, self.count.into())
    }

    /// The last boundary at or before a view position in the run that begins at `begin`.
    fn boundary(self, begin: Boundary, view: u64) -> Boundary {
        self.after(begin, (view - begin.view) / self.cell.view())
    }
}

/// The text of a code: its length in the view less one, its length in the source less one (four bits
/// each), and the state after it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Cell(u16);

impl Cell {
    fn new(view: usize, source: usize, state: Shift) -> Self {
        let view = (view - 1) & 15;
        let source = source.saturating_sub(1) & 15;
        Cell((view | source << 4) as u16 | u16::from(state.0) << 8)
    }

    fn view(self) -> u64 {
        u64::from(self.0 & 15) + 1
    }

    fn source(self) -> u64 {
        u64::from(self.0 >> 4 & 15) + 1
    }

    fn state(self) -> Shift {
        Shift((self.0 >> 8) as u8)
    }
}

impl ViewMap {
    /// The source position of a view position (both absolute). A character's leading shift
    /// sequence belongs to the character: a character begins where the one before it ends.
    ///
    /// A position within a character counts as the character's start, and so does one between
    /// characters that have one code together; a position that was discarded or lies past the end
    /// counts as the nearest one kept. O(log n).
    ///
    /// ```
    /// use linkglot_charset::{Charset, Transcoder, ViewMap};
    ///
    /// let (mut view, mut map) = (Vec::new(), ViewMap::default());
    /// Transcoder::new(Charset::UTF_16BE, 0).push(b"\0a\0\xE9\0b", true, &mut view, &mut map);
    /// assert_eq!(map.source(3), 4);
    /// ```
    pub fn source(&self, view: u64) -> u64 {
        self.boundary(view).source
    }

    /// The shift state of the source at a view position, for
    /// [`Charset::splice`](crate::Charset::splice). Positions count as in [`source`](Self::source).
    ///
    /// ```
    /// use linkglot_charset::{Charset, Transcoder, ViewMap};
    ///
    /// let (mut view, mut map) = (Vec::new(), ViewMap::default());
    /// let charset = Charset::for_label("iso-2022-jp")?;
    /// Transcoder::new(charset, 0).push(b"\x1B$B$\"\x1B(B!", true, &mut view, &mut map);
    /// assert_eq!(view, "あ!".as_bytes());
    /// assert_ne!(map.shift(3), map.shift(0));
    /// # Ok::<(), linkglot_charset::UnknownLabel>(())
    /// ```
    pub fn shift(&self, view: u64) -> Shift {
        self.boundary(view).state
    }

    /// True if a character begins or ends at a view position, and its code does, too: JIS X 0213 has codes that
    /// stand for a letter and its mark, and nothing can be written between these. O(log n).
    ///
    /// ```
    /// use linkglot_charset::{Charset, Transcoder, ViewMap};
    ///
    /// let charset = Charset::for_label("euc-jisx0213")?;
    /// let (mut view, mut map) = (Vec::new(), ViewMap::default());
    /// Transcoder::new(charset, 0).push(b"\xA4\xF7", true, &mut view, &mut map);
    /// assert_eq!(view, "か\u{309A}".as_bytes());
    /// assert!(map.is_boundary(0) && !map.is_boundary(3) && map.is_boundary(6));
    /// # Ok::<(), linkglot_charset::UnknownLabel>(())
    /// ```
    pub fn is_boundary(&self, view: u64) -> bool {
        self.boundary(view).view == view
    }

    /// Forgets the characters before a view position. Up to some hundred of them may stay.
    ///
    /// ```
    /// use linkglot_charset::{Charset, Transcoder, ViewMap};
    ///
    /// let (mut view, mut map) = (Vec::new(), ViewMap::default());
    /// Transcoder::new(Charset::UTF_16BE, 0).push(b"\0a\0\xE9\0b", true, &mut view, &mut map);
    /// map.discard(3);
    /// assert_eq!(map.source(3), 4);
    /// ```
    pub fn discard(&mut self, view: u64) {
        while let Some(second) = self.blocks.get(1) {
            if second.begin.view > view {
                return;
            }
            self.blocks.pop_front();
        }
    }

    fn boundary(&self, view: u64) -> Boundary {
        if view >= self.closed.view {
            let end = self.open.end(self.closed);
            return if view < end.view {
                self.open.boundary(self.closed, view)
            } else {
                end
            };
        }
        let next = self
            .blocks
            .partition_point(|block| block.begin.view <= view);
        let Some(block) = self.blocks.get(next.saturating_sub(1)) else {
            return self.closed;
        };
        let mut begin = block.begin;
        for run in &block.runs {
            let end = run.end(begin);
            if end.view > view {
                return run.boundary(begin, view.max(begin.view));
            }
            begin = end;
        }
        begin
    }

    /// Sets where the first character begins.
    pub(crate) fn begin(&mut self, view: u64, source: u64) {
        if self.blocks.is_empty() && self.open.count == 0 {
            self.closed = Boundary {
                view,
                source,
                ..self.closed
            };
        }
    }

    /// Appends a character, which leaves the decoder in `state`, to the view and to its map.
    #[inline]
    pub(crate) fn append(&mut self, decoded: DecodedChar, state: Shift, view: &mut Vec<u8>) {
        let before = view.len();
        match decoded.text().single() {
            Some(ch) => push(ch, view),
            None => decoded.text().chars().for_each(|ch| push(ch, view)),
        }
        let cell = Cell::new(view.len() - before, decoded.len, state);
        self.add(cell, 1);
    }

    /// Appends `count` codes that are in the view already, each of `text` bytes there, from `source` bytes.
    #[inline]
    pub(crate) fn append_run(
        &mut self,
        count: usize,
        (text, source): (usize, usize),
        state: Shift,
    ) {
        self.add(Cell::new(text, source, state), count);
    }

    #[inline]
    fn add(&mut self, cell: Cell, mut count: usize) {
        while count > 0 {
            if cell != self.open.cell || self.open.count == u16::MAX {
                self.close();
                self.open.cell = cell;
            }
            let part = count.min(usize::from(u16::MAX - self.open.count));
            self.open.count += part as u16;
            count -= part;
        }
    }

    /// Ends the open run.
    fn close(&mut self) {
        let run = std::mem::take(&mut self.open);
        if run.count == 0 {
            return;
        }
        match self.blocks.back_mut() {
            Some(block) if block.runs.len() < BLOCK => block.runs.push(run),
            _ => {
                let mut runs = Vec::with_capacity(BLOCK);
                runs.push(run);
                let begin = self.closed;
                self.blocks.push_back(Block { begin, runs });
            }
        }
        self.closed = run.end(self.closed);
    }

    /// The number of runs kept.
    #[cfg(test)]
    pub(crate) fn kept(&self) -> usize {
        self.blocks.iter().map(|block| block.runs.len()).sum()
    }
}

/// Appends a character as UTF-8. Arrays of known length are copied without a call.
#[inline]
pub(crate) fn push(ch: char, view: &mut Vec<u8>) {
    match *ch.encode_utf8(&mut [0; 4]).as_bytes() {
        [a] => view.push(a),
        [a, b] => view.extend_from_slice(&[a, b]),
        [a, b, c] => view.extend_from_slice(&[a, b, c]),
        ref all => view.extend_from_slice(all),
    }
}
