//! Every row of the vocabularies, in a document made for it: a place that holds links is found and rewritten, a place
//! that holds none (or identifiers) is not touched. Every row of the shared tables has a row here, or a reason why not.

mod documents;
mod tables;

use documents::{Made, Row, html_rows, xml_rows};
use linkglot::document::{Document, Settings};
use linkglot::rewrite::{Form, Rewriter, Rules};
use linkglot::{Access, Charset, Vocabulary};

fn settings(row: &Row, made: &Made, charset: Charset) -> Settings {
    let mut settings = Settings::default();
    settings.format = Some(made.format);
    settings.charset = Some(charset);
    settings.identifiers = true;
    if row.access == "opt-in" {
        settings.vocabulary = Vocabulary::default().with_opt_ins();
    }
    settings
}

fn encoded(text: &str, charset: Charset) -> Vec<u8> {
    let mut bytes = Vec::new();
    charset
        .encode(text, &mut bytes)
        .expect("a character that the charset has");
    bytes
}

fn rewritten(bytes: &[u8], settings: &Settings, rewriter: &Rewriter) -> Vec<u8> {
    let rewriter = rewriter.clone().settings(settings.clone());
    rewriter.rewrite_slice(bytes).content.into_owned()
}

fn moved() -> Rewriter {
    let mut rules = Rules::default();
    let rule = format!("{}/ http://new.example/", documents::HOST);
    rules.add(&rule).expect("a rule");
    Rewriter::new().rules(rules)
}

/// The accesses of the links in the row's place, including nested ones.
fn accesses(bytes: &[u8], settings: &Settings, made: &Made) -> Vec<Access> {
    let document = Document::new(bytes, settings);
    let links = document.links().filter(|link| {
        let place = link.place();
        let named = place.name.as_deref() == Some(&*made.attribute)
            || made.attribute == "#text" && place.name.is_none();
        let outer = link.nesting().first().map(|name| &**name);
        (named && place.element.as_deref() == Some(&*made.element))
            || outer == Some(&*made.attribute)
            || made.attribute == "#text" && outer == Some(&*made.element)
    });
    links.map(|link| link.access()).collect()
}

fn check(row: &Row, charset: Charset) {
    let made = row.document();
    let what = format!("{}\n{}\n{}", row.line, charset.name(), made.text);
    let bytes = encoded(&made.text, charset);
    let settings = settings(row, &made, charset);
    let found = accesses(&bytes, &settings, &made);
    let expected = match row.access {
        "rewrite" | "opt-in" => Some(Access::Rewrite),
        "rules" => Some(Access::Rules),
        "list" => Some(Access::Identifier),
        "counted" => Some(Access::Counted),
        _ => None,
    };
    match expected {
        Some(access) => {
            assert_eq!(found.len(), made.links, "{what}");
            assert!(
                found.iter().all(|found| *found == access),
                "{found:?} {what}"
            );
        }
        None => assert!(found.is_empty(), "{found:?} {what}"),
    }
    let text = |bytes: &[u8]| charset.decode(bytes).into_owned();
    let to_uri = text(&rewritten(
        &bytes,
        &settings,
        &Rewriter::new().to(Form::Uri),
    ));
    let mapped = text(&rewritten(&bytes, &settings, &moved()));
    let mut unasked = settings.clone();
    unasked.identifiers = false;
    let unasked = text(&rewritten(&bytes, &unasked, &moved()));
    let escaped = match expected {
        Some(Access::Rewrite) => made.text.replace('\u{e9}', "%C3%A9"),
        _ => made.text.clone(),
    };
    let new = made.text.replace(documents::HOST, "http://new.example");
    let (relocated, kept) = match expected {
        Some(Access::Identifier) => (new, made.text.clone()),
        Some(Access::Counted) => (made.text.clone(), made.text.clone()),
        Some(_) => (new.clone(), new),
        None => (made.text.clone(), made.text.clone()),
    };
    assert_eq!(
        made.without_context(&to_uri),
        made.without_context(&escaped),
        "{what}"
    );
    assert_eq!(
        made.without_context(&mapped),
        made.without_context(&relocated),
        "{what}"
    );
    assert_eq!(
        made.without_context(&unasked),
        made.without_context(&kept),
        "{what}"
    );
}

const CHARSETS: &[&str] = &["utf-8", "windows-1252", "utf-16le"];

fn check_all(rows: &[Row]) {
    for label in CHARSETS {
        let charset = Charset::for_label(label).expect("a label");
        rows.iter().for_each(|row| check(row, charset));
    }
}

#[test]
fn each_row_of_html() {
    let rows = html_rows();
    assert!(rows.len() > 290, "{} rows", rows.len());
    check_all(&rows);
}

#[test]
fn each_row_of_xml() {
    let rows = xml_rows();
    assert!(rows.len() > 500, "{} rows", rows.len());
    check_all(&rows);
}

#[test]
fn opt_ins_do_not_count_unless_asked_for() {
    let rows = html_rows().into_iter().chain(xml_rows());
    for row in rows.filter(|row| row.access == "opt-in") {
        let made = row.document();
        let mut settings = settings(&row, &made, Charset::UTF_8);
        settings.vocabulary = Vocabulary::default();
        let found = accesses(made.text.as_bytes(), &settings, &made);
        assert!(found.is_empty(), "{}", row.line);
    }
}
