//! What a run did, in numbers.

use linkglot::driver::SkipReason;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

/// What was done with one document.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    pub bytes: u64,
    pub links: u64,
    pub changed: u64,
    pub left: u64,
    /// Whether what became of it went anywhere.
    pub written: bool,
    /// Why nothing of it was read.
    pub skipped: Option<SkipReason>,
}

/// What a run did.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    /// Documents that were read to their end.
    pub files: u64,
    pub bytes: u64,
    pub links: u64,
    pub files_with_links: u64,
    pub changed: u64,
    pub left: u64,
    /// Files whose links change, and those of them that were written.
    pub files_changed: u64,
    pub files_written: u64,
    /// Files and directories that could not be read or written.
    pub errors: u64,
    pub skipped: BTreeMap<SkipReason, u64>,
}

impl Totals {
    /// Adds a document.
    pub fn add(&mut self, counts: Counts) {
        self.files += 1;
        self.bytes += counts.bytes;
        self.links += counts.links;
        self.files_with_links += u64::from(counts.links > 0);
        self.changed += counts.changed;
        self.left += counts.left;
        self.files_changed += u64::from(counts.changed > 0);
        self.files_written += u64::from(counts.changed > 0 && counts.written);
    }

    /// The summary for people, a few lines. A rewrite counts changes, too.
    pub fn summary(&self, rewrites: bool, elapsed: Duration) -> String {
        let mut text = String::new();
        let seconds = elapsed.as_secs_f64();
        let (files, bytes) = (number(self.files, "file"), number(self.bytes, "byte"));
        let _ = writeln!(text, "{files} read ({bytes}) in {seconds:.2} s");
        let (links, with) = (
            number(self.links, "link"),
            number(self.files_with_links, "file"),
        );
        let _ = writeln!(text, "{links} in {with}");
        if rewrites {
            let (changed, left) = (number(self.changed, "link"), self.left);
            let files = number(self.files_changed, "file");
            let _ = writeln!(
                text,
                "{changed} changed in {files}, {left} left as they were"
            );
        }
        for (reason, count) in &self.skipped {
            let _ = writeln!(text, "{count} skipped: {}", reason.words());
        }
        if self.errors > 0 {
            let _ = writeln!(text, "{} failed", number(self.errors, "file"));
        }
        text
    }
}

fn number(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}
