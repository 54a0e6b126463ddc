//! Verbatim text of TeX between two marks of the writer's choice: `\verb+http://example.org/+`, `\lstinline!...!`. What stands
//! between them is a text of its own.

use super::classes::{HARD, TERM};
use super::find::{Finder, Found, Link, MAX_LINK};
use super::text::Text;

/// Commands that take a mark, and the marks that they take: names of files begin like some of them.
const COMMANDS: [(&[u8], &[u8]); 6] = [
    (b"\\verb", ANY),
    (b"\\verb*", ANY),
    (b"\\lstinline", ANY),
    (b"\\url", NO_PATH),
    (b"\\path", NO_PATH),
    (b"\\nolinkurl", NO_PATH),
];

/// Not `%`, which rewriting may put into a link, nor quotes and brackets, which end it anyway.
const ANY: &[u8] = b"!#$&+,-/:;=?@^_|~";
const NO_PATH: &[u8] = b"!#$&+,;=?@^|~";

/// Which bytes [`ANY`] has.
static MARKS: [bool; 256] = {
    let (mut table, mut at) = ([false; 256], 0);
    while at < ANY.len() {
        table[ANY[at] as usize] = true;
        at += 1;
    }
    table
};

/// No command in front of its mark is longer.
pub(super) const MAX_COMMAND: usize = 10;

/// Whether a byte is the mark of a command.
#[inline]
pub(super) fn is_mark(byte: u8) -> bool {
    MARKS[usize::from(byte)]
}

/// Whether bytes end with a command and one of its marks.
pub(super) fn opens(bytes: &[u8]) -> bool {
    let Some((mark, before)) = bytes.split_last() else {
        return false;
    };
    is_mark(*mark)
        && before.last().is_some_and(|&last| is_last(last))
        && COMMANDS.iter().any(|(name, marks)| {
            let begin = before.len().checked_sub(name.len());
            let end = begin.and_then(|begin| before.get(begin..));
            marks.contains(mark) && end.is_some_and(|end| end.eq_ignore_ascii_case(name))
        })
}

/// Whether a byte is the last of a command.
fn is_last(byte: u8) -> bool {
    matches!(byte.to_ascii_lowercase(), b'b' | b'*' | b'e' | b'l' | b'h')
}

impl Finder<'_, '_> {
    /// What a trigger is part of in the verbatim text whose mark stands in front of a run of characters that begins at `run`, or
    /// in that run. `None`: there is none.
    pub(super) fn verbatim(&self, run: usize, trigger: usize) -> Option<Found> {
        let start = self.verbatim_start(run).filter(|&at| at <= trigger)?;
        let end = verbatim_end(self.text, start).filter(|&end| trigger < end)?;
        let text = Text::new(self.text.slice(start, end), self.text.classes());
        let inner = Finder {
            text: &text,
            scanner: self.scanner,
            floor: 0,
        };
        let found = match inner.in_line(trigger - start) {
            Found::Nothing => Found::Nothing,
            Found::Skip(at) => Found::Skip(start + at),
            Found::Link(link) => Found::Link(Link {
                start: start + link.start,
                end: start + link.end,
                floor: start + link.floor,
                ..link
            }),
        };
        self.text.add_steps(&text);
        Some(found)
    }

    /// Where verbatim text begins.
    fn verbatim_start(&self, run: usize) -> Option<usize> {
        let text = self.text;
        if run <= self.floor {
            return None;
        }
        let before = text.byte_before(run);
        if before == b'\\' {
            // The mark is one of the characters of the run.
            return COMMANDS.iter().find_map(|(name, marks)| {
                let mark = run - 1 + name.len();
                let is_name = (1..name.len())
                    .zip(run..)
                    .all(|(i, at)| name.get(i) == Some(&text.byte(at).to_ascii_lowercase()));
                (is_name && marks.contains(&text.byte(mark))).then_some(mark + 1)
            });
        }
        // Behind a star the mark may be the first of the run.
        let start = run + usize::from(before == b'*');
        let (mark, last) = (text.byte_before(start), text.byte_before(start - 1));
        if !is_mark(mark) || !is_last(last) {
            return None;
        }
        let from = start.saturating_sub(MAX_COMMAND + 1).max(self.floor);
        // What is in front of a stretch may be more of the command.
        text.before(from);
        let bytes = text.str().as_bytes().get(from..start)?;
        opens(bytes).then_some(start)
    }
}

/// Where verbatim text ends that begins at a position: at the mark in front of it, at the latest where every link does. A mark
/// that every link has was not meant to end one: of those it is the last.
fn verbatim_end(text: &Text<'_>, start: usize) -> Option<usize> {
    let mark = char::from(text.byte_before(start));
    let is_of_links = matches!(mark, '/' | ':');
    let (mut end, mut last) = (start, None);
    while end < start + MAX_LINK {
        let ch = text.char(end);
        let ends = text.class(ch) & TERM == HARD || is_of_links && ch == '\\';
        match ch == mark {
            true if !is_of_links => return Some(end),
            true => last = Some(end),
            false if ends => return last.or(Some(end)),
            false => {}
        }
        end += ch.len_utf8();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_open_with_their_marks() {
        for (text, is_open) in [
            ("\\verb+", true),
            ("x \\Verb*!", true),
            ("\\lstinline/", true),
            ("\\url=", true),
            ("\\path/", false),
            ("\\verb%", false),
            ("\\verb", false),
            ("verb+", false),
            ("\\reverb+", false),
            ("+", false),
            ("", false),
        ] {
            assert_eq!(opens(text.as_bytes()), is_open, "{text}");
        }
        let longest = COMMANDS.iter().map(|(name, _)| name.len()).max();
        assert_eq!(longest, Some(MAX_COMMAND));
    }

    #[test]
    fn what_is_looked_at_first_dismisses_no_command() {
        for (name, marks) in COMMANDS {
            for &mark in marks {
                let written = [name, &[mark]].concat();
                assert!(is_mark(mark) && opens(&written), "{written:?}");
                assert!(opens(&written.to_ascii_uppercase()), "{written:?}");
            }
        }
        for byte in 0..=0xFF {
            let is_of_any = COMMANDS.iter().any(|(_, marks)| marks.contains(&byte));
            assert_eq!(is_mark(byte), is_of_any, "{byte:x}");
        }
    }
}
