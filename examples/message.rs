//! A mail reader for terminals: the links of a message, part by part, each with the words around it.
//!
//!     cargo run --example message < message.eml

use linkglot::document::{DocumentPart, PartSegment};
use linkglot::rewrite::{Form, Forms};
use linkglot::{Document, Format, Settings};
use linkglot_iri::to_iri::ToIri;
use std::io::Read;

/// Number of characters shown around a link.
const AROUND: usize = 24;

fn main() -> std::io::Result<()> {
    let mut message = Vec::new();
    std::io::stdin().read_to_end(&mut message)?;
    print!("{}", listing(&message));
    Ok(())
}

/// The parts with links, and a numbered line for each link: the text before, the target, the text after.
fn listing(message: &[u8]) -> String {
    let mut settings = Settings::default();
    settings.format = Some(Format::Mail);
    let document = Document::new(message, &settings);
    let (mut lines, mut number) = (String::new(), 0);
    for part in document.parts() {
        let segments: Vec<PartSegment<'_>> = part.segments().collect();
        let targets = targets(&settings, part, &segments);
        if targets.is_empty() {
            continue;
        }
        lines.push_str(&heading(part));
        for (at, target) in targets {
            number += 1;
            let before = at
                .checked_sub(1)
                .map_or("", |before| words(&segments[before]));
            let behind = segments.get(at + 1).map_or("", words);
            lines.push_str(&format!(
                "{number:4}  {}[{target}]{}\n",
                end(before),
                begin(behind)
            ));
        }
    }
    lines
}

/// The targets of the links of a part, in readable form, by their places among the segments.
fn targets(
    settings: &Settings,
    part: &DocumentPart<'_>,
    segments: &[PartSegment<'_>],
) -> Vec<(usize, String)> {
    let forms = Forms::new(settings).of_document(part.info());
    let shown = |(at, segment): (usize, &PartSegment<'_>)| match segment {
        PartSegment::Text(_) => None,
        PartSegment::Link(link, _) => {
            let resolved = link.resolved(part.info());
            let (iri, _) = forms.of(link, Form::Iri);
            // Characters that could deceive a reader stay percent-encoded.
            let known = resolved.map(|uri| ToIri::default().map(&uri, &|_| true).text.into_owned());
            Some((at, known.or(iri).unwrap_or_else(|| link.text().to_owned())))
        }
    };
    segments.iter().enumerate().filter_map(shown).collect()
}

fn heading(part: &DocumentPart<'_>) -> String {
    match part.part() {
        Some(known) => format!("{}  {}\n", known.number(), known.media_type()),
        None => String::new(),
    }
}

fn words<'s>(segment: &'s PartSegment<'_>) -> &'s str {
    match segment {
        PartSegment::Text(text) => text,
        PartSegment::Link(..) => "",
    }
}

/// The end of a text before a link, in the line of the link.
fn end(text: &str) -> String {
    let line = text.rsplit('\n').next().unwrap_or_default();
    let skipped = line.chars().count().saturating_sub(AROUND);
    printable(line.chars().skip(skipped))
}

/// The beginning of a text after a link, in the line of the link.
fn begin(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    printable(line.chars().take(AROUND))
}

fn printable(text: impl Iterator<Item = char>) -> String {
    text.filter(|ch| !ch.is_control()).collect()
}

#[test]
fn links_are_listed_by_part() {
    let message = "List-Archive: <http://lists.example/a>\nContent-Type: multipart/mixed; boundary=b\n\n\
        --b\nContent-Transfer-Encoding: quoted-printable\n\nsee http://xn--bcher-kva.example/=\nx, please\n\
        --b\nContent-Type: text/html\nContent-Location: http://a.example/b/\n\n<a href=c>d</a>\n--b--\n";
    assert_eq!(
        listing(message.as_bytes()),
        "/list-archive  multipart/mixed\n   1   <[http://lists.example/a]>\n\
        1  text/plain\n   2  see [http://bücher.example/x], please\n\
        2/content-location  text/html\n   3   [http://a.example/b/]\n\
        2  text/html\n   4  <a href=[http://a.example/b/c]>d</a>\n"
    );
}
