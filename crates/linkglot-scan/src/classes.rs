//! The class of each character: Link_Term of UTS 58, and the properties that the rules of `extended` need.
//!
//! The ignored test `regenerate` writes `class_ranges.rs` from icu_properties; the test `table_agrees_with_icu`
//! compares every code point.

use super::class_ranges::{BRACKETS, MARKS, RANGES};
use super::host_punctuation::WIDE_STOPS;
use std::sync::OnceLock;

/// Link_Term of UTS 58 in the low three bits.
pub(super) const TERM: u8 = 7;
pub(super) const INCLUDE: u8 = 0;
pub(super) const SOFT: u8 = 1;
pub(super) const OPEN: u8 = 2;
pub(super) const CLOSE: u8 = 3;
pub(super) const HARD: u8 = 4;
/// Valid or mapped in a host name by UTS 46, or a dot of one.
pub(super) const HOST: u8 = 1 << 3;
/// Allowed in the local part of an e-mail address.
pub(super) const LOCAL: u8 = 1 << 4;
/// Line_Break=Quotation.
pub(super) const QUOTE: u8 = 1 << 5;
/// Invisible: General_Category=Cf, or a variation selector.
pub(super) const INVISIBLE: u8 = 1 << 6;
/// A character of a script that is written without spaces, or whose particles are glued to words (Hangul).
pub(super) const GLUE: u8 = 1 << 7;

/// Opening and closing punctuation that is neither a paired bracket nor a quotation to Line_Break.
const UNPAIRED: [char; 8] = ['‚', '„', '⹂', '〝', '〞', '〟', '﴾', '﴿'];

/// Brackets of vertical text, which are not paired brackets either: each opening bracket, then its closing bracket.
const VERTICAL: [char; 14] = [
    '\u{FE17}', '\u{FE18}', '\u{FE39}', '\u{FE3A}', '\u{FE3B}', '\u{FE3C}', '\u{FE3D}', '\u{FE3E}',
    '\u{FE3F}', '\u{FE40}', '\u{FE41}', '\u{FE42}', '\u{FE43}', '\u{FE44}',
];

/// Other punctuation (General_Category=P) that UTS 46 allows in hosts but no registry gives out: such characters are
/// not PVALID in IDNA 2008 (RFC 5892). Middle dots, geresh, the tsheg, and hyphens that stand for the ASCII one are
/// left out, since hosts have them.
const PUNCTUATION: [(char, char); 41] = [
    ('¡', '¡'),
    ('§', '§'),
    ('¶', '¶'),
    ('¿', '¿'),
    ('\u{55A}', '\u{55F}'),
    ('\u{58A}', '\u{58A}'),
    ('\u{5BE}', '\u{5BE}'),
    ('\u{5C0}', '\u{5C0}'),
    ('\u{5C6}', '\u{5C6}'),
    ('\u{609}', '\u{60A}'),
    ('\u{60D}', '\u{60D}'),
    ('\u{66A}', '\u{66D}'),
    ('\u{970}', '\u{970}'),
    ('\u{DF4}', '\u{DF4}'),
    ('\u{E4F}', '\u{E4F}'),
    ('\u{104C}', '\u{104F}'),
    ('\u{10FB}', '\u{10FB}'),
    ('\u{1360}', '\u{1360}'),
    ('\u{17D8}', '\u{17DA}'),
    ('\u{1800}', '\u{1801}'),
    ('\u{1806}', '\u{1806}'),
    ('\u{1807}', '\u{1807}'),
    ('\u{2012}', '\u{2016}'),
    ('\u{2020}', '\u{2023}'),
    ('\u{2027}', '\u{2027}'),
    ('\u{2030}', '\u{2038}'),
    ('\u{203B}', '\u{203B}'),
    ('\u{203F}', '\u{2043}'),
    ('\u{204A}', '\u{2051}'),
    ('\u{2053}', '\u{205E}'),
    ('\u{2E0E}', '\u{2E2E}'),
    ('\u{2E30}', '\u{2E4F}'),
    ('\u{2E52}', '\u{2E5D}'),
    ('\u{301C}', '\u{301C}'),
    ('\u{3030}', '\u{3030}'),
    ('\u{303D}', '\u{303D}'),
    ('\u{30A0}', '\u{30A0}'),
    ('\u{FE11}', '\u{FE11}'),
    ('\u{FE31}', '\u{FE32}'),
    ('\u{FE45}', '\u{FE46}'),
    ('\u{FE58}', '\u{FE58}'),
];

/// Characters that UTS 46 maps to nothing, except those that end a link, and those that readers see as a blank or a gap
/// between words (Hangul fillers, U+200B).
const IGNORED: [(char, char); 10] = [
    ('\u{AD}', '\u{AD}'),
    ('\u{34F}', '\u{34F}'),
    ('\u{17B4}', '\u{17B5}'),
    ('\u{180B}', '\u{180F}'),
    ('\u{2060}', '\u{2064}'),
    ('\u{FE00}', '\u{FE0F}'),
    ('\u{FEFF}', '\u{FEFF}'),
    ('\u{1BCA0}', '\u{1BCA3}'),
    ('\u{1D173}', '\u{1D17A}'),
    ('\u{E0100}', '\u{E01EF}'),
];

/// True for a character that hosts may have between letters without effect (UTS 46: ignored).
pub(super) fn is_ignored(ch: char) -> bool {
    ch >= '\u{AD}'
        && IGNORED
            .iter()
            .any(|&(first, last)| (first..=last).contains(&ch))
}

/// The class of an ASCII byte, for tables that the compiler builds.
pub(super) const fn ascii_class(byte: u8) -> u8 {
    let mut range = 0;
    while range + 1 < RANGES.len() && RANGES[range + 1].0 <= byte as u32 {
        range += 1;
    }
    RANGES[range].1
}

/// Lengths of the ranges but the last, seven bits a byte, the low bits first; the high bit says that more follow.
/// Packed, the ranges take a quarter of the bytes: the table is the largest of a program that is downloaded.
static LENGTHS: [u8; packed_len()] = {
    let mut packed = [0; packed_len()];
    let (mut at, mut range) = (0, 1);
    while range < RANGES.len() {
        let mut length = RANGES[range].0 - RANGES[range - 1].0;
        while length > 0x7F {
            packed[at] = length as u8 | 0x80;
            length >>= 7;
            at += 1;
        }
        packed[at] = length as u8;
        at += 1;
        range += 1;
    }
    packed
};

/// Number of bytes in [`LENGTHS`].
const fn packed_len() -> usize {
    let (mut bytes, mut range) = (0, 1);
    while range < RANGES.len() {
        let mut length = RANGES[range].0 - RANGES[range - 1].0;
        while length > 0x7F {
            length >>= 7;
            bytes += 1;
        }
        bytes += 1;
        range += 1;
    }
    bytes
}

/// The classes of the ranges.
static CLASSES: [u8; RANGES.len()] = {
    let mut classes = [0; RANGES.len()];
    let mut range = 0;
    while range < RANGES.len() {
        classes[range] = RANGES[range].1;
        range += 1;
    }
    classes
};

/// The ranges, out of their packed form.
fn ranges() -> Vec<(u32, u8)> {
    let (mut first, mut length, mut shift) = (0, 0, 0);
    let mut firsts = vec![0];
    for byte in LENGTHS {
        length |= u32::from(byte & 0x7F) << shift;
        shift += 7;
        if byte < 0x80 {
            first += length;
            firsts.push(first);
            (length, shift) = (0, 0);
        }
    }
    firsts.into_iter().zip(CLASSES).collect()
}

const BLOCKS: usize = 0x11_0000 >> 8;

/// The classes of all code points in a two-stage table. ASCII has a table of its own, for speed.
pub(super) struct Classes {
    ascii: [u8; 128],
    block: Vec<u16>,
    cells: Vec<u8>,
}

impl Classes {
    /// The table of UTS 58, built once from the ranges.
    pub(super) fn get() -> &'static Classes {
        static TABLE: OnceLock<Classes> = OnceLock::new();
        TABLE.get_or_init(Classes::build)
    }

    /// The table of the other profiles. Its hosts have dots, characters that UTS 46 ignores, and of the characters that
    /// UTS 46 allows only those that a link takes everywhere (Link_Term=Include): no punctuation, quotes or brackets.
    pub(super) fn strict() -> &'static Classes {
        static TABLE: OnceLock<Classes> = OnceLock::new();
        TABLE.get_or_init(|| {
            let mut classes = Classes::build();
            for cell in &mut classes.cells {
                if *cell & TERM != INCLUDE || *cell & QUOTE != 0 {
                    *cell &= !HOST;
                }
            }
            for mark in UNPAIRED.into_iter().chain(VERTICAL) {
                classes.change(mark, |class| class & !HOST);
            }
            for mark in PUNCTUATION.iter().flat_map(|&(first, last)| first..=last) {
                classes.change(mark, |class| class & !HOST);
            }
            for dot in ['.'].into_iter().chain(WIDE_STOPS) {
                classes.change(dot, |class| class | HOST);
            }
            for mark in IGNORED.iter().flat_map(|&(first, last)| first..=last) {
                classes.change(mark, |class| class | HOST);
            }
            classes.ascii.copy_from_slice(&classes.cells[..128]);
            classes
        })
    }

    /// Changes the class of a character. Its block must not be uniform: uniform blocks share their cells.
    fn change(&mut self, ch: char, change: fn(u8) -> u8) {
        let cp = ch as usize;
        let block = self.block.get(cp >> 8).copied().unwrap_or(0);
        if let Some(cell) = self.cells.get_mut(usize::from(block) << 8 | (cp & 0xFF)) {
            *cell = change(*cell);
        }
    }

    fn build() -> Classes {
        let ranges = ranges();
        let mut classes = Classes {
            ascii: [0; 128],
            block: Vec::with_capacity(BLOCKS),
            cells: Vec::new(),
        };
        let mut uniform = [None; 256];
        let mut next = 0;
        for block in 0..BLOCKS {
            let first = (block << 8) as u32;
            while ranges.get(next + 1).is_some_and(|r| r.0 <= first) {
                next += 1;
            }
            let whole = ranges.get(next + 1).is_none_or(|r| r.0 >= first + 256);
            let class = ranges[next].1;
            let index = match uniform[usize::from(class)] {
                Some(index) if whole => index,
                _ => classes.add_block(first, &ranges[next..]),
            };
            if whole {
                uniform[usize::from(class)] = Some(index);
            }
            classes.block.push(index);
        }
        classes.ascii.copy_from_slice(&classes.cells[..128]);
        classes
    }

    /// Adds the block that begins with a code point of the first of some ranges.
    fn add_block(&mut self, first: u32, ranges: &[(u32, u8)]) -> u16 {
        let (index, mut range) = ((self.cells.len() >> 8) as u16, 0);
        for cp in first..first + 256 {
            while ranges.get(range + 1).is_some_and(|r| r.0 <= cp) {
                range += 1;
            }
            self.cells.push(ranges[range].1);
        }
        index
    }

    /// The class of a character.
    #[inline]
    pub(super) fn of(&self, ch: char) -> u8 {
        let cp = ch as usize;
        match self.ascii.get(cp) {
            Some(&class) => class,
            None => self.of_wide(cp),
        }
    }

    /// The class of an ASCII byte; 0 for other bytes.
    #[inline]
    pub(super) fn of_ascii(&self, byte: u8) -> u8 {
        self.ascii.get(usize::from(byte)).copied().unwrap_or(0)
    }

    fn of_wide(&self, cp: usize) -> u8 {
        let block = self.block.get(cp >> 8).copied().unwrap_or(0);
        self.cells
            .get(usize::from(block) << 8 | (cp & 0xFF))
            .copied()
            .unwrap_or(HARD)
    }
}

/// The opening bracket of a closing one (Bidi_Paired_Bracket, and `<` for `>`).
pub(super) fn opener(close: char) -> Option<char> {
    BRACKETS
        .binary_search_by_key(&close, |&(close, _)| close)
        .ok()
        .map(|at| BRACKETS[at].1)
}

/// True if a character is a mark (General_Category M), which belongs to the character in front of it.
pub(super) fn is_combining_mark(ch: char) -> bool {
    let behind = MARKS.partition_point(|&(first, _)| first <= ch);
    behind > 0 && ch <= MARKS[behind - 1].1
}

/// True if a character is an opening bracket (Bidi_Paired_Bracket_Type, and `<`).
pub(super) fn is_opening(ch: char) -> bool {
    Classes::get().of(ch) & TERM == OPEN
}

#[cfg(test)]
mod tests {
    use super::*;
    use icu_normalizer::uts46::Uts46MapperBorrowed;
    use icu_properties::props::{
        BidiMirroringGlyph, BidiPairedBracketType, Deprecated, GeneralCategory, LineBreak,
        NoncharacterCodePoint, Script, TerminalPunctuation, VariationSelector, WhiteSpace,
        XidContinue,
    };
    use icu_properties::{CodePointMapData, CodePointSetData};
    use std::fmt::Write;

    fn bracket(ch: char) -> BidiMirroringGlyph {
        CodePointMapData::<BidiMirroringGlyph>::new().get(ch)
    }

    fn term(ch: char) -> u8 {
        use GeneralCategory as G;
        let category = CodePointMapData::<GeneralCategory>::new().get(ch);
        let c = matches!(
            category,
            G::Control | G::Unassigned | G::PrivateUse | G::Surrogate
        );
        if c || CodePointSetData::new::<WhiteSpace>().contains(ch)
            || CodePointSetData::new::<NoncharacterCodePoint>().contains(ch)
            || CodePointSetData::new::<Deprecated>().contains(ch)
        {
            return HARD;
        }
        match bracket(ch).paired_bracket_type {
            BidiPairedBracketType::Open => return OPEN,
            BidiPairedBracketType::Close => return CLOSE,
            _ => {}
        }
        match ch {
            '<' => OPEN,
            '>' => CLOSE,
            _ if is_quote(ch) || CodePointSetData::new::<TerminalPunctuation>().contains(ch) => {
                SOFT
            }
            _ => INCLUDE,
        }
    }

    fn is_quote(ch: char) -> bool {
        CodePointMapData::<LineBreak>::new().get(ch) == LineBreak::Quotation
    }

    /// Valid (deviations, too) or mapped by UTS 46, but not to ASCII that STD3 forbids.
    fn is_host(ch: char) -> bool {
        if ch.is_ascii() {
            return ch.is_ascii_alphanumeric() || ch == '-' || ch == '.';
        }
        if WIDE_STOPS.contains(&ch) || matches!(ch, '\u{200C}' | '\u{200D}') {
            return true;
        }
        let mapped: String = Uts46MapperBorrowed::new()
            .map_normalize(std::iter::once(ch))
            .collect();
        let good =
            |c: char| c != '\u{FFFD}' && (!c.is_ascii() || c.is_ascii_alphanumeric() || c == '-');
        !mapped.is_empty() && mapped.chars().all(good)
    }

    fn is_local(ch: char) -> bool {
        if ch.is_ascii() {
            return ch.is_ascii_alphanumeric() || "_-!?'{}*/&#%`^+=|~$.".contains(ch);
        }
        CodePointSetData::new::<XidContinue>().contains(ch)
    }

    fn is_glue(ch: char) -> bool {
        let scripts = [
            Script::Han,
            Script::Hiragana,
            Script::Katakana,
            Script::Bopomofo,
            Script::Hangul,
            Script::Thai,
            Script::Lao,
            Script::Khmer,
            Script::Myanmar,
            Script::Tibetan,
            Script::Yi,
            Script::Javanese,
            Script::Balinese,
            Script::NewTaiLue,
            Script::TaiTham,
            Script::TaiLe,
        ];
        scripts.contains(&CodePointMapData::<Script>::new().get(ch)) || ch == 'ー'
    }

    fn from_icu(ch: char) -> u8 {
        let flag = |on: bool, flag: u8| if on { flag } else { 0 };
        let invisible = CodePointMapData::<GeneralCategory>::new().get(ch)
            == GeneralCategory::Format
            || CodePointSetData::new::<VariationSelector>().contains(ch);
        term(ch)
            | flag(is_host(ch), HOST)
            | flag(is_local(ch), LOCAL)
            | flag(is_quote(ch), QUOTE)
            | flag(invisible, INVISIBLE)
            | flag(is_glue(ch), GLUE)
    }

    fn code_points() -> impl Iterator<Item = char> {
        (0..=0x10_FFFF).filter_map(char::from_u32)
    }

    #[test]
    fn table_agrees_with_icu() {
        let classes = Classes::get();
        for ch in code_points() {
            assert_eq!(classes.of(ch), from_icu(ch), "U+{:04X}", ch as u32);
        }
    }

    fn is_mark(ch: char) -> bool {
        use GeneralCategory as G;
        let category = CodePointMapData::<G>::new().get(ch);
        matches!(
            category,
            G::NonspacingMark | G::SpacingMark | G::EnclosingMark
        )
    }

    fn mark_ranges() -> Vec<(char, char)> {
        let mut ranges: Vec<(char, char)> = Vec::new();
        for ch in code_points().filter(|&ch| is_mark(ch)) {
            match ranges.last_mut() {
                Some((_, last)) if *last as u32 + 1 == ch as u32 => *last = ch,
                _ => ranges.push((ch, ch)),
            }
        }
        ranges
    }

    #[test]
    fn marks_agree_with_icu() {
        for ch in code_points() {
            assert_eq!(is_combining_mark(ch), is_mark(ch), "U+{:04X}", ch as u32);
        }
    }

    #[test]
    fn brackets_agree_with_icu() {
        for ch in code_points() {
            let closes = term(ch) == CLOSE;
            let expected = if ch == '>' {
                Some('<')
            } else {
                bracket(ch).mirroring_glyph
            };
            assert_eq!(
                opener(ch),
                expected.filter(|_| closes),
                "U+{:04X}",
                ch as u32
            );
        }
    }

    /// Writes class_ranges.rs: `cargo test -p linkglot-scan --lib -- --ignored regenerate`.
    #[test]
    #[ignore = "writes a source file"]
    fn regenerate() {
        let mut out = String::from(
            "//! Generated from icu_properties by the test `classes::tests::regenerate`.\n\n\
             /// From this code point on, up to the next entry, this class.\n#[rustfmt::skip]\n\
             pub(super) static RANGES: &[(u32, u8)] = &[\n",
        );
        let (mut last, mut column) = (None, 0);
        for ch in code_points() {
            let class = from_icu(ch);
            if last != Some(class) {
                write!(out, "(0x{:X},{class}),", ch as u32).unwrap();
                column += 1;
                out.push_str(if column % 8 == 0 { "\n" } else { "" });
                last = Some(class);
            }
        }
        out.push_str("\n];\n\n/// Closing brackets and their openers.\n#[rustfmt::skip]\npub(super) static BRACKETS: &[(char, char)] = &[\n");
        for ch in code_points().filter(|&ch| term(ch) == CLOSE) {
            let open = if ch == '>' {
                '<'
            } else {
                bracket(ch).mirroring_glyph.unwrap()
            };
            writeln!(
                out,
                "    ('\\u{{{:X}}}', '\\u{{{:X}}}'),",
                ch as u32, open as u32
            )
            .unwrap();
        }
        out.push_str("];\n\n/// Ranges of marks.\n#[rustfmt::skip]\npub(super) static MARKS: &[(char, char)] = &[\n");
        for (number, range) in mark_ranges().iter().enumerate() {
            let (first, last) = (range.0 as u32, range.1 as u32);
            write!(out, "('\\u{{{first:X}}}','\\u{{{last:X}}}'),").unwrap();
            out.push_str(if number % 5 == 4 { "\n" } else { "" });
        }
        out.push_str("\n];\n");
        std::fs::write(
            concat!(env!("CARGO_MANIFEST_DIR"), "/src/class_ranges.rs"),
            out,
        )
        .unwrap();
    }

    #[test]
    fn hosts_have_what_uts46_ignores() {
        let (table, strict) = (Classes::get(), Classes::strict());
        let mapper = Uts46MapperBorrowed::new();
        let blank = |ch| {
            matches!(
                ch,
                '\u{200B}' | '\u{115F}' | '\u{1160}' | '\u{3164}' | '\u{FFA0}'
            )
        };
        for ch in code_points() {
            let mapped = mapper.map_normalize(['x', ch, 'y'].into_iter());
            let goes = mapped.eq("xy".chars()) && table.of(ch) & TERM != HARD;
            assert_eq!(is_ignored(ch), goes && !blank(ch), "U+{:04X}", ch as u32);
            if is_ignored(ch) {
                assert_eq!(strict.of(ch), table.of(ch) | HOST, "U+{:04X}", ch as u32);
                assert_eq!(table.of(ch) & HOST, 0);
            }
        }
    }

    #[test]
    fn punctuation_is_no_host_character() {
        use icu_properties::props::GeneralCategoryGroup as Group;
        let category = CodePointMapData::<GeneralCategory>::new();
        let (table, strict) = (Classes::get(), Classes::strict());
        for (first, last) in PUNCTUATION {
            for ch in first..=last {
                let of = category.get(ch);
                assert!(Group::Punctuation.contains(of), "U+{:04X}", ch as u32);
                assert_eq!(strict.of(ch), table.of(ch) & !HOST);
            }
        }
        // Only these characters have changed, and no other character of their blocks.
        for ch in code_points().filter(|&ch| table.of(ch) & HOST != 0) {
            let goes = strict.of(ch) & HOST == 0;
            let may = Group::Punctuation.contains(category.get(ch))
                || table.of(ch) & TERM != INCLUDE
                || table.of(ch) & QUOTE != 0;
            assert!(!goes || may, "U+{:04X}", ch as u32);
        }
    }
}
