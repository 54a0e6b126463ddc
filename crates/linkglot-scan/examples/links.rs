//! The links of text files, one a line: `cargo run --example links FILE...`.

use std::io::Write;

fn main() -> std::io::Result<()> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for path in std::env::args_os().skip(1) {
        let bytes = std::fs::read(&path)?;
        let text = String::from_utf8_lossy(&bytes);
        for hit in linkglot_scan::links(&text) {
            writeln!(out, "{}", hit.link(&text))?;
        }
    }
    Ok(())
}
