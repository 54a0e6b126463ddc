//! Sniffing.

use super::super::*;
use super::bytes;
use proptest::prelude::*;

const FORMATS: [DeclarationSyntax; 5] = [
    DeclarationSyntax::Mail,
    DeclarationSyntax::Html,
    DeclarationSyntax::Xml,
    DeclarationSyntax::Css,
    DeclarationSyntax::Coding,
];

fn named(label: &str) -> Charset {
    Charset::for_label(label).unwrap()
}

fn encoded(label: &str, text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    named(label).encode(text, &mut bytes).unwrap();
    bytes
}

/// The charset of a whole document, and how it is known.
fn of(bytes: &[u8], format: DeclarationSyntax) -> (&'static str, CharsetFrom) {
    let found = sniff(bytes, true, format, None, None);
    (found.charset.name(), found.from)
}

fn html(document: &str) -> (&'static str, CharsetFrom) {
    of(document.as_bytes(), DeclarationSyntax::Html)
}

use CharsetFrom::{Bom, Caller, Declaration, Default as ByDefault, Detection};

#[test]
fn a_mark_takes_precedence_over_the_caller() {
    for (mark, name) in [
        (&b"\xEF\xBB\xBF"[..], "UTF-8"),
        (b"\xFF\xFE", "UTF-16LE"),
        (b"\xFE\xFF", "UTF-16BE"),
    ] {
        for format in FORMATS {
            let document = [mark, b"a\0"].concat();
            let found = sniff(&document, true, format, Some(named("big5")), None);
            assert_eq!(
                (found.charset.name(), found.from, found.bom_len),
                (name, Bom, mark.len())
            );
        }
    }
    let wide = b"\xFF\xFE\0\0a\0\0\0";
    assert_eq!(of(wide, DeclarationSyntax::Xml), ("UTF-32LE", Bom));
    assert_eq!(of(wide, DeclarationSyntax::Html), ("UTF-16LE", Bom));
    assert_eq!(
        of(b"\0\0\xFE\xFF\0\0\0a", DeclarationSyntax::Mail),
        ("UTF-32BE", Bom)
    );
}

#[test]
fn the_caller_takes_precedence_over_the_document() {
    let document = b"<?xml version='1.0' encoding='koi8-r'?><meta charset=koi8-r>";
    for format in FORMATS {
        let found = sniff(document, true, format, Some(named("big5")), None);
        assert_eq!((found.charset.name(), found.from), ("Big5", Caller));
    }
}

#[test]
fn meta_elements() {
    let koi = ("KOI8-R", Declaration);
    let unknown = ("replacement", Declaration);
    let none = ("windows-1252", ByDefault);
    for (document, expected) in [
        ("<meta charset=koi8-r>", koi),
        ("<META\tCHARSET = ' KOI8-R '>", koi),
        ("<meta/charset=koi8-r>", koi),
        ("<p title='<meta charset=big5>'><meta charset=koi8-r>", koi),
        ("<!-- <meta charset=big5> --><meta charset=koi8-r>", koi),
        ("<!--><meta charset=koi8-r>-->", koi),
        ("<!doctype <meta charset=big5><meta charset=koi8-r>", koi),
        ("<? <meta charset=big5><meta charset=koi8-r>", koi),
        ("</p a='<meta charset=big5>'><meta charset=koi8-r>", koi),
        ("<meta charset=koi8-r charset=big5>", koi),
        ("<meta charset=klingon><meta charset=koi8-r>", koi),
        // Browsers know neither label.
        ("<meta charset=cp850><meta charset=koi8-r>", koi),
        ("<meta charset=utf-7><meta charset=koi8-r>", koi),
        ("<meta charset=cp850>", ("IBM850", Declaration)),
        (
            "<meta http-equiv=content-type content='a; charset=koi8-r'>",
            koi,
        ),
        (
            "<meta content='a; CHARSET = \"koi8-r\"' http-equiv=CONTENT-TYPE>",
            koi,
        ),
        (
            "<meta content='a; charsets charset=koi8-r;x' http-equiv=content-type>",
            koi,
        ),
        (
            "<meta charset=koi8-r content='a; charset=big5' http-equiv=content-type>",
            koi,
        ),
        ("<meta content='a; charset=koi8-r'>", none),
        (
            "<meta http-equiv=refresh content='a; charset=koi8-r'>",
            none,
        ),
        (
            "<meta charset=klingon content='a; charset=koi8-r' http-equiv=content-type>",
            unknown,
        ),
        (
            "<meta content='a; charset=\"koi8-r' http-equiv=content-type>",
            none,
        ),
        ("<meta charset=koi8-r", none),
        ("<meta charset='koi8-r>", none),
        ("<metal charset=koi8-r>", none),
        ("<!-- <meta charset=koi8-r>", none),
        ("<p a='<meta charset=koi8-r>", none),
        ("<meta charset=utf-32>", none),
        ("<meta charset=utf-16>", ("UTF-8", Declaration)),
        ("<meta charset=utf-16be>", ("UTF-8", Declaration)),
        (
            "<meta charset=x-user-defined>",
            ("windows-1252", Declaration),
        ),
        ("<meta charset=iso-2022-kr>", ("ISO-2022-KR", Declaration)),
        ("<?xml version='1.0' encoding = 'koi8-r'?><p>", koi),
        (
            "<?xml version='1.0' encoding='big5'?><meta charset=koi8-r>",
            koi,
        ),
        ("<?xml encoding='koi8-r' <p>", koi),
        ("<?xml encoding='koi8-r'", none),
        (" <?xml encoding='koi8-r'?>", none),
    ] {
        assert_eq!(html(document), expected, "{document}");
    }
}

#[test]
fn late_meta_elements_count_as_in_browsers() {
    let late = |before: &str| {
        html(&format!(
            "{before}{}<meta charset=koi8-r>",
            " ".repeat(1100)
        ))
    };
    assert_eq!(late("<title>a</title>"), ("KOI8-R", Declaration));
    assert_eq!(late("<script>'"), ("windows-1252", ByDefault));
    let script = format!("{}<script>'<meta charset=big5>'</script>", " ".repeat(1100));
    assert_eq!(html(&script), ("windows-1252", ByDefault));
    assert_eq!(
        html(&format!("{script}<meta charset=koi8-r>")),
        ("KOI8-R", Declaration)
    );
}

#[test]
fn xml_declarations() {
    let koi = ("KOI8-R", Declaration);
    let none = ("UTF-8", ByDefault);
    for (document, expected) in [
        ("<?xml version='1.0' encoding='koi8-r'?>", koi),
        (
            "<?xml\nversion = \"1.0\"\tencoding = \"KOI8-R\" standalone='yes' ?>",
            koi,
        ),
        ("\n<?xml version='1.0' encoding='koi8-r'?>", koi),
        (
            "<?xml version='1.0' encoding='UTF-16'?>",
            ("UTF-8", Declaration),
        ),
        ("<?xml version='encoding=\"koi8-r\"'?>", none),
        (
            "<?xml version='1.0' encoding='klingon'?>",
            ("replacement", Declaration),
        ),
        ("<?xml version='1.0' encoding=koi8-r?>", koi),
        ("<?xml-stylesheet encoding='koi8-r'?>", none),
        ("<?xml version='1.0' encoding='koi8-r'", none),
        ("<a encoding='koi8-r'/>", none),
    ] {
        assert_eq!(
            of(document.as_bytes(), DeclarationSyntax::Xml),
            expected,
            "{document}"
        );
    }
}

#[test]
fn xml_without_a_mark_is_detected_by_its_first_bytes() {
    let document = "<?xml version='1.0'?><ą/>";
    for name in ["UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"] {
        assert_eq!(
            of(&encoded(name, document), DeclarationSyntax::Xml),
            (name, Detection)
        );
    }
}

#[test]
fn css_charset_rules() {
    let koi = ("KOI8-R", Declaration);
    let none = ("UTF-8", ByDefault);
    for (document, expected) in [
        ("@charset \"koi8-r\";", koi),
        ("@charset \"utf-16le\";", ("UTF-8", Declaration)),
        ("@charset 'koi8-r';", none),
        ("@charset  \"koi8-r\";", none),
        ("@charset \"koi8-r\" ;", none),
        (" @charset \"koi8-r\";", none),
        ("@CHARSET \"koi8-r\";", none),
    ] {
        assert_eq!(
            of(document.as_bytes(), DeclarationSyntax::Css),
            expected,
            "{document}"
        );
    }
}

#[test]
fn content_types_of_mails() {
    let koi = ("KOI8-R", Declaration);
    let none = ("UTF-8", ByDefault);
    for (document, expected) in [
        (
            "From: a\nContent-Type: text/plain; charset=koi8-r\n\nb",
            koi,
        ),
        (
            "From: a\r\nCONTENT-TYPE: text/plain;\r\n\tformat=flowed;\r\n charset=\"KOI8-R\"\r\n\r\nb",
            koi,
        ),
        (
            "From a@example.org Mon\nFrom: a\nContent-Type: text/plain; charset=koi8-r\n",
            koi,
        ),
        (
            "From: a\nContent-Type: text/plain; charset=us-ascii\n\nb",
            none,
        ),
        (
            "From : a\nContent-Type\t : text/plain; charset=koi8-r\n\nb",
            koi,
        ),
        (
            "From: a\nContent-Type x: text/plain; charset=koi8-r\n\nb",
            none,
        ),
        (
            "From: a\rContent-Type: text/plain; charset=koi8-r\r\rb",
            none,
        ),
        ("From: a\nContent-Type: text/plain\n\ncharset=koi8-r", none),
        ("From: a\n\nContent-Type: text/plain; charset=koi8-r", none),
        ("Some words\nContent-Type: text/plain; charset=koi8-r", none),
        ("\nContent-Type: text/plain; charset=koi8-r", none),
    ] {
        assert_eq!(
            of(document.as_bytes(), DeclarationSyntax::Mail),
            expected,
            "{document}"
        );
    }
}

const RUSSIAN: &str = "Подробности смотрите на странице http://пример.рф/новости, \
    а также в архиве прошлых лет.\n";
const UKRAINIAN: &str =
    "Докладніше дивіться на сторінці http://приклад.укр/новини, а також в архіві минулих років.\n";
const JAPANESE: &str = "詳しくは http://例え.jp/ニュース をご覧ください。これは古い文書です。\n";

#[test]
fn undeclared_text_is_detected() {
    for (label, text) in [
        ("windows-1251", RUSSIAN),
        // Nothing speaks for KOI8-U, which has more letters.
        ("KOI8-R", RUSSIAN),
        ("KOI8-U", UKRAINIAN),
        ("IBM866", RUSSIAN),
        ("Shift_JIS", JAPANESE),
        ("EUC-JP", JAPANESE),
        ("ISO-2022-JP", JAPANESE),
        ("UTF-8", JAPANESE),
        ("UTF-16LE", JAPANESE),
        ("UTF-16BE", JAPANESE),
        ("UTF-16LE", RUSSIAN),
        ("UTF-16BE", "plain"),
        (
            "GBK",
            "更多信息请访问 http://例子.cn/新闻，谢谢大家的支持。\n",
        ),
        (
            "Big5",
            "更多資訊請訪問 http://例子.tw/新聞，謝謝大家的支持。\n",
        ),
        (
            "EUC-KR",
            "자세한 내용은 http://예.kr/뉴스 를 보세요. 감사합니다.\n",
        ),
        (
            "windows-1253",
            "Άλλες πληροφορίες στη σελίδα http://παράδειγμα.gr\n",
        ),
    ] {
        let document = encoded(label, text);
        for format in FORMATS {
            let is_default = label == "UTF-8"
                && matches!(format, DeclarationSyntax::Xml | DeclarationSyntax::Css);
            let from = if is_default {
                CharsetFrom::Default
            } else {
                Detection
            };
            let expected = (named(label).name(), from);
            assert_eq!(of(&document, format), expected, "{format:?} {text}");
        }
    }
}

/// A guess that is unsure decides nothing, and neither does a default that the bytes contradict.
#[test]
fn a_default_comes_before_an_unsure_guess() {
    let with_default = |bytes: &[u8], label| {
        sniff(
            bytes,
            true,
            DeclarationSyntax::Html,
            None,
            Some(named(label)),
        )
    };
    let unsure = b"<h1>\xED\xE9\xE4</h1>";
    let found = with_default(unsure, "koi8-r");
    assert_eq!((found.charset, found.from), (named("koi8-r"), ByDefault));
    assert_eq!(found.certainty, Certainty::Sure);
    let found = with_default(unsure, "utf-8");
    assert_eq!(
        (found.from, found.certainty),
        (Detection, Certainty::Unsure)
    );
    let found = with_default("<p>ТВ</p>".as_bytes(), "koi8-r");
    assert_eq!((found.charset, found.from), (Charset::UTF_8, Detection));
    // A mark in UTF-8, or two letters.
    let found = with_default(b"<p>\xC2\xB2</p>", "iso-8859-5");
    assert_eq!(
        (found.charset, found.from),
        (named("iso-8859-5"), ByDefault)
    );
    let found = with_default(b"<p>\xC2\xB2</p>", "utf-8");
    assert_eq!((found.from, found.certainty), (ByDefault, Certainty::Sure));
}

#[test]
fn ascii_has_the_default_charset() {
    assert_eq!(of(b"plain", DeclarationSyntax::Mail), ("UTF-8", ByDefault));
    assert_eq!(
        of(b"", DeclarationSyntax::Html),
        ("windows-1252", ByDefault)
    );
    let found = sniff(
        b"plain",
        true,
        DeclarationSyntax::Mail,
        None,
        Some(named("koi8-r")),
    );
    assert_eq!((found.charset.name(), found.from), ("KOI8-R", ByDefault));
    // Terminal colours are not Japanese, records with NULs are not UTF-16.
    for log in [
        &b"\x1B[1mred\x1B(B\x1B[m"[..],
        b"\x1B(B",
        b"abc\0def\0",
        b"abcd\0\0\0\0",
        b"a\0",
    ] {
        assert_eq!(of(log, DeclarationSyntax::Mail), ("UTF-8", ByDefault));
    }
}

#[test]
fn a_character_cut_by_the_end_is_no_error() {
    let document = "é漢😀".repeat(4);
    let begin = document.find('é').unwrap();
    for end in begin + 1..document.len() {
        let found = sniff(
            &document.as_bytes()[..end],
            false,
            DeclarationSyntax::Html,
            None,
            None,
        );
        assert_eq!(
            (found.charset, found.from),
            (Charset::UTF_8, Detection),
            "{end}"
        );
    }
}

#[test]
fn utf_8_with_one_bad_byte_is_utf_8() {
    let document = [RUSSIAN.as_bytes(), b"\xFF", RUSSIAN.as_bytes()].concat();
    assert_eq!(of(&document, DeclarationSyntax::Mail), ("UTF-8", Detection));
}

#[test]
fn the_meta_element_of_xhtml_counts_unless_it_is_utf_8() {
    let meta = "<html><meta http-equiv='Content-Type' content='text/html; charset=koi8-r'/>";
    let document = [meta.as_bytes(), &encoded("koi8-r", RUSSIAN)].concat();
    assert_eq!(
        of(&document, DeclarationSyntax::Xml),
        ("KOI8-R", Declaration)
    );
    let document = [meta, RUSSIAN].concat();
    assert_eq!(
        of(document.as_bytes(), DeclarationSyntax::Xml),
        ("UTF-8", CharsetFrom::Default)
    );
}

#[test]
fn legacy_text_behind_much_ascii_is_detected() {
    let ascii = "All of this is English.\n".repeat(2000);
    let document = [ascii.as_bytes(), &encoded("windows-1251", RUSSIAN)].concat();
    assert_eq!(
        of(&document, DeclarationSyntax::Mail),
        ("windows-1251", Detection)
    );
    let long_line = "x".repeat(50_000);
    let document = [long_line.as_bytes(), &encoded("windows-1251", RUSSIAN)].concat();
    assert_eq!(
        of(&document, DeclarationSyntax::Mail),
        ("windows-1251", Detection)
    );
}

#[test]
fn legacy_text_behind_the_head_is_detected() {
    for lines in [HEAD / 8, EXTENDED_HEAD / 8 - 200] {
        let ascii = "English\n".repeat(lines);
        for (label, text) in [
            ("windows-1251", RUSSIAN),
            ("ISO-2022-JP", JAPANESE),
            ("EUC-JP", JAPANESE),
            ("UTF-8", JAPANESE),
        ] {
            let text = encoded(label, text);
            // The end of the head cuts a character or a shift sequence.
            for cut in 0..9 {
                let document = [&ascii.as_bytes()[cut..], &text].concat();
                let found = of(&document, DeclarationSyntax::Mail);
                assert_eq!(found, (label, Detection), "{lines} {cut}");
            }
        }
    }
    let ascii = "English\n".repeat(EXTENDED_HEAD / 8);
    let document = [ascii.as_bytes(), &encoded("windows-1251", RUSSIAN)].concat();
    assert_eq!(of(&document, DeclarationSyntax::Mail), ("UTF-8", ByDefault));
}

/// Pieces of declarations, whole and broken.
fn declarations() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        proptest::sample::select(vec![
            "<meta ",
            "<meta/",
            "<!--",
            "-->",
            "--",
            "<script>",
            "</script>",
            "<p ",
            "</",
            "<?xml ",
            "?>",
            ">",
            "'",
            "\"",
            "=",
            " ",
            "\n",
            ":",
            "charset",
            "encoding",
            "koi8-r",
            "utf-16",
            "content",
            "http-equiv",
            "content-type",
            "@charset \"",
            "\";",
            "<",
            "\0",
            "é",
        ])
        .prop_map(|piece| piece.as_bytes().to_vec()),
        bytes(),
    ];
    prop::collection::vec(piece, 0..20).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn only_the_head_counts(
        format in proptest::sample::select(FORMATS.to_vec()),
        head in bytes(),
        filler in prop_oneof![Just(b"a \n".to_vec()), bytes()],
        more in bytes(),
        whole in any::<bool>(),
    ) {
        let mut document = head;
        document.extend(filler.iter().cycle().take(if filler.is_empty() { 0 } else { EXTENDED_HEAD }));
        let at_once = sniff(&[&document[..], &more].concat(), whole, format, None, None);
        let is_ascii = document.iter().take(HEAD / 4 * 3).all(u8::is_ascii);
        let most = if is_ascii { EXTENDED_HEAD } else { HEAD };
        if document.len() >= most {
            let is_whole = whole && document.len() + more.len() == most;
            prop_assert_eq!(&at_once, &sniff(&document[..most], is_whole, format, None, None));
        }
        prop_assert!(at_once.bom_len <= document.len());
    }

    #[test]
    fn bytes_behind_a_declaration_do_not_undo_it(
        format in proptest::sample::select(vec![DeclarationSyntax::Html, DeclarationSyntax::Css, DeclarationSyntax::Xml]),
        begin in declarations(),
        more in declarations(),
    ) {
        let first = sniff(&begin, false, format, None, None);
        let both = sniff(&[begin, more].concat(), false, format, None, None);
        let is_declared = first.from == Declaration;
        // In HTML a meta element overrides an XML declaration before it.
        if is_declared && format == DeclarationSyntax::Css {
            prop_assert_eq!(&first, &both);
        }
        prop_assert!(!is_declared || both.from != ByDefault, "{:?} {:?}", first, both);
    }
}

#[test]
fn coding_comments_count_in_the_first_two_lines() {
    for (document, expected) in [
        (".. -*- coding: koi8-r -*-\n", ("KOI8-R", Declaration)),
        (
            "title\n.. vim: coding=latin1\n",
            ("windows-1252", Declaration),
        ),
        ("1\n2\n.. coding: koi8-r\n", ("UTF-8", ByDefault)),
        (".. coding: nonesuch\n", ("replacement", Declaration)),
        ("On coding: nonesuch\n", ("UTF-8", ByDefault)),
        (".. coding koi8-r\n", ("UTF-8", ByDefault)),
    ] {
        assert_eq!(
            of(document.as_bytes(), DeclarationSyntax::Coding),
            expected,
            "{document}"
        );
    }
    let text = of(b".. coding: koi8-r\n", DeclarationSyntax::Mail);
    assert_eq!(text, ("UTF-8", ByDefault));
}

#[test]
fn an_unknown_label_is_reported_with_its_place() {
    use DeclarationSyntax::{Coding, Css, Html, Mail, Xml};
    let unknown = |document: &str, format| {
        let found = sniff(document.as_bytes(), true, format, None, None);
        let unknown = found.unknown.map(|unknown| {
            let read_as = (found.charset.name(), found.from);
            let expected = match format {
                Mail => ("UTF-8", ByDefault),
                _ => ("replacement", Declaration),
            };
            assert_eq!(read_as, expected);
            (unknown.label, unknown.at, unknown.line)
        });
        unknown.map(|(label, at, line)| format!("{label} {at} {line}"))
    };
    for (document, format, expected) in [
        ("<p>\n<meta charset=Klingon>", Html, Some("klingon 18 2")),
        (
            "<meta http-equiv=content-type content='text/html; charset=x-foo'>",
            Html,
            Some("x-foo 58 1"),
        ),
        ("<meta content='text/html; charset=x-foo'>", Html, None),
        ("<meta charset=x-foo><meta charset=utf-8>", Html, None),
        (
            "<meta charset=x-foo><meta charset=x-bar>",
            Html,
            Some("x-foo 14 1"),
        ),
        ("<?xml encoding='x-foo'?>", Xml, Some("x-foo 16 1")),
        ("<?xml encoding='x-foo'?>", Html, Some("x-foo 16 1")),
        ("<?xml encoding='koi8-r;'?>", Xml, Some("koi8-r; 16 1")),
        ("<?xml encoding='a koi8-r'?>", Xml, Some("a koi8-r 16 1")),
        ("<?xml encoding=koi8-rx ?>", Xml, Some("koi8-rx 15 1")),
        ("<?xml encoding=koi8-r;?>", Xml, Some("koi8-r; 15 1")),
        ("<?xml encoding=koi8-r?>", Xml, None),
        ("<?xml encoding='<?= $charset ?>'?>", Xml, None),
        ("<?xml encoding='{{ charset }}'?>", Xml, None),
        ("@charset \"x-foo\";", Css, Some("x-foo 10 1")),
        (".. coding: x-foo", Coding, Some("x-foo 11 1")),
        ("On coding: x-foo", Coding, None),
        (
            "Content-Type: text/plain; charset=x-foo\n\na",
            Mail,
            Some("x-foo 34 1"),
        ),
        // No names of charsets.
        ("<meta charset='{{ charset }}'>", Html, None),
        ("<meta charset='<?= $charset ?>'>", Html, None),
        ("<meta charset=''>", Html, None),
        ("<meta charset=unknown>", Html, None),
        ("<meta charset=X-Unknown>", Html, None),
        ("<meta charset=unknown-8bit>", Html, None),
        ("<meta charset=x-user-defined>", Html, None),
        ("<?xml encoding='binary'?>", Xml, None),
        ("@charset \"none\";", Css, None),
        ("<meta charset=default>", Html, None),
        ("<meta charset=auto>", Html, None),
        ("<meta charset=utf-32>", Html, None),
        ("<meta charset=ibm037>", Html, None),
    ] {
        assert_eq!(unknown(document, format).as_deref(), expected, "{document}");
    }
    let caller = Some(Charset::UTF_8);
    let found = sniff(b"<meta charset=x-foo>", true, Html, caller, None);
    assert_eq!((found.charset, found.unknown), (Charset::UTF_8, None));
    let found = sniff(b"\xEF\xBB\xBF<meta charset=x-foo>", true, Html, None, None);
    assert_eq!((found.charset, found.unknown), (Charset::UTF_8, None));
}

/// A page whose declaration reads as ASCII is not in a charset that has other letters there.
#[test]
fn a_declaration_that_its_charset_would_not_read_is_none() {
    for label in [
        "utf-32be",
        "ibm037",
        "cp273",
        "ibm290",
        "ibm939",
        "iso_5427",
        "greek7-old",
        "brf",
    ] {
        let page = format!("<meta charset={label}>a");
        let found = sniff(page.as_bytes(), true, DeclarationSyntax::Html, None, None);
        assert_eq!(
            (found.charset, found.from),
            (Charset::WINDOWS_1252, CharsetFrom::Default),
            "{label}"
        );
    }
    for label in [
        "iso646-de",
        "x-mac-arabic",
        "tscii",
        "t.61-8bit",
        "iso-2022-jp-2",
    ] {
        let page = format!("<meta charset={label}>a");
        let found = sniff(page.as_bytes(), true, DeclarationSyntax::Html, None, None);
        let charset = Charset::for_label(label).unwrap();
        assert_eq!(
            (found.charset, found.from),
            (charset, CharsetFrom::Declaration),
            "{label}"
        );
    }
}

#[test]
fn ebcdic_declarations() {
    let sniffed = |label: &str| {
        let text = format!("<?xml version='1.0' encoding='{label}'?><a/>");
        let mut document = Vec::new();
        Charset::ebcdic().encode(&text, &mut document).unwrap();
        sniff(&document, true, DeclarationSyntax::Xml, None, None)
    };
    let charset = |label: &str| {
        let found = sniffed(label);
        (found.charset.name(), found.from)
    };
    assert_eq!(charset("ibm037"), ("IBM037", Declaration));
    assert_eq!(charset("ebcdic-cp-us"), ("IBM037", Declaration));
    assert_eq!(charset("cp1047"), ("IBM1047", Declaration));
    assert_eq!(charset("IBM1026"), ("IBM1026", Declaration));
    assert_eq!(charset("cp273"), ("IBM273", Declaration));
    assert_eq!(charset("ibm-939"), ("IBM939", Declaration));
    assert_eq!(charset("utf-8"), ("IBM037", Detection));
    assert_eq!(charset(""), ("IBM037", Detection));
    let unknown = sniffed("ibm-9999").unknown.unwrap();
    assert_eq!((unknown.label.as_str(), unknown.at), ("ibm-9999", 30));
}

const CHINESE: &str = "这里是婚礼的旧照片。";
const KOREAN: &str = "좋은 사전을 어디에서 찾을 수 있나요?";

#[test]
fn utf_32_without_a_mark() {
    let text = "Чтение http://example.org/книга\n";
    for label in ["UTF-32LE", "UTF-32BE"] {
        let document = encoded(label, text);
        let is_found = |bytes: &[u8], format| of(bytes, format).0 == label;
        assert_eq!(
            of(&document, DeclarationSyntax::Mail),
            (label, Detection),
            "{label}"
        );
        // Browsers know no UTF-32.
        assert!(!is_found(&document, DeclarationSyntax::Html));
        // A value beyond Unicode, a surrogate, a control character.
        for wrong in [0x11_0000_u32, 0xD800, 1] {
            let mut document = document.clone();
            let unit = match label {
                "UTF-32LE" => wrong.to_le_bytes(),
                _ => wrong.to_be_bytes(),
            };
            document.extend(unit);
            assert!(!is_found(&document, DeclarationSyntax::Mail), "{wrong:x}");
        }
    }
}

#[test]
fn the_order_of_bytes_is_that_with_more_ascii() {
    let text = "在哪裡可以找到一本好字典？ http://www.example.com/\n";
    for label in ["UTF-16LE", "UTF-16BE"] {
        let document = encoded(label, text);
        assert_eq!(of(&document, DeclarationSyntax::Mail), (label, Detection));
    }
}

#[test]
fn charsets_of_seven_bits_without_a_declaration() {
    for (label, text) in [
        ("ISO-2022-KR", KOREAN),
        ("ISO-2022-CN", CHINESE),
        ("ISO-2022-JP", JAPANESE),
        ("HZ-GB-2312", CHINESE),
    ] {
        let text = format!("http://example.org/a\n{text}\nhttp://example.org/~b\n");
        let mut document = encoded(label, &text);
        let mail = |document: &[u8]| of(document, DeclarationSyntax::Mail);
        assert_eq!(mail(&document), (label, Detection));
        // The charset of eight bits decides.
        document.push(0xFF);
        assert_ne!(mail(&document).0, label);
    }
}

#[test]
fn shifts_alone_are_no_charset_of_seven_bits() {
    for document in [
        // The header of ISO-2022-KR and nothing else; colours of a terminal.
        "\x1B$)Chttp://example.org/\n",
        "\x1B$)A\x1B[31mred\x1B[0m",
        // Templates, formats and verbatim text with the shift of HZ.
        "~{name~} ~{user~} ~{street~} ~{town~}",
        "(format t \"~{~A~^, ~}\" list)",
        "~{FOO BAR BAZ~} ~{A~}",
        "~{0123",
        "Caf\u{7E}{\\'e} http://example.org/~{user}/ ~{x",
    ] {
        let found = of(document.as_bytes(), DeclarationSyntax::Mail);
        assert_eq!(found, ("UTF-8", ByDefault), "{document:?}");
    }
}

#[test]
fn letters_tell_charsets_apart() {
    for (label, text) in [
        ("IBM850", "Voilà la présentation détaillée, déjà numérisée."),
        ("macintosh", "Ausführliche Beschreibung, schöne Grüße"),
        ("IBM852", "Děkuji všem, kteří poslali odpověď!"),
        ("IBM855", "Расписание поездов и автобусов"),
        ("x-mac-cyrillic", "Подробное описание для рыболовов"),
        ("IBM737", "Εδώ είναι οι παλιές φωτογραφίες του γάμου."),
        ("IBM775", "Išsamus programos aprašymas žvejams"),
        ("IBM857", "Düğünün eski fotoğrafları burada duruyor."),
        ("IBM862", "כאן נמצאות התמונות הישנות מן החתונה"),
        ("windows-1252", "»Über die Straße« – so heißt es…"),
        ("JOHAB", KOREAN),
    ] {
        let found = of(&encoded(label, text), DeclarationSyntax::Mail);
        assert_eq!(found, (label, Detection), "{text}");
    }
}

#[test]
fn ideographs_that_stand_alone_are_letters_with_accents() {
    // In Big5 and Shift_JIS each of the accents and the letter after it are one ideograph.
    for text in [
        "Hvala vsem, ki ste že poslali odgovore!\nPodroben opis programa za ribiče\n",
        "Zbirka pesmi in besed o življenju že od začetka\n",
    ] {
        let found = of(&encoded("IBM852", text), DeclarationSyntax::Mail);
        assert_eq!(found, ("IBM852", Detection), "{text}");
    }
    let text = "第1章 Windowsの設定\nPC用の資料と http://example.jp/\n";
    let found = of(&encoded("Shift_JIS", text), DeclarationSyntax::Mail);
    assert_eq!(found, ("Shift_JIS", Detection));
}

/// Other instructions of XML than its declaration declare no charset.
#[test]
fn instructions_are_no_declaration() {
    for document in [
        "<?xml-stylesheet encoding=\"windows-1251\"?><r/>",
        "<?xml-stylesheet href='a?encoding=koi8-r'?><r/>",
    ] {
        let found = sniff(
            document.as_bytes(),
            true,
            DeclarationSyntax::Xml,
            None,
            None,
        );
        assert_eq!((found.charset, found.from), (Charset::UTF_8, ByDefault));
    }
}
