//! Signs that mean something to the end of a link.

use super::super::classes::{QUOTE, SOFT, TERM};
use super::super::domain::is_sign;

/// Dashes and dots of omission.
pub(super) fn is_dash(ch: char) -> bool {
    matches!(ch, '…' | '‥' | '⋯' | '–' | '—' | '―')
}

/// Whether a character that is of a link if more of it follows is punctuation, and no quote.
pub(super) fn is_punctuation(ch: char, class: u8) -> bool {
    is_dash(ch) || class & TERM == SOFT && class & QUOTE == 0 && !matches!(ch, '"' | '\'' | '`')
}

/// Arrows point to or from a link.
pub(super) fn is_arrow(ch: char) -> bool {
    matches!(ch, '\u{2190}'..='\u{21FF}' | '➔' | '➙'..='➾')
}

/// Opening and closing brackets of vertical text by turns, U+FE17 and U+FE18 among them.
pub(super) fn is_vertical(ch: char) -> bool {
    matches!(
        ch,
        '\u{FE17}' | '\u{FE18}' | '\u{FE35}'..='\u{FE44}' | '\u{FE47}' | '\u{FE48}'
    )
}

/// Marks and signs that part links when another one begins right behind them: no letters, digits or combining marks.
pub(super) fn is_sign_between(ch: char) -> bool {
    let is_of_block = is_sign(ch)
        || matches!(ch, '\u{A1}'..='\u{BF}' | '×' | '÷' | '\u{387}' | '\u{2010}'..='\u{218F}' | '\u{3000}'..='\u{303F}')
        || matches!(ch, '\u{30FB}' | '\u{FF01}'..='\u{FF65}');
    is_of_block && !ch.is_alphanumeric()
}

/// Whether there is a rule of its own for a character in a path, whatever its class.
pub(in crate::scan) fn has_rule(ch: char) -> bool {
    is_arrow(ch) || is_vertical(ch) || is_sign_between(ch)
}

/// Variation selectors (UTR 25, UTS 37, UTS 51), those of Mongolian, and the tags of flags.
pub(in crate::scan) fn is_modifier(ch: char) -> bool {
    matches!(ch, '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}' | '\u{180B}'..='\u{180D}' | '\u{180F}')
        || matches!(ch, '\u{E0020}'..='\u{E007F}')
}

/// Whether `close` may close what `open` opened, in some language.
pub(in crate::scan) fn pairs(open: char, close: char) -> bool {
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
