//! A part of a document.

use crate::link::{Info, PartPlace, Settings};
use crate::read::{Flow, Input, Opened};
use std::borrow::Cow;
use std::io::Read;

/// A part of a document: a header field, the body of a part of a message, or a piece of content lines.
pub(crate) struct Part<'p> {
    /// The place, with the bytes unless they are in `stream`.
    pub place: PartPlace<'p>,
    /// The bytes of a part that is read in windows.
    pub stream: Option<&'p mut dyn Read>,
    pub info: Cow<'p, Info>,
    /// The length of the BOM.
    pub bom: usize,
    pub settings: Cow<'p, Settings>,
}

impl Part<'_> {
    /// Opens the part and hands it over to `each`.
    ///
    /// # Errors
    ///
    /// Errors of the reader and of `each`.
    pub fn read(self, each: &mut dyn FnMut(Opened<'_, '_>) -> Flow) -> Flow {
        let Part { place, .. } = self;
        let input = match self.stream {
            Some(reader) => Input::of_reader(reader)?,
            None => Input::of_slice(place.bytes()),
        };
        each(Opened {
            input: input.at(&place),
            info: &self.info,
            bom: self.bom,
            settings: &self.settings,
        })
    }
}
