//! Generators that the tests share.

mod byte_sequences;
#[cfg(feature = "detect")]
mod cases;
mod codecs;
#[cfg(feature = "detect")]
mod detection;
mod guests;
mod mapped;
mod oracle;
mod positions;
#[cfg(feature = "detect")]
mod short_documents;
#[cfg(feature = "detect")]
mod short_words;
#[cfg(feature = "detect")]
mod sniff;
mod view;

use super::*;
use encoding_rs::Encoding;
use proptest::prelude::*;

/// The step of exhaustive loops: a debug build tests a sample, a release build everything.
const STEP: usize = if cfg!(debug_assertions) { 7 } else { 1 };

/// The charsets that `encoding_rs` has as well.
fn shared() -> impl Iterator<Item = (Charset, &'static Encoding)> {
    let of_name = |name: &str| {
        // `encoding_rs` has labels, but no name, for charsets that browsers refuse.
        let encoding = Encoding::for_label(name.as_bytes());
        encoding.filter(|encoding| encoding.name() == name)
    };
    Charset::all().filter_map(move |charset| Some((charset, of_name(charset.name())?)))
}

fn any_charset() -> impl Strategy<Value = (Charset, &'static Encoding)> {
    proptest::sample::select(shared().collect::<Vec<_>>())
}

/// Bytes that are often parts of multi-byte, shift and surrogate sequences.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        any::<u8>().prop_map(|byte| vec![byte]),
        (0x81..=0xFEu8, 0x30..=0xFEu8).prop_map(|(a, b)| vec![a, b]),
        (0x81..=0xFEu8, 0x30..=0x39u8, 0x81..=0xFEu8, 0x30..=0x39u8)
            .prop_map(|(a, b, c, d)| vec![a, b, c, d]),
        (0xD8..=0xDFu8, any::<u8>()).prop_map(|(a, b)| vec![a, b]),
        Just(b"\x1B(B".to_vec()),
        Just(b"\x1B(J".to_vec()),
        Just(b"\x1B(I".to_vec()),
        Just(b"\x1B$B".to_vec()),
        Just(b"\x1B$".to_vec()),
        Just(vec![0x8F, 0xA2]),
        Just(vec![0x0E, 0x45, 0x88, 0x0F]),
        // Codes of two characters in JIS X 0213, in TSCII and in Big5; accents of T.61.
        prop::sample::select(vec![
            [0xA4, 0xF7],
            [0x82, 0xF5],
            [0xA6, 0xB8],
            [0x8A, 0xA4],
            [0x88, 0x62],
            [0xC1, b'A']
        ])
        .prop_map(Vec::from),
        prop::sample::select(vec![
            "\x1B$(D", "\x1B$(O", "\x1B$A", "\x1B.A", "~{", "~}", "~\n", "\x1B$)C", "\x1B$)A",
            "\x1B$)G", "\x1B$*H", "\x1BN", "\x1B$+I", "\x1BO", "\x0E", "\x0F", "+AOk-", "+", "-",
            "+2D3e", "Kdg"
        ])
        .prop_map(|shift| shift.as_bytes().to_vec()),
        Just(vec![0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80]),
        (0x21..=0x7Eu8, 0x21..=0x7Eu8).prop_map(|(a, b)| vec![a, b]),
        "[a-z@\\[\\]~ ]{1,4}".prop_map(String::into_bytes),
        any::<char>().prop_map(|ch| ch.to_string().into_bytes()),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}
