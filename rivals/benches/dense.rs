//! The cost of rewriting compared with finding, in running text with a link that changes on every line: ratios of CPU
//! time of one run. `cargo bench -p linkglot-rivals --bench dense`; `-- once ROAD CHARSET` runs one road once, for a
//! count of instructions.

mod support;

use linkglot::Charset;
use linkglot::document::{Document, Settings};
use linkglot::format::Format;
use linkglot::rewrite::{Form, Forms, Rewriter};
use std::hint::black_box;
use std::ops::ControlFlow;
use support::{contender, measure};

/// Lines of text in a charset.
struct Text {
    label: &'static str,
    line: fn(usize) -> String,
}

const TEXTS: [Text; 4] = [
    Text {
        label: "utf-8",
        line: |n| format!("次の行は http://example.org/日本語/{n}?q=あ を見てください。\n"),
    },
    Text {
        label: "windows-1251",
        line: |n| format!("Смотри http://example.org/путь/{n}?q=я и дальше.\n"),
    },
    Text {
        label: "shift_jis",
        line: |n| format!("次の行は http://example.org/日本語/{n}?q=あ を見てください。\n"),
    },
    Text {
        label: "gbk",
        line: |n| format!("http://a.cn/路{n}\n"),
    },
];

impl Text {
    fn bytes(&self, lines: usize) -> Vec<u8> {
        let text: String = (0..lines).map(self.line).collect();
        let mut bytes = Vec::new();
        self.charset()
            .encode(&text, &mut bytes)
            .expect("its own characters");
        bytes
    }

    fn charset(&self) -> Charset {
        Charset::for_label(self.label).expect("a charset")
    }

    fn settings(&self) -> Settings {
        let mut settings = Settings::default();
        settings.format = Some(Format::Text);
        settings.charset = Some(self.charset());
        settings
    }
}

/// The links, one per line, as `find -o` writes them.
fn find(bytes: &[u8], settings: &Settings) -> usize {
    let (mut out, mut count) = (Vec::with_capacity(bytes.len() * 2), 0);
    for link in Document::new(bytes, settings).links() {
        out.extend_from_slice(link.text().as_bytes());
        out.push(b'\n');
        count += 1;
    }
    black_box(out);
    count
}

fn rewrite(bytes: &[u8], settings: &Settings, form: Form) -> usize {
    let rewriter = Rewriter::new().to(form).settings(settings.clone());
    let tally = black_box(rewriter.rewrite_slice(bytes)).summary.tally;
    assert!(form == Form::Iri || tally.changed == tally.links);
    tally.links as usize
}

/// The links and both of their forms, as `find --json` reads them.
fn forms(bytes: &[u8], settings: &Settings) -> usize {
    let mut count = 0;
    let read = Forms::new(settings).read_slice(bytes, &mut |_, forms, _| {
        count += usize::from(forms.uri.is_some() && forms.iri.is_some());
        ControlFlow::Continue(())
    });
    assert!(read.is_ok());
    count
}

fn run(road: &str, bytes: &[u8], settings: &Settings) -> usize {
    match road {
        "find" => find(bytes, settings),
        "uri" => rewrite(bytes, settings, Form::Uri),
        "iri" => rewrite(bytes, settings, Form::Iri),
        "forms" => forms(bytes, settings),
        other => panic!("unknown road {other}"),
    }
}

fn main() {
    const LINES: usize = 20_000;
    const ROADS: [&str; 4] = ["find", "uri", "iri", "forms"];
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| a != "--bench")
        .collect();
    if let [once, road, label] = arguments.as_slice()
        && once == "once"
    {
        let text = TEXTS
            .iter()
            .find(|text| text.label == *label)
            .expect("a charset of the texts");
        println!("{} links", run(road, &text.bytes(4_000), &text.settings()));
        return;
    }
    for text in &TEXTS {
        let (bytes, settings) = (text.bytes(LINES), text.settings());
        let road = |road: &'static str| contender(road, || run(road, &bytes, &settings));
        let measures = measure(&mut ROADS.map(road));
        print!("{:<14}", text.label);
        for (road, measure) in ROADS.iter().zip(&measures) {
            assert_eq!(measure.links, LINES, "{road}");
            let each = measure.seconds * 1e9 / LINES as f64;
            print!(
                " {road} {each:5.0} ns a link, {:4.1} x  ",
                measure.seconds / measures[0].seconds
            );
        }
        println!();
    }
}
