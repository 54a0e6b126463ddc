//! Usual words: how frequent a word with letters beyond ASCII is in each language.
//!
//! A text has mostly words that are usual, and another charset hardly ever reads one of them as another usual word. The
//! data are made by `usual_words.py`.

use crate::files::{File, file};
use crate::languages::{
    Cost, LANGUAGES, Language, Symbol, cost_of_capitals, is_in_case, may_be_abbreviation,
};
use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::LazyLock;

/// A language, a cost and words a line. Before each word stands a character for the number of bytes that it has in
/// common with the word before, from [`NOTHING`] on; it is none of a word.
static DATA: File = file!("data/words.tsv");

/// The lengths of words in letters.
const LENGTHS: RangeInclusive<usize> = 3..=16;

/// A language and its frequent words of one letter and two with letters beyond ASCII a line. In languages of other
/// scripts than Latin all words have such letters, and short ones tell little.
const SHORT_WORDS: &str = include_str!("../data/short_words.tsv");

/// The most bytes of a letter in UTF-8, of those in the alphabets of languages.
const LONGEST_LETTER: usize = 3;

/// The most bytes of a word.
const MOST_BYTES: usize = *LENGTHS.end() * LONGEST_LETTER;

/// The character for a word that has nothing in common with the word before.
const NOTHING: u8 = b'0';

static TABLE: LazyLock<Table> = LazyLock::new(Table::new);

/// The words of all languages by their hashes. Words are not kept: two of them with 48 equal bits are as good as
/// impossible.
struct Table {
    /// Hash, language and cost of a word, or 0. A word is in the first free slot from that of its hash on. The number
    /// of slots is a power of two, and half of them stay free.
    slots: Vec<u64>,
}

impl Table {
    const SLOTS: usize = 1 << 17;
    const LANGUAGE_AND_COST: u32 = 16;

    fn new() -> Self {
        let mut table = Table {
            slots: vec![0; Self::SLOTS],
        };
        for line in DATA.text().lines() {
            let mut fields = line.split('\t');
            let mut field = || fields.next().unwrap_or_default();
            let language = Language::number(field()).expect("a language of ours");
            let cost: u64 = field().parse().expect("a cost");
            let usage = (language as u64) << 8 | cost;
            each_hash(field(), |hash| table.insert(hash, usage));
        }
        table
    }

    fn insert(&mut self, hash: u64, usage: u64) {
        let mut at = hash as usize % Self::SLOTS;
        while self.slots[at] != 0 {
            at = (at + 1) % Self::SLOTS;
        }
        self.slots[at] = hash >> Self::LANGUAGE_AND_COST << Self::LANGUAGE_AND_COST | usage;
    }

    /// The language and the cost of each usage of a word.
    fn usages(&self, hash: u64) -> impl Iterator<Item = (usize, Cost)> {
        let from = hash as usize % Self::SLOTS;
        let slots = (0..Self::SLOTS).map(move |at| self.slots[(from + at) % Self::SLOTS]);
        let slots = slots.take_while(|slot| *slot != 0);
        let own = slots.filter(move |slot| (slot ^ hash) >> Self::LANGUAGE_AND_COST == 0);
        own.map(|slot| ((slot >> 8 & 0xFF) as usize, (slot & 0xFF) as Cost))
    }
}

/// Calls `with` for the hash of each word of a line. The hash of each beginning of a word is kept for the next words.
fn each_hash(packed: &str, mut with: impl FnMut(u64)) {
    let (mut hashes, mut len) = ([SEED; MOST_BYTES + 1], 0);
    for byte in packed.bytes() {
        if byte.is_ascii_lowercase() || !byte.is_ascii() {
            hashes[len + 1] = with_byte(hashes[len], byte);
            len += 1;
            continue;
        }
        if len > 0 {
            with(mixed(hashes[len]));
        }
        len = usize::from(byte - NOTHING);
    }
    with(mixed(hashes[len]));
}

/// FNV-1a.
fn with_byte(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
}

const SEED: u64 = 0xCBF2_9CE4_8422_2325;

/// The low bits of the hash choose its slot.
fn mixed(hash: u64) -> u64 {
    hash ^ hash >> 32
}

fn hash(word: &[u8]) -> u64 {
    let hash = word.iter().fold(SEED, |hash, byte| with_byte(hash, *byte));
    mixed(hash)
}

/// The languages of a usual word.
#[derive(Clone, Copy)]
pub(crate) struct Usage(Option<u64>);

impl Usage {
    /// The languages of a word, capitals apart; none for abbreviations, and if letters and other characters are mixed,
    /// or capitals and small letters.
    pub(crate) fn of(symbols: &[Symbol]) -> Self {
        let hash = Self::letters(symbols);
        Usage(hash.filter(|hash| TABLE.usages(*hash).next().is_some()))
    }

    /// True if the word is usual in a language.
    pub(crate) fn is_of_any_language(self) -> bool {
        self.0.is_some()
    }

    /// The hash of the letters of a word.
    fn letters(symbols: &[Symbol]) -> Option<u64> {
        if !LENGTHS.contains(&symbols.len()) || !is_word(symbols) {
            return None;
        }
        let (mut word, mut len) = ([0; MOST_BYTES], 0);
        for symbol in symbols {
            len += symbol.letter()?.encode_utf8(&mut word[len..]).len();
        }
        Some(hash(&word[..len]))
    }

    /// The cost of a word in the language of a number: by its frequency if the word is usual there, or by its letters.
    pub(crate) fn cost_of_word(self, language: usize, symbols: &[Symbol]) -> Cost {
        let by_letters = LANGUAGES[language].cost(symbols);
        let usual = self.cost(language);
        let usual = usual.map(|cost| cost + cost_of_capitals(symbols));
        usual.map_or(by_letters, |cost| by_letters.min(cost))
    }

    /// The cost of the word in the language of a number, by its frequency; `None` if the word is not usual there.
    pub(crate) fn cost(self, language: usize) -> Option<Cost> {
        let mut usages = TABLE.usages(self.0?);
        usages.find_map(|(own, cost)| (own == language).then_some(cost))
    }
}

fn is_word(symbols: &[Symbol]) -> bool {
    is_in_case(symbols) && !may_be_abbreviation(symbols)
}

/// True for a word of one letter or two that is frequent in a language.
pub(crate) fn is_frequent(language: usize, symbols: &[Symbol]) -> bool {
    static WORDS: LazyLock<HashSet<(&str, &str)>> = LazyLock::new(|| {
        let lines = SHORT_WORDS.lines().filter_map(|line| line.split_once('\t'));
        let words = lines.flat_map(|(lang, words)| words.split(' ').map(move |word| (lang, word)));
        words.collect()
    });
    let letters = symbols.iter().map(|symbol| symbol.letter());
    let word: Option<String> = letters.collect();
    let lang = &LANGUAGES[language].lang;
    word.is_some_and(|word| is_word(symbols) && WORDS.contains(&(lang, word.as_str())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::LANGUAGES;

    fn usage(word: &str) -> Usage {
        let symbols: Vec<Symbol> = word.chars().map(Symbol::of_char).collect();
        Usage::of(&symbols)
    }

    /// The words of a line.
    fn unpacked(packed: &str) -> Vec<String> {
        let mut words = Vec::<String>::new();
        let mut rest = packed;
        while let Some(common) = rest.bytes().next() {
            let own = &rest[1..];
            let is_mark = |ch: char| ch.is_ascii() && !ch.is_ascii_lowercase();
            let len = own.find(is_mark).unwrap_or(own.len());
            let before = words.last().map_or("", String::as_str);
            words.push(before[..usize::from(common - NOTHING)].to_owned() + &own[..len]);
            rest = &own[len..];
        }
        words
    }

    #[test]
    fn each_word_is_found() {
        for line in DATA.text().lines() {
            let [lang, cost, packed] = line.split('\t').collect::<Vec<_>>()[..] else {
                panic!("three fields: {line}");
            };
            let language = Language::number(lang).expect("a language");
            let mut hashes = Vec::new();
            each_hash(packed, |hash| hashes.push(hash));
            let words = unpacked(packed);
            assert_eq!(words.len(), hashes.len(), "{lang} {cost}");
            for (word, own) in words.iter().zip(hashes) {
                assert_eq!(hash(word.as_bytes()), own, "{word}");
                let found = usage(word).cost(language);
                assert_eq!(found, cost.parse().ok(), "{lang}: {word}");
            }
        }
        let full = TABLE.slots.iter().filter(|slot| **slot != 0).count();
        assert!(full < Table::SLOTS / 2, "{full}");
    }

    #[test]
    fn a_word_has_the_languages_of_its_texts() {
        let langs = |word: &str| {
            let usage = usage(word);
            let all = LANGUAGES.iter().enumerate();
            let langs = all.filter(|(number, _)| usage.cost(*number).is_some());
            langs.map(|(_, language)| language.lang).collect::<Vec<_>>()
        };
        for word in ["naïve", "Naïve", "NAÏVE"] {
            assert!(langs(word).contains(&"en"), "{word}: {:?}", langs(word));
        }
        assert!(langs("über").contains(&"de"));
        for word in ["naÏve", "cafe", "ö", "zzß", "l’été", "ÉTÉ"] {
            assert!(langs(word).is_empty(), "{word}: {:?}", langs(word));
        }
    }
}
