//! Character sets of planes, each with 94 rows of 94 characters: CNS 11643 of Taiwan and JIS X 0213
//! of Japan.

use crate::decoded::Text;
use crate::files::{File, file};
use crate::table::texts_of;
use std::sync::LazyLock;

const CELLS: usize = 94;

/// A set of planes. Its tables are read at the first look-up.
pub(crate) struct Planes {
    /// The numbers of the planes, and the texts of each, row by row; [`Text::NONE`] for an empty cell.
    texts: LazyLock<Vec<(u8, Vec<Text>)>>,
    /// Each text with its plane, row and cell, in order.
    codes: LazyLock<Vec<(Text, [u8; 3])>>,
}

/// The number of a plane, and its file: 94 rows of 94 texts, with the number of empty cells between tildes.
type Plane = (u8, File);

static CNS_11643_FILES: [Plane; 8] = [
    (1, file!("tables/cns_11643_1.txt")),
    (2, file!("tables/cns_11643_2.txt")),
    (3, file!("tables/cns_11643_3.txt")),
    (4, file!("tables/cns_11643_4.txt")),
    (5, file!("tables/cns_11643_5.txt")),
    (6, file!("tables/cns_11643_6.txt")),
    (7, file!("tables/cns_11643_7.txt")),
    (15, file!("tables/cns_11643_15.txt")),
];

static JIS_X_0213_FILES: [Plane; 2] = [
    (1, file!("tables/jis_x_0213_1.txt")),
    (2, file!("tables/jis_x_0213_2.txt")),
];

/// CNS 11643.
pub(crate) static CNS_11643: Planes = Planes {
    texts: LazyLock::new(|| read(&CNS_11643_FILES)),
    codes: LazyLock::new(|| CNS_11643.sorted()),
};

/// JIS X 0213, with the 25 codes that stand for two characters.
pub(crate) static JIS_X_0213: Planes = Planes {
    texts: LazyLock::new(|| read(&JIS_X_0213_FILES)),
    codes: LazyLock::new(|| JIS_X_0213.sorted()),
};

fn read(files: &'static [Plane]) -> Vec<(u8, Vec<Text>)> {
    let planes = files.iter();
    planes
        .map(|(plane, file)| (*plane, file.text().lines().flat_map(cells).collect()))
        .collect()
}

/// The cells of a row.
fn cells(row: &str) -> Vec<Text> {
    let mut cells = Vec::with_capacity(CELLS);
    for (at, part) in row.split('~').enumerate() {
        if at % 2 == 0 {
            cells.extend(texts_of(part));
        } else {
            let empty = part.parse().unwrap_or(0);
            cells.extend(std::iter::repeat_n(Text::NONE, empty));
        }
    }
    cells
}

impl Planes {
    fn sorted(&self) -> Vec<(Text, [u8; 3])> {
        let mut codes = Vec::new();
        for (plane, texts) in self.texts.iter() {
            for (at, &text) in texts.iter().enumerate() {
                let (row, cell) = (at / CELLS, at % CELLS);
                codes.push((text, [*plane, 0x21 + row as u8, 0x21 + cell as u8]));
            }
        }
        codes.retain(|(text, _)| !text.is_none());
        codes.sort_unstable();
        // One character of CNS 11643 is in two planes.
        codes.dedup_by_key(|(text, _)| *text);
        codes
    }

    /// The text of a plane at a row and a cell, both from 21 to 7E.
    pub(crate) fn text(&self, plane: u8, row: u8, cell: u8) -> Text {
        let place = |byte: u8| usize::from(byte).checked_sub(0x21).filter(|at| *at < CELLS);
        let known = self.texts.iter().find(|(known, _)| *known == plane);
        let found = known.zip(place(row).zip(place(cell)));
        let found = found.and_then(|((_, texts), (row, cell))| texts.get(row * CELLS + cell));
        found.copied().unwrap_or(Text::NONE)
    }

    /// Plane, row and cell of a character.
    pub(crate) fn code(&self, ch: char) -> Option<[u8; 3]> {
        self.code_of(ch.into())
    }

    /// Plane, row and cell of the character that `text` begins with, or of the first two if they have a code, and
    /// their length.
    pub(crate) fn longest_code(&self, text: &str) -> Option<([u8; 3], usize)> {
        let mut chars = text.chars();
        let first = chars.next()?;
        let pair = chars.next().and_then(|second| {
            let code = self.code_of(Text::of([first, second]))?;
            Some((code, first.len_utf8() + second.len_utf8()))
        });
        pair.or_else(|| Some((self.code(first)?, first.len_utf8())))
    }

    fn code_of(&self, text: Text) -> Option<[u8; 3]> {
        let at = self.codes.binary_search_by_key(&text, |(known, _)| *known);
        Some(self.codes[at.ok()?].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_whole() {
        for planes in [&CNS_11643, &JIS_X_0213] {
            for (plane, texts) in planes.texts.iter() {
                assert_eq!(texts.len(), CELLS * CELLS, "{plane}");
            }
        }
        let single = |planes: &Planes, plane, row, cell| planes.text(plane, row, cell).single();
        assert_eq!(single(&CNS_11643, 1, 0x44, 0x21), Some('一'));
        assert_eq!(CNS_11643.code('一'), Some([1, 0x44, 0x21]));
        assert_eq!(single(&JIS_X_0213, 2, 0x21, 0x21), Some('\u{20089}'));
        let pairs = JIS_X_0213.codes.iter();
        assert_eq!(
            pairs.filter(|(text, _)| text.single().is_none()).count(),
            25
        );
        assert_eq!(
            JIS_X_0213.longest_code("か\u{309A}x"),
            Some(([1, 0x24, 0x77], 6))
        );
        assert_eq!(JIS_X_0213.longest_code("かx"), Some(([1, 0x24, 0x2B], 3)));
        assert_eq!(JIS_X_0213.code('亜'), Some([1, 0x30, 0x21]));
    }
}
