//! The report of a run as one HTML page (`rewrite --report FILE`). It is written when the run has ended, and needs no
//! network.

mod data;
mod page;

use super::Failure;
use super::inputs::Inputs;
use super::rules::SiteRules;
use super::run_file::{RunFile, RunFileKind};
use super::totals::{Changes, Totals};
use data::Data;
use linkglot::Error;
use linkglot_files::TempFiles;
use page::Page;
use std::path::Path;

/// The mark of a report. A report replaces only files that have it.
const GENERATOR: &str = "<meta name=\"generator\" content=\"linkglot";

const KIND: RunFileKind = RunFileKind {
    option: "--report",
    noun: "report",
    head: 1024,
    is_own: |head| String::from_utf8_lossy(head).contains(GENERATOR),
};

/// A report to be written.
pub struct HtmlReport(RunFile);

impl HtmlReport {
    /// Checks that a report can be written to `path`, and keeps the run from reading an existing report there.
    ///
    /// # Errors
    ///
    /// When `path` is something other than a report, is an input of the run, or its directory is missing or the output
    /// of the run.
    pub fn begin(
        path: &Path,
        inputs: &mut Inputs,
        output: Option<&Path>,
        temp_files: &TempFiles,
    ) -> Result<Self, Failure> {
        RunFile::begin(&KIND, path, (inputs, output), temp_files).map(HtmlReport)
    }

    /// Writes the report, which takes the changes out of the totals.
    ///
    /// # Errors
    ///
    /// When the report cannot be written. An old report then remains.
    pub fn write(
        &self,
        totals: &mut Totals,
        rules: &SiteRules,
        changes: Changes,
        temp_files: &TempFiles,
    ) -> Result<(), Failure> {
        let given = rules.rules.given();
        let found = std::mem::take(&mut totals.breakdown.changes);
        self.0.write(temp_files, |file| {
            let listed = found.listed().map_err(Error::from)?;
            let data = Data::new(listed, given).map_err(Error::from)?;
            Page::new(totals, data, changes).write(file)?;
            Ok(())
        })
    }
}

/// Text with invisible characters and characters that reorder text escaped.
fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for ch in text.chars() {
        if linkglot_files::is_deceptive(ch) {
            out.extend(ch.escape_unicode())
        } else {
            out.push(ch)
        }
    }
    out
}
