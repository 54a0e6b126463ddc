//! Detection in running text: cases, properties, and the suites of other linkifiers.

mod bytes;
mod cases;
mod formatting;
mod properties;
mod settings;
mod suites;
