//! How wide a text is on the lines of a mail: what a program that cuts lines counts.

use icu_properties::CodePointMapData;
use icu_properties::props::{EastAsianWidth, GeneralCategory};

/// The columns of a text, as terminals and editors count them: none for a mark on the character in front of it and for
/// what is invisible, two for a wide character (UAX 11), one for any other. It is the same in every charset.
pub(super) fn columns(text: &str) -> usize {
    text.chars().map(width).sum()
}

fn width(ch: char) -> usize {
    use GeneralCategory as G;
    if ch.is_ascii() {
        return 1;
    }
    match CodePointMapData::<GeneralCategory>::new().get(ch) {
        G::NonspacingMark | G::EnclosingMark | G::Format => 0,
        _ => match CodePointMapData::<EastAsianWidth>::new().get(ch) {
            EastAsianWidth::Wide | EastAsianWidth::Fullwidth => 2,
            _ => 1,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_have_no_column_and_wide_characters_two() {
        let cases = [
            ("", 0),
            ("a/b", 3),
            ("новости", 7),
            ("été", 3),
            ("e\u{301}te\u{301}", 3),
            ("\u{5E9}\u{5B8}", 1),
            ("می\u{200C}خواهم", 7),
            ("日本語/テスト", 13),
            ("ﾃｽﾄ", 3),
            ("한글", 4),
            ("ａ", 2),
            ("हिन्दी", 5),
            ("ไทยที่", 4),
        ];
        for (text, expected) in cases {
            assert_eq!(columns(text), expected, "{text}");
        }
    }
}
