//! The parts of a document that tell its charset: words with bytes beyond ASCII, words in ASCII
//! around them, the countries of its links.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;

/// The number of bytes beyond ASCII that suffice, once each different one is among them.
const ENOUGH: usize = 1024;

/// The most bytes of a run. Longer ones are cut.
pub(crate) const LONGEST_RUN: usize = 96;

/// The most words in ASCII that are read, and the most bytes between them and the first byte beyond ASCII.
const WORDS: usize = 160;
const BEFORE: usize = 4 << 10;

/// The runs and words of a document that are judged.
pub(crate) struct Evidence<'h> {
    /// Each run counts once: repetitions on a page are no more evidence.
    pub runs: Vec<Run<'h>>,
    /// Words in ASCII of running text.
    pub words: Vec<&'h [u8]>,
    /// The different bytes beyond ASCII.
    pub seen: Vec<u8>,
    /// The top-level domain that all links agree in, if it is that of a country.
    pub country: Option<Country>,
}

/// Letters and bytes beyond ASCII in a row, at least one of them beyond ASCII.
pub(crate) struct Run<'h> {
    pub range: Range<usize>,
    /// The last occurrence of the same bytes.
    pub last: Range<usize>,
    pub bytes: &'h [u8],
    /// True if delimiters of links or attributes stand next to the run somewhere.
    pub is_in_link: bool,
    /// True if a digit stands next to the run somewhere.
    pub touches_digit: bool,
    /// True if the run stands behind a word of its sentence somewhere, where only names have capitals.
    pub follows_word: bool,
}

impl<'h> Evidence<'h> {
    pub(crate) fn new(head: &'h [u8]) -> Self {
        let first = head.iter().position(|byte| !byte.is_ascii()).unwrap_or(0);
        let mut seen = [false; 256];
        head.iter().for_each(|byte| seen[usize::from(*byte)] = true);
        Evidence {
            runs: runs(head, first, &seen),
            words: words(head, first.saturating_sub(BEFORE)),
            seen: (128..=255)
                .filter(|byte| seen[usize::from(*byte)])
                .collect(),
            country: country_of_links(head),
        }
    }
}

fn is_of_run(byte: &u8) -> bool {
    !byte.is_ascii() || byte.is_ascii_alphabetic()
}

/// The runs, from the run with the first byte beyond ASCII on.
fn runs<'h>(head: &'h [u8], first: usize, seen: &[bool; 256]) -> Vec<Run<'h>> {
    let mut runs = Vec::<Run<'_>>::new();
    let (mut known, mut count) = (HashMap::<&[u8], usize>::new(), 0);
    // Bytes beyond ASCII that no run has yet.
    let mut open = *seen;
    open[..128].fill(false);
    let mut left = open.iter().filter(|is_open| **is_open).count();
    let letters = head[..first]
        .iter()
        .rev()
        .take(LONGEST_RUN)
        .take_while(|byte| is_of_run(byte))
        .count();
    // Longer ASCII is no part of a word.
    let mut at = if letters < LONGEST_RUN {
        first - letters
    } else {
        first
    };
    while at < head.len() && (count < ENOUGH || left > 0) {
        let len = head[at..]
            .iter()
            .take(LONGEST_RUN)
            .take_while(|byte| is_of_run(byte))
            .count();
        let bytes = &head[at..at + len];
        let others = bytes.iter().filter(|byte| !byte.is_ascii()).count();
        let is_new = bytes.iter().any(|byte| open[usize::from(*byte)]);
        if others > 0 && (count < ENOUGH || is_new) {
            for byte in bytes {
                left -= usize::from(std::mem::take(&mut open[usize::from(*byte)]));
            }
            let run = Run::new(head, at..at + len);
            match known.entry(bytes) {
                Entry::Occupied(known) => runs[*known.get()].add_context(&run),
                Entry::Vacant(new) => {
                    new.insert(runs.len());
                    runs.push(run);
                    count += others;
                }
            }
        }
        at += len.max(1);
    }
    runs
}

impl<'h> Run<'h> {
    fn new(head: &'h [u8], range: Range<usize>) -> Self {
        let before = head[..range.start].last().copied().unwrap_or(b' ');
        let around = [before, head.get(range.end).copied().unwrap_or(b' ')];
        let is_delimiter =
            |byte: &u8| matches!(byte, b'/' | b'=' | b'_' | b'&' | b'?' | b'#' | b'%');
        let begins_value = matches!(head[..range.start], [.., b'=', b'"' | b'\'']);
        Run {
            bytes: &head[range.clone()],
            is_in_link: begins_value || around.iter().any(is_delimiter),
            touches_digit: around.iter().any(u8::is_ascii_digit),
            follows_word: match head[..range.start] {
                [.., last, b' '] => last.is_ascii_lowercase() || last == b',',
                [.., last, b'-'] => last.is_ascii_lowercase(),
                _ => false,
            },
            last: range.clone(),
            range,
        }
    }

    /// Adds the context of another occurrence of the run.
    fn add_context(&mut self, other: &Run<'_>) {
        self.is_in_link |= other.is_in_link;
        self.touches_digit |= other.touches_digit;
        self.follows_word |= other.follows_word;
        self.last = other.range.clone();
    }
}

/// Words in ASCII that stand in running text: not in tags, not in links, not in scripts and style sheets, which are in
/// English everywhere.
fn words(head: &[u8], begin: usize) -> Vec<&[u8]> {
    let mut words = Vec::new();
    let (mut at, mut is_in_tag) = (begin, false);
    while at < head.len() && words.len() < WORDS {
        if head[at] == b'<' {
            at += length_of_code(&head[at..]);
        }
        is_in_tag = match head[at..] {
            [b'<', b'a'..=b'z' | b'A'..=b'Z' | b'/' | b'!' | b'?', ..] => true,
            [b'>', ..] => false,
            _ => is_in_tag,
        };
        let len = head[at..].iter().take_while(|byte| is_of_run(byte)).count();
        if !is_in_tag && is_word(head, at..at + len) {
            words.push(&head[at..at + len]);
        }
        at += len.max(1);
    }
    words
}

/// The length of the script or style sheet that HTML begins with, up to its end tag; 0 for anything else.
fn length_of_code(html: &[u8]) -> usize {
    const NAMES: [&[u8]; 2] = [b"script", b"style"];
    let begins = |bytes: &[u8], name: &[u8]| {
        let own = bytes.get(..name.len());
        own.is_some_and(|own| own.eq_ignore_ascii_case(name))
    };
    let name = NAMES.iter().find(|name| begins(&html[1..], name));
    name.map_or(0, |name| {
        let mut ends = memchr::memmem::find_iter(html, b"</");
        let end = ends.find(|end| begins(&html[end + 2..], name));
        end.unwrap_or(html.len() - 1)
    })
}

/// True if a run is a word in ASCII between the spaces and the punctuation of running text.
fn is_word(head: &[u8], range: Range<usize>) -> bool {
    const LENGTHS: Range<usize> = 3..25;
    let word = &head[range.clone()];
    let is_space = |byte: u8| byte.is_ascii_whitespace() || byte == b'\'';
    let before = range.start.checked_sub(1).map_or(b' ', |at| head[at]);
    let [after, next] = [range.end, range.end + 1].map(|at| head.get(at).copied().unwrap_or(b' '));
    // A dot inside of a name of a host or a file is no end of a sentence.
    let is_end = matches!(after, b'<' | b')' | b',' | b'!' | b'?')
        || after == b'.' && !next.is_ascii_alphanumeric();
    LENGTHS.contains(&word.len())
        && word.is_ascii()
        && !word[1..].iter().any(u8::is_ascii_uppercase)
        && (is_space(before) || matches!(before, b'>' | b'('))
        && (is_space(after) || is_end)
}

/// A top-level domain in lower case.
type Country = [u8; 2];

/// The country that all links agree in; links in other top-level domains do not count.
fn country_of_links(head: &[u8]) -> Option<Country> {
    let links = memchr::memmem::find_iter(head, b"://");
    let mut countries = links.filter_map(|at| country_of_host(&head[at + 3..]));
    let first = countries.next()?;
    countries.all(|country| country == first).then_some(first)
}

/// The top-level domain of the host that bytes begin with, if it belongs to a country.
fn country_of_host(bytes: &[u8]) -> Option<Country> {
    const LONGEST: usize = 253;
    let is_host = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-');
    let len = bytes
        .iter()
        .take(LONGEST)
        .take_while(|byte| is_host(byte))
        .count();
    match bytes[..len] {
        [.., b'.', a, b] if a.is_ascii_alphabetic() && b.is_ascii_alphabetic() => {
            Some([a, b].map(|byte| byte.to_ascii_lowercase()))
        }
        _ => None,
    }
}
