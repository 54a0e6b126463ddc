//! Documents that cannot be scanned as the bytes they are (UTF-16, ISO-2022-JP, ...): a UTF-8
//! view in windows, with a map back to source bytes.

use super::units::{End, LONGEST, State, Unit, Units};
use super::{Charset, Shift};
use std::collections::VecDeque;

/// Turns source bytes, chunk by chunk, into a UTF-8 view. The view of a document does not depend
/// on how it is cut. Time is linear in the source, memory outside `view` and `map` constant.
///
/// ```
/// use linkglot::charset::{Charset, Transcoder, ViewMap};
///
/// let (mut view, mut map) = (Vec::new(), ViewMap::default());
/// let mut transcoder = Transcoder::new(Charset::UTF_16LE, 2);
/// transcoder.push(b"h\0\xE9", false, &mut view, &mut map);
/// transcoder.push(b"\0!\0", true, &mut view, &mut map);
/// assert_eq!(view, "hé!".as_bytes());
/// assert_eq!(map.source(1), 4);
/// assert_eq!(map.source(3), 6);
/// ```
pub struct Transcoder {
    units: Option<&'static dyn Units>,
    state: State,
    /// The begin of a character whose end has not come yet; shorter than [`LONGEST`].
    pending: Vec<u8>,
    /// The end of the last character.
    source: u64,
    view: u64,
}

impl Transcoder {
    /// A transcoder for a charset that is not ASCII-compatible. Source positions count from
    /// `origin` (the length of the BOM, which is no part of the view).
    pub fn new(charset: Charset, origin: u64) -> Self {
        Transcoder {
            units: charset.0.codec.units(),
            state: State::default(),
            pending: Vec::new(),
            source: origin,
            view: 0,
        }
    }

    /// Decodes all of `source` and appends to `view`; incomplete sequences at the end wait inside
    /// for the next call unless `last`. Marks are added to `map`.
    ///
    /// Bytes of an ASCII-compatible charset, which needs no view, are passed as they are and not
    /// mapped.
    pub fn push(&mut self, source: &[u8], last: bool, view: &mut Vec<u8>, map: &mut ViewMap) {
        let Some(units) = self.units else {
            view.extend_from_slice(source);
            return;
        };
        map.begin(self.view, self.source);
        let end = if last { End::Last } else { End::Open };
        let rest = self.finish_pending(units, source, end, view, map);
        let before = view.len();
        let at = units.view(&mut self.state, rest, end, view, map);
        self.source += at as u64;
        self.view += (view.len() - before) as u64;
        if rest.len() - at < LONGEST {
            self.pending.extend_from_slice(&rest[at..]);
        }
    }

    /// Decodes the characters that begin in `pending`; what is left of `source` comes back.
    fn finish_pending<'s>(
        &mut self,
        units: &dyn Units,
        source: &'s [u8],
        end: End,
        view: &mut Vec<u8>,
        map: &mut ViewMap,
    ) -> &'s [u8] {
        let old = self.pending.len();
        if old == 0 {
            return source;
        }
        let taken = source.len().min(LONGEST);
        let mut bytes = std::mem::take(&mut self.pending);
        bytes.extend_from_slice(&source[..taken]);
        let end = if taken == source.len() {
            end
        } else {
            End::Open
        };
        let mut at = 0;
        while at < old {
            let Some(unit) = units.next(&mut self.state, &bytes[at..], end) else {
                break;
            };
            at += unit.len;
            self.source += unit.len as u64;
            self.view += unit.ch.len_utf8() as u64;
            append(unit, self.state, view, map);
        }
        match at.checked_sub(old) {
            Some(begun) => &source[begun..],
            None => {
                bytes.drain(..at);
                bytes.truncate(LONGEST - 1);
                self.pending = bytes;
                &source[taken..]
            }
        }
    }
}

/// Appends a character and says in which state it leaves the decoder.
pub(super) fn append(unit: Unit, state: State, view: &mut Vec<u8>, map: &mut ViewMap) {
    if unit.ch.is_ascii() {
        view.push(unit.ch as u8);
    } else {
        let mut buffer = [0; 4];
        view.extend_from_slice(unit.ch.encode_utf8(&mut buffer).as_bytes());
    }
    map.append(unit, state);
}

/// Where the bytes of a view stand in the source: absolute view positions to absolute source
/// positions, exact for every character boundary that is still kept.
///
/// Memory: two bytes for each character that is kept, and a little.
#[derive(Clone, Debug, Default)]
pub struct ViewMap {
    blocks: VecDeque<Block>,
    /// The begin of what is kept, if it is empty.
    end: Place,
}

/// A boundary between two characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Place {
    view: u64,
    source: u64,
    state: State,
}

/// Up to [`BLOCK`] characters.
#[derive(Clone, Debug)]
struct Block {
    begin: Place,
    cells: Vec<Cell>,
}

/// Characters in a block: what a lookup walks at most.
const BLOCK: usize = 256;

/// A character: two bits its length in the view less one, three bits its length in the source
/// less one, then the state behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cell(u16);

impl Cell {
    fn new(unit: Unit, state: State) -> Self {
        let view = (unit.ch.len_utf8() - 1) & 3;
        let source = unit.len.saturating_sub(1) & 7;
        Cell((view | source << 2) as u16 | u16::from(state.0) << 5)
    }

    fn behind(self, place: Place) -> Place {
        Place {
            view: place.view + u64::from(self.0 & 3) + 1,
            source: place.source + u64::from(self.0 >> 2 & 7) + 1,
            state: State((self.0 >> 5) as u8),
        }
    }
}

impl ViewMap {
    /// The source position of a view position (both absolute). A character's leading shift
    /// sequence belongs to the character: position(p) for p the start of a character is the end
    /// of the character before it.
    ///
    /// A position within a character counts as the character's start, one before what is kept or
    /// behind the end as the nearest that is known. O(log n).
    pub fn source(&self, view: u64) -> u64 {
        self.place(view).source
    }

    /// The shift state of the source at a view position, for [`Charset::splice`]. Positions count
    /// as in [`source`](Self::source).
    pub fn shift(&self, view: u64) -> Shift {
        Shift(self.place(view).state)
    }

    /// Forgets what lies before a view position (or less: some hundred characters may stay).
    pub fn discard(&mut self, view: u64) {
        while let Some(second) = self.blocks.get(1) {
            if second.begin.view > view {
                return;
            }
            self.blocks.pop_front();
        }
    }

    fn place(&self, view: u64) -> Place {
        if view >= self.end.view {
            return self.end;
        }
        let next = self
            .blocks
            .partition_point(|block| block.begin.view <= view);
        let Some(block) = self.blocks.get(next.saturating_sub(1)) else {
            return self.end;
        };
        let mut place = block.begin;
        for cell in &block.cells {
            let behind = cell.behind(place);
            if behind.view > view {
                break;
            }
            place = behind;
        }
        place
    }

    /// Says where the first character begins.
    fn begin(&mut self, view: u64, source: u64) {
        if self.blocks.is_empty() {
            self.end = Place {
                view,
                source,
                ..self.end
            };
        }
    }

    fn append(&mut self, unit: Unit, state: State) {
        let cell = Cell::new(unit, state);
        match self.blocks.back_mut() {
            Some(block) if block.cells.len() < BLOCK => block.cells.push(cell),
            _ => {
                let mut cells = Vec::with_capacity(BLOCK);
                cells.push(cell);
                let begin = self.end;
                self.blocks.push_back(Block { begin, cells });
            }
        }
        self.end = cell.behind(self.end);
    }
}

#[cfg(test)]
impl ViewMap {
    /// How many characters are kept.
    pub(super) fn kept(&self) -> usize {
        self.blocks.iter().map(|block| block.cells.len()).sum()
    }
}
