//! When a row of the vocabulary counts: what the tag, its parent and the document's element must be.

/// Terms that must all hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Condition {
    terms: Vec<Term>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Term {
    subject: Subject,
    patterns: Vec<Pattern>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Subject {
    /// An attribute's local name.
    Attribute(String),
    Parent,
    Root,
}

/// A value, or `head*tail`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Pattern {
    head: String,
    tail: Option<String>,
}

/// What conditions are asked of. Names are local.
pub(super) trait Context {
    /// The raw value of an attribute.
    fn attribute(&self, local: &str) -> Option<&[u8]>;
    fn parent(&self) -> &[u8];
    fn root(&self) -> &[u8];
}

impl Condition {
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

    pub fn holds(&self, context: &dyn Context) -> bool {
        self.terms.iter().all(|term| term.holds(context))
    }
}

impl Term {
    fn parse(text: &str) -> Result<Term, String> {
        let (subject, patterns) = text
            .split_once('=')
            .filter(|(subject, _)| !subject.is_empty())
            .ok_or_else(|| format!("expected a condition like `name=value`, but found `{text}`"))?;
        let subject = match subject {
            "parent" => Subject::Parent,
            "/root" => Subject::Root,
            name => Subject::Attribute(name.to_owned()),
        };
        let patterns = patterns.split('|').map(Pattern::parse).collect();
        Ok(Term { subject, patterns })
    }

    fn holds(&self, context: &dyn Context) -> bool {
        let value = match &self.subject {
            Subject::Attribute(name) => context.attribute(name),
            Subject::Parent => Some(context.parent()),
            Subject::Root => Some(context.root()),
        };
        value.is_some_and(|value| {
            let value = value.trim_ascii();
            self.patterns.iter().any(|pattern| pattern.matches(value))
        })
    }
}

impl Pattern {
    fn parse(text: &str) -> Pattern {
        let (head, tail) = match text.split_once('*') {
            Some((head, tail)) => (head, Some(tail.to_owned())),
            None => (text, None),
        };
        Pattern {
            head: head.to_owned(),
            tail,
        }
    }

    fn matches(&self, value: &[u8]) -> bool {
        let Some(rest) = value.strip_prefix(self.head.as_bytes()) else {
            return false;
        };
        match &self.tail {
            None => rest.is_empty(),
            Some(tail) => rest.ends_with(tail.as_bytes()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Tag;

    impl Context for Tag {
        fn attribute(&self, local: &str) -> Option<&[u8]> {
            (local == "type").then_some(b" dcterms:URI\n")
        }
        fn parent(&self) -> &[u8] {
            b"item"
        }
        fn root(&self) -> &[u8] {
            b"rss"
        }
    }

    #[test]
    fn terms() {
        for (text, expected) in [
            ("", true),
            ("type=dcterms:URI", true),
            ("type=*:URI", true),
            ("type=x|dc*I", true),
            ("type=uri", false),
            ("mode=x", false),
            ("parent=channel|item", true),
            ("parent=channel", false),
            ("/root=rss type=*", true),
            ("/root=opml type=*", false),
        ] {
            let condition = Condition::parse(text).expect(text);
            assert_eq!(condition.holds(&Tag), expected, "{text}");
        }
    }
}
