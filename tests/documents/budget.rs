//! Every document has a budget: whatever its links repeat, together they are at most a few times as long as the
//! document.

use crate::support::{self, Chunks};
use linkglot::notes::Note;
use linkglot::rewrite::{Form, Forms, Reach, References, Rewriter, Rules};
use linkglot::stream::read_links;
use linkglot::{Document, ErrorKind, Format, Settings};
use std::ops::ControlFlow;

const LENGTH: usize = 100_000;

/// A head, and then a unit repeated up to a length.
fn filled(head: &str, unit: &str) -> String {
    format!("{head}{}", unit.repeat(LENGTH / unit.len()))
}

/// Documents whose links repeat data of the document.
fn hostile() -> Vec<(Format, String)> {
    let long = "d/".repeat(950);
    let name = "n".repeat(1500);
    let svg = "<r xmlns='http://www.w3.org/2000/svg' xmlns:x='http://www.w3.org/1999/xlink'";
    let lists = |list: &str| format!("<a {list}=\"{}\">", "b ".repeat(40_000));
    let entity = format!("<!DOCTYPE r [<!ENTITY e 'http://a.example/{long}'>]>{svg}>");
    vec![
        (
            Format::Html,
            filled(
                &format!("<base href='http://a.example/{long}'>"),
                "<a href=b>",
            ),
        ),
        (
            Format::Html,
            filled(
                &format!("<iframe srcdoc=\"<base href='http://a.example/{long}'>"),
                "<a href=b>",
            ) + "\">",
        ),
        (
            Format::Xml,
            filled(
                &format!("{svg} xml:base='http://a.example/{long}'>"),
                "<a x:href='b'/>",
            ),
        ),
        (
            Format::Xml,
            filled(
                &format!("{svg} xml:base='http://a.example/{long}'>"),
                "<g xml:base='c/' x:href='b'/>",
            ),
        ),
        (Format::Xml, filled(&entity, "<a x:href='&e;'/>")),
        (
            Format::Xml,
            filled(&format!("{svg}><{name} style=\""), "url(a)") + "\"/></r>",
        ),
        (Format::Html, lists("ping")),
        (
            Format::Mail,
            filled(
                &format!("Content-Type: text/html\nContent-Location: http://a.example/{long}\n\n"),
                "<a href=b>",
            ),
        ),
        (
            Format::Mail,
            filled(
                &format!(
                    "Content-Type: multipart/mixed; boundary=x\nContent-Base: http://a.example/{long}\n\n"
                ),
                "--x\nContent-Type: text/html\n\n<a href=b>\n",
            ),
        ),
    ]
}

fn settings(format: Format) -> Settings {
    support::settings(format, "utf-8")
}

/// The links up to the end of the budget, and the error, of a stream in chunks of a size.
fn streamed(source: &str, settings: &Settings, chunk: usize) -> (Vec<String>, String) {
    let mut links = Vec::new();
    let mut reader = Chunks(source.as_bytes(), chunk);
    let read = read_links(&mut reader, settings, &mut |link, _| {
        links.push(link.text().to_owned());
        ControlFlow::Continue(())
    });
    let error = read.expect_err("more than the budget");
    assert_eq!(error.kind(), ErrorKind::OverBudget);
    (links, error.to_string())
}

/// Words of the errors of [`hostile`] documents: the data that their links repeat.
const CAUSES: [&str; 9] = [
    "most of these are their base",
    "most of these are their base",
    "most of these are their base",
    "most of these are their base",
    "such as the values of entities",
    "most of these are the names of the elements",
    "expected at most 32768 links in the value at byte 9, found more",
    "most of these are their base",
    "most of these are their base",
];

/// P6: the budget ends at the same link for every way of reading.
#[test]
fn a_budget_ends_at_one_link() {
    for ((format, source), cause) in hostile().into_iter().zip(CAUSES) {
        let settings = settings(format);
        let document = Document::new(source.as_bytes(), &settings);
        let mut links: Vec<_> = document.links().collect();
        let last = links.pop().expect("a link");
        let error = last
            .error()
            .unwrap_or_else(|| panic!("no end: {}", &source[..60]));
        assert_eq!((last.text(), last.notes()), ("", Note::OverBudget.into()));
        assert!(error.to_string().contains(cause), "{error}: {cause}");
        let texts: Vec<_> = links.iter().map(|link| link.text().to_owned()).collect();
        let whole = (texts, error.to_string());
        for chunk in [777, 64 << 10, usize::MAX] {
            assert_eq!(
                streamed(&source, &settings, chunk),
                whole,
                "{}",
                &source[..60]
            );
        }
        let mut forms = 0;
        let read = Forms::new(&settings).read_slice(source.as_bytes(), &mut |_, _, _| {
            forms += 1;
            ControlFlow::Continue(())
        });
        assert_eq!(
            (forms, read.unwrap_err().to_string()),
            (links.len(), error.to_string())
        );
    }
}

/// The targets of all links, and the texts around them, are together a few times as long as the document.
#[test]
fn links_repeat_a_document_a_few_times() {
    for (format, source) in hostile() {
        let settings = settings(format);
        let document = Document::new(source.as_bytes(), &settings);
        let mut bytes = 0;
        for link in document.links() {
            let info = document.info_of(&link);
            let place = link.place();
            bytes += link.resolved(info).map_or(0, |target| target.len()) + link.text().len();
            bytes += place.element.as_deref().map_or(0, str::len);
        }
        assert!(
            bytes < (256 << 10) + 50 * source.len(),
            "{bytes}: {}",
            &source[..60]
        );
    }
}

#[test]
fn rewriting_ends_with_the_budget() {
    let mut rules = Rules::default();
    rules
        .add("http://a.example/ http://b.example/")
        .expect("a rule");
    let rewriters = [
        Rewriter::new().to(Form::Uri),
        Rewriter::new().references(References::Absolute),
        Rewriter::new().rules(rules).reach(Reach::Resolved),
    ];
    for (format, source) in hostile() {
        for rewriter in &rewriters {
            let rewriter = rewriter.clone().settings(settings(format));
            let rewritten = rewriter.rewrite_slice(source.as_bytes());
            let error = rewritten.summary.error.expect("an error");
            assert_eq!(error.kind(), ErrorKind::OverBudget);
            assert_eq!(rewritten.content, source.as_bytes());
            let mut out = Vec::new();
            let streamed = rewriter.rewrite(&mut source.as_bytes(), &mut out);
            assert_eq!(streamed.unwrap_err().to_string(), error.to_string());
            assert!(out.len() < (256 << 10) + 50 * source.len());
        }
    }
}

/// Rules make links longer, too.
#[test]
fn rules_have_a_budget() {
    let source = "<a href=http://a.example/>".repeat(4000);
    let rewritten = |to: &str| {
        let mut rules = Rules::default();
        rules
            .add(&format!("http://a.example/ http://b.example/{to}/"))
            .expect("a rule");
        let rewriter = Rewriter::new()
            .rules(rules)
            .settings(settings(Format::Html));
        let rewritten = rewriter.rewrite_slice(source.as_bytes());
        (
            rewritten.changed(),
            rewritten.summary.error.map(|error| error.kind()),
        )
    };
    assert_eq!(rewritten(&"c".repeat(200)), (4000, None));
    assert_eq!(
        rewritten(&"c".repeat(1000)),
        (0, Some(ErrorKind::OverBudget))
    );
}

/// Light markup is read more than once, but charged once.
#[test]
#[cfg(feature = "markdown")]
fn light_markup_may_grow_as_other_formats() {
    for (format, link) in [
        (Format::Markdown, "[x](http://a.example/\u{e9}/)\n\n"),
        (Format::Rst, "`x <http://a.example/\u{e9}/>`_\n\n"),
        (Format::Html, "<a href=http://a.example/\u{e9}/>\n\n"),
    ] {
        let source = link.repeat(15_000);
        let mut rules = Rules::default();
        rules
            .add("http://a.example/ https://www.new-domain.example.org/issues/")
            .expect("a rule");
        let rewriter = Rewriter::new().to(Form::Uri).rules(rules);
        let rewriter = rewriter.settings(settings(format));
        let rewritten = rewriter.rewrite_slice(source.as_bytes());
        assert_eq!(rewritten.summary.error.map(|error| error.to_string()), None);
        assert_eq!(rewritten.summary.tally.changed, 15_000, "{format:?}");
    }
}

/// A base of more than 2048 bytes is ignored: no link is resolved by a guess.
#[test]
fn long_bases_are_not_read() {
    let long = "d/".repeat(1200);
    let inner = format!("<base href='http://a.example/{long}'><a href=b>");
    let xml = "<r xmlns='http://www.w3.org/1999/xhtml'";
    let documents = [
        (Format::Html, format!("{inner}<a href=http://c.example/>")),
        (
            Format::Html,
            format!("<base href='http://o.example/'><iframe srcdoc=\"{inner}\"></iframe>"),
        ),
        (
            Format::Xml,
            format!("{xml} xml:base='http://a.example/{long}'><a href='b'/></r>"),
        ),
        (
            Format::Xml,
            format!("{xml} xml:base='http://a.example/{long}'><a xml:base='c/' href='b'/></r>"),
        ),
        (
            Format::Mail,
            format!(
                "Content-Type: text/html\nContent-Location: http://a.example/{long}\n\n<a href=b>"
            ),
        ),
        (
            Format::Mail,
            format!(
                "Content-Type: multipart/mixed; boundary=x\nContent-Base: http://a.example/{long}\n\n--x\nContent-Type: text/html\nContent-Location: c/\n\n<a href=b>"
            ),
        ),
    ];
    for (format, source) in documents {
        let mut settings = settings(format);
        settings.base = Some("http://outer.example/".into());
        let document = Document::new(source.as_bytes(), &settings);
        let links = document.links();
        let mut found = links.filter(|link| link.text() == "b");
        let link = found.next().expect("a link");
        assert_eq!(
            link.resolved(document.info_of(&link)),
            None,
            "{}",
            &source[..60]
        );
        assert!(
            link.notes().contains(Note::BaseTooLong),
            "{}",
            &source[..60]
        );
        let rewriter = Rewriter::new().settings(settings.clone());
        let absolute = rewriter
            .references(References::Absolute)
            .rewrite_slice(source.as_bytes());
        assert!(absolute.left() > 0, "{}", &source[..60]);
        let text = String::from_utf8_lossy(&absolute.content);
        assert!(text.contains("href=b>") || text.contains("href='b'"));
    }
    // A link that does not depend on the base is resolved.
    let page = format!(
        "{xml} xml:base='http://a.example/{long}'><a xml:base='http://c.example/' href='b'/></r>"
    );
    let document = Document::new(page.as_bytes(), &settings(Format::Xml));
    let link = document.links().last().expect("a link");
    assert_eq!(
        link.resolved(document.info()).as_deref(),
        Some("http://c.example/b")
    );
    assert!(link.notes().is_empty());
}

/// The first `<base href>` decides also behind a long head. Behind one that stands even later, links have no base.
#[test]
fn a_late_base_is_not_missed_without_a_note() {
    let page = |style: usize, letters: &str| {
        let style = ".a{}\n".repeat(style / 5);
        format!(
            "<title>{letters}</title><style>{style}</style><a href=a><base href='http://b.example/c/'><a href=b>"
        )
    };
    let resolved = |page: &str| -> Vec<_> {
        let mut settings = settings(Format::Html);
        settings.base = Some("http://outer.example/".into());
        let document = Document::new(page.as_bytes(), &settings);
        let links = document.links().filter(|link| link.text().len() == 1);
        links
            .map(|link| {
                let target = link.resolved(document.info_of(&link));
                (target, link.notes().contains(Note::BaseTooLong))
            })
            .collect()
    };
    let known = |name: &str| (Some(format!("http://b.example/c/{name}")), false);
    for letters in ["a", "日本語"] {
        for style in [60_000, 66_000, 250_000] {
            let links = resolved(&page(style, letters));
            assert_eq!(links, [known("a"), known("b")], "{style} {letters}");
        }
        let links = resolved(&page(270_000, letters));
        assert_eq!(links.last(), Some(&(None, true)), "{letters}");
    }
}

/// The pages of manuals with the most relative links have a link in 75 bytes.
#[test]
fn dense_pages_with_long_bases_are_within_the_budget() {
    let unit = format!(
        "<dd><a href='page.html#some-term'>{}</a></dd>\n",
        "x".repeat(30)
    );
    let base = format!("https://www.example.org/{}/", "d".repeat(600));
    let page = format!("<base href='{base}'>{}", unit.repeat(20_000));
    let document = Document::new(page.as_bytes(), &settings(Format::Html));
    assert_eq!(
        document
            .links()
            .filter(|link| link.error().is_none())
            .count(),
        20_001
    );
}
