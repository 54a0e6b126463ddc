use super::*;

const FOLDED: Layer = Layer::Folded;

#[test]
fn folds_vanish() {
    for (encoded, expected) in [
        (
            "URL:http://\r\n example.org\r\nX:",
            "URL:http://example.org\r\nX:",
        ),
        ("a\n\tb\n  c", "ab c"),
        ("a\rb\r b", "a\rb\r b"),
        ("a\n\n b", "a\nb"),
        ("\r\n \r\n b", "b"),
        ("a\n", "a\n"),
    ] {
        let decoded = FOLDED.decode(encoded.as_bytes());
        assert_eq!(decoded.bytes(), expected.as_bytes(), "{encoded:?}");
        check_positions(&decoded, encoded.as_bytes());
    }
    // A fold in the midst of a character.
    assert_eq!(FOLDED.decode(b"\xC3\r\n \xA9").bytes(), "é".as_bytes());
}

#[test]
fn a_long_line_is_folded_between_characters() {
    let (a, e) = ("a".repeat(70), "é".repeat(4));
    let found = replaced(FOLDED, &format!("X:\n\tY\n{a}1"), "1", &e);
    assert_eq!(found, format!("X:\n\tY\n{a}éé\n\téé"));
    let found = replaced(FOLDED, &format!("{a}1"), "1", "12345");
    assert_eq!(found, format!("{a}12345"));
}

#[test]
fn a_change_makes_no_fold() {
    for (encoded, old, new, expected) in [
        ("a\nb c", "b", "", "a\n\n  c"),
        ("ab", "b", "\n c", "a\r\n c"),
    ] {
        let found = replaced(FOLDED, encoded, old, new);
        if !new.contains('\n') {
            assert_eq!(found, expected);
        }
    }
}

const PIECES: &[&str] = &[
    "\r\n ",
    "\n\t",
    "\r\n",
    "\n",
    "\r",
    " ",
    "\t",
    "URL:",
    "é",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
];

const LINES: &[&str] = &[
    "\r\n ",
    "\r\nURL:",
    "é",
    "ю",
    "\u{1F600}",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
];

const TEXT: &[&str] = &["é", "\u{1F600}", "b", "bbbbbbbbbbbbbbbbbbbbbbbbbbb", " "];

/// Changes that cut no character.
fn whole_chars<'c>(decoded: &Decoded<'_>, new: &'c [(usize, usize, Vec<u8>)]) -> Changes<'c> {
    let text = std::str::from_utf8(decoded.bytes()).expect("UTF-8");
    let mut changes = placed(new, text.as_bytes());
    changes.retain(|(range, _)| {
        text.is_char_boundary(range.start) && text.is_char_boundary(range.end)
    });
    changes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn positions_of_any_text(encoded in sloppy(PIECES, 30)) {
        check_positions(&FOLDED.decode(&encoded), &encoded);
    }

    #[test]
    fn changes_decode_to_what_was_asked(encoded in sloppy(PIECES, 30), new in new_bytes(PIECES)) {
        let decoded = FOLDED.decode(&encoded).bytes().to_vec();
        changed_bytes(FOLDED, &encoded, &placed(&new, &decoded));
    }

    #[test]
    fn no_line_is_too_long(encoded in sloppy(LINES, 20), new in new_bytes(TEXT)) {
        let out = changed_bytes(FOLDED, &encoded, &whole_chars(&FOLDED.decode(&encoded), &new));
        let before = longest_line(&encoded);
        // A line that stays as it was cannot be cut, and a fold in front of it makes it longer.
        let limit = if before < 75 { 75 } else { before + 1 };
        prop_assert!(longest_line(&out) <= limit, "{}", out.escape_ascii());
    }

    #[test]
    fn folds_cut_no_character(encoded in sloppy(LINES, 20), new in new_bytes(TEXT)) {
        let out = changed_bytes(FOLDED, &encoded, &whole_chars(&FOLDED.decode(&encoded), &new));
        prop_assert!(String::from_utf8(out).is_ok());
    }
}
