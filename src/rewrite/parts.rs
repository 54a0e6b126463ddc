//! Rewrites the parts of a document: each separately, with the encoded bytes of its links in place, and everything else
//! copied.

mod encoder;

use super::document_writer;
use super::left_behind::{Mentions, Search, Searched};
use super::look_ahead::plan_ahead;
use super::mapping::Mapping;
use super::mention::{LeftBehind, MentionPlace};
use super::output::{Done, Located, Moved, Output};
use super::rules::MovedHosts;
use super::transcode::{self, Checked};
use crate::charset::Charset;
use crate::error::Error;
use crate::format::Format;
use crate::link::{Budget, PartPlace, UnreadParts};
use crate::parts::{InnerMail, PartVisitor, UnreadField, applied};
use crate::read::{Flow, Opened};
use encoder::Encoder;
use linkglot_layer::Decoded;
use linkglot_mail::fields::FieldKind;
use std::borrow::Cow;
use std::ops::ControlFlow;

/// Hands on the parts of a document with their links mapped. With `moved`, searches the output for these hosts.
pub(super) struct PartWriter<'m> {
    output: Located<'m>,
    mapping: &'m Mapping,
    moved: Option<&'m MovedHosts>,
    pub done: Done,
    /// The budget of all parts together.
    budget: Budget,
}

impl<'m> PartWriter<'m> {
    pub fn new(
        output: &'m mut dyn Output,
        moved: Option<&'m MovedHosts>,
        mapping: &'m Mapping,
    ) -> Self {
        PartWriter {
            output: Located::new(output, moved.is_some()),
            mapping,
            moved,
            done: Done::default(),
            budget: Budget::default(),
        }
    }
}

impl PartVisitor for PartWriter<'_> {
    fn between(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.output.bytes(bytes)
    }

    fn looks_at_fields(&self) -> bool {
        self.moved.is_some()
    }

    fn field(&mut self, field: &UnreadField<'_, '_>) {
        if let Some(moved) = self.moved {
            let place = field.place_at(self.output.location());
            let found = search_field(moved, &place, field);
            self.done.left_behind.append(found);
        }
    }

    fn opened(&mut self, document: Opened<'_, '_>) -> Flow {
        let document = document.within(&self.budget);
        let place = document.input.place;
        let done = match place.filter(|place| !place.layers.is_empty()) {
            Some(place) => self.encoded(document, place)?,
            None => self.plain(document)?,
        };
        self.done.append(done);
        Ok(ControlFlow::Continue(()))
    }

    fn inner(&mut self, mail: InnerMail<'_>, unread: &mut UnreadParts) -> Flow {
        let place = &mail.place;
        let mut encoder = Encoder::new(place, &mut self.output);
        let mut inner = PartWriter {
            budget: self.budget.clone(),
            ..PartWriter::new(&mut encoder, None, self.mapping)
        };
        let flow = mail.read(&mut inner, unread)?;
        self.done.append(inner.done);
        let (edits, _) = encoder.finish()?;
        let new = applied(&place.encoded, &edits);
        if let Some(moved) = self.moved {
            let mut searcher = Searcher {
                moved,
                left_behind: LeftBehind::default(),
            };
            let mail = mail.replaced(&new, self.output.location());
            let _ = searcher.inner(mail, &mut UnreadParts::default())?;
            self.done.left_behind.append(searcher.left_behind);
        }
        self.output.bytes(&new)?;
        Ok(flow)
    }
}

/// Searches a written message for mentions of moved hosts.
struct Searcher<'m> {
    moved: &'m MovedHosts,
    left_behind: LeftBehind,
}

impl PartVisitor for Searcher<'_> {
    fn between(&mut self, _: &[u8]) -> Result<(), Error> {
        Ok(())
    }

    fn looks_at_fields(&self) -> bool {
        true
    }

    fn field(&mut self, field: &UnreadField<'_, '_>) {
        let found = search_field(self.moved, &field.place(), field);
        self.left_behind.append(found);
    }

    fn opened(&mut self, document: Opened<'_, '_>) -> Flow {
        if let Some(place) = document.input.place {
            let moved = self.moved;
            let search = Search {
                moved,
                place,
                field: None,
            };
            let info = document.info;
            let found = Mentions::new(search, (info.format, info.charset)).of_document();
            self.left_behind.append(found);
        }
        Ok(ControlFlow::Continue(()))
    }

    fn inner(&mut self, mail: InnerMail<'_>, unread: &mut UnreadParts) -> Flow {
        mail.read(self, unread)
    }
}

/// Searches a field of a header that is not read for links. Identifiers and traces stay as they are.
fn search_field(
    moved: &MovedHosts,
    place: &PartPlace<'_>,
    field: &UnreadField<'_, '_>,
) -> LeftBehind {
    if field.is_record() {
        return LeftBehind::default();
    }
    let kind = match field.kind {
        FieldKind::Text => MentionPlace::HeaderText,
        FieldKind::Links(_) | FieldKind::Never => MentionPlace::Header,
    };
    let search = Search {
        moved,
        place,
        field: Some(kind),
    };
    Mentions::new(search, (Format::Text, Charset::UTF_8)).of_document()
}

impl PartWriter<'_> {
    /// Hands on a document without an encoding.
    fn plain(&mut self, document: Opened<'_, '_>) -> Result<Done, Error> {
        let origin = document.input.place.map_or(0, |place| place.origin);
        let place = PartPlace::new(0, self.output.location(), &[], &[]);
        let search = self.moved.map(|moved| Search {
            moved,
            place: &place,
            field: None,
        });
        if origin == 0 {
            return write(document, &mut self.output, search, self.mapping);
        }
        let mut output = Moved {
            output: &mut self.output,
            origin,
        };
        write(document, &mut output, search, self.mapping)
    }

    /// Hands on a document in one encoding or several.
    fn encoded(&mut self, document: Opened<'_, '_>, place: &PartPlace<'_>) -> Result<Done, Error> {
        let info = document.info;
        let mut encoder = Encoder::new(place, &mut self.output);
        let mut done = write(document, &mut encoder, None, self.mapping)?;
        let (edits, left) = encoder.finish()?;
        let new = applied(&place.encoded, &edits);
        if let Some(moved) = self.moved {
            let layers: Vec<_> = place.layers.iter().map(Decoded::layer).collect();
            let place = &PartPlace::new(0, self.output.location(), &new, &layers);
            let search = Search {
                moved,
                place,
                field: None,
            };
            let mentions = Mentions::new(search, (info.format, info.charset));
            done.left_behind = mentions.with_left(left).of_document();
        }
        self.output.bytes(&new)?;
        Ok(done)
    }
}

/// Hands on an opened document with its links mapped. With `search`, searches the output for moved hosts.
fn write(
    document: Opened<'_, '_>,
    output: &mut dyn Output,
    search: Option<Search<'_>>,
    mapping: &Mapping,
) -> Result<Done, Error> {
    let Some(search) = search else {
        return write_mapped(document, output, mapping);
    };
    let charset = mapping.to_charset.unwrap_or(document.info.charset);
    let of = (document.info.format, charset);
    let mut searched = Searched {
        output,
        mentions: Mentions::new(search, of),
    };
    let done = write_mapped(document, &mut searched, mapping)?;
    Ok(Done {
        left_behind: searched.mentions.end(),
        ..done
    })
}

/// Hands on an opened document with its links mapped.
fn write_mapped(
    mut document: Opened<'_, '_>,
    output: &mut dyn Output,
    mapping: &Mapping,
) -> Result<Done, Error> {
    let Opened { info, bom, .. } = document;
    let to = mapping.to_charset.filter(|to| *to != info.charset);
    if let Some(to) = to.filter(|_| info.unknown_charset.is_none()) {
        return transcode::run(document, output, mapping, to);
    }
    let same_charset = mapping.to_charset.map(|_| Mapping {
        to_charset: None,
        ..mapping.clone()
    });
    let mapping = same_charset.as_ref().unwrap_or(mapping);
    let planner = plan_ahead(Cow::Borrowed(mapping), &mut document)?;
    let is_text = same_charset.is_some() && info.unknown_charset.is_none();
    let matched = if !is_text {
        document_writer::write(document, planner, output)?
    } else {
        let mut checked = Checked::new(output, info.charset, bom);
        let matched = document_writer::write(document, planner, &mut checked)?;
        checked.end()?;
        matched
    };
    Ok(Done {
        matched,
        ..Done::default()
    })
}
