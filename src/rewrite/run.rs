//! A whole rewrite: opens a document, determines its charset, and writes it with its links mapped.

use super::left_behind::{Mentions, MovedHosts, Searched};
use super::mapping::Mapping;
use super::output::{Caller, Output};
use super::parts::PartWriter;
use super::plan::{Matched, Planner};
use super::transcode::Checked;
use super::{LeftBehind, MentionPlace, Summary, container, document_writer, transcode};
use crate::charset::Charset;
use crate::error::Error;
use crate::format::Format;
use crate::link::{PartPlace, Settings, open};
use crate::parts;
use crate::read::{Input, Opened};
use std::borrow::Cow;

/// Reads `input` to its end and hands it on with its links mapped. With `moved`, searches the new document for these
/// hosts.
pub(super) fn run(
    input: Input<'_>,
    mut caller: Caller<'_>,
    moved: Option<&MovedHosts>,
    (settings, mapping): (&Settings, &Mapping),
) -> Result<Summary, Error> {
    let ruled = mapping.has_rules().then(|| Settings {
        locate: settings.locate || moved.is_some(),
        scanner: Some(settings.with_hosts(mapping.rules.known_hosts())),
        ..settings.clone()
    });
    let settings = ruled.as_ref().unwrap_or(settings);
    let (head, whole) = input.raw();
    // The archive around a header of HTTP keeps its lengths right.
    if settings.format != Some(Format::Http) {
        container::refuse(head, mapping)?;
    }
    let (mut info, bom) = open(head, whole, settings);
    let to_other = mapping.to_charset.filter(|to| *to != info.charset);
    if info.format.content_lines().is_some() && to_other.is_some() {
        return Err(transcode::refused_content_lines());
    }
    let is_readable = |to| [Charset::UTF_8, Charset::UTF_16LE, Charset::UTF_16BE].contains(&to);
    if mapping.package.is_some() && !to_other.is_none_or(is_readable) {
        return Err(transcode::refused_part());
    }
    if info.format == Format::Sql && to_other.is_some() {
        return Err(transcode::refused_sql());
    }
    if info.format == Format::Rtf && to_other.is_some() {
        return Err(transcode::refused_rtf());
    }
    let has_header = settings.declared_charset.is_some() || info.format == Format::Http;
    if has_header && to_other.is_some() {
        return Err(transcode::refused_response());
    }
    if info.format.is_mail() && mapping.to_charset.is_some() {
        return Err(transcode::refused_message());
    }
    let document = Opened {
        input,
        info: &info,
        bom,
        settings,
    };
    let mut writer = PartWriter::new(&mut caller, moved, mapping);
    let unread = parts::read(document, &mut writer)?;
    let done = writer.done;
    info.unread = unread;
    Ok(Summary::new(info, caller.end()?, done))
}

/// The results of rewriting a document or a part, besides the output.
#[derive(Default)]
pub(super) struct Done {
    pub matched: Matched,
    /// The new charset, if the bytes differ.
    pub transcoded: Option<Charset>,
    pub left_behind: LeftBehind,
}

impl Done {
    /// Adds the results of a part further on.
    pub fn append(&mut self, next: Done) {
        for (rule, count) in next.matched {
            *self.matched.entry(rule).or_default() += count;
        }
        self.transcoded = next.transcoded.or(self.transcoded);
        self.left_behind.append(next.left_behind);
    }
}

/// The search for mentions of moved hosts in the output.
#[derive(Clone, Copy)]
pub(super) struct Search<'s> {
    pub moved: &'s MovedHosts,
    /// The place of the document in the output.
    pub place: &'s PartPlace<'s>,
    /// The kind of field of a header that is searched, which is no document.
    pub field: Option<MentionPlace>,
}

/// Hands on an opened document.
pub(super) fn run_opened(
    document: Opened<'_, '_>,
    output: &mut dyn Output,
    search: Option<Search<'_>>,
    mapping: &Mapping,
) -> Result<Done, Error> {
    let Some(search) = search else {
        return write(document, output, mapping);
    };
    let charset = mapping.to_charset.unwrap_or(document.info.charset);
    let of = (document.info.format, charset);
    let mut searched = Searched {
        output,
        mentions: Mentions::new(search, of),
    };
    let done = write(document, &mut searched, mapping)?;
    Ok(Done {
        left_behind: searched.mentions.end(),
        ..done
    })
}

/// Hands on an opened document, without a search.
fn write(
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
    let planner = Planner::looking_ahead(Cow::Borrowed(mapping), &mut document)?;
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
