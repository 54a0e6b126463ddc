//! Lengths and digests that count the octets of changed links: of strings of PHP's `serialize`, of pages of wikis.

use crate::charset::Charset;
use crate::link::{Layers, Length, Measure};
use crate::read::SlotRead;
use crate::rewrite::digest::sha1_base_36;
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

/// A digest, and the text that it counts.
struct Digest<'l> {
    length: &'l Length,
    text: Range<usize>,
    layers: Layers,
}

/// True if the lengths and digests of a whole slot are those of its text. O(length).
pub(super) fn are_right(read: &SlotRead<'_>, view: Charset) -> bool {
    let Some(found) = read.found.first() else {
        return true;
    };
    found.lengths.iter().all(|length| {
        let (Measure::Octets(text) | Measure::Sha1(text)) = &length.measure else {
            return true;
        };
        let written = read.window.bytes.get(length.digits.clone());
        let raw = view.decode(&read.window.bytes[text.clone()]);
        let text = counted(raw.into_owned(), found.context.layers, length);
        let expected = text.map(|text| match length.measure {
            Measure::Sha1(_) => sha1_base_36(&text),
            _ => text.len().to_string(),
        });
        written == expected.as_deref().map(str::as_bytes)
    })
}

/// Adds the new lengths to the patches of changed links, in front of those of the first link that each counts, and the
/// digests behind the text to those of the last one. `None` if a length is no number that can be written.
///
/// The window is in `view`. O(patches).
pub(super) fn add(
    read: &SlotRead<'_>,
    links: &mut [Option<Vec<Patch>>],
    view: Charset,
) -> Option<()> {
    let (lengths, digests) = measured(read, links, view)?;
    add_lengths(read, links, lengths)?;
    add_digests(read, links, view, digests)
}

/// The lengths that changed links count for, with the octets that these add, and the digests of texts with such links,
/// by the places of their digits.
fn measured<'r>(
    read: &'r SlotRead<'_>,
    links: &[Option<Vec<Patch>>],
    view: Charset,
) -> Option<(BTreeMap<usize, Counted>, BTreeMap<usize, Digest<'r>>)> {
    let mut lengths: BTreeMap<usize, Counted> = BTreeMap::new();
    let mut digests: BTreeMap<usize, Digest<'_>> = BTreeMap::new();
    for (link, patches) in links.iter().enumerate() {
        let (found, Some(patches)) = (&read.found[link], patches) else {
            continue;
        };
        let mut around = None;
        for length in found.lengths.iter() {
            if let Measure::Sha1(text) = &length.measure {
                digests.entry(length.digits.start).or_insert(Digest {
                    length,
                    text: text.clone(),
                    layers: found.context.layers,
                });
                continue;
            }
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
    Some((lengths, digests))
}

/// Adds the patches of lengths to those of the first link that each counts.
fn add_lengths(
    read: &SlotRead<'_>,
    links: &mut [Option<Vec<Patch>>],
    mut lengths: BTreeMap<usize, Counted>,
) -> Option<()> {
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

/// Adds the patches of digests of texts that change.
fn add_digests(
    read: &SlotRead<'_>,
    links: &mut [Option<Vec<Patch>>],
    view: Charset,
    digests: BTreeMap<usize, Digest<'_>>,
) -> Option<()> {
    let mut known: Option<(Range<usize>, String)> = None;
    for Digest {
        length,
        text,
        layers,
    } in digests.into_values()
    {
        if known.as_ref().is_none_or(|(range, _)| *range != text) {
            let new = counted(new_text(read, links, view, &text)?, layers, length)?;
            known = Some((text.clone(), sha1_base_36(&new)));
        }
        let (_, digest) = known.as_ref()?;
        let mut changed = links.iter_mut().flatten();
        let patches = if length.digits.start < text.end {
            changed.next()?
        } else {
            changed.next_back()?
        };
        let behind = |patch: &Patch| patch.range.start < length.digits.start;
        let at = patches.partition_point(behind);
        let patch = Patch {
            range: length.digits.clone(),
            text: digest.clone(),
        };
        patches.insert(at, patch);
    }
    Some(())
}

/// The raw text of a part of the window with all patches in it.
fn new_text(
    read: &SlotRead<'_>,
    links: &[Option<Vec<Patch>>],
    view: Charset,
    part: &Range<usize>,
) -> Option<String> {
    let (mut text, mut at) = (String::new(), part.start);
    // The last patch may add text at the end of the part.
    let within = |patch: &&Patch| part.start <= patch.range.start && patch.range.end <= part.end;
    for patch in links.iter().flatten().flatten().filter(within) {
        text.push_str(&view.decode(read.window.bytes.get(at..patch.range.start)?));
        text.push_str(&patch.text);
        at = patch.range.end;
    }
    text.push_str(&view.decode(read.window.bytes.get(at..part.end)?));
    Some(text)
}

/// The text of a raw text, once the outermost layers are undone.
fn counted(raw: String, layers: Layers, length: &Length) -> Option<String> {
    let layers = layers.as_slice().get(..length.depth)?;
    let text = layers.iter().fold(raw, |text, layer| {
        layer.unescape(&text).into_text().into_owned()
    });
    Some(text)
}

/// The number of octets of a part of the window, once the outermost layers are undone.
fn octets(raw: &str, layers: Layers, length: &Length) -> Option<i64> {
    let text = counted(raw.to_owned(), layers, length)?;
    if length.charset == Some(Charset::UTF_8) || text.is_ascii() {
        return i64::try_from(text.len()).ok();
    }
    let mut octets = Vec::with_capacity(text.len());
    length.charset?.encode(&text, &mut octets).ok()?;
    i64::try_from(octets.len()).ok()
}
