//! Lists the places of links in HTML, XML and CSS files, with the references that each holds.
//!
//! `cargo run --example slots -- page.html feed.xml style.css`

use linkglot_charset::Charset;
use linkglot_markup::{
    CssTokenizer, HtmlTokenizer, Place, Slot, Slots, Tokenizer, XmlTokenizer, values,
};
use std::path::Path;

fn main() -> std::io::Result<()> {
    for path in std::env::args_os().skip(1) {
        let path = Path::new(&path);
        let document = std::fs::read(path)?;
        let slots = Slots::new(tokenizer(path), &document, Charset::UTF_8);
        for slot in slots {
            print(path, &document, &slot);
        }
    }
    Ok(())
}

fn tokenizer(path: &Path) -> Box<dyn Tokenizer> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("css") => Box::new(CssTokenizer::new(1 << 20)),
        Some("html" | "htm") => Box::new(HtmlTokenizer::default()),
        _ => Box::new(XmlTokenizer::default()),
    }
}

/// Prints the references of a slot. Running text is for a scanner of links, such as `linkglot-scan`.
fn print(path: &Path, document: &[u8], slot: &Slot) {
    let raw = String::from_utf8_lossy(&document[slot.range.clone()]);
    let value = slot.escaping.unescape(&raw);
    values::split(slot.syntax, value.text(), &mut |reference| {
        let text = reference.span.of(value.text());
        let place = describe(&slot.place);
        println!("{}:{}: {place}: {text}", path.display(), slot.range.start);
    });
}

fn describe(place: &Place) -> String {
    let names = [
        Some(place.kind.name()),
        place.element.as_deref(),
        place.name.as_deref(),
    ];
    let names: Vec<&str> = names.into_iter().flatten().collect();
    names.join(" ")
}
