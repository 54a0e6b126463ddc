//! HTML: rewriting and finding, against lol_html.
//!
//! lol_html gets the same table and the same job, keeping bytes: it reads the attributes of every element, and splices
//! the values of those in the table into a copy of the page. It does not read running text, style sheets, nested
//! documents and the inside of values; the cost of these is left out in its favour.

mod documents;
mod support;

use documents::documents;
use linkglot::rewrite::{Form, Rewriter};
use linkglot::{Document, Settings};
use linkglot_markup::vocabulary::HTML_ROWS;
use linkglot_markup::{Access, PlaceKind};
use lol_html::{HtmlRewriter, Settings as LolSettings, element};
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use support::{contender, race};

fn main() {
    // The settings of the command line for this name: pages with an XML declaration are HTML to browsers, and to
    // lol_html.
    let mut settings = Settings::default();
    settings.name = Some("page.html".to_owned());
    // lol_html does not read UTF-16.
    let mut pages = documents(&["html", "htm"], 20_000_000, 80_000_000);
    pages.retain(|page| {
        Document::new(page, &settings)
            .info()
            .charset
            .is_ascii_compatible()
    });
    let bytes = pages.iter().map(Vec::len).sum();
    let table = table();
    same_slots(&pages, &settings, &table);
    let to_uri = Rewriter::new().to(Form::Uri).settings(settings.clone());
    let rewritten = |page: &Vec<u8>| to_uri.rewrite_slice(page).summary.tally;
    let counts = race(
        "HTML",
        bytes,
        &mut [
            contender("linkglot: rewrite to URI, the full table", || {
                pages.iter().map(|page| rewritten(page).links).sum::<u64>() as usize
            }),
            contender("linkglot: find, the full table", || {
                let found = pages
                    .iter()
                    .map(|page| Document::new(page, &settings).links().count());
                found.sum()
            }),
            contender("lol_html: all attributes, slots spliced", || {
                pages.iter().map(|page| spliced(page, &table).1).sum()
            }),
            contender("lol_html: all attributes, nothing spliced", || {
                pages.iter().map(|page| slots(page, &table).len()).sum()
            }),
            contender("memchr for `<`", || {
                let tags = pages
                    .iter()
                    .map(|page| memchr::memchr_iter(b'<', page).count());
                tags.sum()
            }),
        ],
    );
    assert_eq!(
        counts[0], counts[1],
        "rewriting and finding see the same links"
    );
    assert_eq!(counts[2], counts[3], "lol_html sees the same slots");
}

/// The part of the vocabulary without conditions: the elements on which an attribute is a slot; `None` for all.
type Table = HashMap<String, Option<HashSet<String>>>;

fn table() -> Table {
    let mut table = Table::new();
    for row in HTML_ROWS.lines() {
        // A condition would be a fifth column.
        let [element, attribute, syntax, "rewrite"] = row.split('\t').collect::<Vec<_>>()[..]
        else {
            continue;
        };
        if syntax == "none" || element.contains(':') || attribute.starts_with('#') {
            continue;
        }
        let elements = table.entry(attribute.to_owned());
        match (element, elements.or_insert_with(|| Some(HashSet::new()))) {
            ("*", elements) => *elements = None,
            (element, Some(elements)) => {
                elements.insert(element.to_owned());
            }
            (_, None) => {}
        }
    }
    table
}

/// The values of a page that the table names, as lol_html sees them.
fn slots(page: &[u8], table: &Table) -> Vec<Range<usize>> {
    let mut slots = Vec::new();
    let mut written = 0;
    let handler = element!("*", |element| {
        let name = element.tag_name();
        for attribute in element.attributes() {
            let is_slot = match table.get(&attribute.name()) {
                Some(Some(elements)) => elements.contains(&name),
                Some(None) => true,
                None => false,
            };
            if let Some(value) = attribute.value_source_location().filter(|_| is_slot) {
                slots.push(value.bytes());
            }
        }
        Ok(())
    });
    let settings = LolSettings::new()
        .append_element_content_handler(handler)
        .with_strict(false);
    let mut rewriter = HtmlRewriter::new(settings, |chunk: &[u8]| written += chunk.len());
    // A page that lol_html gives up on counts as far as it was read.
    let _ = rewriter.write(page).and_then(|()| rewriter.end());
    std::hint::black_box(written);
    slots
}

/// A copy of the page with the slots spliced, and the number of slots.
fn spliced(page: &[u8], table: &Table) -> (Vec<u8>, usize) {
    let slots = slots(page, table);
    let (mut copy, mut done) = (Vec::with_capacity(page.len() + page.len() / 16), 0);
    for slot in &slots {
        copy.extend_from_slice(&page[done..slot.start]);
        copy.extend_from_slice(&page[slot.clone()]);
        done = slot.end;
    }
    copy.extend_from_slice(&page[done..]);
    (std::hint::black_box(copy), slots.len())
}

/// Checks that the rival keeps all bytes, and that both find the same slots: links in attributes with a row without
/// conditions are in slots that it found.
fn same_slots(pages: &[Vec<u8>], settings: &Settings, table: &Table) {
    let (mut ours, mut missed, mut theirs) = (0, 0, 0);
    for page in pages {
        let (copy, _) = spliced(page, table);
        assert_eq!(&copy, page, "lol_html keeps the bytes");
        let slots = slots(page, table);
        theirs += slots.iter().filter(|slot| !slot.is_empty()).count();
        for link in Document::new(page, settings).links() {
            let is_value =
                link.place().kind == PlaceKind::Attribute && link.access() == Access::Rewrite;
            let name = link.place().name.as_deref().unwrap_or_default();
            if !is_value || !table.contains_key(name) {
                continue;
            }
            ours += 1;
            let at = link.span().start as usize;
            let slot = slots.partition_point(|slot| slot.end <= at);
            missed += usize::from(slots.get(slot).is_none_or(|slot| slot.start > at));
        }
    }
    println!("{ours} links in attributes; {missed} not in the rival's {theirs} slots");
    assert!(missed * 100 < ours, "the rival sees 99 of 100 slots");
    assert!(theirs < ours + ours / 5, "and few others");
}
