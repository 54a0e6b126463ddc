use super::*;
use crate::error::ErrorKind;
use crate::rewrite::MapFormat;
use crate::rewrite::testing::rules;
use proptest::prelude::*;

#[test]
fn prefixes_end_at_boundaries() {
    let rules = rules(&["http://a.example/x http://b.example/y"]);
    let cases = [
        ("http://a.example/x", Some("http://b.example/y")),
        ("http://a.example/x/z", Some("http://b.example/y/z")),
        ("http://a.example/x?q#f", Some("http://b.example/y?q#f")),
        ("http://a.example/x#f", Some("http://b.example/y#f")),
        ("http://a.example/xy", None),
        ("http://a.example/X", None),
        ("HTTP://A.Example/x", Some("http://b.example/y")),
        ("xhttp://a.example/x", None),
    ];
    for (from, to) in cases {
        assert_eq!(rules.apply(from).as_deref(), to, "{from}");
    }
}

#[test]
fn hosts_are_whole() {
    let rules = rules(&["http://a.example http://b.example"]);
    assert_eq!(rules.apply("http://a.example.org/"), None);
    assert_eq!(rules.apply("http://a.example:8080/"), None);
    assert_eq!(
        rules.apply("http://a.example/p").as_deref(),
        Some("http://b.example/p")
    );
}

#[test]
fn a_root_stands_for_the_empty_path() {
    let rules = rules(&["http://a.example/ http://b.example/"]);
    assert_eq!(
        rules.apply("http://a.example").as_deref(),
        Some("http://b.example")
    );
    assert_eq!(rules.apply("http://a.exampl"), None);
}

#[test]
fn the_longest_prefix_wins() {
    let rules = rules(&["/a/ /short/", "/a/b/ /long/", "/a/b/c /longest"]);
    assert_eq!(rules.apply("/a/b/d").as_deref(), Some("/long/d"));
    assert_eq!(rules.apply("/a/b/c").as_deref(), Some("/longest"));
    assert_eq!(rules.apply("/a/x").as_deref(), Some("/short/x"));
}

#[test]
fn a_second_run_changes_nothing() {
    let rules = rules(&["http://a.example/ http://a.example/new/"]);
    let once = rules.apply("http://a.example/x").unwrap();
    assert_eq!(rules.apply(&once), None);
}

#[test]
fn a_rule_that_is_fulfilled_has_decided() {
    let rules = rules(&[
        "http://old.example/ http://new.example/",
        "http://old.example/keep/ http://old.example/keep/",
        "http://old.example/é/ http://old.example/é/ü/",
        "a/ b/",
        "a/x a/x/y",
        "re:^http://old.example/keep/.*$ /pattern",
        "re:^a/x/.*$ /pattern",
    ]);
    let cases = [
        ("http://old.example/x", Some("http://new.example/x")),
        ("HTTP://Old.Example/keep/x", None),
        ("//old.example/keep/x", None),
        ("http://old.example/é/ü/x", None),
        ("http://old.example/%C3%A9/%C3%BC/x", None),
        (
            "http://old.example/%C3%A9/x",
            Some("http://old.example/é/ü/x"),
        ),
        ("a/x/z", Some("a/x/y/z")),
        ("a/x/y/z", None),
        ("a/z", Some("b/z")),
    ];
    let base = Some("http://old.example/keep/");
    for (reference, expected) in cases {
        let new = rules.apply(reference);
        assert_eq!(new.as_deref(), expected, "{reference}");
        assert_eq!(
            rules.apply_at(reference, None, Reach::Resolved),
            new,
            "{reference}"
        );
    }
    // A link to a kept place does not become absolute, either.
    for reference in ["x", "./x", "/keep/%78", "http://old.example:80/keep/x"] {
        let new = rules.apply_at(reference, base, Reach::Resolved);
        assert_eq!(new, None, "{reference}");
    }
}

#[test]
fn patterns_have_groups() {
    let rules =
        rules(&[r"re:^http://(?<host>[a-z]+)\.old\.example/(\d*) https://new.example/${host}/$2"]);
    assert_eq!(
        rules.apply("http://de.old.example/12?x").as_deref(),
        Some("https://new.example/de/12?x")
    );
}

#[test]
fn errors_say_what_was_found() {
    let mut rules = Rules::default();
    let message = |rules: &mut Rules, rule| rules.add(rule).unwrap_err().to_string();
    assert!(message(&mut rules, "http://a/").contains("found only `http://a/`"));
    assert!(message(&mut rules, "").contains("found nothing"));
    assert!(message(&mut rules, "a b c").contains("`c`"));
    assert!(message(&mut rules, "re:( b").contains("not a regular expression"));
    rules.add("http://a/ /b").unwrap();
    rules.add("http://a/ /b").unwrap();
    rules.add("http://a/c /d").unwrap();
    let twice = message(&mut rules, "HTTP://A/ /c");
    assert!(twice.contains("to `/b` and to `/c`"), "{twice}");
    let error = rules.add_file("# comment\n\n/a /b\n/c\n").unwrap_err();
    assert!(error.to_string().starts_with("line 4:"), "{error}");
    assert_eq!(error.kind(), ErrorKind::InvalidRule);
}

/// Lines are read as those of a file; a rule alone, or its halves, are read as given.
#[test]
fn comments_of_lines() {
    let lines = [
        "",
        " \n",
        "#",
        "# moved",
        "#moved",
        "/a /b # moved\n",
        "\t# /c /d",
    ];
    let mut rules = Rules::default();
    for line in lines {
        rules.add_line(line).unwrap();
    }
    let mut of_file = Rules::default();
    of_file.add_file(&lines.join("\n")).unwrap();
    assert_eq!(rules.given().len(), 1);
    assert_eq!(of_file.given()[0].to_string(), rules.given()[0].to_string());
    assert!(rules.add_line("/c").is_err());
    for comment in ["# moved", "#", "# /a /b"] {
        let error = rules.add(comment).unwrap_err().to_string();
        assert!(error.contains("found a comment"), "{error}");
    }
    rules.add("#a #b").unwrap();
    assert_eq!(rules.apply("#a").as_deref(), Some("#b"));
}

#[test]
fn pairs_are_taken_as_they_are() {
    let mut rules = Rules::default();
    rules.add_pair("#", "#top").unwrap();
    rules.add_pair("re:^/(a)$", "/b/$1").unwrap();
    assert_eq!(rules.apply("/a").as_deref(), Some("/b/a"));
    let cases = [
        ("/c", "", "found an empty TO in the rule from `/c` to ``"),
        ("", "/c", "found an empty FROM"),
        ("/c d", "/e", "a FROM without white space, but found `/c d`"),
        ("/c", "/d\n", "a TO without white space"),
    ];
    for (from, to, words) in cases {
        let error = rules.add_pair(from, to).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
    assert_eq!(rules.given().len(), 2);
}

#[test]
fn a_prefix_stands_for_its_other_forms() {
    let given_as_iri = rules(&["http://é.example/ü http://b.example/"]);
    let given_as_uri = rules(&["http://xn--9ca.example/%C3%BC http://b.example/"]);
    for rules in [given_as_iri, given_as_uri] {
        for link in ["http://é.example/ü/x", "http://xn--9ca.example/%C3%BC/x"] {
            assert_eq!(
                rules.apply(link).as_deref(),
                Some("http://b.example/x"),
                "{link}"
            );
        }
    }
}

#[test]
fn references_without_a_scheme_but_with_a_host() {
    let plain = &["http://a.example/ http://b.example/"][..];
    let secure = &["http://a.example/ https://b.example/"][..];
    let both = &[
        "http://a.example/ https://b.example/",
        "https://a.example/ https://b.example/",
    ][..];
    let apart = &[
        "http://a.example/ http://b.example/",
        "https://a.example/ https://c.example/",
    ][..];
    let file = &["ftp://a.example/ ftp://b.example/"][..];
    let relative = &["http://a.example/ /b/"][..];
    let written = &[
        "//a.example/ //b.example/",
        "http://a.example/ http://c.example/",
    ][..];
    let cases: &[(&[&str], Option<&str>, Option<&str>)] = &[
        (plain, None, Some("//b.example/x")),
        (plain, Some("http://h/"), Some("//b.example/x")),
        // The rule for the other scheme of the Web counts if the rule for the base's scheme is missing.
        (plain, Some("https://h/"), Some("http://b.example/x")),
        (plain, Some("file:///h"), None),
        (secure, None, Some("https://b.example/x")),
        (secure, Some("http://h/"), Some("https://b.example/x")),
        (secure, Some("HTTPS://h/"), Some("//b.example/x")),
        (both, None, Some("https://b.example/x")),
        (both, Some("https://h/"), Some("//b.example/x")),
        // The scheme is unknown.
        (apart, None, None),
        (apart, Some("http://h/"), Some("//b.example/x")),
        (apart, Some("https://h/"), Some("//c.example/x")),
        (file, None, None),
        (file, Some("ftp://h/"), Some("//b.example/x")),
        (relative, None, Some("/b/x")),
        (written, None, Some("//b.example/x")),
    ];
    for (lines, base, expected) in cases {
        let rules = rules(lines);
        let new = rules.apply_at("//A.example/x", *base, Reach::AsWritten);
        assert_eq!(new.as_deref(), *expected, "{lines:?} {base:?}");
        let Some(new) = new else { continue };
        assert_eq!(
            rules.apply_at(&new, *base, Reach::AsWritten),
            None,
            "twice: {new}"
        );
    }
}

#[test]
fn rules_for_origins() {
    let cases = [
        ("http://a http://b", true),
        ("http://a:8/ https://b/", true),
        ("//a/ //b/", true),
        // The rule changes the path, or is only for links of some scheme.
        ("http://a/ http://b", false),
        ("http://a http://b/", false),
        ("http://a/ //b/", false),
        ("//a/ http://b/", false),
        ("http://a/x/ http://b/", false),
        ("http://a/ http://b/x/", false),
        ("http://a/? http://b/?", false),
        ("http://a?x http://b", false),
        ("http:/// http://b/", false),
        ("mailto:a mailto:b", false),
        ("/ /", false),
        ("re:http://a/ http://b/", false),
    ];
    for (rule, expected) in cases {
        assert_eq!(!rules(&[rule]).of_origins().is_empty(), expected, "{rule}");
    }
}

/// Tells if the first rule moves a whole origin in the presence of the second rule.
#[test]
fn parts_of_origins() {
    let cases = [
        ("http://a/ http://b/", "http://a/x/ http://c/", false),
        ("http://a/ http://b/", "HTTP://A/x/ http://c/", false),
        ("http://a http://b", "http://a/x http://b/y", false),
        ("http://a/ http://b/", "http://a/x/ http://a/x/", false),
        ("http://a/ http://b/", "http://a/?x /y", false),
        // The rule for the part agrees with the rule for the whole.
        ("http://a/ http://b/", "http://a/x/ http://b/x/", true),
        ("http://a/ http://b/", "http://a/é http://b/%C3%A9", true),
        // Other origins.
        ("http://a http://b", "http://ab/x http://c/", true),
        ("http://a/ http://b/", "https://a/x http://c/", true),
        ("http://a/ http://b/", "http://a:80/x http://c/", true),
        ("http://a/ http://b/", "re:^http://a/x /y", true),
    ];
    for (whole, part, expected) in cases {
        let rules = rules(&[whole, part]);
        let moved = rules.of_origins().apply("http://a/");
        assert_eq!(moved.is_some(), expected, "{whole} beside {part}");
    }
}

#[test]
fn comments_may_follow_rules() {
    let mut rules = Rules::default();
    rules
        .add_file("# all\n/a#b /c#d  # moved in 2020\n")
        .unwrap();
    assert_eq!(rules.apply("/a#b").as_deref(), Some("/c#d"));
}

#[test]
fn multi_byte_references_do_not_panic() {
    let rules = rules(&["http://aé/ http://b/", "http://a/é /x"]);
    for reference in ["http://aü/é", "http://a/", "é", "http://a/ü", "http://aé"] {
        let _ = rules.apply(reference);
    }
}

#[test]
fn a_prefix_without_a_scheme_is_one_of_http_and_https() {
    let rules = rules(&[
        "old.example/ new.example/",
        "http://old.example/plain/ https://plain.example/",
        "old.example/app/ https://app.example/",
        "\u{e9}.example \u{fc}.example/x",
        "ported.example:8080/ new.example:81/",
        "ftp://files.example/ files.new.example/",
        "page.html other.html",
    ]);
    let cases = [
        ("http://old.example/a", Some("http://new.example/a")),
        ("https://old.example/a?b", Some("https://new.example/a?b")),
        (
            "HTTP://Old.Example:80/%7Ea",
            Some("http://new.example/%7Ea"),
        ),
        ("https://old.example", Some("https://new.example")),
        ("//old.example/a", Some("//new.example/a")),
        // In markup this reference is a relative path.
        ("old.example/a", None),
        ("https://old.example:443/a", Some("https://new.example/a")),
        ("http://old.example:8080/a", None),
        ("https://old.example:80/a", None),
        ("http://www.old.example/a", None),
        ("ftp://old.example/a", None),
        // The longest prefix goes first, with or without a scheme; then the prefix with a scheme.
        (
            "http://old.example/plain/a",
            Some("https://plain.example/a"),
        ),
        (
            "https://old.example/plain/a",
            Some("https://new.example/plain/a"),
        ),
        ("http://old.example/app/a", Some("https://app.example/a")),
        ("https://old.example/app/a", Some("https://app.example/a")),
        (
            "http://xn--9ca.example/a",
            Some("http://\u{fc}.example/x/a"),
        ),
        (
            "https://%C3%A9.example?a",
            Some("https://\u{fc}.example/x/?a"),
        ),
        (
            "http://ported.example:8080/a",
            Some("http://new.example:81/a"),
        ),
        ("http://ported.example/a", None),
        ("ftp://files.example/a", Some("ftp://files.new.example/a")),
        ("page.html#a", Some("other.html#a")),
        ("http://page.html/", None),
    ];
    for (reference, expected) in cases {
        let new = rules.apply(reference);
        assert_eq!(new.as_deref(), expected, "{reference}");
        let twice = new.and_then(|new| rules.apply(&new));
        assert_eq!(twice, None, "{reference}");
    }
}

/// Patterns of a server are compared with paths of its site, and replaced by the whole target.
#[test]
fn patterns_of_servers() {
    let base = Some("http://old.example/x");
    let mut apache = Rules::default();
    let table = "RedirectMatch 301 /wiki/(\\d+) https://new.example/w/$1\n";
    apache.add_map_file(table, MapFormat::Apache, base).unwrap();
    for (link, new) in [
        ("http://old.example/wiki/9", Some("https://new.example/w/9")),
        ("/en/wiki/9/x?a#b", Some("https://new.example/w/9?a#b")),
        ("http://other.example/wiki/9", None),
        ("//other.example/wiki/9", None),
        ("/other?/wiki/9", None),
    ] {
        assert_eq!(apache.apply(link).as_deref(), new, "{link}");
    }
    // A link without a path is one to the root.
    let mut root = Rules::default();
    let table = "RewriteEngine On\nRewriteRule ^(.*)$ https://new.example/$1?p=1 [R=301,L,QSA]\n";
    root.add_map_file(table, MapFormat::Apache, base).unwrap();
    for (link, new) in [
        ("http://old.example", "https://new.example/?p=1"),
        ("HTTP://Old.example?q#f", "https://new.example/?p=1&q#f"),
        ("http://old.example/?", "https://new.example/?p=1"),
        ("http://old.example/a", "https://new.example/a?p=1"),
    ] {
        assert_eq!(root.apply(link).as_deref(), Some(new), "{link}");
    }
    assert_eq!(root.apply("http://old.example.org"), None);
    let mut nginx = Rules::default();
    let table = "map $uri $n { ~wiki /page?p=1; }\n"
        .replace("{ ", "{\n")
        .replace("; }", ";\n}");
    nginx.add_map_file(&table, MapFormat::Nginx, None).unwrap();
    assert_eq!(nginx.apply("/wiki/7/x?a#b").as_deref(), Some("/page?p=1#b"));
    let include = nginx.add_map_file("map $uri $b {\ninclude c;\n}\n", MapFormat::Nginx, None);
    assert!(
        include
            .unwrap_err()
            .to_string()
            .contains("line 2: expected an entry of a `map`")
    );
    let heading = nginx.add_map_file("new,old\n/a,/b\n", MapFormat::Csv, None);
    assert!(
        heading
            .unwrap_err()
            .to_string()
            .contains("the old address in the first column")
    );
}

#[test]
fn dot_segments_lead_out_of_a_prefix() {
    let rules = rules(&[
        "http://old.example/blog/ https://blog.example/",
        "http://old.example/ https://new.example/",
    ]);
    // The target is that of `https://new.example/shop/`.
    for rest in ["blog/../shop/", "blog/%2e%2E/shop/"] {
        let moved = rules.apply(&format!("http://old.example/{rest}"));
        assert_eq!(moved, Some(format!("https://new.example/{rest}")));
    }
    assert_eq!(
        rules.apply("http://old.example/blog/.hidden").as_deref(),
        Some("https://blog.example/.hidden")
    );
}

/// A rule that keeps the path names what its target names, and nothing else.
#[test]
fn dot_segments_lead_out_of_a_prefix_with_the_same_path() {
    let blog = rules(&["old.example/blog https://blog.example/blog"]);
    for rest in ["blog/../y", "blog/..", "blog/%2e%2e/../y", "blog/a/../../y"] {
        for head in ["http://", "https://", "//"] {
            let link = format!("{head}old.example/{rest}");
            assert_eq!(blog.apply(&link), None, "{link}");
        }
    }
    let within = blog.apply("//old.example/blog/a/../b");
    assert_eq!(within.as_deref(), Some("https://blog.example/blog/a/../b"));
    let parts = rules(&[
        "http://old.example/keep/ http://old.example/keep/",
        "http://old.example/third/ http://third.example/third/",
        "http://old.example/ https://new.example/",
    ]);
    for part in ["keep", "third"] {
        let moved = parts.apply(&format!("http://old.example/{part}/../y"));
        assert_eq!(moved, Some(format!("https://new.example/{part}/../y")));
    }
}

/// The spelling of a rule does not make its prefix longer.
#[test]
fn the_longest_prefix_wins_in_any_spelling() {
    for (short, long, link, new) in [
        (
            "http://xn--bcher-kva.example/ https://new.example/",
            "http://b\u{fc}cher.example/blog/ https://blog.example/",
            "http://xn--bcher-kva.example/blog/x",
            "https://blog.example/x",
        ),
        (
            "http://OLD.example:80/ https://new.example/",
            "http://old.example/b/ https://b.example/",
            "http://old.example/b/x",
            "https://b.example/x",
        ),
        ("/%7Ea/ /short/", "/~a/b/ /long/", "/~a/b/c", "/long/c"),
        (
            "/%C3%A9/ /short/",
            "/\u{e9}/b/ /long/",
            "/%C3%A9/b/c",
            "/long/c",
        ),
    ] {
        for lines in [[short, long], [long, short]] {
            assert_eq!(rules(&lines).apply(link).as_deref(), Some(new), "{lines:?}");
        }
    }
}

/// Browsers take a backslash for a slash, and leave tabs and line ends out.
#[test]
fn dot_segments_as_browsers_read_them_lead_out_of_a_prefix() {
    let rules = rules(&["http://old.example/ https://new.example/archive/"]);
    for code in [
        "http://old.example/../{{ x }}",
        "http://old.example/a/../{{ x }}",
    ] {
        assert_eq!(rules.apply(code), None, "{code}");
    }
    for network_path in ["//old.example/../y", "//old.example/a\\..\\..\\y"] {
        let moved = rules.apply(network_path);
        assert!(
            moved.is_none_or(|moved| moved.ends_with("/archive/y")),
            "{network_path}"
        );
    }
    let whole = self::rules(&["http://old.example/ https://new.example/"]);
    let moved = whole.apply("//old.example/a/../y");
    assert_eq!(moved.as_deref(), Some("https://new.example/a/../y"));
    for rest in ["../y", "a\\..\\..\\y", "a/.\t./../y", "a/.\n./../y"] {
        let moved = rules.apply(&format!("http://old.example/{rest}"));
        assert_eq!(
            moved.as_deref(),
            Some("https://new.example/archive/y"),
            "{rest:?}"
        );
    }
}

#[test]
fn nothing_is_glued_to_a_query_or_a_fragment() {
    let rules = rules(&[
        "http://old.example/x http://n.example/y?p=1",
        "http://old.example/z http://n.example/y#g",
        "http://old.example/?id=7 http://n.example/?page=7",
    ]);
    for (link, new) in [
        ("http://old.example/x", Some("http://n.example/y?p=1")),
        ("http://old.example/x#f", Some("http://n.example/y?p=1#f")),
        ("http://old.example/x?a=b", None),
        ("http://old.example/x/s", None),
        ("http://old.example/z", Some("http://n.example/y#g")),
        ("http://old.example/z?a", None),
        (
            "http://old.example/?id=7#f",
            Some("http://n.example/?page=7#f"),
        ),
    ] {
        assert_eq!(rules.apply(link).as_deref(), new, "{link}");
    }
}

#[test]
fn a_port_without_a_scheme_is_none_of_the_default_ones() {
    let mut moved = Rules::default();
    moved
        .move_domain("old.example", "https://new.example", DomainMove::default())
        .unwrap();
    let implied = |text| {
        let reading = Reading {
            base: None,
            query: Charset::UTF_8,
        };
        moved.of_implied((text, "https"), reading, Reach::AnySpelling)
    };
    for text in [
        "old.example:443",
        "old.example:80",
        "old.example:/srv",
        "OLD.example:443/a",
    ] {
        assert_eq!(implied(text).rule, None, "{text}");
    }
    assert_eq!(implied("OLD.example/a").rule, Some(0));
}

/// A path is never read as a host that no rule names (URL Standard 4.4: `//a`, `/\a`).
#[test]
fn a_path_becomes_no_host() {
    for (rule, link) in [
        ("http://old.example/ /", "http://old.example//cdn.example/a"),
        ("http://old.example/ /", "//old.example//cdn.example/a"),
        (
            "http://old.example/ /",
            "HTTP://OLD.example:80//cdn.example/a",
        ),
        ("/old/ /", "/old//cdn.example/a"),
        ("/old/ /", "/old/\\cdn.example/a"),
        ("/old/ /", "/old/\t/cdn.example/a"),
        ("/old /", "/old///cdn.example/a"),
        (
            "re:^http://old\\.example(/.*)$ $1",
            "http://old.example//old.example/a",
        ),
        ("re:^/old(.*)$ $1", "/old//cdn.example/a"),
        ("re:^/old/ /", "/old//cdn.example/a"),
        ("re:old/ /", "/old//cdn.example/a"),
        // A path that is the first slash of a host.
        ("/ /blog/", "//cdn.example/a"),
        ("/ /blog/", "/\\cdn.example/a"),
    ] {
        let rules = rules(&[rule]);
        for reach in [Reach::AsWritten, Reach::AnySpelling, Reach::Resolved] {
            let new = rules.apply_at(link, None, reach);
            assert_eq!(new, None, "{link:?} by `{rule}`");
        }
    }
    for (rule, link, new) in [
        (
            "http://old.example/ //new.example/",
            "http://old.example//a",
            "//new.example//a",
        ),
        (
            "re:^https?:(//.*)$ $1",
            "http://a.example/b",
            "//a.example/b",
        ),
        ("re:^http:// //", "http://a.example/b", "//a.example/b"),
        ("re:old new", "//old.example/b", "//new.example/b"),
        (
            "re:^/go/(.*)$ $1",
            "/go/https://a.example/b",
            "https://a.example/b",
        ),
        ("/old/ /new/", "/old//a", "/new//a"),
        ("/ /blog/", "/a", "/blog/a"),
        ("//old.example/ /", "//old.example/a", "/a"),
    ] {
        let moved = rules(&[rule]).apply(link);
        assert_eq!(moved.as_deref(), Some(new), "{link} by `{rule}`");
    }
}

/// Rules whose TO has no host.
fn rule_without_host() -> impl Strategy<Value = String> {
    let prefix = [
        "/",
        "/old",
        "/old/",
        "http://old.example/",
        "http://old.example",
        "old.example/a/",
        "//old.example/",
    ];
    let pattern = [
        "re:^/old(.*)$",
        "re:^/old/?(.*)$",
        "re:^https?://old\\.example(.*)$",
        "re:^/old/()",
    ];
    let halves = prop_oneof![
        (
            prop::sample::select(prefix.to_vec()),
            prop::sample::select(vec!["/", "/new", "/new/", "./", "new/", "/./"])
        ),
        (
            prop::sample::select(pattern.to_vec()),
            prop::sample::select(vec!["/", "/new/", "$1", "/$1", "${1}/", "./$1"])
        ),
    ];
    halves.prop_map(|(from, to)| format!("{from} {to}"))
}

proptest! {
    /// A rule whose TO has no host gives no link to another host than that of the page, as browsers read it.
    #[test]
    fn rules_without_a_host_lead_to_that_of_the_page(
        rule in rule_without_host(),
        link in prop::collection::vec(
            prop::sample::select(vec![
                "http:", "HTTP:", "//old.example", ":80", "/old", "/", "\\", "\t", "a", ".", "%2F", "?", "#", "@",
            ]),
            0..8,
        ),
        base in prop::option::of(Just("http://old.example/p/q")),
    ) {
        let rules = rules(&[&rule]);
        let link = link.concat();
        let page = url::Url::parse("http://page.example/p/").unwrap();
        for reach in [Reach::AsWritten, Reach::AnySpelling, Reach::Resolved] {
            if let Some(new) = rules.apply_at(&link, base, reach) {
                let target = page.join(&new).unwrap();
                let host = target.host_str();
                prop_assert_eq!(host, Some("page.example"), "{:?} became {:?} by `{}`", link, new, rule);
            }
        }
    }
}
