//! A whole rewrite: the document is opened, its charset is settled, and it is written with its links mapped.

use super::left_behind::{LeftLinks, Mentions, MovedHosts};
use super::mapping::Mapping;
use super::plan::Planner;
use super::transcode::Checked;
use super::{LeftBehind, Outcome, Summary, container, document_writer, mail, transcode};
use crate::error::Error;
use crate::link::{Info, Location, Settings, open};
use crate::mail::{Opened, has_parts};
use crate::report::Note;
use crate::stream::{Input, PartPlace};
use std::borrow::Cow;
use std::cell::RefCell;
use std::io::{self, Write};

/// Reads `input` to its end and writes it with its links mapped. With `moved`, what is written is searched for these
/// hosts.
pub(super) fn run(
    input: Input<'_>,
    writer: &mut dyn Write,
    moved: Option<&MovedHosts>,
    how: (&Settings, &Mapping),
    each: document_writer::Each<'_>,
) -> Result<Summary, Error> {
    let (mut unsure, mut contradicting) = (0, 0);
    let mut counted = |outcome: &Outcome<'_>, info: &Info| {
        let is_left_for = |note| outcome.new.is_none() && outcome.notes.contains(note);
        let guesses = [Note::CharsetUnsure, Note::LeftCharsetWouldChange];
        unsure += u64::from(guesses.into_iter().any(is_left_for));
        contradicting += u64::from(is_left_for(Note::CharsetContradicts));
        each(outcome, info);
    };
    let summary = run_uncounted(input, writer, moved, how, &mut counted)?;
    Ok(Summary {
        unsure,
        contradicting,
        ..summary
    })
}

/// The same, without counting why links are left.
fn run_uncounted(
    input: Input<'_>,
    writer: &mut dyn Write,
    moved: Option<&MovedHosts>,
    (settings, mapping): (&Settings, &Mapping),
    each: document_writer::Each<'_>,
) -> Result<Summary, Error> {
    let located = moved.map(|_| Settings {
        locate: true,
        ..settings.clone()
    });
    let settings = located.as_ref().unwrap_or(settings);
    let (head, whole) = input.raw();
    container::refuse(head, mapping)?;
    let (info, bom) = open(head, whole, settings);
    let to_other = mapping.to_charset.filter(|to| *to != info.charset);
    if info.format.content_lines().is_some() && to_other.is_some() {
        return Err(transcode::refused_content_lines());
    }
    if has_parts(&info) {
        if mapping.to_charset.is_some() && info.format.is_mail() {
            return Err(transcode::refused_message());
        }
        return mail::run(input, writer, (info, bom, moved), (settings, mapping), each);
    }
    let document = Opened {
        input,
        info: &info,
        bom,
        settings,
    };
    let begin = Location { line: 1, column: 1 };
    let place = PartPlace::new(0, begin, &[], &[]);
    let search = moved.map(|moved| Search {
        moved,
        place: &place,
    });
    let mut signed = 0;
    let mut each = |outcome: &Outcome<'_>, info: &Info| {
        signed += u64::from(is_left_signed(outcome));
        each(outcome, info);
    };
    let summary = run_opened(document, writer, search, mapping, &mut each)?;
    Ok(Summary { signed, ..summary })
}

/// True if a link was left because a signature covers it.
pub(super) fn is_left_signed(outcome: &Outcome<'_>) -> bool {
    outcome.new.is_none() && outcome.notes.contains(Note::LeftSigned)
}

/// The search for what still mentions moved hosts in what is written.
#[derive(Clone, Copy)]
pub(super) struct Search<'s> {
    pub moved: &'s MovedHosts,
    /// The place of the document in the output.
    pub place: &'s PartPlace<'s>,
}

/// Writes a document that is opened.
pub(super) fn run_opened(
    document: Opened<'_, '_>,
    writer: &mut dyn Write,
    search: Option<Search<'_>>,
    mapping: &Mapping,
    each: document_writer::Each<'_>,
) -> Result<Summary, Error> {
    let Some(search) = search else {
        return write(document, writer, mapping, each);
    };
    let charset = mapping.to_charset.unwrap_or(document.info.charset);
    let left = RefCell::new(LeftLinks::default());
    let of = (document.info.format, charset);
    let mut mentions = Mentions::new(writer, (search, &left), of);
    let mut each = |outcome: &Outcome<'_>, info: &Info| {
        left.borrow_mut().add(outcome);
        each(outcome, info);
    };
    let summary = write(document, &mut mentions, mapping, &mut each)?;
    Ok(Summary {
        left_behind: mentions.end(),
        ..summary
    })
}

/// Searches a document that is written already.
pub(super) fn search(search: Search<'_>, info: &Info) -> Result<LeftBehind, Error> {
    let left = RefCell::new(LeftLinks::default());
    let mut nowhere = io::sink();
    let of = (info.format, info.charset);
    let mut mentions = Mentions::new(&mut nowhere, (search, &left), of);
    mentions.write_all(search.place.bytes())?;
    Ok(mentions.end())
}

/// The same without a search.
fn write(
    document: Opened<'_, '_>,
    writer: &mut dyn Write,
    mapping: &Mapping,
    each: document_writer::Each<'_>,
) -> Result<Summary, Error> {
    let Opened {
        mut input,
        info,
        bom,
        settings,
    } = document;
    let to = mapping.to_charset.filter(|to| *to != info.charset);
    if let Some(to) = to.filter(|_| info.unknown_charset.is_none()) {
        return transcode::run(input, writer, (settings, mapping), (info, bom), (to, each));
    }
    let same_charset = mapping.to_charset.map(|_| Mapping {
        to_charset: None,
        ..mapping.clone()
    });
    let mapping = same_charset.as_ref().unwrap_or(mapping);
    let mapping = Cow::Borrowed(mapping);
    let planner = Planner::looking_ahead(mapping, &mut input, (info, bom), settings)?;
    let is_text = same_charset.is_some() && info.unknown_charset.is_none();
    let (tally, matched) = match is_text {
        false => document_writer::write(input, planner, writer, settings, (info, bom, each))?,
        // In the charset that it shall get already, if it is text in it.
        true => {
            let mut checked = Checked::new(writer, info.charset, bom);
            let context = (info, bom, each);
            let done = document_writer::write(input, planner, &mut checked, settings, context)?;
            checked.end()?;
            done
        }
    };
    Ok(Summary {
        info: info.clone(),
        tally,
        matched,
        transcoded: None,
        signed: 0,
        unsure: 0,
        contradicting: 0,
        left_behind: LeftBehind::default(),
        error: None,
    })
}
