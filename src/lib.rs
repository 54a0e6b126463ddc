//! Finds links (IRIs, RFC 3987) in running text, HTML, XML, CSS, Markdown, reStructuredText, mail and calendars of any
//! charset, and rewrites them in place without touching another byte.
//!
//! # A mail client
//!
//! A [`Document`] has [parts](Document::parts), decoded, and each of them its text and its links. Who sends a message
//! chooses its links: [`is_safe_to_click`] tells which may be made clickable.
//!
//! ```
//! use linkglot::document::PartSegment;
//! use linkglot::{Document, Format, Settings, is_safe_to_click};
//!
//! let mut settings = Settings::default();
//! settings.format = Some(Format::Mail);
//! let message = b"Content-Transfer-Encoding: quoted-printable\n\nSee www.example.org/caf=C3=A9=\n.html, please.\n";
//! let mut shown = String::new();
//! for part in Document::new(message, &settings).parts() {
//!     for segment in part.segments() {
//!         match segment {
//!             PartSegment::Link(link, _) if is_safe_to_click(&link.reference()) => {
//!                 shown += &format!("<{}>", link.reference());
//!             }
//!             PartSegment::Link(_, text) | PartSegment::Text(text) => shown += &text,
//!         }
//!     }
//! }
//! assert_eq!(shown, "See <https://www.example.org/café.html>, please.\n");
//! ```
//!
//! For a string there are [`links`] and [`segments`].
//!
//! # An archivist
//!
//! A [`Rewriter`](rewrite::Rewriter) writes URIs into pages of any charset. The target of each link stays the same; a
//! link that would lose its target stays as it is, with a [note](notes) why.
//!
//! ```
//! use linkglot::rewrite::{Form, Rewriter};
//!
//! let page = b"<meta charset=windows-1252>\r\n<A HREF = '/caf\xE9?x=1&amp;y=\xE9'><a href='/\xE9/{{ id }}'>";
//! let mut left = Vec::new();
//! let rewriter = Rewriter::new().to(Form::Uri).on_link(|outcome, _| {
//!     if outcome.new.is_none() {
//!         left.extend(outcome.notes.iter().map(|note| (outcome.link.text().to_owned(), note.code())));
//!     }
//! });
//! let rewritten = rewriter.rewrite_slice(page);
//! let new = b"<meta charset=windows-1252>\r\n<A HREF = '/caf%C3%A9?x=1&amp;y=%E9'><a href='/\xE9/{{ id }}'>";
//! assert_eq!(rewritten.content, &new[..]);
//! assert_eq!(left, [("/é/{{ id }}".to_owned(), "left-template")]);
//! ```
//!
//! # A site migrator
//!
//! [`Rules`](rewrite::Rules) say what moved. Readers and writers stand in for slices, in bounded memory; mentions of
//! the old host that are no links are listed with their lines.
//!
//! ```
//! use linkglot::rewrite::{Rewriter, Rules};
//!
//! let mut rules = Rules::default();
//! rules.add("http://old.example/ https://new.example/")?;
//! rules.add(r"re:^/wiki/(\d+)\.html$ /page/$1")?;
//! let rewriter = Rewriter::new().rules(rules).left_behind(true);
//! let page = "<a href=/wiki/7.html>\n<img src='http://old.example/é.png'>\n<!-- old.example -->";
//! let mut moved = Vec::new();
//! let summary = rewriter.rewrite(&mut page.as_bytes(), &mut moved)?;
//! let expected = "<a href=/page/7>\n<img src='https://new.example/é.png'>\n<!-- old.example -->";
//! assert_eq!(moved, expected.as_bytes());
//! assert_eq!((summary.tally.changed, summary.left_behind.mentions[0].location.line), (2, 3));
//! # Ok::<(), linkglot::Error>(())
//! ```
//!
//! # Reading links
//!
//! [`Document::links`] gives the links of a document in memory, [`stream::read_links`] those of a reader, each with its
//! [range](Link::span), [place](Link::place), [evidence](Link::evidence) and [notes](Link::notes). Format and charset
//! are found out, unless [`Settings`] say them.
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
//! # The crates below
//!
//! This crate exports what users like these three name, with the types of other crates that stand in its signatures.
//! For more, depend on the crates that do the work: [`linkglot_charset`] turns bytes into text and back,
//! [`linkglot_iri`] parses, maps and compares identifiers, [`linkglot_scan`] finds links in running text, and
//! [`linkglot_markup`] finds the places of links in HTML, XML and CSS. They change more often than this one.

pub mod document;
pub mod error;
pub mod format;
pub mod link;
pub mod notes;
mod parts;
mod read;
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
pub use linkglot_scan::{Breaks, Evidence, Hosts, Kind, Profile, Scanner};
#[doc(no_inline)]
pub use notes::{Note, Notes};
pub use text::{Segment, TextLink, is_safe_to_click, links, segments};

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
