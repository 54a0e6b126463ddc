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
        ("a\rb\r b", "a\rbb"),
        ("a\n\n b", "ab"),
        ("a\r\r\n b\n\nc", "ab\n\nc"),
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

/// Soft line breaks are joined where the head of the line says quoted-printable.
#[test]
fn soft_breaks_vanish() {
    let quoted = "NOTE;ENCODING=QUOTED-PRINTABLE";
    for (encoded, expected) in [
        ("{}:a=\r\n b=\nc\nX:d=\ne", "{}:a bc\nX:d=\ne"),
        ("{}:a\n b=\n", "{}:ab"),
        ("{}:a==\r\nb", "{}:a=b"),
        (
            "N;A=\":\";\n QUOTED-PRINTABLE:a=\nb",
            "N;A=\":\";QUOTED-PRINTABLE:ab",
        ),
        (
            "N;A=\";QUOTED-PRINTABLE\":a=\nb",
            "N;A=\";QUOTED-PRINTABLE\":a=\nb",
        ),
        ("QUOTED-PRINTABLE=\n:a", "QUOTED-PRINTABLE=\n:a"),
    ] {
        let [encoded, expected] = [encoded, expected].map(|text| text.replace("{}", quoted));
        let decoded = FOLDED.decode(encoded.as_bytes());
        assert_eq!(decoded.bytes(), expected.as_bytes(), "{encoded:?}");
        check_positions(&decoded, encoded.as_bytes());
    }
}

#[test]
fn a_long_line_of_quoted_printable_is_broken_between_escapes() {
    let head = "N;QUOTED-PRINTABLE:";
    for fill in 51..56 {
        let before = format!("{head}{}1", "a".repeat(fill));
        let found = replaced(FOLDED, &before, "1", "=C3=A9");
        let (first, second) = found.split_once("=\r\n").expect("a soft break");
        assert!(
            first.len() < 75
                && first.starts_with(head)
                && !first.ends_with('=')
                && second.starts_with('='),
            "{found}"
        );
        let decoded = FOLDED.decode(found.as_bytes());
        assert_eq!(decoded.bytes(), before.replace('1', "=C3=A9").as_bytes());
    }
}

#[test]
fn the_last_line_that_ends() {
    for (lines, end) in [
        ("a\nb", Some(2)),
        ("a\nb\n", Some(2)),
        ("a\n b\r\nc\n d", Some(6)),
        ("a\n", None),
        ("a\nb\n\n", Some(2)),
        ("a\n\nb", Some(3)),
        ("a\n b", None),
        ("N;QUOTED-PRINTABLE:a=\nb", None),
        ("a\r\nb", Some(3)),
    ] {
        assert_eq!(content_lines_end(lines.as_bytes()), end, "{lines:?}");
    }
}

#[test]
fn a_long_line_is_folded_between_characters() {
    let (a, e) = ("a".repeat(70), "é".repeat(4));
    let found = replaced(FOLDED, &format!("X:\n\tY\n{a}1"), "1", &e);
    assert_eq!(found, format!("X:\n\tY\n{a}éé\n\téé"));
    let found = replaced(FOLDED, &format!("{a}1"), "1", "12345");
    assert_eq!(found, format!("{a}12345"));
}

const PIECES: &[&str] = &[
    "\r ",
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

const QUOTED: &[&str] = &["=C3=A9", "=3D", "=0D=0A", "a", "bbbbbbbbbbbbbbbbbbbb", " "];

const SOFT: &[&str] = &[
    "=C3=A9",
    "=3D",
    "=0D=0A",
    "a",
    "bbbbbbbbbbbbbbbbbbbb",
    " ",
    "=\r\n",
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

/// True if a change neither touches line breaks nor makes a line begin with a blank.
fn is_within_a_line(decoded: &[u8], range: &Range<usize>, new: &[u8]) -> bool {
    let is_break = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let begins = range.start == 0 || is_break(&decoded[range.start - 1]);
    let is_text = new
        .first()
        .is_some_and(|first| !first.is_ascii_whitespace());
    (is_text || !begins) && ![&decoded[range.clone()], new].concat().iter().any(is_break)
}

/// Changes that cut no character.
fn whole_chars<'c>(decoded: &Decoded<'_>, new: &'c [(usize, usize, Vec<u8>)]) -> Changes<'c> {
    let text = std::str::from_utf8(decoded.bytes()).expect("UTF-8");
    let mut changes = placed(new, text.as_bytes());
    changes.retain(|(range, _)| {
        text.is_char_boundary(range.start) && text.is_char_boundary(range.end)
    });
    changes.retain(|(range, new)| is_within_a_line(text.as_bytes(), range, new));
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
        let mut changes = placed(&new, &decoded);
        changes.retain(|(range, new)| is_within_a_line(&decoded, range, new));
        changed_bytes(FOLDED, &encoded, &changes);
    }

    /// Escapes are written between others in values in quoted-printable.
    #[test]
    fn changes_of_quoted_printable(values in prop::collection::vec(sloppy(SOFT, 30), 1..4), new in new_bytes(QUOTED)) {
        let lines = values.iter().map(|value| [b"N;QUOTED-PRINTABLE:", &value[..], b"\r\nURL:a\r\n"].concat());
        let encoded = lines.collect::<Vec<_>>().concat();
        let decoded = FOLDED.decode(&encoded).bytes().to_vec();
        let is_within = |at: usize| {
            let line = decoded[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
            let is_value = decoded[line..at].contains(&b':');
            is_value && !decoded[at.saturating_sub(2)..at].contains(&b'=')
        };
        let mut changes = placed(&new, &decoded);
        changes.retain(|(range, new)| {
            is_within_a_line(&decoded, range, new) && is_within(range.start) && is_within(range.end) && !decoded[range.clone()].contains(&b'\n')
        });
        let out = changed_bytes(FOLDED, &encoded, &changes);
        let limit = longest_line(&encoded).max(75) + 1;
        prop_assert!(longest_line(&out) <= limit, "{}", out.escape_ascii());
    }

    #[test]
    fn no_line_is_too_long(encoded in sloppy(LINES, 20), new in new_bytes(TEXT)) {
        let out = changed_bytes(FOLDED, &encoded, &whole_chars(&FOLDED.decode(&encoded), &new));
        let before = longest_line(&encoded);
        // An unchanged line cannot be cut, and a fold in front makes it longer.
        let limit = if before < 75 { 75 } else { before + 1 };
        prop_assert!(longest_line(&out) <= limit, "{}", out.escape_ascii());
    }

    #[test]
    fn folds_cut_no_character(encoded in sloppy(LINES, 20), new in new_bytes(TEXT)) {
        let out = changed_bytes(FOLDED, &encoded, &whole_chars(&FOLDED.decode(&encoded), &new));
        prop_assert!(String::from_utf8(out).is_ok());
    }
}
