//! What is made from the definition of the arguments: completions, manual pages; and the version.

use super::args::Args;
use super::output::{Ending, Output};
use super::{Code, Failure};
use clap::CommandFactory;
use clap_complete::Shell;

/// Prints a completion script.
pub fn completions(shell: Shell) -> Result<Code, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "linkglot", &mut script);
    print(&script)
}

/// Prints the manual page of a command, or of all.
pub fn man(command: Option<&str>) -> Result<Code, Failure> {
    let mut args = Args::command();
    args.build();
    let found = match command {
        None => args,
        Some(name) => {
            let found = args.find_subcommand(name).cloned();
            found.ok_or_else(|| Failure::new(format!("man: no command `{name}`")))?
        }
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(found)
        .render(&mut page)
        .map_err(|error| Failure::new(error.to_string()))?;
    print(&page)
}

/// Prints the version; with `tables`, that of each Unicode table, too.
pub fn version(tables: bool) -> Result<Code, Failure> {
    let mut text = format!("linkglot {}\n", env!("CARGO_PKG_VERSION"));
    if tables {
        text += &super::mapper::unicode_versions();
    }
    print(text.as_bytes())
}

/// Prints on standard output.
pub fn print(bytes: &[u8]) -> Result<Code, Failure> {
    let mut output = Output::new();
    output.write(bytes);
    end(output, Code::Done)
}

/// Ends standard output.
pub fn end(output: Output, code: Code) -> Result<Code, Failure> {
    match output.end() {
        Ending::Well => Ok(code),
        Ending::BrokenPipe => Err(Failure::broken_pipe()),
        Ending::Failed(error) => Err(Failure::new(format!("standard output: {error}"))),
    }
}
