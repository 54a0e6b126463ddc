use super::*;

const QP: Layer = Layer::QuotedPrintable;

#[test]
fn decodes_as_clients_do() {
    for (encoded, expected) in [
        ("a=3Db=3db", "a=b=b"),
        ("a=\r\nb=\nc=\rd", "abcd"),
        ("a= \t\r\nb", "ab"),
        ("a  \r\nb\t\nc ", "a\r\nb\nc"),
        ("a =\nb", "a b"),
        ("a=20\nb", "a \nb"),
        ("=zz=4", "=zz=4"),
        ("==41=", "=A"),
        ("a= b", "a= b"),
        ("a=\n  \nb", "a\nb"),
        ("\u{e9}=C3=A9", "\u{e9}\u{e9}"),
        ("", ""),
        ("=", ""),
        (" \n", "\n"),
    ] {
        let decoded = QP.decode(encoded.as_bytes());
        assert_eq!(decoded.bytes(), expected.as_bytes(), "{encoded:?}");
        check_positions(&decoded, encoded.as_bytes());
    }
}

#[test]
fn a_body_without_escapes_is_borrowed() {
    let decoded = QP.decode(b"plain\ntext\n");
    let Content::Quoted(placed) = &decoded.content else {
        panic!("quoted-printable");
    };
    assert!(matches!(placed.bytes, Cow::Borrowed(_)));
}

#[test]
fn only_what_changes_is_written() {
    for (encoded, old, new, expected) in [
        ("http://a=2eb/?x=3d1", "a.b", "c.b", "http://c=2eb/?x=3d1"),
        ("http://a=\r\nb/", "ab", "cd", "http://cd/"),
        ("http://ab=\r\ncd/", "bc", "xc", "http://ax=\r\ncd/"),
        ("?x=3d1", "1", "\u{e9}", "?x=3d=c3=a9"),
        ("?x=3D1", "1", "=\u{e9}", "?x=3D=3D=C3=A9"),
        ("a b\n", "b", "", "a =\n\n"),
        ("a b\n", "b", "c ", "a c=20\n"),
        ("a b  \n", "b", "c", "a c  \n"),
        ("a  \nb", "\nb", "c", "ac"),
        ("=x41", "x", "", "==\r\n41"),
        ("=x41", "x", "4", "==3441"),
        ("Frxom ", "x", "", "Fr=\r\nom "),
        ("http://x", "http://x", "From x", "=46rom x"),
        ("a\nb", "\n", "\r\n", "a=0D\nb"),
        ("a\r\nb", "b", "c\r\nd", "a\r\nc\r\nd"),
    ] {
        assert_eq!(replaced(QP, encoded, old, new), expected, "{encoded:?}");
    }
}

#[test]
fn the_line_that_grew_too_long_is_broken() {
    let (a, b) = ("a".repeat(30), "b".repeat(30));
    let long = "x".repeat(20);
    let line = format!("{a}http://{b}");
    let broken = replaced(QP, &format!("{line}\r\n{line}\r\n"), "http://", &long);
    // The unchanged end of the line does not fit behind the new bytes.
    assert_eq!(broken, format!("{a}{long}=\r\n{b}\r\n{line}\r\n"));
    let broken = replaced(QP, &line, "http://", &"\u{e9}".repeat(10));
    let escapes = "=C3=A9".repeat(10);
    assert_eq!(
        broken,
        format!("{a}{}=\r\n{}{b}", &escapes[..45], &escapes[45..])
    );
}

#[test]
fn a_break_makes_no_line_that_begins_as_none_should() {
    let a = "a".repeat(70);
    for (new, expected) in [
        ("12345From you", "12345=\r\n=46rom you"),
        ("12345.example/a", "12345=\r\n=2Eexample/a"),
        ("12345--x", "12345=\r\n=2D-x"),
        ("12345-xyz", "12345=\r\n-xyz"),
    ] {
        let found = replaced(QP, &format!("{a}y"), "y", new);
        assert_eq!(found, format!("{a}{expected}"), "{new}");
    }
    // Bytes that stay keep a written byte in front of them.
    for stays in [".html", "--", "From you"] {
        let found = replaced(QP, &format!("{a}y{stays}"), "y", "wxyz");
        let line = found.rsplit("=\r\n").next().expect("a line");
        assert!(!line.starts_with(stays) && line.ends_with(stays), "{found}");
        assert!(longest_line(found.as_bytes()) <= 76);
    }
}

#[test]
fn several_changes_in_a_line_share_its_room() {
    let line = format!("{}1{}2{}", "a".repeat(25), "b".repeat(25), "c".repeat(20));
    let changes: Changes<'_> = vec![(25..26, b"xxx"), (51..52, b"yyyyy")];
    let out = changed_bytes(QP, line.as_bytes(), &changes);
    assert!(longest_line(&out) <= 76, "{}", out.escape_ascii());
    let changes: Changes<'_> = vec![(25..26, b"xxx"), (51..52, b"yy")];
    let out = changed_bytes(QP, line.as_bytes(), &changes);
    assert!(!out.contains(&b'='), "it fits");
}

#[test]
fn edits_of_a_line_are_settled_by_the_next_one() {
    let decoded = QP.decode(b"a b\nc d\n");
    let mut edits = Vec::new();
    let mut writer = decoded.edits();
    writer.replace(0..1, b"x", &mut edits).expect("any bytes");
    writer.replace(2..3, b"y", &mut edits).expect("any bytes");
    assert!(edits.is_empty());
    writer.replace(4..5, b"z", &mut edits).expect("any bytes");
    assert_eq!(
        edits.iter().map(|edit| edit.number).collect::<Vec<_>>(),
        [0, 1]
    );
    writer.finish(&mut edits);
    assert_eq!(edits.len(), 3);
}

const PIECES: &[&str] = &[
    "=3D",
    "=c3=a9",
    "=\r\n",
    "=\n",
    "=\r",
    "= \n",
    "=",
    "=4",
    "4",
    "A",
    "x",
    " ",
    "\t",
    "\r\n",
    "\n",
    "\r",
    "From ",
    "rom ",
    ".",
    "-",
    "\u{e9}",
    "http://example.org/",
    "aaaaaaaaaaaaaaaaaaaaa",
];

const NEW: &[&str] = &[
    "=",
    "4",
    "1",
    " ",
    "\t",
    "\r\n",
    "\n",
    "\r",
    "From ",
    "F",
    "r",
    ".",
    "-",
    "\u{e9}",
    "x",
    "http://example.org/",
    "bbbbbbbbbbbbbbbbbbbbbbb",
];

const SHORT_LINES: &[&str] = &[
    "a b\r\n",
    "http://example.org/=3D\r\n",
    "=C3=A9=C3=A9",
    "ccccc",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn positions_of_any_body(encoded in sloppy(PIECES, 30)) {
        check_positions(&QP.decode(&encoded), &encoded);
    }

    #[test]
    fn changes_decode_to_what_was_asked(encoded in sloppy(PIECES, 30), new in new_bytes(NEW)) {
        let decoded = QP.decode(&encoded).bytes().to_vec();
        changed_bytes(QP, &encoded, &placed(&new, &decoded));
    }

    #[test]
    fn edits_stay_in_what_is_replaced(encoded in sloppy(PIECES, 30), new in new_bytes(NEW)) {
        let decoded = QP.decode(&encoded);
        let changes = placed(&new, decoded.bytes());
        for edit in edits(&decoded, &changes) {
            let source = decoded.source(changes[edit.number].0.clone());
            prop_assert!(source.start <= edit.range.start && edit.range.end <= source.end.max(source.start));
        }
    }

    #[test]
    fn no_line_is_too_long(
        lines in prop::collection::vec(sloppy(SHORT_LINES, 3), 0..8),
        new in new_bytes(NEW),
    ) {
        let encoded = lines.join(&b"\r\n"[..]);
        let before = longest_line(&encoded);
        let decoded = QP.decode(&encoded).bytes().to_vec();
        let out = changed_bytes(QP, &encoded, &placed(&new, &decoded));
        prop_assert!(longest_line(&out) <= before.max(76), "{}", out.escape_ascii());
    }

    #[test]
    fn what_an_encoder_writes_is_read(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let encoded: String = bytes.chunks(25).map(|chunk| {
            let octets = chunk.iter().map(|byte| match byte {
                b'!'..=b'<' | b'>'..=b'~' => char::from(*byte).to_string(),
                _ => format!("={byte:02X}"),
            });
            octets.collect::<String>() + "=\r\n"
        }).collect();
        let decoded = QP.decode(encoded.as_bytes());
        prop_assert_eq!(decoded.bytes(), &bytes[..]);
    }
}
