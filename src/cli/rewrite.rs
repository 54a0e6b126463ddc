//! `rewrite`.

use super::args::{Host, Query, RewriteArgs, Show, ToForm};
use super::bases::Bases;
use super::desk::{Desk, Event};
use super::diff;
use super::files::{Job, Run, Shown, unread};
use super::find;
use super::inputs::{self, Inputs};
use super::json::{self, PathObject};
use super::output::{Styles, escaped, on_one_line, path_on_one_line};
use super::reading::Counted;
use super::totals::{Counts, Totals};
use super::{Code, Failure};
use clap::ValueEnum;
use linkglot::driver::{
    Content, Destination, FileEntry, Scratch, SkipReason, Source, Tree, copy_file, copy_symlink,
    rewrite_source,
};
use linkglot::iri::{HostForm, QueryCharset, to_iri};
use linkglot::link::Info;
use linkglot::markup::PlaceKind;
use linkglot::markup::html::CommentSlots;
use linkglot::rewrite::{Form, Mapping, Outcome, Reach, Tally, rewrite, rewrite_slice};
use linkglot::{Error, ErrorKind, Settings};
use std::fs;
use std::io::{self, Read, Seek};
use std::path::Path;

/// Runs the command.
pub fn run(args: &RewriteArgs, scratch: &Scratch) -> Result<Code, Failure> {
    let mut inputs = Inputs::new(&args.files)?;
    let target = target(args, &inputs)?;
    inputs.selection.once = !matches!(target, Target::Output(_));
    let rewriter = Rewriter::new(args, &inputs, target, scratch)?;
    let writes_files = matches!(rewriter.target, Target::InPlace | Target::Output(_));
    let run = Run {
        threads: args.files.threads.map_or(0, usize::from),
        report: &args.report,
        insisted: inputs::insisted(&args.documents),
        unique: false,
        rewrites: true,
        sums_up: !args.report.json && (writes_files || args.dry_run),
        prints: args.report.json || !(writes_files || args.report.quiet),
        inputs,
    };
    let finished = run.run(&rewriter);
    if let Target::Output(tree) = &rewriter.target {
        tree.finish()?;
    }
    let finished = finished?;
    Ok(code(&finished.totals, args.strict))
}

fn code(totals: &Totals, strict: bool) -> Code {
    match totals {
        Totals {
            errors: 1..,
            files: 0,
            ..
        } => Code::Nothing,
        Totals { errors: 1.., .. } => Code::SomeFailed,
        Totals { left: 1.., .. } if strict => Code::Less,
        // Nobody knows whether there were links.
        Totals { skipped, .. } if strict && skipped.contains_key(&SkipReason::Charset) => {
            Code::Less
        }
        _ => Code::Done,
    }
}

/// Where the rewritten documents go.
enum Target {
    Diff,
    Stdout,
    InPlace,
    Output(Tree),
    Nowhere,
}

fn target(args: &RewriteArgs, inputs: &Inputs) -> Result<Target, Failure> {
    let option = match args {
        _ if args.in_place => Some("--in-place"),
        _ if args.output.is_some() => Some("--output"),
        _ => None,
    };
    if let (true, Some(option)) = (inputs.has_stdin(), option) {
        return Err(Failure::new(format!(
            "{option} cannot be used with standard input: name the files, `.` for those below this directory"
        )));
    }
    if inputs.has_stdin() && !inputs.is_single() {
        return Err(Failure::new(
            "standard input can only be rewritten alone: expected `-`, found other PATHs beside it",
        ));
    }
    if args.stdout && !inputs.is_single() {
        return Err(Failure::new(
            "--stdout takes one file: expected one PATH that is no directory",
        ));
    }
    let tree = match &args.output {
        Some(directory) => Some(Tree::new(directory, &inputs.roots)?),
        None => None,
    };
    Ok(match tree {
        _ if args.dry_run => Target::Nowhere,
        Some(tree) => Target::Output(tree),
        None if args.in_place => Target::InPlace,
        None if args.report.json => Target::Nowhere,
        None if args.stdout || inputs.has_stdin() => Target::Stdout,
        None => Target::Diff,
    })
}

/// What the arguments say shall become of links.
fn mapping(args: &RewriteArgs) -> Result<Mapping, Failure> {
    let mut mapping = Mapping::new(match args.to {
        ToForm::Uri => Form::Uri,
        ToForm::Iri => Form::Iri,
        ToForm::Same => Form::Same,
    });
    if let (ToForm::Same, Some(host @ (Host::Punycode | Host::Unicode | Host::Percent))) =
        (args.to, args.host)
    {
        let name = host.to_possible_value();
        let name = name.as_ref().map_or("", |value| value.get_name());
        return Err(Failure::new(format!(
            "expected --to uri or --to iri with --host {name}, found --to same, which leaves hosts as they are"
        )));
    }
    mapping.host = args.host.map(host_form);
    mapping.display = match args.display {
        Show::Safe => to_iri::Display::Safe,
        Show::All => to_iri::Display::All,
    };
    mapping.reach = match args.map_resolved {
        true => Reach::Resolved,
        false => Reach::AsWritten,
    };
    mapping.slots = (!args.slots.is_empty()).then(|| args.slots.clone());
    for rule in &args.map {
        let added = mapping.rules.add(rule);
        added.map_err(|error| Failure::new(format!("--map: {error}")))?;
    }
    for path in &args.map_file {
        let added = mapping.rules.add_file(&inputs::text_of(path)?);
        added.map_err(|error| Failure::of_path(path, &error))?;
    }
    Ok(mapping)
}

/// The library's word for a form of hosts.
pub fn host_form(host: Host) -> HostForm {
    match host {
        Host::Punycode => HostForm::Punycode,
        Host::Unicode => HostForm::Unicode,
        Host::Percent => HostForm::Percent,
        Host::Keep => HostForm::Keep,
    }
}

/// The library's word for the charset of queries.
pub fn query_charset(query: Query) -> QueryCharset {
    match query {
        Query::Document => QueryCharset::Document,
        Query::Utf8 => QueryCharset::Utf8,
    }
}

/// How the changes are told.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tell {
    Nothing,
    Table,
    Json,
}

struct Rewriter<'a> {
    settings: Settings,
    bases: Bases,
    mapping: Mapping,
    target: Target,
    tell: Tell,
    verbose: bool,
    quiet: bool,
    follow: bool,
    /// Whether lines of the table begin with the path.
    paths: bool,
    styles: Styles,
    shown: Shown,
    scratch: &'a Scratch,
}

impl<'a> Rewriter<'a> {
    fn new(
        args: &RewriteArgs,
        inputs: &Inputs,
        target: Target,
        scratch: &'a Scratch,
    ) -> Result<Self, Failure> {
        let tell = match args {
            _ if args.report.json => Tell::Json,
            _ if args.dry_run && !args.report.quiet => Tell::Table,
            _ => Tell::Nothing,
        };
        let mut settings = inputs::settings(&args.documents)?;
        if args.slots.contains(&PlaceKind::Comment) {
            settings.comments = CommentSlots::All;
        }
        settings.query_charset = args.query_charset.map(query_charset);
        settings.locate = tell != Tell::Nothing || args.report.verbose;
        Ok(Rewriter {
            bases: Bases::new(&args.documents, inputs),
            settings,
            mapping: mapping(args)?,
            target,
            tell,
            verbose: args.report.verbose,
            quiet: args.report.quiet,
            follow: args.files.follow,
            paths: !inputs.is_single(),
            styles: Styles::wanted(&args.report),
            shown: Shown::new(inputs),
            scratch,
        })
    }

    fn settings_for(&self, entry: &FileEntry) -> Settings {
        let mut settings = self.settings.clone();
        settings.name = Some(entry.path.to_string_lossy().into_owned());
        settings.base = self.bases.of(entry);
        settings
    }

    /// Tells what became of a link.
    fn tell(&self, path: &Path, outcome: &Outcome<'_>, info: &Info, desk: &mut Desk<'_>) {
        match self.tell {
            Tell::Nothing => {}
            Tell::Json => {
                json::edit(desk.out(), &PathObject::new(path), info, outcome);
                desk.entry(None);
            }
            Tell::Table => {
                self.row(path, outcome, desk.out());
                desk.entry(None);
            }
        }
        if is_told(self.verbose, outcome) {
            desk.tell(Event::Told(path.to_owned(), left(outcome)));
        }
    }

    /// Place, old link, new link; `-` and the notes for one that is left.
    fn row(&self, path: &Path, outcome: &Outcome<'_>, out: &mut Vec<u8>) {
        if self.paths {
            path_on_one_line(out, path);
            out.push(b':');
        }
        out.extend_from_slice(place(outcome).as_bytes());
        out.push(b'\t');
        on_one_line(out, &escaped(outcome.link.text().as_bytes()));
        out.push(b'\t');
        match outcome.new {
            Some(new) => on_one_line(out, &escaped(new.as_bytes())),
            None => {
                let mut notes = outcome.notes;
                notes.extend(outcome.link.notes());
                let notes = json::codes(notes).join(",");
                out.extend_from_slice(format!("-\t{notes}").as_bytes());
            }
        }
        out.push(b'\n');
    }

    fn diff(
        &self,
        entry: &FileEntry,
        source: &Source,
        content: Content,
        desk: &mut Desk<'_>,
    ) -> Result<(Info, Tally), Error> {
        let path = self.shown.path(&entry.path);
        let settings = self.settings_for(entry);
        match content {
            Content::Whole(old) => {
                let mut each = |outcome: &Outcome<'_>, info: &Info| {
                    self.tell(path, outcome, info, desk);
                };
                let (new, info, tally) = rewrite_slice(&old, &settings, &self.mapping, &mut each);
                if let Some(new) = new {
                    self.write_diff(path, &info, (&mut &old[..], &mut &new[..]), desk)?;
                }
                Ok((info, tally))
            }
            Content::Large(mut old) => {
                let mut new = tempfile::tempfile()?;
                let content = Content::Large(old.try_clone()?);
                let mut each = |outcome: &Outcome<'_>, info: &Info| {
                    self.tell(path, outcome, info, desk);
                };
                let mut writer = io::BufWriter::with_capacity(64 * 1024, &mut new);
                let destination = Destination::Writer(&mut writer);
                let (info, tally) = rewrite_source(
                    source,
                    content,
                    &settings,
                    &self.mapping,
                    destination,
                    &mut each,
                )?;
                writer
                    .into_inner()
                    .map_err(io::IntoInnerError::into_error)?;
                if tally.changed > 0 {
                    old.rewind()?;
                    new.rewind()?;
                    self.write_diff(path, &info, (&mut old, &mut new), desk)?;
                }
                Ok((info, tally))
            }
        }
    }

    fn write_diff(
        &self,
        path: &Path,
        info: &Info,
        sides: (&mut dyn Read, &mut dyn Read),
        desk: &mut Desk<'_>,
    ) -> Result<(), Error> {
        if self.quiet {
            return Ok(());
        }
        Ok(diff::write(desk, path, info.charset, sides, self.styles)?)
    }

    fn to_files(
        &self,
        entry: &FileEntry,
        source: &Source,
        content: Content,
        desk: &mut Desk<'_>,
    ) -> Result<(Info, Tally), Error> {
        let path = self.shown.path(&entry.path);
        let settings = self.settings_for(entry);
        let mut place = None;
        if let Target::Output(tree) = &self.target {
            let target = tree.target_within(entry.root, &entry.path)?;
            Tree::prepare(&target)?;
            place = Some(target);
        }
        let destination = match (&self.target, &place) {
            (_, Some(target)) => Destination::File(self.scratch, target),
            (Target::InPlace, None) => {
                self.check_replaceable(entry)?;
                Destination::InPlace(self.scratch)
            }
            _ => Destination::Nowhere,
        };
        let mut each = |outcome: &Outcome<'_>, info: &Info| {
            self.tell(path, outcome, info, desk);
        };
        let (info, tally) = rewrite_source(
            source,
            content,
            &settings,
            &self.mapping,
            destination,
            &mut each,
        )?;
        if matches!(self.target, Target::InPlace) && tally.changed > 0 && !self.quiet {
            warn_of_hard_links(path, source, desk);
        }
        Ok((info, tally))
    }

    /// A symbolic link that somebody named is followed only on request.
    fn check_replaceable(&self, entry: &FileEntry) -> Result<(), Error> {
        if !self.follow && fs::symlink_metadata(&entry.path)?.is_symlink() {
            return Err(Error::new(
                ErrorKind::Io,
                "expected a file, found a symbolic link; -L replaces the file that it names",
            ));
        }
        Ok(())
    }

    fn to_stdout(
        &self,
        path: &Path,
        settings: &Settings,
        reader: &mut dyn Read,
        desk: &mut Desk<'_>,
    ) -> Result<Counts, Error> {
        let mut reader = Counted::new(reader);
        let (verbose, lane) = (self.verbose, desk.lane());
        let mut each = |outcome: &Outcome<'_>, _: &Info| {
            if is_told(verbose, outcome) {
                // Nobody to tell it: the writer will find out, too.
                let _ = lane.send(Event::Told(path.to_owned(), left(outcome)));
            }
        };
        let (info, tally) = rewrite(&mut reader, desk, settings, &self.mapping, &mut each)?;
        self.describe(path, &info, desk);
        Ok(self.counts(&info, tally, reader.count()))
    }

    fn counts(&self, info: &Info, tally: Tally, bytes: u64) -> Counts {
        Counts {
            bytes,
            links: tally.links,
            changed: tally.changed,
            left: tally.left,
            written: matches!(self.target, Target::InPlace | Target::Output(_)),
            skipped: unread(info),
        }
    }

    fn describe(&self, path: &Path, info: &Info, desk: &mut Desk<'_>) {
        if self.verbose {
            let from = json::known_from(info.charset_from);
            let (format, charset) = (info.format.name(), info.charset.name());
            let message = format!("{format}, {charset} ({from})");
            desk.tell(Event::Told(path.to_owned(), message));
        }
    }
}

impl Job for Rewriter<'_> {
    fn file(
        &self,
        entry: &FileEntry,
        source: Source,
        content: Content,
        desk: &mut Desk<'_>,
    ) -> Result<Counts, Error> {
        let path = self.shown.path(&entry.path);
        let bytes = match &content {
            Content::Whole(bytes) => bytes.len() as u64,
            Content::Large(_) => source.metadata().len(),
        };
        let (info, tally) = match (&self.target, content) {
            (Target::Stdout, Content::Whole(bytes)) => {
                let settings = self.settings_for(entry);
                return self.to_stdout(path, &settings, &mut &bytes[..], desk);
            }
            (Target::Stdout, Content::Large(mut file)) => {
                let settings = self.settings_for(entry);
                return self.to_stdout(path, &settings, &mut file, desk);
            }
            (Target::Diff, content) => self.diff(entry, &source, content, desk)?,
            (_, content) => self.to_files(entry, &source, content, desk)?,
        };
        self.describe(path, &info, desk);
        Ok(self.counts(&info, tally, bytes))
    }

    fn stdin(&self, reader: &mut dyn Read, desk: &mut Desk<'_>) -> Result<Counts, Error> {
        let path = Path::new("-");
        if matches!(self.target, Target::Stdout) {
            return self.to_stdout(path, &self.settings, reader, desk);
        }
        let mut reader = Counted::new(reader);
        let mut each = |outcome: &Outcome<'_>, info: &Info| self.tell(path, outcome, info, desk);
        let (info, tally) = rewrite(
            &mut reader,
            &mut io::sink(),
            &self.settings,
            &self.mapping,
            &mut each,
        )?;
        Ok(self.counts(&info, tally, reader.count()))
    }

    fn directory(&self, entry: &FileEntry) -> Result<(), Error> {
        match &self.target {
            Target::Output(tree) => tree.directory(entry.root, &entry.path),
            _ => Ok(()),
        }
    }

    /// A tree is copied whole: what is not rewritten goes as it is.
    fn skipped(&self, entry: &FileEntry, reason: SkipReason) -> Result<(), Error> {
        let Target::Output(tree) = &self.target else {
            return Ok(());
        };
        let target = tree.target_within(entry.root, &entry.path)?;
        match reason {
            SkipReason::Binary => copy_file(&Source::open(&entry.path)?, self.scratch, &target),
            SkipReason::SymbolicLink => copy_symlink(&entry.path, &target),
            _ => Ok(()),
        }
    }

    fn takes_pipes(&self) -> bool {
        matches!(self.target, Target::Stdout | Target::Nowhere)
    }
}

fn place(outcome: &Outcome<'_>) -> String {
    match outcome.link.location() {
        Some(location) => format!("{}:{}", location.line, location.column),
        None => format!("byte {}", outcome.link.span().start),
    }
}

/// Whether it is told that a link was left: of whole documents always.
fn is_told(verbose: bool, outcome: &Outcome<'_>) -> bool {
    outcome.new.is_none() && (verbose || find::is_document(outcome.link))
}

/// In words, why a link was left.
fn left(outcome: &Outcome<'_>) -> String {
    if find::is_document(outcome.link) {
        return find::DOCUMENT_TOO_LONG.to_owned();
    }
    let mut notes = outcome.notes;
    notes.extend(outcome.link.notes());
    let words: Vec<&str> = notes.iter().map(|note| note.words()).collect();
    let mut link = Vec::new();
    on_one_line(&mut link, outcome.link.text().as_bytes());
    let link = String::from_utf8_lossy(&link);
    format!("{}: `{link}`: {}", place(outcome), words.join("; "))
}

#[cfg(unix)]
fn warn_of_hard_links(path: &Path, source: &Source, desk: &mut Desk<'_>) {
    use std::os::unix::fs::MetadataExt;
    let names = source.metadata().nlink();
    if names > 1 {
        let message =
            format!("the file has {names} names (hard links); the others keep the old content");
        desk.tell(Event::Told(path.to_owned(), message));
    }
}

#[cfg(not(unix))]
fn warn_of_hard_links(_: &Path, _: &Source, _: &mut Desk<'_>) {}
