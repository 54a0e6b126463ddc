//! Template markup at the start of documents, skipped to find the start of the document itself.

use memchr::memmem;

/// The pieces between `<? ... ?>` and `<% ... %>`.
pub(super) fn outside_code(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(bytes);
    std::iter::from_fn(move || {
        let bytes = rest?;
        let code = memchr::memchr_iter(b'<', bytes).find_map(|at| match bytes.get(at + 1) {
            Some(b'?') => Some((at, "?>")),
            Some(b'%') => Some((at, "%>")),
            _ => None,
        });
        let Some((at, end)) = code else {
            rest = None;
            return Some(bytes);
        };
        let behind = &bytes[at + 2..];
        rest = memmem::find(behind, end.as_bytes()).map(|end| &behind[end + 2..]);
        Some(&bytes[..at])
    })
}

/// The start and the end of template markup; longer marks come first.
const MARKS: &[(&str, &str)] = &[
    ("<%--", "--%>"),
    ("<%", "%>"),
    ("{{!--", "--}}"),
    ("{{", "}}"),
    ("{%", "%}"),
    ("{#", "#}"),
    ("<#--", "-->"),
    ("<#", ">"),
    ("<@", ">"),
];

/// The bytes behind template markup, ColdFusion tags and white space; nothing if one of these does not end. O(length).
pub(super) fn behind_marks(mut bytes: &[u8]) -> &[u8] {
    loop {
        bytes = bytes.trim_ascii_start();
        let Some((begin, end)) = mark(bytes) else {
            return bytes;
        };
        match memmem::find(&bytes[begin..], end.as_bytes()) {
            Some(at) => bytes = &bytes[begin + at + end.len()..],
            None => return b"",
        }
    }
}

/// The length of the opening mark, and the closing mark.
fn mark(bytes: &[u8]) -> Option<(usize, &'static str)> {
    let known = MARKS
        .iter()
        .find(|(begin, _)| bytes.starts_with(begin.as_bytes()));
    if let Some((begin, end)) = known {
        return Some((begin.len(), end));
    }
    let name = bytes.strip_prefix(b"<")?;
    let name = name.strip_prefix(b"/").unwrap_or(name);
    let is_coldfusion =
        name.get(..2)?.eq_ignore_ascii_case(b"cf") && name.get(2)?.is_ascii_alphabetic();
    is_coldfusion.then_some((3, ">"))
}

#[cfg(test)]
mod tests {
    use super::super::guess::{by_content, by_name_and_content};
    use super::*;
    use crate::format::Format;

    /// The text outside of the code tells pages of PHP from programs.
    #[test]
    fn pages_of_code() {
        let long = format!("<?php echo '?>x<p>{}';", "x".repeat(1 << 17));
        let cases = [
            // The head ends in the string.
            (&long[..], Format::Php),
            ("Hello <b>x</b>", Format::Html),
            ("<?php a('<b>'); ?>\nwords <a href=x>", Format::Html),
            ("<?php a ?><?= b ?>words</p>", Format::Html),
            ("<?php a ?><p>", Format::Html),
            ("<?php a ?><rss>", Format::Xml),
            ("<?php echo '<p>';", Format::Php),
            ("<?php echo '?>x<p>';", Format::Php),
            ("<?php echo '<p>'; ?>\n", Format::Php),
            ("<?php a ?>words <b<<?php </b>", Format::Php),
            ("#include <stdio.h>\n", Format::Text),
            ("a <bold> b", Format::Text),
            ("", Format::Text),
        ];
        for (content, format) in cases {
            for name in ["a/x.php", "X.INC", "x.de.php"] {
                let found = by_name_and_content(name, content.as_bytes());
                assert_eq!(
                    found.unwrap_or(by_content(content.as_bytes())),
                    format,
                    "{content}"
                );
            }
            assert_eq!(by_name_and_content("x.txt", content.as_bytes()), None);
        }
    }

    #[test]
    fn content_behind_marks_decides() {
        let marks = [
            "<%@ page language='java' %>",
            "<%-- <a> %> --%>\r\n<% if (a > b) { %>",
            "{% extends 'x' %}{% block a %}",
            "{{ x }} {{!-- }} --}}",
            "{# <rss> #}\n",
            "<cfset x = 'y'>\n<CFOUTPUT></cfif>",
            "<#-- > --><#import 'a' as b><@b.page>",
            "<!-- {% --><% %><!-- %> -->{% x %}",
            "<?php x ?>{{ y }}",
        ];
        let contents = [
            ("<!DOCTYPE html>", Format::Html),
            ("<p>", Format::Html),
            ("<?xml version='1.0'?><rss>", Format::Xml),
            ("<feed xmlns='x'>", Format::Xml),
            ("words <p>", Format::Text),
            ("", Format::Text),
        ];
        for mark in marks {
            for (content, format) in contents {
                let document = format!("{mark}{content}");
                assert_eq!(by_content(document.as_bytes()), format, "{document}");
            }
        }
        for open in ["<% <p>", "{{ <p> }", "{% <p> }}", "<cfset <p"] {
            assert_eq!(by_content(open.as_bytes()), Format::Text, "{open}");
        }
        // A name with only the same beginning.
        assert_eq!(behind_marks(b"<cf>"), b"<cf>");
        assert_eq!(behind_marks(b"{ a"), b"{ a");
    }
}
