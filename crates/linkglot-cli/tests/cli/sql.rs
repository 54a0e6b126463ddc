//! SQL, and lengths in serialized data.

use super::support::Place;

const MOVE: [&str; 2] = ["--map", "http://old.example/ https://www.new.example/"];

/// The moved document, and what is left behind, of a file.
fn moved(place: &Place, name: &str) -> String {
    let ran = place.run(&[&["rewrite", "--stdout", name], &MOVE[..]].concat());
    ran.text()
}

#[test]
fn formats_by_name_and_content() {
    let dump = "-- MySQL dump 10.13\nINSERT INTO `t` VALUES ('http:\\/\\/a.example\\/');\n";
    let place = Place::new(&[("a.SQL", dump), ("b", dump), ("c.txt", dump)]);
    for (name, count) in [("a.SQL", 1), ("b", 1), ("c.txt", 0)] {
        let objects = place.run(&["find", "--json", name]).objects();
        let links = objects.iter().filter(|object| object["type"] == "link");
        assert_eq!(links.count(), count, "{name}");
    }
    place
        .run(&["find", "-t", "sql", "-c", "."])
        .prints("./a.SQL:1\n", 0);
}

#[test]
fn lengths_follow_their_links() {
    for (name, before, after) in [
        (
            "mysql.sql",
            r#"/*!50503 SET NAMES utf8mb4 */;INSERT INTO `t` VALUES ('a:2:{i:0;s:21:\"http://old.example/ü\";i:1;s:27:\"s:19:\"http://old.example/\";\";}');"#,
            r#"/*!50503 SET NAMES utf8mb4 */;INSERT INTO `t` VALUES ('a:2:{i:0;s:26:\"https://www.new.example/ü\";i:1;s:32:\"s:24:\"https://www.new.example/\";\";}');"#,
        ),
        (
            "postgres.sql",
            "COPY t FROM stdin;\n1\ts:21:\"a\\\\http://old.example/\";\n\\.\n",
            "COPY t FROM stdin;\n1\ts:26:\"a\\\\https://www.new.example/\";\n\\.\n",
        ),
        (
            "string.json",
            r#"{"a": "O:1:\"A\":1:{s:1:\"b\";s:26:\"see http://old.example/ \u00fc\";}"}"#,
            r#"{"a": "O:1:\"A\":1:{s:1:\"b\";s:31:\"see https://www.new.example/ \u00fc\";}"}"#,
        ),
        (
            "page.json",
            r#"["s:35:\"<a href='http:\/\/old.example\/'>x<\/a>\";"]"#,
            r#"["s:40:\"<a href='https:\/\/www.new.example\/'>x<\/a>\";"]"#,
        ),
        // A wrong length, keys, and classes that serialize themselves.
        (
            "wrong.json",
            r#"["s:20:\"http://old.example/\";", "C:1:\"A\":19:{http://old.example/}"]"#,
            r#"["s:20:\"http://old.example/\";", "C:1:\"A\":19:{http://old.example/}"]"#,
        ),
        (
            "keys.json",
            r#"["a:1:{s:19:\"http://old.example/\";i:1;}"]"#,
            r#"["a:1:{s:19:\"http://old.example/\";i:1;}"]"#,
        ),
    ] {
        let place = Place::new(&[(name, before)]);
        assert_eq!(moved(&place, name), after);
    }
}

#[test]
fn lengths_count_octets_of_the_charset() {
    let dump = |length: usize, link: &str| {
        let text = format!(
            "/*!40101 SET NAMES latin1 */;\nINSERT INTO `t` VALUES ('s:{length}:\"{link}\";');\n"
        );
        text.chars().map(|ch| ch as u8).collect::<Vec<u8>>()
    };
    let place = Place::new(&[]);
    place.write("a.sql", &dump(21, "http://old.example/\u{fc}\u{fc}"));
    let ran = place.run(&["rewrite", "--stdout", "--to", "uri", "a.sql"]);
    assert_eq!(ran.out, dump(31, "http://old.example/%C3%BC%C3%BC"));
}

#[test]
fn edits_of_lengths_are_undone() {
    let before = r#"["s:19:\"http://old.example/\";"]"#;
    let place = Place::new(&[("a.json", before)]);
    place.run(&[&["rewrite", "-i", "--journal", "run", "a.json"], &MOVE[..]].concat());
    let after = br#"["s:24:\"https://www.new.example/\";"]"#;
    assert_eq!(place.read("a.json"), after);
    place.run(&["undo", "run"]);
    assert_eq!(place.read("a.json"), before.as_bytes());
}

#[test]
fn literals_of_an_unknown_database_are_left() {
    let script = "SELECT 'http://old.example/a\\n', 'http://old.example/b', 'c\\', 'http://old.example/d');\n";
    let place = Place::new(&[("a.sql", script)]);
    place.run(&["find", "-o", "a.sql"]).prints(
        "http://old.example/a\nhttp://old.example/b\nhttp://old.example/d\n",
        0,
    );
    let expected = script.replace("http://old.example/b", "https://www.new.example/b");
    let expected = expected.replace("http://old.example/d", "https://www.new.example/d");
    assert_eq!(moved(&place, "a.sql"), expected);
}

#[test]
fn data_of_blocks_in_comments() {
    let page = r#"<!-- wp:image {"id":7,"href":"http:\/\/old.example\/a"} --><p><!-- wp:x {"a": --><!-- {"b":"http://old.example/"} -->"#;
    let place = Place::new(&[("a.html", page)]);
    let after = page.replacen("http:\\/\\/old", "https:\\/\\/www.new", 1);
    assert_eq!(moved(&place, "a.html"), after);
}

#[test]
fn references_without_a_scheme() {
    let data = r#"["//cdn.example.org/é", "//cdn", "// example.org", "//old.example.org"]"#;
    let place = Place::new(&[("a.json", data)]);
    place
        .run(&["find", "-o", "a.json"])
        .prints("//cdn.example.org/é\nexample.org\n//old.example.org\n", 0);
    // A comment may look so: only a rule that names the host is evidence enough.
    assert_eq!(
        place
            .run(&["rewrite", "--to", "uri", "--stdout", "a.json"])
            .text(),
        data
    );
    let ran = place.run(&[
        "rewrite",
        "--map",
        "cdn.example.org new.example.com",
        "--stdout",
        "a.json",
    ]);
    assert_eq!(
        ran.text(),
        data.replace("cdn.example.org", "new.example.com")
    );
}

/// Values that may not be the text that they look like are listed and not changed.
#[test]
fn values_of_doubt_are_left() {
    let dump = r#"/*!40101 SET NAMES utf8mb4 */;
INSERT INTO `t` VALUES ('len\0\0http://old.example/blob\0'),('http://old.example/1');
SELECT 'http://old.example' '.uk/';
/*!50003 SET sql_mode = 'NO_BACKSLASH_ESCAPES' */;
SELECT 'http://old.example/2\';
/*!50003 SET sql_mode = @saved_sql_mode */;
SELECT 'it\'s http://old.example/3';
SET NAMES latin1;
SELECT 'http://old.example/other';
"#;
    let lite = r#"PRAGMA foreign_keys=OFF;
INSERT INTO t VALUES(replace('<img srcset="http://old.example/a 1x,\nhttp://old.example/b 2x">','\n',char(10)),'http://old.example/1');
"#;
    let postgres = r#"SET standard_conforming_strings = on;
SELECT U&'http://old.example/\00e9', 'http://old.example/1', $$http://old.example/2$$;
COPY t (b) FROM stdin;
<a href="http://old.example/a">\\000\\377
http://old.example/3
\.
COPY t (a) FROM stdin WITH (FORMAT csv);
"http://old.example/4"
"#;
    for (name, dump) in [
        ("mysql.sql", dump),
        ("lite.sql", lite),
        ("pg.sql", postgres),
    ] {
        let place = Place::new(&[(name, dump)]);
        let after = (1..=4).fold(dump.to_owned(), |text, number| {
            let link = |host: &str| format!("{host}/{number}");
            text.replace(
                &link("http://old.example"),
                &link("https://www.new.example"),
            )
        });
        assert_eq!(moved(&place, name), after);
        let objects = place.run(&["find", "--json", name]).objects();
        let links = objects.iter().filter(|object| object["type"] == "link");
        assert_eq!(
            links.count(),
            dump.matches("http://old.example").count(),
            "{name}"
        );
    }
}

#[test]
fn no_other_charset() {
    let place = Place::new(&[("a.sql", "SET NAMES latin1; SELECT 'a';\n")]);
    place
        .run(&["rewrite", "--to-charset", "utf-16le", "--stdout", "a.sql"])
        .complains(&["SQL cannot get another charset"], 3);
}

#[test]
fn lists_and_blocks_in_a_literal() {
    let dump = r#"INSERT INTO `t` VALUES ('http://old.example/a,http://old.example/b|http://old.example/c','<!-- wp:x {\"u\":\"http:\\/\\/old.example\\/d\"} /-->');"#;
    let place = Place::new(&[("a.sql", dump)]);
    let after = dump.replace("http://old.example", "https://www.new.example");
    let after = after.replace(r"http:\\/\\/old.example", r"https:\\/\\/www.new.example");
    assert_eq!(moved(&place, "a.sql"), after);
}

/// Operators and functions that join values keep the ends of links.
#[test]
fn joined_values() {
    let place = Place::new(&[]);
    for (value, moves) in [
        ("('http://old.example/blog')::text || x", false),
        ("'http://old.example/blog'::varchar(20)\n  || x", false),
        ("CAST('http://old.example/blog' AS text) || x", false),
        ("'http://old.example/blog' COLLATE utf8_bin || x", false),
        ("'http://old.example/blog' COLLATE \"C\" || x", false),
        (
            "'http://old.example/blog' COLLATE pg_catalog.\"default\" || x",
            false,
        ),
        ("'http://old.example/blog' /* a */ || x", false),
        ("('http://old.example/blog' -- a\n ) /* b */\n || x", false),
        ("'http://old.example/blog' /* a */ 'ger'", false),
        ("x || -- a\n 'www.old.example/blog'", false),
        (
            "'http://old.example/blog'::character varying(20) || x",
            false,
        ),
        (
            "CAST('http://old.example/blog' AS character varying) || x",
            false,
        ),
        ("'http://old.example/blog'::pg_catalog.text || x", false),
        ("'http://old.example/blog'::text[] || x", false),
        ("format('%s%s', 'http://old.example/blog', 'ger')", false),
        ("'http://old.example/blog' /* a */, x || y", true),
        ("'http://old.example/blog' /* a */", true),
        ("'http://old.example/blog' AS \"a\", x || y", true),
        ("N'http://old.example/blog' + N'ger'", false),
        ("E'http://old.example/blog.' || x", false),
        ("$$http://old.example/blog$$ || x", false),
        ("CONCAT('http://old.example/blog', x)", false),
        ("concat(lower(x), 'http://old.example/blog')", false),
        ("x || 'www.old.example/blog'", false),
        ("x + (E'www.old.example/blog')", false),
        ("'http://old.example/blog', x || y", true),
        ("'see http://old.example/blog more' || x", true),
        ("x || 'http://old.example/blog'", true),
        ("x || y, 'www.old.example/blog'", true),
        ("concat(x), 'www.old.example/blog'", true),
        ("concat(lower(x), y), 'http://old.example/blog'", true),
        ("lower('http://old.example/blog')", true),
        ("'http://old.example/blog' AND x || y", true),
    ] {
        let text = format!("SELECT {value};\nSELECT 'http://old.example/blog';\n");
        place.write("a.sql", text.as_bytes());
        let expected = if moves {
            text.replace(value, &moved_blog(value))
        } else {
            text.clone()
        };
        let expected = expected.replace(
            "SELECT 'http://old.example/blog';",
            "SELECT 'http://new.example/x';",
        );
        let rule = [
            "--map",
            "old.example/blog new.example/x",
            "--map",
            "www.old.example/blog www.new.example/x",
        ];
        let ran = place.run(&[&["rewrite", "--stdout", "a.sql"], &rule[..]].concat());
        assert_eq!(ran.text(), expected);
    }
    let text = "SELECT 'http://old.example' || '.uk';\n";
    place.write("a.sql", text.as_bytes());
    assert_eq!(moved(&place, "a.sql"), text);
}

fn moved_blog(value: &str) -> String {
    value.replace("old.example/blog", "new.example/x")
}
