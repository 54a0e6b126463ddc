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
