//! Programs that are read as running text, and keys of data.

use super::support::{Place, rewritten};

const LINK: &str = "http://old.example/a";
const MOVE: [&str; 2] = ["--map", "http://old.example/ https://new.example/"];

/// The document with another link.
fn with(name: &str, text: &str, new: &str) -> (String, String) {
    let rule = format!("re:^{LINK}$ {new}");
    (
        rewritten(name, text, &["--map", &rule]),
        text.replace(LINK, new),
    )
}

/// A new link brings no mark that ends or changes a word of a script.
#[test]
fn marks_of_scripts() {
    for (name, text, new) in [
        (
            "a.sh",
            "curl http://old.example/a\n",
            "https://b.example/?c&d",
        ),
        (
            "a.sh",
            "curl http://old.example/a\n",
            "https://b.example/(c)",
        ),
        (
            "a",
            "#!/bin/sh\ncurl http://old.example/a\n",
            "https://b.example/?c&d",
        ),
        (
            "a.sh",
            "curl \"http://old.example/a\"\n",
            "https://b.example/$$c",
        ),
        (
            "a.sh",
            "curl 'http://old.example/a'\n",
            "https://b.example/'c",
        ),
        (
            "Makefile",
            "A = http://old.example/a\n",
            "https://b.example/#c",
        ),
        (
            "a.mk",
            "A = \"http://old.example/a\"\n",
            "https://b.example/#c",
        ),
        ("a.rb", "a 'http://old.example/a'\n", "https://b.example/'c"),
        (
            "a.rb",
            "a \"http://old.example/a\"\n",
            "https://b.example/#{c}",
        ),
        (
            "a.pl",
            "a(\"http://old.example/a\");\n",
            "https://b.example/@c",
        ),
        (
            "a.bat",
            "start http://old.example/a\n",
            "https://b.example/?c&d",
        ),
        (
            "nginx.conf",
            "return 301 http://old.example/a;\n",
            "https://b.example/c;d",
        ),
        (
            "a.ps1",
            "iwr -Uri http://old.example/a\n",
            "https://b.example/c,d",
        ),
        (
            "php.ini",
            "u=http://old.example/a\n",
            "https://b.example/~c",
        ),
        (
            "php.ini",
            "u=http://old.example/a\n",
            "https://b.example/?c=d",
        ),
        (
            "php.ini",
            "u=http://old.example/a\n",
            "https://b.example/c;d",
        ),
        (
            "php.ini",
            "u=http://old.example/a\n",
            "https://b.example/(c)",
        ),
        (
            "php.ini",
            "u=\"http://old.example/a\"\n",
            "https://b.example/$${c}",
        ),
        (
            "a.nix",
            "{ a = http://old.example/a; }\n",
            "https://b.example/é",
        ),
        (
            "a.nix",
            "{ a = http://old.example/a; }\n",
            "https://b.example/#c",
        ),
        (
            "a.nix",
            "{ a = ''\n  http://old.example/a\n''; }\n",
            "https://b.example/''",
        ),
    ] {
        let place = Place::new(&[(name, text)]);
        let rule = format!("re:^{LINK}$ {new}");
        let ran = place.run(&["rewrite", "-n", "--json", "--map", &rule, name]);
        let objects = ran.objects();
        assert_eq!(objects[0]["type"], "left", "{text} {new}");
        let notes = objects[0]["notes"].as_array().expect("notes");
        assert_eq!(notes[0], "left-unencodable", "{text} {new}");
        assert_eq!(with(name, text, new).0, text, "{new}");
    }
    for (name, text, new) in [
        ("a.sh", "curl http://old.example/a\n", "https://b.example/c"),
        (
            "a.sh",
            "curl \"http://old.example/a\"\n",
            "https://b.example/?c&d#e",
        ),
        (
            "a.sh",
            "curl 'http://old.example/a'\n",
            "https://b.example/?c&d",
        ),
        (
            "a.rb",
            "a \"http://old.example/a\"\n",
            "https://b.example/'c#d",
        ),
        (
            "a.pl",
            "a('http://old.example/a');\n",
            "https://b.example/@c",
        ),
        (
            "a.txt",
            "see http://old.example/a\n",
            "https://b.example/?c&d",
        ),
        (
            "a.ps1",
            "iwr -Uri 'http://old.example/a'\n",
            "https://b.example/c,d",
        ),
        (
            "php.ini",
            "u=\"http://old.example/a\"\n",
            "https://b.example/~c?d=(e)",
        ),
        (
            "php.ini",
            "u=http://old.example/a\n",
            "https://b.example/c,d",
        ),
        (
            "a.nix",
            "{ a = \"see http://old.example/a\"; }\n",
            "https://b.example/é#c",
        ),
        (
            "a.nix",
            "{ a = http://old.example/a; }\n",
            "https://b.example/?c=d",
        ),
        (
            "nginx.conf",
            "return 301 \"http://old.example/a\";\n",
            "https://b.example/c;d",
        ),
    ] {
        let (new, expected) = with(name, text, new);
        assert_eq!(new, expected);
    }
}

/// A form that shows letters and marks brings none that the script would read.
#[test]
fn forms_in_scripts() {
    let to_iri = |name, text| rewritten(name, text, &["--charset", "utf-8", "--to", "iri"]);
    let setting = "u=http://a.example/%7Eann/%C3%A9\nv=http://a.example/%C3%A9\n";
    let expected = "u=http://a.example/%7Eann/%C3%A9\nv=http://a.example/é\n";
    assert_eq!(to_iri("php.ini", setting), expected);
    let nix = "{ a = http://a.example/%C3%A9; b = http://xn--bcher-kva.example/; c = \"http://a.example/%C3%A9\"; }\n";
    let expected = "{ a = http://a.example/%C3%A9; b = http://xn--bcher-kva.example/; c = \"http://a.example/é\"; }\n";
    assert_eq!(to_iri("a.nix", nix), expected);
}

/// The original link of a service may have marks that its wrapped form escaped.
#[test]
fn unwrapped_links_of_scripts() {
    let link = "https://www.google.com/url?q=http%3A%2F%2Fa.example%2F%3Fb%3D1%26c%3D2";
    let bare = format!("curl {link}\n");
    assert_eq!(rewritten("a.sh", &bare, &["--unwrap"]), bare);
    let quoted = format!("curl \"{link}\"\n");
    let expected = "curl \"http://a.example/?b=1&c=2\"\n";
    assert_eq!(rewritten("a.sh", &quoted, &["--unwrap"]), expected);
}

/// A file of translations, whose keys are in lines that end with `# key`.
#[track_caller]
fn keys_stay(name: &str, text: &str) {
    let moved = |line: &str| line.replace("http://old.example/", "https://new.example/");
    let lines = text.split_inclusive('\n');
    let expected: String = lines
        .map(|line| {
            if line.contains("/key") {
                line.to_owned()
            } else {
                moved(line)
            }
        })
        .collect();
    assert_eq!(rewritten(name, text, &MOVE), expected);
}

#[test]
fn keys_of_translations() {
    let qt = "<!DOCTYPE TS>\n<TS version=\"2.1\"><context><message>\n<source>http://old.example/key</source>\n\
              <comment>http://old.example/key</comment>\n<translation>http://old.example/a</translation>\n\
              </message></context></TS>\n";
    keys_stay("de.ts", qt);
    keys_stay("de.ts", &format!("<?xml version=\"1.0\"?>\n{qt}"));
    let all = [&MOVE[..], &["--also", "code"]].concat();
    let moved = qt.replace("http://old.example/", "https://new.example/");
    assert_eq!(rewritten("de.ts", qt, &all), moved);
    keys_stay(
        "a.plist",
        "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict>\n<key>http://old.example/key</key>\n<string>http://old.example/a</string>\n</dict></plist>\n",
    );
    let script = "const a = <string>\"http://old.example/a\";\n";
    assert_eq!(
        rewritten("a.ts", script, &MOVE),
        script.replace("http://old", "https://new")
    );
}

#[test]
fn keys_of_strings() {
    let strings = "/* http://old.example/a */\n\"http://old.example/key\"\n = \"http://old.example/a\";\n\
                   \"a\" = \"See http://old.example/a\";\n";
    let moved = strings.replace("http://old.example/", "https://new.example/");
    // The key in a line of its own is not known.
    assert_eq!(rewritten("a.strings", strings, &MOVE), moved);
    let strings = "\"See http://old.example/key.\" = \"http://old.example/a\";\n";
    let expected = "\"See http://old.example/key.\" = \"https://new.example/a\";\n";
    assert_eq!(rewritten("a.strings", strings, &MOVE), expected);
    let place = Place::new(&[("a.strings", strings)]);
    let ran = place.run(&[&["rewrite", "-n", "--json", "a.strings"], &MOVE[..]].concat());
    assert_eq!(ran.objects()[0]["notes"][0], "left-key");
    let all = [&MOVE[..], &["--also", "code"]].concat();
    let moved = strings.replace("http://old.example/", "https://new.example/");
    assert_eq!(rewritten("a.strings", strings, &all), moved);
}
