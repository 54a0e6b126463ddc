//! Writes a display IRI component by component.

use super::host::HostWriter;
use super::settings::ToIri;
use super::unit::{self, Component, UnitDecoder};
use crate::mapped::Mapped;
use crate::notes::{Note, Notes};
use crate::parts::Parts;
use crate::percent;
use memchr::memchr;

pub(super) struct Writer<'s> {
    settings: &'s ToIri,
    decoder: UnitDecoder<'s>,
    out: String,
    notes: Notes,
}

impl<'s> Writer<'s> {
    pub(super) fn new(settings: &'s ToIri, shown: &'s dyn Fn(char) -> bool, len: usize) -> Self {
        Writer {
            settings,
            decoder: UnitDecoder::new(settings.display, shown),
            out: String::with_capacity(len),
            notes: Notes::NONE,
        }
    }

    pub(super) fn reference(&mut self, parts: &Parts) {
        let text = parts.text();
        let mut at = 0;
        if let Some(range) = parts.userinfo_range() {
            self.out.push_str(&text[..range.start]);
            at = range.end;
            self.units(&text[range], b"", Component::Other);
        }
        if let Some(range) = parts.host_range() {
            self.out.push_str(&text[at..range.start]);
            at = range.end;
            let scheme = parts.scheme().or(self.settings.base_scheme.as_deref());
            self.host(scheme.unwrap_or_default(), &text[range]);
        }
        self.encoded(&text[at..parts.path_range().start]);
        self.path(parts);
        if let Some(query) = parts.query() {
            self.out.push('?');
            self.query(query);
        }
        if let Some(fragment) = parts.fragment() {
            self.out.push('#');
            self.units(fragment, b"", Component::Other);
        }
    }

    pub(super) fn finish(mut self, uri: &str) -> Mapped<'_> {
        self.notes.extend(self.decoder.notes());
        Mapped::new(uri, self.out, self.notes)
    }

    /// Writes text whose escapes stay.
    fn encoded(&mut self, text: &str) {
        if !percent::is_well_formed(text) {
            self.notes.insert(Note::InvalidPercent);
        }
        self.out.push_str(text);
    }

    fn host(&mut self, scheme: &str, host: &str) {
        let mut writer = HostWriter {
            settings: self.settings,
            decoder: &mut self.decoder,
            notes: &mut self.notes,
        };
        match writer.display_form(scheme, host) {
            Some(host) => self.out.push_str(&host),
            None => self.encoded(host),
        }
    }

    /// Writes the path: segments, the last with its extension.
    fn path(&mut self, parts: &Parts) {
        let mut path = parts.path();
        if memchr(b'%', path.as_bytes()).is_none() {
            return self.out.push_str(path);
        }
        if parts.scheme().is_none() && parts.authority_range().is_none() {
            // `%6Aavascript:` must not become a scheme.
            let first = path.find('/').unwrap_or(path.len());
            if let Some(colon) = path[..first].find(':') {
                self.encoded(&path[..colon]);
                path = &path[colon..];
            }
        }
        let file = path.rfind('/').map_or(0, |slash| slash + 1);
        let dots = unit::dots(&path[file..]).filter(|dot| dot.start > 0);
        let Some(dot) = dots.last() else {
            return self.units(path, b"/", Component::Other);
        };
        self.units(&path[..file + dot.start], b"/", Component::Other);
        self.out.push('.');
        self.units(&path[file + dot.end..], b"", Component::Other);
    }

    fn query(&mut self, query: &str) {
        if self.settings.keep_query {
            return self.encoded(query);
        }
        let Some(percent) = memchr(b'%', query.as_bytes()) else {
            return self.out.push_str(query);
        };
        // Everything up to the delimiter before the first escape is unchanged.
        let is_delimiter = |byte: &u8| matches!(byte, b'&' | b';');
        let mut before = query.as_bytes()[..percent].iter();
        let start = before.rposition(is_delimiter).map_or(0, |at| at + 1);
        self.out.push_str(&query[..start]);
        let mut rest = &query[start..];
        while !rest.is_empty() {
            let end = rest.as_bytes().iter().position(is_delimiter);
            let (pair, behind) = rest.split_at(end.map_or(rest.len(), |end| end + 1));
            let equals = pair.find('=').map_or(0, |equals| equals + 1);
            self.units(&pair[..equals], b"=", Component::Query);
            self.units(&pair[equals..], b"&;", Component::Query);
            rest = behind;
        }
    }

    /// Writes the units between ASCII delimiters, and the delimiters.
    fn units(&mut self, text: &str, delimiters: &[u8], component: Component) {
        let mut rest = text;
        let is_delimiter = |byte: &u8| delimiters.contains(byte);
        // Units without an escape are unchanged.
        while let Some(percent) = memchr(b'%', rest.as_bytes()) {
            let (before, behind) = rest.as_bytes().split_at(percent);
            let start = before.iter().rposition(is_delimiter).map_or(0, |at| at + 1);
            let length = behind.iter().position(is_delimiter);
            let end = length.map_or(rest.len(), |length| percent + length);
            self.out.push_str(&rest[..start]);
            self.decoder
                .write(&rest[start..end], component, &mut self.out);
            rest = &rest[end..];
        }
        self.out.push_str(rest);
    }
}
