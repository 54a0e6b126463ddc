//! The lines of a document, and how elements begin.

/// A line: positions in the text, the end of the line not included.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// Where its text begins, behind its indentation.
    pub text: usize,
    /// Where it ends, without white space.
    pub end: usize,
    /// The column of its text.
    pub indent: usize,
}

impl Line {
    pub fn is_blank(self) -> bool {
        self.text >= self.end
    }

    /// Its text.
    pub fn str(self, text: &str) -> &str {
        text.get(self.text..self.end).unwrap_or_default()
    }

    /// Leaves out the first bytes of its text, and the white space behind them.
    pub fn cut(&mut self, skip: usize, text: &str) {
        let own = self.str(text);
        let rest = &own[skip..];
        let white = rest.len() - rest.trim_start().len();
        self.indent += own[..skip + white].chars().count();
        self.text += skip + white;
    }
}

/// How far a tab goes.
const TAB: usize = 8;

/// The lines of a text; LF, CR and CR LF end one.
pub(super) fn of(text: &str) -> Vec<Line> {
    let bytes = text.as_bytes();
    let mut lines = Vec::new();
    let mut start = 0;
    for end in memchr::memchr2_iter(b'\n', b'\r', bytes) {
        let second = bytes[end] == b'\n' && start == end && end > 0 && bytes[end - 1] == b'\r';
        if !second {
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

/// The length of a line that is one mark again and again (under a title, a transition).
pub(super) fn adornment(text: &str) -> Option<usize> {
    let text = text.trim_end();
    let first = text.bytes().next()?;
    let same = first.is_ascii_punctuation() && text.bytes().all(|byte| byte == first);
    // The end of a paragraph that is nothing but the announcement of a literal block.
    (same && text != "::").then_some(text.len())
}

/// How much of a line is a bullet, an enumerator, the name of a field, or an option with its arguments, if it begins
/// with one.
pub(super) fn marker_end(text: &str) -> Option<usize> {
    bullet(text)
        .or_else(|| enumerator(text))
        .or_else(|| field(text))
        .or_else(|| option(text))
}

/// Whether a line begins with a bullet or an enumerator.
pub(super) fn is_list(text: &str) -> bool {
    bullet(text).or_else(|| enumerator(text)).is_some()
}

fn is_open(text: &str, at: usize) -> bool {
    let rest = text.get(at..).unwrap_or_default();
    rest.is_empty() || rest.starts_with([' ', '\t'])
}

fn bullet(text: &str) -> Option<usize> {
    let first = text.chars().next()?;
    let end = first.len_utf8();
    ("-+*•‣⁃".contains(first) && is_open(text, end)).then_some(end)
}

fn enumerator(text: &str) -> Option<usize> {
    let body = text.strip_prefix('(').unwrap_or(text);
    let open = text.len() - body.len();
    let token = body.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let token = if body.starts_with('#') { 1 } else { token };
    let name = body.get(..token)?;
    let known = match name {
        "" => false,
        "#" => true,
        _ if name.bytes().all(|byte| byte.is_ascii_digit()) => true,
        _ => name.len() == 1 || name.bytes().all(|byte| b"ivxlcdmIVXLCDM".contains(&byte)),
    };
    let close = *body.as_bytes().get(token)?;
    let end = open + token + 1;
    let closed = close == b')' || close == b'.' && open == 0;
    (known && closed && is_open(text, end)).then_some(end)
}

/// `:name:` with a space or nothing behind it.
pub(super) fn field(text: &str) -> Option<usize> {
    let rest = text.strip_prefix(':')?;
    if rest.starts_with([':', ' ', '`']) {
        return None;
    }
    let mut at = 1;
    while let Some(colon) = super::super::escaped::find(text, at, b":") {
        if is_open(text, colon + 1) && !text[..colon].ends_with(' ') {
            return Some(colon + 1);
        }
        if text[colon + 1..].starts_with('`') {
            return None;
        }
        at = colon + 1;
    }
    None
}

/// `-a`, `--file=NAME`, `/V`, and more of them behind commas; two spaces or nothing follow.
fn option(text: &str) -> Option<usize> {
    let end = text.find("  ").unwrap_or(text.len());
    let is_option = |option: &str| {
        let mut words = option.split([' ', '=']);
        let name = words.next().unwrap_or_default();
        let long = name.strip_prefix("--");
        let name = long
            .or_else(|| name.strip_prefix(['-', '/']))
            .unwrap_or_default();
        let begins = name.starts_with(|ch: char| ch.is_ascii_alphanumeric());
        let rest = name
            .chars()
            .all(|ch| ch.is_ascii_alphanumeric() || "-_".contains(ch));
        begins && rest && words.count() <= 1
    };
    let prefixed = text.starts_with(['-', '/']);
    (prefixed && text[..end].split(", ").all(is_option)).then_some(end)
}
