//! The map from a UTF-8 view back to the source bytes that it was transcoded from.

use crate::decoded::{DecodedChar, Shift};
use std::collections::VecDeque;

/// Maps absolute positions in a view to absolute positions in the source, exactly for every
/// character boundary that is still kept. A [`Transcoder`](crate::Transcoder) fills it.
///
/// Memory: two bytes for each character that is kept, and a little.
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
    end: Boundary,
}

/// A boundary between two characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Boundary {
    view: u64,
    source: u64,
    state: Shift,
}

/// Up to [`BLOCK`] characters.
#[derive(Clone, Debug)]
struct Block {
    begin: Boundary,
    cells: Vec<Cell>,
}

/// The characters in a block, which bound the walk of a lookup.
const BLOCK: usize = 256;

/// The text of a code: its length in the view less one, its length in the source less one (four bits
/// each), and the state after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cell(u16);

impl Cell {
    fn new(decoded: DecodedChar, state: Shift) -> Self {
        let view = (decoded.text().len_utf8() - 1) & 15;
        let source = decoded.len.saturating_sub(1) & 15;
        Cell((view | source << 4) as u16 | u16::from(state.0) << 8)
    }

    /// The boundary after the character that begins at `begin`.
    fn after(self, begin: Boundary) -> Boundary {
        Boundary {
            view: begin.view + u64::from(self.0 & 15) + 1,
            source: begin.source + u64::from(self.0 >> 4 & 15) + 1,
            state: Shift((self.0 >> 8) as u8),
        }
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
        if view >= self.end.view {
            return self.end;
        }
        let next = self
            .blocks
            .partition_point(|block| block.begin.view <= view);
        let Some(block) = self.blocks.get(next.saturating_sub(1)) else {
            return self.end;
        };
        let mut boundary = block.begin;
        for cell in &block.cells {
            let after = cell.after(boundary);
            if after.view > view {
                break;
            }
            boundary = after;
        }
        boundary
    }

    /// Sets where the first character begins.
    pub(crate) fn begin(&mut self, view: u64, source: u64) {
        if self.blocks.is_empty() {
            self.end = Boundary {
                view,
                source,
                ..self.end
            };
        }
    }

    /// Appends a character, which leaves the decoder in `state`, to the view and to its map.
    pub(crate) fn append(&mut self, decoded: DecodedChar, state: Shift, view: &mut Vec<u8>) {
        match decoded.text().single() {
            Some(ch) if ch.is_ascii() => view.push(ch as u8),
            _ => decoded.text().chars().for_each(|ch| {
                view.extend_from_slice(ch.encode_utf8(&mut [0; 4]).as_bytes());
            }),
        }
        let cell = Cell::new(decoded, state);
        match self.blocks.back_mut() {
            Some(block) if block.cells.len() < BLOCK => block.cells.push(cell),
            _ => {
                let mut cells = Vec::with_capacity(BLOCK);
                cells.push(cell);
                let begin = self.end;
                self.blocks.push_back(Block { begin, cells });
            }
        }
        self.end = cell.after(self.end);
    }

    /// The number of characters kept.
    #[cfg(test)]
    pub(crate) fn kept(&self) -> usize {
        self.blocks.iter().map(|block| block.cells.len()).sum()
    }
}
