//! Trials: new links are read again at their places, and edits that may be the reason why a text does not read as
//! expected are taken back, until it does.

use std::ops::Range;

/// The most times that a text is read again with fewer edits.
const ROUNDS: usize = 8;
/// After this many rounds all links of a different stretch are blamed, not only the link next to its start.
const PATIENT: usize = 4;

/// The edits of a text did not settle in [`ROUNDS`].
pub(super) struct Unsettled;

/// Takes edits of links back until the text reads as expected. `blamed` reads it again with the edits, and names the
/// links to blame, all of a different stretch or only the first; `instead` gives the next edit of a blamed link, if
/// there is one.
pub(super) fn settle<E>(
    edits: &mut [Option<E>],
    mut blamed: impl FnMut(&[Option<E>], bool) -> Vec<usize>,
    instead: impl Fn(usize, E) -> Option<E>,
) -> Result<(), Unsettled> {
    for round in 0..ROUNDS {
        let links = blamed(edits, round >= PATIENT);
        if links.is_empty() {
            return Ok(());
        }
        for link in links {
            edits[link] = edits[link].take().and_then(|edit| instead(link, edit));
        }
    }
    Err(Unsettled)
}

/// A link at its place in a text.
pub(super) trait Placed {
    /// The bytes of the link.
    fn range(&self) -> Range<usize>;
}

/// Comparison of a text, read again, with the expected links.
pub(super) struct Comparison<S, W> {
    /// Tells if an expected link is the same as a found link.
    pub is_same: S,
    /// Tells if the edit of an expected link, by its number, may be blamed.
    pub may_be_why: W,
    /// True if all links of a different stretch are blamed, and not only the link next to its start.
    pub all: bool,
    /// True if the text goes on, so that links behind the last one are unknown.
    pub is_cut: bool,
}

/// The numbers of the links to blame, in order, for each stretch that does not read as expected. Both lists are in
/// order. At every difference some link is blamed, if any may be. Linear.
pub(super) fn blamed<E: Placed, F: Placed>(
    expected: &[E],
    found: &[F],
    comparison: &Comparison<impl Fn(&E, &F) -> bool, impl Fn(usize) -> bool>,
) -> Vec<usize> {
    let may_be_why = &comparison.may_be_why;
    let first = (0..expected.len()).find(|&link| may_be_why(link));
    let (mut blamed, mut before) = (Vec::new(), None);
    let (mut link, mut hit, mut in_stretch) = (0, 0, false);
    while link < expected.len() || hit < found.len() && !comparison.is_cut {
        let (own, other) = (expected.get(link), found.get(hit));
        let edited = own.map(|_| link).filter(|&link| may_be_why(link));
        let both = own.zip(other);
        let is_same = both.is_some_and(|(own, other)| (comparison.is_same)(own, other));
        if !is_same {
            // An expected link that is missing, or a found link that is new.
            let is_near = both.is_none_or(|(own, other)| own.range().start < other.range().end);
            let own = edited.filter(|_| is_near);
            if in_stretch {
                blamed.extend(own.filter(|_| comparison.all))
            } else {
                blamed.extend(own.or(before).or(first))
            }
        }
        in_stretch = !is_same;
        let comes_first =
            |(own, other): (&E, &F)| !is_same && other.range().start < own.range().start;
        if both.is_some_and(comes_first) || own.is_none() {
            hit += 1;
            continue;
        }
        (link, hit) = (link + 1, hit + usize::from(is_same));
        before = edited.or(before);
    }
    blamed.dedup();
    blamed
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Placed for (usize, char) {
        fn range(&self) -> Range<usize> {
            self.0..self.0 + 1
        }
    }

    /// Links are letters at their places; capitals have edits.
    fn blamed_of(expected: &str, found: &str, all: bool, is_cut: bool) -> Vec<usize> {
        let placed = |text: &str| -> Vec<(usize, char)> {
            let letters = text.chars().enumerate();
            letters.filter(|(_, ch)| *ch != ' ').collect()
        };
        let (expected, found) = (placed(expected), placed(found));
        let comparison = Comparison {
            is_same: |own: &(usize, char), other: &(usize, char)| own == other,
            may_be_why: |link: usize| expected[link].1.is_uppercase(),
            all,
            is_cut,
        };
        blamed(&expected, &found, &comparison)
    }

    #[test]
    fn the_link_next_to_the_begin_of_a_stretch_is_blamed() {
        for (expected, found, links) in [
            ("aBcD", "aBcD", &[][..]),
            ("aBcD", "a cD", &[1]),
            ("ABcD", "AB  ", &[1]),
            ("AbcD", "Abc ", &[3]),
            ("aBcDe", "a c e", &[1, 3]),
            ("abC", "xbC", &[2]),
            ("Ab cD", "AbxcD", &[0]),
            ("aB", "aBx", &[1]),
            ("ab", "xx", &[]),
            ("AB", "", &[0]),
            ("", "x", &[]),
        ] {
            assert_eq!(
                blamed_of(expected, found, false, false),
                links,
                "{expected} {found}"
            );
        }
    }

    #[test]
    fn all_of_a_stretch_are_blamed() {
        assert_eq!(blamed_of("ABcDE", "A   E", true, false), [1, 3]);
        assert_eq!(blamed_of("ABC", "", true, false), [0, 1, 2]);
    }

    #[test]
    fn what_follows_is_not_known_where_a_text_goes_on() {
        assert!(blamed_of("aB", "aBx", false, true).is_empty());
        assert_eq!(blamed_of("aB", "a x", false, true), [1]);
    }
}
