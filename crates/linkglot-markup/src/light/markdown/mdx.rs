//! MDX: Markdown with tags of JSX, expressions in braces, and lines of `import` and `export`.
//!
//! Code is no Markdown: brackets in it are no links, and a tag or a list does not begin in it. So the parser reads a
//! text of the same length in which code is one word. The pieces are those of the text as written, where code is
//! running text.

use std::ops::Range;

/// The longest run of backticks that opens code in a line.
const LONGEST_RUN: usize = 8;

/// The code of a text.
#[derive(Default)]
pub(super) struct Codes {
    /// Expressions, imports and exports, in order and disjoint.
    ranges: Vec<Range<usize>>,
    /// Blocks of code in fences.
    blocks: Vec<Range<usize>>,
    /// True if an expression, an import or a string does not end in the text.
    is_open: bool,
}

impl Codes {
    /// Finds the code of a text. Linear. Code that does not end is text.
    pub fn of(text: &str) -> Self {
        let mut codes = Codes::default();
        codes.is_open |= codes.read(text.as_bytes()).is_none();
        codes
    }

    /// The text with an `x` for each byte of code, but for line ends.
    pub fn masked(&self, text: &str) -> String {
        let mut masked = text.as_bytes().to_vec();
        for code in &self.ranges {
            let code = &mut masked[code.clone()];
            for byte in code.iter_mut().filter(|byte| !b"\r\n".contains(byte)) {
                *byte = b'x';
            }
        }
        // Braces and ends of lines are ASCII, so no character is cut.
        String::from_utf8(masked).unwrap_or_else(|_| text.to_owned())
    }

    /// True if a part of a document may end in front of the line at `cut`: its code ends in it, and what follows reads
    /// as it does in the document. The text is a slice of the document, which may go on.
    pub fn may_end(&self, text: &str, cut: usize) -> bool {
        let (front, behind) = text.as_bytes().split_at(cut);
        let begins_block = || {
            let mut lines = front.rsplit(|byte| *byte == b'\n').skip(1);
            lines.next().is_none_or(|line| line.trim_ascii().is_empty())
        };
        let mut codes = self.ranges.iter().chain(&self.blocks);
        !self.is_open
            && !codes.any(|code| code.start < cut && cut < code.end)
            && (!is_module_line(behind) || begins_block())
    }

    /// Reads a text. `None` if code does not end: the rest is text.
    fn read(&mut self, text: &[u8]) -> Option<()> {
        let mut fence: Option<(usize, Fence)> = None;
        // True if a block may begin: at the beginning, behind an empty line, and behind other imports.
        let mut begins_block = true;
        let mut at = 0;
        while at < text.len() {
            let end = line_end(text, at);
            let line = &text[at..end];
            let own = Fence::of(line);
            if let Some((start, open)) = &fence {
                if own.is_some_and(|own| own.closes(open)) {
                    self.blocks.push(*start..end);
                    fence = None;
                }
                at = end;
                continue;
            }
            if let Some(own) = own {
                fence = Some((at, own));
                (at, begins_block) = (end, false);
                continue;
            }
            if begins_block && is_module_line(line) {
                let behind = self.end_of(Code::at(text, at), module_end)?;
                self.ranges.push(at..behind);
                at = behind;
                continue;
            }
            begins_block = line.trim_ascii().is_empty();
            at = self.expressions(text, at..end)?;
        }
        self.blocks
            .extend(fence.map(|(start, _)| start..text.len()));
        Some(())
    }

    /// Adds the expressions that begin in a line. Returns the end of the line, or of the line in which the last of them
    /// ends; `None` if one does not end.
    fn expressions(&mut self, text: &[u8], line: Range<usize>) -> Option<usize> {
        let (mut at, mut end) = (line.start, line.end);
        // No run of this length follows in the line.
        let mut is_last = [false; LONGEST_RUN + 1];
        while at < end {
            at = match text[at] {
                b'\\' => at + 2,
                b'`' => {
                    let run = run_length(&text[at..end]);
                    let is_open = run <= LONGEST_RUN && !is_last[run];
                    match is_open.then(|| code_end(&text[..end], at + run, run)) {
                        Some(Some(behind)) => behind,
                        Some(None) => {
                            is_last[run] = true;
                            at + run
                        }
                        None => at + run,
                    }
                }
                b'{' => {
                    let behind = self.end_of(Code::at(text, at), expression_end)?;
                    self.ranges.push(at..behind);
                    if behind > end {
                        (end, is_last) = (line_end(text, behind), [false; LONGEST_RUN + 1]);
                    }
                    behind
                }
                _ => at + 1,
            };
        }
        Some(end)
    }

    /// The end of code that `find` finds.
    fn end_of<'t>(
        &mut self,
        mut code: Code<'t>,
        find: fn(&mut Code<'t>) -> Option<usize>,
    ) -> Option<usize> {
        let end = find(&mut code);
        self.is_open |= code.has_open_string;
        end
    }
}

fn line_end(text: &[u8], at: usize) -> usize {
    memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |found| at + found + 1)
}

fn run_length(text: &[u8]) -> usize {
    text.iter().take_while(|byte| **byte == b'`').count()
}

/// The position behind the code that a run of backticks opened in front of `at`.
fn code_end(text: &[u8], mut at: usize, run: usize) -> Option<usize> {
    loop {
        at += memchr::memchr(b'`', text.get(at..)?)?;
        let own = run_length(&text[at..]);
        at += own;
        if own == run {
            return Some(at);
        }
    }
}

/// The position behind an expression, which begins with a brace; `None` if it does not end.
fn expression_end(code: &mut Code<'_>) -> Option<usize> {
    while code.at < code.text.len() {
        code.pass();
        if code.depth == 0 {
            return Some(code.at);
        }
    }
    None
}

/// True for a line that begins imports or exports.
fn is_module_line(line: &[u8]) -> bool {
    let words: [&[u8]; 2] = [b"import", b"export"];
    let mut behind = words.iter().filter_map(|word| line.strip_prefix(*word));
    behind.any(|rest| matches!(rest.first(), Some(b' ' | b'{' | b'*' | b'"' | b'\'')))
}

/// The position behind a block of imports and exports: at an empty line that no bracket encloses.
fn module_end(code: &mut Code<'_>) -> Option<usize> {
    let text = code.text;
    while code.at < text.len() {
        let begins_line = code.at == 0 || text[code.at - 1] == b'\n';
        let is_empty = || {
            text[code.at..line_end(text, code.at)]
                .trim_ascii()
                .is_empty()
        };
        if begins_line && code.depth == 0 && is_empty() {
            return Some(code.at);
        }
        code.pass();
    }
    (code.depth == 0).then_some(text.len())
}

/// Code of JavaScript that is passed over.
struct Code<'t> {
    text: &'t [u8],
    at: usize,
    /// The number of open brackets.
    depth: usize,
    /// True if a string in backticks does not end in the text.
    has_open_string: bool,
}

impl<'t> Code<'t> {
    fn at(text: &'t [u8], at: usize) -> Self {
        Code {
            text,
            at,
            depth: 0,
            has_open_string: false,
        }
    }

    /// Goes behind the next byte, string or comment.
    fn pass(&mut self) {
        let rest = &self.text[self.at..];
        self.at += match rest[0] {
            b'{' | b'(' | b'[' => {
                self.depth += 1;
                1
            }
            b'}' | b')' | b']' => {
                self.depth = self.depth.saturating_sub(1);
                1
            }
            // What follows an escape opens nothing: a string that does not end is looked through once.
            b'\\' => rest.len().min(2),
            // An apostrophe in the text of a tag closes nothing in its line.
            quote @ (b'"' | b'\'') => string_length(rest, quote, b'\n').unwrap_or(1),
            b'`' => string_length(rest, b'`', b'`').unwrap_or_else(|| {
                self.has_open_string = true;
                1
            }),
            b'/' if rest.starts_with(b"/*") => {
                let end = memchr::memmem::find(&rest[2..], b"*/");
                end.map_or(rest.len(), |end| end + 4)
            }
            _ => 1,
        };
    }
}

/// The length of a string that ends with its quote, in front of a byte that it cannot have.
fn string_length(text: &[u8], quote: u8, refused: u8) -> Option<usize> {
    let mut at = 1;
    loop {
        at += memchr::memchr3(quote, b'\\', refused, text.get(at..)?)?;
        match text[at] {
            byte if byte == quote => return Some(at + 1),
            b'\\' => at += 2,
            _ => return None,
        }
    }
}

/// A line that opens or closes a block of code (CommonMark 4.5).
struct Fence {
    mark: u8,
    length: usize,
    /// True if nothing follows.
    is_bare: bool,
}

impl Fence {
    /// The fence of a line, indented or in a quotation or a list.
    fn of(line: &[u8]) -> Option<Fence> {
        let is_container = |byte: &u8| b" \t>-*+".contains(byte);
        let start = line.iter().position(|byte| !is_container(byte))?;
        let rest = line[start..].trim_ascii_end();
        let mark = *rest.first().filter(|mark| b"`~".contains(mark))?;
        let length = rest.iter().take_while(|byte| **byte == mark).count();
        let info = &rest[length..];
        let is_fence = length >= 3 && !(mark == b'`' && info.contains(&b'`'));
        is_fence.then_some(Fence {
            mark,
            length,
            is_bare: info.is_empty(),
        })
    }

    fn closes(&self, open: &Fence) -> bool {
        self.mark == open.mark && self.length >= open.length && self.is_bare
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A document with each run of code as `_`.
    fn shown(text: &str) -> String {
        let mut shown = String::new();
        let mut done = 0;
        for code in Codes::of(text).ranges {
            shown += &text[done..code.start];
            shown.push('_');
            done = code.end;
        }
        shown + &text[done..]
    }

    #[test]
    fn code_of_mdx() {
        for (text, code) in [
            ("a {b} c\n", "a _ c\n"),
            ("{/* } */}{'}'}{\"}\"}{`}${`a`}`}", "____"),
            ("{a({b: [1]})}x", "_x"),
            ("{a &&\n\n  <p>don't {b}</p>}\n[c](d)", "_\n[c](d)"),
            ("\\{a} `{b}` ``{`c}`` {d", "\\{a} `{b}` ``{`c}`` {d"),
            ("`a {b} c", "`a _ c"),
            ("```js\n{a\n```\n{b}", "```js\n{a\n```\n_"),
            ("- ~~~\n  {a\n  ~~~\n{b}", "- ~~~\n  {a\n  ~~~\n_"),
            (
                "import a from 'b'\nexport const c = {\n\n d}\n\ntext {e}",
                "_\ntext _",
            ),
            ("text\nimport a {b}", "text\nimport a _"),
            (
                "importer {b}\n\nexport const a = {",
                "importer _\n\nexport const a = {",
            ),
            ("<A href={b} {...c}>\u{e9}</A>", "<A href=_ _>\u{e9}</A>"),
            ("", ""),
        ] {
            assert_eq!(shown(text), code, "{text}");
            let masked = Codes::of(text).masked(text);
            assert_eq!(masked.len(), text.len());
            assert_eq!(masked.matches('\n').count(), text.matches('\n').count());
        }
    }

    /// Each byte is looked at a few times, whatever does not end: a document that is four times as long would take
    /// sixteen times as long otherwise, and this test minutes.
    #[test]
    fn code_without_an_end_is_looked_through_once() {
        for unit in [
            "{\"", "{\"\\\"", "{/*", "{`\\`", "{'\\'", "{`${`", "`", "a`b``", "{", "```\n",
        ] {
            let text = unit.repeat((1 << 22) / unit.len());
            assert_eq!(Codes::of(&text).masked(&text).len(), text.len());
            let text = format!("import {text}");
            assert_eq!(Codes::of(&text).masked(&text).len(), text.len());
        }
    }

    proptest::proptest! {
        #[test]
        fn code_is_in_order(text in "[{}()\\[`'\"~/*\\\\ \na\u{e9}import]{0,60}") {
            let mut end = 0;
            for code in Codes::of(&text).ranges {
                proptest::prop_assert!(end <= code.start && code.start < code.end);
                proptest::prop_assert!(text.get(code.clone()).is_some());
                end = code.end;
            }
        }
    }
}
