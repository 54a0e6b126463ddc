//! Marks of emphasis that light markup sets around more than a link: `*see http://example.org/é*`, `_http://example.org/é is good_`.
//! Those right in front of a link are judged where the link is read.

use super::classes::GLUE;
use super::find::Finder;
use super::marks;
use super::text::Text;

/// How many bytes of a line in front of a link, and how many characters behind it, other marks are looked for.
const MAX_LINE: usize = 512;
/// No emphasis has more marks on one side; longer runs are lines and borders.
const MAX_MARKS: usize = 4;

/// How many of the marks at the end of a link that begins at `start` and would end at `end` close what opened in front of it
/// in its line.
pub(super) fn closing(text: &Text<'_>, start: usize, end: usize) -> usize {
    let mark = text.byte_before(end);
    if !matches!(mark, b'*' | b'_' | b'~' | b'=') || goes_on(text, end) {
        return 0;
    }
    let run =
        (0..MAX_MARKS).take_while(|at| end > start + at && text.byte_before(end - at) == mark);
    let run = run.count();
    // What a quote or a bracket opens right in front of the link is closed behind it.
    let is_inside = text.before(start).is_some_and(opens_inside);
    if is_inside || run < fewest(mark) {
        return 0;
    }
    let opened = run.min(opened(text, start, mark));
    if opened < fewest(mark) { 0 } else { opened }
}

/// Whether a word goes on behind a mark: those of scripts without spaces may be glued to it.
fn goes_on(text: &Text<'_>, at: usize) -> bool {
    let ch = text.char(at);
    ch.is_alphanumeric() && !text.is(ch, GLUE)
}

/// How many marks of a kind are open in front of a position in its line, behind whatever may be another link there: what
/// stands in that, and how long it is, is another after rewriting.
fn opened(text: &Text<'_>, at: usize, mark: u8) -> usize {
    let line = text.line_before(at, MAX_LINE);
    let line = line.get(behind_links(line)..).unwrap_or("");
    let (mut open, mut before, mut i) = (0_usize, None, 0);
    while let Some(ch) = line.get(i..).and_then(|rest| rest.chars().next()) {
        if ch != char::from(mark) {
            before = Some(ch);
            i += ch.len_utf8();
            continue;
        }
        let run = line.bytes().skip(i).take_while(|&b| b == mark).count();
        i += run;
        let next = line.get(i..).and_then(|rest| rest.chars().next());
        if !(fewest(mark)..=MAX_MARKS).contains(&run) {
            // A rule, a border, or a sign of its own.
        } else if before.is_none_or(may_precede) && next.is_none_or(may_follow) {
            open += run;
        } else if !before.is_none_or(char::is_whitespace)
            && !next.is_some_and(char::is_alphanumeric)
        {
            open = open.saturating_sub(run);
        }
        before = Some(ch);
    }
    open
}

/// Where the words of a text begin that are surely part of no link.
fn behind_links(text: &str) -> usize {
    let mut following = [None; 2];
    for (at, ch) in text.char_indices().rev() {
        if is_in_link(ch, following) {
            let rest = text.get(at..).unwrap_or("");
            return at + rest.find(char::is_whitespace).unwrap_or(rest.len());
        }
        following = [Some(ch), following[0]];
    }
    0
}

/// Whether a character may be one that every link has: a colon in front of anything, `@`, or a dot in front of a name.
fn is_in_link(ch: char, [next, second]: [Option<char>; 2]) -> bool {
    let is_name =
        || next.is_some_and(char::is_alphanumeric) && second.is_some_and(char::is_alphanumeric);
    match ch {
        '@' => true,
        ':' => next.is_some_and(|next| !next.is_whitespace()),
        _ => marks::DOTS.contains(&ch) && is_name(),
    }
}

/// Whether a character may be one that every link has: what stands behind that, and how long it is, is another after rewriting.
pub(super) fn may_be_link(text: &Text<'_>, at: usize) -> bool {
    let behind = at + text.char(at).len_utf8();
    let next = text.char(behind);
    let second = text.char(behind + next.len_utf8());
    is_in_link(
        text.char(at),
        [next, second].map(|ch| (ch != '\0').then_some(ch)),
    )
}

/// With how many marks of a kind emphasis begins at least.
fn fewest(mark: u8) -> usize {
    if matches!(mark, b'~' | b'=') { 2 } else { 1 }
}

/// Whether emphasis may open behind a character.
fn may_precede(ch: char) -> bool {
    ch.is_whitespace() || opens_inside(ch) || "*_~=>|".contains(ch)
}

/// Whether emphasis may begin with a character; nothing stands for the link.
fn may_follow(ch: char) -> bool {
    ch.is_alphanumeric() || opens_inside(ch) || "*_~".contains(ch)
}

/// Opening brackets and quotes.
pub(super) fn opens_inside(ch: char) -> bool {
    "([{<\"'`«“„‘‚‹（「『【《〈".contains(ch)
}

impl Finder<'_, '_> {
    /// Whether the underscores right in front of a link that ends at `end` are emphasis that ends behind it, in the same line.
    pub(super) fn is_emphasized(&self, start: usize, end: usize) -> bool {
        let text = self.text;
        let mut open = start;
        while start - open <= MAX_MARKS && open > self.floor && text.byte_before(open) == b'_' {
            open -= 1;
        }
        let run = start - open;
        let begins = open == self.floor || text.before(open).is_none_or(may_precede);
        (1..=MAX_MARKS).contains(&run) && begins && self.is_closed_behind(end)
    }

    /// Whether underscores that opened in front of a position are closed behind it, in the same line and in front of whatever
    /// may be another link.
    fn is_closed_behind(&self, at: usize) -> bool {
        let text = self.text;
        let (mut i, mut open, mut before) = (at, 0_usize, text.before(at));
        for _ in 0..MAX_LINE {
            let ch = text.char(i);
            if matches!(ch, '\0' | '\n' | '\r') {
                return false;
            }
            let behind = i + ch.len_utf8();
            let next = text.char(behind);
            if may_be_link(text, i) {
                return false;
            }
            if ch == '_' && next != '_' {
                let is_end = !before.is_none_or(char::is_whitespace) && !goes_on(text, behind);
                match open {
                    0 if is_end => return true,
                    _ if is_end => open -= 1,
                    _ if before.is_none_or(may_precede) => open += 1,
                    _ => {}
                }
            }
            if ch != '_' {
                before = Some(ch);
            }
            i = behind;
        }
        false
    }

    /// Whether one `=` stands in front of a name and another one behind it, and no words beside these: verbatim text of Org.
    pub(super) fn is_verbatim_word(&self, start: usize, end: usize) -> bool {
        let text = self.text;
        let open = start.saturating_sub(1);
        let opens = open >= self.floor && text.byte_before(start) == b'=';
        opens && text.before(open).is_none_or(may_precede) && {
            let next = text.char(end + 1);
            text.byte(end) == b'=' && !next.is_alphanumeric() && !"=/_%&#+-".contains(next)
        }
    }

    /// Whether the marks behind a host without a path close what opened in front of it.
    pub(super) fn closes_emphasis(&self, start: usize, end: usize) -> bool {
        let mark = self.text.byte(end);
        let run = (0..MAX_MARKS).take_while(|at| self.text.byte(end + at) == mark);
        let run = end + run.count();
        run > end && closing(self.text, start, run) > 0
    }
}
