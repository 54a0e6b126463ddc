//! The components of a reference (RFC 3986 appendix B), as positions in its text.
//!
//! [`Parts::split`] splits any text without checking it; [`parse`](crate::parse()) checks the
//! grammar. Neither copies the text.

use crate::scheme;
use std::net::Ipv4Addr;
use std::ops::Range;

/// The components of a reference, borrowed from its text.
///
/// Ranges are byte positions in the text. An absent component is `None`; an empty one is not.
///
/// ```
/// use linkglot_iri::Parts;
///
/// let parts = Parts::split("http://né@exámple.org:80/p?q#f");
/// assert_eq!(parts.scheme(), Some("http"));
/// assert_eq!(parts.userinfo(), Some("né"));
/// assert_eq!(parts.host(), Some("exámple.org"));
/// assert_eq!(parts.port(), Some("80"));
/// assert_eq!(parts.path(), "/p");
/// assert_eq!(parts.query(), Some("q"));
/// assert_eq!(parts.fragment(), Some("f"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Parts<'a> {
    text: &'a str,
    ends: Ends,
}

/// The ends of the components: positions of delimiters, or the text's end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Ends {
    /// The colon after the scheme; 0 without a scheme, because no scheme is empty.
    pub(crate) scheme: usize,
    /// The start of the authority; 0 without an authority, because two slashes precede an authority.
    pub(crate) authority: usize,
    /// The start of the host; after `authority` when there is userinfo and its `@`.
    pub(crate) host: usize,
    /// The end of the host; before `path` when there is a port and its colon.
    pub(crate) host_end: usize,
    /// The start of the path.
    pub(crate) path: usize,
    /// The end of the path.
    pub(crate) path_end: usize,
    /// The end of the query: `path_end` without a query.
    pub(crate) query_end: usize,
}

impl<'a> Parts<'a> {
    /// Splits a text into its components, valid or not. Never fails, O(length), no allocation.
    ///
    /// Text before a colon is a scheme only if the grammar allows it (`1a:b` is all path). The last `@` of the
    /// authority ends the userinfo, and the last colon after `]` begins the port.
    ///
    /// ```
    /// let parts = linkglot_iri::Parts::split("1a:b?é");
    /// assert_eq!((parts.scheme(), parts.path(), parts.query()), (None, "1a:b", Some("é")));
    /// ```
    pub fn split(text: &'a str) -> Parts<'a> {
        let bytes = text.as_bytes();
        let scheme = scheme::end(bytes);
        let start = if scheme > 0 { scheme + 1 } else { 0 };
        let mut ends = Ends {
            scheme,
            path: start,
            ..Ends::default()
        };
        if bytes[start..].starts_with(b"//") {
            split_authority(bytes, start + 2, &mut ends);
        }
        let from = ends.path;
        let length = memchr::memchr2(b'?', b'#', &bytes[from..]);
        ends.path_end = length.map_or(bytes.len(), |length| from + length);
        ends.query_end = ends.path_end;
        if bytes.get(ends.path_end) == Some(&b'?') {
            let length = memchr::memchr(b'#', &bytes[ends.path_end..]);
            ends.query_end = length.map_or(bytes.len(), |length| ends.path_end + length);
        }
        Parts { text, ends }
    }

    pub(crate) fn new(text: &'a str, ends: Ends) -> Parts<'a> {
        Parts { text, ends }
    }

    pub(crate) fn ends(&self) -> Ends {
        self.ends
    }

    /// The reference with another host, unchecked; `None` without an authority.
    ///
    /// ```
    /// let parts = linkglot_iri::Parts::split("http://u@é:8/é");
    /// assert_eq!(parts.with_host("xn--9ca").as_deref(), Some("http://u@xn--9ca:8/é"));
    /// ```
    pub fn with_host(&self, host: &str) -> Option<String> {
        let range = self.host_range()?;
        Some([&self.text[..range.start], host, &self.text[range.end..]].concat())
    }

    /// The whole text.
    ///
    /// ```
    /// assert_eq!(linkglot_iri::Parts::split("//é/?").text(), "//é/?");
    /// ```
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// The names and values of the components, in their order, without delimiters.
    ///
    /// ```
    /// let components = linkglot_iri::Parts::split("//é/a?").components();
    /// let given: Vec<_> = components.into_iter().filter_map(|(name, value)| Some((name, value?))).collect();
    /// assert_eq!(given, [("host", "é"), ("path", "/a"), ("query", "")]);
    /// ```
    pub fn components(&self) -> [(&'static str, Option<&'a str>); 7] {
        [
            ("scheme", self.scheme()),
            ("userinfo", self.userinfo()),
            ("host", self.host()),
            ("port", self.port()),
            ("path", Some(self.path())),
            ("query", self.query()),
            ("fragment", self.fragment()),
        ]
    }

    /// The scheme, without its colon.
    ///
    /// ```
    /// assert_eq!(linkglot_iri::Parts::split("HTTP://é/").scheme(), Some("HTTP"));
    /// ```
    pub fn scheme(&self) -> Option<&'a str> {
        self.scheme_range().map(|range| &self.text[range])
    }

    /// The authority: userinfo, host and port with their delimiters.
    ///
    /// ```
    /// assert_eq!(linkglot_iri::Parts::split("//ü@é:8/p").authority(), Some("ü@é:8"));
    /// ```
    pub fn authority(&self) -> Option<&'a str> {
        self.authority_range().map(|range| &self.text[range])
    }

    /// The userinfo, without its `@`.
    ///
    /// ```
    /// assert_eq!(linkglot_iri::Parts::split("//ü:x@é/").userinfo(), Some("ü:x"));
    /// ```
    pub fn userinfo(&self) -> Option<&'a str> {
        self.userinfo_range().map(|range| &self.text[range])
    }

    /// The host, an IP literal with its brackets. `None` without an authority.
    ///
    /// ```
    /// assert_eq!(linkglot_iri::Parts::split("//ü@[::1]:8/").host(), Some("[::1]"));
    /// ```
    pub fn host(&self) -> Option<&'a str> {
        self.host_range().map(|range| &self.text[range])
    }

    /// The port, without its colon; it may be empty.
    ///
    /// ```
    /// assert_eq!(linkglot_iri::Parts::split("//é:/").port(), Some(""));
    /// ```
    pub fn port(&self) -> Option<&'a str> {
        self.port_range().map(|range| &self.text[range])
    }

    /// The path. Every reference has one; it may be empty.
    ///
    /// ```
    /// assert_eq!(linkglot_iri::Parts::split("mailto:é@ü").path(), "é@ü");
    /// ```
    pub fn path(&self) -> &'a str {
        &self.text[self.path_range()]
    }

    /// The query, without its `?`.
    ///
    /// ```
    /// assert_eq!(linkglot_iri::Parts::split("/é?ü?#f").query(), Some("ü?"));
    /// ```
    pub fn query(&self) -> Option<&'a str> {
        self.query_range().map(|range| &self.text[range])
    }

    /// The fragment, without its `#`.
    ///
    /// ```
    /// assert_eq!(linkglot_iri::Parts::split("/é#ü#f").fragment(), Some("ü#f"));
    /// ```
    pub fn fragment(&self) -> Option<&'a str> {
        self.fragment_range().map(|range| &self.text[range])
    }

    /// The position of [`scheme`](Self::scheme).
    ///
    /// ```
    /// assert_eq!(linkglot_iri::Parts::split("http://é/").scheme_range(), Some(0..4));
    /// ```
    pub fn scheme_range(&self) -> Option<Range<usize>> {
        (self.ends.scheme > 0).then_some(0..self.ends.scheme)
    }

    /// The position of [`authority`](Self::authority).
    ///
    /// ```
    /// assert_eq!(linkglot_iri::Parts::split("//é:8/p").authority_range(), Some(2..6));
    /// ```
    pub fn authority_range(&self) -> Option<Range<usize>> {
        (self.ends.authority > 0).then_some(self.ends.authority..self.ends.path)
    }

    /// The position of [`userinfo`](Self::userinfo).
    ///
    /// ```
    /// assert_eq!(linkglot_iri::Parts::split("//é@h/").userinfo_range(), Some(2..4));
    /// ```
    pub fn userinfo_range(&self) -> Option<Range<usize>> {
        let Ends {
            authority, host, ..
        } = self.ends;
        (host > authority).then(|| authority..host - 1)
    }

    /// The position of [`host`](Self::host).
    ///
    /// ```
    /// assert_eq!(linkglot_iri::Parts::split("//é@h/").host_range(), Some(5..6));
    /// ```
    pub fn host_range(&self) -> Option<Range<usize>> {
        (self.ends.authority > 0).then_some(self.ends.host..self.ends.host_end)
    }

    /// The position of [`port`](Self::port).
    ///
    /// ```
    /// assert_eq!(linkglot_iri::Parts::split("//é:80/").port_range(), Some(5..7));
    /// ```
    pub fn port_range(&self) -> Option<Range<usize>> {
        let has_port = self.ends.authority > 0 && self.ends.host_end < self.ends.path;
        has_port.then(|| self.ends.host_end + 1..self.ends.path)
    }

    /// The position of [`path`](Self::path).
    ///
    /// ```
    /// assert_eq!(linkglot_iri::Parts::split("//é/ü?").path_range(), 4..7);
    /// ```
    pub fn path_range(&self) -> Range<usize> {
        self.ends.path..self.ends.path_end
    }

    /// The position of [`query`](Self::query).
    ///
    /// ```
    /// assert_eq!(linkglot_iri::Parts::split("/é?ü#").query_range(), Some(4..6));
    /// ```
    pub fn query_range(&self) -> Option<Range<usize>> {
        let Ends {
            path_end,
            query_end,
            ..
        } = self.ends;
        (query_end > path_end).then(|| path_end + 1..query_end)
    }

    /// The position of [`fragment`](Self::fragment).
    ///
    /// ```
    /// assert_eq!(linkglot_iri::Parts::split("/é#ü").fragment_range(), Some(4..6));
    /// ```
    pub fn fragment_range(&self) -> Option<Range<usize>> {
        let end = self.ends.query_end;
        (end < self.text.len()).then(|| end + 1..self.text.len())
    }

    /// The kind of the host, by its first characters; `None` without an authority. The host may be invalid: only
    /// [`parse`](crate::parse()) checks it.
    ///
    /// ```
    /// use linkglot_iri::{HostKind, Parts};
    ///
    /// assert_eq!(Parts::split("//[::1]/é").host_kind(), Some(HostKind::Ipv6));
    /// assert_eq!(Parts::split("/é").host_kind(), None);
    /// ```
    pub fn host_kind(&self) -> Option<HostKind> {
        let host = self.host()?;
        Some(match host.as_bytes() {
            [b'[', b'v' | b'V', ..] => HostKind::IpFuture,
            [b'[', ..] => HostKind::Ipv6,
            _ if host.parse::<Ipv4Addr>().is_ok() => HostKind::Ipv4,
            _ => HostKind::Name,
        })
    }

    /// All components between bars, for tests; `-` is an absent one.
    #[cfg(test)]
    pub(crate) fn joined(&self) -> String {
        let all = [
            self.scheme(),
            self.userinfo(),
            self.host(),
            self.port(),
            Some(self.path()),
            self.query(),
            self.fragment(),
        ];
        all.map(|part| part.unwrap_or("-")).join("|")
    }
}

/// Kind of a host (RFC 3986 3.2.2).
///
/// ```
/// use linkglot_iri::{HostKind, Parts};
///
/// let kind = |text| Parts::split(text).host_kind();
/// assert_eq!(kind("http://192.0.2.1/"), Some(HostKind::Ipv4));
/// assert_eq!(kind("http://[v1.a]/"), Some(HostKind::IpFuture));
/// assert_eq!(kind("http://0x7f.1/"), Some(HostKind::Name));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HostKind {
    /// A registered name; it may be empty.
    Name,
    /// Four decimal octets.
    Ipv4,
    /// An IPv6 address in brackets.
    Ipv6,
    /// An address of a later IP version in brackets.
    IpFuture,
}

/// Splits the authority that begins at `start`.
fn split_authority(bytes: &[u8], start: usize, ends: &mut Ends) {
    let end = bytes[start..]
        .iter()
        .position(|byte| matches!(byte, b'/' | b'?' | b'#'))
        .map_or(bytes.len(), |at| start + at);
    let host = bytes[start..end]
        .iter()
        .rposition(|&byte| byte == b'@')
        .map_or(start, |at| start + at + 1);
    ends.authority = start;
    ends.host = host;
    ends.host_end = host_end(&bytes[..end], host);
    ends.path = end;
}

/// The last colon, if it is outside of the brackets of an IP literal, or the end.
fn host_end(bytes: &[u8], host: usize) -> usize {
    bytes[host..]
        .iter()
        .rposition(|&byte| matches!(byte, b':' | b']'))
        .map(|at| host + at)
        .filter(|&at| bytes[at] == b':')
        .unwrap_or(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_is_split() {
        for (text, expected) in [
            ("", "-|-|-|-||-|-"),
            ("x:", "x|-|-|-||-|-"),
            ("://x", "-|-|-|-|://x|-|-"),
            ("1a:b", "-|-|-|-|1a:b|-|-"),
            ("//", "-|-||-||-|-"),
            ("//@:", "-|||||-|-"),
            ("s://é:ü@[::1]:8/ö?ä?#ß#", "s|é:ü|[::1]|8|/ö|ä?|ß#"),
            ("//[::1]", "-|-|[::1]|-||-|-"),
            ("//a@b@c:d:e", "-|a@b|c:d|e||-|-"),
            ("//a?b:c@d", "-|-|a|-||b:c@d|-"),
            ("?#", "-|-|-|-|||"),
            ("mailto:a@b", "mailto|-|-|-|a@b|-|-"),
            ("a/b:c", "-|-|-|-|a/b:c|-|-"),
        ] {
            assert_eq!(Parts::split(text).joined(), expected, "{text:?}");
        }
    }
}
