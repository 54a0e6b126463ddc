//! Arguments that `find` and `rewrite` share.

use super::values::{self, FormatChoice, named};
use clap::{ArgAction, Args, ValueEnum};
use linkglot::format::FileType;
use linkglot::{Charset, Profile};
use std::path::PathBuf;

/// Options for reading documents.
#[derive(Args, Debug)]
#[command(next_help_heading = "Reading documents")]
pub struct DocumentArgs {
    /// Format of the documents [default: auto]
    ///
    /// auto: by name, then by content; all else is text. Values: text, html, xml, css, markdown, rst,
    /// mail (MHTML), mbox, ics (calendars), vcf (vCards), json, jsonl, sql, csv, js (TypeScript), php, python,
    /// c (Java ...), toml, yaml, po, properties, tex, rtf, mediawiki, asciidoc, org, textile.
    #[arg(long, value_name = "FORMAT", default_value = "auto", value_parser = named(values::FORMATS))]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    pub format: FormatChoice,
    /// Charset of the documents, whatever they declare
    ///
    /// Only a byte order mark takes precedence. LABEL is a label of the WHATWG Encoding standard, of
    /// iconv or of Windows' code pages.
    #[arg(short = 'E', long, value_name = "LABEL", value_parser = values::charset)]
    pub charset: Option<Charset>,
    /// Charset if none is declared and detection is unsure
    ///
    /// Without this option: windows-1252 for HTML, else UTF-8.
    #[arg(long, value_name = "LABEL", value_parser = values::charset)]
    pub default_charset: Option<Charset>,
    /// Charset of documents that declare LABEL (repeatable)
    ///
    /// Documents and parts of mail that declare LABEL are read in CHARSET. Without this option, a document with an
    /// unknown label fails, and links in a part with one stay.
    #[arg(long, value_name = "LABEL=CHARSET", value_parser = values::assumed_charset, hide_short_help = true)]
    pub assume_charset: Vec<(String, Charset)>,
    /// Base of relative links, for documents that name none
    ///
    /// If IRI ends with `/` and PATH is a directory, the path of each file below PATH is added to IRI.
    #[arg(long, value_name = "IRI", value_parser = values::document_base)]
    pub base: Option<String>,
    /// Skip values and style sheets longer than this [default: 1M]
    ///
    /// The limit holds for each place of links. K, M and G are powers of 1024. Blocks of Markdown and
    /// reStructuredText are skipped if longer than 16 times the limit.
    #[arg(long, value_name = "BYTES", default_value = "1M", value_parser = values::bytes)]
    #[arg(hide_default_value = true, hide_short_help = true)]
    pub max_slot: usize,
    #[command(flatten)]
    pub detection: DetectionArgs,
}

/// Options for finding links in documents.
#[derive(Args, Debug)]
#[command(next_help_heading = "Finding links")]
pub struct DetectionArgs {
    /// Rules for links in running text [default: extended]
    ///
    /// extended also finds www., bare domains and e-mail addresses; uts58 follows Unicode's standard to
    /// the letter; scheme finds only links with a scheme (`https:`).
    #[arg(long, value_name = "PROFILE", default_value = "extended", value_parser = named(values::PROFILES))]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    pub detect: Profile,
    /// Join links in text that is format=flowed with DelSp=yes
    ///
    /// A space at a line's end continues a link on the next line (RFC 3676). Mail declares it.
    #[arg(long)]
    pub flowed: bool,
    /// Join links that seem to be broken at the end of a line of text
    ///
    /// A guess from the line's length and the beginning of the next line.
    #[arg(long)]
    pub join_wrapped: bool,
    /// Look in more parts: code, text, comments, conditional, opt-in, headers
    ///
    /// code: `<code>`, `<kbd>` ..., strings of scripts; text: code, and the text of links; comments; conditional:
    /// Internet Explorer's conditional comments; opt-in: attributes such as data-src and hx-get; headers: the text of
    /// header fields of mail, such as Subject.
    #[arg(long, value_enum, value_name = "PARTS", value_delimiter = ',')]
    #[arg(hide_possible_values = true)]
    pub also: Vec<Also>,
    /// File of elements and attributes that hold links (repeatable)
    ///
    /// Its rows take precedence over the built-in rows; see Vocabularies below.
    #[arg(long, value_name = "FILE", action = ArgAction::Append)]
    pub vocabulary: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Also {
    Code,
    Text,
    Comments,
    Conditional,
    OptIn,
    Headers,
}

impl Also {
    /// True if code is read.
    pub fn has_code(&self) -> bool {
        matches!(self, Also::Code | Also::Text)
    }
}

/// Options for choosing files.
#[derive(Args, Debug)]
#[command(next_help_heading = "Files")]
pub struct FileArgs {
    /// Files and directories; `-` is standard input
    ///
    /// Without PATH: standard input if that is a pipe or a file, else the current directory.
    #[arg(value_name = "PATH", display_order = 0)]
    pub paths: Vec<PathBuf>,
    /// Only files that match; `!GLOB` leaves out files that match (repeatable)
    ///
    /// The last match decides; one with a slash begins at the current directory.
    #[arg(short, long, value_name = "GLOB", allow_hyphen_values = true)]
    pub glob: Vec<String>,
    /// Only files with an extension of this type (repeatable)
    ///
    /// Types: html, xhtml, xml, svg, feed, css, text, markdown, rst, mail, calendar, vcard, json,
    /// jsonl, sql, csv, js, php, python, c, toml, yaml, po, properties, tex, rtf, mediawiki, asciidoc, org, textile.
    #[arg(short = 't', long = "type", value_name = "TYPE", value_delimiter = ',',
          value_parser = values::file_type(), hide_possible_values = true)]
    pub types: Vec<FileType>,
    /// Leave out hidden files and directories
    #[arg(long)]
    pub no_hidden: bool,
    /// Leave out what git ignores, as `rewrite` does in work trees without -O
    #[arg(long, overrides_with = "no_gitignore")]
    pub gitignore: bool,
    /// Take what git ignores, too
    #[arg(long, overrides_with = "gitignore")]
    pub no_gitignore: bool,
    /// Follow symbolic links
    #[arg(short = 'L', long)]
    pub follow: bool,
    /// Read archives and compressed files as files like others, not their entries
    ///
    /// Otherwise gz, zst, bz2, xz, br, tar and zip, with EPUB, OOXML and ODF, are read: `site.zip!/a/b.html`.
    #[arg(long, hide_short_help = true)]
    pub no_containers: bool,
    /// Most times that compressed data may grow [default: 1000]
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1000,
        hide_default_value = true,
        hide_short_help = true
    )]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub max_ratio: u64,
    /// Most containers in each other [default: 8]
    #[arg(
        long,
        value_name = "N",
        default_value_t = 8,
        hide_default_value = true,
        hide_short_help = true
    )]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=64))]
    pub max_depth: u32,
    /// Read the files named in a list, one per line; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "paths")]
    pub files_from: Option<PathBuf>,
    /// Names in the list end with NUL bytes
    // An option that excludes --files-from would keep it from being required.
    #[arg(short = '0', long, requires = "files_from", conflicts_with = "paths")]
    pub null: bool,
    /// Work on this many files at once [default: number of cores]
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}

/// Options for the messages and the output of a run.
#[derive(Args, Debug)]
#[command(next_help_heading = "Reports")]
pub struct ReportArgs {
    /// Print JSON, an object per line (`linkglot schema`); the last is a summary
    #[arg(long)]
    pub json: bool,
    /// Print a summary on standard error
    #[arg(long)]
    pub stats: bool,
    /// Print errors only; `find -q` stops at the first link
    ///
    /// With --stats, the summary is printed too, and `find` reads all files.
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Print details: format and charset of each file, and why a file was skipped
    ///
    /// `rewrite` also lists each link that it leaves unchanged, with the reason.
    #[arg(short, long)]
    pub verbose: bool,
    /// Use colours: auto, always or never [default: auto]
    ///
    /// auto: on a terminal, unless NO_COLOR is set.
    #[arg(long, value_enum, default_value_t = When::Auto, value_name = "WHEN")]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    pub color: When,
    /// Show a progress bar: auto, always or never [default: auto]
    ///
    /// auto: on a terminal, if the work takes more than a second.
    #[arg(long, hide_short_help = true, value_enum, default_value_t = When::Auto, value_name = "WHEN")]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    pub progress: When,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum When {
    Auto,
    Always,
    Never,
}
