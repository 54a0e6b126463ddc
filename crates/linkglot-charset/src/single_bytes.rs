//! The single-byte charsets beyond the Encoding Standard, from the rows of `tables/single_bytes.tsv`.

use crate::byte_table::ByteTable;
use crate::codec::{Codec, Spec};
use crate::single::Single;
use crate::table::{each_code, rows};
use std::sync::LazyLock;

static FILE: &str = include_str!("../tables/single_bytes.tsv");

/// The charsets, in the order of the file.
pub(crate) static ALL: LazyLock<Vec<Spec>> = LazyLock::new(|| {
    let specs = CODECS.iter().map(|(name, codec)| Spec {
        name,
        labels: "",
        is_unicode: false,
        codec: codec.as_ref(),
    });
    specs.collect()
});

static CODECS: LazyLock<Vec<(&'static str, Box<dyn Codec>)>> = LazyLock::new(|| {
    let codecs = rows::<6>(FILE).map(|[name, reading, .., base, codes]| {
        let row = Row::new(base, codes);
        let codec: Box<dyn Codec> = match reading {
            "as-is" => Box::new(Single::of_row(row)),
            _ => Box::new(ByteTable::of_row(row)),
        };
        (name, codec)
    });
    codecs.collect()
});

/// The table of a charset: that of another one, and the bytes that differ.
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
            // tables.py writes a charset after its base: this ends.
            name => rows::<6>(FILE).find(|row| row[0] == name).map_or_else(
                || byte_chars(0x7F),
                |[.., base, codes]| Row { base, codes }.chars(),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Charset;

    #[test]
    fn rows_follow_their_bases() {
        let names: Vec<&str> = rows::<6>(FILE).map(|[name, ..]| name).collect();
        for (at, [name, .., base, _]) in rows::<6>(FILE).enumerate() {
            let before = &names[..at];
            assert!(
                ["ascii", "latin"].contains(&base) || before.contains(&base),
                "{name}"
            );
            assert!(!before.contains(&name), "{name} twice");
        }
    }

    #[test]
    fn readings_are_those_of_the_tables() {
        for [name, reading, .., base, codes] in rows::<6>(FILE) {
            let chars = Row { base, codes }.chars();
            let is_superset = (0..=u8::MAX).zip(chars).all(|(byte, ch)| {
                if byte.is_ascii() {
                    ch == char::from(byte)
                } else {
                    !ch.is_ascii()
                }
            });
            assert_eq!(is_superset, reading == "as-is", "{name}");
            let charset = Charset::for_label(name).unwrap();
            assert_eq!(charset.is_ascii_compatible(), is_superset, "{name}");
        }
    }
}
