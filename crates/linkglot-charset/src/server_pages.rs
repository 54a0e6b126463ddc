//! Declarations in the code of server pages: JSP, ASP, PHP, ColdFusion.
//!
//! The charset that a page is written in comes first, then that of the response. Servers send the
//! bytes of a page as they stand, or in the charset of the response; browsers go by the response.
//!
//! - JSP: `pageEncoding`, then the charset of `contentType` (JSP 2.3, JSP.4.1.1), as a directive
//!   (`<%@ page ... %>`) and in XML syntax (`<jsp:directive.page ... />`).
//! - Classic ASP: `Response.Charset`, `Response.ContentType` and a header of the response, in which browsers read the
//!   bytes of the page; else `<%@ CODEPAGE=1251 %>`, the number of a code page of Windows, unless the bytes are UTF-8.
//!   The directives of ASP.NET name only the charset of the response; the file may be in another.
//! - ColdFusion: `<cfprocessingdirective pageencoding>`, then `<cfcontent type>`.
//! - PHP: `header("Content-Type: ...")` of HTML, then `ini_set("default_charset", ...)`. Calls that disagree
//!   decide nothing: which of them runs is not known. Nor do calls in a block, a function, or behind a condition.

mod code;
mod php;
#[cfg(test)]
mod tests;

use crate::ascii::is_space;
use crate::charset::Charset;
use crate::prescan::{Attributes, Declared, declarable, in_content};
use crate::simd::blocks::InstructionSet;
use crate::simd::pairs::{Pair, next_pair};
use crate::vocabulary::{Label, Vocabulary};
use code::Code;
use php::{Call, Php};
use std::collections::BTreeMap;
use std::ops::Range;

/// Subject of a declaration, in order of precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// The bytes of the page.
    Page,
    /// The response.
    Response,
    /// The code that runs on the server, if nothing declares the charset of the response.
    CodePage,
    /// The response, if no header declares its charset.
    Default,
}

/// A declaration in code.
struct ServerDeclaration {
    rank: Rank,
    declared: Declared,
    /// Place of the label, or of the number of a code page.
    label: Range<usize>,
    /// True if nothing in the code may keep the declaration from being made.
    runs: bool,
}

/// The charset that the code of a page declares. Linear.
pub(crate) fn declared(head: &[u8]) -> Option<Declared> {
    let all = declarations(head);
    let mut found = None;
    for rank in [Rank::Page, Rank::Response, Rank::CodePage, Rank::Default] {
        let of_rank = of_rank(&all, rank);
        let contradicts = rank == Rank::CodePage
            && of_rank != Some(Declared::Charset(Charset::UTF_8))
            && is_utf8_beyond_ascii(head);
        found = Declared::or(found, || of_rank.filter(|_| !contradicts));
    }
    found
}

/// True if the code of a page declares charsets. Linear.
pub(crate) fn has_declarations(head: &[u8]) -> bool {
    !declarations(head).is_empty()
}

/// The charsets that code declares which may not run.
pub(crate) fn possible(head: &[u8]) -> impl Iterator<Item = Charset> {
    let all = declarations(head).into_iter().filter(|one| !one.runs);
    all.filter_map(|one| match one.declared {
        Declared::Charset(charset) => Some(charset),
        Declared::Unknown(_) => None,
    })
}

/// True for UTF-8 with characters beyond ASCII; the last one may be cut off.
fn is_utf8_beyond_ascii(head: &[u8]) -> bool {
    let is_utf8 = match std::str::from_utf8(head) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    };
    is_utf8 && !head.is_ascii()
}

/// The labels of declarations, in order.
pub(crate) fn labels(head: &[u8]) -> Vec<Label> {
    let all = declarations(head).into_iter();
    let labels = all.map(|ServerDeclaration { rank, label, .. }| Label {
        place: label,
        vocabulary: match rank {
            Rank::CodePage => Vocabulary::CodePage,
            _ => Vocabulary::Web,
        },
    });
    labels.collect()
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

/// The first declaration of a rank that is made and names a charset. Declarations about the response must agree.
fn of_rank(all: &[ServerDeclaration], rank: Rank) -> Option<Declared> {
    let of_rank = all.iter().filter(|one| one.rank == rank);
    let mut found = None;
    let is_open = rank != Rank::Page
        && of_rank.clone().any(|one| {
            let first = found.get_or_insert(&one.declared);
            **first != one.declared
        });
    if is_open {
        return None;
    }
    let mut of_rank = of_rank.filter(|one| one.runs);
    let first = of_rank.next()?.declared.clone();
    let known = of_rank.find(|one| matches!(one.declared, Declared::Charset(_)));
    Declared::or(Some(first), || known.map(|one| one.declared.clone()))
}

fn declarations(head: &[u8]) -> Vec<ServerDeclaration> {
    let mut page = Page {
        head,
        found: Vec::new(),
        runs: true,
        is_conditional: false,
        blocks: 0,
        has_ended: false,
        comment: 0,
        comments: None,
    };
    let mut at = 0;
    while let Some(begin) = next_pair::<MayBeCode>(head, at) {
        // A head may end within an escape of a string.
        at = page.construct(begin).unwrap_or(head.len()).min(head.len());
    }
    page.found
}

/// Bytes at which a construct may begin. Most tags begin none.
struct MayBeCode;

impl Pair for MayBeCode {
    #[inline(always)]
    fn marks<I: InstructionSet>(set: I, first: I::Bytes, second: I::Bytes) -> I::Mask {
        let is_mark = set.equal(second, b'%') | set.equal(second, b'!') | set.equal(second, b'?');
        let is_jsp = set.equal(second, b'j') | set.equal(second, b'J');
        let is_cf = set.equal(second, b'c') | set.equal(second, b'C');
        set.equal(first, b'<') & (is_mark | is_jsp | is_cf)
    }

    fn is_marked(first: u8, second: u8) -> bool {
        first == b'<' && matches!(second, b'%' | b'!' | b'?' | b'j' | b'J' | b'c' | b'C')
    }
}

/// A page that is searched.
struct Page<'h> {
    head: &'h [u8],
    found: Vec<ServerDeclaration>,
    /// True if the code that is read runs whenever the page is served.
    runs: bool,
    /// True if classic ASP has had a condition.
    is_conditional: bool,
    /// The number of blocks of PHP that are open.
    blocks: usize,
    /// True behind a statement that ends the code of PHP.
    has_ended: bool,
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
        } else if rest.starts_with(b"<%") {
            let end = at + memchr::memmem::find(rest, b"%>")?;
            self.asp(at + 2, end);
            Some(end + 2)
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
        } else if let Some(tag) = php_tag(rest) {
            Some(self.php(at + tag))
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
        self.attributes(at, |page, name, value, at| {
            // The name of a directive has no value.
            is_asp &= !value.is_empty() || name == b"%";
            if is_asp && name == b"codepage" {
                page.code_page(value, at);
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
                label: at..at + label.len(),
                runs: self.runs,
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

    /// The number of a code page at a place.
    fn code_page(&mut self, number: &[u8], at: usize) {
        let is_number = number.iter().all(u8::is_ascii_digit) && number != b"0";
        let label = [b"cp", number].concat();
        if let Some(declared) = declarable(&label).filter(|_| is_number) {
            self.found.push(ServerDeclaration {
                rank: Rank::CodePage,
                declared,
                label: at..at + number.len(),
                runs: true,
            });
        }
    }

    /// Reads a piece of classic ASP. What stands behind a word of [`CONDITIONS`] may not run: where the condition ends
    /// is not read.
    fn asp(&mut self, at: usize, end: usize) {
        let head = self.head;
        let code = &head[..end];
        let mut code = Code { code, at };
        while let Some(word) = code.word_of_asp() {
            let is = |name: &[u8]| word.eq_ignore_ascii_case(name);
            self.is_conditional |= CONDITIONS.iter().any(|condition| is(condition));
            self.runs = !self.is_conditional;
            let is_statement = code.begins_statement(word.len());
            if is(b"response.charset") && is_statement {
                if let Some(string) = code.assigned() {
                    self.label(Rank::Response, &head[string.clone()], string.start);
                }
            } else if is(b"response.contenttype") && is_statement {
                let string = code.assigned();
                string.into_iter().for_each(|string| self.response(string));
            } else if is(b"response.addheader")
                && let Some(name) = code.string_next()
                && head[name].eq_ignore_ascii_case(b"content-type")
                && let Some(string) = code.argument(b',')
            {
                self.response(string);
            }
        }
        self.runs = true;
    }

    /// A content type at a place.
    fn response(&mut self, place: Range<usize>) {
        let value = self.head[place.clone()].to_ascii_lowercase();
        self.content_type(&value, place.start);
    }

    /// Reads code of PHP; returns its end.
    fn php(&mut self, at: usize) -> usize {
        let head = self.head;
        let code = Code { code: head, at };
        let mut php = Php {
            code,
            blocks: self.blocks,
            is_colon: false,
            has_ended: self.has_ended,
            last: b';',
        };
        while let Some((call, is_made)) = php.call() {
            self.runs = is_made;
            match call {
                Call::Header(string) => {
                    let field = head[string.clone()].to_ascii_lowercase();
                    if let Some(content) = content_of_header(&field) {
                        self.response(string.start + content..string.end);
                    }
                }
                Call::DefaultCharset(string) => {
                    self.label(Rank::Default, &head[string.clone()], string.start);
                }
            }
        }
        self.runs = true;
        self.blocks = php.blocks;
        self.has_ended = php.has_ended;
        php.code.at
    }
}

/// Words of VBScript, in small letters, behind which code may not run, or not once.
const CONDITIONS: [&[u8]; 10] = [
    b"response.end",
    b"exit",
    b"if",
    b"select",
    b"sub",
    b"function",
    b"for",
    b"do",
    b"while",
    b"class",
];

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

/// The length of the tag that PHP begins with: `<?php`, `<?=` or `<?` and white space.
fn php_tag(bytes: &[u8]) -> Option<usize> {
    let is_short = matches!(bytes, [b'<', b'?', next, ..] if is_space(*next) || *next == b'=');
    let begin = bytes.get(..5);
    let is_long = begin.is_some_and(|begin| begin.eq_ignore_ascii_case(b"<?php"));
    is_long.then_some(5).or(is_short.then_some(2))
}
