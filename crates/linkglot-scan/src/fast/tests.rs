//! Every answer of the tables equals that of [`Finder`].

use super::super::find::{Finder, Found, Link};
use super::super::text::Text;
use super::*;

/// The judgement of the finder.
fn judged(scanner: &Scanner, text: &str, at: usize, floor: usize) -> Found {
    let text = Text::new(text, scanner.classes());
    let finder = Finder {
        text: &text,
        scanner,
        floor,
    };
    finder.at(at)
}

/// Compares the answers of the tables in a window of a text with those of the finder. Returns the number of answers.
fn compare(scanner: &Scanner, text: &str, window: Range<usize>, floor: usize) -> usize {
    let edge = |whole: bool| if whole { Edge::Whole } else { Edge::Cut };
    let edges = (edge(window.start == 0), edge(window.end == text.len()));
    let bytes = &text.as_bytes()[window.clone()];
    let web = FastFinder::new(bytes, edges, scanner, Charset::UTF_8).unwrap();
    let inner_floor = floor.saturating_sub(window.start);
    let mut answers = 0;
    for at in (0..bytes.len()).filter(|&at| matches!(bytes[at], b':' | b'.')) {
        let Some(found) = web.link(at, inner_floor) else {
            continue;
        };
        let FastLink {
            range,
            kind,
            evidence,
        } = found;
        let end = range.end + window.start;
        let link = Link {
            evidence,
            ..Link::new(range.start + window.start, end, kind)
        };
        let found = judged(scanner, text, at + window.start, floor);
        assert_eq!(found, Found::Link(link), "{text:?} {window:?} {floor}");
        answers += 1;
    }
    answers
}

fn scanners() -> [Scanner; 3] {
    let hosts = super::super::Hosts::from_iter(["main.py", "python.rs"]);
    [
        Scanner::default(),
        Scanner::new(Profile::Scheme),
        Scanner::default().known_hosts(hosts),
    ]
}

/// All pairs of ASCII characters in front of links and behind them.
#[test]
fn ascii_neighbours() {
    let links = [
        "http://a.example",
        "HTTPS://a.example:80",
        "http://a.example/b.",
        "http://a.example/b?c=d",
        "www.example.org",
        "www.example.org/a,",
        "a.example.org",
        "python.org/b",
        "x.y+z@example.org",
    ];
    let ascii: Vec<char> = ('\0'..='\u{7F}').collect();
    let scanner = Scanner::default();
    let mut answers = 0;
    for link in links {
        for (first, second) in ascii.iter().flat_map(|a| ascii.iter().map(move |b| (a, b))) {
            for text in [
                format!("{first}{second}{link} "),
                format!(" {link}{first}{second}"),
                format!("\"{link}{first}{second}b"),
            ] {
                answers += compare(&scanner, &text, 0..text.len(), 0);
            }
        }
    }
    assert!(answers > links.len() * 3 * 128 * 32, "{answers}");
}

/// Pieces of texts around and in links.
const PIECES: &[&str] = &[
    "http",
    "https",
    "HTTP",
    "ftp",
    "mailto",
    "://",
    "://",
    ":",
    "//",
    "/",
    "www.",
    "example",
    "python",
    "Then",
    "main",
    "co",
    ".com",
    ".org",
    ".rs",
    ".py",
    ".de",
    ".",
    "..",
    "-",
    "--",
    "xn--",
    "@",
    "_",
    "+",
    "a",
    "Z",
    "1",
    "127.0.0.1",
    "localhost",
    ":80",
    ":99999",
    "?",
    "#",
    "&",
    "=",
    "%41",
    "~",
    "*",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    "</b>",
    "<URL:",
    "URL: ",
    "\"",
    "'",
    "`",
    "|",
    "\\",
    ",",
    ";",
    "!",
    "$",
    " ",
    "  ",
    "\n",
    "\t",
    "\r\n",
    "\u{b}",
    "\0",
    "\u{7f}",
    "é",
    "я",
    "。",
    "、",
    "）",
    "」",
    "”",
    "’",
    "は",
    "中国",
    "\u{3000}",
    "\u{a0}",
    "\u{200B}",
    "·",
    "・",
    "－",
    ".kz-",
    ".jp",
    "．",
    "\u{200C}",
    "😀",
    "★",
    "™",
    "。jp",
    ".corp",
    "\u{2060}",
    "\u{AD}",
    "｡",
    "です",
    " _see ",
    " ==see ",
];

#[test]
fn generated_texts() {
    let mut seed = 11_u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as usize % below
    };
    let heads = [
        "",
        " ",
        "http://",
        "https://a.",
        "www.",
        "x@",
        "(http://example.org",
        "http://a\u{e9}",
        ".HTTPS://",
        "\\verb!http://a",
        "\\verb!a.com/",
        "\\e[1m",
        "http://a[.]",
        "x@a.com(.)",
        "a(.)x@a.com",
        "\\x1b[31;1mx@",
        "\\(la",
        "\\*(lqx@",
        "\\f(CWwww.",
        "\\fBa.com",
        "a-\n",
        "a\u{2010}\n  x@",
        "https://\n",
    ];
    let mut answers = 0;
    for _ in 0..40_000 {
        let mut text = String::new();
        for _ in 0..1 + random(3) {
            text.push_str(heads[random(heads.len())]);
            for _ in 0..random(7) {
                text.push_str(PIECES[random(PIECES.len())]);
            }
        }
        let floor = if random(3) == 0 {
            random(text.len() + 1)
        } else {
            0
        };
        let floor = text.floor_char_boundary(floor);
        let start = random(text.len() + 1);
        let window = start..start + random(text.len() + 1 - start);
        for scanner in scanners() {
            answers += compare(&scanner, &text, 0..text.len(), floor);
            answers += compare(&scanner, &text, window.clone(), floor);
        }
    }
    assert!(answers > 5000, "{answers}");
}

/// Each character of the Basic Multilingual Plane beyond ASCII, in front of a link and behind it.
#[test]
fn neighbours_beyond_ascii() {
    let scanner = Scanner::default();
    let mut answers = 0;
    for ch in '\u{80}'..='\u{FFFF}' {
        let text = format!("{ch}http://a.example/b{ch}c “http://a.example/b.{ch}");
        answers += compare(&scanner, &text, 0..text.len(), 0);
    }
    assert!(answers > 10, "{answers}");
}

/// Each character of the Basic Multilingual Plane beyond ASCII, behind a host with a known domain.
#[test]
fn neighbours_of_hosts() {
    let scanner = Scanner::default();
    let mut answers = 0;
    for ch in '\u{80}'..='\u{FFFF}' {
        for text in [
            format!("{ch}http://a.org{ch} http://a.co.jp{ch}"),
            format!(" http://例え.jp{ch}/ "),
        ] {
            answers += compare(&scanner, &text, 0..text.len(), 0);
        }
    }
    assert!(answers > 1000, "{answers}");
}

/// The tables do not cover settings that change what a link is.
#[test]
fn tables_do_not_cover_other_settings() {
    use super::super::Breaks;
    let text = "http://example.org/ ";
    let known = |scanner: &Scanner| {
        let edges = (Edge::Whole, Edge::Whole);
        FastFinder::new(text.as_bytes(), edges, scanner, Charset::UTF_8).is_some()
    };
    assert!(known(&Scanner::default()) && known(&Scanner::new(Profile::Scheme)));
    assert!(!known(&Scanner::new(Profile::Uts58)));
    assert!(!known(&Scanner::default().join(Breaks::WRAPPED)));
    assert!(!known(&Scanner::default().refuse_schemes(["http"])));
    let own = Scanner::default().top_level_domains(["4", "corp"]);
    for text in [
        "1.2.3.4 ",
        "a.4 ",
        "wiki.corp/a ",
        "a@wiki.corp ",
        "www.example.com ",
    ] {
        compare(&own, text, 0..text.len(), 0);
    }
}

/// A trail byte in front of a link does not belong to its scheme.
#[test]
fn trail_bytes_begin_no_link() {
    for label in ["shift_jis", "big5", "gb18030", "gbk", "euc-kr"] {
        let charset = Charset::for_label(label).unwrap();
        let mut answers = 0;
        for (lead, trail) in (0x80..=0xFF_u8).flat_map(|a| (0x21..=0xFF_u8).map(move |b| (a, b))) {
            let mut bytes = vec![b' ', lead, trail];
            bytes.extend_from_slice(b"http://a.example/ ");
            let scanner = Scanner::default();
            let edges = (Edge::Whole, Edge::Whole);
            let web = FastFinder::new(&bytes, edges, &scanner, charset).unwrap();
            let web = web.in_bytes(false, References::None);
            let colon = bytes.len() - "://a.example/ ".len();
            let found = web.link(colon, 0);
            let text = charset.decode(&bytes);
            let is_http = text.ends_with("http://a.example/ ");
            // The tables know a link behind any character of two bytes.
            let is_known = trail >= 0x40 && charset.pair([lead, trail]).is_some();
            assert!(found.is_some() || !is_known, "{text}");
            let at = text.len() - "://a.example/ ".len();
            match judged(&scanner, &text, at, 0) {
                Found::Link(link) if found.is_some() => {
                    answers += 1;
                    assert!(is_http, "{text}");
                    assert_eq!(&text[link.start..link.end], "http://a.example/");
                }
                other => assert!(found.is_none(), "{text} {other:?}"),
            }
        }
        assert!(answers > 8000, "{label} {answers}");
    }
}
