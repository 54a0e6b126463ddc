//! A walk through the parts of a message, or of the messages of a mailbox.

mod inner;

use super::attachment::{self, Attachment, Body, HEAD_OF_ATTACHMENT, attached_name};
use super::body_reading::{BodyReading, body_reading, has_digest};
use super::bytes::{BodyReader, Bytes, Held};
use super::signature::{Cover, Signatures, encrypted_texts};
use super::transfer_encoding::{is_base64, is_encoded};
use super::{HELD, uuencode};
use crate::charset::Charset;
use crate::error::{Error, ErrorKind};
use crate::format::Format;
use crate::link::{Info, MailPart, PartPlace, Settings, Signed, UnreadParts, UnreadReason, open};
use crate::parts::{Part, PartVisitor, UnreadField, unknown_charset};
use crate::read::{Flow, Opened};
use crate::scan::Breaks;
use inner::InnerKind;
pub(crate) use inner::InnerMail;
use linkglot_layer::{Decoded, Layer};
use linkglot_mail::fields::{FieldKind, FieldSyntax, field_kind, references};
use linkglot_mail::structure::{
    BodyKind, Entity, FieldPlace, MailKind, MailReader, MailStep, field_places,
};
use std::borrow::Cow;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

/// The most bytes of an encoded body, together with the decoded messages around it. It is decoded as a whole.
const LONGEST_ENCODED: usize = 64 << 20;

/// Reads the documents of a message or mailbox to the end, or until the visitor breaks off. Hands over every source
/// byte once, in order. Memory: a header, and a body of up to 1 MiB, or an encoded body of up to 64 MiB with its
/// decoded bytes.
///
/// # Errors
///
/// Errors of the reader and the visitor.
pub(in crate::parts) fn read(
    document: Opened<'_, '_>,
    visitor: &mut dyn PartVisitor,
) -> Result<UnreadParts, Error> {
    let Opened {
        input,
        info: &Info { format, .. },
        settings,
        ..
    } = document;
    let kind = match format {
        Format::Mailbox => MailKind::Mailbox,
        _ => MailKind::Message,
    };
    // The name is the name of the whole.
    let settings = &Settings {
        name: None,
        // A part says itself that it is flowed; without the parameter it is not (RFC 3676 4).
        breaks: if settings.breaks.contains(Breaks::WRAPPED) {
            Breaks::WRAPPED
        } else {
            Breaks::NONE
        },
        ..settings.clone()
    };
    let bytes = Bytes::new(input.into_source(), kind, settings.locate);
    let mut walk = Walk::new(bytes, (format, settings), visitor);
    let _ = walk.run()?;
    Ok(walk.unread)
}

/// A walk through a source, or through an encoded message in a source.
pub(super) struct Walk<'w, 'a> {
    bytes: Bytes<'a>,
    /// The source was handed over up to this byte.
    passed: u64,
    settings: &'w Settings,
    /// The base of the last part.
    base: Option<Arc<str>>,
    visitor: &'w mut dyn PartVisitor,
    /// The messages whose signatures may cover more bytes, outermost first.
    signed: Vec<SignedMessage>,
    format: Format,
    pub unread: UnreadParts,
    /// The number of bytes at the start of the source that signatures around it cover.
    pub covered: u64,
    /// The number of bytes that are decoded already: the source, if encoded, and the messages around it.
    pub held: usize,
}

/// The surroundings of an attachment, as far as they forbid changes.
struct Around<'e> {
    is_signed: bool,
    has_length: bool,
    number: Cow<'e, str>,
}

/// A message with its signatures.
struct SignedMessage {
    number: String,
    signatures: Signatures,
    cover: Option<Cover>,
}

impl SignedMessage {
    /// True if the body of the message has a part with this number.
    fn has(&self, part: &str) -> bool {
        let inside = part.strip_prefix(self.number.as_str());
        inside.is_some_and(|rest| self.number.is_empty() || rest.starts_with('.'))
    }
}

impl<'w, 'a> Walk<'w, 'a> {
    pub fn new(
        bytes: Bytes<'a>,
        (format, settings): (Format, &'w Settings),
        visitor: &'w mut dyn PartVisitor,
    ) -> Self {
        Walk {
            bytes,
            passed: 0,
            settings,
            base: settings.base.clone(),
            visitor,
            signed: Vec::new(),
            format,
            unread: UnreadParts::default(),
            covered: 0,
            held: 0,
        }
    }

    /// Reads to the end, or until the visitor breaks off.
    pub fn run(&mut self) -> Flow {
        loop {
            match self.bytes.step() {
                MailStep::Header(entity) => {
                    if self.entity(&entity)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                MailStep::Body(_) | MailStep::BodyEnd => {}
                MailStep::NeedMore => {
                    let cursor = self.bytes.cursor;
                    self.pass(cursor)?;
                    self.bytes.grow(cursor)?;
                }
                MailStep::End => {
                    let end = self.bytes.window().len();
                    self.pass(end)?;
                    return Ok(ControlFlow::Continue(()));
                }
            }
        }
    }

    /// The bytes of the window up to `to` that were not handed over yet.
    fn waiting(&self, to: usize) -> &[u8] {
        let from = self.passed.saturating_sub(self.bytes.origin()) as usize;
        self.bytes.window().get(from..to).unwrap_or_default()
    }

    /// Hands over the source up to a byte of the window, as bytes of no document.
    fn pass(&mut self, to: usize) -> Result<(), Error> {
        if !self.waiting(to).is_empty() {
            let from = self.passed.saturating_sub(self.bytes.origin()) as usize;
            self.visitor.between(&self.bytes.window()[from..to])?;
            self.go_on(to);
        }
        Ok(())
    }

    /// Goes on to a byte of the window; the bytes before it were handed over.
    fn go_on(&mut self, to: usize) {
        let from = self.passed.saturating_sub(self.bytes.origin()) as usize;
        let handed = self.bytes.window().get(from..to).unwrap_or_default();
        for message in &mut self.signed {
            if let Some(cover) = &mut message.cover {
                cover.advance(handed);
            }
        }
        self.passed = self.passed.max(self.bytes.origin() + to as u64);
    }

    /// Reads a header, and prepares the body behind it.
    fn entity(&mut self, entity: &Entity) -> Flow {
        if entity.is_message {
            self.sign(entity);
        }
        let behind = self.bytes.cursor;
        for field in &entity.fields {
            let owner = (entity, entity.number.as_str());
            if self.field(owner, 0, field)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        self.pass(behind)?;
        if entity.is_message {
            self.begin_body();
        }
        if entity.media_type.essence() == "multipart/encrypted" {
            let part = self.named(entity.message, &entity.number);
            self.unread.pass_over(part, UnreadReason::Encrypted);
        }
        match entity.body {
            BodyKind::Leaf | BodyKind::EncodedMessage => self.body(entity),
            BodyKind::Multipart | BodyKind::Message => Ok(ControlFlow::Continue(())),
            BodyKind::TooDeep => {
                let most = MailReader::MAX_DEPTH;
                let message = format!("nested more than {most} levels deep");
                self.beyond_limit(entity, message);
                Ok(ControlFlow::Continue(()))
            }
        }
    }

    /// Remembers the signatures of a message, in place of those of messages that have ended.
    fn sign(&mut self, entity: &Entity) {
        let number = &entity.number;
        self.signed
            .retain(|outer| !number.is_empty() && outer.has(number));
        let window = self.bytes.window();
        let fields = entity.fields.iter();
        let fields =
            fields.map(|field| (&window[field.name.clone()], &window[field.value.clone()]));
        self.signed.push(SignedMessage {
            number: number.clone(),
            signatures: Signatures::of(fields),
            cover: None,
        });
    }

    /// Starts to count the body of the last message.
    fn begin_body(&mut self) {
        let is_in_mailbox = self.format == Format::Mailbox;
        if let Some(message) = self.signed.last_mut() {
            message.cover = message.signatures.body(is_in_mailbox);
        }
    }

    /// True if a signature covers the next byte of the window, which belongs to a part.
    fn is_covered(&self, part: &str, at: usize) -> bool {
        if self.bytes.origin() + (at as u64) < self.covered {
            return true;
        }
        let mut around = self.signed.iter().filter(|message| message.has(part));
        around.any(|message| message.cover.as_ref().is_some_and(Cover::goes_on))
    }

    /// Reads a header field, if it holds links. The place of the field counts from the byte `block` of the window.
    fn field(
        &mut self,
        (entity, number): (&Entity, &str),
        block: usize,
        field: &FieldPlace,
    ) -> Flow {
        let name = &self.bytes.window()[block..][field.name.clone()];
        let kind = field_kind(name);
        if kind == FieldKind::Never {
            return self.unread_field(kind, block, field);
        }
        let name = &*name.to_ascii_lowercase();
        let references = match kind {
            FieldKind::Links(syntax) => Some(syntax),
            FieldKind::Text if self.settings.header_text || is_read(entity, name) => None,
            _ => return self.unread_field(kind, block, field),
        };
        let value = block + field.value.start..block + field.value.end;
        let own = self.signed.iter().find(|message| message.number == number);
        let own = own.filter(|_| entity.is_message);
        let is_signed = entity.enclosing.is_signed
            || own.is_some_and(|message| message.signatures.covers_field(name))
            || self.is_covered(number, value.start);
        let part = MailPart {
            container: self.format,
            message: entity.message,
            number: format!("{number}/{}", String::from_utf8_lossy(name)),
            media_type: entity.media_type.essence().to_owned(),
            declared: Some(Charset::UTF_8),
            label: None,
            references,
            // An encoded word holds any character, but is not allowed within a reference (RFC 2047 section 5).
            allows_octets: references.is_none(),
            signed: if is_signed {
                Signed::All
            } else {
                Signed::Nothing
            },
            has_length: entity.enclosing.has_length,
            is_base_too_long: false,
        };
        let settings = Settings {
            format: Some(Format::Text),
            charset: None,
            part: Some(Arc::new(part)),
            ..self.settings.clone()
        };
        self.pass(value.start)?;
        let layer = match references {
            Some(syntax) if self.is_folded(&value, syntax) => Layer::Folded,
            _ => Layer::EncodedWords,
        };
        self.document(value, &settings, &[layer])
    }

    /// Shows a header field that is not read to a visitor that looks at such fields.
    fn unread_field(&mut self, kind: FieldKind, block: usize, field: &FieldPlace) -> Flow {
        if self.visitor.looks_at_fields() {
            let value = block + field.value.start..block + field.value.end;
            self.pass(value.start)?;
            let begin = self.bytes.location(value.start);
            let window = self.bytes.window();
            self.visitor.field(&UnreadField {
                name: &window[block..][field.name.clone()],
                kind,
                value: &window[value.clone()],
                origin: self.bytes.origin() + value.start as u64,
                begin,
                around: self.bytes.around(),
            });
        }
        Ok(ControlFlow::Continue(()))
    }

    /// True if a reference in a header field contains a fold, which does not count (RFC 2369 section 2, RFC 2557
    /// 4.4.2).
    fn is_folded(&self, value: &Range<usize>, syntax: FieldSyntax) -> bool {
        let value = &self.bytes.window()[value.clone()];
        let has_fold =
            |range: &Range<usize>| memchr::memchr(b'\n', &value[range.clone()]).is_some();
        references(syntax, value).iter().any(has_fold)
    }

    /// Hands over a part that is in the window.
    fn document(&mut self, range: Range<usize>, settings: &Settings, layers: &[Layer]) -> Flow {
        if !layers.is_empty() {
            self.bytes.ensure_memory(range.len())?;
        }
        let begin = self.bytes.location(range.start);
        let window = self.bytes.window();
        let encoded = &window[range.clone()];
        let number = settings.part.as_ref().map_or("", |part| &part.number);
        let origin = self.bytes.origin() + range.start as u64;
        let covered = self.covered_of(number, origin, encoded);
        let mut place = PartPlace::new(origin, begin, encoded, layers).inside(self.bytes.around());
        place.line_break = line_break(window, &range);
        let before = memchr::memrchr(b'\n', &window[..range.start]);
        place.column = range.start - before.map_or(0, |at| at + 1);
        let bytes = place.bytes();
        let is_long = layers.is_empty() && bytes.len() > HELD;
        let looked_at = if is_long { Info::HEAD } else { bytes.len() };
        let encrypted = encrypted(&bytes[..looked_at], settings);
        let signed = match place.decoded_at(covered) {
            0 => Signed::Nothing,
            _ if is_long => Signed::All,
            end => Signed::Begin(end),
        };
        let signed = with_signed(settings, signed);
        let (info, bom) = open(bytes, true, &signed);
        let error = unknown_charset(&info);
        let flow = if error.is_some() {
            self.visitor.between(encoded)?;
            ControlFlow::Continue(())
        } else {
            self.visitor.part(Part {
                place,
                stream: None,
                info: Cow::Owned(info),
                bom,
                settings: signed,
            })?
        };
        self.go_on(range.end);
        self.count(settings, encrypted, error);
        Ok(flow)
    }

    /// Hands over a body that is mail once it is decoded.
    fn inner(
        &mut self,
        entity: &Entity,
        layer: Option<Layer>,
        reader: Option<Box<MailReader>>,
    ) -> Flow {
        let most = LONGEST_ENCODED.saturating_sub(self.held);
        let body = match self.held(most)? {
            Held::Whole(body) if body.len() <= most => body,
            Held::Cut(body) => return self.failed(body.start),
            _ => {
                let most = LONGEST_ENCODED >> 20;
                self.beyond_limit(entity, format!("longer than {most} MiB in its encoding"));
                return Ok(ControlFlow::Continue(()));
            }
        };
        self.bytes.ensure_memory(body.len())?;
        let begin = self.bytes.location(body.start);
        let window = self.bytes.window();
        let encoded = &window[body.clone()];
        let layer = layer.filter(|&layer| is_encoded(encoded, layer));
        if layer == Some(Layer::Base64) && !is_base64(encoded) {
            let error = Error::new(ErrorKind::Io, "expected base64, but found other bytes");
            let part = self.named(entity.message, &entity.body_number());
            self.unread.fail(part, UnreadReason::Encoding, error);
            return Ok(ControlFlow::Continue(()));
        }
        let origin = self.bytes.origin() + body.start as u64;
        let place = PartPlace::new(origin, begin, encoded, layer.as_slice());
        let mut place = place.inside(self.bytes.around());
        place.line_break = line_break(window, &body);
        let mail = InnerMail {
            place: Arc::new(place),
            covered: self.covered_of(&entity.body_number(), origin, encoded),
            kind: reader.map_or(InnerKind::Fields(entity), InnerKind::Message),
            format: self.format,
            settings: self.settings,
            held: self.held,
        };
        let flow = self.visitor.inner(mail, &mut self.unread)?;
        self.go_on(body.end);
        Ok(flow)
    }

    /// The number of covered bytes among the next bytes, which start at the source byte `origin` and belong to a part.
    fn covered_of(&self, part: &str, origin: u64, bytes: &[u8]) -> u64 {
        let around = self.signed.iter().filter(|message| message.has(part));
        let covers = around.filter_map(|message| message.cover.clone());
        let own = covers.map(|mut cover| cover.advance(bytes)).max();
        let outer = self.covered.saturating_sub(origin).min(bytes.len() as u64);
        outer.max(own.unwrap_or(0) as u64)
    }

    /// Counts what is unread of a part: `encrypted` messages within it, or all of it.
    fn count(&mut self, settings: &Settings, encrypted: u64, error: Option<Error>) {
        let part = settings.part.as_ref();
        let part = part.map_or(String::new(), |part| self.named(part.message, &part.number));
        for _ in 0..encrypted {
            self.unread.pass_over(part.clone(), UnreadReason::Encrypted);
        }
        if let Some(error) = error {
            self.unread.fail(part, UnreadReason::Charset, error);
        }
    }

    /// The name of a part in errors.
    fn named(&self, message: u64, number: &str) -> String {
        match self.format {
            Format::Mailbox => format!("{message}:{number}"),
            _ => number.to_owned(),
        }
    }

    /// Reports that the body of an entity is too long or too deep to be read.
    fn beyond_limit(&mut self, entity: &Entity, message: String) {
        let part = self.named(entity.message, &entity.body_number());
        let error = Error::new(ErrorKind::Io, message);
        self.unread.fail(part, UnreadReason::Limit, error);
    }

    /// Reads the body of an entity, if it is text or mail.
    fn body(&mut self, entity: &Entity) -> Flow {
        let part = || self.named(entity.message, &entity.body_number());
        match body_reading(entity, self.bytes.window(), (self.format, self.settings)) {
            BodyReading::Document(mut settings, layers) => {
                // Parts of a message share the base around them in memory.
                if settings.base == self.base {
                    settings.base.clone_from(&self.base);
                } else {
                    self.base.clone_from(&settings.base);
                }
                return self.text(entity, &settings, &layers);
            }
            BodyReading::Fields(None) => return self.plain_fields(entity),
            BodyReading::Fields(Some(layer)) => return self.inner(entity, Some(layer), None),
            BodyReading::Message(reader, layer) => {
                return self.inner(entity, layer, Some(reader));
            }
            BodyReading::Skipped => {}
            BodyReading::Unread(UnreadReason::Binary) => return self.attachment(entity),
            BodyReading::Unread(reason) => {
                let part = part();
                self.unread.pass_over(part, reason);
            }
            BodyReading::Failed(reason, error) => {
                let part = part();
                self.unread.fail(part, reason, error);
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Leaves an attachment to the caller, or passes over it.
    fn attachment(&mut self, entity: &Entity) -> Flow {
        let window = self.bytes.window();
        let part = self.named(entity.message, &entity.body_number());
        let layer = attachment::layer(entity, window);
        let (Some(is_left), Some(layer)) = (self.settings.attachments, layer) else {
            self.unread.pass_over(part, UnreadReason::Binary);
            return Ok(ControlFlow::Continue(()));
        };
        let name = attached_name(entity, window);
        let has_digest = has_digest(entity, window);
        let held = self.held(HEAD_OF_ATTACHMENT)?;
        let (Held::Whole(body) | Held::Longer(body) | Held::Cut(body)) = &held else {
            return Ok(ControlFlow::Continue(()));
        };
        let head = &self.bytes.window()[body.clone()];
        let head = &head[..head.len().min(HEAD_OF_ATTACHMENT)];
        let decoded = layer.map(|layer| layer.decode(head));
        let head = decoded.as_ref().map_or(head, Decoded::bytes);
        if is_left(&name, &head[..head.len().min(512)]) {
            self.unread.attachments += 1;
            if self.visitor.takes_attachments() {
                let around = Around {
                    is_signed: entity.enclosing.is_signed || has_digest,
                    has_length: entity.has_length || entity.enclosing.has_length,
                    number: entity.body_number(),
                };
                return self.whole_attachment((part, name), (layer, around), held);
            }
        } else {
            self.unread.pass_over(part, UnreadReason::Binary);
        }
        match held {
            Held::Cut(body) => self.failed(body.start),
            _ => Ok(ControlFlow::Continue(())),
        }
    }

    /// Hands over an attachment whose begin is held.
    fn whole_attachment(
        &mut self,
        (part, name): (String, String),
        (layer, around): (Option<Layer>, Around<'_>),
        begin: Held,
    ) -> Flow {
        let most = LONGEST_ENCODED.saturating_sub(self.held);
        let held = match begin {
            Held::Longer(body) => self.bytes.held_on(body, most)?,
            held => held,
        };
        let (body, error) = match held {
            Held::Whole(body) if body.len() <= most => {
                self.bytes.ensure_memory(body.len())?;
                (body, None)
            }
            Held::Cut(body) => return self.failed(body.start),
            _ => {
                let most = LONGEST_ENCODED >> 20;
                let message = format!("longer than {most} MiB in its encoding");
                (0..0, Some(Error::new(ErrorKind::Io, message)))
            }
        };
        let window = self.bytes.window();
        let encoded = &window[body.clone()];
        let origin = self.bytes.origin() + body.start as u64;
        let covered = self.covered_of(&around.number, origin, encoded);
        let body = Body {
            encoded,
            decoded: layer.map(|layer| layer.decode(encoded)),
            line_break: line_break(window, &body),
        };
        self.visitor.attachment(Attachment {
            part,
            name,
            is_signed: around.is_signed || covered > 0,
            has_length: around.has_length,
            is_in_writable: true,
            body: error.map_or(Ok(body), Err),
        })
    }

    /// Reads a body that is a document.
    fn text(&mut self, entity: &Entity, settings: &Settings, layers: &[Layer]) -> Flow {
        let most = if layers.is_empty() {
            HELD
        } else {
            LONGEST_ENCODED.saturating_sub(self.held)
        };
        let held = self.held(most)?;
        let files = match (&held, settings.format) {
            (Held::Whole(body) | Held::Longer(body) | Held::Cut(body), Some(Format::Text))
                if layers.is_empty() =>
            {
                let begin = &self.bytes.window()[body.clone()];
                uuencode::files(&begin[..begin.len().min(HELD)])
            }
            _ => Vec::new(),
        };
        match held {
            Held::Whole(body) if body.len() <= HELD && !files.is_empty() => {
                let part = self.named(entity.message, &entity.body_number());
                for _ in &files {
                    self.unread.pass_over(part.clone(), UnreadReason::Binary);
                }
                self.around(body, files, settings)
            }
            Held::Whole(body) if files.is_empty() && (layers.is_empty() || body.len() <= most) => {
                self.document(body, settings, layers)
            }
            Held::Longer(begin) | Held::Cut(begin) if files.is_empty() && layers.is_empty() => {
                self.streamed(begin, settings)
            }
            Held::Cut(begin) => self.failed(begin.start),
            _ => {
                let message = if layers.is_empty() {
                    format!("files within a text of more than {} MiB", HELD >> 20)
                } else {
                    let most = LONGEST_ENCODED >> 20;
                    format!("longer than {most} MiB in its encoding")
                };
                self.beyond_limit(entity, message);
                Ok(ControlFlow::Continue(()))
            }
        }
    }

    /// Hands over the text around the files within it.
    fn around(
        &mut self,
        body: Range<usize>,
        files: Vec<Range<usize>>,
        settings: &Settings,
    ) -> Flow {
        let mut begin = body.start;
        for file in files {
            let text = begin..body.start + file.start;
            if self.document(text, settings, &[])?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
            begin = body.start + file.end;
            self.pass(begin)?;
        }
        self.document(begin..body.end, settings, &[])
    }

    /// The next body, after handing over the bytes in front of it.
    fn held(&mut self, most: usize) -> Result<Held, Error> {
        loop {
            let held = self.bytes.held(most)?;
            let begin = match &held {
                Held::Whole(body) | Held::Longer(body) | Held::Cut(body) => body.start,
                Held::NotBegun => self.bytes.cursor,
            };
            self.pass(begin)?;
            match held {
                Held::NotBegun => self.bytes.grow(begin)?,
                _ => return Ok(held),
            };
        }
    }

    /// The error of the reader behind a body that is cut off.
    fn failed(&mut self, begin: usize) -> Flow {
        self.bytes.grow(begin)?;
        Ok(ControlFlow::Continue(()))
    }

    /// Hands over a body in windows; its start is at hand.
    fn streamed(&mut self, begin: Range<usize>, settings: &Settings) -> Flow {
        let place = PartPlace::new(
            self.bytes.origin() + begin.start as u64,
            self.bytes.location(begin.start),
            &[],
            &[],
        );
        let number = settings.part.as_ref().map_or("", |part| &part.number);
        let signed = if self.is_covered(number, begin.start) {
            Signed::All
        } else {
            Signed::Nothing
        };
        let signed = with_signed(settings, signed);
        let bytes = &self.bytes.window()[begin.clone()];
        let encrypted = encrypted(&bytes[..bytes.len().min(Info::HEAD)], settings);
        let (info, bom) = open(bytes, false, &signed);
        let error = unknown_charset(&info);
        if error.is_some() {
            self.count(settings, encrypted, error);
            return Ok(ControlFlow::Continue(()));
        }
        let mut reader = BodyReader {
            bytes: &mut self.bytes,
            ready: begin,
            ended: false,
        };
        let flow = self.visitor.part(Part {
            place,
            stream: Some(&mut reader),
            info: Cow::Owned(info),
            bom,
            settings: signed,
        })?;
        // All of it was read, unless the visitor broke off.
        let (ready, ended) = (reader.ready, reader.ended);
        if ended {
            self.passed = self.bytes.origin() + ready.end as u64;
        }
        self.count(settings, encrypted, None);
        Ok(flow)
    }

    /// Reads a body of header fields that is not encoded.
    fn plain_fields(&mut self, entity: &Entity) -> Flow {
        match self.held(HELD)? {
            Held::Whole(body) if body.len() <= HELD => self.fields(entity, body),
            Held::Cut(body) => self.failed(body.start),
            _ => {
                let message = format!("header fields of more than {} MiB", HELD >> 20);
                self.beyond_limit(entity, message);
                Ok(ControlFlow::Continue(()))
            }
        }
    }

    /// Reads header fields in a range of the window: those of a message, or reports in blocks (RFC 3464 2.1).
    pub fn fields(&mut self, entity: &Entity, body: Range<usize>) -> Flow {
        let number = entity.body_number();
        for field in field_places(&self.bytes.window()[body.clone()]) {
            let owner = (entity, &*number);
            if self.field(owner, body.start, &field)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// The number of encrypted messages in a text.
fn encrypted(text: &[u8], settings: &Settings) -> u64 {
    if settings.format == Some(Format::Text) {
        encrypted_texts(text)
    } else {
        0
    }
}

/// The settings for a part of which something is signed, if all of it is not signed already.
fn with_signed(settings: &Settings, signed: Signed) -> Cow<'_, Settings> {
    let own = settings.part.as_ref().map(|part| part.signed);
    if signed == Signed::Nothing || own == Some(Signed::All) {
        return Cow::Borrowed(settings);
    }
    let mut settings = settings.clone();
    if let Some(part) = &mut settings.part {
        Arc::make_mut(part).signed = signed;
    }
    Cow::Owned(settings)
}

/// The line break at the end of the line with a range, or of the line before.
fn line_break(window: &[u8], range: &Range<usize>) -> &'static [u8] {
    let behind = memchr::memchr(b'\n', &window[range.end..]).map(|at| at + range.end);
    let end = behind.or_else(|| memchr::memrchr(b'\n', &window[..range.start]));
    let is_return = |at: usize| at > 0 && window[at - 1] == b'\r';
    if end.is_none_or(is_return) {
        b"\r\n"
    } else {
        b"\n"
    }
}

/// The fields of reports on delivery and disposition with words of servers and readers (RFC 3464 2.3.6, RFC 8098
/// 3.2.7).
const OF_REPORTS: [&[u8]; 4] = [b"diagnostic-code", b"error", b"failure", b"warning"];

/// True for a field whose text is read without a request.
fn is_read(entity: &Entity, name: &[u8]) -> bool {
    !entity.is_message && OF_REPORTS.contains(&name)
}
