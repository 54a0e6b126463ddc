//! The evidence for UTF-8: whether the characters that bytes stand for in it are likely ones.
//!
//! Short text in other charsets is valid UTF-8 by accident: 9 of 100 Chinese characters in GBK, 2 of
//! 100 Polish words in capitals in windows-1250, 3 of 1000 Russian words in IBM866. What it reads as
//! gives it away: letters of scripts that nobody writes, or of several scripts in one word. The
//! script `utf8_evidence.py` counts both.

use crate::sniff::Certainty;
use std::collections::BTreeSet;

/// Scripts, and characters that stand beside any of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Script {
    Latin,
    Greek,
    Cyrillic,
    Hebrew,
    Arabic,
    /// A script of India or its neighbours, by its block.
    Indic(u32),
    Armenian,
    Georgian,
    /// Chinese, Japanese and Korean, which have no spaces between words of Latin letters and others.
    EastAsian,
    /// Accents, which belong to the letter before them.
    Mark,
}

/// The ranges of characters that are in common use. ASCII is no evidence, but its letters tell the
/// script of a word.
const LETTERS: &[(u32, u32, Script)] = &[
    (0x41, 0x5A, Script::Latin),
    (0x61, 0x7A, Script::Latin),
    (0xAA, 0xAA, Script::Latin),
    (0xBA, 0xBA, Script::Latin),
    (0xC0, 0xD6, Script::Latin),
    (0xD8, 0xF6, Script::Latin),
    (0xF8, 0x17F, Script::Latin),
    // The schwa of Azerbaijani, the florin, horns of Vietnamese, commas of Romanian.
    (0x18F, 0x18F, Script::Latin),
    (0x192, 0x192, Script::Latin),
    (0x1A0, 0x1A1, Script::Latin),
    (0x1AF, 0x1B0, Script::Latin),
    (0x218, 0x21B, Script::Latin),
    (0x259, 0x259, Script::Latin),
    (0x300, 0x30C, Script::Mark),
    (0x323, 0x323, Script::Mark),
    (0x327, 0x328, Script::Mark),
    (0x386, 0x3CE, Script::Greek),
    (0x401, 0x45F, Script::Cyrillic),
    (0x490, 0x491, Script::Cyrillic),
    (0x531, 0x587, Script::Armenian),
    (0x5B0, 0x5EA, Script::Hebrew),
    (0x621, 0x652, Script::Arabic),
    (0x67E, 0x6D3, Script::Arabic),
    (0x10D0, 0x10F0, Script::Georgian),
    (0x1E00, 0x1EFF, Script::Latin),
    (0x1F00, 0x1FFF, Script::Greek),
    (0x3005, 0x3007, Script::EastAsian),
    (0x3040, 0x30FF, Script::EastAsian),
    (0x4E00, 0x9FFF, Script::EastAsian),
    (0xAC00, 0xD7A3, Script::EastAsian),
    (0xFB00, 0xFB04, Script::Latin),
];

/// The blocks of Devanagari to Tibetan, each of 128 characters.
const INDIC: std::ops::RangeInclusive<u32> = 0x900..=0xFFF;

/// Punctuation and symbols in common use.
const SYMBOLS: &[(u32, u32)] = &[
    (0xA0, 0xBF),
    (0xD7, 0xD7),
    (0xF7, 0xF7),
    (0x5BE, 0x5BE),
    (0x60C, 0x61F),
    (0x660, 0x669),
    (0x200B, 0x203B),
    (0x20AC, 0x20AC),
    (0x2116, 0x2116),
    (0x2122, 0x2122),
    (0x2190, 0x2199),
    (0x2212, 0x2212),
    (0x2248, 0x2265),
    (0x2500, 0x257F),
    (0x25A0, 0x25CF),
    (0x2600, 0x2764),
    (0x3001, 0x3003),
    (0x3008, 0x3011),
    (0x3014, 0x301F),
    (0xFE0F, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFF01, 0xFF5E),
    (0xFFFD, 0xFFFD),
    (0x1F300, 0x1FAFF),
];

/// A character of this many is not in the tables, or among letters of another script.
const TOLERATED: usize = 5;

/// Enough characters are no accident, if some are odd.
const MANY: usize = 5;

/// Whether bytes that look like UTF-8 are surely UTF-8. Linear.
pub(crate) fn certainty(text: &[u8]) -> Certainty {
    let mut count = Count::default();
    for chunk in text.utf8_chunks() {
        count.text(chunk.valid());
    }
    match count.likely >= 1 && count.odd == 0
        || count.likely >= MANY && count.odd * TOLERATED <= count.likely
    {
        true => Certainty::Sure,
        false => Certainty::Unsure,
    }
}

/// The characters beyond ASCII, by whether a text would have them.
#[derive(Default)]
struct Count {
    likely: usize,
    odd: usize,
    word: Word,
}

/// The letters of a word so far.
#[derive(Default)]
struct Word {
    letters: usize,
    beyond_ascii: usize,
    last: Option<char>,
    scripts: BTreeSet<Script>,
}

impl Count {
    fn text(&mut self, text: &str) {
        let mut rest = text;
        // Most text is ASCII: only words with other characters are looked at.
        while let Some(at) = rest.bytes().position(|byte| !byte.is_ascii()) {
            let is_letter = |byte: &u8| byte.is_ascii_alphabetic();
            let before = rest.as_bytes()[..at]
                .iter()
                .rev()
                .take_while(|byte| is_letter(byte));
            let begin = at - before.count();
            let len = rest[begin..].find(|ch: char| ch.is_ascii() && !ch.is_ascii_alphabetic());
            let end = len.map_or(rest.len(), |len| begin + len);
            rest[begin..end].chars().for_each(|ch| self.char(ch));
            self.end_word();
            rest = &rest[end..];
        }
    }

    fn char(&mut self, ch: char) {
        match script(ch) {
            Some(script) => {
                self.word.letters += 1;
                self.word.beyond_ascii += usize::from(!ch.is_ascii());
                self.word.last = Some(ch);
                self.word.scripts.insert(script);
            }
            None => {
                self.end_word();
                match is_symbol(ch) {
                    true => self.likely += 1,
                    false => self.odd += 1,
                }
            }
        }
    }

    fn end_word(&mut self) {
        let word = std::mem::take(&mut self.word);
        match word.is_likely() {
            true => self.likely += word.beyond_ascii,
            false => self.odd += word.beyond_ascii,
        }
    }
}

impl Word {
    /// Whether all letters are of one script. A letter alone is a word in few of them (`é`, `ó`), or
    /// a symbol in formulas.
    fn is_likely(&self) -> bool {
        let mut scripts = self.scripts.clone();
        scripts.remove(&Script::Mark);
        if scripts.contains(&Script::EastAsian) {
            scripts.remove(&Script::Latin);
        }
        let may_be_alone = match scripts.first() {
            Some(Script::Latin) => self.last.is_some_and(|last| last <= 'ÿ'),
            Some(Script::Greek | Script::EastAsian) => true,
            _ => false,
        };
        scripts.len() == 1 && (self.letters > 1 || may_be_alone)
    }
}

/// The script of a letter in common use.
fn script(ch: char) -> Option<Script> {
    let code = u32::from(ch);
    if INDIC.contains(&code) {
        return Some(Script::Indic(code >> 7));
    }
    let mut letters = LETTERS.iter();
    let found = letters.find(|(first, last, _)| (*first..=*last).contains(&code));
    found.map(|&(_, _, script)| script)
}

fn is_symbol(ch: char) -> bool {
    let code = u32::from(ch);
    let mut symbols = SYMBOLS.iter();
    symbols.any(|(first, last)| (*first..=*last).contains(&code))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charset::Charset;

    #[test]
    fn likely_text_is_sure() {
        for text in [
            "café",
            "é",
            "naïve ½ cup",
            "“quoted”",
            "10 €",
            "Привет",
            "помор'я",
            "שלום",
            "مرحبا",
            "สวัสดี",
            "नमस्ते",
            "日本語",
            "IP电话",
            "한국어",
            "Việt Nam",
            "α and β",
            "🎉",
            "a\u{301}",
            // One odd character among many.
            "Chemie: Größe, Maß, Straße, süß, H₂O",
        ] {
            assert_eq!(certainty(text.as_bytes()), Certainty::Sure, "{text}");
        }
    }

    /// Words in other charsets that are valid UTF-8.
    #[test]
    fn accidents_are_unsure() {
        for (word, label) in [
            ("图", "gbk"),
            ("联通", "gbk"),
            ("工业", "gbk"),
            ("WSPÓŁPRACA", "windows-1250"),
            ("SNÍŽKA", "windows-1250"),
            ("tchoři", "macce"),
            ("там", "ibm866"),
            ("ні", "koi8-u"),
            ("ТВ-ТВ", "ks_c_5601-1987"),
            ("Αφα", "macgreek"),
        ] {
            let mut bytes = Vec::new();
            let charset = Charset::for_label(label).unwrap();
            if charset.encode(word, &mut bytes).is_err() || Charset::as_text(&bytes).is_none() {
                continue;
            }
            assert_eq!(certainty(&bytes), Certainty::Unsure, "{word} in {label}");
        }
    }
}
