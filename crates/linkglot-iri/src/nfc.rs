//! NFC piece by piece, for texts whose source positions matter.

use crate::display::{begins_segment, is_nfc};
use std::ops::Range;
use unicode_normalization::UnicodeNormalization;

/// Hands each changed piece of a text to `each`, with its range in bytes and its NFC form, in order.
/// A piece begins with a character that composes with nothing before it, so that the pieces
/// replaced one by one give the NFC of the text. Linear.
///
/// ```
/// use linkglot_iri::nfc;
///
/// let mut changes = Vec::new();
/// nfc::changes("xe\u{301}y", &mut |range, new| changes.push((range, new.to_owned())));
/// assert_eq!(changes, [(1..4, "\u{e9}".to_owned())]);
/// ```
pub fn changes(text: &str, each: &mut dyn FnMut(Range<usize>, &str)) {
    if is_nfc(text) {
        return;
    }
    let mut start = 0;
    let begins = text.char_indices().skip(1);
    let begins = begins.filter_map(|(at, ch)| begins_segment(ch).then_some(at));
    for end in begins.chain([text.len()]) {
        let piece = &text[start..end];
        if !is_nfc(piece) {
            each(start..end, &piece.nfc().collect::<String>());
        }
        start = end;
    }
}

/// True if NFC leaves a character alone, whatever stands before it. A text of such characters is in
/// NFC.
///
/// ```
/// use linkglot_iri::nfc;
///
/// assert!(nfc::is_inert('\u{e9}') && !nfc::is_inert('\u{301}') && !nfc::is_inert('\u{212b}'));
/// ```
pub fn is_inert(ch: char) -> bool {
    begins_segment(ch) && is_nfc(ch.encode_utf8(&mut [0; 4]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn pieces_make_the_whole(text in "[ae\u{c2}\u{323}\u{301}\u{300}\u{f900}\u{1100}\u{1161}\u{ac00}\u{11a8}\u{344}]{0,9}") {
            let (mut whole, mut at) = (String::new(), 0);
            changes(&text, &mut |range, new| {
                whole += &text[at..range.start];
                whole += new;
                at = range.end;
            });
            whole += &text[at..];
            prop_assert_eq!(whole, text.nfc().collect::<String>());
        }
    }
}
