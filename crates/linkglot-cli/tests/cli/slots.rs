//! The places of links in `find` and `rewrite`: kinds, names, nesting, bases, and user vocabularies.

use crate::support::Place;
use serde_json::{Value, json};

/// A link of each kind of place.
const PAGE: &str = "\
<!doctype html><base href=\"http://old.example/d/\">
<meta http-equiv=refresh content='9; url=/é/refresh'>
<a href='é/attribute'>x</a> http://old.example/é/text
<p style='b:url(/é/css)'><img srcset='/é/srcset 1x'>
<script type=application/ld+json>{\"url\":\"/é/script\"}</script>
<!-- http://old.example/é/comment -->
<!--[if IE]><a href=/é/conditional>x</a><![endif]-->
<code>http://old.example/é/code</code> <p data-src=/é/lazy>
";

const FEED: &str = "\
<?xml version='1.0'?><?xml-stylesheet href='/é/instruction'?>
<!DOCTYPE rss SYSTEM 'http://old.example/é/doctype'>
<!-- http://old.example/é/comment -->
<rss xml:base='http://old.example/'><channel><link>/é/element</link></channel></rss>
";

fn site() -> Place {
    Place::new(&[("p.html", PAGE), ("f.xml", FEED)])
}

#[test]
fn kinds_are_found() {
    let place = site();
    let html = [
        ("text", "http://old.example/é/text\n"),
        ("attribute", "http://old.example/d/\né/attribute\n"),
        ("css", "/é/css\n"),
        ("refresh", "/é/refresh\n"),
        ("srcset", "/é/srcset\n"),
        ("script", "/é/script\n"),
        ("comment", "http://old.example/é/comment\n/é/conditional\n"),
        ("text,css", "http://old.example/é/text\n/é/css\n"),
    ];
    for (kind, links) in html {
        place
            .run(&["find", "-o", "--kind", kind, "p.html"])
            .prints(links, 0);
    }
    let xml = [
        ("instruction", "/é/instruction\n"),
        ("doctype", "http://old.example/é/doctype\n"),
        ("comment", "http://old.example/é/comment\n"),
        ("element", "/é/element\n"),
        ("attribute", "http://old.example/\n"),
    ];
    for (kind, links) in xml {
        place
            .run(&["find", "-o", "--kind", kind, "f.xml"])
            .prints(links, 0);
    }
    place
        .run(&["find", "--kind", "srcset", "f.xml"])
        .prints("", 1);
}

#[test]
fn kinds_are_rewritten() {
    let place = site();
    let escaped = |page: &str, parts: &[&str]| {
        parts.iter().fold(page.to_owned(), |page, part| {
            page.replace(&format!("é/{part}"), &format!("%C3%A9/{part}"))
        })
    };
    let all = [
        ("p.html", PAGE, "text", &["text"][..]),
        ("p.html", PAGE, "attribute", &["attribute"]),
        ("p.html", PAGE, "css", &["css"]),
        ("p.html", PAGE, "refresh", &["refresh"]),
        ("p.html", PAGE, "srcset", &["srcset"]),
        ("p.html", PAGE, "script", &["script"]),
        ("p.html", PAGE, "comment", &["comment", "conditional"]),
        ("p.html", PAGE, "css,srcset", &["css", "srcset"]),
        ("f.xml", FEED, "instruction", &["instruction"]),
        ("f.xml", FEED, "element", &["element"]),
        ("f.xml", FEED, "comment", &["comment"]),
        // Identifiers are never rewritten.
        ("f.xml", FEED, "doctype", &[]),
    ];
    for (file, text, kinds, parts) in all {
        let args = ["rewrite", "--to", "uri", "--slots", kinds, "--stdout", file];
        place.run(&args).prints(&escaped(text, parts), 0);
    }
    let wrong = place.run(&["rewrite", "--to", "uri", "--slots", "links", "p.html"]);
    wrong.complains(&["possible values: text, attribute, css"], 2);
}

#[test]
fn more_is_read_on_request() {
    let place = site();
    let cases = [
        ("code", "http://old.example/é/code\n"),
        ("text", "http://old.example/é/code\n"),
        ("comments", "http://old.example/é/comment\n/é/conditional\n"),
        ("conditional", "/é/conditional\n"),
        ("opt-in", "/é/lazy\n"),
    ];
    let usual = place.run(&["find", "-o", "p.html"]).text();
    for (what, more) in cases {
        let all = place.run(&["find", "-o", "--also", what, "p.html"]).text();
        let new: String = all
            .lines()
            .filter(|line| !usual.lines().any(|usual| usual == *line))
            .map(|line| format!("{line}\n"))
            .collect();
        assert_eq!(new, more, "{what}");
    }
    let args = [
        "rewrite",
        "--to",
        "uri",
        "--also",
        "opt-in,code",
        "--stdout",
        "p.html",
    ];
    let text = place.run(&args).text();
    assert!(text.contains("data-src=/%C3%A9/lazy") && text.contains("%C3%A9/code"));
    assert!(text.contains("é/comment"));
}

/// The JSON fields of a link, without those that other tests check.
fn place_and_target(object: &Value) -> Value {
    json!([object["text"], object["place"], object["resolved"]])
}

#[test]
fn json_tells_place_and_target() {
    let atom = "http://www.w3.org/2005/Atom";
    let feed = format!(
        "<?xml version='1.0'?><f:feed xmlns:f='{atom}' xmlns:x='http://www.w3.org/1999/xlink' xml:base='/b/'>\
         <f:link href='1'/><f:content xml:base='c/' type='html'>&lt;p style=\"b:url(2)\">&lt;svg>&lt;a xlink:href=3></f:content>\
         <other xmlns='urn:o' x:href='4'/></f:feed>"
    );
    let place = Place::new(&[("f.xml", &*feed)]);
    let expected = [
        json!(["/b/", {"kind": "attribute", "element": "f:feed", "name": "xml:base", "namespace": atom,
            "name_namespace": "http://www.w3.org/XML/1998/namespace"}, "http://h.example/b/"]),
        json!(["1", {"kind": "attribute", "element": "f:link", "name": "href", "namespace": atom}, "http://h.example/b/1"]),
        json!(["c/", {"kind": "attribute", "element": "f:content", "name": "xml:base", "namespace": atom,
            "name_namespace": "http://www.w3.org/XML/1998/namespace"}, "http://h.example/b/c/"]),
        json!(["2", {"kind": "css", "element": "p", "name": "style", "nesting": ["f:content", "style"]}, "http://h.example/b/c/2"]),
        json!(["3", {"kind": "attribute", "element": "a", "name": "xlink:href",
            "namespace": "http://www.w3.org/2000/svg", "name_namespace": "http://www.w3.org/1999/xlink",
            "nesting": ["f:content"]}, "http://h.example/b/c/3"]),
        json!(["4", {"kind": "attribute", "element": "other", "name": "x:href", "namespace": "urn:o",
            "name_namespace": "http://www.w3.org/1999/xlink"}, "http://h.example/b/4"]),
    ];
    let args = ["find", "--json", "--base", "http://h.example/", "f.xml"];
    let file = place.run(&args).objects();
    let found: Vec<Value> = file.iter().map(place_and_target).collect();
    assert_eq!(found[..expected.len()], expected);
    // A stream gives the same result.
    let args = ["find", "--json", "--base", "http://h.example/", "-"];
    let stream = place.pipe(&args, &*feed).objects();
    let streamed: Vec<Value> = stream.iter().map(place_and_target).collect();
    assert_eq!(streamed[..expected.len()], expected);
    // Without a base the target is unknown.
    let bare = place.run(&["find", "--json", "f.xml"]).objects();
    assert!(bare.iter().all(|object| object["resolved"].is_null()));
}

#[test]
fn resolved_is_null_when_it_cannot_be() {
    let page = "<p><a href='http://['><a href='x'><a href='//h.example'><a href=mailto:a@b.example> see b.example";
    let place = Place::new(&[("p.html", page)]);
    let found = place.run(&["find", "--json", "p.html"]).objects();
    let targets: Vec<&Value> = found[..5]
        .iter()
        .map(|object| &object["resolved"])
        .collect();
    let mail = json!("mailto:a@b.example");
    let null = Value::Null;
    assert_eq!(targets[..4], [&null, &null, &null, &mail]);
}

#[test]
fn rules_see_what_references_resolve_to() {
    let place = site();
    let rule = "http://old.example/ https://new.example/";
    let run = |more: &[&str]| {
        let args = [
            &["rewrite", "--to", "same", "--map", rule, "--stdout"],
            more,
        ]
        .concat();
        place.run(&args).text()
    };
    let as_written = PAGE
        .replace("\"http://old.example/d/\"", "\"https://new.example/d/\"")
        .replace("http://old.example/é/text", "https://new.example/é/text");
    assert_eq!(run(&["p.html"]), as_written);
    let resolved = as_written
        .replace("url=/é", "url=https://new.example/é")
        .replace("'é/attr", "'https://new.example/d/é/attr")
        .replace("(/é/css", "(https://new.example/é/css")
        .replace("'/é/srcset", "'https://new.example/é/srcset")
        .replace("\"/é/script", "\"https://new.example/é/script");
    assert_eq!(run(&["--map-resolved", "p.html"]), resolved);
    let feed = FEED
        .replace("'http://old.example/'>", "'https://new.example/'>")
        .replace(">/é/element", ">https://new.example/é/element");
    assert_eq!(run(&["--map-resolved", "f.xml"]), feed);
    let based = feed.replace("'/é/instr", "'https://new.example/é/instr");
    let base = ["--map-resolved", "--base", "http://old.example/x", "f.xml"];
    assert_eq!(run(&base), based);
}

const ROWS: &str = "\
# Ours: HTML
x-card\tto\tsingle\trewrite
a\thref\tnone\tnever\tclass~=raw
*\tdata-go-*\tspace-list\trewrite\n
# XML
prefix\tv\turn:v
urn:v\tcard\tto|v:too\tsingle\trewrite
urn:v\tname\t#text\tsingle\tlist
";

#[test]
fn vocabularies_of_users() {
    let place = Place::new(&[
        ("rows.tsv", ROWS),
        (
            "more.tsv",
            "\u{FEFF}x-card\tto\tnone\tnever\r\nx-card\ttoo\tsingle\trewrite\r\n",
        ),
        (
            "p.html",
            "<x-card to=/1 too=/2><a href=/3><a class='x raw' href=/4><p data-go-there='/5 /6'>",
        ),
        (
            "x.xml",
            "<?xml version='1.0'?><v:card xmlns:v='urn:v' to='/1' v:too='/2' href='/no'><v:name>/3</v:name></v:card>",
        ),
    ]);
    let run = |args: &[&str]| place.run(&[&["find", "-o"], args].concat()).text();
    assert_eq!(run(&["p.html"]), "/3\n/4\n");
    assert_eq!(
        run(&["--vocabulary", "rows.tsv", "p.html"]),
        "/1\n/3\n/5\n/6\n"
    );
    let both = [
        "--vocabulary",
        "rows.tsv",
        "--vocabulary",
        "more.tsv",
        "p.html",
    ];
    assert_eq!(run(&both), "/2\n/3\n/5\n/6\n");
    assert_eq!(run(&["x.xml"]), "/no\n");
    assert_eq!(run(&["--vocabulary", "rows.tsv", "x.xml"]), "/1\n/2\n");
    let listed = ["--identifiers", "--vocabulary", "rows.tsv", "x.xml"];
    assert_eq!(run(&listed), "/1\n/2\n/3\n");
    let rewrite = ["rewrite", "--to", "same", "--map", "/ /new/", "--stdout"];
    let args = [&rewrite[..], &["--vocabulary", "rows.tsv", "x.xml"]].concat();
    let text = place.run(&args).text();
    assert!(
        text.contains("to='/new/1' v:too='/new/2' href='/no'><v:name>/3<"),
        "{text}"
    );
}

#[test]
fn what_is_no_vocabulary_is_an_error() {
    let place = Place::new(&[
        ("p.html", "<a href=x>"),
        ("a.tsv", "\n# x\na\thref\tsingel\trewrite\n"),
        ("b.tsv", "a href single rewrite\n"),
        ("c.tsv", "urn:x\ta\thref\tsingle\twrite\n"),
    ]);
    place.write("d.tsv", b"a\thref\tsingle\xFF\trewrite\n");
    let cases = [
        ("a.tsv", "a.tsv: line 3: expected a syntax"),
        ("b.tsv", "b.tsv: line 1: expected columns separated by tabs"),
        ("c.tsv", "c.tsv: line 1: expected an access"),
        (
            "d.tsv",
            "d.tsv: expected text in UTF-8, found other bytes at byte 13",
        ),
        ("e.tsv", "e.tsv: "),
    ];
    for (file, message) in cases {
        for command in [&["find"][..], &["rewrite", "--to", "uri"]] {
            let args = [command, &["--vocabulary", file, "p.html"]].concat();
            place.run(&args).complains(&[message], 2);
        }
    }
}

/// Browsers remove tabs and line ends from a URL, and controls from its beginning.
#[test]
fn schemes_are_those_that_browsers_see() {
    let cases = [
        ("ht&#10;tp://o.example/x", Some("http")),
        ("Java\nscript:x", Some("javascript")),
        ("\tmail\t\r\nto:a@b.example", Some("mailto")),
        ("&#1;http://o.example/", Some("http")),
        ("ht tp://o.example/", None),
        ("a\nb/c:d", None),
        ("x", None),
    ];
    for (href, scheme) in cases {
        let page = format!("<a href='{href}'>x</a>");
        let find = |args: &[&str]| {
            let place = Place::new(&[]);
            let args = [&["find", "--format", "html", "--json"], args].concat();
            let mut objects = place.pipe(&args, page.clone()).objects();
            objects.retain(|object| object["type"] == "link");
            objects
        };
        let all = find(&[]);
        assert_eq!(all[0]["scheme"], json!(scheme), "{href}");
        assert_eq!(
            find(&["--relative"]).len(),
            usize::from(scheme.is_none()),
            "{href}"
        );
        assert_eq!(
            find(&["--absolute"]).len(),
            usize::from(scheme.is_some()),
            "{href}"
        );
        let named = find(&["--scheme", scheme.unwrap_or("http")]);
        assert_eq!(named.len(), usize::from(scheme.is_some()), "{href}");
    }
}

/// HTML 4.01 13.3 and 13.4, except for `data`, which browsers resolve against the document's base.
#[test]
fn a_codebase_is_a_base_that_nobody_knows() {
    let tags = [
        ("<applet code=/x codebase=y>", 2, &["code"][..]),
        (
            "<APPLET Codebase=. archive='/x,/z' object=/x>",
            4,
            &["archive", "archive", "object"],
        ),
        ("<applet code=/x archive=/z>", 2, &[]),
        // The document's own base, as without the attribute.
        ("<applet code=/x codebase=''>", 1, &[]),
        (
            "<object codebase=y classid=/x data=/z archive='/x /z'>",
            5,
            &["classid", "archive", "archive"],
        ),
        ("<embed src=/x codebase=y><a href=/x>", 3, &[]),
        (
            "<applet code='http://old.example/x' codebase=y><a href=/z>",
            3,
            &[],
        ),
        (
            "<applet codebase=y code=/x><!--[if IE]><a href=/z><![endif]-->",
            3,
            &["code"],
        ),
    ];
    let place = Place::new(&[]);
    let base = ["--base", "http://old.example/", "--format", "html"];
    for (tag, count, unknown) in tags {
        let nested = format!("<iframe srcdoc=\"{tag}\">");
        for page in [tag, &nested] {
            let args = [&["find", "--json", "--also", "conditional"], &base[..]].concat();
            let found = place.pipe(&args, page).objects();
            let links: Vec<&Value> = found
                .iter()
                .filter(|object| object["type"] == "link")
                .collect();
            assert_eq!(links.len(), count, "{page}");
            let names = links.iter().filter(|link| link["resolved"].is_null());
            let names: Vec<&str> = names
                .filter_map(|link| link["place"]["name"].as_str())
                .collect();
            assert_eq!(names, unknown, "{page}");
            let rule = [
                "--map-resolved",
                "--map",
                "http://old.example/ https://new.example/",
            ];
            let args = [&["rewrite", "--to", "same", "--json"], &rule[..], &base[..]].concat();
            let edits = place.pipe(&args, page).objects();
            let edits = edits.iter().filter(|edit| edit["new"].is_string());
            let known = links.iter().filter(|link| !link["resolved"].is_null());
            let known = known.filter(|link| link["place"]["kind"] != "comment");
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            assert_eq!(
                edits.map(|edit| text(&edit["old"])).collect::<Vec<_>>(),
                known.map(|link| text(&link["text"])).collect::<Vec<_>>(),
                "{page}"
            );
        }
    }
}

/// Metadata of papers, Dublin Core, VML, filters of Internet Explorer and pages for browsers without frames hold links.
#[test]
fn old_and_scholarly_places() {
    let place = Place::new(&[]);
    let page = "<meta name=citation_pdf_url content=1.pdf><meta name=Citation_Fulltext_Html_Url content=/2>\
        <meta name=citation_doi content=10.1/x><meta name=citation_title content='http://a.example/no'>\
        <meta name=DC.Relation content=http://a.example/3><meta name=DC.identifier content=10.1000/4>\
        <meta name=dcterms.isPartOf content=urn:issn:1234-5678><meta name=dc.created content=2024-01-01>\
        <meta name=dc.title content='http: the definitive guide'>\
        <v:shape href=/5><v:imagedata src=/6.png o:href=/7/></v:shape>\
        <p style=\"filter:progid:a.AlphaImageLoader(src='/8.png');-ms-filter:&quot;progid:b.AlphaImageLoader(src='/9.png')&quot;\">\
        <noframes><body>see http://a.example/10 and <a href=/11>this</a></body></noframes>\
        <i about='[dbr:Foo]' resource='foaf:Person'></i><i about=http://a.example/12></i>";
    let run = place.pipe(&["find", "-o", "--format", "html", "-"], page);
    let found = "1.pdf\n/2\nhttp://a.example/3\nurn:issn:1234-5678\n/5\n/6.png\n/7/\n/8.png\n/9.png\nhttp://a.example/10\n/11\n";
    run.prints(found, 0);
    let run = place.pipe(
        &["find", "-o", "--format", "html", "--identifiers", "-"],
        page,
    );
    run.prints(&(found.to_owned() + "http://a.example/12\n"), 0);
    let word = "<!--[if gte vml 1]><v:shape href='/a'><v:imagedata src='/b' o:title=''/></v:shape><![endif]-->";
    let run = place.pipe(
        &[
            "find",
            "-o",
            "--format",
            "html",
            "--also",
            "conditional",
            "-",
        ],
        word,
    );
    run.prints("/a\n/b\n", 0);
    let args = ["rewrite", "--to", "uri", "--format", "html", "-"];
    let before = "<noframes><a href='/\u{E9}'></noframes><p style=\"-ms-filter:'progid:a.AlphaImageLoader(src=&quot;/\u{E9}&quot;)'\">\
        <meta name=dc.identifier content=http://a.example/\u{E9}>";
    let after = before.replacen('\u{E9}', "%C3%A9", 2);
    place.pipe(&args, before).prints(&after, 0);
}

/// Elements of AMP and attributes of lazy loaders are read on request, apart from links that browsers read, too.
#[test]
fn places_of_amp_and_lazy_loaders() {
    let page = "<link rel=amphtml href=/amp><amp-img src=/1.png srcset='/2.png 2x'></amp-img>\
        <amp-video poster=/3.png src=/4></amp-video><amp-iframe src=/5></amp-iframe>\
        <img src=/6.png data-src=/7.png data-srcset='/8.png 2x'><img data-original=/9.png data-lazy-src=/10.png>\
        <p data-bg=/11.png>";
    let place = Place::new(&[("a.html", page)]);
    place
        .run(&["find", "-o", "a.html"])
        .prints("/amp\n/6.png\n", 0);
    let all =
        "/amp\n/1.png\n/2.png\n/3.png\n/4\n/5\n/6.png\n/7.png\n/8.png\n/9.png\n/10.png\n/11.png\n";
    place
        .run(&["find", "-o", "--also", "opt-in", "a.html"])
        .prints(all, 0);
}
