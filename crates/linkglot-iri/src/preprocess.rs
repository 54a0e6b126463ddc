//! Preprocessing of arbitrary strings into references (draft-ietf-iri-3987bis, 2011, section 4).
//!
//! This module knows no formats: the caller says how character references are decoded.

use crate::bidi::isolate::is_wrapping;
use crate::notes::{Note, Notes};
use std::borrow::Cow;

/// Meaning of spaces inside a string.
///
/// ```
/// use linkglot_iri::{Preprocess, Spaces};
///
/// let run = |spaces| Preprocess { spaces, ..Preprocess::default() }.run(" /a  /é ");
/// assert_eq!(run(Spaces::Encode), ["/a%20%20/é"]);
/// assert_eq!(run(Spaces::Remove), ["/a/é"]);
/// assert_eq!(run(Spaces::Split), ["/a", "/é"]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Spaces {
    /// The string is one reference; each space becomes `%20`.
    #[default]
    Encode,
    /// The string is one reference; its white space is removed.
    Remove,
    /// The string is several references between runs of spaces.
    Split,
}

/// Treatment of character references (step 4, which the draft leaves open; RFC 3987 5.2 decodes them for XML and
/// HTML).
///
/// ```
/// use linkglot_iri::{CharacterReferences, Preprocess, Spaces};
///
/// let run = |references| Preprocess { spaces: Spaces::Encode, references }.run("/&eacute;&#233;").concat();
/// assert_eq!(run(CharacterReferences::Keep), "/&eacute;&#233;");
/// assert_eq!(run(CharacterReferences::Xml), "/&eacute;é");
/// let names = |text: &str| text.replace("&eacute;", "é");
/// assert_eq!(run(CharacterReferences::With(&names)), "/é&#233;");
/// ```
#[derive(Clone, Copy, Default)]
#[non_exhaustive]
pub enum CharacterReferences<'f> {
    /// Keep them.
    #[default]
    Keep,
    /// Decode numeric ones and the five named ones of XML.
    Xml,
    /// Let the caller decode them with the names of the format.
    With(&'f dyn Fn(&str) -> String),
}

/// Preprocesses strings.
///
/// ```
/// use linkglot_iri::{CharacterReferences, Preprocess, Spaces};
///
/// let preprocess = Preprocess { spaces: Spaces::Split, references: CharacterReferences::Xml };
/// assert_eq!(preprocess.run("\t/a  /&#233;?b&amp;c\n"), ["/a", "/é?b&c"]);
/// ```
#[derive(Clone, Copy, Default)]
pub struct Preprocess<'f> {
    /// Meaning of spaces inside a string.
    pub spaces: Spaces,
    /// Treatment of character references.
    pub references: CharacterReferences<'f>,
}

/// The white space of the draft, which is ASCII.
const WHITE_SPACE: [char; 4] = [' ', '\r', '\n', '\t'];

impl Preprocess<'_> {
    /// The references in a string, in order. Bidi formatting characters around a reference are dropped (RFC 3987 4.1).
    /// White space alone is one empty reference, or none with [`Spaces::Split`]. Linear.
    ///
    /// ```
    /// use linkglot_iri::Preprocess;
    ///
    /// assert_eq!(Preprocess::default().run("\r\n /é b\u{3000}"), ["/é%20b\u{3000}"]);
    /// assert_eq!(Preprocess::default().run("\u{202A}/א\u{202C}"), ["/א"]);
    /// ```
    pub fn run<'t>(&self, text: &'t str) -> Vec<Cow<'t, str>> {
        let references = self.run_with_notes(text).into_iter();
        references.map(|(text, _)| text).collect()
    }

    /// As [`run`](Self::run), with a note on each reference that lost bidi formatting characters. Linear.
    ///
    /// ```
    /// use linkglot_iri::{Note, Preprocess, Spaces};
    ///
    /// let split = Preprocess { spaces: Spaces::Split, ..Preprocess::default() };
    /// let references = split.run_with_notes("/a \u{202A}/א\u{202C}");
    /// assert!(references[0].1.is_empty());
    /// assert_eq!(references[1], ("/א".into(), Note::BidiControlsDropped.into()));
    /// ```
    pub fn run_with_notes<'t>(&self, text: &'t str) -> Vec<(Cow<'t, str>, Notes)> {
        if self.spaces == Spaces::Split {
            let all = text.trim_matches(WHITE_SPACE).split(' ');
            let all = all.map(|part| (part, part.trim_matches(is_wrapping)));
            let kept = all.filter(|(_, part)| !part.is_empty());
            return kept
                .map(|(with_controls, part)| {
                    self.finished(Cow::Borrowed(part), part.len() < with_controls.len())
                })
                .collect();
        }
        let is_around = |ch: char| WHITE_SPACE.contains(&ch) || is_wrapping(ch);
        let trimmed = text.trim_matches(is_around);
        let controls = |text: &str| text.chars().filter(|&ch| is_wrapping(ch)).count();
        let has_lost = controls(trimmed) < controls(text);
        vec![self.finished(self.without_spaces(trimmed), has_lost)]
    }

    /// Decodes the character references of one reference, and drops the wrapping controls that they stand for.
    fn finished<'t>(&self, text: Cow<'t, str>, has_lost: bool) -> (Cow<'t, str>, Notes) {
        let mut decoded = self.decoded(text);
        let unwrapped = decoded.trim_matches(is_wrapping);
        let loses = unwrapped.len() < decoded.len();
        if loses {
            decoded = Cow::Owned(unwrapped.to_owned());
        }
        let notes = if has_lost || loses {
            Note::BidiControlsDropped.into()
        } else {
            Notes::NONE
        };
        (decoded, notes)
    }

    fn without_spaces<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match self.spaces {
            Spaces::Encode if text.contains(' ') => Cow::Owned(text.replace(' ', "%20")),
            Spaces::Remove if text.contains(WHITE_SPACE) => {
                Cow::Owned(text.replace(WHITE_SPACE, ""))
            }
            _ => Cow::Borrowed(text),
        }
    }

    fn decoded<'t>(&self, text: Cow<'t, str>) -> Cow<'t, str> {
        if !text.contains('&') {
            return text;
        }
        match self.references {
            CharacterReferences::Keep => text,
            CharacterReferences::Xml => Cow::Owned(decode_xml(&text)),
            CharacterReferences::With(decode) => Cow::Owned(decode(&text)),
        }
    }
}

/// Decodes numeric character references and `&amp;` and the like (XML 4.1 and 4.6).
fn decode_xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        // The bound keeps text with many ampersands linear.
        let name = rest.bytes().take(LONGEST_NAME);
        let length = name
            .take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'#')
            .count();
        let (name, behind) = rest.split_at(length);
        let ch = behind.starts_with(';').then(|| character(name)).flatten();
        match ch {
            Some(ch) => {
                out.push(ch);
                rest = &behind[1..];
            }
            None => out.push('&'),
        }
    }
    out + rest
}

/// The longest name of a reference, with room for leading zeros, which some software writes.
const LONGEST_NAME: usize = 31;

/// The character of a reference, given without `&` and `;`.
fn character(name: &str) -> Option<char> {
    Some(match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        _ => {
            let number = name.strip_prefix('#')?;
            let (digits, radix) = match number.strip_prefix(['x', 'X']) {
                Some(digits) => (digits, 16),
                None => (number, 10),
            };
            let code = u32::from_str_radix(digits, radix).ok()?;
            char::from_u32(code).filter(|&ch| ch != '\0')?
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(text: &str, spaces: Spaces) -> Vec<Cow<'_, str>> {
        let references = CharacterReferences::Keep;
        Preprocess { spaces, references }.run(text)
    }

    #[test]
    fn spaces_are_trimmed_and_then_split_encoded_or_removed() {
        let text = "\n a \t b\u{3000} \r";
        assert_eq!(run(text, Spaces::Split), ["a", "\t", "b\u{3000}"]);
        assert_eq!(run(text, Spaces::Encode), ["a%20\t%20b\u{3000}"]);
        assert_eq!(run(text, Spaces::Remove), ["ab\u{3000}"]);
        assert_eq!(run(" \t", Spaces::Encode), [""]);
        assert!(run(" \t", Spaces::Split).is_empty());
    }

    /// White space and controls can stand in any order, and controls can be references.
    #[test]
    fn wrapping_controls_are_trimmed_like_white_space() {
        let text = " \u{202A} a b \u{202C}\n";
        assert_eq!(run(text, Spaces::Encode), ["a%20b"]);
        assert_eq!(run(text, Spaces::Remove), ["ab"]);
        assert_eq!(run(text, Spaces::Split), ["a", "b"]);
        let references = CharacterReferences::Xml;
        let spaces = Spaces::Encode;
        let notes = Preprocess { spaces, references }.run_with_notes("&#x200F;/a&#8207;b");
        let dropped = Note::BidiControlsDropped.into();
        assert_eq!(notes, [(Cow::Borrowed("/a\u{200F}b"), dropped)]);
    }

    #[test]
    fn character_references_are_decoded_on_request() {
        let references = CharacterReferences::Xml;
        let run = |text| {
            Preprocess {
                references,
                ..Preprocess::default()
            }
            .run(text)
            .concat()
        };
        assert_eq!(run("&#xe9;&#233;&#X1f600;&lt;"), "éé\u{1F600}<");
        assert_eq!(run("&amp;amp;"), "&amp;");
        assert_eq!(
            run("&#xD800;&#0;&#;&#x;&nope;&é;&"),
            "&#xD800;&#0;&#;&#x;&nope;&é;&"
        );
        assert_eq!(run("&#233 &amp"), "&#233%20&amp");
        assert_eq!(run("?a&b=&&#38;"), "?a&b=&&");
        assert_eq!(run("&#+1;"), "&#+1;");
    }
}
