//! Documents and rewriting: the promises over corpora and generated documents.

mod brackets;
mod budget;
mod calendars;
mod certainty;
mod charset_steady;
mod choose;
mod code;
mod corpora;
mod csv;
mod edges;
mod emphasis;
mod every_sequence;
mod format_steady;
mod generated;
mod glued_links;
mod joined_lines;
mod json;
mod light_lines;
mod locations;
mod long_lines;
mod long_links;
#[cfg(feature = "markdown")]
mod long_markup;
mod mail;
mod own_scanner;
mod promises;
mod rewrite;
mod rtf;
mod rules;
mod sample;
mod second_grammars;
mod signatures;
mod sql;
mod tex;
mod torture;
mod yaml;
