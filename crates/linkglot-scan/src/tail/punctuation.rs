//! Punctuation at the end of a link, beyond the classes of characters.

use super::super::classes::{QUOTE, SOFT, TERM};
use super::super::host_punctuation::GERSHAYIM;

/// Meaning of a character beyond ASCII for the end of a link, whatever its class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Opens a quotation. Belongs to the link if more of the link follows.
    Open,
    /// Ends the link, unless it closes a `〝` of the link.
    Close,
    /// Ends the link.
    Stop,
    /// Belongs to the link if more of the link follows.
    Wait,
    /// A dash: the next characters decide.
    Dash,
}

/// The rule for a character, if any. The tables of the fast finder are made from this function, too.
#[inline]
pub fn rule(ch: char) -> Option<Rule> {
    Some(match ch {
        // Quotes that are neither brackets to Unicode nor quotations to Line_Break.
        '„' | '‚' | '⹂' | '〝' => Rule::Open,
        '〞' | '〟' => Rule::Close,
        // The ornate parentheses are no brackets to Unicode either.
        '﴾' | '﴿' => Rule::Stop,
        // Kunddaliya, the full stop of old Sinhala prose, lacks Terminal_Punctuation.
        '\u{DF4}' => Rule::Stop,
        // Bars separate the fields of a table or a menu.
        '｜' | '│' | '┃' | '‖' => Rule::Stop,
        // The Greek semicolon, which is also the Catalan middle dot.
        '·' | '\u{387}' => Rule::Wait,
        // Armenian marks of tone and pause lack Terminal_Punctuation and may stand inside of words.
        '\u{55C}'..='\u{55E}' => Rule::Wait,
        // Gershayim stands in front of the last letter of an abbreviation; behind a word it is a quote.
        GERSHAYIM => Rule::Wait,
        _ if is_dash(ch) => Rule::Dash,
        _ => return None,
    })
}

/// True for a quote that closes in some language and never opens. Not `’`, which is also an apostrophe.
pub fn is_closing_quote(ch: char) -> bool {
    matches!(ch, '”' | '»' | '›')
}

/// True if a character is a dash, or dots of omission.
fn is_dash(ch: char) -> bool {
    matches!(ch, '…' | '‥' | '⋯' | '–' | '—' | '―')
}

/// True if a character of this class is punctuation of a sentence: no quote.
pub(super) fn is_mark(ch: char, class: u8) -> bool {
    is_dash(ch) || class & TERM == SOFT && class & QUOTE == 0 && !matches!(ch, '"' | '\'' | '`')
}

/// True if a character modifies the one in front of it: variation selectors (UTR 25, UTS 37, UTS 51), also the
/// Mongolian ones, and the tags of flags.
pub fn is_modifier(ch: char) -> bool {
    matches!(ch, '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}' | '\u{180B}'..='\u{180D}' | '\u{180F}')
        || matches!(ch, '\u{E0020}'..='\u{E007F}')
}

/// True if `open` and `close` are a pair of quotes in some language.
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
