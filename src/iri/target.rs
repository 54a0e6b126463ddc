//! What a reference points to, as browsers read it (WHATWG URL).
//!
//! It must not know where a reference stands; the document's base and charset are handed in.

mod escape;
mod host;
mod reader;
mod same;

use self::escape::QueryOctets;
pub(super) use self::reader::is_special;
use self::reader::{Address, Reader, stripped};
use super::parts::scheme_end;
use crate::charset::Charset;

/// How references are read: against which base, with which charset for queries.
///
/// ```
/// use linkglot::charset::Charset;
/// use linkglot::iri::target::Reading;
///
/// let reading = Reading { base: Some("http://example.org/a/"), query: Charset::UTF_8 };
/// assert_eq!(reading.resolve(r"..\é").as_deref(), Some("http://example.org/%C3%A9"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Reading<'b> {
    /// The base, when it is known. Without one, relative references are read as if it were http.
    pub base: Option<&'b str>,
    /// The charset of non-ASCII characters in queries of special schemes (UTF-8 for XML, text).
    pub query: Charset,
}

impl Reading<'_> {
    /// Whether two references point to the same thing: resolved as browsers do, the same
    /// components, octet for octet once percent-encoding is undone, reserved characters told apart
    /// from their escapes. When in doubt: no.
    ///
    /// Linear; without allocation when the references differ in escapes of the path alone.
    ///
    /// ```
    /// use linkglot::{charset::Charset, iri::target::Reading};
    ///
    /// let reading = Reading { base: None, query: Charset::UTF_8 };
    /// assert!(reading.same_target("http://é.example/ü", "HTTP://xn--9ca.example:80/%c3%bc"));
    /// assert!(!reading.same_target("/a/b", "/a%2Fb"));
    /// ```
    pub fn same_target(&self, before: &str, after: &str) -> bool {
        same_at_a_glance(before, after, self.query) || self.same_address(before, after)
    }

    /// The URL that a browser makes of a reference, serialised as WHATWG says; `None` when it is no
    /// URL, or relative and the base is not known. Linear.
    ///
    /// ```
    /// use linkglot::{charset::Charset, iri::target::Reading};
    ///
    /// let reading = Reading { base: Some("http://é.example/a"), query: Charset::WINDOWS_1252 };
    /// assert_eq!(reading.resolve(r"\b?ü").as_deref(), Some("http://xn--9ca.example/b?%FC"));
    /// ```
    pub fn resolve(&self, reference: &str) -> Option<String> {
        let reader = self.reader(QueryOctets::AsBrowsers);
        let base = self.known_base();
        Some(reader.read(reference, base.as_ref())?.serialise())
    }

    fn same_address(&self, before: &str, after: &str) -> bool {
        let reader = self.reader(QueryOctets::AllEscaped);
        let same = |base: Option<&Address>| match reader.read(before, base) {
            Some(first) => reader
                .read(after, base)
                .is_some_and(|second| same::same_address(&first, &second)),
            None => false,
        };
        if is_absolute(before) && is_absolute(after) {
            return same(None);
        }
        match self.known_base() {
            Some(base) => same(Some(&base)),
            None => same_for_any_base(before, after, same),
        }
    }

    fn known_base(&self) -> Option<Address> {
        let reader = self.reader(QueryOctets::AsBrowsers);
        self.base.and_then(|base| reader.read(base, None))
    }

    fn reader(&self, octets: QueryOctets) -> Reader {
        Reader {
            charset: self.query,
            octets,
        }
    }
}

/// Whether two references are the same whatever the base is, without reading them as URLs: the quick half of
/// [`Reading::same_target`]. Linear, no allocation.
///
/// ```
/// use linkglot::{charset::Charset, iri::target::same_at_a_glance};
///
/// assert!(same_at_a_glance("/ü", "/%C3%BC", Charset::UTF_8));
/// assert!(!same_at_a_glance("http://ü.example/", "http://xn--tda.example/", Charset::UTF_8));
/// ```
pub fn same_at_a_glance(before: &str, after: &str, query: Charset) -> bool {
    before == after || same::differ_in_escapes_alone(before, after, query)
}

/// Reads a reference against a base as browsers do; see [`Reading::resolve`].
///
/// ```
/// use linkglot::charset::Charset;
/// use linkglot::iri::target::resolve_browser;
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

/// Whether two references are the same whatever the base is, as far as that can be said: `http:a`
/// has an authority or is relative, depending on the scheme of the base.
fn same_for_any_base(before: &str, after: &str, same: impl Fn(Option<&Address>) -> bool) -> bool {
    let depth = 1 + separators(before).max(separators(after));
    match scheme_of(before).or_else(|| scheme_of(after)) {
        None => same(Some(&Address::deep("http", depth))),
        Some(scheme) => same(None) && same(Some(&Address::deep(&scheme, depth))),
    }
}

/// Whether no base matters for what a reference means.
fn is_absolute(reference: &str) -> bool {
    let input = stripped(reference);
    match scheme_end(input.as_bytes()) {
        0 => false,
        end => input[end + 1..].starts_with("//") || !is_special(&input[..end]),
    }
}

fn scheme_of(reference: &str) -> Option<String> {
    let input = stripped(reference);
    let end = scheme_end(input.as_bytes());
    (end > 0).then(|| input[..end].to_ascii_lowercase())
}

/// An upper bound for the number of `..` segments.
fn separators(reference: &str) -> usize {
    let bytes = reference.bytes();
    bytes.filter(|&byte| matches!(byte, b'/' | b'\\')).count()
}

#[cfg(test)]
mod tests;
