//! The characters that may be shown decoded without deceiving (RFC 3987 3.2 step 4, 6.1 and 8).

use crate::{class, look_alike, prefilter};
use icu_properties::props::{DefaultIgnorableCodePoint, GeneralCategory, JoiningType};
use icu_properties::{CodePointMapData, CodePointSetData};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{canonical_combining_class, decompose_canonical};
use unicode_normalization::{IsNormalized, is_nfc_quick};

pub(crate) const ZWNJ: char = '\u{200C}';
pub(crate) const ZWJ: char = '\u{200D}';

/// Canonical_Combining_Class=Virama.
const VIRAMA: u8 = 9;

/// Letters of common scripts that need no look-up: assigned, visible, written from left to right, no
/// marks, in NFC in every context, and unlike any delimiter.
#[inline]
pub(crate) fn is_simple(ch: char) -> bool {
    let code = ch as u32;
    // By rows of 256, which the compiler turns into a jump.
    match code >> 8 {
        0x00 => code >= 0xC0,
        0x02 => code <= 0x24F,
        0x03 => matches!(code, 0x391..=0x3A1 | 0x3A3..=0x3CE),
        0x04 => !matches!(code, 0x483..=0x489),
        0x05 => code <= 0x52F,
        0x09 => matches!(code, 0x904..=0x939),
        0x0E => matches!(code, 0xE01..=0xE30),
        0x30 => matches!(code, 0x3041..=0x3096 | 0x30A1..=0x30FA | 0x30FC),
        0x01 => !is_latin_variant(code),
        0x1E => !matches!(code, 0x1E9A | 0x1E9B),
        0x4E..=0x9F | 0xAC..=0xD6 => true,
        0xD7 => code <= 0xD7A3,
        0x1F6 => code <= 0x1F64F,
        _ => false,
    }
}

/// True for Latin letters that Unicode has only for compatibility: `ĳ`, `ŀ`, `ŉ`, `ſ`, `ǳ`.
#[inline]
fn is_latin_variant(code: u32) -> bool {
    matches!(
        code,
        0x132 | 0x133 | 0x13F | 0x140 | 0x149 | 0x17F | 0x1F1..=0x1F3
    )
}

/// Marks of Devanagari, without the nukta: after a letter or mark of the script they are visible and
/// in NFC.
#[inline]
pub(crate) fn is_simple_mark(previous: char, ch: char) -> bool {
    matches!(ch, '\u{901}'..='\u{903}' | '\u{93E}'..='\u{94D}')
        && matches!(previous, '\u{901}'..='\u{939}' | '\u{93E}'..='\u{94D}')
}

/// Right-to-left letters of common scripts that need no other look-up.
#[inline]
pub(crate) fn is_simple_rtl(ch: char) -> bool {
    matches!(ch, '\u{5D0}'..='\u{5EA}' | '\u{621}'..='\u{63A}' | '\u{641}'..='\u{64A}')
}

/// Characters of common scripts that are in NFC in every context.
#[inline]
pub(crate) fn is_composed(ch: char) -> bool {
    let code = ch as u32;
    match code >> 8 {
        0x05 | 0x06 => is_simple(ch) || is_simple_rtl(ch),
        0x09 => matches!(code, 0x904..=0x939 | 0x93E..=0x94C),
        0x20 => matches!(code, 0x2010..=0x2027),
        0x30 => is_simple(ch) || matches!(code, 0x3001..=0x3029),
        0xFF => matches!(code, 0xFF01..=0xFFBE),
        0x1F3..=0x1F6 => true,
        _ => is_simple(ch),
    }
}

/// True if a character beyond ASCII can be shown in any context. Joiners depend on their context: they count as not
/// displayable.
pub(crate) fn is_displayable(ch: char) -> bool {
    is_simple(ch)
        || is_simple_rtl(ch)
        || class::is_ucschar(ch)
            && is_visible(ch)
            && is_for_interchange(ch)
            && look_alike::kind(ch).is_none()
}

/// True if a reader sees the character: no space, format or control character, nothing
/// default-ignorable, and not the Braille pattern without dots.
pub(crate) fn is_visible(ch: char) -> bool {
    let category = category(ch);
    !matches!(
        category,
        GeneralCategory::SpaceSeparator
            | GeneralCategory::LineSeparator
            | GeneralCategory::ParagraphSeparator
            | GeneralCategory::Format
            | GeneralCategory::Control
    ) && ch != '\u{2800}'
        && !CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(ch)
}

/// True if the character is assigned, and not to private use.
fn is_for_interchange(ch: char) -> bool {
    !matches!(
        category(ch),
        GeneralCategory::Unassigned | GeneralCategory::PrivateUse | GeneralCategory::Surrogate
    )
}

/// The NFKC of a character.
pub(crate) fn compatibility_form(ch: char) -> String {
    std::iter::once(ch).nfkc().collect()
}

pub(crate) fn is_mark(ch: char) -> bool {
    matches!(
        category(ch),
        GeneralCategory::NonspacingMark
            | GeneralCategory::SpacingMark
            | GeneralCategory::EnclosingMark
    )
}

pub(crate) fn is_nonspacing(ch: char) -> bool {
    matches!(
        category(ch),
        GeneralCategory::NonspacingMark | GeneralCategory::EnclosingMark
    )
}

pub(crate) fn category(ch: char) -> GeneralCategory {
    CodePointMapData::<GeneralCategory>::new().get(ch)
}

/// True if NFC composes this character with nothing before it, so that a segment of normalization
/// can begin here.
pub(crate) fn begins_segment(ch: char) -> bool {
    if ch.is_ascii() || is_composed(ch) {
        return true;
    }
    match is_nfc_quick(std::iter::once(ch)) {
        IsNormalized::Yes => canonical_combining_class(ch) == 0,
        IsNormalized::Maybe => false,
        IsNormalized::No => {
            let mut first = None;
            decompose_canonical(ch, |part| first = first.or(Some(part)));
            first.is_some_and(|part| canonical_combining_class(part) == 0)
        }
    }
}

/// True if a text is in NFC.
pub(crate) fn is_nfc(text: &str) -> bool {
    !prefilter::is_suspect(text) || text.chars().all(is_surely_nfc) || are_nfc(text.chars())
}

/// True if the character is in NFC among others for which this is true. The only nonspacing mark among them, the virama
/// of Devanagari, composes with no character.
#[inline]
pub(crate) fn is_surely_nfc(ch: char) -> bool {
    ch < '\u{300}' || is_composed(ch) || ch == '\u{94D}'
}

/// True if characters are in NFC.
pub(crate) fn are_nfc(text: impl Iterator<Item = char> + Clone) -> bool {
    match is_nfc_quick(text.clone()) {
        IsNormalized::Yes => true,
        IsNormalized::No => false,
        IsNormalized::Maybe => text.clone().nfc().eq(text),
    }
}

/// The CONTEXTJ rules (RFC 5892 A.1 and A.2) for a joiner between the characters before it, nearest
/// first, and after it. Cost: the runs of transparent characters on both sides.
pub(crate) fn is_joiner_in_context(
    joiner: char,
    before: impl Iterator<Item = char> + Clone,
    after: impl Iterator<Item = char>,
) -> bool {
    let previous = before.clone().next();
    if previous.is_some_and(|ch| canonical_combining_class(ch) == VIRAMA) {
        return true;
    }
    joiner == ZWNJ
        && matches!(
            first_joining_type(before),
            Some(JoiningType::LeftJoining | JoiningType::DualJoining)
        )
        && matches!(
            first_joining_type(after),
            Some(JoiningType::RightJoining | JoiningType::DualJoining)
        )
}

/// The joining type of the first character that is not transparent.
fn first_joining_type(mut text: impl Iterator<Item = char>) -> Option<JoiningType> {
    let types = CodePointMapData::<JoiningType>::new();
    text.by_ref()
        .map(|ch| types.get(ch))
        .find(|&joining| joining != JoiningType::Transparent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bidi::direction::{Direction, direction};

    /// Checks each list against the tables that it replaces.
    #[test]
    fn simple_characters_need_no_look_up() {
        for ch in ('\u{80}'..=char::MAX).filter(|&ch| is_simple(ch)) {
            assert!(
                class::is_ucschar(ch) && is_visible(ch) && is_for_interchange(ch),
                "{ch}"
            );
            assert!(look_alike::kind(ch).is_none() && !is_mark(ch), "{ch}");
            assert_eq!(canonical_combining_class(ch), 0, "{ch}");
            assert_eq!(is_nfc_quick(std::iter::once(ch)), IsNormalized::Yes, "{ch}");
            assert!(
                matches!(direction(ch), Direction::Left | Direction::Neutral),
                "{ch}"
            );
        }
    }

    #[test]
    fn simple_marks_of_devanagari_are_in_nfc_in_every_context() {
        let all = || '\u{900}'..='\u{97F}';
        let is_mark = |&ch: &char| is_simple_mark('\u{915}', ch);
        for ch in all().filter(is_mark) {
            assert!(is_displayable(ch) && direction(ch) != Direction::Right);
            for before in all().filter(|&before| is_simple(before) || is_mark(&before)) {
                assert!(are_nfc([before, ch].into_iter()), "{before} {ch}");
                for last in all().filter(is_mark) {
                    assert!(
                        are_nfc([before, ch, last].into_iter()),
                        "{before} {ch} {last}"
                    );
                }
            }
        }
    }

    #[test]
    fn simple_right_to_left_letters_need_no_look_up() {
        for ch in ('\u{80}'..=char::MAX).filter(|&ch| is_simple_rtl(ch)) {
            assert!(
                class::is_ucschar(ch) && is_visible(ch) && is_for_interchange(ch),
                "{ch}"
            );
            assert!(look_alike::kind(ch).is_none() && !is_mark(ch), "{ch}");
            assert_eq!(direction(ch), Direction::Right, "{ch}");
        }
    }

    #[test]
    fn composed_characters_are_in_nfc() {
        for ch in ('\u{80}'..=char::MAX).filter(|&ch| is_composed(ch)) {
            assert_eq!(canonical_combining_class(ch), 0, "{ch}");
            assert_eq!(is_nfc_quick(std::iter::once(ch)), IsNormalized::Yes, "{ch}");
        }
    }

    #[test]
    fn displayable_characters() {
        for ch in "éЯא中가😀🔒\u{1EC7}§«»’“·。、×ßıøŁƀǆǍǿḀẞև\u{E33}\u{EB3}ໜໝノ٠".chars()
        {
            assert!(is_displayable(ch), "{ch:?}");
        }
        for ch in "\u{A0}\u{AD}\u{34F}\u{61C}\u{1680}\u{2028}\u{2066}\u{2800}\u{3000}\u{3164}\u{FE0F}\u{FEFF}\
            \u{378}\u{40000}\u{E000}\u{E0001}\u{600}／？＃％＠℀⁄∕⧸：＼․…‥꞉∶։ﬁＡｱ²½ªº™№㈱①ĳŀŉſǳẚﷺ⼀𝐚㋿´¨µ"
            .chars()
        {
            assert!(!is_displayable(ch), "{ch:?}");
        }
    }

    #[test]
    fn joiners() {
        let check = |before: &str, joiner, after: &str| {
            is_joiner_in_context(joiner, before.chars().rev(), after.chars())
        };
        assert!(check("می", ZWNJ, "خ"));
        assert!(check("م\u{64E}", ZWNJ, "\u{64E}خ"));
        assert!(!check("ا", ZWNJ, "خ"));
        assert!(!check("می", ZWJ, "خ"));
        assert!(check("\u{DC1}\u{DCA}", ZWJ, ""));
        assert!(!check("a", ZWNJ, "b") && !check("", ZWJ, ""));
    }

    #[test]
    fn segments() {
        assert!(begins_segment('a') && begins_segment('\u{212B}') && begins_segment('\u{1112}'));
        for ch in [
            '\u{301}', '\u{1161}', '\u{11AB}', '\u{F73}', '\u{344}', '\u{3099}',
        ] {
            assert!(!begins_segment(ch), "{ch:?}");
        }
    }
}
