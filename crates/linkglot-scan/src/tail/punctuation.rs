//! Signs that mean something to the end of a link.

use super::super::classes::{QUOTE, SOFT, TERM};

/// Dashes and dots of omission.
pub fn is_dash(ch: char) -> bool {
    matches!(ch, '…' | '‥' | '⋯' | '–' | '—' | '―')
}

/// Whether a character that is of a link if more of it follows is punctuation, and no quote.
pub(super) fn is_punctuation(ch: char, class: u8) -> bool {
    is_dash(ch) || class & TERM == SOFT && class & QUOTE == 0 && !matches!(ch, '"' | '\'' | '`')
}

/// Variation selectors (UTR 25, UTS 37, UTS 51), those of Mongolian, and the tags of flags.
pub fn is_modifier(ch: char) -> bool {
    matches!(ch, '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}' | '\u{180B}'..='\u{180D}' | '\u{180F}')
        || matches!(ch, '\u{E0020}'..='\u{E007F}')
}

/// Whether `close` may close what `open` opened, in some language.
pub fn pairs(open: char, close: char) -> bool {
    match open {
        '“' | '‟' => close == '”',
        '”' => close == '”',
        '„' => matches!(close, '“' | '”' | '‟'),
        '‘' | '‛' => close == '’',
        '’' => close == '’',
        '‚' => matches!(close, '‘' | '’'),
        '«' => close == '»',
        '»' => matches!(close, '«' | '»'),
        '‹' => close == '›',
        '›' => matches!(close, '‹' | '›'),
        _ => false,
    }
}
