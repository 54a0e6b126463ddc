//! The place of the document of a part in the source.

use super::{Location, Locator};
use crate::charset::Charset;
use crate::span::SourceSpan;
use linkglot_layer::{Decoded, Layer};
use std::borrow::Cow;
use std::sync::Arc;

/// The place of a document that is a part of the source, or of an encoded message in the source.
#[derive(Clone, Debug)]
pub(crate) struct PartPlace<'p> {
    /// The first byte of the part, in the source or in the decoded message around it.
    pub origin: u64,
    /// The line and column of this byte in the source.
    pub begin: Location,
    /// The layers between the source and the document, outermost first: each was decoded from the bytes of the layer
    /// before.
    pub layers: Vec<Decoded<'p>>,
    /// The encoded bytes of the part; empty if it is read in windows, or decoded and kept.
    pub encoded: Cow<'p, [u8]>,
    /// The line break around the part.
    pub line_break: &'static [u8],
    /// Bytes in front of the part in its line, such as the name of a field.
    pub column: usize,
    /// The place of the encoded message around the part.
    pub around: Option<Arc<PartPlace<'p>>>,
}

impl<'p> PartPlace<'p> {
    /// The place of a part that starts at the source byte `origin`, with the layers around it, outermost first.
    pub fn new(origin: u64, begin: Location, encoded: &'p [u8], layers: &[Layer]) -> Self {
        let mut decoded: Vec<Decoded<'p>> = Vec::with_capacity(layers.len());
        for layer in layers {
            let next = match decoded.last() {
                None => layer.decode(encoded),
                // The only layer within another encoding is that of folded lines.
                Some(outer) => Decoded::unfold(outer.bytes().to_vec()),
            };
            decoded.push(next);
        }
        PartPlace {
            origin,
            begin,
            layers: decoded,
            encoded: Cow::Borrowed(encoded),
            line_break: b"\r\n",
            column: 0,
            around: None,
        }
    }

    /// Puts the place into an encoded message.
    pub fn inside(self, around: Option<Arc<PartPlace<'p>>>) -> Self {
        PartPlace { around, ..self }
    }

    /// Moves the place to a source that lives longer; inside of an encoded message, in `around`, the bytes are copied.
    pub fn kept<'k>(self, source: &'k [u8], around: Option<Arc<PartPlace<'k>>>) -> PartPlace<'k> {
        let (start, length) = (self.origin as usize, self.encoded.len());
        let encoded: Cow<'k, [u8]> = match around {
            None => (&source[start..start + length]).into(),
            // The outermost layer keeps them.
            Some(_) if !self.layers.is_empty() => Cow::default(),
            Some(_) => self.encoded.into_owned().into(),
        };
        let mut layers: Vec<Decoded<'k>> = Vec::with_capacity(self.layers.len());
        for layer in self.layers {
            let is_outermost = layers.is_empty() && around.is_none();
            layers.push(if is_outermost {
                layer.over(encoded.clone())
            } else {
                layer.into_owned()
            });
        }
        PartPlace {
            origin: self.origin,
            begin: self.begin,
            layers,
            encoded,
            line_break: self.line_break,
            column: self.column,
            around,
        }
    }

    /// The bytes of the document.
    pub fn bytes(&self) -> &[u8] {
        self.layers.last().map_or(&self.encoded, Decoded::bytes)
    }

    /// True if the bytes of the document are not those of the source.
    pub fn is_encoded(&self) -> bool {
        !self.layers.is_empty() || self.around.is_some()
    }

    /// True if some text cannot be encoded: encoded words are limited to their charset, and stand between blanks.
    pub fn may_fail(&self) -> bool {
        let mut layers = self.layers.iter();
        layers.any(|layer| layer.layer() == Layer::EncodedWords)
    }

    /// The byte of the document behind a number of encoded bytes of the part.
    pub fn decoded_at(&self, encoded: u64) -> u64 {
        if self.layers.is_empty() {
            return encoded;
        }
        let layers = self.layers.iter();
        layers.fold(encoded as usize, |at, layer| layer.decoded_at(at)) as u64
    }

    /// The source bytes that hold a span of the document.
    pub fn span(&self, span: SourceSpan) -> SourceSpan {
        let own = if self.layers.is_empty() {
            SourceSpan {
                start: span.start + self.origin,
                end: span.end + self.origin,
            }
        } else {
            let range = span.start as usize..span.end as usize;
            let layers = self.layers.iter().rev();
            let range = layers.fold(range, |range, layer| layer.source(range));
            SourceSpan::of_window(self.origin, &range)
        };
        self.around.as_ref().map_or(own, |around| around.span(own))
    }

    /// The first source byte of the part.
    pub fn start(&self) -> u64 {
        let begin = SourceSpan {
            start: self.origin,
            end: self.origin,
        };
        let around = self.around.as_ref();
        around.map_or(self.origin, |around| around.span(begin).start)
    }

    /// The outermost part around this part, whose bytes are in the source.
    fn outermost(&self) -> &PartPlace<'p> {
        let mut place = self;
        while let Some(around) = &place.around {
            place = around;
        }
        place
    }

    /// The locator of lines and columns of the part.
    pub fn locator(&self, charset: Charset, start: u64) -> Locator {
        let (charset, start) = if !self.is_encoded() {
            (charset, start)
        } else {
            (Charset::UTF_8, self.start())
        };
        Locator::within(charset, start, self.begin)
    }

    /// The line and column of a byte of the document. Places must not fall from call to call.
    pub fn locate(&self, locator: &mut Locator, span: SourceSpan) -> Location {
        let at = self.span(span).start;
        let outermost = self.outermost();
        locator.advance(&outermost.encoded, outermost.origin, at);
        locator.location()
    }
}
