//! Which texts need a look at each character before they are mapped, because one may be in no class
//! of RFC 3987 or not in NFC.
//!
//! Of most characters two neighbouring bytes of their UTF-8 say that they are neither. The answer is
//! careful: "no" is certain, "yes" only says that the tables must be asked.

/// For each byte, the bytes behind it (by their low six bits) that make it a reason to look.
static UNSURE: [u64; 256] = table();

/// 1 when two neighbouring bytes are a reason to look at the characters, else 0.
#[inline(always)]
pub(super) fn pair(before: u8, byte: u8) -> u64 {
    let is_trail = u64::from(byte & 0xC0 == 0x80);
    UNSURE[usize::from(before)] >> (byte & 0x3F) & is_trail
}

/// Whether a text may have characters that no IRI has, or that are not in NFC wherever they stand.
/// O(length).
pub(super) fn is_in(text: &str) -> bool {
    let mut before = 0;
    let found = text.bytes().fold(0, |found, byte| {
        let pair = pair(before, byte);
        before = byte;
        found | pair
    });
    found != 0
}

const fn table() -> [u64; 256] {
    let mut table = [0; 256];
    let mut byte = 0x80;
    while byte < 256 {
        table[byte] = reasons(byte as u8);
        byte += 1;
    }
    table
}

const fn reasons(byte: u8) -> u64 {
    match byte {
        0x80..=0xBF => behind_trail(byte),
        0xC2..=0xDF => behind_lead_of_two(byte),
        0xE0..=0xEF => behind_lead_of_three(byte),
        // Pictures; Chinese letters up to those for compatibility.
        0xF0 => !trails(0x9F, 0xAE),
        _ => !0,
    }
}

const fn behind_lead_of_two(lead: u8) -> u64 {
    match lead {
        // The C1 controls.
        0xC2 => trails(0x80, 0x9F),
        // Latin and phonetic letters; Cyrillic and Armenian ones, but for the marks.
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

const fn behind_lead_of_three(lead: u8) -> u64 {
    match lead {
        // Georgian, Ethiopic and Latin letters.
        0xE1 => !(trails(0x83, 0x83) | trails(0x88, 0x8C) | trails(0xB8, 0xBB)),
        // Symbols: all but the blocks that have bidi controls, marks or singletons.
        0xE2 => {
            trails(0x80, 0x81)
                | trails(0x83, 0x84)
                | trails(0x8C, 0x8C)
                | trails(0xAB, 0xAB)
                | trails(0xB3, 0xB3)
                | trails(0xB5, 0xB5)
                | trails(0xB7, 0xB7)
        }
        // Letters of Chinese, Japanese and Korean.
        0xE3..=0xE9 | 0xEB | 0xEC => 0,
        0xEA => trails(0x80, 0xAF),
        0xED => trails(0x9E, 0x9F),
        // Forms of full width and half width.
        0xEF => !trails(0xBC, 0xBE),
        _ => !0,
    }
}

/// The second byte of a character and its third, or the third and the fourth.
const fn behind_trail(trail: u8) -> u64 {
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

/// The bits of trail bytes.
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
    use crate::iri::class;
    use unicode_normalization::char::canonical_combining_class;
    use unicode_normalization::{IsNormalized, is_nfc_quick};

    #[test]
    fn no_look_no_trouble() {
        for ch in '\0'..=char::MAX {
            if is_in(ch.encode_utf8(&mut [0; 4])) {
                continue;
            }
            assert!(ch.is_ascii() || class::is_ucschar(ch), "{ch:?}");
            let nfc = is_nfc_quick(std::iter::once(ch));
            assert_eq!(nfc, IsNormalized::Yes, "{ch:?}");
            assert_eq!(canonical_combining_class(ch), 0, "{ch:?}");
        }
    }

    #[test]
    fn what_the_web_has_needs_no_look() {
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
            assert!(!is_in(text), "{text}");
        }
    }

    #[test]
    fn what_must_be_looked_at() {
        for ch in
            "\u{80}\u{301}\u{483}\u{5B0}\u{61C}\u{64B}\u{94D}\u{11A8}\u{200E}\u{202E}\u{2066}\u{212B}\u{3099}\u{302A}\
             \u{E000}\u{F900}\u{FDD0}\u{FFFD}\u{FFFE}\u{1FFFE}\u{1FFFF}\u{2F800}\u{E0001}\u{10FFFF}"
                .chars()
        {
            assert!(is_in(&format!("a{ch}b")), "{ch:?}");
        }
    }
}
