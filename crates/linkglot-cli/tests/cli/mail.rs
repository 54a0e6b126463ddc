//! Mail in its usual containers: messages, mailboxes, Maildir directories, MHTML.

use super::support::Place;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

/// A text in quoted-printable and a page in base64, `<p>text</p>\n<a href="http://old.example/é">x</a>`.
const MESSAGE: &str = "From: a@b.example\r
Subject: =?utf-8?Q?see_http://s.example/=C3=A9?=\r
List-Help: <http://old.example/help>\r
MIME-Version: 1.0\r
Content-Type: multipart/alternative; boundary=x\r
\r
--x\r
Content-Type: text/plain; charset=utf-8\r
Content-Transfer-Encoding: quoted-printable\r
\r
Caf=C3=A9: see =\r
http://old.exam=\r
ple/caf=C3=A9?a=3Db, end.\r
--x\r
Content-Type: text/html; charset=utf-8\r
Content-Transfer-Encoding: base64\r
\r
PHA+dGV4dDwvcD4KPGEgaHJlZj0iaHR0\r
cDovL29sZC5leGFtcGxlL8OpIj54PC9h\r
Pg==\r
--x--\r
";

const MAILBOX: &str = "From a@b.example Mon Jan  1 00:00:00 2024
From: a@b.example
Subject: one
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: 8bit

http://old.example/é
>From http://old.example/b

From a@b.example Tue Jan  2 00:00:00 2024
From: a@b.example
Subject: two

http://old.example/c
";

const PAGE: &str = "From: <Saved>
Subject: page
MIME-Version: 1.0
Content-Type: multipart/related; boundary=x; type=\"text/html\"

--x
Content-Type: text/html; charset=utf-8
Content-Location: http://a.example/d/page.html
Content-Transfer-Encoding: 8bit

<a href='é.html'>é</a> <img src='cid:1@a.example'>
--x
Content-Type: image/png
Content-ID: <1@a.example>

not read http://png.example/
--x--
";

const SIGNED: &str =
    "DKIM-Signature: v=1; a=rsa-sha256; d=b.example; h=From:List-Help; bh=AAAA; b=AAAA
From: a@b.example
List-Help: <http://old.example/help>
List-Archive: <http://old.example/archive>
Content-Type: text/plain; charset=utf-8

http://old.example/
";

const ENCRYPTED: &str = "From: a@b.example
Subject: secret
MIME-Version: 1.0
Content-Type: multipart/encrypted; protocol=\"application/pgp-encrypted\"; boundary=x

--x
Content-Type: application/pgp-encrypted

Version: 1
--x
Content-Type: application/octet-stream

-----BEGIN PGP MESSAGE-----
http://none.example/
-----END PGP MESSAGE-----
--x--
";

const UNKNOWN: &str = "From: a@b.example
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=x

--x
Content-Type: text/plain; charset=koi9-r
Content-Transfer-Encoding: 8bit

http://old.example/one
--x
Content-Type: text/plain; charset=utf-8

http://old.example/two
--x--
";

const MAP: [&str; 2] = ["--map", "http://old.example/ https://new.example/"];

#[test]
fn links_of_a_message_are_found_where_they_stand() {
    let place = Place::new(&[("a.eml", MESSAGE)]);
    let found = "3:13:http://old.example/help\n12:1:http://old.example/café?a=b\n18:29:http://old.example/é\n";
    place.run(&["find", "a.eml"]).prints(found, 0);
    let headers = place.run(&["find", "--also", "headers", "a.eml"]);
    headers.prints(&format!("2:24:http://s.example/é\n{found}"), 0);
}

/// Encoded words keep to lines of 76 characters, the name of the field included (RFC 2047 section 2), and the bytes
/// beside a link stay.
#[test]
fn encoded_words_of_a_field() {
    let rewritten = |subject: &str| {
        let place = Place::new(&[("a.eml", &format!("Subject: {subject}\n\nbody\n"))]);
        let map = "http://old.example/ http://a-rather-longer-host.new.example/";
        let ran = place.run(&[
            "rewrite", "--map", map, "--also", "headers", "--stdout", "a.eml",
        ]);
        assert_eq!(ran.code, 0, "{ran:?}");
        ran.text()
    };
    assert_eq!(
        rewritten("=?utf-8?q?=73ee_http=3A//old.example/_or=2e?="),
        "Subject: =?utf-8?q?=73ee_http=3A//a-rather-longer-host.new.example/_or=2e?=\n\nbody\n"
    );
    for count in 0..60 {
        let text = "abcde ".repeat(10);
        let before = text[..count].trim_end();
        for subject in [
            format!("{before} =?utf-8?q?http://old.example/=C3=A9?="),
            format!(
                "=?utf-8?q?{}_http://old.example/?=",
                before.replace(' ', "_")
            ),
            format!("=?utf-8?b?{}?=", STANDARD.encode("see http://old.example/")),
        ] {
            let longest = format!("Subject: {subject}").len().max(76);
            let new = rewritten(&subject);
            assert_ne!(new, format!("Subject: {subject}\n\nbody\n"));
            for line in new.lines() {
                assert!(line.len() <= longest, "{subject}: {new}");
            }
        }
    }
}

#[test]
fn objects_name_the_part() {
    let place = Place::new(&[("a.eml", MESSAGE)]);
    let objects = place.run(&["find", "--json", "a.eml"]).objects();
    let keys = [
        "part",
        "media_type",
        "line",
        "column",
        "charset",
        "format",
        "text",
    ];
    let rows: Vec<Value> = objects[..3]
        .iter()
        .map(|object| keys.iter().map(|key| object[*key].clone()).collect())
        .collect();
    let expected = [
        json!([
            "/list-help",
            "multipart/alternative",
            3,
            13,
            "UTF-8",
            "mail",
            "http://old.example/help"
        ]),
        json!([
            "1",
            "text/plain",
            12,
            1,
            "UTF-8",
            "mail",
            "http://old.example/café?a=b"
        ]),
        json!([
            "2",
            "text/html",
            18,
            29,
            "UTF-8",
            "mail",
            "http://old.example/é"
        ]),
    ];
    assert_eq!(rows, expected);
    // The bytes that hold the link, including its soft break.
    let span = objects[1]["start"].as_u64().expect("a start") as usize
        ..objects[1]["end"].as_u64().expect("an end") as usize;
    assert_eq!(&MESSAGE[span], "http://old.exam=\r\nple/caf=C3=A9?a=3Db");
    assert!(objects[0].get("message").is_none(), "{:?}", objects[0]);
}

#[test]
fn messages_of_a_mailbox_are_numbered() {
    // By name, and by content.
    let place = Place::new(&[("a.mbox", MAILBOX), ("archive", MAILBOX)]);
    for name in ["a.mbox", "archive"] {
        let objects = place.run(&["find", "--json", name]).objects();
        let rows: Vec<Value> = objects[..3]
            .iter()
            .map(|object| {
                json!([
                    object["format"],
                    object["message"],
                    object["part"],
                    object["line"],
                    object["text"]
                ])
            })
            .collect();
        let expected = [
            json!(["mbox", 1, "1", 7, "http://old.example/é"]),
            json!(["mbox", 1, "1", 8, "http://old.example/b"]),
            json!(["mbox", 2, "1", 14, "http://old.example/c"]),
        ];
        assert_eq!(rows, expected, "{name}");
    }
}

#[test]
fn a_maildir_is_a_directory_of_messages() {
    let [seen, new] = [
        "m/cur/1370361723.M1P2.host:2,S",
        "m/new/1370361724.M1P2.host",
    ];
    let place = Place::new(&[(seen, SIGNED), (new, UNKNOWN)]);
    let run = place.run(&["find", "-c", "m"]);
    assert_eq!(run.text(), format!("{seen}:3\n{new}:1\n"), "{run:?}");
    run.complains(&["part 1: unknown charset label `koi9-r`"], 3);
    let objects = place.run(&["find", "--json", "m"]).objects();
    let links = objects.iter().filter(|object| object["type"] == "link");
    assert!(links.clone().count() == 4 && links.clone().all(|link| link["format"] == "mail"));
}

#[test]
fn a_saved_page_has_the_base_of_its_location() {
    let place = Place::new(&[("a.mht", PAGE), ("a.mhtml", PAGE)]);
    for name in ["a.mht", "a.mhtml"] {
        let objects = place.run(&["find", "--json", name]).objects();
        let rows: Vec<Value> = objects[..3]
            .iter()
            .map(|object| json!([object["part"], object["text"], object["resolved"]]))
            .collect();
        let expected = [
            json!([
                "1/content-location",
                "http://a.example/d/page.html",
                "http://a.example/d/page.html"
            ]),
            json!(["1", "é.html", "http://a.example/d/%C3%A9.html"]),
            json!(["1", "cid:1@a.example", "cid:1@a.example"]),
        ];
        assert_eq!(rows, expected, "{name}");
        assert_eq!(objects.len(), 4);
    }
}

#[test]
fn a_part_in_an_unknown_charset_is_left_and_others_are_written() {
    let place = Place::new(&[("a.eml", UNKNOWN)]);
    let find = place.run(&["find", "a.eml"]);
    assert_eq!(find.text(), "13:1:http://old.example/two\n");
    find.complains(&["a.eml: part 1: unknown charset label `koi9-r`"], 3);
    let write = [&["rewrite", "-i", "a.eml"], &MAP[..]].concat();
    place.run(&write).complains(
        &["part 1: unknown charset label `koi9-r`", "1 link changed"],
        3,
    );
    let text = String::from_utf8(place.read("a.eml")).expect("UTF-8");
    assert_eq!(
        text,
        UNKNOWN.replace("http://old.example/two", "https://new.example/two")
    );
    let settled = place.run(&[&write[..], &["--assume-charset", "koi9-r=koi8-r"]].concat());
    assert_eq!(settled.code, 0, "{settled:?}");
    let text = String::from_utf8(place.read("a.eml")).expect("UTF-8");
    assert_eq!(text, UNKNOWN.replace("http://old", "https://new"));
}

#[test]
fn in_a_mailbox_the_part_is_named_with_its_message() {
    let mailbox = MAILBOX.replace("Subject: two", "Content-Type: text/plain; charset=koi9-r");
    let place = Place::new(&[("a.mbox", &mailbox)]);
    place
        .run(&["find", "a.mbox"])
        .complains(&["a.mbox: part 2:1: unknown charset label `koi9-r`"], 3);
}

#[test]
fn signed_mail_is_left_unless_asked() {
    let place = Place::new(&[("a.eml", SIGNED)]);
    let run = |args: &[&str]| place.run(&[&["rewrite", "a.eml"], &MAP[..], args].concat());
    let diff = run(&[]);
    // List-Archive is not among the signed fields.
    assert!(
        diff.text()
            .contains("+List-Archive: <https://new.example/archive>\n"),
        "{diff:?}"
    );
    assert_eq!(diff.text().matches("\n+").count(), 2, "{diff:?}");
    diff.complains(
        &["2 links left unchanged, signed (`--break-signatures`)"],
        0,
    );
    let objects = run(&["--json"]).objects();
    let left: Vec<&Value> = objects
        .iter()
        .filter(|object| object["type"] == "left")
        .collect();
    let parts: Vec<&Value> = left.iter().map(|object| &object["part"]).collect();
    assert_eq!(parts, ["/list-help", "1"]);
    assert!(
        left.iter()
            .all(|object| object["notes"] == json!(["left-signed"]))
    );
    let summary = objects.last().expect("a summary");
    assert_eq!(
        [&summary["signed"], &summary["changed"], &summary["left"]],
        [2, 1, 2]
    );
    let strict = run(&["--strict"]);
    assert_eq!(strict.code, 1, "{strict:?}");
    let broken = run(&["--break-signatures", "-i"]);
    broken.complains(&["3 links changed"], 0);
    assert!(!broken.err.contains("signed"), "{broken:?}");
    let text = String::from_utf8(place.read("a.eml")).expect("UTF-8");
    assert_eq!(text, SIGNED.replace("http://old", "https://new"));
}

/// `find --json` marks links that a signature or a digest covers.
#[test]
fn what_a_signature_covers_has_its_note() {
    let part =
        "Content-Type: text/plain; charset=utf-8\n\nhttp://old.example/é http://old.example/a\n";
    let signed = format!(
        "Content-Type: multipart/signed; boundary=x; protocol=\"application/pgp-signature\"\n\n\
         --x\n{part}--x\nContent-Type: application/pgp-signature\n\nx\n--x--\n"
    );
    let digest = format!("Content-MD5: Q2hlY2sgSW50ZWdyaXR5IQ==\n{part}");
    let clear =
        format!("-----BEGIN PGP SIGNED MESSAGE-----\n\n{part}-----BEGIN PGP SIGNATURE-----\n");
    let files = [
        (
            "signed.eml",
            format!("From: a@b.example\nSubject: x\n{signed}"),
        ),
        (
            "digest.eml",
            format!("From: a@b.example\nSubject: x\n{digest}"),
        ),
        ("clear.txt", clear.clone()),
        (
            "clear.html",
            format!("<meta charset=utf-8><pre>{clear}</pre>"),
        ),
    ];
    let place = Place::new(&[]);
    for (name, text) in &files {
        place.write(name, text.as_bytes());
        let objects = place.run(&["find", "--json", name]).objects();
        let found: Vec<_> = objects
            .iter()
            .filter(|object| object["type"] == "link")
            .collect();
        assert_eq!(found.len(), 2, "{name}");
        assert!(
            found
                .iter()
                .all(|link| link["notes"] == json!(["left-signed"])),
            "{name}"
        );
        // The second link keeps its form.
        assert_eq!(found[0]["uri"], Value::Null, "{name}");
        assert_eq!(found[1]["uri"], "http://old.example/a", "{name}");
        let run = place.run(&["rewrite", "--to", "uri", "-i", name]);
        run.complains(&["1 link left unchanged, signed"], 0);
        assert_eq!(place.read(name), text.as_bytes(), "{name}");
        let run = place.run(&["rewrite", "--to", "uri", "--break-signatures", "-i", name]);
        run.complains(&["1 link changed"], 0);
    }
}

/// A message with a body, whose header ends with these fields.
fn message(fields: &str, body: &str) -> String {
    format!("From: a@b.example\nSubject: x\nMIME-Version: 1.0\n{fields}\n{body}")
}

#[test]
fn what_a_change_would_lose_is_left() {
    let base64 = "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n";
    for body in [
        // A list added a footer.
        "aHR0cDovL3guZXhhbXBsZS/DqSA=\n\n-- \nlist footer\n",
        "aHR0cDovL3guZXhhbXBsZS/DqSB4\n\n-- \nlist footer\n",
        "aHR0cDovL3guZXhhbX!!BsZS/DqSA=\n",
    ] {
        let mail = message(base64, body);
        let place = Place::new(&[("a.eml", &mail)]);
        let run = place.run(&["rewrite", "--to", "uri", "-i", "-v", "a.eml"]);
        run.complains(&["cannot be written at this place"], 0);
        assert_eq!(place.read("a.eml"), mail.as_bytes(), "{body}");
    }
}

#[test]
fn files_within_a_text_are_no_text() {
    let file =
        "begin 644 a\nM:'1T<#HO+V$N97AA;7!L92]B:'1T<#HO+V$N97AA;7!L92]B:'1T<#HO+V$N\n`\nend\n";
    let body = format!("http://a.example/\n{file}http://b.example/\n");
    let place = Place::new(&[("a.eml", &message("", &body))]);
    let run = place.run(&["find", "a.eml"]);
    assert_eq!(
        run.text(),
        "5:1:http://a.example/\n10:1:http://b.example/\n"
    );
    let fields = "Content-Transfer-Encoding: x-uuencode\n";
    let place = Place::new(&[("a.eml", &message(fields, &body))]);
    let run = place.run(&["find", "a.eml"]);
    run.complains(
        &["a.eml: part 1: the transfer encoding is not valid for text"],
        3,
    );
}

#[test]
fn messages_in_no_encoding_of_mail_are_counted() {
    for (encoding, body, why) in [
        (
            "x-uuencode",
            "begin 644 a\n#0V%T\n`\nend\n",
            "the transfer encoding is not valid for mail",
        ),
        (
            "X-UUE",
            "Subject: a\n\nhttp://a.example/\n",
            "the transfer encoding is not valid for mail",
        ),
        (
            "base64",
            "!!!!notbase64\n",
            "expected base64, but found other bytes",
        ),
    ] {
        let fields = format!(
            "Content-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: message/rfc822\n\
             Content-Transfer-Encoding: {encoding}\n\n{body}--x\n\nhttp://b.example/é\n--x--\n"
        );
        let mail = message("", "").trim_end().to_owned() + "\n" + &fields;
        let place = Place::new(&[("a.eml", &mail)]);
        for command in [&["find"][..], &["rewrite", "--to", "uri", "-n"]] {
            let run = place.run(&[command, &["--json", "a.eml"]].concat());
            let objects = run.objects();
            let summary = objects.last().expect("a summary");
            let unread = json!([{"reason": "encoding", "count": 1}]);
            assert_eq!((&summary["unread"], run.code), (&unread, 3), "{encoding}");
        }
        let run = place.run(&["rewrite", "--to", "uri", "-i", "a.eml"]);
        run.complains(&[why, "1 link changed"], 3);
        assert_eq!(place.read("a.eml"), mail.replace('é', "%C3%A9").as_bytes());
    }
}

#[test]
fn a_reference_goes_over_a_fold() {
    let fields = "List-Help: <http://a.example/b\n c/é>\n";
    let place = Place::new(&[("a.eml", &message(fields, ""))]);
    let run = place.run(&["find", "a.eml"]);
    assert_eq!(run.text(), "4:13:http://a.example/bc/é\n");
    place.run(&["rewrite", "--to", "uri", "-i", "a.eml"]);
    let expected = message(&fields.replace('é', "%C3%A9"), "");
    assert_eq!(place.read("a.eml"), expected.as_bytes());
}

#[test]
fn charsets_with_shift_states_fit_into_7bit() {
    let fields = "Content-Type: text/plain; charset=iso-2022-jp\n";
    let mail = message(fields, "<http://a.example/\u{1b}$BI=\u{1b}(B>\n");
    let place = Place::new(&[("a.eml", &mail)]);
    let rule = "http://a.example/ http://b.example/c/";
    place.run(&["rewrite", "--map", rule, "-i", "a.eml"]);
    let expected = mail.replace("a.example/", "b.example/c/");
    assert_eq!(place.read("a.eml"), expected.as_bytes());
}

#[test]
fn encrypted_parts_are_counted() {
    let place = Place::new(&[("a.eml", ENCRYPTED), ("b.eml", MESSAGE)]);
    let objects = place.run(&["find", "--json", "a.eml"]).objects();
    assert_eq!(objects.len(), 1, "{objects:?}");
    assert_eq!(objects[0]["encrypted"], 1);
    place
        .run(&[&["rewrite", "-i", "."], &MAP[..]].concat())
        .complains(
            &["1 part of mail or archives not read (`-v` names them): 1 encrypted"],
            0,
        );
    assert_eq!(place.read("a.eml"), ENCRYPTED.as_bytes());
}

#[test]
fn only_the_encoded_bytes_of_links_are_written() {
    let place = Place::new(&[("a.eml", MESSAGE)]);
    let run = place.run(&[&["rewrite", "-i", "a.eml"], &MAP[..]].concat());
    run.complains(&["3 links changed"], 0);
    let text = String::from_utf8(place.read("a.eml")).expect("ASCII");
    // "http" gets an "s" and "old" becomes "new": the groups after the change are rewritten to the end, in lines as
    // before.
    let expected = MESSAGE
        .replace("http://old.example/help", "https://new.example/help")
        .replace("http://old.exam", "https://new.exam")
        .replace(
            "cDovL29sZC5leGFtcGxlL8OpIj54PC9h\r\nPg==",
            "cHM6Ly9uZXcuZXhhbXBsZS/DqSI+eDwv\r\nYT4=",
        );
    assert_eq!(text, expected);
    // A second run finds nothing to do.
    let again = place.run(&[&["rewrite", "--check", "a.eml"], &MAP[..]].concat());
    assert_eq!((again.text().as_str(), again.code), ("", 0), "{again:?}");
}

#[test]
fn a_run_over_mail_is_taken_back() {
    let files = [
        ("m/cur/1.M1P2.host:2,S", MESSAGE),
        ("m/b.mbox", MAILBOX),
        ("m/c.mht", PAGE),
    ];
    let place = Place::new(&files);
    let run = place.run(&["rewrite", "--to", "uri", "-i", "m"]);
    assert_eq!(run.code, 0, "{run:?}");
    for (name, content) in files {
        assert_ne!(place.read(name), content.as_bytes(), "{name}");
    }
    assert_eq!(place.run(&["undo"]).code, 0);
    for (name, content) in files {
        assert_eq!(place.read(name), content.as_bytes(), "{name}");
    }
}

#[test]
fn changes_are_shown_before_they_are_made() {
    let place = Place::new(&[("a.eml", MESSAGE)]);
    let run = |args: &[&str]| place.run(&[&["rewrite", "a.eml"], &MAP[..], args].concat());
    let listed = run(&["-n"]);
    let rows = "3:13\thttp://old.example/help\thttps://new.example/help
12:1\thttp://old.example/café?a=b\thttps://new.example/café?a=b
18:29\thttp://old.example/é\thttps://new.example/é
";
    assert_eq!(
        (listed.text().as_str(), listed.code),
        (rows, 0),
        "{listed:?}"
    );
    let diff = run(&[]).text();
    assert!(
        diff.contains("\n-http://old.exam=") && diff.contains("\n+https://new.exam="),
        "{diff}"
    );
    assert_eq!(place.read("a.eml"), MESSAGE.as_bytes());
    assert_eq!(run(&["--check"]).code, 1);
    let report = run(&["--report", "r.html"]);
    assert_eq!(report.code, 0, "{report:?}");
    let page = String::from_utf8(place.read("r.html")).expect("UTF-8");
    assert!(
        page.contains("https://new.example/café?a=b") && page.contains("a.eml"),
        "{page}"
    );
}

#[test]
fn what_is_left_behind_is_named_by_its_line() {
    let message = MESSAGE
        .replace("end.\r\n", "ftp://old.example/ =\r\nend.\r\n")
        .replace("PHA+dGV4dDwvcD4K", "PCEtLSBvbGQuZXhhbXBsZSAtLT4K");
    let place = Place::new(&[("a.eml", &message)]);
    let run = place.run(&[&["rewrite", "-i", "a.eml"], &MAP[..], &["--json"]].concat());
    let objects = run.objects();
    let left: Vec<Value> = objects
        .iter()
        .filter(|object| object["type"] == "left-behind")
        .map(|object| json!([object["line"], object["column"], object["host"]]))
        .collect();
    let text = String::from_utf8(place.read("a.eml")).expect("ASCII");
    // In the text, and in a comment of the page.
    let line = |at: usize| text.lines().nth(at - 1).expect("a line");
    assert_eq!(
        left,
        [
            json!([13, 28, "old.example"]),
            json!([19, 7, "old.example"])
        ],
        "{text}"
    );
    assert_eq!(&line(13)[27..38], "old.example");
    assert!(line(19).starts_with("PCEtLSBvbGQuZXhhbXBsZSAtLT4K"));
}

#[test]
fn a_message_gets_no_other_charset() {
    let place = Place::new(&[("a.eml", MESSAGE), ("b.txt", "http://b.example/é")]);
    let run = place.run(&["rewrite", "--to-charset", "koi8-r", "-i", "a.eml", "b.txt"]);
    run.complains(
        &["a.eml: a message cannot get another charset: each of its parts has its own"],
        3,
    );
    assert_eq!(place.read("a.eml"), MESSAGE.as_bytes());
}

#[test]
fn formats_are_named() {
    let place = Place::new(&[
        ("a", MESSAGE),
        ("b", MAILBOX),
        ("c", "Xy: http://a.example/\n\nhttp://c.example/\n"),
    ]);
    let count = |format: &str, name: &str| {
        let run = place.run(&["find", "--format", format, "-c", name]);
        run.text().trim_end().to_owned()
    };
    assert_eq!([count("mail", "a"), count("auto", "a")], ["3", "3"]);
    assert_eq!([count("mbox", "b"), count("auto", "b")], ["3", "3"]);
    // Not every text with a field is mail; as mail, this field is not read.
    assert_eq!([count("mail", "c"), count("auto", "c")], ["1", "2"]);
    let objects = place.pipe(&["find", "--json", "-"], MESSAGE).objects();
    assert_eq!(objects[0]["format"], "mail");
    place
        .run(&["find", "--format", "eml", "a"])
        .complains(&["possible values", "mail, mbox"], 2);
}

#[test]
fn standard_input_is_rewritten() {
    let place = Place::new(&[]);
    let run = place.pipe(&[&["rewrite"], &MAP[..]].concat(), MAILBOX);
    assert_eq!(
        run.text(),
        MAILBOX.replace("http://old", "https://new"),
        "{run:?}"
    );
}

/// Raw octets are written only into parts that declare them.
#[test]
fn octets_are_written_where_they_may_stand() {
    let part = |encoding: &str| {
        format!(
            "From: a@b.example\nSubject: a\nContent-Type: text/plain; charset=utf-8\n{encoding}\nhttp://a.example/%C3%A9\n"
        )
    };
    let cases = [
        ("", "http://a.example/%C3%A9"),
        (
            "Content-Transfer-Encoding: 7bit\n",
            "http://a.example/%C3%A9",
        ),
        ("Content-Transfer-Encoding: 8bit\n", "http://a.example/é"),
        (
            "Content-Transfer-Encoding: quoted-printable\n",
            "http://a.example/=C3=A9",
        ),
    ];
    for (encoding, link) in cases {
        let place = Place::new(&[("a.eml", &part(encoding))]);
        let run = place.run(&["rewrite", "--to", "iri", "--stdout", "a.eml"]);
        assert_eq!(run.text().lines().last(), Some(link), "{run:?}");
    }
}

/// A message in base64 (a List-Help field and a text), header fields in quoted-printable, and a message that wrongly
/// declares base64.
const ENCODED: &str = "From: a@b.example
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=x

--x
Content-Type: message/rfc822
Content-Transfer-Encoding: base64

TGlzdC1IZWxwOiA8aHR0cDovL29sZC5leGFtcGxlLyVDMyVBOT4KQ29udGVudC1UeXBlOiB0ZXh0
L3BsYWluCgpodHRwOi8vb2xkLmV4YW1wbGUvYgo=
--x
Content-Type: text/rfc822-headers
Content-Transfer-Encoding: quoted-printable

Subject: a
List-Help: <http://old.example/?b=3D=
c>
--x
Content-Type: message/rfc822
Content-Transfer-Encoding: base64

Subject: it is not

http://old.example/d
--x--
";

#[test]
fn encoded_messages_are_read_and_written() {
    let place = Place::new(&[("a.eml", ENCODED)]);
    let found = "9:17:http://old.example/%C3%A9\n10:11:http://old.example/b\n16:13:http://old.example/?b=c\n24:1:http://old.example/d\n";
    place.run(&["find", "a.eml"]).prints(found, 0);
    let objects = place.run(&["find", "--json", "a.eml"]).objects();
    let parts = objects.iter().map(|object| object["part"].as_str());
    let expected = ["1/list-help", "1.1", "2/list-help", "3.1"].map(Some);
    assert!(parts.eq(expected.into_iter().chain([None])), "{objects:?}");
    place
        .run(&[&["rewrite", "-i", "a.eml"], &MAP[..]].concat())
        .complains(&["4 links changed in 1 file"], 0);
    let found = place.run(&["find", "-o", "a.eml"]);
    let expected = "https://new.example/%C3%A9\nhttps://new.example/b\nhttps://new.example/?b=c\nhttps://new.example/d\n";
    found.prints(expected, 0);
}

#[test]
fn mentions_in_encoded_messages_are_named_by_their_line() {
    let comment = ENCODED.replace("http://old.example/d", "ftp://old.example/d");
    let place = Place::new(&[("a.eml", &comment)]);
    let run = place.run(&[&["rewrite", "-i", "-v", "a.eml"], &MAP[..]].concat());
    run.complains(&["a.eml:24:7: old.example left behind"], 0);
}

/// Unread parts, each with its reason.
const UNREAD: &[(&str, &str)] = &[
    ("application/ms-tnef; name=winmail.dat", "tnef"),
    ("application/octet-stream; name=winmail.dat", "tnef"),
    ("application/pkcs7-mime; smime-type=signed-data", "pkcs7"),
    (
        "application/pkcs7-mime; smime-type=enveloped-data",
        "encrypted",
    ),
    ("application/octet-stream; name=a.zip", "binary"),
    ("application/pdf", "binary"),
    ("image/png", "media"),
    ("text/plain; charset=koi9-r", "charset"),
];

#[test]
fn parts_that_are_not_read_are_counted_by_their_reason() {
    let parts = UNREAD.iter().map(|(media_type, _)| {
        format!("--x\nContent-Type: {media_type}\n\nhttp://none.example/\n")
    });
    let parts: String = parts.collect();
    let signature = "--x\nContent-Type: application/pgp-signature\n\nhttp://none.example/\n";
    let uuencoded = "--x\n\nbegin 644 a\n#0V%T\n`\nend\n";
    let mail = format!(
        "From: a@b.example\nContent-Type: multipart/mixed; boundary=x\n\n{parts}{signature}{uuencoded}--x--\n"
    );
    let place = Place::new(&[("a.eml", &mail)]);
    let expected = json!([
        {"reason": "encrypted", "count": 1}, {"reason": "tnef", "count": 2}, {"reason": "pkcs7", "count": 1},
        {"reason": "binary", "count": 3}, {"reason": "media", "count": 1}, {"reason": "charset", "count": 1},
    ]);
    for command in [
        &["find", "--json"][..],
        &["rewrite", "--json", "--to", "uri"],
    ] {
        let run = place.run(&[command, &["a.eml"]].concat());
        let objects = run.objects();
        assert_eq!(
            objects.last().map(|summary| &summary["unread"]),
            Some(&expected)
        );
        assert_eq!(run.code, 3);
    }
    let words = "9 parts of mail or archives not read: 1 encrypted, 2 TNEF (winmail.dat), 1 S/MIME as a whole, 3 binary, 1 image, sound, film or font, 1 unknown charset";
    let run = place.run(&["find", "-v", "--stats", "a.eml"]);
    run.complains(
        &[
            words,
            "a.eml: part 1 not read: TNEF (winmail.dat)",
            "a.eml: part 10 not read: binary",
        ],
        3,
    );
}

/// Reports of each kind, some in an encoding.
const REPORTS: &str = "From: a@b.example
Content-Type: multipart/report; report-type=feedback-report; boundary=x

--x
Content-Type: message/feedback-report
Content-Transfer-Encoding: quoted-printable

Feedback-Type: abuse
Reported-URI: http://old.example/?b=3Dc
Reported-URI: mailto:d@old.example

--x
Content-Type: message/disposition-notification

Original-Recipient: rfc822; http://none.example/
Error: see http://old.example/e

--x
Content-Type: message/delivery-status

Reporting-MTA: dns; http://none.example/

Diagnostic-Code: smtp; 550-5.7.1 see
 http://old.example/f 550
--x
Content-Type: text/rfc822-headers

Received: from http://none.example/
Archived-At: <http://old.example/g>
--x--
";

#[test]
fn fields_of_reports_are_read() {
    let place = Place::new(&[("a.eml", REPORTS)]);
    let objects = place.run(&["find", "--json", "a.eml"]).objects();
    let links = objects.iter().filter(|object| object["type"] == "link");
    let found: Vec<(&str, &str)> = links
        .map(|link| {
            [&link["part"], &link["text"]]
                .map(|value| value.as_str().unwrap_or_default())
                .into()
        })
        .collect();
    let expected = [
        ("1/reported-uri", "http://old.example/?b=c"),
        ("1/reported-uri", "mailto:d@old.example"),
        ("2/error", "http://old.example/e"),
        ("3/diagnostic-code", "http://old.example/f"),
        ("4/archived-at", "http://old.example/g"),
    ];
    assert_eq!(found, expected);
}

/// `Content-Length` counts the body: if it is right, links there stay, and links in the message header change.
#[test]
fn links_under_a_content_length_stay() {
    let from = "From a@b.example Mon Jan  1 00:00:00 2024\n";
    let body = "http://a.example/é\n\nFrom c@d.example Tue Jan  2 00:00:00 2024\nSubject: b\n\nhttp://b.example/é\n";
    let second = "Subject: c\n\nhttp://c.example/é\n";
    let mailbox = |length: usize| {
        let fields = format!(
            "List-Help: <http://l.example/é>\nContent-Type: text/plain; charset=utf-8\n\
             Content-Transfer-Encoding: 8bit\nContent-Length: {length}\n\n"
        );
        format!("{from}{fields}{body}\n{from}{second}")
    };
    let place = Place::new(&[
        ("a.mbox", &mailbox(body.len())),
        ("wrong.mbox", &mailbox(body.len() + 7)),
        ("long.mbox", &mailbox(2 << 20)),
    ]);
    let rewrite = |name| {
        place.run(&[
            "rewrite",
            "--map",
            "http://a.example/ https://a.example/",
            "--to",
            "uri",
            "--stdout",
            name,
        ])
    };
    let kept = |name| {
        let text = rewrite(name).text();
        assert!(
            text.contains("List-Help: <http://l.example/%C3%A9>\n"),
            "{text}"
        );
        text.contains("\nhttp://a.example/é\n")
    };
    assert!(kept("a.mbox") && kept("long.mbox") && !kept("wrong.mbox"));
    let objects = place.run(&["find", "--json", "a.mbox"]).objects();
    let notes: Vec<_> = objects
        .iter()
        .map(|link| link["notes"].to_string())
        .collect();
    assert_eq!(
        notes[..4],
        [
            "[]",
            "[\"left-serialized\"]",
            "[\"left-serialized\"]",
            notes[3].as_str()
        ]
    );
    assert!(!notes[3].contains("left-serialized"), "{notes:?}");
}

/// A part says itself that it is flowed. Words behind a line end stay in other parts, whatever the caller says of text.
#[test]
fn flowed_text_is_what_a_part_declares() {
    let mail = |kind: &str| {
        format!(
            "From: a@b.example\nContent-Type: text/plain{kind}\n\nVoir http://a.example/x \nsuite\n"
        )
    };
    let place = Place::new(&[("d", "")]);
    let rule = "re:^http://a.example/.*$ http://b.example/y";
    for (kind, options, end) in [
        ("", &["--flowed"][..], "y \nsuite"),
        ("", &["--flowed", "--join-wrapped"], "y \nsuite"),
        ("; format=flowed", &["--flowed"], "y \nsuite"),
        ("; format=fixed; delsp=yes", &["--flowed"], "y \nsuite"),
        ("; format=flowed; delsp=yes", &[], "y"),
    ] {
        let text = mail(kind);
        let options = [&["rewrite", "--format", "mail", "--map", rule], options].concat();
        let expected = text.replace("a.example/x \nsuite", &format!("b.example/{end}"));
        place.pipe(&options, text.as_str()).prints(&expected, 0);
    }
    let text = "Voir http://a.example/x \nsuite\n";
    let options = ["rewrite", "--flowed", "--map", rule];
    place
        .pipe(&options, text)
        .prints("Voir http://b.example/y\n", 0);
}
