//! Patches: the new text of a link, escaped and encoded for its place.

use super::alphabet::{
    Alphabet, can_write, gets_references, has_references, is_css, is_markup, references,
    repertoire, writes_all,
};
use super::certainty::{EVERYWHERE, NOWHERE};
use super::changes::{Change, changes, extended};
use crate::charset::{Certainty, Charset, KnownBytes};
use crate::format::Format;
use crate::link::{Info, Layers, LinkContext, Normalizer, Settings, WindowLink};
use crate::markup::{Escaping, PlaceKind, Repertoire};
use crate::notes::Note;
use crate::span::TextSpan;
use std::borrow::Cow;
use std::ops::Range;

/// The part of a link that is written again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Only the parts that differ.
    Changes,
    /// The whole link.
    Whole,
}

/// The charset of a document, and the reading of links in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Script {
    /// The charset that the document is read in; UTF-8, if the document gets another charset.
    pub charset: Charset,
    /// The charset that the document is written in.
    pub written: Charset,
    /// True if the document gets another charset.
    pub changes: bool,
    pub normalizer: Normalizer,
    /// The normalizer of links in the charset that the document is written in.
    written_normalizer: Normalizer,
    /// True if only ASCII can be written: a part of a message in 7bit (RFC 2045 6.2).
    pub is_ascii: bool,
    /// The part of the window in which the charset is certain. Outside of it only ASCII can be written.
    certain: (usize, usize),
    /// The bytes beyond ASCII that can be written.
    known: KnownBytes,
}

impl Script {
    pub fn new(info: &Info, settings: &Settings, to_charset: Option<Charset>) -> Self {
        let written = to_charset.map(|to| info.in_charset(to, settings));
        let written = written.as_ref().unwrap_or(info);
        Script {
            charset: to_charset.map_or(info.charset, |_| Charset::UTF_8),
            written: written.charset,
            changes: to_charset.is_some(),
            normalizer: Normalizer::new(info, settings.nfc),
            written_normalizer: Normalizer::new(written, settings.nfc),
            is_ascii: needs_ascii(info),
            known: to_charset.map_or(info.known, |to| info.known_in(to)),
            certain: match info.certainty {
                Certainty::Sure => (EVERYWHERE.start, EVERYWHERE.end),
                Certainty::Unsure => (NOWHERE.start, NOWHERE.end),
            },
        }
    }

    /// Sets the part of the window in which the charset is certain, for links that end there.
    pub fn set_certain(&mut self, part: Range<usize>) {
        self.certain = (part.start, part.end);
    }

    /// True if the charset is certain where a link stands.
    pub fn is_certain(self, found: &WindowLink<'_>) -> bool {
        let (from, to) = self.certain;
        (from..to).contains(&found.range.end)
    }

    /// True if NFC changed a link, and would not change it in the charset that the document gets.
    pub fn loses_nfc(self, found: &WindowLink<'_>) -> bool {
        let is_changed = self.changes && found.notes.contains(Note::NfcChanged);
        is_changed && !self.written_normalizer.covers(&found.context)
    }

    /// True if NFC would change a link in the charset that the document gets, and did not in the charset that it has.
    pub fn denormalizes(self, found: &WindowLink<'_>) -> bool {
        let text = found.text.text();
        let read = || {
            self.written_normalizer
                .read(&found.context, found.implied, text)
        };
        self.changes && !text.is_ascii() && read() != text
    }

    /// True if the place of a link can write every character.
    pub fn writes_all(self, found: &WindowLink<'_>) -> bool {
        writes_all(found.context.layers, self.changes || self.is_certain(found))
    }

    /// The characters that a link can hold without character references. A document that gets another charset declares
    /// that charset.
    pub fn alphabet(self, found: &WindowLink<'_>) -> Alphabet {
        self.alphabet_in(&found.context, self.changes || self.is_certain(found))
    }

    /// The alphabet of links in a context.
    pub fn alphabet_in(self, context: &LinkContext, is_certain: bool) -> Alphabet {
        let recomposes = !has_references(context.layers) && self.normalizer.covers(context);
        Alphabet {
            charset: self.written,
            repertoire: if self.is_ascii || !is_certain {
                Repertoire::Ascii
            } else {
                repertoire(context.layers)
            },
            is_guess: !is_certain,
            known: self.known,
            is_inert: false,
            recomposes,
        }
    }
}

/// True if only ASCII can be written: in a part of a message in 7bit, and in fields of HTTP (RFC 9110 5.5). Charsets
/// with shift states are 7-bit already.
fn needs_ascii(info: &Info) -> bool {
    let is_seven_bit = info.part.as_ref().is_some_and(|part| !part.allows_octets);
    (is_seven_bit || info.format == Format::Http) && !info.charset.is_stateful()
}

/// A range of the window, and the text that replaces it, escaped for its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Patch {
    pub range: Range<usize>,
    pub text: String,
}

/// The patches that turn a link of `window` into `new`. `None` if `new` cannot be written there.
pub(crate) fn patches(
    found: &WindowLink<'_>,
    new: &str,
    extent: Extent,
    window: &[u8],
    script: Script,
) -> Option<Vec<Patch>> {
    let writer = LinkWriter::new(found, window, script);
    let parts = match extent {
        Extent::Changes => changed_parts(found, new, window, script),
        Extent::Whole => None,
    };
    let mut patches = Vec::new();
    let Some(parts) = parts else {
        add(
            &mut patches,
            found,
            found.range.clone(),
            writer.written(new)?,
            window,
        );
        return Some(patches);
    };
    patches.reserve_exact(parts.len());
    for part in parts {
        let range = found.source(TextSpan::new(part.old.start, part.old.end));
        let range = behind_break(window, range, found);
        add(
            &mut patches,
            found,
            range,
            writer.written(&new[part.new])?,
            window,
        );
    }
    Some(patches)
}

/// Adds the patches for a part of a link and its new text. In a text over runs the new text goes into the run where the
/// part begins; the markup between runs stays.
fn add(
    patches: &mut Vec<Patch>,
    found: &WindowLink<'_>,
    range: Range<usize>,
    text: String,
    window: &[u8],
) {
    let Some(Escaping::Runs(style)) = found.context.layers.as_slice().first() else {
        return patches.push(Patch { range, text });
    };
    let raw = window.get(range.clone()).unwrap_or(&[]);
    let start = (range.start + style.seam_length(raw)).max(found.range.start);
    let raw = window.get(start..range.end).unwrap_or(&[]);
    let mut text = Some(text);
    patches.extend(style.pieces(raw).into_iter().map(|piece| Patch {
        range: start + piece.start..start + piece.end,
        text: text.take().unwrap_or_default(),
    }));
}

/// The parts of a link that change, if they can be written separately.
fn changed_parts(
    found: &WindowLink<'_>,
    new: &str,
    window: &[u8],
    script: Script,
) -> Option<Vec<Change>> {
    let old = found.text.text();
    let context = &found.context;
    if script.loses_nfc(found) {
        return None;
    }
    if script.changes && !gets_references(context.layers) {
        // A character that the new charset lacks cannot stay.
        let alphabet = script.alphabet(found);
        if !old.chars().all(|ch| alphabet.has(ch)) {
            return None;
        }
    }
    let parts = changes(old, new);
    if script.charset.shares_codes() && parts.iter().any(|part| is_between_letters(old, part)) {
        return None;
    }
    if !script.charset.is_stateful() {
        return Some(parts);
    }
    // Shift states allow joins at whole characters only.
    let parts = extended(parts, old, |next| {
        let written = window.get(found.source(next)).unwrap_or(&[]);
        written.is_ascii() && *written == old.as_bytes()[next.start..next.end]
    });
    let is_empty = |part: &Change| part.old.is_empty() || part.new.is_empty();
    (!parts.iter().any(is_empty)).then_some(parts)
}

/// True if a change begins or ends between two characters beyond ASCII, which may share a code unit.
fn is_between_letters(text: &str, part: &Change) -> bool {
    let is_letter = |ch: char| !ch.is_ascii();
    let is_between =
        |at: usize| text[..at].ends_with(is_letter) && text[at..].starts_with(is_letter);
    is_between(part.old.start) || is_between(part.old.end)
}

/// Writes text in the style of a link.
struct LinkWriter {
    layers: Layers,
    /// The link as each layer writes it; empty where nothing is escaped.
    styles: Vec<String>,
    alphabet: Alphabet,
}

impl LinkWriter {
    fn new(found: &WindowLink<'_>, window: &[u8], script: Script) -> Self {
        /// The start of a link shows its style of escapes.
        const PATTERN: usize = 1024;
        let layers = found.context.layers;
        let styles = || {
            let raw = window.get(found.range.clone()).unwrap_or(&[]);
            let pattern = &raw[..raw.len().min(PATTERN)];
            styles(layers, &script.charset.view().decode(pattern))
        };
        LinkWriter {
            styles: if is_plain(layers) {
                Vec::new()
            } else {
                styles()
            },
            layers,
            alphabet: script.alphabet(found),
        }
    }

    fn written(&self, text: &str) -> Option<String> {
        if self.styles.is_empty() {
            can_write(text, self.alphabet).then(|| text.to_owned())
        } else {
            escape(self.layers, &self.styles, text, self.alphabet)
        }
    }
}

/// A part of a link without the line break in front of it: a link in running text may contain line breaks, which stay.
fn behind_break(window: &[u8], range: Range<usize>, found: &WindowLink<'_>) -> Range<usize> {
    if found.context.place.kind != PlaceKind::Text {
        return range;
    }
    let part = window.get(range.clone()).unwrap_or(&[]);
    let mut is_behind = false;
    let skipped = part.iter().take_while(|byte| {
        is_behind |= matches!(byte, b'\n' | b'\r');
        matches!(byte, b'\n' | b'\r' | b' ' | b'\t') || is_behind && **byte == b'>'
    });
    range.start + skipped.count()..range.end
}

/// True if the place has no escapes.
fn is_plain(layers: Layers) -> bool {
    layers.as_slice() == [Escaping::None]
}

/// The raw link as each layer writes it, outermost first. The new text is escaped in the same style.
fn styles(layers: Layers, raw: &str) -> Vec<String> {
    let mut styles = vec![raw.to_owned()];
    let (_, outer) = layers.as_slice().split_last().unzip();
    for layer in outer.into_iter().flatten() {
        let inner = styles
            .last()
            .map(|raw| layer.unescape(raw).into_text().into_owned());
        styles.extend(inner);
    }
    styles
}

/// True for a text of letters, digits and marks of URLs that text and attributes of HTML and XML write as they are. An
/// empty text is an attribute without quotation marks that cannot be written.
fn is_plain_url(text: &str) -> bool {
    let is_mark = |byte: &u8| {
        matches!(
            byte,
            b'-' | b'.'
                | b'_'
                | b'~'
                | b':'
                | b'/'
                | b'?'
                | b'#'
                | b'%'
                | b'='
                | b'@'
                | b'+'
                | b','
        )
    };
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || is_mark(byte);
    !text.is_empty() && text.as_bytes().iter().all(is_plain)
}

fn escape(layers: Layers, styles: &[String], text: &str, alphabet: Alphabet) -> Option<String> {
    let mut text = Cow::Borrowed(text);
    let has_ascii = alphabet.has_ascii();
    for (depth, layer) in layers.as_slice().iter().enumerate().rev() {
        let is_of_runs = matches!(layer, Escaping::Runs(_));
        if has_ascii && is_markup(*layer) && !is_of_runs && is_plain_url(&text) {
            continue;
        }
        // An outer layer may write a character as a reference.
        let outside = layers.as_slice()[..depth]
            .iter()
            .any(|layer| references(*layer));
        let encodable =
            |ch: char| outside || ch.is_ascii_graphic() && has_ascii || alphabet.has(ch);
        let is_lacking = |ch: char| !ch.is_ascii() && !encodable(ch);
        if is_css(layer) && !alphabet.is_guess && text.chars().any(is_lacking) {
            return None;
        }
        let escaped = layer.escape(&text, &styles[depth], &encodable)?;
        text = Cow::Owned(escaped);
    }
    can_write(&text, alphabet).then(|| text.into_owned())
}

/// Writes a patch in the charset of its window, or nothing if the charset lacks a character.
pub(crate) fn encoded(patch: &Patch, view: Charset, out: &mut Vec<u8>) {
    // All views are supersets of ASCII.
    if patch.text.is_ascii() || view == Charset::UTF_8 {
        return out.extend_from_slice(patch.text.as_bytes());
    }
    let length = out.len();
    if view.encode(&patch.text, out).is_err() {
        out.truncate(length);
    }
}
