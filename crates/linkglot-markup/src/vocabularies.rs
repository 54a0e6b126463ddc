//! The vocabularies of all formats, and files of users that extend them.

use super::vocabulary::Vocabulary;
use super::words::{is_access, is_syntax};
use super::xml::XmlVocabulary;
use crate::InvalidVocabulary;
use std::fmt;
use std::sync::Arc;

/// Where links stand in HTML and in XML. Cheap to clone.
#[derive(Clone)]
pub struct Vocabularies {
    /// HTML and XHTML.
    pub html: Arc<Vocabulary>,
    /// Everything else of XML.
    pub xml: Arc<XmlVocabulary>,
}

impl Default for Vocabularies {
    fn default() -> Self {
        Vocabularies {
            html: Vocabulary::html(),
            xml: XmlVocabulary::builtin(),
        }
    }
}

impl fmt::Debug for Vocabularies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Vocabularies").finish_non_exhaustive()
    }
}

/// What a line of a file is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    Nothing,
    Html,
    Xml,
}

impl Vocabularies {
    /// These vocabularies and the rows of a file, which go before their own where both are for the same place.
    ///
    /// A line is a row of columns parted by tabs, blank, or a comment that begins with `#`. Rows for HTML are those of
    /// [`vocabulary::BUILTIN`](super::vocabulary::BUILTIN) (element, attribute, syntax, access and perhaps a condition), rows for XML those of
    /// [`xml::BUILTIN`](super::xml::BUILTIN) (the same behind a namespace); they may be mixed. Linear.
    ///
    /// ```
    /// use linkglot_markup::Vocabularies;
    ///
    /// let rows = "# ours\nx-card\tto\tsingle\trewrite\nurn:x\tcard\tto\tsingle\trewrite\n";
    /// let vocabularies = Vocabularies::default().extended(rows)?;
    /// assert!(Vocabularies::default().extended("no row").is_err());
    /// # Ok::<(), linkglot_markup::InvalidVocabulary>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`InvalidVocabulary`], with the line, when a row is not one.
    pub fn extended(&self, text: &str) -> Result<Vocabularies, InvalidVocabulary> {
        let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
        let kinds: Vec<Line> = text.lines().map(kind_of).collect();
        for (index, line) in text.lines().enumerate() {
            check(line).map_err(|message| {
                let message = format!("line {}: {message}", index + 1);
                InvalidVocabulary::new(message)
            })?;
        }
        // Each file keeps its lines where they were, so that errors name them.
        let rows_of = |wanted| {
            let lines = text.lines().zip(&kinds);
            let lines =
                lines.map(|(line, kind)| if *kind == wanted { line.trim_end() } else { "" });
            lines.collect::<Vec<_>>().join("\n")
        };
        let mut new = self.clone();
        if kinds.contains(&Line::Html) {
            new.html = Arc::new(self.html.extended(&rows_of(Line::Html))?);
        }
        if kinds.contains(&Line::Xml) {
            new.xml = Arc::new(self.xml.extended(&rows_of(Line::Xml))?);
        }
        Ok(new)
    }

    /// These vocabularies with the rows that count only when asked for.
    pub fn with_opt_ins(&self) -> Vocabularies {
        Vocabularies {
            html: Arc::new(self.html.with_opt_ins()),
            xml: Arc::new(self.xml.with_opt_ins()),
        }
    }
}

fn columns(line: &str) -> Vec<&str> {
    line.trim_end().split('\t').map(str::trim).collect()
}

/// Which vocabulary a line is for: that of HTML has the access in the fourth column, that of XML in the fifth.
fn kind_of(line: &str) -> Line {
    if line.trim().is_empty() || line.starts_with('#') {
        return Line::Nothing;
    }
    match columns(line)[..] {
        ["prefix", _, _] => Line::Xml,
        [_, _, _, access, ..] if is_access(access) => Line::Html,
        [_, _, _, _, access, ..] if is_access(access) => Line::Xml,
        [_, _, _, syntax, _] if is_syntax(syntax) => Line::Xml,
        [_, _, _, _, _, _] => Line::Xml,
        _ => Line::Html,
    }
}

/// A line whose columns are those of no row.
fn check(line: &str) -> Result<(), String> {
    let count = columns(line).len();
    if kind_of(line) == Line::Html && !matches!(count, 4 | 5) {
        return Err(format!(
            "expected columns parted by tabs: element, attribute, syntax, access and perhaps a condition, for XML \
             a namespace before them; but found {count} column{}",
            if count == 1 { "" } else { "s" }
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_find_their_vocabulary() {
        for (line, kind) in [
            ("", Line::Nothing),
            ("# x\ty", Line::Nothing),
            ("a\thref\tsingle\trewrite", Line::Html),
            ("a\thref\tsingle\tnever\trel=x", Line::Html),
            ("a\thref\tsingle\tnever\t", Line::Html),
            ("urn:x\ta\thref\tsingle\tlist", Line::Xml),
            ("urn:x\ta\thref\tsingle\trules\tx=y", Line::Xml),
            ("prefix\tx\turn:x", Line::Xml),
        ] {
            assert!(kind_of(line) == kind, "{line:?}");
        }
    }

    #[test]
    fn errors_name_line_and_what_was_found() {
        for (text, parts) in [
            (
                "\n\na href",
                &["line 3: expected columns", "found 1 column"][..],
            ),
            ("a\tb\tc", &["line 1: ", "found 3 columns"]),
            (
                "a\thref\tsinge\trewrite",
                &["line 1: expected a syntax", "`singe`"],
            ),
            (
                "a\thref\tsingle\twrite",
                &["line 1: expected an access", "`write`"],
            ),
            (
                "#\nurn:x\ta\thref\tsingle\twrite",
                &["line 2: expected an access", "`write`"],
            ),
            (
                "urn:x\ta\thref\tsinge\trewrite",
                &["line 1: expected a syntax", "`singe`"],
            ),
            (
                "a\thref\tsingle\trewrite\trel",
                &["line 1: expected a condition", "`rel`"],
            ),
            (
                "urn:x\ta\tp:b\tsingle\trewrite",
                &["line 1: expected a declared prefix", "`p`"],
            ),
            ("a\thref\ttext\trewrite", &["for #text alone", "`href`"]),
            (
                "*\t*\tsingle\trewrite",
                &["line 1: expected the name of an attribute"],
            ),
        ] {
            let error = Vocabularies::default().extended(text).expect_err(text);
            let message = error.to_string();
            for part in parts {
                assert!(message.contains(part), "{text:?}: {message}");
            }
        }
    }
}
