//! References with expressions to be filled in: URI templates (RFC 6570), attribute value templates of XSLT.

/// The text of a template with a plain word in place of each expression, so that what stands around them can be
/// mapped like any reference.
pub(crate) struct Template<'t> {
    text: String,
    /// A word that stands nowhere in the template, its number and it again stand for an expression.
    word: String,
    expressions: Vec<&'t str>,
}

impl<'t> Template<'t> {
    /// `None` when there is no expression. Linear.
    pub fn of(text: &'t str) -> Option<Template<'t>> {
        let expressions = expressions(text);
        if expressions.is_empty() {
            return None;
        }
        let word = word_for(text);
        let (mut plain, mut at, mut kept) = (String::new(), 0, Vec::new());
        for (number, range) in expressions.into_iter().enumerate() {
            plain.push_str(&text[at..range.start]);
            plain.push_str(&stand_in(&word, number));
            kept.push(&text[range.clone()]);
            at = range.end;
        }
        plain.push_str(&text[at..]);
        Some(Template {
            text: plain,
            word,
            expressions: kept,
        })
    }

    /// The text with words in place of expressions.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What became of that text with its expressions again; `None` when they are not all there, once each and in their order.
    pub fn filled(&self, text: &str) -> Option<String> {
        let (mut filled, mut rest) = (String::new(), text);
        for (number, expression) in self.expressions.iter().enumerate() {
            let (before, behind) = rest.split_once(&stand_in(&self.word, number))?;
            filled.push_str(before);
            filled.push_str(expression);
            rest = behind;
        }
        filled.push_str(rest);
        (filled.matches(&self.word).count() == 0).then_some(filled)
    }
}

fn stand_in(word: &str, number: usize) -> String {
    format!("{word}{number}{word}")
}

/// A word of letters that no mapping changes, and that is not in the text.
fn word_for(text: &str) -> String {
    let mut word = "x".to_owned();
    while text.to_ascii_lowercase().contains(&word) {
        word.push('q');
    }
    word + "z"
}

/// Where expressions stand, braces in braces included. What is not closed is none.
fn expressions(text: &str) -> Vec<std::ops::Range<usize>> {
    let (mut found, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => {
                if depth == 0 {
                    start = at;
                }
                depth += 1;
            }
            b'}' if depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    // Maven's and shells' `${name}`.
                    let dollar = start > 0 && text.as_bytes()[start - 1] == b'$';
                    found.push(start - usize::from(dollar)..at + 1);
                }
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_kept() {
        for (text, kept) in [
            ("http://a/?q={q}&p={p?}", &["{q}", "{p?}"][..]),
            ("{{x}}/{concat('{', a)}", &["{{x}}"]),
            ("${a.b}/c", &["${a.b}"]),
            ("xqxz{a}xqqz", &["{a}"]),
        ] {
            let template = Template::of(text).expect(text);
            assert_eq!(template.expressions, kept, "{text}");
            assert!(!template.text().contains(kept[0]));
            let same = template.filled(template.text());
            assert_eq!(same.as_deref(), Some(text));
            let upper = template.text().to_ascii_uppercase();
            assert_eq!(template.filled(&upper), None);
        }
        assert!(Template::of("http://a/{b").is_none());
        assert!(Template::of("http://a/b}").is_none());
    }

    #[test]
    fn lost_expressions_are_noticed() {
        let template = Template::of("/{a}/{b}").unwrap();
        let (a, b) = template.text().split_at(template.text().len() / 2);
        assert_eq!(template.filled(a), None);
        assert_eq!(template.filled(&format!("{b}{a}")), None);
        assert_eq!(template.filled(&template.text().repeat(2)), None);
    }
}
