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
    ran.complains(&[why], 3);
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
