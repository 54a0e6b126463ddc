//! Rewriting, place by place: the new form of a link, and that nothing else changes. Documents before and after are in
//! `rewrite.txt`.

use crate::support::{Chunks, rules, settings};
use linkglot::format::Format;
use linkglot::link::{Info, Link, Nfc};
use linkglot::notes::Note;
use linkglot::rewrite::{Form, Forms, LinkForms, Reach, Rewriter, Rules};
use linkglot::{Charset, Document, Settings};
use std::ops::ControlFlow;

/// The text in the charset, with a BOM if the charset cannot be recognized without.
fn encoded(text: &str, charset: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let charset = Charset::for_label(charset).expect("a known label");
    charset
        .encode(text, &mut bytes)
        .expect("the charset has the text");
    bytes
}

/// Rewrites a document as a slice, and as a stream in pieces of some lengths.
fn rewritten(source: &[u8], settings: &Settings, rewriter: &Rewriter) -> (Vec<u8>, Vec<Note>) {
    let mut notes = Vec::new();
    let rewriter = rewriter.clone().settings(settings.clone());
    let watched = rewriter.clone().on_link(|outcome, _| {
        notes.extend(outcome.notes.iter().filter(|_| outcome.new.is_none()));
    });
    let new = watched.rewrite_slice(source).content.into_owned();
    for length in [1, 2, 3, 7, 64] {
        let (mut out, mut reader) = (Vec::new(), Chunks(source, length));
        rewriter.rewrite(&mut reader, &mut out).expect("memory");
        assert_eq!(out, new, "in pieces of {length}");
    }
    (new, notes)
}

fn check(format: Format, charset: &str, form: Form, before: &str, after: &str) {
    let settings = settings(format, charset);
    let (new, _) = rewritten(
        &encoded(before, charset),
        &settings,
        &Rewriter::new().to(form),
    );
    let shown = Charset::for_label(charset)
        .expect("a known label")
        .decode(&new)
        .into_owned();
    // ISO-2022-JP has many spellings: shift sequences around an edit stay.
    assert_eq!(shown, after, "{format:?} {charset} {form:?}");
    let kept = if charset == "iso-2022-jp" {
        new.clone()
    } else {
        encoded(after, charset)
    };
    assert_eq!(new, kept, "{format:?} {charset} {form:?} {before}");
}

/// A case of `rewrite.txt`, with the lines above it.
struct Case<'f> {
    line: usize,
    heading: &'f str,
    /// The format, the charsets and the form.
    header: &'f str,
    before: String,
    after: String,
}

/// The cases of `rewrite.txt`, whose beginning explains the syntax.
fn cases(file: &str) -> Vec<Case<'_>> {
    let (mut cases, mut heading, mut header, mut before) = (Vec::new(), "", "", None);
    for (at, line) in file.lines().enumerate() {
        let (mark, text) = line.split_at_checked(2).unwrap_or((line, ""));
        let case = |before, after| Case {
            line: at + 1,
            heading,
            header,
            before,
            after,
        };
        match mark {
            "" | "#" | "# " => {}
            "==" => heading = text.trim(),
            "- " => {
                let pending = before.replace(unescaped(text));
                assert_eq!(pending, None, "line {}: a line with `+` before it", at + 1);
            }
            "+ " => {
                let before = before.take().expect("a line with `-` before this");
                cases.push(case(before, unescaped(text)));
            }
            "= " => cases.push(case(unescaped(text), unescaped(text))),
            _ => header = line,
        }
    }
    cases
}

/// A text with `\n`, `\r`, `\u{e9}` and `\\` replaced by their characters.
fn unescaped(text: &str) -> String {
    let (mut plain, mut rest) = (String::new(), text);
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        plain.push_str(before);
        let number = |escape: &str| {
            let (digits, _) = escape.strip_prefix("\\u{")?.split_once('}')?;
            let ch = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
            Some((ch, digits.len() + 4))
        };
        let (ch, length) = match escape.as_bytes().get(1) {
            Some(b'n') => ('\n', 2),
            Some(b'r') => ('\r', 2),
            Some(b'\\') => ('\\', 2),
            _ => number(escape).unwrap_or(('\\', 1)),
        };
        plain.push(ch);
        rest = &escape[length..];
    }
    plain + rest
}

#[test]
fn documents_become_what_the_file_says() {
    let cases = cases(include_str!("rewrite.txt"));
    assert!(cases.len() > 100, "cases that are read");
    for case in cases {
        let [format, charsets, form] = case.header.split(", ").collect::<Vec<_>>()[..] else {
            panic!("line {}: a format, charsets and a form", case.line);
        };
        let formats = [
            Format::Html,
            Format::Xml,
            Format::Css,
            Format::Text,
            Format::Json,
            Format::JsonLines,
        ];
        let format = formats.into_iter().find(|known| known.name() == format);
        let format = format.expect("a format");
        let form = match form {
            "uri" => Form::Uri,
            "iri" => Form::Iri,
            other => panic!("line {}: `{other}` is no form", case.line),
        };
        for charset in charsets.split(' ') {
            let Case {
                line,
                heading,
                before,
                after,
                ..
            } = &case;
            println!("tests/documents/rewrite.txt:{line}: {heading}");
            check(format, charset, form, before, after);
        }
    }
}

#[test]
fn queries_are_in_the_charset_of_an_html_document() {
    let (before, after) = ("<a href='/ж?ж=é'>", "<a href='/%D0%B6?%E6=%26%23233%3B'>");
    let source = [
        encoded("<a href='/ж?ж=", "windows-1251"),
        b"&eacute;'>".to_vec(),
    ]
    .concat();
    let (new, _) = rewritten(
        &source,
        &settings(Format::Html, "windows-1251"),
        &Rewriter::new().to(Form::Uri),
    );
    assert_eq!(new, after.as_bytes(), "{before}");
    check(
        Format::Html,
        "shift_jis",
        Form::Uri,
        "<a href='?ア表'>",
        "<a href='?%83%41%95%5C'>",
    );
    check(
        Format::Text,
        "windows-1251",
        Form::Uri,
        "http://example.org/?ж",
        "http://example.org/?%D0%B6",
    );
}

/// In ISO-2022-JP the sequence that ends a run of Japanese is removed with the run, unless it stands after the link.
#[test]
fn shift_sequences_go_with_what_they_shift() {
    let uri = b"http://xn--r8jz45g.jp/%E6%97%A5x%E6%9C%AC/ a";
    let iri = b"http://\x1b$BNc$(\x1b(B.jp/\x1b$BF|\x1b(Bx\x1b$BK\\\x1b(B/ a";
    for format in [Format::Text, Format::Html] {
        let settings = settings(format, "iso-2022-jp");
        let (page, shown) = match format {
            Format::Html => (
                [b"<a href='", &uri[..uri.len() - 2], b"'>"].concat(),
                [b"<a href='", &iri[..iri.len() - 2], b"'>"].concat(),
            ),
            _ => (uri.to_vec(), iri.to_vec()),
        };
        let (there, _) = rewritten(&page, &settings, &Rewriter::new().to(Form::Iri));
        assert_eq!(there, shown, "{}", there.escape_ascii());
        let (back, _) = rewritten(&there, &settings, &Rewriter::new().to(Form::Uri));
        assert_eq!(back, page, "{}", back.escape_ascii());
    }
    let settings = settings(Format::Html, "iso-2022-jp");
    // A reference stays a reference.
    let page = b"<a href='/\x1b$BF|\x1b(B&#x78;\x1b$BF|\x1b(B&amp;'>";
    let (new, _) = rewritten(page, &settings, &Rewriter::new().to(Form::Uri));
    let kept = b"<a href='/%E6%97%A5\x1b(B&#x78;%E6%97%A5\x1b(B&amp;'>";
    assert_eq!(new, kept, "{}", new.escape_ascii());
}

/// Octets of characters in ISO-2022-JP that browsers send as delimiters of forms stay delimiters, there and back.
#[test]
fn queries_in_iso_2022_jp_are_those_of_browsers() {
    let settings = settings(Format::Html, "iso-2022-jp");
    let page = b"<a href='http://a.example/?q=\x1b$B$&\x1b(Bx'>";
    let uri = b"<a href='http://a.example/?q=%1B%24%42%24&%1B%28%42x'>";
    let (there, _) = rewritten(page, &settings, &Rewriter::new().to(Form::Uri));
    assert_eq!(there, uri, "{}", there.escape_ascii());
    for form in [Form::Iri, Form::Uri] {
        let (back, _) = rewritten(&there, &settings, &Rewriter::new().to(form));
        assert_eq!(back, uri, "{}", back.escape_ascii());
    }
}

/// The written form of a link is reported, however far in a stream the link stands.
#[test]
fn forms_are_told_behind_the_first_windows() {
    let filler = "lorem ipsum dolor sit amet ".repeat(150);
    let text = format!("{filler}\nhttp://日.example/本 ").repeat(80);
    for charset in ["utf-8", "shift_jis", "iso-2022-jp", "utf-16be", "utf-32le"] {
        let (settings, bytes) = (settings(Format::Text, charset), encoded(&text, charset));
        let read = |length: usize| {
            let mut told = Vec::new();
            let mut pieces = Chunks(&bytes, length);
            let info = Forms::new(&settings).read(&mut pieces, &mut |link, forms, _| {
                told.push((link.span(), forms.clone()));
                ControlFlow::Continue(())
            });
            info.expect("memory is read");
            told
        };
        let told = read(bytes.len());
        assert_eq!(told.len(), 80, "{charset}");
        for (_, forms) in &told {
            let uri = "http://xn--wgv.example/%E6%9C%AC";
            assert_eq!(forms.uri.as_deref(), Some(uri), "{charset}");
        }
        assert_eq!(read(1021), told, "{charset}");
    }
}

/// Identifiers are compared as written (RFC 3987 5.3.1): no form changes them, rules may.
#[test]
fn only_rules_change_identifiers() {
    let pages = [
        "<script type=application/ld+json>{\"@id\":\"http://a.example/%7Eé\",\"@type\":\"http://a.example/é\",\
         \"@context\":{\"@vocab\":\"http://a.example/é#\"},\"id\":\"http://a.example/é\"}</script>",
        "<p itemscope itemid=http://a.example/é itemtype=http://a.example/é>",
        "<iframe srcdoc='<p itemscope itemid=http://a.example/é itemtype=http://a.example/é>'></iframe>",
        "<p vocab=http://a.example/é typeof=http://a.example/é about=http://a.example/é \
         resource=http://a.example/é property=http://a.example/é>",
    ];
    let mut settings = settings(Format::Html, "utf-8");
    for page in pages {
        check(Format::Html, "utf-8", Form::Uri, page, page);
        let encoded = page.replace('é', "%C3%A9");
        check(Format::Html, "utf-8", Form::Iri, &encoded, &encoded);
        let mut rules = Rules::default();
        rules.add("http://a.example/ https://b.example/").unwrap();
        let rewriter = Rewriter::new().to(Form::Uri).rules(rules);
        settings.identifiers = true;
        let (new, _) = rewritten(page.as_bytes(), &settings, &rewriter);
        let moved = page.replace("http://a.example/", "https://b.example/");
        assert_eq!(String::from_utf8_lossy(&new), moved);
    }
}

/// In HZ, readers refuse a shift to the present state (RFC 1843): an empty pair stays after the link.
#[test]
fn shifts_of_hz_lead_to_the_other_state() {
    let settings = settings(Format::Css, "hz");
    let page = b"@charset \"hz\";a{b:url(/~{VPND~})}";
    let (uri, _) = rewritten(page, &settings, &Rewriter::new().to(Form::Uri));
    let expected = b"@charset \"hz\";a{b:url(/%E4%B8%AD%E6%96%87~{~})}";
    assert_eq!(
        uri.escape_ascii().to_string(),
        expected.escape_ascii().to_string()
    );
    let (iri, _) = rewritten(&uri, &settings, &Rewriter::new().to(Form::Iri));
    let expected = b"@charset \"hz\";a{b:url(/~{VPND~}~{~})}";
    assert_eq!(
        iri.escape_ascii().to_string(),
        expected.escape_ascii().to_string()
    );
}

/// The shift after a link replaces the shift that a rewrite would add.
#[test]
fn shifts_do_not_grow() {
    for (charset, page) in [
        (
            "iso-2022-kr",
            &b"\x1B$)C@charset \"iso-2022-kr\";a{b:url(/\x0E0!\x0F)}"[..],
        ),
        (
            "iso-2022-cn",
            b"@charset \"iso-2022-cn\";a{b:url(//\x1B$)G\x0Ej=k\"\x0F.\x1B$)Ga/\x0Ek\"\x0F)}",
        ),
    ] {
        let settings = settings(Format::Css, charset);
        let mut now = page.to_vec();
        for _ in 0..3 {
            let (uri, _) = rewritten(&now, &settings, &Rewriter::new().to(Form::Uri));
            assert_ne!(uri, now);
            let (iri, _) = rewritten(&uri, &settings, &Rewriter::new().to(Form::Iri));
            assert_eq!(
                iri.escape_ascii().to_string(),
                page.escape_ascii().to_string()
            );
            now = iri;
        }
    }
}

/// A designation that an edit adds does not affect the rest of its line, so that no link is left for lack of a near
/// line feed, which a second run might find nearer.
#[test]
fn links_in_long_lines_of_iso_2022_cn_are_rewritten() {
    let settings = settings(Format::Text, "iso-2022-cn");
    let link = "http://xn--fsqu00a.example/%E4%B8%AD%E5%9C%8B";
    let line = format!("{link}]{link} {} {link}\n", "plain words".repeat(9));
    let iris = rewritten(line.as_bytes(), &settings, &Rewriter::new().to(Form::Iri));
    let shown = settings
        .charset
        .expect("a charset")
        .decode(&iris.0)
        .into_owned();
    assert_eq!(
        shown.matches("http://例子.example/中國").count(),
        3,
        "{shown}"
    );
    let again = rewritten(&iris.0, &settings, &Rewriter::new().to(Form::Iri));
    assert_eq!(again.0, iris.0);
    let back = rewritten(&iris.0, &settings, &Rewriter::new().to(Form::Uri));
    let charset = settings.charset.expect("a charset");
    assert_eq!(charset.decode(&back.0), line);
}

/// IBM864 has no percent sign: a character reference replaces it if the format has references, otherwise the link
/// stays.
#[test]
fn percent_signs_that_the_charset_lacks() {
    for (format, page, expected) in [
        (
            Format::Html,
            "<a href=\"/\u{fed7}\">x</a>",
            "<a href=\"/&#x25;EF&#x25;BB&#x25;97\">x</a>",
        ),
        (
            Format::Text,
            "http://a.example/\u{fed7}",
            "http://a.example/\u{fed7}",
        ),
    ] {
        let settings = settings(format, "ibm864");
        let charset = settings.charset.expect("a charset");
        let mut bytes = Vec::new();
        charset
            .encode(page, &mut bytes)
            .expect("a page that it has");
        let (uri, _) = rewritten(&bytes, &settings, &Rewriter::new().to(Form::Uri));
        assert_eq!(charset.decode(&uri), expected);
    }
}

#[test]
fn what_cannot_be_mapped_is_left_with_a_note() {
    let cases: &[(Format, &str, Form, Note)] = &[
        (
            Format::Html,
            "<a href='http://é.example/\u{FDD0}'>",
            Form::Uri,
            Note::LeftUnencodable,
        ),
        (
            Format::Html,
            "<a href='http://a..é/'>",
            Form::Uri,
            Note::UnmappableHost,
        ),
        (
            Format::Text,
            "write to müller@example.org!",
            Form::Uri,
            Note::LeftTargetWouldChange,
        ),
    ];
    for (format, source, form, note) in cases {
        let (new, notes) = rewritten(
            source.as_bytes(),
            &settings(*format, "utf-8"),
            &Rewriter::new().to(*form),
        );
        assert_eq!(new, source.as_bytes());
        assert!(notes.contains(note), "{source}: {notes:?}");
    }
}

#[test]
fn what_is_told_of_an_address_names_that_address() {
    let source = "ann@a.org user#1@a.org a?b@c.org x%41y@c.org ann@exämple.org";
    let mut told = Vec::new();
    let mut each = |link: &Link<'_>, forms: &LinkForms, info: &Info| {
        let resolved = link.resolved(info).unwrap_or_default();
        let iri = forms.iri.clone().unwrap_or_default();
        told.push((forms.uri.clone().unwrap_or_default(), iri));
        assert!(forms.notes.is_empty(), "{forms:?}");
        assert_eq!(forms.uri.as_ref(), Some(&resolved));
        ControlFlow::Continue(())
    };
    let settings = settings(Format::Text, "utf-8");
    let read = Forms::new(&settings).read_slice(source.as_bytes(), &mut each);
    assert!(read.is_ok());
    let both = |same: &str| (same.to_owned(), same.to_owned());
    assert_eq!(
        told,
        [
            both("mailto:ann@a.org"),
            both("mailto:user%231@a.org"),
            both("mailto:a%3Fb@c.org"),
            both("mailto:x%2541y@c.org"),
            (
                "mailto:ann@ex%C3%A4mple.org".to_owned(),
                "mailto:ann@exämple.org".to_owned()
            ),
        ]
    );
    // `Forms` and the document agree.
    let document = Document::new(source.as_bytes(), &settings);
    let forms = Forms::new(&settings).of_document(document.info());
    let uris = document.links().map(|link| forms.of(&link, Form::Uri));
    let uris: Vec<_> = uris.map(|(uri, _)| uri.unwrap_or_default()).collect();
    assert!(uris.iter().eq(told.iter().map(|(uri, _)| uri)));
}

#[test]
fn neighbours_do_not_swallow_each_other() {
    let source = "http://example.org/」www.example.net/ü http://a.example/é,http://b.example/é";
    for form in [Form::Uri, Form::Iri] {
        let settings = settings(Format::Text, "utf-8");
        let links = |source: &[u8]| Document::new(source, &settings).links().count();
        let (new, _) = rewritten(source.as_bytes(), &settings, &Rewriter::new().to(form));
        assert_eq!(
            links(&new),
            links(source.as_bytes()),
            "{}",
            String::from_utf8_lossy(&new)
        );
    }
}

/// The end of a link does not depend on the length of later links.
#[test]
fn links_keep_their_ends_when_those_behind_them_grow() {
    let settings = settings(Format::Text, "utf-8");
    let filler = "日本語版".repeat(9);
    for text in [
        format!(
            "http://ja.example/aについては（http://b.example/版/{filler}）や{filler}も参照してください。\n"
        ),
        format!(
            "'http://a.example/x'+n<p>http://b.example/版/{filler}</p>(y'http://c.example/版/{filler}'+w\n"
        ),
        format!("http://zh.example/a，详见http://b.example/版/{filler}。\n"),
    ] {
        let links = |bytes: &[u8]| {
            let document = Document::new(bytes, &settings);
            let first = document.links().next().expect("a link").text().to_owned();
            (first, document.links().count())
        };
        let (new, notes) = rewritten(text.as_bytes(), &settings, &Rewriter::new().to(Form::Uri));
        assert_ne!(new, text.as_bytes(), "{notes:?}");
        assert_eq!(links(&new), links(text.as_bytes()), "{text}");
        let (again, _) = rewritten(&new, &settings, &Rewriter::new().to(Form::Uri));
        assert_eq!(again, new);
    }
}

#[test]
fn rules_come_first_and_everywhere() {
    let rewriter = Rewriter::new().rules(rules(&["http://old.example/ https://neu.example/ä&/"]));
    let cases = [
        (
            Format::Html,
            "<a href=http://old.example/x>",
            "<a href=https://neu.example/ä&/x>",
        ),
        (
            Format::Css,
            "@import 'http://old.example/x';",
            "@import 'https://neu.example/ä&/x';",
        ),
        (
            Format::Text,
            "<http://old.example/x>",
            "<https://neu.example/ä&/x>",
        ),
    ];
    for (format, before, after) in cases {
        let settings = settings(format, "windows-1252");
        let (new, notes) = rewritten(before.as_bytes(), &settings, &rewriter);
        assert_eq!(new, encoded(after, "windows-1252"), "{notes:?}");
    }
}

/// A part that a rule only adds or removes is written in every charset, in running text as well as in markup.
#[test]
fn parts_come_and_go_in_every_charset() {
    let charsets = [
        "utf-8",
        "utf-16le",
        "utf-16be",
        "utf-32le",
        "utf-32be",
        "iso-2022-jp",
        "shift_jis",
        "euc-jp",
        "gb18030",
    ];
    let rules = [
        (
            "http://例え.jp/ https://例え.jp/",
            "https://例え.jp/古い/頁",
        ),
        ("http://例え.jp/古い/ http://例え.jp/", "http://例え.jp/頁"),
        (
            "http://例え.jp/ http://例え.jp/新/",
            "http://例え.jp/新/古い/頁",
        ),
        (
            "http://例え.jp/ http://www.例え.jp/",
            "http://www.例え.jp/古い/頁",
        ),
    ];
    for (charset, (rule, after)) in charsets.iter().flat_map(|c| rules.map(|r| (c, r))) {
        let rewriter = Rewriter::new().rules(self::rules(&[rule]));
        for (format, front, back) in [
            (Format::Text, "頁 ", " 頁"),
            (Format::Text, "", ""),
            (Format::Html, "<p>頁 ", "</p>"),
            (Format::Html, "<a href='", "'>"),
        ] {
            // HTML documents cannot be in UTF-32.
            if format == Format::Html && charset.starts_with("utf-32") {
                continue;
            }
            let document = |link: &str| encoded(&format!("{front}{link}{back}\n"), charset);
            let (new, notes) = rewritten(
                &document("http://例え.jp/古い/頁"),
                &settings(format, charset),
                &rewriter,
            );
            assert_eq!(
                new,
                document(after),
                "{charset} {rule} {format:?}: {notes:?}"
            );
        }
    }
}

/// Characters of a rule's new reference that the charset lacks are percent-encoded, or in punycode, if they cannot be
/// escaped otherwise; the rest of the reference is as in the rule, and a second run changes nothing.
#[test]
fn what_the_charset_lacks_stays_percent_encoded() {
    let rules = [
        "http://old.example/ https://neu.example/\u{e9}/\u{416}/",
        "http://a.example/ http://\u{e9}.\u{436}\u{436}.example/",
        "http://b.example/ http://b.example/\u{416}/",
        "http://c.example/ http://c.example/\u{e9}\u{416}/",
        "http://broken.example/ http://\u{436}..example/",
    ];
    let rewriter = Rewriter::new().rules(self::rules(&rules));
    let links = [
        (
            "http://old.example/x",
            "https://neu.example/\u{e9}/%D0%96/x",
        ),
        ("http://a.example/x?y", "http://\u{e9}.xn--f1aa.example/x?y"),
        ("http://b.example/x", "http://b.example/%D0%96/x"),
        ("http://b.example/%D0%96/x", "http://b.example/%D0%96/x"),
        // The next run would not notice that the rule has been applied.
        ("http://c.example/x", "http://c.example/x"),
        ("http://broken.example/x", "http://broken.example/x"),
    ];
    let places: [(Format, &str, &str); 4] = [
        (Format::Text, "see ", " there"),
        (Format::Text, "<", ">"),
        (Format::Html, "<style>a{b:url('", "')}</style>"),
        (Format::Css, "a{b:url(", ")}"),
    ];
    for (format, head, tail) in places {
        let settings = settings(format, "windows-1252");
        let page = |link: &str| encoded(&format!("{head}{link}{tail}"), "windows-1252");
        for (before, after) in links {
            for form in [Form::Same, Form::Iri] {
                let rewriter = rewriter.clone().to(form);
                let (new, notes) = rewritten(&page(before), &settings, &rewriter);
                assert_eq!(new, page(after), "{format:?} {form:?} {before} {notes:?}");
                assert_eq!(rewritten(&new, &settings, &rewriter).0, new, "twice");
            }
        }
    }
}

#[test]
fn a_slot_that_is_too_long_passes() {
    let mut settings = settings(Format::Html, "utf-8");
    settings.max_slot = 1024;
    let long = format!("<a href='/é{}'><a href='/é'>", "x".repeat(4096));
    let (new, notes) = rewritten(long.as_bytes(), &settings, &Rewriter::new().to(Form::Uri));
    assert!(new.ends_with(b"<a href='/%C3%A9'>"));
    assert_eq!(notes, [Note::TooLong]);
}

/// windows-1258 decomposes letters and tones, and browsers send them so: the composed form required by RFC 3987 3.1
/// step 1b would point elsewhere (P4).
#[test]
fn what_nfc_would_change_is_left() {
    let settings = settings(Format::Html, "windows-1258");
    let page = b"<a href='http://example.org/Vi\xEA\xF2t?q=Vi\xEA\xF2t'><a href='/\xEA?\xF2'>";
    let (new, notes) = rewritten(page, &settings, &Rewriter::new().to(Form::Uri));
    let shown = String::from_utf8_lossy(&new).into_owned();
    assert!(
        new.starts_with(b"<a href='http://example.org/Vi\xEA\xF2t?q=Vi\xEA\xF2t'>"),
        "{shown}"
    );
    assert!(new.ends_with(b"<a href='/%C3%AA?%F2'>"), "{shown}");
    assert!(notes.contains(&Note::LeftTargetWouldChange) && notes.contains(&Note::NfcChanged));
}

/// Rewrites a document in windows-1258.
fn vietnamese(format: Format, nfc: Nfc, form: Form, page: &[u8]) -> (Vec<u8>, Vec<Note>) {
    let mut settings = settings(format, "windows-1258");
    settings.nfc = nfc;
    let rewriter = Rewriter::new().to(form).settings(settings.clone());
    let mut notes = Vec::new();
    let watched = rewriter
        .clone()
        .on_link(|outcome, _| notes.extend(outcome.notes.iter()));
    watched.rewrite_slice(page);
    (rewritten(page, &settings, &rewriter).0, notes)
}

/// RFC 3987 3.1 step 1b, for links in running text and in data; 5.3.2.2.
#[test]
fn nfc_of_text_and_data() {
    const FEED: &str = "<feed xmlns='http://www.w3.org/2005/Atom'><link href='";
    let feed = |link: &[u8]| [FEED.as_bytes(), link, b"'/></feed>"].concat();
    let page = |link: &[u8]| [b"<p>", link].concat();
    let markup = |link: &[u8]| [b"<a href='", link, b"'>"].concat();
    let plain = |link: &[u8]| link.to_vec();
    let link = b"http://example.org/Vi\xEA\xF2t";
    let (normal, as_is) = (
        b"http://example.org/Vi%E1%BB%87t",
        b"http://example.org/Vi%C3%AA%CC%A3t",
    );
    type Around<'a> = &'a dyn Fn(&[u8]) -> Vec<u8>;
    for (format, around, is_normal) in [
        (Format::Xml, &feed as Around<'_>, true),
        (Format::Text, &plain, true),
        (Format::Html, &page, true),
        (Format::Html, &markup, false),
    ] {
        for nfc in [Nfc::Auto, Nfc::Always, Nfc::Never] {
            let (new, notes) = vietnamese(format, nfc, Form::Uri, &around(link));
            let expected: &[u8] = match nfc {
                Nfc::Never => as_is,
                Nfc::Auto if !is_normal => link,
                Nfc::Auto | Nfc::Always => normal,
            };
            let shown = String::from_utf8_lossy(&new).into_owned();
            assert_eq!(new, around(expected), "{format:?} {nfc:?}: {shown}");
            let is_noted = notes.contains(&Note::NfcChanged);
            assert_eq!(is_noted, nfc != Nfc::Never, "{format:?} {nfc:?}: {notes:?}");
        }
    }
}

/// `find` composes a letter and its tone mark where rewriting does.
#[test]
fn text_is_in_nfc_where_rewriting_normalizes() {
    let settings = settings(Format::Html, "windows-1258");
    let page = b"<a href='/\xEA\xF2'></a> http://example.org/\xEA\xF2 http://example.org/\xEA";
    let document = Document::new(page, &settings);
    let links: Vec<(String, String)> = document
        .links()
        .map(|link| (link.raw().into_owned(), link.text().to_owned()))
        .collect();
    let expected = [
        ("/\u{ea}\u{323}", "/\u{ea}\u{323}"),
        (
            "http://example.org/\u{ea}\u{323}",
            "http://example.org/\u{1ec7}",
        ),
        ("http://example.org/\u{ea}", "http://example.org/\u{ea}"),
    ];
    assert_eq!(
        links,
        expected.map(|(raw, text)| (raw.to_owned(), text.to_owned()))
    );
}

/// Queries in the document's charset keep its characters unchanged.
#[test]
fn queries_in_the_charset_are_not_normalized() {
    let page = b"<a href='/\xEA\xF2?q=\xEA\xF2'>";
    let (new, _) = vietnamese(Format::Html, Nfc::Always, Form::Uri, page);
    assert_eq!(new, b"<a href='/%E1%BB%87?q=%EA%F2'>");
}

/// windows-1258 has most Vietnamese letters only decomposed.
#[test]
fn characters_that_a_charset_takes_apart() {
    let rewritten = |format, page: &[u8]| vietnamese(format, Nfc::Auto, Form::Iri, page).0;
    for (format, page, expected) in [
        (
            Format::Text,
            &b"see http://example.org/Vi%E1%BB%87t"[..],
            &b"see http://example.org/Vi\xEA\xF2t"[..],
        ),
        (
            Format::Html,
            b"<a href='/Vi%E1%BB%87t'>http://example.org/%E1%BB%87</a> http://example.org/%E1%BB%87",
            b"<a href='/Vi&#x1EC7;t'>http://example.org/%E1%BB%87</a> http://example.org/&#x1EC7;",
        ),
        (
            Format::Xml,
            b"<feed xmlns='http://www.w3.org/2005/Atom'><link href='/%E1%BB%87'/></feed>",
            b"<feed xmlns='http://www.w3.org/2005/Atom'><link href='/&#x1EC7;'/></feed>",
        ),
        // There are no references at this place.
        (
            Format::Css,
            b"a{b:url(/%E1%BB%87%C3%AA)}",
            b"a{b:url(/%E1%BB%87\xEA)}",
        ),
    ] {
        let new = rewritten(format, page);
        let shown = String::from_utf8_lossy(&new).into_owned();
        assert_eq!(new, expected, "{shown}");
        let (back, _) = vietnamese(format, Nfc::Auto, Form::Uri, &new);
        assert_eq!(back, page, "{}", String::from_utf8_lossy(&back));
    }
}

/// Expressions in braces in running text stay; in places of references, braces are not part of an IRI, and are escaped.
#[test]
fn expressions_in_text_are_left() {
    let text = "see https://api.example/repos/{owner}/é, www.example.org/é{1,2}.png, http://h.example/{größe}";
    let page = format!("<p>{text}<a href='/{{id}}/é'>");
    for (format, source, expected) in [
        (Format::Text, text.to_owned(), text.to_owned()),
        (
            Format::Html,
            page.clone(),
            page.replace("/{id}/é", "/%7Bid%7D/%C3%A9"),
        ),
    ] {
        let settings = settings(format, "utf-8");
        let (new, notes) = rewritten(source.as_bytes(), &settings, &Rewriter::new().to(Form::Uri));
        assert_eq!(String::from_utf8(new).unwrap(), expected);
        let left = notes.iter().filter(|note| **note == Note::LeftTemplate);
        assert_eq!(left.count(), 3);
    }
}

/// URI templates of JSON-LD are mapped around their expressions; rules whose prefix ends before them move them.
#[test]
fn templates_of_json_keep_their_expressions() {
    let page = |what: &str| {
        format!("<script type=application/ld+json>{{\"potentialAction\":{{{what}}}}}</script>")
    };
    let both = [
        (
            "\"target\":\"http://\u{e9}.example/\u{fc}?q={q}\"",
            "\"target\":\"http://xn--9ca.example/%C3%BC?q={q}\"",
        ),
        (
            "\"target\":{\"urlTemplate\":\"/\u{fc}{?a,b}\"}",
            "\"target\":{\"urlTemplate\":\"/%C3%BC{?a,b}\"}",
        ),
        (
            "\"urlTemplate\":[\"/\u{fc}/{a}\"]",
            "\"urlTemplate\":[\"/%C3%BC/{a}\"]",
        ),
    ];
    for (shown, plain) in both {
        check(Format::Html, "utf-8", Form::Uri, &page(shown), &page(plain));
        check(Format::Html, "utf-8", Form::Iri, &page(plain), &page(shown));
    }
    let rewriter = Rewriter::new().rules(rules(&[
        "http://a.example/ https://b.example/",
        "http://a.example/{q} /no",
    ]));
    let settings = settings(Format::Html, "utf-8");
    for (before, after) in [
        (
            "\"target\":\"http://a.example/{q}\"",
            "\"target\":\"https://b.example/{q}\"",
        ),
        (
            "\"target\":\"http:\\/\\/a.example/?q={q}&b\"",
            "\"target\":\"https:\\/\\/b.example/?q={q}&b\"",
        ),
        (
            "\"url\":\"http://a.example/{q\"",
            "\"url\":\"https://b.example/{q\"",
        ),
        // With the value of the expression the link may have another host, or may not have been a relative reference.
        (
            "\"target\":\"http://a.example{q}\"",
            "\"target\":\"http://a.example{q}\"",
        ),
        ("\"url\":\"{base}/x\"", "\"url\":\"{base}/x\""),
        (
            "\"description\":\"see http://a.example/{q}\"",
            "\"description\":\"see http://a.example/{q}\"",
        ),
    ] {
        let (new, _) = rewritten(page(before).as_bytes(), &settings, &rewriter);
        assert_eq!(String::from_utf8(new).expect("UTF-8"), page(after));
        let source = page(before);
        let document = Document::new(source.as_bytes(), &settings);
        let unresolved = document
            .links()
            .all(|link| link.resolved(document.info()).is_none());
        assert!(unresolved, "{before}");
    }
}

/// Values that depend on an entity are left with a note.
#[test]
fn values_with_entities_are_left_with_a_note() {
    for before in [
        "<!DOCTYPE a [<!ENTITY e 'http://e.example'>]><a href='&e;/\u{e9}'/>",
        "<a href='/&nosuch;/\u{e9}'/>",
        "<rss><channel><item><description>&lt;a href='/\u{e9}'&gt;&nosuch;</description></item></channel></rss>",
    ] {
        let rewriter = Rewriter::new().to(Form::Uri);
        let (after, notes) = rewritten(
            before.as_bytes(),
            &settings(Format::Xml, "utf-8"),
            &rewriter,
        );
        assert_eq!(after, before.as_bytes());
        assert_eq!(notes, [Note::LeftUnencodable], "{before}");
    }
}

/// Only rules change policies.
#[test]
fn policies() {
    let page = "<meta http-equiv=Content-Security-Policy content=\"img-src 'self' https://old.example/\u{e9} *.old.example; report-uri /r?\u{e9}\">";
    check(Format::Html, "utf-8", Form::Uri, page, page);
    let rules = rules(&["https://old.example/ https://new.example/", "/r /report"]);
    let rewriter = Rewriter::new().to(Form::Uri).rules(rules);
    let settings = settings(Format::Html, "utf-8");
    let (new, _) = rewritten(page.as_bytes(), &settings, &rewriter);
    let expected = page
        .replace("https://old.", "https://new.")
        .replace("/r?", "/report?");
    assert_eq!(String::from_utf8_lossy(&new), expected);
}

/// The base that an element declares applies to the targets of its links: `//` and schemes depend on it.
#[test]
fn bases_of_elements_count() {
    // A query under an http base is in the document's charset in XHTML, elsewhere in UTF-8; under `urn:` there is no
    // host.
    let document = "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml' xml:base='http://a.example/'><a href='?\u{fc}'/><p xml:base='urn:x:'><a href='?\u{fc}'/></p></html>";
    let settings = settings(Format::Xml, "windows-1252");
    let source = encoded(document, "windows-1252");
    let (new, _) = rewritten(&source, &settings, &Rewriter::new().to(Form::Uri));
    let new = String::from_utf8_lossy(&new).into_owned();
    assert!(new.contains("<a href='?%FC'/><p"), "{new}");
}

/// Some browsers read queries in style sheets, in `srcdoc` and of odd schemes in UTF-8, others in the document's
/// charset.
#[test]
fn a_query_whose_charset_is_doubtful_stays() {
    let left: &[&str] = &[
        "<style>a{b:url(/é?é)}</style>",
        "<iframe srcdoc='<a href=/é?é>'>",
        "<iframe srcdoc='<style>a{b:url(?é)}</style>'>",
        "<script type=application/ld+json>{\"url\":\"/?é\"}</script>",
        "<a href='ws://example.org/?é'>",
        "<a href='x-y://example.org/é?é'>",
        // Characters that the charset lacks: browsers send %26%23..., or a look-alike.
        "<a href='/é?&#x1ec7;'>",
    ];
    let settings = settings(Format::Html, "windows-1258");
    for before in left {
        let before = encoded(before, "windows-1258");
        let (new, notes) = rewritten(&before, &settings, &Rewriter::new().to(Form::Uri));
        assert_eq!(new, before, "{}", before.escape_ascii());
        assert!(
            notes.contains(&Note::LeftTargetWouldChange),
            "{}",
            before.escape_ascii()
        );
    }
    let changed: &[(&str, &str)] = &[
        (
            "<p style='a:url(/é?é)'>",
            "<p style='a:url(/%C3%A9?%C3%A9)'>",
        ),
        ("<p>http://a.org/é</p>", "<p>http://a.org/%C3%A9</p>"),
        (
            "<iframe srcdoc='<a href=/é#é>'>",
            "<iframe srcdoc='<a href=/%C3%A9#%C3%A9>'>",
        ),
        (
            "<a href='ws://example.org/é'>",
            "<a href='ws://example.org/%C3%A9'>",
        ),
    ];
    for (before, after) in changed {
        check(Format::Html, "windows-1252", Form::Uri, before, after);
        check(Format::Html, "windows-1252", Form::Iri, after, before);
    }
    check(
        Format::Html,
        "utf-8",
        Form::Uri,
        "<p style='a:url(?é)'>",
        "<p style='a:url(?%C3%A9)'>",
    );
}

/// A base moves with its origin or not at all: a relative link points to the place to which the rule moves its target,
/// or to the old place.
#[test]
fn links_that_are_relative_to_a_base_go_where_rules_say() {
    const OLD: &str = "http://old.example";
    let links = ["x", "/q", "../r", "?s", "//old.example/t", "/d/e/u"];
    let tags: String = links.map(|link| format!("<a href='{link}'/>")).concat();
    let html = |base: &str| format!("<base href='{base}'>{tags}");
    let xhtml = |base: &str| {
        let head = format!("<h:head><h:base href='{base}'/></h:head>");
        format!(
            "<?xml version='1.0'?><h:html xmlns:h='http://www.w3.org/1999/xhtml'>{head}{}</h:html>",
            tags.replace("<a", "<h:a")
        )
    };
    let xml = |base: &str| format!("<?xml version='1.0'?><r xml:base='{base}'>{tags}</r>");
    // For each rule, true if it moves whole origins.
    let rules = [
        ("http://old.example/ https://new.example/", true),
        ("http://old.example http://new.example", true),
        ("http://old.example/ https://new.example/z/", false),
        ("http://old.example/d/ https://new.example/z/", false),
        ("http://old.example/d/ https://new.example/d/", false),
        ("http://old.example https://new.example/", false),
        ("re:^http://old.example/ https://new.example/", false),
    ];
    for (rule, whole) in rules {
        let rules = self::rules(&[rule]);
        let rewriter = Rewriter::new().rules(rules.clone());
        for base in [format!("{OLD}/d/"), format!("{OLD}/d/e/f"), OLD.to_owned()] {
            for page in [html(&base), xhtml(&base), xml(&base)] {
                let mut left = 0;
                let watched = rewriter.clone().on_link(|at, _| {
                    left += usize::from(at.notes.contains(Note::LeftTargetWouldChange));
                });
                let after = targets(&watched.rewrite_slice(page.as_bytes()).content);
                let before = targets(page.as_bytes());
                assert_eq!(before.len(), after.len(), "{page}");
                for (before, after) in before.iter().zip(after) {
                    let ruled = rules.apply(before);
                    let fine = *before == after || ruled.as_ref() == Some(&after);
                    assert!(fine, "{rule} in {page}: {before} became {after}");
                    if whole {
                        assert_eq!(ruled, Some(after), "{rule} in {page}");
                    }
                }
                let named = rules.apply(&base).is_some();
                assert_eq!(left, usize::from(named && !whole), "{rule} in {page}");
            }
        }
    }
    // The form is converted separately.
    let rules = self::rules(&["http://old.example/ http://new.example/z/"]);
    let rewriter = Rewriter::new().to(Form::Uri).rules(rules);
    let page = "<base href='http://old.example/é/'>".as_bytes();
    let expected = "<base href='http://old.example/%C3%A9/'>";
    assert_eq!(rewriter.rewrite_slice(page).content, expected.as_bytes());
}

/// Targets of the links of a document.
fn targets(page: &[u8]) -> Vec<String> {
    let document = Document::new(page, &Settings::default());
    let info = document.info();
    let targets = document.links().map(|link| link.resolved(info).unwrap());
    targets.collect()
}

/// Rules also see spaces; text around them stays.
#[test]
fn rules_see_the_white_space_of_attributes_of_xml() {
    let rules = rules(&["http://h/ab.png http://n/", "http://o/ http://m/"]);
    let rewriter = Rewriter::new().rules(rules).reach(Reach::Resolved);
    let before = "<svg xmlns='http://www.w3.org/2000/svg'><image href='http://h/a\nb.png'/><a href='http://o/a\r\nb'/></svg>";
    let (new, _) = rewritten(
        before.as_bytes(),
        &settings(Format::Xml, "utf-8"),
        &rewriter,
    );
    let after = before.replace("http://o/", "http://m/");
    assert_eq!(String::from_utf8_lossy(&new), after);
}

/// A link with white space stays where it may not be read as spaces.
#[test]
fn white_space_that_some_read_otherwise_stays() {
    let page = "<html xmlns='http://www.w3.org/1999/xhtml'><a href='http://h/x\ny\u{e9}'/></html>";
    let moved = page.replace("x\ny\u{e9}", "x%20y%C3%A9");
    let sheet = "<?xml-stylesheet href='x\ny\u{e9}.css'?><r/>".to_owned();
    let guessed = format!("<?xml version='1.0'?>{page}");
    let svg = "<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'><a href='x\ny'/></svg>";
    let (by_name, by_content) = (Some("x.xhtml".to_owned()), None);
    let cases = [
        (page.to_owned(), by_name.clone(), Some(moved)),
        (guessed.clone(), by_content.clone(), None),
        (
            guessed.replace('\n', "&#10;"),
            by_content.clone(),
            Some(guessed.replace("x\ny\u{e9}", "xy%C3%A9")),
        ),
        (
            svg.to_owned(),
            by_content.clone(),
            Some(svg.replace('\n', "%20")),
        ),
        (sheet, by_name, None),
    ];
    for (before, name, after) in cases {
        let mut settings = Settings::default();
        settings.name = name;
        let (new, notes) = rewritten(before.as_bytes(), &settings, &Rewriter::new().to(Form::Uri));
        let stays = after.is_none();
        let left = notes.contains(&Note::LeftTargetWouldChange);
        assert_eq!(String::from_utf8_lossy(&new), after.unwrap_or(before));
        assert_eq!(left, stays);
    }
}

/// A quotation mark may be the only sign that an earlier value was never closed: a link with such a mark stays.
#[test]
fn quotation_marks_that_tell_of_unclosed_values_stay() {
    let kept = [
        "<g e=\"<e href=\u{e9}\"t>\"",
        "<t l=\"<b href=;\"\">\"",
        "<a href=\u{e9}\"t>",
        "<g e=\"<e href='\u{e9}\"t'>\"",
        "<g e='<e href=\"\u{e9}'t\">'",
        "<g e=\"<rss><channel><link>http://h/\u{e9}\"t</link></channel></rss>\"",
        "<g e=\"<e href=\"\\\u{e9}\">\"",
    ];
    for before in kept {
        let settings = settings(Format::Xml, "utf-8");
        let links = Document::new(before.as_bytes(), &settings).links().count();
        assert_eq!(links, 1, "{before}");
        let rewriter = Rewriter::new().to(Form::Uri);
        let (after, notes) = rewritten(before.as_bytes(), &settings, &rewriter);
        assert_eq!(String::from_utf8_lossy(&after), before);
        assert_eq!(notes.len(), 1, "{before}");
    }
    let moved = [
        (
            "<g e=\"<e href=\"\u{e9}\">\"",
            "<g e=\"<e href=\"%C3%A9\">\"",
        ),
        (
            "<g e=\"<e href=\u{e9} f=\"t>\"",
            "<g e=\"<e href=%C3%A9 f=\"t>\"",
        ),
        ("<e href='\u{e9}\"t'/>", "<e href='%C3%A9%22t'/>"),
        (
            "<g e=\"<e href=\"\u{e9}\"><e href='\u{e9}\"'/>\"",
            "<g e=\"<e href=\"%C3%A9\"><e href='%C3%A9%22'/>\"",
        ),
    ];
    for (before, after) in moved {
        check(Format::Xml, "utf-8", Form::Uri, before, after);
    }
}

/// A link whose query keeps it from becoming a URI gets no display form either: it could not be converted back.
#[test]
fn a_query_whose_charset_is_doubtful_is_not_shown() {
    let links = [
        "<style>a{b:url(http://xn--9ca.example/%C3%A9?\\4f8b)}</style>",
        "<style>a{b:url(http://xn--9ca.example/?\\e9)}</style>",
        "<p style='a:url(\"/%C3%A9?\u{e9}\")'>",
        "<iframe srcdoc='<a href=/%C3%A9?\u{e9}>'>",
        "<script type=application/ld+json>{\"url\":\"http://xn--9ca.example/?\\u4f8b\"}</script>",
        "<a href='http://xn--9ca.example/?&#x1ec7;'>",
        "<a href='ws://xn--9ca.example/?\u{e9}'>",
    ];
    for charset in ["windows-1252", "windows-1258", "iso-8859-1"] {
        let settings = settings(Format::Html, charset);
        for before in links {
            let before = encoded(before, charset);
            let by = |form| rewritten(&before, &settings, &Rewriter::new().to(form)).0;
            let iri = by(Form::Iri);
            let back = rewritten(&iri, &settings, &Rewriter::new().to(Form::Uri)).0;
            let text = before.escape_ascii();
            assert_eq!(back, by(Form::Uri), "{charset} {text}");
            assert!(iri == before || back != iri, "{charset} {text}");
        }
    }
    let known = "<style>a{b:url(http://xn--9ca.example/?%E4%BE%8B)}</style>";
    let shown = "<style>a{b:url(http://\u{e9}.example/?%E4%BE%8B)}</style>";
    check(Format::Html, "windows-1252", Form::Iri, known, shown);
    check(Format::Html, "windows-1252", Form::Uri, shown, known);
}

/// Characters of a host that UTS 46 ignores are removed with the ASCII form: the link is written as if they were
/// absent.
#[test]
fn what_hosts_ignore_goes() {
    let hosts = [
        "é_x.example",
        "ex_am_ple.com",
        "葛_城.jp",
        "i❤_.com",
        "a.é_",
    ];
    for ignored in [
        "\u{AD}",
        "\u{34F}",
        "\u{2060}",
        "\u{FE0F}",
        "\u{E0100}",
        "\u{180B}",
    ] {
        for host in hosts {
            let link = |with: &str| format!("see http://{}/é x", host.replace('_', with));
            let with = |text: &str| {
                rewritten(
                    text.as_bytes(),
                    &settings(Format::Text, "utf-8"),
                    &Rewriter::new().to(Form::Uri),
                )
            };
            let (without, _) = with(&link(""));
            assert_eq!(
                with(&link(ignored)),
                (without.clone(), vec![]),
                "{host:?} {ignored:?}"
            );
            assert!(without.is_ascii(), "{host:?}");
        }
    }
}

/// Links into their own document, and links that are not fetched, stay. If such a link is not a URI, a note says so.
#[test]
fn what_is_not_fetched_is_left_with_a_note() {
    let told = |reference: &str, format: Format, form: Form| {
        let page = match format {
            Format::Html => format!("<a href=\"{reference}\">"),
            _ => format!("[a]({reference})\n"),
        };
        let settings = settings(format, "utf-8");
        let (new, notes) = rewritten(page.as_bytes(), &settings, &Rewriter::new().to(form));
        assert_eq!(new, page.as_bytes());
        let mut all = Vec::new();
        let read = Forms::new(&settings).read_slice(page.as_bytes(), &mut |_, forms, _| {
            all.push((forms.uri.clone(), forms.iri.clone()));
            ControlFlow::Continue(())
        });
        assert!(read.is_ok());
        (notes, all.pop().expect("a link"))
    };
    let formats = [
        Format::Html,
        #[cfg(feature = "markdown")]
        Format::Markdown,
    ];
    for format in formats {
        for reference in ["#é", "javascript:é", "data:,é", "about:é", "#%C3%A9é"] {
            let iri = Some(reference.to_owned());
            let forms = (None, iri.clone());
            let left = vec![Note::LeftNotFetched];
            assert_eq!(
                told(reference, format, Form::Uri),
                (left, forms.clone()),
                "{reference}"
            );
            assert_eq!(
                told(reference, format, Form::Iri),
                (vec![], forms.clone()),
                "{reference}"
            );
            assert_eq!(
                told(reference, format, Form::Same),
                (vec![], forms),
                "{reference}"
            );
        }
        for reference in ["#", "#a", "#%C3%A9", "javascript:x", "data:,%C3%A9"] {
            let both = (Some(reference.to_owned()), Some(reference.to_owned()));
            for form in [Form::Uri, Form::Iri] {
                assert_eq!(
                    told(reference, format, form),
                    (vec![], both.clone()),
                    "{reference}"
                );
            }
        }
    }
}
