//! Programs, and scripts in HTML.

use super::support::{Place, rewritten};

const MOVE: [&str; 2] = ["--map", "http://old.example/ https://new.example/"];

/// The moved document.
fn moved(place: &Place, options: &[&str]) -> String {
    let ran = place.run(&[&["rewrite", "--stdout"], options, &MOVE[..]].concat());
    ran.text()
}

#[test]
fn formats_by_name() {
    let code = "a = 'http:\\/\\/a.example\\/x', b.org";
    let php = "<?php $a = \"http://a.example/\\x61\"; $b = $b.org;";
    let files = [
        ("a.js", code, 1),
        ("a.MJS", code, 1),
        ("a.tsx", code, 1),
        ("a.ts", code, 1),
        ("a.txt", code, 1),
        ("a.php", php, 1),
        ("a.inc", php, 1),
        (
            "b.php",
            "\u{FEFF}#!/usr/bin/php\n<?= 'http://a.example/'; $b.org;",
            1,
        ),
        ("a.toml", "a = 'http://a.example/'\nb.org = 1", 1),
        ("c.php", "b.org", 1),
    ];
    let place = Place::new(&files.map(|(name, text, _)| (name, text)));
    for (name, _, count) in files {
        let objects = place.run(&["find", "--json", name]).objects();
        let links = objects.iter().filter(|object| object["type"] == "link");
        assert_eq!(links.count(), count, "{name}");
    }
    let typed = place.run(&["find", "-t", "js,php,toml", "-c", "."]).text();
    assert_eq!(
        typed,
        "./a.MJS:1\n./a.inc:1\n./a.js:1\n./a.php:1\n./a.toml:1\n./a.ts:1\n./a.tsx:1\n./b.php:1\n./c.php:1\n"
    );
}

/// Literals of Python and of languages like C are read, and strings that code joins keep the ends of their links.
#[test]
fn python_and_c() {
    let python = r#"a = "http://not" + "old.example", "http://not" "old.example"
def f():
    """See <a href="a">b</a> <http://old.example/c>."""
    return b"http:\x2f\x2fold.example/d", f'http://old.example/{e["f"]}', "http://old.example/blog" # http://old.example/g
"#;
    let c = r#"#define A "http://old.example"
const char *b = "http:\57/old.example/c", *d = "http://not" "old.example"; /* http://old.example/e */ f("http://old.example/blog" G);
"#;
    let files = [("a.py", python), ("b.hpp", c)];
    let place = Place::new(&files);
    for (name, text) in files {
        let mut expected = text.replace("http://old.example", "https://new.example");
        for escaped in ["http:\\x2f\\x2fold.example", "http:\\57/old.example"] {
            expected = expected.replace(escaped, "https://new.example");
        }
        assert_eq!(moved(&place, &[name]), expected);
    }
    let blog = [
        "rewrite",
        "--stdout",
        "--map",
        "http://old.example/blog http://new.example/",
    ];
    let of = |name| place.run(&[&blog[..], &[name]].concat()).text();
    assert_eq!(
        of("a.py"),
        python.replace("http://old.example/blog", "http://new.example/")
    );
    assert_eq!(of("b.hpp"), c);
    let typed = place.run(&["find", "-t", "python,c", "-l", "."]).text();
    assert_eq!(typed, "./a.py\n./b.hpp\n");
    // Relative references stay, and a link in bytes has no characters beyond ASCII.
    let rules = [
        "rewrite",
        "--stdout",
        "--absolute",
        "--base",
        "http://x.example/",
        "a.py",
    ];
    assert_eq!(place.run(&rules).text(), python);
    let place = Place::new(&[(
        "a.py",
        "a = b'http://old.example/', 'http://old.example/caf\\u00e9'\n",
    )]);
    let rule = ["--map", "http://old.example/ http://new.example/\u{e9}/"];
    let new = place.run(&[&["rewrite", "--stdout", "a.py"], &rule[..]].concat());
    let expected = "a = b'http://old.example/', 'http://new.example/\\u00e9/caf\\u00e9'\n";
    assert_eq!(new.text(), expected);
}

/// Bytes of Python and Rust are ASCII, whatever their prefix.
#[test]
fn bytes_are_ascii() {
    let rule = ["--map", "http://old.example/ http://new.example/é/"];
    for (name, literals) in [
        (
            "a.py",
            &["b'@'", "rb\"@\"", "bR'@'", "BR'@'", "b\"\"\"@\"\"\""][..],
        ),
        ("a.rs", &["b\"@\"", "br\"@\"", "br#\"@\"#"][..]),
    ] {
        for literal in literals {
            let escaped = format!(
                "let a = {};\n",
                literal.replace('@', "http://a.example/%C3%A9")
            );
            assert_eq!(rewritten(name, &escaped, &["--to", "iri"]), escaped);
            let old = format!("let a = {};\n", literal.replace('@', "http://old.example/"));
            assert_eq!(rewritten(name, &old, &rule), old);
            let ascii = ["--map", "http://old.example/ http://new.example/"];
            let moved = old.replace("old.example", "new.example");
            assert_eq!(rewritten(name, &old, &ascii), moved);
        }
    }
    for (name, text) in [
        ("a.py", "a = r'http://a.example/%C3%A9'\n"),
        ("a.rs", "let a = r\"http://a.example/%C3%A9\";\n"),
        ("a.rs", "let a = c\"http://a.example/%C3%A9\";\n"),
        ("a.cpp", "auto a = u8\"http://a.example/%C3%A9\";\n"),
        ("a.cs", "class A { a = \"http://a.example/%C3%A9\"u8; }\n"),
    ] {
        let shown = text.replace("%C3%A9", "é");
        assert_eq!(rewritten(name, text, &["--to", "iri"]), shown);
    }
}

/// `echo` of PHP joins its arguments, and the text behind the code.
#[test]
fn output_of_php_goes_on() {
    let rule = ["--map", "http://old.example/blog http://new.example/"];
    for code in [
        "<?php echo 'http://old.example/blog', $x;\n",
        "<?= 'http://old.example/blog', $x ?>\n",
        "<?= 'http://old.example/blog' ?>ger",
        "<?= 'http://old.example/blog' ?>\nger",
        "<?php echo 'http://old.example/blog'; ?>ger",
        "<a href=\"<?= 'http://old.example/blog' ?>ger\">a</a>",
        "<a href=\"<?php echo 'http://old.example/blog'; ?>ger\">a</a>",
    ] {
        assert_eq!(rewritten("a.php", code, &rule), code);
    }
    for code in [
        "<?php f('http://old.example/blog', $x);\n",
        "<?php echo $x; f('http://old.example/blog', $x);\n",
        "<?= 'http://old.example/blog' ?>\n",
        "<?= 'http://old.example/blog' ?> ger",
        "<?php echo f('http://old.example/blog', $x) ?>ger",
        "<?= 'http://old.example/blog' ?><p>",
        "<a href=\"<?= 'http://old.example/blog' ?>\">a</a>",
    ] {
        let moved = code.replace("http://old.example/blog", "http://new.example/");
        assert_eq!(rewritten("a.php", code, &rule), moved, "{code}");
    }
}

/// A file in Czech has the same extension as C#.
#[test]
fn text_in_czech() {
    let place = Place::new(&[
        (
            "tutor.cs",
            "Viz \"http://old.example/\" a don't http://old.example/a",
        ),
        (
            "a.cs",
            "class A { string b = \"http://not\" + \"old.example\"; }",
        ),
    ]);
    let formats = place.run(&["find", "--json", "tutor.cs", "a.cs"]).objects();
    let of = |name: &str| {
        formats
            .iter()
            .find(|link| link["path"] == name)
            .map(|link| link["format"].clone())
    };
    assert_eq!(of("tutor.cs").unwrap(), "text");
    assert_eq!(of("a.cs").unwrap(), "c");
}

/// A statement that appends to a variable may be followed by another one that goes on.
#[test]
fn appended_strings_keep_their_ends() {
    for (name, code) in [
        (
            "a.js",
            "x += 'http://old.example/blog'; y = 'http://old.example/a';",
        ),
        (
            "a.php",
            "<?php $x .= 'http://old.example/blog'; $y = 'http://old.example/a';",
        ),
        (
            "a.java",
            "x += \"http://old.example/blog\"; y = \"http://old.example/a\";",
        ),
        (
            "a.py",
            "x += 'http://old.example/blog'\ny = 'http://old.example/a'\n",
        ),
    ] {
        let place = Place::new(&[(name, code)]);
        let rules = [
            "--map",
            "http://old.example/blog http://new.example/",
            "--map",
            "http://old.example/a http://new.example/a",
        ];
        let new = place.run(&[&["rewrite", "--stdout", name], &rules[..]].concat());
        assert_eq!(new.text(), code.replace("old.example/a", "new.example/a"));
    }
}

#[test]
fn links_are_written_as_their_literals() {
    for (name, before, after) in [
        (
            "a.js",
            r#"f('http:\/\/old.example\/it\'s', "http://old.example/\x61", `http://old.example/${x}/http://old.example/b`) // http://old.example/"#,
            r#"f('https:\/\/new.example\/it\'s', "https://new.example/\x61", `https://new.example/${x}/https://new.example/b`) // https://new.example/"#,
        ),
        (
            "json.js",
            r#"x = JSON.parse('{"a":"http:\\/\\/old.example\\/","b":"s:20:\\"http://old.example/x\\";"}')"#,
            r#"x = JSON.parse('{"a":"https:\\/\\/new.example\\/","b":"s:21:\\"https://new.example/x\\";"}')"#,
        ),
        (
            "a.jsx",
            "x = <p title='http://old.example/?a&amp;b'>it's http://old.example/ {\"http://old.example/\"}</p>",
            "x = <p title='https://new.example/?a&amp;b'>it's https://new.example/ {\"https://new.example/\"}</p>",
        ),
        (
            "a.php",
            "it's http://old.example/ <?php f('http://old.example/\\'', \"http://old.example/$a\", <<<A\n  http://old.example/ 'x\n  A, 's:19:\"http://old.example/\";'); ?> don't",
            "it's https://new.example/ <?php f('https://new.example/\\'', \"https://new.example/$a\", <<<A\n  https://new.example/ 'x\n  A, 's:20:\"https://new.example/\";'); ?> don't",
        ),
        (
            "a.toml",
            "\"http://old.example/\" = \"http://old.example/\\u00e9\" # http://old.example/\n[[\"http://old.example/\"]]",
            "\"http://old.example/\" = \"https://new.example/\\u00e9\" # https://new.example/\n[[\"http://old.example/\"]]",
        ),
        (
            "ns.js",
            "a = ['http://www.w3.org/2000/svg', 'http://old.example/'], b.createElementNS('http://old.example/', 'http://old.example/')",
            "a = ['http://www.w3.org/2000/svg', 'https://new.example/'], b.createElementNS('http://old.example/', 'https://new.example/')",
        ),
    ] {
        let place = Place::new(&[(name, before)]);
        assert_eq!(moved(&place, &[name]), after);
    }
}

/// Code in front of `//host/` may give the scheme.
#[test]
fn a_scheme_of_code_stays_the_only_one() {
    let (old, new) = ("//old.com/x", "//new.org/x");
    let script = format!(
        "a = b + '{old}', c = `${{d}}{old}`, ['http:', \"{old}\"].join(''), (e ? 'http:' : '') + '{old}'"
    );
    let php = format!("<?php $a = \"$b{old}\" . \"{{$c}}{old}\"; $d .= '{old}';");
    let html = format!("<p onclick=\"a = b + '{old}'\"><script>a = b + '{old}'</script>");
    for (name, text) in [("a.js", script), ("a.php", php), ("a.html", html)] {
        let place = Place::new(&[(name, &text)]);
        let ran = place.run(&[
            "rewrite",
            "--stdout",
            name,
            "--also",
            "code",
            "--move",
            "old.com",
            "https://new.org",
        ]);
        assert_eq!(ran.text(), text.replace(old, new));
        let base = ["rewrite", "--stdout", name, "--also", "code", "--absolute"];
        let ran = place.run(&[&base[..], &["--base", "https://old.com/"]].concat());
        assert_eq!(ran.text(), text);
    }
    let place = Place::new(&[("a.toml", "a = '//old.com/x'")]);
    let ran = place.run(&[
        "rewrite",
        "--stdout",
        "a.toml",
        "--move",
        "old.com",
        "https://new.org",
    ]);
    assert_eq!(ran.text(), "a = 'https://new.org/x'");
}

/// A new link ends no comment.
#[test]
fn comments_keep_their_ends() {
    for (name, text) in [
        ("a.js", "/* http://old.example/ */ a"),
        ("a.php", "<?php /* http://old.example/ */ $a"),
        ("a.sql", "/* http://old.example/ */ SELECT 1;"),
    ] {
        let place = Place::new(&[(name, text)]);
        let rewrite = |rule| {
            place
                .run(&["rewrite", "--stdout", name, "--map", rule])
                .text()
        };
        assert_eq!(rewrite("http://old.example/ http://new.com/*/"), text);
        assert_ne!(rewrite("http://old.example/ http://new.com/*-/"), text);
    }
}

/// Lengths in the output of React's server components.
#[test]
fn counted_rows_stay() {
    let page = "<script>f.push([1,\"2:T1c,see http://old.example/ below3:[\\\"http://old.example/\\\"]\"])</script>";
    let place = Place::new(&[("a.html", page)]);
    let expected = page.replace("\\\"http://old", "\\\"https://new");
    assert_eq!(moved(&place, &["a.html", "--also", "code"]), expected);
}

/// A host that code gives the end of, a name that is code, and a name of XML stay; their neighbours move.
#[test]
fn code_around_links_stays() {
    let rule = ["--map", "http://old.example/ https://new.example/"];
    for (name, before, after) in [
        (
            "a.html",
            "<p>http://old.example<?= '.uk' ?> http://old.example/<?= $a ?> http://old.example/b<?= 'c' ?>",
            "<p>http://old.example<?= '.uk' ?> https://new.example/<?= $a ?> http://old.example/b<?= 'c' ?>",
        ),
        (
            "a.xml",
            "<rss><link>http://old.example<?= '.uk' ?></link><link>http://old.example/</link></rss>",
            "<rss><link>http://old.example<?= '.uk' ?></link><link>https://new.example/</link></rss>",
        ),
        (
            "a.py",
            "a = f'http://old.example{b}' + f'http://old.example/{b}'\nc = '{http://old.example/d}e'\n",
            "a = f'http://old.example{b}' + f'https://new.example/{b}'\nc = '{http://old.example/d}e'\n",
        ),
        (
            "a.kt",
            "val a = \"http://old.example${b}\"; val c = \"http://old.example/$b\"",
            "val a = \"http://old.example${b}\"; val c = \"https://new.example/$b\"",
        ),
        (
            "a.c",
            "#define A http://old.example/a // http://old.example/b\nint c; // d",
            "#define A https://new.example/a // https://new.example/b\nint c; // d",
        ),
    ] {
        let place = Place::new(&[(name, before)]);
        let ran = place.run(&[&["rewrite", "--stdout", name], &rule[..]].concat());
        assert_eq!(ran.text(), after, "{name}");
    }
    // A string is treated alike in a file of its own and in a page.
    let script =
        "a = 'http://old.example{b}'; c = '{http://old.example/d}e'; f = 'http://old.example/g'";
    let moved = script.replace("http://old.example/g", "https://new.example/g");
    for page in ["", "<script>"] {
        let name = if page.is_empty() { "a.js" } else { "a.html" };
        let place = Place::new(&[(name, &format!("{page}{script}"))]);
        let code = ["rewrite", "--stdout", name, "--also", "code"];
        let ran = place.run(&[&code[..], &rule[..]].concat());
        assert_eq!(ran.text(), format!("{page}{moved}"));
    }
    let code = "# a\nb = f'{data.name}' + 'see data.name'\n";
    let place = Place::new(&[("a.py", code)]);
    let ran = place.run(&[
        "rewrite",
        "--stdout",
        "--move",
        "data.name",
        "new.name",
        "a.py",
    ]);
    assert_eq!(ran.text(), code.replace("see data", "see new"));
}

/// Code in a string is no text of it, whatever quotation marks it has, and the links around it move up to its borders.
#[test]
fn code_in_strings() {
    for (name, before) in [
        (
            "a.py",
            "a = f\"{b[\"//\"]} http://old.example/c{d:>{e['#']}} http://old.example/f http://old.example/c\" + x # http://old.example/g\n",
        ),
        (
            "a.cs",
            "namespace A;\na = $\"{(b ? \"//\" : \"\")} http://old.example/c{d} http://old.example/f http://old.example/c\" + @\"\\\"; // http://old.example/g",
        ),
        (
            "b.cs",
            "namespace A;\na = $$\"\"\"{{b[\"//\"]}} \"\" http://old.example/c{{d}} http://old.example/f http://old.example/c\"\"\" + x; // http://old.example/g",
        ),
        (
            "a.kt",
            "val a = \"${b[\"//\"]} http://old.example/c$d http://old.example/f http://old.example/c\" + x // http://old.example/g",
        ),
        (
            "a.swift",
            "let a = \"\\(b[\"//\"]) http://old.example/c\\(d) http://old.example/f http://old.example/c\" + x /* /* */ http://old.example/g */",
        ),
    ] {
        let place = Place::new(&[(name, before)]);
        let rules = ["/c", "/f", "/g"]
            .map(|path| format!("http://old.example{path} https://new.example{path}"));
        let rules = rules.iter().flat_map(|rule| ["--map", rule]);
        let rewrite = ["rewrite", "--stdout", name].into_iter().chain(rules);
        let ran = place.run(&rewrite.collect::<Vec<_>>());
        let moved = before.replace("http://old", "https://new");
        // Code gives the ends of these.
        let expected = moved.replace("https://new.example/c", "http://old.example/c");
        assert_eq!(ran.text(), expected, "{name}");
    }
    // A new link neither begins nor ends code.
    for (name, code) in [
        ("a.py", "a = f'http://old.example/{b}'\n"),
        (
            "a.cs",
            "namespace A;\na = $$\"\"\"http://old.example/{{b}}\"\"\";",
        ),
        ("a.kt", "val a = \"\"\"http://old.example/$b\"\"\""),
    ] {
        let place = Place::new(&[(name, code)]);
        let rule = "http://old.example/ https://new.example/{c}/$d/";
        let ran = place.run(&["rewrite", "--stdout", name, "--map", rule]);
        let expected = match name {
            "a.py" => code.replace("http://old.example/", "https://new.example/{{c}}/$d/"),
            _ => code.to_owned(),
        };
        assert_eq!(ran.text(), expected, "{name}");
    }
}

/// No new link begins a comment within a comment.
#[test]
fn comments_within_comments_keep_their_ends() {
    for (before, rule, after) in [
        (
            "/* http://old.example*/ a",
            "http://old.example http://new.com/",
            "/* http://old.example*/ a",
        ),
        (
            "/* http://old.example */ a",
            "http://old.example http://new.com/",
            "/* http://new.com/ */ a",
        ),
        (
            "/* http://old.example/ */ a",
            "http://old.example/ http://new.com/*-/",
            "/* http://old.example/ */ a",
        ),
        (
            "/* /* b */ http://old.example */ a",
            "http://old.example http://new.com",
            "/* /* b */ http://new.com */ a",
        ),
    ] {
        let place = Place::new(&[("a.rs", before)]);
        let ran = place.run(&["rewrite", "--stdout", "a.rs", "--map", rule]);
        assert_eq!(ran.text(), after);
    }
}

/// Code around a literal, and escapes without a sure meaning.
#[test]
fn doubtful_links_are_left() {
    let rules = [
        "--map",
        "http://old.example/blog https://new.example/b",
        "--map",
        "www.old.example www.new.example",
    ];
    for (name, code, note) in [
        (
            "a.js",
            "x = 'http://old.example/blog' + y",
            Some("left-template"),
        ),
        (
            "a.js",
            "x = `http://old.example/blog${y}`",
            Some("left-template"),
        ),
        ("a.js", "x = y + 'www.old.example/'", Some("left-template")),
        (
            "a.js",
            "x = (y || 'http://old.example/blog') + z",
            Some("left-template"),
        ),
        (
            "a.js",
            "x = encodeURI('http://old.example/blog') + z",
            Some("left-template"),
        ),
        ("a.js", "x = `${y}.www.old.example/`", None),
        (
            "a.js",
            r"x = 'caf\251 http://old.example/blog'",
            Some("left-escaped"),
        ),
        (
            "a.js",
            "x = y`\\d http://old.example/blog`",
            Some("left-escaped"),
        ),
        (
            "a.js",
            "x = 'http://old.example/blog?\\\\1'",
            Some("left-escaped"),
        ),
        (
            "a.php",
            "<?php $x = \"caf\\xE9 http://old.example/blog\";",
            Some("left-escaped"),
        ),
        (
            "a.php",
            "<?php $x = `curl http://old.example/blog`;",
            Some("left-escaped"),
        ),
        (
            "a.ts",
            "x = 'http://old.example/blog' as string + y",
            Some("left-template"),
        ),
        (
            "a.ts",
            "x = ['http://old.example/blog', y].join('')",
            Some("left-template"),
        ),
        (
            "a.rs",
            "let x = [\"http://old.example/blog\", y].concat();",
            Some("left-template"),
        ),
        (
            "a.py",
            "x = ''.join(['http://old.example/blog', y])",
            Some("left-template"),
        ),
        (
            "a.php",
            "<?php $x = $y . 'www.old.example/';",
            Some("left-template"),
        ),
        (
            "a.jsx",
            "x = <p>see http://old.example/blog{slug}</p>",
            Some("left-template"),
        ),
        (
            "a.js",
            "x = ('http://old.example/blog' as string) + y",
            Some("left-template"),
        ),
        (
            "a.py",
            "x = f'http://old.example/blog.{y}'",
            Some("left-template"),
        ),
        (
            "a.kt",
            "val x = \"http://old.example/blog.$y\"",
            Some("left-template"),
        ),
        (
            "a.swift",
            "let x = \"http://old.example/blog:\\(y)\"",
            Some("left-template"),
        ),
        (
            "a.swift",
            "let x = \"www.old.example.\\(y)\"",
            Some("left-template"),
        ),
    ] {
        let place = Place::new(&[(name, code)]);
        let rewrite = [&["rewrite", "--json", "-n", name], &rules[..]].concat();
        let objects = place.run(&rewrite).objects();
        let notes: Vec<_> = objects
            .iter()
            .filter(|object| object["type"] == "left")
            .collect();
        let left = objects.iter().find(|object| object["notes"].is_array());
        let found = left.and_then(|object| object["notes"][0].as_str());
        assert_eq!(found, note, "{code} {notes:?}");
        let written = place.run(&[&["rewrite", "--stdout", name], &rules[..]].concat());
        assert_eq!(written.text(), code);
    }
    // The front of a link that goes on moves; the form of the whole is not known.
    let place = Place::new(&[("a.js", "x = 'http://old.example/blog/\u{e9}' + y")]);
    let both = [&["rewrite", "--stdout", "a.js", "--to", "uri"], &rules[..]].concat();
    assert_eq!(
        place.run(&both).text(),
        "x = 'https://new.example/b/\u{e9}' + y"
    );
}

/// Code behind a link that surely does not continue it.
#[test]
fn links_in_front_of_other_code_move() {
    for (name, code) in [
        ("a.jsx", "x = <p>see http://old.example/blog{\" \"}<b/></p>"),
        ("a.jsx", "x = <p>see http://old.example/blog{/* y */}</p>"),
        ("a.jsx", "x = <p>see http://old.example/blog/{y}</p>"),
        ("a.rs", "let x = &b\"http://old.example/blog\"[..];"),
        ("a.py", "x = f'http://old.example/blog, {y}'"),
        ("a.py", "x = f'(http://old.example/blog){y}'"),
    ] {
        let place = Place::new(&[(name, code)]);
        let rule = "http://old.example/blog https://new.example/b";
        let ran = place.run(&["rewrite", "--stdout", "--map", rule, name]);
        let new = code.replace("http://old.example/blog", "https://new.example/b");
        assert_eq!(ran.text(), new, "{name}");
    }
}

/// An expression behind `#` goes on with the path of a link; a fragment does not.
#[test]
fn interpolation_goes_on_with_a_path() {
    for (code, moves) in [
        (r##"u = "http://old.example/blog#{slug}""##, false),
        ("a{b: url(http://old.example/blog#{$x}/a.png)}", false),
        (r##"<a href="http://old.example/blog#{x}">"##, false),
        (r##"u = "http://old.example/blog/#{slug}""##, true),
        (r##"u = "http://old.example/blog#x{slug}""##, true),
        (r##"http://old.example/blog#{"a":1}"##, true),
    ] {
        for name in ["a.rb", "a.html", "a.txt"] {
            let place = Place::new(&[(name, code)]);
            let rule = "http://old.example/blog https://new.example/b";
            let ran = place.run(&["rewrite", "--stdout", "--map", rule, name]);
            let new = code.replace("http://old.example/blog", "https://new.example/b");
            let expected = if moves { &new } else { code };
            assert_eq!(ran.text(), expected, "{name}");
        }
    }
}

#[test]
fn scripts_in_html() {
    let page = r#"<script><!--
a = 'http:\/\/old.example\/' + "<\/script>" // it's
//--></script><script type="application/json">{"a":"http:\/\/old.example\/"}</script>
<p onclick='open("http://old.example/?a&amp;b")'>http://old.example/</p>
<script type=text/template><b>http://old.example/</b></script><script type=module>import "http://old.example/m.js"</script>"#;
    let place = Place::new(&[("a.html", page)]);
    assert_eq!(
        moved(&place, &["a.html"]),
        page.replace(">http://old.example/</p>", ">https://new.example/</p>")
    );
    let parts: Vec<&str> = page.split("<b>").collect();
    let new = |part: &str| {
        part.replace(r"http:\/\/old.example\/", r"https:\/\/new.example\/")
            .replace("http://old.example/", "https://new.example/")
    };
    let (template, rest) = parts[1].split_once("</b>").unwrap();
    let expected = format!("{}<b>{template}</b>{}", new(parts[0]), new(rest));
    assert_eq!(moved(&place, &["a.html", "--also", "code"]), expected);
    // A link in a script gets no end of the script.
    let place = Place::new(&[("b.html", "<script>a = 'http://old.example/x'</script>")]);
    let into = [
        "rewrite",
        "--stdout",
        "b.html",
        "--also",
        "code",
        "--map",
        "http://old.example/x http://a.example/</script>",
    ];
    assert!(!place.run(&into).text().contains("</script>'"));
}

/// Code of PHP is read in the same way with and without HTML around it.
#[test]
fn php_in_html() {
    let page = r#"<?php /* http://old.example/doc */ if ($a > 1) {
  $b = ['url' => 'http://old.example/a', "http://old.example/b\x61"];
} ?>
<p class=<?= $c ?>><a href="http://old.example/c">c</a> http://old.example/d <?= "<a href='http://old.example/e'>" ?></p>
<?php $d = <<<A
<b>http://old.example/$f</b>
A;
$i = "http://old.example/". $j; f(old.example); k('http://old.example/l')"#;
    let place = Place::new(&[("footer.php", page)]);
    let expected = page.replace("http://old.example/", "https://new.example/");
    assert_eq!(moved(&place, &["footer.php"]), expected);
    let left = [
        "rewrite",
        "-n",
        "--json",
        "--move",
        "old.example",
        "new.example",
        "footer.php",
    ];
    let objects = place.run(&left).objects();
    let mentions: Vec<_> = objects
        .iter()
        .filter(|object| object["type"] == "left-behind")
        .map(|object| (object["line"].as_u64(), object["where"].as_str()))
        .collect();
    assert_eq!(mentions, [(Some(8), Some("text"))]);
}

/// The strings of PHP are read wherever their code stands: in a tag, a value, a script, a style sheet, and in XML.
#[test]
fn php_in_markup() {
    let page = r#"<p <?php if ($a->b) echo "title='http://old.example/a'" ?>><a href="<?= f("http://old.example/b") ?>/c">c</a>
<img srcset="<?= 'http://old.example/d' ?> 1x, http://old.example/e 2x" src="http://old.example/<?= "http://old.example/f" ?>">
<script>var g = "x", h = <?= "http://old.example/h</script>" ?>;</script><style>a { b: url("http://old.example/<?= 'http://old.example/i' ?>") }</style>
<title>http://old.example/j <?php $k = 'http:\/\/old.example/k', 'http://old.example/k' ?></title><a class=<?= "http://old.example/l" ?> href=<?='http://old.example/m'?>>
<a href="http://old.example/<?= $x ?>">y</a> <a href="<?= $x["y"] ?>/z">y</a>"#;
    let xml = "<r><?php echo 'http://old.example/a ?>' ?><a href=\"<?= 'http://old.example/b' ?>\"/>http://old.example/c</r>";
    let place = Place::new(&[("a.php", page), ("b.xml", xml)]);
    for (name, text) in [("a.php", page), ("b.xml", xml)] {
        let expected = text.replace("http://old.example/", "https://new.example/");
        assert_eq!(moved(&place, &[name]), expected, "{name}");
        let uri = place.run(&["rewrite", "--stdout", "--to", "uri", name]);
        assert_eq!(uri.text(), text, "{name}");
    }
    let objects = place.run(&["find", "--json", "a.php"]).objects();
    let mut links: Vec<_> = objects
        .iter()
        .filter(|object| object["type"] == "link")
        .map(|link| (link["start"].as_u64(), link["end"].as_u64()))
        .collect();
    assert_eq!(links.len(), 15);
    let listed = links.clone();
    links.sort_unstable();
    assert_eq!(links, listed);
    assert!(links.is_sorted_by(|one, next| one.1 <= next.0));
}

/// Scripts are read around their code of PHP, which gives a part of their strings.
#[test]
fn php_in_scripts() {
    let page = r#"<p onclick="f('<?= "http://old.example/a" ?>', 'http://old.example/b')"><script>
a = "http://old.example/blog<?= $a["b"] ?>"; b = <?= f("it's") ?>; c = "http://old.example/c"; // <?= 'http://old.example/d' ?>
</script>"#;
    let place = Place::new(&[("a.php", page)]);
    let expected = page.replace("http://old.example/", "https://new.example/");
    assert_eq!(moved(&place, &["a.php", "--also", "code"]), expected);
    let blog = [
        "rewrite",
        "--stdout",
        "--also",
        "code",
        "a.php",
        "--map",
        "http://old.example/blog http://new.example/",
    ];
    assert_eq!(place.run(&blog).text(), page);
}

/// Strings and comments do not end the code of PHP, and a page is read on behind it.
#[test]
fn the_end_of_php_in_html() {
    let page = r#"<p>a</p><?php $x = "a?>\"?>"; $y = '?>\'?>'; /* ?> " */ $z = <<<"X"
?> ' X
  X . '<a href="' . f($u) . '">'; $u = "http://old.example/a"; // it's ?><a href='http://old.example/b'>
<?php #[A("?>")] # it's ?><a href="http://old.example/c"><?= $a ? "?>" : <<<'Y'
?> http://old.example/d
Y ?><a href='http://old.example/e'> <?php "http://old.example/f"#;
    let place = Place::new(&[("a.php", page)]);
    let uri = place.run(&["rewrite", "--stdout", "--to", "uri", "a.php"]);
    assert_eq!(uri.text(), page);
    let links = place.run(&["find", "-o", "a.php"]).text();
    assert_eq!(links.lines().count(), 6, "{links}");
    let rule = ["--map", "http://old.example/ http://new.example/\u{fc}/"];
    let moved = place.run(&[&["rewrite", "--stdout", "a.php"], &rule[..]].concat());
    let moved = moved.text();
    assert!(moved.contains("='http://new.example/&#xFC;/e'"), "{moved}");
    assert!(!moved.contains("\"http://new.example/&#xFC;/a"), "{moved}");
}

/// A placeholder in front gives the base, and a function that reads its template as written gets no escape.
#[test]
fn formats_and_raw_templates() {
    let php = r#"<?php printf('<a href="%s">x</a> <a href="%1$s/a"><a href="b">', $u);"#;
    let place = Place::new(&[
        ("a.php", php),
        ("b.js", "String.raw`http://old.example/%C3%A9`"),
    ]);
    let absolute = [
        "rewrite",
        "--stdout",
        "a.php",
        "--absolute",
        "--base",
        "http://x.example/",
    ];
    assert_eq!(
        place.run(&absolute).text(),
        php.replace("\"b\"", "\"http://x.example/b\"")
    );
    let php =
        "<?php printf('http://old.example/\u{e9} %s', 1); echo 'http://old.example/\u{e9} 100 %';";
    let place = Place::new(&[
        ("a.php", php),
        ("b.js", "String.raw`http://old.example/%C3%A9`"),
    ]);
    let uri = place.run(&["rewrite", "--stdout", "a.php", "--to", "uri"]);
    assert_eq!(uri.text(), php.replace("\u{e9} 100", "%C3%A9 100"));
    let iri = place.run(&["rewrite", "--stdout", "b.js", "--to", "iri"]);
    assert_eq!(iri.text(), "String.raw`http://old.example/%C3%A9`");
}

/// Percent signs are variables in batch files of Windows.
#[test]
fn batch_files_get_no_percent_signs() {
    let place = Place::new(&[
        ("a.bat", "start http://old.example/a\n"),
        ("b.cmd", "start http://old.example/é http://old.example/\n"),
    ]);
    let rule = ["--map", "http://old.example/ http://new.example/ü/"];
    let moved = place.run(&[&["rewrite", "--stdout", "a.bat"], &rule[..]].concat());
    assert_eq!(moved.text(), "start http://old.example/a\n");
    let uri = place.run(&["rewrite", "--stdout", "b.cmd", "--to", "uri"]);
    assert_eq!(
        uri.text(),
        "start http://old.example/é http://old.example/\n"
    );
    let rule = ["--map", "http://old.example/ http://new.example/"];
    let moved = place.run(&[&["rewrite", "--stdout", "a.bat"], &rule[..]].concat());
    assert_eq!(moved.text(), "start http://new.example/a\n");
}

/// Programs in listings are read as the same programs in files of their own, and listings in other languages as text.
#[test]
fn listings_of_light_markup() {
    let js = "a = 'http://not' + 'old.example'; b = `http://old.example${c}`; d = 'http:\\/\\/old.example\\/d'; // http://old.example/e";
    let php = "$a = 'http://old.example' . '.uk'; $b = \"http://old.example/b\";";
    let sh = "curl http://old.example/";
    let session = ">>> f('http://old.example/')\nsee http://old.example/";
    let indented = |code: &str| code.replace('\n', "\n   ");
    let markdown = format!(
        "```js {{1}}\n{js}\n```\n\n> ~~~ {{.php}}\n> {php}\n> ~~~\n\n- item\n\n  ```javascript\n  {js}\n  ```\n\n```sh\n{sh}\n```\n\n```python\n{session}\n```\n"
    );
    let rst = format!(
        ".. code-block:: js\n   :linenos:\n\n   {js}\n\n.. code:: php\n\n   {php}\n\n.. code:: sh\n\n   {sh}\n\n.. code:: python\n\n   {}\n",
        indented(session)
    );
    let asciidoc = format!(
        "[source,js]\n----\n{js}\n----\n\n```php\n{php}\n```\n\n[source%linenums,javascript]\n....\n{js}\n....\n\n----\n{sh}\n----\n\n[,python]\n----\n{session}\n----\n"
    );
    let org = format!(
        "#+BEGIN_SRC js -n\n{js}\n#+END_SRC\n#+begin_src sh\n{sh}\n#+end_src\n#+begin_src python\n{session}\n#+end_src\n"
    );
    let moved = |text: &str| {
        let text = text.replace("http://old.example/", "https://new.example/");
        text.replace("http:\\/\\/old.example\\/", "https:\\/\\/new.example\\/")
    };
    let files = [
        ("a.md", markdown),
        ("a.rst", rst),
        ("a.adoc", asciidoc),
        ("a.org", org),
    ];
    let files = files.each_ref().map(|(name, text)| (*name, &**text));
    let place = Place::new(&files);
    for (name, text) in files {
        let rules = ["--move", "old.example", "https://new.example"];
        let run = |options: &[&str]| {
            let ran = place.run(&[&["rewrite", "--stdout", name], options, &rules[..]].concat());
            ran.text()
        };
        assert_eq!(run(&["--also", "code"]), moved(text), "{name}");
        assert_eq!(run(&[]), text, "{name}");
        let links = place
            .run(&["find", "--also", "code", "--json", name])
            .objects();
        let nested = links
            .iter()
            .find(|link| link["text"] == "http://old.example/d");
        let nested = nested.expect("a link");
        assert_eq!(
            nested["place"]["nesting"],
            serde_json::json!(["code"]),
            "{name}"
        );
        assert_eq!(nested["place"]["kind"], "value", "{name}");
    }
}

/// Values that a format joins keep the ends of their links, and others move.
#[test]
fn values_of_formats() {
    let rule = ["--map", "old.example/blog new.example/x"];
    for (name, code, moves) in [
        (
            "a.php",
            "<?php sprintf('%s%s', 'http://old.example/blog', 'ger');",
            false,
        ),
        (
            "a.php",
            "<?php implode('', array('http://old.example/blog', 'ger'));",
            false,
        ),
        (
            "a.php",
            "<?php printf(__('<a href=\"%s\">'), 'http://old.example/blog');",
            true,
        ),
        (
            "a.py",
            "a = '{}{}'.format('http://old.example/blog', 'ger')",
            false,
        ),
        (
            "a.py",
            "a = '%s%s' % ('http://old.example/blog', 'ger')",
            false,
        ),
        (
            "a.py",
            "a = '%s, %s' % ('http://old.example/blog', 'ger')",
            true,
        ),
        (
            "A.java",
            "String.format(\"%s%s\", \"http://old.example/blog\", \"ger\");",
            false,
        ),
        (
            "a.go",
            "fmt.Sprintf(\"%s%s\", \"http://old.example/blog\", \"ger\")",
            false,
        ),
        (
            "a.c",
            "sprintf(a, \"%s%s\", \"http://old.example/blog\", \"ger\");",
            false,
        ),
        (
            "a.c",
            "sprintf(a, \"%s\", \"http://old.example/blog\");",
            true,
        ),
    ] {
        let place = Place::new(&[(name, code)]);
        let ran = place.run(&[&["rewrite", "--stdout", name], &rule[..]].concat());
        let expected = code.replace("old.example/blog", "new.example/x");
        let expected = if moves { expected.as_str() } else { code };
        assert_eq!(ran.text(), expected);
    }
}
