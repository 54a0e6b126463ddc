//! Words of other languages on a page, and bytes that detection did not see.

use crate::{Certainty, DeclarationSyntax, Sniffed, sniff};

fn sniffed(page: &[u8]) -> Sniffed {
    sniff(page, true, DeclarationSyntax::Html, None, None)
}

fn is_sure(page: &[u8]) -> bool {
    sniffed(page).certainty == Certainty::Sure
}

/// Two charsets read the title alike; a script is longer than the bytes that are judged.
#[test]
fn bytes_behind_the_judged_part_are_unknown() {
    let title = b"<title>Strona g\xB3\xF3wna</title>\n<script>\n".as_slice();
    let code = b"var a = document.getElementById(\"x\"); // set it\n".repeat(2000);
    let link = b"ksi\xB9\xBFka.html".as_slice();
    let long = sniffed(&[title, &code, b"</script><a href=", link].concat());
    assert!(long.known.reads(b"g\xB3\xF3wna") && !long.known.reads(link));
    let short = sniffed(&[title, b"</script><p>Ksi\xB9\xBFka</p><a href=", link].concat());
    assert_eq!(
        (short.charset.name(), short.certainty),
        ("windows-1250", Certainty::Sure)
    );
    assert!(short.known.reads(link));
}

#[test]
fn a_foreign_name_is_no_evidence_for_the_language_of_its_page() {
    for (before, name, behind) in [
        (
            "Fuimos a",
            &b"Plze\xF2"[..],
            "en tren y luego volvimos a casa por la noche.",
        ),
        (
            "Wir waren mit dem Zug in",
            b"Marijampol\xEB",
            "und dann wieder nach Hause.",
        ),
        (
            "Siamo arrivati a",
            b"Gda\xF1sk",
            "in treno e poi siamo tornati a casa.",
        ),
        ("Fuimos a", b"Br\xE3ila", "en tren y luego volvimos a casa."),
        (
            "Fuimos a",
            b"Eski\xFEehir",
            "en tren y luego volvimos a casa.",
        ),
        ("Fuimos a ver", b"Petrovi\xE6", "en casa."),
        (
            "Crear tipo de producto",
            b"picnisond\xE3",
            "Fecha de compra, pagos con tarjeta.",
        ),
    ] {
        let page = [
            b"<p>",
            before.as_bytes(),
            b" ",
            name,
            b" ",
            behind.as_bytes(),
            b"</p><a href=\"",
            name,
            b".html\">x</a>",
        ];
        assert!(!is_sure(&page.concat()), "{before}");
    }
}

#[test]
fn words_of_the_language_of_their_page_are_sure() {
    for page in [
        &b"<p>Fuimos a la estaci\xF3n en tren y luego volvimos a casa por la noche.</p><a href=\"estaci\xF3n.html\">x</a>"[..],
        b"<p>Wir waren mit dem Zug in M\xFCnchen und dann wieder nach Hause.</p><a href=\"M\xFCnchen.html\">x</a>",
        b"<p>Siamo arrivati in citt\xE0 e poi siamo tornati a casa.</p><a href=\"citt\xE0.html\">x</a>",
    ] {
        assert!(is_sure(page), "{}", page.escape_ascii());
    }
}

/// A word of the page's language beside a Czech name in ISO-8859-2, which windows-1252 reads as `plze\u{F2}`.
#[test]
fn a_foreign_word_beside_one_of_the_page_is_unsure() {
    for page in [
        &b"<p>Esta semana estuvimos de viaje por el centro de Europa y vimos a muchos amigos. tambi\xE9n</p><p>Fuimos a plze\xF2 en tren y luego volvimos a casa por la noche.</p><a href=\"plze\xF2.html\">foto</a>"[..],
        b"<p>Deze week waren wij op reis door het midden van het continent met vrienden. \xE9\xE9n</p><p>Wij gingen met de trein naar \xE8apek en daarna weer naar huis.</p><a href=\"\xE8apek.html\">foto</a>",
    ] {
        assert!(!is_sure(page), "{}", page.escape_ascii());
    }
}

/// Romanian has `\u{21B}` in ISO-8859-16 where ISO-8859-2 has `\u{163}`.
#[test]
fn two_spellings_of_a_usual_word_are_unsure() {
    let page = b"<p>Generator de coduri de bilete.</p><p>Acest obiect a fost creat. pute\xFEi</p><a href=\"pute\xFEi.html\">x</a>";
    assert!(!is_sure(page));
}

#[test]
fn odd_letters_are_unsure() {
    for page in [
        &b"<p>Det er en side om byen og mange andre ting, som du kan se her.</p><p>30\xF8 <a href=\"30\xF8\">her</a></p>"[..],
        b"<p>Det er en side om byen og mange andre ting, som du kan se her.</p><p>\xF8 <a href=\"\xF8\">her</a></p>",
        b"<p>Une recette de cr\xC9me pour le soir, avec du lait et du sucre.</p><a href=\"cr\xC9me.html\">x</a>",
    ] {
        assert!(!is_sure(page), "{}", page.escape_ascii());
    }
}
