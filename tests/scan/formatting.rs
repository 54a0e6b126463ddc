//! A link formatted for running text is found again exactly.

use linkglot::{Profile, Scanner};
use proptest::prelude::*;

fn found_again(scanner: &Scanner, link: &str) -> bool {
    ["", "see ", "\n"].iter().all(|before| {
        ["", " and", "\n"].iter().all(|after| {
            let text = format!("{before}{link}{after}");
            let hits: Vec<_> = scanner
                .links(&text)
                .map(|hit| hit.span.of(&text).to_owned())
                .collect();
            hits == [link]
        })
    })
}

fn tail() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "a", "B", "1", "α", "日本", "。", "、", "」", "「", "（", "）", "(", ")", "[", "]", "<",
        ">", "{", "}", "\"", "'", "’", "“", "”", "»", "«", ".", ",", ";", ":", "!", "?", "#", "/",
        "&", "=", "%", "%41", "*", "_", "~", "|", "\\", "`", " ", "…", "—", "\u{200E}", "\u{200D}",
        "http://", ":~:", "｜", "་", "།", "؟", "[/url]", "@", "+", "-", "\u{E000}",
    ]);
    prop::collection::vec(words, 0..24).prop_map(|words| words.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn formatted_links_are_found_again(tail in tail(), first in prop::sample::select(vec!["/", "?", "#"]), which in 0_usize..3) {
        let scanner = Scanner::new([Profile::Extended, Profile::Uts58, Profile::Scheme][which]);
        let link = scanner.format(&format!("https://example.com{first}a{tail}"));
        prop_assert!(found_again(&scanner, &link), "{}", link);
        prop_assert_eq!(scanner.format(&link), link);
    }
}

#[test]
fn only_what_needs_it_is_escaped() {
    let cases = [
        ("http://example.org/α(β)", "http://example.org/α(β)"),
        ("http://example.org/α)β", "http://example.org/α%29β"),
        ("http://example.org/α.", "http://example.org/α%2E"),
        ("http://example.org/a b", "http://example.org/a%20b"),
        (
            "http://example.org/モーニング娘。",
            "http://example.org/モーニング娘%E3%80%82",
        ),
        ("http://example.org/a。b", "http://example.org/a%E3%80%82b"),
        ("http://example.org", "http://example.org"),
        ("example.org:80/é?", "example.org:80/é%3F"),
        (
            "mailto:a@example.org?subject=é.",
            "mailto:a@example.org?subject=é%2E",
        ),
    ];
    let scanner = Scanner::default();
    for (iri, expected) in cases {
        assert_eq!(scanner.format(iri), expected);
        assert!(found_again(&scanner, expected), "{expected}");
    }
}
