//! Which charset a document is in.

use super::super::*;
use super::bytes;
use crate::format::Format;
use proptest::prelude::*;

const FORMATS: [Format; 5] = [
    Format::Text,
    Format::Html,
    Format::Xml,
    Format::Css,
    Format::Rst,
];

fn named(label: &str) -> Charset {
    Charset::for_label(label).unwrap()
}

fn encoded(label: &str, text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    named(label).encode(text, &mut bytes).unwrap();
    bytes
}

/// The name of the charset of a whole document, and how it is known.
fn of(bytes: &[u8], format: Format) -> (&'static str, CharsetFrom) {
    let found = sniff(bytes, true, format, None, None);
    (found.charset.name(), found.from)
}

fn html(document: &str) -> (&'static str, CharsetFrom) {
    of(document.as_bytes(), Format::Html)
}

use CharsetFrom::{Bom, Caller, Declaration, Default as ByDefault, Detection};

#[test]
fn a_mark_is_believed_before_the_caller() {
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
    assert_eq!(of(wide, Format::Xml), ("UTF-32LE", Bom));
    assert_eq!(of(wide, Format::Html), ("UTF-16LE", Bom));
    assert_eq!(of(b"\0\0\xFE\xFF\0\0\0a", Format::Text), ("UTF-32BE", Bom));
}

#[test]
fn the_caller_is_believed_before_the_document() {
    let document = b"<?xml version='1.0' encoding='koi8-r'?><meta charset=koi8-r>";
    for format in FORMATS {
        let found = sniff(document, true, format, Some(named("big5")), None);
        assert_eq!((found.charset.name(), found.from), ("Big5", Caller));
    }
}

#[test]
fn meta_elements() {
    let koi = ("KOI8-R", Declaration);
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
            none,
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
        ("<meta charset=iso-2022-kr>", ("replacement", Declaration)),
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
        ("<?xml version='1.0' encoding='klingon'?>", none),
        ("<?xml version='1.0' encoding=koi8-r?>", none),
        ("<?xml-stylesheet encoding='koi8-r'?>", none),
        ("<?xml version='1.0' encoding='koi8-r'", none),
        ("<a encoding='koi8-r'/>", none),
    ] {
        assert_eq!(of(document.as_bytes(), Format::Xml), expected, "{document}");
    }
}

#[test]
fn xml_without_a_mark_shows_its_form() {
    let document = "<?xml version='1.0'?><ą/>";
    for name in ["UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"] {
        assert_eq!(of(&encoded(name, document), Format::Xml), (name, Detection));
    }
}

#[test]
fn style_sheets() {
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
        assert_eq!(of(document.as_bytes(), Format::Css), expected, "{document}");
    }
}

#[test]
fn mails() {
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
            of(document.as_bytes(), Format::Text),
            expected,
            "{document}"
        );
    }
}

const RUSSIAN: &str = "Подробности смотрите на странице http://пример.рф/новости, \
    а также в архиве прошлых лет.\n";
const JAPANESE: &str = "詳しくは http://例え.jp/ニュース をご覧ください。これは古い文書です。\n";

#[test]
fn undeclared_text_is_looked_at() {
    for (label, text) in [
        ("windows-1251", RUSSIAN),
        // The detector knows only the larger of the two.
        ("KOI8-U", RUSSIAN),
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
            "Περισσότερες πληροφορίες στη σελίδα http://παράδειγμα.gr\n",
        ),
    ] {
        let document = encoded(label, text);
        for format in FORMATS {
            // UTF-8 is what XML and CSS say of themselves.
            let said = label == "UTF-8" && matches!(format, Format::Xml | Format::Css);
            let from = if said {
                CharsetFrom::Default
            } else {
                Detection
            };
            let expected = (named(label).name(), from);
            assert_eq!(of(&document, format), expected, "{format:?} {text}");
        }
    }
}

#[test]
fn plain_ascii_is_the_default() {
    assert_eq!(of(b"plain", Format::Text), ("UTF-8", ByDefault));
    assert_eq!(of(b"", Format::Html), ("windows-1252", ByDefault));
    let found = sniff(b"plain", true, Format::Text, None, Some(named("koi8-r")));
    assert_eq!((found.charset.name(), found.from), ("KOI8-R", ByDefault));
    // Terminal colours and records with NULs are no Japanese and no UTF-16.
    for log in [
        &b"\x1B[1mred\x1B(B\x1B[m"[..],
        b"\x1B(B",
        b"abc\0def\0",
        b"abcd\0\0\0\0",
        b"a\0",
    ] {
        assert_eq!(of(log, Format::Text), ("UTF-8", ByDefault));
    }
}

#[test]
fn a_cut_character_is_no_error() {
    let document = "é漢😀".repeat(4);
    let begin = document.find('é').unwrap();
    for end in begin + 1..document.len() {
        let found = sniff(&document.as_bytes()[..end], false, Format::Html, None, None);
        assert_eq!(
            (found.charset, found.from),
            (Charset::UTF_8, Detection),
            "{end}"
        );
    }
}

#[test]
fn one_bad_byte_does_not_unmake_utf_8() {
    let document = [RUSSIAN.as_bytes(), b"\xFF", RUSSIAN.as_bytes()].concat();
    assert_eq!(of(&document, Format::Text), ("UTF-8", Detection));
}

#[test]
fn xhtml_without_a_declaration_is_asked_like_html() {
    let meta = "<html><meta http-equiv='Content-Type' content='text/html; charset=koi8-r'/>";
    let document = [meta.as_bytes(), &encoded("koi8-r", RUSSIAN)].concat();
    assert_eq!(of(&document, Format::Xml), ("KOI8-R", Declaration));
    let document = [meta, RUSSIAN].concat();
    assert_eq!(
        of(document.as_bytes(), Format::Xml),
        ("UTF-8", CharsetFrom::Default)
    );
}

#[test]
fn legacy_text_behind_much_ascii_is_found() {
    let ascii = "All of this is English.\n".repeat(2000);
    let document = [ascii.as_bytes(), &encoded("windows-1251", RUSSIAN)].concat();
    assert_eq!(of(&document, Format::Text), ("windows-1251", Detection));
    let long_line = "x".repeat(50_000);
    let document = [long_line.as_bytes(), &encoded("windows-1251", RUSSIAN)].concat();
    assert_eq!(of(&document, Format::Text), ("windows-1251", Detection));
}

#[test]
fn legacy_text_that_begins_behind_the_head_is_found() {
    for lines in [HEAD / 8, FAR / 8 - 200] {
        let ascii = "English\n".repeat(lines);
        for (label, text) in [
            ("windows-1251", RUSSIAN),
            ("ISO-2022-JP", JAPANESE),
            ("EUC-JP", JAPANESE),
            ("UTF-8", JAPANESE),
        ] {
            let text = encoded(label, text);
            // Characters and shifts go on where the head ends.
            for cut in 0..9 {
                let document = [&ascii.as_bytes()[cut..], &text].concat();
                let found = of(&document, Format::Text);
                assert_eq!(found, (label, Detection), "{lines} {cut}");
            }
        }
    }
    let ascii = "English\n".repeat(FAR / 8);
    let document = [ascii.as_bytes(), &encoded("windows-1251", RUSSIAN)].concat();
    assert_eq!(of(&document, Format::Text), ("UTF-8", ByDefault));
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
        document.extend(filler.iter().cycle().take(if filler.is_empty() { 0 } else { FAR }));
        let at_once = sniff(&[&document[..], &more].concat(), whole, format, None, None);
        let is_ascii = document.iter().take(HEAD / 4 * 3).all(u8::is_ascii);
        let most = if is_ascii { FAR } else { HEAD };
        if document.len() >= most {
            prop_assert_eq!(at_once, sniff(&document[..most], false, format, None, None));
        }
        // Any bytes have an answer, and their mark is within them.
        prop_assert!(at_once.bom_len <= document.len());
    }

    #[test]
    fn a_declaration_is_not_undone_by_what_follows(
        format in proptest::sample::select(vec![Format::Html, Format::Css, Format::Xml]),
        begin in declarations(),
        more in declarations(),
    ) {
        let first = sniff(&begin, false, format, None, None);
        let both = sniff(&[begin, more].concat(), false, format, None, None);
        let is_declared = first.from == Declaration;
        // In HTML an XML declaration gives way to a meta element behind it.
        if is_declared && format == Format::Css {
            prop_assert_eq!(first, both);
        }
        prop_assert!(!is_declared || both.from != ByDefault, "{:?} {:?}", first, both);
    }
}

#[test]
fn coding_lines_count_in_the_first_two_lines_of_restructuredtext() {
    for (document, expected) in [
        (".. -*- coding: koi8-r -*-\n", ("KOI8-R", Declaration)),
        (
            "title\n.. vim: coding=latin1\n",
            ("windows-1252", Declaration),
        ),
        ("1\n2\n.. coding: koi8-r\n", ("UTF-8", ByDefault)),
        (".. coding: nonesuch\n", ("UTF-8", ByDefault)),
        (".. coding koi8-r\n", ("UTF-8", ByDefault)),
    ] {
        assert_eq!(of(document.as_bytes(), Format::Rst), expected, "{document}");
    }
    let text = of(b".. coding: koi8-r\n", Format::Text);
    assert_eq!(text, ("UTF-8", ByDefault));
}
