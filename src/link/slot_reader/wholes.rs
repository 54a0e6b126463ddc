//! Links that are whole values of data. A name among them may be that of a host, to which a program adds a path.

use super::WindowLink;
use crate::markup::Escaping;
use std::ops::Range;

/// Marks the names without a scheme that are all of a raw value, or of a line of it. Positions of the links count from
/// the start of `raw`.
pub(super) fn mark(escaping: Escaping, raw: &[u8], links: &mut [WindowLink<'_>]) {
    let is_data =
        escaping.is_string() || matches!(escaping, Escaping::XmlText | Escaping::XmlCdata);
    if !is_data {
        return;
    }
    for link in links {
        if link.implied == Some("https") && is_alone(raw, &link.range) {
            link.context.to_mut().is_whole_value = true;
        }
    }
}

/// True if nothing but blanks stands beside a range in its line, which an escape may end (`\n`). O(blanks).
fn is_alone(bytes: &[u8], range: &Range<usize>) -> bool {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let (before, behind) = (&bytes[..range.start], &bytes[range.end..]);
    let previous = before.iter().rev().find(|byte| !is_blank(byte));
    let blanks = behind.iter().take_while(|byte| is_blank(byte)).count();
    let behind = &behind[blanks..];
    let ends = behind.first().is_none_or(is_end) || behind.starts_with(b"\\n");
    previous.is_none_or(is_end) && ends
}
