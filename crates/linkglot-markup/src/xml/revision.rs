//! The texts of revisions in dumps of MediaWiki, which have their length and their digest beside them (export schema
//! 0.8 and later).

use super::scope::Content;
use super::tag::{self, Next, Shape, View};
use super::{Input, Mode, Turn, XmlTokenizer, is_blank, whole};
use crate::slot::{Access, PlaceKind, Syntax};
use std::ops::Range;

/// The text of a revision: the element, and the digest of the revision behind it. Positions count from the start tag.
///
/// ```
/// use linkglot_markup::RevisionText;
///
/// let dump = "<text bytes='5'>a&amp;bc</text>\n<sha1>abcdefghijklmnopqrstuvwxyz01234</sha1>";
/// let text = RevisionText::read(dump.as_bytes()).unwrap();
/// assert_eq!((&dump[text.content], &dump[text.length.unwrap()]), ("a&amp;bc", "5"));
/// assert_eq!((&dump[text.digests[0].clone()], text.end), ("abcdefghijklmnopqrstuvwxyz01234", dump.len()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RevisionText {
    /// The text, with the escapes of XML.
    pub content: Range<usize>,
    /// The number of octets of the text, in UTF-8, if the tag has it.
    pub length: Option<Range<usize>>,
    /// SHA-1 of the text, in base 36: in the tag, if it stands there, and in the element behind.
    pub digests: Vec<Range<usize>>,
    /// The end of the element with the digest.
    pub end: usize,
}

/// The reason why bytes are not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unread {
    /// More bytes may tell.
    Cut,
    /// The length or the digest is not where it is expected.
    Unknown,
}

impl RevisionText {
    /// The number of digits of a digest.
    const DIGITS: usize = 31;

    /// Reads the text whose start tag stands at the beginning; `None` if a length or digest is not known. O(length).
    ///
    /// ```
    /// use linkglot_markup::RevisionText;
    ///
    /// assert_eq!(RevisionText::read(b"<text bytes='5'>hello</text></revision>"), None);
    /// ```
    pub fn read(bytes: &[u8]) -> Option<Self> {
        Self::of(bytes).ok()
    }

    fn of(bytes: &[u8]) -> Result<Self, Unread> {
        let mut read = start_tag(bytes)?;
        let text = memchr::memchr(b'<', &bytes[read.end..]).ok_or(Unread::Cut)?;
        read.content = read.end..read.end + text;
        let mut at = passed(bytes, read.content.end, b"</text>")?;
        at += bytes[at..]
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace())
            .count();
        at = passed(bytes, at, b"<sha1>")?;
        let digest = at..at + Self::DIGITS;
        at = passed(bytes, digest.end, b"</sha1>")?;
        if !is_digest(&bytes[digest.clone()]) {
            return Err(Unread::Unknown);
        }
        read.digests.push(digest);
        read.end = at;
        Ok(read)
    }
}

/// True if neither the start tag at the beginning nor an element behind the text has a length or a digest. `None` if
/// that is not known. O(length of the text).
fn is_uncounted(bytes: &[u8]) -> Option<bool> {
    let tag = start_tag(bytes).ok()?;
    let mut at = tag.end;
    loop {
        at += memchr::memchr(b'<', &bytes[at..])?;
        let rest = &bytes[at..];
        let end = |mark: &[u8]| Some(memchr::memmem::find(rest, mark)? + mark.len());
        at += match () {
            _ if rest.starts_with(b"</text>") => break,
            _ if rest.starts_with(b"<![CDATA[") => end(b"]]>")?,
            _ if rest.starts_with(b"<!--") => end(b"-->")?,
            // A search for the end would go over the same bytes for each tag in the text.
            _ => return None,
        };
    }
    let behind = bytes[at + b"</text>".len()..].trim_ascii_start();
    Some(tag.length.is_none() && tag.digests.is_empty() && behind.starts_with(b"</"))
}

/// Reads the start tag at the beginning, where the text is still empty.
fn start_tag(bytes: &[u8]) -> Result<RevisionText, Unread> {
    let view = View { bytes, last: false };
    let (mut length, mut digests) = (None, Vec::new());
    let mut at = passed(bytes, 0, b"<text")?;
    loop {
        match tag::next(view, at) {
            Next::Attribute(attribute, behind) => {
                let value = &bytes[attribute.value.clone()];
                match &bytes[attribute.name] {
                    b"bytes" if length.is_none() && is_number(value) => {
                        length = Some(attribute.value);
                    }
                    b"sha1" if digests.is_empty() && is_digest(value) => {
                        digests.push(attribute.value);
                    }
                    b"bytes" | b"sha1" => return Err(Unread::Unknown),
                    _ => {}
                }
                at = behind;
            }
            Next::Close(end, Shape::Open) => {
                return Ok(RevisionText {
                    content: end..end,
                    length,
                    digests,
                    end,
                });
            }
            Next::More(_) => return Err(Unread::Cut),
            Next::Close(..) | Next::Unclosed(..) => return Err(Unread::Unknown),
        }
    }
}

/// The end of `expected` at a position.
fn passed(bytes: &[u8], at: usize, expected: &[u8]) -> Result<usize, Unread> {
    match bytes.get(at..) {
        Some(rest) if rest.starts_with(expected) => Ok(at + expected.len()),
        Some(rest) if !expected.starts_with(rest) => Err(Unread::Unknown),
        _ => Err(Unread::Cut),
    }
}

fn is_number(value: &[u8]) -> bool {
    !value.is_empty() && value.iter().all(u8::is_ascii_digit)
}

fn is_digest(value: &[u8]) -> bool {
    let is_digit = |byte: &u8| byte.is_ascii_digit() || byte.is_ascii_lowercase();
    value.len() == RevisionText::DIGITS && value.iter().all(is_digit)
}

impl XmlTokenizer {
    /// Reads the text of a revision, whose start tag is at the cursor. A text that nothing counts is like any other.
    /// Links of a text with an unknown length or digest are only listed.
    pub(super) fn revision(&mut self, input: Input<'_>) -> Turn {
        self.mode = Mode::Content;
        let (limited, is_cut) = input.limited(self.limit);
        let text = match RevisionText::of(limited.bytes) {
            Ok(text) => text,
            Err(Unread::Cut) if !is_cut && !limited.last => {
                self.mode = Mode::Revision;
                return Turn::More;
            }
            Err(_) => {
                if is_uncounted(limited.bytes) == Some(true) {
                    self.scope.rewrite_rest();
                }
                return Turn::Go(self.tag.end);
            }
        };
        let raw = input.slice(text.content.clone());
        if is_blank(raw) || self.depends(raw) {
            return Turn::Go(self.tag.end);
        }
        let place = self.in_content(input, PlaceKind::Element);
        self.scope.close(input.slice(self.tag.name.clone()));
        let what = (self.entities.of_text(), Syntax::Revision);
        let slot = whole(0..text.end, what, place, Access::Rewrite);
        Turn::Slot(slot, text.end)
    }
}

impl Content {
    /// True for the text of a revision, with something beside it that counts it.
    pub(super) fn is_revision(self) -> bool {
        matches!(self, Content::Pieces(Syntax::Lines(_), Access::Counted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_nothing_counts() {
        for (element, expected) in [
            ("<text>a</text></revision>", Some(true)),
            ("<text>a<![CDATA[<b>]]></text>\n </revision>", Some(true)),
            ("<text xml:space='preserve'>a</text> <sha1>", Some(false)),
            ("<text>a</text> <model>", Some(false)),
            ("<text bytes='1'>a</text></revision>", Some(false)),
            ("<text sha1=''>a</text></revision>", None),
            ("<text>a<!-- </text> --></text></revision>", Some(true)),
            ("<text>a<b/></text></revision>", None),
            ("<text>a", None),
        ] {
            assert_eq!(is_uncounted(element.as_bytes()), expected, "{element}");
        }
    }

    const DIGEST: &str = "phoiac9h4m842xq45sp7s6u21eteeq1";

    #[test]
    fn what_is_not_known_is_not_read() {
        let whole = format!(
            "<text bytes=\"3\" sha1=\"{DIGEST}\" xml:space=\"preserve\">a>b</text>\n      <sha1>{DIGEST}</sha1>"
        );
        let text = RevisionText::of(whole.as_bytes()).unwrap();
        assert_eq!((&whole[text.content], text.digests.len()), ("a>b", 2));
        for cut in 0..whole.len() {
            let read = RevisionText::of(&whole.as_bytes()[..cut]);
            assert_eq!(read, Err(Unread::Cut), "{}", &whole[..cut]);
        }
        for (from, to) in [
            ("bytes=\"3\"", "bytes=\"x\""),
            ("bytes=\"3\"", "bytes=\"3\" bytes=\"3\""),
            ("\" xml:space", "0\" xml:space"),
            ("preserve\"", "preserve\"/"),
            ("a>b", "a<![CDATA[b]]>"),
            ("a>b", "a<!-- b -->"),
            ("<sha1>", "<content>"),
            ("<sha1>", "<sha1 a='b'>"),
            ("</sha1>", "0</sha1>"),
            ("<text", "<m:text"),
        ] {
            let other = whole.replacen(from, to, 1);
            assert_eq!(
                RevisionText::of(other.as_bytes()),
                Err(Unread::Unknown),
                "{other}"
            );
        }
    }
}
