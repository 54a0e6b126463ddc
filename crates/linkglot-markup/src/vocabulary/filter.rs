//! A quick no for attributes that hold no links.

use super::names::{folded_key, name_key, spread};

/// A set of attribute names that may take other names for its own, never its own for others.
#[derive(Clone, Copy, Debug)]
pub struct Filter([u64; 4]);

impl Filter {
    /// No names.
    pub const NONE: Filter = Filter([0; 4]);
    /// All names.
    pub const ALL: Filter = Filter([u64::MAX; 4]);

    /// Adds a name.
    pub(super) fn add(&mut self, name: &str) {
        for key in [name_key(name.as_bytes()), folded_key(name.as_bytes())] {
            let (word, bit) = place(key);
            self.0[word] |= 1 << bit;
        }
    }

    /// Adds a name of which the case counts: its first eight bytes as they are make its key.
    pub fn add_exact(&mut self, name: &[u8]) {
        let mut head = [0; 8];
        let bytes = head.iter_mut().zip(name);
        bytes.for_each(|(head, byte)| *head = *byte);
        let (word, bit) = place(u64::from_le_bytes(head));
        self.0[word] |= 1 << bit;
    }

    /// The names of both sets.
    pub fn or(&self, other: &Filter) -> Filter {
        let Filter([a, b, c, d]) = other;
        let Filter([e, f, g, h]) = self;
        Filter([a | e, b | f, c | g, d | h])
    }

    /// Whether all that passes the other passes, too.
    pub fn covers(&self, other: &Filter) -> bool {
        self.or(other).0 == self.0
    }

    /// Whether the name may be in the set whose first eight bytes have this key
    /// (`word_key`, or `letters_key` of less than eight).
    #[inline(always)]
    pub fn passes(&self, key: u64) -> bool {
        let (word, bit) = place(key);
        self.0[word] >> bit & 1 != 0
    }
}

#[inline(always)]
fn place(key: u64) -> (usize, u32) {
    // Of all the bits those by which the fewest attributes of real pages are taken for others.
    let spread = spread(key) >> 53;
    ((spread >> 6) as usize & 3, spread as u32 & 63)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::{Namespace, Vocabulary};

    #[test]
    fn never_refuses_its_own() {
        let mut filter = Filter::NONE;
        let names = ["href", "a", "data-large_image", "itemprop"];
        names.iter().for_each(|name| filter.add(name));
        for name in names {
            assert!(
                filter.passes(name_key(name.to_uppercase().as_bytes())),
                "{name}"
            );
        }
        assert!(!Filter::NONE.passes(name_key(b"href")));
        assert!(Filter::ALL.passes(name_key(b"href")));
    }

    #[test]
    fn sets_together() {
        let (mut one, mut other) = (Filter::NONE, Filter::NONE);
        one.add_exact(b"href");
        other.add_exact(b"xml-stylesheet");
        let both = one.or(&other);
        assert!(both.passes(u64::from_le_bytes(*b"xml-styl")));
        assert!(both.passes(name_key(b"href")));
        assert!(both.covers(&one) && both.covers(&other) && one.covers(&Filter::NONE));
        assert!(!one.covers(&other) && Filter::ALL.covers(&both));
    }

    #[test]
    fn what_pages_are_full_of_does_not_pass() {
        let vocabulary = Vocabulary::html();
        for element in ["a", "div", "span", "p", "td", "li", "h2", "x-y"] {
            let element = vocabulary.element(Namespace::Html, element.as_bytes());
            for name in [
                "class",
                "id",
                "title",
                "lang",
                "dir",
                "width",
                "align",
                "name",
                "role",
                "accesskey",
            ] {
                assert!(
                    !vocabulary.filter(element).passes(name_key(name.as_bytes())),
                    "{name}"
                );
            }
        }
    }
}
