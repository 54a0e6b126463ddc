//! Promises of the tokenizer on any input: cuts do not matter, slots are in order and disjoint.

use super::*;
use crate::testing::{Document, charsets};
use proptest::prelude::*;

/// The answers of the tokenizer to the document in windows that end at `cuts`; slots have their places. The parts of a
/// run of text count as one, and blank runs as none.
fn answers(tokenizer: XmlTokenizer, bytes: &[u8], cuts: &[usize], charset: Charset) -> Vec<String> {
    let (mut found, mut run) = (Vec::new(), 0);
    let document = Document { bytes, charset };
    document.each_step(tokenizer, cuts, |origin, step| match step {
        Step::Slot(slot) => {
            let (start, end) = (origin + slot.range.start, origin + slot.range.end);
            if slot.run.begins {
                run = start;
            }
            let is_blank = bytes[run..end].iter().all(u8::is_ascii_whitespace);
            if slot.run.ends && !is_blank {
                let what = (slot.escaping, slot.syntax, slot.place, slot.access);
                found.push(format!("{run}..{end} {what:?}"));
            }
        }
        Step::TooLong(at, place) => found.push(format!("{} {place:?}", origin + at)),
        Step::NeedMore | Step::End => {}
    });
    found
}

/// Pieces of documents, whole and broken.
fn bit() -> impl Strategy<Value = Vec<u8>> {
    let bits: Vec<&'static [u8]> = vec![
        b"<a>",
        b"</a>",
        b"<p:a>",
        b"</p:a>",
        b"<a ",
        b"/>",
        b">",
        b" href='",
        b"src=\"",
        b"'",
        b"\"",
        b" p:href=\"x\" ",
        b" xmlns='http://www.w3.org/2005/Atom'",
        b" xmlns='http://www.w3.org/1999/xhtml'",
        b" xmlns:p=\"http://www.w3.org/1999/xlink\"",
        b" xmlns=''",
        b"<e k='v' long-name=\"w\">",
        b"</e>",
        b"<some:element\n  id='1'\n  p:type='x'/>",
        b"<linearGradient>",
        b"</linearGradient>",
        b"<a id='x'>",
        b"</a>text, and more text. ",
        b"<icon>",
        b"</icon>",
        b"<p>",
        b"<style>",
        b"<content type='html'>",
        b"<link>",
        b"<guid>",
        b"<!--",
        b"-->",
        b"<![CDATA[",
        b"]]>",
        b"<?xml-stylesheet",
        b"<?x ",
        b"?>",
        b"<!DOCTYPE r",
        b" SYSTEM 'x'",
        b"[",
        b"]>",
        b"<!ENTITY e 'http://e/'>",
        b"<!ENTITY f SYSTEM 'g'>",
        b"&e;",
        b"&amp;",
        b"&",
        b";",
        b"http://x.example/",
        b"mailto:a@b",
        b"text",
        b" ",
        b"\n",
        b"=",
        b"<",
        b"\x83\x5D",
        b"\x83",
        b"\xE9",
        b"\xC3\xA9",
        b"\0",
        b"0",
    ];
    prop_oneof![
        9 => proptest::sample::select(bits).prop_map(<[u8]>::to_vec),
        1 => proptest::collection::vec(any::<u8>(), 0..4),
    ]
}

fn document() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(bit(), 0..40).prop_map(|bits| bits.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn no_cut_matters(bytes in document(), charset in charsets(), mut cuts in proptest::collection::vec(0..400usize, 0..8)) {
        cuts.sort();
        cuts.retain(|&cut| cut < bytes.len());
        let new = || XmlTokenizer::default();
        let whole = answers(new(), &bytes, &[], charset);
        prop_assert_eq!(answers(new(), &bytes, &cuts, charset), whole.clone());
        let each: Vec<usize> = (0..bytes.len()).collect();
        prop_assert_eq!(answers(new(), &bytes, &each, charset), whole);
    }

    /// Cuts do not matter even with a limit that many pieces exceed. Running text then comes in parts, which may cut a
    /// reference to an entity off its word: text is read without such references, and they are read without text.
    #[test]
    fn no_cut_matters_beyond_the_limit(bytes in document(), charset in charsets(), limit in 16..60usize) {
        let new = |text| XmlTokenizer::new(&MarkupSettings { max_slot: limit, text, ..MarkupSettings::default() });
        let each: Vec<usize> = (0..bytes.len()).collect();
        let plain: Vec<u8> = bytes.iter().map(|byte| if *byte == b'&' { b'+' } else { *byte }).collect();
        for (bytes, text) in [(bytes, TextSlots::None), (plain, TextSlots::Prose)] {
            let whole = answers(new(text), &bytes, &[], charset);
            prop_assert_eq!(answers(new(text), &bytes, &each, charset), whole);
        }
    }

    /// The limit bounds the memory that waits for more input, however the document continues.
    #[test]
    fn memory_is_bounded(bits in proptest::collection::vec(bit(), 0..12), charset in charsets()) {
        let bytes = bits.concat().repeat(200);
        let (mut tokenizer, mut cursor, mut end) = (XmlTokenizer::new(&MarkupSettings { max_slot: 64, ..MarkupSettings::default() }), 0, 0);
        loop {
            let last = end >= bytes.len();
            let window = Window { bytes: &bytes[..end.min(bytes.len())], last, charset };
            match tokenizer.step(window, &mut cursor) {
                Step::End => break,
                Step::NeedMore => {
                    // A few bytes more than the limit, or the bytes that a decoder needs if none is safe.
                    prop_assert!(end - cursor <= 8192, "{} bytes wait", end - cursor);
                    end += 16;
                }
                _ => {}
            }
        }
    }
}
