//! Rivals of the program as programs, for `.ci/rivals speed`: each does one task of the table with the crates that a
//! programmer would take for it, and nothing else.
//!
//! `processes inputs FOLDER`, `processes linkify|lol_html PRINT LABEL FILE`, `processes mbox PRINT FILE`,
//! `processes encode FILE`, `processes move PRINT RULES FOLDER`, `processes chat CONTENDER MESSAGE`.

#[allow(dead_code, reason = "shared with the benchmarks")]
#[path = "../../benches/prose/mod.rs"]
mod prose;

mod chat;
mod find;
mod inputs;
mod rewrite;

use std::io;

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["inputs", folder] => inputs::write(folder.as_ref()),
        ["linkify", print, label, file] => find::linkify(print, label, file),
        ["lol_html", print, label, file] => find::lol_html(print, label, file),
        ["mbox", print, file] => find::mbox(print, file),
        ["encode", file] => rewrite::encode(file),
        ["move", print, rules, folder] => rewrite::move_links(print, rules, folder.as_ref()),
        ["chat", contender, message] => {
            chat::run(contender, message);
            Ok(())
        }
        _ => Err(io::Error::other("expected one of the tasks above")),
    }
}
