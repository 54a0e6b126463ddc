//! Archives attached to mail that `rewrite` writes.

use super::*;
use crate::support::Ran;

const MAP: [&str; 2] = [
    "--map",
    "re:^http://([a-z]+)\\.example/$ https://new.example/$1",
];

fn rewrite(place: &Place, options: &[&str]) -> Ran {
    place.run(&[&["rewrite"], &MAP[..], options].concat())
}

/// An archive as `rewrite` writes it as a file of its own.
fn alone(name: &str, content: &[u8]) -> Vec<u8> {
    let place = Place::new(&[]);
    place.write(name, content);
    let run = rewrite(&place, &["-i", name]);
    assert_eq!(run.code, 0, "{run:?}");
    let new = place.read(name);
    assert_ne!(new, content);
    new
}

fn site() -> Vec<u8> {
    zip(&[("d/b.txt", b"http://text.example/"), ("a.html", PAGE)])
}

/// The attachments of [`mail`], as they should be.
fn new_mail() -> String {
    let inner = alone("a.zip", &site());
    message(&[
        part(ZIP, &inner),
        part(GZIP, &alone("a.gz", &gzip(PAGE))),
        part(UNNAMED, &alone("a.zip", &zip(&[("in.zip", &site())]))),
        part("Content-Type: application/pdf; name=a.zip", b"%PDF-1.4"),
    ])
    .replace("http://body.example/", "https://new.example/body")
}

/// The body of a part.
fn body(part: &str) -> &str {
    part.split_once("\n\n").unwrap().1
}

fn run_of(message: &str) -> &str {
    let (_, rest) = message.split_once("undo ").expect("a run");
    rest.split('`').next().expect("an end")
}

/// Each attachment is what `rewrite` makes of it as a file, and nothing else changes. The message can be restored.
#[test]
fn attachments_are_what_they_are_as_files() {
    for (old, new) in [
        (mail(), new_mail()),
        (
            mail().replace("http://body", "http://b-o-d-y"),
            new_mail().replace("https://new.example/body", "http://b-o-d-y.example/"),
        ),
    ] {
        for line_break in ["\n", "\r\n"] {
            let (old, new) = (old.replace('\n', line_break), new.replace('\n', line_break));
            let place = Place::new(&[("d/m.eml", &old)]);
            let run = rewrite(&place, &["-i", "d"]);
            assert_eq!(run.code, 0, "{run:?}");
            assert_eq!(String::from_utf8_lossy(&place.read("d/m.eml")), new);
            rewrite(&place, &["-i", "d"]);
            assert_eq!(String::from_utf8_lossy(&place.read("d/m.eml")), new);
            assert_eq!(place.run(&["undo", run_of(&run.err)]).code, 0);
            assert_eq!(String::from_utf8_lossy(&place.read("d/m.eml")), old);
            assert_eq!(rewrite(&place, &["-O", "o", "d"]).code, 0);
            assert_eq!(String::from_utf8_lossy(&place.read("o/m.eml")), new);
            assert_eq!(String::from_utf8_lossy(&place.read("d/m.eml")), old);
        }
    }
}

/// Rows, diffs, counts and exit codes name the entries as `find` does, whether or not anything is written.
#[test]
fn entries_are_named_as_found() {
    let place = Place::new(&[("d/m.eml", &mail())]);
    let paths = |run: &Ran| -> Vec<_> {
        let objects = run.objects();
        let edits = objects.iter().filter(|row| row["type"] == "edit");
        edits
            .map(|row| row["path"].as_str().unwrap().to_owned())
            .collect()
    };
    let mut expected = vec!["d/m.eml".to_owned()];
    expected.extend(FOUND.map(|row| format!("d/m.eml!{}", row.split(":1:").next().unwrap())));
    for options in [
        &["-n", "--json", "d"][..],
        &["--check", "--json", "d"],
        &["-O", "o", "--json", "d"],
        &["-i", "--json", "d"],
    ] {
        let run = rewrite(&place, options);
        assert_eq!(paths(&run), expected, "{options:?}: {run:?}");
        let last = run.objects().pop().unwrap();
        assert_eq!((&last["files"], &last["changed"]), (&json!(6), &json!(6)));
        assert_eq!(last["unread"], json!([{"reason": "binary", "count": 1}]));
        assert_eq!(run.code, i32::from(options.contains(&"--check")), "{run:?}");
    }
    place.write("d/m.eml", mail().as_bytes());
    let diff = rewrite(&place, &["d"]).text();
    assert!(diff.contains("+++ d/m.eml!/4!/in.zip!/d/b.txt\n"), "{diff}");
    let run = rewrite(&place, &["-n", "--stats", "d"]);
    assert!(
        run.err.contains("6 files read, 5 of them in archives"),
        "{run:?}"
    );
    assert_eq!(place.read("d/m.eml"), mail().as_bytes());
    let run = rewrite(&place, &["-i", "--stats", "d"]);
    assert!(run.err.contains("6 links changed in 6 files"), "{run:?}");
}

/// Links of archives that a signature or a length covers, or whose encoding cannot be written, are left with a note.
#[test]
fn covered_attachments_are_left() {
    let archive = part(ZIP, &zip(&[("a.html", PAGE)]));
    let inside = message(std::slice::from_ref(&archive));
    let signed = inside.replace(
        "Content-Type: multipart/mixed; boundary=x\n\n",
        "Content-Type: multipart/signed; boundary=y\n\n--y\nContent-Type: multipart/mixed; boundary=x\n\n",
    ) + "--y\nContent-Type: application/pgp-signature\n\nx\n--y--\n";
    let dkim = format!("DKIM-Signature: v=1; h=from; bh=x; b=y\n{inside}");
    let digest = inside.replace(ZIP, &format!("Content-MD5: x\n{ZIP}"));
    let partly = format!("DKIM-Signature: v=1; h=from; l=400; bh=x; b=y\n{inside}");
    for (mail, name) in [
        (&signed, "signed"),
        (&dkim, "dkim"),
        (&digest, "digest"),
        (&partly, "partly"),
    ] {
        let place = Place::new(&[("d/m.eml", mail)]);
        let run = rewrite(&place, &["-i", "--json", "d"]);
        let rows = run.objects();
        let row = rows
            .iter()
            .find(|row| row["path"] != "d/m.eml" && row["type"] == "left");
        let row = row.unwrap_or_else(|| panic!("{name}: {run:?}"));
        assert_eq!(row["notes"], json!(["left-signed"]), "{name}: {row}");
        assert_eq!(row["new"], json!(null), "{name}");
        let new = String::from_utf8(place.read("d/m.eml")).unwrap();
        assert!(new.contains(body(&archive)), "{name}");
        let run = rewrite(&place, &["-i", "--break-signatures", "d"]);
        assert_eq!(run.code, 0, "{run:?}");
        let new = String::from_utf8(place.read("d/m.eml")).unwrap();
        let expected = part(ZIP, &alone("a.zip", &zip(&[("a.html", PAGE)])));
        assert!(new.contains(body(&expected)), "{name}");
    }
}

#[test]
fn attachments_that_cannot_be_written_are_left() {
    let archive = part(ZIP, &zip(&[("a.html", PAGE)]));
    let inside = message(std::slice::from_ref(&archive)).replace("http://body.example/", "words");
    let (_, body) = inside.split_once("\n\n").unwrap();
    let length = format!("\nContent-Length: {}\n\n", body.len());
    let counted = inside.replacen("\n\n", &length, 1);
    let mailbox = format!("From a@b Thu Jan  1 00:00:00 2020\n{counted}");
    let junk = inside.replace("--x--", "-- \nthe list\n--x--");
    let quoted: String = zip(&[("a.html", PAGE)])
        .iter()
        .map(|byte| format!("={byte:02X}=\n"))
        .collect();
    let quoted = message(&[format!(
        "--x\n{ZIP}\nContent-Transfer-Encoding: quoted-printable\n\n{quoted}\n"
    )]);
    let quoted = quoted.replace("http://body.example/", "words");
    for (name, mail, note) in [
        ("m.mbox", &mailbox, "left-serialized"),
        ("m.eml", &junk, "left-unencodable"),
        ("m.eml", &quoted, "left-unencodable"),
    ] {
        let place = Place::new(&[(name, mail)]);
        for options in [&["-n", "--json", name][..], &["-i", "--json", name]] {
            let run = rewrite(&place, options);
            let rows = run.objects();
            assert_eq!(rows[0]["notes"], json!([note]), "{run:?}");
            let last = rows.last().unwrap();
            assert_eq!((&last["changed"], &last["left"]), (&json!(0), &json!(1)));
        }
        assert_eq!(place.read(name), mail.as_bytes(), "{note}");
    }
}

/// A damaged archive stays as it is, and its neighbours change.
#[test]
fn damaged_attachments_are_never_written() {
    let (good, short) = (site(), gzip(PAGE));
    let damaged = |changes: bool| {
        let other = if changes {
            alone("a.zip", &good)
        } else {
            good.clone()
        };
        message(&[
            part(GZIP, &short[..short.len() - 2]),
            part(ZIP, &good[..good.len() - 30]),
            part(ZIP, &other),
        ])
    };
    let place = Place::new(&[("m.eml", &damaged(false))]);
    let run = rewrite(&place, &["-i", "m.eml"]);
    run.complains(&["m.eml!/2/é.html.gz: ", "m.eml!/3/a b.zip: "], 3);
    let expected = damaged(true).replace("http://body.example/", "https://new.example/body");
    assert_eq!(String::from_utf8_lossy(&place.read("m.eml")), expected);
}

/// Messages in archives, in encodings and in mailboxes.
#[test]
fn messages_within_others() {
    let (old, new) = (mail(), new_mail());
    let from = "From a@b Thu Jan  1 00:00:00 2020\n";
    let forwarded = |mail: &str| {
        message(&[
            part("Content-Type: message/rfc822", mail.as_bytes()).replace("rfc822", "global"),
            part(GZIP, &gzip(PAGE)),
        ])
    };
    let mailbox = |mail: &str| format!("{from}{mail}\n{from}{mail}\n");
    let place = Place::new(&[("d/a.mbox", &mailbox(&old)), ("d/b.eml", &forwarded(&old))]);
    place.write("d/c.zip", &zip(&[("m.eml", old.as_bytes())]));
    place.write("d/d.mbox.gz", &gzip(mailbox(&old).as_bytes()));
    let before = place.run(&["find", "-o", "d"]).text();
    assert!(before.contains("http://page.example/"));
    let run = rewrite(&place, &["-i", "d"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(
        String::from_utf8_lossy(&place.read("d/a.mbox")),
        mailbox(&new)
    );
    let after = place.run(&["find", "-o", "d"]).text();
    let pairs = ["page", "text", "body"].map(|name| {
        (
            format!("http://{name}.example/"),
            format!("https://new.example/{name}"),
        )
    });
    let expected = pairs
        .iter()
        .fold(before, |text, (from, to)| text.replace(from, to));
    assert_eq!(after, expected);
    assert_eq!(place.run(&["undo", run_of(&run.err)]).code, 0);
    assert_eq!(
        String::from_utf8_lossy(&place.read("d/b.eml")),
        forwarded(&old)
    );
}

/// A mailbox that is too long for memory.
#[test]
fn long_mailboxes_are_written() {
    let from = "From a@b Thu Jan  1 00:00:00 2020\n";
    let filler = format!(
        "{from}From: a@b.example\n\n{}\n",
        "words and words\n".repeat(4096)
    );
    let mailbox = |mail: &str| format!("{from}{mail}\n{}{from}{mail}\n", filler.repeat(160));
    let (old, new) = (mailbox(&mail()), mailbox(&new_mail()));
    let place = Place::new(&[("m.mbox", &old)]);
    let run = rewrite(&place, &["-i", "m.mbox"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(place.read("m.mbox") == new.as_bytes());
    assert_eq!(place.run(&["undo", run_of(&run.err)]).code, 0);
    assert!(place.read("m.mbox") == old.as_bytes());
}

/// An archive without an encoding ends where its part ends.
#[test]
fn attachments_without_an_encoding_are_written() {
    let mail = |archive: &[u8]| {
        let mut mail = message(&[]).into_bytes();
        mail.truncate(mail.len() - "--x--\n".len());
        mail.extend_from_slice(
            b"--x\nContent-Type: application/zip\nContent-Transfer-Encoding: binary\n\n",
        );
        mail.extend_from_slice(archive);
        mail.extend_from_slice(b"\n--x--\n");
        mail
    };
    let place = Place::new(&[]);
    let archive = zip(&[("a.html", PAGE)]);
    place.write("d/m.eml", &mail(&archive));
    let run = rewrite(&place, &["-i", "--slots", "attribute", "d"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(place.read("d/m.eml"), mail(&alone("a.zip", &archive)));
}
