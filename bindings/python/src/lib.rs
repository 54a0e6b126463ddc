//! linkglot for Python. Thin: what it does, the library does.

// Functions and methods of Python have docstrings in its stubs.
#![allow(missing_docs)]

mod data;
mod error;
mod identifier;
mod link;
mod options;
mod rewrite;
mod rules;

use pyo3::prelude::*;

#[pymodule]
mod _native {
    #[pymodule_export]
    const __version__: &str = env!("CARGO_PKG_VERSION");
    #[pymodule_export]
    use crate::identifier::{compare, explain, normalize, to_iri, to_uri};
    #[pymodule_export]
    use crate::link::{PyLink, find};
    #[pymodule_export]
    use crate::rewrite::{PyChange, PyRewritten, rewrite};
    #[pymodule_export]
    use crate::rules::PyRules;
}
