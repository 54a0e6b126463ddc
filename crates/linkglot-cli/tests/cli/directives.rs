//! Percent signs that programs read as directives of formats, or as variables.

use super::support::{Place, rewritten};

const TO_URI: [&str; 2] = ["--to", "uri"];

/// Checks that the link of each document stays, for the reason that the report names.
#[track_caller]
fn stay(documents: &[(&str, &str)]) {
    for (name, text) in documents {
        let place = Place::new(&[(name, text)]);
        let ran = place.run(&["rewrite", "-n", "--json", "--to", "uri", name]);
        let objects = ran.objects();
        let links = objects.iter().filter(|object| object["type"] == "left");
        let notes: Vec<_> = links.map(|link| link["notes"].clone()).collect();
        assert_eq!(
            notes,
            [serde_json::json!(["left-template"])],
            "{name}: {text}"
        );
        assert_eq!(rewritten(name, text, &TO_URI), *text, "{name}");
    }
}

#[track_caller]
fn change(documents: &[(&str, &str)]) {
    for (name, text) in documents {
        let expected = text.replace('é', "%C3%A9");
        assert_eq!(rewritten(name, text, &TO_URI), expected, "{name}");
    }
}

/// A percent sign beside a link in a string of a program is a directive, unless it is a percent-encoding.
#[test]
fn directives_of_programs() {
    let of = |name: &'static str, before: &str, directives: &[&str], behind: &str| {
        for directive in directives {
            for text in [
                format!("{before}{directive} http://a.example/é{behind}"),
                format!("{before}http://a.example/é ({directive}){behind}"),
            ] {
                stay(&[(name, &text)]);
            }
        }
    };
    of(
        "a.go",
        "var a = \"",
        &["%v", "%w", "%q", "%T", "%x", "% x", "%5d", "%+v"],
        "\"\n",
    );
    of("a.py", "a = '", &["%(a)s", "%r", "%*d", "%%", "%Y"], "'\n");
    of("a.php", "<?php $a = '", &["%1$s", "%05.2f"], "';\n");
    of("A.java", "String a = \"", &["%n", "%,d", "%tY"], "\";\n");
    of("a.c", "char *a = \"", &["%.*s", "%n"], "\";\n");
    of("a.js", "a = '", &["%s", "%o", "100% of"], "'\n");
    stay(&[("a.c", "char *a = \"http://a.example/é %\"PRIu64;\n")]);
    change(&[
        ("a.php", "<?php $a = 'http://a.example/é 100 %';\n"),
        ("a.go", "var a = \"http://a.example/é b/%20d\"\n"),
        (
            "a.go",
            "var a = \"http://a.example/é http://b.example/é\"\n",
        ),
        ("a.c", "f(\"http://a.example/é\", \"%s\");\n"),
        (
            "a.php",
            "<?php $a = '<td width=\"100%\"><a style=\"width: 50%;\" href=\"http://a.example/é\">b</a>';\n",
        ),
    ]);
}

/// The first string of a function such as `printf` is a format, with directives or without.
#[test]
fn first_strings_of_printf() {
    stay(&[
        ("a.c", "printf(\"http://a.example/é\\n\");\n"),
        ("a.c", "fprintf(stderr, \"http://a.example/é\");\n"),
        (
            "a.c",
            "snprintf(a, sizeof(a), _(\"http://a.example/é\"));\n",
        ),
        ("a.c", "printf(\"%\" PRIu64 \" http://a.example/é\", a);\n"),
        ("a.mm", "NSLog(@\"http://a.example/é\");\n"),
        ("a.php", "<?php echo sprintf('http://a.example/é');\n"),
        ("a.go", "func a() { fmt.Sprintf(\"http://a.example/é\") }\n"),
        (
            "a.go",
            "func a() { t.Errorf(\"see http://a.example/é\") }\n",
        ),
        ("A.java", "a = String.format(\"http://a.example/é\");\n"),
        ("a.kt", "val a = String.format(\"http://a.example/é\")\n"),
        ("a.js", "a(sprintf('http://a.example/é'))\n"),
        ("a.sh", "printf 'http://a.example/é\\n'\n"),
        ("a.rb", "printf(\"http://a.example/é\\n\")\n"),
    ]);
    change(&[
        ("a.c", "printf(\"%s\", \"http://a.example/é\");\n"),
        ("a.c", "printf(\"%s\", a ? \"http://a.example/é\" : b);\n"),
        ("a.c", "print(\"http://a.example/é\");\n"),
        ("a.php", "<?php printf('%s', 'http://a.example/é');\n"),
        ("a.js", "a(sprintf('%s', 'http://a.example/é'))\n"),
        (
            "A.java",
            "a = String.format(\"%s\", \"http://a.example/é\");\n",
        ),
        ("a.rs", "fn a() { format!(\"http://a.example/é\"); }\n"),
        ("a.go", "func a() { if b(\"http://a.example/é\") {} }\n"),
        ("a.sh", "echo 'http://a.example/é'\n"),
    ]);
}

/// Data may be prose, in which a percent sign stands for itself.
#[test]
fn directives_of_data() {
    stay(&[
        (
            "a.xml",
            "<resources><string name=\"a\">%1$s http://a.example/é</string></resources>",
        ),
        ("a.json", "{\"a\": \"http://a.example/é %@\"}"),
        ("a.yaml", "a: http://a.example/é %d\n"),
        ("a.yaml", "a: \"http://a.example/é %.2f\"\n"),
        ("a.toml", "a = \"http://a.example/é %(b)s\"\n"),
        ("a.properties", "a = http://a.example/é %s\n"),
        ("a.strings", "\"a\" = \"http://a.example/é %1$@\";\n"),
        ("a.po", "msgid \"a\"\nmsgstr \"http://a.example/é %s\"\n"),
        ("a.rb", "puts 'See http://a.example/é, %s' % a\n"),
        ("a.pl", "my $a = \"%d http://a.example/é\";\n"),
        ("a.lua", "a = (\"%s http://a.example/é\"):format(b)\n"),
    ]);
    change(&[
        ("a.json", "{\"a\": \"100% of http://a.example/é\"}"),
        ("a.json", "{\"a\": \"http://a.example/é\", \"b\": \"%s\"}"),
        ("a.yaml", "a: 100% of http://a.example/é\n"),
        ("a.txt", "\"100% of http://a.example/é\"\n"),
        ("a.rb", "a 'http://a.example/é', '%s'\n"),
        ("a.xml", "<a><b>100% of http://a.example/é</b><c>%s</c></a>"),
        ("a.html", "<meta charset=utf-8><p>%s http://a.example/é</p>"),
    ]);
    // A long value is a document.
    let long = format!("{{\"a\": \"%s http://a.example/é {}\"}}", "a ".repeat(4096));
    change(&[("a.json", &long)]);
}

/// A link in the first string or word behind `printf`, with options or a file between.
#[test]
fn formats_behind_options() {
    stay(&[
        ("a.sh", "printf -v x \"http://a.example/é\"\n"),
        ("a.sh", "awk 'BEGIN{printf \"http://a.example/é\\n\"}'\n"),
        ("a.sh", "printf http://a.example/é\n"),
        ("a.pl", "printf STDERR \"http://a.example/é\";\n"),
        ("a.pl", "printf {$a} \"http://a.example/é\";\n"),
        ("a.m", "fprintf(1, 'http://a.example/é')\n"),
    ]);
    change(&[("a.sh", "printf '%s' 'http://a.example/é'\n")]);
}

/// An `@` that Perl, RCS or Texinfo would read.
#[test]
fn at_signs() {
    let rule = ["--map", "http://old.example/ http://new.example/@u/"];
    for (name, text) in [
        ("a.pl", "print \"see http://old.example/b\";\n"),
        ("a.pl", "print qq{http://old.example/b};\n"),
        ("a.c,v", "text\n@see http://old.example/b\n@\n"),
        ("a.texi", "see @url{http://old.example/b}\n"),
    ] {
        assert_eq!(rewritten(name, text, &rule), text, "{name}");
        let plain = ["--map", "http://old.example/ http://new.example/u/"];
        let moved = text.replace("old.example", "new.example/u");
        assert_eq!(rewritten(name, text, &plain), moved, "{name}");
    }
    let shell = rewritten("a.sh", "curl 'http://old.example/b'\n", &rule);
    assert_eq!(shell, "curl 'http://new.example/@u/b'\n");
}

/// A link at the end of a line that goes on in the next one.
#[test]
fn folded_lines() {
    let rule = ["--move", "old.example/b", "https://new.example/c"];
    for (name, text) in [
        ("a.ldif", "labeledURI: http://old.example/b\n log\n"),
        (
            "MANIFEST.MF",
            "Bundle-DocURL: http://old.example/b\r\n log\r\n",
        ),
        ("a.ged", "1 NOTE http://old.example/b\n2 CONC log\n"),
    ] {
        assert_eq!(rewritten(name, text, &rule), text, "{name}");
    }
    for (name, text) in [
        ("a.ldif", "labeledURI: http://old.example/b\ncn: a\n"),
        ("a.ged", "1 NOTE http://old.example/b\n2 CONT log\n"),
        ("a.txt", "see http://old.example/b\n log\n"),
    ] {
        let moved = text.replace("http://old.example/b", "https://new.example/c");
        assert_eq!(rewritten(name, text, &rule), moved, "{name}");
    }
}

/// A name that is a whole value may name a host, which has no path.
#[test]
fn names_of_hosts_get_no_path() {
    let rule = ["--move", "old.org", "https://new.org/p"];
    for (name, text) in [
        ("a.json", "{\"host\": \"old.org\"}"),
        ("a.py", "a = 'old.org'\n"),
        ("a.toml", "a = \"old.org\"\n"),
        ("a.yaml", "a: old.org\n"),
        ("a.yaml", "a: |\n  old.org\n  b\n"),
        ("a.json", "{\"host\": \"old.org\\n\"}"),
        ("a.conf", "server_name old.org;\n"),
        ("a.ini", "host = old.org\n"),
        (".env", "HOST=old.org\n"),
        ("a.csv", "a,b\nold.org,1\n"),
        ("a.sql", "INSERT INTO a VALUES ('old.org');\n"),
    ] {
        assert_eq!(rewritten(name, text, &rule), text, "{name}");
        let alone = ["--move", "old.org", "https://new.org"];
        let moved = text.replace("old", "new");
        assert_eq!(rewritten(name, text, &alone), moved, "{name}");
    }
    for (name, text) in [
        ("a.json", "{\"url\": \"old.org/a\"}"),
        ("a.txt", "see old.org\n"),
        ("a.html", "<meta charset=utf-8><p>old.org</p>"),
    ] {
        let moved = text.replace("old.org", "new.org/p");
        assert_eq!(rewritten(name, text, &rule), moved, "{name}");
    }
}

/// A string within another layer is a value, too.
#[test]
fn names_of_hosts_in_nested_data_get_no_path() {
    let json = r#"{\"h\":\"old.org\"}"#;
    let serialized = r#"a:1:{s:6:"domain";s:7:"old.org";}"#;
    let escaped = serialized.replace('"', "\\\"");
    let notebook = r##"{"cells":[{"cell_type":"code","source":["HOST = \"old.org\"\n"]}],"metadata":{"kernelspec":{"language":"python"}},"nbformat":4}"##;
    let wxr = format!(
        "<rss xmlns:wp=\"http://wordpress.org/export/1.2/\"><channel><item><wp:postmeta><wp:meta_value>\
         <![CDATA[{serialized}]]></wp:meta_value></wp:postmeta></item></channel></rss>"
    );
    let options = |also: bool, new: &'static str| {
        let also: &[&str] = if also { &["--also", "code"] } else { &[] };
        [&["--move", "old.org", new], also].concat()
    };
    for (name, text, also) in [
        ("a.json", format!("{{\"a\":\"{json}\"}}\n"), false),
        (
            "a.json",
            "{\"a\":\"s:7:\\\"old.org\\\";\"}\n".to_owned(),
            false,
        ),
        (
            "a.csv",
            format!("a,b\n\"{}\",1\n", serialized.replace('"', "\"\"")),
            false,
        ),
        (
            "a.sql",
            format!("INSERT INTO a VALUES ('{}');\n", serialized),
            false,
        ),
        (
            "a.sql",
            "INSERT INTO a VALUES ('{\"h\":\"old.org\"}');\n".to_owned(),
            false,
        ),
        ("a.php", format!("<?php $a = '{serialized}';\n"), false),
        ("a.php", format!("<?php $a = \"{escaped}\";\n"), false),
        ("a.xml", wxr, false),
        ("a.ipynb", notebook.to_owned(), false),
        (
            "a.html",
            "<meta charset=utf-8><script>var h=\"old.org\"</script>".to_owned(),
            true,
        ),
        (
            "a.html",
            "<meta charset=utf-8><script type=\"application/json\">{\"h\":\"old.org\"}</script>"
                .to_owned(),
            true,
        ),
        ("a.md", "```js\nlet h = 'old.org'\n```\n".to_owned(), true),
    ] {
        let left = rewritten(name, &text, &options(also, "https://new.org/p"));
        assert_eq!(left, text, "{name}");
        let moved = rewritten(name, &text, &options(also, "https://new.org"));
        assert_eq!(moved, text.replace("old.org", "new.org"), "{name}");
    }
}

/// Digests of a policy are those of scripts and styles in the page.
#[test]
fn digests_in_the_policy_of_a_page() {
    let page = |source: &str| {
        format!(
            "<meta charset=utf-8><meta http-equiv=Content-Security-Policy content=\"style-src {source}\">\
             <style>a{{background:url(http://a.example/é)}}</style><a href=http://a.example/é>"
        )
    };
    let hashed = page("'sha256-Z9AFVzEAxFGA5FglMttayRSjVIvFTrbw+7DgCLoKHAM='");
    let link = hashed.replace("href=http://a.example/é", "href=http://a.example/%C3%A9");
    assert_eq!(rewritten("a.html", &hashed, &TO_URI), link);
    for quoted in [
        hashed.replace('\'', "&#39;"),
        hashed.replace("sha256", "SHA256"),
    ] {
        let link = quoted.replace("href=http://a.example/é", "href=http://a.example/%C3%A9");
        assert_eq!(rewritten("a.html", &quoted, &TO_URI), link);
    }
    let open = page("'self'");
    let both = open.replace('é', "%C3%A9");
    assert_eq!(rewritten("a.html", &open, &TO_URI), both);
    let broken = ["--to", "uri", "--break-signatures"];
    assert_eq!(
        rewritten("a.html", &hashed, &broken),
        hashed.replace('é', "%C3%A9")
    );
}

/// Files in which a percent sign is syntax.
#[test]
fn percent_signs_of_settings() {
    stay(&[
        (".htaccess", "RewriteRule ^a$ http://a.example/é [R]\n"),
        ("httpd.conf", "  rewriterule ^a$ http://a.example/é\n"),
        ("crontab", "0 0 * * * curl http://a.example/é\n"),
        ("etc/cron.d/a", "0 0 * * * root curl http://a.example/é\n"),
        ("a.service", "[Unit]\nDocumentation=http://a.example/é\n"),
        ("a.timer", "[Unit]\nDocumentation=http://a.example/é\n"),
        ("setup.cfg", "[metadata]\nurl = http://a.example/é\n"),
        ("alembic.ini", "a = %(here)s/b\nurl = http://a.example/é\n"),
        ("a.bat", "start http://a.example/é\n"),
        ("a.ini", "url = http://a.example/é\n"),
        ("a.conf", "url = http://a.example/é\n"),
        ("a.inf", "url = http://a.example/é\n"),
        ("a.desktop", "Exec=curl http://a.example/é\n"),
        ("a.container", "Exec=curl http://a.example/é\n"),
        ("a.service.d/b.conf", "ExecStart=curl http://a.example/é\n"),
        ("crontabs/root", "0 0 * * * curl http://a.example/é\n"),
    ]);
    change(&[
        (".htaccess", "Redirect /a http://a.example/é\n"),
        ("a.txt", "0 0 * * * curl http://a.example/é\n"),
    ]);
    // A rule without a new sign moves these links.
    let rule = ["--map", "http://a.example/ http://b.example/"];
    let moved = rewritten("a.service", "Documentation=http://a.example/x\n", &rule);
    assert_eq!(moved, "Documentation=http://b.example/x\n");
}

/// A brace in a string of a program, or in text of JSX, may be a directive or code.
#[test]
fn new_braces_of_programs() {
    let rule = ["--map", "http://old.example/ https://new.example/{a}/"];
    for (name, text) in [
        (
            "a.rs",
            "fn a() { println!(\"http://old.example/{}\", 1); }\n",
        ),
        ("a.rs", "fn a() { println!(\"http://old.example/b\"); }\n"),
        ("a.py", "a = \"http://old.example/{}\".format(1)\n"),
        (
            "a.cs",
            "using System;\nclass A { string a = string.Format(\"http://old.example/b\", 1); }\n",
        ),
        ("a.jsx", "const d = <b>http://old.example/k</b>;\n"),
        ("a.svelte", "<p>http://old.example/k</p>\n"),
        ("a.astro", "<a href=\"http://old.example/k\">k</a>\n"),
        ("a.mdx", "See http://old.example/k\n"),
    ] {
        assert_eq!(rewritten(name, text, &rule), text, "{name}");
        let plain = ["--map", "http://old.example/ https://new.example/c/"];
        let moved = text.replace("http://old.example/", "https://new.example/c/");
        assert_eq!(rewritten(name, text, &plain), moved, "{name}");
    }
    let place = Place::new(&[("a.rs", "fn a() { format!(\"http://old.example/b\"); }\n")]);
    let ran = place.run(&[&["rewrite", "-n", "--json", "a.rs"], &rule[..]].concat());
    assert_eq!(ran.objects()[0]["notes"][0], "left-template");
    for (name, text) in [
        ("a.txt", "see http://old.example/b\n"),
        ("a.js", "a = 'see http://old.example/b here'\n"),
    ] {
        let moved = text.replace("http://old.example/", "https://new.example/{a}/");
        assert_eq!(rewritten(name, text, &rule), moved, "{name}");
    }
}
