//! Messages of gettext.

use super::support::{Place, rewritten};

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
        // Without a flag the directive tells.
        ("# c-format", "http://a.example/é"),
    ] {
        let message = |link: &str| format!("{flags}\nmsgid \"a\"\nmsgstr \"%s {link} b\"\n");
        let options = ["--to", "uri", "-E", "utf-8"];
        assert_eq!(
            rewritten("a.po", &message("http://a.example/é"), &options),
            message(after),
            "{flags}"
        );
    }
    // Braces are filled in without a flag, too.
    let message = "msgid \"a\"\nmsgstr \"<a href=\\\"{}\\\">b</a> http://a.example/é\"\n";
    let uri = message.replace('é', "%C3%A9");
    assert_eq!(rewritten("a.po", message, &["--to", "uri"]), uri);
}

/// A letter is written only if the charset of the header has it as the label says, not as browsers read the label.
#[test]
fn labels_count_as_they_stand() {
    for (label, has, lacks, map_to) in [
        ("US-ASCII", "", "%C3%A9", "é"),
        ("ISO-8859-1", "%C3%A9", "%E2%82%AC", "€"),
        ("GB2312", "%E4%B8%AD", "%E5%B0%88", "專"),
        ("EUC-KR", "%ED%95%9C", "%EB%98%A0", "똠"),
        ("Shift_JIS", "%E6%97%A5", "%E9%AB%99", "髙"),
    ] {
        let header = format!(
            "# A\nmsgid \"\"\nmsgstr \"X: 1\\nContent-Type: text/plain; \"\n\"charset={label}\\n\"\n\n"
        );
        let message = |link: &str| format!("{header}msgid \"a\"\nmsgstr \"{link}\"\n");
        let lacking = message(&format!("http://old.example/{lacks}"));
        let place = Place::new(&[
            ("lacks.po", &lacking),
            ("has.po", &message(&format!("http://old.example/{has}"))),
        ]);
        let iri = ["rewrite", "--to", "iri", "--stdout"];
        let ran = place.run(&[&iri[..], &["lacks.po"]].concat());
        assert_eq!(ran.text(), lacking, "{label}");
        let rule = format!("http://old.example/ http://new.example/{map_to}/");
        let map = ["rewrite", "--map", &rule, "-i", "lacks.po"];
        place.run(&map);
        let new = place.read("lacks.po");
        assert!(new.is_ascii(), "{label}");
        assert!(
            String::from_utf8(new)
                .unwrap()
                .contains("http://new.example/%"),
            "{label}"
        );
        place.run(&["rewrite", "--to", "iri", "-i", "has.po"]);
        assert_eq!(place.read("has.po").is_ascii(), has.is_empty(), "{label}");
    }
}

/// Letters behind ASCII are in the charset of the header, in whatever pieces it stands.
#[test]
fn the_header_gives_the_charset() {
    let mut text = b"msgid\"\"\nmsgstr \"Content-Type: text/plain; char\"\n\"set=KOI8-\"\n\"R\\n\"\n\nmsgid \"a\"\nmsgstr \"".to_vec();
    text.extend(b"http://old.example/\xC1 b\"\n");
    let place = Place::new(&[]);
    place.write("a.po", &text);
    place.run(&["rewrite", "--to", "uri", "-i", "a.po"]);
    let new = String::from_utf8(place.read("a.po")).unwrap();
    assert!(new.ends_with("http://old.example/%D0%B0 b\"\n"), "{new}");
}

/// Messages that get another charset have no letters but those of the charset that they declare: msgfmt reads no more.
#[test]
fn messages_in_a_new_charset() {
    let head = "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=UTF-8\\n\"\n\n";
    for (charset, has, lacks) in [
        ("EUC-KR", "한", "똠"),
        ("EUC-JP", "日", "髙"),
        ("Shift_JIS", "日", "①"),
        ("Big5", "中", "碁"),
    ] {
        let text = |link: &str| format!("{head}msgid \"a\"\nmsgstr \"http://a.example/{link}\"\n");
        let converted = |text: &str| {
            let place = Place::new(&[("a.po", text)]);
            let arguments = [
                "rewrite",
                "--to",
                "same",
                "--to-charset",
                charset,
                "--stdout",
                "a.po",
            ];
            place.run(&arguments)
        };
        let run = converted(&text(has));
        assert_eq!(run.code, 0, "{run:?}");
        let back = Place::new(&[]).pipe(&["find", "-o", "--format", "po"], run.out.clone());
        assert_eq!(back.text(), format!("http://a.example/{has}\n"), "{run:?}");
        // A link is percent-encoded, a text without links refused.
        let run = converted(&text(lacks));
        assert!(
            run.out.is_ascii() && run.text().contains("http://a.example/%"),
            "{run:?}"
        );
        let run = converted(&text(&format!("a {lacks}")));
        assert!(
            run.code != 0 && run.err.contains(&format!("{charset} lacks")),
            "{run:?}"
        );
    }
}

/// A comment may begin with a quotation mark, which begins no piece of the string in front of it.
#[test]
fn comments_are_no_pieces_of_strings() {
    let messages = |host: &str| {
        format!(
            "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=UTF-8\\n\"\n\n# \"word\" is a noun\n\
             msgid \"See http://old.example/a\"\nmsgstr \"Siehe {host}/a\"\n\n# \"b\"\nmsgid \"c\"\nmsgstr \"d\"\n"
        )
    };
    let [old, new] = ["http://old.example", "https://www.new.example"].map(messages);
    assert_eq!(rewritten("de.po", &old, &MOVE), new);
}
