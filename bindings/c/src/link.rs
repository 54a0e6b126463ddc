//! Links: rows of texts that C looks at.

use crate::border::{free, guarded};
use crate::error::{Failure, lg_error, view};
use crate::texts::{Text, Texts, len};
use linkglot::link::{Info, MailPart};
use linkglot::notes::Notes;
use linkglot::rewrite::LinkForms;
use linkglot::{Format, Link};
use std::ffi::c_char;

/// A link at its place in a document. A text ends with a NUL behind its last byte, is UTF-8, and lives as long as the
/// object that holds the link. NULL stands for a text that the link does not have. All pointers are NULL in the link
/// of a number that there is not.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lg_link {
    /// The first byte of the link in the source: of `lg_find_utf16` the first unit, of a part the first byte of its
    /// text.
    pub start: usize,
    /// The end of the link: one behind its last byte or unit.
    pub end: usize,
    /// The line and the column in characters, from 1, if `LG_LOCATE` asked for them; else 0.
    pub line: u64,
    /// See `line`.
    pub column: u64,
    /// The number of the message in its mailbox, from 1; 0 in other documents.
    pub message: u64,
    /// The link, decoded and unescaped. Empty, with the note `too-long` or `over-budget`, where a document was not
    /// read.
    pub text: *const c_char,
    /// The length of the text in bytes.
    pub text_len: usize,
    /// The link as it stands in the source: decoded but not unescaped.
    pub raw: *const c_char,
    /// The length of `raw` in bytes.
    pub raw_len: usize,
    /// The URI (RFC 3987 3.1), with the implied scheme; NULL if `lg_rewrite` could not write one there. The notes
    /// say why.
    pub uri: *const c_char,
    /// The length of the URI in bytes.
    pub uri_len: usize,
    /// The IRI for display (RFC 3987 3.2), with the implied scheme; NULL if `lg_rewrite` could not write one there.
    pub iri: *const c_char,
    /// The length of the IRI in bytes.
    pub iri_len: usize,
    /// The address to open: the URL that a browser makes of the link (URL Standard 4.4), against the base; NULL if the
    /// link is no URL, or relative to an unknown base. Ask `lg_is_safe_to_click` first.
    pub target: *const c_char,
    /// The length of the target in bytes.
    pub target_len: usize,
    /// The visible text of the `a` of HTML that the link belongs to, or the `alt` of the `area`: at most 1 KiB, white
    /// space collapsed; NULL if there is no such text. The note `text-names-other-host` says that it begins with a link
    /// or a domain of another registrable domain than the target's.
    pub label: *const c_char,
    /// The length of the label in bytes.
    pub label_len: usize,
    /// The scheme in lower case; NULL for a reference without one.
    pub scheme: *const c_char,
    /// The scheme of a link that was found without one: `https` or `mailto`.
    pub implied: *const c_char,
    /// The kind of the place: `text`, `attribute`, `css`, `srcset`, `header` ..., as in `find --json`.
    pub kind: *const c_char,
    /// The element around the link.
    pub element: *const c_char,
    /// The name of the attribute, property or header field.
    pub name: *const c_char,
    /// The evidence that this is a link, from sure to unsure: `markup`, `enclosed`, `scheme`, `www`, `address`, `path`,
    /// `name`.
    pub evidence: *const c_char,
    /// Codes of notes, with commas between them: what could deceive a reader, and why a form is missing. Empty without
    /// notes.
    pub notes: *const c_char,
    /// The number of the part of a message, as in IMAP: `1.2`, `/list-archive`.
    pub part: *const c_char,
    /// The media type of that part.
    pub media_type: *const c_char,
    /// The format of the document; of a part of a message, that of the message.
    pub format: *const c_char,
    /// The charset of the document, or of the part of a message.
    pub charset: *const c_char,
}

// SAFETY: NULL and 0 are values of all fields.
const NO_LINK: lg_link = unsafe { std::mem::zeroed() };

/// Links in the order of the document.
pub struct lg_links {
    texts: Texts,
    rows: Vec<Row>,
    pub(crate) failure: Option<Failure>,
}

pub(crate) struct Row {
    pub start: usize,
    pub end: usize,
    location: (u64, u64),
    message: u64,
    text: Text,
    raw: Text,
    uri: Option<Text>,
    iri: Option<Text>,
    target: Option<Text>,
    label: Option<Text>,
    scheme: Option<Text>,
    implied: Option<Text>,
    kind: Text,
    element: Option<Text>,
    name: Option<Text>,
    evidence: Text,
    notes: Text,
    part: Option<Text>,
    media_type: Option<Text>,
    format: Text,
    charset: Text,
}

impl lg_links {
    pub(crate) const NONE: lg_links = lg_links {
        texts: Texts::NONE,
        rows: Vec::new(),
        failure: None,
    };

    pub(crate) fn failed(failure: Failure) -> Self {
        lg_links {
            failure: Some(failure),
            ..lg_links::NONE
        }
    }

    /// Adds a link. The notes of `forms` go with those of the link.
    pub(crate) fn push(&mut self, link: &Link<'_>, forms: &LinkForms, info: &Info) {
        let texts = &mut self.texts;
        let (place, span, location) = (link.place(), link.span(), link.location());
        let text = texts.add(link.text());
        let raw = link.raw();
        let raw = if *raw == *link.text() {
            text
        } else {
            texts.add(&raw)
        };
        // A form often is the text.
        let mut form = |form: Option<&str>| {
            let same = |form: &str| form == link.text();
            form.map(|form| if same(form) { text } else { texts.add(form) })
        };
        let (uri, iri) = (form(forms.uri.as_deref()), form(forms.iri.as_deref()));
        let target = form(link.resolved(info).as_deref());
        let label = link.label().map(|label| texts.add(label));
        let mut notes = link.notes();
        notes.extend(forms.notes);
        let part = link.part();
        let row = Row {
            start: span.start as usize,
            end: span.end as usize,
            location: location.map_or((0, 0), |at| (at.line, at.column)),
            message: part.map_or(0, message_number),
            text,
            raw,
            uri,
            iri,
            target,
            label,
            scheme: link.scheme().map(|scheme| texts.add_lowercase(&scheme)),
            implied: link.implied().map(|implied| texts.name(implied)),
            kind: texts.name(place.kind.name()),
            element: place.element.as_deref().map(|name| texts.add(name)),
            name: place.name.as_deref().map(|name| texts.add(name)),
            evidence: texts.name(link.evidence().name()),
            notes: noted(texts, notes),
            part: part.map(|part| texts.add(part.number())),
            media_type: part.map(|part| texts.add(part.media_type())),
            format: texts.name(info.document_format().name()),
            charset: texts.name(info.charset.name()),
        };
        self.rows.push(row);
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(crate) fn rows_mut(&mut self) -> &mut [Row] {
        &mut self.rows
    }

    pub(crate) fn at(&self, number: usize) -> lg_link {
        let Some(row) = self.rows.get(number) else {
            return NO_LINK;
        };
        let pointer = |text: Option<Text>| self.texts.pointer(text);
        lg_link {
            start: row.start,
            end: row.end,
            line: row.location.0,
            column: row.location.1,
            message: row.message,
            text: pointer(Some(row.text)),
            text_len: len(Some(row.text)),
            raw: pointer(Some(row.raw)),
            raw_len: len(Some(row.raw)),
            uri: pointer(row.uri),
            uri_len: len(row.uri),
            iri: pointer(row.iri),
            iri_len: len(row.iri),
            target: pointer(row.target),
            target_len: len(row.target),
            label: pointer(row.label),
            label_len: len(row.label),
            scheme: pointer(row.scheme),
            implied: pointer(row.implied),
            kind: pointer(Some(row.kind)),
            element: pointer(row.element),
            name: pointer(row.name),
            evidence: pointer(Some(row.evidence)),
            notes: pointer(Some(row.notes)),
            part: pointer(row.part),
            media_type: pointer(row.media_type),
            format: pointer(Some(row.format)),
            charset: pointer(Some(row.charset)),
        }
    }
}

/// The codes of notes, with commas between them.
pub(crate) fn noted(texts: &mut Texts, notes: Notes) -> Text {
    if notes.is_empty() {
        return texts.name("");
    }
    let codes: Vec<&str> = notes.iter().map(|note| note.code()).collect();
    texts.add(&codes.join(","))
}

pub(crate) fn message_number(part: &MailPart) -> u64 {
    if part.container() == Format::Mailbox {
        part.message()
    } else {
        0
    }
}

/// Returns the number of links. O(1). 0 for NULL.
///
/// # Safety
///
/// `links` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lg_links_len(links: *const lg_links) -> usize {
    guarded(
        || 0,
        || {
            // SAFETY: the caller's word.
            unsafe { links.as_ref() }.map_or(0, lg_links::len)
        },
    )
}

/// Returns the link of a number, from 0. O(1). The texts belong to `links` and live as long as it does.
///
/// # Safety
///
/// `links` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lg_links_at(links: *const lg_links, number: usize) -> lg_link {
    guarded(
        || NO_LINK,
        || {
            // SAFETY: the caller's word.
            unsafe { links.as_ref() }.map_or(NO_LINK, |links| links.at(number))
        },
    )
}

/// Returns why there are no links, or not all of them. `kind` is NULL if all went well. The texts belong to `links`.
///
/// # Safety
///
/// `links` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lg_links_error(links: *const lg_links) -> lg_error {
    guarded(
        || view(None),
        || {
            // SAFETY: the caller's word.
            view(unsafe { links.as_ref() }.and_then(|links| links.failure.as_ref()))
        },
    )
}

/// Frees links from `lg_find_utf8`, `lg_find_utf16` or `lg_find_bytes`, with all their texts. NULL is fine. Links of
/// documents, parts and rewrites belong to these: do not free them.
///
/// # Safety
///
/// `links` is not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lg_links_free(links: *mut lg_links) {
    // SAFETY: the caller's word.
    unsafe { free(links) }
}
