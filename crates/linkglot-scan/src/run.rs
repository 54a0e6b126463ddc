//! Runs: the stretches of text that links depend on.
//!
//! The existence and the end of a link depend on its run alone: the stretch of bytes without ASCII white space around
//! it, or everything inside the angle brackets around it (RFC 3986 appendix C). Where line breaks are joined
//! ([`Breaks`]) the run is the paragraph.

pub(crate) mod around;

#[cfg(doc)]
use super::Breaks;
use super::{Decode, Scanner, disguised, line_ends};
use memchr::{memchr_iter, memchr2, memchr3_iter, memrchr2};
use std::ops::Range;

/// Greatest distance of a `>` behind its `<`, in bytes. The scanner reads 8 KiB of text there, and character
/// references are longer than the characters that they stand for.
const MAX_ENCLOSED: usize = 18 << 10;
/// White space that may stand between `<URL:` and a link, and the longest such opening.
const MAX_OPENING: usize = 40;
/// The longest reference to an angle bracket that is recognized: `&#x0000003c;`.
const MAX_REFERENCE: usize = 16;
/// The most white space and quote marks in front of a line's words.
const MAX_MARKS: usize = 128;
/// The most bytes at the end of a line that may tie the next line to it: `://`, or a hyphen.
const MAX_TIE: usize = 4;
/// Most moves of a break to the left, out of brackets that are glued to each other.
const MAX_MOVES: usize = 8;

/// A run and its links.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_scan::{Run, Scanner};
///
/// let runs = Scanner::default().runs(b"see (b.org).", &Charset::UTF_8, [5..10]);
/// assert_eq!(runs, [Run { bytes: 4..12, links: 0..1 }]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The bytes of the run in the window.
    pub bytes: Range<usize>,
    /// The numbers of the links in the run.
    pub links: Range<usize>,
}

impl Scanner {
    /// Number of bytes behind a position that [`last_break`](Self::last_break) reads.
    pub const LOOKAHEAD: usize = MAX_ENCLOSED;

    /// The runs of `links`, which are ordered and disjoint ranges of `window`. Runs are ordered and disjoint, too; each
    /// holds a link. Linear in the length of the runs.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    /// use linkglot_scan::Scanner;
    ///
    /// let text = "see http://a.example, (b.org;c.org) and <http://d.example/\ne>.";
    /// let scanner = Scanner::default();
    /// let links: Vec<_> = scanner.links(text).map(|hit| hit.span.start..hit.span.end).collect();
    /// let runs = scanner.runs(text.as_bytes(), &Charset::UTF_8, links);
    /// let runs: Vec<_> = runs.into_iter().map(|run| &text[run.bytes]).collect();
    /// assert_eq!(
    ///     runs,
    ///     ["http://a.example,", "(b.org;c.org)", "<http://d.example/\ne>."]
    /// );
    /// ```
    pub fn runs(
        &self,
        window: &[u8],
        decode: &dyn Decode,
        links: impl IntoIterator<Item = Range<usize>>,
    ) -> Vec<Run> {
        let text = Bytes { window, decode };
        let mut runs: Vec<Run> = Vec::new();
        // The end of the run before the last one.
        let mut floor = 0;
        for (number, link) in links.into_iter().enumerate() {
            let end = runs.last().map_or(0, |run| run.bytes.end);
            if link.start >= end {
                floor = end;
                runs.push(Run {
                    bytes: self.run_start(text, floor, link.start)..link.start,
                    links: number..number,
                });
            }
            let Some(run) = runs.last_mut() else { continue };
            run.links.end = number + 1;
            if link.end > run.bytes.end || link.is_empty() && link.end == run.bytes.end {
                run.bytes.end = self.run_end(text, link.end);
            }
            if let Some((open, close)) = text.brackets_around(floor, link.start) {
                let start = self.run_start(text, floor, open).min(run.bytes.start);
                run.bytes.start = text.quote_marks(floor, start);
                if close > run.bytes.end {
                    run.bytes.end = self.run_end(text, close);
                }
            }
        }
        runs
    }

    /// The last position in `range` behind white space that no run crosses; `None` if there is no such position.
    /// Positions behind line ends are preferred. [`LOOKAHEAD`](Self::LOOKAHEAD) bytes behind the range, or all bytes to
    /// the run's end, must be in the window.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    /// use linkglot_scan::Scanner;
    ///
    /// let text = b"see a.example and <http://b.example/ c>";
    /// let scanner = Scanner::default();
    /// // Not behind the space in the brackets.
    /// assert_eq!(scanner.last_break(text, &Charset::UTF_8, 0..38), Some(18));
    /// ```
    pub fn last_break(
        &self,
        window: &[u8],
        decode: &dyn Decode,
        range: Range<usize>,
    ) -> Option<usize> {
        let text = Bytes { window, decode };
        let mut limit = range.end;
        for _ in 0..MAX_MOVES {
            let at = self.white_space_before(text, range.start, limit)?;
            let tied = text.tied_word(range.start, at);
            match tied.or_else(|| text.enclosing_start(range.start, at)) {
                Some(before) => limit = before,
                None => return Some(at),
            }
        }
        None
    }

    fn joins(&self) -> bool {
        !self.breaks().is_empty()
    }

    fn run_start(&self, text: Bytes<'_>, floor: usize, at: usize) -> usize {
        let start = if self.joins() {
            text.paragraph_start(floor, at)
        } else {
            text.behind_white_space(floor, at)
        };
        start.unwrap_or(floor)
    }

    fn run_end(&self, text: Bytes<'_>, at: usize) -> usize {
        if self.joins() {
            text.paragraph_end(at)
        } else {
            text.word_end(at)
        }
    }

    /// The last position in `from + 1..=to` behind white space that no run crosses, brackets aside.
    fn white_space_before(&self, text: Bytes<'_>, from: usize, to: usize) -> Option<usize> {
        if self.joins() {
            return text.paragraph_start(from, to).filter(|&at| at > from);
        }
        let line = text.behind_line_end(from, to);
        line.or_else(|| text.behind_white_space(from, to))
    }
}

/// The bytes of a window of running text, and their decoder.
#[derive(Clone, Copy)]
struct Bytes<'w> {
    window: &'w [u8],
    decode: &'w dyn Decode,
}

impl<'w> Bytes<'w> {
    fn slice(self, range: Range<usize>) -> &'w [u8] {
        self.window.get(range).unwrap_or(&[])
    }

    /// The position behind the last white space in a range, apart from white space that ties two words.
    fn behind_white_space(self, from: usize, to: usize) -> Option<usize> {
        let mut limit = to;
        loop {
            let before = self.slice(from..limit);
            let at = from + before.iter().rposition(u8::is_ascii_whitespace)? + 1;
            match self.tied_word(from, at) {
                Some(line) => limit = line,
                None => return Some(at),
            }
        }
    }

    /// The end of the word at a position, and of the words that are tied to it.
    fn word_end(self, at: usize) -> usize {
        let mut next = at;
        loop {
            let rest = self.slice(next..self.window.len());
            let Some(len) = rest.iter().position(u8::is_ascii_whitespace) else {
                return self.window.len();
            };
            let end = next + len;
            let is_prefix = |byte: &&u8| byte.is_ascii_whitespace() || **byte == b'>';
            let word = end + rest[len..].iter().take_while(is_prefix).count();
            match self.tied_word(at, word) {
                Some(line) if line == end => next = word,
                _ => return end,
            }
        }
    }

    /// The end of the word in front of a word, if both are of one run: at a line end that ties lines, or in a disguised
    /// address.
    #[inline]
    fn tied_word(self, from: usize, word: usize) -> Option<usize> {
        let end = word
            .checked_sub(1)
            .filter(|&end| self.window.get(end) == Some(&b' '));
        if let Some(end) = end {
            let last = end.checked_sub(1).and_then(|at| self.window.get(at));
            let last = last.copied().unwrap_or(b' ');
            let next = self.window.get(word).copied().unwrap_or(b' ');
            if disguised::may_tie(last, next) && disguised::ties(self.window, word) {
                return Some(end).filter(|&end| end >= from);
            }
            // Only white space and quote marks stand between a line end and a word.
            if last > b' ' && last != b'>' {
                return None;
            }
        }
        self.tied_line(from, word)
    }

    /// The end of the line in front of a word, if it ties the word to its own last one.
    #[inline(never)]
    fn tied_line(self, from: usize, word: usize) -> Option<usize> {
        let line = line_ends::line_before(self.window, word).filter(|&line| line >= from)?;
        let end = line.saturating_sub(MAX_TIE)..line;
        let ties = line_ends::start_of_tear(self.slice(end.clone())).is_some()
            && line_ends::ties(self.decode.decode(self.slice(end)).text());
        ties.then_some(line)
    }

    /// The position behind the last line end in a range. CR LF is one line end.
    fn behind_line_end(self, from: usize, to: usize) -> Option<usize> {
        let mut limit = to;
        loop {
            let at = from + memrchr2(b'\n', b'\r', self.slice(from..limit))?;
            match self.slice(at..at + 2) {
                b"\r\n" => limit = at,
                _ => return Some(at + 1),
            }
        }
    }

    /// The start of the first line behind the last blank line in a range.
    fn paragraph_start(self, from: usize, to: usize) -> Option<usize> {
        let mut line = self.behind_line_end(from, to)?;
        while let Some(before) = self.behind_line_end(from, line - 1) {
            if self.is_blank(before..line) {
                return Some(line);
            }
            line = before;
        }
        None
    }

    /// The end of the last line in front of a blank line, or the end of the window.
    fn paragraph_end(self, from: usize) -> usize {
        let mut at = from;
        while let Some(end) = memchr2(b'\n', b'\r', self.slice(at..self.window.len())) {
            let end = at + end;
            let next = match self.slice(end..end + 2) {
                b"\r\n" => end + 2,
                _ => end + 1,
            };
            let rest = self.slice(next..self.window.len());
            let line = memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
            if self.is_blank(next..next + line) {
                return end;
            }
            at = next;
        }
        self.window.len()
    }

    /// True if a line holds nothing but white space and the marks of quotations.
    fn is_blank(self, line: Range<usize>) -> bool {
        let is_mark = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'>';
        self.slice(line).iter().all(is_mark)
    }

    /// The start of the quote marks in front of a word, if nothing else stands before the word in its line.
    fn quote_marks(self, floor: usize, word: usize) -> usize {
        let from = word.saturating_sub(MAX_MARKS).max(floor);
        match self.behind_line_end(from, word) {
            Some(line) if self.is_blank(line..word) => line,
            None if from == floor && self.is_blank(from..word) => from,
            _ => word,
        }
    }

    /// The angle brackets that open right in front of a link, or with `<URL:`, and close.
    fn brackets_around(self, floor: usize, link: usize) -> Option<(usize, usize)> {
        let open = self.opening(floor, link)?;
        let close = self.closing(link..self.window.len().min(link + MAX_ENCLOSED))?;
        Some((open, close))
    }

    /// The first `>` in a range that is no quote mark; else the last quote mark, which may also close.
    fn closing(self, range: Range<usize>) -> Option<usize> {
        let mut mark = None;
        for (at, bracket) in self.brackets(range) {
            match bracket {
                '>' if self.is_quote_mark(at) => mark = Some(at),
                '>' => return Some(at),
                _ => {}
            }
        }
        mark
    }

    /// True if a `>` stands among the marks of a quotation at the start of its line.
    fn is_quote_mark(self, at: usize) -> bool {
        let before = self.slice(at.saturating_sub(MAX_MARKS)..at);
        let outer = before
            .iter()
            .rev()
            .find(|byte| !matches!(byte, b' ' | b'\t' | b'>'));
        matches!(outer, Some(b'\n' | b'\r'))
    }

    fn opening(self, floor: usize, link: usize) -> Option<usize> {
        let from = link.saturating_sub(MAX_OPENING).max(floor);
        let before = self.slice(from..link);
        let may_open = |byte: &u8| matches!(byte, b'<' | b';' | b':') || byte.is_ascii_whitespace();
        before.last().filter(|byte| may_open(byte))?;
        let (at, _) = self
            .brackets(from..link)
            .last()
            .filter(|(_, bracket)| *bracket == '<')?;
        let behind = self.slice(at..link).trim_ascii_end();
        let is_url = |name: &[u8]| name.eq_ignore_ascii_case(b"URL:");
        let is_open = matches!(behind.last(), Some(b'<' | b';'))
            || behind.last_chunk::<4>().is_some_and(|name| is_url(name));
        is_open.then_some(at)
    }

    /// The position of the first bracket in front of `at` that closes behind `at`.
    fn enclosing_start(self, floor: usize, at: usize) -> Option<usize> {
        let ahead = at..self.window.len().min(at + MAX_ENCLOSED);
        let close = self.closing(ahead)?;
        let from = close.saturating_sub(MAX_ENCLOSED).max(floor);
        let mut open = None;
        for (at, bracket) in self.brackets(from..at) {
            open = match bracket {
                '>' if !self.is_quote_mark(at) => None,
                '>' => open,
                _ => open.or(Some(at)),
            };
        }
        open
    }

    /// The positions of the angle brackets in a range, including those written as references.
    fn brackets(self, range: Range<usize>) -> impl Iterator<Item = (usize, char)> + 'w {
        let bytes = self.slice(range.clone());
        let start = range.start;
        let plain = |byte| match byte {
            b'<' => Some('<'),
            b'>' => Some('>'),
            _ => None,
        };
        // Without references, a repeated byte instead of `&`.
        let third = if self.decode.has_references() {
            b'&'
        } else {
            b'>'
        };
        memchr3_iter(b'<', b'>', third, bytes).filter_map(move |at| {
            let bracket = plain(bytes[at]).or_else(|| self.reference(&bytes[at..]));
            bracket.map(|bracket| (start + at, bracket))
        })
    }

    /// The angle bracket of a reference at the start of the bytes.
    fn reference(self, bytes: &[u8]) -> Option<char> {
        if !matches!(bytes.get(1), Some(b'l' | b'L' | b'g' | b'G' | b'#')) {
            return None;
        }
        let bytes = &bytes[..bytes.len().min(MAX_REFERENCE)];
        let end = memchr_iter(b';', bytes)
            .next()
            .map_or(bytes.len(), |at| at + 1);
        let decoded = self.decode.decode(&bytes[..end]);
        let first = decoded.text().chars().next();
        first.filter(|ch| matches!(ch, '<' | '>'))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Breaks;
    use super::*;
    use linkglot_charset::Charset;

    /// The runs of the words `Z` of a text, in bars.
    fn marked(text: &str, breaks: Breaks) -> String {
        let scanner = Scanner::default().join(breaks);
        let links = text.match_indices('Z').map(|(at, _)| at..at + 1);
        let mut marked = text.to_owned();
        for run in scanner
            .runs(text.as_bytes(), &Charset::UTF_8, links)
            .iter()
            .rev()
        {
            marked.insert(run.bytes.end, '|');
            marked.insert(run.bytes.start, '|');
        }
        marked
    }

    #[test]
    fn runs_end_at_white_space() {
        for case in [
            "a |Z| b",
            "|Z|",
            "a |(Z,x;Z)| b |Z|\n|Z|\t|Z|",
            "> |a<Z| b |Z|",
            "a |<Z b>c| d",
            "a |<Z\n> b Z>c| d |Z|",
            "> x |<Z b>|",
            "x\n|> <Z\n> b>|",
            "|<URL: Z b>|",
            "<a |Z>|",
            "look at |Z| |(b at Z| x",
            "x |(Z at Z)| b |<b AT Z>|",
            "x |From Z at Z| b\n|From: b at Z| (c)",
            "x |[at] Z| b",
        ] {
            assert_eq!(marked(&case.replace('|', ""), Breaks::NONE), case);
        }
    }

    #[test]
    fn paragraphs_are_runs_where_lines_are_joined() {
        for case in [
            "a b\n\n|c Z\nd|\n\ne",
            "a\r\n> \r\n|> c Z\r\n> d|\r\n>\r\ne",
            "|a Z b|",
        ] {
            assert_eq!(marked(&case.replace('|', ""), Breaks::FLOWED), case);
        }
    }

    #[test]
    fn no_run_goes_over_a_break() {
        let scanner = Scanner::default();
        let last =
            |text: &str, limit| scanner.last_break(text.as_bytes(), &Charset::UTF_8, 0..limit);
        assert_eq!(last("a b c", 4), Some(4));
        assert_eq!(last("a\nb c", 4), Some(2));
        assert_eq!(last("a\r\nb", 2), Some(2));
        assert_eq!(last("a\r\nb", 3), Some(3));
        assert_eq!(last("abc", 3), None);
        assert_eq!(last("a <b c d> e", 8), Some(2));
        assert_eq!(last("a <b c d e", 8), Some(7));
        assert_eq!(last("a <b c>d<e f> g", 12), Some(2));
        assert_eq!(last("a (b at c) d", 10), Some(2));
        assert_eq!(last("a From b at c", 13), Some(2));
        assert_eq!(last("a b at c", 8), Some(7));
        let joining = Scanner::default().join(Breaks::WRAPPED);
        let paragraph =
            |text: &str| joining.last_break(text.as_bytes(), &Charset::UTF_8, 0..text.len());
        assert_eq!(paragraph("a\n\nb\nc"), Some(3));
        assert_eq!(paragraph("a\nb\nc"), None);
    }
}
