//! The estimate for Markdown, whose parser keeps a tree of all nodes.

use super::{LINK, LINK_IN_PIECE, is_autolink, triggers};
use memchr::memchr;

/// A node of the tree and the text in front of it.
const NODE: usize = 96;
/// A paragraph around its nodes.
const PARAGRAPH: usize = 64;
/// A character reference: three nodes, and its text.
const REFERENCE: usize = 176;
/// A link as the parser of Markdown keeps it: its kind, destination, title and label.
const PARSED_LINK: usize = 80;
/// A definition of a link, and the link in it.
const DEFINITION: usize = 312;
/// A piece of an open block of Markdown, a link or text, and the text in front of it.
const PIECE: usize = 100;

/// An estimate for a Markdown document, in bytes.
pub(in crate::light) fn of_markdown(text: &[u8]) -> usize {
    let (mut document, mut block, mut greatest) = (text.len(), 0, 0);
    let (mut in_table, mut was_definition) = (false, false);
    for line in lines(text) {
        let (content, markers) = behind_markers(line);
        in_table = !content.is_empty() && (in_table || is_delimiter_row(content));
        if markers > 0 || content.is_empty() || in_table {
            block = 0;
        }
        // The paragraph behind an empty line.
        document += usize::from(content.is_empty()) * PARAGRAPH;
        let definition = behind_label(content);
        let follows_definition = std::mem::replace(&mut was_definition, definition.is_some());
        if let Some(rest) = definition {
            // The line may also be text, or the definition of a footnote.
            let line = Line::of(rest);
            let as_text = line.nodes + line.pieces * PIECE + line.triggers * (LINK + LINK_IN_PIECE);
            document += DEFINITION.max(as_text);
        } else if !content.is_empty() || markers > 0 {
            let line = Line::of(content);
            block += line.pieces * PIECE + line.triggers * LINK_IN_PIECE;
            greatest = block.max(greatest);
            // The first marker adds an item; each other marker adds a list with an item.
            document += markers * NODE - (markers.min(1) * NODE / 2) + NODE + line.nodes;
            document += line.triggers * LINK;
            document += usize::from(follows_definition) * (NODE + PARAGRAPH);
        }
    }
    document + greatest
}

fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split_inclusive(|byte| matches!(byte, b'\n' | b'\r'))
}

/// A line without the marks of block quotes and list items at its start, and the number of these marks.
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

/// True if a line turns the lines around it into a table.
fn is_delimiter_row(line: &[u8]) -> bool {
    line.contains(&b'|') && line.iter().all(|byte| b"|-: \t\r\n".contains(byte))
}

/// A line that looks like the definition of a link, behind its label.
fn behind_label(line: &[u8]) -> Option<&[u8]> {
    let end = memchr(b']', line).filter(|_| line.starts_with(b"["))?;
    line[end + 1..].strip_prefix(b":")
}

/// The parts of a line of Markdown that cost memory.
#[derive(Default)]
struct Line {
    /// The memory of the nodes and of the links with a destination.
    nodes: usize,
    pieces: usize,
    /// The number of links that running text may have.
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
                b'<' => (NODE, 2),
                b'[' | b'\\' => (NODE, 0),
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
        // A hard break.
        line.nodes += usize::from(text.trim_ascii_end().len() + 2 < text.len()) * NODE;
        line
    }
}

/// True if letters or digits stand on both sides of a byte: an underscore there begins no emphasis.
fn is_in_word(text: &[u8], at: usize) -> bool {
    let is_letter = |at: usize| text.get(at).is_some_and(u8::is_ascii_alphanumeric);
    at > 0 && is_letter(at - 1) && is_letter(at + 1)
}

/// The length of the part of a destination that would be one link in running text, in case the text is no destination.
fn destination(text: &[u8]) -> usize {
    let length = |from: usize, is_inside: fn(&u8) -> bool| {
        let rest = text[from..].iter();
        from + rest.take_while(|byte| is_inside(byte)).count()
    };
    let scheme = length(0, u8::is_ascii_alphabetic);
    let host = if text[scheme..].starts_with(b"://") {
        scheme + 3
    } else {
        0
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
