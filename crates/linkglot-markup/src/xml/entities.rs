//! Entities: the values that depend on them, and the replacement texts that the internal subset declares.

use crate::escape::{self, Escaping, Quote};
use linkglot_charset::Charset;
use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashMap;

/// Bounds against a "billion laughs" of nested entities: on the number of declarations, on their text together, on the
/// text of one value, and on nesting.
const MOST_ENTITIES: usize = 4096;
const MOST_DECLARED: usize = 1 << 18;
const MOST_EXPANDED: usize = 1 << 16;
const DEEPEST: usize = 16;

/// The most bytes of all expanded values of a document, and the bytes added for each byte of the values themselves: the
/// time stays linear.
const MOST_EXPANDED_IN_ALL: usize = 1 << 20;
const EXPANDED_A_BYTE: usize = 32;

/// The general entities that the internal subset declares.
#[derive(Debug, Default)]
pub(super) struct Entities {
    /// `None` for external and unparsed entities, which are never read.
    declared: HashMap<Box<str>, Option<Box<str>>>,
    bytes: usize,
    /// True if the external subset declares the entities of HTML.
    html: bool,
    /// The part of [`MOST_EXPANDED_IN_ALL`] taken by the values so far.
    spent: Cell<usize>,
}

/// A reference: `&name;`, `&#1;`, `&#x1;`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reference<'t> {
    Character(char),
    Entity(&'t str),
}

impl Entities {
    /// Notes a declaration; for each name the first counts (XML section 4.2).
    pub fn declare(&mut self, name: &str, value: Option<&str>) {
        let bytes = name.len() + value.map_or(0, str::len);
        let full = self.declared.len() >= MOST_ENTITIES || self.bytes + bytes > MOST_DECLARED;
        if full || self.declared.contains_key(name) {
            return;
        }
        self.bytes += bytes;
        let value = value.map(|value| replacement(&one_line_end(value)).into());
        self.declared.insert(name.into(), value);
    }

    /// Declares the entities of HTML, as the external subset of XHTML does.
    pub fn declare_html(&mut self) {
        self.html = true;
    }

    /// The escaping of character data.
    pub fn of_text(&self) -> Escaping {
        if self.html {
            Escaping::XhtmlText
        } else {
            Escaping::XmlText
        }
    }

    /// The escaping of the value of an attribute.
    pub fn of_attribute(&self, quote: Quote) -> Escaping {
        if self.html {
            Escaping::XhtmlAttribute(quote)
        } else {
            Escaping::XmlAttribute(quote)
        }
    }

    /// The text of an entity of HTML, unless the internal subset declares the name.
    fn of_html(&self, name: &str) -> Option<&'static str> {
        let known = self.html && !self.declared.contains_key(name);
        // The match must be the whole name and its semicolon.
        let (length, text) = escape::html_entity(&format!("{name};")).filter(|_| known)?;
        (length == name.len() + 1).then_some(text)
    }

    /// The position of the first `&`, from `from` on, of a reference to an entity that is neither predefined nor a
    /// declared entity of HTML. `Err` is the position of an `&` whose reference the end of the bytes cuts.
    pub fn find(&self, raw: &[u8], from: usize) -> Result<Option<usize>, usize> {
        let rest = raw.get(from..).unwrap_or_default();
        for at in memchr::memchr_iter(b'&', rest) {
            match self.is_entity(rest.get(at + 1..).unwrap_or_default()) {
                Some(true) => return Ok(Some(from + at)),
                Some(false) => {}
                None => return Err(from + at),
            }
        }
        Ok(None)
    }

    /// True if `rest`, behind a `&`, names an entity as in [`find`](Self::find); `None` if the bytes end too early to
    /// tell.
    pub fn is_entity(&self, rest: &[u8]) -> Option<bool> {
        let found = is_entity(rest);
        if !self.html || found != Some(true) {
            return found;
        }
        let end = memchr::memchr(b';', rest).unwrap_or(rest.len());
        let name = rest
            .get(..end)
            .and_then(|name| std::str::from_utf8(name).ok());
        Some(name.is_none_or(|name| self.of_html(name).is_none()))
    }

    /// True if a whole raw value refers to an entity as in [`find`](Self::find).
    #[inline]
    pub fn has(&self, raw: &[u8]) -> bool {
        matches!(self.find(raw, 0), Ok(Some(_)))
    }

    /// The text with all references replaced and white space unchanged. `None` if an entity is undeclared or external,
    /// or the result too long.
    pub fn expand(&self, raw: &str) -> Option<String> {
        self.expand_with(raw, Spaces::Kept)
    }

    /// As [`expand`](Self::expand), for the value of an attribute, in which literal white space counts as spaces (XML
    /// section 3.3.3).
    pub fn expand_attribute(&self, raw: &str) -> Option<String> {
        self.expand_with(raw, Spaces::Plain)
    }

    fn expand_with(&self, raw: &str, spaces: Spaces) -> Option<String> {
        let mut out = String::new();
        let raw = spaces.lines(raw);
        let before = self.spent.get();
        let most = MOST_EXPANDED.min((MOST_EXPANDED_IN_ALL + raw.len()).saturating_sub(before));
        let mut steps = most;
        let expanded = self.expand_into(&raw, (0, spaces), &mut steps, &mut out);
        let taken = (most - steps).saturating_sub(raw.len().saturating_mul(EXPANDED_A_BYTE));
        self.spent.set(before + taken);
        expanded?;
        Some(out)
    }

    fn expand_into(
        &self,
        raw: &str,
        (depth, spaces): (usize, Spaces),
        steps: &mut usize,
        out: &mut String,
    ) -> Option<()> {
        if depth > DEEPEST {
            return None;
        }
        *steps = steps.checked_sub(raw.len() + 1)?;
        let mut rest = raw;
        while let Some(at) = rest.find('&') {
            spaces.push(rest.get(..at)?, out);
            rest = rest.get(at..)?;
            let Some((reference, len)) = reference(rest) else {
                out.push('&');
                rest = rest.get(1..)?;
                continue;
            };
            match reference {
                Reference::Character(ch) => out.push(ch),
                Reference::Entity(name) => match predefined(name) {
                    Some(ch) => out.push(ch),
                    None => match self.of_html(name) {
                        Some(text) => out.push_str(text),
                        None => {
                            let value = self.declared.get(name)?.as_deref()?;
                            self.expand_into(value, (depth + 1, spaces), steps, out)?;
                        }
                    },
                },
            }
            rest = rest.get(len..)?;
        }
        spaces.push(rest, out);
        (out.len() <= MOST_EXPANDED).then_some(())
    }
}

/// The reading of white space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spaces {
    /// White space stays.
    Kept,
    /// White space becomes spaces.
    Plain,
}

impl Spaces {
    /// The text of a source with its line ends as one character each, if that matters.
    fn lines(self, raw: &str) -> Cow<'_, str> {
        match self {
            Spaces::Plain => one_line_end(raw),
            Spaces::Kept => Cow::Borrowed(raw),
        }
    }

    /// Adds text without references.
    fn push(self, text: &str, out: &mut String) {
        match self {
            Spaces::Kept => out.push_str(text),
            Spaces::Plain => out.extend(text.chars().map(|ch| match ch {
                '\t' | '\n' | '\r' => ' ',
                ch => ch,
            })),
        }
    }
}

/// The text of a source, in which CR LF is one line end (XML section 2.11).
fn one_line_end(raw: &str) -> Cow<'_, str> {
    if raw.contains("\r\n") {
        Cow::Owned(raw.replace("\r\n", "\n"))
    } else {
        Cow::Borrowed(raw)
    }
}

/// The literal with its character references replaced, as at its declaration (XML section 4.4.5).
fn replacement(value: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(value.len()), value);
    while let Some(at) = rest.find("&#") {
        let (before, behind) = rest.split_at(at);
        out.push_str(before);
        match reference(behind) {
            Some((Reference::Character(ch), len)) => {
                out.push(ch);
                rest = behind.get(len..).unwrap_or_default();
            }
            _ => {
                out.push_str("&#");
                rest = behind.get(2..).unwrap_or_default();
            }
        }
    }
    out + rest
}

fn predefined(name: &str) -> Option<char> {
    Some(match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        _ => return None,
    })
}

/// The most bytes of an entity's name; longer names are not expanded.
const LONGEST_NAME: usize = 256;

/// The reference at the beginning of `text`, and its length.
fn reference(text: &str) -> Option<(Reference<'_>, usize)> {
    let head = text.as_bytes();
    let end = memchr::memchr(b';', head.get(..head.len().min(LONGEST_NAME + 2))?)?;
    let name = text.get(1..end)?;
    let reference = match name.strip_prefix('#') {
        None => Reference::Entity(is_name(name.as_bytes()).then_some(name)?),
        Some(number) => {
            let value = match number.strip_prefix('x') {
                Some(digits) => u32::from_str_radix(digits, 16),
                None => number.parse(),
            };
            Reference::Character(char::from_u32(value.ok()?)?)
        }
    };
    Some((reference, end + 1))
}

fn is_name(name: &[u8]) -> bool {
    let inner =
        |&byte: &u8| byte.is_ascii_alphanumeric() || b"-._:".contains(&byte) || byte >= 0x80;
    name.first().is_some_and(|&first| is_name_start(first)) && name.iter().all(inner)
}

/// True if a byte may begin a name (XML section 2.3).
#[inline]
pub(super) fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b':' || byte >= 0x80
}

/// True if `rest`, behind a `&`, names an entity that is not predefined; `None` if the bytes end too early to tell.
pub(super) fn is_entity(rest: &[u8]) -> Option<bool> {
    match rest.first() {
        None => return None,
        Some(&first) if !is_name_start(first) => return Some(false),
        Some(_) => {}
    }
    // The bytes that end a name are safe bytes; all others belong to the name.
    let ends = |&byte: &u8| matches!(byte, 0..=0x2C | 0x2F | 0x3B..=0x3F);
    let head = rest.get(..LONGEST_NAME).unwrap_or(rest);
    match head.iter().position(ends) {
        None if head.len() < LONGEST_NAME => None,
        None => Some(false),
        Some(end) if head.get(end) != Some(&b';') => Some(false),
        Some(end) => {
            let name = head.get(..end).unwrap_or_default();
            let predefined: [&[u8]; 5] = [b"amp", b"lt", b"gt", b"quot", b"apos"];
            Some(!predefined.contains(&name))
        }
    }
}

/// The text of a raw value of any charset, with declared entities expanded.
pub(super) fn read<'r>(raw: &'r [u8], charset: Charset, entities: &Entities) -> Cow<'r, str> {
    let text = charset.decode(raw);
    match memchr::memchr(b'&', raw) {
        None => text,
        Some(_) => entities.expand(&text).map_or(text, Cow::Owned),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entities_are_expanded() {
        let mut entities = Entities::default();
        entities.declare("a", Some("x&b;&#38;lt;"));
        entities.declare("b", Some("&#x79;"));
        entities.declare("b", Some("no"));
        entities.declare("e", None);
        assert_eq!(
            entities.expand("1&a;2&amp;&#65;").as_deref(),
            Some("1xy<2&A")
        );
        assert_eq!(entities.expand("a & b &c").as_deref(), Some("a & b &c"));
        assert_eq!(entities.expand("&e;"), None);
        assert_eq!(entities.expand("&missing;"), None);
    }

    /// Time is linear in the length of the document, whatever entities it declares.
    #[test]
    fn a_document_has_a_budget() {
        let mut entities = Entities::default();
        entities.declare("a", Some(&"x".repeat(1000)));
        entities.declare("b", Some(&"&a;".repeat(60)));
        let read = (0..1000).filter(|_| entities.expand("&b;").is_some());
        assert_eq!(read.count(), 17);
        // Short entities never use up the budget.
        let mut entities = Entities::default();
        entities.declare("name", Some("some product"));
        assert!((0..1_000_000).all(|_| entities.expand("http://a.example/&name;/").is_some()));
    }

    #[test]
    fn white_space_of_attributes() {
        let mut entities = Entities::default();
        entities.declare("lines", Some("a\r\nb\tc&#13;&#10;d&#38;#10;e"));
        for (raw, text, attribute) in [
            ("1\r\n2\n3\r4\t5", "1\r\n2\n3\r4\t5", "1 2 3 4 5"),
            ("1&#13;&#10;2&#9;", "1\r\n2\t", "1\r\n2\t"),
            ("&lines;", "a\nb\tc\r\nd\ne", "a b c  d\ne"),
        ] {
            assert_eq!(entities.expand(raw).as_deref(), Some(text));
            assert_eq!(entities.expand_attribute(raw).as_deref(), Some(attribute));
        }
    }

    #[test]
    fn no_billion_laughs() {
        let mut entities = Entities::default();
        entities.declare("l0", Some("ha"));
        for level in 1..15 {
            let value = format!("&l{};", level - 1).repeat(10);
            entities.declare(&format!("l{level}"), Some(&value));
        }
        entities.declare("self", Some("&self;"));
        assert_eq!(entities.expand("&l14;"), None);
        assert_eq!(entities.expand("&self;"), None);
        assert!(entities.expand("&l2;").is_some());
    }

    #[test]
    fn what_refers_to_an_entity() {
        for (raw, expected) in [
            ("a&b;", true),
            ("&amp;&lt;&gt;&quot;&apos;&#1;", false),
            ("?a=1&b=2;", false),
            ("&", false),
            ("&b", false),
            ("&&b;", true),
            ("& b;", false),
        ] {
            assert_eq!(Entities::default().has(raw.as_bytes()), expected, "{raw}");
        }
    }
}
