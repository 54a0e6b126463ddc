//! A mail client: the click targets of a message as it is displayed.
//!
//! The client shows the text as it is and underlines the ranges; what it hands to the system is a URI (RFC 3987 7.3): with
//! the scheme that the link implies, without the line breaks that it goes over, and with all that is not ASCII mapped.
//!
//!     cargo run --example mail < message.txt

use linkglot::iri::ToUri;
use linkglot::scan::{Breaks, Hit, Scanner};
use std::io::Read;
use std::ops::Range;

/// A piece of the text that can be clicked.
#[derive(Debug, PartialEq)]
struct Target {
    /// Bytes of the text, for the underline. A link may go over line breaks.
    range: Range<usize>,
    /// What to open, in ASCII.
    uri: String,
}

/// What the header `Content-Type` says of the text decides how its lines are read (RFC 3676).
fn scanner(is_flowed_with_delsp: bool) -> Scanner {
    Scanner::default().join(if is_flowed_with_delsp {
        Breaks::FLOWED
    } else {
        Breaks::NONE
    })
}

fn targets(scanner: &Scanner, text: &str) -> Vec<Target> {
    scanner
        .links(text)
        .filter_map(|hit| target(&hit, text))
        .collect()
}

/// `None`: no URI points there, for the host cannot be written in ASCII.
fn target(hit: &Hit, text: &str) -> Option<Target> {
    let link = hit.link(text);
    let iri = match hit.implied_scheme() {
        Some("mailto") => format!("mailto:{link}"),
        Some(scheme) => format!("{scheme}://{link}"),
        None => link.into_owned(),
    };
    let uri = ToUri::default().map(&iri).ok()?;
    Some(Target {
        range: hit.span.start..hit.span.end,
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

#[test]
fn what_is_opened_is_a_uri() {
    let text = "see résumé.com/é, <http://example.org/a\n/b> or http://example.org/c \n/d";
    let uris: Vec<String> = targets(&scanner(true), text)
        .into_iter()
        .map(|target| target.uri)
        .collect();
    assert_eq!(
        uris,
        [
            "https://xn--rsum-bpad.com/%C3%A9",
            "http://example.org/a/b",
            "http://example.org/c/d"
        ]
    );
}
