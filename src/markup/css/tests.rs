use super::super::escape::{Escaping, Quote};
use super::*;

/// What [`references`] finds, each as `function value`, values as written.
fn found(text: &str) -> Vec<&str> {
    let mut values = Vec::new();
    references(text, &mut |part| {
        assert!(matches!(
            part.escaping,
            Escaping::CssString(_) | Escaping::CssUrl
        ));
        values.push(part.span.of(text));
    });
    values
}

/// What the tokenizer finds in the document handed over in windows that end at `cuts`.
fn tokens(bytes: &[u8], cuts: &[usize], charset: Charset, max: usize) -> Vec<String> {
    let mut tokenizer = CssTokenizer::new(max);
    let (mut found, mut origin, mut cursor) = (Vec::new(), 0, 0);
    let mut ends = cuts.iter().copied().chain([bytes.len()]);
    let mut end = ends.next().unwrap_or(bytes.len());
    loop {
        let last = end == bytes.len();
        let window = Window {
            bytes: &bytes[origin..end],
            last,
            charset,
        };
        let before = cursor;
        let step = tokenizer.step(window, &mut cursor);
        assert!(cursor >= before && cursor <= end - origin);
        match step {
            Step::Slot(slot) => {
                assert!(slot.range.start >= before);
                let place = slot.place.name.as_deref().unwrap_or("");
                let raw = charset.decode(&bytes[origin..end][slot.range.clone()]);
                found.push(format!("{} {raw} @{}", place, origin + slot.range.start));
            }
            Step::TooLong(at, place) => {
                let place = place.name.as_deref().unwrap_or("").to_owned();
                found.push(format!("{place} too long @{}", origin + at));
            }
            Step::NeedMore => {
                assert!(!last);
                end = ends.next().unwrap_or(bytes.len());
            }
            Step::End => {
                assert!(last && cursor == end - origin);
                return found;
            }
        }
        // The caller may drop what is before the cursor.
        origin += cursor;
        cursor = 0;
    }
}

fn every_split(bytes: &[u8], charset: Charset, max: usize) -> Vec<String> {
    let whole = tokens(bytes, &[], charset, max);
    for cut in 0..bytes.len() {
        assert_eq!(tokens(bytes, &[cut], charset, max), whole, "cut at {cut}");
    }
    let each: Vec<usize> = (0..bytes.len()).collect();
    assert_eq!(tokens(bytes, &each, charset, max), whole, "byte by byte");
    whole
}

#[test]
fn urls_bare_and_quoted() {
    assert_eq!(found("a{b:url(x.png)}"), ["x.png"]);
    assert_eq!(found("a{b:url(  x.png\t)}"), ["x.png"]);
    assert_eq!(found("a{b:URL( \"x y.png\" )}"), ["x y.png"]);
    assert_eq!(found("a{b:url('x\"y')}"), ["x\"y"]);
    assert_eq!(found("a{b:url(x\\)y)}"), ["x\\)y"]);
    assert_eq!(found("url(a)url(b),url(c)"), ["a", "b", "c"]);
    assert_eq!(found("a{b:url(é.png)}"), ["é.png"]);
    assert_eq!(found("a{b:url()}c{d:url('')}"), [""; 0]);
}

#[test]
fn what_is_no_url() {
    for text in [
        "/* url(x) */",
        "'url(x)'",
        "\"@import 'x';\"",
        "a{b:curl(x)}",
        "a{b:url (x)}",
        "a{b:-url(x)}",
        "a{b:#url(x)}",
        "@url(x)",
        "a{b:éurl(x)}",
        "a{b:url(x y)}",
        "a{b:url(x\"y)}",
        "a{b:url(x(y)}",
        "a{b:url('x' }",
        "@charset 'utf-8';",
        "@namespace svg url(http://www.w3.org/2000/svg);",
        "@namespace url('http://www.w3.org/2000/svg');",
        "@namespace/**/x/**/'http://www.w3.org/2000/svg';",
        "a{b:format('x')}",
        "a{content:'http://example.org/'}",
        "\\url (x)",
    ] {
        let expected: &[&str] = if text.contains("('x' }") { &["x"] } else { &[] };
        assert_eq!(found(text), expected, "{text}");
    }
}

#[test]
fn bad_urls_end_at_their_parenthesis() {
    assert_eq!(found("a{b:url(x'y);c:url(z)}"), ["z"]);
    assert_eq!(found("a{b:url(x 'y\\)(';c:url(z);d:url(w)}"), ["w"]);
    assert_eq!(found("a{b:url('x\ny');c:url(z)}"), [""; 0]);
    assert_eq!(found("a{b:url('x\ny;c:url(z)}"), ["z"]);
    assert_eq!(found("a{b:url(x\\\ny);c:url(z)}"), ["z"]);
}

#[test]
fn escapes_in_names_and_values() {
    assert_eq!(found("a{b:u\\72l(x)}"), ["x"]);
    assert_eq!(found("a{b:\\75\\000052\\6c(x)}"), ["x"]);
    assert_eq!(found("a{b:\\75 \\72 \\6c (x)}"), ["x"]);
    assert_eq!(found("a{b:\\url(x)}"), ["x"]);
    assert_eq!(found("a{b:#\\75rl(x)}"), [""; 0]);
    assert_eq!(found("a{b:x\\75rl(x)}"), [""; 0]);
    assert_eq!(found("@\\69mport 'x'"), ["x"]);
    assert_eq!(found("a{b:url(a\\20 b)}"), ["a\\20 b"]);
    assert_eq!(found("a{b:url('a\\'b')}"), ["a\\'b"]);
    assert_eq!(found("a{b:url('a\\\nb')}"), ["a\\\nb"]);
    assert_eq!(found("a{b:url('a\\27\r\nb')}"), ["a\\27\r\nb"]);
    assert_eq!(found("a{b:'\\'url(x)'}"), [""; 0]);
}

#[test]
fn imports_sources_and_sets() {
    assert_eq!(found("@import 'x';@import \"y\" print;"), ["x", "y"]);
    assert_eq!(found("@IMPORT/**/ url(x) layer('no');"), ["x"]);
    assert_eq!(found("@import url( 'x' );"), ["x"]);
    assert_eq!(found("@import foo 'x';@importer 'y';"), [""; 0]);
    assert_eq!(found("a{b:src('x')}c{d:src( /**/\"y\")}"), ["x", "y"]);
    assert_eq!(found("a{b:src(var(--x), 'y')}"), [""; 0]);
    assert_eq!(
        found("a{b:image-set('x' 1x, url(y) 2x, 'z' type('image/png'))}'w'"),
        ["x", "y", "z"]
    );
    assert_eq!(
        found("a{b:-webkit-image-set(url('x') 1x, \"y\" 2x)}"),
        ["x", "y"]
    );
    assert_eq!(found("a{b:image-set(linear-gradient(red,'n'),'x')}"), ["x"]);
}

#[test]
fn the_end_closes_everything() {
    assert_eq!(found("b:url(x"), ["x"]);
    assert_eq!(found("b:url(x "), ["x"]);
    assert_eq!(found("b:url('x"), ["x"]);
    assert_eq!(found("@import 'x"), ["x"]);
    for text in [
        "/*",
        "'",
        "\\",
        "url(",
        "@",
        "@import",
        "@import \\",
        "url(\\",
        "'\\",
    ] {
        let values = found(text);
        assert!(values.len() < 2, "{text}: {values:?}");
    }
}

#[test]
fn escapings_tell_the_quote() {
    let mut all = Vec::new();
    references("url(a)url('b')url(\"c\")", &mut |part| {
        all.push(part.escaping)
    });
    let expected = [
        Escaping::CssUrl,
        Escaping::CssString(Quote::Single),
        Escaping::CssString(Quote::Double),
    ];
    assert_eq!(all, expected);
}

const SHEET: &str = "@charset 'utf-8';@import\"a.css\"; @import/*x*/url( 'b' ) ;\n/* url(no) */ p{ \
    background:u\\72l( c.png ),-webkit-image-set(\"d\"1x,url(e) 2x,type('n'));content:'\\'url(no)\\''} \
    @namespace x url(no);@font-face{src:src('f') url(g\\20 h) url(i j) , #url(no)\\75 rl(k)";

#[test]
fn every_split_reads_the_same() {
    let all = every_split(SHEET.as_bytes(), Charset::UTF_8, 1 << 20);
    let values: Vec<&str> = all
        .iter()
        .filter_map(|item| item.split_once(" @").map(|s| s.0))
        .collect();
    let expected = [
        "@import a.css",
        "@import b",
        "url c.png",
        "image-set d",
        "url e",
        "src f",
        "url g\\20 h",
        "url k",
    ];
    assert_eq!(values, expected);
}

#[test]
fn long_values_are_passed_over() {
    let text =
        "a{b:url(0123456789);c:url('0123456789');d:url(12345) 'x\\'0123456789' url(  1234  )}";
    let all = every_split(text.as_bytes(), Charset::UTF_8, 8);
    let expected = [
        "url too long @8",
        "url too long @27",
        "url 12345 @46",
        "url 1234 @75",
    ];
    assert_eq!(all, expected);
}

#[test]
fn trail_bytes_mean_nothing() {
    let sjis = Charset::for_label("shift_jis").expect("a label");
    // 83 5C (so) ends in a backslash, 83 40 (a) in an at sign, 83 7B (bo) in a brace, 83 75 (bu) in u.
    for (sheet, expected) in [
        (&b"a{b:url(\x83\x5C)}"[..], &["url \u{30BD} @8"][..]),
        (b"a{b:url('\x83\x5C')}", &["url \u{30BD} @9"]),
        (b"a{b:'\x83\x5C';c:url(x)}", &["url x @15"]),
        (b"\x83\x40import 'x'", &[]),
        (b"\x83\x7Burl(x)", &[]),
        (b"\x83\x5C75rl(x)", &[]),
        (b"\x83url(x)", &[]),
        (b"\x83\x5C\\url(x)", &[]),
        (b"{\\url(x)", &["url x @6"]),
        (
            b"a{b:url(\x83\x5C\\)\x83\x5C)}",
            &["url \u{30BD}\\)\u{30BD} @8"],
        ),
    ] {
        assert_eq!(every_split(sheet, sjis, 1 << 20), expected, "{sheet:x?}");
    }
}

#[test]
fn nothing_safe_for_long_stays_bounded() {
    let sjis = Charset::for_label("shift_jis").expect("a label");
    let mut sheet = b"\x83\x5C".repeat(50_000);
    sheet.extend_from_slice(b" url(x)");
    let mut tokenizer = CssTokenizer::new(64);
    let (mut cursor, mut end, mut widest) = (0, 0, 0);
    loop {
        let window = Window {
            bytes: &sheet[..end],
            last: end == sheet.len(),
            charset: sjis,
        };
        match tokenizer.step(window, &mut cursor) {
            Step::NeedMore => end = (end + 999).min(sheet.len()),
            Step::End => break,
            Step::Slot(slot) => assert_eq!(&sheet[slot.range], b"x"),
            Step::TooLong(..) => unreachable!("nothing is long"),
        }
        widest = widest.max(end - cursor);
    }
    assert!(widest < 10_000, "{widest}");
}

#[test]
fn hostile_sheets_are_read_to_their_end() {
    let sjis = Charset::for_label("shift_jis").expect("a label");
    for unit in [
        "\\",
        "@",
        "(",
        "url(",
        "image-set(",
        "/*",
        "\\75",
        "a\\",
        "@import ",
        "'\\",
        "url(\\",
    ] {
        let sheet = unit.repeat(5_000);
        for charset in [Charset::UTF_8, sjis] {
            tokens(sheet.as_bytes(), &[], charset, 1 << 20);
        }
    }
}
