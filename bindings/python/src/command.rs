//! The command.

use pyo3::prelude::*;
use std::ffi::OsString;

#[pyfunction]
pub fn main(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| linkglot_cli::execute(&arguments) as u8)
}
