//! Charsets: which one a document is in, how its bytes become text, and how text becomes bytes.
//!
//! All charsets of the WHATWG Encoding Standard, UTF-32, and those of old archives that the standard
//! leaves out, with positions kept in both directions:
//!
//! - [`Charset`] decodes and encodes, exactly;
//! - [`sniff`] finds out the charset of a document;
//! - [`MappedText`] is decoded text that knows where each character stood in its source;
//! - [`Transcoder`] and [`ViewMap`] turn UTF-16, ISO-2022-JP, EBCDIC and other charsets that are no
//!   supersets of ASCII into UTF-8, with a map back.
//!
//! The crate also holds the types of positions ([`span`]), the byte classes that hold in every
//! ASCII-compatible charset ([`ascii`]) and the door to SIMD ([`simd`]). It knows no markup and no
//! link.
//!
//! ```
//! use linkglot_charset::{DeclarationSyntax, sniff, span::TextSpan};
//!
//! let page = b"<meta charset=koi8-r>\xC1\xC2";
//! let charset = sniff(page, true, DeclarationSyntax::Html, None, None).charset;
//! let text = charset.decode_mapped(page);
//! assert_eq!(&text.text()[21..], "аб");
//! assert_eq!(text.source(TextSpan::new(23, 25)), 22..23);
//! ```

pub mod ascii;
mod byte_sequences;
mod byte_table;
#[cfg(feature = "detect")]
mod candidates;
#[cfg(feature = "detect")]
mod certainty;
mod cesu8;
mod charset;
mod codec;
#[cfg(feature = "detect")]
mod declare;
mod decoded;
#[cfg(feature = "detect")]
mod detect;
mod double_byte;
mod ebcdic;
mod euc_tw;
#[cfg(feature = "detect")]
mod evidence;
#[cfg(feature = "detect")]
mod false_declarations;
mod files;
mod hz;
#[cfg(feature = "detect")]
mod ideographs;
mod iso2022cn;
mod iso2022jp;
mod iso2022jp_more;
mod iso2022kr;
mod jisx0213;
mod johab;
mod known_bytes;
mod label;
#[cfg(feature = "detect")]
mod languages;
#[cfg(feature = "detect")]
mod mail;
mod malformed;
mod mapped;
#[cfg(feature = "detect")]
mod mark_places;
#[doc(hidden)]
pub mod memory;
mod modal;
mod multi;
mod planes;
#[cfg(feature = "detect")]
mod posterior;
#[cfg(feature = "detect")]
mod prescan;
mod query;
// For the crates above, which compute ranges of documents.
#[doc(hidden)]
pub mod ranges;
mod registry;
mod replacement;
mod row;
mod sequences;
#[cfg(feature = "detect")]
mod server_pages;
#[doc(hidden)]
pub mod simd;
mod single;
mod single_bytes;
mod single_list;
#[cfg(feature = "detect")]
mod sniff;
pub mod span;
#[cfg(feature = "detect")]
mod sql_declarations;
mod table;
#[cfg(feature = "detect")]
mod text_declarations;
mod transcoder;
mod utf16;
mod utf32;
mod utf7;
mod utf8;
#[cfg(feature = "detect")]
mod utf8_evidence;
#[cfg(feature = "detect")]
mod utf8_stretch;
mod view_map;
#[cfg(feature = "detect")]
mod vocabulary;
mod whatwg;
#[cfg(feature = "detect")]
mod words;

#[cfg(test)]
mod tests;

pub use byte_sequences::ByteSequences;
#[cfg(feature = "detect")]
pub use certainty::Certainty;
pub use charset::Charset;
#[cfg(feature = "detect")]
pub use declare::declarations;
pub use decoded::Shift;
#[cfg(feature = "detect")]
pub use false_declarations::FalseDeclarations;
#[cfg(feature = "outside")]
pub use files::read_tables_with;
pub use known_bytes::KnownBytes;
pub use label::UnknownLabel;
#[cfg(feature = "detect")]
pub use mail::{MailCharsets, PartCharset};
pub use malformed::FirstMalformed;
pub use mapped::MappedText;
pub use query::{QueryEncoder, form_charset};
#[cfg(feature = "detect")]
pub use server_pages::response_charset;
#[cfg(feature = "detect")]
pub use sniff::{
    CharsetFrom, DeclarationSyntax, EXTENDED_HEAD, HEAD, Sniffed, UnknownDeclaration, sniff,
    wants_more,
};
#[cfg(feature = "detect")]
pub use text_declarations::text_label;
pub use transcoder::Transcoder;
#[cfg(feature = "detect")]
pub use utf8_stretch::Utf8Stretch;
pub use view_map::ViewMap;

/// The examples of the README are tests.
#[cfg(all(doctest, feature = "detect"))]
#[doc = include_str!("../README.md")]
struct Readme;
