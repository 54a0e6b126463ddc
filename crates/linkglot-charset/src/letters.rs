//! A second opinion on charsets of alphabets, some of which the detector does not know: in which of
//! them the letters are those of a language, next to letters that they stand next to there.

use crate::charset::Charset;
use crate::letter_pairs::LANGUAGES;
use std::sync::{LazyLock, OnceLock};

/// An alphabet of at most 57 letters.
pub(crate) struct Language {
    pub lang: &'static str,
    pub alphabet: &'static str,
    /// For each letter, and behind the last one for the begin of a word: how frequently each letter
    /// follows, in two bits from 0 for hardly ever to 3. The last two bits are the end of a word.
    pub follows: &'static [u128],
}

/// A charset of alphabets, and the languages that were written in it.
struct Candidate {
    name: &'static str,
    langs: &'static [&'static str],
}

const CYRILLIC: &[&str] = &["ru", "uk", "bg", "be", "sr", "mk"];
const CENTRAL: &[&str] = &["cs", "pl", "hu", "sk", "ro", "hr", "sl", "de", "sq"];
const WESTERN: &[&str] = &[
    "fr", "de", "es", "it", "pt", "sv", "da", "fi", "en", "nl", "nb", "is", "ca", "sq", "gl", "af",
    "ga", "cy", "br",
];
const WESTERN_AND_ESTONIAN: &[&str] = &[
    "fr", "de", "es", "it", "pt", "sv", "da", "fi", "en", "nl", "nb", "is", "ca", "sq", "gl", "af",
    "ga", "cy", "br", "et",
];
const BALTIC: &[&str] = &["lt", "lv", "et"];
const TURKISH: &[&str] = &["tr"];
const GREEK: &[&str] = &["el"];
const HEBREW: &[&str] = &["he"];
const ARABIC: &[&str] = &["ar", "fa"];

/// The charsets that text may be in, the more frequent ones first.
const CANDIDATES: [Candidate; 30] = [
    candidate("windows-1252", WESTERN_AND_ESTONIAN),
    candidate("windows-1251", CYRILLIC),
    candidate("windows-1250", CENTRAL),
    candidate("windows-1253", GREEK),
    candidate("windows-1254", TURKISH),
    candidate("windows-1255", HEBREW),
    candidate("windows-1256", ARABIC),
    candidate("windows-1257", BALTIC),
    candidate("KOI8-U", CYRILLIC),
    candidate("ISO-8859-2", CENTRAL),
    candidate("ISO-8859-5", CYRILLIC),
    candidate("ISO-8859-7", GREEK),
    candidate("IBM866", CYRILLIC),
    candidate("IBM850", WESTERN),
    candidate("IBM852", CENTRAL),
    candidate("macintosh", WESTERN),
    candidate("IBM855", CYRILLIC),
    candidate("x-mac-cyrillic", CYRILLIC),
    candidate("x-mac-ce", CENTRAL),
    candidate("ISO-8859-15", WESTERN_AND_ESTONIAN),
    candidate("ISO-8859-13", &["lt", "lv", "et", "pl", "hr"]),
    candidate("ISO-8859-4", BALTIC),
    candidate("ISO-8859-6", ARABIC),
    candidate("ISO-8859-16", &["ro", "pl", "hu", "hr", "sl"]),
    candidate("IBM737", GREEK),
    candidate("IBM775", BALTIC),
    candidate("IBM857", TURKISH),
    candidate("IBM862", HEBREW),
    candidate("ISO-8859-3", &["eo", "tr"]),
    candidate("ISO-8859-10", &["lt", "lv", "et", "is"]),
];

const fn candidate(name: &'static str, langs: &'static [&'static str]) -> Candidate {
    Candidate { name, langs }
}

/// What a character is in a language: the place of a letter in its alphabet, or one of these.
type Place = u8;

/// ASCII that is no letter.
const NO_LETTER: Place = 63;

/// A letter of another alphabet, or a character that no text has.
const FOREIGN: Place = 62;

/// A Latin letter in another alphabet: words do not mix the scripts.
const LATIN: Place = 61;

/// A mark that stands in front of words, behind them, apart from them, inside of them, or anywhere.
const OPENING: Place = 60;
const CLOSING: Place = 59;
const APART: Place = 58;
const APOSTROPHE: Place = 57;
const MARK: Place = 64;

/// The number of pairs that are judged.
const MOST: usize = 256;

/// How improbable a pair is that no text has, in bits.
const NEVER: u32 = 15;

/// How improbable pairs of each level are, in bits.
const BITS: [u32; 4] = [UNSEEN, 9, 6, 3];
const UNSEEN: u32 = 12;

/// How improbable each pair is in a charset of ideographs that make no sense.
const DOUBTFUL: u32 = 10;

/// Fewer pairs are compared in all charsets.
const FEW: usize = 128;

/// How many bits more probable another charset must be than the detector's answer: more if it is
/// one that the detector knows and could have named, or a rare one.
fn margin(name: &str) -> u32 {
    match name {
        "IBM850" | "IBM852" | "macintosh" => 4,
        "IBM866" => 12,
        _ if name.starts_with("IBM") || name.starts_with("x-mac") => 8,
        _ => 12,
    }
}

/// The charset of a sample that was taken for `found`: another one, if its letters are far more
/// probable.
///
/// Cost: [`MOST`] pairs for each language of the charset; in a short sample or in doubt, for each
/// charset.
pub(crate) fn second_opinion(sample: &[u8], found: Charset) -> Charset {
    let mut tables = CANDIDATES.iter().zip(&TABLES);
    let table = tables.find(|(candidate, _)| candidate.name == found.name());
    let pairs = neighbours(sample);
    let bits = match table {
        Some((candidate, table)) => {
            let table = table.get_or_init(|| Table::new(candidate));
            let (bits, language) = table.best(&pairs, u32::MAX);
            if language.is_some_and(|language| table.is_convincing(&pairs, language)) {
                return found;
            }
            bits
        }
        None if has_lone_ideographs(sample, found) => DOUBTFUL * pairs.len() as u32,
        None => return found,
    };
    let mut best = (bits, found);
    for (candidate, table) in CANDIDATES.iter().zip(&TABLES) {
        let table = table.get_or_init(|| Table::new(candidate));
        let margin = margin(candidate.name);
        let (bits, language) = table.best(&pairs, best.0.saturating_sub(margin));
        if language.is_some() {
            best = (bits + margin, table.charset);
        }
    }
    best.1
}

/// Whether most ideographs stand alone among Latin letters, as letters with accents do.
fn has_lone_ideographs(sample: &[u8], charset: Charset) -> bool {
    let (mut ideographs, mut lone) = (0, 0);
    let mut at = 0;
    while at < sample.len() {
        let len = charset.letter(&sample[at..]).map_or(1, |(_, len)| len);
        let around =
            [at.wrapping_sub(1), at + len].map(|at| sample.get(at).copied().unwrap_or(b' '));
        ideographs += usize::from(!sample[at].is_ascii());
        let is_lone = !sample[at].is_ascii() && around.is_ascii();
        let letters = [
            around[0],
            around[1],
            sample[(at + len - 1).min(sample.len() - 1)],
        ];
        lone += usize::from(is_lone && letters.iter().any(u8::is_ascii_alphabetic));
        at += len;
    }
    lone * 2 > ideographs
}

/// The pairs of bytes of which one at least is not ASCII, and the pairs of ASCII letters next to
/// them: these tell the languages apart.
fn neighbours(sample: &[u8]) -> Vec<[u8; 2]> {
    let byte = |at: usize| sample.get(at.wrapping_sub(1)).copied().unwrap_or(b' ');
    let is_near = |at: &usize| {
        let pair = [byte(*at), byte(at + 1)];
        let is_context = || {
            let around = [byte(at.saturating_sub(1)), byte(at + 2)];
            !around.is_ascii() && pair.iter().all(u8::is_ascii_alphabetic)
        };
        !pair.is_ascii() || is_context()
    };
    let pairs = (0..=sample.len()).filter(is_near);
    pairs
        .map(|at| [byte(at), byte(at + 1)])
        .take(MOST)
        .collect()
}

static TABLES: [OnceLock<Table>; CANDIDATES.len()] = [const { OnceLock::new() }; CANDIDATES.len()];

/// A candidate, prepared so that a pair of bytes costs four look-ups for each language.
struct Table {
    charset: Charset,
    languages: Vec<LanguageOfTable>,
    symbols: [Symbol; 256],
}

/// A language, and the place of each of [`ALPHABETS`]' letters in it.
type LanguageOfTable = (&'static Language, &'static [Place]);

/// What a byte means: a letter of [`ALPHABETS`], which may be a capital.
#[derive(Clone, Copy)]
struct Symbol {
    letter: u16,
    is_capital: bool,
}

/// The letters of all languages and the marks, and the place of each in every language.
struct Alphabets {
    letters: Vec<char>,
    places: Vec<Vec<Place>>,
}

static ALPHABETS: LazyLock<Alphabets> = LazyLock::new(Alphabets::new);

impl Alphabets {
    fn new() -> Self {
        let alphabets = LANGUAGES.iter().map(|language| language.alphabet);
        let letters = alphabets.chain([MARKS, LATIN_LETTERS, "\0"]);
        let mut letters: Vec<char> = letters.flat_map(str::chars).collect();
        letters.sort_unstable();
        letters.dedup();
        let others = letters
            .iter()
            .map(|&ch| place_of_other(ch))
            .collect::<Vec<_>>();
        let places_of = |language: &Language| {
            let mut places = others.clone();
            for (place, ch) in language.alphabet.chars().enumerate() {
                let at = letters.binary_search(&ch);
                places[at.expect("a letter of an alphabet")] = place as Place;
            }
            places
        };
        let places = LANGUAGES.iter().map(places_of).collect();
        Alphabets { letters, places }
    }

    /// The number of a small letter or a mark.
    fn number(&self, ch: char) -> Option<u16> {
        let ch = match ch {
            '─'..='▟' => '─',
            _ => ch,
        };
        self.letters
            .binary_search(&ch)
            .ok()
            .map(|number| number as u16)
    }
}

const LATIN_LETTERS: &str = "abcdefghijklmnopqrstuvwxyz";

/// The marks of [`place_of_other`], and one for all ASCII that is no letter.
const MARKS: &str = " \u{A0}–—“’«„‘‚•§©№¿¡£»”…™®°،؟؛·†‡€─";

impl Table {
    fn new(candidate: &Candidate) -> Self {
        let charset = Charset::named(candidate.name).expect("a charset of ours");
        let alphabets = &*ALPHABETS;
        let foreign = alphabets.number('\0').unwrap_or(0);
        let symbol = |byte: usize| {
            let byte = byte as u8;
            let ch = match charset.letter(&[byte]) {
                Some((ch, _)) => ch,
                None if byte.is_ascii_alphabetic() => char::from(byte),
                None if byte.is_ascii() => ' ',
                None => '\0',
            };
            let lower = ch.to_lowercase().next().unwrap_or(ch);
            Symbol {
                letter: alphabets.number(lower).unwrap_or(foreign),
                is_capital: lower != ch,
            }
        };
        let languages = LANGUAGES.iter().zip(&alphabets.places);
        let languages = languages.filter(|(language, _)| candidate.langs.contains(&language.lang));
        Table {
            charset,
            languages: languages
                .map(|(language, places)| (language, &places[..]))
                .collect(),
            symbols: std::array::from_fn(symbol),
        }
    }

    /// How improbable the pairs are in the language that they are most probable in; no language if
    /// they are not below `most` bits in any.
    fn best(&self, pairs: &[[u8; 2]], most: u32) -> (u32, Option<&LanguageOfTable>) {
        self.languages.iter().fold((most, None), |least, language| {
            let mut bits = 0;
            for pair in pairs {
                bits += self.bits_of_pair(*pair, language);
                if bits >= least.0 {
                    return least;
                }
            }
            (bits, Some(language))
        })
    }

    /// Whether hardly any pair is one that no text has, among so many that this is no chance.
    fn is_convincing(&self, pairs: &[[u8; 2]], language: &LanguageOfTable) -> bool {
        let is_fault = |pair: &&[u8; 2]| self.bits_of_pair(**pair, language) >= UNSEEN;
        let faults = pairs.iter().filter(is_fault).count();
        pairs.len() >= FEW && faults * 64 < pairs.len()
    }

    fn bits_of_pair(&self, pair: [u8; 2], (language, places): &LanguageOfTable) -> u32 {
        let [first, second] = pair.map(|byte| self.symbols[usize::from(byte)]);
        let is_line = pair[0] == pair[1];
        let pair = [first, second].map(|symbol| places[usize::from(symbol.letter)]);
        if is_line && pair[0] == APART {
            return 2;
        }
        let is_letter = pair.map(is_letter);
        let bits = language.bits(pair);
        match (first.is_capital, second.is_capital, is_letter) {
            (false, true, [true, true]) => NEVER,
            (true, true, [true, true]) => bits + 3,
            _ => bits,
        }
    }
}

fn is_letter(place: Place) -> bool {
    place < APOSTROPHE || place == LATIN
}

impl Language {
    /// How improbable two characters next to each other are, of which one is not ASCII.
    fn bits(&self, [first, second]: [Place; 2]) -> u32 {
        let level = |first: Place, second: u8| {
            let row = self.follows[usize::from(first)];
            BITS[(row >> (2 * second) & 3) as usize]
        };
        let begin = self.follows.len() as Place - 1;
        match ([first, second], [first, second].map(is_letter)) {
            ([FOREIGN, _] | [_, FOREIGN], _) => NEVER,
            ([APART | CLOSING, _], [_, true]) | ([_, APART | OPENING], [true, _]) => NEVER,
            ([LATIN, LATIN], _) => 5,
            ([LATIN, _], [_, true]) | ([_, LATIN], [true, _]) => NEVER,
            (_, [true, true]) => level(first, second),
            ([APOSTROPHE, _], [_, true]) => 5,
            ([_, APOSTROPHE], [true, _]) => 6,
            ([LATIN, _] | [_, LATIN], _) => 9,
            ([_, NO_LETTER], [true, false]) => level(first, 63),
            (_, [true, false]) => level(first, 63) / 2 + 9,
            ([NO_LETTER, _], [false, true]) => level(begin, second),
            (_, [false, true]) => level(begin, second) + 2,
            ([_, NO_LETTER], _) => 2,
            _ => 8,
        }
    }
}

/// On which side of words a character stands that is no letter of an alphabet.
fn place_of_other(ch: char) -> Place {
    match ch {
        'a'..='z' => LATIN,
        ' ' => NO_LETTER,
        // Guillemets point to either side.
        '\u{A0}' | '–' | '—' | '“' | '«' | '»' => MARK,
        '’' => APOSTROPHE,
        '„' | '‘' | '‚' | '¿' | '¡' => OPENING,
        '”' | '…' | '™' | '®' | '°' | '،' | '؟' | '؛' => CLOSING,
        '•' | '§' | '©' | '№' | '£' | '·' | '†' | '‡' | '€' | '─' => APART,
        _ => FOREIGN,
    }
}
