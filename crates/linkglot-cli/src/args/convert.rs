//! Arguments of `convert`, `explain` and `compare`.

use super::values::{self, named};
use clap::{Args, ValueEnum};
use linkglot::rewrite::HostForm;
use linkglot::{Charset, QueryCharset};
use linkglot_iri::to_uri::{Disallowed, Unencodable};
use linkglot_iri::{HostDisplay, Idna, Level, Spaces, to_iri};
use std::ffi::OsString;

/// Identifiers and the options for reading them.
#[derive(Args, Debug)]
#[command(next_help_heading = "Input")]
pub struct IriArgs {
    /// IRIs, URIs or relative references
    ///
    /// Without IRI: the lines of standard input. An IRI that begins with `-` goes after `--`.
    #[arg(value_name = "IRI", display_order = 0)]
    pub iris: Vec<OsString>,
    /// Charset of the identifiers [default: UTF-8]
    ///
    /// Standard input is decoded from this charset; the charset also decides about NFC and queries (RFC 3987 3.1).
    #[arg(short = 'E', long, value_name = "LABEL", value_parser = values::charset)]
    pub charset: Option<Charset>,
    /// Trim white space, then treat inner spaces: encode, remove or split
    ///
    /// encode replaces spaces by `%20`, remove deletes them, split makes several references of one line.
    #[arg(long, value_name = "SPACES", value_parser = named(values::SPACES), hide_possible_values = true)]
    pub preprocess: Option<Spaces>,
    /// Decode references such as `&#233;`: keep, xml or html [default: keep]
    ///
    /// Only with --preprocess. html: as in attributes, where `&copy=1` is not a reference.
    #[arg(long, value_enum, default_value_t = References::Keep, value_name = "FORMAT", requires = "preprocess")]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    pub character_references: References,
    /// Enclose identifiers with right-to-left characters in isolates (U+2066, U+2069)
    ///
    /// Text around an isolate does not change how it is displayed. On a terminal this is the default.
    #[arg(long, help_heading = "Output", conflicts_with = "json")]
    pub isolate: bool,
    /// Print one JSON object for each identifier
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum References {
    Keep,
    Xml,
    Html,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Output")]
pub struct ConvertArgs {
    /// Form to print: uri, iri or normal
    ///
    /// uri: ASCII only; iri: as people read it; normal: a URI in the spelling that equivalent URIs share.
    #[arg(long, value_enum, value_name = "FORM", hide_possible_values = true)]
    pub to: Target,
    /// Form of hosts: punycode, unicode, percent or keep
    ///
    /// Without this option: unicode with --to iri, else punycode (with --level, as the level defines).
    #[arg(long, value_name = "FORM", value_parser = named(values::HOSTS), hide_possible_values = true)]
    pub host: Option<HostForm>,
    /// Version of Punycode mapping: uts46 or 2003 [default: uts46]
    ///
    /// 2003 (RFC 3490) maps `ß` to `ss` and `ς` to `σ`, drops joiners, and maps each label by itself.
    #[arg(long, value_name = "VERSION", default_value = "uts46", value_parser = named(values::IDNA))]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    pub idna: Idna,
    /// Decode for reading: safe, minimal or all [default: safe]
    ///
    /// With --to iri. safe leaves everything encoded that could deceive a reader; minimal and all decode everything
    /// that RFC 3987 allows.
    #[arg(long, value_name = "HOW", default_value = "safe", value_parser = named(values::ALL_DISPLAYS))]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    pub display: (to_iri::Display, HostDisplay),
    /// With --to normal: string, case, percent, path or scheme
    ///
    /// How far to normalize (RFC 3987 5.3). Without this option: path, with hosts in punycode.
    #[arg(long, value_name = "LEVEL", value_parser = named(values::LEVELS), hide_possible_values = true)]
    pub level: Option<Level>,
    #[command(flatten)]
    pub mapping: MappingArgs,
    #[command(flatten)]
    pub iris: IriArgs,
}

/// Options for resolving and mapping identifiers.
#[derive(Args, Debug)]
#[command(next_help_heading = "Mapping")]
pub struct MappingArgs {
    /// Resolve against this base first
    #[arg(long, value_name = "IRI", value_parser = values::base)]
    pub base: Option<String>,
    /// With --base: `http:g` is `g` relative to an http base (RFC 3986 5.2.2)
    #[arg(long, requires = "base")]
    pub lax: bool,
    /// Normalize to NFC, for identifiers typed from paper or dictation
    #[arg(long)]
    pub from_paper: bool,
    /// Charset of http queries: document or utf-8 [default: utf-8]
    ///
    /// document: the charset given by --charset.
    #[arg(long, value_name = "CHARSET", default_value = "utf-8", value_parser = named(values::QUERIES))]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    pub query_charset: QueryCharset,
    /// Query characters that this charset lacks: error, ncr or utf-8
    ///
    /// ncr writes `%26%23NNNN%3B`, as browsers do; utf-8 encodes them in UTF-8. [default: error]
    #[arg(long, value_name = "HOW", default_value = "error", value_parser = named(values::UNENCODABLE))]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    pub unencodable: Unencodable,
    /// ASCII characters that no IRI may hold: fail or encode [default: fail]
    #[arg(long, value_name = "HOW", default_value = "fail", value_parser = named(values::DISALLOWED))]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    pub ascii: Disallowed,
    /// Other characters that no IRI may hold: fail or encode [default: fail]
    #[arg(long, value_name = "HOW", default_value = "fail", value_parser = named(values::DISALLOWED))]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    pub other: Disallowed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Target {
    Uri,
    Iri,
    Normal,
}

#[derive(Args, Debug)]
pub struct ExplainArgs {
    #[command(flatten)]
    pub iris: IriArgs,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Input")]
pub struct CompareArgs {
    /// An IRI, URI or relative reference
    ///
    /// An IRI that begins with `-` goes after `--`.
    #[arg(value_name = "A", display_order = 0)]
    pub a: OsString,
    /// The reference to compare with A
    #[arg(value_name = "B", display_order = 0)]
    pub b: OsString,
    /// Charset of arguments that are not UTF-8
    #[arg(short = 'E', long, value_name = "LABEL", value_parser = values::charset)]
    pub charset: Option<Charset>,
    /// Resolve both against this base first
    #[arg(long, value_name = "IRI", value_parser = values::base)]
    pub base: Option<String>,
    /// Leave out fragments, as requests do (RFC 3987 5.1)
    #[arg(long)]
    pub ignore_fragment: bool,
    /// Print a JSON object
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}
