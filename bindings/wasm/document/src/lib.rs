//! Links of documents, for JavaScript: the rows of `find --json` and `rewrite --json`.

#[path = "../../border.rs"]
mod border;
// The command line's judgement of what is no document.
#[path = "../../../../crates/linkglot-files/src/binary.rs"]
mod binary;
mod failure;
// The filters of the command line: the host table is its own.
#[allow(dead_code)]
#[path = "../../../../crates/linkglot-files/src/filter/mod.rs"]
mod filter;
mod options;
mod rows;
mod tables;
// The tables of the command line: the names are the same.
#[allow(dead_code)]
#[path = "../../../../crates/linkglot-files/src/values.rs"]
mod values;

use border::buffers;
use failure::Failure;
use linkglot::notes::Note;
use linkglot::rewrite::Forms;
use linkglot::stream::read_charsets;
use linkglot::{Charset, Document};
use options::{Options, Purpose};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

/// The new document of a rewrite, if it changed.
static CONTENT: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Returns the address of the new document.
#[unsafe(no_mangle)]
pub extern "C" fn content() -> *const u8 {
    CONTENT
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .as_ptr()
}

/// Writes `{"rows": [...]}`, or `{"error": ...}`. The input is the document of `len` bytes and, behind it, the options
/// in JSON.
#[unsafe(no_mangle)]
pub extern "C" fn find(len: usize, options: usize) -> usize {
    answered((len, options), Purpose::Find, find_rows)
}

/// As [`find`], with rows of charsets.
#[unsafe(no_mangle)]
pub extern "C" fn charsets(len: usize, options: usize) -> usize {
    answered((len, options), Purpose::Read, charset_rows)
}

/// As [`find`], with rows of parts: their texts, and links at ranges of these.
#[unsafe(no_mangle)]
pub extern "C" fn parts(len: usize, options: usize) -> usize {
    answered((len, options), Purpose::Read, part_rows)
}

/// As [`find`], with rows of changes; `summary` has the numbers, and `length` is that of the new document in
/// [`content`], or null if nothing changed.
#[unsafe(no_mangle)]
pub extern "C" fn rewrite(len: usize, options: usize) -> usize {
    answered((len, options), Purpose::Rewrite, rewritten)
}

fn answered(
    (len, options): (usize, usize),
    purpose: Purpose,
    answer: fn(&[u8], &Options) -> Result<Value, Failure>,
) -> usize {
    linkglot_charset::read_tables_with(tables::read);
    let buffers = &mut *buffers();
    let given = buffers.input.get(..len + options).unwrap_or_default();
    let (bytes, options) = given.split_at_checked(len).unwrap_or_default();
    let answer = Options::read(options, purpose).and_then(|options| {
        options.check_document(bytes)?;
        answer(bytes, &options)
    });
    let answer = answer.unwrap_or_else(|failure| failure.object());
    buffers.put(&answer.to_string())
}

fn find_rows(bytes: &[u8], options: &Options) -> Result<Value, Failure> {
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    let info = Forms::new(&options.settings).read_slice(bytes, &mut |link, forms, info| {
        // A place that was too long to read is no link, and stands for all links in it.
        let is_listed = link.notes().contains(Note::TooLong)
            || options.filter.accepts(link, info)
                && (!options.unique || seen.insert((link.implied(), link.text().to_owned())));
        if is_listed {
            found.push(rows::link(&options.path, info, link, forms));
        }
        ControlFlow::Continue(())
    })?;
    match Failure::of_charset(&info) {
        Some(failure) => Err(failure),
        None => Ok(json!({ "rows": found })),
    }
}

fn charset_rows(bytes: &[u8], options: &Options) -> Result<Value, Failure> {
    let mut found = Vec::new();
    let info = read_charsets(&mut &*bytes, &options.settings, &mut |info, malformed| {
        found.push(rows::file(&options.path, info, malformed));
    })?;
    match Failure::of_charset(&info) {
        Some(failure) => Err(failure),
        None => Ok(json!({ "rows": found })),
    }
}

fn part_rows(bytes: &[u8], options: &Options) -> Result<Value, Failure> {
    let document = Document::new(bytes, &options.settings);
    if let Some(failure) = Failure::of_charset(document.info()) {
        return Err(failure);
    }
    let parts = document.parts();
    let found = parts.map(|part| rows::part_texts(&options.path, part, &options.settings));
    Ok(json!({ "rows": found.collect::<Vec<_>>() }))
}

fn rewritten(bytes: &[u8], options: &Options) -> Result<Value, Failure> {
    options.check_change()?;
    let mut found = Vec::new();
    let watched = options.rewriter.clone().on_link(|outcome, info| {
        found.push(rows::edit(&options.path, info, outcome));
    });
    let rewritten = watched.rewrite_slice(bytes);
    let summary = rewritten.summary;
    if let Some(failure) = Failure::of_charset(&summary.info) {
        return Err(failure);
    }
    if let Some(error) = &summary.error {
        return Err(Failure::from(error));
    }
    let mentions = summary.left_behind.mentions.iter();
    found.extend(mentions.map(|mention| rows::left_behind(&options.path, mention)));
    let length = match rewritten.content {
        Cow::Borrowed(_) => None,
        Cow::Owned(content) => {
            let length = content.len();
            *CONTENT.lock().unwrap_or_else(PoisonError::into_inner) = content;
            Some(length)
        }
    };
    Ok(json!({
        "rows": found,
        "length": length,
        "summary": {
            "links": summary.tally.links,
            "changed": summary.tally.changed,
            "left": summary.tally.left,
            "charset": summary.info.charset.name(),
            "format": summary.info.format.name(),
            "to_charset": summary.transcoded.map(Charset::name),
        },
    }))
}
