//! Files that a program fills in: what the names of templates say, and what stands in front of their markup.

use memchr::memmem;

/// Extensions of pages with code in them.
pub(super) const PAGES: &[&str] = &[
    "asp", "aspx", "ascx", "cshtml", "jsp", "jspf", "cfm", "cfml", "vue", "svelte", "astro",
];

/// Extensions of templates of any format: that in front of them says which, and without one it is HTML.
const ENGINES: &[&str] = &[
    "j2",
    "jinja",
    "jinja2",
    "hbs",
    "handlebars",
    "mustache",
    "erb",
    "ejs",
    "twig",
    "ftl",
    "tpl",
    "liquid",
    "njk",
    "tt",
    "tmpl",
];

/// Extensions of files in which text may stand between pieces of code.
const CODE: &[&str] = &["php", "php3", "php4", "php5", "inc"];

/// Whether a file's name says that text may stand in it between pieces of code.
pub(super) fn may_be_page(name: &str) -> bool {
    let extension = name.rsplit(['/', '\\']).next().and_then(extension);
    extension.is_some_and(|extension| {
        CODE.iter()
            .any(|known| known.eq_ignore_ascii_case(extension))
    })
}

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

/// The extension of a file's name that says what its format is: of `a.css.erb` it is `css`, of `a.erb` that of HTML.
pub(crate) fn extension(file: &str) -> Option<&str> {
    let (stem, extension) = file.rsplit_once('.')?;
    if !ENGINES
        .iter()
        .any(|known| known.eq_ignore_ascii_case(extension))
    {
        return Some(extension);
    }
    let inner = stem.trim_start_matches('.').rsplit_once('.');
    Some(inner.map_or("html", |(_, inner)| inner))
}

/// What the marks of templates begin and end with; the longer ones go first.
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

/// What follows the marks of template languages and the tags of ColdFusion that the bytes begin with, and the white space around them;
/// nothing where one of them does not end. O(length).
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

/// How long the begin of the mark is, and what ends it.
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
    use super::super::guess::{by_content, by_name, by_name_and_content};
    use super::*;
    use crate::format::Format;

    #[test]
    fn templates_are_of_the_format_in_front_of_their_extension() {
        for engine in ENGINES {
            let engine = engine.to_uppercase();
            for (name, format) in [
                (format!("a/page.{engine}"), Some(Format::Html)),
                (format!("page.html.{engine}"), Some(Format::Html)),
                (format!("page.de.htm.{engine}"), Some(Format::Html)),
                (format!("style.css.{engine}"), Some(Format::Css)),
                (format!("feed.atom.{engine}"), Some(Format::Xml)),
                (format!("mail.txt.{engine}"), Some(Format::Text)),
                (format!(".{engine}"), Some(Format::Html)),
                // Only the content can say it.
                (format!("site.conf.{engine}"), None),
                (format!("a.html/{engine}"), None),
            ] {
                assert_eq!(by_name(&name), format, "{name}");
            }
        }
        for page in PAGES {
            assert_eq!(by_name(&format!("x.{page}")), Some(Format::Html));
        }
    }

    /// Pages of PHP are told from programs by what stands outside of the code.
    #[test]
    fn pages_of_code() {
        let cases = [
            ("Hello <b>x</b>", Format::Html),
            ("<?php a('<b>'); ?>\nwords <a href=x>", Format::Html),
            ("<?php a ?><?= b ?>words</p>", Format::Html),
            ("<?php a ?><p>", Format::Html),
            ("<?php a ?><rss>", Format::Xml),
            ("<?php echo '<p>';", Format::Text),
            ("<?php echo '<p>'; ?>\n", Format::Text),
            ("<?php a ?>words <b<<?php </b>", Format::Text),
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
        // A name that only begins alike.
        assert_eq!(behind_marks(b"<cf>"), b"<cf>");
        assert_eq!(behind_marks(b"{ a"), b"{ a");
    }
}
