//! Checks that a document is found to be of the same format, and declares the same charset, when its links change.
//!
//! The first bytes say the format where no name does, and links may be among them: a line that becomes ASCII may look
//! like a field of mail. A declaration counts as far as readers look for one, and links in front of it may grow. A
//! second run would read other links (P3). So where links could matter, the begin of the document is rewritten on
//! trial.

use super::Form;
use super::charset_guess::{is_idle, on_trial};
use super::mapping::Mapping;
use crate::charset::CharsetFrom;
use crate::error::Error;
use crate::format::Format;
use crate::link::{Info, Settings, WindowLink, is_format_steady, open, sniffed};
use crate::scan::Evidence;
use crate::stream::{Input, SlotRead};

/// A declaration of the charset is looked for in this many bytes first.
const EARLY: usize = 512;

/// True if the document keeps its format and the charset that it declares under a mapping. Nothing of `input` is
/// consumed. Cost: for most documents a look at their first bytes; else that of rewriting up to [`Info::HEAD`] bytes.
///
/// # Errors
///
/// Errors of the reader.
pub(super) fn keeps_format(
    input: &mut Input<'_>,
    (info, bom): (&Info, usize),
    settings: &Settings,
    mapping: &Mapping,
) -> Result<bool, Error> {
    if is_idle(mapping) {
        return Ok(true);
    }
    let bytes = input.begin(Info::HEAD + 1)?;
    let head = Head {
        bytes: &bytes[..bytes.len().min(Info::HEAD)],
        whole: bytes.len() <= Info::HEAD,
        opened: (info, bom),
        settings,
    };
    Ok(head.keeps(mapping))
}

/// True if a link may stand in the bytes that say the format. Those of a view are no more than twice those of the
/// source.
pub(super) fn is_in_head(read: &SlotRead<'_>, found: &WindowLink<'_>) -> bool {
    read.origin + (found.range.start as u64) < 2 * Info::HEAD as u64
}

/// The begin of a document.
struct Head<'h> {
    bytes: &'h [u8],
    /// True if it is all of the document.
    whole: bool,
    opened: (&'h Info, usize),
    settings: &'h Settings,
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
        is_format_steady(self.bytes, self.settings) && self.declared_within().is_none()
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
        (is_format_steady(self.bytes, self.settings) || keeps_format())
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
        // Memory neither fails to read nor to write.
        let _ = on_trial(&mut bytes, &mut new, self.opened, self.settings, mapping);
        new
    }

    /// True if bytes are found to be of the same format. A document whose format was not found by its bytes keeps it.
    fn is_read_alike(&self, new: &[u8]) -> bool {
        let of = |bytes| {
            let (info, bom) = open(bytes, self.whole, self.settings);
            (info.format, info.is_hypertext, bom)
        };
        let (info, bom) = self.opened;
        let own = (info.format, info.is_hypertext, bom);
        of(self.bytes) != own || of(new) == own
    }

    /// Number of the first bytes that say the charset, if it is declared in HTML and links may stand in front of that.
    fn declared_within(&self) -> Option<usize> {
        let (info, _) = self.opened;
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
        let (info, _) = self.opened;
        let found = sniffed(bytes, false, info.declaration, self.settings);
        found.from == CharsetFrom::Declaration && found.charset == info.charset
    }
}
