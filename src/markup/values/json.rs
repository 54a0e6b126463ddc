//! JSON-LD: strings that are absolute IRIs, and values of keys that hold references.

use super::{Part, is_absolute};
use crate::markup::escape::Escaping;
use crate::markup::slot::PlaceKind;
use crate::span::TextSpan;

/// What a key says of the values behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Key {
    /// They are references, relative ones too.
    Reference,
    /// They are names of the vocabulary, and so is all that is nested in them.
    Vocabulary,
    /// Nothing: absolute IRIs are references.
    Other,
}

/// Keys whose strings are references (schema.org, JSON-LD 1.1).
const REFERENCES: &[&str] = &[
    "@id",
    "acquireLicensePage",
    "archivedAt",
    "codeRepository",
    "contentUrl",
    "discussionUrl",
    "downloadUrl",
    "embedUrl",
    "hasMap",
    "image",
    "installUrl",
    "isBasedOn",
    "license",
    "logo",
    "mainEntityOfPage",
    "paymentUrl",
    "photo",
    "publishingPrinciples",
    "relatedLink",
    "sameAs",
    "screenshot",
    "significantLink",
    "thumbnailUrl",
    "trackingUrl",
    "url",
];

/// Keys whose values name vocabularies and types.
const VOCABULARY: &[&str] = &[
    "@context",
    "@vocab",
    "@type",
    "@base",
    "@import",
    "additionalType",
];

struct Level {
    is_object: bool,
    /// What the key before the object or array says.
    outer: Key,
}

/// The references of a JSON text, well-formed or not.
pub fn split(text: &str, each: &mut dyn FnMut(Part)) {
    let mut levels: Vec<Level> = Vec::new();
    let mut key = Key::Other;
    let mut at = 0;
    while let Some(&byte) = text.as_bytes().get(at) {
        at += 1;
        match byte {
            b'"' => {
                let end = string_end(text, at);
                match names_value(text, end) {
                    true => key = key.below(key_of(&text[at..end])),
                    false => value(text, TextSpan::new(at, end), key, each),
                }
                at = end + 1;
            }
            b'{' | b'[' => {
                let is_object = byte == b'{';
                levels.push(Level {
                    is_object,
                    outer: key,
                });
                key = key.inside(is_object);
            }
            b'}' | b']' => key = levels.pop().map_or(Key::Other, |level| level.outer),
            b',' => {
                if let Some(level) = levels.last().filter(|level| level.is_object) {
                    key = level.outer.inside(true);
                }
            }
            _ => {}
        }
    }
}

impl Key {
    /// What holds before any key of an object, or for the items of an array.
    fn inside(self, is_object: bool) -> Key {
        match self {
            Key::Reference if is_object => Key::Other,
            other => other,
        }
    }

    /// What holds behind a key, when `self` holds for its object.
    fn below(self, key: Key) -> Key {
        match self {
            Key::Vocabulary => Key::Vocabulary,
            _ => key,
        }
    }
}

/// The closing quote of a string whose inside begins at `from` (or the text's end).
fn string_end(text: &str, from: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = from;
    while let Some(rest) = bytes.get(at..) {
        match memchr::memchr2(b'"', b'\\', rest) {
            None => break,
            Some(found) if rest[found] == b'"' => return at + found,
            Some(found) => at += found + 2,
        }
    }
    text.len()
}

/// Whether the string that ends at `end` is a key.
fn names_value(text: &str, end: usize) -> bool {
    let behind = text.get(end + 1..).unwrap_or_default();
    behind.trim_ascii_start().starts_with(':')
}

fn key_of(raw: &str) -> Key {
    if REFERENCES.contains(&raw) {
        Key::Reference
    } else if VOCABULARY.contains(&raw) {
        Key::Vocabulary
    } else {
        Key::Other
    }
}

fn value(text: &str, span: TextSpan, key: Key, each: &mut dyn FnMut(Part)) {
    let value = Escaping::JsonString.unescape(span.of(text));
    let value = value.text();
    let template = value.contains(['{', '}']);
    let counts = match key {
        Key::Vocabulary => false,
        Key::Other => is_absolute(value),
        Key::Reference => {
            let blank_node = value.starts_with("_:");
            !value.is_empty() && !blank_node && !value.contains(char::is_whitespace)
        }
    };
    if counts && !template {
        each(Part {
            span,
            escaping: Escaping::JsonString,
            kind: Some(PlaceKind::Script),
        });
    }
}
