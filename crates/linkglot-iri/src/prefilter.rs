//! A filter in front of the tables of Unicode: it finds the texts that may have a character that no IRI may have, or
//! that is not in NFC in every context.
//!
//! Two neighbouring bytes of UTF-8 rule such a character out in most texts. "No" is certain; "yes" only means that the
//! tables must decide.

/// For each byte, a bit for each trail byte (its low six bits) that makes the pair suspect.
static SUSPECTS: [u64; 256] = table();

/// 1 when a pair of neighbouring bytes is suspect, else 0.
#[inline(always)]
pub(crate) fn suspect_pair(before: u8, byte: u8) -> u64 {
    let is_trail = u64::from(byte & 0xC0 == 0x80);
    SUSPECTS[usize::from(before)] >> (byte & 0x3F) & is_trail
}

/// True if a text has a suspect pair. O(length).
pub(crate) fn is_suspect(text: &str) -> bool {
    let mut before = 0;
    let suspects = text.bytes().fold(0, |suspects, byte| {
        suspects | suspect_pair(std::mem::replace(&mut before, byte), byte)
    });
    suspects != 0
}

const fn table() -> [u64; 256] {
    let mut table = [0; 256];
    let mut byte = 0x80;
    while byte < 256 {
        table[byte] = suspects(byte as u8);
        byte += 1;
    }
    table
}

const fn suspects(byte: u8) -> u64 {
    match byte {
        0x80..=0xBF => after_trail(byte),
        0xC2..=0xDF => after_lead_of_two(byte),
        0xE0..=0xEF => after_lead_of_three(byte),
        // Pictographs, and Chinese characters up to the compatibility ideographs.
        0xF0 => !trails(0x9F, 0xAE),
        _ => !0,
    }
}

const fn after_lead_of_two(lead: u8) -> u64 {
    match lead {
        // The C1 controls.
        0xC2 => trails(0x80, 0x9F),
        // Letters: Latin and phonetic; Cyrillic and Armenian without the marks.
        0xC3..=0xCB | 0xD0 | 0xD1 | 0xD3..=0xD5 => 0,
        0xD2 => trails(0x83, 0x89),
        // Greek letters.
        0xCE => !(trails(0x91, 0xA1) | trails(0xA3, 0xBF)),
        0xCF => !trails(0x80, 0x8E),
        0xD6 => trails(0x90, 0xBF),
        // Hebrew and Arabic letters, and digits.
        0xD7 => !trails(0x90, 0xAA),
        0xD8 => !trails(0xA1, 0xBA),
        0xD9 => !(trails(0x81, 0x8A) | trails(0xA0, 0xAF) | trails(0xB1, 0xBF)),
        0xDA => 0,
        0xDB => trails(0x96, 0xBF),
        _ => !0,
    }
}

const fn after_lead_of_three(lead: u8) -> u64 {
    match lead {
        // Georgian, Ethiopic and Latin letters.
        0xE1 => !(trails(0x83, 0x83) | trails(0x88, 0x8C) | trails(0xB8, 0xBB)),
        // Symbols, but for blocks with bidi controls, marks or singletons.
        0xE2 => {
            trails(0x80, 0x81)
                | trails(0x83, 0x84)
                | trails(0x8C, 0x8C)
                | trails(0xAB, 0xAB)
                | trails(0xB3, 0xB3)
                | trails(0xB5, 0xB5)
                | trails(0xB7, 0xB7)
        }
        // Chinese, Japanese and Korean.
        0xE3..=0xE9 | 0xEB | 0xEC => 0,
        0xEA => trails(0x80, 0xAF),
        0xED => trails(0x9E, 0x9F),
        // Full-width and half-width forms.
        0xEF => !trails(0xBC, 0xBE),
        _ => !0,
    }
}

/// Pairs of two trail bytes.
const fn after_trail(trail: u8) -> u64 {
    match trail {
        // U+302A-302F.
        0x80 => trails(0xAA, 0xAF),
        // U+3099-309A.
        0x82 => trails(0x99, 0x9A),
        // The noncharacters at the end of each plane.
        0xBF => trails(0xBE, 0xBF),
        _ => 0,
    }
}

/// The bits of a range of trail bytes.
const fn trails(first: u8, last: u8) -> u64 {
    let mut bits = 0;
    let mut trail = first;
    while trail <= last {
        bits |= 1 << (trail & 0x3F);
        trail += 1;
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class;
    use unicode_normalization::char::canonical_combining_class;
    use unicode_normalization::{IsNormalized, is_nfc_quick};

    #[test]
    fn unsuspected_characters_are_allowed_and_in_nfc() {
        for ch in '\0'..=char::MAX {
            if is_suspect(ch.encode_utf8(&mut [0; 4])) {
                continue;
            }
            assert!(ch.is_ascii() || class::is_ucschar(ch), "{ch:?}");
            let nfc = is_nfc_quick(std::iter::once(ch));
            assert_eq!(nfc, IsNormalized::Yes, "{ch:?}");
            assert_eq!(canonical_combining_class(ch), 0, "{ch:?}");
        }
    }

    #[test]
    fn common_text_is_unsuspected() {
        for text in [
            "",
            "/a?b#c%20",
            "résumé straße łódź",
            "ελληνικά παπι",
            "новости, п? ґ",
            "հայերեն",
            "עברית",
            "العربية",
            "فارسی",
            "ქართული",
            "አማርኛ",
            "tiếng Việt",
            "€ → ★ ½ «»",
            "日本語、カテゴリひらがな。",
            "北京市",
            "한국어",
            "ｱＡ！",
            "😀🚀𠀀",
        ] {
            assert!(!is_suspect(text), "{text}");
        }
    }

    #[test]
    fn controls_marks_and_private_use_are_suspect() {
        for ch in
            "\u{80}\u{301}\u{483}\u{5B0}\u{61C}\u{64B}\u{94D}\u{11A8}\u{200E}\u{202E}\u{2066}\u{212B}\u{3099}\u{302A}\
             \u{E000}\u{F900}\u{FDD0}\u{FFFD}\u{FFFE}\u{1FFFE}\u{1FFFF}\u{2F800}\u{E0001}\u{10FFFF}"
                .chars()
        {
            assert!(is_suspect(&format!("a{ch}b")), "{ch:?}");
        }
    }
}
