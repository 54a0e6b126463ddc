//! Character sets of planes, each with 94 rows of 94 characters: CNS 11643 of Taiwan and JIS X 0213
//! of Japan.

use crate::{cns_planes, cns_rare_planes, jis_planes};
use std::sync::LazyLock;

const CELLS: usize = 94;

/// A set of planes. Its tables are read at the first look-up.
pub(crate) struct Planes {
    /// The numbers of the planes, and the characters of each, row by row; U+FFFD where there is none.
    chars: LazyLock<Vec<(u8, Vec<char>)>>,
    /// Each character with its plane, row and cell, in order.
    codes: LazyLock<Vec<(char, [u8; 3])>>,
}

/// CNS 11643.
pub(crate) static CNS_11643: Planes = Planes {
    chars: LazyLock::new(|| {
        read(&[
            (1, cns_planes::PLANE_1),
            (2, cns_planes::PLANE_2),
            (3, cns_rare_planes::PLANE_3),
            (4, cns_rare_planes::PLANE_4),
            (5, cns_rare_planes::PLANE_5),
            (6, cns_rare_planes::PLANE_6),
            (7, cns_rare_planes::PLANE_7),
            (15, cns_rare_planes::PLANE_15),
        ])
    }),
    codes: LazyLock::new(|| CNS_11643.sorted()),
};

/// JIS X 0213, without the 25 characters that Unicode writes as two.
pub(crate) static JIS_X_0213: Planes = Planes {
    chars: LazyLock::new(|| read(&[(1, jis_planes::PLANE_1), (2, jis_planes::PLANE_2)])),
    codes: LazyLock::new(|| JIS_X_0213.sorted()),
};

fn read(tables: &[(u8, &str)]) -> Vec<(u8, Vec<char>)> {
    let planes = tables.iter();
    planes
        .map(|(plane, table)| (*plane, cells(table)))
        .collect()
}

/// The cells of a table: characters, and numbers of empty cells between tildes.
fn cells(table: &str) -> Vec<char> {
    let mut cells = Vec::with_capacity(CELLS * CELLS);
    for (at, part) in table.split('~').enumerate() {
        if at % 2 == 0 {
            cells.extend(part.chars());
        } else {
            let empty = part.parse().unwrap_or(0);
            cells.extend(std::iter::repeat_n(char::REPLACEMENT_CHARACTER, empty));
        }
    }
    cells
}

impl Planes {
    fn sorted(&self) -> Vec<(char, [u8; 3])> {
        let mut codes = Vec::new();
        for (plane, chars) in self.chars.iter() {
            for (at, &ch) in chars.iter().enumerate() {
                let (row, cell) = (at / CELLS, at % CELLS);
                codes.push((ch, [*plane, 0x21 + row as u8, 0x21 + cell as u8]));
            }
        }
        codes.retain(|(ch, _)| *ch != char::REPLACEMENT_CHARACTER);
        codes.sort_unstable();
        // One character of CNS 11643 is in two planes.
        codes.dedup_by_key(|(ch, _)| *ch);
        codes
    }

    /// The character of a plane at a row and a cell, both from 21 to 7E.
    pub(crate) fn char(&self, plane: u8, row: u8, cell: u8) -> char {
        let place = |byte: u8| usize::from(byte).checked_sub(0x21).filter(|at| *at < CELLS);
        let known = self.chars.iter().find(|(known, _)| *known == plane);
        let found = known.zip(place(row).zip(place(cell)));
        let found = found.and_then(|((_, chars), (row, cell))| chars.get(row * CELLS + cell));
        found.copied().unwrap_or(char::REPLACEMENT_CHARACTER)
    }

    /// Plane, row and cell of a character.
    pub(crate) fn code(&self, ch: char) -> Option<[u8; 3]> {
        let at = self.codes.binary_search_by_key(&ch, |(known, _)| *known);
        Some(self.codes[at.ok()?].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_whole() {
        for planes in [&CNS_11643, &JIS_X_0213] {
            for (_, chars) in planes.chars.iter() {
                assert_eq!(chars.len(), CELLS * CELLS);
            }
        }
        assert_eq!(CNS_11643.char(1, 0x44, 0x21), '一');
        assert_eq!(CNS_11643.code('一'), Some([1, 0x44, 0x21]));
        assert_eq!(JIS_X_0213.char(2, 0x21, 0x21), '\u{20089}');
        assert_eq!(JIS_X_0213.code('亜'), Some([1, 0x30, 0x21]));
    }
}
