//! Arguments, as the user writes them.

mod convert;
mod documents;
mod examples;
mod values;

pub use convert::{
    ConvertArgs, ExplainArgs, IdnaArg, IriArgs, LevelArg, OrEncode, References, Shown, SpacesArg,
    Target, Unencodable,
};
pub use documents::{
    Also, Detect, DocumentArgs, FileArgs, FindArgs, Form, FormatArg, Host, PatternArgs, Query,
    ReportArgs, RewriteArgs, Show, ToForm, When,
};
pub use values::{Kind, LinkKind};

use clap::{Parser, Subcommand};

/// Finds every link (IRI) in text, HTML, XML and CSS of any charset, and rewrites links
/// byte-exactly.
#[derive(Debug, Parser)]
#[command(
    name = "linkglot",
    disable_version_flag = true,
    arg_required_else_help = true,
    after_help = examples::SHORT
)]
pub struct Args {
    /// Print the version
    #[arg(short = 'V', long)]
    pub version: bool,
    /// With --version: the Unicode version of each table, too
    #[arg(long, requires = "version")]
    pub verbose: bool,
    #[command(subcommand)]
    pub command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the links of documents
    #[command(after_long_help = examples::FIND)]
    Find(FindArgs),
    /// Rewrite the links of documents
    #[command(after_long_help = examples::REWRITE)]
    Rewrite(RewriteArgs),
    /// Map identifiers, given as arguments or one a line
    #[command(after_long_help = examples::CONVERT)]
    Convert(ConvertArgs),
    /// Say what an identifier consists of and what is wrong with it
    #[command(after_long_help = examples::explain())]
    Explain(ExplainArgs),
    /// Print a completion script
    Completions {
        /// The shell that it is for
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or that of one command
    Man {
        /// The command; none: linkglot itself
        command: Option<String>,
    },
}
