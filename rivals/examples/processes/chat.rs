//! A short message, read many times in one process.

use linkglot::{Document, Format, Profile, Scanner, Settings};
use linkify::LinkFinder;
use std::hint::black_box;

const ROUNDS: usize = 200_000;

const MESSAGES: [(&str, &str); 3] = [
    (
        "none",
        "Thanks, see you tomorrow at the station. I will bring the tickets.",
    ),
    (
        "one",
        "Have you seen https://www.example.org/news/2026/11 yet? It is about us.",
    ),
    (
        "japanese",
        "先日の資料は https://www.example.jp/docs/1.html にあります。ご確認ください。",
    ),
];

/// Finds the links of a message, and prints their number.
pub fn run(contender: &str, message: &str) {
    let named = MESSAGES.iter().find(|(name, _)| *name == message);
    let text = named.expect("the name of a message").1;
    let scanner = Scanner::new(Profile::Extended);
    let mut finder = LinkFinder::new();
    finder.url_must_have_scheme(false);
    let mut settings = Settings::default();
    settings.format = Some(Format::Text);
    let mut links = 0;
    for _ in 0..ROUNDS {
        let text = black_box(text);
        links += match contender {
            "document" => Document::new(text.as_bytes(), &settings).links().count(),
            "scan" => scanner.links(text).count(),
            _ => finder.links(text).count(),
        };
    }
    println!("{links}");
}
