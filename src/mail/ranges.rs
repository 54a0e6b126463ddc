//! Mailboxes in ranges, which several readers share.

use super::bytes::Bytes;
use crate::error::Error;
use crate::stream::Input;
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
    /// End of the range: the byte after its last.
    pub end: u64,
    /// The number of the first message, from 1.
    pub message: u64,
    /// The line that it begins with, from 1.
    pub line: u64,
}

/// Divides a mailbox at borders of messages into ranges of `length` bytes or more. Each of them is a mailbox, and has
/// the links that its messages have in the whole. Linear, in bounded memory.
///
/// # Errors
///
/// Those of `reader`.
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
                // Else it is the header of a part.
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

/// Whether the line ends with a line feed. A reader that begins there may take lone carriage returns for line ends, or
/// not, as one that has read all does not.
fn has_line_feed(bytes: &Bytes<'_>, at: usize) -> bool {
    let text = bytes.window().get(at..).unwrap_or_default();
    let mut ends = text.iter().skip_while(|byte| !b"\r\n".contains(byte));
    match ends.next() {
        Some(b'\r') => ends.next() == Some(&b'\n'),
        end => end.is_some(),
    }
}
