//! `re:` rules: a regular expression, and the replacement of its match.

use super::halves::is_path;
use super::prefixes::Match;
use super::required::{required_texts, weight};
use crate::error::{QUOTED, shortened};
use crate::link::{is_network_path, scheme_of};
use regex_automata::Span;
use regex_automata::meta::{BuildError, Regex};
use regex_automata::util::captures::Captures;
use regex_automata::util::interpolate;
use regex_syntax::Error as Syntax;
use regex_syntax::hir::literal::{ExtractKind, Extractor, Literal};
use regex_syntax::hir::{Hir, HirKind};
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::{Deref, Range};
use std::sync::{Arc, Mutex, PoisonError};

/// The most memory of the compiled patterns of a set of rules: once for patterns compiled at the start, and once for
/// patterns compiled on demand.
pub(super) const MOST_MEMORY: usize = 64 << 20;

/// The greatest weight of a pattern that is compiled on demand; heavier patterns are compiled at the start.
const HEAVY: usize = 16 << 10;

/// The most groups in the replacement of a match: servers have nine, and each group repeats the link.
const MOST_GROUPS: usize = 32;

/// A rule with a pattern.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    /// The compiled pattern; `None` if it is compiled on demand, as it is light and few references have its texts.
    regex: Option<Regex>,
    /// Texts in each match, in lower case.
    pub required: Vec<Vec<u8>>,
    /// The pattern as given.
    pub text: String,
    /// The replacement, with `$1` and `${name}` for groups.
    to: String,
    /// The number of the rule.
    pub number: usize,
    scope: Scope,
    /// The text of TO up to a group directly behind its host: `https://new.example$1`.
    open_host: Option<String>,
    /// The origin of rules for paths alone.
    base: Option<String>,
}

/// A compiled pattern.
enum Compiled<'p> {
    Own(&'p Regex),
    Kept(Arc<Regex>),
}

impl Deref for Compiled<'_> {
    type Target = Regex;

    fn deref(&self) -> &Regex {
        match self {
            Compiled::Own(regex) => regex,
            Compiled::Kept(regex) => regex,
        }
    }
}

/// Patterns that were compiled on demand, by the numbers of their rules, up to [`MOST_MEMORY`]. A clone is empty, as
/// its rules may be others.
#[derive(Debug, Default)]
pub(super) struct RegexCache(Mutex<KeptRegexes>);

#[derive(Debug, Default)]
struct KeptRegexes {
    by_rule: HashMap<usize, Arc<Regex>>,
    memory: usize,
}

impl Clone for RegexCache {
    fn clone(&self) -> Self {
        RegexCache::default()
    }
}

impl RegexCache {
    fn regex(&self, number: usize, pattern: &str) -> Option<Arc<Regex>> {
        let kept = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(regex) = kept().by_rule.get(&number) {
            return Some(Arc::clone(regex));
        }
        // Automata would take more memory than the pattern. A light pattern needs no limit.
        let config = Regex::config();
        let config = config.hybrid(false).dfa(false).nfa_size_limit(None);
        let regex = Arc::new(Regex::builder().configure(config).build(pattern).ok()?);
        // Searching needs as much memory again.
        let memory = 2 * regex.memory_usage();
        let mut kept = kept();
        if kept.memory.saturating_add(memory) > MOST_MEMORY {
            *kept = KeptRegexes::default();
        }
        kept.memory += memory;
        kept.by_rule.insert(number, Arc::clone(&regex));
        Some(regex)
    }

    /// The memory of all kept patterns.
    #[cfg(test)]
    pub fn memory(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).memory
    }
}

/// The text that a pattern is compared with.
#[derive(Clone, Debug)]
enum Scope {
    /// A whole reference, of which the match is replaced.
    Reference,
    /// The path of a reference to a site, replaced as a whole, as servers do.
    Paths(SitePaths),
}

/// The reading of a pattern by a server: it is compared with paths of a site, and TO replaces the whole reference.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct SitePaths {
    /// The origin of the site, if the rule names one. References to other sites are left, and so are paths alone.
    pub origin: Option<String>,
    /// The part of the path in front of what is compared, and in front of a target that is neither a path nor an
    /// absolute link. `None` if there are no such targets.
    pub folder: Option<String>,
    pub query: Query,
    /// True if the server decodes the path first. Groups keep the spelling of the reference.
    pub decodes: bool,
    /// True if the site serves the page itself, or an error: its links stay.
    pub keeps: bool,
}

/// The fate of the query of a reference that a server redirects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Query {
    /// It goes on behind a target without a query.
    #[default]
    Kept,
    /// It goes on behind that of the target.
    Appended,
    Dropped,
    /// The pattern is compared with path and query.
    Compared,
}

impl SitePaths {
    /// The origin that a reference has, `base` if the rule names none; and what follows, which begins with a slash
    /// (RFC 3986 6.2.3). `None` if the reference is for another site.
    fn split<'r>(&self, reference: &'r str, base: Option<&str>) -> Option<(&'r str, Cow<'r, str>)> {
        if self.origin.is_none() && is_path(reference) {
            return Some(("", reference.into()));
        }
        let origin = self.origin.as_deref().or(base)?;
        let (head, rest) = reference.split_at_checked(origin.len())?;
        if !head.eq_ignore_ascii_case(origin) {
            return None;
        }
        match rest.chars().next() {
            Some('/') => Some((head, rest.into())),
            None | Some('?' | '#') => Some((head, format!("/{rest}").into())),
            Some(_) => None,
        }
    }

    /// The target with the query and the fragment of a reference, unless it has a fragment.
    fn continued(&self, mut target: String, rest: &str) -> String {
        if target.contains('#') {
            return target;
        }
        let (query, fragment) = rest.split_at(rest.find('#').unwrap_or(rest.len()));
        match (self.query, target.contains('?')) {
            (Query::Kept | Query::Appended, false) => target.push_str(query),
            (Query::Appended, true) => {
                let query = query.strip_prefix('?').filter(|query| !query.is_empty());
                target.extend(query.into_iter().flat_map(|query| ["&", query]));
            }
            _ => {}
        }
        target + fragment
    }
}

impl Pattern {
    /// Makes the rule with a number; returns an error in words.
    pub fn new(pattern: &str, to: &str, number: usize) -> Result<Self, String> {
        let no_pattern = |why: String| {
            let pattern = shortened(pattern, QUOTED);
            format!(
                "expected a pattern after `re:`, but `{pattern}` is not a regular expression: {why}"
            )
        };
        let hir = regex_syntax::parse(pattern)
            .map_err(|error| no_pattern(why_no_syntax(pattern, &error)))?;
        let count = groups_in(to);
        if count > MOST_GROUPS {
            let pattern = shortened(pattern, QUOTED);
            return Err(format!(
                "expected at most {MOST_GROUPS} groups in the replacement for the pattern `{pattern}`, found {count}"
            ));
        }
        let groups = Groups::of(&hir);
        if let Some(name) = groups.missing_in(to) {
            return Err(groups.why_missing(pattern, to, &name));
        }
        let required = required_texts(&hir);
        let regex = if required.is_empty() || weight(&hir) > HEAVY {
            let built = Regex::builder().build_from_hir(&hir);
            Some(built.map_err(|error| no_pattern(why_not_built(&error)))?)
        } else {
            None
        };
        Ok(Pattern {
            regex,
            required,
            text: pattern.to_owned(),
            to: to.to_owned(),
            number,
            scope: Scope::Reference,
            open_host: open_host(to),
            base: None,
        })
    }

    /// The memory of the pattern, if it was compiled at the start.
    pub fn memory(&self) -> usize {
        self.regex.as_ref().map_or(0, Regex::memory_usage)
    }

    /// The compiled pattern.
    fn compiled<'p>(&'p self, kept: &RegexCache) -> Option<Compiled<'p>> {
        match &self.regex {
            Some(regex) => Some(Compiled::Own(regex)),
            None => kept.regex(self.number, &self.text).map(Compiled::Kept),
        }
    }

    /// The pattern with the reading of a server; `base` is the origin of rules without one.
    pub fn of_paths(self, paths: &SitePaths, base: Option<&str>) -> Self {
        Pattern {
            scope: Scope::Paths(paths.clone()),
            base: base.map(str::to_owned),
            ..self
        }
    }

    /// True if the pattern matches a reference that it writes, and changes it again: `^/(.*)$` with `/new/$1`. Groups
    /// are filled with a letter, or with a digit.
    pub fn leads_back(&self, kept: &RegexCache) -> bool {
        let is_changed_again = |sample: &str| {
            let mut new = String::new();
            let fill = |_: usize, out: &mut String| out.push_str(sample);
            interpolate::string(&self.to, fill, |_| Some(0), &mut new);
            // Most patterns require a text that TO lacks, and need not be compiled.
            let lower = new.to_ascii_lowercase();
            let has = |text: &Vec<u8>| memchr::memmem::find(lower.as_bytes(), text).is_some();
            let again = self
                .required
                .iter()
                .all(has)
                .then(|| self.apply(&new, kept));
            again
                .flatten()
                .is_some_and(|again| !again.leads_elsewhere && again.new != new)
        };
        ["a", "1"].into_iter().any(is_changed_again)
    }

    /// The beginnings of the references with an authority that the pattern names, up to the end of a segment.
    pub fn places(&self) -> Vec<String> {
        let text = self.text.strip_prefix("(?i)").unwrap_or(&self.text);
        let mut extractor = Extractor::new();
        extractor.kind(ExtractKind::Prefix);
        let literals = regex_syntax::parse(text).map(|hir| extractor.extract(&hir));
        let literals = literals.ok().and_then(|literals| {
            let texts = literals.literals()?.iter().map(beginning);
            texts.collect::<Option<Vec<String>>>()
        });
        let begin = match &self.scope {
            Scope::Reference => Some(String::new()),
            Scope::Paths(paths) => {
                let origin = paths.origin.as_ref().or(self.base.as_ref());
                let folder = paths.folder.as_deref().unwrap_or_default();
                origin.map(|origin| format!("{origin}{folder}"))
            }
        };
        let Some(begin) = begin else {
            return Vec::new();
        };
        let all = literals.unwrap_or_else(|| vec![String::new()]);
        all.iter().map(|text| format!("{begin}{text}")).collect()
    }

    /// True if the site serves the pages of the pattern itself, or an error.
    pub fn keeps(&self) -> bool {
        matches!(&self.scope, Scope::Paths(paths) if paths.keeps)
    }

    /// The new form of a reference. With a server's pattern: the target, with the query and fragment of the reference
    /// where the target has none. Linear.
    pub fn apply(&self, reference: &str, kept: &RegexCache) -> Option<Match> {
        let Scope::Paths(paths) = &self.scope else {
            return self.replaced(reference, &*self.compiled(kept)?);
        };
        let (origin, local) = paths.split(reference, self.base.as_deref())?;
        let marks = match paths.query {
            Query::Compared => &['#'][..],
            _ => &['?', '#'],
        };
        let end = local.find(marks).unwrap_or(local.len());
        let (path, rest) = local.split_at(end);
        let path = Decoded::of(path, paths.decodes)?;
        let folder = paths.folder.as_deref().unwrap_or_default();
        let compared = path.text.strip_prefix(folder)?;
        let regex = self.compiled(kept)?;
        let groups = captures(&regex, compared)?;
        if paths.keeps {
            return Some(self.matched(reference.to_owned(), Host::Own));
        }
        let mut new = String::new();
        let written = |span: Span| path.written(folder.len() + span.start..folder.len() + span.end);
        self.expand(written, (&regex, &groups), &mut new)?;
        let is_whole = self.complete(&mut new, paths.folder.as_deref());
        if new.starts_with('/') && !is_network_path(&self.to) {
            new.insert_str(0, origin);
        }
        let mut found = self.matched(paths.continued(new, rest), Host::OfRule);
        // The server writes octets of a decoded group into a query.
        let changes_query = path.has_delimiter && self.to.contains('?');
        found.leads_elsewhere |= !is_whole || changes_query;
        Some(found)
    }

    /// Puts the folder in front of a relative target. False if the target stays relative, to the old page and not to
    /// the document, or if a group has made it an absolute link.
    fn complete(&self, target: &mut String, folder: Option<&str>) -> bool {
        if target.starts_with('/') || scheme_of(&self.to).is_some() {
            return true;
        }
        match folder.filter(|_| scheme_of(target).is_none()) {
            Some(folder) => target.insert_str(0, if folder.is_empty() { "/" } else { folder }),
            None => return false,
        }
        true
    }

    /// The result of the rule; `host`: the origin of an authority at the beginning of the new form.
    fn matched(&self, new: String, host: Host) -> Match {
        let gains_host =
            || host == Host::OfRule && is_network_path(&new) && !is_network_path(&self.to);
        Match {
            leads_elsewhere: self.glues(&new) || gains_host(),
            new,
            rule: self.number,
            rank: 0,
        }
    }

    /// True if a new form leads to another host than TO: a group goes on the host at the end of TO's text.
    fn glues(&self, new: &str) -> bool {
        let behind = self.open_host.as_ref().and_then(|host| {
            let at = new.find(host.as_str())?;
            new.get(at + host.len()..)
        });
        behind.is_some_and(|behind| {
            let behind = match behind.strip_prefix(':') {
                Some(port) => port.trim_start_matches(|ch: char| ch.is_ascii_digit()),
                None => behind,
            };
            !behind.is_empty() && !behind.starts_with(['/', '?', '#'])
        })
    }

    /// The reference with the first match replaced.
    fn replaced(&self, reference: &str, regex: &Regex) -> Option<Match> {
        let groups = captures(regex, reference)?;
        let found = groups.get_match()?;
        let mut new = reference[..found.start()].to_owned();
        let first = self.expand(|span| &reference[span], (regex, &groups), &mut new)?;
        let first = if found.start() > 0 {
            0..found.start()
        } else {
            first
        };
        new.push_str(&reference[found.end()..]);
        Some(self.matched(new, Host::of(reference, first)))
    }

    /// Appends the replacement of a match; `written` gives the text of a group. Returns the range of the text that a
    /// new form begins with; empty if the form begins otherwise.
    fn expand<'t>(
        &self,
        written: impl Fn(Span) -> &'t str,
        (regex, groups): (&Regex, &Captures),
        new: &mut String,
    ) -> Option<Range<usize>> {
        let found = groups.get_match()?;
        let mut first = 0..0;
        interpolate::string(
            &self.to,
            |index, out| {
                if let Some(span) = groups.get_group(index) {
                    if out.is_empty() {
                        first = span.range();
                    }
                    out.push_str(written(span));
                }
            },
            |name| regex.group_info().to_index(found.pattern(), name),
            new,
        );
        Some(first)
    }
}

/// A path as a server compares it.
pub(super) struct Decoded<'p> {
    path: &'p str,
    pub text: Cow<'p, str>,
    /// The place in the path of each byte of the text, and of its end; empty if they are the same.
    places: Vec<usize>,
    /// True if a delimiter of queries is escaped (RFC 3986 2.2).
    has_delimiter: bool,
}

impl<'p> Decoded<'p> {
    /// Decodes a path once, if the server does so. `None` for escapes that servers refuse, or read as they like: of no
    /// octet or of none of UTF-8, of NUL, `/` and `?`.
    pub fn of(path: &'p str, decodes: bool) -> Option<Self> {
        let mut decoded = Decoded {
            path,
            text: Cow::Borrowed(path),
            places: Vec::new(),
            has_delimiter: false,
        };
        if !decodes || !path.contains('%') {
            return Some(decoded);
        }
        let (mut octets, mut at) = (Vec::new(), 0);
        while let Some(&byte) = path.as_bytes().get(at) {
            decoded.places.push(at);
            if byte != b'%' {
                octets.push(byte);
                at += 1;
                continue;
            }
            let hex = path.get(at + 1..at + 3)?;
            let octet = u8::from_str_radix(hex, 16)
                .ok()
                .filter(|_| !hex.starts_with('+'))?;
            if matches!(octet, 0 | b'/' | b'?') {
                return None;
            }
            decoded.has_delimiter |= b":#[]@!$&'()*+,;=".contains(&octet);
            octets.push(octet);
            at += 3;
        }
        decoded.places.push(at);
        decoded.text = Cow::Owned(String::from_utf8(octets).ok()?);
        Some(decoded)
    }

    /// A range of the text as it is written in the path.
    fn written(&self, range: Range<usize>) -> &'p str {
        let place = |at: usize| self.places.get(at).copied().unwrap_or(at);
        &self.path[place(range.start)..place(range.end)]
    }
}

/// The origin of the authority of a new form without a scheme.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Host {
    /// The authority of the old reference.
    Own,
    /// The text of TO, and otherwise a mistake: a path is read as an authority.
    OfRule,
}

impl Host {
    /// The origin for a form that begins with a range of the reference.
    fn of(reference: &str, first: Range<usize>) -> Self {
        let before = &reference[..first.start];
        let begins = before.is_empty()
            || scheme_of(before).is_some_and(|scheme| scheme.len() + 1 == before.len());
        if begins && is_network_path(&reference[first]) {
            Host::Own
        } else {
            Host::OfRule
        }
    }
}

/// The text of a literal that a match begins with, up to the end of a segment if the match goes on.
fn beginning(literal: &Literal) -> Option<String> {
    let text = std::str::from_utf8(literal.as_bytes()).ok()?;
    let authority = text.find("//").map_or(0, |at| at + 2);
    let end = match text[authority..].rfind('/') {
        Some(slash) if !literal.is_exact() => authority + slash + 1,
        _ => text.len(),
    };
    Some(text[..end].to_owned())
}

/// The text of a replacement up to a group that follows a host without a slash.
fn open_host(to: &str) -> Option<String> {
    let host = to.find("//")? + 2;
    let end = host + to[host..].find(['/', '?', '#', '$'])?;
    let is_group = to[end..].starts_with('$') && !to[end..].starts_with("$$");
    (is_group && end > host).then(|| to[..end].to_owned())
}

/// The groups of the first match. A text without a match costs no memory.
fn captures(regex: &Regex, text: &str) -> Option<Captures> {
    if !regex.is_match(text) {
        return None;
    }
    let mut groups = regex.create_captures();
    regex.captures(text, &mut groups);
    Some(groups)
}

/// The fault in the syntax of a pattern, with its place.
fn why_no_syntax(pattern: &str, error: &Syntax) -> String {
    let (what, offset) = match error {
        Syntax::Parse(error) => (error.kind().to_string(), error.span().start.offset),
        Syntax::Translate(error) => (error.kind().to_string(), error.span().start.offset),
        error => return error.to_string(),
    };
    let before = pattern.get(..offset).unwrap_or(pattern);
    let character = before.chars().count() + 1;
    format!("{what}, at character {character}")
}

/// Number of groups in a replacement.
fn groups_in(to: &str) -> usize {
    let count = std::cell::Cell::new(0);
    interpolate::string(
        to,
        |_, _| count.set(count.get() + 1),
        |_| Some(0),
        &mut String::new(),
    );
    count.get()
}

/// The reason that a pattern cannot be compiled: its size.
fn why_not_built(error: &BuildError) -> String {
    // The innermost cause has the message.
    let causes = std::iter::successors(Some(error as &dyn std::error::Error), |e| e.source());
    causes.last().map_or(String::new(), ToString::to_string)
}

/// The groups of a pattern.
#[derive(Default)]
struct Groups {
    /// The number of the last group.
    last: usize,
    names: Vec<(Box<str>, usize)>,
}

impl Groups {
    fn of(hir: &Hir) -> Self {
        let mut groups = Groups::default();
        groups.add(hir);
        groups
    }

    /// Adds the groups of a part. Patterns nest no deeper than their parser allows.
    fn add(&mut self, hir: &Hir) {
        if let HirKind::Capture(group) = hir.kind() {
            let index = group.index as usize;
            self.last = self.last.max(index);
            let name = group.name.clone();
            self.names.extend(name.map(|name| (name, index)));
        }
        let parts = hir.kind().subs();
        parts.iter().for_each(|part| self.add(part));
    }

    /// The first group in a replacement that the pattern lacks: it would stand for nothing.
    fn missing_in(&self, to: &str) -> Option<String> {
        let missing = std::cell::RefCell::new(None::<String>);
        let note = |name: String| {
            missing.borrow_mut().get_or_insert(name);
        };
        interpolate::string(
            to,
            |index, _| {
                if index > self.last {
                    note(index.to_string());
                }
            },
            |name| {
                let mut known = self.names.iter();
                let index = known.find_map(|(known, index)| (**known == *name).then_some(*index));
                if index.is_none() {
                    note(name.to_owned());
                }
                index
            },
            &mut String::new(),
        );
        missing.into_inner()
    }

    fn why_missing(&self, pattern: &str, to: &str, name: &str) -> String {
        let spellings = [format!("${name}"), format!("${{{name}}}")];
        let offset = spellings
            .iter()
            .filter_map(|spelled| to.find(spelled))
            .min();
        let character = to[..offset.unwrap_or(0)].chars().count() + 1;
        let last = self.last;
        let digits = name.bytes().take_while(u8::is_ascii_digit).count();
        let (number, rest) = name.split_at(digits);
        let is_group = number.parse().is_ok_and(|number: usize| number <= last);
        let hint = if is_group && !rest.is_empty() {
            format!("`${{{number}}}{rest}` is group {number} followed by `{rest}`")
        } else {
            "`$$` is a dollar sign".to_owned()
        };
        let [pattern, to, name] = [pattern, to, name].map(|text| shortened(text, QUOTED));
        format!(
            "expected a group of the pattern behind `$`, found `{name}` at character {character} of `{to}`, but the last \
             group of `{pattern}` is {last}: {hint}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A rule cannot make a link many times longer.
    #[test]
    fn groups_repeat_a_link_a_few_times() {
        let repeated = |times: usize| Pattern::new("(?<x>.*)", &"$1${x}".repeat(times), 0);
        assert!(repeated(MOST_GROUPS / 2).is_ok());
        let error = repeated(25_000).expect_err("an error");
        assert!(error.contains("at most 32 groups"), "{error}");
        assert!(error.contains("found 50000"), "{error}");
        assert!(Pattern::new("a", &"$$1".repeat(1000), 0).is_ok());
    }

    #[test]
    fn groups_that_are_missing_are_errors() {
        let long = "$99999999999999999999";
        for (pattern, to, named) in [
            ("a(b)", "/$1_c", Some("`1_c` at character 2")),
            ("a(b)", "/$1/\u{e9}${1_c}", Some("`${1}_c` is group 1")),
            ("a(b)", "$2", Some("`2` at character 1")),
            ("a(b)", "$1$9", Some("is 1: `$$`")),
            ("(?<x>a)(b)", "$y", Some("is 2: `$$`")),
            ("a", "$x$1", Some("`x`")),
            ("a", long, Some("is 0")),
            ("a(b)|c", "$0$1${1}_c$$1", None),
            ("(?<x>a)", "${x}_$x", None),
            ("a", "$", None),
            ("a", "${b", None),
            ("a", "$-", None),
        ] {
            let made = Pattern::new(pattern, to, 0);
            match (named, made) {
                (None, made) => assert!(made.is_ok(), "{pattern} {to}"),
                (Some(words), Ok(_)) => panic!("no error for {to}: {words}"),
                (Some(words), Err(error)) => assert!(error.contains(words), "{error}"),
            }
        }
    }
}
