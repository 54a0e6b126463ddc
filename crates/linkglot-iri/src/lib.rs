//! IRIs (RFC 3987): parse, map to URIs and back, compare, resolve, and check for safe display.
//!
//! - [`parse`](parse()) checks the grammar, [`Parts::split`] and [`Lenient`] read anything;
//! - [`ToUri`] and [`ToIri`] map between IRIs and URIs;
//! - [`compare`](compare()), [`equivalent`] and [`normalize`] compare on the rungs of the comparison ladder;
//! - [`resolve`](resolve()) resolves by RFC 3986, [`target`] as browsers do (URL Standard);
//! - [`warnings`](warnings()) and [`bidi`] find what could deceive a reader;
//! - [`mailto`](mailto()) and [`scheme`] know single schemes.
//!
//! The crate knows no documents, no markup and no files.
//!
//! ```
//! use linkglot_iri::{ToIri, ToUri};
//!
//! let uri = ToUri::default().map("http://résumé.example/é").unwrap().text;
//! assert_eq!(uri, "http://xn--rsum-bpad.example/%C3%A9");
//! assert_eq!(ToIri::default().map(&uri, &|_| true).text, "http://résumé.example/é");
//! ```

pub mod bidi;
pub mod class;
mod coded;
mod compare;
mod display;
mod host;
mod idna;
mod lenient;
mod look_alike;
mod mailto;
mod mapped;
pub mod nfc;
pub mod notes;
mod parse;
mod parts;
mod percent;
mod prefilter;
mod preprocess;
mod registrable;
mod relativize;
mod resolve;
pub mod scheme;
mod spoof;
pub mod target;
pub mod to_iri;
pub mod to_uri;
mod unicode;
mod warnings;

pub use compare::{
    Comparison, Component, Level, compare, equivalent, first_level, normalize,
    normalize_with_punycode,
};
pub use host::host_forms;
pub use lenient::{Lenient, Oddity, Tolerated};
pub use mailto::{mail_address, mailto};
pub use notes::{Note, Notes};
pub use parse::{Form, ParseError, ParseErrorKind, is_uri_reference, parse};
pub use parts::{HostKind, Parts};
pub use percent::{decoded as percent_decoded, push_char as push_percent_encoded};
pub use preprocess::{CharacterReferences, Preprocess, Spaces};
pub use registrable::registrable_domain;
pub use relativize::relativize;
pub use resolve::{ResolveError, Strictness, remove_dot_segments, resolve};
pub use to_iri::{Display, HostDisplay, ToIri};
pub use to_uri::{
    Disallowed, HostForm, Idna, InvalidOrUnmappable, MapError, MapErrorKind, Mapped, Normalization,
    QueryCharset, ToUri, Unencodable,
};
pub use unicode::{UnicodeVersion, unicode_versions};
pub use warnings::{Warning, host_in_userinfo, warning_notes, warnings};

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
