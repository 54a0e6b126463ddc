//! IRI to URI (RFC 3987 3.1).

mod settings;
mod writer;

pub use crate::idna::Idna;
pub use crate::mapped::{InvalidOrUnmappable, MapError, MapErrorKind, Mapped};
pub use settings::{Disallowed, HostForm, Normalization, QueryCharset, ToUri, Unencodable};

use crate::notes::Notes;
use crate::parse::{self, Form};
use crate::parts::Parts;
use crate::percent::{self, DISALLOWED, NON_ASCII, PERCENT};
use crate::scheme;
use writer::{Writer, percent_notes, plain_run};

impl ToUri {
    /// Maps an IRI or IRI reference, valid or not. A URI stays as it is, borrowed, unless its host
    /// has percent-encoded UTF-8. Linear; a character becomes at most nine bytes, except in hosts
    /// (punycode) and as `%26%23NNNN%3B`.
    ///
    /// `#`, `%`, `[` and `]` never change, wherever they stand, but an authority with brackets has a URI only if they
    /// stand around an address (RFC 3986 3.2.2), which may have a zone. Bidi controls, which RFC 3987 4.1
    /// forbids although they are in `ucschar`, and private-use characters outside of queries are
    /// encoded with a note.
    ///
    /// # Errors
    ///
    /// The first character that cannot be mapped, or the host.
    ///
    /// ```
    /// use linkglot_iri::ToUri;
    ///
    /// let uri = ToUri::default().map("http://résumé.example/%7Eé").unwrap();
    /// assert_eq!(uri.text, "http://xn--rsum-bpad.example/%7E%C3%A9");
    /// ```
    pub fn map<'i>(&self, iri: &'i str) -> Result<Mapped<'i>, MapError> {
        check_brackets(iri)?;
        let bytes = iri.as_bytes();
        let (prefix, has_percent) = percent::plain_prefix(bytes);
        let mut kinds = if has_percent { PERCENT } else { 0 };
        let mut prefix = prefix;
        // Only the host's form depends on the exact position of the first change.
        if prefix < bytes.len() && !(prefix > 0 && self.is_uniform(iri, prefix)) {
            prefix = plain_run(bytes, prefix, &mut kinds);
        }
        if prefix == bytes.len() && !self.may_map_ascii_host(iri, kinds) {
            return Ok(Mapped::unchanged(iri, percent_notes(iri, kinds)));
        }
        self.write(iri, prefix, kinds)
    }

    /// Checks that a text is an IRI or IRI reference (RFC 3987 2.2 and 4.1), and maps it. The result is a URI
    /// reference, unless the form of hosts is Unicode. Equals [`parse`](crate::parse()) and then [`map`](Self::map),
    /// but faster.
    ///
    /// # Errors
    ///
    /// The text is invalid, or cannot be mapped.
    ///
    /// ```
    /// use linkglot_iri::ToUri;
    ///
    /// let settings = ToUri::default();
    /// assert_eq!(settings.map_valid("http://é.example/é").unwrap().text, "http://xn--9ca.example/%C3%A9");
    /// let error = settings.map_valid("é:").unwrap_err();
    /// assert_eq!(error.to_string(), "expected no colon before the first slash, found `:`, at byte 2");
    /// ```
    pub fn map_valid<'i>(&self, iri: &'i str) -> Result<Mapped<'i>, InvalidOrUnmappable> {
        let survey = parse::survey(iri, Form::Reference)?;
        let kinds = if survey.has_percent { PERCENT } else { 0 };
        if survey.ascii_prefix == iri.len() && !self.may_map_ascii_host(iri, kinds) {
            return Ok(Mapped::unchanged(iri, Notes::NONE));
        }
        Ok(self.write(iri, survey.ascii_prefix, kinds)?)
    }

    /// True if [`map`](Self::map) surely gives an identifier back unchanged and without a note, because its characters
    /// are all unreserved or reserved ASCII. Linear.
    ///
    /// ```
    /// use linkglot_iri::ToUri;
    ///
    /// assert!(ToUri::default().surely_keeps("http://a.example/?b"));
    /// assert!(!ToUri::default().surely_keeps("http://a.example/%C3%A9"));
    /// ```
    pub fn surely_keeps(&self, iri: &str) -> bool {
        let kinds = percent::kinds_of(iri);
        kinds & (DISALLOWED | NON_ASCII | PERCENT) == 0
            && !self.may_map_ascii_host(iri, kinds)
            && check_brackets(iri).is_ok()
    }

    /// Maps an identifier whose first `prefix` bytes stay unchanged.
    fn write<'i>(&self, iri: &'i str, prefix: usize, kinds: u8) -> Result<Mapped<'i>, MapError> {
        let mut writer = Writer::new(self, iri.len(), kinds);
        if self.is_uniform(iri, prefix) {
            writer.uniform(iri, prefix)?;
        } else {
            writer.reference(&Parts::split(iri))?;
        }
        Ok(writer.finish(iri))
    }

    /// True if all components are mapped in the same way; the first `prefix` bytes stay unchanged.
    fn is_uniform(&self, iri: &str, prefix: usize) -> bool {
        let has_plain_host = match self.host {
            HostForm::Percent => true,
            HostForm::Punycode | HostForm::Keep => has_plain_host(iri, prefix),
            HostForm::Unicode => false,
        };
        has_plain_host && (self.query == QueryCharset::Utf8 || self.charset.is_unicode())
    }

    /// True if a host in ASCII may get another form.
    fn may_map_ascii_host(&self, iri: &str, kinds: u8) -> bool {
        match self.host {
            HostForm::Punycode => kinds & PERCENT != 0 && may_have_escaped_host(iri),
            HostForm::Unicode => true,
            HostForm::Percent | HostForm::Keep => false,
        }
    }
}

/// Checks that brackets in an authority stand around an address.
///
/// # Errors
///
/// When they do not: nobody could tell the host.
fn check_brackets(iri: &str) -> Result<(), MapError> {
    if memchr::memchr2(b'[', b']', iri.as_bytes()).is_none() {
        return Ok(());
    }
    let Some(authority) = Parts::split(iri).authority_range() else {
        return Ok(());
    };
    let text = &iri[authority.clone()];
    let host = text.rfind('@').map_or(0, |at| at + 1);
    let has_brackets = |text: &str| text.contains(['[', ']']);
    let address = text[host..]
        .strip_prefix('[')
        .map(|rest| rest.split_once(']'));
    let is_address = match address {
        None => !has_brackets(&text[host..]),
        Some(None) => false,
        Some(Some((inside, behind))) => {
            let is_port = behind.is_empty() || behind.starts_with(':') && !has_brackets(behind);
            is_port && parse::is_address(inside)
        }
    };
    let at = match is_address {
        _ if has_brackets(&text[..host]) => authority.start,
        false => authority.start + host,
        true => return Ok(()),
    };
    let kind = MapErrorKind::ToAscii;
    Err(MapError { at, kind })
}

/// True if the first delimiter or percent sign in the authority is a percent sign.
fn may_have_escaped_host(iri: &str) -> bool {
    let authority = authority_start(iri.as_bytes()).map(|start| &iri.as_bytes()[start..]);
    authority.and_then(authority_stop) == Some(b'%')
}

/// True if the authority, if any, ends within the prefix and has no percent sign.
fn has_plain_host(iri: &str, prefix: usize) -> bool {
    let Some(start) = authority_start(iri.as_bytes()) else {
        return true;
    };
    let known = iri.as_bytes().get(start..prefix);
    known
        .and_then(authority_stop)
        .is_some_and(|byte| byte != b'%')
}

/// The first delimiter after an authority, or a percent sign before it.
fn authority_stop(bytes: &[u8]) -> Option<u8> {
    let is_stop = |byte: &u8| matches!(byte, b'/' | b'?' | b'#' | b'%');
    bytes.iter().copied().find(is_stop)
}

/// The start of the authority, if any.
fn authority_start(bytes: &[u8]) -> Option<usize> {
    let scheme = scheme::end(bytes);
    let start = if scheme > 0 { scheme + 1 } else { 0 };
    bytes[start..].starts_with(b"//").then_some(start + 2)
}

#[cfg(test)]
mod tests;
