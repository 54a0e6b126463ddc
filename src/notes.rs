//! Notes: stable codes that say something about a link, such as why a rewrite left it or what could deceive its reader.
//!
//! ```
//! use linkglot::notes::Note;
//! use linkglot::rewrite::{Form, Rewriter};
//!
//! let mut left = Vec::new();
//! let watched = Rewriter::new().to(Form::Uri).on_link(|outcome, _| left.extend(outcome.notes.iter()));
//! watched.rewrite_slice("<a href='/\u{e9}/{{ page }}'>".as_bytes());
//! assert_eq!(left, [Note::LeftTemplate]);
//! assert_eq!(left[0].code(), "left-template");
//! ```

pub use linkglot_iri::notes::{Note, Notes};
