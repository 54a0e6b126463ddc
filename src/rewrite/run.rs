//! A whole rewrite: the document is opened, its charset is settled, and it is written with its links mapped.

use super::left_behind::{LeftLinks, Mentions, MovedHosts};
use super::mapping::Mapping;
use super::plan::Planner;
use super::transcode::Checked;
use super::{LeftBehind, Outcome, Summary, charset_guess, document_writer, transcode};
use crate::error::Error;
use crate::link::{Info, Settings, open};
use crate::stream::Input;
use std::borrow::Cow;
use std::cell::RefCell;
use std::io::Write;

/// Reads `input` to its end and writes it with its links mapped.
pub(super) fn run(
    mut input: Input<'_>,
    writer: &mut dyn Write,
    settings: &Settings,
    mapping: &Mapping,
    each: document_writer::Each<'_>,
) -> Result<Summary, Error> {
    let (head, whole) = input.raw();
    let (info, bom) = open(head, whole, settings);
    let to = mapping.to_charset.filter(|to| *to != info.charset);
    if let Some(to) = to.filter(|_| info.unknown_charset.is_none()) {
        return transcode::run(input, writer, (settings, mapping), (&info, bom), (to, each));
    }
    let same_charset = mapping.to_charset.map(|_| Mapping {
        to_charset: None,
        ..mapping.clone()
    });
    let mapping = same_charset.as_ref().unwrap_or(mapping);
    let mut planner = Planner::new(Cow::Borrowed(mapping), &info, settings);
    planner.keeps_charset =
        charset_guess::keeps_charset(&mut input, (&info, bom), settings, mapping)?;
    let is_text = same_charset.is_some() && info.unknown_charset.is_none();
    let (tally, matched) = match is_text {
        false => document_writer::write(input, planner, writer, settings, (&info, bom, each))?,
        // In the charset that it shall get already, if it is text in it.
        true => {
            let mut checked = Checked::new(writer, info.charset, bom);
            let context = (&info, bom, each);
            let done = document_writer::write(input, planner, &mut checked, settings, context)?;
            checked.end()?;
            done
        }
    };
    Ok(Summary {
        info,
        tally,
        matched,
        transcoded: None,
        left_behind: LeftBehind::default(),
        error: None,
    })
}

/// The same, and lists what still mentions moved hosts in what is written.
pub(super) fn run_and_search(
    (input, writer): (Input<'_>, &mut dyn Write),
    moved: &MovedHosts,
    settings: &Settings,
    mapping: &Mapping,
    each: document_writer::Each<'_>,
) -> Result<Summary, Error> {
    let settings = &Settings {
        locate: true,
        ..settings.clone()
    };
    let (head, whole) = input.raw();
    let (info, _) = open(head, whole, settings);
    let charset = mapping.to_charset.unwrap_or(info.charset);
    let left = RefCell::new(LeftLinks::default());
    let mut mentions = Mentions::new(writer, (moved, &left), (info.format, charset));
    let mut each = |outcome: &Outcome<'_>, info: &Info| {
        left.borrow_mut().add(outcome);
        each(outcome, info);
    };
    let summary = run(input, &mut mentions, settings, mapping, &mut each)?;
    Ok(Summary {
        left_behind: mentions.end(),
        ..summary
    })
}
