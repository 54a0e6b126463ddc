//! Lengths in front of strings that count the octets of changed links (PHP's `serialize`).

use crate::charset::Charset;
use crate::link::{Layers, Length};
use crate::read::SlotRead;
use crate::rewrite::edit::Patch;
use std::collections::BTreeMap;
use std::ops::Range;

/// A length and the change of what it counts.
struct Counted {
    digits: Range<usize>,
    /// The start of the digits of the length around it.
    around: Option<usize>,
    added: i64,
    /// The first changed link that it counts.
    first: usize,
}

/// Adds the new lengths to the patches of changed links, in front of those of the first link that each counts.
/// `None` if a length is no number that can be written.
///
/// The window is in `view`. O(patches).
pub(super) fn add(
    read: &SlotRead<'_>,
    links: &mut [Option<Vec<Patch>>],
    view: Charset,
) -> Option<()> {
    let mut lengths: BTreeMap<usize, Counted> = BTreeMap::new();
    for (link, patches) in links.iter().enumerate() {
        let (found, Some(patches)) = (&read.found[link], patches) else {
            continue;
        };
        let mut around = None;
        for length in found.lengths.iter() {
            let octets = |raw: &str| octets(raw, found.context.layers, length);
            let mut added = 0;
            for patch in patches {
                let old = view.decode(read.window.bytes.get(patch.range.clone())?);
                added += octets(&patch.text)? - octets(&old)?;
            }
            let start = length.digits.start;
            let counted = lengths.entry(start).or_insert_with(|| Counted {
                digits: length.digits.clone(),
                around,
                added: 0,
                first: link,
            });
            counted.added += added;
            around = Some(start);
        }
    }
    // The digits of an inner length stand behind those of the lengths around it.
    while let Some((_, length)) = lengths.pop_last() {
        if length.added == 0 {
            continue;
        }
        let old = std::str::from_utf8(read.window.bytes.get(length.digits.clone())?).ok()?;
        let new = old.parse::<i64>().ok()?.checked_add(length.added)?;
        let text = u64::try_from(new).ok()?.to_string();
        if let Some(around) = length.around.and_then(|around| lengths.get_mut(&around)) {
            around.added += text.len() as i64 - old.len() as i64;
        }
        let patches = links[length.first].as_mut()?;
        patches.insert(
            0,
            Patch {
                range: length.digits,
                text,
            },
        );
    }
    Some(())
}

/// The number of octets of a part of the window, once the outermost layers are undone.
fn octets(raw: &str, layers: Layers, length: &Length) -> Option<i64> {
    let layers = layers.as_slice().get(..length.depth)?;
    let text = layers.iter().fold(raw.to_owned(), |text, layer| {
        layer.unescape(&text).into_text().into_owned()
    });
    if length.charset == Some(Charset::UTF_8) || text.is_ascii() {
        return i64::try_from(text.len()).ok();
    }
    let mut octets = Vec::with_capacity(text.len());
    length.charset?.encode(&text, &mut octets).ok()?;
    i64::try_from(octets.len()).ok()
}
