//! The command `charsets`: every charset with the way in which its documents are read, and its labels.

use super::args::CharsetsArgs;
use super::output::Output;
use super::{Failure, Status, json};
use linkglot::Charset;

/// Runs the command.
pub fn run(args: &CharsetsArgs) -> Result<Status, Failure> {
    let mut out = Vec::new();
    if !args.json {
        push_row(&mut out, "CHARSET", "READ", "LABELS");
    }
    for charset in Charset::all() {
        let labels: Vec<&str> = charset.labels().collect();
        if args.json {
            json::charset(&mut out, charset.name(), reading(charset), &labels)
        } else {
            push_row(
                &mut out,
                charset.name(),
                reading(charset),
                &labels.join(" "),
            )
        }
    }
    let mut output = Output::new();
    output.write(&out);
    output.end()?;
    Ok(Status::Success)
}

fn push_row(out: &mut Vec<u8>, name: &str, reading: &str, labels: &str) {
    out.extend_from_slice(format!("{name:<17}{reading:<9}{labels}\n").as_bytes());
}

/// The way in which documents in a charset are read: byte by byte, decoded piece by piece, or not at all.
fn reading(charset: Charset) -> &'static str {
    match charset.is_ascii_compatible() {
        _ if charset.is_replacement() => "never",
        true => "as-is",
        false => "decoded",
    }
}
