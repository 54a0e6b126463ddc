//! A document in parts has the pieces of a document as a whole.

use super::{MarkdownTokenizer, for_each_piece, for_each_piece_of_mdx, for_each_piece_of_part};
use crate::light::Piece;
use crate::light::testing::{Pieces, compare, described, documents, settings};
use crate::{HtmlTokenizer, MarkupSettings, Step, Syntax, Tokenizer, Window};
use linkglot_charset::Charset;
use proptest::prelude::*;

/// Blocks and lines that depend on others around them.
const UNITS: &[&str] = &[
    "word http://a.example/b_c_d more\n",
    "[a](b) and <http://c.example>, [see http://d.example][Label]\n",
    "[[label]](e) ![[label]](f) [see [g](h)][label]\n",
    "[label]: /i\n",
    "[LABEL  two]:\n  /j 'a title'\n",
    "[label two][] [http://k.example][label\ntwo] [other]\n",
    "[other]: <l> \"a\ntitle\"\n",
    "http://m.example[^1] and [^Foot note], [^none]\n",
    "[^1]: a note [n](o)\n",
    "[^foot note]:\n    more [p](q)\n\n    and more\n",
    "\n",
    "\n\n",
    "# A heading http://r.example\n",
    "A title\n=======\n",
    "A title\n---\n",
    "***\n",
    "---\n",
    "+++\n",
    "...\n",
    "---\ntitle: http://s.example/[t](u)\n",
    "* an item [v](w)\n",
    "* an item [x](y)\n\n  goes on [label]\n",
    "  * an inner item http://z.example\n",
    "10. a number [a](b)\n",
    "11) a number [label][]\n\n    ```\n    code http://b.example\n",
    "- - two [c](d)\n",
    "*\n",
    "- [ ] a task [e](f)\n",
    "> a quotation [g](h)\n",
    "> * in a quotation [label]: x\n> [label]: y\n",
    "lazy [i](j)\n",
    "```\n[k](l) http://m.example\n",
    "```\n",
    "~~~ js\nlet a = \"http://n.example\";\n~~~\n",
    "    code http://o.example [label]: p\n",
    "\tcode [q](r)\n",
    "<div href=s>\n",
    "<a href='t'>[u](v)</a> <!-- http://w.example -->\n",
    "<!-- a comment [x](y)\n",
    "-->\n",
    "<script>\nlet b = 'http://z.example';\n",
    "</script>\n",
    "| a | [label] |\n|---|---|\n",
    "| [b](c) | http://d.example |\n",
    "| `e|f` [^1] | <g:h> |\n",
    "a | b\n- | -\nc | [d](e)\n",
    "слово [ф](х) http://ц.example\n",
];

fn html() -> HtmlTokenizer {
    HtmlTokenizer::new(&MarkupSettings::default())
}

fn whole(text: &str, syntax: Syntax) -> Pieces {
    let mut pieces = Pieces::new();
    let each = &mut |piece: Piece<'_>| pieces.push(described(&piece, 0));
    match syntax {
        Syntax::Mdx => for_each_piece_of_mdx(text, None, settings(), &html, each),
        _ => for_each_piece(text, settings(), &html, each),
    }
    pieces
}

/// The pieces of a document in parts, and the number of the parts.
fn in_parts(text: &str, slice: usize, syntax: Syntax) -> (Pieces, usize) {
    let window = Window {
        bytes: text.as_bytes(),
        last: true,
        charset: Charset::UTF_8,
    };
    let tokenizer = MarkdownTokenizer::new(1 << 20).slice(slice);
    let mut tokenizer = match syntax {
        Syntax::Mdx => tokenizer.mdx(),
        _ => tokenizer,
    };
    let (mut pieces, mut cursor, mut parts) = (Pieces::new(), 0, 0);
    while let Step::Slot(slot) = tokenizer.step(window, &mut cursor) {
        let start = slot.range.start;
        let part = &text[slot.range];
        parts += 1;
        let mut each = |piece: Piece<'_>| pieces.push(described(&piece, start));
        match (syntax, tokenizer.surroundings()) {
            (Syntax::Mdx, around) => {
                for_each_piece_of_mdx(part, around, settings(), &html, &mut each)
            }
            (_, Some(around)) => for_each_piece_of_part(part, around, settings(), &html, &mut each),
            (_, None) => for_each_piece(part, settings(), &html, &mut each),
        }
    }
    assert_eq!(cursor, text.len());
    (pieces, parts)
}

/// Compares a document in parts with the whole, and returns the number of parts.
#[track_caller]
fn agrees(text: &str, slice: usize) -> usize {
    agrees_in(text, slice, Syntax::Markdown)
}

#[track_caller]
fn agrees_in(text: &str, slice: usize, syntax: Syntax) -> usize {
    let (pieces, parts) = in_parts(text, slice, syntax);
    compare(text, slice, &pieces, &whole(text, syntax));
    parts
}

/// Code of MDX that depends on lines around it.
const CODE: &[&str] = &[
    "{a} [b](c) `{d}` \\{\n",
    "text {a &&\n\n  <b c={d}>e</b>\n\n}\n",
    "{`a\n",
    "` b}\n",
    "{/* a\n",
    "*/}\n",
    "{\n",
    "}\n",
    "import a from 'b'\n",
    "export const a = {\n\n  b: '[c](d)' }\n",
    "export a = `\n",
    "`\n",
    "<A b={`[c](d)`} {...e}>[f](g)</A>\n",
    "~~~\n{a\n~~~\n",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000.max(ProptestConfig::default().cases), ..ProptestConfig::default() })]

    #[test]
    fn parts_have_the_pieces_of_the_whole(
        units in prop::collection::vec(prop::sample::select(UNITS), 1..40),
        slice in 1..200_usize,
        end in prop::sample::select(vec!["\n", "\r\n", "\r"]),
    ) {
        agrees(&units.concat().replace('\n', end), slice);
    }

    #[test]
    fn parts_of_mdx_have_the_pieces_of_the_whole(
        units in prop::collection::vec(
            prop_oneof![prop::sample::select(UNITS), prop::sample::select(CODE)],
            1..40,
        ),
        slice in 1..200_usize,
    ) {
        agrees_in(&units.concat(), slice, Syntax::Mdx);
    }
}

/// A brace that does not end is text, and the document from there on a single part.
#[test]
fn parts_of_mdx() {
    let unit = "{a} [b](c)\n\n";
    let text = unit.repeat(1000);
    assert!(agrees_in(&text, 200, Syntax::Mdx) >= text.len() / 200);
    let text = format!("{text}{{\n\n{text}");
    let parts = agrees_in(&text, 200, Syntax::Mdx);
    assert!((60..80).contains(&parts), "{parts}");
}

/// Over the documents of the corpora, and over those below the folder named by `LINKGLOT_MARKDOWN`.
#[test]
fn real_documents_have_the_same_pieces_in_parts() {
    let documents = documents("md", "LINKGLOT_MARKDOWN");
    let mut parts = 0;
    for text in &documents {
        parts += agrees(text, 1000) + agrees(text, 100);
        agrees_in(text, 100, Syntax::Mdx);
    }
    assert!(
        parts > 10 * documents.len() && !documents.is_empty(),
        "{parts} parts"
    );
}

/// Blocks, items, rows and definitions begin parts; a block that nothing divides is a single part.
#[test]
fn parts_are_short() {
    for (head, unit) in [
        ("", "[a](b)\n\n"),
        ("", "* [a](b)\n"),
        ("", "1. [a](b)\n\n   c\n"),
        ("| a | b |\n|---|---|\n", "| [a](b) | c |\n"),
        ("", "> [a](b)\n\n"),
        ("", "# [a](b)\n"),
        ("", "```\na\n```\n"),
    ] {
        let text = [head, &unit.repeat(1000)].concat();
        let parts = agrees(&text, 200);
        assert!(parts >= text.len() / 200, "{parts} parts of {unit}");
    }
    let definitions: String = (0..1000).map(|number| format!("[{number}]: a\n")).collect();
    assert!(agrees(&definitions, 200) >= definitions.len() / 200);
    for unit in ["[a](b)\n", "> a\n"] {
        assert_eq!(agrees(&unit.repeat(1000), 200), 1);
    }
}

/// Lines that look like metadata make no part long if nothing ends them.
#[test]
fn metadata_that_do_not_end_make_no_long_parts() {
    let text = format!("---\na: b\n\n{}", "[c](d)\n\n".repeat(1000));
    assert!(agrees(&text, 200) > 30);
    assert_eq!(agrees(&(text + "---\n"), 200), 1);
    let code = "```\n+++\na = 'b'\n+++\n```\n\n".repeat(500);
    assert!(agrees(&code, 200) > 30);
}
