//! The promises over programs made of pieces, and values of literals that move as their language says.

use crate::promises::keeps_promises;
use linkglot::Charset;
use linkglot::document::Settings;
use linkglot::format::Format;
use linkglot::rewrite::{Form, Rewriter, Rules};
use linkglot_markup::{Escapes, Escaping, LiteralStyle};
use proptest::prelude::*;

const PIECES: &[&str] = &[
    "http://ex",
    "ample.org/",
    "http:\\/\\/a.example\\/",
    "http://\u{e9}.example/",
    "https://www.b\u{fc}cher.example/",
    "www.example.org",
    "\u{e9}",
    "\\u00e9",
    "\\u{e9}",
    "\\xe9",
    "\\251",
    "%C3%A9",
    "\u{65e5}\u{672c}",
    "\u{8868}",
    "\\n",
    "\\'",
    "\\\"",
    "\\\\",
    "\\",
    "'",
    "'",
    "\"",
    "\"",
    "`",
    "${",
    "{$",
    "$a",
    "}",
    "\n",
    "<a href=",
    "</a>",
    "<",
    ">",
    "&amp;",
    "?q=",
    "/",
    " ",
    "a",
    "(",
    ")",
    " + ",
    " . ",
    "// ",
    "/* ",
    " */",
    "# ",
    "<?php ",
    "?>",
    "<<<A\n",
    "\nA\n",
    "\"\"\"",
    "s:18:\"http://\u{e9}.example\";",
    "{\"a\":\"http:\\\\/\\\\/b.example\\\\/\"}",
    "return ",
    "\"\n\"",
    "\"\nmsgid \"",
    "\n#~ ",
    "#, c-format\n",
    "if (",
    "\\\n  ",
    "\\:",
    "\\u00e9",
    "\nb = ",
    "{0}",
    "{{",
    "}}",
    "\\(",
    "['a'][0] + ",
];

const HEADS: &[(&str, Format)] = &[
    ("", Format::JavaScript),
    ("x = '", Format::JavaScript),
    ("x = `", Format::JavaScript),
    ("x = <a>", Format::JavaScript),
    ("", Format::Php),
    ("<?php $a = \"", Format::Php),
    ("<?php $a = '", Format::Php),
    ("<?php $a = <<<A\n", Format::Php),
    ("<p><?php $a = '", Format::Html),
    ("<a href=\"<?= '", Format::Html),
    ("<a href=\"http://\u{e9}.example/<?= \"", Format::Html),
    ("<p <?php f(\"", Format::Html),
    ("<style>a { b: url(<?= '", Format::Html),
    ("<r><?php f('", Format::Xml),
    ("<r a='<?= \"", Format::Xml),
    ("a = \"", Format::Python),
    ("a = '''", Format::Python),
    ("f(b'", Format::Python),
    ("a = f\"", Format::Python),
    ("a = rf'''", Format::Python),
    ("a = \"", Format::C),
    ("/* ", Format::C),
    ("f(R\"(", Format::C),
    ("a = \"", Format::Toml),
    ("a = '''", Format::Toml),
    ("msgstr \"", Format::Gettext),
    ("#, c-format\nmsgid \"a\"\nmsgstr \"", Format::Gettext),
    ("", Format::Properties),
    ("a.b = ", Format::Properties),
    ("a:", Format::Properties),
];

const CASES: u32 = if cfg!(debug_assertions) { 100 } else { 20_000 };
const CHARSETS: &[&str] = &["utf-8", "utf-8", "utf-16le", "shift_jis", "windows-1252"];

const OLD: &str = "http://old.example/";
const NEW: &str = "https://www.new-place.example/tr\u{e8}s/";

/// A literal of each kind: its style, and the program around it.
const LITERALS: &[(Escapes, u8, Format, &str, &str)] = &[
    (
        Escapes::JavaScript,
        b'\'',
        Format::JavaScript,
        "x = '",
        "';\n",
    ),
    (
        Escapes::JavaScript,
        b'"',
        Format::JavaScript,
        "f(\"",
        "\")\n",
    ),
    (Escapes::Template, b'`', Format::JavaScript, "x = `", "`\n"),
    (
        Escapes::PhpSingle,
        b'\'',
        Format::Php,
        "<?php $a = ['",
        "'];",
    ),
    (Escapes::PhpDouble, b'"', Format::Php, "<?php f(\"", "\");"),
    (Escapes::Toml, b'"', Format::Toml, "a = \"", "\"\n"),
    (Escapes::Python, b'"', Format::Python, "a = \"", "\"\n"),
    (Escapes::Python, b'\'', Format::Python, "a(f'", "')\n"),
    (Escapes::C, b'"', Format::C, "f(\"", "\");\n"),
    (
        Escapes::Gettext,
        b'"',
        Format::Gettext,
        "msgid \"a\"\nmsgstr \"\"\n\"",
        "\"\n",
    ),
    (
        Escapes::Properties,
        0,
        Format::Properties,
        "a.b \\\n  = \\\n ",
        "\n",
    ),
];

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, ..ProptestConfig::default() })]

    #[test]
    fn promises_hold_over_programs(
        (head, format) in prop::sample::select(HEADS),
        pieces in prop::collection::vec(prop::sample::select(PIECES), 0..16),
        charset in prop::sample::select(CHARSETS),
    ) {
        keeps_promises(&format!("{head}{}", pieces.concat()), format, charset)?;
    }

    #[test]
    fn values_move(
        text in "(see |it's \"x\" |C:\\\\dir |\\$a |日本 |line\n)?http://old\\.example/[a-z'é$ж]{0,4}( and `x`)?",
        (escapes, quote, format, head, tail) in prop::sample::select(LITERALS),
        style in prop::sample::select(&["", "\\/", "\\u00e9"][..]),
    ) {
        let escaping = Escaping::Literal(LiteralStyle::new(escapes, quote));
        let written = |text: &str| {
            let line = if escapes == Escapes::PhpSingle { text.replace('\n', " ") } else { text.to_owned() };
            escaping.escape(&line, style, &|_| true).map(|raw| format!("{head}{raw}{tail}"))
        };
        let (Some(old), Some(new)) = (written(&text), written(&text.replace(OLD, NEW))) else {
            return Ok(());
        };
        let mut rules = Rules::default();
        rules.add(&format!("{OLD} {NEW}")).expect("a rule");
        let mut settings = Settings::default();
        settings.format = Some(format);
        settings.charset = Some(Charset::UTF_8);
        let rewriter = Rewriter::new().to(Form::Same).rules(rules).settings(settings);
        let moved = rewriter.rewrite_slice(old.as_bytes()).content.into_owned();
        let moved = String::from_utf8(moved).expect("UTF-8");
        // A letter may be written otherwise, where the literal shows no style.
        let value = |program: &str| {
            let raw = program.strip_prefix(head).and_then(|rest| rest.strip_suffix(tail));
            raw.map(|raw| escaping.unescape(raw).into_text().into_owned())
        };
        prop_assert_eq!(value(&moved), value(&new), "{} became {}", old, moved);
    }
}
