//! Every way to write a character, against what is read.

use super::super::*;
use std::collections::{BTreeMap, BTreeSet};
use unicode_normalization::UnicodeNormalization;

type Ways = BTreeSet<Vec<u8>>;

/// Every sequence of up to three bytes that is a character beyond ASCII.
fn read(charset: Charset) -> BTreeMap<char, Ways> {
    let mut read = BTreeMap::<char, Ways>::new();
    let mut add = |front: &[u8]| {
        // Apart: no sequence goes on over a line feed.
        let sequences = (0x40..=0xFF_u8).map(|last| [front, &[last]].concat());
        let sequences: Vec<_> = sequences.collect();
        let text = charset.decode(&sequences.join(&b'\n')).into_owned();
        for (sequence, text) in sequences.into_iter().zip(text.split('\n')) {
            let mut chars = text.chars();
            if let (Some(ch), None) = (chars.next(), chars.next())
                && !ch.is_ascii()
                && ch != char::REPLACEMENT_CHARACTER
            {
                read.entry(ch).or_default().insert(sequence);
            }
        }
    };
    add(&[]);
    for lead in 0x80..=0xFF {
        add(&[lead]);
        // Behind others a third byte is a character of its own.
        if matches!(lead, 0x8E | 0x8F) {
            (0x80..=0xFF).for_each(|second| add(&[lead, second]));
        }
    }
    read
}

fn written(charset: Charset, ch: char) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let text = ch.to_string();
    charset.encode(&text, &mut bytes).ok().map(|()| bytes)
}

#[test]
fn all_that_is_read_is_a_writing() {
    let mut several = 0;
    for charset in Charset::all().filter(|c| c.is_ascii_compatible() && !c.is_unicode()) {
        let read = read(charset);
        let writings = charset.writings(read.keys().copied());
        for (&ch, expected) in &read {
            let ways = writings.of(ch);
            let ways: Ways = ways.iter().filter(|way| way.len() < 4).cloned().collect();
            assert_eq!(ways, *expected, "{charset:?} {ch:?}");
            several += usize::from(ways.len() > 1);
        }
    }
    assert!(several > 500, "{several}");
}

#[test]
fn what_is_written_is_a_writing() {
    let asked =
        "aK中国みんなрфελ中國한국ไทยمصرभारत\u{E9}\u{1EC7}\u{20AC}\u{A5}\u{3002}\u{10FFFF}\u{FFFD}";
    for charset in Charset::all() {
        let writings = charset.writings(asked.chars().rev());
        for ch in asked.chars() {
            let ways = writings.of(ch);
            let written = written(charset, ch);
            assert!(
                written.is_none_or(|bytes| ways.contains(&bytes)),
                "{charset:?} {ch:?}"
            );
            for way in ways {
                let text = charset.decode(way);
                assert!(text.nfc().eq([ch]), "{charset:?} {ch:?} {way:02X?}");
            }
            let others = ways.iter().collect::<BTreeSet<_>>();
            assert_eq!(others.len(), ways.len());
        }
        assert!(writings.of('b').is_empty() && writings.of('\u{10061}').is_empty());
    }
}

/// The WHATWG's decoder of GBK is that of gb18030 (10.1.1).
#[test]
fn gbk_is_read_as_gb18030() {
    let gbk = Charset::for_label("gbk").unwrap();
    let gb18030 = Charset::for_label("gb18030").unwrap();
    for ch in ['م', 'ไ', '한', '\u{1F600}'] {
        assert_eq!(written(gbk, ch), None);
        let ways = gbk.writings([ch]);
        assert_eq!(ways.of(ch), [written(gb18030, ch).unwrap()]);
    }
    let euro = gb18030.writings(['€']);
    assert_eq!(euro.of('€'), [b"\xA2\xE3".to_vec(), b"\x80".to_vec()]);
}
