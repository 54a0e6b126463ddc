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

/// Code of PHP in a value.
struct Code {
    range: Range<usize>,
    has_links: bool,
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
        let ranges = php_codes(raw);
        if ranges.is_empty() {
            return self.read_without_code(slot, raw, under, out);
        }
        let mut outer = Vec::new();
        if is_program(slot.syntax) {
            let masked = masked(raw, &ranges);
            let mut found = Vec::new();
            self.read_without_code(slot, &masked, under, &mut found);
            outer.extend(
                found
                    .into_iter()
                    .map(|link| self.unmasked(link, raw, &masked)),
            );
        } else {
            self.read_without_code(slot, raw, under, &mut outer);
        }
        let mut links = Vec::new();
        let codes = ranges.into_iter().map(|range| {
            let known = links.len();
            let slot = php_slot(0..range.len());
            // The byte behind the code tells whether text continues its output.
            let with_next = range.start..raw.len().min(range.end + 1);
            self.read_without_code(&slot, &raw[with_next], under, &mut links);
            let inner = &mut links[known..];
            inner.iter_mut().for_each(|link| link.shift(range.start));
            Code {
                has_links: !inner.is_empty(),
                range,
            }
        });
        let codes: Vec<Code> = codes.collect();
        links.extend(
            outer
                .into_iter()
                .filter_map(|link| in_front(link, raw, &codes)),
        );
        links.sort_by_key(|link| link.range.start);
        out.append(&mut links);
    }

    /// Gives a link a text of its own, in which code stands as written if nothing is an escape.
    fn unmasked<'w>(&self, link: WindowLink<'_>, raw: &'w [u8], masked: &[u8]) -> WindowLink<'w> {
        let text = link.text.into_mapped();
        let is_verbatim = text.text().as_bytes() == &masked[link.range.clone()];
        let (text, base) = if is_verbatim {
            let own = &raw[link.range.clone()];
            (self.charset.decode_mapped(own), link.range.start)
        } else {
            (text.into_owned(), link.base)
        };
        WindowLink {
            range: link.range,
            text: text.into(),
            base,
            context: link.context,
            implied: link.implied,
            evidence: link.evidence,
            notes: link.notes,
            lengths: link.lengths,
            label: link.label,
        }
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

/// The part of a link in front of the first code with links in it; `None` if the link begins in such code. Code behind
/// a link continues it.
fn in_front<'w>(mut link: WindowLink<'w>, raw: &[u8], codes: &[Code]) -> Option<WindowLink<'w>> {
    let next = codes.partition_point(|code| code.range.end <= link.range.start);
    let codes = codes[next..].iter();
    let mut codes = codes
        .take_while(|code| code.range.start <= link.range.end)
        .peekable();
    let Some(first) = codes.peek().map(|code| code.range.start) else {
        return Some(link);
    };
    if !codes.any(|code| code.has_links) {
        link.notes.insert(Note::LeftTemplate);
        return Some(link);
    }
    let front = raw.get(link.range.start..first)?.trim_ascii_end();
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
