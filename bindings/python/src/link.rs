//! Links as Python sees them.

use crate::data::{Data, Positions};
use crate::error::{Failure, warn};
use crate::options::{Options, Purpose};
use linkglot::link::{Info, MailPart, UnreadParts};
use linkglot::notes::Notes;
use linkglot::rewrite::{DocumentForms, Form, Forms, LinkForms, refuse_archive};
use linkglot::{Format, Link, Settings};
use linkglot_iri::{Level, Parts, normalize};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::borrow::Cow;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

type Name = Cow<'static, str>;

/// A link at its place in a document.
#[pyclass(name = "Link", module = "linkglot", frozen)]
pub struct PyLink {
    /// The first byte of the link in the document; of a `str`, the first character.
    #[pyo3(get)]
    start: usize,
    /// The end of the link: the byte after its last; of a `str`, the character after its last.
    #[pyo3(get)]
    end: usize,
    /// The source of the fields; `None` if these are already there.
    found: Option<FoundLink>,
    fields: OnceLock<Box<Fields>>,
    forms: OnceLock<Box<FormTexts>>,
}

/// A link with its document.
pub struct FoundLink {
    pub link: Box<Link<'static>>,
    read: Arc<Read>,
    /// The forms at the place of the link; `None` for those that depend on the link alone, which are made on demand.
    forms: Option<Box<LinkForms>>,
}

impl FoundLink {
    /// A link with the forms that a rewrite could write at its place.
    pub fn new(link: Link<'static>, read: Arc<Read>, forms: &LinkForms) -> Self {
        FoundLink {
            forms: Some(Box::new(forms.clone())),
            ..FoundLink::alone(link, read)
        }
    }

    /// A link whose forms depend on the link alone.
    pub fn alone(link: Link<'static>, read: Arc<Read>) -> Self {
        FoundLink {
            link: Box::new(link),
            read,
            forms: None,
        }
    }

    /// The forms and their notes.
    fn forms(&self) -> Cow<'_, LinkForms> {
        match &self.forms {
            Some(forms) => Cow::Borrowed(forms),
            None => Cow::Owned(self.read.forms_of(&self.link)),
        }
    }
}

/// The properties of a link, made on demand.
struct Fields {
    text: String,
    /// `None` if equal to the text.
    raw: Option<String>,
    line: Option<u64>,
    column: Option<u64>,
    scheme: Option<String>,
    implied: Option<Name>,
    evidence: Name,
    kind: Name,
    element: Option<String>,
    name: Option<String>,
    nesting: Vec<String>,
    format: Name,
    charset: Name,
    part: Option<String>,
    message: Option<u64>,
    media_type: Option<String>,
    label: Option<String>,
    notes: Vec<Name>,
}

impl Fields {
    fn new(found: &FoundLink) -> Self {
        let (link, read) = (&found.link, &found.read);
        let (place, location, part) = (link.place(), link.location(), link.part());
        let text = link.text().to_owned();
        let raw = link.raw();
        let mut notes = link.notes();
        notes.extend(found.forms().notes);
        let text_of = |name: &Option<linkglot::Name>| name.as_deref().map(str::to_owned);
        Fields {
            raw: (raw != text).then(|| raw.into_owned()),
            line: location.map(|location| location.line),
            column: location.map(|location| location.column),
            scheme: link.scheme().map(|scheme| scheme.to_ascii_lowercase()),
            implied: link.implied().map(Name::from),
            evidence: link.evidence().name().into(),
            kind: place.kind.name().into(),
            element: text_of(&place.element),
            name: text_of(&place.name),
            nesting: link.nesting().iter().map(|name| name.to_string()).collect(),
            format: read.info.document_format().name().into(),
            charset: read.info.charset.name().into(),
            part: part.map(|part| part.number().to_owned()),
            message: part.and_then(message_number),
            media_type: part.map(|part| part.media_type().to_owned()),
            label: link.label().map(str::to_owned),
            notes: codes(notes),
            text,
        }
    }
}

/// The forms of a link, made on demand.
#[derive(Clone, Debug)]
struct FormTexts {
    uri: Option<String>,
    iri: Option<String>,
    resolved: Option<String>,
}

/// A document, or a part of a message, that contains links.
pub struct Read {
    info: Info,
    settings: Arc<Settings>,
    /// Made when a form of a link is first requested.
    forms: Mutex<Option<DocumentForms>>,
}

impl Read {
    pub fn new(info: &Info, settings: &Arc<Settings>) -> Arc<Self> {
        Arc::new(Read {
            info: info.clone(),
            settings: settings.clone(),
            forms: Mutex::default(),
        })
    }

    /// The forms that depend on a link alone.
    fn forms_of(&self, link: &Link<'_>) -> LinkForms {
        let made = || Forms::new(&self.settings).of_document(&self.info);
        let mut forms = self.forms.lock().unwrap_or_else(PoisonError::into_inner);
        let forms = forms.get_or_insert_with(made);
        let mut both = LinkForms::default();
        both.notes = link.warnings();
        for (form, kept) in [(Form::Uri, &mut both.uri), (Form::Iri, &mut both.iri)] {
            let (text, notes) = forms.of(link, form);
            *kept = text;
            both.notes.extend(notes);
        }
        both
    }
}

/// The codes of notes.
pub fn codes(notes: Notes) -> Vec<Name> {
    notes.iter().map(|note| Cow::from(note.code())).collect()
}

impl PyLink {
    pub fn new(found: FoundLink, at: Range<usize>) -> Self {
        PyLink {
            start: at.start,
            end: at.end,
            found: Some(found),
            fields: OnceLock::new(),
            forms: OnceLock::new(),
        }
    }

    /// The fields of the link, made from `found` if necessary.
    fn fields(&self) -> &Fields {
        match (&self.found, self.fields.get()) {
            (_, Some(fields)) => fields,
            (Some(found), None) => self.fields.get_or_init(|| Box::new(Fields::new(found))),
            (None, None) => unreachable!("a link is made of one or the other"),
        }
    }

    fn forms(&self) -> &FormTexts {
        match (&self.found, self.forms.get()) {
            (_, Some(forms)) => forms,
            (Some(found), None) => self.forms.get_or_init(|| {
                let forms = found.forms().into_owned();
                Box::new(FormTexts {
                    uri: forms.uri,
                    iri: forms.iri,
                    resolved: found.link.resolved(&found.read.info),
                })
            }),
            (None, None) => unreachable!("a link is made of one or the other"),
        }
    }

    /// The key of equality: the properties and the place of a link.
    fn key(&self) -> (&str, usize, usize, &str, Option<&str>, Option<&str>) {
        let fields = self.fields();
        let (element, name) = (fields.element.as_deref(), fields.name.as_deref());
        (
            &fields.text,
            self.start,
            self.end,
            &fields.kind,
            element,
            name,
        )
    }
}

/// The number of the message in a mailbox.
pub fn message_number(part: &MailPart) -> Option<u64> {
    (part.container() == Format::Mailbox).then(|| part.message())
}

#[pymethods]
impl PyLink {
    #[classattr]
    fn __match_args__() -> (&'static str, &'static str, &'static str) {
        ("text", "start", "end")
    }

    /// The reference, unescaped.
    #[getter]
    pub fn text(&self) -> &str {
        match &self.found {
            Some(found) => found.link.text(),
            None => &self.fields().text,
        }
    }

    /// The link as it stands in the document, decoded but not unescaped.
    #[getter]
    fn raw(&self) -> &str {
        let fields = self.fields();
        fields.raw.as_deref().unwrap_or(&fields.text)
    }

    /// The line, from 1, if `locate` asked for it.
    #[getter]
    fn line(&self) -> Option<u64> {
        self.fields().line
    }

    /// The column in characters, from 1, if `locate` asked for it.
    #[getter]
    fn column(&self) -> Option<u64> {
        self.fields().column
    }

    /// The scheme in lower case; `None` for a relative reference.
    #[getter]
    fn scheme(&self) -> Option<&str> {
        self.fields().scheme.as_deref()
    }

    /// The scheme of a link that was found without one: `https` or `mailto`.
    #[getter]
    fn implied(&self) -> Option<&str> {
        self.fields().implied.as_deref()
    }

    /// The evidence that the text is a link: markup, enclosed, scheme, www, address, path or name.
    #[getter]
    fn evidence(&self) -> &str {
        &self.fields().evidence
    }

    /// The kind of the place: text, attribute, css, refresh, srcset, element, instruction, doctype, comment, script,
    /// link, header, property, value.
    #[getter]
    fn kind(&self) -> &str {
        &self.fields().kind
    }

    /// The element that the link stands in.
    #[getter]
    fn element(&self) -> Option<&str> {
        self.fields().element.as_deref()
    }

    /// The name of the attribute, property or header field.
    #[getter]
    fn name(&self) -> Option<&str> {
        self.fields().name.as_deref()
    }

    /// The nested documents around the link, such as `srcdoc`.
    #[getter]
    fn nesting<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.fields().nesting)
    }

    /// The format of the document; of a part of a message, that of the message.
    #[getter]
    fn format(&self) -> &str {
        &self.fields().format
    }

    /// The charset of the document, or of the part of a message.
    #[getter]
    fn charset(&self) -> &str {
        &self.fields().charset
    }

    /// The number of the part of a message, as in IMAP: `1.2`, `/list-archive`.
    #[getter]
    fn part(&self) -> Option<&str> {
        self.fields().part.as_deref()
    }

    /// The number of the message in its mailbox, from 1.
    #[getter]
    fn message(&self) -> Option<u64> {
        self.fields().message
    }

    /// The media type of the part of a message.
    #[getter]
    fn media_type(&self) -> Option<&str> {
        self.fields().media_type.as_deref()
    }

    /// The visible text of the `a` of HTML that the link belongs to, or the `alt` of the `area`.
    #[getter]
    fn label(&self) -> Option<&str> {
        match &self.found {
            Some(found) => found.link.label(),
            None => self.fields().label.as_deref(),
        }
    }

    /// Codes of notes: why a form is missing, and warnings about features that could deceive a reader.
    #[getter]
    fn notes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.fields().notes)
    }

    /// The URI (RFC 3987 3.1), with the implied scheme; `None` if a rewrite could not write one there. The notes say
    /// why.
    #[getter]
    fn uri(&self) -> Option<&str> {
        self.forms().uri.as_deref()
    }

    /// The IRI for display (RFC 3987 3.2), with the implied scheme; `None` if a rewrite could not write one there.
    #[getter]
    fn iri(&self) -> Option<&str> {
        self.forms().iri.as_deref()
    }

    /// The target of the link, if the base is known.
    #[getter]
    fn resolved(&self) -> Option<&str> {
        self.forms().resolved.as_deref()
    }

    /// The host of the target, in punycode and lower case, without a port or a final dot; `None` if there is none, or
    /// none is known.
    #[getter]
    fn host(&self) -> Option<String> {
        let forms = self.forms();
        let target = forms.resolved.as_deref().or(forms.uri.as_deref())?;
        let normal = normalize(target, Level::Scheme);
        let host = Parts::split(&normal).host()?;
        let host = host.strip_suffix('.').unwrap_or(host);
        (!host.is_empty()).then(|| host.to_owned())
    }

    /// All fields by their names.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("text", self.text())?;
        dict.set_item("raw", self.raw())?;
        dict.set_item("start", self.start)?;
        dict.set_item("end", self.end)?;
        dict.set_item("line", self.line())?;
        dict.set_item("column", self.column())?;
        dict.set_item("scheme", self.scheme())?;
        dict.set_item("implied", self.implied())?;
        dict.set_item("evidence", self.evidence())?;
        dict.set_item("uri", self.uri())?;
        dict.set_item("iri", self.iri())?;
        dict.set_item("resolved", self.resolved())?;
        dict.set_item("kind", self.kind())?;
        dict.set_item("element", self.element())?;
        dict.set_item("name", self.name())?;
        dict.set_item("nesting", self.nesting(py)?)?;
        dict.set_item("format", self.format())?;
        dict.set_item("charset", self.charset())?;
        dict.set_item("part", self.part())?;
        dict.set_item("message", self.message())?;
        dict.set_item("media_type", self.media_type())?;
        dict.set_item("label", self.label())?;
        dict.set_item("notes", self.notes(py)?)?;
        Ok(dict)
    }

    /// Builds a link from its fields.
    #[staticmethod]
    fn _from_dict(fields: &Bound<'_, PyDict>) -> PyResult<Self> {
        let forms = FormTexts {
            uri: field(fields, "uri")?,
            iri: field(fields, "iri")?,
            resolved: field(fields, "resolved")?,
        };
        let link = PyLink {
            start: field(fields, "start")?,
            end: field(fields, "end")?,
            found: None,
            forms: OnceLock::from(Box::new(forms)),
            fields: OnceLock::from(Box::new(Fields {
                text: field(fields, "text")?,
                raw: field(fields, "raw")?,
                line: field(fields, "line")?,
                column: field(fields, "column")?,
                scheme: field(fields, "scheme")?,
                implied: field::<Option<String>>(fields, "implied")?.map(Name::from),
                evidence: field::<String>(fields, "evidence")?.into(),
                kind: field::<String>(fields, "kind")?.into(),
                element: field(fields, "element")?,
                name: field(fields, "name")?,
                nesting: field(fields, "nesting")?,
                format: field::<String>(fields, "format")?.into(),
                charset: field::<String>(fields, "charset")?.into(),
                part: field(fields, "part")?,
                message: field(fields, "message")?,
                media_type: field(fields, "media_type")?,
                label: field(fields, "label")?,
                notes: names(fields, "notes")?,
            })),
        };
        Ok(link)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let restore = py.get_type::<PyLink>().getattr("_from_dict")?;
        let arguments = PyTuple::new(py, [self.to_dict(py)?])?;
        PyTuple::new(py, [restore, arguments.into_any()])
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let link = slf.get();
        let text = pyo3::types::PyString::new(slf.py(), link.text()).repr()?;
        Ok(format!(
            "Link({text}, start={}, end={})",
            link.start, link.end
        ))
    }

    fn __str__(&self) -> &str {
        self.text()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let other = other.cast::<PyLink>();
        other.is_ok_and(|other| self.key() == other.get().key())
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.key().hash(&mut hasher);
        hasher.finish()
    }
}

fn field<'py, T: for<'a> FromPyObject<'a, 'py>>(
    fields: &Bound<'py, PyDict>,
    name: &str,
) -> PyResult<T> {
    let value = fields.get_item(name)?;
    let value = value.ok_or_else(|| pyo3::exceptions::PyKeyError::new_err(name.to_owned()))?;
    value.extract().map_err(Into::into)
}

fn names(fields: &Bound<'_, PyDict>, name: &str) -> PyResult<Vec<Name>> {
    let names: Vec<String> = field(fields, name)?;
    Ok(names.into_iter().map(Name::from).collect())
}

#[doc = include_str!("docs/find.txt")]
#[doc = include_str!("docs/reading.txt")]
#[doc = include_str!("docs/find_end.txt")]
#[pyfunction]
#[pyo3(
    signature = (data, **options),
    text_signature = "(data, *, format='auto', charset=None, default_charset=None, assume_charset=None, \
        base=None, name=None, detect='extended', also=None, flowed=False, \
        join_wrapped=False, identifiers=False, vocabulary=None, locate=False, \
        max_slot=1048576, nfc='auto', query_charset=None)"
)]
pub fn find<'py>(
    data: &Bound<'py, PyAny>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Vec<PyLink>> {
    let py = data.py();
    let options = Options::new(options, Purpose::Find)?;
    let (data, options) = Data::open(data, options)?;
    let settings = &options.settings;
    let found = data.detached(py, |bytes| read(bytes, settings))?;
    let (links, unread) = found?;
    warn_of_unread(py, &unread)?;
    to_links(&data, links)
}

/// Links of a document as Python sees them.
pub fn to_links(data: &Data<'_>, found: Found) -> PyResult<Vec<PyLink>> {
    let mut positions = data.positions()?;
    let links = found.into_iter().map(|found| {
        let at = place(&mut positions, &found.link);
        PyLink::new(found, at)
    });
    Ok(links.collect())
}

/// The range of a link, in positions of the given object.
pub fn place(positions: &mut Positions<'_>, link: &Link<'_>) -> Range<usize> {
    let span = link.span();
    let start = positions.of(span.start as usize);
    start..positions.of(span.end as usize)
}

pub type Found = Vec<FoundLink>;

/// The document, or the part of a message, of each link. Links of a part come one after the other.
#[derive(Default)]
pub struct Reads {
    last: Option<(Option<PartKey>, Arc<Read>)>,
}

/// The number of the message, and the number of the part.
type PartKey = (u64, String);

impl Reads {
    pub fn of(&mut self, info: &Info, settings: &Arc<Settings>) -> Arc<Read> {
        let is_same = |last: &Option<PartKey>| match (last, info.part()) {
            (None, None) => true,
            (Some((message, number)), Some(part)) => {
                (*message, &**number) == (part.message(), part.number())
            }
            _ => false,
        };
        if let Some((_, read)) = self.last.as_ref().filter(|(last, _)| is_same(last)) {
            return read.clone();
        }
        let part = info.part();
        let part = part.map(|part| (part.message(), part.number().to_owned()));
        self.last
            .insert((part, Read::new(info, settings)))
            .1
            .clone()
    }
}

/// The links of a document, and its parts that were not read.
pub fn read(bytes: &[u8], settings: &Arc<Settings>) -> Result<(Found, UnreadParts), Failure> {
    refuse_archive(bytes).map_err(|error| {
        let failure = Failure::from(error);
        let message = format!("{}; find_files reads archives", failure.message);
        Failure { message, ..failure }
    })?;
    let mut reads = Reads::default();
    let mut found = Found::new();
    let info = Forms::new(settings).read_slice(bytes, &mut |link, forms, info| {
        let read = reads.of(info, settings);
        found.push(FoundLink::new(link.clone().into_owned(), read, forms));
        ControlFlow::Continue(())
    })?;
    match Failure::of_charset(&info) {
        Some(failure) => Err(failure),
        None => Ok((found, info.unread)),
    }
}

/// Warns of unread parts of a message, which may have links.
pub fn warn_of_unread(py: Python<'_>, unread: &UnreadParts) -> PyResult<()> {
    for (part, error) in &unread.errors {
        warn(py, "UnreadWarning", &format!("part {part}: {error}"))?;
    }
    Ok(())
}
