//! Documents: their links and properties, and the parts of messages as text.

use crate::border::{boxed, free, guarded, slice};
use crate::error::{Failure, lg_error, view};
use crate::find::read;
use crate::link::{lg_links, message_number};
use crate::options::{lg_options, settings};
use crate::texts::{Text, Texts, len};
use linkglot::document::{DocumentPart, PartSegment};
use linkglot::link::Info;
use linkglot::rewrite::{Form, Forms, LinkForms, refuse_archive};
use linkglot::{Certainty, CharsetFrom, Document, Link, Settings};
use std::ffi::c_char;
use std::ops::Range;
use std::ptr;
use std::sync::OnceLock;

/// The properties of a document. The texts end with a NUL and belong to the document.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lg_info {
    /// The format; NULL if the document could not be read.
    pub format: *const c_char,
    /// The charset.
    pub charset: *const c_char,
    /// The source of the charset: `bom`, `caller`, `declaration`, `detection` or `default`.
    pub charset_from: *const c_char,
    /// True if the charset is certain. Nothing that depends on an uncertain one is written.
    pub charset_certain: bool,
    /// The base for relative references; NULL without one.
    pub base: *const c_char,
    /// The length of the base in bytes.
    pub base_len: usize,
}

const NO_INFO: lg_info = lg_info {
    format: ptr::null(),
    charset: ptr::null(),
    charset_from: ptr::null(),
    charset_certain: false,
    base: ptr::null(),
    base_len: 0,
};

/// A part of a message, or a header field with links; of another document, the document itself. The texts end with a
/// NUL and belong to the document.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lg_part {
    /// The number of the part, as in IMAP: `1.2`, `/list-archive`; NULL in a document that is no mail.
    pub number: *const c_char,
    /// The media type, in lower case; NULL in a document that is no mail.
    pub media_type: *const c_char,
    /// The number of the message in its mailbox, from 1; 0 in other documents.
    pub message: u64,
    /// The format; NULL for the number of a part that there is not.
    pub format: *const c_char,
    /// The charset.
    pub charset: *const c_char,
    /// The text, without the transfer encoding, in UTF-8. Of HTML, the source with its tags.
    pub text: *const c_char,
    /// The length of the text in bytes.
    pub text_len: usize,
    /// The links of the part. `start` and `end` count bytes of `text` here. They belong to the document.
    pub links: *const lg_links,
}

const NO_PART: lg_part = lg_part {
    number: ptr::null(),
    media_type: ptr::null(),
    message: 0,
    format: ptr::null(),
    charset: ptr::null(),
    text: ptr::null(),
    text_len: 0,
    links: ptr::null(),
};

/// A part of a message that was not read. The texts end with a NUL and belong to the document.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lg_unread {
    /// The number of the part; in a mailbox behind that of the message: `12:1.2`.
    pub part: *const c_char,
    /// Why it was not read.
    pub reason: *const c_char,
}

const NO_UNREAD: lg_unread = lg_unread {
    part: ptr::null(),
    reason: ptr::null(),
};

/// A document in memory.
pub struct lg_document {
    source: Box<[u8]>,
    settings: Settings,
    links: lg_links,
    texts: Texts,
    info: Option<InfoRow>,
    unread: Vec<(Text, Text)>,
    /// Read when they are first asked for.
    parts: OnceLock<Parts>,
    /// The parts as readers see them, read when they are first asked for.
    displayed: OnceLock<Parts>,
}

struct InfoRow {
    format: Text,
    charset: Text,
    charset_from: Text,
    is_certain: bool,
    base: Option<Text>,
}

struct Parts {
    texts: Texts,
    rows: Vec<PartRow>,
}

impl Parts {
    const NONE: Parts = Parts {
        texts: Texts::NONE,
        rows: Vec::new(),
    };

    fn view(&self, number: usize) -> lg_part {
        let row = self.rows.get(number);
        row.map_or(NO_PART, |row| row.view(&self.texts))
    }
}

struct PartRow {
    number: Option<Text>,
    media_type: Option<Text>,
    message: u64,
    format: Text,
    charset: Text,
    text: Text,
    links: lg_links,
}

impl lg_document {
    fn failed(failure: Failure) -> Self {
        lg_document {
            source: Box::default(),
            settings: Settings::default(),
            links: lg_links::failed(failure),
            texts: Texts::NONE,
            info: None,
            unread: Vec::new(),
            parts: OnceLock::from(Parts::NONE),
            displayed: OnceLock::from(Parts::NONE),
        }
    }

    fn new(source: &[u8], settings: Settings) -> Self {
        let (links, info) = read(source, &settings);
        let mut document = lg_document {
            source: source.into(),
            settings,
            links,
            parts: OnceLock::new(),
            displayed: OnceLock::new(),
            ..lg_document::failed(Failure::internal())
        };
        if let Some(info) = info {
            document.describe(&info);
        }
        document
    }

    fn describe(&mut self, info: &Info) {
        let texts = &mut self.texts;
        self.info = Some(InfoRow {
            format: texts.name(info.format.name()),
            charset: texts.name(info.charset.name()),
            charset_from: texts.name(source_of_charset(info.charset_from)),
            is_certain: info.certainty == Certainty::Sure,
            base: info.base.as_deref().map(|base| texts.add(base)),
        });
        let failed = info.unread.errors.iter();
        let failed = failed.map(|(part, error)| (part, error.to_string()));
        let passed = info.unread.passed_over.iter();
        let passed = passed.map(|(part, reason)| (part, reason.code().to_owned()));
        let unread = failed
            .chain(passed)
            .map(|(part, reason)| (texts.add(part), texts.add(&reason)));
        self.unread = unread.collect();
    }

    fn parts(&self) -> &Parts {
        self.parts.get_or_init(|| self.read_parts(written))
    }

    fn displayed(&self) -> &Parts {
        self.displayed.get_or_init(|| self.read_parts(displayed))
    }

    fn read_parts(&self, text_of: TextOf) -> Parts {
        let document = Document::new(&self.source, &self.settings);
        let mut texts = Texts::NONE;
        let parts = document.parts();
        let rows = parts.map(|part| PartRow::new(part, &self.settings, &mut texts, text_of));
        let rows = rows.collect();
        Parts { texts, rows }
    }
}

/// Gives a text of a part, and hands its links with their ranges of bytes to the callback.
type TextOf = fn(&DocumentPart<'_>, &mut dyn FnMut(&Link<'_>, Range<usize>)) -> String;

fn written(part: &DocumentPart<'_>, on_link: &mut dyn FnMut(&Link<'_>, Range<usize>)) -> String {
    let mut whole = String::new();
    for segment in part.segments() {
        let start = whole.len();
        match segment {
            PartSegment::Text(text) => whole += &text,
            PartSegment::Link(link, text) => {
                whole += &text;
                on_link(&link, start..whole.len());
            }
        }
    }
    whole
}

fn displayed(part: &DocumentPart<'_>, on_link: &mut dyn FnMut(&Link<'_>, Range<usize>)) -> String {
    let displayed = part.displayed();
    for (place, link) in displayed.links() {
        on_link(link, place);
    }
    displayed.text().to_owned()
}

fn source_of_charset(from: CharsetFrom) -> &'static str {
    match from {
        CharsetFrom::Bom => "bom",
        CharsetFrom::Caller => "caller",
        CharsetFrom::Declaration => "declaration",
        CharsetFrom::Detection => "detection",
        _ => "default",
    }
}

impl PartRow {
    fn new(
        part: &DocumentPart<'_>,
        settings: &Settings,
        texts: &mut Texts,
        text_of: TextOf,
    ) -> Self {
        let (info, of) = (part.info(), part.part());
        let forms = Forms::new(settings).of_document(info);
        let mut links = lg_links::NONE;
        let whole = text_of(part, &mut |link, place| {
            let mut both = LinkForms::default();
            both.notes = link.warnings();
            for (form, kept) in [(Form::Uri, &mut both.uri), (Form::Iri, &mut both.iri)] {
                let (text, notes) = forms.of(link, form);
                *kept = text;
                both.notes.extend(notes);
            }
            links.push(link, &both, info);
            if let Some(row) = links.rows_mut().last_mut() {
                (row.start, row.end) = (place.start, place.end);
            }
        });
        PartRow {
            number: of.map(|of| texts.add(of.number())),
            media_type: of.map(|of| texts.add(of.media_type())),
            message: of.map_or(0, message_number),
            format: texts.name(info.format.name()),
            charset: texts.name(info.charset.name()),
            text: texts.add(&whole),
            links,
        }
    }

    fn view(&self, texts: &Texts) -> lg_part {
        lg_part {
            number: texts.pointer(self.number),
            media_type: texts.pointer(self.media_type),
            message: self.message,
            format: texts.pointer(Some(self.format)),
            charset: texts.pointer(Some(self.charset)),
            text: texts.pointer(Some(self.text)),
            text_len: len(Some(self.text)),
            links: &self.links,
        }
    }
}

/// Opens a document in memory: a page, a message, a mailbox ... with format and charset found out unless the options
/// say them. Its links are those of `linkglot find --json`, all fields alike. O(len).
///
/// `data` is copied; NULL is fine if `len` is 0. `options` may be NULL. Returns a document, never NULL, that the caller
/// frees with `lg_document_free`; `lg_document_error` says whether something was wrong. Archives (zip, tar) and
/// compressed data are an error: their documents are not read.
///
/// # Safety
///
/// `data` points to `len` bytes, `options` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lg_document_open(
    data: *const u8,
    len: usize,
    options: *const lg_options,
) -> *mut lg_document {
    let fallback = || boxed(lg_document::failed(Failure::internal()));
    guarded(fallback, || {
        // SAFETY: the caller's word.
        let given = unsafe { settings(options, None).and_then(|of| Ok((slice(data, len)?, of))) };
        let document = given.and_then(|(data, settings)| {
            refuse_archive(data)?;
            Ok(lg_document::new(data, settings))
        });
        boxed(document.unwrap_or_else(lg_document::failed))
    })
}

/// Returns why the document has no links, or not all of them. `kind` is NULL if all went well. Parts of a message that
/// could not be read are no error: see `lg_document_unread_at`. The texts belong to the document.
///
/// # Safety
///
/// `document` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lg_document_error(document: *const lg_document) -> lg_error {
    guarded(
        || view(None),
        || {
            // SAFETY: the caller's word.
            let document = unsafe { document.as_ref() };
            view(document.and_then(|document| document.links.failure.as_ref()))
        },
    )
}

/// Returns the format, charset and base. O(1). The texts belong to the document.
///
/// # Safety
///
/// `document` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lg_document_info(document: *const lg_document) -> lg_info {
    guarded(
        || NO_INFO,
        || {
            // SAFETY: the caller's word.
            let document = unsafe { document.as_ref() };
            let found = document.and_then(|document| Some((document, document.info.as_ref()?)));
            found.map_or(NO_INFO, |(document, info)| {
                let pointer = |text: Option<Text>| document.texts.pointer(text);
                lg_info {
                    format: pointer(Some(info.format)),
                    charset: pointer(Some(info.charset)),
                    charset_from: pointer(Some(info.charset_from)),
                    charset_certain: info.is_certain,
                    base: pointer(info.base),
                    base_len: len(info.base),
                }
            })
        },
    )
}

/// Returns the links of the document, with positions in its bytes: of a message those of all parts. O(1). They belong
/// to the document: do not free them. NULL for NULL.
///
/// # Safety
///
/// `document` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lg_document_links(document: *const lg_document) -> *const lg_links {
    guarded(ptr::null, || {
        // SAFETY: the caller's word.
        let document = unsafe { document.as_ref() };
        document.map_or(ptr::null(), |document| &document.links)
    })
}

/// Returns the number of parts. The first call of this function or `lg_document_part_at` reads the document again:
/// O(len), then O(1).
///
/// # Safety
///
/// `document` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lg_document_parts_len(document: *const lg_document) -> usize {
    guarded(
        || 0,
        || {
            // SAFETY: the caller's word.
            let document = unsafe { document.as_ref() };
            document.map_or(0, |document| document.parts().rows.len())
        },
    )
}

/// Returns the part of a number, from 0. Its texts and links belong to the document.
///
/// # Safety
///
/// `document` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lg_document_part_at(
    document: *const lg_document,
    number: usize,
) -> lg_part {
    guarded(
        || NO_PART,
        || {
            // SAFETY: the caller's word.
            let document = unsafe { document.as_ref() };
            document.map_or(NO_PART, |document| document.parts().view(number))
        },
    )
}

/// Returns the part of a number, from 0, as a reader sees it: the text of HTML without markup and hidden elements, with
/// the `alt` of images and blocks in lines of their own; the links are those in this text. Other formats are as from
/// `lg_document_part_at`. The first call reads the document again: O(len), then O(1). The texts and links belong to the
/// document.
///
/// # Safety
///
/// `document` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lg_document_displayed_at(
    document: *const lg_document,
    number: usize,
) -> lg_part {
    guarded(
        || NO_PART,
        || {
            // SAFETY: the caller's word.
            let document = unsafe { document.as_ref() };
            document.map_or(NO_PART, |document| document.displayed().view(number))
        },
    )
}

/// Returns the number of parts of a message that were not read, although they may have links: encrypted, of another
/// type than text, in an unknown charset ... At most the first hundreds are kept. O(1).
///
/// # Safety
///
/// `document` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lg_document_unread_len(document: *const lg_document) -> usize {
    guarded(
        || 0,
        || {
            // SAFETY: the caller's word.
            let document = unsafe { document.as_ref() };
            document.map_or(0, |document| document.unread.len())
        },
    )
}

/// Returns a part that was not read, from 0. The texts belong to the document.
///
/// # Safety
///
/// `document` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lg_document_unread_at(
    document: *const lg_document,
    number: usize,
) -> lg_unread {
    guarded(
        || NO_UNREAD,
        || {
            // SAFETY: the caller's word.
            let document = unsafe { document.as_ref() };
            document.map_or(NO_UNREAD, |document| {
                let row = document.unread.get(number);
                row.map_or(NO_UNREAD, |(part, reason)| lg_unread {
                    part: document.texts.pointer(Some(*part)),
                    reason: document.texts.pointer(Some(*reason)),
                })
            })
        },
    )
}

/// Frees a document with its links, parts and texts. NULL is fine.
///
/// # Safety
///
/// `document` is not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lg_document_free(document: *mut lg_document) {
    // SAFETY: the caller's word.
    unsafe { free(document) }
}
