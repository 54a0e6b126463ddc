//! The positions of characters, against a decoder that is fed byte by byte.

use super::super::*;
use super::{STEP, any_charset, bytes, shared};
use crate::span::TextSpan;
use encoding_rs::{DecoderResult, Encoding};
use proptest::prelude::*;

/// The length of the first sequence for a fresh decoder that is fed byte by byte.
fn sequence(encoding: &'static Encoding, bytes: &[u8]) -> usize {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let (mut at, mut text) = (0, [0; 16]);
    loop {
        let next = bytes.len().min(at + 1);
        let last = at == bytes.len();
        let (result, read, written) =
            decoder.decode_to_utf8_without_replacement(&bytes[at..next], &mut text, last);
        at += read;
        match result {
            DecoderResult::Malformed(_, after) => return at - usize::from(after),
            _ if written > 0 || last => return at,
            _ => {}
        }
    }
}

/// The begins of sequences, and the end, where the decoder starts fresh at each. The document goes on behind the bytes.
fn boundaries(encoding: &'static Encoding, bytes: &[u8]) -> Vec<usize> {
    let open = [bytes, b"\n"].concat();
    let mut ends = vec![0];
    let mut end = 0;
    while end < bytes.len() {
        end += sequence(encoding, &open[end..]);
        ends.push(end);
    }
    ends
}

fn check(charset: Charset, encoding: &'static Encoding, bytes: &[u8]) {
    let expected = boundaries(encoding, bytes);
    let mapped = charset.decode_mapped(bytes);
    let mut ends: Vec<usize> = mapped
        .text()
        .char_indices()
        .map(|(at, ch)| mapped.source(TextSpan::new(at, at + ch.len_utf8())).end)
        .collect();
    ends.insert(0, 0);
    ends.dedup();
    assert_eq!(ends, expected, "{charset:?} {bytes:02X?}");
    for at in 0..bytes.len() {
        let is_char = bytes[at].is_ascii() && expected.contains(&at);
        let found = charset.is_char_at(bytes, at);
        assert_eq!(found, is_char, "{charset:?} {bytes:02X?} {at}");
        let from = charset.resync(bytes, at);
        assert!(
            from <= at && expected.contains(&from),
            "{charset:?} {bytes:02X?} {at} {from}"
        );
        if crate::ascii::is_safe(bytes[at]) {
            assert_eq!(charset.resync(bytes, at + 1), at + 1);
            assert!(found);
        }
    }
}

fn scanned() -> impl Iterator<Item = (Charset, &'static Encoding)> {
    shared().filter(|(charset, _)| charset.is_ascii_compatible())
}

#[test]
fn every_pair_of_bytes_before_and_behind_a_letter() {
    for (charset, encoding) in scanned().filter(|(_, encoding)| !encoding.is_single_byte()) {
        for pair in (0x8000..=u16::MAX).step_by(STEP).map(u16::to_be_bytes) {
            check(charset, encoding, &[pair[0], pair[1], b'a']);
        }
    }
}

#[test]
fn a_safe_byte_is_never_swallowed() {
    for (charset, encoding) in scanned() {
        for before in (0x80..=0xFF).step_by(STEP) {
            for safe in (0..0x80).filter(|&byte| crate::ascii::is_safe(byte)) {
                check(charset, encoding, &[before, safe]);
                check(charset, encoding, &[before, b'0', before, safe]);
            }
        }
    }
}

#[test]
fn every_byte_that_always_ends_a_sequence_is_used() {
    for (charset, encoding) in scanned() {
        for byte in (0..=u8::MAX).step_by(STEP) {
            let is_fresh = charset.resync(&[byte], 1) == 1;
            let swallows = (0..=u8::MAX).any(|trail| sequence(encoding, &[byte, trail]) > 1);
            let is_swallowed = (0..=u8::MAX).any(|lead| {
                sequence(encoding, &[lead, byte]) == 2
                    || sequence(encoding, &[lead, byte, 0x81, b'0']) == 4
                    || sequence(encoding, &[lead, 0xA1, byte]) == 3
            });
            if charset != Charset::UTF_8 && !encoding.is_single_byte() && is_fresh {
                assert!(!swallows, "{charset:?} {byte:02X}");
            }
            // A byte that is always a sequence of its own must be used.
            if !swallows && !is_swallowed {
                assert!(is_fresh, "{charset:?} {byte:02X}");
            }
        }
    }
}

#[test]
fn windows_without_a_safe_byte() {
    for (charset, _) in scanned() {
        let window = b"\x81@".repeat(2_000);
        let chars = (0..window.len())
            .filter(|&at| charset.is_char_at(&window, at))
            .count();
        assert!(chars == 0 || chars == 2_000, "{charset:?} {chars}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_bytes((charset, encoding) in any_charset(), bytes in bytes()) {
        if charset.is_ascii_compatible() {
            check(charset, encoding, &bytes);
        }
    }

    #[test]
    fn a_stream_emits_each_character_at_its_end(
        (charset, encoding) in any_charset(),
        bytes in bytes(),
    ) {
        // A stream emits the rest of a malformed sequence late; `any_bytes` covers those.
        if matches!(charset.name(), "GBK" | "gb18030" | "replacement") {
            return Ok(());
        }
        let mapped = charset.decode_mapped(&bytes);
        let mut decoder = encoding.new_decoder_without_bom_handling();
        let mut seen = String::new();
        for end in 1..=bytes.len() {
            let mut buffer = [0; 32];
            let (.., written, _) = decoder.decode_to_utf8(&bytes[end - 1..end], &mut buffer, false);
            let from = seen.len();
            seen.push_str(std::str::from_utf8(&buffer[..written]).unwrap());
            for (at, ch) in seen[from..].char_indices() {
                let at = from + at;
                if ch != char::REPLACEMENT_CHARACTER {
                    let place = mapped.source(TextSpan::new(at, at + ch.len_utf8()));
                    // A broken escape sequence holds a character back for a byte.
                    let is_held = bytes[..end].iter().rev().take(3).any(|&byte| byte == 0x1B);
                    let fits = place.end == end || is_held && place.end + 1 == end;
                    prop_assert!(fits, "{:?} {:02X?} {} {}", charset, &bytes, place.end, end);
                }
            }
        }
    }

    #[test]
    fn encode_names_the_first_character_that_it_lacks(
        (charset, _) in any_charset(),
        text in "[a-z@~¥éßяあ漢한ệ😀\u{300}]{0,8}",
    ) {
        let mut out = b"before".to_vec();
        let first = text.char_indices().find(|&(_, ch)| !charset.can_encode(ch));
        prop_assert_eq!(charset.encode(&text, &mut out).err(), first.map(|(at, _)| at));
        if first.is_some() {
            prop_assert_eq!(&out, b"before");
        } else if charset.name() != "windows-1258" {
            prop_assert_eq!(charset.decode(&out[6..]), text);
        }
    }
}
