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

use crate::ascii::is_space;
use crate::charset::Charset;
use crate::prescan::{Attributes, Declared, declarable, in_content};
use crate::simd::blocks::InstructionSet;
use crate::simd::pairs::{Pair, next_pair};
use crate::vocabulary::{Label, Vocabulary};
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

/// Words of PHP that end a block which a colon has opened.
const ENDS_OF_BLOCKS: [&[u8]; 5] = [
    b"endif",
    b"endwhile",
    b"endfor",
    b"endforeach",
    b"endswitch",
];

/// Words of PHP behind which no code runs.
const ENDS: [&[u8]; 5] = [b"exit", b"die", b"return", b"goto", b"__halt_compiler"];

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

/// A call that declares a charset, with the string that names it.
enum Call {
    Header(Range<usize>),
    DefaultCharset(Range<usize>),
}

/// Code of PHP, read call by call.
struct Php<'c> {
    code: Code<'c>,
    /// The number of blocks that are open: `{`, or `:` behind a condition.
    blocks: usize,
    /// True behind a colon that opens a block, unless it turns out to be that of a return type.
    is_colon: bool,
    /// True behind a statement that ends the code.
    has_ended: bool,
    /// The last byte that is no white space and no `@`, or a letter for a word.
    last: u8,
}

impl Php<'_> {
    /// The next call of interest, and whether it is made whenever the code runs: as a statement of its own, in no
    /// block. `None`: the code ends.
    fn call(&mut self) -> Option<(Call, bool)> {
        loop {
            let code = &mut self.code;
            match code.rest() {
                [] => return None,
                [b'?', b'>', ..] => {
                    code.at += 2;
                    return None;
                }
                [b'/', b'*', ..] => code.skip_past(b"*/"),
                [b'/', b'/', ..] => code.skip_line(b"?>"),
                [b'#', next, ..] if *next != b'[' => code.skip_line(b"?>"),
                [b'\'' | b'"' | b'`', ..] => {
                    code.string();
                    self.last = b'"';
                }
                [b'<', b'<', b'<', ..] => {
                    code.heredoc();
                    self.last = b'"';
                }
                [first, ..] if is_word(*first) => {
                    let is_statement = matches!(self.last, b';' | b'}');
                    let is_made = self.blocks == 0 && is_statement && !self.has_ended;
                    // `$header(`, `->header(` and `::header(` call other functions.
                    let is_other = matches!(self.last, b'$' | b'>' | b':');
                    let word = code.word();
                    let word = word.strip_prefix(b"\\").unwrap_or(word);
                    self.last = b'a';
                    if is_other {
                        continue;
                    }
                    let is = |words: &[&[u8]]| {
                        words.iter().any(|known| word.eq_ignore_ascii_case(known))
                    };
                    if is(&ENDS_OF_BLOCKS) {
                        self.blocks = self.blocks.saturating_sub(1);
                    }
                    self.has_ended |= is_made && is(&ENDS);
                    if word.eq_ignore_ascii_case(b"header") {
                        if let Some(string) = code.argument(b'(') {
                            // More of the field may follow.
                            let is_whole = code.next_is(|byte| matches!(byte, b')' | b','));
                            return Some((Call::Header(string), is_made && is_whole));
                        }
                    } else if word.eq_ignore_ascii_case(b"ini_set")
                        && let Some(name) = code.argument(b'(')
                        && code.code[name] == *b"default_charset"
                        && let Some(value) = code.argument(b',')
                    {
                        return Some((Call::DefaultCharset(value), is_made));
                    }
                }
                [byte, ..] => {
                    let is_colon = *byte == b':' && self.last == b')';
                    match byte {
                        b':' if is_colon => self.blocks += 1,
                        // The block of a function: the colon was that of its type.
                        b'{' if self.is_colon => {}
                        b'{' => self.blocks += 1,
                        b'}' => self.blocks = self.blocks.saturating_sub(1),
                        _ => {}
                    }
                    if !is_space(*byte) && *byte != b'@' {
                        self.last = *byte;
                        self.is_colon = is_colon || self.is_colon && matches!(byte, b'?' | b'|');
                    }
                    code.at += 1;
                }
            }
        }
    }
}

/// Code of a server page, read from a place.
struct Code<'c> {
    code: &'c [u8],
    at: usize,
}

impl<'c> Code<'c> {
    fn rest(&self) -> &'c [u8] {
        self.code.get(self.at..).unwrap_or_default()
    }

    /// The word that comes next.
    fn word(&mut self) -> &'c [u8] {
        let begin = self.at;
        self.skip(is_word);
        &self.code[begin..self.at]
    }

    /// True if the next byte that is no white space is one of these.
    fn next_is(&mut self, is: impl Fn(u8) -> bool) -> bool {
        self.skip(is_space);
        self.rest().first().is_some_and(|byte| is(*byte))
    }

    /// The next word of classic ASP, with its dots. `None`: the code ends.
    fn word_of_asp(&mut self) -> Option<&'c [u8]> {
        loop {
            match self.rest() {
                [] => return None,
                [b'\'', ..] | [b'/', b'/', ..] => self.skip_line(b"%>"),
                [b'/', b'*', ..] => self.skip_past(b"*/"),
                [b'"', ..] => {
                    self.string();
                }
                [first, ..] if is_word(*first) => {
                    let begin = self.at;
                    self.skip(|byte| is_word(byte) || byte == b'.');
                    let word = &self.code[begin..self.at];
                    if word.eq_ignore_ascii_case(b"rem") {
                        self.skip_line(b"%>");
                        continue;
                    }
                    return Some(word);
                }
                _ => self.at += 1,
            }
        }
    }

    /// True if a statement begins with the word of this length in front of the place.
    fn begins_statement(&self, length: usize) -> bool {
        let before = self.code[..self.at - length].iter().rev();
        let mut before = before.skip_while(|byte| matches!(byte, b' ' | b'\t'));
        // The code begins behind `<%`.
        before
            .next()
            .is_none_or(|byte| matches!(byte, b'\n' | b'\r' | b':' | b';' | b'%' | b'}'))
    }

    /// The string behind `=` that is all of a value.
    fn assigned(&mut self) -> Option<Range<usize>> {
        let string = self.argument(b'=')?;
        self.skip(|byte| matches!(byte, b' ' | b'\t'));
        let is_whole = matches!(
            self.rest(),
            [] | [b'\n' | b'\r' | b':' | b';' | b'\'' | b'/' | b'}', ..]
        );
        is_whole.then_some(string)
    }

    /// The string that comes next, maybe behind an opening bracket.
    fn string_next(&mut self) -> Option<Range<usize>> {
        self.skip(|byte| is_space(byte) || byte == b'(');
        match self.rest() {
            [b'"', ..] => self.string(),
            _ => None,
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

    /// A comment ends with its line, or with the code, which `closing` ends.
    fn skip_line(&mut self, closing: &[u8]) {
        let rest = self.code.get(self.at..).unwrap_or_default();
        let line = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
        let end = memchr::memmem::find(&rest[..line], closing).unwrap_or(line);
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

    /// A head may end anywhere.
    #[test]
    fn constructs_are_found_in_blocks() {
        for at in [0, 1, 63, 64, 65, 130] {
            for second in 0..=u8::MAX {
                let mut text = vec![b' '; at];
                text.extend_from_slice(&[b'<', second, b' ', b'<']);
                let found = next_pair::<MayBeCode>(&text, 0);
                let expected = MayBeCode::is_marked(b'<', second).then_some(at);
                assert_eq!(found, expected, "{at} {second}");
            }
        }
    }

    #[test]
    fn heads_that_are_cut() {
        let page = "<p><?php \"a\\\\\" . '\\'' . `\\`` . <<<A\n\\\nA; /* */ // ?><%@ page a=\"\\\" %><cfset a='\\'>\
            <jsp:x a='b'/><% Response.Charset = \"a\" %><!--- --->";
        for end in 0..=page.len() {
            for start in 0..end {
                declared(&page.as_bytes()[start..end]);
            }
        }
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
            // Browsers read the bytes in the charset of the response.
            (
                "<%@ CODEPAGE=1252 %><% Response.Charset = \"koi8-r\" %>",
                "KOI8-R",
            ),
            (
                "<%@ CODEPAGE=1252 %><%\n' a comment\nresponse.addheader \"Content-Type\", \"text/html; charset=koi8-r\"\n%>",
                "KOI8-R",
            ),
            (
                "<% Response.ContentType=\"text/html; charset=koi8-r\" %>",
                "KOI8-R",
            ),
            ("<%@ CODEPAGE=65001 %>é", "UTF-8"),
            // Directives hold wherever they stand.
            (
                "<% if (a) { %>b<% } %><%@ page pageEncoding=\"koi8-r\" %>",
                "KOI8-R",
            ),
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
            // Behind blocks and conditions that have ended.
            (
                "<?php if ($a): b(); endif; header('Content-Type: text/html; charset=koi8-r', true);",
                "KOI8-R",
            ),
            (
                "<?php function f(): ?int { return 1; } header('Content-Type: text/html; charset=koi8-r');",
                "KOI8-R",
            ),
            (
                "<?php if ($a) { exit; } header('Content-Type: text/html; charset=koi8-r');",
                "KOI8-R",
            ),
            (
                "<?php function f() { return 1; } @header('Content-Type: text/html; charset=koi8-r');",
                "KOI8-R",
            ),
            (
                "<?php if ($a) { ?>a<?php } ?><?php header('Content-Type: text/html; charset=koi8-r');",
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
            // Code that may not run.
            "<?php if ($csv) { header('Content-Type: text/html; charset=koi8-r'); }",
            "<?php if ($csv) header('Content-Type: text/html; charset=koi8-r');",
            "<?php if ($csv) { ?>a<?php header('Content-Type: text/html; charset=koi8-r'); } ?>",
            "<?php if ($csv): ?><?php header('Content-Type: text/html; charset=koi8-r'); ?><?php endif; ?>",
            "<?php if ($csv): a(); header('Content-Type: text/html; charset=koi8-r'); endif;",
            "<?php switch ($a): case 1: a(); header('Content-Type: text/html; charset=koi8-r');",
            "<?php exit; header('Content-Type: text/html; charset=koi8-r');",
            "<?php if ($a) { $b = `}`; header('Content-Type: text/html; charset=koi8-r'); }",
            "<?php header('Content-Type: text/html; charset=koi8-r' . $a);",
            "<% Rem Response.Charset = \"koi8-r\"\n %>",
            "<% // Response.Charset = \"koi8-r\"\n %>",
            "<% /* Response.Charset = \"koi8-r\" */ %>",
            "<% x = Response.Charset = \"koi8-r\" %>",
            "<% Response.Charset = \"koi8-r\" & x %>",
            "<% Response.End\nResponse.Charset = \"koi8-r\" %>",
            "<?php $csv and header('Content-Type: text/html; charset=koi8-r');",
            "<?php function f() { header('Content-Type: text/html; charset=koi8-r'); }",
            "<?php if ($a) { ini_set('default_charset', 'koi8-r'); }",
            "<% If csv Then\n Response.Charset = \"koi8-r\" %>",
            "<% If csv Then %>a<% Response.Charset = \"koi8-r\" %>",
            "<% x = \"a %><!-- Response.Charset = \"koi8-r\" -->",
            "<% ' Response.Charset = \"koi8-r\" %>",
            "<% s = \"Response.Charset = \" %>",
            // The page is in UTF-8, whatever its code is run in.
            "<%@ CODEPAGE=1252 %>été",
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
        let labels: Vec<_> = labels.map(|label| &page[label.place]).collect();
        assert_eq!(labels, ["koi8-r", "utf-8", "big5"]);
    }
}
