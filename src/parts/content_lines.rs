//! Files of content lines: calendars and vCards. They fold lines in their own way, as header fields and mail parts do.
//!
//! Reads a file in pieces of whole lines. Lines do not depend on each other, so that each piece is a document, like a
//! part of a message.

use super::{Part, PartVisitor};
use crate::charset::Charset;
use crate::error::{Error, ErrorKind};
use crate::link::{Info, Location, Locator, PartPlace, Settings, UnreadParts, UnreadReason};
use crate::read::{Flow, Opened, Source};
use linkglot_layer::{Layer, content_lines_end};
use std::borrow::Cow;
use std::io;
use std::ops::ControlFlow;

/// The most bytes of a piece, unless its first line is longer.
const PIECE: usize = 256 << 10;

/// The most bytes of a line.
const LONGEST_LINE: usize = 64 << 20;

/// Reads a file of content lines to its end, or until the visitor breaks off. Hands over every source byte once, in
/// order. Memory: a piece, or the longest line and its decoded text; lines of more than 64 MiB are not read.
///
/// # Errors
///
/// Errors of the reader and the visitor.
pub(super) fn read(
    document: Opened<'_, '_>,
    visitor: &mut dyn PartVisitor,
) -> Result<UnreadParts, Error> {
    let Opened {
        input,
        info,
        bom,
        settings,
    } = document;
    let mut lines = Lines {
        source: input.into_source(),
        at: 0,
        locator: settings
            .locate
            .then(|| Locator::new(Charset::UTF_8, bom as u64)),
        info,
        settings,
        visitor,
    };
    let mut unread = UnreadParts::default();
    lines.fill(bom)?;
    lines.pass(bom)?;
    while let Some(next) = lines.next()? {
        let flow = match next {
            Next::Piece(length) => lines.piece(length)?,
            Next::LongLine(length) => {
                unread.fail("content line".to_owned(), UnreadReason::Limit, too_long());
                lines.pass(length)?;
                lines.pass_line()?;
                ControlFlow::Continue(())
            }
        };
        if flow.is_break() {
            break;
        }
    }
    Ok(unread)
}

fn too_long() -> Error {
    let message = format!("a line is longer than {} MiB", LONGEST_LINE >> 20);
    Error::new(ErrorKind::Io, message)
}

struct Lines<'l, 's> {
    source: Source<'s>,
    /// The first byte of the window that was not handed over.
    at: usize,
    locator: Option<Locator>,
    info: &'l Info,
    settings: &'l Settings,
    visitor: &'l mut dyn PartVisitor,
}

/// The next bytes of the source.
enum Next {
    /// Whole lines, with their length.
    Piece(usize),
    /// The first bytes of a line that is too long, with their number.
    LongLine(usize),
}

impl Lines<'_, '_> {
    fn rest(&self) -> (&[u8], bool) {
        let (window, last) = self.source.window();
        (window.get(self.at..).unwrap_or_default(), last)
    }

    /// Brings `wanted` bytes into the window, unless the source ends before.
    fn fill(&mut self, wanted: usize) -> io::Result<()> {
        let (rest, last) = self.rest();
        let missing = wanted.saturating_sub(rest.len());
        if missing > 0 && !last {
            self.location(self.source.origin() + self.at as u64);
            self.at -= self.source.drop(self.at);
            self.source.grow(missing)?;
        }
        Ok(())
    }

    /// Finds the end of the next piece. The end does not depend on the cuts of the source.
    fn next(&mut self) -> Result<Option<Next>, Error> {
        let mut length = PIECE;
        loop {
            let filled = self.fill(length + 1);
            let (rest, last) = self.rest();
            if last && rest.len() <= length {
                let length = rest.len();
                return Ok((length > 0).then_some(Next::Piece(length)));
            }
            if rest.len() <= length {
                // The reader fails. The lines in front of that are whole.
                let end = content_lines_end(rest);
                match (filled, end) {
                    (filled, Some(end)) => {
                        if let Err(error) = filled {
                            self.source.fail_later(error);
                        }
                        return Ok(Some(Next::Piece(end)));
                    }
                    (Err(error), None) => return Err(error.into()),
                    (Ok(()), None) => continue,
                }
            }
            // The next byte tells if the last line goes on.
            if let Some(end) = content_lines_end(&rest[..length + 1]) {
                return Ok(Some(Next::Piece(end)));
            }
            if length >= LONGEST_LINE {
                return Ok(Some(Next::LongLine(length)));
            }
            length = (2 * length).min(LONGEST_LINE);
        }
    }

    /// Hands over bytes that belong to no document.
    fn pass(&mut self, length: usize) -> Result<(), Error> {
        let (rest, _) = self.rest();
        let bytes = &rest[..length.min(rest.len())];
        if !bytes.is_empty() {
            let length = bytes.len();
            self.visitor
                .between(&self.source.window().0[self.at..self.at + length])?;
            self.at += length;
        }
        Ok(())
    }

    /// Hands over the rest of a line, which belongs to no document.
    fn pass_line(&mut self) -> Result<(), Error> {
        loop {
            self.fill(PIECE)?;
            let (rest, _) = self.rest();
            if rest.is_empty() {
                return Ok(());
            }
            match memchr::memchr2_iter(b'\n', b'\r', rest).find(|end| !is_fold(&rest[*end..])) {
                Some(end) => return self.pass(end),
                None => self.pass(rest.len())?,
            }
        }
    }

    fn piece(&mut self, length: usize) -> Flow {
        let origin = self.source.origin() + self.at as u64;
        let begin = self.location(origin);
        let bytes = &self.source.window().0[self.at..self.at + length];
        let flow = self.visitor.part(Part {
            place: PartPlace::new(origin, begin, bytes, &[Layer::Folded]),
            stream: None,
            info: Cow::Borrowed(self.info),
            bom: 0,
            settings: Cow::Borrowed(self.settings),
        })?;
        self.at += length;
        Ok(flow)
    }

    /// The line and column of a byte of the window; `at` must not fall from call to call.
    fn location(&mut self, at: u64) -> Location {
        let (window, origin) = (self.source.window().0, self.source.origin());
        match &mut self.locator {
            Some(locator) => {
                locator.advance(window, origin, at);
                locator.location()
            }
            None => Location { line: 1, column: 1 },
        }
    }
}

fn is_fold(from_break: &[u8]) -> bool {
    let behind = match from_break {
        [b'\r', b'\n', behind @ ..] | [_, behind @ ..] => behind,
        [] => return false,
    };
    matches!(behind.first(), Some(b' ' | b'\t'))
}
