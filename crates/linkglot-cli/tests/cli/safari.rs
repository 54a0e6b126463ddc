//! Web archives of Safari: `find` reads their resources, and nothing writes them.

use crate::support::Place;
use serde_json::json;

const XML: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>WebMainResource</key>
	<dict>
		<key>WebResourceData</key>
		<data>
		PGEgaHJlZj1uZXh0PiA8YSBocmVmPWh0dHA6Ly9vbGQuZXhhbXBsZS/kPg==
		</data>
		<key>WebResourceMIMEType</key>
		<string>text/html</string>
		<key>WebResourceTextEncodingName</key>
		<string>windows-1251</string>
		<key>WebResourceURL</key>
		<string>http://old.example/d/a?b&amp;c</string>
	</dict>
	<key>WebSubframeArchives</key>
	<array>
		<dict>
			<key>WebMainResource</key>
			<dict>
				<key>WebResourceData</key>
				<data>PGEgaHJlZj1mPg==</data>
				<key>WebResourceMIMEType</key>
				<string>text/html</string>
				<key>WebResourceURL</key>
				<string>http://frame.example/</string>
			</dict>
		</dict>
	</array>
	<key>WebSubresources</key>
	<array>
		<dict>
			<key>WebResourceData</key>
			<data>YXt1cmwoaS5wbmcpfQ==</data>
			<key>WebResourceMIMEType</key>
			<string>text/css</string>
			<key>WebResourceURL</key>
			<string>http://old.example/s.css</string>
		</dict>
		<dict>
			<key>WebResourceData</key>
			<data>aHR0cDovL25vbmUuZXhhbXBsZS8=</data>
			<key>WebResourceMIMEType</key>
			<string>image/png</string>
		</dict>
	</array>
</dict>
</plist>
"#;

/// A binary list in the order of Apple: objects, their places, and a trailer.
fn binary(objects: &[Vec<u8>]) -> Vec<u8> {
    let mut list = b"bplist00".to_vec();
    let mut places = Vec::new();
    for object in objects {
        places.extend_from_slice(&u16::try_from(list.len()).unwrap().to_be_bytes());
        list.extend_from_slice(object);
    }
    let table = list.len() as u64;
    list.extend_from_slice(&places);
    list.extend_from_slice(&[0, 0, 0, 0, 0, 0, 2, 1]);
    for number in [objects.len() as u64, 0, table] {
        list.extend_from_slice(&number.to_be_bytes());
    }
    list
}

fn of(kind: u8, bytes: &[u8]) -> Vec<u8> {
    let len = u8::try_from(bytes.len()).unwrap();
    [&[kind | 0x0F, 0x10, len], bytes].concat()
}

fn text(text: &str) -> Vec<u8> {
    of(0x50, text.as_bytes())
}

/// The values of an archive with a page.
fn page(content: &[u8]) -> Vec<Vec<u8>> {
    vec![
        vec![0xD1, 1, 2],
        text("WebMainResource"),
        vec![0xD3, 3, 4, 5, 6, 7, 8],
        text("WebResourceData"),
        text("WebResourceMIMEType"),
        text("WebResourceURL"),
        of(0x40, content),
        text("text/html"),
        text("http://site.example/d/"),
    ]
}

#[test]
fn resources_are_found() {
    let place = Place::new(&[("x.webarchive", XML)]);
    place.write("b.webarchive", &binary(&page(b"<a href=next>")));
    let found = place.run(&["find", "--as", "iri", "."]).text();
    let expected = "\
./b.webarchive!/http://site.example/d/:1:9:next
./x.webarchive!/http://old.example/d/a?b&c:1:9:next
./x.webarchive!/http://old.example/d/a?b&c:1:23:http://old.example/д
./x.webarchive!/http://frame.example/:1:9:f
./x.webarchive!/http://old.example/s.css:1:7:i.png
";
    assert_eq!(found, expected);
    let objects = place.run(&["find", "--json", "x.webarchive"]).objects();
    assert_eq!(objects[0]["resolved"], "http://old.example/d/next");
    assert_eq!(objects[0]["target"], "http://old.example/d/a?b&c");
    assert_eq!(objects[1]["charset"], "windows-1251");
    let summary = objects.last().unwrap();
    assert_eq!(summary["skipped"], json!({"binary": 1}));
}

#[test]
fn web_archives_are_never_written() {
    let place = Place::new(&[
        ("x.webarchive", XML),
        ("a.html", "<a href=http://old.example/>"),
    ]);
    let map = ["--map", "http://old.example/ http://new.example/"];
    let run = place.run(&[&["rewrite", "-i", "-v", "."], &map[..]].concat());
    run.complains(
        &[
            "./x.webarchive: not read: binary",
            "1 link changed in 1 file",
        ],
        0,
    );
    assert_eq!(place.read("x.webarchive"), XML.as_bytes());
    // A document on standard input has no name.
    for format in [&[][..], &["--format", "xml"]] {
        let run = place.pipe(&[&["rewrite"], &map[..], format].concat(), XML);
        run.complains(&["a web archive of Safari"], 3);
        assert_eq!(run.text(), "");
    }
    let run = place.run(
        &[
            &["rewrite", "-i", "--no-containers", "x.webarchive"],
            &map[..],
        ]
        .concat(),
    );
    run.complains(&["a web archive of Safari"], 3);
    assert_eq!(place.read("x.webarchive"), XML.as_bytes());
}

#[test]
fn other_property_lists_are_xml() {
    let list = XML.replace("Web", "App");
    let place = Place::new(&[("a.plist", &list)]);
    let found = place.run(&["find", "a.plist"]).text();
    assert!(found.contains("http://old.example/d/a?b&c"), "{found}");
}

#[test]
fn damaged_web_archives_are_errors() {
    let place = Place::new(&[("x.webarchive", &XML[..XML.len() - 100])]);
    let whole = binary(&page(b"<a href=next>"));
    place.write("b.webarchive", &whole[..whole.len() - 1]);
    let run = place.run(&["find", "."]);
    run.complains(&["./b.webarchive: ", "./x.webarchive: "], 3);
    assert!(
        run.text().contains("http://old.example/s.css:1:7:i.png"),
        "{run:?}"
    );
}

/// Values that share others could be more than the archive has bytes.
#[test]
fn shared_values_end_in_an_error() {
    let mut objects = page(b"<a href=next>");
    objects[0] = vec![0xD2, 1, 9, 2, 10];
    objects.push(text("Others"));
    for next in 11..=60 {
        objects.push(vec![0xA2, next, next]);
    }
    objects.push(text("end"));
    let place = Place::new(&[]);
    place.write("b.webarchive", &binary(&objects));
    let run = place.run(&["find", "b.webarchive"]);
    run.complains(&["expected a smaller web archive of Safari"], 3);
    assert!(run.text().contains(":1:9:next"), "{run:?}");
    // A list that holds itself.
    objects[10] = vec![0xA1, 10];
    place.write("b.webarchive", &binary(&objects));
    let run = place.run(&["find", "b.webarchive"]);
    run.complains(&["damaged web archive"], 3);
}
