//! The most probable charset of a document, by Bayes' rule, and how much more probable it is than
//! those in which the document would read otherwise.
//!
//! The cost of a charset is its prior cost, and the cost of the text in the best of its languages. Costs are in half
//! bits, so that sums of them are the same everywhere.

use crate::candidates::{CANDIDATES, Candidate};
use crate::certainty::Certainty;
use crate::charset::Charset;
use crate::decoded::{End, Shift};
use crate::evidence::{Evidence, LONGEST_RUN, Run};
use crate::ideographs::{IDEOGRAPHS, Ideographs};
use crate::known_bytes::KnownBytes;
use crate::languages::{Cost, LANGUAGES, Language, Symbol};
use crate::mark_places::Places;
use crate::words::{Usage, is_frequent};
use std::collections::HashSet;
use std::sync::OnceLock;

/// Cost by which every other reading must exceed the best one. Found with half of the words that
/// `detection_cases.py` takes from dictionaries.
const MARGIN: Cost = 22;

/// The most that a text costs less because some words are names.
const NAMES: Cost = 24;

/// Prior cost from which charsets are rare.
const RAREST: Cost = 17;

/// The most that the prior costs of two charsets differ for a reading that may be sure, and if its language is clear.
/// Found with pages of `random_pages.py` (dev).
const MOST_OF_PRIOR: Cost = 13;
const MOST_IF_CLEAR: Cost = 16;

/// The most that they differ for a reading without letters, if another one has marks of the Macintosh that stand where
/// texts have them (`2º` is `2¼`), or letters where this one has a mark behind a word (`chà` in IBM850 is `ch…`). Found
/// with pages of `detection_cases.py` (test2 to test5, test9), tried with others (test11).
const MOST_OF_PRIOR_OF_MARKS: Cost = 8;

/// Number of different letters that tell a language in a rare charset, and the addition to the margin if there are
/// fewer. Found with the same pages.
const FEW_LETTERS: usize = 4;
const FEW_LETTERS_COST: Cost = 6;

/// Number of different ideographs that is no accident. A text with fewer needs a greater margin.
const FEW_IDEOGRAPHS: usize = 4;
const FEWNESS: Cost = 14;

/// Additions to the margin for a text with one word beyond ASCII that is not usual, and with two. Found with all
/// cases of `detection_cases.py`.
const FEW_WORDS: [Cost; 2] = [6, 4];

/// Lesser margin for a text in a frequent charset whose words beyond ASCII are all usual. Found with the usual words of
/// `test` and `test2`, tried with others.
const USUALNESS: Cost = 6;

/// Prior cost of charsets that a usual word is no evidence for: it takes back how much less usual words cost.
const RARE: Cost = 24;
const TAKEN_BACK: Cost = 12;

/// Cost of the words in ASCII in English, above that in their language, which tells that the text is not in English;
/// a lesser margin suffices then. Found with words of both halves (dev and test), tried with others (test2 to test4).
const CLEAR: Cost = 10;
const CLEARNESS: Cost = 2;

/// The most letters of a short word. Found with `test5` and `test9`.
const SHORT: usize = 4;

/// Cost of a word in another language than that of the text.
const FOREIGN_WORD: Cost = 10;

/// Cost of a text in English in a charset that is not for it: a page with a Czech name. Texts in other
/// languages that the charset is not for are rarer.
const FOREIGN_ENGLISH: Cost = 4;
const FOREIGN_TEXT: Cost = 30;

/// Cost of a text in a language that the charset is not for, if the best reading has a word of another language, or a
/// name, too: a text with a Czech name. Found with
/// half of the names of people and places in pages of ten languages.
const FOREIGN_TEXT_WITH_GUEST: Cost = 16;

/// Cost of a word in the language of the text, above that in the language that it fits best, from which the word may be
/// one of that language. Found with the same names, and with words of dictionaries in pages of other languages.
const GUEST: Cost = 4;

/// The most that a word in ASCII can cost a language.
const MOST_OF_WORD: Cost = 12;

/// The most that all words in ASCII can cost a text in another script.
const MOST_OF_WORDS: usize = 16;

/// Cost of a language that is not spoken in the country of the links.
const ABROAD: Cost = 6;

/// Cost of marks beyond ASCII without letters. Most such texts are in English, from the word
/// processors of Windows.
const LACKS_LETTERS: Cost = 8;

/// Cost of a text in another script that has no letter of it.
const LACKS_SCRIPT: Cost = 24;

/// The language that stands for those the model does not know.
const UNKNOWN_LANGUAGE: &str = "mul";

/// Cost of a charset that is not among the candidates.
const UNKNOWN: Cost = 50;

/// Cost of a Latin letter among ideographs, and of the change between them inside of a run.
const LATIN_LETTER: Cost = 12;
const CHANGE: Cost = 16;

/// Cost of a repeated ideograph.
const AGAIN: Cost = 4;

/// The most bytes of a character.
const LONGEST_CHAR: usize = 4;

/// Candidates that cost so much more than the best are not judged further.
const HOPELESS: Cost = 120;

/// The number of runs that are judged before hopeless candidates are dropped.
const STAGE: usize = 16;

/// The charsets for texts in English, on each system.
const WESTERN: [&str; 3] = ["windows-1252", "macintosh", "IBM850"];

static TABLES: [OnceLock<Table>; CANDIDATES.len()] = [const { OnceLock::new() }; CANDIDATES.len()];

/// The most probable charset of a document, and how certain it is.
pub(crate) struct Posterior {
    /// The most probable charset.
    pub charset: Charset,
    /// True if all charsets that read a byte of the document differently are far less probable, and so is a charset
    /// that is not among the candidates.
    is_clear: bool,
    /// The places of the document's marks.
    places: Places,
    /// The bytes that all charsets read alike that are not far less probable: those of the document and others, or all
    /// if characters have several bytes, since no other charset reads such characters alike.
    pub known: KnownBytes,
}

impl Posterior {
    /// Judges a document by its start `head`, which is not ASCII. Cost: a pass over it, and 1024 bytes beyond ASCII in
    /// each charset that stays probable.
    pub(crate) fn new(head: &[u8]) -> Self {
        let evidence = Evidence::new(head);
        let around = Around::new(&evidence);
        let unknown = Table::unknown();
        let mut unknown = Judged::new(&unknown, UNKNOWN, &around);
        let known = CANDIDATES.iter().enumerate();
        let known =
            known.map(|(at, candidate)| Judged::new(Table::of(at), candidate.prior, &around));
        let mut known: Vec<Judged<'_>> = known.collect();
        for stage in evidence.runs.chunks(STAGE) {
            for run in stage {
                known.iter_mut().for_each(|judged| judged.judge(head, run));
                unknown.judge(head, run);
            }
            let least = known.iter().map(Judged::cost).min().unwrap_or(0);
            known.retain(|judged| judged.cost() <= least + HOPELESS);
        }
        Posterior::of(&known, unknown.cost(), &evidence.seen)
    }

    fn of(judged: &[Judged<'_>], unknown: Cost, seen: &[u8]) -> Self {
        let Some(best) = judged.iter().min_by_key(|judged| judged.cost_as_answer()) else {
            return Posterior {
                charset: Charset::WINDOWS_1252,
                is_clear: false,
                places: Places::default(),
                known: KnownBytes::of(seen),
            };
        };
        let (alike, others): (Vec<_>, Vec<_>) = judged
            .iter()
            .partition(|other| best.table.reads_alike(other.table, seen));
        let next = others
            .iter()
            .map(|other| other.cost_as_rival(best))
            .fold(unknown, Cost::min);
        let known = || best.known_bytes(&alike, seen);
        Posterior {
            charset: best.table.charset,
            is_clear: next >= best.cost_without_names() + best.margin(),
            places: best.places,
            known: match best.table.kind {
                Kind::Single(_) => KnownBytes::of(&known()),
                Kind::Multi(_) => KnownBytes::ALL,
            },
        }
    }

    /// Sure if all other readings are far less probable. Charsets that read all bytes of the document
    /// alike are one reading: `é` is sure, whether in windows-1252 or in ISO-8859-15.
    pub(crate) fn certainty(&self) -> Certainty {
        if self.is_clear && self.places.are_likely() {
            Certainty::Sure
        } else {
            Certainty::Unsure
        }
    }
}

/// A candidate, prepared.
struct Table {
    charset: Charset,
    kind: Kind,
}

enum Kind {
    /// Each byte is a character.
    Single(Alphabetic),
    /// Characters have one byte or several.
    Multi(&'static Ideographs),
}

/// The languages of a charset.
struct Alphabetic {
    symbols: Box<[Symbol; 256]>,
    /// The numbers of the languages, each with its cost among them.
    languages: Vec<(usize, Cost)>,
    is_latin: bool,
}

impl Table {
    fn of(number: usize) -> &'static Table {
        TABLES[number].get_or_init(|| Table::new(&CANDIDATES[number]))
    }

    fn new(candidate: &Candidate) -> Self {
        let charset = Charset::named(candidate.name).expect("a charset of ours");
        let ideographs = IDEOGRAPHS
            .iter()
            .find(|language| candidate.langs.contains(&language.lang));
        let alphabetic = || {
            let languages = candidate
                .langs
                .iter()
                .filter_map(|lang| Language::number(lang));
            Alphabetic::new(|byte| symbol(charset, byte), languages.collect())
        };
        let kind = ideographs.map_or_else(|| Kind::Single(alphabetic()), Kind::Multi);
        Table { charset, kind }
    }

    /// The letters and languages of a Western charset.
    fn western(name: &str) -> &'static Alphabetic {
        let number = CANDIDATES
            .iter()
            .position(|candidate| candidate.name == name);
        match &Table::of(number.expect("a candidate")).kind {
            Kind::Single(alphabetic) => alphabetic,
            Kind::Multi(_) => unreachable!("each of its bytes is a character"),
        }
    }

    /// A charset that is none of the candidates.
    fn unknown() -> Self {
        let symbol = |byte: u8| {
            if byte.is_ascii() {
                Symbol::of_ascii(byte)
            } else {
                Symbol::Unknown
            }
        };
        let latin = (0..LANGUAGES.len()).filter(|number| LANGUAGES[*number].is_latin());
        Table {
            charset: Charset::REPLACEMENT,
            kind: Kind::Single(Alphabetic::new(symbol, latin.collect())),
        }
    }

    fn is_latin(&self) -> bool {
        matches!(&self.kind, Kind::Single(alphabetic) if alphabetic.is_latin)
    }

    /// True if two charsets read the bytes alike.
    fn reads_alike(&self, other: &Table, seen: &[u8]) -> bool {
        let are_single = matches!(
            (&self.kind, &other.kind),
            (Kind::Single(_), Kind::Single(_))
        );
        let is_alike =
            |byte: &u8| next_char(self.charset, &[*byte]) == next_char(other.charset, &[*byte]);
        self.charset == other.charset || are_single && seen.iter().all(is_alike)
    }
}

impl Alphabetic {
    fn new(symbol: impl Fn(u8) -> Symbol, languages: Vec<usize>) -> Self {
        let share = |number: usize| f64::from(LANGUAGES[number].share);
        let all: f64 = languages.iter().map(|number| share(*number)).sum();
        let cost = |number: usize| (2.0 * (all / share(number)).log2()).round() as Cost;
        Alphabetic {
            symbols: Box::new(std::array::from_fn(|byte| symbol(byte as u8))),
            is_latin: languages.iter().any(|number| LANGUAGES[*number].is_latin()),
            languages: languages
                .into_iter()
                .map(|number| (number, cost(number)))
                .collect(),
        }
    }
}

fn symbol(charset: Charset, byte: u8) -> Symbol {
    if byte.is_ascii() {
        Symbol::of_ascii(byte)
    } else {
        Symbol::of_char(next_char(charset, &[byte]).0)
    }
}

/// The character that bytes begin with, and its length.
fn next_char(charset: Charset, rest: &[u8]) -> (char, usize) {
    if rest[0].is_ascii() {
        return (char::from(rest[0]), 1);
    }
    if let Some(found) = charset.letter(rest) {
        return found;
    }
    let decoded = match charset.transcoded() {
        Some(codec) => {
            let decoded = codec.next(&mut Shift::default(), rest, End::Last);
            decoded.map(|decoded| (decoded.ch, decoded.len))
        }
        None => (1..=rest.len().min(LONGEST_CHAR)).find_map(|len| sole_char(charset, &rest[..len])),
    };
    decoded.unwrap_or((char::REPLACEMENT_CHARACTER, 1))
}

/// The character that the bytes encode together.
fn sole_char(charset: Charset, bytes: &[u8]) -> Option<(char, usize)> {
    let text = charset.decode(bytes);
    let mut chars = text.chars();
    let ch = chars
        .next()
        .filter(|ch| *ch != char::REPLACEMENT_CHARACTER)?;
    chars.next().is_none().then_some((ch, bytes.len()))
}

/// The cost of a text in a language.
struct Text {
    /// Cost without names.
    cost: Cost,
    /// Saving of cost if words are names.
    names: Cost,
    /// Cost that usual words have saved.
    usual: Cost,
    /// The numbers of words beyond ASCII that are words of the language, and that fit another one better.
    own: usize,
    guests: usize,
}

impl Text {
    fn new(cost: Cost) -> Self {
        Text {
            cost,
            names: 0,
            usual: 0,
            own: 0,
            guests: 0,
        }
    }

    /// Some words are names or abbreviations, but not all words of a text.
    fn cost(&self) -> Cost {
        self.cost - self.names.min(NAMES)
    }
}

/// The cost of a charset so far.
struct Judged<'t> {
    table: &'t Table,
    around: &'t Around,
    prior: Cost,
    /// Cost of the text in each language of the charset, and last in a language that the charset is not for.
    texts: Vec<Text>,
    /// True if a letter beyond ASCII was read.
    has_letters: bool,
    /// The words so far, in small letters: each counts once.
    words: HashSet<Vec<u16>>,
    /// The different letters beyond ASCII.
    letters: HashSet<u8>,
    /// The numbers of words that are usual in a language of the charset, and of the others.
    usual_words: usize,
    unusual_words: usize,
    /// True if a word that is not usual is a name by its capital and its place.
    has_name: bool,
    /// True if a word begins with a letter and ends with a mark.
    has_mark_behind_word: bool,
    /// The first different ideographs.
    ideographs: HashSet<char>,
    places: Places,
    /// The start of the next character: in charsets of many, the last character of a run may end behind the run.
    next: usize,
}

impl<'t> Judged<'t> {
    fn new(table: &'t Table, prior: Cost, around: &'t Around) -> Self {
        let mut texts: Vec<Text> = match &table.kind {
            Kind::Single(alphabetic) => {
                let languages = alphabetic.languages.iter();
                languages
                    .map(|(language, share)| Text::new(share + around.costs[*language]))
                    .collect()
            }
            Kind::Multi(language) => vec![Text::new(around.other_script(&language.tlds))],
        };
        texts.push(Text::new(around.foreign_text()));
        Judged {
            table,
            around,
            prior,
            texts,
            has_letters: false,
            words: HashSet::new(),
            letters: HashSet::new(),
            usual_words: 0,
            unusual_words: 0,
            has_name: false,
            has_mark_behind_word: false,
            ideographs: HashSet::new(),
            places: Places::default(),
            next: 0,
        }
    }

    fn cost(&self) -> Cost {
        self.cost_before_text() + self.texts.iter().map(Text::cost).min().unwrap_or(0)
    }

    /// The cost as the answer. Usual words are no evidence for a rare charset, since frequent ones read most of them
    /// alike, but they are evidence that the frequent ones are not sure.
    fn cost_as_answer(&self) -> Cost {
        if self.prior < RARE {
            return self.cost();
        }
        let texts = self.texts.iter().map(|text| text.cost() + text.usual);
        self.cost_before_text() + texts.min().unwrap_or(0)
    }

    /// The cost if all words follow the rules of the language. Words that may be names do not make a reading sure.
    fn cost_without_names(&self) -> Cost {
        let texts = self.texts.iter().map(|text| text.cost);
        self.cost_before_text() + texts.min().unwrap_or(0)
    }

    fn cost_before_text(&self) -> Cost {
        let lack = match &self.table.kind {
            _ if self.has_letters || self.table.charset == Charset::WINDOWS_1252 => 0,
            Kind::Single(alphabetic) if alphabetic.is_latin => LACKS_LETTERS,
            _ => LACKS_SCRIPT,
        };
        self.prior + lack
    }

    /// The cost as a rival of a reading that may be sure. How frequent charsets are is not evidence enough: the words
    /// must tell, too, unless all are usual ones or there are none.
    fn cost_as_rival(&self, best: &Judged<'_>) -> Cost {
        let most = if !best.has_letters && self.may_be_of_marks(best) {
            MOST_OF_PRIOR_OF_MARKS
        } else if !best.has_letters || best.has_only_usual_words() && !self.reads_usual_words() {
            return self.cost();
        } else if best.has_only_usual_words() {
            MOST_OF_PRIOR
        } else if best.is_in_clear_language() {
            MOST_IF_CLEAR
        } else {
            MOST_OF_PRIOR
        };
        let foreign = if best.is_in_own_language() && !best.has_guest() {
            FOREIGN_TEXT
        } else {
            FOREIGN_TEXT_WITH_GUEST
        };
        self.cost_in_foreign(foreign) - self.prior.saturating_sub(best.prior + most)
    }

    /// The cost if a text in a language that the charset is not for costs no more than `most`.
    fn cost_in_foreign(&self, most: Cost) -> Cost {
        let saved = self.around.foreign_text().saturating_sub(most);
        let foreign = self.texts.last().map(|text| text.cost() - saved);
        let texts = self.texts.iter().map(Text::cost);
        self.cost_before_text() + texts.chain(foreign).min().unwrap_or(0)
    }

    /// The bytes whose characters are known if this is the answer: those of the document, which charsets `alike` read
    /// alike, and others that the probable ones of these read alike, too.
    fn known_bytes(&self, alike: &[&Judged<'_>], seen: &[u8]) -> Vec<u8> {
        let most = self.cost_without_names() + MARGIN;
        let is_probable = |other: &&&Judged<'_>| {
            let prior = other.prior.saturating_sub(self.prior + MOST_OF_PRIOR);
            other.cost() - prior < most
        };
        let probable: Vec<_> = alike.iter().filter(is_probable).collect();
        let is_known = |byte: &u8| {
            let reads = |other: &&&Judged<'_>| self.table.reads_alike(other.table, &[*byte]);
            seen.contains(byte) || probable.iter().all(reads)
        };
        (128..=255).filter(is_known).collect()
    }

    /// True if all words are usual ones here, too: Romanian with `ţ` in ISO-8859-2 is Romanian with `ț` in ISO-8859-16.
    fn reads_usual_words(&self) -> bool {
        self.usual_words > 0 && self.unusual_words == 0
    }

    /// True if a text whose characters beyond ASCII are marks as `best` reads it makes as much sense here.
    fn may_be_of_marks(&self, best: &Judged<'_>) -> bool {
        if self.has_letters {
            best.has_mark_behind_word && self.prior < RARE
        } else {
            let has_proper = self.places.proper > 0 && self.places.odd == 0;
            has_proper && self.table.charset.name() == "macintosh"
        }
    }

    /// The cost by which all other readings must exceed this one.
    fn margin(&self) -> Cost {
        let margin = match self.table.kind {
            Kind::Multi(_) if self.ideographs.len() < FEW_IDEOGRAPHS => MARGIN + FEWNESS,
            Kind::Single(_) if self.usual_words > 0 && self.prior >= RARE => MARGIN + TAKEN_BACK,
            Kind::Single(_) if self.has_only_usual_words() => MARGIN - USUALNESS,
            _ if self.is_in_clear_language() => MARGIN - CLEARNESS,
            Kind::Single(_) => MARGIN + self.fewness(),
            Kind::Multi(_) => MARGIN,
        };
        margin + self.cost_of_few_letters()
    }

    /// The addition to the margin for a rare charset with few different letters beyond ASCII: they may be one letter of
    /// a language that the model does not know.
    fn cost_of_few_letters(&self) -> Cost {
        let is_little = self.prior >= RAREST && self.letters.len() < FEW_LETTERS;
        FEW_LETTERS_COST * Cost::from(is_little && self.table.is_latin())
    }

    /// The addition to the margin for few words, which may be of any language.
    fn fewness(&self) -> Cost {
        let few = FEW_WORDS.get(self.unusual_words.wrapping_sub(1)).copied();
        let is_own = self.around.excludes_english() && self.is_in_own_language();
        few.filter(|_| !is_own).unwrap_or(0)
    }

    /// True if the words in ASCII tell that the text is not in English, in which words of any language may stand, its
    /// other words are of its language, and many pages are in the charset.
    fn is_in_clear_language(&self) -> bool {
        self.around.excludes_english() && self.prior < RAREST && self.is_in_own_language()
    }

    /// True if the words beyond ASCII are words of the language of the text: none is a name, most fit no other language
    /// better, and the words in ASCII fit their language. Those in another script are no words of a text in ASCII.
    fn is_in_own_language(&self) -> bool {
        let alphabetic = match &self.table.kind {
            Kind::Single(alphabetic) if alphabetic.is_latin => alphabetic,
            _ => return true,
        };
        let texts = self.texts.iter().zip(&alphabetic.languages);
        let least = self.texts.iter().map(Text::cost).min();
        let mut best = texts.filter(|(text, _)| Some(text.cost()) == least);
        let is_own = |(text, (language, _)): (&Text, &(usize, Cost))| {
            let is_known = LANGUAGES[*language].lang != UNKNOWN_LANGUAGE;
            is_known && text.guests <= text.own && self.around.costs[*language] <= CLEAR
        };
        !self.has_name && best.next().is_some_and(is_own)
    }

    /// True if a word of Latin letters beyond ASCII fits another language than that of the text better.
    fn has_guest(&self) -> bool {
        let best = self.texts.iter().min_by_key(|text| text.cost());
        self.table.is_latin() && best.is_some_and(|text| text.guests > 0)
    }

    /// True if all words with bytes beyond ASCII are usual, and many pages are in the charset.
    fn has_only_usual_words(&self) -> bool {
        self.usual_words > 0 && self.unusual_words == 0 && self.prior < RAREST
    }

    fn judge(&mut self, head: &[u8], run: &Run<'_>) {
        match &self.table.kind {
            Kind::Single(alphabetic) => self.judge_letters(alphabetic, head, run),
            Kind::Multi(language) => self.judge_ideographs(language, head, run),
        }
    }

    fn judge_letters(&mut self, alphabetic: &Alphabetic, head: &[u8], run: &Run<'_>) {
        let mut symbols = [Symbol::Edge; LONGEST_RUN];
        let symbols = &mut symbols[..run.bytes.len()];
        for (symbol, byte) in symbols.iter_mut().zip(run.bytes) {
            *symbol = alphabetic.symbols[usize::from(*byte)];
            if !byte.is_ascii() && symbol.is_letter() {
                self.has_letters = true;
                self.letters.insert(*byte);
            }
        }
        let usage = Usage::of(symbols);
        let languages = alphabetic.languages.iter();
        let usual = languages.map(|(language, _)| self.around.is_usual(*language, usage, symbols));
        let usual: Vec<bool> = usual.collect();
        let is_usual = usual.contains(&true);
        self.places.add(symbols, run, head, is_usual);
        if !self.words.insert(folded(symbols, run.bytes)) {
            return;
        }
        let context = Language::cost_of_context(symbols, run);
        let languages = alphabetic.languages.iter();
        let costs = languages.map(|(language, _)| context + usage.cost_of_word(*language, symbols));
        let costs: Vec<Cost> = costs.collect();
        let has_letters = symbols.iter().any(|symbol| symbol.is_letter());
        let edges = (symbols.first(), symbols.last());
        self.has_mark_behind_word |=
            matches!(edges, (Some(first), Some(last)) if first.is_letter() && !last.is_letter());
        self.usual_words += usize::from(is_usual);
        self.unusual_words += usize::from(has_letters && !is_usual);
        self.has_name |= !is_usual && run.follows_word && is_capitalized(symbols);
        // A word may be in another language than the text, and has its cost there.
        let shares = alphabetic.languages.iter().zip(&costs);
        let foreign = shares
            .map(|((_, share), cost)| share + cost)
            .min()
            .unwrap_or(0);
        let foreign = FOREIGN_WORD + Language::cost_of_lone_letter(symbols) + foreign;
        let least = costs.iter().min().copied().unwrap_or(0);
        let names = alphabetic.languages.iter().map(|(language, share)| {
            let name = LANGUAGES[*language].cost_of_name(symbols)?;
            Some((context + name, *share))
        });
        let names: Vec<Option<(Cost, Cost)>> = names.collect();
        let guest = self.around.cost_of_guest(symbols, usage, run);
        let guest = guest.map_or(foreign, |guest| foreign.min(context + guest));
        let shares = names.iter().flatten();
        let foreign_name = shares
            .map(|(name, share)| name + share + FOREIGN_WORD)
            .min();
        let names = names.into_iter().map(|name| name.map(|(name, _)| name));
        let names = names.chain([foreign_name]);
        let costs = costs.iter().zip(usual).chain([(&guest, false)]);
        for ((text, (cost, is_usual)), name) in self.texts.iter_mut().zip(costs).zip(names) {
            let is_guest = foreign.min(least + GUEST) < *cost && !is_usual;
            text.guests += usize::from(has_letters && is_guest);
            text.own += usize::from(has_letters && !is_guest);
            let cost = foreign.min(*cost);
            text.cost += cost;
            text.names += name.map_or(0, |name| cost.saturating_sub(name));
        }
        if is_usual && self.prior >= RARE {
            for (text, (language, _)) in self.texts.iter_mut().zip(&alphabetic.languages) {
                text.usual +=
                    LANGUAGES[*language].cost(symbols) - usage.cost_of_word(*language, symbols);
            }
        }
    }

    fn judge_ideographs(&mut self, language: &Ideographs, head: &[u8], run: &Run<'_>) {
        let begin = run.range.start.max(self.next);
        let len = run.range.end.saturating_sub(begin);
        let (cost, end) = self.cost_of_ideographs(language, &head[begin..], len);
        self.next = begin + end;
        self.has_letters = true;
        self.texts[0].cost += cost;
        self.texts[1].cost += cost + FOREIGN_WORD;
    }

    /// The cost of the characters that begin in the first `len` bytes, and the end of the last one.
    fn cost_of_ideographs(
        &mut self,
        language: &Ideographs,
        bytes: &[u8],
        len: usize,
    ) -> (Cost, usize) {
        let (mut cost, mut prev, mut at) = (0, None::<char>, 0);
        while at < len {
            let (ch, len) = next_char(self.table.charset, &bytes[at..]);
            let changes = prev.is_some_and(|prev| prev.is_ascii() != ch.is_ascii());
            cost += CHANGE * Cost::from(changes);
            cost += match ch {
                _ if ch.is_ascii() => LATIN_LETTER,
                _ if prev == Some(ch) && ch != char::REPLACEMENT_CHARACTER => AGAIN,
                _ => language.cost(ch),
            };
            if !ch.is_ascii() && ch.is_alphabetic() && self.ideographs.len() < FEW_IDEOGRAPHS {
                self.ideographs.insert(ch);
            }
            prev = Some(ch);
            at += len.max(1);
        }
        (cost, at)
    }
}

/// True if a word has a capital at its begin alone.
fn is_capitalized(symbols: &[Symbol]) -> bool {
    matches!(
        symbols,
        [Symbol::Letter(_, true), Symbol::Letter(_, false), ..]
    )
}

/// The word of a run: its letters, capital or small alike, and its other bytes.
fn folded(symbols: &[Symbol], bytes: &[u8]) -> Vec<u16> {
    const OTHERS: u16 = 1 << 15;
    let chars = symbols.iter().zip(bytes);
    let folded = chars.map(|(symbol, byte)| match symbol {
        Symbol::Letter(letter, _) => *letter,
        _ => OTHERS | u16::from(*byte),
    });
    folded.collect()
}

/// Knowledge of the language of the text, from the ASCII around its runs.
struct Around {
    /// Cost of each language above the best.
    costs: Vec<Cost>,
    /// Cost in English.
    english: Cost,
    /// Cost of other scripts: their texts have few words in ASCII, and these are English.
    other_script: Cost,
    country: Option<[u8; 2]>,
    /// The readings in Western charsets.
    western: [&'static Alphabetic; WESTERN.len()],
    /// The language of windows-1252 that fits best.
    guest: usize,
    /// The languages that the words in ASCII show.
    shown: Vec<bool>,
}

impl Around {
    fn new(evidence: &Evidence<'_>) -> Self {
        let mut costs = vec![0; LANGUAGES.len()];
        for word in &evidence.words {
            add_costs_of_word(&mut costs, word);
        }
        let english = Language::number("en").map_or(0, |number| costs[number]);
        let other_script = english + evidence.words.len().min(MOST_OF_WORDS) as Cost;
        for (cost, language) in costs.iter_mut().zip(LANGUAGES.iter()) {
            let own = if language.is_latin() {
                *cost
            } else {
                other_script
            };
            *cost = own + abroad(evidence.country, &language.tlds);
        }
        let least = costs.iter().min().copied().unwrap_or(0);
        costs.iter_mut().for_each(|cost| *cost -= least);
        let shown = shown(&costs, english.saturating_sub(least));
        let western = WESTERN.map(Table::western);
        let by_cost = |(language, _): &&(usize, Cost)| costs[*language];
        let guest = western[0].languages.iter().min_by_key(by_cost);
        Around {
            guest: guest.map_or(0, |(language, _)| *language),
            western,
            costs,
            shown,
            english: english.saturating_sub(least),
            other_script: other_script.saturating_sub(least),
            country: evidence.country,
        }
    }

    /// The cost of a text in a language that the charset is not for.
    fn foreign_text(&self) -> Cost {
        FOREIGN_TEXT.min(FOREIGN_ENGLISH + self.english)
    }

    /// True if a word is usual in a language. A short word is usual if the words in ASCII show its language: the bytes
    /// of one are another one in many charsets.
    fn is_usual(&self, language: usize, usage: Usage, symbols: &[Symbol]) -> bool {
        let is_usual = usage.cost(language).is_some();
        if symbols.len() > SHORT {
            return is_usual;
        }
        self.shown[language] && (is_usual || is_frequent(language, symbols))
    }

    /// True if the words in ASCII tell that the text is not in English.
    fn excludes_english(&self) -> bool {
        self.english >= CLEAR
    }

    /// The cost of a word in a text that is in a language which the charset is not for, such as a page in English
    /// with a Czech name; `None` if no Western charset reads it alike. Words that two charsets read alike are no
    /// evidence between them, and cost the same.
    fn cost_of_guest(&self, symbols: &[Symbol], usage: Usage, run: &Run<'_>) -> Option<Cost> {
        let reads_alike = |western: &&&Alphabetic| {
            let read = run.bytes.iter();
            let read = read.map(|byte| western.symbols[usize::from(*byte)]);
            read.eq(symbols.iter().copied())
        };
        let western = self.western.iter().find(reads_alike)?;
        let foreign = western.languages.iter();
        let foreign =
            foreign.map(|(language, share)| share + usage.cost_of_word(*language, symbols));
        let foreign = foreign.min().unwrap_or(0);
        let foreign = FOREIGN_WORD + Language::cost_of_lone_letter(symbols) + foreign;
        Some(usage.cost_of_word(self.guest, symbols).min(foreign))
    }

    fn other_script(&self, tlds: &[&str]) -> Cost {
        self.other_script + abroad(self.country, tlds)
    }
}

/// The languages that the words in ASCII show, by their costs: those that fit if English does not, or English if no
/// other one fits.
fn shown(costs: &[Cost], english: Cost) -> Vec<bool> {
    let fits = LANGUAGES.iter().zip(costs);
    let fits = fits.map(|(language, cost)| *cost <= CLEAR && language.lang != UNKNOWN_LANGUAGE);
    let mut shown: Vec<bool> = fits.collect();
    let others = shown.iter().zip(LANGUAGES.iter());
    let mut others = others.filter(|(_, language)| language.is_latin() && language.lang != "en");
    if english < CLEAR && others.any(|(fits, _)| *fits) {
        shown.fill(false);
    }
    shown
}

/// Adds what a word in ASCII costs in each language above the best one.
fn add_costs_of_word(costs: &mut [Cost], word: &[u8]) {
    let word: Vec<Symbol> = word.iter().map(|byte| Symbol::of_ascii(*byte)).collect();
    let of_word = |language: &Language| language.is_latin().then(|| language.cost(&word));
    let words: Vec<Option<Cost>> = LANGUAGES.iter().map(of_word).collect();
    let least = words.iter().flatten().min().copied().unwrap_or(0);
    for (cost, word) in costs.iter_mut().zip(words) {
        *cost += word.map_or(0, |word| (word - least).min(MOST_OF_WORD));
    }
}

fn abroad(country: Option<[u8; 2]>, tlds: &[&str]) -> Cost {
    let is_home = country.is_none_or(|country| tlds.iter().any(|tld| tld.as_bytes() == country));
    if is_home { 0 } else { ABROAD }
}
