//! Whether a document whose charset is a guess is read in the same charset when its links have changed.
//!
//! Links are among what the guess is made from. If it changed, a second run would read other links (P3), lead
//! them elsewhere (P4) and write them again (P5). So the begin of the document is rewritten on trial first.

use super::plan::Planner;
use super::{Form, Mapping, rewriter};
use crate::charset::{Charset, CharsetFrom, FAR, sniff, wants_more};
use crate::error::Error;
use crate::format::Format;
use crate::link::{Info, Settings};
use crate::stream::Input;
use std::borrow::Cow;
use std::io::{self, Write};

/// Whether the document keeps its charset under a mapping. Nothing of `input` is consumed. Cost: nothing for documents that declare
/// their charset, and for those in valid UTF-8; else as rewriting a begin of twice [`Info::HEAD`] or so.
///
/// # Errors
///
/// Those of the reader.
pub(super) fn keeps_charset(
    input: &mut Input<'_>,
    (info, bom): (&Info, usize),
    settings: &Settings,
    mapping: &Mapping,
) -> Result<bool, Error> {
    let is_guess = matches!(
        info.charset_from,
        CharsetFrom::Detection | CharsetFrom::Default
    );
    let is_idle = mapping.form == Form::Same && mapping.rules.is_empty();
    if !is_guess || is_idle || surely_keeps(input, info, settings, mapping)? {
        return Ok(true);
    }
    let mut output = Output::default();
    let mut ahead = input.ahead(limit(info, settings));
    match on_trial(&mut ahead, &mut output, (info, bom), settings, mapping) {
        end if output.is_full() || end.is_ok() => {
            let keeps = output.keeps(info, settings, mapping);
            if !keeps || mapping.form != Form::Iri {
                return Ok(keeps);
            }
            // What could not be URIs again gets no display form (P5).
            let mut back = Input::of_slice(&output.bytes);
            keeps_charset(&mut back, (info, bom), settings, &Mapping::new(Form::Uri))
        }
        // So long a begin gave less than what decides: nobody knows what the rest adds to that.
        _ if ahead.stopped => Ok(false),
        end => end.map(|()| true),
    }
}

/// Whether it is plain that the charset stays. ASCII becomes ASCII in URIs; where ASCII is taken for UTF-8, a begin in
/// UTF-8 stays one, whatever is written to it. It is longer than what it gives, but for the shortest of forms.
fn surely_keeps(
    input: &mut Input<'_>,
    info: &Info,
    settings: &Settings,
    mapping: &Mapping,
) -> Result<bool, Error> {
    const BEGIN: usize = FAR + Info::HEAD;
    let bytes = input.begin(BEGIN + 1)?;
    let is_whole = bytes.len() <= Info::HEAD;
    let bytes = bytes.get(..BEGIN).unwrap_or(bytes);
    let ascii = sniff(b"", true, info.format, None, settings.default_charset);
    let is_unruled = mapping.form == Form::Uri && mapping.rules.is_empty();
    if is_whole && is_unruled && is_plain(bytes) {
        return Ok(true);
    }
    let stays = is_whole || ascii.charset == Charset::UTF_8;
    let is_utf_8 = || match std::str::from_utf8(bytes) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none() && !is_whole,
    };
    Ok(stays && info.charset == Charset::UTF_8 && is_utf_8())
}

/// Whether bytes are the same text in every charset.
fn is_plain(bytes: &[u8]) -> bool {
    bytes.is_ascii() && memchr::memchr2(0, 0x1B, bytes).is_none()
}

/// How much of a document may be read to see enough of what it becomes. Those that are read as a whole are in memory anyway, and
/// one slot may take long to come.
fn limit(info: &Info, settings: &Settings) -> usize {
    match info.format {
        Format::Html | Format::Xml | Format::Css | Format::Text => {
            (2 * FAR).saturating_add(settings.max_slot)
        }
        _ => usize::MAX - 1,
    }
}

/// Rewrites the begin of a document.
fn on_trial(
    source: &mut dyn io::Read,
    output: &mut Output,
    (info, bom): (&Info, usize),
    settings: &Settings,
    mapping: &Mapping,
) -> Result<(), Error> {
    let settings = Settings {
        locate: false,
        ..settings.clone()
    };
    let mut input = Input::of_reader(source)?;
    input.start(info.charset, bom);
    let planner = Planner::new(Cow::Borrowed(mapping), info, &settings);
    rewriter::write(input, planner, output, &settings, (info, &mut |_, _| {}))?;
    Ok(())
}

/// As much of what is written as decides the charset.
#[derive(Default)]
struct Output {
    bytes: Vec<u8>,
}

impl Output {
    fn is_full(&self) -> bool {
        !wants_more(&self.bytes)
    }

    /// Whether it would be read in the charset of the document. In plain ASCII no charset differs from another, and a second
    /// run changes nothing in URIs. What is behind so much of it is read as any text is that begins late.
    fn keeps(&self, info: &Info, settings: &Settings, mapping: &Mapping) -> bool {
        if mapping.form == Form::Uri && is_plain(&self.bytes) {
            return true;
        }
        let default = settings.default_charset;
        let found = sniff(&self.bytes, !self.is_full(), info.format, None, default);
        found.charset == info.charset && found.bom_len == 0
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_full() {
            return Err(io::ErrorKind::WriteZero.into());
        }
        // One byte more tells that the document goes on.
        let most = if self.bytes.len() > Info::HEAD {
            FAR
        } else {
            Info::HEAD
        };
        let room = most + 1 - self.bytes.len();
        let part = &bytes[..bytes.len().min(room)];
        self.bytes.extend_from_slice(part);
        Ok(part.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
