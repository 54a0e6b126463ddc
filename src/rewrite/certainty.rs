//! The certain part of a document. Where its charset is a guess, links that depend on it are left.
//!
//! A charset that is said (by a mark, the caller or a declaration) holds for every reader: only links whose own bytes
//! are malformed in it are left. UTF-8 that nobody says is certain in a stretch: from the evidence for it, or from the
//! begin if that or the format says enough, to the first malformed sequence. The answer for a link depends on nothing
//! behind it, so that it is the same however the document is read. Any other guess decides nothing at all: no letter is
//! written in it, and no link changes whose bytes, query or base it explains.

use super::References;
use super::charset_guess::is_plain;
use super::mapping::Mapping;
use crate::charset::{Certainty, Charset, Utf8Stretch};
use crate::iri::Parts;
use crate::iri::scheme::has_document_query;
use crate::link::{
    Base, DoubtfulBytes, Info, Queries, QueryCharsets, Settings, WindowLink, is_text, scheme_of,
};
use crate::notes::Note;
use crate::stream::SlotRead;
use std::ops::Range;

/// All of a window, and nothing of it.
pub(super) const EVERYWHERE: Range<usize> = 0..usize::MAX;
pub(super) const NOWHERE: Range<usize> = 0..0;

/// Knowledge of the charset of a document, as far as it was read.
pub(super) struct CharsetTrust {
    certainty: Certainty,
    doubtful: DoubtfulBytes,
    /// Stretch in which UTF-8 that nobody says is certain.
    utf_8: Option<Utf8Stretch>,
    /// The charsets of queries in another document of this kind, in a legacy charset: those that are not UTF-8 count in
    /// the charset of their document.
    queries: QueryCharsets,
    /// True if new links are made with the base, so that they may hold its letters.
    resolves: bool,
    is_base_guessed: bool,
}

/// A link, and what it may become.
pub(super) struct Guessed<'g> {
    /// Its bytes.
    pub raw: &'g [u8],
    pub text: &'g str,
    pub new: &'g str,
    pub queries: Queries,
    /// True if NFC changed it, as the charset wants it.
    pub is_normalized: bool,
    /// The base that it resolves against.
    pub base: &'g Base,
    /// True if its place writes characters as references.
    pub has_references: bool,
}

impl CharsetTrust {
    pub fn new(info: &Info, settings: &Settings, mapping: &Mapping) -> Self {
        let legacy = Charset::WINDOWS_1252;
        let is_watched = info.charset == Charset::UTF_8
            && !info.is_charset_said()
            && settings.default_charset.is_none();
        // Evidence that is too little for the head is too little for the rest.
        let is_certain = info.certainty == Certainty::Sure;
        let utf_8 = is_watched && (is_certain || info.may_prove_utf_8());
        CharsetTrust {
            certainty: info.certainty,
            doubtful: match mapping.to_charset {
                None => DoubtfulBytes::of(info),
                Some(_) => DoubtfulBytes::of(&info.decoded()),
            },
            utf_8: utf_8.then(|| Utf8Stretch::new(is_certain)),
            queries: QueryCharsets::of(settings, info.format, legacy, info.is_hypertext),
            resolves: mapping.references != References::Keep || !mapping.rules.is_empty(),
            is_base_guessed: info.is_base_guessed,
        }
    }

    /// Reads bytes of the document, of which some may have been read before.
    pub fn read(&mut self, bytes: &[u8], origin: u64) {
        if let Some(utf_8) = &mut self.utf_8 {
            utf_8.read(bytes, origin);
        }
    }

    /// The certain part of a window that begins at `origin`: links that end in it are certain. What is beyond was read,
    /// or is no part of a link that was.
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

    /// Why a link cannot change, if that is so. `guessed`: the link and its new text, where the charset is not certain.
    pub fn note(
        &self,
        read: &SlotRead<'_>,
        found: &WindowLink<'_>,
        guessed: Option<Guessed<'_>>,
    ) -> Option<Note> {
        let note = self.doubtful.note(&read.window.bytes[found.range.clone()]);
        note.or_else(|| {
            let depends = |link| touches_letters(read, found) || self.depends(&link);
            guessed.is_some_and(depends).then_some(Note::CharsetUnsure)
        })
    }

    /// Why a link with these bytes of the source cannot change, if they are malformed and its view does not show it.
    pub fn note_of_source(&self, source: &[u8]) -> Option<Note> {
        self.doubtful.note_of_source(source)
    }

    /// True if a link, or its new text, depends on a charset that is a guess.
    pub fn depends(&self, link: &Guessed<'_>) -> bool {
        let is_base_guessed = self.is_base_guessed || link.base.has_letters();
        let is_of_document = link.queries.charset(self.queries) != Charset::UTF_8;
        !is_plain(link.raw)
            || link.is_normalized
            || !link.has_references && !link.new.is_ascii()
            || is_of_document && (has_letters_in_query(link.text) || has_letters_in_query(link.new))
            || self.resolves && is_base_guessed
    }
}

/// True if browsers encode letters of a query in the charset of the document.
fn has_letters_in_query(reference: &str) -> bool {
    let query = Parts::split(reference).query();
    query.is_some_and(|query| !query.is_ascii())
        && (scheme_of(reference).is_none_or(has_document_query) || reference.contains("://"))
}

/// True if bytes beyond ASCII stand in front of a link in running text, or behind it and the punctuation there: in
/// another charset they may belong to it.
fn touches_letters(read: &SlotRead<'_>, found: &WindowLink<'_>) -> bool {
    /// No link goes on behind more punctuation.
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
    let is_beyond = |byte: &u8| !byte.is_ascii();
    before.is_some_and(|at| is_beyond(&bytes[at])) || behind.is_some_and(is_beyond)
}
