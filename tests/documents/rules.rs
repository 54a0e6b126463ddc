//! Effects of rules in documents, combined with each other and with forms; and template code, which only rules move.

use crate::support;
use linkglot::format::Format;
use linkglot::notes::Note;
use linkglot::rewrite::{Form, Forms, Reach, Rewriter};
use linkglot::{Charset, Document, Settings};
use proptest::prelude::*;

fn rewriter(form: Form, rules: &[&str]) -> Rewriter {
    Rewriter::new().to(form).rules(support::rules(rules))
}

/// Returns the rewritten document, and the notes of links that were left.
fn rewritten(format: Format, source: &str, rewriter: &Rewriter) -> (String, Vec<Note>) {
    let mut notes = Vec::new();
    let rewriter = rewriter.clone().settings(settings(format));
    let watched = rewriter.on_link(|at, _| {
        notes.extend(at.notes.iter().filter(|_| at.new.is_none()));
    });
    let new = watched
        .rewrite_slice(source.as_bytes())
        .content
        .into_owned();
    (String::from_utf8(new).expect("UTF-8"), notes)
}

fn settings(format: Format) -> Settings {
    support::settings(format, "utf-8")
}

/// Places for a link, by the text around it.
const PLACES: &[(Format, &str, &str)] = &[
    (Format::Html, "<a href=\"", "\">"),
    (Format::Html, "<a href='/\u{e9}'><img src='", "'>"),
    (Format::Html, "<p style=\"a:url('", "')\">"),
    (Format::Css, "a{b:url(\"", "\")}"),
    (Format::Text, "see ", " there"),
    #[cfg(feature = "markdown")]
    (Format::Markdown, "[x](<", ">)"),
];

/// Template code stays in every place and both forms, with a note, and its target is unknown. A rule moves only the
/// text before the code.
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
                let (new, notes) = rewritten(*format, &source, &rewriter(form, &[]));
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
            let forms = Forms::new(&settings).of_document(document.info());
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
                let found = rewritten(*format, &page(head), &rewriter(form, rules));
                assert_eq!(found, (moved.clone(), vec![]), "{form:?} {}", page(head));
            }
        }
    }
}

/// Text that is code in one type of files is not code in others.
#[test]
fn code_by_the_type_of_a_file() {
    let page = "<a href=\"/{u}\u{e9}\"><a href='@(p ? \u{e9}'><a href='/#{u.id}/\u{e9}'><a href='/{$b}/\u{e9}'>\
        <a href='\u{e9}'>";
    let brace = ("/{u}\u{e9}", "/%7Bu%7D%C3%A9");
    let at = ("@(p ? \u{e9}", "@(p%20?%20%C3%A9");
    let cases = [
        ("a.svelte", vec![at], 3),
        ("a.astro", vec![at], 3),
        ("a.cshtml", vec![brace], 3),
        ("a.jsp", vec![brace, at], 2),
        ("a.html", vec![brace, at], 2),
    ];
    for (name, others, left) in cases {
        let mut settings = settings(Format::Html);
        settings.name = Some(name.to_owned());
        let expected = page.replace("'\u{e9}'", "'%C3%A9'");
        let expected = others.iter().fold(expected, |page, (before, after)| {
            page.replace(before, after)
        });
        let mut notes = Vec::new();
        let rewriter = rewriter(Form::Uri, &[]).settings(settings);
        let watched = rewriter.on_link(|at, _| {
            notes.extend(at.notes.iter().filter(|_| at.new.is_none()));
        });
        let new = watched.rewrite_slice(page.as_bytes()).content;
        assert_eq!(String::from_utf8_lossy(&new), expected, "{name}");
        assert_eq!(notes, vec![Note::LeftTemplate; left], "{name}");
    }
}

/// A pattern may not remove code; a prefix that contains it may.
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
            support::rules(&[rule]).apply(reference).as_deref(),
            new,
            "{rule} {reference}"
        );
    }
    let page = "<a href='http://h/a?{{b}}'>";
    for form in [Form::Same, Form::Uri] {
        let found = rewritten(Format::Html, page, &rewriter(form, &[cases[0].0]));
        assert_eq!(found, (page.to_owned(), vec![Note::LeftTemplate]));
    }
    // Words of a list; the code in the middle contains white space.
    let page = "<a href=/ ping='{{ a }} /\u{e9}'>";
    let (new, notes) = rewritten(Format::Html, page, &rewriter(Form::Uri, &[]));
    assert_eq!(new, page.replace('\u{e9}', "%C3%A9"));
    assert_eq!(notes, [Note::LeftTemplate; 2]);
}

/// A base stays if a longer rule leads a part of its origin elsewhere: otherwise relative links would go where no rule
/// leads.
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
        let (rules, rewriter) = (
            support::rules(&[whole, part]),
            rewriter(Form::Same, &[whole, part]),
        );
        for base in [
            "http://old.example/",
            "http://old.example/d/e",
            "HTTP://OLD.example",
        ] {
            let html = format!("<base href='{base}'><a href='app/x'><a href='/app/x'><a href=y>");
            let xml = format!("<a xml:base='{base}'><b href='app/x'/><b href='/app/x'/></a>");
            for (format, page) in [(Format::Html, html), (Format::Xml, xml)] {
                let (new, notes) = rewritten(format, &page, &rewriter);
                let left = if parted {
                    vec![Note::LeftTargetWouldChange]
                } else {
                    vec![]
                };
                assert_eq!(notes, left, "{part} in {page}");
                assert_eq!(new == page, parted, "{part} in {page}");
                let (before, after) = (targets(format, &page), targets(format, &new));
                for (before, after) in before.iter().zip(&after) {
                    let ruled = rules.apply(before);
                    assert!(
                        before == after || ruled.as_ref() == Some(after),
                        "{part}: {before} became {after}"
                    );
                }
            }
        }
    }
}

/// Targets of the links of a document.
fn targets(format: Format, page: &str) -> Vec<String> {
    let settings = settings(format);
    let document = Document::new(page.as_bytes(), &settings);
    let targets = document.links().map(|link| link.resolved(document.info()));
    targets.map(|target| target.expect("a URL")).collect()
}

/// The empty path of http is the root (RFC 3986 6.2.3), whatever follows it.
#[test]
fn the_root_may_be_left_out() {
    let rules = &[
        "http://old.example/ https://new.example/",
        "http://kept.example/ http://kept.example/",
        "http://host.example https://other.example",
        "foo://old.example/ foo://new.example/",
    ];
    let cases = [
        ("http://old.example", "https://new.example"),
        ("http://old.example?q", "https://new.example/?q"),
        ("HTTP://Old.Example#f", "https://new.example/#f"),
        ("//old.example?q", "https://new.example/?q"),
        ("http://old.example:80?q", "https://new.example/?q"),
        ("http://old.example:81?q", "http://old.example:81?q"),
        ("http://old.example.org?q", "http://old.example.org?q"),
        ("http://kept.example?q", "http://kept.example?q"),
        ("http://host.example?q", "https://other.example?q"),
        ("foo://old.example?q", "foo://old.example?q"),
    ];
    for (link, new) in cases {
        for form in [Form::Same, Form::Uri] {
            let page = |link: &str| format!("<a href=\"{link}\">");
            let result = rewritten(Format::Html, &page(link), &rewriter(form, rules));
            assert_eq!(result.0, page(new), "{link}");
            let again = rewritten(Format::Html, &result.0, &rewriter(form, rules));
            assert_eq!(again.0, result.0, "{link}");
        }
    }
}

/// Links in running text without a scheme match as written, or as the URIs that they stand for.
#[test]
fn rules_move_addresses_as_people_write_them() {
    let rewriter = rewriter(
        Form::Same,
        &[r"re:^mailto:(.*)@old\.org$ mailto:$1@new.org"],
    );
    let source = "user#1@old.org and 100%@old.org and ann@old.org";
    let (new, notes) = rewritten(Format::Text, source, &rewriter);
    assert_eq!(new, "user#1@new.org and 100%@new.org and ann@new.org");
    assert!(notes.is_empty(), "{notes:?}");
}

/// TO without a scheme keeps the scheme of the link, and a link without a scheme gets none, in whatever spelling.
#[test]
fn bare_hosts_stay_bare_in_any_spelling() {
    let rules = &[
        "old.com new.com",
        "b\u{fc}cher.com/a books.com/shop",
        "up.com https://top.com",
    ];
    for (source, expected) in [
        (
            "OLD.com old.com Old.com/p?q#f",
            "new.com new.com new.com/p?q#f",
        ),
        (
            "WWW.OLD.com http://OLD.com/x",
            "WWW.OLD.com http://new.com/x",
        ),
        (
            "xn--bcher-kva.com/a/b B\u{fc}cher.com/a",
            "books.com/shop/b books.com/shop",
        ),
        ("UP.com up.com", "https://top.com https://top.com"),
        ("old\u{3002}com", "new.com"),
    ] {
        let (new, notes) = rewritten(Format::Text, source, &rewriter(Form::Same, rules));
        assert_eq!(new, expected);
        assert!(notes.is_empty(), "{source}: {notes:?}");
        let (again, _) = rewritten(Format::Text, &new, &rewriter(Form::Same, rules));
        assert_eq!(again, new);
    }
}

#[test]
fn rules_name_hosts_behind_a_scheme_at_a_line_end() {
    let text = "see https://\nold.de/x, https://\nother.de and http://\r\na.old.de.\n";
    let rules = [
        "https://old.de/ https://new.de/",
        "http://a.old.de http://b.de",
    ];
    let moved = "see https://\nnew.de/x, https://\nother.de and http://\r\nb.de.\n";
    assert_eq!(
        rewritten(Format::Text, text, &rewriter(Form::Same, &rules)).0,
        moved
    );
}

#[test]
fn rules_see_implied_schemes() {
    let rules = &[
        "https://www.old.org/ https://new.org/",
        "https://old.org/keep/ https://old.org/keep/",
        "https://old.org/ http://new.org/\u{e9}/",
        "http://old.org/ http://plain.org/",
        "www.old.org/written/ www.new.org/",
        "kept.org/ kept.org/",
        "https://kept.org/ https://gone.org/",
        "mailto:ann@old.org mailto:ann@new.org",
        "mailto:eve@old.org https://new.org/eve",
        "re:^https://re\\.org/(\\d+)$ https://new.org/$1",
    ];
    let cases = [
        ("www.old.org/a?b#c", "https://new.org/a?b#c"),
        ("WWW.Old.org", "https://new.org"),
        ("old.org/x", "http://new.org/\u{e9}/x"),
        ("old.org/keep/x", "old.org/keep/x"),
        ("www.old.org/written/x", "www.new.org/x"),
        ("kept.org/x", "kept.org/x"),
        ("other.org/x", "other.org/x"),
        ("old.org:80/x", "old.org:80/x"),
        ("ann@old.org", "ann@new.org"),
        ("ANN@old.org", "ANN@old.org"),
        ("eve@old.org", "https://new.org/eve"),
        ("re.org/12", "https://new.org/12"),
        ("re.org/x", "re.org/x"),
    ];
    let places = [
        (Format::Text, "see ", " there"),
        (Format::Text, "(", "), www.b.org"),
        (Format::Html, "<p>", "</p>"),
    ];
    for ((format, head, tail), (before, after)) in places
        .into_iter()
        .flat_map(|place| cases.map(|case| (place, case)))
    {
        for form in [Form::Same, Form::Uri, Form::Iri] {
            let page = |link: &str| format!("{head}{link}{tail}");
            let rewriter = rewriter(form, rules);
            let expected = match form {
                Form::Uri => page(&after.replace('\u{e9}', "%C3%A9")),
                _ => page(after),
            };
            let (new, notes) = rewritten(format, &page(before), &rewriter);
            assert_eq!((&new, notes), (&expected, vec![]), "{form:?} {before}");
            assert_eq!(rewritten(format, &new, &rewriter).0, new, "twice");
        }
    }
    // In any spelling, on request.
    let rewriter = rewriter(
        Form::Same,
        &["https://www.old.org:443/%7Ea/ https://new.org/"],
    );
    let rewriter = rewriter.reach(Reach::Resolved);
    let (new, _) = rewritten(Format::Text, "www.old.org/~a/b", &rewriter);
    assert_eq!(new, "https://new.org/b");
}

/// Rules see the normal form of a link that they do not match as written, and its new form.
#[test]
fn rules_see_the_form() {
    let rules = &[
        "http://old.example/ http://n.example/",
        "http://old.example/~joe/ http://n.example/\u{fc}/",
    ];
    let cases = [
        (Form::Uri, r"http:\\old.example\x", "http://n.example/x"),
        (
            Form::Uri,
            "ht\ntp://old.example/\u{e9}",
            "http://n.example/%C3%A9",
        ),
        (
            Form::Uri,
            "http://\u{ff4f}ld.example/x",
            "http://n.example/x",
        ),
        (
            Form::Uri,
            "http://old\u{3002}example/x",
            "http://n.example/x",
        ),
        (Form::Iri, "http://%6fld.example/x", "http://n.example/x"),
        (
            Form::Iri,
            "http://%6fld.example/%7Ejoe/x",
            "http://n.example/\u{fc}/x",
        ),
        (Form::Same, r"http:\\old.example\x", "http://n.example/x"),
        (
            Form::Uri,
            r"http:\\other.example\x",
            "http://other.example/x",
        ),
        // The longest prefix goes first in any spelling.
        (
            Form::Same,
            "http://old.example/%7Ejoe/x",
            "http://n.example/\u{fc}/x",
        ),
    ];
    for (form, before, after) in cases {
        let page = |link: &str| format!("<a href='{link}'>");
        let (new, _) = rewritten(Format::Html, &page(before), &rewriter(form, rules));
        assert_eq!(new, page(after), "{form:?}");
    }
}

/// References, some of them matched by rules, in some spelling.
fn reference() -> impl Strategy<Value = String> {
    let schemes = [
        "http://",
        "HTTP://",
        r"http:\\",
        "ht\ntp://",
        "//",
        r"\\",
        "https://",
        "",
    ];
    let hosts = [
        "old.example",
        "\u{ff4f}ld.example",
        "old\u{3002}example",
        "%6fld.example",
        "OLD.example",
        "\u{e9}.example",
        "xn--9ca.example",
        "%C3%A9.example",
        "n.example",
        "Old.Example:80",
        "old.example:443",
        "xn--9CA.example:80",
        "www.old.org",
        "old.org",
    ];
    let parts = [
        "/", r"\", "/keep/", "/%6beep/", "/~joe/", "/%7Ejoe/", "/\u{e9}", "/%c3%a9", "/%C3%A9",
        "?\u{e9}", "#\u{e9}", "x", "%", "\t", "{{x}}",
    ];
    let parts = prop::collection::vec(prop::sample::select(parts.to_vec()), 0..5);
    let (schemes, hosts) = (schemes.to_vec(), hosts.to_vec());
    let head = (prop::sample::select(schemes), prop::sample::select(hosts));
    (head, parts).prop_map(|((scheme, host), parts)| format!("{scheme}{host}{}", parts.concat()))
}

/// Rules whose results no other rule matches.
fn some_rules() -> impl Strategy<Value = Vec<&'static str>> {
    prop::sample::subsequence(
        vec![
            "http://old.example/ http://n.example/",
            "http://old.example/keep/ http://old.example/keep/",
            "http://old.example/~joe/ http://n.example/\u{fc}/",
            "http://old.example/\u{e9} http://n.example/%C3%A9",
            "http://\u{e9}.example/ http://\u{e9}.example/\u{fc}/",
            "re:^http://old.example/(.*)x$ http://n.example/$1",
            "https://www.old.org/ https://www.old.org/\u{fc}/",
            "https://old.org/~joe/ http://n.org/",
            "old.org/ n.org/",
            "HTTP://Old.Example:80/%6Beep/ https://n.example/keep/",
            "old.example https://n.example",
            "\u{e9}.example/\u{e9} n.example/\u{fc}",
            "www.old.org www.n.org/\u{fc}",
            "http://old.example/%C3%A9/ n.example/x/",
        ],
        0..14,
    )
}

const CASES: u32 = if cfg!(debug_assertions) { 400 } else { 20_000 };

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, ..ProptestConfig::default() })]

    /// P5 with rules: a second run changes nothing.
    #[test]
    fn rules_and_forms_twice_are_once(
        links in prop::collection::vec(reference(), 1..4),
        rules in some_rules(),
        form in prop::sample::select(vec![Form::Same, Form::Uri, Form::Iri]),
        reach in prop::sample::select(vec![Reach::AnySpelling, Reach::Resolved]),
        place in prop::sample::select(PLACES),
    ) {
        let rewriter = rewriter(form, &rules).reach(reach);
        let (format, before, behind) = place;
        let page: String = links.iter().map(|link| format!("{before}{link}{behind}\n")).collect();
        let (once, _) = rewritten(format, &page, &rewriter);
        let (twice, _) = rewritten(format, &once, &rewriter);
        prop_assert_eq!(twice, once, "of {}", page);
    }
}

/// The display form has the requested host, whatever form the host is written in; the target is the same.
#[test]
fn hosts_of_display_forms() {
    use linkglot::rewrite::HostForm::{self, Keep, Percent, Punycode, Unicode};
    let (shown, punycode, percent) = ("\u{439}.ru", "xn--i1a.ru", "%D0%B9.ru");
    let cases: &[(HostForm, [&str; 3])] = &[
        (Punycode, [punycode; 3]),
        (Unicode, [shown; 3]),
        // Names of the DNS have a percent-encoded form only if not in punycode.
        (Percent, [percent, punycode, percent]),
        (Keep, [shown, punycode, shown]),
    ];
    for (host, after) in cases {
        let rewriter = rewriter(Form::Iri, &[]).host(*host);
        for (before, after) in [shown, punycode, percent].iter().zip(after) {
            for (head, tail) in [
                ("http://", "/%D0%B9"),
                ("//", ""),
                ("https://u@", ":8/?%D0%B9#x"),
            ] {
                let page = |host: &str, tail: &str| format!("<a href='{head}{host}{tail}'>");
                let (new, notes) = rewritten(Format::Html, &page(before, tail), &rewriter);
                let expected = page(after, &tail.replace("%D0%B9", "\u{439}"));
                assert_eq!(
                    (new, notes),
                    (expected.clone(), vec![]),
                    "{host:?} {before}"
                );
                assert_eq!(
                    rewritten(Format::Html, &expected, &rewriter).0,
                    expected,
                    "twice"
                );
            }
        }
    }
}

/// Only browsers take a backslash for a slash: other programs that read XML, and renderers of Markdown, do not.
#[test]
fn backslashes_are_slashes_only_to_browsers() {
    let rules = &["http://old.example/blog https://new.example/b"];
    let link = "http://old.example/blog\\x";
    let html = format!("<a href=\"{link}\">");
    let (moved, _) = rewritten(Format::Html, &html, &rewriter(Form::Same, rules));
    assert_eq!(moved, "<a href=\"https://new.example/b/x\">");
    let whole = &["http://old.example/ https://new.example/"];
    for (format, before, behind) in [
        (Format::Xml, "<a href=\"", "\"/>"),
        #[cfg(feature = "markdown")]
        (Format::Markdown, "[x](<", ">)"),
    ] {
        for reach in [Reach::AnySpelling, Reach::Resolved] {
            let page = |link: &str| format!("{before}{link}{behind}");
            let changed = |rules| {
                let rewriter = rewriter(Form::Same, rules).reach(reach);
                rewritten(format, &page(link), &rewriter).0
            };
            assert_eq!(changed(rules), page(link), "{reach:?}");
            assert_eq!(
                changed(whole),
                page("https://new.example/blog\\x"),
                "{reach:?}"
            );
        }
    }
}

/// A path that a rule would make a host is left, however the place writes its slashes.
#[test]
fn no_path_becomes_a_host() {
    let rules = &["http://old.example/ /", "/old/ /"];
    let cases = [
        (
            Format::Html,
            "<img src=\"http://old.example//wp-content/a.png\">",
        ),
        (Format::Html, "<img src=\"/old//cdn.example/a.png\">"),
        (Format::Html, "<img src=\"/old/\\cdn.example/a.png\">"),
        (Format::Html, "<img src=\"/old/&#x2f;cdn.example/a.png\">"),
        (Format::Html, "<img src=\"/old/&#9;/cdn.example/a.png\">"),
        (
            Format::Html,
            "<img srcset=\"/a.png 1x, /old//cdn.example/a.png 2x\">",
        ),
        (Format::Css, "a{b:url(/old//cdn.example/a.png)}"),
        (Format::Css, "a{b:url('/old/\\5c cdn.example/a.png')}"),
        (
            Format::Xml,
            "<a href=\"http://old.example//cdn.example/\"/>",
        ),
        #[cfg(feature = "markdown")]
        (Format::Markdown, "[x](http://old.example//cdn.example/)"),
    ];
    for (format, source) in cases {
        for form in [Form::Same, Form::Uri] {
            let found = rewritten(format, source, &rewriter(form, rules));
            let left = (source.to_owned(), vec![Note::LeftTargetWouldChange]);
            assert_eq!(found, left, "{form:?}");
        }
    }
    let resolved = rewriter(Form::Same, rules).reach(Reach::Resolved);
    let page =
        "<base href='http://old.example/'><a href='.//cdn.example/'><a href='//cdn.example/'>";
    let found = rewritten(Format::Html, page, &resolved);
    // The base is one of the two.
    let notes = vec![Note::LeftTargetWouldChange; 2];
    assert_eq!(found, (page.to_owned(), notes));
}

/// In a page whose queries are sent in its own charset a letter of the path is another octet than a letter of the
/// query, and rules see a query as it is sent.
#[test]
fn letters_of_queries_are_octets_of_the_page() {
    let moved = |rule: &str, link: &str| {
        let mut settings = settings(Format::Html);
        settings.charset = Some(Charset::WINDOWS_1252);
        let mut source = Vec::new();
        Charset::WINDOWS_1252
            .encode(&format!("<a href=\"{link}\">"), &mut source)
            .expect("windows-1252");
        let rewriter = rewriter(Form::Same, &[rule]).settings(settings);
        let new = rewriter.rewrite_slice(&source).content.into_owned();
        let new = Charset::WINDOWS_1252.decode(&new).into_owned();
        new["<a href=\"".len()..new.len() - "\">".len()].to_owned()
    };
    let host = "http://old.example/ https://new.example/";
    let cases = [
        // Letters keep their place.
        (
            host,
            "http://old.example/é?x=é",
            "https://new.example/é?x=é",
        ),
        // From the path into the query, and back.
        (r"re:^/w/(.*)$ /i?t=$1", "/w/café", "/i?t=caf%C3%A9"),
        (r"re:^/w/(.*)$ /i?t=$1", "/w/caf%C3%A9", "/i?t=caf%C3%A9"),
        (r"re:^/p\?x=(.*)$ /p/$1", "/p?x=é", "/p/%E9"),
        // Letters of a rule are UTF-8.
        ("/w/é /?k=é", "/w/é", "/?k=%C3%A9"),
        ("/w/é /é", "/w/é", "/é"),
        // A rule for a query names its octets.
        ("/p?x=%E9 /l", "/p?x=é", "/l"),
        ("/p?x=%E9 /l", "/p?x=%E9", "/l"),
        ("/p?x=%C3%A9 /u", "/p?x=é", "/p?x=é"),
    ];
    for (rule, link, expected) in cases {
        assert_eq!(moved(rule, link), expected, "{rule}: {link}");
    }
}
