//! A document of a message.

use super::signature::{encrypted_texts, signed_text};
use super::{HELD, Visit};
use crate::error::{Error, ErrorKind};
use crate::format::Format;
use crate::link::{Info, Location, Settings, Signed, open};
use crate::markup::mail::layer::{Decoded, Layer};
use crate::stream::{Flow, Input, PartPlace};
use std::io::Read;
use std::sync::Arc;

/// A document of a message: a header field, or the body of a part.
pub(crate) struct MailDocument<'p> {
    pub body: Body<'p>,
    /// What it is encoded in, outermost first; nothing for one that is read in windows.
    pub layers: &'p [Layer],
    /// How it is read.
    pub settings: &'p Settings,
    /// The properties that are known already; `None`: its bytes say them.
    pub info: Option<&'p Info>,
    /// The source byte at which it begins.
    pub origin: u64,
    /// The line and column there.
    pub begin: Location,
    /// How lines end around it.
    pub line_break: &'static [u8],
    /// Whether OpenPGP may have signed or encrypted text in it.
    pub may_have_armor: bool,
    /// How many of its bytes, as they stand in the source, the signature of the message covers.
    pub covered: u64,
}

/// The bytes of a document, as they stand in the source.
pub(crate) enum Body<'p> {
    Whole(&'p [u8]),
    Stream(&'p mut dyn Read),
}

/// A document that is ready to be read.
pub(crate) struct Opened<'o, 'i> {
    pub input: Input<'i>,
    pub info: &'o Info,
    /// The length of its BOM.
    pub bom: usize,
    pub settings: &'o Settings,
}

impl<'p> MailDocument<'p> {
    /// Decodes and opens the document, and hands it over to `each`. One in a charset that nobody knows is not handed over.
    ///
    /// # Errors
    ///
    /// Those of the reader and of `each`.
    pub fn read(self, each: &mut dyn FnMut(Opened<'_, '_>) -> Flow) -> Result<Visit, Error> {
        match self.body {
            Body::Whole(encoded) => {
                let mut place = PartPlace::new(self.origin, self.begin, encoded, self.layers);
                place.line_break = self.line_break;
                let bytes = place.bytes();
                let covered = (self.covered, self.may_have_armor);
                let signed = signed(&place.layers, bytes, covered, self.settings);
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
                let signed = signed_begin(input.raw().0, self.covered);
                let settings = with_signed(self.settings, signed);
                let settings = settings.as_ref().unwrap_or(self.settings);
                opened(input, (settings, self.info), each)
            }
        }
    }

    /// Its bytes as they stand in the source, if all are at hand.
    pub fn bytes(&self) -> Option<&'p [u8]> {
        match self.body {
            Body::Whole(bytes) => Some(bytes),
            Body::Stream(_) => None,
        }
    }

    /// How many messages of OpenPGP are encrypted in a document that is not encoded.
    pub fn encrypted(&self) -> u64 {
        match (&self.body, self.settings.format) {
            (Body::Whole(text), Some(Format::Text)) if self.may_have_armor => encrypted_texts(text),
            _ => 0,
        }
    }
}

/// The bytes of a document that signatures cover.
fn signed(
    layers: &[Decoded<'_>],
    bytes: &[u8],
    (covered, may_have_armor): (u64, bool),
    settings: &Settings,
) -> Signed {
    if settings
        .part
        .as_ref()
        .is_some_and(|part| matches!(part.signed, Signed::All))
    {
        return Signed::All;
    }
    if layers.is_empty() && bytes.len() > HELD {
        return signed_begin(bytes, covered);
    }
    let mut end = covered as usize;
    for layer in layers {
        end = layer.decoded_at(end);
    }
    let text = match may_have_armor {
        true => signed_text(bytes),
        false => Signed::Nothing,
    };
    match text {
        Signed::Ranges(mut ranges) => {
            ranges.retain(|range| range.end > end as u64);
            if let Some(first) = ranges.first_mut() {
                first.start = first.start.max(end as u64);
            }
            ranges.insert(0, 0..end as u64);
            Signed::Ranges(ranges)
        }
        _ if end > 0 => Signed::Ranges(std::iter::once(0..end as u64).collect()),
        _ => Signed::Nothing,
    }
}

/// The same of a document that is too long to be held: all of it, if something at its begin is covered.
fn signed_begin(bytes: &[u8], covered: u64) -> Signed {
    let begin = &bytes[..bytes.len().min(Info::HEAD)];
    match (covered, signed_text(begin)) {
        (0, Signed::Nothing) => Signed::Nothing,
        _ => Signed::All,
    }
}

/// The settings of a document of which something is signed.
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

/// Why a document cannot be read, if it cannot.
pub(crate) fn unreadable(info: &Info) -> Option<Error> {
    let unknown = info.unknown_charset.as_ref()?;
    Some(unknown_charset(&unknown.label))
}

/// The error for a part in a charset that nobody knows.
pub(super) fn unknown_charset(label: &str) -> Error {
    let message = match crate::charset::Charset::for_label(label) {
        Err(unknown) => unknown.to_string(),
        Ok(_) => format!("unknown charset label `{label}`"),
    };
    Error::new(ErrorKind::UnknownCharset, message)
}
