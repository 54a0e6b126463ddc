//! Nested documents: links are found at every level, and edits are escaped through each of them and read again, in
//! charsets with and without the characters.

use linkglot::format::Format;
use linkglot::notes::Note;
use linkglot::rewrite::{Form, Rewriter, Rules};
use linkglot::{Charset, Document, Settings};

const CHARSETS: &[&str] = &[
    "utf-8",
    "windows-1251",
    "koi8-r",
    "iso-8859-5",
    "shift_jis",
    "gb18030",
    "euc-jp",
    "iso-2022-jp",
    "big5",
    "utf-16le",
    "utf-16be",
];

fn settings(format: Format, charset: Charset) -> Settings {
    let mut settings = Settings::default();
    settings.format = Some(format);
    settings.charset = Some(charset);
    settings
}

fn bytes(text: &str, charset: Charset) -> Vec<u8> {
    let mut bytes = Vec::new();
    charset
        .encode(text, &mut bytes)
        .expect("a text of the charset");
    bytes
}

/// Each link with its path of nesting.
fn links(source: &[u8], settings: &Settings) -> Vec<(String, String)> {
    let document = Document::new(source, settings);
    let links = document.links();
    links
        .map(|link| {
            let path: Vec<&str> = link.nesting().iter().map(|name| &**name).collect();
            (link.text().to_owned(), path.join("/"))
        })
        .collect()
}

fn rewritten(source: &[u8], settings: &Settings, rewriter: &Rewriter) -> Vec<u8> {
    let rewriter = rewriter.clone().settings(settings.clone());
    let new = rewriter.rewrite_slice(source).content.into_owned();
    let mut out = Vec::new();
    rewriter.rewrite(&mut &*source, &mut out).expect("memory");
    assert_eq!(out, new, "a stream gives the same");
    new
}

struct Case {
    format: Format,
    /// The document with its links as IRIs.
    iri: &'static str,
    /// The document with its links as URIs.
    uri: &'static str,
    /// Text and path of each link.
    links: &'static [(&'static str, &'static str)],
}

/// The character exists in all the charsets.
const CASES: &[Case] = &[
    // Escaped HTML in RSS, with a srcdoc, with a style attribute.
    Case {
        format: Format::Xml,
        iri: "<rss><channel><item><description>&lt;iframe srcdoc=\"&amp;lt;p style='background:url(\u{436}.png)'&amp;gt;\"&gt;</description></item></channel></rss>",
        uri: "<rss><channel><item><description>&lt;iframe srcdoc=\"&amp;lt;p style='background:url(%D0%B6.png)'&amp;gt;\"&gt;</description></item></channel></rss>",
        links: &[("\u{436}.png", "description/srcdoc/style")],
    },
    // The same document in CDATA, with references of other styles.
    Case {
        format: Format::Xml,
        iri: "<rss><channel><item><description><![CDATA[<iframe srcdoc='&#60;p style=&#34;background:url(\u{436}?a&#38;b)&#34;>'>]]></description></item></channel></rss>",
        uri: "<rss><channel><item><description><![CDATA[<iframe srcdoc='&#60;p style=&#34;background:url(%D0%B6?a&#38;b)&#34;>'>]]></description></item></channel></rss>",
        links: &[("\u{436}?a&b", "description/srcdoc/style")],
    },
    // Atom, by type; inline XHTML with a srcdoc; SVG in that.
    Case {
        format: Format::Xml,
        iri: "<feed xmlns='http://www.w3.org/2005/Atom'><summary type='html'>&lt;a href=/\u{436}></summary><content type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'><iframe srcdoc=\"&lt;svg>&lt;a xlink:href='\u{436}'>\"/></div></content></feed>",
        uri: "<feed xmlns='http://www.w3.org/2005/Atom'><summary type='html'>&lt;a href=/%D0%B6></summary><content type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'><iframe srcdoc=\"&lt;svg>&lt;a xlink:href='%D0%B6'>\"/></div></content></feed>",
        links: &[("/\u{436}", "summary"), ("\u{436}", "srcdoc")],
    },
    // JSON-LD and a style sheet in a srcdoc.
    Case {
        format: Format::Html,
        iri: "<p><iframe srcdoc=\"<script type=application/ld+json>{&quot;url&quot;:&quot;\\/\u{436}&quot;}</script><style>@import '\u{436}.css';</style>\"></iframe>",
        uri: "<p><iframe srcdoc=\"<script type=application/ld+json>{&quot;url&quot;:&quot;\\/%D0%B6&quot;}</script><style>@import '%D0%B6.css';</style>\"></iframe>",
        links: &[
            ("/\u{436}", "srcdoc/script"),
            ("\u{436}.css", "srcdoc/style"),
        ],
    },
    // Running text at each level, and four levels.
    Case {
        format: Format::Html,
        iri: "<p>http://a.example/\u{436} <iframe srcdoc='http://b.example/\u{436} &lt;iframe srcdoc=\"http://c.example/\u{436} &amp;lt;iframe srcdoc=&amp;quot;&amp;amp;lt;a href=/\u{436}&amp;amp;gt;&amp;quot;>\">'>",
        uri: "<p>http://a.example/%D0%B6 <iframe srcdoc='http://b.example/%D0%B6 &lt;iframe srcdoc=\"http://c.example/%D0%B6 &amp;lt;iframe srcdoc=&amp;quot;&amp;amp;lt;a href=/%D0%B6&amp;amp;gt;&amp;quot;>\">'>",
        links: &[
            ("http://a.example/\u{436}", ""),
            ("http://b.example/\u{436}", "srcdoc"),
            ("http://c.example/\u{436}", "srcdoc/srcdoc"),
            ("/\u{436}", "srcdoc/srcdoc/srcdoc"),
        ],
    },
    // OPML and KML.
    Case {
        format: Format::Xml,
        iri: "<opml><body><outline _note='&lt;a href=\"/\u{436}\"&gt;'/></body></opml>",
        uri: "<opml><body><outline _note='&lt;a href=\"/%D0%B6\"&gt;'/></body></opml>",
        links: &[("/\u{436}", "_note")],
    },
];

#[test]
fn levels_in_levels() {
    for case in CASES {
        for label in CHARSETS {
            let charset = Charset::for_label(label).expect("a label");
            let settings = settings(case.format, charset);
            let (iri, uri) = (bytes(case.iri, charset), bytes(case.uri, charset));
            let what = format!("{label}: {}", case.iri);
            let found = links(&iri, &settings);
            let expected: Vec<_> = case
                .links
                .iter()
                .map(|(text, path)| ((*text).to_owned(), (*path).to_owned()))
                .collect();
            assert_eq!(found, expected, "{what}");
            let new = rewritten(&iri, &settings, &Rewriter::new().to(Form::Uri));
            assert_eq!(charset.decode(&new), case.uri, "{what}");
            let back = rewritten(&uri, &settings, &Rewriter::new().to(Form::Iri));
            assert_eq!(charset.decode(&back), case.iri, "{what}");
        }
    }
}

/// CSS escapes in a style attribute in a srcdoc in escaped HTML: the edit is read again.
#[test]
fn css_escapes_at_the_third_level() {
    let before = "<rss><channel><item><description>&lt;iframe srcdoc=\"&amp;lt;p style='background:url(\\e9\\ \\).png)'&amp;gt;\"&gt;</description></item></channel></rss>";
    let after = "<rss><channel><item><description>&lt;iframe srcdoc=\"&amp;lt;p style='background:url(%C3%A9%20\\).png)'&amp;gt;\"&gt;</description></item></channel></rss>";
    for label in ["utf-8", "us-ascii", "shift_jis", "utf-16be"] {
        let charset = Charset::for_label(label).expect("a label");
        let settings = settings(Format::Xml, charset);
        let source = bytes(before, charset);
        let found = links(&source, &settings);
        assert_eq!(found[0].0, "\u{e9} ).png", "{label}");
        let new = rewritten(&source, &settings, &Rewriter::new().to(Form::Uri));
        assert_eq!(charset.decode(&new), after, "{label}");
    }
}

/// A character that the document's charset lacks is written by the outermost level that can.
#[test]
fn characters_that_the_charset_lacks() {
    let charset = Charset::for_label("windows-1252").expect("a label");
    let cases = [
        (
            Format::Html,
            "<p><iframe srcdoc='<a href=\"/%D0%B6\">'>",
            "<p><iframe srcdoc='<a href=\"/&#x436;\">'>",
        ),
        (
            Format::Xml,
            "<rss><channel><item><description>&lt;a href='/%D0%B6'></description></item></channel></rss>",
            "<rss><channel><item><description>&lt;a href='/&#x436;'></description></item></channel></rss>",
        ),
        // CDATA has no references, but the HTML in it has.
        (
            Format::Xml,
            "<rss><channel><item><description><![CDATA[<a href='/%D0%B6'>]]></description></item></channel></rss>",
            "<rss><channel><item><description><![CDATA[<a href='/&#x436;'>]]></description></item></channel></rss>",
        ),
        (
            Format::Html,
            "<script type=application/ld+json>{\"url\":\"/%D0%B6\"}</script>",
            "<script type=application/ld+json>{\"url\":\"/\\u0436\"}</script>",
        ),
        (
            Format::Html,
            "<style>a{b:url(/%D0%B6)}</style><p style='b:url(/%D0%B6)'>",
            "<style>a{b:url(/%D0%B6)}</style><p style='b:url(/&#x436;)'>",
        ),
    ];
    for (format, before, after) in cases {
        let settings = settings(format, charset);
        let new = rewritten(before.as_bytes(), &settings, &Rewriter::new().to(Form::Iri));
        assert_eq!(charset.decode(&new), after);
    }
}

/// Below the maximal depth nothing is read, nothing is touched, and nothing costs much.
#[test]
fn depth_is_bounded() {
    let mut page = "<a href=/\u{436}>".to_owned();
    let mut read = 0;
    for depth in 1..14 {
        let escaped = page.replace('&', "&amp;").replace('"', "&quot;");
        page = format!("<p><iframe srcdoc=\"{escaped}\"></iframe>");
        let settings = settings(Format::Html, Charset::UTF_8);
        let found = links(page.as_bytes(), &settings);
        read += found.len();
        assert_eq!(found.len(), usize::from(depth < 8), "{depth}");
        let new = rewritten(page.as_bytes(), &settings, &Rewriter::new().to(Form::Uri));
        let expected = if found.is_empty() {
            page.clone()
        } else {
            page.replace('\u{436}', "%D0%B6")
        };
        assert_eq!(String::from_utf8_lossy(&new), expected, "{depth}");
    }
    assert_eq!(read, 7);
}

/// The document after its links moved to a longer host, and the notes of the links that were left.
fn moved(text: &str) -> (String, Vec<(String, Vec<Note>)>) {
    let mut rules = Rules::default();
    rules
        .add("http://old.example/ http://longer.example/")
        .expect("a rule");
    let rewriter = Rewriter::new()
        .rules(rules)
        .settings(settings(Format::Xml, Charset::UTF_8));
    let mut left = Vec::new();
    let watched = rewriter.clone().on_link(|outcome, _| {
        if outcome.new.is_none() && !outcome.notes.is_empty() {
            let link = outcome.link.text().to_owned();
            left.push((link, outcome.notes.iter().collect()));
        }
    });
    let new = watched.rewrite_slice(text.as_bytes()).content.into_owned();
    let again = rewritten(
        text.as_bytes(),
        &settings(Format::Xml, Charset::UTF_8),
        &rewriter,
    );
    assert_eq!(new, again);
    (String::from_utf8(new).expect("UTF-8"), left)
}

/// Exports of WordPress and dumps of MySQL hold HTML, JSON and serialized data, whose lengths stay right.
#[test]
fn exports_move_with_their_data() {
    let export = |host: &str, length: usize| {
        format!(
            "<rss version='2.0' xmlns:excerpt='http://wordpress.org/export/1.2/excerpt/' \
             xmlns:content='http://purl.org/rss/1.0/modules/content/' xmlns:wp='http://wordpress.org/export/1.2/'>\
             <channel><wp:base_site_url>http://{host}/</wp:base_site_url><item>\
             <title>At http://{host}/</title><guid isPermaLink='false'>http://old.example/?p=1</guid>\
             <content:encoded><![CDATA[<!-- wp:image {{\"href\":\"http:\\/\\/{host}\\/p\"}} --><img src=\"http://{host}/a\">]]></content:encoded>\
             <excerpt:encoded><![CDATA[<a href=\"http://{host}/e\">]]></excerpt:encoded>\
             <wp:postmeta><wp:meta_value><![CDATA[a:1:{{s:1:\"u\";s:{length}:\"http://{host}/shop\";}}]]></wp:meta_value></wp:postmeta>\
             <wp:postmeta><wp:meta_value>{{\"u\":\"http:\\/\\/{host}\\/j\"}}</wp:meta_value></wp:postmeta>\
             <wp:comment><wp:comment_author_url>http://{host}/~a</wp:comment_author_url>\
             <wp:comment_content><![CDATA[look at http://{host}/c.]]></wp:comment_content></wp:comment>\
             </item></channel></rss>"
        )
    };
    let expected = (export("longer.example", 26), Vec::new());
    assert_eq!(moved(&export("old.example", 23)), expected);
    let dump = |host: &str, length: usize| {
        format!(
            "<mysqldump><table_data name='o'><row>\
             <field name='a'>a:1:{{s:1:&quot;u&quot;;s:{length}:&quot;http://{host}/shop&quot;;}}</field>\
             <field name='b'>&lt;a href=&quot;http://{host}/?a=1&amp;amp;b=2&quot;&gt;</field>\
             <field name='c'>text: http://{host}/.</field><field name='d'>http://{host}/</field></row></table_data></mysqldump>"
        )
    };
    let expected = (dump("longer.example", 26), Vec::new());
    assert_eq!(moved(&dump("old.example", 23)), expected);
}

/// The text of a page of MediaWiki is wikitext, with the escapes of XML kept.
#[test]
fn pages_of_mediawiki_are_wikitext() {
    let page = |host: &str| {
        format!(
            "<mediawiki xmlns='http://www.mediawiki.org/xml/export-0.11/'><page><text>[http://{host}/?a=1&amp;amp;b=2&amp;c a]\n\
             {{{{cite|url=http://{host}/|title=b}}}} ''http://{host}/''\n&lt;nowiki&gt;\nhttp://old.example/&lt;/nowiki&gt;\n\
             &lt;!-- http://old.example/ --&gt;<![CDATA[[[c]] [//{host}/ d]]]></text></page></mediawiki>"
        )
    };
    let expected = (page("longer.example"), Vec::new());
    assert_eq!(moved(&page("old.example")), expected);
}

/// A revision of MediaWiki, in the schemas with and without a digest in the tag. The lengths and digests are those of
/// Python's `hashlib`.
fn revision(host: &str, counted: [&str; 2], schema: &str) -> String {
    let [length, digest] = counted;
    let attribute = match schema {
        "0.11" => format!(" sha1=\"{digest}\""),
        _ => String::new(),
    };
    format!(
        "<mediawiki xmlns=\"http://www.mediawiki.org/xml/export-{schema}/\"><page><revision>\n\
         <comment>http://{host}/</comment>\n<model>wikitext</model>\n\
         <text bytes=\"{length}\"{attribute} xml:space=\"preserve\">[http://{host}/?a=1&amp;amp;b=2 é] http://other.example/ \
         {{{{cite|url=http://{host}/|title=b}}}}\n&lt;nowiki&gt;http://old.example/&lt;/nowiki&gt; http://other.example/</text>\n      \
         <sha1>{digest}</sha1>\n</revision></page><page><title>http://{host}/</title></page></mediawiki>"
    )
}

const OLD: [&str; 2] = ["158", "6vfl26kta13cx8eph613ynbokyz5jfv"];

/// Tools write dumps without a namespace, and MediaWiki may have later schemas.
#[test]
fn pages_of_dumps_in_unknown_namespaces_are_counted() {
    let without = |page: String| {
        let (root, rest) = page.split_once('>').expect("a tag");
        let (name, _) = root.split_once(' ').expect("a namespace");
        format!("{name}>{rest}")
    };
    let later = |page: String| page.replacen("export-0.11", "export-0.12", 1);
    let new = ["164", "epsifx4gfhu9ntdnrz4w32ugw9sh2kh"];
    let [old, new] = [("old.example", OLD), ("longer.example", new)]
        .map(|(host, of)| revision(host, of, "0.11"));
    for other in [&without as &dyn Fn(String) -> String, &later] {
        let expected = (other(new.clone()), Vec::new());
        assert_eq!(moved(&other(old.clone())), expected);
    }
    let wrong = without(old.replacen("\"158\"", "\"157\"", 1));
    let (kept, left) = moved(&wrong);
    assert!(
        kept.contains("[http://old.example/") && left.len() == 2,
        "{kept}"
    );
    // Other documents have elements of this name, too.
    let page = |host| format!("<a><text bytes='19'>http://{host}/</text></a>");
    assert_eq!(
        moved(&page("old.example")),
        (page("longer.example"), Vec::new())
    );
}

#[test]
fn lengths_and_digests_of_pages_are_those_of_the_new_text() {
    let new = ["164", "epsifx4gfhu9ntdnrz4w32ugw9sh2kh"];
    for schema in ["0.8", "0.9", "0.10", "0.11"] {
        let expected = (revision("longer.example", new, schema), Vec::new());
        assert_eq!(moved(&revision("old.example", OLD, schema)), expected);
    }
}

/// A link at the end of a page grows there, behind the last byte of the text that counts.
#[test]
fn digests_of_pages_that_end_with_a_link() {
    let page = |text: &str, length: &str, digest: &str| {
        format!(
            "<mediawiki xmlns='http://www.mediawiki.org/xml/export-0.11/'><page><revision>\
             <text bytes='{length}' sha1='{digest}'>{text}</text><sha1>{digest}</sha1></revision></page></mediawiki>"
        )
    };
    let mut rules = Rules::default();
    rules
        .add("http://old.example/ https://new.example/blog/")
        .expect("a rule");
    let rewriter = Rewriter::new().rules(rules);
    let old = page(
        "See http://old.example/",
        "23",
        "2zkaors0g140cve2tidukjkjtzf2367",
    );
    let new = rewritten(
        old.as_bytes(),
        &settings(Format::Xml, Charset::UTF_8),
        &rewriter,
    );
    let expected = page(
        "See https://new.example/blog/",
        "29",
        "q9zkpq4d6f9e1kvhqzy390vyffhwqf7",
    );
    assert_eq!(String::from_utf8(new).expect("UTF-8"), expected);
}

/// Dumps of Wikimedia have the digest behind the text alone. Before export schema 0.8 it stands in front of the text.
#[test]
fn digests_without_lengths() {
    let without =
        |page: String, length: &str| page.replacen(&format!(" bytes=\"{length}\""), "", 1);
    let old = without(revision("old.example", OLD, "0.10"), OLD[0]);
    let new = ["164", "epsifx4gfhu9ntdnrz4w32ugw9sh2kh"];
    let expected = without(revision("longer.example", new, "0.10"), new[0]);
    assert_eq!(moved(&old), (expected, Vec::new()));
    let page = "<mediawiki xmlns='http://www.mediawiki.org/xml/export-0.7/'><page><revision><sha1>1oficai4677dbisuz3xbnkv02bly480</sha1>\
                <text xml:space='preserve'>http://old.example/a</text></revision></page></mediawiki>";
    let (new, left) = moved(page);
    assert_eq!((new.as_str(), left.len()), (page, 1));
}

/// A page stays if its length or digest was wrong, or counts other texts, too.
#[test]
fn pages_with_unknown_lengths_are_left() {
    let page = |host: &str, with: [&str; 2]| {
        let page = revision(host, OLD, "0.11");
        page.replacen(with[0], with[1], 1)
    };
    for with in [
        ["\"158\"", "\"157\""],
        ["sha1=\"6", "sha1=\"7"],
        ["<sha1>6", "<sha1>7"],
        ["<sha1>", "<content><text>a</text></content><sha1>"],
        ["<sha1>6vfl26kta13cx8eph613ynbokyz5jfv</sha1>", ""],
        ["é] ", "é] <![CDATA[]]>"],
    ] {
        let (new, left) = moved(&page("old.example", with));
        let text = |page: &str| {
            page[page.find("<text").unwrap()..page.find("</page>").unwrap()].to_owned()
        };
        assert_eq!(text(&new), text(&page("old.example", with)), "{with:?}");
        assert_eq!(left.len(), 2, "{with:?}");
        assert!(
            left.iter()
                .all(|(_, notes)| *notes == [Note::LeftSerialized])
        );
    }
}

/// The length of a string within a page counts the link, too, and is not known.
#[test]
fn serialized_data_in_pages_stay() {
    let page = |host: &str, length: &str, digest: &str| {
        format!(
            "<mediawiki xmlns='http://www.mediawiki.org/xml/export-0.10/'>\
             <text bytes='{length}'>http://{host}/ s:19:\"http://old.example/\";</text><sha1>{digest}</sha1></mediawiki>"
        )
    };
    let old = page("old.example", "47", "idfolpcz199hj17o2xehtu4vlgwfjtt");
    let new = page("longer.example", "50", "9ai7wmm8nuimpnokj4p7umdop5eohnb");
    let left = ("http://old.example/".to_owned(), vec![Note::LeftSerialized]);
    assert_eq!(moved(&old), (new, vec![left]));
}

/// A length beside a text of MediaWiki would be wrong without a digest behind it, and names with a namespace are
/// compared.
#[test]
fn what_counts_and_what_names_is_left() {
    let page = |attribute: &str, host: &str| {
        format!(
            "<mediawiki xmlns='http://www.mediawiki.org/xml/export-0.10/'><base>http://longer.example/</base>\
             <text{attribute}>[http://{host}/ a]</text></mediawiki>"
        )
    };
    let (link, note) = ("http://old.example/".to_owned(), Note::LeftSerialized);
    let counted = page(" bytes='23'", "old.example");
    assert_eq!(moved(&counted), (counted, vec![(link, vec![note])]));
    let expected = (page("", "longer.example"), Vec::new());
    assert_eq!(moved(&page("", "old.example")), expected);
    let name = "http://old.example/ns".to_owned();
    let text = "<r>{http://old.example/ns}name</r>";
    let left = vec![(name, vec![Note::LeftTemplate])];
    assert_eq!(moved(text), (text.to_owned(), left));
    let (text, _) = moved("<r>\\href{http://old.example/}{a}</r>");
    assert_eq!(text, "<r>\\href{http://longer.example/}{a}</r>");
}
