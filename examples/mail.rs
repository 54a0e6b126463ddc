//! A mail client: the click targets of a message as it is displayed.
//!
//! The client shows the text as it is and underlines the ranges; what it hands to the system is
//! a URI (RFC 3987 7.3): with the scheme that the link implies, and with white space removed from
//! a link that was broken over lines in angle brackets.
//!
//!     cargo run --example mail < message.txt

use linkglot::scan::{Hit, Scanner};
use std::io::Read;
use std::ops::Range;

/// A piece of the text that can be clicked.
struct Target {
    /// Bytes of the text, for the underline.
    range: Range<usize>,
    /// What to open. Non-ASCII characters outside the host are percent-encoded here; a client
    /// that must hand over a URI maps the host with `linkglot::iri` as well.
    uri: String,
}

fn targets(scanner: &Scanner, text: &str) -> Vec<Target> {
    scanner.links(text).map(|hit| target(&hit, text)).collect()
}

fn target(hit: &Hit, text: &str) -> Target {
    let link = hit.link(text);
    let uri = match hit.implied_scheme() {
        Some("mailto") => format!("mailto:{link}"),
        Some(scheme) => format!("{scheme}://{link}"),
        None => link.into_owned(),
    };
    Target {
        range: hit.span.start..hit.span.end,
        uri,
    }
}

fn main() -> std::io::Result<()> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    for target in targets(&Scanner::default(), &text) {
        println!("{:?} {}", target.range, target.uri);
    }
    Ok(())
}
