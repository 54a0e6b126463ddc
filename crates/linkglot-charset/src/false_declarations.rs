//! Declarations for other readers of a document: editors, compilers, converters. They do not decide how the document is
//! read here, and are wrong once it is in another charset.

use crate::charset::Charset;
use crate::vocabulary::Vocabulary;
use memchr::memmem::{Finder, rfind};
use std::sync::LazyLock;

/// The number of bytes at the end of a document in which Emacs reads variables: 3000 characters.
const LOCAL: u64 = 4 * 3000;

/// Words that stand in each declaration.
static SIGNS: LazyLock<[Finder<'_>; 3]> = LazyLock::new(|| {
    [
        Finder::new("oding"),
        Finder::new("code_page("),
        Finder::new("inputenc}"),
    ]
});

/// The search for declarations that contradict the charset of a document, in its text:
///
/// - `-*- coding: koi8-r -*-` in one of the first two lines, and `coding:` among the `Local Variables:` at the end
///   (Emacs)
/// - `#pragma code_page(1251)` (compilers of C and of resources)
/// - `% Encoding: Cp1251` (BibTeX of JabRef), `=encoding koi8-r` (Perl)
/// - `\usepackage[koi8-r]{inputenc}`, `\inputencoding{koi8-r}` (LaTeX)
///
/// ```
/// use linkglot_charset::{Charset, FalseDeclarations};
///
/// let mut found = FalseDeclarations::new(Charset::UTF_8);
/// found.read(";; -*- coding: koi8-r -*-\né\n");
/// assert_eq!(found.end(), Some((1, "koi8-r".to_owned())));
/// ```
#[derive(Debug)]
pub struct FalseDeclarations {
    charset: Charset,
    /// The number of lines that were read.
    lines: u64,
    /// The number of bytes that were read.
    read: u64,
    /// True if variables of Emacs began, and did not end.
    in_variables: bool,
    /// The line and the label of the first one.
    found: Option<(u64, String)>,
    /// The last one among variables, with its place.
    variable: Option<(u64, String, u64)>,
    /// True if the text has characters beyond ASCII.
    has_letters: bool,
}

impl FalseDeclarations {
    /// A search in a document that gets this charset.
    pub fn new(charset: Charset) -> Self {
        FalseDeclarations {
            charset,
            lines: 0,
            read: 0,
            in_variables: false,
            found: None,
            variable: None,
            has_letters: false,
        }
    }

    /// Reads the next lines. Linear; fast where no declaration stands.
    pub fn read(&mut self, text: &str) {
        self.has_letters |= !text.is_ascii();
        let signs = || {
            SIGNS
                .iter()
                .any(|sign| sign.find(text.as_bytes()).is_some())
        };
        if self.found.is_none() && signs() {
            for line in text.split_inclusive('\n') {
                self.line(line.trim_end());
                self.pass(line);
            }
        } else {
            self.pass(text);
        }
    }

    /// Counts a text, and follows the borders of variables.
    fn pass(&mut self, text: &str) {
        let text = text.as_bytes();
        self.lines += memchr::memchr_iter(b'\n', text).count() as u64;
        self.read += text.len() as u64;
        let (begin, end) = (rfind(text, b"Local Variables:"), rfind(text, b"End:"));
        if begin != end {
            self.in_variables = begin > end;
        }
    }

    /// The line, from 1 on, and the label of the first declaration that is false for a text with letters.
    pub fn end(self) -> Option<(u64, String)> {
        let end = self.read;
        let variable = self.variable.filter(|(.., at)| end - at <= LOCAL);
        let found = self
            .found
            .or(variable.map(|(line, label, _)| (line, label)));
        found.filter(|_| self.has_letters)
    }

    fn line(&mut self, line: &str) {
        let is_first = self.lines < 2;
        let number = self.lines + 1;
        let is_false =
            |(vocabulary, label): &(Vocabulary, &str)| vocabulary.contradicts(label, self.charset);
        if let Some((_, label)) = declared(line, is_first).filter(is_false) {
            self.found.get_or_insert((number, label.to_owned()));
        }
        let variable = self.in_variables.then(|| coding(line)).flatten();
        if let Some(label) = variable.filter(|label| is_false(&(Vocabulary::Python, label))) {
            self.variable = Some((number, label.to_owned(), self.read));
        }
    }
}

/// The label in a line.
fn declared(line: &str, is_first: bool) -> Option<(Vocabulary, &str)> {
    let is_label = |ch: char| ch.is_ascii_alphanumeric() || "-_.:".contains(ch);
    let label = |text: &'_ str| -> usize { text.find(|ch| !is_label(ch)).unwrap_or(text.len()) };
    if is_first && let Some((_, rest)) = line.split_once("-*-") {
        let inside = rest.split("-*-").next()?;
        return coding(inside).map(|label| (Vocabulary::Python, label));
    }
    for begin in ["% Encoding:", "%Encoding:", "=encoding "] {
        if let Some(rest) = line.strip_prefix(begin) {
            let rest = rest.trim_start();
            return Some((Vocabulary::Web, &rest[..label(rest)]));
        }
    }
    if let Some((before, rest)) = line.split_once("code_page(") {
        let is_pragma = before.trim().trim_start_matches('#').trim() == "pragma";
        let rest = rest.trim_start();
        return is_pragma.then(|| (Vocabulary::CodePage, &rest[..label(rest)]));
    }
    let code = line.split('%').next()?;
    if let Some((_, rest)) = code.split_once("\\inputencoding{") {
        return Some((Vocabulary::Inputenc, rest.split('}').next()?.trim()));
    }
    let (before, _) = code.split_once("]{inputenc}")?;
    // The last option counts.
    let option = before.rsplit(['[', ',']).next()?;
    Some((Vocabulary::Inputenc, option.trim()))
}

/// The label of a variable of Emacs, without the kind of line ends.
fn coding(line: &str) -> Option<&str> {
    let (before, rest) = line.split_once("coding:")?;
    if before.ends_with(|ch: char| ch.is_ascii_alphanumeric() || ch == '-') {
        return None;
    }
    let rest = rest.trim_start();
    let end = rest.find(|ch: char| ch.is_ascii_whitespace() || ch == ';');
    let label = &rest[..end.unwrap_or(rest.len())];
    let ends = ["-unix", "-dos", "-mac"];
    let known = ends.iter().find_map(|end| label.strip_suffix(end));
    Some(known.unwrap_or(label))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<(u64, String)> {
        let mut found = FalseDeclarations::new(Charset::UTF_8);
        for line in text.split_inclusive('\n') {
            found.read(line);
        }
        let mut whole = FalseDeclarations::new(Charset::UTF_8);
        whole.read(text);
        let found = found.end();
        assert_eq!(found, whole.end(), "{text}");
        found
    }

    #[test]
    fn false_declarations() {
        for (text, line) in [
            ("é -*- coding: koi8-r -*-\n", 1),
            ("#!/bin/é\n;; -*- mode: lisp; coding: koi8-r-unix; -*-", 2),
            ("é\n;; Local Variables:\n;; coding: koi8-r\n;; End:\n", 3),
            ("é\n#pragma code_page(1251)\n", 2),
            ("# pragma code_page( 1251 ) é", 1),
            ("% Encoding: windows-1251\né", 1),
            ("é\n\n=encoding koi8-r\n", 3),
            ("é\n\\inputencoding{latin1}", 2),
            ("é\\usepackage[utf8,latin1]{inputenc}", 1),
        ] {
            assert_eq!(found(text).map(|(line, _)| line), Some(line), "{text}");
        }
    }

    #[test]
    fn other_texts() {
        let later = format!(
            ";; Local Variables:\n;; coding: koi8-r\n;; End:\n{}",
            "é\n".repeat(9000)
        );
        for text in [
            "é -*- coding: utf-8-dos -*-\n",
            "é\n\n-*- coding: koi8-r -*-\n",
            // ASCII is the same in both.
            "-*- coding: koi8-r -*-\n",
            "é -*- coding: undecided -*-",
            "é\ncoding: koi8-r\n",
            "é\nLocal Variables:\nEnd:\ncoding: koi8-r\n",
            "é Local Variables:\nbuffer-file-coding: koi8-r\n",
            "é #pragma code_page(default)\n#pragma code_page(65001)",
            "é code_page(1251)",
            "é\\inputencoding{utf8} % \\inputencoding{latin1}",
            "é\\usepackage[utf8]{inputenc}",
            &later,
        ] {
            assert_eq!(found(text), None, "{text}");
        }
    }
}
