//! The short cuts of the search and of the judgement, against the long way.

use super::super::stop::Stop;
use super::*;

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as usize % most
    }

    /// Some of the words, glued together.
    fn text(&mut self, words: &[&str], most: usize) -> String {
        let count = 1 + self.below(most);
        (0..count).map(|_| words[self.below(words.len())]).collect()
    }
}

/// The links of bytes, as ranges, in windows that grow by `step`.
fn links_of(
    scanner: &Scanner,
    bytes: &[u8],
    decode: &dyn Decode,
    step: usize,
) -> Vec<(usize, usize)> {
    let (mut state, mut from, mut to) = (State::default(), 0, 0);
    let mut found = Vec::new();
    while to < bytes.len() {
        to = (to + step).min(bytes.len());
        let (window, last) = (&bytes[from..to], to == bytes.len());
        let mut hits = Vec::new();
        let keep = scanner.scan(window, last, decode, &mut state, &mut hits);
        found.extend(
            hits.iter()
                .map(|hit| (from + hit.range.start, from + hit.range.end)),
        );
        from += keep;
    }
    found
}

/// A `。` is dismissed by what stands behind it only where it parts no labels: with all kinds of
/// words around it, and of each native top-level domain the first characters.
#[test]
fn no_stop_of_a_domain_is_dismissed() {
    let natives: Vec<&str> = lists::tlds()
        .names()
        .filter(|name| !name.is_ascii())
        .collect();
    let words = [
        "。", "。", "。", "例え", "日本", "a", "com", "www.", "@", ".", "み", "んな", "中", "国",
        " ", "「", "、", "た", "ア", "http://", "/", "1",
    ];
    let mut random = Random(58);
    let scanners = [Profile::Extended, Profile::Uts58].map(Scanner::new);
    let mut count = 0;
    for round in 0..6000 {
        let native = natives[round % natives.len()];
        let cut = native
            .char_indices()
            .nth(1 + random.below(3))
            .map_or(native.len(), |(at, _)| at);
        let tld = if round % 3 == 0 {
            native
        } else {
            &native[..cut]
        };
        let mut text = random.text(&words, 8);
        text += "。";
        text += tld;
        text += &random.text(&words, 4);
        for scanner in &scanners {
            let found: Vec<_> = scanner
                .links(&text)
                .map(|hit| (hit.span.start, hit.span.end))
                .collect();
            assert_eq!(found, unfiltered(scanner, &text), "{text}");
            count += found.len();
        }
    }
    assert!(count > 1000, "{count}");
}

/// The same in the charsets that have `。`, against the text.
#[test]
fn no_stop_is_dismissed_in_any_charset() {
    let words = [
        "。",
        "。",
        "みんな",
        "中国",
        "公司",
        "例え",
        "한국",
        "新加坡",
        "コム",
        "a",
        "com",
        ".",
        " ",
        "、",
        "た",
        "日",
        "表",
        "ソ",
        "能",
    ];
    let mut random = Random(46);
    let mut count = 0;
    for label in ["shift_jis", "euc-jp", "gb18030", "gbk", "big5", "euc-kr"] {
        let charset = Charset::for_label(label).unwrap();
        assert!(Stop::of(charset).exists());
        let decode = Plain {
            charset,
            references: false,
        };
        for _ in 0..1500 {
            let text = random.text(&words, 9);
            let mut bytes = Vec::new();
            if charset.encode(&text, &mut bytes).is_err() {
                continue;
            }
            let mapped = charset.decode_mapped(&bytes);
            let expected: Vec<_> = unfiltered(&Scanner::default(), &text)
                .into_iter()
                .map(|(start, end)| mapped.source(TextSpan::new(start, end)))
                .map(|range| (range.start, range.end))
                .collect();
            for step in [1, 7, bytes.len()] {
                let found = links_of(&Scanner::default(), &bytes, &decode, step);
                assert_eq!(found, expected, "{label} {text}");
            }
            count += expected.len();
        }
    }
    assert!(count > 200, "{count}");
}
