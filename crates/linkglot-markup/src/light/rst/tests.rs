//! A document in parts has the pieces of a document as a whole.

use super::{RstTokenizer, pieces};
use crate::light::testing::{Pieces, compare, described, documents, settings};
use crate::{Step, Tokenizer, Window};
use linkglot_charset::Charset;
use proptest::prelude::*;

/// Blocks and lines that depend on others around them.
const UNITS: &[&str] = &[
    "A word http://a.example/b_c_ and `d <e>`_\n",
    "\n",
    "\n\n",
    "  quoted `a <b>`_\n",
    "      deeper http://c.example\n",
    "\ttab `a <b>`_\n",
    "text::\n",
    "::\n",
    "> quoted http://d.example\n",
    "> `e <f>`_\n",
    "* item `a <b>`_\n",
    "* item\n\n  `c <d>`_\n",
    "- - two `a <b>`_\n",
    "1. one `a <b>`_\n",
    "2) two\n   `a <b>`_\n",
    "a. http://e.example\n",
    ":field: `a <b>`_\n",
    "--option=A  http://f.example\n",
    "| line `a <b>`_\n",
    "|\n",
    ".. _a: http://g.example/\n",
    ".. _b: http://h.example/\n   i\n",
    "__ http://j.example\n",
    ".. a comment http://k.example\n",
    "..\n",
    ".. image:: a.png\n   :target: b\n",
    ".. code-block:: python\n\n   a = 'http://l.example'\n",
    ".. note:: `a <b>`_\n",
    ".. [1] `a <b>`_\n",
    ".. |a| image:: b\n",
    ".. raw:: html\n\n   <a href=b>c</a>\n",
    ">>> print('http://m.example')\n",
    "=====\n",
    "-----\n",
    "A title `a <b>`_\n=====\n",
    "=======\nA title\n=======\n",
    "===  =====\n",
    "=== ===\n",
    "a    `c <d>`_\n",
    "---  -----\n",
    "+---+-----+\n",
    "| a | `b <c>`_ |\n",
    "term\n  definition `a <b>`_\n",
    "слово http://ц.example `ф <х>`_\n",
];

fn whole(text: &str) -> Pieces {
    let pieces = pieces(text, settings());
    pieces.iter().map(|piece| described(piece, 0)).collect()
}

/// The pieces of a document in parts, and the number of the parts.
fn in_parts(text: &str, slice: usize) -> (Pieces, usize) {
    let window = Window {
        bytes: text.as_bytes(),
        last: true,
        charset: Charset::UTF_8,
    };
    let mut tokenizer = RstTokenizer::new(1 << 20).slice(slice);
    let (mut all, mut cursor, mut parts) = (Pieces::new(), 0, 0);
    while let Step::Slot(slot) = tokenizer.step(window, &mut cursor) {
        let start = slot.range.start;
        let part = pieces(&text[slot.range], settings());
        all.extend(part.iter().map(|piece| described(piece, start)));
        parts += 1;
    }
    assert_eq!(cursor, text.len());
    (all, parts)
}

/// Compares a document in parts with the whole, and returns the number of parts.
#[track_caller]
fn agrees(text: &str, slice: usize) -> usize {
    let (pieces, parts) = in_parts(text, slice);
    compare(text, slice, &pieces, &whole(text));
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

    /// The parts do not depend on the windows.
    #[test]
    fn parts_are_the_same_in_every_window(
        units in prop::collection::vec(prop::sample::select(UNITS), 1..40),
        slice in 1..200_usize,
        steps in prop::collection::vec(1..100_usize, 1..100),
    ) {
        let text = units.concat();
        let mut tokenizer = RstTokenizer::new(1 << 20).slice(slice);
        let mut whole = RstTokenizer::new(1 << 20).slice(slice);
        let (mut steps, mut length) = (steps.into_iter().cycle(), 0);
        let (mut cursor, mut whole_cursor) = (0, 0);
        loop {
            let window = |bytes, last| Window { bytes, last, charset: Charset::UTF_8 };
            let last = length == text.len();
            match tokenizer.step(window(&text.as_bytes()[..length], last), &mut cursor) {
                Step::NeedMore => length = (length + steps.next().unwrap()).min(text.len()),
                Step::Slot(slot) => {
                    let step = whole.step(window(text.as_bytes(), true), &mut whole_cursor);
                    let Step::Slot(other) = step else { panic!("{step:?}") };
                    prop_assert_eq!(slot.range, other.range);
                }
                _ => break,
            }
        }
        prop_assert_eq!(cursor, text.len());
        prop_assert_eq!(whole_cursor, text.len());
    }
}

/// Over the documents of the corpora, and over those below the folder named by `LINKGLOT_RST`.
#[test]
fn real_documents_have_the_same_pieces_in_parts() {
    let documents = documents("rst", "LINKGLOT_RST");
    let mut parts = 0;
    for text in &documents {
        parts += agrees(text, 1000) + agrees(text, 100);
    }
    assert!(
        parts > documents.len() && !documents.is_empty(),
        "{parts} parts"
    );
}

/// Blocks and items begin parts; a block that nothing divides is a single part.
#[test]
fn parts_are_short() {
    for unit in [
        "`a <b>`_\n\n",
        "* `a <b>`_\n",
        "1. `a <b>`_\n\n   c\n",
        ".. _a: b\n",
        "A title\n-------\n",
        "::\n\n  code\n\ntext\n",
        "===  ===\na    b\n\nc    d\n===  ===\n\n",
    ] {
        let text = unit.repeat(1000);
        let parts = agrees(&text, 200);
        assert!(parts >= text.len() / 200, "{parts} parts of {unit}");
    }
    for unit in ["`a <b>`_\n", "| a\n", "  a\n\n"] {
        assert_eq!(agrees(&unit.repeat(1000), 200), 1, "{unit}");
    }
    // A border may begin a table of 4,096 lines.
    let text = format!("===  ===\n{}", "a\n\n".repeat(10_000));
    let parts = agrees(&text, 200);
    assert!((100..150).contains(&parts), "{parts}");
}
