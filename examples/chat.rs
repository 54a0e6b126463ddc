//! A chat: messages as HTML, with links as anchors for the schemes that a chat may open.
//!
//!     echo 'look: example.org/é and <b>' | cargo run --example chat

use linkglot_scan::{Hit, Kind, Scanner};
use std::io::BufRead;

/// The schemes that the chat opens. A list of refused schemes would never be complete: any scheme may stand before
/// `//`, and a browser runs `javascript://example.org/%0Aalert(1)`.
const OPENED: [&str; 4] = ["http", "https", "ftp", "xmpp"];

fn is_opened(hit: &Hit, message: &str) -> bool {
    let scheme = hit.scheme(message);
    OPENED
        .iter()
        .any(|known| known.eq_ignore_ascii_case(&scheme))
}

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
    for hit in scanner.links(message).filter(|hit| is_opened(hit, message)) {
        escape(&mut out, &message[last..hit.span.start]);
        out.push_str("<a href=\"");
        escape(&mut out, &hit.iri(message));
        out.push_str("\">");
        escape(&mut out, hit.span.of(message));
        out.push_str("</a>");
        last = hit.span.end;
    }
    escape(&mut out, &message[last..]);
    out
}

fn main() -> std::io::Result<()> {
    // E-mail addresses are personal: this chat links only pages.
    let scanner = Scanner::default().kinds([Kind::Absolute, Kind::Domain]);
    for message in std::io::stdin().lock().lines() {
        println!("{}", html(&scanner, &message?));
    }
    Ok(())
}

#[test]
fn only_what_is_opened_is_linked() {
    let html = |message| html(&Scanner::default(), message);
    assert_eq!(
        html("<b> example.org/é & javascript://x/%0Aalert(1)"),
        "&lt;b&gt; <a href=\"https://example.org/é\">example.org/é</a> &amp; javascript://x/%0Aalert(1)"
    );
}
