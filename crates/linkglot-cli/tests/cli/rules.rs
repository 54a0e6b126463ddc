//! Rules of `linkglot rewrite`: their faults, their sources, the numbers of their matches.

use crate::support::Place;
use serde_json::json;

/// A rule that would write wrong links is an error; a useless rule is a warning; both messages give the places of the
/// rules.
#[test]
fn faulty_rules() {
    let page = "<a href='http://old.example/api'>";
    let place = Place::new(&[("a.html", page)]);
    let run = |args: &[&str]| place.run(&[&["rewrite", "-i", "a.html"], args].concat());
    let forgotten = "http://old.example/ https://new.example";
    let ran = run(&["--map", forgotten]);
    let meant = "did you mean `http://old.example/ https://new.example/`?";
    ran.complains(&["linkglot: --map: `http://old.example/", meant], 2);
    place.write("rules", format!("# moved\n/a /b\n{forgotten}\n").as_bytes());
    run(&["--map-file", "rules"]).complains(&["rules: line 3: ", meant], 2);
    assert_eq!(place.read("a.html"), page.as_bytes());
    let ran = run(&[
        "--map",
        "http://a.example/ http://b.example/",
        "--map",
        "b.example/ a.example/",
    ]);
    ran.complains(
        &["--map 2: `b.example/ a.example/` leads back", "(--map 1)"],
        2,
    );
    let hidden = ["--map", "/a /b", "--map", "/a /b"];
    run(&hidden).complains(
        &["warning: --map 2: `/a /b` says the same as `/a /b` (--map 1)"],
        0,
    );
    place.write("rules", b"re:^http://old\\.example/(.*) /$1\n");
    let ran = run(&["--map", "old.example/ new.example/", "--map-file", "rules"]);
    ran.complains(
        &[
            "warning: rules: line 1: `re:^http",
            "(--map)",
            "1 link changed",
        ],
        0,
    );
    assert_eq!(place.read("a.html"), b"<a href='http://new.example/api'>");
    assert_eq!(ran.err.matches("warning").count(), 1, "{}", ran.err);
}

#[test]
fn rules_without_a_form_and_in_two_words() {
    let place = Place::new(&[
        ("a.html", "<a href='http://old.example/a'><a href='/b'>"),
        (
            "redirects.csv",
            "old,new\nhttps://old.example/c,/d\n/b,https://new.example/b\n",
        ),
    ]);
    let run = |args: &[&str]| place.run(&[&["rewrite", "--stdout", "a.html"], args].concat());
    let moved = "<a href='http://new.example/a'><a href='/b'>";
    run(&["--map", "old.example new.example"]).prints(moved, 0);
    run(&["--replace", "old.example", "new.example"]).prints(moved, 0);
    let both = "<a href='http://new.example/a'><a href='/c'>";
    run(&[
        "--replace",
        "old.example",
        "new.example",
        "--replace",
        "/b",
        "/c",
    ])
    .prints(both, 0);
    let ran = run(&[
        "--map-file",
        "redirects.csv",
        "--base",
        "http://old.example/x",
    ]);
    assert_eq!(
        ran.text(),
        "<a href='http://old.example/a'><a href='https://new.example/b'>"
    );
    let unmatched = "warning: redirects.csv: line 2: `https://old.example/c /d` matched no link\n";
    assert_eq!(ran.err, format!("linkglot: {unmatched}"));
    run(&["--map-file", "redirects.csv", "--map-format", "nginx"])
        .complains(&["redirects.csv: line 1: expected `FROM TO;`"], 2);
    run(&[]).complains(&["--to"], 2);
}

/// An absolute link leads where the rules lead the old target, whatever becomes of the page itself.
#[test]
fn absolute_links_of_a_page_that_moves() {
    let page = "<a href=/about><a href=x.html><a href=/blog/y><a href=//cdn.example/z>";
    let place = Place::new(&[("a.html", page)]);
    let command = ["rewrite", "--stdout", "--absolute", "--base"];
    let base = "http://old.example/blog/p.html";
    let map = ["--map", "http://old.example/blog/ https://blog.example/"];
    let moved = "<a href=http://old.example/about><a href=https://blog.example/x.html>\
        <a href=https://blog.example/y><a href=http://cdn.example/z>";
    for more in [&[][..], &["--map-resolved"]] {
        let arguments = [&command[..], &[base], &map, more, &["a.html"]].concat();
        place.run(&arguments).prints(moved, 0);
    }
}

/// Rows that an earlier row hides are named, and count no links.
#[test]
fn rows_of_apache_that_another_row_hides() {
    let table = "Redirect 301 /a https://new.example/b\nRedirect 301 /a https://new.example/c\n\
        Redirect 301 /a/sub https://new.example/s\n";
    let place = Place::new(&[("r", table), ("a.html", "<a href=/a/x><a href=/a/sub/y>")]);
    let ran = place.run(&["rewrite", "--stdout", "--map-file", "r", "a.html"]);
    assert_eq!(
        ran.text(),
        "<a href=https://new.example/b/x><a href=https://new.example/b/sub/y>"
    );
    let hides = "never matches, because it is hidden by `/a https://new.example/b`";
    for line in [2, 3] {
        let words = format!("r: line {line}: ");
        let mut lines = ran.err.lines();
        assert!(
            lines.any(|text| text.contains(&words) && text.contains(hides)),
            "{}",
            ran.err
        );
    }
}

/// Number of matches of each rule, including links that it leaves; the same with many threads as with one.
#[test]
fn matches_of_rules() {
    let page = "<a href='http://old.example/a'><img src='http://old.example/b'>see http://old.example/keep/c\n";
    let place = Place::new(&[("d/a.html", page), ("d/b.html", page), ("d/c.txt", page)]);
    let rules = [
        "--map",
        "old.example new.example",
        "--map",
        "http://old.example/keep/ http://old.example/keep/",
        "--map",
        "/never /matched",
    ];
    let run = |args: &[&str]| place.run(&[&["rewrite"], &rules[..], args].concat());
    for threads in ["1", "4"] {
        let ran = run(&["--json", "-j", threads, "d"]);
        let objects = ran.objects();
        let expected = json!([
            {"from": "old.example", "to": "new.example", "matched": 6},
            {"from": "http://old.example/keep/", "to": "http://old.example/keep/", "matched": 1},
            {"from": "/never", "to": "/matched", "matched": 0},
        ]);
        assert_eq!(objects.last().expect("a summary")["rules"], expected);
        assert!(
            ran.err
                .ends_with("warning: --map 3: `/never /matched` matched no link\n"),
            "{}",
            ran.err
        );
    }
    let words = [
        "6 links matched by `old.example new.example`",
        "1 link matched by `http://old.example/keep/",
    ];
    run(&["d"]).complains(&words, 0);
    run(&["-n", "d"]).complains(
        &[
            "  old.example new.example\n",
            "LINKS  FILES  MATCHED BY RULE",
        ],
        0,
    );
    run(&["-i", "d"]).complains(&words, 0);
    let quiet = run(&["-q", "-i", "d"]);
    assert_eq!(quiet.err, "");
    let plain = place.run(&["rewrite", "--to", "uri", "--json", "d"]);
    let objects = plain.objects();
    assert!(objects.last().expect("a summary")["rules"].is_null());
}

#[test]
fn links_become_relative_or_absolute() {
    let page = "http://old.example/text <a href='http://old.example/a/b.html?x#y'><a href='http://old.example/'><a href=c><a href='#d'>\
        <a href='http://other.example/'><link href=//old.example/a/s.css>";
    let place = Place::new(&[("site/a/p.html", page), ("site/q.html", page)]);
    let run = |args: &[&str]| {
        let file = [
            "rewrite",
            "--base",
            "http://old.example/",
            "-O",
            "new",
            "site",
        ];
        let ran = place.run(&[&file, args].concat());
        assert_eq!(ran.code, 0, "{ran:?}");
        let read = |name: &str| String::from_utf8(place.read(name)).unwrap();
        let found = (read("new/a/p.html"), read("new/q.html"));
        std::fs::remove_dir_all(place.path("new")).unwrap();
        found
    };
    let (inner, outer) = run(&["--relative-to", "http://old.example/"]);
    assert_eq!(
        inner,
        "http://old.example/text <a href='b.html?x#y'><a href='../'><a href=c><a href='#d'>\
        <a href='http://other.example/'><link href=s.css>"
    );
    assert!(
        outer.contains("<a href='a/b.html?x#y'><a href='./'><a href=c>"),
        "{outer}"
    );
    let (moved, _) = run(&[
        "--relative-to",
        "https://new.example/",
        "--replace",
        "old.example",
        "https://new.example",
    ]);
    assert_eq!(
        moved,
        "https://new.example/text <a href='b.html?x#y'><a href='../'><a href=c><a href='#d'>\
        <a href='http://other.example/'><link href=s.css>"
    );
    let (absolute, _) = run(&["--absolute"]);
    assert!(
        absolute.contains("<a href=http://old.example/a/c><a href='#d'>"),
        "{absolute}"
    );
    let ran = place.run(&["rewrite", "--relative-to", "example.org", "site"]);
    ran.complains(&["expected an IRI with a scheme"], 2);
    let ran = place.run(&["rewrite", "--relative-to", "http://a.example/?b", "site"]);
    ran.complains(&["expected a site such as"], 2);
}

/// Sitemaps, feeds, previews of pages: other programs read these links, and expect absolute addresses.
#[test]
fn links_for_other_programs_stay_absolute() {
    let site = "https://new.example/";
    for (name, text) in [
        (
            "a.xml",
            "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>https://new.example/a</loc></url></urlset>",
        ),
        (
            "b.html",
            "<meta property='og:image' content='https://new.example/i.png'>",
        ),
        (
            "c.html",
            "<script type='application/ld+json'>{\"url\":\"https://new.example/a\"}</script>",
        ),
    ] {
        let place = Place::new(&[(name, text)]);
        let run = place.run(&[
            "rewrite",
            "--relative-to",
            site,
            "--base",
            site,
            "--stdout",
            name,
        ]);
        run.prints(text, 0);
    }
    let place = Place::new(&[("a.html", "<a href='https://new.example/a'>")]);
    let run = place.run(&["rewrite", "--relative-to", site, "a.html"]);
    run.complains(
        &["without --base, only links of documents that name their own base"],
        0,
    );
}

/// Many patterns over many links, which once did not end.
#[test]
fn many_patterns() {
    let rule = |n: usize| {
        format!("re:^http://old\\.example/(\\w+)/x{n}/(.*)$ https://new.example/y{n}/$1/$2\n")
    };
    let link = |n: usize| format!("<a href='http://old.example/d/x{n}/e'>\n");
    let rules: String = (0..1500).map(rule).collect();
    let page: String = (0..1500).map(link).collect();
    let place = Place::new(&[("rules", &rules), ("a.html", &page)]);
    let ran = place.run(&["rewrite", "-q", "--map-file", "rules", "--stdout", "a.html"]);
    let expected = |n: usize| format!("<a href='https://new.example/y{n}/d/e'>\n");
    ran.prints(&(0..1500).map(expected).collect::<String>(), 0);
}

/// A pattern that takes too much memory is an error that names its rule, and so are many patterns together.
#[test]
fn large_patterns() {
    let place = Place::new(&[("a.html", "<a href='/a'>")]);
    let run = |rules: &str| {
        place.write("rules", rules.as_bytes());
        place.run(&["rewrite", "--map-file", "rules", "a.html"])
    };
    run("# moved\n/b /c\nre:\\w{9000} /d\n").complains(
        &["linkglot: rules: line 3: ", "`\\w{9000}`", "exceeded limit"],
        2,
    );
    run(&"re:[a-z\u{e9}]{9000} /d\n".repeat(300)).complains(
        &[
            "linkglot: rules: line ",
            "at most 64 MiB",
            "`re:[a-z\u{e9}]{9000}`",
        ],
        2,
    );
}

/// A comment is for files. Halves of `--replace` are taken as they are.
#[test]
fn comments_are_no_rules() {
    let place = Place::new(&[("a.html", "<a href='#old'>")]);
    let run = |args: &[&str]| place.run(&[&["rewrite", "--stdout", "a.html"], args].concat());
    let found = "linkglot: --map: expected `FROM TO`, but found a comment";
    run(&["--map", "# moved"]).complains(&[found], 2);
    run(&["--replace", "#old", "#new"]).prints("<a href='#new'>", 0);
    let empty = "linkglot: --replace: expected FROM and TO, but found an empty TO in the rule from `#old` to ``";
    run(&["--replace", "#old", ""]).complains(&[empty], 2);
    let two = "linkglot: --replace: expected a TO without white space, but found `#new /b`";
    run(&["--replace", "#old", "#new /b"]).complains(&[two], 2);
}

#[test]
fn a_file_without_rules_is_told_of() {
    let place = Place::new(&[("rules", "# nothing yet\n"), ("a.html", "<a href=/a>")]);
    let run = place.run(&["rewrite", "--map-file", "rules", "--check", "a.html"]);
    run.complains(&["warning: rules: expected rules, found none"], 0);
}

#[test]
fn nothing_goes_on_from_a_query() {
    let place = Place::new(&[(
        "a.html",
        "<a href='http://old.example/'><a href='http://old.example/b'>",
    )]);
    for (rule, what) in [
        ("http://old.example/ https://new.example/?u=", "query"),
        ("http://old.example https://new.example/#", "fragment"),
    ] {
        let ran = place.run(&["rewrite", "--map", rule, "-n", "a.html"]);
        assert_eq!(ran.code, 0);
        let words = format!("`{rule}` moves only the root: nothing can follow a {what}");
        assert!(ran.err.contains(&words), "{}", ran.err);
    }
    let pattern = "re:http://old\\.example/(.*) https://new.example/?u=$1";
    for silent in [pattern, "http://old.example/a/ https://new.example/?u="] {
        let ran = place.run(&["rewrite", "--map", silent, "-n", "a.html"]);
        assert!(!ran.err.contains("moves the root alone"), "{}", ran.err);
    }
}

#[test]
fn a_wildcard_stands_for_itself() {
    let place = Place::new(&[("a.html", "<a href=http://old.example/a>")]);
    let rule = "http://old.example/* https://new.example/*";
    let run = place.run(&["rewrite", "--map", rule, "a.html"]);
    run.complains(
        &[
            "warning: --map: `http://old.example/*",
            "takes `*` for itself",
        ],
        0,
    );
}

/// Messages about a rule or value of any length stay short, and keep the words around the quotation.
#[test]
fn messages_quote_little() {
    let place = Place::new(&[("a.html", "<a href='/é'>")]);
    let long = "é".repeat(40_000);
    let unmatched = format!("/never{long} /x");
    let slash = format!("/old{long}/ /new");
    let third = format!("/a /b {long}");
    let rewrite = |rule: &str| place.run(&["rewrite", "--to", "uri", "--map", rule, "a.html"]);
    for (run, words, code) in [
        (
            rewrite(&unmatched),
            &["`/neveréé", "é /x` matched no link"][..],
            0,
        ),
        (rewrite(&slash), &["would glue the rest", "é/ /new/`?"], 2),
        (rewrite(&third), &["a third part, `éé", "in `/a /b é"], 2),
        (
            place.run(&["find", "--scheme", &long, "a.html"]),
            &["expected a scheme"],
            2,
        ),
        (
            place.run(&["find", "--host", &format!("x/{long}"), "a.html"]),
            &["a host such as"],
            2,
        ),
    ] {
        run.complains(words, code);
        let lines: Vec<usize> = run.err.lines().map(|line| line.chars().count()).collect();
        assert!(run.err.contains('…'), "{}", run.err);
        assert!(lines.iter().all(|length| *length < 2000), "{lines:?}");
    }
    let page = format!("<a href='/é{}'>", "a".repeat(9000));
    place.write("b.html", page.as_bytes());
    let run = place.run(&["rewrite", "--to", "same", "--map", "/é: /x", "-v", "b.html"]);
    assert!(run.err.lines().all(|line| line.chars().count() < 4100));
}

/// Text in front of a bare domain may be a part of it.
#[test]
fn what_stands_in_front_of_a_name_keeps_it() {
    let place = Place::new(&[]);
    let text = "{{s}}old.com/x <%= s %>old.com/x s3:old.com/x //old.com/x (old.com/x)\n";
    let moved = |rule: &[&str]| {
        place
            .pipe(&[&["rewrite", "-q"], rule].concat(), text)
            .text()
    };
    assert_eq!(
        moved(&["--map", "old.com https://new.com"]),
        text.replace("(old.com", "(https://new.com")
    );
    assert_eq!(
        moved(&["--move", "old.com", "https://new.com"]),
        "{{s}}old.com/x <%= s %>old.com/x s3:new.com/x //new.com/x (new.com/x)\n"
    );
}

/// A host in text that code, or another label, may go on with stays; a variable with a path is none of the host.
#[test]
fn hosts_that_go_on_stay() {
    for (name, text, expected) in [
        (
            "a.txt",
            "http://old.com{{ x }}/ http://old.com/{{ x }}",
            "http://old.com{{ x }}/ http://new.com/{{ x }}",
        ),
        ("a.sh", "a=\"http://old.com$TLD/x http://old.com${P}\"", ""),
        (
            "a.rb",
            "\"http://old.com#{tld}/x\" 'http://old.com#a'",
            "\"http://old.com#{tld}/x\" 'http://new.com#a'",
        ),
        (
            "a.conf",
            "return 301 http://old.com$request_uri;",
            "return 301 http://new.com$request_uri;",
        ),
        (
            "a.yaml",
            "a: http://old.com{{ p }}\nb: \"http://old.com{{ p }}\"\nc: http://old.com${P}\n",
            "",
        ),
        (
            "a.json",
            r#"{"a":"http://old.com{{p}}/x","b":"http://old.com${p}/"}"#,
            "",
        ),
        (
            "a.txt",
            "http://old.com。b.com/ http://old.com．b.com http://old.com。次",
            "http://old.com。b.com/ http://old.com．b.com http://new.com。次",
        ),
        (
            "a.txt",
            "ann@old.com:a/b.git ann@old.com: ann@old.com",
            "ann@old.com:a/b.git ann@new.com: ann@new.com",
        ),
        (
            "a.mediawiki",
            "[http://old.com a] http://old.com{{dead link}}",
            "[http://new.com a] http://new.com{{dead link}}",
        ),
    ] {
        let place = Place::new(&[(name, text)]);
        let rules = ["--move", "old.com", "new.com", "--move-mail"];
        let written = place.run(&[&["rewrite", "--stdout", name], &rules[..]].concat());
        let expected = if expected.is_empty() { text } else { expected };
        assert_eq!(written.text(), expected, "{name}");
    }
}

/// Links whose new text would be read otherwise beside them: in an array of PostgreSQL, cut at the end of a line, or as
/// a name that GitHub does not link.
#[test]
fn links_that_their_surroundings_would_read_otherwise_stay() {
    let array = "-- PostgreSQL database dump\nINSERT INTO t VALUES ('{http://old.example/a,x}', '{\"http://old.example/a\"}', 'http://old.example/a');\n";
    let new_array = "-- PostgreSQL database dump\nINSERT INTO t VALUES ('{http://old.example/a,x}', '{\"http://new.example/b,c\"}', 'http://new.example/b,c');\n";
    for (name, rule, before, after) in [
        (
            "a.sql",
            "http://old.example/a http://new.example/b,c",
            array,
            new_array,
        ),
        (
            "a.txt",
            "http://old.example/core- http://new.example/core",
            "http://old.example/core-\nutils http://old.example/core- x\n",
            "http://old.example/core-\nutils http://new.example/core x\n",
        ),
        (
            "b.txt",
            "http://old.example/ http://new.example/",
            "http://old.example/core-\nutils\n",
            "http://new.example/core-\nutils\n",
        ),
        (
            "a.md",
            "www.old.example new-name.org",
            "See www.old.example/a, [a](http://www.old.example/) and <http://www.old.example/>.\n",
            "See www.old.example/a, [a](http://new-name.org/) and <http://new-name.org/>.\n",
        ),
        (
            "b.md",
            "old.example www.new.example",
            "See www.old.example/a.\n",
            "See www.new.example/a.\n",
        ),
        (
            "a.rst",
            "www.old.example new-name.org",
            "See www.old.example/a.\n",
            "See new-name.org/a.\n",
        ),
    ] {
        let place = Place::new(&[(name, before)]);
        let option = if rule.starts_with("http") {
            "--map"
        } else {
            "--move"
        };
        let rule = if option == "--map" {
            vec![rule]
        } else {
            rule.split(' ').collect()
        };
        let run = [&["rewrite", "--stdout", option][..], &rule, &[name]].concat();
        assert_eq!(place.run(&run).text(), after, "{name}");
    }
}

/// A host whose scheme the base gives moves in every spelling, also when links become absolute or relative.
#[test]
fn links_that_take_their_scheme_from_the_base() {
    let place = Place::new(&[]);
    let page =
        "<a href=\"//old.example:80/blog\"><a href=\"/\\old.example/blog\"><a href=\"http:/blog\">";
    let options = [
        "rewrite",
        "-q",
        "--format",
        "html",
        "--base",
        "http://old.example/x/",
        "--move",
        "old.example",
    ];
    let run = |more: &[&str], page: &str| {
        let ran = place.pipe(
            &[&options[..], &["https://new.example"], more].concat(),
            page,
        );
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.text()
    };
    let moved = page
        .replace("//old.example:80/", "https://new.example/")
        .replace("/\\old.example/", "https://new.example/")
        .replace("http:/blog", "https://new.example/blog");
    for more in [&[][..], &["--absolute"], &["--map-resolved"]] {
        let new = run(more, page);
        assert_eq!(new, moved, "{more:?}");
        assert_eq!(run(more, &new), new, "{more:?}");
    }
    let relative = run(&["--relative-to", "https://new.example/"], page);
    assert_eq!(relative, moved.replace("https://new.example/", "../"));
}
