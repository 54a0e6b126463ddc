//! Writes base64.
//!
//! A change shifts the bits of everything behind it, until as many bytes were added as removed, modulo 3. Up to that
//! point the characters are written anew.

use super::super::lines::Lines;
use super::super::{Change, Edit};
use super::{Base64, GROUP_BYTES, GROUP_CHARS, encode, is_character};
use linkglot_charset::ranges::{slice, tail};
use std::ops::Range;

/// The characters of a line (RFC 2045 6.8), unless the body shows a length of its own.
const LINE: usize = 76;

#[derive(Debug)]
pub(in super::super) struct Writer<'d> {
    base64: &'d Base64<'d>,
    line_break: &'d [u8],
    lines: Lines<'d>,
    /// The characters of a line; looked up at the first change.
    line: Option<usize>,
    run: Option<Run>,
    /// The end of the last run, and its column in the output.
    settled: Option<(usize, usize)>,
}

/// Groups that are written anew.
#[derive(Debug)]
struct Run {
    /// The encoded position from which the groups replace characters.
    start: usize,
    number: usize,
    /// The new bytes in these groups, up to the old byte `behind`.
    bytes: Vec<u8>,
    behind: usize,
    /// The column of the next character.
    column: usize,
}

impl<'d> Writer<'d> {
    pub(in super::super) fn new(base64: &'d Base64<'d>, line_break: &'d [u8]) -> Self {
        Writer {
            base64,
            line_break,
            lines: Lines::new(&base64.encoded),
            line: None,
            run: None,
            settled: None,
        }
    }

    pub(in super::super) fn replace(&mut self, change: Change<'_>, out: &mut Vec<Edit>) {
        let Range { start, end } = change.range;
        self.settle_before(start, out);
        let mut run = match self.run.take() {
            Some(run) => self.go_on(run, start, change.number, out),
            None => self.begin(start, change.number),
        };
        run.bytes.extend_from_slice(change.new);
        run.behind = end;
        self.run = Some(run);
    }

    /// Settles the run if its groups are in step with the old ones before the byte `next`.
    fn settle_before(&mut self, next: usize, out: &mut Vec<Edit>) {
        let Some(group) = self.run.as_ref().and_then(Run::next_step) else {
            return;
        };
        if group <= next
            && group <= self.base64.bytes.len()
            && let Some(run) = self.run.take()
        {
            self.settle(run, group, out);
        }
    }

    fn begin(&mut self, at: usize, number: usize) -> Run {
        let group = at / GROUP_BYTES * GROUP_BYTES;
        let start = self.base64.char_at(group / GROUP_BYTES * GROUP_CHARS);
        let start = start.max(self.settled.map_or(0, |(end, _)| end));
        Run {
            start,
            number,
            bytes: slice(&self.base64.bytes, group..at).to_vec(),
            behind: at,
            column: self.column(start),
        }
    }

    /// The column of an old position in the output.
    fn column(&mut self, at: usize) -> usize {
        let line = self.lines.around(at).start;
        match self.settled {
            Some((end, column)) if line <= end => column + (at - end),
            _ => at - line,
        }
    }

    /// The run with the old bytes up to `at`. The bytes before the group of that byte are settled as an edit of their
    /// own; the rest belongs to the next call.
    fn go_on(&mut self, mut run: Run, at: usize, number: usize, out: &mut Vec<Edit>) -> Run {
        let group = at / GROUP_BYTES * GROUP_BYTES;
        if group <= run.behind {
            run.bytes
                .extend_from_slice(slice(&self.base64.bytes, run.behind..at));
            run.behind = at;
            return run;
        }
        run.bytes
            .extend_from_slice(slice(&self.base64.bytes, run.behind..group));
        let whole = run.bytes.len() / GROUP_BYTES * GROUP_BYTES;
        let mut rest = run.bytes.split_off(whole);
        rest.extend_from_slice(slice(&self.base64.bytes, group..at));
        let end = self.base64.char_end(group / GROUP_BYTES * GROUP_CHARS - 1);
        let bytes = self.write(&run.bytes, &mut run.column);
        self.push(run.start..end, bytes, run.number, out);
        Run {
            start: end,
            number,
            bytes: rest,
            behind: at,
            column: run.column,
        }
    }

    /// Writes the run up to the old byte `group`, from which on the groups stay. The rest of the line may not fit
    /// behind the output.
    fn settle(&mut self, mut run: Run, group: usize, out: &mut Vec<Edit>) {
        run.bytes
            .extend_from_slice(slice(&self.base64.bytes, run.behind..group));
        let end = match group / GROUP_BYTES * GROUP_CHARS {
            0 => run.start,
            characters => self.base64.char_end(characters - 1).max(run.start),
        };
        let mut bytes = self.write(&run.bytes, &mut run.column);
        let stays = self.lines.around(end).end - end;
        if stays > 0 && run.column > 0 && run.column + stays > self.line_length() {
            bytes.extend_from_slice(self.line_break);
            run.column = 0;
        }
        let end = self.without_empty_line(end, run.column);
        self.settled = Some((end, run.column));
        self.push(run.start..end, bytes, run.number, out);
    }

    pub(in super::super) fn finish(mut self, out: &mut Vec<Edit>) {
        let len = self.base64.bytes.len();
        self.settle_before(len, out);
        let Some(mut run) = self.run.take() else {
            return;
        };
        run.bytes
            .extend_from_slice(slice(&self.base64.bytes, run.behind..len));
        let is_padded = run.bytes.len() % GROUP_BYTES > 0;
        let end = self.end(is_padded).max(run.start);
        let bytes = self.write(&run.bytes, &mut run.column);
        let end = self.without_empty_line(end, run.column);
        self.push(run.start..end, bytes, run.number, out);
    }

    /// The end of a run, behind the line break that would end an empty line.
    fn without_empty_line(&mut self, end: usize, column: usize) -> usize {
        if column > 0 || self.lines.around(end).end > end {
            return end;
        }
        match tail(&self.base64.encoded, end) {
            [b'\r', b'\n', ..] => end + 2,
            [_, ..] => end + 1,
            [] => end,
        }
    }

    /// The end of the replaced characters if the run goes to the end. Without padding, characters behind the old
    /// padding would become a part of the text.
    fn end(&self, is_padded: bool) -> usize {
        let (encoded, end) = (&*self.base64.encoded, self.base64.end);
        let behind = if is_padded {
            None
        } else {
            tail(encoded, end)
                .iter()
                .rposition(|byte| is_character(*byte))
        };
        behind.map_or(end, |last| end + last + 1)
    }

    /// The characters of bytes, in lines.
    fn write(&mut self, bytes: &[u8], column: &mut usize) -> Vec<u8> {
        let characters = encode(bytes);
        let line = self.line_length();
        let mut written = Vec::with_capacity(characters.len());
        let mut rest = &characters[..];
        while !rest.is_empty() {
            if *column >= line {
                written.extend_from_slice(self.line_break);
                *column = 0;
            }
            let fits = rest.len().min(line - *column);
            written.extend_from_slice(slice(rest, 0..fits));
            rest = tail(rest, fits);
            *column += fits;
        }
        written
    }

    /// The length of the longest line; of a single line, at least the length in RFC 2045.
    fn line_length(&mut self) -> usize {
        let encoded = &*self.base64.encoded;
        *self.line.get_or_insert_with(|| longest_line(encoded))
    }

    fn push(&self, range: Range<usize>, bytes: Vec<u8>, number: usize, out: &mut Vec<Edit>) {
        if slice(&self.base64.encoded, range.clone()) != bytes {
            out.push(Edit {
                range,
                bytes,
                number,
            });
        }
    }
}

impl Run {
    /// The old byte from which on the groups are the same again, if no other change comes before.
    fn next_step(&self) -> Option<usize> {
        let group = self.behind.next_multiple_of(GROUP_BYTES);
        let written = self.bytes.len() + (group - self.behind);
        written.is_multiple_of(GROUP_BYTES).then_some(group)
    }
}

fn longest_line(encoded: &[u8]) -> usize {
    let text = encoded.trim_ascii();
    let mut from = 0;
    let mut longest = 0;
    for end in memchr::memchr2_iter(b'\n', b'\r', text) {
        longest = longest.max(end - from);
        from = end + 1;
    }
    match from {
        0 => text.len().max(LINE),
        _ => longest.max(text.len() - from),
    }
}
