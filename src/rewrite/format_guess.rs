//! Checks that a document keeps its detected format and its declared charset when its links change.
//!
//! If no name gives the format, the first bytes do, and links may be among them: a line that becomes ASCII may look
//! like a field of mail. A declaration counts only in the bytes where readers look for it, and links in front of it may
//! grow. A second run would read other links (P3). So where links could matter, the start of the document is rewritten
//! on trial.

use super::Form;
use super::charset_guess::on_trial;
use super::mapping::Mapping;
use crate::charset::CharsetFrom;
use crate::error::Error;
use crate::format::Format;
use crate::link::{Info, Settings, is_format_steady, open, sniffed};
use crate::read::Opened;
use crate::scan::Evidence;

/// The number of first bytes in which a declaration of the charset is expected.
const EARLY: usize = 512;

/// True if the document keeps its format and its declared charset under a mapping. Consumes nothing. Cost:
/// for most documents a look at their first bytes; else that of rewriting up to [`Info::HEAD`] bytes.
///
/// # Errors
///
/// Errors of the reader.
pub(super) fn keeps_format(
    document: &mut Opened<'_, '_>,
    mapping: &Mapping,
) -> Result<bool, Error> {
    if mapping.is_idle() {
        return Ok(true);
    }
    let Opened {
        info,
        bom,
        settings,
        ..
    } = *document;
    let bytes = document.input.begin(Info::HEAD + 1)?;
    let head = Head {
        bytes: &bytes[..bytes.len().min(Info::HEAD)],
        whole: bytes.len() <= Info::HEAD,
        of: (info, bom, settings),
    };
    Ok(head.keeps(mapping))
}

/// The start of a document.
struct Head<'h> {
    bytes: &'h [u8],
    /// True if these bytes are the whole document.
    whole: bool,
    /// The properties of the document, the length of its BOM, and the settings for reading it.
    of: (&'h Info, usize, &'h Settings),
}

impl Head<'_> {
    fn keeps(&self, mapping: &Mapping) -> bool {
        if !self.keeps_at_once(mapping) {
            return false;
        }
        // Display forms must have a way back (P5).
        let back = Mapping {
            min_evidence: Evidence::Name,
            ..Mapping::new(Form::Uri)
        };
        mapping.form != Form::Iri || self.is_steady() || self.keeps_there_and_back(mapping, &back)
    }

    fn is_steady(&self) -> bool {
        is_format_steady(self.bytes, self.of.2) && self.declared_within().is_none()
    }

    fn keeps_at_once(&self, mapping: &Mapping) -> bool {
        let keeps_format = || {
            let new = self.rewritten(self.bytes, mapping);
            self.is_read_alike(&new)
        };
        let keeps_declaration = |end: usize| {
            let new = self.rewritten(&self.bytes[..end], mapping);
            self.is_declared_in(&new)
        };
        (is_format_steady(self.bytes, self.of.2) || keeps_format())
            && self.declared_within().is_none_or(keeps_declaration)
    }

    fn keeps_there_and_back(&self, mapping: &Mapping, back: &Mapping) -> bool {
        let new = self.rewritten(self.bytes, mapping);
        let there = Head {
            bytes: &new,
            ..*self
        };
        there.keeps_at_once(back)
    }

    /// Some of the first bytes with their links mapped.
    fn rewritten(&self, mut bytes: &[u8], mapping: &Mapping) -> Vec<u8> {
        let mut new = Vec::with_capacity(bytes.len());
        // Reads and writes in memory do not fail.
        let _ = on_trial(&mut bytes, &mut new, self.of, mapping);
        new
    }

    /// True if bytes have the same detected format. A document keeps its format if the bytes did not give it.
    fn is_read_alike(&self, new: &[u8]) -> bool {
        let (info, bom, settings) = self.of;
        let of = |bytes| {
            let (info, bom) = open(bytes, self.whole, settings);
            (info.format, info.is_hypertext, bom)
        };
        let own = (info.format, info.is_hypertext, bom);
        of(self.bytes) != own || of(new) == own
    }

    /// Number of the first bytes that give the charset, if HTML declares it and links may stand in front of the
    /// declaration.
    fn declared_within(&self) -> Option<usize> {
        let (info, ..) = self.of;
        let is_html = info.format == Format::Html && info.part.is_none();
        if !is_html || info.charset_from != CharsetFrom::Declaration {
            return None;
        }
        let lengths = std::iter::successors(Some(EARLY), |length| length.checked_mul(2));
        let mut lengths = lengths.take_while(|length| *length < 2 * self.bytes.len().max(EARLY));
        let ends = |length: &usize| self.is_declared_in(&self.bytes[..self.end(*length)]);
        let length = lengths.find(ends)?;
        (length > EARLY).then(|| self.end(length))
    }

    fn end(&self, length: usize) -> usize {
        length.min(self.bytes.len())
    }

    /// True if bytes declare the charset of the document.
    fn is_declared_in(&self, bytes: &[u8]) -> bool {
        let (info, _, settings) = self.of;
        let found = sniffed(bytes, false, info.declaration, settings);
        found.from == CharsetFrom::Declaration && found.charset == info.charset
    }
}
