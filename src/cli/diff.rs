//! Unified diffs of documents before and after rewriting.
//!
//! Both documents are read once, side by side, in bounded memory and linear time. That suffices because rewriting
//! changes characters inside lines, and hardly ever the number of lines.

use super::lines::{End, Line, Lines};
use super::output::{Controls, Styles, path_bytes, push_styled};
use linkglot::charset::Charset;
use linkglot::driver::escape_controls;
use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::path::Path;

/// Equal lines shown before and after a change.
const CONTEXT: usize = 3;

/// How many lines the search for the end of a change looks ahead.
const LOOKAHEAD: usize = 8;

/// A longer hunk is ended before the next change.
const MAX_HUNK_LINES: usize = 400;

/// The old and the new document.
pub type Sides<'r> = (&'r mut dyn Read, &'r mut dyn Read);

/// Writes the unified diff of two documents, and their charsets if these differ. The diff is in Unicode.
pub fn write(
    out: &mut dyn Write,
    path: &Path,
    (old_charset, new_charset): (Charset, Charset),
    (old, new): Sides<'_>,
    styles: Styles,
) -> io::Result<()> {
    let is_same = old_charset == new_charset;
    if !is_same {
        let mut line = path_bytes(path).to_vec();
        let charsets = format!(": {} -> {}", old_charset.name(), new_charset.name());
        line.extend_from_slice(charsets.as_bytes());
        let mut text = Vec::new();
        push_styled(&mut text, styles.header, &escape_controls(&line));
        text.push(b'\n');
        out.write_all(&text)?;
    }
    let lines = |reader, charset| match is_same {
        true => Lines::new(reader, charset),
        // Marks come and go with charsets.
        false => Lines::without_mark(reader, charset),
    };
    let mut differ = Differ {
        old: Side::new(lines(old, old_charset)),
        new: Side::new(lines(new, new_charset)),
        hunk: Hunk::default(),
        context: VecDeque::new(),
        out,
        path,
        styles,
        has_header: false,
    };
    while differ.step()? {}
    differ.end_hunk()
}

/// One of the two documents.
struct Side<'r> {
    lines: Lines<'r>,
    /// Lines that were read ahead.
    ahead: VecDeque<Line>,
    /// How many lines were taken.
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
}

#[derive(Default)]
struct Hunk {
    lines: Vec<(Mark, Line)>,
    /// How many lines of each side come before it.
    old_start: u64,
    new_start: u64,
    /// How many equal lines are at its end.
    equal_at_end: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Equal,
    Removed,
    Added,
}

struct Differ<'d> {
    old: Side<'d>,
    new: Side<'d>,
    hunk: Hunk,
    /// The last equal lines, with which the next hunk may begin.
    context: VecDeque<Line>,
    out: &'d mut dyn Write,
    path: &'d Path,
    styles: Styles,
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
        if self.hunk.lines.is_empty() {
            self.context.push_back(line);
            if self.context.len() > CONTEXT {
                self.context.pop_front();
            }
            return Ok(());
        }
        self.hunk.lines.push((Mark::Equal, line));
        self.hunk.equal_at_end += 1;
        if self.hunk.equal_at_end > 2 * CONTEXT {
            self.end_hunk()?;
        }
        Ok(())
    }

    fn take_change(&mut self) -> io::Result<()> {
        if self.hunk.lines.len() > MAX_HUNK_LINES {
            self.end_hunk()?;
        }
        self.begin_hunk();
        let (removed, added) = self.measure_change()?;
        for _ in 0..removed {
            let line = self.old.take();
            self.hunk
                .lines
                .extend(line.map(|line| (Mark::Removed, line)));
        }
        for _ in 0..added {
            let line = self.new.take();
            self.hunk.lines.extend(line.map(|line| (Mark::Added, line)));
        }
        self.hunk.equal_at_end = 0;
        Ok(())
    }

    fn begin_hunk(&mut self) {
        if !self.hunk.lines.is_empty() {
            return;
        }
        let context = self.context.len() as u64;
        self.hunk.old_start = self.old.taken - context;
        self.hunk.new_start = self.new.taken - context;
        let before = self.context.drain(..);
        self.hunk
            .lines
            .extend(before.map(|line| (Mark::Equal, line)));
    }

    /// How many lines of each side belong to the change: those before the nearest equal lines, and if possible as many
    /// on one side as on the other.
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

    /// Prints the hunk without the equal lines at its end that are more than context.
    fn end_hunk(&mut self) -> io::Result<()> {
        let mut hunk = std::mem::take(&mut self.hunk);
        if hunk.lines.is_empty() {
            return Ok(());
        }
        let kept = hunk.lines.len() - hunk.equal_at_end.saturating_sub(CONTEXT);
        let rest = hunk.lines.split_off(kept).into_iter();
        self.context = rest.map(|(_, line)| line).collect();
        while self.context.len() > CONTEXT {
            self.context.pop_front();
        }
        let mut text = Vec::new();
        if !std::mem::replace(&mut self.has_header, true) {
            self.push_header(&mut text);
        }
        hunk.print(&mut text, self.styles);
        self.out.write_all(&text)
    }

    fn push_header(&self, text: &mut Vec<u8>) {
        for sign in [b"--- ", b"+++ "] {
            let mut line = sign.to_vec();
            push_name(&mut line, &path_bytes(self.path));
            push_styled(text, self.styles.header, &line);
            text.push(b'\n');
        }
    }
}

/// Appends the name of a file as GNU diff, git and patch write and read it. Names with control characters, quotes or
/// backslashes are quoted and escaped as in C. A tab follows names with spaces, because `patch` takes the text after a
/// space for a time.
fn push_name(out: &mut Vec<u8>, name: &[u8]) {
    let mut quoted = Vec::with_capacity(name.len());
    let mut rest = name;
    while let Some((&byte, behind)) = rest.split_first() {
        match (byte, behind.first()) {
            // Terminals obey U+0080 to U+009F too.
            (0xC2, Some(&second @ 0x80..=0x9F)) => {
                quoted.extend_from_slice(format!("\\302\\{second:o}").as_bytes());
                rest = &behind[1..];
                continue;
            }
            _ => push_escaped(&mut quoted, byte),
        }
        rest = behind;
    }
    if quoted == name {
        out.extend_from_slice(name);
    } else {
        out.push(b'"');
        out.append(&mut quoted);
        out.push(b'"');
    }
    if name.contains(&b' ') {
        out.push(b'\t');
    }
}

/// Appends a byte of a quoted name.
fn push_escaped(out: &mut Vec<u8>, byte: u8) {
    let letter = match byte {
        0x07 => b'a',
        0x08 => b'b',
        b'\t' => b't',
        b'\n' => b'n',
        0x0B => b'v',
        0x0C => b'f',
        b'\r' => b'r',
        b'"' | b'\\' => byte,
        0..=0x1F | 0x7F => return out.extend_from_slice(format!("\\{byte:03o}").as_bytes()),
        _ => return out.push(byte),
    };
    out.extend_from_slice(&[b'\\', letter]);
}

impl Hunk {
    fn print(&self, text: &mut Vec<u8>, styles: Styles) {
        let old = range(self.old_start, self.count_without(Mark::Added));
        let new = range(self.new_start, self.count_without(Mark::Removed));
        push_styled(text, styles.hunk, format!("@@ -{old} +{new} @@").as_bytes());
        text.push(b'\n');
        for (mark, line) in &self.lines {
            let (sign, style) = match mark {
                Mark::Equal => (' ', anstyle::Style::new()),
                Mark::Removed => ('-', styles.removed),
                Mark::Added => ('+', styles.added),
            };
            let mut shown = line_text(sign, line);
            if styles.controls == Controls::Escaped {
                // A terminal would go back to the begin of the line.
                shown = shown.replace('\r', "\\u{d}");
            }
            push_styled(text, style, &styles.controls.apply(shown.as_bytes()));
            if line.end == End::CrLf {
                text.push(b'\r');
            }
            text.push(b'\n');
            if line.end == End::None {
                text.extend_from_slice(b"\\ No newline at end of file\n");
            }
        }
    }

    /// How many lines do not have this mark.
    fn count_without(&self, mark: Mark) -> u64 {
        self.lines
            .iter()
            .filter(|(other, _)| *other != mark)
            .count() as u64
    }
}

/// A range of lines with `before` others before it, as diffs write it.
fn range(before: u64, count: u64) -> String {
    match count {
        0 => format!("{before},0"),
        1 => format!("{}", before + 1),
        _ => format!("{},{count}", before + 1),
    }
}

fn line_text(sign: char, line: &Line) -> String {
    let mut text = format!("{sign}{}", line.text);
    if line.cut.0 > 0 {
        text += &format!(" [{} more bytes]", line.cut.0);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diff(old: &str, new: &str) -> String {
        diff_in(old, new, Styles::default())
    }

    fn diff_in(old: &str, new: &str, styles: Styles) -> String {
        let mut out = Vec::new();
        let sides: (&mut dyn Read, &mut dyn Read) = (&mut old.as_bytes(), &mut new.as_bytes());
        let charsets = (Charset::UTF_8, Charset::UTF_8);
        write(&mut out, Path::new("p"), charsets, sides, styles).unwrap();
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
        let shown = diff_in("\x1B[2Ja\r\n", "\x1B[2Jb\r\n", styles);
        assert!(
            shown.ends_with("\n-\\u{1b}[2Ja\r\n+\\u{1b}[2Jb\r\n"),
            "{shown:?}"
        );
        let shown = diff_in("x\ra\r\n", "x\rb\r\n", styles);
        assert!(shown.ends_with("\n-x\\u{d}a\r\n+x\\u{d}b\r\n"), "{shown:?}");
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

    #[test]
    fn names_are_quoted_for_patch() {
        let written = |text: &str| {
            let mut out = Vec::new();
            push_name(&mut out, text.as_bytes());
            String::from_utf8(out).unwrap()
        };
        for (text, expected) in [
            ("a/é.html", "a/é.html"),
            ("./sp ace.txt", "./sp ace.txt\t"),
            ("a\nb\t", r#""a\nb\t""#),
            ("a\"b\\c", r#""a\"b\\c""#),
            ("\x1B[31m\x7F\u{9B}1", r#""\033[31m\177\302\2331""#),
            ("a b\r", "\"a b\\r\"\t"),
        ] {
            assert_eq!(written(text), expected);
        }
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
