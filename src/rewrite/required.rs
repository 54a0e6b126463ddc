//! Texts that each match of a pattern holds: a reference that lacks such a text need not be compared with the pattern.

use regex_syntax::hir::{Class, Hir, HirKind};

/// The greatest length of a piece of text, so that the search for many texts stays small.
const PIECE: usize = 24;

/// The texts that each match of a pattern holds, with ASCII in lower case, regardless of the case of a match. Linear in
/// the length of the pattern.
pub(super) fn required_texts(hir: &Hir) -> Vec<Vec<u8>> {
    let mut texts = Texts::default();
    texts.add(hir);
    texts.end();
    texts.found
}

/// A measure of the memory of a compiled pattern: roughly the number of its states.
pub(super) fn weight(hir: &Hir) -> usize {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => 1,
        HirKind::Literal(literal) => literal.0.len(),
        HirKind::Class(Class::Unicode(class)) => 4 * class.ranges().len(),
        HirKind::Class(Class::Bytes(class)) => class.ranges().len(),
        HirKind::Repetition(repetition) => {
            let times = repetition.max.unwrap_or(repetition.min).max(1);
            weight(&repetition.sub).saturating_mul(times as usize)
        }
        HirKind::Capture(_) | HirKind::Concat(_) | HirKind::Alternation(_) => {
            let parts = hir.kind().subs().iter().map(weight);
            parts.fold(2, usize::saturating_add)
        }
    }
}

#[derive(Default)]
struct Texts {
    found: Vec<Vec<u8>>,
    /// The text that may go on.
    open: Vec<u8>,
}

impl Texts {
    fn add(&mut self, hir: &Hir) {
        match hir.kind() {
            // Text goes on across an empty match.
            HirKind::Empty | HirKind::Look(_) => {}
            HirKind::Literal(literal) => self.open.extend_from_slice(&literal.0),
            HirKind::Class(class) => match letter_in_any_case(class) {
                Some(letter) => self.open.push(letter),
                None => self.end(),
            },
            HirKind::Repetition(repetition) => {
                self.end();
                if repetition.min > 0 {
                    self.add(&repetition.sub);
                    self.end();
                }
            }
            HirKind::Capture(group) => self.add(&group.sub),
            HirKind::Concat(parts) => parts.iter().for_each(|part| self.add(part)),
            HirKind::Alternation(_) => self.end(),
        }
    }

    fn end(&mut self) {
        let mut text = std::mem::take(&mut self.open);
        text.make_ascii_lowercase();
        self.found.extend(text.chunks(PIECE).map(<[u8]>::to_vec));
    }
}

/// The letter of a class that has only both cases of this letter.
fn letter_in_any_case(class: &Class) -> Option<u8> {
    let (upper, lower) = match class {
        Class::Unicode(class) => match class.ranges() {
            [a, b] if a.start() == a.end() && b.start() == b.end() => (a.start(), b.start()),
            _ => return None,
        },
        Class::Bytes(class) => match class.ranges() {
            [a, b] if a.start() == a.end() && b.start() == b.end() => {
                (char::from(a.start()), char::from(b.start()))
            }
            _ => return None,
        },
    };
    let is_letter = upper.is_ascii_uppercase() && upper.to_ascii_lowercase() == lower;
    u8::try_from(lower).ok().filter(|_| is_letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(pattern: &str) -> Vec<String> {
        let hir = regex_syntax::parse(pattern).expect(pattern);
        let texts = required_texts(&hir).into_iter();
        texts
            .map(|text| String::from_utf8(text).expect(pattern))
            .collect()
    }

    #[test]
    fn what_each_match_holds() {
        for (pattern, held) in [
            ("^http://Old\\.example/(.*)$", &["http://old.example/"][..]),
            ("https?://a/", &["http", "://a/"]),
            ("(?i)AbC", &["abc"]),
            ("(?i)ask", &["a"]),
            ("(a|b)c", &["c"]),
            ("a|b", &[]),
            ("(ab)+c(de)*f", &["ab", "c", "f"]),
            ("(?:x){0}y", &["y"]),
            ("[ab]c\\bd", &["cd"]),
            ("\\d+", &[]),
            ("", &[]),
            (
                "aaaaaaaaaaaaaaaaaaaaaaaabc",
                &["aaaaaaaaaaaaaaaaaaaaaaaa", "bc"],
            ),
        ] {
            assert_eq!(texts(pattern), held, "{pattern}");
        }
    }

    #[test]
    fn weights() {
        let of = |pattern| weight(&regex_syntax::parse(pattern).expect(pattern));
        assert!(of("^http://old\\.example/(.*)$") < 100);
        assert!(of("\\w{5}") > 4 * of("\\w"));
        assert!(of("((a{99}){99}){99}") > 900_000);
    }
}
