use super::*;

const BASE64: Layer = Layer::Base64;

/// An encoder of our own, with lines of `line` characters.
pub(super) fn encoded(bytes: &[u8], line: usize, line_break: &str) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for group in bytes.chunks(3) {
        let bits = group
            .iter()
            .fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte));
        let bits = bits << (8 * (3 - group.len()));
        for at in 0..4 {
            if at <= group.len() {
                out.push(char::from(ALPHABET[(bits >> (18 - 6 * at) & 63) as usize]))
            } else {
                out.push('=')
            }
        }
    }
    let lines = out.as_bytes().chunks(line);
    lines
        .map(|line| String::from_utf8_lossy(line).into_owned() + line_break)
        .collect()
}

/// Decodes like CPython's `binascii.a2b_base64`, but without its error for an incomplete group.
fn reference(encoded: &[u8]) -> Vec<u8> {
    let (mut out, mut bits, mut filled, mut padding) = (Vec::new(), 0_u32, 0, 0);
    for &byte in encoded {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' if filled >= 2 => {
                padding += 1;
                if filled + padding >= 4 {
                    return out;
                }
                continue;
            }
            _ => continue,
        };
        padding = 0;
        bits = bits << 6 | u32::from(value);
        filled = (filled + 1) % 4;
        match filled {
            2 => out.push((bits >> 4) as u8),
            3 => out.push((bits >> 2) as u8),
            0 => out.push(bits as u8),
            _ => {}
        }
    }
    out
}

#[test]
fn decodes_as_cpython_does() {
    for (encoded, expected) in [
        ("YWJj", "abc"),
        ("YWI=", "ab"),
        ("YQ==", "a"),
        ("YQ", "a"),
        ("YWJ", "ab"),
        ("YWJjZ", "abc"),
        ("YR==", "a"),
        ("Y W\r\nJ\tj!", "abc"),
        ("YQ==YWJj", "a"),
        ("YQ=YWJj", "a\u{6}\u{16}&0"),
        ("=YWJj", "abc"),
        ("YWJj=ZGVm", "abcdef"),
        ("YWJj\r\n\r\nZGVm\r\n", "abcdef"),
        ("YWJj\nZGVmZ2hp\nag==", "abcdefghij"),
        ("", ""),
        ("\r\n", ""),
    ] {
        let decoded = BASE64.decode(encoded.as_bytes());
        assert_eq!(
            decoded.bytes(),
            reference(encoded.as_bytes()),
            "{encoded:?}"
        );
        if !expected.contains('\u{6}') {
            assert_eq!(decoded.bytes(), expected.as_bytes(), "{encoded:?}");
        }
        check_positions(&decoded, encoded.as_bytes());
    }
}

#[test]
fn only_changed_groups_are_written() {
    let text = "http://old.example/ and so on and on";
    for (old, new, count) in [("old", "new", 3..=8), ("old", "newnew", 7..=12)] {
        let body = encoded(text.as_bytes(), 16, "\r\n");
        let decoded = BASE64.decode(body.as_bytes());
        let at = text.find(old).expect("the old text");
        let edits = edits(&decoded, &vec![(at..at + 3, new.as_bytes())]);
        assert_eq!(edits.len(), 1);
        let written = edits[0]
            .bytes
            .iter()
            .filter(|byte| byte.is_ascii_alphanumeric())
            .count();
        assert!(count.contains(&written), "{edits:?}");
        replaced(BASE64, &body, old, new);
    }
}

#[test]
fn a_shift_goes_on_to_the_change_that_undoes_it() {
    let text = "0123456789".repeat(10);
    let body = encoded(text.as_bytes(), 76, "\n");
    let decoded = BASE64.decode(body.as_bytes());
    let found = edits(&decoded, &vec![(10..11, b"ab"), (50..51, b"")]);
    assert_eq!(
        found.iter().map(|edit| edit.number).collect::<Vec<_>>(),
        [0, 1]
    );
    assert_eq!(found[0].range.start, 12);
    // Bytes 51 and 52 belong to the group that was changed last.
    assert_eq!(found[1].range.end, 68);
    let found = edits(&decoded, &vec![(10..11, b"ab")]);
    assert_eq!(found[0].range, 12..body.len() - 1);
}

#[test]
fn lines_have_the_length_of_the_body() {
    let text = "0123456789".repeat(30);
    let body = encoded(text.as_bytes(), 64, "\r\n");
    let out = replaced(BASE64, &body, "9", "x");
    assert_eq!(out.len(), body.len());
    let out = replaced(BASE64, &body, "9", "xyz");
    assert_eq!(
        out,
        encoded(text.replacen('9', "xyz", 1).as_bytes(), 64, "\r\n")
    );
    let out = replaced(BASE64, &body, "9", &"x".repeat(100));
    assert_eq!(longest_line(out.as_bytes()), 64);
    assert!(out.ends_with(&body[body.len() - 200..]));
}

#[test]
fn padded_bodies_grow_at_their_ends() {
    for (body, new, expected) in [
        ("YQ==\n", "b", "YWI=\n"),
        ("YQ==\n", "bc", "YWJj\n"),
        ("YQ==", "bcd", "YWJjZA=="),
        // Unread characters must not become text.
        ("YQ==ZZZZ!", "bc", "YWJj!"),
        ("YQ==ZZZZ!", "b", "YWI=ZZZZ!"),
        ("", "a", "YQ=="),
        ("YWJjZ", "d", "YWJjZA=="),
    ] {
        let len = BASE64.decode(body.as_bytes()).bytes().len();
        let out = changed_bytes(BASE64, body.as_bytes(), &vec![(len..len, new.as_bytes())]);
        assert_eq!(String::from_utf8_lossy(&out), expected);
    }
}

const PIECES: &[&str] = &[
    "YWJj",
    "Zm9v",
    "Q",
    "R",
    "+",
    "/",
    "=",
    "==",
    "\r\n",
    "\n",
    "!",
    " ",
    "\u{e9}",
    "-",
    "YWJjYWJjYWJjYWJjYWJjYWJjYWJjYWJjYWJjYWJj",
];

const NEW: &[&str] = &[
    "a",
    "b",
    "cde",
    "\u{e9}",
    "http://example.org/aaaaaaaaaaaaaaaaaaaaaaaaaaaa",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_body_is_read_as_the_reference_does(encoded in sloppy(PIECES, 30)) {
        let decoded = BASE64.decode(&encoded);
        prop_assert_eq!(decoded.bytes(), reference(&encoded));
        check_positions(&decoded, &encoded);
    }

    #[test]
    fn any_bytes_are_read_in_lines(
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        line in 1..90_usize,
        line_break in prop::sample::select(&["\r\n", "\n"][..]),
    ) {
        let body = encoded(&bytes, line, line_break);
        let decoded = BASE64.decode(body.as_bytes());
        prop_assert_eq!(decoded.bytes(), &bytes[..]);
        check_positions(&decoded, body.as_bytes());
    }

    #[test]
    fn changes_decode_to_what_was_asked(encoded in sloppy(PIECES, 30), new in new_bytes(NEW)) {
        let decoded = BASE64.decode(&encoded).bytes().to_vec();
        changed_bytes(BASE64, &encoded, &placed(&new, &decoded));
    }

    #[test]
    fn lines_keep_their_length(
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        line in 1..30_usize,
        new in new_bytes(NEW),
    ) {
        let body = encoded(&bytes, 4 * line, "\n");
        let out = changed_bytes(BASE64, body.as_bytes(), &placed(&new, &bytes));
        let limit = if body.lines().count() > 1 { 4 * line } else { longest_line(body.as_bytes()).max(76) };
        prop_assert!(longest_line(&out) <= limit);
        prop_assert!(!out.windows(2).any(|pair| pair == b"\n\n"));
    }
}
