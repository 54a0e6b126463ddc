//! All `re:` rules of a set. A reference is compared with few patterns: those that require a text of the reference, and
//! those that require no text.

use super::pattern::{Decoded, MOST_MEMORY, Pattern, RegexCache};
use super::prefixes::Match;
use aho_corasick::{AhoCorasick, MatchKind};
use std::collections::HashMap;
use std::iter::Peekable;
use std::sync::OnceLock;

/// The patterns in the order of their rules.
#[derive(Clone, Debug, Default)]
pub(super) struct Patterns {
    all: Vec<Pattern>,
    /// The memory of the patterns that are compiled at the start.
    memory: usize,
    /// Patterns that were compiled on demand.
    kept: RegexCache,
    index: OnceLock<Index>,
}

/// The numbers of the patterns by the texts that they require.
#[derive(Clone, Debug, Default)]
struct Index {
    /// `None` if there are no texts.
    texts: Option<AhoCorasick>,
    /// For each text, the patterns for which it was chosen.
    requiring: Vec<Vec<usize>>,
    /// Patterns that require no text.
    others: Vec<usize>,
}

impl Patterns {
    /// Adds a pattern behind the others; returns an error in words if all patterns would take too much memory.
    pub fn push(&mut self, pattern: Pattern) -> Result<(), String> {
        self.memory = self.memory.saturating_add(pattern.memory());
        if self.memory > MOST_MEMORY {
            return Err(format!(
                "expected patterns that take at most {} MiB of memory together, but those up to `re:{}` take more: fewer \
                 repetitions (`{{1,100}}`) and classes (`\\w`) take less, and so do patterns with some text of the links",
                MOST_MEMORY >> 20,
                pattern.text
            ));
        }
        self.all.push(pattern);
        self.index = OnceLock::new();
        Ok(())
    }

    /// True if there are no patterns.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The patterns in the order of their rules.
    pub fn iter(&self) -> std::slice::Iter<'_, Pattern> {
        self.all.iter()
    }

    /// The patterns that change links again which they wrote.
    pub fn leading_back(&self) -> impl Iterator<Item = &Pattern> {
        let patterns = self.all.iter();
        patterns.filter(|pattern| pattern.leads_back(&self.kept))
    }

    /// The result of the first pattern that matches a reference. Linear in the length of the reference for each
    /// candidate pattern. The first call takes O(length of the patterns).
    pub fn apply(&self, reference: &str) -> Option<Match> {
        if self.is_empty() {
            return None;
        }
        let index = self.index.get_or_init(|| Index::new(&self.all));
        let mut candidates = index.candidates(reference);
        candidates.find_map(|number| self.all[number].apply(reference, &self.kept))
    }
}

impl Index {
    fn new(patterns: &[Pattern]) -> Self {
        let mut counts: HashMap<&[u8], usize> = HashMap::new();
        let required = patterns.iter().flat_map(|pattern| &pattern.required);
        required.for_each(|text| *counts.entry(text).or_default() += 1);
        let mut index = Index::default();
        let (mut texts, mut known) = (Vec::new(), HashMap::new());
        for (number, pattern) in patterns.iter().enumerate() {
            // The rarest text excludes the most patterns; of equally rare texts, the longest.
            let rarity = |text: &&Vec<u8>| (usize::MAX - counts[text.as_slice()], text.len());
            let Some(text) = pattern.required.iter().max_by_key(rarity) else {
                index.others.push(number);
                continue;
            };
            let at = *known.entry(text).or_insert_with(|| {
                texts.push(text);
                index.requiring.push(Vec::new());
                texts.len() - 1
            });
            index.requiring[at].push(number);
        }
        if texts.is_empty() {
            return index;
        }
        let built = AhoCorasick::builder()
            .match_kind(MatchKind::Standard)
            .ascii_case_insensitive(true)
            .build(&texts);
        match built {
            Ok(built) => index.texts = Some(built),
            // There are too many texts for the automaton: each pattern is tried.
            Err(_) => index.others = (0..patterns.len()).collect(),
        }
        index
    }

    /// The patterns that may match a reference or its decoded path, in order.
    fn candidates(&self, reference: &str) -> impl Iterator<Item = usize> {
        let mut found = vec![false; self.requiring.len()];
        let mut named = Vec::new();
        let path = &reference[..reference.find(['?', '#']).unwrap_or(reference.len())];
        let decoded = path.contains('%').then(|| Decoded::of(path, true));
        let decoded = decoded.flatten().map(|path| path.text);
        let readings = [Some(reference), decoded.as_deref()];
        for text in self.texts.iter().flat_map(|texts| {
            let readings = readings.into_iter().flatten();
            readings.flat_map(|reading| texts.find_overlapping_iter(reading))
        }) {
            let text = text.pattern().as_usize();
            if !std::mem::replace(&mut found[text], true) {
                named.extend_from_slice(&self.requiring[text]);
            }
        }
        named.sort_unstable();
        merged(named.into_iter(), self.others.iter().copied())
    }
}

/// Merges two ascending sequences.
fn merged(
    some: impl Iterator<Item = usize>,
    others: impl Iterator<Item = usize>,
) -> impl Iterator<Item = usize> {
    let (mut some, mut others): (Peekable<_>, Peekable<_>) = (some.peekable(), others.peekable());
    std::iter::from_fn(move || match (some.peek(), others.peek()) {
        (Some(a), Some(b)) if a > b => others.next(),
        (Some(_), _) => some.next(),
        (None, _) => others.next(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The result of a match, and the number of its rule.
    fn result(found: Option<Match>) -> Option<(String, usize)> {
        found.map(|found| (found.new, found.rule))
    }

    fn patterns(rules: &[(&str, &str)]) -> Patterns {
        let mut patterns = Patterns::default();
        for (number, (from, to)) in rules.iter().enumerate() {
            let pattern = Pattern::new(from, to, number).expect(from);
            patterns.push(pattern).expect(from);
        }
        patterns
    }

    /// The first matching rule decides, with or without a required text.
    #[test]
    fn the_same_as_trying_each() {
        let rules = [
            ("^/a/(.*)\\.html$", "1$1"),
            ("(?i)OLD\\.Example", "2"),
            ("^/\\d+$", "3"),
            ("b+c", "4"),
            ("(x|y)z", "5"),
            ("^/a/", "6"),
            ("\u{e9}", "7"),
            (".", "8"),
            ("unreached", "9"),
        ];
        let patterns = patterns(&rules);
        for reference in [
            "",
            "/a/b.html",
            "/A/b.html",
            "/a/b.htm",
            "/abcc",
            "/17",
            "//old.EXAMPLE/",
            "xz",
            "yz/a/",
            "\u{e9}z",
            "unreached",
        ] {
            let mut each = patterns.iter();
            let each = each.find_map(|pattern| pattern.apply(reference, &RegexCache::default()));
            let each = result(each);
            assert_eq!(result(patterns.apply(reference)), each, "{reference}");
            assert_eq!(each.is_none(), reference.is_empty());
        }
    }

    /// With many rules for pages of one host, a reference is compared with few of them.
    #[test]
    fn few_are_tried() {
        let rules: Vec<(String, String)> = (0..2000)
            .map(|n| {
                (
                    format!("^http://old\\.example/(\\w+)/x{n}/"),
                    format!("/{n}/$1"),
                )
            })
            .collect();
        let rules: Vec<_> = rules.iter().map(|(from, to)| (&**from, &**to)).collect();
        let patterns = patterns(&rules);
        let index = Index::new(&patterns.all);
        for n in [0, 7, 1234] {
            let reference = format!("http://old.example/a/x{n}/b");
            assert!(index.candidates(&reference).count() < 5, "{reference}");
            let found = result(patterns.apply(&reference));
            assert_eq!(found, Some((format!("/{n}/ab"), n)));
        }
        assert_eq!(index.candidates("http://old.example/").count(), 0);
    }

    #[test]
    fn what_is_compiled_is_bounded() {
        let mut patterns = Patterns::default();
        let added = (0..1000).try_for_each(|number| {
            let pattern = Pattern::new("[a-z\u{e9}]{9000}", "/", number)?;
            patterns.push(pattern)
        });
        let error = added.expect_err("too many");
        assert!(
            error.contains("at most 64 MiB") && error.contains("`re:[a-z"),
            "{error}"
        );
        assert!(patterns.iter().count() > 5);
        let error = Pattern::new("\\w{9000}", "/", 0).expect_err("too large");
        assert!(error.contains("limit of 10485760"), "{error}");
        // Patterns that are compiled on demand.
        let rules: Vec<String> = (0..500).map(|n| format!("^/(\\w+)/(\\d+)/x{n}$")).collect();
        let rules: Vec<_> = rules.iter().map(|from| (&**from, "/$2")).collect();
        let patterns = self::patterns(&rules);
        // The check of rules compiles none of these.
        assert_eq!(patterns.leading_back().count(), 0);
        assert_eq!(patterns.kept.memory(), 0);
        for n in 0..500 {
            let found = result(patterns.apply(&format!("/a/{n}/x{n}")));
            assert_eq!(found, Some((format!("/{n}"), n)));
        }
        let memory = patterns.kept.memory();
        assert!((1..=MOST_MEMORY).contains(&memory), "{memory}");
    }
}
