//! Writes a document in another charset: it is decoded, its links are rewritten, and the result is encoded.
//!
//! In between the document is UTF-8, so that only necessary links change: links whose query stands for octets of the
//! old charset, and links with characters that the new charset lacks.

mod covered;
mod decoder;
mod encoder;
mod forms;

use super::mapping::{Mapping, Transport};
use super::other_charset::OldQueries;
use super::output::{Done, Output};
use super::plan::Planner;
use super::{Edit, Outcome, document_writer, format_guess, signed_document};
use crate::charset::{Certainty, Charset, DeclarationSyntax, MailCharsets, ViewMap};
use crate::error::{Error, ErrorKind};
use crate::format::Format;
use crate::iri::ToUri;
use crate::link::{Info, Link, Queries, QueryCharsets, Settings, Signed, SignedText, scheme_of};
use crate::notes::{Note, Notes};
use crate::read::{Input, Opened};
use crate::span::SourceSpan;
use covered::CoveredText;
pub(super) use decoder::Checked;
use decoder::Decoder;
use forms::FormWriter;
use std::borrow::Cow;
use std::cell::RefCell;
use std::io::Write;
use std::rc::Rc;

/// Reads a document to its end and hands it on in the charset `to`, with its links mapped.
pub(super) fn run(
    document: Opened<'_, '_>,
    output: &mut dyn Output,
    mapping: &Mapping,
    to: Charset,
) -> Result<Done, Error> {
    let Opened { info, bom, .. } = document;
    if is_message(&document.input, info) {
        return Err(refused_message());
    }
    let settings = &Settings {
        locate: true,
        ..document.settings.clone()
    };
    let mut document = Opened {
        settings,
        ..document
    };
    let read = info.decoded();
    let mut planner = Planner::new(Cow::Borrowed(mapping), info, settings);
    if signed_document::is_signed(&mut document, mapping)? {
        if info.is_hypertext || info.format != Format::Xml {
            return Err(refused_signed());
        }
        planner.signed = Signed::All;
    }
    let changes_ascii = !(info.charset.is_ascii_compatible() && to.is_ascii_compatible());
    let keeps_signatures = mapping.transport == Transport::Kept;
    let signed = keeps_signatures.then(|| SignedText::with_values(info.format));
    let covered = CoveredText::new(signed, changes_ascii);
    let kept = longest_window(info, settings);
    let mut decoder = Decoder::new(
        document.input,
        (info.charset, bom),
        info.known_to_read(),
        kept,
        covered,
    );
    let mut encoded = Encoded {
        output,
        info,
        to,
        forms: FormWriter::new(info, to),
        positions: decoder.positions(),
        targets: Targets::new(info, to, settings),
        has_changed: false,
        lost: None,
    };
    let mut text = Opened {
        input: Input::of_reader(&mut decoder)?,
        info: &read,
        bom: 0,
        settings,
    };
    planner.keeps_format = format_guess::keeps_format(&mut text, mapping)?;
    let matched = document_writer::write(text, planner, &mut encoded)?;
    if let Some(error) = encoded.lost.take() {
        return Err(error);
    }
    let is_guess = info.certainty == Certainty::Unsure && !decoder.is_ascii();
    if is_guess || !decoder.is_known() {
        return Err(unsure(info));
    }
    let has_changed = encoded.end(settings)?;
    let is_same = decoder.is_ascii() && to.is_ascii_compatible();
    Ok(Done {
        matched,
        transcoded: (has_changed || !is_same).then_some(to),
        ..Done::default()
    })
}

/// The stage that encodes a document from UTF-8. It gives links their positions in the source, and edits in the new
/// charset.
struct Encoded<'o> {
    output: &'o mut dyn Output,
    info: &'o Info,
    to: Charset,
    forms: FormWriter,
    positions: Rc<RefCell<ViewMap>>,
    targets: Targets,
    /// True if a link changed.
    has_changed: bool,
    /// The error for the first link that cannot be kept.
    lost: Option<Error>,
}

impl Output for Encoded<'_> {
    fn bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.forms.write_all(bytes)?;
        self.hand_on()
    }

    fn link(&mut self, outcome: &Outcome<'_>, _: &Info) -> Result<(), Error> {
        self.has_changed |= outcome.new.is_some();
        // A doubtful link and a name count as text.
        let names = Notes::from_iter([Note::LeftName, Note::LeftIdentifier]);
        let is_text = outcome.notes.intersects(names);
        let is_lost = outcome.new.is_none() && !is_text;
        if is_lost && self.targets.depend_on_charset(outcome.link) {
            self.lost.get_or_insert_with(|| self.targets.lost(outcome));
        }
        let positions = self.positions.borrow();
        let source = |span: SourceSpan| SourceSpan {
            start: positions.source(span.start),
            end: positions.source(span.end),
        };
        let link = outcome.link.at(source(outcome.link.span()));
        let edits = outcome.edits.iter().map(|edit| Edit {
            span: source(edit.span),
            bytes: encoder::encoded(&edit.bytes, self.to),
        });
        let edits: Vec<Edit> = edits.collect();
        let outcome = Outcome {
            link: &link,
            edits: &edits,
            ..*outcome
        };
        self.output.link(&outcome, self.info)
    }

    fn seen(&mut self, links: u64) {
        self.output.seen(links);
    }
}

impl Encoded<'_> {
    fn hand_on(&mut self) -> Result<(), Error> {
        let bytes = &mut self.forms.encoder.bytes;
        if !bytes.is_empty() {
            self.output.bytes(bytes)?;
            bytes.clear();
        }
        Ok(())
    }

    /// Hands on the rest; returns true if a link, a form or a declaration changed.
    fn end(mut self, settings: &Settings) -> Result<bool, Error> {
        let has_forms = self.forms.finish()?;
        let is_declared = self.forms.encoder.finish(settings);
        self.hand_on()?;
        Ok(is_declared? || has_forms || self.has_changed)
    }
}

/// Finds links that would have another target in the new charset, although their characters stay.
struct Targets {
    old: OldQueries,
    new: QueryCharsets,
}

impl Targets {
    fn new(info: &Info, to: Charset, settings: &Settings) -> Self {
        let base = info.base.as_deref().and_then(scheme_of);
        let to_uri = ToUri {
            base_scheme: base.map(str::to_owned),
            ..ToUri::default()
        };
        Targets {
            old: OldQueries::new(info, &to_uri),
            new: info.in_charset(to, settings).query_charsets,
        }
    }

    fn depend_on_charset(&self, link: &Link<'_>) -> bool {
        let queries = Queries::at(link.place(), link.layers());
        let reference = link.reference();
        self.old
            .concern(&reference, queries, link.access(), self.new)
    }

    /// The error for a link that cannot be kept.
    fn lost(&self, outcome: &Outcome<'_>) -> Error {
        let place = outcome.link.location();
        let place = place.map_or(String::new(), |at| format!("{}:{}: ", at.line, at.column));
        let shown: String = outcome
            .link
            .text()
            .chars()
            .filter(|ch| !ch.is_control())
            .take(80)
            .collect();
        let old = self.old.charset().name();
        let message = format!(
            "{place}the query of `{shown}` counts as octets of {old}, and cannot be percent-encoded at this place"
        );
        Error::new(ErrorKind::Transcoding, message)
    }
}

/// The error for a message.
pub(super) fn refused_message() -> Error {
    Error::new(
        ErrorKind::Transcoding,
        "a message cannot get another charset: each of its parts has its own",
    )
}

/// The error for a signed document whose signature counts its octets, or covers elements that may name the charset. The
/// canonical form of other XML is always UTF-8.
fn refused_signed() -> Error {
    Error::new(
        ErrorKind::Transcoding,
        "the document cannot get another charset: a signature covers it",
    )
}

/// The error for a document whose charset is a guess.
fn unsure(info: &Info) -> Error {
    let charset = info.charset.name();
    let message = format!(
        "the charset is a guess ({charset}), on which all characters beyond ASCII would depend: `--charset` or `--default-charset` settles it"
    );
    Error::new(ErrorKind::Transcoding, message)
}

/// The error for a calendar or vCard.
pub(super) fn refused_content_lines() -> Error {
    Error::new(
        ErrorKind::Transcoding,
        "a calendar or vCard cannot get another charset: it is UTF-8 (RFC 5545 3.1.4, RFC 6350 3.1)",
    )
}

pub(super) fn refused_sql() -> Error {
    Error::new(
        ErrorKind::Transcoding,
        "SQL cannot get another charset: its statements depend on the charset, and so do lengths in its data",
    )
}

pub(super) fn refused_rtf() -> Error {
    Error::new(
        ErrorKind::Transcoding,
        "RTF cannot get another charset: it is ASCII, and its fonts declare the charsets of octets",
    )
}

/// The error for a part of a package whose readers know no other charsets (ECMA-376 part 2, 8.1.4; EPUB 3.3, 3.9).
pub(super) fn refused_part() -> Error {
    Error::new(
        ErrorKind::Transcoding,
        "parts of EPUB, OpenDocument and Office Open XML get UTF-8 or UTF-16: their readers know no other charset",
    )
}

/// The error for a response whose header declares the charset: the header would be wrong.
pub(super) fn refused_response() -> Error {
    Error::new(
        ErrorKind::Transcoding,
        "expected a document that declares its own charset, found one whose charset the header of HTTP declares",
    )
}

/// More bytes than a window holds.
fn longest_window(info: &Info, settings: &Settings) -> u64 {
    let slots = match info.format {
        Format::Html | Format::Xml | Format::Css | Format::Text => 4,
        // These formats are read as a whole.
        _ => 32,
    };
    (settings.max_slot as u64)
        .saturating_mul(slots)
        .saturating_add(1 << 20)
}

/// True if a text is a message, or a mailbox, that declares a charset.
fn is_message(input: &Input<'_>, info: &Info) -> bool {
    let (head, _) = input.raw();
    let mut declared = MailCharsets::default();
    declared.read(head, 0);
    // The last field ends with the text.
    declared.read(b"\n\n", head.len() as u64);
    let is_text = info.format.declaration() == DeclarationSyntax::Mail;
    is_text && declared.at(u64::MAX).is_some()
}
