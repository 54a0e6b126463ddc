//! Reasons in the document around a link to leave it: passes of [`passes`](super::passes).

use super::format_guess;
use super::plan::{Asked, Planner};
use crate::charset::PartCharset;
use crate::link::{assumed_charset, scheme_of};
use crate::markup::Escaping;
use crate::notes::Note;

/// The text may not be a link.
pub(super) fn little_evidence(
    planner: &mut Planner<'_>,
    asked: &Asked<'_, '_, '_>,
) -> Option<Note> {
    planner.is_guess(asked.found).then_some(Note::LeftName)
}

/// Text in front of a link without a scheme may belong to it: the end of template code is a part of its host, and a
/// scheme behind `//` or `s3:` would be a second one.
pub(super) fn text_in_front(_: &mut Planner<'_>, asked: &Asked<'_, '_, '_>) -> Option<Note> {
    asked.found.implied.filter(|scheme| *scheme != "mailto")?;
    let before = &asked.read.window.bytes[..asked.found.range.start];
    let gets_scheme = || scheme_of(asked.new).is_some_and(|scheme| !scheme.contains('.'));
    match before {
        [.., b'}'] | [.., b'%' | b'?', b'>'] => Some(Note::LeftTemplate),
        [.., b'/' | b':' | b'\\'] if gets_scheme() => Some(Note::LeftTargetWouldChange),
        _ => None,
    }
}

/// A signature covers the link.
pub(super) fn signature(planner: &mut Planner<'_>, asked: &Asked<'_, '_, '_>) -> Option<Note> {
    let is_signed = planner.is_signed(asked.read, asked.found, asked.input);
    is_signed.then_some(Note::LeftSigned)
}

/// A length covers the link, or escapes that are not read may go on in it.
pub(super) fn second_grammar(planner: &mut Planner<'_>, asked: &Asked<'_, '_, '_>) -> Option<Note> {
    planner.second_grammar(asked.reader, asked.read, asked.found)
}

/// RTF has letters beyond ASCII, braces and backslashes only in escapes.
pub(super) fn letters_in_rtf(planner: &mut Planner<'_>, asked: &Asked<'_, '_, '_>) -> Option<Note> {
    let has_escapes = || !asked.new.is_ascii() || asked.new.contains(['{', '}', '\\']);
    (planner.is_rtf && has_escapes()).then_some(Note::LeftEscaped)
}

/// The link, or its new text, rests on a charset that is a guess.
pub(super) fn guessed_charset(
    planner: &mut Planner<'_>,
    asked: &Asked<'_, '_, '_>,
) -> Option<Note> {
    planner.doubt(asked.read, asked.found, asked.new)
}

/// The charset would be guessed otherwise with the new links.
pub(super) fn other_guess_of_charset(
    planner: &mut Planner<'_>,
    _: &Asked<'_, '_, '_>,
) -> Option<Note> {
    (!planner.keeps_charset).then_some(Note::LeftCharsetWouldChange)
}

/// The format would be found otherwise with the new links of the head.
pub(super) fn other_guess_of_format(
    planner: &mut Planner<'_>,
    asked: &Asked<'_, '_, '_>,
) -> Option<Note> {
    let is_in_head = || format_guess::is_in_head(asked.read, asked.found);
    (!planner.keeps_format && is_in_head()).then_some(Note::LeftFormatWouldChange)
}

/// The part around the link declares another charset, in which the bytes of the link may mean something else.
pub(super) fn other_charset_of_part(
    planner: &mut Planner<'_>,
    asked: &Asked<'_, '_, '_>,
) -> Option<Note> {
    let declared = planner.declared.as_mut()?.at(asked.start())?;
    let known = match declared {
        PartCharset::Known(charset) => Some(*charset),
        PartCharset::Unknown(label) => assumed_charset(&planner.assumed_charsets, label),
    };
    let is_ascii = || asked.new.is_ascii() && asked.raw().is_ascii();
    let is_other = known.is_none_or(|charset| charset != planner.script.charset && !is_ascii());
    is_other.then_some(Note::LeftOtherCharset)
}

/// White space in the link is read in two ways: as spaces in attributes of XML (XML 1.0 section 3.3.3), or dropped as
/// in URLs (URL Standard 4.4). That is so in XHTML that may be published as HTML, and in processing instructions
/// (Associating Style Sheets with XML documents, section 3, does not say it).
pub(super) fn doubtful_space(planner: &mut Planner<'_>, asked: &Asked<'_, '_, '_>) -> Option<Note> {
    let is_doubtful = match asked.found.context.layers.as_slice().first() {
        Some(Escaping::XmlAttribute(_) | Escaping::XhtmlAttribute(_)) => planner.may_be_html,
        Some(Escaping::XmlInstruction(_)) => true,
        _ => false,
    };
    let is_space = |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\r');
    (is_doubtful && asked.raw().iter().any(is_space)).then_some(Note::LeftTargetWouldChange)
}
