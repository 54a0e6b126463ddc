//! Where the document of a part stands in the source.

use crate::charset::Charset;
use crate::link::{Location, Locator};
use crate::markup::mail::layer::{Decoded, Layer};
use crate::span::SourceSpan;

/// The place of a document that is a part of the source.
#[derive(Clone, Debug)]
pub(crate) struct PartPlace<'p> {
    /// The source byte at which the part begins.
    pub origin: u64,
    /// The line and column there.
    pub begin: Location,
    /// What the source has in place of the document, outermost first: each layer was decoded from the bytes of the one before.
    pub layers: Vec<Decoded<'p>>,
    /// The source bytes of the part; nothing if it is read in windows.
    pub encoded: &'p [u8],
    /// How lines end around the part.
    pub line_break: &'static [u8],
}

impl<'p> PartPlace<'p> {
    /// The place of a part that begins at the source byte `origin`, with the layers around it, outermost first.
    pub fn new(origin: u64, begin: Location, encoded: &'p [u8], layers: &[Layer]) -> Self {
        let mut decoded: Vec<Decoded<'p>> = Vec::with_capacity(layers.len());
        for layer in layers {
            let next = match decoded.last() {
                None => layer.decode(encoded),
                // Only lines are folded within another encoding.
                Some(outer) => Decoded::unfold(outer.bytes().to_vec()),
            };
            decoded.push(next);
        }
        PartPlace {
            origin,
            begin,
            layers: decoded,
            encoded,
            line_break: b"\r\n",
        }
    }

    /// The bytes of the document.
    pub fn bytes(&self) -> &[u8] {
        self.layers.last().map_or(self.encoded, Decoded::bytes)
    }

    /// Whether some text cannot be encoded: encoded words hold what their charset has, and stand between blanks.
    pub fn may_fail(&self) -> bool {
        let mut layers = self.layers.iter();
        layers.any(|layer| layer.layer() == Layer::EncodedWords)
    }

    /// The source bytes that hold a span of the document.
    pub fn span(&self, span: SourceSpan) -> SourceSpan {
        if self.layers.is_empty() {
            return SourceSpan {
                start: span.start + self.origin,
                end: span.end + self.origin,
            };
        }
        let mut range = span.start as usize..span.end as usize;
        for layer in self.layers.iter().rev() {
            range = layer.source(range);
        }
        SourceSpan::of_window(self.origin, &range)
    }

    /// What finds the lines and columns of the part.
    pub fn locator(&self, charset: Charset, start: u64) -> Locator {
        let (charset, start) = match self.layers.is_empty() {
            true => (charset, start),
            // Encoded bytes are ASCII, or stand for characters of any charset.
            false => (Charset::UTF_8, self.origin),
        };
        Locator::within(charset, start, self.begin)
    }

    /// The line and column of a byte of the document. Places do not fall from call to call.
    pub fn locate(&self, locator: &mut Locator, span: SourceSpan) -> Location {
        let at = self.span(span).start;
        locator.advance(self.encoded, self.origin, at);
        locator.location()
    }
}
