//! Languages: the probability of words in each, by the letters that follow each other.
//!
//! The data are made by `language_model.py`. Costs are negative logarithms of probabilities in half
//! bits: 2 is one chance in two.

use crate::evidence::Run;
use crate::files::{File, file};
use std::sync::LazyLock;

/// A negative logarithm of a probability, in half bits.
pub(crate) type Cost = u32;

/// Cost of a letter that the language does not have.
const FOREIGN: Cost = 28;

/// Cost of a byte that is no character, or a control character.
const INVALID: Cost = 80;

/// Cost of a byte whose charset is unknown: all characters are equally probable.
const UNKNOWN: Cost = 14;

/// Cost of two scripts in a word.
const MIXED: Cost = 60;

/// Cost of a Latin letter in a language of another script.
const LATIN: Cost = 9;

/// Cost of a mark on the wrong side of a word.
const MISPLACED: Cost = 20;

/// Cost of a mark in a link.
const MARK_IN_LINK: Cost = 24;

/// Cost of a word of one letter, and of a word next to a digit.
const LONE_LETTER: Cost = 12;
const LETTER_AND_DIGIT: Cost = 12;

/// Cost of a word whose letters follow no rule of the language: a name, an abbreviation.
const NAME: Cost = 10;

/// Extra cost of a Latin letter in a name, if the language does not have the letter.
const FOREIGN_IN_NAME: Cost = 8;

/// The most letters of an abbreviation in capitals, and its extra cost.
const MOST_CAPITALS: usize = 4;
const ABBREVIATION: Cost = 6;

/// The last Latin letter of an alphabet.
const LAST_LATIN: char = '\u{24F}';

/// Cost of a line that continues another one.
const LINE: Cost = 14;

/// Cost of a capital behind a small letter, and of each capital behind another.
const INNER_CAPITAL: Cost = 36;
const NEXT_CAPITAL: Cost = 4;

/// Cost of a small letter behind two capitals: there are few words such as `PCs`.
const AFTER_CAPITALS: Cost = 16;

/// A language that is written with an alphabet.
pub(crate) struct Language {
    pub lang: &'static str,
    /// Top-level domains of its countries.
    pub tlds: Vec<&'static str>,
    /// Percentage of sites.
    pub share: u32,
    alphabet: Vec<char>,
    /// Cost of a letter if all letters were equally probable.
    letter: Cost,
    /// For each of [`Letters`], its place in the alphabet, or the place of a class of other letters.
    places: Vec<Place>,
    /// Costs of pairs: a row for each letter and for the start of a word. The last cost of a row is that of the end.
    pairs: Vec<u8>,
    /// The third letters that do not cost the same as their pairs, and their costs, sorted by the first two.
    triples: Vec<(Place, u8)>,
    /// For each first two letters, the first of [`triples`](Self::triples).
    begins: Vec<u16>,
}

/// The place of a letter in an alphabet, or one of the classes below.
type Place = u8;
/// A letter of another script.
const OTHER_SCRIPT: Place = 253;
const NO_LETTER_OF_IT: Place = 254;
const LATIN_LETTER: Place = 255;

/// A byte as a charset reads it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Symbol {
    /// The number of a small letter, and true for a capital.
    Letter(u16, bool),
    Mark(Mark),
    Invalid,
    /// A byte of an unknown charset.
    Unknown,
    /// ASCII that is no letter, or an end of the text.
    Edge,
}

/// A character that is no letter.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mark {
    side: Side,
    cost: u8,
    /// The cost between two letters.
    inner: u8,
    ch: char,
}

/// The side of words that a mark stands on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Before,
    Behind,
    Apart,
    Any,
}

/// Numbers of the letters of all languages.
struct Letters(Vec<char>);

static LETTERS: LazyLock<Letters> = LazyLock::new(|| {
    let alphabets = rows().map(|row| row[3]);
    let mut letters: Vec<char> = alphabets.flat_map(str::chars).collect();
    letters.sort_unstable();
    letters.dedup();
    Letters(letters)
});

/// All languages that are written with an alphabet.
pub(crate) static LANGUAGES: LazyLock<Vec<Language>> =
    LazyLock::new(|| rows().map(Language::of_row).collect());

/// The character for a cost of zero; each next character stands for a half bit more.
const ZERO: u8 = b'0';

static DATA: File = file!("data/languages.tsv");

fn rows() -> impl Iterator<Item = [&'static str; 6]> {
    DATA.text().lines().map(|line| {
        let mut fields = line.split('\t');
        std::array::from_fn(|_| fields.next().unwrap_or_default())
    })
}

impl Letters {
    fn number(&self, ch: char) -> Option<u16> {
        self.0.binary_search(&ch).ok().map(|at| at as u16)
    }
}

impl Language {
    fn of_row([lang, tlds, share, alphabet, pairs, triples]: [&'static str; 6]) -> Self {
        let alphabet: Vec<char> = alphabet.chars().collect();
        let place = |ch: &char| match alphabet.iter().position(|letter| letter == ch) {
            Some(place) => place as Place,
            None if ch.is_ascii() => LATIN_LETTER,
            None if is_latin(*ch) != alphabet.first().is_some_and(|first| is_latin(*first)) => {
                OTHER_SCRIPT
            }
            None => NO_LETTER_OF_IT,
        };
        let places = LETTERS.0.iter().map(place).collect();
        let pairs = pairs
            .bytes()
            .filter(|byte| *byte != b' ')
            .map(|byte| byte - ZERO)
            .collect();
        let (triples, begins) = triples_of(&alphabet, triples);
        Language {
            lang,
            tlds: tlds.split(' ').collect(),
            share: share.parse().unwrap_or(1),
            places,
            pairs,
            triples,
            begins,
            letter: (2.0 * (alphabet.len() as f64).log2()).round() as Cost,
            alphabet,
        }
    }

    /// The language of a name.
    pub(crate) fn number(lang: &str) -> Option<usize> {
        LANGUAGES.iter().position(|language| language.lang == lang)
    }

    /// True if the language is written with Latin letters.
    pub(crate) fn is_latin(&self) -> bool {
        self.alphabet.first() == Some(&'a')
    }

    /// The cost of a run of letters and marks, its edges included.
    pub(crate) fn cost(&self, run: &[Symbol]) -> Cost {
        let (mut before, mut prev, mut cost) = (Symbol::Edge, Symbol::Edge, 0);
        for &next in run.iter().chain(&[Symbol::Edge]) {
            cost += self.step(before, prev, next);
            (before, prev) = (prev, next);
        }
        cost - cost_of_more_capitals(run)
    }

    /// The cost of letters that are an abbreviation or a name, and follow no rule of the language.
    pub(crate) fn cost_of_name(&self, run: &[Symbol]) -> Option<Cost> {
        let letters = run.iter().map(|symbol| self.cost_in_name(*symbol));
        let letters = letters.sum::<Option<Cost>>()?;
        let name = match run.iter().all(is_capital) {
            true if run.len() <= MOST_CAPITALS => ABBREVIATION,
            true => NAME + NEXT_CAPITAL * MOST_CAPITALS as Cost,
            false => NAME,
        };
        is_in_case(run).then_some(name + letters)
    }

    fn cost_in_name(&self, symbol: Symbol) -> Option<Cost> {
        let Symbol::Letter(letter, _) = symbol else {
            return None;
        };
        let is_latin = LETTERS.0[usize::from(letter)] <= LAST_LATIN;
        match self.places[usize::from(letter)] {
            LATIN_LETTER => None,
            NO_LETTER_OF_IT if self.is_latin() && is_latin => Some(self.letter + FOREIGN_IN_NAME),
            NO_LETTER_OF_IT | OTHER_SCRIPT => None,
            _ => Some(self.letter),
        }
    }

    /// The cost of a foreign word of one letter: languages have few of them, and a page that has more is in the
    /// language.
    pub(crate) fn cost_of_lone_letter(symbols: &[Symbol]) -> Cost {
        let letters = symbols.iter().filter(|symbol| symbol.is_letter()).count();
        LONE_LETTER * Cost::from(letters == 1)
    }

    /// The cost of a run for its context: marks are rare in words and in links, letters next to digits.
    pub(crate) fn cost_of_context(symbols: &[Symbol], run: &Run<'_>) -> Cost {
        let inner = symbols.windows(3).map(|three| match three {
            [Symbol::Letter(..), Symbol::Mark(mark), Symbol::Letter(..)] => Cost::from(mark.inner),
            _ => 0,
        });
        let marks = symbols
            .iter()
            .filter(|symbol| matches!(symbol, Symbol::Mark(_)))
            .count() as Cost;
        let touches_digit = run.touches_digit && symbols.iter().any(|symbol| symbol.is_letter());
        inner.sum::<Cost>()
            + MARK_IN_LINK * marks * Cost::from(run.is_in_link)
            + LETTER_AND_DIGIT * Cost::from(touches_digit)
    }

    fn step(&self, before: Symbol, prev: Symbol, next: Symbol) -> Cost {
        match (prev, next) {
            (Symbol::Letter(first, first_capital), Symbol::Letter(second, second_capital)) => {
                let capital = match (first_capital, second_capital) {
                    (false, true) => INNER_CAPITAL,
                    (true, true) => NEXT_CAPITAL,
                    (true, false) if is_capital(&before) => AFTER_CAPITALS,
                    _ => 0,
                };
                capital
                    + self.pair(
                        before,
                        self.places[usize::from(first)],
                        self.places[usize::from(second)],
                    )
            }
            (Symbol::Letter(letter, _), Symbol::Mark(mark)) => {
                let is_misplaced = matches!(mark.side, Side::Before | Side::Apart);
                self.end(before, letter)
                    + Cost::from(mark.cost)
                    + MISPLACED * Cost::from(is_misplaced)
            }
            (Symbol::Mark(mark), Symbol::Letter(letter, _)) => {
                let is_misplaced = matches!(mark.side, Side::Behind | Side::Apart);
                self.begin(letter) + MISPLACED * Cost::from(is_misplaced)
            }
            (Symbol::Mark(first), Symbol::Mark(second))
                if first == second && first.side == Side::Apart =>
            {
                1
            }
            (Symbol::Mark(first), Symbol::Mark(second)) if first.is_line() && second.is_line() => {
                LINE
            }
            (_, Symbol::Mark(mark)) => Cost::from(mark.cost),
            (_, Symbol::Unknown) => UNKNOWN,
            (Symbol::Unknown, Symbol::Letter(..)) => LATIN,
            (_, Symbol::Letter(letter, _)) => self.begin(letter),
            (Symbol::Letter(letter, _), _) => self.end(before, letter) + Self::invalid(next),
            _ => Self::invalid(next),
        }
    }

    fn invalid(symbol: Symbol) -> Cost {
        if matches!(symbol, Symbol::Invalid) {
            INVALID
        } else {
            0
        }
    }

    fn begin(&self, letter: u16) -> Cost {
        match self.places[usize::from(letter)] {
            NO_LETTER_OF_IT | OTHER_SCRIPT => FOREIGN,
            LATIN_LETTER => LATIN,
            place => self.cost_of_pair(self.edge(), place),
        }
    }

    fn end(&self, before: Symbol, letter: u16) -> Cost {
        match self.places[usize::from(letter)] {
            NO_LETTER_OF_IT | OTHER_SCRIPT | LATIN_LETTER => LATIN,
            place => self.cost_of_triple(before, place, self.edge()),
        }
    }

    fn pair(&self, before: Symbol, first: Place, second: Place) -> Cost {
        match (first, second) {
            (OTHER_SCRIPT, OTHER_SCRIPT) => FOREIGN,
            (OTHER_SCRIPT, _) | (_, OTHER_SCRIPT) => MIXED,
            (_, NO_LETTER_OF_IT) => FOREIGN,
            (LATIN_LETTER, LATIN_LETTER) => LATIN,
            (LATIN_LETTER, _) | (_, LATIN_LETTER) => MIXED,
            (NO_LETTER_OF_IT, second) => self.cost_of_pair(self.edge(), second),
            (first, second) => self.cost_of_triple(before, first, second),
        }
    }

    /// The place of the begin and the end of words.
    fn edge(&self) -> Place {
        self.alphabet.len() as Place
    }

    fn cost_of_triple(&self, before: Symbol, first: Place, second: Place) -> Cost {
        let before = match before {
            Symbol::Letter(letter, _) => self.places[usize::from(letter)].min(self.edge()),
            _ => self.edge(),
        };
        let at = self.at(before, first);
        let triples = &self.triples[usize::from(self.begins[at])..usize::from(self.begins[at + 1])];
        let known = triples.iter().find(|(third, _)| *third == second);
        known.map_or_else(
            || self.cost_of_pair(first, second),
            |(_, cost)| Cost::from(*cost),
        )
    }

    fn cost_of_pair(&self, first: Place, second: Place) -> Cost {
        Cost::from(self.pairs[self.at(first, second)])
    }

    fn at(&self, first: Place, second: Place) -> usize {
        usize::from(first) * (self.alphabet.len() + 1) + usize::from(second)
    }
}

/// The cost of capitals in a word that has no others, beyond those of an abbreviation: in small letters the word is as
/// probable.
fn cost_of_more_capitals(run: &[Symbol]) -> Cost {
    if run.iter().all(is_capital) {
        NEXT_CAPITAL * run.len().saturating_sub(MOST_CAPITALS) as Cost
    } else {
        0
    }
}

/// The cost of a word in capitals that is no abbreviation.
pub(crate) fn cost_of_capitals(run: &[Symbol]) -> Cost {
    NEXT_CAPITAL * MOST_CAPITALS as Cost * Cost::from(run.iter().all(is_capital))
}

/// True for capitals that may be an abbreviation.
pub(crate) fn may_be_abbreviation(run: &[Symbol]) -> bool {
    run.len() <= MOST_CAPITALS && run.iter().all(is_capital)
}

/// True if all letters are capitals, or none but the first.
pub(crate) fn is_in_case(run: &[Symbol]) -> bool {
    run.iter().all(is_capital) || !run.iter().skip(1).any(is_capital)
}

fn is_capital(symbol: &Symbol) -> bool {
    matches!(symbol, Symbol::Letter(_, true))
}

/// True for Latin letters and the marks that stand over them.
fn is_latin(ch: char) -> bool {
    ch < '\u{370}' || matches!(ch, '\u{1E00}'..='\u{1EFF}')
}

/// The third letters of triples with their costs, and the index at which those of each pair begin.
fn triples_of(alphabet: &[char], triples: &str) -> (Vec<(Place, u8)>, Vec<u16>) {
    let edge = alphabet.len();
    let place = |ch: char| {
        alphabet
            .iter()
            .position(|letter| *letter == ch)
            .unwrap_or(edge)
    };
    let chars: Vec<char> = triples.chars().collect();
    let mut triples: Vec<(usize, Place, u8)> = chars
        .chunks_exact(4)
        .map(|triple| {
            let [first, second, third] = [triple[0], triple[1], triple[2]].map(place);
            (
                first * (edge + 1) + second,
                third as Place,
                triple[3] as u8 - ZERO,
            )
        })
        .collect();
    triples.sort_unstable();
    let mut begins = vec![0_u16; (edge + 1) * (edge + 1) + 1];
    triples.iter().for_each(|(at, ..)| begins[at + 1] += 1);
    (1..begins.len()).for_each(|at| begins[at] += begins[at - 1]);
    let triples = triples.into_iter().map(|(_, third, cost)| (third, cost));
    (triples.collect(), begins)
}

impl Symbol {
    pub(crate) fn is_letter(self) -> bool {
        matches!(self, Symbol::Letter(..))
    }

    /// The letter, as a small one.
    pub(crate) fn letter(self) -> Option<char> {
        match self {
            Symbol::Letter(number, _) => Some(LETTERS.0[usize::from(number)]),
            _ => None,
        }
    }

    /// The symbol of an ASCII byte.
    pub(crate) fn of_ascii(byte: u8) -> Self {
        if byte.is_ascii_alphabetic() {
            Symbol::of_char(char::from(byte))
        } else {
            Symbol::Edge
        }
    }

    pub(crate) fn of_char(ch: char) -> Self {
        let lower = ch.to_lowercase().next().unwrap_or(ch);
        match LETTERS.number(lower) {
            Some(number) => Symbol::Letter(number, lower != ch),
            None if ch.is_control() || ch == char::REPLACEMENT_CHARACTER => Symbol::Invalid,
            None => Symbol::Mark(Mark::of(ch)),
        }
    }
}

impl Mark {
    pub(crate) fn char(self) -> char {
        self.ch
    }

    /// True if lines and boxes are drawn with the mark.
    pub(crate) fn is_line(self) -> bool {
        matches!(self.ch, '─'..='▟')
    }

    fn of(ch: char) -> Self {
        let (side, bits) = match ch {
            '\u{A0}' | '–' | '—' | '’' => (Side::Any, 4),
            '«' | '»' | '“' | '־' | '׳' | '״' | 'ـ' => (Side::Any, 5),
            '”' | '…' | '®' | '™' | '°' => (Side::Behind, 4),
            '‘' | '„' => (Side::Before, 5),
            '©' | '•' | '·' | '£' | '€' | '§' | '½' | '±' | '×' | '№' => {
                (Side::Apart, 4)
            }
            '¿' | '¡' => (Side::Before, 6),
            '²' | '³' | 'º' | 'ª' | '،' | '؟' | '؛' => (Side::Behind, 6),
            '¼' | '¾' | '¢' => (Side::Apart, 5),
            '¹' | '¶' | '†' | '‡' | '¥' => (Side::Apart, 7),
            '´' | '‹' | '›' | '\u{AD}' => (Side::Any, 8),
            '‚' => (Side::Before, 8),
            '\u{5B0}'..='\u{5C2}' => (Side::Any, 7),
            '─'..='▟' => (Side::Apart, 11),
            '¤' => (Side::Apart, 16),
            _ if ch.is_alphabetic() => (Side::Apart, 14),
            _ => (Side::Apart, 10),
        };
        let inner = match ch {
            '’' | '־' | '׳' | '״' | 'ـ' | '\u{5B0}'..='\u{5C2}' => 0,
            '\u{A0}' | '·' => 6,
            '—' => 10,
            _ => 24,
        };
        Mark {
            side,
            cost: 2 * bits,
            inner,
            ch,
        }
    }
}
