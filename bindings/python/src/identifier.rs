//! Single identifiers: their forms, their components, and their comparison.

use crate::error::Failure;
use crate::link::codes;
use crate::value::choice;
use linkglot::notes::Notes;
use linkglot_files::values;
use linkglot_iri::{
    self as iri, Comparison, Lenient, Level, MapError, Normalization, Parts, Strictness, ToIri,
    ToUri,
};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

impl From<MapError> for Failure {
    fn from(error: MapError) -> Self {
        Failure {
            at: Some(error.at),
            ..Failure::new(error.kind.code(), error.to_string())
        }
    }
}

/// An identifier, resolved against the base if there is one.
fn resolved(text: &str, base: Option<&str>) -> Result<String, Failure> {
    match base {
        None => Ok(text.to_owned()),
        Some(base) => iri::resolve(base, text, Strictness::Strict)
            .map_err(|error| Failure::new("base", error.to_string())),
    }
}

/// The failure with its place in characters of the text instead of bytes.
fn in_chars(text: &str, failure: Failure) -> Failure {
    let Some(byte) = failure.at else {
        return failure;
    };
    let before = text.char_indices().take_while(|(at, _)| *at < byte);
    let at = before.count();
    let message = failure
        .message
        .replace(&format!("at byte {byte}"), &format!("at character {at}"));
    Failure {
        at: Some(at),
        message,
        ..failure
    }
}

/// The URI of an IRI (RFC 3987 3.1).
///
/// `base` resolves references first; `host` is the form of the host: punycode (default), unicode, percent or keep;
/// `charset` is the original charset of the IRI: an IRI from a legacy charset is normalized to NFC first. Raises Error
/// if the IRI has no URI: `kind` is the reason, `at` the character.
///
/// >>> import linkglot
/// >>> linkglot.to_uri("http://résumé.example/é?q=é")
/// 'http://xn--rsum-bpad.example/%C3%A9?q=%C3%A9'
/// >>> linkglot.to_uri("../é", base="http://example.org/a/b")
/// 'http://example.org/%C3%A9'
#[pyfunction]
#[pyo3(signature = (iri, *, base = None, host = None, charset = None))]
pub fn to_uri(
    iri: &str,
    base: Option<&str>,
    host: Option<&Bound<'_, PyAny>>,
    charset: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let target = resolved(iri, base)?;
    let mut to_uri = ToUri::default();
    if let Some(host) = host {
        to_uri.host = choice("host", host, values::HOSTS)?;
    }
    if let Some(label) = charset {
        to_uri.charset = crate::options::charset("charset", label)?;
        to_uri.normalization = Normalization::ByCharset;
    }
    let mapped = to_uri.map(&target);
    let mapped = mapped.map_err(|error| in_chars(&target, error.into()))?;
    Ok(mapped.text.into_owned())
}

/// The IRI of a URI for display (RFC 3987 3.2).
///
/// `base` resolves references first; `display` is safe (default: everything stays encoded that could deceive a reader),
/// minimal (only in hosts) or all.
///
/// >>> import linkglot
/// >>> linkglot.to_iri("http://xn--rsum-bpad.example/%C3%A9")
/// 'http://résumé.example/é'
#[pyfunction]
#[pyo3(signature = (uri, *, base = None, display = None))]
pub fn to_iri(
    uri: &str,
    base: Option<&str>,
    display: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let target = resolved(uri, base)?;
    let mut to_iri = ToIri::default();
    if let Some(display) = display {
        (to_iri.display, to_iri.host) = choice("display", display, values::ALL_DISPLAYS)?;
    }
    Ok(to_iri.map(&target, &|_| true).text.into_owned())
}

/// True if a program may make a URI from others clickable: its scheme neither runs anything nor reads a local file.
/// False for `None`, the `uri` of a link that has none.
///
/// >>> import linkglot
/// >>> [linkglot.is_safe_to_click(uri) for uri in ("https://example.org/", "javascript:alert(1)", None)]
/// [True, False, False]
#[pyfunction]
pub fn is_safe_to_click(uri: Option<&str>) -> bool {
    uri.is_some_and(linkglot::is_safe_to_click)
}

/// An identifier in the spelling that equivalent identifiers share on a rung of the comparison ladder (RFC 3987 5.3).
///
/// `level` is string, case, percent, path or scheme. Without it: path, with the host in punycode.
///
/// >>> import linkglot
/// >>> linkglot.normalize("HTTP://Example.org:80/%7Ea/../b")
/// 'http://example.org:80/b'
/// >>> linkglot.normalize("HTTP://Example.org:80/%7Ea/../b", level="scheme")
/// 'http://example.org/b'
#[pyfunction]
#[pyo3(signature = (iri, *, level = None))]
pub fn normalize(iri: &str, level: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
    Ok(match level {
        Some(level) => iri::normalize(iri, choice("level", level, values::LEVELS)?),
        None => iri::normalize_with_punycode(iri, Level::default()),
    })
}

/// The fields of `linkglot.Comparison`: whether two identifiers are the same, the rung on which they are, or the
/// component in which they differ.
#[pyfunction]
#[pyo3(signature = (a, b, *, base = None))]
pub fn compare(
    a: &str,
    b: &str,
    base: Option<&str>,
) -> PyResult<(bool, Option<&'static str>, Option<String>)> {
    let (a, b) = (resolved(a, base)?, resolved(b, base)?);
    Ok(match iri::compare(&a, &b) {
        Comparison::Same(level) => (true, Some(level.name()), None),
        Comparison::Different(component) => (false, None, Some(component.to_string())),
    })
}

/// The fields of `linkglot.Explanation`.
#[pyfunction]
pub fn explain<'py>(py: Python<'py>, iri: &str) -> PyResult<Bound<'py, PyDict>> {
    let uri = ToUri::default().map(iri);
    let mut notes = uri.as_ref().map_or(Notes::NONE, |mapped| mapped.notes);
    let shown = ToIri::default().map(iri, &|_| true);
    notes.extend(shown.notes);
    let read = Lenient::read(iri);
    let invalid = iri::parse(iri, iri::Form::Reference).err();
    let invalid = invalid.map(|error| {
        let failure = Failure::new("invalid", error.to_string());
        let at = Some(error.at());
        in_chars(iri, Failure { at, ..failure })
    });
    let fields = PyDict::new(py);
    fields.set_item("input", iri)?;
    fields.set_item("valid", invalid.is_none())?;
    fields.set_item("error", invalid.map(|error| (error.message, error.at)))?;
    fields.set_item("components", components(py, &read.parts())?)?;
    fields.set_item("uri", uri.ok().map(|mapped| mapped.text.into_owned()))?;
    fields.set_item(
        "normal",
        iri::normalize_with_punycode(iri, Level::default()),
    )?;
    fields.set_item("displayed", iri::bidi::visual(&shown.text))?;
    fields.set_item("iri", shown.text)?;
    let warnings = iri::warnings(iri);
    let warnings = warnings.iter().map(|warning| {
        let start = iri[..warning.range.start].chars().count();
        let length = iri[warning.range.clone()].chars().count();
        let note = warning.note;
        (
            note.code(),
            note.words(),
            &*warning.detail,
            start,
            start + length,
        )
    });
    fields.set_item("warnings", PyTuple::new(py, warnings.collect::<Vec<_>>())?)?;
    fields.set_item("notes", PyTuple::new(py, codes(notes))?)?;
    Ok(fields)
}

fn components<'py>(py: Python<'py>, parts: &Parts<'_>) -> PyResult<Bound<'py, PyDict>> {
    let components = PyDict::new(py);
    for (name, value) in parts.components() {
        components.set_item(name, value)?;
    }
    Ok(components)
}
