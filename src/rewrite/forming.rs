//! The forms of a link: URI and display IRI, each checked to have the same target.

use super::subject::Subject;
use crate::charset::Charset;
use crate::charset::ascii::hex_value;
use crate::iri::scheme::{has_document_query, is_special};
use crate::iri::target::{Reading, same_at_a_glance};
use crate::iri::to_uri::MapErrorKind;
use crate::iri::{HostDisplay, HostForm, Mapped, Parts, ToIri, ToUri};
use crate::link::{
    Base, Rendering, has_quirks, implied_prefix, scheme_of, with_implied, without_implied,
};
use crate::notes::{Note, Notes};
use crate::scan::{Following, Scanner};
use std::borrow::Cow;

/// The most steps from a display form in running text to its own display form. Beyond them the link is left.
const MAX_FORMS: usize = 4;

/// The mappings for links with one base and one way of rendering.
pub(super) struct Forming<'a> {
    pub to_uri: Cow<'a, ToUri>,
    pub to_iri: Cow<'a, ToIri>,
    /// The requested form of hosts.
    pub host: Option<HostForm>,
    pub scanner: &'a Scanner,
    /// The base around the link, which is resolved only on demand.
    pub under: &'a Base,
    pub document_base: Option<&'a str>,
    pub query: Charset,
    /// The other charset that browsers may use for the query.
    pub other_query: Option<Charset>,
    /// True if browsers disagree about queries in the document.
    pub has_other_query: bool,
    pub rendered: Rendering,
}

impl Forming<'_> {
    /// The URI form, if it differs and has the same target.
    pub fn uri(&self, target: &str, link: Subject<'_>) -> Result<(Option<String>, Notes), Notes> {
        let whole = with_implied(target, link.implied);
        let mapped = self.whole_uri(&whole).map_err(left_because)?;
        self.checked(target, mapped.text, link, mapped.notes)
    }

    /// The URI of a reference with its scheme, regardless of its target.
    ///
    /// For browsers the host of a non-special scheme is opaque text, even if the host is a DNS name. Punycode would
    /// change the host; percent-encoding (RFC 3987 3.1 step 2) does not.
    fn whole_uri(&self, iri: &str) -> Result<Mapped<'static>, MapErrorKind> {
        let iri = &*self.rendered.text(iri);
        let read = match self.rendered {
            Rendering::AsWritten => as_browsers_read(iri),
            // Characters that browsers read as other characters are escaped.
            Rendering::Encoded | Rendering::Doubtful => Cow::Borrowed(iri),
        };
        let owned = |mapped: Mapped<'_>| Mapped {
            text: Cow::Owned(mapped.text.into_owned()),
            notes: mapped.notes,
        };
        let first = self.to_uri.map(&read).map(owned);
        let is_web = scheme_of(&read).is_none_or(is_special);
        let is_same = |mapped: &Mapped| self.same_target(self.query, iri, &mapped.text);
        if is_web || self.host.is_some() || first.as_ref().is_ok_and(is_same) {
            return first.map_err(|error| error.kind);
        }
        let percent = ToUri {
            host: HostForm::Percent,
            ..self.to_uri.clone().into_owned()
        };
        let second = percent.map(&read).map(owned).ok();
        let second = second.filter(is_same).map(Ok);
        second.unwrap_or(first).map_err(|error| error.kind)
    }

    /// The display form, if it differs, has the same target and maps back to the same URI. If that fails with the host
    /// in Unicode, the host keeps its form.
    pub fn iri(&self, target: &str, link: Subject<'_>) -> Result<(Option<String>, Notes), Notes> {
        let whole = with_implied(target, link.implied);
        let mut to_iri = self.to_iri.clone();
        if self.other_query.is_some() && !to_iri.keep_query {
            to_iri.to_mut().keep_query = true;
        }
        let first = self.iri_by(&to_iri, target, &whole, link);
        if first.is_ok() || to_iri.host == HostDisplay::Keep {
            return first;
        }
        to_iri.to_mut().host = HostDisplay::Keep;
        self.iri_by(&to_iri, target, &whole, link).or(first)
    }

    fn iri_by(
        &self,
        to_iri: &ToIri,
        target: &str,
        whole: &str,
        link: Subject<'_>,
    ) -> Result<(Option<String>, Notes), Notes> {
        let shown = |ch: char| link.any_character || link.alphabet.has(ch);
        let mut mapped = to_iri.map(whole, &shown);
        if let Some(text) = self.with_asked_host(whole, &mapped.text) {
            mapped.text = Cow::Owned(text);
        }
        if mapped.text == whole {
            return Ok((None, mapped.notes));
        }
        if link.in_text() {
            let again = |iri: &str| to_iri.map(iri, &shown).text.into_owned();
            let Some(text) = self.for_text(target, &mapped.text, again) else {
                return Err(Note::LeftNotRefound.into());
            };
            mapped.text = Cow::Owned(text);
        }
        let maps_back = self.maps_back(whole, &mapped.text, link);
        let (new, mut notes) = self.checked(target, mapped.text, link, mapped.notes)?;
        if !maps_back {
            notes.insert(Note::LeftTargetWouldChange);
            return Err(notes);
        }
        Ok((new, notes))
    }

    /// The display form for running text, which is its own display form there. `again` maps an IRI. One escape can make
    /// another necessary; `None` if the steps do not end soon.
    fn for_text(&self, target: &str, iri: &str, again: impl Fn(&str) -> String) -> Option<String> {
        let (mut before, mut iri) = (target.to_owned(), iri.to_owned());
        for _ in 0..MAX_FORMS {
            let text = self.formatted(&before, &iri);
            if text == before {
                return Some(text);
            }
            iri = again(&text);
            before = text;
        }
        None
    }

    /// A display form with the escapes that running text needs. Final punctuation needs no escape if the link has it
    /// already: the text around the link keeps it in the link.
    fn formatted(&self, target: &str, iri: &str) -> String {
        let scanner = self.scanner;
        let text = scanner.format(iri);
        let is_kept = |last: char| text.ends_with(last) || !target.ends_with(last);
        if iri.chars().next_back().is_none_or(is_kept) {
            return text;
        }
        scanner.format_before(iri, Following::Link)
    }

    /// A display form with the requested form of the host, if display forms have another.
    fn with_asked_host(&self, whole: &str, iri: &str) -> Option<String> {
        match self.host? {
            HostForm::Unicode | HostForm::Keep => None,
            HostForm::Punycode | HostForm::Percent => {
                let uri = self.to_uri.map(whole).ok()?.text;
                Parts::split(iri).with_host(Parts::split(&uri).host()?)
            }
        }
    }

    /// True if both references have the same URI, apart from the case of hex digits and escapes of unreserved
    /// characters, and the second one maps back to that URI in each possible charset of its query (P5).
    fn maps_back(&self, before: &str, after: &str, link: Subject<'_>) -> bool {
        let uri = |iri| self.whole_uri(iri).map(|mapped| mapped.text.into_owned());
        // Hosts that keep their form have no URI form: compare their punycode.
        let named = |uri: Result<String, MapErrorKind>| match self.host {
            Some(HostForm::Keep) => {
                let plain = ToUri {
                    host: HostForm::Punycode,
                    ..self.to_uri.clone().into_owned()
                };
                let mapped = plain.map(&uri?).map(|mapped| mapped.text.into_owned());
                mapped.map_err(|error| error.kind)
            }
            _ => uri,
        };
        match (named(uri(before)), named(uri(after))) {
            (Ok(before), Ok(uri)) => {
                plain_escapes(&before) == plain_escapes(&uri) && self.is_same(after, &uri, link)
            }
            _ => false,
        }
    }

    pub fn uri_behind(&self, new: &str, link: Subject<'_>) -> Option<String> {
        let whole = with_implied(new, link.implied);
        let whole = self.rendered.text(&whole);
        let read = as_browsers_read(&whole);
        let uri = self.to_uri.map(&read).ok()?;
        without_implied(&uri.text, link.implied).map(Cow::into_owned)
    }

    /// True if two references have the same target in each possible rendering.
    pub fn same_target(&self, query: Charset, before: &str, after: &str) -> bool {
        // Without characters that browsers drop or read as other characters, all renderings are equal.
        if same_at_a_glance(before, after, query) {
            return true;
        }
        let is_same = |before: &str, after: &str| self.reading(query).same_target(before, after);
        if !has_quirks(before) && !has_quirks(after) {
            return is_same(before, after);
        }
        let readings = self.rendered.readings().iter();
        let mut readings = readings.map(|reading| (reading.text(before), reading.text(after)));
        readings.all(|(before, after)| is_same(&before, &after))
    }

    /// The way that browsers read references with queries in this charset.
    fn reading(&self, query: Charset) -> Reading<'_> {
        Reading {
            base: self.under.or(self.document_base),
            query,
        }
    }

    /// True if two references have the same target in each possible charset of the query.
    pub fn is_same(&self, before: &str, after: &str, _link: Subject<'_>) -> bool {
        if self.has_other_query && is_odd(before) && query_of(before) != query_of(after) {
            return false;
        }
        [Some(self.query), self.other_query]
            .into_iter()
            .flatten()
            .all(|query| self.same_target(query, before, after))
    }

    /// A form, if it differs and has the same target.
    fn checked(
        &self,
        target: &str,
        mapped: Cow<'_, str>,
        link: Subject<'_>,
        mut notes: Notes,
    ) -> Result<(Option<String>, Notes), Notes> {
        let before = with_implied(target, link.implied);
        if mapped == before {
            return Ok((None, notes));
        }
        if self.is_same(&before, &mapped, link) {
            match link.implied {
                None => return Ok((Some(mapped.into_owned()), notes)),
                Some(scheme) => {
                    if let Some(new) = mapped.strip_prefix(implied_prefix(scheme)) {
                        return Ok((Some(new.to_owned()), notes));
                    }
                }
            }
        }
        notes.insert(Note::LeftTargetWouldChange);
        Err(notes)
    }
}

/// True if the queries of the reference's scheme are in UTF-8 by the standard (WHATWG URL, query state), but in the
/// document's charset in Chromium.
fn is_odd(reference: &str) -> bool {
    scheme_of(reference).is_some_and(|scheme| {
        reference[scheme.len()..].starts_with(":/") && !has_document_query(scheme)
    })
}

fn query_of(reference: &str) -> Option<&str> {
    let end = reference.find('#').unwrap_or(reference.len());
    let (_, query) = reference[..end].split_once('?')?;
    Some(query)
}

/// A reference without the characters that browsers drop, and with `/` for each `\` that browsers read as `/` (URL
/// Standard 4.4). URIs must not hold these characters, and escapes of them would have another meaning.
fn as_browsers_read(reference: &str) -> Cow<'_, str> {
    if !has_quirks(reference) {
        return Cow::Borrowed(reference);
    }
    let special = scheme_of(reference).is_none_or(is_special);
    let path_end = reference.find(['?', '#']).unwrap_or(reference.len());
    reference
        .char_indices()
        .filter(|(_, ch)| !matches!(ch, '\t' | '\n' | '\r'))
        .map(|(at, ch)| {
            if ch == '\\' && special && at < path_end {
                '/'
            } else {
                ch
            }
        })
        .collect()
}

/// A URI with upper-case hex digits and without escapes of unreserved characters (RFC 3986 6.2.2).
fn plain_escapes(uri: &str) -> String {
    let mut plain = String::with_capacity(uri.len());
    let mut rest = uri;
    while let Some(at) = rest.find('%') {
        plain.push_str(&rest[..at]);
        let octet = match rest.as_bytes()[at + 1..] {
            [high, low, ..] => hex_value(high).zip(hex_value(low)).map(|(h, l)| h << 4 | l),
            _ => None,
        };
        match octet {
            Some(octet) if octet.is_ascii_alphanumeric() || b"-._~".contains(&octet) => {
                plain.push(char::from(octet));
            }
            Some(octet) => plain.push_str(&format!("%{octet:02X}")),
            None => plain.push('%'),
        }
        rest = &rest[at + if octet.is_some() { 3 } else { 1 }..];
    }
    plain + rest
}

pub(super) fn left_because(kind: MapErrorKind) -> Notes {
    match kind {
        MapErrorKind::ToAscii => Note::UnmappableHost.into(),
        _ => Note::LeftUnencodable.into(),
    }
}
