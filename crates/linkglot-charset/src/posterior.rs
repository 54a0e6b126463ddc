//! The most probable charset of a document, by Bayes' rule, and how much more probable it is than
//! those that would read the document otherwise.

use crate::candidates::{CANDIDATES, Candidate};
use crate::charset::Charset;
use crate::decoded::{End, Shift};
use crate::evidence::{self, Evidence};
use crate::ideographs::{IDEOGRAPHS, Ideographs};
use crate::languages::{Cost, LANGUAGES, Language, Symbol};
use crate::sniff::Certainty;
use std::ops::Range;
use std::sync::OnceLock;

/// How much more the best other reading has to cost, in half bits.
const MARGIN: Cost = 22;

/// Cost of a word in another language than the text around.
const FOREIGN_WORD: Cost = 10;

/// Cost of a text in a language that its charset is not for.
const FOREIGN_TEXT: Cost = 10;

/// The most that a word of ASCII says against a language.
const MOST_OF_WORD: Cost = 12;

/// The cost of languages that are not of the country of links.
const ABROAD: Cost = 6;

/// Cost of a text that has marks beyond ASCII and no letters. Most are in English, from the word
/// processors of Windows.
const LACKS_LETTERS: Cost = 8;

/// Cost of a text in another script that has no letter of it.
const LACKS_SCRIPT: Cost = 24;

/// The most that words of ASCII say against a text in another script.
const MOST_OF_WORDS: usize = 16;

/// What nobody knows: the cost of a charset that is not among the candidates.
const UNKNOWN: Cost = 50;

/// Cost of an ASCII letter among ideographs.
const LATIN_LETTER: Cost = 12;

/// Cost of a character that stands behind itself.
const AGAIN: Cost = 4;

/// The most bytes of a character.
const LONGEST_CHAR: usize = 4;

/// Candidates that cost so much more than the best are not judged further.
const HOPELESS: Cost = 120;

/// The number of runs that are judged before hopeless candidates are left.
const STAGE: usize = 16;

static TABLES: [OnceLock<Table>; CANDIDATES.len()] = [const { OnceLock::new() }; CANDIDATES.len()];

/// A candidate, prepared.
struct Table {
    charset: Charset,
    kind: Kind,
}

enum Kind {
    /// A byte is a character; the languages by their number.
    Single { symbols: Box<[Symbol; 256]>, languages: Vec<(usize, Cost)>, is_latin: bool },
    Multi(&'static Ideographs),
}

impl Kind {
    fn single(symbol: impl Fn(u8) -> Symbol, languages: Vec<usize>) -> Self {
        let share = |number: usize| f64::from(LANGUAGES[number].share);
        let all: f64 = languages.iter().map(|number| share(*number)).sum();
        let cost = |number: usize| (2.0 * (all / share(number)).log2()).round() as Cost;
        Kind::Single {
            symbols: Box::new(std::array::from_fn(|byte| symbol(byte as u8))),
            is_latin: languages.iter().any(|number| LANGUAGES[*number].is_latin()),
            languages: languages.into_iter().map(|number| (number, cost(number))).collect(),
        }
    }
}

impl Table {
    fn of(number: usize) -> &'static Table {
        TABLES[number].get_or_init(|| Table::new(&CANDIDATES[number]))
    }

    fn new(candidate: &Candidate) -> Self {
        let charset = Charset::named(candidate.name).expect("a charset of ours");
        let ideographs = IDEOGRAPHS.iter().find(|language| candidate.langs.contains(&language.lang));
        let kind = match ideographs {
            Some(language) => Kind::Multi(language),
            None => Kind::single(
                |byte| symbol_of_byte(charset, byte),
                candidate.langs.iter().filter_map(|lang| Language::number(lang)).collect(),
            ),
        };
        Table { charset, kind }
    }

    /// What is not among the candidates.
    fn unknown() -> Self {
        let symbol = |byte: u8| match byte {
            byte if byte.is_ascii() => Symbol::of_ascii(byte),
            _ => Symbol::Unknown,
        };
        let languages = LANGUAGES.iter().enumerate().filter(|(_, language)| language.is_latin());
        let kind = Kind::single(symbol, languages.map(|(number, _)| number).collect());
        Table { charset: Charset::REPLACEMENT, kind }
    }
}

/// What a candidate costs so far.
struct Judged<'t> {
    table: &'t Table,
    prior: Cost,
    /// For each language of the candidate: the cost if the text is in it. The last: if in another.
    texts: Vec<Cost>,
    next: usize,
    /// Whether a letter of the script was read.
    has_letters: bool,
}

impl<'t> Judged<'t> {
    fn new(number: usize, around: &Around) -> Self {
        Judged::of_table(Table::of(number), CANDIDATES[number].prior, around)
    }

    fn of_table(table: &'t Table, prior: Cost, around: &Around) -> Self {
        let texts = match &table.kind {
            Kind::Single { languages, .. } => {
                let own = languages.iter().map(|(language, share)| share + around.costs[*language]);
                own.chain([FOREIGN_TEXT + around.least]).collect()
            }
            Kind::Multi(language) => {
                vec![around.other_script(&language.tlds), FOREIGN_TEXT + around.least]
            }
        };
        Judged { table, prior, texts, next: 0, has_letters: false }
    }

    fn cost(&self) -> Cost {
        let lacks_letters = match self.table.kind {
            _ if self.has_letters || self.table.charset == Charset::WINDOWS_1252 => 0,
            Kind::Single { is_latin: true, .. } => LACKS_LETTERS,
            _ => LACKS_SCRIPT,
        };
        self.prior + lacks_letters + self.texts.iter().min().copied().unwrap_or(Cost::MAX / 2)
    }

    fn judge(&mut self, head: &[u8], run: &Range<usize>) {
        let is_in_link = evidence::is_in_link(head, run);
        let touches_digit = evidence::touches_digit(head, run);
        match &self.table.kind {
            Kind::Single { symbols, languages, .. } => {
                let bytes = &head[run.clone()];
                let run: Vec<Symbol> = bytes.iter().map(|byte| symbols[usize::from(*byte)]).collect();
                let marks = Language::cost_of_marks(&run, is_in_link, touches_digit);
                let costs: Vec<Cost> =
                    languages.iter().map(|(language, _)| marks + LANGUAGES[*language].cost(&run)).collect();
                let foreign = languages.iter().zip(&costs).map(|((_, share), cost)| share + cost).min().unwrap_or(0);
                let foreign = FOREIGN_WORD + Language::cost_of_lone_letter(&run) + foreign;
                self.has_letters |= bytes.iter().zip(&run).any(|(byte, symbol)| !byte.is_ascii() && symbol.is_letter());
                for (text, cost) in self.texts.iter_mut().zip(costs.into_iter().chain([foreign])) {
                    *text += cost.min(foreign);
                }
            }
            Kind::Multi(language) => {
                let mut at = run.start.max(self.next);
                let cost = cost_of_wide(self.table.charset, language, head, &mut at, run.end);
                self.next = at;
                self.has_letters = true;
                self.texts[0] += cost;
                self.texts[1] += cost + FOREIGN_WORD;
            }
        }
    }
}

/// The cost of the characters of a run in a charset of many.
fn cost_of_wide(charset: Charset, language: &Ideographs, head: &[u8], at: &mut usize, end: usize) -> Cost {
    #[derive(PartialEq)]
    enum Prev {
        Edge,
        Latin,
        Wide(char),
    }
    let (mut cost, mut prev) = (0, Prev::Edge);
    while *at < end {
        let rest = &head[*at..];
        let (ch, len) = next_char(charset, rest);
        if ch.is_ascii() {
            cost += LATIN_LETTER + 16 * Cost::from(matches!(prev, Prev::Wide(_)));
            prev = Prev::Latin;
        } else if prev == Prev::Wide(ch) && ch != char::REPLACEMENT_CHARACTER {
            cost += AGAIN;
        } else {
            cost += language.cost(ch) + 16 * Cost::from(prev == Prev::Latin);
            prev = Prev::Wide(ch);
        }
        *at += len.max(1);
    }
    cost
}

fn symbol_of_byte(charset: Charset, byte: u8) -> Symbol {
    match byte.is_ascii() {
        true => Symbol::of_ascii(byte),
        false => Symbol::of_char(next_char(charset, &[byte]).0),
    }
}

fn next_char(charset: Charset, rest: &[u8]) -> (char, usize) {
    if rest[0].is_ascii() {
        return (char::from(rest[0]), 1);
    }
    if let Some(found) = charset.letter(rest) {
        return found;
    }
    let decoded = match charset.transcoded() {
        Some(codec) => codec.next(&mut Shift::default(), rest, End::Last).map(|decoded| (decoded.ch, decoded.len)),
        None => (1..=rest.len().min(LONGEST_CHAR)).find_map(|len| sole_char(charset, &rest[..len])),
    };
    decoded.unwrap_or((char::REPLACEMENT_CHARACTER, 1))
}

/// The character that all bytes are.
fn sole_char(charset: Charset, bytes: &[u8]) -> Option<(char, usize)> {
    let text = charset.decode(bytes);
    let mut chars = text.chars();
    let ch = chars.next().filter(|ch| *ch != char::REPLACEMENT_CHARACTER)?;
    chars.next().is_none().then_some((ch, bytes.len()))
}

/// What the ASCII around tells of the language of the text.
struct Around {
    /// For each language, above that of the best.
    costs: Vec<Cost>,
    least: Cost,
    english: Cost,
    country: Option<[u8; 2]>,
}

impl Around {
    fn new(evidence: &Evidence<'_>) -> Self {
        let mut costs = vec![0; LANGUAGES.len()];
        for word in &evidence.words {
            let symbols: Vec<Symbol> =
                word.iter().map(|byte| Symbol::of_ascii(*byte)).collect();
            let latin = LANGUAGES.iter().filter(|language| language.is_latin());
            let least = latin.map(|language| language.cost(&symbols)).min().unwrap_or(0);
            for (cost, language) in costs.iter_mut().zip(LANGUAGES.iter()).filter(|(_, language)| language.is_latin()) {
                *cost += (language.cost(&symbols) - least).min(MOST_OF_WORD);
            }
        }
        let english = Language::number("en").map_or(0, |number| costs[number]);
        let english = english + evidence.words.len().min(MOST_OF_WORDS) as Cost;
        for (cost, language) in costs.iter_mut().zip(LANGUAGES.iter()) {
            if !language.is_latin() {
                *cost = english;
            }
            *cost += abroad(evidence.country, &language.tlds);
        }
        let least = costs.iter().min().copied().unwrap_or(0);
        costs.iter_mut().for_each(|cost| *cost -= least);
        Around { costs, least: 0, english: english.saturating_sub(least), country: evidence.country }
    }

    fn other_script(&self, tlds: &[&str]) -> Cost {
        self.english + abroad(self.country, tlds)
    }
}

fn abroad(country: Option<[u8; 2]>, tlds: &[&str]) -> Cost {
    let is_home = country.is_none_or(|country| tlds.iter().any(|tld| tld.as_bytes() == country));
    if is_home { 0 } else { ABROAD }
}

/// The most probable charset, and the one that reads the document otherwise and costs least.
pub(crate) struct Posterior {
    pub best: (Charset, Cost),
    /// No charset stands for all that are not among the candidates.
    pub rival: (Option<Charset>, Cost),
}

impl Posterior {
    pub(crate) fn certainty(&self) -> Certainty {
        if self.rival.1 >= self.best.1 + MARGIN { Certainty::Sure } else { Certainty::Unsure }
    }

    /// Judges the evidence of a document in all charsets.
    pub(crate) fn new(head: &[u8]) -> Self {
        let evidence = Evidence::new(head);
        let around = Around::new(&evidence);
        let mut judged: Vec<Judged<'_>> = (0..CANDIDATES.len()).map(|number| Judged::new(number, &around)).collect();
        let unknown_charset = Table::unknown();
        let mut unknown = Judged::of_table(&unknown_charset, UNKNOWN, &around);
        for stage in evidence.runs.chunks(STAGE) {
            for run in stage {
                judged.iter_mut().for_each(|judged| judged.judge(head, run));
                unknown.judge(head, run);
            }
            let least = judged.iter().map(Judged::cost).min().unwrap_or(0);
            judged.retain(|judged| judged.cost() <= least + HOPELESS);
        }
        let costs = judged.iter().map(|judged| (judged.table, judged.cost()));
        let unknown = unknown.cost();
        #[cfg(test)]
        if std::env::var_os("TRACE").is_some() {
            let mut judged: Vec<_> = judged.iter().collect();
            judged.sort_by_key(|judged| judged.cost());
            for judged in judged.iter().take(8) {
                let names: Vec<String> = match &judged.table.kind {
                    Kind::Single { languages, .. } => languages.iter().zip(&judged.texts).map(|((l, _), c)| format!("{}={c}", LANGUAGES[*l].lang)).collect(),
                    Kind::Multi(l) => vec![l.lang.to_owned()],
                };
                eprintln!("TRACE {} {} last {:?} {}", judged.table.charset.name(), judged.cost(), judged.texts.last(), names.join(" "));
            }
            eprintln!("TRACE unknown {unknown}");
        }
        let first = (Table::of(0), unknown);
        let best = costs.clone().min_by_key(|(_, cost)| *cost).unwrap_or(first);
                let others = costs.filter(|(other, _)| !reads_alike(best.0, other, &evidence.seen));
        let others = others.map(|(other, cost)| (Some(other.charset), cost));
        let rival = others.chain([(None, unknown)]).min_by_key(|(_, cost)| *cost);
        Posterior { best: (best.0.charset, best.1), rival: rival.unwrap_or((None, unknown)) }
    }
}

/// Whether two charsets read all bytes of a document alike.
fn reads_alike(one: &Table, other: &Table, seen: &[u8]) -> bool {
    let is_single = |table: &Table| matches!(table.kind, Kind::Single { .. });
    one.charset == other.charset
        || is_single(one)
            && is_single(other)
            && seen.iter().all(|byte| next_char(one.charset, &[*byte]) == next_char(other.charset, &[*byte]))
}
