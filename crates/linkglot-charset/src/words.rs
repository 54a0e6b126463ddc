//! Usual words: how frequent a word with letters beyond ASCII is in each language.
//!
//! A text has mostly words that are usual, and another charset hardly ever reads one of them as another usual word. The
//! data are made by `usual_words.py`.

use crate::languages::{Cost, Symbol, is_in_case};
use std::ops::RangeInclusive;
use std::sync::LazyLock;

/// Rows of words with the same hash, one a line: words and their [`Usage`], between blanks.
const DATA: &str = include_str!("../data/words.tsv");

/// The number of rows.
const ROWS: usize = 4096;

/// The first byte of each row.
static BEGINS: LazyLock<Vec<u32>> = LazyLock::new(|| {
    let ends = memchr::memchr_iter(b'\n', DATA.as_bytes());
    let begins = std::iter::once(0).chain(ends.map(|end| end as u32 + 1));
    begins.collect()
});

/// The lengths of words in letters. Shorter ones stand for many things.
const LENGTHS: RangeInclusive<usize> = 3..=16;

/// The most bytes of a letter in UTF-8, of those in the alphabets of languages.
const LONGEST_LETTER: usize = 3;

/// The characters for the first language and for a cost of zero.
const FIRST: u8 = 0x21;
const ZERO: u8 = b'0';

/// The languages of a usual word.
#[derive(Clone, Copy)]
pub(crate) struct Usage(&'static [u8]);

impl Usage {
    /// The languages of a word, capitals apart; none if letters and other characters are mixed, or capitals and small
    /// letters.
    pub(crate) fn of(symbols: &[Symbol]) -> Self {
        Self::find(symbols).unwrap_or(Usage(&[]))
    }

    fn find(symbols: &[Symbol]) -> Option<Self> {
        const MOST: usize = *LENGTHS.end() * LONGEST_LETTER;
        if !LENGTHS.contains(&symbols.len()) || !is_in_case(symbols) {
            return None;
        }
        let (mut word, mut len) = ([0; MOST], 0);
        for symbol in symbols {
            len += symbol.letter()?.encode_utf8(&mut word[len..]).len();
        }
        let word = &word[..len];
        let entries = row(hash(word)).split(|byte| *byte == b' ');
        let mut usages = entries.filter_map(|entry| entry.strip_prefix(word)?.strip_prefix(b"\t"));
        usages.next().map(Usage)
    }

    /// The cost of the word in the language of a number, by its frequency; `None` if the word is not usual there.
    pub(crate) fn cost(self, language: usize) -> Option<Cost> {
        let mut pairs = self.0.chunks_exact(2);
        let own = pairs.find(|pair| usize::from(pair[0] - FIRST) == language);
        own.map(|pair| Cost::from(pair[1] - ZERO))
    }
}

/// FNV-1a, folded to the number of a row.
fn hash(word: &[u8]) -> usize {
    let add = |hash: u32, byte: &u8| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193);
    let hash = word.iter().fold(0x811C_9DC5, add);
    (hash ^ hash >> 15) as usize % ROWS
}

fn row(number: usize) -> &'static [u8] {
    let [begin, end] = [number, number + 1].map(|at| BEGINS[at] as usize);
    &DATA.as_bytes()[begin..end - 1]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::LANGUAGES;

    fn usage(word: &str) -> Usage {
        let symbols: Vec<Symbol> = word.chars().map(Symbol::of_char).collect();
        Usage::of(&symbols)
    }

    #[test]
    fn each_word_is_found() {
        assert_eq!(BEGINS.len(), ROWS + 1);
        for (number, row) in DATA.lines().enumerate() {
            for entry in row.split(' ').filter(|entry| !entry.is_empty()) {
                let (word, usages) = entry.split_once('\t').expect("a word and its languages");
                assert_eq!(hash(word.as_bytes()), number, "{word}");
                assert_eq!(usage(word).0, usages.as_bytes(), "{word}");
                let languages = usages.as_bytes().chunks(2).map(|pair| pair[0] - FIRST);
                assert!(languages.max().map(usize::from) < Some(LANGUAGES.len()), "{word}");
            }
        }
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
        for word in ["naÏve", "cafe", "ö", "zzß", "l’été"] {
            assert!(langs(word).is_empty(), "{word}: {:?}", langs(word));
        }
    }
}
