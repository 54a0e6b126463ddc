//! Promises of the CSS tokenizer on any input: cuts do not matter, slots are in order and disjoint, and both interfaces
//! agree.

use linkglot::Charset;
use linkglot_markup::{CssTokenizer, Step, Syntax, Tokenizer, Window, values};
use proptest::prelude::*;

/// The answers for a sheet in windows that end at `cuts`, with their places.
fn answers(
    limit: usize,
    bytes: &[u8],
    cuts: &[usize],
    charset: Charset,
) -> Vec<(usize, usize, String)> {
    let mut tokenizer = CssTokenizer::new(limit);
    let (mut found, mut origin, mut cursor, mut behind) = (Vec::new(), 0, 0, 0);
    let mut ends = cuts.iter().copied().chain([bytes.len()]);
    let mut end = ends.next().unwrap_or(bytes.len());
    loop {
        let last = end == bytes.len();
        let window = Window {
            bytes: &bytes[origin..end],
            last,
            charset,
        };
        let before = cursor;
        let step = tokenizer.step(window, &mut cursor);
        assert!(cursor >= before, "the cursor never goes back");
        match step {
            Step::Slot(slot) => {
                assert!(slot.range.start >= before && slot.range.end <= end - origin);
                let range = origin + slot.range.start..origin + slot.range.end;
                assert!(range.start >= behind, "slots are in order and apart");
                behind = range.end;
                found.push((
                    range.start,
                    range.end,
                    format!("{:?} {:?}", slot.escaping, slot.place),
                ));
            }
            Step::TooLong(at, place) => found.push((origin + at, 0, format!("{place:?}"))),
            Step::NeedMore => {
                assert!(!last, "there is no more");
                end = ends.next().unwrap_or(bytes.len());
            }
            Step::End => {
                assert!(last && cursor == end - origin);
                return found;
            }
        }
        origin += cursor;
        cursor = 0;
    }
}

fn bit() -> impl Strategy<Value = Vec<u8>> {
    let bits: Vec<&'static [u8]> = vec![
        b"url(",
        b"URL( ",
        b"src(",
        b"image-set(",
        b"-webkit-image-set(",
        b"type(",
        b"@import",
        b"@namespace",
        b"@charset",
        b"(",
        b")",
        b"'",
        b"\"",
        b"\\",
        b"\\75",
        b"\\72 ",
        b"\\000075\r\n",
        b"rl(",
        b"ur",
        b"l",
        b"/*",
        b"*/",
        b"/",
        b"*",
        b" ",
        b"\n",
        b"\r",
        b"#",
        b"@",
        b"x",
        b"a.png",
        b"{",
        b"}",
        b";",
        b",",
        b"\x83\x5C",
        b"\x83\x40",
        b"\x83\x7B",
        b"\x83\x75",
        b"\x83",
        b"\x81\x30\x81\x30",
        b"\xC3\xA9",
        b"\0",
    ];
    prop_oneof![
        9 => proptest::sample::select(bits).prop_map(<[u8]>::to_vec),
        1 => proptest::collection::vec(any::<u8>(), 0..4),
    ]
}

fn sheet() -> impl Strategy<Value = Vec<u8>> {
    let padding = prop_oneof![4 => Just(0usize), 1 => 140..180usize];
    (proptest::collection::vec(bit(), 0..40), padding).prop_map(|(bits, padding)| {
        let mut sheet = b"a".repeat(padding);
        sheet.extend(bits.concat());
        sheet
    })
}

fn charset() -> impl Strategy<Value = Charset> {
    let labels = [
        "utf-8",
        "windows-1252",
        "shift_jis",
        "gb18030",
        "big5",
        "euc-kr",
        "euc-jp",
    ];
    let all: Vec<Charset> = labels
        .iter()
        .map(|label| Charset::for_label(label).expect("a label"))
        .collect();
    proptest::sample::select(all)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(600) })]

    #[test]
    fn no_cut_matters(bytes in sheet(), charset in charset(), limit in prop_oneof![Just(1 << 20), 1..20usize], mut cuts in proptest::collection::vec(0..400usize, 0..8)) {
        cuts.sort();
        cuts.retain(|&cut| cut < bytes.len());
        let whole = answers(limit, &bytes, &[], charset);
        prop_assert_eq!(answers(limit, &bytes, &cuts, charset), whole.clone());
        let each: Vec<usize> = (0..bytes.len()).collect();
        prop_assert_eq!(answers(limit, &bytes, &each, charset), whole);
    }

    #[test]
    fn both_faces_agree(bytes in sheet()) {
        let text = String::from_utf8_lossy(&bytes);
        let mut found = Vec::new();
        values::split(Syntax::Css, &text, &mut |part| found.push((part.span.start, part.span.end)));
        let tokens = answers(usize::MAX, text.as_bytes(), &[], Charset::UTF_8);
        let tokens: Vec<_> = tokens.into_iter().map(|(start, end, _)| (start, end)).collect();
        prop_assert_eq!(found, tokens);
    }

    /// A sheet means the same in a charset whose trail bytes look like `\`, `@` and braces.
    #[test]
    fn charsets_make_no_difference(words in proptest::collection::vec(proptest::sample::select(vec![
        "ソ", "ァ", "ボ", "ブ", "url(", "x", "ソ.png", ")", "'", "@import ", "\\", "{", " ", "image-set(", "/*", "*/", ";", "\\72 ",
    ]), 0..30)) {
        let text = words.concat();
        let sjis = Charset::for_label("shift_jis").expect("a label");
        let mut bytes = Vec::new();
        prop_assert!(sjis.encode(&text, &mut bytes).is_ok());
        let mut expected = Vec::new();
        values::split(Syntax::Css, &text, &mut |part| expected.push(part.span.of(&text).to_owned()));
        let found = answers(1 << 20, &bytes, &[], sjis);
        let found: Vec<_> = found.iter().map(|(start, end, _)| sjis.decode(&bytes[*start..*end]).into_owned()).collect();
        prop_assert_eq!(found, expected);
    }
}
