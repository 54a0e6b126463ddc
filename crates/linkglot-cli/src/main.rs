//! The program: all of it is in the library.

use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    ExitCode::from(linkglot_cli::execute(&arguments) as u8)
}
