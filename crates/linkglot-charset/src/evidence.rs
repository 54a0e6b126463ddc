//! The parts of a document that tell its charset: words beyond ASCII, words in ASCII, the countries
//! of its links.

use std::collections::HashSet;
use std::ops::Range;

/// The most bytes beyond ASCII that are judged.
const ENOUGH: usize = 1024;

/// The most bytes of a run that are judged together.
const LONGEST: usize = 96;

/// The most words in ASCII that are judged, and how far in front of the first byte beyond ASCII they may stand.
const WORDS: usize = 160;
const BEFORE: usize = 4 << 10;

pub(crate) struct Evidence<'h> {
    pub head: &'h [u8],
    /// Runs of letters and bytes beyond ASCII that have one of these. Each counts once.
    pub runs: Vec<Range<usize>>,
    /// Words in ASCII of running text.
    pub words: Vec<&'h [u8]>,
    /// The bytes beyond ASCII of the document.
    pub seen: Vec<u8>,
    /// The top-level domain that all links agree in, if it is that of a country.
    pub country: Option<[u8; 2]>,
}

impl<'h> Evidence<'h> {
    pub(crate) fn new(head: &'h [u8]) -> Self {
        let first = head.iter().position(|byte| !byte.is_ascii()).unwrap_or(0);
        let mut seen = [false; 256];
        head.iter().for_each(|byte| seen[usize::from(*byte)] = true);
        Evidence {
            head,
            runs: runs(head, first),
            words: words(&head[first.saturating_sub(BEFORE)..]),
            seen: (128..=255).filter(|byte| seen[usize::from(*byte)]).collect(),
            country: country_of_links(head),
        }
    }
}

/// Whether a run stands between the delimiters of a link.
pub(crate) fn is_in_link(head: &[u8], run: &Range<usize>) -> bool {
    let is_delimiter = |byte: &u8| matches!(byte, b'/' | b'=' | b'_' | b'&' | b'?' | b'#' | b'%');
    let before = run.start.checked_sub(1).and_then(|at| head.get(at));
    before.is_some_and(is_delimiter) || head.get(run.end).is_some_and(is_delimiter)
}

/// Whether a digit stands next to a run.
pub(crate) fn touches_digit(head: &[u8], run: &Range<usize>) -> bool {
    let before = run.start.checked_sub(1).and_then(|at| head.get(at));
    [before, head.get(run.end)].into_iter().flatten().any(u8::is_ascii_digit)
}

fn is_of_run(byte: u8) -> bool {
    !byte.is_ascii() || byte.is_ascii_alphabetic()
}

fn runs(head: &[u8], first: usize) -> Vec<Range<usize>> {
    let mut runs = Vec::new();
    let (mut known, mut count) = (HashSet::new(), 0);
    let begin = head[..first].iter().rposition(|byte| !is_of_run(*byte)).map_or(0, |at| at + 1);
    let mut at = begin;
    while at < head.len() && count < ENOUGH {
        let len = head[at..].iter().take(LONGEST).take_while(|byte| is_of_run(**byte)).count();
        let run = &head[at..at + len];
        let others = run.iter().filter(|byte| !byte.is_ascii()).count();
        if others > 0 && known.insert(run) {
            runs.push(at..at + len);
            count += others;
        }
        at += len.max(1);
    }
    runs
}

/// Words of at least three letters that stand in running text: not in tags, not in links.
fn words(head: &[u8]) -> Vec<&[u8]> {
    let mut words = Vec::new();
    let (mut at, mut in_tag) = (0, false);
    while at < head.len() && words.len() < WORDS {
        match head[at] {
            b'<' if matches!(head.get(at + 1), Some(b'a'..=b'z' | b'A'..=b'Z' | b'/' | b'!' | b'?')) => in_tag = true,
            b'>' => in_tag = false,
            _ => {}
        }
        let len = head[at..].iter().take_while(|byte| is_of_run(**byte)).count();
        let word = &head[at..at + len];
        let before = at.checked_sub(1).map_or(b' ', |at| head[at]);
        let after = head.get(at + len).copied().unwrap_or(b' ');
        let is_prose = !in_tag
            && (3..=24).contains(&len)
            && matches!(before, b' ' | b'\n' | b'\r' | b'\t' | b'>' | b'(' | b'\'')
            && matches!(after, b' ' | b'\n' | b'\r' | b'\t' | b'<' | b')' | b',' | b'.' | b'!' | b'?' | b'\'')
            && !(after == b'.' && head.get(at + len + 1).is_some_and(u8::is_ascii_alphanumeric))
            && word.is_ascii()
            && !word[1..].iter().any(u8::is_ascii_uppercase);
        if is_prose {
            words.push(word);
        }
        at += len.max(1);
    }
    words
}

/// A top-level domain in lower case.
type Country = [u8; 2];

/// The country that all links agree in; those in other top-level domains do not count.
fn country_of_links(sample: &[u8]) -> Option<Country> {
    let links = memchr::memmem::find_iter(sample, b"://");
    let mut countries = links.filter_map(|at| country_of_host(&sample[at + 3..]));
    let first = countries.next()?;
    countries.all(|country| country == first).then_some(first)
}

/// The top-level domain of the host that bytes begin with, if it is that of a country.
fn country_of_host(bytes: &[u8]) -> Option<Country> {
    const LONGEST: usize = 253;
    let is_host = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-');
    let bytes = &bytes[..bytes.len().min(LONGEST)];
    let len = bytes.iter().position(|byte| !is_host(byte)).unwrap_or(bytes.len());
    match bytes[..len] {
        [.., b'.', a, b] if a.is_ascii_alphabetic() && b.is_ascii_alphabetic() => {
            Some([a, b].map(|byte| byte.to_ascii_lowercase()))
        }
        _ => None,
    }
}
