//! The properties of a link that a mapping knows.

use super::edit::{Alphabet, has_references};
use crate::link::{
    Base, Link, Queries, Rendering, declares_base, has_directive, has_stray_percent, is_text,
};
use crate::markup::Access;

/// The properties of a link that its mapping depends on.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'l> {
    pub text: &'l str,
    pub implied: Option<&'static str>,
    /// Whether it stands in running text.
    pub in_text: bool,
    /// Whether only readers of the page resolve it, as they do in attributes and style sheets. Other programs want
    /// whole addresses: those of `<meta>`, of structured data, in the text of elements (sitemaps, feeds).
    pub in_page: bool,
    /// Whether the place can write every character (character references).
    pub any_character: bool,
    /// Whether the mapping covers its place. If not, only another charset changes it.
    pub is_covered: bool,
    /// Whether NFC changed how it reads, and does not in the charset that the document gets.
    pub loses_nfc: bool,
    /// Whether what the new charset lacks becomes a character reference even where no link changes.
    pub gets_references: bool,
    /// The characters that it can write without them.
    pub alphabet: Alphabet,
    /// Whether other links resolve against it.
    pub declares_base: bool,
    /// The base that it resolves against.
    pub under: &'l Base,
    pub access: Access,
    /// Whether it may hold expressions of a URI template.
    pub template: bool,
    pub queries: Queries,
    pub rendered: Rendering,
}

impl<'l> Subject<'l> {
    /// A link that was found, in a document that keeps its charset.
    pub fn of_link(link: &'l Link<'_>, alphabet: Alphabet) -> Self {
        Subject {
            text: link.text(),
            implied: link.implied(),
            in_text: is_text(link.place()),
            in_page: true,
            any_character: has_references(link.layers()),
            gets_references: false,
            is_covered: true,
            loses_nfc: false,
            alphabet,
            declares_base: declares_base(link.place()),
            under: link.under(),
            access: link.access(),
            template: link.is_template(),
            queries: Queries::at(link.place(), link.layers()),
            rendered: Rendering::of(link.layers()),
        }
    }

    /// True if a new escape in a text of the link may be read as a directive of a format string: the text has one, or
    /// in running text another `%` that begins no escape of text.
    pub fn is_format_string(&self, text: &str) -> bool {
        has_directive(text) || self.in_text && has_stray_percent(text)
    }
}
