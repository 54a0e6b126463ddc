//! Links whose bytes a length or a signature covers within a value.
//!
//! The text of a value, without its escapes, is a text of its own: lengths and signed text in it begin and end there.

use super::super::signed_text::SignedText;
use super::WindowLink;
use crate::charset::MappedText;
use crate::markup::{Escaping, SerializedStrings, has_json_signature};
use crate::notes::Note;
use memchr::memmem::Finder;
use std::sync::LazyLock;

/// Marks the links of a value that a length or a signature covers, which has this text without its escapes. O(length).
pub(super) fn mark(escaping: Escaping, text: &MappedText<'_>, links: &mut [WindowLink<'_>]) {
    if links.is_empty() || escaping == Escaping::None {
        return;
    }
    mark_signed(text, links);
    // A text without escapes is a part of the text around it, where lengths are looked for. In serialized data that
    // text has lengths of its own, which can be written.
    if text.as_borrowed().is_none() || escaping == Escaping::Serialized {
        mark_counted(text, links);
    }
}

fn mark_signed(text: &MappedText<'_>, links: &mut [WindowLink<'_>]) {
    let is_whole = is_signed_document(text.text());
    let signed = SignedText::of_value(text.text());
    if !is_whole && signed.is_empty() {
        return;
    }
    for link in links {
        if is_whole || signed.covers(text.text_at(link.range.start) as u64) {
            link.notes.insert(Note::LeftSigned);
        }
    }
}

/// True if a text holds an XML signature (XMLDSig 4.1), or is JSON with a signature in it.
fn is_signed_document(text: &str) -> bool {
    static VALUE: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("SignatureValue"));
    let is_xml = || text.contains("http://www.w3.org/2000/09/xmldsig#");
    let may_be_json = || text.trim_start().starts_with(['{', '[']);
    VALUE.find(text.as_bytes()).is_some() && is_xml()
        || may_be_json() && has_json_signature(text.as_bytes())
}

/// Marks the links of a document of JSON with a signature in it.
pub(super) fn mark_signed_json(text: &str, links: &mut [WindowLink<'_>]) {
    if has_json_signature(text.as_bytes()) {
        for link in links {
            link.notes.insert(Note::LeftSigned);
        }
    }
}

/// Marks the links in serialized strings whose lengths are not known.
fn mark_counted(text: &MappedText<'_>, links: &mut [WindowLink<'_>]) {
    let bytes = text.text().as_bytes();
    let mut strings = SerializedStrings::new(true);
    strings.read(bytes, 0);
    for link in links
        .iter_mut()
        .filter(|link| !link.lengths.has_serialized())
    {
        if strings.covers(text.text_at(link.range.start) as u64, (bytes, 0)) {
            link.notes.insert(Note::LeftSerialized);
        }
    }
}
