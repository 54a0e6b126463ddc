//! Settings of a caller: kinds, schemes, top-level domains.

use linkglot::Charset;
use linkglot_scan::{Breaks, Hit, Kind, Profile, Scanner, State};
use proptest::prelude::*;

fn links(scanner: &Scanner, text: &str) -> Vec<String> {
    let links = scanner.links(text).map(|hit| hit.link(text).into_owned());
    links.collect()
}

#[test]
fn names_are_added_to_those_of_earlier_calls() {
    let scanner = Scanner::default()
        .add_schemes(["issue"])
        .add_schemes(["Ticket"]);
    assert_eq!(
        links(&scanner, "issue:12 ticket:34"),
        ["issue:12", "ticket:34"]
    );
    let scanner = Scanner::default()
        .refuse_schemes(["file"])
        .refuse_schemes(["http"]);
    let text = "file:///a http://a.org/ ftp://a.org/";
    assert_eq!(links(&scanner, text), ["ftp://a.org/"]);
    let scanner = Scanner::default()
        .top_level_domains(["corp"])
        .top_level_domains(["test"]);
    assert_eq!(links(&scanner, "a.corp b.test"), ["b.test"]);
}

#[test]
fn names_may_have_delimiters() {
    let scanner = Scanner::default()
        .add_schemes(["issue:"])
        .refuse_schemes(["HTTP://", "tel:"]);
    assert_eq!(
        links(&scanner, "issue:12 http://a.org/ tel:+15551234567"),
        ["issue:12"]
    );
    let scanner = Scanner::default().top_level_domains([".corp", "test."]);
    assert_eq!(links(&scanner, "a.corp b.test c.com"), ["a.corp", "b.test"]);
}

#[test]
fn both_forms_of_a_top_level_domain_are_known() {
    for name in ["рф", "РФ", "xn--p1ai", "XN--P1AI", ".рф"] {
        let scanner = Scanner::default().top_level_domains([name]);
        let text = "пример.рф xn--e1afmkfd.xn--p1ai example.com";
        assert_eq!(
            links(&scanner, text),
            ["пример.рф", "xn--e1afmkfd.xn--p1ai"],
            "{name}"
        );
    }
}

#[test]
fn parts_of_refused_links_are_no_links() {
    let cases: &[(&str, &str, &[&str])] = &[
        ("mailto", "mailto:c@d.de and e@f.de", &["e@f.de"]),
        ("https", "https://user@a.de/b@c.de https.de", &["https.de"]),
        ("javascript", "javascript://a.de/%0Ahttp://b.de/", &[]),
        ("http", "<http://a.de/\nb.de/c> b.de", &["b.de"]),
        (
            "ftp",
            "http://a.de/ftp://b.de/",
            &["http://a.de/ftp://b.de/"],
        ),
    ];
    for (refused, text, found) in cases {
        let scanner = Scanner::default().refuse_schemes([*refused]);
        assert_eq!(links(&scanner, text), *found, "{text}");
    }
    let flowed = Scanner::default()
        .join(Breaks::FLOWED)
        .refuse_schemes(["javascript"]);
    assert_eq!(links(&flowed, "java \nscript://a.de/b.de"), [""; 0]);
    let uts58 = Scanner::new(Profile::Uts58).refuse_schemes(["http"]);
    assert_eq!(
        links(&uts58, "http://a.de/ https://b.de/"),
        ["https://b.de/"]
    );
}

#[test]
fn a_charset_decodes_text_without_references() {
    for (label, text) in [
        ("shift_jis", "参照はhttp://example.org/日本語。"),
        ("windows-1251", "см. http://пример.рф/путь, ok"),
        ("utf-8", "http://a.org/?a&amp;b"),
    ] {
        let charset = Charset::for_label(label).unwrap();
        let (mut bytes, mut hits) = (Vec::new(), Vec::new());
        charset.encode(text, &mut bytes).unwrap();
        let scanner = Scanner::default();
        scanner.scan(&bytes, true, &charset, &mut State::default(), &mut hits);
        let found: Vec<_> = hits.iter().map(|hit| hit.text().into_owned()).collect();
        assert_eq!(found, links(&scanner, text), "{label}");
        assert_eq!(found.len(), 1, "{label}");
    }
}

const PIECES: &[&str] = &[
    "http://",
    "https://",
    "ftp://",
    "mailto:",
    "tel:+1555123",
    "javascript:",
    "www.",
    "a",
    "example.org",
    "b@c.de",
    ".de",
    "@",
    ":",
    "/",
    "?",
    "#",
    "<",
    ">",
    "\"",
    "(",
    ")",
    " ",
    " ",
    "\n",
    " \n",
    "\n> ",
    "é",
    "。",
    "日本",
    ".",
];

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..16).prop_map(|pieces| pieces.concat())
}

/// The ranges of the links in bytes given in pieces.
fn in_pieces(scanner: &Scanner, text: &str, length: usize) -> Vec<(usize, usize)> {
    let (mut state, mut found) = (State::default(), Vec::new());
    let (mut from, mut to) = (0, 0);
    while to < text.len() || from == 0 && to == 0 {
        to = (to + length).min(text.len());
        let (last, mut hits) = (to == text.len(), Vec::new());
        let window = &text.as_bytes()[from..to];
        let keep = scanner.scan(window, last, &Charset::UTF_8, &mut state, &mut hits);
        found.extend(
            hits.iter()
                .map(|hit| (from + hit.range.start, from + hit.range.end)),
        );
        if last {
            break;
        }
        from += keep;
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Refusing schemes or kinds removes links, and leaves all other links unchanged.
    #[test]
    fn choices_only_remove_links(
        text in text(),
        refused in prop::sample::subsequence(&["http", "https", "mailto", "tel", "ftp"][..], 0..4),
        breaks in prop::sample::select(&[Breaks::NONE, Breaks::FLOWED, Breaks::WRAPPED][..]),
        profile in prop::sample::select(&[Profile::Extended, Profile::Scheme, Profile::Uts58][..]),
        length in 1usize..40,
    ) {
        let all = Scanner::new(profile).join(breaks);
        let stays = |hit: &Hit| {
            let scheme = hit.scheme(&text).to_ascii_lowercase();
            hit.kind != Kind::Absolute || !refused.contains(&&*scheme)
        };
        let expected: Vec<_> = all.links(&text).filter(stays).collect();
        let some = all.clone().refuse_schemes(refused.iter().copied());
        prop_assert_eq!(&some.links(&text).collect::<Vec<_>>(), &expected);
        let spans: Vec<_> = expected.iter().map(|hit| (hit.span.start, hit.span.end)).collect();
        prop_assert_eq!(in_pieces(&some, &text, length), spans);
        let mails = all.clone().kinds([Kind::Email]);
        let expected: Vec<_> = all.links(&text).filter(|hit| hit.kind == Kind::Email).collect();
        prop_assert_eq!(mails.links(&text).collect::<Vec<_>>(), expected);
    }
}
