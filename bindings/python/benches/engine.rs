//! Cost of a short document without Python, for `compare.py`: nanoseconds per document, for each named file.

use linkglot::rewrite::{Form, Rewriter};
use linkglot::{Document, Settings};
use std::hint::black_box;
use std::time::Instant;

const DOCUMENTS: u32 = 20_000;

/// The shortest of several rounds: other load of the machine only adds time.
fn nanoseconds(mut work: impl FnMut()) -> u128 {
    let rounds = (0..15).map(|_| {
        let begun = Instant::now();
        (0..DOCUMENTS).for_each(|_| work());
        begun.elapsed().as_nanos() / u128::from(DOCUMENTS)
    });
    rounds.min().unwrap_or(0)
}

fn main() -> std::io::Result<()> {
    let settings = Settings::default();
    let rewriter = Rewriter::new().to(Form::Uri);
    for path in std::env::args().skip(1) {
        let bytes = std::fs::read(path)?;
        let find = nanoseconds(|| {
            let document = Document::new(black_box(&bytes), &settings);
            let links = document.links().map(|link| link.into_owned());
            black_box(links.collect::<Vec<_>>());
        });
        let rewrite = nanoseconds(|| {
            black_box(rewriter.rewrite_slice(black_box(&bytes)).content.len());
        });
        println!("{find} {rewrite}");
    }
    Ok(())
}
