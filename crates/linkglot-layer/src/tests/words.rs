use super::*;

const WORDS: Layer = Layer::EncodedWords;

fn text(encoded: &[u8]) -> String {
    let decoded = WORDS.decode(encoded);
    check_positions(&decoded, encoded);
    String::from_utf8(decoded.bytes().to_vec()).expect("UTF-8")
}

#[test]
fn words_are_read_as_clients_do() {
    for (encoded, expected) in [
        ("a plain one", "a plain one"),
        ("=?utf-8?q?caf=C3=A9?=", "café"),
        ("=?ISO-8859-1*fr?Q?caf=e9_au=20lait?=", "café au lait"),
        ("=?utf-8?B?Y2Fmw6k=?= au lait", "café au lait"),
        ("=?utf-8?q?a?= =?utf-8?q?b?=", "ab"),
        ("=?utf-8?q?a?=\r\n =?iso-8859-1?q?b?=", "ab"),
        ("=?utf-8?q?a?= b =?utf-8?q?c?=", "a b c"),
        ("=?utf-8?q?a?=b=?utf-8?q?c?=", "abc"),
        // A character in two words.
        ("=?utf-8?q?=C3?= =?utf-8?q?=A9?=", "é"),
        ("=?utf-8?B?w6?= =?utf-8?B?k=?=", "\u{FFFD}"),
        (
            "=?iso-2022-jp?B?GyRCJCIbKEI=?= =?iso-2022-jp?B?GyRCJCIbKEI=?=",
            "ああ",
        ),
        (
            "=?klingon?q?a?= =?utf-8?x?a?=",
            "=?klingon?q?a?= =?utf-8?x?a?=",
        ),
        ("=?utf-8?q?a =?utf-8?q?b?=", "=?utf-8?q?a b"),
        ("=?utf-8?q?a b=zz?=", "a b=zz"),
        ("=?utf-8?q??=", ""),
        ("a\r\n b\n\tc", "a b\tc"),
        ("=?utf-8?q?a\r\n b?=", "=?utf-8?q?a b?="),
        ("é ", "é "),
    ] {
        assert_eq!(text(encoded.as_bytes()), expected, "{encoded}");
    }
    assert_eq!(text(b"caf\xE9 \xC3\xA9\x80"), "café é€");
}

#[test]
fn a_word_is_written_in_its_charset_and_encoding() {
    for (encoded, old, new, expected) in [
        (
            "a =?ISO-8859-1*fr?q?caf=e9?= b",
            "café",
            "thé",
            "a =?ISO-8859-1*fr?q?th=e9?= b",
        ),
        (
            "=?utf-8?b?Y2Fmw6k=?= =?utf-8?q?_au?=",
            "fé",
            "ve",
            "=?utf-8?b?Y2F2ZQ==?= =?utf-8?q?_au?=",
        ),
        (
            "=?utf-8?q?ab?= =?utf-8?q?cd?=\r\n =?utf-8?q?e=66?=",
            "bc",
            "x",
            "=?utf-8?q?axd?=\r\n =?utf-8?q?e=66?=",
        ),
        (
            "=?utf-8?q?=C3?= =?utf-8?q?=A9b?= =?utf-8?q?c?=",
            "b",
            "x_y",
            "=?utf-8?q?=C3=A9x=5Fy?= =?utf-8?q?c?=",
        ),
        (
            "=?iso-2022-jp?B?GyRCJCIbKEI=?=",
            "あ",
            "い",
            "=?iso-2022-jp?B?GyRCJCQbKEI=?=",
        ),
        ("a http://old/ b", "old", "new", "a http://new/ b"),
        ("a b c", "b", "é", "a =?utf-8?B?w6k=?= c"),
        (
            "=?utf-8?q?a?= b =?utf-8?q?c?=",
            "b",
            "déf",
            "=?utf-8?q?a?= =?utf-8?B?IGTDqWYg?= =?utf-8?q?c?=",
        ),
    ] {
        assert_eq!(replaced(WORDS, encoded, old, new), expected, "{encoded}");
    }
}

/// The bytes beside a change stay: the letter of the encoding, and the forms of characters.
#[test]
fn characters_beside_a_change_keep_their_forms() {
    for (encoded, old, new, expected) in [
        (
            "=?utf-8?q?=73ee=20old=2c_=c3=a9?=",
            "old",
            "n_w",
            "=?utf-8?q?=73ee=20n=5Fw=2c_=c3=a9?=",
        ),
        ("=?UTF-8?b?b2xk?=", "old", "new", "=?UTF-8?b?bmV3?="),
        // A character in two words has no form in one.
        (
            "=?utf-8?q?=c3?= =?utf-8?q?=a9=62old?=",
            "old",
            "x",
            "=?utf-8?q?=C3=A9=62x?=",
        ),
    ] {
        assert_eq!(replaced(WORDS, encoded, old, new), expected, "{encoded}");
    }
}

/// New words end a line of at most 76 characters, with what stands in front of them (RFC 2047 section 2).
#[test]
fn lines_of_new_words_are_held_to_their_length() {
    let long = "http://new.example/abcdefghijklmnopqrstuvwxyz/abcdefg";
    for (encoded, new) in [
        ("=?utf-8?q?old?=", long.to_owned() + long),
        (
            "some words in front of it, and =?utf-8?q?a_old?=",
            long.to_owned(),
        ),
    ] {
        let decoded = WORDS.decode(encoded.as_bytes());
        let before = String::from_utf8(decoded.bytes().to_vec()).unwrap();
        let at = before.find("old").unwrap();
        let (mut edits, mut writer) = (Vec::new(), decoded.edits_in_line(b"\n", 9));
        writer
            .replace(at..at + 3, new.as_bytes(), &mut edits)
            .unwrap();
        writer.finish(&mut edits);
        let mut out = encoded.as_bytes().to_vec();
        for edit in edits.iter().rev() {
            out.splice(edit.range.clone(), edit.bytes.iter().copied());
        }
        let out = String::from_utf8(out).unwrap();
        let field = format!("Subject: {out}");
        for line in field.lines() {
            assert!(line.len() <= 76 && !line.trim().is_empty(), "{field}");
        }
        assert_eq!(text(out.as_bytes()), before.replace("old", &new), "{field}");
    }
}

#[test]
fn a_new_word_behind_new_text_holds_no_blank() {
    let encoded = b"=?utf-8?q?a?= b c";
    let out = changed_bytes(WORDS, encoded, &vec![(2..3, b"x"), (4..5, "é".as_bytes())]);
    assert_eq!(out, b"=?utf-8?q?a?= x =?utf-8?B?w6k=?=");
}

#[test]
fn long_words_are_split_between_characters() {
    let long = "é".repeat(40);
    for encoding in ["q", "b"] {
        let content = if encoding == "q" { "1" } else { "MQ==" };
        let out = replaced(
            WORDS,
            &format!("=?utf-8?{encoding}?{content}?="),
            "1",
            &long,
        );
        let words: Vec<_> = out.split("\r\n ").collect();
        assert!(words.len() > 1);
        for word in words {
            assert!(word.len() <= 75, "{word}");
            assert!(text(word.as_bytes()).chars().all(|ch| ch == 'é'));
        }
    }
}

#[test]
fn what_cannot_be_written_changes_nothing() {
    for (encoded, old, new) in [
        ("=?iso-8859-1?q?caf=e9?=", "é", "я"),
        ("=?us-ascii?q?caf=81?=", "caf", "\u{FFFD}"),
        ("=?utf-8?q?=ff_a?=", "a", "b"),
        // No blanks around.
        ("(a)", "a", "é"),
        ("=?utf-8?q?a?=b", "b", "é"),
        // Only white space would be left between words, and would vanish.
        ("=?utf-8?q?a?= b =?utf-8?q?c?=", "b", ""),
        // A new word would arise.
        ("=?utf-8?q?a?b=", "?b=", "?="),
        ("a=b", "b", "?utf-8?q?c?="),
        // In words and outside of them.
        ("=?utf-8?q?a?= b", "a b", "c"),
    ] {
        let decoded = WORDS.decode(encoded.as_bytes());
        let at = memchr::memmem::find(decoded.bytes(), old.as_bytes()).expect("the old text");
        let (mut edits, mut writer) = (Vec::new(), decoded.edits());
        let answer = writer.replace(at..at + old.len(), new.as_bytes(), &mut edits);
        assert_eq!(answer, Err(Unencodable), "{encoded}");
        writer.finish(&mut edits);
        assert!(edits.is_empty());
    }
}

#[test]
fn changes_in_one_word_share_an_edit() {
    let decoded = WORDS.decode(b"=?utf-8?q?a_b_c?= d");
    let found = edits(&decoded, &vec![(0..1, b"x"), (2..3, b"y"), (6..7, b"z")]);
    assert_eq!(
        found.iter().map(|edit| edit.number).collect::<Vec<_>>(),
        [0, 2]
    );
    assert_eq!(found[0].bytes, b"=?utf-8?q?x_y_c?=");
}

const PIECES: &[&str] = &[
    "=?utf-8?q?",
    "=?utf-8?B?",
    "=?iso-8859-1?Q?",
    "=?iso-2022-jp?b?",
    "?=",
    "=?utf-8?q?a=C3=A9_b?=",
    "=?utf-8?b?Y2Fmw6k=?=",
    "=?koi8-r?q?=c1=C2?=",
    "=?iso-2022-jp?B?GyRCJCIbKEI=?=",
    "=?utf-8?q?=C3?=",
    "=?utf-8?q?=A9?=",
    "=?utf-8?q??=",
    " ",
    "\t",
    "\r\n ",
    "\n",
    "\r",
    "=",
    "?",
    "a",
    "b c",
    "é",
    "_",
];

const NEW: &[&str] = &[
    "a",
    " ",
    "=",
    "?",
    "é",
    "я",
    "あ",
    "\n",
    "=?utf-8?q?x?=",
    "_",
    "bcdefghijklmnopqrst",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn positions_of_any_field(encoded in sloppy(PIECES, 20)) {
        text(&encoded);
    }

    #[test]
    fn bytes_beyond_ascii_have_positions(encoded in prop::collection::vec(any::<u8>(), 0..40)) {
        text(&encoded);
    }

    #[test]
    fn changes_decode_to_what_was_asked(encoded in sloppy(PIECES, 20), new in new_bytes(NEW)) {
        let decoded = WORDS.decode(&encoded);
        let (mut edits, mut writer) = (Vec::new(), decoded.edits());
        let (mut expected, mut from) = (Vec::new(), 0);
        for (range, new) in placed(&new, decoded.bytes()) {
            if writer.replace(range.clone(), new, &mut edits).is_ok() {
                expected.extend_from_slice(&decoded.bytes()[from..range.start]);
                expected.extend_from_slice(new);
                from = range.end;
            }
        }
        expected.extend_from_slice(&decoded.bytes()[from..]);
        writer.finish(&mut edits);
        check_order(&edits);
        let out = applied(&encoded, &edits);
        let found = WORDS.decode(&out);
        prop_assert_eq!(
            found.bytes().escape_ascii().to_string(),
            expected.escape_ascii().to_string(),
            "{} -> {}", encoded.escape_ascii(), out.escape_ascii()
        );
    }
}
