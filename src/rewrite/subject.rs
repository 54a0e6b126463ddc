//! The properties of a link that a mapping knows.

use super::edit::Alphabet;
use crate::link::{Base, Queries, Rendering};
use crate::markup::Access;

/// The properties of a link that its mapping depends on.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'l> {
    pub text: &'l str,
    pub implied: Option<&'static str>,
    /// True if it stands in running text.
    pub in_text: bool,
    /// True if only readers of the page resolve it, as they do in attributes and style sheets. Other programs want
    /// whole addresses: those of `<meta>`, of structured data, in the text of elements (sitemaps, feeds).
    pub in_page: bool,
    /// True if the place can write every character (character references).
    pub any_character: bool,
    /// True if the mapping covers its place. If not, only another charset changes it.
    pub is_covered: bool,
    /// True if NFC changed how it reads, and does not in the charset that the document gets.
    pub loses_nfc: bool,
    /// True if what the new charset lacks becomes a character reference even where no link changes.
    pub gets_references: bool,
    /// The characters that it can write without them.
    pub alphabet: Alphabet,
    /// True if other links resolve against it.
    pub declares_base: bool,
    /// The base that it resolves against.
    pub under: &'l Base,
    pub access: Access,
    /// True if it may hold expressions of a URI template.
    pub template: bool,
    pub queries: Queries,
    pub rendered: Rendering,
}
