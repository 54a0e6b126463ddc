//! Rules for moving a site.

use crate::error::{Failure, invalid, os_error, warn, wrong_type};
use crate::value::{choice, no_text};
use linkglot::rewrite::{DomainMove, MapFormat, Reach, Rules};
use linkglot_files::values;
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyIterator, PyMapping, PyString, PyTuple};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Rules for moving a site. Rules are checked once and can be used often; they can be pickled.
///
/// `rules` is a text of lines, a dict {FROM: TO}, or several "FROM TO" or (FROM, TO). Lines are those of a file of
/// rules: `#` begins a comment, but not in a dict or a pair. Rules of `files` are added, read as `from_file` reads
/// them; `base` is the site of paths that stand alone (`/a`) in a text or a file. `move` is a dict {OLD: NEW} of
/// domains that move whole: http, https, ws and wss, and `www.OLD`; `move_mail` and `move_subdomains` take
/// addresses and subdomains along. `any_query_order` matches the parameters of a query in any order; `unwrap`
/// replaces links of protection services with the original links. The longest FROM wins; `re:PATTERN` is a regular
/// expression. Rules that would make wrong links raise Error, whose `at` is the number of the rule (comments are
/// none), or `line` its line; useless rules give a warning (RuleWarning).
///
/// >>> import linkglot
/// >>> rules = linkglot.Rules({"http://old.example/": "https://new.example/"})
/// >>> rules.apply("HTTP://old.example:80/a?b")
/// 'https://new.example/a?b'
/// >>> len(rules), rules[0]
/// (1, ('http://old.example/', 'https://new.example/'))
/// >>> linkglot.Rules(move={"old.example": "new.example"}).apply("wss://www.old.example/a")
/// 'wss://new.example/a'
#[pyclass(name = "Rules", module = "linkglot", frozen)]
pub struct PyRules {
    rules: Arc<Rules>,
    given: Given,
}

/// The arguments of rules, kept so that another process can make a copy.
#[derive(Clone, Debug, Default)]
struct Given {
    sources: Vec<Source>,
    moves: Moves,
    any_query_order: bool,
    unwrap: bool,
}

/// Domains that move, OLD and NEW.
#[derive(Clone, Debug, Default)]
struct Moves {
    domains: Vec<(String, String)>,
    mail: bool,
    subdomains: bool,
}

/// A source of rules.
#[derive(Clone, Debug)]
enum Source {
    /// A line of rules: a rule, a comment, or nothing.
    Line(String),
    Pair(String, String),
    /// A text, its format, and the base of its paths.
    Map(String, MapFormat, Option<String>),
}

impl PyRules {
    fn new(given: Given) -> Result<Self, Failure> {
        let mut rules = Rules::default();
        let mut reach = DomainMove::default();
        (reach.mail, reach.subdomains) = (given.moves.mail, given.moves.subdomains);
        for (number, (old, new)) in given.moves.domains.iter().enumerate() {
            let moved = rules.move_domain(old, new, reach);
            moved.map_err(|error| Failure {
                at: Some(number),
                ..Failure::from(error)
            })?;
        }
        for source in &given.sources {
            let number = rules.given().len();
            let added = match source {
                Source::Line(line) => rules.add_line(line),
                Source::Pair(from, to) => rules.add_pair(from, to),
                Source::Map(text, format, base) => {
                    rules.add_map_file(text, *format, base.as_deref())
                }
            };
            added.map_err(|error| Failure {
                at: (!matches!(source, Source::Map(..))).then_some(number),
                ..Failure::from(error)
            })?;
        }
        if given.any_query_order {
            rules.any_query_order();
        }
        if given.unwrap {
            rules.unwrap_links();
        }
        Ok(PyRules {
            rules: Arc::new(rules),
            given,
        })
    }

    /// Checks the rules: rules that would make wrong links are an error, useless rules a warning.
    fn checked(self, py: Python<'_>) -> PyResult<Self> {
        let warnings = self.rules.validate().map_err(|fault| Failure {
            at: Some(fault.rule),
            line: self.rules.given()[fault.rule].line.map(|line| line as u64),
            ..Failure::new("invalid-rule", fault.to_string())
        })?;
        for fault in warnings {
            warn(py, "RuleWarning", &fault.to_string())?;
        }
        Ok(self)
    }
}

/// The rules of an argument `rules=`: rules, or a source of them.
pub fn rules_of(value: &Bound<'_, PyAny>) -> PyResult<Arc<Rules>> {
    if let Ok(rules) = value.cast::<PyRules>() {
        return Ok(rules.get().rules.clone());
    }
    let given = Given {
        sources: sources_of(value, None)?,
        ..Given::default()
    };
    let rules = PyRules::new(given)?.checked(value.py())?;
    Ok(rules.rules)
}

/// Rules as a text of lines, as a dict, or one by one; `base` is the site of paths alone in a text.
fn sources_of(value: &Bound<'_, PyAny>, base: Option<&str>) -> PyResult<Vec<Source>> {
    if let Ok(text) = value.cast::<PyString>() {
        let text = text.to_str()?.to_owned();
        let base = base.map(str::to_owned);
        return Ok(vec![Source::Map(text, MapFormat::Rules, base)]);
    }
    let half = |half: &Bound<'_, PyAny>, from: &Bound<'_, PyAny>| match half.extract::<String>() {
        Ok(half) => Ok(half),
        Err(_) => Err(no_text(
            "rules",
            &format!("a str for {}", from.repr()?),
            half,
        )),
    };
    if let Ok(mapping) = value.cast::<PyMapping>() {
        let items = mapping.items()?;
        let pairs = items.iter().map(|item| {
            let (from, to): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item.extract()?;
            let from_text = from.extract::<String>();
            let from_text = from_text.map_err(|_| no_text("rules", "a str as FROM", &from))?;
            Ok(Source::Pair(from_text, half(&to, &from)?))
        });
        return pairs.collect();
    }
    let expected = || {
        wrong_type(
            "rules",
            "Rules, a str, a dict or an iterable of lines",
            value,
        )
    };
    if value.is_instance_of::<PyBytes>() || value.is_instance_of::<PyByteArray>() {
        return Err(expected());
    }
    let items = value.try_iter().map_err(|_| expected())?;
    items
        .map(|item| {
            let item = item?;
            if let Ok(line) = item.extract::<String>() {
                return Ok(Source::Line(line));
            }
            match item.extract::<(String, String)>() {
                Ok((from, to)) => Ok(Source::Pair(from, to)),
                Err(_) => Err(not_a_rule(&item)),
            }
        })
        .collect()
}

/// The error for an item that is neither a line nor a pair of texts.
fn not_a_rule(item: &Bound<'_, PyAny>) -> PyErr {
    let expected = "'FROM TO' or (FROM, TO)";
    match item.cast::<PyTuple>() {
        Ok(tuple) if tuple.len() != 2 => {
            let count = tuple.len();
            PyTypeError::new_err(format!(
                "rules: expected {expected}, found a tuple of {count}"
            ))
        }
        Ok(_) => {
            let shown = item
                .repr()
                .map_or_else(|_| "?".to_owned(), |repr| repr.to_string());
            PyTypeError::new_err(format!("rules: expected {expected} of str, found {shown}"))
        }
        Err(_) => no_text("rules", expected, item),
    }
}

/// The base of rules.
fn site(base: Option<&str>) -> PyResult<Option<String>> {
    let base = base.map(values::document_base).transpose();
    base.map_err(|error| invalid("base", error))
}

/// The rules of a file; CSV is recognized by the file name, other formats by their content.
fn map_file(
    path: &Path,
    format: Option<&Bound<'_, PyAny>>,
    base: Option<&str>,
) -> PyResult<Source> {
    let shown = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|error| os_error(&error, path))?;
    let text = String::from_utf8(bytes).map_err(|error| Failure {
        at: Some(error.utf8_error().valid_up_to()),
        path: Some(shown.clone()),
        ..Failure::new("invalid-rule", format!("{shown}: expected text in UTF-8"))
    })?;
    let base = base.map(str::to_owned);
    let format = match format {
        Some(format) => choice("format", format, values::MAP_FORMATS)?,
        None => None,
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let format = format.unwrap_or_else(|| MapFormat::of_named(&name, &text));
    Ok(Source::Map(text, format, base))
}

#[pymethods]
impl PyRules {
    #[new]
    #[pyo3(signature = (
        rules = None, *, r#move = None, move_mail = false, move_subdomains = false, files = None, format = None,
        base = None, any_query_order = false, unwrap = false,
    ))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn py_new(
        rules: Option<&Bound<'_, PyAny>>,
        r#move: Option<&Bound<'_, PyMapping>>,
        move_mail: bool,
        move_subdomains: bool,
        files: Option<Bound<'_, PyAny>>,
        format: Option<&Bound<'_, PyAny>>,
        base: Option<String>,
        any_query_order: bool,
        unwrap: bool,
        py: Python<'_>,
    ) -> PyResult<Self> {
        let moves = Moves {
            domains: match r#move {
                Some(domains) => domains.items()?.extract()?,
                None => Vec::new(),
            },
            mail: move_mail,
            subdomains: move_subdomains,
        };
        if moves.domains.is_empty() && (move_mail || move_subdomains) {
            let name = if move_mail {
                "move_mail"
            } else {
                "move_subdomains"
            };
            return Err(invalid(name, "expected `move` beside it"));
        }
        let is_text = rules.is_some_and(|rules| rules.is_instance_of::<PyString>());
        let base = site(base.as_deref())?;
        if base.is_some() && !is_text && files.is_none() {
            return Err(invalid(
                "base",
                "expected `files` or a text of rules beside it",
            ));
        }
        let sources = rules.map(|rules| sources_of(rules, base.as_deref()));
        let mut sources = sources.transpose()?.unwrap_or_default();
        if let Some(paths) = &files {
            let paths: Vec<PathBuf> = match paths.extract() {
                Ok(path) => vec![path],
                Err(_) => paths.extract()?,
            };
            for path in paths {
                sources.push(map_file(&path, format, base.as_deref())?);
            }
        }
        let given = Given {
            sources,
            moves,
            any_query_order,
            unwrap,
        };
        PyRules::new(given)?.checked(py)
    }

    /// The rules of a file in UTF-8.
    ///
    /// `format` is auto, linkglot, csv, json, apache, nginx or netlify; `base` is the site of paths that stand alone
    /// (`/a`). Raises OSError if the file cannot be read, and Error as Rules does.
    #[staticmethod]
    #[pyo3(signature = (path, *, format = None, base = None))]
    fn from_file(
        path: PathBuf,
        format: Option<&Bound<'_, PyAny>>,
        base: Option<String>,
        py: Python<'_>,
    ) -> PyResult<Self> {
        let base = site(base.as_deref())?;
        let given = Given {
            sources: vec![map_file(&path, format, base.as_deref())?],
            ..Given::default()
        };
        let shown = path.display().to_string();
        let rules = PyRules::new(given).map_err(|failure| Failure {
            message: format!("{shown}: {}", failure.message),
            path: Some(shown),
            ..failure
        })?;
        rules.checked(py)
    }

    /// The new form of a reference; `None` if no rule changes it. Raises ValueError for a `base` that is none.
    #[pyo3(signature = (reference, *, base = None))]
    fn apply(&self, reference: &str, base: Option<&str>) -> PyResult<Option<String>> {
        let base = site(base)?;
        let new = self
            .rules
            .apply_at(reference, base.as_deref(), Reach::AnySpelling);
        Ok(new)
    }

    fn __len__(&self) -> usize {
        self.rules.given().len()
    }

    /// FROM and TO of the rule with a number; -1 is the last rule.
    fn __getitem__(&self, number: isize) -> PyResult<(&str, &str)> {
        let rules = self.rules.given();
        let from_end = || rules.len().checked_sub(number.unsigned_abs());
        let at = usize::try_from(number).ok().or_else(from_end);
        let rule = at.and_then(|at| rules.get(at));
        let rule = rule.ok_or_else(|| PyIndexError::new_err(number))?;
        Ok((&rule.from, &rule.to))
    }

    fn __iter__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyIterator>> {
        let rules = slf.get().rules.given().iter();
        let pairs: Vec<_> = rules.map(|rule| (&rule.from, &rule.to)).collect();
        PyTuple::new(slf.py(), pairs)?.try_iter()
    }

    fn __repr__(&self) -> String {
        format!("<linkglot.Rules: {}>", self.rules.given().len())
    }

    #[staticmethod]
    fn _restore(
        sources: Vec<(String, Option<String>, Option<String>)>,
        domains: Vec<(String, String)>,
        switches: (bool, bool, bool, bool),
    ) -> PyResult<Self> {
        let (mail, subdomains, any_query_order, unwrap) = switches;
        let sources = sources.into_iter().map(|(text, format, second)| {
            let known = values::MAP_FORMATS.iter();
            let mut known = known.filter_map(|(name, format)| Some((*name, (*format)?)));
            let format = format.and_then(|format| known.find(|(name, _)| *name == format));
            match (format, second) {
                (Some((_, format)), base) => Source::Map(text, format, base),
                (None, Some(to)) => Source::Pair(text, to),
                (None, None) => Source::Line(text),
            }
        });
        Ok(PyRules::new(Given {
            sources: sources.collect(),
            moves: Moves {
                domains,
                mail,
                subdomains,
            },
            any_query_order,
            unwrap,
        })?)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let restore = py.get_type::<PyRules>().getattr("_restore")?;
        let given = &self.given;
        let sources: Vec<_> = given
            .sources
            .iter()
            .map(|source| match source {
                Source::Line(line) => (line.as_str(), None, None),
                Source::Pair(from, to) => (from.as_str(), None, Some(to.as_str())),
                Source::Map(text, format, base) => {
                    let name = values::name_of(values::MAP_FORMATS, Some(*format));
                    (text.as_str(), Some(name), base.as_deref())
                }
            })
            .collect();
        let switches = (
            given.moves.mail,
            given.moves.subdomains,
            given.any_query_order,
            given.unwrap,
        );
        let domains = given.moves.domains.clone();
        let arguments = (sources, domains, switches).into_pyobject(py)?;
        PyTuple::new(py, [restore, arguments.into_any()])
    }
}
