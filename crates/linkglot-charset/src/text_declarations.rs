//! Declarations in text that is code: comments of scripts, PHP, messages of gettext, LaTeX.
//!
//! - Scripts: a comment in one of the first two lines (PEP 263), `# -*- coding: koi8-r -*-`.
//! - PHP that is all code: as in pages.
//! - gettext: the `Content-Type` in the header of a PO file, which is the translation of the empty string.
//! - LaTeX: the option of the package `inputenc`.

use crate::ascii::is_space;
use crate::prescan::{Declared, coding_label, declarable};
use crate::server_pages;
use memchr::memmem::find;
use std::ops::Range;

/// The charset that a text declares. Labels that no charset has declare nothing.
pub(crate) fn declared(head: &[u8]) -> Option<Declared> {
    let known = |label: Range<usize>| {
        let declared = declarable(&head[label])?;
        matches!(declared, Declared::Charset(_)).then_some(declared)
    };
    if is_php(head) {
        let declared = server_pages::declared(head)?;
        return matches!(declared, Declared::Charset(_)).then_some(declared);
    }
    label(head).and_then(known)
}

/// The labels of declarations, in order.
pub(crate) fn labels(head: &[u8]) -> Vec<Range<usize>> {
    if is_php(head) {
        server_pages::labels(head)
    } else {
        label(head).into_iter().collect()
    }
}

fn label(head: &[u8]) -> Option<Range<usize>> {
    of_script(head)
        .or_else(|| of_messages(head))
        .or_else(|| of_latex(head))
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

/// The label of the field in the header of messages.
fn of_messages(head: &[u8]) -> Option<Range<usize>> {
    const FIELD: &[u8] = b"\n\"Content-Type:";
    let begin = find(head, b"msgid \"\"")?;
    let field = begin + find(&head[begin..], FIELD)? + FIELD.len();
    // The header ends with its paragraph.
    if find(&head[begin..field], b"\n\n").is_some() {
        return None;
    }
    let line = &head[field..];
    let line = &line[..memchr::memchr(b'\n', line)?];
    let start = find(line, b"charset=")? + b"charset=".len();
    let len = line[start..]
        .iter()
        .position(|byte| matches!(byte, b'\\' | b'"' | b';' | b' '))?;
    Some(field + start..field + start + len)
}

/// The option of the package, in a line that is no comment up to there.
fn of_latex(head: &[u8]) -> Option<Range<usize>> {
    const PACKAGE: &[u8] = b"]{inputenc}";
    let end = find(head, PACKAGE)?;
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
            "\\documentclass{article}\n\\usepackage[koi8-r]{inputenc}\n",
        ] {
            assert_eq!(of(text).as_deref(), Some("KOI8-R"), "{text}");
            let labels = labels(text.as_bytes());
            let labels: Vec<_> = labels.into_iter().map(|label| &text[label]).collect();
            assert_eq!(labels, ["koi8-r"], "{text}");
        }
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
            "% \\usepackage[koi8-r]{inputenc}\n",
            "\\usepackage[koi8-r,utf8]{inputenc}\n",
            "\\usepackage{inputenc}\n",
            "[koi8-r]{inputenc}",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
