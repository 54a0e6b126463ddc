//! Properties of all layers.

mod base64;
mod folded;
mod quoted;
mod words;

use super::*;
use proptest::prelude::*;

/// The longest line, without its line break.
fn longest_line(text: &[u8]) -> usize {
    let lines = text.split(|byte| matches!(byte, b'\n' | b'\r'));
    lines.map(<[u8]>::len).max().unwrap_or(0)
}

/// Replacements of decoded bytes, in order and disjoint.
type Changes<'c> = Vec<(Range<usize>, &'c [u8])>;

/// The edits, which must be in order and disjoint, and belong to calls in order.
fn edits(decoded: &Decoded<'_>, changes: &Changes<'_>) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut writer = decoded.edits();
    for (range, new) in changes {
        writer
            .replace(range.clone(), new, &mut edits)
            .expect("can be written");
    }
    writer.finish(&mut edits);
    check_order(&edits);
    edits
}

fn check_order(edits: &[Edit]) {
    for pair in edits.windows(2) {
        let [a, b] = pair else { unreachable!() };
        assert!(
            a.range.end <= b.range.start && a.number < b.number,
            "{edits:?}"
        );
    }
}

fn applied(encoded: &[u8], edits: &[Edit]) -> Vec<u8> {
    let (mut out, mut from) = (Vec::new(), 0);
    for edit in edits {
        out.extend_from_slice(&encoded[from..edit.range.start]);
        out.extend_from_slice(&edit.bytes);
        from = edit.range.end;
    }
    out.extend_from_slice(&encoded[from..]);
    out
}

/// The changed encoded bytes, which must decode to the changed decoded bytes.
fn changed_bytes(layer: Layer, encoded: &[u8], changes: &Changes<'_>) -> Vec<u8> {
    let decoded = layer.decode(encoded);
    let edits = edits(&decoded, changes);
    let out = applied(encoded, &edits);
    let (mut expected, mut from) = (Vec::new(), 0);
    for (range, new) in changes {
        expected.extend_from_slice(&decoded.bytes()[from..range.start]);
        expected.extend_from_slice(new);
        from = range.end;
    }
    expected.extend_from_slice(&decoded.bytes()[from..]);
    assert_eq!(
        layer.decode(&out).bytes().escape_ascii().to_string(),
        expected.escape_ascii().to_string(),
        "{} {:?}",
        out.escape_ascii(),
        edits
    );
    out
}

/// The first occurrence of `old` in the decoded text replaced by `new`.
fn replaced(layer: Layer, encoded: &str, old: &str, new: &str) -> String {
    let decoded = layer.decode(encoded.as_bytes());
    let at = memchr::memmem::find(decoded.bytes(), old.as_bytes()).expect("the old text");
    let out = changed_bytes(
        layer,
        encoded.as_bytes(),
        &vec![(at..at + old.len(), new.as_bytes())],
    );
    String::from_utf8(out).expect("UTF-8")
}

/// Positions are monotone, in bounds, and inverse.
fn check_positions(decoded: &Decoded<'_>, encoded: &[u8]) {
    let len = decoded.bytes().len();
    let mut before = 0..0;
    for at in 0..len {
        let source = decoded.source(at..at + 1);
        assert!(source.start < source.end && source.end <= encoded.len());
        assert!(
            before.start <= source.start && before.end <= source.end,
            "{at}"
        );
        let found = decoded.decoded_at(source.start);
        // Characters of encoded words are units.
        assert!(
            found == at || found < at && decoded.source(found..found + 1) == source,
            "{at}"
        );
        assert_eq!(decoded.source(0..at + 1).end, source.end);
        before = source;
    }
    let mut before = 0;
    for at in 0..=encoded.len() {
        let found = decoded.decoded_at(at);
        assert!(before <= found && found <= len);
        assert!(
            found == len || decoded.source(found..found + 1).start >= at,
            "{at}"
        );
        before = found;
    }
}

/// Edits of an inner layer are replacements of an outer one.
#[test]
fn layers_stack() {
    let long = format!(
        "URL:http://old.example/{}
",
        "a".repeat(50)
    );
    for outer in [Layer::QuotedPrintable, Layer::Base64] {
        let encoded = match outer {
            Layer::Base64 => base64::encoded(long.as_bytes(), 76, "\r\n"),
            _ => long
                .replace('a', "=61")
                .replace("=61=61=61=61=61", "aaaa=61=\r\n"),
        };
        let body = outer.decode(encoded.as_bytes());
        assert_eq!(body.bytes(), long.as_bytes());
        let lines = Layer::Folded.decode(body.bytes());
        let new = "new.example/".repeat(5);
        let (mut outer_edits, mut writer) = (Vec::new(), body.edits());
        for edit in edits(&lines, &vec![(11..14, new.as_bytes())]) {
            let answer = writer.replace(edit.range, &edit.bytes, &mut outer_edits);
            assert_eq!(answer, Ok(()));
        }
        writer.finish(&mut outer_edits);
        let out = applied(encoded.as_bytes(), &outer_edits);
        let body = outer.decode(&out);
        let expected = long.replacen("old", &new, 1);
        assert_eq!(
            Layer::Folded.decode(body.bytes()).bytes(),
            expected.as_bytes()
        );
        assert!(longest_line(&out) <= 76 && longest_line(body.bytes()) <= 75);
    }
}

/// A line of a megabyte with a hundred thousand changes: reading the line for each change would take hours.
#[test]
fn many_changes_take_linear_time() {
    let count = 100_000;
    let text = "http://x ".repeat(count);
    let word = format!("=?utf-8?q?{}?=", text.replace(' ', "_"));
    let failing = format!("{text}=?");
    let cases = [
        (Layer::QuotedPrintable, text.clone(), true),
        (Layer::QuotedPrintable, text.replace('x', "=C3"), true),
        (Layer::Folded, text.clone(), true),
        (
            Layer::Base64,
            base64::encoded(text.as_bytes(), usize::MAX, ""),
            true,
        ),
        (
            Layer::Base64,
            base64::encoded(text.as_bytes(), 1, " "),
            true,
        ),
        (Layer::EncodedWords, text.clone(), true),
        (Layer::EncodedWords, word, true),
        (Layer::EncodedWords, failing, false),
    ];
    for (layer, encoded, is_writable) in cases {
        let decoded = layer.decode(encoded.as_bytes());
        let (mut edits, mut writer) = (Vec::new(), decoded.edits());
        for number in 0..count {
            let at = 9 * number + 7;
            assert_eq!(decoded.decoded_at(decoded.source(at..at + 1).start), at);
            let answer = writer.replace(at..at + 1, b"yz", &mut edits);
            assert_eq!(answer.is_ok(), is_writable);
        }
        writer.finish(&mut edits);
        assert_eq!(edits.is_empty(), !is_writable);
        let out = applied(encoded.as_bytes(), &edits);
        let changes = layer
            .decode(&out)
            .bytes()
            .windows(3)
            .filter(|bytes| bytes == b"/yz")
            .count();
        assert_eq!(changes, if is_writable { count } else { 0 });
    }
}

/// Bytes with many mistakes.
fn sloppy(alphabet: &'static [&'static str], len: usize) -> impl Strategy<Value = Vec<u8>> {
    let pieces = prop::collection::vec(prop::sample::select(alphabet), 0..len);
    pieces.prop_map(|pieces| pieces.concat().into_bytes())
}

/// Places as shares of the length, and new bytes.
fn new_bytes(
    alphabet: &'static [&'static str],
) -> impl Strategy<Value = Vec<(usize, usize, Vec<u8>)>> {
    prop::collection::vec((0..12_usize, 0..6_usize, sloppy(alphabet, 9)), 0..6)
}

/// Changes in the order of their places.
fn placed<'c>(shares: &'c [(usize, usize, Vec<u8>)], bytes: &[u8]) -> Changes<'c> {
    let mut at = 0;
    let mut changes = Vec::new();
    for (gap, len, new) in shares {
        let start = at + gap;
        if start > bytes.len() {
            break;
        }
        let end = (start + len).min(bytes.len());
        changes.push((start..end, &new[..]));
        at = end;
    }
    changes
}
