//! From slots to links: unescape, split and scan, also in documents inside of documents.

mod covered;
mod data;
mod directives;
mod light;
mod literals;
mod php;
mod tex;
mod wholes;

pub(crate) use directives::has_directives_beside;

use super::base::{Base, BaseResolver, is_base_element};
use super::budget::most_links;
use super::context::{ContextCache, ContextParts, SharedContext};
use super::guess;
use super::layers::Layers;
use super::nesting::Nesting;
use super::nfc::Normalizer;
use super::window_link::{LazyText, Lengths, WindowLink};
use crate::charset::{Charset, MappedText};
use crate::markup::HtmlTokenizer;
#[cfg(feature = "markdown")]
use crate::markup::Surroundings;
use crate::markup::light::{LineSettings, Piece};
use crate::markup::values::{self, Reference};
use crate::markup::{
    Access, Escaping, PlaceKind, SharedPlace, Slot, Slots, Syntax, Tokenizer, Window,
};
use crate::notes::{Note, Notes};
use crate::scan::{ByteHit, Decode, Evidence, Hits, Kind, Parted, Run, Scanner, State};
use light::is_light;
use std::cell::OnceCell;
use std::ops::Range;
use std::sync::Arc;

/// Reads the links of slots.
pub(crate) struct SlotReader {
    /// The charset of the windows.
    pub charset: Charset,
    pub scanner: Scanner,
    pub normalizer: Normalizer,
    pub resolver: Arc<BaseResolver>,
    /// The contexts of the last links.
    pub contexts: ContextCache,
    /// True if links of [`Access::Identifier`] are read.
    pub identifiers: bool,
    /// True if code of PHP within values of markup is read.
    pub has_php: bool,
    /// True if comments of the document may hold comments.
    pub nests_comments: bool,
    /// Makes the tokenizer of a nested HTML document.
    pub nested: Box<dyn Fn() -> HtmlTokenizer + Send + Sync>,
    /// The text that is read in lines of light markup.
    pub lines: LineSettings,
    /// The document around the last slot, if that is a part of a Markdown document.
    #[cfg(feature = "markdown")]
    pub surroundings: Option<Surroundings>,
}

/// Properties of a level of nesting that are known before its text is read.
#[derive(Clone)]
struct Level<'p> {
    layers: Layers,
    escaping: Escaping,
    syntax: Syntax,
    access: Access,
    place: &'p SharedPlace,
    nesting: Nesting,
    under: Base,
    /// The most links that are read: one more exceeds the budget of the document.
    most_links: usize,
}

impl<'p> Level<'p> {
    /// The level of a slot of the document itself.
    fn outermost(slot: &'p Slot, under: &Base) -> Self {
        Level {
            layers: Layers::one(slot.escaping),
            escaping: slot.escaping,
            syntax: slot.syntax,
            access: slot.access,
            place: &slot.place,
            nesting: Nesting::default(),
            under: under.clone(),
            most_links: most_links(slot.range.len()),
        }
    }

    /// The level of a piece of light markup in this one.
    fn of_piece<'i>(
        &self,
        piece: &'i Piece<'_>,
        (layers, access): (Layers, Access),
        nesting: &Nesting,
    ) -> Level<'i> {
        Level {
            layers,
            escaping: piece.escaping,
            syntax: piece.syntax,
            access,
            place: &piece.place,
            nesting: nesting.clone(),
            under: self.under.clone(),
            most_links: self.most_links,
        }
    }

    /// The parts of the context of a link of the level.
    fn context(&self) -> ContextParts<'_> {
        ContextParts {
            layers: self.layers,
            place: self.place,
            kind: None,
            nesting: &self.nesting,
            access: self.access,
            under: &self.under,
            // Texts and attributes of unknown XML may be formats: `http://a.example/{0}`.
            template: matches!(
                self.syntax,
                Syntax::Template | Syntax::Json | Syntax::AbsoluteOnly
            ),
        }
    }
}

impl SlotReader {
    /// The links of a whole slot with the raw value `raw`; positions count from the start of `raw`.
    pub fn read<'w>(
        &self,
        slot: &Slot,
        raw: &'w [u8],
        under: &Base,
        out: &mut Vec<WindowLink<'w>>,
    ) {
        let first = out.len();
        self.read_as_written(slot, raw, under, out);
        self.normalize(raw, &mut out[first..]);
    }

    /// Reads a slot, and hands the links of a document in light markup to `each` piece by piece, so that memory need
    /// not hold all links.
    pub fn read_each<'w>(
        &self,
        slot: &Slot,
        raw: &'w [u8],
        under: &Base,
        each: &mut dyn FnMut(&WindowLink<'w>),
    ) {
        if slot.syntax.is_light_markup() {
            return self.read_light(slot.syntax, raw, &mut Vec::new(), &mut |links| {
                self.normalize(raw, links);
                links.drain(..).for_each(|link| each(&link));
            });
        }
        let mut links = Vec::new();
        self.read(slot, raw, under, &mut links);
        links.iter().for_each(each);
    }

    /// Normalizes the links of a raw value.
    fn normalize(&self, raw: &[u8], links: &mut [WindowLink<'_>]) {
        for found in links {
            let own = raw.get(found.range.clone()).unwrap_or(&[]);
            self.normalizer.apply(found, own);
        }
    }

    fn read_as_written<'w>(
        &self,
        slot: &Slot,
        raw: &'w [u8],
        under: &Base,
        out: &mut Vec<WindowLink<'w>>,
    ) {
        if self.has_php && php::may_have_code(slot) {
            self.read_with_code(slot, raw, under, out);
        } else {
            self.read_without_code(slot, raw, under, out);
        }
    }

    fn read_without_code<'w>(
        &self,
        slot: &Slot,
        raw: &'w [u8],
        under: &Base,
        out: &mut Vec<WindowLink<'w>>,
    ) {
        if let Some(found) = self.read_verbatim(slot, raw, under) {
            return out.push(found);
        }
        let level = Level::outermost(slot, under);
        if slot.syntax == Syntax::Text {
            let mut state = State::default();
            self.read_run(&level, raw, true, &self.decode(slot), &mut state, out);
            return;
        }
        if slot.syntax.is_light_markup() {
            return self.read_light(slot.syntax, raw, out, &mut |_| {});
        }
        let decoded = self.charset.decode_mapped(raw);
        match decoded.as_borrowed() {
            Some(text) => self.read_level(&level, text, out),
            None => {
                let mut inner = Vec::new();
                self.read_level(&level, decoded.text(), &mut inner);
                out.extend(inner.into_iter().map(|found| found.through(&decoded)));
            }
        }
    }

    /// The link of a slot whose value is one reference in UTF-8 or ASCII without escapes, like most values. In all
    /// charsets of windows ASCII stands for itself.
    #[inline]
    fn read_verbatim<'w>(
        &self,
        slot: &Slot,
        raw: &'w [u8],
        under: &Base,
    ) -> Option<WindowLink<'w>> {
        let single = matches!(slot.syntax, Syntax::Single | Syntax::Base);
        let text = if single && (self.charset == Charset::UTF_8 || raw.is_ascii()) {
            Charset::as_text(raw)?
        } else {
            return None;
        };
        if !is_verbatim(slot.escaping, text) {
            return None;
        }
        let range = values::trim(text);
        let text = text.get(range.clone()).filter(|text| !text.is_empty())?;
        let context = ContextParts {
            layers: Layers::one(slot.escaping),
            place: &slot.place,
            kind: None,
            nesting: &Nesting::NONE,
            access: slot.access,
            under,
            template: false,
        };
        Some(WindowLink {
            base: range.start,
            range,
            text: MappedText::identity(text).into(),
            context: self.contexts.of(&context),
            implied: None,
            evidence: Evidence::Markup,
            notes: Notes::NONE,
            lengths: Lengths::NONE,
            label: None,
        })
    }

    /// The link of a slot whose raw value expands to `text`, by entities or markup in it. A value with several links
    /// has no places for them.
    pub fn read_expansion<'w>(
        &self,
        slot: &Slot,
        raw: &[u8],
        text: &str,
        under: Base,
    ) -> Option<WindowLink<'w>> {
        let mut parts = Vec::new();
        if !matches!(slot.syntax, Syntax::Text | Syntax::Html) {
            values::split(slot.syntax, text, &mut |part| parts.push(part));
        }
        let [part] = parts[..] else { return None };
        let mut mapped = MappedText::new();
        let blanks = raw.len() - raw.trim_ascii_start().len();
        let range = blanks..blanks + raw.trim_ascii().len();
        mapped.push_unit(part.span.of(text), 0..range.len());
        let under = if values::may_have_base(slot.syntax, text) {
            Base::Own(None)
        } else {
            under
        };
        let level = Level::outermost(slot, &under);
        let context = ContextParts {
            kind: part.kind,
            ..level.context()
        };
        let mut found = WindowLink {
            base: range.start,
            range,
            text: mapped.into(),
            context: self.contexts.of(&context),
            implied: None,
            evidence: Evidence::Markup,
            notes: Notes::NONE,
            lengths: Lengths::NONE,
            label: None,
        };
        self.normalizer.apply(&mut found, raw);
        Some(found)
    }

    /// The links of one more window of running text; `last`: its run ends. Returns the position from which the window
    /// is needed again.
    pub fn read_text<'w>(
        &self,
        slot: &Slot,
        raw: &'w [u8],
        last: bool,
        state: &mut State,
        out: &mut Vec<WindowLink<'w>>,
    ) -> usize {
        let (level, first) = (Level::outermost(slot, &Base::Document), out.len());
        let keep = self.read_run(&level, raw, last, &self.decode(slot), state, out);
        directives::mark(slot.escaping, raw, &mut out[first..]);
        wholes::mark(slot.escaping, raw, &mut out[first..]);
        self.normalize(raw, &mut out[first..]);
        keep
    }

    /// The links of a whole text, as hits of the scanner.
    pub fn hits<'w>(&self, slot: &Slot, raw: &'w [u8]) -> Vec<ByteHit<'w>> {
        let mut hits = Vec::new();
        let decode = self.decode(slot);
        self.scanner
            .scan(raw, true, &decode, &mut State::default(), &mut hits);
        hits
    }

    /// The runs of links.
    pub fn runs(&self, slot: &Slot, window: &[u8], links: &[WindowLink<'_>]) -> Vec<Run> {
        let text = &window[slot.range.clone()];
        let start = slot.range.start;
        let links = links
            .iter()
            .map(|found| found.range.start - start..found.range.end - start);
        let mut runs = self.scanner.runs(text, &self.decode(slot), links);
        for run in &mut runs {
            run.bytes.start += start;
            run.bytes.end += start;
        }
        runs
    }

    /// See [`Scanner::last_break`].
    pub fn last_break(&self, slot: &Slot, window: &[u8], range: Range<usize>) -> Option<usize> {
        self.scanner.last_break(window, &self.decode(slot), range)
    }

    fn decode(&self, slot: &Slot) -> SlotDecode {
        SlotDecode {
            charset: self.charset,
            escaping: slot.escaping,
        }
    }

    fn read_run<'w>(
        &self,
        level: &Level<'_>,
        raw: &'w [u8],
        last: bool,
        decode: &SlotDecode,
        state: &mut State,
        out: &mut Vec<WindowLink<'w>>,
    ) -> usize {
        let mut hits = RunHits {
            context: None,
            new_context: || self.contexts.of(&level.context()),
            charset: decode.charset,
            most_links: level.most_links,
            out,
        };
        self.scanner.scan_each(raw, last, decode, state, &mut hits)
    }

    /// The links of a value whose decoded text, not yet unescaped, is `raw`.
    fn read_level<'t>(&self, level: &Level<'_>, raw: &'t str, out: &mut Vec<WindowLink<'t>>) {
        if level.syntax == Syntax::Revision {
            return self.read_revision(level, raw, out);
        }
        let first = out.len();
        self.read_value(level, raw, out);
        // A reference holds no other text, and data are unescaped where they are read.
        let is_text = match level.syntax {
            Syntax::Single | Syntax::Base => false,
            Syntax::Data => matches!(level.escaping, Escaping::Tex(_)),
            _ => true,
        };
        if out.len() > first && is_text {
            let text = level.escaping.unescape(raw);
            covered::mark(level.escaping, &text, &mut out[first..]);
        }
        directives::mark(level.escaping, raw.as_bytes(), &mut out[first..]);
        wholes::mark(level.escaping, raw.as_bytes(), &mut out[first..]);
        match level.escaping {
            Escaping::Rtf(style) => literals::mark_rtf(style, raw, &mut out[first..]),
            Escaping::Runs(style) => literals::mark_runs(style, raw, &mut out[first..]),
            Escaping::Literal(style) if level.syntax == Syntax::EscapedText => {
                literals::mark(style, raw, &mut out[first..]);
            }
            _ => {}
        }
    }

    fn read_value<'t>(&self, level: &Level<'_>, raw: &'t str, out: &mut Vec<WindowLink<'t>>) {
        if let Escaping::Tex(place) = level.escaping {
            return self.read_tex(level, place, raw, out);
        }
        match level.syntax {
            Syntax::Single | Syntax::Base if is_verbatim(level.escaping, raw) => {
                let range = values::trim(raw);
                if let Some(text) = raw.get(range.clone()).filter(|text| !text.is_empty()) {
                    out.push(WindowLink {
                        base: range.start,
                        range,
                        text: MappedText::identity(text).into(),
                        context: self.contexts.of(&level.context()),
                        implied: None,
                        evidence: Evidence::Markup,
                        notes: Notes::NONE,
                        lengths: Lengths::NONE,
                        label: None,
                    });
                }
            }
            Syntax::Text if is_light(level.escaping) => self.read_light_text(level, raw, out),
            Syntax::EscapedText => self.read_light_text(level, raw, out),
            Syntax::Data => self.read_data(level, raw, out),
            Syntax::Script(language) => self.read_script(level, language, raw, out),
            Syntax::Cell(language) => self.read_cell(level, language, raw, out),
            Syntax::MarkdownString => self.read_markdown(level, raw, out),
            Syntax::IriOrText => {
                let text = level.escaping.unescape(raw);
                let syntax = if values::has_scheme(text.text()) {
                    Syntax::Single
                } else {
                    Syntax::EscapedText
                };
                let level = Level {
                    syntax,
                    ..level.clone()
                };
                self.read_level(&level, raw, out);
            }
            Syntax::Text => {
                let decode = SlotDecode {
                    charset: Charset::UTF_8,
                    escaping: level.escaping,
                };
                self.read_run(
                    level,
                    raw.as_bytes(),
                    true,
                    &decode,
                    &mut State::default(),
                    out,
                );
            }
            Syntax::Html => {
                let text = level.escaping.unescape(raw);
                self.read_nested(level, &text, out);
            }
            Syntax::Lines(state) => {
                let text = level.escaping.unescape(raw);
                self.read_lines(level, state, &text, out);
            }
            _ => {
                let text = level.escaping.unescape(raw);
                // Scopes of contexts are not followed.
                let based = values::may_have_base(level.syntax, text.text()).then(|| Level {
                    under: Base::Own(None),
                    ..level.clone()
                });
                let level = based.as_ref().unwrap_or(level);
                let (nesting, first) = (OnceCell::new(), out.len());
                values::split(level.syntax, text.text(), &mut |part| {
                    if out.len() > level.most_links {
                        return;
                    }
                    let nesting = nesting.get_or_init(|| {
                        if level.syntax.is_language() {
                            level.nesting.inside(level.place)
                        } else {
                            level.nesting.clone()
                        }
                    });
                    out.extend(self.part_of(level, nesting, &text, part));
                });
                if level.syntax == Syntax::Json {
                    covered::mark_signed_json(text.text(), &mut out[first..]);
                }
            }
        }
    }

    /// The links of an HTML document whose source is the text of `outer`.
    fn read_nested<'t>(
        &self,
        level: &Level<'_>,
        outer: &MappedText<'t>,
        out: &mut Vec<WindowLink<'t>>,
    ) {
        let source = outer.text();
        let window = Window {
            bytes: source.as_bytes(),
            last: true,
            charset: Charset::UTF_8,
        };
        let nesting = level.nesting.inside(level.place);
        let under = match self.nested_base(window) {
            Some(base) => self.resolver.of_element(&level.under, &base),
            None => level.under.clone(),
        };
        let mut slots = Slots::new((self.nested)(), window.bytes, window.charset);
        while let Some(slot) = slots.next() {
            if !self.reads(slot.access.inside(level.access)) {
                continue;
            }
            let (Some(raw), Some(layers)) = (
                source.get(slot.range.clone()),
                level.layers.inside(slot.escaping),
            ) else {
                continue;
            };
            let inner = Level {
                layers,
                escaping: slot.escaping,
                syntax: slot.syntax,
                access: slot.access.inside(level.access),
                place: &slot.place,
                nesting: nesting.clone(),
                under: if is_base_element(slot.syntax, &slot.place) {
                    level.under.clone()
                } else if slots.tokenizer().bases().is_empty() {
                    under.clone()
                } else {
                    Base::Own(None)
                },
                most_links: level.most_links,
            };
            if out.len() > level.most_links {
                return;
            }
            let mut found = Vec::new();
            self.read_level(&inner, raw, &mut found);
            if let (Some(label), [found]) = (slots.tokenizer().label(), &mut found[..]) {
                found.label = Some(label.into());
            }
            if level.place.kind == PlaceKind::Comment {
                for found in &mut found {
                    found.context.to_mut().place.to_mut().kind = PlaceKind::Comment;
                }
            }
            let start = slot.range.start;
            out.extend(
                found
                    .into_iter()
                    .map(|found| found.moved(start).through(outer)),
            );
        }
    }

    /// True if links of an access are read.
    pub fn reads(&self, access: Access) -> bool {
        self.identifiers || access != Access::Identifier
    }

    /// The link of a part of a value, with positions in the value's raw text.
    fn part_of<'t>(
        &self,
        level: &Level<'_>,
        nesting: &Nesting,
        value: &MappedText<'t>,
        part: Reference,
    ) -> Option<WindowLink<'t>> {
        let access = part.access.inside(level.access);
        if !self.reads(access) {
            return None;
        }
        let range = value.source(part.span);
        let mut context = ContextParts {
            kind: part.kind,
            access,
            nesting,
            ..level.context()
        };
        let raw = value.slice(part.span);
        let text = if part.escaping == Escaping::None {
            raw
        } else {
            context.layers = context.layers.inside(part.escaping)?;
            part.escaping
                .unescape(raw.text())
                .into_owned()
                .through(&raw)
        };
        Some(WindowLink {
            base: range.start,
            range,
            text: text.into(),
            context: self.contexts.of(&context),
            implied: None,
            evidence: Evidence::Markup,
            notes: Notes::NONE,
            lengths: Lengths::NONE,
            label: None,
        })
    }

    /// The text of the first `<base href>` of a nested document.
    fn nested_base(&self, window: Window<'_>) -> Option<String> {
        if !guess::may_have_base(window.bytes) {
            return None;
        }
        for slot in Slots::new((self.nested)(), window.bytes, window.charset) {
            if slot.syntax == Syntax::Base {
                let raw = std::str::from_utf8(window.bytes.get(slot.range)?).ok()?;
                return Some(slot.escaping.unescape(raw).into_text().into_owned());
            }
        }
        None
    }
}

/// True if a value has no escapes and thus is its own text.
fn is_verbatim(escaping: Escaping, raw: &str) -> bool {
    match escaping {
        Escaping::HtmlAttribute(_) => memchr::memchr2(b'&', 0, raw.as_bytes()).is_none(),
        Escaping::XmlAttribute(_) | Escaping::XhtmlAttribute(_) => {
            // The loop has no exit, so that it goes over many bytes at once.
            let is_odd = |odd, &byte: &u8| odd | (byte == b'&') | (byte < b' ');
            !raw.as_bytes().iter().fold(false, is_odd)
        }
        Escaping::None | Escaping::MarkdownAutolink | Escaping::AsciiDocTarget => true,
        Escaping::MarkdownBare | Escaping::MarkdownAngle => {
            memchr::memchr2(b'\\', b'&', raw.as_bytes()).is_none()
        }
        _ => false,
    }
}

/// Turns the hits in a run of text into links, which share their context.
struct RunHits<'o, 'w, F> {
    context: Option<SharedContext>,
    new_context: F,
    charset: Charset,
    most_links: usize,
    out: &'o mut Vec<WindowLink<'w>>,
}

impl<'w, F: FnMut() -> SharedContext> RunHits<'_, 'w, F> {
    #[inline]
    fn context(&mut self) -> SharedContext {
        self.context
            .get_or_insert_with(&mut self.new_context)
            .clone()
    }
}

impl<'w, F: FnMut() -> SharedContext> Hits<'w> for RunHits<'_, 'w, F> {
    fn plain(&mut self, start: usize, bytes: &'w [u8], kind: Kind, evidence: Evidence) {
        if self.out.len() > self.most_links {
            return;
        }
        let (context, charset) = (self.context(), self.charset);
        // Constructed in place: moving the value would cost as much as building it.
        self.out.extend(std::iter::once_with(|| WindowLink {
            base: start,
            range: start..start + bytes.len(),
            text: LazyText::of_raw(bytes, charset),
            context,
            implied: kind.implied_scheme(),
            evidence,
            notes: Notes::NONE,
            lengths: Lengths::NONE,
            label: None,
        }));
    }

    fn hit(&mut self, hit: ByteHit<'w>) {
        if self.out.len() > self.most_links {
            return;
        }
        let context = self.context();
        // A link that is too long has neither a text nor a kind.
        let kind = (!hit.range.is_empty()).then_some(hit.kind);
        self.out.push(WindowLink {
            base: hit.range.start,
            range: hit.range.clone(),
            context,
            implied: kind.and_then(Kind::implied_scheme),
            evidence: hit.evidence,
            notes: match kind {
                None => Note::TooLong.into(),
                Some(_) => notes_around(&hit),
            },
            lengths: Lengths::NONE,
            label: None,
            text: hit.into_mapped().into(),
        });
    }
}

/// The notes of the text around a link.
fn notes_around(hit: &ByteHit<'_>) -> Notes {
    let hyphenated = hit.hyphenated.then_some(Note::Hyphenated);
    let parted = hit.parted.and_then(|parted| match parted {
        Parted::Invisible => Some(Note::Invisible),
        Parted::PortOutOfRange => Some(Note::PortOutOfRange),
        _ => None,
    });
    hyphenated.into_iter().chain(parted).collect()
}

/// The decoding of the bytes of a text slot.
struct SlotDecode {
    charset: Charset,
    escaping: Escaping,
}

impl Decode for SlotDecode {
    fn charset(&self) -> Charset {
        self.charset
    }

    fn has_references(&self) -> bool {
        matches!(
            self.escaping,
            Escaping::HtmlText | Escaping::XmlText | Escaping::XhtmlText
        )
    }

    fn decode<'b>(&self, bytes: &'b [u8]) -> MappedText<'b> {
        let decoded = self.charset.decode_mapped(bytes);
        if !self.has_references() || memchr::memchr(b'&', bytes).is_none() {
            return decoded;
        }
        match decoded.as_borrowed() {
            Some(text) => self.escaping.unescape(text),
            None => self
                .escaping
                .unescape(decoded.text())
                .into_owned()
                .through(&decoded),
        }
    }
}
