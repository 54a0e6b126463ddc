//! The output stream of a rewrite: the bytes of the new document, and each link with its edits.
//!
//! Writers, layers of mail, the other charset, counters and the search for moved hosts are stages of the stream: each
//! stage takes the stream of an inner stage and hands on its own. The last stage is that of the caller ([`Caller`]).

use super::mention::LeftBehind;
use super::{Excerpt, Outcome, Tally};
use crate::charset::Charset;
use crate::error::Error;
use crate::link::{Info, Link, Location};
use crate::notes::{Note, Notes};
use crate::span::{Edit, SourceSpan};
use std::collections::BTreeMap;
use std::io::Write;

/// A stage of the stream.
pub(super) trait Output {
    /// Takes the next bytes of the new document.
    fn bytes(&mut self, bytes: &[u8]) -> Result<(), Error>;

    /// Takes a changed or left link, with its edits in the source of the calling stage. Links come in order. The bytes
    /// of a link come before it or, in a layer of mail, after it.
    fn link(&mut self, outcome: &Outcome<'_>, info: &Info) -> Result<(), Error>;

    /// Takes the number of links that were seen.
    fn seen(&mut self, links: u64);
}

/// An outcome that waits in a stage.
pub(super) struct OwnedOutcome {
    pub link: Link<'static>,
    pub new: Option<String>,
    pub edits: Vec<Edit>,
    pub notes: Notes,
    pub rule: Option<usize>,
    pub excerpt: Option<Excerpt>,
}

impl OwnedOutcome {
    pub fn of(outcome: &Outcome<'_>) -> Self {
        OwnedOutcome {
            link: outcome.link.clone().into_owned(),
            new: outcome.new.map(str::to_owned),
            edits: outcome.edits.to_vec(),
            notes: outcome.notes,
            rule: outcome.rule,
            excerpt: outcome.excerpt.cloned(),
        }
    }

    pub fn borrowed(&self) -> Outcome<'_> {
        Outcome {
            link: &self.link,
            new: self.new.as_deref(),
            edits: &self.edits,
            notes: self.notes,
            rule: self.rule,
            excerpt: self.excerpt.as_ref(),
        }
    }
}

/// The new document of a trial, in memory.
impl Output for Vec<u8> {
    fn bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.extend_from_slice(bytes);
        Ok(())
    }

    fn link(&mut self, _: &Outcome<'_>, _: &Info) -> Result<(), Error> {
        Ok(())
    }

    fn seen(&mut self, _: u64) {}
}

/// The last stage: the writer of the caller, and a function to call with each link. Counts the links.
pub(super) struct Caller<'c> {
    writer: &'c mut dyn Write,
    on_link: &'c mut dyn FnMut(&Outcome<'_>, &Info),
    counts: Counts,
}

/// Numbers of links of a rewrite.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub tally: Tally,
    /// Links left because a signature covers them.
    pub signed: u64,
    /// Links left because the charset is a guess.
    pub unsure: u64,
    /// Links left because their bytes contradict the charset.
    pub contradicting: u64,
}

/// Number of links that each rule matched.
pub(super) type Matched = BTreeMap<usize, u64>;

/// The results of rewriting a document or a part, besides the output.
#[derive(Default)]
pub(super) struct Done {
    pub matched: Matched,
    /// The new charset, if the bytes differ.
    pub transcoded: Option<Charset>,
    pub left_behind: LeftBehind,
}

impl Done {
    /// Adds the results of a part further on.
    pub fn append(&mut self, next: Done) {
        for (rule, count) in next.matched {
            *self.matched.entry(rule).or_default() += count;
        }
        self.transcoded = next.transcoded.or(self.transcoded);
        self.left_behind.append(next.left_behind);
    }
}

impl<'c> Caller<'c> {
    pub fn new(writer: &'c mut dyn Write, on_link: &'c mut dyn FnMut(&Outcome<'_>, &Info)) -> Self {
        Caller {
            writer,
            on_link,
            counts: Counts::default(),
        }
    }

    /// Ends the document; returns the numbers of its links.
    pub fn end(self) -> Result<Counts, Error> {
        self.writer.flush()?;
        Ok(self.counts)
    }
}

impl Output for Caller<'_> {
    fn bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        Ok(self.writer.write_all(bytes)?)
    }

    fn link(&mut self, outcome: &Outcome<'_>, info: &Info) -> Result<(), Error> {
        self.counts.add(outcome);
        (self.on_link)(outcome, info);
        Ok(())
    }

    fn seen(&mut self, links: u64) {
        self.counts.tally.links += links;
    }
}

impl Counts {
    fn add(&mut self, outcome: &Outcome<'_>) {
        if outcome.new.is_some() {
            self.tally.changed += 1;
            return;
        }
        let has = |note| u64::from(outcome.notes.contains(note));
        self.tally.left += 1;
        self.tally.names += has(Note::LeftName);
        self.signed += has(Note::LeftSigned);
        self.unsure += has(Note::CharsetUnsure) | has(Note::LeftCharsetWouldChange);
        self.contradicting += has(Note::CharsetContradicts);
    }
}

/// A document further on in the source of the outer stage: moves positions to that source.
pub(super) struct Moved<'o> {
    pub output: &'o mut dyn Output,
    /// The start of the document.
    pub origin: u64,
}

impl Output for Moved<'_> {
    fn bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.output.bytes(bytes)
    }

    fn link(&mut self, outcome: &Outcome<'_>, info: &Info) -> Result<(), Error> {
        let edits = outcome.edits.iter().map(|edit| Edit {
            span: SourceSpan {
                start: edit.span.start + self.origin,
                end: edit.span.end + self.origin,
            },
            bytes: edit.bytes.clone(),
        });
        let edits: Vec<Edit> = edits.collect();
        let outcome = Outcome {
            edits: &edits,
            ..*outcome
        };
        self.output.link(&outcome, info)
    }

    fn seen(&mut self, links: u64) {
        self.output.seen(links);
    }
}

/// A stage that counts the lines of its output, on request.
pub(super) struct Located<'o> {
    output: &'o mut dyn Output,
    line: u64,
    column: u64,
    counts: bool,
}

impl<'o> Located<'o> {
    pub fn new(output: &'o mut dyn Output, counts: bool) -> Self {
        Located {
            output,
            line: 1,
            column: 1,
            counts,
        }
    }

    pub fn location(&self) -> Location {
        Location {
            line: self.line,
            column: self.column,
        }
    }
}

impl Output for Located<'_> {
    fn bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.output.bytes(bytes)?;
        if self.counts {
            let lines = memchr::memchr_iter(b'\n', bytes).count() as u64;
            let behind = memchr::memrchr(b'\n', bytes).map_or(0, |at| at + 1);
            self.line += lines;
            self.column = match lines {
                0 => self.column,
                _ => 1,
            } + (bytes.len() - behind) as u64;
        }
        Ok(())
    }

    fn link(&mut self, outcome: &Outcome<'_>, info: &Info) -> Result<(), Error> {
        self.output.link(outcome, info)
    }

    fn seen(&mut self, links: u64) {
        self.output.seen(links);
    }
}
