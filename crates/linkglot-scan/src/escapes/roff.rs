//! Escapes of roff, the language of manual pages: fonts (`\fB`, `\f(CW`, `\f[R]`), and marks with names of two letters
//! (`\(lq`, `\*(rq`) or in brackets (`\[bu]`).

use super::super::text::Text;

/// The names of marks that stand around words: bullets, quotes, brackets, dashes.
const MARKS: [&str; 26] = [
    "bu", "lq", "rq", "la", "ra", "oq", "cq", "dq", "aq", "Aq", "Bq", "bq", "Fo", "Fc", "fo", "fc",
    "em", "en", "hy", "lB", "rB", "lC", "rC", "->", "<-", "ci",
];

/// The names of fonts with two letters.
const FONTS: [&str; 12] = [
    "CW", "CR", "CB", "CI", "CO", "BI", "TR", "TB", "TI", "HR", "HB", "HI",
];

/// Number of bytes behind an escaped bracket that are searched for its closing bracket.
const MAX_WORD: usize = 256;

/// True if a font has this name of one character.
pub(super) fn is_font(byte: u8) -> bool {
    matches!(byte, b'B' | b'I' | b'R' | b'P' | b'C' | b'0'..=b'9')
}

/// The position behind the name of a mark or font that begins at `start`, behind `\(`, `\*(` or `\f(`; else `start`.
pub(super) fn behind_bracket(text: &Text<'_>, start: usize) -> usize {
    let ends = |opener: &str| text.ends(start, 0, opener);
    let names: &[&str] = if ends("\\(") || ends("\\*(") {
        &MARKS
    } else if ends("\\f(") {
        &FONTS
    } else {
        return start;
    };
    let is_name = names.contains(&text.slice(start, start + 2));
    if is_name && !is_closed(text, start) {
        start + 2
    } else {
        start
    }
}

/// True if a mark or a string of roff stands at `at`, behind its `\`, and ends a link: `\(rq`, `\[rq]`, `\*(Aq`,
/// `\*[Aq]`. Where a name goes on behind it, it is a letter of the link (`/\(tiann/`). Escaped brackets of Markdown or
/// a pattern have a `\` in front of the closing one, too.
pub(super) fn is_mark_behind(text: &Text<'_>, at: usize) -> bool {
    let is_name = |at: usize| {
        let byte = text.byte(at);
        byte.is_ascii_graphic() && !matches!(byte, b'\\' | b']')
    };
    let name = at + 1 + usize::from(text.byte(at) == b'*');
    let end = match text.byte(name - 1) {
        b'(' if is_name(name) && is_name(name + 1) && !is_closed(text, name) => name + 2,
        b'[' => {
            let close = (name..name + MAX_WORD).find(|&i| !is_name(i));
            match close.filter(|&close| close > name && text.byte(close) == b']') {
                Some(close) => close + 1,
                None => return false,
            }
        }
        _ => return false,
    };
    let next = text.byte(end);
    !next.is_ascii_alphanumeric() && next != b'/'
}

/// True if the next `\`, with no white space before it, begins `\)`. Then `\(` is an escaped bracket of Markdown or a
/// pattern.
fn is_closed(text: &Text<'_>, at: usize) -> bool {
    let ends = |&i: &usize| matches!(text.byte(i), b'\\' | b'\0'..=b' ');
    let end = (at..at + MAX_WORD).find(ends);
    end.is_some_and(|end| text.has(end, "\\)"))
}

/// True if bytes that end with `(` may open the name of a mark or font.
pub(in super::super) fn may_open_name(before: &[u8]) -> bool {
    matches!(
        before,
        [.., b'\\', b'('] | [.., b'\\', b'f' | b'F' | b'*', b'(']
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classes::Classes;

    #[test]
    fn names_in_brackets_are_skipped() {
        for (opener, names) in [("\\(", &MARKS[..]), ("\\*(", &MARKS), ("\\f(", &FONTS)] {
            assert!(may_open_name(opener.as_bytes()), "{opener}");
            for name in names {
                let at = |rest: &str| {
                    let written = format!("{opener}{name}{rest}");
                    let text = Text::new(&written, Classes::get());
                    behind_bracket(&text, opener.len()) - opener.len()
                };
                assert_eq!(
                    (name.len(), at("a.b\\fP"), at("a.b \\)")),
                    (2, 2, 2),
                    "{name}"
                );
                assert_eq!(at("a.b\\)"), 0, "{name}");
                // The fast finder takes `http` behind `(` for a scheme.
                assert!(!"http".starts_with(&name.to_ascii_lowercase()), "{name}");
            }
        }
        let text = Text::new("\\(ann@a", Classes::get());
        assert_eq!(behind_bracket(&text, 2), 2);
        assert!(!may_open_name(b"f(") && !may_open_name(b"\\x("));
    }
}
