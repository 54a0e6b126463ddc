//! The escape layers of a link.

use crate::markup::Escaping;

/// The escapings of a link, outermost first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layers {
    items: [Escaping; Layers::MOST],
    len: usize,
}

impl PartialEq for Layers {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl Eq for Layers {}

impl Layers {
    /// The most layers; deeper nesting is not read.
    pub const MOST: usize = 8;

    /// A single layer.
    pub const fn one(escaping: Escaping) -> Self {
        Layers {
            items: [escaping; Layers::MOST],
            len: 1,
        }
    }

    /// Adds a layer inside; `None` if the layers are too many.
    pub fn inside(mut self, escaping: Escaping) -> Option<Self> {
        *self.items.get_mut(self.len)? = escaping;
        self.len += 1;
        Some(self)
    }

    /// The layers, outermost first.
    pub fn as_slice(&self) -> &[Escaping] {
        &self.items[..self.len]
    }

    /// True if a string of a program is among the layers.
    pub fn have_literal(&self) -> bool {
        let mut layers = self.as_slice().iter();
        layers.any(|layer| matches!(layer, Escaping::Literal(_)))
    }
}
