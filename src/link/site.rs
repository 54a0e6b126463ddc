//! What the links of a slot have in common.

use super::base::Base;
use super::found::Layers;
use super::nesting::Nesting;
use crate::markup::{Access, Escaping, PlaceKind, SharedPlace};
use std::cell::RefCell;
use std::ops::Deref;
use std::sync::Arc;

/// Where a link stands, and what follows from that.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    /// How links are escaped there.
    pub layers: Layers,
    pub place: SharedPlace,
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
    place: SharedPlace::TEXT,
    nesting: Nesting::NONE,
    access: Access::Rewrite,
    under: Base::Document,
    template: false,
};

/// What a site is made of.
#[derive(Clone, Copy)]
pub(crate) struct SiteParts<'p> {
    pub layers: Layers,
    pub place: &'p SharedPlace,
    /// The kind of the place, where the syntax of the value says more than the slot.
    pub kind: Option<PlaceKind>,
    pub nesting: &'p Nesting,
    pub access: Access,
    pub under: &'p Base,
    pub template: bool,
}

impl SiteParts<'_> {
    /// Whether a site is known to be the one of these parts. Quick: two that are alike may count as different.
    #[inline]
    fn are_of(&self, site: &Site) -> bool {
        site.place.is_seen_in(self.place, self.kind)
            && self.layers == site.layers
            && self.access == site.access
            && self.template == site.template
            && self.nesting.is_same(&site.nesting)
            && self.under.is_same(&site.under)
    }

    fn site(&self) -> Site {
        let mut place = self.place.clone();
        if let Some(kind) = self.kind.filter(|&kind| kind != place.kind) {
            place.to_mut().kind = kind;
        }
        Site {
            layers: self.layers,
            place,
            nesting: self.nesting.clone(),
            access: self.access,
            under: self.under.clone(),
            template: self.template,
        }
    }
}

/// The sites of the last slots: most stand like one of them, and share its site.
#[derive(Default)]
pub(crate) struct Sites(RefCell<Kept>);

#[derive(Default)]
struct Kept {
    sites: Vec<SharedSite>,
    /// The one that was asked for last.
    last: usize,
    /// The one that goes next.
    oldest: usize,
}

/// As many sites are kept.
const KEPT: usize = 8;

impl Sites {
    /// The site of these parts.
    #[inline]
    pub fn of(&self, parts: &SiteParts<'_>) -> SharedSite {
        let kept = &mut *self.0.borrow_mut();
        let near = kept.sites.get(kept.last).filter(|site| parts.are_of(site));
        match near {
            Some(site) => site.clone(),
            None => kept.look(parts),
        }
    }
}

impl Kept {
    #[inline(never)]
    fn look(&mut self, parts: &SiteParts<'_>) -> SharedSite {
        if let Some(at) = self.sites.iter().position(|site| parts.are_of(site)) {
            self.last = at;
            return self.sites[at].clone();
        }
        let site = parts.site().shared();
        match self.sites.get_mut(self.oldest) {
            Some(old) => *old = site.clone(),
            None => self.sites.push(site.clone()),
        }
        self.last = self.oldest;
        self.oldest = (self.oldest + 1) % KEPT;
        site
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markup::{Name, Place};

    fn place(name: &str) -> SharedPlace {
        Place::new(PlaceKind::Attribute, None, Some(Name::from(name))).into()
    }

    #[test]
    fn links_share_a_site_when_they_stand_alike() {
        let places: Vec<_> = (0..2 * KEPT).map(|at| place(&at.to_string())).collect();
        let sites = Sites::default();
        for round in 0..4 {
            for (at, place) in places.iter().enumerate() {
                let parts = SiteParts {
                    layers: Layers::one(Escaping::None),
                    place,
                    kind: (at % 3 == round % 3).then_some(PlaceKind::Srcset),
                    nesting: &Nesting::NONE,
                    access: if at % 2 == 0 {
                        Access::Rewrite
                    } else {
                        Access::List
                    },
                    under: &Base::Document,
                    template: at % 5 == 0,
                };
                let (first, second) = (sites.of(&parts), sites.of(&parts));
                assert!(std::ptr::eq(&*first, &*second), "{at}");
                let expected = format!("{:?}", parts.site());
                assert_eq!(format!("{:?}", *first), expected, "{at}");
            }
        }
        assert_eq!(sites.0.borrow().sites.len(), KEPT);
    }
}
