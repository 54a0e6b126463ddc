//! The numbers of a run, and its summary.

use super::Status;
use super::breakdown::{Breakdown, DocumentBreakdown};
use super::mentions::Mentions;
use super::output::number;
use super::skipped;
use linkglot::link::UnreadReason;
use linkglot_files::{SkipReason, Writing};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

/// Place of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Within {
    /// A file of its own.
    #[default]
    Nothing,
    Archive,
    /// An archive of the web, which is never changed in place.
    WebArchive,
}

/// The numbers of one document.
#[derive(Debug, Default)]
pub struct Counts {
    pub within: Within,
    pub bytes: u64,
    pub links: u64,
    pub changed: u64,
    pub left: u64,
    /// Number of left links that a signature covers.
    pub signed: u64,
    /// Number of left links that depend on a guessed charset.
    pub unsure: u64,
    /// Number of left links whose bytes contradict the charset.
    pub contradicting: u64,
    /// Number of left links that are bare names, which may not be links.
    pub names: u64,
    /// Unread parts of mail, by reason.
    pub unread: BTreeMap<UnreadReason, u64>,
    /// True if the document gets another charset.
    pub transcoded: bool,
    /// True if the rewritten document was written to a file.
    pub written: bool,
    /// Number of links that each rule matched, by the number of the rule.
    pub matched: BTreeMap<usize, u64>,
    /// Remaining mentions of moved hosts.
    pub left_behind: Mentions,
    /// The reason why the document could not be read.
    pub skipped: Option<SkipReason>,
    /// The numbers by host, scheme, charset and note, if they are printed.
    pub breakdown: Option<Box<DocumentBreakdown>>,
    /// The file, or the container of the document, if it changes.
    pub changed_file: Option<PathBuf>,
    /// Hashes of the digests of the old content, if the document changes and they may be listed.
    pub old_digests: Box<[u64]>,
    /// The page, and hashes of the digests in it, if it has some of other files.
    pub page: Option<Box<(PathBuf, Vec<u64>)>>,
}

impl Counts {
    /// The numbers of a document that is passed over.
    pub fn skipped(reason: SkipReason) -> Self {
        Counts {
            skipped: Some(reason),
            ..Counts::default()
        }
    }

    /// True if links or the charset change.
    pub fn is_changed(&self) -> bool {
        self.changed > 0 || self.transcoded
    }
}

/// The numbers of a run.
#[derive(Debug, Default)]
pub struct Totals {
    /// Documents that were read to their end.
    pub files: u64,
    /// Documents among the files that are entries of archives.
    pub entries: u64,
    pub bytes: u64,
    pub links: u64,
    pub files_with_links: u64,
    pub changed: u64,
    pub left: u64,
    /// Number of left links that a signature covers.
    pub signed: u64,
    /// Number of left links that depend on a guessed charset.
    pub unsure: u64,
    /// Number of left links whose bytes contradict the charset.
    pub contradicting: u64,
    /// Number of left links that are bare names, which may not be links.
    pub names: u64,
    /// Unread parts of mail, by reason.
    pub unread: BTreeMap<UnreadReason, u64>,
    /// Files whose links change.
    pub files_with_changes: u64,
    /// Documents among these that are in archives of the web.
    pub web_pages_with_changes: u64,
    /// Files whose links or charset change.
    pub files_changed: u64,
    /// Documents among these that are in archives and compressed files.
    pub entries_changed: u64,
    /// Files that get another charset.
    pub transcoded: u64,
    /// Changed files that were written.
    pub written: Written,
    /// Changed files that were written to archives that failed, which stay as they were.
    unwritten: Written,
    /// The files that were written before each archive at hand, the innermost last.
    before_archives: Vec<Written>,
    /// Number of links that each rule matched, by the number of the rule.
    pub matched: BTreeMap<usize, u64>,
    /// Remaining mentions of moved hosts.
    pub left_behind: Mentions,
    /// Files and directories that could not be read or written.
    pub errors: u64,
    /// Errors of readable files: unknown charset, or text that the target charset cannot hold.
    pub refused: u64,
    pub skipped: BTreeMap<SkipReason, u64>,
    /// The numbers by host, scheme, charset and note, if they are printed.
    pub breakdown: Breakdown,
    /// Number of known digests of files that change.
    pub stale_digests: u64,
}

/// Numbers of files that were written.
#[derive(Clone, Copy, Debug, Default)]
pub struct Written {
    pub files: u64,
    /// Files among them whose links change.
    files_with_changes: u64,
    links: u64,
}

/// The treatment of links that change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changes {
    /// The command changes no links.
    None,
    /// Changed links are only shown.
    Shown,
    /// Changed links are written to files.
    Written,
}

impl Totals {
    /// Adds a document.
    pub fn add(&mut self, counts: Counts) {
        let is_changed = counts.is_changed();
        self.files += 1;
        self.entries += u64::from(counts.within != Within::Nothing);
        self.bytes += counts.bytes;
        self.links += counts.links;
        self.files_with_links += u64::from(counts.links > 0);
        self.changed += counts.changed;
        self.left += counts.left;
        self.signed += counts.signed;
        self.unsure += counts.unsure;
        self.contradicting += counts.contradicting;
        self.names += counts.names;
        for (reason, parts) in counts.unread {
            *self.unread.entry(reason).or_default() += parts;
        }
        for (rule, links) in counts.matched {
            *self.matched.entry(rule).or_default() += links;
        }
        self.left_behind.add(counts.left_behind);
        if let Some(breakdown) = counts.breakdown {
            self.breakdown.add(*breakdown);
        }
        self.files_with_changes += u64::from(counts.changed > 0);
        let is_web_page = counts.within == Within::WebArchive;
        self.web_pages_with_changes += u64::from(is_web_page && counts.changed > 0);
        self.files_changed += u64::from(is_changed);
        self.entries_changed += u64::from(is_changed && counts.within != Within::Nothing);
        if is_changed && counts.written {
            self.written.files += 1;
            self.written.files_with_changes += u64::from(counts.changed > 0);
            self.written.links += counts.changed;
        }
        self.transcoded += u64::from(counts.transcoded);
    }

    /// Begins an archive, or ends the innermost one: documents of an archive that failed were not written.
    pub fn write_container(&mut self, step: Writing) {
        if step == Writing::Begun {
            return self.before_archives.push(self.written);
        }
        let before = self.before_archives.pop().unwrap_or_default();
        if step == Writing::Failed {
            let Written {
                files_with_changes,
                links,
                ..
            } = std::mem::replace(&mut self.written, before);
            self.unwritten.files_with_changes += files_with_changes - before.files_with_changes;
            self.unwritten.links += links - before.links;
        }
    }

    /// The status of a run in which files failed.
    pub fn failure(&self) -> Option<Status> {
        match (self.errors, self.files + self.refused) {
            (0, _) => None,
            (_, 0) => Some(Status::Failure),
            _ => Some(Status::SomeFilesFailed),
        }
    }

    /// The lines of the summary about links that should have changed and were left, and about unread parts of mail;
    /// empty if there are none.
    pub fn left_links(&self, verbose: bool) -> String {
        let hint = if verbose {
            ""
        } else {
            " (`-v` lists the reasons)"
        };
        let reasons: String = [
            (self.signed, "signed (`--break-signatures`)"),
            (self.names, "uncertain (`--min-evidence`)"),
            (
                self.unsure,
                "in a charset that is a guess (`--charset` or `--default-charset` settles it)",
            ),
            (
                self.contradicting,
                "with bytes that contradict the charset of their document (`--charset` settles it, unless a byte order mark declares it)",
            ),
        ]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, reason)| if count == self.left { format!(", {reason}") } else { format!(", {count} of them {reason}") })
        .collect();
        let left = match self.left {
            0 => String::new(),
            left => format!("{} left unchanged{reasons}{hint}\n", number(left, "link")),
        };
        left + &self.unread(verbose)
    }

    /// The line about unread parts of mail.
    fn unread(&self, verbose: bool) -> String {
        let parts = self.unread.values().sum();
        if parts == 0 {
            return String::new();
        }
        let hint = if verbose { "" } else { " (`-v` names them)" };
        let reasons = self.unread.iter();
        let reasons: Vec<_> = reasons
            .map(|(reason, count)| format!("{count} {}", reason.words()))
            .collect();
        let (parts, reasons) = (number(parts, "part"), reasons.join(", "));
        format!("{parts} of mail or archives not read{hint}: {reasons}\n")
    }

    /// Words for changed links in archives that failed, if there are any.
    pub fn unwritten(&self) -> Option<String> {
        let Written {
            links,
            files_with_changes,
            ..
        } = self.unwritten;
        let (links, files) = (
            Some(links).filter(|links| *links > 0)?,
            number(files_with_changes, "file"),
        );
        let links = number(links, "link");
        Some(format!(
            "{links} in {files} not written, since the archive failed"
        ))
    }

    /// The line about files and directories that were skipped; empty if there are none.
    pub fn skipped(&self, verbose: bool) -> String {
        let skipped = self.skipped.iter();
        let counts: Vec<_> = skipped
            .map(|(reason, count)| skipped::count(*reason, *count))
            .collect();
        if counts.is_empty() {
            return String::new();
        }
        let hint = if verbose { "" } else { " (`-v` lists them)" };
        format!("skipped{hint}: {}\n", counts.join(", "))
    }

    /// The summary, a few lines. With `verbose`, the details that its hints point to were printed.
    pub fn summary(&self, changes: Changes, verbose: bool, elapsed: Duration) -> String {
        let mut text = String::new();
        let seconds = elapsed.as_secs_f64();
        let (files, bytes) = (number(self.files, "file"), number(self.bytes, "byte"));
        let entries = match self.entries {
            0 => String::new(),
            entries => format!(", {entries} of them in archives"),
        };
        let _ = writeln!(text, "{files} read{entries} ({bytes}) in {seconds:.2} s");
        let links = number(self.links, "link");
        let _ = writeln!(text, "{links} in {}", number(self.files_with_links, "file"));
        if changes != Changes::None {
            let lost = self.unwritten;
            let (changed, files) = (
                number(self.changed - lost.links, "link"),
                number(self.files_with_changes - lost.files_with_changes, "file"),
            );
            let verb = if changes == Changes::Written {
                "changed"
            } else {
                "would change"
            };
            let _ = writeln!(text, "{changed} {verb} in {files}");
            if let Some(unwritten) = self.unwritten() {
                let _ = writeln!(text, "{unwritten}");
            }
            if self.transcoded > 0 {
                let files = number(self.transcoded, "file");
                let _ = writeln!(text, "{files} {verb} to another charset");
            }
        }
        text.push_str(&self.left_links(verbose));
        text.push_str(&self.skipped(verbose));
        if self.errors > 0 {
            let _ = writeln!(text, "{} failed", number(self.errors, "file"));
        }
        text
    }
}
