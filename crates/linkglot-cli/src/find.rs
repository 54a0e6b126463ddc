//! The command `find`.

use super::args::{FindArgs, Form};
use super::breakdown::DocumentBreakdown;
use super::describe::{
    CountingReader, charset, describe, is_whole_document, known_charset, part_name, read_as_text,
    skip_reason, unread, unread_parts,
};
use super::hosts::HostTable;
use super::inputs::{self, Inputs};
use super::json::{self, DocumentFields, PathObject};
use super::outbox::{News, Outbox};
use super::output::{Isolation, Styles, push_one_line, push_styled};
use super::run::{EndReport, Job, PathStyle, Run};
use super::tables::Tables;
use super::totals::{Changes, Counts};
use super::{Failure, Status};
use linkglot::link::Info;
use linkglot::notes::Note;
use linkglot::rewrite::{self, DocumentForms, Forms, LinkForms};
use linkglot::stream::{read_charsets, read_links};
use linkglot::{Document, Error, Link, Settings};
use linkglot_files::filter::{Filter, host_of};
use linkglot_files::{
    Attachments, Bases, Content, Document as FileDocument, FileEntry, Overrides, check_stream,
};
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::Path;

/// Runs the command.
pub fn run(args: &FindArgs) -> Result<Status, Failure> {
    let inputs = Inputs::new(&args.files)?;
    let finder = Finder::new(args, &inputs)?;
    let run = Run {
        tables: Tables::new(false, args.report.stats),
        inputs,
        threads: args.files.threads.map_or(0, usize::from),
        report: &args.report,
        overrides: inputs::overrides(&args.documents),
        unique: args.unique && !args.count,
        changes: Changes::None,
        rules: None,
        summary: EndReport::OnRequest,
        writes_files: false,
        prints: !args.report.quiet,
    };
    let finished = run.run(&finder)?;
    Ok(match finished.totals.failure() {
        _ if finished.stopped => Status::Success,
        Some(status) => status,
        None if finished.totals.links == 0 && !args.charsets => Status::Incomplete,
        None => Status::Success,
    })
}

/// The form of the output.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Print {
    /// Each link with its place.
    Lines,
    /// Each link alone.
    Links,
    /// An object for each link.
    Objects,
    /// The number of links of each file.
    Counts,
    /// Counts, as objects.
    CountObjects,
    /// The names of files with links.
    Names,
    /// The charset of each file.
    Charsets,
    /// Charsets, as objects.
    CharsetObjects,
    /// The hosts of all files together.
    Hosts,
    /// No output.
    Nothing,
}

impl Print {
    fn new(args: &FindArgs) -> Self {
        match args {
            _ if args.report.quiet => Print::Nothing,
            _ if args.report.json && args.charsets => Print::CharsetObjects,
            _ if args.charsets => Print::Charsets,
            _ if args.by_host => Print::Hosts,
            _ if args.report.json && args.count => Print::CountObjects,
            _ if args.report.json => Print::Objects,
            _ if args.only_links => Print::Links,
            _ if args.count => Print::Counts,
            _ if args.files_with_links => Print::Names,
            _ => Print::Lines,
        }
    }

    fn is_charsets(self) -> bool {
        matches!(self, Print::Charsets | Print::CharsetObjects)
    }
}

struct Finder {
    settings: Settings,
    bases: Bases,
    filter: Filter,
    reads_requests: bool,
    print: Print,
    form: Form,
    unique: bool,
    verbose: bool,
    counts_charsets: bool,
    /// True if the first link ends the run.
    stops_at_first: bool,
    /// True if lines begin with the path.
    prints_paths: bool,
    styles: Styles,
    isolation: Isolation,
    path_style: PathStyle,
    hosts: HostTable,
    prints_objects: bool,
    overrides: Overrides,
    /// True if containers are told from other files.
    enters: bool,
}

/// The bytes by which a stream is known.
const HEAD: u64 = 1024;

impl Finder {
    fn new(args: &FindArgs, inputs: &Inputs) -> Result<Self, Failure> {
        let print = Print::new(args);
        let mut settings = inputs::settings(&args.documents)?;
        settings.locate = matches!(print, Print::Lines | Print::Objects);
        settings.labels = print == Print::Objects;
        let filter = args.filter.filter();
        filter.prepare(&mut settings);
        Ok(Finder {
            bases: Bases::new(settings.base.clone(), &inputs.roots),
            settings,
            filter,
            reads_requests: args.filter.requests,
            print,
            form: args.form,
            unique: args.unique,
            verbose: args.report.verbose,
            counts_charsets: args.report.stats,
            stops_at_first: args.report.quiet && !args.report.stats,
            prints_paths: inputs.has_paths(),
            styles: Styles::new(&args.report),
            isolation: Isolation::for_stdout(args.isolate),
            path_style: PathStyle::new(inputs),
            hosts: HostTable::default(),
            prints_objects: args.report.json,
            overrides: inputs::overrides(&args.documents),
            enters: inputs.selection.containers,
        })
    }

    /// The path at the beginning of lines.
    fn prefix(&self, path: &Path) -> Vec<u8> {
        let mut prefix = Vec::new();
        let name = self.styles.controls.path(path);
        push_styled(&mut prefix, self.styles.path, &name);
        prefix.push(b':');
        prefix
    }

    /// The first bytes of a stream, which must be a document.
    fn head(&self, reader: &mut dyn Read) -> Result<Vec<u8>, Error> {
        let mut head = Vec::new();
        reader.take(HEAD).read_to_end(&mut head)?;
        check_stream(&head, self.enters, self.overrides)?;
        Ok(head)
    }

    /// Source bytes stay as they are: they can be in any charset.
    fn isolated<'t>(&self, form: &'t [u8]) -> Cow<'t, [u8]> {
        if self.isolation == Isolation::Off || self.form == Form::Raw {
            return Cow::Borrowed(form);
        }
        match std::str::from_utf8(form) {
            Ok(text) => bytes_of(self.isolation.apply(text)),
            Err(_) => Cow::Borrowed(form),
        }
    }
}

impl Job for Finder {
    fn file(
        &self,
        entry: &FileEntry,
        document: FileDocument<'_>,
        outbox: &mut Outbox<'_>,
    ) -> Result<Counts, Error> {
        let mut settings = inputs::settings_for_file(&self.settings, &self.bases, entry);
        if let Some(attachments) = document.attachments {
            attachments.leave(&mut settings);
        }
        let path = self.path_style.apply(&entry.path);
        let mut search = Search::new(self, &settings, path, outbox);
        search.path_object = PathObject::of_document(path, entry.archived());
        search.attachments = document.attachments;
        // A file that is no archive by its name may have one attached.
        if entry.is_in_archive() {
            search.prefix = self.prefix(path);
        }
        let print = self.print;
        let searched = match document.content {
            Content::Whole(bytes) => search.slice(&bytes),
            Content::Large(mut file) if document.source.is_regular() => search.stream(&mut file),
            Content::Large(mut pipe) => {
                let head = self.head(&mut pipe)?;
                search.stream(&mut head.chain(pipe))
            }
            Content::Stream(mut reader) => search.stream(&mut reader).and_then(|()| {
                // Charsets take the begin of a document. What is damaged is told.
                if print.is_charsets() {
                    io::copy(&mut reader, &mut io::sink())?;
                }
                Ok(())
            }),
        };
        match searched {
            // The links in front of the error count.
            Err(error) if search.counts.links > 0 && !search.outbox.is_stopped() => {
                let counts = search.end();
                outbox.send(News::Failed(entry.path.clone(), error));
                Ok(counts)
            }
            searched => searched.map(|()| search.end()),
        }
    }

    fn stdin(&self, reader: &mut dyn Read, outbox: &mut Outbox<'_>) -> Result<Counts, Error> {
        let head = self.head(reader)?;
        let mut search = Search::new(self, &self.settings, Path::new("-"), outbox);
        search.stream(&mut head.chain(reader))?;
        Ok(search.end())
    }

    fn reads_requests(&self) -> bool {
        self.reads_requests
    }

    fn end(&self) -> Vec<u8> {
        match self.print {
            Print::Hosts => self.hosts.print(self.prints_objects),
            _ => Vec::new(),
        }
    }
}

/// The search in one document.
struct Search<'f, 'l> {
    finder: &'f Finder,
    settings: &'f Settings,
    path: &'f Path,
    path_object: PathObject,
    /// The common first fields of all link objects.
    document: OnceCell<DocumentFields>,
    /// The path at the beginning of lines, if any.
    prefix: Vec<u8>,
    outbox: &'f mut Outbox<'l>,
    /// The fingerprints of the links so far, if each link is counted once.
    seen: HashSet<u128>,
    /// Number of links to each host, if hosts are printed.
    hosts: BTreeMap<String, u64>,
    counts: Counts,
    charset: Option<&'static str>,
    forms: OnceCell<DocumentForms>,
    /// The part of mail that holds the last link.
    part: (u64, String),
    attachments: Option<&'f Attachments>,
}

impl<'f, 'l> Search<'f, 'l> {
    fn new(
        finder: &'f Finder,
        settings: &'f Settings,
        path: &'f Path,
        outbox: &'f mut Outbox<'l>,
    ) -> Self {
        let prefix = if finder.prints_paths {
            finder.prefix(path)
        } else {
            Vec::new()
        };
        Search {
            finder,
            settings,
            path,
            path_object: PathObject::new(path),
            document: OnceCell::new(),
            prefix,
            outbox,
            seen: HashSet::new(),
            hosts: BTreeMap::new(),
            counts: Counts::default(),
            charset: None,
            forms: OnceCell::new(),
            part: (0, String::new()),
            attachments: None,
        }
    }

    fn slice(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.counts.bytes = bytes.len() as u64;
        let settings = self.settings;
        if self.finder.print.is_charsets() {
            return self.charsets(&mut &*bytes);
        }
        if self.finder.print == Print::Objects {
            let info = Forms::new(settings).read_slice(bytes, &mut |link, forms, info| {
                self.print_object(link, forms, info)
            })?;
            return self.describe(&info);
        }
        if is_long_mail(bytes, settings) {
            return self.stream(&mut &*bytes);
        }
        let document = Document::new(bytes, settings);
        self.describe(document.info())?;
        for link in document.links() {
            if let Some(error) = link.error() {
                return Err(error);
            }
            let info = document.info_of(&link);
            if self.link(&link, info, Some(bytes)).is_break() {
                break;
            }
        }
        self.report_text(document.info());
        Ok(())
    }

    fn stream(&mut self, reader: &mut dyn Read) -> Result<(), Error> {
        let mut reader = CountingReader::new(reader);
        let settings = self.settings;
        if self.finder.print.is_charsets() {
            self.charsets(&mut reader)?;
            self.counts.bytes = reader.count();
            return Ok(());
        }
        let read = match self.finder.print {
            Print::Objects => Forms::new(settings).read(&mut reader, &mut |link, forms, info| {
                self.print_object(link, forms, info)
            }),
            _ => read_links(&mut reader, settings, &mut |link, info| {
                self.link(link, info, None)
            }),
        };
        self.counts.bytes = reader.count();
        self.describe(&read?)
    }

    /// Prints the charset of a document, or of each part of a message.
    fn charsets(&mut self, reader: &mut dyn Read) -> Result<(), Error> {
        let settings = self.settings;
        let info = read_charsets(reader, settings, &mut |info, malformed_at| {
            self.print_charset(info, malformed_at);
        })?;
        known_charset(&info)?;
        if let Some(attachments) = self.attachments {
            attachments.see(&info, self.settings);
        }
        self.counts.unread.clone_from(&info.unread.counts);
        unread_parts(self.path, &info, self.outbox, self.finder.verbose);
        Ok(())
    }

    fn print_charset(&mut self, info: &Info, malformed_at: Option<u64>) {
        let (styles, out) = (self.finder.styles, self.outbox.buffer());
        if self.finder.print == Print::CharsetObjects {
            json::file(out, &self.path_object, info, malformed_at);
            return;
        }
        push_styled(out, styles.path, &styles.controls.path(self.path));
        let part = info.part().map(part_name);
        let part = part.map_or(String::new(), |part| format!(" part {part}:"));
        let malformed = malformed_at.map_or(String::new(), |at| {
            let note = info.note_of_malformed().code();
            format!(", malformed at byte {at} ({note})")
        });
        out.extend_from_slice(format!(":{part} {}{malformed}\n", charset(info)).as_bytes());
    }

    /// Reports how the document was read, or that it was not read.
    fn describe(&mut self, info: &Info) -> Result<(), Error> {
        if let Some(attachments) = self.attachments {
            attachments.see(info, self.settings);
        }
        self.charset = Some(info.charset.name());
        known_charset(info)?;
        self.counts.skipped = skip_reason(info);
        self.counts.unread.clone_from(&info.unread.counts);
        unread_parts(self.path, info, self.outbox, self.finder.verbose);
        if self.finder.verbose {
            self.message(describe(info));
        }
        self.report_text(info);
        Ok(())
    }

    /// Reports that the document was read as running text from a byte on.
    fn report_text(&mut self, info: &Info) {
        let Some(from) = info.text_from() else {
            return;
        };
        if self.finder.print == Print::Objects {
            json::read_as_text(self.outbox.buffer(), &self.path_object, info, from);
        }
        if self.finder.verbose {
            self.message(read_as_text(from));
        }
    }

    fn message(&mut self, message: String) {
        let event = News::Message(self.path.to_owned(), message);
        self.outbox.send(event);
    }

    fn link(&mut self, link: &Link<'_>, info: &Info, source: Option<&[u8]>) -> ControlFlow<()> {
        if link.notes().contains(Note::TooLong) {
            self.report_too_long(link);
            return ControlFlow::Continue(());
        }
        if !self.finder.filter.accepts(link, info) {
            return ControlFlow::Continue(());
        }
        self.enter_part(link);
        self.print_link(link, info, source);
        // Behind links of a message, there may be archives.
        let is_mail = self.attachments.is_some() && link.part().is_some();
        let enough = self.finder.stops_at_first || self.finder.print == Print::Names && !is_mail;
        if enough || self.outbox.is_stopped() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    /// Records a new part of mail: each part has a charset of its own.
    fn enter_part(&mut self, link: &Link<'_>) {
        let Some(part) = link.part() else {
            return;
        };
        if self.part.0 != part.message() || self.part.1 != part.number() {
            self.part = (part.message(), part.number().to_owned());
            self.document.take();
            self.forms.take();
        }
    }

    fn print_link(&mut self, link: &Link<'_>, info: &Info, source: Option<&[u8]>) {
        let print = self.finder.print;
        if matches!(print, Print::Counts | Print::CountObjects) && self.finder.unique {
            let fingerprint = fingerprint(self.form(link, info, source).as_ref());
            self.counts.links += u64::from(self.seen.insert(fingerprint));
            return;
        }
        self.counts.links += 1;
        if self.finder.stops_at_first {
            self.outbox.send(News::Stop);
        }
        if print == Print::Hosts
            && let Some(host) = host_of(link, info)
        {
            *self.hosts.entry(host).or_default() += 1;
        }
        if matches!(print, Print::Lines | Print::Links) {
            let form = self.form(link, info, source);
            self.print_line(link, &form);
        }
    }

    /// Prints the object of a link, or of a place that was too long to read.
    fn print_object(&mut self, link: &Link<'_>, forms: &LinkForms, info: &Info) -> ControlFlow<()> {
        let too_long = link.notes().contains(Note::TooLong);
        if !too_long && !self.finder.filter.accepts(link, info) {
            return ControlFlow::Continue(());
        }
        self.enter_part(link);
        let document = self
            .document
            .get_or_init(|| DocumentFields::new(&self.path_object, info));
        json::link(self.outbox.buffer(), document, info, link, forms);
        if too_long {
            let start = link.span().start;
            self.end_entry(|search| format!("{}:{start}", search.path.display()));
            if is_whole_document(link) {
                self.outbox.send(unread(self.path, link));
            }
        } else {
            self.counts.links += 1;
            self.end_entry(|_| [link.implied().unwrap_or_default(), link.text()].join(":"));
        }
        if self.outbox.is_stopped() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Reports a place, or a document, that was too long to read.
    fn report_too_long(&mut self, link: &Link<'_>) {
        if is_whole_document(link) {
            self.outbox.send(unread(self.path, link));
        } else {
            let start = link.span().start;
            let words = "a value longer than --max-slot was not searched";
            self.message(format!("at byte {start}: {words}"));
        }
    }

    fn print_line(&mut self, link: &Link<'_>, form: &[u8]) {
        let styles = self.finder.styles;
        let out = self.outbox.buffer();
        if self.finder.print == Print::Lines {
            out.extend_from_slice(&self.prefix);
            if let Some(location) = link.location() {
                for number in [location.line, location.column] {
                    push_styled(out, styles.number, number.to_string().as_bytes());
                    out.push(b':');
                }
            }
        }
        let mut line = Vec::with_capacity(form.len());
        // A terminal should obey the isolates around the link, so only the link is escaped.
        let shown = styles.controls.apply(form);
        push_one_line(&mut line, &self.finder.isolated(&shown));
        push_styled(out, styles.link, &line);
        out.push(b'\n');
        self.end_entry(|_| form);
    }

    /// Ends a line or an object. With `--unique` it is printed once for each `text`.
    fn end_entry<T: AsRef<[u8]>>(&mut self, text: impl FnOnce(&Self) -> T) {
        let key = self.finder.unique.then(|| fingerprint(text(self).as_ref()));
        self.outbox.end_entry(key);
    }

    /// The link in the form given by `--as`.
    fn form<'t>(&self, link: &'t Link<'_>, info: &Info, source: Option<&'t [u8]>) -> Cow<'t, [u8]> {
        let mapped = |form| {
            let forms = || Forms::new(self.settings).of_document(info);
            let (mapped, _) = self.forms.get_or_init(forms).of(link, form);
            mapped.map(String::into_bytes).map(Cow::Owned)
        };
        let form = match self.finder.form {
            Form::Text => None,
            Form::Raw => Some(raw(link, info, source)),
            Form::Uri => mapped(rewrite::Form::Uri),
            Form::Iri => mapped(rewrite::Form::Iri),
        };
        form.unwrap_or(Cow::Borrowed(link.text().as_bytes()))
    }

    /// Prints results that are complete only at the end of the document.
    fn end(mut self) -> Counts {
        let charset = self.charset.filter(|_| self.finder.counts_charsets);
        let breakdown = charset.map(|name| DocumentBreakdown::of(name, self.counts.links));
        self.counts.breakdown = breakdown.map(Box::new);
        let styles = self.finder.styles;
        let (links, out) = (self.counts.links, self.outbox.buffer());
        match self.finder.print {
            Print::Names if links > 0 => {
                push_styled(out, styles.path, &styles.controls.path(self.path));
                out.push(b'\n');
            }
            Print::Counts if links > 0 => {
                out.extend_from_slice(&self.prefix);
                out.extend_from_slice(format!("{links}\n").as_bytes());
            }
            Print::CountObjects if links > 0 => json::count(out, &self.path_object, links),
            Print::Hosts => self.finder.hosts.add(self.hosts),
            _ => {}
        }
        self.outbox.end_entry(None);
        self.counts
    }
}

/// The source bytes of a link. In a charset that is not a superset of ASCII they are decoded, because lines of output
/// end with a single byte.
fn raw<'t>(link: &'t Link<'_>, info: &Info, source: Option<&'t [u8]>) -> Cow<'t, [u8]> {
    let decoded = link.raw();
    // The bytes in a part of mail may be encoded.
    if !info.charset.is_ascii_compatible() || link.part().is_some() {
        return Cow::Owned(decoded.into_owned().into_bytes());
    }
    let span = link.span();
    let bytes = source.and_then(|source| source.get(span.start as usize..span.end as usize));
    if let Some(bytes) = bytes {
        return Cow::Borrowed(bytes);
    }
    let mut bytes = Vec::new();
    match info.charset.encode(&decoded, &mut bytes) {
        Ok(()) => Cow::Owned(bytes),
        Err(_) => Cow::Owned(decoded.into_owned().into_bytes()),
    }
}

fn bytes_of(text: Cow<'_, str>) -> Cow<'_, [u8]> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}

/// True if a document is mail that may have many parts, each of which takes memory as long as the document is held.
fn is_long_mail(bytes: &[u8], settings: &Settings) -> bool {
    const HEAD: usize = 4 << 10;
    let head = &bytes[..bytes.len().min(HEAD)];
    bytes.len() > 16 * HEAD && Document::new(head, settings).info().format.is_mail()
}

/// A hash of a text, long enough to treat equal hashes as equal texts.
fn fingerprint(text: &[u8]) -> u128 {
    let half = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        (salt, text).hash(&mut hasher);
        u128::from(hasher.finish())
    };
    half(0) << 64 | half(1)
}
