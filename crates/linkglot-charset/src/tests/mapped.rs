//! Text with positions.

use super::super::{Charset, MappedText};
use crate::span::TextSpan;
use proptest::prelude::*;

fn positions(mapped: &MappedText<'_>) -> Vec<(char, usize, usize)> {
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
    assert_eq!(positions(&mapped), [('a', 0, 1), ('é', 1, 3)]);
    assert_eq!(mapped.text_at(2), 3);
    assert_eq!(mapped.text_at(9), 3);
}

#[test]
fn an_expanded_reference_is_one_unit() {
    let mut mapped = MappedText::new();
    mapped.push("a", 0..1);
    mapped.push("&", 1..6);
    mapped.push("bc", 6..8);
    mapped.push_unit("≧̸", 8..13);
    mapped.push("d", 13..14);
    let unit = (8, 13);
    assert_eq!(
        positions(&mapped),
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

fn sample() -> MappedText<'static> {
    let mut text = MappedText::new();
    text.push("ab", 0..2);
    text.push("é", 2..10);
    text.push("cd", 10..12);
    text.push("&", 12..17);
    text.push("x", 17..18);
    text
}

#[test]
fn a_slice_keeps_its_positions() {
    let whole = sample();
    let boundaries = [0, 1, 2, 4, 5, 6, 7, 8];
    for start in boundaries {
        for end in boundaries.into_iter().filter(|&end| end >= start) {
            let span = TextSpan::new(start, end);
            let part = whole.slice(span);
            let origin = whole.source(span).start;
            assert_eq!(part.text(), span.of(whole.text()));
            for at in boundaries
                .into_iter()
                .filter(|at| (start..=end).contains(at))
            {
                let inner = part.source(TextSpan::new(0, at - start));
                let outer = whole.source(TextSpan::new(start, at));
                assert_eq!(inner.end + origin, outer.end, "{start}..{end} at {at}");
            }
        }
    }
}

#[test]
fn identity_stays_borrowed() {
    let text = MappedText::identity("abcdef");
    assert_eq!(text.slice(TextSpan::new(2, 4)).as_borrowed(), Some("cd"));
    assert_eq!(sample().as_borrowed(), None);
    assert_eq!(sample().into_owned().into_text(), "abécd&x");
}

#[test]
fn source_that_is_left_out_belongs_to_the_next_character() {
    let mut mapped = MappedText::new();
    mapped.push("ab", 1..3);
    mapped.push("", 3..5);
    mapped.push("éd", 5..8);
    assert_eq!(
        positions(&mapped),
        [('a', 0, 2), ('b', 2, 3), ('é', 3, 7), ('d', 7, 8)]
    );
    assert_eq!(mapped.text_at(4), 4);
    assert!(!mapped.is_identity());
}

/// Pushes pieces, each with a gap of some length before it. Returns the expected positions as well.
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
        prop_assert_eq!(positions(&mapped), expected.clone());
        let starts: Vec<usize> = mapped.text().char_indices().map(|(at, _)| at).collect();
        for source in 0..expected.last().map_or(0, |last| last.2) + 2 {
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
            // Positions past the outer text's end are undefined.
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

/// Few bytes are looked up one by one, many go through a decoder: text and positions are the same.
#[test]
fn few_bytes_decode_as_many_do() {
    let pieces: &[&[u8]] = &[
        b"a",
        b"http://",
        b"/",
        b"\x81\x40",
        b"\x82\xA0",
        b"\xC8\xA1",
        b"\xB1",
        b"\xFE\xFE",
        b"\x8E\xB1",
        b"\x81\x30\x81\x30",
        b"\x88\x62",
        b"\x81",
        b"\xA7\xD1",
        b"\xE0\x5C",
        b"\xFF",
        b"\x80",
        b"~",
        b"0",
    ];
    let behind = [b'.'; 600];
    let (mut seed, mut wide) = (2047_u64, 0);
    for charset in Charset::all().filter(|charset| charset.is_ascii_compatible()) {
        for _ in 0..400 {
            let mut bytes = Vec::new();
            for _ in 0..(seed >> 40) % 9 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                bytes.extend_from_slice(pieces[(seed >> 33) as usize % pieces.len()]);
            }
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            bytes.push(b' ');
            let few = positions(&charset.decode_mapped(&bytes));
            let many = positions(&charset.decode_mapped(&[&bytes[..], &behind].concat()));
            assert_eq!(
                few,
                many[..many.len() - behind.len()],
                "{charset:?} {bytes:x?}"
            );
            if let Some((ch, len)) = charset.letter(&bytes) {
                assert_eq!(few.first(), Some(&(ch, 0, len)), "{charset:?} {bytes:x?}");
                wide += 1;
            }
        }
    }
    assert!(wide > 1000, "{wide}");
}
