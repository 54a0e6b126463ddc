//! An estimate of the memory that reading a block in light markup takes, made before the block is read.
//!
//! A part of a document is read as a whole: the parser of Markdown keeps a tree of all nodes, and a reader of links
//! all links. Rewriting takes little more: the tree of the part with its new links is built when the first is gone. The
//! estimate reads the bytes once and knows only the markup that costs memory. The numbers were measured on documents
//! made of a single construct.

#[cfg(feature = "markdown")]
mod markdown;

#[cfg(feature = "markdown")]
pub(super) use markdown::of_markdown;

use crate::slot::Syntax;
use linkglot_charset::Charset;
use memchr::{memchr3, memmem};

/// A link that was found.
const LINK: usize = 120;
/// A link of a piece of a block, held until the block ends.
const LINK_IN_PIECE: usize = 130;
/// A run of characters beyond ASCII in a charset other than UTF-8.
const DECODED_RUN: usize = 56;
/// A line of reStructuredText; all lines are in memory.
const RST_LINE: usize = 52;
/// A piece of reStructuredText; all pieces are kept until sorted.
const RST_PIECE: usize = 80;

/// A target, beside a trigger in its reference.
const RST_TARGET: usize = 120;
/// White space that is dropped from a reference.
const RST_GAP: usize = 120;
/// An escape that may stand in a link; escapes of marks stand in prose.
const RST_ESCAPE: usize = 220;
/// A link whose positions a decoded text knows.
const DECODED_LINK: usize = 120;

/// An estimate for a document in a charset, in bytes.
pub(super) fn estimate(text: &[u8], charset: Charset, syntax: Syntax) -> usize {
    let positions = if charset == Charset::UTF_8 {
        0
    } else {
        of_positions(text)
    };
    positions
        + match syntax {
            #[cfg(feature = "markdown")]
            Syntax::Markdown | Syntax::Mdx => of_markdown(text),
            _ => of_rst(text),
        }
}

/// An estimate for a reStructuredText document, in bytes.
fn of_rst(text: &[u8]) -> usize {
    let mut sum = text.len() + triggers(text) * (LINK + LINK_IN_PIECE) + RST_GAP * gaps(text);
    for (at, &byte) in text.iter().enumerate() {
        let next = text.get(at + 1);
        sum += match byte {
            // The paragraph behind an empty line.
            b'\n' if matches!(next, Some(b'\n' | b'\r')) => RST_LINE + RST_PIECE,
            b'\n' => RST_LINE,
            b'\\' if next.is_some_and(|next| !b" \t\r\n*`|\\".contains(next)) => RST_ESCAPE,
            b'_' if begins_target(&text[..at], next) => RST_TARGET,
            b'_' if next.is_some_and(u8::is_ascii_alphanumeric) => 0,
            // A run of marks is one piece. Triggers count links that have one.
            b'<' if is_autolink(&text[at + 1..]) => RST_PIECE,
            b'<' => RST_PIECE + LINK,
            b'`' | b'*' | b'|' | b'_' if next != Some(&byte) => RST_PIECE,
            _ => 0,
        };
    }
    sum
}

/// True if an underscore begins the name of a target (`.. _name:`), or ends the mark of one without a name (`__ `).
fn begins_target(before: &[u8], next: Option<&u8>) -> bool {
    before.ends_with(b".. ") || before.ends_with(b"_") && next == Some(&b' ')
}

/// The amount of white space that may be dropped from references: in angle brackets, behind the mark of a target, and
/// on the following lines of a target.
fn gaps(text: &[u8]) -> usize {
    let (mut count, mut in_target, mut in_angle, mut in_directive) = (0, false, false, false);
    for line in text.split(|byte| matches!(byte, b'\n' | b'\r')) {
        let content = line.trim_ascii();
        let is_indented = line.first().is_some_and(u8::is_ascii_whitespace);
        in_target &= is_indented && !content.is_empty();
        // Options stand behind the reference of a directive.
        in_target &= !(in_directive && content.starts_with(b":"));
        in_angle &= !content.is_empty();
        let begins = begins_reference(content);
        let reference = if begins {
            reference_start(line)
        } else {
            line.len()
        };
        let mut was_blank = true;
        for (at, byte) in line.iter().enumerate() {
            let is_blank = byte.is_ascii_whitespace();
            let is_gap = is_blank && !was_blank;
            let is_inside = in_target || in_angle || at > reference;
            count += usize::from(is_gap && is_inside);
            was_blank = is_blank;
            in_angle = *byte == b'<' || in_angle && *byte != b'>';
        }
        count += usize::from(in_target || in_angle);
        if begins {
            (in_target, in_directive) = (true, !names_target(explicit_markup(content)));
            // A reference without a trigger is a link, too.
            let has_trigger = triggers(&line[reference..]) > 0;
            count += usize::from(in_directive && !has_trigger) * 2;
        }
    }
    count
}

/// The white space between the mark of a target and its reference.
fn reference_start(line: &[u8]) -> usize {
    let behind = |mark: &[u8]| memmem::find(line, mark).map(|at| at + mark.len() - 1);
    let start = behind(b": ").or_else(|| behind(b"__ "));
    start.unwrap_or(line.len())
}

/// True if the reference of a target or an image begins on a line, and may go on behind it.
fn begins_reference(content: &[u8]) -> bool {
    let own = explicit_markup(content);
    let begins = |mark: &[u8]| own.starts_with(mark);
    let has = |name| begins(b"..") && memmem::find(own, name).is_some();
    names_target(own)
        || begins(b":target:")
        || begins(b":url:")
        || has(b"image::")
        || has(b"figure::")
}

/// A line without the marks that may stand in front of explicit markup: bullets, numbers, the name of a field.
fn explicit_markup(content: &[u8]) -> &[u8] {
    let is_bullet = |byte: &&u8| b"-*+ ".contains(byte);
    let bullets = || content.iter().take_while(is_bullet).count();
    &content[memmem::find(content, b".. ").unwrap_or_else(bullets)..]
}

/// True if a target begins a line.
fn names_target(content: &[u8]) -> bool {
    content.starts_with(b".. _") || content.starts_with(b"__ ")
}

/// An estimate of the memory for the positions of a decoded text, beside the text itself: characters that are longer in
/// UTF-8 shift the characters behind them, and a link with such characters has positions of its own.
fn of_positions(text: &[u8]) -> usize {
    let (mut sum, mut in_link) = (0, false);
    for pair in text.windows(2) {
        in_link &= !pair[0].is_ascii_whitespace();
        if pair[0].is_ascii() && !pair[1].is_ascii() {
            let begins_link = !in_link && b"/<(.=?#@:".contains(&pair[0]);
            sum += DECODED_RUN + usize::from(begins_link) * DECODED_LINK;
            in_link |= begins_link;
        }
    }
    sum
}

/// True if a link in angle brackets may go on with `text`.
fn is_autolink(text: &[u8]) -> bool {
    let is_inside = |byte: &&u8| !byte.is_ascii_whitespace() && !b"<>".contains(byte);
    let mut inside = text.iter().take_while(is_inside);
    inside.any(|byte| b":@".contains(byte))
}

/// The number of links that running text may have. No link begins or ends with a colon, a dot or an at sign; and at
/// most one link begins in the letters, digits, dots, hyphens and slashes behind another.
fn triggers(text: &[u8]) -> usize {
    let (mut count, mut at) = (0, 0);
    while let Some(found) = text
        .get(at..)
        .and_then(|rest| memchr3(b':', b'.', b'@', rest))
    {
        at += found + 1;
        let may_begin = |byte: &u8| !byte.is_ascii_whitespace() && !b"([".contains(byte);
        let is_preceded = at > 1 && may_begin(&text[at - 2]);
        // The colons of a directive or a literal block are no link.
        let is_blank = |at| text.get(at).is_none_or(u8::is_ascii_whitespace);
        let is_mark = text[at - 1..].starts_with(b"::") && is_blank(at + 1);
        if is_preceded && !is_mark && !is_blank(at) {
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

    /// The ratio of the estimate to the length, for a text that repeats a unit.
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
            "A line of an address or a poem  \n",
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
            "word xxxx  \n",
            "[a]: <b>\nsome words of prose xx\n",
            "[^a]: b <?a?> ",
            "[a]: b [c](d) ",
            "[a]: b [c](d) [c](d)\n",
            "x\n[a]:[c](d)[c](d)[c](d)\n",
        ] {
            assert!(factor(of_markdown, unit) >= 12, "{unit}");
        }
    }

    #[test]
    fn runs_beyond_ascii() {
        assert!(factor(of_positions, "\u{44F}a") >= 12);
        assert!(factor(of_positions, "/\u{44F} words ") >= 12);
        assert!(factor(of_positions, "\u{441}\u{43B}\u{43E}\u{432}\u{43E} word ") < 4);
    }

    #[test]
    fn restructured_text() {
        for unit in [
            "- `Name of a thing <https://www.example.org/a/path/page.html>`_ - some words.\n",
            ".. _name 1: https://www.example.org/a/1\n",
            ".. image:: https://www.example.org/picture/1.png\n   :alt: A picture.\n\n",
            ".. image:: https://www.example.org/picture/1.png\n   :target: https://www.example.org/a/1\n\n",
            "Write ``\\`` to have characters such as \\* as they are.\n\n",
            "Some *emphasis* and ``code`` with a ref_ and https://www.example.org/1 here.\n\n",
        ] {
            assert!(factor(of_rst, unit) < 12, "{unit}");
        }
        for unit in [
            "`a <é>`_ ",
            "a.de ",
            "`a`_ ",
            "|a|",
            "\n",
            ".. _a: /b\n",
            ".. _a: b\n c d\n",
            "`a <b c d>`_",
            ".. image:: a b c d e f\n",
            ".. |s| image:: a b c d e f\n",
            ":a: .. image:: a b c d e f\n",
            ".. image:: abc\n",
            ".. _a: b c d e f\n",
            "__ b c d e f\n",
            "\\a.de some words of prose and more ",
            "\n\n:a: word",
        ] {
            assert!(factor(of_rst, unit) >= 12, "{unit}");
        }
    }
}
