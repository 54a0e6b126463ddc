//! The promises over JSON made of pieces, sound and broken.

use crate::promises::keeps_promises;
use linkglot::format::Format;
use proptest::prelude::*;

/// Pieces of strings. Links and escapes meet in every order.
const PIECES: &[&str] = &[
    "http://ex",
    "ample.org/",
    "http:\\/\\/a.example\\/",
    "http://\u{e9}.example/",
    "https://www.b\u{fc}cher.example/",
    "www.example.org",
    "mailto:a@example.org",
    "\u{e9}",
    "\\u00e9",
    "\\u00E9",
    "\\ud83d\\ude00",
    "\\ud83d",
    "\\u00",
    "%C3%A9",
    "\u{65e5}\u{672c}",
    "\u{8868}",
    "\\n",
    "\\t",
    "\\\"",
    "\\\\",
    "\\/",
    "\\x",
    "\\",
    "\n",
    "{",
    "}",
    "{\\\"a\\\":\\\"http:\\\\/\\\\/b.example\\\\/\\\\u00e9\\\"}",
    "s:17:\\\"http://a.example/\\\";",
    "a:1:{i:0;s:18:\\\"http://\u{e9}.example\\\";}",
    "<a href=",
    "<p title='",
    ">",
    "&amp;",
    "?q=",
    "/",
    ":",
    " ",
    "a",
    "\u{1F600}",
];

/// Pieces between strings.
const MARKS: &[&str] = &[
    ",",
    ",",
    ":",
    "{",
    "[",
    "}",
    "]",
    " ",
    "\n",
    "1.50e+3",
    "true",
    "null",
    "NaN",
    "a",
    "// ",
    "/* ",
    " */",
    "'",
    "\"url\":",
    "\"@context\":\"https://schema.org/\",",
    "\"@id\":",
    "\"content_html\":",
    "\u{1E}",
    "{\"version\":\"https://jsonfeed.org/version/1\",\"icon\":",
    "{\"openapi\":\"3.0\",\"$ref\":",
    "{\"openapi\":\"3.0\",\"description\":",
    "http://c.example/\u{e9}",
];

fn string() -> impl Strategy<Value = String> {
    let pieces = prop::collection::vec(prop::sample::select(PIECES), 0..8);
    pieces.prop_map(|pieces| format!("\"{}\"", pieces.concat()))
}

/// Strings in an array or object, sound but for the escapes.
fn sound() -> impl Strategy<Value = String> {
    let values = prop::collection::vec(string(), 0..6);
    (values, any::<bool>()).prop_map(|(values, is_object)| {
        if !is_object {
            return format!("[{}]\n", values.join(", "));
        }
        let members = values.iter().enumerate();
        let members: Vec<String> = members
            .map(|(at, value)| format!("\"k{at}\": {value}"))
            .collect();
        format!("{{{}}}\n", members.join(","))
    })
}

fn broken() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        string(),
        prop::sample::select(MARKS).prop_map(str::to_owned)
    ];
    prop::collection::vec(piece, 0..20).prop_map(|pieces| pieces.concat())
}

const CASES: u32 = if cfg!(debug_assertions) { 100 } else { 20_000 };
const CHARSETS: &[&str] = &[
    "utf-8",
    "utf-8",
    "utf-16le",
    "utf-16be",
    "utf-32le",
    "shift_jis",
    "windows-1252",
];

fn check(text: &str, is_lines: bool, charset: &str) -> Result<(), TestCaseError> {
    let format = if is_lines {
        Format::JsonLines
    } else {
        Format::Json
    };
    keeps_promises(text, format, charset)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, ..ProptestConfig::default() })]

    #[test]
    fn promises_hold_over_sound_json(text in sound(), is_lines in any::<bool>(), charset in prop::sample::select(CHARSETS)) {
        check(&text, is_lines, charset)?;
    }

    #[test]
    fn promises_hold_over_broken_json(text in broken(), is_lines in any::<bool>(), charset in prop::sample::select(CHARSETS)) {
        check(&text, is_lines, charset)?;
    }
}
