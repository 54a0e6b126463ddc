//! A document in parts has the pieces of a document as a whole.

use super::{MarkdownTokenizer, for_each_piece, for_each_piece_of_part};
use crate::light::{LineSettings, Piece, Raw};
use crate::{HtmlTokenizer, MarkupSettings, Step, TextSlots, Tokenizer, Window};
use linkglot_charset::Charset;
use linkglot_charset::span::TextSpan;
use proptest::prelude::*;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

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

/// The pieces of a document, as text that can be compared.
type Pieces = Vec<(Range<usize>, String)>;

fn described(piece: &Piece<'_>, shift: usize) -> (Range<usize>, String) {
    let (range, text) = match &piece.raw {
        Raw::Range(range) => (range.clone(), None),
        Raw::Gathered(at, text) => {
            let places: Vec<Range<usize>> = (0..text.text().len())
                .filter(|at| text.text().is_char_boundary(*at))
                .map(|at| text.source(TextSpan::new(at, at)))
                .collect();
            (*at..*at, Some((text.text().to_owned(), places)))
        }
    };
    let (syntax, place, access) = (piece.syntax, &*piece.place, piece.access);
    let rest = format!(
        "{text:?} {syntax:?} {place:?} {access:?} {:?} {:?}",
        piece.escaping, piece.implied
    );
    (range.start + shift..range.end + shift, rest)
}

fn settings() -> LineSettings {
    LineSettings {
        text: TextSlots::All,
        ..LineSettings::default()
    }
}

fn html() -> HtmlTokenizer {
    HtmlTokenizer::new(&MarkupSettings::default())
}

fn whole(text: &str) -> Pieces {
    let mut pieces = Pieces::new();
    for_each_piece(text, settings(), &html, &mut |piece| {
        pieces.push(described(&piece, 0));
    });
    pieces
}

/// The pieces of a document in parts, and the number of the parts.
fn in_parts(text: &str, slice: usize) -> (Pieces, usize) {
    let window = Window {
        bytes: text.as_bytes(),
        last: true,
        charset: Charset::UTF_8,
    };
    let mut tokenizer = MarkdownTokenizer::new(1 << 20).slice(slice);
    let (mut pieces, mut cursor, mut parts) = (Pieces::new(), 0, 0);
    while let Step::Slot(slot) = tokenizer.step(window, &mut cursor) {
        let start = slot.range.start;
        let part = &text[slot.range];
        parts += 1;
        let mut each = |piece: Piece<'_>| pieces.push(described(&piece, start));
        match tokenizer.surroundings() {
            Some(around) => for_each_piece_of_part(part, around, settings(), &html, &mut each),
            None => for_each_piece(part, settings(), &html, &mut each),
        }
    }
    assert_eq!(cursor, text.len());
    (pieces, parts)
}

#[track_caller]
fn agrees(text: &str, slice: usize) -> usize {
    let (pieces, parts) = in_parts(text, slice);
    let whole = whole(text);
    if pieces != whole {
        let differs = pieces.iter().zip(&whole).find(|(one, other)| one != other);
        panic!(
            "in slices of {slice}: {differs:?}, {} and {} pieces of\n{text}",
            pieces.len(),
            whole.len()
        );
    }
    parts
}

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
}

/// The Markdown documents below a folder.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() && !path.is_symlink() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            files.push(path);
        }
    }
}

/// Over the documents of the corpora, and over those below the folder named by `LINKGLOT_MARKDOWN`.
#[test]
fn real_documents_have_the_same_pieces_in_parts() {
    let mut files = Vec::new();
    let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpora");
    collect(&corpora, &mut files);
    if let Some(folder) = std::env::var_os("LINKGLOT_MARKDOWN") {
        collect(Path::new(&folder), &mut files);
    }
    let mut parts = 0;
    for path in &files {
        let Ok(text) = fs::read(path) else { continue };
        let text = String::from_utf8_lossy(&text);
        println!("{}", path.display());
        parts += agrees(&text, 1000) + agrees(&text, 100);
    }
    assert!(
        parts > 10 * files.len() && !files.is_empty(),
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
