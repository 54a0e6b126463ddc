//! JSON: JSON-LD, import maps and speculation rules (HTML standard 8.1.6.2 and 7.6).
//!
//! In JSON-LD, strings that are absolute IRIs are references, and so are the strings of certain keys, which may be URI
//! templates (RFC 6570). In import maps and speculation rules, the position of a string decides.

use super::is_absolute;
use crate::escape::{Escaping, JsonStyle, string_end};
use crate::reference::Reference;
use crate::slot::{Access, PlaceKind};
use linkglot_charset::span::TextSpan;

const STRING: Escaping = Escaping::JsonString(JsonStyle::UNKNOWN);

/// The meaning of a JSON document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// JSON-LD.
    LinkedData,
    /// An import map.
    ImportMap,
    /// Speculation rules.
    SpeculationRules,
}

/// Treatment of the values of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// Strings are references, also relative ones.
    Reference,
    /// Strings are references that identify: programs compare them as written (RFC 3987 5.3.1).
    Identifier,
    /// Strings are names of a vocabulary, at any depth.
    Vocabulary,
    /// An object that maps specifiers to references. Specifiers in the form of URLs are references, too.
    Specifiers,
    /// An object whose keys are references and whose values are [`Specifiers`](Key::Specifiers).
    Scopes,
    /// An object whose keys are references, and whose values are no references.
    Hashes,
    /// No string is a reference.
    Nothing,
    /// Absolute IRIs are references.
    Other,
    /// Absolute IRIs are references that identify.
    OtherIdentifier,
}

/// JSON-LD keys whose strings are references (schema.org, JSON-LD 1.1).
const REFERENCES: &[&str] = &[
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

/// JSON-LD keys whose values name vocabularies and types.
const VOCABULARY: &[&str] = &[
    "@context",
    "@vocab",
    "@type",
    "type",
    "@base",
    "@import",
    "additionalType",
];

/// True if relative references in a JSON-LD text may resolve against a base that the text declares: a context has an
/// `@base` (JSON-LD 1.1 section 4.1.3) or imports a context, which may have one. Contexts that are only referred to do
/// not count. Linear.
pub fn may_have_base(text: &str) -> bool {
    // An escape may spell the key.
    if !["@base", "@import", "\\u"]
        .iter()
        .any(|part| text.contains(part))
    {
        return false;
    }
    let mut at = 0;
    while let Some(quote) = memchr::memchr(b'"', &text.as_bytes()[at..]) {
        let start = at + quote + 1;
        let end = end_of(text, start);
        let string = STRING.unescape(&text[start..end]);
        if matches!(string.text(), "@base" | "@import") && is_key(text, end) {
            return true;
        }
        at = (end + 1).min(text.len());
    }
    false
}

/// An open object or array.
struct Level {
    is_object: bool,
    /// The key of the object or array itself.
    key: Key,
}

/// Hands out the references of a JSON text, which need not be well-formed.
pub fn split(text: &str, dialect: Dialect, each: &mut dyn FnMut(Reference)) {
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
                let span = TextSpan::new(at, end_of(text, at));
                let string = STRING.unescape(span.of(text));
                let is_key = is_key(text, span.end);
                let is_reference = if is_key {
                    key.has_reference_key(string.text())
                } else {
                    key.has_reference(string.text(), dialect)
                };
                if is_reference {
                    each(Reference {
                        escaping: STRING,
                        access: key.access(),
                        ..Reference::of_kind(span, PlaceKind::Script)
                    });
                }
                if is_key {
                    key = key.below(key_of(string.text(), dialect, levels.len()));
                }
                at = span.end + 1;
            }
            b'{' | b'[' => {
                let is_object = byte == b'{';
                levels.push(Level { is_object, key });
                key = key.inside(is_object);
            }
            b'}' | b']' => key = levels.pop().map_or(outermost, |level| level.key),
            b',' => {
                if let Some(level) = levels.last().filter(|level| level.is_object) {
                    key = level.key.inside(true);
                }
            }
            _ => {}
        }
    }
}

impl Key {
    /// The key in force at the beginning of an object or array of this key.
    pub fn inside(self, is_object: bool) -> Key {
        match self {
            Key::Reference | Key::Identifier | Key::OtherIdentifier if is_object => Key::Other,
            other => other,
        }
    }

    /// The key in force behind `key` in an object of this key.
    pub fn below(self, key: Key) -> Key {
        match self {
            Key::Vocabulary => Key::Vocabulary,
            Key::Specifiers => Key::Reference,
            Key::Scopes => Key::Specifiers,
            Key::Hashes => Key::Nothing,
            _ => key,
        }
    }

    /// Access to the references of this key.
    pub fn access(self) -> Access {
        match self {
            Key::Identifier | Key::OtherIdentifier => Access::Rules,
            Key::Vocabulary => Access::Identifier,
            _ => Access::Rewrite,
        }
    }

    /// True if a key in an object of this key is itself a reference.
    fn has_reference_key(self, name: &str) -> bool {
        match self {
            Key::Scopes => !name.is_empty(),
            Key::Specifiers | Key::Hashes => is_url_like(name),
            _ => false,
        }
    }

    /// True if a string value of this key is a reference.
    pub fn has_reference(self, value: &str, dialect: Dialect) -> bool {
        let is_candidate = match self {
            Key::Reference | Key::Identifier => {
                let is_blank_node = value.starts_with("_:");
                !value.is_empty() && !is_blank_node && !value.contains(char::is_whitespace)
            }
            Key::Other | Key::OtherIdentifier | Key::Vocabulary => is_absolute(value),
            _ => false,
        };
        // A template that begins with an expression points nowhere before it is expanded.
        let brace = value.find(['{', '}']);
        is_candidate && brace.is_none_or(|at| dialect == Dialect::LinkedData && at > 0)
    }
}

/// True if a module specifier is a URL rather than a bare name (HTML standard 8.1.6.1).
fn is_url_like(specifier: &str) -> bool {
    let is_relative = |start: &&str| specifier.starts_with(start);
    ["/", "./", "../"].iter().any(is_relative) || is_absolute(specifier)
}

/// The end of a string whose inside begins at `from`, which may be cut.
fn end_of(text: &str, from: usize) -> usize {
    string_end(text.as_bytes(), from).unwrap_or(text.len())
}

/// True if the string whose closing quote is at `end` is a key.
fn is_key(text: &str, end: usize) -> bool {
    let behind = text.get(end + 1..).unwrap_or("");
    behind.trim_ascii_start().starts_with(':')
}

/// The treatment of the values of a key in an object at a depth.
pub fn key_of(name: &str, dialect: Dialect, depth: usize) -> Key {
    match (dialect, name) {
        (Dialect::LinkedData, "@id") => Key::Identifier,
        (Dialect::LinkedData, "id") => Key::OtherIdentifier,
        (Dialect::LinkedData, _) if REFERENCES.contains(&name) => Key::Reference,
        (Dialect::LinkedData, _) if VOCABULARY.contains(&name) => Key::Vocabulary,
        (Dialect::LinkedData, _) => Key::Other,
        (Dialect::ImportMap, "imports") if depth == 1 => Key::Specifiers,
        (Dialect::ImportMap, "scopes") if depth == 1 => Key::Scopes,
        (Dialect::ImportMap, "integrity") if depth == 1 => Key::Hashes,
        (Dialect::SpeculationRules, "urls") => Key::Reference,
        _ => Key::Nothing,
    }
}
