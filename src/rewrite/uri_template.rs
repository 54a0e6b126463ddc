//! References with expressions: URI templates (RFC 6570), attribute value templates of XSLT.

use std::ops::Range;

/// A template with a plain word in place of each expression, so that the text can be mapped like any reference.
pub(crate) struct UriTemplate<'t> {
    text: String,
    /// A word that is not in the template. An expression becomes the word, a number and the word again.
    word: String,
    expressions: Vec<&'t str>,
}

impl<'t> UriTemplate<'t> {
    /// `None` without an expression; an error if braces are not balanced. Linear.
    pub fn of(text: &'t str) -> Result<Option<UriTemplate<'t>>, Unclosed> {
        let expressions = expressions(text)?;
        if expressions.is_empty() {
            return Ok(None);
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
        Ok(Some(UriTemplate {
            text: plain,
            word,
            expressions: kept,
        }))
    }

    /// The text with words in place of expressions.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Puts the expressions back into a mapped text; `None` unless each stand-in occurs once, in order.
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

/// A word of letters that no mapping changes and that is not in the text.
fn word_for(text: &str) -> String {
    let mut word = "x".to_owned();
    while text.to_ascii_lowercase().contains(&word) {
        word.push('q');
    }
    word + "z"
}

/// The error for braces that are not balanced.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unclosed;

/// The ranges of expressions, with inner braces.
fn expressions(text: &str) -> Result<Vec<Range<usize>>, Unclosed> {
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(brace) = text[at..].find(['{', '}']) {
        let start = at + brace;
        // Quotes hide braces in expressions of XPath; URI templates have no such quotes.
        let end = expression_end(&text.as_bytes()[start..], Quotes::Hide)
            .or_else(|| expression_end(&text.as_bytes()[start..], Quotes::Nothing))
            .ok_or(Unclosed)?;
        // `${name}` of Maven and shells.
        let dollar = start > 0 && text.as_bytes()[start - 1] == b'$';
        found.push(start - usize::from(dollar)..start + end);
        at = start + end;
    }
    Ok(found)
}

/// Quotes in expressions are followed up to this many bytes.
const LONGEST: usize = 4096;

#[derive(Clone, Copy, PartialEq)]
enum Quotes {
    Hide,
    Nothing,
}

/// The end of the expression at the start of a text.
fn expression_end(text: &[u8], quotes: Quotes) -> Option<usize> {
    let (mut depth, mut quote) = (0_usize, None);
    let near = match quotes {
        Quotes::Hide => text.len().min(LONGEST),
        Quotes::Nothing => text.len(),
    };
    for (at, &byte) in text[..near].iter().enumerate() {
        match (byte, quote) {
            (_, Some(open)) if byte == open => quote = None,
            (_, Some(_)) => {}
            (b'"' | b'\'', None) if quotes == Quotes::Hide => quote = Some(byte),
            (b'{', None) => depth += 1,
            (b'}', None) => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn template(text: &str) -> UriTemplate<'_> {
        let template = UriTemplate::of(text).expect(text);
        template.expect(text)
    }

    #[test]
    fn expressions_are_kept() {
        for (text, kept) in [
            ("http://a/?q={q}&p={p?}", &["{q}", "{p?}"][..]),
            ("{{x}}/{concat('{', a)}", &["{{x}}", "{concat('{', a)}"]),
            ("${a.b}/c", &["${a.b}"]),
            ("xqxz{a}xqqz", &["{a}"]),
            ("{concat(\"}\", '{')}/{b}", &["{concat(\"}\", '{')}", "{b}"]),
            ("{it's}/{b}", &["{it's}", "{b}"]),
        ] {
            let template = template(text);
            assert_eq!(template.expressions, kept, "{text}");
            assert!(!template.text().contains(kept[0]));
            let same = template.filled(template.text());
            assert_eq!(same.as_deref(), Some(text));
            let upper = template.text().to_ascii_uppercase();
            assert_eq!(template.filled(&upper), None);
        }
        assert!(UriTemplate::of("http://a/b").is_ok_and(|template| template.is_none()));
        for unclosed in ["http://a/{b", "http://a/b}", "{a}}", "{{a}"] {
            assert!(UriTemplate::of(unclosed).is_err(), "{unclosed}");
        }
    }

    #[test]
    fn lost_expressions_are_noticed() {
        let template = template("/{a}/{b}");
        let (a, b) = template.text().split_at(template.text().len() / 2);
        assert_eq!(template.filled(a), None);
        assert_eq!(template.filled(&format!("{b}{a}")), None);
        assert_eq!(template.filled(&template.text().repeat(2)), None);
    }
}
