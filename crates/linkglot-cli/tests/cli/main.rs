//! The command, option by option, and the examples of the documentation.

mod archives;
mod attachments;
#[cfg(unix)]
mod backup;
mod bidi;
mod budget;
mod calendars;
mod certainty;
mod charsets;
#[path = "../../../../tests/support/choices.rs"]
mod choices;
mod code;
mod compare;
mod config;
mod convert;
mod csv;
mod diff;
mod directives;
mod divided;
mod docs;
mod driver_files;
mod errors;
mod evidence;
mod files;
mod find;
#[cfg(unix)]
mod forgery;
mod gettext;
#[cfg(unix)]
mod git_ignore;
mod journals;
#[cfg(unix)]
mod json;
mod left_behind;
#[cfg(feature = "markdown")]
mod light;
mod mail;
mod mention_options;
#[cfg(unix)]
mod migration;
mod newcomer;
mod office;
mod properties;
mod report;
#[cfg(unix)]
mod resume;
mod rewrite;
mod rtf;
mod rules;
mod safari;
#[cfg(unix)]
mod safety;
#[path = "../../../linkglot-archive/tests/samples/mod.rs"]
mod samples;
mod schema;
mod scripts;
#[cfg(unix)]
mod seals;
mod second_grammars;
mod slots;
mod sql;
mod support;
mod tex;
mod undo;
mod unwrap;
mod vectors;
mod warnings;
mod web_archives;
mod yaml;
