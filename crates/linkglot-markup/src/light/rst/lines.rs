//! The lines of a document, and the markers at their beginning.

use super::super::backslash::find_unescaped;

/// A line, without its line end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// The position of the text behind the indentation.
    pub text: usize,
    /// The position where the text ends, without white space.
    pub end: usize,
    /// The column of the text.
    pub indent: usize,
}

impl Line {
    pub fn is_blank(self) -> bool {
        self.text >= self.end
    }

    /// The text of the line, given the text of the document.
    pub fn str(self, document: &str) -> &str {
        &document[self.text..self.end]
    }

    /// Removes the first bytes of the line, and the white space behind them.
    pub fn cut(&mut self, skip: usize, document: &str) {
        let own = self.str(document);
        let rest = &own[skip..];
        let white = rest.len() - rest.trim_start().len();
        self.indent += own[..skip + white].chars().count();
        self.text += skip + white;
    }
}

/// The columns between tab stops.
const TAB: usize = 8;

/// The lines of a text. LF, CR and CR LF end a line.
pub(super) fn of(text: &str) -> Vec<Line> {
    let bytes = text.as_bytes();
    let mut lines = Vec::new();
    let mut start = 0;
    for end in memchr::memchr2_iter(b'\n', b'\r', bytes) {
        let ends_crlf = bytes[end] == b'\n' && start == end && end > 0 && bytes[end - 1] == b'\r';
        if !ends_crlf {
            lines.push(line(text, start, end));
        }
        start = end + 1;
    }
    if start < bytes.len() {
        lines.push(line(text, start, bytes.len()));
    }
    lines
}

fn line(text: &str, start: usize, end: usize) -> Line {
    let (mut indent, mut at) = (0, start);
    let own = &text[start..end];
    for byte in own.bytes() {
        match byte {
            b'\t' => indent += TAB - indent % TAB,
            b' ' | b'\x0B' | b'\x0C' => indent += 1,
            _ => break,
        }
        at += 1;
    }
    Line {
        text: at,
        end: (start + own.trim_end().len()).max(at),
        indent,
    }
}

/// The length of a line that repeats one punctuation mark (under a title, or as a transition).
pub(super) fn adornment(text: &str) -> Option<usize> {
    let text = text.trim_end();
    let first = text.bytes().next()?;
    let is_adornment = first.is_ascii_punctuation() && text.bytes().all(|byte| byte == first);
    // A paragraph of `::` alone announces a literal block.
    (is_adornment && text != "::").then_some(text.len())
}

/// The length of the marker at the beginning of a line: a bullet, an enumerator, the name of a field, or an option with
/// its arguments.
pub(super) fn marker_end(text: &str) -> Option<usize> {
    bullet(text)
        .or_else(|| enumerator(text))
        .or_else(|| field(text))
        .or_else(|| option(text))
}

/// True if a line begins with a bullet or an enumerator.
pub(super) fn is_list(text: &str) -> bool {
    bullet(text).or_else(|| enumerator(text)).is_some()
}

/// True if a marker may end at `at`.
fn may_end(text: &str, at: usize) -> bool {
    let rest = &text[at..];
    rest.is_empty() || rest.starts_with([' ', '\t'])
}

fn bullet(text: &str) -> Option<usize> {
    let first = text.chars().next()?;
    let end = first.len_utf8();
    ("-+*•‣⁃".contains(first) && may_end(text, end)).then_some(end)
}

fn enumerator(text: &str) -> Option<usize> {
    let body = text.strip_prefix('(').unwrap_or(text);
    let open = text.len() - body.len();
    let token = body.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let token = if body.starts_with('#') { 1 } else { token };
    let name = body.get(..token)?;
    let is_roman = |byte: u8| b"ivxlcdmIVXLCDM".contains(&byte);
    let is_enumerator = match name {
        "" => false,
        "#" => true,
        _ if name.bytes().all(|byte| byte.is_ascii_digit()) => true,
        _ => name.len() == 1 || name.bytes().all(is_roman),
    };
    let close = *body.as_bytes().get(token)?;
    let end = open + token + 1;
    let is_closed = close == b')' || close == b'.' && open == 0;
    (is_enumerator && is_closed && may_end(text, end)).then_some(end)
}

/// The length of `:name:`, with a space or nothing behind it.
pub(super) fn field(text: &str) -> Option<usize> {
    let rest = text.strip_prefix(':')?;
    if rest.starts_with([':', ' ', '`']) {
        return None;
    }
    let mut at = 1;
    while let Some(colon) = find_unescaped(text, at, |byte| byte == b':') {
        if may_end(text, colon + 1) && !text[..colon].ends_with(' ') {
            return Some(colon + 1);
        }
        if text[colon + 1..].starts_with('`') {
            return None;
        }
        at = colon + 1;
    }
    None
}

/// The length of a list of options (`-a, --file=NAME, /V`), with two spaces or nothing behind it.
fn option(text: &str) -> Option<usize> {
    let end = text.find("  ").unwrap_or(text.len());
    let is_option = |option: &str| {
        let mut words = option.split([' ', '=']);
        let name = words.next().unwrap_or_default();
        let long = name.strip_prefix("--");
        let name = long
            .or_else(|| name.strip_prefix(['-', '/']))
            .unwrap_or_default();
        let is_name = |ch: char| ch.is_ascii_alphanumeric() || "-_".contains(ch);
        name.starts_with(|ch: char| ch.is_ascii_alphanumeric())
            && name.chars().all(is_name)
            && words.count() <= 1
    };
    (text.starts_with(['-', '/']) && text[..end].split(", ").all(is_option)).then_some(end)
}
