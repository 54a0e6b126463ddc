//! Hostile input of any length, for `.ci/linear`, which counts the instructions of each case.
//!
//! Tests cannot measure time, which depends on the machine. Instructions are the same in every run.
//!
//!     hostile ROAD LENGTH... only=CASE...
//!                 runs each case of the road (or only those, counted from 0) at each length
//!     hostile     runs each case of each road once, to see that it can be run
//!     hostile write FOLDER LENGTH CHARSET
//!                 writes each document, those of [`growth`] too, to a file for `.ci/budget`, and prints the names of
//!                 the file and of the case
//!
//! The roads `growth-...` are the modes of [`growth`], over its documents; without `growth-`, over the documents here.
//!
//! The count covers the work between [`case_begins`] and [`case_ends`]; a line (case, length) follows.

#[path = "hostile/growth.rs"]
mod growth;

use linkglot::Charset;
use linkglot::document::{Document, Settings};
use linkglot::format::Format;
use linkglot::rewrite::{Form, HostForm, Rewriter, Rules};
use linkglot::stream::read_links;
use linkglot_iri::target::Reading;
use linkglot_iri::{
    self as iri, CharacterReferences, Lenient, Level, Parts, Preprocess, Spaces, Strictness, ToIri,
    ToUri, normalize, parse, resolve, warnings,
};
use std::hint::black_box;
use std::io::Read;
use std::ops::ControlFlow;

/// A kind of document: its head, the unit that is then repeated, and its tail.
struct Case {
    format: Format,
    head: &'static str,
    unit: &'static str,
    tail: &'static str,
}

/// A road of the input, named by the first argument.
struct Road {
    name: &'static str,
    charset: &'static str,
    run: fn(&[u8], &Settings),
}

const ROADS: &[Road] = &[
    Road {
        name: "find",
        charset: "utf-8",
        run: find,
    },
    Road {
        name: "find-gb18030",
        charset: "gb18030",
        run: find,
    },
    Road {
        name: "find-utf-16",
        charset: "utf-16le",
        run: find,
    },
    Road {
        name: "stream",
        charset: "utf-8",
        run: stream_to_uri,
    },
    Road {
        name: "stream-iso-2022-jp",
        charset: "iso-2022-jp",
        run: stream,
    },
    Road {
        name: "uri",
        charset: "utf-8",
        run: to_uri,
    },
    Road {
        name: "uri-windows-1252",
        charset: "windows-1252",
        run: to_uri,
    },
    Road {
        name: "iri",
        charset: "utf-8",
        run: to_iri,
    },
    Road {
        name: "left-behind",
        charset: "utf-8",
        run: left_behind,
    },
];

/// The road of single references, which are not documents.
const MAPPING: &str = "mapping";

/// The road of rules, which are read, checked and applied to a small page.
const RULES: &str = "rules";

/// Forms of numerous rules; `{}` is the number of each.
const RULE_LINES: &[&str] = &[
    "http://old.example/{}/ https://new.example/{}/\n",
    "http://old.example/%7e{}/ http://old.example/\u{e9}/{}/\n",
    "http://h{}.example/ https://h{}.new.example/\n",
    "b{}.example B{}.new.example/blog\n",
    "/a/{} /b/{}\n",
];

fn find(source: &[u8], settings: &Settings) {
    black_box(Document::new(source, settings).links().count());
}

/// A reader that gives a few bytes at a time.
struct Dripping<'s>(&'s [u8]);

impl Read for Dripping<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let size = buffer.len().min(500).min(self.0.len());
        buffer[..size].copy_from_slice(&self.0[..size]);
        self.0 = &self.0[size..];
        Ok(size)
    }
}

fn stream(source: &[u8], settings: &Settings) {
    let read = read_links(&mut Dripping(source), settings, &mut |link, _| {
        black_box(link.text().len());
        ControlFlow::Continue(())
    });
    black_box(read.is_ok());
}

fn stream_to_uri(source: &[u8], settings: &Settings) {
    let rewriter = Rewriter::new().to(Form::Uri).settings(settings.clone());
    let mut reader = Dripping(source);
    black_box(rewriter.rewrite(&mut reader, &mut std::io::sink()).is_ok());
}

fn to_uri(source: &[u8], settings: &Settings) {
    let rewriter = Rewriter::new().to(Form::Uri).settings(settings.clone());
    black_box(rewriter.rewrite_slice(source).content);
}

fn to_iri(source: &[u8], settings: &Settings) {
    let rewriter = Rewriter::new().to(Form::Iri).settings(settings.clone());
    black_box(rewriter.rewrite_slice(source).content);
}

/// A move that lists what it leaves, with the text around links and mentions.
fn left_behind(source: &[u8], settings: &Settings) {
    let mut rules = Rules::default();
    let rule = rules.add("http://a.example/ http://b.example/");
    rule.expect("a rule");
    let rewriter = Rewriter::new().to(Form::Uri).rules(rules);
    let rewriter = rewriter.left_behind(true).excerpts(true);
    let mut reader = Dripping(source);
    let watched = rewriter.settings(settings.clone()).on_link(|outcome, _| {
        black_box(outcome.excerpt.is_some());
    });
    black_box(watched.rewrite(&mut reader, &mut std::io::sink()).is_ok());
}

const fn text(head: &'static str, unit: &'static str) -> Case {
    Case {
        format: Format::Text,
        head,
        unit,
        tail: "",
    }
}

#[cfg(feature = "markdown")]
const MARKDOWN: Format = Format::Markdown;
#[cfg(not(feature = "markdown"))]
const MARKDOWN: Format = Format::Text;

const fn markdown(head: &'static str, unit: &'static str) -> Case {
    Case {
        format: MARKDOWN,
        head,
        unit,
        tail: "",
    }
}

const fn rst(head: &'static str, unit: &'static str) -> Case {
    Case {
        format: Format::Rst,
        head,
        unit,
        tail: "",
    }
}

const fn lines(format: Format, unit: &'static str) -> Case {
    Case {
        format,
        head: "",
        unit,
        tail: "",
    }
}

const fn rtf(unit: &'static str) -> Case {
    Case {
        format: Format::Rtf,
        head: "{\\rtf1\\ansi ",
        unit,
        tail: "",
    }
}

const fn html(head: &'static str, unit: &'static str, tail: &'static str) -> Case {
    Case {
        format: Format::Html,
        head,
        unit,
        tail,
    }
}

const fn xml(head: &'static str, unit: &'static str) -> Case {
    Case {
        format: Format::Xml,
        head,
        unit,
        tail: "",
    }
}

/// The head of a paragraph of WordprocessingML.
const WORD: &str =
    "<w:p xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'><w:r><w:t>";

/// The head of a paragraph of OpenDocument.
const OPEN: &str = "<text:p xmlns:text='urn:oasis:names:tc:opendocument:xmlns:text:1.0' \
                    xmlns:xlink='http://www.w3.org/1999/xlink'>";

const fn css(head: &'static str, unit: &'static str) -> Case {
    Case {
        format: Format::Css,
        head,
        unit,
        tail: "",
    }
}

const fn mail(head: &'static str, unit: &'static str, tail: &'static str) -> Case {
    Case {
        format: Format::Mail,
        head,
        unit,
        tail,
    }
}

const fn mailbox(unit: &'static str) -> Case {
    Case {
        format: Format::Mailbox,
        head: "",
        unit,
        tail: "",
    }
}

const fn calendar(head: &'static str, unit: &'static str) -> Case {
    Case {
        format: Format::Calendar,
        head,
        unit,
        tail: "",
    }
}

const fn vcard(head: &'static str, unit: &'static str) -> Case {
    Case {
        format: Format::VCard,
        head,
        unit,
        tail: "",
    }
}

const fn json(head: &'static str, unit: &'static str) -> Case {
    Case {
        format: Format::Json,
        head,
        unit,
        tail: "",
    }
}

const fn json_lines(unit: &'static str) -> Case {
    Case {
        format: Format::JsonLines,
        head: "",
        unit,
        tail: "",
    }
}

const fn sql(head: &'static str, unit: &'static str) -> Case {
    Case {
        format: Format::Sql,
        head,
        unit,
        tail: "",
    }
}

const fn csv(head: &'static str, unit: &'static str) -> Case {
    Case {
        format: Format::Csv,
        head,
        unit,
        tail: "",
    }
}

const fn yaml(head: &'static str, unit: &'static str) -> Case {
    Case {
        format: Format::Yaml,
        head,
        unit,
        tail: "",
    }
}

const fn messages(head: &'static str, unit: &'static str) -> Case {
    Case {
        format: Format::Gettext,
        head,
        unit,
        tail: "",
    }
}

const fn properties(head: &'static str, unit: &'static str) -> Case {
    Case {
        format: Format::Properties,
        head,
        unit,
        tail: "",
    }
}

const fn program(format: Format, head: &'static str, unit: &'static str) -> Case {
    Case {
        format,
        head,
        unit,
        tail: "",
    }
}

const fn tex(head: &'static str, unit: &'static str) -> Case {
    Case {
        format: Format::Tex,
        head,
        unit,
        tail: "",
    }
}

const PARTS: &str = "Content-Type: multipart/mixed; boundary=x\n\n";
const QUOTED: &str = "Content-Transfer-Encoding: quoted-printable\n\n";
const BASE64: &str = "Content-Transfer-Encoding: base64\n\n";
const CALENDAR: &str = "Content-Type: text/calendar\n\n";
const FLOWED: &str = "Content-Type: text/plain; format=flowed; delsp=yes\n\n";

/// Documents that would take too long for a reader that looks ahead or back too often.
const DOCUMENTS: &[Case] = &[
    program(Format::Python, "x = (", "'http://a.example/' "),
    program(Format::Python, "x = f'", "{http://a.example/"),
    program(Format::Python, "x = '''http://a.example/", "''\\'"),
    program(Format::Python, "x = ", "f\"http://a.example/{"),
    program(Format::Python, "x = f'", "http://a.example/{{"),
    program(Format::Python, "x = f'", "{a:http://a.example/"),
    program(Format::Python, "x = ", "'http://a.example/'["),
    program(Format::JavaScript, "x = [", "'http://a.example/',["),
    program(Format::JavaScript, "", "`http://a.example/${"),
    program(Format::C, "// ", "http://a.example/\\\n"),
    program(Format::Python, "", "\""),
    program(Format::Python, "x = 'http://a.example/'", "\\\n"),
    program(Format::Python, "", "x += ('a.b' # c\n"),
    program(Format::C, "R\"(http://a.example/", ")"),
    program(Format::C, "", "'"),
    program(Format::C, "", "\"http://a.example/\"A.append("),
    program(Format::C, "#define A ", "\"a.b\"\\\n"),
    program(Format::C, "", "u8R\"("),
    html("<?= a ?><p ", "<?= 'http://a.example/' ?>", ""),
    html(
        "<?= a ?><a href=\"",
        "<?= 'http://a.example/' ?>http://b.example/",
        "\">",
    ),
    html("<?= a ?><a href=", "<", ">"),
    html(
        "<?= a ?><style>",
        "url(<?= 'http://a.example/' ?>)",
        "</style>",
    ),
    html("<?= a ?><script>", "<?php \"</script>\"", ""),
    html("<?= a ?><p ", "<?php '", ""),
    xml("<r>", "<?php 'http://a.example/' "),
    text("", "a.a~"),
    text("", "a.org-\n"),
    text("", "\u{e9}.org\u{2010}\n  "),
    text("", "http://\u{e9}.a/\u{e9}\u{2010}\n"),
    text("", "a:a:a:a:a:a:a:a:\u{e9}.org\u{2010}\n"),
    text(
        "",
        "](http://a.example/b](http://a.example/b](http://a.example/b/\n",
    ),
    text("", "(a.org/b/ (a.org/b/ (a.org/b/ \n"),
    text("", "https://\n\u{e9}.org/a-\n"),
    text("<http://\u{e9}.a/", "b\u{ad}\n>"),
    text("", "("),
    text("http://example.org/", "("),
    text("http://example.org/", "()["),
    text("http://example.org/", ")"),
    text("http://example.org/", "."),
    text("http://example.org/", ".\u{e9}"),
    text("http://example.org/", "%E9"),
    text("http://example.org/", "%"),
    text("http://example.org/", "../"),
    text("http://example.org/?", "&amp;"),
    text("http://", "a"),
    text("http://", "\u{430}"),
    text("http://", "\u{430}a."),
    text("", "http://\u{430}pple.a@\u{202e}b/ "),
    text("http://a.example/", "%E2%80%AE"),
    text("http://a.example/", "\u{200b}\u{ad}"),
    text("", "{\"a\":\"http:\\/\\/a\\/\u{e9}\","),
    text("", "old.example "),
    text("", "old."),
    text("", "<http://a.example/\u{e9}("),
    text("", "\"a.\" + "),
    text("", "\"a\""),
    text("", "\"//a.\n"),
    text("", "//a.\nexample\n"),
    text("", "a\\x2eexample"),
    text("a", "\\\\x2e"),
    text("a", "\\u{2e}"),
    text("a", "\\"),
    text("", "//@a.example"),
    text("", "{{http://\u{e9}/}} "),
    text("", "s:9:\"http://\u{e9}.a/"),
    text("s:9999999999:\"", "\\"),
    text("s:9999999999:\\\"", "\\\";s:9"),
    text("s:5:\"\"", "\""),
    text("s:9999999999:&amp;quot;", "&amp;amp;"),
    text("", "http://\u{e9}.a\\/"),
    text("http://a.example/\u{e9}", "\\u00e9"),
    text("http://", "a."),
    text("http://", "\u{e9}."),
    text("http://", "xn--"),
    text("http://", "%41."),
    text("", "http://\u{e9}."),
    text("", "http:"),
    text("", "http://"),
    text("", "http://a\u{e9}"),
    text("", "_http://a/\u{e9}"),
    text("", "(_ftp://a/\u{e9}"),
    text("", "//"),
    text("", "@"),
    text("", "."),
    text("", "-"),
    text("", "a@"),
    text("", "a."),
    text("", "a-"),
    text("", "a.com,"),
    text("", "a.com"),
    text("", "a.com "),
    text("", "a@b.com"),
    text("", "a@b.com,"),
    text("", "<"),
    text("", "<http://a "),
    text("", "<http://a\n"),
    text("", "\"http://a "),
    text("", "mailto:"),
    text("", "mailto:a@"),
    text("", "www."),
    text("", "\u{3002}"),
    text("", "\u{e9}\u{3002}"),
    text("", "\u{300}"),
    text("a", "\u{327}\u{301}"),
    text("", "\u{202e}"),
    text("", "data:"),
    text("data:", "%0"),
    text("", "\0"),
    // In GB18030 no byte of this character is safe: 81 40.
    text("", "\u{4e02}"),
    text("http://", "\u{4e02}."),
    html("", "<", ""),
    html("", "<a ", ""),
    html("<a ", " onx=\"a.example", ""),
    html("<a ", " onx='a.example' ", ""),
    html("", "<a><b>", ""),
    html("", "<p><table><b>", ""),
    html("", "</", ""),
    html("", "</a>", ""),
    html("", "<!--", ""),
    html("", "<!-- --", ""),
    html("", "<!-- --!", ""),
    html("", "<?", ""),
    html("", "<?= ", ""),
    html("", "<?php '?> ", ""),
    html("", "<?= 'http://a.example/' ?>", ""),
    html("<?php ", "f('http://\u{e9}.example/'); ", "?>"),
    html("", "<!---->", ""),
    html("", "<!--- ", ""),
    html("", "<!--- ---> ", ""),
    html("", "<%-- --", ""),
    html("", "<%@ a='", ""),
    html("", "<cfcontent type='", ""),
    html("", "<?php header('", ""),
    html("", "<?php header('Content-Type:", "');?>"),
    html("", "<a href='", ""),
    html("", "<a href='b", "'>"),
    html("<a href=\"", "&amp", "\">"),
    html("<a href=\"", "&#", "\">"),
    html("<a href=\"", "\u{e9}", "\">"),
    html("<a href=\"", "a\n", "\">"),
    html("<a href=\"http://", "a.", "\">"),
    html("<a ", "a=b ", ">"),
    html("<a ", "href=b ", ">"),
    html("", "<a href=b>", ""),
    html("", "<a href='http://\u{e9}.a/\u{e9}?\u{e9}'>", ""),
    html("", "<base href='/a/'>", ""),
    html("", "<base href='a/'><a href=b>", ""),
    html("<img srcset=\"", ",", "\">"),
    html("<img srcset=\"", "a ", "\">"),
    html("<img srcset=\"", "a (", "\">"),
    html("<img srcset=\"", "a 1x,", "\">"),
    html("<a ping=\"", "b ", "\">"),
    html("<meta http-equiv=refresh content=\"0;", "url=", "\">"),
    html("<meta http-equiv=refresh content=\"", "0", "\">"),
    html("<script>", "<!--<script>", "</script>"),
    html("<script>", "<!--<script>", ""),
    html("<style>", "url(", "</style>"),
    html("<style>", "</styl", ""),
    html("<p style=\"", "url(&quot;", "\">"),
    html("<p style=\"", "url(a)", "\">"),
    html("<textarea>", "</textare", ""),
    html("<title>", "&amp;http://a", ""),
    html("<iframe srcdoc=\"", "&lt;a href=b>", "\">"),
    html("<iframe srcdoc=\"", "<iframe srcdoc='", "\">"),
    html("", "&", ""),
    html("", "h&#116;", ""),
    html("", "http://a<b>", ""),
    html("", "<svg>", ""),
    html("", "<svg><![CDATA[", ""),
    html("<svg>", "<![CDATA[]]>", ""),
    html("", "<math><mtext>", ""),
    html("<svg>", "<a xlink:href=b>", ""),
    html("<plaintext>", "<a href=b>", ""),
    html("<select>", "<option>", ""),
    html("<template>", "<template>", ""),
    xml("", "<"),
    xml("", "<a>"),
    xml("", "<a "),
    xml("", "</a>"),
    xml("", "<a><b></a>"),
    xml("", "<a/><b/>"),
    xml("", "<a b='"),
    xml("", "<a b='<a b=\""),
    xml("", "<a b="),
    xml("<a ", "b='c' "),
    xml("<a ", "xmlns:b='c' "),
    xml("", "<a xmlns:b='c'>"),
    xml("", "<a xmlns='http://www.w3.org/1999/xhtml'>&a;"),
    xml(
        "<html xmlns='http://www.w3.org/1999/xhtml'>",
        "<a href='b'>",
    ),
    xml("<html xmlns='http://www.w3.org/1999/xhtml'>", "h:<!---->"),
    xml("<html xmlns='http://www.w3.org/1999/xhtml'>", "&a; "),
    xml("", "<!--"),
    xml("", "<![CDATA["),
    xml("", "]]>"),
    xml("<a>", "<![CDATA[]"),
    xml("<a>", "<![CDATA[]]>"),
    xml("", "<?"),
    xml("", "<?xml-stylesheet "),
    xml("", "<?xml-stylesheet href='a'?>"),
    xml("<?xml-stylesheet ", "href='a' "),
    xml("", "<!DOCTYPE "),
    xml("", "<!DOCTYPE["),
    xml("", "<!DOCTYPE[<!ENTITY '"),
    xml("<!DOCTYPE a [", "<!ENTITY a '&a;&a;'>"),
    xml("<!DOCTYPE a [", "<!ENTITY % a '%a;'>%a;"),
    xml("<!DOCTYPE a [<!ENTITY a 'http://a/'>]><a>", "&a;"),
    xml(
        "<!DOCTYPE a [<!ENTITY a 'bbbbbbbb'><!ENTITY c '&a;&a;&a;&a;'><!ENTITY d '&c;&c;&c;&c;'>\
         <!ENTITY e '&d;&d;&d;&d;'><!ENTITY f '&e;&e;&e;&e;'><!ENTITY g '&f;&f;&f;&f;'>]><a>",
        "&g;",
    ),
    xml("<!DOCTYPE a [", "["),
    xml("<a b='", "&amp;"),
    xml("<a>", "&a;"),
    xml("", "\u{e9}"),
    xml(WORD, "http://a.example/</w:t></w:r><w:r><w:t>"),
    xml(WORD, "a.b </w:t></w:r><w:r><w:t>"),
    xml(WORD, "a.b</w:t><w:noBreakHyphen/><w:t>"),
    xml(WORD, "a.b</w:t><w:sym/><w:t>"),
    xml(WORD, "<w:t>a.b"),
    xml(WORD, "a.b <w:r/><w:r/><w:r/><w:r/><w:r/><w:r/><w:r/><w:r/>"),
    xml(WORD, "<w:instrText>HYPERLINK \"</w:instrText>"),
    xml(OPEN, "http://a.example/<text:span/>"),
    xml(OPEN, "<text:span>a.b"),
    xml(OPEN, "<text:a xlink:href='a'>a.b"),
    css("", "url("),
    css("", "url(\""),
    css("", "url(\\"),
    css("", "url(a)"),
    css("url(", " "),
    css("url(", "\\75"),
    css("", "@"),
    css("", "@import"),
    css("", "@import "),
    css("", "@import 'a';"),
    css("", "@namespace a 'b';"),
    css("", "/*"),
    css("", "/**/"),
    css("", "\\"),
    css("", "\\75"),
    css("", "a\\"),
    css("", "'\\"),
    css("", "'a\n"),
    css("", "("),
    css("", "{"),
    css("", "a{b:"),
    css("", "image-set("),
    css("", "image-set('a' 1x,"),
    markdown("", "["),
    markdown("", "[a]("),
    markdown("", "[a](b)"),
    markdown("", "[a](\u{e9} '"),
    markdown("", "![["),
    markdown("", "[](/\u{e9}"),
    markdown("", "[a]: b\n"),
    markdown("", "[a]: \u{e9} (\n"),
    markdown("", "[\\"),
    markdown("", "*a"),
    markdown("", "*a_"),
    markdown("", "a**b"),
    markdown("http://a", "*b*"),
    markdown("", "http://a/*\u{e9}_b "),
    markdown("", "`"),
    markdown("", "`a``"),
    markdown("", "<a "),
    markdown("", "<a href='\u{e9}'>"),
    markdown("", "<!--"),
    markdown("", "<http://a>"),
    markdown("", "> "),
    markdown("", "- "),
    markdown("", "- a\n"),
    markdown("", "\n> <p>\n"),
    markdown("", "|"),
    markdown("a|b\n-|-\n", "c|\u{e9}\n"),
    markdown("", "&"),
    markdown("", "&#"),
    markdown("", "\\"),
    markdown("", "\n"),
    markdown("", "[^a]"),
    markdown("", "[^a]: b\n"),
    markdown("", "$"),
    markdown("", "~~a"),
    rst("", "*"),
    rst("", "*a "),
    rst("", "*a* "),
    rst("", "`a "),
    rst("", "`a <\u{e9}>`_ "),
    rst("", "`a <"),
    rst("", "`a`:"),
    rst("", "``a "),
    rst("", "|a "),
    rst("", "_`a "),
    rst("", "\\ "),
    rst("", "\\"),
    rst("", ".. _a: \u{e9}\n"),
    rst("", ".. _a:\n   "),
    rst("", "__ \u{e9}\n"),
    rst("", ".. image:: \u{e9}\n   :target: a\n"),
    rst("", ".. a::\n\n   "),
    rst("", ".. "),
    rst("", "- "),
    rst("", "- a\n"),
    rst("", "a\n b\n"),
    rst("", "a\na\n b\n"),
    rst("", "a::\n\n"),
    rst("", ":a: b\n"),
    rst("", ":a"),
    rst("", "| a\n"),
    rst("", "====\n"),
    rst("", "== ==\na\n"),
    rst("", "+---+\n| `|\n"),
    rst("+--", "+-"),
    rst("", "\n"),
    rst("", ">>> "),
    rst("", "-a, "),
    rst("", "a@"),
    lines(Format::AsciiDoc, "http://a:"),
    lines(Format::AsciiDoc, "link:"),
    lines(Format::AsciiDoc, "image:a "),
    lines(Format::AsciiDoc, "image:a[b,"),
    lines(Format::AsciiDoc, "http://a.example["),
    lines(Format::AsciiDoc, "+a "),
    lines(Format::AsciiDoc, "++"),
    lines(Format::AsciiDoc, "pass:["),
    lines(Format::AsciiDoc, "----\n"),
    lines(Format::AsciiDoc, "[a=\"b\","),
    rtf("{"),
    rtf("{a"),
    rtf("\\b"),
    rtf("a\\b b"),
    rtf("\\'e9"),
    rtf("\\u233?"),
    rtf("\\uc255 \\u233"),
    rtf("http://a.example/\\'e9 "),
    rtf("http://\\u233?.a/\\u233?{\\b "),
    rtf("{\\*\\fldinst HYPERLINK \"http://a.example/\\'e9"),
    rtf("{\\fonttbl{\\f1\\fcharset204 a;}"),
    rtf("\\bin9 "),
    rtf("\n"),
    lines(Format::Org, "[[http://a"),
    lines(Format::Org, "[[a]["),
    lines(Format::Org, "[[http://a.example/\\\\"),
    lines(Format::Org, " =a"),
    lines(Format::Org, "#+begin_src\n"),
    lines(Format::Textile, "\"a\":http://a.example/("),
    lines(Format::Textile, "!(a!{b}c.png("),
    lines(Format::Textile, " @a==b<a "),
    lines(Format::Textile, "bc.. a\n\n<pre>"),
    lines(Format::MediaWiki, "[http://a "),
    lines(Format::MediaWiki, "[[File:a|[http://a.example b "),
    lines(Format::MediaWiki, "http://a.example/{{"),
    lines(Format::MediaWiki, "http://a.example/{{a}}"),
    lines(Format::MediaWiki, "{{{a}} "),
    lines(Format::MediaWiki, "<a b="),
    lines(Format::MediaWiki, "<a href=b>"),
    lines(Format::MediaWiki, "<nowiki></nowiki"),
    lines(Format::MediaWiki, "<!--\n-->"),
    lines(Format::MediaWiki, "''"),
    mail("", "a: b\n", "\nhttp://a"),
    mail("", "\n", ""),
    mail("", "a: =?utf-8?q?a=2Eexample?=\n", "\n"),
    mail("a: ", " =?utf-8?q?a=2Eexample?=\n", "\n"),
    mail("", "X: =?x?q?a?=\n", "\n"),
    mail(
        "Subject: ",
        "=?koi8-r?q?http=3A//old=2Eexample/=C3=A9?=\n ",
        "\n\n",
    ),
    mail("Subject: ", " a.example\n", "\n"),
    mail("", " a\n", ""),
    mail("", "a", ""),
    mail("", "From a\n", ""),
    mail("", "List-Help: <http://a/\u{e9}>\n", "\n"),
    mail("List-Help: ", "<http://a/\u{e9}>,\n ", "\n\n"),
    mail("List-Help: ", "<", "\n\n"),
    mail("List-Help: ", "(", "\n\n"),
    mail("Link: ", "<a>;b=\"", "\n\n"),
    mail("Content-Location: ", "=?utf-8?q?=C3", "\n\n"),
    mail("Content-Location: ", "=?utf-8?b?4g==?= ", "\n\n"),
    mail("Content-Type: text/plain; ", "a=b; ", "\n\n"),
    mail("Content-Type: text/plain; ", "a*0*=b;", "\n\n"),
    mail("Content-Type: text/plain; a=", "(", "\n\n"),
    mail("Content-Type: text/plain; a=\"", "\\", "\n\n"),
    mail("DKIM-Signature: bh=a; h=", "a:", "\n\nhttp://a/\u{e9}"),
    mail("", "DKIM-Signature: bh=a; l=9; h=a\n", "\nhttp://a/\u{e9}"),
    mail("", PARTS, ""),
    mail("", "Content-Type: message/rfc822\n\n", ""),
    mail("", "Content-Type: multipart/mixed; boundary=x\n\n--x\n", ""),
    mail(PARTS, "--x\n", ""),
    mail(PARTS, "--x\n\n", ""),
    mail(PARTS, "--x\n\nhttp://a/\u{e9}\n", ""),
    mail(
        PARTS,
        "--x\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\nYQ==\n",
        "",
    ),
    mail(
        PARTS,
        "--x\nContent-Type: message/rfc822\n\nSubject: a\n\n",
        "",
    ),
    mail(PARTS, "--", ""),
    mail(PARTS, "\n--", ""),
    mail(PARTS, "\n--y", ""),
    mail(PARTS, "--x--\n", ""),
    mail(PARTS, "--x ", ""),
    mail(
        "Content-Type: multipart/mixed; boundary=--------------------\n\n",
        "-",
        "",
    ),
    mail(QUOTED, "=", ""),
    mail(QUOTED, "=3D", ""),
    mail(QUOTED, "=\n", ""),
    mail(QUOTED, " ", ""),
    mail(QUOTED, " =\n", ""),
    mail(QUOTED, " \n", ""),
    mail(QUOTED, "a=41", ""),
    mail(QUOTED, "http://a/=C3=A9 ", ""),
    mail(QUOTED, "http://a/=\n=C3=\n=A9\n", ""),
    mail(QUOTED, "http://a/\u{e9}", ""),
    // Each group of "http://a/\u{e9}\n" changes or moves.
    mail(BASE64, "aHR0cDovL2Evw6kK", ""),
    mail(BASE64, "aHR0cDovL2Evw6kK\n", ""),
    mail(BASE64, "aHR0\ncDo\nvL2\nEvw6kK!\n", ""),
    mail(BASE64, "YQ==", ""),
    mail(BASE64, "=", ""),
    mail(BASE64, "\n", ""),
    mail(CALENDAR, "\n ", ""),
    mail(CALENDAR, "http://a/\u{e9}\n ", ""),
    mail(CALENDAR, "URL:http://a/\u{e9}\n", ""),
    mail(FLOWED, "http://a/\u{e9} \n", ""),
    mail("\n", "-----BEGIN PGP SIGNED MESSAGE-----\n", ""),
    mail("\n", "-----BEGIN PGP MESSAGE-----\n", ""),
    mail(
        "Content-Type: message/delivery-status\n\n",
        "Diagnostic-Code: http://a\n\n",
        "",
    ),
    mailbox("From a@b Mon Jan  1 00:00:00 2024\n\n"),
    mailbox("From a@b Mon Jan  1 00:00:00 2024\n\nhttp://a/\u{e9}\n\n"),
    mailbox("From a@b Mon Jan  1 00:00:00 2024\nContent-Length: 99999\n\n"),
    mailbox("\nFrom "),
    mailbox("\n\nFrom a\n"),
    mailbox("\n>From "),
    calendar("", "URL:http://a/\u{e9}\n"),
    calendar("", "LOCATION:http://a/\u{e9}\\,\n"),
    calendar("URL:http://a/", "\u{e9}\n "),
    calendar("LOCATION:", "http://a/\\,\\;\\n\n "),
    calendar("LOCATION:", "http://a/\u{e9} "),
    calendar("", "\n "),
    calendar("", "BEGIN:VEVENT\n"),
    calendar("", "BEGIN:VALARM\nEND:VALARM\n"),
    calendar("URL", ";A=\""),
    calendar("URL", ";A=\"http://a/\u{e9}\""),
    calendar("ATTACH", ";A=b,"),
    vcard("URL;ENCODING=QUOTED-PRINTABLE:http://a/", "=C3=A9"),
    vcard("URL;ENCODING=QUOTED-PRINTABLE:http://a/", "=C3=A9=\n"),
    vcard(
        "",
        "NOTE;CHARSET=KOI8-R;ENCODING=QUOTED-PRINTABLE:http://a/=C1\n",
    ),
    vcard("", "item1.URL:http://a/\u{e9}\n"),
    vcard(
        "",
        "NOTE;CHARSET=x;ENCODING=QUOTED-PRINTABLE:http://a/=E9\n",
    ),
    json("", "["),
    json("", "[{\"a\":"),
    json("", "[\"http://a.example/\u{e9}\"]\n"),
    json("[", "\"http://a.example/\u{e9}\","),
    json("[", "\"a b.example\\u00e9 \\/\","),
    json("{", "\"a.example\":\"b.example\","),
    json("[\"", "\\"),
    json("[\"", "\\\""),
    json("[\"", "\\u00e9"),
    json("[\"http://a.example/", "\\/"),
    json("[\"", "<a href=\\\"b\\\">"),
    json("[\"", "[\\\"a.example\\\"],"),
    json("[\"\\\"[", "\\\\\\\""),
    json("[", "/*"),
    json("[", "//\n"),
    json("[", "1"),
    json("[", "1,"),
    json("{a", "a"),
    json("[a", "http://a.example/\u{e9} "),
    json("{\"@context\":", "{\"@context\":"),
    json("{\"openapi\":\"3.1\",\"a\":", "{\"$ref\":"),
    json("[\"", "s:9:\\\""),
    json("[\"", "a:1:{i:0;"),
    sql("", "'"),
    sql("", "'http://a.example/\u{e9}',"),
    sql("'", "http://a.example/\u{e9} "),
    sql("'", "''"),
    sql("`a` '", "\\'"),
    sql("`a` '", "\\"),
    sql("'\\'", "a.example "),
    sql("", "a$"),
    sql("", "$a$"),
    sql("$a$", "$a"),
    sql("", "$a"),
    sql("", "-- a.example\n"),
    sql("", "/*"),
    sql("", "/*!"),
    sql("", "a"),
    sql("", "COPY t FROM stdin;\n\\.\n"),
    sql("COPY t FROM stdin;\n", "a.example\t"),
    sql("COPY t FROM stdin;\n", "\\"),
    sql("COPY t FROM stdin;", " "),
    sql("COPY t FROM stdin;\n", "http://a.example/\u{e9} "),
    sql("`a` ", "'a:1:{i:0;s:18:\"http://a.example/a\";}',"),
    sql("'", "s:9:\""),
    sql("'", "a:1:{i:0;"),
    sql("'a:99999999:{", "i:0;s:18:\"http://a.example/a\";"),
    csv("", ","),
    csv("", "\n"),
    csv("", "\""),
    csv("", "\"a\n"),
    csv("", "\"\"\"\n"),
    csv("\"", "\"\""),
    csv("\"", "\"\"\n,"),
    csv("\"a\"b", "http://a.example/\u{e9},"),
    csv("", "\"a\"b\n"),
    csv("", "http://a.example/\u{e9},"),
    csv("", "\"http://a.example/\u{e9}\"\n"),
    csv("", "a;b,c\td\n"),
    csv("\"a:99999999:{", "i:0;s:18:\"\"http://a.example/a\"\";"),
    yaml("", "["),
    yaml("", "{a: "),
    yaml("", "- "),
    yaml("", "'"),
    yaml("", "\""),
    yaml("", "a: \"b\n"),
    yaml("\"", "\\"),
    yaml("'", "''\n"),
    yaml("", "a: "),
    yaml("a: ", ":"),
    yaml("[", "a:b#c"),
    yaml("a: |\n", " "),
    yaml("a: |\n", "\n"),
    yaml("a: |\n", " http://a.example/\u{e9}\n"),
    yaml("", "a: |\n"),
    yaml("", "a: >2-"),
    yaml("&", "a"),
    yaml("", "a: http://a.example/\u{e9}\n"),
    yaml("", "- 'http://a.example/\u{e9}'\n"),
    messages("", "msgid "),
    messages("", "m"),
    messages("", "#"),
    messages("", "#,"),
    messages("", "#~\n"),
    messages("", "\"\"\n"),
    messages("msgstr ", "\"http://a.exam\"\n"),
    messages("msgid ", "\"http://a.example/\"\n"),
    messages("msgstr ", "\"http://a.example/\u{e9}\"\n"),
    messages("msgstr \"", "\\"),
    messages("msgstr \"", "\"\t"),
    messages("msgstr \"", "\" #~ "),
    messages(
        "",
        "msgid \"http://a.example/\u{e9}\"\nmsgstr \"http://a.example/\u{e9}\"\n",
    ),
    messages("#, c-format\n", "msgstr \"http://a.example/\u{e9}\"\n"),
    properties("", "a"),
    properties("", "\\"),
    properties("", "\\\n"),
    properties("", " "),
    properties("a", " \\\n"),
    properties("a=", "\\\n"),
    properties("a=", "\\:"),
    properties("a=", "b.c \\\n"),
    properties("a=", "\\u00e9.a/"),
    properties("", "a=http\\://a.example/\u{e9}\n"),
    properties("", "a=http://a.example/\\\n b\n"),
    properties("", "#\r"),
    tex("", "{"),
    tex("", "}"),
    tex("", "\\"),
    tex("", "\\a"),
    tex("\\", "a"),
    tex("", "%"),
    tex("", "%\n"),
    tex("", "\\url{"),
    tex("\\url{", "a{"),
    tex("\\url{", "\\{"),
    tex("\\url{", "http://a.example/\u{e9}\n"),
    tex("", "\\url\n"),
    tex("", "\\url|"),
    tex("", "\\href["),
    tex("\\href[", "a"),
    tex("", "\\href{http://a.example/\u{e9}}{"),
    tex("", "\\verb|"),
    tex("", "\\verb1"),
    tex("", "\\begin{verbatim}"),
    tex("\\begin{verbatim}", "\\end{"),
    tex("", "http://a.example/\\_\u{e9}"),
    tex("", "http://a.example/\\foo "),
    tex("", "a.example~{}"),
    tex("", "$\\sim$"),
    tex("", "@a{b, c = {d://"),
    tex("@a{b, ", "c = {d://\u{e9}.example/}, "),
    tex("@a{b, c", "={"),
    tex("@a{b, c", "=\""),
    tex("", "\n@a{"),
    tex("@a{", "\" # "),
    tex("@", "a"),
    json_lines("[\"a\n"),
    json_lines("{\"a\":\"http://a.example/\u{e9}\"}\n"),
    json_lines("["),
    vcard("N:", "\\;"),
];

/// Pieces of references, for the roads below documents.
const BITS: &[&str] = &[
    "../",
    "a/../",
    "./",
    "%2e%2E/",
    "@",
    ":",
    "?",
    "#",
    "\u{e9}",
    "[",
    "]",
    "\\",
    "\t",
    "%",
    "a.",
    "\u{e9}.",
    "\u{3002}",
    "-",
    "&",
    "&amp;",
    " ",
    "%41",
    "%C3%A9",
    "%C3",
    "//",
    "\u{5d0}1",
    "\u{327}\u{301}",
];

const STARTS: &[&str] = &["http://", "http://a/", "", "x:", "?", "//[", "mailto:"];

/// All operations on a single reference.
fn mapping(text: &str) {
    let escaped = text.replace('\u{e9}', "%C3%A9");
    black_box(parse(text, iri::Form::Reference).is_ok());
    black_box(Parts::split(text).path().len());
    black_box(Lenient::read(text).tolerated().len());
    black_box(normalize(text, Level::Scheme).len());
    black_box(warnings(text).len());
    black_box(resolve("http://a/b/c", text, Strictness::Lax).is_ok());
    black_box(resolve(&format!("x:{text}"), text, Strictness::Lax).is_ok());
    let preprocess = Preprocess {
        spaces: Spaces::Split,
        references: CharacterReferences::Xml,
    };
    black_box(preprocess.run(text).len());
    let latin = Charset::for_label("latin1").unwrap_or(Charset::UTF_8);
    for base in [None, Some(text)] {
        let reading = Reading { base, query: latin };
        black_box(reading.same_target(text, &escaped));
    }
    for host in [HostForm::Punycode, HostForm::Percent] {
        let mut to_uri = ToUri::default();
        to_uri.host = host;
        black_box(to_uri.map(text).is_ok());
    }
    black_box(ToIri::default().map(&escaped, &|_| true));
}

/// Called before each case: resets the counts.
#[inline(never)]
fn case_begins() {
    black_box("begins");
}

/// Called after each case: writes the counts.
#[inline(never)]
fn case_ends() {
    black_box("ends");
}

/// The bytes of a text in a charset, about `length` of them before encoding.
fn source(case: &Case, length: usize, charset: Charset) -> Vec<u8> {
    let times = length.saturating_sub(case.head.len()) / case.unit.len();
    let text = format!("{}{}{}", case.head, case.unit.repeat(times), case.tail);
    encoded(&text, charset)
}

fn encoded(text: &str, charset: Charset) -> Vec<u8> {
    if charset.name().eq_ignore_ascii_case("utf-16le") {
        return text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    }
    let encoding = encoding_rs::Encoding::for_label(charset.name().as_bytes());
    match encoding {
        Some(encoding) => encoding.encode(text).0.into_owned(),
        None => text.as_bytes().to_vec(),
    }
}

fn documents(road: growth::Mode, charset: &str, lengths: &[usize], only: &[usize]) {
    let charset = Charset::for_label(charset).unwrap_or(Charset::UTF_8);
    for case in chosen(DOCUMENTS.iter(), only) {
        let mut settings = Settings::default();
        settings.format = Some(case.format);
        settings.charset = Some(charset);
        for &length in lengths {
            let source = source(case, length, charset);
            case_begins();
            road(&source, &settings);
            case_ends();
            let format = case.format.name();
            println!("{format} {:?} + {:?}\t{length}", case.head, case.unit);
        }
    }
}

fn references(lengths: &[usize], only: &[usize]) {
    let all = STARTS
        .iter()
        .flat_map(|start| BITS.iter().map(move |bit| (start, bit)));
    for (start, bit) in chosen(all, only) {
        for &length in lengths {
            let text = format!("{start}{}\u{e9}\u{416}", bit.repeat(length / bit.len()));
            case_begins();
            mapping(&text);
            case_ends();
            println!("{start:?} + {bit:?}\t{length}");
        }
    }
}

fn rules(lengths: &[usize], only: &[usize]) {
    let page = b"<a href='http://old.example/7/a'>b7.example/c</a> <!-- ftp://old.example/1/ h2.example -->";
    for line in chosen(RULE_LINES.iter(), only) {
        for &length in lengths {
            let numbers = 0..length / line.len();
            let lines: String = numbers
                .map(|n| line.replace("{}", &n.to_string()))
                .collect();
            case_begins();
            let mut rules = Rules::default();
            rules.add_file(&lines).expect("rules");
            black_box(rules.check().len());
            let rewriter = Rewriter::new().rules(rules).left_behind(true);
            black_box(rewriter.rewrite_slice(page).changed());
            case_ends();
            println!("{line:?}\t{length}");
        }
    }
}

fn growing(mode: growth::Mode, lengths: &[usize], only: &[usize]) {
    let all = growth::documents();
    for case in chosen(all.iter(), only) {
        let mut settings = Settings::default();
        settings.format = Some(case.format);
        settings.charset = Some(Charset::UTF_8);
        for &length in lengths {
            let source = growth::text(case, length).into_bytes();
            case_begins();
            mode(&source, &settings);
            case_ends();
            println!("{}\t{length}", case.name);
        }
    }
}

/// Writes all documents of a length to files, and prints their names.
fn write(folder: &str, length: usize, charset: &str) {
    let charset = Charset::for_label(charset).expect("a charset");
    let hostile = DOCUMENTS.iter().map(|case| {
        let name = format!("{:?} + {:?}", case.head, case.unit);
        (case.format, name, source(case, length, charset))
    });
    let growing = growth::documents().into_iter().map(|case| {
        let source = encoded(&growth::text(&case, length), charset);
        (case.format, case.name.to_owned(), source)
    });
    for (number, (format, name, source)) in hostile.chain(growing).enumerate() {
        let file = format!("{number:03}.{}", format.name());
        let written = std::fs::write(std::path::Path::new(folder).join(&file), source);
        written.expect("a folder that can be written to");
        println!("{file}\t{name}");
    }
}

/// The cases of the numbers in `only`, or all cases if it is empty.
fn chosen<'o, C>(
    all: impl Iterator<Item = C> + 'o,
    only: &'o [usize],
) -> impl Iterator<Item = C> + 'o {
    all.enumerate()
        .filter(|(at, _)| only.is_empty() || only.contains(at))
        .map(|(_, case)| case)
}

fn run(road: &str, lengths: &[usize], only: &[usize]) -> bool {
    if road == MAPPING {
        references(lengths, only);
        return true;
    }
    if road == RULES {
        rules(lengths, only);
        return true;
    }
    if let Some(road) = ROADS.iter().find(|each| each.name == road) {
        documents(road.run, road.charset, lengths, only);
        return true;
    }
    let growing_mode = road.strip_prefix("growth-");
    let mode = growing_mode.unwrap_or(road);
    let Some(&(_, mode)) = growth::MODES.iter().find(|(name, _)| *name == mode) else {
        return false;
    };
    match growing_mode {
        Some(_) => growing(mode, lengths, only),
        None => documents(mode, "utf-8", lengths, only),
    }
    true
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let road = arguments.first().filter(|first| !first.starts_with('-'));
    let Some(road) = road else {
        let mut all = ROADS.iter().map(|road| road.name).chain([MAPPING, RULES]);
        for (mode, _) in growth::MODES {
            assert!(run(&format!("growth-{mode}"), &[4 << 10], &[]));
            assert!(run(mode, &[1 << 10], &[]));
        }
        assert!(all.all(|road| run(road, &[1 << 10], &[])));
        return;
    };
    if let [_, folder, length, charset] = arguments.as_slice()
        && road == "write"
    {
        return write(folder, length.parse().expect("a number"), charset);
    }
    let (mut lengths, mut only) = (Vec::new(), Vec::new());
    for argument in &arguments[1..] {
        let (numbers, digits) = match argument.strip_prefix("only=") {
            Some(digits) => (&mut only, digits),
            None => (&mut lengths, argument.as_str()),
        };
        numbers.push(digits.parse().expect("a number"));
    }
    assert!(run(road, &lengths, &only), "no road `{road}`");
}
