//! Tests of the vocabulary: rows, files and lookups.

use super::*;
use crate::byte_search::start_word;

const ATOM: &str = "http://www.w3.org/2005/Atom";

fn verdict(vocabulary: &Vocabulary, namespace: &str, element: &str, attribute: &str) -> Verdict {
    let namespace = vocabulary.namespace(namespace);
    let namespace = namespace.unwrap_or(NamespaceId::UNKNOWN);
    let element = vocabulary.element(namespace, element.as_bytes(), Case::Exact);
    let attribute = vocabulary.attribute(attribute.as_bytes(), Case::Exact);
    attribute.map_or(Verdict::Nothing, |attribute| {
        vocabulary.verdict(element, attribute)
    })
}

fn slot(syntax: Syntax, access: Access) -> Verdict {
    Verdict::Slot(SlotContent { syntax, access })
}

#[test]
fn built_in_rows_of_xml() {
    let vocabulary = Vocabulary::default();
    let verdict =
        |namespace, element, attribute| verdict(&vocabulary, namespace, element, attribute);
    let single = slot(Syntax::Single, Access::Rewrite);
    assert_eq!(verdict(ATOM, "link", "href"), single);
    assert_eq!(verdict(ATOM, "icon", "#text"), single);
    assert_eq!(verdict(ATOM, "entry", "href"), Verdict::Nothing);
    assert_eq!(verdict(ATOM, "LINK", "href"), Verdict::Nothing);
    assert_eq!(verdict("urn:x", "entry", "href"), single);
    assert_eq!(
        verdict("", "entry", "#text"),
        slot(Syntax::Text, Access::Rewrite)
    );
    assert_eq!(
        verdict(ATOM, "entry", "#text"),
        slot(Syntax::Text, Access::Rewrite)
    );
    assert_eq!(verdict("", "guid", "#text"), Verdict::Conditional);
}

#[test]
fn built_in_rows_of_html() {
    let vocabulary = Vocabulary::default();
    let verdict = |element: &str, attribute: &str| {
        let element = vocabulary.element(NamespaceId::HTML, element.as_bytes(), Case::Ignored);
        let attribute = vocabulary.attribute(attribute.as_bytes(), Case::Ignored);
        vocabulary.verdict(element, attribute.expect("an attribute that rows name"))
    };
    assert_eq!(verdict("A", "HREF"), slot(Syntax::Single, Access::Rewrite));
    assert_eq!(
        verdict("img", "srcset"),
        slot(Syntax::Srcset, Access::Rewrite)
    );
    assert_eq!(
        verdict("x-y", "style"),
        slot(Syntax::CssDeclarations, Access::Rewrite)
    );
    assert_eq!(verdict("p", "href"), Verdict::Nothing);
    assert_eq!(verdict("p", "rel"), Verdict::NeedsColon);
    assert_eq!(verdict("meta", "content"), Verdict::Conditional);
}

#[test]
fn rows_of_later_files_go_first() {
    let row = format!("{ATOM}\tlink\thref\tnone\tnever\n{ATOM}\tx\thref\tsingle\tlist");
    let extended = Vocabulary::default().extended(&row).expect("two rows");
    assert_eq!(verdict(&extended, ATOM, "link", "href"), Verdict::Nothing);
    let identifier = slot(Syntax::Single, Access::Identifier);
    assert_eq!(verdict(&extended, ATOM, "x", "href"), identifier);
}

#[test]
fn rows_for_a_name_in_any_namespace() {
    let rows = format!(
        "(any)\tcard\tto\tsingle\tlist\n(unknown)\tcard\tby\tsingle\trules\n{ATOM}\t*\tto\tcss\trewrite"
    );
    let extended = Vocabulary::default().extended(&rows).expect("three rows");
    let verdict = |namespace, attribute| verdict(&extended, namespace, "card", attribute);
    let identifier = slot(Syntax::Single, Access::Identifier);
    assert_eq!(verdict("urn:x", "to"), identifier);
    assert_eq!(
        verdict("http://www.sitemaps.org/schemas/sitemap/0.9", "to"),
        identifier
    );
    assert_eq!(
        verdict(ATOM, "to"),
        slot(Syntax::CssDeclarations, Access::Rewrite)
    );
    assert_eq!(verdict("urn:x", "by"), slot(Syntax::Single, Access::Rules));
    assert_eq!(verdict(ATOM, "by"), Verdict::Nothing);
    assert_eq!(
        verdict("urn:x", "href"),
        slot(Syntax::Single, Access::Rewrite)
    );
}

#[test]
fn names_are_found_in_their_case_only() {
    let names = [
        "a",
        "href",
        "xlink:href",
        "data-large_image",
        "http-equiv",
        "xmlUrl",
        "seventeen-letters",
    ];
    let rows: String = names
        .iter()
        .map(|name| format!("x\t{name}\tsingle\trewrite\n"))
        .collect();
    let rows = rows + "urn:x\tx\tschemaLocations|xmlUrl\tsingle\trewrite\n";
    let vocabulary = Vocabulary::default().extended(&rows).expect("rows");
    let found = |name: &str, case| {
        let id = vocabulary.attribute(name.as_bytes(), case)?;
        vocabulary.attribute_name(id).map(|name| name.to_string())
    };
    for name in names {
        let lower = Some(name.to_ascii_lowercase());
        assert_eq!(found(&name.to_uppercase(), Case::Ignored), lower);
    }
    assert_eq!(found("xmlUrl", Case::Exact).as_deref(), Some("xmlUrl"));
    assert_eq!(
        found("schemaLocations", Case::Exact).as_deref(),
        Some("schemaLocations")
    );
    for name in ["XMLURL", "HREF", "schemalocations", "SchemaLocations"] {
        assert_eq!(found(name, Case::Exact), None, "{name}");
    }
    for name in [
        "",
        "b",
        "hrefs",
        "href\0",
        "a\0",
        "xlink:hreg",
        "data-large\u{7f}image",
        "http\requiv",
    ] {
        assert_eq!(found(name, Case::Ignored), None, "{name}");
    }
}

#[test]
fn short_names_are_their_own_digests() {
    for (bytes, length, name) in [
        (b"a>bcdefg", 1, "a"),
        (b"A href=x", 1, "a"),
        (b"aDDress>", 7, "address"),
        (b"h1>efghi", 1, "h"),
        (b"textarea", 8, "textarea"),
        (b"a\xE9>bcdef", 1, "a"),
        (b"-abcdefg", 0, ""),
    ] {
        let (key, bits) = letters(u64::from_le_bytes(*bytes));
        assert_eq!((key, bits), (start_word(name.as_bytes()), length * 8));
        assert_eq!(digest(name.as_bytes(), Case::Exact), key);
        assert_eq!(digest(name.to_uppercase().as_bytes(), Case::Ignored), key);
    }
    for name in [
        "a",
        "eightbit",
        "nine-byte",
        "sixteen--letters",
        "schemaLocation",
    ] {
        let words = [name.get(..8).unwrap_or(name), name.get(8..).unwrap_or("")];
        let words = words.map(|word| start_word(word.as_bytes()));
        assert_eq!(
            digest_of_words(words, name.len()),
            digest(name.as_bytes(), Case::Exact)
        );
    }
}

#[test]
fn errors_name_the_line_and_what_was_found() {
    for (text, parts) in [
        (
            "\n\na href",
            &["line 3: expected columns", "found 1 column"][..],
        ),
        ("a\tb\tc", &["line 1: expected columns", "found 3 columns"]),
        (
            "a\tb\tsingle\trewrite\t\tx",
            &["line 1: expected columns", "found 6 columns"],
        ),
        (
            "a\tb\tc\td\tlist\tf\tg",
            &["line 1: expected 5 or 6 columns", "found 7"],
        ),
        (
            "a\thref\tsinge\trewrite",
            &["line 1: expected a syntax", "`singe`"],
        ),
        (
            "a\thref\tsingle\twrite",
            &["line 1: expected an access", "`write`"],
        ),
        (
            "#\nurn:x\ta\thref\tsingle\twrite",
            &["line 2: expected an access", "`write`"],
        ),
        (
            "urn:x\ta\thref\tsinge\trewrite",
            &["line 1: expected a syntax", "`singe`"],
        ),
        (
            "a\thref\tsingle\trewrite\trel",
            &["line 1: expected a condition", "`rel`"],
        ),
        (
            "urn:x\te\ta\tsingle\trewrite\tx",
            &["line 1: expected a condition", "`x`"],
        ),
        (
            "urn:x\ta\tp:b\tsingle\trewrite",
            &["line 1: expected a declared prefix", "`p`"],
        ),
        (
            "(x)\te\ta\tsingle\trewrite",
            &["line 1: expected a namespace", "`(x)`"],
        ),
        (
            "urn:x\t\ta\tsingle\trewrite",
            &["line 1: expected the name of an element or `*`"],
        ),
        (
            "svg:\thref\tsingle\trewrite",
            &["line 1: expected the name of an element"],
        ),
        (
            "p\t#text\tsingle\trewrite",
            &["line 1: expected #text of style, script", "`p`"],
        ),
        ("a\thref\ttext\trewrite", &["for #text alone", "`href`"]),
        (
            "*\t*\tsingle\trewrite",
            &["line 1: expected the name of an attribute"],
        ),
    ] {
        let error = Vocabulary::default().extended(text).expect_err(text);
        let message = error.to_string();
        for part in parts {
            assert!(message.contains(part), "{text:?}: {message}");
        }
    }
}

#[test]
fn huge_files_are_errors() {
    let rows = "a\tx\tsingle\trewrite\n".repeat(60_001);
    let error = Vocabulary::default()
        .extended(&rows)
        .expect_err("too many rows");
    assert!(error.to_string().contains("at most 60000 rows"), "{error}");
}
