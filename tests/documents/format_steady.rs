//! Documents whose first bytes decide the format, or whose charset is declared after links: whatever the new links, the
//! documents are read as before.

use linkglot::document::{Document, Settings};
use linkglot::format::Format;
use linkglot::link::Info;
use linkglot::notes::Note;
use linkglot::rewrite::{Form, Rewriter, Rules};
use linkglot::{Charset, Evidence};
use proptest::prelude::*;

/// Format and charset, judged by the first bytes.
type Read = (Format, &'static str);

fn read(bytes: &[u8], settings: &Settings) -> Read {
    let info = Document::new(bytes, settings).info().clone();
    (info.format, info.charset.name())
}

fn rewriters(settings: &Settings) -> Vec<(&'static str, Rewriter)> {
    let mut rules = Rules::default();
    rules
        .add_file("é.example xn--longer-than-before-9ca.new.example\nxn--9ca.example é.example\n")
        .expect("rules");
    let new = || Rewriter::new().settings(settings.clone());
    let all = |rewriter: Rewriter| rewriter.min_evidence(Evidence::Name);
    vec![
        ("uri", new().to(Form::Uri)),
        ("all uri", all(new().to(Form::Uri))),
        ("iri", all(new().to(Form::Iri))),
        ("rules", all(new().to(Form::Same).rules(rules))),
    ]
}

fn named(name: Option<&str>) -> Settings {
    let mut settings = Settings::default();
    settings.name = name.map(str::to_owned);
    settings
}

/// Rewrites a document in every way: format and charset stay, and a second run changes nothing.
fn stays(bytes: &[u8]) {
    for name in [None, Some("a.txt"), Some("a")] {
        let settings = named(name);
        for (how, rewriter) in rewriters(&settings) {
            let text = || String::from_utf8_lossy(bytes).into_owned();
            let once = rewriter.rewrite_slice(bytes).content;
            let (before, mut after) = (read(bytes, &settings), read(&once, &settings));
            if once.is_ascii() {
                // All charsets read the new document alike.
                after.1 = before.1;
            }
            assert_eq!(before, after, "{how} {name:?}: {:?}", text());
            let twice = rewriter.rewrite_slice(&once);
            assert_eq!(twice.content, once, "{how} {name:?}: {:?}", text());
        }
    }
}

fn left(text: &str, name: Option<&str>) -> (String, usize) {
    let mut left = 0;
    let rewriter = Rewriter::new().to(Form::Uri).settings(named(name));
    let watched = rewriter.on_link(|outcome, _| {
        let is_left = outcome.new.is_none() && outcome.notes.contains(Note::LeftFormatWouldChange);
        left += usize::from(is_left);
    });
    let new = watched.rewrite_slice(text.as_bytes()).content;
    (String::from_utf8_lossy(&new).into_owned(), left)
}

/// A line that becomes ASCII looks like a field of mail; then the whole text would be a message, whose body may be in
/// another charset.
#[test]
fn a_text_becomes_no_mail() {
    let text = "From: jo@a.example\nwww.é.example: b\nSubject: c\n\nhttp://é.example/\n";
    for name in [None, Some("letter.txt")] {
        assert_eq!(left(text, name), (text.to_owned(), 2), "{name:?}");
    }
    // A format given by the caller stays, and so does a text that no change can turn into mail.
    let mut settings = named(None);
    settings.format = Some(Format::Text);
    let said = Rewriter::new().to(Form::Uri).settings(settings);
    let new = said.rewrite_slice(text.as_bytes());
    assert!(
        new.content
            .starts_with(b"From: jo@a.example\nwww.xn--9ca.example: b\n")
    );
    let plain = text.replace("Subject", "Its subject");
    let (new, count) = left(&plain, None);
    assert_eq!(count, 0);
    assert!(new.is_ascii(), "{new}");
    // Links beyond the head change.
    let long = format!(
        "{text}{}http://é.example/\n",
        "words \n".repeat(Info::HEAD / 3)
    );
    let (new, count) = left(&long, None);
    assert_eq!(count, 2);
    assert!(new.ends_with("\nhttp://xn--9ca.example/\n"));
    stays(text.as_bytes());
}

/// The same for a document that also gets another charset.
#[test]
fn a_text_in_another_charset_becomes_no_mail() {
    let text = "From: jo@a.example\nwww.\u{E9}.example: b\nSubject: c\n\nhttp://\u{E9}.example/\n";
    let latin_1: Vec<u8> = text.chars().map(|ch| ch as u8).collect();
    let mut settings = named(Some("letter.txt"));
    settings.charset = Some(Charset::WINDOWS_1252);
    let mut left = 0;
    let rewriter = Rewriter::new().to(Form::Uri).settings(settings);
    let rewriter = rewriter.to_charset(Charset::UTF_8);
    let watched = rewriter.on_link(|outcome, _| {
        let is_left = outcome.new.is_none() && outcome.notes.contains(Note::LeftFormatWouldChange);
        left += usize::from(is_left);
    });
    let new = watched.rewrite_slice(&latin_1).content;
    assert_eq!((String::from_utf8_lossy(&new), left), (text.into(), 2));
    assert_eq!(
        read(&new, &named(Some("letter.txt"))),
        (Format::Text, "UTF-8")
    );
}

/// Regression: a percent-encoded `>` no longer ended the tag in which a namespace is searched.
#[test]
fn a_page_becomes_no_xml() {
    for page in [
        "<p title='x' cite='http://a.example/é>' xmlns='urn:x'>http://é.example/</p>",
        "<a href='/é>' xmlns:x='urn:x'>b</a>",
    ] {
        stays(page.as_bytes());
    }
}

/// A declaration that readers expect in the first bytes stays there.
#[test]
fn declarations_stay_in_reach() {
    for gap in [900, 1000, 1010, Info::HEAD - 100, Info::HEAD - 40] {
        for hidden in [("", ""), ("<script>", "</script>")] {
            let link = "<a href='/é/é/é/é/é/é'>a</a>";
            let filler = "x".repeat(gap - link.len() - hidden.0.len());
            let meta = "<meta charset=windows-1251>";
            let page = format!(
                "<html>{link}{filler}{}{meta}{}<a href='/é'>",
                hidden.0, hidden.1
            );
            let bytes: Vec<u8> = page.replace('é', "\u{1}").into_bytes();
            let bytes: Vec<u8> = bytes
                .iter()
                .map(|&byte| if byte == 1 { 0xE9 } else { byte })
                .collect();
            stays(&bytes);
        }
    }
}

/// Lines at the border between text and mail.
const LINES: &[&str] = &[
    "From: jo@a.example",
    "Subject: é",
    "To: http://é.example/",
    "Message-ID: <1@a.example>",
    "www.é.example: b",
    "http://é.example/: b",
    "é.example/a: b",
    "www.xn--9ca.example: b",
    "é@é.example: b",
    " www.é.example",
    "See http://xn--9ca.example/%C3%A9",
    "From jo@é.example Thu Jan  1 00:00:00 1970",
    ">From www.é.example",
    "",
    "text",
];

/// Pieces at the border between the kinds of markup.
const MARKUP: &[&str] = &[
    "<!-- http://é.example/é -->",
    "<!--",
    "-->",
    "<?x http://é.example/ ?>",
    "<!doctype html>",
    "<!doctype x SYSTEM 'http://é.example/'>",
    "<html xmlns='http://www.w3.org/1999/xhtml'>",
    "<p cite='/é>' xmlns='urn:x'>",
    "<a href='http://é.example/?xmlns=é'>",
    "<a href=/é>",
    "<rss>",
    "<x y='http://é.example/' xmlns:z='http://é.example/'>",
    "{{ é }}",
    "www.é.example",
    "\n",
    "@import 'é';",
    "<www.é.example>",
    "<meta charset=windows-1252>",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn heads_of_mail(lines in prop::collection::vec(prop::sample::select(LINES), 1..7), long in any::<bool>()) {
        let text = lines.join("\n");
        let more = if long { "\nX-a: b".repeat(280) } else { String::new() };
        stays((text + &more).as_bytes());
    }

    #[test]
    fn heads_of_markup(pieces in prop::collection::vec(prop::sample::select(MARKUP), 1..6), gap in 0..3_usize) {
        let gap = [0, 1990, 2030][gap];
        let head = if gap > 0 { format!("<!-- www.é.example {} -->", "x".repeat(gap)) } else { String::new() };
        stays((head + &pieces.concat()).as_bytes());
    }
}
