//! Documents that do not declare their charset: rewriting their links does not change the detected charset, so that a
//! second run, with only the bytes to judge, reads the same.

use crate::promises::{Seen, Subject, chunks, forms_are_written, links};
use linkglot::Charset;
use linkglot::document::Settings;
use linkglot::format::Format;
use linkglot::link::Info;
use linkglot::notes::Note;
use linkglot::rewrite::{Form, Rewriter, Rules};
use proptest::prelude::*;

/// Charsets, with words and links for each.
const TONGUES: &[(&[&str], &[&str], &[&str])] = &[
    (
        &["windows-1251", "KOI8-R", "IBM866", "ISO-8859-5"],
        &[
            "смотрите на странице ",
            "Дорогие друзья! ",
            "см. ",
            "«",
            "»",
            "(вот:",
            "т.е. ",
        ],
        &[
            "http://пример.рф/новости",
            "http://ru.example/wiki/Москва",
            "почта.рф",
            "http://a.ru/%D0%9C%D0%BE",
        ],
    ),
    (
        &["windows-1252", "ISO-8859-15", "macintosh"],
        &[
            "voilà la réponse ",
            "Über die Größe ",
            "«",
            "» ",
            "vgl. ",
            "¿Dónde está? ",
        ],
        &[
            "http://é.fr/é",
            "www.bücher.de/ä",
            "http://fr.example/%C3%89t%C3%A9",
            "http://xn--9ca.fr/",
            "ü@é.fr",
        ],
    ),
    (
        &["windows-1250", "ISO-8859-2"],
        &[
            "Więcej na stronie ",
            "Příliš žluťoučký kůň ",
            "viz ",
            "árvíztűrő ",
        ],
        &[
            "http://żółw.pl/ż",
            "http://pl.example/Łódź",
            "http://cs.example/%C5%BE",
        ],
    ),
    (
        &["EUC-JP", "Shift_JIS", "ISO-2022-JP"],
        &[
            "詳しくは",
            "（",
            "）",
            "ご覧ください。",
            "ニュース",
            "「",
            "」",
            "リンク：",
        ],
        &[
            "http://例え.jp/あ",
            "http://ja.example/ニュース",
            "http://ja.example/%E6%97%A5",
            "www.例え.jp",
        ],
    ),
    (
        &["GBK", "gb18030"],
        &["更多信息请访问", "（", "）", "谢谢大家的支持。", "新闻："],
        &[
            "http://例子.cn/新闻",
            "http://zh.example/%E4%B8%AD",
            "www.例子.cn",
        ],
    ),
    (
        &["Big5"],
        &["更多資訊請訪問", "（", "）", "謝謝大家的支持。", "新聞："],
        &[
            "http://例子.tw/新聞",
            "http://zh.example/%E4%B8%AD",
            "www.例子.tw",
        ],
    ),
    (
        &["EUC-KR"],
        &["자세한 내용은 ", "를 보세요. ", "뉴스:", "안녕하세요 "],
        &[
            "http://예.kr/뉴스",
            "http://ko.example/%ED%95%9C",
            "www.예.kr",
        ],
    ),
    (
        &[
            "windows-1253",
            "windows-1255",
            "windows-1256",
            "UTF-8",
            "UTF-16LE",
        ],
        &["λέξεις ", "מילים ", "كلمات ", "«", "» "],
        &[
            "http://παράδειγμα.gr/ή",
            "http://דוגמה.il/ד",
            "http://مثال.eg/م",
            "http://a.gr/%CE%AE",
        ],
    ),
];

/// Pieces of ASCII for mails.
const PLAIN: &[&str] = &[
    " ",
    " ",
    "\n",
    "\n",
    "> ",
    ", ",
    "See ",
    "<",
    ">",
    "http://a.example/b ",
];

/// A mail of a few lines, in a charset that it does not declare.
fn mails() -> impl Strategy<Value = (Charset, Vec<u8>)> {
    let tongue = prop::sample::select(TONGUES.to_vec());
    tongue.prop_flat_map(|(labels, words, links)| {
        let piece = prop_oneof![
            2 => prop::sample::select(words.to_vec()),
            2 => prop::sample::select(links.to_vec()),
            2 => prop::sample::select(PLAIN.to_vec()),
        ];
        let pieces = prop::collection::vec(piece, 1..10);
        (prop::sample::select(labels.to_vec()), pieces)
            .prop_map(|(label, pieces)| encoded(label, &pieces))
    })
}

/// Encodes pieces in a charset, leaving out those that it lacks.
fn encoded(label: &str, pieces: &[&str]) -> (Charset, Vec<u8>) {
    let charset = Charset::for_label(label).expect("a label");
    let mut bytes = Vec::new();
    for piece in pieces {
        let _ = charset.encode(piece, &mut bytes);
    }
    (charset, bytes)
}

fn rewritten(bytes: &[u8], settings: &Settings, rewriter: &Rewriter) -> Vec<u8> {
    let rewriter = rewriter.clone().settings(settings.clone());
    rewriter.rewrite_slice(bytes).content.into_owned()
}

/// The same document, of which only the format is known.
fn subject(bytes: &[u8], format: Format) -> Subject {
    let mut settings = Settings::default();
    settings.format = Some(format);
    Subject {
        name: "mail".to_owned(),
        bytes: bytes.to_vec(),
        settings,
    }
}

/// P3 and P5, with only the bytes to judge.
fn holds(subject: &Subject, form: Form, rules: Rules) -> Result<(), String> {
    let rewriter = &Rewriter::new().to(form).rules(rules);
    let settings = &subject.settings;
    let once = rewritten(&subject.bytes, settings, rewriter);
    let (before, was) = links(&subject.bytes, settings);
    let (after, is) = links(&once, settings);
    if was.charset != is.charset && !(once.is_ascii() && form == Form::Uri) {
        return Err(format!(
            "{} before, {} after",
            was.charset.name(),
            is.charset.name()
        ));
    }
    let places = |links: &[Seen]| {
        links
            .iter()
            .map(|link| link.place.clone())
            .collect::<Vec<_>>()
    };
    if places(&before) != places(&after) {
        return Err(format!("{before:?} became {after:?}"));
    }
    if rewritten(&once, settings, rewriter) == once {
        Ok(())
    } else {
        Err("a second run changes more".to_owned())
    }
}

/// True if a document is left because another charset is, or would be, detected.
fn is_left(bytes: &[u8], settings: &Settings, form: Form) -> bool {
    let mut left = false;
    let rewriter = Rewriter::new().to(form).settings(settings.clone());
    let watched = rewriter.on_link(|outcome, _| {
        let guesses = [Note::LeftCharsetWouldChange, Note::CharsetUnsure];
        left |= guesses.iter().any(|note| outcome.notes.contains(*note));
    });
    let changed = watched.rewrite_slice(bytes).changed();
    left && changed == 0
}

#[test]
fn links_that_decide_the_charset_stay_with_a_note() {
    for (label, text) in [
        ("windows-1251", "«http://ru.example/wiki/Москва»\n"),
        // The domain of a country would decide the charset without the rest of the link.
        ("Big5", "（http://例子.example/新聞）\n"),
    ] {
        let (charset, bytes) = encoded(label, &[text]);
        let mut settings = subject(&bytes, Format::Text).settings;
        let found = links(&bytes, &settings).1;
        assert_eq!(found.charset, charset, "{text}");
        assert!(is_left(&bytes, &settings, Form::Uri), "{text}");
        settings.charset = Some(charset);
        assert!(!is_left(&bytes, &settings, Form::Uri), "{text}");
    }
}

/// A display form next to a link that decides the charset could not be converted back, so it is not written.
#[test]
fn what_could_not_go_back_gets_no_display_form() {
    for (label, pieces) in [
        (
            "windows-1251",
            ["«http://ru.example/wiki/Москва» http://ru.example/%D0%B4\n"],
        ),
        (
            "euc-jp",
            ["（http://例え.jp/あ） http://ja.example/%E6%97%A5\n"],
        ),
        (
            "big5",
            ["（http://例子.tw/新聞） http://zh.example/%E6%96%B0\n"],
        ),
    ] {
        let (_, bytes) = encoded(label, &pieces);
        let settings = subject(&bytes, Format::Text).settings;
        let there = rewritten(&bytes, &settings, &Rewriter::new().to(Form::Iri));
        let back = rewritten(&there, &settings, &Rewriter::new().to(Form::Uri));
        let uris = rewritten(&bytes, &settings, &Rewriter::new().to(Form::Uri));
        assert_eq!(back, uris, "{label}");
    }
}

#[test]
fn text_that_tells_its_charset_without_links_does_not_keep_them() {
    let text = "Подробности смотрите на странице http://пример.рф/новости, \
        а также в архиве прошлых лет.\n";
    for (label, begin) in [
        ("windows-1251", 0),
        ("KOI8-R", 0),
        ("UTF-16LE", 0),
        // The first telling word is near the end of the bytes that decide.
        ("windows-1251", Info::HEAD - 300),
        ("windows-1251", Info::HEAD * 2),
    ] {
        let (charset, bytes) = encoded(label, &["plain ".repeat(begin / 6).as_str(), text]);
        let subject = subject(&bytes, Format::Text);
        assert_eq!(links(&bytes, &subject.settings).1.charset, charset);
        assert!(!is_left(&bytes, &subject.settings, Form::Uri), "{label}");
        holds(&subject, Form::Uri, Rules::default()).expect("all is read as before");
        chunks::one_answer(&subject).expect("one answer");
    }
}

const MAILS: &str = "From a Mon\nContent-Type: text/plain; charset=koi8-r\n\n\
    http://a.ru/\u{434}\n\nFrom b Mon\nContent-Type: text/plain;\n charset=utf-8\n\n";

/// The notes of links that are left, in order, and whether the document changes.
fn left_in(bytes: &[u8], settings: &Settings, form: Form) -> (Vec<Vec<Note>>, bool) {
    let mut left = Vec::new();
    let rewriter = Rewriter::new().to(form).settings(settings.clone());
    let watched = rewriter.on_link(|outcome, _| {
        if outcome.new.is_none() {
            left.push(outcome.notes.iter().collect());
        }
    });
    let changed = watched.rewrite_slice(bytes).changed();
    (left, changed > 0)
}

#[test]
fn links_of_messages_in_another_charset_stay_with_a_note() {
    let (_, mut bytes) = encoded("KOI8-R", &[MAILS]);
    bytes.extend("http://a.org/é http://b.org/%D0%B4 http://c.org/\n".as_bytes());
    let mut settings = subject(&bytes, Format::Text).settings;
    let other = || vec![Note::LeftOtherCharset];
    assert_eq!(left_in(&bytes, &settings, Form::Uri), (vec![other()], true));
    // A link that could be written only in the other charset.
    let (left, _) = left_in(&bytes, &settings, Form::Iri);
    assert_eq!(left, [other()]);
    settings.charset = Some(Charset::UTF_8);
    let (left, _) = left_in(&bytes, &settings, Form::Uri);
    assert!(!left.concat().contains(&Note::LeftOtherCharset));
    // Far beyond the head, and in multipart mail that declares nothing at its beginning.
    let plain = "plain words\n".repeat(20_000);
    let text = "Подробности смотрите на странице http://пример.рф/новости ";
    let part = |label: &str| {
        let head = format!("\n--x\nContent-Type: text/plain; charset={label}\n\n");
        [head.as_bytes(), &encoded(label, &[text]).1].concat()
    };
    let header = b"From: a\nContent-Type: multipart/mixed; boundary=x\n\n";
    let bytes = [
        header,
        &part("windows-1251")[..],
        plain.as_bytes(),
        &part("koi8-r"),
    ]
    .concat();
    let subject = subject(&bytes, Format::Text);
    let left = left_in(&bytes, &subject.settings, Form::Uri);
    assert_eq!(left, (vec![other()], true));
    holds(&subject, Form::Uri, Rules::default()).expect("all is read as before");
}

/// Documents that are read as a whole, and documents with a long slot.
#[test]
fn long_documents_are_rewritten() {
    let text = "Подробности смотрите на странице http://пример.рф/новости, \
        а также в архиве прошлых лет.\n";
    let slot = format!("<a href='data:,{}'></a>\n", "x".repeat(900_000));
    let lines = "plain words\n".repeat(60_000);
    for (format, more) in [
        (Format::Rst, &lines),
        (Format::Text, &lines),
        (Format::Html, &slot),
    ] {
        let (_, bytes) = encoded("windows-1251", &[text, more, text]);
        let subject = subject(&bytes, format);
        assert!(!is_left(&bytes, &subject.settings, Form::Uri), "{format:?}");
        holds(&subject, Form::Uri, Rules::default()).expect("all is read as before");
    }
}

/// Links before the telling words, one of whose forms is so long that it moves these words beyond the bytes that
/// decide.
#[test]
fn what_decides_may_move_out_of_the_head() {
    let (short, long) = (
        "http://a.jp/あ ".repeat(2500),
        "http://a.jp/%E3%81%82 ".repeat(2500),
    );
    for (links, form) in [(&short, Form::Uri), (&long, Form::Iri)] {
        for words in [0, 20_000] {
            let pieces = [
                links.as_str(),
                &"words\n".repeat(words),
                "これは古い文書です。\n",
            ];
            let (_, bytes) = encoded("EUC-JP", &pieces);
            let subject = subject(&bytes, Format::Text);
            holds(&subject, form, Rules::default()).expect("all is read as before");
            if words == 0 {
                chunks::one_answer(&subject).expect("one answer");
            }
        }
    }
}

/// UTF-8 with escape sequences: with its link in ASCII the text would be ISO-2022-JP.
#[test]
fn shifts_in_utf_8_stay_shifts() {
    let text = "http://παράδειγμα.gr/ή \nhttp://ja.example/%E6%97%A5\u{1b}$B%j%s%/!'\u{1b}(B";
    let subject = subject(text.as_bytes(), Format::Text);
    for form in [Form::Uri, Form::Iri] {
        holds(&subject, form, Rules::default()).expect("it is read as before");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 80 } else { 4000 }))]

    #[test]
    fn mails_are_read_as_before((_, bytes) in mails(), html in any::<bool>()) {
        let subject = subject(&bytes, if html { Format::Html } else { Format::Text });
        for form in [Form::Uri, Form::Iri] {
            let held = holds(&subject, form, Rules::default());
            prop_assert!(held.is_ok(), "{form:?} {:?}: {held:?}", subject.bytes);
        }
        let mut rules = Rules::default();
        rules.add("http://a.example/ http://ä.example/").expect("a rule");
        let held = holds(&subject, Form::Same, rules);
        prop_assert!(held.is_ok(), "{:?}: {held:?}", subject.bytes);
        for promise in [forms_are_written, chunks::one_answer] {
            let held = promise(&subject);
            prop_assert!(held.is_ok(), "{:?}: {held:?}", subject.bytes);
        }
    }

    /// Messages in many charsets: only links in other charsets than the first are left.
    #[test]
    fn mailboxes_are_read_as_before(mails in prop::collection::vec((mails(), any::<bool>()), 1..4)) {
        let mut bytes = Vec::new();
        for ((charset, mail), declares) in mails {
            let mime = format!("Content-Type: text/plain; charset={}\n", charset.name());
            let blank = if bytes.is_empty() { "" } else { "\n" };
            let header = format!("{blank}From a Mon\n{}\n", if declares { &mime } else { "" });
            bytes.extend(header.as_bytes());
            bytes.extend(mail);
        }
        let subject = subject(&bytes, Format::Text);
        for form in [Form::Uri, Form::Iri] {
            let held = holds(&subject, form, Rules::default());
            prop_assert!(held.is_ok(), "{form:?} {:?}: {held:?}", subject.bytes);
        }
        for promise in [forms_are_written, chunks::one_answer] {
            let held = promise(&subject);
            prop_assert!(held.is_ok(), "{:?}: {held:?}", subject.bytes);
        }
    }

    /// With a charset given by the caller, no link is left for uncertainty.
    #[test]
    fn a_charset_that_is_named_leaves_nothing((charset, bytes) in mails()) {
        let mut settings = subject(&bytes, Format::Text).settings;
        settings.charset = Some(charset);
        prop_assert!(!is_left(&bytes, &settings, Form::Uri));
        prop_assert!(!is_left(&bytes, &settings, Form::Iri));
    }
}
