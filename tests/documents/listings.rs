//! The promises over programs in other documents: listings of light markup, and notebooks.

use crate::promises::keeps_promises_with;
use linkglot::format::Format;
use linkglot::{Settings, TextSlots};
use proptest::prelude::*;

/// Pieces of programs.
const CODE: &[&str] = &[
    "a = 'http://a.example/\u{e9}'\n",
    "b = \"http://b.example\" + \".uk\"\n",
    "\"http://b\u{fc}cher.example",
    "http://c.example/%C3%A9",
    "`http://d.example/${x}\u{e9}`",
    "f'http://e.example/{x}/\u{e9}'",
    "# http://f.example/\u{e9}\n",
    "// http://f.example/\u{e9}\n",
    "!wget http://g.example/\u{e9}\n",
    "\"\"\"",
    "'",
    "\"",
    "\\\n",
    "\\",
    "\n",
    "    ",
    ">>> ",
    "\u{e9}",
    "<?php ",
    "www.h.example/\u{e9}",
];

/// The pieces around programs, of which the other formats are text to one.
const MARKUP: &[&str] = &[
    "```js\n",
    "\n```\n",
    "\n~~~ {.python}\n",
    "\n> ```py\n> ",
    "\n> ",
    "- ",
    "\n.. code-block:: c\n\n   ",
    "\n   ",
    "\n\n[source,php]\n----\n",
    "\n----\n",
    "\n#+BEGIN_SRC rust\n",
    "\n#+END_SRC\n",
    "text [a](/\u{e9})\n\n",
];

const CASES: u32 = if cfg!(debug_assertions) { 60 } else { 20_000 };
const FORMATS: &[Format] = &[
    #[cfg(feature = "markdown")]
    Format::Markdown,
    Format::Rst,
    Format::AsciiDoc,
    Format::Org,
];
const CHARSETS: &[&str] = &["utf-8", "utf-8", "utf-16le", "shift_jis", "windows-1252"];

fn code() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(CODE), 0..8).prop_map(|pieces| pieces.concat())
}

fn document() -> impl Strategy<Value = String> {
    let piece = prop_oneof![code(), prop::sample::select(MARKUP).prop_map(str::to_owned)];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

/// A text as a string of JSON, or as a list of its lines.
fn source(text: &str, is_list: bool, escapes: bool) -> String {
    let string = |text: &str| {
        let string = serde_json::to_string(text).expect("a string");
        if escapes {
            string.replace('/', "\\/").replace('\u{e9}', "\\u00e9")
        } else {
            string
        }
    };
    if !is_list {
        return string(text);
    }
    let lines: Vec<String> = text.split_inclusive('\n').map(string).collect();
    format!("[\n    {}\n]", lines.join(",\n    "))
}

fn notebook() -> impl Strategy<Value = String> {
    let cell = (document(), 0..3_usize, any::<bool>(), any::<bool>());
    let cells = prop::collection::vec(cell, 0..4);
    cells.prop_map(|cells| {
        let cells = cells.iter().map(|(text, kind, is_list, escapes)| {
            let kind = ["markdown", "code", "raw"][*kind];
            let source = source(text, *is_list, *escapes);
            format!("{{\"cell_type\": \"{kind}\", \"source\": {source}}}")
        });
        let cells: Vec<String> = cells.collect();
        format!(
            "{{\"cells\": [{}], \"metadata\": {{}}}}\n",
            cells.join(", ")
        )
    })
}

fn settings(format: Format) -> Settings {
    let mut settings = Settings::default();
    settings.format = Some(format);
    settings.text = TextSlots::Code;
    settings
}

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, ..ProptestConfig::default() })]

    #[test]
    fn promises_hold_over_listings(
        text in document(),
        format in prop::sample::select(FORMATS),
        charset in prop::sample::select(CHARSETS),
    ) {
        keeps_promises_with(&text, settings(format), charset)?;
    }

    #[test]
    fn promises_hold_over_notebooks(text in notebook(), charset in prop::sample::select(CHARSETS)) {
        let mut settings = settings(Format::Json);
        settings.name = Some("a.ipynb".to_owned());
        keeps_promises_with(&text, settings, charset)?;
    }
}
