//! When a row of a vocabulary counts: what other attributes of the tag must say.

use crate::slot::Name;
use std::borrow::Cow;
use std::collections::HashSet;

/// Terms that must all hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Condition {
    terms: Vec<Term>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Term {
    subject: Subject,
    tokens: bool,
    patterns: Vec<Pattern>,
    /// Whether each pattern has a colon, so that a value without one cannot match.
    colon: bool,
}

/// A value in lower case, in which `*` stands for any characters.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Pattern {
    text: String,
    star: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Subject {
    Attribute(Name),
    Parent,
}

/// What conditions are asked of.
pub trait Context {
    /// The value of an attribute (the name is in lower case), unescaped.
    fn attribute(&self, name: &str) -> Option<Cow<'_, str>>;
    /// The nearest open element of those that conditions name as parents.
    fn parent(&self) -> Option<&str>;
}

/// What conditions that are asked one after the other have been told: most ask for the same few attributes.
pub(super) struct Told<'c> {
    context: &'c dyn Context,
    /// Names as they stand in memory, with their values.
    kept: [(&'c str, Option<Cow<'c, str>>); Told::KEPT],
    /// How many were told.
    told: usize,
}

impl<'c> Told<'c> {
    const KEPT: usize = 8;

    pub fn new(context: &'c dyn Context) -> Self {
        Told {
            context,
            kept: [const { ("", None) }; Told::KEPT],
            told: 0,
        }
    }

    /// The value of an attribute. One whose name stands elsewhere in memory is looked for again.
    fn attribute(&mut self, name: &'c str) -> Option<&str> {
        let known = self.kept.iter().take(self.told);
        let known = known
            .into_iter()
            .position(|(own, _)| std::ptr::eq(*own, name));
        let at = known.unwrap_or_else(|| {
            let at = self.told.min(Told::KEPT - 1);
            self.kept[at] = (name, self.context.attribute(name));
            self.told = at + 1;
            at
        });
        self.kept[at].1.as_deref()
    }
}

impl Condition {
    /// Reads terms parted by spaces: `name=value|va*ue` (the whole value), `name~=token|tok*`
    /// (one of the value's tokens), `parent=element`. `*` stands for any characters; ASCII case is
    /// ignored.
    pub fn parse(text: &str) -> Result<Condition, String> {
        let terms = text.split_ascii_whitespace().map(Term::parse);
        Ok(Condition {
            terms: terms.collect::<Result<_, _>>()?,
        })
    }

    /// Whether it demands nothing.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Whether it demands a colon in the value of an attribute (its name is in lower case).
    pub(super) fn wants_colon(&self, attribute: &str) -> bool {
        let wants = |term: &Term| match &term.subject {
            Subject::Attribute(name) => term.colon && &**name == attribute,
            Subject::Parent => false,
        };
        self.terms.iter().any(wants)
    }

    /// Whether all terms hold.
    pub fn holds(&self, context: &dyn Context) -> bool {
        self.holds_for(&mut Told::new(context))
    }

    /// The same, for one of several conditions.
    pub(super) fn holds_for<'c>(&'c self, told: &mut Told<'c>) -> bool {
        self.terms.iter().all(|term| term.holds(told))
    }

    /// Makes the names that it asks for the ones in memory that other conditions ask for.
    pub(super) fn share_names(&mut self, names: &mut HashSet<Name>) {
        for term in &mut self.terms {
            let Subject::Attribute(name) = &mut term.subject else {
                continue;
            };
            match names.get(&**name) {
                Some(known) => *name = known.clone(),
                None => {
                    names.insert(name.clone());
                }
            }
        }
    }
}

impl Term {
    fn parse(text: &str) -> Result<Term, String> {
        let expected = || format!("expected a condition like `name=value`, but found `{text}`");
        let (subject, patterns) = text.split_once('=').ok_or_else(expected)?;
        let (subject, tokens) = match subject.strip_suffix('~') {
            Some(subject) => (subject, true),
            None => (subject, false),
        };
        if subject.is_empty() {
            return Err(expected());
        }
        let subject = match subject.to_ascii_lowercase() {
            parent if parent == "parent" => Subject::Parent,
            name => Subject::Attribute(Name::from(name)),
        };
        let patterns: Vec<_> = patterns.split('|').map(Pattern::new).collect();
        let colon = patterns.iter().all(|pattern| pattern.text.contains(':'));
        Ok(Term {
            subject,
            tokens,
            patterns,
            colon,
        })
    }

    fn holds<'c>(&'c self, told: &mut Told<'c>) -> bool {
        match &self.subject {
            Subject::Parent => {
                let parent = told.context.parent();
                parent.is_some_and(|parent| self.matches(parent))
            }
            Subject::Attribute(name) => match told.attribute(name) {
                None => false,
                Some(value) if self.colon && !value.contains(':') => false,
                Some(value) if self.tokens => value
                    .split_ascii_whitespace()
                    .any(|token| self.matches(token)),
                // Keywords of `http-equiv` are compared as a whole (HTML standard 4.2.5.3).
                Some(value) if &**name == "http-equiv" => self.matches(value),
                Some(value) => self.matches(value.trim_ascii()),
            },
        }
    }

    fn matches(&self, value: &str) -> bool {
        self.patterns.iter().any(|pattern| pattern.matches(value))
    }
}

impl Pattern {
    fn new(text: &str) -> Pattern {
        Pattern {
            text: text.to_ascii_lowercase(),
            star: text.contains('*'),
        }
    }

    #[inline]
    fn matches(&self, value: &str) -> bool {
        match self.star {
            false => self.text.eq_ignore_ascii_case(value),
            true => matches(self.text.as_bytes(), value.as_bytes()),
        }
    }
}

/// Whether a pattern with `*` matches all of a value. O(pattern * value) at worst, and patterns are short.
fn matches(pattern: &[u8], value: &[u8]) -> bool {
    let mut parts = pattern.split(|&byte| byte == b'*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = strip(value, first) else {
        return false;
    };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        let last = parts.peek().is_none();
        let found = match last {
            true => rest.len().checked_sub(part.len()),
            false => position(rest, part),
        };
        let after = found.and_then(|at| strip(&rest[at..], part));
        let Some(after) = after else {
            return false;
        };
        rest = after;
    }
    true
}

/// Where a part of a pattern first stands in a value.
fn position(value: &[u8], part: &[u8]) -> Option<usize> {
    let Some(first) = part.first() else {
        return Some(0);
    };
    let mut starts = (0..value.len()).filter(|&at| value[at].eq_ignore_ascii_case(first));
    starts.find(|&at| strip(&value[at..], part).is_some())
}

fn strip<'v>(value: &'v [u8], prefix: &[u8]) -> Option<&'v [u8]> {
    let (head, rest) = value.split_at_checked(prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct One(&'static str, &'static str);

    impl Context for One {
        fn attribute(&self, name: &str) -> Option<Cow<'_, str>> {
            (name == self.0).then_some(Cow::Borrowed(self.1))
        }
        fn parent(&self) -> Option<&str> {
            Some("picture")
        }
    }

    #[test]
    fn terms() {
        let cases = [
            ("http-equiv=refresh", One("http-equiv", "REFRESH"), true),
            ("http-equiv=refresh", One("http-equiv", " refresh"), false),
            ("http-equiv=refresh", One("http-equiv", "refresh\n"), false),
            ("name=a", One("name", " A\n"), true),
            ("http-equiv=refresh", One("http-equiv", "refreshing"), false),
            ("http-equiv=refresh", One("name", "refresh"), false),
            ("name=a|b*d", One("name", "bcd"), true),
            ("name=a|b*d", One("name", "bcde"), false),
            ("name=b*c*d", One("name", "bxcyd"), true),
            ("name=b*c*d", One("name", "bxyd"), false),
            ("name=*:*", One("name", "dc:title"), true),
            ("name=*:*", One("name", "title"), false),
            ("rel~=icon", One("rel", "shortcut Icon"), true),
            ("rel~=icon", One("rel", "shortcut-icon"), false),
            ("rel~=icon parent=audio|picture", One("rel", "icon"), true),
            ("rel~=icon parent=audio", One("rel", "icon"), false),
            ("", One("x", ""), true),
        ];
        for (text, context, expected) in cases {
            let condition = Condition::parse(text).unwrap();
            assert_eq!(condition.holds(&context), expected, "{text}");
        }
    }

    /// Each attribute of as many as there are.
    struct Counted(std::cell::Cell<usize>);

    impl Context for Counted {
        fn attribute(&self, name: &str) -> Option<Cow<'_, str>> {
            self.0.set(self.0.get() + 1);
            Some(Cow::Owned(name.to_owned()))
        }
        fn parent(&self) -> Option<&str> {
            None
        }
    }

    #[test]
    fn attributes_are_looked_for_once() {
        let mut names = HashSet::new();
        let conditions: Vec<_> = (0..60)
            .map(|at| {
                let text = format!("a{0}=a{0} a{1}=a{1}|b", at % 5, at % 3);
                let mut condition = Condition::parse(&text).unwrap();
                condition.share_names(&mut names);
                condition
            })
            .collect();
        let context = Counted(std::cell::Cell::new(0));
        let mut told = Told::new(&context);
        assert!(conditions.iter().all(|one| one.holds_for(&mut told)));
        assert_eq!(context.0.get(), 5);
        // More than are kept, and such as do not hold.
        let many: Vec<_> = (0..40)
            .map(|at| Condition::parse(&format!("b{0}=b{0} c=d", at)).unwrap())
            .collect();
        let alone = |one: &Condition| one.holds(&context);
        assert!(
            !many
                .iter()
                .any(|one| one.holds_for(&mut told) || alone(one))
        );
        assert!(conditions.iter().all(|one| one.holds_for(&mut told)));
    }

    #[test]
    fn what_is_no_condition_is_an_error() {
        assert!(Condition::parse("refresh").is_err());
        assert!(Condition::parse("=refresh").is_err());
        assert!(Condition::parse("~=refresh").is_err());
    }
}
