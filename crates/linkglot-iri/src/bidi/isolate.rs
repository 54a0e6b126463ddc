//! Identifiers between text of the other direction (RFC 3987 4.1): formatting characters around an identifier, which
//! are no part of the identifier.

use super::is_rtl;
use std::borrow::Cow;

const LEFT_TO_RIGHT_ISOLATE: char = '\u{2066}';
const POP_DIRECTIONAL_ISOLATE: char = '\u{2069}';

/// True for a character that 4.1 puts before or after an identifier: marks, embeddings, isolates and their ends.
/// Overrides do not count: they turn characters around.
pub(crate) fn is_wrapping(ch: char) -> bool {
    matches!(ch, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202C}' | '\u{2066}'..='\u{2069}')
}

/// The text without the bidi formatting characters before and after it: LRM, RLM, LRE, RLE, PDF,
/// LRI, RLI, FSI and PDI, in pairs or alone (4.1: they "do not themselves form part of the IRI").
/// Linear.
///
/// ```
/// use linkglot_iri::bidi::unwrapped;
///
/// assert_eq!(unwrapped("\u{202A}http://example.org/א\u{202C}"), "http://example.org/א");
/// assert_eq!(unwrapped("/a\u{200E}b"), "/a\u{200E}b");
/// ```
pub fn unwrapped(text: &str) -> &str {
    text.trim_matches(is_wrapping)
}

/// The text in a left-to-right isolate (U+2066 and U+2069) if it has right-to-left characters, so that the text around
/// it does not change its display, nor the other way round. Inside, the display is the same as in the embedding that
/// 4.1 asks for; UAX 9 2.7 prefers isolates. Linear.
///
/// ```
/// use linkglot_iri::bidi::isolated;
///
/// assert_eq!(isolated("/é"), "/é");
/// assert_eq!(isolated("/א"), "\u{2066}/א\u{2069}");
/// ```
pub fn isolated(text: &str) -> Cow<'_, str> {
    if !text.chars().any(|ch| ch >= '\u{590}' && is_rtl(ch)) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(format!(
        "{LEFT_TO_RIGHT_ISOLATE}{text}{POP_DIRECTIONAL_ISOLATE}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bidi::visual;

    #[test]
    fn controls_are_dropped_at_the_ends_only() {
        for control in
            "\u{200E}\u{200F}\u{202A}\u{202B}\u{202C}\u{2066}\u{2067}\u{2068}\u{2069}".chars()
        {
            assert_eq!(unwrapped(&format!("{control}{control}/é{control}")), "/é");
            let inside = format!("/a{control}b");
            assert_eq!(unwrapped(&inside), inside);
        }
        for kept in ["\u{202D}/é", "\u{202E}/é\u{202C}x", "\u{61C}/é"] {
            assert_eq!(unwrapped(kept), kept);
        }
        assert_eq!(unwrapped("\u{202A}\u{202C}"), "");
    }

    /// Text in an isolate is displayed as in a paragraph of its own.
    #[test]
    fn isolates_are_displayed_like_the_text_alone() {
        for iri in ["http://ab.גד.הו/1", "/דה", "א:b", "/ا/1"] {
            let between = format!("אב {} גד", isolated(iri));
            let isolate = format!("\u{2066}{}\u{2069}", visual(iri));
            let shown = visual(&between);
            assert!(shown.contains(&visual(iri)), "{isolate:?} in {shown:?}");
            assert_eq!(unwrapped(&isolated(iri)), iri);
        }
    }
}
