//! Ranges of a mailbox, for several readers to share.

use super::bytes::Bytes;
use crate::error::Error;
use crate::read::Input;
use linkglot_mail::structure::{MailKind, MailStep};
use std::io::Read;

/// Some messages of a mailbox, one after the other.
///
/// ```
/// let mailbox = "From a@b.example Mon Jan  1 00:00:00 2024\nSubject: a\n\nb\n\n".repeat(2);
/// let ranges = linkglot::stream::mailbox_ranges(&mut mailbox.as_bytes(), 1)?;
/// let second = &ranges[1];
/// assert_eq!((second.start, second.end, second.message, second.line), (57, 114, 2, 6));
/// # Ok::<(), linkglot::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MailboxRange {
    /// The first byte.
    pub start: u64,
    /// The byte after the last one.
    pub end: u64,
    /// The number of the first message, from 1.
    pub message: u64,
    /// The first line, from 1.
    pub line: u64,
}

/// Divides a mailbox at borders of messages into ranges of `length` bytes or more. Each range is a mailbox, and its
/// messages have the same links as in the whole. Linear, in bounded memory.
///
/// # Errors
///
/// Errors of `reader`.
///
/// ```
/// use linkglot::stream::mailbox_ranges;
///
/// let mailbox = "From a@b.example Mon Jan  1 00:00:00 2024\nSubject: a\n\nb\n\n".repeat(9);
/// assert_eq!(mailbox_ranges(&mut mailbox.as_bytes(), 200)?.len(), 3);
/// # Ok::<(), linkglot::Error>(())
/// ```
pub fn mailbox_ranges(reader: &mut dyn Read, length: u64) -> Result<Vec<MailboxRange>, Error> {
    let source = Input::of_reader(reader)?.into_source();
    let mut bytes = Bytes::new(source, MailKind::Mailbox, true);
    let mut ranges = vec![MailboxRange {
        start: 0,
        end: 0,
        message: 1,
        line: 1,
    }];
    let mut seen = 1;
    loop {
        match bytes.step() {
            MailStep::Header(_) => {
                let (message, start) = bytes.message();
                // Other headers are those of parts.
                if message > seen {
                    seen = message;
                    divide(&mut ranges, &mut bytes, (message, start), length);
                }
            }
            MailStep::Body(_) | MailStep::BodyEnd => {}
            MailStep::NeedMore => {
                let cursor = bytes.cursor;
                bytes.grow(cursor)?;
            }
            MailStep::End => break,
        }
    }
    if let Some(last) = ranges.last_mut() {
        last.end = bytes.origin() + bytes.window().len() as u64;
    }
    Ok(ranges)
}

/// Begins a range with a message, if the last one is long enough.
fn divide(
    ranges: &mut Vec<MailboxRange>,
    bytes: &mut Bytes<'_>,
    (message, start): (u64, u64),
    length: u64,
) {
    let at = (start - bytes.origin()) as usize;
    let Some(last) = ranges.last_mut() else {
        return;
    };
    if start - last.start < length || !has_line_feed(bytes, at) {
        return;
    }
    last.end = start;
    let line = bytes.location(at).line;
    ranges.push(MailboxRange {
        start,
        end: start,
        message,
        line,
    });
}

/// True if the line ends with a line feed. At another line a reader could take lone carriage returns for line ends,
/// unlike a reader of the whole.
fn has_line_feed(bytes: &Bytes<'_>, at: usize) -> bool {
    let text = bytes.window().get(at..).unwrap_or_default();
    let mut ends = text.iter().skip_while(|byte| !b"\r\n".contains(byte));
    match ends.next() {
        Some(b'\r') => ends.next() == Some(&b'\n'),
        end => end.is_some(),
    }
}
