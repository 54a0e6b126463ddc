//! IRIs (RFC 3987): parse, map, compare, resolve, show.
//!
//! It must not know documents, markup or the link scanner.

pub mod bidi;
pub mod class;
pub mod compare;
mod display;
pub mod host;
mod idna;
pub mod lenient;
mod mailto;
pub mod parse;
pub mod parts;
mod percent;
pub mod preprocess;
pub mod resolve;
pub mod target;
pub mod to_iri;
pub mod to_uri;
mod unicode;
mod unsure;
pub mod warnings;

pub use compare::{Level, equivalent, first_level, normalize};
pub use lenient::{Lenient, Oddity, Tolerated};
pub(crate) use mailto::mail_address;
pub use mailto::mailto;
pub use parse::{Form, HostKind, ParseError, ParseErrorKind, is_uri_reference, parse};
pub use parts::Parts;
pub(crate) use percent::push_char as push_percent_encoded;
pub use preprocess::{CharacterReferences, Preprocess, Spaces};
pub use resolve::{ResolveError, Strictness, remove_dot_segments, resolve};
pub use to_iri::{Display, HostDisplay, ToIri};
pub use to_uri::{
    Disallowed, HostForm, Idna, InvalidOrUnmappable, MapError, MapErrorKind, Mapped, QueryCharset,
    ToUri, Unencodable,
};
pub use unicode::{UnicodeVersion, unicode_versions};
pub use warnings::{Warning, WarningKind, warnings};
