//! Links that a function of the caller chooses: where it is asked, and where its answer is written.

use crate::support::{self, Chunks};
use linkglot::format::Format;
use linkglot::notes::Note;
use linkglot::rewrite::{Candidate, Form, Rewriter, Rules};
use linkglot::{Evidence, Settings};
use proptest::prelude::*;
use std::sync::{Arc, Mutex};

fn settings(format: Format) -> Settings {
    support::settings(format, "utf-8")
}

/// Returns the rewritten document, and the notes of links that were left.
fn rewritten(format: Format, source: &str, rewriter: &Rewriter) -> (String, Vec<Note>) {
    let mut notes = Vec::new();
    let rewriter = rewriter.clone().settings(settings(format));
    let watched = rewriter.on_link(|at, _| {
        notes.extend(at.notes.iter().filter(|_| at.new.is_none()));
    });
    let new = watched.rewrite_slice(source.as_bytes()).content;
    let new = String::from_utf8(new.into_owned()).expect("UTF-8");
    (new, notes)
}

/// Answers with a fixed reference.
fn always(answer: &'static str) -> Rewriter {
    Rewriter::new().choose(move |_| Some(answer.to_owned()))
}

/// Wraps links of a host, as a proxy does.
fn proxied(link: &Candidate<'_>) -> Option<String> {
    let wrapped = link.reference().strip_prefix("http://old.example/")?;
    Some(format!("https://p.example/?u='{wrapped}'&\u{fc}"))
}

/// An answer is written in the escapes of its place.
#[test]
fn answers_are_escaped() {
    let cases = [
        (
            Format::Html,
            "<a href='http://old.example/a&amp;b'>",
            "<a href='https://p.example/?u=&#39;a&amp;b&#39;&amp;\u{fc}'>",
        ),
        (
            Format::Css,
            "a{b:url('http://old.example/a')}",
            "a{b:url('https://p.example/?u=\\'a\\'&\u{fc}')}",
        ),
        (
            Format::Json,
            r#"{"url":"http:\/\/old.example\/a"}"#,
            r#"{"url":"https:\/\/p.example\/?u='a'&ü"}"#,
        ),
    ];
    let rewriter = Rewriter::new().choose(proxied);
    for (format, before, after) in cases {
        let (new, notes) = rewritten(format, before, &rewriter);
        assert_eq!((new.as_str(), notes), (after, vec![]));
        assert_eq!(rewritten(format, after, &rewriter).0, after, "twice");
    }
}

/// The function sees what the rules made; its answer gets the form of new links.
#[test]
fn rules_go_first_and_forms_last() {
    let mut rules = Rules::default();
    rules
        .add("http://older.example/ http://old.example/")
        .expect("a rule");
    let rewriter = Rewriter::new().rules(rules).choose(|link| {
        let path = link.reference().strip_prefix("http://old.example/")?;
        Some(format!("http://new.example/\u{e9}/{path}"))
    });
    let page = "<a href=http://older.example/a><a href=http://old.example/b><a href=/\u{e9}>";
    let cases = [
        (Form::Same, "\u{e9}", "\u{e9}"),
        (Form::Uri, "%C3%A9", "%C3%A9"),
        (Form::Iri, "\u{e9}", "\u{e9}"),
    ];
    for (form, new, other) in cases {
        let rewriter = rewriter.clone().to(form);
        let expected = format!(
            "<a href=http://new.example/{new}/a><a href=http://new.example/{new}/b><a href=/{other}>"
        );
        assert_eq!(rewritten(Format::Html, page, &rewriter), (expected, vec![]));
    }
}

/// Rules and the function see a form that they do not know as written, as a second run would.
#[test]
fn the_function_sees_the_form() {
    let rewriter = Rewriter::new().to(Form::Uri).choose(proxied);
    let page = "<a href='http://\u{ff4f}ld.example/a'>";
    let (new, _) = rewritten(Format::Html, page, &rewriter);
    assert!(new.starts_with("<a href='https://p.example/"), "{new}");
    assert_eq!(rewritten(Format::Html, &new, &rewriter).0, new);
}

#[test]
fn implied_schemes() {
    let rewriter = |answer| always(answer).min_evidence(Evidence::Name);
    let cases = [
        ("www.a.org", "https://b.org/", "https://b.org/", vec![]),
        ("www.a.org", "https://www.a.org", "www.a.org", vec![]),
        ("ann@a.org", "mailto:eve@b.org", "eve@b.org", vec![]),
        ("ann@a.org", "mailto:ann@a.org", "ann@a.org", vec![]),
        // An address stays an address.
        (
            "ann@a.org",
            "https://b.org/",
            "ann@a.org",
            vec![Note::LeftTargetWouldChange],
        ),
    ];
    for (link, answer, expected, left) in cases {
        let text = |link: &str| format!("see {link} there");
        let (new, notes) = rewritten(Format::Text, &text(link), &rewriter(answer));
        assert_eq!((new, notes), (text(expected), left), "{link} {answer}");
    }
}

/// Nobody knows what code makes of a link, and a base leads other links with it.
#[test]
fn links_that_are_not_asked_about() {
    let cases = [
        (Format::Html, "<a href='/a/{{ x }}'>"),
        (Format::Html, "<a href='http://a.example/<?= $x ?>'>"),
        (Format::Html, "<base href='http://a.example/'>"),
        (Format::Html, "<a href=''>"),
        (Format::JavaScript, "f('http://a.example/' + x)"),
        (
            Format::Xml,
            "<OpenSearchDescription xmlns='http://a9.com/-/spec/opensearch/1.1/'>\
             <Url type='text/html' template='http://a.example/{searchTerms}'/></OpenSearchDescription>",
        ),
    ];
    for (format, source) in cases {
        let asked = Arc::new(Mutex::new(Vec::new()));
        let seen = asked.clone();
        let rewriter = Rewriter::new().choose(move |link| {
            seen.lock().unwrap().push(link.reference().to_owned());
            Some("http://new.example/".to_owned())
        });
        let (new, _) = rewritten(format, source, &rewriter);
        assert_eq!(new, source);
        assert_eq!(*asked.lock().unwrap(), [""; 0], "{source}");
    }
}

/// An answer is refused where the result of a rule would be.
#[test]
fn refused_answers() {
    let signed = "From: a@b.example\nDate: Mon, 1 Jan 2024 00:00:00 +0000\nDKIM-Signature: v=1; bh=x; h=from\n\n\
                  http://a.example/\n";
    let target = Note::LeftTargetWouldChange;
    let cases = [
        (Format::Html, "<a href='http://a.example/'>", "", target),
        (Format::Html, "<a href='http://a.example/'>", " /b", target),
        (Format::Html, "<a href='http://a.example/'>", "/b\n", target),
        (
            Format::Html,
            "<a href='http://a.example/'>",
            "/b\u{85}",
            target,
        ),
        (
            Format::Html,
            "<a href='http://a.example/'>",
            "http:\\\\b",
            target,
        ),
        // Running text with such an answer would be read as other links.
        (
            Format::Text,
            "see http://a.example/ there",
            "http://b.example/ c",
            Note::LeftNotRefound,
        ),
        (
            Format::Text,
            "see http://a.example/ there",
            "/b",
            Note::LeftNotRefound,
        ),
        (
            Format::Text,
            "see a.com there",
            "http://b.example/",
            Note::LeftName,
        ),
        (Format::Mail, signed, "http://b.example/", Note::LeftSigned),
        (
            Format::Php,
            "a:1:{s:1:\"a\";s:17:\"http://a.example/\";}",
            "http://b.example/c",
            Note::LeftSerialized,
        ),
    ];
    for (format, source, answer, note) in cases {
        let (new, notes) = rewritten(format, source, &always(answer));
        assert_eq!((new.as_str(), notes), (source, vec![note]), "{answer:?}");
    }
}

/// If browsers disagree about the query of a link, the function is asked about both targets.
#[test]
fn doubtful_targets() {
    let page = b"@charset \"koi8-r\"; a{b:url('http://a.example/?\xC1')}";
    let by_target = Rewriter::new().choose(|link| {
        let target = link.resolved()?;
        let query = target.strip_prefix("http://a.example/?")?;
        Some(format!("http://b.example/?{query}"))
    });
    let by_text = always("http://b.example/");
    assert_eq!(by_text.rewrite_slice(page).changed(), 1);
    let left = by_target.rewrite_slice(page);
    assert_eq!(
        (left.changed(), left.left()),
        (0, 1),
        "{}",
        String::from_utf8_lossy(&left.content)
    );
}

#[test]
fn targets_of_candidates() {
    let asked = |page: &str| {
        let found = Arc::new(Mutex::new(Vec::new()));
        let seen = found.clone();
        let rewriter = Rewriter::new().choose(move |link| {
            let asked = (link.reference().to_owned(), link.resolved());
            seen.lock().unwrap().push(asked);
            None
        });
        let rewriter = rewriter.settings(settings(Format::Html));
        assert_eq!(rewriter.rewrite_slice(page.as_bytes()).changed(), 0);
        let found = found.lock().unwrap();
        found.last().expect("a question").clone()
    };
    let of =
        |reference: &str, target: Option<&str>| (reference.to_owned(), target.map(str::to_owned));
    assert_eq!(asked("<a href=b>"), of("b", None));
    assert_eq!(
        asked("<a href='HTTP://A.example/%7e'>"),
        of("HTTP://A.example/%7e", Some("http://a.example/%7e"))
    );
    assert_eq!(
        asked("<base href=http://a.example/b/><a href='c?&eacute;'>"),
        of("c?\u{e9}", Some("http://a.example/b/c?%C3%A9"))
    );
}

/// A rewriter without answers writes the same as a rewriter without a function.
#[test]
fn no_answer_is_no_change() {
    let page = "<meta charset=utf-8><a href='http:\\\\a.example/\u{e9}'>www.\u{e9}.org <a href='mailto:a@\u{e9}.org'>";
    for form in [Form::Same, Form::Uri, Form::Iri] {
        let plain = Rewriter::new().to(form);
        let asking = plain.clone().choose(|_| None);
        let [plain, asking] =
            [plain, asking].map(|by| by.rewrite_slice(page.as_bytes()).content.into_owned());
        assert_eq!(plain, asking);
    }
}

/// References, some of which the function answers.
fn reference() -> impl Strategy<Value = String> {
    let heads = [
        "http://old.example/",
        "HTTP://old.example/",
        "http:\\\\old.example/",
        "http://\u{ff4f}ld.example/",
        "//old.example/",
        "old.example/",
        "www.old.example",
        "http://p.example/",
        "http://\u{e9}.example/",
        "",
        "a@old.example",
    ];
    let parts = [
        "a", "/", "?", "#", "\u{e9}", "%C3%A9", "%", "\t", "'", "&", "{{x}}", "(", ")", ".", "\\",
    ];
    let parts = prop::collection::vec(prop::sample::select(parts.to_vec()), 0..5);
    (prop::sample::select(heads.to_vec()), parts)
        .prop_map(|(head, parts)| head.to_owned() + &parts.concat())
}

const PLACES: &[(Format, &str, &str)] = &[
    (Format::Html, "<a href=\"", "\">"),
    (Format::Html, "<img srcset='", " 2x, /b'>"),
    (Format::Html, "<p style=\"a:url('", "')\">"),
    (
        Format::Xml,
        "<a xml:base='http://old.example/'><b xmlns:l='http://www.w3.org/1999/xlink' l:href='",
        "'/></a>",
    ),
    (Format::Text, "see ", " there"),
    (Format::Text, "(", "), www.b.org"),
    (Format::Json, "{\"url\":\"", "\"}"),
    #[cfg(feature = "markdown")]
    (Format::Markdown, "[x](<", ">)"),
];

fn answered(link: &Candidate<'_>) -> Option<String> {
    let reference = link.reference();
    let wrapped = reference
        .strip_prefix("http://old.example/")
        .map(|rest| format!("http://p.example/?u={rest}"));
    let moved = || {
        reference
            .strip_prefix("https://www.old.example")
            .map(|rest| format!("https://n.example{rest}"))
    };
    let resolved = || {
        link.resolved()?
            .strip_prefix("https://old.example/")
            .map(|rest| format!("//\u{e9}.example/{rest}"))
    };
    let address = || {
        reference
            .strip_prefix("mailto:a@old")
            .map(|rest| format!("mailto:b@new{rest}"))
    };
    wrapped.or_else(moved).or_else(resolved).or_else(address)
}

const CASES: u32 = if cfg!(debug_assertions) { 400 } else { 20_000 };

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, ..ProptestConfig::default() })]

    /// P5 and P6 with a function: a second run changes nothing, and a reader in small pieces gives the same document.
    #[test]
    fn answers_twice_are_once(
        links in prop::collection::vec(reference(), 1..4),
        form in prop::sample::select(vec![Form::Same, Form::Uri, Form::Iri]),
        least in prop::sample::select(vec![Evidence::Www, Evidence::Name]),
        place in prop::sample::select(PLACES),
    ) {
        let rewriter = Rewriter::new().to(form).min_evidence(least).choose(answered);
        let (format, before, behind) = place;
        let page: String = links.iter().map(|link| format!("{before}{link}{behind}\n")).collect();
        let (once, _) = rewritten(format, &page, &rewriter);
        let (twice, _) = rewritten(format, &once, &rewriter);
        prop_assert_eq!(&twice, &once, "of {}", page);
        let mut reader = Chunks(page.as_bytes(), 7);
        let mut streamed = Vec::new();
        let streaming = rewriter.settings(settings(format)).rewrite(&mut reader, &mut streamed);
        prop_assert!(streaming.is_ok());
        prop_assert_eq!(String::from_utf8_lossy(&streamed), once);
    }
}
