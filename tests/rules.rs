//! What rules do in documents, beside each other and beside the form; and code of templates, which only rules move.

use linkglot::format::Format;
use linkglot::report::Note;
use linkglot::rewrite::{Form, Forms, Mapping, Rules, rewrite_slice};
use linkglot::{Document, Settings};

fn mapping(form: Form, rules: &[&str]) -> Mapping {
    let mut mapping = Mapping::new(form);
    mapping.rules = ruled(rules);
    mapping
}

fn ruled(lines: &[&str]) -> Rules {
    let mut rules = Rules::default();
    for line in lines {
        rules.add(line).expect(line);
    }
    rules
}

/// What a document becomes, and the notes of links that were left.
fn rewritten(format: Format, source: &str, mapping: &Mapping) -> (String, Vec<Note>) {
    let mut notes = Vec::new();
    let (new, ..) = rewrite_slice(
        source.as_bytes(),
        &settings(format),
        mapping,
        &mut |at, _| {
            notes.extend(at.notes.iter().filter(|_| at.new.is_none()));
        },
    );
    let new = new.map(|new| String::from_utf8(new).expect("UTF-8"));
    (new.unwrap_or_else(|| source.to_owned()), notes)
}

fn settings(format: Format) -> Settings {
    let mut settings = Settings::default();
    settings.format = Some(format);
    settings
}

/// Places for a link, by what stands around it.
const PLACES: &[(Format, &str, &str)] = &[
    (Format::Html, "<a href=\"", "\">"),
    (Format::Html, "<a href='/\u{e9}'><img src='", "'>"),
    (Format::Html, "<p style=\"a:url('", "')\">"),
    (Format::Css, "a{b:url(\"", "\")}"),
    (Format::Text, "see ", " there"),
    #[cfg(feature = "markdown")]
    (Format::Markdown, "[x](<", ">)"),
];

/// Code of templates stays in every place and both forms, with a note, and what it points to is not known. What stands in
/// front of it is moved by a rule, and nothing else.
#[test]
fn code_of_templates_stays() {
    let codes = [
        "{{ x }}",
        "{{x}}/\u{e9}",
        "{% x %}",
        "${x}",
        "<?= x ?>/%7e",
        "<% x %>",
        "<#x>",
    ];
    let rules = &["http://old.example/\u{fc}/ http://new.example/"];
    for ((format, before, behind), code) in PLACES.iter().flat_map(|p| codes.map(|code| (p, code)))
    {
        let in_angles = cfg!(feature = "markdown") && before.ends_with('<');
        if in_angles && code.contains('<') {
            continue;
        }
        let page = |link: &str| format!("{before}{link}{code}{behind}");
        let heads = [
            "http://old.example/\u{fc}/",
            "HTTP://OLD.example/%C3%BC/",
            "http://o/",
        ];
        for head in heads {
            let source = page(head);
            let around = |text: &str| text.replace("'/\u{e9}'", "'/%C3%A9'");
            for form in [Form::Uri, Form::Iri] {
                let (new, notes) = rewritten(*format, &source, &mapping(form, &[]));
                let expected = if form == Form::Uri {
                    around(&source)
                } else {
                    source.clone()
                };
                assert_eq!(
                    (new, notes),
                    (expected, vec![Note::LeftTemplate]),
                    "{source}"
                );
            }
            let document = Document::new(source.as_bytes(), &settings(*format));
            let settings = settings(*format);
            let forms = Forms::new(document.info(), &settings);
            let link = document.links().last().expect("a link");
            assert_eq!(link.resolved(document.info()), None, "{source}");
            for form in [Form::Uri, Form::Iri] {
                assert_eq!(
                    forms.of(&link, form),
                    (None, Note::LeftTemplate.into()),
                    "{source}"
                );
            }
        }
        for head in &heads[..2] {
            let moved = page("http://new.example/");
            for form in [Form::Same, Form::Iri] {
                let found = rewritten(*format, &page(head), &mapping(form, rules));
                assert_eq!(found, (moved.clone(), vec![]), "{form:?} {}", page(head));
            }
        }
    }
}

/// A pattern may not take code away; a prefix that names it may.
#[test]
fn rules_and_code_of_templates() {
    let cases = [
        ("re:^http://h/[^?]*\\?.* /x", "http://h/a?{{b}}", None),
        ("re:^http://h/(.*)$ /$1.html", "http://h/<?= a ?>", None),
        (
            "re:^http://h/(.*)$ /z/$1",
            "http://h/<?= a ?>",
            Some("/z/<?= a ?>"),
        ),
        ("{{old}}/ {{new}}/", "{{old}}/a", Some("{{new}}/a")),
        ("http://h/ /", "//h/${a}", Some("/${a}")),
        ("http://h/{ /", "http://h/{{a}}", None),
    ];
    for (rule, reference, new) in cases {
        assert_eq!(
            ruled(&[rule]).apply(reference).as_deref(),
            new,
            "{rule} {reference}"
        );
    }
    let page = "<a href='http://h/a?{{b}}'>";
    for form in [Form::Same, Form::Uri] {
        let found = rewritten(Format::Html, page, &mapping(form, &[cases[0].0]));
        assert_eq!(found, (page.to_owned(), vec![Note::LeftTemplate]));
    }
    // Words of a list, of which the code in the midst has white space.
    let page = "<a href=/ ping='{{ a }} /\u{e9}'>";
    let (new, notes) = rewritten(Format::Html, page, &mapping(Form::Uri, &[]));
    assert_eq!(new, page.replace('\u{e9}', "%C3%A9"));
    assert_eq!(notes, [Note::LeftTemplate; 2]);
}

/// A base stays when a longer rule leads a part of its origin elsewhere: no relative link goes where no rule says.
#[test]
fn bases_whose_origin_is_parted_stay() {
    let whole = "http://old.example/ http://new.example/";
    let parts = [
        ("http://old.example/app/ http://app.example/", true),
        ("http://old.example/d/app http://old.example/d/app", true),
        ("http://old.example/app/ http://new.example/app/", false),
        ("http://old.example.net/ http://other.example/", false),
        ("re:^http://old.example/app/ http://app.example/", false),
    ];
    for (part, parted) in parts {
        let mapping = mapping(Form::Same, &[whole, part]);
        for base in [
            "http://old.example/",
            "http://old.example/d/e",
            "HTTP://OLD.example",
        ] {
            let html = format!("<base href='{base}'><a href='app/x'><a href='/app/x'><a href=y>");
            let xml = format!("<a xml:base='{base}'><b href='app/x'/><b href='/app/x'/></a>");
            for (format, page) in [(Format::Html, html), (Format::Xml, xml)] {
                let (new, notes) = rewritten(format, &page, &mapping);
                let left = if parted {
                    vec![Note::LeftTargetWouldChange]
                } else {
                    vec![]
                };
                assert_eq!(notes, left, "{part} in {page}");
                assert_eq!(new == page, parted, "{part} in {page}");
                let (before, after) = (targets(format, &page), targets(format, &new));
                for (before, after) in before.iter().zip(&after) {
                    let ruled = mapping.rules.apply(before);
                    assert!(
                        before == after || ruled.as_ref() == Some(after),
                        "{part}: {before} became {after}"
                    );
                }
            }
        }
    }
}

/// What the links of a document resolve to.
fn targets(format: Format, page: &str) -> Vec<String> {
    let settings = settings(format);
    let document = Document::new(page.as_bytes(), &settings);
    let targets = document.links().map(|link| link.resolved(document.info()));
    targets.map(|target| target.expect("a URL")).collect()
}
