//! Time for the links of a text, as `speed.c` measures it: cargo run --release --example speed ROUNDS FILE FORMAT

use linkglot::link::Info;
use linkglot::rewrite::{Forms, LinkForms};
use linkglot::{Charset, Format, Link, Settings};
use std::ops::ControlFlow;
use std::time::Instant;

/// A sum of what a row of C has and a program would look at.
fn looked_at(link: &Link<'_>, forms: &LinkForms, info: &Info) -> usize {
    let length = |text: Option<&str>| text.map_or(0, str::len);
    let (uri, iri) = (length(forms.uri.as_deref()), length(forms.iri.as_deref()));
    let target = length(link.resolved(info).as_deref());
    let span = link.span();
    let mut notes = link.notes();
    notes.extend(forms.notes);
    let sum = link.text().len() + link.raw().len() + uri + iri + target;
    (span.end - span.start) as usize + sum + notes.iter().count()
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, rounds, file, format] = &arguments[..] else {
        panic!("expected ROUNDS FILE FORMAT");
    };
    let rounds: u32 = rounds.parse().expect("a number");
    let text = std::fs::read(file).expect("a file");
    let mut settings = Settings::default();
    settings.charset = Some(Charset::UTF_8);
    // The library for C reads labels.
    settings.labels = true;
    settings.format = match format.as_str() {
        "text" => Some(Format::Text),
        "html" => Some(Format::Html),
        _ => None,
    };
    let (mut best, mut sum, mut count) = (f64::MAX, 0, 0);
    for _ in 0..rounds {
        let begun = Instant::now();
        (sum, count) = (0, 0);
        let read = Forms::new(&settings).read_slice(&text, &mut |link, forms, info| {
            sum += looked_at(link, forms, info);
            count += 1;
            ControlFlow::Continue(())
        });
        read.expect("links");
        best = best.min(begun.elapsed().as_secs_f64());
    }
    println!("{:.1} µs, {count} links, sum {sum}", best * 1e6);
}
