//! The links of documents in legacy charsets that are read in NFC (RFC 3987 3.1 step 1b).
//!
//! Browsers send the characters of a reference unchanged. So normalizing would change the target of references in HTML,
//! XHTML, SVG and CSS. A link in running text has only the target that its reader chooses, and data formats of XML are
//! read by programs that may follow the RFC.

use super::base::declares_base;
use super::queries::is_browsed;
use super::{Info, LinkContext, Queries, QueryCharsets, WindowLink, is_text, scheme_of};
use crate::charset::{Charset, MappedText};
use crate::format::Format;
use crate::iri::{Parts, nfc, scheme};
use crate::markup::{Access, PlaceKind};
use crate::notes::Note;
use std::borrow::Cow;
use std::ops::Range;

/// The links of documents in legacy charsets that are normalized to NFC.
///
/// ```
/// use linkglot::link::Nfc;
/// use linkglot::{Charset, Document, Settings};
///
/// let mut settings = Settings::default();
/// settings.charset = Some(Charset::for_label("windows-1258")?);
/// let page = b"<a href=/\xEA\xF2></a> http://example.org/\xEA\xF2";
/// let texts = |settings: &Settings| -> Vec<String> {
///     let document = Document::new(page, settings);
///     document.links().map(|link| link.text().to_owned()).collect()
/// };
/// assert_eq!(texts(&settings), ["/\u{ea}\u{323}", "http://example.org/\u{1ec7}"]);
/// settings.nfc = Nfc::Always;
/// assert_eq!(texts(&settings), ["/\u{1ec7}", "http://example.org/\u{1ec7}"]);
/// # Ok::<(), linkglot::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Nfc {
    /// Links in running text and in data formats of XML. In HTML, XHTML, SVG, CSS and light markup, browsers send the
    /// characters unchanged.
    #[default]
    Auto,
    /// All links. A base stays unchanged, because other links resolve against it, and so do identifiers, which are
    /// compared character by character (RFC 3987 5.3.1).
    Always,
    /// No links.
    Never,
}

/// Normalizes the links of one document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Normalizer {
    nfc: Nfc,
    is_xml: bool,
    queries: QueryCharsets,
}

impl Normalizer {
    pub fn new(info: &Info, nfc: Nfc) -> Self {
        Normalizer {
            nfc: if info.is_legacy { nfc } else { Nfc::Never },
            is_xml: info.format == Format::Xml,
            queries: info.query_charsets,
        }
    }

    /// True if links in this context are normalized.
    pub fn covers(&self, context: &LinkContext) -> bool {
        let place = &context.place;
        match self.nfc {
            Nfc::Never => false,
            _ if declares_base(place) || context.access == Access::Identifier => false,
            Nfc::Always => true,
            Nfc::Auto if is_text(place) => true,
            Nfc::Auto => {
                let is_data = !matches!(place.kind, PlaceKind::Instruction | PlaceKind::Css);
                self.is_xml
                    && is_data
                    && !is_browsed(place)
                    && context.nesting.as_slice().is_empty()
            }
        }
    }

    /// Normalizes the text of a link, with a note if the text changes.
    pub fn apply(&self, found: &mut WindowLink<'_>, raw: &[u8]) {
        let text = &found.text;
        let is_ascii = || raw.is_ascii() && (text.is_raw() || text.text().is_ascii());
        if self.nfc == Nfc::Never || is_ascii() || !self.covers(&found.context) {
            return;
        }
        let new = self.changed(&found.context, found.implied, found.text.text());
        if let Some(new) = new {
            found.text = new.through(&found.text).into();
            found.notes.insert(Note::NfcChanged);
        }
    }

    /// The text of a link as read in this context.
    pub fn read<'t>(
        &self,
        context: &LinkContext,
        implied: Option<&str>,
        text: &'t str,
    ) -> Cow<'t, str> {
        if text.is_ascii() || !self.covers(context) {
            return Cow::Borrowed(text);
        }
        match self.changed(context, implied, text) {
            Some(new) => Cow::Owned(new.into_text().into_owned()),
            None => Cow::Borrowed(text),
        }
    }

    /// The normalized text with positions in the text; `None` if both are the same.
    fn changed(
        &self,
        context: &LinkContext,
        implied: Option<&str>,
        text: &str,
    ) -> Option<MappedText<'static>> {
        let kept = self
            .kept_query(context, implied, text)
            .unwrap_or(text.len()..text.len());
        let (mut new, mut at) = (MappedText::new(), 0);
        for part in [0..kept.start, kept.end..text.len()] {
            nfc::changes(&text[part.clone()], &mut |piece, normal| {
                let piece = part.start + piece.start..part.start + piece.end;
                new.push(&text[at..piece.start], at..piece.start);
                new.push_unit(normal, piece.clone());
                at = piece.end;
            });
        }
        if at == 0 {
            return None;
        }
        new.push(&text[at..], at..text.len());
        Some(new)
    }

    /// The query, if it counts as octets of the document's charset, which NFC must not change.
    fn kept_query(
        &self,
        context: &LinkContext,
        implied: Option<&str>,
        text: &str,
    ) -> Option<Range<usize>> {
        let queries = Queries::at(&context.place, context.layers);
        let is_utf_8 = queries.charset(self.queries) == Charset::UTF_8;
        let is_web = implied != Some("mailto") && scheme_of(text).is_none_or(scheme::is_http);
        if is_web && !is_utf_8 {
            Parts::split(text).query_range()
        } else {
            None
        }
    }
}
