//! The links of a `&str`.

use super::breaks;
use super::fast::{Edge, FastFinder, FastLink};
use super::find::{Finder, Found, Link};
use super::native_domains::NativeDomains;
use super::overlong::{self, OverlongRest};
use super::run::around::{self, Runs};
use super::text::Text;
use super::triggers::{Haystack, Triggers};
use super::{Hit, Scanner};
use linkglot_charset::Charset;
use linkglot_charset::span::TextSpan;
use std::borrow::Cow;
#[cfg(test)]
use std::cell::Cell;

/// Iterates over the links of a text; see [`Scanner::links`].
pub struct Links<'t, 's> {
    scanner: &'s Scanner,
    text: &'t str,
    runs: Runs,
    triggers: Triggers<'t>,
    /// Judges most links without decoding.
    pub(super) web: Option<FastFinder<'t, 's>>,
    at: usize,
    floor: usize,
    /// Number of characters read, for the linearity tests.
    #[cfg(test)]
    pub(super) steps: Cell<u64>,
}

impl<'t, 's: 't> Links<'t, 's> {
    pub(super) fn new(scanner: &'s Scanner, text: &'t str) -> Self {
        let haystack = Haystack::new(text.as_bytes(), scanner, NativeDomains::utf8(), false);
        Links {
            scanner,
            text,
            runs: Runs::new(scanner, false),
            triggers: Triggers::new(haystack),
            web: FastFinder::new(
                text.as_bytes(),
                (Edge::Whole, Edge::Whole),
                scanner,
                Charset::UTF_8,
            ),
            at: 0,
            floor: 0,
            #[cfg(test)]
            steps: Cell::new(0),
        }
    }

    /// Judges the trigger at `at`.
    #[inline]
    fn judge(&mut self, at: usize) -> Found {
        let web = self.web.as_ref().and_then(|web| web.link(at, self.floor));
        if let Some(FastLink {
            range,
            kind,
            evidence,
        }) = web
        {
            return Found::Link(Link {
                evidence,
                ..Link::new(range.start, range.end, kind)
            });
        }
        let run = self.runs.around(self.text.as_bytes(), at);
        let start = floor_char(self.text, run.start);
        match self.judge_in(start, run.end, at) {
            // The brackets hold a link over white space, or the run alone counts.
            (found, true) => {
                let (bracketed, _) = self.judge_in(start, run.end + around::BRACKETS, at);
                match bracketed {
                    Found::Link(link) if link.spaced => bracketed,
                    _ => found,
                }
            }
            (found, false) => found,
        }
    }

    /// Judges the trigger in a part of the text, and returns true if angle brackets are open at the end of that part.
    fn judge_in(&self, start: usize, end: usize, at: usize) -> (Found, bool) {
        let run = self
            .text
            .get(start..floor_char(self.text, end))
            .unwrap_or("");
        let text = Text::new(run, self.scanner.classes());
        let finder = Finder {
            text: &text,
            scanner: self.scanner,
            floor: self.floor.saturating_sub(start),
        };
        let found = match finder.at(at - start) {
            Found::Nothing => Found::Nothing,
            Found::Skip(floor) => Found::Skip(start + floor),
            Found::Link(link) => Found::Link(link.moved(start)),
        };
        #[cfg(test)]
        self.steps.set(self.steps.get() + text.steps.get());
        (found, text.is_bracket_open())
    }
}

/// The nearest position at or in front of `at` where a character of a text begins.
fn floor_char(text: &str, at: usize) -> usize {
    let is_begin = |at: &usize| text.is_char_boundary(*at);
    (0..=at.min(text.len())).rev().find(is_begin).unwrap_or(0)
}

impl Links<'_, '_> {
    /// Skips the rest of the overlong link that begins at `start`.
    fn pass_rest(&mut self, start: usize) {
        let bytes = self.text.as_bytes();
        let outer = start.checked_sub(1).and_then(|at| bytes.get(at));
        let end = OverlongRest::behind(outer.copied()).end(bytes, self.at);
        self.at = end.unwrap_or(bytes.len());
        self.floor = self.at;
    }
}

impl<'t, 's: 't> Iterator for Links<'t, 's> {
    type Item = Hit;

    fn next(&mut self) -> Option<Hit> {
        loop {
            let at = self.triggers.next(self.at)?;
            self.at = at + 1;
            match self.judge(at) {
                Found::Nothing => {}
                Found::Skip(floor) => self.floor = floor,
                Found::Link(link) => {
                    self.floor = link.floor;
                    self.at = self.at.max(link.end);
                    let length = link.end - link.start;
                    if overlong::is_too_long(length, length) {
                        self.pass_rest(link.start);
                        continue;
                    }
                    if self
                        .scanner
                        .wants(link.kind, self.text.get(link.start..link.end).unwrap_or(""))
                    {
                        return Some(Hit {
                            span: TextSpan::new(link.start, link.end),
                            kind: link.kind,
                            evidence: link.evidence,
                        });
                    }
                }
            }
        }
    }
}

impl std::fmt::Debug for Links<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Links")
            .field("at", &self.at)
            .finish_non_exhaustive()
    }
}

impl Hit {
    /// The link in `text`, the scanned text: borrowed, unless line breaks and white space must be removed from the link
    /// (RFC 3986 appendix C, [`Breaks`](super::Breaks)). Empty if the hit is from another text.
    ///
    /// ```
    /// let text = "<http://example.org/a/\n b>";
    /// let hit = linkglot_scan::links(text).next().unwrap();
    /// assert_eq!(hit.link(text), "http://example.org/a/b");
    /// ```
    pub fn link<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let raw = text.get(self.span.start..self.span.end).unwrap_or("");
        if !raw.contains(char::is_whitespace) {
            return Cow::Borrowed(raw);
        }
        Cow::Owned(breaks::unbroken(raw).map(|(_, ch)| ch).collect())
    }

    /// The IRI of the [link](Self::link) in `text`, the scanned text, with the implied scheme.
    ///
    /// ```
    /// use linkglot_iri::ToUri;
    ///
    /// let text = "example.org/é or ann@example.org";
    /// let iris: Vec<_> = linkglot_scan::links(text).map(|hit| hit.iri(text)).collect();
    /// assert_eq!(iris, ["https://example.org/é", "mailto:ann@example.org"]);
    /// assert_eq!(ToUri::default().map(&iris[0]).unwrap().text, "https://example.org/%C3%A9");
    /// ```
    #[cfg(feature = "iri")]
    pub fn iri<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match self.link(text) {
            Cow::Borrowed(link) => self.kind.iri(link),
            Cow::Owned(link) => Cow::Owned(self.kind.iri(&link).into_owned()),
        }
    }

    /// The scheme that the link implies, if it has no scheme of its own: `https` or `mailto`.
    ///
    /// ```
    /// let text = "ann@example.org or http://example.org";
    /// let schemes: Vec<_> = linkglot_scan::links(text).map(|hit| hit.implied_scheme()).collect();
    /// assert_eq!(schemes, [Some("mailto"), None]);
    /// ```
    pub fn implied_scheme(&self) -> Option<&'static str> {
        self.kind.implied_scheme()
    }

    /// The scheme of the [link](Self::link) in `text`, the scanned text, as written or implied; borrowed, unless line
    /// breaks stand in it. Any scheme may stand in front of `//`, even `javascript`: a program that opens links must
    /// check the scheme first.
    ///
    /// ```
    /// let text = "example.org or HTTP://example.org/ or javascript://x/";
    /// let schemes: Vec<_> = linkglot_scan::links(text).map(|hit| hit.scheme(text)).collect();
    /// assert_eq!(schemes, ["https", "HTTP", "javascript"]);
    /// ```
    pub fn scheme<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match self.implied_scheme() {
            Some(implied) => Cow::Borrowed(implied),
            None => scheme(text.get(self.span.start..self.span.end).unwrap_or("")),
        }
    }
}

/// The scheme of a link that has a scheme, as written, without line breaks.
pub(super) fn scheme(link: &str) -> Cow<'_, str> {
    let name = link.split(':').next().unwrap_or("");
    if name.contains(char::is_whitespace) {
        Cow::Owned(breaks::unbroken(name).map(|(_, ch)| ch).collect())
    } else {
        Cow::Borrowed(name)
    }
}
