//! The outcome for a file, from the threads that process it.

use crate::error::Failure;
use crate::link::Found;
use crate::rewrite::Seen;
use linkglot::link::{Info, UnreadParts};
use linkglot_files::{Event, SkipReason};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The error for a document that was too long, or too dense, to be read.
const TOO_LONG: &str = "the document is too long, or too dense with markup, to be read";

/// The outcome for a file.
#[derive(Default)]
pub struct Done {
    pub path: PathBuf,
    pub info: Option<Info>,
    pub found: u64,
    pub changed: u64,
    pub left: u64,
    /// True if links changed, or the charset.
    pub is_changed: bool,
    pub links: Found,
    pub changes: Vec<Seen>,
    pub matched: BTreeMap<usize, u64>,
    pub skipped: Option<SkipReason>,
    /// Errors of the file, or of parts of it.
    pub failures: Vec<Failure>,
    /// Messages, such as attributes that the new file could not get from the old one.
    pub messages: Vec<String>,
}

impl Done {
    pub fn of(path: PathBuf) -> Self {
        Done {
            path,
            ..Done::default()
        }
    }

    /// The news of an event of a run, or else the outcome that it reports.
    pub fn or_news<N>(event: Event<N>) -> Result<N, Box<Self>> {
        Err(Box::new(match event {
            Event::News(news) => return Ok(news),
            Event::Skipped(path, reason, remark) => Done {
                skipped: Some(reason),
                messages: remark.into_iter().collect(),
                ..Done::of(path)
            },
            Event::Failed(path, error) => {
                let mut done = Done::of(path);
                done.fail(error);
                done
            }
            Event::Unread(path, reason) => Done {
                messages: vec![format!("not read: {}", reason.words())],
                ..Done::of(path)
            },
            // Only runs that rewrite send it, and count by it.
            Event::Container(_) => Done::default(),
            Event::Remark(path, remark) => Done {
                messages: vec![remark],
                ..Done::of(path)
            },
            Event::Unmet(file) => Done {
                messages: vec![format!(
                    "the file has {} names (hard links); {} of them, which this run did not find, keep the old content",
                    file.names, file.unmet
                )],
                ..Done::of(file.path)
            },
        }))
    }

    /// Adds the outcome for another document of the same record.
    pub fn add(&mut self, other: Done) {
        if self.path.as_os_str().is_empty() {
            self.path = other.path;
        }
        self.info = other.info.or(self.info.take());
        self.found += other.found;
        self.changed += other.changed;
        self.left += other.left;
        self.is_changed |= other.is_changed;
        self.links.extend(other.links);
        self.changes.extend(other.changes);
        for (rule, count) in other.matched {
            *self.matched.entry(rule).or_default() += count;
        }
        self.skipped = self.skipped.or(other.skipped);
        self.failures.extend(other.failures);
        self.messages.extend(other.messages);
    }

    pub fn fail(&mut self, failure: impl Into<Failure>) {
        let path = Some(self.path.display().to_string());
        let failure = failure.into();
        self.failures.push(Failure { path, ..failure });
    }

    /// Records the properties of the document, and its unread parts.
    pub fn see(&mut self, info: &Info, is_too_long: bool) {
        if let Some(failure) = Failure::of_charset(info) {
            self.fail(failure);
        }
        if is_too_long {
            self.fail(Failure::new("too-long", TOO_LONG));
        }
        let UnreadParts { errors, .. } = &info.unread;
        for (part, error) in errors {
            let failure = Failure::from(error);
            let message = format!("part {part}: {}", failure.message);
            self.fail(Failure { message, ..failure });
        }
        self.info = Some(info.clone());
    }
}
