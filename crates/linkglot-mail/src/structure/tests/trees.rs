//! Well-formed messages.

use super::*;

#[test]
fn a_message_without_parts_has_the_body_1() {
    let mail = "Subject: a\n\nText.\n\nMore: text\n";
    Mail::message(mail)
        .assert_in_every_line_end(&["1:* text/plain Leaf", "\"Text.\\n\\nMore: text\\n\""]);
    Mail::message("a: b\n\n").assert_in_every_line_end(&["1:* text/plain Leaf"]);
    assert!(Mail::message("").shown().is_empty());
}

#[test]
fn parts_are_numbered_as_imap_does() {
    // After the example of RFC 9051 6.4.5.1.
    let mail = "Content-Type: multipart/mixed; boundary=a\n\npreamble\n\
        --a\n\none\n\
        --a\nContent-Type: application/octet-stream\n\ntwo\n\n\
        --a\nContent-Type: message/rfc822\n\nContent-Type: multipart/mixed; boundary=b\n\n\
        --b\n\nthree one\n--b\nContent-Type: application/x\n\nthree two\n--b--\n\n\
        --a\nContent-Type: multipart/mixed; boundary=c\n\n\
        --c\nContent-Type: image/gif\n\nfour one\n\
        --c\nContent-Type: message/rfc822\n\nContent-Type: multipart/mixed; boundary=d\n\n\
        --d\nContent-Type: text/plain\n\nfour two one\n\
        --d\nContent-Type: multipart/alternative; boundary=e\n\n\
        --e\n\nfour two two one\n--e\nContent-Type: text/richtext\n\nfour two two two\n--e--\n\
        --d--\nepilogue\n--c--\n--a--\nepilogue\n";
    Mail::message(mail).assert_in_every_line_end(&[
        "1:* multipart/mixed Multipart",
        "1:1 text/plain Leaf",
        "\"one\"",
        "1:2 application/octet-stream Leaf",
        "\"two\\n\"",
        "1:3 message/rfc822 Message",
        "1:3* multipart/mixed Multipart",
        "1:3.1 text/plain Leaf",
        "\"three one\"",
        "1:3.2 application/x Leaf",
        "\"three two\"",
        "1:4 multipart/mixed Multipart",
        "1:4.1 image/gif Leaf",
        "\"four one\"",
        "1:4.2 message/rfc822 Message",
        "1:4.2* multipart/mixed Multipart",
        "1:4.2.1 text/plain Leaf",
        "\"four two one\"",
        "1:4.2.2 multipart/alternative Multipart",
        "1:4.2.2.1 text/plain Leaf",
        "\"four two two one\"",
        "1:4.2.2.2 text/richtext Leaf",
        "\"four two two two\"",
    ]);
}

#[test]
fn a_body_has_the_number_of_its_part_or_1_below_its_message() {
    let mail = "Content-Type: message/rfc822\n\nContent-Type: message/rfc822\n\na: b\n\nc";
    let numbers = Mail::message(mail)
        .answers(&[])
        .into_iter()
        .filter_map(|answer| match answer {
            Answer::Header(entity, ..) => {
                Some((entity.number.clone(), entity.body_number().into_owned()))
            }
            _ => None,
        });
    let numbers: Vec<_> = numbers.collect();
    let numbers: Vec<_> = numbers.iter().map(|(a, b)| (&**a, &**b)).collect();
    assert_eq!(numbers, [("", "1"), ("1", "1.1"), ("1.1", "1.1.1")]);
}

#[test]
fn parts_of_a_digest_are_messages() {
    let mail = "Content-Type: multipart/digest; boundary=a\n\n\
        --a\n\nSubject: b\n\nc\n--a\nContent-Type: text/html\n\nd\n--a\nContent-Type: odd\n\ne\n--a--";
    Mail::message(mail).assert_in_every_line_end(&[
        "1:* multipart/digest Multipart",
        "1:1 message/rfc822 Message",
        "1:1* text/plain Leaf",
        "\"c\"",
        "1:2 text/html Leaf",
        "\"d\"",
        "1:3 text/plain Leaf",
        "\"e\"",
    ]);
}

#[test]
fn encoded_messages_are_answered_as_they_stand() {
    for (encoding, is_encoded) in [
        ("base64", true),
        (" Quoted-Printable (comment)", true),
        ("BASE64;", true),
        ("7bit", false),
        ("8bit", false),
        ("binary", false),
        ("x-unknown", false),
    ] {
        let mail = format!(
            "Content-Type: message/global\nContent-Transfer-Encoding: {encoding}\n\na: b\n\nc"
        );
        let shown = Mail::message(&mail).shown();
        let found = shown[0] == "1:* message/global EncodedMessage";
        assert_eq!(found, is_encoded, "{shown:?}");
        assert_eq!(shown.len(), if is_encoded { 2 } else { 3 });
    }
}

#[test]
fn only_some_kinds_of_message_have_a_header() {
    for (kind, is_message) in [
        ("message/rfc822", true),
        ("message/news", true),
        ("message/global", true),
        ("message/partial", false),
        ("message/delivery-status", false),
        ("message/external-body", false),
        ("text/rfc822-headers", false),
    ] {
        let mail = format!("Content-Type: {kind}\n\na: b\n\nc");
        assert_eq!(
            Mail::message(&mail).shown().len(),
            if is_message { 3 } else { 2 },
            "{kind}"
        );
    }
}

#[test]
fn signatures_and_encryption_are_told() {
    let mail = "Content-Type: multipart/signed; boundary=a\n\n\
        --a\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nc\n--b--\n\
        --a\nContent-Type: application/pgp-signature\n\ns\n--a--\n";
    Mail::message(mail).assert_in_every_line_end(&[
        "1:* multipart/signed Multipart",
        "1:1 multipart/mixed Multipart signed",
        "1:1.1 text/plain Leaf signed",
        "\"c\"",
        "1:2 application/pgp-signature Leaf",
        "\"s\"",
    ]);
    let mail = mail.replace("/signed", "/encrypted");
    let shown = Mail::message(&mail).shown();
    assert_eq!(shown[2], "1:1.1 text/plain Leaf encrypted");
    assert_eq!(shown[4], "1:2 application/pgp-signature Leaf encrypted");
}

#[test]
fn bases_of_enclosing_headers_are_told_outermost_first() {
    let mail = "Content-Type: multipart/related; boundary=a\nContent-Location: http://a.example/\n\n\
        --a\nContent-Type: message/rfc822\n\n\
        Content-Type: multipart/related; boundary=b\nContent-Base: \"http://b.\n example/\"\n\n\
        --b\nContent-Location: c\n\nd\n--b--\n--a\n\ne\n--a--\n";
    let answers = Mail::message(mail).answers_in_every_cut();
    let bases = answers.iter().filter_map(|answer| match answer {
        Answer::Header(entity, ..) => Some(entity.enclosing.bases.clone()),
        _ => None,
    });
    let outer = Arc::new(HeaderBase {
        content_location: Some((*b" http://a.example/").into()),
        ..HeaderBase::default()
    });
    let inner = Arc::new(HeaderBase {
        content_base: Some((*b" \"http://b.\n example/\"").into()),
        ..HeaderBase::default()
    });
    let [message, part, nested, leaf, last] = &bases.collect::<Vec<_>>()[..] else {
        panic!("five headers")
    };
    assert!(message.is_empty());
    assert_eq!(
        (&**part, &**nested, &**last),
        (
            &[outer.clone()][..],
            &[outer.clone()][..],
            &[outer.clone()][..]
        )
    );
    assert_eq!(&**leaf, [outer, inner]);
}

#[test]
fn fields_keep_their_folds() {
    assert_eq!(
        fields(b"Subject: a\r\n b\r\n\tc\r\nTo:\r\nX-\xE9: no\r\n\r\n"),
        ["Subject: a\\r\\n b\\r\\n\\tc", "To:"]
    );
    assert_eq!(
        fields("A: Grüße\n \n: no\n no\nB: c\n\n".as_bytes()),
        ["A: Gr\\xc3\\xbc\\xc3\\x9fe\\n ", "B: c"]
    );
}

#[test]
fn the_encoding_is_told() {
    let mail = "content-transfer-encoding: BASE64\nContent-Transfer-Encoding: 7bit\n\n";
    let answers = Mail::message(mail).answers_in_every_cut();
    let Some(Answer::Header(_, _, Some(encoding))) = answers.first() else {
        panic!("an encoding")
    };
    assert_eq!(encoding, b" BASE64");
}

#[test]
fn odd_boundaries_are_boundaries() {
    let long = "x".repeat(200);
    for boundary in [
        "'()+_,-./:=?",
        "=_a b",
        "--",
        "é",
        "a--",
        &long,
        "----=_NextPart_000_0000.ABC",
    ] {
        let mail = format!(
            "Content-Type: multipart/mixed; boundary=\"{boundary}\"\n\n\
             --{boundary} \t\n\na\n--{boundary}x\n--{boundary}\n\nb\n--{boundary}-- \nc"
        );
        let expected = [
            "1:* multipart/mixed Multipart".to_owned(),
            "1:1 text/plain Leaf".into(),
            format!(
                "\"{}\"",
                format!("a\n--{boundary}x").as_bytes().escape_ascii()
            ),
            "1:2 text/plain Leaf".into(),
            "\"b\"".into(),
        ];
        assert_eq!(Mail::message(&mail).shown(), expected, "{boundary}");
    }
}

#[test]
fn fields_of_reports_stand_in_blocks() {
    for end in ["\n", "\r\n", "\r"] {
        let text = "A: b\n\n\nC: d\n e\nno field\n--f\n\nG:h".replace('\n', end);
        let places = field_places(text.as_bytes());
        let shown: Vec<_> = places
            .into_iter()
            .map(|place| (&text[place.name], &text[place.value]))
            .collect();
        let folded = format!(" d{end} e");
        assert_eq!(shown, [("A", " b"), ("C", &*folded), ("G", "h")]);
    }
    assert!(field_places(b"").is_empty());
    assert!(field_places(&b"x".repeat(3 << 20)).is_empty());
}

/// Texts in the charsets of mail, each with its text in Unicode.
const TEXTS: [(&str, &str); 8] = [
    ("utf-8", "Прочти это: さようなら, 안녕, مرحبا"),
    ("iso-8859-1", "Schöne Grüße, à bientôt"),
    ("koi8-r", "Прочти это"),
    ("windows-1255", "שלום"),
    ("shift_jis", "表示ソ"),
    ("iso-2022-jp", "日本語の表"),
    ("euc-kr", "안녕하세요"),
    ("gb18030", "你好，再见"),
];

#[test]
fn raw_octets_of_any_charset_are_kept() {
    for (label, text) in TEXTS {
        let charset = linkglot_charset::Charset::for_label(label).expect("a label");
        let mut raw = Vec::new();
        charset
            .encode(text, &mut raw)
            .expect("the charset has the text");
        for end in [&b"\n"[..], b"\r\n", b"\r"] {
            let kind = format!("Content-Type: text/plain; charset={label}").into_bytes();
            let lines: [&[u8]; 9] = [
                &[b"Subject: ", &raw[..]].concat(),
                &[b" ", &raw[..]].concat(),
                b"Content-Type: multipart/mixed; boundary=x",
                b"",
                b"--x",
                &kind,
                b"",
                &raw,
                b"--x--",
            ];
            let mail = lines.join(end);
            let answers = Mail::message(&mail).answers_in_every_cut();
            let Answer::Header(_, fields, _) = &answers[0] else {
                panic!("a header")
            };
            assert_eq!(
                fields[0].1,
                [b" ", &raw[..], end, b" ", &raw[..]].concat(),
                "{label}"
            );
            let Answer::Header(part, ..) = &answers[1] else {
                panic!("a part")
            };
            assert_eq!(part.media_type.parameter("charset"), Some(label.as_bytes()));
            assert_eq!(answers[2], Answer::Body(raw.clone()), "{label}");
        }
    }
}
