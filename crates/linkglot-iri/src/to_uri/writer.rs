//! Writes a URI component by component.

use super::settings::{Disallowed, HostForm, Normalization, QueryCharset, ToUri, Unencodable};
use crate::mapped::{MapError, MapErrorKind, Mapped};
use crate::notes::{Note, Notes};
use crate::parts::Parts;
use crate::percent::{self, Census, DISALLOWED, NON_ASCII, PERCENT};
use crate::{class, display, host, prefilter, scheme};
use std::borrow::Cow;
use std::ops::Range;
use unicode_normalization::UnicodeNormalization;

pub(super) struct Writer<'s> {
    settings: &'s ToUri,
    /// True if RFC 3987 3.1 step 1a or 1b asks for NFC.
    normalizes: bool,
    out: Vec<u8>,
    /// The kinds of the bytes seen.
    kinds: u8,
    /// True if all characters seen are in NFC in every context.
    is_surely_nfc: bool,
    notes: Notes,
}

/// A part of the reference, and its position in the reference.
#[derive(Clone, Copy)]
struct Piece<'p> {
    text: &'p str,
    start: usize,
}

impl<'p> Piece<'p> {
    fn new(parts: &Parts<'p>, range: Range<usize>) -> Piece<'p> {
        Piece {
            text: &parts.text()[range.clone()],
            start: range.start,
        }
    }

    fn error(&self, at: usize, kind: MapErrorKind) -> MapError {
        MapError {
            at: self.start + at,
            kind,
        }
    }
}

/// An error, and its position in the text at hand.
type ErrorAt = (usize, MapErrorKind);

impl<'s> Writer<'s> {
    pub(super) fn new(settings: &'s ToUri, len: usize, kinds: u8) -> Self {
        Writer {
            settings,
            normalizes: settings.from_paper
                || settings.normalization == Normalization::ByCharset
                    && !settings.charset.is_unicode(),
            // Only punycode and character references need more.
            out: Vec::with_capacity(len * 3 + 1),
            kinds,
            is_surely_nfc: true,
            notes: Notes::NONE,
        }
    }

    /// Maps a reference whose components are all mapped in the same way, and whose first `prefix` bytes stay unchanged.
    pub(super) fn uniform(&mut self, iri: &str, prefix: usize) -> Result<(), MapError> {
        let start = if self.normalizes { 0 } else { prefix };
        self.out.extend_from_slice(&iri.as_bytes()[..start]);
        self.general(Piece {
            text: &iri[start..],
            start,
        })
    }

    pub(super) fn reference(&mut self, parts: &Parts) -> Result<(), MapError> {
        let base = self.settings.base_scheme.as_deref();
        let scheme = parts.scheme().or(base).unwrap_or_default();
        let mut at = 0;
        if let Some(host) = parts.host_range() {
            self.general(Piece::new(parts, 0..host.start))?;
            at = host.end;
            self.host(Piece::new(parts, host), scheme::uses_dns(scheme))?;
        }
        let query = parts.query_range();
        if let Some(query) = query.filter(|_| self.has_document_query(scheme)) {
            self.general(Piece::new(parts, at..query.start))?;
            at = query.end;
            self.document_query(Piece::new(parts, query))?;
        }
        self.general(Piece::new(parts, at..parts.text().len()))
    }

    pub(super) fn finish(self, iri: &str) -> Mapped<'_> {
        let mut notes = self.notes;
        notes.extend(percent_notes(iri, self.kinds));
        if !self.is_surely_nfc && !self.normalizes && !display::is_nfc(iri) {
            notes.insert(Note::NotNfc);
        }
        if self.out == iri.as_bytes() {
            return Mapped::unchanged(iri, notes);
        }
        let text = String::from_utf8(self.out);
        debug_assert!(text.is_ok(), "text and escapes are UTF-8");
        let text =
            text.unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        Mapped {
            text: Cow::Owned(text),
            notes,
        }
    }

    fn has_document_query(&self, scheme: &str) -> bool {
        self.settings.query == QueryCharset::Document
            && !self.settings.charset.is_unicode()
            && scheme::is_http(scheme)
    }

    /// RFC 3987 3.1: steps 1 and 2.
    fn general(&mut self, piece: Piece) -> Result<(), MapError> {
        let normal = self.normalized(piece.text);
        self.encoded(&normal).map_err(|(at, kind)| {
            let at = match &normal {
                Cow::Borrowed(_) => at,
                Cow::Owned(normal) => position_before_nfc(piece.text, normal, at),
            };
            piece.error(at, kind)
        })
    }

    /// Step 1: NFC where the settings ask for it.
    fn normalized<'p>(&mut self, text: &'p str) -> Cow<'p, str> {
        if !self.normalizes || display::is_nfc(text) {
            return Cow::Borrowed(text);
        }
        self.notes.insert(Note::NfcChanged);
        Cow::Owned(text.nfc().collect())
    }

    /// Step 2: characters beyond ASCII become the escapes of their UTF-8 octets.
    fn encoded(&mut self, text: &str) -> Result<(), ErrorAt> {
        let before = self.out.len();
        let Census { kinds, is_suspect } = percent::push_encoded(&mut self.out, text);
        if kinds & DISALLOWED != 0 {
            self.out.truncate(before);
            return self.run_by_run(text, |writer, run| {
                percent::push_octets(&mut writer.out, text[run].as_bytes());
                Ok(())
            });
        }
        self.kinds |= kinds;
        if is_suspect {
            self.check_chars(text)?;
        }
        Ok(())
    }

    /// Maps a text that has disallowed ASCII, or non-ASCII runs that `write_run` encodes in its own
    /// way.
    fn run_by_run(
        &mut self,
        text: &str,
        mut write_run: impl FnMut(&mut Self, Range<usize>) -> Result<(), ErrorAt>,
    ) -> Result<(), ErrorAt> {
        let bytes = text.as_bytes();
        let mut at = 0;
        loop {
            let plain = plain_run(bytes, at, &mut self.kinds);
            self.out.extend_from_slice(&bytes[at..plain]);
            at = plain;
            match bytes.get(at) {
                None => return Ok(()),
                Some(&byte) if byte < 0x80 => {
                    self.disallowed(byte).map_err(|kind| (at, kind))?;
                    at += 1;
                }
                Some(_) => {
                    let end = self.non_ascii_run(text, at)?;
                    write_run(self, at..end)?;
                    at = end;
                }
            }
        }
    }

    /// The end of the run of characters beyond ASCII from `start` on; fails if a character may not be mapped.
    #[inline]
    fn non_ascii_run(&mut self, text: &str, start: usize) -> Result<usize, ErrorAt> {
        let rest = &text.as_bytes()[start..];
        let length = rest.iter().take_while(|byte| !byte.is_ascii()).count();
        self.kinds |= NON_ASCII;
        let run = &text[start..start + length];
        if prefilter::is_suspect(run) {
            let in_text = |(at, kind)| (start + at, kind);
            self.check_chars(run).map_err(in_text)?;
        }
        Ok(start + length)
    }

    /// Fails at the first character beyond ASCII that may not be mapped.
    #[inline]
    fn check_chars(&mut self, text: &str) -> Result<(), ErrorAt> {
        for (at, byte) in text.bytes().enumerate() {
            let is_lead = byte >= 0xC0;
            if is_lead && let Some(ch) = text[at..].chars().next() {
                self.is_surely_nfc = self.is_surely_nfc && display::is_surely_nfc(ch);
                self.check_char(ch).map_err(|kind| (at, kind))?;
            }
        }
        Ok(())
    }

    #[inline]
    fn check_char(&mut self, ch: char) -> Result<(), MapErrorKind> {
        if class::is_ucschar(ch) {
            return Ok(());
        }
        if class::is_bidi_control(ch) {
            self.notes.insert(Note::BidiControl);
        } else if class::is_iprivate(ch) {
            self.notes.insert(Note::PrivateUse);
        } else if self.settings.other == Disallowed::Fail {
            return Err(MapErrorKind::DisallowedCharacter);
        }
        Ok(())
    }

    /// Writes an ASCII character that no IRI may have.
    fn disallowed(&mut self, byte: u8) -> Result<(), MapErrorKind> {
        if self.refuses(byte) {
            return Err(MapErrorKind::DisallowedAscii);
        }
        percent::push_octets(&mut self.out, &[byte]);
        Ok(())
    }

    fn refuses(&self, disallowed: u8) -> bool {
        self.settings.ascii == Disallowed::Fail || disallowed.is_ascii_control()
    }

    fn host(&mut self, host: Piece, uses_dns: bool) -> Result<(), MapError> {
        if host.text.starts_with('[') {
            return self.general(host);
        }
        match self.settings.host {
            HostForm::Punycode if uses_dns => self.punycode(host),
            HostForm::Punycode | HostForm::Percent => self.general(host),
            HostForm::Unicode if uses_dns => self.unicode(host),
            HostForm::Unicode | HostForm::Keep => self.unchanged_host(host),
        }
    }

    fn punycode(&mut self, host: Piece) -> Result<(), MapError> {
        if host.text.is_ascii() && !host.text.contains('%') {
            return self.general(host);
        }
        let is_refused = |byte| percent::kind(byte) == DISALLOWED && self.refuses(byte);
        if let Some(at) = host.text.bytes().position(is_refused) {
            return Err(host.error(at, MapErrorKind::DisallowedAscii));
        }
        match host::punycode(host.text, self.settings.idna) {
            // The name stays, but its disallowed characters do not.
            Some(Cow::Borrowed(_)) => return self.general(host),
            Some(Cow::Owned(name)) => self.out.extend_from_slice(name.as_bytes()),
            // A URI maps to itself.
            None if host.text.is_ascii() => {
                self.notes.insert(Note::UnmappableHost);
                return self.general(host);
            }
            None => return Err(host.error(0, MapErrorKind::ToAscii)),
        }
        Ok(())
    }

    fn unicode(&mut self, host: Piece) -> Result<(), MapError> {
        match host::unicode(host.text) {
            Cow::Borrowed(_) => self.unchanged_host(host),
            Cow::Owned(name) => {
                self.out.extend_from_slice(name.as_bytes());
                Ok(())
            }
        }
    }

    /// Writes a host whose characters beyond ASCII stay, unless escapes must be written into it: a
    /// combining mark after an escape would become part of the escaped character at the next
    /// normalization.
    fn unchanged_host(&mut self, host: Piece) -> Result<(), MapError> {
        if percent::kinds_of(host.text) & DISALLOWED != 0 {
            return self.general(host);
        }
        let normal = self.normalized(host.text);
        for (at, ch) in normal.char_indices().filter(|(_, ch)| !ch.is_ascii()) {
            self.check_char(ch)
                .map_err(|kind| host.error(position_before_nfc(host.text, &normal, at), kind))?;
        }
        self.out.extend_from_slice(normal.as_bytes());
        Ok(())
    }

    /// Writes a query in the document's charset (draft-ietf-iri-3987bis, 2011, 6.1), from the characters of the
    /// document, without normalization.
    fn document_query(&mut self, query: Piece) -> Result<(), MapError> {
        let text = query.text;
        self.run_by_run(text, |writer, run| writer.document_run(text, run))
            .map_err(|(at, kind)| query.error(at, kind))
    }

    /// Encodes a run of characters beyond ASCII as a whole, because a charset may have shift states
    /// (ISO-2022-JP).
    fn document_run(&mut self, query: &str, run: Range<usize>) -> Result<(), ErrorAt> {
        self.notes.insert(Note::QueryCharset);
        let mut octets = Vec::new();
        let mut at = run.start;
        while at < run.end {
            at += self.encodable_prefix(&query[at..run.end], &mut octets);
            let Some(ch) = query[at..run.end].chars().next() else {
                break;
            };
            self.unencodable(ch).map_err(|kind| (at, kind))?;
            at += ch.len_utf8();
        }
        Ok(())
    }

    /// Writes the text up to the first character that the document's charset lacks; returns the
    /// position of that character.
    fn encodable_prefix(&mut self, text: &str, octets: &mut Vec<u8>) -> usize {
        let charset = self.settings.charset;
        octets.clear();
        let mut end = text.len();
        if let Err(missing) = charset.encode(text, octets) {
            end = missing;
            let is_encoded = charset.encode(&text[..end], octets).is_ok();
            debug_assert!(is_encoded, "the text before that character is encodable");
            if !is_encoded {
                return 0;
            }
        }
        percent::push_query_octets(&mut self.out, octets);
        end
    }

    fn unencodable(&mut self, ch: char) -> Result<(), MapErrorKind> {
        match self.settings.unencodable {
            Unencodable::Fail => return Err(MapErrorKind::Unencodable),
            Unencodable::Utf8 => {
                let mut buffer = [0; 4];
                let octets = ch.encode_utf8(&mut buffer).as_bytes();
                percent::push_octets(&mut self.out, octets);
            }
            Unencodable::Reference => {
                let reference = format!("%26%23{}%3B", u32::from(ch));
                self.out.extend_from_slice(reference.as_bytes());
            }
        }
        Ok(())
    }
}

/// The note on a bare percent sign; `kinds` are the kinds of the bytes of `iri`.
pub(super) fn percent_notes(iri: &str, kinds: u8) -> Notes {
    if kinds & PERCENT != 0 && !percent::is_well_formed(iri) {
        Note::InvalidPercent.into()
    } else {
        Notes::NONE
    }
}

/// The end of the run of characters from `at` on that mapping leaves unchanged. Adds their kinds to `kinds`.
#[inline]
pub(super) fn plain_run(bytes: &[u8], at: usize, kinds: &mut u8) -> usize {
    let mut end = at;
    let mut seen = 0;
    while let Some(&byte) = bytes.get(end) {
        let kind = percent::kind(byte);
        if kind & (DISALLOWED | NON_ASCII) != 0 {
            break;
        }
        seen |= kind;
        end += 1;
    }
    *kinds |= seen;
    end
}

/// The position in `text` of the character from which NFC made the character at `at` in `normal`.
fn position_before_nfc(text: &str, normal: &str, at: usize) -> usize {
    if text == normal {
        return at;
    }
    let culprit = normal[at..].chars().next();
    let becomes_culprit =
        |&(_, ch): &(usize, char)| std::iter::once(ch).nfc().any(|ch| Some(ch) == culprit);
    text.char_indices()
        .find(becomes_culprit)
        .map_or(0, |(at, _)| at)
}
