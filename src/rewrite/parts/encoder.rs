//! The stage that encodes the edits of a part in one encoding or several.

use crate::error::{Error, ErrorKind};
use crate::link::{Info, PartPlace};
use crate::notes::Note;
use crate::rewrite::left_behind::LeftLinks;
use crate::rewrite::output::{Output, OwnedOutcome};
use crate::rewrite::{Edit, Outcome};
use crate::span::SourceSpan;
use linkglot_layer::{Decoded, Reencoder, Unencodable};
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

fn unencodable(_: Unencodable) -> Error {
    Error::new(ErrorKind::Io, "expected bytes that can be encoded")
}

/// The stage that encodes the edits of a document, and hands on links once their edits are settled. It does not hand on
/// the bytes between edits: the message has them.
pub(super) struct Encoder<'e> {
    place: &'e PartPlace<'e>,
    output: &'e mut dyn Output,
    /// The document of the last outcome.
    info: Option<Arc<Info>>,
    /// The edits of each layer, outermost first.
    layers: Vec<LayerEdits<'e>>,
    waiting: VecDeque<Pending>,
    /// Number of outcomes that were handed over.
    done: usize,
    /// The outcome of the last settled edit: earlier outcomes get no more edits.
    settled: usize,
    edits: Vec<linkglot_layer::Edit>,
    left: LeftLinks,
    /// Tells if changes can be written in all layers; `None` before the first change.
    is_writable: Option<bool>,
}

/// The edits of a layer.
struct LayerEdits<'e> {
    reencoder: Reencoder<'e>,
    /// The outcome of each edit.
    owners: Vec<usize>,
}

/// An outcome with edits that may not be settled.
struct Pending {
    info: Arc<Info>,
    /// The outcome, with the edits that are settled.
    outcome: OwnedOutcome,
    /// True if edits were accepted, which may not be settled.
    has_edits: bool,
}

impl Output for Encoder<'_> {
    fn bytes(&mut self, _: &[u8]) -> Result<(), Error> {
        Ok(())
    }

    /// Encodes the edits of a link. If that fails, the link is left.
    fn link(&mut self, outcome: &Outcome<'_>, info: &Info) -> Result<(), Error> {
        let owner = self.done + self.waiting.len();
        let info = self.shared(info);
        let unsettled = Outcome {
            edits: &[],
            ..*outcome
        };
        self.waiting.push_back(Pending {
            info,
            outcome: OwnedOutcome::of(&unsettled),
            has_edits: !outcome.edits.is_empty(),
        });
        let taken = match outcome.new {
            // The edits may include those of the next link, which was encoded together with this link in an inner
            // message.
            Some(_) if !self.is_writable() => Err(Unencodable),
            _ => self.encode(owner, outcome.edits),
        };
        if let (Err(_), Some(own)) = (&taken, self.waiting.back_mut()) {
            own.outcome.new = None;
            own.outcome.notes.insert(Note::LeftUnencodable);
            own.has_edits = false;
        }
        self.hand_over(self.settled)
    }

    fn seen(&mut self, links: u64) {
        self.output.seen(links);
    }
}

impl<'e> Encoder<'e> {
    pub fn new(place: &'e PartPlace<'e>, output: &'e mut dyn Output) -> Self {
        let layers = place.layers.iter().map(|layer| LayerEdits {
            reencoder: layer.edits_in_line(place.line_break, place.column),
            owners: Vec::new(),
        });
        Encoder {
            layers: layers.collect(),
            place,
            output,
            info: None,
            waiting: VecDeque::new(),
            done: 0,
            settled: 0,
            edits: Vec::new(),
            left: LeftLinks::default(),
            is_writable: None,
        }
    }

    /// A copy of the properties of a document, for all of its outcomes.
    fn shared(&mut self, info: &Info) -> Arc<Info> {
        let last = self.info.take().filter(|last| last.is_of_part(info));
        let shared = last.unwrap_or_else(|| Arc::new(info.clone()));
        self.info = Some(Arc::clone(&shared));
        shared
    }

    /// True if changes can be written in all layers.
    fn is_writable(&mut self) -> bool {
        let place = self.place;
        *self
            .is_writable
            .get_or_insert_with(|| place.layers.iter().all(Decoded::is_writable))
    }

    /// Encodes the edits of a link, as a single edit if a part of them could fail.
    fn encode(&mut self, owner: usize, edits: &[Edit]) -> Result<(), Unencodable> {
        let range = |edit: &Edit| edit.span.start as usize..edit.span.end as usize;
        if let ([first, .., last], true) = (edits, self.place.may_fail()) {
            let whole = range(first).start..range(last).end;
            let bytes = self.place.bytes();
            let mut new = Vec::new();
            let mut at = whole.start;
            for edit in edits {
                new.extend_from_slice(&bytes[at..range(edit).start]);
                new.extend_from_slice(&edit.bytes);
                at = range(edit).end;
            }
            return self.encode_one(owner, whole, new);
        }
        for edit in edits {
            self.encode_one(owner, range(edit), edit.bytes.clone())?;
        }
        Ok(())
    }

    /// Replaces bytes of the document.
    fn encode_one(
        &mut self,
        owner: usize,
        range: Range<usize>,
        bytes: Vec<u8>,
    ) -> Result<(), Unencodable> {
        let edit = linkglot_layer::Edit {
            range,
            bytes,
            number: 0,
        };
        self.settle(self.layers.len(), owner, edit)
    }

    /// Replaces bytes of a decoded layer.
    fn replace(
        &mut self,
        layer: usize,
        owner: usize,
        range: Range<usize>,
        new: &[u8],
    ) -> Result<(), Unencodable> {
        let mut settled = Vec::new();
        let edits = &mut self.layers[layer];
        edits.owners.push(owner);
        edits.reencoder.replace(range, new, &mut settled)?;
        for edit in settled {
            let owner = self.layers[layer].owners[edit.number];
            self.settle(layer, owner, edit)?;
        }
        Ok(())
    }

    /// Hands an edit of a layer to the layer around it.
    fn settle(
        &mut self,
        layer: usize,
        owner: usize,
        edit: linkglot_layer::Edit,
    ) -> Result<(), Unencodable> {
        if let Some(outer) = layer.checked_sub(1) {
            return self.replace(outer, owner, edit.range, &edit.bytes);
        }
        self.settled = owner;
        let own = owner.checked_sub(self.done);
        if let Some(own) = own.and_then(|own| self.waiting.get_mut(own)) {
            own.outcome.edits.push(Edit {
                span: SourceSpan::of_window(self.place.origin, &edit.range),
                bytes: edit.bytes.clone(),
            });
        }
        self.edits.push(edit);
        Ok(())
    }

    /// Hands over the outcomes up to this number, and the next ones without edits.
    fn hand_over(&mut self, to: usize) -> Result<(), Error> {
        let is_done = |own: &Pending, done| done < to || !own.has_edits;
        while self
            .waiting
            .front()
            .is_some_and(|own| is_done(own, self.done))
        {
            let Some(own) = self.waiting.pop_front() else {
                break;
            };
            self.done += 1;
            let outcome = own.outcome.borrowed();
            self.left.add(&outcome);
            self.output.link(&outcome, &own.info)?;
        }
        Ok(())
    }

    /// Settles the rest; returns all edits, and the links that were left.
    ///
    /// # Errors
    ///
    /// Errors if a layer cannot encode the output of the layer inside of it. That does not happen: outer layers take
    /// any bytes.
    pub fn finish(mut self) -> Result<(Vec<linkglot_layer::Edit>, LeftLinks), Error> {
        while let Some(LayerEdits { reencoder, owners }) = self.layers.pop() {
            let mut settled = Vec::new();
            reencoder.finish(&mut settled);
            for edit in settled {
                let owner = owners[edit.number];
                self.settle(self.layers.len(), owner, edit)
                    .map_err(unencodable)?;
            }
        }
        self.hand_over(usize::MAX)?;
        Ok((self.edits, self.left))
    }
}
