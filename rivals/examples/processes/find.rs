//! Tasks of finding.

use encoding_rs::Encoding;
use linkify::{LinkFinder, LinkKind};
use lol_html::{HtmlRewriter, Settings, element};
use mail_parser::{MessageParser, PartType, mailbox::mbox::MessageIterator};
use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write};

/// Attributes that hold a link, as a programmer would list them.
pub const SLOTS: &str = "a[href],link[href],img[src],script[src]";

/// Prints links: their number, their texts, with lines and columns, or as rows of JSON.
struct Printer<'a> {
    print: &'a str,
    file: &'a str,
    count: usize,
    out: BufWriter<io::StdoutLock<'static>>,
    line: usize,
    /// The start of the line, and the start of what is not counted yet with the column there.
    line_start: usize,
}

impl<'a> Printer<'a> {
    fn new(print: &'a str, file: &'a str) -> Self {
        let out = BufWriter::with_capacity(64 << 10, io::stdout().lock());
        Printer {
            print,
            file,
            count: 0,
            out,
            line: 1,
            line_start: 0,
        }
    }

    /// Prints a link of a text from the position `start`.
    fn link(
        &mut self,
        text: &str,
        counted: &mut usize,
        start: usize,
        end: usize,
    ) -> io::Result<()> {
        self.count += 1;
        let link = &text[start..end];
        match self.print {
            "count" => Ok(()),
            "links" => writeln!(self.out, "{link}"),
            "lines" => {
                let (line, column) = self.place(text, counted, start);
                writeln!(self.out, "{line}:{column}:{link}")
            }
            _ => {
                let (line, column) = self.place(text, counted, start);
                let path = self.file;
                let row = serde_json::json!({
                    "type": "link", "path": path, "start": start, "end": end,
                    "line": line, "column": column, "text": link,
                });
                serde_json::to_writer(&mut self.out, &row)?;
                self.out.write_all(b"\n")
            }
        }
    }

    /// The line, and the column in characters, of a position behind the last one.
    fn place(&mut self, text: &str, counted: &mut usize, start: usize) -> (usize, usize) {
        for at in memchr::memchr_iter(b'\n', &text.as_bytes()[*counted..start]) {
            self.line += 1;
            self.line_start = *counted + at + 1;
        }
        *counted = start;
        (self.line, text[self.line_start..start].chars().count() + 1)
    }

    fn text(&mut self, finder: &LinkFinder, text: &str) -> io::Result<()> {
        let mut counted = 0;
        let mut links = finder.links(text);
        links.try_for_each(|link| self.link(text, &mut counted, link.start(), link.end()))
    }

    fn html(&mut self, page: &[u8]) -> io::Result<()> {
        let handler = element!(SLOTS, |element| {
            for name in ["href", "src"] {
                let Some(value) = element.get_attribute(name) else {
                    continue;
                };
                self.link(&value, &mut 0, 0, value.len())?;
            }
            Ok(())
        });
        let settings = Settings::new()
            .append_element_content_handler(handler)
            .with_strict(false);
        let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| ());
        let read = rewriter.write(page).and_then(|()| rewriter.end());
        read.map_err(io::Error::other)
    }

    fn finish(mut self) -> io::Result<()> {
        if self.print == "count" {
            writeln!(self.out, "{}", self.count)?;
        }
        self.out.flush()
    }
}

fn decoded<'b>(bytes: &'b [u8], label: &str) -> Cow<'b, str> {
    let encoding = Encoding::for_label(label.as_bytes()).expect("a label of the standard");
    encoding.decode(bytes).0
}

/// Finds links with a scheme and domains, or with `PRINT` beginning with `scheme-` the former alone.
pub fn linkify(print: &str, label: &str, file: &str) -> io::Result<()> {
    let mut finder = LinkFinder::new();
    let print = match print.strip_prefix("scheme-") {
        Some(print) => {
            finder.kinds(&[LinkKind::Url]);
            print
        }
        None => {
            finder.url_must_have_scheme(false);
            print
        }
    };
    let bytes = fs::read(file)?;
    let mut printer = Printer::new(print, file);
    printer.text(&finder, &decoded(&bytes, label))?;
    printer.finish()
}

/// Finds links of HTML.
pub fn lol_html(print: &str, label: &str, file: &str) -> io::Result<()> {
    let bytes = fs::read(file)?;
    let mut printer = Printer::new(print, file);
    printer.html(decoded(&bytes, label).as_bytes())?;
    printer.finish()
}

/// Finds links of the bodies of messages.
pub fn mbox(print: &str, file: &str) -> io::Result<()> {
    let mut finder = LinkFinder::new();
    finder.url_must_have_scheme(false);
    let mut printer = Printer::new(print, file);
    for raw in MessageIterator::new(BufReader::new(File::open(file)?)) {
        let raw = raw.map_err(|_| io::Error::other("a message that cannot be read"))?;
        let Some(message) = MessageParser::default().parse(raw.contents()) else {
            continue;
        };
        for part in &message.parts {
            match &part.body {
                PartType::Text(text) => printer.text(&finder, text)?,
                PartType::Html(page) => printer.html(page.as_bytes())?,
                _ => {}
            }
        }
    }
    printer.finish()
}
