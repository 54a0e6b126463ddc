//! Archives of the web: their records are documents, with the base, the format and the charset that they tell.

use crate::support::{Place, gunzip, gzip};

const MOVE: [&str; 2] = ["--map", "http://old.example/ https://new.example/a/"];

fn record(kind: &str, id: usize, (target, media_type): (&str, &str), block: &[u8]) -> Vec<u8> {
    let header = format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:x:{id}>\r\nWARC-Target-URI: <{target}>\r\nWARC-Date: 2001-02-03T04:05:06Z\r\n\
         Content-Type: {media_type}\r\nContent-Length: {}\r\n\r\n",
        block.len()
    );
    [header.as_bytes(), block, b"\r\n\r\n"].concat()
}

fn response(id: usize, target: &str, http: &str, body: &[u8]) -> Vec<u8> {
    let block = [b"HTTP/1.1 200 OK\r\n", http.as_bytes(), b"\r\n", body].concat();
    record(
        "response",
        id,
        (target, "application/http; msgtype=response"),
        &block,
    )
}

fn chunked(body: &[u8]) -> Vec<u8> {
    let begin = format!("{:x}\r\n", body.len());
    [begin.as_bytes(), body, b"\r\n0\r\n\r\n"].concat()
}

/// Records of each kind.
fn site() -> Vec<Vec<u8>> {
    let koi8 = b"<a href='http://old.example/\xD6'>x</a> <a href=y>".to_vec();
    let page = "<meta charset=utf-8><a href='http://old.example/é'>x</a>".as_bytes();
    vec![
        record(
            "warcinfo",
            0,
            ("", "application/warc-fields"),
            b"isPartOf: http://info.example/\r\n",
        ),
        record(
            "request",
            1,
            ("http://old.example/d/", "application/http; msgtype=request"),
            b"GET /d/ HTTP/1.1\r\nReferer: http://ref.example/\r\n\r\n",
        ),
        response(
            2,
            "http://old.example/d/",
            "Content-Type: text/html; charset=KOI8-R\r\nContent-Length: 47\r\n",
            &koi8,
        ),
        response(
            3,
            "http://old.example/e",
            "Content-Type: text/html\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n",
            &chunked(&gzip(page)),
        ),
        response(
            4,
            "http://old.example/f",
            "Location: /g\r\nLink: <http://old.example/h>; rel=next\r\nContent-Length: 0\r\n",
            b"",
        ),
        response(
            5,
            "http://old.example/i.png",
            "Content-Type: image/png\r\n",
            b"http://old.example/no",
        ),
        record(
            "resource",
            6,
            ("http://old.example/j.txt", "text/plain"),
            b"see http://old.example/k\n",
        ),
        record(
            "conversion",
            7,
            ("http://old.example/l", "text/plain"),
            b"text http://old.example/m\n",
        ),
        record(
            "metadata",
            8,
            ("http://old.example/n", "application/json"),
            br#"{"url": "http:\/\/old.example\/o"}"#,
        ),
        response(
            9,
            "http://old.example/p",
            "Content-Type: text/html\r\nContent-MD5: x\r\n",
            b"<a href=http://old.example/q>",
        ),
    ]
}

fn members(records: &[Vec<u8>]) -> Vec<u8> {
    records.iter().flat_map(|record| gzip(record)).collect()
}

fn moved<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["rewrite"], &MOVE[..], more].concat()
}

const FOUND: &str = "s.warc.gz!/urn:x:2:1:10:http://old.example/ж\ns.warc.gz!/urn:x:2:1:46:y\ns.warc.gz!/urn:x:3:1:30:http://old.example/é\n\
    s.warc.gz!/urn:x:4!/header:2:11:/g\ns.warc.gz!/urn:x:4!/header:3:8:http://old.example/h\ns.warc.gz!/urn:x:6:1:5:http://old.example/k\n\
    s.warc.gz!/urn:x:7:1:6:http://old.example/m\ns.warc.gz!/urn:x:8:1:10:http://old.example/o\ns.warc.gz!/urn:x:9:1:9:http://old.example/q\n";

#[test]
fn records_are_documents() {
    let place = Place::new(&[]);
    place.write("s.warc.gz", &members(&site()));
    place.run(&["find", "s.warc.gz"]).prints(FOUND, 0);
    place.write("s.warc.gz", &gzip(&site().concat()));
    place.run(&["find", "s.warc.gz"]).prints(FOUND, 0);
    place.write("s.warc", &site().concat());
    let plain = FOUND.replace("s.warc.gz", "s.warc");
    place.run(&["find", "s.warc"]).prints(&plain, 0);
    let objects = place.run(&["find", "--json", "s.warc"]).objects();
    let first = &objects[1];
    let fields = [
        "record",
        "target",
        "date",
        "resolved",
        "format",
        "charset",
        "charset_from",
    ];
    let values = fields.map(|name| first[name].as_str().unwrap_or_default());
    let target = "http://old.example/d/";
    assert_eq!(
        values,
        [
            "urn:x:2",
            target,
            "2001-02-03T04:05:06Z",
            "http://old.example/d/y",
            "html",
            "KOI8-R",
            "declaration"
        ]
    );
    assert_eq!(
        (&objects[3]["format"], &objects[3]["place"]["name"]),
        (&"http".into(), &"location".into())
    );
    assert_eq!(objects[3]["resolved"], "http://old.example/g");
}

#[test]
fn a_new_file_is_written_elsewhere() {
    let place = Place::new(&[]);
    let site = site();
    place.write("s.warc.gz", &members(&site));
    // The diff names the option that writes: no file of the web is changed in place.
    place.write("a.html", b"<a href=http://old.example/>x</a>");
    let new = "; -O DIR writes a new archive of the web\n";
    let diff = place.run(&moved(&["s.warc.gz"])).err;
    assert!(diff.contains(new) && !diff.contains("add -i"), "{diff}");
    let both = place.run(&moved(&["s.warc.gz", "a.html"])).err;
    assert!(
        both.contains(&format!("; add -i to write them, -n lists them{new}")),
        "{both}"
    );
    let ran = place.run(&moved(&["-i", "s.warc.gz"]));
    ran.complains(
        &["found a WARC or ARC file; `-O` writes a new file elsewhere"],
        2,
    );
    assert_eq!(place.read("s.warc.gz"), members(&site));
    let ran = place.run(&moved(&["--to", "uri", "-O", "out", "s.warc.gz"]));
    ran.complains(&["1 link left unchanged", "6 links changed in 6 files"], 0);
    let new = place.read("out/s.warc.gz");
    for at in [0, 1, 5, 9] {
        let member = gzip(&site[at]);
        assert!(new.windows(member.len()).any(|own| own == member), "{at}");
    }
    let text = gunzip(&new);
    let text = String::from_utf8_lossy(&text);
    assert!(text.contains("Content-Length: 55\r\n\r\n<a href='https://new.example/a/%D0%B6'>x</a> <a href=y>\r\n\r\n"), "{text}");
    assert!(text.contains("Location: /g\r\nLink: <https://new.example/a/h>; rel=next\r\n"));
    assert!(text.contains(r#"{"url": "https:\/\/new.example\/a\/o"}"#));
    assert_eq!(
        text.matches("Linkglot-Original-Block-Digest: sha1:")
            .count(),
        6
    );
    let place_of = FOUND
        .replace("old.example/q", "OLD")
        .replace("http://old.example/", "https://new.example/a/");
    let expected = place_of
        .replace("/ж", "/%D0%B6")
        .replace(":46:y", ":54:y")
        .replace("/é", "/%C3%A9")
        .replace("http://OLD", "http://old.example/q");
    place
        .run(&["find", "out/s.warc.gz"])
        .prints(&expected.replace("s.warc.gz", "out/s.warc.gz"), 0);
    // Once more changes nothing, and copies the file.
    place.run(&moved(&["--to", "uri", "-O", "again", "out/s.warc.gz"]));
    assert_eq!(place.read("again/s.warc.gz"), new);
    place.run(&["rewrite", "--to", "same", "-O", "same", "s.warc.gz"]);
    assert_eq!(place.read("same/s.warc.gz"), members(&site));
}

/// HTTP has no letters beyond ASCII in its fields, and other headers keep the charset that they declare.
#[test]
fn headers_stay_right() {
    let http = "Location: http://old.example/%C3%A9\r\nContent-Type: text/html; charset=koi8-r\r\n";
    let place = Place::new(&[]);
    place.write(
        "s.warc",
        &response(1, "http://old.example/", http, b"<a href=/%D6>\xD6</a>"),
    );
    place.run(&["rewrite", "--to", "iri", "-O", "iri", "s.warc"]);
    assert_eq!(place.read("iri/s.warc"), place.read("s.warc"));
    let ran = place.run(&[
        "rewrite",
        "--to",
        "uri",
        "--to-charset",
        "utf-8",
        "-O",
        "utf",
        "s.warc",
    ]);
    ran.complains(&["found one whose charset the header of HTTP declares"], 3);
    assert_eq!(place.read("utf/s.warc"), place.read("s.warc"));
}

#[test]
fn revisits_follow_their_payload() {
    let with = |record: Vec<u8>, digest: &str| {
        let text = String::from_utf8(record).unwrap();
        let field = format!("WARC-Payload-Digest: md5:{digest}\r\nContent-Type");
        text.replacen("Content-Type", &field, 1).into_bytes()
    };
    let (old, new) = (
        "a55b009943b8684540b3711b8eaebb76",
        "9c2e722f83dc3c770635f09c85e1e170",
    );
    let page = |body: &[u8]| {
        response(
            1,
            "http://old.example/",
            "Content-Type: text/html\r\n",
            body,
        )
    };
    let page = page(b"<a href=http://old.example/a>");
    let http = ("http://old.example/", "application/http; msgtype=response");
    let revisit = record("revisit", 2, http, b"HTTP/1.1 200 OK\r\n\r\n");
    let place = Place::new(&[]);
    let file = [
        with(page.clone(), old),
        with(revisit.clone(), old),
        with(revisit.clone(), new),
    ]
    .concat();
    place.write("s.warc", &file);
    place.run(&moved(&["-O", "out", "s.warc"]));
    let text = String::from_utf8(place.read("out/s.warc")).unwrap();
    assert_eq!(
        (text.matches(old).count(), text.matches(new).count()),
        (0, 3)
    );
    assert!(text.ends_with(std::str::from_utf8(&with(revisit.clone(), new)).unwrap()));
    // With a wrong digest, nothing is written.
    let file = [with(page, new), with(revisit, old)].concat();
    place.write("s.warc", &file);
    let ran = place.run(&moved(&["-O", "wrong", "s.warc"]));
    ran.complains(&["1 in WARC with a digest that is wrong or unknown"], 0);
    assert_eq!(place.read("wrong/s.warc"), file);
}

/// A record with more fields.
fn with(record: &[u8], fields: &str) -> Vec<u8> {
    let text = String::from_utf8(record.to_vec()).unwrap();
    let fields = format!("{fields}\r\nContent-Type");
    text.replacen("Content-Type", &fields, 1).into_bytes()
}

const OLD: &str = "WARC-Payload-Digest: md5:8a1d1695a283cbd84398870cd5e64d9d";
const BELOW_A: &str = "md5:39b427b59944f8bec48ccb287065a89f";
const BELOW_B: &str = "md5:f53773b0174383f8dfe735b151334396";

/// Two records with one payload, which becomes two different ones.
#[test]
fn revisits_follow_the_record_that_they_refer_to() {
    let page = |id, name: &str, http: &str| {
        let http = format!("Content-Type: text/html\r\n{http}Content-Length: 10\r\n");
        let target = format!("http://old.example/{name}/");
        with(&response(id, &target, &http, b"<a href=y>"), OLD)
    };
    let revisit = |id: usize, fields: &str, http: &str| {
        let http = format!("HTTP/1.1 200 OK\r\n{http}\r\n");
        let of = (
            "http://old.example/a/",
            "application/http; msgtype=response",
        );
        let fields = format!("{OLD}\r\nWARC-Truncated: length\r\n{fields}");
        with(
            &record("revisit", id, of, http.as_bytes()),
            fields.trim_end(),
        )
    };
    let length = "Content-Length: 10\r\n";
    let uri = |name: &str| format!("WARC-Refers-To-Target-URI: http://old.example/{name}/\r\n");
    let date = "WARC-Refers-To-Date: 2001-02-03T04:05:06Z";
    let file = [
        page(1, "a", ""),
        page(2, "b", ""),
        page(3, "signed", "Content-MD5: x\r\n"),
        revisit(11, "WARC-Refers-To: <urn:x:1>", length),
        revisit(12, &(uri("b") + date), length),
        revisit(13, &uri("b"), ""),
        revisit(14, "WARC-Refers-To: <urn:x:3>", length),
        // Of none, of one elsewhere, of another date; with another length, signed.
        revisit(15, "", length),
        revisit(16, "WARC-Refers-To: <urn:x:9>", length),
        revisit(
            17,
            &(uri("a") + "WARC-Refers-To-Date: 2002-02-03T04:05:06Z"),
            length,
        ),
        revisit(18, "WARC-Refers-To: <urn:x:1>", "Content-Length: 9\r\n"),
        revisit(19, "WARC-Refers-To: <urn:x:1>", "Content-MD5: x\r\n"),
    ];
    let place = Place::new(&[]);
    place.write("s.warc", &file.concat());
    let ran = place.run(&["rewrite", "--absolute", "-O", "out", "s.warc"]);
    ran.complains(
        &[
            "2 links changed in 2 files",
            ": 5 in WARC, revisiting a payload",
        ],
        0,
    );
    assert!(!ran.err.contains("without --base"), "{ran:?}");
    let new = String::from_utf8(place.read("out/s.warc")).unwrap();
    let new: Vec<&str> = new.split("WARC/1.0\r\n").skip(1).collect();
    for (at, digest, length) in [
        (0, BELOW_A, 31),
        (1, BELOW_B, 31),
        (3, BELOW_A, 31),
        (4, BELOW_B, 31),
    ] {
        assert!(new[at].contains(digest), "{at}: {}", new[at]);
        assert!(
            new[at].contains(&format!("\r\nContent-Length: {length}\r\n")),
            "{}",
            new[at]
        );
    }
    assert!(new[5].contains(BELOW_B) && !new[5].contains("Content-Length: 31"));
    for at in [2, 6, 7, 8, 9, 10, 11] {
        assert_eq!(
            ["WARC/1.0\r\n", new[at]].concat().as_bytes(),
            file[at],
            "{at}"
        );
    }
}

/// Its header is that of an answer, whose links move.
#[test]
fn headers_of_revisits_have_links() {
    let http = "HTTP/1.1 302 Found\r\nLocation: http://old.example/l\r\nContent-Encoding: x\r\nContent-Length: 9\r\n\r\n";
    let of = (
        "http://old.example/a/",
        "application/http; msgtype=response",
    );
    let revisit = record("revisit", 1, of, http.as_bytes());
    let place = Place::new(&[]);
    place.write("s.warc", &with(&revisit, "WARC-Truncated: length"));
    let ran = place.run(&["find", "-o", "s.warc"]);
    ran.prints("http://old.example/l\n", 0);
    let ran = place.run(&moved(&["-O", "out", "s.warc"]));
    ran.complains(&["1 link changed in 1 file"], 0);
    let new = String::from_utf8(place.read("out/s.warc")).unwrap();
    assert!(
        new.contains(
            "Location: https://new.example/a/l\r\nContent-Encoding: x\r\nContent-Length: 9\r\n"
        ),
        "{new}"
    );
}

/// As text, they would be written, and their lengths and digests be wrong.
#[test]
fn files_that_are_no_archive_of_the_web_are_errors() {
    let text = site()[6].clone();
    let place = Place::new(&[]);
    let other = |old: &str, new: &str| {
        String::from_utf8(text.clone())
            .unwrap()
            .replacen(old, new, 1)
            .into_bytes()
    };
    for (name, content) in [
        ("bom.warc", other("WARC", "\u{FEFF}WARC")),
        ("bom.txt", other("WARC", "\u{FEFF}WARC")),
        ("lower.txt", other("WARC", "warc")),
        ("v2.warc", other("1.0", "2.0")),
        ("v2.gz", gzip(&other("1.0", "2.0"))),
        ("junk.warc", other("WARC", "xx\nWARC")),
        ("junk.warc.gz", gzip(&other("WARC", "xx\nWARC"))),
        ("x.arc", other("WARC", "WORC")),
    ] {
        place.write(name, &content);
        let words = format!("{name}: expected an archive of the web");
        place.run(&["find", name]).complains(&[&words], 2);
        for more in [&["-O", "out"][..], &["-i"], &["-i", "--no-containers"]] {
            let ran = place.run(&moved(&[more, &[name]].concat()));
            assert_eq!(ran.code, 2, "{ran:?}");
            assert_eq!(place.read(name), content);
        }
    }
    // Empty lines in front are none of the file's faults.
    for (name, content) in [
        ("lead.warc", [b"\r\n\n", &text[..]].concat()),
        ("lead.warc.gz", [gzip(b"\r\n"), gzip(&text)].concat()),
    ] {
        place.write(name, &content);
        place
            .run(&["find", "-o", name])
            .prints("http://old.example/k\n", 0);
        let ran = place.run(&moved(&["-O", "lead", name]));
        ran.complains(&["1 link changed in 1 file"], 0);
        let found = place.run(&["find", "-o", &format!("lead/{name}")]);
        found.prints("https://new.example/a/k\n", 0);
    }
}

/// The last value of `Content-Type` that is one counts, and quotes.
#[test]
fn charsets_of_content_types() {
    let page = |id, http: &str| response(id, "http://old.example/", http, b"<a href=/\xD6>");
    let place = Place::new(&[]);
    let file = [
        page(
            1,
            "Content-Type: text/html; charset=iso-8859-5\r\nContent-Type: text/html; charset=koi8-r\r\n",
        ),
        page(
            2,
            "Content-Type: text/html; x=\";charset=iso-8859-5\"; charset=koi8-r\r\n",
        ),
        page(
            3,
            "Content-Type: image/png\r\nContent-Type: text/html; charset=koi8-r\r\n",
        ),
    ];
    place.write("s.warc", &file.concat());
    let objects = place.run(&["find", "--json", "s.warc"]).objects();
    let charsets = objects[..3].iter().map(|link| link["charset"].as_str());
    assert_eq!(charsets.collect::<Vec<_>>(), [Some("KOI8-R"); 3]);
}

/// What was captured is no link, as the URI of a record is none.
#[test]
fn headers_of_records_in_metadata_stay() {
    let json = br#"{"Envelope": {"WARC-Header-Metadata": {"WARC-Target-URI": "http://old.example/a"}, "x": "http://old.example/b"}}"#;
    let place = Place::new(&[]);
    let of = ("http://old.example/a", "application/json");
    place.write("x.wat", &record("metadata", 1, of, json));
    let ran = place.run(&["find", "-o", "x.wat"]);
    ran.prints("http://old.example/b\n", 0);
}

/// Nothing changes in a damaged file, and nothing says so.
#[test]
fn damaged_files_do_not_change() {
    let all = site()[6..8].concat();
    let text = String::from_utf8(all).unwrap();
    let place = Place::new(&[]);
    for (old, new) in [
        ("\r\n\r\nWARC", "WARC"),
        ("Content-Length: 25", "Content-Length: 20"),
    ] {
        place.write("s.warc", text.replacen(old, new, 1).as_bytes());
        for more in [&["-O", "out"][..], &[]] {
            let ran = place.run(&moved(&[more, &["s.warc"]].concat()));
            ran.complains(
                &["damaged WARC file: expected the end of a record at byte"],
                2,
            );
            assert!(
                !ran.err.contains("1 link") && !ran.err.contains("as they were read"),
                "{ran:?}"
            );
            assert_eq!(ran.text(), "");
        }
        assert_eq!(place.read("out/s.warc"), place.read("s.warc"));
    }
}

#[test]
fn damaged_files_are_read_and_copied() {
    let place = Place::new(&[]);
    let record = |id| {
        record(
            "resource",
            id,
            ("http://old.example/", "text/plain"),
            b"http://old.example/a",
        )
    };
    let damaged = [
        record(1),
        b"WORC/1.0\r\nhttp://old.example/no\r\n\r\n".to_vec(),
        record(2),
    ]
    .concat();
    let lines =
        "s.warc!/urn:x:1:1:1:http://old.example/a\ns.warc!/urn:x:2:1:1:http://old.example/a\n";
    place.write("s.warc", &damaged);
    let ran = place.run(&["find", "s.warc"]);
    assert_eq!(ran.text(), lines);
    ran.complains(&["s.warc: damaged WARC file: expected a record at byte"], 3);
    let ran = place.run(&moved(&["-O", "out", "s.warc"]));
    ran.complains(&["damaged WARC file"], 2);
    assert_eq!(place.read("out/s.warc"), damaged);
    let cut = &damaged[..damaged.len() - 9];
    place.write("s.warc", cut);
    place
        .run(&["find", "s.warc"])
        .complains(&["the WARC file is cut off"], 3);
    place
        .run(&moved(&["-O", "cut", "s.warc"]))
        .complains(&["cut off"], 2);
    assert_eq!(place.read("cut/s.warc"), cut);
}

/// A body that expands beyond the limit ends in an error, and is not written.
#[test]
fn bombs_in_records_end_in_errors() {
    let place = Place::new(&[]);
    let bomb = gzip(&vec![b' '; 3 << 20]);
    let http = "Content-Type: text/html\r\nContent-Encoding: gzip\r\n";
    let site = [
        response(1, "http://old.example/", http, &bomb),
        site()[6].clone(),
    ]
    .concat();
    place.write("s.warc", &site);
    // The rest is read.
    let ran = place.run(&["find", "-o", "--max-ratio", "10", "s.warc"]);
    assert_eq!(ran.text(), "http://old.example/k\n");
    ran.complains(
        &["s.warc!/urn:x:1: expected at most 10 times the compressed length"],
        3,
    );
    let ran = place.run(&moved(&["--max-ratio", "10", "-O", "out", "s.warc"]));
    ran.complains(
        &["1 link changed in 1 file", "1 in WARC, damaged, too long"],
        0,
    );
}

#[test]
fn arc_files_are_read() {
    let page = "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=b>";
    let version = "1 0 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n";
    let file = format!(
        "filedesc://x.arc 0.0.0.0 19990101000000 text/plain {}\n{version}\nhttp://a.example/c/ 1.2.3.4 19990203040506 text/html {}\n{page}\n",
        version.len(),
        page.len()
    );
    let place = Place::new(&[]);
    place.write("x.arc.gz", &gzip(file.as_bytes()));
    let objects = place.run(&["find", "--json", "x.arc.gz"]).objects();
    assert_eq!(objects[0]["resolved"], "http://a.example/c/b");
    assert_eq!(objects[0]["date"], "1999-02-03T04:05:06Z");
    assert_eq!(objects[0]["path"], "x.arc.gz!/131");
    let ran = place.run(&["rewrite", "--to", "uri", "-O", "out", "x.arc.gz"]);
    ran.complains(&["1 in ARC, which is not written"], 0);
    assert_eq!(place.read("out/x.arc.gz"), place.read("x.arc.gz"));
}

/// The object of a line of an index.
fn object(line: &str) -> serde_json::Value {
    serde_json::from_str(&line[line.find('{').unwrap()..]).unwrap()
}

#[test]
fn an_index_of_what_is_written() {
    let place = Place::new(&[]);
    place.write("in/s.warc.gz", &members(&site()));
    place.write("in/d/t.warc", &site()[2..4].concat());
    place.write("in/page.html", b"<a href=http://old.example/x>");
    let ran = place.run(&moved(&["-O", "out", "--cdxj", "s.cdxj", "in"]));
    ran.complains(&["10 lines in `s.cdxj`"], 0);
    let index = String::from_utf8(place.read("s.cdxj")).unwrap();
    let keys = index.lines().map(|line| line.split(" {").next().unwrap());
    let expected = ["d", "d", "e", "e", "f", "i.png", "j.txt", "l", "n", "p"];
    let expected = expected.map(|name| format!("example,old)/{name} 20010203040506"));
    assert!(keys.eq(expected), "{index}");
    for line in index.lines() {
        let object = object(line);
        let field = |name: &str| object[name].as_str().unwrap();
        let file = place.read(&format!("out/{}", field("filename")));
        let number = |name: &str| field(name).parse::<usize>().unwrap();
        let own = &file[number("offset")..][..number("length")];
        let record = if field("filename") == "s.warc.gz" {
            gunzip(own)
        } else {
            own.to_vec()
        };
        let record = String::from_utf8_lossy(&record).into_owned();
        let target = format!("\r\nWARC-Target-URI: <{}>\r\n", field("url"));
        assert!(record.starts_with("WARC/1.0\r\n") && record.contains(&target));
        assert_eq!(record.matches("WARC-Type: ").count(), 1);
    }
    assert!(index.lines().any(
        |line| line.contains("\"mime\": \"text/html\", \"status\": \"200\"")
            && line.ends_with("\"filename\": \"d/t.warc\"}")
    ));
    // A file that does not change is indexed, too, and an index is replaced.
    let same = ["rewrite", "--to", "same", "-O", "same", "--cdxj", "s.cdxj"];
    let ran = place.run(&[&same[..], &["in/d/t.warc"]].concat());
    ran.complains(&["2 lines in `s.cdxj`"], 0);
    let index = String::from_utf8(place.read("s.cdxj")).unwrap();
    assert_eq!(object(index.lines().next().unwrap())["offset"], "0");
}

#[test]
fn files_that_cannot_be_indexed() {
    let place = Place::new(&[]);
    place.write("in/whole.warc.gz", &gzip(&site().concat()));
    place.write("in/a.warc", &site().concat());
    let damaged = [&site().concat()[..], b"nothing"].concat();
    place.write("in/damaged.warc", &damaged);
    let same = ["rewrite", "--to", "same", "-O", "out", "--cdxj"];
    let ran = place.run(&[&same[..], &["s.cdxj", "in"]].concat());
    let shared = "whole.warc.gz: the file is written, but is not in the index: expected a member of the compressed file for each record";
    ran.complains(&[shared, "damaged WARC file", "8 lines in `s.cdxj`"], 3);
    let index = String::from_utf8(place.read("s.cdxj")).unwrap();
    let is_of_a = |line: &str| line.ends_with("\"filename\": \"a.warc\"}");
    assert!(index.lines().all(is_of_a), "{index}");
    let whole = "in/whole.warc.gz";
    assert_eq!(place.read("out/whole.warc.gz"), place.read(whole));
    // Where a record changes, each gets its own member.
    let ran = place.run(&moved(&["-O", "moved", "--cdxj", "s.cdxj", whole]));
    ran.complains(&["8 lines in `s.cdxj`"], 0);
}

#[test]
fn an_index_replaces_only_an_index() {
    let place = Place::new(&[]);
    let old = site().concat();
    place.write("a.warc", &old);
    place.write("out/b", b"");
    let same = ["rewrite", "--to", "same", "-O", "out", "--cdxj"];
    for (path, message) in [
        (
            "a.warc",
            "--cdxj a.warc: expected an earlier index or a new name, found another file there",
        ),
        ("none/s.cdxj", "--cdxj none/s.cdxj: "),
        (
            "out/s.cdxj",
            "expected a file outside of the output directory, found one in it",
        ),
    ] {
        let ran = place.run(&[&same[..], &[path, "a.warc"]].concat());
        ran.complains(&[message], 2);
    }
    assert_eq!(place.read("a.warc"), old);
    assert_eq!(place.names("out"), ["b"]);
    let ran = place.run(&["rewrite", "--to", "same", "--cdxj", "x.cdxj", "a.warc"]);
    ran.complains(&["--output"], 2);
    assert_eq!(place.names("."), ["a.warc", "out/b"]);
}

/// Without a line to write, a run leaves an earlier index alone, and creates none.
#[test]
fn a_cdxj_index_without_lines_is_not_written() {
    let place = Place::new(&[("page.html", "<a href=b>"), ("other.html", "")]);
    let whole = site().concat();
    place.write("a.warc", &whole);
    place.write("cut.warc", &whole[..whole.len() - 30]);
    place.write("none.warc", &site()[0]);
    let run = |to: &str, index: &str, input: &str| {
        place.run(&["rewrite", "--to", "same", "-O", to, "--cdxj", index, input])
    };
    run("out", "s.cdxj", "a.warc").complains(&["8 lines in `s.cdxj`"], 0);
    let index = place.read("s.cdxj");
    let is_not_written =
        "`s.cdxj` is not written: the run wrote no WARC or ARC file with lines for it";
    for (number, (input, code)) in [
        ("missing.warc", 2),
        ("cut.warc", 2),
        ("page.html", 0),
        ("none.warc", 0),
    ]
    .into_iter()
    .enumerate()
    {
        let to = format!("o{number}");
        run(&to, "s.cdxj", input).complains(&[is_not_written], code);
        assert_eq!(place.read("s.cdxj"), index, "{input}");
        let message = is_not_written.replace("s.cdxj", "new.cdxj");
        run(&to, "new.cdxj", input).complains(&[&message], code);
        assert!(!place.path("new.cdxj").exists(), "{input}");
    }
}

#[test]
fn cdxj_needs_an_output_directory_and_a_file() {
    let place = Place::new(&[("page.html", "<a href='http://old.example/é'>")]);
    let index = "example,old)/d 20010203040506 {\"url\": \"x\"}\n";
    place.write("s.cdxj", index.as_bytes());
    let before = place.read("page.html");
    for option in ["-i", "--check", "--stdout", "--diff=raw", "-n"] {
        let ran = place.run(&moved(&[option, "--cdxj", "s.cdxj", "page.html"]));
        ran.complains(&["--cdxj <FILE>", "cannot be used with"], 2);
    }
    let ran = place.run(&moved(&["-O", "out", "--cdxj", "-", "page.html"]));
    ran.complains(
        &[
            "--cdxj <FILE>",
            "expected the name of a file, found standard output",
        ],
        2,
    );
    assert_eq!(place.read("s.cdxj"), index.as_bytes());
    assert_eq!(place.read("page.html"), before);
    assert_eq!(place.names("."), ["page.html", "s.cdxj"]);
}

#[test]
fn dates_of_a_cdxj_index() {
    let date = "2001-02-03T04:05:06Z";
    let dated = |id: usize, new: &str| {
        let target = format!("http://old.example/{id}");
        let record = record("resource", id, (&target, "text/plain"), b"");
        let record = String::from_utf8(record).unwrap();
        record.replace(date, new).into_bytes()
    };
    let place = Place::new(&[]);
    let records = [
        dated(1, date),
        dated(2, "2020-01-02T03:04Z"),
        dated(3, "2020-01-02"),
        dated(4, "2020"),
        dated(5, "2020-13-45T99:99:99Z"),
        dated(6, "yesterday"),
    ];
    // A record that is not replayed is not missed.
    let request = site()[1].clone();
    place.write("a.warc", &[records.concat(), request].concat());
    let ran = place.run(&moved(&["-O", "out", "--cdxj", "s.cdxj", "a.warc"]));
    let message = "4 lines in `s.cdxj`; no line for 2 records without a URI or a date";
    ran.complains(&[message], 0);
    let index = String::from_utf8(place.read("s.cdxj")).unwrap();
    let dates: Vec<_> = index
        .lines()
        .filter_map(|line| line.split(' ').nth(1))
        .collect();
    let expected = [
        "20010203040506",
        "20200102030400",
        "20200102000000",
        "20200101000000",
    ];
    assert_eq!(dates, expected);
}

#[test]
fn a_place_that_cannot_have_a_cdxj_index() {
    let place = Place::new(&[("dir/x", ""), ("s", "")]);
    place.write("a.warc", &site().concat());
    let run = |index: &str| {
        let run = ["rewrite", "--to", "same", "-O", "new"];
        place.run(&[&run[..], &["--cdxj", index, "a.warc"]].concat())
    };
    let outside = "expected a file outside of the output directory, found one in it";
    let absolute = place.path("new/d/i.cdxj");
    for index in [
        "new",
        "new/i.cdxj",
        "./new/d/i.cdxj",
        absolute.to_str().unwrap(),
    ] {
        run(index).complains(&[outside], 2);
    }
    run("dir").complains(
        &["--cdxj dir: expected a file or a new name, found a directory"],
        2,
    );
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("s", place.path("link")).unwrap();
        run("link").complains(&["found a symbolic link"], 2);
        run("/dev/null").complains(&["found a pipe or a device"], 2);
    }
    assert!(!place.path("new").exists());
}

/// Each line of the beginning tells an index from another file.
#[test]
fn other_text_behind_a_line_of_cdxj_is_kept() {
    let place = Place::new(&[]);
    place.write("a.warc", &site().concat());
    let run = || {
        let run = ["rewrite", "--to", "same", "-O", "out"];
        place.run(&[&run[..], &["--cdxj", "s.cdxj", "a.warc"]].concat())
    };
    let line = "example,old)/d 20010203040506 {\"url\": \"x\"}\n";
    let many = line.repeat((64 << 10) / line.len() - 1);
    for text in [
        format!("{line}Dear diary\n"),
        format!("{line}\n{line}"),
        format!("{many}Dear diary"),
        format!("{line}example,old)/e 20010203040506 {{\"url"),
    ] {
        place.write("s.cdxj", text.as_bytes());
        run().complains(&["expected an earlier index or a new name"], 2);
        assert_eq!(place.read("s.cdxj"), text.as_bytes());
    }
    let long = line.replace("\"x\"", &format!("\"{}\"", "x".repeat(70 << 10)));
    for text in [
        many.repeat(2),
        long,
        line.trim_end().to_owned(),
        line.replace('\n', "\r\n"),
    ] {
        place.write("s.cdxj", text.as_bytes());
        run().complains(&["8 lines in `s.cdxj`"], 0);
    }
}

/// Requests are read when asked for, and never written.
#[test]
fn requests_are_read_on_demand() {
    let http = "application/http; msgtype=request";
    let post = "POST /b.html HTTP/1.1\r\nReferer: http://old.example/r\r\nContent-Type: application/json\r\n\r\n{\"a\": \"http://old.example/s\"}";
    let records = [
        &site()[1][..],
        &record(
            "request",
            20,
            ("http://old.example/b.html", http),
            post.as_bytes(),
        ),
        &record(
            "request",
            21,
            ("http://old.example/c.html", http),
            b"see http://old.example/t\n",
        ),
        &record(
            "request",
            22,
            ("dns:old.example", "text/dns"),
            b"http://no.example/",
        ),
        &record(
            "resource",
            23,
            ("http://old.example/d", "text/plain"),
            b"http://old.example/u",
        ),
    ];
    let place = Place::new(&[]);
    place.write("s.warc", &records.concat());
    let rest = "s.warc!/urn:x:23:1:1:http://old.example/u\n";
    place.run(&["find", "s.warc"]).prints(rest, 0);
    let requests = "s.warc!/urn:x:1!/header:2:10:http://ref.example/\ns.warc!/urn:x:20!/header:2:10:http://old.example/r\n\
        s.warc!/urn:x:20:1:8:http://old.example/s\ns.warc!/urn:x:21:1:5:http://old.example/t\n";
    let all = requests.to_owned() + rest;
    place.run(&["find", "--requests", "s.warc"]).prints(&all, 0);
    let objects = place
        .run(&["find", "--json", "--requests", "s.warc"])
        .objects();
    let fields = ["record", "target", "date", "format"];
    let values = |at: usize| fields.map(|name| objects[at][name].as_str().unwrap());
    let date = "2001-02-03T04:05:06Z";
    let target = "http://old.example/b.html";
    assert_eq!(
        values(0),
        ["urn:x:1", "http://old.example/d/", date, "http"]
    );
    assert_eq!(values(1), ["urn:x:20", target, date, "http"]);
    assert_eq!(values(2), ["urn:x:20", target, date, "json"]);
    // Escapes of forms are no text.
    let form = "POST /f HTTP/1.1\r\nReferer: http://old.example/v\r\nContent-Type: Application/X-WWW-Form-urlencoded;charset=x\r\n\r\n\
        u=www.old.example%2Fa%3Fb&v=http://old.example/&c=1";
    let form = record(
        "request",
        24,
        ("http://old.example/f", http),
        form.as_bytes(),
    );
    place.write("form.warc", &form);
    let ran = place.run(&["find", "--requests", "--stats", "form.warc"]);
    assert_eq!(
        ran.text(),
        "form.warc!/urn:x:24!/header:2:10:http://old.example/v\n"
    );
    assert!(ran.err.contains("unknown encoding"), "{}", ran.err);
}
