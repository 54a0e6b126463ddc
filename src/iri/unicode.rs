//! The versions of Unicode that the tables of this room are from.

use super::display::category;
use super::idna;
use icu_properties::props::GeneralCategory;

/// A version of Unicode: major, minor, update.
///
/// ```
/// let (_, _, version) = linkglot::iri::unicode_versions()[0];
/// assert!(version >= (16, 0, 0));
/// ```
pub type UnicodeVersion = (u32, u32, u32);

/// A letter that came with a version.
static LETTERS: &[(char, u32)] = &[('\u{558}', 18), ('\u{88F}', 17), ('\u{1C89}', 16)];

/// Each library that brings Unicode tables, what they are used for, and their version; for
/// `--version --verbose`.
///
/// `icu_properties` and `idna` do not say theirs: it is that of the newest letter they know, so a
/// version later than 18 is shown as 18.
///
/// ```
/// for (library, use_, (major, minor, _)) in linkglot::iri::unicode_versions() {
///     println!("{library} ({use_}): Unicode {major}.{minor}");
/// }
/// ```
pub fn unicode_versions() -> [(&'static str, &'static str, UnicodeVersion); 6] {
    [
        (
            "icu_properties",
            "categories, bidi classes, joining",
            newest(is_assigned),
        ),
        ("idna", "domain names", newest(is_in_domains)),
        (
            "unicode-normalization",
            "NFC",
            narrow(unicode_normalization::UNICODE_VERSION),
        ),
        (
            "unicode-script",
            "scripts",
            wide(unicode_script::UNICODE_VERSION),
        ),
        (
            "unicode-security",
            "confusables, identifiers",
            wide(unicode_security::UNICODE_VERSION),
        ),
        (
            "unicode-bidi",
            "paired brackets",
            wide(unicode_bidi::UNICODE_VERSION),
        ),
    ]
}

fn narrow((major, minor, update): (u8, u8, u8)) -> UnicodeVersion {
    (major.into(), minor.into(), update.into())
}

fn wide((major, minor, update): (u64, u64, u64)) -> UnicodeVersion {
    let part = |part| u32::try_from(part).unwrap_or(u32::MAX);
    (part(major), part(minor), part(update))
}

fn newest(knows: fn(char) -> bool) -> UnicodeVersion {
    let known = LETTERS.iter().find(|&&(letter, _)| knows(letter));
    (known.map_or(15, |&(_, major)| major), 0, 0)
}

fn is_assigned(ch: char) -> bool {
    category(ch) != GeneralCategory::Unassigned
}

fn is_in_domains(ch: char) -> bool {
    idna::to_ascii(ch.encode_utf8(&mut [0; 4])).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::iri::bidi::{Direction, direction};
    use crate::iri::display::{are_nfc, is_displayable, label};
    use icu_normalizer::ComposingNormalizer;
    use unicode_normalization::char::is_public_assigned;
    use unicode_normalization::{IsNormalized, is_nfc_quick};
    use unicode_script::{Script, UnicodeScript};
    use unicode_security::GeneralSecurityProfile;

    /// What one table lets through the others must know, or a verdict would rest on a default.
    #[test]
    fn the_tables_agree_where_it_matters() {
        let is_private = |ch| category(ch) == GeneralCategory::PrivateUse;
        for ch in ('\u{80}'..=char::MAX).filter(|&ch| !is_private(ch)) {
            let has_script = ch.script() != Script::Unknown;
            assert_eq!(is_assigned(ch), has_script, "script of {ch:?}");
            if ch.identifier_allowed() {
                assert!(is_assigned(ch), "category of {ch:?}");
            }
            if is_nfc_quick(std::iter::once(ch)) != IsNormalized::Yes {
                assert!(is_assigned(ch), "normalization of {ch:?}");
            }
        }
    }

    /// Letters of lower case in small planes: all that UTS 46 lets through is assigned, and of the
    /// identifiers' letters it lets through what is in NFC.
    #[test]
    fn domain_names_agree() {
        for ch in ('\u{80}'..'\u{3000}').filter(|ch| ch.is_alphabetic()) {
            if is_in_domains(ch) {
                assert!(is_assigned(ch), "{ch:?}");
            }
        }
    }

    /// Every character, and one in many of the planes that hold none.
    fn all() -> impl Iterator<Item = char> {
        let is_sampled =
            |ch: &char| !('\u{40000}'..'\u{E0000}').contains(ch) || (*ch as u32).is_multiple_of(97);
        ('\u{80}'..'\u{F0000}').filter(is_sampled)
    }

    /// What only some tables know gets the careful verdict from all: it stays encoded, in paths and
    /// in hosts, and no domain name can have it.
    #[test]
    fn where_versions_differ_nothing_is_shown() {
        for ch in all() {
            let known = [
                is_assigned(ch),
                ch.script() != Script::Unknown,
                is_public_assigned(ch),
            ];
            if known == [true; 3] {
                continue;
            }
            let name = ch.to_string();
            assert!(!is_displayable(ch), "{ch:?} in paths");
            assert!(
                label::trouble(&name, "example").is_some(),
                "{ch:?} in hosts"
            );
            if known != [false; 3] {
                assert!(!is_in_domains(ch), "{ch:?} in domain names");
            }
        }
    }

    /// Two normalizers and two bidi tables say the same of every character that is shown; what one
    /// of them does not know yet is not shown.
    #[test]
    fn of_what_is_shown_two_tables_say_the_same() {
        use unicode_bidi::BidiClass::{AL, R};
        let nfc = ComposingNormalizer::new_nfc();
        for ch in all().filter(|&ch| is_displayable(ch)) {
            let ours = are_nfc(std::iter::once(ch));
            let theirs = nfc.is_normalized(ch.encode_utf8(&mut [0; 4]));
            assert_eq!(ours, theirs, "normalization of {ch:?}");
            let is_right = matches!(unicode_bidi::bidi_class(ch), R | AL);
            // What is new there has the direction of its block, as unassigned characters have.
            assert!(
                !is_right || direction(ch) != Direction::Left,
                "direction of {ch:?}"
            );
            assert!(
                is_right || direction(ch) != Direction::Right,
                "direction of {ch:?}"
            );
        }
    }

    #[test]
    fn every_library_has_a_version() {
        for (library, _, (major, _, _)) in unicode_versions() {
            assert!((16..100).contains(&major), "{library}");
        }
    }
}
