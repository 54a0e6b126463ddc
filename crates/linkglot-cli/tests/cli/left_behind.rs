//! Mentions of moved hosts that `linkglot rewrite` leaves behind.

use crate::support::Place;
use serde_json::json;

const PAGE: &str = "<a href='http://old.example/a'>x</a>
<!-- http://old.example/ --> ftp://old.example/
<script>\"http:\\/\\/old.example\\/\"</script>\n";

#[test]
fn a_table_and_the_places() {
    let place = Place::new(&[("a.html", PAGE), ("b.html", "<p>ftp://old.example/")]);
    let rules = ["rewrite", "--replace", "old.example", "new.example"];
    let run = |args: &[&str]| place.run(&[&rules, args].concat());
    let table = [
        "4 mentions of moved hosts left behind in 2 files",
        "2  old.example  in text, with a scheme that no rule names",
        "1  old.example  in a comment (`--also comments` reaches it)",
        "1  old.example  in a script, with escaped slashes",
    ];
    for args in [
        &["."][..],
        &["-n", "."],
        &["--check", "."],
        &["-i", "-j2", "."],
    ] {
        let ran = run(args);
        for line in table {
            assert!(ran.err.contains(line), "{args:?}: {line}: {}", ran.err);
        }
        assert!(!run(&[args, &["-q"]].concat()).err.contains("left behind"));
    }
    // Comments are read only on request.
    let ran = run(&["-v", "-n", "a.html"]);
    for line in [
        "linkglot: a.html:2:13: old.example left behind in a comment (`--also comments` reaches it)\n",
        "linkglot: a.html:2:36: old.example left behind in text, with a scheme",
        "linkglot: a.html:3:19: old.example left behind in a script, with escaped slashes (`--also code` reaches it)\n",
    ] {
        assert!(ran.err.contains(line), "{line}: {}", ran.err);
    }
    let ran = run(&["-n", "--slots", "comment", "a.html"]);
    assert!(!ran.err.contains("in a comment"), "{}", ran.err);
    let none = place.run(&["rewrite", "--to", "uri", "-n", "."]);
    assert!(!none.err.contains("left behind"), "{}", none.err);
}

/// What a move reaches, and what it names for the rest.
#[test]
fn a_domain_moves_and_nothing_is_forgotten() {
    let page = "<a href='https://www.old.com/a'>x</a> <a href='mailto:ann@old.com'>x</a>
<a href='//blog.old.com/b'>x</a> wss://old.com/c and old.com/d
<script>/^old\\.com$/</script> <!-- http://old.com/ -->\n";
    let place = Place::new(&[("a.html", page)]);
    let moves = ["rewrite", "--move", "old.com", "https://new.com"];
    let run = |args: &[&str]| place.run(&[&moves, args].concat());
    let ran = run(&["--stdout", "a.html"]);
    assert!(ran.text().starts_with(
        "<a href='https://new.com/a'>x</a> <a href='mailto:ann@old.com'>x</a>
<a href='//blog.old.com/b'>x</a> wss://new.com/c and new.com/d\n"
    ));
    for line in [
        "3 mentions of moved hosts left behind in 1 file",
        "1  old.com  in a tag, in an address (`--move-mail` reaches it)",
        "1  old.com  in a script, with escaped dots",
        "1  old.com  in a comment (`--also comments` reaches it)",
    ] {
        assert!(ran.err.contains(line), "{line}: {}", ran.err);
    }
    assert_eq!(ran.code, 0);
    let all = [
        "--move-mail",
        "--move-subdomains",
        "--also",
        "comments",
        "--fail-left-behind",
    ];
    let ran = run(&[&all[..], &["-i", "a.html"]].concat());
    let moved = String::from_utf8(place.read("a.html")).unwrap();
    assert_eq!(
        moved,
        "<a href='https://new.com/a'>x</a> <a href='mailto:ann@new.com'>x</a>
<a href='https://blog.new.com/b'>x</a> wss://new.com/c and new.com/d
<script>/^old\\.com$/</script> <!-- https://new.com/ -->\n"
    );
    assert_eq!(ran.code, 1, "{}", ran.err);
    let mentions = ran.err.lines().filter(|line| line.contains("old.com  in"));
    assert_eq!(mentions.count(), 1, "{}", ran.err);
    // Nothing is said of rules without a match in a site that has moved.
    place.write("a.html", moved.replace("old\\.", "new\\.").as_bytes());
    let ran = run(&[&all[..], &["--check", "a.html"]].concat());
    assert_eq!(
        (ran.code, &*ran.text(), &*ran.err),
        (0, "", "linkglot: nothing would change\n")
    );
}

/// The rows and the rest add up.
#[test]
fn more_than_are_listed() {
    let place = Place::new(&[(
        "a.html",
        &format!("<!-- {}-->", "old.example ".repeat(10_007)),
    )]);
    let ran = place.run(&[
        "rewrite",
        "--replace",
        "old.example",
        "new.example",
        "-n",
        ".",
    ]);
    for line in [
        "10007 mentions of moved hosts left behind in 1 file",
        "10000  old.example  in a comment, without a scheme\n",
        "and 7 more after the first 10000 of a file\n",
    ] {
        assert!(ran.err.contains(line), "{line}: {}", ran.err);
    }
}

#[test]
fn objects() {
    let place = Place::new(&[("a.html", PAGE)]);
    let rule = "http://old.example/ https://new.example/";
    let found = place
        .run(&["rewrite", "--map", rule, "--json", "a.html"])
        .objects();
    let left: Vec<_> = found
        .iter()
        .filter(|object| object["type"] == "left-behind")
        .collect();
    assert_eq!(
        left[0],
        &json!({"type": "left-behind", "path": "a.html", "line": 2, "column": 13,
            "host": "old.example", "where": "comment", "why": null,
            "text": "<!-- http://old.example/ --> ftp://old.example/", "option": "--also comments"})
    );
    assert_eq!((left.len(), &left[1]["why"]), (3, &json!("other-scheme")));
    assert_eq!(left[2]["where"], "script");
    assert_eq!(found.last().unwrap()["left_behind"], 3);
}

/// Patterns move hosts as prefixes do, also in the order of servers.
#[test]
fn mentions_of_hosts_that_patterns_move() {
    let page = "<!-- http://old.example/c --><a href=http://old.example/a>x</a>";
    let rewrite = "RewriteEngine On\nRewriteRule ^(.*)$ https://new.example/$1 [R]\n";
    let place = Place::new(&[
        ("a.html", page),
        ("rewrite", rewrite),
        (
            "netlify",
            "http://old.example/* https://new.example/:splat\n",
        ),
        ("apache", "RedirectMatch ^/(.*)$ https://new.example/$1\n"),
    ]);
    let optional = "re:^https?://(www\\.)?old\\.example/ https://new.example/";
    let base = ["--base", "http://old.example/", "--map-file"];
    for rules in [
        &["--map", optional][..],
        &["--map-file", "netlify"],
        &[&base[..], &["rewrite"]].concat(),
        &[&base[..], &["apache"]].concat(),
    ] {
        let arguments = ["rewrite", "--fail-left-behind", "-n"];
        let ran = place.run(&[&arguments, rules, &["a.html"]].concat());
        assert!(
            ran.err.contains("1 mention of moved hosts left behind"),
            "{rules:?}: {}",
            ran.err
        );
        assert_eq!(ran.code, 1, "{rules:?}");
    }
}

/// The host of a setting gets no path, and the name of a namespace does not move, whatever the options.
#[test]
fn names_that_no_option_moves() {
    let place = Place::new(&[
        ("a.json", "{\"host\": \"old.org\"}"),
        ("b.txt", "<a xmlns=\"http://old.org/ns\">"),
    ]);
    let found = place
        .run(&["rewrite", "--move", "old.org", "new.org/p", "--json", "."])
        .objects();
    let left: Vec<_> = found
        .iter()
        .filter(|object| object["type"] == "left-behind")
        .map(|object| (&object["why"], &object["option"]))
        .collect();
    let expected = ["left-identifier", "identifier"].map(|why| (json!(why), json!(null)));
    assert_eq!(left, expected.each_ref().map(|(why, option)| (why, option)));
}

/// Mentions are found even in a page whose charset allows no rule to be applied.
#[test]
fn other_charsets_and_streams() {
    let place = Place::new(&[]);
    let wide: Vec<u8> = "\u{FEFF}ж ftp://old.example/"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    place.write("a.txt", &wide);
    let mut long = vec![b'\n'; 9 << 20];
    long.extend_from_slice(b"ftp://old.example/");
    place.write("b.txt", &long);
    let ran = place.run(&[
        "rewrite",
        "--replace",
        "old.example",
        "new.example",
        "-n",
        "-v",
        ".",
    ]);
    assert!(
        ran.err.contains("./a.txt:1:9: old.example left behind"),
        "{}",
        ran.err
    );
    assert!(
        ran.err
            .contains("./b.txt:9437185:7: old.example left behind"),
        "{}",
        ran.err
    );
}

/// Hosts that strings spell with escapes, or that strings and lines cut, and those in headers of mail.
#[test]
fn hosts_that_no_search_for_the_name_finds() {
    let mail = "From: Ann <ann@old.example>\nSubject: =?utf-8?q?http=3A//old=2Eexample/?=\n\
        Message-ID: <1@old.example>\n\nend\n";
    let run = |name: &str, text: &str, args: &[&str]| {
        let place = Place::new(&[(name, text)]);
        let moves = [
            "rewrite",
            "--move",
            "old.example",
            "new.example",
            "--fail-left-behind",
        ];
        place.run(&[&moves, args, &["-i", name]].concat())
    };
    for (name, text, words) in [
        (
            "a.rb",
            "a = 'http://old\\x2eexample/'\n",
            "in text, with escapes of a string\n",
        ),
        (
            "a.c",
            "\"http://old.\"\n  \"example/a\"\n",
            "in text, cut over strings or lines\n",
        ),
        (
            "a.php",
            "<?php $a = 'http://old.' . 'example/';\n",
            "cut over strings or lines\n",
        ),
        (
            "a.txt",
            "See http://old.exam\nple/\n",
            "in text, cut over strings or lines\n",
        ),
        (
            "a.eml",
            mail,
            "in text of the header of a mail (`--also headers` reaches it)\n",
        ),
        ("a.eml", mail, "in the header of a mail, in an address\n"),
    ] {
        let ran = run(name, text, &[]);
        assert_eq!(ran.code, 1, "{name}: {}", ran.err);
        assert!(ran.err.contains(words), "{name}: {}", ran.err);
    }
    // The option reaches what it is named for; identifiers of mail stay.
    let ran = run("a.eml", mail, &["--also", "headers"]);
    assert!(!ran.err.contains("in text of the header"), "{}", ran.err);
    let ran = run(
        "a.eml",
        &mail.replace("ann@old", "ann@new"),
        &["--also", "headers"],
    );
    assert_eq!(
        (ran.code, ran.err.contains("left behind")),
        (0, false),
        "{}",
        ran.err
    );
}

/// A move that has nothing to do any more is no mistake; a wrong name is named.
#[test]
fn moves_without_links() {
    let place = Place::new(&[
        (
            "moved.html",
            "<!doctype html><a href='https://new.com/'>x</a>",
        ),
        (
            "left.html",
            "<!doctype html><a href='https://new.com/'>x</a> <!-- http://www.old.com/ -->",
        ),
        (
            "first.html",
            "<!doctype html><a href='http://other.com/'>x</a>",
        ),
    ]);
    let run = |args: &[&str]| {
        let moves = ["rewrite", "--move", "old.com", "new.com"];
        place.run(&[&moves, args].concat()).err
    };
    let only =
        "linkglot: --move: no link to `old.com` is left to move, only mentions of its host\n";
    let none = "linkglot: --move: nothing names `old.com` (its subdomains apart): all of it has moved, or the name is wrong\n";
    for how in ["--check", "-n", "-i"] {
        let left = run(&[how, "left.html"]);
        assert!(left.ends_with(only), "{how}: {left}");
        let moved = run(&[how, "moved.html"]);
        assert_eq!(moved.ends_with(none), how != "--check", "{how}: {moved}");
        for text in [left, moved] {
            assert!(!text.contains("warning"), "{how}: {text}");
        }
    }
    // Another move has links: the run is not one of a site that has moved.
    let other = run(&[
        "--move",
        "other.com",
        "new.com",
        "-n",
        "first.html",
        "moved.html",
    ]);
    let warning = "linkglot: warning: --move 1: `old.com new.com` matched no link\n";
    assert!(other.ends_with(warning), "{other}");
    // A file that failed might have had links.
    let failed = run(&["-n", "left.html", "none.html"]);
    assert!(
        failed.contains("matched no link in the files that were read\n"),
        "{failed}"
    );
}

/// The places and options of the mentions that a run lists.
fn listed(files: &[(&str, &str)], rules: &[&str]) -> Vec<(String, Option<String>)> {
    let place = Place::new(files);
    let objects = place.run(&[&["rewrite", "--json", "-n", "."], rules].concat());
    let left = objects.objects().into_iter();
    let left = left.filter(|object| object["type"] == "left-behind");
    left.map(|object| {
        let at = format!("{}:{}", object["line"], object["column"]);
        (at, object["option"].as_str().map(str::to_owned))
    })
    .collect()
}

/// Letters beyond ASCII and `_` make a name part of another host, but not where words have no spaces between them.
#[test]
fn other_hosts_that_end_with_a_moved_one() {
    let text = "<meta charset=utf-8>\n<a href=http://\u{431}\u{43b}\u{43e}\u{433}.old.com/>x</a>\n<a href=http://my_old.com/>x</a>\n<a href=http://\u{3b4}old.com/>\n<a href=http://old.com\u{e9}/>";
    let moves = ["--move", "old.com", "https://new.com"];
    assert_eq!(listed(&[("a.html", text)], &moves), []);
    let text = "\u{65e5}\u{672c}old.com:8080\u{306f}\n_old.com:8080_ \\nold.com:8080\n";
    let places = listed(&[("a.txt", text)], &moves);
    let places: Vec<&str> = places.iter().map(|(at, _)| at.as_str()).collect();
    assert_eq!(places, ["1:3", "2:2", "2:18"]);
}

#[test]
fn links_that_a_rule_keeps_are_no_mentions() {
    let page =
        "<a href=http://old.com/keep/x>x</a>\n<!-- http://old.com/keep/ http://old.com/keeper -->";
    let rules = [
        "--map",
        "http://old.com/ https://new.com/",
        "--map",
        "http://old.com/keep/ http://old.com/keep/",
    ];
    let comments = Some("--also comments".to_owned());
    assert_eq!(
        listed(&[("a.html", page)], &rules),
        [("2:34".to_owned(), comments)]
    );
}

/// A link that moves in the next run is reached by no option.
#[test]
fn no_option_reaches_what_another_run_moves() {
    let page = "<a href='http://old.com/a'>x</a>";
    let place = Place::new(&[("a.html", page), ("rules.txt", "/a /b\n")]);
    let args = [
        "rewrite",
        "-n",
        "--base",
        "http://old.com/",
        "--map-file",
        "rules.txt",
    ];
    let ran = place.run(&[&args[..], &["--move", "old.com", "new.com", "a.html"]].concat());
    for line in [
        "linkglot: 1  old.com  in a tag\n",
        "`/a /b` makes links that a second run would change again, by `old.com new.com`",
    ] {
        assert!(ran.err.contains(line), "{line}: {}", ran.err);
    }
}

#[test]
fn values_that_are_too_long_name_their_limit() {
    let limit = Some("--max-slot BYTES".to_owned());
    let long = format!(
        "<style>a{{b:url(http://old.com/a)}}{}</style>\n<!-- http://old.com/ -->",
        "a{b:c}\n".repeat(1 << 18)
    );
    let mentions = listed(&[("a.html", &long)], &["--move", "old.com", "new.com"]);
    let options: Vec<_> = mentions.into_iter().map(|(_, option)| option).collect();
    assert_eq!(options, [limit.clone(), Some("--also comments".to_owned())]);
    let page = format!("<p style='a:url(http://old.com/a){}'>", " ".repeat(200));
    let options = ["--max-slot", "100", "--move", "old.com", "new.com"];
    assert_eq!(
        listed(&[("a.html", &page)], &options),
        [("1:24".to_owned(), limit)]
    );
}

#[test]
fn idn_hosts_with_escapes() {
    for (name, text) in [
        ("a.html", "<!doctype html><!-- http://b&uuml;cher.com/ -->"),
        (
            "b.html",
            "<!doctype html><a href='ftp://b&#xfc;cher.com/'>x</a>",
        ),
        ("c.html", "<!doctype html><code>b&#252;cher.com</code>"),
        ("d.json", r#"["ftp:\/\/b\u00fccher.com"]"#),
        ("e.js", r"a = 'b\u{fc}cher.com' + b;"),
        ("f.css", r"a { content: 'b\fc cher.com' }"),
        ("g.php", r#"<?php $a = "ftp://b\303\274cher.com" . $b;"#),
    ] {
        let place = Place::new(&[(name, text)]);
        let moves = ["rewrite", "--move", "b\u{fc}cher.com", "https://neu.org"];
        let ran = place.run(&[&moves[..], &["--fail-left-behind", "-n", name]].concat());
        assert!(
            ran.err.contains("1  bücher.com (xn--bcher-kva.com)  in "),
            "{name}: {}",
            ran.err
        );
        assert_eq!(ran.code, 1, "{name}: {}", ran.err);
    }
}
