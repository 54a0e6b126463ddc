//! The `linkglot` program: arguments, printing, exit codes. It uses only the public API of the library and of
//! `linkglot-files`. As a library it has one function, [`execute`], with which the Python package has the command, too.

mod allocator;
mod args;
mod breakdown;
mod changes;
mod charsets;
mod compare;
mod config;
mod convert;
mod describe;
mod diff;
mod explain;
mod find;
mod generate;
mod hosts;
mod identifiers;
mod input;
mod inputs;
mod json;
mod left_behind;
mod left_links;
mod legacy;
mod mapper;
mod mentions;
mod outbox;
mod output;
mod preprocess;
mod progress;
mod report;
mod resume;
mod rewrite;
mod rules;
mod run;
mod run_file;
mod runs;
mod schema;
mod skipped;
mod standard_output;
mod summary;
mod tables;
mod totals;
mod undo;
mod web_index;

use args::{Args, Command};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use config::{Request, Unread};
use linkglot::Error;
use linkglot::error::{QUOTED, shortened};
use linkglot_files::{TempFiles, escape_deceptive, is_deceptive};
use std::borrow::Cow;
use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

/// The exit code after an interrupt: 128 plus the number of SIGINT, as in shells.
const INTERRUPTED: i32 = 130;

/// The outcome of a command. The numbers are exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Status {
    /// Links were found, or everything was done.
    Success = 0,
    /// No link was found, or some identifiers could not be mapped.
    Incomplete = 1,
    /// Wrong usage, or nothing could be done.
    Failure = 2,
    /// Done except for some files.
    SomeFilesFailed = 3,
}

/// The reason why a command ended early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Standard output has no reader any more: the command ends silently.
    BrokenPipe,
    /// Any other reason, as a message.
    Message(String),
}

impl Failure {
    /// A failure with a message.
    pub fn new(message: impl Into<String>) -> Self {
        Failure::Message(message.into())
    }

    /// A failure with the path that it is about.
    pub fn with_path(path: &Path, error: &dyn Display) -> Self {
        Failure::new(format!("{}: {error}", inputs::shown(path)))
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::new(output::error_words(&error))
    }
}

/// Runs the command that the arguments name; the first of them is the name of the program.
///
/// The main function of a program sets the allocator and the handlers of signals, and an interrupt ends the process:
/// so does this one.
///
/// ```
/// let status = linkglot_cli::execute(&["linkglot".into(), "--version".into()]);
/// assert_eq!(status as u8, 0);
/// ```
pub fn execute(arguments: &[OsString]) -> Status {
    allocator::prepare();
    let request = match config::read(arguments) {
        Ok(request) => request,
        Err(Unread::Usage(error)) => return print_usage(&error, arguments),
        Err(Unread::Config(message)) => {
            output::complain(message);
            return Status::Failure;
        }
    };
    let temp_files = Arc::new(TempFiles::new());
    let interrupted = Arc::clone(&temp_files);
    let handler = move || {
        interrupted.abandon();
        std::process::exit(INTERRUPTED);
    };
    ignore_file_size_signal();
    if let Err(error) = ctrlc::set_handler(handler) {
        output::complain(format_args!("interrupts are not handled: {error}"));
    }
    match perform(request, &temp_files) {
        Ok(status) => status,
        Err(Failure::BrokenPipe) => Status::Success,
        Err(Failure::Message(message)) => {
            output::complain(message);
            Status::Failure
        }
    }
}

/// Ignores SIGXFSZ, which would end the process: a file that would exceed the size limit (`ulimit -f`) then fails with
/// an error, and its temporary file is removed.
#[cfg(unix)]
fn ignore_file_size_signal() {
    let received = Arc::default();
    if let Err(error) = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, received) {
        output::complain(format_args!("SIGXFSZ is not handled: {error}"));
    }
}

#[cfg(not(unix))]
fn ignore_file_size_signal() {}

/// True if `rewrite` has no option that changes anything.
fn lacks_a_change(error: &clap::Error) -> bool {
    let missing = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::Strings(missing)) => missing.as_slice(),
        _ => &[],
    };
    error.kind() == ErrorKind::MissingRequiredArgument
        && missing.iter().any(|argument| argument == "--to <FORM>")
}

/// Prints the requested help, or the error of the arguments.
fn print_usage(error: &clap::Error, arguments: &[OsString]) -> Status {
    if let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand)
        && Path::new(name).exists()
    {
        output::complain(format_args!(
            "expected a command, found the path `{name}`; `linkglot find {name}` lists its links"
        ));
        return Status::Failure;
    }
    if lacks_a_change(error) {
        output::complain(
            "expected what to change: --to FORM, --move OLD NEW, --map 'FROM TO', --map-file FILE, --to-charset LABEL, \
             --unwrap, --relative-to IRI or --absolute; `linkglot rewrite --help` explains them",
        );
        return Status::Failure;
    }
    // Arguments may be file names from a shell's glob, or as long as a file.
    let words = arguments.iter().map(|argument| argument.to_string_lossy());
    let is_plain = |word: &str| !word.contains(is_deceptive) && word.len() <= QUOTED;
    let others: Vec<Cow<'_, str>> = words.filter(|word| !is_plain(word)).collect();
    // If printing fails, nobody can be told.
    let _ = if error.use_stderr() && !others.is_empty() {
        let mut text = error.render().to_string();
        for word in others {
            text = text.replace(&*word, &shortened(&word, QUOTED));
        }
        io::stderr().write_all(&escape_deceptive(text.as_bytes()))
    } else {
        error.print()
    };
    match error.exit_code() {
        0 => Status::Success,
        _ => Status::Failure,
    }
}

fn perform(request: Request, temp_files: &TempFiles) -> Result<Status, Failure> {
    match request {
        Request::PrintConfig(text) => generate::print(text.as_bytes()),
        Request::Run(args) => dispatch(*args, temp_files),
    }
}

fn dispatch(args: Args, temp_files: &TempFiles) -> Result<Status, Failure> {
    match args.command {
        _ if args.version => generate::version(args.verbose),
        None => Err(Failure::new(
            "expected a command; `linkglot --help` lists them",
        )),
        Some(Command::Find(args)) => find::run(&args),
        Some(Command::Rewrite(args)) => rewrite::run(&args, None, temp_files),
        Some(Command::Undo(args)) => undo::run(&args, temp_files),
        Some(Command::Resume(args)) => resume::run(&args, temp_files),
        Some(Command::Runs(args)) => runs::list(&args),
        Some(Command::Convert(args)) => convert::run(&args),
        Some(Command::Explain(args)) => explain::run(&args),
        Some(Command::Compare(args)) => compare::run(&args),
        Some(Command::Charsets(args)) => charsets::run(&args),
        Some(Command::Schema(args)) => schema::run(&args),
        Some(Command::Completions { shell }) => generate::completions(shell),
        Some(Command::Man { command }) => generate::man(command.as_deref()),
    }
}
