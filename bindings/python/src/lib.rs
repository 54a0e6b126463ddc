//! linkglot for Python: a thin layer over the library.

// Docstrings of functions and methods are in the stubs. Names follow Python's conventions.
#![allow(missing_docs, non_upper_case_globals)]

mod arrow;
mod command;
mod data;
mod document;
mod done;
mod error;
mod files;
mod find_files;
mod identifier;
mod link;
mod options;
mod records;
mod results;
mod rewrite;
mod rewrite_files;
mod rules;
mod stream;
mod value;
mod warc;

use pyo3::prelude::*;

#[pymodule]
mod _native {
    #[pymodule_export]
    const __version__: &str = env!("CARGO_PKG_VERSION");
    #[pymodule_export]
    use crate::arrow::{find_batch, rewrite_batch};
    #[pymodule_export]
    use crate::command::main;
    #[pymodule_export]
    use crate::document::{PyDisplayed, PyDocument, PyPart};
    #[pymodule_export]
    use crate::files::PyFile;
    #[pymodule_export]
    use crate::find_files::{FileIterator, find_files};
    #[pymodule_export]
    use crate::identifier::{compare, explain, is_safe_to_click, normalize, to_iri, to_uri};
    #[pymodule_export]
    use crate::link::{PyLink, find};
    #[pymodule_export]
    use crate::records::{container_format, find_container, find_records, record_ranges};
    #[pymodule_export]
    use crate::results::LinkIterator;
    #[pymodule_export]
    use crate::rewrite::{PyChange, PyRewritten, rewrite};
    #[pymodule_export]
    use crate::rewrite_files::{PyRun, rewrite_files, undo};
    #[pymodule_export]
    use crate::rules::PyRules;
    #[pymodule_export]
    use crate::stream::{detect, find_stream, is_binary, mailbox_ranges, rewrite_stream};
    #[pymodule_export]
    use crate::warc::{PyRecord, RecordIterator, warc};
}
