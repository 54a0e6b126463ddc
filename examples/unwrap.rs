//! The original links of protection services: reads text on standard input, and writes it with its links unwrapped.
//!
//!     echo 'https://www.google.com/url?q=https%3A%2F%2Fexample.org%2F&sa=D' | cargo run --example unwrap

use linkglot::format::Format;
use linkglot::rewrite::{Rewriter, Rules};
use linkglot::{Error, Settings};
use std::io;

fn rewriter() -> Rewriter {
    let mut rules = Rules::default();
    rules.unwrap_links();
    let mut settings = Settings::default();
    settings.format = Some(Format::Text);
    Rewriter::new().rules(rules).settings(settings)
}

fn main() -> Result<(), Error> {
    let summary = rewriter().rewrite(&mut io::stdin().lock(), &mut io::stdout().lock())?;
    let tally = summary.tally;
    eprintln!("{} links unwrapped, {} left", tally.changed, tally.left);
    Ok(())
}

#[test]
fn links_of_a_text() {
    let text =
        "See https://slack-redir.net/link?url=https%3A%2F%2Fexample.org%2F, or http://a.example.";
    let rewritten = rewriter().rewrite_slice(text.as_bytes());
    let expected = "See https://example.org/, or http://a.example.";
    assert_eq!(rewritten.content, expected.as_bytes());
}
