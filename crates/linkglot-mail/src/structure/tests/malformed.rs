//! Malformed messages, read as in CPython's `email`.

use super::*;

#[test]
fn text_ends_a_header() {
    for (mail, count, body) in [
        ("Just text.\n", 0, "\"Just text.\\n\""),
        ("A: b\nno field\nC: d\n", 1, "\"no field\\nC: d\\n\""),
        (
            "A: b\nname with blanks: c\n\nd",
            1,
            "\"name with blanks: c\\n\\nd\"",
        ),
        ("A: b\nC : d\n", 1, "\"C : d\\n\""),
        ("\nA: b\n", 0, "\"A: b\\n\""),
        (" A: b\nC: d\n\ne", 1, "\"e\""),
        ("A: b\nFrom here on\n\nc", 1, "\"From here on\\n\\nc\""),
        ("A: b\nFrom x\nC: d\n\ne", 2, "\"e\""),
        ("A: b\nFrom x\n", 1, "\"From x\\n\""),
        (
            "A: b\nContent-Type: multipart/mixed; boundary=x\nFrom x\n\nc",
            2,
            "\"From x\\n\\nc\"",
        ),
        ("From x\n>From y\nA: b\n>From z\n >From u\n\nc", 1, "\"c\""),
        ("\u{FEFF}A: b\n\nc", 1, "\"c\""),
    ] {
        assert_eq!(fields(mail.as_bytes()).len(), count, "{mail}");
        Mail::message(mail.trim_start_matches('\u{FEFF}'))
            .assert_in_every_line_end(&["1:* text/plain Leaf", body]);
    }
}

#[test]
fn a_header_may_have_no_body() {
    for mail in [
        "A: b",
        "A: b\n",
        "A: b\r",
        "A: b\r\n c\r",
        "A",
        "\n",
        "\r\n",
    ] {
        let answers = Mail::message(mail).answers_in_every_cut();
        assert!(matches!(answers[0], Answer::Header(..)), "{mail:?}");
        assert_eq!(answers.last(), Some(&Answer::BodyEnd));
    }
}

#[test]
fn a_boundary_ends_a_header() {
    let mail = "Content-Type: multipart/mixed; boundary=a\n\n\
        --a\nX: y\n--a\n--a\n\n--a\nContent-Type: message/rfc822\n\n--a\nContent-Type: message/rfc822\n\nX: y\n--a--\n";
    Mail::message(mail).assert_in_every_line_end(&[
        "1:* multipart/mixed Multipart",
        "1:1 text/plain Leaf",
        "1:2 text/plain Leaf",
        "1:3 message/rfc822 Message",
        "1:3* text/plain Leaf",
        "1:4 message/rfc822 Message",
        "1:4* text/plain Leaf",
    ]);
}

#[test]
fn an_outer_boundary_ends_inner_parts() {
    let mail = "Content-Type: multipart/mixed; boundary=a\n\n\
        --a\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nc\n\
        --a\nContent-Type: multipart/mixed; boundary=d\n\n--d\n--a\n\ne";
    Mail::message(mail).assert_in_every_line_end(&[
        "1:* multipart/mixed Multipart",
        "1:1 multipart/mixed Multipart",
        "1:1.1 text/plain Leaf",
        "\"c\"",
        "1:2 multipart/mixed Multipart",
        "1:2.1 text/plain Leaf",
        "1:3 text/plain Leaf",
        "\"e\"",
    ]);
}

#[test]
fn a_multipart_without_boundaries_is_text() {
    for mail in [
        "Content-Type: multipart/mixed\n\n--a\n",
        "Content-Type: multipart/mixed; boundary=\"\"\n\n--a\n",
        "Content-Type: multipart/mixed; boundary=b\n\n--a\n",
        "Content-Type: multipart/mixed; boundary=--a\n\n--a\n",
    ] {
        Mail::message(mail).assert_in_every_line_end(&["1:* text/plain Leaf", "\"--a\\n\""]);
    }
    // A boundary that closes a multipart before its first part, or that belongs to the multipart around.
    let mail = "Content-Type: multipart/mixed; boundary=a\n\n--a--\nb";
    Mail::message(mail).assert_in_every_line_end(&["1:* text/plain Leaf", "\"--a--\\nb\""]);
    let mail = "Content-Type: multipart/mixed; boundary=a\n\n\
        --a\nContent-Type: multipart/mixed; boundary=a\n\npreamble\n--a\n\nb\n--a--\n\n--a--\n";
    Mail::message(mail).assert_in_every_line_end(&[
        "1:* multipart/mixed Multipart",
        "1:1 text/plain Leaf",
        "\"preamble\"",
        "1:2 text/plain Leaf",
        "\"b\"",
    ]);
}

#[test]
fn a_long_preamble_is_passed_over() {
    let preamble = "--b\n".repeat(PREAMBLE_LIMIT / 4 + 1);
    for (mail, count) in [
        (
            format!("Content-Type: multipart/mixed; boundary=a\n\n{preamble}--a\n\nc"),
            4,
        ),
        (
            format!("Content-Type: multipart/mixed; boundary=a\n\n{preamble}"),
            1,
        ),
    ] {
        let whole = Mail::message(&mail).answers(&[]);
        assert_eq!(whole.len(), count);
        for cut in [
            100,
            PREAMBLE_LIMIT - 1,
            PREAMBLE_LIMIT + 43,
            PREAMBLE_LIMIT + 44,
        ] {
            assert_eq!(Mail::message(&mail).answers(&[cut]), whole);
        }
    }
}

#[test]
fn boundaries_are_whole_lines() {
    let mail = "Content-Type: multipart/mixed; boundary=a\n\n\
        --a\n\n--ab\n--a-\n--a---\n --a\nx--a\n--A\n--\n---\n-- \n--a--";
    let body = "\"--ab\\n--a-\\n--a---\\n --a\\nx--a\\n--A\\n--\\n---\\n-- \"";
    Mail::message(mail).assert_in_every_line_end(&[
        "1:* multipart/mixed Multipart",
        "1:1 text/plain Leaf",
        body,
    ]);
    let blanks = " ".repeat(lines::LINE_LIMIT);
    let mail = format!("Content-Type: multipart/mixed; boundary=a\n\n--a\n\n--a{blanks}\n--a--");
    let answers = Mail::message(&mail).answers_in_every_cut();
    assert_eq!(
        answers.get(2),
        Some(&Answer::Body(format!("--a{blanks}").into_bytes()))
    );
}

#[test]
fn a_line_end_of_another_kind_is_text() {
    let mail = b"A: b\rC: d\n\ne\r\n--a\rf\r";
    assert_eq!(fields(mail), ["A: b\\rC: d"]);
    assert_eq!(Mail::message(mail).shown()[1], "\"e\\r\\n--a\\rf\\r\"");
}

#[test]
fn boundaries_doubled_have_no_part_between_them() {
    let mail = "Content-Type: multipart/mixed; boundary=a\n\n--a\n--a\n\nb\n--a\n--a--\nc";
    Mail::message(mail).assert_in_every_line_end(&[
        "1:* multipart/mixed Multipart",
        "1:1 text/plain Leaf",
        "\"b\"",
    ]);
}

#[test]
fn a_long_header_is_passed_over_behind_its_first_mebibyte() {
    for (name, first, lines) in [
        ("many fields", "A: b\n", "X: yyyyyyyyyyyy\n"),
        ("one field", "A: b\n", " zzzzzzzzzzzzzzz\n"),
        ("one line", "A: b\n", "zzzzzzzzzzzzzzzz"),
        ("only a line", "", "zzzzzzzzzzzzzzzz"),
    ] {
        let rest = format!("\n{}", lines.repeat(HEADER_LIMIT_IN_LINES + 2).trim_end());
        let mail = format!("{first}Content-Type: text/html\nX: y{rest}\nNo field.\n\nbody");
        let mail = if first.is_empty() {
            format!("X:{rest}\n\nbody")
        } else {
            mail
        };
        let whole = Mail::message(&mail).answers(&[]);
        assert_eq!(whole.len(), 3, "{name}");
        let Answer::Header(entity, fields, _) = &whole[0] else {
            panic!("a header")
        };
        assert_eq!(
            entity.media_type.essence() == "text/html",
            !first.is_empty(),
            "{name}"
        );
        let is_many = name == "many fields";
        assert_eq!(fields.len() > 3, is_many, "{name} {}", fields.len());
        assert_eq!(whole[1], Answer::Body(b"body".to_vec()), "{name}");
        for cut in [
            1,
            100,
            header::HEADER_LIMIT,
            header::HEADER_LIMIT + 1,
            mail.len() - 6,
            mail.len() - 5,
            mail.len() - 4,
        ] {
            assert_eq!(Mail::message(&mail).answers(&[cut]), whole, "{name} {cut}");
        }
        let cuts: Vec<usize> = (0..mail.len()).step_by(1000).collect();
        assert_eq!(Mail::message(&mail).answers(&cuts), whole, "{name}");
    }
}

/// Lines of 16 bytes.
const HEADER_LIMIT_IN_LINES: usize = header::HEADER_LIMIT / 16;

#[test]
fn a_boundary_ends_a_long_header() {
    let rest = "X: yyyyyyyyyyyy\n".repeat(HEADER_LIMIT_IN_LINES + 2);
    let mail = format!("Content-Type: multipart/mixed; boundary=a\n\n--a\n{rest}--a\n\nb");
    let answers = Mail::message(&mail).answers(&[]);
    let shown: Vec<String> = answers.iter().map(Answer::shown).collect();
    assert_eq!(
        shown[1..],
        [
            "1:1 text/plain Leaf",
            ".",
            "1:2 text/plain Leaf",
            "\"b\"",
            "."
        ]
    );
}

#[test]
fn depth_is_limited() {
    let open =
        |level: usize| format!("Content-Type: multipart/mixed; boundary=b{level}\n\n--b{level}\n");
    let mail: String = (0..100).map(open).collect();
    let answers = Mail::message(&mail).answers(&[]);
    let headers = answers
        .iter()
        .filter(|answer| matches!(answer, Answer::Header(..)));
    assert_eq!(headers.count(), MailReader::MAX_DEPTH + 1);
    assert_eq!(
        answers[MailReader::MAX_DEPTH].shown().rsplit(' ').next(),
        Some("TooDeep")
    );
    let mail = "Content-Type: message/rfc822\n\n".repeat(1000);
    let answers = Mail::message(&mail).answers(&[]);
    assert_eq!(answers.len(), MailReader::MAX_DEPTH + 3);
}
