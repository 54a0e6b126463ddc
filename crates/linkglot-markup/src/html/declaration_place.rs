//! The place where an HTML document can declare its charset.

use super::lexer::{CommentKind, Lexeme, Lexer, Take};
use crate::slot::Window;
use linkglot_charset::Charset;
use linkglot_charset::ascii::is_space;

/// The position where a `meta` element that declares a charset can be added to a document that begins with `head`:
/// behind the tag `<head>`, or else `<html>`, or else the document type, or in front of a `<title>`, `<body>` or
/// `<frameset>`. `None` for a part of a page, and if code of a server or a template comes first.
///
/// ```
/// use linkglot_markup::declaration_place;
///
/// assert_eq!(declaration_place(b"<!-- <head> --><html><head a='>'>"), Some(33));
/// assert_eq!(declaration_place(b"<!doctype html>text"), Some(15));
/// assert_eq!(declaration_place(b"<p>part of a page"), None);
/// ```
///
/// HTML standard 4.2.5.4 and 13.1.2.4.
pub fn declaration_place(head: &[u8]) -> Option<usize> {
    let window = Window {
        bytes: head,
        last: true,
        charset: Charset::UTF_8,
    };
    let mut lexer = Lexer::new(head.len());
    lexer.comments = Take::Whole;
    let (mut cursor, mut place) = (0, None);
    loop {
        match lexer.next(window, &mut cursor) {
            Lexeme::Comment(CommentKind::Comment, _) => {}
            Lexeme::Comment(CommentKind::Doctype, _) => place = Some(cursor),
            Lexeme::Comment(CommentKind::Php, _) => return None,
            // An XML declaration, or code.
            Lexeme::Comment(CommentKind::Bogus, range) => {
                if !head[range].starts_with(b"?xml") {
                    return None;
                }
            }
            Lexeme::Text(range, _) => {
                let text = &head[range];
                let text = text.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(text);
                if has_code(text) {
                    return None;
                }
                if !text.iter().all(|&byte| is_space(byte)) {
                    return place;
                }
            }
            Lexeme::Tag => {
                let tag = &head[cursor..cursor + lexer.tag.at];
                if has_code(tag) {
                    return None;
                }
                let name = tag[lexer.tag.name.clone()].to_ascii_lowercase();
                let begin = cursor;
                lexer.leave_tag(&mut cursor, 0);
                match name.as_slice() {
                    _ if lexer.tag.closing => return place,
                    b"html" => place = Some(cursor),
                    b"head" => return Some(cursor),
                    b"title" | b"body" | b"frameset" => return place.or(Some(begin)),
                    _ => return place,
                }
            }
            _ => return place,
        }
    }
}

/// True if code of a server or a template may stand in the text.
pub(super) fn has_code(text: &[u8]) -> bool {
    let begins: [&[u8]; 5] = [b"<?", b"<%", b"{{", b"{%", b"${"];
    begins
        .iter()
        .any(|begin| memchr::memmem::find(text, begin).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places() {
        for (head, expected) in [
            ("<!DOCTYPE html>\n<html lang=a>|\n<body>", true),
            ("<?xml version='1.0'?><html><head>|", true),
            ("\u{feff}<!-- a --><HEAD profile=\"x>y\">|<title>", true),
            ("<!doctype html>|<title>a</title>", true),
            ("|<title>a</title>", true),
            ("<html>|<script>\"<head>\"</script>", true),
            ("|<body><a title='<head>'>", true),
            ("<html>|", true),
            ("<p>a<head>", false),
            ("a<html>", false),
            ("", false),
            ("<?php echo '<head>'; ?><html>", false),
            ("<html><head {{ a > b }}>", false),
            ("{% extends a %}<html>", false),
            ("<%@ page %><html><head>", false),
        ] {
            let place = declaration_place(head.replace('|', "").as_bytes());
            assert_eq!(place, expected.then(|| head.find('|')).flatten(), "{head}");
        }
    }
}
