//! Arguments about the configuration file. They have no heading of their own: the help is long enough.

use clap::Args;
use std::ffi::OsString;
use std::path::PathBuf;

#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Reports")]
pub struct ConfigArgs {
    /// Read options from FILE, not from linkglot.toml
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub config: Option<PathBuf>,
    /// Read no configuration file
    #[arg(long, hide_short_help = true)]
    pub no_config: bool,
    /// Print the options in effect as a linkglot.toml, and where each comes from
    #[arg(long, hide_short_help = true)]
    pub print_config: bool,
    /// The arguments of the run, those from the file among them, the program's name first.
    #[arg(skip)]
    pub arguments: Vec<OsString>,
}

impl ConfigArgs {
    /// The arguments as a journal keeps them.
    pub fn recorded(&self) -> Vec<OsString> {
        self.arguments.iter().skip(1).cloned().collect()
    }
}
