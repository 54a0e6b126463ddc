//! The command line: arguments, printing, exit codes. It uses the public API of the library alone.

mod args;
mod bases;
mod convert;
mod desk;
mod diff;
mod explain;
mod files;
mod find;
mod generate;
mod inputs;
mod json;
mod lines;
mod mapper;
mod output;
mod prepare;
mod progress;
mod reading;
mod rewrite;
mod text;
mod totals;

use args::{Args, Command};
use clap::Parser;
use linkglot::Error;
use linkglot::driver::Scratch;
use std::fmt::Display;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

/// The exit code after an interrupt: 128 and the number of SIGINT, as shells have it.
const INTERRUPTED: i32 = 130;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// Done, found.
    Done,
    /// Nothing found, or something could not be mapped.
    Less,
    /// Nothing could be done.
    Nothing,
    /// Done but for some files.
    SomeFailed,
}

impl From<Code> for ExitCode {
    fn from(code: Code) -> Self {
        ExitCode::from(match code {
            Code::Done => 0,
            Code::Less => 1,
            Code::Nothing => 2,
            Code::SomeFailed => 3,
        })
    }
}

/// Why a command did not get to its end.
#[derive(Debug)]
pub struct Failure {
    /// Nothing: the reader of standard output went away, a quiet end.
    message: Option<String>,
}

impl Failure {
    pub fn new(message: impl Into<String>) -> Self {
        Failure {
            message: Some(message.into()),
        }
    }

    /// Something is wrong with a path.
    pub fn of_path(path: &Path, error: &dyn Display) -> Self {
        let mut name = Vec::new();
        output::path_on_one_line(&mut name, path);
        let name = String::from_utf8_lossy(&name);
        Failure::new(format!("{name}: {error}"))
    }

    pub fn broken_pipe() -> Self {
        Failure { message: None }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::new(error.to_string())
    }
}

/// Runs what the arguments say.
pub fn run() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            // When it cannot be printed there is nobody to tell.
            let _ = error.print();
            return ExitCode::from(error.exit_code() as u8);
        }
    };
    let scratch = Arc::new(Scratch::new());
    let interrupted = Arc::clone(&scratch);
    let handler = move || {
        interrupted.abandon();
        std::process::exit(INTERRUPTED);
    };
    if let Err(error) = ctrlc::set_handler(handler) {
        output::complain(format_args!("interrupts are not handled: {error}"));
    }
    match dispatch(args, &scratch) {
        Ok(code) => code.into(),
        Err(Failure { message: None }) => Code::Done.into(),
        Err(Failure {
            message: Some(message),
        }) => {
            output::complain(message);
            Code::Nothing.into()
        }
    }
}

fn dispatch(args: Args, scratch: &Scratch) -> Result<Code, Failure> {
    match args.command {
        _ if args.version => generate::version(args.verbose),
        None => Err(Failure::new(
            "expected a command; `linkglot --help` lists them",
        )),
        Some(Command::Find(args)) => find::run(&args),
        Some(Command::Rewrite(args)) => rewrite::run(&args, scratch),
        Some(Command::Convert(args)) => convert::run(&args),
        Some(Command::Explain(args)) => explain::run(&args),
        Some(Command::Completions { shell }) => generate::completions(shell),
        Some(Command::Man { command }) => generate::man(command.as_deref()),
    }
}
