//! The work of `rewrite` on each file.

use super::{Target, rewriter};
use crate::Failure;
use crate::args::{DiffForm, RewriteArgs};
use crate::breakdown::Details;
use crate::describe::{
    CountingReader, describe, is_whole_document, known_charset, read_as_text, skip_reason, unread,
    unread_parts,
};
use crate::diff::{self, Layout};
use crate::inputs::{self, Inputs};
use crate::json::{self, DocumentFields, PathObject};
use crate::left_behind;
use crate::mentions::Mentions;
use crate::outbox::{News, Outbox};
use crate::output::{Isolation, Styles, push_one_line};
use crate::rules::SiteRules;
use crate::run::{Job, PathStyle};
use crate::totals::Counts;
use crate::web_index::WebIndex;
use linkglot::link::Info;
use linkglot::notes::Notes;
use linkglot::rewrite::{Outcome, Rewriter, Summary};
use linkglot::{CommentSlots, Error, ErrorKind, PlaceKind, Settings};
use linkglot_files::{
    Bases, ContainerWork, Content, Destination, Document, EventSender, FileEntry, FileTarget,
    OldDigests, SkipReason, Source, TempFiles, check_name, not_kept, push_path, rewrite_source,
};
use std::cell::LazyCell;
use std::io::{self, Read, Seek, Write};
use std::path::Path;
use std::sync::Arc;

/// The layout of diffs.
fn layout(args: &RewriteArgs) -> Layout {
    let destination = &args.destination;
    let form = destination.diff.unwrap_or_default();
    Layout::for_stdout(form, destination.diff_columns, Styles::new(&args.report))
}

/// A document to print. If it cannot be written in another charset, none of it is printed.
enum Printed<'r> {
    Whole(&'r [u8]),
    Stream(&'r mut dyn Read),
}

/// The report of each change on standard output.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Report {
    Nothing,
    Table,
    Objects,
}

pub struct RewriteJob<'a> {
    settings: Settings,
    bases: Bases,
    rewriter: Rewriter,
    pub target: Target,
    /// Takes the lines of an index of what is written.
    pub index: Option<&'a WebIndex>,
    report: Report,
    verbose: bool,
    quiet: bool,
    /// True if rows of the table begin with the path.
    prints_paths: bool,
    layout: Layout,
    isolation: Isolation,
    path_style: PathStyle,
    temp_files: &'a TempFiles,
    /// True if documents may turn out to be unwritable.
    may_refuse: bool,
    details: Details,
    old_digests: OldDigests,
}

impl<'a> RewriteJob<'a> {
    pub fn new(
        args: &'a RewriteArgs,
        inputs: &Inputs,
        (target, rules): (Target, &SiteRules),
        temp_files: &'a TempFiles,
    ) -> Result<Self, Failure> {
        let report = match args {
            _ if args.report.json => Report::Objects,
            _ if args.destination.dry_run && !args.report.quiet => Report::Table,
            _ => Report::Nothing,
        };
        let mut settings = inputs::settings(&args.documents)?;
        if args.slots.contains(&PlaceKind::Comment) {
            settings.comments = CommentSlots::All;
        }
        settings.query_charset = args.query_charset;
        settings.nfc = args.nfc;
        settings.identifiers = args.rules.identifiers;
        let is_shown = args.report.json || args.report.stats || !args.report.quiet;
        let lists_left_behind =
            is_shown || args.fail_left_behind || args.destination.report.is_some();
        let details = Details::new(args);
        settings.locate =
            report != Report::Nothing || args.report.verbose || details == Details::Changes;
        // For a note that only these print.
        settings.labels = args.report.json || args.report.verbose || details == Details::Changes;
        Ok(RewriteJob {
            bases: Bases::new(settings.base.clone(), &inputs.roots),
            rewriter: rewriter(args, &settings, rules)?
                .left_behind(lists_left_behind)
                .excerpts(details == Details::Changes),
            settings,
            target,
            index: None,
            report,
            verbose: args.report.verbose,
            quiet: args.report.quiet,
            prints_paths: inputs.has_paths(),
            layout: layout(args),
            isolation: Isolation::for_stdout(false),
            path_style: PathStyle::new(inputs),
            temp_files,
            may_refuse: args.to_charset.is_some(),
            details,
            old_digests: OldDigests::default(),
        })
    }

    /// Reports the outcome for a link.
    fn report(&self, path: &Path, outcome: &Outcome<'_>, info: &Info, outbox: &mut Outbox<'_>) {
        // Looking for deception in a link can cost more than to rewrite it.
        let notes = LazyCell::new(|| outcome.all_notes());
        if let Some(breakdown) = &mut outbox.breakdown {
            breakdown.see(outcome, *notes, info);
        }
        match self.report {
            Report::Nothing => {}
            Report::Objects => {
                let document = DocumentFields::new(&PathObject::new(path), info);
                json::edit(outbox.buffer(), &document, outcome, *notes);
            }
            Report::Table => self.push_row(path, outcome, &|| *notes, outbox.buffer()),
        }
        outbox.end_entry(None);
        if let Some(event) = remark(self.verbose, path, outcome) {
            outbox.send(event);
        }
    }

    /// Appends place, old link and new link; for a link that is left, `-` and the notes in place of the new link.
    fn push_row(
        &self,
        path: &Path,
        outcome: &Outcome<'_>,
        notes: &dyn Fn() -> Notes,
        out: &mut Vec<u8>,
    ) {
        if self.prints_paths {
            push_path(out, path);
            out.push(b':');
        }
        out.extend_from_slice(location(outcome).as_bytes());
        out.push(b'\t');
        self.push_link(outcome.link.text(), out);
        out.push(b'\t');
        match outcome.new {
            Some(new) => self.push_link(new, out),
            None => {
                let notes = json::codes(notes()).join(",");
                out.extend_from_slice(format!("-\t{notes}").as_bytes());
            }
        }
        out.push(b'\n');
    }

    /// Appends a link: on a terminal in an isolate, so that it does not reorder the row.
    fn push_link(&self, link: &str, out: &mut Vec<u8>) {
        let shown = self.layout.styles.controls.apply_to_words(link);
        push_one_line(out, self.isolation.apply(&shown).as_bytes());
    }

    fn diff(
        &self,
        path: &Path,
        (rewriter, settings): (&Rewriter, &Settings),
        document: Document<'_>,
        outbox: &mut Outbox<'_>,
    ) -> Result<Summary, Error> {
        let source = document.source;
        let layout = self.layout_of_diff(document.is_entry);
        match (document.content.rereadable()?, layout) {
            (Content::Whole(old), layout) => self.diff_of((path, layout), rewriter, &old, outbox),
            (Content::Stream(_), _) => {
                unreachable!("content that can be read again is no stream")
            }
            (Content::Large(old), Some(layout)) if !self.may_refuse => {
                let context = diff::Context {
                    path,
                    settings,
                    layout,
                };
                let mut breakdown = outbox.breakdown.take();
                let summary = diff::of_large_file(&old, &context, outbox, |old, new, sender| {
                    let each = |outcome: &Outcome<'_>, info: &Info| {
                        if let Some(breakdown) = &mut breakdown {
                            breakdown.see(outcome, outcome.all_notes(), info);
                        }
                        tell_remark(self.verbose, path, outcome, sender);
                    };
                    rewriter.clone().on_link(each).rewrite(old, new)
                })?;
                outbox.breakdown = breakdown;
                // The source was read twice.
                source.check_unchanged()?;
                Ok(summary)
            }
            // The diff waits until the document is known to be writable.
            (Content::Large(mut old), layout) => {
                let mut each =
                    |outcome: &Outcome<'_>, info: &Info| self.report(path, outcome, info, outbox);
                let mut new = tempfile::tempfile()?;
                let content = Content::Large(old.try_clone()?);
                let mut writer = io::BufWriter::with_capacity(64 * 1024, &mut new);
                let done = rewrite_source(
                    source,
                    content,
                    rewriter,
                    Destination::Writer(&mut writer),
                    &mut each,
                )?;
                let summary = done.summary;
                writer
                    .into_inner()
                    .map_err(io::IntoInnerError::into_error)?;
                if summary.is_changed() {
                    old.rewind()?;
                    new.rewind()?;
                    self.write_diff((path, layout), &summary, (&mut old, &mut new), outbox)?;
                }
                Ok(summary)
            }
        }
    }

    /// The layout of the diff of a document; `None` if it is not printed. A program that applies a raw diff cannot
    /// write entries of archives, and would refuse all of the diff.
    fn layout_of_diff(&self, is_entry: bool) -> Option<Layout> {
        let is_left_out = is_entry && self.layout.form == DiffForm::Raw;
        (!self.quiet && !is_left_out).then_some(self.layout)
    }

    /// Prints the diff of a document in memory.
    fn diff_of(
        &self,
        (path, layout): (&Path, Option<Layout>),
        rewriter: &Rewriter,
        old: &[u8],
        outbox: &mut Outbox<'_>,
    ) -> Result<Summary, Error> {
        let each = |outcome: &Outcome<'_>, info: &Info| self.report(path, outcome, info, outbox);
        let rewritten = rewriter.clone().on_link(each).rewrite_slice(old);
        if let Some(error) = &rewritten.summary.error {
            return Err(error.clone());
        }
        if rewritten.summary.is_changed() {
            let mut new = &rewritten.content[..];
            let sides: diff::Sides<'_> = (&mut &*old, &mut new);
            self.write_diff((path, layout), &rewritten.summary, sides, outbox)?;
        }
        Ok(rewritten.summary)
    }

    fn write_diff(
        &self,
        (path, layout): (&Path, Option<Layout>),
        summary: &Summary,
        sides: diff::Sides<'_>,
        outbox: &mut Outbox<'_>,
    ) -> Result<(), Error> {
        let Some(layout) = layout else {
            return Ok(());
        };
        let old = summary.info.charset;
        let charsets = (old, summary.transcoded.unwrap_or(old));
        Ok(diff::write(outbox, path, charsets, sides, layout)?)
    }

    fn to_files(
        &self,
        entry: &FileEntry,
        rewriter: &Rewriter,
        document: Document<'_>,
        outbox: &mut Outbox<'_>,
    ) -> Result<Summary, Error> {
        let path = self.path_style.apply(&entry.path);
        let Target::Files(target) = &self.target else {
            unreachable!("diffs and documents on standard output are no files");
        };
        let each = &mut |outcome: &Outcome<'_>, info: &Info| {
            self.report(path, outcome, info, outbox);
        };
        let done = target.rewrite(entry, document, rewriter, self.temp_files, each)?;
        if let Some(message) = not_kept(&done.lost) {
            outbox.send(News::Message(path.to_owned(), message));
        }
        Ok(done.summary)
    }

    fn to_stdout(
        &self,
        path: &Path,
        rewriter: &Rewriter,
        reader: Printed<'_>,
        outbox: &mut Outbox<'_>,
    ) -> Result<Counts, Error> {
        let (verbose, sender) = (self.verbose, outbox.sender());
        let mut breakdown = outbox.breakdown.take();
        let each = |outcome: &Outcome<'_>, info: &Info| {
            if let Some(breakdown) = &mut breakdown {
                breakdown.see(outcome, outcome.all_notes(), info);
            }
            tell_remark(verbose, path, outcome, sender);
        };
        let watched = rewriter.clone().on_link(each);
        let (summary, bytes) = match reader {
            Printed::Whole(bytes) => {
                let rewritten = watched.rewrite_slice(bytes);
                if let Some(error) = &rewritten.summary.error {
                    return Err(error.clone());
                }
                outbox.write_all(&rewritten.content)?;
                (rewritten.summary, bytes.len() as u64)
            }
            Printed::Stream(reader) => {
                let mut reader = CountingReader::new(reader);
                let summary = if self.may_refuse {
                    let mut whole = tempfile::tempfile()?;
                    let mut writer = io::BufWriter::new(&mut whole);
                    let summary = watched.rewrite(&mut reader, &mut writer)?;
                    writer
                        .into_inner()
                        .map_err(io::IntoInnerError::into_error)?;
                    whole.rewind()?;
                    io::copy(&mut whole, outbox)?;
                    summary
                } else {
                    watched.rewrite(&mut reader, outbox)?
                };
                (summary, reader.count())
            }
        };
        known_charset(&summary.info)?;
        self.describe(path, &summary, outbox);
        outbox.breakdown = breakdown;
        Ok(self.counts((path, &summary), bytes, outbox))
    }

    fn counts(
        &self,
        (path, summary): (&Path, &Summary),
        bytes: u64,
        outbox: &mut Outbox<'_>,
    ) -> Counts {
        let Summary { info, tally, .. } = summary;
        let mut breakdown = outbox.breakdown.take();
        if let Some(breakdown) = &mut breakdown {
            breakdown.end(summary);
        }
        Counts {
            transcoded: summary.transcoded.is_some(),
            bytes,
            links: tally.links,
            changed: tally.changed,
            left: tally.left,
            signed: summary.signed,
            unsure: summary.unsure,
            contradicting: summary.contradicting,
            names: tally.names,
            unread: info.unread.counts.clone(),
            matched: summary.matched.clone(),
            left_behind: Mentions::of(path, &summary.left_behind),
            written: self.target.is_files(),
            skipped: skip_reason(info),
            breakdown,
            ..Counts::default()
        }
    }

    /// Reports that a document was read as running text from a byte on.
    fn report_text(&self, path: &Path, info: &Info, from: u64, outbox: &mut Outbox<'_>) {
        if self.report == Report::Objects {
            json::read_as_text(outbox.buffer(), &PathObject::new(path), info, from);
            outbox.end_entry(None);
        }
        if self.verbose {
            outbox.send(News::Message(path.to_owned(), read_as_text(from)));
        }
    }

    /// Reports the format of a document, its new charset, and mentions that it leaves behind.
    fn describe(&self, path: &Path, summary: &Summary, outbox: &mut Outbox<'_>) {
        unread_parts(path, &summary.info, outbox, self.verbose);
        let ways = (self.report == Report::Objects, self.verbose);
        left_behind::report(path, &summary.left_behind, outbox, ways);
        if let (Report::Objects, Some(to)) = (self.report, summary.transcoded) {
            json::transcoded(outbox.buffer(), &PathObject::new(path), &summary.info, to);
            outbox.end_entry(None);
        }
        if let (Report::Table, Some(to)) = (self.report, summary.transcoded) {
            let out = outbox.buffer();
            if self.prints_paths {
                push_path(out, path);
            }
            let row = format!("\t{}\t{}\n", summary.info.charset.name(), to.name());
            out.extend_from_slice(row.as_bytes());
            outbox.end_entry(None);
        }
        if self.verbose {
            let to = summary.transcoded;
            let to = to.map_or(String::new(), |to| format!(" -> {}", to.name()));
            let message = describe(&summary.info) + &to;
            outbox.send(News::Message(path.to_owned(), message));
        }
        if let Some(from) = summary.info.text_from() {
            self.report_text(path, &summary.info, from, outbox);
        }
    }
}

impl Job for RewriteJob<'_> {
    fn file(
        &self,
        entry: &FileEntry,
        mut document: Document<'_>,
        outbox: &mut Outbox<'_>,
    ) -> Result<Counts, Error> {
        if !document.is_entry
            && let Some(journal) = self.target.journal()
            && journal.has_rewritten(document.source, &mut document.content)?
        {
            return Ok(Counts::skipped(SkipReason::Resumed));
        }
        let path = self.path_style.apply(&entry.path);
        let mut settings = inputs::settings_for_file(&self.settings, &self.bases, entry);
        let attachments = document.attachments;
        // Standard output takes a single document.
        let attachments = attachments.filter(|_| !matches!(self.target, Target::Stdout));
        if let Some(attachments) = attachments {
            attachments.leave(&mut settings);
        }
        let settings = Arc::new(settings);
        let rewriter = self.rewriter.clone().settings(Arc::clone(&settings));
        let rewriter = rewriter
            .signed(document.is_signed)
            .leave(document.left)
            .columns(Arc::clone(&document.columns))
            .package(document.package.take());
        outbox.breakdown = self.details.begin(path);
        document.content = document.content.rereadable()?;
        let bytes = match &document.content {
            Content::Whole(bytes) => bytes.len() as u64,
            Content::Large(file) => file.metadata()?.len(),
            Content::Stream(_) => 0,
        };
        let page = match &document.content {
            Content::Whole(bytes) => OldDigests::of_page(bytes),
            _ => Vec::new(),
        };
        let (source, is_entry) = (document.source, document.is_entry);
        let summary = match (&self.target, &mut document.content) {
            (Target::Stdout, Content::Whole(bytes)) => {
                return self.to_stdout(path, &rewriter, Printed::Whole(bytes), outbox);
            }
            (Target::Stdout, Content::Large(file)) => {
                return self.to_stdout(path, &rewriter, Printed::Stream(file), outbox);
            }
            (Target::Diff, _) => {
                check_name(&entry.path, &mut document.content, &rewriter)?;
                let how = (&rewriter, &*settings);
                self.diff(path, how, document, outbox)?
            }
            _ => self.to_files(entry, &rewriter, document, outbox)?,
        };
        if let Some(attachments) = attachments {
            attachments.see(&summary.info, &settings);
        }
        known_charset(&summary.info)?;
        self.describe(path, &summary, outbox);
        let mut counts = self.counts((path, &summary), bytes, outbox);
        if counts.is_changed() && !is_entry {
            counts.old_digests = self.old_digests.of_file(source).into();
        }
        counts.page = (!page.is_empty()).then(|| Box::new((path.to_owned(), page)));
        Ok(counts)
    }

    fn container(&self, entry: &FileEntry, source: &Source) -> Result<ContainerWork<'_>, Error> {
        match &self.target {
            Target::Diff => Ok(ContainerWork::Read),
            Target::Stdout => Err(Error::new(
                ErrorKind::Io,
                "expected a document, found an archive or a compressed file: `-i` and `-O` write it",
            )),
            Target::Files(target) => {
                if let Some(journal) = target.journal() {
                    let mut content = Content::Large(source.reopened()?);
                    if journal.has_rewritten(source, &mut content)? {
                        return Ok(ContainerWork::Skip(SkipReason::Resumed));
                    }
                }
                let work = target.container(entry, source, self.temp_files)?;
                Ok(match (work, target, self.index) {
                    (ContainerWork::Write(new), FileTarget::Output(tree), Some(index)) => {
                        let name = tree.name_below(entry.root, &entry.path);
                        ContainerWork::Write(Box::new(new.indexed(name, index)))
                    }
                    (work, ..) => work,
                })
            }
        }
    }

    fn stdin(&self, reader: &mut dyn Read, outbox: &mut Outbox<'_>) -> Result<Counts, Error> {
        let path = Path::new("-");
        outbox.breakdown = self.details.begin(path);
        if matches!(self.target, Target::Stdout) {
            return self.to_stdout(path, &self.rewriter, Printed::Stream(reader), outbox);
        }
        let mut reader = CountingReader::new(reader);
        let summary = if let Target::Diff = self.target {
            let mut old = Vec::new();
            reader.read_to_end(&mut old)?;
            let layout = self.layout_of_diff(false);
            self.diff_of((path, layout), &self.rewriter, &old, outbox)?
        } else {
            let each =
                |outcome: &Outcome<'_>, info: &Info| self.report(path, outcome, info, outbox);
            let watched = self.rewriter.clone().on_link(each);
            watched.rewrite(&mut reader, &mut io::sink())?
        };
        known_charset(&summary.info)?;
        self.describe(path, &summary, outbox);
        Ok(self.counts((path, &summary), reader.count(), outbox))
    }

    fn directory(&self, entry: &FileEntry) -> Result<(), Error> {
        match &self.target {
            Target::Files(target) => target.directory(entry),
            _ => Ok(()),
        }
    }

    fn skipped(&self, entry: &FileEntry, reason: SkipReason) -> Result<Option<String>, Error> {
        match &self.target {
            Target::Files(target) => target.skip(entry, reason, self.temp_files),
            _ => Ok(None),
        }
    }

    fn other_name(&self, entry: &FileEntry) -> Result<(), Error> {
        match &self.target {
            Target::Files(target) => target.other_name(entry, self.temp_files),
            _ => Ok(()),
        }
    }

    fn rewrites(&self) -> bool {
        true
    }

    fn writes_files(&self) -> bool {
        self.target.is_files()
    }

    fn accepts_pipes(&self) -> bool {
        matches!(
            self.target,
            Target::Stdout | Target::Files(FileTarget::Nowhere)
        )
    }
}

fn location(outcome: &Outcome<'_>) -> String {
    match outcome.link.location() {
        Some(location) => format!("{}:{}", location.line, location.column),
        None => format!("byte {}", outcome.link.span().start),
    }
}

/// With `verbose`, the message about a link that was left, or about a changed link that could deceive. A whole document
/// that was left is always reported.
fn remark(verbose: bool, path: &Path, outcome: &Outcome<'_>) -> Option<News> {
    match outcome.new {
        None if is_whole_document(outcome.link) => Some(unread(path, outcome.link)),
        None if verbose => Some(message(path, outcome, outcome.all_notes())),
        Some(_) if verbose => {
            let warnings = outcome.link.warnings();
            (!warnings.is_empty()).then(|| message(path, outcome, warnings))
        }
        _ => None,
    }
}

/// Sends the remark on a link while the document is printed.
fn tell_remark(verbose: bool, path: &Path, outcome: &Outcome<'_>, to: EventSender<'_, News>) {
    if let Some(event) = remark(verbose, path, outcome) {
        // If the receiver has gone, writing will fail too.
        let _ = to.send(event);
    }
}

/// A message with the descriptions of notes on a link.
fn message(path: &Path, outcome: &Outcome<'_>, notes: Notes) -> News {
    let words: Vec<&str> = notes.iter().map(|note| note.words()).collect();
    let mut link = Vec::new();
    push_one_line(&mut link, outcome.link.text().as_bytes());
    let link = String::from_utf8_lossy(&link);
    let words = words.join("; ");
    let mut place = path.as_os_str().to_owned();
    place.push(format!(":{}", location(outcome)));
    News::Message(place.into(), format!("`{link}`: {words}"))
}
