//! `find`.

use super::args::{FindArgs, Form, Kind, LinkKind, PatternArgs};
use super::bases::Bases;
use super::desk::{Desk, Event};
use super::files::{Job, Run, Shown, unread};
use super::inputs::{self, Inputs};
use super::json::{self, PathObject};
use super::output::{Styles, on_one_line, path_bytes, styled};
use super::reading::Counted;
use super::totals::{Counts, Totals};
use super::{Code, Failure};
use linkglot::driver::{Content, FileEntry, Source};
use linkglot::link::Info;
use linkglot::markup::html::CommentSlots;
use linkglot::markup::{Access, PlaceKind, light};
use linkglot::report::Note;
use linkglot::rewrite::{self, Forms, LinkForms, read_forms, read_forms_of_slice};
use linkglot::stream::read_links;
use linkglot::{Document, Error, Link, Settings};
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Read;
use std::ops::ControlFlow;
use std::path::Path;

/// Why nothing was read of a document.
pub const DOCUMENT_TOO_LONG: &str = "the document is longer than Markdown and reStructuredText are read, passed over (16 times --max-slot)";

/// Whether what was too long is a whole document.
pub fn is_document(link: &Link<'_>) -> bool {
    link.place().name.as_deref() == Some(light::DOCUMENT) && link.text().is_empty()
}

/// Runs the command.
pub fn run(args: &FindArgs) -> Result<Code, Failure> {
    let inputs = Inputs::new(&args.files)?;
    let finder = Finder::new(args, &inputs)?;
    let run = Run {
        inputs,
        threads: args.files.threads.map_or(0, usize::from),
        report: &args.report,
        insisted: inputs::insisted(&args.documents),
        unique: args.unique && !args.count,
        rewrites: false,
        sums_up: false,
        prints: !args.report.quiet,
    };
    let finished = run.run(&finder)?;
    Ok(code(&finished.totals, finished.enough))
}

fn code(totals: &Totals, enough: bool) -> Code {
    match totals {
        _ if enough => Code::Done,
        Totals {
            errors: 1..,
            files: 0,
            ..
        } => Code::Nothing,
        Totals { errors: 1.., .. } => Code::SomeFailed,
        Totals { links: 0, .. } => Code::Less,
        _ => Code::Done,
    }
}

/// What is printed of links.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Print {
    Lines,
    Links,
    Count,
    Names,
    Json,
    Nothing,
}

struct Finder<'a> {
    settings: Settings,
    bases: Bases,
    pattern: &'a PatternArgs,
    print: Print,
    form: Form,
    unique: bool,
    verbose: bool,
    /// Whether lines begin with the path.
    paths: bool,
    styles: Styles,
    shown: Shown,
}

impl<'a> Finder<'a> {
    fn new(args: &'a FindArgs, inputs: &Inputs) -> Result<Self, Failure> {
        let print = match args {
            _ if args.report.quiet => Print::Nothing,
            _ if args.report.json => Print::Json,
            _ if args.only_links => Print::Links,
            _ if args.count => Print::Count,
            _ if args.files_with_links => Print::Names,
            _ => Print::Lines,
        };
        let mut settings = inputs::settings(&args.documents)?;
        settings.locate = matches!(print, Print::Lines | Print::Json);
        let kinds = &args.pattern.kind;
        settings.identifiers =
            args.pattern.identifiers || kinds.contains(&Kind::Place(PlaceKind::Doctype));
        if kinds.contains(&Kind::Place(PlaceKind::Comment)) {
            settings.comments = CommentSlots::All;
        }
        Ok(Finder {
            settings,
            bases: Bases::new(&args.documents, inputs),
            pattern: &args.pattern,
            print,
            form: args.form,
            unique: args.unique,
            verbose: args.report.verbose,
            paths: !inputs.is_single(),
            styles: Styles::wanted(&args.report),
            shown: Shown::new(inputs),
        })
    }
}

impl Job for Finder<'_> {
    fn file(
        &self,
        entry: &FileEntry,
        _: Source,
        content: Content,
        desk: &mut Desk<'_>,
    ) -> Result<Counts, Error> {
        let mut settings = self.settings.clone();
        settings.name = Some(entry.path.to_string_lossy().into_owned());
        settings.base = self.bases.of(entry);
        let mut finding = Finding::new(self, &settings, self.shown.path(&entry.path), desk);
        match content {
            Content::Whole(bytes) => finding.whole(&bytes)?,
            Content::Large(mut file) => finding.stream(&mut file)?,
        }
        Ok(finding.end())
    }

    fn stdin(&self, reader: &mut dyn Read, desk: &mut Desk<'_>) -> Result<Counts, Error> {
        let mut finding = Finding::new(self, &self.settings, Path::new("-"), desk);
        finding.stream(reader)?;
        Ok(finding.end())
    }
}

/// Finding in one document.
struct Finding<'f, 'l> {
    finder: &'f Finder<'f>,
    settings: &'f Settings,
    path: &'f Path,
    path_object: PathObject,
    prefix: Vec<u8>,
    desk: &'f mut Desk<'l>,
    seen: HashSet<u128>,
    counts: Counts,
    forms: OnceCell<Forms>,
}

impl<'f, 'l> Finding<'f, 'l> {
    fn new(
        finder: &'f Finder<'f>,
        settings: &'f Settings,
        path: &'f Path,
        desk: &'f mut Desk<'l>,
    ) -> Self {
        let mut prefix = Vec::new();
        if finder.paths {
            let path = path_bytes(path);
            let path = finder.styles.controls.show(&path);
            styled(&mut prefix, finder.styles.path, &path);
        }
        Finding {
            finder,
            settings,
            path,
            path_object: PathObject::new(path),
            prefix,
            desk,
            seen: HashSet::new(),
            counts: Counts::default(),
            forms: OnceCell::new(),
        }
    }

    fn whole(&mut self, bytes: &[u8]) -> Result<(), Error> {
        if self.finder.print == Print::Json {
            let settings = self.settings;
            let info = read_forms_of_slice(bytes, settings, &mut |link, forms, info| {
                self.object(link, forms, info)
            })?;
            self.describe(&info);
            self.counts.bytes = bytes.len() as u64;
            return Ok(());
        }
        let document = Document::new(bytes, self.settings);
        self.describe(document.info());
        self.counts.bytes = bytes.len() as u64;
        for link in document.links() {
            if self.link(&link, document.info(), Some(bytes)).is_break() {
                return Ok(());
            }
        }
        Ok(())
    }

    fn stream(&mut self, reader: &mut dyn Read) -> Result<(), Error> {
        let mut reader = Counted::new(reader);
        let settings = self.settings;
        let info = match self.finder.print {
            Print::Json => read_forms(&mut reader, settings, &mut |link, forms, info| {
                self.object(link, forms, info)
            }),
            _ => read_links(&mut reader, settings, &mut |link, info| {
                self.link(link, info, None)
            }),
        }?;
        self.describe(&info);
        self.counts.bytes = reader.count();
        Ok(())
    }

    fn describe(&mut self, info: &Info) {
        self.counts.skipped = unread(info);
        if self.finder.verbose {
            let (format, charset) = (info.format.name(), info.charset.name());
            let from = json::known_from(info.charset_from);
            self.tell(format!("{format}, {charset} ({from})"));
        }
    }

    fn tell(&mut self, message: String) {
        self.desk.tell(Event::Told(self.path.to_owned(), message));
    }

    fn link(&mut self, link: &Link<'_>, info: &Info, source: Option<&[u8]>) -> ControlFlow<()> {
        if link.notes().contains(Note::TooLong) {
            self.too_long(link);
            return ControlFlow::Continue(());
        }
        if !matches(self.finder.pattern, link) {
            return ControlFlow::Continue(());
        }
        self.found(link, info, source);
        if self.desk.stopped() || matches!(self.finder.print, Print::Names | Print::Nothing) {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    /// The object of a link, or of a slot that was too long.
    fn object(&mut self, link: &Link<'_>, forms: &LinkForms, info: &Info) -> ControlFlow<()> {
        let too_long = link.notes().contains(Note::TooLong);
        if !too_long && !matches(self.finder.pattern, link) {
            return ControlFlow::Continue(());
        }
        json::link(self.desk.out(), &self.path_object, info, link, forms);
        if too_long {
            let start = link.span().start;
            self.entry(format!("{}:{start}", self.path.display()).as_bytes());
        } else {
            self.counts.links += 1;
            let text = [link.implied().unwrap_or_default(), link.text()].join(":");
            self.entry(text.as_bytes());
        }
        match self.desk.stopped() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    fn found(&mut self, link: &Link<'_>, info: &Info, source: Option<&[u8]>) {
        let print = self.finder.print;
        if print == Print::Count && self.finder.unique {
            let key = key(self.form(link, info, source).as_ref());
            self.counts.links += u64::from(self.seen.insert(key));
            return;
        }
        self.counts.links += 1;
        match print {
            Print::Nothing => self.desk.tell(Event::Enough),
            Print::Lines | Print::Links => {
                let form = self.form(link, info, source);
                self.line(link, &form);
            }
            Print::Count | Print::Names | Print::Json => {}
        }
    }

    /// A slot that was too long to be read: no link, but worth knowing.
    fn too_long(&mut self, link: &Link<'_>) {
        if is_document(link) {
            self.tell(DOCUMENT_TOO_LONG.to_owned());
        } else if self.finder.verbose {
            let start = link.span().start;
            let words = Note::TooLong.words();
            self.tell(format!("at byte {start}: {words}"));
        }
    }

    fn line(&mut self, link: &Link<'_>, form: &[u8]) {
        let styles = self.finder.styles;
        let out = self.desk.out();
        if self.finder.print == Print::Lines {
            if !self.prefix.is_empty() {
                out.extend_from_slice(&self.prefix);
                out.push(b':');
            }
            if let Some(location) = link.location() {
                styled(out, styles.number, location.line.to_string().as_bytes());
                out.push(b':');
                styled(out, styles.number, location.column.to_string().as_bytes());
                out.push(b':');
            }
        }
        let mut line = Vec::with_capacity(form.len());
        on_one_line(&mut line, form);
        styled(out, styles.link, &styles.controls.show(&line));
        out.push(b'\n');
        self.entry(form);
    }

    fn entry(&mut self, text: &[u8]) {
        let key = self.finder.unique.then(|| key(text));
        self.desk.entry(key);
    }

    fn forms(&self, info: &Info) -> &Forms {
        self.forms.get_or_init(|| Forms::new(info, self.settings))
    }

    /// The form that was asked for.
    fn form<'t>(&self, link: &'t Link<'_>, info: &Info, source: Option<&'t [u8]>) -> Cow<'t, [u8]> {
        let mapped = |form| {
            let (mapped, _) = self.forms(info).of(link, form);
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

    fn end(self) -> Counts {
        let styles = self.finder.styles;
        let mut out = Vec::new();
        match self.finder.print {
            Print::Names if self.counts.links > 0 => {
                let path = path_bytes(self.path);
                styled(&mut out, styles.path, &styles.controls.show(&path));
                out.push(b'\n');
            }
            Print::Count if self.counts.links > 0 => {
                if !self.prefix.is_empty() {
                    out.extend_from_slice(&self.prefix);
                    out.push(b':');
                }
                out.extend_from_slice(format!("{}\n", self.counts.links).as_bytes());
            }
            _ => {}
        }
        self.desk.out().extend_from_slice(&out);
        self.desk.entry(None);
        self.counts
    }
}

/// The source bytes of a link; decoded where the charset is no superset of ASCII, for these have no
/// place on lines that end with one byte.
fn raw<'t>(link: &'t Link<'_>, info: &Info, source: Option<&'t [u8]>) -> Cow<'t, [u8]> {
    let span = link.span();
    let bytes = source.and_then(|source| source.get(span.start as usize..span.end as usize));
    let decoded = link.raw();
    if !info.charset.is_ascii_compatible() {
        return Cow::Owned(decoded.into_owned().into_bytes());
    }
    if let Some(bytes) = bytes {
        return Cow::Borrowed(bytes);
    }
    let mut bytes = Vec::new();
    match info.charset.encode(&decoded, &mut bytes) {
        Ok(()) => Cow::Owned(bytes),
        Err(_) => Cow::Owned(decoded.into_owned().into_bytes()),
    }
}

/// Whether a link is one of those that are wanted.
fn matches(pattern: &PatternArgs, link: &Link<'_>) -> bool {
    let scheme = link.scheme().or(link.implied().map(Cow::Borrowed));
    let any_scheme = pattern.scheme.is_empty()
        || scheme.as_ref().is_some_and(|scheme| {
            let mut wanted = pattern.scheme.iter();
            wanted.any(|wanted| wanted.eq_ignore_ascii_case(scheme))
        });
    // Those of a document type are listed when that kind of place is asked for.
    let identifier = link.access() == Access::Identifier;
    let any_access = !identifier || pattern.identifiers || link.place().kind == PlaceKind::Doctype;
    any_scheme
        && any_access
        && is_of_kind(&pattern.kind, link)
        && !(pattern.non_ascii && link.text().is_ascii())
        && !(pattern.absolute && scheme.is_none())
        && !(pattern.relative && scheme.is_some())
}

/// Whether a link is at one of the places and of one of the kinds that are named; where none of a
/// sort is, all are wanted.
fn is_of_kind(wanted: &[Kind], link: &Link<'_>) -> bool {
    let kind = match (link.implied(), link.scheme()) {
        (Some("mailto"), _) => Some(LinkKind::Email),
        (Some(_), _) => Some(LinkKind::Domain),
        (None, Some(_)) => Some(LinkKind::Iri),
        (None, None) => None,
    };
    let any = |of: fn(&Kind) -> bool, is: &dyn Fn(&Kind) -> bool| {
        let mut of = wanted.iter().filter(|kind| of(kind)).peekable();
        of.peek().is_none() || of.any(is)
    };
    let place = Kind::Place(link.place().kind);
    any(|kind| matches!(kind, Kind::Place(_)), &|wanted| {
        *wanted == place
    }) && any(|kind| matches!(kind, Kind::Link(_)), &|wanted| {
        kind.map(Kind::Link) == Some(*wanted)
    })
}

/// A key that two different texts do not share, for all that matters.
fn key(text: &[u8]) -> u128 {
    let half = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        (salt, text).hash(&mut hasher);
        u128::from(hasher.finish())
    };
    half(0) << 64 | half(1)
}
