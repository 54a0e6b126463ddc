//! A message, or header fields, encoded within a message.
//!
//! Its bytes are decoded and read like those of the message around it: its documents are parts of that message, with
//! positions and numbers in it.

use super::Walk;
use crate::format::Format;
use crate::link::{Location, PartPlace, Settings, UnreadParts};
use crate::parts::PartVisitor;
use crate::parts::mail::bytes::Bytes;
use crate::read::Flow;
use linkglot_layer::{Decoded, Layer};
use linkglot_mail::structure::{Entity, MailReader};
use std::sync::Arc;

/// The body of a part that is mail once it is decoded. Cheap to clone.
#[derive(Clone)]
pub(crate) struct InnerMail<'p> {
    /// The place, with the decoded bytes.
    pub place: Arc<PartPlace<'p>>,
    /// The number of encoded bytes that the signatures around them cover.
    pub covered: u64,
    pub kind: InnerKind<'p>,
    pub format: Format,
    pub settings: &'p Settings,
    /// The number of decoded bytes around the body.
    pub held: usize,
}

/// The way to read the decoded bytes.
#[derive(Clone)]
pub(crate) enum InnerKind<'p> {
    /// As a message, by this reader.
    Message(Box<MailReader>),
    /// As header fields: the body of this part.
    Fields(&'p Entity),
}

impl<'p> InnerMail<'p> {
    /// Puts other encoded bytes in place of these, at the start of a source.
    pub fn replaced<'n>(&self, encoded: &'n [u8], begin: Location) -> InnerMail<'n>
    where
        'p: 'n,
    {
        let layers: Vec<Layer> = self.place.layers.iter().map(Decoded::layer).collect();
        InnerMail {
            place: Arc::new(PartPlace::new(0, begin, encoded, &layers)),
            ..self.clone()
        }
    }

    /// Hands the parts of the body to `visitor`. Adds unread parts to `unread`.
    ///
    /// # Errors
    ///
    /// Errors of the visitor.
    pub fn read(&self, visitor: &mut dyn PartVisitor, unread: &mut UnreadParts) -> Flow {
        let place = &self.place;
        let (reader, entity) = match &self.kind {
            InnerKind::Message(reader) => (MailReader::clone(reader), None),
            // The reader is not asked.
            InnerKind::Fields(entity) => (MailReader::of_body(entity, &[]), Some(*entity)),
        };
        let bytes = Bytes::inside(place, reader, self.settings.locate);
        let mut walk = Walk::new(bytes, (self.format, self.settings), visitor);
        walk.covered = place.decoded_at(self.covered);
        walk.held = self.held + place.bytes().len();
        let flow = match entity {
            Some(entity) => walk.fields(entity, 0..place.bytes().len()),
            None => walk.run(),
        };
        unread.append(walk.unread);
        flow
    }
}
