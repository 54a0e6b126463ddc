//! The way to read the body of a part, from its header.

use super::media_type::{TypeReading, reading};
use crate::charset::Charset;
use crate::error::{Error, ErrorKind};
use crate::format::Format;
use crate::iri::target::Reading;
use crate::link::{
    LONGEST_BASE, MailPart, Settings, Signed, UnreadReason, as_parsed, assumed_charset, is_relative,
};
use crate::parts::{has_folds, unknown_label};
use crate::scan::Breaks;
use linkglot_layer::{Layer, TransferEncoding};
use linkglot_mail::structure::{BodyKind, Entity, MailReader};
use std::sync::Arc;

/// The way to read a body.
pub(super) enum BodyReading {
    /// As a document, once these layers are decoded.
    Document(Settings, Vec<Layer>),
    /// As header fields, once the layer is decoded.
    Fields(Option<Layer>),
    /// As a message by this reader, once the layer is decoded.
    Message(Box<MailReader>, Option<Layer>),
    /// Not at all: a part of something that was counted, or a signature.
    Skipped,
    /// Not at all, for a reason.
    Unread(UnreadReason),
    /// The body cannot be read.
    Failed(UnreadReason, Error),
}

/// The way to read the body of an entity whose header is in the window.
pub(super) fn body_reading(
    entity: &Entity,
    window: &[u8],
    (container, settings): (Format, &Settings),
) -> BodyReading {
    let media_type = entity.media_type.essence();
    let label = entity.encoding.clone().map(|label| &window[label]);
    let encoding = label.map_or(TransferEncoding::SevenBit, TransferEncoding::of_label);
    let names = ["smime-type", "name"].map(|name| parameter(entity, name));
    let (format, folded) = match (reading(media_type, names[0], names[1]), encoding.layer()) {
        _ if entity.enclosing.is_encrypted => return BodyReading::Skipped,
        (_, layer) if entity.body == BodyKind::EncodedMessage => {
            if label.is_some_and(TransferEncoding::is_of_files) {
                let error =
                    Error::new(ErrorKind::Io, "the transfer encoding is not valid for mail");
                return BodyReading::Failed(UnreadReason::Encoding, error);
            }
            let reader = MailReader::of_body(entity, window);
            return BodyReading::Message(Box::new(reader), layer);
        }
        (TypeReading::Document(format), _) => {
            (format, format.content_lines().map(|_| Layer::Folded))
        }
        (TypeReading::Fields, layer) => return BodyReading::Fields(layer),
        (TypeReading::Skipped, _) => return BodyReading::Skipped,
        (TypeReading::Unread(reason), _) => return BodyReading::Unread(reason),
    };
    let (declared, label_of_charset) = match declared_charset(entity, settings) {
        Ok(declared) => declared.unzip(),
        Err(error) => return BodyReading::Failed(UnreadReason::Charset, error),
    };
    if label.is_some_and(TransferEncoding::is_of_files) {
        let error = Error::new(ErrorKind::Io, "the transfer encoding is not valid for text");
        return BodyReading::Failed(UnreadReason::Encoding, error);
    }
    let folded = folded.filter(|_| has_folds(settings.charset.or(declared)));
    let layers: Vec<Layer> = encoding.layer().into_iter().chain(folded).collect();
    let base = base(entity, window, settings);
    let part = MailPart {
        container,
        message: entity.message,
        number: entity.body_number().into_owned(),
        media_type: media_type.to_owned(),
        declared,
        label: label_of_charset,
        references: None,
        allows_octets: encoding.layer().is_some() || encoding.allows_octets(),
        signed: if entity.enclosing.is_signed || has_digest(entity, window) {
            Signed::All
        } else {
            Signed::Nothing
        },
        has_length: entity.has_length || entity.enclosing.has_length,
        is_base_too_long: base.is_err(),
    };
    let settings = Settings {
        format: Some(format),
        base: base.ok().flatten(),
        breaks: if is_joined(entity) {
            Breaks::FLOWED
        } else {
            settings.breaks
        },
        part: Some(Arc::new(part)),
        ..settings.clone()
    };
    BodyReading::Document(settings, layers)
}

/// True if the header has a digest of the body (RFC 1864).
pub(super) fn has_digest(entity: &Entity, window: &[u8]) -> bool {
    let names = entity
        .fields
        .iter()
        .map(|field| &window[field.name.clone()]);
    let mut names = names.map(<[u8]>::trim_ascii_end);
    names.any(|name| name.eq_ignore_ascii_case(b"content-md5"))
}

/// Labels that leave the charset open. US-ASCII stands in front of octets beyond it; RFC 1428 3 has `unknown-8bit`.
const SAY_NOTHING: [&str; 6] = [
    "",
    "us-ascii",
    "ascii",
    "unknown-8bit",
    "x-unknown",
    "unknown",
];

/// The charset that the header declares, and its label. US-ASCII is no declaration: with octets beyond it, it is wrong.
fn declared_charset(
    entity: &Entity,
    settings: &Settings,
) -> Result<Option<(Charset, String)>, Error> {
    let Some(label) = parameter(entity, "charset") else {
        return Ok(None);
    };
    let label = label.trim_matches(|ch: char| ch.is_whitespace() || matches!(ch, '\'' | '"'));
    let says_nothing = SAY_NOTHING
        .iter()
        .any(|known| label.eq_ignore_ascii_case(known));
    if says_nothing || settings.charset.is_some() {
        return Ok(None);
    }
    let known = Charset::for_label(label).ok();
    let known = known.or_else(|| assumed_charset(&settings.assumed_charsets, label));
    match known {
        Some(charset) => Ok(Some((charset, label.to_owned()))),
        None => Err(unknown_label(label)),
    }
}

/// True if lines that end with a blank go on in the next line, without the blank (RFC 3676 4.3).
fn is_joined(entity: &Entity) -> bool {
    let is = |name, value: &str| {
        let known = parameter(entity, name);
        known.is_some_and(|known| known.eq_ignore_ascii_case(value))
    };
    is("format", "flowed") && is("delsp", "yes")
}

/// A parameter of the media type.
fn parameter<'e>(entity: &'e Entity, name: &str) -> Option<&'e str> {
    let value = entity.media_type.parameter(name)?;
    std::str::from_utf8(value).ok()
}

/// A base that is too long to be read.
struct TooLong;

/// The base from `Content-Base` or `Content-Location`, of the part and of the parts around it (RFC 2557 section 5).
fn base(entity: &Entity, window: &[u8], settings: &Settings) -> Result<Option<Arc<str>>, TooLong> {
    let own = |name: &[u8]| {
        let mut fields = entity.fields.iter();
        let field = fields.find(|field| window[field.name.clone()].eq_ignore_ascii_case(name))?;
        Some(&window[field.value.clone()])
    };
    let own = own(b"content-base").or_else(|| own(b"content-location"));
    let outer = entity.enclosing.bases.iter();
    let outer = outer.filter_map(|header| {
        let base = header.content_base.as_deref();
        base.or(header.content_location.as_deref())
    });
    let mut base = Ok(settings.base.clone());
    for value in outer.chain(own) {
        let value = Layer::EncodedWords.decode(value);
        let Ok(reference) = std::str::from_utf8(value.bytes()) else {
            continue;
        };
        let reference = reference.trim().trim_matches('"');
        let outer = match &base {
            Err(TooLong) if is_relative(&as_parsed(reference)) => continue,
            outer => outer.as_ref().ok().and_then(Option::as_deref),
        };
        let reading = Reading {
            base: outer,
            query: Charset::UTF_8,
        };
        match reading.resolve(reference) {
            Some(resolved) if resolved.len() > LONGEST_BASE => base = Err(TooLong),
            Some(resolved) => base = Ok(Some(resolved.into())),
            None => {}
        }
    }
    base
}

#[cfg(test)]
mod tests {
    use crate::format::Format;
    use crate::link::Settings;
    use crate::rewrite::{Form, Rewriter};

    /// A calendar with a URL that gets longer than a line.
    fn calendar(encode: impl Fn(&str) -> Vec<u8>, url: &str, label: &str) -> Vec<u8> {
        let header = format!(
            "Content-Type: text/calendar; charset={label}\nContent-Transfer-Encoding: 8bit\n\n"
        );
        let text = format!("BEGIN:VCALENDAR\nURL:{url}\nEND:VCALENDAR\n");
        [header.into_bytes(), encode(&text)].concat()
    }

    #[test]
    fn utf_16_is_not_folded() {
        let utf_16 = |text: &str| -> Vec<u8> {
            let units = text.encode_utf16();
            units.flat_map(u16::to_be_bytes).collect()
        };
        // The octets of U+0A20, one by one, are a line feed and a space.
        let url = format!("http://a.example/\u{A20}{}", "é".repeat(20));
        let uri = format!("http://a.example/%E0%A8%A0{}", "%C3%A9".repeat(20));
        let message = calendar(utf_16, &url, "utf-16be");
        let mut settings = Settings::default();
        settings.format = Some(Format::Mail);
        let rewriter = Rewriter::new().settings(settings).to(Form::Uri);
        let rewritten = rewriter.rewrite_slice(&message);
        assert_eq!(&*rewritten.content, calendar(utf_16, &uri, "utf-16be"));
    }
}
