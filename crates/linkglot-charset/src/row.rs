//! Tables of single-byte charsets: the rows of `tables/single_bytes.tsv`.

use crate::table::{each_code, rows};

pub(crate) static FILE: &str = include_str!("../tables/single_bytes.tsv");

/// The table of a charset: the table of another charset, and the bytes that differ.
#[derive(Clone, Copy)]
pub(crate) struct Row {
    base: &'static str,
    codes: &'static str,
}

impl Row {
    pub(crate) fn new(base: &'static str, codes: &'static str) -> Self {
        Row { base, codes }
    }

    /// The characters of the 256 bytes; U+FFFD for a byte that has none.
    pub(crate) fn chars(self) -> [char; 256] {
        let mut chars = self.base_chars();
        each_code(self.codes, |code, text| {
            if let [byte] = *code {
                chars[usize::from(byte)] = text.first();
            }
        });
        chars
    }

    fn base_chars(self) -> [char; 256] {
        let byte_chars = |last: u8| {
            std::array::from_fn(|at| match u8::try_from(at) {
                Ok(byte) if byte <= last => byte.into(),
                _ => char::REPLACEMENT_CHARACTER,
            })
        };
        match self.base {
            "latin" => byte_chars(0xFF),
            "ascii" => byte_chars(0x7F),
            // This recursion ends: tables.py writes a charset after its base.
            name => rows::<6>(FILE).find(|row| row[0] == name).map_or_else(
                || byte_chars(0x7F),
                |[.., base, codes]| Row { base, codes }.chars(),
            ),
        }
    }
}
