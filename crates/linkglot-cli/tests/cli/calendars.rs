//! Calendars and vCards, as files and in mail.

use super::support::Place;
use serde_json::{Value, json};

const CALENDAR: &str = "BEGIN:VCALENDAR\r
VERSION:2.0\r
PRODID:-//www.product.example//EN\r
BEGIN:VEVENT\r
UID:1@uid.example\r
LOCATION:https://maps.example/?q=48.1\\,11.5\r
DESCRIPTION:See http://old.exam\r
 ple/caf\u{e9}\\nor http://b.example/x\\; soon.\r
URL;ALTREP=\"http://\u{e9}.example/\":http://old.example/\u{e9},b\r
ORGANIZER:mailto:b\u{fc}ro@old.example\r
END:VEVENT\r
END:VCALENDAR\r
";

const CARD: &str = "BEGIN:VCARD
VERSION:2.1
URL;CHARSET=latin1;ENCODING=QUOTED-PRINTABLE:http://old.example/=E9?a=
=3Db
NOTE;ENCODING=QUOTED-PRINTABLE:one=0D=0Ahttp://old.example/=C3=A9
END:VCARD
";

const MAP: [&str; 2] = ["--map", "http://old.example/ https://new.example/"];

fn rewritten(name: &str, content: &str, options: &[&str]) -> String {
    let place = Place::new(&[(name, content)]);
    let ran = place.run(&[&["rewrite", name, "--stdout"], options].concat());
    assert!(ran.code == 0, "{ran:?}");
    ran.text()
}

/// Selected properties of links.
fn said(objects: &[Value], names: &[&str]) -> Vec<Value> {
    let links = objects.iter().filter(|object| object["type"] == "link");
    links
        .map(|link| names.iter().map(|name| link[name].clone()).collect())
        .collect()
}

#[test]
fn find_reads_values_by_their_types() {
    let place = Place::new(&[("a.ics", CALENDAR)]);
    place.run(&["find", "a.ics"]).prints(
        "6:10:https://maps.example/?q=48.1,11.5\n\
         7:17:http://old.example/caf\u{e9}\n\
         8:15:http://b.example/x\n\
         9:13:http://\u{e9}.example/\n\
         9:32:http://old.example/\u{e9},b\n\
         10:11:mailto:b\u{fc}ro@old.example\n",
        0,
    );
}

#[test]
fn json_tells_place_and_positions() {
    let place = Place::new(&[("a.ics", CALENDAR)]);
    let objects = place.run(&["find", "--json", "a.ics"]).objects();
    let said = said(&objects, &["format", "charset", "place", "raw"]);
    assert_eq!(
        said[0],
        json!(["ics", "UTF-8", {"kind": "text", "element": null, "name": "LOCATION"},
            "https://maps.example/?q=48.1\\,11.5"])
    );
    assert_eq!(
        said[3][2],
        json!({"kind": "attribute", "element": "URL", "name": "ALTREP"})
    );
    assert_eq!(
        said[4][2],
        json!({"kind": "property", "element": null, "name": "URL"})
    );
    let at = |link: usize, name: &str| objects[link][name].as_u64().unwrap() as usize;
    let source = &CALENDAR[at(1, "start")..at(1, "end")];
    assert_eq!(source, "http://old.exam\r\n ple/caf\u{e9}");
}

#[test]
fn rewrite_keeps_the_escapes_of_a_value() {
    let expected = CALENDAR
        .replace("/caf\u{e9}", "/caf%C3%A9")
        .replace("http://\u{e9}.example/", "http://xn--9ca.example/")
        .replace("/\u{e9},b", "/%C3%A9,b");
    assert_eq!(rewritten("a.ics", CALENDAR, &["--to", "uri"]), expected);
    let lines = "DESCRIPTION:http://old.example/a\nCATEGORIES:x,http://old.example/a\n\
        URL:http://old.example/a\nURL:http\\://old.example/a\n";
    let map = ["--map", "http://old.example/a http://new.example/a,b;c"];
    assert_eq!(
        rewritten("a.ics", lines, &map),
        "DESCRIPTION:http://new.example/a\\,b\\;c\nCATEGORIES:x,http://new.example/a\\,b\\;c\n\
         URL:http://new.example/a,b;c\nURL:http\\://new.example/a,b;c\n"
    );
}

#[test]
fn a_line_that_gets_too_long_is_folded() {
    let to = format!(
        "http://old.example/ https://new.example/{}",
        "path/".repeat(15)
    );
    let calendar = "BEGIN:VCALENDAR\r\nURL:http://old.example/a\r\nEND:VCALENDAR\r\n";
    let found = rewritten("a.ics", calendar, &["--map", &to]);
    let url = found.lines().skip(1).take(2).collect::<Vec<_>>();
    assert!(
        url[0].len() == 75 && url[1].starts_with(' ') && url[1].ends_with("/a"),
        "{found}"
    );
    let quoted = rewritten("a.vcf", CARD, &["--map", &to]);
    assert!(
        quoted
            .lines()
            .all(|line| line.len() <= 75 && !line.starts_with(' ')),
        "{quoted}"
    );
    let place = Place::new(&[("a.vcf", &quoted)]);
    let links = place.run(&["find", "-o", "a.vcf"]).text();
    let new = format!("https://new.example/{}\u{e9}", "path/".repeat(15));
    assert_eq!(links, format!("{new}?a=b\n{new}\n"));
}

#[test]
fn quoted_printable_is_read_and_written_in_its_charset() {
    let place = Place::new(&[("a.vcf", CARD)]);
    let links = "3:46:http://old.example/\u{e9}?a=b\n5:41:http://old.example/\u{e9}\n";
    place.run(&["find", "a.vcf"]).prints(links, 0);
    let expected = CARD.replace("http://old", "https://new");
    assert_eq!(rewritten("a.vcf", CARD, &MAP), expected);
    let uri = CARD.replace("=E9", "%C3%A9").replace("/=C3=A9", "/%C3%A9");
    assert_eq!(rewritten("a.vcf", CARD, &["--to", "uri"]), uri);
    assert_eq!(rewritten("a.vcf", &uri, &["--to", "iri"]), CARD);
    // ISO-8859-1 lacks the letter.
    let map = ["--map", "http://old.example/ http://new.example/\u{44f}/"];
    let found = rewritten("a.vcf", CARD, &map);
    assert!(
        found.contains(":http://old.example/=E9") && found.contains("=D1=8F/=C3=A9"),
        "{found}"
    );
}

#[test]
fn octets_of_utf_8_are_utf_8_whatever_the_file_is_in() {
    let card =
        "BEGIN:VCARD\nVERSION:2.1\nURL;QUOTED-PRINTABLE:http://old.example/=C3=A9\nEND:VCARD\n";
    let args = ["--to", "uri", "--charset", "windows-1252"];
    let uri = card.replace("=C3=A9", "%C3%A9");
    assert_eq!(rewritten("a.vcf", card, &args), uri);
    let latin = card.replace("=C3=A9", "=E9");
    assert_eq!(rewritten("a.vcf", &latin, &args), uri);
}

#[test]
fn identifiers_and_addresses_stay() {
    let place = Place::new(&[(
        "a.ics",
        "UID:http://old.example/1\nATTENDEE:mailto:\u{e9}@old.example\n",
    )]);
    place
        .run(&["find", "-o", "a.ics"])
        .prints("mailto:\u{e9}@old.example\n", 0);
    let all = "http://old.example/1\nmailto:\u{e9}@old.example\n";
    place
        .run(&["find", "-o", "--identifiers", "a.ics"])
        .prints(all, 0);
    let same = place.run(&["rewrite", "--to", "uri", "a.ics", "--stdout"]);
    assert_eq!(same.out, place.read("a.ics"));
}

/// Links in values of an unsure type are found, but not written.
#[test]
fn what_is_no_property_is_only_listed() {
    let lines = "see http://old.example/a\nNOTE;CHARSET=x-none;QUOTED-PRINTABLE:http://old.example/b\n\
        NOTE;CHARSET=windows-1251:\u{e9} http://old.example/c\nNOTE;QUOTED-PRINTABLE:http://old.example/d\\;e\n";
    let place = Place::new(&[("a.vcf", lines)]);
    assert_eq!(place.run(&["find", "-c", "a.vcf"]).text(), "4\n");
    assert_eq!(rewritten("a.vcf", lines, &MAP), lines);
}

#[test]
fn formats_by_name_and_content() {
    let calendar = "BEGIN:VCALENDAR\r\nX:http://a.example/b\\,c\r\n";
    let card = "\u{feff}begin:vcard\nX:http://a.example/b\\,c\n";
    let place = Place::new(&[
        ("a.ICS", calendar),
        ("b.vcs", calendar),
        ("c.ifb", calendar),
        ("d.vcard", card),
        ("e", calendar),
        ("f", card),
    ]);
    let formats = ["ics", "ics", "ics", "vcf", "ics", "vcf"];
    for (name, format) in ["a.ICS", "b.vcs", "c.ifb", "d.vcard", "e", "f"]
        .iter()
        .zip(formats)
    {
        let objects = place.run(&["find", "--json", name]).objects();
        let expected = json!([format, "http://a.example/b,c"]);
        assert_eq!(said(&objects, &["format", "text"]), [expected], "{name}");
    }
    let piped = place.pipe(
        &["find", "--format", "vcf", "-o"],
        "X:http://a.example/b\\,c",
    );
    piped.prints("http://a.example/b,c\n", 0);
    place
        .run(&["find", "-t", "calendar", "-c", "."])
        .prints("./a.ICS:1\n./b.vcs:1\n./c.ifb:1\n", 0);
}

#[test]
fn in_mail_as_in_files() {
    let message = format!(
        "Content-Type: text/calendar; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n{CALENDAR}"
    );
    let place = Place::new(&[("a.eml", &message), ("a.ics", CALENDAR)]);
    let links = |name: &str| {
        let objects = place.run(&["find", "--json", name]).objects();
        said(&objects, &["text", "place", "uri"])
    };
    assert_eq!(links("a.eml"), links("a.ics"));
    let new = rewritten("a.eml", &message, &["--to", "uri"]);
    assert!(new.ends_with(&rewritten("a.ics", CALENDAR, &["--to", "uri"])));
}

#[test]
fn files_in_utf_16() {
    let lines = "\u{feff}BEGIN:VCARD\nURL:http://old.example/\u{e9}\nNOTE:http://old.example/a\n b\nEND:VCARD\n";
    let bytes =
        |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
    let place = Place::new(&[]);
    place.write("a.vcf", &bytes(lines));
    let ran = place.run(&["rewrite", "a.vcf", "--stdout", MAP[0], MAP[1]]);
    // The fold is not joined: the link that it cuts stays.
    assert_eq!(
        ran.out,
        bytes(&lines.replacen("http://old", "https://new", 1))
    );
}

#[test]
fn another_charset_is_refused() {
    let place = Place::new(&[("a.ics", CALENDAR)]);
    let ran = place.run(&[
        "rewrite",
        "--to-charset",
        "windows-1252",
        "a.ics",
        "--stdout",
    ]);
    ran.complains(&["RFC 5545"], 3);
}

/// Folds may stand within a character, and anywhere in a file that is read in pieces.
#[test]
fn long_files() {
    let event = "BEGIN:VEVENT\r\nURL:http://\u{e9}.exa\r\n mple/\u{e9}\r\nDESCRIPTION:http://old.example/\\,\r\nEND:VEVENT\r\n";
    let calendar = format!("BEGIN:VCALENDAR\r\n{}END:VCALENDAR\r\n", event.repeat(8000));
    let place = Place::new(&[("a.ics", &calendar)]);
    assert_eq!(place.run(&["find", "-c", "a.ics"]).text(), "16000\n");
    let ran = place.pipe(
        &["rewrite", "--format", "ics", MAP[0], MAP[1]],
        calendar.as_bytes(),
    );
    assert_eq!(ran.text(), calendar.replace("http://old", "https://new"));
    let last = place.run(&["find", "a.ics"]).text();
    assert!(last.ends_with("40000:13:http://old.example/\n"));
}

/// Escapes of content lines are read; escapes within the text belong to another language.
#[test]
fn escapes_of_values_are_no_second_grammar() {
    let content = "BEGIN:VCALENDAR\r
DESCRIPTION:\\nhttp://\u{e9}.example/\\nhttp://\u{e9}.example/a\\, http://\u{e9}.example/b\\\\u00e9\r
END:VCALENDAR\r
";
    let new = content.replacen("\u{e9}.example/", "xn--9ca.example/", 2);
    let options = ["--to", "uri", "--host", "punycode"];
    let unfolded = rewritten("a.ics", content, &options).replace("\r\n ", "");
    assert_eq!(unfolded, new);
    let place = Place::new(&[("a.ics", content)]);
    let objects = place.run(&["find", "--json", "a.ics"]).objects();
    let grades = said(&objects, &["evidence", "notes"]);
    assert_eq!(
        grades,
        [
            json!(["scheme", []]),
            json!(["scheme", []]),
            json!(["scheme", ["left-target-would-change", "left-escaped"]]),
        ]
    );
}

/// In a value of type URI the type is the evidence; in a text the text decides.
#[test]
fn evidence_follows_the_type_of_the_value() {
    let content = "BEGIN:VCALENDAR\r
URL:http://a.example/\r
DESCRIPTION:http://a.example/ www.a.example a.org/b <http://a.example/c>\r
END:VCALENDAR\r
";
    let place = Place::new(&[("a.ics", content)]);
    let objects = place.run(&["find", "--json", "a.ics"]).objects();
    let grades = said(&objects, &["evidence"]);
    let expected = ["markup", "scheme", "www", "path", "enclosed"];
    assert_eq!(grades, expected.map(|grade| json!([grade])));
}

/// Octets that are no text in the charset that their property declares.
#[test]
fn charsets_of_properties_that_octets_contradict() {
    let card = |charset: &str, octets: &str| {
        format!(
            "BEGIN:VCARD\nVERSION:2.1\nNOTE;CHARSET={charset};ENCODING=QUOTED-PRINTABLE:see http://a.example/{octets}\nEND:VCARD\n"
        )
    };
    for (charset, octets, note, uri) in [
        ("UTF-8", "=E9", Some("charset-contradicts"), None),
        ("UTF-8", "=C3=A9", None, Some("%C3%A9")),
        // The character itself contradicts nothing.
        ("UTF-8", "=EF=BF=BD", Some("left-unencodable"), None),
        ("Shift_JIS", "=FF", Some("charset-contradicts"), None),
        ("latin1", "=E9", None, Some("%C3%A9")),
    ] {
        let before = card(charset, octets);
        let place = Place::new(&[("a.vcf", &before)]);
        let link = &place.run(&["find", "--json", "a.vcf"]).objects()[0];
        assert_eq!(
            link["notes"].get(0).and_then(|note| note.as_str()),
            note,
            "{link}"
        );
        let after = uri.map_or(before.clone(), |uri| card(charset, uri));
        let run = place.run(&["rewrite", "--to", "uri", "--stdout", "a.vcf"]);
        assert_eq!(run.text(), after, "{run:?}");
        let is_left = note == Some("charset-contradicts");
        assert_eq!(
            run.err.contains("bytes that contradict"),
            is_left,
            "{run:?}"
        );
        // A rule leaves it, too.
        let rule = [
            "rewrite",
            "--map",
            "http://a.example/ http://b.example/",
            "--stdout",
            "a.vcf",
        ];
        assert_eq!(place.run(&rule).text() == before, is_left, "{octets}");
    }
}
