//! Text over runs: pieces of character data with markup between them that shows nothing, as office programs write it.

use super::{Meaning, replaced_at, xml};
use linkglot_charset::MappedText;
use linkglot_charset::span::TextSpan;
use std::ops::Range;

/// The most bytes of a text over runs that is read at once. Longer texts are cut at white space.
pub(crate) const MOST_RUN_BYTES: usize = 1 << 16;

/// The elements that hold the pieces of a text.
///
/// ```
/// use linkglot_markup::{Escaping, RunElement, RunsStyle};
///
/// let text = |element, raw| Escaping::Runs(RunsStyle::new(element)).unescape(raw).into_text();
/// assert_eq!(text(RunElement::Text, "a</w:t></w:r> <w:r><w:t>b&amp;c"), "ab&c");
/// assert_eq!(text(RunElement::Mixed, "a<text:span>b</text:span> c"), "ab c");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RunElement {
    /// Elements with the local name `t` (Office Open XML).
    Text,
    /// Elements with the local name `instrText` (Office Open XML).
    Field,
    /// All elements of a paragraph, whose text stands between their tags (OpenDocument).
    Mixed,
    /// The text is in one piece.
    Alone,
}

/// The local name of values of cells in spreadsheets of Office Open XML.
pub(crate) const CELL_VALUE: &[u8] = b"v";

/// The style of a text over runs, and its neighbours.
///
/// ```
/// use linkglot_markup::{Escaping, RunElement, RunsStyle};
///
/// let runs = Escaping::Runs(RunsStyle::new(RunElement::Text));
/// assert_eq!(runs.escape("a&b", "", &|_| true).as_deref(), Some("a&amp;b"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RunsStyle {
    /// The elements that hold the pieces.
    pub element: RunElement,
    /// True if text in front of this one may belong to its first word.
    pub goes_on_before: bool,
    /// True if text behind this one may belong to its last word.
    pub goes_on_behind: bool,
}

/// The markup between two pieces.
struct Seam {
    length: usize,
    /// True if the markup shows a hyphen: the link may mean one, or none.
    has_hyphen: bool,
}

impl RunElement {
    /// The element that holds the text of elements with a local name.
    pub(crate) fn named(local: &[u8]) -> Option<Self> {
        if local == CELL_VALUE {
            return Some(RunElement::Alone);
        }
        [RunElement::Text, RunElement::Field]
            .into_iter()
            .find(|element| element.local() == local)
    }

    /// The local name of the elements; empty if they have several.
    pub(crate) fn local(self) -> &'static [u8] {
        match self {
            RunElement::Text => b"t",
            RunElement::Field => b"instrText",
            RunElement::Mixed | RunElement::Alone => b"",
        }
    }
}

impl RunsStyle {
    /// The style of a text that stands for itself.
    ///
    /// ```
    /// use linkglot_markup::{RunElement, RunsStyle};
    ///
    /// assert!(!RunsStyle::new(RunElement::Mixed).goes_on_behind);
    /// ```
    pub fn new(element: RunElement) -> Self {
        RunsStyle {
            element,
            goes_on_before: false,
            goes_on_behind: false,
        }
    }

    pub(super) fn unescape(self, raw: &str) -> MappedText<'_> {
        let find = |bytes: &[u8]| memchr::memchr2(b'<', b'&', bytes);
        replaced_at(raw, find, |at, _| match raw.as_bytes()[at] {
            b'<' => self.seam(&raw.as_bytes()[at..]).map(|seam| {
                let meaning = if seam.has_hyphen {
                    Meaning::Char(char::REPLACEMENT_CHARACTER)
                } else {
                    Meaning::Text("")
                };
                (seam.length, meaning)
            }),
            _ => xml::reference(&raw[at..]),
        })
    }

    /// True if a text begins with a hyphen that markup shows. O(length of the markup).
    ///
    /// ```
    /// use linkglot_markup::{RunElement, RunsStyle};
    ///
    /// assert!(RunsStyle::new(RunElement::Text).is_unknown("</w:t><w:noBreakHyphen/><w:t>a"));
    /// ```
    pub fn is_unknown(self, raw: &str) -> bool {
        raw.starts_with('<')
            && self
                .seam(raw.as_bytes())
                .is_some_and(|seam| seam.has_hyphen)
    }

    /// The length of the markup in front of the first piece of a text, in a charset in which `<`, `>`, quotation marks,
    /// slashes and colons are never parts of other characters. O(length of the markup).
    ///
    /// ```
    /// use linkglot_markup::{RunElement, RunsStyle};
    ///
    /// let runs = RunsStyle::new(RunElement::Text);
    /// assert_eq!((runs.seam_length(b"</w:t><w:t>a"), runs.seam_length(b"a")), (11, 0));
    /// ```
    pub fn seam_length(self, raw: &[u8]) -> usize {
        let mut at = 0;
        while raw[at..].starts_with(b"<")
            && let Some(seam) = self.seam(&raw[at..])
        {
            at += seam.length;
        }
        at
    }

    /// The pieces of a text, in such a charset. The first one may be empty. O(length).
    ///
    /// ```
    /// use linkglot_markup::{RunElement, RunsStyle};
    ///
    /// let runs = RunsStyle::new(RunElement::Text);
    /// assert_eq!(runs.pieces(b"a</w:t><w:t>b"), [0..1, 12..13]);
    /// ```
    pub fn pieces(self, raw: &[u8]) -> Vec<Range<usize>> {
        let (mut pieces, mut start, mut at) = (Vec::new(), 0, 0);
        while let Some(found) = memchr::memchr(b'<', &raw[at..]) {
            at += found;
            let Some(seam) = self.seam(&raw[at..]) else {
                at += 1;
                continue;
            };
            pieces.push(start..at);
            at += seam.length;
            start = at;
        }
        pieces.push(start..raw.len());
        let mut is_first = true;
        pieces.retain(|piece| std::mem::take(&mut is_first) || !piece.is_empty());
        pieces
    }

    /// True if a text is read as one, or in parts that end at white space, whatever their lengths; `limit` is the most
    /// bytes of a text. O(length).
    ///
    /// ```
    /// use linkglot_markup::{RunElement, RunsStyle};
    ///
    /// let runs = RunsStyle::new(RunElement::Text);
    /// assert!(runs.stays_readable("a b c", 4) && !runs.stays_readable("abcde", 4));
    /// ```
    pub fn stays_readable(self, raw: &str, limit: usize) -> bool {
        let limit = limit.min(MOST_RUN_BYTES);
        if raw.len() <= limit {
            return true;
        }
        let text = self.unescape(raw);
        let mut last = 0;
        let spaces = text.text().bytes().enumerate();
        let spaces = spaces.filter(|(_, byte)| byte.is_ascii_whitespace());
        let source = |(at, _)| text.source(TextSpan::new(at, at + 1)).start;
        let gaps = spaces.map(source).chain([raw.len()]);
        let mut gaps = gaps.map(|at| at - std::mem::replace(&mut last, at));
        self.element != RunElement::Field && gaps.all(|gap| gap <= limit / 2)
    }

    /// Writes a text without markup.
    pub(super) fn write(
        self,
        text: &str,
        style: &str,
        encodable: &dyn Fn(char) -> bool,
    ) -> Option<String> {
        xml::write(text, None, style, encodable)
    }

    /// The markup at the `<` at the beginning of a text; `None` if no piece follows.
    fn seam(self, bytes: &[u8]) -> Option<Seam> {
        let mut seam = Seam {
            length: 0,
            has_hyphen: false,
        };
        loop {
            seam.length += memchr::memchr(b'<', bytes.get(seam.length..)?)?;
            let tag = &bytes[seam.length..];
            let end = tag_end(tag)?;
            seam.length += end;
            let local = local_name(&tag[1..end]);
            seam.has_hyphen |= is_hyphen(local);
            let is_empty = tag[..end].ends_with(b"/>");
            if self.element == RunElement::Mixed || local == self.element.local() && !is_empty {
                return Some(seam);
            }
        }
    }
}

/// True for the elements that show a hyphen where a line may end, or may not.
fn is_hyphen(local: &[u8]) -> bool {
    matches!(local, b"noBreakHyphen" | b"softHyphen")
}

/// The end of the tag at the beginning of bytes, outside of quoted values.
pub(crate) fn tag_end(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += memchr::memchr3(b'>', b'"', b'\'', bytes.get(at..)?)? + 1;
        match bytes[at - 1] {
            b'>' => return Some(at),
            quote => at += memchr::memchr(quote, bytes.get(at..)?)? + 1,
        }
    }
}

/// The local name at the beginning of a tag without its `<`; it begins with a slash in an end tag without a prefix.
fn local_name(tag: &[u8]) -> &[u8] {
    let ends = |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\r' | b' ' | b'/' | b'>');
    // The slash of an end tag.
    let from = usize::from(tag.starts_with(b"/"));
    let end = tag[from..]
        .iter()
        .position(ends)
        .unwrap_or(tag.len() - from);
    let name = &tag[..from + end];
    match memchr::memchr(b':', name) {
        Some(colon) if from == 0 => &name[colon + 1..],
        // An end tag never begins a piece.
        _ if from == 1 => b"/",
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: RunsStyle = RunsStyle {
        element: RunElement::Text,
        goes_on_before: false,
        goes_on_behind: false,
    };

    fn text(style: RunsStyle, raw: &str) -> String {
        style.unescape(raw).into_text().into_owned()
    }

    #[test]
    fn seams_stand_for_nothing() {
        let mixed = RunsStyle::new(RunElement::Mixed);
        let field = RunsStyle::new(RunElement::Field);
        for (style, raw, expected) in [
            (
                TEXT,
                "a</w:t></w:r>\n<w:r>\n<w:t xml:space='preserve'>b",
                "ab",
            ),
            (TEXT, "a</t><t/><t>&lt;b", "a<b"),
            (TEXT, "a</w:t><w:rPr w:val='<w:t>'/><w:t>b", "ab"),
            (TEXT, "a</w:t><w:r><w:tab w:t='/'/><w:t >b", "ab"),
            (TEXT, "a</w:t><w:noBreakHyphen/><w:t>b", "a\u{FFFD}b"),
            (field, "a</w:instrText><w:t>x</w:t><w:instrText>b", "ab"),
            (mixed, "a<s:x/><s:span s:n='>'>b</s:span> c", "ab c"),
            (TEXT, "a < b", "a < b"),
        ] {
            assert_eq!(text(style, raw), expected, "{raw}");
        }
    }

    #[test]
    fn positions_are_those_of_the_pieces() {
        let raw = "a</w:t><w:t>b</w:t><w:t>c";
        let text = TEXT.unescape(raw);
        for (start, end, expected) in [(0, 1, "a"), (1, 2, "b"), (2, 3, "c"), (0, 3, raw)] {
            let source = &raw[text.source(TextSpan::new(start, end))];
            assert_eq!(&source[TEXT.seam_length(source.as_bytes())..], expected);
        }
    }

    #[test]
    fn long_texts_need_white_space() {
        let seam = format!("</w:t>{}<w:t>", "<w:r/>".repeat(10_000));
        for (raw, expected) in [
            (format!("a{seam}b"), true),
            (format!("a{seam} {seam}b"), false),
            ("ab ".repeat(30_000), true),
            ("ab".repeat(40_000), false),
        ] {
            assert_eq!(
                TEXT.stays_readable(&raw, 1 << 20),
                expected,
                "{}",
                raw.len()
            );
        }
    }
}
