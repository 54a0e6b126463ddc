//! The command.

use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the command line; the first argument is the name of the program. Returns the exit code.
///
/// `python -m linkglot find .` calls it: signals are handled as those of a program, and an interrupt ends the process.
#[pyfunction]
pub fn main(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| linkglot_cli::execute(&arguments) as u8)
}
