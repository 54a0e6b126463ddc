//! Rewriting: mappers decide, edits are checked, everything else is copied verbatim.

mod check;
mod edit;
mod forms;
mod lacking;
mod mapping;
mod neighbours;
mod pattern;
mod plan;
mod prefixes;
mod resolved;
mod rewriter;
mod rules;
mod runs;
mod steady;
mod template;

pub use crate::span::Edit;
pub use forms::{Forms, LinkForms, read_forms, read_forms_of_slice};
pub use mapping::Mapping;
pub use rules::{Reach, Rules};

use crate::error::Error;
use crate::link::{Info, Link, Settings};
use crate::report::Notes;
use crate::stream::Input;
use std::io::{Read, Write};

/// The form that links get.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// URI: percent-encoded, punycode (RFC 3987 3.1).
    Uri,
    /// Display IRI (RFC 3987 3.2).
    Iri,
    /// As it is; only rules change links.
    Same,
}

/// What became of a link that a mapping wanted changed.
#[derive(Clone, Debug)]
pub struct Outcome<'a> {
    /// The link.
    pub link: &'a Link<'a>,
    /// Its new text, unescaped; `None`: it was left as it was, the notes say why.
    pub new: Option<&'a str>,
    /// The source bytes that are replaced, and with what, in order; empty when it was left.
    pub edits: &'a [Edit],
    /// Notes of the mapping.
    pub notes: Notes,
}

/// How many links a rewrite saw, changed and left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Links seen.
    pub links: u64,
    /// Links changed.
    pub changed: u64,
    /// Links that had to be left as they were.
    pub left: u64,
}

/// Rewrites what `reader` gives to `writer`, in bounded memory. `each` sees every link that was
/// changed or left, in order.
///
/// # Errors
///
/// Those of `reader` and `writer`.
///
/// # Examples
///
/// ```
/// use linkglot::Settings;
/// use linkglot::rewrite::{Form, Mapping, rewrite};
///
/// let mut page = "<a href='http://résumé.example/é'>".as_bytes();
/// let mut out = Vec::new();
/// let mapping = Mapping::new(Form::Uri);
/// let (_, tally) =
///     rewrite(&mut page, &mut out, &Settings::default(), &mapping, &mut |_, _| {})?;
/// assert_eq!(out, b"<a href='http://xn--rsum-bpad.example/%C3%A9'>");
/// assert_eq!(tally.changed, 1);
/// # Ok::<(), linkglot::Error>(())
/// ```
pub fn rewrite(
    reader: &mut dyn Read,
    writer: &mut dyn Write,
    settings: &Settings,
    mapping: &Mapping,
    each: &mut dyn FnMut(&Outcome<'_>, &Info),
) -> Result<(Info, Tally), Error> {
    rewriter::run(Input::of_reader(reader)?, writer, settings, mapping, each)
}

/// Rewrites a document in memory; `None` in place of the bytes when nothing changes.
pub fn rewrite_slice(
    source: &[u8],
    settings: &Settings,
    mapping: &Mapping,
    each: &mut dyn FnMut(&Outcome<'_>, &Info),
) -> (Option<Vec<u8>>, Info, Tally) {
    let mut out = Vec::with_capacity(source.len() + source.len() / 16);
    match rewriter::run(Input::of_slice(source), &mut out, settings, mapping, each) {
        Ok((info, tally)) => ((tally.changed > 0).then_some(out), info, tally),
        Err(error) => unreachable!("memory neither fails to read nor to write: {error}"),
    }
}
