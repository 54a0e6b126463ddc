//! The single-byte charsets beyond the Encoding Standard, from the rows of `tables/single_bytes.tsv`.

use crate::byte_table::ByteTable;
use crate::codec::{Codec, Spec};
use crate::row::{FILE, Row};
use crate::single::Single;
use crate::table::rows;
use std::sync::LazyLock;

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
            let chars = Row::new(base, codes).chars();
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
