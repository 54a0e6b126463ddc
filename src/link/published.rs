//! What readers of light markup publish for a destination.

use super::Layers;
use crate::markup::Escaping;
use std::borrow::Cow;

/// What browsers get to read of a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Published {
    /// The reference itself.
    AsWritten,
    /// As readers of Markdown render destinations: what no URI may hold is percent-encoded.
    Encoded,
    /// Either: in running text it depends on its reader.
    Doubtful,
}

impl Published {
    /// How references with these layers of escapes are published.
    pub fn of(layers: Layers) -> Self {
        match layers.as_slice() {
            [Escaping::MarkdownBare | Escaping::MarkdownAngle | Escaping::MarkdownAutolink] => {
                Published::Encoded
            }
            [Escaping::MarkdownText] => Published::Doubtful,
            _ => Published::AsWritten,
        }
    }

    /// What is published of a reference, as far as browsers would read the original in another way: they take `\` for
    /// `/` and drop tabs and line ends (WHATWG URL 4.4). O(length), no allocation where there are none.
    pub fn text(self, reference: &str) -> Cow<'_, str> {
        const ODD: [char; 4] = ['\t', '\n', '\r', '\\'];
        if self == Published::AsWritten || !reference.contains(ODD) {
            return Cow::Borrowed(reference);
        }
        let mut text = String::with_capacity(reference.len() + 8);
        for ch in reference.chars() {
            match ch {
                ch if ODD.contains(&ch) => text.push_str(&format!("%{:02X}", u32::from(ch))),
                ch => text.push(ch),
            }
        }
        Cow::Owned(text)
    }

    /// The readings that a reference may get.
    pub fn readings(self) -> &'static [Self] {
        match self {
            Published::AsWritten => &[Published::AsWritten],
            Published::Encoded => &[Published::Encoded],
            Published::Doubtful => &[Published::AsWritten, Published::Encoded],
        }
    }
}
