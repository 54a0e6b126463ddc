//! What the links of a slot have in common.

use super::base::Base;
use super::found::Layers;
use super::nesting::Nesting;
use crate::markup::{Access, Escaping, Place, PlaceKind};
use std::ops::Deref;
use std::sync::Arc;

/// Where a link stands, and what follows from that.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    /// How links are escaped there.
    pub layers: Layers,
    pub place: Place,
    /// The documents in documents that it is in.
    pub nesting: Nesting,
    pub access: Access,
    /// What links resolve against.
    pub under: Base,
    /// Whether they may have expressions to be filled in.
    pub template: bool,
}

/// A site that links share: one word for each of them, and no counting in plain text, where there
/// may be millions.
#[derive(Clone, Debug)]
pub(crate) struct SharedSite(Option<Arc<Site>>);

/// The running text of a document that is nothing else.
static PLAIN: Site = Site {
    layers: Layers::one(Escaping::None),
    place: Place {
        kind: PlaceKind::Text,
        element: None,
        name: None,
        namespace: None,
        name_namespace: None,
    },
    nesting: Nesting::NONE,
    access: Access::Rewrite,
    under: Base::Document,
    template: false,
};

impl Site {
    fn is_plain(&self) -> bool {
        self.layers == PLAIN.layers
            && self.place == PLAIN.place
            && self.nesting == PLAIN.nesting
            && self.access == PLAIN.access
            && matches!(self.under, Base::Document)
            && !self.template
    }

    /// The same for many links.
    pub fn shared(self) -> SharedSite {
        SharedSite((!self.is_plain()).then(|| Arc::new(self)))
    }
}

impl SharedSite {
    /// The site; a plain one stays behind.
    pub fn take(&mut self) -> SharedSite {
        SharedSite(self.0.take())
    }

    /// The site, for this link alone.
    pub fn to_mut(&mut self) -> &mut Site {
        let site = self.0.get_or_insert_with(|| Arc::new(PLAIN.clone()));
        Arc::make_mut(site)
    }
}

impl Deref for SharedSite {
    type Target = Site;

    fn deref(&self) -> &Site {
        self.0.as_deref().unwrap_or(&PLAIN)
    }
}
