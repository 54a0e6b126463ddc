//! `re:` rules: a regular expression, and what its match becomes.

use regex_automata::PatternID;
use regex_automata::meta::{BuildError, Regex};
use regex_automata::util::captures::Captures;
use regex_automata::util::interpolate;
use regex_syntax::Error as Syntax;

/// How often groups may stand in what takes the place of a match: servers know nine, and each repeats the link.
const MOST_GROUPS: usize = 32;

/// One rule.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    regex: Regex,
    /// As it was given.
    pub text: String,
    /// With `$1` and `${name}` for groups.
    to: String,
    /// The number of the rule.
    pub number: usize,
    scope: Scope,
}

/// What a pattern is compared with.
#[derive(Clone, Debug)]
enum Scope {
    /// A whole reference, of which the match is replaced.
    Reference,
    /// The path of a reference to a site, all of which is replaced, as servers do. The site is that of an origin, and that of
    /// references without one.
    Paths { origin: Option<String> },
}

impl Pattern {
    /// The rule with a number; an error in words.
    pub fn new(pattern: &str, to: &str, number: usize) -> Result<Self, String> {
        let regex = Regex::new(pattern).map_err(|error| {
            let why = why_no_pattern(pattern, &error);
            format!(
                "expected a pattern behind `re:`, but `{pattern}` is no regular expression: {why}"
            )
        })?;
        let groups = groups_in(to);
        if groups > MOST_GROUPS {
            return Err(format!(
                "expected at most {MOST_GROUPS} groups behind the pattern `{pattern}`, found {groups}"
            ));
        }
        match missing_group(&regex, to) {
            Some(name) => Err(why_no_group(pattern, &regex, to, &name)),
            None => Ok(Pattern {
                regex,
                text: pattern.to_owned(),
                to: to.to_owned(),
                number,
                scope: Scope::Reference,
            }),
        }
    }

    /// The same as a server reads it.
    pub fn of_paths(self, origin: Option<&str>) -> Self {
        let origin = origin.map(str::to_owned);
        Pattern {
            scope: Scope::Paths { origin },
            ..self
        }
    }

    /// What the rule makes of a reference: of a server's pattern the target with the query and the fragment that it does not
    /// have itself. Linear.
    pub fn apply(&self, reference: &str) -> Option<String> {
        let Scope::Paths { origin } = &self.scope else {
            return self.replaced(reference);
        };
        let local = local_part(reference, origin.as_deref())?;
        let end = local.find(['?', '#']).unwrap_or(local.len());
        let (path, rest) = local.split_at(end);
        let mut groups = self.regex.create_captures();
        self.regex.captures(path, &mut groups);
        let mut new = String::new();
        self.expand(path, &groups, &mut new)?;
        let fragment = rest.find('#').map_or("", |at| &rest[at..]);
        match () {
            _ if new.contains('#') => {}
            _ if new.contains('?') => new.push_str(fragment),
            _ => new.push_str(rest),
        }
        Some(new)
    }

    /// The reference with the first match replaced.
    fn replaced(&self, reference: &str) -> Option<String> {
        let mut groups = self.regex.create_captures();
        self.regex.captures(reference, &mut groups);
        let found = groups.get_match()?;
        let mut new = reference[..found.start()].to_owned();
        self.expand(reference, &groups, &mut new)?;
        new.push_str(&reference[found.end()..]);
        Some(new)
    }

    /// Appends what takes the place of a match.
    fn expand(&self, text: &str, groups: &Captures, new: &mut String) -> Option<()> {
        let found = groups.get_match()?;
        interpolate::string(
            &self.to,
            |index, out| {
                if let Some(span) = groups.get_group(index) {
                    out.push_str(&text[span]);
                }
            },
            |name| self.regex.group_info().to_index(found.pattern(), name),
            new,
        );
        Some(())
    }
}

/// What stands behind the origin of a reference to a site.
fn local_part<'r>(reference: &'r str, origin: Option<&str>) -> Option<&'r str> {
    if reference.starts_with('/') && !reference.starts_with("//") {
        return Some(reference);
    }
    let (head, rest) = reference.split_at_checked(origin?.len())?;
    let is_own = origin.is_some_and(|origin| head.eq_ignore_ascii_case(origin));
    (is_own && rest.starts_with('/')).then_some(rest)
}

/// What is wrong with a pattern, and where.
fn why_no_pattern(pattern: &str, error: &BuildError) -> String {
    let (what, offset) = match error.syntax_error() {
        Some(Syntax::Parse(error)) => (error.kind().to_string(), error.span().start.offset),
        Some(Syntax::Translate(error)) => (error.kind().to_string(), error.span().start.offset),
        _ => {
            // The cause of causes says it: too large, as a rule.
            let causes =
                std::iter::successors(Some(error as &dyn std::error::Error), |e| e.source());
            return causes.last().map_or(String::new(), ToString::to_string);
        }
    };
    let before = pattern.get(..offset).unwrap_or(pattern);
    let character = before.chars().count() + 1;
    format!("{what}, at character {character}")
}

/// How often groups stand in a replacement.
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

/// The first group that a replacement names and the pattern has not: it would stand for nothing.
fn missing_group(regex: &Regex, to: &str) -> Option<String> {
    let groups = regex.group_info();
    let count = groups.group_len(PatternID::ZERO);
    let missing = std::cell::RefCell::new(None::<String>);
    let note = |name: String| {
        missing.borrow_mut().get_or_insert(name);
    };
    interpolate::string(
        to,
        |index, _| {
            if index >= count {
                note(index.to_string());
            }
        },
        |name| {
            let index = groups.to_index(PatternID::ZERO, name);
            if index.is_none() {
                note(name.to_owned());
            }
            index
        },
        &mut String::new(),
    );
    missing.into_inner()
}

fn why_no_group(pattern: &str, regex: &Regex, to: &str, name: &str) -> String {
    let spellings = [format!("${name}"), format!("${{{name}}}")];
    let offset = spellings
        .iter()
        .filter_map(|spelled| to.find(spelled))
        .min();
    let character = to[..offset.unwrap_or(0)].chars().count() + 1;
    let last = regex
        .group_info()
        .group_len(PatternID::ZERO)
        .saturating_sub(1);
    let digits = name.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = name.split_at(digits);
    let is_group = number.parse().is_ok_and(|number: usize| number <= last);
    let hint = match is_group && !rest.is_empty() {
        true => format!("`${{{number}}}{rest}` is group {number} with `{rest}` behind it"),
        false => "`$$` is a dollar sign".to_owned(),
    };
    format!(
        "expected a group of the pattern behind `$`, found `{name}` at character {character} of `{to}`, but the last \
         group of `{pattern}` is {last}: {hint}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A rule makes a link longer by what the rule says, and not by what its writer multiplies.
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
