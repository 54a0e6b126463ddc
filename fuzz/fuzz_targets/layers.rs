//! Encodings and escapes of any bytes: what is decoded, edited, and decoded again, is the edited value.
#![no_main]

use libfuzzer_sys::fuzz_target;
use linkglot_layer::Layer;
use linkglot_markup::{Escapes, Escaping, JsonStyle, LiteralStyle, Quote};

const LAYERS: [Layer; 2] = [Layer::QuotedPrintable, Layer::Base64];

const ESCAPES: [Escaping; 9] = [
    Escaping::JsonString(JsonStyle::UNKNOWN),
    Escaping::HtmlAttribute(Quote::Double),
    Escaping::HtmlAttribute(Quote::Unquoted),
    Escaping::HtmlText,
    Escaping::XmlAttribute(Quote::Single),
    Escaping::XmlText,
    Escaping::XmlCdata,
    Escaping::CssString(Quote::Double),
    Escaping::CssUrl,
];

/// The escapes of string literals.
const LITERALS: [Escapes; 5] = [
    Escapes::JavaScript,
    Escapes::Python,
    Escapes::Java,
    Escapes::CSharp,
    Escapes::Rust,
];

/// Replaces a part of the bytes in a layer.
fn edit_bytes(layer: Layer, encoded: &[u8], at: (u16, u16), new: &[u8]) {
    let decoded = layer.decode(encoded);
    let length = decoded.bytes().len();
    let (one, other) = (usize::from(at.0).min(length), usize::from(at.1).min(length));
    let range = one.min(other)..one.max(other);
    let mut edits = Vec::new();
    let mut writer = decoded.edits();
    if !decoded.is_writable() || writer.replace(range.clone(), new, &mut edits).is_err() {
        return;
    }
    writer.finish(&mut edits);
    let mut written = encoded.to_vec();
    for edit in edits.into_iter().rev() {
        written.splice(edit.range, edit.bytes);
    }
    let mut wanted = decoded.bytes().to_vec();
    wanted.splice(range, new.iter().copied());
    assert_eq!(layer.decode(&written).bytes(), wanted, "{layer:?}");
}

/// Writes a text in the style of another one.
fn edit_text(escaping: Escaping, style: &str, new: &str) {
    let ascii = |ch: char| ch.is_ascii();
    for encodable in [&ascii as &dyn Fn(char) -> bool, &|_| true] {
        if let Some(escaped) = escaping.escape(new, style, encodable) {
            assert_eq!(
                escaping.unescape(&escaped).text(),
                new,
                "{escaping:?} {escaped:?}"
            );
        }
    }
}

fuzz_target!(|input: (u8, (u16, u16), &[u8], &[u8])| {
    let (number, at, encoded, new) = input;
    let number = usize::from(number);
    edit_bytes(LAYERS[number % LAYERS.len()], encoded, at, new);
    if let (Ok(style), Ok(new)) = (str::from_utf8(encoded), str::from_utf8(new)) {
        edit_text(ESCAPES[number % ESCAPES.len()], style, new);
        let literal = LiteralStyle::new(LITERALS[number % LITERALS.len()], b'"');
        edit_text(Escaping::Literal(literal), style, new);
    }
});
