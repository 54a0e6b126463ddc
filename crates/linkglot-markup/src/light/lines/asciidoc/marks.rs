//! Marks that Asciidoctor replaces before it reads macros and URLs: formatting, replacements, references to attributes.

use std::ops::Range;

/// The bytes beside a link that are read for marks of one stretch without white space.
pub const AROUND: usize = 64;

/// Block macros and directives, whose targets are not read for marks.
const BLOCKS: &[&str] = &["image::", "video::", "audio::", "include::"];

/// True if a new link has marks beyond those of the old link. O(length).
pub fn adds_marks(around: (&str, &str), old: &str, new: &str) -> bool {
    let is_enclosed = around.0.ends_with("++") && around.1.starts_with("++[");
    if is_enclosed || BLOCKS.contains(&around.0) {
        return false;
    }
    let before = around
        .0
        .rsplit(char::is_whitespace)
        .next()
        .unwrap_or_default();
    let behind = around
        .1
        .split(char::is_whitespace)
        .next()
        .unwrap_or_default();
    // A character at the border may be cut.
    let is_cut = before.len().max(behind.len()) + 4 > AROUND;
    let with = |link: &str| marks(&[before, link, behind].concat(), is_cut);
    let new = with(new);
    if new.is_empty() {
        return false;
    }
    let mut old = with(old).into_iter();
    !new.into_iter().all(|mark| old.any(|own| own == mark))
}

/// A mark of a pair or of a replacement, and its role in a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Alone(&'static str),
    Paired {
        mark: char,
        opens: bool,
        closes: bool,
    },
}

/// Marks that are replaced wherever they stand, or whose reading depends on the rest of a paragraph.
const ALONE: &[&str] = &[
    "**", "__", "##", "++", "$$", "...", "(C)", "(R)", "(TM)", "->", "=>", "((", "::", ";;", "<",
    "`", "'", "\\", "{", "^",
];

/// The marks of a stretch of text, in order; the stretch may go on if it is cut.
fn marks(text: &str, is_cut: bool) -> Vec<Mark> {
    let mut found = Vec::new();
    let has_pair = is_cut || text.matches('~').count() > 1;
    let (mut before, mut at) = (None, 0);
    while let Some(ch) = text[at..].chars().next() {
        let rest = &text[at..];
        let next = rest[ch.len_utf8()..].chars().next();
        let alone = if ch.is_alphanumeric() {
            None
        } else {
            ALONE.iter().find(|mark| rest.starts_with(**mark))
        };
        match ch {
            _ if alone.is_some() => found.extend(alone.map(|mark| Mark::Alone(mark))),
            '~' if has_pair => found.push(Mark::Alone("~")),
            '-' if rest.starts_with("--")
                && before.is_some_and(is_word)
                && rest[2..].starts_with(is_word) =>
            {
                found.push(Mark::Alone("--"));
            }
            '&' if is_reference(rest) => found.push(Mark::Alone("&")),
            '@' if is_address(&text[..at]) => found.push(Mark::Alone("@")),
            '*' | '_' | '#' | '+' => {
                let (opens, closes) = roles(before, next);
                if opens || closes {
                    found.push(Mark::Paired {
                        mark: ch,
                        opens,
                        closes,
                    });
                }
            }
            _ => {}
        }
        before = Some(ch);
        at += ch.len_utf8();
    }
    found
}

fn is_word(ch: char) -> bool {
    ch.is_alphanumeric() || ch == '_'
}

/// True if a mark between two characters may open formatting, and if it may close formatting.
fn roles(before: Option<char>, next: Option<char>) -> (bool, bool) {
    let is_solid = |ch: char| !ch.is_whitespace();
    let opens = !before.is_some_and(is_word) && next.is_some_and(is_solid);
    let closes = before.is_some_and(is_solid) && !next.is_some_and(is_word);
    (opens, closes)
}

/// True if a character reference begins a text.
fn is_reference(text: &str) -> bool {
    const LONGEST: usize = 40;
    let name = text[1..]
        .bytes()
        .take(LONGEST)
        .take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'#');
    let length = name.count();
    length > 1 && text[1 + length..].starts_with(';')
}

/// True if a text ends with the beginning of an address of mail, in front of its `@`.
fn is_address(text: &str) -> bool {
    let is_part = |ch: char| is_word(ch) || "&-.%+".contains(ch);
    let before = text.trim_end_matches(is_part);
    before.len() < text.len() && !before.ends_with(['/', ':', '>', '\\'])
}

/// The formatting that is open at a position of a line.
#[derive(Clone, Copy, Debug)]
pub struct Open {
    /// The text up to here was read.
    at: usize,
    /// The open marks, single and double, by their number in [`MARKS`].
    single: [bool; MARKS.len()],
    double: [bool; MARKS.len()],
}

/// Marks of formatting; the last one has a meaning only in the older mode.
const MARKS: [u8; 4] = [b'*', b'_', b'#', b'+'];

impl Open {
    pub fn new(at: usize) -> Self {
        Open {
            at,
            single: [false; MARKS.len()],
            double: [false; MARKS.len()],
        }
    }

    /// The position in front of which a URL ends, because there formatting closes that was opened before the URL.
    pub fn end(
        &mut self,
        text: &str,
        before: Range<usize>,
        end: usize,
        is_compat: bool,
    ) -> Option<usize> {
        let (begin, start) = (before.start, before.end);
        while self.at < start {
            self.at += self.step(text, begin, text.len()).0;
        }
        let own = &text[start..end];
        let word = text.as_bytes()[before].iter().rev().take(AROUND);
        let is_lowered = word
            .take_while(|byte| !byte.is_ascii_whitespace())
            .any(|byte| *byte == b'~');
        let script = own.find(|ch| ch == '^' || ch == '~' && is_lowered);
        let limit = script.map_or(end, |at| start + at);
        let mut ahead = Open { at: start, ..*self };
        while ahead.at < limit {
            let at = ahead.at;
            let (length, closed) = ahead.step(text, begin, limit);
            let is_known = |mark: usize| MARKS[mark] != b'+' || is_compat;
            let closes = |(mark, double): (usize, bool)| {
                let was = if double { self.double } else { self.single };
                was[mark] && is_known(mark)
            };
            if closed.is_some_and(closes) {
                return Some(at);
            }
            ahead.at = at + length;
        }
        (limit < end).then_some(limit)
    }

    /// Reads what stands at the cursor, up to `end`; returns its length, and the mark that it closes.
    fn step(&mut self, text: &str, begin: usize, end: usize) -> (usize, Option<(usize, bool)>) {
        let rest = &text.as_bytes()[self.at..end];
        let Some(found) = rest.iter().position(|byte| MARKS.contains(byte)) else {
            return (rest.len(), None);
        };
        if found > 0 {
            return (found, None);
        }
        let byte = text.as_bytes()[self.at];
        let mark = MARKS.iter().position(|own| *own == byte).unwrap_or(0);
        let rest = &text[self.at + 1..];
        if rest.as_bytes().first() == Some(&byte) {
            let closes = self.double[mark];
            self.double[mark] = !closes;
            return (2, closes.then_some((mark, true)));
        }
        let (opens, closes) = roles(
            text[begin..self.at].chars().next_back(),
            rest.chars().next(),
        );
        let closes = closes && self.single[mark];
        self.single[mark] = !closes && (opens || self.single[mark]);
        (1, closes.then_some((mark, false)))
    }
}
