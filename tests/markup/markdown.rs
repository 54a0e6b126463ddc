//! Links of Markdown: their places, their meaning, their spelling.

use crate::support;
use linkglot::document::{Document, Settings};
use linkglot::format::Format;
use linkglot::rewrite::{Form, Rewriter, Rules};
use linkglot_markup::TextSlots;

fn settings() -> Settings {
    support::settings(Format::Markdown)
}

fn links(document: &str) -> Vec<String> {
    support::links(document, &settings())
}

#[track_caller]
fn has(document: &str, expected: &[&str]) {
    assert_eq!(links(document), expected, "{document}");
    // CommonMark 2.1: each of them ends a line.
    for end in ["\r", "\r\n"] {
        let document = document.replace('\n', end);
        assert_eq!(links(&document), expected, "{document:?}");
    }
}

fn rewritten(document: &str, rewriter: &Rewriter) -> String {
    support::rewritten(document, &settings(), rewriter)
}

#[test]
fn destinations_of_links_and_images() {
    has("[a](b)", &["inline b"]);
    has("![a](b 'c') [d](<e f> (g))", &["image b", "inline e f"]);
    has("[a](\n  b\n  \"c\"\n)", &["inline b"]);
    has("[a](b(c)d) [e](f\\)g)", &["inline b(c)d", "inline f)g"]);
    has("[a](b&amp;c&#x41;&nope;)", &["inline b&cA&nope;"]);
    has("[a]() [b](<>)", &[]);
    has(
        "[a\\]](b) [c`]`](d) [`](x)`](e)",
        &["inline b", "inline d", "inline e"],
    );
    has("[![a](b)](c)", &["image b", "inline c"]);
    has(
        "[a](b \"(c\") [d](e 'f) [g](h)')",
        &["inline b", "inline e"],
    );
    has("[a] (b) [c]\n(d)", &[]);
    has(
        "> [a](\n> b)\n\n- x\n  [c](\n  d)",
        &["inline b", "inline d"],
    );
    has(
        "# [a](b)\n\n|a|b|\n|-|-|\n|[c](d)|e|",
        &["inline b", "inline d"],
    );
    has(
        "~~[a](b)~~ **[c](d)** *![e](f)*",
        &["inline b", "inline d", "image f"],
    );
    has("\u{feff}[é](日本)", &["inline 日本"]);
}

/// Line ends of all three kinds in one document, in charsets of all widths; text without edits stays.
#[test]
fn line_ends_of_every_kind() {
    has("a\n\n    code\n\n[x](y)\n", &["inline y"]);
    has("```\nhttp://a.example/\n```\n\n[x](y)\n", &["inline y"]);
    has(
        "a\r\r    [b](c)\n\r\n[d]: e\r[f]: g",
        &["definition e", "definition g"],
    );
    let document = "\u{e9}\r\r    [a](/\u{e9})\r\n\r> [b](/\u{e9})\r";
    let edited = "\u{e9}\r\r    [a](/\u{e9})\r\n\r> [b](/%C3%A9)\r";
    let bytes = |text: &str, label: &str| -> Vec<u8> {
        match label {
            "UTF-16LE" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            "UTF-16BE" => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
            label => {
                let encoding = encoding_rs::Encoding::for_label(label.as_bytes());
                encoding.expect("a charset").encode(text).0.into_owned()
            }
        }
    };
    for label in ["UTF-8", "windows-1252", "gb18030", "UTF-16LE", "UTF-16BE"] {
        let mut settings = settings();
        settings.charset = Some(linkglot::Charset::for_label(label).expect("known"));
        let document = bytes(document, label);
        let uri = Rewriter::new().to(Form::Uri).settings(settings);
        let output = uri.rewrite_slice(&document).content;
        assert_eq!(output, bytes(edited, label), "{label}");
    }
}

#[test]
fn definitions() {
    has(
        "[a]\n\n[a]: b 'c'\n[d]: <e f>\n",
        &["definition b", "definition e f"],
    );
    has(
        "[a]:\n  b\n[c]: d\n'e\nf'",
        &["definition b", "definition d"],
    );
    has("> [a]: b\n\n- [c]: d\n", &["definition b", "definition d"]);
    has("[a]: b\n[a]: c\n", &["definition b", "definition c"]);
    has("[a\\]b]: c\ntext", &["definition c"]);
    has("text\n[a]: b", &[]);
    has("[a]: b \"[c]: d\"\n", &["definition b"]);
    has(
        "[^1]: http://example.org/ x\n\nx[^1]",
        &["text http://example.org/"],
    );
    has(
        "- [ ] http://example.org/\n- [x] [a](b)",
        &["text http://example.org/", "inline b"],
    );
}

#[test]
fn autolinks_and_running_text() {
    has("<http://example.org/é>", &["autolink http://example.org/é"]);
    has(
        "<a@example.org> <mailto:b@example.org>",
        &["autolink a@example.org", "autolink mailto:b@example.org"],
    );
    has(
        "See http://example.org/a_b_c, **https://example.com/**.",
        &["text http://example.org/a_b_c", "text https://example.com/"],
    );
    has(
        "http://example.org/a\\_b?c&amp;d",
        &["text http://example.org/a_b?c&d"],
    );
    has(
        "http://a.example/_b_/c *http://d.example/e*f* http://g.example/**h**",
        &[
            "text http://a.example/_b_/c",
            "text http://d.example/e",
            "text http://g.example/**h**",
        ],
    );
    has(
        "http\\://example.org/ a\\@example.org www\\.example.org",
        &[],
    );
    has(
        "[http://a.example/](http://b.example/)",
        &["inline http://b.example/"],
    );
    has("[http://a.example/][b]\n\n[b]: c", &["definition c"]);
    has("[http://a.example/][b]", &["text http://a.example/"]);
    has("![http://a.example/](b)", &["image b"]);
    has(
        "> http://a.example/b\n> http://c.example/d",
        &["text http://a.example/b", "text http://c.example/d"],
    );
    has(
        "| a |\n|---|\n| http://a.example/ |",
        &["text http://a.example/"],
    );
}

#[test]
fn code_is_left_alone() {
    has("`http://a.example/ [b](c)`", &[]);
    has("```\n[a](b) http://c.example/\n```\n\n    [d](e)\n", &[]);
    has("~~~ html\n<a href=x>\n~~~", &[]);
    has("\\[a](b) http://c.example/", &["text http://c.example/"]);
}

#[test]
fn code_is_read_on_demand() {
    let mut settings = settings();
    settings.text = TextSlots::Code;
    for (document, expected) in [
        (
            "`curl http://a.example/b`c",
            &["text http://a.example/b"][..],
        ),
        ("``d ` http://a.example/``", &["text http://a.example/"]),
        (
            "```sh\nhttp://a.example/\n http://b.example/\n```",
            &["text http://a.example/", "text http://b.example/"],
        ),
        (
            "> ~~~\n> http://a.example/\n> ~~~",
            &["text http://a.example/"],
        ),
        ("    http://a.example/", &["text http://a.example/"]),
        (
            "|a|\n|-|\n|`http://a.example/b \\| c`|",
            &["text http://a.example/b"],
        ),
        ("``` ```", &[]),
        ("`http://a.example/", &["text http://a.example/"]),
    ] {
        assert_eq!(support::links(document, &settings), expected, "{document}");
        // The parser reads what it read before, with the new links.
        let mut rules = Rules::default();
        rules
            .add("http://a.example/ https://new.example/long/")
            .unwrap();
        let rewriter = Rewriter::new().rules(rules).settings(settings.clone());
        let new = rewriter.rewrite_slice(document.as_bytes()).content;
        let new = String::from_utf8(new.into_owned()).unwrap();
        let events = |text: &str| {
            let events =
                pulldown_cmark::Parser::new_ext(text, pulldown_cmark::Options::ENABLE_TABLES);
            format!("{:?}", events.collect::<Vec<_>>())
        };
        let moved = events(document).replace("http://a.example/", "https://new.example/long/");
        assert_eq!(events(&new), moved, "{document}");
    }
    // The text of a link is not code alone.
    let links = support::links("[`http://a.example/`](http://b.example/)", &settings);
    assert_eq!(links, ["inline http://b.example/"]);
}

#[test]
fn html_inside() {
    has("<a href=\"b\">c</a>", &["href b"]);
    has(
        "x <img src='a&amp;b' srcset='c 1x, d 2x'> y",
        &["src a&b", "srcset c", "srcset d"],
    );
    has(
        "<a href=b>http://c.example/</a> http://d.example/",
        &["href b", "text http://d.example/"],
    );
    has(
        "<code>http://a.example/</code> *http://b.example/*",
        &["text http://b.example/"],
    );
    has(
        "<div>\nhttp://a.example/?b&amp;c\n</div>\n\n*[d](e)*",
        &["text http://a.example/?b&c", "inline e"],
    );
    has(
        "<p style=\"background: url(a)\">\n\n[b](c)\n\n</p>",
        &["style a", "inline c"],
    );
    has("<!-- http://a.example/ [b](c) -->\n\n[d](e)", &["inline e"]);
    has(
        "<script>\n[a](b)\n\nhttp://c.example/\n</script>\n\n[d](e)",
        &["inline e"],
    );
    has(
        "> <p>\n> http://a.example/\n> http://b.example/\n> <img\n> src=c>",
        &["text http://a.example/", "text http://b.example/", "src c"],
    );
    has("[<img src=a>](b)", &["src a", "inline b"]);
    has(
        "the <title> tag, [a](b), http://c.example/\n\nhttp://d.example/",
        &[
            "inline b",
            "text http://c.example/",
            "text http://d.example/",
        ],
    );
}

#[test]
fn front_matter_is_text() {
    has(
        "---\nurl: \"http://a.example/\"\n---\n\n[b](c)",
        &["text http://a.example/", "inline c"],
    );
    has(
        "+++\nurl = 'http://a.example/'\n+++\n",
        &["text http://a.example/"],
    );
}

#[test]
fn forms_keep_the_markup() {
    let uri = Rewriter::new().to(Form::Uri);
    let iri = Rewriter::new().to(Form::Iri);
    for (from, to) in [
        (
            "[a](/é 'é') <http://é.example/>",
            "[a](/%C3%A9 'é') <http://xn--9ca.example/>",
        ),
        ("[a](</é b>)", "[a](</%C3%A9%20b>)"),
        ("[a]: /é\\_b&amp;ü", "[a]: /%C3%A9\\_b&amp;%C3%BC"),
        (
            "**http://a.example/é** `/é`",
            "**http://a.example/%C3%A9** `/é`",
        ),
        (
            "<img src='/é'> [b](/(é))",
            "<img src='/%C3%A9'> [b](/(%C3%A9))",
        ),
    ] {
        assert_eq!(rewritten(from, &uri), to);
    }
    assert_eq!(
        rewritten("[a](/%C3%A9%28 'b') http://a.example/%C3%A9", &iri),
        "[a](/é%28 'b') http://a.example/é"
    );
}

/// CommonMark renders characters outside of URIs percent-encoded: `\` does not become `/`, and nothing is dropped.
#[test]
fn what_is_rendered_stays() {
    let (uri, iri) = (Rewriter::new().to(Form::Uri), Rewriter::new().to(Form::Iri));
    for (from, to) in [
        ("[a](b\\c)", "[a](b%5Cc)"),
        ("[a](b\\c?d\\e#f\\g)", "[a](b%5Cc?d%5Ce#f%5Cg)"),
        ("[a]: \\b", "[a]: %5Cb"),
        ("![a](<b\\c\td>)", "![a](<b%5Cc%09d>)"),
        ("[a](b&#10;&#13;c)", "[a](b%0A%0Dc)"),
        ("<http://a.example/\\b>", "<http://a.example/%5Cb>"),
        ("[a](mailto:b\\c)", "[a](mailto:b%5Cc)"),
        // The reader that makes a link of running text decides its meaning.
        ("http://a.example/b\\c", "http://a.example/b\\c"),
        // HTML is passed to browsers unchanged.
        ("<a href='b\\c'>d</a>", "<a href='b/c'>d</a>"),
    ] {
        assert_eq!(rewritten(from, &uri), to);
        assert_eq!(rewritten(to, &uri), to);
    }
    let shown = rewritten("[a](b\\c%C3%A9)", &iri);
    assert_eq!(rewritten(&shown, &uri), "[a](b%5Cc%C3%A9)");
    let settings = settings();
    let document = "[a](//b.example/c\\d) <http://b.example/e\\f> [g](//b\\c.example/)";
    let document = Document::new(document.as_bytes(), &settings);
    let resolved: Vec<_> = document
        .links()
        .map(|link| link.resolved(document.info()))
        .collect();
    assert_eq!(resolved[1].as_deref(), Some("http://b.example/e%5Cf"));
    assert_eq!(resolved[2], None);
}

#[test]
fn rules_write_what_the_place_can_hold() {
    let mapped = |document: &str, rule: &str| {
        let mut rules = Rules::default();
        rules.add(rule).expect("a rule");
        rewritten(document, &Rewriter::new().rules(rules))
    };
    assert_eq!(mapped("[a](/b)", "/b /c)d"), "[a](/c\\)d)");
    assert_eq!(mapped("[a](/b)", "/b /c(d)"), "[a](/c(d))");
    assert_eq!(
        mapped("[a](/b?x&amp;y)", "/b /b&copy;"),
        "[a](/b&amp;copy;?x&amp;y)"
    );
    assert_eq!(mapped("[a](</b>)", "/b /<c>"), "[a](</&lt;c&gt;>)");
    assert_eq!(mapped("` [a](/b)", "/b /c`d"), "` [a](/c&#x60;d)");
    assert_eq!(
        mapped("|a|\n|-|\n|[b](/c)|", "/c /d|e"),
        "|a|\n|-|\n|[b](/d&#x7C;e)|"
    );
    assert_eq!(mapped("[a](\n/b)", "/b ~~~/c"), "[a](\n/b)");
    assert_eq!(
        mapped(
            "<http://a.example/b>",
            "http://a.example/b http://c.example/"
        ),
        "<http://c.example/>"
    );
}

#[test]
fn one_bad_edit_spares_the_others() {
    let mut rules = Rules::default();
    rules.add("/b ~~~/c").expect("a rule");
    let good = "[x](/b) ".repeat(40);
    let document = format!("{good}[a](\n/b) {good}");
    let expected = format!("{0}[a](\n/b) {0}", good.replace("/b", "~~~/c"));
    assert_eq!(
        rewritten(&document, &Rewriter::new().rules(rules)),
        expected
    );
}

/// In this module pulldown-cmark's own reading is the oracle: every destination that it knows, and no other, is found
/// in its place. Over the documents of the corpora, and over documents below the folder named by `LINKGLOT_MARKDOWN`.
mod oracle {
    use super::settings;
    use linkglot::document::Document;
    use linkglot::{Access, Charset, PlaceKind};
    use pulldown_cmark::{Event, LinkType, Options, Parser, Tag};
    use std::fs;
    use std::ops::Range;
    use std::path::{Path, PathBuf};

    const EXTENSIONS: &[&str] = &["md", "markdown", "mdown", "mkd"];

    struct Wanted {
        name: &'static str,
        range: Range<usize>,
        text: String,
    }

    fn wanted(text: &str) -> Vec<Wanted> {
        let options = Options::ENABLE_TABLES
            | Options::ENABLE_FOOTNOTES
            | Options::ENABLE_STRIKETHROUGH
            | Options::ENABLE_TASKLISTS
            | Options::ENABLE_GFM
            | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
            | Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS;
        let parser = Parser::new_ext(text, options);
        let definitions = parser.reference_definitions().iter();
        let mut wanted: Vec<Wanted> = definitions
            .map(|(_, definition)| Wanted {
                name: "definition",
                range: definition.span.clone(),
                text: definition.dest.to_string(),
            })
            .collect();
        for (event, range) in parser.into_offset_iter() {
            let (name, kind, text) = match event {
                Event::Start(Tag::Link {
                    link_type,
                    dest_url,
                    ..
                }) => ("inline", link_type, dest_url),
                Event::Start(Tag::Image {
                    link_type,
                    dest_url,
                    ..
                }) => ("image", link_type, dest_url),
                _ => continue,
            };
            let name = match kind {
                LinkType::Inline => name,
                LinkType::Autolink | LinkType::Email => "autolink",
                _ => continue,
            };
            let text = text.to_string();
            wanted.push(Wanted { name, range, text });
        }
        wanted.retain(|wanted| !wanted.text.trim().is_empty());
        wanted
    }

    /// The differences between the two readings of a text.
    fn faults(text: &str) -> Vec<String> {
        let mut settings = settings();
        settings.charset = Some(Charset::UTF_8);
        let document = Document::new(text.as_bytes(), &settings);
        let mut own: Vec<_> = document
            .links()
            .filter(|link| link.place().kind == PlaceKind::Link)
            .collect();
        let mut faults = Vec::new();
        for Wanted { name, range, text } in wanted(text) {
            // For nested links, the outer link's destination comes last.
            let found = own.iter().rposition(|link| {
                let span = link.span();
                let inside = range.start as u64 <= span.start && span.end <= range.end as u64;
                inside && link.place().name.as_deref() == Some(name) && link.text() == text.trim()
            });
            match found {
                Some(at) => {
                    let link = own.remove(at);
                    if link.access() != Access::Rewrite {
                        faults.push(format!("listed only: {name} {text}"));
                    }
                }
                None => faults.push(format!("missing: {name} {text} in {range:?}")),
            }
        }
        // The parser drops repeated definitions.
        own.retain(|link| link.place().name.as_deref() != Some("definition"));
        faults.extend(own.iter().map(|link| format!("too many: {}", link.text())));
        faults
    }

    fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let extension = path.extension().and_then(|extension| extension.to_str());
            if path.is_dir() && !path.is_symlink() {
                collect(&path, files);
            } else if extension.is_some_and(|extension| EXTENSIONS.contains(&extension)) {
                files.push(path);
            }
        }
    }

    #[test]
    fn destinations_are_those_of_the_parser() {
        let mut files = Vec::new();
        collect(
            &Path::new(env!("CARGO_MANIFEST_DIR")).join("corpora"),
            &mut files,
        );
        if let Some(folder) = std::env::var_os("LINKGLOT_MARKDOWN") {
            let before = files.len();
            collect(Path::new(&folder), &mut files);
            assert!(files.len() > before, "LINKGLOT_MARKDOWN has no documents");
        }
        let (mut all, mut links) = (Vec::new(), 0);
        for path in &files {
            let Ok(text) = fs::read(path) else { continue };
            let text = String::from_utf8_lossy(&text);
            let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
            links += wanted(text).len();
            all.extend(
                faults(text)
                    .iter()
                    .map(|why| format!("{}: {why}", path.display())),
            );
        }
        println!("{} documents with {links} links", files.len());
        assert!(
            all.is_empty(),
            "{} differences:\n{}",
            all.len(),
            all.join("\n")
        );
    }
}

/// A display form must be convertible back: the URI form of a link that includes the `<` would be another link.
#[test]
fn a_display_form_that_could_not_be_undone_is_not_written() {
    let document = "http://xn--e1afmkfd.example/%D0%BA[c](<` \"d\")";
    let uri = Rewriter::new().to(Form::Uri);
    assert_eq!(rewritten(document, &uri), document);
    let shown = rewritten(document, &Rewriter::new().to(Form::Iri));
    assert_eq!(rewritten(&shown, &uri), document);
}

/// GFM 6.9: an entity reference at the end of a bare link is not part of it.
#[test]
fn bare_links_end_before_final_entities() {
    has(
        "http://a.example/é&copy; http://b.example/?c&hl; (http://d.example/é&lt;)",
        &[
            "text http://a.example/é",
            "text http://b.example/?c",
            "text http://d.example/é",
        ],
    );
    has(
        "www.e.example&amp;. http://f.example/g.&copy;, http://h.example/&copy;&reg;!",
        &[
            "text www.e.example",
            "text http://f.example/g",
            "text http://h.example/",
        ],
    );
    // A reference within the link stays, and so does a numeric one; angle brackets hold everything.
    has(
        "http://a.example/b&copy;c http://d.example/&#233; <http://e.example/&amp;>",
        &[
            "text http://a.example/b©c",
            "text http://d.example/é",
            "autolink http://e.example/&amp;",
        ],
    );
    let uri = Rewriter::new().to(Form::Uri);
    assert_eq!(
        rewritten(
            "> (http://a.example/é&copy;)\n> http://b.example/é&amp;",
            &uri
        ),
        "> (http://a.example/%C3%A9&copy;)\n> http://b.example/%C3%A9&amp;"
    );
    // Each is read again on its own.
    let many = "http://a.example/é(&a;)&b; ".repeat(500);
    let all = links(&many);
    assert_eq!(all.len(), 500);
    assert!(
        all.iter()
            .all(|link| link.starts_with("text http://a.example/é"))
    );
}
