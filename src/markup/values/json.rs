//! JSON. JSON-LD: strings that are absolute IRIs, and values of keys that hold references; they may be URI templates
//! (RFC 6570), as in what searches. Import maps and speculation rules (HTML standard 8.1.6.2 and 7.6): what they say are URLs.

use super::{Part, is_absolute};
use crate::markup::escape::Escaping;
use crate::markup::slot::PlaceKind;
use crate::span::TextSpan;

/// What the JSON is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// JSON-LD.
    LinkedData,
    /// An import map.
    ImportMap,
    /// Speculation rules.
    SpeculationRules,
}

/// What a key says of the values behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Key {
    /// They are references, relative ones too.
    Reference,
    /// They are names of the vocabulary, and so is all that is nested in them.
    Vocabulary,
    /// An object that maps specifiers to references; those of its keys that are written as URLs are references, too.
    Specifiers,
    /// An object whose keys are references and whose values map specifiers.
    Scopes,
    /// An object whose keys are references; its values are none.
    Hashes,
    /// None of the values is a reference.
    Nothing,
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
    "urlTemplate",
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

/// Whether a JSON-LD text may say what its relative references resolve to: a context has an `@base` (JSON-LD 1.1 section 4.1.3),
/// or imports what may have one. The same key in contexts that are only referred to does not count. Linear.
pub fn may_have_base(text: &str) -> bool {
    let says_so = |key: &str| matches!(key, "@base" | "@import");
    if !["@base", "@import", "\\u"]
        .iter()
        .any(|part| text.contains(part))
    {
        return false;
    }
    let mut at = 0;
    while let Some(quote) = memchr::memchr(b'"', text.as_bytes().get(at..).unwrap_or_default()) {
        let begin = at + quote + 1;
        let end = string_end(text, begin);
        let raw = TextSpan::new(begin, end).of(text);
        if says_so(Escaping::JsonString.unescape(raw).text()) && names_value(text, end) {
            return true;
        }
        at = end + 1;
    }
    false
}

struct Level {
    is_object: bool,
    /// What the key before the object or array says.
    outer: Key,
}

/// The references of a JSON text, well-formed or not.
pub fn split(text: &str, dialect: Dialect, each: &mut dyn FnMut(Part)) {
    let mut levels: Vec<Level> = Vec::new();
    let outermost = match dialect {
        Dialect::LinkedData => Key::Other,
        _ => Key::Nothing,
    };
    let mut key = outermost;
    let mut at = 0;
    while let Some(&byte) = text.as_bytes().get(at) {
        at += 1;
        match byte {
            b'"' => {
                let end = string_end(text, at);
                let span = TextSpan::new(at, end);
                match names_value(text, end) {
                    true => {
                        key.offer_name(text, span, each);
                        key = key.below(key_of(span.of(text), dialect, levels.len()));
                    }
                    false => value(text, span, key, dialect, each),
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
            b'}' | b']' => key = levels.pop().map_or(outermost, |level| level.outer),
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
            Key::Specifiers => Key::Reference,
            Key::Scopes => Key::Specifiers,
            Key::Hashes => Key::Nothing,
            _ => key,
        }
    }

    /// Hands out the name of a value, if `self`, which holds for its object, says that it is a reference.
    fn offer_name(self, text: &str, span: TextSpan, each: &mut dyn FnMut(Part)) {
        let name = Escaping::JsonString.unescape(span.of(text));
        let is_reference = match self {
            Key::Scopes => !name.text().is_empty(),
            Key::Specifiers | Key::Hashes => is_written_as_url(name.text()),
            _ => false,
        };
        if is_reference {
            offer(span, each);
        }
    }
}

/// Whether a module specifier is a URL and no bare name (HTML standard 8.1.6.1).
fn is_written_as_url(specifier: &str) -> bool {
    let relative = ["/", "./", "../"];
    relative.iter().any(|begin| specifier.starts_with(begin)) || is_absolute(specifier)
}

fn offer(span: TextSpan, each: &mut dyn FnMut(Part)) {
    each(Part {
        span,
        escaping: Escaping::JsonString,
        kind: Some(PlaceKind::Script),
    });
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

fn key_of(raw: &str, dialect: Dialect, depth: usize) -> Key {
    match (dialect, raw) {
        (Dialect::LinkedData, _) => key_of_linked_data(raw),
        (Dialect::ImportMap, "imports") if depth == 1 => Key::Specifiers,
        (Dialect::ImportMap, "scopes") if depth == 1 => Key::Scopes,
        (Dialect::ImportMap, "integrity") if depth == 1 => Key::Hashes,
        (Dialect::SpeculationRules, "urls") => Key::Reference,
        _ => Key::Nothing,
    }
}

fn key_of_linked_data(raw: &str) -> Key {
    if REFERENCES.contains(&raw) {
        Key::Reference
    } else if VOCABULARY.contains(&raw) {
        Key::Vocabulary
    } else {
        Key::Other
    }
}

fn value(text: &str, span: TextSpan, key: Key, dialect: Dialect, each: &mut dyn FnMut(Part)) {
    let value = Escaping::JsonString.unescape(span.of(text));
    let value = value.text();
    let counts = match key {
        Key::Reference => {
            let blank_node = value.starts_with("_:");
            !value.is_empty() && !blank_node && !value.contains(char::is_whitespace)
        }
        Key::Other => is_absolute(value),
        _ => false,
    };
    let brace = value.find(['{', '}']);
    // A template of which nothing is known before it is filled in points nowhere yet.
    let may_stand = brace.is_none_or(|at| dialect == Dialect::LinkedData && at > 0);
    if counts && may_stand {
        offer(span, each);
    }
}
