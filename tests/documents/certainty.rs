//! P9 for charsets: nothing is written that depends on a guess. The oracle is the charset in which a document was
//! written, which the reader is not told.

use crate::promises::{Subject, chunks, idempotent, identity, only_slots, refound};
use linkglot::notes::Note;
use linkglot::rewrite::{Form, References, Rewriter, Rules};
use linkglot::{Document, Format, Settings};
use linkglot_charset::{Charset, EXTENDED_HEAD};

/// Charsets, with a word for each.
const TONGUES: [(&str, &str); 10] = [
    ("UTF-8", "naïve"),
    ("windows-1252", "Größe"),
    ("macintosh", "façade"),
    ("windows-1250", "żółw"),
    ("windows-1251", "весна"),
    ("KOI8-R", "весна"),
    ("IBM866", "там"),
    ("Shift_JIS", "日本"),
    ("GBK", "工业"),
    ("Big5", "中文"),
];

/// Lines of ASCII beyond the reach of detection, and then `tail`.
fn late(format: Format, tail: &str, charset: Charset) -> Vec<u8> {
    let line = match format {
        Format::Css => "/* a line of plain text that says nothing */\n",
        _ => "a line of plain text that says nothing\n",
    };
    let mut document = line.repeat(EXTENDED_HEAD / line.len() + 2).into_bytes();
    charset
        .encode(tail, &mut document)
        .expect("text in the charset");
    document
}

/// Links with a word in bytes, in escapes and in references, for each format.
fn tail(format: Format, word: &str) -> String {
    match format {
        Format::Html => format!(
            "<a href='http://a.example/%C3%A9'>x</a> <a href='/?q=&eacute;'>x</a> {word} <a href=\"http://a.example/{word}\">x</a> \
             <a href='?{word}'>x</a> <a href='http://{word}.example/'>x</a> <a href='http://a.example/%C3%A9?%C3%A9'>x</a> \
             http://a.example/{word} http://a.example/%D0%B6, {word} http://a.example/b{word}"
        ),
        _ => format!(
            "http://a.example/%C3%A9 {word} http://a.example/{word} http://a.example/%C3%A9 http://a.example/?{word} "
        ),
    }
}

fn settings(format: Format) -> Settings {
    let mut settings = Settings::default();
    settings.format = Some(format);
    settings.base = Some("http://base.example/a/b".into());
    settings
}

/// Targets of the links of a document in a charset.
fn targets(bytes: &[u8], charset: Charset, format: Format) -> Vec<Option<String>> {
    let mut settings = settings(format);
    settings.charset = Some(charset);
    let document = Document::new(bytes, &settings);
    let links = document.links();
    links
        .map(|link| link.resolved(document.info_of(&link)))
        .collect()
}

const FORMATS: [Format; 4] = [Format::Html, Format::Text, Format::Rst, Format::Css];

/// Documents of all charsets and formats with letters beyond the reach of detection.
fn late_documents() -> impl Iterator<Item = (Format, Charset, Vec<u8>)> {
    let formats = FORMATS.into_iter();
    formats.flat_map(|format| {
        TONGUES.iter().map(move |(label, word)| {
            let charset = Charset::for_label(label).expect("a charset");
            (format, charset, late(format, &tail(format, word), charset))
        })
    })
}

#[test]
fn letters_behind_the_head_decide_no_target() {
    for (format, charset, document) in late_documents() {
        let before = targets(&document, charset, format);
        for form in [Form::Uri, Form::Iri] {
            let rewriter = Rewriter::new().to(form).settings(settings(format));
            let rewritten = rewriter.rewrite_slice(&document);
            let after = targets(&rewritten.content, charset, format);
            assert_eq!(before, after, "{format:?} {charset:?} {form:?}");
            // Valid and likely text is evidence, but not for text before it.
            let is_doubtful = match (form, format) {
                (_, Format::Css) => false,
                (Form::Uri, Format::Html) => true,
                (Form::Uri, _) => charset != Charset::UTF_8,
                // In Shift_JIS a letter of the word ends with a brace, which is code in text of another charset.
                (_, Format::Html) => charset.name() == "Shift_JIS",
                _ => true,
            };
            assert_eq!(
                rewritten.summary.unsure > 0,
                is_doubtful,
                "{format:?} {charset:?} {form:?}"
            );
        }
    }
}

#[test]
fn letters_behind_the_head_keep_the_promises() {
    for (format, charset, bytes) in late_documents() {
        let subject = Subject {
            name: format!("{format:?} {charset:?}"),
            bytes,
            settings: settings(format),
        };
        for promise in [
            identity,
            only_slots,
            refound,
            idempotent,
            chunks::one_answer,
        ] {
            promise(&subject).unwrap_or_else(|why| panic!("{}: {why}", subject.name));
        }
    }
}

/// A page whose start ISO-8859-2 and windows-1250 read alike, with links behind the start.
fn page_with_late(links: &[u8]) -> Vec<u8> {
    let title = b"<title>Strona g\xB3\xF3wna</title>\n<script>\n".as_slice();
    let code = b"var a = document.getElementById(\"x\"); // set it\n".repeat(2000);
    [title, &code, b"</script>\n", links].concat()
}

#[test]
fn bytes_that_detection_did_not_see_decide_no_target() {
    for (links, form, expected) in [
        (&b"<a href='ksi\xB9\xBFka.html'>"[..], Form::Uri, None),
        // Letters that the start has.
        (
            b"<a href='g\xB3\xF3wna.html'>",
            Form::Uri,
            Some("g%C5%82%C3%B3wna.html"),
        ),
        // A query is sent in the charset of the page.
        (b"<a href='/?q=%B9'>", Form::Iri, None),
        (b"<a href='/?q=&#x105;'>", Form::Uri, None),
        (b"<a href='/?q=&#x142;'>", Form::Uri, Some("/?q=%B3")),
    ] {
        let page = page_with_late(links);
        let rewriter = Rewriter::new().to(form).settings(settings(Format::Html));
        let rewritten = rewriter.rewrite_slice(&page);
        let shown = links.escape_ascii();
        match expected {
            None => assert!(rewritten.content == page, "{shown}"),
            Some(link) => assert!(
                memchr::memmem::find(&rewritten.content, link.as_bytes()).is_some(),
                "{shown}"
            ),
        }
    }
}

fn rules(rule: &str) -> Rules {
    let mut rules = Rules::default();
    rules.add(rule).expect("a rule");
    rules
}

/// ASCII of HTML may be in any superset of ASCII.
#[test]
fn ascii_of_html_gets_no_letters() {
    let page = "<a href='http://a.example/%C3%A9'>x</a><style>a{b:url(http://a.example/%C3%A9)}</style>\
        <script type='application/ld+json'>{\"url\":\"http://a.example/%C3%A9\"}</script>http://a.example/%C3%A9 \
        <a href='b'>x</a><a href='http://safe.example/?u=http%3A%2F%2Fa.example%2F%25C3%25A9'>x</a>";
    let rewriters = [
        Rewriter::new().to(Form::Iri),
        Rewriter::new().rules(rules("http://a.example/ http://é.example/ü/")),
        Rewriter::new()
            .to(Form::Iri)
            .rules(rules("http://a.example/ http://é.example/ü/")),
    ];
    for format in [Format::Html, Format::Mail] {
        let page = match format {
            Format::Html => page.to_owned(),
            _ => format!("Content-Type: text/html\nContent-Transfer-Encoding: 8bit\n\n{page}"),
        };
        for rewriter in &rewriters {
            let mut settings = settings(format);
            let rewriter = |settings: &Settings| rewriter.clone().settings(settings.clone());
            let written = rewriter(&settings).rewrite_slice(page.as_bytes());
            assert!(
                written.changed() > 1 && written.content.is_ascii(),
                "{written:?}"
            );
            settings.default_charset = Some(Charset::UTF_8);
            let written = rewriter(&settings).rewrite_slice(page.as_bytes());
            assert!(
                !written.content.is_ascii(),
                "the caller settles it: {written:?}"
            );
        }
    }
}

/// Vue, Svelte and Astro read only UTF-8.
#[test]
fn components_are_utf_8() {
    for (name, is_utf_8) in [
        ("a.vue", true),
        ("a.svelte", true),
        ("a.astro", true),
        ("a.php", false),
        ("a.html.erb", false),
    ] {
        let mut settings = Settings::default();
        settings.name = Some(name.to_owned());
        let rewriter = Rewriter::new().to(Form::Iri).settings(settings);
        let page = "<a href='http://a.example/%C3%A9'>";
        let new = if is_utf_8 {
            "<a href='http://a.example/é'>"
        } else {
            "<a href='http://a.example/&#xE9;'>"
        };
        assert_eq!(
            *rewriter.rewrite_slice(page.as_bytes()).content,
            *new.as_bytes(),
            "{name}"
        );
    }
}

/// Text is US-ASCII if the header names no charset, or US-ASCII.
#[test]
fn parts_of_mail_without_a_charset_get_no_letters() {
    for (header, is_sure) in [
        ("Content-Type: text/plain\n", false),
        ("", false),
        ("Content-Type: text/plain; charset=us-ascii\n", false),
        ("Content-Type: text/plain; charset=utf-8\n", true),
        ("Content-Type: text/calendar\n", true),
    ] {
        let mail = format!(
            "Subject: a\n{header}Content-Transfer-Encoding: 8bit\n\nURL:http://a.example/%C3%A9\n"
        );
        let rewriter = Rewriter::new()
            .to(Form::Iri)
            .settings(settings(Format::Mail));
        let rewritten = rewriter.rewrite_slice(mail.as_bytes());
        assert_eq!(!rewritten.content.is_ascii(), is_sure, "{header}");
    }
}

/// A declaration holds for every reader. Only links whose own bytes contradict it are left.
#[test]
fn bytes_that_contradict_a_declaration_are_left() {
    let page = b"<meta charset=utf-8><a href='http://a.example/\xE9'>caf\xE9</a> <a href='http://a.example/\xC3\xA9'>x</a> \
        <a href='http://a.example/b'>x</a> http://a.example/\xE9 x";
    let subject = Subject {
        name: "contradiction".to_owned(),
        bytes: page.to_vec(),
        settings: settings(Format::Html),
    };
    for promise in [
        identity,
        only_slots,
        refound,
        idempotent,
        chunks::one_answer,
    ] {
        promise(&subject).unwrap_or_else(|why| panic!("{why}"));
    }
    let document = Document::new(page, &subject.settings);
    let is_noted = document
        .links()
        .map(|link| link.notes().contains(Note::CharsetContradicts));
    assert_eq!(is_noted.collect::<Vec<_>>(), [true, false, false, true]);
    let rewritten = Rewriter::new()
        .to(Form::Uri)
        .settings(subject.settings)
        .rewrite_slice(page);
    let summary = &rewritten.summary;
    assert_eq!(
        (
            summary.tally.changed,
            summary.tally.left,
            summary.contradicting
        ),
        (1, 2, 2)
    );
}

/// In another charset, letters next to a link in running text may belong to it.
#[test]
fn a_link_beside_doubtful_letters_is_left() {
    let document = late(
        Format::Html,
        "<p>http://old.example/a\u{201D} x http://old.example/b. x \u{E9}http://old.example/c \
        <a href='http://old.example/d'>\u{E9}</a>",
        Charset::WINDOWS_1252,
    );
    let rules = rules("http://old.example/ http://new.example/");
    let rewriter = Rewriter::new()
        .rules(rules)
        .settings(settings(Format::Html));
    let rewritten = rewriter.rewrite_slice(&document);
    assert_eq!((rewritten.changed(), rewritten.summary.unsure), (2, 2));
}

/// New links contain letters of the base, and queries are encoded in the charset of the document.
#[test]
fn bases_and_queries_are_no_better_known_than_bytes() {
    let absolute = Rewriter::new().references(References::Absolute);
    let written =
        absolute.rewrite_slice("<base href='http://a.example/&eacute;/'><a href=b>".as_bytes());
    assert_eq!(written.changed(), 1);
    // A single letter that is rare in UTF-8.
    let written = absolute.rewrite_slice(b"<base href='http://a.example/WSP\xD3\xA3/'><a href=b>");
    assert_eq!((written.changed(), written.summary.unsure), (0, 1));
    let scoped = b"<applet codebase='http://a.example/WSP\xD3\xA3/' code=b></applet><p>x";
    let written = absolute.rewrite_slice(scoped);
    assert_eq!(written.changed(), 0, "{written:?}");
    let uris = Rewriter::new().to(Form::Uri);
    let written = uris.rewrite_slice(b"<a href='/?&eacute;'>x</a><a href='/&eacute;'>x</a>");
    assert_eq!((written.changed(), written.summary.unsure), (1, 1));
}
