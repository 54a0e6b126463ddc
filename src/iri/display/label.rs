//! Which labels of domain names may be shown in Unicode (UTS 39; the policy of Chromium's address
//! bar is the model, without its list of popular names).

use super::{category, is_nonspacing};
use icu_properties::props::GeneralCategory;
use unicode_script::{Script, UnicodeScript};
use unicode_security::mixed_script::AugmentedScriptSet;
use unicode_security::{GeneralSecurityProfile, skeleton};

/// Why a label should not be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::iri) enum Trouble {
    /// A character that identifiers should not have (UTS 39 3.1).
    Restricted,
    /// Scripts that are not written together (UTS 39 5.2, "highly restrictive").
    MixedScript,
    /// Digits of several systems (UTS 39 5.3).
    MixedDigits,
    /// Nonspacing marks that hide one another (UTS 39 5.4).
    Marks,
    /// A character outside of the surroundings that RFC 5892 appendix A asks for.
    Context,
    /// It looks like another label (UTS 39 4, whole-script confusables), or like a delimiter.
    Confusable,
}

/// Top-level domains under which words of a script are at home although they can look like Latin,
/// besides the domains in that script. (Latin is for the dotless i.)
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

/// What is wrong with showing a label, in the Unicode form of UTS 46, under a top-level domain.
/// Linear.
pub(in crate::iri) fn trouble(label: &str, top: &str) -> Option<Trouble> {
    if label.is_ascii() {
        return None;
    }
    if !label
        .chars()
        .all(GeneralSecurityProfile::identifier_allowed)
    {
        return Some(Trouble::Restricted);
    }
    if mixes_scripts(label) {
        return Some(Trouble::MixedScript);
    }
    if has_mixed_digits(label) {
        return Some(Trouble::MixedDigits);
    }
    if has_hidden_marks(label) {
        return Some(Trouble::Marks);
    }
    if !is_in_context(label) {
        return Some(Trouble::Context);
    }
    (is_confusable(label, top) || has_delimiter_look_alike(label)).then_some(Trouble::Confusable)
}

/// Whether the label is in scripts that are not written together: neither in one, nor in Latin with
/// those of Chinese, Japanese or Korean.
pub(in crate::iri) fn mixes_scripts(label: &str) -> bool {
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

/// Whether the label can be mistaken for another one: by its look, or by what hides in it.
pub(in crate::iri) fn is_deceptive(label: &str, top: &str) -> bool {
    match trouble(label, top) {
        None => false,
        Some(Trouble::Restricted | Trouble::MixedScript) => {
            ascii_twin(label).is_some() && !is_at_home(script(label), top)
        }
        Some(_) => true,
    }
}

/// What the label can be mistaken for, when that is another label in ASCII.
pub(in crate::iri) fn ascii_twin(label: &str) -> Option<String> {
    let is_latin = script(label) == Script::Latin;
    let has_twin = |ch: char| match is_latin {
        // Latin letters with a look-alike of two letters (æ and ae) deceive nobody.
        true => has_ascii_twin(ch),
        false => ch.is_ascii() || is_nonspacing(ch) || looks(ch, |twin| twin.is_ascii()),
    };
    if label.is_ascii() || !label.chars().all(has_twin) {
        return None;
    }
    let twin: String = skeleton(label).collect();
    let is_label = |byte: u8| byte == b'-' || byte.is_ascii_alphanumeric();
    twin.bytes().all(is_label).then_some(twin)
}

/// Whether all characters of the skeleton of a character are such.
fn looks(ch: char, are_such: impl Fn(char) -> bool) -> bool {
    skeleton(ch.encode_utf8(&mut [0; 4])).all(are_such)
}

fn has_ascii_twin(ch: char) -> bool {
    let mut buffer = [0; 4];
    let mut twin = skeleton(ch.encode_utf8(&mut buffer));
    ch.is_ascii() || twin.next().is_some_and(|twin| twin.is_ascii()) && twin.next().is_none()
}

fn is_confusable(label: &str, top: &str) -> bool {
    ascii_twin(label).is_some() && !is_at_home(script(label), top)
}

fn is_at_home(own: Script, top: &str) -> bool {
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
    // Each system of decimal digits has its own block of sixteen.
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
    let chars: Vec<char> = label.chars().collect();
    let is_japanese = |ch: &char| {
        matches!(
            ch.script(),
            Script::Hiragana | Script::Katakana | Script::Han
        ) && *ch != '・'
    };
    let has_script = |at: Option<usize>, script: Script| {
        at.and_then(|at| chars.get(at))
            .is_some_and(|ch| ch.script() == script)
    };
    chars.iter().enumerate().all(|(at, ch)| {
        let before = at.checked_sub(1);
        match ch {
            '\u{B7}' => {
                before.and_then(|at| chars.get(at)) == Some(&'l') && chars.get(at + 1) == Some(&'l')
            }
            '\u{375}' => has_script(Some(at + 1), Script::Greek),
            '\u{5F3}' | '\u{5F4}' => has_script(before, Script::Hebrew),
            '・' => chars.iter().any(is_japanese),
            _ => true,
        }
    })
}

/// Whether a character that can be taken for punctuation stands without a neighbour of a script in
/// which it is an ordinary letter: the katakana `ノ` between Latin letters.
fn has_delimiter_look_alike(label: &str) -> bool {
    let chars: Vec<char> = label.chars().collect();
    let is_foreign = |at: Option<usize>| {
        let scripts = at
            .and_then(|at| chars.get(at))
            .map(|ch| ch.script_extension());
        scripts.is_some_and(|scripts| {
            !scripts.is_common()
                && !scripts.is_inherited()
                && !scripts.contains_script(Script::Latin)
        })
    };
    chars.iter().enumerate().any(|(at, &ch)| {
        looks_like_punctuation(ch) && !is_foreign(at.checked_sub(1)) && !is_foreign(Some(at + 1))
    })
}

fn looks_like_punctuation(ch: char) -> bool {
    let mut buffer = [0; 4];
    // The letters of Latin, Greek and Cyrillic do not.
    let is_known = matches!(ch, ..'\u{250}' | '\u{386}'..'\u{530}');
    !is_known
        && skeleton(ch.encode_utf8(&mut buffer))
            .any(|twin| twin.is_ascii_punctuation() && twin != '-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn honest_labels() {
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
            assert_eq!(trouble(label, top), None, "{label}");
        }
    }

    #[test]
    fn labels_that_deceive() {
        for (label, expected) in [
            ("i♥ny", Trouble::Restricted),
            ("pаypal", Trouble::MixedScript),
            ("αbc", Trouble::MixedScript),
            ("१2", Trouble::MixedDigits),
            ("сосо", Trouble::Confusable),
            ("paypaı", Trouble::Confusable),
            ("aノb", Trouble::Confusable),
            ("a·b", Trouble::Context),
            ("x\u{301}\u{301}", Trouble::Marks),
        ] {
            assert_eq!(trouble(label, "com"), Some(expected), "{label}");
        }
    }

    #[test]
    fn twins() {
        assert_eq!(ascii_twin("сосо").as_deref(), Some("coco"));
        assert_eq!(ascii_twin("coco"), None);
        assert_eq!(ascii_twin("æ"), None);
        assert_eq!(ascii_twin("пример"), None);
    }
}
