use super::*;
use crate::escape::Escaping;
use crate::testing::{Answer, Document};
use linkglot_charset::Charset;
use proptest::prelude::*;

/// The slots of a program, each with its neighbours: `<` behind code that gives its beginning, `>` in front of code
/// that may give its end.
fn slots(language: Language, bytes: &[u8], charset: Charset) -> Vec<String> {
    let document = Document { bytes, charset };
    let answers = document.answers_in_every_cut(|| CodeTokenizer::new(language, 64));
    let shown = answers.iter().map(|(_, answer)| match answer {
        Answer::Slot(slot, raw) => {
            let text = slot.escaping.unescape(raw);
            let (before, behind) = match slot.escaping {
                Escaping::Literal(style) => (style.goes_on_before, style.goes_on_behind),
                _ => (false, false),
            };
            let mark = |is, mark| if is { mark } else { "" };
            let kind = match slot.syntax {
                _ if slot.access == Access::Identifier => "name ",
                Syntax::Data => "",
                _ if slot.place.kind.name() == "comment" => "# ",
                _ => "text ",
            };
            format!(
                "{kind}{}{}{}",
                mark(before, "<"),
                text.text(),
                mark(behind, ">")
            )
        }
        Answer::TooLong(_) => "too long".to_owned(),
    });
    shown.collect()
}

fn check(language: Language, cases: &[(&str, &[&str])]) {
    for (code, expected) in cases {
        assert_eq!(
            slots(language, code.as_bytes(), Charset::UTF_8),
            *expected,
            "{code}"
        );
    }
}

#[test]
fn literals_of_python() {
    check(
        Language::Python,
        &[
            (
                "'''a.b'''\nx = 'c.d', Rb\"e.\\\"f\", f'{g.h}'; # i.j\nk.l = '''m.'n'''",
                &["text a.b", "c.d", "e.\\\"f", "#  i.j", "m.'n"],
            ),
            (
                "x = 'a.b' 'c.d' + e\n'f.g'\ny('h.i'\n # .\n u'j.k') + l",
                &["a.b>", "<c.d>", "text f.g", "h.i>", "#  .", "<j.k>"],
            ),
            (
                "x = 'a.b' \\\n'c.d'\ny = ('e.f' if g else 'h.i')\nz += 'j.k'\n",
                &["a.b>", "<c.d", "e.f", "h.i", "<j.k>"],
            ),
            (
                "x = 'a.b'.encode(); y = 'c.d'.encode() + e; z = 'f.g'.upper()",
                &["a.b", "c.d>", "f.g>"],
            ),
            // An open string is no program.
            ("x = ('a.b' if y else 'c.d') + z", &["a.b>", "c.d>"]),
            ("x = 'a.b\nc.d'", &["text a.b\nc.d'"]),
        ],
    );
}

#[test]
fn literals_of_languages_like_c() {
    check(
        Language::C,
        &[
            (
                "#define A \"a.b\"\nint c; /* d.e */ f(L\"g.h\" I \"j.k\", '\"', u8R\"x(l.\"m)\")x\"); // n.o",
                &["a.b", "#  d.e ", "g.h>", "<j.k", "l.\"m)\"", "#  n.o"],
            ),
            (
                "a << \"b.c\" << \"d.e\"; s.append(\"f.g\"); s += \"h.i\"; x = 1'000 + f(\"j.k\");",
                &["<b.c>", "<d.e", "<f.g>", "<h.i>", "j.k"],
            ),
        ],
    );
    check(
        Language::Java,
        &[(
            "a(\"b.c\" + \"d.e\", \"\"\"\n f.\"g\"\"\", \"h.i\".getBytes(), '\\'', \"j.k\".concat(l))",
            &["b.c>", "<d.e", "\n f.\"g", "h.i", "j.k>"],
        )],
    );
    check(
        Language::CSharp,
        &[("a(@\"b.\\c\"\"d.e\", $\"f.{g}\")", &["b.\\c\"\"d.e", "f.>"])],
    );
    check(
        Language::Go,
        &[(
            "import (\n\"a.b\"\n)\nc = `d.\n\\` + \"e.f\"\ng('\"', \"h.i\"...)",
            &["a.b", "d.\n\\>", "<e.f", "h.i"],
        )],
    );
    check(
        Language::Rust,
        &[(
            "a::<'b>(r#\"c.\"d\"#, \"e.\\u{66}\ng\", b\"h.i\", concat!(\"j.k\", l), '\"', \"m.n\".to_string() + o)",
            &["c.\"d", "e.f\ng", "h.i", "<j.k>", "m.n>"],
        )],
    );
    check(
        Language::Swift,
        &[("a(#\"b.\\c\"#, \"d.\\u{65}\")", &["b.\\c", "d.e"])],
    );
}

/// Code in a string is no text of it, whatever quotation marks it has.
#[test]
fn holes_of_strings() {
    check(
        Language::Python,
        &[
            (
                "x = f\"{a[\"b.c\"]} d.e{f}\" + 'g.h' # i.j",
                &["b.c", "< d.e>", "<g.h", "#  i.j"],
            ),
            (
                "x = Rf'{{a.b}} {c!r:>{d['e.f']}.2f}g.h' f\"\"\"i.\"j{k:#x}\n'l.m\"\"\"",
                &["{a.b} >", "e.f", "<g.h>", "<i.\"j>", "<\n'l.m"],
            ),
            (
                "x = f'{ {'a': 1}['b.c'] }d.e{f'{'g.h'}i.j'}', f'{d:%H:%M}k.l{m,}'",
                &["b.c", "<d.e>", "<g.h>", "<i.j>", "<k.l>"],
            ),
            (
                "x = f'\\N{EM DASH}a.b{c # '}' d.e\n}f.g', t'{{{h}}}i.j', 'k{l}.m'",
                &["\\N{EM DASH}a.b>", "#  '}' d.e", "<f.g", "<}i.j", "k{l}.m"],
            ),
            (
                "x = rf'(\\{{)a.b', f'\\{c}d.e', 'g.h'",
                &["(\\{)a.b", "\\>", "<d.e", "g.h"],
            ),
            // The format ends with its line.
            ("x = f'{a:b\n}c.d'", &["<c.d"]),
            (
                "x = f'a.b{'c.d'!r}e.f{'g.h':>9}'",
                &["a.b>", "<c.d>", "<e.f>", "<g.h>"],
            ),
        ],
    );
    check(
        Language::CSharp,
        &[
            (
                "$\"a.b{(c ? \"d.e\" : \"\"):N2} f.g{{}}\", @\"\"\"h.i\"\"\", $@\"j.k\\{l}\n\"\"m.n\"",
                &[
                    "a.b>",
                    "<d.e>",
                    "< f.g{}",
                    "\"\"h.i\"\"",
                    "j.k\\>",
                    "<\n\"\"m.n",
                ],
            ),
            (
                "@$\"a.b{global::C[\"d:e.f\"]}g.h\" + $$\"\"\"\"\"i.\"\"\"j{k}{{{l}}}}m.n\"\"\"\"\", \"o.p{q}\"",
                &[
                    "a.b>",
                    "d:e.f",
                    "<g.h>",
                    "<i.\"\"\"j{k}{>",
                    "<}}m.n",
                    "o.p{q}",
                ],
            ),
            (
                "$\"{a switch { 1 => \"b.c\", _ => \"}\" },5}d.e\"",
                &["b.c", "<d.e"],
            ),
        ],
    );
    check(
        Language::Kotlin,
        &[
            (
                "a(\"${map[\"b.c\"]}d.e$f/g.h$ i.j\\${k.l\", \"\"\"m.n${\"o.p\"}\"q.r${'$'}s.t\"\"\")",
                &[
                    "b.c",
                    "<d.e>",
                    "</g.h$ i.j${k.l",
                    "m.n>",
                    "<o.p>",
                    "<\"q.r>",
                    "<s.t",
                ],
            ),
            (
                "$$\"\"\"a.b$c${d}$$$e f.g$${h { i -> \"j.k\" }}\"\"\"",
                &["a.b$c${d}$>", "< f.g>", "j.k"],
            ),
        ],
    );
    check(
        Language::Swift,
        &[(
            "a(\"\\(a[\"b.c\"])d.e\\(f(\")\")) g.h\", #\"\\#(i)\"j.k\\(l)\"#, \"\"\"\n\\(\"m.n\")o.p\"\"\")",
            &["b.c", "<d.e>", "< g.h", "<\"j.k\\(l)", "m.n>", "<o.p"],
        )],
    );
    check(
        Language::JavaScript,
        &[
            (
                "`a.b${x ? `c.d${'e.f'}` : \"`\"}g.h`",
                &["a.b>", "c.d>", "<e.f>", "<g.h"],
            ),
            ("`${'a.b'}${'c.d'}`", &["a.b>", "<c.d>"]),
        ],
    );
}

#[test]
fn comments_in_comments() {
    for language in [Language::Rust, Language::Kotlin, Language::Swift] {
        check(
            language,
            &[
                (
                    "/*/ a.b /* c.d /**/ e//f.g */ h.i **/ \"j.k\" /* l.m /* n.o */",
                    &[
                        "# / a.b ",
                        "#  c.d ",
                        "#  e//f.g ",
                        "#  h.i *",
                        "j.k",
                        "#  l.m ",
                        "#  n.o ",
                    ],
                ),
                (
                    "\"a.b\" /* c /* d */ e.f */ + g",
                    &["a.b>", "#  c ", "#  d ", "#  e.f "],
                ),
            ],
        );
    }
    check(
        Language::Java,
        &[("/* a.b /* c.d */ \"e.f\" */", &["#  a.b /* c.d ", "e.f"])],
    );
    check(
        Language::C,
        &[
            (
                "// a.b \\\n c.d\\\r\ne.f\\ \n\"g.h\" // i \\\n j",
                &["#  a.b ", "#  c.d", "# e.f\\ ", "g.h", "#  i ", "#  j"],
            ),
            (
                "\"a.b\" // c \\\n;\n\"d.e\"",
                &["a.b>", "#  c ", "# ;", "<d.e"],
            ),
        ],
    );
    check(
        Language::Java,
        &[("// a.b\\\n\"c.d\"", &["#  a.b\\", "c.d"])],
    );
    check(
        Language::Rust,
        &[(
            "cr\"a.b\\\" + cr##\"c.\"#d\\\"##, cr",
            &["a.b\\>", "<c.\"#d\\"],
        )],
    );
    // The backslash is a part of a character.
    let sjis = Charset::for_label("shift_jis").unwrap();
    let found = slots(Language::C, b"// \x95\x5C\n\"a.b\"", sjis);
    assert_eq!(found, ["#  \u{8868}", "a.b"]);
}

#[test]
fn strings_of_gettext() {
    let plain = Language::Gettext { keys: false };
    check(
        plain,
        &[
            ("", &[]),
            (
                "# a.b\n#: c.d:1\nmsgid \"e.f\"\nmsgstr \"g.h\"\n",
                &["#  a.b", "# : c.d:1", "e.f", "g.h"],
            ),
            (
                "msgid \"\"\n\"a.b\\n\"\n\t\"c.\"\r\n\r\n\"d\"\nmsgstr[0] \"\" \"e.f\"\nmsgstr[1]\"g.h\"",
                &["a.b\nc.d", "e.f", "g.h"],
            ),
            (
                "#~ msgid \"a.\"\n#~ \"b\"\n#~| msgid \"c.\"\n#~| \"d\"\n#~ msgstr \"e.f\"\n",
                &["a.b", "c.d", "e.f"],
            ),
            (
                "msgctxt \"a.b\"\nmsgid \"c\"\nmsgid_plural \"d\\\"\\x2e\\056\\\\.\"",
                &["a.b", "d\"..\\."],
            ),
            ("msgstr \"a.b\n\"c.d\"", &["text a.b\n\"c.d\""]),
            (
                "msgstr \"a.b\"\nMsgid \"c.d\"",
                &["a.b", "text Msgid \"c.d\""],
            ),
        ],
    );
    let escapes = |text: &str, keys| {
        let document = Document {
            bytes: text.as_bytes(),
            charset: Charset::UTF_8,
        };
        let language = Language::Gettext { keys };
        let answers = document.answers_in_every_cut(|| CodeTokenizer::new(language, 64));
        let strings = answers.iter().filter_map(|(_, answer)| match answer {
            Answer::Slot(slot, _) => match slot.escaping {
                Escaping::Literal(style) => Some(style.escapes),
                _ => None,
            },
            Answer::TooLong(_) => None,
        });
        strings.collect::<Vec<_>>()
    };
    let (plain, text) = (Escapes::Gettext, Escapes::GettextText);
    let (format, key) = (Escapes::GettextFormat, Escapes::GettextKey);
    let entries = "#, fuzzy, c-format\nmsgctxt \".\"\nmsgid \".\"\nmsgid_plural \".\"\nmsgstr[0] \".\"\nmsgstr[1] \".\"\n\n#, no-c-format\nmsgid \".\"\nmsgstr \".\"\n\nmsgid \".\"\nmsgstr \".\"";
    assert_eq!(
        escapes(entries, false),
        [key, key, key, format, format, key, text, key, plain]
    );
    assert_eq!(
        escapes(entries, true),
        [
            format, format, format, format, format, text, text, plain, plain
        ]
    );
}

#[test]
fn values_of_properties() {
    check(
        Language::Properties,
        &[
            ("", &[]),
            ("# a.b\n! c.d\r\n e.f = g.h\n", &["#  a.b", "#  c.d", "g.h"]),
            ("a:b.c\rd e.f\r\n\tg  :  h.i", &["b.c", "e.f", "h.i"]),
            (
                "a == b.c\nd : = e.f\ng = : h.i",
                &["= b.c", "= e.f", ": h.i"],
            ),
            ("a.b\nc.d\\=e\\:f\\ g.h i.j", &["i.j"]),
            (
                "a = b. \\\n   c.d\\\r\n\t\x0Ce\\\rf\ng=h.i",
                &["b. c.def", "h.i"],
            ),
            ("a=b.c\\\n\nd=e.f", &["b.c", "e.f"]),
            ("a\\\n  b.c \\\n = \\\n d.e\\\n", &["d.e"]),
            ("  \\\n  # a.b\n\\\n\nc d.e", &["#  a.b", "d.e"]),
            ("a=\n\n  =b.c\nd", &["b.c"]),
            ("a=b.c # d\ne=f.g\\", &["b.c # d", "f.g\\"]),
            (
                "a=http\\://b.c/\\u00e9\\ud83d\\ude00\\=\\q\\t\\\\\n",
                &["http://b.c/\u{e9}\u{1f600}=q\t\\"],
            ),
        ],
    );
    let sjis = Charset::for_label("shift_jis").unwrap();
    let found = slots(
        Language::Properties,
        b"\x95\x5C=\x95\x5C\n a.b=c.\x95\x5C",
        sjis,
    );
    assert_eq!(found, ["\u{8868}", "c.\u{8868}"]);
    let found = slots(
        Language::Properties,
        b"\x83\x5C\x83\x5C:a.b\n\\\x83\x5C=c.d",
        sjis,
    );
    assert_eq!(found, ["a.b", "c.d"]);
}

/// Marks that a link escapes are escaped in the new one, letters always.
#[test]
fn links_of_properties() {
    let value = Escaping::Literal(LiteralStyle::new(Escapes::Properties, 0));
    let written = |text, old| value.escape(text, old, &|_| true);
    for (text, old, new) in [
        ("http://b/#a=c!", "http://a/", "http://b/#a=c!"),
        ("http://b/#a=c!", r"http\://a/", r"http\://b/\#a\=c\!"),
        ("http://b/#a=c!", r"http\://a/=", r"http\://b/\#a=c\!"),
        ("a\\b", "", r"a\\b"),
        ("\u{e9}\u{1f600}", "", r"\u00E9\uD83D\uDE00"),
        ("\u{e9}\u{ea}", r"\u00e8", r"\u00e9\u00ea"),
        ("\u{e9}", "\u{e8}", "\u{e9}"),
        ("a\nb", "", r"a\u000Ab"),
    ] {
        assert_eq!(written(text, old).as_deref(), Some(new), "{old}");
    }
    for (text, old) in [("a{0}", "a"), ("a", "a{0}"), ("it's", "its")] {
        assert_eq!(written(text, old), None);
    }
}

/// A string in pieces counts as a whole.
#[test]
fn long_messages() {
    let text = format!("msgstr \"\"{}\nmsgid \"a.b\"", "\n\"x.y\"".repeat(16));
    check(
        Language::Gettext { keys: false },
        &[(&text, &["too long", "a.b"])],
    );
    let sjis = Charset::for_label("shift_jis").unwrap();
    let found = slots(
        Language::Gettext { keys: false },
        b"msgstr \"\x95\x5C\"\n\" a.b\"",
        sjis,
    );
    assert_eq!(found, ["\u{8868} a.b"]);
}

#[test]
fn strings_of_javascript() {
    check(
        Language::JavaScript,
        &[
            ("", &[]),
            ("os.name = Math.io;", &[]),
            ("a = 'b.c', d = \"e.f\"", &["b.c", "e.f"]),
            (r"'\x2e\u002E\u{2e}\.\0\b'", &["....\0\x08"]),
            (
                r#"'a\'b.c' "d\"e.f\\" 'g.h'"#,
                &["a'b.c", "d\"e.f\\", "g.h"],
            ),
            ("'a.b\\\nc' 'a.b\\\r\nc'", &["a.b\\\nc", "a.b\\\r\nc"]),
            // An escape of old code alone.
            (r"'\251 a.b'", &["\u{FFFD}251 a.b"]),
            // A literal that the line ends is no program.
            ("'a.b\n'c.d'", &["text a.b\n'c.d'"]),
            ("x = 'a.b", &["text a.b"]),
            (
                "x\n// a.b\n/* c.d */ 'e.f' // g",
                &["#  a.b", "#  c.d ", "e.f", "#  g"],
            ),
            (
                "#!/bin/a.b\n<!-- c.d\n--> e.f\n'g.h'",
                &["# /bin/a.b", "#  c.d", "#  e.f", "g.h"],
            ),
            ("a --> b, 'c.d'", &["c.d"]),
        ],
    );
}

#[test]
fn code_around_strings() {
    check(
        Language::JavaScript,
        &[
            ("'a.b' + c", &["a.b>"]),
            ("'a.b' // d\n /* e */+ c", &["a.b>", "#  d", "#  e "]),
            ("'a.b' // + c\n;", &["a.b", "#  + c"]),
            ("c + 'a.b', 'd.e'", &["<a.b", "d.e"]),
            ("c += 'a.b'", &["<a.b"]),
            ("['a.b'].join()", &["a.b"]),
            ("'a.b'.concat(c)", &["a.b>"]),
            ("'a.b' - c", &["a.b"]),
            ("`a.b${c}d.e`", &["a.b>", "<d.e"]),
            ("`a.b${c + 'd.e'}`", &["a.b>", "<d.e>"]),
            (
                "`a.b${`c.d${{e: '}f.g'}}h.i`}j.k` + l",
                &["a.b>", "<c.d>", "}f.g", "<h.i>", "<j.k>"],
            ),
            ("`$a.b\\${c.d}`", &["$a.b${c.d}"]),
            ("`a.b\n'c.d`", &["a.b\n'c.d"]),
            ("`a.b${", &["a.b>"]),
        ],
    );
}

/// Code behind parentheses continues a string in them, and code in front gives its beginning.
#[test]
fn parentheses_around_strings() {
    check(
        Language::JavaScript,
        &[
            ("(x ? 'a.b' : 'c.d') + 'e.f'", &["a.b>", "c.d>", "<e.f"]),
            ("(x || 'a.b') + y", &["a.b>"]),
            ("('a.b' || x) + y", &["a.b>"]),
            ("x + (y ? 'a.b' : 'c.d')", &["<a.b", "<c.d"]),
            ("(x ? 'a.b' : f(')')) + y", &["a.b>"]),
            ("(x ? 'a.b' : 'c.d'); y", &["a.b", "c.d"]),
            ("(x = 'a.b', y)", &["a.b"]),
            ("('a.b').concat(x)", &["a.b>"]),
            ("('a.b');", &["a.b"]),
            ("f('a.b') /* c.d */ + y", &["a.b>", "#  c.d "]),
            ("f('a.b').then(x)", &["a.b"]),
            ("f('a.b', 'c.d') - y", &["a.b", "c.d"]),
            ("if ('a.b') + y", &["a.b>"]),
            ("x.concat('a.b', 'c.d')", &["<a.b>", "<c.d>"]),
            ("f(`a.b`", &["a.b"]),
            ("x = (y ? z : ('a.b')) + 'c.d'", &["a.b>", "<c.d"]),
            ("f(g('a.b'))", &["a.b"]),
            (
                "`${'a.b'}c.d` + `${x ? 'e.f' : ''}`",
                &["a.b>", "<c.d>", "e.f>"],
            ),
            ("`${f('a.b')}`", &["a.b"]),
        ],
    );
    check(
        Language::Php,
        &[
            ("<? ($x ? 'a.b' : 'c.d') . 'e.f'", &["a.b>", "c.d>", "<e.f"]),
            ("<? $y . ($x ?: 'a.b')", &["<a.b"]),
            ("<? f('a.b') . $x", &["a.b>"]),
            ("<? implode('', array('a.b', 'c.d'))", &["<a.b>", "<c.d>"]),
            ("<? Implode('', 'a.b', 'c.d')", &["<a.b>", "<c.d>"]),
            ("<? f(\"a.b{$c[g('d.e')]}\")", &["a.b>", "d.e"]),
        ],
    );
}

/// Values of a format are parts of a text if a directive stands beside a part of a link.
#[test]
fn values_of_formats() {
    check(
        Language::Php,
        &[
            ("<? sprintf('%s%s', 'a.b', 'c.d')", &["<a.b>", "<c.d>"]),
            ("<? printf(__('%1$s/e'), f('a.b'))", &["%1$s/e", "a.b>"]),
            (
                "<? sprintf('<a href=\"%s\">', 'a.b')",
                &["<a href=\"%s\">", "a.b"],
            ),
            ("<? f(sprintf('%s/x', $y), 'a.b')", &["%s/x", "a.b"]),
            ("<? join('', array(array('a.b')))", &["<a.b>"]),
            ("<? array('a.b', 'c.d')", &["a.b", "c.d"]),
        ],
    );
    check(
        Language::Python,
        &[
            ("'{}{}'.format('a.b', 'c.d')", &["<a.b>", "<c.d>"]),
            ("x = '{} {}'.format('a.b', 'c.d')", &["a.b", "c.d"]),
            ("x = '%s/e' % ('a.b', 'c.d')", &["%s/e", "<a.b>", "<c.d>"]),
            ("x = '%s/e' % 'a.b'", &["%s/e", "<a.b>"]),
            ("x = '%s' % 'a.b', 3 % 'c.d'", &["a.b", "c.d"]),
        ],
    );
    check(
        Language::C,
        &[
            (
                "sprintf(x, \"%s%s\", \"a.b\", \"c.d\")",
                &["<a.b>", "<c.d>"],
            ),
            ("printf(\"see %s.\", \"a.b\")", &["see %s.", "a.b"]),
        ],
    );
    check(
        Language::Java,
        &[("String.format(\"%s/e\", \"a.b\")", &["%s/e", "<a.b>"])],
    );
    check(
        Language::Java,
        &[("String.join(\"\", \"a.b\", c)", &["<a.b>"])],
    );
    check(
        Language::Java,
        &[("\"%s/e\".formatted(\"a.b\")", &["%s/e>", "<a.b>"])],
    );
    check(
        Language::Kotlin,
        &[("\"%s/e\".format(\"a.b\")", &["%s/e>", "<a.b>"])],
    );
    check(
        Language::CSharp,
        &[("string.Format(\"{0}/e\", \"a.b\")", &["{0}/e", "<a.b>"])],
    );
    check(
        Language::CSharp,
        &[("string.Join(\"\", \"a.b\", c)", &["<a.b>"])],
    );
    check(
        Language::Rust,
        &[("format!(\"{}{}\", \"a.b\", c)", &["<a.b>"])],
    );
    check(
        Language::Go,
        &[("fmt.Sprintf(\"%s/e\", \"a.b\")", &["%s/e", "<a.b>"])],
    );
    check(
        Language::Go,
        &[("strings.Join([]string{\"a.b\"}, x)", &["a.b>"])],
    );
    check(Language::Go, &[("x = append(x, \"a.b\")", &["a.b"])]);
}

/// Types, conversions and brackets stand between a string and the operator that joins it to another one.
#[test]
fn joined_behind_other_code() {
    check(
        Language::TypeScript,
        &[
            ("'a.b'! + x", &["a.b>"]),
            ("'a.b' != x", &["a.b"]),
            ("'a.b'?.concat(x)", &["a.b>"]),
            ("'a.b' as string + x", &["a.b>"]),
            ("'a.b' as A.B<C<d>>[] | 'e' + x", &["a.b>"]),
            ("'a.b' satisfies string + x", &["a.b>"]),
            ("('a.b' as string).concat(x)", &["a.b>"]),
            ("'a.b' as const; x", &["a.b"]),
            ("'a.b' as string\ny + x", &["a.b"]),
            ("((x ? 'a.b' : y) || z) + w", &["a.b>"]),
        ],
    );
    check(
        Language::JavaScript,
        &[
            ("['a.b'][0] + x", &["a.b>"]),
            ("['a.b', 'c.d'][i] + x", &["a.b>", "c.d>"]),
            ("{k: 'a.b', l: 'c.d'}.k + x", &["a.b>", "c.d>"]),
            ("{k: 'a.b'}['c.d'] + x", &["a.b>", "c.d"]),
            ("['a.b', x].join('')", &["a.b>"]),
            ("['a.b', x].join(y)", &["a.b>"]),
            ("['a.b', x].join('-')", &["a.b>"]),
            ("['a.b', x].join(', ')", &["a.b"]),
            ("['a.b', x].join(\"\\n\")", &["a.b", "\n"]),
            ("['a.b', x].join()", &["a.b"]),
            ("['a.b', x].map(y)[0] + z", &["a.b"]),
            ("['a.b'].concat(x)", &["a.b"]),
            ("x['a.b'] + y", &["a.b"]),
            ("({k: 'a.b'}).k + x", &["a.b>"]),
            ("(f('a.b')) + x", &["a.b>"]),
            ("'a.b'[x](y)", &["a.b>"]),
            ("(() => 'a.b')() + x", &["a.b>"]),
            ("(function () { return 'a.b' })() + x", &["a.b>"]),
            ("(function () { return 'a.b' })()", &["a.b"]),
            ("['', 'a.b'].reduce((x, y) => x + y)", &["a.b>"]),
            ("f('a.b').concat(x)", &["a.b>"]),
            ("f('a.b').then(x) + y", &["a.b"]),
            ("new F('a.b').g", &["a.b"]),
            ("f('a.b', x).g + y", &["a.b"]),
        ],
    );
    check(
        Language::Rust,
        &[
            ("\"a.b\".to_owned() + x", &["a.b>"]),
            ("[\"a.b\".to_string(), x].concat()", &["a.b>"]),
            ("vec![\"a.b\", x].join(\"\")", &["a.b>"]),
            ("vec![\"a.b\", x].join(\" \")", &["a.b"]),
            ("match x { y => \"a.b\", _ => z }.to_owned() + w", &["a.b>"]),
            ("String::from(\"a.b\").into() + x", &["a.b>"]),
            ("[\"a.b\", x].iter()", &["a.b"]),
        ],
    );
    check(
        Language::Python,
        &[
            ("x = 'a.b' % (y, 'c.d') + z", &["a.b>", "c.d>"]),
            ("x = 'a.b' % y.z[0], w", &["a.b"]),
            ("x = ['a.b', y][0] + z", &["a.b>"]),
            ("x = {'k': 'a.b'}['k'] + z", &["a.b>"]),
            ("x = ('a.b', y)[z] + w", &["a.b>"]),
            ("x = ['a.b'] + y", &["a.b"]),
            ("x = (lambda: 'a.b')() + y", &["a.b>"]),
            (
                "x = ''.join(['a.b', y]), \"\".join(('c.d', y))",
                &["a.b>", "c.d>"],
            ),
            (
                "x = ', '.join(['a.b', y]), z.join('c.d'), '\\n'.join(['e.f'])",
                &["a.b", "c.d", "\n>", "e.f"],
            ),
            ("x = f('a.b').append(y)", &["a.b"]),
        ],
    );
    check(
        Language::Kotlin,
        &[
            ("\"a.b\"!! + x", &["a.b>"]),
            ("\"a.b\" as String + x", &["a.b>"]),
            ("f(\"a.b\", x).joinToString(\"\")", &["a.b>"]),
            ("f(\"a.b\", x).joinToString { y }", &["a.b"]),
            ("x.map { \"a.b\" }.joinToString(\"\")", &["a.b>"]),
            ("F(\"a.b\").append(x)", &["a.b>"]),
        ],
    );
    check(
        Language::Swift,
        &[
            ("[\"a.b\", x].joined()", &["a.b>"]),
            ("[\"a.b\", x].joined(separator: \", \")", &["a.b"]),
            ("x[\"a.b\"] + y", &["a.b"]),
        ],
    );
    check(
        Language::Php,
        &[
            ("<? match ($x) { default => 'a.b' } . $y", &["a.b>"]),
            ("<? ['a.b', $x][0] . $y", &["a.b>"]),
            ("<? f('c.d', [['a.b'][0] . g(\"x\", $y)])", &["c.d", "a.b>"]),
            ("<? $z['a.b'] . $y", &["a.b"]),
        ],
    );
    // The end of a long list is not known.
    let list = format!("['a.b', {}][0] + x", "y, ".repeat(100));
    check(Language::JavaScript, &[(&list, &["a.b"])]);
}

#[test]
fn names_of_namespaces() {
    check(
        Language::JavaScript,
        &[
            ("d.createElementNS('a.b', 'c.d')", &["name a.b", "c.d"]),
            (
                "e.setAttributeNS( 'a.b', f('c.d'), 'e.f')",
                &["name a.b", "c.d", "e.f"],
            ),
        ],
    );
    check(
        Language::Php,
        &[("<? $d->createElementNS('a.b', 'c.d')", &["name a.b", "c.d"])],
    );
}

#[test]
fn regular_expressions() {
    check(
        Language::JavaScript,
        &[
            ("/a.b'/ + 'c.d'", &["<c.d"]),
            ("x = /a.b\"[/'\\]]\\//g, 'c.d'", &["c.d"]),
            ("x / 'a.b' / y", &["a.b"]),
            ("x++ / 'a.b' / y", &["a.b"]),
            ("(x) / 'a.b' / y", &["a.b"]),
            ("x[0] / 'a.b' / y", &["a.b"]),
            ("x! / 'a.b' / y", &["a.b"]),
            ("!/'a.b/.test(x), 'c.d'", &["c.d"]),
            ("if (x) /'a.b/.test('c.d')", &["c.d"]),
            ("while (f(x)) /'a.b/", &[]),
            ("return /'a.b/; y.return / 'c.d'", &["c.d"]),
            ("{} /'a.b/", &[]),
            ("of / 'a.b' / c", &["a.b"]),
            ("for (a of /'b/) 'c.d'", &["c.d"]),
            ("`${{} / 'a.b'} c.d`", &["a.b>", "< c.d"]),
            ("x = {} / 'a.b'", &["a.b"]),
            ("x => { } /'a.b/", &[]),
            // No regular expression is a program with other marks than these.
            ("x = / a.b\n'c.d'", &["text / a.b\n'c.d'"]),
        ],
    );
}

#[test]
fn elements_of_jsx() {
    check(
        Language::JavaScript,
        &[
            (
                "x = <a href='b.c?d&amp;e' f={'g.h'}>it's i.j {/* k.l */ 'm.n'} &amp;o.p</a>, 'q.r'",
                &[
                    "b.c?d&e",
                    "g.h",
                    "text it's i.j ",
                    "#  k.l ",
                    "m.n",
                    "text  &o.p",
                    "q.r",
                ],
            ),
            (
                "(<><B.C d/>e.f<g>h.i</g>j.k</>) / 'l.m'",
                &["text e.f", "text h.i", "text j.k", "l.m"],
            ),
            ("<T,>(x: T) => 'a.b'", &["a.b"]),
            ("<T extends U>(x: T) => 'a.b'", &["a.b"]),
            ("a < b, 'c.d'", &["c.d"]),
            ("a <b> 'c.d'", &["c.d"]),
        ],
    );
    check(
        Language::TypeScript,
        &[("<T>x + 'a.b' + y<z>('c.d')", &["<a.b>", "c.d"])],
    );
}

#[test]
fn php_in_text() {
    check(
        Language::Php,
        &[
            ("it's a.b", &["text it's a.b"]),
            (
                "a.b <?php 'c.d' ?> e.f <?= \"g.h\"",
                &["text a.b ", "c.d", "text  e.f ", "g.h"],
            ),
            (
                "<? # a.b ?> c.d's <? // e.f\n'g.h' /* i.j */",
                &["#  a.b ", "text  c.d's ", "#  e.f", "g.h", "#  i.j "],
            ),
            (r"<? 'a\'b.c\d\\' ?>", &[r"a'b.c\d\"]),
            (r#"<? "a\"b.c\x2e\56\u{2e}\$d\/" ?>"#, &["a\"b.c...$d\\/"]),
            ("<? #[A('b.c')]\nx", &["b.c"]),
            (
                "<? 'a.b' . $x . 'c.d' . 'e.f'; $y .= 'g.h'",
                &["a.b>", "<c.d>", "<e.f", "<g.h"],
            ),
            ("<? \"a.b$c d.e$1 f.g\"", &["a.b>", "< d.e$1 f.g"]),
            (
                "<? \"a.b{$c[\"d.e\"]} f.g${h} \\{$i j.k\"",
                &["a.b>", "d.e", "< f.g>", "< \\{>", "< j.k"],
            ),
            (
                "<? <<<A\n  a.b $c 'd.e\n Af.f\n  A . 'g.h'",
                &["\n  a.b >", "< 'd.e\n Af.f>", "<g.h"],
            ),
            ("<? <<< 'A'\na.b $c\\\nA;\n'd.e'", &["\na.b $c\\", "d.e"]),
            ("<? <<<\"A\"\r\na.b\r\nA\r\n'c.d'", &["\na.b\r", "c.d"]),
            ("<? $a <<< 1; 'b.c'", &["b.c"]),
            ("<? `a.b \\` $c`", &["a.b ` >"]),
            ("<? 'a.b", &["text a.b"]),
        ],
    );
}

#[test]
fn strings_of_toml() {
    check(
        Language::Toml,
        &[
            ("a = \"b\\u002e\\U0000002Ec\" # d.e\n", &["b..c", "#  d.e"]),
            ("\"a.b\" = 'c.d\\'\n'e.f'.g = 'h.i'", &["c.d\\", "h.i"]),
            (
                "a = \"\"\"\"b.c\"\n\"\"\"\"\nd = '''e.f'''",
                &["\"b.c\"\n\"", "e.f"],
            ),
            ("a = \"b.c\nd = 'e.f'", &["text b.c\nd = 'e.f'"]),
            (
                " [a.\"b.c\"]\n[[ 'd.e' . \"f.g\" ]] # h.i\nj = ['k.l',\n ['m.n'],\n['o.p']]\n['q.r']",
                &["#  h.i", "k.l", "m.n", "o.p"],
            ),
            ("['a.b'\nc = 'd.e'", &["d.e"]),
        ],
    );
}

#[test]
fn long_literals_are_skipped() {
    let long = "a.".repeat(40);
    for code in [
        format!("x = '{long}', 'b.c'"),
        format!("x = `{long}${{y}}{long}`, 'b.c'"),
        format!("x = \"{long}\n'b.c'"),
        format!("x = `{long}"),
    ] {
        let found = slots(Language::JavaScript, code.as_bytes(), Charset::UTF_8);
        assert_eq!(found[0], "too long", "{code}");
    }
    let word = format!("{}return /'b.c' / 'd.e'", "x".repeat(100));
    check(Language::JavaScript, &[(&word, &["b.c", "d.e"])]);
}

/// A backslash or backquote that is the second byte of a character is no mark.
#[test]
fn charsets_in_which_marks_are_parts_of_characters() {
    let sjis = Charset::for_label("shift_jis").unwrap();
    let found = slots(
        Language::JavaScript,
        b"'\x95\x5C a.b' `\x83\x60 c.d`, 'e.f'",
        sjis,
    );
    assert_eq!(found, ["\u{8868} a.b", "\u{30C1} c.d", "e.f"]);
    let found = slots(Language::JavaScript, b"'\\'xyz a.b', 'c.d'", sjis);
    assert_eq!(found, ["'xyz a.b", "c.d"]);
}

/// Brackets that are never closed take no memory without end.
#[test]
fn too_many_brackets() {
    let code = format!("{}'a.b'", "(".repeat(MOST_FRAMES + 2));
    let document = Document {
        bytes: code.as_bytes(),
        charset: Charset::UTF_8,
    };
    let answers = document.answers(CodeTokenizer::new(Language::JavaScript, 64), &[]);
    assert!(matches!(&answers[..], [(_, Answer::Slot(slot, _))] if slot.syntax == Syntax::Text));
}

/// Styles of strings with code in them.
const FILLED_IN: &[(Escapes, Holes)] = &[
    (Escapes::Python, Holes::Braces),
    (Escapes::PythonRaw, Holes::Braces),
    (Escapes::CSharp, Holes::Braces),
    (Escapes::Verbatim, Holes::Braces),
    (Escapes::Verbatim, Holes::Counted(1)),
    (Escapes::Verbatim, Holes::Counted(2)),
    (Escapes::Java, Holes::Dollars(1)),
    (Escapes::Verbatim, Holes::Dollars(2)),
    (Escapes::Rust, Holes::Backslash(0)),
    (Escapes::Verbatim, Holes::Backslash(1)),
];

const STYLES: &[(Escapes, u8)] = &[
    (Escapes::JavaScript, b'\''),
    (Escapes::JavaScript, b'"'),
    (Escapes::Template, b'`'),
    (Escapes::PhpSingle, b'\''),
    (Escapes::PhpDouble, b'"'),
    (Escapes::PhpDouble, b'`'),
    (Escapes::Heredoc, 0),
    (Escapes::Toml, b'"'),
    (Escapes::Gettext, b'"'),
    (Escapes::GettextFormat, b'"'),
    (Escapes::Properties, 0),
    (Escapes::Raw, b'\''),
    (Escapes::Python, b'\''),
    (Escapes::Python, b'"'),
    (Escapes::PythonRaw, b'"'),
    (Escapes::PythonBytes, b'"'),
    (Escapes::PythonRawBytes, b'"'),
    (Escapes::C, b'"'),
    (Escapes::Java, b'"'),
    (Escapes::CSharp, b'"'),
    (Escapes::Go, b'"'),
    (Escapes::Rust, b'"'),
    (Escapes::RustBytes, b'"'),
    (Escapes::Verbatim, b'"'),
    (Escapes::VerbatimBytes, b'"'),
];

use crate::escape::{Escapes, Holes};

/// The styles of strings.
fn styles() -> impl Strategy<Value = LiteralStyle> {
    let plain = STYLES
        .iter()
        .map(|(escapes, quote)| LiteralStyle::new(*escapes, *quote));
    let filled_in = FILLED_IN.iter().map(|(escapes, holes)| LiteralStyle {
        holes: *holes,
        ..LiteralStyle::new(*escapes, b'"')
    });
    prop::sample::select(plain.chain(filled_in).collect::<Vec<_>>())
}

proptest! {
    /// A text that is written reads back, ends nowhere, and has a sure meaning.
    #[test]
    fn written_texts_read_back(
        text in "[a/:.$\\{\\}(#'\"`\\\\<é日\u{1F600}\n\\[]{0,12}",
        style in styles(),
        old in prop::sample::select(&["", "a", "\\/", "\\u00e9", "é"][..]),
        is_ascii: bool,
    ) {
        let escaping = Escaping::Literal(style);
        let encodable = |ch: char| !is_ascii || ch.is_ascii();
        if let Some(raw) = escaping.escape(&text, old, &encodable) {
            prop_assert_eq!(escaping.unescape(&raw).into_text(), &*text, "{}", raw);
            let is_command = style.quote == b'`' && style.escapes == Escapes::PhpDouble;
            prop_assert_eq!(style.is_unknown(&raw), is_command, "{}", raw);
            let none = escaping.delimiters("");
            prop_assert!(raw.contains('\n') || escaping.delimiters(&raw) == none, "{}", raw);
        }
    }

    /// No bytes are a riddle: every cut gives the same slots.
    #[test]
    fn any_cuts(
        pieces in prop::collection::vec(prop::sample::select(&[
            "'", "\"", "`", "\\", "${", "}", "{$", "$a", "/", "*/", "/*", "//", "\n", "\r\n", "<", ">", "</", "/>", "<?",
            "?>", "<<<A", "\nA", "a.b", "(", ")", "[", "]", "+", "=", "if", "return", "#", "é", "'''", "\"\"\"", " ", "-->",
            ":", ",", "concat", "aNS", ".", "of", "u8R\"x(", ")x\"", "br##\"", "\"##", "@\"", "\\\n", "#define ", ";", "+=", "msgid", "msgstr ", "#~ ", "f'", "$\"", "$$\"\"\"", "$@\"", "{", "{{", "}}", "\\(", "\\#(", "#\"", "\"#", "::", "!", "as ", ".join(", "#, c-format\n", "\"\n\"",
        ][..]), 0..14),
        language in prop::sample::select(&[Language::JavaScript, Language::TypeScript, Language::Php, Language::Toml, Language::Gettext { keys: false }, Language::Properties,
            Language::Python, Language::C, Language::Java, Language::Kotlin, Language::CSharp, Language::Go, Language::Rust, Language::Swift][..]),
    ) {
        slots(language, pieces.concat().as_bytes(), Charset::UTF_8);
    }
}
