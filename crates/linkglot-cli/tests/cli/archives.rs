//! Archives and compressed files: their entries are documents.

use crate::samples::{TarForm, ZipForm, tar_of, zip_of};
use crate::support::{Place, gunzip, gzip};
use linkglot_archive::zip::Archive;
use linkglot_archive::{Codec, Decoder, Encoder, Parameters};
use sha2::{Digest, Sha512};
use std::io::{Cursor, Read, Write};

const PAGE: &[u8] = "<meta charset=utf-8><a href='http://old.example/é'>x</a>".as_bytes();
const NEW: &[u8] = b"<meta charset=utf-8><a href='http://old.example/%C3%A9'>x</a>";
const PLAIN: &[u8] = b"<a href=/b>";

fn files(files: &[(&str, &[u8])]) -> Vec<(String, Vec<u8>)> {
    let owned = files.iter();
    owned
        .map(|(name, content)| ((*name).to_owned(), content.to_vec()))
        .collect()
}

fn zip(entries: &[(&str, &[u8])]) -> Vec<u8> {
    zip_of(&files(entries), ZipForm::default())
}

fn tar(entries: &[(&str, &[u8])]) -> Vec<u8> {
    tar_of(
        &files(entries),
        TarForm {
            pax: true,
            others: true,
            ended: true,
            ..TarForm::default()
        },
    )
}

fn unzip(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut archive = Archive::open(Cursor::new(bytes)).unwrap();
    let entries = 0..archive.len();
    entries
        .map(|at| {
            let entry = archive.entry(at).unwrap();
            let mut content = Vec::new();
            archive
                .content(at, &entry)
                .unwrap()
                .read_to_end(&mut content)
                .unwrap();
            (String::from_utf8(entry.name).unwrap(), content)
        })
        .collect()
}

/// A directory with containers of each kind, one in another.
fn archives() -> Place {
    let place = Place::new(&[("d/plain.html", "<a href=/b>")]);
    let inner = zip(&[
        ("mimetype", b"application/epub+zip"),
        ("a/b.html", PAGE),
        ("i.png", b"\x89PNG\r\n\x1A\n\0"),
    ]);
    place.write("d/page.html.gz", &gzip(PAGE));
    place.write("d/site.zip", &inner);
    place.write(
        "d/site.tar",
        &tar(&[
            ("./c.html", PAGE),
            ("in.zip", &inner),
            ("in.html.gz", &gzip(PAGE)),
        ]),
    );
    place.write(
        "d/site.tar.gz",
        &gzip(&tar(&[("c.html", PAGE), ("x.html", PLAIN)])),
    );
    place.write("d/same.zip", &zip(&[("x.html", PLAIN)]));
    place
}

#[test]
fn entries_are_found() {
    let place = archives();
    let found = place.run(&["find", "d"]);
    let rows: Vec<_> = found
        .text()
        .lines()
        .map(|line| {
            line.split_once(".example")
                .map_or(line, |(begin, _)| begin)
                .to_owned()
        })
        .collect();
    assert_eq!(
        rows,
        [
            "d/page.html.gz:1:30:http://old",
            "d/plain.html:1:9:/b",
            "d/same.zip!/x.html:1:9:/b",
            "d/site.tar!/c.html:1:30:http://old",
            "d/site.tar!/in.zip!/a/b.html:1:30:http://old",
            "d/site.tar!/in.html.gz:1:30:http://old",
            "d/site.tar.gz!/c.html:1:30:http://old",
            "d/site.tar.gz!/x.html:1:9:/b",
            "d/site.zip!/a/b.html:1:30:http://old",
        ]
    );
    for threads in ["1", "3"] {
        assert_eq!(place.run(&["find", "-j", threads, "d"]).out, found.out);
    }
    // An archive may hold several documents, a compressed file one.
    assert!(
        place
            .run(&["find", "d/site.zip"])
            .text()
            .starts_with("d/site.zip!/a/b.html:1:30:")
    );
    assert!(
        place
            .run(&["find", "d/page.html.gz"])
            .text()
            .starts_with("1:30:")
    );
    let object = &place.run(&["find", "--json", "d/site.zip"]).objects()[0];
    assert_eq!(
        (object["path"].as_str(), object["start"].as_u64()),
        (Some("d/site.zip!/a/b.html"), Some(29))
    );
    assert_eq!(
        (object["format"].as_str(), object["charset"].as_str()),
        (Some("html"), Some("UTF-8"))
    );
}

#[test]
fn containers_may_be_files_like_others() {
    let place = archives();
    let found = place.run(&["find", "--no-containers", "--stats", "d"]);
    assert_eq!(found.text(), "d/plain.html:1:9:/b\n");
    assert!(found.err.contains("5 binary files"), "{}", found.err);
    place
        .run(&["find", "--no-containers", "d/site.zip"])
        .complains(&["binary file"], 2);
}

#[test]
fn archives_are_rewritten_and_restored() {
    let place = archives();
    let names = [
        "page.html.gz",
        "site.zip",
        "site.tar",
        "site.tar.gz",
        "same.zip",
        "plain.html",
    ];
    let read = |directory: &str| names.map(|name| place.read(&format!("{directory}/{name}")));
    let old = read("d");
    let done = place.run(&["rewrite", "--to", "uri", "-i", "d"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let new = read("d");
    assert_eq!(gunzip(&new[0]), NEW);
    let entries = unzip(&new[1]);
    assert_eq!(entries[1], ("a/b.html".to_owned(), NEW.to_vec()));
    assert_eq!(
        (entries.len(), &entries[0], &entries[2]),
        (3, &unzip(&old[1])[0], &unzip(&old[1])[2])
    );
    let in_tar = |bytes: &[u8]| memchr::memmem::find_iter(bytes, NEW).count();
    assert_eq!((in_tar(&new[2]), in_tar(&gunzip(&new[3]))), (1, 1));
    assert_eq!((&new[4], &new[5]), (&old[4], &old[5]));
    // The same rewrite changes nothing more.
    place.run(&["rewrite", "--to", "uri", "-i", "d"]);
    assert_eq!(read("d"), new);
    // In another directory, the same archives arise.
    place.run(&["undo", &run_of(&done.err)]);
    assert_eq!(read("d"), old);
    assert_eq!(
        place.run(&["rewrite", "--to", "uri", "-O", "o", "d"]).code,
        0
    );
    assert_eq!(read("o"), new);
    // A later run sees what the rewrite wrote.
    let found = place.run(&["find", "-o", "--host", "old.example", "o"]);
    assert!(
        found
            .text()
            .lines()
            .all(|link| link == "http://old.example/%C3%A9")
    );
    assert_eq!(found.text().lines().count(), 6);
}

fn run_of(message: &str) -> String {
    let (_, rest) = message.split_once("undo ").expect("a run");
    rest.split('`').next().expect("an end").to_owned()
}

#[test]
fn changes_are_shown_entry_by_entry() {
    let place = archives();
    let diff = place.run(&["rewrite", "--to", "uri", "d/site.zip"]);
    assert!(
        diff.text()
            .starts_with("--- d/site.zip!/a/b.html\n+++ d/site.zip!/a/b.html\n@@ -1 +1 @@\n"),
        "{}",
        diff.text()
    );
    let table = place.run(&["rewrite", "--to", "uri", "-n", "d/site.tar"]);
    table.complains(&["files read, ", " of them in archives ("], 0);
    assert_eq!(table.text().lines().count(), 3);
    assert!(
        table.text().starts_with("d/site.tar!/c.html:1:30\t"),
        "{}",
        table.text()
    );
    assert_eq!(
        place
            .run(&["rewrite", "--to", "uri", "--check", "d/site.zip"])
            .code,
        1
    );
    assert_eq!(
        place
            .run(&["rewrite", "--to", "uri", "--check", "d/same.zip"])
            .code,
        0
    );
    place
        .run(&["rewrite", "--to", "uri", "--stdout", "d/site.zip"])
        .complains(&["an archive"], 2);
    assert!(
        place
            .run(&["rewrite", "--to", "uri", "--report", "r.html", "d"])
            .err
            .is_empty()
            || place.read("r.html").len() > 1000
    );
    let page = String::from_utf8(place.read("r.html")).unwrap();
    assert!(page.contains("d/site.tar!/in.zip!/a/b.html"));
}

#[test]
fn globs_and_types_choose_entries() {
    let place = archives();
    place.write(
        "d/mixed.zip",
        &zip(&[
            ("a.txt", b"http://a.example/"),
            ("a.css", b"a{b:url(/c)}"),
            (".h/b.txt", b"http://b.example/"),
            (".git/x.txt", b"http://c.example/"),
        ]),
    );
    let rows = |args: &[&str]| {
        let found = place.run(&[&["find", "-l"], args, &["d"]].concat());
        found.text().lines().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(
        rows(&["--type", "text"]),
        ["d/mixed.zip!/a.txt", "d/mixed.zip!/.h/b.txt"]
    );
    assert_eq!(
        rows(&["--type", "text", "--no-hidden"]),
        ["d/mixed.zip!/a.txt"]
    );
    assert_eq!(rows(&["--glob", "*.css"]), ["d/mixed.zip!/a.css"]);
    assert_eq!(
        rows(&["--glob", "mixed.zip", "--glob", "!*.css"]),
        ["d/mixed.zip!/a.txt", "d/mixed.zip!/.h/b.txt"]
    );
    assert_eq!(
        rows(&["--glob", "*.gz"]),
        [
            "d/page.html.gz",
            "d/site.tar!/in.html.gz",
            "d/site.tar.gz!/c.html",
            "d/site.tar.gz!/x.html"
        ]
    );
    assert_eq!(rows(&["--glob", "page.html"]), ["d/page.html.gz"]);
    // A file that is no archive is chosen by its own name.
    place.write("d/text.zip", b"http://a.example/");
    assert_eq!(rows(&["--glob", "*.css"]), ["d/mixed.zip!/a.css"]);
}

#[test]
fn entries_have_bases() {
    let place = archives();
    let uri = |args: &[&str]| {
        let run = place.run(&[&["find", "--json", "--base", "http://b.example/s/"], args].concat());
        run.objects()[0].clone()
    };
    // The archive that is named is like a directory.
    let place_of = |args: &[&str]| uri(args)["path"].as_str().map(str::to_owned);
    assert_eq!(
        place_of(&["d/same.zip"]).as_deref(),
        Some("d/same.zip!/x.html")
    );
    place.write(
        "d/same.zip",
        &zip(&[("a/x.html", b"<a href=http://b.example/s/c.html>")]),
    );
    let run = place.run(&[
        "rewrite",
        "--relative-to",
        "http://b.example/",
        "--base",
        "http://b.example/s/",
        "d/same.zip",
    ]);
    assert!(
        run.text().contains("+<a href=../c.html>"),
        "{} {}",
        run.text(),
        run.err
    );
}

#[test]
fn signed_packages_are_left() {
    let place = Place::new(&[]);
    let signed = zip(&[
        ("content.html", PAGE),
        ("META-INF/documentsignatures.xml", b"<x/>"),
    ]);
    place.write("a.odt", &signed);
    let left = place.run(&["rewrite", "--to", "uri", "--json", "-i", "a.odt"]);
    assert_eq!(
        left.objects()[0]["notes"],
        serde_json::json!(["left-signed"])
    );
    assert_eq!(place.read("a.odt"), signed);
    place.run(&[
        "rewrite",
        "--to",
        "uri",
        "--break-signatures",
        "-i",
        "a.odt",
    ]);
    assert_eq!(unzip(&place.read("a.odt"))[0].1, NEW);
}

/// Signatures of widgets, programs and extensions cover the package, wherever they stand in it.
#[test]
fn other_signed_packages_are_left() {
    let place = Place::new(&[]);
    let with = |signature: &str| zip(&[("content.html", PAGE), (signature, b"x")]);
    let front = [&b"Cr24\x03\0\0\0\x04\0\0\0abcd"[..], &with("manifest.txt")].concat();
    let relations = b"<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">\
        <Relationship Type=\"http://schemas.openxmlformats.org/package/2006/relationships/digital-signature/origin\" Target=\"/x/o\"/>\
        </Relationships>";
    let of_parts = zip(&[
        ("content.html", PAGE),
        ("_rels/.rels", relations),
        ("x/o", b""),
    ]);
    for (name, signed) in [
        ("a.wgt", with("signature1.xml")),
        ("b.wgt", with("author-signature.xml")),
        ("a.xps", of_parts),
        ("a.ipa", with("Payload/A.app/_CodeSignature/CodeResources")),
        ("a.zip", with("_metadata/verified_contents.json")),
        ("a.crx", front),
    ] {
        place.write(name, &signed);
        let args = ["rewrite", "--to", "uri", "-i", name];
        let ran = place.run(&args);
        ran.complains(&["signed (`--break-signatures`)"], 0);
        assert_eq!(place.read(name), signed, "{name}");
        place.run(&[&args[..], &["--break-signatures"]].concat());
        assert_ne!(place.read(name), signed, "{name}");
    }
}

/// An archive whose name is its digest keeps its entries, and an entry keeps its links for its own name.
#[test]
fn archives_named_by_their_content_are_left() {
    const SHA256: &str = "22de5f2f0a11192bb5b5b2e7c9c0d476ba5a3e495e15cf4dfebabd0ff56cd3c2";
    let place = Place::new(&[]);
    let named = format!("blobs/{SHA256}");
    let archive = tar(&[(&named, b"http://old.example/a\n"), ("b.html", PAGE)]);
    place.write("a.tar", &archive);
    let args = [
        "rewrite",
        "--map",
        "http://old.example/ https://new.example/",
        "-i",
    ];
    let ran = place.run(&[&args[..], &["a.tar"]].concat());
    ran.complains(&["its name gives the SHA-256 of its content"], 3);
    let new = place.read("a.tar");
    let holds = |text: &str| memchr::memmem::find(&new, text.as_bytes()).is_some();
    assert!(
        holds("http://old.example/a\n") && holds("https://new.example/"),
        "{ran:?}"
    );
    let archive = tar(&[("b.html", PAGE)]);
    let digest = Sha512::digest(&archive);
    let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    let name = format!("sha512-{digest}");
    place.write(&name, &archive);
    place.write(&format!("in/{name}"), &archive);
    for more in [&["-i", &*name][..], &["-O", "out", "in"]] {
        let ran = place.run(&[&args[..3], more].concat());
        ran.complains(&["its name gives the SHA-512 of its content"], 3);
        assert_eq!(place.read(&name), archive);
    }
    assert_eq!(place.read(&format!("out/{name}")), archive);
}

#[test]
fn damaged_archives_are_read_and_left() {
    let place = Place::new(&[("d/z.html", "<a href=/z>")]);
    let cut = gzip(&tar(&[("a.html", PAGE), ("b.html", PAGE)]));
    place.write("d/cut.tar.gz", &cut[..cut.len() - 30]);
    let mut wrong = zip(&[("a.html", PAGE), ("b.html", PAGE)]);
    // A bit of the data of the second entry.
    let mut headers = wrong.windows(4);
    let second = headers.rposition(|bytes| bytes == b"PK\x03\x04");
    wrong[second.unwrap() + 60] ^= 1;
    place.write("d/wrong.zip", &wrong);
    let found = place.run(&["find", "-l", "d"]);
    assert_eq!(found.code, 3);
    for row in ["d/wrong.zip!/a.html\n", "d/z.html\n"] {
        assert!(found.text().contains(row), "{}", found.text());
    }
    for error in ["d/wrong.zip!/b.html: ", "d/cut.tar.gz: "] {
        assert!(found.err.contains(error), "{}", found.err);
    }
    let arguments = ["rewrite", "--to", "uri", "-O", "o", "d"];
    assert_eq!(place.run(&arguments).code, 3);
    assert_eq!(place.read("o/wrong.zip"), wrong);
    assert_eq!(place.run(&["rewrite", "--to", "uri", "-i", "d"]).code, 3);
    assert_eq!(place.read("d/wrong.zip"), wrong);
    assert_eq!(place.read("d/cut.tar.gz"), cut[..cut.len() - 30]);
}

/// A damaged archive is an error, also where only its name tells that it is one. Pages with such names are read.
#[test]
fn damaged_archives_are_known_by_their_names() {
    let whole = tar(&[("a.html", PAGE), ("b.html", PAGE)]);
    let mut flipped = whole.clone();
    flipped[1] ^= 1;
    let mut deflate = gzip(&whole);
    deflate[12] ^= 0xFF;
    let script = [&b"#!/bin/sh\nexit\n"[..], &zip(&[("a.html", PAGE)])].concat();
    let mut magic = gzip(PAGE);
    magic[2] = 9;
    let archives = [
        ("flipped.tar", flipped.clone()),
        ("flipped.tar.gz", gzip(&flipped)),
        ("flipped.tgz", gzip(&flipped)),
        ("deflate.tar.gz", deflate),
        ("cut.tar", whole[..172].to_vec()),
        ("cut.tar.gz", gzip(&whole)[..25].to_vec()),
        ("cut.zip", script[..script.len() - 30].to_vec()),
        (
            "shifted.jar",
            [&script[..10], &script[11..script.len() - 9]].concat(),
        ),
        ("magic.html.gz", magic),
        ("zeros.zip", vec![0; 1024]),
        ("lost.tar", [vec![0; 512], whole.clone()].concat()),
        ("in.zip", zip(&[("in.tar", &flipped)])),
    ];
    for (name, bytes) in &archives {
        let place = Place::new(&[]);
        place.write(&format!("d/{name}"), bytes);
        let path = format!("d/{name}");
        for path in ["d", &path] {
            let found = place.run(&["find", path]);
            assert!(found.code == 2 && found.out.is_empty(), "{name}: {found:?}");
            assert!(found.err.contains(name), "{name}: {found:?}");
            for more in [&["-i"][..], &["-O", "o"], &["-n"], &[]] {
                let ran = place.run(&[&["rewrite", "--to", "uri"], more, &[path]].concat());
                assert_eq!(ran.code, 2, "{name}: {ran:?}");
                assert!(ran.err.contains(name), "{name}: {ran:?}");
            }
        }
        assert_eq!(&place.read(&path), bytes, "{name}");
        assert_eq!(&place.read(&format!("o/{name}")), bytes, "{name}");
        place.write("d/z.html", PLAIN);
        assert_eq!(place.run(&["find", "d"]).code, 3, "{name}");
    }
    let place = Place::new(&[("d/page.zip", "<a href=/b>"), ("d/page.tar", "<a href=/b>")]);
    place.write("d/other.cbz", b"Rar!\x1A\x07\0\0");
    let found = place.run(&["find", "--stats", "d"]);
    assert_eq!(found.code, 0, "{found:?}");
    assert!(found.err.contains("1 binary file"), "{found:?}");
}

/// A tar archive without entries is one.
#[test]
fn archives_without_entries() {
    let place = Place::new(&[]);
    place.write("e.tar", &[0; 10240]);
    place.write("e.tgz", &gzip(&[0; 10240]));
    place.write("e.bin", &[0; 10240]);
    for name in ["e.tar", "e.tgz"] {
        place.run(&["find", name]).prints("", 1);
        assert_eq!(place.run(&["rewrite", "--to", "uri", "-i", name]).code, 0);
    }
    place.run(&["find", "e.bin"]).complains(&["binary file"], 2);
}

/// A damaged archive is never written, wherever the damage is: entries that are copied are checked.
#[test]
fn entries_that_are_copied_are_checked() {
    let place = Place::new(&[]);
    for stored in [true, false] {
        let form = ZipForm {
            stored,
            ..ZipForm::default()
        };
        let entries = files(&[
            ("x.bin", &[0; 4000][..]),
            ("a.html", PAGE),
            ("y.bin", b"\0\x01\x02"),
        ]);
        let sound = zip_of(&entries, form);
        let mut wrong = sound.clone();
        // A bit of the data, or of the sum in both headers where the data is compressed.
        if stored {
            wrong[2000] ^= 1;
        } else {
            let record = wrong.windows(4).position(|bytes| bytes == b"PK\x01\x02");
            wrong[14] ^= 1;
            wrong[record.unwrap() + 16] ^= 1;
        }
        place.write("a.zip", &wrong);
        let ran = place.run(&["rewrite", "--to", "uri", "-i", "a.zip"]);
        ran.complains(&["a.zip!/x.bin: the checksum of the entry"], 3);
        assert_eq!(place.read("a.zip"), wrong);
        // Nothing is written, so nothing is checked.
        place
            .run(&["find", "-o", "a.zip"])
            .prints("http://old.example/é\n", 0);
        place.write("b.zip", &sound);
        assert_eq!(
            place.run(&["rewrite", "--to", "uri", "-i", "b.zip"]).code,
            0
        );
        assert_ne!(place.read("b.zip"), sound);
    }
}

/// Brotli is known by its name, if the content can be that.
#[test]
fn files_in_brotli() {
    let base = b"\x0B\x02\x80hello\x03";
    let parameters = Parameters::of(Codec::Brotli, &mut &base[..]).unwrap();
    let packed = |content: &[u8]| {
        let mut encoder = Encoder::new(&parameters, Vec::new()).unwrap();
        encoder.write_all(content).unwrap();
        encoder.finish().unwrap()
    };
    let unpacked = |data: &[u8]| {
        let mut content = Vec::new();
        let mut decoder = Decoder::new(Codec::Brotli, data).unwrap();
        decoder.read_to_end(&mut content).unwrap();
        content
    };
    let page = PAGE.repeat(40);
    let data = packed(&page);
    // Words of Portuguese in Latin-1.
    let text = b"uma p\xE1gina: http://old.example/t \xE9 isso\n";
    let place = Place::new(&[("d/a.txt.br", "see http://old.example/u\n")]);
    place.write("d/page.html.br", &data);
    place.write("d/cut.html.br", &data[..data.len() - 2]);
    place.write("d/b.txt.br", text);
    place.write("d/in.zip", &zip(&[("page.html.br", &data)]));
    let found = place.run(&["find", "-c", "d"]);
    assert_eq!(found.code, 3, "{found:?}");
    for row in [
        "d/page.html.br:40\n",
        "d/in.zip!/page.html.br:40\n",
        "d/a.txt.br:1\n",
        "d/b.txt.br:1\n",
    ] {
        assert!(found.text().contains(row), "{found:?}");
    }
    let cut = "d/cut.html.br: the Brotli data is cut off";
    assert!(found.err.contains(cut), "{found:?}");
    let html = place.run(&["find", "-c", "--type", "html", "d/page.html.br"]);
    html.prints("40\n", 0);
    let ran = place.run(&["rewrite", "--to", "uri", "-i", "d"]);
    assert_eq!(ran.code, 3, "{ran:?}");
    let new = NEW.repeat(40);
    assert_eq!(unpacked(&place.read("d/page.html.br")), new);
    assert_eq!(unpacked(&unzip(&place.read("d/in.zip"))[0].1), new);
    assert_eq!(place.read("d/cut.html.br"), &data[..data.len() - 2]);
    assert_eq!(place.read("d/b.txt.br"), text);
    place.run(&["undo", &run_of(&ran.err)]);
    assert_eq!(place.read("d/page.html.br"), data);
}

/// A damaged document has the links in front of the damage, but none that may go on behind it.
#[test]
fn damaged_documents_are_found_in_as_far_as_they_are_sound() {
    let links: Vec<String> = (0..40)
        .map(|number| format!("http://old.example/{number}/{:x}", number * 7919 % 10_007))
        .collect();
    let of = |begin: &str, end: &str| -> String {
        let rows = links.iter().map(|link| format!("{begin}{link}{end}\n"));
        rows.collect()
    };
    let mail = "From: a@b.example\nContent-Type: text/plain\n\n";
    let documents = [
        ("a.html", of("<p><a href='", "'>x</a>")),
        ("a.txt", of("see ", " or")),
        ("a.md", of("a [link](", ")\n")),
        ("a.eml", mail.to_owned() + &of("see ", " or")),
        ("a.ics", "BEGIN:VCALENDAR\n".to_owned() + &of("URL:", "")),
        ("a.json", format!("[{}1]", of("\"", "\","))),
    ];
    let place = Place::new(&[]);
    for (name, text) in &documents {
        let text = text.as_bytes();
        let whole = gzip(text);
        place.write(&format!("d/{name}.gz"), &whole[..whole.len() * 2 / 3]);
        let mut packed = zip(&[(name, text), ("z.html", PLAIN)]);
        place.write(
            &format!("d/{name}.cut.zip"),
            &packed[..packed.len() * 2 / 3],
        );
        // The sum in both headers of the first entry.
        let record = packed.windows(4).position(|bytes| bytes == b"PK\x01\x02");
        packed[14] ^= 1;
        packed[record.unwrap() + 16] ^= 1;
        place.write(&format!("d/{name}.sum.zip"), &packed);
        let archive = tar(&[("other.html", PLAIN), (name, text)]);
        let begin = archive.windows(text.len()).position(|all| all == text);
        let cut = &archive[..begin.unwrap() + text.len() / 2];
        place.write(&format!("d/{name}.tar"), cut);
        place.write(&format!("d/{name}.in.zip"), &zip(&[("in.tar", cut)]));
    }
    for (name, _) in &documents {
        for (file, entry) in [
            ("gz", String::new()),
            ("cut.zip", format!("!/{name}")),
            ("sum.zip", format!("!/{name}")),
            ("tar", format!("!/{name}")),
            ("in.zip", format!("!/in.tar!/{name}")),
        ] {
            let path = format!("d/{name}.{file}");
            let entry = path.clone() + &entry;
            let found = place.run(&["find", "--json", &path]);
            assert_eq!(found.code, 3, "{found:?}");
            assert!(found.err.contains(&format!("{entry}: ")), "{found:?}");
            let objects = found.objects();
            let is_own = |object: &&serde_json::Value| {
                object["type"] == "link" && object["path"] == entry.as_str()
            };
            let own: Vec<_> = objects.iter().filter(is_own).collect();
            let texts: Vec<_> = own
                .iter()
                .map(|link| link["text"].as_str().unwrap())
                .collect();
            let expected = &links[..texts.len().min(links.len())];
            assert_eq!(texts, expected, "{entry}");
            assert!(texts.len() >= 10, "{entry}: {texts:?}");
            let links = objects.iter().filter(|object| object["type"] == "link");
            assert_eq!(objects.last().unwrap()["links"], links.count(), "{entry}");
            let rows = place.run(&["find", "-o", &path]);
            let rows = rows.text().matches("http://old.example/").count();
            assert_eq!(rows, texts.len(), "{entry}");
            let counts = place.run(&["find", "-c", &path]);
            let count = texts.len().to_string();
            let is_it = |line: &str| line.rsplit(':').next() == Some(&count);
            assert!(counts.text().lines().any(is_it), "{counts:?}");
            let old = place.read(&path);
            for more in [&["-i"][..], &["-n"], &["-O", "o"], &[]] {
                let arguments = [
                    &["rewrite", "--to", "uri", "--map"][..],
                    &["http://old.example/ http://new.example/"],
                    more,
                    &[&path],
                ];
                let ran = place.run(&arguments.concat());
                assert!(ran.code >= 2 && !ran.text().contains(&entry), "{ran:?}");
                assert_eq!(place.read(&path), old, "{path}");
            }
        }
    }
    let ran = place.run(&["find", "--charsets", "d/a.txt.gz"]);
    ran.complains(&["d/a.txt.gz: the gzip data is cut off"], 2);
}

/// Links of an archive that fails do not count as changed, nor do those of an archive in another one.
#[test]
fn links_of_archives_that_fail_are_not_written() {
    let whole = tar(&[("a.html", PAGE), ("b.html", PAGE), ("c.html", PLAIN)]);
    let name = |bytes: &[u8]| bytes.starts_with(b"c.html");
    let cut = &whole[..whole.windows(6).rposition(name).unwrap() + 520];
    let place = Place::new(&[("d/c.html", std::str::from_utf8(PAGE).unwrap())]);
    place.write("d/cut.tar", cut);
    place.write(
        "d/around.tar",
        &tar(&[("x.html", PAGE), ("in.tar", cut), ("z.html", PAGE)]),
    );
    let run = |arguments: &[&str]| {
        let ran = place.run(&[&["rewrite", "--to", "uri"], arguments].concat());
        assert_eq!(ran.code, 3, "{ran:?}");
        ran
    };
    let ran = run(&["--report", "r.html", "-O", "o", "d"]);
    for line in [
        ": 3 links changed in 3 files\n",
        ": 4 links in 4 files not written, since the archive failed\n",
    ] {
        assert!(ran.err.contains(line), "{}", ran.err);
    }
    let report = String::from_utf8(place.read("r.html")).unwrap();
    assert!(
        report.contains("<p>4 links in 4 files not written"),
        "{report}"
    );
    assert_eq!(place.read("o/cut.tar"), cut);
    let objects = run(&["--json", "-i", "d"]).objects();
    let summary = objects.last().unwrap();
    let numbers = [
        "changed",
        "files_changed",
        "files_written",
        "files_to_change",
    ];
    assert_eq!(
        numbers.map(|name| summary[name].as_u64()),
        [7, 7, 3, 4].map(Some),
        "{summary}"
    );
    assert_eq!(place.read("d/cut.tar"), cut);
}

/// An archive that is cut off has lost its directory: `find` reads the entries in front of the cut and says so.
#[test]
fn archives_that_are_cut_off_are_read() {
    let entries = [("a.html", PAGE), ("b.html", PAGE), ("c.html", PAGE)];
    let whole = zip(&entries);
    let record = |bytes: &[u8]| bytes.starts_with(b"PK\x03\x04");
    let last = whole.windows(4).rposition(record).unwrap();
    let place = Place::new(&[]);
    let cut = &whole[..last + 70];
    place.write("cut.zip", cut);
    place.write("around.tar", &tar(&[("in.zip", cut), ("z.html", PAGE)]));
    let found = place.run(&["find", "cut.zip", "around.tar"]);
    assert_eq!(found.code, 3);
    for row in [
        "cut.zip!/a.html:1:30:",
        "cut.zip!/b.html:1:30:",
        "around.tar!/in.zip!/b.html:1:30:",
        "around.tar!/z.html:",
    ] {
        assert!(found.text().contains(row), "{}", found.text());
    }
    for error in [
        "cut.zip!/c.html: ",
        "cut.zip: damaged zip archive: expected the central directory at the end of the file\n",
        "around.tar!/in.zip: damaged zip archive: ",
    ] {
        assert!(found.err.contains(error), "{}", found.err);
    }
    for arguments in [&["-i"][..], &["-O", "o"], &["-n"], &[]] {
        let arguments = [&["rewrite", "--to", "uri"][..], arguments, &["cut.zip"]].concat();
        let ran = place.run(&arguments);
        assert!(ran.code >= 2 && !ran.text().contains(".html"), "{ran:?}");
        assert!(
            ran.err.contains("cut.zip: damaged zip archive: "),
            "{ran:?}"
        );
    }
    assert_eq!(place.read("cut.zip"), cut);
    assert!(!place.path("o/cut.zip").exists() || place.read("o/cut.zip") == cut);
}

#[test]
fn encrypted_entries_are_counted() {
    let place = Place::new(&[]);
    let mut archive = zip(&[("a.html", PAGE), ("b.html", PLAIN)]);
    // The flag in the local header and in the record of the first entry.
    archive[6] |= 1;
    let record = archive
        .windows(4)
        .position(|bytes| bytes == b"PK\x01\x02")
        .unwrap();
    archive[record + 8] |= 1;
    place.write("a.zip", &archive);
    let found = place.run(&["find", "--json", "-v", "a.zip"]);
    let objects = found.objects();
    let summary = objects.last().unwrap();
    assert_eq!(
        (summary["encrypted"].as_u64(), summary["links"].as_u64()),
        (Some(1), Some(1))
    );
    assert!(
        found.err.contains("a.zip!/a.html: not read: encrypted"),
        "{}",
        found.err
    );
    assert_eq!(found.code, 0);
}

#[test]
fn bombs_end_in_errors() {
    let place = Place::new(&[("z.html", "<a href=/z>")]);
    let bomb = gzip(&vec![b' '; 3 << 20]);
    place.write(
        "bomb.zip",
        &zip_of(
            &files(&[("a.html.gz", &bomb), ("b.html", PAGE)]),
            ZipForm {
                stored: true,
                ..ZipForm::default()
            },
        ),
    );
    let mut deep = PAGE.to_vec();
    for _ in 0..9 {
        deep = gzip(&deep);
    }
    place.write("deep.gz", &deep);
    let found = place.run(&["find", "-l", "--max-ratio", "100", "."]);
    assert_eq!(found.code, 3);
    assert!(
        found.err.contains("bomb.zip!/a.html.gz: ") && found.err.contains("--max-ratio"),
        "{}",
        found.err
    );
    assert!(
        found.err.contains("deep.gz: ") && found.err.contains("--max-depth"),
        "{}",
        found.err
    );
    assert_eq!(found.text(), "./bomb.zip!/b.html\n./z.html\n");
    let found = place.run(&["find", "-l", "--max-depth", "9", "--max-ratio", "5000", "."]);
    assert_eq!(
        (found.code, found.text().lines().count()),
        (0, 3),
        "{}",
        found.err
    );
}

/// What was decompressed in vain counts once: archives in archives end with a single error.
#[test]
fn nested_bombs_end_in_one_error() {
    let place = Place::new(&[]);
    let bomb = gzip(&vec![b' '; 1 << 20]);
    let names = ["a.gz", "b.gz", "c.gz", "d.gz"];
    let mut nested = zip(&names.map(|name| (name, &bomb[..])));
    for _ in 0..3 {
        nested = zip(&names.map(|name| (name, &nested[..])));
    }
    nested = zip(&[("x.zip", &nested), ("y.html", PAGE)]);
    place.write("nested.zip", &nested);
    let found = place.run(&["find", "-l", "--max-ratio", "10", "nested.zip"]);
    assert_eq!(found.code, 3);
    assert_eq!(found.text(), "nested.zip!/y.html\n");
    let errors: Vec<_> = found.err.lines().collect();
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(
        errors[0].starts_with("linkglot: nested.zip!/x.zip: "),
        "{errors:?}"
    );
}

/// Names of entries lead nowhere: nothing is unpacked.
#[test]
fn names_of_entries_lead_nowhere() {
    let place = Place::new(&[]);
    place.write(
        "d/a.zip",
        &zip(&[("../../up.html", PAGE), ("/abs.html", PAGE)]),
    );
    let before = place.names(".");
    assert_eq!(
        place.run(&["find", "-l", "d/a.zip"]).text(),
        "d/a.zip!/../../up.html\nd/a.zip!//abs.html\n"
    );
    assert_eq!(
        place.run(&["rewrite", "--to", "uri", "-O", "o", "d"]).code,
        0
    );
    let names: Vec<_> = place
        .names(".")
        .into_iter()
        .filter(|name| !before.contains(name))
        .collect();
    assert!(names.iter().all(|name| name.starts_with('o')), "{names:?}");
    assert_eq!(unzip(&place.read("o/a.zip")).len(), 2);
}

/// Links in packages of EPUB, OOXML and ODF: external ones change, names of parts stay.
#[test]
fn packages() {
    let place = Place::new(&[]);
    let rels = "<Relationships xmlns='http://schemas.openxmlformats.org/package/2006/relationships'>\
        <Relationship Id='a' Type='http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink' Target='http://old.example/é' TargetMode='External'/>\
        <Relationship Id='b' Type='http://old.example/type' Target='média.xml'/></Relationships>";
    place.write(
        "a.docx",
        &zip(&[("word/_rels/document.xml.rels", rels.as_bytes())]),
    );
    place.run(&["rewrite", "--to", "uri", "-i", "a.docx"]);
    let new = String::from_utf8(unzip(&place.read("a.docx"))[0].1.clone()).unwrap();
    assert_eq!(new, rels.replace("old.example/é", "old.example/%C3%A9"));
}

/// The relationships of a part of Office Open XML.
fn relationships(rows: &str) -> String {
    format!(
        "<Relationships xmlns='http://schemas.openxmlformats.org/package/2006/relationships'>{rows}</Relationships>"
    )
}

const TYPES: &[u8] =
    b"<Types xmlns='http://schemas.openxmlformats.org/package/2006/content-types'/>";
const BOOK: &[u8] = b"application/epub+zip";
const TEXT: &[u8] = b"application/vnd.oasis.opendocument.text";
const LINKS: &str = "<all xmlns:x='http://www.w3.org/1999/xlink'>\
    <a x:href='./Object é'/><a x:href='Bild.png#a'/><a x:href='../é.odt'/><a x:href='http://old.example/é'/></all>";

/// A copy of the first entry whose name ends so.
fn entry(archive: &[u8], name: &str) -> String {
    let entries = unzip(archive);
    let (_, content) = entries.iter().find(|(own, _)| own.ends_with(name)).unwrap();
    String::from_utf8(content.clone()).unwrap()
}

/// Relationships lead to parts by name; references lead out of the package, from where that is.
#[test]
fn parts_of_office_open_xml_keep_their_names() {
    let place = Place::new(&[]);
    let rows = "<Relationship Id='a' Target='../media/é.png'/><Relationship Id='b' Target='/word/é.xml'/>\
        <Relationship Id='c' TargetMode='External' Target='other.docx'/>\
        <Relationship Id='d' TargetMode='External' Target='\\\\server\\share'/>\
        <Relationship Id='e' TargetMode='External' Target='http://old.example/d/é'/>";
    let rels = relationships(rows);
    let parts: &[(&str, &[u8])] = &[
        ("[Content_Types].xml", TYPES),
        ("word/_rels/document.xml.rels", rels.as_bytes()),
    ];
    place.write("s/dl/a.docx", &zip(parts));
    let base = ["--base", "https://old.example/"];
    let rule = ["--map", "http://old.example/ https://new.example/"];
    let moved = rels.replace("http://old.example/d/", "https://new.example/d/");
    for (options, expected) in [
        (vec!["--to", "uri"], rels.replace("e/d/é", "e/d/%C3%A9")),
        (
            vec!["--absolute", base[0], base[1]],
            rels.replace("'other.docx", "'https://old.example/dl/other.docx"),
        ),
        (
            vec!["--map-resolved", base[0], base[1], rule[0], rule[1]],
            moved.clone(),
        ),
        (rule.to_vec(), moved),
    ] {
        place.run(&[&["rewrite", "-O", "o"], &options[..], &["s"]].concat());
        let new = entry(&place.read("o/dl/a.docx"), ".rels");
        assert_eq!(new, expected, "{options:?}");
    }
    // Also in a package that is embedded in another one.
    let outer = zip(&[("[Content_Types].xml", TYPES), ("word/a.xlsx", &zip(parts))]);
    place.write("s/dl/b.docx", &outer);
    let links = place
        .run(&["find", "--json", base[0], base[1], "s"])
        .objects();
    let others = links.iter().filter(|link| link["text"] == "other.docx");
    let resolved: Vec<_> = others.map(|link| &link["resolved"]).collect();
    assert_eq!(resolved, ["https://old.example/dl/other.docx"; 2]);
}

/// References to other parts of a book, or of a document of OpenDocument, stay: readers look for these by name.
#[test]
fn parts_keep_their_names() {
    let base = ["--base", "http://old.example/d/"];
    let rule = ["--map", "http://old.example/ https://new.example/"];
    for (kind, name) in [(BOOK, "a.epub"), (TEXT, "a.odt")] {
        let place = Place::new(&[]);
        place.write(
            &format!("s/{name}"),
            &zip(&[("mimetype", kind), ("content.xml", LINKS.as_bytes())]),
        );
        for (options, expected) in [
            (
                vec!["--to", "uri"],
                LINKS
                    .replace("../é", "../%C3%A9")
                    .replace("example/é", "example/%C3%A9"),
            ),
            (
                vec!["--absolute", base[0], base[1]],
                LINKS.replace("../é", "http://old.example/d/é"),
            ),
            (
                vec!["--map-resolved", base[0], base[1], rule[0], rule[1]],
                LINKS
                    .replace("../é", "https://new.example/d/é")
                    .replace("http://old.example/é", "https://new.example/é"),
            ),
            (
                vec!["--relative-to", "http://old.example/", base[0], base[1]],
                LINKS.to_owned(),
            ),
        ] {
            place.run(&[&["rewrite", "-O", "o"], &options[..], &["s"]].concat());
            let new = entry(&place.read(&format!("o/{name}")), "content.xml");
            assert_eq!(new, expected, "{name} {options:?}");
        }
    }
    // In other archives, they are files of a site.
    let place = Place::new(&[]);
    place.write("a.zip", &zip(&[("content.xml", LINKS.as_bytes())]));
    place.run(&["rewrite", "--to", "uri", "-i", "a.zip"]);
    assert!(entry(&place.read("a.zip"), "content.xml").contains("./Object%20%C3%A9"));
}

/// The type of a package is fixed, and parts are read in UTF-8 and UTF-16 alone.
#[test]
fn charsets_of_packages() {
    let place = Place::new(&[]);
    let page = "<?xml version='1.0' encoding='UTF-8'?><a>é</a>";
    let book: &[(&str, &[u8])] = &[("mimetype", BOOK), ("a.xml", page.as_bytes())];
    let office: &[(&str, &[u8])] = &[
        ("[Content_Types].xml", TYPES),
        ("word/a.xml", page.as_bytes()),
    ];
    for (name, parts) in [("a.epub", book), ("a.docx", office)] {
        place.write(name, &zip(parts));
        let ran = place.run(&["rewrite", "--to-charset", "windows-1252", "-i", name]);
        ran.complains(&["a.xml", "their readers know no other charset"], 3);
        assert_eq!(place.read(name), zip(parts));
        assert_eq!(
            place
                .run(&["rewrite", "--to-charset", "utf-16", "-i", name])
                .code,
            0
        );
    }
    let new = unzip(&place.read("a.epub"));
    assert_eq!(new[0].1, BOOK);
    assert!(new[1].1.starts_with(b"\xFF\xFE<\0"));
}

/// The text of a page of XPS is drawn with the glyphs that stand beside it.
#[test]
fn text_with_glyphs_stays() {
    let place = Place::new(&[]);
    let page = "<FixedPage xmlns='http://schemas.microsoft.com/xps/2005/06'>\
        <Glyphs UnicodeString='http://old.example/a' Indices='1;2'/>\
        <Path FixedPage.NavigateUri='http://old.example/b'/></FixedPage>";
    place.write(
        "a.xps",
        &zip(&[("[Content_Types].xml", TYPES), ("1.fpage", page.as_bytes())]),
    );
    place.run(&[
        "rewrite",
        "--move",
        "old.example",
        "https://new.example",
        "-i",
        "a.xps",
    ]);
    let new = entry(&place.read("a.xps"), "1.fpage");
    assert_eq!(
        new,
        page.replace("http://old.example/b", "https://new.example/b")
    );
}

/// On standard input an archive is a document, in which no link may change.
#[test]
fn archives_on_standard_input_are_refused() {
    let place = Place::new(&[]);
    let stored = ZipForm {
        stored: true,
        ..ZipForm::default()
    };
    let zip = zip_of(&files(&[("a.html", PAGE)]), stored);
    let gz = gzip(PAGE);
    for (archive, words) in [(zip, "a zip archive"), (gz, "compressed data")] {
        let ran = place.pipe(&["rewrite", "--map", "http://old.example/ /"], archive);
        ran.complains(&["-: expected a document, found", words], 3);
        assert!(ran.out.is_empty());
    }
}

/// What is no document on standard input is told: `find` lists nothing of it.
#[test]
fn streams_that_are_no_documents_are_refused() {
    let place = Place::new(&[]);
    let stored = ZipForm {
        stored: true,
        ..ZipForm::default()
    };
    for (input, words, code) in [
        (
            zip_of(&files(&[("a.html", PAGE)]), stored),
            "a zip archive",
            3,
        ),
        (gzip(PAGE), "compressed data", 3),
        (tar(&[("a.html", PAGE)]), "a tar archive", 3),
        (
            b"WARC/1.0\r\nWARC-Type: resource\r\n\r\n".to_vec(),
            "a WARC or ARC file",
            3,
        ),
        (
            b"http://old.example/ \0\x01\x02".to_vec(),
            "a binary file",
            2,
        ),
    ] {
        for more in [&[][..], &["--json"], &["-c"], &["--charsets"], &["-"]] {
            let ran = place.pipe(&[&["find"], more].concat(), input.clone());
            ran.complains(&["-: expected a document, found", words], code);
        }
    }
    let nul = b"http://old.example/\0".to_vec();
    place
        .pipe(&["find", "-o", "--format", "text"], nul)
        .prints("http://old.example/\n", 0);
    let wide: Vec<u8> = "see http://old.example/ \r\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    place
        .pipe(&["find", "-o"], wide)
        .prints("http://old.example/\n", 0);
    place.pipe(&["find", "-o"], "").prints("", 1);
}

/// An entry in LZMA, made by Python's `zipfile`: `a.html` with [`PAGE`] in double quotation marks.
const LZMA: &str = "UEsDBD8AAgAOAAAAIVDmNGUcTQAAADkAAAAGAAAAYS5odG1sCQQFAF0AAIAAAB4bSKd3YocnGWBhP+rWhsu7oFWDajS9pEZMwXxSCZjxT/Wf\
    SEvjgTK5nVUR2rSWvHqPfQ0QQZVQ7CDonWjE/++DuABQSwECPwM/AAIADgAAACFQ5jRlHE0AAAA5AAAABgAAAAAAAAAAAAAAgAEAAAAAYS5odG1s\
    UEsFBgAAAAABAAEANAAAAHEAAAAAAA==";

#[test]
fn entries_in_lzma() {
    use base64::Engine;
    let archive = base64::engine::general_purpose::STANDARD.decode(LZMA);
    let archive = archive.unwrap();
    let place = Place::new(&[]);
    place.write("a.zip", &archive);
    let expected = "a.zip!/a.html:1:30:http://old.example/é\n";
    place.run(&["find", "a.zip"]).prints(expected, 0);
    let run = place.run(&["rewrite", "-i", "--to", "uri", "a.zip"]);
    run.complains(&["1 link changed in 1 file"], 0);
    let new = [(
        "a.html".to_owned(),
        String::from_utf8_lossy(NEW)
            .replace('\'', "\"")
            .into_bytes(),
    )];
    assert_eq!(unzip(&place.read("a.zip")), new);
    assert_eq!(place.run(&["undo"]).code, 0);
    assert_eq!(place.read("a.zip"), archive);
    // Damage in the data, and in its properties.
    for at in [60, 40] {
        let mut damaged = archive.clone();
        damaged[at] ^= 0x55;
        place.write("a.zip", &damaged);
        place
            .run(&["find", "a.zip"])
            .complains(&["a.zip!/a.html: "], 2);
    }
}

/// A header of tar, with its checksum.
fn header(name: &str, kind: u8, size: usize) -> Vec<u8> {
    let mut header = vec![0; 512];
    header[..name.len()].copy_from_slice(name.as_bytes());
    header[124..135].copy_from_slice(format!("{size:011o}").as_bytes());
    header[156] = kind;
    header[257..265].copy_from_slice(b"ustar\x0000");
    header
}

/// An entry of tar.
fn stored(mut header: Vec<u8>, content: &[u8]) -> Vec<u8> {
    header[148..156].fill(b' ');
    let sum: u32 = header[..512].iter().map(|&byte| u32::from(byte)).sum();
    header[148..154].copy_from_slice(format!("{sum:06o}").as_bytes());
    header.extend_from_slice(content);
    header.resize(header.len().next_multiple_of(512), 0);
    header
}

/// The stored parts of a sparse file: a page, which is text by its begin, a hole, and a link; a hole is at the end.
fn first() -> Vec<u8> {
    [&b"<a href=http://a.example/>"[..], &b" words".repeat(300)].concat()
}

const LAST: &[u8] = b"<a href=http://b.example/>";
const AT: usize = 5000;
const SIZE: usize = 9000;

/// The file as it is stored in each form of sparse files.
fn sparse() -> Vec<(&'static str, Vec<u8>)> {
    let data = [&first(), LAST].concat();
    let (first, last) = (first().len(), LAST.len());
    let mut gnu = header("s.html", b'S', data.len());
    let fields = [0, first, AT, last, SIZE, 0].map(|number| format!("{number:011o}\0"));
    gnu[386..386 + 72].copy_from_slice(fields.concat().as_bytes());
    gnu[483..494].copy_from_slice(format!("{SIZE:011o}").as_bytes());
    let pax = |records: &[(&str, String)], content: &[u8]| {
        let records: String = records
            .iter()
            .map(|(key, value)| {
                let rest = key.len() + value.len() + 3;
                let len = rest + (rest + 2).to_string().len();
                format!("{len} {key}={value}\n")
            })
            .collect();
        let extended = stored(header("x", b'x', records.len()), records.as_bytes());
        let file = stored(
            header("GNUSparseFile.0/s.html", b'0', content.len()),
            content,
        );
        [extended, file].concat()
    };
    let number = |number: usize| number.to_string();
    let numbers = [
        ("GNU.sparse.offset", number(0)),
        ("GNU.sparse.numbytes", number(first)),
        ("GNU.sparse.offset", number(AT)),
        ("GNU.sparse.numbytes", number(last)),
    ];
    let name = ("GNU.sparse.name", "s.html".to_owned());
    let size = ("GNU.sparse.size", number(SIZE));
    let map = ("GNU.sparse.map", format!("0,{first},{AT},{last}"));
    let mut in_content = format!("2\n0\n{first}\n{AT}\n{last}\n").into_bytes();
    in_content.resize(512, 0);
    in_content.extend_from_slice(&data);
    let version = [
        ("GNU.sparse.major", number(1)),
        ("GNU.sparse.minor", number(0)),
        ("GNU.sparse.realsize", number(SIZE)),
    ];
    vec![
        ("gnu", stored(gnu, &data)),
        (
            "0.0",
            pax(
                &[&[name.clone(), size.clone()], &numbers[..]].concat(),
                &data,
            ),
        ),
        ("0.1", pax(&[name.clone(), size, map], &data)),
        ("1.0", pax(&[&version[..], &[name]].concat(), &in_content)),
    ]
}

#[test]
fn sparse_files_in_tar() {
    for (form, file) in sparse() {
        let page = stored(header("z.html", b'0', first().len()), &first());
        let archive = [file, page, vec![0; 1024]].concat();
        let place = Place::new(&[]);
        place.write("a.tar", &archive);
        let expected = format!(
            "a.tar!/s.html:1:9:http://a.example/\na.tar!/s.html:1:{}:http://b.example/\na.tar!/z.html:1:9:http://a.example/\n",
            AT + 9
        );
        let run = place.run(&["find", "a.tar"]);
        assert_eq!((run.text(), run.code), (expected, 0), "{form}: {run:?}");
        let map = ["--map", "http://a.example/ http://new.example/"];
        let run = place.run(&[&["rewrite", "-i", "-v", "a.tar"], &map[..]].concat());
        run.complains(
            &[
                "a.tar!/s.html: not read: unknown encoding",
                "1 link changed",
            ],
            0,
        );
        let new = place.read("a.tar");
        let begin = archive.len() - 1024 - 512 - 2048;
        assert_eq!(new[..begin], archive[..begin], "{form}");
    }
}

/// A map that does not fit the stored data is an error of the entry, and holes count as what expands.
#[test]
fn damaged_and_long_sparse_files() {
    let page = stored(header("z.html", b'0', first().len()), &first());
    let mut gnu = header("s.html", b'S', first().len());
    let fields = [0, first().len() + 1].map(|number| format!("{number:011o}\0"));
    gnu[386..386 + 24].copy_from_slice(fields.concat().as_bytes());
    gnu[483..494].copy_from_slice(format!("{SIZE:011o}").as_bytes());
    let place = Place::new(&[]);
    place.write(
        "a.tar",
        &[stored(gnu.clone(), &first()), page.clone()].concat(),
    );
    let run = place.run(&["find", "a.tar"]);
    run.complains(&["a.tar!/s.html: damaged map of a sparse file in tar"], 3);
    assert_eq!(run.text(), "a.tar!/z.html:1:9:http://a.example/\n");
    let fields = [0, first().len()].map(|number| format!("{number:011o}\0"));
    gnu[386..386 + 24].copy_from_slice(fields.concat().as_bytes());
    gnu[483..494].copy_from_slice(b"77777777777");
    place.write("a.tar", &[stored(gnu, &first()), page].concat());
    let run = place.run(&["find", "a.tar"]);
    run.complains(
        &["a.tar!/s.html: expected at most 1000 times", "--max-ratio"],
        3,
    );
    assert_eq!(run.text(), "a.tar!/z.html:1:9:http://a.example/\n");
}
