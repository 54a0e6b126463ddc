//! Hosts that strings or lines cut: `"http://old." + "example/a"`, or a long link that a line of mail breaks.

use crate::charset::simd::blocks::InstructionSet;
use crate::charset::simd::pairs::{Pair, next_pair};
use std::ops::Range;

/// The most bytes of a piece of a host.
const LONGEST_PIECE: usize = 255;

/// The most bytes between two pieces.
const LONGEST_SEAM: usize = 128;

/// The most pieces of a host.
const MOST_PIECES: usize = 4;

/// Text in pieces that may be one host.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Cut {
    /// The first byte of the first piece.
    pub begin: usize,
    /// The pieces, joined.
    pub name: Vec<u8>,
    /// The end of each piece, in the name and in the text.
    pub ends: Vec<(usize, usize)>,
}

/// The texts that are cut in front of `end`, and the end of the last. Pieces up to `known` belong to one that was found
/// before. Linear: a piece belongs to one text.
pub(super) fn cuts(text: &[u8], end: usize, known: u64) -> (Vec<Cut>, u64) {
    let mut cuts = Vec::new();
    let mut behind = known as usize;
    let mut from = behind.saturating_sub(1);
    while let Some(before) = next_pair::<EndOfPiece>(&text[..end], from) {
        from = before + 1;
        if let Some(cut) = cut_at(text, from) {
            behind = cut.ends.last().map_or(from, |(_, end)| *end);
            from = behind.saturating_sub(1);
            cuts.push(cut);
        }
    }
    (cuts, behind as u64)
}

/// The last byte of a piece, and the quotation mark or line end that cuts it off.
struct EndOfPiece;

impl Pair for EndOfPiece {
    #[inline(always)]
    fn marks<I: InstructionSet>(set: I, first: I::Bytes, second: I::Bytes) -> I::Mask {
        let is_quote = set.equal(second, b'"') | set.equal(second, b'\'');
        let is_escape = set.equal(first, b'\\');
        let is_other = set.equal(first, b'>')
            | set.equal(first, b';')
            | set.equal(first, b'=')
            | set.equal(first, b'/');
        // White space, quotation marks, parentheses and commas, of which `\r` may end a line.
        let is_low = set.at_most(first, b',') & !set.equal(first, b'\r');
        let is_piece = !(is_low | is_other);
        (is_quote & !is_escape | set.equal(second, b'\n')) & is_piece
    }

    fn is_marked(first: u8, second: u8) -> bool {
        let is_piece =
            !matches!(first, b'>' | b';' | b'=' | b'/') && (first > b',' || first == b'\r');
        match second {
            b'"' | b'\'' => is_piece && first != b'\\',
            b'\n' => is_piece,
            _ => false,
        }
    }
}

/// The pieces around a quotation mark or a line feed.
fn cut_at(text: &[u8], at: usize) -> Option<Cut> {
    let mut seam = Seam::at(text, at)?;
    let front = &text[seam.begin.saturating_sub(LONGEST_PIECE)..seam.begin];
    let length = front.iter().rev().take_while(is_part).count();
    let begin = seam.begin - length;
    if length == 0 || !seam.is_of_strings && !begins_authority(&text[..begin]) {
        return None;
    }
    let mut cut = Cut {
        begin,
        name: text[begin..seam.begin].to_vec(),
        ends: vec![(length, seam.begin)],
    };
    while cut.ends.len() < MOST_PIECES {
        let piece = piece(text, seam.end);
        if piece.is_empty() {
            break;
        }
        cut.name.extend_from_slice(&text[piece.clone()]);
        cut.ends.push((cut.name.len(), piece.end));
        let behind = text[piece.end..].iter().take(3);
        let mark = behind.take_while(|byte| !matches!(byte, b'"' | b'\'' | b'\n'));
        match Seam::at(text, piece.end + mark.count()) {
            Some(next) if next.begin == piece.end => seam = next,
            _ => break,
        }
    }
    (cut.ends.len() > 1).then_some(cut)
}

/// The bytes between two pieces: ends of strings with an operator between them, or a line end.
struct Seam {
    begin: usize,
    end: usize,
    is_of_strings: bool,
}

impl Seam {
    /// The seam with a quotation mark or a line feed.
    fn at(text: &[u8], at: usize) -> Option<Seam> {
        let mark = *text.get(at)?;
        let behind = &text[at + 1..text.len().min(at + LONGEST_SEAM)];
        if mark == b'\n' {
            let begin = Some(at).filter(|at| !text[..*at].ends_with(b"\r"));
            let begin = begin.unwrap_or(at.saturating_sub(1));
            // A line that goes on, in programs.
            let begin = begin - usize::from(text[..begin].ends_with(b"\\"));
            // Indents, marks of quoted mail and of comments.
            let indent =
                |byte: &&u8| matches!(byte, b' ' | b'\t' | b'>' | b'*' | b'#' | b'|' | b'/' | b';');
            return Some(Seam {
                begin,
                end: at + 1 + behind.iter().take_while(indent).count(),
                is_of_strings: false,
            });
        }
        let blank = |text: &[u8]| {
            text.iter()
                .take_while(|byte| byte.is_ascii_whitespace())
                .count()
        };
        let blanks = blank(behind);
        // Behind most quotation marks stands something else: the end of a tag, or its next attribute.
        let may_join = |byte: &u8| {
            matches!(
                byte,
                b'+' | b'.' | b'&' | b'~' | b'^' | b'\\' | b'|' | b'<' | b'"' | b'\''
            ) || is_prefix(&byte)
        };
        if !behind.get(blanks).is_some_and(may_join) {
            return None;
        }
        let operator = operator(&behind[blanks..]);
        let next = blanks + operator + blank(&behind[blanks + operator..]);
        let next = next + prefix(&behind[next..]);
        let is_string = matches!(behind.get(next), Some(b'"' | b'\''));
        // A doubled quotation mark is an escape.
        (is_string && next > 0).then_some(Seam {
            begin: at,
            end: at + 1 + next + 1,
            is_of_strings: true,
        })
    }
}

/// The length of an operator that joins strings.
fn operator(text: &[u8]) -> usize {
    match text {
        [b'.', b'.', ..] | [b'|', b'|', ..] | [b'<', b'>', ..] | [b'+', b'+', ..] => 2,
        [b'+' | b'.' | b'&' | b'~' | b'^' | b'\\', ..] => 1,
        _ => 0,
    }
}

/// The length of the letters in front of a string, as in Python, C and C#: `u"..."`, `rb"..."`, `@"..."`.
fn prefix(text: &[u8]) -> usize {
    let length = text.iter().take(2).take_while(is_prefix).count();
    let is_string = matches!(text.get(length), Some(b'"' | b'\''));
    if is_string { length } else { 0 }
}

fn is_prefix(byte: &&u8) -> bool {
    matches!(
        byte.to_ascii_lowercase(),
        b'u' | b'r' | b'b' | b'f' | b'@' | b'$'
    ) || **byte == b'L'
}

fn piece(text: &[u8], begin: usize) -> Range<usize> {
    let rest = text[begin..].iter().take(LONGEST_PIECE);
    begin..begin + rest.take_while(is_part).count()
}

fn is_part(byte: &&u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.') || !byte.is_ascii()
}

/// True if an authority or the domain of an address follows a text. Words at the ends of lines are no hosts.
fn begins_authority(text: &[u8]) -> bool {
    let last = &text[text.len().saturating_sub(3)..];
    last.ends_with(b"//")
        || last.ends_with(b"@")
        || last.eq_ignore_ascii_case(b"%2f")
        || last.ends_with(b"\\/")
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::charset::simd::blocks::WIDTH;

    /// The search in blocks finds what the test of single pairs finds, for each pair at both ends of a block.
    pub(in crate::rewrite::left_behind) fn blocks_find_what_bytes_find<P: Pair>() {
        for pair in 0..=u16::MAX {
            let [first, second] = pair.to_be_bytes();
            for at in [0, WIDTH - 1, WIDTH, WIDTH + 30] {
                let mut text = [b' '; 2 * WIDTH + 5];
                text[at..at + 2].copy_from_slice(&[first, second]);
                let mut pairs = text.windows(2);
                let expected = pairs.position(|pair| P::is_marked(pair[0], pair[1]));
                assert_eq!(next_pair::<P>(&text, 0), expected, "{first} {second} {at}");
            }
        }
    }

    #[test]
    fn ends_of_pieces_are_found_in_blocks() {
        blocks_find_what_bytes_find::<EndOfPiece>();
    }

    #[test]
    fn each_cut_is_at_the_end_of_a_piece() {
        let marks = (0..=u16::MAX).map(u16::to_be_bytes);
        for [before, mark] in marks.filter(|pair| b"\"'\n".contains(&pair[1])) {
            for joint in ["+ \"", " . '", "\\\n\"", "> ", ""] {
                let text = [b"//a", &[before, mark][..], joint.as_bytes(), b"b.example"].concat();
                let is_cut = cut_at(&text, 4).is_some();
                assert!(
                    !is_cut || EndOfPiece::is_marked(before, mark),
                    "{before} {mark}"
                );
            }
        }
    }
}
