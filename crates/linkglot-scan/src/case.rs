//! Letters of two cases in top-level domains.
//!
//! Settings may name any domain, so they need the tables of all letters in the standard library. Without settings only
//! IANA's domains count, which have a few dozen such letters beyond ASCII.

/// True if a caller may name domains.
const ANY_DOMAINS: bool = cfg!(feature = "settings");

/// The letters of two cases beyond ASCII in IANA's top-level domains, and those that the standard library maps to the
/// same small letters or to small letters of ASCII: each capital, then its small letter.
const CAPITALS: &str = "\u{212A}kÖöΕεΛλΥυАаБбВвГгДдЕеЗзИиЙйКкЛлМмНнОоРрСсТтУуФфЮюҚқԱաՀհՅյᲒგᲔე";

/// The pairs of [`CAPITALS`].
fn capitals() -> impl Iterator<Item = (char, char)> {
    let odd = CAPITALS.chars().skip(1).step_by(2);
    CAPITALS.chars().step_by(2).zip(odd)
}

/// A name in lower case. Without settings, a name that is no top-level domain may keep capitals.
pub(super) fn lowercase(name: &str) -> String {
    if ANY_DOMAINS {
        name.to_lowercase()
    } else {
        name.chars().map(lowercase_of_domains).collect()
    }
}

fn lowercase_of_domains(ch: char) -> char {
    let pair = capitals().find(|&(capital, _)| capital == ch);
    pair.map_or(ch.to_ascii_lowercase(), |(_, small)| small)
}

/// The capitals of a letter of a top-level domain, or the letter itself if it has none.
pub(super) fn uppercase(ch: char) -> impl Iterator<Item = char> {
    let (all, listed) = if ANY_DOMAINS {
        (Some(ch.to_uppercase()), None)
    } else {
        (None, Some(uppercase_of_domains(ch)))
    };
    all.into_iter().flatten().chain(listed)
}

/// The letter that `to_uppercase` gives: of several capitals the first.
fn uppercase_of_domains(ch: char) -> char {
    let pair = capitals().find(|&(_, small)| small == ch && !ch.is_ascii());
    pair.map_or(ch.to_ascii_uppercase(), |(capital, _)| capital)
}

/// True if a name has a letter with a capital.
pub(super) fn has_small_letters(name: &str) -> bool {
    name.chars().any(|ch| !uppercase(ch).eq([ch]))
}

#[cfg(test)]
mod tests {
    use super::super::lists;
    use super::*;
    use std::collections::BTreeSet;

    /// The letters of IANA's domains, beyond ASCII.
    fn letters() -> BTreeSet<char> {
        let names = lists::tlds().names();
        names
            .flat_map(str::chars)
            .filter(|ch| !ch.is_ascii())
            .collect()
    }

    #[test]
    fn capitals_are_those_of_the_standard_library() {
        let letters = letters();
        let mut pairs: Vec<(char, char)> = (char::MIN..=char::MAX)
            .filter(|ch| !ch.is_ascii())
            .filter_map(|ch| {
                let mut lower = ch.to_lowercase();
                let small = lower
                    .next()
                    .filter(|&small| small != ch && lower.next().is_none())?;
                let counts = small.is_ascii() || letters.contains(&small);
                counts.then_some((ch, small))
            })
            .collect();
        // Of several capitals, that which `to_uppercase` gives comes first.
        pairs.sort_by_key(|&(capital, small)| (small, !small.to_uppercase().eq([capital])));
        let text: String = pairs
            .iter()
            .flat_map(|&(capital, small)| [capital, small])
            .collect();
        assert_eq!(CAPITALS, text);
        for ch in letters {
            assert!(ch.to_uppercase().eq([uppercase_of_domains(ch)]), "{ch}");
            assert!(ch.to_lowercase().eq([lowercase_of_domains(ch)]), "{ch}");
        }
    }

    /// `str::to_lowercase` looks around some letters, and makes several of some: no domain has these.
    #[test]
    fn no_domain_has_letters_whose_case_is_more_than_a_letter() {
        let letters = letters();
        assert!(!letters.contains(&'σ') && !letters.contains(&'ς'));
        for ch in char::MIN..=char::MAX {
            let lower = ch.to_lowercase();
            let is_native = |small: char| letters.contains(&small) || small.is_ascii();
            assert!(lower.len() == 1 || !lower.clone().all(is_native), "{ch}");
        }
    }
}
