//! The certain part of a document. A link that depends on a guessed charset is left.
//!
//! A charset from a mark, the caller or a declaration holds for every reader: only links whose own bytes are malformed
//! in the charset are left. Guessed UTF-8 is certain in a stretch: from the evidence for UTF-8, or from the start of
//! the document if the start or the format gives enough evidence, to the first malformed sequence. The answer for a
//! link depends on nothing behind the link, so that it is the same for every way to read the document. A charset that
//! was detected decides the bytes that detection knows: others may follow behind the start of the document. Any other
//! guess decides nothing: no letter is written in the guessed charset, and no link changes whose bytes, query or base
//! depend on it.

use super::References;
use super::mapping::Mapping;
use crate::charset::{Certainty, Charset, KnownBytes, Utf8Stretch};
use crate::iri::Parts;
use crate::iri::scheme::has_document_query;
use crate::link::{
    Base, DoubtfulBytes, Info, Queries, QueryCharsets, Settings, WindowLink, is_text, scheme_of,
};
use crate::notes::Note;
use crate::read::SlotRead;
use std::ops::Range;

/// All of a window, and nothing of it.
pub(super) const EVERYWHERE: Range<usize> = 0..usize::MAX;
pub(super) const NOWHERE: Range<usize> = 0..0;

/// Knowledge of the charset of a document, from the bytes that were read.
pub(super) struct CharsetTrust {
    certainty: Certainty,
    charset: Charset,
    /// The bytes beyond ASCII whose characters are known.
    known: KnownBytes,
    doubtful: DoubtfulBytes,
    /// The stretch in which guessed UTF-8 is certain.
    utf_8: Option<Utf8Stretch>,
    /// The charsets of queries in a document of this kind in a legacy charset: queries that are not UTF-8 there are in
    /// the charset of the document.
    queries: QueryCharsets,
    /// True if new links are made with the base, so that they may hold its letters.
    resolves: bool,
    is_base_guessed: bool,
}

/// A link and its possible new text.
pub(super) struct Guessed<'g> {
    /// The bytes of the link.
    pub raw: &'g [u8],
    pub text: &'g str,
    pub new: &'g str,
    pub queries: Queries,
    /// True if NFC changed the link for its charset.
    pub is_normalized: bool,
    /// The base against which the link resolves.
    pub base: &'g Base,
    /// True if the place of the link writes characters as references.
    pub has_references: bool,
    /// True if the charset is certain where the link stands.
    pub is_certain: bool,
}

impl CharsetTrust {
    pub fn new(info: &Info, settings: &Settings, mapping: &Mapping) -> Self {
        let legacy = Charset::WINDOWS_1252;
        let is_watched = info.charset == Charset::UTF_8
            && !info.is_charset_said()
            && settings.default_charset.is_none();
        // Too little evidence for the head is too little for the rest.
        let is_certain = info.certainty == Certainty::Sure;
        let utf_8 = is_watched && (is_certain || info.may_prove_utf_8());
        CharsetTrust {
            certainty: info.certainty,
            charset: info.charset,
            known: info.known_to_read(),
            doubtful: match mapping.to_charset {
                None => DoubtfulBytes::of(info),
                Some(_) => DoubtfulBytes::of(&info.decoded()),
            },
            utf_8: utf_8.then(|| Utf8Stretch::new(is_certain)),
            queries: QueryCharsets::of(settings, info.format, legacy, info.is_hypertext),
            resolves: mapping.references != References::Keep || mapping.has_rules(),
            is_base_guessed: info.is_base_guessed,
        }
    }

    /// Reads bytes of the document. Some of them may be read already.
    pub fn read(&mut self, bytes: &[u8], origin: u64) {
        if let Some(utf_8) = &mut self.utf_8 {
            utf_8.read(bytes, origin);
        }
    }

    /// The certain part of a window that begins at `origin`: links that end in this part are certain. Bytes beyond it
    /// were read, or belong to no link that was read.
    pub fn certain(&self, origin: u64) -> Range<usize> {
        let in_window = |at: u64| at.saturating_sub(origin) as usize;
        let Some(utf_8) = &self.utf_8 else {
            return match self.certainty {
                Certainty::Sure => EVERYWHERE,
                Certainty::Unsure => NOWHERE,
            };
        };
        let from = utf_8.from().map_or(usize::MAX, in_window);
        from..utf_8.to().map_or(usize::MAX, in_window)
    }

    /// The reason that a link cannot change to a new text, if any.
    pub fn note(
        &self,
        read: &SlotRead<'_>,
        found: &WindowLink<'_>,
        link: &Guessed<'_>,
    ) -> Option<Note> {
        let note = self.note_of_bytes(read, found);
        note.or_else(|| {
            let is_open = |byte: u8| {
                !byte.is_ascii() && (!link.is_certain || self.doubtful.has_unknown(&[byte]))
            };
            let is_watched = !link.is_certain || self.known != KnownBytes::ALL;
            let depends =
                is_watched && (touches_letters(read, found, is_open) || self.depends(link));
            depends.then_some(Note::CharsetUnsure)
        })
    }

    /// The reason that a link cannot change, if its bytes are malformed or not known.
    pub fn note_of_bytes(&self, read: &SlotRead<'_>, found: &WindowLink<'_>) -> Option<Note> {
        let raw = &read.window.bytes[found.range.clone()];
        let layers = found.context.layers;
        self.doubtful.note(raw, layers, || found.text.text())
    }

    /// The reason that a link with these source bytes cannot change, if the bytes are malformed and the view does not
    /// show it.
    pub fn note_of_source(&self, source: &[u8]) -> Option<Note> {
        self.doubtful.note_of_source(source)
    }

    /// True if a link or its new text depends on a guessed charset.
    pub fn depends(&self, link: &Guessed<'_>) -> bool {
        let is_base_guessed = self.is_base_guessed || link.base.has_letters();
        let is_of_document = link.queries.charset(self.queries) != Charset::UTF_8;
        let depends = is_of_document
            && [link.text, link.new]
                .iter()
                .any(|text| self.in_query(text, link))
            || self.resolves && is_base_guessed;
        if link.is_certain {
            return self.known != KnownBytes::ALL
                && (depends || self.doubtful.has_unknown(link.raw));
        }
        depends
            || !is_plain(link.raw)
            || link.is_normalized
            || !link.has_references && !link.new.is_ascii()
    }

    /// True if browsers encode letters of the query in the charset of the document, and it is not certain how.
    fn in_query(&self, reference: &str, link: &Guessed<'_>) -> bool {
        let is_open = |ch: char| {
            !ch.is_ascii() && (!link.is_certain || !self.known.can_write(self.charset, ch))
        };
        let query = Parts::split(reference).query();
        query.is_some_and(|query| query.chars().any(is_open))
            && (scheme_of(reference).is_none_or(has_document_query) || reference.contains("://"))
    }
}

/// True if bytes that `is_beyond` stand in front of a link in running text, or behind the link and its punctuation: in
/// another charset these bytes may belong to the link.
fn touches_letters(
    read: &SlotRead<'_>,
    found: &WindowLink<'_>,
    is_beyond: impl Fn(u8) -> bool,
) -> bool {
    /// The most punctuation behind which a link may go on.
    const PUNCTUATION: usize = 16;
    if !is_text(&found.context.place) {
        return false;
    }
    let (bytes, link) = (read.window.bytes, &found.range);
    let before = link
        .start
        .checked_sub(1)
        .filter(|at| *at >= read.slot.range.start);
    let behind = bytes.get(link.end..read.slot.range.end).unwrap_or_default();
    let mut behind = behind.iter().take(PUNCTUATION);
    let behind = behind.find(|byte| !byte.is_ascii_punctuation());
    before.is_some_and(|at| is_beyond(bytes[at])) || behind.is_some_and(|byte| is_beyond(*byte))
}

/// True if bytes are the same text in every charset: ASCII without NUL, ESC and the shift of HZ.
pub(super) fn is_plain(bytes: &[u8]) -> bool {
    // The loop has no exit, so that it goes over many bytes at once.
    let is_sure = |byte: u8| byte.is_ascii() && !matches!(byte, 0 | 0x1B | b'~');
    let all_sure = bytes.iter().fold(true, |all, byte| all & is_sure(*byte));
    all_sure || bytes.is_ascii() && !has_shift(bytes)
}

/// True if bytes of ASCII may stand for other characters: NUL in UTF-16, ESC in ISO-2022, `~{` in HZ.
fn has_shift(bytes: &[u8]) -> bool {
    memchr::memchr2(0, 0x1B, bytes).is_some() || memchr::memmem::find(bytes, b"~{").is_some()
}
