//! Checks rules for mistakes before anything is rewritten.

use super::Reach;
use super::halves::{begins_with_host, is_path, normal_form};
use super::prefixes::Prefix;
use super::rules::{Rules, Ruling};
use crate::charset::Charset;
use crate::error::{QUOTED, shortened};
use crate::iri::target::Reading;
use crate::link::scheme_of;
use regex_syntax::hir::literal::{ExtractKind, Extractor};
use regex_syntax::hir::{Hir, HirKind, Look};
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

/// The most rules through which a link is followed to find a circle.
const MAX_STEPS: usize = 16;

/// A fault of a rule, from [`Rules::check`]. The displayed text names the rule first and the other rule last.
///
/// ```
/// use linkglot::rewrite::{Gravity, Rules};
///
/// let mut rules = Rules::default();
/// rules.add("http://old.example/ https://new.example")?;
/// let fault = &rules.check()[0];
/// assert_eq!((fault.gravity, fault.rule, fault.other), (Gravity::Error, 0, None));
/// assert!(fault.to_string().contains("did you mean `http://old.example/ https://new.example/`?"));
/// # Ok::<(), linkglot::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fault {
    /// The severity: whether links would be wrong.
    pub gravity: Gravity,
    /// The number of the rule in [`Rules::given`].
    pub rule: usize,
    /// The number of the other rule, if two rules conflict.
    pub other: Option<usize>,
    message: String,
}

/// Gravity of a [`Fault`].
///
/// ```
/// use linkglot::rewrite::{Gravity, Rules};
///
/// let mut rules = Rules::default();
/// rules.add_file("http://a.example/ http://b.example/\nre:^http://a\\.example/(.*) /$1\n")?;
/// assert_eq!(rules.check()[0].gravity, Gravity::Warning);
/// # Ok::<(), linkglot::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Gravity {
    /// The rule is useless, or perhaps not intended.
    Warning,
    /// Links would be wrong, or change again with each run.
    Error,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Rules {
    /// Faults of the rules, in their order: slashes on only one side of a rule; hosts that would be read as paths;
    /// rules that another rule hides; `re:` rules for references that a prefix takes; rules that lead in a circle, or
    /// to a place that another rule moves. O(rules × log(rules)).
    ///
    /// ```
    /// use linkglot::rewrite::Rules;
    ///
    /// let mut rules = Rules::default();
    /// rules.add("http://a.example/ http://b.example/")?;
    /// assert!(rules.check().is_empty());
    /// rules.add("http://b.example/ http://a.example/")?;
    /// assert!(rules.check()[0].to_string().contains("`http://b.example/ http://a.example/` leads back"));
    /// # Ok::<(), linkglot::Error>(())
    /// ```
    pub fn check(&self) -> Vec<Fault> {
        // A prefix of each rule, with a scheme if any has one.
        let mut live: Vec<Option<&Prefix>> = vec![None; self.given.len()];
        for prefix in self.normal.iter() {
            let own = &mut live[prefix.rule];
            if own.is_none_or(|own| scheme_of(&own.from).is_none()) {
                *own = Some(prefix);
            }
        }
        let mut in_circle = vec![false; self.given.len()];
        let mut faults = Vec::new();
        for (number, prefix) in live.iter().enumerate() {
            faults.extend(self.scheme_fault(number));
            let rule = &self.given[number];
            if rule.from.starts_with("re:") || rule.unwraps {
                continue;
            }
            faults.extend(self.wildcard_fault(number));
            faults.extend(self.slash_fault(number));
            faults.extend(self.query_fault(number));
            match prefix {
                None => faults.extend(self.hidden_fault(number)),
                Some(prefix) if !in_circle[number] => {
                    faults.extend(self.circle_fault(prefix, &mut in_circle));
                }
                Some(_) => {}
            }
        }
        faults.extend(self.pattern_faults());
        faults.sort_by_key(|fault| fault.rule);
        faults
    }

    /// The warnings of [`check`](Self::check), for programs that refuse rules that would make wrong links.
    ///
    /// # Errors
    ///
    /// The first fault by which links would be wrong; its text tells how many more there are.
    ///
    /// ```
    /// use linkglot::rewrite::Rules;
    ///
    /// let mut rules = Rules::default();
    /// rules.add("http://a.example/ http://b.example")?;
    /// assert_eq!(rules.validate().unwrap_err().rule, 0);
    /// # Ok::<(), linkglot::Error>(())
    /// ```
    pub fn validate(&self) -> Result<Vec<Fault>, Fault> {
        let faults = self.check();
        let (errors, warnings): (Vec<Fault>, Vec<Fault>) = faults
            .into_iter()
            .partition(|fault| fault.gravity == Gravity::Error);
        let more = errors.len().saturating_sub(1);
        match errors.into_iter().next() {
            None => Ok(warnings),
            Some(first) if more == 0 => Err(first),
            Some(first) => Err(Fault {
                message: format!("{first} (and {more} more faulty rules)"),
                ..first
            }),
        }
    }

    fn fault(&self, gravity: Gravity, rules: (usize, Option<usize>), words: &str) -> Fault {
        let name = |number: usize| format!("`{}`", quoted(&self.given[number].to_string()));
        let other = rules
            .1
            .map_or(String::new(), |other| format!(" {}", name(other)));
        Fault {
            gravity,
            rule: rules.0,
            other: rules.1,
            message: format!("{} {words}{other}", name(rules.0)),
        }
    }

    /// A host without a scheme that would be read as a path: no scheme is known.
    fn scheme_fault(&self, number: usize) -> Option<Fault> {
        let rule = &self.given[number];
        let has_own = match rule.from.strip_prefix("re:") {
            Some(pattern) => !pattern.contains("://"),
            None => !is_path(&rule.from),
        };
        if has_own || !begins_with_host(&rule.to) {
            return None;
        }
        let (from, to) = (quoted(&rule.from), quoted(&rule.to));
        let words = format!(
            "would write relative links, to a directory `{to}`; did you mean `{from} https://{to}`?"
        );
        Some(self.fault(Gravity::Warning, (number, None), &words))
    }

    /// A `*` in a prefix, which is no wildcard.
    fn wildcard_fault(&self, number: usize) -> Option<Fault> {
        let rule = &self.given[number];
        let is_literal = !rule.from.starts_with("re:") && rule.from.contains('*');
        let words = "takes `*` for itself; `re:` begins a pattern, in which `.*` is anything";
        is_literal.then(|| self.fault(Gravity::Warning, (number, None), words))
    }

    /// A slash at the end of only one side: `http://new.exampleapi`.
    fn slash_fault(&self, number: usize) -> Option<Fault> {
        let rule = &self.given[number];
        let (from, to) = (rule.from.as_str(), rule.to.as_str());
        if rule.whole {
            return None;
        }
        let (gravity, words) = if from.ends_with('/') && !to.ends_with(['/', '?', '#', '=', '&']) {
            let (from, to) = (quoted(from), quoted(to));
            let glued = format!(
                "would glue the rest of a link to TO: `{from}x` would become `{to}x`; did you mean `{from} {to}/`?"
            );
            (Gravity::Error, glued)
        } else if to.ends_with('/') && !from.ends_with(['/', '?', '#', '=', '&']) && !is_page(from)
        {
            let (from, to) = (quoted(from), quoted(to));
            let uneven = format!("has a slash at the end of TO only; did you mean `{from}/ {to}`?");
            (Gravity::Warning, uneven)
        } else {
            return None;
        };
        Some(self.fault(gravity, (number, None), &words))
    }

    /// A host that leads to a query or a fragment, which cannot go on with a path: only the root of the host moves.
    fn query_fault(&self, number: usize) -> Option<Fault> {
        let rule = &self.given[number];
        let is_host = is_origin(rule.from.trim_end_matches('/')) && !rule.from.starts_with("re:");
        let end = rule
            .to
            .find(['?', '#'])
            .filter(|_| is_host && !rule.whole)?;
        let what = if rule.to[end..].starts_with('?') {
            "query"
        } else {
            "fragment"
        };
        let words = format!(
            "moves only the root: nothing can follow a {what}; `re:` begins a pattern, which can move what is below"
        );
        Some(self.fault(Gravity::Warning, (number, None), &words))
    }

    /// A rule whose prefixes all belong to another rule.
    fn hidden_fault(&self, number: usize) -> Option<Fault> {
        let rule = &self.given[number];
        let normal = normal_form(&rule.from);
        let bare = normal.strip_suffix('/').unwrap_or(&normal);
        let mut owners = [&*normal, bare].into_iter();
        let owner = owners.find_map(|from| self.normal.with(from));
        let owner = owner.or_else(|| self.normal.naming(&normal));
        let other = owner?.rule;
        let words = if self.given[other].to == rule.to {
            "says the same as"
        } else {
            "never matches, because it is hidden by"
        };
        Some(self.fault(Gravity::Warning, (number, Some(other)), words))
    }

    /// A rule whose links another rule, or the same rule, moves again.
    fn circle_fault(&self, prefix: &Prefix, in_circle: &mut [bool]) -> Option<Fault> {
        let number = prefix.rule;
        if scheme_of(&prefix.to).is_some_and(|scheme| !self.has_scheme(scheme)) {
            return None;
        }
        self.normal.naming(&normal_form(&prefix.to))?;
        let reading = Reading {
            base: None,
            query: Charset::UTF_8,
        };
        let step = |text: &str| {
            let verdict = self.ruling(text, reading, Reach::default());
            match verdict.ruling {
                Ruling::Becomes(new) => Some((verdict.rule?, new)),
                Ruling::Silent | Ruling::Stuck | Ruling::Wrapped => None,
            }
        };
        let (first, mut text) = step(&prefix.from).filter(|(first, _)| *first == number)?;
        let mut passed = vec![first];
        while let Some((next, new)) = step(&text) {
            if let Some(at) = passed.iter().position(|&rule| rule == next) {
                passed[at..].iter().for_each(|&rule| in_circle[rule] = true);
                let last = *passed.last()?;
                let other = (last != next).then_some(next);
                let words = match other {
                    None => "leads back to itself, so that each run would change its links again",
                    Some(_) => {
                        "leads back to where another rule begins, so that each run would change links again:"
                    }
                };
                return Some(self.fault(Gravity::Error, (last, other), words));
            }
            passed.push(next);
            text = new;
            if passed.len() > MAX_STEPS {
                break;
            }
        }
        let next = *passed.get(1)?;
        let words = "makes links that a second run would change again, by";
        Some(self.fault(Gravity::Warning, (number, Some(next)), words))
    }

    /// Patterns for references that a prefix takes first, patterns that an earlier pattern hides, and patterns that
    /// change their own results.
    fn pattern_faults(&self) -> Vec<Fault> {
        let mut known: HashMap<&str, usize> = HashMap::new();
        let words = "changes its own links again with each run";
        let faults = self.patterns.leading_back();
        let faults =
            faults.map(|pattern| self.fault(Gravity::Warning, (pattern.number, None), words));
        let mut faults: Vec<Fault> = faults.collect();
        for pattern in self.patterns.iter() {
            if let Some(&other) = known.get(pattern.text.as_str()) {
                let words = "never matches, because it is hidden by";
                faults.push(self.fault(Gravity::Warning, (pattern.number, Some(other)), words));
                continue;
            }
            known.insert(&pattern.text, pattern.number);
            if let Some((prefix, is_anchored)) = self.prefix_before(&pattern.text) {
                let words = if is_anchored {
                    "never matches, because prefixes are tried before patterns, and this prefix takes all its links:"
                } else {
                    "matches no link that it begins, because prefixes are tried before patterns, and this prefix takes them:"
                };
                let rules = (pattern.number, Some(prefix.rule));
                faults.push(self.fault(Gravity::Warning, rules, words));
            }
        }
        faults
    }

    /// The prefix that names all matches of a pattern at the start of a reference; and whether there are no other
    /// matches.
    fn prefix_before(&self, pattern: &str) -> Option<(&Prefix, bool)> {
        let hir = regex_syntax::parse(pattern).ok()?;
        let is_anchored = begins_at_start(&hir);
        let mut extractor = Extractor::new();
        extractor.kind(ExtractKind::Prefix);
        let literals = extractor.extract(&hir);
        let mut found = None;
        for literal in literals.literals()? {
            let literal = std::str::from_utf8(literal.as_bytes()).ok()?;
            let is_absolute = literal.starts_with('/') || scheme_of(literal).is_some();
            if !is_absolute && !is_anchored {
                return None;
            }
            let takes = |prefix: &&Prefix| {
                let rest = prefix.rest(literal, &prefix.from);
                let is_closed = prefix.from.ends_with(['/', '?', '#']);
                !prefix.whole
                    && !prefix.in_text
                    && rest.is_some_and(|rest| is_closed || !rest.is_empty())
            };
            let mut prefixes = self.prefixes.in_front_of(literal).into_iter();
            found = Some(prefixes.find(takes)?);
        }
        found.map(|prefix| (prefix, is_anchored))
    }
}

/// A rule, or a side of a rule, as quoted in messages.
fn quoted(text: &str) -> Cow<'_, str> {
    shortened(text, QUOTED)
}

/// True if a pattern matches only at the start of a text.
pub(super) fn begins_at_start(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Look(look) => *look == Look::Start,
        HirKind::Concat(parts) => parts.first().is_some_and(begins_at_start),
        HirKind::Capture(group) => begins_at_start(&group.sub),
        HirKind::Alternation(parts) => parts.iter().all(begins_at_start),
        _ => false,
    }
}

/// True if a reference is a page, with nothing below it.
fn is_page(reference: &str) -> bool {
    let path = reference
        .split_once("://")
        .map_or(reference, |(_, rest)| rest);
    let (_, last) = path.rsplit_once('/').unwrap_or(("", ""));
    reference.contains(['?', '#']) || last.contains('.')
}

/// True if a reference ends with its authority.
fn is_origin(reference: &str) -> bool {
    let authority = reference.split_once("//").map(|(_, rest)| rest);
    match authority {
        Some(authority) => !authority.contains('/'),
        None => begins_with_host(reference) && !reference.contains('/'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = "http://old.example/ https://new.example/";

    /// The expected faults: gravity, rule, other rule and words.
    #[test]
    fn faults_name_the_rules() {
        use Gravity::{Error, Warning};
        type Case<'c> = (
            &'c [&'c str],
            Option<(Gravity, usize, Option<usize>, &'c str)>,
        );
        let cases: &[Case<'_>] = &[
            (&[OLD], None),
            (&["http://old.example https://new.example"], None),
            (
                &["http://old.example/ https://new.example"],
                Some((
                    Error,
                    0,
                    None,
                    "`https://new.examplex`; did you mean `http://old.example/ https://new.example/`?",
                )),
            ),
            (
                &["/old/ /new"],
                Some((Error, 0, None, "did you mean `/old/ /new/`?")),
            ),
            (
                &["old.example/ new.example"],
                Some((Error, 0, None, "did you mean `old.example/ new.example/`?")),
            ),
            (
                &["http://old.example https://new.example/"],
                Some((
                    Warning,
                    0,
                    None,
                    "did you mean `http://old.example/ https://new.example/`?",
                )),
            ),
            (
                &["old.example https://new.example/"],
                Some((Warning, 0, None, "at the end of TO only")),
            ),
            (
                &["/about /about-us/"],
                Some((Warning, 0, None, "did you mean `/about/ /about-us/`?")),
            ),
            (&["/about.html /about/"], None),
            (&["/wiki/ /page?name="], None),
            (&["/?page=1 /one/"], None),
            // Hosts that would be directories.
            (
                &["/blog/ blog.example/"],
                Some((
                    Warning,
                    0,
                    None,
                    "did you mean `/blog/ https://blog.example/`?",
                )),
            ),
            (
                &["re:^http://([a-z]+)\\.old\\.example/ new.example/$1/"],
                Some((Warning, 0, None, "relative links")),
            ),
            (&["re:^old\\.example/ new.example/"], None),
            (&["http://old.example/ new.example/"], None),
            // Hidden rules.
            (
                &[OLD, "HTTP://Old.Example:80/ https://other.example/"],
                Some((
                    Warning,
                    1,
                    Some(0),
                    "is hidden by `http://old.example/ https://new.example/`",
                )),
            ),
            (
                &[OLD, OLD],
                Some((Warning, 1, Some(0), "says the same as `http://old.example/")),
            ),
            (&[OLD, "http://old.example/a/ https://new.example/b/"], None),
            (&[OLD, "old.example/ https://other.example/"], None),
            (
                &["re:a(b) /$1", "re:a(b) /x"],
                Some((Warning, 1, Some(0), "hidden by `re:a(b) /$1`")),
            ),
            // Patterns behind prefixes.
            (
                &[OLD, "re:^http://old\\.example/(\\d+)$ /y"],
                Some((Warning, 1, Some(0), "never matches")),
            ),
            (
                &["re:^http://old\\.example/(a|b)/ /$1", OLD],
                Some((Warning, 0, Some(1), "never matches")),
            ),
            (
                &[OLD, "re:http://old\\.example/(\\d+)$ /y"],
                Some((Warning, 1, Some(0), "matches no link that it begins")),
            ),
            (
                &[
                    "http://old.example https://new.example",
                    "re:^http://old\\.example/x /y",
                ],
                Some((Warning, 1, Some(0), "never matches")),
            ),
            (
                &[
                    "old.example/ new.example/",
                    "re:^https://old\\.example/x /y",
                ],
                Some((Warning, 1, Some(0), "never matches")),
            ),
            (&[OLD, "re:^http://old\\.example /y"], None),
            // Patterns that match what they write.
            (
                &["re:^/ /blog/"],
                Some((Warning, 0, None, "changes its own links again")),
            ),
            (
                &["re:^http://a\\.example/(\\d+)$ http://a.example/$1$1"],
                Some((Warning, 0, None, "changes its own links again")),
            ),
            (&["re:^/(.*)\\.html$ /$1"], None),
            (&["re:^/old/(.*)$ /new/$1"], None),
            (&[OLD, "re:^https?://old\\.example/x /y"], None),
            (&[OLD, "re:x$ /y"], None),
            // Circles and chains.
            (
                &[
                    "http://a.example/ http://b.example/",
                    "http://b.example/ http://a.example/",
                ],
                Some((Error, 1, Some(0), "leads back")),
            ),
            (
                &[
                    "http://a.example/ http://b.example/",
                    "http://b.example/x/ http://a.example/x/",
                ],
                Some((Error, 0, Some(1), "leads back")),
            ),
            (
                &[
                    "http://a.example/ http://b.example/x/",
                    "http://b.example/ http://a.example/y/",
                ],
                Some((Error, 1, Some(0), "leads back")),
            ),
            (
                &["a.example b.example", "b.example a.example"],
                Some((Error, 1, Some(0), "leads back")),
            ),
            (&["http://a.example/ HTTP://A.example:80/new/"], None),
            (
                &[
                    "http://a.example/ http://b.example/",
                    "http://b.example/ http://c.example/",
                ],
                Some((
                    Warning,
                    0,
                    Some(1),
                    "a second run would change again, by `http://b.example/ http://c.example/`",
                )),
            ),
            (&["http://a.example/ https://a.example/"], None),
            (&["a.example https://a.example"], None),
            (&["http://a.example/ http://a.example/"], None),
        ];
        for (lines, expected) in cases {
            let mut rules = Rules::default();
            for line in *lines {
                rules.add(line).expect(line);
            }
            let faults = rules.check();
            let found = faults.first();
            let shown: Vec<String> = faults.iter().map(ToString::to_string).collect();
            match expected {
                None => assert!(faults.is_empty(), "{lines:?}: {shown:?}"),
                Some((gravity, rule, other, words)) => {
                    let found = found.unwrap_or_else(|| panic!("no fault of {lines:?}"));
                    assert_eq!(
                        (found.gravity, found.rule, found.other),
                        (*gravity, *rule, *other),
                        "{lines:?}: {shown:?}"
                    );
                    assert!(shown[0].contains(words), "{lines:?}: {shown:?}");
                }
            }
        }
    }

    #[test]
    fn wrong_rules_are_an_error_and_useless_ones_a_warning() {
        let rules = |lines: &[&str]| {
            let mut rules = Rules::default();
            lines.iter().for_each(|line| rules.add(line).expect(line));
            rules.validate()
        };
        let useless = rules(&[OLD, OLD]).unwrap();
        assert_eq!(useless.len(), 1);
        let glued = rules(&[OLD, OLD, "/a/ /b"]).unwrap_err();
        assert_eq!((glued.rule, glued.gravity), (2, Gravity::Error));
        let two = rules(&["/a/ /b", "/c/ /d"]).unwrap_err().to_string();
        assert!(two.ends_with("(and 1 more faulty rules)"), "{two}");
    }
}
