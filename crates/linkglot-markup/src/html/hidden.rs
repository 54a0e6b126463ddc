//! Elements that are not displayed (HTML standard 15.3.1), by their names and attributes.

use super::attributes::Facts;
use super::elements::{HIDDEN, is_in};
use crate::escape::Escaping;
use crate::vocabulary::Context;

/// True for elements that are not displayed, by their name or by an attribute.
pub(super) fn is_hidden(name: &[u8], tag: &Facts<'_>) -> bool {
    let has = |name: &str| tag.attribute(name).is_some();
    let is_closed = name == b"dialog" && !has("open") || has("popover");
    let style = tag.attribute("style");
    let style = style.map(|style| String::from_utf8_lossy(&style).to_ascii_lowercase());
    let style = without_comments(&style.unwrap_or_default());
    let display = value_of(&style, "display", is_display);
    let is_without_box = display.map_or_else(|| has("hidden") || is_closed, |it| it == "none");
    let visibility = value_of(&style, "visibility", |value| {
        is_in(VISIBILITY, value.as_bytes())
    });
    let is_invisible = visibility.is_some_and(|it| matches!(&*it, "collapse" | "hidden"));
    is_in(HIDDEN, name) || is_without_box || is_invisible
}

/// The value of a property in a style attribute in lower case: the last valid one, or the last that is important.
fn value_of(style: &str, property: &str, is_valid: fn(&str) -> bool) -> Option<String> {
    let mut found = None;
    let mut found_important = false;
    for declaration in declarations(style) {
        let Some((name, value)) = declaration.split_once(':') else {
            continue;
        };
        // A declaration with another mark is invalid (CSS Syntax 3, 5.5.6).
        let (value, important) = match value.rsplit_once('!') {
            Some((value, mark)) if unescaped(mark.trim()) == "important" => (value, true),
            Some(_) => continue,
            None => (value, false),
        };
        let value = unescaped(value.trim());
        let is_property = unescaped(name.trim()) == property;
        if is_property && is_valid(&value) && (important || !found_important) {
            found = Some(value);
            found_important = important;
        }
    }
    found
}

/// Identifiers without their escapes (CSS Syntax 3, 4.3.7), in lower case.
fn unescaped(identifiers: &str) -> String {
    let plain = Escaping::CssUrl.unescape(identifiers);
    plain.text().to_ascii_lowercase()
}

/// The declarations of a style attribute; those with quotes or brackets are whole.
fn declarations(style: &str) -> impl Iterator<Item = &str> {
    let mut rest = style;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (declaration, behind) = rest.split_at(end_of_declaration(rest));
        rest = behind.strip_prefix(';').unwrap_or(behind);
        Some(declaration)
    })
}

/// A style attribute with a space in place of each comment.
fn without_comments(style: &str) -> String {
    let (mut plain, mut quote, mut rest) = (String::new(), None, style);
    while let Some(ch) = rest.chars().next() {
        if quote.is_none()
            && let Some(comment) = rest.strip_prefix("/*")
        {
            plain.push(' ');
            rest = comment.split_once("*/").map_or("", |(_, behind)| behind);
            continue;
        }
        let mut length = ch.len_utf8();
        match quote {
            _ if ch == '\\' => length += rest[1..].chars().next().map_or(0, char::len_utf8),
            None if matches!(ch, '"' | '\'') => quote = Some(ch),
            Some(open) if open == ch => quote = None,
            _ => {}
        }
        plain.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    plain
}

/// The place of the semicolon behind a declaration; the end if there is none.
fn end_of_declaration(text: &str) -> usize {
    let (mut quote, mut open, mut is_escaped) = (None, 0_u32, false);
    for (at, ch) in text.char_indices() {
        match ch {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if quote.is_some() => quote = quote.filter(|quote| *quote != ch),
            '"' | '\'' => quote = Some(ch),
            '(' | '[' | '{' => open += 1,
            ')' | ']' | '}' => open = open.saturating_sub(1),
            ';' if open == 0 => return at,
            _ => {}
        }
    }
    text.len()
}

/// True for the usual values of `display`; browsers pass over others.
fn is_display(value: &str) -> bool {
    let first = value.split([' ', '-']).next().unwrap_or_default();
    is_in(DISPLAY, first.as_bytes()) && !value.contains('!')
}

/// The first words of the values of `display` (CSS Display 3).
const DISPLAY: &[&str] = &[
    "block", "contents", "flex", "flow", "grid", "inherit", "initial", "inline", "list", "none",
    "revert", "ruby", "run", "table", "unset",
];

/// The values of `visibility` (CSS Display 3, 4).
const VISIBILITY: &[&str] = &[
    "collapse",
    "hidden",
    "inherit",
    "initial",
    "revert",
    "revert-layer",
    "unset",
    "visible",
];
