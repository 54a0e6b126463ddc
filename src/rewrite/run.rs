//! A whole rewrite: opens a document, determines its charset, and writes it with its links mapped.

use super::mapping::Mapping;
use super::output::Caller;
use super::parts::PartWriter;
use super::rules::MovedHosts;
use super::{Summary, container, transcode};
use crate::charset::Charset;
use crate::error::Error;
use crate::format::Format;
use crate::link::{Settings, open};
use crate::parts;
use crate::read::{Input, Opened};

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
