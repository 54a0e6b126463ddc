//! Explains each IRI of its arguments, and compares neighbours.
//!
//! `cargo run --example iri -- http://é.example/ HTTP://xn--9ca.example:80/`

use linkglot_iri::{Comparison, Lenient, ToIri, ToUri, compare, warnings};

fn main() {
    let iris: Vec<String> = std::env::args().skip(1).collect();
    for iri in &iris {
        explain(iri);
    }
    for pair in iris.windows(2) {
        match compare(&pair[0], &pair[1]) {
            Comparison::Same(level) => println!("{} = {} ({})", pair[0], pair[1], level.name()),
            Comparison::Different(component) => {
                println!(
                    "{} differs from {} in {}",
                    pair[0],
                    pair[1],
                    component.words()
                );
            }
        }
    }
}

fn explain(iri: &str) {
    println!("{iri}");
    let read = Lenient::read(iri);
    for (name, part) in read.parts().components() {
        if let Some(part) = part {
            println!("  {name:9} {part}");
        }
    }
    for odd in read.tolerated() {
        println!("  odd       {} at byte {}", odd.what.words(), odd.at);
    }
    match ToUri::default().map(iri) {
        Ok(uri) => println!("  URI       {}", uri.text),
        Err(error) => println!("  no URI    {error}"),
    }
    println!("  display   {}", ToIri::default().map(iri, &|_| true).text);
    for warning in warnings(iri) {
        println!("  warning   {warning}");
    }
}
