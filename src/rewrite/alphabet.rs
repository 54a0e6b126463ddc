//! The characters that can be written at a place, and the places that write others as references.

use crate::charset::{Charset, KnownBytes};
use crate::iri::nfc;
use crate::link::Layers;
use crate::markup::{Escaping, Repertoire};

/// The characters that can be written at a place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Alphabet {
    pub(super) charset: Charset,
    /// The characters that readers of the place keep.
    pub(super) repertoire: Repertoire,
    /// True if the charset is a guess.
    pub(super) is_guess: bool,
    pub(super) known: KnownBytes,
    /// True if only characters that NFC leaves alone are allowed.
    pub(super) is_inert: bool,
    /// True if a letter and its tone mark, written separately, are read as one character, and no character reference
    /// would be better.
    pub(super) recomposes: bool,
}

impl Alphabet {
    /// The characters of the alphabet that NFC leaves alone.
    pub fn inert(self) -> Self {
        Alphabet {
            is_inert: true,
            ..self
        }
    }

    /// True if a character can be written and is read as the same character.
    pub fn has(self, ch: char) -> bool {
        let is_whole = || self.recomposes || !self.charset.decomposes(ch);
        let may_stay = || !self.is_inert || nfc::is_inert(ch);
        ch.is_ascii_graphic() && self.has_ascii()
            || self.repertoire.has(ch)
                && self.known.can_write(self.charset, ch)
                && is_whole()
                && may_stay()
    }

    /// True if the charset has all of printable ASCII. IBM864 lacks the percent sign.
    pub fn has_ascii(self) -> bool {
        self.charset.is_ascii_compatible()
    }
}

/// True if the charset has all characters of a text.
pub(super) fn can_write(text: &str, alphabet: Alphabet) -> bool {
    let has_all = || text.chars().all(|ch| alphabet.has(ch));
    let is_graphic = text
        .bytes()
        .fold(true, |all, byte| all & byte.is_ascii_graphic());
    is_graphic && alphabet.has_ascii() || has_all()
}

/// The characters that the reader of a value keeps: a database converts values to charsets of its own.
pub(super) fn repertoire(layers: Layers) -> Repertoire {
    let of_layer = |layer: &Escaping| match layer {
        Escaping::SqlString(style) => style.repertoire,
        _ => Repertoire::All,
    };
    layers
        .as_slice()
        .iter()
        .map(of_layer)
        .min()
        .unwrap_or_default()
}

/// True if a place can write every character, because some layer has character references.
pub(crate) fn has_references(layers: Layers) -> bool {
    layers.as_slice().iter().any(|layer| references(*layer))
}

/// True if a place can write every character, in a charset that is certain or not. Where the charset is in doubt, a
/// letter is an escape in CSS, on which all readers agree.
pub(crate) fn writes_all(layers: Layers, is_certain: bool) -> bool {
    has_references(layers) || !is_certain && layers.as_slice().iter().any(is_css)
}

pub(super) fn is_css(layer: &Escaping) -> bool {
    matches!(layer, Escaping::CssString(_) | Escaping::CssUrl)
}

/// True if a character that the new charset of a document lacks becomes a character reference at this place, even if no
/// link changes.
pub(crate) fn gets_references(layers: Layers) -> bool {
    layers
        .as_slice()
        .first()
        .is_some_and(|layer| is_markup(*layer))
}

/// True if an escaping can write every character.
pub(super) fn references(escaping: Escaping) -> bool {
    is_markup(escaping)
        || escaping.has_string_escapes()
        || matches!(
            escaping,
            Escaping::XmlInstruction(_) | Escaping::MarkdownBare | Escaping::MarkdownAngle
        )
}

/// True if the escaping is that of text or attributes of HTML or XML, which have character references.
pub(super) fn is_markup(escaping: Escaping) -> bool {
    matches!(
        escaping,
        Escaping::HtmlAttribute(_)
            | Escaping::HtmlText
            | Escaping::XmlAttribute(_)
            | Escaping::XmlText
            | Escaping::XhtmlAttribute(_)
            | Escaping::XhtmlText
            | Escaping::Runs(_)
    )
}
