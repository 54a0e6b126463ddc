//! The properties of a link that decide its mapping.

use super::alphabet::{Alphabet, has_references};
use crate::link::{
    Layers, Link, LinkContext, Queries, Rendering, declares_base, has_directive, has_stray_percent,
    is_text,
};
use crate::markup::{Access, Escapes, Escaping};
use crate::notes::{Note, Notes};

#[derive(Clone, Copy)]
pub(crate) struct Subject<'l> {
    pub text: &'l str,
    pub implied: Option<&'static str>,
    /// The place of the link, and what follows from it.
    pub context: &'l LinkContext,
    /// True if only readers of the page resolve the link, as in attributes and style sheets. Other programs want whole
    /// addresses: in `<meta>`, structured data and the text of elements (sitemaps, feeds).
    pub in_page: bool,
    /// True if the place can write every character (character references).
    pub any_character: bool,
    /// True if the mapping covers the place. If not, only another charset changes the link.
    pub is_covered: bool,
    /// True if NFC changed the link, and does not in the new charset of the document.
    pub loses_nfc: bool,
    /// True if characters that the new charset lacks become character references even if no link changes.
    pub gets_references: bool,
    /// The characters that can be written without character references.
    pub alphabet: Alphabet,
    /// The access of the context, or of the pass at hand.
    pub access: Access,
    /// The reason of the reader to leave the link: code around it ([`Note::LeftTemplate`]), or unknown escapes.
    pub reason: Option<Note>,
    pub queries: Queries,
    pub rendered: Rendering,
    /// True if code around the link may give its scheme: `scheme + "//host/"`. It gets none of its own.
    pub has_scheme_in_code: bool,
}

impl<'l> Subject<'l> {
    /// A link that was found, in a document that keeps its charset.
    pub fn of_link(link: &'l Link<'_>, alphabet: Alphabet) -> Self {
        Subject {
            text: link.text(),
            implied: link.implied(),
            context: link.context(),
            in_page: true,
            any_character: has_references(link.layers()),
            gets_references: false,
            is_covered: true,
            loses_nfc: false,
            alphabet,
            access: link.access(),
            reason: reason(link.notes()),
            queries: Queries::at(link.place(), link.layers()),
            rendered: Rendering::of(link.layers()),
            has_scheme_in_code: has_scheme_in_code(link.text(), link.layers()),
        }
    }

    /// True if the link stands in running text.
    pub fn in_text(&self) -> bool {
        is_text(&self.context.place)
    }

    /// True if other links resolve against the link.
    pub fn declares_base(&self) -> bool {
        declares_base(&self.context.place)
    }

    /// True if the value of a string literal goes on behind the link.
    pub fn goes_on(&self) -> bool {
        !matches!(self.access, Access::List | Access::Counted)
            && self.reason == Some(Note::LeftTemplate)
    }

    /// True if a new escape in a text of the link may be read as a directive of a format string: the text has one, or
    /// in running text another `%` that begins no escape of text.
    pub fn is_format_string(&self, text: &str) -> bool {
        has_directive(text) || self.in_text() && has_stray_percent(text)
    }
}

/// The reason of the reader to leave a link with these notes.
pub(super) fn reason(notes: Notes) -> Option<Note> {
    let mut reasons = [
        Note::LeftSigned,
        Note::LeftTemplate,
        Note::LeftEscaped,
        Note::LeftKey,
    ]
    .into_iter();
    reasons.find(|note| notes.contains(*note))
}

/// True if code around a link with these layers may give its scheme.
pub(super) fn has_scheme_in_code(text: &str, layers: Layers) -> bool {
    let is_string = || match layers.as_slice().last() {
        Some(Escaping::Literal(style)) => !matches!(
            style.escapes,
            Escapes::Toml
                | Escapes::Raw
                | Escapes::Yaml
                | Escapes::Gettext
                | Escapes::GettextText
                | Escapes::GettextFormat
                | Escapes::GettextKey
        ),
        _ => false,
    };
    text.starts_with("//") && is_string()
}
