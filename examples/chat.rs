//! A chat: messages as HTML with their links as anchors, and without the schemes that a chat
//! does not want to open.
//!
//!     echo 'look: example.org/é and <b>' | cargo run --example chat

use linkglot::scan::{Kind, Scanner};
use std::io::BufRead;

fn escape(out: &mut String, text: &str) {
    for ch in text.chars() {
        match ch {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            _ => out.push(ch),
        }
    }
}

fn html(scanner: &Scanner, message: &str) -> String {
    let (mut out, mut last) = (String::new(), 0);
    for hit in scanner.links(message) {
        escape(&mut out, &message[last..hit.span.start]);
        out.push_str("<a href=\"");
        if hit.kind == Kind::Domain {
            out.push_str("https://");
        }
        escape(&mut out, &hit.link(message));
        out.push_str("\">");
        escape(&mut out, hit.span.of(message));
        out.push_str("</a>");
        last = hit.span.end;
    }
    escape(&mut out, &message[last..]);
    out
}

fn main() -> std::io::Result<()> {
    // Addresses are personal: this chat links pages only, and opens no local files.
    let scanner = Scanner::default()
        .kinds([Kind::Absolute, Kind::Domain])
        .refuse_schemes(["file", "data"]);
    for message in std::io::stdin().lock().lines() {
        println!("{}", html(&scanner, &message?));
    }
    Ok(())
}
