//! Values of keyword arguments, or the errors that name them.

use crate::error::{invalid, wrong_type};
use linkglot_files::values;
use pyo3::prelude::*;
use pyo3::types::PyString;

/// A text.
pub fn text(name: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    value.extract().map_err(|_| no_text(name, "a str", value))
}

/// The error for a value that is no text, or a text with half of a character.
pub fn no_text(name: &str, expected: &str, value: &Bound<'_, PyAny>) -> PyErr {
    if value.is_instance_of::<PyString>() {
        invalid(name, "expected a str without lone surrogates")
    } else {
        wrong_type(name, expected, value)
    }
}

/// A truth value.
pub fn flag(name: &str, value: &Bound<'_, PyAny>) -> PyResult<bool> {
    value
        .extract()
        .map_err(|_| wrong_type(name, "a bool", value))
}

/// A text, given as such or as a path.
pub fn path_text(name: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    let path: PyResult<std::path::PathBuf> = value.extract();
    let path = path.map_err(|_| wrong_type(name, "a str or a path", value))?;
    Ok(path.to_string_lossy().into_owned())
}

/// Several texts, or a single one: `"a"` for `["a"]`.
pub fn strings(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    if let Ok(one) = value.extract::<String>() {
        return Ok(one.split(',').map(|word| word.trim().to_owned()).collect());
    }
    let expected = || no_text(name, "a str or an iterable of str", value);
    if value.is_instance_of::<PyString>() {
        return Err(expected());
    }
    let items = value.try_iter().map_err(|_| expected())?;
    items
        .map(|item| item?.extract().map_err(|_| expected()))
        .collect()
}

/// A value of a table by its name.
pub fn choice<T: Copy>(
    option: &str,
    value: &Bound<'_, PyAny>,
    table: values::Names<T>,
) -> PyResult<T> {
    let name = text(option, value)?;
    let found = table.iter().find(|(known, _)| *known == name);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = table.iter().map(|(name, _)| *name).collect();
        invalid(
            option,
            format!("expected one of {}, found {name:?}", names.join(", ")),
        )
    })
}
