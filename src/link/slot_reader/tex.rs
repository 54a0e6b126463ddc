//! Texts of TeX: code may give the beginning or the end of a link.

use super::{Level, SlotReader, WindowLink, values};
use crate::charset::MappedText;
use crate::markup::values::Reference;
use crate::markup::{Syntax, TEX_CODE, TexPlace, is_tex_letter};
use crate::notes::Note;
use crate::span::TextSpan;

impl SlotReader {
    /// The links of a text or an argument.
    pub(super) fn read_tex<'t>(
        &self,
        level: &Level<'_>,
        place: TexPlace,
        raw: &'t str,
        out: &mut Vec<WindowLink<'t>>,
    ) {
        let first = out.len();
        let text = level.escaping.unescape(raw);
        let is_text = match (place, level.syntax) {
            (TexPlace::Text | TexPlace::Entry, _) | (_, Syntax::EscapedText) => true,
            (_, Syntax::IriOrText) => !values::has_scheme(text.text()),
            _ => false,
        };
        if is_text {
            self.read_light_text(level, raw, out);
        } else {
            self.read_whole(level, &text, raw, out);
        }
        mark(raw, &text, &mut out[first..]);
    }

    /// The link of a whole argument, up to code in it. Without a scheme and more, code alone tells where a link leads.
    fn read_whole<'t>(
        &self,
        level: &Level<'_>,
        text: &MappedText<'t>,
        raw: &'t str,
        out: &mut Vec<WindowLink<'t>>,
    ) {
        let Some(code) = text.text().find(TEX_CODE) else {
            out.extend(self.trimmed(level, text));
            return;
        };
        let before = &text.text()[..code];
        let rest = before.trim_start().split_once(':').map(|(_, rest)| rest);
        let leads = rest.is_some_and(|rest| rest.contains(|ch: char| ch != '/'));
        if !values::has_scheme(before) || !leads {
            return;
        }
        let end = text.source(TextSpan::new(code, code)).start;
        let part = &raw[..end];
        let text = level.escaping.unescape(part);
        out.extend(self.trimmed(level, &text));
    }

    /// The link of a text without the white space around it.
    fn trimmed<'t>(&self, level: &Level<'_>, text: &MappedText<'t>) -> Option<WindowLink<'t>> {
        let range = values::trim(text.text());
        let mut whole = Reference::whole(text.text(), level.place.kind);
        whole.span = TextSpan::new(range.start, range.end);
        if range.is_empty() {
            return None;
        }
        self.part_of(level, &level.nesting, text, whole)
    }
}

/// Marks the links that code continues.
fn mark(raw: &str, text: &MappedText<'_>, links: &mut [WindowLink<'_>]) {
    for link in links {
        let [start, end] = [link.range.start, link.range.end].map(|at| text.text_at(at));
        let has_start = link.implied.is_none() && !link.text.text().starts_with("//");
        let code = text
            .text()
            .get(end..)
            .filter(|rest| rest.starts_with(TEX_CODE));
        if !has_start && text.text()[..start].ends_with(TEX_CODE) {
            link.leave(Note::LeftTemplate);
        } else if code.is_some() && is_tex_letter(&raw[link.range.end..]) {
            link.leave(Note::LeftEscaped);
        } else if code.is_some() {
            link.notes.insert(Note::LeftTemplate);
        }
    }
}
