//! Tasks of rewriting.

use crate::find::SLOTS;
use aho_corasick::{AhoCorasick, Anchored, Input, MatchKind, StartKind};
use lol_html::{HtmlRewriter, Settings, element};
use std::fmt::Write as _;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Writes a page with the links percent-encoded.
pub fn encode(file: &str) -> io::Result<()> {
    let page = fs::read(file)?;
    let mut out = BufWriter::with_capacity(64 << 10, io::stdout().lock());
    let mut failed = None;
    let change = |link: &str| (!link.is_ascii()).then(|| percent_encoded(link));
    rewritten(&page, change, |chunk| {
        failed = failed.take().or(out.write_all(chunk).err())
    })?;
    failed.map_or_else(|| out.flush(), Err)
}

fn percent_encoded(link: &str) -> String {
    let mut encoded = String::with_capacity(link.len() * 3);
    for byte in link.bytes() {
        if byte.is_ascii() {
            encoded.push(char::from(byte));
        } else {
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}

/// Rules as a programmer would keep them: the longest prefix that matches is replaced.
struct Rules<'r> {
    prefixes: AhoCorasick,
    to: Vec<&'r str>,
}

impl<'r> Rules<'r> {
    fn new(rules: &'r str) -> io::Result<Self> {
        let pairs = rules.lines().filter_map(|rule| rule.split_once(' '));
        let (from, to): (Vec<&str>, Vec<&str>) = pairs.unzip();
        let mut builder = AhoCorasick::builder();
        builder.match_kind(MatchKind::LeftmostLongest);
        builder.start_kind(StartKind::Anchored);
        let prefixes = builder.build(from).map_err(io::Error::other)?;
        Ok(Rules { prefixes, to })
    }

    fn moved(&self, link: &str) -> Option<String> {
        let input = Input::new(link).anchored(Anchored::Yes);
        let found = self.prefixes.find(input)?;
        let to = self.to[found.pattern().as_usize()];
        Some(format!("{to}{}", &link[found.end()..]))
    }
}

/// Rewrites the pages of a folder and keeps nothing, like a dry run; prints the new links, or their number.
pub fn move_links(print: &str, rules: &str, folder: &Path) -> io::Result<()> {
    let rules = fs::read_to_string(rules)?;
    let rules = Rules::new(&rules)?;
    let mut count = 0_usize;
    for entry in fs::read_dir(folder)? {
        let page = fs::read(entry?.path())?;
        let change = |link: &str| {
            let new = rules.moved(link)?;
            count += 1;
            if print == "links" {
                println!("{new}");
            }
            Some(new)
        };
        rewritten(&page, change, |_| ())?;
    }
    if print == "count" {
        println!("{count}");
    }
    Ok(())
}

/// Rewrites the links of a page.
fn rewritten(
    page: &[u8],
    mut change: impl FnMut(&str) -> Option<String>,
    out: impl FnMut(&[u8]),
) -> io::Result<()> {
    let handler = element!(SLOTS, |element| {
        for name in ["href", "src"] {
            let value = element.get_attribute(name);
            if let Some(new) = value.and_then(|value| change(&value)) {
                element.set_attribute(name, &new)?;
            }
        }
        Ok(())
    });
    let settings = Settings::new()
        .append_element_content_handler(handler)
        .with_strict(false);
    let mut rewriter = HtmlRewriter::new(settings, out);
    let read = rewriter.write(page).and_then(|()| rewriter.end());
    read.map_err(io::Error::other)
}
