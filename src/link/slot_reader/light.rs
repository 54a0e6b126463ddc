//! Light markup: pieces of its documents, and running text with its escapes.

use super::{Level, SlotReader, WindowLink};
use crate::charset::MappedText;
use crate::link::Base;
use crate::link::entity::final_references;
use crate::link::layers::Layers;
use crate::link::nesting::Nesting;
#[cfg(feature = "markdown")]
use crate::markup::light::markdown::{for_each_piece_of_mdx, for_each_piece_of_part};
use crate::markup::light::{self, LineState, Piece, Raw};
use crate::markup::{Escaping, Syntax};
use crate::notes::Note;
use crate::span::TextSpan;
use std::ops::Range;

impl SlotReader {
    /// The links of running text with escapes unknown to scanners, which get the unescaped text.
    pub(super) fn read_light_text<'t>(
        &self,
        level: &Level<'_>,
        raw: &'t str,
        out: &mut Vec<WindowLink<'t>>,
    ) {
        let text = level.escaping.unescape(raw);
        let plain = Level {
            escaping: Escaping::None,
            syntax: Syntax::Text,
            ..level.clone()
        };
        let known = Unescaped {
            raw,
            text: &text,
            has_entities: level.escaping == Escaping::MarkdownText && raw.contains('&'),
        };
        match text.as_borrowed() {
            Some(borrowed) => self.read_unescaped(&plain, &known, borrowed, out),
            None => {
                let mut found = Vec::new();
                self.read_unescaped(&plain, &known, text.text(), &mut found);
                out.extend(found.into_iter().map(|found| found.through(&text)));
            }
        }
    }

    /// The links of an unescaped text, each without references to entities at its end: the rest is read again.
    fn read_unescaped<'t>(
        &self,
        plain: &Level<'_>,
        known: &Unescaped<'_>,
        text: &'t str,
        out: &mut Vec<WindowLink<'t>>,
    ) {
        if !known.has_entities {
            return self.read_level(plain, text, out);
        }
        let mut links = Vec::new();
        self.read_level(plain, text, &mut links);
        let (mut start, mut done) = (0, 0);
        for link in links {
            let range = link.range.clone();
            match known.cut(&range) {
                Some(cut) => self.read_cut(plain, known, text, (start, done, cut), out),
                None => out.push(link),
            }
            (start, done) = (range.start, range.end);
        }
    }

    /// The links from `done` on of a text that ends at `cut`, read from `start` on.
    fn read_cut<'t>(
        &self,
        plain: &Level<'_>,
        known: &Unescaped<'_>,
        text: &'t str,
        (start, done, mut cut): (usize, usize, usize),
        out: &mut Vec<WindowLink<'t>>,
    ) {
        /// The most brackets between references at the end of a link that are looked behind.
        const TRIES: usize = 4;
        for tries in 1..=TRIES {
            let mut again = Vec::new();
            self.read_level(plain, text.get(start..cut).unwrap_or_default(), &mut again);
            let mut again: Vec<_> = again.into_iter().map(|link| link.moved(start)).collect();
            again.retain(|link| link.range.start >= done);
            match again.last().and_then(|link| known.cut(&link.range)) {
                Some(less) if less < cut && tries < TRIES => cut = less,
                _ => return out.append(&mut again),
            }
        }
    }

    /// Adds the links of a document in light markup to `out`, piece by piece; `each` may take the links out again.
    pub(super) fn read_light<'w>(
        &self,
        syntax: Syntax,
        raw: &'w [u8],
        out: &mut Vec<WindowLink<'w>>,
        each: &mut dyn FnMut(&mut Vec<WindowLink<'w>>),
    ) {
        let decoded = self.charset.decode_mapped(raw);
        match decoded.as_borrowed() {
            Some(text) => self.for_each_piece(syntax, text, &mut |piece| {
                self.read_piece(text, &piece, out);
                each(out);
            }),
            None => self.for_each_piece(syntax, decoded.text(), &mut |piece| {
                let mut inner = Vec::new();
                self.read_piece(decoded.text(), &piece, &mut inner);
                out.extend(inner.into_iter().map(|found| found.through(&decoded)));
                each(out);
            }),
        }
    }

    fn for_each_piece<'t>(&self, syntax: Syntax, text: &'t str, each: &mut dyn FnMut(Piece<'t>)) {
        match syntax {
            #[cfg(feature = "markdown")]
            Syntax::Markdown => match &self.surroundings {
                Some(around) => {
                    for_each_piece_of_part(text, around, self.lines, &*self.nested, each)
                }
                None => light::markdown::for_each_piece(text, self.lines, &*self.nested, each),
            },
            #[cfg(feature = "markdown")]
            Syntax::Mdx => {
                let around = self.surroundings.as_ref();
                for_each_piece_of_mdx(text, around, self.lines, &*self.nested, each)
            }
            _ => light::rst::pieces(text, self.lines)
                .into_iter()
                .for_each(each),
        }
    }

    /// The links of a Markdown document in a string. A document that would take too much memory is running text.
    #[cfg(feature = "markdown")]
    pub(super) fn read_markdown<'t>(
        &self,
        level: &Level<'_>,
        raw: &'t str,
        out: &mut Vec<WindowLink<'t>>,
    ) {
        let outer = level.escaping.unescape(raw);
        if light::is_dense_markdown(outer.text()) {
            return self.read_light_text(level, raw, out);
        }
        let nesting = level.nesting.inside(level.place);
        light::markdown::for_each_piece(outer.text(), self.lines, &*self.nested, &mut |piece| {
            let access = piece.access.inside(level.access);
            let Some(layers) = level.layers.inside(piece.escaping) else {
                return;
            };
            if out.len() > level.most_links || !self.reads(access) {
                return;
            }
            let inner = level.of_piece(&piece, (layers, access), &nesting);
            let mut found = Vec::new();
            self.read_piece_at(&inner, outer.text(), &piece, &mut found);
            out.extend(found.into_iter().map(|found| found.through(&outer)));
        });
    }

    /// The links of a Markdown document in a string, as running text.
    #[cfg(not(feature = "markdown"))]
    pub(super) fn read_markdown<'t>(
        &self,
        level: &Level<'_>,
        raw: &'t str,
        out: &mut Vec<WindowLink<'t>>,
    ) {
        self.read_light_text(level, raw, out);
    }

    /// The links of a piece of a document in light markup with the text `text`.
    fn read_piece<'t>(&self, text: &'t str, piece: &Piece<'t>, out: &mut Vec<WindowLink<'t>>) {
        let level = Level {
            layers: Layers::one(piece.escaping),
            escaping: piece.escaping,
            syntax: piece.syntax,
            access: piece.access,
            place: &piece.place,
            nesting: Nesting::default(),
            under: Base::Document,
            most_links: usize::MAX,
        };
        self.read_piece_at(&level, text, piece, out);
    }

    /// The links of a piece of a document in light markup with the text `text`, at a level.
    fn read_piece_at<'t>(
        &self,
        level: &Level<'_>,
        text: &'t str,
        piece: &Piece<'t>,
        out: &mut Vec<WindowLink<'t>>,
    ) {
        let first = out.len();
        match &piece.raw {
            Raw::Range(range) => {
                let Some(raw) = text.get(range.clone()) else {
                    return;
                };
                self.read_level(level, raw, out);
                for found in &mut out[first..] {
                    found.shift(range.start);
                }
            }
            Raw::Gathered(start, raw) => {
                let mut found = Vec::new();
                self.read_level(level, raw.text(), &mut found);
                let found = found.into_iter().map(|found| found.through(raw));
                out.extend(found.map(|found| found.moved(*start)));
            }
        }
        for found in &mut out[first..] {
            found.implied = piece.implied.or(found.implied);
        }
    }

    /// The links of lines of light markup: of a line of a document, or of a document in another one.
    pub(super) fn read_lines<'t>(
        &self,
        level: &Level<'_>,
        state: LineState,
        outer: &MappedText<'t>,
        out: &mut Vec<WindowLink<'t>>,
    ) {
        let is_nested = level.escaping != Escaping::None;
        let nesting = if is_nested {
            level.nesting.inside(level.place)
        } else {
            Nesting::default()
        };
        let source = outer.text();
        let mut each = |piece: Piece<'_>| {
            let layers = if is_nested {
                level.layers.inside(piece.escaping)
            } else {
                Some(Layers::one(piece.escaping))
            };
            let access = piece.access.inside(level.access);
            let (Some(layers), Raw::Range(range)) = (layers, &piece.raw) else {
                return;
            };
            if is_nested && out.len() > level.most_links || !self.reads(access) {
                return;
            }
            let inner = Level {
                most_links: usize::MAX,
                ..level.of_piece(&piece, (layers, access), &nesting)
            };
            let Some(raw) = source.get(range.clone()) else {
                return;
            };
            let mut found = Vec::new();
            self.read_level(&inner, raw, &mut found);
            let has_code = piece.escaping == Escaping::AsciiDocTarget && has_attribute(raw);
            out.extend(found.into_iter().map(|mut found| {
                if has_code {
                    found.notes.insert(Note::LeftTemplate);
                }
                found.implied = piece.implied.or(found.implied);
                found.moved(range.start).through(outer)
            }));
        };
        state.for_each_piece(source, self.lines, &*self.nested, &mut each);
    }
}

/// Running text of light markup without its escapes.
struct Unescaped<'r> {
    raw: &'r str,
    text: &'r MappedText<'r>,
    /// True if references to entities may end links.
    has_entities: bool,
}

impl Unescaped<'_> {
    /// The end of the link in a range of the text, without the references to entities at its end; `None` without such
    /// references.
    fn cut(&self, range: &Range<usize>) -> Option<usize> {
        let raw = self.text.source(TextSpan::new(range.start, range.end));
        let behind = self.raw.get(raw.end..)?;
        // The semicolon of an unknown reference is no part of the link.
        let end = raw.end + usize::from(behind.starts_with(';'));
        let at = final_references(self.raw.get(raw.start..end)?)
            .or_else(|| final_references(self.raw.get(raw.clone())?))?;
        Some(self.text.text_at(raw.start + at))
    }
}

/// True if a target of AsciiDoc has a reference to an attribute (`{name}`).
fn has_attribute(target: &str) -> bool {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let mut parts = target.split('{').skip(1);
    parts.any(|part| {
        let name = part.split('}').next().unwrap_or_default();
        !name.is_empty() && name.len() < part.len() && name.bytes().all(is_name)
    })
}

/// True if the escapes of running text are those of light markup, which scanners do not know.
pub(super) fn is_light(escaping: Escaping) -> bool {
    matches!(
        escaping,
        Escaping::MarkdownText
            | Escaping::RstText
            | Escaping::Wikitext
            | Escaping::WikitextParameter
    )
}
