//! Long documents in light markup: their links are not kept for the second reading (P7), but found again. Decisions
//! about them are kept.

use crate::support::Chunks;
use linkglot::format::Format;
use linkglot::notes::{Note, Notes};
use linkglot::rewrite::{Form, Rewriter, Rules};
use linkglot::stream::read_links;
use linkglot::{Charset, Document, Link, Settings};
use std::ops::ControlFlow;

/// Links that change, stay, or are left: template code.
const MARKDOWN: &str = "\
- [One](http://www.example.org/a/п%20п/1?q=п) - [two](</п п>) and http://old.example/п, *three*.
- <http://example.org/%D0%BF> [four][] `http://example.org/п` [five](</{{ п }}>)

[four]: http://old.example/%D0%BF/four

";
const RST: &str = "\
`one <http://old.example/п>`_ and http://example.org/%D0%BF, `three </{{п}}>`_

.. _two: http://example.org/п

";

/// A table without room for a URI.
const TABLE: &str = "\
+-------------------------+-----+
| http://a.example/ппппп  | abc |
+-------------------------+-----+

";

/// Returns the rewritten document, its links that were changed or left, and the number of matches of the rule.
fn rewritten(document: &str, format: Format, charset: Charset, form: Form) -> Seen {
    let mut rules = Rules::default();
    rules
        .add("http://old.example/ http://new.example/")
        .expect("a rule");
    let mut settings = Settings::default();
    (settings.format, settings.charset) = (Some(format), Some(charset));
    let mut links = Vec::new();
    let rewriter = Rewriter::new().to(form).rules(rules).settings(settings);
    let watched = rewriter.on_link(|at, _| {
        let new = at.new.map(str::to_owned);
        links.push((at.link.text().to_owned(), new, at.rule, at.notes));
    });
    let mut encoded = Vec::new();
    charset
        .encode(document, &mut encoded)
        .expect("in the charset");
    let rewritten = watched.rewrite_slice(&encoded);
    let matched = rewritten.summary.matched.get(&0).copied().unwrap_or(0);
    Seen {
        bytes: rewritten.content.into_owned(),
        links,
        matched,
    }
}

#[derive(Debug, Default, PartialEq)]
struct Seen {
    bytes: Vec<u8>,
    links: Vec<(String, Option<String>, Option<usize>, Notes)>,
    matched: u64,
}

impl Seen {
    fn add(&mut self, other: &Seen, times: usize) {
        for _ in 0..times {
            self.bytes.extend(&other.bytes);
            self.links.extend(other.links.iter().cloned());
            self.matched += other.matched;
        }
    }
}

/// A long document gives the same as its parts.
#[test]
fn long_documents_become_what_their_parts_become() {
    for (format, part, odd) in [
        (Format::Markdown, MARKDOWN, MARKDOWN),
        (Format::Rst, RST, TABLE),
    ] {
        for charset in ["utf-8", "windows-1251"] {
            let charset = Charset::for_label(charset).expect("a charset");
            for form in [Form::Uri, Form::Iri, Form::Same] {
                let times = (140 << 10) / part.len();
                let document = [&part.repeat(times), odd, &part.repeat(times)].concat();
                let mut expected = Seen::default();
                let own = rewritten(part, format, charset, form);
                expected.add(&own, times);
                expected.add(&rewritten(odd, format, charset, form), 1);
                expected.add(&own, times);
                let seen = rewritten(&document, format, charset, form);
                let differs = seen
                    .links
                    .iter()
                    .zip(&expected.links)
                    .find(|(seen, expected)| seen != expected);
                assert!(
                    seen == expected,
                    "{format:?} {} {form:?}: {differs:?}",
                    charset.name()
                );
                assert!(seen.matched > 0);
                let is_left = |notes: &Notes| notes.contains(Note::LeftTemplate);
                assert!(form == Form::Same || seen.links.iter().any(|(.., notes)| is_left(notes)));
            }
        }
    }
    let left = rewritten(TABLE, Format::Rst, Charset::UTF_8, Form::Uri).links;
    assert!(matches!(&left[..], [(_, None, None, _)]), "{left:?}");
}

/// Markdown of any length is read in stretches, whose borders do not depend on how the document is cut into chunks
/// (P6). A stretch here is far shorter than the document, and has a definition for each reference.
#[test]
fn stretches_do_not_depend_on_chunks() {
    let table =
        "| слово | b |\n|---|---|\n".to_owned() + &"| [ф](/х) | http://c.example |\n".repeat(500);
    let list = "* [слово](/ф) and [http://d.example][e], [^1]\n  <http://f.example/>\n".repeat(300);
    let blocks = "[[e]](/не) http://g.example/х\n\n[e]: /h\n\n[^1]: i\n\n".repeat(200);
    let document = [&*table, "\n", &list, "\n", &blocks].concat();
    for label in ["utf-8", "windows-1251", "gb18030", "utf-16le"] {
        let charset = Charset::for_label(label).expect("a charset");
        let mut encoded = Vec::new();
        charset
            .encode(&document, &mut encoded)
            .expect("in the charset");
        let settings = |max_slot| {
            let mut settings = Settings::default();
            (settings.format, settings.charset) = (Some(Format::Markdown), Some(charset));
            settings.max_slot = max_slot;
            settings
        };
        let seen = |link: &Link<'_>| {
            (
                link.span(),
                link.text().to_owned(),
                link.place().name.clone(),
            )
        };
        let links = |max_slot| -> Vec<_> {
            let settings = settings(max_slot);
            let document = Document::new(&encoded, &settings);
            document.links().map(|link| seen(&link)).collect()
        };
        let whole = links(1 << 20);
        assert!(whole.len() > 1900);
        let short = links(256);
        assert!(whole[..1000] == short[..1000], "{label}");
        for step in [777, 5000, 100_000] {
            let mut streamed = Vec::new();
            let each = &mut |link: &Link<'_>, _: &_| {
                streamed.push(seen(link));
                ControlFlow::Continue(())
            };
            read_links(&mut Chunks(&encoded, step), &settings(256), each).expect("no error");
            assert!(streamed == short, "{label} in steps of {step}");
        }
    }
}

/// A document keeps its links if the new ones would make it too long or too dense to be read.
#[test]
fn documents_stay_readable() {
    let link = "[a](http://a.example/п)\n";
    let mut settings = Settings::default();
    (settings.format, settings.max_slot) = (Some(Format::Markdown), 16);
    settings.charset = Some(Charset::UTF_8);
    let long = format!("{link}{}", "x".repeat(229));
    assert!(long.len() < 256 && long.len() + 4 > 256);
    let rewriter = Rewriter::new().to(Form::Uri).settings(settings.clone());
    let rewritten = rewriter.rewrite_slice(long.as_bytes());
    assert_eq!(rewritten.content, long.as_bytes());
    assert_eq!(
        (
            rewritten.summary.tally.changed,
            rewritten.summary.tally.left
        ),
        (0, 1)
    );
    let short = format!("{link}{}", "x".repeat(220));
    let rewriter = Rewriter::new().to(Form::Uri).settings(settings);
    assert_eq!(
        rewriter
            .rewrite_slice(short.as_bytes())
            .summary
            .tally
            .changed,
        1
    );
}

/// However many links cannot be written, a second run changes nothing (P5) and leaves the same links.
#[test]
fn links_that_cannot_be_written_keep_no_others_from_it() {
    let row = |cell: &str| format!("| {cell:23} | abc |\n+-------------------------+-----+\n");
    let table = |cells: &[&str]| {
        let rows: String = cells.iter().map(|cell| row(cell)).collect();
        format!("+-------------------------+-----+\n{rows}\n")
    };
    let mixed = table(&[
        "http://a.example/ппппп",
        "http://a.example/п",
        "http://a.example/ппп",
    ]);
    let full = table(&["http://a.example/пппп"; 30]);
    let good = "See http://example.org/п and `this <http://example.org/пп>`_.\n\n";
    for bad in [&mixed, &full] {
        for times in [1, 5, 30] {
            let document = [bad, good].concat().repeat(times);
            let first = rewritten(&document, Format::Rst, Charset::UTF_8, Form::Uri);
            let text = String::from_utf8(first.bytes.clone()).expect("UTF-8");
            assert_eq!(
                text.matches(
                    "See http://example.org/%D0%BF and `this <http://example.org/%D0%BF%D0%BF>`_"
                )
                .count(),
                times
            );
            let second = rewritten(&text, Format::Rst, Charset::UTF_8, Form::Uri);
            assert_eq!(second.bytes, first.bytes, "{times} {bad}");
        }
    }
}
