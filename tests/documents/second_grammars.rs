//! Bytes that a second grammar covers: stored lengths, unread escapes, containers. They stay.

use crate::support::{Chunks, settings};
use linkglot::format::Format;
use linkglot::notes::Note;
use linkglot::rewrite::{Form, Forms, References, Rewriter, Rules};
use linkglot::{Charset, ErrorKind, Settings};
use std::ops::ControlFlow;

const CHARSETS: [&str; 7] = [
    "utf-8",
    "windows-1252",
    "gb18030",
    "utf-16le",
    "utf-16be",
    "iso-2022-jp",
    "cp037",
];

fn moving() -> Rewriter {
    let mut rules = Rules::default();
    for rule in [
        "http://old.example/ https://new-and-longer.example/",
        "old.example new.example",
        "www.old.example new.example",
    ] {
        rules.add(rule).expect("a rule");
    }
    Rewriter::new().rules(rules)
}

/// The output of a rewriter for a text in a charset, and the notes of the links that it leaves: the same for all cuts.
fn rewritten(
    text: &str,
    (format, charset): (Format, &str),
    rewriter: &Rewriter,
) -> (String, Vec<&'static str>) {
    let charset_of = Charset::for_label(charset).expect("a known label");
    let mut bytes = Vec::new();
    charset_of
        .encode(text, &mut bytes)
        .expect("the charset has the text");
    let rewriter = rewriter.clone().settings(settings(format, charset));
    let mut notes = Vec::new();
    let watched = rewriter.clone().on_link(|outcome, _| {
        let left = outcome.notes.iter().filter(|_| outcome.new.is_none());
        notes.extend(left.map(Note::code));
    });
    let new = watched.rewrite_slice(&bytes).content.into_owned();
    let lengths: &[usize] = if bytes.len() > 4096 { &[4093] } else { &[1, 7] };
    for &length in lengths {
        let mut out = Vec::new();
        rewriter
            .rewrite(&mut Chunks(&bytes, length), &mut out)
            .expect("memory");
        assert!(out == new, "{charset}, in pieces of {length}: {text:.400}");
    }
    (charset_of.decode(&new).into_owned(), notes)
}

/// Texts with a link that moves (`MOVED`), or that stays because of its escapes.
const ESCAPES: [(&str, bool); 52] = [
    // The escape would continue the link.
    (r#""http://old.example/caf\u00e9/menu""#, false),
    (r#""http://old.example\/p""#, false),
    (r"'http://old.example\x2Fp'", false),
    (r"'http://old.example/\xE9t\xE9'", false),
    (r#""http://old.example/caf\u{e9}/x""#, false),
    (r#""http://old.example/caf\303\251/x""#, false),
    (r#""http://old.example/caf\ud83d\ude00""#, false),
    (r#""http://old.example/\U0001F600""#, false),
    (r#""http://old.example/\N{EM DASH}""#, false),
    (r#""http://old.example/?a=1\u0026b=1""#, false),
    (r#""http://old.example\u002Fa""#, false),
    (r#""{\"u\":\"http://old.example\\/p\"}""#, false),
    (r#""{\"u\":\"http://old.example/caf\\u00e9\"}""#, false),
    (r"'http://old.example/it\'s'", false),
    (r"\url{http://old.example/a\_b}", false),
    (r"\href{http://old.example/a\#b}{x}", false),
    (r"http://old.example/a\%20b", false),
    (r"/http://old.example/a\.html/", false),
    (
        r"{\field{\*\fldinst HYPERLINK \'22http://old.example/caf\'e9/x}}",
        false,
    ),
    (r"http://old.example/caf\u233?/x", false),
    (r#""www.old.example\/p""#, false),
    (r#"'http://old.example/\u3042'"#, false),
    (r"http://old.example/foo\-bar", false),
    (r#""\u00e9www.old.example/x""#, false),
    (r#""http://old.example/\\u002e\\u002e/a""#, false),
    (r#""http://old.example/a\/""#, false),
    (r#""http://old.example/a\u002eb""#, false),
    (r#""http://old.example/\x{e9}""#, false),
    // The escape ends the link.
    (r#""http://old.example/x\n""#, true),
    (r#""http://old.example/x\nfoo""#, true),
    (r#""http://old.example/x\tfoo""#, true),
    (r#""http://old.example/x\r\nfoo""#, true),
    (r#""a\nhttp://old.example/x""#, true),
    (r#""<a href=\"http://old.example/x\">""#, true),
    (r#""<a href='http://old.example/x\u0027>""#, true),
    (r#"\"http://old.example/x\","#, true),
    (r#"\\\"http://old.example/x\\\","#, true),
    (r#""http://old.example/x\u0022\u003e""#, true),
    (r#""http://old.example/x\u003cbr\u003e""#, true),
    (r#""http://old.example/x\u0020y""#, true),
    (r#""http://old.example/x\u3002""#, true),
    (r#""http://old.example/x\u3000y""#, true),
    (r#""http://old.example/x\u002e""#, true),
    (r#""http://old.example/x\u201d""#, true),
    (r#""(http://old.example/x)\u00e9""#, true),
    (r"\fBhttp://old.example/x\fP", true),
    (r"http://old.example/x\\", true),
    (r"http://old.example/\w+", true),
    (r"http://old.example/a\b\c", true),
    (r"C:\new\http://old.example/x", true),
    (r"\\server\http://old.example/x", true),
    (r"\u00e9 http://old.example/x é", true),
];

#[test]
fn escapes() {
    let mut failures = Vec::new();
    for (text, moves) in ESCAPES {
        for charset in CHARSETS {
            let Ok(()) = Charset::for_label(charset)
                .unwrap()
                .encode(text, &mut Vec::new())
            else {
                continue;
            };
            let (new, notes) = rewritten(text, (Format::Text, charset), &moving());
            let is_old = new.contains("old.example");
            let expected: &[&str] = if moves { &[] } else { &["left-escaped"] };
            if is_old == moves || notes != expected {
                failures.push(format!("{charset}: {text} became {new}, {notes:?}"));
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

/// The same in the running text of markup; but escapes that markup itself reads are read.
#[test]
fn escapes_in_markup() {
    for (format, text, moves) in [
        (
            Format::Html,
            r"<p>http://old.example/caf\u00e9/x</p>",
            false,
        ),
        (Format::Html, r"<p>http://old.example/x\n</p>", true),
        (
            Format::Html,
            r#"<a href="http://old.example/caf\u00e9">x</a>"#,
            true,
        ),
        (
            Format::Html,
            r#"<!-- "http://old.example\/p" --><a href=http://old.example/>x</a>"#,
            true,
        ),
        (
            Format::Html,
            r#"<script type="application/ld+json">{"@id": "x", "url": "http:\/\/old.example\/caf\u00e9"}</script>"#,
            true,
        ),
        (
            Format::Css,
            r"a { background: url(http://old.example/caf\e9 /x) }",
            true,
        ),
        #[cfg(feature = "markdown")]
        (Format::Markdown, r"see http://old.example/a\_b x", true),
        #[cfg(feature = "markdown")]
        (
            Format::Markdown,
            r"see http://old.example/caf\u00e9 x",
            false,
        ),
        #[cfg(feature = "markdown")]
        (Format::Markdown, r"see <http://old.example/x>", true),
    ] {
        let (new, notes) = rewritten(text, (format, "utf-8"), &moving());
        assert_eq!(
            notes,
            if moves { vec![] } else { vec!["left-escaped"] },
            "{text}"
        );
        assert_eq!(new.contains("new"), moves, "{text} became {new}");
    }
}

/// Texts with a link that `--to uri` would change, and whether it is changed.
const CODE: [(&str, bool); 36] = [
    ("http://a.example/\u{e9}/{}", false),
    ("'http://a.example/\u{e9}/{0}'", false),
    ("\"http://a.example/\u{e9}/{:?}\"", false),
    ("\"http://a.example/\u{e9}/v{}/x\"", false),
    ("\"http://a.example/{/x*}\"", false),
    ("\"http://a.example/{+path}/\u{e9}\"", false),
    ("\"http://a.example/\u{e9}{#frag}\"", false),
    ("\"http://a.example/{id:[0-9]+}\"", false),
    ("f'http://a.example/{d[\"x\"]}'", false),
    ("f'http://a.example/{x + 1}'", false),
    ("www.example.org/{}", false),
    ("http://a.example/\u{e9}/%s", false),
    ("\"http://a.example/\u{e9}/%(x)s\"", false),
    ("\"http://a.example/\u{e9}/%1$s\"", false),
    ("\"http://a.example/\u{e9}/%@\"", false),
    ("\"http://a.example/%02d/\u{e9}\"", false),
    ("\"http://a.example/\u{e9}/%%20\"", false),
    ("http://a.example/\u{e9}/100%", false),
    ("http://a.example/?f={%22a%22:{%22b%22:{}}}", true),
    ("http://a.example/?f={'a':1}", true),
    (
        "http://a.example/?l={3F2504E0-4F89-11D3-9A0C-0305E82C3301}",
        true,
    ),
    ("{http://a.example/\u{e9}}", true),
    ("{{http://a.example/\u{e9}}}", true),
    ("\\url{http://a.example/\u{e9}}", true),
    ("{http://a.example/\u{e9}}name", true),
    // An interpolation of Swift ends the link, like a template.
    ("\"http://a.example/\u{e9}/\\(id)\"", true),
    ("http://a.example/%20d/\u{e9}", true),
    ("http://a.example/%0D%0A/\u{e9}", true),
    // No percent-escape is added.
    ("http://\u{e9}.example/%s", true),
    // In markup, braces are not part of an IRI, and a percent sign may stand for itself.
    ("<a href='http://a.example/\u{e9}/{id}'>", true),
    ("<a href='http://a.example/\u{e9}/100%'>", true),
    ("<a href='http://a.example/\u{e9}?q=5%&x=%u0441'>", true),
    ("<a href='http://a.example/\u{e9}/%s'>", false),
    ("<a href='http://a.example/\u{e9}/%(id)s'>", false),
    ("<p>http://a.example/\u{e9}/{}</p>", false),
    ("<p>http://a.example/\u{e9}/100%</p>", false),
];

/// Format strings and templates in running text: braces are code, and next to a directive a new escape would become a
/// directive, too.
#[test]
fn code_and_directives() {
    let mut failures = Vec::new();
    for (text, changes) in CODE {
        let format = if text.starts_with("<") {
            Format::Html
        } else {
            Format::Text
        };
        for charset in ["utf-8", "utf-16le", "windows-1252"] {
            let to_uri = Rewriter::new().to(Form::Uri);
            let (new, notes) = rewritten(text, (format, charset), &to_uri);
            let is_left = |note: &&str| note.starts_with("left-");
            let left = notes.iter().copied().find(is_left);
            let expected = (!changes).then_some("left-template");
            if (new != text) != changes || left != expected {
                failures.push(format!("{charset}: {text} became {new}, {notes:?}"));
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

/// A display form that cannot be converted back is not written either.
#[test]
fn directives_stay_in_display_forms() {
    for (text, expected) in [
        ("http://a.example/%C3%A9/%s", "http://a.example/%C3%A9/%s"),
        ("http://xn--9ca.example/%s", "http://\u{e9}.example/%s"),
        ("http://xn--9ca.example/%^0", "http://xn--9ca.example/%^0"),
    ] {
        let (new, _) = rewritten(
            text,
            (Format::Text, "utf-8"),
            &Rewriter::new().to(Form::Iri),
        );
        assert_eq!(new, expected);
    }
}

/// Rules change the part before the code, and add no escape next to a directive.
#[test]
fn rules_on_code_and_directives() {
    let pattern = "re:^http://p\\.example/([^{]*)(.*)$ https://new.example/?p=$1&q=%20$2";
    let turned = "re:^http://t\\.example/(.*)$ https://new.example/$1/x";
    for (text, expected) in [
        (
            "http://old.example/{}/x",
            Some("https://new-and-longer.example/{}/x"),
        ),
        (
            "HTTP://OLD.example/{id}",
            Some("https://new-and-longer.example/{id}"),
        ),
        (
            "http://old.example/%s/\u{e9}",
            Some("https://new-and-longer.example/%s/\u{e9}"),
        ),
        (
            "http://p.example/a/{id}",
            Some("https://new.example/?p=a/&q=%20{id}"),
        ),
        ("http://p.example/a/%s", None),
        ("http://t.example/a/{id}", None),
        ("http://t.example/a/%s", Some("https://new.example/a/%s/x")),
    ] {
        let mut rules = Rules::default();
        for rule in [
            "http://old.example/ https://new-and-longer.example/",
            pattern,
            turned,
        ] {
            rules.add(rule).expect("a rule");
        }
        for form in [Form::Same, Form::Uri] {
            let rewriter = Rewriter::new().rules(rules.clone()).to(form);
            let (new, notes) = rewritten(text, (Format::Text, "utf-8"), &rewriter);
            assert_eq!(new, expected.unwrap_or(text), "{form:?}");
            let is_left = notes.contains(&"left-template");
            assert_eq!(is_left, expected.is_none(), "{form:?}: {text}: {notes:?}");
        }
    }
}

/// Character references with a semicolon are HTML in any string with a tag; without one they may be parameters.
#[test]
fn references_in_html_of_strings() {
    let strings = [
        (Format::Json, r#"{"a": "<p>LINK</p>"}"#),
        (Format::Json, r#"{"a": "<p lang=\"en\">a\nLINK</p>"}"#),
        (
            Format::Sql,
            "INSERT INTO `t` VALUES ('<p>a</p>\\n<p>LINK</p>');",
        ),
        (Format::Csv, "a,\"<p>LINK</p>\"\n"),
        (Format::Yaml, "a: \"<p>LINK</p>\"\n"),
        (Format::Toml, "a = \"<p>LINK</p>\"\n"),
        (Format::Gettext, "msgid \"a\"\nmsgstr \"<p>LINK</p>\"\n"),
        (Format::JavaScript, "x = '<p>LINK</p>';"),
        (Format::Php, "<?php $x = '<p>LINK</p>';"),
    ];
    for (format, string) in strings {
        for (query, is_moved) in [
            ("?a=1&amp;b=2", true),
            ("?a=1&#38;b=2", true),
            ("caf&eacute;", true),
            ("?a=1&copy=2", false),
        ] {
            let text = string.replace("LINK", &format!("http://old.example/{query}"));
            let (new, notes) = rewritten(&text, (format, "utf-8"), &moving());
            let moved = text.replace("http://old.example/", "https://new-and-longer.example/");
            assert_eq!(new, if is_moved { moved } else { text });
            assert_eq!(
                notes,
                if is_moved {
                    vec![]
                } else {
                    vec!["left-escaped"]
                },
                "{new}"
            );
        }
    }
}

/// Every kind of change leaves the link.
#[test]
fn every_change_is_left() {
    let text = "\"http://r\u{e9}sum\u{e9}.example/\u{e9}\\/x\" s:29:\"http://r\u{e9}sum\u{e9}.example/\u{e9}\";";
    let mut rules = Rules::default();
    rules
        .add("http://r\u{e9}sum\u{e9}.example/ http://b.example/")
        .expect("a rule");
    for rewriter in [
        Rewriter::new().to(Form::Uri),
        Rewriter::new().rules(rules.clone()),
        Rewriter::new().to(Form::Iri).rules(rules),
    ] {
        let (new, notes) = rewritten(text, (Format::Text, "utf-8"), &rewriter);
        assert_eq!(
            (new.as_str(), notes),
            (text, vec!["left-escaped", "left-serialized"])
        );
    }
    let text = "<input value='s:6:&quot;a.test&quot;;'><a href='s:3:\"abc\";'><p title='s:40:\"'><a href=b>x</a>";
    let mut absolute = settings(Format::Html, "utf-8");
    absolute.base = Some("http://a.example/".into());
    let rewriter = Rewriter::new()
        .references(References::Absolute)
        .settings(absolute);
    let summary = rewriter.rewrite_slice(text.as_bytes()).summary;
    assert_eq!((summary.tally.changed, summary.tally.left), (0, 1));
}

fn serialized(value: &str) -> String {
    format!("s:{}:\"{value}\";", value.len())
}

/// Serialized data with a link before it and after it, in the literals of formats.
fn carriers(data: &str) -> Vec<(Format, String)> {
    let json = data
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n");
    let attribute = data
        .replace('&', "&amp;")
        .replace('"', "&quot;")
        .replace('<', "&lt;");
    #[cfg_attr(not(feature = "markdown"), allow(unused_mut))]
    let mut carriers = vec![
        (Format::Text, data.to_owned()),
        (Format::Text, format!("{{\"data\": \"{json}\"}}")),
        (
            Format::Text,
            format!("{{\"data\": \"{}\"}}", json.replace('/', "\\/")),
        ),
        (
            Format::Text,
            format!("('{}', 1)", json.replace('\'', "\\'")),
        ),
        (Format::Text, format!("('{}', 1)", data.replace('\'', "''"))),
        (Format::Text, format!("\"{}\",1", data.replace('"', "\"\""))),
        (
            Format::Html,
            format!("<p title=\"{attribute}\">{attribute}</p>"),
        ),
        (Format::Html, format!("<pre>{data}</pre>")),
        (
            Format::Xml,
            format!("<rss><description>x <![CDATA[{data}]]></description></rss>"),
        ),
        (Format::Css, format!("/* {data} */")),
    ];
    #[cfg(feature = "markdown")]
    carriers.extend([
        (Format::Markdown, format!("    {data}\n")),
        (Format::Markdown, format!("Text: {data}\n")),
    ]);
    carriers
}

fn framed(format: Format, inside: &str) -> (String, String) {
    let link = match format {
        Format::Css => "\n@import url(http://old.example/free);\n",
        Format::Xml => {
            "\n<a xmlns='http://www.w3.org/1999/xhtml' href='http://old.example/free'>x</a>\n"
        }
        Format::Html => "\n<a href='http://old.example/free'>x</a>\n",
        _ => "\nhttp://old.example/free\n\n",
    };
    let moved = link.replace("http://old.example/", "https://new-and-longer.example/");
    (
        format!("{link}{inside}{link}"),
        format!("{moved}{inside}{moved}"),
    )
}

#[test]
fn serialized_strings_stay() {
    let html =
        "<a href=\"http://old.example/a\">it's http://old.example/b</a>\n http://old.example/c";
    let inner = format!(
        "a:1:{{{}{}}}",
        serialized("url"),
        serialized("http://old.example/d")
    );
    let long = format!(
        "{}<a href='http://old.example/a'>",
        "<p>text</p> ".repeat(9000)
    );
    let class = format!("C:11:\"ArrayObject\":{}:{{{inner}}}", inner.len());
    let object = format!(
        "O:8:\"stdClass\":1:{{{}{}}}",
        serialized("url"),
        serialized("http://old.example/")
    );
    let list = format!(
        "a:2:{{i:0;{}i:1;{}}}",
        serialized("http://old.example/1"),
        serialized("http://old.example/2")
    );
    let data = [
        serialized(html),
        serialized(&inner),
        serialized(&long),
        class,
        object,
        list,
    ];
    for data in &data {
        for (format, carrier) in carriers(data) {
            let (text, expected) = framed(format, &carrier);
            let is_long = text.len() > 4096;
            for charset in &CHARSETS[..if is_long { 1 } else { CHARSETS.len() }] {
                let (new, notes) = rewritten(&text, (format, charset), &moving());
                assert!(new == expected, "{charset}: {text:.300}\nbecame {new:.300}");
                assert!(
                    notes.iter().all(|note| *note == "left-serialized"),
                    "{notes:?}"
                );
            }
        }
    }
}

/// A document or an element that is serialized data as a whole has its lengths right afterwards.
#[test]
fn lengths_of_whole_data_are_written() {
    let data = |origin: &str| {
        let inner = format!("a:1:{{i:0;{}}}", serialized(&format!("{origin}/é")));
        let html = format!("<a href=\"{origin}/h\">x</a>\n{{\"u\":\"{origin}/t\"}}");
        format!(
            "a:3:{{s:3:\"url\";{}s:1:\"n\";{}i:7;{}}}",
            serialized(&format!("{origin}/")),
            serialized(&inner),
            serialized(&html)
        )
    };
    let escaped = |data: &str| {
        data.replace('&', "&amp;")
            .replace('"', "&quot;")
            .replace('<', "&lt;")
    };
    let carriers = |data: &str| {
        [
            (Format::Text, data.to_owned()),
            (Format::Text, format!("{data}\r\n")),
            (
                Format::Xml,
                format!("<r><v>{}</v><v>\n</v></r>", escaped(data)),
            ),
            (Format::Xml, format!("<r><v><![CDATA[{data}]]></v></r>")),
        ]
    };
    let documents = carriers(&data("http://old.example")).into_iter();
    for ((format, text), (_, expected)) in
        documents.zip(carriers(&data("https://new-and-longer.example")))
    {
        let (new, notes) = rewritten(&text, (format, "utf-8"), &moving());
        assert_eq!((new, notes.len()), (expected, 0));
    }
}

/// A length counts where the format around it escapes a part of it.
#[test]
fn lengths_of_decoded_values_stay() {
    let link = "http://old.example/shop/";
    for (format, text) in [
        (
            Format::Properties,
            r#"v=x s\:24\:"http\://old.example/shop/"; y"#.to_owned(),
        ),
        (
            Format::Html,
            format!(
                r#"<!-- wp:x {{"v":"\u003cinput value=\u0022s:24:&quot;{link}&quot;;\u0022\u003e"}} -->"#
            ),
        ),
        (
            Format::Json,
            format!(r#"{{"v":"<input value=\"s:24:\u0026quot;{link}\u0026quot;;\">"}}"#),
        ),
        (
            Format::Json,
            format!(r#"{{"v":"x\u0020s:24:\"{link}\";"}}"#),
        ),
        (
            Format::Json,
            format!(r#"{{"v":"x s\u003a24:\"{link}\"; y"}}"#),
        ),
        (
            Format::Text,
            format!(r#"{{"v":"x s\u003a24:\"{link}\"; y"}}"#),
        ),
        // Within a length that could be written.
        (
            Format::Json,
            format!(r#"{{"v":"s:40:\"x s:24:\\\"{link}\\\"; y\";"}}"#),
        ),
        (
            Format::Calendar,
            format!(
                "BEGIN:VCALENDAR\r\nDESCRIPTION:x s:24:&quot\\;{link}&quot\\;\\; x\r\nEND:VCALENDAR\r\n"
            ),
        ),
        (
            Format::Html,
            format!("<p>x s&#58;24:&quot;{link}&quot;;</p>"),
        ),
        (
            Format::Html,
            format!("<p>x&#10s:24:&quot;{link}&quot;;</p>"),
        ),
        (
            Format::Json,
            format!(r#"{{"v":"x s:\u00324:\"{link}\";"}}"#),
        ),
    ] {
        let (new, notes) = rewritten(&text, (format, "utf-8"), &moving());
        assert_eq!((new, notes), (text, vec!["left-serialized"]));
    }
}

/// In an encoded part of a message.
#[test]
fn serialized_strings_in_mail() {
    let body = format!(
        "http://old.example/free {}\n",
        serialized("http://old.example/a b")
    );
    let encoded = body.replace('=', "=3D").replace("exam", "ex=\nam");
    let message = format!(
        "From: a@b.example\nMIME-Version: 1.0\nContent-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\n{encoded}"
    );
    let mut settings = Settings::default();
    settings.format = Some(Format::Mail);
    let rewritten = moving()
        .settings(settings)
        .rewrite_slice(message.as_bytes());
    assert_eq!((rewritten.changed(), rewritten.left()), (1, 1));
}

/// Lookalikes, and serialized strings without links.
#[test]
fn other_texts_are_written() {
    for text in [
        "items:24:\"http://old.example/shop/\"",
        "s:24: \"http://old.example/shop/\"",
        "s:5:\"abcde\";http://old.example/",
        "a:1:{s:1:\"a\";i:1;} http://old.example/",
        "12:http://old.example/",
    ] {
        let (new, notes) = rewritten(text, (Format::Text, "utf-8"), &moving());
        assert!(
            !new.contains("old.example") && notes.is_empty(),
            "{text} became {new}"
        );
    }
}

/// `find` reports the note, whether or not the link would change.
#[test]
fn found_links_have_the_notes() {
    let text = br#""http://a.example/caf\u00e9" s:17:"http://a.example/"; http://a.example/"#;
    let mut found = Vec::new();
    let settings = settings(Format::Text, "utf-8");
    let read = Forms::new(&settings).read_slice(text, &mut |link, forms, _| {
        let notes: Vec<_> = forms.notes.iter().map(Note::code).collect();
        found.push((link.text().to_owned(), forms.uri.is_some(), notes));
        ControlFlow::Continue(())
    });
    assert!(read.is_ok());
    let expected = [
        (
            "http://a.example/caf".to_owned(),
            false,
            vec!["left-escaped"],
        ),
        (
            "http://a.example/".to_owned(),
            true,
            vec!["left-serialized"],
        ),
        ("http://a.example/".to_owned(), true, vec![]),
    ];
    assert_eq!(found, expected);
}

#[test]
fn containers_are_refused() {
    let warc = b"WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 20\r\n\r\nhttp://old.example/\n\r\n\r\n";
    let rewritten = moving().rewrite_slice(warc);
    assert_eq!(rewritten.content, &warc[..]);
    let error = rewritten.summary.error.expect("an error");
    assert_eq!(error.kind(), ErrorKind::Container);
    let mut out = Vec::new();
    let error = moving()
        .rewrite(&mut &warc[..], &mut out)
        .expect_err("an error");
    assert_eq!((error.kind(), out.len()), (ErrorKind::Container, 0));
    // No change is requested.
    Rewriter::new()
        .rewrite(&mut &warc[..], &mut out)
        .expect("the same bytes");
    assert_eq!(out, warc);
}
