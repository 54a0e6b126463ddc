//! The byte sequences of characters, against everything that decodes to them.

use super::super::*;
use std::collections::{BTreeMap, BTreeSet};
use unicode_normalization::UnicodeNormalization;

type Sequences = BTreeSet<Vec<u8>>;

/// Every sequence of up to three bytes that is a character beyond ASCII.
fn decodable(charset: Charset) -> BTreeMap<char, Sequences> {
    let mut decodable = BTreeMap::<char, Sequences>::new();
    let mut add = |front: &[u8]| {
        // One call decodes them all: no sequence goes on over a line feed.
        let sequences = (0x40..=0xFF_u8).map(|last| [front, &[last]].concat());
        let sequences: Vec<_> = sequences.collect();
        let text = charset.decode(&sequences.join(&b'\n')).into_owned();
        for (sequence, text) in sequences.into_iter().zip(text.split('\n')) {
            let mut chars = text.chars();
            if let (Some(ch), None) = (chars.next(), chars.next())
                && !ch.is_ascii()
                && ch != char::REPLACEMENT_CHARACTER
            {
                decodable.entry(ch).or_default().insert(sequence);
            }
        }
    };
    add(&[]);
    for lead in 0x80..=0xFF {
        add(&[lead]);
        // Only after these leads a third byte is not a character of its own.
        if matches!(lead, 0x8E | 0x8F) {
            (0x80..=0xFF).for_each(|second| add(&[lead, second]));
        }
    }
    decodable
}

fn encoded(charset: Charset, ch: char) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let text = ch.to_string();
    charset.encode(&text, &mut bytes).ok().map(|()| bytes)
}

#[test]
fn every_sequence_that_decodes_to_a_character_is_listed() {
    let mut ambiguous = 0;
    for charset in Charset::all().filter(|c| c.is_ascii_compatible() && !c.is_unicode()) {
        let decodable = decodable(charset);
        let sequences = charset.byte_sequences(decodable.keys().copied());
        for (&ch, expected) in &decodable {
            let short = sequences.of(ch).iter().filter(|bytes| bytes.len() < 4);
            let short: Sequences = short.cloned().collect();
            assert_eq!(short, *expected, "{charset:?} {ch:?}");
            ambiguous += usize::from(short.len() > 1);
        }
    }
    assert!(ambiguous > 500, "{ambiguous}");
}

#[test]
fn the_encoders_sequence_is_listed_and_every_one_decodes() {
    let asked =
        "aK中国みんなрфελ中國한국ไทยمصرभारत\u{E9}\u{1EC7}\u{20AC}\u{A5}\u{3002}\u{10FFFF}\u{FFFD}";
    for charset in Charset::all() {
        let sequences = charset.byte_sequences(asked.chars().rev());
        for ch in asked.chars() {
            let listed = sequences.of(ch);
            let encoded = encoded(charset, ch);
            assert!(
                encoded.is_none_or(|bytes| listed.contains(&bytes)),
                "{charset:?} {ch:?}"
            );
            for bytes in listed {
                let text = charset.decode(bytes);
                assert!(text.nfc().eq([ch]), "{charset:?} {ch:?} {bytes:02X?}");
            }
            let distinct = listed.iter().collect::<BTreeSet<_>>();
            assert_eq!(distinct.len(), listed.len());
        }
        assert!(sequences.of('b').is_empty() && sequences.of('\u{10061}').is_empty());
    }
}

/// The WHATWG's decoder of GBK is that of gb18030 (10.1.1).
#[test]
fn gbk_decodes_as_gb18030() {
    let gbk = Charset::for_label("gbk").unwrap();
    let gb18030 = Charset::for_label("gb18030").unwrap();
    for ch in ['م', 'ไ', '한', '\u{1F600}'] {
        assert_eq!(encoded(gbk, ch), None);
        let sequences = gbk.byte_sequences([ch]);
        assert_eq!(sequences.of(ch), [encoded(gb18030, ch).unwrap()]);
    }
}
