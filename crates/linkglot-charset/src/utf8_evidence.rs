//! The evidence for UTF-8: bytes that decode to likely characters.
//!
//! Short text in other charsets is valid UTF-8 by accident: 9 of 100 Chinese characters in GBK, 2 of 100 Polish words
//! in capitals in windows-1250, 3 of 1000 Russian words in IBM866. The characters give such text away: letters of
//! scripts out of use, or of several scripts in one word. The script `utf8_evidence.py` counts both. One character
//! alone is no evidence where words stand alone: `²` is `ТВ` in ISO-8859-5, `蠣` is `шаг` in IBM866, `·` is `路` in GBK.

use crate::candidates::CANDIDATES;
use crate::certainty::Certainty;
use crate::charset::Charset;
use crate::ideographs::{IDEOGRAPHS, Ideographs};
use crate::languages::{Cost, Language, Symbol};
use crate::words::Usage;
use std::sync::LazyLock;

/// A set of scripts, one bit each.
type Scripts = u32;

const LATIN: Scripts = 1;
const GREEK: Scripts = 1 << 1;
const CYRILLIC: Scripts = 1 << 2;
const HEBREW: Scripts = 1 << 3;
const ARABIC: Scripts = 1 << 4;
const ARMENIAN: Scripts = 1 << 5;
const GEORGIAN: Scripts = 1 << 6;
/// Chinese and Japanese, which have no spaces between words of Latin letters and others.
const EAST_ASIAN: Scripts = 1 << 7;
/// Accents, which belong to the letter before them.
const MARK: Scripts = 1 << 8;
/// The first script of India and its neighbours. Each has a block of 128 characters.
const INDIC: Scripts = 1 << 9;
/// Letters of ASCII, which stand among Latin ones and, in words of their own, next to those of East Asia.
const ASCII: Scripts = 1 << 30;
/// The syllables of Korean. Texts of today have no other characters of East Asia in their words.
const HANGUL: Scripts = 1 << 31;
const INDIC_BLOCKS: std::ops::RangeInclusive<u32> = 0x900 >> 7..=0xFFF >> 7;

/// The ranges of letters beyond ASCII that are in common use, in order.
const LETTERS: &[(u32, u32, Scripts)] = &[
    (0xAA, 0xAA, LATIN),
    (0xBA, 0xBA, LATIN),
    (0xC0, 0xD6, LATIN),
    (0xD8, 0xF6, LATIN),
    (0xF8, 0x17F, LATIN),
    // The schwa of Azerbaijani, the florin, horns of Vietnamese, commas of Romanian.
    (0x18F, 0x18F, LATIN),
    (0x192, 0x192, LATIN),
    (0x1A0, 0x1A1, LATIN),
    (0x1AF, 0x1B0, LATIN),
    (0x218, 0x21B, LATIN),
    (0x259, 0x259, LATIN),
    (0x300, 0x30C, MARK),
    (0x323, 0x323, MARK),
    (0x327, 0x328, MARK),
    (0x386, 0x3CE, GREEK),
    (0x401, 0x45F, CYRILLIC),
    (0x490, 0x491, CYRILLIC),
    (0x531, 0x587, ARMENIAN),
    (0x5B0, 0x5EA, HEBREW),
    (0x621, 0x652, ARABIC),
    // Digits, too.
    (0x660, 0x669, ARABIC),
    (0x67E, 0x6D3, ARABIC),
    (0x10D0, 0x10F0, GEORGIAN),
    (0x1100, 0x11FF, HANGUL),
    (0x1E00, 0x1EFF, LATIN),
    (0x1F00, 0x1FFF, GREEK),
    (0x3005, 0x3007, EAST_ASIAN),
    (0x3040, 0x30FF, EAST_ASIAN),
    (0x4E00, 0x9FFF, EAST_ASIAN),
    (0xAC00, 0xD7A3, HANGUL),
    (0xFB00, 0xFB04, LATIN),
];

/// Punctuation and symbols in common use, in order.
const SYMBOLS: &[(u32, u32)] = &[
    (0xA0, 0xBF),
    (0xD7, 0xD7),
    (0xF7, 0xF7),
    (0x5BE, 0x5BE),
    (0x60C, 0x61F),
    (0x200B, 0x203B),
    // Superscripts and subscripts.
    (0x2070, 0x209C),
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

const ARABIC_PUNCTUATION: std::ops::RangeInclusive<char> = '\u{60C}'..='\u{61F}';

/// Number of likely characters that outweigh an odd one.
const TOLERATED: usize = 5;

/// Number of likely characters that are no accident, although some are odd.
const MANY: usize = 5;

/// The charsets in which words have the form of one character of UTF-8.
const CHARSETS: [&str; 9] = [
    "ISO-8859-5",
    "KOI8-U",
    "IBM866",
    "IBM855",
    "windows-1251",
    "x-mac-cyrillic",
    "IBM737",
    "windows-1253",
    "x-mac-greek",
];
/// The charsets in which a character has the form of one of UTF-8, and the languages of these.
const EAST_ASIAN_CHARSETS: [(&str, &str); 4] = [
    ("GBK", "zh_CN"),
    ("Big5", "zh_TW"),
    ("EUC-KR", "ko"),
    ("EUC-JP", "ja"),
];

/// Cost of characters that texts often have, in half bits.
const FREQUENT: Cost = 26;

/// The most characters that are counted.
const MOST: usize = 1000;

/// The certainty of bytes that look like UTF-8. Linear.
pub(crate) fn certainty(text: &[u8]) -> Certainty {
    let mut evidence = Evidence::default();
    for chunk in text.utf8_chunks() {
        evidence.read(chunk.valid(), |_| false);
        if evidence.likely + evidence.odd > MOST {
            break;
        }
    }
    if evidence.is_enough() {
        Certainty::Sure
    } else {
        Certainty::Unsure
    }
}

/// The likely and the odd characters beyond ASCII so far, and the word at the end.
#[derive(Debug, Default)]
pub(crate) struct Evidence {
    likely: usize,
    odd: usize,
    word: Word,
    /// The ASCII before the next character.
    left: Left,
    /// A mark that is likely only with certain text behind it.
    pending: Pending,
}

/// The text before a character.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Left {
    /// A delimiter, the start of the text or a character beyond ASCII.
    #[default]
    Delimiter,
    /// A letter, a digit or the end of a clause.
    Text,
    /// A blank behind text.
    Blank,
}

/// A mark without text before it: `£5`, `½ cup`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Pending {
    #[default]
    Nothing,
    Mark(char),
    /// A mark with a blank behind it.
    Blank,
}

/// The letters of a word so far.
#[derive(Debug, Default)]
struct Word {
    letters: usize,
    beyond_ascii: usize,
    /// Characters of East Asia.
    east_asian: usize,
    first: Option<char>,
    last: Option<char>,
    /// True if letters differ.
    varies: bool,
    scripts: Scripts,
    /// True if text stands before the word.
    follows_text: bool,
}

impl Evidence {
    /// Reads the text that follows the text read so far. `stops` gets the end of each character beyond ASCII, and
    /// returns true if the rest is of no interest.
    pub fn read(&mut self, text: &str, mut stops: impl FnMut((&Self, usize)) -> bool) {
        let mut at = 0;
        while at < text.len() {
            let rest = &text[at..];
            let ascii = rest.bytes().position(|byte| !byte.is_ascii());
            let (ascii, behind) = rest.split_at(ascii.unwrap_or(rest.len()));
            self.ascii(ascii.as_bytes());
            at += ascii.len();
            for ch in behind.chars().take_while(|ch| !ch.is_ascii()) {
                self.char(ch);
                at += ch.len_utf8();
                if stops((self, at)) {
                    return;
                }
            }
        }
    }

    /// True if the evidence suffices for UTF-8.
    pub fn is_enough(&self) -> bool {
        let (likely, odd) = self.word.count(self.has_many());
        let (likely, odd) = (self.likely + likely, self.odd + odd);
        likely >= 1 && odd == 0 || likely >= MANY && odd * TOLERATED <= likely
    }

    /// Only the letters at both ends belong to words with others.
    fn ascii(&mut self, text: &[u8]) {
        for byte in text.iter().take(2) {
            self.resolve(*byte);
        }
        self.look_back(text);
        let is_letter = |byte: &&u8| byte.is_ascii_alphabetic();
        let first = text.iter().take_while(is_letter).count();
        self.word.add_latin(first);
        if first < text.len() {
            self.end_word();
            self.word
                .add_latin(text.iter().rev().take_while(is_letter).count());
        }
    }

    /// Judges a mark by the ASCII behind it.
    fn resolve(&mut self, byte: u8) {
        let is_text = byte.is_ascii_alphanumeric();
        self.pending = match self.pending {
            Pending::Mark('©' | '¼'..='¾') if byte == b' ' => Pending::Blank,
            Pending::Mark('£' | '¥' | '§' | '¿' | '¡' | '«' | '©') | Pending::Blank if is_text =>
            {
                self.likely += 1;
                Pending::Nothing
            }
            _ => Pending::Nothing,
        };
    }

    fn look_back(&mut self, text: &[u8]) {
        let is_text = |byte: u8| byte.is_ascii_alphanumeric() || b".,:;!?)".contains(&byte);
        self.left = match *text {
            [] => self.left,
            [.., last] if is_text(last) => Left::Text,
            [.., before, b' '] if is_text(before) => Left::Blank,
            [b' '] if self.left == Left::Text => Left::Blank,
            _ => Left::Delimiter,
        };
    }

    fn symbol(&mut self, ch: char) {
        // A comma of Arabic behind a letter of ASCII: `re،ms` is `režīms` in IBM775.
        let is_foreign = self.left == Left::Text && ARABIC_PUNCTUATION.contains(&ch);
        if !is_symbol(ch) || is_foreign {
            self.odd += 1;
        } else if self.left != Left::Delimiter || self.has_many() || !is_word_elsewhere(ch) {
            self.likely += 1;
        } else {
            self.pending = Pending::Mark(ch);
        }
    }

    fn char(&mut self, ch: char) {
        self.pending = Pending::Nothing;
        let follows_text = self.left != Left::Delimiter;
        match script(ch) {
            0 => {
                self.end_word();
                self.symbol(ch);
                self.left = Left::Delimiter;
            }
            script => {
                self.left = Left::Delimiter;
                self.word.follows_text |= follows_text;
                self.word.letters += 1;
                self.word.beyond_ascii += 1;
                self.word.east_asian += usize::from(script & (EAST_ASIAN | HANGUL) != 0);
                self.word.varies |= self.word.last.is_some_and(|last| last != ch);
                self.word.first.get_or_insert(ch);
                self.word.last = Some(ch);
                self.word.scripts |= script;
            }
        }
    }

    /// True if so many characters are likely that a short word or a mark more is none of another charset.
    fn has_many(&self) -> bool {
        self.likely >= MANY
    }

    fn end_word(&mut self) {
        let (likely, odd) = std::mem::take(&mut self.word).count(self.has_many());
        self.likely += likely;
        self.odd += odd;
    }
}

impl Word {
    fn add_latin(&mut self, letters: usize) {
        self.letters += letters;
        if letters > 0 {
            self.scripts |= ASCII;
        }
    }

    /// The likely and the odd letters. A letter alone is neither, unless text stands before it.
    fn count(&self, has_many: bool) -> (usize, usize) {
        match self.is_likely() {
            true if !has_many && self.is_word_elsewhere() => (0, 0),
            true => (self.beyond_ascii, 0),
            false => (0, self.beyond_ascii),
        }
    }

    /// True for a letter alone, or the same one again and again: `谢谢` in GBK is `лл`.
    fn is_one_letter(&self) -> bool {
        self.letters == self.beyond_ascii && !self.varies
    }

    fn is_word_elsewhere(&self) -> bool {
        // Behind text, a rare ideograph is none: `鮡` is `щоб` in IBM866.
        let is_rare = || self.last.is_some_and(is_rare_ideograph);
        let is_alone = self.is_one_letter() && (!self.follows_text || is_rare());
        is_alone && self.last.is_some_and(is_word_elsewhere) || self.is_usual_elsewhere()
    }

    /// True if the bytes of one letter or two are a usual word in another charset.
    fn is_usual_elsewhere(&self) -> bool {
        let letters = match (self.first, self.last) {
            (Some(first), Some(_)) if self.letters == 1 => [Some(first), None],
            (Some(first), Some(last)) if self.letters == 2 => [Some(first), Some(last)],
            _ => return false,
        };
        let text: String = letters.into_iter().flatten().collect();
        self.beyond_ascii == self.letters && is_usual_elsewhere(text.as_bytes())
    }

    /// True if all letters are of one script. A letter alone is a word in few of them (`é`, `ó`).
    fn is_likely(&self) -> bool {
        let scripts = match self.scripts & !MARK {
            // One character alone among letters of ASCII is an accident.
            scripts if scripts & LATIN != 0 || self.east_asian > 1 => scripts & !ASCII,
            scripts => scripts,
        };
        let may_be_alone = match scripts {
            LATIN => self.last.is_some_and(|last| last <= 'ÿ'),
            scripts => scripts & !(EAST_ASIAN | HANGUL) == 0,
        };
        scripts.is_power_of_two() && (!self.is_one_letter() || may_be_alone)
    }
}

/// True if the bytes of a character in UTF-8 may be a word, or an abbreviation, in another charset.
fn is_word_elsewhere(ch: char) -> bool {
    let mut bytes = [0; 4];
    let bytes = ch.encode_utf8(&mut bytes).as_bytes();
    static NAMED: LazyLock<Vec<Charset>> = LazyLock::new(|| {
        let names = CHARSETS.iter();
        names.filter_map(|name| Charset::named(name)).collect()
    });
    let mut charsets = NAMED.iter();
    let mut east_asian = EAST_ASIAN_CHARSETS.iter();
    charsets.any(|charset| is_word(&charset.decode(bytes)))
        || east_asian.any(|(name, lang)| is_frequent(name, lang, bytes))
}

/// True for a character of three bytes that texts of East Asia hardly have.
fn is_rare_ideograph(ch: char) -> bool {
    let is_frequent = |language: &Ideographs| language.cost(ch) <= FREQUENT;
    ch.len_utf8() == 3 && !IDEOGRAPHS.iter().any(is_frequent)
}

/// True if bytes are a usual word in another charset, or characters that its texts often have.
fn is_usual_elsewhere(bytes: &[u8]) -> bool {
    let is_usual = |name: &&str| {
        let charset = Charset::named(name);
        let text = charset.map(|charset| charset.decode(bytes));
        let symbols = text.iter().flat_map(|text| text.chars());
        let symbols: Vec<Symbol> = symbols.map(Symbol::of_char).collect();
        let usage = Usage::of(&symbols);
        // The languages need not be read for that.
        if !usage.is_of_any_language() {
            return false;
        }
        let candidate = CANDIDATES.iter().find(|candidate| candidate.name == *name);
        let langs = candidate.iter().flat_map(|candidate| candidate.langs);
        let mut numbers = langs.filter_map(|lang| Language::number(lang));
        numbers.any(|number| usage.cost(number).is_some())
    };
    let mut east_asian = EAST_ASIAN_CHARSETS.iter();
    CHARSETS.iter().any(is_usual) || east_asian.any(|(name, lang)| are_frequent(name, lang, bytes))
}

/// True for Russian or Greek letters, `і` and `ў`, all of them capitals or small.
fn is_word(text: &str) -> bool {
    let is_capital = |ch| matches!(ch, 'А'..='Я' | 'І' | 'Ў' | 'Ά'..='Ώ' | 'Α'..='Ω');
    let is_small = |ch| matches!(ch, 'а'..='я' | 'і' | 'ў' | 'ά'..='ώ');
    text.chars().all(is_capital) || text.chars().all(is_small)
}

/// True if the bytes are a character that texts in the language often have.
fn is_frequent(name: &str, lang: &str, bytes: &[u8]) -> bool {
    let text = Charset::named(name).map(|charset| charset.decode(bytes));
    let is_one = text.is_some_and(|text| text.chars().count() == 1);
    is_one && are_frequent(name, lang, bytes)
}

/// True if the bytes are characters that texts in the language often have.
fn are_frequent(name: &str, lang: &str, bytes: &[u8]) -> bool {
    let text = Charset::named(name).map(|charset| charset.decode(bytes));
    let language = IDEOGRAPHS.iter().find(|language| language.lang == lang);
    let of_text = text.zip(language);
    of_text.is_some_and(|(text, language)| text.chars().all(|ch| language.cost(ch) <= FREQUENT))
}

/// The script of a letter beyond ASCII in common use; 0 for other characters.
fn script(ch: char) -> Scripts {
    let code = u32::from(ch);
    let block = code >> 7;
    if INDIC_BLOCKS.contains(&block) {
        return INDIC << (block - INDIC_BLOCKS.start());
    }
    let behind = LETTERS.partition_point(|(first, ..)| *first <= code);
    match LETTERS[..behind].last() {
        Some(&(_, last, script)) if code <= last => script,
        _ => 0,
    }
}

fn is_symbol(ch: char) -> bool {
    let code = u32::from(ch);
    let behind = SYMBOLS.partition_point(|(first, _)| *first <= code);
    SYMBOLS[..behind]
        .last()
        .is_some_and(|(_, last)| code <= *last)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both tables are searched by halves.
    #[test]
    fn ranges_are_in_order() {
        let letters: Vec<_> = LETTERS
            .iter()
            .map(|(first, last, _)| (*first, *last))
            .collect();
        for ranges in [&letters[..], SYMBOLS] {
            assert!(ranges.iter().all(|(first, last)| first <= last));
            assert!(ranges.windows(2).all(|pair| pair[0].1 < pair[1].0));
        }
    }

    #[test]
    fn likely_text_is_sure() {
        for text in [
            "café",
            "é",
            "/é>",
            "déjà",
            "naïve ½ cup",
            "½ cup",
            "£5",
            "<p>© 2001",
            "m²",
            "25 °C",
            "Tour à la carte",
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
            "a 業",
            "a вода",
            "a над",
            "a 日本",
            "über uns",
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
            ("ТВ", "iso-8859-5"),
            ("УК", "iso-8859-5"),
            ("шаг", "ibm866"),
            ("路", "gbk"),
            ("ці", "koi8-u"),
            ("Αφα", "macgreek"),
            ("谢谢", "gbk"),
            ("책", "euc-kr"),
            ("кажњавајући", "ibm855"),
            // Behind text, too.
            (". щоб", "ibm866"),
            ("a чем", "ibm866"),
            ("a ότι", "ibm737"),
            ("a 체크", "euc-kr"),
            ("a režīms", "ibm775"),
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
