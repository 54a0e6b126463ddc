//! The command `rewrite`.

mod job;

use crate::args::{HOSTS, RewriteArgs, name_of};
use crate::diff::Next;
use crate::inputs::{self, Inputs};
use crate::output::{complain, number};
use crate::report::HtmlReport;
use crate::rules::SiteRules;
use crate::run::{EndReport, Run};
use crate::runs;
use crate::tables::Tables;
use crate::totals::{Changes, Totals};
use crate::web_index::WebIndex;
use crate::{Failure, Status};
use job::RewriteJob;
use linkglot::Settings;
use linkglot::rewrite::{Form, HostForm, Reach, References, Rewriter};
use linkglot_files::{
    FileTarget, GitIgnore, HardLinks, InPlace, Journal, OutputTree, SkipReason, TempFiles,
};
use std::fs;
use std::path::Path;

/// Runs the command.
///
/// `resumed` is the journal of the interrupted run that is continued.
pub fn run(
    args: &RewriteArgs,
    resumed: Option<Journal>,
    temp_files: &TempFiles,
) -> Result<Status, Failure> {
    let mut inputs = Inputs::new(&args.files)?;
    let target = target(args, &inputs)?;
    select(&mut inputs, args, &target);
    inputs.selection.hard_links = resumed.as_ref().map(HardLinks::of_interrupted);
    let destination = &args.destination;
    let output = destination.output.as_deref();
    let html = destination.report.as_deref();
    let html = html.map(|path| HtmlReport::begin(path, &mut inputs, output, temp_files));
    let html = html.transpose()?;
    let index = destination.cdxj.as_deref();
    let index = index.map(|path| WebIndex::begin(path, &mut inputs, output, temp_files));
    let index = index.transpose()?;
    let mut rules = SiteRules::read(&args.rules, &args.documents)?;
    rules.check(args.report.quiet)?;
    rules.is_check = args.destination.check;
    if args.references() != References::Keep
        && args.documents.base.is_none()
        && !args.report.quiet
        && !inputs.have_bases()
    {
        complain(
            "without --base, only links of documents that name their own base become relative or absolute",
        );
    }
    let mut job = RewriteJob::new(args, &inputs, (target, &rules), temp_files)?;
    job.index = index.as_ref();
    let is_resumed = resumed.is_some();
    if let Target::Files(FileTarget::InPlace(in_place)) = &mut job.target {
        in_place.journal = match resumed {
            Some(journal) => Some(journal),
            None => runs::begin(args, &inputs)?,
        };
    }
    let journals = runs::among(&inputs, job.target.journal());
    inputs.selection.own.extend(journals);
    let journal = job.target.journal();
    let undo = journal.map(|journal| runs::undo_command(args, journal));
    let writes_files = job.target.is_files();
    let changes = match job.target {
        Target::Diff | Target::Files(FileTarget::Nowhere) => Changes::Shown,
        _ => Changes::Written,
    };
    let run = Run {
        threads: args.files.threads.map_or(0, usize::from),
        report: &args.report,
        overrides: inputs::overrides(&args.documents),
        unique: false,
        changes,
        tables: Tables::new(destination.dry_run, args.report.stats),
        summary: match job.target {
            _ if args.report.json => EndReport::OnRequest,
            Target::Stdout => EndReport::OfLeft,
            Target::Diff => EndReport::AfterDiff(Next::new(args, inputs.has_stdin())),
            Target::Files(_) => EndReport::Always,
        },
        // A resumed run does not warn: rules may have matched before the interruption.
        rules: Some(&rules).filter(|_| !is_resumed),
        writes_files,
        prints: args.report.json || !(writes_files || args.report.quiet),
        inputs,
    };
    let finished = run.run(&job);
    finish(args, &mut job.target, undo)?;
    let mut totals = finished?.totals;
    if let Some(index) = &index {
        let message = index.write(temp_files)?;
        if !args.report.quiet {
            complain(message);
        }
    }
    if let Some(html) = html {
        html.write(&mut totals, &rules, changes, temp_files)?;
    }
    Ok(status(args, &totals))
}

/// Sets the files that a run to a target reads.
fn select(inputs: &mut Inputs, args: &RewriteArgs, target: &Target) {
    // In an output directory, each path of a file has its own copy.
    inputs.selection.once = !matches!(target, Target::Files(FileTarget::Output(_)));
    inputs.selection.once_per_inode = args.destination.in_place;
    // A diff and a dry run show what -i would do.
    let goes_elsewhere = args.destination.output.is_some();
    if !(args.files.gitignore || args.files.no_gitignore || goes_elsewhere) {
        inputs.selection.gitignore = GitIgnore::InWorkTrees;
    }
    inputs.selection.refuse_links = !(goes_elsewhere || matches!(target, Target::Stdout));
    // A document on standard output replaces no file.
    if !matches!(target, Target::Stdout) {
        let options = args.option_files().chain(args.config.config.as_deref());
        let real = options.filter_map(|path| fs::canonicalize(path).ok());
        inputs.selection.options.extend(real);
    }
    let backup = &args.destination.backup;
    inputs.selection.backup_suffix.clone_from(backup);
}

/// Ends the output directory or the journal of a run. `undo`: the command that undoes the run.
fn finish(args: &RewriteArgs, target: &mut Target, undo: Option<String>) -> Result<(), Failure> {
    if let Target::Files(FileTarget::Output(tree)) = &*target {
        tree.finish()?;
        let replaced = tree.replaced();
        if replaced > 0 && !args.report.quiet {
            let directory = args.destination.output.as_deref().unwrap_or(Path::new(""));
            let files = number(replaced, "file");
            complain(format_args!(
                "{files} in `{}` replaced",
                inputs::shown(directory)
            ));
        }
    }
    if let (Target::Files(FileTarget::InPlace(in_place)), Some(undo)) = (target, undo)
        && let Some(journal) = in_place.journal.take()
        && journal.end()? > 0
        && !args.report.quiet
    {
        complain(format_args!("`{undo}` restores the files"));
    }
    Ok(())
}

/// The exit status of a run without an error of its own.
fn status(args: &RewriteArgs, totals: &Totals) -> Status {
    // A document that could not be read may have had links.
    let incomplete = totals.left > 0 || totals.skipped.contains_key(&SkipReason::Charset);
    match totals.failure() {
        Some(status) => status,
        None if args.strict && incomplete => Status::Incomplete,
        None if args.fail_left_behind && totals.left_behind.count() > 0 => Status::Incomplete,
        None if args.destination.check && totals.files_changed > 0 => Status::Incomplete,
        None => Status::Success,
    }
}

/// The destination of rewritten documents.
enum Target {
    Diff,
    Stdout,
    Files(FileTarget),
}

impl Target {
    fn is_files(&self) -> bool {
        matches!(self, Target::Files(target) if target.is_files())
    }

    fn journal(&self) -> Option<&Journal> {
        match self {
            Target::Files(target) => target.journal(),
            _ => None,
        }
    }
}

fn target(args: &RewriteArgs, inputs: &Inputs) -> Result<Target, Failure> {
    let destination = &args.destination;
    let option = match destination {
        _ if destination.in_place => Some("--in-place"),
        _ if destination.output.is_some() => Some("--output"),
        _ => None,
    };
    if destination.in_place && !destination.dry_run && inputs.implicit && !inputs.has_stdin() {
        return Err(Failure::new(
            "--in-place replaces only named files: name them, or `.` for all files in this directory",
        ));
    }
    if let (true, Some(option)) = (inputs.has_stdin(), option) {
        return Err(Failure::new(format!(
            "{option} cannot be used with standard input: name the files, or `.` for all files in this directory"
        )));
    }
    if inputs.has_stdin() && !inputs.is_single() {
        return Err(Failure::new(
            "standard input can only be rewritten alone: expected `-`, found other PATHs too",
        ));
    }
    if destination.stdout && !inputs.is_single() {
        return Err(Failure::new(
            "--stdout takes one file: expected one PATH that is not a directory",
        ));
    }
    let tree = match &destination.output {
        Some(directory) => Some(OutputTree::new(directory, &inputs.roots)?),
        None => None,
    };
    Ok(match tree {
        _ if destination.dry_run => Target::Files(FileTarget::Nowhere),
        Some(tree) => Target::Files(FileTarget::Output(tree)),
        None if destination.in_place => Target::Files(FileTarget::InPlace(Box::new(InPlace {
            journal: None,
            backup: destination.backup.clone(),
            follow: args.files.follow,
        }))),
        None if args.report.json => Target::Files(FileTarget::Nowhere),
        None if destination.check => Target::Diff,
        // A setting of the project holds for its files.
        None if inputs.has_stdin() && destination.diff_is_configured => Target::Stdout,
        None if destination.diff.is_some() => Target::Diff,
        None if destination.stdout || inputs.has_stdin() => Target::Stdout,
        None => Target::Diff,
    })
}

/// The rewriter that the arguments describe.
fn rewriter(
    args: &RewriteArgs,
    settings: &Settings,
    rules: &SiteRules,
) -> Result<Rewriter, Failure> {
    if let (Form::Same, Some(host)) = (args.form(), args.host)
        && host != HostForm::Keep
    {
        let name = name_of(HOSTS, host);
        return Err(Failure::new(format!(
            "expected --to uri or --to iri with --host {name}, found --to same, which leaves hosts unchanged"
        )));
    }
    let mut rewriter = Rewriter::new()
        .settings(settings.clone())
        .to(args.form())
        .display(args.display)
        .rules(rules.rules.clone())
        .references(args.references())
        .break_signatures(args.break_signatures)
        .reach(if args.rules.map_resolved {
            Reach::Resolved
        } else {
            Reach::AnySpelling
        });
    if let Some(host) = args.host {
        rewriter = rewriter.host(host);
    }
    if let Some(charset) = args.to_charset {
        rewriter = rewriter.to_charset(charset);
    }
    if let Some(least) = args.min_evidence {
        rewriter = rewriter.min_evidence(least);
    }
    if !args.slots.is_empty() {
        rewriter = rewriter.slots(args.slots.iter().copied());
    }
    Ok(rewriter)
}
