//! A mail client: the click targets of a message as it is displayed.
//!
//! The client shows the text unchanged and underlines the ranges. It passes a URI to the system (RFC 3987 7.3): with
//! the implied scheme, without line breaks within the link, and with characters mapped that no URI may hold.
//!
//!     cargo run --example mail < message.txt

use linkglot_iri::{Disallowed, ToUri};
use linkglot_scan::{Breaks, Hit, Scanner};
use std::io::Read;
use std::ops::Range;

/// The schemes of links that the client passes to the system. Any scheme may stand before `//`, and the sender of the
/// mail chooses it: `javascript:` and `data:` run the text after them.
const OPENED: [&str; 5] = ["http", "https", "ftp", "mailto", "tel"];

/// A piece of the text that can be clicked.
#[derive(Debug, PartialEq)]
struct Target {
    /// Bytes of the text, for the underline. A link may continue over line breaks.
    range: Range<usize>,
    /// The URI to open, in ASCII.
    uri: String,
}

/// A scanner for the text: the header `Content-Type` decides how its lines are read (RFC 3676).
fn scanner(is_flowed_with_delsp: bool) -> Scanner {
    Scanner::default().join(if is_flowed_with_delsp {
        Breaks::FLOWED
    } else {
        Breaks::NONE
    })
}

/// The mapping of links to URIs: links in mail may contain `|`, `{` or `\`, which no URI may hold.
fn mapping() -> ToUri {
    let mut mapping = ToUri::default();
    mapping.ascii = Disallowed::Encode;
    mapping.other = Disallowed::Encode;
    mapping
}

fn targets(scanner: &Scanner, text: &str) -> Vec<Target> {
    let mapping = mapping();
    scanner
        .links(text)
        .filter(|hit| is_opened(hit, text))
        .filter_map(|hit| target(&hit, text, &mapping))
        .collect()
}

fn is_opened(hit: &Hit, text: &str) -> bool {
    let scheme = hit.scheme(text);
    OPENED
        .iter()
        .any(|known| known.eq_ignore_ascii_case(&scheme))
}

/// `None` if the link has no URI: the host has no ASCII form, or the link contains a control character.
fn target(hit: &Hit, text: &str, mapping: &ToUri) -> Option<Target> {
    let iri = hit.iri(text);
    let uri = mapping.map(&iri).ok()?;
    Some(Target {
        range: hit.span.into(),
        uri: uri.text.into_owned(),
    })
}

fn main() -> std::io::Result<()> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    for target in targets(&scanner(false), &text) {
        println!("{:?} {}", target.range, target.uri);
    }
    Ok(())
}

#[cfg(test)]
fn uris(text: &str) -> Vec<String> {
    targets(&scanner(true), text)
        .into_iter()
        .map(|target| target.uri)
        .collect()
}

#[test]
fn what_is_opened_is_a_uri() {
    let text = "see résumé.com/é, <http://example.org/a\n/b> or http://example.org/c \n/d, or ask ann#1@bücher.com";
    assert_eq!(
        uris(text),
        [
            "https://xn--rsum-bpad.com/%C3%A9",
            "http://example.org/a/b",
            "http://example.org/c/d",
            "mailto:ann%231@b%C3%BCcher.com"
        ]
    );
}

#[test]
fn what_no_uri_may_hold_is_encoded() {
    let text = "http://a.de/a|b http://a.de/{id}/x http://a.de/x^y http://a.de/?q=\\d";
    assert_eq!(
        uris(text),
        [
            "http://a.de/a%7Cb",
            "http://a.de/%7Bid%7D/x",
            "http://a.de/x%5Ey",
            "http://a.de/?q=%5Cd"
        ]
    );
}

#[test]
fn what_would_run_is_not_opened() {
    let text = "javascript://x/%0Aalert(1) java \nscript://x/%0Aalert(1) data:text/html,x";
    assert_eq!(uris(text), Vec::<String>::new());
}
