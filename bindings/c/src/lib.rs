//! linkglot for C: the functions of `linkglot.h`.
//!
//! A function of C has a thin body here: it reads its arguments in [`border`], asks the library, and keeps rows that C
//! can look at. There is no global state.

mod border;
mod document;
mod error;
mod find;
mod identifier;
mod link;
mod options;
mod rewrite;
mod rules;
mod texts;

pub use document::*;
pub use error::lg_error;
pub use find::*;
pub use identifier::*;
pub use link::*;
pub use options::*;
pub use rewrite::*;
pub use rules::*;
