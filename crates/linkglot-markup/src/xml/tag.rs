//! The attributes of tags, as ranges.

use crate::byte_search as swar;
use crate::escape::Quote;
use linkglot_charset::ascii::is_space;
use std::ops::Range;

/// The most attributes of a tag that is read as a whole; other tags are read attribute by attribute.
pub(super) const MOST_ATTRIBUTES: usize = 4096;

/// An attribute with a value, as ranges of the window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Attribute {
    pub name: Range<usize>,
    pub value: Range<usize>,
    pub quote: Quote,
}

/// The next part of a tag.
#[derive(Clone, Debug)]
pub(super) enum Next {
    /// An attribute, and the position where reading goes on.
    Attribute(Attribute, usize),
    /// The end of the tag, and the shape of the element.
    Close(usize, Shape),
    /// The end of a tag whose last value is never closed, and the quotation mark behind that proves it by opening
    /// another value.
    Unclosed(usize, Option<usize>),
    /// The window must grow.
    More(Unread),
}

/// The construct that the end of the window cuts.
#[derive(Clone, Debug)]
pub(super) enum Unread {
    /// A part before a value.
    Name,
    /// A quoted value with its name.
    Value(Attribute),
}

/// The presence of content in an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Open,
    Empty,
}

/// Bytes to be read, up to a limit.
#[derive(Clone, Copy, Debug)]
pub(super) struct View<'w> {
    pub bytes: &'w [u8],
    /// True if the document ends with the bytes.
    pub last: bool,
}

impl<'w> View<'w> {
    /// The bytes of a window up to `limit` bytes behind `from`, and true if the window holds more.
    pub fn limited(bytes: &'w [u8], last: bool, from: usize, limit: usize) -> (View<'w>, bool) {
        match bytes.get(..from.saturating_add(limit)) {
            Some(cut) if cut.len() < bytes.len() => (
                View {
                    bytes: cut,
                    last: false,
                },
                true,
            ),
            _ => (View { bytes, last }, false),
        }
    }

    pub fn byte(self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied()
    }

    pub fn rest(self, from: usize) -> &'w [u8] {
        self.bytes.get(from..).unwrap_or_default()
    }
}

const NAME_END: [bool; 256] = {
    let mut table = [false; 256];
    let ends = b"\t\n\x0C\r />=<\"'";
    let mut at = 0;
    while at < ends.len() {
        table[ends[at] as usize] = true;
        at += 1;
    }
    table
};

/// True if a byte ends a name.
#[inline(always)]
pub(super) fn ends_name(byte: u8) -> bool {
    NAME_END[usize::from(byte)]
}

/// The end of a name: all its delimiters are safe bytes.
#[inline]
pub(super) fn name_end(view: View<'_>, from: usize) -> usize {
    let mut at = from;
    // A quick way up to the first byte that may end a name.
    while let Some(word) = swar::word(view.bytes, at) {
        let (_, length) = swar::xml_name(word);
        at += length;
        if length < 8 {
            break;
        }
    }
    while at < view.bytes.len() && !NAME_END[usize::from(view.bytes[at])] {
        at += 1;
    }
    at
}

/// The position of the first byte from `from` on that is not white space.
#[inline]
pub(super) fn skip_space(view: View<'_>, from: usize) -> usize {
    swar::skip_spaces(view.bytes, from)
}

/// A part of a tag in the common form.
#[derive(Clone, Copy, Debug)]
pub(super) enum Plain {
    /// The end of the tag, as in [`Next`].
    Close(usize, Shape),
    Attribute {
        /// The bytes of the name, which has no colon, with zeros behind.
        key: u64,
        /// The length of the name.
        length: usize,
        behind: usize,
    },
}

impl Plain {
    /// The attribute behind the space at `from`.
    #[inline(always)]
    pub fn attribute(from: usize, length: usize, behind: usize) -> Attribute {
        let name = from + 1..from + 1 + length;
        Attribute {
            value: name.end + 2..behind - 1,
            name,
            quote: Quote::Double,
        }
    }
}

/// The answer of [`next`] for the end of the tag, or for a space, a name of up to seven bytes and a value in double
/// quotes without `<`. `None` for anything else.
#[inline(always)]
pub(super) fn plain(bytes: &[u8], from: usize) -> Option<Plain> {
    match bytes.get(from)? {
        b' ' => {}
        b'>' => return Some(Plain::Close(from + 1, Shape::Open)),
        _ => return None,
    }
    let word = swar::word(bytes, from + 1)?;
    if word & 0xFFFF == u64::from(u16::from_le_bytes(*b"/>")) {
        return Some(Plain::Close(from + 3, Shape::Empty));
    }
    let (key, length) = swar::xml_name(word);
    let value = from + 1 + length + 2;
    let is_usual = (1..8).contains(&length) && swar::colon(key) == 8;
    if !is_usual || bytes.get(value - 2..value)? != b"=\"" {
        return None;
    }
    let close = swar::find_either(bytes, value, b'"', b'<')?;
    let behind = close + 1;
    (bytes.get(close)? == &b'"').then_some(Plain::Attribute {
        key,
        length,
        behind,
    })
}

#[inline]
fn quote_of(byte: u8) -> Quote {
    match byte {
        b'"' => Quote::Double,
        _ => Quote::Single,
    }
}

/// The next part of a tag from `from` on, behind its name or an attribute. Attributes without a value and stray
/// characters, which are not well-formed, are skipped.
#[inline]
pub(super) fn next(view: View<'_>, from: usize) -> Next {
    let mut at = from;
    loop {
        at = skip_space(view, at);
        match view.byte(at) {
            None if view.last => return Next::Close(at, Shape::Open),
            None => return Next::More(Unread::Name),
            Some(b'>') => return Next::Close(at + 1, Shape::Open),
            Some(b'<') => return Next::Close(at, Shape::Open),
            Some(b'/') => match view.byte(at + 1) {
                Some(b'>') => return Next::Close(at + 2, Shape::Empty),
                None if !view.last => return Next::More(Unread::Name),
                _ => at += 1,
            },
            Some(b'"' | b'\'' | b'=') => at += 1,
            Some(_) => match attribute(view, at) {
                Ok(next) => return next,
                Err(behind) => at = behind,
            },
        }
    }
}

/// The attribute whose name begins at `start`; `Err` is the position where reading goes on behind an attribute without
/// a value.
#[inline]
fn attribute(view: View<'_>, start: usize) -> Result<Next, usize> {
    let name = start..name_end(view, start);
    let equals = skip_space(view, name.end);
    match view.byte(equals) {
        Some(b'=') => {}
        None if !view.last => return Ok(Next::More(Unread::Name)),
        _ => return Err(equals),
    }
    let begin = skip_space(view, equals + 1);
    match view.byte(begin) {
        Some(quote @ (b'"' | b'\'')) => Ok(quoted(view, name, begin + 1, quote)),
        None if !view.last => Ok(Next::More(Unread::Name)),
        None => Err(begin),
        Some(b'>' | b'<') => Err(begin),
        Some(_) => unquoted(view, name, begin),
    }
}

#[inline]
fn quoted(view: View<'_>, name: Range<usize>, start: usize, quote: u8) -> Next {
    let attribute = |end| Attribute {
        name: name.clone(),
        value: start..end,
        quote: quote_of(quote),
    };
    match swar::find_either(view.bytes, start, quote, b'<') {
        Some(at) if view.byte(at) == Some(quote) => Next::Attribute(attribute(at), at + 1),
        Some(less) => match behind_less(view.rest(start), less - start, quote, view.last) {
            Value::Ends(at) => Next::Attribute(attribute(start + at), start + at + 1),
            Value::Unclosed(at, stray_quote) => Next::Unclosed(
                start + at,
                stray_quote.map(|stray_quote| start + stray_quote),
            ),
            Value::Open => Next::More(Unread::Value(attribute(view.bytes.len()))),
        },
        None if view.last => Next::Close(view.bytes.len(), Shape::Open),
        None => Next::More(Unread::Value(attribute(view.bytes.len()))),
    }
}

enum Value {
    Ends(usize),
    /// The closing quote is missing: the end of the tag, and the quote that opens another value.
    Unclosed(usize, Option<usize>),
    Open,
}

/// A value with `<` in it, which is not well-formed. If the byte behind the next quote may follow a value, the quote
/// closes the value. Otherwise it opens another value, and this value was never closed.
fn behind_less(rest: &[u8], less: usize, quote: u8, last: bool) -> Value {
    let behind = rest.get(less..).unwrap_or_default();
    let end = match memchr::memchr(quote, behind) {
        Some(end) => less + end,
        None if last => return unclosed(rest, less, None),
        None => return Value::Open,
    };
    match rest.get(end + 1) {
        None if !last => Value::Open,
        None => Value::Ends(end),
        Some(&next) if is_space(next) || matches!(next, b'>' | b'/' | b'?') => Value::Ends(end),
        Some(_) => unclosed(rest, less, Some(end)),
    }
}

fn unclosed(rest: &[u8], less: usize, stray_quote: Option<usize>) -> Value {
    let before = rest.get(..less).unwrap_or_default();
    let end = memchr::memchr(b'>', before).map_or(less, |close| close + 1);
    Value::Unclosed(end, stray_quote)
}

/// A value without quotes, which is not well-formed.
fn unquoted(view: View<'_>, name: Range<usize>, start: usize) -> Result<Next, usize> {
    let rest = view.rest(start);
    let ends = |&byte: &u8| is_space(byte) || byte == b'>' || byte == b'<';
    let mut len = match rest.iter().position(ends) {
        Some(len) => len,
        None if view.last => rest.len(),
        None => return Ok(Next::More(Unread::Name)),
    };
    let closes = rest.get(len) == Some(&b'>');
    if closes && len > 0 && rest.get(len - 1) == Some(&b'/') {
        len -= 1;
    }
    let end = start + len;
    if len == 0 {
        return Err(end);
    }
    let attribute = Attribute {
        name,
        value: start..end,
        quote: Quote::Unquoted,
    };
    Ok(Next::Attribute(attribute, end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::byte_search::start_word;
    use proptest::prelude::*;

    fn bit() -> impl Strategy<Value = &'static str> {
        prop::sample::select(vec![
            " ",
            "\n",
            "a",
            "href",
            "xlink:href",
            "long-names:too",
            "=",
            "\"",
            "'",
            "<",
            ">",
            "/",
            "?",
            "é",
            "\u{1}",
            ";",
            "a='b' ",
            " c=\"d\"",
            "value of some length",
        ])
    }

    proptest! {
        /// The quick way agrees with the slow one, or has no answer.
        #[test]
        fn the_quick_way_is_no_other(bits in prop::collection::vec(bit(), 0..16), last: bool) {
            let text = bits.concat();
            let view = View { bytes: text.as_bytes(), last };
            for from in 0..text.len() {
                match (plain(text.as_bytes(), from), next(view, from)) {
                    (None, _) => {}
                    (Some(Plain::Close(end, shape)), Next::Close(other, as_is)) => {
                        prop_assert_eq!((end, shape), (other, as_is));
                    }
                    (Some(Plain::Attribute { key, length, behind }), Next::Attribute(attribute, other)) => {
                        let name = &text.as_bytes()[attribute.name.clone()];
                        prop_assert_eq!((key, behind), (start_word(name), other));
                        prop_assert_eq!(Plain::attribute(from, length, behind), attribute);
                        prop_assert!(!name.contains(&b':'));
                    }
                    other => return Err(TestCaseError::fail(format!("{other:?} at {from} of {text}"))),
                }
            }
        }
    }

    #[test]
    fn usual_attributes_are_quick() {
        for (text, is_plain) in [
            (" a=\"b\" ccccccc", true),
            (" seven77=\"\">.......", true),
            (">", true),
            (" />......", true),
            (" eight888=\"\">.......", false),
            (" p:a=\"b\" ccccccc", false),
            (" a='b' ccccccc", false),
            ("  a=\"b\" ccccccc", false),
        ] {
            assert_eq!(plain(text.as_bytes(), 0).is_some(), is_plain, "{text}");
        }
    }
}
