//! Declarations in the code of server pages: JSP, ASP, PHP, ColdFusion.
//!
//! The charset that a page is written in comes first, then that of the response. Servers send the
//! bytes of a page as they stand, or in the charset of the response; browsers go by the response.
//!
//! - JSP: `pageEncoding`, then the charset of `contentType` (JSP 2.3, JSP.4.1.1), as a directive
//!   (`<%@ page ... %>`) and in XML syntax (`<jsp:directive.page ... />`).
//! - Classic ASP: `<%@ CODEPAGE=1251 %>`, the number of a code page of Windows. The directives of ASP.NET name only the
//!   charset of the response; the file may be in another.
//! - ColdFusion: `<cfprocessingdirective pageencoding>`, then `<cfcontent type>`.
//! - PHP: `header("Content-Type: ...")`, then `ini_set("default_charset", ...)`. Calls that disagree
//!   decide nothing: which of them runs is not known.

use crate::ascii::is_space;
use crate::charset::Charset;
use crate::prescan::{Attributes, Declared, declarable, in_content};
use std::collections::BTreeMap;
use std::ops::Range;

/// Subject of a declaration, in order of precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// The bytes of the page.
    Page,
    /// The response.
    Response,
    /// The response, if no header declares its charset.
    Default,
}

/// A declaration in code.
struct ServerDeclaration {
    rank: Rank,
    declared: Declared,
    /// Place of the label; `None` for the number of a code page.
    label: Option<Range<usize>>,
}

/// The charset that the code of a page declares. Linear.
pub(crate) fn declared(head: &[u8]) -> Option<Declared> {
    let all = declarations(head);
    let mut found = None;
    for rank in [Rank::Page, Rank::Response, Rank::Default] {
        found = Declared::or(found, || of_rank(&all, rank));
    }
    found
}

/// The labels of declarations, in order.
pub(crate) fn labels(head: &[u8]) -> Vec<Range<usize>> {
    let all = declarations(head).into_iter();
    all.filter_map(|declaration| declaration.label).collect()
}

/// The charset of the response, if the code of a page of JSP, ColdFusion or PHP names it: browsers encode queries in
/// it, whatever the file is in. Linear.
///
/// ```
/// use linkglot_charset::response_charset;
///
/// let page = br#"<%@ page pageEncoding="koi8-r" contentType="text/html; charset=UTF-8" %>"#;
/// assert_eq!(response_charset(page).unwrap().name(), "UTF-8");
/// assert_eq!(response_charset(b"<%@ page pageEncoding='koi8-r' %>"), None);
/// ```
pub fn response_charset(head: &[u8]) -> Option<Charset> {
    match of_rank(&declarations(head), Rank::Response)? {
        Declared::Charset(charset) => Some(charset),
        Declared::Unknown(_) => None,
    }
}

/// The first declaration of a rank that names a charset. Declarations about the response must agree.
fn of_rank(all: &[ServerDeclaration], rank: Rank) -> Option<Declared> {
    let mut of_rank = all.iter().filter(|one| one.rank == rank);
    let mut found = None;
    let is_open = rank != Rank::Page
        && of_rank.clone().any(|one| {
            let first = found.get_or_insert(&one.declared);
            **first != one.declared
        });
    if is_open {
        return None;
    }
    let first = of_rank.next()?.declared.clone();
    let known = of_rank.find(|one| matches!(one.declared, Declared::Charset(_)));
    Declared::or(Some(first), || known.map(|one| one.declared.clone()))
}

fn declarations(head: &[u8]) -> Vec<ServerDeclaration> {
    let mut page = Page {
        head,
        found: Vec::new(),
        comment: 0,
        comments: None,
    };
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'<', &head[at..]) {
        at += found;
        at = page.construct(at).unwrap_or(head.len());
    }
    page.found
}

/// A page that is searched.
struct Page<'h> {
    head: &'h [u8],
    found: Vec<ServerDeclaration>,
    /// The end of the last comment of ColdFusion.
    comment: usize,
    /// All comments of ColdFusion; searched when the first one begins.
    comments: Option<BTreeMap<usize, usize>>,
}

impl Page<'_> {
    /// Reads the construct at a `<`; returns the position to go on at. `None`: the construct does not end.
    fn construct(&mut self, at: usize) -> Option<usize> {
        let rest = &self.head[at..];
        if rest.starts_with(b"<%--") {
            return Some(at + memchr::memmem::find(rest, b"--%>")? + 4);
        }
        if rest.starts_with(b"<!---") {
            let comments = self
                .comments
                .get_or_insert_with(|| coldfusion_comments(self.head));
            self.comment = self.comment.max(comments.get(&at).copied().unwrap_or(0));
        }
        if rest.starts_with(b"<%@") {
            self.directive(at + 3)
        } else if is_tag(rest, b"<jsp:directive.page") || is_tag(rest, b"<jsp:directive.tag") {
            self.jsp(at + b"<jsp:directive.tag".len())
        } else if at < self.comment {
            // Other languages know no such comments.
            Some(at + 1)
        } else if is_tag(rest, b"<cfprocessingdirective") {
            let at = at + b"<cfprocessingdirective".len();
            self.attributes(at, |page, name, value, at| {
                if name == b"pageencoding" {
                    page.label(Rank::Page, value, at);
                }
            })
        } else if is_tag(rest, b"<cfcontent") {
            self.attributes(at + b"<cfcontent".len(), |page, name, value, at| {
                if name == b"type" {
                    page.content_type(value, at);
                }
            })
        } else if is_php(rest) {
            Some(self.php(at + 2))
        } else {
            Some(at + 1)
        }
    }

    /// A directive of JSP, or of classic ASP, which has no name.
    fn directive(&mut self, at: usize) -> Option<usize> {
        let text = self.head[at..].trim_ascii_start();
        let is_named = |name: &[u8]| {
            text.starts_with(name) && text.get(name.len()).is_some_and(|&byte| is_space(byte))
        };
        if is_named(b"page") || is_named(b"tag") {
            return self.jsp(at);
        }
        let mut is_asp = true;
        self.attributes(at, |page, name, value, _| {
            // The name of a directive has no value.
            is_asp &= !value.is_empty() || name == b"%";
            if is_asp && name == b"codepage" {
                page.code_page(value);
            }
        })
    }

    fn jsp(&mut self, at: usize) -> Option<usize> {
        self.attributes(at, |page, name, value, at| match name {
            b"pageencoding" => page.label(Rank::Page, value, at),
            b"contenttype" => page.content_type(value, at),
            _ => {}
        })
    }

    /// Hands the attributes of a tag to `each`, in lower case, with the place of their value; returns the end of the
    /// tag.
    fn attributes(
        &mut self,
        at: usize,
        mut each: impl FnMut(&mut Self, &[u8], &[u8], usize),
    ) -> Option<usize> {
        let head = self.head;
        let mut attributes = Attributes::new(&head[at..]);
        while let Some(attribute) = attributes.next()? {
            let at = head.len() - attribute.rest;
            each(self, &attribute.name, &attribute.value, at);
        }
        Some(head.len() - attributes.len())
    }

    /// A label at a place.
    fn label(&mut self, rank: Rank, label: &[u8], at: usize) {
        if let Some(declared) = declarable(label) {
            self.found.push(ServerDeclaration {
                rank,
                declared,
                label: Some(at..at + label.len()),
            });
        }
    }

    /// A content type at a place, in lower case.
    fn content_type(&mut self, value: &[u8], at: usize) {
        let is_text = value.trim_ascii_start().starts_with(b"text/")
            || memchr::memmem::find(value, b"xml").is_some();
        if let Some(label) = in_content(value).filter(|_| is_text) {
            self.label(Rank::Response, &value[label.clone()], at + label.start);
        }
    }

    /// The number of a code page.
    fn code_page(&mut self, number: &[u8]) {
        let is_number = number.iter().all(u8::is_ascii_digit) && number != b"0";
        let label = [b"cp", number].concat();
        if let Some(declared) = declarable(&label).filter(|_| is_number) {
            self.found.push(ServerDeclaration {
                rank: Rank::Page,
                declared,
                label: None,
            });
        }
    }

    /// Reads code of PHP; returns its end.
    fn php(&mut self, at: usize) -> usize {
        let mut code = Php {
            code: self.head,
            at,
        };
        while let Some(call) = code.call() {
            match call {
                Call::Header(string) => {
                    let value = self.head[string.clone()].to_ascii_lowercase();
                    if let Some(content) = content_of_header(&value) {
                        self.content_type(&value[content..], string.start + content);
                    }
                }
                Call::DefaultCharset(string) => {
                    let head = self.head;
                    self.label(Rank::Default, &head[string.clone()], string.start);
                }
            }
        }
        code.at
    }
}

/// The ends of the closed comments of ColdFusion, by their starts. Comments nest. Linear.
fn coldfusion_comments(bytes: &[u8]) -> BTreeMap<usize, usize> {
    let (mut comments, mut open, mut at) = (BTreeMap::new(), Vec::new(), 0);
    while let Some(found) = memchr::memmem::find(&bytes[at..], b"---") {
        let dashes = at + found;
        at = dashes + 3;
        if bytes[..dashes].ends_with(b"<!") {
            open.push(dashes - 2);
        } else if bytes[at..].starts_with(b">")
            && let Some(begin) = open.pop()
        {
            comments.insert(begin, at + 1);
        }
    }
    comments
}

/// The start of the value of a content type in a header field, in lower case.
fn content_of_header(field: &[u8]) -> Option<usize> {
    let rest = field.strip_prefix(b"content-type")?;
    let value = rest.trim_ascii_start().strip_prefix(b":")?;
    Some(field.len() - value.len())
}

/// True if bytes begin with a tag of this name, in any case.
fn is_tag(bytes: &[u8], name: &[u8]) -> bool {
    let begin = bytes.get(..name.len());
    begin.is_some_and(|begin| begin.eq_ignore_ascii_case(name))
        && bytes.get(name.len()).is_some_and(|&byte| is_space(byte))
}

/// True if PHP begins: `<?php`, `<?=` or `<?` and white space.
fn is_php(bytes: &[u8]) -> bool {
    let is_short = || matches!(bytes, [b'<', b'?', next, ..] if is_space(*next) || *next == b'=');
    let begin = bytes.get(..5);
    begin.is_some_and(|begin| begin.eq_ignore_ascii_case(b"<?php")) || is_short()
}

/// A call that declares a charset, with the string that names it.
enum Call {
    Header(Range<usize>),
    DefaultCharset(Range<usize>),
}

/// Code of PHP, read call by call.
struct Php<'c> {
    code: &'c [u8],
    at: usize,
}

impl Php<'_> {
    /// The next call of interest. `None`: the code ends.
    fn call(&mut self) -> Option<Call> {
        loop {
            match &self.code[self.at.min(self.code.len())..] {
                [] => return None,
                [b'?', b'>', ..] => {
                    self.at += 2;
                    return None;
                }
                [b'/', b'*', ..] => self.skip_past(b"*/"),
                [b'/', b'/', ..] => self.skip_line(),
                [b'#', next, ..] if *next != b'[' => self.skip_line(),
                [b'\'' | b'"', ..] => {
                    self.string();
                }
                [b'<', b'<', b'<', ..] => self.heredoc(),
                [first, ..] if is_word(*first) => {
                    let begin = self.at;
                    self.skip(is_word);
                    let word = &self.code[begin..self.at];
                    let word = word.strip_prefix(b"\\").unwrap_or(word);
                    // `$header(`, `->header(` and `::header(` call other functions.
                    let is_other = begin > 0 && matches!(self.code[begin - 1], b'$' | b'>' | b':');
                    if is_other {
                        continue;
                    }
                    if word.eq_ignore_ascii_case(b"header") {
                        if let Some(string) = self.argument(b'(') {
                            return Some(Call::Header(string));
                        }
                    } else if word.eq_ignore_ascii_case(b"ini_set")
                        && let Some(name) = self.argument(b'(')
                        && self.code[name] == *b"default_charset"
                        && let Some(value) = self.argument(b',')
                    {
                        return Some(Call::DefaultCharset(value));
                    }
                }
                _ => self.at += 1,
            }
        }
    }

    /// The string behind a delimiter, if both come next.
    fn argument(&mut self, delimiter: u8) -> Option<Range<usize>> {
        self.skip(is_space);
        if self.code.get(self.at) != Some(&delimiter) {
            return None;
        }
        self.at += 1;
        self.skip(is_space);
        match self.code.get(self.at) {
            Some(b'\'' | b'"') => self.string(),
            _ => None,
        }
    }

    /// A string in quotes, which comes next. `None`: it does not end.
    fn string(&mut self) -> Option<Range<usize>> {
        let quote = *self.code.get(self.at)?;
        let begin = self.at + 1;
        self.at = begin;
        loop {
            let rest = self.code.get(self.at..)?;
            let Some(len) = memchr::memchr2(quote, b'\\', rest) else {
                self.at = self.code.len();
                return None;
            };
            self.at += len;
            if self.code[self.at] == quote {
                let end = self.at;
                self.at += 1;
                return Some(begin..end);
            }
            self.at += 2;
        }
    }

    /// A string up to the line that begins with its label.
    fn heredoc(&mut self) {
        self.at += 3;
        self.skip(|byte| matches!(byte, b' ' | b'\t'));
        self.skip(|byte| matches!(byte, b'\'' | b'"'));
        let begin = self.at;
        self.skip(is_word);
        let label = begin..self.at;
        if label.is_empty() {
            return;
        }
        loop {
            self.skip_past(b"\n");
            self.skip(|byte| matches!(byte, b' ' | b'\t'));
            let rest = self.code.get(self.at..).unwrap_or_default();
            let Some(behind) = rest.strip_prefix(&self.code[label.clone()]) else {
                if rest.is_empty() {
                    return;
                }
                continue;
            };
            if !behind.first().is_some_and(|&byte| is_word(byte)) {
                self.at += label.len();
                return;
            }
        }
    }

    fn skip(&mut self, skips: impl Fn(u8) -> bool) {
        let rest = self.code.get(self.at..).unwrap_or_default();
        let len = rest.iter().position(|&byte| !skips(byte));
        self.at += len.unwrap_or(rest.len());
    }

    fn skip_past(&mut self, end: &[u8]) {
        let rest = self.code.get(self.at..).unwrap_or_default();
        let found = memchr::memmem::find(rest, end);
        self.at = found.map_or(self.code.len(), |at| self.at + at + end.len());
    }

    /// A comment ends with its line, or with the code.
    fn skip_line(&mut self) {
        let rest = self.code.get(self.at..).unwrap_or_default();
        let line = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
        let end = memchr::memmem::find(&rest[..line], b"?>").unwrap_or(line);
        self.at += end.max(1).min(rest.len());
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'\\' || !byte.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(page: &str) -> Option<String> {
        Some(match declared(page.as_bytes())? {
            Declared::Charset(charset) => charset.name().to_owned(),
            Declared::Unknown(label) => format!("unknown {label}"),
        })
    }

    #[test]
    fn declarations_of_each_language() {
        for (page, expected) in [
            ("<%@ page pageEncoding=\"koi8-r\" %>", "KOI8-R"),
            (
                "<%@page contentType='text/html; charset=koi8-r'%>",
                "KOI8-R",
            ),
            // The declaration of the page counts, wherever it stands.
            (
                "<%@ page contentType=\"text/html;charset=UTF-8\" %><%@ page pageEncoding=\"koi8-r\" %>",
                "KOI8-R",
            ),
            (
                "<%@ page\n\timport=\"a.b\"\n\tpageEncoding = 'koi8-r'\n%>",
                "KOI8-R",
            ),
            ("<%@ tag pageEncoding='koi8-r' %>", "KOI8-R"),
            ("<jsp:directive.page pageEncoding='koi8-r'/>", "KOI8-R"),
            (
                "<jsp:directive.page contentType='text/html; charset=koi8-r'/>",
                "KOI8-R",
            ),
            ("<%@ CODEPAGE=1251 %>", "windows-1251"),
            ("<%@LANGUAGE=\"VBSCRIPT\" CODEPAGE=\"65001\"%>", "UTF-8"),
            (
                "<% @ language=vbscript %><%@ codepage = \"932\" language=vbscript %>",
                "Shift_JIS",
            ),
            ("<%@ codepage=20866 %>", "KOI8-R"),
            ("<%@ codepage=28592 %>", "ISO-8859-2"),
            ("<cfprocessingdirective pageencoding=\"koi8-r\">", "KOI8-R"),
            ("<CFPROCESSINGDIRECTIVE pageEncoding=koi8-r />", "KOI8-R"),
            ("<cfcontent type=\"text/html; charset=koi8-r\">", "KOI8-R"),
            (
                "<?php header('Content-Type: text/html; charset=koi8-r'); ?>",
                "KOI8-R",
            ),
            (
                "<?php\n\\header (\n \"content-type:text/html;charset=koi8-r\" ); ?>",
                "KOI8-R",
            ),
            ("<? ini_set('default_charset', 'koi8-r'); ?>", "KOI8-R"),
            (
                "<?php ini_set('default_charset','utf-8'); header('Content-type: text/html; charset=koi8-r');",
                "KOI8-R",
            ),
            (
                "<?php header('Content-Type: application/xhtml+xml; charset=koi8-r');",
                "KOI8-R",
            ),
            // Not in a comment of ColdFusion.
            (
                "<!--- a --->--->\n<cfprocessingdirective pageencoding='koi8-r'>",
                "KOI8-R",
            ),
            (
                "<!---- a -->\n<cfprocessingdirective pageencoding='koi8-r'>",
                "KOI8-R",
            ),
            ("<!--- <%@ page pageEncoding='koi8-r' %> --->", "KOI8-R"),
            (
                "<?php $a = 1 << 2; $b = <<<\"EOT\"\na\nEOT; header('Content-Type: text/html; charset=koi8-r');",
                "KOI8-R",
            ),
            ("<%@ page pageEncoding='x-foo' %>", "unknown x-foo"),
            ("<%@ codepage=99999 %>", "unknown cp99999"),
            (
                "<%@ page pageEncoding='x-foo' contentType='text/html; charset=koi8-r' %>",
                "KOI8-R",
            ),
        ] {
            assert_eq!(of(page).as_deref(), Some(expected), "{page}");
        }
    }

    #[test]
    fn what_declares_nothing() {
        for page in [
            "",
            "<%",
            "<%@",
            "<%@ page pageEncoding=",
            "<%-- <%@ page pageEncoding='koi8-r' %> --%>",
            "<%@ page pageEncoding='${encoding}' %>",
            "<%@ include file='pageEncoding=koi8-r' %>",
            "<%@ Page CodePage=1251 ResponseEncoding='koi8-r' %>",
            "<%@ codepage=0 %>",
            "<%@ codepage=x1251 %>",
            "<?php // header('Content-Type: text/html; charset=koi8-r');",
            "<?php # header('Content-Type: text/html; charset=koi8-r');",
            "<?php /* header('Content-Type: text/html; charset=koi8-r'); */",
            "<?php $a = \"header('Content-Type: text/html; charset=koi8-r');\";",
            "<?php $this->header('Content-Type: text/html; charset=koi8-r');",
            "<?php header('Content-Type: text/html; charset=' . $charset);",
            "<?php header(\"Content-Type: text/html; charset=$charset\");",
            "<?php header('Content-Type: application/json; charset=koi8-r');",
            "<?php header('Location: ?charset=koi8-r');",
            "<?php header('Content-Type: text/html",
            // Only one of the calls runs, and which one is not known.
            "<?php if ($a) header('Content-Type: text/html; charset=koi8-r'); else header('Content-Type: text/html; charset=utf-8');",
            "header('Content-Type: text/html; charset=koi8-r');",
            "<?xml version='1.0'?>header('Content-Type: text/html; charset=koi8-r');",
            "<!--- <cfprocessingdirective pageencoding='koi8-r'> --->",
            "<!--- a <!--- b ---> <cfcontent type='text/html; charset=koi8-r'> --->",
            "<?php $a = <<<EOT\nheader('Content-Type: text/html; charset=koi8-r');\n  EOT;",
            "<?php $a = <<<'A_B'\nA_BC\nheader('Content-Type: text/html; charset=koi8-r');\nA_B;",
            "<cfcontentx type=\"text/html; charset=koi8-r\">",
        ] {
            assert_eq!(of(page), None, "{page}");
        }
    }

    #[test]
    fn labels_stand_where_they_are() {
        let page = "é<%@ page pageEncoding=\"koi8-r\" contentType='text/html; charset=utf-8' %><?php header('Content-Type: text/html; charset=big5');";
        let labels = labels(page.as_bytes()).into_iter();
        let labels: Vec<_> = labels.map(|label| &page[label]).collect();
        assert_eq!(labels, ["koi8-r", "utf-8", "big5"]);
    }
}
