//! Command-line arguments.

mod config;
mod convert;
mod find;
mod help;
mod rewrite;
mod shared;
mod values;

pub use config::ConfigArgs;
pub use convert::{CompareArgs, ConvertArgs, ExplainArgs, IriArgs, References, Target};
pub use find::{FindArgs, Form};
pub use rewrite::{RewriteArgs, RuleArgs};
pub use shared::{Also, DetectionArgs, DocumentArgs, FileArgs, ReportArgs, When};
pub use values::{DiffForm, HOSTS, name_of};

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::ffi::OsString;
use std::path::PathBuf;

/// Finds links (IRIs) in documents of any charset and rewrites them, changing no other byte
#[derive(Debug, Parser)]
#[command(
    name = "linkglot",
    disable_version_flag = true,
    arg_required_else_help = true,
    args_conflicts_with_subcommands = true,
    override_usage = "linkglot [OPTIONS] [COMMAND]",
    after_help = help::SHORT
)]
pub struct Args {
    /// Print the version; with --verbose, also the Unicode version of each table
    #[arg(short = 'V', long)]
    pub version: bool,
    /// With --version: also the Unicode version of each table
    #[arg(short = 'v', long, requires = "version", hide = true)]
    pub verbose: bool,
    /// Print the options of find and rewrite as a linkglot.toml
    #[arg(long, hide = true)]
    pub print_config: bool,
    #[command(subcommand)]
    pub command: Option<Command>,
}

impl Args {
    /// Parses the arguments; the first is the program's name.
    pub fn read(arguments: &[OsString]) -> Result<Self, clap::Error> {
        let mut command = help::laid_out(Args::command(), arguments);
        let matches = command.try_get_matches_from_mut(arguments)?;
        Args::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
    }

    /// The arguments about the configuration file, for commands that read it.
    pub fn config_mut(&mut self) -> Option<&mut ConfigArgs> {
        match &mut self.command {
            Some(Command::Find(args)) => Some(&mut args.config),
            Some(Command::Rewrite(args)) => Some(&mut args.config),
            _ => None,
        }
    }
}

/// Arguments of `undo`.
#[derive(Debug, clap::Args)]
pub struct UndoArgs {
    /// The run, as `linkglot runs` names it, or its journal [default: the last run in this directory, or in one above
    /// or below it]
    pub run: Option<PathBuf>,
    /// Undo the run's changes also in files that changed after the run
    #[arg(long)]
    pub force: bool,
    /// Trust a journal that no run of yours on this machine wrote, below the current directory only
    #[arg(long)]
    pub trust: bool,
    /// Print JSON, one object per line; the last is a summary
    #[arg(long)]
    pub json: bool,
    /// Print errors only
    #[arg(short, long, conflicts_with = "json")]
    pub quiet: bool,
}

/// Arguments of `resume`.
#[derive(Debug, clap::Args)]
pub struct ResumeArgs {
    /// The run, as `linkglot runs` names it, or its journal [default: the last interrupted run]
    pub run: Option<PathBuf>,
}

/// Arguments of `runs`.
#[derive(Debug, clap::Args)]
pub struct RunsArgs {
    /// Print one JSON object per line
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `charsets`.
#[derive(Debug, clap::Args)]
pub struct CharsetsArgs {
    /// Print one JSON object per line
    #[arg(long)]
    pub json: bool,
}

/// The objects of `--json`, by their names in the schema.
const OBJECTS: [&str; 17] = [
    "link",
    "edit",
    "left",
    "file",
    "count",
    "host",
    "left-behind",
    "error",
    "summary",
    "restored",
    "undo-summary",
    "run",
    "charset",
    "convert",
    "explain",
    "references",
    "compare",
];

/// Arguments of `schema`.
#[derive(Debug, clap::Args)]
pub struct SchemaArgs {
    /// The object [default: all of them]
    #[arg(value_parser = OBJECTS)]
    pub object: Option<String>,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the links of documents
    #[command(after_long_help = help::FIND)]
    Find(Box<FindArgs>),
    /// Rewrite the links of documents
    #[command(after_long_help = help::REWRITE)]
    Rewrite(Box<RewriteArgs>),
    /// Undo a run of `rewrite --in-place`
    #[command(after_long_help = help::UNDO)]
    Undo(UndoArgs),
    /// Continue an interrupted run of `rewrite --in-place`
    #[command(after_long_help = help::RESUME)]
    Resume(ResumeArgs),
    /// List the runs of `rewrite --in-place` that can be undone
    Runs(RunsArgs),
    /// Convert single links, given as arguments or one per line
    #[command(after_long_help = help::CONVERT)]
    Convert(ConvertArgs),
    /// Show the parts of a link and its problems
    #[command(after_long_help = help::explain())]
    Explain(ExplainArgs),
    /// Compare two links
    #[command(after_long_help = help::COMPARE)]
    Compare(CompareArgs),
    /// List the supported charsets with their labels
    #[command(after_long_help = help::CHARSETS)]
    Charsets(CharsetsArgs),
    /// Print the JSON Schema of the objects of --json
    #[command(after_long_help = help::SCHEMA)]
    Schema(SchemaArgs),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page of linkglot or of one command
    Man {
        /// The command [default: linkglot itself]
        command: Option<String>,
    },
}
