//! Links that a second grammar covers: lengths, unread escapes, containers. Such links are left, and counted.

use crate::support::Place;

const MOVE: [&str; 2] = ["--map", "http://old.example/ https://new.example/"];
const DUMP: &str = "INSERT INTO o VALUES ('a:1:{s:3:\\\"url\\\";s:24:\\\"http://old.example/shop/\\\";}', 'http://old.example/a');\n";
const WARC: &str = "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Block-Digest: sha1:X\r\nContent-Length: 19\r\n\r\nhttp://old.example/\r\n\r\n";

fn args<'a>(more: &[&'a str]) -> Vec<&'a str> {
    ["rewrite"]
        .iter()
        .chain(&MOVE)
        .chain(more)
        .copied()
        .collect()
}

#[test]
fn serialized_strings_are_counted() {
    let place = Place::new(&[("dump.sql", DUMP)]);
    let ran = place.run(&args(&["-i", "-v", "dump.sql"]));
    ran.complains(&["dump.sql:1:48: `http://old.example/shop/`: left unchanged: the link stands in serialized data"], 0);
    let expected = DUMP.replace("http://old.example/a", "https://new.example/a");
    assert_eq!(place.read("dump.sql"), expected.as_bytes());
    let ran = place.run(&args(&["-n", "--strict", "dump.sql"]));
    ran.complains(&["1 link left unchanged"], 1);
    let objects = place.run(&args(&["-n", "--json", "dump.sql"])).objects();
    assert_eq!(objects[0]["notes"][0], "left-serialized");
}

#[test]
fn escapes_are_counted() {
    let place = Place::new(&[(
        "a.rb",
        r#"var a = {"a": "http://old.example/caf\u00e9/menu", "b": "http:\/\/old.example\/p"}"#,
    )]);
    let ran = place.run(&args(&["--strict", "-i", "a.rb"]));
    ran.complains(&["1 link left unchanged"], 1);
    let objects = place.run(&["find", "--json", "a.rb"]).objects();
    assert_eq!(objects[0]["text"], "http://old.example/caf");
    assert_eq!(objects[0]["uri"], serde_json::Value::Null);
    assert_eq!(objects[0]["notes"][0], "left-escaped");
    assert_eq!(objects[1]["type"], "summary");
}

/// Links in a container are found, but not written. Other files are rewritten.
#[test]
fn containers_are_refused() {
    let place = Place::new(&[("a.warc", WARC), ("b.txt", "http://old.example/b\n")]);
    place
        .run(&["find", "-o", "a.warc"])
        .prints("http://old.example/\n", 0);
    let why = "a.warc: expected a file that can be replaced, found a WARC or ARC file; `-O` writes a new file elsewhere";
    let ran = place.run(&args(&["-i", "a.warc"]));
    ran.complains(&[why], 2);
    let ran = place.run(&args(&["-i", "."]));
    ran.complains(&[why, "1 link changed in 1 file"], 3);
    assert_eq!(place.read("a.warc"), WARC.as_bytes());
    assert_eq!(place.read("b.txt"), b"https://new.example/b\n");
    place.write("in/a.warc", WARC.as_bytes());
    let ran = place.run(&args(&["-O", "out", "in"]));
    ran.complains(
        &["1 part of mail or archives not read (`-v` names them): 1 in WARC with a digest"],
        0,
    );
    assert_eq!(place.read("out/a.warc"), WARC.as_bytes());
    let ran = place.pipe(&args(&[]), WARC);
    ran.complains(&["found a WARC file"], 3);
    assert_eq!(ran.text(), "");
}

/// A signature covers the text before it, in any charset.
#[test]
fn signed_xml_stays() {
    let signature = "<ds:Signature xmlns:ds='http://www.w3.org/2000/09/xmldsig#'><ds:SignedInfo/>\
        <ds:SignatureValue>YQ==</ds:SignatureValue></ds:Signature>";
    let feed = |charset: &str, signature: &str| {
        format!(
            "<?xml version='1.0' encoding='{charset}'?><feed xmlns='http://www.w3.org/2005/Atom'>\
             <link href='http://a.example/é'/>{signature}</feed>"
        )
    };
    let wide = |text: String| -> Vec<u8> {
        let units = "\u{FEFF}"
            .encode_utf16()
            .chain(text.encode_utf16())
            .collect::<Vec<_>>();
        units.into_iter().flat_map(u16::to_le_bytes).collect()
    };
    let place = Place::new(&[
        ("signed.xml", &feed("utf-8", signature)),
        (
            "plain.xml",
            &feed(
                "utf-8",
                "<ds:KeyInfo xmlns:ds='http://www.w3.org/2000/09/xmldsig#'/>",
            ),
        ),
    ]);
    place.write("wide.xml", &wide(feed("utf-16", signature)));
    let to_uri = ["rewrite", "--to", "uri", "--stdout"];
    let run = |args: &[&str]| place.run(&[&to_uri[..], args].concat());
    for name in ["signed.xml", "wide.xml"] {
        let signed = run(&[name]);
        assert_eq!(signed.out, place.read(name), "{signed:?}");
        signed.complains(&["signed (`--break-signatures`)"], 0);
        assert_ne!(run(&["--break-signatures", name]).out, place.read(name));
        let links = place.run(&["find", "--json", name]).objects();
        assert_eq!(links[0]["notes"][0], "left-signed", "{links:?}");
    }
    assert!(run(&["plain.xml"]).text().contains("/%C3%A9"));
    let all = [
        "rewrite",
        "--to",
        "uri",
        "--to-charset",
        "utf-8",
        "--stdout",
        "wide.xml",
    ];
    assert!(place.run(&all).text().contains("/é'"));
    // A page may declare its charset in the signed part.
    let page = format!(
        "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><head>\
         <meta http-equiv='Content-Type' content='text/html; charset=utf-8'/></head>{signature}</html>"
    );
    place.write("page.xhtml", page.as_bytes());
    let to_charset = ["rewrite", "--to-charset", "windows-1252", "page.xhtml"];
    place
        .run(&to_charset)
        .complains(&["a signature covers it"], 3);
}

/// Signatures in JSON and in scripts cover the links around them.
#[test]
fn signed_json_and_scripts_stay() {
    const LINK: &str = "http://old.example/a";
    let tuf = format!(
        r#"{{"signatures": [{{"keyid": "1", "sig": "2"}}], "signed": {{"url": "{LINK}"}}}}"#
    );
    let proof = format!(
        r#"{{"id": "{LINK}", "proof": {{"type": "DataIntegrityProof", "proofValue": "z5"}}}}"#
    );
    let script = |block: &str| {
        format!("# See {LINK}\r\n\r\n# {block}\r\n# MIIa\r\n# SIG # End signature block\r\n")
    };
    let signed = script("SIG # Begin signature block");
    let field = format!("id,activity\n1,\"{}\"\n", proof.replace('"', "\"\""));
    let page = format!("<script type='application/ld+json'>{proof}</script>");
    let cases = [
        ("root.json", &tuf, true),
        ("a.jsonld", &proof, true),
        (
            "a.jsonl",
            &format!("{proof}\n{{\"a\": \"{LINK}\"}}\n"),
            true,
        ),
        ("no.json", &tuf.replace("\"signed\"", "\"other\""), false),
        ("a.ps1", &signed, true),
        ("no.ps1", &script("Begin signature block"), false),
        ("a.md", &format!("```\n{signed}```\n<{LINK}>\n"), false),
    ];
    for (name, text, is_signed) in cases {
        let place = Place::new(&[(name, text)]);
        let ran = place.run(&args(&["-i", name]));
        assert_eq!(
            place.read(name) == text.as_bytes(),
            is_signed,
            "{name}: {ran:?}"
        );
        if is_signed {
            ran.complains(&["signed (`--break-signatures`)"], 0);
            place
                .run(&args(&["-i", "--break-signatures", name]))
                .complains(&[], 0);
            assert_ne!(place.read(name), text.as_bytes(), "{name}");
        }
    }
    for (name, text) in [("a.csv", &field), ("a.html", &page)] {
        let place = Place::new(&[(name, text)]);
        let links = place.run(&["find", "--json", name]).objects();
        assert_eq!(links[0]["notes"][0], "left-signed", "{links:?}");
        place.run(&args(&["-i", name])).complains(&[], 0);
        assert_eq!(place.read(name), text.as_bytes(), "{name}");
    }
    let wide = "\u{FEFF}".encode_utf16().chain(tuf.encode_utf16());
    let wide = wide.flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    let place = Place::new(&[]);
    place.write("wide.json", &wide);
    let ran = place.run(&["rewrite", "--to-charset", "utf-8", "-i", "wide.json"]);
    ran.complains(&["a signature covers it"], 3);
    assert_eq!(place.read("wide.json"), wide);
}

/// Records with lengths, and indexes of them, break with any change: the file stays, and says why.
#[test]
fn records_are_refused() {
    const LINK: &str = "http://old.example/a";
    let field = format!("40\u{1F}u{LINK}\u{1E}");
    let directory = format!("856{:04}00000\u{1E}", field.len());
    let base = 24 + directory.len();
    let length = base + field.len() + 1;
    let marc = format!("{length:05}nam a22{base:05}7a 4500{directory}{field}\u{1D}");
    let card = |text: &str| format!("{text:80}");
    let fits = card("SIMPLE  =                    T") + &card(&format!("COMMENT {LINK}"));
    let mail = format!("From: a@b.example\nTo: c@d.example\nSubject: e\n\n{LINK}\n");
    let plist = "<?xml version=\"1.0\"?><plist/>\n";
    let emlx = format!("{}        \n{mail}{plist}", mail.len());
    let redis = format!("*2\r\n$3\r\nGET\r\n${}\r\n{LINK}\r\n", LINK.len());
    let cdxj = format!("example,old)/a 20200101000000 {{\"url\": \"{LINK}\"}}\n");
    for (name, text, kind) in [
        ("a.mrc", &marc, "records of ISO 2709"),
        (
            "INBOX",
            &format!("*mbx*\r\n{LINK}\r\n"),
            "a mailbox in mbx format",
        ),
        ("1.emlx", &emlx, "a message of Apple Mail"),
        (
            "batch",
            &format!("#! rnews {}\n{mail}", mail.len()),
            "a batch of news",
        ),
        ("a.aof", &redis, "commands of Redis"),
        ("a.fits", &fits, "a FITS file"),
        ("a.cdxj", &cdxj, "an index of archives of the web"),
        (
            "a.cdx",
            &format!(" CDX N b a\n{LINK}\n"),
            "an index of archives of the web",
        ),
    ] {
        let ran = Place::new(&[]).pipe(&args(&[]), text.as_str());
        ran.complains(&[&format!("found {kind}")], 3);
        assert_eq!(ran.text(), "", "{name}");
        let place = Place::new(&[(name, text)]);
        let _ = place.run(&args(&["-i", name]));
        assert_eq!(place.read(name), text.as_bytes(), "{name}");
    }
}

/// Texts stay that a signature within them covers.
#[test]
fn signed_texts_stay() {
    const LINK: &str = "http://old.example/a";
    let armor = |name: &str| format!("-----BEGIN {name}-----\n\naaaa\n-----END {name}-----\n");
    let openpgp = armor("PGP SIGNATURE");
    let tag = format!("object 0\ntype commit\ntag 1\n\n{LINK}\n{openpgp}");
    let pem = format!(
        "-----BEGIN PRIVACY-ENHANCED MESSAGE-----\nProc-Type: 4,MIC-CLEAR\n\n{LINK}\n-----END PRIVACY-ENHANCED MESSAGE-----\n"
    );
    let matrix = format!(
        r#"{{"content": {{"url": "{LINK}"}}, "signatures": {{"a.example": {{"ed25519:1": "c2ln"}}}}}}"#
    );
    let google = format!(
        "From: a@b.example\nTo: c@d.example\nX-Google-DKIM-Signature: v=1; h=from; bh=x; b=y\n\n{LINK}\n"
    );
    let news = format!("Newsgroups: a\nX-PGP-Sig: 2.6 Subject,From\n\tiQ==\n\n{LINK}\n");
    let signed = format!("DKIM-Signature: v=1; h=from; bh=x; b=y\nFrom: a@b.example\n\n{LINK}\n");
    let parts = format!(
        "Content-Type: multipart/signed; boundary=x\n\n--x\n\n{LINK}\n--x\nContent-Type: application/pgp-signature\n\n{openpgp}--x--\n"
    );
    for (name, text, is_signed) in [
        ("tag", &tag, true),
        (
            "a.txt",
            &format!("{LINK}\n{}", armor("SSH SIGNATURE")),
            true,
        ),
        ("b.txt", &format!("{openpgp}{LINK}\n"), false),
        ("pem.txt", &pem, true),
        ("behind.txt", &format!("{pem}{LINK}\n"), false),
        ("event.json", &matrix, true),
        ("google.eml", &google, true),
        ("news", &news, true),
        (
            "quoted",
            &format!(">From a@b.example Thu Jan  1 00:00:00 1970\n{signed}"),
            true,
        ),
        ("parts.txt", &parts, true),
        (
            "mmdf",
            &format!("\u{1}\u{1}\u{1}\u{1}\n{signed}\u{1}\u{1}\u{1}\u{1}\n"),
            true,
        ),
        (
            "mmdf.mbox",
            &format!("\u{1}\u{1}\u{1}\u{1}\n{signed}\u{1}\u{1}\u{1}\u{1}\n"),
            true,
        ),
        (
            "RMAIL",
            &format!("BABYL OPTIONS:\n\u{1F}\u{C}\n0,,\n{signed}"),
            true,
        ),
        (
            "babyl",
            &format!("BABYL OPTIONS:\n\u{1F}\u{C}\n0,,\nFrom: a@b.example\n\n{LINK}\n"),
            false,
        ),
        (
            "a.rdp",
            &format!("url:s:{LINK}\r\nsignscope:s:url\r\nsignature:s:AQ==\r\n"),
            true,
        ),
    ] {
        let place = Place::new(&[(name, text)]);
        let ran = place.run(&args(&["-i", name]));
        assert_eq!(
            place.read(name) == text.as_bytes(),
            is_signed,
            "{name}: {ran:?}"
        );
        if is_signed {
            ran.complains(&["signed (`--break-signatures`)"], 0);
            let _ = place.run(&args(&["-i", "--break-signatures", name]));
            assert_ne!(place.read(name), text.as_bytes(), "{name}");
        }
    }
}

/// A file whose name says what it holds keeps its links, by whatever way it would be written; others change.
#[test]
fn names_that_give_the_content_stay_true() {
    const TEXT: &str = "http://old.example/a\n";
    const SHA256: &str = "22de5f2f0a11192bb5b5b2e7c9c0d476ba5a3e495e15cf4dfebabd0ff56cd3c2";
    const BLOB: &str = "007ac18bc16a4584503e51b4e779f85c2a37f4f5";
    let object = format!("objects/{}/{}", &BLOB[..2], &BLOB[2..]);
    let blob = format!("blobs/sha256/{SHA256}");
    for (name, what) in [
        (blob.as_str(), "SHA-256"),
        (&object, "SHA-1"),
        ("cur/1.M2P3.a,S=21,W=22:2,S", "length"),
    ] {
        let why = format!("its name gives the {what} of its content");
        let inside = format!("in/{name}");
        for more in [
            &["-i", "in"][..],
            &["-n", "in"],
            &["in"],
            &["-O", "out", "in"],
        ] {
            let place = Place::new(&[(&inside, TEXT), ("in/b.txt", TEXT)]);
            place.run(&args(more)).complains(&[&why], 3);
            assert_eq!(place.read(&inside), TEXT.as_bytes(), "{name}");
            if more[0] == "-O" {
                assert_eq!(
                    place.read(&format!("out/{name}")),
                    TEXT.as_bytes(),
                    "{name}"
                );
            }
        }
        let place = Place::new(&[(name, TEXT)]);
        let idle = [
            "rewrite",
            "--map",
            "http://other.example/ https://new.example/",
            "-i",
            ".",
        ];
        place.run(&idle).complains(&[], 0);
    }
    let place = Place::new(&[("cur/1.M2P3.a,S=20:2,S", TEXT)]);
    place.run(&args(&["-i", "."])).complains(&[], 0);
    assert_eq!(
        place.read("cur/1.M2P3.a,S=20:2,S"),
        b"https://new.example/a\n"
    );
}

/// Texts of XML may be formats.
#[test]
fn braces_in_texts_of_xml_stay() {
    let resource = "<root><value>http://a.example/\u{e9}/{0}</value><a downloadUrl='http://a.example/\u{e9}/{x}'/>\
         <b>http://a.example/{</b></root>";
    let place = Place::new(&[("a.resx", resource)]);
    let ran = place.run(&["rewrite", "--to", "uri", "--stdout", "a.resx"]);
    assert_eq!(ran.text(), resource.replace('\u{e9}', "%C3%A9"));
}
