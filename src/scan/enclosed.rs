//! What stands around a link and holds nothing else: quotes right in front of it and right behind it, and markup such as
//! `[text](link)` or `\url{link}`. A link that is enclosed ends where they close.

use super::classes::opener;
use super::emphasis;
use super::tail::pairs;
use super::text::Text;

/// How many characters behind a link the end of its text is looked for.
const MAX_LABEL: usize = 64;

/// How many blanks may stand between a link and its text or title.
const MAX_BLANKS: usize = 4;

/// No markup opens with more bytes.
pub(super) const MAX_OPENER: usize = 12;

/// The tags of BBCode that hold a link and nothing else: what opens it, what closes it.
const TAGS: &[(&str, &str)] = &[
    ("[url]", "[/url]"),
    ("[img]", "[/img]"),
    ("[link]", "[/link]"),
];

/// The macros of TeX of which the first argument is a link.
const MACROS: &[&str] = &["\\url{", "\\href{", "\\nolinkurl{", "\\path{"];

/// Markup that opens right in front of a link and is closed right behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Markup {
    /// `[text](link)`, `[text](link "title")`
    Target,
    /// `[url]link[/url]`: what closes it.
    Tag(&'static str),
    /// `[url=link]text[/url]`
    Value,
    /// `\url{link}`, `\href{link}{text}`
    Macro,
    /// `[[link]]`, `[[link|text]]`, `[[link][text]]`
    Double,
    /// `[link text]`
    Labelled,
}

/// Whether markup that holds a link and nothing else, or the value of a name, may open with an ASCII byte right in front of
/// the link: then what is in front of that byte matters.
pub(super) fn may_open(byte: u8) -> bool {
    matches!(byte, b'(' | b'[' | b']' | b'{' | b'=' | b'<')
}

impl Markup {
    /// That in front of the link that begins at `start` with the character `outer` in front of it. O(1).
    pub(super) fn of(text: &Text<'_>, start: usize, outer: char) -> Option<Markup> {
        let ends = |word: &str| text.ends(start, 0, word);
        match outer {
            '(' => (text.byte_before(start - 1) == b']').then_some(Markup::Target),
            ']' => {
                let tag = TAGS.iter().find(|(open, _)| ends(open));
                tag.map(|(_, close)| Markup::Tag(close))
            }
            '=' => ends("[url=").then_some(Markup::Value),
            '{' => MACROS
                .iter()
                .any(|name| ends(name))
                .then_some(Markup::Macro),
            '[' if text.byte_before(start - 1) == b'[' => Some(Markup::Double),
            '[' => Some(Markup::Labelled),
            _ => None,
        }
    }

    /// Whether it is closed at a position. O(1).
    pub(super) fn closes(self, text: &Text<'_>, at: usize) -> bool {
        let byte = text.byte(at);
        match self {
            Markup::Target => {
                let title = behind_blanks(text, at);
                byte == b')' || title > at && matches!(text.byte(title), b'"' | b'\'')
            }
            Markup::Tag(close) => byte == b'[' && text.has(at, close),
            Markup::Value => byte == b']',
            Markup::Macro => byte == b'}',
            Markup::Double => {
                byte == b'|' || byte == b']' && matches!(text.byte(at + 1), b']' | b'[')
            }
            Markup::Labelled => is_label(text, at),
        }
    }

    /// The least of its kind: what opens it and what closes it.
    pub(super) fn enclosure(self) -> (&'static str, &'static str) {
        match self {
            Markup::Target => ("](", ")"),
            Markup::Tag(close) => {
                let tag = TAGS.iter().find(|(_, end)| *end == close);
                (tag.map_or("", |(open, _)| open), close)
            }
            Markup::Value => ("[url=", "]"),
            Markup::Macro => ("\\url{", "}"),
            Markup::Double => ("[[", "]]"),
            Markup::Labelled => ("[", " x]"),
        }
    }

    /// Whether a mark at the end of a link is of the link when the markup is closed behind it. Behind a blank text goes on, be
    /// it that of the link or a sentence's: a comma and a full stop are the sentence's.
    pub(super) fn takes(self, mark: char) -> bool {
        self != Markup::Labelled || matches!(mark, '!' | '?' | '！' | '？' | '。' | '؟')
    }
}

/// Whether blanks and the text of a link stand at a position, up to the `]` in the same line and in front of whatever may be
/// another link: how long that is, is another after rewriting. O(1).
fn is_label(text: &Text<'_>, at: usize) -> bool {
    let label = behind_blanks(text, at);
    let mut i = label;
    for _ in 0..MAX_LABEL {
        let ch = text.char(i);
        if label == at || matches!(ch, '\0' | '\n' | '\r' | '[' | '<') {
            return false;
        }
        if ch == ']' {
            return i > label;
        }
        if emphasis::may_be_link(text, i) {
            return false;
        }
        i += ch.len_utf8();
    }
    false
}

fn behind_blanks(text: &Text<'_>, at: usize) -> usize {
    let blanks = (at..at + MAX_BLANKS).take_while(|&i| text.byte(i) == b' ');
    at + blanks.count()
}

/// Whether a link that begins at `start`, with the character `outer` in front of it, is enclosed exactly when it ends at `at`:
/// by quotes, or by markup. Parentheses are of prose, and so are square brackets without markup. O(1).
pub(super) fn is_enclosed(text: &Text<'_>, start: Option<usize>, outer: char, at: usize) -> bool {
    let next = text.char(at);
    match outer {
        '"' | '\'' | '`' => next == outer,
        '<' => next == '>',
        '＜' => next == '＞',
        '＂' | '＇' | '｀' => next == outer,
        '「' | '『' | '《' | '〈' | '｢' => opener(next) == Some(outer),
        '=' if is_value(text, start, at) => true,
        _ if pairs(outer, next) => true,
        _ => start
            .and_then(|start| Markup::of(text, start, outer))
            .is_some_and(|markup| markup.closes(text, at)),
    }
}

/// Whether what stands between `=` and a position is the whole value of a name: `url=http://example.org/|title=x`.
fn is_value(text: &Text<'_>, start: Option<usize>, at: usize) -> bool {
    let Some(start) = start.filter(|&start| start > 1) else {
        return false;
    };
    let ch = text.char(at);
    let ends = ch.is_whitespace() || matches!(ch, '\0' | '|' | '}' | '>' | ']' | '&' | ';');
    ends && text.before(start - 1).is_some_and(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_opener_is_longer_than_what_is_looked_at() {
        let tags = TAGS.iter().map(|(open, _)| *open);
        let openers = tags.chain(MACROS.iter().copied()).chain(["[url="]);
        for opener in openers {
            assert!(opener.len() <= MAX_OPENER, "{opener}");
            let byte = opener.as_bytes().last().copied().unwrap_or(0);
            assert!(may_open(byte), "{opener}");
        }
    }
}
