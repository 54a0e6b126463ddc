//! Links in bytes equal those of the decoded text: in any charset, with any cuts.

use linkglot_charset::{Charset, MappedText};
use linkglot_scan::{Breaks, ByteHit, Decode, Evidence, Profile, Scanner, State};
use proptest::prelude::*;

/// A charset, possibly with references: numeric ones, `&amp;`, `&period;`, `&colon;`, `&lt;`.
struct Plain {
    charset: Charset,
    references: bool,
}

impl Decode for Plain {
    fn charset(&self) -> Charset {
        self.charset
    }

    fn has_references(&self) -> bool {
        self.references
    }

    fn decode<'b>(&self, bytes: &'b [u8]) -> MappedText<'b> {
        let outer = self.charset.decode_mapped(bytes);
        if !self.references || !outer.text().contains('&') {
            return outer;
        }
        expand(outer.text()).through(&outer)
    }
}

fn expand(text: &str) -> MappedText<'static> {
    let mut out = MappedText::new();
    let mut at = 0;
    while let Some(ch) = text[at..].chars().next() {
        let (len, ch) = reference(&text[at..]).unwrap_or((ch.len_utf8(), ch));
        let unit = ch.to_string();
        if len == unit.len() {
            out.push(&unit, at..at + len);
        } else {
            out.push_unit(&unit, at..at + len);
        }
        at += len;
    }
    out
}

fn reference(text: &str) -> Option<(usize, char)> {
    let name = text.strip_prefix('&')?;
    let end = name.find(';')?;
    let ch = match &name[..end] {
        "amp" => '&',
        "period" => '.',
        "colon" => ':',
        "lt" => '<',
        number => char::from_u32(number.strip_prefix('#')?.parse().ok()?)?,
    };
    Some((end + 2, ch))
}

/// For each link its range, its text, its implied scheme, and its evidence.
type Found = Vec<(u64, u64, String, (&'static str, Evidence))>;

fn record(found: &mut Found, origin: u64, hits: Vec<ByteHit<'_>>) {
    for hit in hits {
        let written = (hit.kind.implied_scheme().unwrap_or(""), hit.evidence);
        let (start, end) = (
            origin + hit.range.start as u64,
            origin + hit.range.end as u64,
        );
        found.push((start, end, hit.text().into_owned(), written));
    }
}

/// The links of the decoded text.
fn whole(scanner: &Scanner, bytes: &[u8], decode: &Plain) -> Found {
    let mapped = decode.decode(bytes);
    let text = mapped.text();
    let mut found = Found::new();
    for hit in scanner.links(text) {
        let range = mapped.source(hit.span);
        let link = hit.link(text).into_owned();
        found.push((
            range.start as u64,
            range.end as u64,
            link,
            (hit.implied_scheme().unwrap_or(""), hit.evidence),
        ));
    }
    found
}

/// The links of the bytes in pieces of these lengths, repeated.
fn in_pieces(scanner: &Scanner, bytes: &[u8], decode: &Plain, lengths: &[usize]) -> Found {
    let (mut state, mut found) = (State::default(), Found::new());
    let (mut from, mut to) = (0, 0);
    let mut lengths = lengths.iter().cycle();
    loop {
        to = (to + lengths.next().unwrap()).min(bytes.len());
        let last = to == bytes.len();
        let mut hits = Vec::new();
        let keep = scanner.scan(&bytes[from..to], last, decode, &mut state, &mut hits);
        record(&mut found, from as u64, hits);
        if last {
            return found;
        }
        from += keep;
    }
}

const TEXTS: &[&str] = &[
    "<tel:+1234/\nb/c\n> \">",
    "<http://a.example/> \"http://a.example/b\" (www.a.org) `http://a.example/b` <a.org/b> <ann@a.org> <a.org> &lt;a.org/b&gt;",
    "「http://a.example/é」 「http://a.example/b」 «http://a.example/b» （www.a.org） „www.a.org/b“ は「www.a.org/b。",
    "[x](http://a.example/b) [[http://a.example/b|x]] [url]http://a.example/b[/url] <URL:http://a.example/b> <URL:a@a.org> *www.a.org*",
    "a http://example.org/b?c=d#e, and www.example.com.",
    "参照はhttp://example.org/日本語。詳しくは例え.jpへ",
    "普遍适用测试。我爱你 x",
    "mail jörg@example.de or <mailto:a@b.example?subject=x>",
    "Смотри http://пример.рф/путь, и так далее. почта@пример.рф",
    "see <URL:http://example.org/a\n  b/c> and <http://a.example/x\r\ny>.",
    "ソースはhttp://example.org/表示/能力。表.com @表ソ.jp",
    "\"http://example.org/\",\"x\" 'http://a.example/b'",
    "http://a:b@[::1]:80/x http://192.168.0.1/ 10.0.0.1/x file.rs",
    "x.com~y.org~z.net~http:http://a.b/c|http://d.e/f",
    "> a <http://example.org/a\n> b> and\n>> <URL:\n>> http://a.example/x\r\n>> y>.",
    "> http://example.org/a/\n> b.html and http://a.example/c \n> d, \"http://a.example/é?\n> x=y\".",
];

/// Scanners of all profiles, and one that joins lines.
fn scanners() -> [Scanner; 4] {
    let [extended, uts58, scheme] =
        [Profile::Extended, Profile::Uts58, Profile::Scheme].map(Scanner::new);
    let joining = Scanner::default().join(Breaks::WRAPPED.with(Breaks::FLOWED));
    [extended, uts58, scheme, joining]
}

#[test]
fn every_charset_and_every_cut() {
    let mut cases = 0;
    for scanner in scanners() {
        for charset in Charset::all().filter(|c| c.is_ascii_compatible()) {
            for text in TEXTS {
                let mut bytes = Vec::new();
                if charset.encode(text, &mut bytes).is_err() {
                    continue;
                }
                let decode = Plain {
                    charset,
                    references: false,
                };
                let expected = whole(&scanner, &bytes, &decode);
                let context = format!("{} {text}", charset.name());
                assert_eq!(
                    in_pieces(&scanner, &bytes, &decode, &[bytes.len()]),
                    expected,
                    "{context}"
                );
                assert_eq!(
                    in_pieces(&scanner, &bytes, &decode, &[1]),
                    expected,
                    "{context}"
                );
                for cut in 1..bytes.len() {
                    let found = in_pieces(&scanner, &bytes, &decode, &[cut, bytes.len()]);
                    assert_eq!(found, expected, "{context} cut at {cut}");
                }
                cases += 1;
            }
        }
    }
    assert!(cases > 300, "{cases}");
}

#[test]
fn references_are_seen_through() {
    let scanner = Scanner::default();
    let decode = Plain {
        charset: Charset::UTF_8,
        references: true,
    };
    let texts = [
        "http&#58;//example&period;org/?a=1&amp;b=2&#12290;next",
        "see ex&#97;mple&period;com&#44; a&#64;b.example.org",
        "http&colon;//example.org/a&#47;b&lt;i&#62; www&#46;example&#46;com",
    ];
    for text in texts {
        let expected = whole(&scanner, text.as_bytes(), &decode);
        assert!(!expected.is_empty(), "{text}");
        for cut in 1..text.len() {
            let found = in_pieces(&scanner, text.as_bytes(), &decode, &[cut, 1, 7]);
            assert_eq!(found, expected, "{text} cut at {cut}");
        }
    }
}

/// Text without a byte at which a decoder could start, far longer than the scanner's unit of decoding.
#[test]
fn long_text_without_a_safe_byte() {
    let scanner = Scanner::default();
    let text = format!(
        "{}http://a.example/表。{}表例。中国。{}ソ.jp",
        "表ソ能".repeat(1500),
        "表ソ能。中国".repeat(150),
        "能表".repeat(2500)
    );
    for label in ["shift_jis", "big5", "gb18030", "euc-jp", "euc-kr", "utf-8"] {
        let charset = Charset::for_label(label).unwrap();
        let mut bytes = Vec::new();
        for ch in text.chars() {
            let _ = charset.encode(ch.encode_utf8(&mut [0; 4]), &mut bytes);
        }
        for references in [false, true] {
            let decode = Plain {
                charset,
                references,
            };
            let expected = whole(&scanner, &bytes, &decode);
            assert!(!expected.is_empty());
            assert_eq!(
                in_pieces(&scanner, &bytes, &decode, &[bytes.len()]),
                expected,
                "{label}"
            );
            assert_eq!(
                in_pieces(&scanner, &bytes, &decode, &[1000, 777]),
                expected,
                "{label}"
            );
        }
    }
}

fn soup() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "-\n",
        "\u{2010}\n  ",
        "\u{AD}\r\n> ",
        "https://\n",
        "http://",
        "https://",
        "example",
        ".com",
        ".",
        "..",
        "@",
        "/",
        ":",
        "//",
        "www.",
        "a",
        "-",
        "_",
        "?",
        "#",
        "&",
        "=",
        "(",
        ")",
        "<",
        ">",
        "\"",
        "'",
        "*",
        " ",
        "\n",
        "\n> ",
        " \n",
        "\n>> ",
        "/\nb/c",
        "。",
        "、",
        "」",
        "「",
        "参照は",
        "日本",
        "é",
        "mailto:",
        "tel:+1234",
        "<URL:",
        "[::1]",
        ":80",
        "\u{200E}",
        "~",
        "%41",
        ".org/",
        "x@y.org",
        "ソ",
        "表",
        "»",
        "“",
        "”",
        "\u{FFFD}",
        "[/url]",
        ".rs",
        "|",
    ]);
    prop::collection::vec(words, 0..40).prop_map(|words| words.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn soup_in_pieces(text in soup(), lengths in prop::collection::vec(1_usize..60, 1..5), which in 0_usize..5, label in 0_usize..6) {
        // Most runs join lines, which covers the most code.
        let scanner = scanners()[which.min(3)].clone();
        let charset = ["utf-8", "shift_jis", "gb18030", "euc-jp", "big5", "windows-1252"][label];
        let charset = Charset::for_label(charset).unwrap();
        let mut bytes = Vec::new();
        for ch in text.chars() {
            let _ = charset.encode(ch.encode_utf8(&mut [0; 4]), &mut bytes);
        }
        for references in [false, true] {
            let decode = Plain { charset, references };
            let expected = whole(&scanner, &bytes, &decode);
            prop_assert_eq!(&in_pieces(&scanner, &bytes, &decode, &[bytes.len().max(1)]), &expected);
            prop_assert_eq!(&in_pieces(&scanner, &bytes, &decode, &lengths), &expected);
        }
    }

    #[test]
    fn any_bytes_in_pieces(bytes in prop::collection::vec(prop::sample::select(b"\x81\x82\xE3\x80\xFF.:/@ah1com \n<>&#;\\_".to_vec()), 0..200),
                           lengths in prop::collection::vec(1_usize..60, 1..4), label in 0_usize..6) {
        let charset = ["utf-8", "shift_jis", "gb18030", "euc-jp", "big5", "windows-1252"][label];
        let decode = Plain { charset: Charset::for_label(charset).unwrap(), references: label % 2 == 0 };
        let scanner = Scanner::default();
        let expected = whole(&scanner, &bytes, &decode);
        prop_assert_eq!(in_pieces(&scanner, &bytes, &decode, &lengths), expected);
    }

    #[test]
    fn hits_are_sorted_and_disjoint(text in soup()) {
        let scanner = Scanner::default();
        let mut end = 0;
        for hit in scanner.links(&text) {
            prop_assert!(hit.span.start >= end && hit.span.end > hit.span.start);
            end = hit.span.end;
            prop_assert!(text.is_char_boundary(end) && text.is_char_boundary(hit.span.start));
        }
    }
}

/// ASCII links between double-byte characters, some of which have an ASCII trail byte.
#[test]
fn links_between_double_byte_characters() {
    let scanner = Scanner::default();
    let beside = [
        "表", "は", "、", "。", "ー", "能", "（", "）", "a", ":", "<", " ", "\n", "カ",
    ];
    let links = [
        "http://a.example/b.c/",
        "mailto:a@b.jp",
        "x-http://h.jp",
        "ftp://a.jp:1/?q=.",
    ];
    for label in ["shift_jis", "big5", "gb18030", "euc-jp", "euc-kr"] {
        let charset = Charset::for_label(label).unwrap();
        for (before, behind) in beside.iter().flat_map(|a| beside.map(|b| (a, b))) {
            let mut bytes = Vec::new();
            for link in links {
                for ch in format!("表{before}{link}{behind}能、{link}{behind}").chars() {
                    let _ = charset.encode(ch.encode_utf8(&mut [0; 4]), &mut bytes);
                }
            }
            let decode = Plain {
                charset,
                references: false,
            };
            let expected = whole(&scanner, &bytes, &decode);
            assert!(!expected.is_empty());
            for cuts in [&[bytes.len()][..], &[7, 30, 2]] {
                let found = in_pieces(&scanner, &bytes, &decode, cuts);
                assert_eq!(found, expected, "{label} {before} {behind} {cuts:?}");
            }
        }
    }
}
