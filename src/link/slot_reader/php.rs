//! Code of PHP within the values of markup: attributes, scripts, style sheets.

use super::{Base, SlotReader, WindowLink};
use crate::markup::{Escaping, Language, Slot, Syntax, php_codes, php_slot};
use crate::notes::Note;
use crate::span::TextSpan;
use std::ops::Range;

/// True if the value of a slot may have code of PHP in it.
pub(super) fn may_have_code(slot: &Slot) -> bool {
    let is_value = matches!(
        slot.escaping,
        Escaping::HtmlAttribute(_)
            | Escaping::XmlAttribute(_)
            | Escaping::XhtmlAttribute(_)
            | Escaping::HtmlRawText
    );
    is_value && !matches!(slot.syntax, Syntax::Text | Syntax::Script(Language::Php))
}

/// True if a value has a grammar that code of PHP could confuse.
fn is_program(syntax: Syntax) -> bool {
    matches!(
        syntax,
        Syntax::Script(_) | Syntax::Css | Syntax::CssDeclarations | Syntax::Json | Syntax::Data
    )
}

impl SlotReader {
    /// The links of a value, and those of the code of PHP in it. A link in front of code that has links ends there.
    pub(super) fn read_with_code<'w>(
        &self,
        slot: &Slot,
        raw: &'w [u8],
        under: &Base,
        out: &mut Vec<WindowLink<'w>>,
    ) {
        let mut codes = php_codes(raw);
        if codes.is_empty() {
            return self.read_without_code(slot, raw, under, out);
        }
        let is_program = is_program(slot.syntax);
        let mut outer = Vec::new();
        if is_program {
            let masked = masked(raw, &codes);
            let mut found = Vec::new();
            self.read_without_code(slot, &masked, under, &mut found);
            outer.extend(found.into_iter().map(owned));
        } else {
            self.read_without_code(slot, raw, under, &mut outer);
        }
        let mut links = Vec::new();
        codes.retain(|code| {
            let known = links.len();
            let slot = php_slot(0..code.len());
            self.read_without_code(&slot, &raw[code.clone()], under, &mut links);
            links[known..]
                .iter_mut()
                .for_each(|link| link.shift(code.start));
            is_program || links.len() > known
        });
        let outer = outer.into_iter();
        links.extend(outer.filter_map(|link| in_front(link, raw, &codes)));
        links.sort_by_key(|link| link.range.start);
        out.append(&mut links);
    }
}

/// A value with code that is one word each, of the same length.
fn masked(raw: &[u8], codes: &[Range<usize>]) -> Vec<u8> {
    let mut masked = raw.to_vec();
    for code in codes {
        masked[code.start + "<?".len()..code.end - "?>".len()].fill(b'x');
    }
    masked
}

/// The same link with a text of its own.
fn owned<'o>(link: WindowLink<'_>) -> WindowLink<'o> {
    WindowLink {
        range: link.range,
        text: link.text.into_mapped().into_owned().into(),
        base: link.base,
        context: link.context,
        implied: link.implied,
        evidence: link.evidence,
        notes: link.notes,
        lengths: link.lengths,
        label: link.label,
    }
}

/// The part of a link in front of the first code in it; `None` if the link begins in code.
fn in_front<'w>(
    mut link: WindowLink<'w>,
    raw: &[u8],
    codes: &[Range<usize>],
) -> Option<WindowLink<'w>> {
    let next = codes.partition_point(|code| code.end <= link.range.start);
    let code = match codes.get(next) {
        Some(code) if code.start < link.range.end => code,
        _ => return Some(link),
    };
    let front = raw.get(link.range.start..code.start)?.trim_ascii_end();
    if front.is_empty() {
        return None;
    }
    link.range.end = link.range.start + front.len();
    let text = link.text.into_mapped();
    let end = text.text_at(link.range.end - link.base);
    link.text = text.slice(TextSpan::new(0, end)).into();
    link.notes.insert(Note::LeftTemplate);
    Some(link)
}
