//! Rewrites messages: each document on its own, the encoded bytes of its links in place, and everything else copied.

use super::document_writer::Each;
use super::left_behind::MovedHosts;
use super::mapping::Mapping;
use super::run::{self, Search, is_left_signed};
use super::{Edit, LeftBehind, Outcome, Summary, Tally};
use crate::error::{Error, ErrorKind};
use crate::link::{Budget, Info, Link, Location, Settings, UnreadParts};
use crate::mail::{self, InnerMail, MailDocument, MailVisitor, Opened, Visit};
use crate::report::{Note, Notes};
use crate::span::SourceSpan;
use crate::stream::{Flow, Input, PartPlace};
use linkglot_layer::{Decoded, Reencoder, Unencodable};
use std::collections::{BTreeMap, VecDeque};
use std::io::{self, Write};
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

/// Reads the message or mailbox in `input` to its end and writes it with the links of its documents mapped. With
/// `moved`, what is written is searched for these hosts.
pub(super) fn run(
    input: Input<'_>,
    writer: &mut dyn Write,
    (info, bom, moved): (Info, usize, Option<&MovedHosts>),
    (settings, mapping): (&Settings, &Mapping),
    each: Each<'_>,
) -> Result<Summary, Error> {
    let mut signed = 0;
    let mut each = |outcome: &Outcome<'_>, info: &Info| {
        signed += u64::from(is_left_signed(outcome));
        each(outcome, info);
    };
    let mut message = MessageWriter {
        writer: Written {
            writer,
            line: 1,
            column: 1,
            counts: moved.is_some(),
        },
        mapping,
        moved,
        each: &mut each,
        done: Done::default(),
        budget: Budget::default(),
    };
    let unread = mail::read(input, (&info, bom), settings, &mut message)?;
    message.writer.flush()?;
    let done = message.done;
    Ok(Summary {
        info: Info { unread, ..info },
        tally: done.tally,
        matched: done.matched,
        transcoded: None,
        signed,
        unsure: 0,
        contradicting: 0,
        left_behind: done.left_behind,
        error: None,
    })
}

struct MessageWriter<'m> {
    writer: Written<'m>,
    mapping: &'m Mapping,
    moved: Option<&'m MovedHosts>,
    each: Each<'m>,
    done: Done,
    /// The budget that all documents share.
    budget: Budget,
}

/// The counts of the documents so far.
#[derive(Default)]
struct Done {
    tally: Tally,
    matched: BTreeMap<usize, u64>,
    left_behind: LeftBehind,
}

impl Done {
    /// Adds documents, of whose links so many could not be encoded.
    fn append(&mut self, other: Done, refused: u64) {
        self.tally.links += other.tally.links;
        self.tally.changed += other.tally.changed - refused;
        self.tally.left += other.tally.left + refused;
        self.tally.names += other.tally.names;
        for (rule, count) in other.matched {
            *self.matched.entry(rule).or_default() += count;
        }
        self.left_behind.append(other.left_behind);
    }
}

/// Counts the lines of what is written, if that is asked for.
struct Written<'w> {
    writer: &'w mut dyn Write,
    line: u64,
    column: u64,
    counts: bool,
}

impl Written<'_> {
    fn location(&self) -> Location {
        Location {
            line: self.line,
            column: self.column,
        }
    }
}

impl Write for Written<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write_all(bytes)?;
        if self.counts {
            let lines = memchr::memchr_iter(b'\n', bytes).count() as u64;
            let behind = memchr::memrchr(b'\n', bytes).map_or(0, |at| at + 1);
            self.line += lines;
            self.column = match lines {
                0 => self.column,
                _ => 1,
            } + (bytes.len() - behind) as u64;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

impl MailVisitor for MessageWriter<'_> {
    fn between(&mut self, bytes: &[u8]) -> Result<(), Error> {
        Ok(self.writer.write_all(bytes)?)
    }

    fn document(&mut self, document: MailDocument<'_>) -> Result<Visit, Error> {
        let whole = document.bytes();
        let budget = self.budget.clone();
        let visit = document.read(&mut |opened| self.opened(opened.within(&budget)))?;
        if let (Visit::Unread(_), Some(bytes)) = (&visit, whole) {
            self.writer.write_all(bytes)?;
        }
        Ok(visit)
    }

    fn inner(&mut self, mail: InnerMail<'_>, unread: &mut UnreadParts) -> Flow {
        let place = Arc::new(mail.place());
        let mut encoder = Encoder::new(&place, &mut *self.each);
        let mut refused = 0;
        let mut each = |outcome: &Outcome<'_>, info: &Info| {
            refused += u64::from(encoder.take(outcome, info).is_err());
        };
        let mut inner = MessageWriter {
            writer: Written {
                writer: &mut io::sink(),
                line: 1,
                column: 1,
                counts: false,
            },
            mapping: self.mapping,
            moved: None,
            each: &mut each,
            done: Done::default(),
            budget: self.budget.clone(),
        };
        let flow = mail.read(&place, &mut inner, unread)?;
        self.done.append(inner.done, refused);
        let new = applied(&place.encoded, &encoder.finish().map_err(unencodable)?);
        if let Some(moved) = self.moved {
            let mut searcher = Searcher {
                moved,
                left_behind: LeftBehind::default(),
            };
            let mail = mail.replaced(&new, self.writer.location());
            let _ = searcher.inner(mail, &mut UnreadParts::default())?;
            self.done.left_behind.append(searcher.left_behind);
        }
        self.writer.write_all(&new)?;
        Ok(flow)
    }
}

/// Searches a message that is written already for what still mentions moved hosts.
struct Searcher<'m> {
    moved: &'m MovedHosts,
    left_behind: LeftBehind,
}

impl MailVisitor for Searcher<'_> {
    fn between(&mut self, _: &[u8]) -> Result<(), Error> {
        Ok(())
    }

    fn document(&mut self, document: MailDocument<'_>) -> Result<Visit, Error> {
        document.read(&mut |opened| {
            if let Some(place) = opened.input.place {
                let moved = self.moved;
                let found = run::search(Search { moved, place }, opened.info)?;
                self.left_behind.append(found);
            }
            Ok(ControlFlow::Continue(()))
        })
    }

    fn inner(&mut self, mail: InnerMail<'_>, unread: &mut UnreadParts) -> Flow {
        let place = Arc::new(mail.place());
        mail.read(&place, self, unread)
    }
}

impl MessageWriter<'_> {
    fn opened(&mut self, document: Opened<'_, '_>) -> Flow {
        let (done, refused) = match document
            .input
            .place
            .filter(|place| !place.layers.is_empty())
        {
            Some(place) => self.encoded(document, place)?,
            None => (self.plain(document)?, 0),
        };
        self.done.append(done, refused);
        Ok(ControlFlow::Continue(()))
    }

    /// Writes a document that is not encoded.
    fn plain(&mut self, document: Opened<'_, '_>) -> Result<Done, Error> {
        let origin = document.input.place.map_or(0, |place| place.origin);
        let each = &mut self.each;
        let mut each = |outcome: &Outcome<'_>, info: &Info| {
            let edits = outcome.edits.iter();
            let edits: Vec<Edit> = edits
                .map(|edit| Edit {
                    span: SourceSpan {
                        start: edit.span.start + origin,
                        end: edit.span.end + origin,
                    },
                    bytes: edit.bytes.clone(),
                })
                .collect();
            each(
                &Outcome {
                    edits: &edits,
                    ..*outcome
                },
                info,
            );
        };
        let place = PartPlace::new(0, self.writer.location(), &[], &[]);
        let search = self.moved.map(|moved| Search {
            moved,
            place: &place,
        });
        let (writer, mapping) = (&mut self.writer, self.mapping);
        let summary = run::run_opened(document, writer, search, mapping, &mut each)?;
        Ok(summary.into())
    }

    /// Writes a document that stands in the message in one encoding or several. Returns the number of its links that
    /// could not be encoded, too.
    fn encoded(
        &mut self,
        document: Opened<'_, '_>,
        place: &PartPlace<'_>,
    ) -> Result<(Done, u64), Error> {
        let info = document.info;
        let mut encoder = Encoder::new(place, &mut *self.each);
        let mut refused = 0;
        let mut each = |outcome: &Outcome<'_>, info: &Info| {
            refused += u64::from(encoder.take(outcome, info).is_err());
        };
        let mut summary =
            run::run_opened(document, &mut io::sink(), None, self.mapping, &mut each)?;
        let edits = encoder.finish().map_err(unencodable)?;
        let new = applied(&place.encoded, &edits);
        if let Some(moved) = self.moved {
            let layers: Vec<_> = place.layers.iter().map(Decoded::layer).collect();
            let place = PartPlace::new(0, self.writer.location(), &new, &layers);
            summary.left_behind = run::search(
                Search {
                    moved,
                    place: &place,
                },
                info,
            )?;
        }
        self.writer.write_all(&new)?;
        Ok((summary.into(), refused))
    }
}

impl From<Summary> for Done {
    fn from(summary: Summary) -> Self {
        Done {
            tally: summary.tally,
            matched: summary.matched,
            left_behind: summary.left_behind,
        }
    }
}

fn unencodable(_: Unencodable) -> Error {
    Error::new(ErrorKind::Io, "expected bytes that can be encoded")
}

/// The bytes with edits, which are in order and disjoint.
fn applied(bytes: &[u8], edits: &[linkglot_layer::Edit]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    for edit in edits {
        out.extend_from_slice(&bytes[at..edit.range.start]);
        out.extend_from_slice(&edit.bytes);
        at = edit.range.end;
    }
    out.extend_from_slice(&bytes[at..]);
    out
}

/// Encodes the edits of a document, and hands over outcomes once their edits are settled.
struct Encoder<'e> {
    place: &'e PartPlace<'e>,
    /// The document of the last outcome.
    info: Option<Arc<Info>>,
    each: Each<'e>,
    /// The edits of each layer, outermost first.
    layers: Vec<LayerEdits<'e>>,
    waiting: VecDeque<Waiting>,
    /// Number of outcomes that were handed over.
    done: usize,
    /// The outcome of the last edit that is settled: those before it get no more.
    settled: usize,
    edits: Vec<linkglot_layer::Edit>,
    /// True if a change loses nothing that decoding dropped; `None` before the first.
    is_clean: Option<bool>,
}

/// The edits of a layer.
struct LayerEdits<'e> {
    reencoder: Reencoder<'e>,
    /// The outcome that each edit belongs to.
    owners: Vec<usize>,
}

/// An outcome whose edits may not be settled.
struct Waiting {
    info: Arc<Info>,
    link: Link<'static>,
    new: Option<String>,
    notes: Notes,
    rule: Option<usize>,
    edits: Vec<Edit>,
}

impl<'e> Encoder<'e> {
    fn new(place: &'e PartPlace<'e>, each: Each<'e>) -> Self {
        let layers = place.layers.iter().map(|layer| LayerEdits {
            reencoder: layer.edits_with_line_break(place.line_break),
            owners: Vec::new(),
        });
        Encoder {
            layers: layers.collect(),
            place,
            info: None,
            each,
            waiting: VecDeque::new(),
            done: 0,
            settled: 0,
            edits: Vec::new(),
            is_clean: None,
        }
    }

    /// Takes an outcome. An error says that its new text cannot be encoded: the link is left.
    fn take(&mut self, outcome: &Outcome<'_>, info: &Info) -> Result<(), Unencodable> {
        let owner = self.done + self.waiting.len();
        let info = self.shared(info);
        self.waiting.push_back(Waiting {
            info,
            link: outcome.link.clone().into_owned(),
            new: outcome.new.map(str::to_owned),
            notes: outcome.notes,
            rule: outcome.rule,
            edits: Vec::new(),
        });
        let taken = match outcome.new {
            // Its edits may be those of a link beside it, with which it was encoded together in a message inside.
            Some(_) if !self.is_clean() => Err(Unencodable),
            _ => self.encode(owner, outcome.edits),
        };
        if let (Err(_), Some(own)) = (&taken, self.waiting.back_mut()) {
            own.new = None;
            own.notes.insert(Note::LeftUnencodable);
        }
        self.hand_over(self.settled);
        taken
    }

    /// A copy of what is known of a document, for all of its outcomes.
    fn shared(&mut self, info: &Info) -> Arc<Info> {
        let last = self.info.take().filter(|last| last.is_of_part(info));
        let shared = last.unwrap_or_else(|| Arc::new(info.clone()));
        self.info = Some(Arc::clone(&shared));
        shared
    }

    /// True if a change loses nothing that decoding dropped.
    fn is_clean(&mut self) -> bool {
        let place = self.place;
        *self
            .is_clean
            .get_or_insert_with(|| place.layers.iter().all(Decoded::is_clean))
    }

    /// Encodes the edits of a link: as one where a part of them could fail.
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

    /// Replaces bytes of what a layer was decoded to.
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

    /// Hands an edit of a layer to the one around it.
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
            own.edits.push(Edit {
                span: SourceSpan::of_window(self.place.origin, &edit.range),
                bytes: edit.bytes.clone(),
            });
        }
        self.edits.push(edit);
        Ok(())
    }

    /// Hands over the outcomes up to the one with this number.
    fn hand_over(&mut self, to: usize) {
        while self.done < to {
            let Some(own) = self.waiting.pop_front() else {
                return;
            };
            self.done += 1;
            let outcome = Outcome {
                link: &own.link,
                new: own.new.as_deref(),
                edits: &own.edits,
                notes: own.notes,
                rule: own.rule,
            };
            (self.each)(&outcome, &own.info);
        }
    }

    /// Settles what is left; all edits.
    ///
    /// # Errors
    ///
    /// When a layer cannot encode what the one inside of it wrote: all of these take any bytes.
    fn finish(mut self) -> Result<Vec<linkglot_layer::Edit>, Unencodable> {
        while let Some(LayerEdits { reencoder, owners }) = self.layers.pop() {
            let mut settled = Vec::new();
            reencoder.finish(&mut settled);
            for edit in settled {
                let owner = owners[edit.number];
                self.settle(self.layers.len(), owner, edit)?;
            }
        }
        self.hand_over(usize::MAX);
        Ok(self.edits)
    }
}
