//! References in reStructuredText: URIs, names of targets, mail addresses.

use super::super::piece::Piece;
use crate::escape::Escaping;
use crate::slot::Place;
use std::ops::Range;

/// The piece of a reference, without the white space around it. `None` when nothing is left.
pub(super) fn reference<'t>(
    text: &'t str,
    range: Range<usize>,
    place: &'static Place,
) -> Option<Piece<'t>> {
    let raw = text.get(range.clone())?;
    let start = range.start + raw.len() - raw.trim_start().len();
    let range = start..start + raw.trim().len();
    (!range.is_empty()).then(|| Piece::link(range, Escaping::RstReference, place))
}

/// The piece of the reference of a named or an embedded target. A mail address there implies `mailto`.
pub(super) fn named_reference<'t>(
    text: &'t str,
    range: Range<usize>,
    place: &'static Place,
) -> Option<Piece<'t>> {
    let mut piece = reference(text, range.clone(), place)?;
    let meaning = piece.escaping.unescape(text.get(range)?.trim());
    piece.implied = is_address(meaning.text()).then_some("mailto");
    Some(piece)
}

/// True if a reference names a target (`name_`, or a phrase in backquotes) and is no URI.
pub(super) fn is_name_reference(raw: &str) -> bool {
    let Some(name) = raw.strip_suffix('_') else {
        return false;
    };
    match name.strip_prefix('`') {
        Some(phrase) => phrase.len() > 1 && phrase.ends_with('`') && !phrase.starts_with(' '),
        None => is_simple_name(name),
    }
}

/// True if a name consists of letters and digits with single punctuation marks between them.
pub(super) fn is_simple_name(name: &str) -> bool {
    let mut after_mark = true;
    for ch in name.chars() {
        let is_mark = "-._+:".contains(ch);
        if is_mark && after_mark || !is_mark && !ch.is_alphanumeric() {
            return false;
        }
        after_mark = is_mark;
    }
    !after_mark
}

/// True if docutils takes a reference for a mail address: every part of the local part has characters, the host does
/// not begin with a dot, and does not end with a punctuation mark that cannot end a URI.
fn is_address(reference: &str) -> bool {
    let is_part = |ch: char| ch.is_ascii_alphanumeric() || "-_!~*'{|}/#?^`&=+$%".contains(ch);
    let is_last = |ch: char| ch.is_ascii_alphanumeric() || "_~*/=+".contains(ch);
    let Some((local, host)) = reference.split_once('@') else {
        return false;
    };
    let is_local = |part: &str| !part.is_empty() && part.chars().all(is_part);
    let mut inner = host.chars();
    let last = inner.next_back();
    let is_host = inner.clone().all(|ch| ch == '.' || is_part(ch));
    local.split('.').all(is_local)
        && is_host
        && inner.next().is_some_and(is_part)
        && last.is_some_and(is_last)
}
