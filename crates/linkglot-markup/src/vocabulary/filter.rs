//! A filter that quickly rejects attributes without links.

use super::names::{folded, spread};
use crate::byte_search::start_word;

/// A set of attribute names by their first eight bytes. The set may accept other names by mistake, but never rejects
/// its own.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Filter([u64; 4]);

impl Filter {
    /// No names.
    pub const NONE: Filter = Filter([0; 4]);
    /// All names.
    pub const ALL: Filter = Filter([u64::MAX; 4]);

    /// Adds a name, also by the digest that [`letters`](super::names::letters) would give the name.
    pub fn add(&mut self, name: &str) {
        for key in [start_word(name.as_bytes()), folded(name.as_bytes())] {
            let (word, bit) = place(key);
            self.0[word] |= 1 << bit;
        }
    }

    /// The names of both sets.
    pub fn or(&self, other: &Filter) -> Filter {
        let Filter([a, b, c, d]) = other;
        let Filter([e, f, g, h]) = self;
        Filter([a | e, b | f, c | g, d | h])
    }

    /// True if every name that passes the other filter passes this one.
    pub fn covers(&self, other: &Filter) -> bool {
        self.or(other).0 == self.0
    }

    /// True if the set may hold the name that begins with these eight bytes (zeros behind a shorter name).
    #[inline(always)]
    pub fn passes(&self, start: u64) -> bool {
        let (word, bit) = place(start);
        self.0[word] >> bit & 1 != 0
    }
}

#[inline(always)]
fn place(key: u64) -> (usize, u32) {
    // With these bits the fewest attributes of real pages collide.
    let spread = spread(key) >> 53;
    ((spread >> 6) as usize & 3, spread as u32 & 63)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::{Case, NamespaceId, Vocabulary};

    #[test]
    fn names_of_the_set_pass() {
        let mut filter = Filter::NONE;
        let names = ["href", "a", "data-large_image", "itemprop"];
        names.iter().for_each(|name| filter.add(name));
        for name in names {
            assert!(filter.passes(start_word(name.as_bytes())), "{name}");
        }
        assert!(!Filter::NONE.passes(start_word(b"href")));
        assert!(Filter::ALL.passes(start_word(b"href")));
    }

    #[test]
    fn sets_together() {
        let (mut one, mut other) = (Filter::NONE, Filter::NONE);
        one.add("href");
        other.add("xml-stylesheet");
        let both = one.or(&other);
        assert!(both.passes(start_word(b"xml-styl")) && both.passes(start_word(b"href")));
        assert!(both.covers(&one) && both.covers(&other) && one.covers(&Filter::NONE));
        assert!(!one.covers(&other) && Filter::ALL.covers(&both));
    }

    #[test]
    fn common_attributes_without_links_do_not_pass() {
        let vocabulary = Vocabulary::default();
        let names = "class id title lang dir width align name role accesskey";
        for element in ["a", "div", "span", "p", "td", "li", "h2", "x-y"] {
            let id = vocabulary.element(NamespaceId::HTML, element.as_bytes(), Case::Ignored);
            for name in names.split(' ') {
                let start = start_word(name.as_bytes());
                assert!(!vocabulary.filter(id).passes(start), "{element} {name}");
            }
        }
    }
}
