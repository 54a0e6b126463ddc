//! The slots of HTML documents.

use linkglot::Charset;
use linkglot_markup::vocabulary::HTML_ROWS;
use linkglot_markup::{
    Access, CommentSlots, Escaping, HtmlTokenizer, MarkupSettings, PlaceKind, Quote, Slot, Step,
    Syntax, TextSlots, Tokenizer, Vocabulary, Window,
};
use proptest::prelude::*;

/// A slot with absolute positions; pieces of a run of text are joined.
#[derive(Clone, Debug, PartialEq)]
struct Found {
    start: usize,
    end: usize,
    what: String,
}

fn describe(slot: &Slot) -> String {
    let name = |name: &Option<_>| name.as_deref().unwrap_or("-").to_owned();
    let (element, attribute) = (name(&slot.place.element), name(&slot.place.name));
    let listed = if slot.access != Access::Rewrite {
        " listed"
    } else {
        ""
    };
    format!("{:?} {element} {attribute}{listed}", slot.syntax)
}

/// The slots of a document in pieces that end at `cuts`. Of each piece of text, `back` bytes are requested again, as by
/// a scanner that has not seen the end of a link.
fn slots(
    input: &[u8],
    settings: &MarkupSettings,
    charset: Charset,
    cuts: &[usize],
    back: usize,
) -> Vec<Found> {
    let mut tokenizer = HtmlTokenizer::new(settings);
    let mut cuts = cuts.iter().copied();
    let mut end = cuts.next().unwrap_or(input.len());
    let (mut dropped, mut cursor, mut steps) = (0, 0, 0);
    let mut found: Vec<Found> = Vec::new();
    let mut run: Option<usize> = None;
    loop {
        let bytes = &input[dropped..end];
        let last = end == input.len();
        let window = Window {
            bytes,
            last,
            charset,
        };
        let before = cursor;
        let step = tokenizer.step(window, &mut cursor);
        assert!(cursor >= before && cursor <= bytes.len());
        steps += 1;
        assert!(steps < 8 * input.len() + 64, "no progress in {input:?}");
        match step {
            Step::NeedMore => {
                assert!(!last, "more is wanted than there is");
                end = cuts.next().unwrap_or(input.len());
            }
            Step::End => {
                assert!(last && cursor == bytes.len() && run.is_none());
                return found;
            }
            Step::TooLong(at, place) => {
                assert!(at >= before && at <= bytes.len());
                let what = format!("TooLong {:?} {:?}", place.element, place.name);
                let at = dropped + at;
                found.push(Found {
                    start: at,
                    end: at,
                    what,
                });
            }
            Step::Slot(slot) => {
                assert!(slot.range.start >= before && slot.range.end <= bytes.len());
                let (start, end) = (dropped + slot.range.start, dropped + slot.range.end);
                if slot.syntax == Syntax::Text && slot.place.kind == PlaceKind::Text {
                    assert_eq!(slot.run.begins, run.is_none());
                    let begin = *run.get_or_insert(start);
                    if slot.run.ends {
                        run = None;
                        found.push(Found {
                            start: begin,
                            end,
                            what: describe(&slot),
                        });
                    } else {
                        assert_eq!(cursor, slot.range.end);
                        let text = &bytes[slot.range.clone()];
                        let back = back.min(text.len());
                        let cut = text.len() - back;
                        if std::str::from_utf8(&text[..cut]).is_ok() {
                            cursor -= back;
                        }
                    }
                } else {
                    found.push(Found {
                        start,
                        end,
                        what: describe(&slot),
                    });
                }
            }
        }
        dropped += cursor;
        cursor = 0;
    }
}

fn all(input: &str) -> Vec<String> {
    with(input, &MarkupSettings::default())
}

/// The slots as lines; every way of reading gives the same.
fn with(input: &str, settings: &MarkupSettings) -> Vec<String> {
    let whole = slots(input.as_bytes(), settings, Charset::UTF_8, &[], 0);
    for cut in 0..input.len() {
        let parts = slots(input.as_bytes(), settings, Charset::UTF_8, &[cut], 3);
        assert_eq!(parts, whole, "{input} cut at {cut}");
    }
    let every: Vec<usize> = (0..input.len()).collect();
    for back in [0, 2] {
        let parts = slots(input.as_bytes(), settings, Charset::UTF_8, &every, back);
        assert_eq!(parts, whole, "{input} in single bytes");
    }
    let line = |found: &Found| format!("{} = {}", found.what, &input[found.start..found.end]);
    whole.iter().map(line).collect()
}

#[test]
fn attributes_of_every_syntax() {
    let cases: &[(&str, &[&str])] = &[
        ("<a href=x>", &["Single a href = x"]),
        (
            "<A\nHREF = 'x y' ping='a b'>",
            &["Single a href = x y", "SpaceList a ping = a b"],
        ),
        (
            "<img src=\"a\" srcset=\"b 1x\"/>",
            &["Single img src = a", "Srcset img srcset = b 1x"],
        ),
        ("<a href=x href=y HREF=z>", &["Single a href = x"]),
        ("<a href>", &[]),
        ("<a href= >", &[]),
        ("<a href=''>", &[]),
        ("<a href=x", &[]),
        ("<a href='x>", &[]),
        ("</a href=x>", &[]),
        (
            "<base href=x><base href=y>",
            &["Base base href = x", "Single base href = y"],
        ),
        (
            "<applet archive='a,b'>",
            &["CommaList applet archive = a,b"],
        ),
        (
            "<object archive='a b'>",
            &["SpaceList object archive = a b"],
        ),
        ("<p style='color:red'>", &[]),
        (
            "<p style='a:url(b)'>",
            &["CssDeclarations p style = a:url(b)"],
        ),
        (
            "<x-y style='a:url(b)'>",
            &["CssDeclarations x-y style = a:url(b)"],
        ),
        ("<iframe srcdoc='&lt;a>'>", &["Html iframe srcdoc = &lt;a>"]),
        (
            "<p itemtype='http://t.example/'>",
            &["SpaceList p itemtype listed = http://t.example/"],
        ),
        ("<a rel=nofollow id=a name=b target=c>", &[]),
        (
            "<html xmlns='http://n.example/' prefix='a: b'>",
            &["AbsoluteList html prefix listed = a: b"],
        ),
        ("<p data-src=x hotspot1=y>", &[]),
    ];
    for (input, expected) in cases {
        assert_eq!(all(input), *expected, "{input}");
    }
}

#[test]
fn conditions() {
    let cases: &[(&str, &[&str])] = &[
        (
            "<meta http-equiv=Refresh content='0;url=x'>",
            &["Refresh meta content = 0;url=x"],
        ),
        (
            "<meta content='0;url=x' http-equiv='refres&#104;'>",
            &["Refresh meta content = 0;url=x"],
        ),
        ("<meta name=description content='x'>", &[]),
        (
            "<meta http-equiv=content-security-policy content=x>",
            &["Policy meta content listed = x"],
        ),
        (
            "<meta property=og:image content=x>",
            &["Single meta content = x"],
        ),
        ("<meta property=og:title content=x>", &[]),
        (
            "<meta name=twitter:app:url:iphone content=x>",
            &["Single meta content = x"],
        ),
        (
            "<meta property=video:duration content=120>",
            &["AbsoluteOnly meta content = 120"],
        ),
        (
            "<input type=IMAGE src=x><input src=y>",
            &["Single input src = x"],
        ),
        (
            "<source srcset=x><picture><source srcset=y src=z></picture>",
            &["Srcset source srcset = y"],
        ),
        (
            "<video><source src=y></video><source src=z>",
            &["Single source src = y"],
        ),
        (
            "<audio><video></video></picture><source src=x></audio><source src=y>",
            &["Single source src = x"],
        ),
        (
            "<param name=Movie value=x><param name=width value=1>",
            &["Single param value = x"],
        ),
        (
            "<link rel='Preload' as=image imagesrcset=x>",
            &["Srcset link imagesrcset = x"],
        ),
    ];
    for (input, expected) in cases {
        assert_eq!(all(input), *expected, "{input}");
    }
}

#[test]
fn text_and_raw_text() {
    let cases: &[(&str, &[&str])] = &[
        ("a < b &amp; c", &["Text - - = a < b &amp; c"]),
        (
            "<p> a<br>b <!-- c --> d</p>",
            &["Text - - = a", "Text - - = b ", "Text - - = d"],
        ),
        (
            "<a href=x>y <b>z</b></a> w",
            &["Single a href = x", "Text - - = w"],
        ),
        ("<a name=x>y</a>", &["Text - - = y"]),
        ("<code>x</code>y", &["Text - - = y"]),
        (
            "<table><td><a href=x>y<td>z</table>",
            &["Single a href = x", "Text - - = z"],
        ),
        ("<title>a<b href=c></title>", &["Text - - = a<b href=c>"]),
        (
            "<textarea><a href=x></textarea >",
            &["Text - - = <a href=x>"],
        ),
        (
            "<style>a{b:url(c)}</style>d",
            &["Css style - = a{b:url(c)}", "Text - - = d"],
        ),
        ("<style>a{}</style>", &[]),
        ("<style>@import 'x';", &["Css style - = @import 'x';"]),
        (
            "<script>'<a href=x>'</script><a href=y>",
            &["Single a href = y"],
        ),
        (
            "<script src=x><!--<script></script><a href=z>--></script>",
            &["Single script src = x"],
        ),
        (
            "<script type='application/ld+json'>{}</script>",
            &["Json script - = {}"],
        ),
        (
            "<iframe src=x><a href=y></iframe>",
            &["Single iframe src = x"],
        ),
        ("<noscript><img src=x></noscript>", &["Single img src = x"]),
        ("<template><img src=x></template>", &["Single img src = x"]),
        (
            "<xmp>a</xmp><plaintext></plaintext><a href=x>",
            &["Text - - = </plaintext><a href=x>"],
        ),
        ("<!-- <a href=x> --!><a href=y>", &["Single a href = y"]),
        ("<!--><a href=y>", &["Single a href = y"]),
        (
            "<!DOCTYPE html SYSTEM 'http://x.example/'><?a b?></ c><a href=y>",
            &["Single a href = y"],
        ),
        // In HTML content it is a bogus comment, up to the first `>`.
        ("<![CDATA[<a href=x>]]>", &["Text - - = ]]>"]),
    ];
    for (input, expected) in cases {
        assert_eq!(all(input), *expected, "{input}");
    }
}

#[test]
fn foreign_content() {
    let cases: &[(&str, &[&str])] = &[
        (
            "<svg><![CDATA[<a href=x>]]></svg>",
            &["Text - - = <a href=x>"],
        ),
        ("<svg/><![CDATA[x>", &[]),
        (
            "<svg><image xlink:href=x /></svg><image src=y>",
            &["Single image xlink:href = x", "Single image src = y"],
        ),
        (
            "<svg><title><b>x</title><a href=y>",
            &["Text - - = x", "Single a href = y"],
        ),
        (
            "<svg><title>x<![CDATA[y]]></title></svg>",
            &["Text - - = x", "Text - - = y"],
        ),
        (
            "<svg><style>a{b:url(c)}</style></svg>",
            &["Css style - = a{b:url(c)}"],
        ),
        ("<svg><script>x</script>y</svg>", &["Text - - = y"]),
        (
            "<svg><style><a href=x></style></svg>",
            &["Single a href = x"],
        ),
        (
            "<svg><foreignObject><style><a href=x></style></foreignObject></svg>",
            &[],
        ),
        ("<svg><p><style><a href=x></style>", &[]),
        // Elements around foreign content cannot have these names.
        (
            "<svg></title></style></a><image href=x />",
            &["Single image href = x"],
        ),
        (
            "<a href=x><svg></a><image src=y>",
            &["Single a href = x", "Single image src = y"],
        ),
        // No element of these names is open, or it ends without affecting the open ones.
        (
            "<svg></table></td></template></h1></form></body></html></head><style><a href=x>",
            &["Single a href = x"],
        ),
        (
            "<form><math></form></audio></code><textarea><img src=x>",
            &["Single img src = x"],
        ),
        (
            "<table><td><svg></td><title><a href=x>",
            &["Text - - = <a href=x>"],
        ),
        (
            "<h1><svg></h2><title><a href=x>",
            &["Text - - = <a href=x>"],
        ),
        (
            "<template><svg></template><title><a href=x>",
            &["Text - - = <a href=x>"],
        ),
        ("<svg></p><title><a href=x>", &["Text - - = <a href=x>"]),
        ("<svg></br><title><a href=x>", &["Text - - = <a href=x>"]),
        // An integration point keeps what is around it.
        (
            "<h1><svg><desc><svg></h1><title><a href=x>",
            &["Single a href = x"],
        ),
        (
            "<table><td><svg><desc></td><title><a href=x>",
            &["Text - - = <a href=x>"],
        ),
        // An HTML element hides the foreign elements around it.
        (
            "<svg><desc><b><svg></desc><style><a href=x>",
            &["Single a href = x"],
        ),
        ("<svg><g></svg><script><a href=x></script>", &[]),
        ("<div><svg><g></div><script><a href=x></script>", &[]),
        (
            "<math><mi><script><a href=x></script></mi><mglyph src=y></math>",
            &["Single mglyph src = y"],
        ),
        (
            "<math><annotation-xml encoding=text/html><script><a href=x></script>",
            &[],
        ),
        (
            "<math><annotation-xml><script><a href=x></script>",
            &["Single a href = x"],
        ),
        (
            "<svg><font><![CDATA[x]]><font color=y><![CDATA[z]]>",
            &["Text - - = x"],
        ),
        (
            "<svg fill='url(#a)' stroke=none>",
            &["CssDeclarations svg fill = url(#a)"],
        ),
    ];
    for (input, expected) in cases {
        assert_eq!(all(input), *expected, "{input}");
    }
}

#[test]
fn what_is_asked_for() {
    let code = MarkupSettings {
        text: TextSlots::Code,
        ..MarkupSettings::default()
    };
    assert_eq!(
        with("<kbd>x</kbd><xmp>y</xmp>", &code),
        ["Text - - = x", "Text - - = y"]
    );
    let none = MarkupSettings {
        text: TextSlots::None,
        ..MarkupSettings::default()
    };
    assert_eq!(
        with("x<title>y</title><a href=z>", &none),
        ["Single a href = z"]
    );
    let everything = MarkupSettings {
        text: TextSlots::All,
        comments: CommentSlots::All,
        ..MarkupSettings::default()
    };
    let input = "<a>x</a><!--y--><!--[if IE]><b><![endif]--><!z>";
    let expected = ["Text - - = x", "Text - - = y", "Html - - = <b>"];
    assert_eq!(with(input, &everything), expected);
}

#[test]
fn opt_ins_and_extensions() {
    let vocabulary = Vocabulary::default().with_opt_ins();
    let extended = vocabulary
        .extended("# mine\nx-y\tgo\tsrcset\trewrite\na\tping\tnone\tnever\n*\tto-*\tsingle\tlist\n")
        .unwrap();
    let settings = MarkupSettings {
        vocabulary: extended,
        ..MarkupSettings::default()
    };
    let input = "<x-y GO=a data-src=b><a ping=c href=d to-me=e TO-me=f to-you=><p hotspot9=g>";
    let expected = [
        "Srcset x-y go = a",
        "Single x-y data-src = b",
        "Single a href = d",
        "Single a to-me listed = e",
        "Single p hotspot9 = g",
    ];
    assert_eq!(with(input, &settings), expected);
}

#[test]
fn bad_vocabularies_are_errors_with_a_line() {
    let cases = [
        (
            "a\thref\tsingle",
            "line 1: expected columns separated by tabs",
        ),
        (
            "\n# x\na\thref\tdouble\trewrite",
            "line 3: expected a syntax",
        ),
        ("a\thref\tsingle\tmaybe", "line 1: expected an access"),
        (
            "a\t*\tsingle\trewrite",
            "line 1: expected the name of an attribute",
        ),
        (
            "svg:\thref\tsingle\trewrite",
            "line 1: expected the name of an element",
        ),
        (
            "a\thref\tsingle\trewrite\trel",
            "line 1: expected a condition",
        ),
    ];
    for (text, message) in cases {
        let error = Vocabulary::default().extended(text).unwrap_err();
        assert!(error.to_string().starts_with(message), "{error}");
    }
}

/// Each row of the project's own file, in a document made for it: a row that holds links gives one slot with its
/// syntax, any other row none.
#[test]
fn every_row_counts() {
    let with = |vocabulary| MarkupSettings {
        vocabulary,
        ..MarkupSettings::default()
    };
    let opt_ins = with(Vocabulary::default().with_opt_ins());
    // A row for code goes before the row that is in force without the request.
    let code = with(Vocabulary::default().with_code());
    for line in HTML_ROWS
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
    {
        let columns: Vec<&str> = line.split('\t').collect();
        let (element, attribute) = (columns[0], columns[1]);
        if attribute == "#text" {
            continue;
        }
        let condition = columns.get(4).copied().unwrap_or_default();
        let (input, value) = document(element, attribute, condition);
        let expected = columns[2] != "none";
        let settings = if columns[3] == "code" {
            &code
        } else {
            &opt_ins
        };
        let found = slots(input.as_bytes(), settings, Charset::UTF_8, &[], 0);
        let found = found
            .iter()
            .filter(|found| input[found.start..found.end] == value);
        assert_eq!(found.count(), usize::from(expected), "{line}\n{input}");
    }
    let never = HTML_ROWS
        .lines()
        .filter(|row| row.contains("\tnone\tnever"));
    assert!(never.count() > 25);
}

fn document(element: &str, attribute: &str, condition: &str) -> (String, String) {
    let attribute = attribute.replace('*', "x").to_ascii_lowercase();
    let mut value = "url(http://x.example/a:b)".to_owned();
    let mut others = String::new();
    let mut before = String::new();
    for term in condition.split_ascii_whitespace() {
        let (name, patterns) = term.split_once('=').unwrap();
        let pattern = patterns.split('|').next().unwrap();
        let is_whole = !pattern.contains('*');
        let pattern = pattern.replace('*', "x");
        let name = name.trim_end_matches('~');
        match name {
            "parent" => before = format!("<{pattern}>"),
            name if name == attribute && is_whole => value = pattern,
            name if name == attribute => value = format!("url({pattern}:x)"),
            name => others += &format!(" {name}='{pattern}'"),
        }
    }
    let name = match element.split_once(':') {
        Some((namespace @ ("svg" | "math"), name)) => {
            before += &format!("<{namespace}>");
            name
        }
        _ => element,
    };
    let name = if name == "*" { "x-any" } else { name };
    (
        format!("{before}<{name}{others} {attribute}=\"{value}\">"),
        value,
    )
}

#[test]
fn long_tags_are_read_attribute_by_attribute() {
    let settings = MarkupSettings {
        max_slot: 64,
        ..MarkupSettings::default()
    };
    let long = "x".repeat(100);
    let short = "y".repeat(40);
    let input = format!(
        "<img src='{short}' alt='{long}' longdesc={short} lowsrc='{long}' src=z {long}=a dynsrc=b>c<a href='{long}'>d</a>e"
    );
    let expected = [
        format!("Single img src = {short}"),
        format!("Single img longdesc = {short}"),
        "TooLong Some(\"img\") Some(\"lowsrc\") = ".to_owned(),
        "Single img dynsrc = b".to_owned(),
        "Text - - = c".to_owned(),
        "TooLong Some(\"a\") Some(\"href\") = ".to_owned(),
        "Text - - = e".to_owned(),
    ];
    assert_eq!(with(&input, &settings), expected);
}

#[test]
fn long_contents_are_passed_over() {
    let settings = MarkupSettings {
        max_slot: 64,
        comments: CommentSlots::All,
        ..MarkupSettings::default()
    };
    let long = "x".repeat(100);
    let input = format!(
        "<style>a(){long}</style><script {long}>{long}</script><!--{long}--><!{long}><svg><style>{long}</style></svg>a"
    );
    let expected = [
        "TooLong Some(\"style\") None = ",
        "TooLong None None = ",
        "TooLong Some(\"style\") None = ",
        "Text - - = a",
    ];
    assert_eq!(with(&input, &settings), expected);
}

#[test]
fn memory_is_bounded_on_endless_things() {
    let endless = [
        "<a b",
        "<a b=",
        "<a b='",
        "<a b=x",
        "<a ",
        "<a b ",
        "<!--",
        "<!--a-",
        "<!x",
        "<?x",
        "<style>x",
        "<script>x",
        "<script><!--<script>x",
        "<title>x",
        "<svg><![CDATA[x",
        "<svg><style>x",
        "<plaintext>x",
        "</a b='",
        "<aaa",
        "x",
        "<title></titl",
        "&",
        "<svg><g>",
        "<svg><g/>",
    ];
    let settings = MarkupSettings {
        max_slot: 256,
        ..MarkupSettings::default()
    };
    for begin in endless {
        let tail = begin[begin.len() - 1..].replace(['\'', '='], "y");
        let tail = if begin.starts_with("<svg><g") {
            &begin[5..]
        } else {
            &tail
        };
        let mut tokenizer = HtmlTokenizer::new(&settings);
        let (mut bytes, mut cursor, mut fed) = (begin.as_bytes().to_vec(), 0, 0);
        while fed < 20_000 {
            let window = Window {
                bytes: &bytes,
                last: false,
                charset: Charset::UTF_8,
            };
            if matches!(tokenizer.step(window, &mut cursor), Step::NeedMore) {
                let more = tail.repeat(16);
                bytes.extend_from_slice(more.as_bytes());
                fed += more.len();
            }
            bytes.drain(..cursor);
            cursor = 0;
            assert!(
                bytes.len() < 256 + 512,
                "{begin}: {} bytes are held",
                bytes.len()
            );
        }
    }
}

type Ranges = &'static [(usize, usize)];

#[test]
fn only_safe_bytes_steer() {
    let charset = Charset::for_label("shift_jis").unwrap();
    let settings = MarkupSettings::default();
    let cases: &[(&[u8], Ranges)] = &[
        // Trail bytes that look like `]` and a letter.
        (b"<svg><![CDATA[\x83\x5D]>a]]></svg>", &[(14, 19)]),
        (b"<a\x83\x61 href=x>", &[]),
        (b"<a hre\x83\x66=x href=\x83\x5C>", &[(16, 18)]),
        (b"<a href='\x83' title=b'>", &[(9, 10)]),
        (b"a<\x83\x61b>", &[(0, 6)]),
    ];
    for (input, expected) in cases {
        let every: Vec<usize> = (0..input.len()).collect();
        for cuts in [&[][..], &every] {
            let found = slots(input, &settings, charset, cuts, 0);
            let found: Vec<_> = found.iter().map(|found| (found.start, found.end)).collect();
            assert_eq!(found, *expected, "{input:?}");
        }
    }
}

#[test]
fn escapings() {
    let input = b"<a href=\"x\" ping='y'><img src=z>t<svg><![CDATA[u]]>";
    let mut tokenizer = HtmlTokenizer::new(&MarkupSettings {
        text: TextSlots::All,
        ..MarkupSettings::default()
    });
    let (mut cursor, mut found) = (0, Vec::new());
    let window = Window {
        bytes: input,
        last: true,
        charset: Charset::UTF_8,
    };
    while let Step::Slot(slot) = tokenizer.step(window, &mut cursor) {
        found.push(slot.escaping);
    }
    let expected = [
        Escaping::HtmlAttribute(Quote::Double),
        Escaping::HtmlAttribute(Quote::Single),
        Escaping::HtmlAttribute(Quote::Unquoted),
        Escaping::HtmlText,
        Escaping::XmlCdata,
    ];
    assert_eq!(found, expected);
}

const PIECES: &[&str] = &[
    "<a href=",
    "<img src='",
    "<meta http-equiv=refresh content=\"",
    "<style>",
    "</style>",
    "url(",
    "<script",
    "<svg>",
    "</svg>",
    "<a xlink:href=",
    "<title>",
    "</title>",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<foreignObject>",
    "</foreignObject>",
    "<td>",
    "<math>",
    "<mi>",
    "</mi>",
    "<code>",
    "</a>",
    "</",
    "<",
    ">",
    "/>",
    "'",
    "\"",
    "=",
    " ",
    "\n",
    "x",
    "é",
    "&amp;",
    "--",
    "style=",
    "srcset=",
    "<plaintext>",
    "<xmp>",
    "]",
    "!",
];

fn soup() -> impl Strategy<Value = String> {
    let piece = proptest::sample::select(PIECES);
    proptest::collection::vec(piece, 0..28).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn soup_gives_the_same_slots_in_every_cut(input in soup(), limit in prop_oneof![Just(64_usize), Just(1 << 20)]) {
        let settings = MarkupSettings {
            max_slot: limit,
            comments: CommentSlots::All,
            ..MarkupSettings::default()
        };
        let whole = slots(input.as_bytes(), &settings, Charset::UTF_8, &[], 0);
        let mut end = 0;
        for found in &whole {
            prop_assert!(found.start >= end && found.end >= found.start);
            end = found.end;
        }
        for cut in (0..input.len()).step_by((input.len() / 24).max(1)) {
            prop_assert_eq!(&slots(input.as_bytes(), &settings, Charset::UTF_8, &[cut], 1), &whole, "cut at {}", cut);
        }
        let every: Vec<usize> = (0..input.len()).collect();
        prop_assert_eq!(&slots(input.as_bytes(), &settings, Charset::UTF_8, &every, 1), &whole);
    }

    #[test]
    fn any_bytes_have_a_reading(input in proptest::collection::vec(any::<u8>(), 0..200), label in prop_oneof![Just("shift_jis"), Just("gb18030"), Just("utf-8"), Just("koi8-r")]) {
        let charset = Charset::for_label(label).unwrap();
        let settings = MarkupSettings::default();
        let whole = slots(&input, &settings, charset, &[], 0);
        let every: Vec<usize> = (0..input.len()).collect();
        prop_assert_eq!(&slots(&input, &settings, charset, &every, 0), &whole);
    }
}
