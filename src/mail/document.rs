//! A document of a message.

use super::signature::encrypted_texts;
use super::{HELD, Visit};
use crate::error::{Error, ErrorKind};
use crate::format::Format;
use crate::link::PartPlace;
use crate::link::{Budget, Info, Location, Settings, Signed, open};
use crate::read::{Flow, Input};
use linkglot_layer::Layer;
use std::cell::Cell;
use std::io::Read;
use std::sync::Arc;

/// A document of a message: a header field, or the body of a part.
pub(crate) struct MailDocument<'p> {
    pub body: Body<'p>,
    /// The encodings of the body, outermost first; none if the body is read in windows.
    pub layers: &'p [Layer],
    /// The settings for reading the document.
    pub settings: &'p Settings,
    /// The properties, if they are known already; else the bytes of the document tell them.
    pub info: Option<&'p Info>,
    /// The first byte of the document, in the source or in the encoded message.
    pub origin: u64,
    /// The line and column of that byte.
    pub begin: Location,
    /// The line break around the document.
    pub line_break: &'static [u8],
    /// The number of encoded bytes that the signatures around the document cover.
    pub covered: u64,
    /// The place of the encoded message around the document.
    pub around: Option<Arc<PartPlace<'p>>>,
    /// Counts the encrypted messages of OpenPGP in the document.
    pub encrypted: &'p Cell<u64>,
}

/// The bytes of a document, as in the source.
pub(crate) enum Body<'p> {
    Whole(&'p [u8]),
    Stream(&'p mut dyn Read),
}

/// A document that is ready to read.
pub(crate) struct Opened<'o, 'i> {
    pub input: Input<'i>,
    pub info: &'o Info,
    /// The length of the BOM.
    pub bom: usize,
    pub settings: &'o Settings,
}

impl Opened<'_, '_> {
    /// This document with the budget of its message.
    pub fn within(mut self, budget: &Budget) -> Self {
        self.input.budget = budget.clone();
        self
    }
}

impl<'p> MailDocument<'p> {
    /// Decodes and opens the document, and hands it over to `each`, unless its charset is unknown.
    ///
    /// # Errors
    ///
    /// Errors of the reader and of `each`.
    pub fn read(self, each: &mut dyn FnMut(Opened<'_, '_>) -> Flow) -> Result<Visit, Error> {
        match self.body {
            Body::Whole(encoded) => {
                let place = PartPlace::new(self.origin, self.begin, encoded, self.layers);
                let mut place = place.inside(self.around.clone());
                place.line_break = self.line_break;
                let bytes = place.bytes();
                self.count_encrypted(bytes);
                let signed = signed(&place, bytes, self.covered, self.settings);
                let settings = with_signed(self.settings, signed);
                let settings = settings.as_ref().unwrap_or(self.settings);
                opened(
                    Input::of_slice(bytes).at(&place),
                    (settings, self.info),
                    each,
                )
            }
            Body::Stream(reader) => {
                let place = PartPlace::new(self.origin, self.begin, &[], &[]);
                let input = Input::of_reader(reader)?.at(&place);
                let begin = input.raw().0;
                let begin = &begin[..begin.len().min(Info::HEAD)];
                count_encrypted(begin, self.settings, self.encrypted);
                let signed = match self.covered {
                    0 => Signed::Nothing,
                    _ => Signed::All,
                };
                let settings = with_signed(self.settings, signed);
                let settings = settings.as_ref().unwrap_or(self.settings);
                opened(input, (settings, self.info), each)
            }
        }
    }

    /// The bytes as in the source, if all are at hand.
    pub fn bytes(&self) -> Option<&'p [u8]> {
        match self.body {
            Body::Whole(bytes) => Some(bytes),
            Body::Stream(_) => None,
        }
    }

    /// Counts the encrypted messages in the bytes of the document; if these are too long to be held, only at their
    /// start.
    pub fn count_encrypted(&self, bytes: &[u8]) {
        let is_long = self.layers.is_empty() && bytes.len() > HELD;
        let looked_at = if is_long { Info::HEAD } else { bytes.len() };
        count_encrypted(&bytes[..looked_at], self.settings, self.encrypted);
    }
}

fn count_encrypted(text: &[u8], settings: &Settings, count: &Cell<u64>) {
    if settings.format == Some(Format::Text) {
        count.set(count.get() + encrypted_texts(text));
    }
}

/// The bytes of a document that the signatures around it cover, those of the first `covered` encoded bytes. A document
/// that is too long to be held is covered as a whole.
fn signed(place: &PartPlace<'_>, bytes: &[u8], covered: u64, settings: &Settings) -> Signed {
    let own = settings.part.as_ref().map(|part| part.signed);
    let is_long = place.layers.is_empty() && bytes.len() > HELD;
    match place.decoded_at(covered) {
        _ if own == Some(Signed::All) => Signed::All,
        0 => Signed::Nothing,
        _ if is_long => Signed::All,
        end => Signed::Begin(end),
    }
}

/// The settings of a document, if something of it is signed.
fn with_signed(settings: &Settings, signed: Signed) -> Option<Settings> {
    if matches!(signed, Signed::Nothing) {
        return None;
    }
    let mut settings = settings.clone();
    if let Some(part) = &mut settings.part {
        Arc::make_mut(part).signed = signed;
    }
    Some(settings)
}

fn opened(
    input: Input<'_>,
    (settings, known): (&Settings, Option<&Info>),
    each: &mut dyn FnMut(Opened<'_, '_>) -> Flow,
) -> Result<Visit, Error> {
    let (head, whole) = input.raw();
    let (info, bom) = info_of(head, whole, (settings, known));
    if let Some(error) = unreadable(&info) {
        return Ok(Visit::Unread(error));
    }
    let document = Opened {
        input,
        info: &info,
        bom,
        settings,
    };
    Ok(Visit::Read(each(document)?))
}

/// The properties of a document, and the length of its BOM. The arguments are those of [`open`].
pub(crate) fn info_of(
    head: &[u8],
    whole: bool,
    (settings, known): (&Settings, Option<&Info>),
) -> (Info, usize) {
    match known {
        Some(info) => (info.clone(), 0),
        None => open(head, whole, settings),
    }
}

/// The reason that a document cannot be read, if any.
pub(crate) fn unreadable(info: &Info) -> Option<Error> {
    let unknown = info.unknown_charset.as_ref()?;
    Some(unknown_charset(&unknown.label))
}

/// The error for a part in an unknown charset.
pub(super) fn unknown_charset(label: &str) -> Error {
    let message = match crate::charset::Charset::for_label(label) {
        Err(unknown) => unknown.to_string(),
        Ok(_) => format!("unknown charset label `{label}`"),
    };
    Error::new(ErrorKind::UnknownCharset, message)
}
