//! CNS 11643, the character set of Taiwan: planes of 94 rows of 94 characters.

use crate::{cns_planes, cns_rare_planes};
use std::sync::LazyLock;

const CELLS: usize = 94;

/// The planes that are known, in the order of [`CHARS`].
const PLANES: [(u8, &str); 8] = [
    (1, cns_planes::PLANE_1),
    (2, cns_planes::PLANE_2),
    (3, cns_rare_planes::PLANE_3),
    (4, cns_rare_planes::PLANE_4),
    (5, cns_rare_planes::PLANE_5),
    (6, cns_rare_planes::PLANE_6),
    (7, cns_rare_planes::PLANE_7),
    (15, cns_rare_planes::PLANE_15),
];

/// The characters of each plane, row by row; U+FFFD where there is none.
static CHARS: LazyLock<Vec<Vec<char>>> =
    LazyLock::new(|| PLANES.iter().map(|(_, table)| cells(table)).collect());

/// Each character with its plane, row and cell, in order.
static CODES: LazyLock<Vec<(char, [u8; 3])>> = LazyLock::new(|| {
    let mut codes = Vec::new();
    for ((plane, _), chars) in PLANES.iter().zip(CHARS.iter()) {
        for (at, &ch) in chars.iter().enumerate() {
            let (row, cell) = (at / CELLS, at % CELLS);
            codes.push((ch, [*plane, 0x21 + row as u8, 0x21 + cell as u8]));
        }
    }
    codes.retain(|(ch, _)| *ch != char::REPLACEMENT_CHARACTER);
    codes.sort_unstable();
    // One character is in two planes.
    codes.dedup_by_key(|(ch, _)| *ch);
    codes
});

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

/// The character of a plane at a row and a cell, both from 21 to 7E.
pub(crate) fn char(plane: u8, row: u8, cell: u8) -> char {
    let place = |byte: u8| usize::from(byte).checked_sub(0x21).filter(|at| *at < CELLS);
    let known = PLANES.iter().position(|(known, _)| *known == plane);
    let found = known.zip(place(row).zip(place(cell)));
    let found = found.and_then(|(plane, (row, cell))| CHARS[plane].get(row * CELLS + cell));
    found.copied().unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// Plane, row and cell of a character.
pub(crate) fn code(ch: char) -> Option<[u8; 3]> {
    let at = CODES.binary_search_by_key(&ch, |(known, _)| *known).ok()?;
    Some(CODES[at].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_whole() {
        for chars in CHARS.iter() {
            assert_eq!(chars.len(), CELLS * CELLS);
        }
        assert_eq!(char(1, 0x44, 0x21), '一');
        assert_eq!(code('一'), Some([1, 0x44, 0x21]));
    }
}
