//! The progress bar on standard error.

use super::args::{ReportArgs, When};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

/// The delay before the bar appears.
const DELAY: Duration = Duration::from_secs(1);

/// A progress bar, possibly disabled.
pub struct Progress {
    wanted: bool,
    begun: Instant,
    bar: Option<ProgressBar>,
    files: u64,
}

impl Progress {
    /// Makes the bar. With `--progress auto` there is none if results are printed on the same terminal.
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

    /// Counts a file.
    pub fn add_file(&mut self, bytes: u64) {
        self.files += 1;
        if self.wanted && self.bar.is_none() && self.begun.elapsed() >= DELAY {
            self.show();
        }
        if let Some(bar) = &self.bar {
            bar.set_message(format!("{} files", self.files));
            bar.inc(bytes);
        }
    }

    /// Hides the bar while `print` prints on standard error.
    pub fn suspend(&self, print: impl FnOnce()) {
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

    /// The time since the beginning of the run.
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
