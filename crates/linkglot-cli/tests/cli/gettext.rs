//! Messages of gettext.

use super::support::Place;

const MOVE: [&str; 2] = ["--map", "http://old.example/ https://www.new.example/"];

const MESSAGES: &str = r##"# See http://old.example/comment.
msgid ""
msgstr ""
"Report-Msgid-Bugs-To: http://old.example/bugs\n"
"Content-Type: text/plain; charset=UTF-8\n"

#: src/main.c:12
msgid "See http://old.example/a."
msgstr ""
"Siehe \"http://old.example/ü\",\n"
"oder <a href=\"http://old.exam"
"ple/b\">dies</a>."

#, c-format
msgid "%s: http://old.example/%s"
msgid_plural "%s: http://old.example/%s"
msgstr[0] "%s: http://old.example/%s"
msgstr[1] "<a href=\"http://old.example/"
"%s\">"

#~ msgid "http://old.example/c"
#~ msgstr "http://old.example/\"\n"
#~ "http://old.example/d"
"##;

/// The rewritten document.
fn rewritten(name: &str, text: &str, options: &[&str]) -> String {
    let place = Place::new(&[(name, text)]);
    place
        .run(&[&["rewrite", "--stdout", name], options].concat())
        .text()
}

/// The messages with the new host in each line that `moves`, also over the cut in the middle of it.
fn expected(moves: impl Fn(&str) -> bool) -> String {
    let lines = MESSAGES.split_inclusive('\n').map(|line| {
        if moves(line) {
            let line = line.replace("http://old.example/", "https://www.new.example/");
            line.replace("http://old.exam", "https://www.new.exam")
        } else {
            line.to_owned()
        }
    });
    lines.collect()
}

#[test]
fn translations_move() {
    let is_key = |line: &str| line.contains("msgid");
    assert_eq!(
        rewritten("de.po", MESSAGES, &MOVE),
        expected(|line| !is_key(line))
    );
    assert_eq!(
        rewritten(
            "de.po",
            MESSAGES,
            &[&MOVE[..], &["--also", "code"]].concat()
        ),
        expected(|_| true)
    );
}

#[test]
fn keys_name_their_option() {
    let place = Place::new(&[("a.pot", "msgid \"http://old.example/\"\nmsgstr \"\"\n")]);
    let ran = place.run(&[&["rewrite", "--json", "-n", "a.pot"], &MOVE[..]].concat());
    let objects = ran.objects();
    let of = |kind: &str| objects.iter().find(|one| one["type"] == kind).expect(kind);
    assert_eq!(of("left")["notes"][0], "left-key");
    assert_eq!(of("left")["format"], "po");
    assert_eq!(of("left-behind")["option"], "--also code");
    place
        .run(&["find", "-t", "po", "-c", "."])
        .prints("./a.pot:1\n", 0);
}

/// Directives of a format do not come or go.
#[test]
fn formats_stay() {
    for (flags, after) in [
        ("#, c-format", "http://a.example/é"),
        ("#, fuzzy, python-brace-format", "http://a.example/é"),
        ("#, no-c-format", "http://a.example/%C3%A9"),
        ("# c-format", "http://a.example/%C3%A9"),
    ] {
        let message = |link: &str| format!("{flags}\nmsgid \"a\"\nmsgstr \"%s {link} b\"\n");
        let options = ["--to", "uri", "-E", "utf-8"];
        assert_eq!(
            rewritten("a.po", &message("http://a.example/é"), &options),
            message(after),
            "{flags}"
        );
    }
}
