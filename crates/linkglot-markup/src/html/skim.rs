//! The quick way over the bulk of a page: short whole tags and the text between them. Anything unusual is left to the
//! [`Lexer`](super::lexer::Lexer), from its beginning.

use super::attributes::Pending;
use super::tag;
use super::tree::TagFacts;
use super::{HtmlTokenizer, Role, Run};
use crate::byte_search as swar;
use crate::escape::Quote;
use crate::slot::{Syntax, Window};
use crate::vocabulary::{
    Case, ElementId, Filter, NamespaceId, SlotContent, Verdict, digest_of_head, letters,
};
use linkglot_charset::ascii::is_space;
use memchr::{memchr, memchr2};
use std::ops::Range;

/// The place where the quick way ended.
pub(super) enum Skim {
    /// At a whole run of text.
    Text(Range<usize>, Run),
    /// At a tag that may have slots and has been read.
    Tag,
    /// At anything else, for the lexer.
    Rest,
}

impl HtmlTokenizer {
    /// Skips tags and text without slots, in markup outside of foreign content.
    #[inline(never)]
    pub(super) fn skim(&mut self, window: Window<'_>, cursor: &mut usize) -> Skim {
        if !self.lexer.is_in_data() || self.was_foreign || self.lexer.tag.has_php {
            return Skim::Rest;
        }
        let bytes = window.bytes;
        let mut at = *cursor;
        let mut wants_text = self.wants_text();
        loop {
            let wanted = match self.skim_text(bytes, at, wants_text) {
                Behind::Tag(tag) => tag,
                Behind::Text(wanted) => return skimmed_text(bytes, at, wanted, cursor),
                Behind::Nothing => {
                    *cursor = at;
                    return Skim::Rest;
                }
            };
            match self.skim_tag(bytes, wanted) {
                Passed::Plain(end) => at = end,
                Passed::To(end) => {
                    at = end;
                    wants_text = self.wants_text();
                }
                Passed::Text => {
                    *cursor = at;
                    return Skim::Rest;
                }
                passed => {
                    *cursor = wanted;
                    return self.stop_at_tag(passed, wanted);
                }
            }
        }
    }

    /// Stops at the tag that begins at `tag`.
    fn stop_at_tag(&mut self, passed: Passed, tag: usize) -> Skim {
        match passed {
            Passed::Slots(end) => {
                self.moved = Some(0);
                self.lexer.begin_skimmed();
                self.lexer.tag.at = end - tag;
                Skim::Tag
            }
            _ => Skim::Rest,
        }
    }

    /// The first tag, or text that may hold links, from `at` on.
    #[inline(always)]
    fn skim_text(&self, bytes: &[u8], at: usize, wants_text: bool) -> Behind {
        if bytes.get(at) == Some(&b'<') {
            return Behind::Tag(at);
        }
        // Most text between tags is white space.
        let mut text = swar::word(bytes, at).map_or(at, |word| at + swar::blanks(word));
        if bytes.get(text) == Some(&b'<') && !self.text_bytes.has_blanks {
            return Behind::Tag(text);
        }
        if self.text_bytes.has_blanks {
            text = at;
        }
        if !wants_text {
            return swar::find(bytes, text, b'<').map_or(Behind::Nothing, Behind::Tag);
        }
        match self.text_bytes.next(bytes, at, text) {
            Some(found) if bytes.get(found) == Some(&b'<') => Behind::Tag(found),
            found => found.map_or(Behind::Nothing, Behind::Text),
        }
    }

    /// The tag at `tag`, if any.
    #[inline(always)]
    fn skim_tag(&mut self, bytes: &[u8], tag: usize) -> Passed {
        let Some(word) = swar::word(bytes, tag + 1) else {
            return self.skim_rarer_tag(bytes, tag);
        };
        let closing = word as u8 == b'/';
        let (name, bits) = letters(if closing { word >> 8 } else { word });
        let at = tag + 1 + usize::from(closing) + (bits / 8) as usize;
        let Some(element) = self.vocabulary.short_html_element(name) else {
            return self.skim_rarer_tag(bytes, tag);
        };
        let role = element.role;
        match bytes.get(at) {
            Some(b'>') if role == Role::Plain => Passed::Plain(at + 1),
            Some(b'>') if closing => self.skim_end(bytes, tag, at, role),
            Some(b'>') if role.is_transparent() => {
                self.tree.start(NamespaceId::HTML, role, NO_FACTS);
                Passed::To(at + 1)
            }
            Some(b'>' | b' ') if !closing => self.skim_start(bytes, tag, at, element),
            _ => self.skim_rarer_tag(bytes, tag),
        }
    }

    /// The tag at `tag`, if any, whose name is long or unknown, or has other characters than letters.
    #[inline(never)]
    fn skim_rarer_tag(&mut self, bytes: &[u8], tag: usize) -> Passed {
        if !begins_tag(bytes, tag) {
            return Passed::Text;
        }
        let closing = bytes.get(tag + 1) == Some(&b'/');
        let start = tag + 1 + usize::from(closing);
        let at = tag::name_end(bytes, start);
        let name = bytes.get(start..at).unwrap_or_default();
        let element = self
            .vocabulary
            .element(NamespaceId::HTML, name, Case::Ignored);
        match bytes.get(at) {
            // The lexer respects the limit.
            Some(b'>') if at + 1 - tag > self.lexer.limit() => Passed::Not,
            Some(b'>') if closing => self.skim_end(bytes, tag, at, element.role),
            Some(_) if !closing => self.skim_start(bytes, tag, at, element),
            _ => Passed::Not,
        }
    }

    /// The end tag at `tag`, whose name ends at `at`.
    #[inline]
    fn skim_end(&mut self, bytes: &[u8], tag: usize, at: usize, role: Role) -> Passed {
        let name = bytes.get(tag + 2..at).unwrap_or_default();
        self.tree.end_html(role, name);
        Passed::To(at + 1)
    }

    /// The start tag at `tag`, whose name ends at `at`.
    #[inline(always)]
    fn skim_start(&mut self, bytes: &[u8], tag: usize, at: usize, element: ElementId) -> Passed {
        let role = element.role;
        let end = bytes.len().min(tag + self.lexer.limit());
        let bytes = bytes.get(..end).unwrap_or(bytes);
        if !role.is_transparent() && role != Role::Anchor {
            return Passed::Not;
        }
        match idle_attributes(bytes, at, self.vocabulary.filter(element)) {
            Idle::To(end) if role == Role::Plain => Passed::Plain(end),
            Idle::To(end) => {
                self.tree.start(NamespaceId::HTML, role, NO_FACTS);
                Passed::To(end)
            }
            Idle::Not(at) => self.skim_suspects(bytes, tag, at, element),
        }
    }

    /// The rest of the start tag at `tag`. At `at` begins an attribute that may be a slot or has an unusual form.
    #[inline(never)]
    fn skim_suspects(&mut self, bytes: &[u8], tag: usize, at: usize, element: ElementId) -> Passed {
        let role = element.role;
        let Some(skimmed) = self.skim_attributes(bytes, tag, at, element) else {
            return Passed::Not;
        };
        if role != Role::Plain {
            let marked = skimmed.has_href;
            let facts = TagFacts { marked, ..NO_FACTS };
            self.tree.start(NamespaceId::HTML, role, facts);
        }
        match skimmed.slots {
            true => Passed::Slots(skimmed.end),
            false if role == Role::Plain => Passed::Plain(skimmed.end),
            false => Passed::To(skimmed.end),
        }
    }

    /// The attributes of a start tag from `at` on. `None` if an attribute has an unusual form, or if the rest of the
    /// tag decides whether it is a slot.
    #[inline(always)]
    fn skim_attributes(
        &mut self,
        bytes: &[u8],
        tag: usize,
        at: usize,
        element: ElementId,
    ) -> Option<Skimmed> {
        let (mut next, mut asked, mut has_href) = (at, false, false);
        loop {
            match next_suspect(bytes, next, self.vocabulary.filter(element)) {
                Next::End(end) => {
                    return Some(Skimmed {
                        end,
                        has_href,
                        slots: asked && !self.pending.is_empty(),
                    });
                }
                Next::Suspect(suspect) => {
                    if !asked {
                        self.begin_attributes();
                        self.moved = None;
                        asked = true;
                    }
                    has_href |= suspect.key == HREF;
                    next = suspect.next;
                    if !self.ask(bytes, tag, element, suspect) {
                        return None;
                    }
                }
                Next::Unusual => return None,
            }
        }
    }

    /// Adds an attribute of the tag at `tag`, if it is a slot. `false` if the rest of the tag decides that.
    #[inline(always)]
    fn ask(&mut self, bytes: &[u8], tag: usize, element: ElementId, suspect: Suspect) -> bool {
        let Suspect { name, value, .. } = suspect;
        let id = if suspect.letters {
            self.vocabulary.short_attribute(suspect.key)
        } else {
            let name = bytes.get(name).unwrap_or_default();
            self.vocabulary.attribute(name, Case::Ignored)
        };
        let Some(id) = id else {
            return !self.vocabulary.has_prefixes();
        };
        if self.seen.contains(&id) {
            return true;
        }
        self.seen.push(id);
        match self.vocabulary.verdict(element, id) {
            Verdict::Nothing => true,
            Verdict::NeedsColon => {
                let value = bytes.get(value).unwrap_or_default();
                memchr2(b':', b'&', value).is_none()
            }
            Verdict::Slot(SlotContent {
                syntax: Syntax::Base,
                ..
            })
            | Verdict::Conditional => false,
            // Places show the element's name, which only the lexer keeps.
            Verdict::Slot(_) if self.vocabulary.element_name(element).is_none() => false,
            Verdict::Slot(content) => {
                let value = value.start - tag..value.end - tag;
                let bytes = bytes.get(tag..).unwrap_or_default();
                let place = || self.place_of(element, id, bytes);
                if let Some(pending) = Pending::new(content, value, suspect.quote, bytes, place) {
                    self.add_pending(pending);
                }
                true
            }
        }
    }
}

/// The stretch behind a tag.
enum Behind {
    /// No text with links up to this `<`.
    Tag(usize),
    /// Text that may hold links, because of this byte.
    Text(usize),
    /// No more tags.
    Nothing,
}

/// A start tag that was skimmed.
struct Skimmed {
    end: usize,
    has_href: bool,
    /// True if the tag has slots, which are pending.
    slots: bool,
}

/// An attribute that may be a slot.
struct Suspect {
    name: Range<usize>,
    /// The first bytes of the name, as in filters.
    key: u64,
    /// True if the name is at most seven letters, so that the key is the digest of the name.
    letters: bool,
    value: Range<usize>,
    quote: Option<Quote>,
    /// The position behind the attribute.
    next: usize,
}

/// The name of an attribute.
struct Named {
    end: usize,
    /// The key, as in [`Suspect`].
    key: u64,
    letters: bool,
}

/// The range of an attribute's value, and its quotes, if it has a value.
type Value = (Range<usize>, Option<Quote>);

/// The key of `href`.
const HREF: u64 = u64::from_le_bytes(*b"href\0\0\0\0");

/// The name of the attribute at `at`; `None` if the name has an unusual form, or may be `xlink:href`.
#[inline]
fn plain_name(bytes: &[u8], at: usize) -> Option<Named> {
    let word = swar::word(bytes, at)?;
    let length = swar::name_length(word);
    let (key, letters) = match letters(word) {
        (key, bits) if bits < 64 && bits as usize == 8 * length => (key, true),
        _ => (digest_of_head(word, length), false),
    };
    let end = match length {
        0 => return None,
        8 => tag::attribute_name_end(bytes, at + 8),
        _ => at + length,
    };
    let foreign = key == u64::from_le_bytes(*b"xlink:hr");
    (!foreign).then_some(Named { end, key, letters })
}

/// The value behind a name that ends at `at`, and the position behind the value.
#[inline]
fn plain_value(bytes: &[u8], at: usize) -> Option<(Value, usize)> {
    match *bytes.get(at)? {
        b'=' => {}
        byte if is_space(byte) || byte == b'>' => return Some(((at..at, None), at)),
        _ => return None,
    }
    let quote = match *bytes.get(at + 1)? {
        b'"' => Quote::Double,
        b'\'' => Quote::Single,
        _ => return bare_value(bytes, at + 1),
    };
    let start = at + 2;
    let end = swar::find(bytes, start, *bytes.get(at + 1)?)?;
    let usual = may_follow(bytes.get(end + 1));
    usual.then_some(((start..end, Some(quote)), end + 1))
}

/// A value without quotes.
#[inline(never)]
fn bare_value(bytes: &[u8], at: usize) -> Option<(Value, usize)> {
    let rest = bytes.get(at..)?;
    let length = rest.iter().position(|&b| is_space(b) || b == b'>')?;
    let value = at..at + length;
    (length > 0).then_some(((value, Some(Quote::Unquoted)), at + length))
}

/// The facts of a tag whose element is transparent (see [`Role::is_transparent`]).
const NO_FACTS: TagFacts<'_> = TagFacts {
    name: &[],
    self_closing: false,
    marked: false,
};

/// The outcome of skimming a tag.
enum Passed {
    /// The tag has no slots, changes nothing and ends here.
    Plain(usize),
    /// The tag has no slots and ends here.
    To(usize),
    /// The tag ends here and has slots, which are pending.
    Slots(usize),
    /// The tag is for the lexer.
    Not,
    /// There is no tag.
    Text,
}

/// The next part of a start tag.
enum Next {
    /// An attribute that may be a slot.
    Suspect(Suspect),
    /// The tag ends here.
    End(usize),
    /// Anything in an unusual form.
    Unusual,
}

/// The end of attributes without links.
enum Idle {
    /// The tag ends here.
    To(usize),
    /// An attribute that may be a slot, or something unusual, follows here.
    Not(usize),
}

/// Skips attributes of a start tag from `at` on that do not pass the filter and have the most common form: a space,
/// letters, and a value in double quotes.
#[inline(never)]
fn idle_attributes(bytes: &[u8], mut at: usize, filter: &Filter) -> Idle {
    const EQUALS: u16 = u16::from_le_bytes(*b"=\"");
    loop {
        let begin = bytes.get(at..).and_then(<[u8]>::first_chunk::<9>);
        let Some(&[first, ref name @ ..]) = begin else {
            return Idle::Not(at);
        };
        match first {
            b' ' => {}
            b'>' => return Idle::To(at + 1),
            _ => return Idle::Not(at),
        }
        let word = u64::from_le_bytes(*name);
        let (key, bits) = letters(word);
        // If all eight bytes are letters, or the word holds only a part of `="`, the comparison fails. Without letters
        // `=` begins a name.
        if word.wrapping_shr(bits) as u16 != EQUALS || bits == 0 || filter.passes(key) {
            return Idle::Not(at);
        }
        let value = at + 3 + (bits / 8) as usize;
        let Some(end) = swar::find(bytes, value, b'"') else {
            return Idle::Not(at);
        };
        at = end + 1;
    }
}

/// Skips the attributes of a start tag from `at` on, behind its name or a value, that do not pass the filter.
#[inline(always)]
fn next_suspect(bytes: &[u8], mut at: usize, filter: &Filter) -> Next {
    loop {
        match bytes.get(at) {
            Some(b' ') => at += 1,
            Some(b'>') => return Next::End(at + 1),
            Some(b'/') if bytes.get(at + 1) == Some(&b'>') => return Next::End(at + 2),
            Some(&byte) if is_space(byte) => at += 1,
            _ => return Next::Unusual,
        }
        let Some(word) = swar::word(bytes, at) else {
            return Next::Unusual;
        };
        let (key, bits) = letters(word);
        let name = at + (bits / 8) as usize;
        let quote = match (bytes.get(name), bytes.get(name + 1)) {
            (Some(b'='), Some(&quote @ (b'"' | b'\''))) if bits > 0 && bits < 64 => quote,
            _ => match rarer_attribute(bytes, at, filter) {
                Rarer::Passed(next) => {
                    at = next;
                    continue;
                }
                Rarer::Stopped(next) => return next,
            },
        };
        let Some(end) = swar::find(bytes, name + 2, quote) else {
            return Next::Unusual;
        };
        if filter.passes(key) {
            let quote = match quote {
                b'"' => Quote::Double,
                _ => Quote::Single,
            };
            return Next::Suspect(Suspect {
                name: at..name,
                key,
                letters: true,
                value: name + 2..end,
                quote: Some(quote),
                next: end + 1,
            });
        }
        at = end + 1;
    }
}

/// The outcome of reading an attribute that does not have the common form.
enum Rarer {
    /// The attribute, or white space, is skipped; the tag goes on here.
    Passed(usize),
    /// Skimming stops.
    Stopped(Next),
}

/// Reads the bytes behind the white space that ends at `at` in a tag.
#[inline(never)]
fn rarer_attribute(bytes: &[u8], at: usize, filter: &Filter) -> Rarer {
    match bytes.get(at) {
        Some(&byte) if is_space(byte) || matches!(byte, b'>' | b'/') => return Rarer::Passed(at),
        Some(byte) if byte.is_ascii_alphabetic() => {}
        _ => return Rarer::Stopped(Next::Unusual),
    }
    let Some(Named { end, key, letters }) = plain_name(bytes, at) else {
        return Rarer::Stopped(Next::Unusual);
    };
    let Some(((value, quote), next)) = plain_value(bytes, end) else {
        return Rarer::Stopped(Next::Unusual);
    };
    if !filter.passes(key) {
        return Rarer::Passed(next);
    }
    Rarer::Stopped(Next::Suspect(Suspect {
        name: at..end,
        key,
        letters,
        value,
        quote,
        next,
    }))
}

/// True if a byte may follow a quoted value.
#[inline(always)]
fn may_follow(byte: Option<&u8>) -> bool {
    byte.is_some_and(|&byte| matches!(byte, b' ' | b'>' | b'/') || is_space(byte))
}

/// Stops at the text from `at` on, which may hold links because of the byte at `wanted`.
fn skimmed_text(bytes: &[u8], at: usize, wanted: usize, cursor: &mut usize) -> Skim {
    let text = wanted_text(bytes, at..wanted);
    *cursor = text.as_ref().map_or(at, |text| text.end);
    text.map_or(Skim::Rest, |text| Skim::Text(text, Run::WHOLE))
}

/// The text before the next tag, without the white space at its beginning. The range `begin` is surely text. `None` if
/// no tag ends the text.
#[inline]
fn wanted_text(bytes: &[u8], begin: Range<usize>) -> Option<Range<usize>> {
    let tag = begin.end + memchr(b'<', bytes.get(begin.end..)?)?;
    let text = bytes.get(begin.start..tag)?;
    let blank = text.iter().position(|&b| !is_space(b))?;
    begins_tag(bytes, tag).then_some(begin.start + blank..tag)
}

/// True if the `<` at `at` begins a tag.
#[inline(always)]
fn begins_tag(bytes: &[u8], at: usize) -> bool {
    match bytes.get(at + 1) {
        Some(b'/') => bytes.get(at + 2).is_some_and(u8::is_ascii_alphabetic),
        Some(byte) => byte.is_ascii_alphabetic(),
        None => false,
    }
}

#[cfg(test)]
mod tests;
