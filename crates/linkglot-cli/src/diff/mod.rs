//! Unified diffs of documents before and after rewriting.
//!
//! Both documents are read once, side by side, in bounded memory and linear time. That suffices because rewriting
//! changes characters inside lines, and hardly ever the number of lines.

mod cut;
mod footer;
mod header;
mod hunk;
mod lines;
mod parts;
mod pipe;
mod stream;

pub use footer::{Next, footer};
pub use stream::{Context, of_large_file};

use super::args::DiffForm;
use super::output::Styles;
use hunk::Hunk;
use lines::{Line, Lines};
use linkglot::Charset;
use std::collections::VecDeque;
use std::io::{self, IsTerminal, Read, Write};
use std::path::Path;

/// Equal lines shown before and after a change.
const CONTEXT: usize = 3;

/// Number of lines that the search for the end of a change looks ahead.
const LOOKAHEAD: usize = 8;

/// Maximal length of a hunk of a text diff; a longer one ends before the next change, so that the reader sees it soon.
/// Raw diffs have longer hunks: git and `patch` accept no hunk that ends within changes.
const MAX_HUNK_LINES: usize = 400;

/// Columns of a line on a terminal by default.
const TERMINAL_COLUMNS: usize = 200;

/// The old and the new document.
pub type Sides<'r> = (&'r mut dyn Read, &'r mut dyn Read);

/// The look of a diff.
#[derive(Clone, Copy)]
pub struct Layout {
    pub form: DiffForm,
    /// Maximal columns of a line; longer lines are cut.
    pub columns: Option<usize>,
    pub styles: Styles,
}

impl Layout {
    /// The layout for standard output. `columns`: the user's choice; 0 is no limit.
    pub fn for_stdout(form: DiffForm, columns: Option<usize>, styles: Styles) -> Self {
        let on_terminal = || io::stdout().is_terminal().then_some(TERMINAL_COLUMNS);
        match form {
            DiffForm::Raw => Layout {
                form,
                columns: None,
                styles: Styles::default(),
            },
            DiffForm::Text => Layout {
                form,
                columns: columns.or_else(on_terminal).filter(|&columns| columns > 0),
                styles,
            },
        }
    }

    fn lines(self, reader: &mut dyn Read, charset: Charset, has_mark: bool) -> Lines<'_> {
        match self.form {
            DiffForm::Raw => Lines::raw(reader),
            DiffForm::Text if has_mark => Lines::new(reader, charset),
            DiffForm::Text => Lines::without_mark(reader, charset),
        }
    }
}

/// Writes the unified diff of two documents, and flushes it hunk by hunk. A text diff is in Unicode and names the
/// charsets if they differ; a raw diff has the bytes of the documents.
pub fn write(
    out: &mut dyn Write,
    path: &Path,
    (old_charset, new_charset): (Charset, Charset),
    (old, new): Sides<'_>,
    layout: Layout,
) -> io::Result<()> {
    let is_same = old_charset == new_charset;
    if !is_same && layout.form == DiffForm::Text {
        out.write_all(&header::charsets(path, (old_charset, new_charset), layout))?;
    }
    // Byte order marks come and go with charsets.
    let mut differ = Differ {
        old: Side::new(layout.lines(old, old_charset, is_same)),
        new: Side::new(layout.lines(new, new_charset, is_same)),
        hunk: None,
        context: VecDeque::new(),
        out,
        path,
        layout,
        has_header: false,
    };
    while differ.step()? {}
    differ.end_hunk()
}

/// A side of the diff: the old or the new document.
struct Side<'r> {
    lines: Lines<'r>,
    /// Lines read ahead.
    ahead: VecDeque<Line>,
    /// Number of lines taken.
    taken: u64,
}

impl<'r> Side<'r> {
    fn new(lines: Lines<'r>) -> Self {
        Side {
            lines,
            ahead: VecDeque::new(),
            taken: 0,
        }
    }

    /// Reads ahead until `count` lines, or all that remain, are in [`ahead`](Side::ahead).
    fn fill(&mut self, count: usize) -> io::Result<()> {
        while self.ahead.len() < count {
            match self.lines.next()? {
                Some(line) => self.ahead.push_back(line),
                None => break,
            }
        }
        Ok(())
    }

    fn take(&mut self) -> Option<Line> {
        let line = self.ahead.pop_front();
        self.taken += u64::from(line.is_some());
        line
    }

    fn take_all(&mut self, count: usize) -> Vec<Line> {
        (0..count).filter_map(|_| self.take()).collect()
    }
}

struct Differ<'d> {
    old: Side<'d>,
    new: Side<'d>,
    hunk: Option<Hunk>,
    /// The last equal lines. The next hunk may begin with them.
    context: VecDeque<Line>,
    out: &'d mut dyn Write,
    path: &'d Path,
    layout: Layout,
    has_header: bool,
}

impl Differ<'_> {
    /// Takes one equal line, or one change. False at the end.
    fn step(&mut self) -> io::Result<bool> {
        self.old.fill(1)?;
        self.new.fill(1)?;
        match (self.old.ahead.front(), self.new.ahead.front()) {
            (None, None) => return Ok(false),
            (Some(old), Some(new)) if old == new => self.take_equal()?,
            _ => self.take_change()?,
        }
        Ok(true)
    }

    fn take_equal(&mut self) -> io::Result<()> {
        self.new.take();
        let Some(line) = self.old.take() else {
            return Ok(());
        };
        match &mut self.hunk {
            None => self.keep_context(line),
            Some(hunk) => {
                hunk.equal.push(line);
                if hunk.equal.len() > 2 * CONTEXT {
                    self.end_hunk()?;
                }
            }
        }
        Ok(())
    }

    fn keep_context(&mut self, line: Line) {
        self.context.push_back(line);
        if self.context.len() > CONTEXT {
            self.context.pop_front();
        }
    }

    fn take_change(&mut self) -> io::Result<()> {
        let length = self.hunk.as_ref().map_or(0, Hunk::len);
        if length > MAX_HUNK_LINES && self.layout.form == DiffForm::Text {
            self.end_hunk()?;
        }
        let (removed, added) = self.measure_change()?;
        let mut hunk = self.hunk.take().unwrap_or_else(|| self.new_hunk());
        let equal = hunk.equal.drain(..).chain(self.context.drain(..));
        let equal: Vec<Line> = equal.collect();
        hunk.push_equal(&equal)?;
        hunk.push_change(&self.old.take_all(removed), &self.new.take_all(added))?;
        self.hunk = Some(hunk);
        Ok(())
    }

    fn new_hunk(&self) -> Hunk {
        let context = self.context.len() as u64;
        let before = (self.old.taken - context, self.new.taken - context);
        Hunk::new(before, self.layout)
    }

    /// Number of lines of each side that belong to the change: the lines before the nearest equal lines, if possible as
    /// many on one side as on the other.
    fn measure_change(&mut self) -> io::Result<(usize, usize)> {
        for size in 1..=LOOKAHEAD {
            self.old.fill(size + 1)?;
            self.new.fill(size + 1)?;
            let smaller = (0..size).rev();
            let candidates = std::iter::once((size, size))
                .chain(smaller.clone().map(|small| (size, small)))
                .chain(smaller.map(|small| (small, size)));
            for (removed, added) in candidates {
                let (old, new) = (self.old.ahead.get(removed), self.new.ahead.get(added));
                let possible = removed <= self.old.ahead.len() && added <= self.new.ahead.len();
                if possible && old == new {
                    return Ok((removed, added));
                }
            }
        }
        Ok((1, 1))
    }

    /// Prints the hunk. It needs a few of the equal lines at its end; the others may begin the next hunk.
    fn end_hunk(&mut self) -> io::Result<()> {
        let Some(mut hunk) = self.hunk.take() else {
            return Ok(());
        };
        let rest = hunk.equal.split_off(hunk.equal.len().min(CONTEXT));
        let equal = std::mem::take(&mut hunk.equal);
        hunk.push_equal(&equal)?;
        rest.into_iter().for_each(|line| self.keep_context(line));
        if !std::mem::replace(&mut self.has_header, true) {
            self.out.write_all(&header::names(self.path, self.layout))?;
        }
        hunk.print(self.out)?;
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Controls;

    fn diff(old: &str, new: &str) -> String {
        diff_in(old, new, None, Styles::default())
    }

    fn diff_in(old: &str, new: &str, columns: Option<usize>, styles: Styles) -> String {
        let mut out = Vec::new();
        let sides: (&mut dyn Read, &mut dyn Read) = (&mut old.as_bytes(), &mut new.as_bytes());
        let charsets = (Charset::UTF_8, Charset::UTF_8);
        let layout = Layout {
            form: DiffForm::Text,
            columns,
            styles,
        };
        write(&mut out, Path::new("p"), charsets, sides, layout).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn equal_documents_have_no_diff() {
        assert_eq!(diff("a\nb", "a\nb"), "");
    }

    #[test]
    fn one_line() {
        let expected = "--- p\n+++ p\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n";
        assert_eq!(diff("a\nb\nc\n", "a\nB\nc\n"), expected);
        assert_eq!(diff("b\n", "B\n"), "--- p\n+++ p\n@@ -1 +1 @@\n-b\n+B\n");
    }

    /// Control characters are escaped on a terminal only.
    #[test]
    fn control_characters() {
        let styles = Styles {
            controls: Controls::Escaped,
            ..Styles::default()
        };
        let shown = diff_in("\x1B[2Ja\r\n", "\x1B[2Jb\r\n", None, styles);
        assert!(
            shown.ends_with("\n-\\u{1b}[2Ja\r\n+\\u{1b}[2Jb\r\n"),
            "{shown:?}"
        );
        let shown = diff_in("x\ra\r\n", "x\rb\r\n", Some(80), styles);
        assert!(shown.ends_with("\n-x\\u{d}a\r\n+x\\u{d}b\r\n"), "{shown:?}");
        let shown = diff_in("\u{202E}a\u{E0041}\n", "\u{202E}b\n", Some(80), styles);
        assert!(
            shown.ends_with("\n-\\u{202e}a\\u{e0041}\n+\\u{202e}b\n"),
            "{shown:?}"
        );
        let raw = diff("\x1B[2Ja\n", "\x1B[2Jb\n");
        assert!(raw.ends_with("\n-\x1B[2Ja\n+\x1B[2Jb\n"), "{raw:?}");
    }

    #[test]
    fn distant_changes_are_separate_hunks() {
        let old: String = (0..30).map(|line| format!("{line}\n")).collect();
        let new = old
            .replace("\n5\n", "\nfive\n")
            .replace("\n21\n", "\nXXI\n");
        let found = diff(&old, &new);
        assert_eq!(found.matches("@@ -").count(), 2, "{found}");
        assert!(
            found.contains("@@ -19,7 +19,7 @@\n 18\n 19\n 20\n-21\n+XXI\n 22\n"),
            "{found}"
        );
    }

    #[test]
    fn a_removed_line_end() {
        let expected = "--- p\n+++ p\n@@ -1,4 +1,3 @@\n a\n-b\n-c\n+bc\n d\n";
        assert_eq!(diff("a\nb\nc\nd\n", "a\nbc\nd\n"), expected);
    }

    #[test]
    fn a_last_line_without_end() {
        let expected = "--- p\n+++ p\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n";
        assert_eq!(diff("a", "b"), expected);
    }

    /// Applies a diff.
    fn patched(old: &str, diff: &str) -> String {
        let mut rest = old.split_inclusive('\n');
        let mut new = String::new();
        let mut at = 0;
        for line in diff.split_terminator('\n').skip(2) {
            if let Some(hunk) = line.strip_prefix("@@ -") {
                let start: usize = hunk.split([',', ' ']).next().unwrap().parse().unwrap();
                while at + 1 < start {
                    new += rest.next().unwrap();
                    at += 1;
                }
                continue;
            }
            match line.split_at(1) {
                ("+", added) => new += &format!("{added}\n"),
                (sign, text) => {
                    assert_eq!(rest.next(), Some(format!("{text}\n").as_str()));
                    at += 1;
                    if sign == " " {
                        new += &format!("{text}\n");
                    }
                }
            }
        }
        new.extend(rest);
        new
    }

    proptest::proptest! {
        #[test]
        fn a_diff_leads_from_old_to_new(
            old in "([ab]\r?\n|\ra\n){0,40}",
            new in "([abc]\r?\n|\ra\n){0,40}",
        ) {
            let diff = diff(&old, &new);
            proptest::prop_assert_eq!(patched(&old, &diff), new, "{}", diff);
        }
    }
}
