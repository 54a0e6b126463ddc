//! URI to IRI (RFC 3987 3.2).

mod host;
mod unit;

use super::parts::Parts;
use super::percent;
use super::to_uri::Mapped;
use crate::report::{Note, Notes};
use std::borrow::Cow;
use std::ops::Range;
use unit::{Place, Unit};

/// Which characters the display form shows.
///
/// ```
/// use linkglot::iri::{Display, ToIri};
///
/// let mut settings = ToIri::default();
/// assert_eq!(settings.map("/%E2%80%8B%C3%A9", &|_| true).text, "/%E2%80%8Bé");
/// settings.display = Display::Minimal;
/// assert_eq!(settings.map("/%E2%80%8B%C3%A9", &|_| true).text, "/\u{200B}é");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Display {
    /// Nothing that could deceive: spaces, invisible, unassigned and private-use characters,
    /// leading marks, what is not in NFC, look-alikes of delimiters, and parts of components that
    /// break the bidi rules (RFC 3987 4.2) stay encoded.
    #[default]
    Safe,
    /// All that RFC 3987 2.2 and 4.1 allow, hosts included.
    Minimal,
    /// As `Minimal`.
    All,
}

/// What becomes of punycode labels, where the scheme uses DNS names.
///
/// ```
/// use linkglot::iri::{HostDisplay, ToIri};
///
/// // The Cyrillic letters look like those of a well-known name.
/// let uri = "http://xn--80ak6aa92e.com/";
/// let mut settings = ToIri::default();
/// assert_eq!(settings.map(uri, &|_| true).text, uri);
/// settings.host = HostDisplay::All;
/// assert_eq!(settings.map(uri, &|_| true).text, "http://аррӏе.com/");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum HostDisplay {
    /// Unicode where that is safe; always with another [`Display`] than `Safe`.
    #[default]
    Safe,
    /// Unicode always.
    All,
    /// As they are.
    Keep,
}

/// The mapping to display IRIs, with its settings.
///
/// ```
/// use linkglot::iri::ToIri;
///
/// let mut settings = ToIri::default();
/// settings.keep_query = true;
/// assert_eq!(settings.map("/%C3%A9?%C3%A9", &|_| true).text, "/é?%C3%A9");
/// settings.base_scheme = Some("http".to_owned());
/// assert_eq!(settings.map("//xn--9ca/", &|_| true).text, "//é/");
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ToIri {
    /// Which characters are shown.
    pub display: Display,
    /// Which punycode labels are shown.
    pub host: HostDisplay,
    /// The query is in a charset other than UTF-8: its escapes stay (the browser would send the
    /// characters in the document's charset).
    pub keep_query: bool,
    /// The scheme of relative references (that of the base).
    pub base_scheme: Option<String>,
}

impl ToIri {
    /// Maps a URI or reference, valid or not. Characters for which `shown` is false stay
    /// percent-encoded (the document's charset lacks them). Identity, and borrowed, where nothing
    /// can be shown. The IRI maps back to an equivalent URI. Linear.
    ///
    /// Octets that are not UTF-8 and reserved characters stay as they are written; characters that
    /// may not be shown are encoded again, in upper case (RFC 3987 3.2, steps 2 to 4). Characters
    /// that stand there unencoded stay.
    ///
    /// ```
    /// use linkglot::iri::ToIri;
    ///
    /// let uri = "http://xn--rsum-bpad.example/%7E%C3%A9%2f%fc%e2%80%ae";
    /// let iri = ToIri::default().map(uri, &|_| true);
    /// assert_eq!(iri.text, "http://résumé.example/~é%2f%fc%E2%80%AE");
    /// ```
    pub fn map<'i>(&self, uri: &'i str, shown: &dyn Fn(char) -> bool) -> Mapped<'i> {
        let may_show_punycode = self.host != HostDisplay::Keep && host::may_have_punycode(uri);
        if !may_show_punycode && memchr::memchr(b'%', uri.as_bytes()).is_none() {
            return Mapped {
                text: Cow::Borrowed(uri),
                notes: Notes::NONE,
            };
        }
        let parts = Parts::split(uri);
        let mut writer = Writer {
            settings: self,
            unit: Unit::new(self.display, shown),
            out: String::with_capacity(uri.len()),
            notes: Notes::NONE,
        };
        writer.reference(&parts);
        writer.finish(uri)
    }

    /// Whether the host's labels are shown only when that is safe.
    fn checks_hosts(&self) -> bool {
        self.display == Display::Safe && self.host != HostDisplay::All
    }
}

/// Writes the IRI component by component.
struct Writer<'s> {
    settings: &'s ToIri,
    unit: Unit<'s>,
    out: String,
    notes: Notes,
}

impl Writer<'_> {
    fn reference(&mut self, parts: &Parts) {
        let text = parts.text();
        let mut at = 0;
        if let Some(range) = parts.userinfo_range() {
            self.verbatim(&text[..range.start]);
            at = range.end;
            self.units(&text[range], b"", Place::Elsewhere);
        }
        if let Some(range) = parts.host_range() {
            self.verbatim(&text[at..range.start]);
            at = range.end;
            let scheme = parts.scheme().or(self.settings.base_scheme.as_deref());
            self.host(scheme.unwrap_or_default(), &text[range]);
        }
        let path = parts.path_range();
        self.kept(&text[at..path.start]);
        self.path(parts, path.clone());
        if let Some(query) = parts.query_range() {
            self.out.push('?');
            self.query(&text[query]);
        }
        if let Some(fragment) = parts.fragment_range() {
            self.out.push('#');
            self.units(&text[fragment], b"", Place::Elsewhere);
        }
    }

    fn finish<'i>(mut self, uri: &'i str) -> Mapped<'i> {
        self.notes.extend(self.unit.notes());
        let text = if self.out == uri {
            Cow::Borrowed(uri)
        } else {
            Cow::Owned(self.out)
        };
        Mapped {
            text,
            notes: self.notes,
        }
    }

    fn verbatim(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Text whose escapes stay.
    fn kept(&mut self, text: &str) {
        if !percent::is_well_formed(text) {
            self.notes.insert(Note::InvalidPercent);
        }
        self.verbatim(text);
    }

    /// The path: segments, the last with its extension.
    fn path(&mut self, parts: &Parts, range: Range<usize>) {
        let mut path = &parts.text()[range];
        if memchr::memchr(b'%', path.as_bytes()).is_none() {
            return self.verbatim(path);
        }
        let is_rootless = parts.scheme().is_none() && parts.authority_range().is_none();
        if is_rootless {
            // `%6Aavascript:` must not become a scheme.
            let first = path.find('/').unwrap_or(path.len());
            if let Some(colon) = path[..first].find(':') {
                self.kept(&path[..colon]);
                path = &path[colon..];
            }
        }
        let file = path.rfind('/').map_or(0, |slash| slash + 1);
        let dots = unit::dots(&path[file..]).filter(|dot| dot.start > 0);
        let Some(dot) = dots.last() else {
            return self.units(path, b"/", Place::Elsewhere);
        };
        self.units(&path[..file + dot.start], b"/", Place::Elsewhere);
        self.out.push('.');
        self.units(&path[file + dot.end..], b"", Place::Elsewhere);
    }

    fn query(&mut self, query: &str) {
        if self.settings.keep_query {
            return self.kept(query);
        }
        let Some(percent) = memchr::memchr(b'%', query.as_bytes()) else {
            return self.verbatim(query);
        };
        // All up to the delimiter before the first escape stays.
        let is_delimiter = |byte: &u8| matches!(byte, b'&' | b';');
        let mut before = query.as_bytes()[..percent].iter();
        let start = before.rposition(is_delimiter).map_or(0, |at| at + 1);
        self.verbatim(&query[..start]);
        let mut rest = &query[start..];
        while !rest.is_empty() {
            let mut bytes = rest.bytes();
            let end = bytes.position(|byte| matches!(byte, b'&' | b';'));
            let (pair, behind) = rest.split_at(end.map_or(rest.len(), |end| end + 1));
            let equals = pair.find('=').map_or(0, |equals| equals + 1);
            self.units(&pair[..equals], b"=", Place::Query);
            self.units(&pair[equals..], b"&;", Place::Query);
            rest = behind;
        }
    }

    /// The pieces between ASCII delimiters, and the delimiters.
    fn units(&mut self, text: &str, delimiters: &[u8], place: Place) {
        let mut rest = text;
        // What has no escape up to a delimiter stays.
        while let Some(percent) = memchr::memchr(b'%', rest.as_bytes()) {
            let is_delimiter = |byte: &u8| delimiters.contains(byte);
            let (before, behind) = rest.as_bytes().split_at(percent);
            let start = before.iter().rposition(is_delimiter).map_or(0, |at| at + 1);
            let length = behind.iter().position(is_delimiter);
            let end = length.map_or(rest.len(), |length| percent + length);
            self.verbatim(&rest[..start]);
            self.unit.write(&rest[start..end], place, &mut self.out);
            rest = &rest[end..];
        }
        self.verbatim(rest);
    }
}

#[cfg(test)]
mod tests;
