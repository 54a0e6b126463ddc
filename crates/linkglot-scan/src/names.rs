//! Names that end with a top-level domain, without a scheme or `www.`: links, files, members of programs, or words
//! without a space between them. `names.txt` says how often a name of some shape is which.
//!
//! The decision depends on the name alone, so that it is local.

use super::host;
use super::lists;
use super::packed::{Lines, packed_len};
use std::sync::OnceLock;

const TEXT: &str = include_str!("names.txt");
static LINES: Lines<{ packed_len(TEXT) }> = Lines::new(TEXT);

/// Classes of names, in the order of the columns of `names.txt`: links first, then all that are none.
const CLASSES: usize = 4;
/// A value for each class: counts, or logarithms of frequencies.
type Weights<T> = [T; CLASSES];

/// Unit of logarithms to the base of two.
const UNIT: f64 = 256.0;
/// The least lead of links over any other class, as a logarithm. The counts of links are of all hosts, of which few
/// also occur alone. `refresh_names.py` has the same value.
const MARGIN: i32 = (5.5 * UNIT) as i32;
/// Addition to the count of a class below a top-level domain: packages that were not counted have other names.
const UNSEEN: f64 = 1.25;
/// The longest label that is counted.
const LONGEST: usize = 24;

/// The counts of one feature.
struct Feature {
    /// Sorted by value.
    entries: Vec<(&'static str, Weights<u32>)>,
    total: Weights<u32>,
}

impl Feature {
    fn read(kind: &str) -> Feature {
        let entry = |line: &'static str| {
            let mut words = line.strip_prefix(kind)?.strip_prefix(' ')?.split(' ');
            let value = words.next()?;
            let mut counts = [0; CLASSES];
            for count in &mut counts {
                *count = words.next()?.parse().ok()?;
            }
            Some((value, counts))
        };
        let mut entries: Vec<_> = LINES.lines().filter_map(entry).collect();
        entries.sort_unstable_by_key(|entry| entry.0);
        let mut total = [0; CLASSES];
        for (_, counts) in &entries {
            for (total, count) in total.iter_mut().zip(counts) {
                *total += count;
            }
        }
        Feature { entries, total }
    }
}

/// Logarithms by value, and those of the values that are counted together (`*`).
struct Table {
    entries: Vec<(&'static str, Weights<i32>)>,
    others: Weights<i32>,
}

impl Table {
    /// Frequencies of the classes under top-level domains.
    fn of_tlds() -> Table {
        let weigh = |counts: Weights<u32>| counts.map(|count| log(f64::from(count) + UNSEEN));
        Table::new(Feature::read("tld").entries, weigh)
    }

    /// Frequencies of the values of a feature within each class.
    fn within_classes(kind: &str) -> Table {
        let Feature { entries, total } = Feature::read(kind);
        let number = entries.len() as f64;
        let share = |count, total| (f64::from(count) + 0.5) / (f64::from(total) + 0.5 * number);
        let weigh = |counts: Weights<u32>| std::array::from_fn(|i| log(share(counts[i], total[i])));
        Table::new(entries, weigh)
    }

    fn new(
        entries: Vec<(&'static str, Weights<u32>)>,
        weigh: impl Fn(Weights<u32>) -> Weights<i32>,
    ) -> Table {
        let others = entries.iter().find(|entry| entry.0 == "*");
        let others = others.map_or([0; CLASSES], |others| others.1);
        let weighed = entries
            .into_iter()
            .map(|(value, counts)| (value, weigh(counts)));
        Table {
            others: weigh(others),
            entries: weighed.collect(),
        }
    }

    fn get(&self, value: &str) -> Option<&Weights<i32>> {
        let mut lower = [0; LONGEST];
        let lower = lower.get_mut(..value.len())?;
        lower.copy_from_slice(value.as_bytes());
        lower.make_ascii_lowercase();
        let key = |entry: &(&'static str, _)| entry.0.as_bytes().cmp(lower);
        let at = self.entries.binary_search_by(key).ok()?;
        Some(&self.entries.get(at)?.1)
    }

    fn weights(&self, value: &str) -> &Weights<i32> {
        self.get(value).unwrap_or(&self.others)
    }
}

fn log(frequency: f64) -> i32 {
    (frequency.log2() * UNIT).round() as i32
}

struct Names {
    /// Well-known hosts that the counts refuse, sorted.
    known: Vec<&'static str>,
    tlds: Table,
    last: Table,
    first: Table,
    labels: Table,
    case: Table,
}

fn names() -> &'static Names {
    static NAMES: OnceLock<Names> = OnceLock::new();
    NAMES.get_or_init(|| Names {
        known: known(),
        tlds: Table::of_tlds(),
        last: Table::within_classes("last"),
        first: Table::within_classes("first"),
        labels: Table::within_classes("labels"),
        case: Table::within_classes("case"),
    })
}

fn known() -> Vec<&'static str> {
    let mut known: Vec<_> = LINES
        .lines()
        .filter_map(|line| line.strip_prefix("known "))
        .collect();
    known.sort_unstable();
    known
}

/// True for a label beyond ASCII, also in its ASCII form.
fn is_native(label: &str) -> bool {
    let prefix = label.get(..4);
    !label.is_ascii() || prefix.is_some_and(|prefix| prefix.eq_ignore_ascii_case("xn--"))
}

/// Part of the link behind a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Behind {
    Path,
    Other,
}

/// True if a host without a scheme or `www.` is a link rather than the name of a file, a member of a program or words.
/// `top`: the start of its top-level domain.
pub(super) fn is_link(host: &str, top: usize, behind: Behind) -> bool {
    let (name, tld) = host.split_at_checked(top).unwrap_or((host, ""));
    let name = name.trim_end_matches(host::is_dot);
    let names = names();
    let known = names.tlds.get(tld);
    // Few words and files look like native domains, and domains that the caller chose are no words by accident.
    let is_native = || host.split(host::is_dot).any(is_native);
    let only_links = known.is_none_or(|[_, others @ ..]| others.iter().all(|&n| n == log(UNSEEN)));
    if only_links && is_native() || known.is_none() && !lists::tlds().contains(tld) {
        return true;
    }
    let [link, file, member, word] = *known.unwrap_or(&names.tlds.others);
    // A path suffices, unless the top-level domain is a word of programs that no host was seen below.
    if behind == Behind::Path {
        return known.is_none() || link > log(UNSEEN) || file >= member.max(word);
    }
    if is_version(name) {
        return false;
    }
    let last = name.rsplit(host::is_dot).next().unwrap_or("");
    let first = name.split_once(host::is_dot).map(|(first, _)| first);
    let case = [case_of_labels(name), case(tld)];
    let mut sums = [link, file, member, word];
    for weights in [
        of_label(&names.last, last),
        first.map_or(&[0; CLASSES], |first| of_label(&names.first, first)),
        names.labels.weights(labels(name, last)),
        names.case.weights(std::str::from_utf8(&case).unwrap_or("")),
    ] {
        for (sum, weight) in sums.iter_mut().zip(weights) {
            *sum += weight;
        }
    }
    let [link, others @ ..] = sums;
    let is_counted = others.iter().all(|other| link >= other + MARGIN);
    let registered = host.get(name.len() - last.len()..).unwrap_or("");
    is_counted || is_known(&names.known, registered)
}

/// Weights of the label in front of the top-level domain, or of the first of several.
fn of_label<'n>(counted: &'n Table, label: &str) -> &'n Weights<i32> {
    if label.bytes().all(|byte| byte.is_ascii_digit()) {
        return counted.weights("0");
    }
    // A letter may stand for anything.
    if label.len() == 1 {
        return &[0; CLASSES];
    }
    counted.weights(label)
}

/// True for a well-known host in any case.
fn is_known(known: &[&str], host: &str) -> bool {
    let lower = || host.bytes().map(|byte| byte.to_ascii_lowercase());
    let order = |name: &&str| name.bytes().cmp(lower());
    known.binary_search_by(order).is_ok()
}

/// True for at least two numbers: the top-level domain is a word then (`3.5.GA`).
fn is_version(name: &str) -> bool {
    name.contains('.')
        && name
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.')
}

/// The feature `labels`: the number of labels, or that the last is one under which registries give out domains.
fn labels(name: &str, last: &str) -> &'static str {
    match name.matches(host::is_dot).count() {
        0 => "1",
        _ if lists::is_registry_label(last) => "registry",
        1 => "2",
        _ => "3",
    }
}

/// The feature `case` of labels: programs have capitals behind small letters.
fn case_of_labels(name: &str) -> u8 {
    let is_inner = |pair: &[u8]| matches!(pair, [b'a'..=b'z', b'A'..=b'Z']);
    if name.as_bytes().windows(2).any(is_inner) {
        b'c'
    } else {
        case(name)
    }
}

/// The case of a text: its letters are lower case, upper case, titled, mixed, or it has none.
fn case(text: &str) -> u8 {
    if text.is_ascii() {
        let letters = text.bytes().filter(u8::is_ascii_alphabetic);
        return case_of(letters.map(|letter| letter.is_ascii_uppercase()));
    }
    let letters = text.chars().filter(|ch| ch.is_alphabetic());
    case_of(letters.map(char::is_uppercase))
}

/// The case of letters, of which each is upper case or not.
fn case_of(mut letters: impl Iterator<Item = bool>) -> u8 {
    let Some(first) = letters.next() else {
        return b'n';
    };
    let (mut lower, mut upper) = (false, false);
    for is_upper in letters {
        upper |= is_upper;
        lower |= !is_upper;
    }
    match (first, lower, upper) {
        (false, _, false) => b'l',
        (true, false, _) => b'u',
        (true, _, false) => b't',
        _ => b'm',
    }
}
