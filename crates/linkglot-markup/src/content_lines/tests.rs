use super::*;
use crate::testing::{Answer, Document};

/// The slots of lines: place, syntax, access unless it is the usual one, and the text.
fn read(object: Object, lines: &str, max_slot: usize) -> Vec<String> {
    let document = Document {
        bytes: lines.as_bytes(),
        charset: Charset::UTF_8,
    };
    let answers = document.answers_in_every_cut(|| ContentLineTokenizer::new(object, max_slot));
    let shown = answers.into_iter().map(|(_, answer)| {
        let place = answer.place();
        let mut shown = place.kind.name().to_owned();
        for name in [&place.element, &place.name].into_iter().flatten() {
            shown += &format!(" {name}");
        }
        match answer {
            Answer::Slot(slot, raw) => {
                if slot.access != Access::Rewrite {
                    shown += &format!(" {:?}", slot.access);
                }
                let text = slot.escaping.unescape(&raw).into_text().into_owned();
                format!("{shown} {:?} {text:?}", slot.syntax)
            }
            Answer::TooLong(_) => format!("{shown} too long"),
        }
    });
    shown.collect()
}

#[track_caller]
fn check(object: Object, lines: &str, expected: &[&str]) {
    assert_eq!(read(object, lines, 1 << 20), expected);
}

#[test]
fn values_of_a_calendar() {
    let lines = "BEGIN:VEVENT\r\nUID:a@b.example\r\nDTSTART:20260101\r\nLOCATION:x\\, y\\;\\n\\\\z\r\n\
        url:http://a.example/,b\r\nCATEGORIES:a\\,b,c\r\nORGANIZER;CN=\"A, B\";SENT-BY=\"mailto:c@d\":mailto:a@b\r\n\
        X-ANY:d\r\nATTACH;ENCODING=BASE64;VALUE=BINARY:aHR0cDovLw==\r\nATTACH;VALUE=URI:x\r\nEND:VEVENT\r\n";
    check(
        Object::Calendar,
        lines,
        &[
            "property UID Identifier AbsoluteOnly \"a@b.example\"",
            "text LOCATION EscapedText \"x, y;\\n\\\\z\"",
            "property URL IriOrText \"http://a.example/,b\"",
            "text CATEGORIES EscapedText \"a,b\\nc\"",
            "attribute ORGANIZER CN EscapedText \"A, B\"",
            "attribute ORGANIZER SENT-BY Rules IriOrText \"mailto:c@d\"",
            "property ORGANIZER Rules IriOrText \"mailto:a@b\"",
            "text X-ANY EscapedText \"d\"",
            "property ATTACH IriOrText \"x\"",
        ],
    );
}

#[test]
fn values_of_a_vcard() {
    let lines = "item1.URL;type=pref:http\\://a.example/\nN:A,B;C\nNOTE;VALUE=uri:http://b.example/\n\
        PHOTO;ENCODING=b;TYPE=JPEG:AAAA\nGEO:geo:1,2\nBDAY:20000101\n\
        ADR;LABEL=\"a^nb^'^^^x\":;;c\nKEY;BASE64:AA\nURL;VALUE=CONTENT-ID:<a@b>\n";
    check(
        Object::Card,
        lines,
        &[
            "property URL IriOrText \"http://a.example/\"",
            "text N EscapedText \"A\\nB\\nC\"",
            "property NOTE IriOrText \"http://b.example/\"",
            "property GEO IriOrText \"geo:1,2\"",
            "attribute ADR LABEL EscapedText \"a\\nb\\\"^^x\"",
            "text ADR EscapedText \"\\n\\nc\"",
        ],
    );
}

#[test]
fn quoted_printable() {
    let lines = "NOTE;ENCODING=QUOTED-PRINTABLE:a=3Db=C3=A9=0D=0Ac =zz\n\
        NOTE;CHARSET=ISO-8859-1;QUOTED-PRINTABLE:=E9\nNOTE;CHARSET=x-none;QUOTED-PRINTABLE:a\n\
        URL;ENCODING=QUOTED-PRINTABLE:http=3A//a\\;b\nNOTE;CHARSET=ISO-8859-1;QUOTED-PRINTABLE:=E9日=E9\n";
    check(
        Object::Card,
        lines,
        &[
            "text NOTE EscapedText \"a=bé\\r\\nc =zz\"",
            "text NOTE EscapedText \"é\"",
            "text NOTE List EscapedText \"a\"",
            "property URL List IriOrText \"http://a\\\\;b\"",
            "text NOTE EscapedText \"é日é\"",
        ],
    );
}

#[test]
fn documents_in_values() {
    let lines = "X-ALT-DESC;FMTTYPE=text/html:<a href=\"b\">\\n\n\
        STRUCTURED-DATA;FMTTYPE=application/ld+json;VALUE=TEXT:{}\nATTACH;FMTTYPE=text/html:http://c\n";
    check(
        Object::Calendar,
        lines,
        &[
            "text X-ALT-DESC Html \"<a href=\\\"b\\\">\\n\"",
            "text STRUCTURED-DATA Json \"{}\"",
            "property ATTACH IriOrText \"http://c\"",
        ],
    );
}

#[test]
fn charsets_of_properties() {
    let lines = "NOTE;CHARSET=windows-1251:é\nNOTE;CHARSET=windows-1251:a\nNOTE;CHARSET=UTF-8:é\n\
        NOTE;CHARSET=x-none:a\nNOTE;CHARSET=UTF-16:a\n";
    check(
        Object::Card,
        lines,
        &[
            "text NOTE List EscapedText \"é\"",
            "text NOTE EscapedText \"a\"",
            "text NOTE EscapedText \"é\"",
            "text NOTE EscapedText \"a\"",
            "text NOTE List EscapedText \"a\"",
        ],
    );
}

#[test]
fn folds_that_were_not_joined_are_only_listed() {
    check(
        Object::Calendar,
        "URL:http://a\r\n .example\r\nURL:b\r\rURL:c\r d",
        &[
            "property URL List IriOrText \"http://a\"",
            "text List EscapedText \" .example\"",
            "property URL IriOrText \"b\"",
            "property URL List IriOrText \"c\"",
            "text List EscapedText \" d\"",
        ],
    );
}

#[test]
fn what_is_no_content_line() {
    check(
        Object::Calendar,
        "see http://a.example/\n\nURL\n:\nURL:",
        &[
            "text List EscapedText \"see http://a.example/\"",
            "text List EscapedText \"URL\"",
            "text List EscapedText \":\"",
        ],
    );
}

#[test]
fn long_values() {
    let long = "x".repeat(9000);
    let lines = format!(
        "URL;ALTREP=\"a\":{}\nPHOTO;ENCODING=b;ALTREP=\"b\":{long}\nNOTE:{long}\nURL:c\n",
        "y".repeat(65)
    );
    let found = read(Object::Card, &lines, 64);
    assert_eq!(
        found,
        [
            "attribute URL ALTREP IriOrText \"a\"",
            "property URL too long",
            "attribute PHOTO ALTREP IriOrText \"b\"",
            "text NOTE too long",
            "property URL IriOrText \"c\"",
        ]
    );
}

/// New text in the manner of the old.
#[test]
fn escapes_are_written_as_they_stand() {
    let latin = QuotedCharset::of(Charset::WINDOWS_1252).unwrap();
    let parameter = Escaping::ContentParameter;
    for (escaping, style, text, expected) in [
        (
            Escaping::ContentText,
            "",
            "a,b;c\\d\ne:",
            Some(r"a\,b\;c\\d\ne:"),
        ),
        (Escaping::ContentText, "x,y", "a,b;c", Some(r"a,b\;c")),
        (Escaping::ContentText, r"x,y\,", "a,b", Some(r"a\,b")),
        (Escaping::ContentText, r"http\://", "a:b", Some(r"a\:b")),
        (Escaping::ContentText, "", "a\tb", None),
        (Escaping::ContentList, "x,y", "a,b", Some(r"a\,b")),
        (Escaping::ContentList, "", "a\nb", None),
        (Escaping::ContentUri, "x,y", "a,b;c\\", Some("a,b;c\\")),
        (Escaping::ContentUri, r"x\,y", "a,b;c", Some(r"a\,b;c")),
        (Escaping::ContentUri, "", "a\nb", None),
        (
            parameter(Quote::Double),
            "",
            "a\"b^n^c,\n",
            Some("a^'b^^n^c,^n"),
        ),
        (parameter(Quote::Unquoted), "", "a:b", None),
        (
            Escaping::ContentQuoted(latin),
            "",
            "é=a b",
            Some("=E9=3Da b"),
        ),
        (
            Escaping::ContentQuoted(latin),
            "=e9",
            "é=a",
            Some("=e9=3da"),
        ),
        (Escaping::ContentQuoted(latin), "", "я", None),
    ] {
        let written = escaping.escape(text, style, &|_| true);
        assert_eq!(written.as_deref(), expected, "{escaping:?} {style}");
        if let Some(written) = written {
            assert_eq!(escaping.unescape(&written).text(), text);
        }
    }
    let lacks = Escaping::ContentText.escape("é", "", &|ch| ch.is_ascii());
    assert_eq!(lacks, None);
}
