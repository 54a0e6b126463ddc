//! Documents that contain a text once and make their links repeat it, with the markup that repeats it: the budget of
//! the document bounds the work for each byte.

use linkglot::Charset;
use linkglot::document::{Document, Settings};
use linkglot::format::Format;
use linkglot::rewrite::{Form, Forms, Reach, References, Rewriter, Rules};
use std::hint::black_box;
use std::ops::ControlFlow;

/// A document: its name, its format, the text that stands there once, the unit that is then repeated, and its end.
pub struct Growth {
    pub name: &'static str,
    pub format: Format,
    pub head: String,
    pub unit: String,
    pub tail: &'static str,
}

fn growth(
    name: &'static str,
    format: Format,
    head: String,
    unit: &str,
    tail: &'static str,
) -> Growth {
    let unit = unit.to_owned();
    Growth {
        name,
        format,
        head,
        unit,
        tail,
    }
}

/// All documents.
pub fn documents() -> Vec<Growth> {
    let path = "d/".repeat(950);
    let base = format!("http://a.example/{path}");
    let xml = "<r xmlns='http://www.w3.org/2000/svg' xmlns:x='http://www.w3.org/1999/xlink'";
    let mail = format!("Content-Location: {base}\nContent-Type: text/html\n\n");
    let parts = format!("Content-Base: {base}\nContent-Type: multipart/mixed; boundary=x\n\n");
    let part = "--x\nContent-Type: text/html\n\n<a href=b>\n";
    let entity = format!("<!DOCTYPE r [<!ENTITY e '{base}'>]>{xml}>");
    let name = "n".repeat(1500);
    let (html, of_xml) = (Format::Html, Format::Xml);
    // As many relative links as the budget allows.
    let sparse = format!("<a href=b>{}", "x".repeat(75));
    vec![
        growth(
            "base",
            html,
            format!("<base href='{base}'>"),
            "<a href=b>",
            "",
        ),
        growth(
            "base, sparse",
            html,
            format!("<base href='{base}'>"),
            &sparse,
            "",
        ),
        growth(
            "base, queries",
            html,
            format!("<base href='{base}'>"),
            &sparse.replace("=b", "=?\u{e9}"),
            "",
        ),
        growth(
            "base, dots",
            html,
            format!("<base href='{base}'>"),
            &sparse.replace("=b", "=../b/./"),
            "",
        ),
        growth(
            "base too long",
            html,
            format!("<base href='{base}{path}'>"),
            "<a href=b>",
            "",
        ),
        growth(
            "srcdoc",
            html,
            format!("<iframe srcdoc=\"<base href='{base}'>"),
            "<a href=b>",
            "\">",
        ),
        growth(
            "srcdocs",
            html,
            format!("<base href='{base}'>"),
            "<iframe srcdoc='<base href=c>'></iframe>",
            "",
        ),
        growth("ping", html, "<a ping=\"".to_owned(), "b ", "\">"),
        growth("srcset", html, "<img srcset=\"".to_owned(), "b 1x,", "\">"),
        growth(
            "xml:base",
            of_xml,
            format!("{xml} xml:base='{base}'>"),
            "<a x:href='b'/>",
            "</r>",
        ),
        growth(
            "xml:bases",
            of_xml,
            format!("{xml} xml:base='{base}'>"),
            "<a xml:base='c/' x:href='b'/>",
            "</r>",
        ),
        growth(
            "entity",
            of_xml,
            entity.clone(),
            "<a x:href='&e;'/>",
            "</r>",
        ),
        growth("entity in text", of_xml, entity, "&e; ", "</r>"),
        growth(
            "name",
            of_xml,
            format!("{xml}><{name} style=\""),
            "url(b)",
            "\"/></r>",
        ),
        growth("Content-Location", Format::Mail, mail, "<a href=b>", "\n"),
        growth("parts", Format::Mail, parts, part, "--x--\n"),
    ]
}

/// The document of a given length. Without a length, only its head.
pub fn text(case: &Growth, length: usize) -> String {
    let times = length.saturating_sub(case.head.len()) / case.unit.len();
    format!("{}{}{}", case.head, case.unit.repeat(times), case.tail)
}

/// Task to run on a document.
pub type Mode = fn(&[u8], &Settings);

/// The names of modes. For `.ci/linear` they are roads over these documents (`growth-uri`), and over the hostile ones
/// (`json`) if these have no road of that name.
pub const MODES: &[(&str, Mode)] = &[
    ("json", json),
    ("hosts", hosts),
    ("uri", |source, settings| {
        rewrite(source, Rewriter::new().to(Form::Uri), settings)
    }),
    ("iri", |source, settings| {
        rewrite(source, Rewriter::new().to(Form::Iri), settings)
    }),
    ("map", |source, settings| {
        rewrite(source, moving(), settings)
    }),
    ("map-resolved", |source, settings| {
        rewrite(source, moving().reach(Reach::Resolved), settings)
    }),
    ("absolute", |source, settings| {
        let mut settings = settings.clone();
        settings.base = Some("http://a.example/b".into());
        rewrite(
            source,
            Rewriter::new().references(References::Absolute),
            &settings,
        )
    }),
    ("unwrap", |source, settings| {
        rewrite(source, unwrapping(), settings)
    }),
    ("to-charset", |source, settings| {
        let latin = Charset::for_label("windows-1252").unwrap_or(Charset::UTF_8);
        rewrite(source, Rewriter::new().to_charset(latin), settings);
    }),
];

/// The objects of links.
fn json(source: &[u8], settings: &Settings) {
    let read = Forms::new(settings).read_slice(source, &mut |link, forms, info| {
        black_box((
            link.resolved(info),
            forms.uri.is_some(),
            link.place().to_owned(),
        ));
        ControlFlow::Continue(())
    });
    black_box(read.is_ok());
}

fn hosts(source: &[u8], settings: &Settings) {
    let document = Document::new(source, settings);
    for link in document.links() {
        black_box(link.resolved(document.info_of(&link)));
    }
}

fn rewrite(source: &[u8], rewriter: Rewriter, settings: &Settings) {
    let rewriter = rewriter.settings(settings.clone());
    black_box(
        rewriter
            .rewrite(&mut &*source, &mut std::io::sink())
            .is_ok(),
    );
}

fn moving() -> Rewriter {
    let mut rules = Rules::default();
    rules
        .add("http://a.example/ http://b.example/")
        .expect("a rule");
    Rewriter::new().rules(rules)
}

fn unwrapping() -> Rewriter {
    let mut rules = Rules::default();
    rules.unwrap_links();
    Rewriter::new().rules(rules)
}
