//! Scalars of YAML. Those in double quotation marks are literals.

use super::{replaced, sql, verbatim};
use linkglot_charset::MappedText;

/// The style of a scalar.
///
/// ```
/// use linkglot_markup::{Escaping, YamlStyle};
///
/// assert_eq!(Escaping::Yaml(YamlStyle::Single).escape("it's", "", &|_| true).as_deref(), Some("it''s"));
/// assert_eq!(Escaping::Yaml(YamlStyle::Flow).escape("a,b", "", &|_| true), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum YamlStyle {
    /// A plain scalar outside of brackets.
    Plain,
    /// A plain scalar in brackets, in which no comma, bracket or question mark may arise: PyYAML ends it at one.
    Flow,
    /// A scalar in single quotation marks; two of them within it are one.
    Single,
    /// A block scalar: lines with an indentation.
    Block,
}

impl YamlStyle {
    pub(super) fn unescape(self, raw: &str) -> MappedText<'_> {
        match self {
            YamlStyle::Single => replaced(raw, [b'\''; 2], sql::doubled),
            _ => MappedText::identity(raw),
        }
    }

    /// The number of each mark that ends a scalar, or begins another one in its place.
    pub(super) fn ends(self, raw: &str) -> [usize; 5] {
        let bytes = raw.as_bytes();
        let count = |marks: &[u8]| bytes.iter().filter(|byte| marks.contains(byte)).count();
        let pairs = |is_pair: fn(u8, u8) -> bool| {
            let pairs = bytes.windows(2);
            pairs.filter(|pair| is_pair(pair[0], pair[1])).count()
        };
        let first = raw.chars().next();
        let is_mark = |ch: char| "-?:,[]{}#&*!|>'\"%@` ".contains(ch);
        match self {
            YamlStyle::Single => [sql::quotes(bytes, b'\''), 0, 0, 0, 0],
            YamlStyle::Block => [count(b"\n\r"), 0, 0, 0, 0],
            YamlStyle::Plain | YamlStyle::Flow => [
                count(b"\n\r"),
                pairs(|one, two| one == b':' && two.is_ascii_whitespace())
                    + usize::from(raw.ends_with(':')),
                pairs(|one, two| one.is_ascii_whitespace() && two == b'#'),
                // The first character tells the kind.
                first
                    .filter(|first| is_mark(*first))
                    .map_or(0, |first| first as usize),
                if self == YamlStyle::Flow {
                    count(b",[]{}?")
                } else {
                    0
                },
            ],
        }
    }

    pub(super) fn write(self, text: &str, encodable: &dyn Fn(char) -> bool) -> Option<String> {
        let text = verbatim(text, encodable, &["\n", "\r"])?;
        match self {
            YamlStyle::Single => Some(text.replace('\'', "''")),
            YamlStyle::Flow if text.contains([',', '[', ']', '{', '}']) => None,
            _ => Some(text),
        }
    }
}
