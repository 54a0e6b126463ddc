//! Labels of domain names that deceive when they are shown in Unicode (UTS 39). The policy follows Chromium's address
//! bar, but for its list of popular names.

use crate::display::{category, is_nonspacing};
use crate::look_alike;
use icu_properties::props::GeneralCategory;
use unicode_script::{Script, UnicodeScript};
use unicode_security::mixed_script::AugmentedScriptSet;
use unicode_security::{GeneralSecurityProfile, skeleton};

/// The reason why a label should not be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Suspicion {
    /// A character that identifiers should not have (UTS 39 3.1).
    Restricted,
    /// Scripts that are not written together (UTS 39 5.2, "highly restrictive").
    MixedScript,
    /// Digits of several systems (UTS 39 5.3).
    MixedDigits,
    /// Nonspacing marks that hide one another (UTS 39 5.4).
    HiddenMarks,
    /// A character without the context that RFC 5892 appendix A asks for.
    Context,
    /// The label looks like another one (UTS 39 4, whole-script confusables), or like a delimiter.
    Confusable,
}

/// Top-level domains under which words of a script are expected although they can look like Latin, besides domains in
/// the script itself. (Latin is for the dotless i.)
static HOMES: &[(Script, &[&str])] = &[
    (
        Script::Cyrillic,
        &[
            "bg", "by", "kg", "kz", "mk", "mn", "ru", "rs", "su", "tj", "ua", "uz",
        ],
    ),
    (Script::Greek, &["gr", "cy"]),
    (Script::Armenian, &["am"]),
    (Script::Georgian, &["ge"]),
    (Script::Hebrew, &["il"]),
    (Script::Ethiopic, &["er", "et"]),
    (Script::Latin, &["az", "kz", "tr"]),
];

/// Reason why a label, in the Unicode form of UTS 46, is suspicious under a top-level domain. Linear.
pub(crate) fn check(label: &str, top: &str) -> Option<Suspicion> {
    if label.is_ascii() {
        return None;
    }
    if !label.chars().all(char::identifier_allowed) {
        Some(Suspicion::Restricted)
    } else if mixes_scripts(label) {
        Some(Suspicion::MixedScript)
    } else if has_mixed_digits(label) {
        Some(Suspicion::MixedDigits)
    } else if has_hidden_marks(label) {
        Some(Suspicion::HiddenMarks)
    } else if !is_in_context(label) {
        Some(Suspicion::Context)
    } else if is_confusable(label, top) || has_delimiter_look_alike(label) {
        Some(Suspicion::Confusable)
    } else {
        None
    }
}

/// True if the label mixes scripts that are not written together. Latin and the scripts of Chinese, Japanese and Korean
/// are written together.
pub(crate) fn mixes_scripts(label: &str) -> bool {
    let mut all = AugmentedScriptSet::default();
    let mut other = AugmentedScriptSet::default();
    for ch in label.chars() {
        let scripts = AugmentedScriptSet::for_char(ch);
        all.intersect_with(scripts);
        if !scripts.base.contains_script(Script::Latin) {
            other.intersect_with(scripts);
        }
    }
    all.is_empty() && !(other.hanb || other.jpan || other.kore)
}

/// True if the label can be mistaken for another one, because of its look or of hidden characters.
pub(crate) fn is_deceptive(label: &str, top: &str) -> bool {
    match check(label, top) {
        None => false,
        Some(Suspicion::Restricted | Suspicion::MixedScript) => is_confusable(label, top),
        Some(_) => true,
    }
}

/// The ASCII label that the label can be mistaken for: its skeleton, if all in ASCII.
fn ascii_twin(label: &str) -> Option<String> {
    ascii_twin_of(label, b"-")
}

/// [`ascii_twin`] of a text that may have these marks besides letters and digits.
fn ascii_twin_of(label: &str, marks: &[u8]) -> Option<String> {
    let is_latin = script(label) == Script::Latin;
    let has_twin = |ch: char| {
        let mut buffer = [0; 4];
        let mut twin = skeleton(ch.encode_utf8(&mut buffer));
        match is_latin {
            _ if ch.is_ascii() => true,
            // Latin letters with a look-alike of two letters (æ and ae) deceive nobody.
            true => twin.next().is_some_and(|twin| twin.is_ascii()) && twin.next().is_none(),
            false => is_nonspacing(ch) || twin.all(|twin| twin.is_ascii()),
        }
    };
    if label.is_ascii() || !label.chars().all(has_twin) {
        return None;
    }
    let twin: String = skeleton(label).collect();
    let is_label = |byte: u8| marks.contains(&byte) || byte.is_ascii_alphanumeric();
    twin.bytes().all(is_label).then_some(twin)
}

/// The ASCII text that a text outside of hosts can be mistaken for, and its script. Texts of fewer than two letters
/// deceive nobody. Linear.
pub(crate) fn look_alike(text: &str) -> Option<(Script, String)> {
    let letters = text.chars().filter(|ch| ch.is_alphabetic());
    // Compatibility variants have a warning of their own.
    let is_other = |ch: char| !ch.is_ascii() && look_alike::kind(ch).is_none();
    let has_other_letter = letters.clone().any(is_other);
    if !has_other_letter || letters.count() < 2 {
        return None;
    }
    Some((script(text), ascii_twin_of(text, b"-._~")?))
}

/// The script of a character that looks like no ASCII character, and so gives away the script of a text.
pub(crate) fn evident_script(ch: char) -> Option<Script> {
    let mut buffer = [0; 4];
    let is_evident = ch.is_alphabetic()
        && !ch.is_ascii()
        && skeleton(ch.encode_utf8(&mut buffer)).any(|twin| !twin.is_ascii());
    is_evident.then(|| ch.script())
}

fn is_confusable(label: &str, top: &str) -> bool {
    ascii_twin(label).is_some() && !is_at_home(script(label), top)
}

/// True if words of a script are expected under a top-level domain.
pub(crate) fn is_at_home(own: Script, top: &str) -> bool {
    let is_home = |home: &&str| home.eq_ignore_ascii_case(top);
    !top.is_ascii() && script(top) == own
        || HOMES
            .iter()
            .any(|&(script, homes)| script == own && homes.iter().any(is_home))
}

/// The script of the first character that has one.
fn script(text: &str) -> Script {
    let mut scripts = text.chars().map(|ch| ch.script());
    scripts
        .find(|script| !matches!(script, Script::Common | Script::Inherited))
        .unwrap_or(Script::Common)
}

fn has_mixed_digits(label: &str) -> bool {
    // The digits of a system share a block of sixteen code points.
    let mut systems = label
        .chars()
        .filter(|&ch| category(ch) == GeneralCategory::DecimalNumber)
        .map(|ch| ch as u32 >> 4);
    let first = systems.next();
    systems.any(|system| Some(system) != first)
}

fn has_hidden_marks(label: &str) -> bool {
    let mut before = '\0';
    let mut count = 0;
    for ch in label.chars() {
        count = if is_nonspacing(ch) { count + 1 } else { 0 };
        let is_on_dot = ch == '\u{307}' && matches!(before, 'i' | 'j' | 'l' | 'ı');
        if count > 4 || count > 1 && ch == before || is_on_dot {
            return true;
        }
        before = ch;
    }
    false
}

/// The CONTEXTO rules (RFC 5892 A.3 to A.7), which UTS 46 does not check.
fn is_in_context(label: &str) -> bool {
    let is_japanese = |ch: char| {
        let script = ch.script();
        ch != '・' && matches!(script, Script::Hiragana | Script::Katakana | Script::Han)
    };
    let has_script = |ch: Option<char>, script| ch.is_some_and(|ch| ch.script() == script);
    with_neighbours(label).all(|(before, ch, after)| match ch {
        '\u{B7}' => before == Some('l') && after == Some('l'),
        '\u{375}' => has_script(after, Script::Greek),
        '\u{5F3}' | '\u{5F4}' => has_script(before, Script::Hebrew),
        '・' => label.chars().any(is_japanese),
        _ => true,
    })
}

/// Each character, with those before and after it.
fn with_neighbours(label: &str) -> impl Iterator<Item = (Option<char>, char, Option<char>)> {
    let before = std::iter::once(None).chain(label.chars().map(Some));
    let after = label.chars().skip(1).map(Some).chain([None]);
    let chars = before.zip(label.chars()).zip(after);
    chars.map(|((before, ch), after)| (before, ch, after))
}

/// True if a character that can be taken for punctuation has no neighbour in a script other than Latin, in which it
/// would be an ordinary letter: the katakana `ノ` between Latin letters.
fn has_delimiter_look_alike(label: &str) -> bool {
    let is_other_script = |ch: Option<char>| {
        let scripts = ch.map(|ch| ch.script_extension());
        scripts.is_some_and(|scripts| {
            !scripts.is_common()
                && !scripts.is_inherited()
                && !scripts.contains_script(Script::Latin)
        })
    };
    with_neighbours(label).any(|(before, ch, after)| {
        looks_like_punctuation(ch) && !is_other_script(before) && !is_other_script(after)
    })
}

fn looks_like_punctuation(ch: char) -> bool {
    let mut buffer = [0; 4];
    // No letter of Latin, Greek or Cyrillic looks like punctuation.
    let is_letter = matches!(ch, ..'\u{250}' | '\u{386}'..'\u{530}');
    !is_letter
        && skeleton(ch.encode_utf8(&mut buffer))
            .any(|twin| twin.is_ascii_punctuation() && twin != '-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsuspicious_labels() {
        for (label, top) in [
            ("bücher", "example"),
            ("æble", "dk"),
            ("straße", "de"),
            ("пример", "com"),
            ("сор", "ru"),
            ("сор", "рф"),
            ("παράδειγμα", "com"),
            ("日本語テスト", "jp"),
            ("ノート", "jp"),
            ("tシャツ", "jp"),
            ("한국어", "kr"),
            ("paral·lel", "cat"),
            ("ısparta", "tr"),
            ("เว็บ", "th"),
            ("हिन्दी", "com"),
            ("עברית", "com"),
            ("7-й", "com"),
        ] {
            assert_eq!(check(label, top), None, "{label}");
        }
    }

    #[test]
    fn suspicious_labels() {
        for (label, expected) in [
            ("i♥ny", Suspicion::Restricted),
            ("pаypal", Suspicion::MixedScript),
            ("αbc", Suspicion::MixedScript),
            ("१2", Suspicion::MixedDigits),
            ("сосо", Suspicion::Confusable),
            ("paypaı", Suspicion::Confusable),
            ("aノb", Suspicion::Confusable),
            ("a·b", Suspicion::Context),
            ("x\u{301}\u{301}", Suspicion::HiddenMarks),
        ] {
            assert_eq!(check(label, "com"), Some(expected), "{label}");
        }
    }

    #[test]
    fn ascii_twins() {
        assert_eq!(ascii_twin("сосо").as_deref(), Some("coco"));
        assert_eq!(ascii_twin("coco"), None);
        assert_eq!(ascii_twin("æ"), None);
        assert_eq!(ascii_twin("пример"), None);
    }
}
