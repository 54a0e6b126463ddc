//! Marked-text cases, the published UTS 58 cases, and step counts.

use super::*;

mod shortcuts;

/// A case without its marks.
fn unmarked(case: &str) -> String {
    case.replace(['⸠', '⸡'], "")
}

/// The text with marks around each link that is found.
pub(super) fn marked(scanner: &Scanner, text: &str) -> String {
    let (mut out, mut last) = (String::new(), 0);
    for hit in scanner.links(text) {
        out.push_str(&text[last..hit.span.start]);
        out.push('⸠');
        out.push_str(hit.span.of(text));
        out.push('⸡');
        last = hit.span.end;
    }
    out + &text[last..]
}

fn failures<'c>(scanner: &Scanner, cases: impl Iterator<Item = &'c str>) -> (usize, Vec<String>) {
    let (mut count, mut bad) = (0, Vec::new());
    for case in cases {
        count += 1;
        let got = marked(scanner, &unmarked(case));
        if got != case {
            bad.push(format!("\n want {case}\n  got {got}"));
        }
    }
    (count, bad)
}

fn shared(name: &str) -> Option<String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/uts58/");
    let found = std::fs::read_to_string(format!("{path}{name}")).or_else(|_| {
        std::fs::read_to_string(format!(
            "{}/../../../../shared/data/uts58/{name}",
            env!("CARGO_MANIFEST_DIR")
        ))
    });
    if found.is_err() {
        eprintln!("skipped: {name} is not here");
    }
    found.ok()
}

#[test]
fn uts58_detection_cases() {
    let Some(file) = shared("LinkDetectionTest-half.txt") else {
        return;
    };
    let cases = file
        .lines()
        .filter(|l| !l.starts_with('#') && !l.is_empty());
    let (count, bad) = failures(&Scanner::new(Profile::Uts58), cases);
    assert!(count > 150);
    assert!(bad.is_empty(), "{} of {count}: {}", bad.len(), bad.concat());
}

/// `extended` follows UTS 58, apart from false links.
#[test]
fn extended_differs_from_uts58_in_few_cases() {
    let Some(file) = shared("LinkDetectionTest-half.txt") else {
        return;
    };
    let cases = file
        .lines()
        .filter(|l| !l.starts_with('#') && !l.is_empty());
    let (count, bad) = failures(&Scanner::default(), cases);
    assert!(bad.len() <= 6, "{} of {count}: {}", bad.len(), bad.concat());
    eprintln!("{} of {count}: {}", bad.len(), bad.concat());
}

/// The values of a structure comment, each with its mark (path, query name, value, fragment).
fn structure(comment: &str) -> Vec<(char, String)> {
    let mut values: Vec<(char, String)> = Vec::new();
    let body = comment.trim_start_matches("# {").trim_end_matches('}');
    let mut chars = body.chars().peekable();
    while let Some(ch) = chars.next() {
        if "𝑺𝑯𝑷𝑸𝑽𝑭𝑫".contains(ch) && chars.peek() == Some(&'=') {
            chars.next();
            if let Some((_, value)) = values.last_mut() {
                *value = value.trim_end_matches(' ').to_owned();
            }
            values.push((ch, String::new()));
        } else if let Some((_, value)) = values.last_mut() {
            value.push(ch);
        }
    }
    values
}

fn formatted(scanner: &Scanner, values: &[(char, String)]) -> String {
    let of = |mark: char| {
        values
            .iter()
            .filter(move |(m, _)| *m == mark)
            .map(|(_, v)| v.as_str())
    };
    let origin: String = of('𝑺').chain(of('𝑯')).collect();
    let path: Vec<&str> = of('𝑷').collect();
    let fragment: Vec<&str> = of('𝑭').chain(of('𝑫')).collect();
    let mut query: Vec<(&str, Option<&str>)> = Vec::new();
    for (mark, value) in values {
        match (mark, query.last_mut()) {
            ('𝑸', _) => query.push((value, None)),
            ('𝑽', Some(last)) => last.1 = Some(value),
            _ => {}
        }
    }
    scanner.format_parts(&LinkParts {
        origin: &origin,
        path: &path,
        query: &query,
        fragment: &fragment,
    })
}

#[test]
fn uts58_formatting_cases() {
    let Some(file) = shared("LinkFormattingTest-half.txt") else {
        return;
    };
    let lines: Vec<&str> = file.lines().collect();
    let scanner = Scanner::new(Profile::Uts58);
    let mut count = 0;
    for case in lines.windows(3).filter(|w| w[0].starts_with("# {")) {
        let got = formatted(&scanner, &structure(case[0]));
        assert_eq!(got, case[2], "{}", case[0]);
        assert_eq!(
            marked(&scanner, &format!("a {got} b")),
            format!("a ⸠{got}⸡ b")
        );
        count += 1;
    }
    assert!(count > 20, "{count}");
}

/// The filters never dismiss a link that the finder would take.
#[test]
fn filters_dismiss_no_link() {
    let words = [
        "http", ":", "//", "www.", "example", ".com", ".", "。", "@", "a", "1", "/", "[", "]", "-",
        "_", " ", "mailto", "tel", "+", "%", "&", "#", "(", "é", "日", "\"", "<URL:", ">",
    ];
    let mut seed = 7_u64;
    for round in 0..4000 {
        let mut text = String::new();
        for _ in 0..3 + round % 12 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            text.push_str(words[(seed >> 33) as usize % words.len()]);
        }
        for scanner in [Profile::Extended, Profile::Uts58, Profile::Scheme].map(Scanner::new) {
            let found: Vec<_> = scanner
                .links(&text)
                .map(|h| (h.span.start, h.span.end))
                .collect();
            assert_eq!(found, unfiltered(&scanner, &text), "{text}");
        }
    }
}

fn unfiltered(scanner: &Scanner, text: &str) -> Vec<(usize, usize)> {
    let inner = text::Text::new(text, scanner.classes());
    let (mut floor, mut next, mut found) = (0, 0, Vec::new());
    for (at, _) in text
        .char_indices()
        .filter(|(_, ch)| matches!(ch, ':' | '.' | '。'))
    {
        if at < next {
            continue;
        }
        match (find::Finder {
            text: &inner,
            scanner,
            floor,
        })
        .at(at)
        {
            find::Found::Nothing => {}
            find::Found::Skip(to) => floor = to,
            find::Found::Link(link) => {
                (floor, next) = (link.floor, link.end);
                found.push((link.start, link.end));
            }
        }
    }
    found
}

fn steps(scanner: &Scanner, text: &str) -> u64 {
    let mut links = scanner.links(text);
    while links.next().is_some() {}
    links.steps.get() + links.web.map_or(0, |web| web.steps.get())
}

/// Repeating a pattern twice as often costs at most about twice as many steps.
#[test]
fn hostile_patterns_are_linear() {
    let patterns = [
        "a.a~",
        "(",
        "http:",
        "@",
        ".",
        "@.",
        "a@",
        "a.",
        "<",
        "<http://",
        "<http://a ",
        "<http://a/ b ",
        "<URL:a.com/\n",
        "<a=b@c.com",
        "[*]http://a/",
        "\\(la",
        "\\(laa.com",
        "http://a/\\(em",
        "\\fBa.com",
        "=a.com",
        "%s://a",
        "<URL:",
        "http://",
        "http://a",
        "http://(",
        "http://a/(",
        "http://a/\"",
        "\"",
        "'",
        "''",
        "a.com",
        "a.com.",
        ".com-",
        "-.com ",
        "-.com~",
        "a.com@",
        "@a.com",
        "/a@b.com",
        "www.",
        "www.a",
        "mailto:",
        "mailto:a@b,",
        "x@y.",
        "[",
        "[::",
        "http://[",
        "http://a:b",
        "http://a@",
        "http://a:1@",
        "://",
        "a:",
        "tel:",
        "tel:1",
        "urn:a:",
        "http://a/。",
        "。",
        "a。中",
        "http://a.b/…",
        "（",
        "http://a/（",
        "http://a/“",
        "”",
        "&",
        "&#",
        "_",
        "_http://a_",
        "**http://a**",
        "http://a/*",
        "http://a/\\",
        "a.b.c:",
        "1.1.1.1/",
        "%41",
        "http://%41",
        "é",
        "é.中国",
        "http://é",
        "http://a/x?=[",
        "#:~:",
        "a\u{200D}.",
        "http://a/!",
        "日本.com",
        "。com",
        // From advisories about other linkifiers: trailing punctuation, entities, brackets, dashes.
        ";",
        "&;",
        "&lt;",
        ")",
        ":.",
        ".,:;)\"!",
        "http://a/;",
        "http://a/.",
        "http://a/&gt",
        "test.//",
        "()",
        "[]",
        "--",
        "a--",
        "*@*.com",
        "!@a.b",
        "//a",
        "http://a,",
        "ftp://a'b@",
        "http://a'(",
        "http://a-",
        "http://a/，",
        "http://a/街，",
        "xhttp",
        "xhttp://",
        "→a.com",
        // Names that are glued together, each of which might be emphasis.
        "_http://a/é",
        "(_ftp://a/é",
        "é__http://a",
        "_mailto:a@b.c?é",
        "_tel:+1;é",
        "](http://a/。",
        "](www.a.b/。",
        "\"http://a/。b",
        "{www.a.b/、",
        "[",
        "x[",
        "&amp;",
        "/を",
        ".html上",
        "👍",
        "-->",
        "http://a/-->",
    ];
    let mut bad = Vec::new();
    for scanner in [Profile::Extended, Profile::Uts58, Profile::Scheme].map(Scanner::new) {
        for pattern in patterns {
            let heads = ["", "http://a/", "<http://a/", "\"http://a/"];
            let heads = if scanner.profile() == Profile::Extended {
                &heads[..]
            } else {
                &heads[..1]
            };
            for head in heads {
                let cost =
                    |n: usize| steps(&scanner, &format!("{head}{}", pattern.repeat(n))) as f64;
                let (one, two, four) = (cost(2000), cost(4000), cost(8000));
                // The tables read the first 2 KiB at next to no cost.
                let grows = two > 2.2 * one + 40_000.0 || four > 2.2 * two + 40_000.0;
                if grows {
                    bad.push(format!(
                        "{:?} {head}{pattern}: {one} {two} {four}",
                        scanner.profile
                    ));
                }
            }
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

/// Links over line breaks: the part in front of a break is judged again with the part behind it.
#[test]
fn hostile_breaks_are_linear() {
    let patterns = [
        "http://a \n",
        "http://a/b \n",
        "http://a/b/\n",
        "http://a/\nb/c",
        "http://a/\n> b/c",
        "> http://a/\n",
        "\"http://a/\n",
        "'http://a/'/\n",
        "(http://a/\n(",
        "[http://a/ /\n",
        "<http://a/\n",
        "<http://a/\n> ",
        "> <http://a/\n> b",
        "<a.com/\n",
        "<a.com\n> ",
        "\n",
        "> ",
        "\n>",
        "a.com/\n",
        "www.a \n",
        "a/b-\n",
        "b \n",
        ". \n",
        ": \n",
        "a \n:",
        "a \n.b",
        "> b \n",
        "(http://a/ ",
        "\"http://a/- ",
        "'http://a/b-c ' ",
    ];
    let joining = Scanner::default().join(Breaks::FLOWED.with(Breaks::WRAPPED));
    let heads = ["", "> http://a/", "\"http://a/", "<http://a/"];
    let mut bad = Vec::new();
    for scanner in [Scanner::default(), joining] {
        for (pattern, head) in patterns.iter().flat_map(|p| heads.map(|head| (p, head))) {
            let text = |n: usize| format!("{head}{}", pattern.repeat(n));
            let cost = |n: usize| steps(&scanner, &text(n)) as f64;
            let (one, two, four) = (cost(400), cost(800), cost(1600));
            let most = 2_000.0 * text(1600).len() as f64;
            if two > 2.2 * one + 40_000.0 || four > 2.2 * two + 40_000.0 || four > most {
                bad.push(format!("{head:?} {pattern:?}: {one} {two} {four}"));
            }
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

/// Random strings of the characters that detection knows cost no more per byte when they are longer.
#[test]
fn random_strings_are_linear() {
    let alphabets = ["a.@:/<([{", "a.@:/<([{é中。”’，", "h:/.\n> \"'-", "a. \n>/"];
    let mut seed = 3987_u64;
    let mut random = |alphabet: &str, n: usize| -> String {
        let chars: Vec<char> = alphabet.chars().collect();
        let mut next = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            chars[(seed >> 33) as usize % chars.len()]
        };
        (0..n).map(|_| next()).collect()
    };
    let joining = Scanner::default().join(Breaks::FLOWED.with(Breaks::WRAPPED));
    for alphabet in alphabets {
        let (short, long) = (random(alphabet, 10_000), random(alphabet, 40_000));
        for scanner in [&Scanner::default(), &joining, &Scanner::new(Profile::Uts58)] {
            let (one, four) = (steps(scanner, &short) as f64, steps(scanner, &long) as f64);
            assert!(four < 5.0 * one + 40_000.0, "{alphabet} {one} {four}");
            assert!(four < 2_000.0 * long.len() as f64, "{alphabet} {four}");
        }
    }
}

/// Only a link at the end of its word is read with the lines behind it, and each of these lines at most a few times.
#[test]
fn joined_lines_cost_little() {
    let joining = Scanner::default().join(Breaks::WRAPPED);
    let line = |unit: &str| format!("{}\n", unit.repeat(990 / unit.len()));
    let mut units = vec![
        "\u{e9}.org\u{2010}\n  ".to_owned(),
        "a.org\u{2010}\n".to_owned(),
        format!("{}\u{e9}.org\u{2010}\n", "a.b:".repeat(10)),
        format!("{}\u{e9}.org\u{2010}\n", "a:".repeat(30)),
        format!("{}\u{e9}.org\u{2010}\n", "1.".repeat(20)),
    ];
    for open in ["(", "](", "[", "{", "\"", "\u{ab}", "\u{201c}", ">", "`"] {
        units.push(line(&format!("{open}a.org/b")));
        units.push(line(&format!("{open}http://a.example/b")));
        units.push(format!(
            "{}/\n",
            format!("{open}http://a.example/b").repeat(4)
        ));
        units.push(format!("{}\n", format!("{open}a.org/b/ ").repeat(6)));
        units.push(format!("{open}http://a.example/b/\n"));
    }
    let bad: Vec<_> = units
        .iter()
        .map(|unit| (unit, unit.repeat(20_000 / unit.len())))
        .map(|(unit, text)| (unit, steps(&joining, &text) / text.len() as u64))
        .filter(|(_, each)| *each > 100)
        .collect();
    assert!(bad.is_empty(), "{bad:#?}");
}

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
        self.charset.decode_mapped(bytes)
    }
}

/// The bytes decoded, characters read and triggers seen, in windows of 16 KiB.
fn byte_steps(bytes: &[u8], decode: &Plain) -> u64 {
    let scanner = Scanner::default();
    let (mut state, mut from, mut to) = (State::default(), 0, 0);
    while to < bytes.len() {
        to = (to + (16 << 10)).min(bytes.len());
        let (window, last) = (&bytes[from..to], to == bytes.len());
        from += scanner.scan(window, last, decode, &mut state, &mut Vec::new());
    }
    state.steps
}

#[test]
fn hostile_bytes_are_linear() {
    let patterns = [
        "&lt;http://a/\n&gt; ",
        "&lt;http://a/ ",
        "&lt;http://a/&#10;&gt; ",
        "。",
        "。中国",
        "a。com",
        "中国。",
        "a.a~",
        "a.com,",
        "a.com",
        ".com-",
        "表ソ.com",
        "http:",
        "http://",
        "<http://a ",
        "テhttp://a",
        "mailto:a@b,",
        "@",
        "a@",
        "(",
        "www.",
        "www.表。",
        "&",
        "&#46;",
        "x@y.",
        "http://a/。",
        "a.",
        "表.jp。",
    ];
    let mut bad = Vec::new();
    for label in [
        "utf-8",
        "shift_jis",
        "euc-jp",
        "gb18030",
        "big5",
        "windows-1252",
    ] {
        let charset = Charset::for_label(label).unwrap();
        for (pattern, references) in patterns.iter().flat_map(|p| [(p, false), (p, true)]) {
            let mut bytes = Vec::new();
            if references && label != "utf-8" || charset.encode(pattern, &mut bytes).is_err() {
                continue;
            }
            let decode = Plain {
                charset,
                references,
            };
            let cost = |n: usize| byte_steps(&bytes.repeat(n / bytes.len()), &decode) as f64;
            let (one, two, four) = (cost(8_000), cost(16_000), cost(32_000));
            if two > 2.2 * one + 150_000.0 || four > 2.2 * two + 150_000.0 {
                bad.push(format!(
                    "{label} {pattern} {references}: {one} {two} {four}"
                ));
            }
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

/// Text behind `_` is read as a link only if it may be emphasis: neither behind a letter, nor without a second mark.
#[test]
fn a_mark_without_a_second_one_costs_little() {
    let decode = Plain {
        charset: Charset::UTF_8,
        references: false,
    };
    for (unit, most) in [("_http://a/\u{e9}", 20), ("(_ftp://a/\u{e9}", 200)] {
        let bytes = unit.repeat(2_000).into_bytes();
        let each = byte_steps(&bytes, &decode) / bytes.len() as u64;
        assert!(each < most, "{unit}: {each} steps a byte");
    }
    let text = "_http://a/\u{e9}_ __http://b/c__ (_http://d_ a_http://e/_ _http://f/\u{e9}";
    let links: Vec<_> = links(text).map(|hit| hit.span.of(text)).collect();
    assert_eq!(links, ["http://a/\u{e9}", "http://b/c", "http://d"]);
}

/// No bracket, quote or punctuation mark is part of a host, although UTS 46 allows some.
#[test]
fn hosts_have_no_punctuation() {
    let scanner = Scanner::default();
    let found = |text: &str| -> Vec<String> {
        let hits = scanner.links(text).map(|hit| hit.span.of(text).to_owned());
        hits.collect()
    };
    for mark in "「」『』《》〈〉【】（）“”„«»‹›‘’、！？；：၊።؟".chars()
    {
        let text = format!("{mark}www.example.net{mark} a{mark}b.example.org");
        let links = found(&text);
        assert_eq!(
            links.first().map(String::as_str),
            Some("www.example.net"),
            "{text}"
        );
        assert_eq!(
            links.get(1).map(String::as_str),
            Some("b.example.org"),
            "{text}"
        );
    }
    assert_eq!(
        found("http://example.org/」www.example.net/ü"),
        ["http://example.org/", "www.example.net/ü"]
    );
}
