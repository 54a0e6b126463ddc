//! Text with places.

use super::super::MappedText;
use crate::span::TextSpan;
use proptest::prelude::*;

fn places(mapped: &MappedText<'_>) -> Vec<(char, usize, usize)> {
    let place = |(at, ch): (usize, char)| {
        let source = mapped.source(TextSpan::new(at, at + ch.len_utf8()));
        (ch, source.start, source.end)
    };
    mapped.text().char_indices().map(place).collect()
}

#[test]
fn identity_is_its_own_source() {
    let mapped = MappedText::identity("aé");
    assert!(mapped.is_identity());
    assert_eq!(places(&mapped), [('a', 0, 1), ('é', 1, 3)]);
    assert_eq!(mapped.text_at(2), 3);
    assert_eq!(mapped.text_at(9), 3);
}

#[test]
fn a_reference_is_one_unit() {
    let mut mapped = MappedText::new();
    mapped.push("a", 0..1);
    mapped.push("&", 1..6);
    mapped.push("bc", 6..8);
    mapped.push_unit("≧̸", 8..13);
    mapped.push("d", 13..14);
    let unit = (8, 13);
    assert_eq!(
        places(&mapped),
        [
            ('a', 0, 1),
            ('&', 1, 6),
            ('b', 6, 7),
            ('c', 7, 8),
            ('≧', unit.0, unit.1),
            ('\u{338}', unit.0, unit.1),
            ('d', 13, 14)
        ]
    );
    assert_eq!(mapped.source(TextSpan::new(2, 2)), 6..6);
    assert_eq!(
        [0, 1, 2, 5, 6, 7, 8, 9, 13, 14].map(|at| mapped.text_at(at)),
        [0, 1, 2, 2, 2, 3, 4, 9, 9, 10]
    );
}

#[test]
fn what_is_left_out_belongs_to_the_character_behind_it() {
    let mut mapped = MappedText::new();
    mapped.push("ab", 1..3);
    mapped.push("", 3..5);
    mapped.push("éd", 5..8);
    assert_eq!(
        places(&mapped),
        [('a', 0, 2), ('b', 2, 3), ('é', 3, 7), ('d', 7, 8)]
    );
    assert_eq!(mapped.text_at(4), 4);
    assert!(!mapped.is_identity());
}

/// Pushes pieces, each with a gap of some length before it, and says where each character ought
/// to be.
fn build(
    pieces: &[(String, usize, usize, bool)],
) -> (MappedText<'static>, Vec<(char, usize, usize)>) {
    let (mut mapped, mut expected, mut end) = (MappedText::new(), Vec::new(), 0);
    for (text, gap, len, is_unit) in pieces {
        let source = if *is_unit {
            end + gap..end + gap + len
        } else {
            end + gap..end + gap + text.len()
        };
        if *is_unit {
            mapped.push_unit(text, source.clone());
            expected.extend(text.chars().map(|ch| (ch, end, source.end)));
        } else {
            mapped.push(text, source.clone());
            for (at, ch) in text.char_indices() {
                let place_end = source.start + at + ch.len_utf8();
                let begin = if at == 0 { end } else { source.start + at };
                expected.push((ch, begin, place_end));
            }
        }
        if !text.is_empty() {
            end = source.end;
        }
    }
    (mapped, expected)
}

fn pieces() -> impl Strategy<Value = Vec<(String, usize, usize, bool)>> {
    prop::collection::vec(("[aé漢]{0,3}", 0..3usize, 1..8usize, any::<bool>()), 0..8)
}

proptest! {
    #[test]
    fn characters_are_where_they_were_pushed(pieces in pieces()) {
        let (mapped, expected) = build(&pieces);
        prop_assert_eq!(places(&mapped), expected.clone());
        let starts: Vec<usize> = mapped.text().char_indices().map(|(at, _)| at).collect();
        for source in 0..expected.last().map_or(0, |last| last.2) + 2 {
            // The first character that does not begin before it.
            let at = expected.iter().position(|&(_, start, _)| start >= source);
            let at = at.map_or(mapped.text().len(), |at| starts[at]);
            prop_assert_eq!(mapped.text_at(source), at);
        }
    }

    #[test]
    fn a_map_through_a_map_goes_to_the_outer_source(inner in pieces(), outer in pieces()) {
        let (outer, _) = build(&outer);
        let (inner, _) = build(&inner);
        let len = outer.text().len();
        let before = inner.clone();
        let both = inner.through(&outer);
        prop_assert_eq!(both.text(), before.text());
        let mut end = 0;
        for (at, ch) in before.text().char_indices() {
            let span = TextSpan::new(at, at + ch.len_utf8());
            let middle = before.source(span);
            let place = both.source(span);
            prop_assert!(place.start <= place.end);
            prop_assert!(middle.end > len || place.start <= end, "a gap: {:?} {}", place, end);
            // A map behind the outer text's end says nothing.
            if middle.end <= len
                && outer.text().is_char_boundary(middle.start)
                && outer.text().is_char_boundary(middle.end)
            {
                let expected = outer.source(TextSpan::new(middle.start, middle.end));
                prop_assert_eq!(place.end, expected.end, "{:?}", middle);
            }
            end = place.end;
        }
    }
}
