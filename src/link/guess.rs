//! Guesses the format of a document from its content.

use super::{Info, template_markup};
use crate::charset::simd::blocks::{InstructionSet, Kernel, Level, WIDTH};
use crate::charset::{Charset, ascii};
use crate::format::{Format, file_names};
use crate::markup::{
    CodeTokenizer, Language, PlaceKind, Step, Syntax, Tokenizer, Window, begins_json, begins_rtf,
    begins_sql, begins_tex,
};
use linkglot_mail::structure::{MailKind, mail_kind, may_become_mail};
use memchr::memmem::Finder;
use std::sync::LazyLock;

/// The format of a program file: HTML if a tag stands outside of the code, PHP if there is code alone; TeX, if a class
/// says so. O(length).
pub(crate) fn by_name_and_content(name: &str, head: &[u8]) -> Option<Format> {
    if file_names::may_be_tex(name) {
        let marks: [&[u8]; 3] = [
            b"\\ProvidesClass",
            b"\\NeedsTeXFormat",
            b"\\ProvidesExplClass",
        ];
        let has = |mark: &[u8]| memchr::memmem::find(head, mark).is_some();
        return marks.into_iter().any(has).then_some(Format::Tex);
    }
    if !file_names::may_be_page(name) || by_content(head) != Format::Text {
        return None;
    }
    if template_markup::outside_code(head).any(has_tag) && has_tag_outside_php(head) {
        return Some(Format::Html);
    }
    let has = |mark: &[u8]| memchr::memmem::find(head, mark).is_some();
    (has(b"<?php") || has(b"<?=") || ascii_start(head).trim_ascii_start().starts_with(b"<?"))
        .then_some(Format::Php)
}

/// The label in the XML declaration at the start of a document (XML 1.0 section 4.3.3).
pub(crate) fn xml_encoding(view: &[u8]) -> Option<&str> {
    let declaration = view.strip_prefix(b"<?xml")?;
    let end = memchr::memmem::find(&declaration[..declaration.len().min(256)], b"?>")?;
    let declaration = std::str::from_utf8(&declaration[..end]).ok()?;
    let (_, value) = declaration.split_once("encoding")?;
    let value = value.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|ch| matches!(ch, '"' | '\''))?;
    value[1..].split(quote).next()
}

/// True if a tag stands outside of the code of PHP. `?>` in a string does not end the code.
fn has_tag_outside_php(head: &[u8]) -> bool {
    let mut tokenizer = CodeTokenizer::new(Language::Php, head.len());
    let window = Window {
        bytes: head,
        // The head of a longer document may end in a string.
        last: head.len() < Info::HEAD,
        charset: Charset::UTF_8,
    };
    let mut cursor = 0;
    while let Step::Slot(slot) = tokenizer.step(window, &mut cursor) {
        let is_outside = slot.syntax == Syntax::Text && slot.place.kind == PlaceKind::Text;
        if is_outside && has_tag(&head[slot.range]) {
            return true;
        }
    }
    false
}

/// True if the bytes have a tag of HTML.
pub(super) fn has_tag(bytes: &[u8]) -> bool {
    memchr::memchr_iter(b'<', bytes).any(|at| {
        let behind = &bytes[at + 1..];
        let name = behind.strip_prefix(b"/").unwrap_or(behind);
        let end = name.iter().position(|byte| !byte.is_ascii_alphanumeric());
        let (name, behind) = name.split_at(end.unwrap_or(name.len()));
        let is_tag = behind
            .first()
            .is_some_and(|&byte| ascii::is_space(byte) || b"/>".contains(&byte));
        is_tag && HTML_STARTS.iter().any(|tag| name.eq_ignore_ascii_case(tag))
    })
}

/// The format that the first bytes of a document suggest.
pub(crate) fn by_content(head: &[u8]) -> Format {
    let start = ascii_start(head);
    let start = start.trim_ascii_start();
    if starts_with(start, b"<?xml") {
        return Format::Xml;
    }
    if let Some(format) = content_lines(start) {
        return format;
    }
    if starts_with(start, b"@charset") || starts_with(start, b"@import") {
        return Format::Css;
    }
    if begins_json(start) {
        return Format::Json;
    }
    if begins_sql(start) {
        return Format::Sql;
    }
    if begins_tex(start) {
        return Format::Tex;
    }
    let start = skip_prologue(start);
    if starts_with(start, b"<!doctype") {
        let name = start[9..].trim_ascii_start();
        return if starts_with(name, b"html") {
            Format::Html
        } else {
            Format::Xml
        };
    }
    match tag_name(start) {
        // `article`, `title`, `link` ... are names of other vocabularies, too.
        Some(name) if !name.eq_ignore_ascii_case(b"html") && has_other_namespace(start) => {
            Format::Xml
        }
        Some(name) if HTML_STARTS.iter().any(|tag| name.eq_ignore_ascii_case(tag)) => Format::Html,
        Some(_) if has_namespace(start) => Format::Xml,
        Some(name) if XML_STARTS.contains(&name) => Format::Xml,
        Some(_) => Format::Text,
        None => text_by_content(head),
    }
}

/// True if [`by_content`] surely gives the same answer whatever the new links in the head. Quick; false when in doubt.
pub(super) fn is_steady(head: &[u8]) -> bool {
    let start = ascii_start(head);
    let start = start.trim_ascii_start();
    let begins = |mark| starts_with(start, mark);
    if begins(b"<?xml") || begins(b"@charset") || begins(b"@import") {
        return true;
    }
    if content_lines(start).is_some() || begins_sql(start) {
        return true;
    }
    let rest = skip_prologue(start);
    let has_links = |bytes: &[u8]| {
        let mut bytes = bytes.iter();
        bytes.any(|byte| !byte.is_ascii() || b":./@=".contains(byte))
    };
    if has_links(&start[..start.len() - rest.len()]) {
        return false;
    }
    match rest.first() {
        _ if starts_with(rest, b"<!doctype") => true,
        Some(b'<') => {
            let end = memchr::memchr(b'>', rest);
            end.is_some_and(|end| !has_links(&rest[..end]))
        }
        Some(b'@' | b'{' | b'[' | b'%' | b'\\' | 0x1E) => false,
        _ => is_steady_text(head),
    }
}

/// True if text surely stays text, and mail mail, whatever the new links in the head. Quick; false when in doubt.
pub(super) fn is_steady_text(head: &[u8]) -> bool {
    !may_become_mail(head)
}

/// The format of content lines, whose objects begin with their name (RFC 5545 3.4, RFC 6350 6.1.1).
fn content_lines(start: &[u8]) -> Option<Format> {
    let begins = |line: &[u8]| {
        let behind = || start[line.len()..].first();
        starts_with(start, line) && behind().is_none_or(u8::is_ascii_whitespace)
    };
    match () {
        () if begins(b"begin:vcalendar") => Some(Format::Calendar),
        () if begins(b"begin:vcard") => Some(Format::VCard),
        () => None,
    }
}

/// True for a mailbox whose messages are not read one by one: those of MMDF and of Babyl.
pub(crate) fn is_other_mailbox(head: &[u8]) -> bool {
    let begins: [&[u8]; 2] = [b"\x01\x01\x01\x01\n", b"BABYL OPTIONS:"];
    begins.iter().any(|begin| head.starts_with(begin))
}

/// Mail or RTF, if the head is surely that; else text.
pub(super) fn text_by_content(head: &[u8]) -> Format {
    match mail_kind(head) {
        Some(MailKind::Message) => Format::Mail,
        Some(MailKind::Mailbox) => Format::Mailbox,
        None if begins_rtf(&ascii_start(head)) => Format::Rtf,
        None => Format::Text,
    }
}

/// Tags that an HTML document or fragment begins with (a start tag of another name is text, or
/// XML when it declares a namespace).
const HTML_STARTS: &[&[u8]] = &[
    b"html",
    b"head",
    b"title",
    b"meta",
    b"base",
    b"link",
    b"style",
    b"script",
    b"body",
    b"div",
    b"p",
    b"span",
    b"a",
    b"img",
    b"table",
    b"h1",
    b"h2",
    b"h3",
    b"h4",
    b"h5",
    b"h6",
    b"ul",
    b"ol",
    b"dl",
    b"font",
    b"center",
    b"b",
    b"i",
    b"br",
    b"hr",
    b"pre",
    b"form",
    b"frameset",
    b"iframe",
    b"article",
    b"section",
    b"header",
    b"footer",
    b"nav",
    b"main",
    b"blockquote",
    b"strong",
    b"em",
];

const XML_STARTS: &[&[u8]] = &[b"rss", b"feed", b"svg", b"urlset", b"sitemapindex", b"opml"];

/// Some ASCII of the head: its bytes, or every second byte for UTF-16.
fn ascii_start(head: &[u8]) -> Vec<u8> {
    const ENOUGH: usize = 2048;
    let head = &head[..head.len().min(2 * ENOUGH)];
    let (skip, wide) = match head {
        [0xEF, 0xBB, 0xBF, ..] => (3, false),
        [0xFE, 0xFF, ..] | [0xFF, 0xFE, ..] => (2, true),
        [0, b, ..] | [b, 0, ..] if *b != 0 => (0, true),
        _ => (0, false),
    };
    let bytes = head[skip..].iter().copied();
    if wide {
        bytes.filter(|&b| b != 0).collect()
    } else {
        bytes.take(ENOUGH).collect()
    }
}

fn starts_with(bytes: &[u8], lower: &[u8]) -> bool {
    bytes
        .get(..lower.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(lower))
}

/// The bytes behind comments, processing instructions and template markup.
fn skip_prologue(mut bytes: &[u8]) -> &[u8] {
    loop {
        let behind = template_markup::behind_marks(skip_misc(bytes));
        if behind.len() == bytes.len() {
            return bytes;
        }
        bytes = behind;
    }
}

/// The bytes behind white space, comments and processing instructions.
fn skip_misc(mut bytes: &[u8]) -> &[u8] {
    loop {
        bytes = bytes.trim_ascii_start();
        let (begin, end) = match bytes {
            [b'<', b'!', b'-', b'-', ..] => (4, &b"-->"[..]),
            [b'<', b'?', ..] => (2, &b"?>"[..]),
            _ => return bytes,
        };
        match memchr::memmem::find(&bytes[begin..], end) {
            Some(at) => bytes = &bytes[begin + at + end.len()..],
            None => return b"",
        }
    }
}

/// The bytes behind a document type declaration. In its internal subset quotes, comments and instructions hide
/// brackets.
fn skip_doctype(bytes: &[u8]) -> &[u8] {
    let (mut rest, mut depth) = (&bytes[9..], 0_usize);
    while let Some(at) = rest.iter().position(|b| b"\"'[]<>".contains(b)) {
        let from = &rest[at..];
        rest = match from[0] {
            quote @ (b'"' | b'\'') => match memchr::memchr(quote, &from[1..]) {
                Some(end) => &from[end + 2..],
                None => return b"",
            },
            b'<' if from.starts_with(b"<!--") || from.starts_with(b"<?") => skip_misc(from),
            b'>' if depth == 0 => return &from[1..],
            byte => {
                depth = match byte {
                    b'[' => depth + 1,
                    b']' => depth.saturating_sub(1),
                    _ => depth,
                };
                &from[1..]
            }
        };
    }
    b""
}

/// The name of the start tag that the bytes begin with.
fn tag_name(bytes: &[u8]) -> Option<&[u8]> {
    let name = bytes.strip_prefix(b"<")?;
    // Before the search for the end: a caller that asks at every `<` must not search the rest each time.
    name.first().filter(|first| first.is_ascii_alphabetic())?;
    let end = name
        .iter()
        .position(|&b| ascii::is_space(b) || b == b'>' || b == b'/')
        .unwrap_or(name.len());
    Some(&name[..end])
}

/// True if the first tag has a default namespace that is not that of XHTML.
fn has_other_namespace(bytes: &[u8]) -> bool {
    let end = memchr::memchr(b'>', bytes).unwrap_or(bytes.len());
    let tag = &bytes[..end];
    let declares = memchr::memmem::find_iter(tag, b"xmlns").find_map(|at| {
        let value = tag[at + 5..].trim_ascii_start().strip_prefix(b"=")?;
        Some(value.trim_ascii_start())
    });
    declares.is_some_and(|value| {
        let value = value.get(1..).unwrap_or_default();
        !value.is_empty() && !value.starts_with(b"http://www.w3.org/1999/xhtml")
    })
}

fn has_namespace(bytes: &[u8]) -> bool {
    let end = memchr::memchr(b'>', bytes).unwrap_or(bytes.len());
    memchr::memmem::find(&bytes[..end], b"xmlns").is_some()
}

/// True if the root element of an XML document is `html`.
pub fn is_xhtml(view: &[u8]) -> bool {
    let mut prolog = skip_misc(view);
    if starts_with(prolog, b"<!doctype") {
        prolog = skip_misc(skip_doctype(prolog));
    }
    // Text that is not well-formed may stand before the root element.
    let root = memchr::memchr_iter(b'<', prolog).find_map(|at| tag_name(&prolog[at..]));
    root.is_some_and(|name| name.rsplit(|&b| b == b':').next() == Some(b"html"))
}

/// True if the view has anything like `<base ` or `<h:base `: a cheap test before the document is read.
pub(crate) fn may_have_base(view: &[u8]) -> bool {
    may_have(view, true)
}

/// As [`may_have_base`], for HTML, whose element names have no prefixes.
pub(crate) fn may_have_html_base(view: &[u8]) -> bool {
    may_have(view, false)
}

fn may_have(view: &[u8], has_prefixes: bool) -> bool {
    if view.len() <= WIDTH {
        return (0..view.len()).any(|at| is_base(view, at));
    }
    Level::detect().run(Bases { view, has_prefixes })
}

/// The search for names that begin with `b`.
struct Bases<'v> {
    view: &'v [u8],
    has_prefixes: bool,
}

impl Kernel for Bases<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<I: InstructionSet>(self, set: I) -> bool {
        let last = self.view.len() - (I::LEN + 1);
        let mut at = 0;
        loop {
            let from = at.min(last);
            let own = set.load(self.view, from);
            let next = set.load(self.view, from + 1);
            let mut leads = set.equal(own, b'<');
            if self.has_prefixes {
                leads = leads | set.equal(own, b':');
            }
            let begins = leads & (set.equal(next, b'b') | set.equal(next, b'B'));
            let mut begins = set.bits(begins);
            while begins != 0 {
                if is_base(self.view, from + begins.trailing_zeros() as usize) {
                    return true;
                }
                begins &= begins - 1;
            }
            if from == last {
                return false;
            }
            at += I::LEN;
        }
    }
}

/// As [`may_have_base`], for XML, whose element names have one case.
pub(crate) fn may_have_xml_base(view: &[u8]) -> bool {
    static BASE: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("base"));
    let mut leads = BASE.find_iter(view).filter_map(|at| at.checked_sub(1));
    leads.any(|lead| is_base(view, lead))
}

/// True if `base`, as a whole local name, stands behind a `<` or `:`.
fn is_base(view: &[u8], lead: usize) -> bool {
    matches!(view[lead], b'<' | b':')
        && starts_with(&view[lead + 1..], b"base")
        && view
            .get(lead + 5)
            .is_none_or(|&byte| ascii::is_space(byte) || byte == b'/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents() {
        let cases: &[(&[u8], Format)] = &[
            (b"", Format::Text),
            (b"  \n<!DOCTYPE HTML PUBLIC", Format::Html),
            (b"<!-- x --><html>", Format::Html),
            (b"<?xml version='1.0'?>", Format::Xml),
            (b"<!DOCTYPE book SYSTEM 'x'>", Format::Xml),
            (b"<x:y xmlns:x='urn:a'>", Format::Xml),
            (b"<foo@example.org> wrote:", Format::Text),
            (b"<rss version='2.0'>", Format::Xml),
            (b"<!-- <html> --><?x y?><rss>", Format::Xml),
            (b"<!-- <rss> --> <!-- x --><p>", Format::Html),
            (b"<?php echo '<x>' ?>\n<!DOCTYPE html>", Format::Html),
            (
                b"<article xmlns='http://docbook.org/ns/docbook'>",
                Format::Xml,
            ),
            (b"<div xmlns='http://www.w3.org/1999/xhtml'>", Format::Html),
            (b"<a xmlns:x='urn:x'>", Format::Html),
            (b"@charset \"x\";", Format::Css),
            (b"\xFF\xFE<\0h\0t\0m\0l\0>\0", Format::Html),
            (b"\0<\0?\0x\0m\0l", Format::Xml),
            (b"hello http://example.org/", Format::Text),
            (
                b"\xEF\xBB\xBFBEGIN:VCALENDAR\r\nVERSION:2.0",
                Format::Calendar,
            ),
            (b"\n\nbegin:vcard\r", Format::VCard),
            (b"BEGIN:VCARDS\n", Format::Text),
            (b" {\n \"a\": [1, \"b\"", Format::Json),
            (b"\x1E[\"a\"]\n\x1E{}", Format::Json),
            (b"[\0\"\0a\0\"\0]\0", Format::Json),
            (b"{a: \"b\"}", Format::Text),
            (b"% a\n\\documentclass[a4]{b}", Format::Tex),
            (b"\\documentclasses", Format::Text),
            (b"[\"a\"](http://a.example/)", Format::Text),
            (b"[1] http://a.example/", Format::Text),
            (b"{{ \"a\" }}", Format::Text),
        ];
        for (head, format) in cases {
            assert_eq!(by_content(head), *format, "{head:?}");
        }
    }

    #[test]
    fn bases() {
        for gap in 0..140 {
            let around = "x".repeat(gap);
            for (tag, expected) in [
                ("<base href=x>", true),
                ("<BASE\n", true),
                ("<base/href=x>", true),
                ("<h:base href='x'/>", true),
                ("<base", true),
                ("<basefont >", false),
                ("base <bass ", false),
            ] {
                let page = format!("{around}{tag}");
                assert_eq!(may_have_base(page.as_bytes()), expected, "{gap} {tag}");
                // A tag with a prefix may be found or not.
                let html = may_have_html_base(page.as_bytes());
                assert!(html == expected || tag.contains(':'), "{gap} {tag}");
                let lower = expected && tag.contains("base");
                assert_eq!(may_have_xml_base(page.as_bytes()), lower, "{gap} {tag}");
                let page = format!("{page} {around}");
                assert_eq!(may_have_base(page.as_bytes()), expected, "{gap} {tag}");
            }
        }
    }

    #[test]
    fn xhtml() {
        assert!(is_xhtml(
            b"<?xml version='1.0'?><!DOCTYPE html><html xmlns='x'>"
        ));
        assert!(is_xhtml(b"<h:html>"));
        for prolog in [
            "<!-- <a> -->",
            "<?x <a> ?>\n<!-- <b> --> <!--c-->",
            "<!DOCTYPE html [<!ENTITY a '<a>]>'> <!-- ]> <b> --> <?c ]> <d> ?>]>",
            "<!doctype html PUBLIC \"[<a>\" '>'><!-- <b> -->",
            "stray",
        ] {
            let page = |root: &str| format!("<?xml version='1.0'?>{prolog}<{root} a='<html>'>");
            assert!(is_xhtml(page("html").as_bytes()), "{prolog}");
            assert!(is_xhtml(page("x:html").as_bytes()), "{prolog}");
            assert!(!is_xhtml(page("feed").as_bytes()), "{prolog}");
        }
        for open in [
            "<!-- <html>",
            "<!DOCTYPE x [ <html>",
            "<!DOCTYPE x '<html>",
            "<?x <html>",
        ] {
            assert!(!is_xhtml(open.as_bytes()), "{open}");
        }
        assert!(!is_xhtml(b"<svg><html/></svg>"));
    }
}
