//! P7: memory does not grow with the input. (`.ci/linear` checks that work grows only with the input's length.)

#![allow(unsafe_code)] // a counting allocator is a GlobalAlloc, and that trait is unsafe

use linkglot::document::Settings;
use linkglot::format::Format;
use linkglot::link::{Info, Link};
use linkglot::rewrite::{Form, Rewriter, Rules};
use linkglot::stream::read_links;
use std::alloc::{GlobalAlloc, Layout, System};
use std::io::{Read, Write};
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The system's allocator, with a count of the bytes in use and of their peak.
///
/// A block that is freed before the next allocation was a trial for available memory: nobody wrote to it, and it does
/// not count.
struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
/// The address of the latest block.
static NEWEST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is passed on unchanged to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let before = IN_USE.fetch_add(layout.size(), Ordering::Relaxed);
        PEAK.fetch_max(before, Ordering::Relaxed);
        let pointer = unsafe { System.alloc(layout) };
        NEWEST.store(pointer.addr(), Ordering::Relaxed);
        pointer
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        let before = IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        if NEWEST.swap(0, Ordering::Relaxed) != pointer.addr() {
            PEAK.fetch_max(before, Ordering::Relaxed);
        }
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The allocator counts for the whole process: one test at a time.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Maximal number of bytes that a stream may hold at its peak: the window, a slot of the greatest size in a few forms,
/// the tables.
const ROOM: usize = 6 << 20;

/// Maximal number of bytes for Markdown, of which 16 slots and the parser's tree of a part, up to 64 slots, are held.
const ROOM_OF_MARKDOWN: usize = 12 << 20;

/// The length of the streams: far more than the room.
const LENGTH: usize = if cfg!(debug_assertions) {
    6 << 20
} else {
    64 << 20
};

/// The bytes by which reading may be ahead of the links that are returned.
const AHEAD: u64 = 2 << 20;

/// A repeated block that is never in memory as a whole. It fills the buffers of its reader, like a file; a pipe gives
/// less.
struct Endless<'b> {
    block: &'b [u8],
    at: usize,
    left: usize,
}

impl<'b> Endless<'b> {
    fn new(block: &'b [u8], length: usize) -> Self {
        Endless {
            block,
            at: 0,
            left: length,
        }
    }
}

impl Read for Endless<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let mut filled = 0;
        while filled < buffer.len() && self.left > 0 {
            let room = &mut buffer[filled..];
            let size = room.len().min(self.block.len() - self.at).min(self.left);
            room[..size].copy_from_slice(&self.block[self.at..self.at + size]);
            self.at = (self.at + size) % self.block.len();
            self.left -= size;
            filled += size;
        }
        Ok(filled)
    }
}

/// Counts the bytes written and drops them.
#[derive(Default)]
struct Sink(u64);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn settings(format: Format, label: &str) -> Settings {
    let mut settings = Settings::default();
    settings.format = Some(format);
    settings.charset = linkglot::Charset::for_label(label).ok();
    settings.max_slot = 64 << 10;
    settings
}

/// The peak of memory that `work` needs beyond the memory in use before.
fn peak_of(work: impl FnOnce()) -> usize {
    let before = IN_USE.load(Ordering::SeqCst);
    PEAK.store(before, Ordering::SeqCst);
    work();
    PEAK.load(Ordering::SeqCst).saturating_sub(before)
}

/// A name, the format and charset, the head, and the block that is then repeated.
type Stream = (&'static str, Format, &'static str, Vec<u8>, Vec<u8>);

/// Streams with links, and hostile streams: a slot without end, a tag without end, nothing but triggers.
fn streams() -> Vec<Stream> {
    let page = "<p>text <a href=\"/\u{e9}?a&amp;b\">x</a> http://example.org/\u{fc}, <img srcset='a 1x, b 2x'>\n".repeat(64);
    let sjis = encoding_rs::SHIFT_JIS
        .encode("<p>\u{8868}\u{30bd} <a href='\u{8868}'>\u{80fd}</a>\r\n")
        .0
        .into_owned();
    let wide: Vec<u8> = page.encode_utf16().flat_map(u16::to_le_bytes).collect();
    vec![
        (
            "a page",
            Format::Html,
            "utf-8",
            vec![],
            page.clone().into_bytes(),
        ),
        (
            "a page in Shift_JIS",
            Format::Html,
            "shift_jis",
            vec![],
            sjis,
        ),
        ("a page in UTF-16", Format::Html, "utf-16le", vec![], wide),
        (
            "a log",
            Format::Text,
            "utf-8",
            vec![],
            b"GET http://example.org/a?b 200 a@example.org\n".repeat(64),
        ),
        (
            "an attribute without an end",
            Format::Html,
            "utf-8",
            b"<a href=\"".to_vec(),
            b"http://a/".repeat(64),
        ),
        (
            "a comment without an end",
            Format::Xml,
            "utf-8",
            b"<!--".to_vec(),
            b"- -> ]]> <a href='b'>".repeat(64),
        ),
        (
            "a link without an end",
            Format::Text,
            "utf-8",
            b"http://".to_vec(),
            b"a".repeat(4096),
        ),
        (
            "a style sheet",
            Format::Css,
            "utf-8",
            vec![],
            b"a{b:url(c)}/* d */".repeat(64),
        ),
        (
            "a mailbox of many messages",
            Format::Mailbox,
            "",
            vec![],
            MESSAGES.to_vec(),
        ),
        (
            "a mailbox of one message with many parts",
            Format::Mailbox,
            "",
            b"From a@b.example Mon Jan  1 00:00:00 2024\nFrom: a@b.example\nContent-Type: multipart/mixed; boundary=x\n\n".to_vec(),
            PARTS.to_vec(),
        ),
        (
            "a message with a long body",
            Format::Mail,
            "",
            b"From: a@b.example\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n".to_vec(),
            page.clone().into_bytes(),
        ),
        (
            "a message with a picture",
            Format::Mail,
            "",
            b"From: a@b.example\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\n".to_vec(),
            b"aHR0cDovL29sZC5leGFtcGxlL8OpIj54PC9hPg==\n".repeat(100),
        ),
        (
            "a header without an end",
            Format::Mail,
            "",
            b"From: a@b.example\n".to_vec(),
            b"List-Help: <http://a.example/\xC3\xA9>,\n".repeat(100),
        ),
        (
            "a field without an end",
            Format::Mail,
            "",
            b"From: a@b.example\nList-Help: <http://a.example/>\n".to_vec(),
            b" <http://a.example/\xC3\xA9>,\n".repeat(100),
        ),
        (
            "a mailbox without messages",
            Format::Mailbox,
            "",
            vec![],
            b"From \n\nFrom a\n".repeat(100),
        ),
        (
            "rows of CSV",
            Format::Csv,
            "utf-8",
            b"a,b\n".to_vec(),
            b"http://a.example/\xC3\xA9,\"see http://a.example/\xC3\xA9 \"\"a\"\"\"\n".repeat(64),
        ),
        (
            "a row of CSV without an end",
            Format::Csv,
            "utf-8",
            vec![],
            b"http://a.example/\xC3\xA9,".repeat(64),
        ),
        (
            "a field of CSV without an end",
            Format::Csv,
            "utf-8",
            b"\"".to_vec(),
            b"http://a/\"\"\n".repeat(64),
        ),
        (
            "values of YAML",
            Format::Yaml,
            "utf-8",
            vec![],
            b"a: http://a.example/\xC3\xA9\nb: |\n  http://a.example/\xC3\xA9\n".repeat(64),
        ),
        (
            "a block of YAML without an end",
            Format::Yaml,
            "utf-8",
            b"a: |\n".to_vec(),
            b"  http://a.example/\xC3\xA9\n\n".repeat(64),
        ),
        (
            "a string of YAML without an end",
            Format::Yaml,
            "utf-8",
            b"a: '".to_vec(),
            b"http://a.example/ ''b''\n".repeat(64),
        ),
        (
            "messages",
            Format::Gettext,
            "utf-8",
            b"msgid \"\"\n".to_vec(),
            b"msgstr \"http://a.example/\xC3\xA9\"\n\"/b\"\nmsgid \"c\"\n".repeat(64),
        ),
        (
            "a message in pieces without an end",
            Format::Gettext,
            "utf-8",
            b"msgstr ".to_vec(),
            b"\"http://a.example/\xC3\xA9\"\n".repeat(64),
        ),
        (
            "properties",
            Format::Properties,
            "utf-8",
            Vec::new(),
            b"a\\ b = http\\://a.example/\\\n  \xC3\xA9\n# c\n".repeat(64),
        ),
        (
            "a property without an end",
            Format::Properties,
            "utf-8",
            b"a=".to_vec(),
            b"http://a.example/\xC3\xA9 \\\n".repeat(64),
        ),
        (
            "TeX in one line",
            Format::Tex,
            "utf-8",
            b"\\footnote{".to_vec(),
            b"\\href{http://a.example/\xC3\xA9}{x} http://a.example/\\_b ".repeat(64),
        ),
        (
            "an argument without an end",
            Format::Tex,
            "utf-8",
            b"\\url{".to_vec(),
            b"http://a/".repeat(64),
        ),
        (
            "verbatim text without an end",
            Format::Tex,
            "utf-8",
            b"\\begin{verbatim}".to_vec(),
            b"\\end{".repeat(64),
        ),
        (
            "messages in messages",
            Format::Mail,
            "",
            vec![],
            b"Content-Type: message/rfc822\n\n".repeat(100),
        ),
        (
            "a document that is read as a whole, but is too long",
            Format::Rst,
            "utf-8",
            vec![],
            b"`a <b>`_ http://example.org/c\n".repeat(64),
        ),
        (
            "lines of wikitext",
            Format::MediaWiki,
            "utf-8",
            vec![],
            b"[http://a.example/\xC3\xA9 b] {{c|url=http://a.example/}} <nowiki>\n</nowiki>\n".repeat(64),
        ),
        (
            "lines of AsciiDoc",
            Format::AsciiDoc,
            "utf-8",
            vec![],
            b"link:\xC3\xA9[b] http://a.example/[c]\n----\nhttp://a.example/\n----\n".repeat(64),
        ),
        (
            "lines of Org",
            Format::Org,
            "utf-8",
            vec![],
            b"[[http://a.example/\xC3\xA9][b]] http://a.example/\n#+BEGIN_SRC\n#+END_SRC\n".repeat(64),
        ),
        (
            "lines of Textile",
            Format::Textile,
            "utf-8",
            vec![],
            b"\"a\":http://a.example/\xC3\xA9 !/b.png!\n\nbc. http://a.example/\n\n".repeat(64),
        ),
        (
            "a line of wikitext without an end",
            Format::MediaWiki,
            "utf-8",
            vec![],
            b"[http://a.example/\xC3\xA9 b] ".repeat(64),
        ),
    ]
}

#[cfg(feature = "markdown")]
fn markdown_streams() -> Vec<Stream> {
    vec![
        (
            "blocks and definitions of Markdown",
            Format::Markdown,
            "utf-8",
            vec![],
            b"[a](/\xC3\xA9) <http://a.example/> [b][c] *d* [^e]\n\n[c]: /f\n[^e]: http://a.example/\n\n".repeat(64),
        ),
        (
            "items of Markdown",
            Format::Markdown,
            "windows-1252",
            vec![],
            b"* [a](/\xE9) `b` *c* http://a.example/\n".repeat(64),
        ),
        (
            "rows of Markdown",
            Format::Markdown,
            "utf-8",
            b"| a | b |\n|---|---|\n".to_vec(),
            b"| [a](/\xC3\xA9) | `b` |\n".repeat(64),
        ),
        (
            "a block of Markdown without an end",
            Format::Markdown,
            "utf-8",
            vec![],
            b"[a](/\xC3\xA9) *b* http://a.example/\n".repeat(64),
        ),
    ]
}

#[cfg(not(feature = "markdown"))]
fn markdown_streams() -> Vec<Stream> {
    Vec::new()
}

/// Two messages: a text, and a page in quoted-printable with a picture in base64.
const MESSAGES: &[u8] = b"From a@b.example Mon Jan  1 00:00:00 2024\nFrom: a@b.example\nList-Help: <http://a.example/>\n\
    Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\nhttp://a.example/\xC3\xA9\n\n\
    From a@b.example Mon Jan  1 00:00:00 2024\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\
    Content-Type: text/html; charset=koi8-r\nContent-Transfer-Encoding: quoted-printable\n\n\
    <a href=3D\"http://a.example/=C1\">=\nx</a>\n--x\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\n\
    aHR0cDovL29sZC5leGFtcGxlL8OpIj54PC9hPg==\n--x--\n\n";

/// A part in base64, and a multipart without an end.
const PARTS: &[u8] = b"\n--x\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n\
    PGEgaHJlZj0iaHR0cDovL29sZC5leGFtcGxlL8OpIj54PC9hPg==\n\n--x\nContent-Type: multipart/alternative; boundary=y\n\n\
    --y\n\nhttp://a.example/%C3%A9\n--y\nContent-Type: text/html\n\n<a href=b>\n";

#[test]
#[cfg_attr(
    debug_assertions,
    ignore = "takes minutes without optimization: --release"
)]
fn streams_need_bounded_memory() {
    let _alone = ONE_AT_A_TIME.lock();
    let mut faults = Vec::new();
    let streams = streams().into_iter().map(|stream| (ROOM, stream));
    let of_markdown = markdown_streams()
        .into_iter()
        .map(|stream| (ROOM_OF_MARKDOWN, stream));
    for (room, (name, format, label, head, block)) in streams.chain(of_markdown) {
        let settings = settings(format, label);
        let source = || head.as_slice().chain(Endless::new(&block, LENGTH));
        let find = peak_of(|| {
            let each = &mut |_: &Link<'_>, _: &Info| ControlFlow::Continue(());
            read_links(&mut source(), &settings, each).expect("a reader that never fails");
        });
        let mut sink = Sink::default();
        let change = peak_of(|| {
            let rewriter = Rewriter::new().to(Form::Uri).settings(settings.clone());
            let summary = rewriter.rewrite(&mut source(), &mut sink);
            summary.expect("a reader and a writer that never fail");
        });
        println!("{name}: find {find}, rewrite {change} bytes at their peak");
        if find > room || change > room {
            faults.push(format!("{name}: find {find}, rewrite {change} bytes"));
        }
        if sink.0 < LENGTH as u64 {
            faults.push(format!("{name}: only {} bytes came out", sink.0));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Regression: the search for moved hosts kept a line without an end, and began again with every link.
#[test]
fn a_long_line_is_searched_for_moved_hosts_in_bounded_memory() {
    let _alone = ONE_AT_A_TIME.lock();
    let settings = settings(Format::Text, "utf-8");
    let block = "http://old.example/é,".repeat(64).into_bytes();
    let mut rules = Rules::default();
    rules
        .add_file("http://old.example/ http://new.example/")
        .expect("a rule");
    let rewriter = Rewriter::new()
        .settings(settings)
        .rules(rules)
        .left_behind(true);
    let mut source = b"\"".as_slice().chain(Endless::new(&block, 8 << 20));
    let mut sink = Sink::default();
    let peak = peak_of(|| {
        let summary = rewriter.rewrite(&mut source, &mut sink);
        summary.expect("a reader and a writer that never fail");
    });
    assert!(peak < ROOM, "{peak} bytes");
}

/// Regression: each host with an escape was followed by a search for a dot up to the end of the text, which takes hours
/// here.
#[test]
fn hosts_with_escapes_are_searched_once() {
    let _alone = ONE_AT_A_TIME.lock();
    let block = "\"www\\x2eexample\" ";
    let mut text = block.repeat((8 << 20) / block.len());
    text.push_str("ftp://old.example");
    let mut rules = Rules::default();
    rules
        .add_file("http://old.example/ http://new.example/")
        .expect("a rule");
    let rewriter = Rewriter::new()
        .settings(settings(Format::Text, "utf-8"))
        .rules(rules)
        .left_behind(true);
    let found = rewriter.rewrite_slice(text.as_bytes()).summary.left_behind;
    assert_eq!(found.mentions.len(), 1);
}

/// Regression: a window that had grown was filled again and again, up to half of the file.
#[test]
fn plain_text_of_a_file_needs_bounded_memory() {
    let _alone = ONE_AT_A_TIME.lock();
    let lines = "Nothing but words on each of the lines, as there are in many books.\n".repeat(64);
    let japanese = "そう言われて、誰も理由を尋ねなかった。\n".repeat(64);
    let in_charset = |label: &str| -> Vec<u8> {
        let charset = encoding_rs::Encoding::for_label(label.as_bytes()).expect("a label");
        charset.encode(&japanese).0.into_owned()
    };
    let wide: Vec<u8> = lines.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let cases = [
        ("utf-8", lines.into_bytes()),
        ("utf-16le", wide),
        ("shift_jis", in_charset("shift_jis")),
        ("iso-2022-jp", in_charset("iso-2022-jp")),
    ];
    for (label, block) in cases {
        let settings = settings(Format::Text, label);
        let peak = peak_of(|| {
            let each = &mut |_: &Link<'_>, _: &Info| ControlFlow::Continue(());
            read_links(&mut Endless::new(&block, 24 << 20), &settings, each)
                .expect("a reader that never fails");
        });
        assert!(peak < ROOM, "{label}: {peak} bytes");
    }
}

#[test]
fn links_come_while_the_stream_is_read() {
    let _alone = ONE_AT_A_TIME.lock();
    struct Counted<'r>(Endless<'r>, &'r AtomicUsize);
    impl Read for Counted<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let size = self.0.read(buffer)?;
            self.1.fetch_add(size, Ordering::Relaxed);
            Ok(size)
        }
    }
    let block = b"<p><a href=\"a\">b</a> http://example.org/c d@example.org\n".repeat(64);
    for format in [Format::Html, Format::Text] {
        let (count, mut ahead) = (AtomicUsize::new(0), 0);
        let mut reader = Counted(Endless::new(&block, LENGTH / 2), &count);
        read_links(&mut reader, &settings(format, "utf-8"), &mut |link, _| {
            ahead = (count.load(Ordering::Relaxed) as u64 - link.span().end).max(ahead);
            ControlFlow::Continue(())
        })
        .expect("a reader that never fails");
        assert!(ahead <= AHEAD, "{}: {ahead} bytes ahead", format.name());
    }
}
