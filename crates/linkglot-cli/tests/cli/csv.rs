//! CSV and its like.

use super::support::{Place, rewritten};

const MOVE: [&str; 2] = ["--map", "http://old.example/ https://www.new.example/"];

#[test]
fn links_end_with_their_fields() {
    for (name, text, expected) in [
        (
            "a.csv",
            "link,name\nhttp://old.example/a,next\n",
            "http://old.example/a",
        ),
        (
            "a.CSV",
            "name;link\na,b;http://old.example/a,b;c\n",
            "http://old.example/a,b",
        ),
        (
            "a.csv",
            "name\tlink\na,b;c\thttp://old.example/a;b\tc\n",
            "http://old.example/a;b",
        ),
        (
            "a.tsv",
            "http://old.example/a,b\n",
            "http://old.example/a,b",
        ),
        (
            "a.tab",
            "a\thttp://old.example/a;b,c\td\n",
            "http://old.example/a;b,c",
        ),
        (
            "a.csv",
            "a,\"http://old.example/a,b\",c\n",
            "http://old.example/a,b",
        ),
    ] {
        let place = Place::new(&[(name, text)]);
        let objects = place.run(&["find", "--json", name]).objects();
        let links: Vec<_> = objects.iter().filter(|one| one["type"] == "link").collect();
        assert_eq!(links.len(), 1, "{name}: {text}");
        assert_eq!(
            (&links[0]["text"], &links[0]["format"]),
            (&expected.into(), &"csv".into())
        );
    }
    let place = Place::new(&[
        ("a.csv", "http://a.example/"),
        ("b.tsv", "a\thttp://a.example/"),
        ("c.txt", "http://a.example/"),
    ]);
    place
        .run(&["find", "-t", "csv", "-c", "."])
        .prints("./a.csv:1\n./b.tsv:1\n", 0);
}

#[test]
fn links_move_in_their_fields() {
    for (name, before, after) in [
        (
            "fields.csv",
            "http://old.example/a,next,\"http://old.example/b,\"\"c\"\"\"\r\nsee http://old.example/d.,//old.example/e,http://old.example/\n",
            "https://www.new.example/a,next,\"https://www.new.example/b,\"\"c\"\"\"\r\nsee https://www.new.example/d.,//old.example/e,https://www.new.example/\n",
        ),
        (
            "content.csv",
            "id;data\n1;\"<a href=\"\"http://old.example/ü\"\">x</a>\n<p>http://old.example/;y</p>\"\n2;\"{\"\"a\"\":\"\"http:\\/\\/old.example\\/\"\"}\"\n3;\"a:1:{i:0;s:21:\"\"http://old.example/ü\"\";}\"\n4;s:2:\"ab\"\n",
            "id;data\n1;\"<a href=\"\"https://www.new.example/ü\"\">x</a>\n<p>https://www.new.example/;y</p>\"\n2;\"{\"\"a\"\":\"\"https:\\/\\/www.new.example\\/\"\"}\"\n3;\"a:1:{i:0;s:26:\"\"https://www.new.example/ü\"\";}\"\n4;s:2:\"ab\"\n",
        ),
        (
            "malformed.csv",
            "a,\"http://old.example/ \"b,http://old.example/\nhttp://old.example/c,\"d\n",
            "a,\"https://www.new.example/ \"b,https://www.new.example/\nhttps://www.new.example/c,\"d\n",
        ),
    ] {
        assert_eq!(
            rewritten(name, before, &[&MOVE[..], &["-E", "utf-8"]].concat()),
            after,
            "{name}"
        );
    }
}

/// A field without quotation marks gets none, and no new delimiter.
#[test]
fn columns_stay() {
    for (text, options, expected) in [
        (
            "http://old.example/,x\n\"http://old.example/\",y\n",
            ["--map", "http://old.example/ http://new.example/a,b/"],
            "http://old.example/,x\n\"http://new.example/a,b/\",y\n",
        ),
        (
            "http://old.example/;x\n",
            ["--map", "http://old.example/ http://new.example/a,b/"],
            "http://old.example/;x\n",
        ),
        (
            "a\tb\nhttp://old.example/\tx\n",
            ["--map", "http://old.example/ http://new.example/a;b/"],
            "a\tb\nhttp://old.example/\tx\n",
        ),
        (
            "a,\"http://old.example/ \"b\nc,d\n",
            ["--map", "http://old.example/ http://new.example/a,b/"],
            "a,\"http://old.example/ \"b\nc,d\n",
        ),
        (
            "http://old.example/%22,x\n",
            ["--to", "iri"],
            "http://old.example/%22,x\n",
        ),
    ] {
        assert_eq!(rewritten("a.csv", text, &options), expected, "{text}");
    }
    let place = Place::new(&[("a.csv", "http://old.example/,x\n")]);
    let ran = place.run(&[
        "rewrite",
        "--json",
        "-n",
        "--map",
        "http://old.example/ http://new.example/a,b/",
        "a.csv",
    ]);
    assert!(ran.text().contains("left-unencodable"));
    // Behind the head other marks may come.
    let rows = "a,b\n".repeat(8);
    assert_eq!(
        rewritten(
            "a.csv",
            &format!("{rows}http://old.example/,x\n"),
            &["--map", "http://old.example/ http://new.example/a;b/"]
        ),
        format!("{rows}http://new.example/a;b/,x\n")
    );
    // But not if the head shows no delimiter for certain.
    for head in ["Report; 2020\n", "url\nhttp://old.example/a;b\n"] {
        let table = format!("{head}{}http://old.example/\n", "a\n".repeat(8));
        let rewritten = rewritten(
            "a.csv",
            &table,
            &["--map", "http://old.example/ http://new.example/a,b/"],
        );
        assert_eq!(rewritten, table);
    }
    assert_eq!(
        rewritten("a.csv", "a|b\nhttp://old.example/é|x\n", &["--to", "uri"]),
        "a|b\nhttp://old.example/%C3%A9|x\n"
    );
}
