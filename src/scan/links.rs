//! The links of a `&str`.

use super::breaks;
use super::find::{Finder, Found, Link};
use super::long::{self, Rest};
use super::stop::Stop;
use super::text::Text;
use super::triggers::{Ground, Triggers};
use super::web::{Edge, Judged, Web};
use super::{Hit, Scanner};
use crate::charset::Charset;
use crate::span::TextSpan;
use std::borrow::Cow;

/// Iterates over the links of a text; see [`Scanner::links`].
pub struct Links<'t, 's> {
    scanner: &'s Scanner,
    pub(super) text: Text<'t>,
    triggers: Triggers<'t>,
    /// Judges most links at once.
    pub(super) web: Option<Web<'t, 's>>,
    at: usize,
    floor: usize,
}

impl<'t, 's: 't> Links<'t, 's> {
    pub(super) fn new(scanner: &'s Scanner, text: &'t str) -> Self {
        let ground = Ground::new(text.as_bytes(), scanner, Stop::utf8(), false);
        Links {
            scanner,
            text: Text::new(text, scanner.classes()),
            triggers: Triggers::new(ground),
            web: Web::new(
                text.as_bytes(),
                (Edge::Whole, Edge::Whole),
                scanner,
                Charset::UTF_8,
            ),
            at: 0,
            floor: 0,
        }
    }

    /// What the trigger at `at` is part of.
    #[inline]
    fn judge(&self, at: usize) -> Found {
        let web = self.web.as_ref().and_then(|web| web.link(at, self.floor));
        if let Some(Judged { range, kind, .. }) = web {
            return Found::Link(Link {
                start: range.start,
                end: range.end,
                kind,
                floor: range.end,
                spaced: false,
            });
        }
        let finder = Finder {
            text: &self.text,
            scanner: self.scanner,
            floor: self.floor,
        };
        finder.at(at)
    }
}

impl Links<'_, '_> {
    /// Passes over what goes on behind a link that is too long and begins at `start`.
    fn pass_rest(&mut self, start: usize) {
        let bytes = self.text.str().as_bytes();
        let outer = start.checked_sub(1).and_then(|at| bytes.get(at));
        let end = Rest::behind(outer.copied()).end(bytes, self.at);
        self.at = end.unwrap_or(bytes.len());
        self.floor = self.at;
    }
}

impl Iterator for Links<'_, '_> {
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
                    if long::is_too_long(length, length) {
                        self.pass_rest(link.start);
                        continue;
                    }
                    if self
                        .scanner
                        .wants(link.kind, self.text.slice(link.start, link.end))
                    {
                        return Some(Hit {
                            span: TextSpan::new(link.start, link.end),
                            kind: link.kind,
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
    /// The link in `text`, the text that was scanned: borrowed, unless line breaks and white space
    /// are to be removed from it (RFC 3986 appendix C, [`Breaks`](super::Breaks)). Empty for
    /// another text's hit.
    pub fn link<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let raw = text.get(self.span.start..self.span.end).unwrap_or("");
        if !raw.contains(char::is_whitespace) {
            return Cow::Borrowed(raw);
        }
        Cow::Owned(breaks::unbroken(raw).map(|(_, ch)| ch).collect())
    }

    /// The IRI that the [link](Self::link) in `text` stands for, the text that was scanned: with the scheme that it implies.
    ///
    /// ```
    /// use linkglot::iri::ToUri;
    ///
    /// let text = "example.org/é or ann@example.org";
    /// let iris: Vec<_> = linkglot::scan::links(text).map(|hit| hit.iri(text)).collect();
    /// assert_eq!(iris, ["https://example.org/é", "mailto:ann@example.org"]);
    /// assert_eq!(ToUri::default().map(&iris[0]).unwrap().text, "https://example.org/%C3%A9");
    /// ```
    pub fn iri<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match self.link(text) {
            Cow::Borrowed(link) => self.kind.iri(link),
            Cow::Owned(link) => Cow::Owned(self.kind.iri(&link).into_owned()),
        }
    }

    /// The scheme that the link implies, if it has none of its own: `https` or `mailto`.
    pub fn implied_scheme(&self) -> Option<&'static str> {
        self.kind.implied_scheme()
    }

    /// The scheme of the [link](Self::link) in `text`, the text that was scanned, as it is written there or implied;
    /// borrowed, unless line breaks stand in it. Any scheme may stand in front of `//`, `javascript` too: a program that
    /// opens links looks at it first.
    ///
    /// ```
    /// let text = "example.org or HTTP://example.org/ or javascript://x/";
    /// let schemes: Vec<_> = linkglot::scan::links(text).map(|hit| hit.scheme(text)).collect();
    /// assert_eq!(schemes, ["https", "HTTP", "javascript"]);
    /// ```
    pub fn scheme<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match self.implied_scheme() {
            Some(implied) => Cow::Borrowed(implied),
            None => scheme(text.get(self.span.start..self.span.end).unwrap_or("")),
        }
    }
}

/// The scheme of a link that has one, as it is written but for line breaks.
pub(super) fn scheme(link: &str) -> Cow<'_, str> {
    let name = link.split(':').next().unwrap_or("");
    match name.contains(char::is_whitespace) {
        true => Cow::Owned(breaks::unbroken(name).map(|(_, ch)| ch).collect()),
        false => Cow::Borrowed(name),
    }
}
