//! The host of a display IRI.

use super::settings::{Display, HostDisplay, ToIri};
use super::unit::{self, Component, UnitDecoder};
use crate::bidi::direction::{broken_rules, direction};
use crate::display::{self, ZWJ, ZWNJ};
use crate::idna::may_have_punycode;
use crate::notes::{Note, Notes};
use crate::spoof::{self, Suspicion};
use crate::{idna, scheme};
use std::borrow::Cow;

/// Makes the display form of a host.
pub(super) struct HostWriter<'w, 's> {
    pub(super) settings: &'s ToIri,
    pub(super) decoder: &'w mut UnitDecoder<'s>,
    pub(super) notes: &'w mut Notes,
}

impl HostWriter<'_, '_> {
    /// `None` when nothing in the host is encoded.
    pub(super) fn display_form<'h>(&mut self, scheme: &str, host: &'h str) -> Option<Cow<'h, str>> {
        let is_plain = !host.contains('%') && !may_have_punycode(host);
        if is_plain || host.starts_with('[') {
            return None;
        }
        let is_domain = scheme::uses_dns(scheme);
        let decoded = self.decoded(host, is_domain);
        if !is_domain || self.settings.host == HostDisplay::Keep || !may_have_punycode(&decoded) {
            return Some(decoded);
        }
        Some(self.unicode(&decoded).map_or(decoded, Cow::Owned))
    }

    /// The host without its percent-encoding, as far as its characters may be shown.
    fn decoded<'h>(&mut self, host: &'h str, is_domain: bool) -> Cow<'h, str> {
        if !host.contains('%') {
            return Cow::Borrowed(host);
        }
        let decoded = decode_labels(self.decoder, host);
        if decoded.is_ascii() || !is_domain {
            return Cow::Owned(decoded);
        }
        // A name refused by ToASCII would not map back.
        let maps_back = idna::to_ascii(&decoded).is_some();
        if maps_back && (!self.settings.checks_hosts() || self.is_safe_host(&decoded)) {
            return Cow::Owned(decoded);
        }
        let mut ascii = UnitDecoder::new(Display::Safe, &|_| false);
        Cow::Owned(decode_labels(&mut ascii, host))
    }

    /// True if a decoded host may be shown: all its labels are safe, and they differ from their form
    /// in the DNS by case alone.
    fn is_safe_host(&mut self, host: &str) -> bool {
        let mut is_safe = true;
        let unicode = idna::to_unicode(host, |label, top| {
            is_safe &= self.is_safe_label(label, top);
            true
        });
        is_safe && unicode.is_some_and(|unicode| unicode.to_lowercase() == host.to_lowercase())
    }

    /// The host with its punycode labels in Unicode, as far as they may be shown. `None` for an invalid domain name,
    /// which would not map back, and if no label changes.
    fn unicode(&mut self, host: &str) -> Option<String> {
        let mut is_unchanged = true;
        let unicode = idna::to_unicode(host, |label, top| {
            let is_raw = host.contains(label);
            is_unchanged &= is_raw;
            is_raw || self.shows_label(label, top)
        })?;
        (!is_unchanged).then_some(unicode)
    }

    fn shows_label(&mut self, label: &str, top: &str) -> bool {
        self.decoder.shows(label)
            && (!self.settings.checks_hosts() || self.is_safe_label(label, top))
    }

    /// True if a label may be shown: UTS 39 finds nothing suspicious, every character is displayable, and the label
    /// keeps the bidi rules of RFC 3987 4.2.
    fn is_safe_label(&mut self, label: &str, top: &str) -> bool {
        let note = match spoof::check(label, top) {
            Some(Suspicion::MixedScript) => Note::MixedScriptHost,
            Some(_) => Note::ConfusableHost,
            None if broken_rules(label.chars().map(direction)).any() => Note::BidiComponent,
            None => return label.chars().all(is_displayable),
        };
        self.notes.insert(note);
        false
    }
}

fn is_displayable(ch: char) -> bool {
    // Joiners in a valid label are in context.
    ch.is_ascii() || matches!(ch, ZWJ | ZWNJ) || display::is_displayable(ch)
}

/// The labels of a host, decoded.
fn decode_labels(decoder: &mut UnitDecoder, host: &str) -> String {
    let mut out = String::with_capacity(host.len());
    let mut start = 0;
    for dot in unit::dots(host) {
        decoder.write(&host[start..dot.start], Component::Other, &mut out);
        out.push('.');
        start = dot.end;
    }
    decoder.write(&host[start..], Component::Other, &mut out);
    out
}
