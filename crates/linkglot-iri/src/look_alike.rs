//! Look-alikes of other characters, which safe display leaves encoded (RFC 3987 6.1 b).
//!
//! The ignored test `regenerate` writes `look_alike/ranges.rs` from the tables of NFKC and of UTS 39; the test
//! `table_agrees_with_unicode` compares every character.

mod ranges;

use ranges::RANGES;

/// The reason why a character is not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A character that can be taken for a delimiter, for a dot, or for ASCII that no IRI may have: its NFKC contains
    /// one, or it is punctuation that looks like a delimiter, like a dot, or like other ASCII that no IRI may have (UTS
    /// 39 4). Quotation marks are shown: titles have them.
    Delimiter,
    /// A full- or half-width form.
    Width,
    /// A ligature or another variant, which NFKC replaces and NFC does not.
    Compatibility,
}

/// The kind of look-alike that a character is. O(log of the number of ranges).
pub(crate) fn kind(ch: char) -> Option<Kind> {
    let code = u32::from(ch);
    let behind = RANGES.partition_point(|&(first, _, _)| first <= code);
    let &(_, last, kind) = RANGES.get(behind.checked_sub(1)?)?;
    (code <= last).then_some(kind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class::{self, RESERVED};
    use crate::display;
    use std::fmt::Write;
    use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick, is_nfkc_quick};
    use unicode_security::skeleton;

    /// True if a character is a letter of an alphabet, although its NFKC is another text. The vowel am of Thai and
    /// Lao, ho no and ho mo of Lao, and ew of Armenian have no other spelling in use: CLDR has them in the alphabets
    /// of these languages. The digraphs dž, lj and nj stand for single letters of Serbian.
    fn is_letter(ch: char) -> bool {
        matches!(
            ch,
            '\u{E33}' | '\u{EB3}' | '\u{EDC}' | '\u{EDD}' | '\u{587}' | '\u{1C4}'..='\u{1CC}'
        )
    }

    fn has_compatibility_form(ch: char) -> bool {
        let one = || std::iter::once(ch);
        is_nfkc_quick(one()) == IsNormalized::No && is_nfc_quick(one()) != IsNormalized::No
    }

    fn is_delimiter_in_nfkc(ch: char) -> bool {
        let is_delimiter = |ch: char| {
            u8::try_from(ch)
                .is_ok_and(|byte| class::is(byte, RESERVED) || b".%\"<>\\^`{|}".contains(&byte))
        };
        let one = || std::iter::once(ch);
        is_nfkc_quick(one()) != IsNormalized::Yes && one().nfkc().any(is_delimiter)
    }

    /// Letters and digits are not mistaken for delimiters, although the katakana no looks like a slash, and an Arabic
    /// zero like a dot.
    fn is_delimiter_by_look(ch: char) -> bool {
        let mut buffer = [0; 4];
        !ch.is_alphanumeric()
            && skeleton(ch.encode_utf8(&mut buffer)).any(|twin| "/\\.:?#@%<>{}[]".contains(twin))
    }

    /// The kind by the tables of Unicode.
    fn from_unicode(ch: char) -> Option<Kind> {
        if ch.is_ascii() || is_letter(ch) || !display::is_visible(ch) {
            return None;
        }
        if is_delimiter_in_nfkc(ch) || is_delimiter_by_look(ch) {
            return Some(Kind::Delimiter);
        }
        has_compatibility_form(ch).then_some(match ch {
            '\u{FF01}'..='\u{FFEE}' => Kind::Width,
            _ => Kind::Compatibility,
        })
    }

    #[test]
    fn table_agrees_with_unicode() {
        for ch in '\0'..=char::MAX {
            assert_eq!(kind(ch), from_unicode(ch), "{ch:?}: regenerate the table");
        }
    }

    #[test]
    fn examples() {
        for (text, expected) in [
            ("／？＃％＠℀⁄∕⧸：＼․…꞉∶։．㈱", Some(Kind::Delimiter)),
            ("ＡｚｱﾝＯ０￥", Some(Kind::Width)),
            ("ﬁſǳ²½ªº™①㍿ﷺ⼀𝐚´¨", Some(Kind::Compatibility)),
            ("‹❴≪", Some(Kind::Delimiter)),
            ("aéßøǆ’“·。ノ٠և\u{E33}ໜ中가", None),
        ] {
            for ch in text.chars() {
                assert_eq!(kind(ch), expected, "{ch:?}");
            }
        }
    }

    /// Writes look_alike/ranges.rs: `cargo test -p linkglot-iri --lib -- --ignored regenerate`.
    #[test]
    #[ignore = "writes a source file"]
    fn regenerate() {
        let mut ranges: Vec<(char, char, Kind)> = Vec::new();
        for ch in '\0'..=char::MAX {
            let Some(kind) = from_unicode(ch) else {
                continue;
            };
            let next = |last: char| u32::from(last) + 1 == u32::from(ch);
            match ranges.last_mut() {
                Some((_, last, known)) if *known == kind && next(*last) => *last = ch,
                _ => ranges.push((ch, ch, kind)),
            }
        }
        let mut out = String::from(
            "//! Generated from the tables of NFKC and of UTS 39 by the test `look_alike::tests::regenerate`.\n\n\
             use super::Kind::{self, Compatibility as C, Delimiter as D, Width as W};\n\n\
             /// The first and the last code point of each range, and its kind.\n#[rustfmt::skip]\n\
             pub(crate) static RANGES: &[(u32, u32, Kind)] = &[\n",
        );
        for (count, (first, last, kind)) in ranges.iter().enumerate() {
            let (first, last) = (u32::from(*first), u32::from(*last));
            let kind = &format!("{kind:?}")[..1];
            let end = if count % 5 == 4 { "\n" } else { "" };
            write!(out, "(0x{first:X},0x{last:X},{kind}),{end}").unwrap();
        }
        out.push_str("\n];\n");
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/look_alike/ranges.rs");
        std::fs::write(path, out).unwrap();
    }
}
