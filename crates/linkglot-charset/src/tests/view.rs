//! The view is the decoded document at every cut, and its map is exact.

use super::super::*;
use super::bytes;
use crate::span::TextSpan;
use proptest::prelude::*;

/// The charsets that have seams where the state counts.
fn transcoded() -> impl Iterator<Item = Charset> {
    Charset::all().filter(|charset| !charset.is_ascii_compatible())
}

const ORIGIN: u64 = 3;

fn view_of(charset: Charset, chunks: &[&[u8]]) -> (Vec<u8>, ViewMap) {
    let (mut view, mut map) = (Vec::new(), ViewMap::default());
    let mut transcoder = Transcoder::new(charset, ORIGIN);
    for (at, chunk) in chunks.iter().enumerate() {
        transcoder.push(chunk, at + 1 == chunks.len(), &mut view, &mut map);
    }
    (view, map)
}

/// The view is the text of `decode`, and the positions are those of `decode_mapped`.
fn check(charset: Charset, chunks: &[&[u8]]) {
    let source = chunks.concat();
    let (view, map) = view_of(charset, chunks);
    let mapped = charset.decode_mapped(&source);
    assert_eq!(
        String::from_utf8_lossy(&view),
        mapped.text(),
        "{charset:?} {chunks:02X?}"
    );
    let ends = mapped
        .text()
        .char_indices()
        .map(|(at, _)| at)
        .chain([view.len()]);
    for at in ends {
        let expected = mapped.source(TextSpan::new(at, at)).start as u64 + ORIGIN;
        assert_eq!(
            map.source(at as u64),
            expected,
            "{charset:?} {chunks:02X?} {at}"
        );
    }
}

#[test]
fn a_view_is_the_same_at_every_split() {
    let sources: [&[u8]; 16] = [
        b"",
        b"a\0b\0\xD8\xD8\xDD\xDD\xDCx\0\xD8",
        b"\0a\xD8\x3D\xDE\x00\xD8\x3D\0b\xDC",
        b"x\x1B$B$\"$\x1B(J\\\x1B(I1\x1B(B\x1B(B!\x1B$",
        b"\x1B$B\x1B(B\x1B$\x1B(X\x1B",
        b"x~{<:~}~~{~{~\n<~}!~{VP\n~",
        b"\x1B$)Ca\x0E0!\x0F\x0E\x0F\x0E0\n!\x1B$)\x1B",
        b"\x0E\x0F\x0E\x0F\x0E\x0F\x0E\x0F\x0E\x0F\x0E\x0F\x0E\x0F\x0E\x0F!0!",
        b"a+AOkA6Q-b+2D3eAA-+-+!+AO-+-+2D3-x+",
        b"\xED\xA0\xBD\xED\xB8\x80\xF0\x9F\x98\x80\xED\xA0\xED\xA0\xBD\xED\xE2\x82",
        b"\x88\x61\xD9\x31\x84\x84<\xE0\xA1\xF9\xFF\x88",
        b"\x1B$)A\x1B$*H\x0E<:\x1BN!!<\x0F\x0E<:\n<:\x0E\x1B$)G\x0E!!\x1B",
        b"\xA4\xA1a\x8E\xA2\xA1\xA1\xA1!\x8E\xA1\xA1!\x8E\xB1\xA1\xA1\x8E\xA2",
        b"\0\0\0a\0\x01\xF6\0\0\0\xD8\0\0",
        b"\xA4\xF7a\xA4\xAB\xA4\x82\xF5\xA6\xB8\xA1\x82\x8A\xA4\xA6x\xA7",
        b"\xC1Ae\xC2\xC2e\x88\x62\xCF",
    ];
    for charset in Charset::all() {
        for source in sources {
            for first in 0..=source.len() {
                for second in first..=source.len() {
                    let (a, b, c) = (&source[..first], &source[first..second], &source[second..]);
                    check(charset, &[a, b, c]);
                }
            }
            let bytes: Vec<&[u8]> = source.chunks(1).chain([&[][..]]).collect();
            check(charset, &bytes);
        }
    }
}

/// New text may designate sets that the rest of its line lacks: the rest reads the same.
#[test]
fn a_designation_in_new_text_changes_nothing_behind_it() {
    let charset = Charset::for_label("iso-2022-cn").unwrap();
    for rest in [
        &b" and so on, far from the end of the line"[..],
        b"a\x0E<:\x0F and so on, far from the end of the line",
        b"a\x1BN!! and so on, far from the end of the line",
        b"a\x0E\x1B$)G!!\x0F and so on, far from the end of the line",
    ] {
        // Characters of GB 2312, of plane 1 and of plane 2.
        for new in ["中", "國", "乂", "中國乂", "國中"] {
            let start = Shift::default();
            let bytes = charset.splice(new, start, start, rest).expect(new);
            let text = charset.decode(&[&bytes, rest].concat()).into_owned();
            assert_eq!(text, format!("{new}{}", charset.decode(rest)));
        }
    }
}

#[test]
fn a_map_keeps_the_positions_behind_those_discarded() {
    let source: Vec<u8> = "héllo "
        .repeat(10_000)
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let (mut view, mut map) = (Vec::new(), ViewMap::default());
    let mut transcoder = Transcoder::new(Charset::UTF_16LE, 0);
    for (at, chunk) in source.chunks(999).enumerate() {
        transcoder.push(chunk, false, &mut view, &mut map);
        let tail = view.len().saturating_sub(100) as u64;
        map.discard(tail);
        let text =
            std::str::from_utf8(&view[tail as usize..]).map(|text| text.encode_utf16().count());
        if let Ok(units) = text {
            let end = (at as u64 * 999 + chunk.len() as u64) & !1;
            assert_eq!(map.source(tail), end - 2 * units as u64);
        }
        assert!(map.kept() <= 100 + 2 * 256, "{}", map.kept());
    }
}

/// Text that ISO-2022-JP has, and some that it lacks.
fn text() -> impl Strategy<Value = String> {
    let ch = prop_oneof!["[a-z\\\\~¥‾]", "[ぁ-んア-ン亜-漢]", "[ｱ-ﾝ]", "[−é😀]"];
    prop::collection::vec(ch, 0..6).prop_map(|chars| chars.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn a_view_of_any_bytes(
        charset in proptest::sample::select(Charset::all().collect::<Vec<_>>()),
        pieces in prop::collection::vec(bytes(), 1..5),
    ) {
        let chunks: Vec<&[u8]> = pieces.iter().map(Vec::as_slice).collect();
        check(charset, &chunks);
    }

    #[test]
    fn a_splice_changes_only_its_range(
        charset in proptest::sample::select(transcoded().collect::<Vec<_>>()),
        source in prop_oneof![
            bytes(),
            text().prop_map(|text| {
                let mut source = Vec::new();
                let jp = Charset::for_label("iso-2022-jp").unwrap();
                let text: String = text.chars().filter(|&ch| jp.can_encode(ch)).collect();
                jp.encode(&text, &mut source).unwrap();
                source
            }),
        ],
        new in text(),
        cuts in any::<(prop::sample::Index, prop::sample::Index)>(),
    ) {
        let (view, map) = view_of(charset, &[&source]);
        let view = String::from_utf8(view).unwrap();
        let ends = view.char_indices().map(|(at, _)| at).chain([view.len()]);
        let boundaries: Vec<usize> = ends.filter(|&at| map.is_boundary(at as u64)).collect();
        let (a, b) = (*cuts.0.get(&boundaries), *cuts.1.get(&boundaries));
        let (a, b) = (a.min(b), a.max(b));
        if a == b || new.is_empty() {
            return Ok(());
        }
        let at = |view: usize| (map.source(view as u64) - ORIGIN) as usize;
        let following = &source[at(b)..];
        let bytes = charset.splice(&new, map.shift(a as u64), map.shift(b as u64), following);
        let Some(bytes) = bytes else {
            return Ok(());
        };
        let edited = [&source[..at(a)], &bytes, following].concat();
        let expected = [&view[..a], &new, &view[b..]].concat();
        prop_assert_eq!(charset.decode(&edited), expected, "{:02X?}", edited);
    }
}

#[test]
fn links_in_mail_are_spliced() {
    let charset = Charset::for_label("iso-2022-jp").unwrap();
    let splice = |document: &str, from: &str, to: &str| {
        let mut source = Vec::new();
        charset.encode(document, &mut source).unwrap();
        let (view, map) = view_of(charset, &[&source]);
        let at = document.find(from).unwrap();
        assert_eq!(&view[at..at + from.len()], from.as_bytes());
        let (begin, end) = (at as u64, (at + from.len()) as u64);
        let range = (map.source(begin) - ORIGIN) as usize..(map.source(end) - ORIGIN) as usize;
        let following = &source[range.end..];
        let bytes = charset
            .splice(to, map.shift(begin), map.shift(end), following)
            .unwrap();
        source.splice(range, bytes);
        charset.decode(&source).into_owned()
    };
    let document = "見よ http://例え.jp/パス と http://a.example/ を";
    for (from, to) in [
        (
            "http://例え.jp/パス",
            "http://xn--r8jz45g.jp/%E3%83%91%E3%82%B9",
        ),
        ("http://a.example/", "http://a.example/漢字"),
        ("例え", "x"),
        ("a.example", "例.example"),
        ("パス", "~"),
        ("jp", "ｱ¥"),
    ] {
        assert_eq!(splice(document, from, to), document.replace(from, to));
    }
}
