use super::SerializedStrings;
use std::ops::Range;

type Layer = fn(&str) -> String;

/// The literals and markup around serialized data.
const LAYERS: [(&str, Layer); 12] = [
    ("plain", str::to_owned),
    ("JSON", json),
    ("JSON, ASCII", json_ascii),
    ("JSON in JSON", |text| json(&json(text))),
    ("ASCII in JSON", |text| json(&json_ascii(text))),
    ("MySQL", mysql),
    ("SQL", |text| text.replace('\'', "''")),
    ("JSON in MySQL", |text| mysql(&json_ascii(text))),
    ("SQL in JSON", |text| json(&text.replace('\'', "''"))),
    ("CSV", |text| text.replace('"', "\"\"")),
    ("attribute", attribute),
    ("JSON in an attribute in a feed", |text| {
        attribute(&attribute(&json(text)))
    }),
];

const VALUES: [&str; 9] = [
    "http://old.example/shop/",
    "<a href=\"http://old.example/caf\u{e9}\" class='x'>it's</a>\r\n",
    "\u{43f}\u{440}\u{438}\u{432}\u{435}\u{442} \u{1f600} http://old.example/",
    "C:\\new\\\"table\";\\",
    "a:1:{s:3:\"url\";s:19:\"http://old.example/\";}",
    "it's '' \"\"; &amp; &quot; \\u00e9",
    "\0*\0x",
    "}:{;\"",
    "\\\\\\\\",
];

fn json(text: &str) -> String {
    let escape = |ch: char| match ch {
        '"' | '\\' | '/' => format!("\\{ch}"),
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\0' => "\\u0000".to_owned(),
        ch => ch.to_string(),
    };
    text.chars().map(escape).collect()
}

fn json_ascii(text: &str) -> String {
    let mut units = [0; 2];
    let mut escape = |ch: char| match ch {
        ch if ch.is_ascii() => ch.to_string(),
        ch => {
            let units = ch.encode_utf16(&mut units).iter();
            units.map(|unit| format!("\\u{unit:04x}")).collect()
        }
    };
    json(text).chars().map(&mut escape).collect()
}

fn mysql(text: &str) -> String {
    let escape = |ch: char| match ch {
        '"' | '\\' | '\'' => format!("\\{ch}"),
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\0' => "\\0".to_owned(),
        ch => ch.to_string(),
    };
    text.chars().map(escape).collect()
}

fn attribute(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('"', "&quot;")
        .replace('<', "&lt;")
        .replace('\'', "&#039;")
}

/// True if each byte of a text is covered, reading in windows of a length.
fn covered(text: &[u8], window: usize, is_utf8: bool) -> Vec<bool> {
    let mut strings = SerializedStrings::new(is_utf8);
    let mut covered = Vec::new();
    let mut end = 0;
    while covered.len() < text.len() {
        end = (end + window).min(text.len());
        let origin = covered.len().saturating_sub(128);
        let window = &text[origin..end];
        strings.read(window, origin as u64);
        let asked = covered.len()..end;
        covered.extend(asked.map(|at| strings.covers(at as u64, (window, origin as u64))));
    }
    covered
}

/// The covered ranges, the same for all windows. A closing quotation mark may be covered or not, depending on the
/// window, but no link begins there.
fn ranges(text: &[u8], is_utf8: bool) -> Vec<Range<usize>> {
    let whole = covered(text, text.len().max(1), is_utf8);
    let may_begin: Vec<bool> = (0..text.len()).map(|at| may_begin(text, at)).collect();
    for window in [1, 2, 3, 7, 64] {
        let parts = covered(text, window, is_utf8);
        for at in (0..text.len()).filter(|&at| may_begin[at]) {
            assert_eq!(
                parts[at],
                whole[at],
                "{window}, {at}: {}",
                text.escape_ascii()
            );
        }
    }
    runs(&whole)
}

/// True if a link may begin at a byte: no escape stands there.
fn may_begin(text: &[u8], at: usize) -> bool {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'#';
    let word = text[..at]
        .iter()
        .rev()
        .take_while(|byte| is_word(byte))
        .count();
    let before = &text[..at - word];
    let in_escape = [&b"\\"[..], b"&", b"&amp;"]
        .iter()
        .any(|escape| before.ends_with(escape));
    text[at].is_ascii_alphanumeric() && !in_escape
}

fn only(range: Range<usize>) -> Vec<Range<usize>> {
    vec![range]
}

fn runs(covered: &[bool]) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    let covered = covered.iter().enumerate();
    for at in covered.filter_map(|(at, is)| is.then_some(at)) {
        match runs.last_mut() {
            Some(last) if last.end == at => last.end += 1,
            _ => runs.push(at..at + 1),
        }
    }
    runs
}

/// A text around a value of `count` octets, written in a layer, and the range of the value.
fn written(value: &str, count: usize, layer: Layer) -> (String, Range<usize>) {
    let before = layer(&format!("a:2:{{i:0;s:{count}:\""));
    let after = layer("\";i:1;i:5;} http://b.example/ items:24:\" \n");
    let value = layer(value);
    let range = before.len()..before.len() + value.len();
    (before + &value + &after, range)
}

#[test]
fn strings_are_covered_exactly() {
    for (name, layer) in LAYERS {
        for value in VALUES {
            let (text, mut range) = written(value, value.len(), layer);
            let found = ranges(text.as_bytes(), true);
            // CSV looks like a string that begins with a quotation mark, so a little more may be covered, and one of
            // two quotation marks at the end.
            if name == "CSV" && found[0].end.abs_diff(range.end) <= 3 {
                range.end = found[0].end;
            }
            assert_eq!(found, [range], "{name}: {text}");
        }
    }
}

/// The data was in a charset with one octet for a character, and the dump is in UTF-8; and the other way round.
#[test]
fn other_charsets() {
    for (name, layer) in LAYERS {
        let value = VALUES[1];
        let (text, range) = written(value, value.chars().count(), layer);
        assert_eq!(ranges(text.as_bytes(), true), [range], "{name}: {text}");
    }
    let (text, range) = written(VALUES[1], VALUES[1].len(), str::to_owned);
    let latin: Vec<u8> = text.chars().map(|ch| ch as u8).collect();
    // More may be covered, but not less.
    let covered = ranges(&latin, false);
    assert!(covered[0].start == range.start && covered[0].end >= range.end - 1);
}

#[test]
fn names_and_bodies_of_classes() {
    let body = "x:i:0;a:1:{s:3:\"url\";s:19:\"http://old.example/\";};m:a:0:{}";
    for (name, layer) in LAYERS {
        let before = layer(&format!("C:11:\"ArrayObject\":{}:{{", body.len()));
        let text = before.clone() + &layer(body) + &layer("} http://b.example/");
        let found = ranges(text.as_bytes(), true);
        let range = before.len()..before.len() + layer(body).len();
        assert_eq!(found.last(), Some(&range), "{name}: {text}");
        assert_eq!(found.len(), 2, "{name}: {text}");
    }
}

/// If the length is wrong, a string is covered as far as it may reach.
#[test]
fn wrong_lengths_cover_too_much() {
    assert_eq!(ranges(b"s:9:\"abc\"; http://a.example/", true), only(5..14));
    assert_eq!(
        ranges(b"s:3:\"abcdefg\"; http://a.example/", true),
        only(5..8)
    );
    assert_eq!(ranges(b"s:3:\\\"\\x41\\x42\\x43defg", true), only(6..18));
    let long = format!("s:9999999999:\"{}", "abc\";".repeat(99));
    assert_eq!(ranges(long.as_bytes(), true), only(14..long.len()));
}

/// Two quotation marks may come from CSV, or the second may belong to the string: a little more is covered.
#[test]
fn strings_that_begin_with_a_quotation_mark() {
    for value in ["\"", "\"a\" \"b\"", "\"http://old.example/\";\"", "\"\"\""] {
        for (name, layer) in LAYERS {
            let (text, range) = written(value, value.len(), layer);
            let found = ranges(text.as_bytes(), true);
            let is_there = found[0].start.abs_diff(range.start) <= 1
                && (range.end - 2..range.end + 4).contains(&found[0].end);
            assert!(
                found.len() == 1 && is_there,
                "{name}: {text} {found:?} {range:?}"
            );
        }
    }
}

/// A string whose end is missed, because no way of counting fits, does not hide the next string.
#[test]
fn unseen_ends_hide_no_openings() {
    let data = "a:2:{i:0;s:9:\"\\u4e2d\\u6587\\ud83d\\ude00x\";i:1;s:19:\"http://old.example/\";} http://b.example/";
    let data = data.replace('"', "\\\"");
    let found = ranges(data.as_bytes(), true);
    let (link, free) = (
        data.find("http://old").unwrap(),
        data.find("http://b").unwrap(),
    );
    assert!(found.iter().any(|range| range.contains(&link)), "{found:?}");
    assert!(
        !found.iter().any(|range| range.contains(&free)),
        "{found:?}"
    );
}

#[test]
fn hexadecimal_octets() {
    assert_eq!(ranges(b"S:5:\"caf\\c3\\a9\"; x", true), only(5..14));
}

#[test]
fn other_texts_have_no_strings() {
    for text in [
        "items:24:\"http://a.example/\"",
        "s:24:http://a.example/",
        "s:24 \"http://a.example/\"",
        "s:12345678901:\"http://a.example/\"",
        "https://a.example:80/ C:\\new s::",
        "s:2:&lt;http://a.example/",
        "s:24:'http://a.example/'",
        "s:",
        "s:24:\\",
        "C:1:\"A\";x",
    ] {
        let found = ranges(text.as_bytes(), true);
        assert!(
            found.iter().all(|range| range.len() < 2),
            "{text}: {found:?}"
        );
    }
}

/// Rows of text in the output of React's server components, in a file and in a string of a script.
#[test]
fn rows_of_server_components() {
    let covers = |text: &str| {
        let found = ranges(text.as_bytes(), true);
        let found = found.into_iter().map(|range| text[range].to_owned());
        found.collect::<Vec<_>>()
    };
    assert_eq!(
        covers("1:\"$S\"\n2:T12,http://a.example/b3:T2,cd4:[\"x\"]\n"),
        ["http://a.example/b", "cd"]
    );
    assert_eq!(
        covers(r#"f.push([1,"a0:T14,see <http://a.test/>b:T1,x"])"#),
        ["see <http://a.test/>", "x"]
    );
    assert_eq!(
        covers(r#"["1:\"S\"\n2:T4,\n\"ab http://a.test"]"#),
        [r#"\n\"ab"#]
    );
    for text in [
        "x2:T12,ab",
        "2:T,ab",
        "2:Tx,ab",
        "12:T30 x",
        " 2:T12,ab",
        "2:T123456789,ab",
    ] {
        assert_eq!(covers(text), [""; 0], "{text}");
    }
}

/// An escape in front of an opening is no word, nor is text in a script without spaces.
#[test]
fn escapes_in_front() {
    for before in [
        "\u{FEFF}",
        "\u{7F13}\u{5B58}",
        "\u{FF1A}",
        "\\n",
        "\\t",
        "|",
        "'",
        ">",
        "&quot;",
        "\0",
        "\\u0022",
        "\\\\u0020",
        "\\x0a",
        "\\012",
        "&#10",
        "&#xa",
    ] {
        let text = format!("{before}s:3:\"abc\";");
        let start = before.len() + 5;
        assert_eq!(
            ranges(text.as_bytes(), true),
            only(start..start + 3),
            "{text}"
        );
    }
}

#[test]
fn escaped_colons() {
    for colon in [
        "\\:",
        "\\u003a",
        "\\\\u003A",
        "\\x3a",
        "\\072",
        "&#58;",
        "&#x3A;",
        "&colon;",
        "&amp;#58;",
    ] {
        for (first, second) in [(colon, ":"), (":", colon), (colon, colon)] {
            let text = format!("s{first}3{second}\"abc\"; http://b.example/");
            let start = text.find("abc").unwrap();
            assert_eq!(
                ranges(text.as_bytes(), true),
                only(start..start + 3),
                "{text}"
            );
        }
    }
}
