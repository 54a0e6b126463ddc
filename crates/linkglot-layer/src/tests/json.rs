use super::*;

const JSON: Layer = Layer::JsonString;

#[test]
fn escapes_stand_for_characters() {
    for (encoded, expected) in [
        (r"http:\/\/a.example\/", "http://a.example/"),
        (r"caf\u00e9 \ud83d\ude00", "café 😀"),
        (r#"\"\\\b\f\n\r\t"#, "\"\\\x08\x0C\n\r\t"),
        // Malformed escapes stand for themselves.
        (r"\u00g9 \x \ud83d \ude00\", r"\u00g9 \x \ud83d \ude00\"),
        (r"\ud83d\u0041", r"\ud83dA"),
    ] {
        let decoded = JSON.decode(encoded.as_bytes());
        assert_eq!(decoded.bytes(), expected.as_bytes(), "{encoded}");
        check_positions(&decoded, encoded.as_bytes());
    }
}

#[test]
fn new_text_has_the_style_of_the_string() {
    for (encoded, old, new, expected) in [
        (
            r"http:\/\/old\/caf\u00E9",
            "old",
            "new/é",
            r"http:\/\/new\/\u00E9\/caf\u00E9",
        ),
        (
            r"http://old/caf\u00e9",
            "café",
            "ж😀",
            r"http://old/\u0436\ud83d\ude00",
        ),
        ("http://old/é", "old", "neu/ü", "http://neu/ü/é"),
        ("http://old/", "old", "a\"b\\c\n", r#"http://a\"b\\c\n/"#),
    ] {
        assert_eq!(replaced(JSON, encoded, old, new), expected);
    }
}

#[test]
fn malformed_strings_are_left() {
    for encoded in [r"old \x", r"old \ud83d", "old\n", "old \"", r"old\"] {
        let decoded = JSON.decode(encoded.as_bytes());
        assert!(!decoded.is_writable(), "{encoded}");
        let answer = decoded.edits().replace(0..3, b"new", &mut Vec::new());
        assert_eq!(answer, Err(Unencodable), "{encoded}");
    }
}

/// A JSON string in a message, in two layers.
#[test]
fn a_string_stands_in_a_transfer_encoding() {
    let body = Layer::QuotedPrintable.decode(b"{\"a\":\"http:=5C/\\/old=\r\n\\/\"}");
    let range = 6..20;
    let string = JSON.decode(&body.bytes()[range.clone()]);
    assert_eq!(string.bytes(), b"http://old/");
    let (mut out, mut writer) = (Vec::new(), body.edits());
    for edit in edits(&string, &vec![(7..10, b"new/x")]) {
        let outer = edit.range.start + range.start..edit.range.end + range.start;
        assert_eq!(writer.replace(outer, &edit.bytes, &mut out), Ok(()));
    }
    writer.finish(&mut out);
    let new = applied(b"{\"a\":\"http:=5C/\\/old=\r\n\\/\"}", &out);
    assert_eq!(new, b"{\"a\":\"http:=5C/\\/new\\/x=\r\n\\/\"}");
}

const PIECES: &[&str] = &[
    "a",
    "/",
    r"\/",
    r"\u00e9",
    r"\u00E9",
    r"\ud83d\ude00",
    "é",
    "😀",
    r"\n",
    r"\\",
    r#"\""#,
    r"\u0000",
];
const SLOPPY: &[&str] = &[
    "a", "\\", "\\u", "00e9", r"\ud83d", r"\ude00", "\"", "\n", "é", "/",
];
const NEW: &[&str] = &["b", "/", "é", "😀", "\"", "\\", "\n", "\0", "u00e9"];

proptest! {
    #[test]
    fn positions_of_any_bytes(encoded in sloppy(SLOPPY, 24)) {
        check_positions(&JSON.decode(&encoded), &encoded);
    }

    #[test]
    fn edits_decode_to_what_was_asked(
        encoded in sloppy(PIECES, 16),
        shares in new_bytes(NEW),
    ) {
        let decoded = JSON.decode(&encoded);
        let text = std::str::from_utf8(decoded.bytes()).expect("whole characters");
        let changes = placed(&shares, decoded.bytes());
        let are_whole = changes.iter().all(|(range, _)| {
            text.is_char_boundary(range.start) && text.is_char_boundary(range.end)
        });
        if are_whole {
            changed_bytes(JSON, &encoded, &changes);
        }
    }
}
