//! Changes that renderers of light markup make to the references that they publish.

use super::Layers;
use crate::markup::Escaping;
use std::borrow::Cow;

/// The form in which browsers get a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rendering {
    /// As written.
    AsWritten,
    /// As in rendered Markdown: characters that no URI may hold are percent-encoded.
    Encoded,
    /// Either, depending on the renderer: in running text.
    Doubtful,
}

impl Rendering {
    /// The rendering of references with these layers of escapes.
    pub fn of(layers: Layers) -> Self {
        match layers.as_slice() {
            [Escaping::MarkdownBare | Escaping::MarkdownAngle | Escaping::MarkdownAutolink] => {
                Rendering::Encoded
            }
            [Escaping::MarkdownText] => Rendering::Doubtful,
            _ => Rendering::AsWritten,
        }
    }

    /// The rendered reference, as far as the difference matters to browsers: browsers read `\` as `/` and drop tabs and
    /// line ends (URL Standard 4.4). O(length), without allocation if nothing changes.
    pub fn text(self, reference: &str) -> Cow<'_, str> {
        if self == Rendering::AsWritten || !has_quirks(reference) {
            return Cow::Borrowed(reference);
        }
        let mut text = String::with_capacity(reference.len() + 8);
        for ch in reference.chars() {
            match ch {
                '\t' | '\n' | '\r' | '\\' => text.push_str(&format!("%{:02X}", u32::from(ch))),
                ch => text.push(ch),
            }
        }
        Cow::Owned(text)
    }

    /// The possible renderings.
    pub fn readings(self) -> &'static [Self] {
        match self {
            Rendering::AsWritten => &[Rendering::AsWritten],
            Rendering::Encoded => &[Rendering::Encoded],
            Rendering::Doubtful => &[Rendering::AsWritten, Rendering::Encoded],
        }
    }
}

/// True if a reference has characters that browsers drop or read as others.
pub(crate) fn has_quirks(reference: &str) -> bool {
    let is_quirk = |byte: u8| matches!(byte, b'\t' | b'\n' | b'\r' | b'\\');
    // The loop has no exit, so that it goes over many bytes at once.
    reference
        .bytes()
        .fold(false, |found, byte| found | is_quirk(byte))
}
