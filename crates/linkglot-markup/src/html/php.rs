//! The end of code of PHP in a page: strings and blocks of comments do not end it.

use super::content::{ContentEnd, Haystack, begins_php};
use crate::code::{LONGEST_HEREDOC, heredoc_label, is_label};
use crate::escape::Escaping;
use crate::language::Language;
use crate::slot::{Access, Place, PlaceKind, Run, Slot, Syntax};
use std::ops::Range;

/// The place within code of PHP.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum PhpCode {
    /// Between strings and comments.
    #[default]
    Code,
    /// In a string between these quotation marks.
    String(u8),
    /// In a comment up to the end of the line, or of the code.
    Line,
    /// In a comment up to `*/`.
    Block,
    /// In a heredoc or nowdoc with this label.
    Heredoc(Box<[u8]>),
}

/// The code of PHP in the bytes of a slot. Code without an end is none. O(length).
///
/// ```
/// let codes = linkglot_markup::php_codes(b"a<?= '?>' ?>b<?php c");
/// assert_eq!(codes, [1..12]);
/// ```
pub fn php_codes(bytes: &[u8]) -> Vec<Range<usize>> {
    let (mut codes, mut from) = (Vec::new(), 0);
    while let Some(found) = memchr::memmem::find(&bytes[from..], b"<?") {
        let start = from + found;
        from = start + 2;
        if begins_php(&bytes[start..]) != Some(true) {
            continue;
        }
        let hay = Haystack {
            bytes,
            start,
            from: start,
            last: true,
            has_php: false,
        };
        match php_end(hay, &mut PhpCode::Code) {
            ContentEnd::At(end, _) => {
                codes.push(start..end);
                from = end;
            }
            ContentEnd::Open(_) | ContentEnd::Code(_) => break,
        }
    }
    codes
}

/// The end of the code of PHP at the beginning of bytes.
pub(crate) fn first_code(bytes: &[u8], last: bool) -> FirstCode {
    match begins_php(bytes) {
        Some(true) => {}
        None if !last => return FirstCode::Open,
        _ => return FirstCode::None,
    }
    let hay = Haystack {
        bytes,
        start: 0,
        from: 0,
        last,
        has_php: false,
    };
    match php_end(hay, &mut PhpCode::Code) {
        ContentEnd::At(end, _) => FirstCode::To(end),
        // The end of the document ends it, too.
        _ if last => FirstCode::To(bytes.len()),
        _ => FirstCode::Open,
    }
}

/// The answer of [`first_code`].
pub(crate) enum FirstCode {
    None,
    To(usize),
    /// Behind the bytes.
    Open,
}

/// The slot of code of PHP in a range of HTML or XML.
pub fn php_slot(range: Range<usize>) -> Slot {
    Slot {
        range,
        escaping: Escaping::HtmlRawText,
        syntax: Syntax::Script(Language::Php),
        place: PHP_PLACE.into(),
        access: Access::Rewrite,
        run: Run::WHOLE,
    }
}

/// The place of code of PHP.
pub(crate) const PHP_PLACE: Place = Place::new(PlaceKind::Script, None, None);

/// The most white space in front of the label that ends a heredoc.
const MOST_BLANKS: usize = 64;

/// The end of code of PHP, behind its `?>`. `code` is the place at `hay.from`, and becomes that at the position of the
/// answer.
pub fn php_end(hay: Haystack<'_>, code: &mut PhpCode) -> ContentEnd {
    let mut at = hay.from;
    loop {
        let rest = hay.bytes.get(at..).unwrap_or_default();
        let read = match code {
            PhpCode::Code => in_code(rest, hay.last),
            PhpCode::String(quote) => in_string(rest, *quote, hay.last),
            PhpCode::Line => in_line(rest, hay.last),
            PhpCode::Block => in_block(rest),
            PhpCode::Heredoc(label) => in_heredoc(hay, at, label),
        };
        match read {
            Read::End(length) => return ContentEnd::At(at + length, at + length),
            Read::Cut(length) => return hay.open(at + length),
            Read::Into(next, length) => {
                *code = next;
                at += length;
            }
        }
    }
}

/// The bytes up to the next place.
enum Read {
    /// The end of the code stands behind so many bytes.
    End(usize),
    /// Behind so many bytes more of them tell.
    Cut(usize),
    /// Another place begins behind so many bytes.
    Into(PhpCode, usize),
}

fn in_code(rest: &[u8], last: bool) -> Read {
    let is_mark = |byte: &u8| matches!(byte, b'\'' | b'"' | b'`' | b'?' | b'#' | b'/' | b'<');
    let Some(at) = rest.iter().position(is_mark) else {
        return Read::Cut(rest.len());
    };
    let marks = &rest[at..];
    let needed = match marks {
        [b'<', b'<', b'<', ..] => LONGEST_HEREDOC,
        [b'<', b'<'] => 3,
        _ => 2,
    };
    match marks {
        [quote @ (b'\'' | b'"' | b'`'), ..] => Read::Into(PhpCode::String(*quote), at + 1),
        [b'?', b'>', ..] => Read::End(at + 2),
        [b'/', b'/', ..] => Read::Into(PhpCode::Line, at + 2),
        [b'/', b'*', ..] => Read::Into(PhpCode::Block, at + 2),
        // `#[` begins an attribute.
        [b'#', next, ..] if *next != b'[' => Read::Into(PhpCode::Line, at + 1),
        _ if marks.len() < needed && !last => Read::Cut(at),
        _ => match heredoc_label(marks) {
            Some((label, length)) => Read::Into(PhpCode::Heredoc(label.into()), at + length),
            None => Read::Into(PhpCode::Code, at + 1),
        },
    }
}

fn in_string(rest: &[u8], quote: u8, last: bool) -> Read {
    match memchr::memchr2(quote, b'\\', rest) {
        None => Read::Cut(rest.len()),
        Some(at) if rest[at] == quote => Read::Into(PhpCode::Code, at + 1),
        Some(at) if at + 1 == rest.len() && !last => Read::Cut(at),
        Some(at) => Read::Into(PhpCode::String(quote), rest.len().min(at + 2)),
    }
}

fn in_line(rest: &[u8], last: bool) -> Read {
    match memchr::memchr3(b'\n', b'\r', b'?', rest) {
        None => Read::Cut(rest.len()),
        Some(at) if rest[at] != b'?' => Read::Into(PhpCode::Code, at),
        Some(at) if rest[at..].starts_with(b"?>") => Read::End(at + 2),
        Some(at) if at + 1 == rest.len() && !last => Read::Cut(at),
        Some(at) => Read::Into(PhpCode::Line, at + 1),
    }
}

fn in_block(rest: &[u8]) -> Read {
    match memchr::memmem::find(rest, b"*/") {
        None => Read::Cut(rest.len() - usize::from(rest.ends_with(b"*"))),
        Some(at) => Read::Into(PhpCode::Code, at + 2),
    }
}

fn in_heredoc(hay: Haystack<'_>, at: usize, label: &[u8]) -> Read {
    let rest = hay.bytes.get(at..).unwrap_or_default();
    let Some(found) = memchr::memmem::find(rest, label) else {
        // The white space in front of the label is looked at, too.
        return Read::Cut(rest.len().saturating_sub(label.len() + MOST_BLANKS));
    };
    let front = &hay.bytes[..at + found];
    let blanks = front.iter().rev().take(MOST_BLANKS);
    let blanks = blanks.take_while(|byte| matches!(byte, b' ' | b'\t'));
    let begins_line = matches!(
        front[..front.len() - blanks.count()].last(),
        Some(b'\n' | b'\r')
    );
    let behind = found + label.len();
    match rest.get(behind) {
        None if begins_line && !hay.last => Read::Cut(found.saturating_sub(MOST_BLANKS)),
        next if begins_line && next.is_none_or(|next| !is_label(*next)) => {
            Read::Into(PhpCode::Code, behind)
        }
        _ => Read::Into(PhpCode::Heredoc(label.into()), found + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PIECES: &[&str] = &[
        "?>", "?", ">", "'", "\"", "`", "\\", "//", "/*", "*/", "#", "#[", "<<<A\n", "<<<'A'\n",
        "\nA", "\n A;", "A", "B", "\n", " ",
    ];

    fn end(code: &str, cuts: &[usize]) -> ContentEnd {
        let (mut place, mut from) = (PhpCode::Code, 0);
        for cut in cuts.iter().copied().chain([code.len()]) {
            let hay = Haystack {
                bytes: &code.as_bytes()[..cut],
                start: 0,
                from,
                last: cut == code.len(),
                has_php: false,
            };
            match php_end(hay, &mut place) {
                ContentEnd::Open(at) if cut < code.len() => from = at,
                end => return end,
            }
        }
        unreachable!("the last window decides")
    }

    #[test]
    fn ends() {
        for (code, at) in [
            ("<?= 1 ?>", Some(8)),
            ("<?=?>", Some(5)),
            ("<?php '?>' ?>", Some(13)),
            ("<?php // '?>", Some(12)),
            ("<?php /* ?> */?>", Some(16)),
            ("<?php <<<A\n?>\n A . '?>'?>", Some(25)),
            ("<?php <<<A\n?>\nAB?>", None),
            ("<?php #[A('?>')]?>", Some(18)),
            ("<?php '\\'?>", None),
        ] {
            let expected = at.map_or(ContentEnd::Open(code.len()), |at| ContentEnd::At(at, at));
            assert_eq!(end(code, &[]), expected, "{code}");
        }
    }

    proptest! {
        /// The cuts between windows do not matter.
        #[test]
        fn ends_do_not_depend_on_cuts(
            pieces in prop::collection::vec(prop::sample::select(PIECES), 0..16),
        ) {
            let code = format!("<?php {}", pieces.concat());
            let whole = end(&code, &[]);
            let each: Vec<usize> = (6..code.len()).collect();
            prop_assert_eq!(end(&code, &each), whole);
            for cut in &each {
                prop_assert_eq!(end(&code, &[*cut]), whole);
            }
        }
    }
}
