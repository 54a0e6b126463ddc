//! The Unicode versions of the tables that the crate uses.

use crate::display::category;
use crate::idna;
use icu_properties::props::GeneralCategory;

/// A version of Unicode: major, minor, update.
///
/// ```
/// let (_, _, version) = linkglot_iri::unicode_versions()[0];
/// assert!(version >= (16, 0, 0));
/// ```
pub type UnicodeVersion = (u32, u32, u32);

/// Letters and the versions that added them, newest first.
static LETTERS: &[(char, u32)] = &[('\u{558}', 18), ('\u{88F}', 17), ('\u{1C89}', 16)];

/// The libraries with Unicode tables, their purposes and their versions.
///
/// `icu_properties` and `idna` do not tell their version, so it is derived from their newest letter: a version later
/// than 18 is reported as 18.
///
/// ```
/// for (library, purpose, (major, minor, _)) in linkglot_iri::unicode_versions() {
///     println!("{library} ({purpose}): Unicode {major}.{minor}");
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
            version(unicode_normalization::UNICODE_VERSION),
        ),
        (
            "unicode-script",
            "scripts",
            version(unicode_script::UNICODE_VERSION),
        ),
        (
            "unicode-security",
            "confusables, identifiers",
            version(unicode_security::UNICODE_VERSION),
        ),
        (
            "unicode-bidi",
            "paired brackets",
            version(unicode_bidi::UNICODE_VERSION),
        ),
    ]
}

fn version<N: TryInto<u32>>((major, minor, update): (N, N, N)) -> UnicodeVersion {
    let part = |part: N| part.try_into().unwrap_or(u32::MAX);
    (part(major), part(minor), part(update))
}

/// The version of the newest letter that a library has.
fn newest(has: fn(char) -> bool) -> UnicodeVersion {
    let letter = LETTERS.iter().find(|&&(letter, _)| has(letter));
    (letter.map_or(15, |&(_, major)| major), 0, 0)
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
    use crate::bidi::direction::{Direction, direction};
    use crate::display::{are_nfc, is_displayable};
    use crate::spoof;
    use icu_normalizer::ComposingNormalizer;
    use unicode_normalization::char::is_public_assigned;
    use unicode_normalization::{IsNormalized, is_nfc_quick};
    use unicode_script::{Script, UnicodeScript};
    use unicode_security::GeneralSecurityProfile;

    /// A character that one table allows is assigned in the others, or a verdict would rest on their
    /// default.
    #[test]
    fn tables_agree_on_allowed_characters() {
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

    #[test]
    fn letters_in_domain_names_are_assigned() {
        for ch in ('\u{80}'..'\u{3000}').filter(|ch| ch.is_alphabetic()) {
            if is_in_domains(ch) {
                assert!(is_assigned(ch), "{ch:?}");
            }
        }
    }

    /// Every character, but only a sample of the unassigned planes.
    fn all() -> impl Iterator<Item = char> {
        let is_sampled =
            |ch: &char| !('\u{40000}'..'\u{E0000}').contains(ch) || (*ch as u32).is_multiple_of(97);
        ('\u{80}'..'\u{F0000}').filter(is_sampled)
    }

    /// A character that only some tables have stays encoded in paths and in hosts, and no domain name can have the
    /// character.
    #[test]
    fn characters_that_not_all_tables_have_are_hidden() {
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
            assert!(spoof::check(&name, "example").is_some(), "{ch:?} in hosts");
            if known != [false; 3] {
                assert!(!is_in_domains(ch), "{ch:?} in domain names");
            }
        }
    }

    /// Two normalizers and two bidi tables agree on every character that is shown.
    #[test]
    fn tables_agree_on_displayable_characters() {
        use unicode_bidi::BidiClass::{AL, R};
        let nfc = ComposingNormalizer::new_nfc();
        for ch in all().filter(|&ch| is_displayable(ch)) {
            let ours = are_nfc(std::iter::once(ch));
            let theirs = nfc.is_normalized(ch.encode_utf8(&mut [0; 4]));
            assert_eq!(ours, theirs, "normalization of {ch:?}");
            let is_right = matches!(unicode_bidi::bidi_class(ch), R | AL);
            // The older table gives a character that it lacks the default direction of its block.
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
