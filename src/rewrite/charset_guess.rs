//! Checks that a guessed charset stays the same when links change.
//!
//! The bytes of links are part of the evidence for the guess. If the guess changed, a second run would read other links
//! (P3) with other targets (P4) and write them again (P5). So the start of the document is rewritten on trial first.

use super::certainty::is_plain;
use super::mapping::Mapping;
use super::output::Output;
use super::plan::Planner;
use super::{Form, Outcome, document_writer};
use crate::charset::{Certainty, Charset, EXTENDED_HEAD, wants_more};
use crate::error::Error;
use crate::format::Format;
use crate::link::{Info, Settings, sniffed};
use crate::read::{Input, Opened};
use std::borrow::Cow;
use std::io;

/// True if the document keeps its charset under a mapping. Consumes nothing. Cost: none for documents that
/// declare their charset or are valid UTF-8; else that of rewriting about twice [`Info::HEAD`] bytes.
///
/// # Errors
///
/// Errors of the reader.
pub(super) fn keeps_charset(
    document: &mut Opened<'_, '_>,
    mapping: &Mapping,
) -> Result<bool, Error> {
    let info = document.info;
    let is_guess = !info.is_charset_said();
    if !is_guess || mapping.is_idle() || surely_keeps(document, mapping)? {
        return Ok(true);
    }
    keeps_on_trial(document, mapping)
}

/// True if the start of the document, rewritten, would be read in the same charset.
fn keeps_on_trial(document: &mut Opened<'_, '_>, mapping: &Mapping) -> Result<bool, Error> {
    let Opened { info, settings, .. } = *document;
    let mut output = Begin::new();
    let of = (info, document.bom, settings);
    let mut ahead = document.input.ahead(limit(info, settings));
    match on_trial(&mut ahead, &mut output, of, mapping) {
        end if output.is_full() || end.is_ok() => {
            let keeps = output.keeps(info, settings, mapping);
            if !keeps || mapping.form != Form::Iri {
                return Ok(keeps);
            }
            // Rewriting back to URIs must keep the charset, too (P5).
            let mut back = Opened {
                input: Input::of_slice(&output.bytes),
                ..*document
            };
            let mapping = Mapping {
                min_evidence: mapping.min_evidence,
                ..Mapping::new(Form::Uri)
            };
            keeps_charset(&mut back, &mapping)
        }
        // The output of the trial is too short to decide: the rest is unknown.
        _ if ahead.stopped => Ok(false),
        end => end.map(|()| true),
    }
}

/// A quick test that the charset stays. ASCII stays ASCII in URIs. If the default for ASCII is UTF-8, valid UTF-8 stays
/// valid under every mapping, and certain unless the document gets new letters.
fn surely_keeps(document: &mut Opened<'_, '_>, mapping: &Mapping) -> Result<bool, Error> {
    const BEGIN: usize = EXTENDED_HEAD + Info::HEAD;
    let Opened { info, settings, .. } = *document;
    let bytes = document.input.begin(BEGIN + 1)?;
    let is_whole = bytes.len() <= Info::HEAD;
    let bytes = bytes.get(..BEGIN).unwrap_or(bytes);
    let of = |bytes| sniffed(bytes, true, info.declaration, settings);
    let is_unruled = !mapping.has_rules();
    let writes_ascii = mapping.form == Form::Uri || info.certainty == Certainty::Unsure;
    let is_all = is_whole || bytes.len() < BEGIN;
    let stays_plain = || is_unruled || mapping.rules.write_plain_sites() && !has_escapes(bytes);
    if is_all && writes_ascii && is_plain(bytes) && stays_plain() {
        return Ok(true);
    }
    let stays = is_whole || of(b"").charset == Charset::UTF_8;
    // A letter that is rare in UTF-8, in a word with other letters.
    let is_defined = || of("a\u{4E2}".as_bytes()).certainty == Certainty::Sure;
    let gets_no_letters = mapping.form != Form::Iri || is_unruled && !has_encoded(bytes);
    let stays_certain = info.certainty == Certainty::Sure && (gets_no_letters || is_defined());
    let is_utf_8 = || match std::str::from_utf8(bytes) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none() && !is_whole,
    };
    // UTF-8 with shifts may be read as ISO-2022-JP once the links are ASCII.
    let stays = stays && stays_certain && info.charset == Charset::UTF_8;
    Ok(stays && is_utf_8() && !has_designation(bytes))
}

/// True if a link of ASCII may be read as another text than it is written with, or may get a `~{`.
fn has_escapes(bytes: &[u8]) -> bool {
    memchr::memchr3(b'&', b'\\', b'{', bytes).is_some()
}

/// True if bytes may hold links with percent-encoded letters or punycode.
fn has_encoded(bytes: &[u8]) -> bool {
    memchr::memchr(b'%', bytes).is_some() || memchr::memmem::find(bytes, b"--").is_some()
}

/// True if an escape sequence of ISO-2022 designates a set of characters (ISO-2022-JP, RFC 1468), or HZ shifts.
fn has_designation(bytes: &[u8]) -> bool {
    let designates = |at: usize| matches!(bytes.get(at + 1), Some(b'$' | b'(' | b')' | b'.'));
    memchr::memchr_iter(0x1B, bytes).any(designates) || memchr::memmem::find(bytes, b"~{").is_some()
}

/// Number of bytes of a document that the trial may read. Formats that are read as a whole are in memory already; in
/// other formats the output may lag behind by one slot.
pub(super) fn limit(info: &Info, settings: &Settings) -> usize {
    match info.format {
        Format::Html | Format::Xml | Format::Css | Format::Text => {
            (2 * EXTENDED_HEAD).saturating_add(settings.max_slot)
        }
        _ => usize::MAX - 1,
    }
}

/// Rewrites the start of a document.
pub(super) fn on_trial(
    source: &mut dyn io::Read,
    output: &mut dyn Output,
    (info, bom, settings): (&Info, usize, &Settings),
    mapping: &Mapping,
) -> Result<(), Error> {
    let settings = Settings {
        locate: false,
        ..settings.clone()
    };
    let info = &info.apart();
    let document = Opened {
        input: Input::of_reader(source)?,
        info,
        bom,
        settings: &settings,
    };
    let planner = Planner::new(Cow::Borrowed(mapping), info, &settings);
    document_writer::write(document, planner, output)?;
    Ok(())
}

/// The start of a new document, enough to decide its charset.
struct Begin {
    bytes: Vec<u8>,
    /// The number of bytes that decide. One byte more shows that the document goes on.
    enough: usize,
}

impl Begin {
    fn new() -> Self {
        Begin {
            bytes: Vec::new(),
            enough: Info::HEAD,
        }
    }

    fn is_full(&self) -> bool {
        self.bytes.len() > self.enough
    }

    /// True if the output would be read in the charset of the document. In ASCII all charsets agree, and a second run
    /// changes no URI. A guess must stay a guess, or the second run would change more. A certain charset may become a
    /// guess, so that the second run changes less; but display forms must have a way back.
    fn keeps(&self, info: &Info, settings: &Settings, mapping: &Mapping) -> bool {
        if mapping.form == Form::Uri && is_plain(&self.bytes) {
            return true;
        }
        let found = sniffed(&self.bytes, !self.is_full(), info.declaration, settings);
        let may_be_unsure = info.certainty == Certainty::Sure && mapping.form != Form::Iri;
        let is_as_certain = found.certainty == info.certainty || may_be_unsure;
        found.charset == info.charset && found.bom_len == 0 && is_as_certain
    }
}

impl Output for Begin {
    /// Takes bytes until they are enough; then ends the trial with an error.
    fn bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let mut rest = bytes;
        while !rest.is_empty() {
            if self.is_full() {
                return Err(io::Error::from(io::ErrorKind::WriteZero).into());
            }
            let room = self.enough + 1 - self.bytes.len();
            let (part, behind) = rest.split_at(rest.len().min(room));
            self.bytes.extend_from_slice(part);
            rest = behind;
            // The bytes of the head are looked at once.
            if self.is_full() && wants_more(&self.bytes) {
                self.enough = EXTENDED_HEAD;
            }
        }
        Ok(())
    }

    fn link(&mut self, _: &Outcome<'_>, _: &Info) -> Result<(), Error> {
        Ok(())
    }

    fn seen(&mut self, _: u64) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::open;
    use crate::rewrite::rules::Rules;
    use proptest::prelude::*;

    /// The quick answer for a page under a rule, and that of the trial.
    fn answers(page: &str, to: &str) -> (bool, bool) {
        let settings = Settings {
            format: Some(Format::Html),
            ..Settings::default()
        };
        let mut rules = Rules::default();
        let rule = format!("http://old.example/ https://new.example/{to}");
        rules.add(&rule).expect("a rule");
        let mapping = Mapping {
            rules: rules.into(),
            ..Mapping::new(Form::Same)
        };
        let (info, bom) = open(page.as_bytes(), true, &settings);
        let mut document = Opened {
            input: Input::of_slice(page.as_bytes()),
            info: &info,
            bom,
            settings: &settings,
        };
        let quick = surely_keeps(&mut document, &mapping).expect("a slice");
        let trial = keeps_on_trial(&mut document, &mapping).expect("a slice");
        (quick, trial || info.is_charset_said())
    }

    #[test]
    fn rules_that_write_plain_sites_need_no_trial() {
        for (page, to, expected) in [
            ("<p>http://old.example/~a", "", (true, true)),
            ("<p>http://old.example/", "b/", (true, true)),
            // What HZ reads as Chinese.
            ("<p>http://old.example/a", "~{VPNDVPND~}", (false, false)),
            ("<p>http://old.example/{VPNDVPND~}", "~", (false, false)),
            ("<p>http://old.example/{VPNDVPND~}", "", (false, true)),
        ] {
            assert_eq!(answers(page, to), expected, "{page} {to}");
        }
    }

    fn pieces(pieces: &'static [&'static str], most: usize) -> impl Strategy<Value = String> {
        let piece = prop::sample::select(pieces);
        prop::collection::vec(piece, 0..most).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        /// A page that surely keeps its charset keeps it on trial.
        #[test]
        fn the_quick_answer_is_that_of_the_trial(
            page in pieces(
                &[
                    "<p>http://old.example/", "<a href='http://old.example/", "'>", "~", "{", "VPNDVPND", "~}", "%7e",
                    "%7B", "&#126;", "&lbrace;", "&eacute;", " ", "a", "é", "\u{1B}$B",
                ],
                7,
            ),
            to in pieces(&["~", "{", "VPNDVPND", "~}", "~{", "a", "/", "é"], 5),
        ) {
            let (quick, trial) = answers(&page, &to);
            prop_assert!(!quick || trial);
        }
    }
}
