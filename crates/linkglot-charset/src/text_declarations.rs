//! Declarations in text that is code: comments of scripts, PHP, messages of gettext, LaTeX.
//!
//! - Scripts: a comment in one of the first two lines (PEP 263), `# -*- coding: koi8-r -*-`.
//! - PHP that is all code: as in pages.
//! - gettext: the `Content-Type` in the header of a PO file, which is the translation of the empty string. Nothing but
//!   messages and comments stands in front of it, so no other text is taken for one.
//! - LaTeX: the option of the package `inputenc`.

use crate::ascii::is_space;
use crate::prescan::{Declared, coding_label, declarable};
use crate::server_pages;
use crate::vocabulary::{Label, Vocabulary};
use memchr::memmem::{Finder, find};
use std::ops::Range;
use std::sync::LazyLock;

/// The charset that a text declares. Labels that no charset has declare nothing.
pub(crate) fn declared(head: &[u8]) -> Option<Declared> {
    let known = |label: Range<usize>| {
        let declared = declarable(&head[label])?;
        matches!(declared, Declared::Charset(_)).then_some(declared)
    };
    let of_messages = || {
        let declared = declarable(header_label(head)?.0.as_bytes())?;
        matches!(declared, Declared::Charset(_)).then_some(declared)
    };
    if is_php(head) {
        let declared = server_pages::declared(head)?;
        return matches!(declared, Declared::Charset(_)).then_some(declared);
    }
    of_messages().or_else(|| label(head).and_then(known))
}

/// The labels of declarations, in order.
pub(crate) fn labels(head: &[u8]) -> Vec<Label> {
    if is_php(head) {
        return server_pages::labels(head);
    }
    let of_code = |place, vocabulary| Label { place, vocabulary };
    let of_messages = header_label(head).map(|(_, place)| Label::web(place));
    let of_script = || of_script(head).map(|place| of_code(place, Vocabulary::Python));
    let of_latex = || of_latex(head).map(|place| of_code(place, Vocabulary::Inputenc));
    let label = of_messages.or_else(of_script).or_else(of_latex);
    label.into_iter().collect()
}

fn label(head: &[u8]) -> Option<Range<usize>> {
    of_script(head).or_else(|| of_latex(head))
}

/// True if a text begins with code of PHP, perhaps behind the line that names its interpreter.
fn is_php(head: &[u8]) -> bool {
    let code = if head.starts_with(b"#!") {
        memchr::memchr(b'\n', head).map_or(&head[..0], |end| &head[end..])
    } else {
        head
    };
    let begin = code.trim_ascii_start().get(..5);
    begin.is_some_and(|begin| begin.eq_ignore_ascii_case(b"<?php"))
}

/// The label in a comment of a script. A sentence may begin like a declaration, so nothing but the end of the comment
/// may follow.
fn of_script(head: &[u8]) -> Option<Range<usize>> {
    let (_, label) = coding_label(head)?;
    let begin = memchr::memrchr(b'\n', &head[..label.start]).map_or(0, |at| at + 1);
    let is_comment = head[begin..].trim_ascii_start().starts_with(b"#");
    let behind = &head[label.end..];
    let rest = &behind[..memchr::memchr(b'\n', behind).unwrap_or(behind.len())];
    let rest = rest.trim_ascii();
    let is_end = rest.is_empty()
        || rest.starts_with(b"-*-")
        || rest.starts_with(b";")
        || rest.starts_with(b":");
    (is_comment && is_end).then_some(label)
}

/// The label that a text declares, as it stands there: in the header of messages of gettext, a comment of a script,
/// LaTeX; `None` without one, and for PHP, which declares the charset of a page. The header of messages may be cut over
/// strings at any place.
///
/// ```
/// use linkglot_charset::text_label;
///
/// let head = b"msgid \"\"\nmsgstr \"Content-Type: text/plain; \"\n\"charset=GB2312\\n\"\n";
/// assert_eq!(text_label(head).as_deref(), Some("GB2312"));
/// assert_eq!(text_label(b"# coding: latin-1\n").as_deref(), Some("latin-1"));
/// ```
pub fn text_label(head: &[u8]) -> Option<String> {
    if is_php(head) {
        return None;
    }
    let of_code = || {
        let coding = coding_label(head).map(|(_, label)| label);
        let label = coding.or_else(|| of_latex(head))?;
        String::from_utf8(head[label].to_vec()).ok()
    };
    header_label(head).map(|(label, _)| label).or_else(of_code)
}

/// The label in the header of messages, and its place from its first byte to its last one, with the cuts in it.
fn header_label(head: &[u8]) -> Option<(String, Range<usize>)> {
    const NAME: &[u8] = b"content-type:";
    let header = header(head)?;
    let mut begin = 0;
    for line in header.text.split_inclusive(|byte| *byte == b'\n') {
        let field = begin..begin + line.len();
        begin = field.end;
        if !line
            .get(..NAME.len())
            .is_some_and(|name| name.eq_ignore_ascii_case(NAME))
        {
            continue;
        }
        let start = field.start + find(line, b"charset=")? + b"charset=".len();
        let label = &header.text[start..field.end];
        let is_end = |byte: &u8| matches!(byte, b';' | b' ' | b'\t' | b'\r' | b'\n');
        let len = match label.iter().position(is_end) {
            Some(len) => len,
            None if header.is_whole => label.len(),
            None => return None,
        };
        let places = header.places.get(start..start + len)?;
        let place = places.first()?.start..places.last()?.end;
        let label = String::from_utf8(label[..len].to_vec()).ok()?;
        return Some((label, place));
    }
    None
}

/// The header of messages without its quotation marks and escapes.
#[derive(Default)]
struct Header {
    text: Vec<u8>,
    /// The place of each byte.
    places: Vec<Range<usize>>,
    /// True if the text goes on behind the header.
    is_whole: bool,
}

/// The translation of the first message whose key is the empty string, and that has no context. Messages that are not
/// used any more (`#~`) are comments.
fn header(head: &[u8]) -> Option<Header> {
    #[derive(PartialEq)]
    enum Part {
        Other,
        Key,
        Translation,
    }
    let mut header = Header::default();
    let mut part = Part::Other;
    let (mut has_context, mut is_empty) = (false, false);
    let mut at = 0;
    while let Some(&byte) = head.get(at) {
        let rest = &head[at..];
        match byte {
            _ if is_space(byte) => at += 1,
            b'#' => at += memchr::memchr(b'\n', rest).unwrap_or(rest.len()),
            b'"' if part == Part::Translation && is_empty => {
                let Some(end) = string(head, at, &mut header) else {
                    return Some(header);
                };
                at = end;
            }
            b'"' => {
                let end = string(head, at, &mut Header::default())?;
                is_empty &= part != Part::Key || end == at + 2;
                at = end;
            }
            b'm' | b'd' => {
                if part == Part::Translation && is_empty {
                    header.is_whole = true;
                    return Some(header);
                }
                let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"_[]".contains(byte);
                let len = rest.iter().position(|byte| !is_word(byte))?;
                part = match &rest[..len] {
                    b"msgctxt" => {
                        has_context = true;
                        Part::Other
                    }
                    b"msgid" => {
                        is_empty = !std::mem::take(&mut has_context);
                        Part::Key
                    }
                    b"msgid_plural" | b"domain" => Part::Other,
                    word if word.starts_with(b"msgstr") => Part::Translation,
                    _ => return None,
                };
                at += len;
            }
            _ => break,
        }
    }
    // Only the end of the head may cut the header.
    header.is_whole = true;
    (part == Part::Translation && is_empty).then_some(header)
}

/// Appends the string that begins at a quotation mark, and answers with its end; `None` if it is not closed.
fn string(head: &[u8], start: usize, header: &mut Header) -> Option<usize> {
    let mut at = start + 1;
    loop {
        let (byte, len) = match head.get(at..)? {
            [b'"', ..] => return Some(at + 1),
            [] | [b'\n', ..] => return None,
            [b'\\', rest @ ..] => {
                let (byte, len) = escaped(rest)?;
                (byte, 1 + len)
            }
            [byte, ..] => (*byte, 1),
        };
        header.text.push(byte);
        header.places.push(at..at + len);
        at += len;
    }
}

/// The byte of an escape behind its backslash, and the length of the escape there.
fn escaped(rest: &[u8]) -> Option<(u8, usize)> {
    const LONGEST_OCTAL: usize = 3;
    let value = |digits: &[u8], radix: u32| {
        let digits = digits
            .iter()
            .filter_map(|digit| char::from(*digit).to_digit(radix));
        digits.fold(0_u8, |value, digit| {
            // A digit is less than the radix.
            value.wrapping_mul(radix as u8).wrapping_add(digit as u8)
        })
    };
    let count = |bytes: &[u8], radix| {
        let is_digit = |byte: &&u8| char::from(**byte).is_digit(radix);
        bytes.iter().take_while(is_digit).count()
    };
    Some(match rest.first()? {
        b'n' => (b'\n', 1),
        b't' => (b'\t', 1),
        b'r' => (b'\r', 1),
        b'x' => {
            let len = count(&rest[1..], 16);
            (value(&rest[1..1 + len], 16), 1 + len)
        }
        b'0'..=b'7' => {
            let len = count(rest, 8).min(LONGEST_OCTAL);
            (value(&rest[..len], 8), len)
        }
        byte => (*byte, 1),
    })
}

/// The option of the package, in a line that is no comment up to there.
fn of_latex(head: &[u8]) -> Option<Range<usize>> {
    static PACKAGE: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("]{inputenc}"));
    let end = PACKAGE.find(head)?;
    let line = memchr::memrchr(b'\n', &head[..end]).map_or(0, |at| at + 1);
    let option = line + memchr::memrchr(b'[', &head[line..end])? + 1;
    let command = head[line..option].trim_ascii_start();
    let is_command =
        command.starts_with(b"\\usepackage") || command.starts_with(b"\\RequirePackage");
    let is_one = head[option..end]
        .iter()
        .all(|&byte| byte != b',' && !is_space(byte));
    (is_command && is_one).then_some(option..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<String> {
        match declared(text.as_bytes())? {
            Declared::Charset(charset) => Some(charset.name().to_owned()),
            Declared::Unknown(label) => Some(format!("unknown {label}")),
        }
    }

    #[test]
    fn declarations_of_each_language() {
        for text in [
            "# -*- coding: koi8-r -*-\n",
            "#!/usr/bin/env python\n# coding=koi8-r\n",
            "#!/usr/bin/ruby\n# encoding: koi8-r",
            "# -*- coding: koi8-r; mode: python -*-\n",
            "# vim: set fileencoding=koi8-r :\n",
            "<?php\nheader('Content-Type: text/html; charset=koi8-r');\n",
            "#!/usr/bin/php\n<?php ini_set('default_charset', 'koi8-r');\n",
            "# A comment\nmsgid \"\"\nmsgstr \"\"\n\"Language: ru\\n\"\n\"Content-Type: text/plain; charset=koi8-r\\n\"\n\nmsgid \"a\"\n",
            "msgid\"\"\nmsgstr\t\"content-type: text/plain; charset=koi8-r\\n\"\n",
            "msgid \"\"\n\"\"\n# b\nmsgstr \"X: 1\\nCONTENT-TYPE: text/plain; charset=koi8-r; a\"\n",
            "# coding: utf-8\nmsgid \"\"\nmsgstr \"\"\n\"Content-\"\n\"Type: text/plain; \"\n\"char\" \"set=koi8-r\\n\"\n",
            "msgctxt \"a\"\nmsgid \"\"\nmsgstr \"Content-Type: a; charset=utf-8\\n\"\n#~ msgid \"\"\n#~ msgstr \"\"\nmsgid \"\"\nmsgstr \"Content-Type: a; charset=koi8-r\"\n",
            "\\documentclass{article}\n\\usepackage[koi8-r]{inputenc}\n",
        ] {
            assert_eq!(of(text).as_deref(), Some("KOI8-R"), "{text}");
            let labels = labels(text.as_bytes());
            let labels: Vec<_> = labels.into_iter().map(|label| &text[label.place]).collect();
            assert_eq!(labels, ["koi8-r"], "{text}");
        }
    }

    #[test]
    fn the_header_of_messages_is_cut_anywhere() {
        let header = "Content-Type: text/plain; charset=koi8-r\\n";
        let comments = "# A comment.\n".repeat(1_000);
        for at in (0..header.len()).filter(|at| !header[..*at].ends_with('\\')) {
            let (first, second) = header.split_at(at);
            let text = format!("{comments}msgid \"\"\nmsgstr \"X: 1\\n{first}\"\n\"{second}\"\n");
            assert_eq!(of(&text).as_deref(), Some("KOI8-R"), "{first}|{second}");
            let mut new = text.clone();
            for label in labels(text.as_bytes()) {
                new.replace_range(label.place, "IBM866");
            }
            assert_eq!(of(&new).as_deref(), Some("IBM866"), "{new}");
        }
        let escaped = r#"msgid ""
msgstr "Content-Type: a;\tcharset=koi\x38\55r\n""#;
        assert_eq!(of(escaped).as_deref(), Some("KOI8-R"));
        // The label may go on behind the head.
        let cut = "msgid \"\"\nmsgstr \"Content-Type: a; charset=koi8-r";
        assert_eq!(of(cut), None);
    }

    #[test]
    fn what_declares_nothing() {
        for text in [
            "",
            "# coding: koi8-r is bad.\n",
            "coding: koi8-r\n",
            "# a\n# b\n# coding: koi8-r\n",
            "header('Content-Type: text/html; charset=koi8-r');\n",
            "<?php // header('Content-Type: text/html; charset=koi8-r');\n",
            "<?php header('Content-Type: text/html; charset=x-foo');\n",
            "\"Content-Type: text/plain; charset=koi8-r\\n\"\n",
            "msgid \"\"\nmsgstr \"\"\n\nmsgid \"a\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=koi8-r\\n\"\n",
            "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=CHARSET\\n\"\n",
            "msgid \"a\"\nmsgstr \"Content-Type: text/plain; charset=koi8-r\\n\"\n",
            "#~ msgid \"\"\n#~ msgstr \"Content-Type: text/plain; charset=koi8-r\\n\"\n",
            "msgid \"\"\nmsgstr \"X-Content-Type: text/plain; charset=koi8-r\\n\"\n",
            "text msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=koi8-r\\n\"\n",
            "% \\usepackage[koi8-r]{inputenc}\n",
            "\\usepackage[koi8-r,utf8]{inputenc}\n",
            "\\usepackage{inputenc}\n",
            "[koi8-r]{inputenc}",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
