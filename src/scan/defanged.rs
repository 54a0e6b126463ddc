//! Hosts whose dots were made harmless, so that nobody follows them by mistake: `http://example[.]org/`. What stands on either
//! side of such a dot is another host and no link.

use super::find::Finder;
use super::text::Text;

const DOTS: [&str; 6] = ["[.]", "(.)", "{.}", "[dot]", "(dot)", "{dot}"];
/// No such dot is longer.
pub(super) const MAX_DOT: usize = 5;

/// Whether the host that ends at a position goes on behind such a dot.
pub(super) fn goes_on(text: &Text<'_>, end: usize) -> bool {
    matches!(text.byte(end), b'[' | b'(' | b'{')
        && DOTS
            .iter()
            .any(|dot| text.has(end, dot) && text.char(end + dot.len()).is_alphanumeric())
}

/// Whether bytes end with such a dot.
pub(super) fn ends_with_dot(bytes: &[u8]) -> bool {
    matches!(bytes.last(), Some(b']' | b')' | b'}'))
        && DOTS.iter().any(|dot| {
            let begin = bytes.len().checked_sub(dot.len());
            let end = begin.and_then(|begin| bytes.get(begin..));
            end.is_some_and(|end| end.eq_ignore_ascii_case(dot.as_bytes()))
        })
}

impl Finder<'_, '_> {
    /// Whether such a dot stands in front of a name.
    pub(super) fn is_behind_harmless_dot(&self, start: usize) -> bool {
        let text = self.text;
        start > self.floor
            && matches!(text.byte_before(start), b']' | b')' | b'}')
            && DOTS.iter().any(|dot| text.ends(start, self.floor, dot))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::classes::Classes;

    #[test]
    fn harmless_dots_stand_between_labels() {
        for (rest, is_dot) in [
            ("[.]org", true),
            ("(DOT)org", true),
            ("{.}é", true),
            ("[.] org", false),
            ("[.]", false),
            ("[dots]", false),
            (".org", false),
        ] {
            assert_eq!(
                goes_on(&Text::new(rest, Classes::get()), 0),
                is_dot,
                "{rest}"
            );
        }
        assert!(ends_with_dot(b"example[Dot]") && ends_with_dot(b"{.}"));
        assert!(!ends_with_dot(b"a.]") && !ends_with_dot(b""));
    }
}
