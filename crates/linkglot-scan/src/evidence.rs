//! Evidence: grades for how surely a piece of running text is a link.
//!
//! The grade follows from the link and from one character on either side of it, so that the grade is as local as the
//! link.

use super::Kind;
use super::classes;
use super::find::{Finder, Link};
use super::host_punctuation;
use super::tail::pairs;
use std::fmt;

/// Grade of the evidence that a text is a link. Greater grades are surer.
///
/// ```
/// use linkglot_scan::Evidence;
///
/// let text = "<http://a.example> http://a.example www.a.org ann@a.org a.org/b a.org";
/// let grades: Vec<_> = linkglot_scan::links(text).map(|hit| hit.evidence.name()).collect();
/// assert_eq!(grades, ["enclosed", "scheme", "www", "address", "path", "name"]);
/// assert!(Evidence::Enclosed > Evidence::Scheme && Evidence::Scheme > Evidence::Name);
/// ```
// As wide as the other parts of a hit, like `Kind`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(usize)]
#[non_exhaustive]
pub enum Evidence {
    /// A bare domain alone: `example.org`. File names, members of programs and words without the space between them
    /// look the same.
    Name,
    /// A bare domain with a path, query, fragment or port: `example.org/a`.
    Path,
    /// An e-mail address: `ann@example.org`.
    Address,
    /// A domain that begins with `www.`.
    Www,
    /// A link with a scheme: `http://example.org/`, `tel:+15550100`.
    Scheme,
    /// A link directly between delimiters: `<http://example.org/>`, `"www.example.org"`. A link without a scheme or
    /// `www.` must be an address or have a path, and stand in angle brackets.
    Enclosed,
    /// A slot of markup or of a format holds the link. Scanners never give this grade.
    Markup,
}

impl Evidence {
    /// Every grade, from the least sure to the surest.
    ///
    /// ```
    /// use linkglot_scan::Evidence;
    ///
    /// assert!(Evidence::ALL.is_sorted());
    /// ```
    pub const ALL: [Evidence; 7] = [
        Evidence::Name,
        Evidence::Path,
        Evidence::Address,
        Evidence::Www,
        Evidence::Scheme,
        Evidence::Enclosed,
        Evidence::Markup,
    ];

    /// The name, for scripts: `markup`, `enclosed`, `scheme`, `www`, `address`, `path` or `name`.
    ///
    /// ```
    /// use linkglot_scan::Evidence;
    ///
    /// assert_eq!(Evidence::Www.name(), "www");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Evidence::Name => "name",
            Evidence::Path => "path",
            Evidence::Address => "address",
            Evidence::Www => "www",
            Evidence::Scheme => "scheme",
            Evidence::Enclosed => "enclosed",
            Evidence::Markup => "markup",
        }
    }

    /// The grade with this name.
    ///
    /// ```
    /// use linkglot_scan::Evidence;
    ///
    /// assert_eq!(Evidence::named("path"), Some(Evidence::Path));
    /// assert_eq!(Evidence::named("none"), None);
    /// ```
    pub fn named(name: &str) -> Option<Evidence> {
        Evidence::ALL.into_iter().find(|grade| grade.name() == name)
    }

    /// The grade that a link has by itself. In the charset of its bytes, the bytes of `/`, `?`, `#` and `:` are never
    /// part of another character.
    pub(super) fn of_link(kind: Kind, link: &[u8]) -> Evidence {
        match kind {
            Kind::Absolute => Evidence::Scheme,
            Kind::Email => Evidence::Address,
            Kind::Domain if begins_with_www(link) => Evidence::Www,
            Kind::Domain => {
                if link.iter().any(|byte| b"/?#:".contains(byte)) {
                    Evidence::Path
                } else {
                    Evidence::Name
                }
            }
        }
    }

    /// The grade of a link of this grade between two characters.
    pub(super) fn between(self, before: char, behind: char) -> Evidence {
        let is_enclosed = match self {
            Evidence::Scheme | Evidence::Www => encloses(before, behind),
            Evidence::Address | Evidence::Path => (before, behind) == ('<', '>'),
            // `<file.pub>` is more often the name of a file, or a placeholder.
            Evidence::Name | Evidence::Enclosed | Evidence::Markup => false,
        };
        if is_enclosed {
            Evidence::Enclosed
        } else {
            self
        }
    }
}

/// Writes the name.
impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

fn begins_with_www(link: &[u8]) -> bool {
    let head = link.get(..4).filter(|_| link.len() > 4);
    head.is_some_and(|head| head.eq_ignore_ascii_case(b"www."))
}

/// True for a pair of characters that enclose a link: brackets, quotes, marks of emphasis, and the delimiters of BBCode
/// and wikis.
fn encloses(before: char, behind: char) -> bool {
    match (before, behind) {
        ('"' | '\'' | '`' | '|' | '*' | '_' | '~', _) => before == behind,
        // `[url]link[/url]`, `[url=link]`, `[[link|text]]`
        (']', '[') | ('=', ']') | ('[', '|') => true,
        _ => pairs(before, behind) || classes::opener(behind) == Some(before),
    }
}

/// True if a character beyond ASCII may be the second of such a pair.
pub(super) fn may_close(ch: char) -> bool {
    "“”‘’‟„«»‹›".contains(ch) || classes::opener(ch).is_some()
}

impl Finder<'_, '_> {
    /// The evidence of a link of the text.
    pub(super) fn evidence(&self, link: &Link) -> Evidence {
        let text = self.text;
        let own = text.slice(link.start, link.end);
        // In front of another label a full stop beyond ASCII may end a sentence.
        if link.kind == Kind::Domain && has_wide_stop(own) {
            return Evidence::Name;
        }
        let evidence = Evidence::of_link(link.kind, own.as_bytes());
        // A character of the previous link opens nothing.
        let before = text.before(link.start).filter(|_| link.start > self.floor);
        match before {
            None => evidence,
            Some(':') if text.ends(link.start, self.floor, "<URL:") => {
                evidence.between('<', text.char(link.end))
            }
            Some(before) => evidence.between(before, text.char(link.end)),
        }
    }
}

/// True if the host of a link without a scheme has a full stop beyond ASCII.
fn has_wide_stop(link: &str) -> bool {
    let host = link.split(['/', '?', '#', ':']).next().unwrap_or("");
    !host.is_ascii() && host.contains(host_punctuation::is_wide_stop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scanner;

    fn grades(text: &str) -> Vec<Evidence> {
        let scanner = Scanner::default();
        scanner.links(text).map(|hit| hit.evidence).collect()
    }

    /// Texts whose links all have the same grade.
    #[test]
    fn grades_of_links() {
        use Evidence::*;
        let cases: [(Evidence, &[&str]); 6] = [
            (
                Enclosed,
                &[
                    "<http://a.example/>",
                    "\"http://a.example/b\"",
                    "(http://a.example)",
                    "`http://a.example`",
                    "**http://a.example/b**",
                    "[t](http://a.example/b)",
                    "[[http://a.example/b|t]]",
                    "[[http://a.example/b][t]]",
                    "[url]http://a.example/b[/url]",
                    "[url=http://a.example/b]t[/url]",
                    "「http://a.example/é」",
                    "„http://a.example/b“",
                    "<URL:http://a.example/b>",
                    "<http://a.example/\nb>",
                    "'www.a.org'",
                    "（www.a.org）",
                    "<a.org/b>",
                    "<résumé.com/b>",
                    "<URL:a.org/b>",
                    "<ann@a.org>",
                ],
            ),
            (
                Scheme,
                &[
                    "http://a.example",
                    "tel:+15550100",
                    "(http://a.example, b",
                    "\"http://a.example\u{201D}",
                    "<http://a.example",
                    "は「http://a.example/é。",
                ],
            ),
            (Www, &["www.a.org", "WWW.a.org/b", "www.xn--e1afmkfd.org"]),
            (Address, &["ann@a.org", "\"ann@a.org\"", "(ann@a.org)"]),
            (
                Path,
                &[
                    "a.org/b",
                    "a.org:80",
                    "a.org?b",
                    "a.org/#b",
                    "`a.org/b`",
                    "\"a.org/b\"",
                    "(a.org/b)",
                ],
            ),
            (
                Name,
                &[
                    "a.org",
                    "résumé.com",
                    "`résumé.com`",
                    "\"résumé.com\"",
                    "<résumé.com>",
                    "例子。中国",
                ],
            ),
        ];
        for (grade, texts) in cases {
            for text in texts {
                assert_eq!(grades(text), [grade], "{text}");
            }
        }
    }

    /// Characters at the end of a link open nothing in front of the next one.
    #[test]
    fn characters_of_a_link_enclose_no_other() {
        let text = "http://a.example/(b,http://c.example)";
        let links: Vec<_> = crate::links(text).map(|hit| hit.link(text)).collect();
        assert_eq!(links.len(), grades(text).len());
        assert!(grades(text).iter().all(|grade| *grade == Evidence::Scheme));
    }

    /// The test before decoding passes every character in the table of closers.
    #[test]
    fn all_that_closes_may_close() {
        let all = ('\u{80}'..=char::MAX).filter(|ch| !may_close(*ch));
        for behind in all {
            for before in ["\"", "«", "»", "“", "„", "‘", "‚", "「", "（", "<"] {
                let before = before.chars().next().unwrap();
                assert!(!encloses(before, behind), "{before}{behind}");
            }
        }
    }
}
