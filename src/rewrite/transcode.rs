//! Writes a document in another charset: it is decoded, its links are rewritten, and what comes out is encoded.
//!
//! In between the document is UTF-8, so nothing but the links that have to change does: those whose query counted as octets
//! of the old charset, and those with characters that the new one lacks.

mod decoder;
mod encoder;

use super::mapping::Mapping;
use super::plan::Planner;
use super::{Edit, Outcome, Summary, document_writer};
use crate::charset::{Charset, CharsetFrom, DeclarationSyntax, ViewMap, sniff};
use crate::error::{Error, ErrorKind};
use crate::format::Format;
use crate::link::{Info, Settings};
use crate::span::SourceSpan;
use crate::stream::Input;
use decoder::Decoder;
use encoder::Encoder;
use std::borrow::Cow;
use std::cell::RefCell;
use std::io::Write;
use std::rc::Rc;

/// Reads `input`, whose charset and BOM are known, to its end and writes it in the charset `to`, with its links mapped.
pub(super) fn run(
    input: Input<'_>,
    writer: &mut dyn Write,
    (settings, mapping): (&Settings, &Mapping),
    (info, bom): (&Info, usize),
    (to, each): (Charset, document_writer::Each<'_>),
) -> Result<Summary, Error> {
    if is_message(&input, info) {
        return Err(Error::new(
            ErrorKind::Transcoding,
            "a message cannot get another charset: each of its parts has its own",
        ));
    }
    let read = info.decoded();
    let planner = Planner::new(Cow::Borrowed(mapping), info, settings);
    let mut decoder = Decoder::new(input, info.charset, bom, longest_window(info, settings));
    let positions = decoder.positions();
    let mut encoder = Encoder::new(writer, info, to);
    let mut at_source = |outcome: &Outcome<'_>, _: &Info| {
        in_source(outcome, &positions, to, &mut |outcome| each(outcome, info));
    };
    let (tally, matched) = document_writer::write(
        Input::of_reader(&mut decoder)?,
        planner,
        &mut encoder,
        settings,
        (&read, 0, &mut at_source),
    )?;
    let is_declared = encoder.finish(settings)?;
    let is_same = decoder.is_ascii() && to.is_ascii_compatible();
    let is_changed = is_declared || !is_same || tally.changed > 0;
    Ok(Summary {
        info: info.clone(),
        tally,
        matched,
        transcoded: is_changed.then_some(to),
        error: None,
    })
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

/// Whether a text is a message that declares a charset.
fn is_message(input: &Input<'_>, info: &Info) -> bool {
    let syntax = info.format.declaration();
    let (head, whole) = input.raw();
    let declares = || {
        let found = sniff(head, whole, syntax, None, None);
        found.from == CharsetFrom::Declaration || found.unknown.is_some()
    };
    syntax == DeclarationSyntax::Mail && declares()
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
