//! The target of a reference, as browsers parse it (URL Standard).
//!
//! This module knows no documents: the caller gives the base and the charset.

mod base;
mod host;
mod parser;
mod percent_encode;
mod plain;
mod same;

pub(crate) use host::disguised_address;
pub use plain::plain_host;

use crate::scheme;
use linkglot_charset::Charset;
use parser::{UrlParser, UrlRecord, stripped};
use percent_encode::QueryOctets;
use std::rc::Rc;

/// Settings for reading a document's references: the base, and the charset for queries.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_iri::target::Reading;
///
/// let reading = Reading { base: Some("http://example.org/a/"), query: Charset::UTF_8 };
/// assert_eq!(reading.resolve(r"..\é").as_deref(), Some("http://example.org/%C3%A9"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Reading<'b> {
    /// The base, if it is known. Without a base, relative references are compared as if it were http.
    pub base: Option<&'b str>,
    /// The charset of non-ASCII characters in queries of special schemes. UTF-8 for XML and text.
    pub query: Charset,
}

impl Reading<'_> {
    /// True if two references have the same target: resolved as browsers do, they have the same
    /// components, octet for octet once percent-encoding is undone. Reserved characters differ from
    /// their escapes. When in doubt, false.
    ///
    /// Linear; without allocation when only escapes differ and only after the authority.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    /// use linkglot_iri::target::Reading;
    ///
    /// let reading = Reading { base: None, query: Charset::UTF_8 };
    /// assert!(reading.same_target("http://é.example/ü", "HTTP://xn--9ca.example:80/%c3%bc"));
    /// assert!(!reading.same_target("/a/b", "/a%2Fb"));
    /// ```
    pub fn same_target(&self, before: &str, after: &str) -> bool {
        same_at_a_glance(before, after, self.query) || self.same_url(before, after)
    }

    /// The URL that a browser makes of a reference, serialized by the URL Standard. `None` for a reference that is no
    /// URL, or that is relative without a known base. Linear.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    /// use linkglot_iri::target::Reading;
    ///
    /// let reading = Reading { base: Some("http://é.example/a"), query: Charset::WINDOWS_1252 };
    /// assert_eq!(reading.resolve(r"\b?ü").as_deref(), Some("http://xn--9ca.example/b?%FC"));
    /// ```
    pub fn resolve(&self, reference: &str) -> Option<String> {
        if let Some(url) = plain::url(reference, self.query) {
            return Some(url);
        }
        let parser = self.parser(QueryOctets::AsBrowsers);
        let base = self.parsed_base();
        Some(parser.parse(reference, base.as_deref())?.serialize())
    }

    fn same_url(&self, before: &str, after: &str) -> bool {
        let parser = self.parser(QueryOctets::Escaped);
        let same = |base: Option<&UrlRecord>| {
            let urls = parser.parse(before, base).zip(parser.parse(after, base));
            urls.is_some_and(|(before, after)| same::same_url(&before, &after))
        };
        if is_absolute(before) && is_absolute(after) {
            return same(None);
        }
        match self.parsed_base() {
            Some(base) => same(Some(&base)),
            None => same_for_any_base(before, after, same),
        }
    }

    fn parsed_base(&self) -> Option<Rc<UrlRecord>> {
        base::parsed(self.parser(QueryOctets::AsBrowsers), self.base?)
    }

    fn parser(&self, octets: QueryOctets) -> UrlParser {
        UrlParser {
            charset: self.query,
            octets,
        }
    }
}

/// True if two references surely have the same target below any base: the fast half of [`Reading::same_target`], which
/// parses neither. Linear, no allocation.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_iri::target::same_at_a_glance;
///
/// assert!(same_at_a_glance("/ü", "/%C3%BC", Charset::UTF_8));
/// assert!(!same_at_a_glance("http://ü.example/", "http://xn--tda.example/", Charset::UTF_8));
/// ```
pub fn same_at_a_glance(before: &str, after: &str, query: Charset) -> bool {
    before == after || same::differ_only_in_escapes(before, after, query)
}

/// Resolves a reference against a base as browsers do; see [`Reading::resolve`].
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_iri::target::resolve_browser;
///
/// let latin = Charset::for_label("iso-8859-1").unwrap();
/// let url = resolve_browser("http://é.example/", " ?é\n", latin);
/// assert_eq!(url.as_deref(), Some("http://xn--9ca.example/?%E9"));
/// ```
pub fn resolve_browser(base: &str, reference: &str, query_charset: Charset) -> Option<String> {
    let reading = Reading {
        base: Some(base),
        query: query_charset,
    };
    reading.resolve(reference)
}

/// True if two references have the same target below any base, as far as the references tell: `http:a` is relative to
/// some bases and not to others.
fn same_for_any_base(before: &str, after: &str, same: impl Fn(Option<&UrlRecord>) -> bool) -> bool {
    let depth = 1 + separators(before).max(separators(after));
    match scheme_of(before).or_else(|| scheme_of(after)) {
        None => same(Some(&UrlRecord::deep("http", depth))),
        Some(scheme) => same(None) && same(Some(&UrlRecord::deep(&scheme, depth))),
    }
}

/// True if a reference has the same target below any base.
fn is_absolute(reference: &str) -> bool {
    let input = stripped(reference);
    scheme::of(&input).is_some_and(|scheme| {
        input[scheme.len() + 1..].starts_with("//") || !scheme::is_special(scheme)
    })
}

fn scheme_of(reference: &str) -> Option<String> {
    scheme::of(&stripped(reference)).map(str::to_ascii_lowercase)
}

/// An upper bound for the number of `..` segments.
fn separators(reference: &str) -> usize {
    let bytes = reference.bytes();
    bytes.filter(|&byte| matches!(byte, b'/' | b'\\')).count()
}

#[cfg(test)]
mod tests;
