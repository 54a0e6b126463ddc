//! Rewriting of documents in memory.

use crate::data::{Data, Positions};
use crate::error::{Failure, invalid};
use crate::link::{FoundLink, PyLink, Read, Reads, codes, place, warn_of_unread};
use crate::options::{Options, Purpose};
use linkglot::link::Info;
use linkglot::notes::Notes;
use linkglot::rewrite::{Outcome, Summary};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Host, place, reason, line and column of a remaining mention of a moved host.
type MentionFields = (String, String, Option<String>, u64, u64);

/// A document after a rewrite.
#[pyclass(name = "Rewritten", module = "linkglot", frozen, generic)]
pub struct PyRewritten {
    /// The document; the given object if nothing changed.
    #[pyo3(get)]
    content: Py<PyAny>,
    /// Number of links that were changed.
    #[pyo3(get)]
    changed: u64,
    /// Number of links that had to be left unchanged.
    #[pyo3(get)]
    left: u64,
    /// Number of links.
    #[pyo3(get)]
    found: u64,
    links: Py<PyTuple>,
    notes: Vec<Cow<'static, str>>,
    left_behind: Vec<MentionFields>,
    matched: BTreeMap<usize, u64>,
    /// The format of the document.
    #[pyo3(get)]
    format: Cow<'static, str>,
    /// The charset of the document.
    #[pyo3(get)]
    charset: Cow<'static, str>,
}

impl PyRewritten {
    /// All fields.
    fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let counts = (self.changed, self.left, self.found);
        let told = (&self.notes, &self.left_behind, &self.matched);
        let read = (&self.format, &self.charset);
        (&self.content, counts, &self.links, told, read).into_pyobject(py)
    }
}

#[pymethods]
impl PyRewritten {
    /// Builds the document from its fields.
    #[staticmethod]
    fn _restore(
        content: Py<PyAny>,
        counts: (u64, u64, u64),
        links: Py<PyTuple>,
        told: (Vec<String>, Vec<MentionFields>, BTreeMap<usize, u64>),
        read: (String, String),
    ) -> Self {
        let (changed, left, found) = counts;
        let (notes, left_behind, matched) = told;
        let (format, charset) = read;
        PyRewritten {
            content,
            changed,
            left,
            found,
            links,
            notes: owned(notes),
            left_behind,
            matched,
            format: format.into(),
            charset: charset.into(),
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let restore = py.get_type::<Self>().getattr("_restore")?;
        (restore, self.fields(py)?).into_pyobject(py)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let (py, other) = (other.py(), other.cast::<Self>());
        other.map_or(Ok(false), |other| {
            self.fields(py)?.eq(other.get().fields(py)?)
        })
    }

    #[classattr]
    fn __match_args__() -> (&'static str, &'static str, &'static str, &'static str) {
        ("content", "changed", "links", "notes")
    }

    /// The links that were changed, or left although they should have changed.
    #[getter]
    fn links<'py>(&self, py: Python<'py>) -> Bound<'py, PyTuple> {
        self.links.bind(py).clone()
    }

    /// Codes of notes on the links.
    #[getter]
    fn notes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.notes)
    }

    /// Mentions of hosts that rules moved: host, where, why, line and column.
    #[getter]
    fn left_behind<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.left_behind)
    }

    /// Number of links that each rule matched, by the number of the rule.
    #[getter]
    fn matched(&self) -> BTreeMap<usize, u64> {
        self.matched.clone()
    }

    fn __repr__(&self) -> String {
        let (found, changed, left) = (self.found, self.changed, self.left);
        format!("<linkglot.Rewritten: {changed} of {found} links changed, {left} left>")
    }
}

/// A link that was changed, or left although it should have changed.
#[pyclass(name = "Change", module = "linkglot", frozen)]
pub struct PyChange {
    /// The old link.
    #[pyo3(get)]
    link: Py<PyLink>,
    /// The new text of the link; `None` if the link was left, and the notes say why.
    #[pyo3(get)]
    new: Option<String>,
    /// The number of the rule that matched the link.
    #[pyo3(get)]
    rule: Option<usize>,
    notes: Vec<Cow<'static, str>>,
}

impl PyChange {
    /// All fields.
    fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        (&self.link, &self.new, self.rule, &self.notes).into_pyobject(py)
    }
}

#[pymethods]
impl PyChange {
    /// Builds the change from its fields.
    #[staticmethod]
    fn _restore(
        link: Py<PyLink>,
        new: Option<String>,
        rule: Option<usize>,
        notes: Vec<String>,
    ) -> Self {
        PyChange {
            link,
            new,
            rule,
            notes: owned(notes),
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let restore = py.get_type::<Self>().getattr("_restore")?;
        (restore, self.fields(py)?).into_pyobject(py)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let (py, other) = (other.py(), other.cast::<Self>());
        other.map_or(Ok(false), |other| {
            self.fields(py)?.eq(other.get().fields(py)?)
        })
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        (&self.link, &self.new, self.rule).into_pyobject(py)?.hash()
    }

    #[classattr]
    fn __match_args__() -> (&'static str, &'static str, &'static str) {
        ("link", "new", "notes")
    }

    /// The old text of the link.
    #[getter]
    fn old(&self) -> &str {
        self.link.get().text()
    }

    /// Codes of notes.
    #[getter]
    fn notes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.notes)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let old = self.old().into_pyobject(py)?.repr()?;
        let new = self.new.as_ref().into_pyobject(py)?.repr()?;
        Ok(format!("Change({old} -> {new})"))
    }
}

fn owned(notes: Vec<String>) -> Vec<Cow<'static, str>> {
    notes.into_iter().map(Cow::Owned).collect()
}

/// The outcome for a link.
pub struct Seen {
    found: FoundLink,
    new: Option<String>,
    notes: Notes,
    rule: Option<usize>,
}

impl Seen {
    pub fn new(outcome: &Outcome<'_>, read: Arc<Read>) -> Self {
        let notes = outcome.all_notes();
        Seen {
            found: FoundLink::alone(outcome.link.clone().into_owned(), read),
            new: outcome.new.map(str::to_owned),
            notes,
            rule: outcome.rule,
        }
    }

    pub fn into_change(
        self,
        py: Python<'_>,
        positions: &mut Positions<'_>,
    ) -> PyResult<Py<PyChange>> {
        let at = place(positions, &self.found.link);
        let link = Py::new(py, PyLink::new(self.found, at))?;
        let change = PyChange {
            link,
            new: self.new,
            rule: self.rule,
            notes: codes(self.notes),
        };
        Py::new(py, change)
    }
}

#[doc = include_str!("docs/rewrite.txt")]
#[doc = include_str!("docs/rewriting.txt")]
#[doc = include_str!("docs/reading.txt")]
#[doc = include_str!("docs/rewrite_end.txt")]
#[pyfunction]
#[pyo3(
    signature = (data, **options),
    text_signature = "(data, *, to='same', rules=None, resolve=False, host=None, display='safe', \
        slots=None, min_evidence='www', to_charset=None, relative_to=None, absolute=False, \
        break_signatures=False, left_behind=False, format='auto', charset=None, \
        default_charset=None, assume_charset=None, base=None, name=None, detect='extended', \
        also=None, flowed=False, join_wrapped=False, identifiers=False, vocabulary=None, \
        locate=False, max_slot=1048576, nfc='auto', query_charset=None)"
)]
pub fn rewrite<'py>(
    data: &Bound<'py, PyAny>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<PyRewritten> {
    let py = data.py();
    let options = Options::new(options, Purpose::Rewrite)?;
    let (data, options) = Data::new(data, options)?;
    if options.transcodes && data.is_text() {
        return Err(invalid(
            "to_charset",
            "expected bytes, found a str, which has no charset",
        ));
    }
    let (content, summary, seen) = data.detached(py, |bytes| rewritten(bytes, &options))?;
    if let Some(failure) = Failure::of_charset(&summary.info) {
        return Err(failure.into());
    }
    if let Some(error) = &summary.error {
        return Err(Failure::from(error).into());
    }
    warn_of_unread(py, &summary.info.unread)?;
    let mut positions = data.positions()?;
    let mut notes = Notes::NONE;
    let mut changes = Vec::with_capacity(seen.len());
    for seen in seen {
        notes.extend(seen.notes);
        changes.push(seen.into_change(py, &mut positions)?);
    }
    let mentions = summary.left_behind.mentions.iter();
    Ok(PyRewritten {
        content: match &content {
            None => data.given().unbind(),
            Some(content) => data.rebuilt(content)?.unbind(),
        },
        changed: summary.tally.changed,
        left: summary.tally.left,
        found: summary.tally.links,
        links: PyTuple::new(py, changes)?.unbind(),
        notes: codes(notes),
        left_behind: mentions
            .map(|mention| {
                let place = mention.place.name().to_owned();
                let why = mention.why.map(|why| why.code().to_owned());
                let at = mention.location;
                (mention.host.to_string(), place, why, at.line, at.column)
            })
            .collect(),
        matched: summary.matched,
        format: summary.info.format.name().into(),
        charset: summary.info.charset.name().into(),
    })
}

/// The new bytes, if any, and the outcomes for the links.
fn rewritten(bytes: &[u8], options: &Options) -> (Option<Vec<u8>>, Summary, Vec<Seen>) {
    let mut seen = Vec::new();
    let mut reads = Reads::default();
    let watched = options.rewriter.clone().on_link(|outcome, info: &Info| {
        seen.push(Seen::new(outcome, reads.of(info, &options.settings)));
    });
    let rewritten = watched.rewrite_slice(bytes);
    let content = match rewritten.content {
        Cow::Borrowed(_) => None,
        Cow::Owned(content) => Some(content),
    };
    (content, rewritten.summary, seen)
}
