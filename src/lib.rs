//! Finds links (IRIs, RFC 3987) in running text, HTML, XML, CSS, Markdown and reStructuredText of
//! any charset, and rewrites them in place without touching another byte.
//!
//! # The links of a string
//!
//! ```
//! let text = "See http://résumé.example/é, or write to info@example.org.";
//! let links: Vec<_> = linkglot::scan::links(text).map(|hit| hit.link(text)).collect();
//! assert_eq!(links, ["http://résumé.example/é", "info@example.org"]);
//! ```
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
//! use linkglot::Settings;
//! use linkglot::rewrite::{Form, Mapping, rewrite_slice};
//!
//! let page = b"<meta charset=windows-1252><A HREF = '/caf\xE9?x=1&amp;y=\xE9'>\r\n\xFF";
//! let mapping = Mapping::new(Form::Uri);
//! let (new, _, tally) = rewrite_slice(page, &Settings::default(), &mapping, &mut |_, _| {});
//! assert_eq!(
//!     new.as_deref(),
//!     Some(&b"<meta charset=windows-1252><A HREF = '/caf%C3%A9?x=1&amp;y=%E9'>\r\n\xFF"[..])
//! );
//! assert_eq!((tally.links, tally.changed, tally.left), (1, 1, 0));
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

pub mod ascii;
pub mod charset;
pub mod document;
#[cfg(feature = "cli")]
pub mod driver;
pub mod error;
pub mod format;
pub mod iri;
pub mod link;
mod machine;
pub mod markup;
pub mod report;
pub mod rewrite;
pub mod scan;
pub mod span;
pub mod stream;
mod vector;

pub use document::{Document, Settings};
pub use error::{Error, ErrorKind};
pub use link::Link;

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
