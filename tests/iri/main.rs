//! RFC 3987: syntax, mapping and targets, with the vectors of other projects.

#[path = "../support/choices.rs"]
mod choices;
mod map;
mod parse;
mod target;
mod vectors_map;
mod vectors_syntax;
