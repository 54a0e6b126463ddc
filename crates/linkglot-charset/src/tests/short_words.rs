//! Words of `short_words.txt` in short documents that declare nothing: no answer is sure and wrong,
//! and most pages have a sure one.

use crate::{Certainty, Charset, DeclarationSyntax, sniff};
use std::fmt::Write;

const WORDS: &str = include_str!("short_words.txt");

/// Percentages of pages with one word beyond ASCII that must have a sure answer: in Western European languages, in
/// others.
const WESTERN: usize = 85;
const OTHERS: usize = 80;

const WESTERNERS: [&str; 12] = [
    "en", "fr", "de", "da", "sv", "nb", "es", "it", "pt", "nl", "fi", "is",
];

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

/// Pages that have hardly more than a word or two.
fn tiny_pages(word: &str, other: &str) -> Vec<String> {
    let capitals = |word: &str| word.to_uppercase().replace('ẞ', "SS");
    let first = |word: &str, count: usize| capitals(word).chars().take(count).collect::<String>();
    let (upper, small) = (capitals(word), word.to_lowercase());
    let (short, next) = (first(word, 3), first(other, 3));
    let letter = word.chars().find(|ch| !ch.is_ascii()).unwrap_or('é');
    vec![
        format!("<a href=\"/{word}/\">{word}</a>\n"),
        format!("<h1>{word}</h1><a href=\"/{word}.html\">{word}</a>\n"),
        format!("<h1>{word}</h1><p>Home page <a href=\"/{word}/\">{word}</a>\n"),
        format!("<li><a href=\"{word}.jpg\">{word}</a><li><a href=\"{upper}.jpg\">{upper}</a>\n"),
        format!("<a href=\"/{small}/\">{upper}</a>\n"),
        format!("<a href=\"/{upper}.html\">{upper}</a>\n"),
        format!("<h1>{short}</h1><a href=\"/{short}/\">{short}</a>\n"),
        format!("<a href=\"/{short}/\">{short}</a> <a href=\"/{next}/\">{next}</a>\n"),
        format!("<h2>{letter}</h2> <a href=\"http://www.example.com/{letter}\">x</a>\n"),
        format!("<a href=\"/{word}/\">{other}</a>\n"),
        format!("<p>25 °C <a href=\"/{word}/\">{word}</a>\n"),
    ]
}

#[test]
fn no_answer_for_hardly_a_word_is_sure_and_wrong() {
    for language in languages() {
        let words = language.words.iter();
        for (word, other) in words.zip(language.words.iter().cycle().skip(1)) {
            for page in tiny_pages(word, other) {
                for &charset in &language.charsets {
                    of(&page, charset);
                }
            }
        }
    }
}

/// Words that another charset reads as words of another language, as marks or as ideographs.
#[test]
fn words_that_other_charsets_explain_are_not_wrong() {
    for (label, page) in [
        ("koi8-r", "<a href=\"/МИД.html\">МИД</a>"),
        ("koi8-r", "<a href=\"/нас/\">НАС</a>"),
        ("koi8-r", "<a href=\"/Ёж/\">ЁЖ</a> <b>Ёж</b>"),
        (
            "windows-1252",
            "<li><a href=\"Nîmes.jpg\">Nîmes</a><li><a href=\"NÎMES.jpg\">NÎMES</a>",
        ),
        (
            "windows-1250",
            "<h1>żaba</h1><a href=\"/żaba.html\">żaba</a>",
        ),
        ("windows-1250", "<a href=\"/ŻÓŁW.html\">ŻÓŁW</a>"),
        (
            "gbk",
            "<h1>北京</h1><p>Home page <a href=\"/北京.html\">北京</a>",
        ),
        ("big5", "<h1>產品</h1><a href=\"/產品/\">產品</a>"),
        (
            "windows-1253",
            "<a href=\"/ΟΤΕ/\">ΟΤΕ</a> <a href=\"/ΔΕΗ/\">ΔΕΗ</a>",
        ),
        ("iso-8859-5", "<h1>МИД</h1><a href=\"/МИД/\">МИД</a>"),
        ("iso-8859-5", "<h1>ТВ</h1><a href=\"/ТВ/\">ТВ</a>"),
        (
            "ibm866",
            "<a href=\"/СССР/\">СССР</a> <a href=\"/МГУ/\">МГУ</a>",
        ),
        ("ibm866", "<h1>шаг</h1><a href=\"/шаг/\">шаг</a>"),
        ("ibm850", "<h2>à</h2> <a href=\"http://x.example/à\">"),
        ("ibm850", "<a href=\"/DÚ/\">DÚ</a>"),
        ("gbk", "<a href=\"/路/\">路</a>"),
        // A mark of windows-1252 behind a word.
        ("ibm850", "<a href=\"/gr.html\">gr</a> <b>chà</b>"),
        ("macintosh", "<a href=\"/pi.html\">pi</a> <b>afí</b>"),
        // The same marks in other places: `¼`, an opening quotation mark twice.
        (
            "macintosh",
            "<p>Guestbook 2º</p><a href=\"/index.html\">Index of files</a>",
        ),
        (
            "ibm850",
            "<p>½ Mayotte ½ h</p><a href=\"/index.html\">zoulou</a>",
        ),
    ] {
        of(page, Charset::for_label(label).unwrap());
    }
}

/// Words of up to four letters are usual in the language that the words in ASCII show, and nowhere else: other
/// charsets read the same bytes as words of other languages.
#[test]
fn short_words_are_usual_in_the_language_of_their_page() {
    const FRENCH: &str = "Vous trouverez toutes les informations sur cette page du site, et les adresses des associations dans le journal.";
    const DANISH: &str = "Her er der mange andre billeder, som man kan hente ned og vise til sine venner, hvis de gerne vil se dem.";
    const ITALIAN: &str = "Questa pagina contiene tutte le informazioni sul programma, gli indirizzi delle associazioni ed altre notizie.";
    const PORTUGUESE: &str = "Esta pagina tem todos os documentos que foram publicados ontem, com os nomes dos autores e uma lista dos livros.";
    for (sentence, words) in [
        (FRENCH, "à là où"),
        (DANISH, "år på få"),
        (ITALIAN, "è né"),
        (PORTUGUESE, "só já"),
    ] {
        for word in words.split(' ') {
            let page = format!("<h1>{word}</h1><p>{sentence}</p><a href=\"/{word}/\">x</a>");
            let certainty = of(&page, Charset::WINDOWS_1252);
            assert_eq!(certainty, Some(Certainty::Sure), "{word}");
        }
    }
    const ENGLISH: &str = "The pages of this site are about the town and its people.";
    const SPANISH: &str = "Esta semana estuvimos de viaje por el centro de Europa y vimos a muchos amigos, pero no hicimos fotos.";
    for (label, sentence, word) in [
        ("iso-8859-2", "", "čre"),
        ("windows-1250", "", "hĺb"),
        ("windows-1257", "", "žar"),
        ("koi8-r", "", "РЕЛ"),
        ("koi8-r", "", "ПЕД"),
        ("iso-8859-4", ENGLISH, "viņa"),
        ("x-mac-ce", ENGLISH, "šta"),
        ("windows-1251", FRENCH, "й"),
        ("windows-1257", FRENCH, "tā"),
        ("iso-8859-7", SPANISH, "α"),
        ("macintosh", SPANISH, "·"),
        ("windows-1250", ITALIAN, "ča"),
    ] {
        let page = format!("<p>{sentence} {word}</p><a href=\"/{word}/\">x</a>");
        let certainty = of(&page, Charset::for_label(label).unwrap());
        assert_eq!(certainty, Some(Certainty::Unsure), "{word}");
    }
}

/// Marks between words and in links of Western European pages, of which other charsets read letters: `…` is `à` in
/// IBM850.
#[test]
fn marks_are_no_short_words() {
    const MARKS: &str = "… † ‡ ° § ² ³ º ª « » ½ ¼ ¾ • ¢ ± × £ ¥ € – — ‚ „ “ ” ‘ ’ ˆ ¸ ¨ ÷ ¶ µ";
    let western = languages().filter(|language| WESTERNERS.contains(&language.lang));
    for (sentence, mark) in western.flat_map(|language| {
        let sentence = language.sentence;
        MARKS.split(' ').map(move |mark| (sentence, mark))
    }) {
        for label in ["windows-1252", "ibm850", "macintosh"] {
            let charset = Charset::for_label(label).unwrap();
            let links = format!("<p>{sentence}</p><a href=\"/{mark}/\">{mark}</a>");
            let text = format!("<p>{sentence} {mark} {sentence}</p><a href=\"/x.html\">x</a>");
            of(&links, charset);
            of(&text, charset);
        }
    }
}

/// Marks that no other frequent charset reads as letters behind a word, or as marks of the Macintosh.
#[test]
fn marks_that_nothing_else_explains_are_sure() {
    for text in ["«so» http://x.example/", "a room of 25 m²", "a page of 5½"] {
        assert_eq!(
            of(text, Charset::WINDOWS_1252),
            Some(Certainty::Sure),
            "{text}"
        );
    }
}

/// A word counts once, whether in capitals or not and however often.
#[test]
fn repeated_words_are_no_more_evidence() {
    let certainty = |text: &str, label| of(text, Charset::for_label(label).unwrap()).unwrap();
    for (word, label) in [
        ("Nîmes", "windows-1252"),
        ("żaba", "windows-1250"),
        ("нас", "koi8-r"),
    ] {
        let once = certainty(&format!("<p>{word}</p>"), label);
        let capitals = word.to_uppercase();
        let often = certainty(&format!("<p>{word} {capitals} {word}-{word}</p>"), label);
        assert_eq!(once, often, "{word}");
    }
}

#[test]
fn most_short_pages_are_sure() {
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

/// Marks and letters for which other alphabets have letters by chance: each text is surely windows-1252.
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
        // In charsets of DOS `ã` would be a Greek letter, which stands in no Latin word.
        "<p>Photos of the trip to São Paulo and to the falls</p>",
        // A word as short as an abbreviation, in a text that tells its language.
        "<p>Skriv til os, hvis et æg mangler i vores kurv</p>",
    ] {
        assert_eq!(
            of(text, Charset::WINDOWS_1252),
            Some(Certainty::Sure),
            "{text}"
        );
    }
}

/// Marks and words that two charsets read alike are no evidence between them, however many a page has.
#[test]
fn what_charsets_read_alike_is_no_evidence() {
    const MARKS: &str = "It’s the weather that we’re told of, and it doesn’t matter to Peter’s dog – “so what”, they’d say.";
    const ACCENTS: &str =
        "We had a café and a naïve question about the menu, about the entrée and about fiancés.";
    for (name, label) in [
        ("Čapek", "windows-1250"),
        ("Budějovice", "windows-1250"),
        ("Poznań", "windows-1250"),
        ("Я", "windows-1251"),
        ("МГУ", "windows-1251"),
        ("και", "windows-1253"),
        ("לא", "windows-1255"),
        ("Põltsamaa", "windows-1257"),
        ("Čapek", "x-mac-ce"),
        ("děkuji", "x-mac-ce"),
    ] {
        let charset = Charset::for_label(label).expect("a charset");
        for around in [MARKS, ACCENTS] {
            let text = format!("<p>{around} And {name} is what they wrote. {around}</p>");
            of(&text, charset);
        }
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
