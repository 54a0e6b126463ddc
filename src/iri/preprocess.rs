//! Arbitrary strings made ready for reading (draft-ietf-iri-3987bis parsing draft of 2011,
//! section 4).
//!
//! It must not know formats: whoever does hands in how references to characters are undone.

use std::borrow::Cow;

/// How many references a string may hold, and what becomes of spaces inside one.
///
/// ```
/// use linkglot::iri::{Preprocess, Spaces};
///
/// let run = |spaces| Preprocess { spaces, ..Preprocess::default() }.run(" /a  /é ");
/// assert_eq!(run(Spaces::Encode), ["/a%20%20/é"]);
/// assert_eq!(run(Spaces::Remove), ["/a/é"]);
/// assert_eq!(run(Spaces::Split), ["/a", "/é"]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Spaces {
    /// One reference; each space becomes `%20`.
    #[default]
    Encode,
    /// One reference; runs of white space are taken out.
    Remove,
    /// Several references, with runs of spaces between them.
    Split,
}

/// What becomes of references to characters (step 4, which the draft leaves open; RFC 3987 5.2
/// wants it for XML and HTML).
///
/// ```
/// use linkglot::iri::{CharacterReferences, Preprocess, Spaces};
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
    /// They stay.
    #[default]
    Keep,
    /// The numeric ones and the five of XML are undone.
    Xml,
    /// Undone by the caller, who knows the names of the format.
    With(&'f dyn Fn(&str) -> String),
}

/// Makes strings ready for reading.
///
/// ```
/// use linkglot::iri::{CharacterReferences, Preprocess, Spaces};
///
/// let preprocess = Preprocess { spaces: Spaces::Split, references: CharacterReferences::Xml };
/// assert_eq!(preprocess.run("\t/a  /&#233;?b&amp;c\n"), ["/a", "/é?b&c"]);
/// ```
#[derive(Clone, Copy, Default)]
pub struct Preprocess<'f> {
    /// What spaces mean.
    pub spaces: Spaces,
    /// What `&...;` means.
    pub references: CharacterReferences<'f>,
}

/// The only white space that counts: not that of Unicode.
const WHITE_SPACE: [char; 4] = [' ', '\r', '\n', '\t'];

impl Preprocess<'_> {
    /// The references of a string, in their order; a string of spaces alone holds one empty
    /// reference, or none when it is split. Linear.
    ///
    /// ```
    /// use linkglot::iri::Preprocess;
    ///
    /// assert_eq!(Preprocess::default().run("\r\n /é b\u{3000}"), ["/é%20b\u{3000}"]);
    /// ```
    pub fn run<'t>(&self, text: &'t str) -> Vec<Cow<'t, str>> {
        let text = text.trim_matches(WHITE_SPACE);
        let one = match self.spaces {
            Spaces::Split => {
                let all = text.split(' ').filter(|part| !part.is_empty());
                return all.map(|part| self.undone(Cow::Borrowed(part))).collect();
            }
            Spaces::Encode if text.contains(' ') => Cow::Owned(text.replace(' ', "%20")),
            Spaces::Remove if text.contains(WHITE_SPACE) => {
                Cow::Owned(text.replace(WHITE_SPACE, ""))
            }
            _ => Cow::Borrowed(text),
        };
        vec![self.undone(one)]
    }

    fn undone<'t>(&self, text: Cow<'t, str>) -> Cow<'t, str> {
        if !text.contains('&') {
            return text;
        }
        match self.references {
            CharacterReferences::Keep => text,
            CharacterReferences::Xml => Cow::Owned(undo_xml(&text)),
            CharacterReferences::With(undo) => Cow::Owned(undo(&text)),
        }
    }
}

/// Undoes `&#233;`, `&#xE9;`, `&amp;` and the like (XML 4.1 and 4.6); all else stays.
fn undo_xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        // No reference is longer; a bound keeps many ampersands linear.
        let bytes = rest.bytes().take(LONGEST).skip(1);
        let length = bytes
            .take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'#')
            .count();
        let end = 1 + length;
        let found = rest[end..]
            .starts_with(';')
            .then(|| character(&rest[1..end]))
            .flatten();
        let taken = match found {
            Some(ch) => {
                out.push(ch);
                end + 1
            }
            None => {
                out.push('&');
                1
            }
        };
        rest = &rest[taken..];
    }
    out + rest
}

/// Room for leading zeros, which some writers like.
const LONGEST: usize = 32;

/// The character of a reference without `&` and `;`.
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

    #[test]
    fn references_to_characters_are_undone_on_request() {
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
