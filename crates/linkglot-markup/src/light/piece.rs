//! The parts of a document in light markup where links may stand.

use crate::escape::Escaping;
use crate::language::Language;
use crate::slot::{Access, Name, Place, PlaceKind, SharedPlace, Syntax};
use linkglot_charset::MappedText;
use std::ops::Range;

/// A part of a document in light markup where links may stand.
#[derive(Clone, Debug)]
pub struct Piece<'t> {
    /// The raw text.
    pub raw: Raw<'t>,
    /// The escaping of the text.
    pub escaping: Escaping,
    /// The syntax of references in the text. Never a document in light markup.
    pub syntax: Syntax,
    /// The construct around the text.
    pub place: SharedPlace,
    /// Access to the links in the text.
    pub access: Access,
    /// The scheme that the markup implies (`mailto` for `<a@example.org>`).
    pub implied: Option<&'static str>,
}

/// The raw text of a [`Piece`].
#[derive(Clone, Debug)]
pub enum Raw<'t> {
    /// A range of the document.
    Range(Range<usize>),
    /// Text from several places. Its source positions count from the number, which is a position in the document.
    Gathered(usize, MappedText<'t>),
}

impl<'t> Piece<'t> {
    /// Running text.
    pub(super) fn text(range: Range<usize>, escaping: Escaping) -> Self {
        Piece {
            raw: Raw::Range(range),
            escaping,
            syntax: Syntax::Text,
            place: SharedPlace::TEXT,
            access: Access::Rewrite,
            implied: None,
        }
    }

    /// A listing: a program in `language`, or running text.
    pub(super) fn listing(raw: Raw<'t>, language: Option<Language>) -> Self {
        let text = Piece {
            raw,
            ..Piece::text(0..0, Escaping::None)
        };
        match language {
            Some(language) => Piece {
                syntax: Syntax::Script(language),
                place: SharedPlace::fixed(&CODE),
                ..text
            },
            None => text,
        }
    }

    /// The text of a comment.
    pub(super) fn comment(range: Range<usize>) -> Self {
        static COMMENT: Place = Place::new(PlaceKind::Comment, None, None);
        Piece {
            place: SharedPlace::fixed(&COMMENT),
            ..Piece::text(range, Escaping::None)
        }
    }

    /// The reference of a link, an image or a definition.
    pub(super) fn link(range: Range<usize>, escaping: Escaping, place: &'static Place) -> Self {
        Piece {
            syntax: Syntax::Single,
            place: SharedPlace::fixed(place),
            ..Piece::text(range, escaping)
        }
    }

    /// The piece without borrowed text.
    #[cfg(feature = "markdown")]
    pub(super) fn into_owned<'o>(self) -> Piece<'o> {
        Piece {
            raw: match self.raw {
                Raw::Range(range) => Raw::Range(range),
                Raw::Gathered(at, text) => Raw::Gathered(at, text.into_owned()),
            },
            escaping: self.escaping,
            syntax: self.syntax,
            place: self.place,
            access: self.access,
            implied: self.implied,
        }
    }

    /// The position in the document where the text begins.
    pub fn start(&self) -> usize {
        match &self.raw {
            Raw::Range(range) => range.start,
            Raw::Gathered(at, _) => *at,
        }
    }
}

/// The place of a program.
pub(super) static CODE: Place = Place::new(PlaceKind::Text, None, Some(Name::built_in("code")));

/// The places of links in both formats.
pub(super) static IMAGE: Place = link_place("image");
pub(super) static INLINE: Place = link_place("inline");

/// The place of a link construct of light markup.
pub(super) const fn link_place(name: &'static str) -> Place {
    Place::new(PlaceKind::Link, None, Some(Name::built_in(name)))
}
