//! The places of links in documents: tokenizers for HTML, XML, CSS, JSON, SQL, programs, TeX, Markdown,
//! reStructuredText, wikitext, AsciiDoc, Org, Textile, calendars, vCards and plain text, the syntaxes of attribute
//! values, the escapes at each place.
//!
//! A [`Tokenizer`] reads a document window by window and answers with [`Slot`]s, the places where links may stand. The
//! [`Escaping`] of a slot turns its raw value into text and back; its [`Syntax`] tells the references in the text
//! ([`values::split`]). A [`Vocabulary`] knows the elements and attributes that hold links.
//!
//! The crate must know neither the search for links in running text nor the mapping of IRIs. It opens no files.

mod boundary;
mod byte_search;
mod code;
pub mod content_lines;
mod css;
mod csv;
mod escape;
mod html;
mod json;
mod language;
pub mod light;
mod line_state;
mod name;
mod places;
mod plain;
mod reference;
mod reference_places;
mod rtf;
mod serialized;
mod settings;
mod signs;
mod slot;
mod slots;
mod sql;
#[cfg(feature = "markdown")]
mod surroundings;
#[cfg(test)]
mod testing;
mod tex;
mod text_bytes;
mod text_stretch;
pub mod values;
pub mod vocabulary;
mod xml;
mod yaml;

pub use code::CodeTokenizer;
pub use content_lines::ContentLineTokenizer;
pub use css::CssTokenizer;
pub use csv::CsvTokenizer;
pub use escape::{
    Backslash, CsvStyle, Escapes, Escaping, Holes, JsonStyle, LiteralStyle, Quote, QuotedCharset,
    Repertoire, RtfStyle, RunElement, RunsStyle, SqlStyle, TexPercent, TexPlace, YamlStyle,
};
#[doc(hidden)]
pub use escape::{TEX_CODE, html_entity, is_tex_letter};
pub use html::{
    DisplayedText, Form, FormPlaces, HtmlTokenizer, PageMarkup, declaration_place, displayed_text,
    php_codes, php_slot,
};
#[doc(hidden)]
pub use html::{begins_php, lexer};
pub use json::{JsonLayout, JsonTokenizer, begins_json, has_json_signature, is_json};
pub use language::Language;
pub use name::Name;
pub use plain::PlainTokenizer;
pub use reference_places::ReferencePlaces;
pub use rtf::{RtfTokenizer, begins_rtf};
pub use serialized::{SerializedString, SerializedStrings, serialized_strings};
pub use settings::{CommentSlots, MarkupSettings, TextSlots};
#[doc(hidden)]
pub use signs::may_hold_link;
pub use slot::{
    Access, Place, PlaceKind, ReferencePlace, Run, ScopedBase, SharedPlace, Slot, Step, Syntax,
    Tokenizer, Window,
};
pub use slots::Slots;
pub use sql::{SqlTokenizer, begins_sql};
#[cfg(feature = "markdown")]
pub use surroundings::Surroundings;
#[doc(hidden)]
pub use tex::TEX_VERBATIM;
pub use tex::{TexTokenizer, begins_tex};
pub use text_bytes::{TextBytes, When};
pub use vocabulary::{InvalidVocabulary, Vocabulary};
pub use xml::{RevisionText, XmlTokenizer};
pub use yaml::YamlTokenizer;

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
