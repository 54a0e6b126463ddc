//! The places of links in documents: tokenizers for HTML, XML, CSS, Markdown, reStructuredText and plain text, the
//! syntaxes of attribute values, and the escapes at each place.
//!
//! A [`Tokenizer`] reads a document window by window and answers with [`Slot`]s, the places where links may stand. The
//! [`Escaping`] of a slot turns its raw value into text and back; its [`Syntax`] says which parts of the text are
//! references ([`values::split`]). A [`Vocabularies`] value says which elements and attributes hold links.
//!
//! The crate must not know how links are found in running text, nor how IRIs are mapped. It opens no files.

mod boundary;
mod byte_search;
pub mod css;
mod error;
pub mod escape;
pub mod html;
pub mod light;
mod name;
mod places;
pub mod plain;
mod ranges;
mod reference;
pub mod slot;
mod slots;
#[cfg(test)]
mod testing;
pub mod values;
pub mod vocabulary;
pub mod xml;

pub use error::InvalidVocabulary;
pub use escape::{Escaping, Quote};
pub use name::Name;
pub use slot::{
    Access, Place, PlaceKind, Run, ScopedBase, SharedPlace, Slot, Step, Syntax, Tokenizer, Window,
};
pub use slots::Slots;
pub use vocabulary::Vocabulary;
