//! Running text in legacy charsets, against decoding everything and linkify.

mod support;

use encoding_rs::Encoding;
use linkglot::charset::Charset;
use linkglot::{Document, Settings};
use support::{contender, race};

/// Prose of a language, and the charset that it was written in.
const TEXTS: &[(&str, &str, &str)] = &[
    (
        "windows-1251",
        "Russian",
        "Все счастливые семьи похожи друг на друга, каждая несчастливая семья несчастлива по-своему. Всё смешалось в доме. ",
    ),
    (
        "koi8-r",
        "Russian",
        "Письмо пришло в понедельник утром, и никто не знал, что с ним делать дальше. ",
    ),
    (
        "shift_jis",
        "Japanese",
        "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。何でも薄暗いじめじめした所で泣いていた事だけは記憶している。",
    ),
    (
        "euc-jp",
        "Japanese",
        "国境の長いトンネルを抜けると雪国であった。夜の底が白くなった。信号所に汽車が止まった。",
    ),
    (
        "gb18030",
        "Chinese",
        "道可道，非常道。名可名，非常名。无名天地之始，有名万物之母。故常无欲以观其妙。",
    ),
    (
        "big5",
        "Chinese",
        "滿紙荒唐言，一把辛酸淚。都云作者癡，誰解其中味。此開卷第一回也。",
    ),
    (
        "euc-kr",
        "Korean",
        "나 보기가 역겨워 가실 때에는 말없이 고이 보내 드리오리다. 영변에 약산 진달래꽃. ",
    ),
];

fn main() {
    for (label, language, prose) in TEXTS {
        let text = mail_like(prose);
        let encoding = Encoding::for_label(label.as_bytes()).expect("a label of the standard");
        let (bytes, _, lossy) = encoding.encode(&text);
        assert!(!lossy, "{label} holds its text");
        let mut settings = Settings::default();
        settings.format = Some(linkglot::format::Format::Text);
        settings.charset = Some(Charset::for_label(label).expect("a known label"));
        let counts = race(
            &format!("{label}, {language}"),
            bytes.len(),
            &mut [
                contender("linkglot: find", || {
                    Document::new(&bytes, &settings).links().count()
                }),
                contender("encoding_rs, then linkify", || {
                    let (text, _) = encoding.decode_without_bom_handling(&bytes);
                    let mut finder = linkify::LinkFinder::new();
                    finder.url_must_have_scheme(false);
                    finder.links(&text).count()
                }),
            ],
        );
        assert_eq!(counts[0], counts[1], "both find the links of {label}");
    }
}

/// About 8 MB of prose with a link every few hundred bytes.
fn mail_like(prose: &str) -> String {
    let mut text = String::new();
    let mut number = 0;
    while text.len() < 8_000_000 {
        text.push_str(prose);
        text.push_str(prose);
        text.push_str(&format!("\nhttp://example.org/{number} \n"));
        number += 1;
    }
    text
}
