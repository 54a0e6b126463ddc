//! The markup of running text (reStructuredText specification, "Inline Markup").
//!
//! A start-string counts behind white space or punctuation, directly in front of text, if its end-string follows. A
//! search that finds no end-string of a kind is not repeated, so that time is linear.

use super::super::lines::LineSettings;
use super::super::piece::{self, Piece};
use super::reference::{is_name_reference, named_reference};
use crate::escape::Escaping;
use std::ops::Range;

/// The kinds of markup that a start-string and an end-string enclose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Emphasis,
    Strong,
    Literal,
    Target,
    Substitution,
    Interpreted,
}

impl Kind {
    fn start(self) -> &'static str {
        match self {
            Kind::Emphasis => "*",
            Kind::Strong => "**",
            Kind::Literal => "``",
            Kind::Target => "_`",
            Kind::Substitution => "|",
            Kind::Interpreted => "`",
        }
    }

    fn end(self) -> &'static str {
        match self {
            Kind::Target => "`",
            other => other.start(),
        }
    }
}

/// Adds the pieces of a range of text.
pub(super) fn pieces<'t>(
    text: &'t str,
    settings: LineSettings,
    range: Range<usize>,
    out: &mut Vec<Piece<'t>>,
) {
    let Some(own) = text.get(..range.end) else {
        return;
    };
    let mut reader = Reader {
        text: own,
        settings,
        begin: range.start,
        run: range.start,
        missing: Vec::new(),
        out,
    };
    let mut at = range.start;
    while let Some(mark) = find_mark(own, at) {
        at = reader.mark(mark);
    }
    reader.end_run(range.end);
}

/// The position of the next byte that may begin markup or an escape.
fn find_mark(text: &str, from: usize) -> Option<usize> {
    let rest = text.as_bytes().get(from..)?;
    let found = rest.iter().position(|byte| b"\\*`|_".contains(byte))?;
    Some(from + found)
}

struct Reader<'t, 'o> {
    /// The document up to the end of the range.
    text: &'t str,
    settings: LineSettings,
    begin: usize,
    /// The start of the current running text.
    run: usize,
    /// The kinds without a further end-string.
    missing: Vec<Kind>,
    out: &'o mut Vec<Piece<'t>>,
}

impl<'t> Reader<'t, '_> {
    /// Reads the markup or escape that begins at a mark. Returns the position to go on at.
    fn mark(&mut self, at: usize) -> usize {
        let rest = &self.text[at..];
        if let Some(escaped) = rest.strip_prefix('\\') {
            let next = escaped.chars().next();
            let end = at + 1 + next.map_or(0, char::len_utf8);
            if next.is_some_and(char::is_whitespace) {
                self.end_run(at);
                self.run = end;
            }
            return end;
        }
        let kind = match rest.as_bytes() {
            [b'*', b'*', ..] => Kind::Strong,
            [b'*', ..] => Kind::Emphasis,
            [b'`', b'`', ..] => Kind::Literal,
            [b'`', ..] => Kind::Interpreted,
            [b'_', b'`', ..] => Kind::Target,
            [b'|', b'|', ..] => return at + 2,
            [b'|', ..] => Kind::Substitution,
            _ => return self.reference(at),
        };
        let inner = at + kind.start().len();
        if !self.starts(at, inner) || self.missing.contains(&kind) {
            return inner;
        }
        match self.end_of(kind, inner) {
            Some(end) => self.markup(kind, at, inner..end),
            None => {
                self.missing.push(kind);
                inner
            }
        }
    }

    /// Reads the underscores that end a name and make a reference of it (specification, "Reference Names"), in a URL,
    /// too: `http://a.example/b_/c` is a link, a reference to `b`, and text.
    fn reference(&mut self, at: usize) -> usize {
        let behind = self.text[at..].trim_start_matches('_');
        let end = self.text.len() - behind.len();
        let ends = end - at <= 2 && behind.chars().next().is_none_or(closes);
        if ends && let Some(start) = name_in_front(&self.text[self.run..at]) {
            self.end_run(self.run + start);
            self.run = end;
        }
        end
    }

    /// True if a start-string may stand at `at`: a character follows it, and white space or punctuation precedes it,
    /// but not an opening mark that the next character closes (`"*"`).
    fn starts(&self, at: usize, inner: usize) -> bool {
        let before = self.text[self.begin..at].chars().next_back();
        let Some(next) = self.text[inner..]
            .chars()
            .next()
            .filter(|ch| !ch.is_whitespace())
        else {
            return false;
        };
        match before {
            None => true,
            Some(ch) if ch.is_whitespace() => true,
            Some(ch) => opens(ch) && !is_pair(ch, next),
        }
    }

    /// The position of the first end-string of a kind behind `inner`, with at least one character before it.
    fn end_of(&self, kind: Kind, inner: usize) -> Option<usize> {
        let mark = kind.end();
        let bytes = self.text.as_bytes();
        let mut at = inner;
        while let Some(&byte) = bytes.get(at) {
            if byte == b'\\' && kind != Kind::Literal {
                at += 1 + self.text[at + 1..].chars().next().map_or(0, char::len_utf8);
                continue;
            }
            let ends = at > inner && self.text[at..].starts_with(mark) && self.ends(kind, at);
            if ends {
                return Some(at);
            }
            at += 1;
            while !self.text.is_char_boundary(at) {
                at += 1;
            }
        }
        None
    }

    /// True if an end-string at `at` counts: text precedes it, and white space, punctuation or nothing follows it.
    fn ends(&self, kind: Kind, at: usize) -> bool {
        let before = self.text[..at].chars().next_back();
        let after = self.after(kind, at);
        let next = self.text[after..].chars().next();
        !before.is_some_and(char::is_whitespace) && next.is_none_or(closes)
    }

    /// The end of the markup whose end-string is at `at`, including its role or underscores.
    fn after(&self, kind: Kind, at: usize) -> usize {
        let end = at + kind.end().len();
        let rest = &self.text[end..];
        let underscores = rest
            .bytes()
            .take(2)
            .take_while(|&byte| byte == b'_')
            .count();
        match kind {
            Kind::Substitution => end + underscores,
            Kind::Interpreted if underscores > 0 => end + underscores,
            Kind::Interpreted => end + role_length(rest),
            _ => end,
        }
    }

    fn markup(&mut self, kind: Kind, at: usize, inner: Range<usize>) -> usize {
        self.end_run(at);
        let after = self.after(kind, inner.end);
        match kind {
            Kind::Emphasis | Kind::Strong => {
                self.run = inner.start;
                self.end_run(inner.end);
            }
            Kind::Interpreted => {
                let named = self.text[..after].ends_with('_');
                let role = self.text[self.begin..at].ends_with(':');
                if named && !role {
                    self.embedded(inner);
                }
            }
            Kind::Literal if self.settings.reads_code() => {
                self.out.push(Piece::text(inner, Escaping::None));
            }
            _ => {}
        }
        self.run = after;
        after
    }

    /// Adds the reference in angle brackets at the end of a phrase (specification, "Embedded URIs and Aliases").
    fn embedded(&mut self, phrase: Range<usize>) {
        let own = &self.text[phrase.clone()];
        let Some(body) = own.strip_suffix('>') else {
            return;
        };
        let Some(open) = last_open(body) else { return };
        let (before, raw) = (&body[..open], &body[open + 1..]);
        let is_separate = before.is_empty() || before.ends_with([' ', '\n', '\r', '\t']);
        if !is_separate || raw.is_empty() || raw.trim().len() < raw.len() {
            return;
        }
        let is_alias = raw.ends_with('_') && !raw.ends_with("\\_") || is_name_reference(raw);
        if is_alias && !has_scheme(raw) {
            return;
        }
        let start = phrase.start + open + 1;
        self.out.extend(named_reference(
            self.text,
            start..start + raw.len(),
            &piece::INLINE,
        ));
    }

    fn end_run(&mut self, at: usize) {
        if self.run < at {
            self.out.push(Piece::text(self.run..at, Escaping::RstText));
        }
        self.run = self.run.max(at);
    }
}

/// The start of the reference name at the end of a text: words with single marks in between.
fn name_in_front(text: &str) -> Option<usize> {
    let is_word = |ch: char| ch.is_alphanumeric();
    let (mut start, mut word) = (text.len(), false);
    for (at, ch) in text.char_indices().rev() {
        match ch {
            _ if is_word(ch) => (start, word) = (at, true),
            '-' | '.' | '_' | '+' | ':' if word => word = false,
            _ => break,
        }
    }
    let name = &text[start..];
    let begins = |at: usize| {
        let before = text[..start + at].chars().next_back();
        before.is_none_or(|ch| ch.is_whitespace() || opens(ch))
    };
    let mut words = name
        .char_indices()
        .map(|(at, _)| at)
        .filter(|&at| name[at..].starts_with(is_word));
    words.find(|&at| begins(at)).map(|at| start + at)
}

/// The position of the last unescaped `<` of a text, unless a `>` follows it or the text ends in a backslash.
fn last_open(body: &str) -> Option<usize> {
    let (mut open, mut at) = (None, 0);
    while let Some(found) = body.get(at..)?.find(['\\', '<', '>']) {
        let here = at + found;
        at = here + 1;
        match body.as_bytes()[here] {
            b'<' => open = Some(here),
            b'>' => open = None,
            _ => at += body[at..].chars().next().map(char::len_utf8)?,
        }
    }
    open
}

fn has_scheme(raw: &str) -> bool {
    let name = raw.split(':').next().unwrap_or_default();
    name.len() < raw.len()
        && name.starts_with(|ch: char| ch.is_ascii_alphabetic())
        && name
            .chars()
            .all(|ch| ch.is_ascii_alphanumeric() || "+-.".contains(ch))
}

/// The length of the `:role:` at the beginning of a text, or 0.
fn role_length(text: &str) -> usize {
    let Some(rest) = text.strip_prefix(':') else {
        return 0;
    };
    match rest.find(|ch: char| !(ch.is_alphanumeric() || "-._+".contains(ch))) {
        Some(end) if end > 0 && rest[end..].starts_with(':') => end + 2,
        _ => 0,
    }
}

/// True if markup may begin behind a punctuation mark.
fn opens(ch: char) -> bool {
    if ch.is_ascii() {
        "-:/'\"<([{".contains(ch)
    } else {
        !ch.is_alphanumeric()
    }
}

/// True if markup may end before a character. A backslash counts because it begins an escape.
fn closes(ch: char) -> bool {
    if ch.is_ascii() {
        ch.is_whitespace() || "'\")]}>-/\\:.,;!?".contains(ch)
    } else {
        !ch.is_alphanumeric()
    }
}

/// True for an opening mark and its closing mark.
fn is_pair(open: char, close: char) -> bool {
    const PAIRS: &[(char, char)] = &[
        ('"', '"'),
        ('\'', '\''),
        ('(', ')'),
        ('[', ']'),
        ('{', '}'),
        ('<', '>'),
        ('«', '»'),
        ('»', '«'),
        ('‹', '›'),
        ('‘', '’'),
        ('’', '’'),
        ('‚', '‘'),
        ('“', '”'),
        ('”', '”'),
        ('„', '“'),
        ('「', '」'),
        ('『', '』'),
        ('（', '）'),
        ('【', '】'),
    ];
    PAIRS.contains(&(open, close))
}
