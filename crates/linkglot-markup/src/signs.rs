//! Signs of links in the raw values of data: most values have none, and are neither unescaped nor searched.
//!
//! The signs are those of all that a value may hold: an IRI, HTML, JSON, serialized data or running text, in any
//! escapes.

use linkglot_charset::Charset;
use linkglot_charset::simd::blocks::{InstructionSet, Kernel, Level, WIDTH};

/// The bytes of the widest vector, with one on either side. Shorter values are searched with zeros around them.
const BLOCK: usize = WIDTH + 2;

/// False if bytes surely hold no link. O(length), at the speed of memory.
pub fn may_hold_link(raw: &[u8], charset: Charset) -> bool {
    let is_utf_8 = charset == Charset::UTF_8;
    if raw.len() < BLOCK {
        let mut padded = [0; BLOCK + 2];
        padded[1..=raw.len()].copy_from_slice(raw);
        let is_time = |byte: &u8| byte.is_ascii_digit() || b" -:.+".contains(byte);
        return has_sign(&padded, is_utf_8) && !raw.iter().all(is_time);
    }
    let ends = [0, raw.len() - 1];
    ends.iter().any(|at| is_sign(raw, *at, is_utf_8)) || has_sign(raw, is_utf_8)
}

/// True if a sign stands between the first byte and the last.
fn has_sign(raw: &[u8], is_utf_8: bool) -> bool {
    Level::detect().run(Inside { raw, is_utf_8 })
}

/// True if a byte may be the sign of a link: a colon, `@` or `=`, a dot in front of a label, a slash that is none of a
/// tag, the beginning of a declaration, reference or function, an escape that may stand for any character, or a `。`.
/// Beyond ASCII, any byte in other charsets than UTF-8.
fn is_sign(raw: &[u8], at: usize, is_utf_8: bool) -> bool {
    let before = at.checked_sub(1).map_or(0, |before| raw[before]);
    let next = raw.get(at + 1).copied().unwrap_or(0);
    match raw[at] {
        b':' | b'@' | b'=' | b'&' => true,
        b'.' => next > b'/' && !matches!(next, b'<' | b'\\'),
        b'/' => before != b'<' && next != b'>',
        b'(' => before > b'/',
        b'<' => next == b'!',
        b'\\' => !matches!(next, b'n' | b'r' | b't' | b'"' | b'\''),
        0xE3 if is_utf_8 => next == 0x80,
        0x80.. => !is_utf_8,
        _ => false,
    }
}

/// The search for signs between the ends of a value.
struct Inside<'r> {
    raw: &'r [u8],
    is_utf_8: bool,
}

impl Kernel for Inside<'_> {
    type Output = bool;

    /// Without closures around vectors: they would not be compiled for the instruction set.
    #[inline(always)]
    fn run<I: InstructionSet>(self, set: I) -> bool {
        let last = self.raw.len() - (I::LEN + 2);
        let mut at = 0;
        while at < last {
            if set.bits(self.marks(set, at)) != 0 {
                return true;
            }
            at += I::LEN;
        }
        set.bits(self.marks(set, last)) != 0
    }
}

impl Inside<'_> {
    /// The signs in a vector behind the byte `at`; see [`is_sign`].
    #[inline(always)]
    fn marks<I: InstructionSet>(&self, set: I, at: usize) -> I::Mask {
        let before = set.load(self.raw, at);
        let own = set.load(self.raw, at + 1);
        let next = set.load(self.raw, at + 2);
        let is_low = set.at_most(next, b'/');
        let is_label = !(is_low | set.equal(next, b'<') | set.equal(next, b'\\'));
        let is_blank = set.equal(next, b'n') | set.equal(next, b'r') | set.equal(next, b't');
        let is_plain = is_blank | set.equal(next, b'"') | set.equal(next, b'\'');
        let is_tag = set.equal(before, b'<') | set.equal(next, b'>');
        let is_wide = if self.is_utf_8 {
            set.equal(own, 0xE3) & set.equal(next, 0x80)
        } else {
            !set.at_most(own, 0x7F)
        };
        let is_mark = set.equal(own, b':') | set.equal(own, b'@');
        let is_mark = is_mark | set.equal(own, b'=') | set.equal(own, b'&');
        let is_mark = is_mark | set.equal(own, b'.') & is_label;
        let is_mark = is_mark | set.equal(own, b'/') & !is_tag;
        let is_mark = is_mark | set.equal(own, b'(') & !set.at_most(before, b'/');
        let is_mark = is_mark | set.equal(own, b'<') & set.equal(next, b'!');
        is_mark | set.equal(own, b'\\') & !is_plain | is_wide
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn is_read(raw: &str) -> bool {
        may_hold_link(raw.as_bytes(), Charset::UTF_8)
    }

    #[test]
    fn prose_has_no_signs() {
        for raw in [
            "",
            "42",
            "2026-11-29 11:30:00.5+01",
            "<p>It\\'s é’. So what?</p>\\r\\n<br/>The end.",
            "A very long text that has no link, though it has several sentences. This is one of them.\\nAnd one more.",
        ] {
            assert!(!is_read(raw), "{raw}");
        }
        for raw in [
            "a.b",
            "a/b",
            "\\x2e",
            "&#46;",
            "<!DOCTYPE a>",
            "url(a)",
            "例。",
            "a@b",
            "a:b",
            "a=b",
            "a.é",
        ] {
            assert!(is_read(raw), "{raw}");
        }
        assert!(!is_read("é") && may_hold_link("é".as_bytes(), Charset::WINDOWS_1252));
    }

    proptest! {
        /// A block search finds the signs that a search byte by byte finds.
        #[test]
        fn signs_are_found_at_every_place(
            filling in prop::collection::vec(prop::sample::select(b"a (.<>/\\nr'\xE3\x80\xE9!".to_vec()), 0..300),
            is_utf_8: bool,
        ) {
            let charset = if is_utf_8 { Charset::UTF_8 } else { Charset::WINDOWS_1252 };
            let bytewise = (0..filling.len()).any(|at| is_sign(&filling, at, is_utf_8));
            let is_dots = !filling.is_empty() && filling.iter().all(|byte| b" .".contains(byte));
            let bytewise = bytewise && !(is_dots && filling.len() < BLOCK);
            prop_assert_eq!(may_hold_link(&filling, charset), bytewise);
        }

        #[test]
        fn a_lone_sign_is_found(
            length in 1..300_usize,
            at in any::<prop::sample::Index>(),
            sign in prop::sample::select(vec![":", "@", ".a", "/a", "<!", "\\x", "\u{3002}", "&", "="]),
        ) {
            let mut text = "a ".repeat(length).into_bytes();
            let at = at.index(text.len());
            text.splice(at..at, sign.bytes());
            prop_assert!(may_hold_link(&text, Charset::UTF_8));
        }
    }
}
