use super::decode::{Known, decode};

/// Texts of literals, with the link between bars, and the decoded texts. A decoded text has a `!` in front if an escape
/// stands in the link, a `+` if an escape touches it.
const LITERALS: [(&str, &str); 24] = [
    (
        r#""|http://a.example/caf|\u00e9/x""#,
        "+\"|http://a.example/caf|é/x\"",
    ),
    (r"|http://a.example|\/b", "+|http://a.example|/b"),
    (r"|http://a.example|\\\/b", "+|http://a.example|/b"),
    (r"|http://a.example|\x2Fb", "+|http://a.example|/b"),
    (
        r"|http://a.example/|\u{e9}\x{1F600}",
        "+|http://a.example/|é😀",
    ),
    (r"|http://a.example/|\uD83D\uDE00", "+|http://a.example/|😀"),
    (
        r"|http://a.example/|\\ud83d\\ude00",
        "+|http://a.example/|😀",
    ),
    (r"|http://a.example/|\ud83d", "+|http://a.example/|\u{fffd}"),
    (r"|http://a.example/|\U0001F600", "+|http://a.example/|😀"),
    (r"|http://a.example/|\303\251", "+|http://a.example/|é"),
    (r"|http://a.example/|\xe9t", "+|http://a.example/|ét"),
    (
        r"|http://a.example/|\N{LATIN SMALL LETTER E}",
        "+|http://a.example/|éLATIN SMALL LETTER E}",
    ),
    (r"|http://a.example/|\u233?/x", "+|http://a.example/|é/x"),
    (
        r"|http://a.example/|\u-3913?",
        "+|http://a.example/|\u{f0b7}",
    ),
    (r"|http://a.example/a\_b|", "!|http://a.example/a_b|"),
    (
        r#"|http://a.example/|\n\t\r\""#,
        "+|http://a.example/|\n\t\r\"",
    ),
    (r"\u00e9|a.example|", "+é|a.example|"),
    (r"\u00e9 |a.example|", "é |a.example|"),
    // No escapes, or no escapes of characters.
    (
        r"|http://a.example/|\w\(\b\q\u\x\9\12\",
        r"|http://a.example/|\w\(\b\q\u\x\9\12\",
    ),
    (
        r"|http://a.example/|\u{110000}",
        "+|http://a.example/|\u{fffd}",
    ),
    (r"|http://a.example/|\u{x}\N", r"|http://a.example/|\u{x}\N"),
    (r"|é|\é", r"|é|\é"),
    // Backslashes in front of no escape, on both sides of an edge of the link.
    (
        r"|http://a.example/\\|\\q/\u00e9",
        r"|http://a.example/\\|\\q/é",
    ),
    (r"\\|\\a.example|\/b", r"+\\|\\a.example|/b"),
];

fn decoded(text: &str, known: Known) -> String {
    let start = text.find('|').unwrap();
    let end = text.rfind('|').unwrap() - 1;
    let decoded = decode(&text.replace('|', ""), &(start..end), known);
    let mut shown = decoded.text;
    let mut mark = match (decoded.is_within, decoded.is_touched) {
        (true, _) => "!",
        (false, true) => "+",
        (false, false) => "",
    }
    .to_owned();
    if let Some(link) = decoded.link {
        shown.insert(link.end, '|');
        shown.insert(link.start, '|');
    }
    mark.push_str(&shown);
    mark
}

#[test]
fn literals() {
    for (text, expected) in LITERALS {
        let shown = decoded(text, Known::Nothing);
        assert_eq!(shown, expected, "{text}");
    }
}

/// Escapes that were decoded as escapes of Markdown are not decoded again.
#[test]
fn known_punctuation() {
    for (text, expected) in [
        (r"|http://a.example/a\_b|", "|http://a.example/a_b|"),
        (r"|http://a.example/|\u00e9", "+|http://a.example/|é"),
    ] {
        assert_eq!(decoded(text, Known::Punctuation), expected, "{text}");
    }
}

#[test]
fn a_link_that_ends_in_an_escape() {
    assert_eq!(
        decoded(r"|http://a.example/\|_", Known::Nothing),
        "!http://a.example/_"
    );
}
