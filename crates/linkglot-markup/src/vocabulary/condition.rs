//! Conditions of rows of a vocabulary: on other attributes of the tag, on its parent, and on the document's element.

use super::names::Case;
use crate::slot::Name;
use std::borrow::Cow;

/// Terms that must all hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Condition {
    terms: Vec<Term>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Term {
    subject: Subject,
    /// True if each token of the value is compared, not the whole value.
    tokens: bool,
    patterns: Vec<Pattern>,
    /// True if all patterns have a colon, so that a value without a colon cannot match.
    needs_colon: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Subject {
    Attribute(Name),
    Parent,
    Root,
}

/// A value in which `*` stands for any characters.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Pattern {
    text: String,
    has_star: bool,
    case: Case,
}

/// The surroundings of an attribute or of an element's content.
pub(crate) trait Context {
    /// The value of an attribute of the tag. Names are local in XML, in lower case in HTML.
    fn attribute(&self, name: &str) -> Option<Cow<'_, [u8]>>;

    /// The name of the parent element: in HTML, of the nearest open element that conditions name as a parent.
    fn parent(&self) -> Option<Cow<'_, [u8]>>;

    /// The local name of the document's element, in XML.
    fn root(&self) -> Option<&[u8]> {
        None
    }
}

/// The attributes that conditions asked for. Each is looked up once, since most conditions ask for the same few.
pub(super) struct Asked<'c> {
    context: &'c dyn Context,
    answers: [Option<Answer<'c>>; 8],
}

type Answer<'c> = (&'c str, Option<Cow<'c, [u8]>>);

impl<'c> Asked<'c> {
    pub fn new(context: &'c dyn Context) -> Self {
        Asked {
            context,
            answers: [const { None }; 8],
        }
    }

    fn attribute(&mut self, name: &'c str) -> Option<&[u8]> {
        let last = self.answers.len() - 1;
        let mut at = 0;
        while at < last
            && self.answers[at]
                .as_ref()
                .is_some_and(|known| known.0 != name)
        {
            at += 1;
        }
        let answer = &mut self.answers[at];
        if answer.as_ref().is_none_or(|known| known.0 != name) {
            *answer = Some((name, self.context.attribute(name)));
        }
        answer.as_ref()?.1.as_deref()
    }
}

impl Condition {
    /// Reads terms separated by spaces: `name=value|va*ue` (the whole value), `name~=token|tok*` (one of the value's
    /// tokens), `parent=element`, `/root=element`.
    pub fn parse(text: &str, case: Case) -> Result<Condition, String> {
        let terms = text.split_ascii_whitespace();
        let terms = terms.map(|term| Term::parse(term, case));
        Ok(Condition {
            terms: terms.collect::<Result<_, _>>()?,
        })
    }

    /// True if the condition always holds.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// A text that the value of an attribute has if the condition holds.
    pub fn literal(&self) -> Option<&str> {
        let mut terms = self.terms.iter();
        terms.find_map(|term| match (&term.subject, &term.patterns[..]) {
            (Subject::Attribute(_), [only]) if !only.has_star && only.case == Case::Exact => {
                Some(&*only.text)
            }
            _ => None,
        })
    }

    /// True if the condition needs a colon in the value of an attribute.
    pub fn needs_colon(&self, attribute: &str) -> bool {
        self.terms.iter().any(|term| {
            term.needs_colon
                && matches!(&term.subject, Subject::Attribute(name) if &**name == attribute)
        })
    }

    /// True if all terms hold.
    pub fn holds<'c>(&'c self, asked: &mut Asked<'c>) -> bool {
        self.terms.iter().all(|term| term.holds(asked))
    }
}

impl Term {
    fn parse(text: &str, case: Case) -> Result<Term, String> {
        let expected = || format!("expected a condition like `name=value`, but found `{text}`");
        let (subject, patterns) = text.split_once('=').ok_or_else(expected)?;
        let (subject, tokens) = match subject.strip_suffix('~') {
            Some(subject) => (subject, true),
            None => (subject, false),
        };
        let folded = match case {
            Case::Exact => subject.to_owned(),
            Case::Ignored => subject.to_ascii_lowercase(),
        };
        let subject = match &*folded {
            "" => return Err(expected()),
            "parent" => Subject::Parent,
            "/root" => Subject::Root,
            name => Subject::Attribute(Name::from(name)),
        };
        let pattern = |text: &str| Pattern {
            text: text.to_owned(),
            has_star: text.contains('*'),
            case,
        };
        Ok(Term {
            subject,
            tokens,
            patterns: patterns.split('|').map(pattern).collect(),
            needs_colon: patterns.split('|').all(|pattern| pattern.contains(':')),
        })
    }

    fn holds<'c>(&'c self, asked: &mut Asked<'c>) -> bool {
        match &self.subject {
            Subject::Parent => asked
                .context
                .parent()
                .is_some_and(|name| self.matches(&name)),
            Subject::Root => asked.context.root().is_some_and(|name| self.matches(name)),
            Subject::Attribute(name) => asked
                .attribute(name)
                .is_some_and(|value| self.matches_value(name, value)),
        }
    }

    fn matches_value(&self, name: &str, value: &[u8]) -> bool {
        if self.needs_colon && !value.contains(&b':') {
            return false;
        }
        match self.tokens {
            true => value
                .split(u8::is_ascii_whitespace)
                .any(|token| !token.is_empty() && self.matches(token)),
            // Keywords of `http-equiv` are compared as a whole (HTML standard 4.2.5.3).
            false if name == "http-equiv" => self.matches(value),
            false => self.matches(value.trim_ascii()),
        }
    }

    fn matches(&self, value: &[u8]) -> bool {
        self.patterns.iter().any(|pattern| pattern.matches(value))
    }
}

impl Pattern {
    #[inline]
    fn matches(&self, value: &[u8]) -> bool {
        match self.has_star {
            true => self.matches_parts(value),
            false if self.case == Case::Exact => self.text.as_bytes() == value,
            false => self.text.as_bytes().eq_ignore_ascii_case(value),
        }
    }

    /// True if the parts between stars match a whole value. O(pattern * value) at worst, and patterns are short.
    fn matches_parts(&self, value: &[u8]) -> bool {
        let mut parts = self.text.as_bytes().split(|&byte| byte == b'*');
        let (first, last) = (
            parts.next().unwrap_or_default(),
            parts.next_back().unwrap_or_default(),
        );
        let mut rest = self.strip(value, first);
        for part in parts {
            rest =
                rest.and_then(|rest| (0..=rest.len()).find_map(|at| self.strip(&rest[at..], part)));
        }
        rest.is_some_and(|rest| {
            let tail = rest.len().checked_sub(last.len());
            tail.is_some_and(|at| self.strip(&rest[at..], last).is_some())
        })
    }

    fn strip<'v>(&self, value: &'v [u8], prefix: &[u8]) -> Option<&'v [u8]> {
        let (head, rest) = value.split_at_checked(prefix.len())?;
        let same = match self.case {
            Case::Exact => head == prefix,
            Case::Ignored => head.eq_ignore_ascii_case(prefix),
        };
        same.then_some(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    struct One(&'static str, &'static str);

    impl Context for One {
        fn attribute(&self, name: &str) -> Option<Cow<'_, [u8]>> {
            (name == self.0).then_some(Cow::Borrowed(self.1.as_bytes()))
        }

        fn parent(&self) -> Option<Cow<'_, [u8]>> {
            Some(Cow::Borrowed(b"picture"))
        }

        fn root(&self) -> Option<&[u8]> {
            Some(b"rss")
        }
    }

    fn holds(text: &str, context: &dyn Context, case: Case) -> bool {
        let condition = Condition::parse(text, case).expect(text);
        condition.holds(&mut Asked::new(context))
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
            assert_eq!(holds(text, &context, Case::Ignored), expected, "{text}");
        }
        let context = One("type", " dcterms:URI\n");
        for (text, expected) in [
            ("type=dcterms:URI", true),
            ("type=*:URI", true),
            ("type=x|dc*I", true),
            ("type=uri", false),
            ("mode=x", false),
            ("/root=rss type=*", true),
            ("/root=opml type=*", false),
        ] {
            assert_eq!(holds(text, &context, Case::Exact), expected, "{text}");
        }
    }

    /// A context in which every attribute exists, and that counts questions.
    struct Counted(Cell<usize>);

    impl Context for Counted {
        fn attribute(&self, name: &str) -> Option<Cow<'_, [u8]>> {
            self.0.set(self.0.get() + 1);
            Some(Cow::Owned(name.as_bytes().to_owned()))
        }

        fn parent(&self) -> Option<Cow<'_, [u8]>> {
            None
        }
    }

    #[test]
    fn attributes_are_looked_up_once() {
        let parse = |text: String| Condition::parse(&text, Case::Ignored).expect("a condition");
        let term = |at: usize| format!("a{0}=a{0} a{1}=a{1}|b", at % 5, at % 3);
        let conditions: Vec<_> = (0..60).map(|at| parse(term(at))).collect();
        let context = Counted(Cell::new(0));
        let mut asked = Asked::new(&context);
        assert!(conditions.iter().all(|own| own.holds(&mut asked)));
        assert_eq!(context.0.get(), 5);
        // More attributes than the cache holds.
        let many: Vec<_> = (0..40)
            .map(|at| parse(format!("b{at}=b{at} c=d")))
            .collect();
        assert!(!many.iter().any(|own| own.holds(&mut asked)));
        assert!(conditions.iter().all(|own| own.holds(&mut asked)));
    }

    #[test]
    fn literals_are_in_values() {
        for (text, expected) in [
            ("t=str", Some("str")),
            ("parent=a t=str", Some("str")),
            ("a=b|c t=d*", None),
            ("/root=a", None),
            ("", None),
        ] {
            let condition = Condition::parse(text, Case::Exact).expect(text);
            assert_eq!(condition.literal(), expected, "{text}");
            let folded = Condition::parse(text, Case::Ignored).expect(text);
            assert_eq!(folded.literal(), None, "{text}");
        }
    }

    #[test]
    fn invalid_terms_are_errors() {
        for text in ["refresh", "=refresh", "~=refresh"] {
            assert!(Condition::parse(text, Case::Ignored).is_err(), "{text}");
        }
    }
}
