//! Detection in running text: cases, properties, and the suites of other linkifiers.

mod bytes;
mod cases;
mod contexts;
mod formatting;
mod page;
mod properties;
mod sample;
mod settings;
mod suites;
