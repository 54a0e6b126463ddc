//! P6: links and output do not depend on how the input is cut.

use super::{Decided, Seen, Subject, fail, first_difference, links};
use linkglot::CharsetFrom;
use linkglot::document::Document;
use linkglot::format::Format;
use linkglot::link::Info;
use linkglot::notes::Note;
use linkglot::rewrite::{Form, Rewriter};
use linkglot::stream::read_links;
use std::io::Read;
use std::ops::ControlFlow;

/// Documents up to this size are also read byte by byte.
const SMALL: usize = 4096;

/// The number of places where a reader fails.
const CUTS: usize = 6;

/// A reader that gives a slice in pieces; `next` gives the size of the next piece, given the number of remaining bytes.
pub struct Pieces<'s, F> {
    rest: &'s [u8],
    next: F,
}

impl<'s, F: FnMut(usize) -> usize> Pieces<'s, F> {
    pub fn new(source: &'s [u8], next: F) -> Self {
        Pieces { rest: source, next }
    }
}

impl<F: FnMut(usize) -> usize> Read for Pieces<'_, F> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let size = (self.next)(self.rest.len())
            .max(1)
            .min(buffer.len())
            .min(self.rest.len());
        let (piece, rest) = self.rest.split_at(size);
        buffer[..size].copy_from_slice(piece);
        self.rest = rest;
        Ok(size)
    }
}

/// Sizes between 1 and `most`, determined by the seed (xorshift).
pub fn sizes(seed: u64, most: usize) -> impl FnMut(usize) -> usize {
    let mut state = seed | 1;
    move |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % most as u64) as usize + 1
    }
}

/// P6 for a few cuts of one document, with lines, columns and labels. The head of a stream is read as a whole, whatever
/// the reader gives; so small documents are also moved beyond it, where every byte may be the last of a window.
pub fn one_answer(subject: &Subject) -> Result<(), String> {
    let subject = &located(subject);
    let length = subject.bytes.len();
    agrees(subject, "pages", |_| 4096)?;
    if length > Info::HEAD {
        agrees(subject, "random", sizes(length as u64 + 17, 1 << 14))?;
    }
    if length <= SMALL {
        let pushed = behind_the_head(subject);
        let tail = length.saturating_sub(3);
        let head_first = |left: usize| left.checked_sub(tail).filter(|&head| head > 0);
        let bytes = |left| head_first(left).unwrap_or(1);
        same_links(&pushed, &mut Pieces::new(&pushed.bytes, bytes))
            .map_err(|why| format!("bytes: {why}"))?;
        let mut crumbs = sizes(length as u64 + 5, 7);
        let crumbs = |left| head_first(left).unwrap_or_else(|| crumbs(left));
        same_output(&pushed, &mut Pieces::new(&pushed.bytes, crumbs))
            .map_err(|why| format!("crumbs: {why}"))?;
    }
    Ok(())
}

/// A reader that fails somewhere gives only links that the whole document has, in their order.
pub fn sound_part(subject: &Subject) -> Result<(), String> {
    let pushed = behind_the_head(&located(subject));
    let (whole, _) = links(&pushed.bytes, &pushed.settings);
    let begin = pushed.bytes.len() - subject.bytes.len();
    let length = subject.bytes.len();
    let mut ends = sizes(length as u64 + 23, length.max(1));
    for _ in 0..CUTS {
        let end = begin + ends(0).min(length);
        let mut reader = (&pushed.bytes[..end]).chain(Broken);
        let mut found = Vec::new();
        let read = read_links(&mut reader, &pushed.settings, &mut |link, info| {
            found.push(Seen::of(link, info));
            ControlFlow::Continue(())
        });
        if read.is_ok() {
            return fail(format!("no error behind byte {end}"));
        }
        let mut rest = whole.iter();
        for link in found {
            if !rest.any(|seen| link == *seen || link == without_label(seen)) {
                let cut = end - begin;
                return fail(format!("cut behind {cut} bytes there is {link:?}"));
            }
        }
    }
    Ok(())
}

/// The link with a label that may go on behind the cut: it is none, and nothing is said of it.
fn without_label(seen: &Seen) -> Seen {
    let mut seen = seen.clone();
    seen.label = None;
    seen.notes
        .retain(|&note| note != Note::TextNamesOtherHost.code());
    seen
}

/// A reader that fails.
struct Broken;

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
        Err(std::io::ErrorKind::UnexpectedEof.into())
    }
}

/// Every cut of a small document in two, beyond the head.
pub fn every_split(subject: &Subject) -> Result<(), String> {
    let pushed = behind_the_head(&located(subject));
    let total = pushed.bytes.len();
    for tail in 1..subject.bytes.len() {
        agrees(
            &pushed,
            &format!("cut {tail} bytes before the end"),
            |left| {
                if left == total { total - tail } else { left }
            },
        )?;
    }
    Ok(())
}

/// The subject with lines, columns and labels of its links.
fn located(subject: &Subject) -> Subject {
    let mut located = subject.clone();
    located.settings.locate = true;
    located.settings.labels = true;
    located
}

/// The document after so many empty lines that none of it is in the head of a stream. The caller sets the results of
/// the head.
fn behind_the_head(subject: &Subject) -> Subject {
    let document = Document::new(&subject.bytes, &subject.settings);
    let info = document.info();
    if info.format.is_mail() {
        return behind_mail(subject, info.format);
    }
    let bom = match (info.charset_from, info.charset.name()) {
        (CharsetFrom::Bom, "UTF-8") => 3,
        (CharsetFrom::Bom, name) if name.starts_with("UTF-32") => 4,
        (CharsetFrom::Bom, _) => 2,
        _ => 0,
    };
    let mut line = Vec::new();
    let is_written = info.charset.encode("\n", &mut line).is_ok();
    let line = if is_written { line } else { b"\n".to_vec() };
    let (mark, rest) = subject.bytes.split_at(bom.min(subject.bytes.len()));
    let lines = line.repeat(Info::HEAD / line.len() + 1);
    let mut settings = subject.settings.clone();
    settings.charset = Some(info.charset);
    settings.format = Some(info.format);
    settings.base = info.base.clone();
    Subject {
        name: subject.name.clone(),
        bytes: [mark, &lines, rest].concat(),
        settings,
    }
}

/// Does the same for mail: a message after more fields, a mailbox after a message.
fn behind_mail(subject: &Subject, format: Format) -> Subject {
    let mut head = match format {
        Format::Mailbox => b"From a@b.example Mon Jan  1 00:00:00 2024\n\n".to_vec(),
        _ => Vec::new(),
    };
    let line = b"Received: by b.example\n";
    head.extend(line.repeat(Info::HEAD / line.len() + 1));
    if format == Format::Mailbox {
        head.push(b'\n');
    }
    let mut pushed = subject.clone();
    pushed.settings.format = Some(format);
    pushed.bytes = [&head, &subject.bytes[..]].concat();
    pushed
}

/// The second pass continues with the sizes where the first ended.
fn agrees(
    subject: &Subject,
    cut: &str,
    mut sizes: impl FnMut(usize) -> usize,
) -> Result<(), String> {
    let named = |why| format!("{cut}: {why}");
    same_links(subject, &mut Pieces::new(&subject.bytes, &mut sizes)).map_err(named)?;
    same_output(subject, &mut Pieces::new(&subject.bytes, &mut sizes)).map_err(named)
}

pub fn same_links(subject: &Subject, reader: &mut dyn Read) -> Result<(), String> {
    let (whole, info) = links(&subject.bytes, &subject.settings);
    let mut streamed = Vec::new();
    let end = read_links(reader, &subject.settings, &mut |link, info| {
        streamed.push(Seen::of(link, info));
        ControlFlow::Continue(())
    });
    let end = end.map_err(|error| error.to_string())?;
    if (end.format, end.charset, end.charset_from) != (info.format, info.charset, info.charset_from)
    {
        return fail(format!("streamed it is {end:?}, whole {info:?}"));
    }
    let at = whole.iter().zip(&streamed).position(|(a, b)| a != b);
    if let Some(at) = at {
        return fail(format!(
            "link {at}: whole {:?}, streamed {:?}",
            whole[at], streamed[at]
        ));
    }
    if whole.len() != streamed.len() {
        let (w, s) = (whole.len(), streamed.len());
        let extra = whole.get(s).or(streamed.get(w));
        return fail(format!("{w} links whole, {s} streamed: {extra:?}"));
    }
    Ok(())
}

pub fn same_output(subject: &Subject, reader: &mut dyn Read) -> Result<(), String> {
    let settings = subject.settings.clone();
    let rewriter = Rewriter::new().to(Form::Uri).settings(settings);
    let (whole, decided) = rewrite_whole(&subject.bytes, &rewriter);
    let (mut streamed, mut streamed_decided) = (Vec::new(), Vec::new());
    let watched = rewriter.on_link(|outcome, info| {
        streamed_decided.push(Decided::of(outcome, info));
    });
    let summary = watched.rewrite(reader, &mut streamed);
    summary.map_err(|error| error.to_string())?;
    if streamed != whole {
        return fail(first_difference(&whole, &streamed));
    }
    if streamed_decided != decided {
        return fail("other decisions when streamed".to_owned());
    }
    Ok(())
}

fn rewrite_whole(bytes: &[u8], rewriter: &Rewriter) -> (Vec<u8>, Vec<Decided>) {
    let mut decided = Vec::new();
    let watched = rewriter.clone().on_link(|outcome, info| {
        decided.push(Decided::of(outcome, info));
    });
    let content = watched.rewrite_slice(bytes).content.into_owned();
    (content, decided)
}
