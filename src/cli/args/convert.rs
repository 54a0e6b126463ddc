//! Arguments of `convert` and `explain`.

use super::documents::{Host, Query};
use super::values;
use clap::{Args, ValueEnum};
use linkglot::charset::Charset;
use std::ffi::OsString;

/// What is converted, and how it is read.
#[derive(Args, Debug)]
pub struct IriArgs {
    /// IRIs, URIs or references [default: the lines of standard input]
    #[arg(value_name = "IRI", allow_hyphen_values = true)]
    pub iris: Vec<OsString>,
    /// The charset that they come from: standard input is in it, and its rules for NFC and
    /// queries count [default: UTF-8]
    #[arg(short = 'E', long, value_name = "LABEL", value_parser = values::charset)]
    pub charset: Option<Charset>,
    /// Make each string ready for reading first: leading and trailing white space goes, and inside
    /// spaces become `%20`, white space is removed, or spaces part several references
    #[arg(long, value_enum, value_name = "SPACES")]
    pub preprocess: Option<SpacesArg>,
    /// With --preprocess: which references to characters (`&#233;`) are undone
    #[arg(long, value_enum, default_value_t = References::Keep, value_name = "FORMAT", requires = "preprocess")]
    pub character_references: References,
    /// One JSON object for each
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SpacesArg {
    Encode,
    Remove,
    Split,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum References {
    Keep,
    Xml,
    Html,
}

#[derive(Args, Debug)]
pub struct ConvertArgs {
    #[command(flatten)]
    pub iris: IriArgs,
    /// The target form
    #[arg(long, value_enum, value_name = "FORM")]
    pub to: Target,
    /// The form of hosts [default: punycode with --to uri, unicode with --to iri; with --to
    /// normal punycode, or what --level says]
    #[arg(long, value_enum, value_name = "FORM")]
    pub host: Option<Host>,
    /// How names of the DNS become punycode: UTS 46, or as in 2003 (`ß` is `ss`, `ς` is `σ`,
    /// joiners go)
    #[arg(long, value_enum, default_value_t = IdnaArg::Uts46, value_name = "VERSION")]
    pub idna: IdnaArg,
    /// The charset of what is not ASCII in http(s) queries
    #[arg(long, value_enum, default_value_t = Query::Utf8, value_name = "CHARSET")]
    pub query_charset: Query,
    /// Query characters that the charset lacks: an error, `%26%23NNNN%3B`, or UTF-8
    #[arg(long, value_enum, default_value_t = Unencodable::Error, value_name = "WHAT")]
    pub unencodable: Unencodable,
    /// ASCII characters that no IRI has
    #[arg(long, value_enum, default_value_t = OrEncode::Fail, value_name = "WHAT")]
    pub ascii: OrEncode,
    /// Other characters that no IRI has
    #[arg(long, value_enum, default_value_t = OrEncode::Fail, value_name = "WHAT")]
    pub other: OrEncode,
    /// They were read from paper or heard: NFC whatever the charset
    #[arg(long)]
    pub from_paper: bool,
    /// Resolve against this base first
    #[arg(long, value_name = "IRI", value_parser = values::base)]
    pub base: Option<String>,
    /// With --base: `http:g` is `g` below an http base (RFC 3986 5.2.2)
    #[arg(long, requires = "base")]
    pub lax: bool,
    /// What an IRI shows; safe: what could deceive stays encoded
    #[arg(long, value_enum, default_value_t = Shown::Safe, value_name = "WHAT")]
    pub display: Shown,
    /// With --to normal: how far it goes (RFC 3987 5.3) [default: path, and names of the DNS in
    /// punycode]
    #[arg(long, value_enum, value_name = "LEVEL")]
    pub level: Option<LevelArg>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Target {
    Uri,
    Iri,
    Normal,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum IdnaArg {
    Uts46,
    #[value(name = "2003")]
    Transitional,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Unencodable {
    Error,
    Ncr,
    #[value(name = "utf-8", alias = "utf8")]
    Utf8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OrEncode {
    Fail,
    Encode,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Shown {
    Safe,
    Minimal,
    All,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LevelArg {
    String,
    Case,
    Percent,
    Path,
    Scheme,
}

#[derive(Args, Debug)]
pub struct ExplainArgs {
    #[command(flatten)]
    pub iris: IriArgs,
}
