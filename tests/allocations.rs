//! Allocations on the way of a link, counted: a figure here is the cost of each further link of a document.

#![allow(unsafe_code)] // a counting allocator is a GlobalAlloc, and that trait is unsafe

use linkglot::rewrite::{Form, Rewriter, Rules};
use linkglot::{Charset, Document, Format, Scanner, Settings};
use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The system's allocator, with a count of blocks.
struct Counting;

static BLOCKS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is passed on unchanged to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        BLOCKS.fetch_add(1, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The allocator counts for the whole process: one test at a time.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// The blocks that each further link needs, rounded: blocks of a document as a whole, and those of lists that grow, do
/// not count.
fn blocks_per_link(link: &str, work: impl Fn(&[u8])) -> usize {
    const LINKS: usize = 4096;
    let counted = |links: usize| {
        let document = link.repeat(links);
        let before = BLOCKS.load(Ordering::SeqCst);
        work(document.as_bytes());
        BLOCKS.load(Ordering::SeqCst) - before
    };
    // What is made once for a process is made by the first run.
    counted(LINKS);
    let (few, many) = (counted(LINKS), counted(2 * LINKS));
    (many.saturating_sub(few) + LINKS / 2) / LINKS
}

const IN_TEXT: &str = "see http://old.example/a/b for more\n";
const IN_HTML: &str = "<p><a href=\"http://old.example/a/b\">b</a>\n";

fn settings(format: Format) -> Settings {
    let mut settings = Settings::default();
    settings.format = Some(format);
    settings.charset = Some(Charset::UTF_8);
    settings
}

fn moving(format: Format, rule: &str) -> impl Fn(&[u8]) {
    let mut rules = Rules::default();
    rules.add(rule).expect("a rule");
    let rewriter = Rewriter::new().settings(settings(format)).rules(rules);
    move |document| {
        black_box(rewriter.rewrite_slice(document));
    }
}

fn forming(format: Format, form: Form) -> impl Fn(&[u8]) {
    let rewriter = Rewriter::new().settings(settings(format)).to(form);
    move |document| {
        black_box(rewriter.rewrite_slice(document));
    }
}

#[test]
fn links_that_are_found_need_no_blocks() {
    let _alone = ONE_AT_A_TIME.lock();
    for (format, link) in [(Format::Text, IN_TEXT), (Format::Html, IN_HTML)] {
        let found = blocks_per_link(link, |document| {
            let settings = settings(format);
            let document = Document::new(document, &settings);
            black_box(
                document
                    .links()
                    .filter(|link| !link.text().is_empty())
                    .count(),
            );
        });
        assert_eq!(found, 0, "{}", format.name());
    }
    let scanner = Scanner::default();
    let found = blocks_per_link(IN_TEXT, |text| {
        let text = str::from_utf8(text).expect("text");
        black_box(scanner.links(text).count());
    });
    assert_eq!(found, 0);
}

#[test]
fn links_that_no_rule_touches_need_no_blocks() {
    let _alone = ONE_AT_A_TIME.lock();
    for (format, link) in [(Format::Text, IN_TEXT), (Format::Html, IN_HTML)] {
        let other_host = moving(format, "http://other.example/ https://new.example/");
        assert_eq!(blocks_per_link(link, other_host), 0, "{}", format.name());
        let is_uri = forming(format, Form::Uri);
        assert_eq!(blocks_per_link(link, is_uri), 0, "{}", format.name());
    }
}

/// The limits are the counts of today, to be lowered with the code: a slot of markup is read again as a whole, a run of
/// text with all others of its piece.
#[test]
fn links_that_change_need_few_blocks() {
    let _alone = ONE_AT_A_TIME.lock();
    const RULE: &str = "http://old.example/ https://new.example/";
    const IRI_IN_HTML: &str = "<p><a href=\"http://a.example/\u{e9}/b\">b</a>\n";
    const IRI_IN_TEXT: &str = "see http://a.example/\u{e9}/b for more\n";
    let at_most = |limit: usize, link: &str, work: &dyn Fn(&[u8])| {
        let blocks = blocks_per_link(link, work);
        assert!(blocks <= limit, "{blocks} blocks for each of {link}");
    };
    at_most(5, IN_TEXT, &moving(Format::Text, RULE));
    at_most(19, IN_HTML, &moving(Format::Html, RULE));
    at_most(6, IRI_IN_TEXT, &forming(Format::Text, Form::Uri));
    at_most(20, IRI_IN_HTML, &forming(Format::Html, Form::Uri));
}
