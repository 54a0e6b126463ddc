//! A second opinion on single-byte charsets, some of which the detector does not know: in which of
//! them the letters are those of a language, next to letters that they stand next to there.

use crate::charset::Charset;
use crate::letter_pairs::LANGUAGES;

/// An alphabet of at most 58 letters.
pub(crate) struct Language {
    pub alphabet: &'static str,
    /// For each letter, and behind the last one for the begin of a word: bit `i` is set if letter
    /// `i` follows. Bit 63 is the end of a word.
    pub follows: &'static [u64],
}

/// The place of a byte that is no letter.
const NO_LETTER: u8 = 63;

/// The place of a letter of other alphabets, and of characters that no text has.
const FOREIGN: u8 = 62;

/// The place of a Latin letter in other alphabets: words do not mix the scripts.
const LATIN: u8 = 61;

/// The place of a mark that stands in front of words, of one that stands behind them, and of one
/// that stands apart from them.
const OPENING: u8 = 60;
const CLOSING: u8 = 59;
const APART: u8 = 58;

/// Set in the place of capitals.
const CAPITAL: u8 = 0x40;

/// The number of bytes beyond ASCII that are judged.
const MOST: usize = 256;

/// A charset is doubted from this many faults on.
const DOUBTED: usize = 2;

/// The charsets that text may be in instead, the more frequent ones first.
const CHALLENGERS: [&str; 13] = [
    "windows-1251",
    "KOI8-U",
    "IBM866",
    "ISO-8859-5",
    "IBM855",
    "x-mac-cyrillic",
    "windows-1250",
    "ISO-8859-2",
    "IBM852",
    "x-mac-ce",
    "IBM850",
    "macintosh",
    "ISO-8859-16",
];

/// The answers of the detector that are not taken for granted: charsets of letters with case that
/// are known to it.
fn is_doubtful(charset: Charset) -> bool {
    const DOUBTFUL: [&str; 8] = [
        "windows-1252",
        "windows-1250",
        "windows-1251",
        "windows-1254",
        "ISO-8859-2",
        "ISO-8859-5",
        "KOI8-U",
        "IBM866",
    ];
    DOUBTFUL.contains(&charset.name())
}

/// The charset of a sample that was taken for `found`: another one, if far more letters make sense
/// in it.
///
/// Cost: [`MOST`] bytes for each language, and in doubt for each charset.
pub(crate) fn second_opinion(sample: &[u8], found: Charset) -> Charset {
    if !is_doubtful(found) {
        return found;
    }
    let neighbours = neighbours(sample);
    let faults = faults(found, &neighbours);
    if faults < DOUBTED || faults * 64 < neighbours.len() {
        return found;
    }
    let mut best = (faults, found);
    let challengers = CHALLENGERS.into_iter().filter_map(Charset::named);
    for charset in challengers {
        let faults = self::faults(charset, &neighbours);
        if faults < best.0 {
            best = (faults, charset);
        }
    }
    let is_clear = best.0 * 4 <= faults && best.0 * 8 <= neighbours.len();
    if is_clear { best.1 } else { found }
}

/// The pairs of bytes of which one at least is not ASCII.
fn neighbours(sample: &[u8]) -> Vec<[u8; 2]> {
    let at_begin = sample.first().map(|&first| [b' ', first]);
    let at_end = sample.last().map(|&last| [last, b' ']);
    let inside = sample.windows(2).map(|pair| [pair[0], pair[1]]);
    let pairs = at_begin.into_iter().chain(inside).chain(at_end);
    pairs
        .filter(|pair| !pair.is_ascii())
        .take(2 * MOST)
        .collect()
}

/// How many pairs make no sense in the language that they make most sense in. Languages are tried
/// until one has faults in no more than a sixty-fourth of the pairs.
fn faults(charset: Charset, neighbours: &[[u8; 2]]) -> usize {
    let chars: [char; 256] = std::array::from_fn(|byte| char_of(charset, byte as u8));
    let mut is_used = [false; 256];
    for byte in neighbours.as_flattened() {
        is_used[usize::from(*byte)] = true;
    }
    let enough = neighbours.len() / 64;
    let mut least = usize::MAX;
    for language in &LANGUAGES {
        let place = |byte: usize| {
            if is_used[byte] {
                language.place(chars[byte])
            } else {
                FOREIGN
            }
        };
        let places: [u8; 256] = std::array::from_fn(place);
        let is_fault = |pair: &&[u8; 2]| {
            let places = pair.map(|byte| places[usize::from(byte)]);
            !language.allows(places)
        };
        least = neighbours.iter().filter(is_fault).take(least).count();
        if least <= enough {
            break;
        }
    }
    least
}

fn char_of(charset: Charset, byte: u8) -> char {
    let upper = charset.letter(&[byte]).map(|(ch, _)| ch);
    upper.unwrap_or(char::from(byte & 0x7F))
}

impl Language {
    /// The place of a letter in the alphabet, or what it is instead.
    fn place(&self, ch: char) -> u8 {
        let lower = ch.to_lowercase().next().unwrap_or(ch);
        let place = self.alphabet.chars().position(|letter| letter == lower);
        match place {
            Some(place) if lower == ch => place as u8,
            Some(place) => place as u8 | CAPITAL,
            None if ch.is_ascii_alphabetic() => LATIN,
            None => place_of_mark(ch),
        }
    }

    fn allows(&self, [first, second]: [u8; 2]) -> bool {
        let places = [first, second].map(|place| place & !CAPITAL);
        if places.contains(&FOREIGN) || first & CAPITAL < second & CAPITAL && first != NO_LETTER {
            return false;
        }
        let is_word = places.map(|place| place < APART || place == LATIN);
        match places {
            _ if is_word == [false, false] => true,
            [APART | CLOSING, _] | [_, APART | OPENING] => false,
            [LATIN, second] => !is_word[1] && second != LATIN,
            [first, LATIN] => !is_word[0] && first != LATIN,
            [first, second] => {
                let begin = self.follows.len() - 1;
                let row = if is_word[0] {
                    usize::from(first)
                } else {
                    begin
                };
                let next = if is_word[1] { second } else { NO_LETTER };
                self.follows[row] >> next & 1 == 1
            }
        }
    }
}

/// On which side of words a character stands that is no letter of an alphabet.
fn place_of_mark(ch: char) -> u8 {
    match ch {
        '\0'..='\x7F' | '\u{A0}' | '–' | '—' | '’' | '“' => NO_LETTER,
        '«' | '„' | '‘' | '‚' | '•' | '§' | '©' | '№' => OPENING,
        '»' | '”' | '…' | '™' | '®' | '°' => CLOSING,
        '·' | '†' | '‡' | '€' | '─'..='▟' => APART,
        _ => FOREIGN,
    }
}
