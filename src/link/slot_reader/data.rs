//! Strings of data, whose content tells how they are read.

use super::{Base, Level, SlotReader, WindowLink, guess, values};
use crate::charset::{Charset, MappedText};
use crate::markup::values::Reference;
use crate::markup::{JsonLayout, JsonTokenizer, PlaceKind, Slots, Tokenizer, is_json};

impl SlotReader {
    /// The links of a string of data: an IRI, JSON, HTML or running text.
    pub(super) fn read_data<'t>(
        &self,
        level: &Level<'_>,
        raw: &'t str,
        out: &mut Vec<WindowLink<'t>>,
    ) {
        let text = level.escaping.unescape(raw);
        if values::is_iri(text.text()) {
            let only = Reference::whole(text.text(), PlaceKind::Value);
            out.extend(self.part_of(level, &level.nesting, &text, only));
        } else if is_json(text.text().as_bytes()) {
            self.read_nested_json(level, &text, out);
        } else if guess::has_tag(text.text().as_bytes()) {
            self.read_nested(level, &text, out);
        } else {
            self.read_light_text(level, raw, out);
        }
    }

    /// The links of a JSON document whose source is the text of `outer`.
    fn read_nested_json<'t>(
        &self,
        level: &Level<'_>,
        outer: &MappedText<'t>,
        out: &mut Vec<WindowLink<'t>>,
    ) {
        let source = outer.text();
        let nesting = level.nesting.inside(level.place);
        let tokenizer = JsonTokenizer::new(JsonLayout::Documents, None, usize::MAX);
        let mut slots = Slots::new(tokenizer, source.as_bytes(), Charset::UTF_8);
        while let Some(slot) = slots.next() {
            let access = slot.access.inside(level.access);
            let (Some(raw), Some(layers)) = (
                source.get(slot.range.clone()),
                level.layers.inside(slot.escaping),
            ) else {
                continue;
            };
            if !self.reads(access) {
                continue;
            }
            if out.len() > level.most_links {
                return;
            }
            let inner = Level {
                layers,
                escaping: slot.escaping,
                syntax: slot.syntax,
                access,
                place: &slot.place,
                nesting: nesting.clone(),
                // Scopes of contexts are not followed.
                under: if slots.tokenizer().bases().is_empty() {
                    level.under.clone()
                } else {
                    Base::Own(None)
                },
                most_links: level.most_links,
            };
            let mut found = Vec::new();
            self.read_level(&inner, raw, &mut found);
            let found = found.into_iter();
            out.extend(found.map(|found| found.moved(slot.range.start).through(outer)));
        }
    }
}
