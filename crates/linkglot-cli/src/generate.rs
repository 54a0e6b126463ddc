//! The version, completions and manual pages; the latter two are generated from the definition of the arguments.

use super::args::Args;
use super::output::Output;
use super::{Failure, Status, mapper};
use clap::CommandFactory;
use clap_complete::Shell;

/// Prints a completion script.
pub fn completions(shell: Shell) -> Result<Status, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "linkglot", &mut script);
    print(&script)
}

/// Prints the manual page of one command, or of the program.
pub fn man(command: Option<&str>) -> Result<Status, Failure> {
    let mut args = Args::command();
    args.build();
    let page_of = match command {
        None => args,
        Some(name) => args.find_subcommand(name).cloned().ok_or_else(|| {
            Failure::new(format!(
                "man: expected a command such as `find`, found `{name}`"
            ))
        })?,
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(page_of)
        .render(&mut page)
        .map_err(|error| Failure::new(error.to_string()))?;
    print(&page)
}

/// Prints the version and, if asked for, the Unicode version of each table.
pub fn version(with_tables: bool) -> Result<Status, Failure> {
    let mut text = format!("linkglot {}\n", env!("CARGO_PKG_VERSION"));
    if with_tables {
        text += &mapper::unicode_versions();
    }
    print(text.as_bytes())
}

/// Prints text that is not a result of a run.
pub fn print(bytes: &[u8]) -> Result<Status, Failure> {
    let mut output = Output::new();
    output.write(bytes);
    output.end()?;
    Ok(Status::Success)
}
