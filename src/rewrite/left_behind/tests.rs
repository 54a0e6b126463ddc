use crate::document::Settings;
use crate::format::Format;
use crate::rewrite::needs;
use crate::rewrite::testing::Chunks;
use crate::rewrite::{DomainMove, LeftBehind, Need, Rewriter, Rules};
use proptest::prelude::*;
use std::io;

/// The listed mentions: line, column, host, place, reason.
fn mentions(rules: &str, text: &[u8]) -> Vec<String> {
    let rewriter = rewriter(rules);
    let slice = rewriter.rewrite_slice(text).summary.left_behind;
    for chunk in [1, 7] {
        let mut reader = Chunks(text, chunk);
        let stream = rewriter.rewrite(&mut reader, &mut io::sink()).unwrap();
        assert_eq!(stream.left_behind, slice);
    }
    words(&slice)
}

fn rewriter(rules: &str) -> Rewriter {
    let mut all = Rules::default();
    all.add_file(rules).unwrap();
    Rewriter::new().rules(all).left_behind(true)
}

fn words(found: &LeftBehind) -> Vec<String> {
    let found = found.mentions.iter().map(|mention| {
        let (line, column) = (mention.location.line, mention.location.column);
        let (host, place) = (&mention.host, mention.place.name());
        let why = mention.why.map_or("-", |why| why.code());
        format!("{line}:{column} {host} {place} {why}")
    });
    found.collect()
}

const RULE: &str = "http://old.example/ https://new.example/";

#[test]
fn places_and_reasons() {
    let page = "<!doctype html><a href='http://old.example/a'>x</a> old.example here
<!-- http://old.example/ and --> ftp://old.example/ http://old.example:8080/
<script>let a = 'http://old.example/', b = \"http:\\/\\/old.example\\/\";</script>
<style>a { background: url(https://old.example/b) }</style>
<p title='ann@old.example' data-x='http://Old.Example'>see www.old.example, old.example.
<a href='https://other.example/?u=http%3A%2F%2Fold.example%2F'>";
    assert_eq!(
        mentions(RULE, page.as_bytes()),
        [
            "1:54 old.example text no-scheme",
            "2:13 old.example comment -",
            "2:40 old.example text other-scheme",
            "2:60 old.example text other-port",
            "3:25 old.example script -",
            "3:54 old.example script escaped",
            "4:36 old.example style other-scheme",
            "5:15 old.example tag address",
            "5:43 old.example tag -",
            "5:77 old.example text no-scheme",
            "6:48 old.example tag percent-encoded",
        ]
    );
}

#[test]
fn parts_of_other_links() {
    let page = "<!doctype html><a href='http://a.example/?u=http://old.example/b'>\
        <a href='/share?u=http://old.example/'>http://a.example/http://old.example/";
    assert_eq!(
        mentions(RULE, page.as_bytes()),
        [
            "1:52 old.example tag in-link",
            "1:92 old.example tag in-link",
            "1:130 old.example text in-link",
        ]
    );
}

#[test]
fn a_rule_for_a_part_of_a_site_concerns_that_part() {
    let rule = "https://old.example/blog/ https://blog.example/";
    let text =
        "-- //old.example/shop old.example/blog http://old.example/blogs old.example\\/blog\\/a";
    assert_eq!(
        mentions(rule, text.as_bytes()),
        [
            "1:23 old.example text no-scheme",
            "1:65 old.example text no-scheme"
        ]
    );
}

/// With any number of rules for parts of a host, the rules that name a mention are found.
#[test]
fn many_rules_for_parts_of_a_site() {
    let part = |n: usize| {
        format!(
            "https://old.example/{}/{n}/ https://new.example/{n}/\n",
            n % 7
        )
    };
    let mut rules: String = (0..20_000).map(part).collect();
    rules += "http://old.example/3 https://new.example/3\n";
    let text = "ftp://old.example/3/10/x https://old.example/3/11 x:old.example%2f3%2F10 \
        ftp://old.example/4 ftp://old.example/1/1/x ftp://old.example/1/12 //old.example/30";
    assert_eq!(
        mentions(&rules, text.as_bytes()),
        [
            "1:7 old.example text other-scheme",
            "1:34 old.example text other-scheme",
            "1:53 old.example text no-scheme",
            "1:100 old.example text other-scheme",
        ]
    );
    let rules = "http://old.example/a%2Fb/ http://new.example/";
    assert_eq!(mentions(rules, b"ftp://old.example/A%2fB/").len(), 1);
    // Any spelling of a path.
    for path in ["\u{fc}ber/~a", "%C3%BCber/%7Ea", "%c3%bcber/%7ea"] {
        let rules = format!("http://old.example/{path}/ http://new.example/");
        for mention in ["\u{fc}ber/~a/1", "%C3%BCber/%7ea", "%c3%bcber/~a/"] {
            let text = format!("ftp://old.example/{mention} ftp://old.example/uber/~a/");
            assert_eq!(mentions(&rules, text.as_bytes()).len(), 1, "{rules} {text}");
        }
    }
}

#[test]
fn hosts_that_have_not_moved() {
    for rules in [
        "http://old.example/ https://old.example/",
        "/a/ /b/",
        "http://old.example/a/ /b/",
        "http://old.example/a /b//c",
        // Targets of another rule.
        "http://old.example/ http://a.example/\nhttp://b.example/ http://old.example/c/",
    ] {
        assert!(mentions(rules, b"old.example").is_empty(), "{rules}");
    }
    assert!(mentions(RULE, b"old.example.org an-old.example www.old.example").is_empty());
}

#[test]
fn hosts_in_patterns_and_without_a_scheme() {
    for rule in [
        r"re:^https?://old\.example/(.*)$ https://new.example/$1",
        "old.example new.example",
    ] {
        assert_eq!(
            mentions(rule, b"irc://old.example/"),
            ["1:7 old.example text other-scheme"],
            "{rule}"
        );
    }
    // Hosts that a pattern spells in several ways, or a site of which it names the paths.
    let both = r"re:^https?://(?:www\.)?old\.example/ https://new.example/";
    let text = b"irc://old.example/ irc://www.old.example/ irc://an.old.example/";
    assert_eq!(mentions(both, text).len(), 2);
    let folder = r"(?i)^https?://old\.example/blog/(\d+) https://new.example/$1";
    let folder = format!("re:{folder}");
    let text = b"irc://old.example/Blog/7 irc://old.example/b";
    assert_eq!(mentions(&folder, text).len(), 1);
    let unknown = r"re:^https?://([a-z]+)\.example/ https://new.example/";
    assert!(mentions(unknown, b"irc://old.example/").is_empty());
}

#[test]
fn hosts_in_other_forms() {
    let rule = "http://b\u{fc}cher.example/ http://new.example/";
    let text = "ftp://B\u{dc}CHER.example/ und xn--bcher-kva.example";
    assert_eq!(
        mentions(rule, text.as_bytes()),
        [
            "1:7 xn--bcher-kva.example text other-scheme",
            "1:27 xn--bcher-kva.example text no-scheme"
        ]
    );
    let rule = "http://localhost/ http://new.example/";
    assert_eq!(
        mentions(rule, b"gopher://localhost/"),
        ["1:10 localhost text other-scheme"]
    );
}

#[test]
fn hosts_with_escapes() {
    let text = "old&#46;example old&#x2E;example &#111;ld&period;example
old[.]example old%2Eexample http://%6Fld%2eexample/ %6fld%252Eexample old.example[.]
u=http%253A%252F%252Fold.example%252F //old&#46;example/ -- ftp://OLD&#46;example&#47;";
    assert_eq!(
        mentions(
            "re:^ftp://old\\.example/ https://new.example/",
            text.as_bytes()
        ),
        [
            "1:1 old.example text no-scheme",
            "1:17 old.example text no-scheme",
            "1:34 old.example text no-scheme",
            "2:1 old.example text pattern",
            "2:15 old.example text percent-encoded",
            "2:36 old.example text percent-encoded",
            "2:53 old.example text percent-encoded",
            "2:71 old.example text pattern",
            "3:22 old.example text percent-encoded",
            "3:41 old.example text -",
            "3:67 old.example text -",
        ]
    );
    let idn = "http://b\u{fc}cher.example/ http://new.example/";
    assert_eq!(
        mentions(idn, b"x b%C3%BCcher.example"),
        ["1:3 xn--bcher-kva.example text percent-encoded"]
    );
}

/// Letters beyond ASCII in each form that letters of ASCII may have.
#[test]
fn idn_hosts_with_escapes() {
    let rule = "http://b\u{fc}cher.example/ http://new.example/";
    let found = |text: &str| -> Vec<String> {
        let found = mentions(rule, text.as_bytes()).into_iter();
        found
            .map(|line| line.replace("xn--bcher-kva.example ", ""))
            .collect()
    };
    for (text, expected) in [
        ("<!-- http://b&uuml;cher.example/ -->", "1:13 text -"),
        (
            "<!doctype html><!-- http://b&#252;cher.example/ -->",
            "1:28 comment -",
        ),
        ("ftp://b&#xfc;cher.example/", "1:7 text other-scheme"),
        ("x B&Uuml;CHER&period;example", "1:3 text no-scheme"),
        ("&bdquo;b&uuml;cher.example&ldquo;", "1:8 text no-scheme"),
        ("bu&#x308;cher.example", "1:1 text no-scheme"),
        (
            r#""ftp:\/\/b\u00fccher.example""#,
            "1:10 text string-escape",
        ),
        (r#""b\xfccher.example""#, "1:2 text string-escape"),
        (r#""\\x62\\u00fccher.example""#, "1:2 text string-escape"),
        (r#""b\u{fc}cher.example""#, "1:2 text string-escape"),
        (r#""b\x{fc}cher\x2eexample""#, "1:2 text string-escape"),
        (r#""b\374cher.example""#, "1:2 text string-escape"),
        (r#""b\303\274cher.example""#, "1:2 text string-escape"),
        (r#""b\xC3\xBCcher.example""#, "1:2 text string-escape"),
        (r#"content: "b\fc cher.example""#, "1:11 text string-escape"),
        (
            r#"content: "b\0000fccher.example""#,
            "1:11 text string-escape",
        ),
        (
            r#"content: "\62 \fc cher\2e example""#,
            "1:11 text string-escape",
        ),
        (r#""\u201eb\u00fccher.example""#, "1:8 text string-escape"),
        ("ftp://b&amp;uuml;cher.example/", "1:7 text other-scheme"),
        (
            "ftp://b&amp;#xfc;cher&amp;#46;example/",
            "1:7 text other-scheme",
        ),
        ("a&amp;b&uuml;cher.example", "1:7 text no-scheme"),
    ] {
        assert_eq!(found(text), [expected], "{text}");
    }
    let others = r#"&auml;b&uuml;cher.example an&uuml;cher.example "\u00e4b\u00fccher.example" "\xe4bücher.example"
        b&uuml;cher&auml;.example "\e4 b\fc cher.example" b&nosuch;cher.example b&#xd800;cher.example
        &amp;auml;b&amp;uuml;cher.example b&amp;amp;uuml;cher.example"#;
    assert_eq!(found(others), [""; 0]);
    // A letter of a file name, or one that a string escapes, in front of a host of ASCII.
    assert_eq!(
        mentions(RULE, br#""\u00e9old.example" "\u012eold.example""#),
        [""; 0]
    );
    // The digits of an escape of CSS may end it.
    let rule = "http://caf\u{e9}.example/ http://new.example/";
    let text = br#"a { content: "caf\e9.example" }"#;
    assert_eq!(mentions(rule, text).len(), 1);
    // A text may end anywhere in a host.
    let text =
        r"\62 \fc cher.example b&amp;uuml;cher.example b\303\274cher.example b\u{fc}cher.example";
    for end in 0..=text.len() {
        for start in 0..end {
            found(&text[start..end]);
        }
    }
}

/// An escape in front of a host that is a letter makes it another host.
#[test]
fn escapes_of_other_hosts() {
    let text = "%61old.example &#97;old.example www%2Eold.example www&#46;old.example an[-]old example \
        www[.]old.example old&#46example old%2example old&#302;example old%E9.example";
    assert!(mentions(RULE, text.as_bytes()).is_empty());
}

#[test]
fn other_charsets() {
    let wide: Vec<u8> = "\u{FEFF}é ftp://old.example/"
        .encode_utf16()
        .flat_map(u16::to_be_bytes)
        .collect();
    let expected = ["1:9 old.example text other-scheme"];
    assert_eq!(mentions(RULE, &wide), expected);
    assert_eq!(
        mentions(RULE, "\u{FEFF}é ftp://old.example/".as_bytes()),
        expected
    );
    let page = b"<meta charset=shift_jis>\n\x83\x5C ftp://old.example/";
    assert_eq!(mentions(RULE, page), ["2:9 old.example text other-scheme"]);
}

#[test]
fn a_link_that_was_left_gives_its_reason() {
    let page = "<a href='http://old.example/{{ x }}/a' title='{{ y }}'>";
    let rule = r"re:^http://old\.example/(.*)$ https://new.example/?p=$1&x=1";
    assert_eq!(
        mentions(rule, page.as_bytes()),
        ["1:17 old.example tag left-template"]
    );
}

#[test]
fn each_link_on_a_line_has_its_own_reason() {
    let text = r#"http://old.example/ s:24:"http://old.example/shop/"; http://old.example/caf\u00e9 s:22:"http://old.example/caf";"#;
    assert_eq!(
        mentions(RULE, text.as_bytes()),
        [
            "1:35 old.example text left-serialized",
            "1:62 old.example text left-escaped",
            "1:97 old.example text left-serialized",
        ]
    );
}

#[test]
fn long_lists_are_cut() {
    let text = "old.example ".repeat(LeftBehind::MOST + 5);
    let found = rewriter(RULE)
        .rewrite_slice(text.as_bytes())
        .summary
        .left_behind;
    assert_eq!((found.mentions.len(), found.more), (LeftBehind::MOST, 5));
}

#[test]
fn comments_of_light_markup() {
    let places = |format: Format, text: &str| -> Vec<String> {
        let mut settings = Settings::default();
        settings.format = Some(format);
        let rewriter = rewriter(RULE).settings(settings);
        let found = rewriter.rewrite_slice(text.as_bytes()).summary.left_behind;
        words(&found)
    };
    assert_eq!(
        places(
            Format::AsciiDoc,
            "old.example\n// http://old.example/\n\n////\nhttp://old.example/\n////\nold.example\n"
        ),
        [
            "1:1 old.example text no-scheme",
            "2:11 old.example comment -",
            "5:8 old.example comment -",
            "7:1 old.example text no-scheme",
        ]
    );
    assert_eq!(
        places(
            Format::Org,
            "# http://old.example/\n#+begin_comment\nhttp://old.example/\n#+end_comment\nold.example\n"
        ),
        [
            "1:10 old.example comment -",
            "3:8 old.example comment -",
            "5:1 old.example text no-scheme",
        ]
    );
    assert_eq!(
        places(
            Format::MediaWiki,
            "<!-- http://old.example/ --> old.example"
        ),
        [
            "1:13 old.example comment -",
            "1:30 old.example text no-scheme",
        ]
    );
}

#[test]
fn verbatim_text_of_tex() {
    let text = "\\documentclass{a} old.example \\verb|http://old.example/| old.example
% \\begin{verbatim}
old.example \\% \\begin{lstlisting}
http://old.example/
\\end{verbatim} http://old.example/
\\end{lstlisting} old.example \\verbatim|old.example|";
    assert_eq!(
        mentions(RULE, text.as_bytes()),
        [
            "1:19 old.example text no-scheme",
            "1:44 old.example verbatim -",
            "1:58 old.example text no-scheme",
            "3:1 old.example text no-scheme",
            "4:8 old.example verbatim -",
            "5:23 old.example verbatim -",
            "6:18 old.example text no-scheme",
            "6:40 old.example text no-scheme",
        ]
    );
}

#[test]
fn hosts_with_escapes_of_strings() {
    let text = r#"a = "http://old\x2eexample/", "old\u002eexample", 'old\056example', "\x6fld\u{2e}example"
"\\x2f\\x2fold\\x2eexample", "x\x2fold.example", "x\057old.example", content: "old\2e example", old\00002eexample
"\nold.example" "#;
    assert_eq!(
        mentions(RULE, text.as_bytes()),
        [
            "1:13 old.example text string-escape",
            "1:32 old.example text string-escape",
            "1:52 old.example text string-escape",
            "1:70 old.example text string-escape",
            "2:12 old.example text string-escape",
            "2:36 old.example text no-scheme",
            "2:56 old.example text no-scheme",
            "2:80 old.example text string-escape",
            "2:97 old.example text string-escape",
            "3:4 old.example text no-scheme",
        ]
    );
    // A letter that an escape ends with belongs to the escape, and one behind it to another host.
    let others = r#""\x61old.example", "\nabold.example" "old\x2bexample" "old\u012eexample" "old\d.example""#;
    assert!(mentions(RULE, others.as_bytes()).is_empty());
}

#[test]
fn hosts_that_strings_and_lines_cut() {
    let text = r#"a = "http://old." + "example/a"; $b = 'http://ol' . 'd.example';
c = ("//old"
     ".exam" "ple"); d = "http://old.\
example/"; Mail me: ann@old.
> example and see http://old.exam
  ple/long "http://www." + "old." + "example"
"#;
    let expected = [
        "1:13 old.example text cut",
        "1:47 old.example text cut",
        "2:9 old.example text cut",
        "3:34 old.example text cut",
        "4:25 old.example text cut",
        "5:26 old.example text cut",
    ];
    assert_eq!(mentions(RULE, text.as_bytes()), expected);
    assert_eq!(
        mentions(RULE, text.replace('\n', "\r\n").as_bytes()),
        expected
    );
    // Words at the end of a line, other hosts, attributes and lists are no pieces.
    let others = r#"This is old.
Example one: <a title="old." rel="example"> ["old.", "example"] "old.""example" http://old.
example-b "http://x" + "old.example.org" "//an-" + "old.example"
"#;
    let found = mentions(RULE, others.as_bytes());
    assert_eq!(found, ["3:53 old.example text no-scheme"], "{others}");
    let part = "http://old.example/blog/ https://new.example/";
    let text = r#""http://old." + "example/blog/a", "http://old." + "example/b""#;
    assert_eq!(
        mentions(part, text.as_bytes()),
        ["1:9 old.example text cut"]
    );
}

#[test]
fn pieces_with_prefixes_and_in_comments() {
    for text in [
        r#"u"http://old." u"example/a""#,
        r#"@"http://old." + @"example/a""#,
        "// see http://old.\n// example/a",
        "; http://old.\n;   example/a",
        r#""http://old." ++ "example""#,
    ] {
        let found = mentions(RULE, text.as_bytes());
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        assert!(found[0].ends_with(" cut"), "{text}: {found:?}");
    }
}

/// A text may end anywhere in a host.
#[test]
fn texts_that_end_in_a_piece() {
    let text = "'http://ol' . 'd.example' see http://old.\r\nexample/a \"//old\" + rb\"\\x2eexample. old\\u{2e}example";
    for end in 0..=text.len() {
        for start in 0..end {
            mentions(RULE, &text.as_bytes()[start..end]);
        }
    }
}

#[test]
fn user_names_are_no_addresses() {
    let text = "http://ann:x@old.example/ //bob@old.example mailto:ann@old.example http://a.example/@old.example";
    assert_eq!(
        mentions(RULE, text.as_bytes()),
        [
            "1:14 old.example text user-name",
            "1:33 old.example text user-name",
            "1:56 old.example text address",
            "1:86 old.example text address",
        ]
    );
}

#[test]
fn identifiers_of_xml() {
    let feed = r#"<?xml version="1.0"?><rss xmlns:a="http://old.example/ns" b='http://old.example/'>
<guid isPermaLink="false">http://old.example/?p=1</guid><guid>ftp://old.example/</guid><id>http://old.example/</id>
<a:id>http://old.example/</a:id><guid>http://old.example/</guid></rss>"#;
    let found = mentions(RULE, feed.as_bytes());
    assert_eq!(
        found,
        [
            "1:43 old.example tag identifier",
            "2:34 old.example text -",
            "2:69 old.example text other-scheme",
            "2:99 old.example text identifier",
            "3:14 old.example text identifier",
            "3:46 old.example text identifier",
        ]
    );
}

#[test]
fn text_of_links_and_code() {
    let page = "<!doctype html><A href='//old.example/'>https://old.example/</a> <kbd>http://old.example/</kbd>
<a>ftp://old.example/</a> <!-- <b>http://old.example/</b> --> <code class=a>//old.example</code>";
    assert_eq!(
        mentions("old.example new.example", page.as_bytes()),
        [
            "1:49 old.example text link-text",
            "1:78 old.example text code",
            "2:10 old.example text other-scheme",
            "2:42 old.example comment -",
            "2:79 old.example text code",
        ]
    );
}

/// The names of elements in XML that only begin with that of a script.
#[test]
fn elements_that_are_no_scripts() {
    for element in [
        "<script:event-listener/>",
        "<script.ev/>",
        "<script/>",
        "<scripts>",
    ] {
        let text = format!("<?xml version='1.0'?><a xmlns:script='urn:x'>{element}old.example</a>");
        let found = mentions(RULE, text.as_bytes());
        assert!(
            found[0].contains("old.example text"),
            "{element}: {found:?}"
        );
    }
}

#[test]
fn event_handlers_are_scripts() {
    let page = r#"<a onclick="location='http://old.example/'" title='http://old.example/'><a ononline = 1
ONCLICK='a' ONCLICK='go("http://old.example/")' data-on="http://old.example/">"#;
    let settings = Settings::default();
    let found = rewriter(RULE)
        .settings(settings)
        .rewrite_slice(page.as_bytes());
    assert_eq!(
        words(&found.summary.left_behind),
        [
            "1:30 old.example script -",
            "1:59 old.example tag -",
            "2:33 old.example script -",
            "2:65 old.example tag -",
        ]
    );
}

/// Whatever the pieces in which a long text is searched.
#[test]
fn cuts_in_long_texts() {
    let line = "http://old.\nexample/ 'http://old.' . 'example' \"//www.\" + \"old.\" + \"example\" old\\x2eexample\n";
    let text = line.repeat((300 << 10) / line.len());
    let rewriter = rewriter(RULE);
    let whole = rewriter.rewrite_slice(text.as_bytes()).summary.left_behind;
    let lines = text.len() / line.len();
    let count = whole.mentions.len() as u64 + whole.more;
    assert_eq!(count, 3 * lines as u64);
    for chunk in [997, 4096] {
        let mut reader = Chunks(text.as_bytes(), chunk);
        let stream = rewriter.rewrite(&mut reader, &mut io::sink()).unwrap();
        assert_eq!(stream.left_behind, whole);
    }
}

#[test]
fn fields_of_headers() {
    let base64 = "=?utf-8?b?aHR0cDovL29sZC5leGFtcGxlLw==?=";
    let mail = format!(
        "Received: from mx.old.example by old.example\nMessage-ID: <1@old.example>\n\
         From: Ann <ann@old.example>\nSubject: see {base64}\n =?utf-8?q?ftp=3A//old=2Eexample/?=\n\
         X-Note: http://old.example/\nTo: bob@b.example,\n  carl@old.example\n\nold.example\n"
    );
    let found = |settings: Settings| -> Vec<String> {
        let rewriter = rewriter(RULE).settings(settings);
        let slice = rewriter.rewrite_slice(mail.as_bytes()).summary.left_behind;
        let mut reader = Chunks(mail.as_bytes(), 5);
        let stream = rewriter.rewrite(&mut reader, &mut io::sink()).unwrap();
        assert_eq!(stream.left_behind, slice);
        words(&slice)
    };
    let mut settings = Settings::default();
    settings.format = Some(Format::Mail);
    assert_eq!(
        found(settings.clone()),
        [
            "3:16 old.example header address",
            "4:33 old.example header-text -",
            "5:20 old.example header-text other-scheme",
            "6:16 old.example header-text -",
            "8:8 old.example header address",
            "10:1 old.example text no-scheme",
        ]
    );
    settings.header_text = true;
    assert_eq!(found(settings).len(), 4);
}

fn needs_of(text: &[u8]) -> Vec<Vec<Need>> {
    let mut rules = Rules::default();
    let reach = DomainMove::default();
    rules.move_domain("old.com", "new.org", reach).unwrap();
    let rewriter = Rewriter::new().rules(rules).left_behind(true);
    let needs = |found: LeftBehind| -> Vec<_> {
        let mentions = found.mentions.into_iter();
        mentions.map(|mention| mention.needs).collect()
    };
    let found = needs(rewriter.rewrite_slice(text).summary.left_behind);
    let mut out = Vec::new();
    let mut reader = Chunks(text, 4096);
    let stream = rewriter.rewrite(&mut reader, &mut out).unwrap();
    assert_eq!(needs(stream.left_behind), found);
    found
}

#[test]
fn needs_are_measured() {
    let page = "<!doctype html><!-- http://old.com/ ann@old.com ftp://old.com/ -->
<p data-src='http://old.com/'><a href=/>old.com</a><code>old.com</code><p xmlns='http://old.com/'>";
    let expected: [&[Need]; 7] = [
        &[Need::Comments],
        &[Need::Mail, Need::Comments],
        &[],
        &[Need::OptIn],
        &[Need::LinkText],
        &[Need::Code],
        &[],
    ];
    let found = needs_of(page.as_bytes());
    assert_eq!(found.len(), expected.len());
    for (at, (mut found, expected)) in found.into_iter().zip(expected).enumerate() {
        found.sort();
        let mut expected = expected.to_vec();
        expected.sort();
        assert_eq!(found, expected, "{at}");
    }
}

/// The host of a link moves, and another mention in it does not.
#[test]
fn a_link_with_two_mentions() {
    let page =
        b"<!doctype html><!-- http://old.com/?u=http://old.com/ mailto:a@old.com,b@old.com -->";
    let found = needs_of(page);
    assert_eq!(found[..2], [vec![Need::Comments], vec![]]);
    assert!(found[2..].iter().all(|needs| needs.len() == 2), "{found:?}");
}

/// Behind the beginning of a long document, mentions have the needs of their likes in it, or else of place and reason.
#[test]
fn needs_in_long_documents() {
    let begin = "<!doctype html><!-- http://old.com/ -->\n<p data-src='http://old.com/'>\n";
    let behind = "<!-- http://old.com/ --><!-- ann@old.com -->
<p data-src='http://old.com/'><script>'http://old.com/'</script><p xmlns='http://old.com/'>";
    let long = format!("{begin}{}\n{behind}", " ".repeat(needs::MOST_MEASURED));
    assert_eq!(
        needs_of(long.as_bytes()),
        [
            vec![Need::Comments],
            vec![Need::OptIn],
            vec![Need::Comments],
            vec![Need::Comments, Need::Mail],
            vec![Need::OptIn],
            vec![Need::Code],
            vec![]
        ]
    );
}

/// The beginning of a long document ends with a line, or within one.
#[test]
fn the_beginning_of_a_long_document() {
    for separator in [" ", "\n"] {
        let mention = format!("<!-- http://old.com/ -->{separator}");
        let count = needs::MOST_MEASURED / mention.len() / 8 + 9;
        let filling = " ".repeat(7 * mention.len());
        let text = format!("<!doctype html>{}", (mention + &filling).repeat(count));
        let needs = needs_of(text.as_bytes());
        assert_eq!(needs, vec![[Need::Comments]; count.min(LeftBehind::MOST)]);
    }
}

/// A document that is nothing but links is measured in a part, which is shorter than a document of a megabyte.
#[test]
fn needs_in_documents_of_links() {
    let comments = "<!-- http://old.com/ -->\n".repeat(5_000);
    let text = format!("<!doctype html>{comments}<p data-src='http://old.com/'>");
    let needs = needs_of(text.as_bytes());
    let (last, others) = needs.split_last().unwrap();
    assert_eq!(others, vec![[Need::Comments]; 5_000]);
    // No mention in the part is like it, and its place says nothing.
    assert_eq!(*last, []);
    let text = text.replace("http://old.com/ ", "http://a.com/ ");
    assert_eq!(needs_of(text.as_bytes()), [[Need::OptIn]]);
}

/// A setting that the run has is not named.
#[test]
fn guesses_name_missing_settings() {
    let text = format!(
        "<!doctype html>{}<!-- ann@old.com http://old.com/ -->",
        " ".repeat(needs::MOST_MEASURED)
    );
    let mut rules = Rules::default();
    rules
        .move_domain("old.com", "new.org", DomainMove::default())
        .unwrap();
    let mut settings = Settings::default();
    settings.vocabulary = settings.vocabulary.with_opt_ins();
    let rewriter = Rewriter::new().rules(rules).left_behind(true);
    let needs = |settings: Settings| -> Vec<Vec<Need>> {
        let rewriter = rewriter.clone().settings(settings);
        let found = rewriter.rewrite_slice(text.as_bytes()).summary.left_behind;
        found
            .mentions
            .into_iter()
            .map(|mention| mention.needs)
            .collect()
    };
    assert_eq!(
        needs(settings.clone()),
        [vec![Need::Comments, Need::Mail], vec![Need::Comments]]
    );
    settings.comments = crate::markup::CommentSlots::All;
    assert_eq!(needs(settings), [[Need::Mail]]);
}

/// The port of another scheme is no default port.
#[test]
fn ports_by_scheme() {
    let text = b"http://old.example:443/ https://old.example:80/ http://old.example:8443/";
    assert_eq!(
        mentions("old.example new.example", text),
        [
            "1:8 old.example text other-port",
            "1:33 old.example text other-port",
            "1:56 old.example text other-port",
        ]
    );
}

/// Links end after characters, not bytes, and another link on the line is no reason.
#[test]
fn needs_in_utf_16() {
    let text = "\u{FEFF}a@old.com ftp://old.com/";
    let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(needs_of(&bytes), [vec![Need::Mail], vec![]]);
}

#[test]
fn links_on_the_line_of_a_link_that_was_left() {
    let page =
        b"<a href=\"http://old.example/\xE9\">x</a> <!-- http://old.example/ --> old.example:8080";
    assert_eq!(
        mentions("http://old.example/ http://new.example/", page),
        [
            "1:17 old.example tag charset-unsure",
            "1:50 old.example comment -",
            "1:67 old.example text other-port",
        ]
    );
}

/// The option that reaches less is named, whatever the mention before it needs.
#[test]
fn needs_in_code_behind_the_text_of_a_link() {
    let page = b"<!doctype html><a href=/>http://old.com/</a> <code>http://old.com/</code>";
    assert_eq!(needs_of(page), [[Need::LinkText], [Need::Code]]);
}

/// A mention in a link that was left has the reason of the link, in parts with an encoding, too.
#[test]
fn links_that_were_left_in_parts() {
    let html = "<a href='http://old-shop.com/a'>x</a> old-shop.com\n<!-- old-shop.com -->\n";
    for (encoding, part) in [
        ("7bit", html.to_owned()),
        ("quoted-printable", html.replace('=', "=3D")),
    ] {
        let message = format!(
            "From: ann@a.example\nMIME-Version: 1.0\n\
             Content-Type: multipart/signed; boundary=b; protocol=\"application/pgp-signature\"\n\n\
             --b\nContent-Type: text/html\nContent-Transfer-Encoding: {encoding}\n\n{part}\n\
             --b\nContent-Type: application/pgp-signature\n\nx\n--b--\n"
        );
        let begin = if encoding == "7bit" {
            [17, 39]
        } else {
            [19, 41]
        };
        assert_eq!(
            mentions("old-shop.com https://new-shop.com", message.as_bytes()),
            [
                format!("9:{} old-shop.com tag left-signed", begin[0]),
                format!("9:{} old-shop.com text left-signed", begin[1]),
                "10:6 old-shop.com comment no-scheme".to_owned(),
            ]
        );
    }
}

/// Labels in Unicode have other letters than in punycode.
#[test]
fn last_labels_in_unicode() {
    let rule = "http://bücher.example/ https://new.example/";
    for host in ["bücher.example", "xn--bcher-kva.example", "BÜCHER.example"] {
        let text = format!("see {host}");
        assert_eq!(mentions(rule, text.as_bytes()).len(), 1, "{host}");
    }
    let rule = "http://old.vermögensberater/ https://new.example/";
    for host in ["old.vermögensberater", "old.xn--vermgensberater-ctb"] {
        let text = format!("see {host}");
        assert_eq!(mentions(rule, text.as_bytes()).len(), 1, "{host}");
    }
}

proptest! {
    /// Only dots are looked at that may be the last one of a moved host, in whatever form.
    #[test]
    fn a_moved_host_is_found_in_each_form(forms in prop::collection::vec(0..5, 11), rule in prop::sample::select(vec![RULE, "http://old.example/ https://new.test/"])) {
        let written: String = "old.example".chars().zip(&forms).map(|(ch, form)| match form {
            0 => ch.to_string(),
            1 => ch.to_ascii_uppercase().to_string(),
            2 => format!("%{:02X}", ch as u32),
            3 => format!("%25{:02x}", ch as u32),
            _ => format!("&#{};", ch as u32),
        }).collect();
        let text = format!("<p>see a.test. {written} www.test");
        let found = mentions(rule, text.as_bytes());
        prop_assert_eq!(found.len(), 1, "{}: {:?}", text, found);
    }
}
