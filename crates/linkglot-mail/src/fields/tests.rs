use super::*;

#[test]
fn rows_are_whole_and_in_lower_case() {
    let kinds = [
        "angles",
        "single",
        "link",
        "url-parameter",
        "text",
        "record",
        "never",
    ];
    let mut seen = std::collections::HashSet::new();
    for line in ROWS
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        let columns: Vec<&str> = line.split('\t').collect();
        let [name, kind, source] = columns[..] else {
            panic!("three columns: {line}")
        };
        assert!(kinds.contains(&kind) && !source.is_empty(), "{line}");
        assert_eq!(name, name.to_ascii_lowercase());
        assert!(seen.insert(name), "twice: {name}");
    }
    assert!(seen.len() > 100);
}

#[test]
fn fields_are_known_by_name_in_any_case() {
    use FieldKind::{Links, Never, Text};
    for (name, kind) in [
        ("LIST-UNSUBSCRIBE", Links(FieldSyntax::Angles)),
        ("Content-Location", Links(FieldSyntax::Single)),
        ("Link", Links(FieldSyntax::Link)),
        ("OpenPGP", Links(FieldSyntax::UrlParameter)),
        ("Reported-URI", Links(FieldSyntax::Single)),
        ("Subject", Text),
        ("Diagnostic-Code", Text),
        ("X-Anything", Text),
        ("X-Spam-Report", Text),
        ("X-MS-Exchange-Organization-SCL", Never),
        ("X-Sender", Never),
        ("X-Dkim", Never),
        ("From", Never),
        ("Message-ID", Never),
        ("List-Id", Never),
        ("List-Unsubscribe-Post", Never),
        ("List-Archives", Never),
        ("DKIM-Signature", Never),
        ("Unknown", Never),
        ("", Never),
        (
            "Subject-of-a-name-that-is-longer-than-all-of-the-table-rows",
            Never,
        ),
    ] {
        assert_eq!(field_kind(name.as_bytes()), kind, "{name}");
    }
    assert_eq!(field_kind(b"X-\xFF"), FieldKind::Text);
}

/// The references of a value, in vertical bars.
fn shown(syntax: FieldSyntax, value: &str) -> String {
    let mut shown = value.to_owned();
    for range in references(syntax, value.as_bytes()).into_iter().rev() {
        shown.insert(range.end, '|');
        shown.insert(range.start, '|');
    }
    shown
}

#[test]
fn references_stand_in_brackets_quotes_and_parameters() {
    use FieldSyntax::{Angles, Link, Single, UrlParameter};
    for (syntax, marked) in [
        (
            Angles,
            " <|mailto:a@b.example?subject=x|>,\r\n <|http://é.example/|>",
        ),
        (Angles, " NO (posting <not> allowed)"),
        (Angles, " NO"),
        (Angles, ""),
        (Angles, " |http://a.example/|"),
        (Angles, " http://a.example/ or b"),
        (Angles, " |http://a.example/b_(c)/d|"),
        (Angles, " http://a.example/ (b)"),
        (Angles, " (see <x> (or <y>)) <|z:|>"),
        (Angles, " < |a:b| > <> <|c:d|"),
        (Angles, " (\\"),
        (Single, " |http://a.example/\r\n\tb/c|"),
        (Single, " \"|a b|\""),
        (Single, " <|a|>"),
        (Single, " \"\""),
        (Single, " |\"|"),
        (Single, " "),
        (
            Link,
            "<|/a|>; rel=\"next <x>\", <|b|>; rel=c; anchor=\"|#d|\"",
        ),
        (Link, "<|a|>; anchor=|b|, <|c|>; xanchor=d; anchor"),
        (
            UrlParameter,
            "id=A; URL = |http://a.example/k|; preference=signencrypt",
        ),
        (UrlParameter, "url=\"|http://a.example/;|\""),
        (UrlParameter, "curl=x; urls=y; id=\"; url=z\""),
    ] {
        let value = marked.replace('|', "");
        assert_eq!(shown(syntax, &value), marked);
    }
}

proptest::proptest! {
    #[test]
    fn references_are_in_order_and_bounds(value in "[<>(),;=\"\\\\ a:url\r\n\t]{0,40}") {
        for syntax in [FieldSyntax::Angles, FieldSyntax::Single, FieldSyntax::Link, FieldSyntax::UrlParameter] {
            let mut behind = 0;
            for range in references(syntax, value.as_bytes()) {
                proptest::prop_assert!(range.start >= behind && range.start < range.end);
                behind = range.end;
            }
            proptest::prop_assert!(behind <= value.len());
        }
    }
}

#[test]
fn no_name_of_the_table_is_cut() {
    let mut names = ROWS.lines().filter_map(row).map(|(name, _)| name);
    assert!(names.all(|name| name.len() <= LONGEST));
    let table = Table::of(ROWS);
    let mut prefixes = table.prefixes.iter();
    assert!(prefixes.all(|(prefix, _)| prefix.starts_with("x-")));
}
