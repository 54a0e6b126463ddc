//! Arguments about the configuration file. The help lists them under "Reports": a heading of their own would make it
//! longer.

use clap::Args;
use std::ffi::OsString;
use std::path::PathBuf;

#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Reports")]
pub struct ConfigArgs {
    /// Read options from FILE instead of linkglot.toml
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub config: Option<PathBuf>,
    /// Read no configuration file
    #[arg(long, hide_short_help = true)]
    pub no_config: bool,
    /// Print the options in effect as a linkglot.toml, with the source of each
    #[arg(long, hide_short_help = true)]
    pub print_config: bool,
    /// All arguments of the run, including those from the configuration file; the program's name comes first.
    #[arg(skip)]
    pub arguments: Vec<OsString>,
}

impl ConfigArgs {
    /// The arguments to record in a journal: all but the program's name.
    pub fn recorded(&self) -> Vec<OsString> {
        self.arguments.iter().skip(1).cloned().collect()
    }
}
