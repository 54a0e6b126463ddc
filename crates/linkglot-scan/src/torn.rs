//! Links that a line end tears in two: nothing without a scheme is a link there, and a scheme at the end of a line
//! belongs to the host in the next.

use super::find::{Finder, Found, Link};
use super::line_ends::{is_hyphenation, is_line_end, is_tear, is_typographic, line_before};
use super::{Breaks, Kind, Profile, lists};

/// The most marks between a link and a hyphen.
const MAX_MARKS: usize = 4;

impl Finder<'_, '_> {
    /// A link, unless a line end tears it: then nothing without a scheme is one. A scheme in the line in front makes a
    /// host no surer a link than it is alone.
    pub(super) fn untorn(&self, link: Link) -> Found {
        if self.scanner.profile() != Profile::Extended || link.kind == Kind::Absolute {
            return Found::Link(link);
        }
        let line = line_before(self.text.str().as_bytes(), link.start);
        if let Some(scheme) = line.and_then(|line| self.scheme_at_end(line))
            && link.kind == Kind::Domain
        {
            return Found::Link(Link {
                start: scheme,
                kind: Kind::Absolute,
                spaced: true,
                ..link
            });
        }
        let is_behind = line.is_some_and(|line| self.is_tear_before(line, link.start));
        let is_joined =
            || self.text.byte(link.end) == b'\\' && is_line_end(self.text.byte(link.end + 1));
        if is_behind || self.is_at_hyphen(link.end) || is_joined() {
            return Found::Skip(link.floor);
        }
        Found::Link(link)
    }

    /// True if a link that ends here ends in or in front of a hyphen at the end of a line.
    fn is_at_hyphen(&self, end: usize) -> bool {
        let text = self.text;
        let ch = text.char(end);
        let is_inside = || text.before(end) == Some('-') && is_line_end(text.byte(end));
        let is_behind =
            || (ch == '-' || is_typographic(ch)) && is_line_end(text.byte(end + ch.len_utf8()));
        is_inside() || is_behind()
    }

    /// True if a link that ends here may go on behind a hyphen. Marks may stand in front of a hyphen of typography
    /// (`/man.‐`), and blanks or the end of the text behind it.
    pub(super) fn is_hyphenated(&self, end: usize) -> bool {
        let text = self.text;
        let is_mark =
            |at: &usize| matches!(text.byte(*at), b'.' | b',' | b':' | b';' | b'?' | b'!');
        let hyphen = || end + (end..end + MAX_MARKS).take_while(is_mark).count();
        let is_hyphenation = |at| is_hyphenation(text, at, text.char(at));
        self.is_at_hyphen(end) || is_hyphenation(hyphen())
    }

    /// True if the hyphen of a word ends here, or a backslash that joins the next line to the word: then nothing but
    /// the line end stands in front of `next`.
    fn is_tear_before(&self, end: usize, next: usize) -> bool {
        let is_word = |tear: char| {
            let letter = self.text.before(end - tear.len_utf8());
            letter.is_some_and(char::is_alphanumeric)
        };
        let joins = |tear| tear != '\\' || is_line_end(self.text.byte_before(next));
        self.text
            .before(end)
            .is_some_and(|ch| is_tear(ch) && is_word(ch) && joins(ch))
    }

    /// The start of a usual scheme with `://` that ends here. In format=flowed such a line end is no wrap.
    fn scheme_at_end(&self, end: usize) -> Option<usize> {
        let is_flowed = self.scanner.breaks().contains(Breaks::FLOWED);
        if is_flowed || !self.text.ends(end, self.floor, "://") {
            return None;
        }
        let colon = end - 3;
        let start = self.scheme_start(self.scheme_run(colon)?, colon)?;
        lists::is_common_scheme(self.text.slice(start, colon)).then_some(start)
    }
}
