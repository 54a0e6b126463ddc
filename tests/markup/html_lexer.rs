//! The HTML lexer against html5lib's tokenizer tests (in the folder named by `LINKGLOT_HTML5LIB`: the unpacked sdist of
//! html5lib 1.1) and against html5gum, in every cut.

use linkglot::Charset;
use linkglot_markup::lexer::{Attribute, CommentKind, Content, Lexeme, Lexer, Take};
use linkglot_markup::{Escaping, Quote, Window};
use proptest::prelude::*;
use serde_json::Value;
use std::path::PathBuf;

/// A token with its values in the notation of the tests.
#[derive(Clone, Debug, PartialEq)]
enum Token {
    Start(String, Vec<(String, String)>, bool),
    End(String),
    Comment(String),
    Doctype,
    Text(String),
}

/// The state at the beginning of a test.
#[derive(Clone, Copy)]
struct Begin<'t> {
    content: Content,
    end_name: &'t str,
}

const DATA: Begin<'static> = Begin {
    content: Content::Data,
    end_name: "",
};

/// A document in a charset.
#[derive(Clone, Copy)]
struct Source<'d> {
    bytes: &'d [u8],
    charset: Charset,
}

impl<'d> From<&'d str> for Source<'d> {
    fn from(text: &'d str) -> Self {
        Source {
            bytes: text.as_bytes(),
            charset: Charset::UTF_8,
        }
    }
}

/// A token whose text is still encoded, in pieces with the lexer's state for each.
enum Raw {
    Token(Token),
    Text(Vec<(Vec<u8>, Content)>),
}

/// Lexes a document that grows by pieces which end at `cuts`, also within characters.
fn lex<'d>(source: impl Into<Source<'d>>, begin: Begin<'_>, cuts: &[usize]) -> Vec<Token> {
    let Source {
        bytes: input,
        charset,
    } = source.into();
    let mut lexer = Lexer::new(1 << 20);
    lexer.trim = false;
    lexer.comments = Take::Whole;
    lexer.set_content(begin.content, Take::Stream, begin.end_name.as_bytes());
    let mut cuts = cuts.iter().copied();
    let mut end = cuts.next().unwrap_or(input.len());
    let (mut dropped, mut cursor) = (0, 0);
    let mut tokens = Vec::new();
    let mut idle = 0;
    loop {
        let bytes = &input[dropped..end];
        let last = end == input.len();
        let window = Window {
            bytes,
            last,
            charset,
        };
        let text = |range: std::ops::Range<usize>| charset.decode(&bytes[range]).into_owned();
        match lexer.next(window, &mut cursor) {
            Lexeme::NeedMore => {
                assert!(!last, "more is wanted than there is: {input:?}");
                end = cuts.next().unwrap_or(input.len());
            }
            Lexeme::End => {
                assert!(last && cursor == bytes.len(), "{input:?}");
                return tokens
                    .into_iter()
                    .map(|raw| decoded(raw, charset))
                    .collect();
            }
            Lexeme::Text(range, _) => push_text(&mut tokens, &bytes[range], lexer.content),
            Lexeme::Tag => {
                tokens.push(Raw::Token(tag(&lexer, &bytes[cursor..], charset)));
                lexer.leave_tag(&mut cursor, 0);
            }
            Lexeme::Comment(CommentKind::Doctype, _) => tokens.push(Raw::Token(Token::Doctype)),
            Lexeme::Comment(kind, range) => {
                // To the standard code of PHP is a comment, without its `<`.
                let start = range.start + usize::from(kind == CommentKind::Php);
                let comment = cleaned(&text(start..range.end), true);
                tokens.push(Raw::Token(Token::Comment(comment)));
            }
            other => panic!("{other:?} in {input:?}"),
        }
        idle = if cursor == 0 { idle + 1 } else { 0 };
        assert!(idle < input.len() + 8, "no progress in {input:?}");
        dropped += cursor;
        cursor = 0;
    }
}

/// Applies the treatment of line ends by the standard's preprocessor, and of NUL by its states.
fn cleaned(text: &str, nul: bool) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    if nul {
        text.replace('\0', "\u{FFFD}")
    } else {
        text
    }
}

/// Raw text, joined to text before it.
fn push_text(tokens: &mut Vec<Raw>, raw: &[u8], content: Content) {
    let content = match content {
        Content::Script(_) => Content::SCRIPT,
        other => other,
    };
    let Some(Raw::Text(pieces)) = tokens.last_mut() else {
        tokens.push(Raw::Text(vec![(raw.to_vec(), content)]));
        return;
    };
    match pieces.last_mut() {
        Some((bytes, before)) if *before == content => bytes.extend_from_slice(raw),
        _ => pieces.push((raw.to_vec(), content)),
    }
}

/// Decodes text; references are left until the whole run is available.
fn decoded(raw: Raw, charset: Charset) -> Token {
    let pieces = match raw {
        Raw::Token(token) => return token,
        Raw::Text(pieces) => pieces,
    };
    let piece = |(bytes, content): (Vec<u8>, Content)| {
        let raw = charset.decode(&bytes).into_owned();
        let raw = match content {
            Content::Data | Content::Rcdata => raw,
            _ => raw.replace('&', "&amp;"),
        };
        match content {
            Content::Data | Content::Cdata => raw,
            _ => raw.replace('\0', "\u{FFFD}"),
        }
    };
    Token::Text(pieces.into_iter().map(piece).collect())
}

fn finish(tokens: Vec<Token>) -> Vec<Token> {
    let read = |token| match token {
        Token::Text(raw) => {
            let raw = cleaned(&raw, false);
            Token::Text(Escaping::HtmlText.unescape(&raw).text().to_owned())
        }
        other => other,
    };
    tokens.into_iter().map(read).collect()
}

fn tag(lexer: &Lexer, bytes: &[u8], charset: Charset) -> Token {
    let text = |range: &std::ops::Range<usize>| charset.decode(&bytes[range.clone()]).into_owned();
    let name = cleaned(&text(&lexer.tag.name), true).to_ascii_lowercase();
    if lexer.tag.closing {
        return Token::End(name);
    }
    let mut attributes: Vec<(String, String)> = Vec::new();
    for Attribute { name, value, quote } in &lexer.tag.attributes {
        let name = cleaned(&text(name), true).to_ascii_lowercase();
        if attributes.iter().all(|(other, _)| *other != name) {
            let raw = cleaned(&text(value), true);
            let escaping = Escaping::HtmlAttribute(quote.unwrap_or(Quote::Double));
            attributes.push((name, escaping.unescape(&raw).text().to_owned()));
        }
    }
    attributes.sort();
    Token::Start(name, attributes, lexer.tag.self_closing)
}

/// A test's text; some tests escape characters twice. `None` if it is not text.
fn unescaped(text: &str, twice: bool) -> Option<String> {
    if !twice {
        return Some(text.to_owned());
    }
    serde_json::from_str(&format!("\"{}\"", text.replace('"', "\\\""))).ok()
}

fn expected(output: &Value, twice: bool) -> Option<Vec<Token>> {
    let string = |value: &Value| unescaped(value.as_str().unwrap_or_default(), twice);
    let mut tokens = Vec::new();
    for token in output.as_array()? {
        let token = match token[0].as_str()? {
            "StartTag" => {
                let mut attributes = Vec::new();
                for (name, value) in token[2].as_object()? {
                    attributes.push((unescaped(name, twice)?, string(value)?));
                }
                attributes.sort();
                let closed = token[3].as_bool().unwrap_or_default();
                Token::Start(string(&token[1])?, attributes, closed)
            }
            "EndTag" => Token::End(string(&token[1])?),
            "Comment" => Token::Comment(string(&token[1])?),
            "DOCTYPE" => Token::Doctype,
            "Character" => {
                let more = string(&token[1])?;
                if let Some(Token::Text(text)) = tokens.last_mut() {
                    text.push_str(&more);
                    continue;
                }
                Token::Text(more)
            }
            other => panic!("unknown token {other}"),
        };
        tokens.push(token);
    }
    Some(tokens)
}

fn content(state: &str) -> Content {
    match state {
        "Data state" => Content::Data,
        "RCDATA state" => Content::Rcdata,
        "RAWTEXT state" => Content::Rawtext,
        "Script data state" => Content::SCRIPT,
        "PLAINTEXT state" => Content::Plaintext,
        "CDATA section state" => Content::Cdata,
        other => panic!("unknown state {other}"),
    }
}

/// Every single cut of an input (a selection for a very long one), and cuts everywhere, also within characters.
fn all_cuts(length: usize) -> Vec<Vec<usize>> {
    let every: Vec<usize> = (0..length).collect();
    let step = (every.len() / 256).max(1);
    let mut cuts: Vec<_> = every.iter().step_by(step).map(|&cut| vec![cut]).collect();
    cuts.push(every);
    cuts.push(Vec::new());
    cuts
}

/// Charsets whose documents are lexed without decoding. Other documents are lexed in UTF-8.
const CHARSETS: &[&str] = &[
    "utf-8",
    "ibm866",
    "iso-8859-2",
    "iso-8859-3",
    "iso-8859-4",
    "iso-8859-5",
    "iso-8859-6",
    "iso-8859-7",
    "iso-8859-8",
    "iso-8859-10",
    "iso-8859-13",
    "iso-8859-14",
    "iso-8859-15",
    "iso-8859-16",
    "koi8-r",
    "koi8-u",
    "macintosh",
    "windows-874",
    "windows-1250",
    "windows-1251",
    "windows-1252",
    "windows-1253",
    "windows-1254",
    "windows-1255",
    "windows-1256",
    "windows-1257",
    "windows-1258",
    "x-mac-cyrillic",
    "x-user-defined",
    "gbk",
    "gb18030",
    "big5",
    "euc-jp",
    "shift_jis",
    "euc-kr",
];

#[test]
fn html5lib_tokenizer_tests() {
    let Some(folder) = std::env::var_os("LINKGLOT_HTML5LIB").map(PathBuf::from) else {
        eprintln!("skipped: LINKGLOT_HTML5LIB does not name an unpacked html5lib");
        return;
    };
    let folder = folder.join("html5lib/tests/testdata/tokenizer");
    let (mut run, mut failed, mut skipped) = (0, Vec::new(), 0);
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        // xmlViolation expects an XML infoset, which the tokenizer does not produce.
        if !name.ends_with(".test") || name == "xmlViolation.test" {
            continue;
        }
        let json = without_lone_surrogates(&std::fs::read_to_string(&path).unwrap());
        let file: Value = serde_json::from_str(&json).unwrap();
        for test in file["tests"].as_array().unwrap() {
            match html5lib_case(test) {
                None => skipped += 1,
                Some(problems) => {
                    run += 1;
                    failed.extend(
                        problems
                            .into_iter()
                            .map(|problem| format!("{name}: {problem}")),
                    );
                }
            }
        }
    }
    eprintln!("{run} tests run, {skipped} hold lone surrogates");
    assert!(
        run > 6700 && skipped < 30,
        "{run} tests were run and {skipped} left out"
    );
    let shown = failed.len().min(25);
    assert!(
        failed.is_empty(),
        "{} failed:\n{}",
        failed.len(),
        failed[..shown].join("\n")
    );
}

const LONE: &str = "a lone surrogate stood here";

/// Rust strings cannot hold lone surrogates: a test with one gets a mark instead, and is left out.
fn without_lone_surrogates(json: &str) -> String {
    let mut out = String::new();
    let mut rest = json;
    while let Some(at) = rest.find("\\u") {
        let (before, escape) = rest.split_at(at);
        out.push_str(before);
        let unit = |text: &str| u32::from_str_radix(text.get(2..6).unwrap_or_default(), 16).ok();
        let first = unit(escape).unwrap_or_default();
        let second = escape.get(6..).and_then(unit).unwrap_or_default();
        let twice = before.ends_with('\\');
        let length = match first {
            0xD800..=0xDBFF if (0xDC00..=0xDFFF).contains(&second) => 12,
            0xD800..=0xDFFF if !twice => 0,
            _ => 6,
        };
        match length {
            0 => out.push_str(LONE),
            length => out.push_str(&escape[..length]),
        }
        rest = &escape[length.max(6)..];
    }
    out + rest
}

fn html5lib_case(test: &Value) -> Option<Vec<String>> {
    let twice = test["doubleEscaped"].as_bool().unwrap_or_default();
    let input = unescaped(test["input"].as_str()?, twice)?;
    let expected = expected(&test["output"], twice)?;
    if input.contains(LONE) {
        return None;
    }
    let data = serde_json::json!(["Data state"]);
    let states = test.get("initialStates").unwrap_or(&data);
    let mut problems = Vec::new();
    for state in states.as_array()? {
        let begin = Begin {
            content: content(state.as_str()?),
            end_name: test["lastStartTag"].as_str().unwrap_or_default(),
        };
        let what = test["description"].as_str().unwrap_or_default();
        for label in CHARSETS {
            let problem = in_charset(&input, label, begin, &expected);
            problems.extend(problem.map(|why| format!("{what} ({state}) {label} {input:?} {why}")));
        }
    }
    Some(problems)
}

/// The first wrong reading of a case in a charset, with every cut if there are bytes beyond ASCII.
fn in_charset(input: &str, label: &str, begin: Begin<'_>, expected: &[Token]) -> Option<String> {
    let charset = Charset::for_label(label).expect("a known label");
    let mut bytes = Vec::new();
    charset.encode(input, &mut bytes).ok()?;
    // windows-1258 decomposes letters and tones.
    if charset.decode(&bytes) != input {
        return None;
    }
    let source = Source {
        bytes: &bytes,
        charset,
    };
    let every: Vec<usize> = (0..bytes.len()).collect();
    let all = if label == "utf-8" || !input.is_ascii() {
        all_cuts(bytes.len())
    } else {
        vec![every, Vec::new()]
    };
    let wrong = all.iter().find_map(|cuts| {
        let found = finish(lex(source, begin, cuts));
        (found != expected).then_some((cuts, found))
    });
    let (cuts, found) = wrong?;
    let cuts: Vec<_> = cuts.iter().take(8).collect();
    Some(format!("{cuts:?}\n  {found:?}\n  {expected:?}"))
}

/// The tokens that html5gum reads, in the notation of these tests.
fn html5gum(input: &str) -> Vec<Token> {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let mut tokens: Vec<Token> = Vec::new();
    for token in html5gum::Tokenizer::new(input) {
        let Ok(token) = token;
        match token {
            html5gum::Token::StartTag(tag) => {
                let attributes = tag.attributes.iter();
                let attributes = attributes.map(|(name, value)| (text(name), text(value)));
                let attributes = attributes.collect();
                tokens.push(Token::Start(text(&tag.name), attributes, tag.self_closing));
            }
            html5gum::Token::EndTag(tag) => tokens.push(Token::End(text(&tag.name))),
            html5gum::Token::Comment(comment) => tokens.push(Token::Comment(text(&comment))),
            html5gum::Token::Doctype(_) => tokens.push(Token::Doctype),
            html5gum::Token::String(string) => match tokens.last_mut() {
                Some(Token::Text(before)) => before.push_str(&text(&string)),
                _ => tokens.push(Token::Text(text(&string))),
            },
            html5gum::Token::Error(_) => {}
        }
    }
    tokens
}

const SOUP: &str = "(<|</|>|/>|a|b|A|=|\"|'| |\n|\t|/|!|--|-|\\?|<!--|-->|--!>|<!DOCTYPE|&|&amp;|&#x41|&lt|;|x|é|\\[CDATA\\[|\\]\\]>|<a href=|<b c='d'|<script|</script>)*";

proptest! {
    #[test]
    fn soup_is_read_as_html5gum_reads_it(input in SOUP) {
        // `</>` separates two pieces of text in one lexer and not in the other; references are then read differently.
        prop_assume!(!input.contains("</>"));
        let found = finish(lex(input.as_str(), DATA, &[]));
        prop_assert_eq!(found, html5gum(&input));
    }

    #[test]
    fn soup_does_not_depend_on_its_cut(input in SOUP, state in 0..6_usize, script in any::<bool>()) {
        let content = [
            Content::Data, Content::Rcdata, Content::Rawtext, Content::SCRIPT, Content::Plaintext, Content::Cdata,
        ][state];
        let end_name = if script { "script" } else { "a" };
        let begin = Begin { content, end_name };
        let whole = lex(input.as_str(), begin, &[]);
        for cuts in all_cuts(input.len()) {
            prop_assert_eq!(&lex(input.as_str(), begin, &cuts), &whole, "{:?}", cuts);
        }
    }
}

#[test]
fn scripts_end_where_the_standard_says() {
    let cases = [
        ("x</script>y", "x"),
        ("<!--</script>y", "<!--"),
        (
            "<!--<script></script>--></script>y",
            "<!--<script></script>-->",
        ),
        ("<!--<script></script></script>y", "<!--<script></script>"),
        ("<!--<scripty></script>y", "<!--<scripty>"),
        ("<!--><script></script>y", "<!--><script>"),
        ("<!--<script>--></script>y", "<!--<script>-->"),
        ("</scripty></SCRIPT\n>y", "</scripty>"),
    ];
    for (input, script) in cases {
        let begin = Begin {
            content: Content::SCRIPT,
            end_name: "script",
        };
        for cuts in all_cuts(input.len()) {
            let tokens = lex(input, begin, &cuts);
            let expected = [
                Token::Text(script.to_owned()),
                Token::End("script".to_owned()),
                Token::Text("y".to_owned()),
            ];
            assert_eq!(tokens, expected, "{input} {cuts:?}");
        }
    }
}
