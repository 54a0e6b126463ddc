//! Words of `short_words.txt` in short documents that declare nothing: no answer is sure and wrong,
//! and most pages have a sure one.

use crate::{Certainty, Charset, DeclarationSyntax, sniff};
use std::fmt::Write;

const WORDS: &str = include_str!("short_words.txt");

/// Percentages of pages that must have a sure answer: in Western European languages, in others.
const WESTERN: usize = 90;
const OTHERS: usize = 80;

struct Language {
    lang: &'static str,
    charsets: Vec<Charset>,
    sentence: &'static str,
    words: Vec<&'static str>,
}

fn languages() -> impl Iterator<Item = Language> {
    let lines = WORDS.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let mut fields = line.split('|').map(str::trim);
        let [lang, charsets, sentence, words] = std::array::from_fn(|_| fields.next().unwrap());
        let charsets = charsets
            .split(' ')
            .map(|label| Charset::for_label(label).unwrap());
        Language {
            lang,
            charsets: charsets.collect(),
            sentence,
            words: words.split(' ').collect(),
        }
    })
}

/// The certainty of the answer for a text, unless it is wrong and sure.
fn of(text: &str, charset: Charset) -> Option<Certainty> {
    let mut bytes = Vec::new();
    charset.encode(text, &mut bytes).ok()?;
    let found = sniff(&bytes, true, DeclarationSyntax::Html, None, None);
    let is_wrong = found.certainty == Certainty::Sure && found.charset.decode(&bytes) != text;
    assert!(
        !is_wrong,
        "{} for {}: {text}",
        found.charset.name(),
        charset.name()
    );
    Some(found.certainty)
}

#[test]
fn no_answer_for_few_letters_is_sure_and_wrong() {
    for language in languages() {
        let Language { lang, sentence, .. } = language;
        for (&charset, word) in language
            .charsets
            .iter()
            .flat_map(|charset| language.words.iter().map(move |word| (charset, word)))
        {
            of(
                &format!("<a href=\"http://www.example.com/{word}\">"),
                charset,
            );
            of(
                &format!("<p>{sentence} <a href=\"/{word}.html\">{word}</a>"),
                charset,
            );
            of(
                &format!(
                    "<html lang={lang}><p>The history of the town <a href=\"{word}\">{word}</a> was written later"
                ),
                charset,
            );
        }
    }
}

#[test]
fn most_short_pages_are_sure() {
    const WESTERNERS: [&str; 12] = [
        "en", "fr", "de", "da", "sv", "nb", "es", "it", "pt", "nl", "fi", "is",
    ];
    let mut counts = [[0; 2]; 2];
    let mut unsure = String::new();
    for language in languages() {
        let (charset, sentence) = (language.charsets[0], language.sentence);
        let group = usize::from(WESTERNERS.contains(&language.lang));
        for word in language.words {
            let page = format!(
                "<h1>{word}</h1><p>{sentence}</p><p><a href=\"/{word}.html\">{word}</a></p>"
            );
            let is_sure = of(&page, charset).unwrap() == Certainty::Sure;
            counts[group][usize::from(is_sure)] += 1;
            if !is_sure {
                _ = write!(unsure, " {word}");
            }
        }
    }
    for ([unsure_ones, sure], least) in counts.into_iter().zip([OTHERS, WESTERN]) {
        assert!(
            sure * 100 >= (sure + unsure_ones) * least,
            "{counts:?}, unsure:{unsure}"
        );
    }
}

/// Marks and letters that chance gave other alphabets for: each is sure to be windows-1252.
#[test]
fn one_byte_in_english_is_windows_1252() {
    for text in [
        "<p>A naïve question about the weather</p>",
        "<p>Add ½ cup of sugar and stir</p>",
        "<p>It’s the weather that we talk about</p>",
        "<p>© 2001 The authors of the book</p>",
        "<p>The price is £5 for each of them</p>",
        "<p>From 1999–2004 the shop was closed</p>",
        "<p>The oven must have 25° at least</p>",
        "<p>Nous irons demain du café jusque dans les montagnes</p>",
        "<p>Er fuhr mit dem Zug nach Köln und kam am Abend wieder</p>",
        "<p>Vi var sammen i København hele dagen</p>",
    ] {
        assert_eq!(
            of(text, Charset::WINDOWS_1252),
            Some(Certainty::Sure),
            "{text}"
        );
    }
}

#[test]
fn what_no_charset_explains_is_unsure() {
    for bytes in [
        // Latin-1 and UTF-8 in one document.
        &b"<p>\xE9t\xE9 \xC3\xA9t\xC3\xA9 caf\xE9s cr\xC3\xA8me</p>"[..],
        b"\x81\x8D\x8F\x90\x9D\xFF\xFE\xFD\x81 \x8D\x90 abc\x81def",
    ] {
        let found = sniff(bytes, true, DeclarationSyntax::Html, None, None);
        assert_eq!(
            found.certainty,
            Certainty::Unsure,
            "{}",
            found.charset.name()
        );
    }
}
