//! Arguments of `find` and `rewrite`.

use super::values::{self, Kind};
use clap::{ArgAction, Args, ValueEnum};
use linkglot::charset::Charset;
use linkglot::driver::FileKind;
use linkglot::markup::PlaceKind;
use std::path::PathBuf;

/// How documents are read.
#[derive(Args, Debug)]
#[command(next_help_heading = "Documents")]
pub struct DocumentArgs {
    /// The documents' format; auto: by name, then by content (all that is neither markup nor a style
    /// sheet is text, code too)
    #[arg(long, value_enum, default_value_t = FormatArg::Auto, value_name = "FORMAT")]
    pub format: FormatArg,
    /// The documents' charset; overrides everything but a BOM
    #[arg(short = 'E', long, value_name = "LABEL", value_parser = values::charset)]
    pub charset: Option<Charset>,
    /// The charset when nothing else decides [default: windows-1252 for HTML, UTF-8 elsewhere]
    #[arg(long, value_name = "LABEL", value_parser = values::charset)]
    pub default_charset: Option<Charset>,
    /// How links are found in running text; scheme: only those with an explicit scheme
    #[arg(long, value_enum, default_value_t = Detect::Extended, value_name = "PROFILE")]
    pub detect: Detect,
    /// Plain text is format=flowed with DelSp=yes (RFC 3676): a link goes on behind a single space
    /// at a line's end
    #[arg(long)]
    pub flowed: bool,
    /// In plain text, a link goes on in the next line where a line looks cut in two (a guess)
    #[arg(long)]
    pub join_wrapped: bool,
    /// The base of relative references, where the document has none; one that ends with `/` is that of a
    /// PATH that is a directory, for each file with its path below that
    #[arg(long, value_name = "IRI", value_parser = values::document_base)]
    pub base: Option<String>,
    /// A file with rows that say where links stand, beside the built-in ones or in their place
    /// (repeatable, a later file goes before an earlier)
    #[arg(long, value_name = "FILE", action = ArgAction::Append)]
    pub vocabulary: Vec<PathBuf>,
    /// What is read beside the usual: running text of code, of links and code (text), comments,
    /// conditional comments, attributes that are links by convention (opt-in: data-src, hx-get ...)
    #[arg(long, value_enum, value_name = "WHAT", value_delimiter = ',')]
    pub also: Vec<Also>,
    /// Longer slots pass untouched with a note, and so do Markdown and reStructuredText documents
    /// that are 16 times as long (K, M, G: powers of 1024)
    #[arg(long, value_name = "BYTES", default_value = "1M", value_parser = values::bytes)]
    pub max_slot: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Also {
    Code,
    Text,
    Comments,
    Conditional,
    OptIn,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormatArg {
    Auto,
    Text,
    Html,
    Xml,
    Css,
    #[cfg(feature = "markdown")]
    Markdown,
    Rst,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Detect {
    Extended,
    Uts58,
    Scheme,
}

/// Which files are read.
#[derive(Args, Debug)]
#[command(next_help_heading = "Files")]
pub struct FileArgs {
    /// Files and directories; `-` is standard input [default: standard input when it is a pipe or
    /// a file, else the current directory]
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Only files that match; with `!` before it: not those (repeatable, the last that matches wins)
    #[arg(short, long, value_name = "GLOB", allow_hyphen_values = true)]
    pub glob: Vec<String>,
    /// Only files of a type, by the name's extension (repeatable)
    #[arg(short = 't', long = "type", value_name = "TYPE", value_delimiter = ',',
          value_parser = values::file_kind())]
    pub kinds: Vec<FileKind>,
    /// Leave out hidden files and directories
    #[arg(long)]
    pub no_hidden: bool,
    /// Leave out what git ignores
    #[arg(long)]
    pub gitignore: bool,
    /// Follow symbolic links
    #[arg(short = 'L', long)]
    pub follow: bool,
    /// Read the files that a list names, one a line; `-`: the list is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "paths")]
    pub files_from: Option<PathBuf>,
    /// The names of the list end with NUL
    #[arg(short = '0', long, requires = "files_from")]
    pub null: bool,
    /// How many files are worked on at once [default: the number of cores]
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}

/// What is told beside the result.
#[derive(Args, Debug)]
#[command(next_help_heading = "Reports")]
pub struct ReportArgs {
    /// Print a summary on standard error
    #[arg(long)]
    pub stats: bool,
    /// Print nothing but errors; find: nothing at all but errors, and stop at the first link
    #[arg(short, long, conflicts_with_all = ["verbose", "stats"])]
    pub quiet: bool,
    /// Tell more on standard error: what was skipped and why, what each document is
    #[arg(short, long)]
    pub verbose: bool,
    /// Colours; auto: on a terminal, unless NO_COLOR is set
    #[arg(long, value_enum, default_value_t = When::Auto, value_name = "WHEN")]
    pub color: When,
    /// A progress bar; auto: on a terminal, when work is long
    #[arg(long, value_enum, default_value_t = When::Auto, value_name = "WHEN")]
    pub progress: When,
    /// One JSON object a line, the last of them a summary
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum When {
    Auto,
    Always,
    Never,
}

/// Which links are listed.
#[derive(Args, Debug)]
#[command(next_help_heading = "Filters")]
pub struct PatternArgs {
    /// Only links with one of these schemes, implied ones too
    #[arg(long, value_name = "SCHEME", value_delimiter = ',', value_parser = values::scheme)]
    pub scheme: Vec<String>,
    /// Only links at these kinds of places, or of these kinds: iri (with a scheme of its own), domain
    /// and email (without one, in text); of both sorts: both must be so; comment reads
    /// comments, doctype lists the identifiers of XML there
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = values::kind())]
    pub kind: Vec<Kind>,
    /// Only links with characters that are not ASCII
    #[arg(long)]
    pub non_ascii: bool,
    /// Only links with a scheme, implied ones too
    #[arg(long, conflicts_with = "relative")]
    pub absolute: bool,
    /// Only links without a scheme
    #[arg(long, conflicts_with = "scheme")]
    pub relative: bool,
    /// List identifiers too (system identifiers, Atom ids, item types ...): they are no links to
    /// follow and are never rewritten
    #[arg(long)]
    pub identifiers: bool,
}

#[derive(Args, Debug)]
pub struct FindArgs {
    /// Print the links alone
    #[arg(short, long, conflicts_with_all = ["count", "files_with_links", "json"])]
    pub only_links: bool,
    /// Which form of a link is printed: source bytes, unescaped text, or a mapped form (a link
    /// that has none is printed as it is)
    #[arg(long = "as", value_enum, default_value_t = Form::Text, value_name = "FORM",
          conflicts_with_all = ["count", "files_with_links", "json"])]
    pub form: Form,
    /// Print how many links each file has (those without are left out)
    #[arg(short, long, conflicts_with_all = ["files_with_links", "json"])]
    pub count: bool,
    /// Print the names of files with links
    #[arg(short = 'l', long, conflicts_with_all = ["json", "unique"])]
    pub files_with_links: bool,
    /// Print each link once (with --count: once for each file)
    #[arg(short, long)]
    pub unique: bool,
    #[command(flatten)]
    pub pattern: PatternArgs,
    #[command(flatten)]
    pub documents: DocumentArgs,
    #[command(flatten)]
    pub files: FileArgs,
    #[command(flatten)]
    pub report: ReportArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    Raw,
    Text,
    Uri,
    Iri,
}

#[derive(Args, Debug)]
pub struct RewriteArgs {
    /// The form that links get; same: as they are, only --map changes them
    #[arg(long, value_enum, value_name = "FORM")]
    pub to: ToForm,
    /// A rule: links that begin with FROM begin with TO instead (repeatable, the longest FROM
    /// wins); or `re:PATTERN TO`
    ///
    /// <base href> and xml:base change only by a rule that moves a whole origin to another
    /// (`http://old.example/ https://new.example/`), so that links that are relative to them never
    /// go where no rule says: it stays, too, when a longer FROM leads a part of the origin elsewhere.
    #[arg(long, value_name = "FROM TO", action = ArgAction::Append)]
    pub map: Vec<String>,
    /// Rules see relative links, too, as what they resolve to in browsers (--base, <base href>,
    /// xml:base; `resolved` of find --json); one that matches becomes absolute
    #[arg(long)]
    pub map_resolved: bool,
    /// A file with a rule on each line; a line that begins with `#` is a comment (repeatable)
    #[arg(long, value_name = "FILE", action = ArgAction::Append)]
    pub map_file: Vec<PathBuf>,
    /// The form of hosts [default: punycode with --to uri, unicode with --to iri]
    #[arg(long, value_enum, value_name = "FORM")]
    pub host: Option<Host>,
    /// The charset of what is not ASCII in http(s) queries [default: document for HTML and
    /// XHTML, utf-8 elsewhere]
    #[arg(long, value_enum, value_name = "CHARSET")]
    pub query_charset: Option<Query>,
    /// safe: what could deceive stays encoded
    #[arg(long, value_enum, default_value_t = Show::Safe, value_name = "WHAT")]
    pub display: Show,
    /// Rewrite only at these kinds of places (comment reads comments)
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = values::place())]
    pub slots: Vec<PlaceKind>,
    /// End with 1 when a link had to be left as it was
    #[arg(long)]
    pub strict: bool,
    /// One file: the rewritten document on standard output
    #[arg(long, help_heading = "Where to", conflicts_with_all = ["in_place", "output", "dry_run", "json"])]
    pub stdout: bool,
    /// Replace the files
    #[arg(short, long, help_heading = "Where to", conflicts_with = "output")]
    pub in_place: bool,
    /// Write the same tree below DIR, with the files that do not change
    #[arg(short = 'O', long, help_heading = "Where to", value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Change nothing; a table of what would change
    #[arg(short = 'n', long, help_heading = "Where to")]
    pub dry_run: bool,
    #[command(flatten)]
    pub documents: DocumentArgs,
    #[command(flatten)]
    pub files: FileArgs,
    #[command(flatten)]
    pub report: ReportArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ToForm {
    Uri,
    Iri,
    Same,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Host {
    Punycode,
    Unicode,
    Percent,
    Keep,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Query {
    Document,
    #[value(name = "utf-8", alias = "utf8")]
    Utf8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Show {
    Safe,
    All,
}
