//! String literals of programs: code around a literal may give the beginning or the end of a link in it.

use super::WindowLink;
use crate::markup::{Escapes, Escaping, LiteralStyle, RtfStyle, RunsStyle, SqlStyle};
use crate::notes::Note;

/// Marks the links of a literal that depend on code around it, or on escapes without a sure meaning.
pub(super) fn mark(style: LiteralStyle, raw: &str, links: &mut [WindowLink<'_>]) {
    let is_unknown = style.is_unknown(raw);
    // `{0,choice,0#none|1#http://a.example/}`
    let is_choice = style.escapes == Escapes::Properties && is_choice(raw);
    for link in links {
        // A backslash that is left belongs to another language: a pattern, or its replacement (`?id=\1`).
        if style.escapes == Escapes::GettextKey {
            link.leave(Note::LeftKey);
        } else if is_unknown || link.text.text().contains('\\') {
            link.leave(Note::LeftEscaped);
        } else if is_choice || style.goes_on_before && may_begin_before(raw, link) {
            link.leave(Note::LeftTemplate);
        } else if style.goes_on_behind
            && is_punctuation(Escaping::Literal(style), &raw[link.range.end..])
        {
            link.notes.insert(Note::LeftTemplate);
        }
    }
}

/// Marks the links of a literal of SQL that depend on values around it.
pub(super) fn mark_sql(style: SqlStyle, raw: &str, links: &mut [WindowLink<'_>]) {
    for link in links {
        if style.goes_on_before && may_begin_before(raw, link) {
            link.leave(Note::LeftTemplate);
        } else if style.goes_on_behind
            && is_punctuation(Escaping::SqlString(style), &raw[link.range.end..])
        {
            link.notes.insert(Note::LeftTemplate);
        }
    }
}

/// Marks the links in a text of RTF that other texts may continue, or octets whose charset is unknown.
pub(super) fn mark_rtf(style: RtfStyle, raw: &str, links: &mut [WindowLink<'_>]) {
    for link in links {
        let has_octets = !raw[link.range.clone()].is_ascii();
        let is_unknown = has_octets || link.text.text().contains(char::REPLACEMENT_CHARACTER);
        if is_unknown || style.is_unknown(&raw[link.range.end..]) {
            link.leave(Note::LeftEscaped);
        } else if style.goes_on_before && may_begin_before(raw, link) {
            link.leave(Note::LeftTemplate);
        } else if style.goes_on_behind && link.range.end == raw.len() {
            link.notes.insert(Note::LeftTemplate);
        }
    }
}

/// Marks the links in a text over runs that other texts may continue, or hyphens of unknown meaning.
pub(super) fn mark_runs(style: RunsStyle, raw: &str, links: &mut [WindowLink<'_>]) {
    if let Some(last) = links.last_mut().filter(|_| style.goes_on_behind)
        && may_go_on(style, &raw[last.range.end..])
    {
        last.notes.insert(Note::LeftTemplate);
    }
    for link in links {
        // Markup in front of the first piece is none of the link.
        link.range.start += style.seam_length(raw[link.range.clone()].as_bytes());
        let has_hyphen = link.text.text().contains(char::REPLACEMENT_CHARACTER);
        if has_hyphen || style.is_unknown(&raw[link.range.end..]) {
            link.leave(Note::LeftEscaped);
        } else if style.goes_on_before && may_begin_before(raw, link) {
            link.leave(Note::LeftTemplate);
        }
    }
}

/// True if a link may go on behind the rest of its text, which is nothing but punctuation.
fn may_go_on(style: RunsStyle, rest: &str) -> bool {
    !Escaping::Runs(style).unescape(rest).text().contains(is_gap)
}

/// True if the rest of a literal is nothing but punctuation, which belongs to a link in front of it if code goes on
/// with the link.
fn is_punctuation(escaping: Escaping, rest: &str) -> bool {
    let ends = |ch: char| is_gap(ch) || ch.is_alphanumeric();
    !escaping.unescape(rest).text().contains(ends)
}

/// True for characters that end a link in any text.
fn is_gap(ch: char) -> bool {
    ch.is_whitespace() || "\"'<>()[]{}".contains(ch)
}

/// True if a value may be a choice of Java, or have one: numbers with texts, and bars between them.
fn is_choice(raw: &str) -> bool {
    let is_interval = |text: &str| {
        let number = text.trim_start_matches(|ch: char| ch.is_ascii_digit() || " -.".contains(ch));
        number.len() < text.len() && number.starts_with(['#', '<'])
    };
    raw.contains(",choice,") || raw.contains('|') && raw.split('|').any(is_interval)
}

/// True if text of the code in front of a literal may belong to a link in the literal: a link without a scheme at the
/// beginning of the literal, or behind other text without a gap.
fn may_begin_before(raw: &str, link: &WindowLink<'_>) -> bool {
    let before = raw.get(..link.range.start).unwrap_or_default();
    let is_gap = |ch: char| ch.is_whitespace() || matches!(ch, '"' | '\'' | '<' | '>' | '(');
    let is_network_path = link.text.text().starts_with("//") || before.ends_with("//");
    let has_start = link.implied.is_none() || is_network_path;
    !has_start && !before.contains(is_gap)
}

/// True if a text ends within a tag, a comment or the value of an attribute of HTML. O(length).
pub(super) fn ends_in_tag(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'<', &bytes[at..]) {
        at += found + 1;
        let rest = &bytes[at..];
        let is_tag = |byte: u8| byte.is_ascii_alphabetic() || matches!(byte, b'/' | b'!' | b'?');
        let end = match rest.first() {
            None => None,
            Some(_) if rest.starts_with(b"!--") => memchr::memmem::find(rest, b"-->"),
            Some(first) if is_tag(*first) => tag_end(rest),
            Some(_) => Some(0),
        };
        match end {
            Some(end) => at += end,
            None => return true,
        }
    }
    false
}

/// The end of a tag, outside of quoted values.
fn tag_end(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += memchr::memchr3(b'>', b'"', b'\'', bytes.get(at..)?)?;
        if bytes[at] == b'>' {
            return Some(at);
        }
        let begins_value = bytes[..at].trim_ascii_end().ends_with(b"=");
        at += 1;
        if begins_value {
            at += memchr::memchr(bytes[at - 1], bytes.get(at..)?)? + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_tags() {
        for (text, expected) in [
            ("<a href='x'>", false),
            ("<a href='x", true),
            ("<a href='x>", true),
            ("<a title = \"a > b\" href=x", true),
            ("<a title='a > b'>c < d", false),
            ("it's <b>", false),
            ("<!-- > -->", false),
            ("<!-- >", true),
            ("a <", true),
            ("", false),
        ] {
            assert_eq!(ends_in_tag(text), expected, "{text}");
        }
    }
}
