//! The host of a display IRI.

use super::unit::{self, Place, Unit};
use super::{Display, HostDisplay, Writer};
use crate::iri::bidi::{broken, direction};
use crate::iri::display::{self, label};
use crate::iri::{host, idna};
use crate::report::Note;
use std::borrow::Cow;

/// Whether a reference might have a label in punycode.
pub(super) fn may_have_punycode(uri: &str) -> bool {
    let bytes = uri.as_bytes();
    memchr::memchr2_iter(b'x', b'X', bytes).any(|at| {
        let prefix = bytes.get(at..at + 4);
        prefix.is_some_and(|prefix| prefix.eq_ignore_ascii_case(b"xn--"))
    })
}

impl Writer<'_> {
    pub(super) fn host(&mut self, scheme: &str, host: &str) {
        let is_plain = !host.contains('%') && !may_have_punycode(host);
        if is_plain || host.starts_with('[') {
            return self.kept(host);
        }
        let is_domain = host::uses_dns(scheme);
        let decoded = self.decoded_host(host, is_domain);
        if !is_domain || self.settings.host == HostDisplay::Keep || !may_have_punycode(&decoded) {
            return self.verbatim(&decoded);
        }
        let unicode = self.unicode_host(&decoded);
        self.verbatim(unicode.as_deref().unwrap_or(&decoded));
    }

    /// The host without its percent-encoding, as far as it may be shown.
    fn decoded_host<'h>(&mut self, host: &'h str, is_domain: bool) -> Cow<'h, str> {
        if !host.contains('%') {
            return Cow::Borrowed(host);
        }
        let decoded = labels(&mut self.unit, host);
        if decoded.is_ascii() || !is_domain {
            return Cow::Owned(decoded);
        }
        // What ToASCII refuses would not map back.
        let maps_back = idna::to_ascii(&decoded).is_some();
        if maps_back && (!self.settings.checks_hosts() || self.is_safe_host(&decoded)) {
            return Cow::Owned(decoded);
        }
        let mut ascii = Unit::new(Display::Safe, &|_| false);
        Cow::Owned(labels(&mut ascii, host))
    }

    /// Whether a decoded host may be shown: a domain name of labels that deceive nobody and that
    /// differ from their form in the DNS by case alone.
    fn is_safe_host(&mut self, host: &str) -> bool {
        let mut is_safe = true;
        let unicode = idna::to_unicode(host, |label, top| {
            is_safe &= self.is_safe_label(label, top);
            true
        });
        is_safe && unicode.is_some_and(|unicode| unicode.to_lowercase() == host.to_lowercase())
    }

    /// The host with its punycode labels in Unicode, as far as they may be shown. `None` when it is
    /// no valid domain name: it would not map back.
    fn unicode_host(&mut self, host: &str) -> Option<String> {
        let mut all_raw = true;
        let unicode = idna::to_unicode(host, |label, top| {
            let is_raw = host.contains(label);
            all_raw &= is_raw;
            is_raw || self.shows_label(label, top)
        })?;
        // What stands there in Unicode stays as it is written.
        (!all_raw).then_some(unicode)
    }

    fn shows_label(&mut self, label: &str, top: &str) -> bool {
        self.unit.shows(label) && (!self.settings.checks_hosts() || self.is_safe_label(label, top))
    }

    /// Whether a label may be shown: no trouble by UTS 39, nothing that may not be shown anywhere,
    /// and the bidi rules of RFC 3987 4.2 kept.
    fn is_safe_label(&mut self, label: &str, top: &str) -> bool {
        let note = match label::trouble(label, top) {
            Some(label::Trouble::MixedScript) => Note::MixedScriptHost,
            Some(_) => Note::ConfusableHost,
            None if broken(label.chars().map(direction)).any() => Note::BidiComponent,
            None => return label.chars().all(is_displayable),
        };
        self.notes.insert(note);
        false
    }
}

fn is_displayable(ch: char) -> bool {
    // The joiners of a valid label are in context.
    ch.is_ascii() || matches!(ch, display::ZWJ | display::ZWNJ) || display::is_displayable(ch)
}

/// The labels of a host, decoded.
fn labels(unit: &mut Unit, host: &str) -> String {
    let mut out = String::with_capacity(host.len());
    let mut start = 0;
    for dot in unit::dots(host) {
        unit.write(&host[start..dot.start], Place::Elsewhere, &mut out);
        out.push('.');
        start = dot.end;
    }
    unit.write(&host[start..], Place::Elsewhere, &mut out);
    out
}
