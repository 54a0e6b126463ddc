//! Finds links (IRIs, RFC 3987) in running text, HTML, XML, CSS, Markdown and reStructuredText of
//! any charset, and rewrites them in place without touching another byte.
//!
//! # The links of a string
//!
//! ```
//! let text = "See http://résumé.example/é, or write to info@example.org.";
//! let links: Vec<_> = linkglot::links(text).map(|link| link.text()).collect();
//! assert_eq!(links, ["http://résumé.example/é", "info@example.org"]);
//! ```
//!
//! [`spans`] gives the text between them, too, and [`is_safe_to_click`] tells which may be made
//! clickable.
//!
//! # The links of a document
//!
//! Its format and charset are found out, unless [`Settings`] say them.
//!
//! ```
//! use linkglot::{Document, Settings};
//!
//! let page = b"<meta charset=koi8-r><img srcset='/\xC1.png 1x, /b.png 2x'>";
//! let document = Document::new(page, &Settings::default());
//! let links: Vec<_> = document.links().map(|link| link.text().to_owned()).collect();
//! assert_eq!(links, ["/а.png", "/b.png"]);
//! ```
//!
//! # Rewriting a document
//!
//! ```
//! use linkglot::rewrite::{Form, Rewriter};
//!
//! let page = b"<meta charset=windows-1252><A HREF = '/caf\xE9?x=1&amp;y=\xE9'>\r\n\xFF";
//! let rewritten = Rewriter::new().to(Form::Uri).rewrite_slice(page);
//! assert_eq!(
//!     rewritten.content,
//!     &b"<meta charset=windows-1252><A HREF = '/caf%C3%A9?x=1&amp;y=%E9'>\r\n\xFF"[..]
//! );
//! assert_eq!((rewritten.changed(), rewritten.left()), (1, 0));
//! ```
//!
//! # A stream, in bounded memory
//!
//! ```
//! use linkglot::{Settings, stream::read_links};
//! use std::ops::ControlFlow;
//!
//! let mut reader = "a line\nhttps://example.org/ß\n".as_bytes();
//! read_links(&mut reader, &Settings::default(), &mut |link, _| {
//!     println!("{} at byte {}", link.text(), link.span().start);
//!     ControlFlow::Continue(())
//! })?;
//! # Ok::<(), linkglot::Error>(())
//! ```
//!
//! # Rooms
//!
//! [`charset`] turns bytes into text and back; [`iri`] parses, maps and compares identifiers;
//! [`scan`] finds links in running text; [`markup`] finds the places of links in HTML, XML and
//! CSS; [`document`] and [`stream`] bring them together; [`rewrite`] edits.

pub mod document;
pub mod error;
pub mod format;
pub mod link;
mod mail;
pub mod notes;
pub mod rewrite;
pub mod stream;
mod text;

// The crates below, for the modules here.
use linkglot_charset as charset;
use linkglot_charset::span;
use linkglot_iri as iri;
use linkglot_markup as markup;
use linkglot_scan as scan;

pub use document::{Document, Settings};
pub use error::{Error, ErrorKind};
pub use format::Format;
pub use link::Link;
pub use linkglot_charset::span::SourceSpan;
pub use linkglot_charset::{
    Certainty, Charset, CharsetFrom, DeclarationSyntax, UnknownDeclaration, UnknownLabel,
};
pub use linkglot_iri::QueryCharset;
pub use linkglot_markup::{
    Access, CommentSlots, InvalidVocabulary, Name, Place, PlaceKind, TextSlots, Vocabulary,
};
pub use linkglot_scan::{Breaks, Evidence, Kind, Profile, Scanner};
#[doc(no_inline)]
pub use notes::{Note, Notes};
pub use text::{Segment, TextLink, is_safe_to_click, links, segments};

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
