//! The progress bar.

use super::args::{ReportArgs, When};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

/// Work that is done sooner has no bar.
const LONG: Duration = Duration::from_secs(1);

/// A bar on standard error that appears when work is long.
pub struct Progress {
    wanted: bool,
    begun: Instant,
    bar: Option<ProgressBar>,
    files: u64,
}

impl Progress {
    /// `prints` is whether results go to standard output while the bar is shown: on a terminal the
    /// two would be mixed.
    pub fn new(report: &ReportArgs, prints: bool) -> Self {
        let wanted = match report.progress {
            When::Always => true,
            When::Never => false,
            When::Auto => {
                let mixed = prints && io::stdout().is_terminal();
                !report.quiet && !mixed && io::stderr().is_terminal()
            }
        };
        let mut progress = Progress {
            wanted,
            begun: Instant::now(),
            bar: None,
            files: 0,
        };
        if report.progress == When::Always {
            progress.show();
        }
        progress
    }

    /// One more file is done.
    pub fn file(&mut self, bytes: u64) {
        self.files += 1;
        if self.wanted && self.bar.is_none() && self.begun.elapsed() >= LONG {
            self.show();
        }
        if let Some(bar) = &self.bar {
            bar.set_message(format!("{} files", self.files));
            bar.inc(bytes);
        }
    }

    /// Runs something that prints on standard error, the bar out of its way.
    pub fn aside(&self, print: impl FnOnce()) {
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// Removes the bar.
    pub fn end(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }

    /// How long the work takes so far.
    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    fn show(&mut self) {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        if let Ok(style) =
            ProgressStyle::with_template("{spinner} {msg}, {bytes} ({bytes_per_sec}), {elapsed}")
        {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        self.bar = Some(bar);
    }
}
