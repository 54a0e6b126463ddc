//! Every charset against `encoding_rs`.

use super::super::*;
use super::{STEP, any_charset, bytes, shared};
use crate::span::TextSpan;
use encoding_rs::Encoding;
use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;

fn reference(encoding: &'static Encoding, bytes: &[u8]) -> String {
    if encoding == encoding_rs::REPLACEMENT {
        return if bytes.is_empty() { "" } else { "\u{FFFD}" }.to_owned();
    }
    if encoding.is_single_byte() || !matches!(encoding.name(), "GBK" | "gb18030") {
        return encoding.decode_without_bom_handling(bytes).0.into_owned();
    }
    // Bytes are a part of a document, which goes on.
    let closed = [bytes, b"\n"].concat();
    let text = encoding.decode_without_bom_handling(&closed).0;
    text.strip_suffix('\n').expect("a line feed").to_owned()
}

/// With and without positions, the text is that of `encoding_rs`; the positions have no gap.
fn check_decoding(charset: Charset, encoding: &'static Encoding, bytes: &[u8]) {
    let expected = reference(encoding, bytes);
    assert_eq!(charset.decode(bytes), expected, "{charset:?} {bytes:02X?}");
    let mapped = charset.decode_mapped(bytes);
    assert_eq!(mapped.text(), expected, "{charset:?} {bytes:02X?} mapped");
    check_positions(charset, bytes, &mapped);
}

fn check_positions(charset: Charset, bytes: &[u8], mapped: &MappedText<'_>) {
    let mut before = 0..0;
    for (at, ch) in mapped.text().char_indices() {
        let place = mapped.source(TextSpan::new(at, at + ch.len_utf8()));
        // The two characters of a sequence of Big5 share a position.
        let fits = place.start == before.end || place == before;
        assert!(fits, "{charset:?} {bytes:02X?} {at} {place:?} {before:?}");
        assert!(place.end >= place.start && place.end <= bytes.len());
        before = place;
    }
}

#[test]
fn all_sequences_of_two_bytes_decode_as_in_encoding_rs() {
    for (charset, encoding) in shared() {
        for bytes in (0..=u16::MAX).step_by(STEP) {
            let [a, b] = bytes.to_be_bytes();
            if !charset.is_ascii_compatible() || encoding.is_single_byte() && b > 0 {
                continue;
            }
            check_decoding(charset, encoding, &[a, b]);
            check_decoding(charset, encoding, &[a, b, b'x']);
        }
    }
}

/// In each of the sets that are shifted in, and in UTF-16.
#[test]
fn all_sequences_of_two_bytes_decode_as_in_encoding_rs_when_transcoded() {
    let is_transcoded = |charset: Charset| !charset.is_ascii_compatible();
    for (charset, encoding) in shared().filter(|(charset, _)| is_transcoded(*charset)) {
        let shifts: &[&[u8]] = match charset.name() {
            "ISO-2022-JP" => &[b"", b"\x1B(J", b"\x1B(I", b"\x1B$B"],
            _ => &[b""],
        };
        for shift in shifts {
            for pair in (0..=u16::MAX).step_by(STEP).map(u16::to_be_bytes) {
                check_decoding(charset, encoding, &[shift, &pair[..]].concat());
            }
        }
    }
}

/// A pair that is half of a sequence of four bytes is an error and a digit, whatever ends the text.
#[test]
fn half_a_sequence_of_gb_18030_is_a_digit() {
    for label in ["gbk", "gb18030"] {
        let charset = Charset::for_label(label).unwrap();
        let encoding = Encoding::for_label(label.as_bytes()).unwrap();
        assert_eq!(charset.decode(b"\x810"), "\u{FFFD}0");
        assert_eq!(charset.decode(b"a\x810\x81"), "a\u{FFFD}0\u{FFFD}");
        let half = charset.decode_mapped(b"\x810");
        assert_eq!(half.source(TextSpan::new(3, 4)), 1..2);
        // Each class of bytes, and the ends of each.
        let edges = [
            0x00, 0x20, 0x22, 0x2F, 0x30, 0x35, 0x39, 0x3A, 0x40, 0x41, 0x7E, 0x7F, 0x80, 0x81,
            0x84, 0x8F, 0xA1, 0xB0, 0xE3, 0xFE, 0xFF,
        ];
        for first in 0..=0xFF {
            for second in 0..=0xFF {
                check_decoding(charset, encoding, &[first, second]);
                for third in edges {
                    check_decoding(charset, encoding, &[first, second, third]);
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn any_bytes_decode_as_in_encoding_rs((charset, encoding) in any_charset(), bytes in bytes()) {
        check_decoding(charset, encoding, &bytes);
    }
}

/// All characters that a charset has, and many more.
fn chars(charset: Charset) -> impl Iterator<Item = char> {
    let encoding = Encoding::for_label(charset.name().as_bytes());
    let (last, private) = match encoding {
        Some(encoding) if encoding.is_single_byte() => ('\u{3100}', '\u{F700}'),
        _ => ('\u{D7FF}', '\u{E000}'),
    };
    ('\0'..=last)
        .chain(private..='\u{FFFF}')
        .chain(('\u{1F100}'..='\u{2FA1F}').step_by(19))
}

/// The text encoded and decoded again; the text itself when it cannot be encoded.
fn round_trip(charset: Charset, text: &str, out: &mut Vec<u8>) -> String {
    out.clear();
    match charset.encode(text, out) {
        Ok(()) => charset.decode(out).into_owned(),
        Err(_) => text.to_owned(),
    }
}

#[test]
fn encoded_text_decodes_to_itself() {
    let mut out = Vec::new();
    for charset in Charset::all().filter(|charset| charset.name() != "windows-1258") {
        for ch in chars(charset).step_by(STEP) {
            let text = ch.to_string();
            assert_eq!(round_trip(charset, &text, &mut out), text, "{charset:?}");
        }
    }
}

#[test]
fn vietnamese_letters_decode_to_letter_and_tone_mark() {
    let charset = Charset::for_label("windows-1258").unwrap();
    let mut out = Vec::new();
    let mut apart = 0;
    for ch in chars(charset) {
        let back = round_trip(charset, &ch.to_string(), &mut out);
        assert!(back.nfc().eq([ch].into_iter().nfc()), "{ch:?} {back:?}");
        apart += usize::from(back.chars().count() == 2);
    }
    assert_eq!(apart, 174);
    assert_eq!(
        round_trip(charset, "Vi\u{1EC7}t", &mut out),
        "Vi\u{EA}\u{323}t"
    );
    assert_eq!(charset.encode("a\u{1EC7}\u{4E00}", &mut out), Err(4));
}

#[test]
fn only_inexact_encodings_of_encoding_rs_are_refused() {
    for (charset, encoding) in shared() {
        if encoding.output_encoding() != encoding {
            continue;
        }
        for ch in chars(charset).step_by(STEP) {
            if charset.can_encode(ch) || !whatwg::can_encode(encoding, ch) {
                continue;
            }
            let text = ch.to_string();
            let bytes = encoding.encode(&text).0;
            let back = encoding.decode_without_bom_handling(&bytes).0;
            assert_ne!(back, text, "{charset:?} {ch:?}");
        }
    }
}
