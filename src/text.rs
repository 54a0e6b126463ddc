//! The links of a string, and a test which of them may become clickable.

use crate::iri::{Disallowed, ToUri};
use crate::link::{as_parsed, scheme_of, with_implied};
use crate::scan::{self, Evidence, Hit, Kind};
use std::borrow::Cow;
use std::ops::Range;

/// A link in a string.
///
/// ```
/// let text = "See r\u{e9}sum\u{e9}.com/\u{e9}, or <http://a.example/\nb>.";
/// let links: Vec<_> = linkglot::links(text).collect();
/// assert_eq!(links[0].text(), "r\u{e9}sum\u{e9}.com/\u{e9}");
/// assert_eq!(links[0].range(), 4..19);
/// assert_eq!(links[0].uri().as_deref(), Some("https://xn--rsum-bpad.com/%C3%A9"));
/// assert_eq!(links[1].text(), "http://a.example/b");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TextLink<'t> {
    whole: &'t str,
    hit: Hit,
}

impl<'t> TextLink<'t> {
    /// The link as written, without the line breaks that RFC 3986 appendix C removes. O(length of the link).
    ///
    /// ```
    /// let link = linkglot::links("<http://a.example/\nb>").next().unwrap();
    /// assert_eq!(link.text(), "http://a.example/b");
    /// ```
    pub fn text(&self) -> Cow<'t, str> {
        self.hit.link(self.whole)
    }

    /// The spelling of the link: with a scheme, as a bare domain, or as an e-mail address.
    ///
    /// ```
    /// let link = linkglot::links("see a.org/é").next().unwrap();
    /// assert_eq!(link.kind(), linkglot::Kind::Domain);
    /// ```
    pub fn kind(&self) -> Kind {
        self.hit.kind
    }

    /// The evidence for the link.
    ///
    /// ```
    /// use linkglot::Evidence;
    ///
    /// let link = linkglot::links("see a.org/é").next().unwrap();
    /// assert_eq!(link.evidence(), Evidence::Path);
    /// ```
    pub fn evidence(&self) -> Evidence {
        self.hit.evidence
    }

    /// The range of the link in the string, in bytes.
    ///
    /// ```
    /// let link = linkglot::links("see a.org/é").next().unwrap();
    /// assert_eq!(link.range(), 4..12);
    /// ```
    pub fn range(&self) -> Range<usize> {
        self.hit.span.start..self.hit.span.end
    }

    /// The URI to follow (RFC 3987 3.1), with `https://` or `mailto:` if the link has no scheme; `None` if there is no
    /// such URI. O(length of the link).
    ///
    /// ```
    /// let link = linkglot::links("see a.org/é").next().unwrap();
    /// assert_eq!(link.uri().as_deref(), Some("https://a.org/%C3%A9"));
    /// ```
    pub fn uri(&self) -> Option<String> {
        let to_uri = ToUri {
            ascii: Disallowed::Encode,
            ..ToUri::default()
        };
        let text = self.text();
        let whole = with_implied(&text, self.hit.kind.implied_scheme());
        Some(to_uri.map(&whole).ok()?.text.into_owned())
    }
}

/// The links of a string for a human reader, in order, disjoint. Linear, without allocation.
///
/// ```
/// let text = "See http://r\u{e9}sum\u{e9}.example/\u{e9}, or write to info@example.org.";
/// let links: Vec<_> = linkglot::links(text).map(|link| link.text()).collect();
/// assert_eq!(links, ["http://r\u{e9}sum\u{e9}.example/\u{e9}", "info@example.org"]);
/// ```
pub fn links(text: &str) -> impl Iterator<Item = TextLink<'_>> {
    scan::links(text).map(move |hit| TextLink { whole: text, hit })
}

/// A link of a string, or a stretch of text between links; see [`segments`].
///
/// ```
/// use linkglot::Segment;
///
/// let texts = linkglot::segments("see a.org!").map(|segment| match segment {
///     Segment::Text(text) => text.to_owned(),
///     Segment::Link(link) => link.text().to_uppercase(),
/// });
/// assert_eq!(texts.collect::<String>(), "see A.ORG!");
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Segment<'t> {
    /// Text without a link.
    Text(&'t str),
    /// A link.
    Link(TextLink<'t>),
}

/// The links of a string and the text between them, which together are the whole string.
///
/// ```
/// use linkglot::{Segment, is_safe_to_click};
///
/// let mut html = String::new();
/// for segment in linkglot::segments("Gr\u{fc}\u{df}e, example.org!") {
///     match segment {
///         Segment::Text(text) => html += text,
///         Segment::Link(link) => match link.uri().filter(|uri| is_safe_to_click(uri)) {
///             Some(uri) => html += &format!("<a href=\"{uri}\">{}</a>", link.text()),
///             None => html += &link.text(),
///         },
///     }
/// }
/// assert_eq!(html, "Gr\u{fc}\u{df}e, <a href=\"https://example.org\">example.org</a>!");
/// ```
pub fn segments(text: &str) -> impl Iterator<Item = Segment<'_>> {
    let mut links = links(text).peekable();
    let mut at = 0;
    std::iter::from_fn(move || {
        let next = links.peek().map_or(text.len(), |link| link.range().start);
        if at < next {
            let between = &text[at..next];
            at = next;
            return Some(Segment::Text(between));
        }
        let link = links.next()?;
        at = link.range().end;
        Some(Segment::Link(link))
    })
}

/// Schemes that only open a page, a message or a call, which the user sees first.
const SAFE: [&str; 18] = [
    "https", "http", "mailto", "tel", "sms", "ftp", "ftps", "geo", "irc", "ircs", "magnet",
    "matrix", "news", "nntp", "sip", "sips", "webcal", "xmpp",
];

/// True if a program may make a URI from others clickable: it is relative, or its scheme neither runs anything nor
/// reads a local file. False for `javascript:`, `data:`, `file:` and all unknown schemes. Ignores white space and
/// controls in and before the scheme, as browsers do (URL Standard 4.4). O(length).
///
/// ```
/// use linkglot::is_safe_to_click;
///
/// assert!(is_safe_to_click("https://example.org/") && is_safe_to_click("MAILTO:a@example.org"));
/// assert!(!is_safe_to_click("java\nscript:alert(1)") && !is_safe_to_click("x-unknown:1"));
/// ```
pub fn is_safe_to_click(uri: &str) -> bool {
    let parsed = as_parsed(uri);
    scheme_of(&parsed)
        .is_none_or(|scheme| SAFE.iter().any(|safe| scheme.eq_ignore_ascii_case(safe)))
}
