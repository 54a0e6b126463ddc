//! Places where unfinished text may be cut without cutting a character.

use crate::slot::Window;
use linkglot_charset::Charset;
use linkglot_charset::ascii::is_safe;
use linkglot_charset::ranges::slice;
use linkglot_charset::span::TextSpan;
use std::ops::Range;

/// The end of the last character of a range of the window that is certainly whole. A range longer than `longest`
/// without a known boundary is cut at its end, so that memory stays bounded.
pub(crate) fn whole_characters(window: Window<'_>, range: Range<usize>, longest: usize) -> usize {
    let text = slice(window.bytes, range.clone());
    let next = window.bytes.get(range.end).copied();
    if next.is_some_and(is_safe) || text.last().is_none_or(|&byte| is_safe(byte)) {
        return range.end;
    }
    match window.charset.resync(text, text.len() - 1) {
        0 if text.len() > longest => range.end,
        length => range.start + length,
    }
}

/// A character boundary near the end of bytes that begin at one and contain no safe byte.
pub(crate) fn by_decoding(charset: Charset, bytes: &[u8]) -> usize {
    /// The most bytes of a character: the last bytes may be a part of one.
    const LONGEST_CHARACTER: usize = 4;
    let mapped = charset.decode_mapped(bytes);
    let starts = mapped.text().char_indices().rev().map(|(at, ch)| {
        let span = TextSpan::new(at, at + ch.len_utf8());
        mapped.source(span).start
    });
    let is_whole = |start: &usize| start + LONGEST_CHARACTER <= bytes.len();
    starts.into_iter().find(is_whole).unwrap_or(0)
}
