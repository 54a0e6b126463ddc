//! Generators that the tests share.

mod byte_sequences;
mod codecs;
mod mapped;
mod positions;
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
    Charset::all()
        .filter_map(|charset| Some((charset, Encoding::for_label(charset.name().as_bytes())?)))
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
        "[a-z@\\[\\]~ ]{1,4}".prop_map(String::into_bytes),
        any::<char>().prop_map(|ch| ch.to_string().into_bytes()),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}
