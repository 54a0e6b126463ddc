//! Edits of decoded bytes of a message as edits of the encoded ones.

use linkglot_layer::{Decoded, Edit};

/// The edits of encoded bytes for edits of the decoded ones, which are in order and disjoint. `None` if what they give
/// does not decode to the same bytes.
pub(crate) fn reencoded(
    decoded: &Decoded<'_>,
    encoded: &[u8],
    edits: Vec<Edit>,
    line_break: &'static [u8],
) -> Option<Vec<Edit>> {
    let expected = applied(decoded.bytes(), &edits);
    let mut new = Vec::new();
    let mut writer = decoded.edits_in_line(line_break, 0);
    for edit in edits {
        writer.replace(edit.range, &edit.bytes, &mut new).ok()?;
    }
    writer.finish(&mut new);
    let written = applied(encoded, &new);
    let is_same = decoded.layer().decode(&written).bytes() == expected;
    is_same.then_some(new)
}

/// The bytes with edits, which are in order and disjoint.
pub(crate) fn applied(bytes: &[u8], edits: &[Edit]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    for edit in edits {
        out.extend_from_slice(&bytes[at..edit.range.start]);
        out.extend_from_slice(&edit.bytes);
        at = edit.range.end;
    }
    out.extend_from_slice(&bytes[at..]);
    out
}
