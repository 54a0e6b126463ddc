//! Text right before and after an edit may form markup together with it: whatever a rule writes, everything that holds
//! links still ends in the same place (P2, P3).

use linkglot::format::Format;
use linkglot::rewrite::{Form, Rewriter, Rules};
use linkglot::{Charset, CommentSlots, Document, Settings, TextSlots};
use proptest::prelude::*;

/// Holders of a link: the format, and the text before and after the pieces.
const HOLDERS: &[(Format, &str, &str)] = &[
    (Format::Html, "<!--[if IE]><a href=", ">x</a><![endif]-->"),
    (Format::Html, "<!--[if IE]><a href='", "'>x</a><![endif]-->"),
    (Format::Html, "<!--", "-->"),
    (Format::Html, "<!-- see ", " x -->"),
    (Format::Html, "<a href=", ">x</a>"),
    (Format::Html, "<img srcset=", ">"),
    (Format::Html, "<p style='a:url(", ")'>"),
    (Format::Html, "<style>a{b:url(", ")}</style>"),
    (Format::Html, "<style>a{b:url(\"", "\")}</style>"),
    (
        Format::Html,
        "<script type=application/ld+json>{\"url\":\"",
        "\"}</script>",
    ),
    (Format::Html, "<svg><style>a{b:url(", ")}</style></svg>"),
    (
        Format::Html,
        "<svg><style><![CDATA[a{b:url(",
        ")}]]></style></svg>",
    ),
    (Format::Html, "<svg><text><![CDATA[", "]]></text></svg>"),
    (Format::Html, "<p>", "</p>"),
    (Format::Html, "<xmp>", "</xmp>"),
    (Format::Html, "<textarea>", "</textarea>"),
    (
        Format::Html,
        "<iframe srcdoc='<!--[if IE]><img src=",
        "><![endif]-->'>",
    ),
    (
        Format::Xml,
        "<description><![CDATA[<a href=",
        ">x</a>]]></description>",
    ),
    (Format::Xml, "<description>&lt;a href=", "></description>"),
    (Format::Xml, "<p>", "</p>"),
    (Format::Xml, "<p><![CDATA[", "]]></p>"),
    (Format::Xml, "<!--", "-->"),
    (Format::Xml, "<?xml-stylesheet href=\"", "\"?>"),
    (Format::Xml, "<style><![CDATA[a{b:url(", ")}]]></style>"),
    (Format::Xml, "<style>a{b:url('", "')}</style>"),
    (Format::Xml, "<p style=\"a:url(", ")\"/>"),
];

/// Values without quotes, or with too few or too many quotes.
const UNQUOTED: &[(Format, &str, &str)] = &[
    (Format::Html, "<a href=", ">x</a>"),
    (Format::Html, "<a href=", "/>"),
    (Format::Html, "<a href= ", " id=b>"),
    (Format::Html, "<a id=a href=", "\tid=b c"),
    (Format::Html, "<a href=\"", ">x</a>"),
    (Format::Html, "<a href='", "'id=b>"),
    (Format::Html, "<object classid=a data=", " archive=b>"),
    (Format::Html, "<img srcset=", " sizes=a>"),
    (Format::Html, "<a ping=", ">"),
    (Format::Html, "<meta http-equiv=refresh content=0;url=", ">"),
    (Format::Html, "<p style=a:url(", ")>"),
    (Format::Html, "<iframe srcdoc=<img/src=", ">"),
    (Format::Html, "<svg><image xlink:href=", "/>"),
    (Format::Xml, "<a href=", ">x</a>"),
    (Format::Xml, "<a href=", "/>"),
    (Format::Xml, "<a href= ", " id=b>"),
    (Format::Xml, "<a id=a href=", "\tid='b'/>"),
    (Format::Xml, "<a href=\"", ">x</a>"),
    (Format::Xml, "<a href=\"", "\"id=\"b\"/>"),
    (Format::Xml, "<a href '", "'/>"),
    (Format::Xml, "<a 'b' href='", "'/>"),
    (Format::Xml, "<img src=", " href=''/>"),
    (Format::Xml, "<?xml-stylesheet href=", "?>"),
    (Format::Xml, "<link>", "<link/>"),
    (Format::Xml, "<p style=a:url(", ")/>"),
];

/// Text next to links, or written by rules: parts of the ends of markup.
const BITS: &[&str] = &[
    "",
    "",
    "-",
    "--",
    "->",
    "-->",
    "--!",
    "!>",
    ">",
    "<",
    "</",
    "<!",
    "<!--",
    "]",
    "]]",
    "]>",
    "]]>",
    "?",
    "?>",
    "*/",
    "\\",
    "&",
    "&a",
    "&lt",
    "amp;",
    "lt;",
    "#60;",
    ";",
    "'",
    "\"",
    " ",
    "\t",
    "style",
    "script>",
    "</xmp>",
    "title",
    "a",
    "b1",
    "\u{e9}",
    "%C3%A9",
    "%2D%2D",
    "%5D%5D",
    "%3E",
    "<![endif]",
    "[if",
    "a.example",
    "/",
    "/>",
    "=",
    "`",
    "\" b=\"",
];

fn bits(most: usize) -> impl Strategy<Value = String> {
    let bit = prop::sample::select(BITS);
    prop::collection::vec(bit, 0..=most).prop_map(|bits| bits.concat())
}

fn settings(format: Format) -> Settings {
    let mut settings = Settings::default();
    settings.format = Some(format);
    settings.charset = Some(Charset::UTF_8);
    settings.text = TextSlots::All;
    settings.comments = CommentSlots::All;
    settings
}

/// A link after everything else, which is lost if something does not end in its place.
const LAST: &str = "<a href='http://last.example/'>http://end.example/</a>";

/// A document with pieces in a holder.
fn document(holder: (Format, &str, &str), pieces: &str) -> String {
    let (format, open, close) = holder;
    match format {
        Format::Xml if open.starts_with("<?") => format!("{open}{pieces}{close}<p>{LAST}</p>"),
        Format::Xml if open.starts_with("<description") => {
            format!("<rss><channel><item>{open}{pieces}{close}{LAST}</item></channel></rss>")
        }
        Format::Xml => {
            format!("<html xmlns='http://www.w3.org/1999/xhtml'>{open}{pieces}{close}{LAST}</html>")
        }
        _ => format!("{open}{pieces}{close}{LAST}"),
    }
}

/// For each link its place and text, and the offset of its first byte.
fn links(page: &[u8], settings: &Settings) -> Vec<(String, String, u64)> {
    let document = Document::new(page, settings);
    let seen = document.links().map(|link| {
        let place = format!("{:?}", link.place());
        (place, link.text().to_owned(), link.span().start)
    });
    seen.collect()
}

/// Rewrites and reads again: the links are the same, in the places and with the texts that the rewrite reported.
fn refound(page: &str, settings: &Settings, rewriter: &Rewriter) -> Result<(), String> {
    let mut expected = links(page.as_bytes(), settings);
    let (mut edits, mut changed) = (Vec::new(), Vec::new());
    let rewriter = rewriter.clone().settings(settings.clone());
    let watched = rewriter.on_link(|outcome, _| {
        edits.extend(outcome.edits.iter().cloned());
        let start = outcome.link.span().start;
        changed.extend(outcome.new.map(|new| (start, new.to_owned())));
    });
    let new = watched.rewrite_slice(page.as_bytes()).content;
    if changed.is_empty() {
        return Ok(());
    }
    for (_, text, start) in &mut expected {
        if let Some((_, new)) = changed.iter().find(|(at, _)| at == start) {
            text.clone_from(new);
        }
        let before = edits
            .iter()
            .filter(|edit| edit.span.end <= *start && edit.span.start < *start);
        *start = before.fold(*start, |at, edit| {
            at + edit.bytes.len() as u64 - edit.span.len()
        });
    }
    let found = links(&new, settings);
    if found == expected {
        Ok(())
    } else {
        Err(format!(
            "{page:?} became {:?}: {found:?}, not {expected:?}",
            String::from_utf8_lossy(&new)
        ))
    }
}

fn rewriter(form: Form, rule: Option<(&str, &str)>) -> Rewriter {
    let mut rules = Rules::default();
    if let Some((from, to)) = rule {
        // An invalid rule leaves nothing to check.
        let _ = rules.add(&format!("{from} {to}"));
    }
    Rewriter::new().to(form).rules(rules)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 1_000 } else { 20_000 }))]

    #[test]
    fn what_rules_write_ends_nothing(
        holder in prop::sample::select(HOLDERS),
        (before, within, behind) in (bits(2), bits(3), bits(2)),
        (begin, end) in (bits(2), bits(3)),
        whole in any::<bool>(),
    ) {
        let page = document(holder, &format!("{before}http://s.example/{within}{behind}"));
        let to = if whole { format!("{begin}$1{end}") } else { format!("http://n.example/{end}$1{begin}") };
        let rewriter = rewriter(Form::Same, Some(("re:http://s\\.example/(.*)", &to)));
        refound(&page, &settings(holder.0), &rewriter).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn what_rules_write_into_values_without_quotes_is_found_again(
        holder in prop::sample::select(UNQUOTED),
        (before, within, behind) in (bits(1), bits(2), bits(1)),
        (begin, end) in (bits(2), bits(2)),
        resource in prop::sample::select(&["", "s", "/s", "http://s.example/", "s/"][..]),
    ) {
        let page = document(holder, &format!("{before}{resource}{within}{behind}"));
        let rule = ("re:^(.*s.*)$", &*format!("{begin}$1{end}"));
        let rewriter = rewriter(Form::Same, Some(rule));
        refound(&page, &settings(holder.0), &rewriter).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn other_forms_end_nothing(
        holder in prop::sample::select(HOLDERS),
        pieces in bits(3),
        behind in bits(3),
        to_iri in any::<bool>(),
    ) {
        let page = document(holder, &format!("http://s.example/{pieces}\u{e9}%C3%A9{behind}"));
        let form = if to_iri { Form::Iri } else { Form::Uri };
        let rewriter = rewriter(form, None);
        refound(&page, &settings(holder.0), &rewriter).map_err(TestCaseError::fail)?;
    }
}

/// An added end of a CDATA section does not compensate for a removed quotation mark.
#[test]
fn an_end_of_cdata_does_not_make_up_for_a_quotation_mark() {
    let holder = (
        Format::Xml,
        "<description><![CDATA[<a href=",
        ">x</a>]]></description>",
    );
    let page = document(holder, "http://s.example/'");
    let rewriter = rewriter(Form::Same, Some(("re:http://s\\.example/(.*)", "$1]]")));
    refound(&page, &settings(Format::Xml), &rewriter).unwrap();
}

/// A byte that stays next to an edit, on each side, in everything that the two could end.
#[test]
fn bytes_beside_edits() {
    let cases = [
        (
            0,
            "http://s.example/x-->",
            "http://s.example/x http://s.example/--",
        ),
        (
            2,
            "http://s.example/>",
            "http://s.example/ http://n.example/--",
        ),
        (
            11,
            "http://s.example/]>",
            "http://s.example/ http://n.example/]",
        ),
        (
            17,
            "http://s.example/",
            "http://s.example/ http://n.example/]]",
        ),
        (
            21,
            "http://s.example/",
            "http://s.example/ http://n.example/-",
        ),
        (
            23,
            "http://s.example/]>",
            "http://s.example/ http://n.example/]",
        ),
        (4, "http://s.example/'x", "re:http://s.example/(.*) $1"),
    ];
    for (holder, pieces, rule) in cases {
        let page = document(HOLDERS[holder], pieces);
        let (from, to) = rule.split_once(' ').expect("a rule");
        let rewriter = rewriter(Form::Same, Some((from, to)));
        refound(&page, &settings(HOLDERS[holder].0), &rewriter).unwrap();
    }
}

/// Quotation marks, slashes and question marks that rules write into values without quotes or without an end.
#[test]
fn marks_in_xml_that_is_not_well_formed() {
    let cases = [
        ("<?xml-stylesheet href=", "s>", "?>", "$1/"),
        ("<?xml-stylesheet href=", "s->", "?>", "$1?"),
        ("<a href=", "'s", ">x</a>", "?$1"),
        ("<a href=", "'s", ">x</a>", "/$1"),
        ("<a href=", "\"s", ">x</a>", "$1\"?"),
        ("<a href=", "s'", ">x</a>", "$1/"),
        (
            "<a href=\"",
            "s",
            "><p><![CDATA[http://s.example/]]></p>",
            "$1\"",
        ),
        ("<a href=\"", "s", "><?xml-stylesheet href='s'?>", "$1\""),
        ("<a href=\"", "s", ">http://s.example/</a>", "$1\""),
    ];
    for (open, pieces, close, to) in cases {
        let page = document((Format::Xml, open, close), pieces);
        let rewriter = rewriter(Form::Same, Some(("re:^(.*s.*)$", to)));
        refound(&page, &settings(Format::Xml), &rewriter).unwrap();
    }
    // In well-formed XML a rule may write all of these, as references.
    let page = document((Format::Xml, "<a href='", "'/>"), "s");
    let rewriter = rewriter(Form::Same, Some(("re:^s$", "/'\"?")));
    let settings = settings(Format::Xml);
    let rewriter = rewriter.settings(settings.clone());
    let rewritten = rewriter.rewrite_slice(page.as_bytes());
    let texts = links(&rewritten.content, &settings);
    assert_eq!(texts[0].1, "/'\"?");
}
