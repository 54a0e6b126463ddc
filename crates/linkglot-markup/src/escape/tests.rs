use super::*;
use proptest::prelude::*;

const ALL: [Escaping; 27] = [
    Escaping::None,
    Escaping::OrgTarget,
    Escaping::AsciiDocTarget,
    Escaping::Wikitext,
    Escaping::HtmlComment,
    Escaping::XmlComment,
    Escaping::HtmlAttribute(Quote::Double),
    Escaping::HtmlAttribute(Quote::Single),
    Escaping::HtmlAttribute(Quote::Unquoted),
    Escaping::HtmlText,
    Escaping::HtmlRawText,
    Escaping::XmlAttribute(Quote::Double),
    Escaping::XmlAttribute(Quote::Single),
    Escaping::XmlText,
    Escaping::XmlCdata,
    Escaping::XhtmlText,
    Escaping::XhtmlAttribute(Quote::Double),
    Escaping::XhtmlAttribute(Quote::Single),
    Escaping::XmlInstruction(Quote::Double),
    Escaping::XmlInstruction(Quote::Single),
    Escaping::CssString(Quote::Double),
    Escaping::CssString(Quote::Single),
    Escaping::CssString(Quote::Unquoted),
    Escaping::CssUrl,
    JSON,
    Escaping::XmlAttribute(Quote::Unquoted),
    RUNS,
];

const RUNS: Escaping = Escaping::Runs(RunsStyle {
    element: RunElement::Text,
    goes_on_before: false,
    goes_on_behind: false,
});

const JSON: Escaping = Escaping::JsonString(JsonStyle::UNKNOWN);
const DOUBLE: Escaping = Escaping::HtmlAttribute(Quote::Double);
const UNQUOTED: Escaping = Escaping::HtmlAttribute(Quote::Unquoted);
const XML: Escaping = Escaping::XmlAttribute(Quote::Double);

#[test]
fn raw_values_are_unescaped() {
    let cases = [
        (DOUBLE, "?a&copy=1&copy;&copy&", "?a&copy=1©©&"),
        (DOUBLE, "&notit;&not;it&notin;", "&notit;¬it∉"),
        (Escaping::HtmlText, "&notit;&copy=1", "¬it;©=1"),
        (Escaping::HtmlText, "&nosuch;&;&", "&nosuch;&;&"),
        (Escaping::HtmlText, "&#65&#x42;&#x43&#;&#x;", "ABC&#;&#x;"),
        (
            Escaping::HtmlText,
            "&#128;&#x9f;&#0;&#xD800;",
            "€Ÿ\u{FFFD}\u{FFFD}",
        ),
        (
            Escaping::HtmlText,
            "&#99999999999;&#x110000;",
            "\u{FFFD}\u{FFFD}",
        ),
        (Escaping::HtmlText, "&nGg;x", "\u{22D9}\u{338}x"),
        (XML, "&amp;&lt;&gt;&quot;&apos;&#65;&#x42;", "&<>\"'AB"),
        (XML, "&copy;&amp&#65&#X42;&#0;", "&copy;&amp&#65&#X42;&#0;"),
        (Escaping::CssUrl, r"a\29 b\)c\000041g", "a)b)cAg"),
        (Escaping::CssUrl, "a\\\nb\\", "a\\\nb\\"),
        (Escaping::CssString(Quote::Double), "a\\\r\nb\\\nc", "abc"),
        (
            Escaping::CssUrl,
            r"\0 \D800 \110000 ",
            "\u{FFFD}\u{FFFD}\u{FFFD}",
        ),
        (JSON, r#"a\/b\"c\u00e9\ud83d\ude00"#, "a/b\"cé😀"),
        (JSON, r"\ud83dx\x\u12", "\u{FFFD}x\\x\\u12"),
        (Escaping::HtmlRawText, "&amp;", "&amp;"),
        (Escaping::None, "&amp;", "&amp;"),
    ];
    for (escaping, raw, text) in cases {
        assert_eq!(escaping.unescape(raw).text(), text, "{escaping:?} {raw}");
    }
}

#[test]
fn a_reference_maps_to_all_of_its_source() {
    let text = Escaping::HtmlText.unescape("a&nGg;b");
    let at = text.text().find('\u{338}').unwrap();
    let span = linkglot_charset::span::TextSpan::new(at, at + 2);
    assert_eq!(text.source(span), 1..6);
}

#[test]
fn every_entity_of_html_is_known() {
    let names = include_str!("entities.tsv").lines();
    assert_eq!(names.clone().count(), 2231);
    for line in names {
        let name = line.split('\t').next().unwrap();
        let (length, _) = entities::longest(name).unwrap();
        assert_eq!(length, name.len(), "{name}");
    }
}

#[test]
fn ascii_json_stays_ascii() {
    let cases = [
        ("\\u00e9", "\\u00fc"),
        ("\\u00e9 \u{e9}", "\u{fc}"),
        ("\\u000a", "\u{fc}"),
        ("", "\u{fc}"),
    ];
    for (style, expected) in cases {
        let escaped = JSON.escape("\u{fc}", style, &|_| true);
        assert_eq!(escaped.as_deref(), Some(expected), "{style}");
    }
}

#[test]
fn text_is_escaped_in_the_style_of_the_document() {
    let cases = [
        (DOUBLE, "?a&b", "x", Some("?a&b")),
        (DOUBLE, "?a&b", "x&amp;y", Some("?a&amp;b")),
        (DOUBLE, "?a&copy=1", "x", Some("?a&copy=1")),
        (DOUBLE, "?a&lt;", "", Some("?a&amp;lt;")),
        (DOUBLE, "a\"'b", "", Some("a&quot;'b")),
        (DOUBLE, "a\"b", "&#34;", Some("a&#34;b")),
        (DOUBLE, "?a&b", "&#38;", Some("?a&#38;b")),
        (DOUBLE, "?a&b", "&#x26;", Some("?a&#x26;b")),
        (DOUBLE, "?a&b", "&#038;&amp;", Some("?a&#038;b")),
        (DOUBLE, "?a&b", "&#X0026;", Some("?a&#X0026;b")),
        (DOUBLE, "?a&b", "&AMP;", Some("?a&AMP;b")),
        // A reference without its semicolon does not set the style.
        (DOUBLE, "?a&b&lt;", "x&amp y", Some("?a&b&amp;lt;")),
        (DOUBLE, "?a&b", "&ampx;&am", Some("?a&b")),
        (
            Escaping::HtmlText,
            "a<b&c",
            "&LT;&#38;",
            Some("a&LT;b&#38;c"),
        ),
        (
            Escaping::HtmlAttribute(Quote::Single),
            "'\"",
            "&apos;",
            Some("&apos;\""),
        ),
        (
            Escaping::HtmlAttribute(Quote::Single),
            "'",
            "&#x027;",
            Some("&#x027;"),
        ),
        (
            XML,
            "a>\"<&b",
            "&#62;&#x22;&#x3c;&#38;",
            Some("a&#62;&#x22;&#x3c;&#38;b"),
        ),
        // The style of references that XML does not know is not followed.
        (XML, "a&b", "&AMP;&#X26;", Some("a&amp;b")),
        (JSON, "\u{e9}", "\\u00ff", Some("\\u00e9")),
        (JSON, "\u{44c}", "\\u00FF", Some("\\u044C")),
        (UNQUOTED, "a b>c\"", "", Some("a&#x20;b&gt;c\"")),
        (UNQUOTED, "'a", "&#65;", Some("&#39;a")),
        (UNQUOTED, "", "", None),
        (DOUBLE, "ж", "", Some("&#x436;")),
        (DOUBLE, "ж", "&#1078;", Some("&#1078;")),
        (DOUBLE, "ь", "&#xeb;", Some("&#x44c;")),
        (DOUBLE, "\u{80}", "", None),
        (DOUBLE, "\0", "", None),
        (Escaping::HtmlText, "?a&", "", Some("?a&amp;")),
        (Escaping::HtmlText, "?a&co", "", Some("?a&amp;co")),
        (Escaping::HtmlText, "?a&co=1", "", Some("?a&co=1")),
        (Escaping::HtmlRawText, "a</b", "", None),
        (Escaping::HtmlRawText, "ж", "", None),
        (XML, "?a&b", "x", Some("?a&amp;b")),
        (XML, "a\u{1}", "", None),
        (Escaping::XmlCdata, "a]]>", "", None),
        (Escaping::CssUrl, "a (b)", "", Some("a\\ \\(b\\)")),
        (Escaping::CssUrl, "жa", "", Some("\\436 a")),
        (JSON, "a/b", r"c\/d", Some(r"a\/b")),
        (JSON, "ж", "", Some("\\u0436")),
        (Escaping::None, "ж", "", None),
    ];
    let encodable = |ch: char| (ch as u32) < 0x80;
    for (escaping, text, style, expected) in cases {
        let escaped = escaping.escape(text, style, &encodable);
        assert_eq!(escaped.as_deref(), expected, "{escaping:?} {text}");
    }
}

fn reads_back(text: &str, style: &str, encodable: &dyn Fn(char) -> bool) {
    for escaping in ALL {
        if let Some(escaped) = escaping.escape(text, style, encodable) {
            let back = escaping.unescape(&escaped);
            assert_eq!(back.text(), text, "{escaping:?} {escaped:?}");
            let ok = escaped.chars().all(|ch| ch.is_ascii() || encodable(ch));
            assert!(ok, "{escaping:?} {escaped:?}");
        }
    }
}

proptest! {
    #[test]
    fn escaped_text_reads_back(text in "\\PC*", style in "(&amp;|&#38;|&#xe;|\\\\/|x)*") {
        reads_back(&text, &style, &|_| true);
        reads_back(&text, &style, &|ch| (ch as u32) < 0x80);
    }

    #[test]
    fn special_characters_read_back(text in "(&|#|x|lt|copy|amp|;|=|1|<|>|\"|'|\\\\|[\\x00-\\x20]|a|]|-|!|/|é|\u{85}|\u{FFFE}|😀)*") {
        reads_back(&text, "", &|_| true);
        reads_back(&text, "&amp;", &|ch| (ch as u32) < 0x80);
    }

    #[test]
    fn any_raw_text_has_a_reading(raw in "(&|#|x|lt|copy|amp|;|=|1|\\\\|u|d83d|ude00|\\n|\\r|a|é)*") {
        for escaping in ALL {
            let text = escaping.unescape(&raw);
            let whole = linkglot_charset::span::TextSpan::new(0, text.text().len());
            if !whole.is_empty() {
                prop_assert!(text.source(whole).end <= raw.len());
            }
        }
    }
}
