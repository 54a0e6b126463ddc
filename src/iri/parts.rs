//! The components of a reference (RFC 3986 appendix B), as positions in its text.
//!
//! [`Parts::split`] cuts any text and judges nothing; [`parse`](super::parse()) checks the grammar and
//! answers with the same record. Neither copies anything.

use super::class::{self, SCHEME};
use std::ops::Range;

/// The components of a reference, borrowed from its text.
///
/// Ranges are byte positions in the text. An absent component is `None`; an empty one is not.
///
/// ```
/// use linkglot::iri::Parts;
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

/// Where the components end. Each position is that of a delimiter or of the text's end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Ends {
    /// The colon behind the scheme; 0 without one, because no scheme is empty.
    pub(super) scheme: usize,
    /// Where the authority begins; 0 without one, because two slashes stand before it.
    pub(super) authority: usize,
    /// Where the host begins; behind `authority` when there is userinfo and its `@`.
    pub(super) host: usize,
    /// Where the host ends; before `path` when there is a port and its colon.
    pub(super) host_end: usize,
    /// Where the path begins.
    pub(super) path: usize,
    /// Where the path ends.
    pub(super) path_end: usize,
    /// Where the query ends: `path_end` without one.
    pub(super) query_end: usize,
}

impl<'a> Parts<'a> {
    /// Cuts a text into its components, valid or not. Never fails, O(length), no allocation.
    ///
    /// A scheme is only what the grammar of schemes allows, so that `1a:b` is all path; the last
    /// `@` of the authority ends the userinfo, and the last colon behind `]` begins the port.
    ///
    /// ```
    /// let parts = linkglot::iri::Parts::split("1a:b?é");
    /// assert_eq!((parts.scheme(), parts.path(), parts.query()), (None, "1a:b", Some("é")));
    /// ```
    pub fn split(text: &'a str) -> Parts<'a> {
        let bytes = text.as_bytes();
        let scheme = scheme_end(bytes);
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

    pub(super) fn new(text: &'a str, ends: Ends) -> Parts<'a> {
        Parts { text, ends }
    }

    pub(super) fn ends(&self) -> Ends {
        self.ends
    }

    /// The reference with another host; `None` where it has no authority. Nothing is checked.
    ///
    /// ```
    /// let parts = linkglot::iri::Parts::split("http://u@é:8/é");
    /// assert_eq!(parts.with_host("xn--9ca").as_deref(), Some("http://u@xn--9ca:8/é"));
    /// ```
    pub fn with_host(&self, host: &str) -> Option<String> {
        let range = self.host_range()?;
        Some([&self.text[..range.start], host, &self.text[range.end..]].concat())
    }

    /// The whole text.
    ///
    /// ```
    /// assert_eq!(linkglot::iri::Parts::split("//é/?").text(), "//é/?");
    /// ```
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// The scheme, without its colon.
    ///
    /// ```
    /// assert_eq!(linkglot::iri::Parts::split("HTTP://é/").scheme(), Some("HTTP"));
    /// ```
    pub fn scheme(&self) -> Option<&'a str> {
        self.scheme_range().map(|range| &self.text[range])
    }

    /// The authority: userinfo, host and port with their delimiters.
    ///
    /// ```
    /// assert_eq!(linkglot::iri::Parts::split("//ü@é:8/p").authority(), Some("ü@é:8"));
    /// ```
    pub fn authority(&self) -> Option<&'a str> {
        self.authority_range().map(|range| &self.text[range])
    }

    /// The userinfo, without its `@`.
    ///
    /// ```
    /// assert_eq!(linkglot::iri::Parts::split("//ü:x@é/").userinfo(), Some("ü:x"));
    /// ```
    pub fn userinfo(&self) -> Option<&'a str> {
        self.userinfo_range().map(|range| &self.text[range])
    }

    /// The host, an IP literal with its brackets. `None` without an authority.
    ///
    /// ```
    /// assert_eq!(linkglot::iri::Parts::split("//ü@[::1]:8/").host(), Some("[::1]"));
    /// ```
    pub fn host(&self) -> Option<&'a str> {
        self.host_range().map(|range| &self.text[range])
    }

    /// The port, without its colon; it may be empty.
    ///
    /// ```
    /// assert_eq!(linkglot::iri::Parts::split("//é:/").port(), Some(""));
    /// ```
    pub fn port(&self) -> Option<&'a str> {
        self.port_range().map(|range| &self.text[range])
    }

    /// The path. Every reference has one; it may be empty.
    ///
    /// ```
    /// assert_eq!(linkglot::iri::Parts::split("mailto:é@ü").path(), "é@ü");
    /// ```
    pub fn path(&self) -> &'a str {
        &self.text[self.path_range()]
    }

    /// The query, without its `?`.
    ///
    /// ```
    /// assert_eq!(linkglot::iri::Parts::split("/é?ü?#f").query(), Some("ü?"));
    /// ```
    pub fn query(&self) -> Option<&'a str> {
        self.query_range().map(|range| &self.text[range])
    }

    /// The fragment, without its `#`.
    ///
    /// ```
    /// assert_eq!(linkglot::iri::Parts::split("/é#ü#f").fragment(), Some("ü#f"));
    /// ```
    pub fn fragment(&self) -> Option<&'a str> {
        self.fragment_range().map(|range| &self.text[range])
    }

    /// Where the scheme stands.
    ///
    /// ```
    /// assert_eq!(linkglot::iri::Parts::split("http://é/").scheme_range(), Some(0..4));
    /// ```
    pub fn scheme_range(&self) -> Option<Range<usize>> {
        (self.ends.scheme > 0).then_some(0..self.ends.scheme)
    }

    /// Where the authority stands.
    ///
    /// ```
    /// assert_eq!(linkglot::iri::Parts::split("//é:8/p").authority_range(), Some(2..6));
    /// ```
    pub fn authority_range(&self) -> Option<Range<usize>> {
        (self.ends.authority > 0).then_some(self.ends.authority..self.ends.path)
    }

    /// Where the userinfo stands.
    ///
    /// ```
    /// assert_eq!(linkglot::iri::Parts::split("//é@h/").userinfo_range(), Some(2..4));
    /// ```
    pub fn userinfo_range(&self) -> Option<Range<usize>> {
        let Ends {
            authority, host, ..
        } = self.ends;
        (host > authority).then(|| authority..host - 1)
    }

    /// Where the host stands.
    ///
    /// ```
    /// assert_eq!(linkglot::iri::Parts::split("//é@h/").host_range(), Some(5..6));
    /// ```
    pub fn host_range(&self) -> Option<Range<usize>> {
        (self.ends.authority > 0).then_some(self.ends.host..self.ends.host_end)
    }

    /// Where the port stands.
    ///
    /// ```
    /// assert_eq!(linkglot::iri::Parts::split("//é:80/").port_range(), Some(5..7));
    /// ```
    pub fn port_range(&self) -> Option<Range<usize>> {
        let has_port = self.ends.authority > 0 && self.ends.host_end < self.ends.path;
        has_port.then(|| self.ends.host_end + 1..self.ends.path)
    }

    /// Where the path stands.
    ///
    /// ```
    /// assert_eq!(linkglot::iri::Parts::split("//é/ü?").path_range(), 4..7);
    /// ```
    pub fn path_range(&self) -> Range<usize> {
        self.ends.path..self.ends.path_end
    }

    /// Where the query stands.
    ///
    /// ```
    /// assert_eq!(linkglot::iri::Parts::split("/é?ü#").query_range(), Some(4..6));
    /// ```
    pub fn query_range(&self) -> Option<Range<usize>> {
        let Ends {
            path_end,
            query_end,
            ..
        } = self.ends;
        (query_end > path_end).then(|| path_end + 1..query_end)
    }

    /// Where the fragment stands.
    ///
    /// ```
    /// assert_eq!(linkglot::iri::Parts::split("/é#ü").fragment_range(), Some(4..6));
    /// ```
    pub fn fragment_range(&self) -> Option<Range<usize>> {
        let end = self.ends.query_end;
        (end < self.text.len()).then(|| end + 1..self.text.len())
    }
}

/// The position of the colon behind a scheme, or 0.
pub(super) fn scheme_end(bytes: &[u8]) -> usize {
    if !bytes.first().is_some_and(u8::is_ascii_alphabetic) {
        return 0;
    }
    let end = find(bytes, 1, |byte| !class::is(byte, SCHEME));
    if bytes.get(end) == Some(&b':') {
        end
    } else {
        0
    }
}

/// Cuts the authority that begins at `start`.
fn split_authority(bytes: &[u8], start: usize, ends: &mut Ends) {
    let end = find(bytes, start, |byte| matches!(byte, b'/' | b'?' | b'#'));
    let host = bytes[start..end]
        .iter()
        .rposition(|&byte| byte == b'@')
        .map_or(start, |at| start + at + 1);
    ends.authority = start;
    ends.host = host;
    ends.host_end = host_end(&bytes[..end], host);
    ends.path = end;
}

/// The last colon of the host and port, when it stands behind the brackets of an IP literal.
fn host_end(bytes: &[u8], host: usize) -> usize {
    bytes[host..]
        .iter()
        .rposition(|&byte| matches!(byte, b':' | b']'))
        .map(|at| host + at)
        .filter(|&at| bytes[at] == b':')
        .unwrap_or(bytes.len())
}

/// The first position from `start` on whose byte is wanted, or the end.
fn find(bytes: &[u8], start: usize, wanted: impl Fn(u8) -> bool) -> usize {
    bytes[start..]
        .iter()
        .position(|&byte| wanted(byte))
        .map_or(bytes.len(), |at| start + at)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All components, separated by bars; `-` is an absent one.
    fn shown(text: &str) -> String {
        let parts = Parts::split(text);
        let all = [
            parts.scheme(),
            parts.userinfo(),
            parts.host(),
            parts.port(),
            Some(parts.path()),
            parts.query(),
            parts.fragment(),
        ];
        all.map(|part| part.unwrap_or("-")).join("|")
    }

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
            assert_eq!(shown(text), expected, "{text:?}");
        }
    }
}
