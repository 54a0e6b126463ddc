//! Archives attached to mail: `find` reads their entries, `rewrite` writes them.

mod written;

use crate::samples::{ZipForm, zip_of};
use crate::support::{Place, gzip};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;
use std::fmt::Write as _;

fn zip(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let owned = entries.iter();
    let owned: Vec<_> = owned
        .map(|(name, content)| ((*name).to_owned(), content.to_vec()))
        .collect();
    zip_of(&owned, ZipForm::default())
}

/// A part in base64, with lines of 76 characters.
fn part(header: &str, content: &[u8]) -> String {
    let encoded = STANDARD.encode(content);
    let mut part = format!("--x\n{header}\nContent-Transfer-Encoding: base64\n\n");
    for at in (0..encoded.len()).step_by(76) {
        let _ = writeln!(part, "{}", &encoded[at..encoded.len().min(at + 76)]);
    }
    part
}

fn message(parts: &[String]) -> String {
    let parts = parts.concat();
    format!(
        "From: a@b.example\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nsee http://body.example/\n{parts}--x--\n"
    )
}

const PAGE: &[u8] = b"<a href=http://page.example/>";
const ZIP: &str =
    "Content-Type: application/zip\nContent-Disposition: attachment; filename=\"a b.zip\"";
const GZIP: &str = "Content-Type: application/gzip; name=\"=?utf-8?q?=C3=A9.html.gz?=\"";
const UNNAMED: &str = "Content-Type: application/octet-stream";

/// An archive with a name, a compressed page, an archive in an archive without a name, and a file that is none.
fn mail() -> String {
    let inner = zip(&[("d/b.txt", b"http://text.example/"), ("a.html", PAGE)]);
    message(&[
        part(ZIP, &inner),
        part(GZIP, &gzip(PAGE)),
        part(UNNAMED, &zip(&[("in.zip", &inner)])),
        part("Content-Type: application/pdf; name=a.zip", b"%PDF-1.4"),
    ])
}

const FOUND: [&str; 5] = [
    "/2/a b.zip!/d/b.txt:1:1:http://text.example/",
    "/2/a b.zip!/a.html:1:9:http://page.example/",
    "/3/é.html.gz:1:9:http://page.example/",
    "/4!/in.zip!/d/b.txt:1:1:http://text.example/",
    "/4!/in.zip!/a.html:1:9:http://page.example/",
];

/// The rows of the attachments of a message, whose numbers have a prefix.
fn rows(path: &str, prefix: &str) -> String {
    let rows = FOUND.iter();
    let rows = rows.map(|row| format!("{path}!/{prefix}{}\n", &row[1..]));
    rows.collect()
}

#[test]
fn entries_are_found_behind_the_message() {
    let place = Place::new(&[("m.eml", &mail())]);
    let expected = format!("7:5:http://body.example/\n{}", rows("m.eml", ""));
    place.run(&["find", "m.eml"]).prints(&expected, 0);
    let objects = place.run(&["find", "--json", "m.eml"]).objects();
    let last = objects.last().unwrap();
    assert_eq!(last["unread"], json!([{"reason": "binary", "count": 1}]));
    assert_eq!((&last["files"], &last["links"]), (&json!(6), &json!(6)));
    assert_eq!(objects[1]["path"], "m.eml!/2/a b.zip!/d/b.txt");
    let run = place.run(&["find", "-v", "m.eml"]);
    run.complains(&["m.eml: part 5 not read: binary"], 0);
    assert!(!run.err.contains("part 2"), "{run:?}");
    let counts = place.run(&["find", "-l", "m.eml"]).text();
    assert_eq!(counts.lines().count(), 6, "{counts}");
}

#[test]
fn mailboxes_and_mail_in_archives() {
    let (mail, from) = (mail(), "From a@b Thu Jan  1 00:00:00 2020\n");
    let inner = part("Content-Type: message/rfc822", mail.as_bytes());
    let outer = message(&[inner.replace("message/rfc822", "MESSAGE/RFC822")]);
    let mailbox = format!("{from}{mail}\n{from}{outer}\n");
    let place = Place::new(&[("d/a.mbox", &mailbox)]);
    place.write("d/b.mbox.gz", &gzip(mailbox.as_bytes()));
    place.write("d/c.zip", &zip(&[("m.eml", mail.as_bytes())]));
    let found = place.run(&["find", "d"]);
    for path in ["d/a.mbox", "d/b.mbox.gz"] {
        for prefix in ["1:", "2:2."] {
            assert!(found.text().contains(&rows(path, prefix)), "{found:?}");
        }
    }
    assert!(
        found.text().contains(&rows("d/c.zip!/m.eml", "")),
        "{found:?}"
    );
    assert_eq!(place.run(&["find", "-j", "1", "d"]).out, found.out);
}

/// A mailbox that is too long for memory is read twice, or kept in a temporary file.
#[test]
fn long_mailboxes_in_archives() {
    let from = "From a@b Thu Jan  1 00:00:00 2020\n";
    let filler = format!(
        "{from}From: a@b.example\n\n{}\n",
        "words and words\n".repeat(4096)
    );
    let mailbox = format!("{from}{}\n{}", mail(), filler.repeat(160));
    assert!(mailbox.len() > 8 << 20);
    let place = Place::new(&[]);
    place.write("b.mbox.gz", &gzip(mailbox.as_bytes()));
    place.write("c.zip", &zip(&[("m.mbox", mailbox.as_bytes())]));
    let found = place.run(&["find", "."]);
    assert!(
        found.text().contains(&rows("./b.mbox.gz", "1:")),
        "{found:?}"
    );
    assert!(
        found.text().contains(&rows("./c.zip!/m.mbox", "1:")),
        "{found:?}"
    );
    assert_eq!((found.code, found.err.as_str()), (0, ""));
}

/// Without containers, on standard input and on standard output, attachments are counted, and stay.
#[test]
fn attachments_are_counted_elsewhere() {
    let mail = mail().replace("http://body", "http://old");
    let place = Place::new(&[("m.eml", &mail)]);
    let unread = json!([{"reason": "binary", "count": 4}]);
    let piped = place.pipe(&["find", "--json", "--format", "mail"], mail.as_str());
    for run in [
        place.run(&["find", "--json", "--no-containers", "m.eml"]),
        place.run(&[
            "rewrite",
            "--json",
            "--no-containers",
            "--to",
            "uri",
            "m.eml",
        ]),
        piped,
    ] {
        assert_eq!(run.objects().last().unwrap()["unread"], unread, "{run:?}");
    }
    let map = ["--map", "re:^(https?)://(.*)$ $1://new.example/$2"];
    let expected = mail.replace("http://old.example/", "http://new.example/old.example/");
    let run = place.run(&[&["rewrite", "--stdout", "m.eml"], &map[..]].concat());
    assert_eq!((run.text(), run.code), (expected.clone(), 0), "{run:?}");
    let run = place.run(&[&["rewrite", "-i", "--no-containers", "m.eml"], &map[..]].concat());
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(String::from_utf8_lossy(&place.read("m.eml")), expected);
}

#[test]
fn limits_hold_in_attachments() {
    let bomb = gzip(&vec![b' '; 3 << 20]);
    let mail = message(&[part(GZIP, &bomb), part(ZIP, &zip(&[("a.html", PAGE)]))]);
    let place = Place::new(&[("m.eml", &mail)]);
    let run = place.run(&["find", "--max-ratio", "100", "m.eml"]);
    run.complains(&["m.eml!/2/é.html.gz: ", "--max-ratio"], 3);
    assert!(
        run.text().contains("m.eml!/3/a b.zip!/a.html:1:9:"),
        "{run:?}"
    );
    let run = place.run(&["find", "--max-depth", "1", "m.eml"]);
    run.complains(&["m.eml!/3/a b.zip: ", "--max-depth"], 3);
}

#[test]
fn damaged_attachments_are_errors() {
    let archive = zip(&[("a.html", PAGE), ("b.html", PAGE)]);
    let mail = message(&[
        part(ZIP, &archive[..archive.len() - 60]),
        part(GZIP, &gzip(PAGE)),
    ]);
    let place = Place::new(&[("m.eml", &mail)]);
    let run = place.run(&["find", "m.eml"]);
    run.complains(&["m.eml!/2/a b.zip: "], 3);
    assert!(
        run.text().contains("m.eml!/2/a b.zip!/a.html:1:9:"),
        "{run:?}"
    );
    assert!(run.text().contains("m.eml!/3/é.html.gz:1:9:"), "{run:?}");
}

#[test]
fn types_and_globs_choose_in_attachments() {
    let place = Place::new(&[("d/m.eml", &mail())]);
    let run = place.run(&["find", "-g", "*.eml", "-g", "!*.txt", "d"]);
    let paths: Vec<_> = run.text().lines().map(str::to_owned).collect();
    assert!(paths.iter().any(|row| row.contains("!/a.html:")), "{run:?}");
    assert!(!paths.iter().any(|row| row.contains("b.txt")), "{run:?}");
}

/// An archive between the borders of a multipart needs no encoding.
#[test]
fn attachments_without_an_encoding() {
    let mut mail = message(&[]).into_bytes();
    mail.truncate(mail.len() - "--x--\n".len());
    mail.extend_from_slice(
        b"--x\nContent-Type: application/zip\nContent-Transfer-Encoding: binary\n\n",
    );
    mail.extend_from_slice(&zip(&[("a.html", PAGE)]));
    mail.extend_from_slice(b"\n--x--\n");
    let place = Place::new(&[]);
    place.write("m.eml", &mail);
    let expected = "7:5:http://body.example/\nm.eml!/2!/a.html:1:9:http://page.example/\n";
    place.run(&["find", "m.eml"]).prints(expected, 0);
}
