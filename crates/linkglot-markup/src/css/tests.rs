use super::*;
use crate::escape::{Escaping, Quote};
use crate::testing::{Answer, Document, charsets};
use crate::values;
use proptest::prelude::*;

/// The references in a style sheet, as written.
fn found(text: &str) -> Vec<&str> {
    let mut values = Vec::new();
    references(text, &mut |reference| values.push(reference.span.of(text)));
    values
}

/// The answers of the tokenizer in every cut, each as `name value @position`.
fn slots(bytes: &[u8], charset: Charset, max_slot: usize) -> Vec<String> {
    let answers = Document { bytes, charset }.answers_in_every_cut(|| CssTokenizer::new(max_slot));
    let describe = |(at, answer): (usize, Answer)| {
        let name = answer.place().name.clone().unwrap_or_else(|| "".into());
        match answer {
            Answer::Slot(_, raw) => format!("{name} {raw} @{at}"),
            Answer::TooLong(_) => format!("{name} too long @{at}"),
        }
    };
    answers.into_iter().map(describe).collect()
}

fn sjis() -> Charset {
    Charset::for_label("shift_jis").expect("a label")
}

#[test]
fn references_of_style_sheets() {
    let cases: &[(&str, &[&str])] = &[
        // Urls, bare and quoted.
        ("a{b:url(x.png)}", &["x.png"]),
        ("a{b:url(  x.png\t)}", &["x.png"]),
        ("a{b:URL( \"x y.png\" )}", &["x y.png"]),
        ("a{b:url('x\"y')}", &["x\"y"]),
        ("a{b:url(x\\)y)}", &["x\\)y"]),
        ("url(a)url(b),url(c)", &["a", "b", "c"]),
        ("a{b:url(é.png)}", &["é.png"]),
        ("a{b:url()}c{d:url('')}", &[]),
        // Filters of Internet Explorer.
        (
            "a{filter:progid:DXImageTransform.Microsoft.AlphaImageLoader(src='x.png',sizingMethod='scale')}",
            &["x.png"],
        ),
        (
            "a{filter:alphaimageloader( enabled=true, SRC = \"x\" )}b{c:url(y)}",
            &["x", "y"],
        ),
        (
            "AlphaImageLoader(sizingMethod='crop', xsrc='x', src='a(b')url(c)",
            &["a(b", "c"],
        ),
        ("AlphaImageLoader(src=)a{b:'src=';c:'d'}", &[]),
        (
            "a{-ms-filter:\"progid:DXImageTransform.Microsoft.AlphaImageLoader(src='x.png')\"} b{c:url(y)}",
            &["x.png", "y"],
        ),
        (
            "a{-ms-filter:'progid:a.AlphaImageLoader(sizingMethod=\"b\",src=\"x\")'}url(y)",
            &["x", "y"],
        ),
        ("a{-ms-filter:'progid:a.Alpha(opacity=50)'}url(y)", &["y"]),
        ("a{b:'progid:\nurl(y)", &["y"]),
        ("a{b:'progid", &[]),
        ("a{b:\"progid:a.AlphaImageLoader(src='x\\27 y')\"}", &[]),
        // Other tokens.
        ("/* url(x) */", &[]),
        ("'url(x)'", &[]),
        ("\"@import 'x';\"", &[]),
        ("a{b:curl(x)}", &[]),
        ("a{b:url (x)}", &[]),
        ("a{b:-url(x)}", &[]),
        ("a{b:#url(x)}", &[]),
        ("@url(x)", &[]),
        ("a{b:éurl(x)}", &[]),
        ("@charset 'utf-8';", &[]),
        ("@namespace svg url(http://www.w3.org/2000/svg);", &[]),
        ("@namespace url('http://www.w3.org/2000/svg');", &[]),
        ("@namespace/**/x/**/'http://www.w3.org/2000/svg';", &[]),
        ("a{b:format('x')}", &[]),
        ("a{content:'http://example.org/'}", &[]),
        ("\\url (x)", &[]),
        // Bad urls end at their parenthesis.
        ("a{b:url(x y)}", &[]),
        ("a{b:url(x\"y)}", &[]),
        ("a{b:url(x(y)}", &[]),
        ("a{b:url(x'y);c:url(z)}", &["z"]),
        ("a{b:url(x 'y\\)(';c:url(z);d:url(w)}", &["w"]),
        ("a{b:url('x\ny');c:url(z)}", &[]),
        ("a{b:url('x\ny;c:url(z)}", &["z"]),
        ("a{b:url(x\\\ny);c:url(z)}", &["z"]),
        // Escapes in names and values.
        ("a{b:u\\72l(x)}", &["x"]),
        ("a{b:\\75\\000052\\6c(x)}", &["x"]),
        ("a{b:\\75 \\72 \\6c (x)}", &["x"]),
        ("a{b:\\url(x)}", &["x"]),
        ("a{b:#\\75rl(x)}", &[]),
        ("a{b:x\\75rl(x)}", &[]),
        ("@\\69mport 'x'", &["x"]),
        ("a{b:url(a\\20 b)}", &["a\\20 b"]),
        ("a{b:url('a\\'b')}", &["a\\'b"]),
        ("a{b:url('a\\\nb')}", &["a\\\nb"]),
        ("a{b:url('a\\27\r\nb')}", &["a\\27\r\nb"]),
        ("a{b:'\\'url(x)'}", &[]),
        // `@import`, `src()` and `image-set()`.
        ("@import 'x';@import \"y\" print;", &["x", "y"]),
        ("@IMPORT/**/ url(x) layer('no');", &["x"]),
        ("@import url( 'x' );", &["x"]),
        ("@import foo 'x';@importer 'y';", &[]),
        ("a{b:src('x')}c{d:src( /**/\"y\")}", &["x", "y"]),
        ("a{b:src(var(--x), 'y')}", &[]),
        (
            "a{b:image-set('x' 1x, url(y) 2x, 'z' type('image/png'))}'w'",
            &["x", "y", "z"],
        ),
        ("a{b:-webkit-image-set(url('x') 1x, \"y\" 2x)}", &["x", "y"]),
        ("a{b:image-set(linear-gradient(red,'n'),'x')}", &["x"]),
        // The end of the style sheet closes everything.
        ("b:url(x", &["x"]),
        ("b:url(x ", &["x"]),
        ("b:url('x", &["x"]),
        ("a{b:url('x' }", &["x"]),
        ("@import 'x", &["x"]),
        ("/*", &[]),
        ("'", &[]),
        ("\\", &[]),
        ("url(", &[]),
        ("@", &[]),
        ("@import", &[]),
        ("@import \\", &[]),
        ("url(\\", &["\\"]),
        ("'\\", &[]),
    ];
    for (text, expected) in cases {
        assert_eq!(found(text), *expected, "{text}");
    }
}

#[test]
fn escapings_name_the_quote() {
    let mut all = Vec::new();
    references("url(a)url('b')url(\"c\")", &mut |reference| {
        all.push(reference.escaping)
    });
    let expected = [
        Escaping::CssUrl,
        Escaping::CssString(Quote::Single),
        Escaping::CssString(Quote::Double),
    ];
    assert_eq!(all, expected);
}

#[test]
fn cuts_make_no_difference() {
    let sheet = "@charset 'utf-8';@import\"a.css\"; @import/*x*/url( 'b' ) ;\n/* url(no) */ p{ \
        background:u\\72l( c.png ),-webkit-image-set(\"d\"1x,url(e) 2x,type('n'));content:'\\'url(no)\\''} \
        @namespace x url(no);@font-face{src:src('f') url(g\\20 h) url(i j) , #url(no)\\75 rl(k)";
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
    let slots = slots(sheet.as_bytes(), Charset::UTF_8, 1 << 20);
    assert_eq!(slots.len(), expected.len(), "{slots:?}");
    for (slot, expected) in slots.iter().zip(expected) {
        let value = slot.rsplit_once(" @").map(|(value, _)| value);
        assert_eq!(value, Some(expected));
    }
}

#[test]
fn long_values_are_passed_over() {
    let text =
        "a{b:url(0123456789);c:url('0123456789');d:url(12345) 'x\\'0123456789' url(  1234  )}";
    let expected = [
        "url too long @8",
        "url too long @27",
        "url 12345 @46",
        "url 1234 @75",
    ];
    assert_eq!(slots(text.as_bytes(), Charset::UTF_8, 8), expected);
}

#[test]
fn trail_bytes_have_no_meaning() {
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
        assert_eq!(slots(sheet, sjis(), 1 << 20), expected, "{sheet:x?}");
    }
}

#[test]
fn comments_are_text_on_demand() {
    let answers = |sheet: &str, comments: CommentSlots| {
        let document = Document {
            bytes: sheet.as_bytes(),
            charset: Charset::UTF_8,
        };
        let css = || CssTokenizer::new(64).comments(comments);
        let text = |(_, answer): (usize, Answer)| match answer {
            Answer::Slot(slot, raw) => format!("{} {raw}", slot.place.kind.name()),
            Answer::TooLong(place) => format!("{} too long", place.kind.name()),
        };
        let answers = document.answers_in_every_cut(css).into_iter();
        answers.map(text).collect::<Vec<_>>()
    };
    for (sheet, expected) in [
        ("/* a */", &["comment  a "][..]),
        (
            "/**//***//*/ a*/url(b)",
            &["comment *", "comment / a", "css b"],
        ),
        (
            "@import/* url(a) */'b';/*c",
            &["comment  url(a) ", "css b", "comment c"],
        ),
        ("url(/*a*/);'/*b*/';a/*c*/(d)/", &["css /*a*/", "comment c"]),
        (
            "@namespace/*a*/x/*b*/'c';url(d)",
            &["comment a", "comment b", "css d"],
        ),
        (
            "image-set(/*a*/'b'/*c*/1x)/*",
            &["comment a", "css b", "comment c"],
        ),
    ] {
        assert_eq!(answers(sheet, CommentSlots::All), expected, "{sheet}");
        let links = expected.iter().filter(|answer| answer.starts_with("css "));
        let links: Vec<_> = links.collect();
        assert_eq!(
            answers(sheet, CommentSlots::Conditional)
                .iter()
                .collect::<Vec<_>>(),
            links
        );
    }
}

#[test]
fn memory_is_bounded_without_safe_bytes() {
    let mut sheet = b"\x83\x5C".repeat(50_000);
    sheet.extend_from_slice(b" url(x)");
    let mut tokenizer = CssTokenizer::new(64);
    let (mut cursor, mut end, mut widest) = (0, 0, 0);
    loop {
        let window = Window {
            bytes: &sheet[..end],
            last: end == sheet.len(),
            charset: sjis(),
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
    for unit in [
        "\\",
        "@",
        "(",
        "url(",
        "image-set(",
        "/*",
        "/**/",
        "\\75",
        "a\\",
        "@import ",
        "'\\",
        "url(\\",
    ] {
        let sheet = unit.repeat(5_000);
        for charset in [Charset::UTF_8, sjis()] {
            let bytes = sheet.as_bytes();
            for comments in [CommentSlots::None, CommentSlots::All] {
                let css = CssTokenizer::new(1 << 20).comments(comments);
                Document { bytes, charset }.answers(css, &[]);
            }
        }
    }
}

#[test]
fn filters_are_read_in_every_cut() {
    let sheet = "a{filter:progid:a.AlphaImageLoader(src = 'x',b='c');-ms-filter:\"progid:a.AlphaImageLoader(src='y')\"}";
    let found = ["AlphaImageLoader x @42", "AlphaImageLoader y @95"];
    assert_eq!(slots(sheet.as_bytes(), Charset::UTF_8, 1 << 20), found);
    assert_eq!(slots(sheet.as_bytes(), sjis(), 1 << 20), found);
}

/// The answers for a sheet in windows that end at `cuts`, with their places.
fn answers(
    limit: usize,
    bytes: &[u8],
    cuts: &[usize],
    charset: Charset,
) -> Vec<(usize, usize, String)> {
    let mut found = Vec::new();
    let document = Document { bytes, charset };
    document.each_step(CssTokenizer::new(limit), cuts, |origin, step| match step {
        Step::Slot(Slot {
            range,
            escaping,
            place,
            ..
        }) => {
            let answer = format!("{escaping:?} {place:?}");
            found.push((origin + range.start, origin + range.end, answer));
        }
        Step::TooLong(at, place) => found.push((origin + at, 0, format!("{place:?}"))),
        Step::NeedMore | Step::End => {}
    });
    found
}

fn bit() -> impl Strategy<Value = Vec<u8>> {
    let bits: Vec<&'static [u8]> = vec![
        b"url(",
        b"URL( ",
        b"src(",
        b"image-set(",
        b"-webkit-image-set(",
        b"type(",
        b"@import",
        b"@namespace",
        b"@charset",
        b"(",
        b")",
        b"'",
        b"\"",
        b"\\",
        b"\\75",
        b"\\72 ",
        b"\\000075\r\n",
        b"rl(",
        b"ur",
        b"l",
        b"/*",
        b"*/",
        b"/",
        b"*",
        b" ",
        b"\n",
        b"\r",
        b"#",
        b"@",
        b"x",
        b"a.png",
        b"{",
        b"}",
        b";",
        b",",
        b"\x83\x5C",
        b"\x83\x40",
        b"\x83\x7B",
        b"\x83\x75",
        b"\x83",
        b"\x81\x30\x81\x30",
        b"\xC3\xA9",
        b"\0",
    ];
    prop_oneof![
        9 => proptest::sample::select(bits).prop_map(<[u8]>::to_vec),
        1 => proptest::collection::vec(any::<u8>(), 0..4),
    ]
}

fn sheet() -> impl Strategy<Value = Vec<u8>> {
    let padding = prop_oneof![4 => Just(0usize), 1 => 140..180usize];
    (proptest::collection::vec(bit(), 0..40), padding).prop_map(|(bits, padding)| {
        let mut sheet = b"a".repeat(padding);
        sheet.extend(bits.concat());
        sheet
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(600) })]

    #[test]
    fn no_cut_matters(bytes in sheet(), charset in charsets(), limit in prop_oneof![Just(1 << 20), 1..20usize], mut cuts in proptest::collection::vec(0..400usize, 0..8)) {
        cuts.sort();
        cuts.retain(|&cut| cut < bytes.len());
        let whole = answers(limit, &bytes, &[], charset);
        prop_assert_eq!(answers(limit, &bytes, &cuts, charset), whole.clone());
        let each: Vec<usize> = (0..bytes.len()).collect();
        prop_assert_eq!(answers(limit, &bytes, &each, charset), whole);
    }

    #[test]
    fn both_faces_agree(bytes in sheet()) {
        let text = String::from_utf8_lossy(&bytes);
        let mut found = Vec::new();
        values::split(Syntax::Css, &text, &mut |part| found.push((part.span.start, part.span.end)));
        let tokens = answers(usize::MAX, text.as_bytes(), &[], Charset::UTF_8);
        let tokens: Vec<_> = tokens.into_iter().map(|(start, end, _)| (start, end)).collect();
        prop_assert_eq!(found, tokens);
    }

    /// A sheet means the same in a charset whose trail bytes look like `\`, `@` and braces.
    #[test]
    fn charsets_make_no_difference(words in proptest::collection::vec(proptest::sample::select(vec![
        "ソ", "ァ", "ボ", "ブ", "url(", "x", "ソ.png", ")", "'", "@import ", "\\", "{", " ", "image-set(", "/*", "*/", ";", "\\72 ",
    ]), 0..30)) {
        let text = words.concat();
        let sjis = Charset::for_label("shift_jis").expect("a label");
        let mut bytes = Vec::new();
        prop_assert!(sjis.encode(&text, &mut bytes).is_ok());
        let mut expected = Vec::new();
        values::split(Syntax::Css, &text, &mut |part| expected.push(part.span.of(&text).to_owned()));
        let found = answers(1 << 20, &bytes, &[], sjis);
        let found: Vec<_> = found.iter().map(|(start, end, _)| sjis.decode(&bytes[*start..*end]).into_owned()).collect();
        prop_assert_eq!(found, expected);
    }
}
