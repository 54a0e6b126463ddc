//! Tokenizers that find the slots of documents, the syntaxes of what stands in slots, and the
//! escapes at each place.
//!
//! It must not know the link scanner or how IRIs are mapped, and it opens no files.

pub mod css;
pub mod escape;
pub mod html;
pub mod light;
mod name;
pub mod plain;
pub mod slot;
pub mod values;
mod vocabularies;
pub mod vocabulary;
mod words;
pub mod xml;

pub use escape::{Escaping, Quote};
pub use name::Name;
pub use slot::{
    Access, Place, PlaceKind, Run, ScopedBase, SharedPlace, Slot, Step, Syntax, Tokenizer, Window,
};
pub use vocabularies::Vocabularies;
