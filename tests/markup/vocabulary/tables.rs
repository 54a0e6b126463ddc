//! The shared tables against the vocabularies: each of their places has a row, or a reason for having none.

use super::documents::{Row, html_rows, xml_rows};
use std::path::{Path, PathBuf};

/// Places of the table for HTML that have no row of their own.
const HTML_WITHOUT_ROW: &[(&str, &str, &str)] = &[
    ("noscript", "#text", "its content is read as markup"),
    ("template", "#text", "its content is read as markup"),
    (
        "#comment",
        "[if ...]",
        "read on request: `--also conditional`",
    ),
    ("#comment", "#text", "read on request: `--also comments`"),
    ("#text", "#bare-link", "running text is read by the scanner"),
    ("!doctype", "system", "an identifier that HTML does not use"),
];

/// Places of the table for XML that have no row of their own: namespace, element, attribute (each as a pattern).
const XML_WITHOUT_ROW: &[(&str, &str, &str, &str)] = &[
    ("(any)", "*", "xmlns*", "declarations are never slots"),
    (
        "*/XML/1998/namespace",
        "*",
        "xml:*",
        "no links: without a row nothing is touched",
    ),
    (
        "(prolog)",
        "!DOCTYPE",
        "*",
        "the tokenizer lists system identifiers",
    ),
    (
        "(internal subset)",
        "!*",
        "*",
        "the tokenizer lists system identifiers and replacement texts",
    ),
    ("(prolog)", "?xml", "*", "no links"),
    ("(any)", "?mso-application etc.", "*", "no links"),
    (
        "*/1999/xlink",
        "*",
        "*",
        "no links but href, role and arcrole",
    ),
    ("*/XInclude", "include", "*", "no links but href"),
    (
        "*/XMLSchema-instance",
        "*",
        "*",
        "no links but the locations",
    ),
    (
        "*/1999/xhtml",
        "*",
        "(see *",
        "XHTML goes by the vocabulary of HTML",
    ),
    (
        "*/Atom",
        "*",
        "type=xhtml",
        "inline markup, read as what it is",
    ),
    (
        "urn:oasis:names:tc:opendocument:xmlns:of*",
        "*",
        "*",
        "the row for table:formula",
    ),
    (
        "*/spreadsheetml/*",
        "hyperlink",
        "r:id",
        "an ID of .rels, no link",
    ),
    ("*/drawingml/*", "*", "r:*", "IDs of .rels, no links"),
    (
        "*/XSL/Transform",
        "namespace-alias",
        "\\*",
        "rows for its attributes",
    ),
    (
        "*/XSL/Transform",
        "stylesheet",
        "\\*",
        "rows for its attributes",
    ),
    (
        "*/XSL/Transform",
        "(literal*",
        "*",
        "the tokenizer takes single values there for templates",
    ),
    ("(none) DITA", "*", "conreaction", "no link"),
    (
        "*/mods/v3",
        "*",
        "attr",
        "rows for valueURI and authorityURI",
    ),
    ("(none) TMX", "*", "*", "no links"),
    ("*/there.is.only.xul", "*", "label*", "no links"),
    ("*/xap/1.0/mm/", "*", "*", "identifiers"),
    (
        "*/apk/res/android",
        "*",
        "*",
        "no whole link stands in one of them",
    ),
    (
        "(any)",
        "*",
        "any attribute*",
        "the row for any attribute whose whole value is a link",
    ),
];

/// A row of a shared table.
struct Shared {
    number: usize,
    columns: Vec<String>,
}

fn table(name: &str) -> Option<Vec<Shared>> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    let folder = std::env::var_os("LINKGLOT_SHARED").map_or(beside, PathBuf::from);
    let Ok(text) = std::fs::read_to_string(folder.join("spec").join(name)) else {
        eprintln!("skipped: {name} is not here");
        return None;
    };
    let lines = text
        .lines()
        .enumerate()
        .skip(1)
        .filter(|(_, line)| !line.is_empty());
    let rows = lines.map(|(index, line)| Shared {
        number: index + 1,
        columns: line.split('\t').map(str::to_owned).collect(),
    });
    Some(rows.collect())
}

/// True if a pattern with `*` at an end (or a `\*`, which stands for the character) matches a name.
fn matches(pattern: &str, name: &str) -> bool {
    match pattern {
        "\\*" => name == "*",
        "*" => true,
        _ => match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
            (Some(tail), None) => name.ends_with(tail),
            (None, Some(head)) => name.starts_with(head),
            (Some(_), Some(_)) => name.contains(pattern.trim_matches('*')),
            (None, None) => name == pattern,
        },
    }
}

fn names(column: &str) -> Vec<&str> {
    column.split('|').map(str::trim).collect()
}

#[test]
fn every_row_of_the_shared_table_for_html() {
    let Some(table) = table("html_url_attributes.tsv") else {
        return;
    };
    let rows = html_rows();
    assert!(table.len() > 290);
    for shared in table {
        let (element, attribute) = (&shared.columns[0], &shared.columns[1]);
        let same = |ours: &str, theirs: &str| ours.eq_ignore_ascii_case(theirs);
        let explained = HTML_WITHOUT_ROW.iter().any(|(known, name, reason)| {
            same(known, element) && same(name, attribute) && !reason.is_empty()
        });
        let own = |row: &&Row| same(row.element, element) && same(row.attribute, attribute);
        let own: Vec<&Row> = rows.iter().filter(own).collect();
        assert_ne!(
            own.is_empty(),
            !explained,
            "line {}: {element} {attribute}",
            shared.number
        );
        if !explained {
            check_html(&shared, &own);
        }
    }
}

/// Checks that rows agree with the table: a row has its syntax, and its access if the table forbids rewriting.
fn check_html(shared: &Shared, own: &[&Row]) {
    let (syntax, condition) = (&*shared.columns[2], &*shared.columns[4]);
    let allowed: &[&str] = match syntax {
        "single" => &["single", "base", "template"],
        "id-ref-not-url" => &["none"],
        "other:csp" | "other:permissions-policy" => &["policy"],
        "other:json" => &["json", "importmap", "speculationrules"],
        "other:curie-or-iri" | "other:curie" | "other:urn" | "other:identifier" => &["absolute"],
        "other:curie-list" | "other:prefix-list" => &["absolute-list"],
        "other:semicolon-list" => &["semicolon-list"],
        other if other.starts_with("other:") => &["none"],
        "space-list" => &["space-list", "absolute-list"],
        other => &[other],
    };
    let fitting: Vec<&&Row> = own
        .iter()
        .filter(|row| allowed.contains(&row.syntax))
        .collect();
    assert!(
        !fitting.is_empty(),
        "line {}: no row with {syntax}",
        shared.number
    );
    let note = shared.columns.get(5).map_or("", |note| note);
    let untouched = syntax.starts_with("other:")
        && !allowed.iter().any(|a| a.contains("json"))
        && syntax != "other:semicolon-list"
        || note.contains("do not rewrite");
    if untouched {
        assert!(
            fitting.iter().all(|row| row.access != "rewrite"),
            "line {}",
            shared.number
        );
    }
    if condition == "opt-in" {
        assert!(
            fitting.iter().all(|row| row.access == "opt-in"),
            "line {}",
            shared.number
        );
    }
}

#[test]
fn every_row_of_the_shared_table_for_xml() {
    let Some(table) = table("xml_url_vocab.tsv") else {
        return;
    };
    let rows = xml_rows();
    assert!(table.len() > 270);
    for shared in table {
        let (namespace, elements, attributes) =
            (&*shared.columns[0], &shared.columns[1], &shared.columns[2]);
        // Each element and each attribute that the row names has a place with one of the others.
        let pairs = |element: &str, attribute: &str| {
            is_explained(namespace, element, attribute)
                || rows
                    .iter()
                    .any(|row| is_place(row, namespace, element, attribute))
        };
        for element in names(elements) {
            let named = names(attributes)
                .iter()
                .any(|attribute| pairs(element, attribute));
            assert!(
                named,
                "line {}: {namespace} {element} {attributes}",
                shared.number
            );
        }
        for attribute in names(attributes) {
            let named = names(elements)
                .iter()
                .any(|element| pairs(element, attribute));
            assert!(
                named,
                "line {}: {namespace} {elements} {attribute}",
                shared.number
            );
        }
    }
}

fn is_explained(namespace: &str, element: &str, attribute: &str) -> bool {
    XML_WITHOUT_ROW.iter().any(|(ns, el, at, reason)| {
        matches(ns, namespace)
            && matches(el, element)
            && matches(at, attribute)
            && !reason.is_empty()
    })
}

/// True if a row is about a place of the table.
fn is_place(row: &Row, namespace: &str, element: &str, attribute: &str) -> bool {
    let namespace = match namespace {
        none if none.starts_with("(none)") => "(none)",
        "(prolog)" => "(instruction)",
        "(any)" if element.starts_with('?') => "(instruction)",
        // The table has one row for all versions.
        "http://earth.google.com/kml/2.x" => "http://earth.google.com/kml/2.0",
        name => name,
    };
    let element = element
        .trim_start_matches('?')
        .rsplit('/')
        .next()
        .unwrap_or_default();
    let own = row.namespace.unwrap_or_default();
    let in_namespace = own == namespace || matches!(own, "(any)" | "(unknown)");
    let of_element = row.element == "*"
        || matches(element.split(" (").next().unwrap_or(element), row.element)
        || own == namespace && element == "*";
    in_namespace && of_element && is_attribute(row, attribute)
}

/// True if a row names an attribute of the table, whose column may hold more than a name: `href pseudo-attr`, `#text
/// type=html`, `@info`, a prefix of its own.
fn is_attribute(row: &Row, attribute: &str) -> bool {
    let mut words = attribute
        .split(' ')
        .filter(|word| !word.starts_with("type="));
    let name = words.next().unwrap_or("#text").trim_start_matches('@');
    let local = |name: &str| name.rsplit(':').next().unwrap_or_default().to_owned();
    // The items after `#text type=` are values.
    let is_type = ["URI", "DOI"].contains(&name) && row.attribute == "#text";
    matches(name, row.attribute) || local(name) == local(row.attribute) || is_type
}
