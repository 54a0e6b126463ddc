//! Writes a document in another charset: it is decoded, its links are rewritten, and what comes out is encoded.
//!
//! In between the document is UTF-8, so nothing but the links that have to change does: those whose query counted as
//! octets of the old charset, and those with characters that the new one lacks.

mod covered;
mod decoder;
mod encoder;
mod forms;

use super::mapping::{Mapping, Transport};
use super::other_charset::OldQueries;
use super::plan::Planner;
use super::signed_text::SignedText;
use super::{Edit, LeftBehind, Outcome, Summary, document_writer, format_guess, xml_signature};
use crate::charset::{Certainty, Charset, DeclarationSyntax, MailCharsets, ViewMap};
use crate::error::{Error, ErrorKind};
use crate::format::Format;
use crate::iri::ToUri;
use crate::link::{Info, Link, Queries, QueryCharsets, Settings, Signed, scheme_of};
use crate::report::Note;
use crate::span::SourceSpan;
use crate::stream::Input;
use covered::CoveredText;
pub(super) use decoder::Checked;
use decoder::Decoder;
use encoder::Encoder;
use forms::FormWriter;
use std::borrow::Cow;
use std::cell::RefCell;
use std::io::Write;
use std::rc::Rc;

/// Reads `input`, whose charset and BOM are known, to its end and writes it in the charset `to`, with its links mapped.
pub(super) fn run(
    mut input: Input<'_>,
    writer: &mut dyn Write,
    (settings, mapping): (&Settings, &Mapping),
    (info, bom): (&Info, usize),
    (to, each): (Charset, document_writer::Each<'_>),
) -> Result<Summary, Error> {
    if is_message(&input, info) {
        return Err(refused_message());
    }
    let settings = &Settings {
        locate: true,
        ..settings.clone()
    };
    let read = info.decoded();
    let mut planner = Planner::new(Cow::Borrowed(mapping), info, settings);
    if xml_signature::is_signed(&mut input, info, settings, mapping)? {
        planner.signed = Signed::All;
    }
    let changes_ascii = !(info.charset.is_ascii_compatible() && to.is_ascii_compatible());
    let keeps_signatures = mapping.transport == Transport::Kept;
    let signed = keeps_signatures.then(|| SignedText::of(info.format));
    let covered = CoveredText::new(signed, changes_ascii);
    let kept = longest_window(info, settings);
    let mut decoder = Decoder::new(input, (info.charset, bom), kept, covered);
    let positions = decoder.positions();
    let mut encoder = Encoder::new(writer, info, to);
    let mut forms = FormWriter::new(&mut encoder, info, to);
    let targets = Targets::new(info, to, settings);
    let mut lost = None;
    let mut at_source = |outcome: &Outcome<'_>, _: &Info| {
        // What may be no link is text like any other.
        let is_link = !outcome.notes.contains(Note::LeftName);
        if outcome.new.is_none() && is_link && targets.depend_on_charset(outcome.link) {
            lost.get_or_insert_with(|| targets.lost(outcome));
        }
        in_source(outcome, &positions, to, &mut |outcome| each(outcome, info));
    };
    let mut decoded = Input::of_reader(&mut decoder)?;
    planner.keeps_format = format_guess::keeps_format(&mut decoded, (&read, 0), settings, mapping)?;
    let (tally, matched) = document_writer::write(
        decoded,
        planner,
        &mut forms,
        settings,
        (&read, 0, &mut at_source),
    )?;
    if let Some(error) = lost {
        return Err(error);
    }
    if info.certainty == Certainty::Unsure && !decoder.is_ascii() {
        return Err(unsure(info));
    }
    let has_forms = forms.finish()?;
    let is_declared = encoder.finish(settings)?;
    let is_same = decoder.is_ascii() && to.is_ascii_compatible();
    let is_changed = is_declared || has_forms || !is_same || tally.changed > 0;
    Ok(Summary {
        info: info.clone(),
        tally,
        matched,
        transcoded: is_changed.then_some(to),
        signed: 0,
        unsure: 0,
        contradicting: 0,
        left_behind: LeftBehind::default(),
        error: None,
    })
}

/// Tells which links would point elsewhere in the new charset, although their characters stay.
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

/// The error for a document whose charset is a guess.
fn unsure(info: &Info) -> Error {
    let charset = info.charset.name();
    let message = format!(
        "the charset is a guess ({charset}), on which all characters beyond ASCII would rest: `--charset` or `--default-charset` settles it"
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

/// More bytes than a window holds.
fn longest_window(info: &Info, settings: &Settings) -> u64 {
    let slots = match info.format {
        Format::Html | Format::Xml | Format::Css | Format::Text => 4,
        // They are read as a whole.
        _ => 32,
    };
    (settings.max_slot as u64)
        .saturating_mul(slots)
        .saturating_add(1 << 20)
}

/// Whether a text is a message, or a mailbox, that declares a charset.
fn is_message(input: &Input<'_>, info: &Info) -> bool {
    let (head, _) = input.raw();
    let mut declared = MailCharsets::default();
    declared.read(head, 0);
    // The field of the last line ends with the text.
    declared.read(b"\n\n", head.len() as u64);
    let is_text = info.format.declaration() == DeclarationSyntax::Mail;
    is_text && declared.at(u64::MAX).is_some()
}

/// Hands over an outcome with positions in the source and edits in the new charset.
fn in_source(
    outcome: &Outcome<'_>,
    positions: &Rc<RefCell<ViewMap>>,
    to: Charset,
    each: &mut dyn FnMut(&Outcome<'_>),
) {
    let positions = positions.borrow();
    let source = |span: SourceSpan| SourceSpan {
        start: positions.source(span.start),
        end: positions.source(span.end),
    };
    let link = outcome.link.at(source(outcome.link.span()));
    let edits = outcome.edits.iter().map(|edit| Edit {
        span: source(edit.span),
        bytes: encoder::encoded(&edit.bytes, to),
    });
    let edits: Vec<Edit> = edits.collect();
    each(&Outcome {
        link: &link,
        edits: &edits,
        ..*outcome
    });
}
