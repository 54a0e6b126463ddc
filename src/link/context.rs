//! The context of a link: the properties that all links of a slot share.

use super::base::Base;
use super::layers::Layers;
use super::nesting::Nesting;
use crate::markup::{Access, Escaping, PlaceKind, SharedPlace};
use std::cell::RefCell;
use std::ops::Deref;
use std::sync::Arc;

/// The place of a link, and the properties that follow from it.
#[derive(Clone, Debug)]
pub(crate) struct LinkContext {
    /// The escapes of the place.
    pub layers: Layers,
    pub place: SharedPlace,
    /// The nested documents around the link.
    pub nesting: Nesting,
    pub access: Access,
    /// The base that links resolve against.
    pub under: Base,
    /// True if links may hold expressions of a URI template.
    pub template: bool,
    /// True if a program may read a new percent sign in the link as a directive of a format (`%s`).
    pub is_in_format: bool,
    /// True if a link is all of a value of data, or of a line of it.
    pub is_whole_value: bool,
}

/// A context that links share. One word; not reference-counted in plain text, which may have millions of links.
#[derive(Clone, Debug)]
pub(crate) struct SharedContext(Option<Arc<LinkContext>>);

/// The context of plain text.
static PLAIN: LinkContext = LinkContext {
    layers: Layers::one(Escaping::None),
    place: SharedPlace::TEXT,
    nesting: Nesting::NONE,
    access: Access::Rewrite,
    under: Base::Document,
    template: false,
    is_in_format: false,
    is_whole_value: false,
};

/// The parts of a context, borrowed.
#[derive(Clone, Copy)]
pub(crate) struct ContextParts<'p> {
    pub layers: Layers,
    pub place: &'p SharedPlace,
    /// The kind of the place, if the syntax of the value tells more than the slot.
    pub kind: Option<PlaceKind>,
    pub nesting: &'p Nesting,
    pub access: Access,
    pub under: &'p Base,
    pub template: bool,
}

impl ContextParts<'_> {
    /// True if a context has these parts. Quick: equal parts may count as different.
    #[inline]
    fn are_of(&self, context: &LinkContext) -> bool {
        context.place.is_seen_in(self.place, self.kind)
            && self.layers == context.layers
            && self.access == context.access
            && self.template == context.template
            && self.nesting.is_same(&context.nesting)
            && self.under.is_same(&context.under)
    }

    fn context(&self) -> LinkContext {
        let mut place = self.place.clone();
        if let Some(kind) = self.kind.filter(|&kind| kind != place.kind) {
            place.to_mut().kind = kind;
        }
        LinkContext {
            layers: self.layers,
            place,
            nesting: self.nesting.clone(),
            access: self.access,
            under: self.under.clone(),
            template: self.template,
            is_in_format: false,
            is_whole_value: false,
        }
    }
}

/// The contexts of the last slots, which most later slots share.
#[derive(Default)]
pub(crate) struct ContextCache(RefCell<Kept>);

#[derive(Default)]
struct Kept {
    contexts: Vec<SharedContext>,
    /// The context that was returned last.
    last: usize,
    /// The context that is replaced next.
    oldest: usize,
}

/// Number of contexts that are kept.
const KEPT: usize = 8;

impl ContextCache {
    /// The context of these parts.
    #[inline]
    pub fn of(&self, parts: &ContextParts<'_>) -> SharedContext {
        let kept = &mut *self.0.borrow_mut();
        let near = kept
            .contexts
            .get(kept.last)
            .filter(|context| parts.are_of(context));
        match near {
            Some(context) => context.clone(),
            None => kept.look(parts),
        }
    }
}

impl Kept {
    #[inline(never)]
    fn look(&mut self, parts: &ContextParts<'_>) -> SharedContext {
        if let Some(at) = self
            .contexts
            .iter()
            .position(|context| parts.are_of(context))
        {
            self.last = at;
            return self.contexts[at].clone();
        }
        let context = parts.context().shared();
        match self.contexts.get_mut(self.oldest) {
            Some(old) => *old = context.clone(),
            None => self.contexts.push(context.clone()),
        }
        self.last = self.oldest;
        self.oldest = (self.oldest + 1) % KEPT;
        context
    }
}

impl LinkContext {
    fn is_plain(&self) -> bool {
        self.layers == PLAIN.layers
            && self.place == PLAIN.place
            && self.nesting == PLAIN.nesting
            && self.access == PLAIN.access
            && matches!(self.under, Base::Document)
            && !self.template
            && !self.is_in_format
            && !self.is_whole_value
    }

    /// Makes the context sharable.
    pub fn shared(self) -> SharedContext {
        SharedContext((!self.is_plain()).then(|| Arc::new(self)))
    }
}

impl SharedContext {
    /// Takes the context, and leaves the one of plain text.
    pub fn take(&mut self) -> SharedContext {
        SharedContext(self.0.take())
    }

    /// The context, for this link alone, to change it.
    pub fn to_mut(&mut self) -> &mut LinkContext {
        let context = self.0.get_or_insert_with(|| Arc::new(PLAIN.clone()));
        Arc::make_mut(context)
    }
}

impl Deref for SharedContext {
    type Target = LinkContext;

    fn deref(&self) -> &LinkContext {
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
        let contexts = ContextCache::default();
        for round in 0..4 {
            for (at, place) in places.iter().enumerate() {
                let parts = ContextParts {
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
                let (first, second) = (contexts.of(&parts), contexts.of(&parts));
                assert!(std::ptr::eq(&*first, &*second), "{at}");
                let expected = format!("{:?}", parts.context());
                assert_eq!(format!("{:?}", *first), expected, "{at}");
            }
        }
        assert_eq!(contexts.0.borrow().contexts.len(), KEPT);
    }
}
