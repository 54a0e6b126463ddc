//! An estimate of the memory that reading a document in light markup takes, made before the document is read.
//!
//! A document is read as a whole: the parser of Markdown keeps a tree of all nodes, and a reader of links all links. The
//! estimate goes over the bytes once and knows no more of the markup than what costs memory. The numbers were measured
//! on documents of nothing but the construct.

use memchr::{memchr, memchr3};

/// A node of the tree and the text in front of it.
const NODE: usize = 96;
/// A character reference: three nodes, and its text.
const REFERENCE: usize = 176;
/// A link as the parser of Markdown keeps it: its kind, destination, title and label.
const PARSED_LINK: usize = 80;
/// A link that was found.
const LINK: usize = 120;
/// A definition of a link, and the link in it.
const DEFINITION: usize = 312;
/// What a block of Markdown holds until it ends: the piece of a link or of text, and the text in front of it ...
const PIECE: usize = 100;
/// ... and a link of a piece.
const LINK_IN_PIECE: usize = 110;
/// A run of characters beyond ASCII in a charset other than UTF-8.
const DECODED_RUN: usize = 40;
/// A line of reStructuredText, of which all are in memory.
const RST_LINE: usize = 48;
/// A piece of reStructuredText: these are kept until all are sorted.
const RST_PIECE: usize = 64;

/// An estimate for a Markdown document, in bytes.
#[cfg(feature = "markdown")]
pub(super) fn of_markdown(text: &[u8]) -> usize {
    let (mut document, mut block, mut greatest) = (text.len(), 0, 0);
    let mut in_table = false;
    for line in lines(text) {
        let (content, markers) = behind_markers(line);
        in_table = !content.is_empty() && (in_table || is_delimiter_row(content));
        if markers > 0 || content.is_empty() || in_table {
            block = 0;
        }
        if is_definition(content) {
            document += DEFINITION;
        } else if !content.is_empty() || markers > 0 {
            let line = Line::of(content);
            block += line.pieces * PIECE + line.triggers * LINK_IN_PIECE;
            greatest = block.max(greatest);
            // The first marker is one more item; each other is a list with an item.
            document += markers * NODE - (markers.min(1) * NODE / 2) + NODE + line.nodes;
            document += line.triggers * LINK;
        }
    }
    document + greatest
}

/// An estimate for a reStructuredText document, in bytes.
pub(super) fn of_rst(text: &[u8]) -> usize {
    let mut sum = text.len() + triggers(text) * (LINK + LINK_IN_PIECE);
    for (at, &byte) in text.iter().enumerate() {
        let next = text.get(at + 1);
        sum += match byte {
            b'\n' => RST_LINE,
            b'_' if next.is_some_and(u8::is_ascii_alphanumeric) => 0,
            // A run of marks is one piece.
            // A link with a trigger is counted with these.
            b'<' if is_autolink(&text[at + 1..]) => RST_PIECE,
            b'<' => RST_PIECE + LINK,
            b'`' | b'*' | b'|' | b'_' if next != Some(&byte) => RST_PIECE,
            _ => 0,
        };
    }
    sum
}

/// An estimate of what the positions of a decoded text take, beside the text itself: characters that are longer in UTF-8
/// move those behind them.
pub(super) fn of_positions(text: &[u8]) -> usize {
    let begins = |pair: &&[u8]| pair[0].is_ascii() && !pair[1].is_ascii();
    text.windows(2).filter(begins).count() * DECODED_RUN
}

fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split_inclusive(|byte| matches!(byte, b'\n' | b'\r'))
}

/// A line without the marks of block quotes and list items at its begin, and how many these are.
fn behind_markers(line: &[u8]) -> (&[u8], usize) {
    let (mut rest, mut markers) = (line.trim_ascii_start(), 0);
    loop {
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let mark = match rest.get(digits) {
            Some(b'>') if digits == 0 => 1,
            Some(b'-' | b'+' | b'*') if digits == 0 => 1,
            Some(b'.' | b')') if digits > 0 => digits + 1,
            _ => return (rest, markers),
        };
        let is_quote = rest.starts_with(b">");
        if !is_quote && !rest.get(mark).is_none_or(u8::is_ascii_whitespace) {
            return (rest, markers);
        }
        (rest, markers) = (rest[mark..].trim_ascii_start(), markers + 1);
    }
}

/// Whether a line makes a table of the line in front of it and those behind it.
fn is_delimiter_row(line: &[u8]) -> bool {
    line.contains(&b'|') && line.iter().all(|byte| b"|-: \t\r\n".contains(byte))
}

/// Whether a line looks like the definition of a link.
fn is_definition(line: &[u8]) -> bool {
    line.starts_with(b"[") && memchr(b']', line).is_some_and(|end| line.get(end + 1) == Some(&b':'))
}

/// What costs memory in a line of Markdown.
#[derive(Default)]
struct Line {
    /// The memory of the nodes and of the links with a destination.
    nodes: usize,
    pieces: usize,
    /// How many links running text may have.
    triggers: usize,
}

impl Line {
    fn of(text: &[u8]) -> Self {
        let (mut line, mut at, mut prose) = (Line::default(), 0, 0);
        while let Some(&byte) = text.get(at) {
            let next = text.get(at + 1).copied();
            let (nodes, pieces) = match byte {
                b']' if next == Some(b'(') => {
                    line.triggers += triggers(text.get(prose..at).unwrap_or_default());
                    prose = at + 2 + destination(&text[at + 2..]);
                    (NODE + PARSED_LINK + LINK, 2)
                }
                b']' => (NODE + PARSED_LINK, 0),
                b'<' if is_autolink(&text[at + 1..]) => (NODE + PARSED_LINK, 2),
                b'&' if memchr(b';', &text[at..text.len().min(at + 33)]).is_some() => {
                    (REFERENCE, 0)
                }
                b'!' if next == Some(b'[') => (NODE / 2, 0),
                b'|' => (NODE * 3 / 4, 0),
                b'[' | b'\\' | b'<' => (NODE, 0),
                b'_' if is_in_word(text, at) => (0, 0),
                // A run of marks is one node.
                b'*' | b'_' | b'`' | b'~' if next != Some(byte) => (NODE, 1),
                _ => (0, 0),
            };
            line.nodes += nodes;
            line.pieces += pieces;
            at += 1;
        }
        line.triggers += triggers(&text[prose..]);
        line
    }
}

/// Whether letters or digits stand on both sides of a byte: an underscore there begins no emphasis.
fn is_in_word(text: &[u8], at: usize) -> bool {
    let is_letter = |at: usize| text.get(at).is_some_and(u8::is_ascii_alphanumeric);
    at > 0 && is_letter(at - 1) && is_letter(at + 1)
}

/// Whether a link in angle brackets may go on with `text`.
fn is_autolink(text: &[u8]) -> bool {
    let is_inside = |byte: &&u8| !byte.is_ascii_whitespace() && !b"<>".contains(byte);
    let mut inside = text.iter().take_while(is_inside);
    inside.any(|byte| b":@".contains(byte))
}

/// The length of a destination, as far as it were one link in running text, too: the text may be no destination.
fn destination(text: &[u8]) -> usize {
    let length = |from: usize, is_inside: fn(&u8) -> bool| {
        let rest = text[from..].iter();
        from + rest.take_while(|byte| is_inside(byte)).count()
    };
    let scheme = length(0, u8::is_ascii_alphabetic);
    let host = match text[scheme..].starts_with(b"://") {
        true => scheme + 3,
        false => 0,
    };
    let path = length(host, |byte| in_host(*byte));
    match text.get(path) {
        Some(b'/') => length(path, |byte| {
            in_host(*byte) || b"/?=#%+@:_&~$!".contains(byte)
        }),
        _ => path,
    }
}

fn in_host(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || !byte.is_ascii() || b"-.".contains(&byte)
}

/// How many links running text may have. None begins with a colon, a dot or an at sign, or ends with one; and at most one
/// begins in letters, digits, dots, hyphens and slashes behind one.
fn triggers(text: &[u8]) -> usize {
    let (mut count, mut at) = (0, 0);
    while let Some(found) = text
        .get(at..)
        .and_then(|rest| memchr3(b':', b'.', b'@', rest))
    {
        at += found + 1;
        let may_begin = |byte: &u8| !byte.is_ascii_whitespace() && !b"([".contains(byte);
        let is_preceded = at > 1 && may_begin(&text[at - 2]);
        if is_preceded && text.get(at).is_some_and(|next| !next.is_ascii_whitespace()) {
            count += 1;
            let goes_on = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-./".contains(byte);
            at += text[at..].iter().take_while(goes_on).count();
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(feature = "markdown")]
    const ROW: &str = "| [Name 12](https://www.example.org/name/12) | <https://www.example.org/list/12> | https://www.example.org/words |\n";

    /// By what an estimate exceeds the length of a text that comes again and again.
    fn factor(estimate: fn(&[u8]) -> usize, unit: &str) -> usize {
        let text = unit.repeat(1000);
        estimate(text.as_bytes()) / text.len()
    }

    #[test]
    #[cfg(feature = "markdown")]
    fn ordinary_lists_are_within_the_limit() {
        for unit in [
            "- [Name of a thing](https://www.example.org/a/path/page.html) - some words.\n",
            "* [My_Tool](https://github.com/user_1/my_tool.js?a=1&b=2) - Does *it*, with `code`, and more.\n",
            "- [Название](https://www.пример.рф/путь/страница.html) - слова.\n",
            "- Fix the thing that broke in some version ([#1234])\n[#1234]: https://github.com/o/r/pull/1234\n",
            "* https://www.example.org/a/path/page.html\n",
            "Some *emphasis* and `code` with **strong** words; see [the page](https://www.example.org/p) for more of it, or ask.\n\n",
            "Nothing but words on each of the lines. And more.\n",
        ] {
            assert!(factor(of_markdown, unit) < 12, "{unit}");
        }
        let rows = ROW.repeat(20);
        assert!(factor(of_markdown, &format!("|-|-|-|\n{rows}\n")) < 12);
        assert!(factor(of_markdown, ROW) >= 12, "one paragraph");
    }

    #[test]
    #[cfg(feature = "markdown")]
    fn dense_documents_are_beyond_the_limit() {
        for unit in [
            "[a](é) ",
            "[a](é)\n\n",
            "*a*",
            "- ",
            "- a\n",
            "a.de ",
            "a.de,",
            "a\n",
            "[a]\n",
            "[a]:b\n",
            "<a:b>",
            "&lt;",
            "\\*",
            "](a.de%b.de",
            "x@y.de\n",
            "`a`",
            "> a\n\n",
            "![a](b)",
        ] {
            assert!(factor(of_markdown, unit) >= 12, "{unit}");
        }
    }

    #[test]
    fn runs_beyond_ascii() {
        assert!(factor(of_positions, "\u{44F}a") >= 12);
        assert!(factor(of_positions, "\u{441}\u{43B}\u{43E}\u{432}\u{43E} word ") < 4);
    }

    #[test]
    fn restructured_text() {
        for unit in [
            "- `Name of a thing <https://www.example.org/a/path/page.html>`_ - some words.\n",
            ".. _name 1: https://www.example.org/a/1\n",
            "Some *emphasis* and ``code`` with a ref_ and https://www.example.org/1 here.\n\n",
        ] {
            assert!(factor(of_rst, unit) < 12, "{unit}");
        }
        for unit in ["`a <é>`_ ", "a.de ", "`a`_ ", "|a|", "\n"] {
            assert!(factor(of_rst, unit) >= 12, "{unit}");
        }
    }
}
